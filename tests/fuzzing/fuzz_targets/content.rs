//! Whatever an editor writes: a build ends with a site or with diagnostics at existing places, and a value never
//! becomes markup.
//!
//! `tests/fuzz` runs this. The first byte of an input selects where the rest of it is inserted.

#![no_main]

use libfuzzer_sys::fuzz_target;
use scraper::{Html, Node};
use sitegen::cache::Cache;
use sitegen::diagnostics::{Checked, Diagnostic, print};
use sitegen::profile::Profile;
use sitegen::sources::{Digest, Sources};
use sitegen::tools::{Bundled, Bundling, Files, Tools};
use std::sync::LazyLock;

const SITE: &str = "url: https://www.site.example\nlanguage: en\nname: Site\n";

const TEMPLATE: &str = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>T</title>\n\
    {{ json_ld(data={\"text\": page.text | default(value=\"\")}) }}\n</head>\n<body>\n<main>\n<h1>T</h1>\n\
    <p title=\"{{ page.text | default(value=\"\") }}\">{{ page.text | default(value=\"\") }}</p>\n\
    {{ island(component=\"Echo\", props={\"text\": page.text | default(value=\"\")}, hydrate=\"load\") }}\n\
    {{ page.content | default(value=\"\") }}\n</main>\n</body>\n</html>\n";

/// Replaces React and esbuild: an island that shows its props.
const PRERENDER: &str = "globalThis.prerender = (name, props) => '<p>' + JSON.parse(props).text.replace(/&/g, '&amp;').replace(/</g, '&lt;') + '</p>';";

/// Tools that do nothing.
#[derive(Default)]
struct NoTools(Cache);

impl Tools for NoTools {
    fn bundle(&self, bundling: &Bundling, _: &Files) -> Result<Bundled, Diagnostic> {
        let mut bundled = Bundled::default();
        if bundling.options.iter().any(|option| option == "--format=iife") {
            bundled.files.insert("prerender.js".into(), PRERENDER.into());
        } else if bundling.options.iter().any(|option| option == "--format=esm") {
            bundled.files.insert("Echo-1.js".into(), "export default 1".into());
            bundled.files.insert("loader-1.js".into(), "1".into());
            bundled.metafile = serde_json::json!({ "inputs": {}, "outputs": {
                "out/Echo-1.js": { "entryPoint": ".sitegen/entries/Echo.tsx", "imports": [] },
                "out/loader-1.js": { "entryPoint": "islands/runtime/loader.ts", "imports": [] },
            } });
        }
        Ok(bundled)
    }

    fn package_digest(&self, _: &str) -> Option<Digest> {
        None
    }

    fn package(&self, _: &str) -> Option<String> {
        None
    }

    fn cached(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }

    fn store_cached(&self, _: &Digest, _: &[u8]) {}

    fn cache(&self) -> &Cache {
        &self.0
    }
}

/// Builds a site with these files, and returns its page if there is one.
fn build(site: &[u8], page: &[u8], name: &str) -> Option<Html> {
    let sources = Sources::from_files([
        ("content/site.yaml", site),
        (name, page),
        ("templates/pages/page.html", TEMPLATE.as_bytes()),
        ("islands/Echo.tsx", b""),
        ("islands/runtime/loader.ts", b""),
        ("islands/runtime/mount.tsx", b""),
        ("islands/runtime/prerender.tsx", b""),
    ]);
    let Checked { value, diagnostics } = sitegen::build(&sources, &Profile::default(), &NoTools::default());
    assert!(value.is_some() || !diagnostics.is_empty());
    for each in &diagnostics {
        let place = each.place.as_ref().expect("a mistake of content has a place");
        if let (Some(text), Some(span)) = (sources.text(&place.path), place.span) {
            assert!(text.get(span.start..span.end).is_some(), "{each:?}");
        }
        let printed = print(each, false, &|path| sources.text(path));
        assert!(!printed.contains(['\u{1b}', '\0']), "a terminal would obey {printed:?}");
    }
    let artifacts = value?;
    Some(Html::parse_document(std::str::from_utf8(artifacts.get("index.html")?).unwrap()))
}

/// Returns every element with the names of its attributes.
fn structure(page: &Html) -> Vec<String> {
    let elements = page.tree.nodes().filter_map(|node| match node.value() {
        Node::Element(element) => {
            let names: Vec<&str> = element.attrs().map(|(name, _)| name).collect();
            Some(format!("{} {names:?}", element.name()))
        }
        Node::Comment(_) => Some("comment".to_owned()),
        _ => None,
    });
    elements.collect()
}

/// Returns a YAML text that is parsed as exactly this value.
fn quoted(value: &str) -> String {
    let escaped: String = value.chars().map(|letter| format!("\\U{:08x}", letter as u32)).collect();
    format!("\"{escaped}\"")
}

fn page_of(value: &str) -> String {
    format!("title: T\ntext: {}\n", quoted(value))
}

fuzz_target!(|data: &[u8]| {
    static HARMLESS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let page = build(SITE.as_bytes(), page_of("harmless").as_bytes(), "content/pages/index.yaml");
        structure(&page.expect("the harmless page is valid"))
    });
    let Some((kind, rest)) = data.split_first() else { return };
    let with = |before: &str| [before.as_bytes(), rest].concat();
    match kind % 10 {
        0 => drop(build(SITE.as_bytes(), &with("title: T\n"), "content/pages/index.yaml")),
        1 => drop(build(&with(SITE), b"title: T\n", "content/pages/index.yaml")),
        2 => drop(build(SITE.as_bytes(), &with("---\n"), "content/pages/index.md")),
        5 => drop(build(SITE.as_bytes(), &with("+++\ntitle = 'T'\n"), "content/pages/index.md")),
        6 => drop(build(SITE.as_bytes(), &with("{ \"title\": \"T\", \"text\": "), "content/pages/index.md")),
        7 => drop(build(SITE.as_bytes(), rest, "content/prices.csv")),
        9 => {
            let name = ["content/team.json", "content/team.toml", "content/team.yaml"][usize::from(kind / 10 % 3)];
            drop(build(SITE.as_bytes(), rest, name));
        }
        3 | 8 => {
            let Some(page) = build(SITE.as_bytes(), &with("---\ntitle: T\n---\n"), "content/pages/index.md") else {
                return;
            };
            let elements = structure(&page);
            for element in ["iframe", "base", "form", "style", "object", "embed", "svg"] {
                let start = format!("{element} ");
                assert!(!elements.iter().any(|element| element.starts_with(&start)), "{}", page.html());
            }
            assert_eq!(elements.iter().filter(|element| element.starts_with("script ")).count(), 2, "{}", page.html());
            assert!(
                !elements.iter().any(|element| element.contains("\"on") || element.contains("\"style")),
                "{}",
                page.html()
            );
        }
        _ => {
            let Ok(value) = std::str::from_utf8(rest) else { return };
            if let Some(page) = build(SITE.as_bytes(), page_of(value).as_bytes(), "content/pages/index.yaml") {
                assert_eq!(structure(&page), *HARMLESS, "{}", page.html());
            }
        }
    }
});
