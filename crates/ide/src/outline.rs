//! The parts of a file and of a project: for outlines, for going to something by its name, and for folding.

use crate::symbols::Symbol;
use crate::symbols::headings;
use crate::{Analysis, Target};
use sitegen_content::front_matter;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;
use sitegen_edit::File;
use sitegen_edit::tree::{Data, Item};
use sitegen_templates::Templates;
use sitegen_templates::lexer::{Kind, Token, codes};
use std::collections::BTreeSet;

/// Something with a name, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name.
    pub name: String,
    /// A few words more.
    pub detail: Option<String>,
    /// What it is.
    pub kind: NamedKind,
    /// Where it is.
    pub target: Target,
    /// All of it.
    pub whole: Span,
    /// What is in it, in the order of the file.
    pub parts: Vec<Named>,
}

/// The kind of something with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedKind {
    /// A page or an entry.
    Page,
    /// A heading.
    Heading,
    /// A key.
    Key,
    /// A template.
    Template,
    /// A block of a template.
    Block,
    /// A component.
    Component,
    /// An island.
    Island,
    /// A class of CSS.
    Class,
    /// A custom property of CSS.
    Property,
}

/// Lines that can be folded, by the bytes of their text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// From the start of the first line to the end of the last one.
    pub span: Span,
    /// Whether it is a comment.
    pub is_comment: bool,
}

impl Analysis<'_> {
    /// Returns the sections of a page: the id, the title and the bytes of each heading.
    pub fn sections(&self, file: &SourcePath) -> Vec<(String, String, Span)> {
        let Some(text) = self.sources.text(file) else { return Vec::new() };
        let ids = self.site.map(|site| site.settings.options.markdown.ids).unwrap_or_default();
        let mut taken = BTreeSet::new();
        let mut all = Vec::new();
        for heading in headings(file, text) {
            let own = heading.id.unwrap_or_else(|| ids.of(&heading.title, &heading.title));
            let own = if own.is_empty() { "section".to_owned() } else { own };
            // As the pages have them: `a`, `a-1`, `a-2`.
            let numbered = (1..).map(|number| format!("{own}-{number}"));
            let free = std::iter::once(own.clone()).chain(numbered).find(|id| !taken.contains(id));
            let id = free.unwrap_or(own);
            taken.insert(id.clone());
            all.push((id, heading.title, heading.span));
        }
        all
    }

    /// Returns the parts of a file.
    pub fn outline(&self, path: &SourcePath) -> Vec<Named> {
        let Some(text) = self.sources.text(path) else { return Vec::new() };
        match SourceKind::of(path) {
            SourceKind::Settings | SourceKind::Page | SourceKind::Entry => {
                let file = File::of(path, text);
                let mut all = file.map(|file| keys(path, file.root())).unwrap_or_default();
                all.extend(sections(path, text));
                all
            }
            SourceKind::Template | SourceKind::Style => {
                let declared = self.occurrences(path).into_iter().filter(|each| each.declares);
                let mut seen = BTreeSet::new();
                let named = declared.filter_map(|each| {
                    let (kind, name) = match &each.symbol {
                        Symbol::Block(name) => (NamedKind::Block, name),
                        Symbol::Component(name) => (NamedKind::Component, name),
                        Symbol::Class(name) => (NamedKind::Class, name),
                        Symbol::Property(name) => (NamedKind::Property, name),
                        _ => return None,
                    };
                    seen.insert(each.symbol.clone()).then(|| leaf(name, kind, path, each.span))
                });
                named.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns what a project has whose name has all letters of a query in their order, at most `most` of them.
    pub fn search(&self, query: &str, most: usize) -> Vec<Named> {
        let wanted: Vec<char> = query.to_lowercase().chars().filter(|letter| !letter.is_whitespace()).collect();
        let matches = |name: &str| {
            let mut wanted = wanted.iter().peekable();
            for letter in name.chars().flat_map(char::to_lowercase) {
                if wanted.peek() == Some(&&letter) {
                    wanted.next();
                }
            }
            wanted.peek().is_none()
        };
        let mut all = Vec::new();
        let start = Span::default();
        if let Some(site) = self.site {
            for page in site.pages.iter() {
                let title = page.title.as_deref().unwrap_or(page.route.as_str()).to_owned();
                if matches(&title) || matches(page.route.as_str()) {
                    let file = page.made.as_ref().and_then(|made| {
                        let entry = site.view(page).collection(&made.collection)?.nth(made.number?)?;
                        Some((entry.source.clone(), entry.listed.as_ref().map_or(start, |listed| listed.span)))
                    });
                    let (file, span) = file.unwrap_or_else(|| (page.source.key(), start));
                    let detail = Some(page.route.as_str().to_owned());
                    all.push(Named { detail, ..leaf(&title, NamedKind::Page, &file, span) });
                }
                if all.len() >= most {
                    break;
                }
            }
        }
        let named = Templates::of(self.sources);
        for template in named.iter().filter(|template| matches(template.name)) {
            all.push(leaf(template.name, NamedKind::Template, template.path, start));
        }
        for (name, component) in self.components().into_iter().filter(|(name, _)| matches(name)) {
            all.push(leaf(&name, NamedKind::Component, &component.file, component.span));
        }
        for (name, file) in self.islands().filter(|(name, _)| matches(name)) {
            all.push(leaf(name, NamedKind::Island, file, start));
        }
        // The nearest to what was asked for come first.
        all.sort_by_key(|named| named.name.len());
        all.truncate(most);
        all
    }

    /// Returns what can be folded in a file.
    pub fn folds(&self, path: &SourcePath) -> Vec<Fold> {
        let Some(text) = self.sources.text(path) else { return Vec::new() };
        let mut all = Vec::new();
        let mut add = |span: Span, is_comment| {
            let lines = text.get(span.start..span.end).is_some_and(|part| part.trim_end().contains('\n'));
            if lines {
                all.push(Fold { span, is_comment });
            }
        };
        match SourceKind::of(path) {
            SourceKind::Settings | SourceKind::Page | SourceKind::Entry => {
                if path.extension() == Some("md")
                    && let Ok(parts) = front_matter::split(path, text)
                    && parts.body_start > 0
                {
                    add(Span { start: 0, end: parts.body_start.saturating_sub(1) }, false);
                }
                if let Some(file) = File::of(path, text) {
                    folds_of(file.root(), &mut add);
                }
                for part in sections(path, text) {
                    folds_of_sections(&part, &mut add);
                }
            }
            SourceKind::Template => {
                let mut open: Vec<(&str, usize)> = Vec::new();
                for code in codes(text) {
                    if code.kind == Kind::Comment {
                        add(code.span, true);
                    }
                    let Some((Token::Word(tag), _)) = code.tokens.first().filter(|_| code.kind == Kind::Tag) else {
                        continue;
                    };
                    if let Some(closed) = tag.strip_prefix("end") {
                        if let Some(at) = open.iter().rposition(|(tag, _)| *tag == closed) {
                            add(Span { start: open[at].1, end: code.span.start }, false);
                            open.truncate(at);
                        }
                    } else if ["if", "for", "block", "component", "filter", "raw", "set"].contains(tag) {
                        open.push((tag, code.span.start));
                    }
                }
            }
            SourceKind::Style => {
                let mut open = Vec::new();
                for (at, letter) in text.char_indices() {
                    match letter {
                        '{' => open.push(at),
                        '}' => {
                            if let Some(start) = open.pop() {
                                add(Span { start, end: at }, false);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        all
    }
}

fn leaf(name: &str, kind: NamedKind, path: &SourcePath, span: Span) -> Named {
    let target = Target { file: path.clone(), span };
    Named { name: name.to_owned(), detail: None, kind, target, whole: span, parts: Vec::new() }
}

fn keys(path: &SourcePath, item: &Item) -> Vec<Named> {
    let children: Vec<Named> = match &item.data {
        Data::Map { entries, .. } => entries
            .iter()
            .filter_map(|(key, value)| {
                let name = &key.scalar()?.text;
                let whole = Span { start: key.span.start, end: value.span.end.max(key.span.end) };
                Some(Named { whole, parts: keys(path, value), ..leaf(name, NamedKind::Key, path, key.span) })
            })
            .collect(),
        Data::List { items, .. } => items
            .iter()
            .enumerate()
            .filter_map(|(number, item)| {
                let parts = keys(path, item);
                let name = item.scalar().map_or_else(|| (number + 1).to_string(), |scalar| scalar.text.clone());
                (!parts.is_empty()).then(|| Named { parts, ..leaf(&name, NamedKind::Key, path, item.span) })
            })
            .collect(),
        _ => Vec::new(),
    };
    children
}

/// Returns the sections of a file, each with those below it.
fn sections(path: &SourcePath, text: &str) -> Vec<Named> {
    let all = headings(path, text);
    let mut open: Vec<(u8, Named)> = Vec::new();
    let mut roots = Vec::new();
    let close = |open: &mut Vec<(u8, Named)>, roots: &mut Vec<Named>, level: u8, end: usize| {
        while open.last().is_some_and(|(other, _)| *other >= level) {
            let Some((_, mut named)) = open.pop() else { break };
            named.whole.end = end.max(named.whole.end);
            match open.last_mut() {
                Some((_, above)) => above.parts.push(named),
                None => roots.push(named),
            }
        }
    };
    for heading in all {
        close(&mut open, &mut roots, heading.level, heading.span.start.saturating_sub(1));
        let name = if heading.title.is_empty() { "…" } else { &heading.title };
        open.push((heading.level, leaf(name, NamedKind::Heading, path, heading.span)));
    }
    close(&mut open, &mut roots, 0, text.len());
    roots
}

fn folds_of(item: &Item, add: &mut impl FnMut(Span, bool)) {
    match &item.data {
        Data::Map { entries, .. } => {
            for (key, value) in entries {
                add(Span { start: key.span.start, end: value.span.end.max(key.span.end) }, false);
                folds_of(value, add);
            }
        }
        Data::List { items, .. } => {
            for item in items {
                add(item.span, false);
                folds_of(item, add);
            }
        }
        _ => {}
    }
}

fn folds_of_sections(named: &Named, add: &mut impl FnMut(Span, bool)) {
    add(named.whole, false);
    named.parts.iter().for_each(|part| folds_of_sections(part, add));
}
