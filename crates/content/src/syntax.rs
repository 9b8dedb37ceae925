//! The formats that keys and values are written in. Each ends as the same tree, in which everything has its place.

use super::limits::too_large;
use super::yaml::{self, Node, Value};
use super::{json, toml_text};
use sitegen_core::diagnostics::{Diagnostic, Place, Problem, Span, YamlProblem};
use sitegen_core::paths::SourcePath;

/// A format of keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// YAML 1.2.
    Yaml,
    /// TOML 1.1.
    Toml,
    /// JSON (RFC 8259).
    Json,
    /// A table: values separated by commas, semicolons or tabs (RFC 4180).
    Csv,
}

impl Syntax {
    /// Returns the format of a file by its extension. That of Markdown is the one of its front matter.
    pub fn of(path: &SourcePath, text: &str) -> Self {
        match path.extension() {
            Some("toml") => Syntax::Toml,
            Some("json") => Syntax::Json,
            Some("csv") => Syntax::Csv,
            Some("md") => match text.trim_start_matches('\u{feff}').as_bytes().first() {
                Some(b'+') => Syntax::Toml,
                Some(b'{') => Syntax::Json,
                _ => Syntax::Yaml,
            },
            _ => Syntax::Yaml,
        }
    }

    /// Returns what keys with values are called in it.
    pub fn mapping(self) -> &'static str {
        match self {
            Syntax::Yaml | Syntax::Csv => "`key: value` lines",
            Syntax::Toml => "a table of `key = value` lines",
            Syntax::Json => "an object like `{ \"key\": \"value\" }`",
        }
    }

    /// Returns the type of a value in words that an editor of the format knows.
    pub fn kind(self, node: &Node) -> &'static str {
        match &node.value {
            Value::Map(_) => self.mapping(),
            _ => node.kind(),
        }
    }

    /// Parses a text, which begins at a byte of the file, as a mapping. A repeated key is reported, and the first one counts.
    pub fn parse(
        self,
        path: &SourcePath,
        text: &str,
        offset: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Node> {
        let node = match self {
            Syntax::Yaml => return yaml::parse_all(path, text, offset, diagnostics),
            _ => self.parse_any(path, text, offset, diagnostics)?,
        };
        match node.value {
            Value::Map(_) => Some(node),
            _ => {
                let problem = YamlProblem::NotAMapping { expected: self.mapping(), found: node.kind() };
                diagnostics.push(Diagnostic::new(problem, Place::new(path, node.span)));
                None
            }
        }
    }

    /// Parses a text as any value. Tables are read by [`super::table`], which needs to know their columns.
    pub fn parse_any(
        self,
        path: &SourcePath,
        text: &str,
        offset: usize,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Node> {
        if self == Syntax::Yaml {
            return yaml::parse_any(path, text, offset, diagnostics);
        }
        let read = match too_large(text) {
            Some(problem) => Err((Box::new(problem), Span::default())),
            None if self == Syntax::Toml => toml_text::parse(text),
            None => json::parse(text),
        };
        let mut report = |problem: Problem, span: Span| {
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span.shifted(offset))));
        };
        let (mut node, repeated) = read.map_err(|(problem, span)| report(*problem, span)).ok()?;
        repeated.into_iter().for_each(|(key, span)| report(YamlProblem::DuplicateKey { key }.into(), span));
        shift(&mut node, offset);
        Some(node)
    }
}

fn shift(node: &mut Node, offset: usize) {
    if offset == 0 {
        return;
    }
    node.span = node.span.shifted(offset);
    match &mut node.value {
        Value::List(items) => items.iter_mut().for_each(|item| shift(item, offset)),
        Value::Map(entries) => entries.iter_mut().for_each(|(key, item)| {
            key.span = key.span.shifted(offset);
            shift(item, offset);
        }),
        _ => {}
    }
}
