//! Marks behind the values of content, for a rendering that nobody sees: they show which value came to stand where in a page.
//!
//! A mark is a few private-use characters behind a text. A page with marks is of use only if taking them out again gives the page
//! that is published: a template may compare a value or compute with it, and then comes to something else. The keys of such
//! values are left out, and the page is rendered again.

use super::collections::{Collection, Entry, EntryChunk};
use super::yaml::{Node, Value};
use parking_lot::Mutex;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The characters of the three bytes of its number begin here.
const DIGITS: u32 = 0xe100;

/// Collections of more entries than this have marks in those alone that the page is about.
pub(super) const MOST_ENTRIES: usize = 2_000;

/// Keys by which the engine decides something. They are never marked.
const OF_ENGINE: &[&str] = &[
    "aliases",
    "direction",
    "draft",
    "expires",
    "feed",
    "icon",
    "language",
    "languages",
    "noindex",
    "order",
    "path",
    "publish",
    "raw_html",
    "settings",
    "slug",
    "source",
    "template",
    "updated",
    "url",
];

/// A value that has a mark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// Its file.
    pub path: SourcePath,
    /// Where it is written. Behind the text of a translation stands that of its original.
    pub span: Span,
    /// The text as templates get it.
    pub text: String,
    /// The key that is left out if templates compute with it, such as `beers.strength`.
    pub group: String,
}

/// The numbers of values by their places. The same value has the same mark in each rendering, so that what is rendered from it, such
/// as an island, is rendered once.
pub type Numbers = Arc<Mutex<BTreeMap<(SourcePath, usize), usize>>>;

/// Sets marks, and knows what they stand for.
#[derive(Debug, Default)]
pub struct Marks {
    leaves: Mutex<BTreeMap<usize, Leaf>>,
    numbers: Numbers,
    /// The groups that get none.
    left_out: BTreeSet<String>,
    sign: Sign,
}

/// The character that begins a mark: one that the page does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sign(char);

impl Default for Sign {
    fn default() -> Self {
        Sign('\u{e005}')
    }
}

impl Marks {
    /// Creates marks for all values but those of some groups.
    pub fn without(left_out: BTreeSet<String>, numbers: Numbers, sign: Sign) -> Self {
        Marks { leaves: Mutex::default(), numbers, left_out, sign }
    }

    /// Returns the values that have marks, by the numbers of these.
    pub fn leaves(&self) -> BTreeMap<usize, Leaf> {
        self.leaves.lock().clone()
    }

    /// Marks each value of a tree that is written at a path.
    pub(super) fn add(&self, path: &SourcePath, group: &str, node: &mut Node) {
        let span = node.span;
        match &mut node.value {
            Value::List(items) => items.iter_mut().for_each(|item| self.add(path, group, item)),
            Value::Map(entries) => {
                let is_top = !group.contains('.');
                for (key, value) in entries.iter_mut().filter(|(key, _)| !is_top || !OF_ENGINE.contains(&&*key.name)) {
                    self.add(path, &format!("{group}.{}", key.name), value);
                }
            }
            Value::Text(text) if is_computed_with(text) => {}
            Value::Text(_) | Value::Integer(_) | Value::Float(_) => {
                // A value that the engine has added is written nowhere.
                if span.end == 0 || self.left_out.contains(group) {
                    return;
                }
                let text = match &node.value {
                    Value::Integer(number) => number.to_string(),
                    Value::Float(number) => number.to_string(),
                    other => Node { value: other.clone(), span }.text().unwrap_or_default().to_owned(),
                };
                let mut numbers = self.numbers.lock();
                let next = numbers.len();
                let number = *numbers.entry((path.clone(), span.start)).or_insert(next);
                node.value = Value::Text(format!("{text}{}", self.sign.written(number)));
                self.leaves.lock().insert(number, Leaf { path: path.clone(), span, text, group: group.to_owned() });
            }
            Value::Null | Value::Bool(_) => {}
        }
    }
}

/// Whether a text is hardly ever shown as it is: an address, a date, a path of a file or a color.
fn is_computed_with(text: &str) -> bool {
    let is_date = text.get(..10).is_some_and(|date| date.parse::<jiff::civil::Date>().is_ok());
    let is_address =
        text.starts_with(['/', '#']) || text.contains("://") || text.starts_with("mailto:") || text.starts_with("tel:");
    let is_path = !text.contains(char::is_whitespace)
        && text.rsplit_once('.').is_some_and(|(name, extension)| {
            !name.is_empty()
                && (2..=5).contains(&extension.len())
                && extension.bytes().all(|byte| byte.is_ascii_lowercase())
                && !name.contains('@')
        });
    text.is_empty() || is_date || is_address || is_path
}

impl Sign {
    /// Returns the first that some texts do not have. Fonts of icons have pictures in the place of such characters.
    pub fn absent_from(texts: &[&str]) -> Option<Self> {
        let mut all = [Sign::default().0].into_iter().chain('\u{e200}'..='\u{f8ff}');
        all.find(|sign| !texts.iter().any(|text| text.contains(*sign))).map(Sign)
    }

    fn written(self, number: usize) -> String {
        let digit = |shift: usize| char::from_u32(DIGITS + (number >> shift & 0xff) as u32);
        [Some(self.0), digit(16), digit(8), digit(0)].into_iter().flatten().collect()
    }

    /// Splits a text at its marks. Each part comes with the number of the mark that ends it.
    pub fn parts(self, text: &str) -> Vec<(&str, Option<usize>)> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((part, marked)) = rest.split_once(self.0) {
            let mut letters = marked.chars();
            let mut number = 0;
            for letter in letters.by_ref().take(3) {
                number = number << 8 | (letter as usize).wrapping_sub(DIGITS as usize) & 0xff;
            }
            parts.push((part, Some(number)));
            rest = letters.as_str();
        }
        parts.push((rest, None));
        parts
    }

    /// Returns a text without marks.
    pub fn stripped(self, text: &str) -> String {
        self.parts(text).into_iter().map(|(part, _)| part).collect()
    }
}

/// Returns a collection with marks in its entries, or in some of them alone.
pub(super) fn marked_collection(
    collection: &Collection,
    name: &str,
    only: Option<BTreeSet<usize>>,
    marks: &Marks,
) -> Collection {
    let numbers = only.map(|only| {
        let numbers = collection.numbers();
        let places = numbers
            .iter()
            .map(|chunk| chunk.iter().filter(|(number, _)| only.contains(number)).map(|(_, place)| *place).collect());
        places.collect::<Vec<BTreeSet<usize>>>()
    });
    let chunks = collection.chunks().iter().enumerate().map(|(at, chunk)| {
        let wanted = numbers.as_ref().map(|numbers| &numbers[at]);
        if wanted.is_some_and(BTreeSet::is_empty) {
            return chunk.clone();
        }
        let entries = chunk.entries.iter().enumerate().map(|(place, entry)| {
            let mut entry = Entry { data: entry.data.clone(), ..entry.clone() };
            if wanted.is_none_or(|wanted| wanted.contains(&place)) {
                marks.add(&entry.source.clone(), name, &mut entry.data);
            }
            entry
        });
        Arc::new(EntryChunk { entries: entries.collect(), ..(**chunk).clone() })
    });
    collection.with_chunks(chunks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_set_and_taken_out() {
        let marks = Marks::without(["x.b".to_owned()].into(), Numbers::default(), Sign::default());
        let sign = Sign::default();
        let text = |text: &str| Node { value: Value::Text(text.to_owned()), span: Span::at(3 + text.len(), 1) };
        let key = |name: &str| super::super::yaml::Key { name: name.to_owned(), span: Span::default() };
        let list = Node { value: Value::List(vec![text("one"), text("2026-01-31"), text("/a")]), span: Span::at(1, 9) };
        let number = Node { value: Value::Integer(7), span: Span::at(2, 1) };
        let entries =
            vec![(key("a"), list), (key("b"), text("left out")), (key("slug"), text("s")), (key("n"), number)];
        let mut node = Node { value: Value::Map(entries), span: Span::at(0, 9) };
        marks.add(&SourcePath::new("content/x.yaml"), "x", &mut node);
        let json = node.to_json().to_string();
        assert_eq!(sign.stripped(&json), r#"{"a":["one","2026-01-31","/a"],"b":"left out","slug":"s","n":"7"}"#);
        let leaves = marks.leaves();
        assert_eq!(
            leaves.values().map(|leaf| (&*leaf.text, &*leaf.group)).collect::<Vec<_>>(),
            [("one", "x.a"), ("7", "x.n")]
        );
        let numbers: Vec<Option<usize>> = sign.parts(&json).into_iter().map(|(_, number)| number).collect();
        assert_eq!(numbers, [Some(0), Some(1), None]);
        assert_eq!(sign.parts(&format!("a{}b", sign.written(70_000))), [("a", Some(70_000)), ("b", None)]);
    }

    #[test]
    fn the_sign_of_marks_is_one_that_the_page_does_not_have() {
        let sign = Sign::absent_from(&["\u{e000}\u{e005}", "\u{e200}"]).unwrap();
        assert_eq!(sign, Sign('\u{e201}'));
        assert_eq!(sign.stripped(&format!("\u{e005}a{}\u{e200}", sign.written(3))), "\u{e005}a\u{e200}");
        let all: String = ('\u{e000}'..='\u{f8ff}').collect();
        assert_eq!(Sign::absent_from(&[&all]), None);
    }
}
