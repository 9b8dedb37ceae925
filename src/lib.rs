//! `sitegen` compiles a website: YAML, Markdown, templates and React islands in, a verified site out.
//!
//! A build either publishes a fully verified site or changes nothing, and says exactly which line to fix.
//!
//! # Map
//!
//! ```text
//! disk ─ sources::read ─► Sources ─ content::resolve ─► Site ─┐
//!                          ├─────── islands::compile ─► Islands ─┼─ pages::render ─► Pages ─ artifacts::seal ─► Artifacts ─ publish ─► dist/
//!                          └─────── styles::compile ──► Styles ──┘
//! ```
//!
//! # Invariants
//!
//! - A stage is a function from values to a [`diagnostics::Checked`] value: the value, and every diagnostic. A stage
//!   with errors stops the next one, so each mistake is reported once.
//! - Stages read no clock, environment, random number or hash-map order. What varies comes in through
//!   [`profile::Profile`]; the outside world is reached through [`tools::Tools`] alone.
//! - The cache is keyed by the digest of everything that a result was made from, never by time.
//! - Facts about a page are read from its final bytes.

// The fuzzer builds sites and publishes none. Without what does so it compiles in a quarter less time.
#[cfg(not(fuzzing))]
pub mod cli;
#[cfg(not(fuzzing))]
pub mod disk;
#[cfg(not(fuzzing))]
pub mod editing;
#[cfg(not(fuzzing))]
pub mod lsp;
#[cfg(not(fuzzing))]
pub mod serve;
#[cfg(not(fuzzing))]
pub mod session;
#[cfg(not(fuzzing))]
pub mod watch;

pub use sitegen_artifacts::{self as artifacts, snapshot};
pub use sitegen_content as content;
pub use sitegen_core::{bundle, cache, diagnostics, html, observe, parallel, paths, profile, shelf, sources, tools};
#[cfg(not(fuzzing))]
pub use sitegen_deploy as deploy;
pub use sitegen_edit as edit;
pub use sitegen_ide as ide;
pub use sitegen_islands as islands;
pub use sitegen_pages as pages;
pub use sitegen_pictures as pictures;
#[cfg(not(fuzzing))]
pub use sitegen_publish as publish;
pub use sitegen_search as search;
#[cfg(not(fuzzing))]
pub use sitegen_storage as storage;
pub use sitegen_styles as styles;
pub use sitegen_templates as templates;

use artifacts::{Artifacts, PartBuilt};
use content::languages::Languages;
use content::suppressions::Suppressions;
use content::{Site, judgement};
use diagnostics::{Checked, distinct, limited};
use pages::written::{Renderings, WrittenPage};
use pages::{Inputs, Part};
use profile::Profile;
use sources::Sources;
use tools::Tools;

/// The version of the program, and a digest of its sources and of the versions of its dependencies (`src/build.rs`).
pub const ENGINE: &str = concat!("sitegen ", env!("CARGO_PKG_VERSION"), " ", env!("SITEGEN_ENGINE"));

/// Builds a site from its sources.
///
/// ```
/// use sitegen::{build, profile::Profile, sources::Sources, tools::DiskTools};
///
/// let sources = Sources::from_files([
///     ("content/site.yaml", "url: https://www.example.com\nlanguage: en\nname: Bakery\n"),
///     ("content/pages/index.md", "---\ntitle: Bread\n---\n\nFresh every *morning*.\n"),
///     (
///         "templates/pages/page.html",
///         "<!doctype html><html lang=en><head><title>{{ page.title }}</title></head>\
///          <body><main><h1>{{ page.title }}</h1>{{ page.content }}</main></body></html>",
///     ),
/// ]);
/// // Runs esbuild for islands, of which this site has none, and keeps what it caches below this folder.
/// let tools = DiskTools::of(&std::env::temp_dir());
/// let built = build(&sources, &Profile::default(), &tools);
/// assert_eq!(built.diagnostics, []);
/// let site = built.value.unwrap();
/// assert!(String::from_utf8_lossy(site.get("index.html").unwrap()).contains("Fresh every <em>morning</em>."));
/// ```
pub fn build(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Checked<Artifacts> {
    build_keeping(sources, profile, tools).artifacts
}

/// What [`build_keeping`] gives.
pub struct Built {
    /// The resolved content, unless that has errors: also that of a site with errors elsewhere.
    pub site: Option<Site>,
    /// What [`build`] gives.
    pub artifacts: Checked<Artifacts>,
}

/// As [`build`], and keeps the resolved content.
pub fn build_keeping(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Built {
    let (site, compiled) = compile(sources, profile, tools);
    let (mut judged, suppressed) = judgement::judge(compiled, sources, tools.cache());
    if let Some(artifacts) = &mut judged.value {
        artifacts.site.suppressed = suppressed.len();
        artifacts.suppressed = suppressed;
    }
    let diagnostics = limited(judged.diagnostics);
    let diagnostics = content::table::name_cells(diagnostics, |path| sources.text(path));
    Built { site, artifacts: Checked { diagnostics, ..judged } }
}

/// Returns where the parts of a page of a valid site were written. `None` if it cannot be rendered.
pub fn written(
    sources: &Sources,
    profile: &Profile,
    tools: &dyn Tools,
    (site, page): (&Site, &content::Page),
    renderings: &Renderings,
) -> Option<WrittenPage> {
    let sources = &Languages::of(sources, tools.cache()).joined(sources);
    let styles = styles::compile(sources, tools).value?;
    let islands = islands::compile(sources, profile, tools).value?;
    let inputs = Inputs { sources, profile, site, view: site.view(page), styles: &styles, islands: &islands, tools };
    pages::written::written(inputs, page, renderings)
}

/// Returns all errors of a site that can be suppressed, by file and code. Fails with the others, if there are any.
pub fn suppressible(
    sources: &Sources,
    profile: &Profile,
    tools: &dyn Tools,
) -> Result<Suppressions, Vec<diagnostics::Diagnostic>> {
    judgement::suppressible(compile(sources, profile, tools).1, sources, tools.cache()).map_err(limited)
}

/// Runs the stages up to the finished files. Diagnostics have the severities of the engine, and none is suppressed.
fn compile(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> (Option<Site>, Checked<Artifacts>) {
    compile_to(sources, profile, tools, |inputs| pages::render(inputs).then(|pages| artifacts::seal(inputs, pages)))
}

/// Makes a part of what takes long in a build, and sends it to the cache that machines share.
pub fn build_part(sources: &Sources, profile: &Profile, tools: &dyn Tools, part: Part) -> Checked<PartBuilt> {
    let built = compile_to(sources, profile, tools, |inputs| artifacts::make_part(inputs, part)).1;
    let Checked { value, diagnostics } = judgement::judge(built, sources, tools.cache()).0;
    Checked { value, diagnostics: limited(diagnostics) }
}

/// Runs the stages up to the inputs of the pages, and then `finish`.
fn compile_to<T>(
    sources: &Sources,
    profile: &Profile,
    tools: &dyn Tools,
    finish: impl FnOnce(Inputs) -> Checked<T>,
) -> (Option<Site>, Checked<T>) {
    cache::name_engine(ENGINE);
    let languages = Languages::of(sources, tools.cache());
    let sources = &languages.joined(sources);
    let ((site, styles), islands) = parallel::join(
        || parallel::join(|| content::resolve(sources, profile, tools), || styles::compile(sources, tools)),
        || islands::compile(sources, profile, tools),
    );
    let resolved = Checked { value: site.value.as_ref(), diagnostics: site.diagnostics };
    let made = resolved.and(styles).and(islands).then(|((site, styles), islands)| {
        let inputs = Inputs { sources, profile, site, view: site.main(), styles: &styles, islands: &islands, tools };
        finish(inputs)
    });
    let mut diagnostics = made.diagnostics;
    languages.locate(sources, &mut diagnostics);
    (site.value, Checked { diagnostics: distinct(diagnostics), ..made })
}
