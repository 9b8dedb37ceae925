//! Finds out which shared values a template can read, which decides what its pages depend on.

use super::callables::{Reads, function};
use super::keys::bound;
use super::lexer::{Code, Token, called, named_in};
use super::{Template, TemplateFile};
use sitegen_core::cache::digest_of;
use sitegen_core::sources::Digest;
use std::collections::{BTreeMap, BTreeSet};

/// The shared values that a template can read, itself or through templates that it names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The collections that it reads through `collections`, `entries` or the function `terms`.
    pub collections: Names,
    /// Those of them that it reads through `collections` or `entries`.
    pub values: Names,
    /// The single entries that it reads, as `entries.team.ida`, by their collections.
    pub entries: BTreeMap<String, BTreeSet<String>>,
    /// The collections in `values` and `entries` of which it can read bodies.
    pub with_bodies: Names,
    /// Whether it calls `related`, which finds the collection of an entry by comparing the entry with all others.
    pub related: bool,
    /// Whether it can read the bodies of entries in lists: `content` or `toc`.
    pub bodies: bool,
    /// `pages`.
    pub pages: bool,
    /// `page.ancestors`, which shows keys of other pages.
    pub ancestors: bool,
    /// `page.translations` or `alternates()`, which show what the page is in other languages.
    pub translations: bool,
    /// Whether it may ask for a link preview by any template, as one that a page names.
    pub any_preview: bool,
}

/// Some names, or all there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Those that are written out.
    pub named: BTreeSet<String>,
    /// Whether any other may be meant as well.
    pub all: bool,
}

impl Names {
    /// Whether a name is among them.
    pub fn contains(&self, name: &str) -> bool {
        self.all || self.named.contains(name)
    }

    fn add(&mut self, name: &str) {
        self.named.insert(name.to_owned());
    }

    fn merge(&mut self, other: &Names) {
        self.named.extend(other.named.iter().cloned());
        self.all |= other.all;
    }
}

impl Uses {
    /// Adds what another template uses.
    pub fn merge(&mut self, other: &Uses) {
        self.collections.merge(&other.collections);
        self.values.merge(&other.values);
        for (collection, slugs) in &other.entries {
            self.entries.entry(collection.clone()).or_default().extend(slugs.iter().cloned());
        }
        self.related |= other.related;
        self.with_bodies.merge(&other.with_bodies);
        self.bodies |= other.bodies;
        self.pages |= other.pages;
        self.ancestors |= other.ancestors;
        self.translations |= other.translations;
        self.any_preview |= other.any_preview;
    }

    /// Whether it reads entries of a collection through `collections` or `entries`.
    pub fn reads_values(&self, collection: &str) -> bool {
        self.values.contains(collection) || self.entries.contains_key(collection)
    }

    /// Counts a name in code as a use. At worst it finds too much. `is_own` says whether a name is that of the page itself or
    /// of what it is about, whose bodies are read for that page alone, and not one that a loop gives to its items.
    fn of(codes: &[Code], is_own: impl Fn(&str) -> bool) -> Self {
        let mut uses = Uses::default();
        for code in codes {
            let tokens: Vec<Token> = code.tokens.iter().map(|(token, _)| *token).collect();
            for (at, token) in tokens.iter().enumerate() {
                let before = &tokens[..at];
                match (token, &tokens[at + 1..]) {
                    // A component says in this way that it reads some of them.
                    (Token::Word("collections" | "entries"), _)
                        if matches!(before, [Token::Word("component"), .., Token::Sign('@')]) => {}
                    // `list.entries` is what the page itself lists.
                    (Token::Word("entries"), _) if matches!(before, [.., Token::Word(_), Token::Sign('.')]) => {}
                    (Token::Word("entries"), after) if let Some((name, slug)) = entry_of(after) => {
                        uses.entries.entry(name.to_owned()).or_default().insert(slug.to_owned());
                    }
                    // `collections.news` and `collections["news"]` read one; anything else can read all.
                    (Token::Word("collections" | "entries"), [Token::Sign('.'), Token::Word(name), ..]) => {
                        uses.values.add(name);
                    }
                    (Token::Word("collections" | "entries"), [Token::Sign('['), Token::Value(name), ..])
                        if let Some(name) = unquoted(name) =>
                    {
                        uses.values.add(name);
                    }
                    (Token::Word("collections" | "entries"), _) => uses.values.all = true,
                    (Token::Word(name), [Token::Sign('('), arguments @ ..])
                        if let Some(reads) = function(name).map(|function| function.reads)
                            && reads != Reads::Nothing =>
                    {
                        match reads {
                            Reads::Nothing => {}
                            Reads::Collections => uses.related = true,
                            Reads::Collection(name) => match argument(arguments, name) {
                                Some(name) => uses.collections.add(name),
                                None => uses.collections.all = true,
                            },
                            Reads::Ancestors => uses.ancestors = true,
                            Reads::Translations => uses.translations = true,
                            Reads::Template(name) => uses.any_preview |= argument(arguments, name).is_none(),
                        }
                    }
                    (Token::Word("pages"), _) => uses.pages = true,
                    (Token::Word("ancestors"), _) => uses.ancestors = true,
                    (Token::Word("translations"), _) => uses.translations = true,
                    (Token::Value(text), _) if unquoted(text) == Some("translations") => uses.translations = true,
                    (Token::Word("content" | "toc"), _) => {
                        uses.bodies |= match before {
                            [.., Token::Sign('.'), Token::Word(_), Token::Sign('.')] => true,
                            [.., Token::Word(name), Token::Sign('.')] => !is_own(name),
                            _ => true,
                        };
                    }
                    (Token::Value(text), _) if ["content", "toc"].contains(&text.trim_matches(['"', '\'', '`'])) => {
                        uses.bodies = true;
                    }
                    // A computed key can be any. That of a collection chooses an entry.
                    (Token::Sign('['), after) => uses.bodies |= is_key(before, after) && !is_of_collection(before),
                    (Token::Word("attribute" | "key"), [Token::Sign('='), value, ..]) => {
                        uses.bodies |= !matches!(value, Token::Value(_)) && is_in_filter(before);
                    }
                    _ => {}
                }
            }
        }
        uses.collections.merge(&uses.values);
        uses
    }
}

/// Returns the collection and the slug that follow on `entries`, if both are written out: `.team.ida`, `["team"]["ida"]`.
fn entry_of<'t>(after: &[Token<'t>]) -> Option<(&'t str, &'t str)> {
    let (name, rest) = key_of(after)?;
    Some((name, key_of(rest)?.0))
}

/// Returns the key at the start of some code, as `.key` or `["key"]`, and the code after it.
fn key_of<'c, 't>(code: &'c [Token<'t>]) -> Option<(&'t str, &'c [Token<'t>])> {
    match code {
        [Token::Sign('.'), Token::Word(key), rest @ ..] => Some((key, rest)),
        [Token::Sign('['), Token::Value(key), Token::Sign(']'), rest @ ..] => Some((unquoted(key)?, rest)),
        _ => None,
    }
}

/// Returns one of the arguments of a function, if it is written out.
fn argument<'t>(arguments: &[Token<'t>], name: &str) -> Option<&'t str> {
    let named = arguments.windows(4).find_map(|tokens| match tokens {
        [Token::Word(word), Token::Sign('='), Token::Value(value), Token::Sign(',' | ')')] if *word == name => {
            Some(*value)
        }
        _ => None,
    });
    unquoted(named?)
}

/// Returns a text without its quotation marks. One with escapes may be any.
pub(super) fn unquoted(value: &str) -> Option<&str> {
    let is_plain = value.starts_with(['"', '\'', '`']) && !value.contains('\\');
    is_plain.then(|| value.trim_matches(['"', '\'', '`']))
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

/// What a template or a component leads to.
#[derive(Debug)]
pub struct Reached {
    /// The digest of its file, and of those that it names.
    pub files: Digest,
    /// What all of these use.
    pub uses: Uses,
}

/// What templates use, each by itself and through the templates and components that it names.
#[derive(Debug, Default)]
pub struct AllUses {
    /// That of each template, by its name.
    pub templates: BTreeMap<String, Reached>,
    /// That of each component, by its name.
    pub components: BTreeMap<String, Reached>,
    /// The collections that any of them names.
    pub collections: Names,
    names: TemplateNames,
}

impl AllUses {
    /// Returns the templates that some templates and components lead to, these included, by name.
    pub fn reached<'n>(
        &'n self,
        templates: impl IntoIterator<Item = &'n str>,
        components: impl IntoIterator<Item = &'n str>,
    ) -> BTreeSet<&'n str> {
        let defining = components.into_iter().flat_map(|component| self.names.defining(component));
        self.names.reached(templates.into_iter().chain(defining))
    }

    /// Whether a template defines a component.
    pub fn defines_component(&self, template: &str) -> bool {
        self.names.components.values().flatten().any(|name| name == template)
    }
}

/// Which templates name which others.
#[derive(Debug, Default)]
struct TemplateNames {
    /// The files that each template names in a text, as to include it.
    named: BTreeMap<String, Vec<String>>,
    /// The templates that define the components that each template calls.
    called: BTreeMap<String, Vec<String>>,
    /// The templates that define each component: one, unless there is a mistake.
    components: BTreeMap<String, Vec<String>>,
}

impl TemplateNames {
    fn of(files: &[TemplateFile], templates: &[(Template, Vec<Code>)]) -> Self {
        let mut components: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (Template { name, text, .. }, codes) in templates {
            for component in named_in(text, codes, "component") {
                components.entry(component.to_owned()).or_default().push((*name).to_owned());
            }
        }
        let named = templates.iter().map(|(Template { name, text, .. }, _)| {
            let others = files.iter().map(|file| file.name).filter(|other| other != name && text.contains(other));
            ((*name).to_owned(), others.map(str::to_owned).collect())
        });
        let called = templates.iter().map(|(Template { name, text, .. }, codes)| {
            let defining = called(text, codes).filter_map(|component| components.get(component)).flatten();
            ((*name).to_owned(), defining.cloned().collect())
        });
        TemplateNames { named: named.collect(), called: called.collect(), components }
    }

    /// Returns each template with those that it extends or includes, which may give names to values for each other.
    fn groups(&self) -> Vec<(&str, BTreeSet<&str>)> {
        let names = self.named.keys().map(String::as_str);
        names.map(|name| (name, reached([name], |name| self.named.get(name).into_iter().flatten()))).collect()
    }

    fn defining(&self, component: &str) -> impl Iterator<Item = &str> {
        self.components.get(component).into_iter().flatten().map(String::as_str)
    }

    fn reached<'n>(&'n self, from: impl IntoIterator<Item = &'n str>) -> BTreeSet<&'n str> {
        reached(from, |name| self.named.get(name).into_iter().chain(self.called.get(name)).flatten())
    }
}

/// Returns everything that some names lead to, these included.
fn reached<'n, I: IntoIterator<Item = &'n String>>(
    from: impl IntoIterator<Item = &'n str>,
    next: impl Fn(&str) -> I,
) -> BTreeSet<&'n str> {
    let mut open: Vec<&str> = from.into_iter().collect();
    let mut reached = BTreeSet::new();
    while let Some(name) = open.pop() {
        if reached.insert(name) {
            open.extend(next(name).into_iter().map(String::as_str));
        }
    }
    reached
}

/// Returns what templates use. `files` are all of their folder.
pub fn uses(files: &[TemplateFile], templates: &[(Template, Vec<Code>)]) -> AllUses {
    let names = TemplateNames::of(files, templates);
    let bound: BTreeMap<&str, BTreeSet<&str>> =
        templates.iter().map(|(template, codes)| (template.name, bound(codes).collect())).collect();
    let groups = names.groups();
    let uses_of = |(template, codes): &(Template<'_>, Vec<Code>)| {
        // Those that include it are in the groups that have it, and those that it includes in its own.
        let around = groups.iter().filter(|(name, group)| *name == template.name || group.contains(template.name));
        let around: BTreeSet<&str> = around.flat_map(|(_, group)| group).copied().collect();
        let is_bound = |name: &str| around.iter().any(|other| bound.get(other).is_some_and(|own| own.contains(name)));
        Uses::of(codes, |name| ["page", "entry"].contains(&name) && !is_bound(name))
    };
    let own: BTreeMap<&str, Uses> = templates.iter().map(|each| (each.0.name, uses_of(each))).collect();
    // A body that is shown elsewhere than on its own page may call any component.
    let of_components: Vec<&str> = names.components.values().flatten().map(String::as_str).collect();
    let all_of = |reached: &BTreeSet<&str>| {
        let mut uses = Uses::default();
        reached.iter().filter_map(|name| own.get(name)).for_each(|own| uses.merge(own));
        uses
    };
    let reached_from = |from: &[&str]| {
        let mut reached = names.reached(from.iter().copied());
        let mut uses = all_of(&reached);
        if uses.bodies {
            let called = all_of(&names.reached(of_components.iter().copied()));
            let mut with_bodies = uses.values.clone();
            with_bodies.named.extend(uses.entries.keys().cloned());
            if called.bodies {
                with_bodies.merge(&called.values);
                with_bodies.named.extend(called.entries.keys().cloned());
            }
            reached = names.reached(from.iter().chain(&of_components).copied());
            uses.merge(&called);
            uses.with_bodies = with_bodies;
        }
        let files = files.iter().filter(|file| uses.any_preview || reached.contains(file.name));
        let files: Vec<_> = files.map(|file| (file.name, file.digest)).collect();
        Reached { files: digest_of(&files), uses }
    };
    let mut collections = Names::default();
    for uses in own.values() {
        collections.merge(&uses.collections);
        collections.named.extend(uses.entries.keys().cloned());
    }
    let of_component = |name: &String| reached_from(&names.defining(name).collect::<Vec<_>>());
    AllUses {
        templates: own.keys().map(|name| ((*name).to_owned(), reached_from(&[*name]))).collect(),
        components: names.components.keys().map(|name| (name.clone(), of_component(name))).collect(),
        collections,
        names,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Templates;
    use super::super::scan::scan;
    use super::*;
    use sitegen_core::cache::Cache;
    use sitegen_core::sources::Sources;

    fn of(text: &str) -> Uses {
        let sources = Sources::from_files([("templates/a.html", text)]);
        scan(&Templates::of(&sources), &Cache::default()).uses.templates["a.html"].uses.clone()
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
        let scan = scan(&Templates::of(&sources), &Cache::default());
        let uses: BTreeMap<&str, Uses> =
            scan.uses.templates.iter().map(|(name, reached)| (name.as_str(), reached.uses.clone())).collect();
        let news = || Names { named: BTreeSet::from(["news".to_owned()]), all: false };
        assert_eq!(uses["pages/plain.html"], Uses::default());
        let named = || Uses { collections: news(), values: news(), ..Uses::default() };
        assert_eq!(uses["pages/page.html"], named());
        assert_eq!(uses["pages/index.html"], Uses { pages: true, ..named() });
        assert_eq!(uses["pages/body.html"], Uses { bodies: true, with_bodies: news(), ..named() });
    }

    #[test]
    fn components_are_used_where_they_are_called_or_bodies_are_shown() {
        let sources = Sources::from_files([
            (
                "templates/components/latest.html",
                "{% component latest(@collections) %}{{ collections.news | length }}{% endcomponent %}",
            ),
            ("templates/components/box.html", "{% component box() %}{{ <latest /> }}{% endcomponent %}"),
            ("templates/pages/plain.html", "{{ page.title }} box"),
            ("templates/pages/calling.html", "{{ <box /> }}"),
            ("templates/pages/listing.html", "{{ entries.team.ida.content }}"),
        ]);
        let scan = scan(&Templates::of(&sources), &Cache::default());
        let (template, component) = (|name| &scan.uses.templates[name].uses, |name| &scan.uses.components[name].uses);
        let names = |names: &[&str]| Names { named: names.iter().map(|name| (*name).to_owned()).collect(), all: false };
        let news = Uses { collections: names(&["news"]), values: names(&["news"]), ..Uses::default() };
        assert_eq!(template("pages/plain.html"), &Uses::default());
        assert_eq!((template("pages/calling.html"), component("box"), component("latest")), (&news, &news, &news));
        let listing = template("pages/listing.html");
        assert_eq!((&listing.values, &listing.with_bodies), (&names(&["news"]), &names(&["team"])));
    }

    #[test]
    fn a_body_is_that_of_the_page_unless_a_template_around_gives_its_name_to_another() {
        let bodies = |files: &[(&str, &str)]| {
            let sources = Sources::from_files(files.iter().copied());
            let scan = scan(&Templates::of(&sources), &Cache::default());
            let with_bodies = scan.uses.templates.iter().filter(|(_, reached)| reached.uses.bodies);
            with_bodies.map(|(name, _)| name.clone()).collect::<Vec<_>>().join(" ")
        };
        let entry = ("templates/entry.html", "{% extends \"base.html\" %}{{ entry.content }}{{ page.toc }}");
        let row = ("templates/row.html", "{{ entry.content }}");
        let looping =
            "{% extends \"base.html\" %}{% for entry in list.entries %}{% include \"row.html\" %}{% endfor %}";
        assert_eq!(bodies(&[entry, ("templates/base.html", "{% block main %}{% endblock %}")]), "");
        assert_eq!(bodies(&[entry, row, ("templates/list.html", looping)]), "list.html row.html");
        let loops =
            ("templates/base.html", "{% for entry in collections.news %}{% block main %}{% endblock %}{% endfor %}");
        assert_eq!(bodies(&[entry, loops]), "entry.html");
    }

    #[test]
    fn a_template_depends_on_the_files_that_it_names() {
        let files = [
            ("templates/base.html", "{% block main %}{% endblock %}"),
            ("templates/pages/page.html", "{% extends \"base.html\" %}"),
            ("templates/pages/card.html", "{{ social_picture(template=\"card.svg\", data={}) }}"),
            ("templates/pages/cards.html", "{{ social_picture(template=page.card, data={}) }}"),
            ("templates/pages/list.html", "{{ entries.news.first.content }}"),
            ("templates/components/note.html", "{% component note() %}{% endcomponent %}"),
            ("templates/card.svg", "<svg/>"),
        ];
        let digests = |changed: &str| {
            let edited = |(path, text): (&str, &str)| {
                let more = if path.ends_with(changed) { " " } else { "" };
                (path.to_owned(), format!("{text}{more}"))
            };
            let sources = Sources::from_files(files.map(edited));
            let scan = scan(&Templates::of(&sources), &Cache::default());
            scan.uses.templates.iter().map(|(name, reached)| (name.clone(), reached.files)).collect::<Vec<_>>()
        };
        let before = digests("none");
        for (changed, expected) in [
            ("base.html", "base.html pages/cards.html pages/page.html"),
            ("page.html", "pages/cards.html pages/page.html"),
            ("card.svg", "pages/card.html pages/cards.html"),
            ("note.html", "components/note.html pages/cards.html pages/list.html"),
        ] {
            let after = digests(changed);
            let differing = before.iter().zip(&after).filter(|(before, after)| before != after);
            let names: Vec<&str> = differing.map(|((name, _), _)| name.as_str()).collect();
            assert_eq!(names.join(" "), expected, "{changed}");
        }
    }

    #[test]
    fn what_a_template_may_read_is_found_in_its_code() {
        let some = |name: &str| Names { named: BTreeSet::from([name.to_owned()]), all: false };
        let named = |name: &str| Uses { collections: some(name), values: some(name), ..Uses::default() };
        let single = |name: &str, slug: &str| Uses {
            entries: BTreeMap::from([(name.to_owned(), BTreeSet::from([slug.to_owned()]))]),
            ..Uses::default()
        };
        assert_eq!(of("{{ entries[\"news\"].first.title }}{{ entries.news['first'] }}"), single("news", "first"));
        assert_eq!(of("{{ entries.news?.first }}{% set news = entries.news %}"), named("news"));
        let counted = |name: &str| Uses { collections: some(name), ..Uses::default() };
        assert_eq!(
            of("{{ terms(collection=\"news\", key=page.by) }}{{ page.terms }}{{ page.related }}"),
            counted("news")
        );
        assert!(of("{{ related(entry=entry, by='tags') }}").related);
        assert_eq!(of("{% for a in collections.news %}{{ a.title }}{% endfor %}"), named("news"));
        assert_eq!(of("{% for a in list.entries %}{{ a.title }}{% endfor %}"), Uses::default());
        assert_eq!(of("{{ page.content }}{{ page.toc | length }}"), Uses::default());
        for all in [
            "{{ collections[name] }}",
            "{% set all = collections %}",
            "{{ entries | length }}",
            "{{ entries[\"te\\x61m\"].ida }}",
            "{{ terms(collection=name, key='a') }}",
        ] {
            assert!(of(all).collections.all, "{all}");
        }
        assert_eq!(of("{{ terms(collection=1) }}").values, Names::default());
        assert!(of("{{ terms(collection='a' ~ b) }}").collections.all);
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
            "{% for entry in list.entries %}{{ entry.content }}{% endfor %}{{ entry.toc }}",
            "{% component card(entry: map) %}{{ entry.content }}{% endcomponent %}",
            "{{ page.previous.content }}{{ a.page.content }}{{ content }}",
        ] {
            assert!(of(bodies).bodies, "{bodies}");
        }
        assert!(of("{{ page.ancestors }}").ancestors && of("{{ pages }}").pages);
        assert!(of("{{ alternates() }}").translations && of("{{ page[\"translations\"] }}").translations);
        assert!(
            of("{% for each in page.translations %}{% endfor %}").translations && !of("{{ page.title }}").translations
        );
    }
}
