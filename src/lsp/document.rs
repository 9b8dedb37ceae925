//! Requests about a document: what its text and the project answer.

use super::lines::Lines;
use super::moment::Moment;
use super::{actions, answers};
use crate::diagnostics::Span;
use crate::ide::symbols::Occurrence;
use crate::ide::{Analysis, Hint, Target};
use crate::paths::SourcePath;
use serde_json::{Value, json};

/// The most references that are returned.
const MOST: usize = 20_000;

/// A document with a request about it.
pub struct Document<'a> {
    /// The project as it was when the request came.
    pub moment: &'a Moment,
    /// Its file.
    pub path: &'a SourcePath,
    /// What is known of the project.
    pub analysis: Analysis<'a>,
    /// Its lines.
    pub lines: Lines<'a>,
    /// What the request brings.
    pub params: &'a Value,
}

impl Document<'_> {
    /// Returns the place of the cursor in the text.
    pub fn offset(&self) -> usize {
        self.lines.offset(self.params.get("position").unwrap_or(&Value::Null))
    }

    /// Returns what can be written at the cursor.
    pub fn completion(&self) -> Value {
        let (all, is_all) = self.analysis.complete(self.path, self.offset());
        let numbered = all.iter().enumerate();
        let items: Vec<Value> =
            numbered.map(|(number, each)| answers::completion(each, number, &self.lines, self.moment)).collect();
        json!({ "isIncomplete": !is_all, "items": items })
    }

    /// Returns what there is to know of the thing at the cursor.
    pub fn hover(&self) -> Value {
        let hover = self.analysis.hover(self.path, self.offset());
        hover.map_or(Value::Null, |hover| answers::hover(&hover, &self.lines, self.moment))
    }

    /// Returns where the thing at the cursor is declared.
    pub fn definition(&self) -> Value {
        let targets = self.analysis.definition(self.path, self.offset());
        targets.iter().map(|target| answers::location(target, self.moment)).collect()
    }

    /// Returns every place that names the thing at the cursor.
    pub fn references(&self) -> Value {
        let Some(symbol) = self.analysis.symbol_or_file(self.path, self.offset()) else { return json!([]) };
        let declaration = self.params.pointer("/context/includeDeclaration").and_then(Value::as_bool);
        let all = self.analysis.references(&symbol, MOST).into_iter();
        let wanted = all.filter(|(_, each)| declaration != Some(false) || !each.declares);
        let target =
            |(file, each): (SourcePath, Occurrence)| answers::location(&Target { file, span: each.span }, self.moment);
        wanted.map(target).collect()
    }

    /// Returns the places in the document that name the thing at the cursor.
    pub fn highlights(&self) -> Value {
        let Some(at) = self.analysis.symbol_at(self.path, self.offset()) else { return json!([]) };
        let same = self.analysis.occurrences(self.path).into_iter().filter(|each| each.symbol == at.symbol);
        same.map(|each| json!({ "range": self.lines.range(each.span), "kind": 1 })).collect()
    }

    /// Returns the name at the cursor, if it can be changed.
    pub fn prepare_rename(&self) -> Value {
        match self.analysis.renameable(self.path, self.offset()) {
            Some((span, name)) => json!({ "range": self.lines.range(span), "placeholder": name }),
            None => Value::Null,
        }
    }

    /// Returns the links to other files.
    pub fn links(&self) -> Value {
        let named = self.analysis.occurrences(self.path).into_iter();
        let links = named.filter_map(|each| {
            let file = self.analysis.file_of(&each.symbol)?;
            let is_link = file != *self.path && !each.declares;
            is_link.then(|| json!({ "range": self.lines.range(each.span), "target": self.moment.uri(&file) }))
        });
        links.collect()
    }

    /// Returns the outline.
    pub fn symbols(&self) -> Value {
        self.analysis.outline(self.path).iter().map(|named| answers::document_symbol(named, &self.lines)).collect()
    }

    /// Returns what can be folded.
    pub fn folds(&self) -> Value {
        self.analysis.folds(self.path).iter().filter_map(|fold| answers::fold(fold, &self.lines)).collect()
    }

    /// Returns the values of references in a range.
    pub fn hints(&self) -> Value {
        let range = self.params.get("range");
        let within = range.map_or(Span { start: 0, end: usize::MAX }, |range| self.lines.span(range));
        let hint = |hint: Hint| json!({ "position": self.lines.position(hint.offset), "label": hint.text, "paddingLeft": true });
        self.analysis.hints(self.path, within).into_iter().map(hint).collect()
    }

    /// Returns the repairs of what is wrong in a range.
    pub fn actions(&self) -> Value {
        let span = self.params.get("range").map(|range| self.lines.span(range)).unwrap_or_default();
        let only = self.params.pointer("/context/only").and_then(Value::as_array).into_iter().flatten();
        let only: Vec<&str> = only.filter_map(Value::as_str).collect();
        Value::Array(actions::actions(self.moment, self.path, span, &only))
    }
}
