//! Answers as the protocol writes them (Language Server Protocol 3.17).

use super::lines::Lines;
use super::moment::Moment;
use crate::diagnostics::{Description, Diagnostic, Manual, Severity};
use crate::ide::{Completion, CompletionKind, FileChange, Fold, Hover, Named, NamedKind, Target, Token, TokenKind};
use crate::paths::SourcePath;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns a diagnostic of a file. One without a range is at the first line. With a manual, its code is a link.
pub fn diagnostic(diagnostic: &Diagnostic, manual: Option<&Manual>, lines: &Lines) -> Value {
    let span = diagnostic.place.as_ref().and_then(|place| place.span).unwrap_or_else(|| lines.first());
    let Description { code, message, label, note, .. } = diagnostic.problem.describe();
    let mut text = message.to_string();
    for part in [label, note].into_iter().flatten() {
        text.push('\n');
        text.push_str(&part);
    }
    if let Some(page) = &diagnostic.page {
        text.push_str(&format!("\nin the page {page}"));
    }
    let severity = if diagnostic.severity == Severity::Warning { 2 } else { 1 };
    let mut answer = json!({
        "range": lines.range(span),
        "severity": severity,
        "code": code,
        "source": "sitegen",
        "message": text,
    });
    if let Some(manual) = manual {
        answer["codeDescription"] = json!({ "href": manual.page(code) });
    }
    answer
}

/// Returns a completion. `number` is its place in the list.
pub fn completion(completion: &Completion, number: usize, lines: &Lines, moment: &Moment) -> Value {
    let has_snippets = moment.client.has_snippets;
    let kind = match completion.kind {
        CompletionKind::Key | CompletionKind::Property => 10,
        CompletionKind::Value => 12,
        CompletionKind::Page | CompletionKind::File => 17,
        CompletionKind::Section => 18,
        CompletionKind::Variable => 6,
        CompletionKind::Function => 3,
        CompletionKind::Keyword => 14,
        CompletionKind::Component => 7,
        CompletionKind::Argument => 5,
        CompletionKind::Class => 21,
    };
    let text = match (completion.is_snippet, has_snippets) {
        (true, false) => plain(&completion.text),
        _ => completion.text.clone(),
    };
    let mut item = json!({
        "label": completion.label,
        "kind": kind,
        "sortText": format!("{number:04}"),
        "filterText": completion.label,
        "insertTextFormat": if completion.is_snippet && has_snippets { 2 } else { 1 },
        "textEdit": { "range": lines.range(completion.span), "newText": text },
    });
    if let Some(detail) = &completion.detail {
        item["detail"] = json!(detail);
        if moment.client.has_label_details {
            item["labelDetails"] = json!({ "description": detail });
        }
    }
    let picture = completion.picture.as_ref().map(|file| shown(file, moment));
    let parts: Vec<String> = picture.into_iter().chain(completion.documentation.clone()).collect();
    if !parts.is_empty() {
        item["documentation"] = json!({ "kind": "markdown", "value": parts.join("\n\n") });
    }
    item
}

/// Returns a snippet without the places of the cursor.
fn plain(snippet: &str) -> String {
    let mut text = String::with_capacity(snippet.len());
    let mut letters = snippet.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => text.extend(letters.next()),
            '$' if letters.peek().is_some_and(char::is_ascii_digit) => drop(letters.next()),
            letter => text.push(letter),
        }
    }
    text
}

/// Returns the Markdown of a picture, which editors show small.
fn shown(file: &SourcePath, moment: &Moment) -> String {
    format!("![{}]({}|width=240)", file.name(), moment.uri(file))
}

/// Returns what there is to know of something.
pub fn hover(hover: &Hover, lines: &Lines, moment: &Moment) -> Value {
    let picture = hover.picture.as_ref().map(|file| shown(file, moment));
    let text: Vec<String> = picture.into_iter().chain([hover.text.clone()]).collect();
    json!({ "contents": { "kind": "markdown", "value": text.join("\n\n") }, "range": lines.range(hover.span) })
}

/// Returns a diagnostic with its place, on one line.
pub fn sentence(diagnostic: &Diagnostic, moment: &Moment) -> String {
    let message = crate::diagnostics::message(&diagnostic.problem);
    let Some(place) = &diagnostic.place else { return message };
    let line = place.span.map(|span| moment.lines(&place.path).line_and_column(span.start).0 + 1);
    let line = line.map_or(String::new(), |line| format!(":{line}"));
    format!("{}{line}: {message}", place.path)
}

/// Returns a place in a file.
pub fn location(target: &Target, moment: &Moment) -> Value {
    json!({ "uri": moment.uri(&target.file), "range": moment.lines(&target.file).range(target.span) })
}

/// Returns the changes of files as one edit of the project.
pub fn edit(changes: &[FileChange], moment: &Moment) -> Value {
    let mut edits: BTreeMap<&SourcePath, Vec<Value>> = BTreeMap::new();
    let mut moves = Vec::new();
    let mut lines: BTreeMap<&SourcePath, Lines> = BTreeMap::new();
    for change in changes {
        match change {
            FileChange::Edit { file, span, text } => {
                let lines = lines.entry(file).or_insert_with(|| moment.lines(file));
                edits.entry(file).or_default().push(json!({ "range": lines.range(*span), "newText": text }));
            }
            FileChange::Move { from, to } => {
                moves.push(json!({ "kind": "rename", "oldUri": moment.uri(from), "newUri": moment.uri(to) }));
            }
        }
    }
    if !moment.client.has_document_changes && moves.is_empty() {
        let edits: serde_json::Map<String, Value> =
            edits.into_iter().map(|(file, edits)| (moment.uri(file), Value::Array(edits))).collect();
        return json!({ "changes": edits });
    }
    // Texts are changed under the names that the files have before they are moved.
    let texts = edits
        .into_iter()
        .map(|(file, edits)| json!({ "textDocument": { "uri": moment.uri(file), "version": null }, "edits": edits }));
    let all: Vec<Value> = texts.chain(moves).collect();
    json!({ "documentChanges": all })
}

/// The numbers of kinds of symbols.
fn symbol_kind(kind: NamedKind) -> u32 {
    match kind {
        NamedKind::Page | NamedKind::Template => 1,
        NamedKind::Heading => 15,
        NamedKind::Key => 20,
        NamedKind::Block => 3,
        NamedKind::Component | NamedKind::Island => 5,
        NamedKind::Class => 23,
        NamedKind::Property => 7,
    }
}

/// Returns a part of a file with what is in it.
pub fn document_symbol(named: &Named, lines: &Lines) -> Value {
    let name = if named.name.trim().is_empty() { "…" } else { &named.name };
    // The bytes of the name have to be in those of the whole.
    let span = named.target.span;
    let whole =
        crate::diagnostics::Span { start: named.whole.start.min(span.start), end: named.whole.end.max(span.end) };
    let children: Vec<Value> = named.parts.iter().map(|part| document_symbol(part, lines)).collect();
    json!({
        "name": name,
        "detail": named.detail.clone().unwrap_or_default(),
        "kind": symbol_kind(named.kind),
        "range": lines.range(whole),
        "selectionRange": lines.range(span),
        "children": children,
    })
}

/// Returns something of a project.
pub fn workspace_symbol(named: &Named, moment: &Moment) -> Value {
    json!({
        "name": named.name,
        "kind": symbol_kind(named.kind),
        "containerName": named.detail.clone().unwrap_or_default(),
        "location": location(&named.target, moment),
    })
}

/// Returns lines that can be folded.
pub fn fold(fold: &Fold, lines: &Lines) -> Option<Value> {
    let (start, _) = lines.line_and_column(fold.span.start);
    let (mut end, column) = lines.line_and_column(fold.span.end);
    if column == 0 && end > start {
        end -= 1;
    }
    let kind = if fold.is_comment { "comment" } else { "region" };
    (end > start).then(|| json!({ "startLine": start, "endLine": end, "kind": kind }))
}

/// The names of kinds of words, in the order of their numbers.
pub const TOKENS: [&str; 9] =
    ["keyword", "variable", "property", "function", "class", "parameter", "string", "number", "comment"];

/// Returns words as numbers: each by its distance from the one before.
pub fn tokens(all: &[Token], lines: &Lines) -> Value {
    let (mut last_line, mut last_column) = (0, 0);
    let mut data: Vec<usize> = Vec::with_capacity(all.len() * 5);
    for token in all {
        let (line, column) = lines.line_and_column(token.span.start);
        let (_, end) = lines.line_and_column(token.span.end);
        let kind = match token.kind {
            TokenKind::Keyword => 0,
            TokenKind::Variable => 1,
            TokenKind::Property => 2,
            TokenKind::Function => 3,
            TokenKind::Class => 4,
            TokenKind::Parameter => 5,
            TokenKind::String => 6,
            TokenKind::Number => 7,
            TokenKind::Comment => 8,
        };
        let from = if line == last_line { column - last_column } else { column };
        data.extend([line - last_line, from, end.saturating_sub(column), kind, 0]);
        (last_line, last_column) = (line, column);
    }
    json!({ "data": data })
}
