//! What was shown to the browser, by numbers that it sends back.

use super::requests::Change;
use crate::diagnostics::Span;
use crate::edit::File;
use crate::edit::tree::Item;
use crate::paths::SourcePath;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many are known. Older ones are asked for again.
const MOST: usize = 50_000;

/// A value, a block or a place for something new, as it was shown.
#[derive(Clone, Debug)]
pub struct Target {
    /// The file.
    pub path: SourcePath,
    /// The text of the file at that moment.
    pub base: Arc<str>,
    /// What in it.
    pub spot: Spot,
    /// In a few words: `the price of Harbour`.
    pub label: String,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Spot {
    /// A value by its keys and the numbers of items, which need not be there yet. Without any, all keys of the file.
    Value { names: Vec<Name> },
    /// A block of Markdown.
    Block { span: Span },
    /// A block of an original, whose text the file, its translation, does not have yet.
    Translated { original: SourcePath, text: Arc<str>, span: Span },
    /// The text behind the front matter.
    Body,
    /// All of a file that nobody can read otherwise.
    Whole,
    /// A place for new files: a folder, in which the path of the target is the newest file, or nothing.
    New { like: Option<SourcePath> },
}

/// A step to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// The value of a key.
    Key(String),
    /// An item of a list.
    Number(usize),
}

/// See the module.
#[derive(Debug, Default)]
pub struct Targets {
    next: u64,
    all: BTreeMap<u64, Arc<Target>>,
}

impl Targets {
    /// Returns the number of a target.
    pub fn add(&mut self, target: Target) -> String {
        self.next += 1;
        self.all.insert(self.next, Arc::new(target));
        while self.all.len() > MOST {
            self.all.pop_first();
        }
        self.next.to_string()
    }

    /// Returns the target with a number.
    pub fn get(&self, id: u64) -> Option<Arc<Target>> {
        self.all.get(&id).cloned()
    }
}

impl Target {
    /// Returns what another text of the file has at the same place.
    pub fn shown_in(&self, text: &str) -> Option<String> {
        let Spot::Value { names } = &self.spot else { return None };
        let file = File::of(&self.path, text)?;
        let item = file.root().at(&route(&file, names)?)?;
        item.scalar().map(|scalar| scalar.text.clone())
    }
}

impl Target {
    /// Returns the target and the change in another text of the file, in which items of lists may have other numbers. `None` if an
    /// item is not there any more.
    pub fn carried(&self, text: &str, change: &Change) -> Option<(Target, Change)> {
        let Spot::Value { names } = &self.spot else { return Some((self.clone(), change.clone())) };
        let (Some(old), Some(new)) = (File::of(&self.path, &self.base), File::of(&self.path, text)) else {
            return Some((self.clone(), change.clone()));
        };
        let mut carried: Vec<Name> = Vec::new();
        let (mut one, mut other) = (Some(old.root()), Some(new.root()));
        for name in names {
            let name = match (name, one, other) {
                (Name::Number(number), Some(one), Some(other)) => {
                    Name::Number(number_in((one, &self.base), (other, text), *number)?)
                }
                (name, ..) => name.clone(),
            };
            one = one.and_then(|item| below(item, &names[carried.len()]));
            other = other.and_then(|item| below(item, &name));
            carried.push(name);
        }
        let number = |number: Option<usize>| match (number, one, other) {
            (Some(number), Some(one), Some(other)) => number_in((one, &self.base), (other, text), number).map(Some),
            (number, ..) => Some(number),
        };
        let change = Change { remove: number(change.remove)?, moved: number(change.moved)?, ..change.clone() };
        let most = other.map_or(0, |list| (0..).take_while(|number| list.child(*number).is_some()).count());
        let change = Change {
            at: change.at.map(|at| at.min(most)),
            to: change.to.map(|to| to.min(most.saturating_sub(1))),
            ..change
        };
        Some((Target { spot: Spot::Value { names: carried }, ..self.clone() }, change))
    }
}

/// Returns the number that an item of a list has in another state of that. An item that was changed has the place of the one that is
/// not there any more.
fn number_in(old: (&Item, &str), new: (&Item, &str), number: usize) -> Option<usize> {
    let texts = |(list, text): (&Item, &str)| {
        let items = (0..).map_while(|number| list.child(number));
        items.map(|item| text[item.span.start..item.span.end].trim().to_owned()).collect::<Vec<String>>()
    };
    let (old, new) = (texts(old), texts(new));
    let Some(item) = old.get(number) else { return Some(number) };
    let places: Vec<usize> = (0..new.len()).filter(|place| new[*place] == *item).collect();
    match places.as_slice() {
        [place] => return Some(*place),
        [_, ..] => return places.contains(&number).then_some(number),
        [] => {}
    }
    capture_diff_slices(Algorithm::Myers, &old, &new).into_iter().find_map(|op| match op {
        DiffOp::Replace { old_index, old_len, new_index, new_len }
            if old_len == new_len && (old_index..old_index + old_len).contains(&number) =>
        {
            let place = new_index + number - old_index;
            // It is another one that has moved there.
            (!old.contains(&new[place])).then_some(place)
        }
        _ => None,
    })
}

/// Returns what a step leads to.
fn below<'i>(item: &'i Item, name: &Name) -> Option<&'i Item> {
    let index = match name {
        Name::Number(number) => *number,
        Name::Key(name) => {
            item.entries().iter().position(|(key, _)| key.scalar().is_some_and(|key| key.text == *name))?
        }
    };
    item.child(index)
}

/// Returns the route of a value in a file.
pub fn route(file: &File, names: &[Name]) -> Option<Vec<usize>> {
    let mut item = file.root();
    let mut route = Vec::new();
    for name in names {
        let index = match name {
            Name::Number(number) => *number,
            Name::Key(name) => {
                item.entries().iter().position(|(key, _)| key.scalar().is_some_and(|key| key.text == *name))?
            }
        };
        item = item.child(index)?;
        route.push(index);
    }
    Some(route)
}

/// Returns the keys and numbers of the value that is written at an offset, and the value.
pub fn at_offset<'f>(file: &'f File, offset: usize) -> Option<(Vec<Name>, &'f Item)> {
    fn find<'i>(item: &'i Item, offset: usize, names: &mut Vec<Name>) -> Option<&'i Item> {
        if item.scalar().is_some() {
            return (item.span.start <= offset && offset <= item.span.end).then_some(item);
        }
        for (index, (key, value)) in item.entries().iter().enumerate() {
            names.push(Name::Key(key.scalar().map_or_else(|| index.to_string(), |key| key.text.clone())));
            if let Some(found) = find(value, offset, names) {
                return Some(found);
            }
            names.pop();
        }
        for index in 0.. {
            let Some(child) = item.child(index).filter(|_| item.entries().is_empty()) else { break };
            names.push(Name::Number(index));
            if let Some(found) = find(child, offset, names) {
                return Some(found);
            }
            names.pop();
        }
        None
    }
    let mut names = Vec::new();
    let item = find(file.root(), offset, &mut names)?;
    Some((names, item))
}
