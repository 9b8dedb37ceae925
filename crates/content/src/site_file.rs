//! Reads `site.yaml`.

use super::SITE_FILE;
use super::address_keys::OF_TRANSLATIONS;
use super::check::{ambiguous, check, drop_repeated, misspelt};
use super::checks::Checks;
use super::options::{LanguageKeys, LanguagePrefix, SiteKeys, Untranslated};
use super::parsed::ParsedDocument;
use super::plurals;
use super::read::read_file;
use super::schema::{self, Schema, Schemas};
use super::scope::Scope;
use super::settings::Settings;
use super::typed::{self, Entries};
use super::yaml::{self, Node};
use sitegen_core::cache::{Cache, Digested, Query};
use sitegen_core::diagnostics::{Diagnostic, LanguageProblem, Meant, Place, Span, ToolProblem};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Destination;
use sitegen_core::sources::{Source, SourceKind, Sources};
use sitegen_locale::names;

/// Reads `site.yaml`, fills its references and takes the engine's settings from it.
///
/// If it has mistakes, the rest of the content is still read with what could be understood, so that other mistakes are
/// reported in the same run. Diagnostics that only follow from the mistake are dropped later.
pub fn read(
    sources: &Sources,
    schemas: &Schemas,
    destination: Destination,
    cache: &Cache,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Node, Settings) {
    let path = path_in(sources);
    let file = sources.get(&path);
    if file.is_none() {
        let problem = ToolProblem::NoProject { folder: "this folder".to_owned() };
        diagnostics.push(Diagnostic::new(problem, Place::file(&path)));
    }
    let own = sources.get(&SourcePath::new("content/schemas/site.schema.json"));
    let schema = schemas.get("site").zip(own).map(|(schema, file)| Digested::new(schema, file.digest));
    let query = ReadSite { path: &path, file, schema, destination };
    (*cache.query_despite(&query, diagnostics)).clone()
}

/// Returns the file with what a language says of the site: `site.yaml`, or its translation.
pub fn path_in(view: &Sources) -> SourcePath {
    let mut files = view.of(SourceKind::Settings).map(|(path, _)| path);
    let own = files.find(|path| path.key().as_str() == SITE_FILE);
    own.cloned().unwrap_or_else(|| SourcePath::new(SITE_FILE))
}

/// What a site says of its languages.
pub(super) struct DeclaredLanguages {
    /// Its own.
    pub own: String,
    pub others: Entries<LanguageKeys>,
    /// What becomes of texts that they lack.
    pub untranslated: Untranslated,
    pub prefix: LanguagePrefix,
}

/// Returns what a site says of its languages.
pub(super) fn languages(sources: &Sources, cache: &Cache) -> DeclaredLanguages {
    let SiteKeys { language: own, languages: others, settings, .. } = keys(sources, cache);
    DeclaredLanguages { own, others, untranslated: settings.untranslated, prefix: settings.language_prefix }
}

/// The locales that a site names for texts of its islands: its language, and those of `settings.islands.locales`.
pub fn locales(sources: &Sources, cache: &Cache) -> Vec<String> {
    let keys = keys(sources, cache);
    let language = Some(keys.language).filter(|language| !language.is_empty());
    language.into_iter().chain(keys.settings.islands.locales).collect()
}

/// Returns the severities that a site sets, as far as they can be read.
pub(super) fn checks(sources: &Sources, cache: &Cache) -> Checks {
    keys(sources, cache).settings.checks
}

/// Reads the keys of `site.yaml` as far as they have the right types.
fn keys(sources: &Sources, cache: &Cache) -> SiteKeys {
    let Some(file) = sources.get(&SourcePath::new(SITE_FILE)) else { return SiteKeys::default() };
    // What is wrong with the file is reported where all of it is read.
    let data = cache.query_despite(&ParsedSite { path: &SourcePath::new(SITE_FILE), file }, &mut Vec::new());
    Option::as_ref(&data).map(typed::read).unwrap_or_default()
}

/// The keys of `site.yaml` as they are written. Islands read some of them while the rest is validated.
#[derive(Hash)]
struct ParsedSite<'a> {
    path: &'a SourcePath,
    file: &'a Source,
}

impl Query for ParsedSite<'_> {
    const KIND: &'static str = "keys of the site";
    type Output = Option<Node>;
    type Refused = (Option<Node>, Vec<Diagnostic>);

    fn run(&self, _: &Cache) -> Result<Self::Output, Self::Refused> {
        let mut diagnostics = Vec::new();
        let data = read_file((self.path, self.file), &mut diagnostics).map(|parsed| parsed.data);
        if diagnostics.is_empty() { Ok(data) } else { Err((data, diagnostics)) }
    }
}

#[derive(Hash)]
struct ReadSite<'a> {
    path: &'a SourcePath,
    file: Option<&'a Source>,
    /// The site's own schema of it.
    schema: Option<Digested<&'a Schema>>,
    destination: Destination<'a>,
}

impl Query for ReadSite<'_> {
    const KIND: &'static str = "site";
    type Output = (Node, Settings);
    type Refused = ((Node, Settings), Vec<Diagnostic>);

    fn run(&self, cache: &Cache) -> Result<Self::Output, Self::Refused> {
        let mut diagnostics = Vec::new();
        let read = self.read(cache, &mut diagnostics);
        if diagnostics.is_empty() { Ok(read) } else { Err((read, diagnostics)) }
    }
}

impl ReadSite<'_> {
    fn read(&self, cache: &Cache, diagnostics: &mut Vec<Diagnostic>) -> (Node, Settings) {
        let path = self.path;
        let read = self.file.map(|file| (file, cache.query_despite(&ParsedSite { path, file }, diagnostics)));
        let Some((text, written)) =
            read.as_ref().and_then(|(file, data)| Some((file.joined()?, Option::as_ref(data)?)))
        else {
            let nothing = Node { value: yaml::Value::Map(Vec::new()), span: Span::default() };
            // Mistakes in settings that nobody wrote are not reported.
            let settings = Settings::of(path, &nothing, self.destination, &mut Vec::new());
            return (nothing, settings);
        };
        let mut data = written.clone();
        Scope { site: Some(written), ..Scope::default() }.fill(path, &mut data, diagnostics);
        let keys = [text.own, text.original.unwrap_or_default()];
        let parsed = ParsedDocument { path, text, keys, data, body: None };
        let built_in = Schema::built_in(schema::SITE, cache);
        diagnostics.extend(check(&parsed, &built_in, &[]));
        diagnostics.extend(misspelt(&parsed, &built_in, self.schema.as_deref().copied()));
        if let Some(schema) = self.schema {
            let mut passed_over = built_in.keys();
            passed_over.extend(OF_TRANSLATIONS.iter().filter(|_| path.has_language()));
            diagnostics.extend(check(&parsed, &schema, &passed_over));
        } else {
            diagnostics.extend(ambiguous(&parsed, &["settings"]));
        }
        let language = path.language().or_else(|| parsed.data.get("language")?.text()).unwrap_or_default();
        diagnostics.extend(plurals::check(path, &parsed.data, language, parsed.text.original_at()));
        drop_repeated(diagnostics);
        let mut problems = Vec::new();
        let settings = Settings::of(path, &parsed.data, self.destination, &mut problems);
        // The schema may have reported the same of a value.
        if diagnostics.is_empty() {
            diagnostics.extend(problems);
        }
        diagnostics.extend(unknown_languages(path, &parsed.data));
        (parsed.data, settings)
    }
}

/// Warns of languages whose tags have the right form, but do not begin with the code of a language.
fn unknown_languages(path: &SourcePath, site: &Node) -> Vec<Diagnostic> {
    let own = site.get("language").and_then(|own| Some((own.text()?, own.span)));
    let others = site.get("languages").into_iter().flat_map(Node::entries);
    let all = own.into_iter().chain(others.map(|(key, _)| (&*key.name, key.span))).filter(|_| !path.has_language());
    let is_form = |tag: &str| matches!(tag.find('-').unwrap_or(tag.len()), 2 | 3) && tag.is_ascii();
    let unknown = all.filter(|(tag, _)| is_form(tag) && !names::begins_with_code(tag));
    unknown
        .map(|(tag, span)| {
            let nearest = names::meant(tag).map(|(word, is_certain)| Meant { word, is_certain });
            Diagnostic::new(LanguageProblem::UnknownLanguage { tag: tag.to_owned(), nearest }, Place::new(path, span))
        })
        .collect()
}
