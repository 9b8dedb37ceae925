//! A warm build always gives the same result as a clean one.
//!
//! A site of some hundred pages is edited at random: content, collections, schemas, templates, styles, islands, assets
//! and settings change, appear, vanish, are renamed, broken and restored. A smaller site that uses every ability of the engine
//! is changed in each of them. After every step, builds with caches are compared with one without (`support/warm.rs`). Each
//! query must have been asked about different inputs: so no input is missing in a key.
//!
//! `STEPS=1000 SEED=7 cargo test --release --test it cache:: -- --nocapture` takes more steps or other ones; each half
//! of the steps has a site of its own, the second with the next seed.

use crate::support::everything;
use crate::support::generated::{self, Files, Random, difference, page_path, page_text};
use crate::support::multilingual;
use crate::support::size;
use crate::support::warm::{
    Comparison, Queries, SharingTools, add, build, edit, number, run, state_of_bundles, update,
};
use sitegen::observe::Observer;
use sitegen::profile::{Host, Profile};
use sitegen::tools::DiskTools;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

const PAGES: usize = 170;
const POSTS: usize = 80;

fn some_path(files: &Files, random: &mut Random, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let paths: Vec<&String> = files.keys().filter(|path| wanted(path)).collect();
    (!paths.is_empty()).then(|| (*random.one_of(&paths)).clone())
}

/// Changes the project in one way, and returns a description.
fn step(files: &mut Files, original: &Files, profile: &mut Profile, round: usize, random: &mut Random) -> String {
    let page = some_path(files, random, |path| path.starts_with("content/pages/guides")).unwrap_or_default();
    let loaf = some_path(files, random, |path| path.starts_with("content/loaves")).unwrap_or_default();
    let asset = some_path(files, random, |path| path.starts_with("content/assets")).unwrap_or_default();
    let any = some_path(files, random, |path| !path.contains("runtime")).unwrap();
    let other = some_path(files, random, |path| path.starts_with("content/pages/guides") && path != page);
    let digit = char::from(b'0' + random.below(10) as u8);
    let post = some_path(files, random, |path| path.starts_with("content/posts")).unwrap_or_default();
    let picture = format!("content/assets/photos/crumb-{}.png", random.below(3));
    // These come first, so that every query is asked about several inputs.
    let kind = *[45, 65, 45, 66, 56, 57, 67, 67].get(round - 1).unwrap_or(&random.below(68));
    match kind {
        60 => {
            files.insert(picture.clone(), generated::picture(8 + random.below(60) as u32, round as u32));
            format!("replace {picture}")
        }
        61 => {
            let length = random.below(200);
            files.entry(picture.clone()).and_modify(|bytes| bytes.truncate(length));
            format!("cut {picture}")
        }
        62 => {
            let text = format!("alt: Crumb {digit}\nfocus: {digit}0% 50%\n");
            files.insert(format!("{picture}.yaml"), text.into_bytes());
            format!("describe {picture}")
        }
        63 => {
            let text =
                format!("settings:\n  pictures: {{ quality: 5{digit}, widths: [{}, 40] }}\n", 9 + random.below(9));
            edit(files, "content/site.yaml", |site| match site.split_once("settings:\n  pictures") {
                Some((_, rest)) => {
                    format!("{}{text}{}", site.split("settings:").next().unwrap(), rest.split_once('\n').unwrap().1)
                }
                None => site.replacen("settings:\n", &text, 1),
            });
            "change the settings of pictures".into()
        }
        64 => {
            let (from, to) = *random.one_of(&[
                ("widths=[9, 20]", "widths=[9, 16]"),
                ("ratio=1", "ratio=2"),
                ("crumb-0", "crumb-1"),
                ("{{ picture(", "<a href=\"{{ asset(path=\"photos/crumb-0.png\") }}\">All</a>{{ picture("),
                ("alt=\"\", ", ""),
            ]);
            edit(files, "templates/pages/home.html", |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in the template of the home page")
        }
        65 => {
            let path = format!("content/assets/fonts/other-{}.woff2", random.below(2));
            let font = "content/assets/fonts/overpass-800.woff2";
            match files.remove(&path) {
                Some(_) => format!("remove {path}"),
                None => {
                    files.insert(path.clone(), original[font].clone());
                    format!("add {path}")
                }
            }
        }
        66 => {
            edit(files, "templates/social/card.svg", |text| text.replacen("y=\"", &format!("y=\"{digit}"), 1));
            "change the link preview".into()
        }

        58 => {
            let (from, to) = *random.one_of(&[
                ("each.title", "each.route"),
                ("\"pages\"", "\"section\": \"https://www.hollowoven.test/guides/part-0/page-1#details\", \"pages\""),
                ("url(path=\"/\"", "url(path=\"/guides\""),
                ("{% if not loop.last %}", ""),
                ("\n  ]", "\n  ],"),
            ]);
            edit(files, "templates/search.json", |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in the template of a JSON file")
        }
        59 => {
            let (from, to) = *random.one_of(&[
                ("search.json.yaml", "find.json.yaml"),
                ("search.json.yaml", "search.txt.yaml"),
                ("prices.ics.yaml", "prices.yaml"),
            ]);
            if let Some(bytes) = files.remove(&format!("content/pages/{from}")) {
                files.insert(format!("content/pages/{to}"), bytes);
            }
            format!("rename {from} to {to}")
        }
        0..=4 => {
            let number = random.below(PAGES);
            edit(files, &page, |_| page_text(number, PAGES, round));
            format!("write {page} again")
        }
        5 => {
            edit(files, &page, |text| text.replacen("title: ", &format!("title: {digit} "), 1));
            format!("change the title of {page}")
        }
        6 => {
            // Of the same length and with the same time.
            edit(files, &page, |text| text.replacen("Round", ["Bound", "Sound", "Found"][random.below(3)], 1));
            format!("change a letter of {page}")
        }
        7 => {
            let path = format!("content/pages/guides/new/page-{round}.md");
            files.insert(path.clone(), page_text(round, PAGES, round).into_bytes());
            format!("add {path}")
        }
        8 => {
            files.remove(&page);
            format!("remove {page}")
        }
        9 => {
            let bytes = files.remove(&page).unwrap_or_default();
            let path = page.replace("/page-", &format!("/renamed-{round}-"));
            files.insert(path.clone(), bytes);
            format!("rename {page} to {path}")
        }
        10 => {
            let other = other.unwrap_or_default();
            if let (Some(a), Some(b)) = (files.remove(&page), files.remove(&other)) {
                files.insert(page.clone(), b);
                files.insert(other.clone(), a);
            }
            format!("swap {page} and {other}")
        }
        11 => {
            let slip = random.one_of(&[
                "[gone](/nowhere)\n",
                "{{ site.nothing }}\n",
                "{{ loaves.loaf-1.name }}\n",
                "<b>bold</b>\n",
                "![](art/none.svg)\n",
                "[see](page-1.md#others)\n",
                "#### Deep\n",
                "[^note]\n",
            ]);
            edit(files, &page, |text| format!("{text}\n{slip}"));
            format!("append {slip:?} to {page}")
        }
        12 => {
            let line = random.one_of(&[
                "draft: true",
                "publish: \"2026-12-05\"",
                "expires: \"2026-11-30\"",
                "noindex: true",
                "lead: 7",
            ]);
            edit(files, &page, |text| text.replacen("---\n", &format!("---\n{line}\n"), 1));
            format!("add `{line}` to {page}")
        }
        13 | 14 => {
            edit(files, &loaf, |text| text.replacen("price: ", &format!("price: {digit}"), 1));
            format!("change the price of {loaf}")
        }
        15 => {
            let path = format!("content/loaves/new-{round}.yaml");
            files.insert(path.clone(), format!("name: New {round}\nprice: 1\norder: {digit}\n").into_bytes());
            format!("add {path}")
        }
        16 => {
            files.remove(&loaf);
            format!("remove {loaf}")
        }
        17 => {
            let slip = random.one_of(&[
                "price: dear\n",
                "prize: 3\n",
                "\tname: x\n",
                "expires: \"2026-12-01\"\n",
                "name: Twice\n",
            ]);
            edit(files, &loaf, |text| format!("{text}{slip}"));
            format!("append {slip:?} to {loaf}")
        }
        18 => {
            let path = "content/schemas/loaves.schema.json";
            let (from, to) = *random.one_of(&[
                ("\"maximum\": 99", "\"maximum\": 9"),
                ("\"maximum\": 9 ", "\"maximum\": 99 "),
                ("[\"name\", \"price\"]", "[\"name\", \"price\", \"order\"]"),
                ("In euros.", "In francs."),
                ("\"minLength\": 3", "\"minLength\": 14"),
                ("{", "["),
            ]);
            edit(files, path, |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in {path}")
        }
        19 => {
            let path = "content/schemas/pages/page.schema.json";
            edit(files, path, |text| {
                text.replacen("\"type\": \"object\",", "\"type\": \"object\", \"required\": [\"lead\"],", 1)
            });
            "ask for a lead on every page".into()
        }
        20 | 21 => {
            let path = *random.one_of(&[
                "templates/base.html",
                "templates/pages/page.html",
                "templates/components/loafcard/loafcard.html",
            ]);
            let (from, to) = *random.one_of(&[
                ("<footer>", "<footer class=\"x\">"),
                ("<main>", "<main class=\"y\">"),
                ("{{ page.content }}", "{{ page.content }}<p>{{ page.source }}</p>"),
                ("{{ loaf.name }}", "{{ loaf.name | upper }}"),
                ("<h1>", "<h2>"),
                ("{{ page.title }}", "{{ page.titel }}"),
                ("%}", "%"),
                ("{{ site.motto }}", "{{ collections.loaves | length }}"),
            ]);
            edit(files, path, |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in {path}")
        }
        22 => {
            let path = "templates/pages/home.html";
            let (from, to) = *random.one_of(&[
                ("drawing-0", "drawing-3"),
                ("drawing-1", "drawing-none"),
                ("\"start\": 3", "\"start\": 4"),
                ("\"load\"", "\"idle\""),
                ("<p>", "<p id=\"lead\">"),
                ("page.lead", "site.motto"),
            ]);
            edit(files, path, |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in {path}")
        }
        23 | 24 => {
            let path = *random.one_of(&[
                "templates/styles/tokens.css",
                "templates/styles/main.css",
                "templates/components/loafcard/loafcard.css",
                "islands/count.css",
            ]);
            let rule = random.one_of(&[
                "a { color: red; }\n",
                "p { margin: 1px }\n",
                "b { color: }\n",
                "i { background: url(none.svg) }\n",
                "}\n",
            ]);
            edit(files, path, |text| format!("{text}{rule}"));
            format!("append {rule:?} to {path}")
        }
        25..=27 => {
            let path =
                *random.one_of(&["islands/Order.tsx", "islands/Count.tsx", "islands/parts/words.ts", "lib/units.ts"]);
            let (from, to) = *random.one_of(&[
                ("\"please\"", "\"thanks\""),
                ("\"thanks\"", "\"please\""),
                ("\"piece\"", "\"slice\""),
                ("\"slice\"", "\"piece\""),
                ("loaves<", "breads<"),
                ("breads<", "loaves<"),
                ("<p>", "<p className=\"order\">"),
                ("return", "throw new Error(\"no\"); return"),
                ("export default", "export"),
                ("from \"./parts/words\"", "from \"./parts/none\""),
                ("unit", "unti"),
            ]);
            edit(files, path, |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in {path}")
        }
        28 => {
            let path =
                *random.one_of(&["islands/Order.tsx", "islands/Count.tsx", "islands/parts/words.ts", "lib/units.ts"]);
            files.remove(path);
            format!("remove {path}")
        }
        29 => {
            let path = format!("islands/New{round}.tsx");
            files.insert(path.clone(), b"export default () => <p>new</p>;\n".to_vec());
            format!("add {path}")
        }
        30 => {
            // Resolved before `units.ts`, though no file that was read has changed.
            let path = *random.one_of(&["lib/units.tsx", "islands/parts/words.tsx"]);
            files.insert(path.to_owned(), b"export const unit = \"crumb\";\nexport const please = \"now\";\n".to_vec());
            format!("add {path}")
        }
        31 | 32 => {
            edit(files, &asset, |text| {
                if text.contains("<path") {
                    text.replacen("h9", &format!("h{digit}"), 1)
                } else {
                    format!("{text}{digit}")
                }
            });
            format!("change {asset}")
        }
        33 => {
            files.remove(&asset);
            format!("remove {asset}")
        }
        34 => {
            let bytes = files.remove(&asset).unwrap_or_default();
            let path = format!("content/assets/art/drawing-{digit}.svg");
            files.insert(path.clone(), bytes);
            format!("rename {asset} to {path}")
        }
        35 | 36 => {
            let (from, to) = *random.one_of(&[
                ("Hollow Oven", "Hollow Range"),
                ("Hollow Range", "Hollow Oven"),
                ("since 1907", "since 1909"),
                ("routes: directory", "routes: both"),
                ("routes: both", "routes: file"),
                ("routes: file", "routes: directory"),
                (".test\n", ".test/shop\n"),
                ("hello@", "bread@"),
                ("  search: true", "  search: false"),
                ("  search: false", "  search: true"),
                ("html: 4", "html: 0.2"),
                ("settings:", "setings:"),
                ("motto", "moto"),
            ]);
            edit(files, "content/site.yaml", |text| text.replacen(from, to, 1));
            format!("replace {from:?} by {to:?} in content/site.yaml")
        }
        37 => {
            let path = *random.one_of(&[
                "content/public/humans.txt",
                "content/public/index.html",
                "content/public/robots.txt",
                "content/public/guides",
            ]);
            match files.remove(path) {
                Some(_) => format!("remove {path}"),
                None => {
                    files.insert(path.to_owned(), format!("{digit}\n").into_bytes());
                    format!("add {path}")
                }
            }
        }
        38 => {
            let bytes = files[&any].clone();
            let cut = random.below(bytes.len() + 1);
            files.insert(any.clone(), bytes[..cut].to_vec());
            format!("cut {any} to {cut} bytes")
        }
        39 => {
            *profile = Profile {
                today: jiff::civil::date(2026, 12, 1 + random.below(9) as i8),
                drafts: random.below(3) == 0,
                ..profile.clone()
            };
            format!("build on {} {} drafts", profile.today, if profile.drafts { "with" } else { "without" })
        }
        40 => {
            profile.base_url = random
                .one_of(&[None, Some("https://other.test/below".to_owned()), Some("https://other.test".to_owned())])
                .clone();
            profile.development = random.below(4) == 0;
            profile.staging = random.below(4) == 0;
            let Profile { base_url, development, staging, .. } = &profile;
            format!("build for {base_url:?}, development: {development}, staging: {staging}")
        }
        41 => {
            let path = original.keys().nth(random.below(original.len())).unwrap();
            files.insert(path.clone(), original[path].clone());
            format!("bring back {path}")
        }
        42 => {
            let number = random.below(PAGES);
            files.insert(page_path(number), original[&page_path(number)].clone());
            format!("bring back {}", page_path(number))
        }
        43 | 44 => {
            edit(files, &post, |text| format!("{text}\nRound {round}.\n"));
            format!("write more into {post}")
        }
        45 => {
            edit(files, &post, |text| text.replacen("title: ", &format!("title: {digit} "), 1));
            format!("change the title of {post}")
        }
        46 | 47 => {
            let tag = random.one_of(&["rye", "Rye", "oats", "malt", "Crème"]);
            edit(files, &post, |text| text.replacen("[bread, ", &format!("[{tag}, "), 1));
            format!("tag {post} with {tag}")
        }
        48 => {
            edit(files, &post, |text| {
                text.replacen("date: 2026-10", &format!("date: 2026-0{}", random.below(9) + 1), 1)
            });
            format!("change the date of {post}")
        }
        49 => {
            let line = random.one_of(&[
                "draft: true",
                "publish: 2026-12-05",
                "expires: 2026-12-03",
                "order: 3",
                "noindex: true",
                "updated: 2026-11-05",
                "language: de",
                "template: pages/page.html",
                "weight: 3",
                "mood: calm",
            ]);
            edit(files, &post, |text| text.replacen("---\n", &format!("---\n{line}\n"), 1));
            format!("add `{line}` to {post}")
        }
        50 => {
            files.remove(&post);
            format!("remove {post}")
        }
        51 => {
            let bytes = files.remove(&post).unwrap_or_default();
            let path = post.replace("/post-", &format!("/a{round}-"));
            files.insert(path.clone(), bytes);
            format!("rename {post} to {path}")
        }
        52 => {
            let path = format!("content/posts/new-{round}.md");
            files.insert(path.clone(), files.get(&post).cloned().unwrap_or_default());
            format!("copy {post} to {path}")
        }
        53 | 54 => {
            let path = *random.one_of(&[
                "content/pages/posts/index.yaml",
                "content/pages/posts/tags/[tag].yaml",
                "content/pages/posts/[slug].md",
                "content/pages/contents.yaml",
            ]);
            let (from, to) = *random.one_of(&[
                ("per_page: 7", "per_page: 9"),
                ("per_page: 5", "per_page: 3"),
                ("-date", "title"),
                ("sort: title", "sort: -title"),
                ("Posts {{", "All posts {{"),
                ("for_each: posts", "for_each: post"),
                ("collection: posts", "collection: posts, where: { tags: rye }"),
                ("By {{ site.name }}", "From {{ authors.ida.name }}"),
                ("entry.title", "entry.titel"),
                ("pages/posts.html", "pages/tags.html"),
            ]);
            edit(files, path, |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in {path}")
        }
        55 => {
            let path = *random.one_of(&["templates/pages/post.html", "templates/pages/posts.html"]);
            let (from, to) = *random.one_of(&[
                ("{{ entry.title }}", "{{ entry.title }}{{ entry.content }}"),
                ("page.previous.title", "page.previous.date"),
                ("<p>", "<p class=\"z\">"),
                ("{% if page.next %}", "{% for other in related(entry=entry, by=\"tags\") %}{{ other.title }}{% endfor %}{% if page.next %}"),
                ("<h1>", "{{ collections.posts | length }}<h1>"),
                ("{{ entries.authors[entry.author].name }}", "{{ entry.author }}"),
            ]);
            edit(files, path, |text| text.replacen(from, to, 1));
            format!("replace {from} by {to} in {path}")
        }
        56 => {
            edit(files, "content/authors/ida.yaml", |text| text.replacen("Ida", &format!("Ida {digit}"), 1));
            "rename an author".into()
        }
        57 => {
            edit(files, "content/site.yaml", |text| text.replacen("motto: ", &format!("motto: {digit} "), 1));
            "change the motto".into()
        }
        67 => {
            edit(files, &post, |text| text.replacen("---\n", &format!("---\nmood{digit}: calm\n"), 1));
            format!("add a key to {post} that nothing reads")
        }
        _ => "change nothing".into(),
    }
}

#[test]
fn a_warm_build_equals_a_clean_one() {
    let (steps, seed) = (number("STEPS", size::sized(80, 400)), number("SEED", 20_261_201));
    let (work, _in_memory) = generated::work_folder_in_memory("memory");
    // Sequential builds of a small site leave the second core idle.
    let asked = std::thread::scope(|scope| {
        let begin = |seed: usize| {
            let work = work.join(seed.to_string());
            scope.spawn(move || edit_at_random(&work, steps.div_ceil(2), seed))
        };
        let mut asked = Queries::new();
        for half in [seed, seed + 1].map(begin) {
            add(&mut asked, half.join().unwrap());
        }
        asked
    });
    if cfg!(debug_assertions) {
        let shown = |kind: &String| asked.get(kind.as_str()).map(|asked| (asked.keys.len(), asked.compared));
        let kinds = crate::architecture::kinds_of_queries().into_iter();
        let kinds: BTreeMap<String, Option<(usize, usize)>> = kinds.map(|kind| (kind.clone(), shown(&kind))).collect();
        println!("queries, by kind: different inputs, results compared\n{kinds:#?}");
        let unproven = kinds.iter().filter(|(_, asked)| !is_proven(**asked)).map(|(kind, _)| kind);
        let unproven: Vec<&String> = unproven.filter(|kind| !OF_LANGUAGES.contains(&kind.as_str())).collect();
        assert!(unproven.is_empty(), "too few inputs were changed for {unproven:?}");
    }
}

/// The kinds of queries that only sites in several languages ask.
const OF_LANGUAGES: [&str; 4] =
    ["stale translations", "texts without a translation", "translations with dates", "translations with versions"];

/// Whether a query was asked about different inputs and compared, by the numbers of both.
fn is_proven(asked: Option<(usize, usize)>) -> bool {
    asked.is_some_and(|(keys, compared)| keys > 1 && compared > 0)
}

/// Languages, translations and their originals come, change and go.
#[test]
fn a_warm_build_equals_a_clean_one_in_three_languages() {
    let (steps, seed) = (number("STEPS", size::sized(60, 5000)), number("SEED", 20_261_128));
    let (work, _in_memory) = generated::work_folder_in_memory("languages");
    let asked = std::thread::scope(|scope| {
        let begin = |seed: usize| {
            let work = work.join(seed.to_string());
            scope.spawn(move || edit_languages(&work, steps.div_ceil(2), seed))
        };
        let mut asked = Queries::new();
        for half in [seed, seed + 1].map(begin) {
            add(&mut asked, half.join().unwrap());
        }
        asked
    });
    if cfg!(debug_assertions) {
        let numbers = |kind: &str| asked.get(kind).map(|asked| (asked.keys.len(), asked.compared));
        let unproven: Vec<&str> = OF_LANGUAGES.into_iter().filter(|kind| !is_proven(numbers(kind))).collect();
        assert!(unproven.is_empty(), "too few inputs were changed for {unproven:?}");
    }
}

fn edit_languages(work: &Path, steps: usize, seed: usize) -> Queries {
    let original = multilingual::project();
    let mut random = Random(seed as u64);
    let profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let mut comparison = Comparison::of(work, seed);
    let mut files = original.clone();
    assert!(comparison.build("write the project", &files, &profile), "{}", comparison.said);
    for _ in 0..steps {
        let before = files.clone();
        let what = multilingual::step(&mut files, &original, &mut random);
        let is_valid = comparison.build(&what, &files, &profile);
        // Some mistakes stay for a while, so that they meet others.
        if !is_valid && random.below(3) > 0 {
            files = if random.below(8) == 0 { original.clone() } else { before };
            comparison.build("take that back", &files, &profile);
        }
    }
    assert!(comparison.valid * 3 > steps, "{} of {steps} states were valid: this proves too little", comparison.valid);
    comparison.end()
}

/// Each ability of the engine is changed once, and back.
#[test]
fn every_ability_may_change_between_two_builds() {
    let (steps, seed) = (number("WORDS", size::sized(12, 120)), number("SEED", 20_261_201));
    let (work, _in_memory) = generated::work_folder_in_memory("everything");
    std::thread::scope(|scope| {
        for half in 0..2 {
            let work = work.join(half.to_string());
            scope.spawn(move || change_everything(&work, half, steps.div_ceil(2), seed));
        }
    });
}

/// Makes every second of the edits, in a random order, and changes `words` at random.
fn change_everything(work: &Path, half: usize, words: usize, seed: usize) {
    let original = everything::project();
    let mut random = Random((seed + half) as u64);
    let mut profile = Profile { today: jiff::civil::date(2026, 11, 2), ..Profile::default() };
    let mut comparison = Comparison::of(work, seed + half);
    let mut files = original.clone();
    assert!(comparison.build("write the project", &files, &profile), "{}", comparison.said);
    let mut edits: Vec<&everything::Edit> = everything::EDITS.iter().skip(half).step_by(2).collect();
    for edit in &edits {
        assert!(edit.fits(&original), "{} does nothing", edit.make(&mut original.clone(), &original));
    }
    while !edits.is_empty() {
        // Several at once, unless together they are refused.
        let count = size::sized(3, 1).min(edits.len());
        let together: Vec<_> = (0..count).map(|_| edits.swap_remove(random.below(edits.len()))).collect();
        let before = files.clone();
        let what: Vec<String> = together.iter().map(|edit| edit.make(&mut files, &original)).collect();
        if !comparison.build(&what.join(", and "), &files, &profile) {
            files.clone_from(&before);
            assert!(comparison.build("take that back", &files, &profile), "{what:?}: {}", comparison.said);
            for edit in together.iter().filter(|_| count > 1) {
                let before = files.clone();
                let what = edit.make(&mut files, &original);
                if !comparison.build(&what, &files, &profile) {
                    files = before;
                    assert!(comparison.build("take that back", &files, &profile), "{what}: {}", comparison.said);
                }
            }
        } else if random.below(4) == 0 {
            // Most of the changes stay, so that they meet others.
            files = before;
            assert!(comparison.build("take that back", &files, &profile), "{what:?}: {}", comparison.said);
        }
        if random.below(9) == 0 {
            files.clone_from(&original);
            profile.drafts = !profile.drafts;
            profile.host = *random.one_of(&[None, Some(Host::Vercel), Some(Host::Caddy), Some(Host::Netlify)]);
            comparison.build(
                &format!("begin anew for {:?}, drafts: {}", profile.host, profile.drafts),
                &files,
                &profile,
            );
        }
    }
    for _ in 0..words {
        let paths: Vec<&String> = files.keys().collect();
        let path = (*random.one_of(&paths)).clone();
        let before = files.clone();
        let what = everything::change_a_word(&mut files, &path, &mut random);
        if !comparison.build(&what, &files, &profile) {
            files = before;
            comparison.build("take that back", &files, &profile);
        }
    }
    comparison.end();
}

/// Edits a site `steps` times, and compares every warm build of it with a clean one. Returns what was asked of the caches of
/// this process.
fn edit_at_random(work: &Path, steps: usize, seed: usize) -> Queries {
    let mut original = generated::project(PAGES, true);
    generated::add_posts(&mut original, POSTS);
    generated::add_pictures(&mut original);
    generated::add_search(&mut original);
    generated::add_preview_and_budget(&mut original);
    generated::add_joined_path(&mut original);
    let mut random = Random(seed as u64);
    let mut profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let mut comparison = Comparison::of(work, seed);
    let mut files = original.clone();
    let mut history: Vec<Files> = Vec::new();
    let mut is_valid = true;
    for round in 0..steps {
        let what = if round == 0 {
            "write the project".to_owned()
        } else if (!is_valid && random.below(10) < 6 || random.below(30) == 0) && !history.is_empty() {
            // Often one step, now and then many.
            let back = if random.below(4) == 0 { random.below(history.len().min(12)) } else { 0 };
            files = history[history.len() - 1 - back].clone();
            "bring back an earlier state".to_owned()
        } else {
            step(&mut files, &original, &mut profile, round, &mut random)
        };
        is_valid = comparison.build(&what, &files, &profile);
        if is_valid {
            history.push(files.clone());
        }
    }
    let valid = comparison.valid;
    assert!(valid * 3 > steps && valid < steps, "{valid} of {steps} states were valid: this proves too little");
    comparison.end()
}

/// What a page is made from, and files that the build makes, change without the page's own file.
#[test]
fn pages_follow_what_they_are_made_from_and_the_feeds_and_icons_that_they_link_to() {
    let page = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\n\
                <body>\n<main>\n<h1>{{ page.title }}</h1>\n{% if page.content is defined %}{{ page.content }}{% endif %}\n</main>\n</body>\n</html>\n";
    let terms = "{% for term in terms(collection=\"posts\", key=\"tags\") %}<a href=\"{{ term.url }}\">{{ term.name }}</a>{% endfor %}\n</main>";
    let icons = "{% if page.icons is defined %}{{ favicons(path=\"icon.svg\") }}{% endif %}</head>";
    let project: Files = [
        ("content/site.yaml", "url: https://www.hollow.example\nlanguage: en\nname: Hollow\n"),
        (
            "content/assets/icon.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"><rect width=\"1\" height=\"1\"/></svg>",
        ),
        ("content/posts/rye.md", "---\ntitle: Rye\ndate: 2026-05-04\ntags: [bread]\nmakers: [bread]\n---\nA post.\n\n{{ <texts /> }}\n"),
        ("content/news/rye.md", "---\ntitle: Rye again\ndate: 2026-05-05\n---\nNews.\n"),
        (
            "content/pages/index.md",
            "---\ntitle: Home\n---\n[Feed](/posts/feed.xml), [rye](../posts/rye.md), [icon](/favicon.ico).\n",
        ),
        ("content/pages/terms.yaml", "title: Terms\ntemplate: pages/terms.html\n"),
        ("content/pages/keys.yaml", "title: Keys\ntemplate: pages/keys.html\n"),
        ("content/pages/bodies.yaml", "title: Bodies\ntemplate: pages/bodies.html\n"),
        ("content/pages/icons.yaml", "title: Icons\ntemplate: pages/icons.html\nicons: true\n"),
        ("content/pages/all/[slug].yaml", "for_each: posts\ntitle: \"{{ entry.title }}\"\n"),
        ("content/pages/news/[slug].yaml", "for_each: news\ntitle: \"{{ entry.title }}\"\n"),
        ("content/pages/posts/index.yaml", "title: Posts\nlist: { collection: posts }\nfeed: true\n"),
        ("content/pages/a/[tag].yaml", "for_each: posts.tags\ntitle: \"{{ term.name }}\"\n"),
        ("content/pages/b/[maker].yaml", "for_each: posts.makers\ntitle: \"{{ term.name }}\"\n"),
        (
            "templates/components/texts.html",
            "{% component texts(@collections) %}<div>{% for each in collections.news %}{{ each.content }}{% endfor %}</div>{% endcomponent %}",
        ),
        ("templates/pages/page.html", page),
        ("templates/pages/terms.html", &page.replace("</main>", terms)),
        ("templates/pages/keys.html", &page.replace("</main>", "{{ collections.news | json }}</main>")),
        (
            "templates/pages/bodies.html",
            &page.replace("</main>", "{% for each in collections.news %}{{ each.content }}{% endfor %}</main>"),
        ),
        ("templates/pages/icons.html", &page.replace("</head>", icons)),
    ]
    .into_iter()
    .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
    .collect();
    // A file, and what is replaced in it.
    type Edit<'a> = (&'a str, &'a str, &'a str);
    let changes: [(&str, &[Edit]); 7] = [
        (
            "another collection",
            &[("content/pages/all/[slug].yaml", "posts", "news"), ("content/pages/news/[slug].yaml", "news", "posts")],
        ),
        (
            "other terms",
            &[("content/pages/a/[tag].yaml", "tags", "makers"), ("content/pages/b/[maker].yaml", "makers", "tags")],
        ),
        // One page shows the bodies of entries, another all of their keys.
        ("a page beside one with bodies", &[("content/pages/keys.yaml", "title: Keys", "title: All keys")]),
        // A component in a text of the feed shows it.
        ("the body of an entry", &[("content/news/rye.md", "News.", "Other news.")]),
        ("no feed", &[("content/pages/posts/index.yaml", "feed: true\n", "")]),
        ("no icon", &[("content/pages/icons.yaml", "icons: true\n", "")]),
        ("an empty list", &[("content/pages/posts/index.yaml", "posts }", "posts, where: { title: None } }")]),
    ];
    let work = generated::work_folder("made-from").canonicalize().unwrap();
    let profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let mut wrong = Vec::new();
    for (name, edits) in changes {
        let mut changed = project.clone();
        for (path, old, new) in edits {
            edit(&mut changed, path, |text| {
                assert!(text.contains(old), "{path} has no {old:?}");
                text.replace(old, new)
            });
        }
        let clean = work.join(format!("{name}, clean"));
        generated::write(&changed, &clean);
        let expected = build(&clean, &profile, &DiskTools::of(&clean));
        // By the program, from the disk alone, and within a process that lives on, as a server does.
        for lives_on in [false, true] {
            let root = work.join(format!("{name}, {lives_on}"));
            generated::write(&project, &root);
            let tools = DiskTools::of(&root);
            let make = || if lives_on { build(&root, &profile, &tools) } else { run(&root, &profile) };
            let before = make();
            assert!(before.published.is_some(), "{name}: {}", before.said);
            assert!(before != expected, "{name}: it changes nothing");
            update(&root, &project, &changed);
            let made = make();
            if made != expected {
                wrong.push(format!("{name}, {lives_on}: {}\ninstead of {}", made.said, expected.said));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Notes the files of the pages that are rendered.
#[derive(Default)]
struct Rendered(Mutex<BTreeSet<String>>);

impl Observer for Rendered {
    fn begin(&self, stage: &'static str, page: Option<&str>) -> usize {
        if let Some(page) = page.filter(|_| stage == "render a page") {
            self.0.lock().unwrap().insert(page.trim_start_matches("content/pages/").to_owned());
        }
        0
    }
}

#[test]
fn an_edit_renders_the_pages_that_show_what_it_changes_and_no_others() {
    let base = "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\n\
                <body>\n<main>\n<h1>{{ page.title }}</h1>\n{% block main %}{% endblock %}\n</main>\n</body>\n</html>\n";
    let template = |main: &str| format!("{{% extends \"base.html\" %}}{{% block main %}}{main}{{% endblock %}}");
    let list = "{% for each in collections.team %}<p>{{ each.name }}</p>{% endfor %}";
    let terms = "{% for term in terms(collection=\"news\", key=\"tags\") %}<p>{{ term.name }}</p>{% endfor %}";
    let latest = "{% component latest(@collections) %}{% for each in collections.news %}<p>{{ each.title }}</p>{% endfor %}{% endcomponent %}";
    let note = "{% component note(by: string) %}<p>{{ by }}</p>{{ body }}{% endcomponent %}";
    let project: Vec<(&str, String)> = vec![
        ("content/site.yaml", "url: https://www.hollow.example\nlanguage: en\nname: Hollow\n".into()),
        ("content/team/ida.yaml", "name: Ida\n".into()),
        ("content/team/kim.yaml", "name: Kim\n".into()),
        ("content/news/rye.md", "---\ntitle: Rye\ntags: [bread]\n---\nA loaf.\n".into()),
        ("content/news/ale.md", "---\ntitle: Ale\ntags: [beer]\n---\nA glass of {{ site.name }}.\n".into()),
        ("content/pages/index.md", "---\ntitle: Home\n---\nHello.\n".into()),
        ("content/pages/refers.md", "---\ntitle: \"By {{ team.ida.name }}\"\n---\nHello.\n".into()),
        (
            "content/pages/calls.md",
            "---\ntitle: Calls\n---\n{% <note by={team.ida.name}> %}\n\nA note.\n\n{% </note> %}\n".into(),
        ),
        ("content/pages/latest.md", "---\ntitle: Latest\n---\n{{ <latest /> }}\n".into()),
        ("content/pages/one.yaml", "title: One\ntemplate: one.html\n".into()),
        ("content/pages/list.yaml", "title: List\ntemplate: list.html\n".into()),
        ("content/pages/terms.yaml", "title: Terms\ntemplate: terms.html\n".into()),
        ("content/pages/bodies.yaml", "title: Bodies\ntemplate: bodies.html\n".into()),
        (
            "content/pages/news/[slug].yaml",
            "for_each: news\ntitle: \"{{ entry.title }}\"\ntemplate: entry.html\n".into(),
        ),
        (
            "content/pages/people/[slug].md",
            "---\nfor_each: team\ntitle: \"{{ entry.name }}\"\n---\n{{ <latest /> }}\n".into(),
        ),
        ("templates/base.html", base.into()),
        ("templates/pages/page.html", template("{{ page.content }}")),
        ("templates/entry.html", template("{{ entry.content }}")),
        ("templates/one.html", template("<p>{{ entries.team.ida.name }}</p>")),
        ("templates/list.html", template(list)),
        ("templates/terms.html", template(terms)),
        ("templates/bodies.html", template("{{ entries.news.rye.content }}")),
        ("templates/components/latest.html", latest.into()),
        ("templates/components/note.html", note.into()),
    ];
    let project: Files = project.into_iter().map(|(path, text)| (path.to_owned(), text.into_bytes())).collect();
    let root = generated::work_folder("renders").canonicalize().unwrap();
    let edits = [
        ("content/team/ida.yaml", "Ida", "Ida Fenn", "calls.md list.yaml one.yaml people/[slug].md refers.md"),
        ("content/team/kim.yaml", "Kim", "Kim Marsh", "list.yaml people/[slug].md"),
        (
            "content/news/rye.md",
            "title: Rye",
            "title: Rye bread",
            "bodies.yaml latest.md news/[slug].yaml people/[slug].md terms.yaml",
        ),
        // The component that bodies may call lists all of the news.
        ("content/news/ale.md", "A glass", "A pint", "bodies.yaml news/[slug].yaml"),
        ("content/news/rye.md", "A loaf", "Two loaves", "bodies.yaml news/[slug].yaml"),
        ("templates/list.html", "<p>", "<p class=\"name\">", "list.yaml"),
        ("templates/components/note.html", "<p>", "<p class=\"by\">", "bodies.yaml calls.md"),
        (
            "templates/base.html",
            "<main>",
            "<main id=\"main\">",
            "bodies.yaml calls.md index.md latest.md list.yaml news/[slug].yaml one.yaml people/[slug].md refers.md terms.yaml",
        ),
    ];
    let mut files = assert_renders(&root, project, &edits);
    // A template that no page uses is checked all the same.
    files.insert("templates/broken.html".to_owned(), b"{% if page %}".to_vec());
    generated::write(&files, &root);
    let profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let made = build(&root, &profile, &DiskTools::of(&root));
    assert!(made.published.is_none() && made.said.contains("templates/broken.html:1"), "{}", made.said);
}

#[test]
fn an_edit_of_a_translation_renders_its_page_and_those_that_show_it() {
    let base = "<!doctype html>\n<html lang=\"{{ page.language }}\">\n<head><meta charset=\"utf-8\">\
                <title>{{ page.title }}</title><link rel=\"canonical\" href=\"{{ page.url }}\">{% block head %}{% endblock %}</head>\n<body>\n\
                <main{% if page.fallback %} lang=\"{{ page.fallback.language }}\"{% endif %}>\n\
                <h1>{{ page.title }}</h1>\n{{ page.content }}\n</main>\n{% block more %}{% endblock %}\n</body>\n</html>\n";
    let switch = "{% extends \"base.html\" %}{% block head %}{{ alternates() }}{% endblock %}{% block more %}<ul>\
                  {% for each in page.translations %}<li><a href=\"{{ each.route }}\" hreflang=\"{{ each.language }}\">\
                  {{ each.title }}</a></li>{% endfor %}</ul>{% endblock %}";
    let page = |keys: &str, text: &str| format!("---\n{keys}\n---\n{text}\n");
    let project: Vec<(&str, String)> = vec![
        (
            "content/site.yaml",
            "url: https://www.hollow.example\nlanguage: en\nlanguages:\n  de: { name: Deutsch }\n  fr: { name: Français }\n\
             name: Hollow\n"
                .into(),
        ),
        ("content/pages/index.md", page("title: Home", "See [more](about.md).")),
        ("content/pages/about.md", page("title: About\ndescription: Our bakery", "We bake.")),
        ("content/pages/about.de.md", page("title: Über uns\ndescription: Die Backstube", "Wir backen.")),
        ("content/pages/about.fr.md", page("title: À propos", "Nous cuisons.")),
        ("content/pages/plain.md", page("title: Plain\ntemplate: plain.html", "Hello.")),
        ("content/pages/plain.de.md", page("title: Einfach", "Hallo.")),
        ("templates/base.html", base.into()),
        ("templates/pages/page.html", switch.into()),
        ("templates/plain.html", "{% extends \"base.html\" %}".into()),
    ];
    let project: Files = project.into_iter().map(|(path, text)| (path.to_owned(), text.into_bytes())).collect();
    let root = generated::work_folder("translations").canonicalize().unwrap();
    let edits = [
        ("content/pages/about.de.md", "Wir backen", "Wir backen Brot", "about.de.md"),
        // The other languages show its title, and name it to search engines.
        ("content/pages/about.de.md", "Die Backstube", "Unsere Backstube", "about.de.md"),
        ("content/pages/about.de.md", "Über uns", "Wer wir sind", "about.de.md about.fr.md about.md"),
        ("content/pages/about.de.md", "title:", "noindex: true\ntitle:", "about.de.md about.fr.md about.md"),
        ("content/pages/plain.de.md", "Einfach", "Schlicht", "plain.de.md"),
        // Translations show the keys of their original that they lack, and not its text beside their own.
        ("content/pages/about.md", "We bake", "We bake bread", "about.md"),
        ("content/pages/about.md", "Our bakery", "The bakery", "about.de.md about.fr.md about.md"),
        ("content/pages/plain.md", "Hello", "Good day", "plain.md"),
        ("content/pages/index.md", "See", "Look at", "index.md"),
    ];
    assert_renders(&root, project, &edits);
}

/// Edits a project, and compares which pages each edit renders: a file, a text in it, the text that replaces it, and the files of
/// the pages. Returns the edited project.
fn assert_renders(root: &Path, project: Files, edits: &[(&str, &str, &str, &str)]) -> Files {
    generated::write(&project, root);
    let rendered = Arc::new(Rendered::default());
    let tools = DiskTools::of(root).observed_by(rendered.clone());
    let profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let made = build(root, &profile, &tools);
    assert!(made.published.is_some(), "{}", made.said);
    let mut files = project;
    for (path, old, new, expected) in edits {
        edit(&mut files, path, |text| {
            assert!(text.contains(old), "{path} has no {old:?}");
            text.replace(*old, new)
        });
        generated::write(&files, root);
        rendered.0.lock().unwrap().clear();
        let made = build(root, &profile, &tools);
        assert!(made.published.is_some(), "{path}: {}", made.said);
        let names = std::mem::take(&mut *rendered.0.lock().unwrap());
        assert_eq!(names.into_iter().collect::<Vec<_>>().join(" "), *expected, "after {new:?} in {path}");
    }
    files
}

#[test]
fn a_project_in_which_nothing_changed_comes_from_the_cache() {
    let root = generated::work_folder("known").canonicalize().unwrap().join("project");
    let mut files = generated::project(12, true);
    let mut add = |path: &str, text: &str| files.insert(path.to_owned(), text.as_bytes().to_vec());
    // Both kinds of warnings are reported for a published site.
    add("content/pages/places.md", "---\ntitle: Places\npublish: 2026-11-01\n---\nSee www.hollow.example.\n");
    add("content/pages/later.md", "---\ntitle: Later\npublish: 2027-01-01\n---\nLater.\n");
    add("content/public/old/index.html", "<!doctype html><title>Old</title><script>1</script>");
    // One island imports from beside the sources, the other from a package.
    add("node_modules/words/package.json", "{ \"name\": \"words\", \"version\": \"1.0.0\", \"main\": \"index.js\" }");
    add("node_modules/words/index.js", "export const many = \"loaves\";\n");
    edit(&mut files, "islands/Count.tsx", |text| {
        format!("import {{ many }} from \"words\";\n{}", text.replace("{count} loaves", "{count} {many}"))
    });
    generated::write(&files, &root);

    let build = |arguments: &[&str]| {
        // A file that changed in the same tick of the file system's clock as the build began counts as changed later.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
        command.args(["build", "--timings", "--root"]).arg(&root).args(arguments);
        // The first of December 2026.
        let output = command.env("SOURCE_DATE_EPOCH", "1796083200").stdin(Stdio::null()).output().unwrap();
        let [table, said] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        let reported: Vec<String> = table
            .lines()
            .skip_while(|line| !line.starts_with("left out"))
            .map(|line| line.split(" files (").next().unwrap_or_default().to_owned())
            .collect();
        // A site from a snapshot has no stage of pages.
        let is_snapshot = !table.lines().any(|line| line.ends_with("  pages"));
        (is_snapshot, (output.status.code(), reported, said), generated::read(&root.join("dist")))
    };
    let built_and_cached = |arguments: &[&str], why: &str| {
        let (is_snapshot, reported, made) = build(arguments);
        assert!(!is_snapshot && reported.0 == Some(0), "from the snapshot in spite of {why}: {reported:?}");
        let (is_snapshot, reported_again, made_again) = build(arguments);
        assert!(is_snapshot, "not from the snapshot after {why}");
        assert_eq!(reported, reported_again, "{why}");
        assert!(difference(&made, &made_again).is_none(), "{why}");
        (reported, made)
    };
    let ((code, reported, said), first) = built_and_cached(&[], "nothing before it");
    assert_eq!((code, said.matches("warning[").count()), (Some(0), 2), "{said}");
    assert_eq!(
        reported[..2],
        ["left out: content/pages/later.md (until 2027-01-01)", "next change: 2027-01-01"],
        "{reported:?}"
    );

    type Change<'a> = (&'a str, &'a [&'a str], &'a dyn Fn());
    let changes: [Change; 9] = [
        ("drafts", &["--drafts"], &|| ()),
        ("another address", &["--base-url", "https://next.hollowoven.test/new"], &|| ()),
        ("another host", &["--target", "netlify"], &|| ()),
        ("another day", &["--now", "2027-02-01"], &|| ()),
        ("React's development build", &["--development"], &|| ()),
        ("a page", &[], &|| fs::write(root.join("content/pages/places.md"), "---\ntitle: Places\n---\nNo.\n").unwrap()),
        ("a stylesheet", &[], &|| {
            fs::write(root.join("templates/styles/tokens.css"), ":root { --ink: #222; }").unwrap()
        }),
        ("a module beside the sources", &[], &|| {
            fs::write(root.join("lib/units.ts"), "export const unit = \"slice\";\n").unwrap()
        }),
        ("a package", &[], &|| {
            fs::write(root.join("node_modules/words/index.js"), "export const many = \"rolls\";\n").unwrap()
        }),
    ];
    let mut last = first;
    for (why, arguments, change) in changes {
        change();
        let (_, made) = built_and_cached(arguments, why);
        assert!(difference(&last, &made).is_some(), "{why} made no difference");
        last = made;
    }

    // The snapshot is compared with the output folder, whatever has happened to that.
    for path in ["index.html", "sitemap.xml", "old/index.html"] {
        fs::write(root.join("dist").join(path), "damaged").unwrap();
        let (_, (code, ..), made) = build(&[]);
        assert_eq!(code, Some(0));
        assert!(difference(&last, &made).is_none(), "{path} was not repaired");
    }
    let (is_snapshot, (code, _, said), _) = build(&["--deny", "warnings"]);
    assert!(is_snapshot && code == Some(1) && said.contains("error[public-script]"), "{code:?} {said}");
}

#[test]
fn a_damaged_cache_is_never_trusted() {
    let work = generated::work_folder("damaged-memory").canonicalize().unwrap();
    let mut files = generated::project(12, true);
    let profile = Profile { today: jiff::civil::date(2026, 12, 1), ..Profile::default() };
    let (root, clean) = (work.join("warm"), work.join("clean"));
    let mut random = Random(number("SEED", 4) as u64);
    generated::write(&files, &root);
    build(&root, &profile, &DiskTools::of(&root));

    let kinds = ["cut", "empty", "a bit", "foreign", "grown", "a folder", "all of it"];
    let bundles = Mutex::default();
    let (rounds, mut damaged) = (size::sized(2, 4) * kinds.len(), 0);
    for round in 0..rounds {
        // So that a part of the cache is used, and a part is made again.
        let (before, text) = (files.clone(), page_text(round % 12, 12, round));
        files.insert(page_path(round % 12), text.into_bytes());
        edit(&mut files, "lib/units.ts", |_| format!("export const unit = \"piece {}\";\n", round / 3));
        update(&root, &before, &files);

        let kept: Vec<PathBuf> = generated::read(&root.join(".sitegen"))
            .into_keys()
            .map(|path| root.join(".sitegen").join(path))
            .filter(|path| !path.ends_with("path"))
            .collect();
        // The HTML of two islands and the lock. Folders of esbuild's runs are removed, and its bundle is not cached: it
        // depends on `lib/units.ts` too.
        assert!(kept.len() >= 3, "{kept:?}");
        let kind = kinds[round % kinds.len()];
        for path in &kept {
            // Every second time all files are damaged, else some of them.
            if round / kinds.len() % 2 == 1 && random.below(4) > 0 {
                continue;
            }
            damaged += 1;
            let mut bytes = fs::read(path).unwrap();
            // Files of the previous tree share their bytes with the published ones; this is about the cache.
            fs::remove_file(path).unwrap();
            let at = random.below(bytes.len().max(1));
            match kind {
                "cut" => fs::write(path, &bytes[..at]).unwrap(),
                "empty" => fs::write(path, "").unwrap(),
                "a bit" => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << random.below(8);
                    }
                    fs::write(path, bytes).unwrap();
                }
                // Another entry is valid in itself.
                "foreign" => drop(
                    fs::copy(random.one_of(&kept), path).or_else(|_| fs::copy(root.join("content/site.yaml"), path)),
                ),
                "grown" => {
                    bytes.extend_from_slice(b"more");
                    fs::write(path, bytes).unwrap();
                }
                "a folder" => fs::create_dir(path).unwrap(),
                _ => drop(fs::remove_dir_all(root.join(".sitegen"))),
            }
            if !root.join(".sitegen").exists() {
                break;
            }
        }
        let _ = fs::remove_dir_all(&clean);
        generated::write(&files, &clean);
        let disk = DiskTools::of(&clean);
        let tools = SharingTools { disk: &disk, state: state_of_bundles(&files), bundles: &bundles };
        let expected = build(&clean, &profile, &tools);
        let made = build(&root, &profile, &DiskTools::of(&root));
        assert_eq!(made.said, expected.said, "{kind}");
        let difference = difference(expected.published.as_ref().unwrap(), made.published.as_ref().unwrap());
        assert!(difference.is_none(), "{kind}: {}", difference.unwrap());
    }
    println!("{damaged} damaged files of the cache detected, in {rounds} builds");
}
