//! Puts the keys of a translation over those of its original.

use super::plurals;
use super::yaml::{Node, Value};
use sitegen_core::diagnostics::Span;

/// Returns the value of a translation. A mapping has the keys of its original that it lacks, in the order of the original.
pub fn merged(own: Node, original: Node) -> Node {
    match (own.value, original.value) {
        // The forms of a plural are those of one language.
        (Value::Map(own_keys), Value::Map(keys)) if plurals::replace(&own_keys, &keys) => {
            Node { value: Value::Map(own_keys), span: own.span }
        }
        (Value::Map(mut own_keys), Value::Map(keys)) => {
            let mut all = Vec::with_capacity(keys.len());
            for (key, value) in keys {
                match own_keys.iter().position(|(own, _)| own.name == key.name) {
                    Some(at) => {
                        let (key, own) = own_keys.remove(at);
                        all.push((key, merged(own, value)));
                    }
                    None => all.push((key, value)),
                }
            }
            all.extend(own_keys);
            Node { value: Value::Map(all), span: own.span }
        }
        (value, _) => Node { value, span: own.span },
    }
}

/// Returns a value with its places moved behind a text.
pub fn moved_by(mut node: Node, at: usize) -> Node {
    node.each_span(&mut |span| *span = Span { start: span.start + at, end: span.end + at });
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;
    use sitegen_core::paths::SourcePath;

    fn overlaid(own: &str, original: &str) -> String {
        let path = SourcePath::new("content/site.yaml");
        let parsed = |text: &str| yaml::parse(&path, text, 0).expect("valid YAML");
        merged(parsed(own), moved_by(parsed(original), own.len())).to_json().to_string()
    }

    #[test]
    fn a_translation_has_what_differs() {
        for (own, original, expected) in [
            ("b: 2\n", "a: 1\nb: 1\n", r#"{"a":1,"b":2}"#),
            ("c: 3\n", "a: 1\n", r#"{"a":1,"c":3}"#),
            ("a: { c: 3 }\n", "a: { b: 1, c: 1 }\n", r#"{"a":{"b":1,"c":3}}"#),
            ("a: [x]\n", "a: [1, 2]\n", r#"{"a":["x"]}"#),
            ("a: x\n", "a: { b: 1 }\n", r#"{"a":"x"}"#),
            ("a: \"\"\n", "a: x\n", r#"{"a":""}"#),
            // The forms of a plural are those of one language.
            ("a: { other: x }\n", "a: { one: y, other: z }\n", r#"{"a":{"other":"x"}}"#),
            ("a: { few: x }\n", "a: { one: y, other: z }\n", r#"{"a":{"few":"x"}}"#),
            // Those of the search are some of its texts.
            ("a: { one: x, many: y }\n", "a: { label: z, many: z }\n", r#"{"a":{"label":"z","many":"y","one":"x"}}"#),
            ("a: { many: x }\n", "a: { one: y, many: z }\n", r#"{"a":{"one":"y","many":"x"}}"#),
        ] {
            assert_eq!(overlaid(own, original), expected);
        }
    }

    #[test]
    fn places_in_the_original_are_behind_the_translation() {
        let path = SourcePath::new("content/site.yaml");
        let node = moved_by(yaml::parse(&path, "a: { b: 1 }\n", 0).expect("valid YAML"), 100);
        assert_eq!(node.get("a").and_then(|a| a.get("b")).map(|b| b.span), Some(Span { start: 108, end: 109 }));
    }
}
