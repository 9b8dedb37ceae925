//! The classes of highlighted code: a small set, whatever the language.

use std::sync::LazyLock;
use syntect::parsing::Scope;

/// What a piece of code is, as far as readers care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    Attribute,
    Comment,
    Constant,
    Deleted,
    Escape,
    Function,
    Heading,
    Inserted,
    Keyword,
    Meta,
    Number,
    Property,
    String,
    Tag,
    Type,
    Variable,
}

impl Class {
    /// The class in HTML.
    pub fn name(self) -> &'static str {
        match self {
            Class::Attribute => "hl-attribute",
            Class::Comment => "hl-comment",
            Class::Constant => "hl-constant",
            Class::Deleted => "hl-deleted",
            Class::Escape => "hl-escape",
            Class::Function => "hl-function",
            Class::Heading => "hl-heading",
            Class::Inserted => "hl-inserted",
            Class::Keyword => "hl-keyword",
            Class::Meta => "hl-meta",
            Class::Number => "hl-number",
            Class::Property => "hl-property",
            Class::String => "hl-string",
            Class::Tag => "hl-tag",
            Class::Type => "hl-type",
            Class::Variable => "hl-variable",
        }
    }
}

/// What a scope does to the class of the text in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Is(Class),
    /// The text has no class, like code in a string.
    Plain,
    /// The text has the class of what is around it.
    Keeps,
}

use Effect::{Is, Keeps, Plain};

/// Scopes of the syntaxes by their beginnings. The longest that fits decides. Punctuation, operators and ordinary
/// variables have no class: they are most of the words of a program, and colouring everything emphasises nothing.
const EFFECTS: &[(&str, Effect)] = &[
    ("comment", Is(Class::Comment)),
    ("constant", Is(Class::Constant)),
    ("constant.character.escape", Is(Class::Escape)),
    ("constant.numeric", Is(Class::Number)),
    ("constant.other.color", Is(Class::Number)),
    ("constant.other.placeholder", Is(Class::Escape)),
    ("entity.name", Is(Class::Type)),
    ("entity.name.constant", Is(Class::Constant)),
    ("entity.name.function", Is(Class::Function)),
    ("entity.name.macro", Is(Class::Function)),
    ("entity.name.section", Is(Class::Heading)),
    ("entity.name.tag", Is(Class::Tag)),
    ("entity.name.tag.toml", Is(Class::Property)),
    ("entity.name.tag.yaml", Is(Class::Property)),
    ("entity.other.attribute-name", Is(Class::Attribute)),
    ("entity.other.inherited-class", Is(Class::Type)),
    ("entity.other.jinja2.delimiter", Is(Class::Keyword)),
    ("entity.other.jinja2.delimiter.comment", Keeps),
    ("entity.other.pseudo-class", Is(Class::Attribute)),
    ("entity.other.pseudo-element", Is(Class::Attribute)),
    ("keyword", Is(Class::Keyword)),
    ("keyword.operator", Keeps),
    ("keyword.operator.js", Is(Class::Keyword)),
    ("keyword.operator.logical.lua", Is(Class::Keyword)),
    ("keyword.operator.logical.python", Is(Class::Keyword)),
    ("keyword.operator.module", Is(Class::Keyword)),
    ("keyword.operator.new", Is(Class::Keyword)),
    ("keyword.operator.word", Is(Class::Keyword)),
    ("keyword.other.substitution", Keeps),
    ("keyword.other.template", Is(Class::String)),
    ("keyword.other.unit", Is(Class::Number)),
    ("markup.deleted", Is(Class::Deleted)),
    ("markup.heading", Is(Class::Heading)),
    ("markup.inserted", Is(Class::Inserted)),
    ("markup.quote", Is(Class::Comment)),
    ("markup.raw", Is(Class::String)),
    ("markup.underline.link", Is(Class::String)),
    ("meta.annotation", Is(Class::Meta)),
    ("meta.diff.header", Is(Class::Meta)),
    ("meta.diff.range", Is(Class::Meta)),
    ("meta.embedded", Plain),
    ("meta.interpolation", Plain),
    ("meta.mapping.key", Is(Class::Property)),
    ("meta.property-name", Is(Class::Property)),
    ("meta.structure.dictionary.key", Is(Class::Property)),
    ("meta.template.expression", Plain),
    ("punctuation.definition.comment", Is(Class::Comment)),
    ("punctuation.definition.string", Is(Class::String)),
    ("punctuation.definition.variable", Is(Class::Variable)),
    ("punctuation.section.interpolation", Plain),
    ("source", Plain),
    ("source.regexp", Keeps),
    ("storage", Is(Class::Keyword)),
    ("string", Is(Class::String)),
    ("support.class", Is(Class::Type)),
    ("support.constant", Is(Class::Constant)),
    ("support.function", Is(Class::Function)),
    ("support.macro", Is(Class::Function)),
    ("support.type", Is(Class::Type)),
    ("support.type.property-name", Is(Class::Property)),
    ("text", Plain),
    ("variable.annotation", Is(Class::Meta)),
    ("variable.function", Is(Class::Function)),
    ("variable.language", Is(Class::Keyword)),
    ("variable.other.key", Is(Class::Property)),
    ("variable.other.php", Is(Class::Variable)),
    ("variable.other.readwrite.assignment.shell", Is(Class::Variable)),
    ("variable.other.readwrite.shell", Is(Class::Variable)),
    ("variable.parameter", Is(Class::Variable)),
];

/// The same with the numbers that stand for the words of a scope.
static SCOPES: LazyLock<Vec<(Scope, Effect)>> =
    LazyLock::new(|| EFFECTS.iter().filter_map(|(scope, effect)| Some((Scope::new(scope).ok()?, *effect))).collect());

/// Returns the class of text in a scope. `around` is that of the text around it.
pub fn of(scope: Scope, around: Option<Class>) -> Option<Class> {
    let effects = SCOPES.iter().filter(|(prefix, _)| prefix.is_prefix_of(scope));
    match effects.max_by_key(|(prefix, _)| prefix.len()) {
        // A key is a string in some languages and none in others.
        Some((_, Is(Class::String))) if around == Some(Class::Property) => around,
        Some((_, Is(class))) => Some(*class),
        Some((_, Plain)) => None,
        Some((_, Keeps)) | None => around,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_of_the_table_is_one() {
        assert_eq!(SCOPES.len(), EFFECTS.len());
    }

    #[test]
    fn the_longest_beginning_decides() {
        let class = |scope: &str, around| of(Scope::new(scope).unwrap(), around);
        assert_eq!(class("keyword.control.rust", None), Some(Class::Keyword));
        assert_eq!(class("keyword.operator.arithmetic.rust", None), None);
        assert_eq!(class("keyword.operator.arithmetic.rust", Some(Class::String)), Some(Class::String));
        assert_eq!(class("string.quoted.double.json", Some(Class::Property)), Some(Class::Property));
        assert_eq!(class("source.js.embedded", Some(Class::String)), None);
        assert_eq!(class("punctuation.separator.js", None), None);
    }
}
