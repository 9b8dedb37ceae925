//! Islands: the components of `islands/` that browsers hydrate.
//!
//! esbuild bundles them twice: for browsers, one module for each island with what they share split off, and once for
//! prerendering, which happens here, in an embedded JavaScript engine. Node is not part of a build.

mod addresses;
mod blame;
mod css_modules;
mod engine;
mod prerender;
mod react;
pub mod runtime;
mod texts;

pub use prerender::{Call, prerender};

use serde::{Deserialize, Serialize};
use sitegen_content as content;
use sitegen_content::assets::FOLDER;
use sitegen_core::bundle::{Bundle, Deciding, NODE, bundle, is_same};
use sitegen_core::cache::digest_of;
use sitegen_core::diagnostics::{Checked, Diagnostic, IslandProblem, Place, PolicyProblem};
use sitegen_core::observe::Work;
use sitegen_core::parallel;
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Profile;
use sitegen_core::secrets;
use sitegen_core::sources::{Digest, SourceKind, Sources};
use sitegen_core::tools::{Bundling, ENTRIES, Tools};
use sitegen_templates::Templates;
use sitegen_templates::scan::scan;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use texts::Texts;

/// Parts that every project with islands has. See the reference for what each must export.
const LOADER: &str = "islands/runtime/loader.ts";
const MOUNT: &str = "islands/runtime/mount.tsx";
const PRERENDER: &str = "islands/runtime/prerender.tsx";

/// Renders islands that are not prerendered, if the project has it and a template asks for it.
const ONLY: &str = "islands/runtime/only.tsx";
/// The JSON Schema of the props of islands that deliver forms.
pub const DELIVER_SCHEMA: &str = include_str!("deliver.schema.json");

/// Inlined into pages with islands that are not React, or that wait for a media query or an interaction.
pub const ENHANCER: &str = "islands/runtime/enhance.ts";

/// Inlined into pages with carried `style` attributes, if the project has it.
const STYLES: &str = "islands/runtime/styles.ts";

/// Added to islands whose packages put styles into the page, if the project has it.
const ADOPT: &str = "islands/runtime/adopt.ts";

/// What is imported in their place.
const STAND_IN: &str = ".sitegen/entries/node.cjs";

/// Stands for the path of the site on its host, which is not known while islands are bundled.
pub const BASE: &str = "/--base--";

/// What islands may import as files, which are published: `import logo from "./logo.svg"` gives their address.
const FILES: [&str; 16] = [
    "svg", "png", "jpg", "jpeg", "gif", "webp", "avif", "ico", "woff2", "woff", "ttf", "otf", "mp3", "mp4", "webm",
    "pdf",
];

/// The islands of a project, bundled.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// For each island the modules that it needs, itself first, as paths from the site's root.
    pub modules: BTreeMap<String, Vec<String>>,
    /// Modules and the files that they import, by their paths from the site's root.
    pub files: Vec<(String, Arc<[u8]>)>,
    /// For each module the packages that it is made of.
    pub packages: BTreeMap<String, Packages>,
    /// What each island costs.
    pub costs: Vec<Cost>,
    /// For each island that imports stylesheets of packages or CSS modules, what pages that use it carry inline.
    pub styles: BTreeMap<String, String>,
    /// The script that pages with islands carry inline.
    pub loader: String,
    /// The script that does the same for islands without React, and for those that wait for more than coming into view.
    /// Empty if the project does not have it.
    pub enhancer: String,
    /// The islands that are modules with `mount`, without React.
    pub plain: BTreeSet<String>,
    /// The script that gives elements of islands their styles, before the loader.
    pub styler: String,
    /// For each island the bundle that renders it to HTML.
    pub prerenderers: Prerenderers,
    /// What else than sources decided the bundles. Nothing if that is not known.
    deciding: Option<Deciding>,
}

impl Islands {
    /// Returns islands by their names alone: pages have nothing in their places.
    fn left_out(names: &[&str]) -> Self {
        let module = |name: &str| format!("{FOLDER}/{name}.js");
        Islands {
            modules: names.iter().map(|name| ((*name).to_owned(), vec![module(name)])).collect(),
            files: names.iter().map(|name| (module(name), Arc::from(*b"export {};\n"))).collect(),
            ..Islands::default()
        }
    }

    /// Returns the digest of everything that pages get from them.
    pub fn digest(&self) -> Digest {
        // What they cost is only reported, and never of a page in the cache; what decided them is in the files.
        let Islands {
            modules,
            files,
            packages: _,
            costs: _,
            styles,
            loader,
            enhancer,
            plain,
            styler,
            prerenderers,
            deciding: _,
        } = self;
        // The names of these files depend on their content.
        let files: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
        let prerenderers: Vec<(&String, Digest)> =
            prerenderers.iter().map(|(name, each)| (name, each.digest)).collect();
        let scripts = [loader, enhancer, styler];
        digest_of(&(modules, files, styles, scripts, plain, prerenderers))
    }
}

/// What an island costs a visitor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The island's name.
    pub island: String,
    /// Bytes of all its modules, before compression.
    pub size: usize,
    /// Of each of those that other islands need too the bytes, and these islands.
    pub shared: Vec<(usize, Vec<String>)>,
    /// Bytes of what it imports only later (`import()`), if at all.
    pub later: usize,
    /// The packages in them.
    pub packages: Packages,
}

/// Packages, and `islands` for the project's own code, with their bytes before compression, the largest first.
pub type Packages = Vec<(String, usize)>;

/// Packages of which one may be in several lists.
pub fn largest_first<'a>(packages: impl IntoIterator<Item = &'a (String, usize)>) -> Packages {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for (package, bytes) in packages {
        *sizes.entry(package).or_default() += bytes;
    }
    let mut sizes: Packages =
        sizes.into_iter().filter(|(_, bytes)| *bytes > 0).map(|(package, bytes)| (package.to_owned(), bytes)).collect();
    sizes.sort_unstable_by(|(one, left), (other, right)| right.cmp(left).then_with(|| one.cmp(other)));
    sizes
}

/// Bundles that render islands to HTML, by their names.
pub type Prerenderers = BTreeMap<String, Arc<Prerenderer>>;

/// The bundle that renders one island to HTML. Each has its own: what is wrong with one island keeps no other from being
/// rendered, and changes no other's key in the cache.
#[derive(Debug, Default)]
pub struct Prerenderer {
    /// Its JavaScript: an expression whose value is a function, which makes `globalThis.prerender`.
    pub code: String,
    /// The JSON of its source map, from esbuild.
    pub map: Vec<u8>,
    /// The digest of all JavaScript that a call may run.
    pub digest: Digest,
    /// Whether it gives HTML. An island that only exports `mount` is run all the same, to find out whether it can be imported.
    pub renders: bool,
    /// What texts of a language are made of, if the island makes any.
    pub texts: Option<Arc<Texts>>,
    /// For each file that it or another bundle is made of the files that it imports, and by which words. Paths are those
    /// from the project's root, without what leads to folders above it.
    pub imports: Arc<BTreeMap<String, Vec<(String, String)>>>,
}

/// A file of islands for a site below a path of its host.
pub fn below(file: &Arc<[u8]>, base_path: &str) -> Arc<[u8]> {
    match memchr::memmem::find(file, BASE.as_bytes()) {
        Some(_) => Arc::from(String::from_utf8_lossy(file).replace(BASE, base_path).into_bytes()),
        None => file.clone(),
    }
}

/// What it reads.
const READ: &[SourceKind] = &[SourceKind::Island, SourceKind::Props, SourceKind::Package];

/// What templates ask of the scripts that start islands.
#[derive(Clone, Copy, Hash)]
struct Asked {
    /// To wait for a media query or an interaction.
    to_wait: bool,
    /// To render in browsers alone.
    only: bool,
}

/// Bundles the islands. A site without islands needs no packages.
pub fn compile(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Checked<Islands> {
    let _work = Work::on(tools.observer(), "islands");
    let hydrations = &scan(&Templates::of(sources), tools.cache()).hydrations;
    let to_wait = ["media", "interaction"].iter().any(|hydration| hydrations.contains(hydration));
    let asked = Asked { to_wait, only: hydrations.contains("only") };
    let all = sources;
    let sources = &sources.only(READ);
    let names: Vec<&str> = names(sources).collect();
    if names.is_empty() {
        return Checked::new(Islands::default(), Vec::new());
    }
    if !tools.compiles_islands() {
        return Checked::new(Islands::left_out(&names), Vec::new());
    }
    let locales = content::locales(all, tools.cache());
    let installed: Vec<Option<String>> = NODE.iter().chain(&[react::SERVER]).map(|name| tools.package(name)).collect();
    let installed = (installed, texts::installed(tools));
    let key = digest_of(&("islands", asked, environment(profile), tools.bundler(), installed, &locales, sources));
    let cached = tools.cache().get::<Islands>(&key);
    if let Some(islands) = cached.filter(|islands| islands.deciding.iter().all(|all| is_same(all, tools))) {
        return Checked::new(Islands::clone(&islands), Vec::new());
    }
    let misnamed: Vec<Diagnostic> = names.iter().filter(|name| !is_name(name)).map(|name| misnamed(name)).collect();
    if !misnamed.is_empty() {
        return Checked::failed(misnamed);
    }
    // esbuild takes a file without exports for a CommonJS module, whose default import is an empty object.
    let bare = names.iter().map(|name| file_of(sources, name));
    let bare = bare.filter(|path| !sources.text(path).is_some_and(|text| text.contains("export")));
    let bare: Vec<Diagnostic> =
        bare.map(|path| Diagnostic::new(IslandProblem::NoComponent, Place::file(&path))).collect();
    if !bare.is_empty() {
        return Checked::failed(bare);
    }
    let replaced = match replaced(sources) {
        Ok(replaced) => replaced,
        Err(diagnostics) => return Checked::failed(diagnostics),
    };
    let (browser, prerenderers) = parallel::join(
        || for_browsers(sources, &names, asked, &replaced, profile, tools),
        || for_prerendering(sources, &names, &replaced, &locales, profile, tools),
    );
    match (browser, prerenderers) {
        (Ok(islands), Ok((prerenderers, others))) => {
            let deciding = both(islands.deciding, others);
            let islands = Islands { prerenderers, deciding, ..islands };
            let secrets = secrets_of(sources, &islands);
            if secrets.is_empty() && islands.deciding.is_some() {
                tools.cache().store(key, Arc::new(islands.clone()));
            }
            Checked::new(islands, secrets)
        }
        // Both bundles are made of the same files and report the same errors.
        (Err(diagnostics), _) | (_, Err(diagnostics)) => Checked::failed(diagnostics),
    }
}

/// What decided two bundles.
fn both(one: Option<Deciding>, other: Option<Deciding>) -> Option<Deciding> {
    Some([one?, other?].concat())
}

/// Reports islands whose modules have what looks like a key, from a package that they import. In files of the project keys
/// are found where they are written.
fn secrets_of(sources: &Sources, islands: &Islands) -> Vec<Diagnostic> {
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    for (path, bytes) in islands.files.iter().filter(|(path, _)| path.ends_with(".js")) {
        let Some(secret) = secrets::find(&String::from_utf8_lossy(bytes), false).into_iter().next() else { continue };
        let is_written = sources.of(SourceKind::Island).any(|(path, _)| {
            sources
                .text(path)
                .is_some_and(|text| secrets::find(text, false).iter().any(|own| own.start == secret.start))
        });
        let owner = islands.modules.iter().find(|(_, modules)| modules.contains(path)).map(|(name, _)| name);
        if let Some(name) = owner.filter(|_| !is_written) {
            let problem = PolicyProblem::SecretInPackage { kind: secret.kind, start: secret.start };
            diagnostics.push(Diagnostic::new(problem, Place::file(&file_of(sources, name))));
        }
    }
    diagnostics
}

/// The islands' names: the top-level files of `islands/` that are components (`.tsx`) or export `mount` (`.ts`).
pub fn names(sources: &Sources) -> impl Iterator<Item = &str> {
    sources.of(SourceKind::Island).filter_map(|(path, _)| {
        let file = path.below("islands").filter(|file| !file.contains('/'))?;
        file.strip_suffix(".tsx").or_else(|| {
            let has_component = sources.get(&SourcePath::new(format!("islands/{file}x"))).is_some();
            let text = sources.text(path).filter(|text| exports(text, "mount"))?;
            file.strip_suffix(".ts").filter(|_| !has_component && !text.is_empty())
        })
    })
}

/// The file of an island.
pub fn file_of(sources: &Sources, name: &str) -> SourcePath {
    let component = SourcePath::new(format!("islands/{name}.tsx"));
    let plain = SourcePath::new(format!("islands/{name}.ts"));
    if sources.get(&component).is_none() && sources.get(&plain).is_some() { plain } else { component }
}

/// Whether an island is a module that exports `mount`, without React.
fn is_plain(sources: &Sources, name: &str) -> bool {
    file_of(sources, name).extension() == Some("ts")
}

/// Whether a plain island also exports `render`, which gives its HTML at build.
fn is_rendered(sources: &Sources, name: &str) -> bool {
    sources.text(&file_of(sources, name)).is_some_and(|text| exports(text, "render"))
}

/// Whether the text of a module exports a name: `export function mount`, `export const mount`, `export { mount }`.
fn exports(text: &str, name: &str) -> bool {
    let is_word =
        |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$');
    text.match_indices("export").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start();
        if let Some(list) = rest.strip_prefix('{') {
            let names = list.split('}').next().unwrap_or_default().split(',');
            return names.filter_map(|each| each.split_whitespace().next_back()).any(|each| each == name);
        }
        let kinds = ["async function", "function", "const", "let"];
        let declared = kinds.iter().find_map(|kind| rest.strip_prefix(kind));
        declared.and_then(|rest| rest.trim_start().strip_prefix(name)).is_some_and(is_word)
    })
}

/// Whether an island may have a name. It stands in addresses, in a list that is separated by spaces, and in the names of
/// files that every host has to keep apart.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

fn misnamed(name: &str) -> Diagnostic {
    let path = SourcePath::new(format!("islands/{name}.tsx"));
    Diagnostic::new(IslandProblem::IslandName { name: name.to_owned() }, Place::file(&path))
}

/// What a script of the project ends with.
const SCRIPTS: [&str; 4] = ["ts", "tsx", "js", "jsx"];

/// What esbuild reads instead of files of the project. In scripts, addresses of files stand for what is published. A CSS
/// module is a script that gives its classes their names,
/// and a stylesheet beside it, so that the names are the same in both bundles. Every other stylesheet below `islands/` is a
/// part of the site's own, which all pages have: to import it adds nothing.
fn replaced(sources: &Sources) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
    let (mut replaced, mut diagnostics) = (Vec::new(), Vec::new());
    for (path, _) in sources.of(SourceKind::Island) {
        if path.extension().is_some_and(|extension| SCRIPTS.contains(&extension)) {
            match addresses::rewritten(path, sources.text(path).unwrap_or_default(), sources) {
                Ok(text) => replaced.extend(text.map(|text| (path.as_str().to_owned(), text))),
                Err(mistakes) => diagnostics.extend(mistakes),
            }
            continue;
        }
        if path.extension() != Some("css") {
            continue;
        }
        if !path.as_str().ends_with(css_modules::EXTENSION) {
            replaced.push((path.as_str().to_owned(), String::new()));
            continue;
        }
        match css_modules::compile(path, sources.text(path).unwrap_or_default()) {
            Ok(files) => replaced.extend(files),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    replaced.push(addresses::helper());
    for (path, text) in runtime::files(sources) {
        if !path.ends_with(css_modules::EXTENSION) {
            replaced.push((path.to_owned(), text.to_owned()));
            continue;
        }
        match css_modules::compile(&SourcePath::new(path), text) {
            Ok(files) => replaced.extend(files),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if diagnostics.is_empty() { Ok(replaced) } else { Err(diagnostics) }
}

/// How esbuild reads what is no script.
fn loaders() -> impl Iterator<Item = String> {
    let files = FILES.iter().map(|extension| format!("--loader:.{extension}=file"));
    files.chain([format!("--loader:{}=js", css_modules::EXTENSION), "--asset-names=[name]-[hash]".to_owned()])
}

/// The value of `NODE_ENV`, by which packages distinguish development and production.
fn environment(profile: &Profile) -> &'static str {
    if profile.development { "development" } else { "production" }
}

/// What an entry imports an island by.
fn import_of(name: &str) -> String {
    quoted(&format!("../../islands/{name}"))
}

/// A text as it stands in JavaScript (ECMA-262, "String Literals", of which JSON's strings are a part).
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn for_browsers(
    sources: &Sources,
    names: &[&str],
    asked: Asked,
    replaced: &[(String, String)],
    profile: &Profile,
    tools: &dyn Tools,
) -> Result<Islands, Vec<Diagnostic>> {
    let (plain, react): (Vec<&str>, Vec<&str>) = names.iter().copied().partition(|name| is_plain(sources, name));
    // Apart: together, esbuild gives a module of a hundred bytes what it needs for packages.
    let needs_enhancer = !plain.is_empty() || asked.to_wait;
    let none = || Islands { deciding: Some(Vec::new()), ..Islands::default() };
    let bundled = |names: &[&str], adopting: &[String], scripts: &[&str]| {
        let run = BrowserRun { names, adopting, scripts, has_only: asked.only };
        bundled_for_browsers(sources, run, replaced, profile, tools)
    };
    let (islands, others) = parallel::join(
        || -> Result<Islands, Vec<Diagnostic>> {
            if react.is_empty() {
                return Ok(none());
            }
            let scripts = [LOADER, STYLES];
            let (islands, adopting) = bundled(&react, &[], &scripts)?;
            // Most sites have none.
            if adopting.is_empty() {
                return Ok(islands);
            }
            Ok(bundled(&react, &adopting, &scripts)?.0)
        },
        || match needs_enhancer {
            true => Ok(bundled(&plain, &[], &[ENHANCER])?.0),
            false => Ok(none()),
        },
    );
    let (mut islands, others) = match (islands, others) {
        (Ok(islands), Ok(others)) => (islands, others),
        (Err(mut diagnostics), Err(others)) => {
            // Without esbuild both fail in the same way.
            let new: Vec<Diagnostic> = others.into_iter().filter(|each| !diagnostics.contains(each)).collect();
            diagnostics.extend(new);
            return Err(diagnostics);
        }
        (Err(diagnostics), _) | (_, Err(diagnostics)) => return Err(diagnostics),
    };
    islands.modules.extend(others.modules);
    islands.packages.extend(others.packages);
    islands.costs.extend(others.costs);
    islands.costs.sort_unstable_by(|one, other| one.island.cmp(&other.island));
    islands.styles.extend(others.styles);
    // Both may import the same file.
    let known: BTreeSet<String> = islands.files.iter().map(|(path, _)| path.clone()).collect();
    islands.files.extend(others.files.into_iter().filter(|(path, _)| !known.contains(path)));
    let deciding = both(islands.deciding, others.deciding);
    Ok(Islands { enhancer: others.enhancer, plain: others.plain, deciding, ..islands })
}

/// The islands in whose modules something makes a `<style>` element.
fn adopting(names: &[&str], bundle: &Bundle) -> Vec<String> {
    let makes_style = |file: &String| {
        let mut parts = bundle.parts.get(file).into_iter().flatten();
        // Of a package one report gives the path from the run's folder, the other that from the project's.
        let is_styling =
            |input: &str| bundle.styling.iter().any(|path| blame::in_project(path) == blame::in_project(input));
        parts.any(|(input, bytes)| *bytes > 0 && is_styling(input))
    };
    let is_adopting = |name: &&&str| {
        let modules = bundle.entries.get(&format!("{ENTRIES}/{name}.tsx"));
        modules.is_some_and(|modules| modules.iter().any(makes_style))
    };
    names.iter().filter(is_adopting).map(|name| name.to_string()).collect()
}

/// What one run of esbuild for browsers has to make.
#[derive(Clone, Copy)]
struct BrowserRun<'a> {
    /// The names of the islands.
    names: &'a [&'a str],
    /// Those of them whose packages put styles into the page.
    adopting: &'a [String],
    /// The scripts that pages carry inline.
    scripts: &'a [&'a str],
    /// Whether a template asks for islands that are rendered in browsers alone.
    has_only: bool,
}

/// Returns the module that browsers import for an island.
fn browser_entry(sources: &Sources, name: &str, run: &BrowserRun) -> String {
    // It comes first: packages make their styles as soon as they are imported.
    let adopt = match run.adopting.iter().any(|other| other == name) {
        true => format!("import \"../../{}\";\n", ADOPT.trim_end_matches(".ts")),
        false => String::new(),
    };
    let island = import_of(name);
    if is_plain(sources, name) {
        return format!(
            "{adopt}import {{ mount }} from {island};\n\
             export default (element: HTMLElement) => mount(element, JSON.parse(element.dataset.props!));\n"
        );
    }
    let (only, render) = match run.has_only {
        true => (
            format!("import {{ render }} from \"../../{}\";\n", ONLY.trim_end_matches(".tsx")),
            "\"only\" in element.dataset ? render(Component, element) : ",
        ),
        false => (String::new(), ""),
    };
    let mount = MOUNT.trim_end_matches(".tsx");
    format!(
        "{adopt}import Component from {island};\n\
         import {{ mount }} from \"../../{mount}\";\n\
         {only}export default (element: HTMLElement) => {render}mount(Component, element);\n"
    )
}

fn bundled_for_browsers(
    sources: &Sources,
    run: BrowserRun,
    replaced: &[(String, String)],
    profile: &Profile,
    tools: &dyn Tools,
) -> Result<(Islands, Vec<String>), Vec<Diagnostic>> {
    let BrowserRun { names, scripts, .. } = run;
    let written = names.iter().map(|name| (format!("{name}.tsx"), browser_entry(sources, name, &run)));
    let mut options = vec![
        "--format=esm".to_owned(),
        "--splitting".to_owned(),
        "--legal-comments=none".to_owned(),
        "--target=es2022".to_owned(),
        "--entry-names=[name]-[hash]".to_owned(),
        "--chunk-names=chunk-[hash]".to_owned(),
        format!("--define:process.env.NODE_ENV=\"{}\"", environment(profile)),
    ];
    if !profile.development {
        options.push("--minify".to_owned());
    }
    options.extend(react::for_browsers(profile.development));
    options.extend(loaders());
    let (written, replaced): (Vec<_>, _) = (written.collect(), replaced.to_vec());
    let entries = scripts.iter().map(|path| (*path).to_owned()).collect();
    let bundling = Bundling { written, replaced, entries, options };
    let (mut bundle, deciding) = bundle(sources, &bundling, tools)?;
    with_addresses(&mut bundle.files);
    let makers = self::adopting(names, &bundle);
    let mut inlined = |path: &str| {
        let script = bundle.entries.remove(path).and_then(|files| bundle.files.remove(&files[0])).unwrap_or_default();
        String::from_utf8_lossy(&script).trim_end().to_owned()
    };
    let (loader, styler, enhancer) = (inlined(LOADER), inlined(STYLES), inlined(ENHANCER));
    let plain = names.iter().filter(|name| is_plain(sources, name)).map(|name| name.to_string()).collect();
    let modules = names.iter().map(|name| {
        let files = bundle.entries.get(&format!("{ENTRIES}/{name}.tsx")).map(Vec::as_slice).unwrap_or_default();
        (name.to_string(), files.iter().map(|file| format!("{FOLDER}/{file}")).collect())
    });
    let modules: BTreeMap<String, Vec<String>> = modules.collect();
    let packages = modules.values().flatten().map(|path| (path.clone(), packages_of(file_name(path), &bundle)));
    let packages = packages.collect();
    let costs = modules.iter().map(|(name, files)| cost(name, files, &modules, &packages, &bundle)).collect();
    let styles = names.iter().filter_map(|name| {
        let file = bundle.styles.get(&format!("{ENTRIES}/{name}.tsx"))?;
        // Nothing in it may look like its end.
        let css = String::from_utf8_lossy(bundle.files.get(file)?).trim_end().replace("</", "<\\/");
        Some((name.to_string(), css)).filter(|(_, css)| !css.is_empty())
    });
    let styles = styles.collect();
    bundle.files.retain(|name, _| !name.ends_with(".css"));
    let files = bundle.files.into_iter().map(|(name, bytes)| (format!("{FOLDER}/{name}"), Arc::from(bytes))).collect();
    let prerenderers = BTreeMap::new();
    let islands =
        Islands { modules, packages, costs, styles, files, loader, enhancer, plain, styler, prerenderers, deciding };
    Ok((islands, makers))
}

/// What an island costs, given its modules, those of all islands, and the packages in each.
fn cost(
    name: &str,
    files: &[String],
    modules: &BTreeMap<String, Vec<String>>,
    packages: &BTreeMap<String, Packages>,
    bundle: &Bundle,
) -> Cost {
    let mut cost = Cost { island: name.to_owned(), ..Cost::default() };
    for path in files {
        let size = bundle.files.get(file_name(path)).map_or(0, Vec::len);
        cost.size += size;
        let others = modules.iter().filter(|(other, files)| *other != name && files.contains(path));
        let others: Vec<String> = others.map(|(other, _)| other.clone()).collect();
        if !others.is_empty() {
            cost.shared.push((size, others));
        }
    }
    let later = bundle.later.get(&format!("{ENTRIES}/{name}.tsx"));
    cost.later = later.into_iter().flatten().filter_map(|file| bundle.files.get(file)).map(Vec::len).sum();
    cost.packages = largest_first(files.iter().filter_map(|path| packages.get(path)).flatten());
    cost
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The packages in a file that esbuild has written.
fn packages_of(file: &str, bundle: &Bundle) -> Packages {
    let named = bundle.parts.get(file).into_iter().flatten().map(|(input, bytes)| {
        let package = blame::package(input).unwrap_or("islands");
        (package.to_owned(), *bytes)
    });
    largest_first(&named.collect::<Packages>())
}

/// Gives modules and stylesheets the addresses of files. esbuild writes paths relative to the module, which mean another
/// thing in a page.
fn with_addresses(files: &mut BTreeMap<String, Vec<u8>>) {
    let is_code = |name: &str| name.ends_with(".js") || name.ends_with(".css");
    let names: Vec<String> = files.keys().filter(|name| !is_code(name)).cloned().collect();
    for (_, bytes) in files.iter_mut().filter(|(name, _)| is_code(name)) {
        for name in &names {
            let relative = format!("./{name}");
            if memchr::memmem::find(bytes, relative.as_bytes()).is_some() {
                let text = String::from_utf8_lossy(bytes).replace(&relative, &format!("{BASE}{FOLDER}/{name}"));
                *bytes = text.into_bytes();
            }
        }
    }
}

/// Options for a bundle that the engine runs: an expression whose value is a function with these parameters, which starts
/// with the given statements.
fn for_engine(parameters: &str, start: &str, profile: &Profile) -> Vec<String> {
    vec![
        // In a function of our own, which is run for every call. The text begins with a number since the engine reads one
        // that begins like an arrow function twice. The function is strict because browsers get modules.
        "--format=esm".to_owned(),
        format!("--banner:js=0,function{parameters}{{\"use strict\";{start}"),
        "--footer:js=}".to_owned(),
        "--legal-comments=none".to_owned(),
        "--target=es2022".to_owned(),
        "--minify-syntax".to_owned(),
        "--minify-whitespace".to_owned(),
        // There is neither a document nor Node. Packages that distinguish know such places as the servers at the edges of
        // networks. What a package has for browsers is taken where its `exports` have nothing for those. Of its field
        // `browser` the map of files is read, as for browsers, and not the entry, which often needs a document.
        "--platform=browser".to_owned(),
        "--main-fields=module,main".to_owned(),
        "--conditions=workerd,worker,edge-light,browser,module".to_owned(),
        // As for browsers, since packages render other classes in development.
        format!("--define:process.env.NODE_ENV=\"{}\"", environment(profile)),
    ]
}

/// Options for the bundles of islands, beside those for the engine.
const PRERENDER_OPTIONS: [&str; 9] = [
    "--supported:top-level-await=false",
    "--sourcemap=external",
    "--sources-content=false",
    // Bundlers for development have it.
    "--define:import.meta.env=undefined",
    "--define:import.meta.hot=undefined",
    "--define:import.meta.webpackHot=undefined",
    "--define:import.meta.dirname=undefined",
    "--define:import.meta.filename=undefined",
    "--define:import.meta.url=\"file:///island.js\"",
];

/// Returns the module that the engine runs for an island.
fn prerender_entry(sources: &Sources, name: &str, is_rendered: bool) -> String {
    let island = import_of(name);
    if !is_rendered {
        // Its module runs as in browsers, and `mount` waits for an element.
        return format!(
            "import {{ mount }} from {island};\n\
             globalThis.prerender = () => {{\n\
             if (typeof mount !== \"function\") throw new TypeError(\"`mount` is not a function\");\n\
             return \"\";\n}};\n"
        );
    }
    if is_plain(sources, name) {
        return format!(
            "import {{ render }} from {island};\n\
             globalThis.prerender = (name, props) => String(render(JSON.parse(props)));\n"
        );
    }
    let register = PRERENDER.trim_end_matches(".tsx");
    format!(
        "import Component from {island};\n\
         import {{ register }} from \"../../{register}\";\n\
         register({{ [{}]: Component }});\n",
        quoted(name)
    )
}

fn for_prerendering(
    sources: &Sources,
    names: &[&str],
    replaced: &[(String, String)],
    locales: &[String],
    profile: &Profile,
    tools: &dyn Tools,
) -> Result<(Prerenderers, Option<Deciding>), Vec<Diagnostic>> {
    let is_rendered = |name: &str| !is_plain(sources, name) || is_rendered(sources, name);
    let entry = |name: &&str| (format!("{name}.tsx"), prerender_entry(sources, name, is_rendered(name)));
    let written = names.iter().map(entry).collect();
    let mut options = for_engine("()", "", profile);
    options.extend(PRERENDER_OPTIONS.map(str::to_owned));
    options.extend(react::for_prerendering(tools, environment(profile)));
    options.extend(loaders());
    options.push(format!("--public-path={BASE}{FOLDER}"));
    // A package may have the name of one of Node's modules, and is meant then.
    for name in NODE.iter().filter(|name| tools.package(name).is_none()) {
        options.extend([name.to_string(), format!("node:{name}")].map(|name| format!("--alias:{name}=./{STAND_IN}")));
    }
    let mut replaced = replaced.to_vec();
    replaced.push((STAND_IN.to_owned(), include_str!("node.cjs").to_owned()));
    let bundling = Bundling { written, replaced, entries: Vec::new(), options };
    let (mut bundle, deciding) = bundle(sources, &bundling, tools)?;
    let imports = bundle.imports.into_iter().map(|(path, imports)| {
        let imports = imports.into_iter().map(|(path, words)| (blame::in_project(&path).to_owned(), words));
        (blame::in_project(&path).to_owned(), imports.collect())
    });
    let imports: Arc<BTreeMap<String, Vec<(String, String)>>> = Arc::new(imports.collect());
    let codes: Vec<(&str, String)> = names
        .iter()
        .map(|name| {
            let code = bundle.files.remove(&format!("{name}.js")).unwrap_or_default();
            (*name, String::from_utf8_lossy(&code).into_owned())
        })
        .collect();
    let (texts, others) = match codes.iter().any(|(_, code)| makes_texts(code)) {
        true => Texts::compile(sources, locales, profile, tools)?,
        false => (Texts::default(), Some(Vec::new())),
    };
    let texts = Arc::new(texts);
    let prerenderers = codes.into_iter().map(|(name, code)| {
        let map = bundle.files.remove(&format!("{name}.js.map")).unwrap_or_default();
        let texts = makes_texts(&code).then(|| texts.clone());
        let of_texts = texts.as_ref().map(|texts| texts.digest).unwrap_or_default();
        let digest = digest_of(&(&code, of_texts));
        let renders = is_rendered(name);
        (name.to_owned(), Arc::new(Prerenderer { code, map, digest, renders, texts, imports: imports.clone() }))
    });
    Ok((prerenderers.collect(), both(deciding, others)))
}

/// Whether a bundle may make texts of a language.
fn makes_texts(code: &str) -> bool {
    ["Intl", "toLocale"].iter().any(|word| code.contains(word))
}
