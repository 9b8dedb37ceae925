//! A site that uses every ability of the engine at least once, and edits that change each of them.
//!
//! The site is `examples/brewery`, with small pictures in place of its photographs, and a workshop that has what the
//! brewery does without. Whoever adds an ability to the engine adds it here, with its edits.

use super::generated::{self, Files, Random};
use std::collections::BTreeMap;

/// A change of one thing that a build may depend on.
pub enum Edit {
    /// Replaces a text in a file. A second time, it replaces it back.
    Text(&'static str, &'static str, &'static str),
    /// Adds a file, or removes it if it is there.
    File(&'static str, &'static str),
    /// Puts another picture in the place of one, or the first one back.
    Picture(&'static str),
}

impl Edit {
    /// Whether it changes something in these files.
    pub fn fits(&self, files: &Files) -> bool {
        match self {
            Edit::Text(path, from, _) => {
                files.get(*path).is_some_and(|bytes| String::from_utf8_lossy(bytes).contains(from))
            }
            Edit::File(path, text) => files.contains_key(*path) || !text.is_empty(),
            Edit::Picture(path) => files.contains_key(*path),
        }
    }

    /// Does it, and returns a description.
    pub fn make(&self, files: &mut Files, original: &Files) -> String {
        match self {
            Edit::Text(path, from, to) => {
                let text =
                    files.get(*path).map(|bytes| String::from_utf8_lossy(bytes).into_owned()).unwrap_or_default();
                let (from, to) = if text.contains(from) { (from, to) } else { (to, from) };
                if !text.contains(from) {
                    return format!("leave {path}, in which another edit was made there");
                }
                files.insert((*path).to_owned(), text.replacen(from, to, 1).into_bytes());
                format!("replace {from:?} by {to:?} in {path}")
            }
            Edit::File(path, text) => match files.remove(*path) {
                Some(_) => format!("remove {path}"),
                None => {
                    let bytes = original.get(*path).cloned().unwrap_or_else(|| text.as_bytes().to_vec());
                    files.insert((*path).to_owned(), bytes);
                    format!("add {path}")
                }
            },
            Edit::Picture(path) => {
                let other = encoded(path, 9);
                let is_other = files.get(*path) == Some(&other);
                files.insert((*path).to_owned(), if is_other { original[*path].clone() } else { other });
                format!("replace {path}")
            }
        }
    }
}

/// Returns the site.
pub fn project() -> Files {
    let brewery = generated::repository().join("examples/brewery");
    let mut files = Files::new();
    for folder in ["content", "templates", "islands"] {
        let found = generated::read(&brewery.join(folder));
        files.extend(found.into_iter().map(|(path, bytes)| (format!("{folder}/{path}"), bytes)));
    }
    for path in LEFT_OUT {
        assert!(files.remove(*path).is_some(), "no {path}");
    }
    for path in ["photos/barley.jpg", "photos/frost.jpg", "photos/pond.jpg"] {
        let path = format!("content/assets/{path}");
        let bytes = encoded(&path, path.len() as u32);
        files.insert(path, bytes);
    }
    for path in PICTURES {
        files.insert((*path).to_owned(), encoded(path, 5));
    }
    files.extend(WORKSHOP.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())));
    // Larger than what is kept in memory.
    files.insert("content/public/film.bin".to_owned(), vec![7; 300_000]);
    let mut edit = |path: &str, from: &str, to: &str| {
        let text = String::from_utf8_lossy(&files[path]).into_owned();
        assert!(text.contains(from), "{path} has no {from:?}");
        files.insert(path.to_owned(), text.replacen(from, to, 1).into_bytes());
    };
    // One preview, and not one for each page: rendering them takes longer than all else.
    let preview = "<meta property=\"og:image\" content=\"{{ social_picture(template=\"social/card.svg\", data={\"title\": page.title}) }}\">\n";
    edit("templates/base.html", preview, "");
    edit(
        "templates/pages/workshop.html",
        "{{ search() }}",
        &format!("{preview}{{{{ search() }}}}")
            .replace("<meta property=\"og:image\" content=", "<img alt=\"\" width=\"12\" height=\"6\" src="),
    );
    edit("content/pages/news/index.yaml", "per_page: 6", "per_page: 3");
    edit("content/site.yaml", "settings:\n", SETTINGS);
    edit("content/site.yaml", "    html: 9\n    css: 4\n    images: 300\n    js: 4\n", BUDGETS);
    edit(
        "content/site.yaml",
        "  connections:\n",
        "  connections:\n    films:\n      origin: https://films.tidewheel.test\n      for: frame\n      why: Shows a film.\n",
    );
    edit(
        "content/site.yaml",
        "  pictures:\n",
        "  pictures:\n    widths: [12, 24]\n    formats: [webp]\n    quality: 70\n",
    );
    edit(
        "content/schemas/site.schema.json",
        "\"properties\": {",
        "\"properties\": { \"workshop\": { \"description\": \"The texts of the workshop.\", \"type\": \"object\" },",
    );
    edit("templates/styles/main.css", "@import", "@import \"sitegen:search.css\";\n@import");
    files
}

/// A part of the brewery is as good as all of it, and quicker.
const LEFT_OUT: &[&str] = &[
    "content/news/a-boat-for-olu.md",
    "content/news/a-new-gate.md",
    "content/news/harvest-at-the-first-farm.md",
    "content/news/lantern-comes-of-age.md",
    "content/news/music-at-the-pond.md",
    "content/news/new-in-the-laboratory.md",
    "content/news/second-well.md",
    "content/news/slack-water-is-here.md",
    "content/news/spring-tide-by-the-moon.md",
    "content/news/stones-sharpened.md",
    "content/news/summer-hours.md",
    "content/news/tasting-in-the-dark.md",
    "content/news/the-bottles-of-2024.md",
    "content/news/the-wheel-turns-again.md",
    "content/news/the-year-in-bottles.md",
    "content/news/what-the-heron-knows.md",
    "content/news/who-is-who-on-the-labels.md",
    "content/news/yeast-has-a-birthday.md",
    "content/beers/sluice-gate.md",
    "content/assets/beers/sluice-gate.svg",
    "content/beers/spring-tide.md",
    "content/assets/beers/spring-tide.svg",
    "content/team/priya-dale.md",
];

const SETTINGS: &str = "workshop:\n  lead: \"We **repair** the [wheel](/about/mill) and write code.\"\n  tools: [adze, auger]\n  made: { one: \"One tool\", other: \"{count} tools\" }\n\n\
redirects:\n  - { from: /ale, to: /beers }\n  - { from: /old/visit, to: /visit, status: 302 }\ngone: [/raffle]\n\n\
settings:\n  markdown:\n    containers: true\n    emoji: true\n    mark: true\n    math: true\n    subscript: true\n    wiki_links: true\n    headings: keep\n    ids: words\n    languages: { timber: yaml }\n  search: true\n  other_sites: [/archive/]\n  highlight: true\n  checks: { broken-section: warning, small-picture: off }\n  islands: { failure: Not today., locales: [de] }\n  \
security:\n    referrer_policy: same-origin\n    permissions_policy: { camera: none }\n    strict_transport_security: { max_age: 600 }\n    frame_ancestors: none\n  \
headers: { X-Robots-Tag: noarchive }\n  caching: { pages: 60, hashed: 86400 }\n";

const BUDGETS: &str = "    html: 19\n    css: 14\n    images: 300\n    js: 140\n";

const PICTURES: &[&str] = &[
    "content/assets/tools/adze.png",
    "content/assets/tools/auger.webp",
    "content/assets/tools/awl.gif",
    "content/assets/tools/axe.jpg",
    "content/pages/workshop/bench/vise.png",
    "content/news/flood/water.png",
    "islands/parts/badge.png",
];

/// Returns a picture in the format that its name says.
fn encoded(path: &str, seed: u32) -> Vec<u8> {
    let (width, height) = (48_u16, 32_u16);
    let samples = u32::from(width) * u32::from(height) * 3;
    let pixels: Vec<u8> = (0..samples).map(|at| (at * (seed % 31 + 3) / 7) as u8).collect();
    match path.rsplit('.').next() {
        Some("png") => generated::picture(40, seed),
        Some("webp") => {
            let mut bytes = Vec::new();
            let encoder = image_webp::WebPEncoder::new(&mut bytes);
            encoder.encode(&pixels, width.into(), height.into(), image_webp::ColorType::Rgb8).unwrap();
            bytes
        }
        Some("gif") => {
            let mut bytes = Vec::new();
            let mut encoder = gif::Encoder::new(&mut bytes, width, height, &[]).unwrap();
            let palette: Vec<u8> = (0..=255).flat_map(|level| [level, level, 255 - level]).collect();
            let indices: Vec<u8> = pixels.iter().step_by(3).copied().collect();
            encoder.write_frame(&gif::Frame::from_palette_pixels(width, height, indices, palette, None)).unwrap();
            drop(encoder);
            bytes
        }
        _ => {
            let mut bytes = Vec::new();
            let encoder = jpeg_encoder::Encoder::new(&mut bytes, 80);
            encoder.encode(&pixels, width, height, jpeg_encoder::ColorType::Rgb).unwrap();
            bytes
        }
    }
}

const WORKSHOP: &[(&str, &str)] = &[
    ("package.json", "{ \"private\": true, \"type\": \"module\" }\n"),
    (
        "content/pages/workshop/index.md",
        "---\ntitle: The workshop\ndescription: \"Where {{ site.name }} repairs things.\"\ntemplate: pages/workshop.html\nupdated: 2026-10-01\nraw_html: true\nbench: { label: Bench, start: 2 }\n---\n\
         <aside class=\"aside\">By hand, for {{ team.tom-harrow.name }}.</aside>\n\n\
         {{ <note kind=\"tip\" label={site.name} /> }}\n\n{% <note kind=\"warning\"> %}\n\nMind the *saw*, see [Ida](../../team/ida-fenn.md).\n\n{% </note> %}\n\n\
         ```rust title=\"src/wheel.rs\" {1} linenos\nfn turn() {}\n```\n\n## Tools\n\n![An adze](tools/adze.png)\n\n![An auger](tools/auger.webp)\n\n![An awl](tools/awl.gif)\n\n\
         A [film](/film.bin)[^1].\n\n[^1]: It is long.\n",
    ),
    (
        "content/pages/workshop/shop.de.md",
        "---\ntitle: Werkstatt\nlanguage: de\n---\nEin „Hobel“ und \"Feilen\". Siehe [die Mühle](../about/mill.md#four-hours-of-work).\n\n\
         ## Holz & Leim\n\n:::note{kind=\"tip\" label=\"Leim\"}\nMit ==viel== $h^2$ Leim :hammer:, H~2~O, [[The tide mill]] und [[mill#Four hours of work]].\n:::\n\n\
         - [x] Hobeln\n\nHolz\n: Eiche\n\n> [!TIP]\n> Bei https://wood.test/a_b <kbd>Enter</kbd>.\n\n%% nicht %%\n\nAus MDF.\n\n*[MDF]: Faserplatte\n\n```timber\noak: 3\n```\n",
    ),
    ("content/pages/workshop/tools.xml.yaml", "template: tools.xml\ntools: [adze]\n"),
    (
        "templates/tools.xml",
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<tools at=\"{{ url(path=\"/workshop\", absolute=true) }}\">{% for tool in site.workshop.tools %}<tool>{{ tool }}</tool>{% endfor %}</tools>\n",
    ),
    ("content/pages/app.webmanifest.yaml", "template: app.webmanifest\n"),
    (
        "templates/app.webmanifest",
        "{ \"name\": {{ site.name | json }}, \"start_url\": {{ url(path=\"/\") | json }}, \"icons\": [{ \"src\": {{ asset(path=\"icon.svg\") | json }}, \"sizes\": \"any\" }] }\n",
    ),
    (
        "content/pages/notes.md",
        "---\ntitle: \"Last notes\"\ntemplate: pages/news.html\nlist: { collection: news, sort: -date, limit: 2 }\nfeed: { formats: [atom, json, rss], path: /notes.rss }\n---\nThe last ones, [for readers](/notes.rss).\n",
    ),
    (
        "content/pages/workshop/Old Plans.md",
        "---\ntitle: Old plans\ntemplate: pages/hire.html\npath: /Workshop/Plans-1.0.html\naliases: [/plans, /Old/Plans.html]\n---\nSee [the workshop](index.md) and [its archive](/archive/2012#adze).\n",
    ),
    (
        "content/pages/workshop/bench/index.md",
        "---\ntitle: The bench\ntemplate: pages/bench.html\nview: vise.png\n---\n![A vise](vise.png)\n\n[Plan](plan.txt), and [an axe](../../../assets/tools/axe.jpg).\n\n{{ <shown path=\"vise.png\" /> }}\n\n{{ <vise /> }}\n",
    ),
    ("content/pages/workshop/bench/plan.txt", "Saw, then plane.\n"),
    ("content/pages/workshop/bench/vise.png.yaml", "alt: A vise\n"),
    (
        "templates/components/shown.html",
        "{% component shown(path: string) %}<p>{{ picture(path=path, alt=\"\", sizes=\"24px\") }}</p>{% endcomponent shown %}\n",
    ),
    (
        "templates/components/vise.html",
        "{% component vise() %}<p>{{ picture(path=\"vise.png\", sizes=\"12px\") }}</p>{% endcomponent vise %}\n",
    ),
    (
        "templates/pages/bench.html",
        "{% extends \"base.html\" %}\n\n{% block main %}\n<h1>{{ page.title }}</h1>\n{{ page.content }}{{ <vise /> }}{{ picture(path=page.view, sizes=\"24px\") }}{{ picture(path=\"vise.png\", sizes=\"24px\", ratio=1) }}\n\
         {% for one in collections.makers %}{{ one.name }}{% endfor %}\n{% endblock %}\n",
    ),
    (
        "content/news/flood/index.md",
        "---\ntitle: The flood\nsummary: High water.\ndate: \"2026-01-11\"\nauthor: tom-harrow\ntags: [Mill]\nenclosure: water.txt\n---\n![The water](water.png), [how high](water.txt). See [the open day](../open-day.md).\n",
    ),
    ("content/news/flood/water.txt", "High.\n"),
    ("content/hire.csv", "name;price;lent\nSaw of {{ site.name }};4,50;FALSE\nLadder;12;TRUE\n"),
    (
        "content/schemas/hire.schema.json",
        "{ \"required\": [\"name\"], \"properties\": { \"price\": { \"type\": \"number\" }, \"lent\": { \"type\": \"boolean\" } } }\n",
    ),
    ("content/makers.toml", "[[makers]]\nname = \"Ivo\"\n\n[[makers]]\nname = \"Una\"\nsince = 1990-01-02\n"),
    (
        "content/pages/workshop/hire/[slug].json",
        "{ \"for_each\": \"hire\", \"title\": \"{{ entry.name }}\", \"template\": \"pages/hire.html\" }\n",
    ),
    (
        "content/pages/workshop/hire/index.md",
        "+++\ntitle = \"To hire\"\ntemplate = \"pages/hire.html\"\nlist = { collection = \"hire\" }\n+++\nAsk {{ makers.ivo.name }}.\n",
    ),
    (
        "templates/pages/hire.html",
        "{% extends \"base.html\" %}\n\n{% block main %}\n<h1>{{ page.title }}</h1>\n{% if entry is defined %}<p>{{ entry.price | default(value=0) + 1 }} {{ entry.lent }}</p>{% endif %}\n\
         {% for maker in collections.makers %}<p>{{ maker.name }} {{ maker.since | default(value=\"\") }}</p>{% endfor %}\n\
         {% if list is defined %}{% for tool in list.entries %}<p>{{ tool.name }}{% if tool.route is defined %} <a href=\"{{ tool.route }}\">{{ tool.slug }}</a>{% endif %}</p>{% endfor %}{% endif %}\n{% endblock main %}\n",
    ),
    ("content/assets/tools/axe.jpg.yaml", "alt: An axe\nfocus: 30% 60%\ncredit: Tom\n"),
    ("content/public/robots.txt", "User-agent: *\nDisallow: /raffle\n"),
    (
        "templates/components/note/note.html",
        "{%- component note(kind: string, label: string = \"Note\", @site) -%}\n<div class=\"note note--{{ kind }}\"><p>{{ label }}, {{ site.name }}</p>{{ body | default(value=\"\") }}</div>\n{%- endcomponent note -%}\n",
    ),
    (
        "templates/components/note/note.css",
        ".note { color: var(--ink, #222); }\n.note--tip { background: url(../../../content/assets/logo.svg); }\n",
    ),
    (
        "templates/pages/workshop.html",
        "{% extends \"base.html\" %}\n\n{% block main %}\n<h1>{{ page.title }}</h1>\n{{ search() }}\n{{ site.workshop.lead | markdown }}\n\
         {{ page.content }}\n<ul>{% for each in connections() %}<li>{{ each.name }}: {{ each.why }}</li>{% endfor %}</ul>\n\
         {% set axe = picture_info(path=\"tools/axe.jpg\") %}<p>{{ axe.width }}, {{ axe.credit | default(value=\"\") }}</p>\n\
         {{ picture(path=\"tools/axe.jpg\", ratio=1, sizes=\"24px\") }}\n\
         <a href=\"{{ picture_url(path=\"tools/axe.jpg\", width=24) }}\">Axe</a> <a href=\"{{ url(path=\"/workshop/tools.xml\") }}\">Tools</a> <a href=\"{{ url(path=\"/app.webmanifest\") }}\">App</a>\n\
         <iframe src=\"https://films.tidewheel.test/1\" title=\"Film\" width=\"16\" height=\"9\" loading=\"lazy\" sandbox=\"allow-scripts\" data-connect=\"films\"></iframe>\n\
         {% set inner %}<p>In the <b>slot</b>.</p>{% endset %}\n\
         {{ island(component=\"Bench\", props=page.bench, slot=inner, hydrate=\"load\") }}\n{{ island(component=\"Bench\", props={\"label\": \"Second\"}, hydrate=\"never\") }}\n\
         {{ island(component=\"Menu\", props={\"label\": \"Menu\"}, slot=inner, hydrate=\"media\", media=\"(max-width: 40rem)\") }}\n\
         {{ island(component=\"Later\", hydrate=\"only\", height=\"4rem\") }}\n{% for ancestor in page.ancestors %}<p>{{ ancestor.title }}</p>{% endfor %}\n\
         <p>{{ pages | length }}</p>\n\
         <p>{{ plural(of=site.workshop.made, count=1234) }} {{ 1234.5 | number }} {{ site.workshop.tools | list }} {{ site.workshop.tools | sort | join(sep=\" \") | quote }} {{ page.updated | date(format=\"long\") }}</p>\n{% endblock %}\n",
    ),
    (
        "islands/Bench.tsx",
        "import { useId } from \"react\";\nimport { Slot } from \"./runtime/slot\";\nimport styles from \"./bench.module.css\";\nimport badge from \"./parts/badge.png\";\nimport prices from \"./parts/prices.json\";\n\n\
         export default function Bench({ label, start = 0 }: { label: string; start?: number }) {\n  const id = useId();\n  const plan = new URL(\"./parts/plan.svg\", import.meta.url).href;\n  return (\n    <section className={styles.bench} style={{ order: start }}>\n      <h2 id={id}>{label}: {start + prices.adze}</h2>\n      <img src={badge} alt=\"\" width={4} height={8} />\n      <a href={plan}>Plan</a>\n      <Slot />\n    </section>\n  );\n}\n",
    ),
    (
        "islands/Bench.schema.json",
        "{ \"type\": \"object\", \"additionalProperties\": false, \"required\": [\"label\"], \"properties\": { \"label\": { \"type\": \"string\" }, \"start\": { \"type\": \"integer\", \"maximum\": 5 } } }\n",
    ),
    ("islands/bench.module.css", ".bench { border: 1px solid #333; }\n"),
    ("islands/parts/prices.json", "{ \"adze\": 4 }\n"),
    (
        "islands/parts/plan.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><path d=\"M0 0h9v9z\"/></svg>\n",
    ),
    (
        "islands/Menu.ts",
        "export function mount(element: HTMLElement, { label }: { label: string }): void {\n  element.dataset.label = label;\n}\n",
    ),
    (
        "islands/Later.tsx",
        "import \"./later.css\";\n\nexport default function Later() {\n  return <p className=\"later\">{window.innerWidth} px</p>;\n}\n",
    ),
    ("islands/later.css", ".later { font-weight: 700; }\n"),
];

/// The edits, at least one for each thing that can be written.
pub const EDITS: &[Edit] = {
    use Edit::{File, Picture, Text};
    const SITE: &str = "content/site.yaml";
    const WORKSHOP: &str = "content/pages/workshop/index.md";
    const PAGE: &str = "templates/pages/workshop.html";
    &[
        // Values and settings of the site.
        Text(SITE, "language: en\n", "language: de\n"),
        Text(SITE, "name: Tidewheel Brewery", "name: Tidewheel"),
        Text(SITE, "description: Beer", "description: Good beer"),
        Text(SITE, "url: https://www.tidewheel.test", "url: https://tidewheel.test/shop"),
        Text(SITE, "{ from: /ale, to: /beers }", "{ from: /ale, to: /news }"),
        Text(SITE, "{ from: /ale, to: /beers }", "{ from: /visit, to: /beers }"),
        Text(SITE, "to: /visit, status: 302", "to: /visit, status: 308"),
        Text(SITE, "to: /visit, status: 302", "to: /visitors"),
        Text(SITE, "gone: [/raffle]", "gone: [/raffle, /lottery]"),
        Text(SITE, "gone: [/raffle]", "gone: [/visit]"),
        Text(SITE, "  search: true", "  search: false"),
        Text(SITE, "[/archive/]", "[/archive/2012]"),
        Text(SITE, "[/archive/]", "[/archives]"),
        Text(SITE, "  highlight: true", "  highlight: false"),
        Text(SITE, "broken-section: warning", "broken-section: error"),
        Text(SITE, "broken-section: warning", "unused-file: error"),
        Text(SITE, "broken-section: warning", "secret: warning"),
        File(
            "suppressions.json",
            "{ \"content/pages/workshop/index.md\": { \"unknown-asset\": { \"count\": 1 }, \"broken-file\": { \"count\": 1 } } }\n",
        ),
        Text(SITE, "failure: Not today.", "failure: Not now."),
        Text(SITE, "locales: [de]", "locales: [en-GB]"),
        Text(SITE, "locales: [de]", "locales: [de, xx]"),
        Text(SITE, "referrer_policy: same-origin", "referrer_policy: no-referrer"),
        Text(SITE, "{ camera: none }", "{ camera: self }"),
        Text(SITE, "max_age: 600", "max_age: 700"),
        Text(SITE, "frame_ancestors: none", "frame_ancestors: self"),
        Text(SITE, "noarchive", "noimageindex"),
        Text(SITE, "pages: 60", "pages: 90"),
        Text(SITE, "hashed: 86400", "hashed: 86500"),
        Text(SITE, "  host: nginx", "  host: netlify"),
        Text(SITE, "  host: nginx", "  host: github-pages"),
        Text(SITE, "routes: both", "routes: file"),
        Text(SITE, "html: 19", "html: 2"),
        Text(SITE, "css: 14", "css: 1"),
        Text(SITE, "js: 140", "js: 1"),
        Text(SITE, "images: 300", "images: 0.1"),
        Text(SITE, "widths: [12, 24]", "widths: [12, 20]"),
        Text(SITE, "formats: [webp]", "formats: []"),
        Text(SITE, "quality: 70", "quality: 60"),
        Text(SITE, "42rem, 92vw", "40rem, 92vw"),
        Text(SITE, "https://films.tidewheel.test", "https://film.tidewheel.test"),
        Text(SITE, "why: Shows a film.", "why: Shows a long film."),
        Text(SITE, "for: frame", "for: [frame, image]"),
        Text(SITE, "  lead: \"We **repair**", "  lead: \"We *repair*"),
        Text(SITE, "[wheel](/about/mill)", "[wheel](/about/none)"),
        Text(SITE, "[adze, auger]", "[adze]"),
        // The rules of a language.
        Text(SITE, "[adze, auger]", "[Öre, auger, adze]"),
        Text(SITE, "one: \"One tool\"", "one: \"{count} tool\""),
        Text(SITE, "one: \"One tool\"", "few: \"{count} tool\""),
        Text(SITE, "language: en\n", "language: sv\n"),
        Text(SITE, "language: en\n", "language: pl\n"),
        Text(SITE, "language: en\n", "language: ar\n"),
        Text(PAGE, "count=1234", "count=1.5"),
        Text(PAGE, "format=\"long\"", "format=\"short\""),
        Text("content/news/open-day.md", "title: ", "title: Ő"),
        Text("templates/components/note/note.css", ".note {", ".note { margin-left: 1px;"),
        Text(
            "content/schemas/site.schema.json",
            "\"The texts of the workshop.\", \"type\": \"object\"",
            "\"The texts of the workshop.\", \"type\": \"string\"",
        ),
        // Feeds, lists, terms, and pages of entries.
        Text(
            "content/pages/news/index.yaml",
            "feed: { title: News from Tidewheel Brewery }",
            "feed: { title: News, items: 2 }",
        ),
        Text(
            "content/pages/news/index.yaml",
            "feed: { title: News from Tidewheel Brewery }",
            "feed: { content: summary }",
        ),
        Text("content/pages/news/index.yaml", "feed: { title: News from Tidewheel Brewery }\n", ""),
        Text("content/pages/notes.md", "path: /notes.rss", "path: /Notes.xml"),
        Text("content/pages/notes.md", "formats: [atom, json, rss]", "formats: [rss, json, atom]"),
        Text("content/pages/notes.md", "formats: [atom, json, rss]", "formats: [json, atom]"),
        Text("content/news/open-day.md", "author: ", "enclosure: /film.bin\nauthor: "),
        Text("content/news/open-day.md", "author: ", "enclosure: tools/axe.jpg\nauthor: "),
        Text("content/pages/news/index.yaml", "per_page: 3", "per_page: 2"),
        Text("content/pages/news/index.yaml", "title: News\n", "title: All news\n"),
        Text("content/pages/notes.md", "limit: 2", "limit: 3"),
        Text("content/pages/notes.md", "collection: news, sort: -date", "collection: pages, sort: title"),
        Text("content/pages/notes.md", "title: \"Last notes\"", "title: \"{{ list.total }} notes\""),
        Text("content/pages/news/tags/[tag].yaml", "for_each: news.tags", "for_each: news.author"),
        Text("content/pages/news/[year]/[slug].yaml", "for_each: news", "for_each: team"),
        Text("content/news/open-day.md", "title: ", "title: The "),
        Text("content/news/open-day.md", "date: \"20", "date: \"19"),
        Text("content/news/open-day.md", "author: ", "feed_id: https://www.tidewheel.test/1\nauthor: "),
        Text("content/news/open-day.md", "author: ", "noindex: true\nauthor: "),
        Text("content/news/open-day.md", "author: ", "expires: 2026-12-01\nauthor: "),
        Text("content/news/open-day.md", "---\n\n", "---\n\n{{ <note kind=\"tip\" /> }}\n\n"),
        Text("content/team/tom-harrow.md", "name: Tom Harrow", "name: Tom Harrow-Fenn"),
        Text("content/team/tom-harrow.md", "order: 1", "order: 9"),
        Text("content/beers/lantern.md", "strength: 5.6", "strength: 3.1"),
        Text("content/beers/lantern.md", "beers/lantern.svg", "beers/heron.svg"),
        Text("content/jobs/brewer.md", "title: ", "draft: true\ntitle: "),
        File(
            "content/news/new.md",
            "---\ntitle: New\nsummary: It is new.\ndate: \"2026-01-19\"\nauthor: tom-harrow\ntags: [Mill]\n---\nNew.\n",
        ),
        File("content/team/ida-fenn.md", ""),
        File("content/beers/heron.md", ""),
        // Markdown.
        Text(WORKSHOP, "title: The workshop", "title: Our workshop"),
        Text(WORKSHOP, "raw_html: true", "raw_html: false"),
        Text(WORKSHOP, "kind=\"tip\"", "kind=\"hint\""),
        Text(WORKSHOP, "label={site.name}", "label={site.phone}"),
        Text(WORKSHOP, "kind=\"tip\" label", "kynd=\"tip\" label"),
        Text(WORKSHOP, "{1} linenos", "{1} ins={1}"),
        Text(WORKSHOP, "fn turn() {}", "fn turns() {}"),
        Text(WORKSHOP, "<note kind=\"warning\">", "<note kind=\"warning\" label={team.olu-marsh.name}>"),
        Text(WORKSHOP, "```rust", "```js"),
        Text(WORKSHOP, "tools/adze.png", "tools/axe.jpg"),
        Text(WORKSHOP, "tools/adze.png", "tools/saw.png"),
        Text(WORKSHOP, "/film.bin", "/news/feed.xml"),
        Text(WORKSHOP, "../../team/ida-fenn.md", "../../team/olu-marsh.md"),
        Text(WORKSHOP, "{{ team.tom-harrow.name }}", "{{ team.olu-marsh.name }}"),
        Text(WORKSHOP, "It is long.", "It is short."),
        Text(WORKSHOP, "updated: 2026-10-01", "updated: 2026-10-02"),
        Text(WORKSHOP, "start: 2", "start: 3"),
        Text(WORKSHOP, "start: 2", "start: 9"),
        Text("content/pages/workshop/shop.de.md", "language: de", "language: fr"),
        Text("content/pages/workshop/shop.de.md", "#four-hours-of-work", "#five-hours"),
        Text("content/pages/about/mill.md", "## Four hours", "## Five hours"),
        // Files beside their text.
        Picture("content/pages/workshop/bench/vise.png"),
        Picture("content/news/flood/water.png"),
        Text("content/pages/workshop/bench/plan.txt", "Saw,", "Cut,"),
        Text("content/pages/workshop/bench/vise.png.yaml", "A vise", "The vise"),
        Text("content/pages/workshop/bench/index.md", "view: vise.png", "view: tools/axe.jpg"),
        Text("content/pages/workshop/shop.de.md", "*[MDF]: Faserplatte", "*[MDF]: Mitteldichte Faserplatte"),
        Text("content/pages/workshop/shop.de.md", "*[MDF]: Faserplatte", "*[MDF] Faserplatte"),
        Text("templates/components/vise.html", "vise.png", "nothing.png"),
        Text("content/pages/workshop/bench/index.md", "(vise.png)", "(Vise.png)"),
        Text("content/pages/workshop/bench/index.md", "[Plan](plan.txt)", "[Plan](../bench/plan.txt)"),
        Text("content/news/flood/index.md", "[how high](water.txt)", "[how high](../flood/waters.txt)"),
        File("content/news/flood/index.md", ""),
        File("content/news/flood/water.png", ""),
        File("content/assets/vise.png", "no picture"),
        File("content/news/flood.md", "---\ntitle: Flood\n---\n"),
        // Addresses that stay as they were.
        Text("content/pages/workshop/Old Plans.md", "Plans-1.0.html", "Plans/"),
        Text("content/pages/workshop/Old Plans.md", "path: /Workshop/Plans-1.0.html\n", ""),
        Text("content/pages/workshop/Old Plans.md", "/plans,", "/plans, /drawings,"),
        Text("content/pages/workshop/Old Plans.md", "/plans,", "/beers,"),
        Text("content/pages/workshop/hire/[slug].json", "\"for_each\"", "\"path\": \"/Hire/[slug]/\", \"for_each\""),
        Text("content/pages/workshop/shop.de.md", "language: de", "aliases: /werkstatt\nlanguage: de"),
        // Extensions of Markdown.
        Text(SITE, "containers: true", "containers: false"),
        Text(SITE, "emoji: true", "emoji: false"),
        Text(SITE, "    mark: true\n", ""),
        Text(SITE, "math: true", "math: false"),
        Text(SITE, "subscript: true", "subscript: false"),
        Text(SITE, "wiki_links: true", "wiki_links: false"),
        Text(SITE, "headings: keep", "headings: shift"),
        Text(SITE, "ids: words", "ids: github"),
        Text(SITE, "timber: yaml", "timber: yamll"),
        Text("content/pages/about/mill.md", "title: The tide mill", "title: The old mill"),
        Text("content/pages/workshop/shop.de.md", "label=\"Leim\"", "lable=\"Leim\""),
        Text("content/pages/workshop/shop.de.md", "$h^2$", "$h^\\nope$"),
        Text("content/pages/workshop/shop.de.md", "<kbd>Enter</kbd>", "<form></form>"),
        Text("content/pages/404.md", "title: ", "title: Oh, "),
        File("content/pages/404.md", ""),
        File("content/pages/workshop/shop.de.md", ""),
        File("content/pages/about/index.md", ""),
        Text("content/pages/workshop/tools.xml.yaml", "tools: [adze]", "tools: [auger]"),
        // Collections in one file, and other formats.
        Text("content/hire.csv", "4,50", "5,50"),
        Text("content/hire.csv", "12;TRUE", "12.345;TRUE"),
        Text("content/hire.csv", "Ladder;", "Long ladder;"),
        Text("content/hire.csv", "Ladder;12;TRUE\n", ""),
        Text("content/hire.csv", "name;price;lent\n", "name;price;lent\nRope;;\n"),
        Text("content/hire.csv", "{{ site.name }}", "{{ site.nmae }}"),
        File("content/hire/plane.yaml", "name: Plane\nprice: 3\nlent: false\n"),
        File("content/hire/ladder.yaml", "name: Ladder\nlent: false\n"),
        Text("content/schemas/hire.schema.json", "\"number\"", "\"string\""),
        Text("content/makers.toml", "1990-01-02", "1991-01-02"),
        Text("content/makers.toml", "\"Una\"", "\"Una\"\ndraft = true"),
        Text("content/makers.toml", "\"Ivo\"", "\"Iva\""),
        Text("content/pages/workshop/hire/index.md", "\"To hire\"", "\"For hire\""),
        Text("content/pages/workshop/hire/index.md", "collection = \"hire\"", "collection = \"makers\""),
        Text("content/pages/workshop/hire/[slug].json", "{{ entry.name }}", "Hire {{ entry.name }}"),
        // Pictures, assets and public files.
        Picture("content/assets/tools/adze.png"),
        Picture("content/assets/tools/auger.webp"),
        Picture("content/assets/tools/awl.gif"),
        Picture("content/assets/tools/axe.jpg"),
        Picture("content/assets/photos/pond.jpg"),
        Picture("islands/parts/badge.png"),
        Text("content/assets/tools/axe.jpg.yaml", "alt: An axe", "alt: A small axe"),
        Text("content/assets/tools/axe.jpg.yaml", "30% 60%", "70% 20%"),
        Text("content/assets/tools/axe.jpg.yaml", "credit: Tom", "credit: Ida"),
        File("content/assets/tools/axe.jpg.yaml", ""),
        File("content/assets/tools/awl.gif", ""),
        Text("content/assets/icon.svg", "<svg ", "<svg id=\"i\" "),
        Text("content/assets/logo.svg", "<svg ", "<svg id=\"l\" "),
        Text("content/assets/map.svg", "<svg ", "<svg id=\"m\" "),
        File("content/assets/mill.svg", ""),
        Text("content/public/robots.txt", "/raffle", "/lottery"),
        File("content/public/robots.txt", ""),
        File("content/public/film.bin", ""),
        File("content/public/old/index.html", "<!doctype html><title>Old</title><script>1</script>"),
        File(
            "content/public/key.txt",
            "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----\n",
        ),
        // Templates and their functions.
        Text(
            "templates/base.html",
            "<meta name=\"color-scheme\" content=\"light dark\">",
            "<meta name=\"color-scheme\" content=\"light\">",
        ),
        Text("templates/base.html", "background=\"#12414b\"", "background=\"#ffffff\""),
        Text("templates/base.html", "background=\"#12414b\"", "manifest=false"),
        Text("templates/base.html", "{{ breadcrumbs() }}", ""),
        // What is said of a name depends on the names that there are, and these on what the page is about.
        Text("templates/base.html", "{{ breadcrumbs() }}", "{{ list.total }}"),
        Text("templates/base.html", "{{ breadcrumbs() }}", "{{ pages.nothing }}"),
        Text("templates/base.html", "{{ breadcrumbs() }}", "{{ entry.title }}{{ terms }}"),
        Text("templates/pages/home.html", "posts[0:3]", "post[0:3]"),
        Text("templates/pages/post.html", "by=\"tags\", limit=3", "by=tags, limit=3"),
        Text("templates/pages/news.html", "key=\"year\"", "key=lists"),
        Text("templates/components/note/note.html", "site.name", "page.nothing"),
        Text("templates/base.html", "{{ favicons(path=\"icon.svg\", background=\"#12414b\") }}", ""),
        Text("templates/pages/home.html", "\"@type\": \"Brewery\"", "\"@type\": \"Restaurant\""),
        Text("templates/pages/home.html", "posts[0:3]", "posts[0:2]"),
        Text("templates/pages/post.html", "by=\"tags\", limit=3", "by=\"tags\", limit=1"),
        Text("templates/pages/post.html", "entries.team[entry.author].url", "url(path=\"/team\", absolute=true)"),
        Text("templates/pages/news.html", "key=\"year\"", "key=\"author\""),
        Text("templates/tools.xml", "<tools at", "<tools id=\"{{ page.tools[0] }}\" at"),
        Text("templates/tools.xml", "</tools>", "<tools>"),
        Text("templates/app.webmanifest", "site.name | json", "site.description | json"),
        Text("templates/social/card.svg", "font-size=\"", "font-size=\"1"),
        Text("templates/components/note/note.html", "site.name", "site.email"),
        Text("templates/components/note/note.html", "= \"Note\"", "= \"Remark\""),
        Text("templates/components/note/note.css", "#222", "#333"),
        Text("templates/components/note/note.css", "logo.svg", "icon.svg"),
        Text("templates/styles/main.css", "@import \"sitegen:search.css\";\n", ""),
        Text("templates/styles/tokens.css", ":root {", ":root { --more: 1px;"),
        Text(
            "templates/components/post-card/post-card.html",
            "{{ post.title }}",
            "{{ post.title }} {{ post.content | striptags }}",
        ),
        Text(PAGE, "{{ search() }}", "{{ search(shortcut=false) }}"),
        Text(PAGE, "{{ search() }}", ""),
        Text(PAGE, "each.why", "each.origin"),
        Text(PAGE, "width=24) }}", "width=12) }}"),
        Text(PAGE, "ratio=1, sizes", "ratio=2, sizes"),
        Text(PAGE, "axe.width", "axe.height"),
        Text(PAGE, "data-connect=\"films\"", "data-connect=\"letters\""),
        Text(PAGE, "In the <b>slot</b>", "In the <i>slot</i>"),
        Text(PAGE, "In the <b>slot</b>", "In the <b>slot</i>"),
        Text(PAGE, "hydrate=\"load\"", "hydrate=\"interaction\""),
        Text(PAGE, "\"Second\"}", "\"Third\"}"),
        Text(PAGE, "\"Second\"}", "\"Third\", \"color\": 1}"),
        Text(PAGE, "hydrate=\"never\"", "hydrate=\"idle\""),
        Text(PAGE, "max-width: 40rem", "max-width: 30rem"),
        Text(PAGE, "height=\"4rem\"", "height=\"5rem\""),
        Text(PAGE, "{{ pages | length }}", "{{ collections.beers | length }}"),
        Text(PAGE, "{{ pages | length }}", "{{ collections.news | first | json }}"),
        // Islands.
        Text("islands/Bench.tsx", "Plan</a>", "The plan</a>"),
        Text("islands/Bench.tsx", "order: start", "order: -start"),
        Text("islands/Bench.tsx", "<Slot />", ""),
        Text("islands/Bench.tsx", "{label}:", "{(4.8).toLocaleString(\"de\")}:"),
        Text("islands/Bench.tsx", "{label}:", "{new Date().getTime()}:"),
        Text("islands/Bench.schema.json", "\"maximum\": 5", "\"maximum\": 1"),
        Text("islands/bench.module.css", "1px solid", "2px solid"),
        Text("islands/bench.module.css", "1px solid", "1px sold"),
        Text("islands/parts/prices.json", "4", "5"),
        Text("islands/parts/plan.svg", "h9", "h8"),
        Text("islands/Menu.ts", "dataset.label", "title"),
        Text(
            "islands/Menu.ts",
            "export function mount",
            "export const render = () => \"<p>Menu</p>\";\nexport function mount",
        ),
        Text("islands/Later.tsx", " px", " pixels"),
        Text("islands/later.css", "700", "800"),
        Text("content/forms/newsletter.yaml", "connection: letters\n", "connection: letters\n  seconds: 9\n"),
        Text("content/forms/newsletter.yaml", "connection: letters", "connection: letter"),
        Text("content/forms/newsletter.yaml", "success: /newsletter/thanks", "success: /newsletter/thank"),
        File("islands/runtime/styles.ts", "export {};\n"),
        File("islands/runtime/mount.tsx", "export const mount = () => undefined;\n"),
    ]
};

/// Changes one word of a text file, or a line of it, and returns a description. Other files are left as they are.
pub fn change_a_word(files: &mut Files, path: &str, random: &mut Random) -> String {
    let Some(text) = files.get(path).and_then(|bytes| std::str::from_utf8(bytes).ok()).map(str::to_owned) else {
        return format!("leave {path}");
    };
    let lines: Vec<&str> = text.lines().collect();
    if lines.is_empty() {
        return format!("leave {path}");
    }
    let number = random.below(lines.len());
    let line = lines[number];
    let is_part = |letter: char| letter.is_alphanumeric();
    let mut words: BTreeMap<usize, &str> = BTreeMap::new();
    for word in line.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()) {
        words.insert(word.as_ptr() as usize - line.as_ptr() as usize, word);
    }
    let word = words.iter().nth(random.below(words.len().max(1)));
    let replaced = match (random.below(8), word) {
        (0, _) => String::new(),
        (1, _) => format!("{line}\n{line}"),
        (2..=4, Some((at, word))) if word.parse::<u32>().is_ok() => {
            format!("{}{}{}", &line[..*at], random.below(100), &line[at + word.len()..])
        }
        (_, Some((at, word))) => {
            let other = random.one_of(&["a", "true", "7", "Tide"]);
            let word = if random.below(2) == 0 { format!("{word}{other}") } else { (*other).to_owned() };
            format!("{}{word}{}", &line[..*at], &line[at + words[at].len()..])
        }
        (_, None) => format!("{line}x"),
    };
    let mut after: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    after[number] = replaced.clone();
    files.insert(path.to_owned(), (after.join("\n") + "\n").into_bytes());
    format!("make line {} of {path} {replaced:?}", number + 1)
}
