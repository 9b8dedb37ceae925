//! Finds what YAML takes away from values without an error: what follows on ` #`, and names for anchors and types.

use super::yaml::{Node, Value};
use super::yaml_words::reason;
use sitegen_core::diagnostics::{Diagnostic, MOST, Place, Span, YamlProblem};
use sitegen_core::paths::SourcePath;

/// Reports what the values of a file lost. A name for YAML becomes a part of its value again.
///
/// `yaml` is the file without the Markdown at its end.
pub fn lost(path: &SourcePath, yaml: &str, node: &mut Node, diagnostics: &mut Vec<Diagnostic>) {
    // Most files have none of these.
    if [" #", " &", " !"].iter().any(|sign| yaml.contains(sign)) {
        Search { path, yaml, diagnostics }.node(node, false);
    }
}

struct Search<'s> {
    path: &'s SourcePath,
    yaml: &'s str,
    diagnostics: &'s mut Vec<Diagnostic>,
}

impl Search<'_> {
    /// Checks a value, which may be one of a list or a map in brackets.
    fn node(&mut self, node: &mut Node, is_in_brackets: bool) {
        if self.diagnostics.len() > MOST {
            return;
        }
        let begins = self.yaml.get(node.span.start..).unwrap_or_default();
        match &mut node.value {
            Value::List(items) => {
                let is_in_brackets = is_in_brackets || begins.starts_with('[');
                items.iter_mut().for_each(|item| self.node(item, is_in_brackets));
            }
            Value::Map(entries) => {
                let is_in_brackets = is_in_brackets || begins.starts_with('{');
                for (key, value) in entries {
                    if !is_in_brackets && self.diagnostics.len() <= MOST {
                        self.value_of_key(key.span.end, value);
                    }
                    self.node(value, is_in_brackets);
                }
            }
            Value::Null => {}
            _ => self.comment(node.span, is_in_brackets),
        }
    }

    /// Checks what is written on the line of a key that ends at an offset.
    fn value_of_key(&mut self, key: usize, value: &mut Node) {
        let Some(rest) = self.yaml.get(key..self.line_end(key)) else { return };
        // The quote of the key, and the colon.
        let written = rest.trim_start_matches(['"', '\'', ' ', '\t']).strip_prefix(':').unwrap_or_default().trim();
        let at = key + rest.trim_end().len() - written.len();
        if value.value == Value::Null && is_word(written) {
            return self.report_comment(written, Span::at(at, written.len()));
        }
        let written = written.split_once(" #").map_or(written, |(value, _)| value.trim_end());
        if self.is_for_yaml(written, &value.value) {
            let span = Span::at(at, written.len());
            let problem = YamlProblem::YamlQuotes { reason: reason(written), written: written.to_owned() };
            self.diagnostics.push(Diagnostic::new(problem, Place::new(self.path, span)));
            *value = Node { value: Value::Text(written.to_owned()), span };
        }
    }

    /// Whether a value on one line begins with an anchor that no alias repeats, or with a type that YAML does not have.
    fn is_for_yaml(&self, written: &str, value: &Value) -> bool {
        let (name, rest) = written.split_once([' ', '\t']).unwrap_or((written, ""));
        let is_unused = match name.split_at_checked(1) {
            Some(("&", name)) => !self.has_alias(name),
            Some(("!", name)) => !name.starts_with('!'),
            _ => false,
        };
        match rest.trim_start().chars().next() {
            _ if !is_unused => false,
            None => *value == Value::Null,
            // A text in quotes or on the lines below loses nothing, nor does a list.
            Some(first) => !"\"'|>[{".contains(first),
        }
    }

    fn has_alias(&self, name: &str) -> bool {
        let alias = format!("*{name}");
        self.yaml.match_indices(&alias).any(|(at, _)| {
            let (before, after) = (&self.yaml[..at], &self.yaml[at + alias.len()..]);
            let goes_on = after.starts_with(|letter: char| letter.is_alphanumeric() || "-_".contains(letter));
            before.ends_with([' ', '[', ',', '{']) && !goes_on
        })
    }

    /// Checks what follows on a plain value in its line.
    fn comment(&mut self, Span { start, end }: Span, is_in_brackets: bool) {
        let (Some(written), Some(rest)) = (self.yaml.get(start..end), self.yaml.get(end..)) else { return };
        let is_plain = !written.starts_with(['"', '\'', '|', '>', '*']) && !written.contains('\n');
        let from = end + rest.bytes().take_while(|byte| b" \t".contains(byte)).count();
        if !is_plain || written.is_empty() || from == end || !is_word(&self.yaml[from..]) {
            return;
        }
        let mut comment = &self.yaml[from..self.line_end(from)];
        if is_in_brackets {
            comment = comment.split([',', ']', '}']).next().unwrap_or(comment);
        }
        let span = Span::at(from, comment.trim_end().len());
        let value = self.yaml[start..span.end].to_owned();
        self.report_comment(&value, span);
    }

    fn report_comment(&mut self, value: &str, span: Span) {
        let problem = YamlProblem::YamlComment { written: value.to_owned() };
        let diagnostic = Diagnostic::new(problem, Place::new(self.path, span));
        self.diagnostics.push(diagnostic);
    }

    fn line_end(&self, at: usize) -> usize {
        self.yaml.get(at..).and_then(|rest| rest.find(['\n', '\r'])).map_or(self.yaml.len(), |end| at + end)
    }
}

/// Whether a comment begins like a part of a value: most people write a space after the `#` of a comment.
fn is_word(comment: &str) -> bool {
    comment.strip_prefix('#').is_some_and(|rest| rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::super::yaml::parse;
    use super::*;
    use sitegen_core::diagnostics::{code, label};

    /// What is marked, and the advice.
    fn lost(text: &str) -> Vec<String> {
        let path = SourcePath::new("a.yaml");
        let mut diagnostics = Vec::new();
        super::lost(&path, text, &mut parse(&path, text, 0).unwrap(), &mut diagnostics);
        let shown = diagnostics.iter().map(|each| {
            let span = each.place.as_ref().unwrap().span.unwrap();
            let advice = label(&each.problem).unwrap();
            format!("{} {} {}", code(&each.problem), &text[span.start..span.end], advice.split(',').next().unwrap())
        });
        shown.collect()
    }

    #[test]
    fn comments_that_were_meant_as_values_are_reported() {
        for (text, expected) in [
            ("a: Boat #1\r\n", "yaml-comment #1 write `\"Boat #1\"`"),
            ("a: 5 #two\n", "yaml-comment #two write `\"5 #two\"`"),
            ("a: Kim's boat #1\n", "yaml-comment #1 write `\"Kim's boat #1\"`"),
            ("a:\n  - x #y\n", "yaml-comment #y write `\"x #y\"`"),
            ("a: [x, y #1\n]\n", "yaml-comment #1 write `\"y #1\"`"),
            ("a: #fff\n", "yaml-comment #fff write `\"#fff\"`"),
        ] {
            assert_eq!(lost(text), [expected], "{text}");
        }
        for kept in [
            "a: Boat # one\n",
            "a: \"Boat #1\"\n",
            "a: >\n  Boat #1\n",
            "a: '#1' #x\n",
            "#a\nb: 1\n",
            "a: b#c\n",
            "a: https://a.test/#b\n",
            "a: # note\n  - b\n",
        ] {
            assert_eq!(lost(kept), Vec::<String>::new(), "{kept}");
        }
    }

    #[test]
    fn names_for_yaml_that_nothing_uses_are_parts_of_values() {
        for (text, expected) in [
            ("a: &Keel\n", "yaml-quotes &Keel write `\"&Keel\"`"),
            ("\"a\": &Keel two # x\nb: 5*Keel\n", "yaml-quotes &Keel two write `\"&Keel two\"`"),
            ("a: !Keel x\n", "yaml-quotes !Keel x write `\"!Keel x\"`"),
        ] {
            assert_eq!(lost(text), [expected], "{text}");
        }
        for kept in [
            "a: &x 1\nb: *x\n",
            "a: &x\n  b: 1\nc:\n  <<: *x\n",
            "a: !!str 5\n",
            "a: &x |-\n  text\n",
            "a: &x\n  long text\n",
            "a: &x \"text\"\n",
            "a: &x [1]\n",
            "a: {b: !Keel x, c: 1}\n",
        ] {
            assert_eq!(lost(kept), Vec::<String>::new(), "{kept}");
        }
    }
}
