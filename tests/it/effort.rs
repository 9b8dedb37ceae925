//! Twice the content takes about twice the work, however hostile it is: no input makes time or memory of a build grow
//! with the square of its bytes.
//!
//! Work is counted in processor instructions, which do not depend on what else the machine does. Each case is built at
//! two sizes, the second twice the first. The additional work may be [`MOST_RATIO`] times what the first size takes
//! over an almost empty site: 1 is linear, 3 is quadratic. valgrind counts. `tests/all` builds twice the content of `npm test`,
//! in which squares of fewer instructions show.
//!
//! The last test keeps ordinary work from creeping up: it counts what the program takes for a site of a thousand pages, and compares
//! that with `effort.txt`.

use crate::support::{corpus, needs, size};
use sitegen::diagnostics::{Checked, json_line, print, short};
use sitegen::edit::repairs::Repairs;
use sitegen::paths::SourcePath;
use sitegen::profile::Profile;
use sitegen::sources;
use sitegen::tools::DiskTools;
use sitegen_import::{Date, Generator, Old, OldFile};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The largest ratio of the additional work to that of the first size.
const MOST_RATIO: f64 = 1.5;
/// Instructions below which the ratio is not checked: the fixed work of a build varies by some.
const SLACK: f64 = 3e6;
/// The limit of instructions for each byte of content, over an almost empty site. In release builds it is a twentieth of
/// this; this figure includes the compiler's own checks, and code that is not optimised.
const MOST_PER_BYTE: f64 = 400_000.0;

const SITE: &str = "url: https://www.site.test\nlanguage: en\nname: Site\n";
const TEMPLATE: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ page.title }}</title>\n\
    </head>\n<body>\n<main><h1>A</h1>{{ page.content }}</main>\n</body>\n</html>\n";
const SCHEMA: &str = r#"{
  "properties": {
    "items": { "type": "array", "items": { "required": ["name"], "properties": { "name": { "type": "string" } }, "additionalProperties": false } },
    "map": { "type": "object", "additionalProperties": false },
    "values": { "type": "array", "items": { "enum": ["a", "b"] } }
  }
}"#;

/// The name of a case, the number of repetitions in its first site in full size, and the files of a site.
type Case = (&'static str, usize, fn(usize) -> Vec<(String, String)>);

fn page(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.md".into(), format!("---\ntitle: A\n---\n{body}\n"))]
}

fn html(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.md".into(), format!("---\ntitle: A\nraw_html: true\n---\n{body}\n"))]
}

/// A page in a site with every extension of Markdown.
fn extended(body: String) -> Vec<(String, String)> {
    const ON: &str = "settings: { markdown: { containers: true, emoji: true, mark: true, math: true, subscript: true, \
                      superscript: true, wiki_links: true } }\n";
    page(body).into_iter().chain([("content/site.yaml".into(), format!("{SITE}{ON}"))]).collect()
}

/// The same with a component `a`.
fn extended_with_component(body: String) -> Vec<(String, String)> {
    let component = "{% component a() %}<div>{{ body }}</div>{% endcomponent a %}";
    extended(body).into_iter().chain([("templates/components/a/a.html".into(), component.into())]).collect()
}

fn yaml(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.yaml".into(), format!("title: A\n{body}\n"))]
}

fn with_schema(body: String) -> Vec<(String, String)> {
    let schema = ("content/schemas/pages/page.schema.json".into(), SCHEMA.into());
    yaml(body).into_iter().chain([schema]).collect()
}

/// A page with these keys as TOML.
fn toml(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.md".into(), format!("+++\ntitle = 'A'\n{body}\n+++\ntext\n"))]
}

/// A page of Markdown with its front matter.
fn page_of(text: String) -> Vec<(String, String)> {
    vec![("content/pages/index.md".into(), text)]
}

/// A page with these keys as JSON.
fn json(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.json".into(), format!("{{ \"title\": \"A\", {body} }}\n"))]
}

/// A collection in one file, which the page names.
fn list(extension: &str, body: String) -> Vec<(String, String)> {
    let lead = ("content/pages/index.yaml".into(), "title: A\nlead: \"{{ prices.a.name }}\"\n".into());
    let schema = r#"{ "additionalProperties": false, "required": ["name"],
        "properties": { "name": { "type": "string" }, "price": { "type": "number" } } }"#;
    let schema = ("content/schemas/prices.schema.json".into(), schema.into());
    vec![(format!("content/prices.{extension}"), body), lead, schema]
}

/// Returns the same text for each number below a limit.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

const CASES: &[Case] = &[
    ("translations of an earlier version", 1_000, |n| {
        let body = each(n, |i| format!("a{i} [b](#c) {{{{ site.name }}}}\n\n"));
        let version = format!("00000000-{}", "0a".repeat(n));
        let translation = format!("---\ntitle: A\ntranslates: {version}\n---\n{}", "b\n\n".repeat(n));
        let site = ("content/site.yaml".into(), format!("{SITE}languages: {{ de: {{ name: D }} }}\n"));
        page(body).into_iter().chain([("content/pages/index.de.md".into(), translation), site]).collect()
    }),
    ("items of a list without a key", 1_000, |n| with_schema(format!("items:\n{}", "  - nam: x\n".repeat(n)))),
    ("items of a list with a wrong type", 1_000, |n| with_schema(format!("items:\n{}", "  - name: 1\n".repeat(n)))),
    ("values that are no choice", 1_000, |n| with_schema(format!("values:\n{}", "  - c\n".repeat(n)))),
    ("unknown keys", 1_000, |n| with_schema(format!("map:\n{}", each(n, |i| format!("  k{i}: 1\n"))))),
    ("keys that stand twice", 1_000, |n| yaml(format!("map:\n{}", "  k: 1\n".repeat(n)))),
    ("values that are read differently", 1_000, |n| yaml(format!("values:\n{}", "  - 012\n".repeat(n)))),
    ("references on one line", 1_000, |n| page("{{ site.name }} ".repeat(n))),
    ("references in one text", 1_000, |n| yaml(format!("lead: \"{}\"", "{{ site.name }}".repeat(n)))),
    ("references that lead nowhere", 1_000, |n| page("{{ site.nothing }} ".repeat(n))),
    ("references that lead nowhere in one text", 1_000, |n| yaml(format!("lead: \"{}\"", "{{ a.b }}".repeat(n)))),
    ("references that are not closed", 1_000, |n| page("{{ site.name }\n".repeat(n))),
    ("references to a long text", 200, |n| {
        let site = format!("{SITE}long: {}\n", "x".repeat(40 * n));
        page("{{ site.long }}\n".repeat(n)).into_iter().chain([("content/site.yaml".into(), site)]).collect()
    }),
    ("bare addresses", 1_000, |n| page("(https://a.test/b&c;) ".repeat(n))),
    ("bare addresses without an end", 1_000, |n| page(format!("{}{}", "(www.a.b".repeat(n), "(https://a.b".repeat(n)))),
    ("beginnings of addresses", 2_000, |n| page("https://www.@".repeat(n))),
    ("marked words", 2_000, |n| extended("==a *==b* ".repeat(n))),
    ("shifted letters", 2_000, |n| extended("a~b^c~d^ ".repeat(n))),
    ("colons of emoji", 2_000, |n| extended(":a:heart ".repeat(n))),
    ("percent signs", 2_000, |n| extended(format!("{}\n\n{}", " %%a".repeat(n), "%%\na\n\n".repeat(n)))),
    ("abbreviations", 1_000, |n| {
        let lines: String = (0..n).map(|number| format!("*[{}{number}]: a\n", "a".repeat(number % 20))).collect();
        page_of(format!("---\ntitle: A\n---\n{}\n\n{lines}", "aaaa1 *[ ".repeat(n)))
    }),
    ("containers", 500, |n| extended(":::a\n".repeat(n))),
    ("containers that are opened", 8_000, |n| extended_with_component(":::a\n".repeat(n))),
    ("containers in each other", 8_000, |n| {
        extended_with_component(format!("{}{}", ":::a\n".repeat(n), ":::\n".repeat(n)))
    }),
    ("wiki links that lead nowhere", 1_000, |n| extended("[[a]] [[b ".repeat(n))),
    ("formulas", 1_000, |n| extended("$a$ $b $$c ".repeat(n))),
    ("tasks and terms", 1_000, |n| page("- [ ] a\n\nb\n: c\n\n".repeat(n))),
    ("tables of contents", 500, |n| page(each(n, |i| format!("[TOC]\n\n## a{i}\n\n")))),
    ("signs of math, links and alerts", 2_000, |n| page("$a_ [[b ^c > [!d ".repeat(n))),
    ("comments", 2_000, |n| html(format!("<p>{}</p>", "<!--a-->".repeat(n)))),
    ("ampersands", 4_000, |n| html(format!("<p title=\"{}\">a</p>", "&".repeat(n)))),
    ("lone angle brackets", 4_000, |n| page("< ".repeat(n))),
    ("end tags in deep elements", 1_000, |n| {
        html(format!("{}{}{}", "<div>".repeat(n), "</b>".repeat(n), "</div>".repeat(n)))
    }),
    ("fields in deep elements", 1_000, |n| {
        html(format!("{}{}{}", "<div>".repeat(n), "<input>".repeat(n), "</div>".repeat(n)))
    }),
    ("texts in deep elements with names", 1_000, |n| {
        html(format!("{}{}{}", "<b title=x>".repeat(n), "<i>a</i>".repeat(n), "</b>".repeat(n)))
    }),
    ("attributes of one tag", 2_000, |n| html(format!("<p {}>a</p>", "data-modules ".repeat(n)))),
    ("ids that stand twice", 1_000, |n| html("<p id=a>a</p>\n".repeat(n))),
    ("active elements", 1_000, |n| html("<object></object>\n".repeat(n))),
    ("footnotes", 500, |n| {
        page(format!("{}\n\n{}", each(n, |i| format!("a[^{i}] ")), each(n, |i| format!("[^{i}]: text\n\n"))))
    }),
    ("headings of the same name", 500, |n| page("## Same\n\n".repeat(n))),
    ("links that lead nowhere", 1_000, |n| page(each(n, |i| format!("[a](/nowhere{i}) ")))),
    ("sections that are not there", 1_000, |n| page(each(n, |i| format!("[a](#nowhere{i}) ")))),
    ("sections that are there", 500, |n| page(each(n, |i| format!("## Part {i}\n\n[a](#part-{i})\n\n")))),
    ("sections that are not there among many that are", 1_000, |n| {
        html(format!(
            "{}{}",
            each(n, |i| format!("<a href=\"#n{i}\">a</a>\n")),
            each(n, |i| format!("<p id=m{i}>a</p>\n"))
        ))
    }),
    ("pages that link to similar ones", 200, |n| {
        let page = |i| (format!("content/pages/p{i}.md"), format!("---\ntitle: A\n---\n[a](/q{i})\n"));
        page_and((0..n).map(page))
    }),
    ("pages that link nowhere", 100, |n| {
        let page = |i| (format!("content/pages/p{i}.md"), format!("---\ntitle: A\n---\n[a](/nowhere{i})\n"));
        page_and((0..n).map(page))
    }),
    ("redirects in a chain", 500, |n| {
        let redirects = each(n, |i| format!("  - from: /r{i}\n    to: /r{}\n", i + 1));
        page("a".into())
            .into_iter()
            .chain([("content/site.yaml".into(), format!("{SITE}redirects:\n{redirects}"))])
            .collect()
    }),
    ("redirects", 2_000, |n| {
        let redirects = each(n, |i| format!("  - from: /r{i}\n    to: /\n"));
        let site = format!("{SITE}redirects:\n{redirects}");
        page("a".into()).into_iter().chain([("content/site.yaml".into(), site)]).collect()
    }),
    ("words of one rule", 2_000, |n| {
        let css = format!("{}{{ color: red }}\n", "b:c d ".repeat(n));
        page("a".into()).into_iter().chain([("templates/styles/main.css".into(), css)]).collect()
    }),
    ("rules with two selectors in each other", 24, |n| {
        let css = format!("{}color: red{}\n", ".a, .b {\n".repeat(n), "}".repeat(n));
        page("a".into()).into_iter().chain([("templates/styles/main.css".into(), css)]).collect()
    }),
    ("mistakes in styles of a template", 4_000, |n| {
        let style = format!("<style>\n{}</style>\n</head>", "p { colour: red }\n".repeat(n));
        let template = ("templates/pages/page.html".into(), TEMPLATE.replace("</head>", &style));
        page("a".into()).into_iter().chain([template]).collect()
    }),
    ("headers", 500, |n| {
        let headers = each(n, |i| format!("    X-H{i}: a\n"));
        let site = format!("{SITE}settings:\n  headers:\n{headers}");
        page("a".into()).into_iter().chain([("content/site.yaml".into(), site)]).collect()
    }),
    ("dashes on one line", 2_000, |n| page("a--b | ".repeat(n))),
    ("rows of dashes", 500, |n| page("a | b\n--|--|--\n".repeat(n))),
    ("dashes at the start of a line", 2_000, |n| page(format!("a | b\n{}", "-- | ".repeat(n)))),
    ("asterisks that are text", 2_000, |n| page("a **b ** ".repeat(n))),
    ("keys that nothing reads", 1_000, |n| yaml(each(n, |i| format!("k{i}: 1\n")))),
    ("many keys that nothing reads", 3_000, |n| yaml(each(n, |i| format!("k{i}: 1\n")))),
    ("values in brackets beside a comment", 1_000, |n| {
        yaml(format!("values: {{{}}}\nlast: a #b\n", each(n, |i| format!("k{i}: v, "))))
    }),
    ("anchors that nothing repeats", 1_000, |n| yaml(each(n, |i| format!("k{i}: &a{i} v\n")))),
    ("names for examples", 1_000, |n| page("a.example@".repeat(n))),
    ("marks of inches in a quotation", 2_000, |n| page(format!("\"{}", "1\" 1\"1 ".repeat(n)))),
    ("marks of feet in a quotation", 2_000, |n| page(format!("'{}", "1' 1'1 ".repeat(n)))),
    ("glyphs for private use beside references", 2_000, |n| {
        page(format!("{{{{ site.name }}}} {}", each(n, |i| format!("&#{};", 0xe000 + i % 6_000))))
    }),
    ("abbreviations of a drawing", 1_000, |n| {
        let declared = each(100, |i| format!("<!ENTITY e{i} \"x\">"));
        let svg =
            format!("<!DOCTYPE svg [{declared}]><svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>", "&e99;".repeat(n));
        page("a".into()).into_iter().chain([("content/public/a.svg".into(), svg)]).collect()
    }),
    ("quotations in each other", 2_000, |n| page(format!("{}a\n{}", ">".repeat(n), "b\n===\n".repeat(n)))),
    ("lists in each other", 2_000, |n| page(format!("{}a\n{}", "- ".repeat(n), "b\n===\n".repeat(n)))),
    ("quotations in each other below the limit", 2_000, |n| {
        page(format!("{}a\n{}", "> ".repeat(100), "b\n===\n".repeat(n)))
    }),
    ("brackets", 4_000, |n| page("[".repeat(n))),
    ("images in images", 1_000, |n| page(format!("{}{}", "![".repeat(n), "](x)".repeat(n)))),
    ("emphasis", 2_000, |n| page("*a _b ".repeat(n))),
    ("ticks", 300, |n| page(each(n, |i| format!("{} ", "`".repeat(i % 60 + 1))))),
    ("lines of code", 300, |n| page(format!("```js\n{}```\n", "bake(`${a}`, /x+/, \"b\");\n".repeat(n)))),
    ("code that opens and never closes", 500, |n| page(format!("```rust\n{}\n```\n", "fn f() { (\n".repeat(n)))),
    ("code on one line", 1_000, |n| page(format!("```js\n{}\n```\n", "/*\"`${".repeat(n)))),
    ("code blocks", 200, |n| page("```yaml\na: b\n```\n\n".repeat(n))),
    ("options of a code block", 500, |n| page(format!("```js {}\na\n```\n", "{1} titel=a ".repeat(n)))),
    ("entries that share all their terms", 200, |n| {
        let post =
            |i| (format!("content/news/n{i}.md"), format!("---\ntitle: N{i}\ntags: [a, b, c, d, e, f]\n---\nx\n"));
        let pages = "for_each: news\ntitle: \"{{ entry.title }}\"\ntemplate: pages/post.html\n";
        let list = "{% for each in related(entry=entry, by=\"tags\") %}{{ each.title }}{% endfor %}";
        let template = TEMPLATE.replace("{{ page.content }}", list);
        let more =
            [("content/pages/news/[slug].yaml".into(), pages.into()), ("templates/pages/post.html".into(), template)];
        page_and((0..n).map(post).chain(more))
    }),
    ("definitions of a schema in a chain", 300, |n| {
        let definitions = each(n, |i| format!("\"d{i}\": {{ \"$ref\": \"#/$defs/d{}\" }},\n", i + 1));
        let schema = format!(
            "{{ \"$defs\": {{ {definitions} \"d{n}\": {{ \"type\": \"string\" }} }}, \"properties\": {{ \"a\": {{ \"$ref\": \"#/$defs/d0\" }} }} }}"
        );
        yaml("a: b".into()).into_iter().chain([("content/schemas/pages/page.schema.json".into(), schema)]).collect()
    }),
    ("a quote that is never closed", 1_000, |n| yaml(format!("a: \"b\n{}", each(n, |i| format!("k{i}: v\n"))))),
    ("a text that goes on after a comment", 1_000, |n| {
        yaml(format!("{}a: b\n  # c\n  d\n", each(n, |i| format!("k{i}: v\n"))))
    }),
    ("prefixes of a drawing", 500, |n| {
        let parts = each(n, |i| format!("<g xmlns:p{i}=\"urn:p{i}\">"));
        let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{parts}{}</svg>", "</g>".repeat(n));
        page("a".into()).into_iter().chain([("content/public/a.svg".into(), svg)]).collect()
    }),
    ("mistakes of a drawing", 1_000, |n| {
        let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>", "<script/>\n".repeat(n));
        page("a".into()).into_iter().chain([("content/public/a.svg".into(), svg)]).collect()
    }),
    ("keys of TOML that stand twice", 1_000, |n| toml("k = 1\n".repeat(n))),
    ("tables of TOML", 1_000, |n| toml("[[a]]\nk = 1\n".repeat(n))),
    ("keys of TOML with dots", 1_000, |n| toml(each(n, |i| format!("a.b.c.d{i} = 1\n")))),
    ("objects of JSON", 1_000, |n| json(format!("\"a\": [{{}}{}]", ", { \"k\": \"\\u00e4\" }".repeat(n)))),
    ("keys of JSON that stand twice", 1_000, |n| json(format!("\"a\": {{{}\"k\": 1}}", "\"k\": 1,\n".repeat(n)))),
    ("an object of JSON that is not closed", 1_000, |n| page_of(format!("{{\n{}", "\"a\": {\n".repeat(n)))),
    ("entries of a list", 500, |n| list("yaml", format!("- name: a\n{}", each(n, |i| format!("- name: b{i}\n"))))),
    ("entries of a list with the same name", 500, |n| list("yaml", "- name: a\n".repeat(n))),
    ("rows", 500, |n| list("csv", format!("name;price\na;1\n{}", each(n, |i| format!("b{i};1,5\n"))))),
    ("rows that a schema refuses", 500, |n| list("csv", format!("name;prices\n{}", each(n, |i| format!("b{i};1\n"))))),
    ("cells that are no numbers", 500, |n| {
        list("csv", format!("name;price\n{}", each(n, |i| format!("b{i};1.234\n"))))
    }),
    ("quotes in cells", 2_000, |n| list("csv", format!("name;price\n\"a{}\";1\n", "\"\"".repeat(n)))),
    ("plural forms that lack one", 200, |n| {
        yaml(each(n, |i| format!("k{i}: {{ one: a, other: \"{{count}}\" }}\nl{i}: {{ one: a, few: \"{{count}}\" }}\n")))
    }),
    ("sides in one line of a stylesheet", 500, |n| {
        let css = format!("a {{ {} }}\n", each(n, |i| format!("left: {i}px; margin-right: {i}px;")));
        right_to_left([("templates/styles/main.css".into(), css)])
    }),
    ("rules of fonts", 500, |n| {
        let face = |i| format!("@font-face {{ font-family: f{i}; src: url(a.svg); unicode-range: U+{i:x} }}\n");
        let css = format!("{}body {{ font-family: {} serif }}\n", each(n, face), each(n, |i| format!("f{i}, ")));
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_owned();
        right_to_left([("templates/styles/main.css".into(), css), ("templates/styles/a.svg".into(), svg)])
    }),
    ("passages in another direction", 1_000, |n| html("<p lang=\"ar\">a</p>\n".repeat(n))),
    ("quotes that open cells", 2_000, |n| list("csv", format!("name;price\na;1\n{}", "\";\";\n".repeat(n)))),
];

/// A site in Arabic, with a stylesheet.
fn right_to_left<const N: usize>(more: [(String, String); N]) -> Vec<(String, String)> {
    let template =
        TEMPLATE.replace("lang=\"en\"", "lang=\"ar\" dir=\"rtl\"").replace("</head>", "{{ styles() }}</head>");
    let own = [
        ("content/site.yaml".into(), SITE.replace("language: en", "language: ar")),
        ("templates/pages/page.html".into(), template),
    ];
    page("é ő".into()).into_iter().chain(own).chain(more).collect()
}

fn page_and(more: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    page("a".into()).into_iter().chain(more).collect()
}

/// A generator, and a text of its sites that is repeated: what its readers look for, without its end.
type OldCase = (Generator, &'static str);

const OLD_CASES: &[OldCase] = &[
    (Generator::Docusaurus, "{{"),
    (Generator::Docusaurus, "{\"{`"),
    (Generator::Docusaurus, "<A b={"),
    (Generator::Docusaurus, "<A b=<A b=\""),
    (Generator::Docusaurus, "<A b={c}>d</A> "),
    (Generator::Docusaurus, "<A>\n"),
    (Generator::Docusaurus, "`a{b}``"),
    (Generator::Docusaurus, "import A from './a.mdx'\n\n<A/>\n"),
    (Generator::Docusaurus, ":::a\n"),
    (Generator::Docusaurus, "<div>\n  *a*\n"),
    (Generator::Docusaurus, "<div>**a**</div>"),
    (Generator::Docusaurus, "```js\n// highlight-next-line\na\n```\n"),
    (Generator::Starlight, "<A "),
    (Generator::Starlight, "{/*"),
    (Generator::Hugo, "{{< a"),
    (Generator::Hugo, "{{< a b=\""),
    (Generator::Hugo, "{{< a >}}"),
    (Generator::Hugo, "{{% a %}}{{< /b >}}"),
    (Generator::Hugo, "{{</* a "),
    (Generator::Hugo, "{{< highlight >}}"),
    (Generator::Hugo, "]("),
    (Generator::Hugo, "[a](b.md) ![a](b.png) "),
    (Generator::Hugo, "<a "),
    (Generator::Hugo, "<!--<a "),
    (Generator::Hugo, "<div>a<br/>\n"),
    (Generator::Hugo, "a\n===\n"),
    (Generator::Hugo, ">"),
    (Generator::Hugo, "- "),
    (Generator::Jekyll, "{% x %}"),
    (Generator::Jekyll, "{% x %}{% endy %}"),
    (Generator::Jekyll, "{% if %}"),
    (Generator::Jekyll, "{% raw %}"),
    (Generator::Jekyll, "{{ a | b"),
    (Generator::Jekyll, "{% include a \""),
    (Generator::Jekyll, "{:toc}\n"),
    (Generator::Jekyll, "a {: b"),
    (Generator::Jekyll, "```\na\n```\n{: .language-b .c}\n"),
    (Generator::Jekyll, "| a |\n"),
    (Generator::Jekyll, "{% include_relative a.md %}"),
    (Generator::Zola, "{{ a(b=\""),
    (Generator::Zola, "{% a() %}"),
    (Generator::Zola, "{%}"),
    (Generator::MdBook, "{{#include a"),
    (Generator::MdBook, "{{#include b.md}}"),
    (Generator::MdBook, "[a]: b\n"),
];

/// The files of an old site with a text.
fn old_site(from: Generator, text: &str) -> Vec<(String, String)> {
    let (config, settings, path) = match from {
        Generator::Hugo => ("hugo.toml", "title = 'A'", "content/posts/a.md"),
        Generator::Jekyll => ("_config.yml", "title: A", "a.md"),
        Generator::Zola => ("config.toml", "base_url = 'https://a.test'", "content/a.md"),
        Generator::Starlight => (
            "astro.config.mjs",
            "defineConfig({ integrations: [starlight({ title: 'A' })] })",
            "src/content/docs/a.mdx",
        ),
        Generator::Docusaurus => ("docusaurus.config.js", "module.exports = { title: 'A' }", "docs/a.mdx"),
        Generator::MdBook => ("book.toml", "[book]", "src/a.md"),
    };
    let front = match from {
        Generator::Zola => "+++\ntitle = 'A'\n+++\n",
        Generator::MdBook => "",
        _ => "---\ntitle: A\n---\n",
    };
    let files = [(config, settings), ("src/SUMMARY.md", "- [A](a.md)\n")];
    let text = (format!("old/{path}"), format!("{front}{text}\n"));
    let files = files.map(|(path, text)| (format!("old/{path}"), text.to_owned()));
    files.into_iter().chain([text, ("from".to_owned(), format!("{from:?}"))]).collect()
}

/// Imports the old site that is in a folder.
fn import(root: &Path, from: &str) {
    const ALL: [Generator; 6] = [
        Generator::Hugo,
        Generator::Jekyll,
        Generator::Zola,
        Generator::Starlight,
        Generator::Docusaurus,
        Generator::MdBook,
    ];
    let from = ALL.into_iter().find(|each| format!("{each:?}") == from).expect("a generator");
    let all = old_site(from, "");
    let paths = all.iter().filter_map(|(path, _)| path.strip_prefix("old/"));
    let read = |path: &str| OldFile::Text(fs::read_to_string(root.join("old").join(path)).unwrap());
    let old = Old::new(paths.map(|path| (path.to_owned(), read(path))).collect());
    assert!(!sitegen_import::import(from, &old, Date::constant(2026, 1, 1)).expect("a site").files.is_empty());
}

/// The environment variable that names the folder of the sites to be built.
const SITES: &str = "EFFORT_SITES";

/// Writes a site into a folder, and gives its bytes.
fn write(folder: &Path, files: &[(String, String)]) -> f64 {
    let fixed = [("content/site.yaml", SITE), ("templates/pages/page.html", TEMPLATE)]
        .map(|(path, text)| (path.to_owned(), text.to_owned()));
    let mut bytes = 0;
    for (path, text) in fixed.iter().chain(files) {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        bytes += text.len();
    }
    bytes as f64
}

/// Builds a site and prints its diagnostics in every format, as `sitegen check` does. Imports it if it is an old one.
fn build(root: &Path) {
    if let Ok(from) = fs::read_to_string(root.join("from")) {
        return import(root, &from);
    }
    let Checked { value: sources, mut diagnostics } = sources::read(root);
    let sources = sources.unwrap_or_default();
    let checked = sitegen::build(&sources, &Profile::default(), &DiskTools::of(root));
    assert!(checked.value.is_some() || !checked.diagnostics.is_empty());
    diagnostics.extend(checked.diagnostics);
    let text_of = |path: &SourcePath| sources.text(path);
    let mut repairs = Repairs::of(&sources);
    for each in &diagnostics {
        drop((
            short(each, &text_of),
            print(each, false, &text_of),
            json_line(each, repairs.find(each).as_ref(), None, &text_of),
        ));
    }
}

#[test]
#[ignore = "the test below starts it, to count its instructions"]
fn all_sites_are_built() {
    let folder = PathBuf::from(std::env::var_os(SITES).expect("the folder of the sites"));
    // What a process does once belongs to no site.
    build(&folder.join("0"));
    for number in 0.. {
        let site = folder.join(number.to_string());
        if !site.exists() {
            break;
        }
        let _ = std::os::unix::process::parent_id();
        build(&site);
    }
    let _ = std::os::unix::process::parent_id();
}

/// The instructions that the build of each site takes. One process builds them all, because valgrind translates each part
/// of a program once, which takes longer than most builds.
fn work(folder: &Path) -> Vec<f64> {
    let mut command = Command::new("valgrind");
    // A count is written at each call of this function of the C library, which nothing else here calls.
    command.args(["--tool=callgrind", "--dump-before=getppid", "--quiet"]);
    command.arg(format!("--callgrind-out-file={}", folder.join("count").display()));
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    command.arg(std::env::current_exe().unwrap());
    command.args(["--ignored", "--exact", &format!("{module}::all_sites_are_built")]).env(SITES, folder);
    // One thread, since threads that wait for work count too.
    let run = command.env("RAYON_NUM_THREADS", "1").output().unwrap();
    let said = [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(run.status.success() && said.contains("1 passed"), "{said}");
    // The first count is that of the start.
    let counts = (2..).map_while(|number| fs::read_to_string(folder.join(format!("count.{number}"))).ok());
    counts
        .map(|count| count.lines().find_map(|line| line.strip_prefix("totals: ")).expect("a count").parse().unwrap())
        .collect()
}

/// Whether valgrind can count.
fn can_count() -> bool {
    let found = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    let is_found = found.is_ok_and(|status| status.success());
    if !is_found {
        needs::left_out("valgrind is not installed");
    }
    is_found
}

/// Writes sites, counts the instructions of each, and returns these with the bytes of each.
fn measured(sites: impl Iterator<Item = Vec<(String, String)>>) -> Vec<(f64, f64)> {
    let folder = tempfile::tempdir().unwrap();
    let bytes: Vec<f64> =
        sites.enumerate().map(|(number, files)| write(&folder.path().join(number.to_string()), &files)).collect();
    let work = work(folder.path());
    assert_eq!(work.len(), bytes.len());
    work.into_iter().zip(bytes).collect()
}

/// Returns what is wrong with the work for almost nothing, for a size and for twice the size.
fn fault_of(name: &str, empty: (f64, f64), one: (f64, f64), two: (f64, f64)) -> Option<String> {
    let (first, second) = (one.0 - empty.0, two.0 - one.0);
    let per_byte = (two.0 - empty.0) / two.1;
    let said = format!("{name}: {:.2} times the work, {per_byte:.0} a byte", second / first);
    println!("{said}");
    let is_linear = second <= MOST_RATIO * first.max(0.0) + SLACK && per_byte <= MOST_PER_BYTE;
    (!is_linear).then_some(said)
}

#[test]
fn twice_the_content_takes_twice_the_work() {
    if !can_count() {
        return;
    }
    let only = std::env::var("EFFORT").unwrap_or_default();
    let cases: Vec<&Case> = CASES.iter().filter(|(name, ..)| name.contains(&only)).collect();
    let sites = cases.iter().flat_map(|(_, count, files)| {
        let first = count / size::sized(2, 1);
        [first, 2 * first].map(files)
    });
    let counts = measured(std::iter::once(page("a".into())).chain(sites));
    let measured = cases.iter().zip(counts[1..].chunks(2));
    let failed: Vec<String> =
        measured.filter_map(|((name, ..), sizes)| fault_of(name, counts[0], sizes[0], sizes[1])).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn twice_the_old_site_takes_twice_the_work_to_import() {
    if !can_count() {
        return;
    }
    let sites = OLD_CASES.iter().flat_map(|(from, piece)| {
        let first = 16_000 / size::sized(2, 1) / piece.len();
        [1, first, 2 * first].map(|count| old_site(*from, &piece.repeat(count)))
    });
    let counts = measured(std::iter::once(page("a".into())).chain(sites));
    let measured = OLD_CASES.iter().zip(counts[1..].chunks(3));
    let failed: Vec<String> = measured
        .filter_map(|((from, piece), sizes)| fault_of(&format!("{from:?} {piece:?}"), sizes[0], sizes[1], sizes[2]))
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

/// The instructions that the site of [`PAGES`] pages may take: a figure on each line, and what it was counted with.
const FIGURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/effort.txt");
const FIGURES_HEAD: &str = "\
# Instructions of a build of a thousand pages from nothing, without those of SHA-256, and what each figure was counted with.
# `BLESS=effort cargo test --profile tested --test it effort::` counts anew.
";
const PAGES: usize = 1_000;
/// How much more than its figure a build may take. Two counts differ by less than a thousandth.
const MARGIN: f64 = 0.03;
/// How much more than the last figure it may take where nobody has counted with the same tools: other compilers and other processors
/// give other programs.
const MARGIN_ELSEWHERE: f64 = 0.25;

/// Returns what decides how many instructions the same source takes besides itself.
fn counted_with() -> String {
    let said = |program: &str, arguments: &[&str]| {
        let run = Command::new(program).args(arguments).output();
        let said = run.map(|run| String::from_utf8_lossy(&run.stdout).trim().to_owned()).unwrap_or_default();
        if said.is_empty() { format!("unknown {program}") } else { said }
    };
    // Searches in texts use what the processor has.
    #[cfg(target_arch = "x86_64")]
    let vectors = if std::is_x86_feature_detected!("avx2") { " with avx2" } else { " without avx2" };
    #[cfg(not(target_arch = "x86_64"))]
    let vectors = "";
    let (rustc, library) = (said("rustc", &["--version"]), said("getconf", &["GNU_LIBC_VERSION"]));
    format!("{rustc}, {}{vectors}, {library}, {}", std::env::consts::ARCH, said("valgrind", &["--version"]))
}

/// Counts the instructions that the program takes to build a folder from nothing, without those of SHA-256, which only some
/// processors compute themselves.
fn instructions(folder: &Path) -> f64 {
    let count = folder.join("count");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", count.display()));
    command.arg(env!("CARGO_BIN_EXE_sitegen")).args(["build", "--quiet", "--root"]).arg(folder.join("site"));
    command.arg("--out").arg(folder.join("out"));
    // One thread, since threads that wait for work count too.
    let run = command.env("RAYON_NUM_THREADS", "1").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    own_instructions(&fs::read_to_string(count).unwrap(), |function| function.contains("sha2::"))
}

/// Returns the instructions in a file of callgrind but for those of some functions, without what these call.
fn own_instructions(count: &str, is_left_out: impl Fn(&str) -> bool) -> f64 {
    // A function has a number, and its name where it comes first. Lines of a function have a place and a number of instructions; those
    // after `calls=` count for what is called.
    let (mut left_out, mut is_out, mut is_call, mut sum) = (BTreeSet::new(), false, false, 0.0);
    for line in count.lines() {
        if let Some(function) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            let (number, name) = function.split_once(' ').unwrap_or((function, ""));
            if is_left_out(name) {
                left_out.insert(number);
            }
            if line.starts_with("fn=") {
                is_out = left_out.contains(number);
            }
        } else if line.starts_with("calls=") {
            is_call = true;
        } else if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            let own = line.split(' ').nth(1).filter(|_| !is_call && !is_out);
            sum += own.and_then(|own| own.parse::<f64>().ok()).unwrap_or_default();
            is_call = false;
        }
    }
    sum
}

/// Returns what is wrong with a count, given the lines of [`FIGURES`].
fn fault_of_count(count: f64, with: &str, figures: &str) -> Option<String> {
    let figures = figures.lines().filter_map(|line| line.split_once("  "));
    let mut figures = figures.filter_map(|(figure, with)| Some((figure.parse::<f64>().ok()?, with)));
    let own = figures.clone().find(|(_, own)| *own == with);
    let (figure, compared) = own.or_else(|| figures.by_ref().last())?;
    let margin = if own.is_some() { MARGIN } else { MARGIN_ELSEWHERE };
    let said = format!(
        "{count:.0} instructions, {:+.2} % of {figure:.0}, counted with {compared}",
        100.0 * (count / figure - 1.0)
    );
    println!("{said}");
    if own.is_none() {
        println!("here the tools are {with}; with BLESS=effort this test counts with them, and then compares closely");
    }
    (count > figure * (1.0 + margin)).then(|| {
        format!("{said}. Find what takes more with `valgrind --tool=callgrind`. If it is worth it, BLESS=effort writes the figure")
    })
}

#[test]
fn a_site_of_a_thousand_pages_takes_as_much_work_as_before() {
    let is_tested = Path::new(env!("CARGO_BIN_EXE_sitegen")).parent().is_some_and(|folder| folder.ends_with("tested"));
    if !is_tested {
        println!("skipped: the figures are for the profile `tested`");
        return;
    }
    if !can_count() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    corpus::write(&folder.path().join("site"), PAGES);
    let (count, with) = (instructions(folder.path()), counted_with());
    let figures = fs::read_to_string(FIGURES).unwrap_or_default();
    if std::env::var("BLESS").is_ok_and(|names| names.split(',').any(|name| name == "effort")) {
        let others = figures.lines().filter(|line| !line.starts_with('#') && !line.ends_with(&format!("  {with}")));
        let lines: String = others.map(|line| format!("{line}\n")).collect();
        fs::write(FIGURES, format!("{FIGURES_HEAD}{lines}{count:.0}  {with}\n")).unwrap();
        return;
    }
    assert!(!figures.is_empty(), "{FIGURES} is missing: BLESS=effort writes it");
    assert_eq!(fault_of_count(count, &with, &figures), None);
}

#[test]
fn more_work_than_before_is_a_fault() {
    let figures = format!("{FIGURES_HEAD}1000000  one\n2000000  other\n");
    for (count, with, is_fault) in [
        (1_029_000.0, "one", false),
        (1_031_000.0, "one", true),
        (900_000.0, "one", false),
        (2_059_000.0, "other", false),
        (2_061_000.0, "other", true),
        (2_499_000.0, "unknown", false),
        (2_501_000.0, "unknown", true),
    ] {
        assert_eq!(fault_of_count(count, with, &figures).is_some(), is_fault, "{count} {with}");
    }
}

#[test]
fn instructions_of_called_functions_and_of_those_left_out_do_not_count() {
    let count = "fn=(1) main\n10 5\n+1 7\ncfn=(2) sha2::compress\ncalls=1 20\n* 100\n\nfn=(2)\n20 90\ncfn=(3) memcpy\ncalls=2 30\n* 10\n\n\
        fn=(3)\n30 10\nfn=(1)\n-2 3\ntotals: 115\n";
    assert_eq!(own_instructions(count, |_| false), 115.0);
    assert_eq!(own_instructions(count, |name| name.contains("sha2::")), 25.0);
}
