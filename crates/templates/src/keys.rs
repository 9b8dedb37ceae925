//! Finds misspelt keys of what the engine gives to templates.
//!
//! A key that a value does not have is nothing to Tera, so `{% if list.prev %}` would be silently false.

use super::Template;
use super::lexer::{Code, Kind, Token};
use sitegen_core::diagnostics::{Diagnostic, Place, SchemaProblem, Span, nearest};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;
use std::collections::BTreeSet;

/// The keys of `list` and `term`, which have no others.
const CLOSED: [(&str, &[&str]); 2] = [
    ("list", &["entries", "number", "count", "total", "first", "last", "previous", "next", "pages"]),
    ("term", &["name", "slug", "count"]),
];

/// The keys that the engine gives to pages and entries or reads in them. Sites add their own.
const OPEN: [(&str, &[&str]); 2] = [
    (
        "page",
        &[
            "title",
            "description",
            "template",
            "draft",
            "publish",
            "expires",
            "updated",
            "noindex",
            "language",
            "route",
            "url",
            "source",
            "content",
            "toc",
            "previous",
            "next",
            "ancestors",
            "feed",
            "direction",
            "translations",
            "fallback",
        ],
    ),
    (
        "entry",
        &[
            "slug", "route", "url", "content", "toc", "expired", "draft", "publish", "expires", "updated", "noindex",
            "language", "template", "fallback",
        ],
    ),
];

/// Returns the keys that the engine gives to a value: `page`, `entry`, `list` or `term`.
pub fn given(value: &str) -> &'static [&'static str] {
    CLOSED.iter().chain(&OPEN).find(|(name, _)| *name == value).map_or(&[], |(_, keys)| keys)
}

/// A key that a template reads and the engine does not give.
#[derive(Debug)]
pub struct Suspect {
    path: SourcePath,
    span: Span,
    key: String,
    /// Whether what it is read of has no keys of the site.
    is_closed: bool,
    known: &'static [&'static str],
    nearest: Option<&'static str>,
}

/// Reports keys of `list` and `term` that these do not have, and keys of `page` and `entry` that are nearly one of the
/// engine's and that no file of content has, nor a schema.
pub fn unknown(suspects: &[Suspect], sources: &Sources) -> Vec<Diagnostic> {
    let is_own = |key: &str| {
        let (in_yaml, in_schema) = (format!("{key}:"), format!("\"{key}\""));
        let has_key = |text: &str| text.contains(&in_yaml) || text.contains(&in_schema);
        sources.below("content").any(|(_, source)| source.here().text().is_some_and(has_key))
    };
    let is_unknown = |suspect: &&Suspect| suspect.is_closed || !is_own(&suspect.key);
    let report = |suspect: &Suspect| {
        let Suspect { path, span, key, known, nearest, .. } = suspect;
        let problem = SchemaProblem::UnknownKey {
            key: key.clone(),
            nearest: nearest.map(|nearest| nearest.into()),
            known: known.iter().map(|known| (*known).to_owned()).collect(),
            schema: None,
        };
        Diagnostic::new(problem, Place::new(path, *span))
    };
    suspects.iter().filter(is_unknown).map(report).collect()
}

/// Finds keys that may be misspelt.
pub fn suspects(templates: &[(Template, Vec<Code>)]) -> Vec<Suspect> {
    // An included template has the names of the one that includes it.
    let includes =
        |codes: &[Code]| codes.iter().any(|code| matches!(code.tokens.first(), Some((Token::Word("include"), _))));
    let inherited: BTreeSet<&str> =
        templates.iter().filter(|(_, codes)| includes(codes)).flat_map(|(_, codes)| bound(codes)).collect();
    let mut suspects = Vec::new();
    for (template, codes) in templates {
        let own: BTreeSet<&str> = bound(codes).chain(inherited.iter().copied()).collect();
        for (object, key, at) in codes.iter().flat_map(read) {
            let find = |objects: &'static [(&str, &[&str])]| objects.iter().find(|(name, _)| *name == object);
            let (is_closed, Some((object, known))) = (find(&CLOSED).is_some(), find(&CLOSED).or_else(|| find(&OPEN)))
            else {
                continue;
            };
            if own.contains(object) || known.contains(&key) {
                continue;
            }
            // A site may well have a key `sources` or `text` of its own.
            let is_close =
                |known: &&str| known.starts_with(key.get(..1).unwrap_or_default()) && key != format!("{known}s");
            let nearest = nearest(key, known.iter().copied()).filter(|known| is_closed || is_close(known));
            if is_closed || nearest.is_some() {
                let span = Span::at(at, key.len());
                suspects.push(Suspect {
                    path: template.path.clone(),
                    span,
                    key: key.to_owned(),
                    is_closed,
                    known,
                    nearest,
                });
            }
        }
    }
    suspects
}

/// Returns the names that a template gives to values itself.
pub(super) fn bound<'t>(codes: &[Code<'t>]) -> impl Iterator<Item = &'t str> {
    let names = codes.iter().flat_map(|code| {
        let tokens = &code.tokens;
        let is_component = matches!(tokens.first(), Some((Token::Word("component"), _)));
        tokens.iter().enumerate().filter_map(move |(at, (token, _))| {
            let Token::Word(name) = *token else { return None };
            let before = |back: usize| at.checked_sub(back).map(|at| tokens[at].0);
            let follows = matches!(before(1), Some(Token::Word("for" | "set" | "set_global")))
                || before(1) == Some(Token::Sign(',')) && before(3) == Some(Token::Word("for"));
            (is_component || follows).then_some(name)
        })
    });
    names.collect::<Vec<_>>().into_iter()
}

/// Returns what a piece of code reads as `object.key` or `object["key"]`, with the offset of the key.
fn read<'t>(code: &Code<'t>) -> Vec<(&'t str, &'t str, usize)> {
    if code.kind == Kind::Comment {
        return Vec::new();
    }
    let tokens = &code.tokens;
    let read = tokens.iter().enumerate().filter_map(|(at, (token, _))| {
        let Token::Word(object) = *token else { return None };
        let is_part = at > 0 && tokens[at - 1].0 == Token::Sign('.');
        // `list?.next` reads the same key.
        let rest = match tokens.get(at + 1..)? {
            [(Token::Sign('?'), _), rest @ ..] | rest => rest,
        };
        let (key, offset) = match rest {
            [(Token::Sign('.'), _), (Token::Word(key), offset), ..] => (*key, *offset),
            [(Token::Sign('['), _), (Token::Value(text), offset), ..] if text.starts_with(['"', '\'', '`']) => {
                (text.trim_matches(['"', '\'', '`']), offset + 1)
            }
            _ => return None,
        };
        (!is_part).then_some((object, key, offset))
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::super::Templates;
    use super::super::scan::scan;
    use super::*;
    use sitegen_core::cache::Cache;

    fn found(templates: &[(&str, &str)]) -> Vec<(bool, String, Option<&'static str>)> {
        let sources = Sources::from_files(templates.iter().copied());
        let scan = scan(&Templates::of(&sources), &Cache::default());
        let shown = scan.suspects.iter().map(|each| {
            let text = sources.text(&each.path).unwrap();
            (each.is_closed, text[each.span.start..each.span.end].to_owned(), each.nearest)
        });
        shown.collect()
    }

    fn alone(text: &str) -> Vec<(bool, String, Option<&'static str>)> {
        found(&[("templates/a.html", text)])
    }

    #[test]
    fn keys_that_the_engine_does_not_give_are_found() {
        let some = |is_closed: bool, key: &str, nearest| vec![(is_closed, key.to_owned(), nearest)];
        assert_eq!(alone("{% if list.prev %}{% endif %}"), some(true, "prev", Some("previous")));
        assert_eq!(alone("{{ list[\"nxt\"] | default(value=1) }}"), some(true, "nxt", Some("next")));
        assert_eq!(alone("{% if not term.total %}{% endif %}"), some(true, "total", None));
        assert_eq!(alone("{% if page.prev %}{% endif %}"), some(false, "prev", Some("previous")));
        assert_eq!(alone("{% if entry.expird %}{% endif %}"), some(false, "expird", Some("expired")));
    }

    #[test]
    fn keys_of_sites_and_names_of_templates_are_not() {
        for valid in [
            "{% if list.previous %}{{ page.next.titel }}{% endif %}",
            "{% if page.text %}{{ page.sources }}{{ page.hero }}{% endif %}",
            "{% for list in lists %}{{ list.prev }}{% endfor %}",
            "{% for key, term in terms %}{{ term.prev }}{% endfor %}",
            "{% set list = a %}{{ list.prev }}",
            "{% component row(list) %}{{ list.prev }}{% endcomponent %}",
            "{{ site.list.prev }} {# list.prev #} list.prev",
        ] {
            assert_eq!(alone(valid), [], "{valid}");
        }
        let parts = "{% for list in a %}{% include \"part.html\" %}{% endfor %}";
        assert_eq!(found(&[("templates/a.html", parts), ("templates/part.html", "{{ list.prev }}")]), []);
    }
}
