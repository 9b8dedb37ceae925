//! `sitegen translations export`: the texts that a language lacks, as a PO file.

use super::super::{BUILT, project};
use super::po::{Entry, PoFile};
use super::{Of, Site, print_bytes};
use crate::content::languages::Language;
use crate::content::plural_forms::PluralForms;
use crate::content::texts::{Content, MarkdownBlock, Text, TextPlace, blocks};
use crate::content::translated::Translation;
use crate::content::yaml::Value;
use clap::Args;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// The language to translate into, like `de`
    #[arg(long, value_name = "TAG")]
    language: String,
    /// Print all texts, also those that are translated
    #[arg(long)]
    all: bool,
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let of = Of { root: arguments.root.clone(), language: Some(arguments.language.clone()) };
    let site = match Site::open(&of) {
        Ok(site) => site,
        Err(code) => return code,
    };
    site.with_translations(|translations| {
        let Some(language) = site.chosen().first().copied() else { return BUILT };
        let mut file = PoFile { header: header(language), entries: Vec::new() };
        let mut known: BTreeSet<(Option<String>, String)> = BTreeSet::new();
        let entries =
            translations.iter().flat_map(|translation| entries(translation, site.text(translation), arguments.all));
        // The same text in the same place is translated once.
        file.entries = entries.filter(|entry| known.insert((entry.context.clone(), entry.id.clone()))).collect();
        print_bytes(&file.write());
        BUILT
    })
}

impl Site {
    /// Returns the text of an original.
    pub(super) fn text(&self, translation: &Translation) -> &str {
        self.joined.get(&translation.original).and_then(|source| source.text()).unwrap_or_default()
    }
}

/// Returns the header that gettext's programs expect.
fn header(language: &Language) -> Vec<(String, String)> {
    let day = project::today();
    let keys = [
        ("Project-Id-Version", "sitegen".to_owned()),
        ("PO-Revision-Date", format!("{day} 00:00+0000")),
        ("Last-Translator", String::new()),
        ("Language-Team", language.name.clone()),
        // gettext separates the parts of a tag by `_`.
        ("Language", language.tag.replace('-', "_")),
        ("MIME-Version", "1.0".to_owned()),
        ("Content-Type", "text/plain; charset=UTF-8".to_owned()),
        ("Content-Transfer-Encoding", "8bit".to_owned()),
        ("Plural-Forms", PluralForms::of(&language.tag).header()),
        ("X-Generator", format!("sitegen {}", env!("CARGO_PKG_VERSION"))),
    ];
    keys.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns the context of a text: its file, and which text of it. Blocks have no number, since another block would change it.
pub fn context_of(translation: &Translation, text: &Text) -> String {
    match &text.place {
        TextPlace::Key { .. } => format!("{}: {}", translation.original, text.place),
        TextPlace::Block { .. } => format!("{}: text", translation.original),
    }
}

/// Returns a text as it is translated: gettext wants line ends around a text and its translation to be the same, so both have
/// none.
pub fn stripped(text: &str) -> String {
    text.replace("\r\n", "\n").trim_matches('\n').to_owned()
}

/// Returns the text and its plural, as an entry has them.
pub fn ids_of(text: &Text) -> (String, Option<String>) {
    match &text.content {
        Content::Plain(text) | Content::Block(text) => (stripped(text), None),
        Content::Plural(forms) => {
            let form = |name: &str| forms.iter().find(|(category, _)| category == name).map(|(_, form)| stripped(form));
            let last = forms.last().map_or(String::new(), |(_, form)| stripped(form));
            (form("one").unwrap_or_else(|| last.clone()), Some(form("other").unwrap_or(last)))
        }
    }
}

fn entries(translation: &Translation, original: &str, with_all: bool) -> Vec<Entry> {
    let versions = translation.versions();
    let stale = |entry: Option<&str>| {
        versions.iter().find(|version| version.entry.as_deref() == entry).and_then(|version| version.changed.as_ref())
    };
    let blocks = BlockPairs::of(translation);
    let forms = PluralForms::of(&translation.language.tag);
    let mut line_ends: Vec<usize> = memchr_lines(original);
    line_ends.push(original.len());
    let mut all = Vec::new();
    for text in &translation.texts.all {
        let entry = match &text.place {
            TextPlace::Key { entry, .. } => entry.as_deref(),
            TextPlace::Block { .. } => None,
        };
        let changed = stale(entry);
        let is_missing = !translation.has(text);
        if !with_all && !is_missing && changed.is_none() {
            continue;
        }
        let (strings, is_guess) = match &text.content {
            Content::Block(_) => {
                let (text, is_guess) = blocks.translation_of(text);
                (vec![text], is_guess)
            }
            _ => (strings_of(translation, text, &forms), false),
        };
        // Without the names of what has changed, all of it may have.
        let is_changed = changed.is_some_and(|changed| changed.is_empty() || changed.contains(&text.place));
        let is_translated = strings.iter().any(|text| !text.is_empty());
        let (id, plural) = ids_of(text);
        let line = line_ends.partition_point(|end| *end < text.span.start) + 1;
        let mut comments: Vec<String> = text.purpose.iter().cloned().collect();
        if let Content::Plural(_) = &text.content {
            comments.push(format!("Plural forms: {}", forms.categories().join(", ")));
        }
        if is_changed {
            comments.push("The original has changed since this was translated.".to_owned());
        }
        all.push(Entry {
            comments,
            reference: Some(format!("{}:{line}", translation.original)),
            is_fuzzy: is_translated && (is_changed || is_guess),
            context: Some(context_of(translation, text)),
            id,
            plural,
            strings,
            span: Default::default(),
        });
    }
    all
}

fn memchr_lines(text: &str) -> Vec<usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at).collect()
}

/// Returns what a translation says for a value.
fn strings_of(translation: &Translation, text: &Text, forms: &PluralForms) -> Vec<String> {
    let value = translation.value_of(text);
    match &text.content {
        Content::Plural(_) => {
            let form = |category: &&str| value.and_then(|node| node.get(category)?.text()).map(stripped);
            forms.categories().iter().map(|category| form(category).unwrap_or_default()).collect()
        }
        _ => match value.map(|node| &node.value) {
            Some(Value::Text(text)) => vec![stripped(text)],
            _ => vec![String::new()],
        },
    }
}

/// The blocks of a text with those of its translation.
pub struct BlockPairs {
    /// By where a block begins in the file of the original: its translation, and whether that is a guess.
    pairs: BTreeMap<usize, (String, bool)>,
    /// Whether both have blocks of the same kinds, so that no pair is a guess.
    pub is_exact: bool,
}

impl BlockPairs {
    /// Pairs blocks by their order. Where a translation has other kinds of blocks, those before and after them are paired as a guess.
    pub fn of(translation: &Translation) -> Self {
        let mut found = BlockPairs { pairs: BTreeMap::new(), is_exact: false };
        let own = translation.own.as_ref().filter(|own| own.texts.has_body()).and_then(|own| own.texts.body.as_ref());
        let (Some((original, start)), Some((body, _))) = (&translation.texts.body, own) else { return found };
        let (old, new) = (blocks(original), blocks(body));
        let same = |one: &MarkdownBlock, two: &MarkdownBlock| one.kind == two.kind;
        let front = old.iter().zip(&new).take_while(|(one, two)| same(one, two)).count();
        found.is_exact = front == old.len() && front == new.len();
        let back = match found.is_exact {
            true => 0,
            false => {
                let most = old.len().min(new.len()) - front;
                old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(one, two)| same(one, two)).count()
            }
        };
        let pairs = old[..front].iter().zip(&new[..front]);
        let pairs = pairs.chain(old[old.len() - back..].iter().zip(&new[new.len() - back..]));
        found.pairs = pairs
            .map(|(one, two)| {
                (start + one.span.start, (stripped(&body[two.span.start..two.span.end]), !found.is_exact))
            })
            .collect();
        found
    }

    /// Returns the translation of a block, and whether it is a guess.
    pub fn translation_of(&self, text: &Text) -> (String, bool) {
        self.pairs.get(&text.span.start).cloned().unwrap_or_default()
    }
}
