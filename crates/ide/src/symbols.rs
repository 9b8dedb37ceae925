//! What the files of a project name: pages, entries, keys, assets, templates, components, islands, classes and custom properties,
//! each with every place that declares or uses it.
//!
//! Each kind of file has a reader of its occurrences. Definitions, references, renames and links are all answers from them.

mod content;
mod sheet;
mod template;

pub use content::{component, headings, offset_in, owner};
pub use sheet::{classes, in_selector};

use crate::Analysis;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;

/// Something that has a name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Symbol {
    /// A page, by its file.
    Page(SourcePath),
    /// A section of a page, by the id of its heading.
    Section(SourcePath, String),
    /// An entry, by its collection and its slug.
    Entry(String, String),
    /// A collection.
    Collection(String),
    /// A key of `site.yaml`, of the entries of a collection, or of the pages of a template.
    Key(KeyOwner, Vec<String>),
    /// A file that is published as an asset.
    Asset(SourcePath),
    /// A template, by its file.
    Template(SourcePath),
    /// A block of templates.
    Block(String),
    /// A component of templates.
    Component(String),
    /// An argument of a component.
    Argument(String, String),
    /// An island.
    Island(String),
    /// A class of the stylesheet.
    Class(String),
    /// A custom property of CSS, with its two hyphens.
    Property(String),
    /// A variable of a template, by the file and the place that declare it.
    Variable(SourcePath, usize, String),
    /// A filter, a function or a test of templates.
    Callable(Callable, String),
}

/// What has keys of its own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeyOwner {
    /// `site.yaml`.
    Site,
    /// The entries of a collection.
    Entries(String),
    /// The pages that a template renders.
    Pages(String),
    /// Pages of any template, as lists of pages have them.
    AnyPages,
    /// What is not known: a template reads the key of an argument, or of a page of any kind.
    Unknown,
}

/// The kind of something that templates call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Callable {
    /// After `|`.
    Filter,
    /// With parentheses.
    Function,
    /// After `is`.
    Test,
}

/// A place that names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The bytes of the name in the file.
    pub span: Span,
    /// What it names.
    pub symbol: Symbol,
    /// Whether it is declared here.
    pub declares: bool,
}

impl Occurrence {
    fn declared(span: Span, symbol: Symbol) -> Self {
        Occurrence { span, symbol, declares: true }
    }

    fn used(span: Span, symbol: Symbol) -> Self {
        Occurrence { span, symbol, declares: false }
    }
}

impl Symbol {
    /// Whether another is the same, or may be: a key of a list of pages is one of pages of some template.
    pub(crate) fn may_be(&self, other: &Symbol) -> bool {
        use KeyOwner::{AnyPages, Pages};
        match (self, other) {
            (Symbol::Key(AnyPages, keys), Symbol::Key(Pages(_), others))
            | (Symbol::Key(Pages(_), keys), Symbol::Key(AnyPages, others)) => keys == others,
            _ => self == other,
        }
    }

    /// Returns the part of its name that files which name it have in their text.
    pub fn word(&self) -> &str {
        match self {
            Symbol::Page(file) => file.stem(),
            Symbol::Asset(file) => file.name(),
            Symbol::Template(file) => file.name(),
            Symbol::Section(_, name)
            | Symbol::Entry(_, name)
            | Symbol::Collection(name)
            | Symbol::Block(name)
            | Symbol::Component(name)
            | Symbol::Argument(_, name)
            | Symbol::Island(name)
            | Symbol::Class(name)
            | Symbol::Property(name)
            | Symbol::Variable(_, _, name)
            | Symbol::Callable(_, name) => name,
            Symbol::Key(_, keys) => keys.last().map_or("", String::as_str),
        }
    }
}

impl Analysis<'_> {
    /// Returns everything that a file names, in the order of its text.
    pub fn occurrences(&self, path: &SourcePath) -> Vec<Occurrence> {
        self.sources.text(path).map_or(Vec::new(), |text| self.occurrences_of(path, text, None))
    }

    /// Returns what a file names. Where a symbol is wanted, what cannot be it may be left out.
    fn occurrences_of(&self, path: &SourcePath, text: &str, wanted: Option<&Symbol>) -> Vec<Occurrence> {
        let mut all = match SourceKind::of(path) {
            SourceKind::Settings | SourceKind::Page | SourceKind::Entry => {
                content::occurrences(self, path, text, wanted)
            }
            SourceKind::Schema => content::of_schema(path, text),
            SourceKind::Template => template::occurrences(self, path, text),
            SourceKind::Style => sheet::occurrences(text, 0),
            SourceKind::Island if path.extension() == Some("css") => sheet::occurrences(text, 0),
            SourceKind::Island => sheet::classes(text, "className=").all,
            _ => Vec::new(),
        };
        all.sort_by_key(|each| (each.span.start, each.span.end));
        all.dedup();
        all
    }

    /// Returns what is named at an offset: of several the shortest.
    pub fn symbol_at(&self, path: &SourcePath, offset: usize) -> Option<Occurrence> {
        let all = self.occurrences(path).into_iter();
        let around = all.filter(|each| each.span.start <= offset && offset <= each.span.end);
        around.min_by_key(|each| each.span.end - each.span.start).or_else(|| self.heading_at(path, offset))
    }

    fn heading_at(&self, path: &SourcePath, offset: usize) -> Option<Occurrence> {
        if path.extension() != Some("md") {
            return None;
        }
        let around = |(_, _, span): &(String, String, Span)| span.start <= offset && offset <= span.end;
        let (id, _, span) = self.sections(path).into_iter().find(around)?;
        Some(Occurrence::declared(span, Symbol::Section(path.key(), id)))
    }

    /// Returns what is named at an offset, or else the page or the entry that the file is.
    pub fn symbol_or_file(&self, path: &SourcePath, offset: usize) -> Option<Symbol> {
        let named = self.symbol_at(path, offset).map(|each| each.symbol);
        named.or_else(|| symbol_of(path)).filter(|symbol| !matches!(symbol, Symbol::Key(KeyOwner::Unknown, _)))
    }

    /// Returns the files of a project that can name something.
    pub fn files(&self) -> impl Iterator<Item = (&SourcePath, &str)> {
        let kinds = [
            SourceKind::Settings,
            SourceKind::Page,
            SourceKind::Entry,
            SourceKind::Schema,
            SourceKind::Template,
            SourceKind::Style,
            SourceKind::Island,
        ];
        kinds
            .into_iter()
            .flat_map(|kind| self.sources.of(kind))
            .filter_map(|(path, source)| Some((path, source.text()?)))
    }

    /// Returns every place that names something, with its file, at most `most` of them.
    pub fn references(&self, symbol: &Symbol, most: usize) -> Vec<(SourcePath, Occurrence)> {
        self.places(symbol, most, |other| symbol.may_be(other))
    }

    /// Returns the places that may name a symbol, in the files that have its name in their texts.
    pub(crate) fn places(
        &self,
        symbol: &Symbol,
        most: usize,
        is_wanted: impl Fn(&Symbol) -> bool + Sync,
    ) -> Vec<(SourcePath, Occurrence)> {
        let routes = self.routes_of(symbol);
        let word = memchr::memmem::Finder::new(symbol.word());
        let routes: Vec<_> = routes.iter().map(memchr::memmem::Finder::new).collect();
        let may_name = |(path, text): &(&SourcePath, &str)| {
            let has = |finder: &memchr::memmem::Finder| finder.find(text.as_bytes()).is_some();
            let is_own = matches!(symbol, Symbol::Page(file) | Symbol::Section(file, _) if path.key() == *file);
            is_own || has(&word) || routes.iter().any(has)
        };
        let files: Vec<(&SourcePath, &str)> = self.files().filter(may_name).collect();
        let found = sitegen_core::parallel::map(&files, |(path, text)| {
            let of_file =
                self.occurrences_of(path, text, Some(symbol)).into_iter().filter(|each| is_wanted(&each.symbol));
            of_file.map(|each| ((*path).clone(), each)).collect::<Vec<_>>()
        });
        found.into_iter().flatten().take(most).collect()
    }

    /// Returns the addresses by which texts name a page or an entry.
    fn routes_of(&self, symbol: &Symbol) -> Vec<String> {
        let Some(site) = self.site else { return Vec::new() };
        match symbol {
            Symbol::Page(file) | Symbol::Section(file, _) => site
                .views
                .iter()
                .filter_map(|view| site.pages.order().routes_of(view.number).get(file))
                .map(|route| route.as_str().to_owned())
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Returns the page or the entry that a file is.
pub fn symbol_of(path: &SourcePath) -> Option<Symbol> {
    use sitegen_content::collections::{collection_of, slug_of};
    match SourceKind::of(path) {
        SourceKind::Page => Some(Symbol::Page(path.key())),
        SourceKind::Entry if !SourceKind::is_list(&path.key()) => {
            let key = path.key();
            Some(Symbol::Entry(collection_of(&key)?.to_owned(), slug_of(&key).to_owned()))
        }
        _ => None,
    }
}
