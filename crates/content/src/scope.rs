//! What references in content may name, and the texts that they are replaced by.

use super::collections::{Collection, REST};
use super::reference::{Reference, find};
use super::yaml::{Node, Value};
use sitegen_core::diagnostics::{Diagnostic, MOST, Place, Problem, ReferenceProblem, meant};
use sitegen_core::paths::SourcePath;
use std::collections::{BTreeMap, BTreeSet};

/// The longest text in bytes that a reference may stand for: names, addresses and sentences are shorter.
const MOST_REFERRED: usize = 4_000;

/// The values that references may name: `site`, and once they are read the entries of collections.
#[derive(Clone, Copy, Default)]
pub struct Scope<'a> {
    /// `site.yaml`.
    pub site: Option<&'a Node>,
    /// Entries by collection and slug.
    pub collections: Option<&'a BTreeMap<String, Collection>>,
    /// Entries, as `collection.slug`, that could not be read. Their mistakes are reported in their own files.
    pub unread: Option<&'a BTreeSet<String>>,
    /// What else may be named: `entry`, `term` or `list` on a page that was made from one.
    pub own: &'a [(&'static str, Node)],
}

impl Scope<'_> {
    /// Returns the text that a reference stands for.
    pub fn resolve(&self, reference: &Reference) -> Result<String, Problem> {
        if !reference.is_closed {
            return Err(ReferenceProblem::UnclosedReference.into());
        }
        self.value(reference.path)
    }

    /// Returns the value at a path. `None` if it is in an entry that could not be read.
    pub fn node(&self, path: &str) -> Result<Option<&Node>, Problem> {
        let is_path = !path.is_empty()
            && path.split('.').all(|part| {
                !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
            });
        if !is_path {
            return Err(ReferenceProblem::BadReference { reference: path.to_owned() }.into());
        }
        let mut parts = path.split('.');
        let entry = path.splitn(3, '.').take(2).collect::<Vec<_>>().join(".");
        if self.unread.is_some_and(|unread| unread.contains(&entry)) {
            return Ok(None);
        }
        let root = parts.next().unwrap_or_default();
        let unknown = |part: &str, names: Vec<&str>| ReferenceProblem::UnknownReference {
            reference: path.to_owned(),
            part: part.to_owned(),
            nearest: meant(part, names).map(|name| name.within(replace_part(path, part, &name))),
        };
        let own = self.own.iter().find(|(name, _)| *name == root);
        let mut node = if let Some((_, own)) = own {
            own
        } else if root == "site" {
            self.site.ok_or_else(|| unknown(root, vec![]))?
        } else {
            let is_unread = || self.unread.is_some_and(|unread| unread.contains(&format!("{root}.{REST}")));
            let Some(entries) = self.collections.and_then(|collections| collections.get(root)) else {
                if is_unread() {
                    return Ok(None);
                }
                let mut names: Vec<&str> = vec!["site"];
                names.extend(self.own.iter().map(|(name, _)| *name));
                names.extend(self.collections.into_iter().flat_map(|all| all.keys().map(String::as_str)));
                return Err(unknown(root, names).into());
            };
            let slug = parts.next().unwrap_or_default();
            match entries.get(slug) {
                Some(entry) => &entry.data,
                None if is_unread() => return Ok(None),
                None => return Err(unknown(slug, entries.iter().map(|entry| entry.slug.as_str()).collect()).into()),
            }
        };
        for part in parts {
            node = node
                .get(part)
                .ok_or_else(|| unknown(part, node.entries().iter().map(|(key, _)| key.name.as_str()).collect()))?;
        }
        match &node.value {
            // A value that refers to another would have to be filled first; one step is enough for anyone to follow.
            Value::Text(text) if text.contains("{{") => {
                Err(ReferenceProblem::NestedReference { reference: path.to_owned() }.into())
            }
            // An empty text may be the mistake that was reported there, so references to it are not reported.
            Value::Text(text) if text.is_empty() && self.unread.is_some_and(|unread| unread.contains(root)) => Ok(None),
            _ => Ok(Some(node)),
        }
    }

    fn value(&self, path: &str) -> Result<String, Problem> {
        let Some(node) = self.node(path)? else { return Ok(path.to_owned()) };
        match &node.value {
            // A file that refers to a long text ten thousand times would grow as many times.
            Value::Text(text) if text.len() > MOST_REFERRED => {
                Err(ReferenceProblem::NoText { reference: path.to_owned(), found: "a text of more than 4,000 bytes" }
                    .into())
            }
            Value::Text(text) => Ok(text.clone()),
            Value::Integer(number) => Ok(number.to_string()),
            Value::Float(number) => Ok(number.to_string()),
            Value::Bool(value) => Ok(value.to_string()),
            Value::Null | Value::List(_) | Value::Map(_) => {
                Err(ReferenceProblem::NoText { reference: path.to_owned(), found: node.kind() }.into())
            }
        }
    }

    /// Replaces the references in every text of a tree, and reports those that cannot be.
    pub fn fill(&self, path: &SourcePath, node: &mut Node, diagnostics: &mut Vec<Diagnostic>) {
        match &mut node.value {
            Value::Text(text) if text.contains("{{") || text.contains("}}") => {
                let mut filled = String::with_capacity(text.len());
                let mut from = 0;
                for reference in find(text) {
                    // Nothing of this file will be published.
                    if diagnostics.len() > MOST {
                        return;
                    }
                    filled.push_str(&text[from..reference.span.start]);
                    match self.resolve(&reference) {
                        Ok(value) => filled.push_str(&value),
                        // Escapes and folded lines make positions inside a YAML text uncertain, so the complete text is
                        // marked; it is never very long.
                        Err(problem) => {
                            diagnostics.push(Diagnostic::new(problem, Place::new(path, node.span)));
                            // An empty text would be a mistake of its own.
                            filled.push_str(reference.path);
                        }
                    }
                    from = reference.span.end;
                }
                filled.push_str(&text[from..]);
                let mut outside = String::new();
                let mut from = 0;
                for reference in find(text) {
                    outside.push_str(&text[from..reference.span.start]);
                    from = reference.span.end;
                }
                outside.push_str(&text[from..]);
                if !outside.contains("{{") && outside.contains("}}") {
                    diagnostics.push(Diagnostic::new(ReferenceProblem::UnopenedReference, Place::new(path, node.span)));
                }
                *text = filled.replace("\\{{", "{{");
            }
            Value::List(items) => items.iter_mut().for_each(|item| self.fill(path, item, diagnostics)),
            Value::Map(entries) => entries.iter_mut().for_each(|(_, item)| self.fill(path, item, diagnostics)),
            _ => {}
        }
    }
}

fn replace_part(path: &str, part: &str, by: &str) -> String {
    path.split('.').map(|each| if each == part { by } else { each }).collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::super::yaml;
    use super::*;

    fn site() -> Node {
        yaml::parse(&SourcePath::new("site.yaml"), "email: a@b.example\nteam:\n  size: 7\n", 0).unwrap()
    }

    #[test]
    fn paths_are_replaced_by_values() {
        let site = site();
        let scope = Scope { site: Some(&site), ..Scope::default() };
        assert_eq!(scope.value("site.email").unwrap(), "a@b.example");
        assert_eq!(scope.value("site.team.size").unwrap(), "7");
        let text = "w: \"{{ site.email }} and \\\\{{ raw }}\"\n";
        let mut node = yaml::parse(&SourcePath::new("a.yaml"), text, 0).unwrap();
        let mut diagnostics = Vec::new();
        scope.fill(&SourcePath::new("a.yaml"), &mut node, &mut diagnostics);
        assert_eq!(node.get("w").unwrap().text(), Some("a@b.example and {{ raw }}"));
        assert!(diagnostics.is_empty());
    }

    #[test]
    fn a_wrong_part_names_the_nearest_and_code_is_refused() {
        let site = site();
        let scope = Scope { site: Some(&site), ..Scope::default() };
        let Err(Problem::Reference(ReferenceProblem::UnknownReference { part, nearest, .. })) =
            scope.value("site.emial")
        else {
            panic!()
        };
        assert_eq!((part.as_str(), nearest.as_deref()), ("emial", Some("site.email")));
        assert!(matches!(
            scope.value("site.email | upper"),
            Err(Problem::Reference(ReferenceProblem::BadReference { .. }))
        ));
        assert!(matches!(scope.value("site.team"), Err(Problem::Reference(ReferenceProblem::NoText { .. }))));
    }
}
