//! What a text has that its translation must have too: links, pictures, headings and placeholders.

use super::calls::{self, Kind};
use super::texts::events;
use pulldown_cmark::{Event, LinkType, Tag};
use sitegen_core::html::{Token, tokens};
use std::collections::BTreeMap;

/// How many there are of each.
type Counted = BTreeMap<String, usize>;

/// The structure of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    links: Counted,
    pictures: Counted,
    placeholders: Counted,
    headings: Vec<usize>,
}

impl Structure {
    /// Reads that of a Markdown text. `language`: the tag of the language it is in; addresses that begin with it and names of files
    /// that have it stand for those without.
    pub fn of_markdown(text: &str, language: &str) -> Self {
        let mut structure = Structure { placeholders: placeholders(text), ..Structure::default() };
        for (event, _) in events(text) {
            match event {
                Event::Start(Tag::Heading { level, .. }) => structure.headings.push(level as usize),
                Event::Start(Tag::Link { link_type: LinkType::Email, .. }) => {}
                Event::Start(Tag::Link { dest_url, .. }) => add(&mut structure.links, address(&dest_url, language)),
                Event::Start(Tag::Image { dest_url, .. }) => add(&mut structure.pictures, address(&dest_url, language)),
                Event::Html(html) | Event::InlineHtml(html) => structure.add_html(&html, language),
                _ => {}
            }
        }
        structure
    }

    /// Adds that of HTML in a text.
    fn add_html(&mut self, html: &str, language: &str) {
        for token in tokens(html) {
            let Token::Start(tag) = token else { continue };
            let of = |name: &str| tag.attributes().find(|attribute| attribute.name.eq_ignore_ascii_case(name));
            let (counted, found) = match &*tag.lower_name() {
                "a" => (&mut self.links, of("href")),
                "img" => (&mut self.pictures, of("src")),
                heading => {
                    let level = heading.strip_prefix('h').and_then(|level| level.parse::<usize>().ok());
                    self.headings.extend(level.filter(|level| (1..=6).contains(level)));
                    continue;
                }
            };
            if let Some(found) = found {
                add(counted, address(&found.value, language));
            }
        }
    }

    /// Reads that of a value, which is no Markdown: references, and names in braces, which templates replace.
    pub fn of_value(text: &str) -> Self {
        let mut found = placeholders(text);
        let mut rest = text;
        while let Some((_, after)) = rest.split_once('{') {
            rest = after;
            let name =
                after.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
            if !name.is_empty() && after[name.len()..].starts_with('}') {
                add(&mut found, format!("{{{name}}}"));
            }
        }
        Structure { placeholders: found, ..Structure::default() }
    }

    /// Returns how a translation of this differs from it, each as a sentence without a full stop.
    pub fn differences(&self, translation: &Structure) -> Vec<String> {
        let mut all = Vec::new();
        for (word, own, other) in [
            ("link", &self.links, &translation.links),
            ("picture", &self.pictures, &translation.pictures),
            ("placeholder", &self.placeholders, &translation.placeholders),
        ] {
            let lacks = |from: &Counted, to: &Counted| -> Vec<String> {
                let more = from.iter().filter(|(name, count)| to.get(*name).copied().unwrap_or(0) < **count);
                more.map(|(name, _)| name.clone()).collect()
            };
            all.extend(lacks(own, other).into_iter().map(|name| format!("the {word} `{name}` is missing")));
            all.extend(lacks(other, own).into_iter().map(|name| format!("the {word} `{name}` is not in the original")));
        }
        if self.headings != translation.headings {
            let written = |headings: &[usize]| match headings {
                [] => "none".to_owned(),
                headings => {
                    let signs: Vec<String> = headings.iter().take(12).map(|level| "#".repeat(*level)).collect();
                    let more = if headings.len() > 12 { " …" } else { "" };
                    format!("`{}`{more}", signs.join(" "))
                }
            };
            all.push(format!(
                "the headings are {} instead of {}",
                written(&translation.headings),
                written(&self.headings)
            ));
        }
        all
    }
}

fn add(counted: &mut Counted, name: String) {
    *counted.entry(name).or_insert(0) += 1;
}

/// Returns references and calls in a text. The arguments of a call may be texts.
fn placeholders(text: &str) -> Counted {
    let mut found = Counted::new();
    for (reference, tag) in calls::all(text) {
        let name = match tag {
            None => format!("{{{{ {} }}}}", reference.path),
            Some(Ok(tag)) => match tag.kind {
                Kind::Alone => format!("<{} />", tag.component),
                Kind::Open => format!("<{}>", tag.component),
                Kind::Close => format!("</{}>", tag.component),
            },
            Some(Err(_)) => continue,
        };
        add(&mut found, name);
    }
    found
}

/// Returns an address without what differs between languages: the language, and the section, whose name comes from a heading.
fn address(written: &str, language: &str) -> String {
    let (path, section) = written.split_once('#').map_or((written, None), |(path, section)| (path, Some(section)));
    if path.is_empty() {
        return section.map_or(String::new(), |_| "#…".to_owned());
    }
    let prefix = format!("/{}", language.to_ascii_lowercase());
    let without = match path.strip_prefix(&prefix) {
        Some("") => "/",
        Some(rest) if rest.starts_with('/') => rest,
        _ => path,
    };
    let suffix = format!(".{language}.");
    let at = without.rfind('.').and_then(|dot| {
        let start = (dot + 1).checked_sub(suffix.len())?;
        without.get(start..=dot).filter(|part| part.eq_ignore_ascii_case(&suffix)).map(|_| start..dot)
    });
    match at {
        Some(part) => format!("{}{}", &without[..part.start], &without[part.end..]),
        None => without.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_translation_lost_or_added_is_named() {
        let original = "# A\n\n[About](/about#us) ![x](a.jpg) {{ site.email }}\n\n## B\n\n{% <note> %}\nx\n{% </note> %}\n\n[c](other.md) [s](#b)\n";
        let same = "# Ä\n\n[Über](/de/about#wir) ![x](a.de.jpg) {{ site.email }}\n\n## B\n\n{% <note> %}\ny\n{% </note> %}\n\n[c](other.de.md) [s](#d)\n";
        let of = |text, language| Structure::of_markdown(text, language);
        assert_eq!(of(original, "en").differences(&of(same, "de")), [""; 0]);
        let other = "# Ä\n\n[Über](/impressum) {{ site.mail }}\n\n### B\n\n{% <note> %}\ny\n{% </note> %}\n\n[c](other.md) [s](#d)\n";
        assert_eq!(
            of(original, "en").differences(&of(other, "de")),
            [
                "the link `/about` is missing",
                "the link `/impressum` is not in the original",
                "the picture `a.jpg` is missing",
                "the placeholder `{{ site.email }}` is missing",
                "the placeholder `{{ site.mail }}` is not in the original",
                "the headings are `# ###` instead of `# ##`",
            ]
        );
        let html = "# Ä\n\n<a href=\"/about#us\" hreflang=\"en\">Über</a> <img src=a.jpg alt=x> {{ site.email }}\n\n<h2>B</h2>\n\n\
                    {% <note> %}\ny\n{% </note> %}\n\n[c](other.md) [s](#d)\n";
        assert_eq!(of(original, "en").differences(&of(html, "de")), [""; 0]);
        let value = |text| Structure::of_value(text);
        assert_eq!(
            value("{count} posts by {{ site.name }}").differences(&value("{number} Texte von {{ site.name }}")),
            ["the placeholder `{count}` is missing", "the placeholder `{number}` is not in the original"]
        );
        assert_eq!(value("a { b } {c").differences(&value("a { d } {e")), [""; 0]);
    }
}
