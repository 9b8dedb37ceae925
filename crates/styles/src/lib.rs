//! The stylesheet: `templates/styles/main.css`, then the rules of every component and island, checked and combined.
//!
//! 1. Every reachable stylesheet is read: its names and values are checked, and its files are looked up.
//! 2. Custom properties are checked against those that the site defines anywhere.
//! 3. Each is parsed and printed; the rules that browsers could not read are reported.
//! 4. All of them are combined.
//!
//! If a language of the site is written from right to left, directions that do not turn with it are warnings.

mod addresses;
mod check;
mod files;
mod fonts;
pub mod names;
mod physical;
mod print;
mod scripts;

pub use addresses::{AddressUse, addresses};
use files::{LoadedFile, SheetOrigin};
use fonts::FontFacts;
pub use fonts::SiteFonts;
use physical::Directions;
use print::Printed;
use sitegen_content::languages::Languages;
use sitegen_core::cache::{Cache, Query, digest_of};
use sitegen_core::diagnostics::{Checked, Diagnostic, Place, Span, StyleProblem, YamlProblem, meant};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::{ASSETS, SourcePath};
use sitegen_core::sources::{Digest, SourceKind, Sources};
use sitegen_core::tools::Tools;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

const MAIN: &str = "templates/styles/main.css";
/// A placeholder for the path of the site on its host, which is not known when the stylesheet is printed.
const BASE: &str = "/--base--";

/// The printed stylesheet.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    /// The fonts that the text of pages is in.
    pub fonts: Option<Arc<SiteFonts>>,
    /// The CSS that pages carry inline.
    pub css: String,
    /// Files that the stylesheet loads, by their path from the site's root.
    pub files: Vec<(String, Arc<[u8]>)>,
    /// Sources that it consists of or loads.
    pub used: BTreeSet<SourcePath>,
    /// Custom properties that stylesheets define or scripts of islands name.
    defined: Arc<BTreeSet<String>>,
    /// The directions of the languages of the site.
    directions: Directions,
}

impl Styles {
    /// Returns the digest of everything that pages get from it.
    pub fn digest(&self) -> Digest {
        // Which sources it consists of is only for warnings, which every build makes anew.
        // The stylesheet names the fonts by their digests.
        let Styles { fonts: _, css, files, used: _, defined, directions } = self;
        // The names of these files depend on their content.
        let files: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        digest_of(&(css, files, defined, directions))
    }
}

/// A reachable stylesheet.
struct Sheet {
    origin: SheetOrigin,
    text: String,
    /// The stylesheets that it imports, by their addresses.
    imports: BTreeMap<String, usize>,
    /// The published addresses of its files, by the addresses in it.
    urls: BTreeMap<String, String>,
    has_layers: bool,
}

/// A compiled stylesheet, with the files of packages that it depends on.
struct CompiledStyles {
    styles: Styles,
    packages: Vec<(String, Option<Digest>)>,
    warnings: Vec<Diagnostic>,
}

impl Styles {
    /// Returns the stylesheet for a site below a path of its host.
    pub fn below(&self, base_path: &str) -> String {
        self.css.replace(BASE, base_path)
    }

    /// Returns what is wrong with a stylesheet that is written into the HTML of a page.
    pub fn check_inline(&self, css: &str, html: &str) -> Vec<(StyleProblem, Span)> {
        let facts = check::read(css);
        let mut problems = facts.problems;
        if problems.is_empty() {
            problems.extend(print::parse(css).1);
        }
        let physical = facts.physical.into_iter().filter_map(|each| each.in_site(self.directions));
        problems.extend(physical);
        let is_set = |name: &str| {
            let other = |at: usize| !html[..at].trim_end().to_ascii_lowercase().ends_with("var(");
            self.defined.contains(name) || html.match_indices(name).any(|(at, _)| is_name(html, at, name) && other(at))
        };
        problems.extend(facts.used.into_iter().filter(|(name, _)| !is_set(name)).map(|(name, span)| {
            let known = self.defined.iter().chain(&facts.defined).map(String::as_str);
            let nearest = meant(&name, known);
            (StyleProblem::UnknownCustomProperty { name, nearest }, span)
        }));
        problems
    }
}

/// What it reads: styles and the files they name, and whatever can define a custom property.
const READ: &[SourceKind] =
    &[SourceKind::Style, SourceKind::Template, SourceKind::Island, SourceKind::Asset, SourceKind::Public];

/// Compiles the stylesheet. A site without one gets an empty one.
pub fn compile(sources: &Sources, tools: &dyn Tools) -> Checked<Styles> {
    let _work = Work::on(tools.observer(), "styles");
    let languages = Languages::of(sources, tools.cache());
    let directions = Directions::of(&languages);
    let sources = &sources.only(READ);
    let entries: Vec<&SourcePath> = entries(sources).collect();
    if entries.is_empty() {
        let defined = Arc::new(named_in_scripts(sources).collect());
        let warnings = physical_in_islands(sources, directions);
        return Checked::new(Styles { defined, directions, ..Styles::default() }, warnings);
    }
    let key = digest_of(&("styles", sources, directions));
    let cached = tools.cache().get::<CompiledStyles>(&key);
    let is_same =
        |entry: &Arc<CompiledStyles>| entry.packages.iter().all(|(path, digest)| tools.package_digest(path) == *digest);
    if let Some(entry) = cached.filter(is_same) {
        return Checked::new(entry.styles.clone(), entry.warnings.clone());
    }
    // 1. sheets
    let mut reached = ReachedSheets::new(sources, tools, directions);
    let entries: Vec<usize> = entries.into_iter().map(|path| reached.add(SheetOrigin::Source(path.clone()))).collect();
    let mut next = 0;
    while next < reached.sheets.len() {
        reached.read(next);
        next += 1;
    }
    // 2. custom properties
    reached.check_custom_properties();
    let ReachedSheets {
        sheets,
        mut diagnostics,
        mut warnings,
        files,
        used,
        packages,
        mut defined,
        fonts,
        font_files,
        ..
    } = reached;
    defined.extend(named_in_scripts(sources));
    warnings.extend(physical_in_islands(sources, directions));
    // 3. rules
    // Of others a mistake was reported, and the parser does not bound how deeply blocks are nested.
    let mistaken: BTreeSet<&str> =
        diagnostics.iter().filter_map(|diagnostic| Some(diagnostic.place.as_ref()?.path.as_str())).collect();
    let valid: Vec<&Sheet> = sheets.iter().filter(|sheet| !mistaken.contains(sheet.origin.path())).collect();
    let printed: Vec<Arc<Printed>> = parallel::map(&valid, |sheet| print::printed(sheet, tools.cache()));
    let mut combined = Vec::new();
    for (sheet, printed) in valid.into_iter().zip(&printed) {
        match &printed.pieces {
            Ok(pieces) => combined.push((sheet, pieces.as_slice())),
            Err(detail) => {
                let problem = StyleProblem::CssSyntax { detail: detail.clone(), fix: None };
                let path = SourcePath::new(sheet.origin.path());
                diagnostics.push(Diagnostic::new(problem, Place::file(&path)));
            }
        }
        // Mistakes in a package are not for its users to fix.
        if let SheetOrigin::Source(path) = &sheet.origin {
            let problems = printed.problems.iter().cloned();
            diagnostics.extend(problems.map(|(problem, span)| Diagnostic::new(problem, Place::new(path, span))));
        }
    }
    if !diagnostics.is_empty() {
        diagnostics.extend(warnings);
        return Checked::failed(diagnostics);
    }
    // 4. combine
    let css = print::combined(&combined, &entries);
    let files = files.into_iter().collect();
    let fonts = SiteFonts::of(&fonts, font_files);
    let styles = Styles { fonts, css, files, used, defined: Arc::new(defined), directions };
    tools.cache().store(key, Arc::new(CompiledStyles { styles: styles.clone(), packages, warnings: warnings.clone() }));
    Checked::new(styles, warnings)
}

/// Warns of directions that do not turn with the language, in CSS modules of islands and in the styles of their components.
fn physical_in_islands(sources: &Sources, directions: Directions) -> Vec<Diagnostic> {
    if directions == Directions::LeftToRight {
        return Vec::new();
    }
    let found = parallel::map(&sources.of(SourceKind::Island).collect::<Vec<_>>(), |(path, source)| {
        let text = source.text().unwrap_or_default();
        let physical = match path.extension() {
            Some("css") if path.as_str().ends_with(CSS_MODULE) => check::read(text).physical,
            Some("tsx" | "jsx") => scripts::physical(text),
            _ => Vec::new(),
        };
        let in_site = physical.into_iter().filter_map(|each| each.in_site(directions));
        in_site.map(|(problem, span)| Diagnostic::new(problem, Place::new(path, span))).collect::<Vec<_>>()
    });
    found.into_iter().flatten().collect()
}

/// How the name of a CSS module ends.
const CSS_MODULE: &str = ".module.css";

/// Returns the stylesheets in the order of the cascade: layers that `main.css` declares decide between them.
fn entries(sources: &Sources) -> impl Iterator<Item = &SourcePath> {
    let paths = |kind| sources.of(kind).map(|(path, _)| path);
    let main = paths(SourceKind::Style).filter(|path| path.as_str() == MAIN);
    let of_components = paths(SourceKind::Style).filter(|path| path.below("templates/components").is_some());
    let of_islands = paths(SourceKind::Island).filter(|path| path.extension() == Some("css"));
    // A CSS module belongs to the islands that import it.
    let of_islands = of_islands.filter(|path| !path.as_str().ends_with(CSS_MODULE));
    main.chain(of_components).chain(of_islands)
}

/// What a stylesheet says.
#[derive(Hash)]
struct ReadStylesheet<'a> {
    text: &'a str,
}

impl Query for ReadStylesheet<'_> {
    const KIND: &'static str = "stylesheet";
    type Output = check::StylesheetFacts;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<check::StylesheetFacts, Infallible> {
        Ok(check::read(self.text))
    }
}

/// The stylesheets reached so far, and their facts.
struct ReachedSheets<'a> {
    sources: &'a Sources,
    tools: &'a dyn Tools,
    /// The directions of the languages of the site.
    directions: Directions,
    sheets: Vec<Sheet>,
    indexes: BTreeMap<SheetOrigin, usize>,
    diagnostics: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    files: BTreeMap<String, Arc<[u8]>>,
    used: BTreeSet<SourcePath>,
    packages: Vec<(String, Option<Digest>)>,
    defined: BTreeSet<String>,
    used_properties: Vec<(SourcePath, String, Span)>,
    fonts: FontFacts,
    /// The files of each rule `@font-face`.
    font_files: Vec<Vec<Arc<[u8]>>>,
}

impl<'a> ReachedSheets<'a> {
    fn new(sources: &'a Sources, tools: &'a dyn Tools, directions: Directions) -> Self {
        ReachedSheets {
            sources,
            tools,
            directions,
            sheets: Vec::new(),
            indexes: BTreeMap::new(),
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            files: BTreeMap::new(),
            used: BTreeSet::new(),
            packages: Vec::new(),
            defined: BTreeSet::new(),
            used_properties: Vec::new(),
            fonts: FontFacts::default(),
            font_files: Vec::new(),
        }
    }

    /// Returns the number of a stylesheet. A new one is read later.
    fn add(&mut self, origin: SheetOrigin) -> usize {
        if let Some(index) = self.indexes.get(&origin) {
            return *index;
        }
        let index = self.sheets.len();
        self.indexes.insert(origin.clone(), index);
        let bytes = origin.bytes(self.sources, self.tools);
        match &origin {
            SheetOrigin::Source(path) => drop(self.used.insert(path.clone())),
            SheetOrigin::Package(path) => self.packages.push((path.clone(), self.tools.package_digest(path))),
            SheetOrigin::BuiltIn(_) => {}
        }
        let text = match std::str::from_utf8(&bytes.unwrap_or_default()) {
            // A byte-order mark is not part of the text (CSS Syntax 3, 3.2).
            Ok(text) => text.strip_prefix('\u{feff}').map_or_else(|| text.to_owned(), |rest| format!("   {rest}")),
            Err(_) => {
                let path = SourcePath::new(origin.path());
                self.diagnostics.push(Diagnostic::new(YamlProblem::NotUtf8, Place::file(&path)));
                String::new()
            }
        };
        let has_layers = text.contains("@layer");
        self.sheets.push(Sheet { origin, text, imports: BTreeMap::new(), urls: BTreeMap::new(), has_layers });
        index
    }

    /// Checks a stylesheet, and looks up the files that it names.
    fn read(&mut self, index: usize) {
        let Ok(facts) = self.tools.cache().query(&ReadStylesheet { text: &self.sheets[index].text });
        let origin = self.sheets[index].origin.clone();
        let path = SourcePath::new(origin.path());
        self.defined.extend(facts.defined.iter().cloned());
        if let SheetOrigin::Source(path) = &origin {
            let problems = facts.problems.iter().cloned();
            self.diagnostics.extend(problems.map(|(problem, span)| Diagnostic::new(problem, Place::new(path, span))));
            let physical = facts.physical.iter().filter_map(|each| each.clone().in_site(self.directions));
            let physical = physical.map(|(problem, span)| Diagnostic::new(problem, Place::new(path, span)));
            self.warnings.extend(physical);
            self.used_properties.extend(facts.used.iter().map(|(name, span)| (path.clone(), name.clone(), *span)));
        }
        // That of a package is not for its users to fix, but nobody could print it.
        let multiplied = facts.multiplied.iter().cloned();
        self.diagnostics.extend(multiplied.map(|(problem, span)| Diagnostic::new(problem, Place::new(&path, span))));
        for (address, span) in &facts.imports {
            match files::import(address, &origin, self.sources, self.tools) {
                Ok(imported) => {
                    let imported = self.add(imported);
                    self.sheets[index].imports.insert(address.clone(), imported);
                }
                Err(problem) => self.diagnostics.push(Diagnostic::new(problem, Place::new(&path, *span))),
            }
        }
        let mut font_files: Vec<Vec<Arc<[u8]>>> = vec![Vec::new(); facts.fonts.faces.len()];
        let mut of_faces: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, face) in facts.fonts.faces.iter().enumerate() {
            face.addresses.iter().for_each(|address| of_faces.entry(address).or_default().push(number));
        }
        for (address, span) in &facts.urls {
            match files::load(address, &origin, self.sources, self.tools) {
                Ok(None) => {}
                Ok(Some(LoadedFile { url, bytes, origin })) => {
                    for face in of_faces.get(address.as_str()).into_iter().flatten() {
                        font_files[*face].push(bytes.clone());
                    }
                    match origin {
                        SheetOrigin::Source(path) => {
                            // An asset is published because it is used here.
                            if path.below(ASSETS).is_none() {
                                self.publish(&url, bytes);
                            }
                            self.used.insert(path);
                        }
                        SheetOrigin::Package(path) => {
                            self.packages.push((path.clone(), self.tools.package_digest(&path)));
                            self.publish(&url, bytes);
                        }
                        SheetOrigin::BuiltIn(_) => {}
                    }
                    self.sheets[index].urls.insert(address.clone(), format!("{BASE}{url}"));
                }
                Err(problem) => self.diagnostics.push(Diagnostic::new(problem, Place::new(&path, *span))),
            }
        }
        self.add_fonts(&facts.fonts, font_files);
    }

    /// Adds what a stylesheet says of fonts.
    fn add_fonts(&mut self, fonts: &FontFacts, files: Vec<Vec<Arc<[u8]>>>) {
        self.fonts.faces.extend(fonts.faces.iter().cloned());
        self.fonts.base.extend(fonts.base.iter().cloned());
        self.fonts.of_languages.extend(fonts.of_languages.iter().cloned());
        self.fonts.custom_of_languages.extend(fonts.custom_of_languages.iter().cloned());
        for (name, value) in &fonts.custom {
            self.fonts.custom.entry(name.clone()).or_insert_with(|| value.clone());
        }
        self.font_files.extend(files);
    }

    /// Publishes a file that is not an asset, unless an asset has its name and its content.
    fn publish(&mut self, url: &str, bytes: Arc<[u8]>) {
        let (path, _) = url.split_once(['?', '#']).unwrap_or((url, ""));
        let is_asset = self.sources.of(SourceKind::Asset).any(|(asset, source)| {
            let Some(name) = asset.below(ASSETS) else { return false };
            path == format!(
                "{}/{}",
                sitegen_content::assets::FOLDER,
                sitegen_content::assets::hashed_name(name, &source.digest)
            )
        });
        if !is_asset {
            self.files.insert(path.to_owned(), bytes);
        }
    }

    /// Reports custom properties that are used and not defined: by no stylesheet, and by no word in a template or a
    /// script, which may set them.
    fn check_custom_properties(&mut self) {
        let missing: Vec<_> = std::mem::take(&mut self.used_properties);
        let missing = missing.into_iter().filter(|(_, name, _)| !self.defined.contains(name));
        for (path, name, span) in missing.collect::<Vec<_>>() {
            let files = self.sources.of_all(&[SourceKind::Template, SourceKind::Island]);
            let mut texts = files
                .filter(|(path, _)| path.extension() != Some("css"))
                .filter_map(|(path, _)| self.sources.text(path));
            if texts.any(|text| names_property(text, &name)) {
                continue;
            }
            let nearest = meant(&name, self.defined.iter().map(String::as_str));
            let problem = StyleProblem::UnknownCustomProperty { name, nearest };
            self.diagnostics.push(Diagnostic::new(problem, Place::new(&path, span)));
        }
    }
}

/// Whether a text names a custom property, and not only a longer one that begins with it.
fn names_property(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| is_name(text, at, name))
}

/// Whether a name in a text is not a part of a longer one.
fn is_name(text: &str, at: usize, name: &str) -> bool {
    !text[at + name.len()..].starts_with(is_part) && !text[..at].ends_with(is_part)
}

/// Whether a letter may be in the name of a custom property.
fn is_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '-' || letter == '_'
}

/// Returns the custom properties that scripts of islands name, and may set.
fn named_in_scripts(sources: &Sources) -> impl Iterator<Item = String> {
    let scripts = sources.of(SourceKind::Island).filter(|(path, _)| path.extension() != Some("css"));
    scripts.filter_map(|(path, _)| sources.text(path)).flat_map(|text| {
        text.match_indices("--").filter_map(|(at, _)| {
            let name = &text[at..];
            let end = name.find(|letter| !is_part(letter)).unwrap_or(name.len());
            (end > 2 && !text[..at].ends_with(is_part)).then(|| name[..end].to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_of_islands_name_custom_properties() {
        let sources = Sources::from_files([
            ("islands/Menu.ts", "root.style.setProperty(\"--height\", `${count--}px`); // not-a--name"),
            ("islands/menu.css", "a { --ignored: 1 }"),
        ]);
        assert_eq!(named_in_scripts(&sources).collect::<Vec<_>>(), ["--height"]);
    }
}
