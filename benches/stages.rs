//! Measures the hot functions: those that a build calls for every page.
//!
//! `cargo bench` prints a table; `cargo bench -- markdown` measures one of them. Private functions are measured through
//! the stage that calls them. The sites are in memory, so that no file system takes part; `benches/peers/` measures
//! complete builds on a disk.

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use sitegen::cache::Cache;
use sitegen::content::address::Addresses;
use sitegen::content::assets::Assets;
use sitegen::content::dialect::Dialect;
use sitegen::content::{self, FileRoutes, Site, markdown, typed, yaml};
use sitegen::diagnostics::{Diagnostic, ToolProblem};
use sitegen::islands::{self, Islands};
use sitegen::pages::{self, Inputs};
use sitegen::paths::SourcePath;
use sitegen::profile::Profile;
use sitegen::sources::{Digest, Sources, digest};
use sitegen::styles::{self, Styles};
use sitegen::tools::{Bundled, Bundling, Files, Tools};
use sitegen::{artifacts, html};

/// The number of pages of the sites for complete stages.
const PAGES: usize = 200;

fn main() {
    divan::main();
}

#[divan::bench]
fn front_matter(bencher: Bencher) {
    let (front_matter, _) = parts(7);
    let path = SourcePath::new("content/pages/page-7.md");
    bencher
        .counter(BytesCount::of_str(&front_matter))
        .bench(|| yaml::parse(&path, black_box(&front_matter), 0).expect("the front matter is right"));
}

#[divan::bench]
fn markdown_of_a_page(bencher: Bencher) {
    let (_, body) = parts(7);
    let (path, assets, routes) = (SourcePath::new("content/pages/page-7.md"), Assets::default(), FileRoutes::default());
    let pictures = Default::default();
    let (names, dialect) = (Default::default(), Default::default());
    let hosts = Default::default();
    let addresses = Addresses {
        base_path: "",
        hosts: &hosts,
        assets: &assets,
        routes: &routes,
        pictures: &pictures,
        names: &names,
        order: &Default::default(),
        view: 0,
    };
    let context = markdown::Context {
        path: &path,
        offset: 0,
        raw_html: false,
        scope: Default::default(),
        addresses: &addresses,
        language: "en",
        dialect: &dialect,
        highlight: true,
        trace: None,
    };
    bencher.counter(BytesCount::of_str(&body)).bench(|| {
        let mut diagnostics = Vec::new();
        markdown::render(black_box(&body), &context, &mut diagnostics)
    });
}

/// As much text in each of the dialects that others write, with as many elements.
#[divan::bench(args = ["common", "github", "wiki"])]
fn markdown_of_a_dialect(bencher: Bencher, dialect: &str) {
    let part = match dialect {
        "github" => {
            "See https://a.test/x and ~~no~~ **slate**.\n\n- [ ] chalk\n- [x] clay\n\n> [!NOTE]\n> A river.\n\n"
        }
        "wiki" => {
            "See ==a word==, *no* and **slate** H~2~O.\n\n- chalk :tada:\n- clay %%x%%\n\n:::note\nA river.\n:::\n\n"
        }
        _ => "See <https://a.test/x> and *no* **slate**.\n\n- `t` chalk\n- `t` clay\n\n> A river.\n>\n> A note.\n\n",
    };
    let settings = "containers: true\nemoji: true\nmark: true\nsubscript: true\nsuperscript: true\n";
    let settings = yaml::parse(&SourcePath::new("s"), settings, 0).expect("the settings are right");
    let dialect = if dialect == "wiki" { typed::read(&settings) } else { Dialect::default() };
    let body =
        format!("{}\n\n{part}", "Grow simple round white fruit where the quiet river turns. ".repeat(4)).repeat(8);
    let (path, assets, routes) = (SourcePath::new("content/pages/page-7.md"), Assets::default(), FileRoutes::default());
    let (pictures, names) = Default::default();
    let hosts = Default::default();
    let addresses = Addresses {
        base_path: "",
        hosts: &hosts,
        assets: &assets,
        routes: &routes,
        pictures: &pictures,
        names: &names,
        order: &Default::default(),
        view: 0,
    };
    let context = markdown::Context {
        path: &path,
        offset: 0,
        raw_html: false,
        scope: Default::default(),
        addresses: &addresses,
        language: "en",
        dialect: &dialect,
        highlight: true,
        trace: None,
    };
    bencher.counter(BytesCount::of_str(&body)).bench(|| markdown::render(black_box(&body), &context, &mut Vec::new()));
}

#[divan::bench]
fn tokens_of_a_page(bencher: Bencher) {
    let page = Built::new().page();
    bencher.counter(BytesCount::of_str(&page)).bench(|| {
        let attributes = html::tokens(black_box(&page)).map(|token| match token {
            html::Token::Start(tag) => tag.attributes().count(),
            html::Token::End(_) | html::Token::Text(_) => 0,
        });
        attributes.sum::<usize>()
    });
}

#[divan::bench]
fn digest_of_a_page(bencher: Bencher) {
    let page = Built::new().page();
    bencher.counter(BytesCount::of_str(&page)).bench(|| digest(black_box(page.as_bytes())));
}

/// Front matter, references, schemas and Markdown of all pages.
#[divan::bench]
fn stage_resolve(bencher: Bencher) {
    let (sources, profile) = (site(PAGES), Profile::default());
    bencher
        .counter(ItemsCount::new(PAGES))
        .with_inputs(Nothing::default)
        .bench_refs(|tools| content::resolve(black_box(&sources), &profile, tools));
}

/// All pages through their templates.
#[divan::bench]
fn stage_render(bencher: Bencher) {
    let built = Built::new();
    bencher.counter(ItemsCount::new(PAGES)).bench(|| pages::render(black_box(built.inputs())));
}

/// Facts, policies, references and markup of all pages.
#[divan::bench]
fn stage_seal(bencher: Bencher) {
    let built = Built::new();
    bencher
        .counter(ItemsCount::new(PAGES))
        .with_inputs(|| pages::render(built.inputs()).value.expect("the site is right"))
        .bench_values(|pages| artifacts::seal(built.inputs(), pages));
}

/// From sources in memory to artifacts, for sites of several sizes: a page should take the same time in each.
#[divan::bench(args = [10, 100, 1000])]
fn build(bencher: Bencher, pages: usize) {
    let (sources, profile) = (site(pages), Profile::default());
    bencher.counter(ItemsCount::new(pages)).bench(|| {
        let built = sitegen::build(black_box(&sources), &profile, &Nothing::default());
        assert!(built.value.is_some(), "{:?}", built.diagnostics);
        built
    });
}

/// The same with a full cache: the cost of a build in which nothing has changed.
#[divan::bench(args = [10, 100, 1000])]
fn build_again(bencher: Bencher, pages: usize) {
    let (sources, profile, tools) = (site(pages), Profile::default(), Nothing::default());
    assert!(sitegen::build(&sources, &profile, &tools).value.is_some());
    bencher.counter(ItemsCount::new(pages)).bench(|| sitegen::build(black_box(&sources), &profile, &tools));
}

/// A site with all inputs of its pages.
struct Built {
    sources: Sources,
    profile: Profile,
    tools: Nothing,
    site: Site,
    styles: Styles,
    islands: Islands,
}

impl Built {
    fn new() -> Self {
        let (sources, profile, tools) = (site(PAGES), Profile::default(), Nothing::default());
        let resolved = content::resolve(&sources, &profile, &tools).value.expect("the site is right");
        let styles = styles::compile(&sources, &tools).value.expect("there are no styles");
        let islands = islands::compile(&sources, &profile, &tools).value.expect("there are no islands");
        // Nothing that was read may be cached when it is measured.
        Built { sources, profile, tools: Nothing::default(), site: resolved, styles, islands }
    }

    fn inputs(&self) -> Inputs<'_> {
        let Built { sources, profile, tools, site, styles, islands } = self;
        Inputs { sources, profile, site, view: site.main(), styles, islands, tools }
    }

    fn page(&self) -> String {
        let pages = pages::render(self.inputs()).value.expect("the site is right");
        let texts = pages.all.into_iter().map(|mut page| page.html.take().expect("it is in memory"));
        texts.max_by_key(String::len).expect("the site has pages")
    }
}

/// Tools for a site that has neither styles nor islands.
#[derive(Default)]
struct Nothing {
    cache: Cache,
}

impl Tools for Nothing {
    fn bundle(&self, _: &Bundling, _: &Files) -> Result<Bundled, Diagnostic> {
        let detail = "there is nothing to bundle".to_owned();
        Err(Diagnostic::failure(ToolProblem::Tool { program: "esbuild", detail }))
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
        &self.cache
    }
}

/// Returns a site of Markdown pages like those of the corpus of `benches/peers/`, with its templates.
fn site(pages: usize) -> Sources {
    let mut files = vec![
        ("content/site.yaml".to_owned(), include_str!("peers/projects/sitegen/content/site.yaml").to_owned()),
        (
            "content/pages/index.yaml".to_owned(),
            include_str!("peers/projects/sitegen/content/pages/index.yaml").to_owned(),
        ),
        ("templates/base.html".to_owned(), include_str!("peers/projects/sitegen/templates/base.html").to_owned()),
        (
            "templates/pages/page.html".to_owned(),
            include_str!("peers/projects/sitegen/templates/pages/page.html").to_owned(),
        ),
        (
            "templates/pages/index.html".to_owned(),
            include_str!("peers/projects/sitegen/templates/pages/index.html").to_owned(),
        ),
    ];
    files.extend((0..pages).map(|number| {
        let (front_matter, body) = parts(number);
        // Links go to existing pages.
        let body = body.replace("/page-8/", &format!("/page-{}/", (number + 1) % pages));
        (format!("content/pages/page-{number}.md"), format!("---\n{front_matter}---\n{body}"))
    }));
    Sources::from_files(files)
}

/// Returns the front matter and the body of a page of about 600 words.
fn parts(number: usize) -> (String, String) {
    let front_matter = format!(
        "title: Page {number} of the corpus\ndescription: \"What stands on page {number}, in a sentence.\"\nupdated: 2025-01-31\nweight: {number}\n"
    );
    let sentence = "Grow simple round white fruit, upper early station, where the *quiet* river **turns** to `the.sea`, as \
                    [the next page](/page-8/#part-1) says, and \"nobody\" knows why it does. ";
    let mut body = format!("{}\n", sentence.repeat(3));
    for part in 0..5 {
        let items = "- [a link](/page-8/) and a few words of text\n- **strong** words stand here\n".repeat(2);
        let table = "| Stone | Metre |\n|---|---|\n| slate | 312 |\n| chalk | 45 |\n";
        body.push_str(&format!(
            "\n## Part {part}\n\n{}\n\n{items}\n{table}\n```text\nslate = chalk({part}) < 9\n```\n\n{}\n",
            sentence.repeat(2),
            sentence.repeat(2)
        ));
    }
    (front_matter, body)
}
