//! The reference of templates, `docs/content/pages/reference/templates.md`: every example gives what stands beside it, and every name that templates
//! can call has one.

use crate::support::no_tools::NoTools;
use sitegen::content;
use sitegen::islands::Islands;
use sitegen::pages::{self, Inputs};
use sitegen::profile::Profile;
use sitegen::sources::Sources;
use sitegen::styles::Styles;
use sitegen::templates::callables::{FILTERS, FUNCTIONS, TESTS};
use std::fs;
use std::path::Path;

const LOAF: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><path d=\"M0 0h4v4z\"/></svg>";

/// An example and what it gives. A `…` in that stands for any text.
struct Example {
    code: String,
    gives: String,
}

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// Returns the examples of the reference: "`code` gives `result`", with a line break before the result at most.
fn examples(text: &str) -> Vec<Example> {
    let items = text.split("\n- ").flat_map(|item| item.split("\n  - ").map(str::to_owned).collect::<Vec<_>>());
    let examples = items.filter_map(|item| {
        let (code, rest) = item.strip_prefix('`')?.split_once('`')?;
        let gives = rest.trim_start().strip_prefix("gives")?.trim_start().strip_prefix('`')?.split_once('`')?.0;
        Some(Example { code: code.to_owned(), gives: gives.to_owned() })
    });
    examples.collect()
}

fn is_like(found: &str, pattern: &str) -> bool {
    match pattern.split_once('…').filter(|_| pattern.contains("=\"") || pattern.contains('/') || pattern.contains('<'))
    {
        Some((start, _)) => found.starts_with(start),
        None => found == pattern,
    }
}

/// Renders a page of one example, and returns what the example gives or why it fails.
fn rendered(page: &str, code: &str) -> Result<String, String> {
    let parent = "<html>[{% block extra %}baked{% endblock %}]{% block rest %}{% endblock %}";
    let child = match code.contains("{% block extra %}") {
        true => format!("{{% extends \"parent.html\" %}}{code}"),
        false => format!("<html>[{code}]"),
    };
    let sources = Sources::from_files([
        (
            "content/site.yaml",
            "url: https://www.bakery.test\nlanguage: en\nname: Ada\nsettings:\n  search: true\n  connections:\n    \
             newsletter: { origin: \"https://lists.test\", for: fetch, why: Sends news. }\n"
                .as_bytes(),
        ),
        ("content/pages/index.yaml", page.as_bytes()),
        ("content/assets/loaf.svg", LOAF.as_bytes()),
        ("content/assets/loaf.png", include_bytes!("../sites/base-path/content/assets/oven.png")),
        ("content/breads/miche.yaml", b"name: Miche\ntags: [rye, large]\n"),
        ("content/breads/pumpernickel.yaml", b"name: Pumpernickel\ntags: [rye]\n"),
        (
            "content/pages/breads/[slug].yaml",
            b"for_each: breads\ntitle: \"{{ entry.name }}\"\ntemplate: pages/bread.html\n",
        ),
        ("templates/pages/bread.html", b"<html>"),
        ("templates/social/card.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\"/>"),
        ("templates/parent.html", parent.as_bytes()),
        ("templates/pages/page.html", child.as_bytes()),
    ]);
    let (tools, profile) = (NoTools::default(), Profile::default());
    let site = content::resolve(&sources, &profile, &tools);
    let site = site.value.unwrap_or_else(|| panic!("{:?}", site.diagnostics));
    let mut styles = Styles::default();
    styles.css = "main{color:red}".to_owned();
    let mut islands = Islands::default();
    islands.modules.insert("Counter".to_owned(), vec!["/assets/counter.js".to_owned()]);
    let inputs = Inputs {
        sources: &sources,
        profile: &profile,
        site: &site,
        view: site.main(),
        styles: &styles,
        islands: &islands,
        tools: &tools,
    };
    let pages = pages::render(inputs);
    let Some(pages) = pages.value else { return Err(format!("{:?}", pages.diagnostics)) };
    let home = pages.all.iter().find(|page| page.route.as_str() == "/").unwrap();
    let html = home.html.text().unwrap();
    let (_, inner) = html.split_once("<html>[").ok_or("the page is cut")?;
    Ok(inner.rsplit_once(']').map_or(inner, |(inner, _)| inner).to_owned())
}

#[test]
fn every_example_gives_what_stands_beside_it() {
    assert!(rendered_examples("templates.md") > 90);
}

#[test]
fn every_line_of_the_reference_card_gives_what_stands_beside_it() {
    assert!(rendered_examples("card.md") > 30);
}

/// Renders every example of a page of the reference, and returns how many it has.
fn rendered_examples(name: &str) -> usize {
    let reference = file(&format!("docs/content/pages/reference/{name}"));
    let page = reference.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let examples = examples(&reference);
    let wrong: Vec<String> = examples
        .iter()
        .filter_map(|Example { code, gives }| match rendered(page, code) {
            Ok(found) if is_like(&found, gives) => None,
            Ok(found) => Some(format!("{code}\n  gives `{found}`\n  and not `{gives}`")),
            Err(error) => Some(format!("{code}\n  fails: {error}")),
        })
        .collect();
    let written = reference.matches("` gives").count();
    assert_eq!(examples.len(), written, "examples that were found, and those that are there");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    written
}

#[test]
fn every_name_that_templates_can_call_has_an_example() {
    let examples = examples(&file("docs/content/pages/reference/templates.md"));
    let is_shown = |before: &str, name: &str| {
        let call = format!("{before}{name}");
        examples.iter().any(|example| {
            example.code.match_indices(&call).any(|(at, _)| {
                !example.code[at + call.len()..].starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
            })
        })
    };
    let mut count = 0;
    for (list, before) in [(FILTERS, "| "), (TESTS, "is "), (FUNCTIONS, " ")] {
        for name in list.iter().map(|callable| callable.name) {
            assert!(is_shown(before, name), "`{name}` has no example in docs/content/pages/reference/templates.md");
            count += 1;
        }
    }
    assert!(count > 70, "only {count} names were found");
}

#[test]
fn a_date_has_the_language_of_its_page() {
    let code = "{{ page.day | date(format=\"%-d %B\") }}";
    assert_eq!(rendered("title: A\nday: 2025-05-01\nlanguage: de\n", code).unwrap(), "1 Mai");
    assert_eq!(rendered("title: A\nday: 2025-05-01\n", code).unwrap(), "1 May");
    assert!(rendered("title: A\nday: 2025-05-01\nlanguage: tlh\n", code).unwrap_err().contains("`tlh`"));
}

#[test]
fn groups_come_in_the_order_in_which_their_values_occur() {
    let years: Vec<String> = (0..40).map(|number| (2000 + number * 7 % 40).to_string()).collect();
    let page: String = years.iter().map(|year| format!("  - {{ year: {year} }}\n")).collect();
    let code = "{% for year, posts in page.posts | group_by(attribute=\"year\") %}{{ year }} {% endfor %}";
    assert_eq!(rendered(&format!("title: A\nposts:\n{page}"), code).unwrap().trim_end(), years.join(" "));
}

#[test]
fn no_format_ends_the_build_otherwise_than_with_an_error() {
    for spec in ["}", "{", "{}", ">>>", "99999999999", "é^5", "#?", "0", ".", "+.", "*<", "x", ":", "\\", "%"] {
        let _ = rendered("title: A\n", &format!("{{{{ 1.5 | format(spec=\"{spec}\") | safe }}}}"));
        let _ = rendered("title: A\n", &format!("{{{{ \"é\" | format(spec=\"{spec}\") | safe }}}}"));
    }
    assert!(rendered("title: A\n", "{{ \"a\" is matching(pat=\"(\") }}").is_err());
}

#[test]
fn names_of_other_template_languages_lead_to_ours() {
    for (code, instead) in [
        ("{{ now() }}", "put the date in the content"),
        ("{{ page.title | slice(end=1) }}", "list[0:3]"),
        ("{{ page.title | slugfy }}", "did you mean `slugify`?"),
        ("{{ relatd() }}", "did you mean `related`?"),
    ] {
        let error = rendered("title: A\n", code).unwrap_err();
        assert!(error.contains(instead), "{error}");
    }
}
