//! The islands of a project, and the properties that they take.

use crate::Analysis;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SCHEMA, SourceKind};

impl Analysis<'_> {
    /// Returns the names of all islands with their files.
    pub fn islands(&self) -> impl Iterator<Item = (&str, &SourcePath)> {
        let files = self.sources.of(SourceKind::Island).map(|(path, _)| path);
        files.filter_map(|path| {
            let (name, extension) = path.below("islands")?.rsplit_once('.')?;
            let is_island =
                !name.contains('/') && matches!(extension, "tsx" | "jsx" | "ts" | "js") && !name.ends_with(".d");
            is_island.then_some((name, path))
        })
    }

    /// Returns the file of an island.
    pub fn island(&self, name: &str) -> Option<&SourcePath> {
        self.islands().find(|(each, _)| *each == name).map(|(_, path)| path)
    }

    /// Returns the names of the properties that an island takes, each with its type as far as it is written: those of its schema,
    /// or else of the type of its only argument.
    pub fn props(&self, island: &str) -> Vec<(String, String)> {
        let schema = SourcePath::new(format!("islands/{island}{SCHEMA}"));
        let json = self.sources.text(&schema).and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok());
        if let Some(properties) = json.as_ref().and_then(|json| json.get("properties")?.as_object()) {
            let of = |(name, value): (&String, &serde_json::Value)| {
                let text = |key| value.get(key).and_then(serde_json::Value::as_str).map(str::to_owned);
                (name.clone(), text("description").or_else(|| text("type")).unwrap_or_default())
            };
            return properties.iter().map(of).collect();
        }
        let text = self.island(island).and_then(|file| self.sources.text(file));
        text.map(props_of).unwrap_or_default()
    }
}

/// Reads the properties of the component that a module exports: `({ a, b }: Props)` with `type Props = { … }`, an interface, or
/// the type in place.
fn props_of(text: &str) -> Vec<(String, String)> {
    let Some(function) = ["export default function", "export default async function"].iter().find_map(|start| {
        let at = text.find(start)?;
        text[at..].find('(').map(|open| at + open + 1)
    }) else {
        return Vec::new();
    };
    let Some(end) = closing(text, function) else { return Vec::new() };
    let parameters = &text[function..end];
    // The type follows the pattern: `{ a, b }: Props`.
    let pattern = if parameters.trim_start().starts_with('{') {
        let open = function + (parameters.len() - parameters.trim_start().len()) + 1;
        closing(text, open).map_or(end, |close| close + 1)
    } else {
        function
    };
    let Some(written) = text.get(pattern..end).and_then(|rest| rest.split_once(':')).map(|(_, written)| written.trim())
    else {
        return names(parameters.trim().trim_matches(['{', '}']));
    };
    if let Some(inside) = written.strip_prefix('{') {
        return members(&inside[..closing(inside, 0).unwrap_or(inside.len())]);
    }
    let name: String = written.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    for start in [format!("interface {name} "), format!("type {name} ")] {
        let Some(at) = text.find(&start) else { continue };
        let Some(open) = text[at..].find('{').map(|open| at + open + 1) else { continue };
        return members(&text[open..closing(text, open).unwrap_or(text.len())]);
    }
    Vec::new()
}

/// Returns where the bracket closes that was opened before an offset.
fn closing(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, letter) in text.get(from..)?.char_indices() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' if depth == 0 => return Some(from + at),
            ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn names(pattern: &str) -> Vec<(String, String)> {
    let names = pattern.split(',').filter_map(|part| part.split(['=', ':']).next());
    names.map(str::trim).filter(|name| !name.is_empty()).map(|name| (name.to_owned(), String::new())).collect()
}

/// Reads the members of a type: one a line, or with `;` between them.
fn members(inside: &str) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    let mut add = |part: &str| {
        let part = part.rsplit("*/").next().unwrap_or(part).trim();
        let part = part.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with("//"));
        if let Some((name, kind)) = part.and_then(|part| part.split_once(':')) {
            let name = name.trim().trim_start_matches("readonly ").trim_end_matches('?').trim();
            if name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') && !name.is_empty() {
                all.push((name.to_owned(), kind.trim().to_owned()));
            }
        }
    };
    for (at, letter) in inside.char_indices() {
        match letter {
            '(' | '{' | '[' | '<' => depth += 1,
            ')' | '}' | ']' | '>' => depth = depth.saturating_sub(1),
            ';' | ',' | '\n' if depth == 0 => {
                add(&inside[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    add(&inside[start..]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_from_types() {
        let expected =
            [("start", "number"), ("labels", "{ more: string; less: string }"), ("onDone", "(x: number) => void")];
        let members = "start: number;\n  labels: { more: string; less: string };\n  /** When. */\n  onDone?: (x: number) => void;\n";
        for text in [
            format!("export default function A({{ start, labels }}: {{ {members} }}) {{}}"),
            format!("type Props = {{ {members} }};\nexport default function A({{ start = 1, labels }}: Props) {{}}"),
            format!("interface Props {{\n  {members}}}\nexport default function A(props: Props) {{}}"),
        ] {
            let props = props_of(&text);
            let props: Vec<(&str, &str)> = props.iter().map(|(name, kind)| (name.as_str(), kind.as_str())).collect();
            assert_eq!(props, expected, "{text}");
        }
        assert_eq!(props_of("export default function A({ a, b = 2 }) {}").len(), 2);
    }
}
