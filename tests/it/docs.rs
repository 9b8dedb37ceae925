//! The documentation in `docs/`: it is a site without a warning, its reference is what the program says, and every step
//! of its tutorial works.

use crate::support::generated;
use scraper::{Html, Selector};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages_folder() -> PathBuf {
    repository().join("docs/content/pages")
}

/// Runs a line of a shell in which `sitegen` is the program of this build.
fn shell(line: &str, folder: &Path) -> Command {
    let programs = Path::new(env!("CARGO_BIN_EXE_sitegen")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder).env("PATH", path).env("NO_COLOR", "1").stdin(Stdio::null());
    command
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Copies the documentation, so that builds leave nothing in the repository.
fn copied(name: &str) -> PathBuf {
    let work = generated::work_folder(name);
    for (path, bytes) in generated::read(&repository().join("docs")) {
        if path.starts_with(".sitegen") || path.starts_with("dist") {
            continue;
        }
        let path = work.join(&path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    work
}

fn html(project: &Path, page: &str) -> Html {
    Html::parse_document(&fs::read_to_string(project.join("dist").join(page)).unwrap())
}

fn links(html: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    html.select(&selector).filter_map(|link| link.attr("href")).map(str::to_owned).collect()
}

#[test]
fn the_documentation_is_a_site_that_leads_from_each_page_to_the_next() {
    let project = copied("docs");
    let output = shell("sitegen build --deny warnings", &project).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let home = html(&project, "index.html");
    let pages = links(&home, "#all-pages li a");
    assert!(pages.len() > 20, "{pages:?}");
    for (index, address) in pages.iter().enumerate() {
        let file = if address == "/" { "index.html".to_owned() } else { format!("{}.html", &address[1..]) };
        let page = html(&project, &file);
        assert_eq!(
            links(&page, "#all-pages li a[aria-current='page']"),
            Vec::from_iter(Some(address.clone())),
            "{address}"
        );
        let before = index.checked_sub(1).map(|before| pages[before].clone());
        assert_eq!(links(&page, "a[rel='prev']"), Vec::from_iter(before), "{address}");
        assert_eq!(links(&page, "a[rel='next']"), Vec::from_iter(pages.get(index + 1).cloned()), "{address}");
        // Every heading has an anchor.
        let headings = Selector::parse("main h2[id], main h3[id]").unwrap();
        let ids: Vec<String> = page.select(&headings).map(|each| format!("#{}", each.attr("id").unwrap())).collect();
        assert_eq!(links(&page, "main .anchor"), ids, "{address}");
        assert!(links(&page, ".edit a").is_empty(), "{address}");
    }
    assert_code_is_legible(&project.join("dist"));
    // With the address of the repository each page can be edited.
    let site = fs::read_to_string(project.join("content/site.yaml")).unwrap();
    let site = format!("{site}repository: https://code.test/sitegen/edit/main/docs/\n");
    fs::write(project.join("content/site.yaml"), site).unwrap();
    let output = shell("sitegen build --deny warnings", &project).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let page = html(&project, "guides/code.html");
    let expected = "https://code.test/sitegen/edit/main/docs/content/pages/guides/code.md";
    assert_eq!(links(&page, ".edit a"), [expected]);
}

/// Returns the luminances of `light-dark(#f2f5f3, #18211d)` (WCAG 2.2, "relative luminance").
fn luminances(colours: &str) -> Option<Vec<f64>> {
    let colours = colours.strip_prefix("light-dark(")?.strip_suffix(')')?;
    let luminance = |colour: &str| {
        let digits = colour.trim().strip_prefix('#')?;
        let width = digits.len() / 3;
        let part = |at: usize| u32::from_str_radix(&digits[at * width..][..width].repeat(3 - width), 16).ok();
        let linear = |at: usize| {
            let value = f64::from(part(at)?) / 255.0;
            Some(if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) })
        };
        Some(0.2126 * linear(0)? + 0.7152 * linear(1)? + 0.0722 * linear(2)?)
    };
    colours.split(',').map(luminance).collect()
}

/// Every class of code on any page has a colour that can be read on every ground that code has, in both schemes.
fn assert_code_is_legible(published: &Path) {
    let pages = generated::read(published).into_iter().filter(|(path, _)| path.ends_with(".html"));
    let pages: Vec<String> = pages.map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    let begin = "<span class=\"hl-";
    let classes: BTreeSet<&str> =
        pages.iter().flat_map(|page| page.split(begin).skip(1)).map(|rest| rest.split('"').next().unwrap()).collect();
    let css = pages[0].split("<style>").nth(1).unwrap().split("</style>").next().unwrap();
    let colours = |selector: &str, property: &str| {
        let rules = css.split('}').filter_map(|rule| rule.rsplit_once('{'));
        let own =
            rules.filter(|(before, _)| before.rsplit('{').next().unwrap().split(',').any(|each| each == selector));
        own.flat_map(|(_, rule)| rule.split(';'))
            .filter_map(|each| luminances(each.strip_prefix(property)?))
            .next_back()
    };
    let line = |class: &str| colours(class, "background:").unwrap_or_else(|| panic!("{class} has no background"));
    let grounds = [".hl-marked", ".hl-line.hl-inserted", ".hl-line.hl-deleted"].map(line);
    let grounds = [&[colours(":root", "--raised:").unwrap()], &grounds[..]].concat();
    assert!(classes.len() > 12, "{classes:?}");
    for class in classes {
        // A heading is bold, and a line has the colours of what is in it.
        if class == "heading" || class.starts_with("line") {
            continue;
        }
        let own = colours(&format!(".hl-{class}"), "color:").unwrap_or_else(|| panic!("hl-{class} has no colour"));
        for ground in &grounds {
            for (one, other) in own.iter().zip(ground) {
                let contrast = (one.max(*other) + 0.05) / (one.min(*other) + 0.05);
                assert!(contrast >= 4.5, "hl-{class}: {contrast}");
            }
        }
    }
}

/// Writes the files of a guide into a folder.
fn write_files_of(guide: &str, project: &Path) -> usize {
    let document = fs::read_to_string(pages_folder().join("guides").join(guide)).unwrap();
    let files = super::examples::files(&document);
    for (path, text) in &files {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    files.len()
}

#[test]
fn the_template_that_the_guide_begins_with_is_complete() {
    let work = generated::work_folder("template");
    let output = shell("sitegen new project --starter minimal", &work).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(write_files_of("templates.md", &work.join("project")), 1);
    let output = shell("sitegen build --deny warnings --root project", &work).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let page = fs::read_to_string(work.join("project/dist/index.html")).unwrap();
    assert!(page.contains("<h1>Welcome</h1>") && page.contains("<style>"), "{page}");
}

#[test]
fn the_list_with_feeds_of_the_guide_is_complete() {
    let work = generated::work_folder("feeds");
    let output = shell("sitegen new project --starter minimal", &work).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(write_files_of("feeds.md", &work.join("project")), 4);
    let output = shell("sitegen build --deny warnings --now 2026-12-01 --root project", &work).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let published = work.join("project/dist");
    assert_eq!(links(&html(&work.join("project"), "news.html"), "main a"), ["/news/rye"]);
    for file in ["feed.xml", "rss.xml"] {
        let feed = feed_rs::parser::parse(&fs::read(published.join("news").join(file)).unwrap()[..]).unwrap();
        assert_eq!(feed.entries.len(), 1, "{file}");
    }
}

#[test]
fn versions_of_a_documentation_lie_side_by_side_and_link_to_each_other() {
    let work = generated::work_folder("versions");
    assert!(write_files_of("documentation.md", &work.join("project")) > 8);
    let site = work.join("project/content/site.yaml");
    let text = fs::read_to_string(&site).unwrap();
    let versions = ["0.2", "0.3"];
    for version in versions {
        assert!(text.contains("version: \"0.3\""));
        fs::write(&site, text.replace("version: \"0.3\"", &format!("version: \"{version}\""))).unwrap();
        let address = format!("https://docs.example.com/v{version}");
        let line = format!("sitegen build --deny warnings --root project --out public/v{version} --base-url {address}");
        let output = shell(&line, &work).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let published = |path: &str| work.join("public").join(path.trim_start_matches('/')).join("index.html");
    for version in versions {
        for page in ["", "guides/install"] {
            let html = fs::read_to_string(published(&format!("v{version}/{page}"))).unwrap();
            // A page with code has buttons that copy it.
            assert_eq!(html.contains("className: \"copy\""), html.contains("<pre"), "{version}/{page}");
            assert!(html.contains("@media print{header,nav,.copy{display:none}"), "{html}");
            let html = Html::parse_document(&html);
            let own = format!("/v{version}");
            for link in links(&html, "nav[aria-label='Pages'] a, main a, [rel='prev'], [rel='next']") {
                let path = link.split('#').next().unwrap();
                let is_elsewhere = path.is_empty() || path.starts_with("https://code.example.com/");
                assert!(is_elsewhere || path.starts_with(&own) && published(path).exists(), "{version}/{page}: {link}");
            }
            let current = links(&html, "nav[aria-label='Versions'] a[aria-current]");
            assert_eq!(current, [format!("https://docs.example.com/v{version}/")]);
            let elsewhere = links(&html, "nav[aria-label='Versions'] a, link[rel='canonical']");
            assert_eq!(elsewhere.len(), 3, "{elsewhere:?}");
            for link in &elsewhere {
                assert!(published(link.strip_prefix("https://docs.example.com").unwrap()).exists(), "{link}");
            }
            assert!(elsewhere[0].starts_with("https://docs.example.com/v0.3/"), "{elsewhere:?}");
            let index = Selector::parse("[data-search-index]").unwrap();
            let index = html.select(&index).next().unwrap().attr("data-search-index").unwrap();
            assert_eq!(index, format!("{own}/search-en.bin"));
            assert!(work.join("public").join(&index[1..]).exists());
            let count = |selector: &str| html.select(&Selector::parse(selector).unwrap()).count();
            let tabs = (count("details[name='install']"), count("details[open]"), count("summary"));
            assert_eq!(tabs, if page.is_empty() { (0, 0, 0) } else { (2, 1, 2) });
        }
    }
}

/// For each recipe a file of its site, and what is in it.
const RECIPES: [(&str, &str, &str); 14] = [
    ("The newest posts on the home page", "index.html", "<a href=\"/news/spelt\">Spelt is back</a>, 20 March 2026"),
    ("A menu made from pages", "about.html", "<li><a href=\"/about\" aria-current=\"page\">About us</a></li>"),
    ("A notice until a day", "index.html", "<aside aria-label=\"Holidays\"><p>We are <strong>closed</strong>"),
    ("The minutes it takes to read", "index.html", "<p>1 minute to read</p>"),
    ("A price list from data", "prices.html", "<tr><td>Miche</td><td>€ 8.50</td></tr>"),
    ("Telephone and address in one place", "index.html", "at 1 Mill Lane in Wrenmouth, or call <a href=\"tel:"),
    ("Opening hours for search engines", "index.html", "\"closes\":\"13:00\""),
    ("Authors and what they wrote", "team/ida.html", "<li><a href=\"/news/spelt\">Spelt is back</a></li>"),
    ("A gallery", "oven.html", "alt=\"A dark loaf on a board\""),
    ("A changelog with a feed", "changes/feed.xml", "<title>1.1.0</title>"),
    ("A date for calendars", "events/market.ics", "SUMMARY:Market\\, with bread\r\n"),
    ("A video of another site", "index.html", "frame-src https://videos.test;"),
    ("Data for other programs", "loaves.json", "{ \"id\": \"miche\", \"name\": \"Miche\", \"grams\": 1000 }"),
    ("A page that moved", "old-prices.html", "url=/\""),
];

#[test]
fn every_recipe_of_the_cookbook_gives_what_it_says() {
    let document = fs::read_to_string(pages_folder().join("guides/cookbook.md")).unwrap();
    let mut parts = document.split("\n## ");
    let common = super::examples::files(parts.next().unwrap());
    let recipes: BTreeMap<&str, &str> = parts.filter_map(|part| part.split_once('\n')).collect();
    assert_eq!(recipes.keys().copied().collect::<Vec<_>>(), {
        let mut names = RECIPES.map(|(name, _, _)| name);
        names.sort_unstable();
        names
    });
    let work = generated::work_folder("cookbook");
    for (number, (name, file, expected)) in RECIPES.into_iter().enumerate() {
        let project = work.join(number.to_string());
        let own = super::examples::files(recipes[name]);
        assert!(!own.is_empty(), "{name}");
        for (path, text) in common.iter().chain(&own) {
            let path = project.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        if recipes[name].contains("photos/") {
            let photos = project.join("content/assets/photos");
            fs::create_dir_all(&photos).unwrap();
            for photo in ["oven.jpg", "loaf.jpg"] {
                fs::copy(repository().join("examples/brewery/content/assets/photos/barley.jpg"), photos.join(photo))
                    .unwrap();
            }
        }
        let output = shell("sitegen build --deny warnings --now 2026-12-01", &project).output().unwrap();
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        let text = fs::read_to_string(project.join("dist").join(file)).unwrap();
        assert!(text.contains(expected), "{name}: {text}");
    }
}

/// What an answer says of the site that it makes: "`dist/index.html` then has:" before a block of code.
fn results(answer: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = answer.lines().collect();
    let result = |at: usize| {
        let path = lines[at].strip_prefix("`dist/")?.strip_suffix("` then has:")?;
        assert!(lines[at + 2].starts_with("```"), "{path} is followed by what it has");
        let text: Vec<&str> = lines[at + 3..].iter().take_while(|line| **line != "```").copied().collect();
        Some((path.to_owned(), text.join("\n")))
    };
    (0..lines.len()).filter_map(result).collect()
}

#[test]
fn every_answer_gives_what_it_says() {
    let document = fs::read_to_string(pages_folder().join("guides/answers.md")).unwrap();
    let (introduction, rest) = document.split_once("\n## ").unwrap();
    let common = super::examples::files(introduction);
    assert!(common.len() >= 4, "{:?}", common.keys());
    let work = generated::work_folder("answers");
    let mut answered = 0;
    for answer in rest.split("\n### ").skip(1) {
        let (question, text) = answer.split_once('\n').unwrap();
        let own = super::examples::files(text);
        if own.is_empty() {
            // It leads to a guide that is tested elsewhere.
            assert!(text.contains("](") && text.contains(".md"), "{question}");
            answered += 1;
            continue;
        }
        let project = work.join(answered.to_string());
        for (path, text) in common.iter().chain(&own) {
            let path = project.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        if text.contains("oven.jpg") {
            let photograph = repository().join("examples/brewery/content/assets/photos/barley.jpg");
            fs::create_dir_all(project.join("content/assets")).unwrap();
            fs::copy(photograph, project.join("content/assets/oven.jpg")).unwrap();
        }
        let output = shell("sitegen build --deny warnings --now 2026-12-01", &project).output().unwrap();
        assert!(output.status.success(), "{question}: {}", stderr(&output));
        let results = results(text);
        assert!(!results.is_empty(), "{question} shows no result");
        for (path, expected) in results {
            let text = fs::read_to_string(project.join("dist").join(&path)).unwrap();
            assert!(text.contains(&expected), "{question}: {path} has no {expected}\n{text}");
        }
        answered += 1;
    }
    assert!(answered >= 40, "{answered} questions");
}

#[test]
fn the_blog_that_moved_has_the_addresses_that_it_had() {
    let project = generated::work_folder("moved");
    assert!(write_files_of("moving-by-hand.md", &project) > 12);
    let output = shell("sitegen build --deny warnings", &project).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let page = html(&project, "posts/time.html");
    assert_eq!(links(&page, "main a"), ["/tags/baking", "/posts/salt"]);
    assert_eq!(links(&html(&project, "posts.html"), "h2 a"), ["/posts/time", "/posts/salt"]);
    assert_eq!(links(&html(&project, "tags/salt.html"), "h2 a"), ["/posts/salt"]);
    let old = fs::read_to_string(project.join("dist/2024/salt.html")).unwrap();
    assert!(old.contains("content=\"0; url=/posts/salt\""), "{old}");
    for (path, kind) in [("index.xml", feed_rs::model::FeedType::RSS2), ("atom.xml", feed_rs::model::FeedType::Atom)] {
        let feed = feed_rs::parser::parse(&fs::read(project.join("dist").join(path)).unwrap()[..]).unwrap();
        assert_eq!((feed.feed_type, feed.entries.len()), (kind, 2), "{path}");
    }
}

#[test]
fn the_reference_is_what_the_program_says() {
    let is_blessed = std::env::var("BLESS").is_ok_and(|names| names == "1" || names.contains("docs"));
    let messages = super::explained::messages();
    for (path, text) in sitegen::cli::reference::pages(&|code| messages.get(code).cloned()) {
        let path = pages_folder().join(path);
        if is_blessed {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "{}: write it anew with `BLESS=docs cargo test --test it docs::`", path.display());
    }
}

/// The page of the changelog, made of `CHANGELOG.md`: names of pages are links to them.
fn changelog() -> String {
    let text = fs::read_to_string(repository().join("CHANGELOG.md")).unwrap();
    let (title, text) = text.split_once('\n').unwrap();
    let mut out = format!(
        "---\n# Written from CHANGELOG.md by `BLESS=docs cargo test --test it docs::`\ntitle: {}\n\
         description: What each version of sitegen added, changed and fixed.\nsection: reference\norder: 350\n---\n",
        title.trim_start_matches("# ")
    );
    let mut parts = text.split("docs/content/pages/");
    out.push_str(parts.next().unwrap());
    for part in parts {
        let (name, rest) = part.split_once(".md").unwrap();
        let page = fs::read_to_string(pages_folder().join(name).with_extension("md")).unwrap();
        let title = page.lines().find_map(|line| line.strip_prefix("title: ")).unwrap();
        let is_code = out.ends_with('`') && rest.starts_with('`');
        if is_code {
            out.pop();
        }
        out.push_str(&format!("[{title}](../{name}.md){}", &rest[usize::from(is_code)..]));
    }
    out
}

#[test]
fn the_changelog_is_a_page_of_the_documentation() {
    let path = pages_folder().join("reference/changelog.md");
    let text = changelog();
    if std::env::var("BLESS").is_ok_and(|names| names == "1" || names.contains("docs")) {
        fs::write(&path, &text).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "{}: write it anew with `BLESS=docs cargo test --test it docs::`", path.display());
}

/// A block of code: its language, its title and its text.
struct Block<'a> {
    language: &'a str,
    title: Option<&'a str>,
    text: String,
}

fn blocks(document: &str) -> Vec<Block<'_>> {
    let mut lines = document.lines();
    let mut blocks = Vec::new();
    while let Some(line) = lines.next() {
        let Some(words) = line.strip_prefix("```") else { continue };
        let title = words.split_once("title=\"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
        let text = lines.by_ref().take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
        blocks.push(Block { language: words.split(' ').next().unwrap_or_default(), title, text });
    }
    blocks
}

/// The title of a block that shows what the command before it prints.
const MESSAGE: &str = "The message";

#[test]
fn every_step_of_the_tutorial_works() {
    let document = fs::read_to_string(pages_folder().join("tutorial.md")).unwrap();
    let mut folder = generated::work_folder("tutorial");
    let blocks = blocks(&document);
    let mut written: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ran = 0;
    for (index, block) in blocks.iter().enumerate() {
        match (block.language, block.title) {
            ("sh", _) => {
                let message = blocks.get(index + 1).filter(|next| next.title == Some(MESSAGE));
                for line in block.text.lines() {
                    ran += 1;
                    match line.strip_prefix("cd ") {
                        Some(inner) => folder = folder.join(inner),
                        None if line == "sitegen serve" => serve(&folder),
                        None => run(line, &folder, message.map(|message| message.text.as_str())),
                    }
                }
            }
            (_, Some(MESSAGE)) => {}
            (_, Some(path)) => {
                if block.text.contains("](oven.jpg)") {
                    let photograph = repository().join("examples/brewery/content/assets/photos/barley.jpg");
                    fs::create_dir_all(folder.join("content/assets")).unwrap();
                    fs::copy(photograph, folder.join("content/assets/oven.jpg")).unwrap();
                }
                let times = written.entry(path).or_default();
                *times += 1;
                let file = folder.join(path);
                if path == "content/site.yaml" && *times == 1 {
                    assert_eq!(fs::read_to_string(&file).unwrap(), block.text, "what `new` writes is shown as it is");
                }
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, &block.text).unwrap();
            }
            (language, None) => panic!("a block of {language} without a title"),
        }
    }
    assert!(ran > 8 && written.len() > 8, "{ran} commands, {} files", written.len());
    for page in ["index.html", "about.html", "news.html", "news/spelt.html", "news/oven.html"] {
        assert!(folder.join("dist").join(page).exists(), "{page}");
    }
    let about = fs::read_to_string(folder.join("dist/about.html")).unwrap();
    assert!(about.contains("<picture>") && about.contains("image/webp"), "{about}");
    // What the text suggests to try.
    let entry = folder.join("content/news/spelt.md");
    let text = fs::read_to_string(&entry).unwrap();
    fs::write(&entry, text.replace("summary:", "sumary:")).unwrap();
    run("sitegen check", &folder, Some("error[unknown-key]: unknown key `sumary`\n"));
}

/// Runs a command. With a message it has to fail, and to print its lines.
fn run(line: &str, folder: &Path, message: Option<&str>) {
    let output = shell(line, folder).output().unwrap();
    let printed = stderr(&output);
    match message {
        None => assert!(output.status.success(), "{line}: {printed}"),
        Some(message) => {
            assert_eq!(output.status.code(), Some(1), "{line}: {printed}");
            let is_there = |wanted: &str| printed.lines().any(|line| line.trim_end() == wanted.trim_end());
            assert!(message.lines().all(is_there), "{line}: {printed}");
        }
    }
}

/// Starts the server, waits until it says where the site is, and ends it.
fn serve(folder: &Path) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .arg("serve")
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let is_up = lines.map_while(Result::ok).any(|line| line.contains("http://127.0.0.1:"));
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(is_up, "`sitegen serve` says where the site is");
}
