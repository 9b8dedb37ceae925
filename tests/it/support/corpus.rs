//! A site of many pages, always the same bytes for the same number: Markdown of some 600 words a page with what texts have: headings,
//! emphasis, links to pages and sections, lists, a table, code and a quotation. `benches/peers` measures times on such a site.

use std::fmt::Write;
use std::fs;
use std::path::Path;

const SITE: &str = "url: https://bench.test\nlanguage: en\nname: Corpus\ndescription: The same pages, always.\n\
    settings:\n  routes: directory\n";
const BASE: &str = r#"<!doctype html>
<html lang="{{ site.language }}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ page.title }} | {{ site.name }}</title>
<meta name="description" content="{{ page.description }}">
<link rel="canonical" href="{{ page.url }}">
<meta property="og:title" content="{{ page.title }}">
<meta property="og:url" content="{{ page.url }}">
</head>
<body>
<header><nav aria-label="Main"><a href="/">{{ site.name }}</a></nav></header>
<main>
{% block main %}{% endblock %}
</main>
<footer><p>{{ site.description }}</p></footer>
</body>
</html>
"#;
const INDEX: &str = r#"{% extends "base.html" %}
{% block main %}<h1>{{ page.title }}</h1>
<ul>{% for each in pages %}{% if each.route != "/" %}<li><a href="{{ each.route }}/">{{ each.title }}</a></li>
{% endif %}{% endfor %}</ul>{% endblock %}
"#;
const PAGE: &str = r#"{% extends "base.html" %}
{% block main %}<article><h1>{{ page.title }}</h1>
<p>Updated <time datetime="{{ page.updated }}">{{ page.updated }}</time></p>
{{ page.content }}
</article>{% endblock %}
"#;

const WORDS: &str = "above again almost among answer apart around autumn balance band barn basin beach beam begin below bench bird board \
    border branch bread bridge bright brook candle canvas care cast cedar chain chalk chart cherry circle clay cliff cloud coast \
    copper corner cotton country course cream cross crowd current dark dawn desert distance door drift early east edge eight empty \
    engine evening event exact family farm feather fence ferry field figure fine flat floor flower forest fresh frost garden gate \
    gentle glass gold grain gravel ground harbour harvest hazel heavy height hill hollow honey house island ivory journey kettle \
    ladder lake lamp lane leather ledge library lime linen local loose maple market meadow metal mile mineral mist morning mountain \
    narrow needle night north number ocean open orchard oven paper pasture pattern pebble petal plain planet porch potter quarry \
    quiet rail range record reed ridge ripe river rock root rope sail salt scale season second shade shallow shelf shelter shore \
    silver slate smoke smooth south spark spring stable station steep stone storm stream summer table thread timber tower track \
    trade trail tree twelve valley vessel village wall water weave wheat willow window winter wood yard yellow";

/// Writes the site with this number of pages besides the home page, which lists them, into an empty folder.
pub fn write(folder: &Path, count: usize) {
    let pages = folder.join("content/pages");
    let templates = folder.join("templates/pages");
    fs::create_dir_all(&pages).unwrap();
    fs::create_dir_all(&templates).unwrap();
    fs::write(folder.join("content/site.yaml"), SITE).unwrap();
    fs::write(folder.join("templates/base.html"), BASE).unwrap();
    fs::write(templates.join("index.html"), INDEX).unwrap();
    fs::write(templates.join("page.html"), PAGE).unwrap();
    let home = "title: All pages\ndescription: Every page.\ntemplate: pages/index.html\n";
    fs::write(pages.join("index.yaml"), home).unwrap();
    let words: Vec<&str> = WORDS.split_ascii_whitespace().collect();
    for number in 1..=count {
        let text = Writer { words: &words, count, state: number as u64 }.page(number);
        fs::write(pages.join(format!("page-{number:06}.md")), text).unwrap();
    }
}

/// Returns the headings of a page.
fn headings(words: &[&str], number: usize) -> [String; 6] {
    std::array::from_fn(|at| {
        // No two of a page begin with the same word.
        let (one, two) = ((number + 31 * at) % words.len(), (number / words.len() + 7 * at) % words.len());
        capitalized(&format!("{} {}", words[one], words[two]))
    })
}

fn capitalized(text: &str) -> String {
    text[..1].to_uppercase() + &text[1..]
}

struct Writer<'w> {
    words: &'w [&'w str],
    /// The number of pages.
    count: usize,
    state: u64,
}

impl Writer<'_> {
    /// Returns a number below a limit (Sebastiano Vigna's splitmix64, which is in the public domain).
    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn words(&mut self, least: usize, most: usize) -> String {
        let count = least + self.below(most - least + 1);
        let words: Vec<&str> = (0..count).map(|_| self.words[self.below(self.words.len())]).collect();
        words.join(" ")
    }

    fn sentence(&mut self) -> String {
        format!("{}, {}.", capitalized(&self.words(8, 15)), self.words(3, 7))
    }

    fn link(&mut self) -> String {
        let (text, other) = (self.words(2, 4), 1 + self.below(self.count));
        let section = match self.below(2) {
            0 => String::new(),
            _ => format!("#{}", headings(self.words, other)[self.below(6)].to_lowercase().replace(' ', "-")),
        };
        format!("[{text}](/page-{other:06}/{section})")
    }

    fn paragraph(&mut self) -> String {
        let begin = self.sentence();
        let linked = format!("The *{}* is **{}**, as {} says.", self.words(1, 2), self.words(1, 3), self.link());
        let middle = self.sentence();
        let code = format!("Write `{}.{}` and \"{}\".", self.words(1, 1), self.words(1, 1), self.words(2, 4));
        format!("{begin} {linked} {middle} {code} {}", self.sentence())
    }

    fn list(&mut self, sign: &str) -> String {
        let mut list = String::new();
        for at in 0..5 {
            let first = if at % 2 == 0 { self.link() } else { format!("**{}**", self.words(1, 1)) };
            writeln!(list, "{sign} {first} {}", self.words(4, 9)).unwrap();
        }
        list
    }

    fn page(&mut self, number: usize) -> String {
        let [one, two, three, four, five, six] = headings(self.words, number);
        let title = capitalized(&self.words(3, 3));
        let description = self.sentence();
        let row = |writer: &mut Self| {
            format!("| {} | {} | {} |\n", writer.words(1, 2), writer.below(1000), writer.words(2, 4))
        };
        let rows: String = (0..5).map(|_| row(self)).collect();
        let call = |writer: &mut Self| {
            format!("{} = {}({}) < {}\n", writer.words(1, 1), writer.words(1, 1), writer.below(100), writer.words(1, 1))
        };
        let code: String = (0..5).map(|_| call(self)).collect();
        let (month, day) = (1 + number % 12, 1 + number % 28);
        let head = format!(
            "---\ntitle: {title} {number}\ndescription: \"{description}\"\nupdated: 2025-{month:02}-{day:02}\nweight: {number}\n---\n"
        );
        let parts = [
            self.paragraph(),
            format!("## {one}"),
            self.paragraph(),
            self.paragraph(),
            format!("### {two}"),
            self.list("-"),
            format!("## {three}"),
            self.paragraph(),
            format!("| Name | Number | Words |\n|---|---|---|\n{rows}"),
            self.paragraph(),
            format!("### {four}"),
            self.list("1."),
            format!("## {five}"),
            format!("```text\n{code}```"),
            self.paragraph(),
            format!("## {six}"),
            format!("> {} {}", self.sentence(), self.sentence()),
            format!("{} More stands [in the standard](https://www.rfc-editor.org/rfc/rfc3986).", self.paragraph()),
        ];
        head + &parts.join("\n\n") + "\n"
    }
}
