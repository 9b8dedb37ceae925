//! A site in three languages, and random edits of it: languages, translations and their originals come, change and go.

use super::everything::change_a_word;
use super::generated::{Files, Random};

const BASE: &str = r#"<!doctype html>
<html lang="{{ page.language }}" dir="{{ page.direction }}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{{ page.title }} – {{ site.name }}</title>
{{ alternates() }}{% if page.noindex %}<meta name="robots" content="noindex">{% endif %}</head>
<body>
<nav aria-label="{{ site.labels.languages }}"><ul>{% for each in page.translations %}<li><a href="{{ url(path=each.route, language=each.language) }}" hreflang="{{ each.language }}" lang="{{ each.language }}">{{ each.name }}{% if each.is_fallback %} ({{ each.title }}){% endif %}</a></li>{% endfor %}</ul>
{% for each in languages %}<a href="{{ url(path=each.route, language=each.language) }}" hreflang="{{ each.language }}" lang="{{ each.language }}">{{ each.name }}</a>{% endfor %}</nav>
<main{% if page.fallback %} lang="{{ page.fallback.language }}" dir="{{ page.fallback.direction }}"{% endif %}>
<h1>{{ page.title }}</h1>
{% for each in page.ancestors %}<a href="{{ url(path=each.route) }}">{{ each.title }}</a>{% endfor %}
{% block body %}{{ page.content | default(value="") }}{% endblock %}
</main>
<footer>{{ site.labels.more }} <a href="{{ url(path="/about") }}">{{ site.labels.about }}</a> {{ search() }}
{% for person in collections.team %}{{ person.name }}: <i>{{ person.role }}</i>{% if person.fallback %} ({{ person.fallback.name }}){% endif %}. {% endfor %}</footer>
</body></html>
"#;

const FILES: &[(&str, &str)] = &[
    (
        "content/site.yaml",
        "url: https://www.museum.test\nlanguage: en\nlanguages:\n  en: { name: English }\n  de: { name: Deutsch }\n  ar: { name: العربية, folder: arabic }\nname: Museum\nlabels:\n  languages: Languages\n  more: Read more\n  about: About\n  posts: Posts about\nsettings:\n  search: true\n",
    ),
    ("content/site.de.yaml", "name: Museum am Hafen\nlabels:\n  languages: Sprachen\n  more: Weiterlesen\n"),
    ("content/site.ar.yaml", "labels:\n  languages: اللغات\n  about: عن المتحف\n"),
    (
        "content/pages/index.md",
        "---\ntitle: Home\n---\n\nWelcome to {{ site.name }}. [About](about.md#team), [history](/company/history) and [opening](../news/opening.md).\n",
    ),
    (
        "content/pages/index.de.md",
        "---\ntitle: Startseite\n---\n\nWillkommen. [Über uns](about.md#team), [Geschichte](/company/history).\n",
    ),
    ("content/pages/arabic/index.md", "---\ntitle: الرئيسية\n---\n\nأهلا. [عن المتحف](about.md).\n"),
    ("content/pages/about.md", "---\ntitle: About\ndescription: Who we are.\n---\n\n## Team {#team}\n\nWe are many.\n"),
    ("content/pages/about.de.md", "---\ntitle: Über uns\nslug: ueber-uns\n---\n\n## Team {#team}\n\nWir sind viele.\n"),
    ("content/pages/company/index.md", "---\ntitle: Company\n---\n\nA [history](history.md).\n"),
    ("content/pages/company/index.de.md", "---\ntitle: Firma\nslug: firma\n---\n"),
    ("content/pages/company/history.md", "---\ntitle: History\nnoindex: false\n---\n\nLong.\n"),
    ("content/pages/company/history.de.md", "---\ntitle: Geschichte\n---\n\nLang, siehe [Start](/).\n"),
    ("content/pages/impressum.de.md", "---\ntitle: Impressum\nnoindex: true\n---\n\nName.\n"),
    ("content/pages/404.md", "---\ntitle: Not found\n---\n\nGone.\n"),
    ("content/pages/404.de.md", "---\ntitle: Nicht gefunden\n---\n\nWeg.\n"),
    (
        "content/pages/news/index.yaml",
        "title: News\nlist: { collection: news, sort: -date, per_page: 2 }\nfeed: true\ntemplate: pages/list.html\n",
    ),
    ("content/pages/news/index.de.yaml", "title: Neues\nslug: neues\n"),
    ("content/pages/news/[slug].yaml", "title: \"{{ entry.title }}\"\nfor_each: news\ntemplate: pages/entry.html\n"),
    (
        "content/pages/news/tags/[tag].yaml",
        "title: \"{{ site.labels.posts }} {{ term.name }}\"\nfor_each: news.tags\ntemplate: pages/list.html\n",
    ),
    (
        "content/pages/all.yaml",
        "title: All pages\nlist: { collection: pages, sort: title }\ntemplate: pages/list.html\n",
    ),
    (
        "content/news/opening.md",
        "---\ntitle: Opening\ndate: 2026-01-01\ntags: [house]\nsummary: We open.\n---\n\nWe *open*. See [about](../pages/about.md).\n",
    ),
    (
        "content/news/opening.de.md",
        "---\ntitle: Eröffnung\ntranslates: 0a0a0a0a\nslug: eroeffnung\nsummary: Wir öffnen.\n---\n\nWir *öffnen*.\n",
    ),
    ("content/news/arabic/opening.md", "---\ntitle: الافتتاح\n---\n\nنفتح.\n"),
    (
        "content/news/closing.md",
        "---\ntitle: Closing\ndate: 2026-02-01\ntags: [house, evening]\nsummary: We close.\n---\n\nWe close at {{ site.labels.more }}.\n",
    ),
    (
        "content/news/night/index.md",
        "---\ntitle: Night\ndate: 2026-03-01\ntags: [evening]\nsummary: A night.\n---\n\nDark.\n",
    ),
    ("content/news/night/index.de.md", "---\ntitle: Nacht\ntags: [Abend]\n---\n\nDunkel.\n"),
    ("content/team.yaml", "ida:\n  name: Ida\n  role: Curator\nola:\n  name: Ola\n  role: Guard\n"),
    ("content/team.de.yaml", "ida:\n  role: Kuratorin\n"),
    ("templates/base.html", BASE),
    ("templates/pages/page.html", "{% extends \"base.html\" %}"),
    (
        "templates/pages/list.html",
        "{% extends \"base.html\" %}{% block body %}<ul>{% for each in list.entries %}<li{% if each.fallback %} lang=\"{{ each.fallback.language }}\"{% endif %}>{% if each.route %}<a href=\"{{ url(entry=each) }}\">{{ each.title }}</a>{% endif %}</li>{% endfor %}</ul>{% if page.feed %}<a href=\"{{ url(path=page.feed.atom) }}\">Feed</a>{% endif %}{% for term in terms(collection=\"news\", key=\"tags\") %}<a href=\"{{ url(path=term.route) }}\">{{ term.name }}</a>{% endfor %}{% for each in list.pages %}<a href=\"{{ url(path=each.route) }}\">{{ each.number }}</a>{% endfor %}{% endblock %}",
    ),
    (
        "templates/pages/entry.html",
        "{% extends \"base.html\" %}{% block body %}{{ page.content }}{% if page.next %}<a href=\"{{ url(entry=page.next) }}\">{{ page.next.title }}</a>{% endif %}{% for each in related(entry=entry, by=\"tags\") %}<a href=\"{{ url(entry=each) }}\">{{ each.title }}</a>{% endfor %}{% endblock %}",
    ),
];

/// Returns the site.
pub fn project() -> Files {
    FILES.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}

/// Replacements, each of which may be made and taken back.
const REPLACEMENTS: &[(&str, &str, &str)] = &[
    ("content/site.yaml", "  ar: { name: العربية, folder: arabic }\n", ""),
    ("content/site.yaml", "  de: { name: Deutsch }\n", ""),
    ("content/site.yaml", "de: { name: Deutsch }", "de: { name: Deutsch, untranslated: hide }"),
    ("content/site.yaml", "name: Deutsch", "name: German"),
    ("content/site.yaml", "folder: arabic }", "untranslated: hide }"),
    ("content/site.yaml", "  search: true\n", "  search: true\n  untranslated: hide\n"),
    ("content/site.yaml", "de: { name: Deutsch }", "de: { name: Deutsch, url: https://museum.test }"),
    (
        "content/site.yaml",
        "ar: { name: العربية, folder: arabic }",
        "ar: { name: العربية, folder: arabic, url: https://ar.museum.test }",
    ),
    ("content/site.yaml", "  search: true\n", "  search: true\n  language_prefix: all\n"),
    ("content/site.yaml", "  search: true\n", "  search: true\n  host: nginx\n"),
    ("content/site.yaml", "more: Read more", "more: Read it"),
    ("content/site.yaml", "language: en\n", "language: en-GB\n"),
    ("content/site.de.yaml", "more: Weiterlesen", "more: Lesen"),
    ("content/site.de.yaml", "name: Museum am Hafen\n", ""),
    ("content/pages/about.de.md", "slug: ueber-uns\n", ""),
    ("content/pages/about.de.md", "slug: ueber-uns\n", "slug: u\u{308}ber-uns\n"),
    ("content/pages/about.de.md", "title: Über uns\n", ""),
    ("content/pages/about.de.md", "title: Über uns\n", "title: Über uns\ntranslates: 00000000\n"),
    ("content/pages/about.de.md", "{#team}", "{#gruppe}"),
    ("content/pages/about.md", "title: About", "title: About us"),
    ("content/pages/company/index.de.md", "slug: firma\n", ""),
    ("content/pages/company/history.md", "noindex: false", "noindex: true"),
    ("content/pages/company/history.de.md", "title: Geschichte\n", "title: Geschichte\ndraft: true\n"),
    ("content/pages/news/index.yaml", "per_page: 2", "per_page: 1"),
    ("content/pages/news/index.de.yaml", "slug: neues\n", ""),
    ("content/news/opening.md", "tags: [house]", "tags: [house, evening]"),
    ("content/news/opening.md", "date: 2026-01-01", "date: 2026-05-01"),
    ("content/news/opening.de.md", "slug: eroeffnung\n", ""),
    ("content/news/opening.de.md", "title: Eröffnung\n", "title: Eröffnung\ntags: [Haus]\n"),
    ("content/news/opening.de.md", "Wir *öffnen*.", ""),
    ("content/team.de.yaml", "  role: Kuratorin\n", "  name: Ida I.\n"),
    ("content/team.de.yaml", "  role: Kuratorin\n", "  role: Kuratorin\n  draft: true\n"),
    ("content/team.de.yaml", "ida:\n", "ola:\n"),
    ("content/team.yaml", "ola:\n", "ole:\n"),
    ("content/team.yaml", "role: Guard\n", "role: Guards the ship models\n"),
    ("content/news/closing.md", "title: Closing", "title: Closing for the night"),
    (
        "templates/pages/list.html",
        "{% if each.fallback %} lang=\"{{ each.fallback.language }}\"{% endif %}",
        "{% if page.fallback %} class=\"a\"{% endif %}",
    ),
    ("templates/pages/entry.html", "page.next.title", "page.next.slug"),
    ("templates/base.html", "{{ alternates() }}", ""),
];

/// Makes a random edit, and returns a description.
pub fn step(files: &mut Files, original: &Files, random: &mut Random) -> String {
    let translations = || original.keys().filter(|path| path.contains(".de.") || path.contains("arabic/"));
    match random.below(10) {
        0..=4 => {
            let (path, from, to) = *random.one_of(REPLACEMENTS);
            let Some(bytes) = files.get(path) else { return format!("leave {path}") };
            let text = String::from_utf8_lossy(bytes).into_owned();
            let (from, to) = if text.contains(from) && !from.is_empty() { (from, to) } else { (to, from) };
            if from.is_empty() || !text.contains(from) {
                files.insert(path.to_owned(), original[path].clone());
                return format!("bring {path} back");
            }
            files.insert(path.to_owned(), text.replacen(from, to, 1).into_bytes());
            format!("replace {from:?} by {to:?} in {path}")
        }
        5 | 6 => {
            let all: Vec<&String> = translations().collect();
            let path = (*random.one_of(&all)).clone();
            match files.remove(&path) {
                Some(_) => format!("remove {path}"),
                None => {
                    files.insert(path.clone(), original[&path].clone());
                    format!("add {path}")
                }
            }
        }
        7 => {
            let all: Vec<&String> = files.keys().filter(|path| path.contains(".de.")).collect();
            if all.is_empty() {
                return "rename nothing".to_owned();
            }
            let path = (*random.one_of(&all)).clone();
            let ends = [".ar.", ".fr.", "."];
            let to = path.replace(".de.", ends[random.below(ends.len())]);
            if files.contains_key(&to) {
                return format!("leave {path}");
            }
            let bytes = files.remove(&path).unwrap_or_default();
            files.insert(to.clone(), bytes);
            format!("rename {path} to {to}")
        }
        _ => {
            let all: Vec<&String> = files.keys().filter(|path| path.starts_with("content/")).collect();
            let path = (*random.one_of(&all)).clone();
            change_a_word(files, &path, random)
        }
    }
}
