//! What a language has of the texts of a site: which are translated, which fell back to the original, which translate an earlier
//! version of it, and which say something else by their structure.

use super::SITE_FILE;
use super::fingerprint::Fingerprint;
use super::languages::{Language, Languages, Untranslated};
use super::plural_forms::PluralForms;
use super::schedule::Dates;
use super::schema::Schemas;
use super::site_file;
use super::structure::Structure;
use super::texts::{Content, Rules, TermKeys, Text, TextPlace, Texts};
use super::yaml::{Node, Value};
use memchr::memmem;
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::diagnostics::{Diagnostic, LanguageProblem, Place, Span};
use sitegen_core::parallel;
use sitegen_core::paths::{Format, SourcePath, composed};
use sitegen_core::sources::{Chunk, Source, SourceKind, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

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
    /// It is a draft (`draft: true`), so that the language shows what it shows without it.
    Draft,
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
    pub const ALL: [State; 7] =
        [State::Complete, State::Partial, State::Fallback, State::Hidden, State::Draft, State::Stale, State::Differs];

    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            State::Fallback => "fallback",
            State::Hidden => "hidden",
            State::Draft => "draft",
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

/// A file that may be translated, and its translations: each with the number of its language among those that are translated into.
#[derive(Hash)]
struct Group<'s> {
    path: &'s SourcePath,
    source: &'s Source,
    existing: Vec<(usize, &'s SourcePath, &'s Source)>,
}

/// Returns the texts of a site, each with its translation into each other language, in the order of files. A file without texts
/// is left out unless it has a translation. `sources` are [joined](Languages::joined).
pub fn all<'a>(sources: &Sources, languages: &'a Languages, rules: Rules) -> Vec<Translation<'a>> {
    parallel::flat_map(&groups(sources, languages, &BTreeSet::new()), |group| translations(group, languages, rules))
}

/// Returns the files that may be translated, in the order of files. `left_out` are translations that nobody sees yet.
fn groups<'s>(sources: &'s Sources, languages: &Languages, left_out: &BTreeSet<SourcePath>) -> Vec<Group<'s>> {
    let (own, others) = languages.all().split_first().map_or((None, &[][..]), |(own, others)| (Some(own), others));
    let mut all = Vec::new();
    for kind in KINDS {
        let begin = all.len();
        let mut translations: BTreeMap<SourcePath, Vec<(usize, &SourcePath, &Source)>> = BTreeMap::new();
        for (path, source) in sources.of(kind) {
            match others.iter().position(|language| path.has_language() && language.has(path)) {
                Some(_) if left_out.contains(path) => {}
                Some(number) => translations.entry(path.key()).or_default().push((number, path, source)),
                None if path.has_language() && !own.is_some_and(|own| own.has(path)) => {}
                None if kind == SourceKind::Asset && path.extension() != Some("yaml") => {}
                None => all.push(Group { path, source, existing: Vec::new() }),
            }
        }
        for group in &mut all[begin..] {
            group.existing = translations.get(&group.path.key()).cloned().unwrap_or_default();
        }
    }
    all
}

/// Returns the texts of a file with its translation into each language.
fn translations<'a>(group: &Group, languages: &'a Languages, rules: Rules) -> Vec<Translation<'a>> {
    let Group { path, source, existing } = group;
    let source = source.here();
    let text = source.text().unwrap_or_default();
    if existing.is_empty() && !is_for_languages(path) {
        return Vec::new();
    }
    let texts = rules.texts(path, text);
    let is_readable = texts.is_readable(path, text);
    // A file that cannot be read may have some.
    if existing.is_empty() && texts.all.is_empty() && is_readable {
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
        Translation { language, original, path: path_of_own, texts: texts.clone(), own, is_readable }
    };
    languages.all().iter().skip(1).enumerate().map(of).collect()
}

/// Whether a file without a translation would have one: feeds and the like are those of the whole site.
fn is_for_languages(path: &SourcePath) -> bool {
    SourceKind::of(path) != SourceKind::Page || Format::of(path.stem()).is_html()
}

impl Translation<'_> {
    /// Returns the files that cannot be read, so that nothing is known of their texts.
    pub fn unreadable(&self) -> Vec<&SourcePath> {
        let own = self.own.as_ref().filter(|own| !own.texts.is_readable(&self.path, &own.text)).map(|_| &self.path);
        (!self.is_readable).then_some(&self.original).into_iter().chain(own).collect()
    }

    /// Returns its state.
    pub fn state(&self) -> State {
        // What makes pages of entries is shown in any case.
        let is_text = matches!(SourceKind::of(&self.original), SourceKind::Page | SourceKind::Entry)
            && !self.original.as_str().contains('[');
        match &self.own {
            None if self.texts.all.is_empty() => State::Complete,
            Some(own) if own.is_draft() => State::Draft,
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
                // Until then the language shows the original.
                if entry.is_some() && Dates::of(data).draft {
                    return false;
                }
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

impl Own {
    /// Whether the file is a draft.
    fn is_draft(&self) -> bool {
        matches!(&self.texts.data[..], [(None, data)] if Dates::of(data).draft)
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
        // A table has a cell for every row.
        if written.is_empty() {
            continue;
        }
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
    terms: &'a TermKeys,
}

impl Query for StaleFiles<'_> {
    const KIND: &'static str = "stale translations";
    type Output = Vec<(SourcePath, Span, Vec<String>)>;
    type Refused = Infallible;

    fn run(&self, cache: &Cache) -> Result<Self::Output, Infallible> {
        let rules = Rules { schemas: &self.schemas, terms: self.terms, cache };
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

/// What languages lack of some texts.
#[derive(Hash)]
struct Lacks<'a> {
    groups: &'a [Group<'a>],
    languages: &'a Languages,
    schemas: Digested<&'a Schemas>,
    terms: &'a TermKeys,
}

/// What languages lack.
#[derive(Clone, Debug, Default)]
struct Lacking {
    /// For each language that is translated into, how many texts there are.
    all: Vec<usize>,
    /// The files that lack texts.
    files: Vec<LackingFile>,
}

#[derive(Clone, Debug)]
struct LackingFile {
    /// The number of the language among those that are translated into.
    language: usize,
    original: SourcePath,
    /// The file of the translation, if there is one.
    translation: Option<SourcePath>,
    missing: Vec<String>,
}

impl Query for Lacks<'_> {
    const KIND: &'static str = "texts without a translation";
    type Output = Lacking;
    type Refused = Infallible;

    fn run(&self, cache: &Cache) -> Result<Lacking, Infallible> {
        let rules = Rules { schemas: &self.schemas, terms: self.terms, cache };
        let mut lacking = Lacking { all: vec![0; self.languages.all().len()], files: Vec::new() };
        for group in self.groups {
            for (language, translation) in translations(group, self.languages, rules).into_iter().enumerate() {
                // What is wrong with a file is reported where it is read.
                if !translation.unreadable().is_empty() {
                    continue;
                }
                lacking.all[language] += translation.texts.all.len();
                let missing: Vec<String> =
                    translation.missing().into_iter().map(|text| text.place.to_string()).collect();
                if !missing.is_empty() {
                    let path = translation.own.is_some().then_some(translation.path);
                    let original = translation.original;
                    lacking.files.push(LackingFile { language, original, translation: path, missing });
                }
            }
        }
        Ok(lacking)
    }
}

/// How many files one query is about.
const FILES: usize = 64;

/// Reports texts that languages lack, file by file if a language has to have them all. `sources` are [joined](Languages::joined), and
/// `left_out` are translations that nobody sees yet.
pub(super) fn untranslated(
    sources: &Sources,
    languages: &Languages,
    left_out: &BTreeSet<SourcePath>,
    schemas: &Schemas,
    cache: &Cache,
) -> Vec<Diagnostic> {
    let others = languages.all().get(1..).unwrap_or_default();
    if others.iter().all(|language| language.untranslated == Untranslated::Hide) {
        return Vec::new();
    }
    let (schemas, terms) = (digested(schemas, sources), TermKeys::of(sources, cache));
    let groups = groups(sources, languages, left_out);
    let chunks: Vec<&[Group]> = groups.chunks(FILES).collect();
    let lacking = parallel::map(&chunks, |groups| {
        let Ok(lacking) = cache.query(&Lacks { groups, languages, schemas, terms: &terms });
        lacking
    });
    let declared = site_file::languages(sources, cache).others;
    let mut diagnostics = Vec::new();
    for (number, language) in others.iter().enumerate() {
        let tag = language.tag.clone();
        let files = lacking.iter().flat_map(|lacking| &lacking.files).filter(|file| file.language == number);
        match language.untranslated {
            Untranslated::Hide => {}
            Untranslated::Error => diagnostics.extend(files.map(|file| {
                let left_out = left_out.iter().find(|path| path.key() == file.original.key() && language.has(path));
                let (problem, place) = match (&file.translation, left_out) {
                    (Some(path), _) => {
                        (LanguageProblem::LacksTexts { language: tag.clone(), texts: file.missing.clone() }, path)
                    }
                    (None, Some(path)) => (LanguageProblem::DraftTranslation { language: tag.clone() }, path),
                    (None, None) => {
                        let translation = language.translation_of(&file.original).to_string();
                        (LanguageProblem::NoTranslation { language: tag.clone(), file: translation }, &file.original)
                    }
                };
                Diagnostic::new(problem, Place::file(place))
            })),
            Untranslated::Fallback => {
                let files: Vec<&LackingFile> = files.collect();
                if files.is_empty() {
                    continue;
                }
                let missing = files.iter().map(|file| file.missing.len()).sum();
                let all = lacking.iter().map(|lacking| lacking.all[number]).sum();
                let first = files.iter().take(3).map(|file| file.original.to_string()).collect();
                let span = declared.0.iter().find(|(other, _)| other.value == tag).map(|(other, _)| other.span);
                let problem = LanguageProblem::Untranslated { language: tag, missing, all, files: files.len(), first };
                diagnostics.push(Diagnostic::new(problem, Place { path: SourcePath::new(SITE_FILE), span }));
            }
        }
    }
    diagnostics
}

fn digested<'s>(schemas: &'s Schemas, sources: &Sources) -> Digested<&'s Schemas> {
    let of_schemas: Vec<_> = sources.of(SourceKind::Schema).map(|(path, source)| (path, source.digest)).collect();
    Digested::by(schemas, of_schemas)
}

/// Reports translations of an earlier version of their originals. `sources` are [joined](Languages::joined).
pub(super) fn stale(sources: &Sources, languages: &Languages, schemas: &Schemas, cache: &Cache) -> Vec<Diagnostic> {
    if !languages.are_several() {
        return Vec::new();
    }
    let schemas = digested(schemas, sources);
    let terms = LazyLock::new(|| TermKeys::of(sources, cache));
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
            let Ok(found) = cache.query(&StaleFiles { files, schemas, terms: &terms });
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
