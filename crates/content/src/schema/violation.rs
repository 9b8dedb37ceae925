//! Finds the key or value that a rule of a schema is about, and says what to write there.

use super::{Schema, Text, properties};
use crate::checks;
use crate::syntax::Syntax;
use crate::yaml::{Node, Value};
use jsonschema::ValidationError;
use jsonschema::error::{TypeKind, ValidationErrorKind as Rule};
use serde_json::Value as Json;
use sitegen_core::diagnostics::{MOST, Meant, Problem, SchemaProblem, Span, YamlProblem, meant};
use sitegen_core::sources::JoinedText;
use sitegen_locale::names;

/// An error of the validator, and where in the file it is.
pub(super) struct Violation<'a> {
    schema: &'a Schema,
    error: &'a ValidationError<'a>,
    root: &'a Node,
    file: &'a Text<'a>,
    passed_over: &'a [&'a str],
    /// The keys and numbers that lead to `node`.
    steps: Vec<String>,
    node: &'a Node,
    /// The span of the last key on the way to it.
    key: Option<Span>,
    /// The part of the schema that contains the rule.
    part: Option<&'a Json>,
}

impl<'a> Violation<'a> {
    /// Finds what an error is about in a file, which is `root`.
    pub(super) fn new(
        schema: &'a Schema,
        error: &'a ValidationError<'a>,
        root: &'a Node,
        file: &'a Text<'a>,
        passed_over: &'a [&'a str],
    ) -> Self {
        let steps: Vec<String> = error.instance_path().to_string().split('/').skip(1).map(unescape).collect();
        let schema_path = error.schema_path().to_string();
        let part = schema.json.pointer(schema_path.rsplit_once('/').map_or("", |(parent, _)| parent));
        let (node, key) = locate(root, &steps);
        Violation { schema, error, root, file, passed_over, steps, node, key, part }
    }

    /// Returns what is wrong, each with its span in the file.
    pub(super) fn problems(&self) -> Vec<(Problem, Span)> {
        let node = self.node;
        let key_or_value = self.key.unwrap_or(node.span);
        let rule = |detail: String| SchemaProblem::SchemaRule { detail };
        let (problem, span) = match self.error.kind() {
            Rule::AdditionalProperties { unexpected } | Rule::UnevaluatedProperties { unexpected } => {
                let is_checked_elsewhere = |name: &str| self.steps.is_empty() && self.passed_over.contains(&name);
                let names = unexpected.iter().take(MOST + 1).filter(|name| !is_checked_elsewhere(name));
                return names.filter_map(|name| self.unexpected_key(name)).collect();
            }
            Rule::AnyOf { context } | Rule::OneOfNotValid { context } => {
                // The alternative with the fewest errors is what the editor had in mind.
                match context.iter().min_by_key(|errors| errors.len()).filter(|errors| !errors.is_empty()) {
                    Some(errors) => return errors.iter().flat_map(|error| self.of(error)).collect(),
                    None => (rule(self.error.to_string()), node.span),
                }
            }
            Rule::Required { property } => self.missing_key(property.as_str().unwrap_or_default()),
            Rule::PropertyNames { error } => return vec![self.unknown_name(error)],
            // `properties: { url: false }` and `{ not: {} }` forbid a key, given others.
            Rule::FalseSchema | Rule::Not { .. } => (self.forbidden_key(), key_or_value),
            Rule::Type { kind } => (self.wrong_type(kind), node.span),
            Rule::Enum { options } => (self.not_a_choice(choices(options)), node.span),
            Rule::Constant { expected_value } => {
                let choices = vec![plain(expected_value)];
                (SchemaProblem::NotAChoice { value: self.value(), choices, nearest: None }, node.span)
            }
            Rule::MinLength { limit } => (length(node, "characters", format!("at least {limit}")), node.span),
            Rule::MaxLength { limit } => (length(node, "characters", format!("at most {limit}")), node.span),
            Rule::MinItems { limit } => (length(node, "items", format!("at least {limit}")), key_or_value),
            Rule::MaxItems { limit } => (length(node, "items", format!("at most {limit}")), key_or_value),
            Rule::Minimum { limit } => (self.out_of_range(format!("at least {limit}")), node.span),
            Rule::Maximum { limit } => (self.out_of_range(format!("at most {limit}")), node.span),
            Rule::ExclusiveMinimum { limit } => (self.out_of_range(format!("more than {limit}")), node.span),
            Rule::ExclusiveMaximum { limit } => (self.out_of_range(format!("less than {limit}")), node.span),
            Rule::MultipleOf { multiple_of } => (self.out_of_range(format!("a multiple of {multiple_of}")), node.span),
            Rule::Format { format } => {
                (SchemaProblem::BadFormat { value: self.value(), format: format.clone() }, node.span)
            }
            Rule::Pattern { pattern } => {
                let (pattern, purpose) = (pattern.clone(), self.part.and_then(description));
                let value = self.value();
                let is_language = self.error.instance_path().to_string() == "/language";
                let nearest = is_language.then(|| meant_language(&value)).flatten();
                (SchemaProblem::BadPattern { value, pattern, purpose, nearest }, node.span)
            }
            Rule::UniqueItems => (rule("a list must not contain the same item twice".into()), node.span),
            _ => (rule(self.error.to_string()), node.span),
        };
        vec![(problem.into(), span)]
    }

    /// Returns what is wrong by another error about the same file.
    fn of(&self, error: &ValidationError) -> Vec<(Problem, Span)> {
        Violation::new(self.schema, error, self.root, self.file, self.passed_over).problems()
    }

    /// Returns the value as it is written.
    fn value(&self) -> String {
        self.node.text().map_or_else(|| self.error.instance().to_string(), str::to_owned)
    }

    fn out_of_range(&self, limit: String) -> SchemaProblem {
        SchemaProblem::Range { value: self.value(), limit }
    }

    fn not_a_choice(&self, choices: Vec<String>) -> SchemaProblem {
        let value = self.value();
        let nearest = meant(&value, choices.iter().map(String::as_str));
        SchemaProblem::NotAChoice { value, choices, nearest }
    }

    /// Returns what is wrong with a key that the schema does not have. `None` if that is reported at another key.
    fn unexpected_key(&self, name: &str) -> Option<(Problem, Span)> {
        match after_comma(self.node, name, self.file.text) {
            Some(Split::First { written, span }) => {
                let number = written.replacen(',', ".", 1);
                let problem = if number.parse::<f64>().is_ok() {
                    let fix = Some(format!("`{number}`, with a decimal point"));
                    let (expected, found) = ("a number".to_owned(), "two with a comma between them");
                    SchemaProblem::WrongType { expected, found, fix, code: None }.into()
                } else {
                    let reason = "a value in braces that contains `,`".to_owned();
                    YamlProblem::YamlQuotes { written, reason }.into()
                };
                return Some((problem, span));
            }
            Some(Split::Later) => return None,
            None => {}
        }
        let names = properties(self.part);
        let span = key_span(self.node, name).unwrap_or(self.node.span);
        let nearest = meant(name, names.iter().copied().filter(|name| self.node.get(name).is_none()));
        let (key, known) = (name.to_owned(), names.into_iter().map(str::to_owned).collect());
        Some((SchemaProblem::UnknownKey { key, nearest, known, schema: self.schema.path.clone() }.into(), span))
    }

    /// Reports a key that an enumeration of `propertyNames` does not have.
    fn unknown_name(&self, error: &ValidationError) -> (Problem, Span) {
        let name = plain(error.instance());
        let span = key_span(self.node, &name).unwrap_or(self.node.span);
        let is_in_checks = self.error.instance_path().to_string() == checks::POINTER;
        if let Some(problem) = checks::refused(&name, true).filter(|_| is_in_checks) {
            return (problem, span);
        }
        let known = match error.kind() {
            Rule::Enum { options } => choices(options),
            Rule::Pattern { pattern } => {
                let is_language = self.error.instance_path().to_string() == "/languages";
                let nearest = is_language.then(|| meant_language(&name)).flatten();
                if nearest.is_some() {
                    let schema = self.schema.path.clone();
                    return (SchemaProblem::UnknownKey { key: name, nearest, known: Vec::new(), schema }.into(), span);
                }
                let purpose = is_language.then(|| "The tag of a language, like `de` or `de-AT`.".to_owned());
                let (pattern, nearest) = (pattern.clone(), None);
                return (SchemaProblem::BadPattern { value: name, pattern, purpose, nearest }.into(), span);
            }
            _ => Vec::new(),
        };
        let nearest = meant(&name, known.iter().map(String::as_str));
        (SchemaProblem::UnknownKey { key: name, nearest, known, schema: self.schema.path.clone() }.into(), span)
    }

    fn missing_key(&self, name: &str) -> (SchemaProblem, Span) {
        let node = self.node;
        let names = properties(self.part);
        // A misspelt key is missing too, and is reported once.
        let strangers = node.entries().iter().map(|(key, _)| key.name.as_str());
        let strangers = strangers.filter(|key| !names.contains(key) && !self.passed_over.contains(key));
        if let Some(key) = meant(name, strangers) {
            let span = key_span(node, &key).unwrap_or(node.span);
            let known = names.into_iter().map(str::to_owned).collect();
            let (nearest, schema) = (Some(key.within(name.to_owned())), self.schema.path.clone());
            return (SchemaProblem::UnknownKey { nearest, key: key.word, known, schema }, span);
        }
        let key = name.to_owned();
        if let Some(span) = key_span(node, name) {
            return (SchemaProblem::EmptyKey { key }, span);
        }
        let purpose = self.part.and_then(|schema| description(schema.get("properties")?.get(name)?));
        let is_item = self.steps.last().is_some_and(|step| step.parse::<usize>().is_ok());
        let span = start_of(node, self.key.filter(|_| !is_item), self.file.text);
        (SchemaProblem::MissingKey { key, purpose }, span)
    }

    fn forbidden_key(&self) -> SchemaProblem {
        let rule = || self.schema.json.pointer(&self.error.schema_path().to_string());
        let reason = self.part.and_then(description).or_else(|| rule().and_then(description));
        SchemaProblem::ForbiddenKey { key: self.steps.last().cloned().unwrap_or_default(), reason }
    }

    fn wrong_type(&self, kind: &TypeKind) -> SchemaProblem {
        let (node, file) = (self.node, self.file);
        let syntax = Syntax::of(file.path, file.text.own);
        let expected = type_name(kind, syntax);
        let written = file.text.get(node.span.start..node.span.end).unwrap_or_default();
        let is_day = self.part.and_then(|part| part.get("format")).is_some_and(|format| format == "date");
        let fix = match expected.ends_with(syntax.mapping()) {
            true => keys_of(&expected, &properties(self.part)),
            false if is_day => Some("a day, like `2026-12-01`".to_owned()),
            false => respelt(&expected, node, written, syntax),
        };
        // What is written in backticks, if it is the only way to write the value.
        let exact = fix.as_deref().and_then(|fix| fix.strip_prefix('`')?.split_once('`'));
        let exact = exact.filter(|(_, more)| ["", ", in quotes", ", without quotes"].contains(more));
        let code =
            exact.filter(|_| expected != syntax.mapping()).map(|(code, _)| (written.to_owned(), code.to_owned()));
        SchemaProblem::WrongType { expected, found: syntax.kind(node), fix, code }
    }
}

/// Returns how to write a value so that it has the expected type, if it can be one.
fn respelt(expected: &str, node: &Node, written: &str, syntax: Syntax) -> Option<String> {
    match (expected, &node.value) {
        ("text", Value::Bool(_) | Value::Integer(_) | Value::Float(_)) => Some(format!("`\"{written}\"`, in quotes")),
        // As YAML reads it again: `"6.20"` is no whole number, and `6.20` is 6.2.
        ("a whole number", Value::Text(text)) => {
            text.parse::<i64>().ok().map(|number| format!("`{number}`, without quotes"))
        }
        ("a number", Value::Text(text)) => {
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.map(|number| format!("`{number}`, without quotes"))
        }
        ("`true` or `false`", Value::Text(text)) => match text.to_lowercase().as_str() {
            "yes" | "on" | "y" | "true" => Some("`true`".to_owned()),
            "no" | "off" | "n" | "false" => Some("`false`".to_owned()),
            _ => None,
        },
        ("a list", Value::Text(text)) if text.contains('\n') => None,
        ("a list", Value::Text(text)) if syntax != Syntax::Yaml => Some(format!("`[{}]`", Json::from(text.as_str()))),
        ("a list", Value::Text(text)) => Some(format!("`[{text}]`, or lines that begin with `- `")),
        _ => None,
    }
}

fn description(schema: &Json) -> Option<String> {
    Some(schema.get("description")?.as_str()?.to_owned())
}

fn choices(options: &Json) -> Vec<String> {
    options.as_array().into_iter().flatten().map(plain).collect()
}

/// A key that is the part of a value behind a comma: `{ label: Rye, spelt or wheat? }`.
enum Split {
    /// The first such part, with the value as it was meant.
    First { written: String, span: Span },
    /// A part behind another comma.
    Later,
}

/// Finds a value in braces that a comma has cut into a value and keys without values.
fn after_comma(node: &Node, key: &str, text: JoinedText) -> Option<Split> {
    let entries = node.entries();
    let at = entries.iter().position(|(each, _)| each.name == key)?;
    let is_part = |at: usize| {
        let (key, value) = &entries[at];
        let follows = rest(text, key.span.start, key.span.end).trim_start();
        value.value == Value::Null && follows.starts_with([',', '}'])
    };
    let is_in_braces = rest(text, node.span.start, node.span.start).starts_with('{');
    let first = (1..=at).rev().take_while(|at| is_part(*at)).last().filter(|_| is_in_braces)?;
    if first < at {
        return Some(Split::Later);
    }
    let end = (at..entries.len()).take_while(|at| is_part(*at)).last().map(|last| entries[last].0.span.end)?;
    let start = entries[first - 1].1.span.start;
    let written = text.get(start..end).filter(|written| !written.starts_with(['"', '\'', '[', '{']))?;
    Some(Split::First { written: written.to_owned(), span: Span { start, end } })
}

/// Returns what follows a place that is in the same text as another one.
fn rest<'s>(text: JoinedText<'s>, other: usize, place: usize) -> &'s str {
    let (text, start) = text.at(other);
    text.get(place - start..).unwrap_or_default()
}

/// Returns the node at the end of a path, and the span of its key.
fn locate<'n>(root: &'n Node, steps: &[String]) -> (&'n Node, Option<Span>) {
    let mut node = root;
    let mut key = None;
    for step in steps {
        let next = match &node.value {
            Value::List(items) => step.parse::<usize>().ok().and_then(|index| items.get(index)),
            _ => {
                key = key_span(node, step).or(key);
                node.get(step)
            }
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    (node, key)
}

fn key_span(node: &Node, name: &str) -> Option<Span> {
    node.entries().iter().find(|(key, _)| key.name == name).map(|(key, _)| key.span)
}

/// Returns where an editor looks for a mapping: its key, its own first key, or its first line. The keys of a row are in
/// another one.
fn start_of(node: &Node, key: Option<Span>, text: JoinedText) -> Span {
    let is_row = |first: &Span| first.end < node.span.start;
    let first = node.entries().first().map(|(key, _)| key.span).filter(|first| !is_row(first));
    key.or(first)
        .unwrap_or_else(|| Span::at(node.span.start.min(text.own.len() + text.original.unwrap_or_default().len()), 0))
}

fn length(node: &Node, unit: &'static str, limit: String) -> SchemaProblem {
    let count = match &node.value {
        Value::List(items) => items.len(),
        _ => node.text().map_or(0, |text| text.chars().count()),
    };
    SchemaProblem::Length { found: count, unit, limit }
}

/// Returns what to write for a mapping, with the keys that it may have. The message with many of them would be as long as the
/// schema.
fn keys_of(expected: &str, names: &[&str]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let (last, rest) = names.split_last().filter(|_| names.len() <= 8)?;
    let rest = if rest.is_empty() { String::new() } else { format!("{} or ", rest.join(", ")) };
    Some(format!("{expected} with {rest}{last}"))
}

fn plain(json: &Json) -> String {
    json.as_str().map_or_else(|| json.to_string(), str::to_owned)
}

fn unescape(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Names the types that a rule allows in the words of a syntax.
fn type_name(kind: &TypeKind, syntax: Syntax) -> String {
    let name = |json: &str| match json {
        "string" => "text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "`true` or `false`",
        "array" => "a list",
        "object" => syntax.mapping(),
        _ => "nothing",
    };
    match kind {
        TypeKind::Single(kind) => name(&kind.to_string()).to_owned(),
        TypeKind::Multiple(kinds) => kinds.iter().map(|kind| name(&kind.to_string())).collect::<Vec<_>>().join(" or "),
    }
}

/// Returns the tag that is meant by what does not have the form of one.
fn meant_language(written: &str) -> Option<Meant> {
    let tag = written.replace('_', "-");
    let named = || names::meant(written).map(|(word, is_certain)| Meant { word, is_certain });
    if tag != written { Some(Meant::certain(tag)) } else { named() }
}
