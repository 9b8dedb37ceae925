//! `sitegen new --languages en,de`: what a starter has more of for several languages.

use super::{Answers, Starter};
use crate::content::{SITE_FILE, names, primary};

/// The start of a tag with the language of what it has, if that is shown for want of a translation.
macro_rules! marked {
    ($tag:literal, $name:literal, $rest:literal) => {
        (
            concat!($tag, $rest),
            concat!(
                $tag,
                "{% if ",
                $name,
                ".fallback %} lang=\"{{ ",
                $name,
                ".fallback.language }}\" dir=\"{{ ",
                $name,
                ".fallback.direction }}\"{% endif %}",
                $rest
            ),
        )
    };
}

/// What templates of starters have more of: the text of the starter, and what replaces it.
const IN_TEMPLATES: [(&str, &str); 16] = [
    ("<html lang=\"{{ page.language }}\">", "<html lang=\"{{ page.language }}\" dir=\"{{ page.direction }}\">"),
    (
        "<link rel=\"canonical\" href=\"{{ page.url }}\">",
        "<link rel=\"canonical\" href=\"{{ page.url }}\">\n{{ alternates() }}",
    ),
    (
        "</header>",
        "{%- if page.translations | length > 1 %}\n<ul class=\"languages\">\n{%- for other in page.translations %}\n\
         <li><a href=\"{{ url(path=other.route, language=other.language) }}\" hreflang=\"{{ other.language }}\" \
         lang=\"{{ other.language }}\" dir=\"{{ other.direction }}\"{% if other.current %} aria-current=\"true\"{% endif %}>\
         {{ other.name }}</a></li>\n{%- endfor %}\n</ul>\n{%- endif %}\n</header>",
    ),
    marked!("<main", "page", ">"),
    marked!("<main id=\"main\"", "page", ">"),
    marked!("<h2", "entry", "><a href=\"{{ url(entry=entry) }}\">"),
    marked!("<p", "entry", ">{{ entry.summary }}</p>"),
    marked!("<a href=\"{{ url(entry=page.previous) }}\" rel=\"prev\"", "page.previous", ">"),
    marked!("<a href=\"{{ url(entry=page.next) }}\" rel=\"next\"", "page.next", ">"),
    marked!("<section aria-labelledby=\"{{ series.slug }}\"", "series", ">"),
    marked!("<li", "other", "><a href=\"{{ url(path=other.route) }}\""),
    marked!("<li", "page", "><a href=\"#{{ heading.id }}\">"),
    ("{% if page.route == \"/\" %}", "{% if url(path=page.route) == url(path=\"/\") %}"),
    ("{% if page.route == item.path %}", "{% if url(path=page.route) == url(path=item.path) %}"),
    (
        "page.route is starting_with(pat=item.path ~ \"/\")",
        "url(path=page.route) is starting_with(pat=url(path=item.path) ~ \"/\")",
    ),
    (
        "<a class=\"skip\" href=\"#main\">Skip to the text</a>",
        "<a class=\"skip\" href=\"#main\">{{ site.labels.skip }}</a>",
    ),
];

const STYLES: &str =
    "\n.languages {\n  display: flex;\n  flex-wrap: wrap;\n  gap: 0 1rem;\n  list-style: none;\n  padding: 0;\n}\n";

/// The text of the link that skips the navigation.
const SKIP: [(&str, &str); 4] =
    [("ar", "انتقل إلى النص"), ("de", "Zum Text springen"), ("es", "Ir al texto"), ("fr", "Aller au texte")];

/// Returns a file of a starter for a site with the languages of the answers.
pub fn adapted(path: &str, text: &str, answers: &Answers) -> String {
    if answers.others.is_empty() {
        return text.to_owned();
    }
    if path == SITE_FILE {
        let mut languages = String::from("languages:\n");
        for tag in std::iter::once(&answers.language).chain(&answers.others) {
            languages.push_str(&format!("  {tag}: {{ name: {} }}\n", names::of(&primary(tag)).unwrap_or(tag)));
        }
        // After the line of the language.
        let at = text.find("\nname:").map_or(text.len(), |at| at + 1);
        let labels = if has_labels(answers) { "labels:\n  skip: Skip to the text\n" } else { "" };
        return format!("{}{languages}{}{labels}", &text[..at], &text[at..]);
    }
    match path.rsplit_once('.') {
        Some((_, "html")) => IN_TEMPLATES.iter().fold(text.to_owned(), |text, (from, to)| text.replacen(from, to, 1)),
        Some((_, "css")) if path.ends_with("styles/main.css") => format!("{text}{STYLES}"),
        _ => text.to_owned(),
    }
}

/// Returns the files that a starter has for the languages besides its own: the texts of templates.
pub fn added(answers: &Answers) -> Vec<(String, String)> {
    let translated = |tag: &String| {
        let (_, skip) = SKIP.iter().find(|(known, _)| *known == primary(tag))?;
        Some((format!("content/site.{tag}.yaml"), format!("labels:\n  skip: {skip}\n")))
    };
    answers.others.iter().filter(|_| has_labels(answers)).filter_map(translated).collect()
}

/// Whether templates have texts of their own.
fn has_labels(answers: &Answers) -> bool {
    !matches!(answers.starter, Starter::Minimal)
}
