//! Properties that hold for every content: a build ends, reports places that exist, and never lets a value become
//! markup, script or a gap in the policy.
//!
//! Pages are read with the parser of a browser (`html5ever`), never with the engine's own scanner, which is itself
//! compared with it here. `PROPTEST_CASES` sets how many cases each property tries.

use crate::support::caching_tools::CachingTools;
use crate::support::size;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use scraper::{Html, Node, Selector};
use sitegen::artifacts::Artifacts;
use sitegen::diagnostics::{Checked, code, github, json_line, print, sarif, short};
use sitegen::edit::repairs::Repairs;
use sitegen::html;
use sitegen::profile::Profile;
use sitegen::sources::{self, Sources};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// As many cases as a property can try in a few seconds, and ten times as many in `tests/all`, unless the environment sets
/// another number.
fn cases(few: u32) -> ProptestConfig {
    let requested = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: requested.unwrap_or(size::sized(few, 10 * few)),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Parts of attacks, and values that break engines.
const ATTACKS: &[&str] = &[
    "\"",
    "'",
    "`",
    "<",
    ">",
    "&",
    "</",
    "/>",
    "=",
    "\\",
    "\u{0}",
    "\u{1}",
    "\u{1e}",
    "\u{1f}",
    "\t",
    "\n",
    "\r",
    "\u{b}",
    "\u{c}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{fffd}",
    "\u{202e}",
    "\u{10ffff}",
    "\u{e000}",
    "\u{e000}0\u{e001}",
    "\u{e001}",
    "\u{e002}",
    "\u{e003}",
    "\u{e002}Echo\u{1f}load\u{1f}{}\u{e003}",
    "&#xE002;Echo&#x1F;load&#x1F;{}&#xE003;",
    "&#xE002;",
    "&#57347;",
    "&#31;",
    "\u{e004}templates/pages/page.html:0\u{e005}",
    "\u{e005}",
    "<script>",
    "</script>",
    "<script",
    "<script src=//e.example>",
    "</style>",
    "<style>",
    "</title>",
    "</textarea>",
    "<img src=x onerror=alert(1)>",
    "\" onclick=\"alert(1)",
    "' onload='x",
    " style=\"x\"",
    "<iframe src=/>",
    "<base href=//e.example>",
    "<meta http-equiv=refresh content=0>",
    "<svg/onload=x>",
    "-->",
    "<!--",
    "]]>",
    "<![CDATA[",
    "<?xml",
    "javascript:alert(1)",
    "JaVa\tScRiPt:x",
    "data:text/html,x",
    "{{ ",
    "}}",
    "{%",
    "%}",
    "{#",
    "#}",
    "${x}",
    "&lt;",
    "&#60;",
    "&quot;",
    "&#x3c;script&#x3e;",
    "\\u003c",
    "\\\"",
    "%3Cscript%3E",
    "; script-src *",
    "'unsafe-inline'",
    "](",
    "[",
    ")",
    "*",
    "_",
    "|",
    "# ",
    "**",
    "$",
    "#",
    "?",
    "://",
    "a",
    "word",
    "é",
    "😀",
    " ",
];

fn value() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => select(ATTACKS).prop_map(str::to_owned),
        2 => "[a-z ]{1,8}",
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 1..8).prop_map(|pieces| pieces.concat())
}

/// Returns a YAML text that is parsed as exactly this value.
fn quoted(value: &str) -> String {
    let mut out = String::from("\"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            ' '..='~' => out.push(letter),
            _ => out.push_str(&format!("\\U{:08x}", letter as u32)),
        }
    }
    out + "\""
}

const SITE: &str = "url: https://www.site.example\nlanguage: en\nname: Site\nemail: a@site.example\n";

const PAGE: &str = r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{ page.text }}</title>
<meta name="description" content="{{ page.text }}">
{{ json_ld(data={"text": page.text, "list": [page.text]}) }}
</head>
<body data-text='{{ page.text }}'>
<main>
<h1>Title</h1>
<p id="text" title="{{ page.text }}">{{ page.text }}</p>
<textarea aria-label="Text">{{ page.text }}</textarea>
<p>{{ site.motto }}<br><a href="/?{{ site.safe }}">Link</a></p>
{{ page.content }}
</main>
</body>
</html>
"##;

const BODY: &str = "A {{ site.motto }}, **{{ site.motto }}**, [a {{ site.motto }} link](/), [b](/?{{ site.safe }} \"{{ site.motto }}\").\n\n\
    ## Heading {{ site.motto }}\n\n| a {{ site.motto }} |\n|---|\n| {{ site.motto }} |\n\n\
    ![a {{ site.motto }}](dot.png \"{{ site.motto }}\")\n\nx[^n]\n\n[^n]: {{ site.motto }}\n";

/// A picture of one pixel.
const DOT: &[u8] = include_bytes!("../sites/base-path/content/assets/oven.png");

/// Returns a site with one value everywhere a value can be.
fn site_of(text: &str, motto: &str) -> Sources {
    let site = format!("{SITE}safe: x\nmotto: {}\n", quoted(motto));
    let page = format!("---\ntitle: Title\ntext: {}\n---\n{BODY}", quoted(text));
    Sources::from_files([
        ("content/site.yaml", site.as_bytes()),
        ("content/pages/index.md", page.as_bytes()),
        ("content/assets/dot.png", DOT),
        ("templates/pages/page.html", PAGE.as_bytes()),
    ])
}

fn tools() -> &'static CachingTools {
    static TOOLS: LazyLock<CachingTools> = LazyLock::new(|| CachingTools::of(Path::new(env!("CARGO_MANIFEST_DIR"))));
    &TOOLS
}

fn build(sources: &Sources) -> Checked<Artifacts> {
    sitegen::build(sources, &Profile::default(), tools())
}

fn home(artifacts: &Artifacts) -> Html {
    Html::parse_document(std::str::from_utf8(artifacts.get("index.html").unwrap()).unwrap())
}

/// Returns every element with its depth and the names of its attributes, and every comment.
fn structure(page: &Html) -> Vec<String> {
    let mut shape = Vec::new();
    for node in page.tree.nodes() {
        let depth = node.ancestors().count();
        match node.value() {
            Node::Element(element) => {
                let names: BTreeSet<&str> = element.attrs().map(|(name, _)| name).collect();
                shape.push(format!("{depth} {} {names:?}", element.name()));
            }
            Node::Comment(_) => shape.push(format!("{depth} comment")),
            Node::ProcessingInstruction(_) => shape.push(format!("{depth} instruction")),
            _ => {}
        }
    }
    shape
}

fn policy(page: &Html) -> String {
    attribute(page, "meta[http-equiv=\"Content-Security-Policy\"]", "content")
}

/// The policy without the digests of styles, which are other styles for another value of a `style` attribute.
fn policy_without_styles(page: &Html) -> String {
    let policy = policy(page);
    let is_kept = |(directive, source): (&str, &str)| directive != "style-src" || !source.starts_with("'sha256-");
    let directives = policy.split(';').map(|directive| {
        let mut words = directive.split_whitespace();
        let name = words.next().unwrap_or_default();
        [name].into_iter().chain(words.filter(|word| is_kept((name, word)))).collect::<Vec<_>>().join(" ")
    });
    directives.collect::<Vec<_>>().join(";")
}

/// Returns what a page must have in common with the same page of a harmless value.
fn facts(artifacts: &Artifacts) -> (Vec<String>, String) {
    let page = home(artifacts);
    (structure(&page), policy(&page))
}

fn attribute(page: &Html, selector: &str, name: &str) -> String {
    let elements: Vec<_> = page.select(&Selector::parse(selector).unwrap()).collect();
    assert_eq!(elements.len(), 1, "{selector}");
    elements[0].attr(name).unwrap().to_owned()
}

fn text(page: &Html, selector: &str) -> String {
    let elements: Vec<_> = page.select(&Selector::parse(selector).unwrap()).collect();
    assert_eq!(elements.len(), 1, "{selector}");
    elements[0].text().collect()
}

/// Whether a value is published letter for letter: the HTML parser itself replaces line ends and control characters,
/// and the engine reserves the private-use characters with which it marks references and tags.
fn is_kept(value: &str) -> bool {
    let is_of_engine = |letter| matches!(letter, '\u{e000}' | '\u{e001}' | '\u{e004}' | '\u{e005}' | '\u{feff}');
    !value.chars().any(|letter| letter.is_control() || is_of_engine(letter))
}

/// Asserts that every diagnostic has a place that exists, and can be printed in every format.
fn check_reported(sources: &Sources, checked: &Checked<Artifacts>) -> Result<(), TestCaseError> {
    let text_of = |path: &sitegen::paths::SourcePath| sources.text(path);
    prop_assert!(checked.value.is_some() || !checked.diagnostics.is_empty());
    for each in &checked.diagnostics {
        let place = each.place.as_ref();
        prop_assert!(place.is_some(), "a mistake of content is reported as a failure of the tool: {each:?}");
        let place = place.unwrap();
        if let (Some(text), Some(span)) = (sources.text(&place.path), place.span) {
            prop_assert!(span.start <= span.end && span.end <= text.len(), "{each:?}");
            prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end), "{each:?}");
        }
        let printed = print(each, false, &text_of);
        let escapes: Vec<char> =
            printed.chars().filter(|letter| letter.is_control() && !"\n\t".contains(*letter)).collect();
        prop_assert!(escapes.is_empty(), "a terminal would obey {escapes:?} in {printed:?}");
        prop_assert!(!short(each, &text_of).contains('\n'));
        prop_assert!(!github(each, &text_of).contains('\n'), "a runner would obey the second line");
        let repair = Repairs::of(sources).find(each);
        if let Some(repair) = &repair {
            let (text, span) = (sources.text(&repair.place.path).unwrap(), repair.place.span.unwrap());
            prop_assert!(text.get(span.start..span.end).is_some_and(|old| old != repair.replacement), "{repair:?}");
        }
        let line = json_line(each, repair.as_ref(), None, &text_of);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok_and(|json| json.is_object()), "{line}");
    }
    let all: Vec<_> = checked.diagnostics.iter().map(|each| (each, Repairs::of(sources).find(each))).collect();
    prop_assert!(serde_json::from_str::<serde_json::Value>(&sarif(&all, &[], None, &text_of)).is_ok());
    Ok(())
}

fn check_value(text_value: &str, motto: &str) -> Result<bool, TestCaseError> {
    static HARMLESS: LazyLock<(Vec<String>, String)> = LazyLock::new(|| {
        let checked = build(&site_of("harmless", "harmless"));
        facts(&checked.value.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)))
    });
    LazyLock::force(&HARMLESS);
    let sources = site_of(text_value, motto);
    let checked = build(&sources);
    check_reported(&sources, &checked)?;
    let Some(artifacts) = checked.value else { return Ok(false) };
    let page = home(&artifacts);
    prop_assert_eq!(structure(&page), HARMLESS.0.as_slice());
    prop_assert_eq!(policy(&page), HARMLESS.1.as_str());
    if is_kept(text_value) && !text_value.contains("{{") {
        prop_assert_eq!(text(&page, "#text"), text_value);
        prop_assert_eq!(attribute(&page, "#text", "title"), text_value);
        prop_assert_eq!(attribute(&page, "body", "data-text"), text_value);
        prop_assert_eq!(text(&page, "title"), text_value);
        let data: serde_json::Value = serde_json::from_str(&text(&page, "script")).unwrap();
        prop_assert_eq!(&data["text"], text_value);
        prop_assert_eq!(&data["list"][0], text_value);
    }
    if is_kept(motto) && !motto.contains("{{") {
        prop_assert_eq!(attribute(&page, "img", "alt"), format!("a {motto}"));
        prop_assert_eq!(text(&page, "td"), motto);
    }
    Ok(true)
}

#[test]
fn each_attack_is_published_as_text() {
    for attack in ATTACKS {
        let published = check_value(attack, "harmless").unwrap_or_else(|error| panic!("{attack:?} as text: {error}"));
        // White space alone is an invalid title, and an open brace is a mistake; everything else is text like any
        // other.
        let is_text = !attack.contains("{{") && !attack.contains("}}") && !attack.trim().is_empty();
        let reported = || build(&site_of(attack, "harmless")).diagnostics;
        assert!(published || !is_text, "{attack:?} is refused: {:?}", reported());
        check_value("harmless", attack).unwrap_or_else(|error| panic!("{attack:?} as a reference: {error}"));
    }
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn no_value_becomes_markup(text in value(), motto in value()) {
        check_value(&text, &motto)?;
    }
}

const ECHO: &str = "export default function Echo({ text, list }: { text: string; list: string[] }) {\n\
    \x20 return <div style={{ width: 1, color: text, \"--x\": text } as object}><p id=\"echo\" title={text}>{text}</p><ul>{list.map((each, index) => <li key={index}>{each}</li>)}</ul></div>;\n\
    }\n";

/// A project with an island on disk, where esbuild finds it.
fn island_project() -> &'static (Sources, CachingTools) {
    static PROJECT: LazyLock<(Sources, CachingTools)> = LazyLock::new(|| {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join("properties");
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("islands/runtime")).unwrap();
        for file in std::fs::read_dir(repository.join("crates/islands/src/runtime")).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), root.join("islands/runtime").join(file.file_name())).unwrap();
        }
        std::fs::write(root.join("islands/Echo.tsx"), ECHO).unwrap();
        std::os::unix::fs::symlink(repository.join("node_modules"), root.join("node_modules")).unwrap();
        (sources::read(&root).value.unwrap(), CachingTools::of(&root))
    });
    &PROJECT
}

fn build_island(text: &str) -> (Sources, Checked<Artifacts>) {
    let (project, tools) = island_project();
    let template = PAGE.replace(
        "{{ page.content }}",
        "{{ island(component=\"Echo\", props={\"text\": page.text, \"list\": [page.text]}, hydrate=\"load\") }}",
    );
    let page = format!("title: Title\ntext: {}\n", quoted(text));
    let site = format!("{SITE}motto: none\nsafe: x\n");
    let own = [
        ("content/site.yaml", site.as_bytes()),
        ("content/pages/index.yaml", page.as_bytes()),
        ("templates/pages/page.html", template.as_bytes()),
    ];
    let islands = project.iter().map(|(path, source)| (path.as_str(), source.body.bytes().unwrap()));
    let sources = Sources::from_files(islands.chain(own));
    let checked = sitegen::build(&sources, &Profile::default(), tools);
    (sources, checked)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn no_prop_of_an_island_becomes_markup(value in value()) {
        static HARMLESS: LazyLock<(Vec<String>, String)> = LazyLock::new(|| {
            let (_, checked) = build_island("harmless");
            let page = home(&checked.value.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)));
            (structure(&page), policy_without_styles(&page))
        });
        LazyLock::force(&HARMLESS);
        let (sources, checked) = build_island(&value);
        check_reported(&sources, &checked)?;
        let Some(artifacts) = checked.value else { return Ok(()) };
        let page = home(&artifacts);
        prop_assert_eq!(structure(&page), HARMLESS.0.as_slice());
        prop_assert_eq!(policy_without_styles(&page), HARMLESS.1.as_str());
        if is_kept(&value) && !value.contains("{{") {
            prop_assert_eq!(text(&page, "#echo"), value.as_str());
            prop_assert_eq!(attribute(&page, "#echo", "title"), value.as_str());
            let props: serde_json::Value = serde_json::from_str(&attribute(&page, "[data-island]", "data-props")).unwrap();
            prop_assert_eq!(&props["text"], value.as_str());
            prop_assert_eq!(&props["list"][0], value.as_str());
        }
    }
}

/// One value in every filter and function that takes a text, beside one island.
const EVERYWHERE: &str = r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{ page.text }}</title>
{{ json_ld(data={"text": page.text}) }}
</head>
<body>
<main>
<h1>Title</h1>
<div class="written">{{ page.text | markdown }}</div>
<div class="written">{{ page.text | markdown(inline=true) }}</div>
<p>{{ page.text | json }} {{ page.text | upper | trim | replace(from="A", to=page.text) }}</p>
{{ inline_svg(path="dot.svg", class=page.text, title=page.text) }}
{{ island(component="Echo", props={"text": "fine", "list": []}, hydrate="load") }}
<div class="written">{{ page.content }}</div>
</main>
</body>
</html>
"##;

fn build_everywhere(text: &str) -> (Sources, Checked<Artifacts>) {
    let (project, tools) = island_project();
    let page = format!("---\ntitle: Title\ntext: {}\n---\n{text}\n", quoted(text));
    let in_xml: String =
        text.chars().filter(|letter| !letter.is_control() && !"<&\u{fffe}\u{ffff}".contains(*letter)).collect();
    let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><desc>{in_xml}</desc><path d=\"M0 0h8\"/></svg>");
    let own = [
        ("content/site.yaml", SITE.as_bytes()),
        ("content/pages/index.md", page.as_bytes()),
        ("content/assets/dot.svg", svg.as_bytes()),
        ("templates/pages/page.html", EVERYWHERE.as_bytes()),
    ];
    let islands = project.iter().map(|(path, source)| (path.as_str(), source.body.bytes().unwrap()));
    let sources = Sources::from_files(islands.chain(own));
    let checked = sitegen::build(&sources, &Profile::default(), tools);
    (sources, checked)
}

/// Returns the page without what Markdown wrote, and its policy without images, of which Markdown may have any.
fn frame(artifacts: &Artifacts) -> (Vec<String>, Vec<String>) {
    let page = home(artifacts);
    let is_written = |element: &scraper::node::Element| element.attr("class") == Some("written");
    let shape = page.tree.nodes().filter_map(|node| {
        let element = node.value().as_element()?;
        let is_inside = node.ancestors().any(|above| above.value().as_element().is_some_and(is_written));
        let names: BTreeSet<&str> = element.attrs().map(|(name, _)| name).collect();
        (!is_inside).then(|| format!("{} {names:?}", element.name()))
    });
    let policy = policy(&page);
    let directives = policy.split(';').map(|directive| directive.trim().to_owned());
    (shape.collect(), directives.filter(|directive| !directive.starts_with("img-src")).collect())
}

/// Returns whether it was published; then it is harmless.
fn check_everywhere(value: &str) -> Result<bool, TestCaseError> {
    static HARMLESS: LazyLock<(Vec<String>, Vec<String>)> = LazyLock::new(|| {
        let (_, checked) = build_everywhere("harmless");
        frame(&checked.value.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)))
    });
    LazyLock::force(&HARMLESS);
    let (sources, checked) = build_everywhere(value);
    check_reported(&sources, &checked)?;
    let Some(artifacts) = checked.value else { return Ok(false) };
    let page = home(&artifacts);
    let (shape, policy) = frame(&artifacts);
    prop_assert_eq!(&shape, &HARMLESS.0);
    prop_assert_eq!(&policy, &HARMLESS.1);
    prop_assert_eq!(attribute(&page, "[data-island]", "data-props"), "{\"text\":\"fine\",\"list\":[]}");
    prop_assert_eq!(text(&page, "[data-island] #echo"), "fine");
    let written = Selector::parse(".written *").unwrap();
    for element in page.select(&written).map(|element| element.value()) {
        let active = ["script", "style", "iframe", "object", "embed", "form", "svg", "base", "meta", "link", "math"];
        prop_assert!(!active.contains(&element.name()), "{element:?}");
        for (name, value) in element.attrs() {
            prop_assert!(!name.starts_with("on") && name != "style" && name != "srcdoc", "{element:?}");
            let scheme = ["href", "src"].contains(&name).then(|| scheme(value)).flatten();
            let allowed = ["https", "http", "mailto", "tel"];
            prop_assert!(scheme.is_none_or(|scheme| allowed.contains(&scheme.as_str())), "{element:?}");
        }
    }
    Ok(true)
}

#[test]
fn no_content_adds_or_breaks_an_island() {
    let marks = [
        "&#xE002;Echo&#x1F;load&#x1F;{}&#xE003;",
        "&#xE002;x&#xE003;",
        "&#57346;",
        "&#xe003;",
        "\u{e002}Echo\u{e003}",
        "\u{e003}",
        "[a](/ \"&#xE002;Echo&#x1F;load&#x1F;{}&#xE003;\")",
        "`\u{e002}`",
    ];
    for mark in marks {
        let is_published = check_everywhere(mark).unwrap_or_else(|error| panic!("{mark:?}: {error}"));
        assert!(is_published, "{mark:?} is refused: {:?}", build_everywhere(mark).1.diagnostics);
    }
    for attack in ATTACKS {
        check_everywhere(attack).unwrap_or_else(|error| panic!("{attack:?}: {error}"));
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_filter_turns_a_value_into_markup(value in value()) {
        check_everywhere(&value)?;
    }
}

const ADDRESSES: &[&str] = &[
    "javascript:",
    "JAVASCRIPT:",
    "java\tscript:",
    "java\nscript:",
    "\u{1}javascript:",
    " javascript:",
    "vbscript:",
    "data:text/html,",
    "data:image/png,",
    "blob:",
    "file:///",
    "https://",
    "http://",
    "https:/",
    "//",
    "/",
    "\\\\",
    "mailto:",
    "tel:",
    "a.example",
    "b.example:8443",
    "user@",
    "?q=",
    "#",
    "dot.png",
    "/",
    "alert(1)",
    ";",
    ",",
    " ",
    "*",
    "'self'",
    "'unsafe-inline'",
    "; script-src *",
    "%0a",
    "%00",
    "\r\n",
    "\"",
    "'",
    "<",
    ">",
    "&colon;",
    "&#58;",
    "[::1]",
    "..",
    "a",
];

/// Returns the scheme as browsers read it (WHATWG URL Standard, 4.4: leading controls and spaces are dropped, tabs and
/// line ends anywhere).
fn scheme(address: &str) -> Option<String> {
    let address: String = address
        .trim_start_matches(|letter: char| letter <= ' ')
        .chars()
        .filter(|letter| !matches!(letter, '\t' | '\n' | '\r'))
        .collect();
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    is_scheme.then(|| scheme.to_ascii_lowercase())
}

proptest! {
    #![proptest_config(cases(512))]

    #[test]
    fn no_address_runs_script_or_widens_the_policy(address in vec(select(ADDRESSES), 1..5)) {
        let address = address.concat();
        let template = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>T</title></head><body><main>\
            <h1>T</h1><a href=\"{{ page.address }}\">a</a><img src=\"{{ page.address }}\" alt=\"\">{{ page.content }}\
            </main></body></html>";
        let template_with_link = template.replace("<img src=\"{{ page.address }}\" alt=\"\">", "");
        let body = format!("[b](<{address}>) ![c](<{address}>)\n");
        // Each alone, since a refused one hides the result of the others.
        for (template, body) in [(template, ""), (template_with_link.as_str(), ""), (template_with_link.as_str(), &body)] {
            let in_template = if body.is_empty() { address.as_str() } else { "/" };
            let page = format!("---\ntitle: T\naddress: {}\n---\n{body}", quoted(in_template));
            let sources = Sources::from_files([
                ("content/site.yaml", SITE.as_bytes()),
                ("content/pages/index.md", page.as_bytes()),
                ("content/assets/dot.png", DOT),
                ("templates/pages/page.html", template.as_bytes()),
            ]);
            let checked = build(&sources);
            check_reported(&sources, &checked)?;
            let Some(artifacts) = checked.value else { continue };
            let page = home(&artifacts);
            for element in page.select(&Selector::parse("[href], [src]").unwrap()) {
                let address = element.attr("href").or(element.attr("src")).unwrap();
                // An image inside the page runs nothing, unlike an embedded page.
                let mut allowed = vec!["https", "http", "mailto", "tel", "sms"];
                if element.value().name() == "img" {
                    allowed.push("data");
                }
                let is_safe = scheme(address).is_none_or(|scheme| allowed.contains(&scheme.as_str()));
                prop_assert!(is_safe, "{address:?} is published");
            }
            for directive in policy(&page).split("; ") {
                let (name, rest) = directive.split_once(' ').unwrap();
                prop_assert!(
                    ["default-src", "img-src", "connect-src", "form-action", "base-uri"].contains(&name), "{directive}"
                );
                for source in rest.split(' ') {
                    let is_host = source.strip_prefix("https://").is_some_and(|host| {
                        !host.is_empty() && host.chars().all(|letter| letter.is_ascii_alphanumeric() || ".:-[]".contains(letter))
                    });
                    let is_allowed = match name {
                        "img-src" => source == "'self'" || source == "data:" || is_host,
                        "connect-src" => source == "https://www.site.example/robots.txt",
                        _ => source == "'none'",
                    };
                    prop_assert!(is_allowed, "{directive} for {address:?}");
                }
            }
        }
    }
}

const YAML: &[&str] = &[
    "a",
    "b: ",
    "title: x\n",
    "\n",
    "\n  ",
    "  ",
    " ",
    "- ",
    "\n- ",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "&a ",
    "*a",
    "|\n",
    ">-\n",
    "#",
    "# x\n",
    "---\n",
    "...\n",
    "!!str ",
    "!x ",
    "? ",
    "\t",
    "\u{feff}",
    "é",
    "😀",
    "\r\n",
    "\r",
    "<<: *a",
    "1.10",
    "007",
    "0x1F",
    "1e999",
    "no",
    "true",
    "null",
    "~",
    "2026-02-30",
    ".inf",
    "@",
    "`",
    "%YAML 1.2\n",
    "{{ site.name }}",
    "{{",
    "}}",
    "\\",
    "\\u00",
    "\u{0}",
    "\u{7}",
    "\u{2028}",
    "\u{85}",
    "draft: true\n",
    "publish: ",
    "expires: ",
    "template: ",
    "raw_html: true\n",
];

const MARKDOWN: &[&str] = &[
    "# ",
    "## ",
    "### ",
    "*",
    "**",
    "_",
    "`",
    "\n```\n",
    "```js",
    "[",
    "](",
    "][",
    ")",
    "![",
    "<b>",
    "</b>",
    "<td>",
    "<details open>",
    "</details>",
    "<a href=\"/\">",
    "</a>",
    "- [ ] ",
    "> [!NOTE]\n> ",
    "\n: ",
    "%%",
    "\n*[dot]: a dot\n",
    "dot",
    "[TOC]",
    "https://a.example/",
    "<script>",
    "<p ",
    "<!--",
    "-->",
    "<a@b.example>",
    "<https://a.example>",
    "|",
    "\n|a|b|\n|--:|:-:|\n",
    "\n",
    "\n\n",
    "> ",
    "- ",
    "1. ",
    "7) ",
    "    ",
    "\t",
    "[^1]",
    "[^1]: ",
    "\n\n[^1]: note\n",
    "[r]",
    "\n\n[r]: /\n",
    " {#id}",
    " {.c}",
    "{{ site.name }}",
    "{{ site.nope }}",
    "{{",
    "}}",
    "\\",
    "~~",
    "\n---\n",
    "===\n",
    "&amp;",
    "&#0;",
    "&lt;b&gt;",
    "&nope;",
    "javascript:x",
    "https://a.example/",
    "#id",
    "/",
    "dot.png",
    "\"t\"",
    "'",
    "...",
    "--",
    "\u{e000}0\u{e001}",
    "\u{e004}a:0\u{e005}",
    "\u{2028}",
    "\u{0}",
    "\r",
    "text",
    "é",
    "😀",
    "- [ ] ",
    "www.a.example",
];

fn soup(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop_oneof![
        6 => vec(select(pieces), 0..24).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
    ]
}

/// No input of a few hundred bytes may take this long, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

proptest! {
    #![proptest_config(cases(1024))]

    #[test]
    fn any_yaml_is_read_or_reported(page in soup(YAML), front in soup(YAML), entry in soup(YAML)) {
        let front = format!("---\n{front}\n---\ntext\n");
        for site in [SITE.to_owned(), format!("{SITE}{page}")] {
            let sources = Sources::from_files([
                ("content/site.yaml", site.as_bytes()),
                ("content/pages/index.yaml", page.as_bytes()),
                ("content/pages/front.md", front.as_bytes()),
                ("content/things/entry.yaml", entry.as_bytes()),
                ("templates/pages/page.html", b"<html lang=en><head><title>T</title></head>{{ collections }}</html>"),
            ]);
            let start = Instant::now();
            let checked = build(&sources);
            prop_assert!(start.elapsed() < PATIENCE);
            check_reported(&sources, &checked)?;
        }
    }

    #[test]
    fn any_bytes_are_read_or_reported(page in vec(any::<u8>(), 0..64), body in vec(any::<u8>(), 0..64)) {
        let body = [b"---\ntitle: T\n---\n", &body[..]].concat();
        let sources = Sources::from_files([
            ("content/site.yaml", SITE.as_bytes()),
            ("content/pages/index.yaml", &page[..]),
            ("content/pages/body.md", &body[..]),
            ("templates/pages/page.html", b"<html lang=en><head><title>T</title></head></html>"),
        ]);
        check_reported(&sources, &build(&sources))?;
    }

    #[test]
    fn any_markdown_becomes_valid_html(body in soup(MARKDOWN)) {
        const ELEMENTS: &[&str] = &[
            "abbr", "html", "head", "meta", "title", "body", "main", "p", "h1", "h2", "h3", "h4", "h5", "h6", "em", "strong", "del", "code", "pre",
            "blockquote", "ul", "ol", "li", "a", "img", "br", "hr", "div", "table", "thead", "tbody", "tr", "th", "td", "sup", "section", "label", "input", "b", "details", "dl", "dt", "dd",
        ];
        const ATTRIBUTES: &[&str] = &[
            "lang", "charset", "http-equiv", "content", "id", "class", "href", "title", "src", "alt", "loading", "decoding", "tabindex",
            "start", "scope", "role", "aria-label", "aria-labelledby", "type", "disabled", "checked", "open",
        ];
        let page = format!("---\ntitle: T\n---\n{body}");
        let sources = Sources::from_files([
            ("content/site.yaml", SITE.as_bytes()),
            ("content/pages/index.md", page.as_bytes()),
            ("content/assets/dot.png", DOT),
            ("templates/pages/page.html", b"<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>T</title></head><body><main>{{ page.content }}</main></body></html>"),
        ]);
        let start = Instant::now();
        let checked = build(&sources);
        prop_assert!(start.elapsed() < PATIENCE);
        check_reported(&sources, &checked)?;
        let Some(artifacts) = checked.value else { return Ok(()) };
        let page = home(&artifacts);
        // Control characters are errors to a validator and nothing to a browser.
        let is_plain = body.chars().all(|letter| !letter.is_control() || letter.is_whitespace()) && !body.contains("&#");
        prop_assert!(page.errors.is_empty() || !is_plain, "{:?}: {}", page.errors, page.html());
        for node in page.tree.nodes() {
            let Some(element) = node.value().as_element() else { continue };
            // The parts of highlighted code.
            let is_part = element.name() == "span" && element.classes().all(|class| class.starts_with("hl-"));
            prop_assert!(is_part || ELEMENTS.contains(&element.name()), "<{}>: {}", element.name(), page.html());
            for (name, _) in element.attrs() {
                prop_assert!(ATTRIBUTES.contains(&name), "{name}=: {}", page.html());
            }
        }
    }
}

#[test]
fn long_and_deep_input_is_bounded() {
    let long = |piece: &str| piece.repeat(100_000 / piece.len());
    for piece in MARKDOWN
        .iter()
        .chain(YAML)
        .chain(ATTACKS)
        .chain(&["> > ", "- - ", "[[", "![![", "<!--<", "a.", "((", "*a_", "[a](b", "|a"])
    {
        let page = format!("---\ntitle: T\n---\n{}", long(piece));
        let yaml = format!("title: T\ntext: {}", long(piece));
        let sources = Sources::from_files([
            ("content/site.yaml", SITE.as_bytes()),
            ("content/pages/index.md", page.as_bytes()),
            ("content/pages/yaml.yaml", yaml.as_bytes()),
            ("templates/pages/page.html", b"<html lang=en><head><title>T</title></head>{{ page.content }}</html>"),
        ]);
        let start = Instant::now();
        let checked = build(&sources);
        let took = start.elapsed();
        assert!(took < PATIENCE, "100 KB of {piece:?} take {took:?}");
        assert!(checked.value.is_some() || !checked.diagnostics.is_empty());
    }
    for piece in HTML {
        let start = Instant::now();
        let text = long(piece);
        for token in html::tokens(&text) {
            if let html::Token::Start(tag) = token {
                let _ = tag.attributes().count();
            }
        }
        let took = start.elapsed();
        assert!(took < PATIENCE, "100 KB of {piece:?} take {took:?}");
    }
}

/// Parts of pages. `<xmp>` and `<plaintext>`, which are obsolete and have states of their own, are left out; `<noscript>` is
/// read as by a browser without scripts, whose visitors are the ones who see it.
const HTML: &[&str] = &[
    "<p>",
    "</p>",
    "<p",
    " class",
    "=",
    "\"",
    "'",
    ">",
    "/>",
    "</",
    "<",
    " ",
    "\n",
    "/",
    "a",
    "B",
    "é",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!doctype html>",
    "<?x?>",
    "<script>",
    "</script>",
    "</SCRIPT >",
    "<script",
    "</script",
    "--",
    "<iframe>",
    "</iframe>",
    "<noscript>",
    "</noscript>",
    "<style>",
    "</style>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<img src=x>",
    "<a href='/x?a=1&amp;b=2#y' id=z>",
    "</a>",
    "<A HREF = \"x\">",
    "<br/>",
    "<p a a=1>",
    "<p =x>",
    "<p a=\"b\"c=d>",
    "&amp;",
    "&lt;",
    "&#60;",
    "&#x3C;",
    "&quot;",
    "&nbsp;",
    "& ",
    "<1",
    "</1>",
    "</ p>",
    "<p\n\tid = x\u{c}y>",
    "<div data-x=\"a > b\">",
    "</scripty>",
    "<svg viewBox='0 0 1 1'/>",
];

/// A token in a form that both tokenizers share: tag and attribute names in lower case, the first of equal attributes,
/// adjacent texts joined.
#[derive(Debug, PartialEq)]
enum Piece {
    Start(String, Vec<(String, String)>),
    End(String),
    Text(String),
}

fn joined(pieces: impl IntoIterator<Item = Piece>) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        match (all.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => all.push(piece),
        }
    }
    all.retain(|piece| *piece != Piece::Text(String::new()));
    all
}

fn ours(page: &str) -> Vec<Piece> {
    let mut raw = false;
    let pieces = html::tokens(page).map(|token| match token {
        html::Token::Start(tag) => {
            raw = tag.is("script") || tag.is("style") || tag.is("iframe");
            let mut attributes: Vec<(String, String)> = Vec::new();
            for attribute in tag.attributes() {
                let name = attribute.name.to_ascii_lowercase();
                if !attributes.iter().any(|(other, _)| *other == name) {
                    attributes.push((name, attribute.value.into_owned()));
                }
            }
            Piece::Start(tag.name.to_ascii_lowercase(), attributes)
        }
        html::Token::End(name) => {
            raw = false;
            Piece::End(name.to_ascii_lowercase())
        }
        html::Token::Text(text) if raw => Piece::Text(text.to_owned()),
        html::Token::Text(text) => Piece::Text(html::decode(text).into_owned()),
    });
    joined(pieces)
}

/// Collects the tokens of `html5ever`, and tells it which elements have raw text, as its tree builder does.
#[derive(Default)]
struct Collect(RefCell<Vec<Piece>>);

impl TokenSink for Collect {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(tag) => {
                let name = tag.name.to_string();
                let raw = match (tag.kind, name.as_str()) {
                    (TagKind::StartTag, "script") => Some(RawKind::ScriptData),
                    (TagKind::StartTag, "style" | "iframe") => Some(RawKind::Rawtext),
                    (TagKind::StartTag, "title" | "textarea") => Some(RawKind::Rcdata),
                    _ => None,
                };
                self.0.borrow_mut().push(match tag.kind {
                    TagKind::StartTag => {
                        let attributes = tag.attrs.iter();
                        let attributes = attributes.map(|each| (each.name.local.to_string(), each.value.to_string()));
                        Piece::Start(name, attributes.collect())
                    }
                    TagKind::EndTag => Piece::End(name),
                });
                raw.map_or(TokenSinkResult::Continue, TokenSinkResult::RawData)
            }
            Token::CharacterTokens(text) => {
                self.0.borrow_mut().push(Piece::Text(text.to_string()));
                TokenSinkResult::Continue
            }
            _ => TokenSinkResult::Continue,
        }
    }
}

fn theirs(page: &str) -> Vec<Piece> {
    let tokenizer =
        Tokenizer::new(Collect::default(), TokenizerOpts { discard_bom: false, ..TokenizerOpts::default() });
    let input = BufferQueue::default();
    input.push_back(StrTendril::from(page));
    let _ = tokenizer.feed(&input);
    tokenizer.end();
    joined(tokenizer.sink.0.into_inner())
}

proptest! {
    #![proptest_config(cases(20_000))]

    #[test]
    fn our_tokens_are_those_of_a_browser(pieces in vec(select(HTML), 0..16)) {
        // Browsers drop a tag that the page's end cuts off; it does no harm that we see it.
        let page = format!("{}x\"'>--><p></p></script></style></title></textarea></iframe>", pieces.concat());
        prop_assert_eq!(ours(&page), theirs(&page));
    }
}

#[test]
fn our_tokens_of_the_site_itself_are_those_of_a_browser() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let checked = sitegen::build(&sources::read(root).value.unwrap(), &Profile::default(), tools());
    let codes: Vec<_> = checked.diagnostics.iter().map(|each| code(&each.problem)).collect();
    let artifacts = checked.value.unwrap_or_else(|| panic!("{codes:?}"));
    let mut count = 0;
    for (path, bytes, kind) in artifacts.iter() {
        if kind == "text/html" {
            let page = std::str::from_utf8(bytes).unwrap();
            assert_eq!(ours(page), theirs(page), "{path}");
            count += 1;
        }
    }
    assert!(count >= 5, "only {count} pages");
}
