//! Finds out which shared values a template can read, which decides what its pages depend on.

use super::lexer::{Token, codes};
use super::{TEMPLATES, template_files};
use crate::cache::{Cache, Key};
use crate::sources::{Digest, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The shared values that a template can read, itself or through templates that it names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// `collections` or `entries`.
    pub collections: bool,
    /// `pages`.
    pub pages: bool,
}

impl Uses {
    /// Returns what either uses.
    pub fn and(self, other: Uses) -> Uses {
        Uses { collections: self.collections || other.collections, pages: self.pages || other.pages }
    }

    /// Counts a name in code, outside of string literals, as a use. At worst it finds too much.
    fn of(text: &str) -> Self {
        let mut uses = Uses::default();
        for (token, _) in codes(text).iter().flat_map(|code| &code.tokens) {
            match token {
                Token::Word("collections" | "entries") => uses.collections = true,
                Token::Word("pages") => uses.pages = true,
                // Prints everything a template can see.
                Token::Word("__tera_context") => return Uses { collections: true, pages: true },
                _ => {}
            }
        }
        uses
    }
}

/// Returns what each template uses, by its name. `digest` is the [digest] of the templates.
pub fn uses(sources: &Sources, digest: Digest, cache: &Cache) -> Arc<BTreeMap<String, Uses>> {
    let key = Key::of("uses").with(digest).done();
    if let Some(uses) = cache.get(&key) {
        return uses;
    }
    let texts: BTreeMap<&str, &str> =
        template_files(sources).filter_map(|(path, _)| Some((path.below(TEMPLATES)?, sources.text(path)?))).collect();
    let own: BTreeMap<&str, Uses> = texts.iter().map(|(name, text)| (*name, Uses::of(text))).collect();
    // A component is called by its own name, which can be anywhere.
    let components = texts.iter().filter(|(_, text)| text.contains("component"));
    let everywhere = components.fold(Uses::default(), |all, (name, _)| all.and(own[name]));
    let reached = |name: &'_ str| {
        let mut seen = BTreeSet::from([name.to_owned()]);
        let mut open = vec![name.to_owned()];
        let mut uses = everywhere;
        while let Some(name) = open.pop() {
            let Some(text) = texts.get(name.as_str()) else { continue };
            uses = uses.and(own[name.as_str()]);
            let named = texts.keys().filter(|other| text.contains(**other));
            open.extend(named.filter(|other| seen.insert(other.to_string())).map(|other| other.to_string()));
        }
        uses
    };
    let uses = Arc::new(texts.keys().map(|name| ((*name).to_owned(), reached(name))).collect());
    cache.store(key, Arc::clone(&uses));
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uses_are_followed_through_named_templates() {
        let sources = Sources::from_files([
            ("templates/base.html", "<p>pages</p>{% block main %}{% endblock %}{% include \"parts/nav.html\" %}"),
            ("templates/parts/nav.html", "{% for entry in collections.news %}{{ entry.title }}{% endfor %}"),
            ("templates/pages/plain.html", "{# pages #}<b>{{ page.title }}</b>"),
            ("templates/pages/page.html", "{% extends \"base.html\" %}"),
            ("templates/pages/index.html", "{% extends \"base.html\" %}{% for page in pages %}{% endfor %}"),
        ]);
        let uses = uses(&sources, Digest::default(), &Cache::default());
        let both = |collections, pages| Uses { collections, pages };
        assert_eq!(uses["pages/plain.html"], both(false, false));
        assert_eq!(uses["pages/page.html"], both(true, false));
        assert_eq!(uses["pages/index.html"], both(true, true));
    }
}
