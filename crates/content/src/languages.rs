//! The languages of a site, and which file is in which.
//!
//! A translation lies beside its original, `about.de.md` beside `about.md`, or in a folder of its language, and has only what
//! differs. [`Languages::joined`] puts the text of the original behind that of each translation, so that one file with the keys of
//! both is read; [`Languages::views`] have for each text the file that a language shows. Everything else reads content as if the
//! site had one language.

use super::SITE_FILE;
use super::collections::Entry;
pub use super::options::Untranslated;
use super::options::{LanguageKeys, LanguagePrefix, leads_to_text};
use super::read::{read_text, shown_of_original};
use super::schedule::{Dates, State};
use super::site_file::{self, DeclaredLanguages};
use super::yaml::{self, Node, Value};
use sitegen_core::cache::{Cache, Query};
use sitegen_core::diagnostics::{Diagnostic, LanguageProblem, Place, SchemaProblem, Span};
use sitegen_core::parallel;
pub use sitegen_core::paths::prefixed;
use sitegen_core::paths::{Format, SourcePath};
use sitegen_core::profile::Visibility;
use sitegen_core::sources::{Chunk, Source, SourceKind, Sources};
use sitegen_locale::direction::is_right_to_left;
use sitegen_locale::names;
use sitegen_locale::primary;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

/// The kinds of files that may be translated.
const KINDS: [SourceKind; 4] = [SourceKind::Settings, SourceKind::Page, SourceKind::Entry, SourceKind::Asset];

/// A language of the site.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Language {
    /// A BCP 47 tag, as the site writes it.
    pub tag: String,
    /// What it is called in itself, as the site says; otherwise its tag.
    pub name: String,
    /// The first part of its addresses. Empty for that of the site, unless all languages have one.
    pub prefix: String,
    /// The name of folders that have its texts.
    folder: Option<String>,
    /// What becomes of texts that it lacks.
    pub untranslated: Untranslated,
    /// Whether it is written from right to left.
    pub is_right_to_left: bool,
    /// Whether the site has others.
    pub has_others: bool,
}

impl Language {
    /// Returns a language that need not be one of the site's.
    pub fn other(tag: &str) -> Self {
        let name = names::of(&primary(tag)).unwrap_or(tag).to_owned();
        Language { tag: tag.to_owned(), name, is_right_to_left: is_right_to_left(tag), ..Language::default() }
    }

    /// Returns the value of the attribute `dir`.
    pub fn direction(&self) -> &'static str {
        if self.is_right_to_left { "rtl" } else { "ltr" }
    }

    /// Whether a file is in it.
    pub fn has(&self, path: &SourcePath) -> bool {
        let part = path.language();
        part.is_some_and(|part| part.eq_ignore_ascii_case(&self.tag) || self.folder.as_deref() == Some(part))
    }

    /// Whether an entry is in it, and not its original alone.
    pub fn has_entry(&self, entry: &Entry) -> bool {
        self.has(&entry.source) && !entry.listed.as_ref().is_some_and(|listed| listed.is_original)
    }

    /// Returns the file in which the translation of an original is expected.
    pub fn translation_of(&self, original: &SourcePath) -> SourcePath {
        let path = original.key();
        let path = path.as_str();
        match (&self.folder, path.match_indices('/').nth(1)) {
            (Some(folder), Some((end, _))) => SourcePath::new(format!("{}/{folder}{}", &path[..end], &path[end..])),
            _ => {
                let (stem, extension) = path.rsplit_once('.').unwrap_or((path, ""));
                SourcePath::new(format!("{stem}.{}.{extension}", self.tag))
            }
        }
    }

    /// Puts its prefix before a path, see [`prefixed`].
    pub fn prefixed<'p>(&self, path: &'p str) -> Cow<'p, str> {
        prefixed(&self.prefix, path)
    }
}

/// The languages of a site: its own, and then the others in the order of `site.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Languages {
    all: Vec<Language>,
}

impl Languages {
    /// Reads them from `site.yaml`, as far as it is right.
    pub fn of(sources: &Sources, cache: &Cache) -> Self {
        Languages::new(&site_file::languages(sources, cache))
    }

    /// Creates those of a site, as it declares them.
    pub(super) fn new(DeclaredLanguages { own, others, untranslated: otherwise, prefix }: &DeclaredLanguages) -> Self {
        let language = |tag: &str, keys: &LanguageKeys, is_own: bool| Language {
            tag: tag.to_owned(),
            name: keys.name.clone().filter(|name| !name.is_empty()).unwrap_or_else(|| tag.to_owned()),
            prefix: if is_own { String::new() } else { tag.to_ascii_lowercase() },
            folder: keys.folder.clone().filter(|folder| !folder.is_empty()),
            untranslated: keys.untranslated.unwrap_or(*otherwise),
            is_right_to_left: is_right_to_left(tag),
            has_others: false,
        };
        let is_own = |tag: &str| tag.eq_ignore_ascii_case(own);
        let others = others.0.iter().filter(|(tag, _)| !tag.value.is_empty());
        let keys = others.clone().find(|(tag, _)| is_own(&tag.value)).map(|(_, keys)| keys.clone());
        let mut all = vec![language(own, &keys.unwrap_or_default(), true)];
        for (tag, keys) in others {
            if !all.iter().any(|known| known.tag.eq_ignore_ascii_case(&tag.value)) {
                all.push(language(&tag.value, keys, false));
            }
        }
        let has_others = all.len() > 1;
        all.iter_mut().for_each(|language| language.has_others = has_others);
        if has_others && *prefix == LanguagePrefix::All {
            all[0].prefix = all[0].tag.to_ascii_lowercase();
        }
        Languages { all }
    }

    /// Returns all languages, that of the site first.
    pub fn all(&self) -> &[Language] {
        &self.all
    }

    /// Whether there are several.
    pub fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// Returns the number of the language that a path names, and where.
    fn named_in(&self, path: &SourcePath) -> Option<(usize, Range<usize>)> {
        let text = path.as_str();
        let name = text.len() - path.name().len();
        let stem = text[name..].rfind('.').map(|dot| name + dot);
        let of_name = stem.and_then(|stem| {
            let dot = text[name..stem].rfind('.').map(|dot| name + dot).filter(|dot| *dot > name)?;
            let number =
                self.all.iter().position(|language| language.tag.eq_ignore_ascii_case(&text[dot + 1..stem]))?;
            Some((number, dot..stem))
        });
        of_name.or_else(|| {
            // The folder below that of pages or of a collection.
            let start = text.match_indices('/').nth(1)?.0 + 1;
            let end = start + text[start..].find('/')?;
            let folder = &text[start..end];
            let number = self.all.iter().position(|language| language.folder.as_deref() == Some(folder))?;
            Some((number, start..end + 1))
        })
    }

    /// Returns a path with the part known that names its language.
    pub fn mark(&self, path: &SourcePath) -> SourcePath {
        let kind = SourceKind::of(path);
        let may_be_named = self.are_several() && KINDS.contains(&kind) && is_translatable(kind, path);
        match may_be_named.then(|| self.named_in(path)).flatten() {
            Some((_, part)) => path.in_language(part),
            None => path.clone(),
        }
    }

    /// Returns the sources with the name of its language known for each file.
    pub fn marked(&self, sources: &Sources) -> Sources {
        let mut marked = sources.clone();
        for kind in KINDS.into_iter().filter(|_| self.are_several()) {
            let files: Vec<(SourcePath, Source)> =
                sources.of(kind).map(|(path, source)| (self.mark(path), source.clone())).collect();
            if files.iter().any(|(path, _)| path.has_language()) {
                marked = marked.with_files(kind, files);
            }
        }
        marked
    }

    /// Returns the sources with the name of its language known for each file, and with the text of the original behind that of each
    /// translation.
    pub fn joined(&self, sources: &Sources) -> Sources {
        let mut joined = sources.clone();
        if !self.are_several() {
            return joined;
        }
        for kind in KINDS {
            let named: Vec<(SourcePath, Option<usize>, &Source)> = sources
                .of(kind)
                .map(|(path, source)| match self.named_in(path).filter(|_| is_translatable(kind, path)) {
                    Some((number, part)) => (path.in_language(part), Some(number), source),
                    None => (path.clone(), None, source),
                })
                .collect();
            if named.iter().all(|(_, number, _)| number.is_none()) {
                continue;
            }
            let originals: BTreeMap<SourcePath, Arc<Source>> = named
                .iter()
                .filter(|(_, number, _)| number.is_none_or(|number| number == 0))
                .map(|(path, _, source)| (path.key(), Arc::new((*source).clone())))
                .collect();
            let files = parallel::map(&named, |(path, number, source)| {
                let original = number.filter(|number| *number > 0).and_then(|_| originals.get(&path.key()));
                let both = original
                    .and_then(|original| source.translating(original, &shown_of_original(path, source, original)));
                (path.clone(), both.unwrap_or_else(|| (*source).clone()))
            });
            joined = joined.with_files(kind, files);
        }
        joined
    }

    /// Returns the translations that nobody sees yet, of [joined](Languages::joined) sources: drafts, and those whose first day is to
    /// come, by their own keys.
    pub fn left_out(&self, sources: &Sources, visibility: Visibility, cache: &Cache) -> Vec<(SourcePath, Dates)> {
        let mut all = Vec::new();
        if self.are_several() && !visibility.drafts {
            for files in [SourceKind::Page, SourceKind::Entry].iter().flat_map(|kind| sources.chunks_of(*kind)) {
                let Ok(found) = cache.query(&WithDates { files });
                let own = found.iter().map(|(place, dates)| (files.files()[*place].0.clone(), *dates));
                all.extend(
                    own.filter(|(_, dates)| matches!(dates.shown(visibility), State::Draft | State::Waiting(_))),
                );
            }
        }
        all
    }

    /// Returns what each language shows of [joined](Languages::joined) sources: for each text its translation, or else the original.
    /// `left_out` are translations that are not shown.
    pub fn views(&self, sources: &Sources, left_out: &BTreeSet<SourcePath>) -> Vec<Sources> {
        let mut views = vec![sources.clone(); self.all.len()];
        if !self.are_several() {
            return views;
        }
        for kind in KINDS {
            // The files of each text, with the numbers of their languages. Of two in one language, a later one counts.
            let mut texts: Vec<Vec<(usize, &SourcePath, &Source)>> = Vec::new();
            let mut places: HashMap<SourcePath, usize> = HashMap::new();
            for (path, source) in sources.of(kind).filter(|(path, _)| !left_out.contains(*path)) {
                let language = path.has_language().then(|| self.named_in(path)).flatten();
                let number = language.map_or(0, |(number, _)| number);
                let place = *places.entry(path.key()).or_insert(texts.len());
                if place == texts.len() {
                    texts.push(Vec::new());
                }
                texts[place].push((number, path, source));
            }
            views = parallel::map_numbers(views.len(), |number| {
                let chosen = texts.iter().filter_map(|files| {
                    let own = files.iter().rev().find(|(language, ..)| *language == number);
                    let is_shown = |(language, path, _): &&(usize, &SourcePath, &Source)| {
                        *language == 0 && self.has_original(kind, path, number)
                    };
                    let (_, path, source) = own.or_else(|| files.iter().find(is_shown))?;
                    Some(((*path).clone(), (*source).clone()))
                });
                let mut files: Vec<(SourcePath, Source)> = chosen.collect();
                files.sort_by(|(a, _), (b, _)| a.cmp(b));
                views[number].clone().with_files(kind, files)
            });
        }
        views
    }

    /// Whether a language shows an original that it has no translation of.
    fn has_original(&self, kind: SourceKind, path: &SourcePath, number: usize) -> bool {
        let is_text = matches!(kind, SourceKind::Page | SourceKind::Entry);
        let is_hidden = is_text && self.all[number].untranslated == Untranslated::Hide;
        // What makes pages of entries has nothing to translate.
        self.is_shown(kind, path) && (!is_hidden || path.as_str().contains('['))
    }

    /// Whether a file is for all languages: feeds, lists of addresses and the like are those of the whole site, unless a language has
    /// its own.
    fn is_shown(&self, kind: SourceKind, path: &SourcePath) -> bool {
        kind != SourceKind::Page || Format::of(path.stem()).is_html()
    }

    /// Moves each place in the original behind a translation to the file of the original.
    pub fn locate(&self, joined: &Sources, diagnostics: &mut [Diagnostic]) {
        if self.are_several() {
            diagnostics
                .iter_mut()
                .filter_map(|each| each.place.as_mut())
                .for_each(|place| self.move_place(joined, place));
        }
    }

    /// Moves a place behind the text of a translation to the file that this translates.
    pub fn move_place(&self, joined: &Sources, place: &mut Place) {
        let Some((path, source)) = joined.get_key_value(&place.path) else { return };
        let at = source.joined().and_then(|text| text.original_at());
        let (Some(at), Some(span)) = (at, place.span) else { return };
        if span.start >= at {
            place.path = self.original(joined, path);
            place.span = Some(Span { start: span.start - at, end: span.end.max(at) - at });
        }
    }

    /// Returns the file that a translation translates.
    pub fn original(&self, sources: &Sources, path: &SourcePath) -> SourcePath {
        let key = path.key();
        if sources.get(&key).is_some() {
            return key;
        }
        let is_original = |(other, _): &(&SourcePath, &Source)| {
            self.named_in(other).is_some_and(|(number, part)| number == 0 && other.in_language(part).key() == key)
        };
        sources.of(SourceKind::of(path)).find(is_original).map_or(key, |(other, _)| other.clone())
    }

    /// Reports texts that have two translations into a language, and folders that two languages have.
    fn twice(&self, sources: &Sources, cache: &Cache) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        if !self.are_several() {
            return diagnostics;
        }
        let declared = site_file::languages(sources, cache).others;
        let mut folders: BTreeMap<&str, &str> = BTreeMap::new();
        for (tag, keys) in &declared.0 {
            let Some(folder) = keys.folder.as_deref().filter(|folder| !folder.is_empty()) else { continue };
            if let Some(other) = folders.insert(folder, &tag.value) {
                let problem = LanguageProblem::SharedFolder { folder: folder.to_owned(), other: other.to_owned() };
                diagnostics.push(Diagnostic::new(problem, Place::new(&SourcePath::new(SITE_FILE), tag.span)));
            }
        }
        for kind in KINDS {
            let mut known: HashMap<(SourcePath, usize), &SourcePath> = HashMap::new();
            for (path, _) in sources.of(kind).filter(|(path, _)| is_translatable(kind, path)) {
                let number = path.has_language().then(|| self.named_in(path)).flatten().map_or(0, |(number, _)| number);
                if let Some(other) = known.insert((path.key(), number), path) {
                    let (language, other) = (self.all[number].tag.clone(), other.to_string());
                    diagnostics.push(Diagnostic::new(
                        LanguageProblem::SecondTranslation { language, other },
                        Place::file(path),
                    ));
                }
            }
        }
        diagnostics
    }

    /// Warns of files that are named as translations are, into a language that the site does not have, and lie beside an original.
    fn undeclared<'s>(&'s self, sources: &'s Sources) -> impl Iterator<Item = Diagnostic> + 's {
        let kinds = KINDS.into_iter().filter(|kind| self.are_several() && *kind != SourceKind::Settings);
        let files = kinds.flat_map(|kind| sources.of(kind).filter(move |(path, _)| is_translatable(kind, path)));
        files.filter(|(path, _)| self.named_in(path).is_none()).filter_map(|(path, _)| {
            let (stem, extension) = path.as_str().rsplit_once('.')?;
            let (original, tag) = stem.rsplit_once('.').filter(|(_, tag)| primary(tag).len() == 2)?;
            let original = SourcePath::new(format!("{original}.{extension}"));
            let is_meant = names::begins_with_code(tag) && sources.get(&original).is_some();
            let problem =
                || LanguageProblem::UndeclaredTranslation { tag: tag.to_owned(), original: original.to_string() };
            is_meant.then(|| Diagnostic::new(problem(), Place::file(path)))
        })
    }

    /// Reports texts of `site.yaml` in languages that the site does not have, keys in them that are the site's, and texts that have two
    /// translations.
    pub fn check(&self, sources: &Sources, cache: &Cache) -> Vec<Diagnostic> {
        let unknown = sources.of(SourceKind::Settings).filter(|(path, _)| path.as_str() != SITE_FILE);
        let unknown = unknown.filter(|(path, _)| self.named_in(path).is_none());
        let problem = |path: &SourcePath| {
            let tag = path.as_str().trim_start_matches("content/site.").trim_end_matches(".yaml").to_owned();
            LanguageProblem::UndeclaredLanguage { tag }
        };
        let unknown = unknown.map(|(path, _)| Diagnostic::new(problem(path), Place::file(path)));
        let translations = sources.of(SourceKind::Settings).filter(|(path, _)| path.has_language());
        let of_site = translations.flat_map(|(path, source)| keys_of_site(path, source));
        unknown.chain(of_site).chain(self.twice(sources, cache)).chain(self.undeclared(sources)).collect()
    }
}

/// The translations among some files that say when they are shown, by their places there.
#[derive(Hash)]
struct WithDates<'a> {
    files: &'a Chunk,
}

impl Query for WithDates<'_> {
    const KIND: &'static str = "translations with dates";
    type Output = Vec<(usize, Dates)>;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Self::Output, Infallible> {
        let dates = |(path, source): &(SourcePath, Source)| {
            source.original.as_ref().filter(|_| !SourceKind::is_list(&path.key()))?;
            let source = source.here();
            let text = source.text()?;
            ["draft", "publish"].iter().find(|key| text.contains(**key))?;
            Some(Dates::of(&read_text(&path.key(), text, &mut Vec::new())?.data))
        };
        let files = self.files.files().iter().enumerate();
        Ok(files.filter_map(|(place, file)| Some((place, dates(file)?))).collect())
    }
}

/// Keys of `site.yaml` that are the same in all languages.
const OF_SITE: [&str; 6] = ["url", "language", "languages", "settings", "redirects", "gone"];

/// Reports keys in a translation of `site.yaml` that a language cannot have.
fn keys_of_site(path: &SourcePath, source: &Source) -> Vec<Diagnostic> {
    let Some(own) = source.text() else { return Vec::new() };
    let Ok(data) = yaml::parse(path, own, 0) else { return Vec::new() };
    let mut keys = Vec::new();
    for (key, value) in data.entries().iter().filter(|(key, _)| OF_SITE.contains(&key.name.as_str())) {
        not_for_visitors(key, value, &mut Vec::new(), &mut keys);
    }
    let forbidden = keys.into_iter().map(|key| {
        let reason = Some(format!("it is the same in all languages; write it into `{SITE_FILE}`"));
        Diagnostic::new(SchemaProblem::ForbiddenKey { key: key.name.clone(), reason }, Place::new(path, key.span))
    });
    forbidden.collect()
}

/// Collects the outermost keys that neither are a text for visitors nor lead to one.
fn not_for_visitors<'n>(key: &'n yaml::Key, value: &'n Node, above: &mut Vec<&'n str>, found: &mut Vec<&'n yaml::Key>) {
    above.push(&key.name);
    match (leads_to_text(above), &value.value) {
        (false, _) => found.push(key),
        (true, Value::Map(entries)) => {
            entries.iter().for_each(|(key, value)| not_for_visitors(key, value, above, found));
        }
        _ => {}
    }
    above.pop();
}

/// Whether a file may be a translation. Of files that are published as they are, only what describes a picture has texts.
fn is_translatable(kind: SourceKind, path: &SourcePath) -> bool {
    kind != SourceKind::Asset || path.extension() == Some("yaml")
}

#[cfg(test)]
mod tests {
    use super::super::typed::{Entries, Spanned};
    use super::*;
    use sitegen_core::diagnostics::Span;

    fn languages() -> Languages {
        let keys = |folder: Option<&str>| LanguageKeys { folder: folder.map(str::to_owned), ..LanguageKeys::default() };
        let entry = |tag: &str, folder| (Spanned { value: tag.to_owned(), span: Span::default() }, keys(folder));
        let others = Entries(vec![entry("de", Some("deutsch")), entry("pt-BR", None), entry("ar", None)]);
        let prefix = LanguagePrefix::Others;
        Languages::new(&DeclaredLanguages {
            own: "en".to_owned(),
            others,
            untranslated: Untranslated::Fallback,
            prefix,
        })
    }

    #[test]
    fn a_name_says_which_language_a_file_has() {
        for (path, key) in [
            ("content/pages/about.de.md", "content/pages/about.md"),
            ("content/pages/about.DE.md", "content/pages/about.md"),
            ("content/pages/about.pt-br.md", "content/pages/about.md"),
            ("content/pages/feed.xml.de.yaml", "content/pages/feed.xml.yaml"),
            ("content/pages/deutsch/a/b.md", "content/pages/a/b.md"),
            ("content/news/deutsch/b/index.md", "content/news/b/index.md"),
            ("content/site.de.yaml", "content/site.yaml"),
            ("content/assets/a.jpg.de.yaml", "content/assets/a.jpg.yaml"),
            ("content/pages/about.fr.md", ""),
            ("content/pages/.de.md", ""),
            ("content/pages/de.md", ""),
            ("content/pages/deutsch.md", ""),
            ("content/deutsch/about.md", ""),
        ] {
            let path = SourcePath::new(path);
            let named = languages().named_in(&path).map(|(_, part)| path.in_language(part).key().to_string());
            assert_eq!(named.unwrap_or_default(), key, "{path}");
        }
    }

    #[test]
    fn stems_leave_the_language_out() {
        for (path, stem) in [
            ("content/news/first.de.md", "first"),
            ("content/news/deutsch/first.md", "first"),
            ("content/news/first/index.ar.md", "index"),
            ("content/news/first.md", "first"),
        ] {
            let path = SourcePath::new(path);
            let part = languages().named_in(&path).map(|(_, part)| part);
            assert_eq!(part.map_or_else(|| path.clone(), |part| path.in_language(part)).stem(), stem);
        }
    }
}
