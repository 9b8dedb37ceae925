//! Source paths, output paths and routes.
//!
//! All three use `/` on every system and never start at the root of a file system, so that the same project gives the
//! same bytes wherever it is checked out.

use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use memchr::{memchr, memchr_iter};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use std::borrow::{Borrow, Cow};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// The list of published files, which publishing adds to them. Visitors do not need it.
pub const MANIFEST: &str = "manifest.json";
/// The folder in a place that a site was deployed to with what is known of its deploys. Visitors do not need it.
pub const DEPLOYS: &str = ".sitegen-deploys";
/// The file of a project that has the errors which are suppressed.
pub const SUPPRESSIONS: &str = "suppressions.json";

/// The folder of files that are published unchanged.
pub const PUBLIC: &str = "content/public";

/// The folder of the sources of assets: what a site names of it is published.
pub const ASSETS: &str = "content/assets";

/// Schemes that a link may have: those of the HTML Standard that programs may handle (8.9.1.3, "safelisted scheme"), and their secured
/// kin. Others may run script, or open a program that is not prepared for what strangers send.
pub const SCHEMES: [&str; 28] = [
    "https",
    "http",
    "mailto",
    "tel",
    "sms",
    "webcal",
    "geo",
    "xmpp",
    "matrix",
    "bitcoin",
    "ftp",
    "ftps",
    "im",
    "irc",
    "ircs",
    "magnet",
    "mms",
    "news",
    "nntp",
    "openpgp4fpr",
    "sftp",
    "sip",
    "sips",
    "smsto",
    "ssh",
    "urn",
    "webcals",
    "wtai",
];

/// The path of an input file relative to the project's root, for example `content/site.yaml`. Which part of it names a language
/// counts for nothing where paths are compared.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "Arc<str>", into = "Arc<str>")]
pub struct SourcePath {
    text: Arc<str>,
    /// Where the name of a language begins, and its bytes with one sign between it and the rest. Zero bytes if it has none.
    language: (u32, u8),
}

/// The path of a published file relative to the output folder, for example `careers/index.html`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OutputPath(Arc<str>);

/// The address of a page: `/` or `/careers`. One from the name of a file is in lower case and has no slash at the end; one that
/// a page asks for by its key `path` may differ in both, and in `.html` at its end ([`Route::is_unusual`]).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Route(Arc<str>);

/// Resolves a path relative to a file, both with `/`. `None` if it leaves the folder that the file's path begins in.
pub fn joined(from: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The format of what a page makes, by the extension of its own name and of its template's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A page for people, at an address without extension.
    Html,
    /// XML, such as a sitemap or a feed.
    Xml,
    /// JSON, such as a web app manifest or a search index.
    Json,
    /// Plain text.
    Text,
    /// An iCalendar file.
    Calendar,
}

/// Names at the top of an output folder that publishing uses itself, or leaves alone: a repository, and what ext4 makes at
/// the top of a disk.
pub const RESERVED: [&str; 3] = [".git", "lost+found", ".sitegen-publish"];

/// The extensions of pages that make other files than HTML.
const FORMATS: [(&str, Format); 5] = [
    ("ics", Format::Calendar),
    ("json", Format::Json),
    ("txt", Format::Text),
    ("webmanifest", Format::Json),
    ("xml", Format::Xml),
];

impl Format {
    /// Returns the format of a template or of a route, by its name.
    pub fn of(name: &str) -> Self {
        let Some(extension) = Self::extension(name) else { return Format::Html };
        FORMATS.iter().find(|(own, _)| *own == extension).map_or(Format::Html, |(_, format)| *format)
    }

    /// Returns the extension of a name if it stands for another format than HTML.
    pub fn extension(name: &str) -> Option<&str> {
        // Asked of every page and link many times, and the longest of them has eleven letters.
        let dot = name.bytes().rev().take(12).position(|byte| byte == b'.')?;
        let extension = &name[name.len() - dot..];
        FORMATS.iter().any(|(own, _)| *own == extension).then_some(extension)
    }

    /// Returns the extensions that stand for another format than HTML.
    pub fn extensions() -> impl Iterator<Item = &'static str> {
        FORMATS.iter().map(|(extension, _)| *extension)
    }

    /// Whether it is a page for people.
    pub fn is_html(self) -> bool {
        self == Format::Html
    }

    /// Returns its name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Format::Html => "HTML",
            Format::Xml => "XML",
            Format::Json => "JSON",
            Format::Text => "plain text",
            Format::Calendar => "iCalendar",
        }
    }
}

impl SourcePath {
    /// Creates a path from a relative one that uses `/`. Its letters are [composed].
    pub fn new(path: impl AsRef<str>) -> Self {
        SourcePath { text: Arc::from(composed(path.as_ref())), language: (0, 0) }
    }

    /// Returns the same path with a part that names the language of the file: `.de` in `about.de.md`, `de/` in `pages/de/about.md`.
    pub fn in_language(&self, part: Range<usize>) -> Self {
        let (Ok(start), Ok(length)) = (u32::try_from(part.start), u8::try_from(part.len())) else {
            return self.clone();
        };
        SourcePath { text: self.text.clone(), language: (start, length) }
    }

    /// Whether a part of it names the language of the file.
    pub fn has_language(&self) -> bool {
        self.language.1 > 0
    }

    /// Returns what names the language: its tag, or a folder.
    pub fn language(&self) -> Option<&str> {
        let start = self.language.0 as usize;
        self.has_language().then(|| self.text[start..start + self.language.1 as usize].trim_matches(['.', '/']))
    }

    /// Returns the path without the part that names a language: that of the text which this one translates.
    pub fn key(&self) -> SourcePath {
        if !self.has_language() {
            return self.clone();
        }
        let (start, length) = (self.language.0 as usize, self.language.1 as usize);
        SourcePath::new(format!("{}{}", &self.text[..start], &self.text[start + length..]))
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the last part without its extension and the name of a language: `trails` of `content/platforms/trails.yaml` and
    /// `content/platforms/trails.de.yaml`.
    pub fn stem(&self) -> &str {
        let name = self.name();
        let start = self.text.len() - name.len();
        match (self.language.0 as usize).checked_sub(start).filter(|_| self.has_language()) {
            Some(end) => &name[..end],
            None => name.rsplit_once('.').map_or(name, |(stem, _)| stem),
        }
    }

    /// Returns the last part: `trails.yaml`.
    pub fn name(&self) -> &str {
        self.text.rsplit('/').next().unwrap_or(&self.text)
    }

    /// Returns what follows the last dot of the last part, in its original case.
    pub fn extension(&self) -> Option<&str> {
        self.name().rsplit_once('.').map(|(_, extension)| extension)
    }

    /// Returns the part of the path below a folder, if it is in that folder.
    pub fn below(&self, folder: &str) -> Option<&str> {
        self.text.strip_prefix(folder)?.strip_prefix('/')
    }
}

impl From<Arc<str>> for SourcePath {
    fn from(text: Arc<str>) -> Self {
        SourcePath { text, language: (0, 0) }
    }
}

impl From<SourcePath> for Arc<str> {
    fn from(path: SourcePath) -> Self {
        path.text
    }
}

impl PartialEq for SourcePath {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for SourcePath {}

impl PartialOrd for SourcePath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for SourcePath {
    fn cmp(&self, other: &Self) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl Hash for SourcePath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Display for SourcePath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl OutputPath {
    /// Creates a path from a relative one that uses `/`.
    pub fn new(path: impl AsRef<str>) -> Self {
        OutputPath(Arc::from(path.as_ref()))
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Lets maps by path be searched with a `&str`. It is equal, ordered and hashed as its text is.
impl Borrow<str> for OutputPath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// As for [`OutputPath`].
impl Borrow<str> for Route {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Route {
    /// Returns the route of the home page, `/`.
    pub fn home() -> Self {
        Route(Arc::from("/"))
    }

    /// Returns the route of a page file from its path below `content/pages` without extension: `index` is `/`,
    /// `a/index` is `/a`, `a/b` is `/a/b`.
    pub fn of_page(path: &str) -> Self {
        let path = match path.strip_suffix("index") {
            Some("") => "",
            Some(rest) if rest.ends_with('/') => rest.trim_end_matches('/'),
            _ => path,
        };
        Route(Arc::from(format!("/{path}")))
    }

    /// Returns the route that a page asks for by its key `path`, which begins with a slash.
    pub fn exact(path: &str) -> Self {
        Route(Arc::from(path))
    }

    /// Returns the route as text, starting with `/`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it ends in what names one file and no other: `/rust.html`, or with a slash `/rust/`, whose file is that of a
    /// folder. Other pages may be there as two files.
    pub fn is_of_one_file(&self) -> bool {
        !self.is_home() && (self.0.ends_with('/') || self.0.ends_with(".html"))
    }

    /// Whether it differs from others in what some hosts do not distinguish: capital letters, a slash at its end, or `.html`.
    pub fn is_unusual(&self) -> bool {
        self.is_of_one_file() || self.0.chars().any(char::is_uppercase)
    }

    /// Returns the address of a file that belongs to the page: `/news/feed.xml` for `/news`, `/news/` and `/news.html`.
    pub fn below(&self, file: &str) -> String {
        let folder = self.0.trim_end_matches('/');
        format!("{}/{file}", folder.strip_suffix(".html").unwrap_or(folder))
    }

    /// Returns what is the same for two routes that some host takes for one, or that need the same file.
    pub fn alike(&self) -> String {
        let caseless = caseless(self.0.trim_end_matches('/'));
        let path = caseless.strip_suffix(".html").unwrap_or(&caseless);
        path.strip_suffix("/index").unwrap_or(path).to_owned()
    }

    /// Returns the format of what answers at this address: `/search.json` is JSON, `/careers` HTML.
    pub fn format(&self) -> Format {
        Format::of(&self.0)
    }

    /// Whether this is the home page.
    pub fn is_home(&self) -> bool {
        &*self.0 == "/"
    }
}

/// Returns a text with each letter and its accents as one character where Unicode has one (NFC). macOS may list the names of
/// files in the other form (NFD), in which they look the same.
pub fn composed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() { Cow::Borrowed(text) } else { ComposingNormalizerBorrowed::new_nfc().normalize(text) }
}

/// Returns a path as file systems compare it that take letters for the same whatever their case and form: those of macOS and
/// Windows (Unicode Standard, 3.13, "caseless matching"). `ß` is the same as `SS`, and `ς` as `Σ`.
pub fn caseless(path: &str) -> String {
    if path.is_ascii() {
        return path.to_ascii_lowercase();
    }
    let parts = DecomposingNormalizerBorrowed::new_nfd().normalize(path);
    // Both ways, as `ẞ` has no upper case and `ß` is its lower one. By letter, as that of `Σ` depends on its place in a word.
    let mut cases = String::with_capacity(path.len());
    for letter in parts.chars() {
        match letter {
            // Its upper case is `I`, but no file system takes it for `i` (Unicode, CaseFolding.txt).
            'ı' => cases.push(letter),
            _ => cases.extend(letter.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)),
        }
    }
    DecomposingNormalizerBorrowed::new_nfd().normalize(&cases).into_owned()
}

/// Whether a character can be in the address of a page as it is: letters, digits and marks of all scripts, `-`, `_`, `.` and `~`.
///
/// Every host serves letters outside ASCII: browsers send the bytes of their UTF-8 percent-encoded (WHATWG URL Standard, "path
/// state"), and hosts look for the file of that name.
pub fn is_of_address(letter: char) -> bool {
    match letter.is_ascii() {
        true => letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | '~'),
        false => letter.is_alphanumeric() || is_mark(letter),
    }
}

/// Whether a character belongs to the letter before it, as a vowel sign of Devanagari, a tone of Thai or an accent does.
/// Those that only choose the picture of a symbol do not.
pub fn is_mark(letter: char) -> bool {
    let is_selector = matches!(letter, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}');
    let category = || CodePointMapData::<GeneralCategory>::new().get(letter);
    !letter.is_ascii()
        && !is_selector
        && matches!(category(), GeneralCategory::NonspacingMark | GeneralCategory::SpacingMark)
}

/// What has a meaning of its own in addresses, and what hosts or browsers would read as something else (WHATWG URL
/// Standard, "path percent-encode set", and `%` and `\\`).
const SPECIAL: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Turns a path of files into the path of an address. Letters outside ASCII stay: browsers encode them.
pub fn percent_encoded(path: &str) -> Cow<'_, str> {
    if !path.bytes().any(|byte| byte.is_ascii_control() || b" \"#%<>?\\^`{|}".contains(&byte)) {
        return Cow::Borrowed(path);
    }
    let mut out = String::with_capacity(path.len() + 16);
    for letter in path.chars() {
        match letter.is_ascii() {
            true => out.extend(utf8_percent_encode(letter.encode_utf8(&mut [0; 4]), SPECIAL)),
            false => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// Returns an address or the path of one with escapes for letters outside ASCII, as requests and headers have them. Other escapes
/// stay as they are.
pub fn in_ascii(address: &str) -> Cow<'_, str> {
    utf8_percent_encode(address, &AsciiSet::EMPTY).into()
}

/// Turns the path of an address into the path of files that it means.
pub fn percent_decoded(text: &str) -> Cow<'_, str> {
    if memchr(b'%', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    percent_decode_str(text).decode_utf8_lossy()
}

/// Returns whether every `%` has two hexadecimal digits after it. Hosts answer others with "bad request".
pub fn is_percent_encoding(path: &str) -> bool {
    memchr_iter(b'%', path.as_bytes())
        .all(|at| path.as_bytes()[at + 1..].iter().take(2).filter(|digit| digit.is_ascii_hexdigit()).count() == 2)
}

/// Returns the value of the header `Content-Type` for a file, by its name.
pub fn content_type(name: &str) -> String {
    let media_type = media_type(name);
    let is_text = media_type.starts_with("text/") || matches!(media_type, "application/xml" | "application/json");
    format!("{media_type}{}", if is_text { "; charset=utf-8" } else { "" })
}

/// Returns the MIME type that hosts send for a file name, by its extension.
///
/// Text types carry no charset: pages declare theirs in `<meta charset>`, and hosts add one of their own.
pub fn media_type(name: &str) -> &'static str {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        // `mime_guess` says `text/xml`, which is `application/xml` under its older name (RFC 7303, 9.2).
        "xml" => "application/xml",
        // RFC 8081 registers fonts under names of their own.
        "woff" => "font/woff",
        "otf" => "font/otf",
        // RFC 9239 calls JavaScript by its newer name, also in modules.
        "mjs" => "text/javascript",
        // A source map is JSON.
        "map" => "application/json",
        extension => mime_guess::from_ext(extension).first_raw().unwrap_or("application/octet-stream"),
    }
}

macro_rules! display_as_text {
    ($($name:ident),*) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }
    )*};
}
display_as_text!(OutputPath, Route);

/// Puts the first part of all addresses of a language before a path below `content/pages`, or before one that begins with a slash.
pub fn prefixed<'p>(prefix: &str, path: &'p str) -> Cow<'p, str> {
    match path.strip_prefix('/') {
        _ if prefix.is_empty() => Cow::Borrowed(path),
        Some("") => Cow::Owned(format!("/{prefix}")),
        Some(rest) => Cow::Owned(format!("/{prefix}/{rest}")),
        None => Cow::Owned(format!("{prefix}/{path}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_survive_encoding() {
        for name in ["/assets/100% natural-1a.png", "/a#b?c.png", "/100%25.png", "/ü \"x\".png"] {
            let address = percent_encoded(name);
            assert!(is_percent_encoding(&address) && !address.contains([' ', '#', '?', '"']), "{address}");
            assert_eq!(percent_decoded(&address), name);
        }
        assert_eq!(percent_encoded("/assets/100% natural.png"), "/assets/100%25%20natural.png");
        assert!(
            !is_percent_encoding("/100% natural.png") && !is_percent_encoding("/100%+1") && !is_percent_encoding("/1%")
        );
    }

    #[test]
    fn files_have_the_types_that_hosts_send() {
        for (name, media) in [
            ("a.html", "text/html"),
            ("a.css", "text/css"),
            ("a.js", "text/javascript"),
            ("a.mjs", "text/javascript"),
            ("a.json", "application/json"),
            ("a.js.map", "application/json"),
            ("a.xml", "application/xml"),
            ("a.txt", "text/plain"),
            ("a.svg", "image/svg+xml"),
            ("a.PNG", "image/png"),
            ("a.jpg", "image/jpeg"),
            ("a.webp", "image/webp"),
            ("a.avif", "image/avif"),
            ("favicon.ico", "image/x-icon"),
            ("a.woff", "font/woff"),
            ("a.woff2", "font/woff2"),
            ("a.ttf", "font/ttf"),
            ("a.otf", "font/otf"),
            ("a.mp4", "video/mp4"),
            ("a.webm", "video/webm"),
            ("a.mp3", "audio/mpeg"),
            ("a.zip", "application/zip"),
            ("a.pdf", "application/pdf"),
            ("a.webmanifest", "application/manifest+json"),
            ("CNAME", "application/octet-stream"),
            ("a.nothing", "application/octet-stream"),
        ] {
            assert_eq!(media_type(name), media, "{name}");
        }
    }

    #[test]
    fn names_that_some_file_system_takes_for_one_are_the_same() {
        for (a, b) in [
            ("é.png", "e\u{301}.png"),
            ("É.png", "e\u{301}.png"),
            ("straße", "STRASSE"),
            ("ẞ", "ss"),
            ("ſ", "S"),
            ("ΟΔΟΣ", "οδος"),
            ("οδοσ", "οδος"),
            ("ﬁ", "FI"),
            ("Ångström", "A\u{30a}ngstro\u{308}m"),
        ] {
            assert_eq!(caseless(a), caseless(b), "{a} {b}");
        }
        for (a, b) in [("a", "b"), ("e", "é"), ("ı", "l"), ("sınır", "sinir"), ("大", "太")] {
            assert_ne!(caseless(a), caseless(b), "{a} {b}");
        }
        assert_eq!(SourcePath::new("content/pages/gru\u{308}n.md"), SourcePath::new("content/pages/grün.md"));
    }

    #[test]
    fn index_files_stand_for_their_folder() {
        for (file, route) in [
            ("index", "/"),
            ("careers", "/careers"),
            ("blog/index", "/blog"),
            ("blog/first-post", "/blog/first-post"),
            ("reindex", "/reindex"),
        ] {
            assert_eq!(Route::of_page(file).as_str(), route);
        }
    }

    #[test]
    fn routes_that_hosts_take_for_one_are_alike() {
        let alike = |a: &str, b: &str| Route::exact(a).alike() == Route::exact(b).alike();
        for other in ["/Rust", "/rust/", "/rust.html", "/Rust.HTML", "/RUST/index.html", "/rust"] {
            assert!(alike("/rust", other), "{other}");
            assert_eq!(Route::exact(other).is_unusual(), other != "/rust", "{other}");
        }
        assert!(!alike("/rust", "/rust-1.0") && !alike("/a/rust", "/rust") && alike("/", "/index.html"));
        for list in ["/news", "/news/", "/news.html"] {
            assert_eq!(Route::exact(list).below("feed.xml"), "/news/feed.xml");
        }
        assert_eq!(Route::home().below("feed.xml"), "/feed.xml");
        assert!(!Route::home().is_unusual() && !Route::exact("/Rust").is_of_one_file());
    }

    #[test]
    fn letters_digits_and_marks_of_all_scripts_are_of_addresses() {
        for name in ["über-uns_1.0~", "東京", "مـن-نحن", "मंत्र", "ต้องการ", "größe²", "Ωμέγα"]
        {
            assert!(name.chars().all(is_of_address), "{name}");
        }
        // Spaces, signs, arrows, symbols, joiners, and what no eye sees.
        for letter in
            " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}→😀–’«\u{200c}\u{200d}\u{ad}\u{202e}\u{feff}\u{fe0f}\u{e000}\u{0}".chars()
        {
            assert!(!is_of_address(letter), "{letter:?}");
        }
        assert_eq!(in_ascii("https://a.test/ü/%20?q=ü#ü"), "https://a.test/%C3%BC/%20?q=%C3%BC#%C3%BC");
        assert!(Route::exact("/Über").is_unusual() && !Route::exact("/über").is_unusual());
    }

    #[test]
    fn a_file_is_below_its_folder_only() {
        let path = SourcePath::new("content/pages/about.md");
        assert_eq!(path.below("content/pages"), Some("about.md"));
        assert_eq!(path.below("content/page"), None);
        assert_eq!(path.stem(), "about");
    }

    #[test]
    fn relative_paths_stay_inside_the_project() {
        let from = "content/pages/a/b.md";
        assert_eq!(joined(from, "../c.md").as_deref(), Some("content/pages/c.md"));
        assert_eq!(joined(from, "../../../../etc/passwd"), None);
    }
}
