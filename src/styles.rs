//! The stylesheet: `templates/styles/main.css`, then the rules of every component and island, bundled and minified.

use crate::bundle::{Bundle, bundle};
use crate::content::assets::FOLDER;
use crate::diagnostics::Checked;
use crate::observe::Work;
use crate::paths::SourcePath;
use crate::sources::Sources;
use crate::tools::{Bundling, Tools};
use std::sync::Arc;

const MAIN: &str = "templates/styles/main.css";
const ENTRY: &str = "styles.css";
/// Stands for the path of the site on its host, which is not known when the stylesheet is bundled.
const BASE: &str = "/--base--";

/// The bundled stylesheet.
#[derive(Clone, Debug, Default)]
pub struct Styles {
    /// What pages carry inline.
    pub css: String,
    /// Files that the stylesheet loads, by their path from the site's root.
    pub files: Vec<(String, Arc<[u8]>)>,
}

impl Styles {
    /// The stylesheet for a site below a path of its host.
    pub fn below(&self, base_path: &str) -> String {
        self.css.replace(BASE, base_path)
    }
}

/// Bundles the stylesheet. A site without one gets an empty one.
pub fn compile(sources: &Sources, tools: &dyn Tools) -> Checked<Styles> {
    let _work = Work::on(tools.observer(), "styles");
    let imports: String = parts(sources).map(|path| format!("@import \"../../{path}\";\n")).collect();
    if imports.is_empty() {
        return Checked::new(Styles::default(), Vec::new());
    }
    let loaders = ["svg", "png", "jpg", "jpeg", "gif", "webp", "avif", "woff2", "woff", "ttf", "otf"]
        .map(|kind| format!("--loader:.{kind}=file"));
    let options = ["--minify", "--target=chrome111,firefox114,safari16.4", "--asset-names=[name]-[hash]"];
    let bundling = Bundling {
        written: vec![(ENTRY.to_owned(), imports)],
        entries: Vec::new(),
        options: options
            .map(str::to_owned)
            .into_iter()
            .chain(loaders)
            .chain([format!("--public-path={BASE}{FOLDER}")])
            .collect(),
    };
    match bundle(sources, &["templates/", "islands/", "content/assets/"], &bundling, tools) {
        Err(found) => Checked::failed(found),
        Ok(Bundle { mut files, .. }) => {
            let css = files.remove(ENTRY).unwrap_or_default();
            let css = String::from_utf8_lossy(&css).trim_end().to_owned();
            let files = files.into_iter().map(|(name, bytes)| (format!("{FOLDER}/{name}"), Arc::from(bytes))).collect();
            Checked::new(Styles { css, files }, Vec::new())
        }
    }
}

/// The stylesheets in the order of the cascade: layers that `main.css` declares decide between them.
fn parts(sources: &Sources) -> impl Iterator<Item = &SourcePath> {
    let css = |folder| sources.below(folder).map(|(path, _)| path).filter(|path| path.extension() == Some("css"));
    let main = sources.below("templates").map(|(path, _)| path).filter(|path| path.as_str() == MAIN);
    main.chain(css("templates/components")).chain(css("islands"))
}
