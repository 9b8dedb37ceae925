//! Edits of the file of a translation: values and blocks of Markdown, with every other byte as it was.

use super::super::cells;
use super::super::confirm::{confirmed, route_of};
use super::super::export::{BlockPairs, stripped};
use super::super::po::Entry;
use crate::content::front_matter;
use crate::content::plural_forms::PluralForms;
use crate::content::syntax::Syntax;
use crate::content::texts::{Content, Text, TextPlace, blocks};
use crate::content::translated::Translation;
use crate::content::yaml::{Key, Node, Value};
use crate::diagnostics::Span;
use crate::edit::tree::Data;
use crate::edit::{File, Refusal, insert};
use crate::paths::SourcePath;
use std::collections::BTreeMap;

/// An edited file.
pub struct Edited {
    /// Its text.
    pub text: String,
    /// How many texts of it were taken from the PO file.
    pub texts: usize,
    /// What was not written, in words.
    pub open: Vec<String>,
    is_changed: bool,
}

impl Edited {
    /// Whether it is another text than before.
    pub fn is_changed(&self) -> bool {
        self.is_changed
    }
}

/// Returns the file of a translation with the texts of entries. An error has the entry that cannot be written, and why.
pub fn edited<'e>(
    translation: &Translation,
    original: &str,
    entry_of: &dyn Fn(usize) -> Option<&'e Entry>,
) -> Result<Edited, (&'e Entry, String)> {
    let before = translation.own.as_ref().map(|own| own.text.clone());
    let mut text = before.clone().unwrap_or_else(|| empty_file(&translation.path, original));
    let mut edited = Edited { text: String::new(), texts: 0, open: Vec::new(), is_changed: false };
    let mut taken = vec![false; translation.texts.all.len()];
    let reader = Values::of(translation, original, entry_of);
    for (number, each) in translation.texts.all.iter().enumerate() {
        let (Some(entry), TextPlace::Key { entry: name, keys }) = (entry_of(number), &each.place) else { continue };
        if let Some(open) = reader.incomplete_list(name.as_deref(), keys) {
            if !edited.open.contains(&open) {
                edited.open.push(open);
            }
            continue;
        }
        text = reader
            .put(&text, name.as_deref(), keys)
            .map_err(|Refusal(reason)| (entry, format!("{} cannot be written: {reason}", translation.path)))?;
        taken[number] = true;
    }
    match new_body(translation, entry_of) {
        Body::None => {}
        Body::Incomplete { done, all } => {
            edited.open.push(format!("its text is not written before all {all} blocks are translated; {done} are"));
        }
        Body::Complete(body) => {
            text = with_body(&translation.path, &text, &body);
            let is_block = |text: &Text| matches!(text.place, TextPlace::Block { .. });
            for (number, _) in translation.texts.all.iter().enumerate().filter(|(_, each)| is_block(each)) {
                taken[number] = entry_of(number).is_some();
            }
        }
    }
    edited.texts = taken.iter().filter(|taken| **taken).count();
    let is_confirmed = |name: Option<&str>| is_confirmed(translation, &taken, name);
    // A file whose format has no place for the version goes without.
    edited.text = confirmed(translation, &text, &is_confirmed).unwrap_or(text);
    edited.is_changed = edited.texts > 0 && before.as_ref() != Some(&edited.text);
    Ok(edited)
}

/// Whether all texts of an entry are those of the present version: taken from the PO file, or unchanged since the version that the
/// translation names.
fn is_confirmed(translation: &Translation, taken: &[bool], name: Option<&str>) -> bool {
    let versions = translation.versions();
    let version = versions.iter().find(|version| version.entry.as_deref() == name);
    let is_present = |text: &Text| match version.map(|version| &version.changed) {
        None => false,
        Some(None) => translation.has(text),
        Some(Some(changed)) => !changed.is_empty() && !changed.contains(&text.place) && translation.has(text),
    };
    let mut has_any = false;
    translation.texts.all.iter().enumerate().all(|(number, text)| {
        let is_own = match &text.place {
            TextPlace::Key { entry, .. } => entry.as_deref() == name,
            TextPlace::Block { .. } => name.is_none(),
        };
        has_any |= is_own && taken[number];
        !is_own || taken[number] || is_present(text)
    }) && has_any
}

/// Returns the text of a new file, in the format of its original.
fn empty_file(path: &SourcePath, original: &str) -> String {
    let text = match (path.extension(), Syntax::of(path, original)) {
        (Some("md"), Syntax::Toml) => "+++\n+++\n",
        (Some("md"), Syntax::Json) | (_, Syntax::Json) => "{}\n",
        (Some("md"), _) => "---\n---\n",
        _ => "",
    };
    text.to_owned()
}

/// The values that entries give to a file.
struct Values<'v, 'e> {
    translation: &'v Translation<'v>,
    /// The text of the original.
    original: &'v str,
    entry_of: &'v dyn Fn(usize) -> Option<&'e Entry>,
    /// The numbers of the texts of keys.
    numbers: BTreeMap<(Option<&'v str>, &'v [String]), usize>,
}

impl<'v, 'e> Values<'v, 'e> {
    fn of(
        translation: &'v Translation<'v>,
        original: &'v str,
        entry_of: &'v dyn Fn(usize) -> Option<&'e Entry>,
    ) -> Self {
        let texts = translation.texts.all.iter().enumerate();
        let numbers = texts.filter_map(|(number, text)| match &text.place {
            TextPlace::Key { entry, keys } => Some(((entry.as_deref(), &keys[..]), number)),
            TextPlace::Block { .. } => None,
        });
        Values { translation, original, entry_of, numbers: numbers.collect() }
    }
}

impl Values<'_, '_> {
    /// Returns the value that an entry gives for a place.
    fn value(&self, name: Option<&str>, keys: &[String]) -> Option<Value> {
        let number = *self.numbers.get(&(name, keys))?;
        let text = &self.translation.texts.all[number];
        let entry = (self.entry_of)(number)?;
        Some(match &text.content {
            Content::Plural(_) => {
                let forms = PluralForms::of(&self.translation.language.tag);
                let form = |(category, text): (&&str, &String)| (key(category), node(Value::Text(text.clone())));
                Value::Map(forms.categories().iter().zip(&entry.strings).map(form).collect())
            }
            Content::Plain(original) | Content::Block(original) => {
                let translated = entry.strings.first().map_or("", String::as_str);
                // What was taken away around the text.
                let start = original.len() - original.trim_start_matches(['\r', '\n']).len();
                let end = original.trim_end_matches(['\r', '\n']).len().max(start);
                Value::Text(format!("{}{translated}{}", &original[..start], &original[end..]))
            }
        })
    }

    /// Returns what to say of a list that the translation does not have, and for which not all texts are there: a list is replaced
    /// as a whole.
    fn incomplete_list(&self, name: Option<&str>, keys: &[String]) -> Option<String> {
        let depth = (0..keys.len()).find(|depth| {
            let is_list = |node: Option<&Node>| node.is_some_and(|node| matches!(node.value, Value::List(_)));
            is_list(at(self.translation.texts.entry(name), &keys[..*depth]))
        })?;
        let list = &keys[..depth];
        let own = self.translation.own.as_ref().and_then(|own| own.texts.entry(name));
        if at(own, list).is_some() {
            return None;
        }
        let in_list = |text: &&(usize, &Text)| match &text.1.place {
            TextPlace::Key { entry, keys } => entry.as_deref() == name && keys.starts_with(list),
            TextPlace::Block { .. } => false,
        };
        let texts: Vec<(usize, &Text)> = self.translation.texts.all.iter().enumerate().collect();
        let all: Vec<&(usize, &Text)> = texts.iter().filter(in_list).collect();
        let done = all.iter().filter(|(number, _)| (self.entry_of)(*number).is_some()).count();
        let (list, all) = (list.join("."), all.len());
        (done < all)
            .then(|| format!("the list `{list}` is not written before all {all} texts are translated; {done} are"))
    }

    /// Puts a value into a text, and returns the text.
    fn put(&self, text: &str, name: Option<&str>, keys: &[String]) -> Result<String, Refusal> {
        let path = &self.translation.path;
        if path.extension() == Some("csv") {
            let value = self.value(name, keys).ok_or(Refusal("it has no translation"))?;
            let (Value::Text(value), [column]) = (&value, keys) else {
                return Err(Refusal("a cell of a table has one text"));
            };
            return cells::put(path, text, self.original, (name.unwrap_or_default(), column), value);
        }
        let Some(route) = route_of(path, text, name) else {
            // A new entry of a mapping; a list would need a place for it.
            let name = name.unwrap_or_default();
            let value = self.built(Some(name), &[])?;
            let edit = insert::first_or_next(path, text, name, &value)?;
            return Ok(edit.apply(text));
        };
        let file = File::of(path, text)
            .filter(|file| matches!(file.root().at(&route).map(|item| &item.data), Some(Data::Map { .. })));
        let Some(file) = file else {
            let first = keys.first().ok_or(Refusal("it has no key"))?;
            let edit = insert::first_or_next(path, text, first, &self.built(name, &keys[..1])?)?;
            return Ok(edit.apply(text));
        };
        let mut route = route;
        for (depth, key) in keys.iter().enumerate() {
            let item = file.root().at(&route).ok_or(Refusal("there is no such value"))?;
            match &item.data {
                Data::Map { entries, .. } => {
                    let named = |(name, _): &(_, _)| {
                        let name: &crate::edit::tree::Item = name;
                        name.scalar().is_some_and(|name| name.text == *key)
                    };
                    match entries.iter().position(named) {
                        Some(number) => route.push(number),
                        None => {
                            let edit = file.insert(&route, key, &self.built(name, &keys[..=depth])?)?;
                            return Ok(edit.apply(text));
                        }
                    }
                }
                Data::List { items, .. } => {
                    let number = key.parse().ok().filter(|number| *number < items.len());
                    route.push(number.ok_or(Refusal("the list of the translation has fewer items"))?);
                }
                _ => return Err(Refusal("a single value stands where the original has several")),
            }
        }
        let value = self.value(name, keys).ok_or(Refusal("it has no translation"))?;
        match (&value, file.root().at(&route).map(|item| &item.data)) {
            (Value::Map(forms), Some(Data::Map { .. })) => put_forms(path, text, &route, forms),
            (Value::Text(new), Some(Data::Scalar(old))) if stripped(&old.text) == stripped(new) => Ok(text.to_owned()),
            _ => Ok(file.replace(&route, &value)?.apply(text)),
        }
    }

    /// Returns the value for a place that the translation lacks: that of the original with the texts of entries, without what a
    /// translation need not have.
    fn built(&self, name: Option<&str>, keys: &[String]) -> Result<Value, Refusal> {
        if let Some(value) = self.value(name, keys) {
            return Ok(value);
        }
        let original = at(self.translation.texts.entry(name), keys).ok_or(Refusal("the original has no such value"))?;
        self.within(name, keys, original, false).ok_or(Refusal("it has no translation"))
    }

    fn within(&self, name: Option<&str>, keys: &[String], original: &Node, is_whole: bool) -> Option<Value> {
        if let Some(value) = self.value(name, keys) {
            return Some(value);
        }
        let below = |key: &str| keys.iter().cloned().chain([key.to_owned()]).collect::<Vec<String>>();
        match &original.value {
            Value::Map(entries) => {
                let entries: Vec<(Key, Node)> = entries
                    .iter()
                    .filter_map(|(name_of_key, value)| {
                        let value = self.within(name, &below(&name_of_key.name), value, is_whole)?;
                        Some((key(&name_of_key.name), node(value)))
                    })
                    .collect();
                (is_whole || !entries.is_empty()).then_some(Value::Map(entries))
            }
            // A list is replaced as a whole.
            Value::List(items) => {
                let is_open = self.incomplete_list(name, &below("0")).is_some();
                let has_text = |text: &Text| match &text.place {
                    TextPlace::Key { entry, keys: other } => entry.as_deref() == name && other.starts_with(keys),
                    TextPlace::Block { .. } => false,
                };
                let is_translated = self.translation.texts.all.iter().any(has_text) && !is_open;
                let item = |(number, item): (usize, &Node)| {
                    let value = self.within(name, &below(&number.to_string()), item, true);
                    node(value.unwrap_or_else(|| item.value.clone()))
                };
                (is_whole || is_translated).then(|| Value::List(items.iter().enumerate().map(item).collect()))
            }
            value => is_whole.then(|| value.clone()),
        }
    }
}

fn put_forms(path: &SourcePath, text: &str, route: &[usize], forms: &[(Key, Node)]) -> Result<String, Refusal> {
    let mut text = text.to_owned();
    for (category, form) in forms {
        let file = File::of(path, &text).ok_or(Refusal("it cannot be read"))?;
        let known = file.root().at(route).and_then(|map| {
            map.entries().iter().position(|(key, _)| key.scalar().is_some_and(|key| key.text == category.name))
        });
        let edit = match known {
            Some(number) => {
                let route: Vec<usize> = route.iter().copied().chain([number]).collect();
                let old = file.root().at(&route).and_then(|item| item.scalar()).map(|old| stripped(&old.text));
                if old.as_deref() == form.text() {
                    continue;
                }
                file.replace(&route, &form.value)?
            }
            None => file.insert(route, &category.name, &form.value)?,
        };
        text = edit.apply(&text);
    }
    Ok(text)
}

fn key(name: &str) -> Key {
    Key { name: name.to_owned(), span: Span::default() }
}

fn node(value: Value) -> Node {
    Node { value, span: Span::default() }
}

fn at<'n>(data: Option<&'n Node>, keys: &[String]) -> Option<&'n Node> {
    keys.iter().try_fold(data?, |node, key| match &node.value {
        Value::List(items) => key.parse().ok().and_then(|number: usize| items.get(number)),
        _ => node.get(key),
    })
}

/// The Markdown of a translation.
enum Body {
    /// No entry has a block of it.
    None,
    /// Some blocks have no translation.
    Incomplete { done: usize, all: usize },
    /// All blocks have one.
    Complete(String),
}

fn new_body<'e>(translation: &Translation, entry_of: &dyn Fn(usize) -> Option<&'e Entry>) -> Body {
    let Some((original, start)) = &translation.texts.body else { return Body::None };
    let texts = translation.texts.all.iter().enumerate();
    let texts: Vec<(usize, &Text)> = texts.filter(|(_, text)| matches!(text.place, TextPlace::Block { .. })).collect();
    if !texts.iter().any(|(number, _)| entry_of(*number).is_some()) {
        return Body::None;
    }
    let pairs = BlockPairs::of(translation);
    let is_done = |number: usize| pairs.is_exact || entry_of(number).is_some();
    let done = texts.iter().filter(|(number, _)| is_done(*number)).count();
    if done < texts.len() {
        return Body::Incomplete { done, all: texts.len() };
    }
    // Blocks without words, such as code, are those of the translation if it has them.
    let own = translation.own.as_ref().and_then(|own| own.texts.body.as_ref()).filter(|_| pairs.is_exact);
    let base = own.map_or(original, |(body, _)| body);
    let mut body = String::new();
    let mut end = 0;
    for (old, block) in blocks(original).iter().zip(blocks(base)) {
        let found = texts.iter().find(|(_, text)| text.span.start == old.span.start + start);
        let Some(entry) = found.and_then(|(number, _)| entry_of(*number)) else { continue };
        body.push_str(&base[end..block.span.start]);
        let translated = entry.strings.first().map_or("", String::as_str);
        let written = &base[block.span.start..block.span.end];
        // What is the same stays as it is written, also its line ends.
        body.push_str(if stripped(written) == stripped(translated) { written } else { translated });
        end = block.span.end;
    }
    body.push_str(&base[end..]);
    Body::Complete(body)
}

/// Returns a Markdown file with another body, in its line ends.
fn with_body(path: &SourcePath, text: &str, body: &str) -> String {
    let Ok(parts) = front_matter::split(path, text) else { return text.to_owned() };
    let body = body.replace("\r\n", "\n");
    let body = if text.contains("\r\n") { body.replace('\n', "\r\n") } else { body };
    // An object of JSON ends in its line.
    let head = &text[..parts.body_start];
    let between = if head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{between}{body}")
}
