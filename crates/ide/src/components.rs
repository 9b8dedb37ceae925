//! The components of templates, with their arguments.

use crate::Analysis;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_templates::Templates;
use sitegen_templates::lexer::{Code, Kind, Token, codes, name_at};
use std::collections::BTreeMap;

/// A component.
#[derive(Clone, Debug)]
pub struct Component {
    /// The file that declares it.
    pub file: SourcePath,
    /// The bytes of its name there.
    pub span: Span,
    /// What it takes.
    pub arguments: Vec<Argument>,
    /// The comment before it.
    pub comment: Option<String>,
}

/// An argument of a component.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name.
    pub name: String,
    /// Its type, if one is declared.
    pub kind: Option<String>,
    /// Whether calls have to give it.
    pub is_required: bool,
}

impl Component {
    /// Returns its arguments on one line.
    pub fn signature(&self) -> String {
        let argument = |argument: &Argument| {
            let kind = argument.kind.as_deref().map_or(String::new(), |kind| format!(": {kind}"));
            format!("{}{}{kind}", argument.name, if argument.is_required { "" } else { "?" })
        };
        self.arguments.iter().map(argument).collect::<Vec<_>>().join(", ")
    }
}

impl Analysis<'_> {
    /// Returns all components by their names as they are declared.
    pub fn components(&self) -> BTreeMap<String, Component> {
        let mut all = BTreeMap::new();
        for template in Templates::of(self.sources).iter() {
            if !template.text.contains("component") {
                continue;
            }
            let codes = codes(template.text);
            for (number, code) in codes.iter().enumerate() {
                let comment = number.checked_sub(1).and_then(|before| codes.get(before));
                let comment =
                    comment.filter(|before| template.text[before.span.end..code.span.start].trim().is_empty());
                if let Some((name, component)) = read(template.path, template.text, code, comment) {
                    all.insert(name, component);
                }
            }
        }
        all
    }
}

fn read(path: &SourcePath, text: &str, code: &Code, comment: Option<&Code>) -> Option<(String, Component)> {
    let [(Token::Word("component"), _), (Token::Word(_), at), ..] = code.tokens.as_slice() else { return None };
    let name = name_at(text, *at).to_owned();
    let comment = comment.filter(|comment| comment.kind == Kind::Comment).map(|comment| {
        let written = &text[comment.span.start..comment.span.end];
        written.trim_start_matches("{#").trim_end_matches("#}").trim_matches('-').trim().to_owned()
    });
    let component = Component {
        file: path.clone(),
        span: Span::at(*at, name.len()),
        arguments: arguments(&code.tokens[1..]),
        comment,
    };
    Some((name, component))
}

/// Reads `(title: string, level: integer = 2, @page)`. What has an `@` comes from around the call.
fn arguments(tokens: &[(Token, usize)]) -> Vec<Argument> {
    let mut all: Vec<Argument> = Vec::new();
    let mut depth = 0usize;
    for (index, (token, _)) in tokens.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|index| tokens.get(index)).map(|(token, _)| *token);
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Word(name) if depth == 1 && matches!(before, Some(Token::Sign('(' | ','))) => {
                all.push(Argument { name: (*name).to_owned(), kind: None, is_required: true });
            }
            Token::Word(kind) if depth == 1 && matches!(before, Some(Token::Sign(':'))) => {
                if let Some(last) = all.last_mut().filter(|last| last.kind.is_none()) {
                    last.kind = Some((*kind).to_owned());
                }
            }
            Token::Sign('=') if depth == 1 => {
                if let Some(last) = all.last_mut() {
                    last.is_required = false;
                }
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_from_the_declaration() {
        let text = "{# A card. #}\n{% component card(title: string, level: integer = 2, tags = [\"a\", b], @page) %}{% endcomponent card %}";
        let codes = codes(text);
        let (name, component) = read(&SourcePath::new("templates/a.html"), text, &codes[1], Some(&codes[0])).unwrap();
        assert_eq!((name.as_str(), component.comment.as_deref()), ("card", Some("A card.")));
        assert_eq!(component.signature(), "title: string, level?: integer, tags?");
    }
}
