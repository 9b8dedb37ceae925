//! Islands: the components of `islands/` that browsers hydrate.
//!
//! esbuild bundles them twice: for browsers, one module for each island with what they share split off, and once for
//! prerendering, which happens here, in an embedded JavaScript engine. Node is not part of a build.

mod prerender;

pub use prerender::{Call, prerender};

use crate::bundle::bundle;
use crate::content::assets::FOLDER;
use crate::diagnostics::{Checked, Diagnostic, Place, Problem};
use crate::observe::Work;
use crate::paths::SourcePath;
use crate::profile::Profile;
use crate::sources::{Digest, Sources, digest};
use crate::tools::{Bundling, ENTRIES, Tools};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Parts that every project with islands has. See the reference for what each must export.
const LOADER: &str = "islands/runtime/loader.ts";
const MOUNT: &str = "islands/runtime/mount.tsx";
const PRERENDER: &str = "islands/runtime/prerender.tsx";

/// The islands of a project, bundled.
#[derive(Clone, Debug, Default)]
pub struct Islands {
    /// For each island the modules that it needs, itself first, as paths from the site's root.
    pub modules: BTreeMap<String, Vec<String>>,
    /// The modules.
    pub files: Vec<(String, Arc<[u8]>)>,
    /// The script that pages with islands carry inline.
    pub loader: String,
    /// The bundle that renders islands to HTML.
    pub prerenderer: Arc<Prerenderer>,
}

/// The bundle that renders islands to HTML.
#[derive(Debug, Default)]
pub struct Prerenderer {
    /// Its JavaScript.
    pub code: String,
    /// Its source map.
    pub map: Vec<u8>,
    /// The digest of the JavaScript.
    pub digest: Digest,
}

/// Bundles the islands. A site without islands needs no packages.
pub fn compile(sources: &Sources, profile: &Profile, tools: &dyn Tools) -> Checked<Islands> {
    let _work = Work::on(tools.observer(), "islands");
    let names: Vec<&str> = names(sources).collect();
    if names.is_empty() {
        return Checked::new(Islands::default(), Vec::new());
    }
    let missing = [LOADER, MOUNT, PRERENDER].into_iter().filter(|path| sources.get(&SourcePath::new(path)).is_none());
    let missing: Vec<Diagnostic> = missing
        .map(|path| Diagnostic::error(Problem::MissingFile { path: path.into() }, Place::file(&SourcePath::new(path))))
        .collect();
    if !missing.is_empty() {
        return Checked::failed(missing);
    }
    let (browser, prerenderer) =
        rayon::join(|| for_browsers(sources, &names, profile, tools), || for_prerendering(sources, &names, tools));
    match (browser, prerenderer) {
        (Ok(islands), Ok(prerenderer)) => {
            Checked::new(Islands { prerenderer: Arc::new(prerenderer), ..islands }, Vec::new())
        }
        // Both bundles are made of the same files and say the same of them.
        (Err(diagnostics), _) | (_, Err(diagnostics)) => Checked::failed(diagnostics),
    }
}

/// The islands' names: the top-level `.tsx` files of `islands/`.
fn names(sources: &Sources) -> impl Iterator<Item = &str> {
    sources.below("islands").filter_map(|(path, _)| {
        let file = path.below("islands")?;
        file.strip_suffix(".tsx").filter(|name| !name.contains('/'))
    })
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
    profile: &Profile,
    tools: &dyn Tools,
) -> Result<Islands, Vec<Diagnostic>> {
    let written = names.iter().map(|name| {
        let text = format!(
            "import Component from {};\n\
             import {{ mount }} from \"../../{}\";\n\
             export default (element: HTMLElement) => mount(Component, element);\n",
            import_of(name),
            MOUNT.trim_end_matches(".tsx")
        );
        (format!("{name}.tsx"), text)
    });
    let mut options = vec![
        "--format=esm".to_owned(),
        "--splitting".to_owned(),
        "--jsx=automatic".to_owned(),
        "--legal-comments=none".to_owned(),
        "--target=es2022".to_owned(),
        "--entry-names=[name]-[hash]".to_owned(),
        "--chunk-names=chunk-[hash]".to_owned(),
        format!("--define:process.env.NODE_ENV=\"{}\"", if profile.development { "development" } else { "production" }),
    ];
    if profile.development {
        options.push("--jsx-dev".to_owned());
    } else {
        options.push("--minify".to_owned());
        // Drops React's code for its developer tools, a quarter of a kilobyte that no visitor uses.
        options.push("--define:__REACT_DEVTOOLS_GLOBAL_HOOK__=undefined".to_owned());
    }
    let bundling = Bundling { written: written.collect(), entries: vec![LOADER.to_owned()], options };
    let mut bundle = bundle(sources, &["islands/"], &bundling, tools)?;
    let loader = bundle.entries.remove(LOADER).and_then(|files| bundle.files.remove(&files[0])).unwrap_or_default();
    let modules = names.iter().map(|name| {
        let files = bundle.entries.get(&format!("{ENTRIES}/{name}.tsx")).map(Vec::as_slice).unwrap_or_default();
        (name.to_string(), files.iter().map(|file| format!("{FOLDER}/{file}")).collect())
    });
    Ok(Islands {
        modules: modules.collect(),
        files: bundle.files.into_iter().map(|(name, bytes)| (format!("{FOLDER}/{name}"), Arc::from(bytes))).collect(),
        loader: String::from_utf8_lossy(&loader).trim_end().to_owned(),
        prerenderer: Arc::default(),
    })
}

fn for_prerendering(sources: &Sources, names: &[&str], tools: &dyn Tools) -> Result<Prerenderer, Vec<Diagnostic>> {
    let mut text = format!("import {{ register }} from \"../../{}\";\n", PRERENDER.trim_end_matches(".tsx"));
    for (index, name) in names.iter().enumerate() {
        text.push_str(&format!("import island{index} from {};\n", import_of(name)));
    }
    let list: Vec<String> =
        names.iter().enumerate().map(|(index, name)| format!("[{}]: island{index}", quoted(name))).collect();
    text.push_str(&format!("register({{ {} }});\n", list.join(", ")));
    let mut options = vec![
        // In a function of our own: the engine reads one that begins with an arrow twice, which is half of its work. It is
        // strict because browsers get modules.
        "--format=esm".to_owned(),
        "--banner:js=!function(){\"use strict\";".to_owned(),
        "--footer:js=}();".to_owned(),
        "--supported:top-level-await=false".to_owned(),
        "--jsx=automatic".to_owned(),
        "--legal-comments=none".to_owned(),
        "--target=es2022".to_owned(),
        "--minify-syntax".to_owned(),
        "--minify-whitespace".to_owned(),
        "--sourcemap=external".to_owned(),
        "--sources-content=false".to_owned(),
        // React's development build reads the clock. Its HTML is the same.
        "--define:process.env.NODE_ENV=\"production\"".to_owned(),
    ];
    // The entry that `react-dom/server` gives browsers also streams, and wants MessageChannel and TextEncoder for it.
    // This one only renders to a string: half the bytes, and it runs in a bare engine.
    if let Some(folder) = tools.package("react-dom") {
        let file = "react-dom-server-legacy.browser.production.js";
        options.push(format!("--alias:react-dom/server={folder}/cjs/{file}"));
    }
    let bundling = Bundling { written: vec![("prerender.tsx".to_owned(), text)], entries: Vec::new(), options };
    let mut bundle = bundle(sources, &["islands/"], &bundling, tools)?;
    let code = bundle.files.remove("prerender.js").unwrap_or_default();
    let map = bundle.files.remove("prerender.js.map").unwrap_or_default();
    let digest = digest(&code);
    Ok(Prerenderer { code: String::from_utf8_lossy(&code).into_owned(), map, digest })
}
