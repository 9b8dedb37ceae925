//! Finds the entries of lists that make a template fail.
//!
//! The template engine reports the template only: its error does not say which of two hundred entries lacks a key. So
//! the page is rendered again with parts of its lists. A list without which the page does not fail alike is bisected
//! for the first item that fails by itself, then the rest for the next one, and lists in that item likewise. If all
//! items fail, the template is wrong and not they. This runs only when a page has failed.

mod references;

use super::engine::{self, Absent, Failure};
use super::kwargs::NO_VALUE;
use super::mistakes::Mistake;
use super::{Inputs, Renderer, nearby};
use sitegen_content::yaml::{Node, Value as Yaml};
use sitegen_content::{Document, Page, Site};
use sitegen_core::diagnostics::{Diagnostic, Meant, Place, Position, Span, TemplateProblem, meant, nearest};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;
use std::borrow::Cow;
use tera::value::Key;
use tera::{Context, Tera, Value};

/// The number of items that are reported of one list: whoever made a mistake twenty times fixes it everywhere after the
/// first ten.
const AT_MOST: usize = 10;

/// The values of templates that may contain lists.
const ROOTS: [&str; 6] = ["list", "collections", "entries", "page", "site", "pages"];

/// One step from a value to a part of it.
#[derive(Clone, Debug)]
enum Step {
    Key(String),
    Item(usize),
}

/// An item that makes a page fail.
struct Culprit {
    /// Its path in the values of the page.
    steps: Vec<Step>,
    /// Whether an item beside it, or beside one that contains it, does not fail. If all fail alike, the template is
    /// wrong.
    is_odd: bool,
}

/// Renders a page with other values.
struct Trial<'a> {
    engine: &'a Tera,
    sources: &'a Sources,
    site: &'a Site,
    page: &'a Page,
    /// The values of the page.
    context: Context,
    failure: &'a Failure,
}

/// Returns the mistake at the entries and items that caused it, as far as they can be found.
pub fn find(renderer: Renderer, page: &Page, failure: &Failure) -> Vec<Diagnostic> {
    let Renderer { inputs, engine, .. } = renderer;
    let document = inputs.site.document(page);
    let Ok(context) = renderer.context(page, &document) else { return Vec::new() };
    let trial = Trial { engine, sources: inputs.sources, site: inputs.site, page, context, failure };
    if let Some(diagnostic) = in_entry(inputs, &trial).or_else(|| in_page(inputs, &trial, &document)) {
        return vec![diagnostic];
    }
    // If it does not fail alike for the same values, other values prove nothing.
    if !trial.root("page").is_some_and(|value| trial.fails("page", value)) {
        return Vec::new();
    }
    let diagnostics = references::find(inputs, &trial);
    if !diagnostics.is_empty() {
        return diagnostics;
    }
    for root in ROOTS {
        let Some(value) = trial.root(root) else { continue };
        let mut lists = Vec::new();
        find_lists(&value, &mut Vec::new(), &mut lists);
        for list in lists {
            let items = trial.culprits(root, &value, &list, &list);
            let odd = items.iter().filter(|item| item.is_odd);
            let diagnostics = odd.filter_map(|item| diagnostic(inputs, &trial, &document, root, &value, &item.steps));
            let diagnostics: Vec<Diagnostic> = diagnostics.collect();
            if !diagnostics.is_empty() {
                return diagnostics;
            }
        }
    }
    in_mapping(inputs, &trial, &document).into_iter().collect()
}

impl Trial<'_> {
    fn root(&self, root: &str) -> Option<Value> {
        let own = self.context.get(root).cloned();
        own.or_else(|| Tera::clone(self.engine).global_context().get(root).cloned())
    }

    /// Whether the page fails in the same way with another value.
    fn fails(&self, root: &'static str, value: Value) -> bool {
        let mut engine = Tera::clone(self.engine);
        let mut context = self.context.clone();
        if context.get(root).is_some() {
            context.insert_value(root, value);
        } else {
            engine.global_context().insert_value(root, value);
        }
        let rendered = nearby::render(&engine, self.site, self.page, &context);
        rendered.is_err_and(|error| {
            Failure::of(&error, Mistake::take(&error).as_ref(), self.sources)
                .is_some_and(|failure| failure.is_like(self.failure))
        })
    }

    /// Returns the items of a list that make the page fail. `origin` is the path of the list in the original values of
    /// the page; `value` may contain shorter lists, with `list` as the path.
    fn culprits(&self, root: &'static str, value: &Value, list: &[Step], origin: &[Step]) -> Vec<Culprit> {
        let Some(items) = part(value, list).and_then(Value::as_array) else { return Vec::new() };
        let fails = |items: &[Value]| self.fails(root, with(value, list, Value::from(items)));
        let mut found = Vec::new();
        if fails(&[]) {
            return Vec::new();
        }
        let mut from = 0;
        while found.len() < AT_MOST && from < items.len() && fails(&items[from..]) {
            let (mut low, mut high) = (from, items.len());
            while high - low > 1 {
                let middle = low + (high - low) / 2;
                if fails(&items[from..middle]) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            from = high;
            if !fails(std::slice::from_ref(&items[low])) {
                break;
            }
            found.push(low);
        }
        let is_odd = found.len() < items.len().min(AT_MOST) || found.iter().enumerate().any(|(at, item)| at != *item);
        let mut culprits = Vec::new();
        for number in found {
            let item = &items[number];
            let alone = with(value, list, Value::from(std::slice::from_ref(item)));
            let mut inner = Vec::new();
            find_lists(item, &mut Vec::new(), &mut inner);
            let deeper = inner.into_iter().map(|inner| {
                let below = |list: &[Step], number| [list, &[Step::Item(number)], &inner].concat();
                self.culprits(root, &alone, &below(list, 0), &below(origin, number))
            });
            match deeper.into_iter().find(|culprits| !culprits.is_empty()) {
                Some(inner) => {
                    culprits.extend(inner.into_iter().map(|each| Culprit { is_odd: each.is_odd || is_odd, ..each }));
                }
                None => culprits.push(Culprit { steps: [origin, &[Step::Item(number)]].concat(), is_odd }),
            }
        }
        culprits
    }

    /// Whether an item would not fail if it had the value of another item of its list. `path` leads from the item to the
    /// value.
    fn is_unfit(&self, root: &'static str, value: &Value, steps: &[Step], path: &[String]) -> bool {
        let path = path.iter().map(|key| key.parse().map_or_else(|_| Step::Key(key.clone()), Step::Item));
        let path: Vec<Step> = steps.iter().cloned().chain(path).collect();
        let Some(at) = path.iter().position(|step| matches!(step, Step::Item(_))) else { return false };
        let (list, below) = (&path[..at], &path[at + 1..]);
        let (Some(item), Some(items)) = (part(value, &path[..=at]), part(value, list).and_then(Value::as_array)) else {
            return false;
        };
        let others = items.iter().filter_map(|other| part(other, below)).take(AT_MOST);
        others.cloned().any(|other| {
            let repaired = with(item, below, other);
            !self.fails(root, with(value, list, Value::from(std::slice::from_ref(&repaired))))
        })
    }
}

/// Finds the lists of maps in a value, without those in items of lists.
fn find_lists(value: &Value, steps: &mut Vec<Step>, lists: &mut Vec<Vec<Step>>) {
    if let Some(items) = value.as_array() {
        if items.iter().any(Value::is_map) {
            lists.push(steps.clone());
        }
        return;
    }
    for (key, value) in value.as_map().into_iter().flatten() {
        steps.push(Step::Key(key.to_string()));
        find_lists(value, steps, lists);
        steps.pop();
    }
}

fn part<'v>(value: &'v Value, steps: &[Step]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.as_map()?.get(&Key::from(key.clone())),
        Step::Item(number) => value.as_array()?.get(*number),
    })
}

/// Returns a value with another part.
fn with(value: &Value, steps: &[Step], new: Value) -> Value {
    match steps.split_first() {
        None => new,
        Some((Step::Key(key), rest)) => {
            let mut map = value.as_map().cloned().unwrap_or_default();
            let key = Key::from(key.clone());
            let inner = map.get(&key).map(|inner| with(inner, rest, new));
            if let Some(inner) = inner {
                map.insert(key, inner);
            }
            Value::from(map)
        }
        Some((Step::Item(number), rest)) => {
            let mut items = value.as_array().unwrap_or_default().to_vec();
            if let Some(item) = items.get_mut(*number) {
                *item = with(item, rest, new);
            }
            Value::from(items)
        }
    }
}

/// Returns the mistake of a page whose entry lacks a key that other entries of its collection have.
fn in_entry(inputs: Inputs, trial: &Trial) -> Option<Diagnostic> {
    let made = trial.page.made.as_ref()?;
    let collection = inputs.view.collection(&made.collection)?;
    let entry = collection.nth(made.number?)?;
    let (key, by) = absent_key(inputs, trial, "entry", &entry.data)?;
    if collection.iter().all(|other| is_absent(&other.data, &key)) {
        return None;
    }
    Some(trial.page.named_in(entry.lacks(&key, by)))
}

/// Returns the mistake of a page that lacks a key which a function needs, or which other pages of its template have.
fn in_page(inputs: Inputs, trial: &Trial, document: &Document) -> Option<Diagnostic> {
    let site = inputs.site;
    let (key, by) = absent_key(inputs, trial, "page", &document.data)?;
    let keys = document.data.entries();
    let nearest = meant(&key, keys.iter().map(|(key, _)| key.name.as_str()));
    let is_same = |other: &&Page| other.template == trial.page.template && other.source != trial.page.source;
    let mut others = site.pages.iter().filter(is_same);
    // What no page has is as likely a mistake of the template, above all if the page has a similar key.
    let is_needed = trial.failure.detail.ends_with(NO_VALUE) && nearest.is_none();
    if !is_needed && !others.any(|other| !is_absent(&site.keys(other), &key)) {
        return None;
    }
    let meant =
        keys.iter().find(|(key, _)| nearest.as_ref().is_some_and(|nearest| nearest.word == key.name)).or(keys.first());
    let place = Place { path: document.source.clone(), span: meant.map(|(key, _)| key.span) };
    Some(Diagnostic::new(TemplateProblem::NeededKey { key, by, nearest, collection: None }, place))
}

/// Returns the failure with the line of content that it is about: that of the one mapping with exactly the keys that the
/// engine lists. The template may be as wrong as the key, so it remains the place.
fn in_mapping(inputs: Inputs, trial: &Trial, document: &Document) -> Option<Diagnostic> {
    let Failure { template, span, absent, .. } = trial.failure;
    let Absent { name, known } = absent.as_ref()?;
    let mut found = Vec::new();
    for (path, data) in [(&document.source, &document.data)].into_iter().chain(inputs.view.keys()) {
        mappings(data, known, &mut |node| found.push((path, node)));
    }
    let [(path, node)] = found.as_slice() else { return None };
    let meant = nearest(name, known.iter().map(String::as_str));
    let key = node.entries().iter().map(|(key, _)| key).find(|key| meant.is_none_or(|meant| key.name == meant))?;
    let (text, base) = inputs.sources.text_at(path, key.span.start)?;
    let line = Position::of(text, Span { start: key.span.start - base, end: key.span.end - base })?.line;
    let detail = match trial.failure.detail.strip_suffix('?') {
        Some(asked) => format!("{asked} in {path}:{line}?"),
        None => format!("{} in {path}:{line}", trial.failure.detail),
    };
    let place = Place::new(template, *span);
    Some(trial.page.named_in(Diagnostic::new(TemplateProblem::TemplateFailed { detail }, place)))
}

/// Finds the mappings in a value that have exactly these keys, which are sorted.
fn mappings<'n>(node: &'n Node, keys: &[String], found: &mut impl FnMut(&'n Node)) {
    match &node.value {
        Yaml::List(items) => items.iter().for_each(|item| mappings(item, keys, found)),
        Yaml::Map(entries) => {
            let mut own: Vec<&str> = entries.iter().map(|(key, _)| key.name.as_str()).collect();
            own.sort_unstable();
            if own == keys {
                found(node);
            }
            entries.iter().for_each(|(_, inner)| mappings(inner, keys, found));
        }
        _ => {}
    }
}

/// Returns the key of a value, `entry` or `page`, that the template reads where it failed and that the value does not
/// have, and the place in the template.
fn absent_key(inputs: Inputs, trial: &Trial, root: &str, data: &Node) -> Option<(String, String)> {
    let Failure { template, span, .. } = trial.failure;
    let text = inputs.sources.text(template).unwrap_or_default();
    let begin = text.get(..span.start)?.trim_end_matches(is_part).len();
    let read = paths(&text[begin..], span.end.saturating_sub(begin));
    let mut of_root = read.iter().filter(|path| path.first().is_some_and(|first| first == root));
    let is_made = |key: &str| root == "page" && OF_ENGINE.contains(&key);
    let key = of_root.find_map(|path| path.get(1).filter(|key| is_absent(data, key) && !is_made(key)))?;
    Some((key.clone(), engine::line_in(template, text, *span)))
}

/// The keys of a page that the engine makes, of those that it may be without.
const OF_ENGINE: [&str; 10] =
    ["route", "url", "source", "language", "content", "toc", "previous", "next", "ancestors", "feed"];

/// Whether a mapping has no such key, or an empty text, which counts as absent.
fn is_absent(node: &Node, key: &str) -> bool {
    node.get(key).is_none_or(|node| node.text() == Some(""))
}

/// Returns the mistake at an item, by its path.
fn diagnostic(
    inputs: Inputs,
    trial: &Trial,
    document: &Document,
    root: &'static str,
    value: &Value,
    steps: &[Step],
) -> Option<Diagnostic> {
    let item = part(value, steps)?;
    let (path, node) = written(inputs, trial.page, document, root, steps)?;
    let Failure { template, span, .. } = trial.failure;
    let text = inputs.sources.text(template).unwrap_or_default();
    let by = engine::line_in(template, text, *span);
    let first = |node: &Node| node.entries().first().map(|(key, _)| key.span);
    let Some((key, holder)) = trial.failure.key(text, item) else {
        let mut read = trial.failure.values(text).filter(|path| trial.is_unfit(root, value, steps, path));
        let at = read.find_map(|path| follow(&node, &path))?;
        let place = Place { path, span: Some(at.span) };
        let problem = engine::unusable(&by, &trial.failure.detail);
        return Some(trial.page.named_in(Diagnostic::new(problem, place)));
    };
    // A key that nothing else in the list has is the template's mistake.
    let list = part(value, &steps[..steps.iter().position(|step| matches!(step, Step::Item(_)))?])?;
    if !has_key(list, &key) {
        return None;
    }
    let holder = follow(&node, &holder)?;
    let keys = holder.entries().iter().map(|(key, _)| key.name.as_str());
    // An empty text counts as absent, and is where the value belongs.
    let written_as = holder.get(&key).map(|_| Meant::from(key.clone())).or_else(|| meant(&key, keys));
    let at = holder
        .entries()
        .iter()
        .find(|(name, _)| written_as.as_ref().is_some_and(|written| written.word == name.name))
        .map(|(key, _)| key.span);
    let collection = match (root, steps) {
        ("collections", [Step::Key(name), Step::Item(_)]) | ("entries", [Step::Key(name), Step::Key(_), ..]) => {
            let schema = SourcePath::new(format!("content/schemas/{name}.schema.json"));
            inputs.sources.get(&schema).is_none().then(|| name.clone())
        }
        _ => None,
    };
    let nearest = written_as.filter(|written| written.word != key);
    let place = Place { path, span: at.or_else(|| first(holder)) };
    let problem = TemplateProblem::NeededKey { key, by, nearest, collection };
    Some(trial.page.named_in(Diagnostic::new(problem, place)))
}

/// Returns the value at a path of keys and numbers.
fn follow<'n>(node: &'n Node, steps: &[String]) -> Option<&'n Node> {
    steps.iter().try_fold(node, |node, key| match &node.value {
        Yaml::List(items) => items.get(key.parse::<usize>().ok()?),
        _ => node.get(key),
    })
}

/// Whether some map in a value has a key.
fn has_key(value: &Value, key: &str) -> bool {
    if let Some(items) = value.as_array() {
        return items.iter().any(|item| has_key(item, key));
    }
    let map = value.as_map();
    map.is_some_and(|map| map.contains_key(&Key::from(key.to_owned())) || map.values().any(|inner| has_key(inner, key)))
}

/// Returns the file and the value in it that an item comes from.
fn written<'a>(
    inputs: Inputs<'a>,
    page: &Page,
    document: &'a Document,
    root: &str,
    steps: &[Step],
) -> Option<(SourcePath, Cow<'a, Node>)> {
    let (path, node, rest): (SourcePath, Cow<'a, Node>, &[Step]) = match (root, steps) {
        ("collections", [Step::Key(name), Step::Item(number), rest @ ..]) => {
            let entry = inputs.view.collections.get(name)?.nth(*number)?;
            (entry.source.clone(), Cow::Borrowed(&entry.data), rest)
        }
        ("entries", [Step::Key(name), Step::Key(slug), rest @ ..]) => {
            let collection = inputs.view.collections.get(name)?;
            let entry = collection.nth(collection.number(slug)?)?;
            (entry.source.clone(), Cow::Borrowed(&entry.data), rest)
        }
        ("list", [Step::Key(_), Step::Item(number), rest @ ..]) => {
            let list = page.made.as_ref()?.list.as_ref()?;
            let entry = inputs.view.collection(&list.collection)?.nth(*list.entries.get(*number)?)?;
            (entry.source.clone(), Cow::Borrowed(&entry.data), rest)
        }
        ("pages", [Step::Item(number), rest @ ..]) => {
            let mut listed =
                inputs.site.pages.iter().filter(|page| page.is_listed() && page.view == inputs.view.number);
            let page = listed.nth(*number)?;
            (page.source.clone(), Cow::Owned(inputs.site.keys(page)), rest)
        }
        ("page", rest) => (document.source.clone(), Cow::Borrowed(&document.data), rest),
        ("site", rest) => (inputs.view.site_file.clone(), Cow::Borrowed(&inputs.view.data), rest),
        _ => return None,
    };
    let node = rest.iter().try_fold(&*node, |node, step| match (step, &node.value) {
        (Step::Key(key), _) => node.get(key),
        (Step::Item(number), Yaml::List(items)) => items.get(*number),
        _ => None,
    });
    let node = node?.clone();
    Some((path, Cow::Owned(node)))
}

impl Failure {
    /// Returns the key that the template reads and that an item does not have, with the keys above it in the item.
    fn key(&self, template: &str, item: &Value) -> Option<(String, Vec<String>)> {
        // `sort(attribute="date")` and similar filters name the key in the message.
        let named = self.detail.split("has no `").nth(1).and_then(|rest| rest.split('`').next());
        if let Some(path) = named {
            return missing(item, &path.split('.').map(str::to_owned).collect::<Vec<_>>());
        }
        self.paths(template).iter().find_map(|steps| missing(item, steps.get(1..)?))
    }

    /// Returns the paths in an item of which the template reads a value.
    fn values(&self, template: &str) -> impl Iterator<Item = Vec<String>> {
        let of_item = |steps: &Vec<String>| steps.len() > 1 && !ROOTS.contains(&steps[0].as_str());
        self.paths(template).into_iter().filter(of_item).map(|steps| steps[1..].to_vec())
    }

    /// Returns the paths that the template reads where it failed.
    fn paths(&self, template: &str) -> Vec<Vec<String>> {
        // The place is sometimes a part of a path, and sometimes all arguments of a function.
        let Span { start, end } = self.span;
        let Some(before) = template.get(..start) else { return Vec::new() };
        let begin = before.trim_end_matches(is_part).len();
        paths(&template[begin..], end.saturating_sub(begin))
    }
}

fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '.')
}

/// Returns the paths like `beer.traits[0].label` that begin in the first bytes of a template's text, part by part.
fn paths(text: &str, length: usize) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < length.max(1) && at < text.len() {
        let rest = &text[at..];
        let path = &rest[..path_length(rest)];
        if path.is_empty() {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let parts = path.split(['.', '[', ']']).map(|part| part.trim_matches(['"', '\'', '`']));
        paths.push(parts.filter(|part| !part.is_empty()).map(str::to_owned).collect());
        at += path.len();
    }
    paths
}

/// Returns the length of the path at the start of a text.
fn path_length(text: &str) -> usize {
    let mut length = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    while length > 0 && text[length..].starts_with('[') {
        let Some(close) = text[length..].find(']') else { break };
        length += close + 1;
        length += text[length..].find(|letter| !is_part(letter)).unwrap_or(text.len() - length);
    }
    length
}

/// Returns the first key of a path that a value does not have, with the keys and numbers above it.
fn missing(value: &Value, steps: &[String]) -> Option<(String, Vec<String>)> {
    let mut value = value;
    for (depth, key) in steps.iter().enumerate() {
        value = match value.as_array() {
            Some(items) => items.get(key.parse::<usize>().ok()?)?,
            None => match value.as_map()?.get(&Key::from(key.clone())) {
                Some(inner) => inner,
                None => return Some((key.clone(), steps[..depth].to_vec())),
            },
        };
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_part_by_part() {
        let read = |text: &str| paths(text, text.len()).into_iter().map(|path| path.join("/")).collect::<Vec<_>>();
        assert_eq!(read("beer.traits[0].label | upper"), ["beer/traits/0/label", "upper"]);
        assert_eq!(read("url(path=beer[\"link\"].to)"), ["url", "path", "beer/link/to"]);
        assert_eq!(paths("beer.traits }}", 4), [["beer", "traits"]]);
    }

    #[test]
    fn the_first_missing_key_is_returned() {
        let value = Value::from_serializable(&serde_json::json!({ "a": [{ "b": 1 }], "c": {} }));
        let named = |steps: &str| missing(&value, &steps.split('/').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(named("a/0/x/y"), Some(("x".to_owned(), vec!["a".to_owned(), "0".to_owned()])));
        assert_eq!(named("d"), Some(("d".to_owned(), vec![])));
        assert_eq!((named("a/0/b"), named("a/7/b"), named("c")), (None, None, None));
    }
}
