//! Inserts the components that Markdown calls.
//!
//! A component gets the values of its arguments, never their text, so nothing in a text can become code of a template.

use super::{Inputs, convert, engine, kwargs, nearby};
use sitegen_content::assets::Assets;
use sitegen_content::calls::{Argument, Call};
use sitegen_content::markdown::Rendered;
use sitegen_content::yaml::Value as Yaml;
use sitegen_core::diagnostics::{Diagnostic, MarkdownProblem, meant, nearest};
use sitegen_core::sources::Sources;
use std::borrow::Cow;
use std::ops::Range;
use tera::value::Key;
use tera::{ComponentArgType, Context, Map, Tera, Value};

/// Returns the HTML of a body with its components. `language` is that of the text.
///
/// Components get the values that all pages share, those in `around`, and of `page` the language: the same text may be on
/// several pages.
pub fn insert<'b>(
    (engine, around): (&Tera, &Context),
    Inputs { site, sources, .. }: Inputs,
    body: &'b Rendered,
    language: Option<&str>,
) -> Result<Cow<'b, str>, Vec<Diagnostic>> {
    if body.calls.is_empty() {
        return Ok(Cow::Borrowed(&body.html));
    }
    let mut page = Map::new();
    page.insert(Key::from("language"), convert::text(language.unwrap_or(&site.settings.language)));
    let mut around = around.clone();
    around.insert_value("page", Value::from(page));
    let mut inserting =
        Inserting { engine, sources, assets: &site.assets, html: &body.html, around, diagnostics: Vec::new() };
    let html = inserting.part(0..body.html.len(), &body.calls);
    if inserting.diagnostics.is_empty() { Ok(Cow::Owned(html)) } else { Err(inserting.diagnostics) }
}

struct Inserting<'a> {
    engine: &'a Tera,
    sources: &'a Sources,
    assets: &'a Assets,
    html: &'a str,
    /// The values that a component reads by `@`, besides the engine's own.
    around: Context,
    diagnostics: Vec<Diagnostic>,
}

impl Inserting<'_> {
    /// Returns a part of the HTML with its calls, which are in order and within the part.
    fn part(&mut self, range: Range<usize>, mut calls: &[Call]) -> String {
        let mut html = String::with_capacity(range.len());
        let mut from = range.start;
        while let Some((call, rest)) = calls.split_first() {
            html.push_str(&self.html[from..call.range.start]);
            let inner = match call.has_body {
                true => rest.partition_point(|other| other.range.start < call.range.end),
                false => 0,
            };
            let body = call.has_body.then(|| self.part(call.range.clone(), &rest[..inner]));
            html.push_str(&self.call(call, body.as_deref()));
            from = call.range.end;
            calls = &rest[inner..];
        }
        html.push_str(&self.html[from..range.end]);
        html
    }

    fn call(&mut self, call: &Call, body: Option<&str>) -> String {
        let Some(definition) = self.engine.get_component_definition(&call.component) else {
            let nearest = meant(&call.component, self.engine.get_component_names());
            let problem = MarkdownProblem::UnknownComponent { name: call.component.clone(), nearest };
            self.diagnostics.push(Diagnostic::new(problem, call.place.clone()));
            return String::new();
        };
        let before = self.diagnostics.len();
        let mut wrong = |detail: String, place| {
            let problem = MarkdownProblem::ComponentArgument { component: call.component.clone(), detail };
            self.diagnostics.push(Diagnostic::new(problem, place));
        };
        let mut arguments = Context::new();
        // What a misspelt name stands for is not missing.
        let mut misspelt = Vec::new();
        for Argument { name, value, place } in &call.arguments {
            let expected = definition.args().iter().find(|argument| argument.name() == name);
            match expected.map(|expected| expected.arg_type()) {
                None if definition.rest_param().is_none() => {
                    let meant = nearest(name, definition.args().iter().map(|argument| argument.name()));
                    misspelt.extend(meant);
                    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
                    wrong(format!("has no argument `{name}`{meant}"), place.clone());
                }
                Some(Some(expected)) if !is_of(value, expected) => {
                    let expected = kwargs::type_name(expected.as_str());
                    let found = kwargs::type_name(kind(value));
                    wrong(format!("expects {expected} for `{name}`, found {found}"), place.clone());
                }
                _ => arguments.insert_value(name.clone(), convert::of(value)),
            }
        }
        for argument in definition.args().iter().filter(|argument| argument.is_required()) {
            let is_there = call.arguments.iter().any(|given| given.name == argument.name());
            if !is_there && argument.name() != "body" && !misspelt.contains(&argument.name()) {
                wrong(format!("needs the argument `{}`", argument.name()), call.place.clone());
            }
        }
        if self.diagnostics.len() > before {
            return String::new();
        }
        let rendered = nearby::within(self.assets, [call.place.path.clone()], || {
            self.engine.render_component_with_implicits(&call.component, &arguments, &self.around, body, true)
        });
        rendered.unwrap_or_else(|error| {
            self.diagnostics.push(engine::failed_call(&error, &call.place, self.sources));
            String::new()
        })
    }
}

fn is_of(value: &Yaml, expected: ComponentArgType) -> bool {
    use ComponentArgType::{Array, Bool, Bytes, Float, Integer, Number, String};
    match value {
        Yaml::Text(_) => expected == String,
        Yaml::Bool(_) => expected == Bool,
        Yaml::Integer(_) => matches!(expected, Integer | Number),
        Yaml::Float(_) => matches!(expected, Float | Number),
        Yaml::List(_) => expected == Array,
        Yaml::Map(_) => expected == ComponentArgType::Map,
        Yaml::Null => !matches!(expected, Bytes),
    }
}

fn kind(value: &Yaml) -> &'static str {
    match value {
        Yaml::Text(_) => "string",
        Yaml::Bool(_) => "bool",
        Yaml::Integer(_) => "i64",
        Yaml::Float(_) => "f64",
        Yaml::List(_) => "array",
        Yaml::Map(_) => "Map",
        Yaml::Null => "none",
    }
}
