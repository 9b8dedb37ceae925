//! What pages may talk to: each page's policy names what the page itself uses, whatever is declared and whatever its
//! fields say. The site of `docs/content/pages/guides/connections.md` and its messages are those of a build.

use crate::support::generated;
use crate::support::no_tools::NoTools;
use sitegen::artifacts::Artifacts;
use sitegen::diagnostics::{Checked, Severity, code, message};
use sitegen::profile::Profile;
use sitegen::sources::Sources;
use sitegen::tools::DiskTools;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn build(files: &BTreeMap<String, String>) -> Checked<Artifacts> {
    let sources = Sources::from_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    sitegen::build(&sources, &Profile::default(), &NoTools::default())
}

fn document() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/content/pages/guides/connections.md"))
        .unwrap()
}

fn files_of(document: &str) -> BTreeMap<String, String> {
    let lines: Vec<&str> = document.lines().collect();
    let file = |at: usize| {
        let path = lines[at].strip_prefix('`')?.strip_suffix("`:")?;
        assert!(lines[at + 2].starts_with("```"), "{path} is followed by its text");
        let text = lines[at + 3..].iter().take_while(|line| **line != "```");
        Some((path.to_owned(), text.map(|line| format!("{line}\n")).collect()))
    };
    (0..lines.len()).filter_map(file).collect()
}

/// The styles that a document gives first.
fn style_of(document: &str) -> &str {
    document.split_once("```css\n").unwrap().1.split("```").next().unwrap()
}

fn policy(site: &Artifacts, path: &str) -> String {
    let html = String::from_utf8(site.get(path).unwrap_or_else(|| panic!("no {path}")).to_vec()).unwrap();
    let (_, after) = html.split_once("<meta http-equiv=\"Content-Security-Policy\" content=\"").unwrap();
    after.split('"').next().unwrap().to_owned()
}

#[test]
fn the_form_of_the_document_goes_where_it_says() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = std::fs::read_to_string(project.join("docs/content/pages/guides/forms.md")).unwrap();
    let mut files = files_of(&document);
    let template = "templates/components/delivered-form/delivered-form.html";
    assert_eq!(files[template], std::fs::read_to_string(project.join(template)).unwrap(), "copy {template}");
    files.insert("templates/styles/main.css".to_owned(), style_of(&document).to_owned());
    // What the guide says that a project has.
    let page = "<!doctype html>\n<html lang=\"{{ page.language }}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ page.title }}\
                </title>\n{{ styles() }}\n</head>\n<body>\n<main>\n<h1>{{ page.title }}</h1>\n{% block main %}{{ page.content }}\
                {% endblock %}\n<p><a href=\"{{ url(path=\"/order\") }}\">Order</a></p>\n</main>\n</body>\n</html>\n";
    files.insert("templates/pages/page.html".to_owned(), page.to_owned());
    files.insert("content/pages/index.md".to_owned(), "---\ntitle: The Bakery\n---\nBread.\n".to_owned());
    let build = |files: &BTreeMap<String, String>| {
        let sources = Sources::from_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
        sitegen::build(&sources, &Profile::default(), &DiskTools::of(project))
    };
    let site = build(&files);
    assert!(site.diagnostics.is_empty(), "{:?}", site.diagnostics);
    let site = site.value.unwrap();
    let opened = policy(&site, "order.html");
    assert!(
        opened.contains("; connect-src https://orders.bakery.test https://www.bakery.test/robots.txt;"),
        "{opened}"
    );
    assert!(opened.contains("; form-action https://orders.bakery.test https://www.bakery.test/ordered;"), "{opened}");
    let closed =
        "default-src 'none'; connect-src https://www.bakery.test/robots.txt; form-action 'none'; base-uri 'none'";
    // All pages share the stylesheet.
    let thanks = policy(&site, "ordered.html");
    let others: Vec<&str> = thanks.split("; ").filter(|part| !part.starts_with("style-src 'sha256-")).collect();
    assert_eq!(others.join("; "), closed);

    // Each of these is reported at its line.
    let order = "content/forms/order.yaml";
    for (from, to, expected) in [
        ("to: https://orders.bakery.test/new", "to: https://orders.test/new", "form-target"),
        ("success: /ordered", "success: /orderd", "broken-link"),
        ("connection: orders", "connection: order", "unknown-connection"),
        ("too_large: ", "too_larg: ", "island-props"),
        ("This is missing: {label}", "This is missing: {lable}", "island-props"),
        ("{label} must be one of {types}", "{label} must be one of {size}", "island-props"),
        ("    sending: Sending …\n", "", "missing-key"),
        ("choices: [Rye, Spelt, Wheat], ", "", "missing-key"),
        ("type: file, ", "", "missing-key"),
        ("type: file, ", "type: text, ", "not-a-choice"),
    ] {
        let mut wrong = files.clone();
        assert!(wrong[order].contains(from));
        wrong.insert(order.to_owned(), files[order].replace(from, to));
        let site = build(&wrong);
        assert!(site.value.is_none());
        let found = site.diagnostics.iter().find(|each| code(&each.problem) == expected);
        let found = found.unwrap_or_else(|| panic!("{expected}: {:?}", site.diagnostics));
        let place = found.place.as_ref().unwrap();
        assert!(place.path.as_str() == order && place.span.is_some(), "{found:?}");
    }

    // The island gets what the file says, and texts about files can be left out where there is no field for one.
    let mut json = files.clone();
    let is_of_files = |line: &&str| {
        ["type: file", "too_large:", "wrong_type:", "refused_size:"].iter().any(|part| line.contains(part))
    };
    let text: Vec<&str> = files[order].lines().filter(|line| !is_of_files(line)).collect();
    json.insert(order.to_owned(), text.join("\n").replace("  success:", "  as: json\n  seconds: 5\n  success:"));
    let site = build(&json);
    assert!(site.diagnostics.is_empty(), "{:?}", site.diagnostics);
    let html = String::from_utf8(site.value.unwrap().get("order.html").unwrap().to_vec()).unwrap();
    let props: serde_json::Value = scraper::Html::parse_document(&html)
        .select(&scraper::Selector::parse("[data-props]").unwrap())
        .map(|island| serde_json::from_str(island.attr("data-props").unwrap()).unwrap())
        .next()
        .unwrap();
    assert_eq!((&props["as"], &props["seconds"]), (&"json".into(), &5.into()), "{props}");

    // Netlify's build bot reads these from the HTML (docs.netlify.com/manage/forms/setup).
    let mut netlify = files.clone();
    let text = files[order].replace("  to: https://orders.bakery.test/new\n", "  as: netlify\n");
    netlify.insert(order.to_owned(), text);
    let text = files["content/site.yaml"].replace("origin: https://orders.bakery.test", "origin: self");
    netlify.insert("content/site.yaml".to_owned(), text);
    let site = build(&netlify);
    assert!(site.diagnostics.is_empty(), "{:?}", site.diagnostics);
    let site = site.value.unwrap();
    let html = String::from_utf8(site.get("order.html").unwrap().to_vec()).unwrap();
    let page = scraper::Html::parse_document(&html);
    let select = |selector: &str| page.select(&scraper::Selector::parse(selector).unwrap()).count();
    assert_eq!(
        select("form[name=order][data-netlify=true][netlify-honeypot=website][action='/ordered'][method=post]"),
        1
    );
    assert_eq!(select("form input[type=hidden][name=form-name][value=order]"), 1);
    assert_eq!(select("form input[name=website]"), 1);
    let opened = policy(&site, "order.html");
    assert!(opened.contains("connect-src 'self' ") && opened.contains("; form-action 'self';"), "{opened}");
}

#[test]
fn the_form_of_the_document_takes_the_place_of_the_one_of_the_starter() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let document = std::fs::read_to_string(project.join("docs/content/pages/guides/forms.md")).unwrap();
    let starter = project.join("examples/starters/company");
    let is_source = |path: &str| ["content/", "templates/", "islands/"].iter().any(|folder| path.starts_with(folder));
    let all = generated::read(&starter).into_iter().filter(|(path, _)| is_source(path));
    let mut files: BTreeMap<String, String> =
        all.map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap())).collect();
    let mut guide = files_of(&document);
    let site = files["content/site.yaml"].replace("  pictures:", &{
        let text = guide.remove("content/site.yaml").unwrap();
        format!("{}  pictures:", text.split_once("settings:\n").unwrap().1)
    });
    files.extend(guide);
    files.insert("content/site.yaml".to_owned(), site);
    files.get_mut("templates/styles/main.css").unwrap().push_str(style_of(&document));

    // The paragraph of the guide: what to write, and what to delete.
    let (_, paragraph) = document.split_once("In the starter `company`, this form").unwrap();
    let paragraph = paragraph.split("\n\n").next().unwrap();
    let (written, deleted) = paragraph.split_once("delete").unwrap();
    let line = written.split('`').find(|part| part.starts_with("template: ")).unwrap();
    let contact = files.get_mut("content/pages/contact.md").unwrap();
    assert!(written.contains("`content/pages/contact.md`") && contact.contains("template: pages/contact.html"));
    *contact = contact.replace("template: pages/contact.html", line);
    for path in deleted.split('`').skip(1).step_by(2).filter(|path| is_source(path)) {
        assert!(files.remove(path).is_some(), "{path}");
    }
    let sources = Sources::from_files(files.iter().map(|(path, text)| (path.as_str(), text.as_str())));
    let profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let site = sitegen::build(&sources, &profile, &DiskTools::of(project));
    assert_eq!(codes(&site), [], "{:?}", site.diagnostics);
    let html = String::from_utf8(site.value.unwrap().get("contact/index.html").unwrap().to_vec()).unwrap();
    assert!(html.contains("action=\"https://orders.bakery.test/new\"") && html.contains("data-modules="), "{html}");
}

fn codes(site: &Checked<Artifacts>) -> Vec<(Severity, &'static str)> {
    site.diagnostics.iter().map(|each| (each.severity, code(&each.problem))).collect()
}

#[test]
fn the_site_of_the_document_has_the_policy_that_stands_in_it() {
    let document = document();
    let site = build(&files_of(&document));
    assert!(site.diagnostics.is_empty(), "{:?}", site.diagnostics);
    let site = site.value.unwrap();
    let (_, written) = document.split_once("```text\n").unwrap();
    assert_eq!(policy(&site, "index.html"), written.lines().next().unwrap());
    let closed =
        "default-src 'none'; connect-src https://www.mill.test/robots.txt; form-action 'none'; base-uri 'none'";
    assert_eq!(policy(&site, "404.html"), closed);
    assert_eq!(policy(&site, "privacy.html"), closed);
    let privacy = String::from_utf8(site.get("privacy.html").unwrap().to_vec()).unwrap();
    assert!(
        privacy
            .contains("<p>About the map: Shows the way to the mill. It learns your address and may set cookies.</p>")
    );
    assert_eq!(privacy.matches("<li>").count(), 3);
    assert!(privacy.contains("<li>https://count.test (script, fetch): Counts visits, without cookies"), "{privacy}");
}

#[test]
fn the_messages_of_the_document_are_those_of_a_build() {
    let document = document();
    let valid = files_of(&document);
    let (site, page, visit) = ("content/site.yaml", "templates/pages/page.html", "templates/pages/visit.html");
    let image = "<img src=\"https://photos.test/a.jpg\" alt=\"A sail\"></main>";
    let edits: [(&str, &str, &str, &str); 8] = [
        (page, "</main>", image, "undeclared-connection"),
        (page, "https://lists.mill.test", "https://lists.test", "form-target"),
        (page, "data-connect=\"counter\"", "data-connect=\"countr\"", "unknown-connection"),
        (site, "newsletter:", "news letter:", "connection-name"),
        (
            visit,
            "<iframe src=\"https://maps.test/mill\" title=\"Map of the mill\" sandbox=\"allow-scripts\"></iframe>",
            "",
            "unused-connection",
        ),
        (
            page,
            " integrity=\"sha384-oqVuAfXRKap7fdgcCY5uykM6+R9GqQ8K/uxy9rx7HNQlGYl1kPzQho1wx4JwY8wC\"",
            "",
            "script-integrity",
        ),
        (
            site,
            "      for: [script, fetch]",
            "      for: [script, fetch]\n      without_integrity: true",
            "unchecked-script",
        ),
        (visit, " sandbox=\"allow-scripts\"", "", "frame"),
    ];
    for (path, from, to, expected) in edits {
        let mut files = valid.clone();
        let text = files[path].clone();
        assert!(text.contains(from), "{path} {from}");
        files.insert(path.to_owned(), text.replace(from, to));
        let site = build(&files);
        let found = site.diagnostics.iter().find(|each| code(&each.problem) == expected);
        let found = found.unwrap_or_else(|| panic!("{expected}: {:?}", site.diagnostics));
        let kind = if found.severity == Severity::Warning { " (warning)" } else { "" };
        let row = format!("| `{expected}`{kind} | {} |", message(&found.problem));
        assert!(document.contains(&row), "{row}");
        assert!(site.value.is_none() || found.severity == Severity::Warning, "{expected}");
    }
}

/// For each kind of connection: what uses it on a page, and the directive that it opens.
const KINDS: [(&str, &str, &str); 8] = [
    ("form", "<form action=\"ORIGIN/a\" method=\"post\"><button>A</button></form>", "form-action"),
    ("fetch", "<script data-connect=\"other\">go()</script>", "connect-src"),
    ("script", "<script src=\"ORIGIN/a.js\" integrity=\"sha384-a\" crossorigin></script>", "script-src"),
    ("frame", "<iframe src=\"ORIGIN/a\" title=\"A\" sandbox></iframe>", "frame-src"),
    ("image", "<img src=\"ORIGIN/a.png\" alt=\"A\" width=\"4\" height=\"4\">", "img-src"),
    ("style", "<style>@import url(ORIGIN/a.css);</style>", "style-src"),
    ("font", "<style>@font-face{font-family:A;src:url(ORIGIN/a.woff2)}</style>", "font-src"),
    ("media", "<video src=\"ORIGIN/a.mp4\" controls></video>", "media-src"),
];

const ORIGIN: &str = "https://other.test";

/// A site with a page that uses something, one that uses nothing, and a declared connection.
fn site(body: &str, declared: &str) -> BTreeMap<String, String> {
    let page = |body: &str| {
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>A</title></head><body>{body}</body></html>"
        )
    };
    let files = [
        ("content/site.yaml", format!("url: https://www.a.test\nlanguage: en\nname: A\n{declared}")),
        ("content/pages/index.yaml", "title: A\ntemplate: pages/open.html\n".to_owned()),
        ("content/pages/closed.yaml", "title: A\n".to_owned()),
        ("templates/pages/open.html", page(&body.replace("ORIGIN", ORIGIN))),
        ("templates/pages/page.html", page("")),
    ];
    files.into_iter().map(|(path, text)| (path.to_owned(), text)).collect()
}

fn declared(origin: &str, kinds: &str) -> String {
    format!("settings:\n  connections:\n    other: {{ origin: \"{origin}\", for: [{kinds}], why: A }}\n")
}

#[test]
fn each_kind_is_open_where_it_is_declared_and_used_and_nowhere_else() {
    let nothing = build(&site("", "")).value.unwrap();
    let closed = policy(&nothing, "index.html");
    let others =
        |kind: &str| KINDS.map(|(other, ..)| other).into_iter().filter(|other| *other != kind).collect::<Vec<_>>();
    for (kind, body, directive) in KINDS {
        let open = build(&site(body, &declared(ORIGIN, kind)));
        assert!(open.diagnostics.is_empty(), "{kind}: {:?}", open.diagnostics);
        let open = open.value.unwrap();
        assert_eq!(policy(&open, "closed.html"), closed, "{kind}");
        let opened = policy(&open, "index.html");
        for part in opened.split("; ") {
            let expected = part.starts_with(&format!("{directive} "));
            assert_eq!(part.contains(ORIGIN), expected, "{kind}: {opened}");
        }
        assert!(opened.contains(&format!("; {directive} ")), "{kind}: {opened}");

        // Declared and not used: the policies are those of a site without it.
        let unused = build(&site("", &declared(ORIGIN, kind)));
        assert_eq!(codes(&unused), [(Severity::Warning, "unused-connection")]);
        assert_eq!(policy(&unused.value.unwrap(), "index.html"), closed, "{kind}");

        // Used and not declared, declared for the rest, or at origins that only look alike.
        let alike = ["https://other.test.evil.test", "https://other.test:444", "https://example", "self"];
        let mut declarations = vec![String::new(), declared(ORIGIN, &others(kind).join(", "))];
        if kind != "fetch" {
            declarations.extend(alike.map(|origin| declared(origin, kind)));
        }
        for declaration in declarations {
            let refused = build(&site(body, &declaration));
            assert!(refused.value.is_none(), "{kind} {declaration}");
            let errors = refused.diagnostics.iter().filter(|each| each.severity == Severity::Error);
            let errors: BTreeSet<(&str, String)> = errors
                .map(|each| {
                    let place = each.place.as_ref().unwrap();
                    assert!(place.span.is_some(), "{kind} {each:?}");
                    (code(&each.problem), place.path.to_string())
                })
                .collect();
            let expected = match kind {
                "form" => "form-target",
                "fetch" => "unknown-connection",
                _ => "undeclared-connection",
            };
            assert!(errors.contains(&(expected, "templates/pages/open.html".to_owned())), "{kind} {errors:?}");
        }
    }
}

#[test]
fn no_text_of_a_page_or_connection_adds_to_a_policy() {
    // A policy that names anything but these sources, or has another directive, was broken into.
    let allowed: BTreeSet<&str> =
        BTreeSet::from(["'none'", "'self'", ORIGIN, "https://www.a.test/robots.txt", "https://www.a.test/closed"]);
    let attacks = [
        "/a; script-src *",
        "/a, script-src *",
        "/a\u{a0}script-src *",
        "/a&#59; script-src &#42;",
        "/a&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
        "/a' 'unsafe-inline",
        "@evil.test/",
        "/../..//evil.test",
        "\\evil.test",
        ".evil.test",
    ];
    let mut published = 0;
    for attack in attacks {
        for body in [
            format!(
                "<form action=\"{ORIGIN}{attack}\" method=\"post\" data-success=\"/closed\"><button>A</button></form>"
            ),
            format!(
                "<form action=\"{ORIGIN}/a\" method=\"post\" data-success=\"/closed{attack}\"><button>A</button></form>"
            ),
            format!("<form action=\"{ORIGIN}/a\" method=\"post\" data-success=\"{attack}\"><button>A</button></form>"),
            format!("<img src=\"{ORIGIN}{attack}\" alt=\"A\">"),
            format!("<iframe src=\"{ORIGIN}{attack}\" title=\"A\" sandbox></iframe>"),
            format!("<script data-connect=\"other{attack}\"></script>"),
        ] {
            let built = build(&site(&body, &declared(ORIGIN, "form, image, frame, fetch")));
            let Some(built) = built.value else { continue };
            published += 1;
            let policy = policy(&built, "index.html");
            for directive in policy.split("; ") {
                let mut words = directive.split(' ');
                let name = words.next().unwrap();
                let known = ["default-src", "img-src", "frame-src", "connect-src", "form-action", "base-uri"];
                assert!(known.contains(&name) || name == "script-src", "{body}: {policy}");
                for source in words.filter(|source| !source.starts_with("'sha256-")) {
                    assert!(allowed.contains(source), "{body}: {policy}");
                }
            }
            // An address of another host than the declared one is not published at all.
            assert!(!body.contains("@evil.test") && !body.contains(".test.evil"), "{body}");
        }
    }
    assert!(published > 10, "{published}");
    // Names and origins are refused before they are in any page.
    for declaration in [
        declared("https://a.test; script-src *", "image"),
        declared("https://*", "image"),
        declared("https://*.test", "image"),
        declared("data:", "image"),
        declared("https://a.test/path", "image"),
        declared("https://user@a.test", "image"),
        declared("'unsafe-inline'", "image"),
        declared("*", "image"),
        declared("http://other.test", "image"),
        declared(ORIGIN, "image").replace("other:", "\"other self\":"),
    ] {
        let built = build(&site("", &declaration));
        assert!(built.value.is_none(), "{declaration}");
        assert!(built.diagnostics[0].place.as_ref().unwrap().span.is_some());
    }
}
