//! The index of the search: what is in it, that it is the same in every build, and how large it is.

use crate::support::generated::{self, Files, difference};
use crate::support::no_tools::NoTools;
use flate2::read::DeflateDecoder;
use serde_json::Value;
use sitegen::artifacts::Artifacts;
use sitegen::profile::Profile;
use sitegen::sources::{Body, Sources};
use sitegen::tools::DiskTools;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

const TEMPLATE: &str = "<!doctype html>\n<html lang=\"{{ page.language }}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{ \
                        page.title }}</title>\n{% if page.noindex is defined %}<meta name=\"robots\" \
                        content=\"noindex\">{% endif %}\n</head>\n<body>\n<header>Hidden header {{ search() }}</header>\n\
                        <nav>Hidden navigation</nav>\n<main>\n<h1>{{ page.title }}</h1>\n{{ page.content }}\n<p \
                        data-search=\"off\">Hidden part</p>\n</main>\n<footer>Hidden footer</footer>\n</body>\n</html>\n";

fn built(files: &[(&str, &[u8])]) -> Artifacts {
    let made = sitegen::build(&Sources::from_files(files.iter().copied()), &Profile::default(), &NoTools::default());
    made.value.unwrap_or_else(|| panic!("{:#?}", made.diagnostics))
}

fn decoded(bytes: &[u8]) -> Value {
    serde_json::from_reader(DeflateDecoder::new(bytes)).unwrap()
}

/// An index, read as `search.js` does.
struct Index {
    terms: Vec<Value>,
    words: String,
    parts: Vec<Vec<String>>,
}

impl Index {
    fn of(artifacts: &Artifacts, language: &str) -> Self {
        let entry = decoded(artifacts.get(&format!("search-{language}.bin")).unwrap());
        let files = |list: &str| -> Vec<Value> {
            let names = entry[list].as_array().unwrap().iter().map(|file| file[1].as_str().unwrap());
            names.map(|name| decoded(artifacts.get(&format!("assets/search-{name}.bin")).unwrap())).collect()
        };
        let all = |list: &str| files(list).iter().flat_map(|file| file.as_array().unwrap().clone()).collect::<Vec<_>>();
        let text =
            |part: &Value| part.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect();
        let words: Vec<String> = files("words").iter().map(|file| file.as_str().unwrap().to_owned()).collect();
        Index { terms: all("terms"), words: words.join(" "), parts: all("parts").iter().map(text).collect() }
    }

    /// Returns the addresses of the sections that have a form of a word, the best first.
    fn find(&self, word: &str) -> Vec<String> {
        let mut scores: BTreeMap<usize, u64> = BTreeMap::new();
        for term in &self.terms {
            if !term[1].as_str().unwrap().split(' ').any(|form| form == word) {
                continue;
            }
            let mut part = 0;
            for posting in &term.as_array().unwrap()[2..] {
                let posting = posting.as_u64().unwrap();
                part += (posting / 16) as usize;
                *scores.entry(part).or_default() = term[0].as_u64().unwrap() * (posting % 16);
            }
        }
        let mut found: Vec<(usize, u64)> = scores.into_iter().collect();
        found.sort_by_key(|(part, score)| (std::cmp::Reverse(*score), *part));
        found.into_iter().map(|(part, _)| format!("{}#{}", self.parts[part][0], self.parts[part][2])).collect()
    }
}

#[test]
fn an_index_has_the_sections_of_the_pages_that_visitors_may_find() {
    let artifacts = built(&[
        (
            "content/site.yaml",
            b"url: https://www.a.test/docs\nlanguage: en\nname: A\nsettings:\n  routes: file\n  search: true\n",
        ),
        ("templates/pages/page.html", TEMPLATE.as_bytes()),
        (
            "templates/pages/plain.html",
            b"<html lang=\"en\"><head><title>P</title></head><body><main>Plain words</main></body></html>",
        ),
        (
            "content/pages/index.md",
            b"---\ntitle: Baking bread\n---\nWe bake loaves.\n\n## Rye flour\n\nDark `code_word` here.\n\n### Oats\n\nLight.\n",
        ),
        ("content/pages/flour.md", b"---\ntitle: Kinds of mill\n---\nMills grind flour.\n\n## Wheat\n\nBaked.\n"),
        ("content/pages/secret.md", b"---\ntitle: Hidden page\nnoindex: true\n---\nHidden.\n"),
        ("content/pages/404.md", b"---\ntitle: Hidden unknown\n---\nHidden.\n"),
        ("content/pages/draft.md", b"---\ntitle: Hidden draft\ndraft: true\n---\nHidden.\n"),
        ("content/pages/de.md", "---\ntitle: Bäckerei\nlanguage: de\n---\nHäuser aus Brot.\n".as_bytes()),
        ("content/pages/plain.yaml", b"title: Plain\ntemplate: pages/plain.html\n"),
    ]);
    let english = Index::of(&artifacts, "en");
    assert_eq!(
        english.parts,
        [
            ["/docs/", "Baking bread", "", "", "We bake loaves."],
            ["/docs/", "Baking bread", "rye-flour", "Rye flour", "Dark code_word here."],
            ["/docs/", "Baking bread", "oats", "Oats", "Light."],
            ["/docs/flour", "Kinds of mill", "", "", "Mills grind flour."],
            ["/docs/flour", "Kinds of mill", "wheat", "Wheat", "Baked."],
            ["/docs/plain", "P", "", "", "Plain words"],
        ]
    );
    // A title counts more than a heading, and that more than the text; other forms of the word are found.
    assert_eq!(english.find("bake"), ["/docs/#", "/docs/flour#wheat", "/docs/#rye-flour", "/docs/#oats"]);
    assert_eq!(english.find("flour"), ["/docs/#rye-flour", "/docs/flour#"]);
    assert_eq!(english.find("mills"), ["/docs/flour#", "/docs/flour#wheat"]);
    assert_eq!(english.find("word"), ["/docs/plain#", "/docs/#rye-flour"]);
    assert!(english.find("hidden").is_empty());
    assert!(english.words.split(' ').any(|word| word == "doolf" || word == "ruolf"), "{}", english.words);
    let german = Index::of(&artifacts, "de");
    assert_eq!(german.find("hauser"), ["/docs/de#"]);
    assert!(english.find("hauser").is_empty());

    // Pages with a search may fetch from their own origin, and others may not.
    let policy = |path: &str| {
        let page = String::from_utf8(artifacts.get(path).unwrap().to_vec()).unwrap();
        let (_, policy) = page.split_once("connect-src ").unwrap();
        policy.split(';').next().unwrap().to_owned()
    };
    assert_eq!(policy("index.html"), "'self' https://www.a.test/robots.txt");
    assert_eq!(policy("plain.html"), "https://www.a.test/robots.txt");
    let page = String::from_utf8(artifacts.get("de.html").unwrap().to_vec()).unwrap();
    assert!(page.contains("data-search-index=\"/docs/search-de.bin\"") && !page.contains("unsafe-"), "{page}");
}

/// The HTML of a page whose template has this call, or what the build says.
fn called(call: &str) -> Result<String, String> {
    let site = b"url: https://www.a.test\nlanguage: de\nname: A\nsettings:\n  search: true\ntexts:\n  label: Suche\n"
        .as_slice();
    let template = TEMPLATE.replace("{{ search() }}", call);
    let files = [
        ("content/site.yaml", site),
        ("templates/pages/page.html", template.as_bytes()),
        ("content/pages/index.md", b"---\ntitle: A\n---\nText.\n".as_slice()),
    ];
    let made = sitegen::build(&Sources::from_files(files), &Profile::default(), &NoTools::default());
    let artifacts = made.value.ok_or_else(|| format!("{:?}", made.diagnostics))?;
    Ok(String::from_utf8(artifacts.get("index.html").unwrap().to_vec()).unwrap())
}

#[test]
fn the_texts_of_the_search_come_from_the_site() {
    let page = called("{{ search(texts=site.texts, shortcut=\"s\") }}").unwrap();
    for part in [
        "aria-label=\"Suche\"",
        "&quot;many&quot;:&quot;{count} results&quot;",
        "data-search-shortcut=\"s\"",
        "/search-de.bin",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(called("{{ search(shortcut=false) }}").unwrap().contains("data-search-shortcut=\"\""));
    for (call, expected) in [
        ("{{ search(texts={\"lable\": \"x\"}) }}", "did you mean `label`?"),
        ("{{ search(texts={\"label\": 1}) }}", "`label` in `texts` of `search` must be text"),
        ("{{ search(texts=\"x\") }}", "must be a map of keys to text"),
        ("{{ search(shortcut=\"ctrl\") }}", "must be one character"),
        ("{{ search(text=1) }}", "`search` has no argument `text`; did you mean `texts`?"),
    ] {
        let said = called(call).unwrap_err();
        assert!(said.contains(expected), "{call}: {said}");
    }
}

#[test]
fn a_long_section_is_found_from_its_first_word_to_its_last() {
    let site = b"url: https://www.a.test\nlanguage: en\nname: A\nsettings:\n  search: true\n".as_slice();
    let text = format!("---\ntitle: A\n---\n## Long\n\nAlpha {}omega {}.\n", "wörd ".repeat(1_000), "é".repeat(3_000));
    let template = TEMPLATE.as_bytes();
    let files = [
        ("content/site.yaml", site),
        ("templates/pages/page.html", template),
        ("content/pages/index.md", text.as_bytes()),
    ];
    let index = Index::of(&built(&files), "en");
    assert!(index.parts.len() > 5 && index.parts.iter().all(|part| part[4].len() <= 1_500));
    assert_eq!(index.find("alpha"), ["/#long"]);
    assert_eq!(index.find("omega"), ["/#long"]);
    assert!(index.find("word").len() > 3);
}

#[test]
fn a_site_without_the_setting_has_no_index_and_says_so_to_its_templates() {
    let site = b"url: https://www.a.test\nlanguage: en\nname: A\n".as_slice();
    let page = ("content/pages/index.md", b"---\ntitle: A\n---\nText.\n".as_slice());
    let plain = TEMPLATE.replace("{{ search() }}", "");
    let artifacts = built(&[("content/site.yaml", site), ("templates/pages/page.html", plain.as_bytes()), page]);
    assert!(artifacts.contents().all(|(path, _)| !path.as_str().contains("search")));
    let files = [("content/site.yaml", site), ("templates/pages/page.html", TEMPLATE.as_bytes()), page];
    let made = sitegen::build(&Sources::from_files(files), &Profile::default(), &NoTools::default());
    assert!(
        made.value.is_none() && format!("{:?}", made.diagnostics).contains("`search: true`"),
        "{:?}",
        made.diagnostics
    );
}

/// Texts of words that occur as often as those of a language do: the second half as often as the first, and so on.
fn text(random: &mut generated::Random, words: usize) -> String {
    let syllables = ["ba", "ke", "lo", "mi", "ru", "sta", "ven", "tor", "qui", "des", "pan", "flo", "gre", "hy"];
    let mut text = String::new();
    for _ in 0..words {
        let rank = (1u64 << random.below(14)) + (random.below(1 << 14) % (1 << random.below(14))) as u64;
        let mut rest = rank;
        while rest > 0 {
            text.push_str(syllables[(rest % 14) as usize]);
            rest /= 14;
        }
        text.push(' ');
    }
    text
}

fn large_site(pages: usize) -> Files {
    let mut random = generated::Random(7);
    let mut files = Files::new();
    let site = "url: https://www.a.test\nlanguage: en\nname: A\nsettings:\n  routes: file\n  search: true\n";
    files.insert("content/site.yaml".to_owned(), site.into());
    files.insert("templates/pages/page.html".to_owned(), TEMPLATE.into());
    for number in 0..pages {
        let name = if number == 0 { "index".to_owned() } else { format!("page-{number}") };
        let mut page = format!("---\ntitle: {}\n---\n{}\n", text(&mut random, 3), text(&mut random, 80));
        for section in 0..5 {
            let _ = write!(page, "\n## {} {section}\n\n{}\n", text(&mut random, 3), text(&mut random, 120));
        }
        files.insert(format!("content/pages/{name}.md"), page.into_bytes());
    }
    files
}

fn of(files: &Files) -> Vec<(&str, &[u8])> {
    files.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])).collect()
}

#[test]
fn a_query_of_a_thousand_pages_costs_less_than_sixty_kilobytes() {
    let artifacts = built(&of(&large_site(1_000)));
    let entry = artifacts.get("search-en.bin").unwrap();
    let decoded = decoded(entry);
    let sizes = |list: &str| -> Vec<usize> {
        let names = decoded[list].as_array().unwrap().iter().map(|file| file[1].as_str().unwrap());
        let mut sizes: Vec<usize> =
            names.map(|name| artifacts.get(&format!("assets/search-{name}.bin")).unwrap().len()).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        sizes
    };
    let (terms, words, parts) = (sizes("terms"), sizes("words"), sizes("parts"));
    assert!(
        terms.len() > 20 && words.len() > 2 && parts.len() > 500,
        "{} {} {}",
        terms.len(),
        words.len(),
        parts.len()
    );
    // The worst that `search.js` does for a word that pages have, and one more that is typed: their terms are in the largest
    // files, those of the second in two, and eight files have the texts of the results.
    let script = sitegen::search::SCRIPT.len();
    let most = |sizes: &[usize], number: usize| sizes.iter().take(number).sum::<usize>();
    let worst = entry.len() + most(&terms, 3) + most(&parts, 8);
    // A word with a wrong letter: three files of terms, two of words, and one more of the word that was meant.
    let misspelt = entry.len() + most(&terms, 4) + most(&words, 2) + most(&parts, 8);
    assert!(
        worst < 60_000 && misspelt < 60_000 && script < 13_000,
        "entry {}, terms {:?}, words {words:?}, parts {:?}, script {script}",
        entry.len(),
        &terms[..3],
        &parts[..8]
    );
    let all = most(&terms, usize::MAX) + most(&words, usize::MAX) + most(&parts, usize::MAX);
    println!(
        "entry {}, {} files of terms of {} on average, {} of words, {} of parts of {}; {all} bytes in all, worst query {worst}, misspelt {misspelt}",
        entry.len(),
        terms.len(),
        most(&terms, usize::MAX) / terms.len(),
        words.len(),
        parts.len(),
        most(&parts, usize::MAX) / parts.len()
    );
}

#[test]
fn the_same_index_comes_from_any_number_of_threads() {
    let files = large_site(60);
    let all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let artifacts = pool.install(|| built(&of(&files)));
        artifacts.contents().map(|(path, content)| (path.to_string(), content.digest())).collect::<BTreeSet<_>>()
    };
    let one = all(1);
    assert!(one.len() > 100 && one == all(2) && one == all(16));
}

#[test]
fn a_warm_build_gives_the_index_of_a_clean_one() {
    let root = generated::work_folder("search");
    let run = |root: &Path| {
        let output = Command::new(env!("CARGO_BIN_EXE_sitegen"))
            .args(["build", "--against", "none", "--root"])
            .arg(root)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        generated::read(&root.join("dist"))
    };
    let mut files = large_site(40);
    generated::write(&files, &root);
    let first = run(&root);
    // One page changes, one goes, one stays away from search engines; the others come from the cache.
    files.insert("content/pages/page-3.md".to_owned(), b"---\ntitle: Pumpernickel\n---\nNew text.\n".to_vec());
    files.remove("content/pages/page-4.md");
    files.insert("content/pages/page-5.md".to_owned(), b"---\ntitle: Gone\nnoindex: true\n---\nText.\n".to_vec());
    fs::remove_file(root.join("content/pages/page-4.md")).unwrap();
    generated::write(&files, &root);
    let warm = run(&root);
    let fresh = generated::work_folder("search-clean");
    generated::write(&files, &fresh);
    let clean = run(&fresh);
    assert_eq!(difference(&clean, &warm), None);
    assert!(first["search-en.bin"] != warm["search-en.bin"]);
    // And once more, when nothing has changed.
    assert_eq!(difference(&clean, &run(&root)), None);
}

#[test]
fn an_edit_of_one_page_leaves_most_files_of_the_index() {
    let mut files = large_site(200);
    let index = |files: &Files| -> BTreeSet<String> {
        let artifacts = built(&of(files));
        let paths = artifacts.contents().map(|(path, _)| path.to_string());
        paths.filter(|path| path.starts_with("assets/search-") && path.ends_with(".bin")).collect()
    };
    let before = index(&files);
    // The first page by its address: all others come after it.
    let page = files.get_mut("content/pages/index.md").unwrap();
    page.extend_from_slice(b"\nA few words more, and none of them is pumpernickel.\n");
    let after = index(&files);
    let new = after.difference(&before).count();
    println!("{new} of {} files of the index are new", after.len());
    assert!(new > 0 && new * 5 < after.len(), "{new} of {} files are new", after.len());
}

#[test]
fn a_server_makes_the_index_when_a_browser_asks_for_it() {
    let root = generated::work_folder("search-later");
    let mut files = large_site(30);
    for (host, folder) in [("nginx", ""), ("netlify", "docs/")] {
        let site =
            format!("url: https://www.a.test/docs\nlanguage: en\nname: A\nsettings:\n  search: true\n  host: {host}\n");
        files.insert("content/site.yaml".to_owned(), site.into_bytes());
        let clean = built(&of(&files));
        let tools = DiskTools::of(&root).deferring();
        let sources = Sources::from_files(of(&files));
        let served = sitegen::build(&sources, &Profile::default(), &tools).value.unwrap();
        let is_in_assets = |path: &str| path.starts_with(&format!("{folder}assets/search-")) && path.ends_with(".bin");
        assert!(!served.contents().any(|(path, _)| is_in_assets(path.as_str())));
        let bytes = |path: &str| match served.file(path) {
            Some((Body::Bytes(bytes), _)) => Some(bytes),
            _ => None,
        };
        let mut compared = 0;
        for (path, content) in clean.contents() {
            let path = path.as_str();
            if is_in_assets(path) || path == format!("{folder}search-en.bin") {
                assert_eq!(bytes(path), content.bytes().cloned(), "{path}");
                assert!(served.has(path));
                compared += 1;
            }
        }
        assert!(compared > 20, "{host}: {compared}");
        assert!(!served.has(&format!("{folder}assets/search-00000000.bin")));
        // An edit of a text changes the entry, so that browsers get another one.
        let page = files.get_mut("content/pages/index.md").unwrap();
        page.extend_from_slice(b"\nPumpernickel.\n");
        let edited = sitegen::build(&Sources::from_files(of(&files)), &Profile::default(), &tools).value.unwrap();
        let entry = format!("{folder}search-en.bin");
        assert!(edited.differing(&served).iter().any(|path| path.as_str() == entry));
        assert!(edited.file(&entry).unwrap().1 != served.file(&entry).unwrap().1);
    }
}
