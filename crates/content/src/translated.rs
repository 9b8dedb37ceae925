//! What a language has of the texts of a site: which are translated, which fell back to the original, which translate an earlier
//! version of it, and which say something else by their structure.

use super::fingerprint::Fingerprint;
use super::languages::{Language, Languages, Untranslated};
use super::plural_forms::PluralForms;
use super::schema::Schemas;
use super::structure::Structure;
use super::texts::{Content, Rules, Text, TextPlace, Texts};
use super::yaml::{Node, Value};
use memchr::memmem;
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::diagnostics::{Diagnostic, LanguageProblem, Place, Span};
use sitegen_core::parallel;
use sitegen_core::paths::{Format, SourcePath, composed};
use sitegen_core::sources::{Chunk, Source, SourceKind, Sources};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

/// The kinds of files that have texts.
pub const KINDS: [SourceKind; 4] = [SourceKind::Settings, SourceKind::Page, SourceKind::Entry, SourceKind::Asset];

/// The key with the version of the original.
pub const TRANSLATES: &str = "translates";

/// A file and its translation into a language.
#[derive(Clone, Debug)]
pub struct Translation<'a> {
    /// The language.
    pub language: &'a Language,
    /// The file that is translated.
    pub original: SourcePath,
    /// The file with the translation, also if it does not exist.
    pub path: SourcePath,
    /// The texts of the original.
    pub texts: Texts,
    /// What the translation has, if it exists.
    pub own: Option<Own>,
    is_readable: bool,
}

/// What a file in another language than that of the site has.
#[derive(Clone, Debug)]
pub struct Own {
    /// Its text.
    pub text: String,
    /// Its texts, keys and Markdown.
    pub texts: Texts,
}

/// What is said of a translation in one word. The first that is true counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// There is none, and the language shows the original.
    Fallback,
    /// There is none, and the language has no such page or entry.
    Hidden,
    /// It translates an earlier version.
    Stale,
    /// It lacks texts.
    Partial,
    /// It has all texts, and one of them has another structure than its original.
    Differs,
    /// It has all texts.
    Complete,
}

impl State {
    /// All of them.
    pub const ALL: [State; 6] =
        [State::Complete, State::Partial, State::Fallback, State::Hidden, State::Stale, State::Differs];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            State::Fallback => "fallback",
            State::Hidden => "hidden",
            State::Stale => "stale",
            State::Partial => "partial",
            State::Differs => "differs",
            State::Complete => "complete",
        }
    }
}

/// A version that a translation says it translates.
#[derive(Clone, Debug, PartialEq)]
pub struct Version {
    /// The entry, if the file has all of a collection.
    pub entry: Option<String>,
    /// Where it is written.
    pub span: Span,
    /// What has changed since, if the original has another version: the places of texts, as far as they are known.
    pub changed: Option<Vec<TextPlace>>,
}

/// Returns the texts of a site, each with its translation into each other language, in the order of files. A file without texts
/// is left out unless it has a translation. `sources` are [joined](Languages::joined).
pub fn all<'a>(sources: &Sources, languages: &'a Languages, rules: Rules) -> Vec<Translation<'a>> {
    let (own, others) = languages.all().split_first().map_or((None, &[][..]), |(own, others)| (Some(own), others));
    let mut all = Vec::new();
    for kind in KINDS {
        let mut originals: Vec<(&SourcePath, &Source)> = Vec::new();
        let mut translations: BTreeMap<SourcePath, Vec<(usize, &SourcePath, &Source)>> = BTreeMap::new();
        for (path, source) in sources.of(kind) {
            match others.iter().position(|language| path.has_language() && language.has(path)) {
                Some(number) => translations.entry(path.key()).or_default().push((number, path, source)),
                None if path.has_language() && !own.is_some_and(|own| own.has(path)) => {}
                None if kind == SourceKind::Asset && path.extension() != Some("yaml") => {}
                None => originals.push((path, source)),
            }
        }
        let none = Vec::new();
        all.extend(parallel::flat_map(&originals, |(path, source)| -> Vec<Translation<'a>> {
            let existing = translations.get(&path.key()).unwrap_or(&none);
            let source = source.here();
            let text = source.text().unwrap_or_default();
            if existing.is_empty() && !is_for_languages(kind, path) {
                return Vec::new();
            }
            let texts = rules.texts(path, text);
            // A file that cannot be read may have some.
            if existing.is_empty() && texts.all.is_empty() && texts.is_readable(path, text) {
                return Vec::new();
            }
            let of = |(number, language): (usize, &'a Language)| {
                let own = existing.iter().find(|(other, ..)| *other == number);
                let path_of_own = own.map_or_else(|| language.translation_of(path), |(_, own, _)| (*own).clone());
                let own = own.and_then(|(_, path, source)| {
                    let text = source.here().text()?.to_owned();
                    Some(Own { texts: rules.texts(path, &text), text })
                });
                let original = (*path).clone();
                let is_readable = texts.is_readable(path, text);
                Translation { language, original, path: path_of_own, texts: texts.clone(), own, is_readable }
            };
            others.iter().enumerate().map(of).collect()
        }));
    }
    all
}

/// Whether a file without a translation would have one: what makes pages of entries, feeds and the like have nothing to translate.
fn is_for_languages(kind: SourceKind, path: &SourcePath) -> bool {
    kind != SourceKind::Page || !path.as_str().contains('[') && Format::of(path.stem()).is_html()
}

impl Translation<'_> {
    /// Returns the files that cannot be read, so that nothing is known of their texts.
    pub fn unreadable(&self) -> Vec<&SourcePath> {
        let own = self.own.as_ref().filter(|own| !own.texts.is_readable(&self.path, &own.text)).map(|_| &self.path);
        (!self.is_readable).then_some(&self.original).into_iter().chain(own).collect()
    }

    /// Returns its state.
    pub fn state(&self) -> State {
        let is_text = matches!(SourceKind::of(&self.original), SourceKind::Page | SourceKind::Entry);
        match &self.own {
            None if self.texts.all.is_empty() => State::Complete,
            None if is_text && self.language.untranslated == Untranslated::Hide => State::Hidden,
            None => State::Fallback,
            Some(_) if self.versions().iter().any(|version| version.changed.is_some()) => State::Stale,
            Some(_) if !self.missing().is_empty() => State::Partial,
            Some(_) if !self.differences().is_empty() => State::Differs,
            Some(_) => State::Complete,
        }
    }

    /// Returns the texts that it lacks, which fall back to the original.
    pub fn missing(&self) -> Vec<&Text> {
        self.texts.all.iter().filter(|text| !self.has(text)).collect()
    }

    /// Whether it has a text, or takes it away.
    pub fn has(&self, text: &Text) -> bool {
        let Some(own) = &self.own else { return false };
        match (&text.place, &text.content) {
            (TextPlace::Block { .. }, _) => own.texts.has_body(),
            (TextPlace::Key { entry, keys }, content) => {
                let Some(data) = own.texts.entry(entry.as_deref()) else { return false };
                // A table has a cell for every column of every row.
                let is_empty = || self.value_of(text).and_then(Node::text).is_some_and(|text| text.trim().is_empty());
                if self.path.extension() == Some("csv") && is_empty() {
                    return false;
                }
                match (at(data, keys), content) {
                    (Found::Nothing, _) => false,
                    (Found::Value(node), Content::Plural(_)) => match &node.value {
                        Value::Map(_) => {
                            let forms = PluralForms::of(&self.language.tag);
                            forms.categories().iter().all(|category| node.get(category).is_some())
                        }
                        _ => true,
                    },
                    (Found::Value(_) | Found::Replaced, _) => true,
                }
            }
        }
    }

    /// Returns what it says for a text: a value, forms or nothing. Blocks have no place there.
    pub fn value_of(&self, text: &Text) -> Option<&Node> {
        let TextPlace::Key { entry, keys } = &text.place else { return None };
        match at(self.own.as_ref()?.texts.entry(entry.as_deref())?, keys) {
            Found::Value(node) => Some(node),
            _ => None,
        }
    }

    /// Returns the versions that it says it translates, of the file or of each entry.
    pub fn versions(&self) -> Vec<Version> {
        let Some(own) = &self.own else { return Vec::new() };
        versions(&own.text, &own.texts, &self.texts)
    }

    /// Returns how its structure differs from that of the original, each with its place.
    pub fn differences(&self) -> Vec<(String, String)> {
        let Some(own) = &self.own else { return Vec::new() };
        let mut all = Vec::new();
        for text in &self.texts.all {
            let (original, translated) = match (&text.content, self.value_of(text).map(|node| &node.value)) {
                (Content::Plain(original), Some(Value::Text(translated))) if !translated.trim().is_empty() => {
                    (original.as_str(), translated.as_str())
                }
                (Content::Plural(forms), Some(Value::Map(_))) => {
                    let other = self.value_of(text).and_then(|node| node.get("other")?.text());
                    let original = forms.last().map(|(_, form)| form.as_str());
                    match original.zip(other) {
                        Some(both) => both,
                        None => continue,
                    }
                }
                _ => continue,
            };
            let found = Structure::of_value(original).differences(&Structure::of_value(translated));
            all.extend(found.into_iter().map(|difference| (text.place.to_string(), difference)));
        }
        if let (Some((original, _)), Some((translated, _))) = (&self.texts.body, &own.texts.body)
            && own.texts.has_body()
        {
            // That of the site: an original may name the file or the address of its own language too.
            let (original, translated) = (
                Structure::of_markdown(original, &self.language.tag),
                Structure::of_markdown(translated, &self.language.tag),
            );
            let found = original.differences(&translated);
            all.extend(found.into_iter().map(|difference| ("text".to_owned(), difference)));
        }
        all
    }
}

impl Texts {
    /// Whether a file could be read. One with all entries of a collection may have none.
    fn is_readable(&self, path: &SourcePath, text: &str) -> bool {
        !self.data.is_empty() || SourceKind::is_list(&path.key()) && text.trim().is_empty()
    }

    /// Whether there is Markdown.
    pub fn has_body(&self) -> bool {
        self.body.as_ref().is_some_and(|(body, _)| !body.trim().is_empty())
    }

    /// Returns the keys of an entry, or of the file.
    pub fn entry(&self, name: Option<&str>) -> Option<&Node> {
        let is_entry = |other: &Option<String>| match (other, name) {
            (Some(other), Some(name)) => composed(other) == composed(name),
            (other, name) => other.is_none() && name.is_none(),
        };
        self.data.iter().find(|(other, _)| is_entry(other)).map(|(_, data)| data)
    }

    /// Returns the texts of an entry, or of the file.
    pub fn of<'t>(&'t self, name: Option<&'t str>) -> impl Iterator<Item = &'t Text> {
        self.all.iter().filter(move |text| match &text.place {
            TextPlace::Key { entry, .. } => match (entry.as_deref(), name) {
                (Some(entry), Some(name)) => composed(entry) == composed(name),
                (entry, name) => entry.is_none() && name.is_none(),
            },
            TextPlace::Block { .. } => name.is_none(),
        })
    }
}

/// What is at a place of a translation.
enum Found<'n> {
    Value(&'n Node),
    /// A list, which replaces the whole one of the original, or an empty text, which takes the value away.
    Replaced,
    Nothing,
}

fn at<'n>(data: &'n Node, keys: &[String]) -> Found<'n> {
    let mut node = data;
    for key in keys {
        node = match &node.value {
            Value::Map(_) => match node.get(key) {
                Some(node) => node,
                None => return Found::Nothing,
            },
            Value::List(items) => match key.parse().ok().and_then(|number: usize| items.get(number)) {
                Some(node) => node,
                None => return Found::Replaced,
            },
            Value::Null => return Found::Nothing,
            _ => return Found::Replaced,
        };
    }
    match node.value {
        Value::Null => Found::Nothing,
        _ => Found::Value(node),
    }
}

/// Returns the versions in the keys of a translation, compared with the texts of its original.
fn versions(text: &str, own: &Texts, original: &Texts) -> Vec<Version> {
    let mut all = Vec::new();
    for (entry, data) in &own.data {
        let Some(node) = data.get(TRANSLATES) else { continue };
        // Eight digits without a letter are a number.
        let written = text.get(node.span.start..node.span.end).unwrap_or_default();
        let written = node.text().unwrap_or(written).trim();
        let texts = || original.of(entry.as_deref());
        let changed = match Fingerprint::read(written) {
            Some(version) => version.changes(texts()).map(|places| places.into_iter().cloned().collect()),
            None => Some(Vec::new()),
        };
        all.push(Version { entry: entry.clone(), span: node.span, changed });
    }
    all
}

/// The translations among some files that say of which version they are, by their places there.
#[derive(Hash)]
struct WithVersions<'a> {
    files: &'a Chunk,
}

impl Query for WithVersions<'_> {
    const KIND: &'static str = "translations with versions";
    type Output = Vec<usize>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Self::Output, Infallible> {
        let has_version = |(_, source): &(SourcePath, Source)| {
            source.original.is_some()
                && source.here().text().is_some_and(|own| memmem::find(own.as_bytes(), TRANSLATES.as_bytes()).is_some())
        };
        let files = self.files.files().iter().enumerate();
        Ok(files.filter(|(_, file)| has_version(file)).map(|(place, _)| place).collect())
    }
}

/// The translations of an earlier version among some translations.
#[derive(Hash)]
struct StaleFiles<'a> {
    /// Each with its original, of which a page may show the keys alone.
    files: Vec<(&'a SourcePath, &'a Source, &'a Source)>,
    schemas: Digested<&'a Schemas>,
}

impl Query for StaleFiles<'_> {
    const KIND: &'static str = "stale translations";
    type Output = Vec<(SourcePath, Span, Vec<String>)>;
    type Refused = Infallible;

    fn run(&self, cache: &Cache) -> Result<Self::Output, Infallible> {
        let rules = Rules { schemas: &self.schemas, cache };
        let mut found = Vec::new();
        for (path, source, original) in &self.files {
            let (source, original) = (source.here(), original.here());
            let (Some(own), Some(original)) = (source.text(), original.text()) else { continue };
            let versions = versions(own, &rules.texts(path, own), &rules.texts(path, original));
            found.extend(versions.into_iter().filter_map(|version| {
                let changed = version.changed?.iter().map(ToString::to_string).collect();
                Some(((*path).clone(), version.span, changed))
            }));
        }
        Ok(found)
    }
}

/// Reports translations of an earlier version of their originals. `sources` are [joined](Languages::joined).
pub(super) fn stale(sources: &Sources, languages: &Languages, schemas: &Schemas, cache: &Cache) -> Vec<Diagnostic> {
    if !languages.are_several() {
        return Vec::new();
    }
    let of_schemas: Vec<_> = sources.of(SourceKind::Schema).map(|(path, source)| (path, source.digest)).collect();
    let schemas = Digested::by(schemas, of_schemas);
    let mut diagnostics = Vec::new();
    for kind in KINDS {
        let found = parallel::map(sources.chunks_of(kind), |files| {
            let Ok(places) = cache.query(&WithVersions { files });
            let file = |place: &usize| {
                let (path, source) = &files.files()[*place];
                Some((path, source, &**source.original.as_ref()?))
            };
            let files: Vec<_> = places.iter().filter_map(file).collect();
            if files.is_empty() {
                return Arc::default();
            }
            let Ok(found) = cache.query(&StaleFiles { files, schemas });
            found
        });
        for (path, span, changed) in found.iter().flat_map(|found| found.iter()) {
            let original = languages.original(sources, path).to_string();
            let problem = LanguageProblem::StaleTranslation { original, changed: changed.clone() };
            diagnostics.push(Diagnostic::new(problem, Place::new(path, *span)));
        }
    }
    diagnostics
}
