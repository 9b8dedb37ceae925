//! What a source is for.

use crate::paths::{SUPPRESSIONS, SourcePath};

/// What the name of a schema ends with.
pub const SCHEMA: &str = ".schema.json";

/// The extensions of files that may have all entries of a collection.
const LISTS: [&str; 4] = ["csv", "json", "toml", "yaml"];

/// Names in `content` that are no collections.
const NO_COLLECTIONS: [&str; 5] = ["assets", "pages", "public", "schemas", "site"];

/// Folders of `content` without texts.
const NO_TEXTS: [&str; 3] = ["assets", "public", "schemas"];

/// Whether a file directly in `content` has all entries of a collection.
fn is_list(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, extension)| LISTS.contains(&extension) && !NO_COLLECTIONS.contains(&stem))
}

/// Whether a file directly in `content` is `site.yaml`, or its texts in another language: `site.de.yaml`.
fn is_settings(name: &str) -> bool {
    let Some(between) = name.strip_prefix("site").and_then(|rest| rest.strip_suffix("yaml")) else { return false };
    between == "." || between.strip_prefix('.').and_then(|rest| rest.strip_suffix('.')).is_some_and(is_tag)
}

/// Whether a part of a name may be that of a language: `de`, `pt-br`, `zh-Hant`.
fn is_tag(part: &str) -> bool {
    let first = part.split('-').next().unwrap_or_default();
    (2..=3).contains(&first.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// The extensions of texts and of keys: pages and entries, and files that are taken for such.
const TEXTS: [&str; 12] = ["adoc", "json", "markdown", "md", "mdx", "mkd", "org", "rst", "toml", "yaml", "yml", ""];

/// The extensions of files that are taken for texts directly in the folder of a collection or of the pages, and lie beside a text
/// in a folder of its own.
const TEXTS_ABOVE: [&str; 4] = ["csv", "htm", "html", "txt"];

/// The extensions of pictures that a file beside them may describe: `barn.jpg.yaml`.
const PICTURES: [&str; 7] = ["avif", "gif", "jpeg", "jpg", "png", "svg", "webp"];

/// Whether a file in a folder of texts is none of them, but lies beside one: a picture, or a document to download. `below` is its
/// path in that folder.
fn is_beside(below: &str) -> bool {
    let name = below.rsplit('/').next().unwrap_or(below);
    let extension = |name: &str| name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let is_of_picture = |name: &str| PICTURES.contains(&&*extension(name));
    let describes = |end: &str| {
        let picture = name.strip_suffix(end).unwrap_or_default();
        let in_language = picture.rsplit_once('.').filter(|(_, tag)| is_tag(tag));
        is_of_picture(picture) || in_language.is_some_and(|(picture, _)| is_of_picture(picture))
    };
    if describes(".yaml") || describes(".yml") {
        return true;
    }
    let extension = extension(name);
    let is_text = TEXTS.contains(&&*extension) || !below.contains('/') && TEXTS_ABOVE.contains(&&*extension);
    // Hidden files are no sources, and the extension of a variable is none.
    !is_text && !extension.contains(']')
}

/// What a source is for, by its path. It is decided once, when the file is read, and every stage asks for the kinds it
/// works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceKind {
    /// `content/site.yaml`, and its texts in other languages: `content/site.de.yaml`.
    Settings,
    /// A file of `content/pages`: a page, or what makes several.
    Page,
    /// An entry of a collection, all entries of one (see [`SourceKind::is_list`]), or what else lies in a folder of
    /// `content` that has no other meaning.
    Entry,
    /// A file of `content/schemas`.
    Schema,
    /// A file of `content/assets`, or one beside a text in a folder of pages or entries, published under a name with its digest.
    Asset,
    /// A file of `content/public`, published unchanged.
    Public,
    /// A file of `content` that is in none of its folders.
    Stray,
    /// A stylesheet of `templates`.
    Style,
    /// Any other file of `templates`: templates, and pictures and fonts of stylesheets.
    Template,
    /// A file of `islands`: components, their styles and parts.
    Island,
    /// A schema of the properties that an island is called with: `islands/Form.schema.json`.
    Props,
    /// A file beside the folders that decides which packages the islands get.
    Package,
    /// `suppressions.json`.
    Suppressions,
}

impl SourceKind {
    /// All kinds.
    pub const ALL: [SourceKind; 13] = [
        SourceKind::Settings,
        SourceKind::Page,
        SourceKind::Entry,
        SourceKind::Schema,
        SourceKind::Asset,
        SourceKind::Public,
        SourceKind::Stray,
        SourceKind::Style,
        SourceKind::Template,
        SourceKind::Island,
        SourceKind::Props,
        SourceKind::Package,
        SourceKind::Suppressions,
    ];

    /// Whether a file has all entries of a collection: `content/team.yaml`.
    pub fn is_list(path: &SourcePath) -> bool {
        path.below("content").is_some_and(|name| !name.contains('/') && is_list(name))
    }

    /// Returns the kind of the file at a path.
    pub fn of(path: &SourcePath) -> Self {
        if path.as_str() == SUPPRESSIONS {
            return SourceKind::Suppressions;
        }
        let Some((first, rest)) = path.as_str().split_once('/') else { return SourceKind::Package };
        let below = rest.split_once('/').map(|(_, below)| below).unwrap_or_default();
        match (first, rest.split_once('/').map(|(folder, _)| folder)) {
            ("content", None) if is_settings(rest) => SourceKind::Settings,
            ("content", None) if is_list(rest) => SourceKind::Entry,
            ("content", None) => SourceKind::Stray,
            ("content", Some(folder)) if !NO_TEXTS.contains(&folder) && is_beside(below) => SourceKind::Asset,
            ("content", Some("pages")) => SourceKind::Page,
            ("content", Some("schemas")) => SourceKind::Schema,
            ("content", Some("assets")) => SourceKind::Asset,
            ("content", Some("public")) => SourceKind::Public,
            ("content", Some(_)) => SourceKind::Entry,
            ("templates", _) if path.extension() == Some("css") => SourceKind::Style,
            ("templates", _) => SourceKind::Template,
            ("islands", None) if rest.ends_with(SCHEMA) => SourceKind::Props,
            _ => SourceKind::Island,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_decides_what_a_file_is() {
        for (path, kind) in [
            ("content/site.yaml", SourceKind::Settings),
            ("content/site.de.yaml", SourceKind::Settings),
            ("content/site.old copy.yaml", SourceKind::Entry),
            ("content/team.de.yaml", SourceKind::Entry),
            ("content/pages/site.yaml", SourceKind::Page),
            ("content/news/first.jpg.pt-BR.yaml", SourceKind::Asset),
            ("content/pages/news/[slug].yaml", SourceKind::Page),
            ("content/news/first.md", SourceKind::Entry),
            ("content/news/first.jpg", SourceKind::Asset),
            ("content/news/photos/first.JPG", SourceKind::Asset),
            ("content/news/first/plan.pdf", SourceKind::Asset),
            ("content/news/first.jpg.yaml", SourceKind::Asset),
            ("content/news/first.html", SourceKind::Entry),
            ("content/news/first/page.html", SourceKind::Asset),
            ("content/news/first", SourceKind::Entry),
            ("content/news/first/index.mdx", SourceKind::Entry),
            ("content/pages/about/index.md", SourceKind::Page),
            ("content/pages/about/oven.svg", SourceKind::Asset),
            ("content/pages/notes.txt", SourceKind::Page),
            ("content/pages/feed.xml.yaml", SourceKind::Page),
            ("content/pages/news/[a.b]", SourceKind::Page),
            ("content/schemas/news.schema.json", SourceKind::Schema),
            ("content/assets/logo.svg", SourceKind::Asset),
            ("content/public/.well-known/security.txt", SourceKind::Public),
            ("content/team.yaml", SourceKind::Entry),
            ("content/prices.csv", SourceKind::Entry),
            ("content/news/prices.csv", SourceKind::Entry),
            ("content/team.yml", SourceKind::Stray),
            ("content/pages.json", SourceKind::Stray),
            ("content/site.toml", SourceKind::Stray),
            ("content/notes.txt", SourceKind::Stray),
            ("content/pages", SourceKind::Stray),
            ("templates/page.html", SourceKind::Template),
            ("templates/styles/main.css", SourceKind::Style),
            ("templates/styles/main.svg", SourceKind::Template),
            ("islands/Form.tsx", SourceKind::Island),
            ("islands/Form.schema.json", SourceKind::Props),
            ("package.json", SourceKind::Package),
            ("suppressions.json", SourceKind::Suppressions),
            ("content/suppressions.json", SourceKind::Entry),
            ("islands/parts/field.css", SourceKind::Island),
            ("islands/parts/table.schema.json", SourceKind::Island),
            ("package.json", SourceKind::Package),
        ] {
            assert_eq!(SourceKind::of(&SourcePath::new(path)), kind, "{path}");
        }
    }
}
