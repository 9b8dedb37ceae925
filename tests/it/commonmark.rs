//! The examples of the CommonMark specification, each as a page with raw HTML allowed: a published page says what the
//! specification says, and any other is refused with a code from the table below.
//!
//! The examples come from the npm package `commonmark-spec`.

use scraper::{Html, Node};
use sitegen::content::address::Addresses;
use sitegen::content::assets::Assets;
use sitegen::content::dialect::Dialect;
use sitegen::content::markdown::{self, Context};
use sitegen::content::page_names::PageNames;
use sitegen::content::{FileRoutes, Order};
use sitegen::content::{typed, yaml};
use sitegen::diagnostics::{Severity, code};
use sitegen::paths::SourcePath;
use sitegen::profile::Profile;
use sitegen::sources::Sources;
use sitegen::tools::DiskTools;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The examples that are refused, by code. The examples link to pages and images that the site of the test does not
/// have; the other codes are about markup that nobody should publish.
#[rustfmt::skip]
const REFUSED: &[(&str, &[usize])] = &[
    ("active-html", &[170, 172, 173, 176, 178]),
    ("bad-address", &[346, 600]),
    ("broken-file", &[484]),
    ("broken-file unclosed-tag", &[31]),
    ("broken-link", &[22, 23, 32, 33, 192, 193, 196, 198, 200, 202, 205, 206, 214, 215, 216, 217, 218, 404, 419, 422, 433, 473, 474, 482, 483, 485, 486, 487, 489, 505, 506, 507, 509, 510, 512, 514, 515, 516, 521, 527, 528, 529, 530, 532, 533, 534, 535, 539, 540, 541, 542, 543, 544, 549, 550, 553, 554, 555, 556, 557, 558, 559, 560, 561, 562, 564, 565, 566, 567, 568, 570, 593]),
    ("broken-link empty-text unclosed-tag", &[21, 631]),
    ("broken-link markdown-link", &[518, 519]),
    ("broken-link missing-definition", &[569, 571]),
    ("broken-link unknown-asset", &[517, 531]),
    ("broken-section", &[501]),
    ("empty-text heading-skip", &[79]),
    ("empty-text relative-link unclosed-tag", &[476, 477, 630, 642, 643]),
    ("heading-skip", &[59, 71, 72, 73, 74, 77, 86, 89, 90, 91, 95, 96, 102, 103, 646, 647]),
    ("markdown-link", &[14, 41, 488, 490, 493, 497, 508, 511, 513]),
    ("markdown-link unclosed-tag", &[491, 494]),
    ("missing-definition", &[545]),
    ("missing-label", &[171]),
    ("relative-link", &[159, 162, 194, 195, 203, 204, 475, 492, 495, 496, 498, 499, 500, 502, 503, 504, 522]),
    ("relative-link unclosed-tag", &[187, 344]),
    ("stray-end-tag", &[148, 151, 165, 623]),
    ("unclosed-tag", &[150, 155, 156, 157, 158, 174, 175, 184, 201, 524, 536, 613, 614, 615, 616, 617]),
    ("unknown-asset", &[520, 572, 573, 574, 575, 576, 577, 578, 579, 580, 581, 582, 583, 584, 585, 586, 587, 588, 589, 591]),
    ("unsafe-address", &[598, 599, 601]),
];

/// The settings that read CommonMark alone.
const WITHOUT_EXTENSIONS: &str = "{ abbreviations: false, alerts: false, autolinks: false, comments: false, definition_lists: false, task_lists: false, toc: false }";

fn owned((markdown, html): (&str, &str)) -> (String, String) {
    (markdown.strip_prefix('\n').unwrap_or(markdown).to_owned(), html.to_owned())
}

struct Example {
    number: usize,
    markdown: String,
    html: String,
}

/// Reads the examples as the package's own `index.js` does.
fn examples() -> Vec<Example> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("node_modules/commonmark-spec/spec.txt");
    let text =
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}; run `npm ci`", path.display()));
    let text = text.split("\n<!-- END TESTS -->").next().unwrap_or_default().replace('→', "\t");
    let fence = "`".repeat(32);
    let (begin, end) = (format!("\n{fence} example\n"), format!("\n{fence}\n"));
    let parts = text.split(&begin).skip(1);
    // The Markdown or the HTML may be empty.
    let pairs = parts.filter_map(|part| format!("\n{}\n", part.split(&end).next()?).split_once("\n.\n").map(owned));
    pairs
        .enumerate()
        .map(|(index, (markdown, html))| Example {
            number: index + 1,
            markdown: format!("{markdown}\n"),
            html: format!("{html}\n"),
        })
        .collect()
}

/// Parses HTML like a browser, without what the engine adds on purpose: ids of headings, how images load, and
/// typographic punctuation. White space counts in `<pre>` only.
fn read(html: &str) -> Vec<String> {
    let page = Html::parse_document(&format!("<!doctype html><body>{html}"));
    let mut parts: Vec<String> = Vec::new();
    for node in page.tree.nodes() {
        let depth = node.ancestors().count();
        let is_verbatim =
            node.ancestors().any(|above| above.value().as_element().is_some_and(|above| above.name() == "pre"));
        match node.value() {
            Node::Element(element) => {
                let is_heading = matches!(element.name(), "h1" | "h2" | "h3" | "h4" | "h5" | "h6");
                let kept = element.attrs().filter(|(name, _)| match *name {
                    "id" => !is_heading,
                    "loading" | "decoding" => element.name() != "img",
                    _ => true,
                });
                let attributes: BTreeMap<&str, &str> = kept.collect();
                parts.push(format!("{depth} {} {attributes:?}", element.name()));
            }
            Node::Text(text) => {
                let plain = ["“", "”"].iter().fold(text.to_string(), |text, quote| text.replace(quote, "\""));
                let plain = plain.replace(['‘', '’'], "'").replace('…', "...").replace('—', "---").replace('–', "--");
                let words = if is_verbatim { plain } else { plain.split_whitespace().collect::<Vec<_>>().join(" ") };
                if !words.is_empty() {
                    parts.push(format!("{depth} {words:?}"));
                }
            }
            Node::Comment(comment) => parts.push(format!("{depth} <!--{}-->", &**comment)),
            _ => {}
        }
    }
    parts
}

/// Returns the words of a page, without its markup.
fn text(html: &str) -> String {
    let page = Html::parse_document(&format!("<!doctype html><body>{html}"));
    let text: String = page.root_element().text().collect();
    let plain = text.replace(['“', '”'], "\"").replace(['‘', '’'], "'").replace('…', "...");
    plain.replace('—', "---").replace('–', "--").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Renders an example. Returns `None` if the text alone has a mistake.
fn rendered(markdown: &str, raw_html: bool) -> Option<String> {
    let settings = yaml::parse(&SourcePath::new("site.yaml"), WITHOUT_EXTENSIONS, 0).expect("valid settings");
    render(markdown, raw_html, &typed::read(&settings))
}

/// Renders a text of a site with some extensions. Returns `None` if it has a mistake.
pub fn render(markdown: &str, raw_html: bool, dialect: &Dialect) -> Option<String> {
    let (path, assets, routes) = (SourcePath::new("content/pages/index.md"), Assets::default(), FileRoutes::default());
    let pictures = Default::default();
    let (names, order, hosts) = (PageNames::default(), Order::default(), Default::default());
    let addresses = Addresses {
        base_path: "",
        hosts: &hosts,
        assets: &assets,
        routes: &routes,
        pictures: &pictures,
        names: &names,
        order: &order,
        view: 0,
    };
    let (scope, language) = (Default::default(), "en");
    let (path, addresses) = (&path, &addresses);
    // The specification knows no colours.
    let context =
        Context { path, offset: 0, raw_html, scope, addresses, language, highlight: false, dialect, trace: None };
    let mut diagnostics = Vec::new();
    let rendered = markdown::render(markdown, &context, &mut diagnostics);
    diagnostics.iter().all(|each| each.severity == Severity::Warning).then_some(rendered.html)
}

/// Returns the codes that a page with this text is refused with.
fn refusals(markdown: &str, tools: &DiskTools) -> BTreeSet<&'static str> {
    let page = format!("---\ntitle: Example\nraw_html: true\n---\n{markdown}");
    let template = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Example</title>\n</head>\n\
                    <body>\n{{ page.content }}\n</body>\n</html>\n";
    let site = format!(
        "url: https://www.site.test\nlanguage: en\nname: Site\nsettings: {{ highlight: false, markdown: {WITHOUT_EXTENSIONS} }}\n"
    );
    let sources = Sources::from_files([
        ("content/site.yaml", site.as_str()),
        ("content/pages/index.md", page.as_str()),
        ("templates/pages/page.html", template),
    ]);
    let checked = sitegen::build(&sources, &Profile::default(), tools);
    // A definition that nothing uses is a warning.
    let errors = || checked.diagnostics.iter().filter(|each| each.severity != Severity::Warning);
    assert_eq!(checked.value.is_none(), errors().next().is_some(), "{markdown}: {:?}", checked.diagnostics);
    errors().map(|each| code(&each.problem)).collect()
}

/// Formats a table as it is written in this file.
fn shown(table: &BTreeMap<String, Vec<usize>>) -> String {
    table.iter().fold(String::new(), |mut text, (key, numbers)| {
        let _ = writeln!(text, "    ({key:?}, &{numbers:?}),");
        text
    })
}

#[test]
fn every_example_is_published_as_specified_or_refused_with_a_code() {
    let tools = DiskTools::of(Path::new(env!("CARGO_MANIFEST_DIR")));
    let examples = examples();
    assert_eq!(examples.len(), 652, "the examples were not understood");
    let mut refused: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut different: Vec<usize> = Vec::new();
    for Example { number, markdown, html } in &examples {
        let codes: Vec<&str> = refusals(markdown, &tools).into_iter().collect();
        if !codes.is_empty() {
            refused.entry(codes.join(" ")).or_default().push(*number);
        }
        // An example that is refused because of the rest of the site is rendered all the same.
        let ours = rendered(markdown, true);
        assert!(ours.is_some() || !codes.is_empty(), "example {number} has a mistake of its text alone");
        if let Some(ours) = ours.filter(|ours| read(ours) != read(html)) {
            println!("example {number}\n{markdown}\n--- specified\n{html}\n--- rendered\n{ours}");
            different.push(*number);
        }
    }
    let known: BTreeMap<String, Vec<usize>> =
        REFUSED.iter().map(|(codes, numbers)| (codes.to_string(), numbers.to_vec())).collect();
    assert_eq!(different, Vec::<usize>::new(), "examples come out differently; each is printed above");
    assert!(refused == known, "other examples are refused, or with other codes. Now these are:\n{}", shown(&refused));
}

#[test]
fn where_html_is_not_allowed_no_example_loses_text() {
    let mut rendered_examples = 0;
    for Example { number, markdown, html } in examples() {
        let Some(ours) = rendered(&markdown, false) else { continue };
        rendered_examples += 1;
        assert_eq!(text(&ours), text(&html), "example {number}\n{markdown}");
    }
    assert!(rendered_examples > 400, "{rendered_examples}");
}
