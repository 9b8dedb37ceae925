//! Files of `content/assets` and beside texts, published under names that carry the digest of their content.

use super::address_keys::OF_TRANSLATIONS;
use super::check::check;
use super::read::read_file;
use super::schema::{PICTURE, Schema};
use super::yaml::{Node, Value};
use serde::{Deserialize, Serialize};
use sitegen_core::cache::{Cache, Persistent, Query};
use sitegen_core::diagnostics::{AssetProblem, Diagnostic, FileProblem, Place, Problem, meant_path};
use sitegen_core::parallel;
use sitegen_core::paths::{ASSETS, PUBLIC, RESERVED, SourcePath, composed, joined, percent_decoded, percent_encoded};
use sitegen_core::sources::{Body, Digest, Source, SourceKind, Sources};
use sitegen_pictures::{Fault, Focus, Header, is_picture, is_shown};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The folder of published assets, from the site's root.
pub const FOLDER: &str = "/assets";
/// The beginning of the address of a file in it, on a site at the root of its host.
pub const IN_FOLDER: &str = "/assets/";

/// An asset.
#[derive(Clone, Debug)]
pub struct Asset {
    /// The file it comes from.
    pub source: SourcePath,
    /// The file it is published as, from the site's root: `/assets/my logo-1a2b3c4d.svg`.
    pub file: String,
    /// The address of that file from the site's root: `/assets/my%20logo-1a2b3c4d.svg`.
    pub url: String,
    /// The bytes that are published.
    pub body: Body,
    /// The digest of its content.
    pub digest: Digest,
    /// What it says of itself, if it has the name of a picture of pixels.
    pub picture: Option<Arc<Read>>,
    /// What the file beside it says of it: `photo.jpg.yaml`.
    pub description: Option<Arc<Description>>,
}

/// The header of a picture, or why it has none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Read(pub Result<Header, Fault>);

impl Persistent for Read {}

/// What an editor says of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// What it shows.
    pub alt: Option<String>,
    /// What stays in view when it is cropped.
    pub focus: Option<Focus>,
    /// Who took it.
    pub credit: Option<String>,
    /// The conditions of its use.
    pub licence: Option<String>,
}

/// All assets: those of `content/assets` by their path there, and those beside texts by their whole path.
#[derive(Clone, Debug, Default)]
pub struct Assets {
    all: BTreeMap<String, Asset>,
    beside: BTreeMap<String, Asset>,
    /// The paths of the files below `content/public`, which people take for assets.
    public: BTreeSet<String>,
}

impl Assets {
    /// Collects the assets of a project, and reads the headers and the descriptions of pictures.
    pub fn of(sources: &Sources, cache: &Cache, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let files: Vec<(&SourcePath, &Source)> = sources.of(SourceKind::Asset).collect();
        let assets = parallel::flat_map(&files, |(path, file)| {
            let name = name_of(path);
            // A description may be a translation of another.
            if described(name_of(&path.key())).is_some() || misnamed(name).is_some() {
                return None;
            }
            let published = format!("{FOLDER}/{}", hashed_name(name, &file.digest));
            let asset = Asset {
                source: (*path).clone(),
                url: percent_encoded(&published).into_owned(),
                file: published,
                body: file.body.clone(),
                digest: file.digest,
                picture: is_picture(name).then(|| header(name, file, cache)),
                description: None,
            };
            Some(asset)
        });
        let public = sources.of(SourceKind::Public).filter_map(|(path, _)| Some(path.below(PUBLIC)?.to_owned()));
        let (all, beside): (Vec<Asset>, Vec<Asset>) =
            assets.into_iter().partition(|asset| asset.source.below(ASSETS).is_some());
        let mut assets = Assets {
            all: all.into_iter().map(|asset| (asset.path().to_owned(), asset)).collect(),
            beside: beside.into_iter().map(|asset| (asset.source.as_str().to_owned(), asset)).collect(),
            public: public.collect(),
        };
        for (path, _) in files {
            if let Some(name) = misnamed(name_of(path)) {
                let fix = format!("rename it to `{}.yaml`", name.rsplit('/').next().unwrap_or(name));
                let detail = "the file that describes it ends in `.yml`, so it is not read".to_owned();
                diagnostics.push(Diagnostic::new(
                    AssetProblem::BadPicture { path: name.to_owned(), detail, fix },
                    Place::file(path),
                ));
                continue;
            }
            let key = path.key();
            let Some(name) = described(name_of(&key)) else { continue };
            let description = describe(sources, path, cache, diagnostics);
            let described = match path.below(ASSETS) {
                Some(_) => assets.all.get_mut(name),
                None => described(key.as_str()).and_then(|picture| assets.beside.get_mut(picture)),
            };
            match described {
                Some(asset) => asset.description = description.map(Arc::new),
                None => {
                    let problem = match path.below(ASSETS) {
                        Some(_) => assets.unknown(name),
                        None => assets.unknown_near(path, path.stem()),
                    };
                    diagnostics.push(Diagnostic::new(problem, Place::file(path)));
                }
            }
        }
        assets
    }

    /// Returns the asset at a path below `content/assets`, or the one beside a text by its whole path.
    pub fn get(&self, path: &str) -> Option<&Asset> {
        let path = composed(path);
        self.beside.get(&*path).or_else(|| self.all.get(&*path))
    }

    /// Whether there are files beside texts.
    pub fn has_beside(&self) -> bool {
        !self.beside.is_empty()
    }

    /// Returns the paths of files beside texts.
    pub fn names_beside(&self) -> impl Iterator<Item = &String> {
        self.beside.keys()
    }

    /// Returns the file that a text names by its path from there: `barn.jpg` in `content/news/harvest/index.md`, or one of
    /// `content/assets` by a path that leads there. Characters may be percent-encoded.
    pub fn beside(&self, text: &SourcePath, path: &str) -> Option<&Asset> {
        if self.beside.is_empty() && !path.starts_with("..") || path.is_empty() || path.starts_with('/') {
            return None;
        }
        let at = |text: &SourcePath, path: &str| {
            let path = joined(text.as_str(), path)?;
            let path = composed(&path);
            let of_assets = || self.all.get(path.strip_prefix(ASSETS)?.strip_prefix('/')?);
            self.beside.get(&*path).or_else(of_assets)
        };
        let near = |text: &SourcePath| at(text, path).or_else(|| at(text, &percent_decoded(path)));
        // A translation may be in a folder of its language, and name the files of its original as that does.
        near(text).or_else(|| text.has_language().then(|| near(&text.key())).flatten())
    }

    /// Replaces values that name a file beside a text by the whole path of that file, so that they mean it wherever they are shown.
    /// Returns the paths. Titles and the like are texts, whatever they are called.
    pub fn name_beside(&self, text: &SourcePath, data: &mut Node) -> Vec<String> {
        let mut named = Vec::new();
        if self.beside.is_empty() {
            return named;
        }
        if let Value::Map(entries) = &mut data.value {
            let values = entries.iter_mut().filter(|(key, _)| !TEXTS.contains(&key.name.as_str()));
            values.for_each(|(_, node)| self.name_in(text, &mut node.value, &mut named));
        }
        named
    }

    /// Does the same with a single value.
    pub fn name_value(&self, text: &SourcePath, value: &mut Value) {
        if !self.beside.is_empty() {
            self.name_in(text, value, &mut Vec::new());
        }
    }

    fn name_in(&self, text: &SourcePath, value: &mut Value, named: &mut Vec<String>) {
        match value {
            Value::Text(value) => {
                if let Some(asset) = self.beside(text, value).filter(|asset| asset.is_beside()) {
                    *value = asset.source.as_str().to_owned();
                    named.push(value.clone());
                }
            }
            Value::List(items) => items.iter_mut().for_each(|item| self.name_in(text, &mut item.value, named)),
            Value::Map(entries) => entries.iter_mut().for_each(|(_, node)| self.name_in(text, &mut node.value, named)),
            _ => {}
        }
    }

    /// Returns the asset at a path in a link, where characters may be percent-encoded.
    pub fn linked(&self, path: &str) -> Option<&Asset> {
        self.get(path).or_else(|| self.get(&percent_decoded(path)))
    }

    /// Returns all assets in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = &Asset> {
        self.all.values().chain(self.beside.values())
    }

    /// Returns the assets whose [path](Asset::path) is this one and an extension.
    pub fn with_stem(&self, stem: &str) -> impl Iterator<Item = &Asset> + use<'_> {
        let starting = |assets: &'_ BTreeMap<String, Asset>, from: String| {
            let length = from.len();
            let after = assets.range(from.clone()..).take_while(move |(path, _)| path.starts_with(&from));
            let named = after.filter(move |(path, _)| !path[length..].contains(['.', '/']));
            named.map(|(path, _)| path.clone()).collect::<Vec<_>>()
        };
        let all = starting(&self.all, format!("{stem}."));
        let beside =
            if self.beside.is_empty() { Vec::new() } else { starting(&self.beside, format!("content/{stem}.")) };
        let all = all.into_iter().filter_map(|path| self.all.get(&path));
        all.chain(beside.into_iter().filter_map(|path| self.beside.get(&path)))
    }

    /// Returns the problem of a path without an asset in a text, which may mean a file beside that.
    pub fn unknown_near(&self, text: &SourcePath, path: &str) -> Problem {
        // In the folder that the path names.
        let (before, name) = path.rsplit_once('/').map_or(("", path), |(before, name)| (before, name));
        let folder = joined(text.as_str(), &format!("{before}/"));
        let nearest = folder.filter(|_| !self.beside.is_empty()).and_then(|folder| {
            let from = format!("{folder}/");
            let near = self.beside.range(from.clone()..).take_while(|(other, _)| other.starts_with(&from));
            let near: Vec<&str> = near.map(|(other, _)| &other[from.len()..]).collect();
            meant_path(name, near)
        });
        match nearest {
            Some(nearest) => {
                let nearest = if before.is_empty() { nearest } else { nearest.within(format!("{before}/{nearest}")) };
                AssetProblem::UnknownAsset { path: path.to_owned(), nearest: Some(nearest) }.into()
            }
            None => self.unknown(path),
        }
    }

    /// Returns the problem of a path without an asset.
    pub fn unknown(&self, path: &str) -> Problem {
        if self.public.contains(path) {
            return AssetProblem::UnknownAsset {
                path: path.to_owned(),
                nearest: Some(format!("{PUBLIC}/{path}").into()),
            }
            .into();
        }
        let nearest = meant_path(path, self.all.keys().map(String::as_str));
        AssetProblem::UnknownAsset { path: path.to_owned(), nearest }.into()
    }
}

impl Asset {
    /// Returns its path below `content/assets`, or below `content` if it lies beside a text.
    pub fn path(&self) -> &str {
        name_of(&self.source)
    }

    /// Returns what content and templates call it from anywhere: its path below `content/assets`, or its whole path if it lies
    /// beside a text.
    pub fn name(&self) -> &str {
        self.source.below(ASSETS).unwrap_or(self.source.as_str())
    }

    /// Whether it lies beside a text.
    pub fn is_beside(&self) -> bool {
        self.source.below(ASSETS).is_none()
    }

    /// Returns its header if it is a picture, or why it cannot be one.
    pub fn header(&self) -> Option<Result<&Header, Problem>> {
        let read = self.picture.as_deref()?;
        Some(read.0.as_ref().map_err(|fault| self.bad(fault)))
    }

    /// Returns the problem of a picture with a fault.
    pub fn bad(&self, fault: &Fault) -> Problem {
        let Fault { detail, fix, .. } = fault.clone();
        AssetProblem::BadPicture { path: self.path().to_owned(), detail, fix }.into()
    }

    /// Returns why browsers cannot show it, if they know no files of its name. It may still be there to be downloaded.
    pub fn unshowable(&self) -> Option<Problem> {
        let fault = self.picture.as_deref()?.0.as_ref().err()?;
        (!is_shown(self.path())).then(|| self.bad(fault))
    }

    /// Returns why browsers cannot show it, if it has the name of a picture and is none.
    pub fn broken(&self) -> Option<Problem> {
        let fault = self.picture.as_deref()?.0.as_ref().err().filter(|fault| fault.is_broken)?;
        Some(self.bad(fault))
    }
}

/// Keys whose values are read and not looked up, even if a file has such a name.
const TEXTS: [&str; 5] = ["title", "name", "description", "summary", "alt"];

/// Returns the name that an asset is published under, without its digest: its path below `content/assets`, or below `content`.
fn name_of(path: &SourcePath) -> &str {
    path.below(ASSETS).or_else(|| path.below("content")).unwrap_or_default()
}

/// The assets as a page sees them: those beside its text come first.
pub struct Near<'a> {
    /// All assets.
    pub assets: &'a Assets,
    /// The text of the page, and its file.
    pub texts: Vec<SourcePath>,
}

impl<'a> Near<'a> {
    /// Returns the asset that a path means.
    pub fn get(&self, path: &str) -> Option<&'a Asset> {
        self.texts.iter().find_map(|text| self.assets.beside(text, path)).or_else(|| self.assets.get(path))
    }

    /// Returns the problem of a path without an asset.
    pub fn unknown(&self, path: &str) -> Problem {
        match self.texts.first() {
            Some(text) => self.assets.unknown_near(text, path),
            None => self.assets.unknown(path),
        }
    }
}

/// Returns the path of the picture that a file describes: `photo.jpg` of `photo.jpg.yaml`.
pub fn described(path: &str) -> Option<&str> {
    path.strip_suffix(".yaml").filter(|picture| is_picture(picture) || is_svg(picture))
}

/// Returns the path of the picture that a file would describe if its name ended in `.yaml`.
fn misnamed(path: &str) -> Option<&str> {
    path.strip_suffix(".yml").filter(|picture| is_picture(picture) || is_svg(picture))
}

fn is_svg(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| extension.eq_ignore_ascii_case("svg"))
}

/// Reads the header of a picture. It is read once for all builds.
fn header(name: &str, file: &Source, cache: &Cache) -> Arc<Read> {
    let extension = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let query = PictureHeader { extension: &extension, file };
    cache.query_saved(&query).unwrap_or_else(Arc::new)
}

#[derive(Hash)]
struct PictureHeader<'a> {
    extension: &'a str,
    file: &'a Source,
}

impl Query for PictureHeader<'_> {
    const KIND: &'static str = "header of a picture";
    type Output = Read;
    /// A file that changes while it is read is read again at the next build.
    type Refused = Read;

    fn run(&self, _: &Cache) -> Result<Read, Read> {
        let name = format!("picture.{}", self.extension);
        let bytes = self.file.body.read();
        let read = Read(Header::read(&name, bytes.as_deref().unwrap_or_default()));
        if bytes.is_ok() { Ok(read) } else { Err(read) }
    }
}

/// Reports pictures of `content/public` that browsers cannot show: cut off, or something else than their names say. And
/// those that say where they were taken.
pub fn check_public(sources: &Sources, cache: &Cache) -> Vec<Diagnostic> {
    let files: Vec<(&SourcePath, &Source)> = sources.of(SourceKind::Public).collect();
    parallel::flat_map(&files, |(path, file)| {
        let name = path.below(PUBLIC)?;
        if name.split('/').next().is_some_and(|first| RESERVED.contains(&first)) {
            let expected = "another name; this one is reserved in the published folder";
            return Some(Diagnostic::new(FileProblem::UnexpectedFile { expected }, Place::file(path)));
        }
        if !is_picture(name) {
            return None;
        }
        let read = header(name, file, cache);
        match &read.0 {
            Ok(header) if header.has_position => {
                let problem = AssetProblem::PicturePosition { is_copied: false };
                Some(Diagnostic::new(problem, Place::file(path)))
            }
            Err(Fault { detail, fix, is_broken: true }) => {
                let (detail, fix) = (detail.clone(), fix.clone());
                Some(Diagnostic::new(
                    AssetProblem::BadPicture { path: name.to_owned(), detail, fix },
                    Place::file(path),
                ))
            }
            _ => None,
        }
    })
}

/// Reads the file beside a picture.
fn describe(
    sources: &Sources,
    path: &SourcePath,
    cache: &Cache,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Description> {
    let parsed = read_file(sources.get_key_value(path)?, diagnostics)?;
    let of_translations = if parsed.path.has_language() { &OF_TRANSLATIONS[..] } else { &[] };
    let wrong = check(&parsed, &Schema::built_in(PICTURE, cache), of_translations);
    let is_valid = wrong.is_empty();
    diagnostics.extend(wrong);
    let text = |key: &str| parsed.data.get(key).and_then(Node::text).map(str::to_owned);
    let picture = described(name_of(path)).unwrap_or_default();
    for key in ["alt", "credit", "licence"] {
        let Some(node) = parsed.data.get(key).filter(|node| node.text().is_some_and(|text| text.contains("{{"))) else {
            continue;
        };
        let detail = "the file that describes it contains a reference, which is not resolved there".to_owned();
        let fix = "write the text itself".to_owned();
        let problem = AssetProblem::BadPicture { path: picture.to_owned(), detail, fix };
        diagnostics.push(Diagnostic::new(problem, Place::new(path, node.span)));
    }
    let focus = text("focus").and_then(|text| {
        let focus = Focus::parse(&text);
        if focus.is_none() && is_valid {
            let span = parsed.data.get("focus").map(|node| node.span).unwrap_or_default();
            let fix = "write a position such as `left`, `top right` or `30% 60%`".to_owned();
            let detail = format!("`{text}` is not a valid position");
            let problem = AssetProblem::BadPicture { path: picture.to_owned(), detail, fix };
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
        }
        focus
    });
    Some(Description { alt: text("alt"), focus, credit: text("credit"), licence: text("licence") })
}

/// Adds the first eight hexadecimal digits of its digest to `brand/logo.svg`: `brand/logo-1a2b3c4d.svg`. Browsers may
/// cache such a name forever.
pub fn hashed_name(name: &str, digest: &Digest) -> String {
    let hash: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[file..].rfind('.') {
        Some(dot) if dot > 0 => format!("{}-{hash}{}", &name[..file + dot], &name[file + dot..]),
        _ => format!("{name}-{hash}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_stands_before_the_extension() {
        let digest = [0xab; 32];
        assert_eq!(hashed_name("brand/logo.svg", &digest), "brand/logo-abababab.svg");
        assert_eq!(hashed_name("a.b/LICENSE", &digest), "a.b/LICENSE-abababab");
    }

    #[test]
    fn the_file_beside_a_picture_describes_it() {
        let assets = |files: &[(&str, &str)]| {
            let mut diagnostics = Vec::new();
            let sources = Sources::from_files(files.iter().copied());
            let assets = Assets::of(&sources, &Cache::default(), &mut diagnostics);
            (assets, diagnostics)
        };
        let picture = ("content/assets/a/oven.jpg", "");
        let (all, none) = assets(&[picture, ("content/assets/a/oven.jpg.yaml", "alt: Our oven\nfocus: top right\n")]);
        let description = all.get("a/oven.jpg").unwrap().description.clone().unwrap();
        assert_eq!((description.alt.as_deref(), description.focus), (Some("Our oven"), Focus::parse("100% 0%")));
        assert!(none.is_empty() && all.iter().count() == 1, "{none:?}");
        for (name, text) in [
            ("oven.jpg.yaml", "alts: x"),
            ("oven.jpg.yaml", "focus: middle"),
            ("oben.jpg.yaml", "alt: x"),
            ("oven.jpg.yml", "alt: x"),
            ("oven.jpg.yaml", "alt: The oven of {{ site.name }}"),
            ("icon.svg.yaml", "alt: x"),
        ] {
            let (_, reported) = assets(&[picture, (&format!("content/assets/a/{name}"), text)]);
            assert_eq!(reported.len(), 1, "{name}: {text}: {reported:?}");
        }
    }
}
