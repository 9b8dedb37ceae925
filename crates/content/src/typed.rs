//! Deserializes types with `serde` from a [`Node`], with the places of values and keys.
//!
//! A field may be [`Spanned`], and a mapping with free names is [`Entries`]. As in schemas, an empty text counts as absent
//! and `300.0` as an integer; where a list is expected, any other value is a list of one. Keys without a field are passed
//! over. Which values are allowed is for a schema to say.

use super::yaml::{Node, Value};
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use sitegen_core::diagnostics::Span;
use std::fmt;
use std::marker::PhantomData;

/// A value, and where it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename = "$spanned")]
pub struct Spanned<T> {
    /// The place of the value in its file. A default is at the file's begin.
    pub span: Span,
    /// The value.
    pub value: T,
}

/// The name by which the deserializer knows [`Spanned`].
const SPANNED: &str = "$spanned";

/// A mapping with free names, in the order it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries<T>(pub Vec<(Spanned<String>, T)>);

impl<T> Default for Entries<T> {
    fn default() -> Self {
        Entries(Vec::new())
    }
}

/// How many values of the wrong type are left out.
const MOST_WRONG: usize = 20;

/// Reads a value as far as it has the right types. A part of another type counts as absent: the schema has reported it.
pub fn read<T: DeserializeOwned + Default>(node: &Node) -> T {
    let mut wrong = Vec::new();
    while wrong.len() < MOST_WRONG {
        match T::deserialize(Typed::of(node, &wrong)) {
            Ok(value) => return value,
            Err(Wrong(Some(span))) if !wrong.contains(&span) => wrong.push(span),
            Err(_) => break,
        }
    }
    T::default()
}

/// The place of the innermost value of a wrong type.
#[derive(Debug)]
struct Wrong(Option<Span>);

impl fmt::Display for Wrong {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value of another type")
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Wrong(None)
    }
}

/// A key, or a value without the parts at the places that are wrong.
#[derive(Clone, Copy)]
enum Content<'de> {
    Key(&'de str),
    Value(&'de Value, &'de [Span]),
}

#[derive(Clone, Copy)]
struct Typed<'de> {
    span: Span,
    content: Content<'de>,
}

impl<'de> Typed<'de> {
    fn of(node: &'de Node, wrong: &'de [Span]) -> Self {
        Typed { span: node.span, content: Content::Value(&node.value, wrong) }
    }

    /// Adds the place to an error that has none.
    fn at<T>(self, result: Result<T, Wrong>) -> Result<T, Wrong> {
        result.map_err(|Wrong(inner)| Wrong(inner.or(Some(self.span))))
    }
}

impl<'de> IntoDeserializer<'de, Wrong> for Typed<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

macro_rules! integers {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
            match self.content {
                Content::Value(Value::Float(value), _) if value.fract() == 0.0 => {
                    self.at(visitor.visit_i64(*value as i64))
                }
                _ => self.deserialize_any(visitor),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for Typed<'de> {
    type Error = Wrong;

    forward_to_deserialize_any! {
        bool f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct tuple tuple_struct map identifier
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let (value, wrong) = match self.content {
            Content::Key(name) => return self.at(visitor.visit_borrowed_str(name)),
            Content::Value(value, wrong) => (value, wrong),
        };
        self.at(match value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Integer(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(items) => {
                let items = items.iter().filter(|item| !wrong.contains(&item.span));
                visitor.visit_seq(SeqDeserializer::new(items.map(|item| Typed::of(item, wrong))))
            }
            Value::Map(entries) => {
                let is_there = |node: &Node| node.text() != Some("") && !wrong.contains(&node.span);
                let entries = entries.iter().filter(|(_, node)| is_there(node)).map(|(key, node)| {
                    (Typed { span: key.span, content: Content::Key(&key.name) }, Typed::of(node, wrong))
                });
                visitor.visit_map(MapDeserializer::new(entries))
            }
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.at(visitor.visit_some(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match self.content {
            Content::Value(Value::List(_), _) => self.deserialize_any(visitor),
            _ => self.at(visitor.visit_seq(SeqDeserializer::new(std::iter::once(self)))),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match name {
            SPANNED => self.at(visitor.visit_seq(Parts { span: Some(self.span), value: self })),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let Content::Value(Value::Text(text), _) = self.content else { return Err(Wrong(Some(self.span))) };
        self.at(visitor.visit_enum::<StrDeserializer<Wrong>>(text.as_str().into_deserializer()))
    }
}

/// The fields of a [`Spanned`], in their order.
struct Parts<'de> {
    /// `None` once it was read.
    span: Option<Span>,
    value: Typed<'de>,
}

impl<'de> SeqAccess<'de> for Parts<'de> {
    type Error = Wrong;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Wrong> {
        match self.span.take() {
            Some(Span { start, end }) => seed.deserialize(SeqDeserializer::new([start, end].into_iter())).map(Some),
            None => seed.deserialize(self.value).map(Some),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Entries<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor(PhantomData))
    }
}

struct EntriesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for EntriesVisitor<T> {
    type Value = Entries<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

/// A switch that is on unless the site turns it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct OnByDefault(pub bool);

impl Default for OnByDefault {
    fn default() -> Self {
        OnByDefault(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;
    use sitegen_core::paths::SourcePath;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Colour {
        #[default]
        Red,
        Blue,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Paint {
        colour: Colour,
        litres: u8,
        price: f64,
        label: Option<Spanned<String>>,
        rooms: Vec<Spanned<String>>,
        mixed: Entries<Paint>,
    }

    fn paint(text: &str) -> Paint {
        read(&yaml::parse(&SourcePath::new("a.yaml"), text, 0).unwrap())
    }

    /// A word where a text has it first.
    fn first(text: &str, word: &str) -> Spanned<String> {
        Spanned { span: Span::at(text.find(word).unwrap(), word.len()), value: word.to_owned() }
    }

    #[test]
    fn values_have_types_and_places() {
        let text = "colour: blue\nlitres: 2.0\nprice: 3\nlabel: Matt\nrooms: [hall, den]\n\
                    mixed: { base: { rooms: attic } }\nother: 1\n";
        let base = Paint { rooms: vec![first(text, "attic")], ..Paint::default() };
        let expected = Paint {
            colour: Colour::Blue,
            litres: 2,
            price: 3.0,
            label: Some(first(text, "Matt")),
            rooms: vec![first(text, "hall"), first(text, "den")],
            mixed: Entries(vec![(first(text, "base"), base)]),
        };
        assert_eq!(paint(text), expected);
        assert_eq!(paint("label: \"\"\nrooms: \"\"\n"), Paint::default());
    }

    #[test]
    fn values_of_another_type_count_as_absent() {
        let text = "colour: green\nlitres: 300\nprice: [1]\nlabel: Matt\nrooms: [hall, 1, {}]\n\
                    mixed: { base: { rooms: 5 } }\n";
        let expected = Paint {
            label: Some(first(text, "Matt")),
            rooms: vec![first(text, "hall")],
            mixed: Entries(vec![(first(text, "base"), Paint::default())]),
            ..Paint::default()
        };
        assert_eq!(paint(text), expected);
        assert_eq!(paint(&format!("label: Matt\nrooms: [{}]\n", "1, ".repeat(100_000))), Paint::default());
    }
}
