//! Twice the content takes about twice the work, however hostile it is: no input makes time or memory of a build grow
//! with the square of its bytes.
//!
//! Work is counted in processor instructions, which do not depend on what else the machine does. Each case is built at
//! two sizes, the second twice the first. The additional work may be [`MOST_RATIO`] times what the first size takes
//! over an almost empty site: 1 is linear, 3 is quadratic. valgrind counts.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// The name of a case, the number of repetitions in its smallest site, and the files of that site.
type Case = (&'static str, usize, fn(usize) -> Vec<(String, String)>);

fn page(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.md".into(), format!("---\ntitle: A\n---\n{body}\n"))]
}

fn html(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.md".into(), format!("---\ntitle: A\nraw_html: true\n---\n{body}\n"))]
}

fn yaml(body: String) -> Vec<(String, String)> {
    vec![("content/pages/index.yaml".into(), format!("title: A\n{body}\n"))]
}

fn with_schema(body: String) -> Vec<(String, String)> {
    let schema = ("content/schemas/pages/page.schema.json".into(), SCHEMA.into());
    yaml(body).into_iter().chain([schema]).collect()
}

/// Returns the same text for each number below a limit.
fn each(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

const CASES: [Case; 35] = [
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
    ("references to a long text", 100, |n| {
        let site = format!("{SITE}long: {}\n", "x".repeat(40 * n));
        page("{{ site.long }}\n".repeat(n)).into_iter().chain([("content/site.yaml".into(), site)]).collect()
    }),
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
    ("headers", 500, |n| {
        let headers = each(n, |i| format!("    X-H{i}: a\n"));
        let site = format!("{SITE}settings:\n  headers:\n{headers}");
        page("a".into()).into_iter().chain([("content/site.yaml".into(), site)]).collect()
    }),
    ("names for examples", 1_000, |n| page("a.example@".repeat(n))),
    ("brackets", 4_000, |n| page("[".repeat(n))),
    ("images in images", 1_000, |n| page(format!("{}{}", "![".repeat(n), "](x)".repeat(n)))),
    ("emphasis", 2_000, |n| page("*a _b ".repeat(n))),
    ("ticks", 300, |n| page(each(n, |i| format!("{} ", "`".repeat(i % 60 + 1))))),
    ("mistakes of a drawing", 1_000, |n| {
        let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>", "<script/>\n".repeat(n));
        page("a".into()).into_iter().chain([("content/public/a.svg".into(), svg)]).collect()
    }),
];

fn page_and(more: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    page("a".into()).into_iter().chain(more).collect()
}

/// Returns the instructions that a build of a site takes, and the bytes of the site.
fn work(files: &[(String, String)]) -> (f64, f64) {
    let folder = tempfile::tempdir().unwrap();
    let fixed = [("content/site.yaml", SITE), ("templates/pages/page.html", TEMPLATE)]
        .map(|(path, text)| (path.to_owned(), text.to_owned()));
    let mut bytes = 0;
    for (path, text) in fixed.iter().chain(files) {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        bytes += text.len();
    }
    let log = folder.path().join("valgrind.log");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(format!("--log-file={}", log.display()));
    command.arg(env!("CARGO_BIN_EXE_sitegen")).args(["check", "--format", "short", "--root"]).arg(folder.path());
    // One thread, since threads that wait for work count too.
    let status = command.env("RAYON_NUM_THREADS", "1").stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    let log = fs::read_to_string(log).unwrap();
    let counted = log.lines().find_map(|line| line.split_once("Collected : ")).expect("a count").1;
    (counted.trim().parse().unwrap(), bytes as f64)
}

fn has_valgrind() -> bool {
    let is_installed =
        Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    assert!(is_installed || std::env::var_os("CI").is_none(), "valgrind is not installed");
    is_installed
}

#[test]
fn twice_the_content_takes_twice_the_work() {
    if !has_valgrind() {
        println!("passed over: valgrind is not installed");
        return;
    }
    let only = std::env::var("EFFORT").unwrap_or_default();
    let (empty, _) = work(&page("a".into()));
    let failed = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((name, count, files)) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if !name.contains(&only) {
                        continue;
                    }
                    let [one, two] = [1, 2].map(|times| work(&files(count * times)));
                    let (first, second) = (one.0 - empty, two.0 - one.0);
                    let per_byte = (two.0 - empty) / two.1;
                    let said = format!("{name}: {:.2} times the work, {per_byte:.0} a byte", second / first);
                    println!("{said}");
                    if second > MOST_RATIO * first.max(0.0) + SLACK || per_byte > MOST_PER_BYTE {
                        failed.lock().unwrap().push(said);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed:#?}");
}
