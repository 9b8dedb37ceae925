//! What a file consists of, with the exact bytes of every value: what may be replaced, and what must stay the same.

use sitegen_content::yaml::{Node, Value};
use sitegen_core::diagnostics::Span;

/// A value as it is written.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its bytes in the file: of a block of text in YAML from its `|` or `>`, of an empty value where one would be written, of a
    /// list or mapping from its first to its last value.
    pub span: Span,
    /// What it is.
    pub data: Data,
    /// Whether something else in the file repeats it, so that an edit would change that too.
    pub is_repeated: bool,
}

/// What a value is.
#[derive(Clone, Debug)]
pub enum Data {
    /// A text, a number, a word or nothing.
    Scalar(Scalar),
    /// A list.
    List {
        /// One for each `- ` or element, in order.
        items: Vec<Item>,
        /// Whether it is in brackets.
        is_flow: bool,
    },
    /// A mapping.
    Map {
        /// Its keys and values in the order of the file, also repeated ones.
        entries: Vec<(Item, Item)>,
        /// Whether it is in braces.
        is_flow: bool,
    },
    /// A value that is written elsewhere, by its name.
    Alias(String),
    /// In a tree to compare with: any single value.
    Any,
}

/// A single value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// The text that is meant; of anything but a text, as it is written.
    pub text: String,
    /// How it is written.
    pub style: Style,
    /// The type that is written before it, in YAML.
    pub tag: Option<String>,
    /// The number of spaces before each line of a block of text in YAML.
    pub indent: usize,
}

/// How a single value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Not at all: a key of YAML without a value, or an empty cell.
    Empty,
    /// Without quotes.
    Plain,
    /// In single quotes.
    Single,
    /// In double quotes.
    Double,
    /// A block after `|` in YAML.
    Literal,
    /// A block after `>` in YAML.
    Folded,
    /// Between three quotes of either kind, in TOML.
    Triple,
}

/// A place in a tree: of each list or mapping on the way, the number of the item or entry from 0.
pub type Route = Vec<usize>;

/// Which part of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The key.
    Key,
    /// The value, also one without a key.
    Value,
}

impl Item {
    /// Returns the items in a list, or the values of a mapping.
    pub fn child(&self, index: usize) -> Option<&Item> {
        match &self.data {
            Data::List { items, .. } => items.get(index),
            Data::Map { entries, .. } => entries.get(index).map(|(_, value)| value),
            _ => None,
        }
    }

    /// As [`Item::child`].
    pub fn child_mut(&mut self, index: usize) -> Option<&mut Item> {
        match &mut self.data {
            Data::List { items, .. } => items.get_mut(index),
            Data::Map { entries, .. } => entries.get_mut(index).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Returns the value at a route.
    pub fn at(&self, route: &[usize]) -> Option<&Item> {
        route.iter().try_fold(self, |item, index| item.child(*index))
    }

    /// As [`Item::at`].
    pub fn at_mut(&mut self, route: &[usize]) -> Option<&mut Item> {
        route.iter().try_fold(self, |item, index| item.child_mut(*index))
    }

    /// Returns the keys and values of a mapping.
    pub fn entries(&self) -> &[(Item, Item)] {
        match &self.data {
            Data::Map { entries, .. } => entries,
            _ => &[],
        }
    }

    /// Returns the single value that it is.
    pub fn scalar(&self) -> Option<&Scalar> {
        match &self.data {
            Data::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Calls a function with every key and single value in it, with its place.
    pub fn each<'i>(&'i self, route: &mut Route, visit: &mut impl FnMut(&'i Item, &[usize], Part)) {
        let count = match &self.data {
            Data::List { items, .. } => items.len(),
            Data::Map { entries, .. } => entries.len(),
            _ => return visit(self, route, Part::Value),
        };
        for index in 0..count {
            route.push(index);
            if let Some((key, _)) = self.entries().get(index) {
                visit(key, route, Part::Key);
            }
            if let Some(child) = self.child(index) {
                child.each(route, visit);
            }
            route.pop();
        }
    }

    /// Whether two trees are the same but for the places. An [`Data::Any`] in the other is equal to every single value.
    pub fn equals(&self, other: &Item) -> bool {
        match (&self.data, &other.data) {
            (Data::Scalar(_), Data::Any) => true,
            (Data::Scalar(one), Data::Scalar(two)) => {
                (&one.text, one.style, &one.tag) == (&two.text, two.style, &two.tag)
            }
            (Data::Alias(one), Data::Alias(two)) => one == two,
            (Data::List { items: one, .. }, Data::List { items: two, .. }) => {
                one.len() == two.len() && one.iter().zip(two).all(|(one, two)| one.equals(two))
            }
            (Data::Map { entries: one, .. }, Data::Map { entries: two, .. }) => {
                let is_equal =
                    |(one, two): (&(Item, Item), &(Item, Item))| one.0.equals(&two.0) && one.1.equals(&two.1);
                one.len() == two.len() && one.iter().zip(two).all(is_equal)
            }
            _ => false,
        }
    }
}

/// Whether two trees of the engine's own parsers have the same values. The order of keys does not count: keys that another mapping
/// gives have none in the file.
pub fn same_values(one: &Node, two: &Node) -> bool {
    match (&one.value, &two.value) {
        (Value::List(one), Value::List(two)) => {
            one.len() == two.len() && one.iter().zip(two).all(|(one, two)| same_values(one, two))
        }
        (Value::Map(one), Value::Map(map)) => {
            let is_in = |(key, value): &(_, Node)| {
                let key: &sitegen_content::yaml::Key = key;
                two.get(&key.name).is_some_and(|other| same_values(value, other))
            };
            one.len() == map.len() && one.iter().all(is_in)
        }
        (one, two) => one == two,
    }
}
