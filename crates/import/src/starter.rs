//! The templates and the stylesheet around an imported site.

use super::site::Taxonomy;

/// What the templates depend on.
pub struct Look<'s> {
    /// The sets of terms.
    pub taxonomies: &'s [Taxonomy],
    /// Whether there is a sidebar.
    pub has_sidebar: bool,
    /// Icons of the old site: addresses of files.
    pub icons: Vec<String>,
    /// Keys of entries and pages that have links to collect.
    pub has_links: bool,
    /// Whether there are lists.
    pub has_lists: bool,
    /// Whether there are entries.
    pub has_entries: bool,
    /// Whether titles have ids.
    pub has_title_ids: bool,
    /// Whether there are several languages.
    pub has_languages: bool,
    /// Whether there are formulas.
    pub has_math: bool,
}

const BASE: &str = include_str!("starter/base.html");
const ENTRY: &str = include_str!("starter/entry.html");
const ICON: &str = include_str!("starter/icon.svg");
const LINKS: &str = include_str!("starter/links.html");
const LIST: &str = include_str!("starter/list.html");
const SIDEBAR: &str = include_str!("starter/sidebar.html");
const STYLES: &str = include_str!("starter/main.css");
const TITLE_ID: &str = "{% if page.title_id is defined %} id=\"{{ page.title_id }}\"{% endif %}";
const TERMS: &str = include_str!("starter/terms.html");

/// The page in other languages.
const LANGUAGES: &str = "<ul class=\"languages\">{% for each in page.translations %}{% if not each.current %}<li><a href=\"{{ \
    url(path=each.route, language=each.language) }}\" hreflang=\"{{ each.language }}\" lang=\"{{ each.language }}\" dir=\"{{ \
    each.direction }}\">{{ each.name }}</a></li>{% endif %}{% endfor %}</ul>\n";

/// The language of an original that a language shows.
const FALLBACK: &str =
    "{% if page.fallback %} lang=\"{{ page.fallback.language }}\" dir=\"{{ page.fallback.direction }}\"{% endif %}";

/// The name of the template for the terms of a key.
pub fn terms_template(key: &str) -> String {
    format!("pages/{key}.html")
}

/// Returns the paths and the texts of the files.
pub fn files(look: &Look) -> Vec<(String, String)> {
    let icon = match look.icons.as_slice() {
        [] => "{{ favicons(path=\"icon.svg\", background=\"#0b57b0\") }}".to_owned(),
        icons => {
            let links = icons.iter().map(|icon| format!("<link rel=\"icon\" href=\"{{{{ url(path=\"{icon}\") }}}}\">"));
            links.collect::<Vec<_>>().join("\n")
        }
    };
    let feeds = [("atom", "application/atom+xml"), ("rss", "application/rss+xml")].map(|(format, kind)| {
        format!(
            "{{%- if page.feed.{format} is defined %}}\n<link rel=\"alternate\" type=\"{kind}\" title=\"{{{{ page.feed.title \
             }}}}\" href=\"{{{{ url(path=page.feed.{format}) }}}}\">\n{{%- endif %}}"
        )
    });
    let feed = feeds.join("\n");
    let sidebar = if look.has_sidebar { SIDEBAR.trim_end() } else { "" };
    let mut base =
        BASE.replace("ICON", &icon).replace("SIDEBAR\n", &format!("{sidebar}\n")).replace("FEED_LINKS", &feed);
    if !look.has_title_ids {
        base = base.replace(TITLE_ID, "");
    }
    if look.has_languages {
        base =
            base.replace("lang=\"{{ page.language }}\"", "lang=\"{{ page.language }}\" dir=\"{{ page.direction }}\"");
        base = base
            .replace("</head>", "{{ alternates() }}\n</head>")
            .replace("</header>", &format!("{LANGUAGES}</header>"))
            .replace("<main id=\"main\">", &format!("<main id=\"main\"{FALLBACK}>"));
    }
    if look.has_sidebar {
        base = base.replace("<body>", "<body class=\"with-sidebar\">");
    } else {
        base = base.replace("</header>\n\n", "</header>\n");
    }
    let terms = look.taxonomies.iter().map(|taxonomy| {
        let key = &taxonomy.key;
        format!(
            "{{%- if entry.{key} is defined %}}\n<p>{}: {{% for term in terms(collection=\"{}\", key=\"{key}\") %}}{{% if \
             term.name in entry.{key} %}}<a href=\"{{{{ url(path=term.route) }}}}\">{{{{ term.name }}}}</a> {{% endif \
             %}}{{% endfor %}}</p>\n{{%- endif %}}\n",
            taxonomy.title, taxonomy.collection
        )
    });
    let entry = ENTRY.replace("TERMS\n", &terms.collect::<String>());
    let code = "@import \"sitegen:code.css\";\n";
    let styles = match look.has_math {
        true => STYLES.replace(code, &format!("{code}@import \"sitegen:math.css\";\n")),
        false => STYLES.to_owned(),
    };
    let mut files = vec![
        ("templates/base.html".to_owned(), base),
        ("templates/pages/page.html".to_owned(), "{% extends \"base.html\" %}\n".to_owned()),
        ("templates/styles/main.css".to_owned(), styles),
    ];
    if look.has_entries {
        files.push(("templates/pages/entry.html".to_owned(), entry));
    }
    if look.has_lists {
        files.push(("templates/pages/list.html".to_owned(), LIST.to_owned()));
    }
    if look.has_links {
        files.push(("templates/pages/links.html".to_owned(), LINKS.to_owned()));
    }
    if look.icons.is_empty() {
        files.push(("content/assets/icon.svg".to_owned(), ICON.to_owned()));
    }
    for taxonomy in look.taxonomies {
        let text = TERMS.replace("COLLECTION", &taxonomy.collection).replace("KEY", &taxonomy.key);
        files.push((format!("templates/{}", terms_template(&taxonomy.key)), text));
    }
    files.push((".gitignore".to_owned(), "/dist/\n/.sitegen/\n/node_modules/\n".to_owned()));
    files
}
