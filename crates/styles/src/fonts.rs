//! The fonts that the text of pages is in, and the letters that none of them has.
//!
//! Which font a browser takes for a letter depends on the element; here it is enough that any font of the stylesheet has
//! it. Nothing is said about a site whose text is in fonts of the visitor's system: the chain of `font-family` of `html`,
//! `body`, `:root` or `*` has to name a font of the site.

use sitegen_locale::scripts::{self, Script};
use sitegen_pictures::Letters;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

/// With so many letters a font is one for a script. Fonts for Latin have some Greek letters, as signs of mathematics.
const MANY: usize = 20;

/// What a stylesheet says of fonts.
#[derive(Clone, Debug, Default)]
pub struct FontFacts {
    /// The rules `@font-face`.
    pub faces: Vec<Face>,
    /// The values of `font-family` and `font` for the whole page.
    pub base: Vec<String>,
    /// The values of custom properties.
    pub custom: BTreeMap<String, String>,
    /// The values of `font-family` and `font` in rules for a language: `:lang(ru)`.
    pub of_languages: Vec<String>,
    /// The values of custom properties there.
    pub custom_of_languages: Vec<(String, String)>,
}

/// A rule `@font-face`.
#[derive(Clone, Debug, Default)]
pub struct Face {
    /// Its family, as written.
    pub family: String,
    /// The addresses of its files.
    pub addresses: Vec<String>,
    /// Its `unicode-range`: the first and the last letter of each part. Empty for all letters.
    pub ranges: Vec<(u32, u32)>,
}

impl Face {
    /// Reads a descriptor.
    pub fn read(&mut self, name: &str, value: &str) {
        match name {
            "font-family" => self.family = families(value).into_iter().next().unwrap_or_default(),
            "unicode-range" => self.ranges = value.split(',').filter_map(range).collect(),
            _ => {}
        }
    }
}

/// The fonts of a site whose text is in them.
#[derive(Debug)]
pub struct SiteFonts {
    /// The names of their families.
    pub names: Vec<String>,
    faces: Vec<SiteFace>,
    /// Whether the chain names fonts that the site has not: whoever wrote it knows that they are the system's.
    has_others: bool,
    /// Read when a page first has a letter beyond ASCII.
    letters: OnceLock<Option<Known>>,
}

/// A rule `@font-face` with the files of the site.
#[derive(Debug)]
struct SiteFace {
    files: Vec<Arc<[u8]>>,
    ranges: Vec<(u32, u32)>,
}

/// The letters of all fonts.
#[derive(Debug)]
struct Known {
    letters: Letters,
    /// The number of letters of each script.
    scripts: Vec<(Script, usize)>,
}

impl SiteFonts {
    /// Returns the fonts that the text of pages is in. `files` has those of each rule.
    pub fn of(facts: &FontFacts, files: Vec<Vec<Arc<[u8]>>>) -> Option<Arc<Self>> {
        // Those without a file name fonts of the system.
        let own = || facts.faces.iter().zip(&files).filter(|(face, _)| !face.addresses.is_empty());
        let mut chain = Vec::new();
        for value in &facts.base {
            // What a template sets, or a function computes, is not known.
            chain.extend(families(&resolved(value, &facts.custom)?));
        }
        let own_names: BTreeSet<String> = own().map(|(face, _)| face.family.to_lowercase()).collect();
        let is_of_site = |name: &String| own_names.contains(&name.to_lowercase());
        if !chain.iter().any(is_of_site) {
            return None;
        }
        // A rule for a language names the font of its letters. A property counts if fonts are read from it.
        let is_font = |name: &str| facts.base.iter().chain(facts.custom.values()).any(|value| value.contains(name));
        let of_languages = facts.custom_of_languages.iter().filter(|(name, _)| is_font(name)).map(|(_, value)| value);
        let of_languages: Option<Vec<String>> =
            facts.of_languages.iter().chain(of_languages).map(|value| resolved(value, &facts.custom)).collect();
        let is_other = |name: &String| !is_of_site(name) && !is_generic(&name.to_lowercase());
        let is_known =
            |values: &Vec<String>| !values.iter().flat_map(|value| families(value)).any(|name| is_other(&name));
        let has_others = chain.iter().any(is_other) || !of_languages.as_ref().is_some_and(is_known);
        let names: BTreeSet<String> = own().map(|(face, _)| face.family.clone()).collect();
        let faces = own().map(|(face, files)| SiteFace { files: files.clone(), ranges: face.ranges.clone() }).collect();
        Some(Arc::new(SiteFonts { names: names.into_iter().collect(), faces, has_others, letters: OnceLock::new() }))
    }

    /// Whether no font has a letter, although they have others of its script or the page is written in that script.
    /// `of_page`: the scripts that the page is written in.
    pub fn lacks(&self, letter: char, of_page: &[Script]) -> bool {
        let Some(known) = self.letters.get_or_init(|| self.known()) else { return false };
        if known.letters.contains(letter) {
            return false;
        }
        let Some(script) = scripts::of_letter(letter) else { return false };
        let is_partly_there = known.scripts.iter().any(|(other, count)| *other == script && *count >= MANY);
        is_partly_there || !self.has_others && of_page.contains(&script)
    }

    /// Reads the letters of all fonts. `None` if one of them cannot be read: it may have any.
    fn known(&self) -> Option<Known> {
        let mut letters = Letters::default();
        for SiteFace { files, ranges } in &self.faces {
            let own = files.iter().find_map(|file| Letters::of(file))?;
            letters.add(&own, if ranges.is_empty() { &[(0, u32::MAX)] } else { ranges });
        }
        let mut scripts: Vec<(Script, usize)> = Vec::new();
        for script in letters.iter().filter_map(scripts::of_letter) {
            match scripts.iter_mut().find(|(other, _)| *other == script) {
                Some((_, count)) => *count += 1,
                None => scripts.push((script, 1)),
            }
        }
        Some(Known { letters, scripts })
    }
}

/// Whether a selector is for the whole page: `html`, `:root[data-theme]`, `body`, `*`.
pub fn is_for_all(selector: &str) -> bool {
    selector.split(',').map(str::trim).any(|part| {
        let is_one = !part.contains([' ', '>', '+', '~', '\n', '\t']);
        let name = part.split(['[', ':', '.']).next().unwrap_or_default().to_ascii_lowercase();
        is_one && (matches!(name.as_str(), "html" | "body" | "*") || name.is_empty() && part.starts_with(":root"))
    })
}

/// Whether a selector is for one language: `:lang(ru)`, `[lang="ru"] p`.
pub fn is_of_language(selector: &str) -> bool {
    selector.contains(":lang(") || selector.contains("[lang")
}

/// Replaces `var(--name)` by the value of the property, and other functions, which are sizes, by one. `None` if a value is not
/// known.
fn resolved(value: &str, custom: &BTreeMap<String, String>) -> Option<String> {
    let mut value = value.to_owned();
    // One property may name another; deeper chains are rare, and circles have no value.
    for _ in 0..8 {
        let Some(start) = value.find("var(") else { break };
        let inner = value[start + 4..].split([')', ',']).next()?.trim().to_owned();
        let end = start + value[start..].find(')')? + 1;
        value.replace_range(start..end, custom.get(&inner)?);
    }
    // The innermost first.
    for _ in 0..8 {
        let Some(end) = value.find(')') else { break };
        let open = value[..end].rfind('(')?;
        let start = value[..open].rfind([' ', ',', '(', '/']).map_or(0, |before| before + 1);
        value.replace_range(start..=end, "1px");
    }
    (!value.contains(['(', ')'])).then_some(value)
}

/// Returns the families of a value of `font-family` or `font`, without quotation marks.
fn families(value: &str) -> Vec<String> {
    value.split(',').map(family).filter(|name| !name.is_empty()).collect()
}

/// Returns the family in a part of a value: of the shorthand `font`, what follows the size.
fn family(part: &str) -> String {
    let part = part.split('!').next().unwrap_or_default().trim();
    let is_size =
        |word: &str| word.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.' || letter == '/');
    match part.find(['"', '\'']) {
        Some(quote) => part[quote..].trim_matches(['"', '\'']).to_owned(),
        None => {
            let words: Vec<&str> = part.split_ascii_whitespace().collect();
            let from = words.iter().rposition(|word| is_size(word)).map_or(0, |size| size + 1);
            words[from..].join(" ")
        }
    }
}

/// Whether a family is none of its own but one that every system has (CSS Fonts 4, 2.1.3).
fn is_generic(name: &str) -> bool {
    const GENERIC: [&str; 11] = [
        "-apple-system",
        "blinkmacsystemfont",
        "cursive",
        "emoji",
        "fangsong",
        "fantasy",
        "inherit",
        "math",
        "monospace",
        "sans-serif",
        "serif",
    ];
    GENERIC.contains(&name) || name == "system-ui" || name.starts_with("ui-")
}

/// Reads a part of `unicode-range`: `U+26`, `U+0-7F`, `U+4??`.
fn range(part: &str) -> Option<(u32, u32)> {
    let part = part.trim();
    let digits = part.strip_prefix("U+").or_else(|| part.strip_prefix("u+"))?;
    let (first, last) = match digits.split_once('-') {
        Some((first, last)) => (first.to_owned(), last.to_owned()),
        None => (digits.replace('?', "0"), digits.replace('?', "F")),
    };
    Some((u32::from_str_radix(&first, 16).ok()?, u32::from_str_radix(&last, 16).ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::check;
    use super::*;

    const FONT: &[u8] = include_bytes!("../../../content/assets/fonts/overpass-800.woff2");
    const FACE: &str = "@font-face { font-family: \"Brand\"; src: url(a.woff2) }";

    fn fonts(css: &str) -> Option<Arc<SiteFonts>> {
        let facts = check::read(css);
        assert!(facts.problems.is_empty(), "{css}: {:?}", facts.problems);
        let files = facts.fonts.faces.iter().map(|_| vec![Arc::from(FONT)]).collect();
        SiteFonts::of(&facts.fonts, files)
    }

    #[test]
    fn the_text_of_pages_is_in_a_font_of_the_site_if_the_whole_page_names_one() {
        for (css, expected) in [
            ("body { font-family: Brand, sans-serif }", true),
            ("html { font: 500 1rem/1.5 \"Brand\", sans-serif }", true),
            (":root { --text: var(--brand), serif; --brand: 'Brand'; font-family: var(--text) }", true),
            ("@layer base { *, ::before { font-family: BRAND } }", true),
            (
                "body { font: 400 var(--size) / 1.6 var(--f) } :root { --size: clamp(1rem, calc(1px + 1vw), 2rem); --f: Brand, serif }",
                true,
            ),
            ("body { font: 400 var(--size) / 1.6 system-ui } :root { --size: max(1rem, 1vw) }", false),
            ("@font-face { font-family: Near; src: local(\"Arial\") } body { font-family: Near }", false),
            ("body { font-family: system-ui } h1 { font-family: Brand }", false),
            ("body { font-family: var(--of-a-template, Brand) }", false),
            ("h1 { font-family: Brand }", false),
            ("body { h1 { font-family: Brand } }", false),
            ("", false),
        ] {
            assert_eq!(fonts(&format!("{FACE}\n{css}")).is_some(), expected, "{css}");
        }
        assert!(fonts("body { font-family: Brand }").is_none());
    }

    #[test]
    fn letters_are_missed_where_the_others_of_their_script_are_there_or_the_page_is_in_it() {
        let brand = fonts(&format!("{FACE} body {{ font-family: Brand, sans-serif }}")).unwrap();
        for (letter, language, expected) in [
            ('é', "fr", false),
            ('ễ', "en", true),
            ('日', "en", false),
            ('日', "ja", true),
            ('ب', "ar", true),
            ('ب', "en", false),
            ('→', "ar", false),
            ('Ω', "en", false),
        ] {
            assert_eq!(brand.lacks(letter, &scripts::of_language(language)), expected, "{letter} in {language}");
        }
        // The system's font is named for what the site's has not.
        let known = fonts(&format!("{FACE} body {{ font-family: Brand, \"Hiragino Sans\", sans-serif }}")).unwrap();
        assert!(!known.lacks('日', &[Script::Han]) && known.lacks('ễ', &[Script::Han]));
        // So may a rule for a language.
        for (rule, expected) in [
            (":lang(ru) { font-family: \"Noto Sans\" }", false),
            ("[lang=\"ru\"] { font: 1rem \"Noto Sans\" }", false),
            ("html:lang(ru) body { font-family: \"Noto Sans\", sans-serif }", false),
            (":root:lang(ru) { --f: \"Noto Sans\" }", false),
            (":root:lang(ru) { --accent: Red }", true),
            (":lang(ru) { font-family: Brand }", true),
        ] {
            let css = format!("{FACE} :root {{ --f: Brand }} body {{ font-family: var(--f), sans-serif }} {rule}");
            assert_eq!(fonts(&css).unwrap().lacks('日', &[Script::Han]), expected, "{rule}");
        }
        let part = "@font-face { font-family: Brand; src: url(a.woff2); unicode-range: U+0-7f, u+4?? }";
        let part = fonts(&format!("{part} body {{ font-family: Brand }}")).unwrap();
        assert!(part.lacks('é', &[]) && !part.lacks('a', &[]));
    }
}
