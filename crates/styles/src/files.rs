//! Resolves the files that stylesheets name: other stylesheets, pictures and fonts, of the project and of packages.

use sitegen_content::assets::{FOLDER, hashed_name};
use sitegen_core::diagnostics::{ImportProblem, Meant, Problem, StyleProblem, meant};
use sitegen_core::paths::{ASSETS, SourcePath, joined};
use sitegen_core::sources::{Sources, digest};
use sitegen_core::tools::Tools;
use std::sync::Arc;

/// Extensions of files that a stylesheet may load.
const KINDS: [&str; 11] = ["svg", "png", "jpg", "jpeg", "gif", "webp", "avif", "woff2", "woff", "ttf", "otf"];

/// Folders of a project whose files stylesheets can name.
const FOLDERS: [&str; 3] = ["content/", "islands/", "templates/"];

/// The location of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SheetOrigin {
    /// In the project.
    Source(SourcePath),
    /// In a package, by its path on disk.
    Package(String),
    /// In the program, by its address.
    BuiltIn(&'static str),
}

/// Begins the addresses of stylesheets that the program brings.
const BUILT_IN: &str = "sitegen:";

/// The stylesheets that the program brings.
const SHEETS: &[(&str, &str)] = &[
    ("sitegen:code.css", sitegen_content::code::STYLESHEET),
    ("sitegen:math.css", sitegen_content::markdown::MATH_STYLESHEET),
    ("sitegen:search.css", sitegen_search::STYLESHEET),
];

impl SheetOrigin {
    /// Returns the path for display.
    pub fn path(&self) -> &str {
        match self {
            SheetOrigin::Source(path) => path.as_str(),
            SheetOrigin::Package(path) => path.find("node_modules/").map_or(path, |at| &path[at..]),
            SheetOrigin::BuiltIn(address) => address,
        }
    }

    /// Resolves a path relative to this file. `None` if it leaves the project or the package.
    fn join(&self, address: &str) -> Option<SheetOrigin> {
        let path = match self {
            SheetOrigin::Source(path) => path.as_str(),
            SheetOrigin::Package(path) => path,
            SheetOrigin::BuiltIn(_) => return None,
        };
        let joined = joined(path, address)?;
        match self {
            SheetOrigin::Source(_) => Some(SheetOrigin::Source(SourcePath::new(joined))),
            SheetOrigin::Package(_) => joined.contains("/node_modules/").then_some(SheetOrigin::Package(joined)),
            SheetOrigin::BuiltIn(_) => None,
        }
    }

    /// Returns its bytes.
    pub fn bytes(&self, sources: &Sources, tools: &dyn Tools) -> Option<Arc<[u8]>> {
        match self {
            SheetOrigin::BuiltIn(address) => {
                SHEETS.iter().find(|(name, _)| name == address).map(|(_, text)| text.as_bytes().into())
            }
            SheetOrigin::Source(path) => sources.get(path).and_then(|source| source.body.shared()),
            SheetOrigin::Package(path) => tools.package_file(path),
        }
    }
}

/// A file that a stylesheet loads.
pub struct LoadedFile {
    /// Its published address, with what follows `?` and `#`.
    pub url: String,
    pub bytes: Arc<[u8]>,
    /// Where it is.
    pub origin: SheetOrigin,
}

/// Whether browsers would ask another host for it, or none.
fn is_elsewhere(address: &str) -> bool {
    let scheme = address.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_scheme =
        scheme.len() > 1 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme || address.starts_with("//")
}

/// Resolves the stylesheet of an `@import`.
pub fn import(
    address: &str,
    from: &SheetOrigin,
    sources: &Sources,
    tools: &dyn Tools,
) -> Result<SheetOrigin, ImportProblem> {
    let outside = || ImportProblem::OutsideImport { path: address.to_owned() };
    if address.starts_with(BUILT_IN) {
        let names = || SHEETS.iter().map(|(name, _)| *name);
        let missing = || ImportProblem::MissingImport { path: address.to_owned(), nearest: meant(address, names()) };
        return names().find(|name| *name == address).map(SheetOrigin::BuiltIn).ok_or_else(missing);
    }
    if is_elsewhere(address) || address.starts_with('/') {
        return Err(outside());
    }
    let relative = from.join(address);
    if let Some(relative) = relative.as_ref().filter(|relative| relative.bytes(sources, tools).is_some()) {
        return Ok(relative.clone());
    }
    let is_relative = address.starts_with('.');
    if !is_relative && let Some(origin) = of_package(address, tools) {
        return Ok(origin);
    }
    Err(match relative {
        Some(SheetOrigin::Source(path))
            if is_relative && !FOLDERS.iter().any(|folder| path.as_str().starts_with(folder)) =>
        {
            outside()
        }
        None => outside(),
        Some(SheetOrigin::Source(path)) => match nearest_file(&path, address, sources, |kind| kind == "css") {
            None if !is_relative => {
                ImportProblem::MissingPackage { name: package_name(address).to_owned(), nearest: None }
            }
            nearest => ImportProblem::MissingImport { path: address.to_owned(), nearest },
        },
        Some(_) => ImportProblem::MissingImport { path: address.to_owned(), nearest: None },
    })
}

/// Resolves the file of a `url()`. `None` if the address stays as written.
pub fn load(
    address: &str,
    from: &SheetOrigin,
    sources: &Sources,
    tools: &dyn Tools,
) -> Result<Option<LoadedFile>, Problem> {
    if address.is_empty() || address.starts_with('#') || is_elsewhere(address) {
        return Ok(None);
    }
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let (path, suffix) = address.split_at(end);
    let missing = |nearest| ImportProblem::MissingImport { path: address.to_owned(), nearest };
    if path.starts_with('/') {
        return Err(missing(None).into());
    }
    let Some(origin) = from.join(path) else {
        return Err(ImportProblem::OutsideImport { path: address.to_owned() }.into());
    };
    let is_kind = |kind: &str| KINDS.contains(&kind.to_ascii_lowercase().as_str());
    let Some(bytes) = origin.bytes(sources, tools) else {
        return Err(match &origin {
            SheetOrigin::Source(file) if !FOLDERS.iter().any(|folder| file.as_str().starts_with(folder)) => {
                ImportProblem::OutsideImport { path: address.to_owned() }.into()
            }
            SheetOrigin::Source(file) => missing(nearest_file(file, path, sources, is_kind)).into(),
            _ => missing(None).into(),
        });
    };
    let name = origin.path().rsplit('/').next().unwrap_or_default();
    if !name.rsplit_once('.').is_some_and(|(_, kind)| is_kind(kind)) {
        let detail = format!("`{address}` is not an image or a font that browsers load");
        let fix = Some("use a file that ends in svg, png, jpg, webp, avif, gif, woff2, woff, ttf or otf".to_owned());
        return Err(StyleProblem::CssValue { detail, fix }.into());
    }
    let name = match &origin {
        SheetOrigin::Source(path) => path.below(ASSETS).unwrap_or(name),
        _ => name,
    };
    let url = format!("{FOLDER}/{}{suffix}", hashed_name(name, &digest(&bytes)));
    Ok(Some(LoadedFile { url, bytes, origin }))
}

/// `@scope/name` of `@scope/name/path/to.css`.
fn package_name(address: &str) -> &str {
    let parts = if address.starts_with('@') { 2 } else { 1 };
    address.match_indices('/').nth(parts - 1).map_or(address, |(at, _)| &address[..at])
}

/// Resolves the stylesheet of a package, by the keys `style`, `exports` and `main` of its `package.json`.
fn of_package(address: &str, tools: &dyn Tools) -> Option<SheetOrigin> {
    let name = package_name(address);
    let folder = tools.package(name)?;
    let rest = address[name.len()..].trim_start_matches('/');
    let manifest = tools.package_file(&format!("{folder}/package.json"));
    let manifest: serde_json::Value = serde_json::from_slice(&manifest.unwrap_or_default()).unwrap_or_default();
    let key = if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") };
    let exports = &manifest["exports"];
    let exported = if exports.is_object() && exports.get(".").is_none() && rest.is_empty() {
        exports
    } else {
        &exports[key.as_str()]
    };
    let exported = ["style", "default", "import"].iter().find_map(|key| exported[key].as_str()).or(exported.as_str());
    let entries = [manifest["style"].as_str(), exported, manifest["main"].as_str(), Some("index.css")];
    let candidates: Vec<&str> = match rest {
        "" => entries.into_iter().flatten().filter(|path| path.ends_with(".css")).collect(),
        rest => [Some(rest), exported].into_iter().flatten().collect(),
    };
    let package = SheetOrigin::Package(format!("{folder}/package.json"));
    candidates
        .into_iter()
        .filter_map(|path| package.join(path))
        .find(|origin| matches!(origin, SheetOrigin::Package(path) if tools.package_file(path).is_some()))
}

/// Returns the address of the file that was probably meant, relative to the same stylesheet.
fn nearest_file(path: &SourcePath, address: &str, sources: &Sources, is_kind: impl Fn(&str) -> bool) -> Option<Meant> {
    let folder = path.as_str().rsplit_once('/')?.0;
    let files = sources.below(folder).filter(|(path, _)| path.extension().is_some_and(&is_kind));
    let names = files.filter_map(|(path, _)| path.below(folder).filter(|name| !name.contains('/')));
    let name = meant(path.name(), names)?;
    Some(name.within(format!("{}{name}", &address[..address.rfind('/').map_or(0, |at| at + 1)])))
}
