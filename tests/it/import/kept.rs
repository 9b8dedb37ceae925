//! What an old site published besides its texts is published, or IMPORT.md lists it: lists, feeds and terms in all languages,
//! mounted folders, further documents.

use super::{project_of, run, said};
use crate::support::generated;
use std::collections::BTreeMap;
use std::path::Path;

type Files = [(&'static str, &'static str)];

/// Imports a site, builds it, and returns IMPORT.md, the sources and what is published.
fn moved(generator: &str, name: &str, files: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    let work = generated::work_folder(&format!("import-kept-{name}"));
    let project = project_of(generator, files, &work);
    let built = run(&project, &["build"]);
    assert!(built.status.success(), "{name}: {}", said(&built));
    generated::read(&project)
}

fn text(files: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    let bytes = files.get(path).unwrap_or_else(|| panic!("{path} is missing of {:?}", files.keys()));
    String::from_utf8_lossy(bytes).into_owned()
}

fn assert_parts(files: &BTreeMap<String, Vec<u8>>, parts: &Files) {
    for (path, part) in parts {
        let text = text(files, path);
        assert!(text.contains(part), "{path}: {part}\n{text}\n{}", self::text(files, "IMPORT.md"));
    }
}

fn assert_nowhere(files: &BTreeMap<String, Vec<u8>>, word: &str) {
    let has = |(path, bytes): &(&String, &Vec<u8>)| {
        path.starts_with("dist/")
            && String::from_utf8_lossy(bytes).contains(word)
            && Path::new(path).extension().is_some()
    };
    assert_eq!(files.iter().find(has).map(|(path, _)| path), None, "{word}");
}

#[test]
fn languages_of_hugo_have_their_lists_feeds_terms_and_menus_and_disabled_ones_nothing() {
    let files = moved(
        "hugo",
        "languages",
        &[
            (
                "hugo.toml",
                "baseURL = \"https://www.bakery.test/\"\ntitle = \"A\"\nignoreFiles = [\"\\\\.bak$\", \"^content/old/.*\", \"(hidden|secret)-[0-9]+\"]\ndefaultContentLanguage = \"en\"\n[permalinks]\nposts = \
                 \"/:year/:slug/\"\n[languages.en]\n[languages.de]\nlanguageName = \"Deutsch\"\n[languages.de.params]\nx = 1\n\
                 [[languages.de.menus.main]]\nname = \"Beiträge\"\npageRef = \"/posts\"\n[languages.fr]\ndisabled = true\n\
                 [languages.es]\ndisabled = true\ncontentDir = \"content/spanish\"\n[[menus.main]]\nname = \"Salt\"\npageRef = \
                 \"/posts/salt\"\n",
            ),
            (
                "content/posts/salt.md",
                "---\ntitle: Salt\nslug: fine-salt\ndate: 2024-01-01\ntags: [Sea, Fish]\n---\nSlow.\n",
            ),
            ("content/posts/salt.de.md", "---\ntitle: Salz\nslug: salz\ndate: 2024-01-01\n---\nLangsam.\n"),
            ("content/posts/only.de.md", "---\ntitle: Nur\ndate: 2024-01-02\ntags: [Größe]\n---\nNur hier.\n"),
            ("content/posts/salt.fr.md", "---\ntitle: SECRET\ndate: 2024-01-01\n---\nSECRET\n"),
            ("content/posts/bundle/index.md", "---\ntitle: Bundle\ndate: 2024-01-03\n---\nx\n"),
            ("content/posts/bundle/plan.fr.txt", "SECRET\n"),
            ("content/spanish/posts/sal.md", "---\ntitle: SECRET\ndate: 2024-01-01\n---\nSECRET\n"),
            ("content/spanish/posts/sal.txt", "SECRET\n"),
            ("content/posts/.private.txt", "SECRET\n"),
            ("content/posts/_content.gotmpl", "SECRET\n"),
            ("content/posts/notes.bak", "SECRET\n"),
            ("content/old/a.md", "---\ntitle: SECRET\n---\nSECRET\n"),
            ("content/posts/hidden-1.md", "---\ntitle: SECRET\ndate: 2024-01-01\n---\nSECRET\n"),
            ("content/recipes/_index.md", "---\ntitle: Recipes\n---\nAll of them.\n"),
            ("content/recipes/rye.md", "---\ntitle: Rye\n---\nx\n"),
            ("content/recipes/own.de.md", "---\ntitle: Eigen\n---\nx\n"),
            ("content/recipes/rye.de.md", "---\ntitle: Roggen\n---\nx\n"),
            ("content/neues/a.de.md", "---\ntitle: Allein\ndate: 2024-01-05\n---\nx\n"),
            ("content/news/_index.de.md", "---\ntitle: Neues\n---\nWort.\n"),
            ("content/news/a.md", "---\ntitle: One\ndate: 2024-01-04\n---\nx\n"),
            ("content/news/a.de.md", "---\ntitle: Eins\ndate: 2024-01-04\n---\nx\n"),
        ],
    );
    assert_parts(
        &files,
        &[
            ("dist/de/posts/index.html", "Nur</a>"),
            ("dist/de/posts/index.html", "Salz</a>"),
            ("dist/de/posts/index.xml", "Nur"),
            ("dist/de/index.xml", "Nur"),
            ("dist/de/2024/nur/index.html", "Nur hier."),
            ("dist/de/tags/index.html", "Größe"),
            ("dist/de/tags/grosse/index.xml", "Nur"),
            ("dist/de/tags/größe/index.html", "/de/tags/grosse/"),
            ("dist/de/index.html", "<a href=\"/de/posts/\">Beiträge</a>"),
            ("dist/index.html", "<a href=\"/2024/fine-salt/\">Salt</a>"),
            ("dist/de/neues/index.xml", "Allein"),
            ("dist/de/news/index.html", "Wort."),
            ("dist/de/news/index.html", "Eins</a>"),
            ("dist/de/recipes/index.html", "Roggen</a>"),
            ("dist/de/recipes/index.html", "Eigen</a>"),
            ("content/posts/fine-salt.de.md", "tags: []"),
            ("IMPORT.md", "settings of the language `de` that were left out: `params`"),
            ("IMPORT.md", "content/posts/salt.fr.md"),
            ("IMPORT.md", "content/spanish: the language of this folder is disabled"),
        ],
    );
    assert!(!text(&files, "dist/de/recipes/index.html").contains("All of them."));
    assert!(!files.contains_key("dist/de/tags/sea/index.html"), "the German text has no tags");
    assert_nowhere(&files, "SECRET");
}

#[test]
fn mounted_folders_and_terms_at_other_addresses_of_hugo_are_imported() {
    let files = moved(
        "hugo",
        "mounts",
        &[
            (
                "hugo.toml",
                "baseURL = \"https://www.bakery.test/\"\ntitle = \"A\"\n[permalinks.term]\ntags = \"/topic/:slug/\"\n\
                 [[module.imports]]\npath = \"github.com/a/theme\"\n[[module.mounts]]\nsource = \"content\"\ntarget = \"content\"\n\
                 [[module.mounts]]\nsource = \"extra\"\ntarget = \"content/news\"\nexcludeFiles = [\"private/**\"]\n\
                 [[module.mounts]]\nsource = \"files\"\ntarget = \"static/downloads\"\n",
            ),
            ("content/about.md", "---\ntitle: About\n---\nWe.\n"),
            ("content/news/old.md", "---\ntitle: Old\ndate: 2024-01-01\n---\nx\n"),
            ("content/news/quiet.md", "---\ntitle: Quiet\ndate: 2024-01-03\nbuild: { list: never }\n---\nHush.\n"),
            ("extra/new.md", "---\ntitle: New\ndate: 2024-01-02\ntags: [C, C++, \"C#\"]\n---\nx `{{< now >}}`\n"),
            ("extra/private/note.md", "---\ntitle: SECRET\ndate: 2024-01-02\n---\nSECRET\n"),
            ("files/plan.txt", "plan\n"),
        ],
    );
    assert_parts(
        &files,
        &[
            ("dist/news/new/index.html", "New"),
            ("dist/news/index.xml", "Old"),
            ("dist/downloads/plan.txt", "plan"),
            ("dist/news/quiet/index.html", "Hush."),
            ("dist/topic/c/index.html", "/tags/c/"),
            ("dist/tags/c-sharp/index.html", "New"),
            ("content/news/new.md", "x `{{< now >}}`"),
            ("IMPORT.md", "the shortcode `now` in code was left as it is written"),
            ("IMPORT.md", "the module `github.com/a/theme` was left out"),
            ("IMPORT.md", "`/topic/c/index.xml` is gone"),
            ("IMPORT.md", "the term `C++` is `C plus plus` now"),
        ],
    );
    assert!(!text(&files, "dist/news/index.html").contains("Quiet"), "a list shows what no list showed");
    assert!(!text(&files, "dist/news/index.xml").contains("Quiet"), "a feed has what no list showed");
    assert_nowhere(&files, "SECRET");
}

#[test]
fn blogs_with_texts_without_dates_keep_their_lists_and_list_what_is_a_page_now() {
    for (generator, config, feed) in [
        ("hugo", ("hugo.toml", "baseURL = \"https://www.bakery.test/\"\ntitle = \"A\"\n"), "index.xml"),
        (
            "zola",
            (
                "config.toml",
                "base_url = \"https://www.bakery.test\"\ntitle = \"A\"\ngenerate_feeds = true\ntaxonomies = [{ name = \"tags\", feed = \
                 true }]\n",
            ),
            "atom.xml",
        ),
    ] {
        let text = |title: &str, more: &str, tags: &str| match generator {
            "hugo" => format!("---\ntitle: {title}\n{}{tags}\n---\nx\n", more.replace(" = ", ": ")),
            _ => format!("+++\ntitle = \"{title}\"\n{more}[taxonomies]\n{}\n+++\nx\n", tags.replace(": ", " = ")),
        };
        let texts = [
            ("content/posts/a.md", text("First", "date = 2024-01-01\n", "tags: [\"a\"]")),
            ("content/posts/b.md", text("Second", "date = 2024-01-02\n", "tags: [\"a\"]")),
            ("content/posts/c.md", text("Third", "", "tags: [\"a\"]")),
            ("content/posts/d.md", text("Draft", "draft = true\n", "tags: [\"b\"]")),
            ("content/posts/e.md", text("Other draft", "draft = true\n", "tags: [\"b\"]")),
            ("content/guide.md", text("Guide", "", "tags: [\"guide\"]")),
        ];
        let section = (
            "content/posts/_index.md",
            match generator {
                "hugo" => "---\ntitle: Posts\n---\n",
                _ => "+++\ntitle = \"Posts\"\nsort_by = \"date\"\ngenerate_feeds = true\n+++\n",
            },
        );
        let files: Vec<(&str, &str)> =
            texts.iter().map(|(path, text)| (*path, text.as_str())).chain([config, section]).collect();
        let files = moved(generator, &format!("undated-{generator}"), &files);
        let has = |path: &str, word: &str| self::text(&files, path).contains(word);
        for path in [feed, &format!("posts/{feed}"), &format!("tags/a/{feed}"), "posts/index.html", "tags/a/index.html"]
        {
            assert!(has(&format!("dist/{path}"), "Second"), "{generator} {path}");
        }
        assert!(has("dist/posts/c/index.html", "Third") && has("dist/tags/guide/index.html", "Guide"), "{generator}");
        assert!(has("IMPORT.md", "content/posts/c.md: the post has no date"), "{generator}");
        assert!(has("IMPORT.md", &format!("`/tags/guide/{feed}` is gone")), "{generator}");
    }
}

#[test]
fn files_below_pages_numbers_and_texts_in_one_language_of_zola_stay() {
    let files = moved(
        "zola",
        "zola",
        &[
            (
                "config.toml",
                "base_url = \"https://www.bakery.test\"\ntitle = \"A\"\nignored_content = [\"*.todo\", \"**/private\"]\ntaxonomies = [{ name = \"tags\", feed = \
                 true }]\n[languages.de]\n\
                 generate_feeds = true\ntaxonomies = [{ name = \"tags\", feed = true }]\n",
            ),
            ("content/blog/draft/index.md", "+++\ntitle = \"Draft\"\ndate = 2024-01-01\ndraft = true\n+++\nSECRET\n"),
            ("content/blog/draft/src/main.rs", "SECRET\n"),
            ("content/blog/notes.todo", "SECRET\n"),
            ("content/private/a.md", "+++\ntitle = \"SECRET\"\n+++\nSECRET\n"),
            ("content/_index.md", "+++\ntitle = \"Home\"\n+++\nWelcome.\n"),
            ("content/blog/_index.md", "+++\ntitle = \"Blog\"\nsort_by = \"date\"\n+++\n"),
            ("content/blog/_index.de.md", "+++\ntitle = \"Blog\"\nsort_by = \"date\"\n+++\n"),
            (
                "content/blog/2024-05-06-salt/index.md",
                "+++\ntitle = \"Salt\"\n[taxonomies]\ntags = [\"Sea\"]\n+++\n<!-- more -->\n[code](src/main.rs)\n\n{{ sizes(all=[1, 2]) }}\n",
            ),
            ("content/blog/2024-05-06-salt/src/main.rs", "fn main() {}\n"),
            (
                "content/blog/only.de.md",
                "+++\ntitle = \"Nur\"\ndate = 2024-01-02\n[taxonomies]\ntags = [\"Haus\"]\n+++\nx\n",
            ),
        ],
    );
    assert_parts(
        &files,
        &[
            ("dist/blog/salt/src/main.rs", "fn main"),
            ("content/blog/salt.md", "{{ <sizes all={[1, 2]} /> }}"),
            ("dist/de/blog/index.html", "Nur</a>"),
            ("dist/de/tags/index.html", "Haus"),
            ("dist/de/tags/haus/atom.xml", "Nur"),
            ("dist/de/index.html", "hreflang=\"en\""),
            ("IMPORT.md", "the mark at the end of the summary was left out"),
        ],
    );
    assert!(!text(&files, "dist/de/index.html").contains("Welcome."));
    assert_nowhere(&files, "SECRET");
}

#[test]
fn further_documents_of_docusaurus_are_imported_and_unlisted_ones_are_in_no_list() {
    let files = moved(
        "docusaurus",
        "docusaurus",
        &[
            (
                "docusaurus.config.js",
                "module.exports = { title: 'A', url: 'https://www.bakery.test', baseUrl: '/', presets: [['classic', {}]], i18n: { defaultLocale: 'en', locales: \
                 ['en', 'de'] },\n plugins: [['@docusaurus/plugin-content-docs', { id: 'community', path: 'community', routeBasePath: \
                 'community', sidebarPath: './community.js', exclude: ['**/drafts/**'] }]] };\n",
            ),
            ("community.js", "module.exports = { own: [{ type: 'doc', id: 'team', label: 'The team' }] };\n"),
            ("community/team.md", "# Team\n\n[Start](/docs/intro) and <!-- hidden --> `<!-- shown -->`.\n"),
            ("community/drafts/a.md", "# SECRET\n"),
            ("community_versions.json", "[]"),
            (
                "docs/intro.md",
                "# Intro\n\n```js\nlet a;\n// highlight-next-line\nlet b;\n```\n\n```js ins={2} del={1,3} showLineNumbers=false\n1\n2\n3\n```\n",
            ),
            ("docs/quiet.md", "---\nunlisted: true\ntags: [x]\n---\n# Quiet\n"),
            ("i18n/de/docusaurus-plugin-content-docs/current/intro.md", "# Start\n"),
            ("i18n/de/docusaurus-plugin-content-docs/current/only.md", "# SECRET\n"),
            ("i18n/de/docusaurus-plugin-content-docs-community/current/team.md", "# Leute\n"),
            ("blog/2024-01-01-a.md", "---\ntitle: First\nauthors: [ida]\n---\nx\n"),
            ("blog/2024-01-02-b.md", "---\ntitle: Quiet\nunlisted: true\ntags: [x]\n---\nx\n"),
            ("blog/authors.yml", "ida: { name: Ida, page: true }\n"),
        ],
    );
    assert_parts(
        &files,
        &[
            ("dist/community/team/index.html", "href=\"/docs/intro/\""),
            ("content/pages/community/team.md", "and  `<!-- shown -->`."),
            ("content/site.yaml", "{ text: The team, path: /community/team/, level: 0 }"),
            ("content/pages/docs/intro.md", "```js {2}\nlet a;\nlet b;\n```"),
            ("content/pages/docs/intro.md", "```js ins={2} del={1,3}\n"),
            ("dist/docs/quiet/index.html", "Quiet"),
            ("IMPORT.md", "/current/only.md: Docusaurus shows no translation of a text"),
            ("IMPORT.md", "translations of further plugins for documents were left out"),
            ("IMPORT.md", "`/blog/archive/` is gone"),
            ("IMPORT.md", "`/blog/authors/ida/` is gone"),
        ],
    );
    for path in ["dist/blog/index.html", "dist/blog/rss.xml", "dist/index.html", "content/site.yaml"] {
        assert!(!text(&files, path).contains("Quiet"), "{path}");
    }
    assert_nowhere(&files, "SECRET");
}
