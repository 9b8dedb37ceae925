//! The part of `site.yaml` that the engine acts on.

use super::connections::Connections;
use super::hosting::Hosting;
use super::web_address::web_address;
use super::yaml::{Node, Value};
use sitegen_core::diagnostics::{AddressProblem, AssetProblem, Diagnostic, Place, Span};
use sitegen_core::paths::SourcePath;
use sitegen_core::profile::Destination;
use sitegen_pictures::{Focus, Format, Sizes, Wanted};
use url::Url;

/// The checked settings of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The scheme and host of the site's address, without a slash at the end: `https://www.example.com`.
    pub origin: String,
    /// The path of the site on that host: empty, or like `/docs`.
    pub base_path: String,
    /// The host's name in `url`, if the site is built for another one.
    pub other_host: Option<String>,
    /// Whether search engines must not see the site.
    pub staging: bool,
    /// The language of the texts, a BCP 47 tag.
    pub language: String,
    /// The name of the site.
    pub name: String,
    /// The files that a route is published as.
    pub routes: RouteFiles,
    /// How much a visitor may have to download for one page.
    pub budgets: Budgets,
    /// What pages may talk to.
    pub connections: Connections,
    /// What the host is asked to do.
    pub hosting: Hosting,
    /// How pictures are shown unless a page says otherwise.
    pub pictures: Pictures,
    /// Whether code blocks in Markdown are coloured, and the words after their fences read.
    pub highlight: bool,
    /// Whether the build makes an index of the pages for the search.
    pub search: bool,
    /// What visitors read in the place of an island that failed.
    pub island_failure: String,
}

/// The locales in which the texts of browsers were compared, so that islands may show texts in them. The enumeration of
/// `settings.islands.locales` in site.schema.json is the same.
pub const LOCALES: &[&str] = &[
    "ar", "bg", "ca", "cs", "da", "de", "de-AT", "de-CH", "el", "en", "en-AU", "en-CA", "en-GB", "en-IE", "en-IN",
    "en-NZ", "en-US", "en-ZA", "es", "es-MX", "et", "fi", "fr", "fr-BE", "fr-CA", "fr-CH", "hi", "hr", "hu", "id",
    "it", "it-CH", "ja", "ko", "lt", "lv", "nb", "nl", "nl-BE", "pl", "pt", "pt-BR", "pt-PT", "ro", "ru", "sk", "sl",
    "sv", "th", "tr", "uk", "vi", "zh", "zh-CN", "zh-TW",
];

/// The default of [`Settings::island_failure`], in English: the engine has no translations.
const ISLAND_FAILURE: &str = "This part of the page is not available at the moment.";

/// How pictures are shown unless a page says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pictures {
    /// The widths in which they are offered, in pixels.
    pub widths: Vec<u32>,
    /// How wide they are shown: the attribute `sizes`.
    pub sizes: String,
    /// Formats besides that of the picture, in the order in which browsers choose.
    pub formats: Vec<Format>,
    /// The quality of lossy formats, 1 to 100.
    pub quality: u8,
}

impl Default for Pictures {
    fn default() -> Self {
        let widths = vec![480, 800, 1200, 1600];
        Pictures { widths, sizes: "100vw".to_owned(), formats: vec![Format::WebP], quality: 80 }
    }
}

impl Pictures {
    /// Returns what a picture without a word more gets.
    pub fn wanted(&self, alt: String, focus: Option<Focus>) -> Wanted {
        let Pictures { widths, sizes, formats, quality } = self.clone();
        let focus = focus.unwrap_or(Focus::CENTER);
        Wanted { widths, sizes, ratio: None, focus, formats, quality, priority: false, class: None, title: None, alt }
    }

    fn of(path: &SourcePath, data: &Node, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut pictures = Pictures::default();
        let Some(own) = data.get("settings").and_then(|settings| settings.get("pictures")) else { return pictures };
        let number = |node: &Node| match node.value {
            Value::Integer(value) => u32::try_from(value).ok(),
            _ => None,
        };
        if let Some(widths) = own.get("widths") {
            pictures.widths = widths.items().iter().filter_map(number).collect();
        }
        if let Some(quality) = own.get("quality").and_then(number) {
            pictures.quality = quality.clamp(1, 100) as u8;
        }
        let mut report = |span: Span, detail: String| {
            let problem = AssetProblem::BadPictureSetting { detail };
            diagnostics.push(Diagnostic::new(problem, Place::new(path, span)));
        };
        if let Some((sizes, text)) = own.get("sizes").and_then(|sizes| Some((sizes, sizes.text()?))) {
            match Sizes::parse(text) {
                Ok(_) => pictures.sizes = text.to_owned(),
                Err(detail) => report(sizes.span, detail),
            }
        }
        if let Some(formats) = own.get("formats") {
            pictures.formats.clear();
            for node in formats.items() {
                let Some(format) = node.text().and_then(Format::of) else { continue };
                match format.is_written() {
                    true => pictures.formats.push(format),
                    false => report(node.span, sitegen_pictures::WITHOUT_AVIF.to_owned()),
                }
            }
        }
        pictures
    }
}

/// How much a visitor may have to download for one page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budgets {
    /// The page itself, with its inline styles and scripts.
    pub html: Option<Budget>,
    /// Stylesheets, also inline ones.
    pub css: Option<Budget>,
    /// Scripts that are loaded, also those of islands.
    pub js: Option<Budget>,
    /// Images.
    pub images: Option<Budget>,
}

/// A limit and where it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes.
    pub limit: usize,
    /// The value in `site.yaml`.
    pub span: Span,
}

/// The files that a route is published as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RouteFiles {
    /// `careers.html` and `careers/index.html`. With both, every measured host answers at `/careers` itself
    /// (slorber/trailing-slash-guide), and plain servers lead to a page that works.
    Both,
    /// `careers.html`.
    File,
    /// `careers/index.html`.
    Directory,
}

impl Settings {
    /// Reads the settings from `site.yaml`. A default replaces a wrong one, so that the mistakes of other files are
    /// reported in the same run; nothing is published then.
    pub fn of(path: &SourcePath, data: &Node, destination: Destination, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let text = |key: &str| data.get(key).and_then(Node::text).unwrap_or_default().to_owned();
        let url = destination.base_url.map_or_else(|| text("url"), str::to_owned);
        let (origin, base_path) = split_base_url(&url).unwrap_or_else(|| {
            let span = data.get("url").map_or(Span::default(), |node| node.span);
            diagnostics.push(Diagnostic::new(AddressProblem::BadBaseUrl { value: url }, Place::new(path, span)));
            ("https://www.example.com".to_owned(), String::new())
        });
        let own = split_base_url(&text("url")).map(|(own, _)| host_name(&own).to_owned());
        let other_host = own.filter(|own| !own.eq_ignore_ascii_case(&host_name(&origin)));
        let routes = match data.get("settings").and_then(|settings| settings.get("routes")).and_then(Node::text) {
            Some("file") => RouteFiles::File,
            Some("directory") => RouteFiles::Directory,
            _ => RouteFiles::Both,
        };
        let budget = |key: &str| {
            let node = data.get("settings")?.get("budgets")?.get(key)?;
            let kilobytes = match node.value {
                Value::Integer(value) => value as f64,
                Value::Float(value) => value,
                _ => return None,
            };
            Some(Budget { limit: (kilobytes * 1000.0) as usize, span: node.span })
        };
        let budgets = Budgets { html: budget("html"), css: budget("css"), js: budget("js"), images: budget("images") };
        let connections = Connections::of(path, data, &origin, diagnostics);
        let hosting = Hosting::of(path, data, destination, origin.starts_with("https:"), &connections, diagnostics);
        let pictures = Pictures::of(path, data, diagnostics);
        let highlight = data.get("settings").and_then(|settings| settings.get("highlight"));
        let highlight = highlight.is_none_or(|node| node.value != Value::Bool(false));
        let search = data.get("settings").and_then(|settings| settings.get("search"));
        let search = search.is_some_and(|node| node.value == Value::Bool(true));
        let islands = data.get("settings").and_then(|settings| settings.get("islands"));
        let failure = islands.and_then(|islands| islands.get("failure")).and_then(Node::text);
        let island_failure = failure.unwrap_or(ISLAND_FAILURE).to_owned();
        Settings {
            origin,
            base_path,
            other_host,
            staging: destination.staging,
            language: text("language"),
            name: text("name"),
            routes,
            budgets,
            connections,
            hosting,
            pictures,
            highlight,
            search,
            island_failure,
        }
    }
}

/// Returns the name of the host in an origin: `www.example.com` of `https://www.example.com:8443`. Empty if it is none.
pub fn host_name(origin: &str) -> String {
    Url::parse(origin).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
}

/// Splits the address of a site into its origin and its path. Nothing if pages cannot be published at it.
///
/// Origins are as browsers write them (WHATWG URL Standard): in lower case, without a default port, names of other scripts
/// in Punycode.
pub fn split_base_url(address: &str) -> Option<(String, String)> {
    let url = web_address(address)?;
    let is_bare =
        url.username().is_empty() && url.password().is_none() && !address.contains(['?', '#', '@', '\\', ' ']);
    let path = url.path();
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    // A path that the parser has changed, such as one with `..`, is not the one that was meant.
    let (_, rest) = address.split_once("://")?;
    let written = rest.find('/').map_or("/", |at| &rest[at..]);
    let is_path = path == written && path.bytes().all(is_plain) && !path.contains("//") && !rest.starts_with('/');
    let origin = url.origin().ascii_serialization();
    (is_bare && is_path).then(|| (origin, path.trim_end_matches('/').to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_lists_the_locales_of_texts() {
        let schema: serde_json::Value = serde_json::from_str(include_str!("site.schema.json")).unwrap();
        let pointer = "/properties/settings/properties/islands/properties/locales/items/enum";
        assert_eq!(schema.pointer(pointer), Some(&serde_json::json!(LOCALES)));
    }

    #[test]
    fn the_name_of_a_host_has_no_port() {
        for (origin, name) in [
            ("https://www.a.example", "www.a.example"),
            ("http://127.0.0.1:8000", "127.0.0.1"),
            ("http://[::1]:8000", "[::1]"),
        ] {
            assert_eq!(host_name(origin), name);
        }
    }

    #[test]
    fn a_base_url_has_a_host_and_perhaps_a_path() {
        let split = |url| split_base_url(url).map(|(origin, path)| format!("{origin} {path}"));
        assert_eq!(split("https://a.example").as_deref(), Some("https://a.example "));
        assert_eq!(split("https://WWW.Bücher.example:443/A").as_deref(), Some("https://www.xn--bcher-kva.example /A"));
        assert_eq!(split("http://127.0.0.1:8000/docs/").as_deref(), Some("http://127.0.0.1:8000 /docs"));
        for wrong in [
            "a.example",
            "https://x..example",
            "https://-x.example",
            "https://x-.example",
            "https://",
            "ftp://a",
            "https://a b",
            "https://a/?q",
            "https://a/../b",
            "https://a//b",
            "https:///a",
            "https://me@a",
            "https://a#b",
            "https:a",
            "https://a/%41",
            "https://a\\b",
            " https://a",
            "https://a:99999",
        ] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
    }
}
