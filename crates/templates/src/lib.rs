//! The templates of a project, and what their code says before anything is rendered.

pub mod callables;
pub mod keys;
pub mod lexer;
pub mod scan;
pub mod uses;
pub mod words;

use sitegen_core::paths::{Format, SourcePath};
use sitegen_core::sources::{Digest, Source, SourceKind, Sources};

/// The folder of templates.
pub const TEMPLATES: &str = "templates";

/// The files of the folder of templates. Whoever is given these depends on nothing else.
#[derive(Clone, Debug, Hash)]
pub struct Templates(Sources);

/// A template.
#[derive(Clone, Copy, Debug)]
pub struct Template<'t> {
    /// Its name, by which others name it: `components/card/card.html`.
    pub name: &'t str,
    /// The file below `templates/`.
    pub path: &'t SourcePath,
    /// The text of the file.
    pub text: &'t str,
}

/// A file of the folder, a template or not.
#[derive(Clone, Copy, Debug)]
pub struct TemplateFile<'t> {
    /// Its path below the folder.
    pub name: &'t str,
    /// The digest of its bytes.
    pub digest: Digest,
}

impl Templates {
    /// Returns the templates among the files of a project.
    pub fn of(sources: &Sources) -> Self {
        Templates(sources.only(&[SourceKind::Template]))
    }

    /// Returns the templates in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = Template<'_>> {
        self.files()
            .filter_map(|(path, source)| Some(Template { name: path.below(TEMPLATES)?, path, text: source.text()? }))
    }

    /// Returns the templates that are not UTF-8.
    pub fn not_utf8(&self) -> impl Iterator<Item = &SourcePath> {
        self.files().filter(|(_, source)| source.text().is_none()).map(|(path, _)| path)
    }

    /// Returns all files of the folder, also those that are no templates.
    pub fn all(&self) -> impl Iterator<Item = TemplateFile<'_>> {
        self.0
            .of(SourceKind::Template)
            .filter_map(|(path, source)| Some(TemplateFile { name: path.below(TEMPLATES)?, digest: source.digest }))
    }

    /// Returns the texts of all files of the folder, also of those that are no templates.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.of(SourceKind::Template).filter_map(|(_, source)| source.text())
    }

    /// Returns the text of the file at a path, if it is one of the folder.
    pub fn text(&self, path: &SourcePath) -> Option<&str> {
        self.0.text(path)
    }

    /// Returns the files that are templates.
    fn files(&self) -> impl Iterator<Item = (&SourcePath, &Source)> {
        // An SVG may also be a picture of a stylesheet, whose braces are those of its own styles.
        let has_code = |source: &Source| source.text().is_some_and(|text| text.contains("{{") || text.contains("{%"));
        let is_template = move |path: &SourcePath, source: &Source| match path.extension() {
            Some("html") => true,
            Some("svg") => has_code(source),
            _ => !Format::of(path.name()).is_html(),
        };
        self.0.of(SourceKind::Template).filter(move |(path, source)| is_template(path, source))
    }
}
