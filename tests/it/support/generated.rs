//! A generated project of any size: pages in folders that link to each other, a collection with a schema, templates,
//! styles, assets, and islands on request. The same numbers give the same project.
#![allow(dead_code, reason = "every test uses its own part of this")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of a project by their paths.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Random numbers that are the same for the same seed (splitmix64).
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a limit, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

const HEAD: &str = "<!doctype html>\n<html lang=\"{{ site.language }}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{% block \
                    title %}{{ page.title }}{% endblock %}</title>\n{{ styles() }}\n</head>\n<body>\n<header><a \
                    href=\"{{ url(path=\"/\") }}\">{{ site.name }}</a></header>\n<main>\n<h1>{{ page.title \
                    }}</h1>\n{% block body %}{% endblock %}\n</main>\n<footer>{{ pages | length }} pages, {{ site.motto \
                    }}</footer>\n</body>\n</html>\n";

/// Returns a project with this many Markdown pages besides its home page.
pub fn project(pages: usize, islands: bool) -> Files {
    let mut files = Files::new();
    let mut add = |path: &str, text: String| files.insert(path.to_owned(), text.into_bytes());
    add(
        "content/site.yaml",
        "url: https://www.hollowoven.test\nlanguage: en\nname: Hollow Oven\nemail: hello@hollowoven.test\nmotto: Bread \
         since 1907\nsettings:\n  routes: directory\n"
            .into(),
    );
    add(
        "content/pages/index.yaml",
        "title: Home\ntemplate: pages/home.html\nlead: Welcome to {{ site.name }}\n".into(),
    );
    for number in 0..pages {
        add(&page_path(number), page_text(number, pages, 0));
    }
    for number in 0..(pages / 5).max(3) {
        add(&format!("content/loaves/loaf-{number}.yaml"), loaf(number));
    }
    add(
        "content/schemas/loaves.schema.json",
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"Loaf\",\n  \"type\": \
         \"object\",\n  \"additionalProperties\": false,\n  \"required\": [\"name\", \"price\"],\n  \"properties\": \
         {\n    \"name\": { \"description\": \"Its name.\", \"type\": \"string\", \"minLength\": 3 },\n    \"price\": { \
         \"description\": \"In euros.\", \"type\": \"number\", \"maximum\": 99 },\n    \"order\": { \"description\": \
         \"Its place.\", \"type\": \"integer\" },\n    \"note\": { \"description\": \"More.\", \"type\": \"string\" }\n  \
         }\n}\n"
            .into(),
    );
    add(
        "content/schemas/pages/page.schema.json",
        "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": \"Page\",\n  \"type\": \
         \"object\",\n  \"properties\": { \"lead\": { \"description\": \"First words.\", \"type\": \"string\" } }\n}\n"
            .into(),
    );
    for number in 0..4 {
        add(
            &format!("content/assets/art/drawing-{number}.svg"),
            format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M{number} 0h9v9z\"/></svg>\n"
            ),
        );
    }
    add("content/assets/prices.txt", "Rye 4.20\n".into());
    add("content/public/.well-known/security.txt", "Contact: mailto:hello@hollowoven.test\n".into());
    add("content/pages/search.json.yaml", "template: search.json\n".into());
    add(
        "templates/search.json",
        "{\n  \"home\": {{ url(path=\"/\", absolute=true) | json }},\n  \"pages\": [\n{%- for each in pages %}\n    {{ \
         [each.url, each.title] | json }}{% if not loop.last %},{% endif %}\n{%- endfor %}\n  ]\n}\n"
            .into(),
    );
    add("content/pages/prices.ics.yaml", "template: prices.ics\n".into());
    add(
        "templates/prices.ics",
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//hollowoven.test//EN\n{% for loaf in collections.loaves \
         %}\nBEGIN:VEVENT\nUID:{{ loaf.slug }}\nDTSTAMP:20260101T000000Z\nDTSTART;VALUE=DATE:20260101\nSUMMARY:{{ \
         loaf.name | ics }}\nEND:VEVENT\n{% endfor %}\nEND:VCALENDAR\n"
            .into(),
    );
    add("templates/base.html", HEAD.into());
    add(
        "templates/pages/page.html",
        "{% extends \"base.html\" %}\n{% block body %}{{ page.content }}{% endblock %}\n".into(),
    );
    add(
        "templates/pages/home.html",
        format!(
            "{{% extends \"base.html\" %}}\n{{% block body %}}\n<p>{{{{ page.lead }}}}</p>\n<p>{{{{ \
             \"2026-12-24\" | date(format=\"%A, %-d %B %Y\") }}}}</p>\n{{{{ \
             inline_svg(path=\"art/drawing-0.svg\") }}}}\n<img src=\"{{{{ asset(path=\"art/drawing-1.svg\") }}}}\" width=\"4\" height=\"4\" \
             alt=\"A drawing\">\n<a href=\"{{{{ asset(path=\"prices.txt\") }}}}\">Prices</a>\n<ul>\n{{%- for loaf in collections.loaves %}}\n{{{{ <loafcard loaf={{loaf}} /> \
             }}}}\n{{%- endfor %}}\n</ul>\n{}{{% endblock %}}\n",
            if islands {
                "{{ island(component=\"Order\", props={\"loaf\": entries.loaves[\"loaf-1\"].name}, hydrate=\"load\") \
                 }}\n{{ island(component=\"Count\", props={\"start\": 3}) }}\n"
            } else {
                ""
            }
        ),
    );
    add(
        "templates/components/loafcard/loafcard.html",
        "{% component loafcard(loaf: map) %}\n<li class=\"loaf-card\">{{ loaf.name }}, {{ loaf.price }} €{% if loaf.note is \
         defined %}: {{ loaf.note }}{% endif %}</li>\n{% endcomponent loafcard %}\n"
            .into(),
    );
    add(
        "templates/components/loafcard/loafcard.css",
        ".loaf-card { background: url(../../../content/assets/art/drawing-2.svg); color: #333; }\n".into(),
    );
    add("templates/styles/main.css", "@import \"./tokens.css\";\nbody { color: var(--ink); }\n".into());
    add("templates/styles/tokens.css", ":root { --ink: #111; }\n".into());
    if islands {
        // Without it, that of a parent folder would say how packages are imported.
        add("package.json", "{ \"private\": true, \"type\": \"module\" }\n".into());
        add("islands/parts/words.ts", "export const please = \"please\";\n".into());
        add(
            "islands/Order.tsx",
            "import { please } from \"./parts/words\";\nimport { unit } from \"../lib/units\";\n\nexport default function \
             Order({ loaf }: { loaf: string }) {\n  return <p>One {unit} of {loaf}, {please}.</p>;\n}\n"
                .into(),
        );
        add(
            "islands/Count.tsx",
            "import { useState } from \"react\";\nimport \"./count.css\";\n\nexport default function Count({ start }: { \
             start: number }) {\n  const [count, setCount] = useState(start);\n  const until = new \
             Date(\"2026-12-31T23:30:00-11:00\");\n  return <button type=\"button\" onClick={() => setCount(count + \
             1)}>{count} loaves until {until.toISOString()}, {until.getUTCDate()}</button>;\n}\n"
                .into(),
        );
        add("islands/count.css", "button { font-weight: 700; }\n".into());
        // Outside the folders that sitegen reads, and yet a part of the site.
        add("lib/units.ts", "export const unit = \"piece\";\n".into());
        for name in ["Boundary.tsx", "entered.ts", "loader.ts", "mount.tsx", "prerender.tsx"] {
            let text = fs::read(repository().join("crates/islands/src/runtime").join(name)).unwrap();
            files.insert(format!("islands/runtime/{name}"), text);
        }
    }
    files
}

/// Adds a collection of posts, with a page for each, lists in parts, tags and authors. Their templates read no `pages`,
/// so that each page depends on what it shows alone.
pub fn add_posts(files: &mut Files, posts: usize) {
    let mut add = |path: &str, text: &str| files.insert(path.to_owned(), text.as_bytes().to_vec());
    for number in 0..posts {
        add(&format!("content/posts/post-{number}.md"), &post(number, number % 28 + 1));
    }
    add("content/authors/ida.yaml", "name: Ida\n");
    add("content/authors/olu.yaml", "name: Olu\n");
    add("content/pages/about-ida.md", "---\ntitle: \"{{ authors.ida.name }} bakes\"\n---\nBread.\n");
    add(
        "content/pages/posts/[slug].md",
        "---\nfor_each: posts\ntitle: \"{{ entry.title }}\"\ntemplate: pages/post.html\n---\nBy {{ site.name }}: {{ \
         entry.title }}.\n",
    );
    add(
        "content/pages/posts/index.yaml",
        "title: \"Posts {{ list.number }}\"\ntemplate: pages/posts.html\nlist: { collection: posts, sort: -date, per_page: \
         7 }\nfeed: true\n",
    );
    add(
        "content/pages/posts/tags/[tag].yaml",
        "for_each: posts.tags\ntitle: \"{{ term.name }}, {{ term.count }}\"\ntemplate: pages/posts.html\nlist: { sort: \
         [-date, title], per_page: 5 }\n",
    );
    add(
        "content/pages/contents.yaml",
        "title: Contents\ntemplate: pages/posts.html\nlist: { collection: pages, sort: title }\n",
    );
    let page = |body: &str| {
        format!(
            "<!doctype html>\n<html lang=\"{{{{ page.language }}}}\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{{{ page.title \
             }}}}</title>\n</head>\n<body>\n<h1>{{{{ page.title }}}}</h1>\n{body}</body>\n</html>\n"
        )
    };
    add(
        "templates/pages/post.html",
        &page(
            "{% for above in page.ancestors %}<p>{{ above.title }}</p>\n{% endfor %}{{ page.content }}\n<p>{{ \
             entries.authors[entry.author].name }}</p>\n{{ entry.content }}\n{% if page.previous %}<p>{{ \
             page.previous.title }}</p>{% endif %}\n{% if page.next %}<a href=\"{{ url(entry=page.next) }}\">Next</a>{% \
             endif %}\n",
        ),
    );
    add(
        "templates/pages/posts.html",
        &page(
            "{% for entry in list.entries %}<a href=\"{{ url(entry=entry) }}\">{{ entry.title }}</a>\n{% endfor %}<p>{{ \
             list.number }} of {{ list.count }}</p>\n",
        ),
    );
    add(
        "templates/pages/tags.html",
        &page(
            "{% for term in terms(collection=\"posts\", key=\"tags\") %}<a href=\"{{ url(path=term.route) }}\">{{ term.name }} {{ \
             term.count }}</a>\n{% endfor %}",
        ),
    );
    add("content/pages/tags.yaml", "title: Tags\ntemplate: pages/tags.html\n");
}

fn post(number: usize, day: usize) -> String {
    let tag = ["rye", "oat", "spelt"][number % 3];
    let author = ["ida", "olu"][number % 2];
    let motto = if number % 4 == 1 { ", \"{{ site.motto }}\"" } else { "" };
    format!(
        "---\ntitle: Post {number}\ndate: 2026-10-{day:02}\ntags: [bread, {tag}{motto}]\nauthor: {author}\n---\nWords of post {number}. \
         See [another](post-{}.md).\n",
        number / 2
    )
}

pub fn page_path(number: usize) -> String {
    format!("content/pages/guides/{}/page-{number}.md", ["flour", "water", "salt"][number % 3])
}

/// Returns a page with the number of the round it was written in, and links to others.
pub fn page_text(number: usize, pages: usize, round: usize) -> String {
    let others: String = [7, 31, 2]
        .map(|step| (number * step + step) % pages)
        .map(|other| format!("- [Page {other}](/guides/{}/page-{other})\n", ["flour", "water", "salt"][other % 3]))
        .concat();
    format!(
        "---\ntitle: Page {number}\n---\nRound {round}. Write to {{{{ site.email }}}}.\n\n## Others\n\n{others}\n![A \
         drawing](art/drawing-{}.svg)\n",
        number % 4
    )
}

/// Adds the index of a search.
pub fn add_search(files: &mut Files) {
    let site = files.get_mut("content/site.yaml").unwrap();
    let text = String::from_utf8(std::mem::take(site)).unwrap();
    *site = text.replace("  routes: directory\n", "  routes: directory\n  search: true\n").into_bytes();
    assert!(site.windows(14).any(|part| part == b"  search: true"));
}

/// Adds pictures: a call in the template of the home page, and some in Markdown.
pub fn add_pictures(files: &mut Files) {
    for number in 0..3 {
        files.insert(format!("content/assets/photos/crumb-{number}.png"), picture(30, number));
    }
    let home = files.get_mut("templates/pages/home.html").unwrap();
    let call = "{{ picture(path=\"photos/crumb-0.png\", alt=\"\", widths=[9, 20], ratio=1) }}\n<ul>";
    *home = String::from_utf8_lossy(home).replacen("<ul>", call, 1).into_bytes();
    let pages = files.iter_mut().filter(|(path, _)| path.starts_with("content/pages/guides"));
    for (number, (_, text)) in pages.enumerate().filter(|(number, _)| number % 4 == 0) {
        text.extend(format!("\n![](photos/crumb-{}.png)\n", 1 + number / 4 % 2).bytes());
    }
}

/// Adds an SVG whose path a template joins, so that every text is searched for its words.
pub fn add_joined_path(files: &mut Files) {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M0 0h9v9z\"/></svg>\n";
    files.insert("content/assets/art/bread.svg".to_owned(), svg.as_bytes().to_vec());
    let home = files.get_mut("templates/pages/home.html").unwrap();
    let call = "{% if page.lead == \"bread\" %}{{ inline_svg(path=\"art/\" ~ page.lead ~ \".svg\") }}{% endif %}\n<ul>";
    *home = String::from_utf8_lossy(home).replacen("<ul>", call, 1).into_bytes();
}

/// Adds a link preview of the home page, and a budget that only large pages have to be compressed for.
pub fn add_preview_and_budget(files: &mut Files) {
    let font = fs::read(repository().join("content/assets/fonts/overpass-800.woff2")).unwrap();
    files.insert("content/assets/fonts/overpass-800.woff2".to_owned(), font);
    let card = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 120 63\"><text x=\"8\" y=\"30\" font-size=\"9\">{{ \
                title }}</text></svg>\n";
    files.insert("templates/social/card.svg".to_owned(), card.into());
    let mut edit = |path: &str, from: &str, to: &str| {
        let text = String::from_utf8_lossy(&files[path]).into_owned();
        assert!(text.contains(from));
        files.insert(path.to_owned(), text.replacen(from, to, 1).into_bytes());
    };
    let call = "<img src=\"{{ social_picture(template=\"social/card.svg\", data={\"title\": page.title}) }}\" width=\"120\" \
                height=\"63\" alt=\"\">\n<ul>";
    edit("templates/pages/home.html", "<ul>", call);
    edit("content/site.yaml", "  routes: directory\n", "  routes: directory\n  budgets: { html: 4 }\n");
}

/// A PNG of this width and twice the height.
pub fn picture(width: u32, seed: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, width * 2);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> = (0..width * width * 6).map(|at| (at * (seed + 3)) as u8).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

fn loaf(number: usize) -> String {
    format!("name: Loaf number {number}\nprice: {}.5\nnote: Baked by {{{{ site.name }}}}\n", number % 9 + 1)
}

pub fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Writes the files into a folder.
pub fn write(files: &Files, root: &Path) {
    for (path, bytes) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Returns all files of a folder by their paths; empty if it does not exist. Links are not followed.
pub fn read(folder: &Path) -> Files {
    let walk = walkdir::WalkDir::new(folder).into_iter().flatten().filter(|entry| !entry.file_type().is_dir());
    walk.map(|entry| {
        let path = entry.path().strip_prefix(folder).unwrap();
        let path = path.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
        (path, fs::read(entry.path()).unwrap())
    })
    .collect()
}

/// Copies all files of a folder.
pub fn copy(from: &Path, to: &Path) {
    write(&read(from), to);
}

/// Returns an empty folder for projects like [`work_folder`], in memory if the system has a folder for that: ext4 looks long
/// for an inode while many were deleted just before, which takes more time than the builds of a thousand small files. It is
/// removed with the value.
pub fn work_folder_in_memory(name: &str) -> (PathBuf, Option<tempfile::TempDir>) {
    let Ok(folder) = tempfile::tempdir_in("/dev/shm") else { return (work_folder(name), None) };
    std::os::unix::fs::symlink(packages(), folder.path().join("node_modules")).unwrap();
    // The program esbuild is taken from above a project only within a repository.
    fs::create_dir(folder.path().join(".git")).unwrap();
    (folder.path().canonicalize().unwrap(), Some(folder))
}

/// Returns the packages of this repository.
fn packages() -> PathBuf {
    let packages = repository().join("node_modules");
    assert!(packages.is_dir(), "the packages of this repository are not installed: run `npm ci`");
    packages
}

/// Returns an empty folder for projects, from which the packages of this repository are found as Node finds them:
/// above. Checkouts that share a build folder have folders of their own.
pub fn work_folder(name: &str) -> PathBuf {
    let checkout = repository().to_string_lossy().replace('/', "-");
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join(checkout).join(name);
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).unwrap();
    let packages = packages();
    if !work.ancestors().any(|folder| folder.join("node_modules") == packages) {
        std::os::unix::fs::symlink(&packages, work.join("node_modules")).unwrap();
        fs::create_dir(work.join(".git")).unwrap();
    }
    work
}

/// Describes which files differ, in a message that fits on a screen.
pub fn difference(expected: &Files, found: &Files) -> Option<String> {
    let names: std::collections::BTreeSet<&String> = expected.keys().chain(found.keys()).collect();
    let mut reported = Vec::new();
    for name in names {
        match (expected.get(name), found.get(name)) {
            (Some(a), Some(b)) if a == b => {}
            (Some(_), None) => reported.push(format!("{name} is missing")),
            (None, _) => reported.push(format!("{name} should not be there")),
            (Some(a), Some(b)) => {
                let at = a.iter().zip(b).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
                let part = |bytes: &[u8]| {
                    let from = at.saturating_sub(60);
                    String::from_utf8_lossy(&bytes[from..bytes.len().min(at + 60)]).into_owned()
                };
                reported.push(format!(
                    "{name} differs at byte {at}:\n  expected …{}…\n  found    …{}…",
                    part(a),
                    part(b)
                ));
            }
        }
    }
    reported.truncate(8);
    (!reported.is_empty()).then(|| reported.join("\n"))
}
