//! Pictures in whole sites: which files are made, what pages say of them, and where a mistake is reported.

use crate::support::caching_tools::CachingTools;
use crate::support::no_tools::NoTools;
use scraper::{Html, Selector};
use sitegen::artifacts::Artifacts;
use sitegen::diagnostics::{Checked, Severity, code, message};
use sitegen::profile::Profile;
use sitegen::sources::Sources;
use sitegen::tools::DiskTools;
use std::collections::BTreeSet;
use std::path::Path;

const SITE: &str = "url: https://www.bakery.test\nlanguage: en\nname: Bakery\n";
const PAGE: &str = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{{ page.title }}</title></head>\
                    <body><main><h1>{{ page.title }}</h1>{{ page.content | safe }}</main></body></html>";

const ICON: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 4 4\"><path d=\"M0 0h4v4z\"/></svg>";
const FONT: &[u8] = include_bytes!("../../content/assets/fonts/overpass-800.woff2");
const CARD: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\">\
                    <text x=\"80\" y=\"300\" font-size=\"60\">{{ title }}</text></svg>";

/// A photograph of a kind: no two pixels beside each other are alike.
pub fn jpeg(width: u16, height: u16, seed: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let pixel = |x: u32, y: u32| {
        let wave = ((x * 3 + seed * 40) as f64 / 50.0).sin() * 60.0 + (y as f64 / 30.0).cos() * 60.0;
        [(120.0 + wave) as u8, (x ^ y ^ seed) as u8 / 2 + 60, (y % 200) as u8]
    };
    let rgb: Vec<u8> =
        (0..u32::from(height)).flat_map(|y| (0..u32::from(width)).flat_map(move |x| pixel(x, y))).collect();
    let encoder = jpeg_encoder::Encoder::new(&mut bytes, 90);
    encoder.encode(&rgb, width, height, jpeg_encoder::ColorType::Rgb).unwrap();
    bytes
}

/// A site whose home page has this body, in a template if it calls a function, else in Markdown.
fn sources(body: &str, more: &[(&str, &[u8])]) -> Sources {
    let in_template = body.contains("{{");
    let page = format!("---\ntitle: Home\n---\n{}\n", if in_template { "Text" } else { body });
    let template =
        PAGE.replace("{{ page.content | safe }}", if in_template { body } else { "{{ page.content | safe }}" });
    let mut files = vec![
        ("content/site.yaml", SITE.as_bytes().to_vec()),
        ("content/pages/index.md", page.into_bytes()),
        ("templates/pages/page.html", template.into_bytes()),
        ("content/assets/photos/loaf.jpg", jpeg(900, 600, 1)),
    ];
    for (path, bytes) in more {
        files.retain(|(own, _)| own != path);
        files.push((path, bytes.to_vec()));
    }
    Sources::from_files(files)
}

fn build(sources: &Sources) -> Checked<Artifacts> {
    sitegen::build(sources, &Profile::default(), &NoTools::default())
}

fn built(sources: &Sources) -> Artifacts {
    let Checked { value, diagnostics } = build(sources);
    let errors: Vec<_> = diagnostics.iter().filter(|each| each.severity != Severity::Warning).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    value.unwrap()
}

fn home(artifacts: &Artifacts) -> String {
    String::from_utf8(artifacts.get("index.html").unwrap().to_vec()).unwrap()
}

/// Every address in the `src` and `srcset` of a page, without the slash before it.
fn named(html: &str) -> BTreeSet<String> {
    let html = Html::parse_document(html);
    let mut named = BTreeSet::new();
    for element in html.select(&Selector::parse("img, source").unwrap()) {
        let candidates = element.attr("srcset").unwrap_or_default().split(", ");
        let candidates = candidates.filter_map(|candidate| candidate.split(' ').next());
        named.extend(
            candidates.chain(element.attr("src")).filter(|each| !each.is_empty()).map(|each| each[1..].to_owned()),
        );
    }
    named
}

fn pictures_of(artifacts: &Artifacts) -> BTreeSet<String> {
    let is_picture =
        |path: &str| [".avif", ".jpg", ".webp", ".png", ".gif"].iter().any(|ending| path.ends_with(ending));
    artifacts.contents().map(|(path, _)| path.to_string()).filter(|path| is_picture(path)).collect()
}

fn problem(sources: &Sources) -> (String, String, String) {
    let checked = build(sources);
    let error = checked.diagnostics.iter().find(|each| each.severity != Severity::Warning).expect("it is refused");
    let place = error.place.clone().unwrap();
    let span = place.span.unwrap_or_default();
    let text = sources.text(&place.path).and_then(|text| text.get(span.start..span.end)).unwrap_or_default();
    (format!("{} {}", place.path, code(&error.problem)), text.to_owned(), message(&error.problem))
}

#[test]
fn a_picture_in_a_template_or_in_markdown_is_offered_in_sizes_that_are_made() {
    for body in ["![A loaf](photos/loaf.jpg)", "{{ picture(path=\"photos/loaf.jpg\", alt=\"A loaf\") }}"] {
        let artifacts = built(&sources(body, &[]));
        let html = home(&artifacts);
        // What pages name is all that there is: the original is published nowhere.
        assert_eq!(named(&html), pictures_of(&artifacts), "{html}");
        assert_eq!(named(&html).len(), 6, "{html}");
        let page = Html::parse_document(&html);
        let image = page.select(&Selector::parse("picture > img").unwrap()).next().unwrap();
        for (name, value) in [
            ("alt", "A loaf"),
            ("width", "900"),
            ("height", "600"),
            ("sizes", "100vw"),
            ("loading", "lazy"),
            ("decoding", "async"),
        ] {
            assert_eq!(image.attr(name), Some(value), "{html}");
        }
        for path in named(&html) {
            let bytes = artifacts.get(&path).unwrap();
            let (stem, _) = path.rsplit_once('-').unwrap();
            let (width, height) = stem.rsplit_once('-').unwrap().1.split_once('x').unwrap();
            let header = sitegen::pictures::Header::read(&path, bytes).unwrap();
            assert_eq!((header.width.to_string(), header.height.to_string()), (width.into(), height.into()));
        }
    }
}

#[test]
fn the_original_is_published_where_somebody_names_it() {
    let body = "{{ picture(path=\"photos/loaf.jpg\", alt=\"A loaf\") }}<a href=\"{{ asset(path=\"photos/loaf.jpg\") }}\">All of it</a>";
    let artifacts = built(&sources(body, &[]));
    assert_eq!(pictures_of(&artifacts).len(), 7);
}

#[test]
fn a_call_decides_widths_ratio_formats_and_priority() {
    let body = "{{ picture(path=\"photos/loaf.jpg\", alt=\"\", widths=[300, 2000], ratio=\"1:1\", focus=\"left\", \
                formats=[\"webp\", \"png\"], sizes=\"(min-width: 40rem) 300px, 100vw\", priority=true, class=\"hero\") }}";
    let html = home(&built(&sources(body, &[])));
    for part in [
        "loaf-300x300-f0x50-",
        "loaf-600x600-f0x50-",
        "type=\"image/webp\"",
        ".png 600w\"",
        "fetchpriority=\"high\"",
        "class=\"hero\"",
        "sizes=\"(min-width: 40rem) 300px, 100vw\"",
    ] {
        assert!(html.contains(part), "{part}\n{html}");
    }
    assert!(!html.contains("loading=") && !html.contains("2000"), "{html}");
}

#[test]
fn the_file_beside_a_picture_describes_it_everywhere() {
    let about = ("content/assets/photos/loaf.jpg.yaml", &b"alt: A loaf of rye\nfocus: 0% 0%\ncredit: Ada\n"[..]);
    for body in ["![](photos/loaf.jpg)", "{{ picture(path=\"photos/loaf.jpg\") }}"] {
        let artifacts = built(&sources(body, &[about]));
        assert!(home(&artifacts).contains("alt=\"A loaf of rye\""), "{}", home(&artifacts));
        assert!(!artifacts.contents().any(|(path, _)| path.as_str().ends_with(".yaml")));
    }
    let html = home(&built(&sources("{{ picture(path=\"photos/loaf.jpg\", alt=\"\", ratio=1) }}", &[about])));
    assert!(html.contains("-f0x0-") && html.contains("alt=\"\""), "{html}");
}

#[test]
fn a_picture_without_a_text_is_reported_unless_it_is_decoration() {
    let codes = |body: &str, more: &[(&str, &[u8])]| -> Vec<&'static str> {
        build(&sources(body, more)).diagnostics.iter().map(|each| code(&each.problem)).collect()
    };
    let decoration = ("content/assets/photos/loaf.jpg.yaml", &b"alt: \"\"\n"[..]);
    assert_eq!(codes("![](photos/loaf.jpg)", &[]), ["missing-alt"]);
    assert_eq!(codes("![](photos/loaf.jpg)", &[decoration]), [""; 0]);
    assert_eq!(codes("![A loaf](photos/loaf.jpg)", &[]), [""; 0]);
    // However many there are, an error is reported.
    let many = format!("{}A note[^none]", "![](photos/loaf.jpg)\n\n".repeat(120));
    assert!(codes(&many, &[]).contains(&"missing-definition"));
}

#[test]
fn a_copy_is_made_whatever_stands_beside_its_address_in_a_text() {
    let html = home(&built(&sources("{{ picture(path=\"photos/loaf.jpg\", alt=\"\") }}", &[])));
    let copies: Vec<String> = named(&html).into_iter().filter(|path| path.ends_with(".webp")).collect();
    let [copy, other] = [&copies[0], &copies[1]];
    for (before, after) in [
        ("", ""),
        ("`", "`"),
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("|", "|"),
        ("'", "'"),
        ("", ", and"),
        ("", "; and"),
        ("", "."),
        ("", "?v=2"),
        ("&#39;", "&#39;"),
        ("&quot;", "&quot;"),
        ("", ",/nowhere.webp"),
        ("https://www.bakery.test", "#top"),
    ] {
        let body = format!("<p data-photo=\"{before}/{copy}{after}\">{{{{ page.title }}}}</p>");
        assert!(built(&sources(&body, &[])).get(copy).is_some(), "{body}");
    }
    for between in [",", "','", "|", ";", ")(", "](", "),url(", "&#39;,&#39;"] {
        let body = format!("<p data-photos=\"(/{copy}{between}/{other})\">{{{{ page.title }}}}</p>");
        let artifacts = built(&sources(&body, &[]));
        assert!(artifacts.get(copy).is_some() && artifacts.get(other).is_some(), "{body}");
    }
}

#[test]
fn settings_change_every_picture_without_own_words() {
    let site = format!(
        "{SITE}settings:\n  pictures:\n    widths: [200, 400]\n    sizes: 50vw\n    formats: []\n    quality: 50\n"
    );
    let site = ("content/site.yaml", site.as_bytes());
    let (high, low) =
        (built(&sources("![x](photos/loaf.jpg)", &[])), built(&sources("![x](photos/loaf.jpg)", &[site])));
    let html = home(&low);
    assert!(html.contains("<img src=\"/assets/photos/loaf-400x267-") && html.contains("sizes=\"50vw\""), "{html}");
    assert!(!html.contains("<picture>") && named(&html).len() == 2, "{html}");
    assert!(named(&home(&high)).is_disjoint(&named(&html)));
}

#[test]
fn a_mistake_is_reported_where_the_picture_is_named() {
    let cut = jpeg(900, 600, 1);
    let cut = &cut[..cut.len() / 2];
    let call = |arguments: &str| format!("{{{{ picture(path=\"photos/loaf.jpg\", {arguments}) }}}}");
    let template = "templates/pages/page.html";
    let page = "content/pages/index.md";
    for (body, file, place, code, says) in [
        ("![A loaf](photos/loaf.jpg)".to_owned(), Some(cut), page, "bad-picture", "cut off"),
        ("![A loaf](photos/loaf.jpg)".to_owned(), Some(&b"hello"[..]), page, "bad-picture", "is text"),
        (call("alt=\"\""), Some(cut), template, "bad-picture", "cut off"),
        (call("alt=\"\""), Some(b"<html>"), template, "bad-picture", "web page"),
        (
            "<img src=\"{{ asset(path=\"photos/loaf.jpg\") }}\" alt=\"\">".to_owned(),
            Some(b"hello"),
            template,
            "bad-picture",
            "is text",
        ),
        (call("class=\"x\""), None, template, "template-failed", "has no `alt`"),
        (call("alt=\"\", sizes=\"50%\""), None, template, "template-failed", "percentages"),
        (call("alt=\"\", sizes=\"200vw\""), None, template, "template-failed", "wider than the window"),
        (call("alt=\"\", ratio=\"wide\""), None, template, "template-failed", "width divided by height"),
        (call("alt=\"\", focus=\"middle\""), None, template, "template-failed", "not a valid position"),
        (call("alt=\"\", widths=[]"), None, template, "template-failed", "list of 1 to 20"),
        (call("alt=\"\", widths=[0]"), None, template, "template-failed", "list of 1 to 20"),
        (call("alt=\"\", formats=[\"tiff\"]"), None, template, "template-failed", "`formats` must be a list"),
        (call("alt=\"\", width=3"), None, template, "template-failed", "did you mean `widths`"),
        ("{{ picture(path=\"photos/lof.jpg\", alt=\"\") }}".to_owned(), None, template, "unknown-asset", "lof.jpg"),
    ] {
        let more: Vec<(&str, &[u8])> = file.iter().map(|bytes| ("content/assets/photos/loaf.jpg", *bytes)).collect();
        let (found, text, message) = problem(&sources(&body, &more));
        assert_eq!(found, format!("{place} {code}"), "{body}: {message}");
        assert!(message.contains(says), "{body}: {message}");
        assert!(text.contains("photos/") || text.contains("loaf") || text.contains("picture"), "{body}: {text}");
    }
}

#[test]
fn what_browsers_cannot_show_is_refused_where_it_is_shown_and_may_be_downloaded() {
    for file in ["IMG_1.HEIC", "scan.tif", "old.BMP", "photos/logo.psd", "new.jxl"] {
        let path = format!("content/assets/{file}");
        let more: [(&str, &[u8]); 1] = [(&path, b"II*\0 and pixels")];
        for (body, place) in [
            (format!("![x]({file})"), "content/pages/index.md"),
            (format!("{{{{ picture(path=\"{file}\", alt=\"\") }}}}"), "templates/pages/page.html"),
            (format!("<img src=\"{{{{ asset(path=\"{file}\") }}}}\" alt=\"\">"), "templates/pages/page.html"),
        ] {
            let (found, text, message) = problem(&sources(&body, &more));
            assert_eq!(found, format!("{place} bad-picture"), "{body}: {message}");
            assert!(message.contains("browsers cannot show") && text.contains(file), "{body}: {message}: {text}");
        }
        let artifacts = built(&sources(&format!("[x]({file})"), &more));
        let name = &file[..file.len() - 4].trim_end_matches('.');
        assert!(artifacts.contents().any(|(path, _)| path.as_str().starts_with(&format!("assets/{name}"))));
    }
    let misnamed = problem(&sources("![x](a.heic)", &[("content/assets/a.heic", &jpeg(9, 9, 1))]));
    assert!(misnamed.2.contains("it is a JPEG file with the extension of a HEIC file"), "{misnamed:?}");
}

#[test]
fn an_animation_is_not_cropped_silently() {
    let mut moving = Vec::new();
    let mut encoder = gif::Encoder::new(&mut moving, 4, 4, &[0, 0, 0, 255, 255, 255]).unwrap();
    for _ in 0..2 {
        encoder.write_frame(&gif::Frame::from_indexed_pixels(4, 4, vec![1; 16], None)).unwrap();
    }
    drop(encoder);
    let body = "{{ picture(path=\"moving.gif\", alt=\"\", ratio=2) }}";
    let (place, _, message) = problem(&sources(body, &[("content/assets/moving.gif", &moving)]));
    assert_eq!(place, "templates/pages/page.html bad-picture");
    assert!(message.contains("cannot be cropped"), "{message}");
}

#[test]
fn the_file_beside_an_svg_describes_it_and_one_without_a_text_is_reported() {
    let icon = ("content/assets/icon.svg", ICON.as_bytes());
    let codes = |body: &str, more: &[(&str, &[u8])]| -> Vec<&'static str> {
        let all = [&[icon], more].concat();
        build(&sources(&format!("{body}\n\n![A loaf](photos/loaf.jpg)"), &all))
            .diagnostics
            .iter()
            .map(|each| code(&each.problem))
            .collect()
    };
    assert_eq!(codes("![](icon.svg)", &[]), ["missing-alt"]);
    assert_eq!(codes("![Our mark](icon.svg)", &[]), [""; 0]);
    let about = ("content/assets/icon.svg.yaml", &b"alt: Our mark\n"[..]);
    assert_eq!(codes("![](icon.svg)", &[about]), [""; 0]);
    let artifacts = built(&sources("![](icon.svg)\n\n![A loaf](photos/loaf.jpg)", &[icon, about]));
    assert!(home(&artifacts).contains("alt=\"Our mark\""), "{}", home(&artifacts));
    assert!(!artifacts.contents().any(|(path, _)| path.as_str().ends_with(".yaml")));
    let (place, _, message) = problem(&sources("![](icon.svg)", &[icon, ("content/assets/icon.svg.yml", b"alt: x")]));
    assert!(place.starts_with("content/assets/icon.svg.yml") && message.contains(".yml"), "{place} {message}");
}

#[test]
fn a_picture_of_the_public_folder_is_said_to_be_there() {
    let public = ("content/public/img/a.jpg", &jpeg(9, 9, 1)[..]);
    let (place, text, message) = problem(&sources("![x](/img/a.jpg)", &[public]));
    assert_eq!((place.as_str(), text.as_str()), ("content/pages/index.md unknown-asset", "/img/a.jpg"));
    assert!(message.contains("`content/public`"), "{message}");
}

/// The header and the end of this file are those of a whole picture: only decoding shows what is wrong.
#[test]
fn damage_that_only_decoding_shows_is_reported_at_the_line_too() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 64, 64);
    encoder.set_color(png::ColorType::Rgb);
    let noise: Vec<u8> = (0..64 * 64 * 3_u32).map(|at| ((at * at) >> 3) as u8).collect();
    encoder.write_header().unwrap().write_image_data(&noise).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    for (body, place) in [
        ("![A loaf](photos/loaf.png)", "content/pages/index.md"),
        ("{{ picture(path=\"photos/loaf.png\", alt=\"\") }}", "templates/pages/page.html"),
    ] {
        let (found, text, message) = problem(&sources(body, &[("content/assets/photos/loaf.png", &bytes)]));
        assert_eq!(found, format!("{place} bad-picture"), "{message}");
        assert!(message.contains("damaged") && text.contains("photos/loaf.png"), "{message}: {text}");
    }
}

#[test]
fn the_same_bytes_come_from_any_number_of_threads() {
    let body: String = (0..6)
        .map(|number| format!("{{{{ picture(path=\"p{number}.jpg\", alt=\"\", widths=[100, 200]) }}}}"))
        .collect();
    let files: Vec<(String, Vec<u8>)> =
        (0..6).map(|number| (format!("content/assets/p{number}.jpg"), jpeg(300, 200, number))).collect();
    let more: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), &bytes[..])).collect();
    let sources = sources(&body, &more);
    let all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let artifacts = pool.install(|| built(&sources));
        artifacts.contents().map(|(path, content)| (path.to_string(), content.digest())).collect::<Vec<_>>()
    };
    let one = all(1);
    assert_eq!(
        one.iter().filter(|(path, _)| path.contains("assets/p") && !path.contains("loaf")).count(),
        24,
        "{one:#?}"
    );
    assert!(one == all(2) && one == all(16));
}

#[test]
fn nothing_is_encoded_twice_and_a_damaged_entry_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources("![x](photos/loaf.jpg)", &[]);
    let all = |artifacts: &Artifacts| {
        artifacts.contents().map(|(path, content)| (path.to_string(), content.digest())).collect::<Vec<_>>()
    };
    let clean = all(&built(&sources));
    let entries = || -> BTreeSet<(std::path::PathBuf, std::time::SystemTime)> {
        let entries = std::fs::read_dir(folder.path().join(".sitegen/cache")).unwrap();
        entries
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap()))
            .collect()
    };
    let build = || {
        let tools = DiskTools::of(folder.path());
        let checked = sitegen::build(&sources, &Profile::default(), &tools);
        all(&checked.value.unwrap())
    };
    assert_eq!(build(), clean);
    let first = entries();
    assert_eq!(first.len(), 6);
    assert_eq!(build(), clean);
    assert_eq!(entries(), first);
    let (damaged, _) = first.first().unwrap();
    let mut bytes = std::fs::read(damaged).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(damaged, bytes).unwrap();
    assert_eq!(build(), clean);
    assert_eq!(entries().len(), 6);
}

#[test]
fn a_feed_and_an_animation_get_what_they_name() {
    let mut moving = Vec::new();
    let mut encoder = gif::Encoder::new(&mut moving, 4, 4, &[0, 0, 0, 255, 255, 255]).unwrap();
    for _ in 0..3 {
        encoder.write_frame(&gif::Frame::from_indexed_pixels(4, 4, vec![1; 16], None)).unwrap();
    }
    drop(encoder);
    let artifacts = built(&sources("![x](moving.gif)", &[("content/assets/moving.gif", &moving)]));
    let html = home(&artifacts);
    assert!(html.contains("<img src=\"/assets/moving-") && html.contains("width=\"4\" height=\"4\""), "{html}");
    assert!(pictures_of(&artifacts).iter().any(|path| path.starts_with("assets/moving-")));
}

#[test]
fn a_page_from_the_cache_lists_its_pictures() {
    let tools = CachingTools::of(Path::new(env!("CARGO_MANIFEST_DIR")));
    let sources = sources("![x](photos/loaf.jpg)", &[]);
    let build = || sitegen::build(&sources, &Profile::default(), &tools).value.unwrap();
    let first = build();
    let second = build();
    assert!(second.differing(&first).is_empty());
    assert_eq!(pictures_of(&second).len(), 6);
    let linked = |body: &str| {
        let sources = sources_with(body);
        let clean = built(&sources);
        let build = || sitegen::build(&sources, &Profile::default(), &tools).value.unwrap();
        build();
        assert!(build().differing(&clean).is_empty());
        clean.contents().filter(|(path, _)| path.as_str().ends_with(".pdf")).count()
    };
    assert_eq!(linked("[Menu](menu.pdf)"), 1);
    assert_eq!(linked("Menu"), 0);
}

fn sources_with(body: &str) -> Sources {
    sources(body, &[("content/assets/menu.pdf", b"%PDF-1.4")])
}

fn document() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/content/pages/guides/pictures.md"))
        .unwrap()
}

#[test]
fn the_site_of_the_document_builds_as_it_says() {
    let files = super::examples::files(&document());
    assert_eq!(files.len(), 5, "{:?}", files.keys());
    let photo = jpeg(3000, 2000, 1);
    let mut all: Vec<(&str, &[u8])> = files.iter().map(|(path, text)| (path.as_str(), text.as_bytes())).collect();
    let other = jpeg(3000, 2000, 2);
    all.extend([("content/assets/photos/loaf.jpg", &photo[..]), ("content/assets/photos/oven.jpg", &other)]);
    all.extend([("content/assets/icon.svg", ICON.as_bytes()), ("content/assets/fonts/overpass-800.woff2", FONT)]);
    let checked = build(&Sources::from_files(all));
    assert!(checked.diagnostics.is_empty(), "{:?}", checked.diagnostics);
    let artifacts = checked.value.unwrap();
    let html = home(&artifacts);
    let widths = |start: &str| {
        let named = named(&html);
        let widths = named.iter().filter_map(|path| path.strip_prefix(start)?.split('x').next()?.parse::<u32>().ok());
        widths.collect::<BTreeSet<u32>>().into_iter().collect::<Vec<_>>()
    };
    assert_eq!(widths("assets/photos/oven-"), [480, 800, 1200, 1600]);
    assert_eq!(widths("assets/photos/loaf-"), [160, 320, 480, 800, 1200, 1600]);
    assert!(html.contains("alt=\"Our oven, with the door open\""), "{html}");
    let is_icon = |path: &&String| path.contains("icon-") || path.contains("social/");
    let all = pictures_of(&artifacts);
    assert_eq!(named(&html), all.iter().filter(|path| !is_icon(path)).cloned().collect());
    // The icons: one for phones of Apple, three of the manifest.
    assert_eq!(all.iter().filter(is_icon).count(), 5, "{all:?}");
}

#[test]
fn the_defaults_of_the_document_are_those_of_the_engine() {
    let document = document();
    let (_, after) = document.split_once("```yaml\nsettings:").unwrap();
    let settings = format!("{SITE}settings:{}", after.split("```").next().unwrap());
    let own = built(&sources("![x](photos/loaf.jpg)", &[("content/site.yaml", settings.as_bytes())]));
    assert_eq!(home(&own), home(&built(&sources("![x](photos/loaf.jpg)", &[]))));
    let is_named = |argument: &str| document.contains(&format!("| `{argument}` |"));
    assert!(
        ["path", "alt", "widths", "sizes", "ratio", "focus", "formats", "priority", "class"]
            .iter()
            .all(|each| is_named(each))
    );
}

/// Runs `sitegen build` in a project's folder.
fn run(root: &Path) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_sitegen"))
        .args(["build", "--against", "none", "--root"])
        .arg(root)
        .arg("--out")
        .arg(root.join("dist"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn entries_that_no_build_uses_for_a_month_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (path, source) in
        sources("![x](photos/loaf.jpg)", &[("content/assets/photos/oven.jpg", &jpeg(200, 100, 3))]).iter()
    {
        let path = root.join(path.as_str());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, source.body.bytes().unwrap()).unwrap();
    }
    let page = root.join("content/pages/index.md");
    let cache = || -> Vec<std::path::PathBuf> {
        std::fs::read_dir(root.join(".sitegen/cache")).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let age = |days: u64| {
        for path in cache() {
            let then = std::time::SystemTime::now() - std::time::Duration::from_secs(days * 24 * 60 * 60);
            std::fs::File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
        }
    };
    run(root);
    assert_eq!(cache().len(), 6);
    std::fs::write(&page, "---\ntitle: Home\n---\n![x](photos/oven.jpg)\n").unwrap();
    run(root);
    // Another branch may still use the first six.
    assert_eq!(cache().len(), 8);
    age(20);
    std::fs::write(&page, "---\ntitle: Home\n---\n![y](photos/oven.jpg)\n").unwrap();
    run(root);
    assert_eq!(cache().len(), 8);
    // Six are now older than a month, and two were used just now. A build in which nothing has changed drops nothing.
    age(40);
    run(root);
    assert_eq!(cache().len(), 8);
    std::fs::write(&page, "---\ntitle: Home\n---\n![z](photos/oven.jpg)\n").unwrap();
    run(root);
    assert_eq!(cache().len(), 2);
}

#[test]
fn a_picture_that_is_shown_larger_than_it_is_is_a_warning_at_its_line() {
    for (sizes, is_small) in
        [("980px", false), ("1000px", true), ("(min-width: 90rem) 70rem, 10px", true), ("100vw", false)]
    {
        let body = format!("{{{{ picture(path=\"photos/loaf.jpg\", alt=\"\", sizes=\"{sizes}\") }}}}");
        let checked = build(&sources(&body, &[]));
        assert!(checked.value.is_some());
        let warnings: Vec<_> =
            checked.diagnostics.iter().map(|each| (code(&each.problem), each.place.clone())).collect();
        assert_eq!(warnings.len(), usize::from(is_small), "{sizes}: {warnings:?}");
        for (code, place) in warnings {
            assert_eq!((code, place.unwrap().path.as_str()), ("small-picture", "templates/pages/page.html"));
        }
    }
}

#[test]
fn a_broken_picture_that_no_page_names_is_refused_and_an_unused_one_is_a_warning() {
    let (place, _, message) = problem(&sources("Text", &[("content/assets/photos/loaf.jpg", b"hello")]));
    assert_eq!(place, "content/assets/photos/loaf.jpg bad-picture", "{message}");
    let checked = build(&sources("Text", &[]));
    assert_eq!(checked.diagnostics.iter().map(|each| code(&each.problem)).collect::<Vec<_>>(), ["unused-file"]);
}

#[test]
fn an_asset_is_published_if_the_finished_site_names_it_and_reported_if_nothing_could() {
    let launch = |state: &str| format!("---\ntitle: Launch\n{state}---\n![New](photos/new.jpg) [Prices](prices.pdf)\n");
    let (later, draft) = (launch("publish: 2999-01-01\n"), launch("draft: true\n"));
    let photo = jpeg(40, 30, 2);
    let body = "![A loaf](photos/loaf.jpg) [Menu](menu%20&%20more.pdf) [Terms](TERMS)";
    let all: [(&str, &[u8]); 11] = [
        ("content/assets/photos/new.jpg", &photo),
        ("content/assets/prices.pdf", b"%PDF-1.4 a"),
        ("content/assets/menu & more.pdf", b"%PDF-1.4 b"),
        ("content/assets/TERMS", b"Text"),
        // Nothing names these, though another file of the name is used.
        ("content/assets/old/loaf.jpg", &photo),
        ("content/assets/Chef B\u{fc}ro.jpg", &photo),
        ("content/assets/old.pdf", b"%PDF-1.4 c"),
        // These are named by other files than pages.
        ("content/assets/moved.pdf", b"%PDF-1.4 d"),
        ("content/assets/found.pdf", b"%PDF-1.4 e"),
        ("content/assets/banner.jpg", &photo),
        ("templates/pages/other.html", b"{% if page.sale is defined %}{{ asset(path=\"banner.jpg\") }}{% endif %}"),
    ];
    let digest = |bytes: &[u8]| {
        sitegen::sources::digest(bytes)[..4].iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let site = format!("{SITE}redirects:\n  - {{ from: /old, to: /assets/moved-{}.pdf }}\n", digest(b"%PDF-1.4 d"));
    let list = format!("/assets/found-{}.pdf", digest(b"%PDF-1.4 e"));
    for page in [&later, &draft] {
        let mut files = all.to_vec();
        files.push(("content/pages/launch.md", page.as_bytes()));
        files.push(("content/site.yaml", site.as_bytes()));
        files.push(("content/public/list.txt", list.as_bytes()));
        let Checked { value, diagnostics } = build(&sources(body, &files));
        let unused: Vec<String> = diagnostics
            .iter()
            .map(|each| format!("{} {}", code(&each.problem), each.place.as_ref().unwrap().path))
            .filter(|each| !each.contains("templates/"))
            .collect();
        let expected = ["Chef B\u{fc}ro.jpg", "old.pdf", "old/loaf.jpg"];
        assert_eq!(unused, expected.map(|path| format!("unused-file content/assets/{path}")), "{diagnostics:#?}");
        let artifacts = value.unwrap();
        let is_original = |path: &String| path.starts_with("assets/") && !path.contains("/photos/loaf-");
        let published = artifacts.contents().map(|(path, _)| path.to_string()).filter(is_original);
        let published: Vec<String> = published.map(|path| path[7..].split('-').next().unwrap().to_owned()).collect();
        assert_eq!(published, ["TERMS", "found", "menu & more", "moved"]);
    }
    // The launch shows what belongs to it.
    let mut files = all.to_vec();
    let page = launch("");
    files.push(("content/pages/launch.md", page.as_bytes()));
    let artifacts = built(&sources(body, &files));
    let has = |start: &str| artifacts.contents().any(|(path, _)| path.as_str().starts_with(start));
    assert!(has("assets/photos/new-40x30-") && has("assets/prices-"));
}

#[test]
fn pictures_stay_on_the_disk_until_copies_of_them_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let large = jpeg(1600, 1200, 5);
    assert!(large.len() > 256 * 1024);
    let in_memory = sources("![x](photos/loaf.jpg)", &[("content/assets/photos/loaf.jpg", &large)]);
    for (path, source) in in_memory.iter() {
        let path = root.join(path.as_str());
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, source.body.bytes().unwrap()).unwrap();
    }
    let read = sitegen::sources::read(root).value.unwrap();
    let photo = read.get(&sitegen::paths::SourcePath::new("content/assets/photos/loaf.jpg")).unwrap();
    assert!(photo.body.bytes().is_none(), "it is in memory");
    let all = |artifacts: Artifacts| {
        artifacts.contents().map(|(path, content)| (path.to_string(), content.digest())).collect::<Vec<_>>()
    };
    assert_eq!(all(built(&read)), all(built(&in_memory)));
}

/// A page with a link preview of its title, and a site with a font for it.
fn with_preview(title: &str) -> Sources {
    let body = "<meta property=\"og:image\" content=\"{{ social_picture(template=\"social/card.svg\", data={\"title\": page.title}) }}\">";
    let template = PAGE.replace("</head>", &format!("{body}</head>"));
    let page = format!("title: \"{title}\"\n");
    sources(
        "{{ 1 }}",
        &[
            ("templates/pages/page.html", template.as_bytes()),
            ("templates/social/card.svg", CARD.as_bytes()),
            ("content/assets/fonts/overpass-800.woff2", FONT),
            ("content/pages/index.md", format!("---\n{page}---\n").as_bytes()),
            ("content/pages/other.md", format!("---\n{page}---\n").as_bytes()),
        ],
    )
}

#[test]
fn a_page_has_a_link_preview_that_is_made_once() {
    let artifacts = built(&with_preview("Bread & rolls"));
    let html = home(&artifacts);
    let address = html.split("og:image\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    let path = address.strip_prefix("https://www.bakery.test/").expect("it is a full address");
    let bytes = artifacts.get(path).expect("it is published");
    let header = sitegen::pictures::Header::read(path, bytes).unwrap();
    assert_eq!((header.width, header.height), (1200, 630));
    let all: Vec<String> = artifacts.contents().map(|(path, _)| path.to_string()).collect();
    assert_eq!(all.iter().filter(|path| path.ends_with(".png")).count(), 1, "both pages have the same: {all:?}");
    // Nobody names the font, and not every font may be passed on.
    assert!(!all.iter().any(|path| path.ends_with(".woff2")), "{all:?}");
    let other = built(&with_preview("Bread"));
    assert!(!other.has(path), "another title, another file");
}

#[test]
fn a_preview_comes_from_the_cache_and_from_a_page_of_the_cache() {
    let tools = CachingTools::of(Path::new(env!("CARGO_MANIFEST_DIR")));
    let sources = with_preview("Bread");
    let build = || {
        let checked = sitegen::build(&sources, &Profile::default(), &tools);
        assert!(checked.diagnostics.iter().all(|each| each.severity == Severity::Warning), "{:?}", checked.diagnostics);
        let artifacts = checked.value.unwrap();
        let files = artifacts.contents().map(|(path, content)| (path.to_string(), content.digest()));
        files.collect::<Vec<_>>()
    };
    let first = build();
    assert!(first.iter().any(|(path, _)| path.ends_with(".png")));
    assert_eq!(build(), first);
}

#[test]
fn a_text_that_a_preview_cannot_show_is_an_error_where_it_is_written() {
    let (place, text, message) = problem(&with_preview("Brot 日本"));
    assert_eq!((place.as_str(), text.as_str()), ("content/pages/index.md social-picture", "\"Brot 日本\""));
    assert!(message.contains("`日`"), "{message}");
    let (place, text, _) = problem(&with_preview("Привет"));
    assert_eq!((place.as_str(), text.as_str()), ("content/pages/index.md social-picture", "\"Привет\""));
    let long = "Bread from a wood oven, rolls from another one, and cake";
    let (place, text, message) = problem(&with_preview(long));
    assert_eq!((place.as_str(), text), ("content/pages/index.md social-picture", format!("\"{long}\"")));
    assert!(message.contains("beyond its edge"), "{message}");
    for (card, wanted) in [
        ("{{ nothing }}", "card.svg:1"),
        ("<sgv", "card.svg:1"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\">\n{% if title %}\n<g>\n{% endif %}\n</svg>", "card.svg:5"),
        (
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\"><image href=\"/etc/passwd\"/></svg>",
            "<image>",
        ),
    ] {
        let sources = with_preview("Bread");
        let files = sources.iter().map(|(path, source)| (path.as_str(), source.body.read().unwrap().into_owned()));
        let mut files: Vec<(&str, Vec<u8>)> = files.collect();
        files.retain(|(path, _)| *path != "templates/social/card.svg");
        files.push(("templates/social/card.svg", card.as_bytes().to_vec()));
        let (place, _, message) = problem(&Sources::from_files(files));
        assert!(place.starts_with("templates/pages/page.html") && message.contains(wanted), "{place} {message}");
    }
}

#[test]
fn one_svg_gives_all_icons() {
    let head = PAGE.replace("</head>", "{{ favicons(path=\"icon.svg\", background=\"#f00\") }}</head>");
    let files = [("templates/pages/page.html", head.as_bytes()), ("content/assets/icon.svg", ICON.as_bytes())];
    let artifacts = built(&sources("{{ 1 }}", &files));
    let html = home(&artifacts);
    let page = Html::parse_document(&html);
    let link = |selector: &str| {
        let link =
            page.select(&Selector::parse(selector).unwrap()).next().unwrap_or_else(|| panic!("{selector}: {html}"));
        link.attr("href").unwrap()[1..].to_owned()
    };
    let size = |path: &str| {
        let header = sitegen::pictures::Header::read(path, artifacts.get(path).unwrap()).unwrap();
        (header.width, header.has_alpha)
    };
    assert_eq!(size(&link("link[rel=apple-touch-icon]")), (180, false));
    assert!(artifacts.has(&link("link[type='image/svg+xml']")));
    let ico = artifacts.get(&link("link[sizes='32x32']")).unwrap();
    assert_eq!(artifacts.get("favicon.ico"), Some(ico));
    let manifest: serde_json::Value =
        serde_json::from_slice(artifacts.get(&link("link[rel=manifest]")).unwrap()).unwrap();
    let icons = manifest["icons"].as_array().unwrap();
    let sizes: Vec<_> = icons.iter().map(|icon| size(&icon["src"].as_str().unwrap()[1..])).collect();
    assert_eq!(sizes, [(192, true), (512, true), (512, false)]);
    assert!(html.contains("manifest-src 'self'"), "{html}");
    // The site's own stays.
    let own = [&files[..], &[("content/public/favicon.ico", &b"own"[..])]].concat();
    assert_eq!(&built(&sources("{{ 1 }}", &own)).get("favicon.ico").unwrap()[..], b"own");
}

#[test]
fn an_image_that_would_shift_the_page_is_a_warning_where_it_is_written() {
    let reported = |sources: &Sources| {
        let checked = build(sources);
        assert!(checked.value.is_some(), "{:?}", checked.diagnostics);
        let unsized_images = checked.diagnostics.iter().filter(|each| code(&each.problem) == "unsized-image");
        let place = |each: &sitegen::diagnostics::Diagnostic| {
            let place = each.place.clone().unwrap();
            let text = sources.text(&place.path).unwrap();
            let line = text[..place.span.unwrap().start].matches('\n').count() + 1;
            format!("{}:{line}", place.path)
        };
        unsized_images.map(place).collect::<Vec<_>>()
    };
    let image = |attributes: &str| format!("{{{{ 1 }}}}\n<img src=\"/photo.png\" alt=\"\" {attributes}>");
    let png = include_bytes!("../sites/base-path/content/assets/oven.png");
    let with = |body: &str| sources(body, &[("content/public/photo.png", png)]);
    for attributes in ["", "width=\"30\"", "height=\"30\"", "width=\"30\" height=\"auto\"", "width height"] {
        assert_eq!(reported(&with(&image(attributes))), ["templates/pages/page.html:2"], "{attributes}");
    }
    for attributes in ["width=\"30\" height=\"20\"", "hidden", "height=20 width=30"] {
        assert_eq!(reported(&with(&image(attributes))), [""; 0], "{attributes}");
    }
    let raw = "---\ntitle: Home\nraw_html: true\n---\nText\n\n<p><img src=\"/photo.png\" alt=\"\"></p>\n";
    let own = [("content/pages/index.md", raw.as_bytes()), ("content/public/photo.png", png)];
    assert_eq!(reported(&sources("Text", &own)), ["content/pages/index.md:7"]);
    // What the engine writes has a size.
    let files = [("content/assets/icon.svg", ICON.as_bytes())];
    let artifacts = built(&sources("![An icon](icon.svg)", &files));
    assert!(home(&artifacts).contains("alt=\"An icon\" width=\"4\" height=\"4\""), "{}", home(&artifacts));
    assert_eq!(reported(&sources("![An icon](icon.svg)", &files)), [""; 0]);
}

#[test]
fn a_picture_of_the_public_folder_is_what_its_name_says() {
    let png = include_bytes!("../sites/base-path/content/assets/oven.png");
    for (name, bytes, wanted) in [
        ("photo.jpg", &png[..], "it is a PNG file with the extension of a JPEG file"),
        ("photo.png", b"Not a picture", "the file is text"),
        ("photo.webp", b"", "the file is empty"),
        ("photo.png", &png[..png.len() - 20], "it is cut off"),
    ] {
        let (place, _, message) = problem(&sources("Text", &[(&format!("content/public/a/{name}"), bytes)]));
        assert_eq!(place, format!("content/public/a/{name} bad-picture"));
        assert!(message.contains(wanted), "{message}");
    }
    built(&sources("Text", &[("content/public/photo.png", png)]));
}

#[test]
fn templates_read_who_took_a_picture() {
    let beside = ("content/assets/photos/loaf.jpg.yaml", &b"alt: A loaf\ncredit: Ada & Co\nlicence: CC BY 4.0\n"[..]);
    let body = "{% set info = picture_info(path=\"photos/loaf.jpg\") %}{{ info.alt }}, {{ info.width }}x{{ info.height }}, \
                {{ info.credit | default(value=\"?\") }}, {{ info.licence | default(value=\"?\") }}\
                {{ picture(path=\"photos/loaf.jpg\", alt=\"\") }}";
    let html = home(&built(&sources(body, &[beside])));
    assert!(html.contains("A loaf, 900x600, Ada &amp; Co, CC BY 4.0"), "{html}");
    let body = body.replace("{{ info.alt }}", "");
    let html = home(&built(&sources(&body, &[])));
    assert!(html.contains(", 900x600, ?, ?"), "{html}");
    let (place, _, _) = problem(&sources("{{ picture_info(path=\"photos/lof.jpg\") }}", &[]));
    assert_eq!(place, "templates/pages/page.html unknown-asset");
}

#[test]
fn the_address_of_a_copy_publishes_that_copy_alone() {
    let call = |more: &str| format!("{{{{ picture_url(path=\"photos/loaf.jpg\", width=600{more}) }}}}");
    let body = format!("<p>{}</p>", call(", ratio=\"1200/630\", focus=\"left\", absolute=true"));
    let artifacts = built(&sources(&body, &[]));
    let html = home(&artifacts);
    let address = html.split("<p>").nth(1).unwrap().split('<').next().unwrap();
    assert!(address.starts_with("https://") && address.contains("/assets/photos/loaf-600x315-f0x50-"), "{address}");
    // Not the original, which has in it what the camera has written.
    let pictures = pictures_of(&artifacts);
    assert_eq!(pictures.len(), 1, "{pictures:?}");
    assert!(pictures.iter().all(|name| address.ends_with(name.trim_start_matches('/'))), "{pictures:?} {address}");
    for (more, name) in [("", "loaf-600x400-"), (", format=\"webp\"", ".webp"), (", format=\"jpg\"", ".jpg")] {
        let pictures = pictures_of(&built(&sources(&call(more), &[])));
        assert!(pictures.len() == 1 && pictures.iter().all(|own| own.contains(name)), "{more}: {pictures:?}");
    }
    // What a page could not show, it does not name.
    let own = [("content/assets/photos/loaf.jpg", &b"Not a picture"[..])];
    assert_eq!(problem(&sources(&call(""), &own)).0, "templates/pages/page.html bad-picture");
    let (place, _, _) = problem(&sources("{{ picture_url(path=\"photos/lof.jpg\", width=1) }}", &[]));
    assert_eq!(place, "templates/pages/page.html unknown-asset");
}

#[test]
fn narrow_windows_get_another_crop_or_another_picture() {
    let other = jpeg(400, 800, 7);
    let body = "{{ picture(path=\"photos/loaf.jpg\", alt=\"\", widths=[300, 600], ratio=2, formats=[\"webp\"], sources=[\
                {\"media\": \"(width < 20rem)\", \"path\": \"photos/tall.jpg\", \"sizes\": \"50vw\"}, \
                {\"media\": \"(max-width: 40rem)\", \"ratio\": \"4/5\", \"focus\": \"left\", \"widths\": [200]}]) }}";
    let artifacts = built(&sources(body, &[("content/assets/photos/tall.jpg", &other)]));
    let html = home(&artifacts);
    assert_eq!(named(&html), pictures_of(&artifacts), "{html}");
    let page = Html::parse_document(&html);
    let all: Vec<_> = page.select(&Selector::parse("picture > source").unwrap()).collect();
    let read = |number: usize, name: &str| all[number].attr(name).unwrap_or_default().to_owned();
    let shapes: Vec<_> = (0..all.len()).map(|at| (read(at, "media"), read(at, "type"), read(at, "height"))).collect();
    let shape = |media: &str, kind: &str, height: &str| (media.to_owned(), kind.to_owned(), height.to_owned());
    assert_eq!(
        shapes,
        [
            shape("(width < 20rem)", "image/webp", "800"),
            shape("(width < 20rem)", "image/jpeg", "800"),
            shape("(max-width: 40rem)", "image/webp", "250"),
            shape("(max-width: 40rem)", "image/jpeg", "250"),
            shape("", "image/webp", ""),
        ]
    );
    assert!(read(0, "srcset").contains("tall-300x600-") && read(0, "sizes") == "50vw", "{html}");
    assert!(read(2, "srcset").contains("loaf-200x250-f0x50-"), "{html}");
    for (wrong, wanted) in [
        ("[{\"ratio\": 1}]", "media query"),
        ("[{\"media\": \"(a\"}]", "media query"),
        ("\"x\"", "media query"),
        ("[{\"media\": \"print\", \"ration\": 1}]", "did you mean `ratio`?"),
        ("[{\"media\": \"print\", \"path\": \"photos/tal.jpg\"}]", "tal.jpg"),
        ("[{\"media\": \"print\", \"focus\": \"up\"}]", "not a valid position"),
    ] {
        let body = format!("{{{{ picture(path=\"photos/loaf.jpg\", alt=\"\", sources={wrong}) }}}}");
        let (place, _, message) = problem(&sources(&body, &[]));
        assert!(place.starts_with("templates/pages/page.html") && message.contains(wanted), "{wrong}: {message}");
    }
}

/// A site in AVIF has the files that its page names, the same from any number of threads, and in `serve` before one is
/// encoded. Browsers find AVIF before WebP, and a budget counts what they load.
#[cfg(feature = "avif")]
#[test]
fn avif_comes_before_the_other_formats_and_is_the_same_from_all_threads() {
    let site = |budget: &str| {
        format!(
            "{SITE}settings:\n  pictures:\n    formats: [webp, avif]\n    widths: [64, 128]\n    sizes: 4rem\n{budget}"
        )
    };
    let of = |site: &str| sources("![A loaf](photos/loaf.jpg)", &[("content/site.yaml", site.as_bytes())]);
    let whole = of(&site(""));
    let artifacts = built(&whole);
    let html = home(&artifacts);
    assert_eq!(named(&html), pictures_of(&artifacts), "{html}");
    let page = Html::parse_document(&html);
    let types: Vec<_> = page.select(&Selector::parse("source").unwrap()).map(|each| each.attr("type")).collect();
    assert_eq!(types, [Some("image/avif"), Some("image/webp")], "{html}");
    let is_avif = |path: &String| path.ends_with(".avif");
    let all = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let artifacts = pool.install(|| built(&whole));
        artifacts.contents().map(|(path, content)| (path.to_string(), content.digest())).collect::<Vec<_>>()
    };
    let one = all(1);
    assert_eq!(one.iter().filter(|(path, _)| is_avif(path)).count(), 2);
    assert!(one == all(2) && one == all(16));
    // 4rem at 2x are 128 pixels: what is loaded is the larger AVIF file, and a budget below it is exceeded.
    let largest = named(&html).into_iter().find(|path| path.contains("-128x") && path.ends_with(".avif"));
    let bytes = artifacts.get(&largest.unwrap()).unwrap().len();
    for (limit, is_enough) in [(bytes, true), (bytes - 1, false)] {
        let limit = format!("{}.{:03}", limit / 1000, limit % 1000);
        let Checked { value, diagnostics } = build(&of(&site(&format!("  budgets:\n    images: {limit}\n"))));
        assert_eq!(value.is_some(), is_enough, "{limit}: {diagnostics:?}");
    }
}

#[cfg(not(feature = "avif"))]
#[test]
fn avif_is_refused_with_the_reason() {
    let site = format!("{SITE}settings:\n  pictures:\n    formats: [avif, webp]\n");
    let (place, text, message) = problem(&sources("Text", &[("content/site.yaml", site.as_bytes())]));
    assert_eq!((place.as_str(), text.as_str()), ("content/site.yaml bad-picture-setting", "avif"));
    assert!(message.contains("cannot write AVIF"), "{message}");
    let (_, _, message) =
        problem(&sources("{{ picture(path=\"photos/loaf.jpg\", alt=\"\", formats=[\"avif\"]) }}", &[]));
    assert!(message.contains("cannot write AVIF"), "{message}");
}
