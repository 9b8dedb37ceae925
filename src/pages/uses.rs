//! Finds out which shared values a template can read, which decides what its pages depend on.

use super::files::Template;
use super::lexer::{Code, Token};
use std::collections::{BTreeMap, BTreeSet};

/// The shared values that a template can read, itself or through templates that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The collections that it reads through `collections`, `entries` or a function.
    pub collections: Names,
    /// Those of them that it reads through `collections` or `entries`, which functions do not.
    pub values: Names,
    /// Those of these whose entries it can read with their bodies.
    pub with_bodies: Names,
    /// Whether it can read the bodies of entries in lists: `content` or `toc`.
    pub bodies: bool,
    /// `pages`.
    pub pages: bool,
    /// `page.ancestors`, which shows keys of other pages.
    pub ancestors: bool,
}

/// Some names, or all there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// These.
    Some(BTreeSet<String>),
    /// All.
    All,
}

impl Default for Names {
    fn default() -> Self {
        Names::Some(BTreeSet::new())
    }
}

impl Names {
    /// Whether a name is among them.
    pub fn contains(&self, name: &str) -> bool {
        match self {
            Names::Some(names) => names.contains(name),
            Names::All => true,
        }
    }

    fn and(&mut self, other: &Names) {
        match (&mut *self, other) {
            (Names::Some(names), Names::Some(others)) => names.extend(others.iter().cloned()),
            _ => *self = Names::All,
        }
    }
}

impl Uses {
    /// Adds what another template uses.
    pub fn and(&mut self, other: &Uses) {
        self.collections.and(&other.collections);
        self.values.and(&other.values);
        self.with_bodies.and(&other.with_bodies);
        self.bodies |= other.bodies;
        self.pages |= other.pages;
        self.ancestors |= other.ancestors;
    }

    fn all() -> Self {
        let (collections, values, with_bodies) = (Names::All, Names::All, Names::All);
        Uses { collections, values, with_bodies, bodies: true, pages: true, ancestors: true }
    }

    /// Counts a name in code as a use. At worst it finds too much.
    fn of(codes: &[Code]) -> Self {
        let mut uses = Uses::default();
        let codes: Vec<Vec<Token>> =
            codes.iter().map(|code| code.tokens.iter().map(|(token, _)| *token).collect()).collect();
        // The body of a page is read for that page alone, unless a loop calls its items so.
        let is_loop = |tokens: &Vec<Token>| matches!(tokens[..], [Token::Word("for"), Token::Word("page"), ..]);
        let has_own_page = !codes.iter().any(is_loop);
        for tokens in &codes {
            for (at, token) in tokens.iter().enumerate() {
                let before = &tokens[..at];
                match (token, &tokens[at + 1..]) {
                    // `collections.news` and `collections["news"]` read one; anything else can read all.
                    (Token::Word("collections" | "entries"), [Token::Sign('.'), Token::Word(name), ..]) => {
                        uses.add(name)
                    }
                    (Token::Word("collections" | "entries"), [Token::Sign('['), Token::Value(name), ..]) => {
                        uses.add(name.trim_matches(['"', '\'', '`']));
                    }
                    // `list.entries` is what the page itself lists.
                    (Token::Word("entries"), _) if matches!(before, [.., Token::Word(_), Token::Sign('.')]) => {}
                    (Token::Word("collections" | "entries"), _) => uses.values = Names::All,
                    (Token::Word("related" | "terms"), _) => uses.collections = Names::All,
                    (Token::Word("pages"), _) => uses.pages = true,
                    (Token::Word("ancestors" | "breadcrumbs"), _) => uses.ancestors = true,
                    (Token::Word("content" | "toc"), _) => {
                        let is_own = has_own_page && matches!(before, [.., Token::Word("page"), Token::Sign('.')]);
                        uses.bodies |= !is_own;
                    }
                    (Token::Value(text), _) if ["content", "toc"].contains(&text.trim_matches(['"', '\'', '`'])) => {
                        uses.bodies = true;
                    }
                    // A computed key can be any. That of a collection chooses an entry.
                    (Token::Sign('['), after) => uses.bodies |= is_key(before, after) && !is_of_collection(before),
                    (Token::Word("attribute" | "key"), [Token::Sign('='), value, ..]) => {
                        uses.bodies |= !matches!(value, Token::Value(_)) && is_in_filter(before);
                    }
                    // Prints everything a template can see.
                    (Token::Word("__tera_context"), _) => return Uses::all(),
                    _ => {}
                }
            }
        }
        uses.collections.and(&uses.values);
        uses
    }

    fn add(&mut self, name: &str) {
        self.values.and(&Names::Some(BTreeSet::from([name.to_owned()])));
    }
}

/// Whether brackets are those of a key that is computed: `a[key]`, `a.b[0][f(c)]`, `a["b" ~ c]`. Others are lists.
pub fn is_key(before: &[Token], after: &[Token]) -> bool {
    let follows_value = match before.last() {
        // `{% for a in [1, 2] %}`
        Some(Token::Word(word)) => !["in", "and", "or", "not", "if", "else", "elif", "is"].contains(word),
        Some(Token::Sign(sign)) => [']', ')'].contains(sign),
        _ => false,
    };
    follows_value && !matches!(after, [Token::Value(_), Token::Sign(']'), ..])
}

/// Whether code is among the arguments of a filter, `a | get(…)`, which may take a key, and not of a function.
pub fn is_in_filter(before: &[Token]) -> bool {
    let open = before.iter().rposition(|token| matches!(token, Token::Sign('(')));
    open.is_some_and(|open| matches!(before[..open], [.., Token::Sign('|'), Token::Word(_)]))
}

/// Whether brackets follow on a collection: `entries.news[…]`, `collections["news"][…]`.
pub fn is_of_collection(before: &[Token]) -> bool {
    matches!(
        before,
        [.., Token::Word("collections" | "entries"), Token::Sign('.'), Token::Word(_)]
            | [.., Token::Word("collections" | "entries"), Token::Sign('['), Token::Value(_), Token::Sign(']')]
    )
}

/// Returns what each template uses, by its name.
pub fn uses(templates: &[(Template, Vec<Code>)]) -> BTreeMap<String, Uses> {
    let texts: BTreeMap<&str, &str> = templates.iter().map(|(template, _)| (template.name, template.text)).collect();
    let own: BTreeMap<&str, Uses> =
        templates.iter().map(|(template, codes)| (template.name, Uses::of(codes))).collect();
    // A component is called by its own name, which can be anywhere.
    let components = texts.iter().filter(|(_, text)| may_define(text));
    let mut everywhere = Uses::default();
    components.for_each(|(name, _)| everywhere.and(&own[name]));
    let reached = |name: &'_ str| {
        let mut seen = BTreeSet::from([name.to_owned()]);
        let mut open = vec![name.to_owned()];
        let mut uses = everywhere.clone();
        while let Some(name) = open.pop() {
            let Some(text) = texts.get(name.as_str()) else { continue };
            uses.and(&own[name.as_str()]);
            let named = texts.keys().filter(|other| text.contains(**other));
            open.extend(named.filter(|other| seen.insert(other.to_string())).map(|other| other.to_string()));
        }
        if uses.bodies {
            uses.with_bodies = uses.values.clone();
        }
        uses
    };
    texts.keys().map(|name| ((*name).to_owned(), reached(name))).collect()
}

/// Whether a template may define a component.
pub fn may_define(text: &str) -> bool {
    text.contains("component")
}

#[cfg(test)]
mod tests {
    use super::super::files::Templates;
    use super::super::lexer::codes;
    use super::super::scan::scan;
    use super::*;
    use crate::cache::Cache;
    use crate::sources::Sources;

    fn of(text: &str) -> Uses {
        Uses::of(&codes(text))
    }

    #[test]
    fn uses_are_followed_through_named_templates() {
        let sources = Sources::from_files([
            ("templates/base.html", "<p>pages</p>{% block main %}{% endblock %}{% include \"parts/nav.html\" %}"),
            ("templates/parts/nav.html", "{% for entry in collections.news %}{{ entry.title }}{% endfor %}"),
            ("templates/pages/plain.html", "{# pages #}<b>{{ page.title }}</b>"),
            ("templates/pages/page.html", "{% extends \"base.html\" %}"),
            ("templates/pages/body.html", "{% extends \"base.html\" %}{{ entry.content }}"),
            ("templates/pages/index.html", "{% extends \"base.html\" %}{% for page in pages %}{% endfor %}"),
        ]);
        let uses = &scan(&Templates::of(&sources), &Cache::default()).uses;
        let news = || Names::Some(BTreeSet::from(["news".to_owned()]));
        assert_eq!(uses["pages/plain.html"], Uses::default());
        let named = || Uses { collections: news(), values: news(), ..Uses::default() };
        assert_eq!(uses["pages/page.html"], named());
        assert_eq!(uses["pages/index.html"], Uses { pages: true, ..named() });
        assert_eq!(uses["pages/body.html"], Uses { bodies: true, with_bodies: news(), ..named() });
    }

    #[test]
    fn what_a_template_may_read_is_found_in_its_code() {
        let some = |name: &str| Names::Some(BTreeSet::from([name.to_owned()]));
        let named = |name: &str| Uses { collections: some(name), values: some(name), ..Uses::default() };
        assert_eq!(of("{{ entries[\"news\"].first.title }}"), named("news"));
        assert_eq!(of("{% for a in collections.news %}{{ a.title }}{% endfor %}"), named("news"));
        assert_eq!(of("{% for a in list.entries %}{{ a.title }}{% endfor %}"), Uses::default());
        assert_eq!(of("{{ page.content }}{{ page.toc | length }}"), Uses::default());
        for all in
            ["{{ collections[name] }}", "{% set all = collections %}", "{{ entries | length }}", "{{ terms(key=1) }}"]
        {
            assert_eq!(of(all).collections, Names::All, "{all}");
        }
        assert_eq!(of("{{ terms(collection=1) }}").values, Names::default());
        assert_eq!(of("{{ entries.team[entry.author].name }}{{ collections['team'][at].name }}"), named("team"));
        assert!(!of("{% for a in [b, c] %}{{ a[0] }}{% endfor %}").bodies);
        assert!(!of("{{ terms(collection='news', key=page.by) }}{{ a | get(key='b') }}").bodies);
        for bodies in [
            "{{ a.content }}",
            "{{ a[\"content\"] }}",
            "{{ a[key] }}",
            "{{ a.b[key] }}",
            "{{ a['con' ~ b] }}",
            "{{ a[('content')] }}",
            "{{ entries.team[entry.author][key] }}",
            "{{ entries['team']['anna'][key] }}",
            "{{ collections.team | first[key] }}",
            "{{ related(entry=entry)[0][key] }}",
            "{{ a | get(default=1, key=name) }}",
            "{{ list.entries | group_by(attribute=page.by) }}",
            "{{ a | get(key='toc') }}",
            "{% for page in list.entries %}{{ page.content }}{% endfor %}",
        ] {
            assert!(of(bodies).bodies, "{bodies}");
        }
        assert!(of("{{ page.ancestors }}").ancestors && of("{{ pages }}").pages);
        assert_eq!(of("{{ __tera_context }}"), Uses::all());
    }
}
