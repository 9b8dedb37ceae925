//! Parses stylesheets, prints each for the supported browsers, and combines what was printed.
//!
//! `lightningcss` parses and prints. Its `minify` is never called: it moves declarations past others that they override
//! (its issues 1084, 1207, 1222, 1225). The printed CSS is as short as it can be without that.

use super::Sheet;
use super::names::{NAMES, is_prefixed};
use lightningcss::declaration::DeclarationBlock;
use lightningcss::error::{Error, ParserError, SelectorError};
use lightningcss::properties::background::BackgroundClip;
use lightningcss::properties::{Property, PropertyId};
use lightningcss::rules::import::ImportRule;
use lightningcss::rules::layer::LayerBlockRule;
use lightningcss::rules::media::MediaRule;
use lightningcss::rules::supports::SupportsRule;
use lightningcss::rules::{CssRule, CssRuleList};
use lightningcss::stylesheet::{ParserOptions, PrinterOptions, StyleSheet};
use lightningcss::targets::{Browsers, Features, Targets};
use lightningcss::values::url::Url;
use lightningcss::vendor_prefix::VendorPrefix;
use lightningcss::visit_types;
use lightningcss::visitor::{Visit, VisitTypes, Visitor};
use sitegen_core::cache::{Cache, Query};
use sitegen_core::diagnostics::{MOST, Span, StyleProblem, meant};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::{Arc, RwLock};

/// A parsed stylesheet.
pub type Parsed<'a> = StyleSheet<'a>;

/// Chrome 111, Firefox 114 and Safari 16.4, on the desktop and on phones.
const BROWSERS: Browsers = Browsers {
    chrome: Some(111 << 16),
    edge: Some(111 << 16),
    firefox: Some(114 << 16),
    safari: Some(16 << 16 | 4 << 8),
    ios_saf: Some(16 << 16 | 4 << 8),
    android: None,
    ie: None,
    opera: None,
    samsung: None,
};

/// Properties that some of these browsers support with the prefix `-webkit-` only (MDN's compatibility data).
const PREFIXED: [&str; 15] = [
    "backdrop-filter",
    "box-decoration-break",
    "hyphens",
    "mask",
    "mask-clip",
    "mask-composite",
    "mask-image",
    "mask-origin",
    "mask-position",
    "mask-repeat",
    "mask-size",
    "print-color-adjust",
    "text-size-adjust",
    "user-select",
    "background-clip",
];

/// Parses a stylesheet, and returns its problems. Rules that cannot be read are left out, as browsers do.
pub fn parse(text: &str) -> (Parsed<'_>, Vec<(StyleProblem, Span)>) {
    let warnings = Arc::new(RwLock::new(Vec::new()));
    let options =
        ParserOptions { error_recovery: true, warnings: Some(Arc::clone(&warnings)), ..ParserOptions::default() };
    let parsed = StyleSheet::parse(text, options)
        // With error recovery there is no error to stop at.
        .unwrap_or_else(|_| StyleSheet::new(Vec::new(), CssRuleList(Vec::new()), ParserOptions::default()));
    let mut warnings = warnings.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    // Each is looked for from the start of the text, and no more are reported.
    let problems = warnings.drain(..).filter_map(|warning| problem(text, warning)).take(MOST + 1).collect();
    (parsed, problems)
}

fn problem(text: &str, error: Error<ParserError>) -> Option<(StyleProblem, Span)> {
    let span = || error.loc.as_ref().map_or_else(Span::default, |loc| Span::at(offset(text, loc.line, loc.column), 1));
    let syntax = |detail: &str, fix| StyleProblem::CssSyntax { detail: detail.to_owned(), fix };
    let problem = match error.kind {
        // Names of at-rules have been checked.
        ParserError::AtRuleInvalid(_) => return None,
        ParserError::SelectorError(
            SelectorError::UnsupportedPseudoClass(name) | SelectorError::UnsupportedPseudoElement(name),
        ) => {
            let lower = name.to_ascii_lowercase();
            if NAMES.has_pseudo(&lower) || is_prefixed(&lower) {
                return None;
            }
            // The place may be that of the colons.
            let span = span();
            let start = span.start + text[span.start..].find(&*name).filter(|at| *at < 3).unwrap_or(0);
            let nearest = meant(&lower, NAMES.pseudo());
            return Some((
                StyleProblem::UnknownPseudo { name: name.to_string(), nearest },
                Span::at(start, name.len()),
            ));
        }
        ParserError::SelectorError(SelectorError::EmptySelector) => syntax("a selector is missing here", None),
        ParserError::SelectorError(SelectorError::DanglingCombinator) => syntax("this selector is incomplete", None),
        ParserError::SelectorError(_) => syntax("browsers cannot parse this selector", None),
        ParserError::UnexpectedImportRule => syntax(
            "`@import` must come before all rules except `@layer` statements",
            Some("move it to the top of the file"),
        ),
        ParserError::InvalidMediaQuery => syntax("browsers cannot parse this media query", None),
        ParserError::MaximumNestingDepth => syntax("blocks are nested too deeply here", Some("write fewer levels")),
        ParserError::AtRulePreludeInvalid | ParserError::AtRuleBodyInvalid => {
            syntax("browsers cannot parse this rule", None)
        }
        _ => syntax("browsers cannot parse this", None),
    };
    Some((problem, span()))
}

/// Returns the byte at a line from zero and a column from one, which counts UTF-16 units.
fn offset(text: &str, line: u32, column: u32) -> usize {
    let start = text.split_inclusive('\n').take(line as usize).map(str::len).sum::<usize>();
    let mut units = column.saturating_sub(1) as usize;
    let rest = text[start..].char_indices().take_while(|(_, letter)| {
        let is_before = units > 0;
        units = units.saturating_sub(letter.len_utf16());
        is_before
    });
    start + rest.last().map_or(0, |(at, letter)| at + letter.len_utf8())
}

/// A stylesheet for the pages of a site: its text, and the published addresses of its files.
#[derive(Hash)]
struct Print<'a> {
    text: &'a str,
    urls: &'a BTreeMap<String, String>,
}

/// A stylesheet that is ready to be combined with others.
#[derive(Debug)]
pub struct Printed {
    /// What browsers could not read.
    pub problems: Vec<(StyleProblem, Span)>,
    /// Its rules and imports in their order, or why they cannot be printed.
    pub pieces: Result<Vec<SheetPiece>, String>,
}

/// A part of a stylesheet.
#[derive(Debug)]
pub enum SheetPiece {
    Rules(String),
    Import(Import),
}

/// An `@import`: the address in it, and the blocks of its conditions around what it imports.
#[derive(Clone, Debug)]
pub struct Import {
    address: String,
    opening: String,
    closing: String,
    has_layer: bool,
}

impl Query for Print<'_> {
    const KIND: &'static str = "printed stylesheet";
    type Output = Printed;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Printed, Infallible> {
        let (mut parsed, problems) = parse(self.text);
        let Ok(()) = parsed.visit(&mut Adapt { urls: self.urls });
        Ok(Printed { problems, pieces: pieces(parsed.rules.0) })
    }
}

/// Parses and prints a stylesheet.
pub fn printed(sheet: &Sheet, cache: &Cache) -> Arc<Printed> {
    let Ok(printed) = cache.query(&Print { text: &sheet.text, urls: &sheet.urls });
    printed
}

/// Prints the rules between imports, and the conditions of each import.
fn pieces(rules: Vec<CssRule>) -> Result<Vec<SheetPiece>, String> {
    let mut pieces = Vec::new();
    let mut rules_so_far = Vec::new();
    let end = |rules_so_far: &mut Vec<_>, pieces: &mut Vec<SheetPiece>| -> Result<(), String> {
        if !rules_so_far.is_empty() {
            pieces.push(SheetPiece::Rules(text(std::mem::take(rules_so_far))?));
        }
        Ok(())
    };
    for rule in rules {
        let CssRule::Import(import) = rule else {
            rules_so_far.push(rule);
            continue;
        };
        end(&mut rules_so_far, &mut pieces)?;
        let around = text(wrapped(Vec::new(), &import))?;
        let opening = around.trim_end_matches('}').to_owned();
        let closing = around[opening.len()..].to_owned();
        let address = import.url.to_string();
        pieces.push(SheetPiece::Import(Import { address, opening, closing, has_layer: import.layer.is_some() }));
    }
    end(&mut rules_so_far, &mut pieces)?;
    Ok(pieces)
}

/// Prints rules for the supported browsers.
fn text(rules: Vec<CssRule>) -> Result<String, String> {
    let sheet = StyleSheet::new(Vec::new(), CssRuleList(rules), ParserOptions::default());
    let targets = Targets {
        browsers: Some(BROWSERS),
        include: Features::empty(),
        // Its replacement needs a variable that an author has to set.
        exclude: Features::LightDark,
    };
    let options = PrinterOptions { minify: true, targets, ..PrinterOptions::default() };
    let printed = sheet.to_css(options).map_err(|error| error.to_string())?;
    Ok(without_end_tags(printed.code.trim_end()))
}

/// Combines stylesheets, each with its pieces. `entries` are those that nothing imports, in the order of the cascade.
pub fn combined(sheets: &[(&Sheet, &[SheetPiece])], entries: &[usize]) -> String {
    let mut parts = Vec::new();
    for entry in entries {
        collect(sheets, *entry, &[], &mut Vec::new(), &mut parts);
    }
    // The last of several equal imports decides, unless it creates a layer: there, the first one does.
    let mut seen = BTreeSet::new();
    let mut rules = Vec::new();
    for part in parts.into_iter().rev() {
        if part.has_layers || seen.insert(part.key) {
            rules.push(part.rules);
        }
    }
    rules.into_iter().rev().collect()
}

/// Rules of a stylesheet between two imports.
struct RulesPart {
    /// The stylesheet, the position in it, and the conditions under which it is imported.
    key: (usize, usize, String),
    has_layers: bool,
    rules: String,
}

/// Collects the rules of a stylesheet and of those that it imports, in the place of each `@import`. `open` are the
/// stylesheets being collected: one that imports itself is skipped there, as in browsers.
fn collect<'a>(
    sheets: &[(&Sheet, &'a [SheetPiece])],
    index: usize,
    conditions: &[&'a Import],
    open: &mut Vec<usize>,
    parts: &mut Vec<RulesPart>,
) {
    if open.contains(&index) {
        return;
    }
    open.push(index);
    let (sheet, pieces) = &sheets[index];
    for (place, piece) in pieces.iter().enumerate() {
        match piece {
            SheetPiece::Rules(rules) => {
                let opening: String = conditions.iter().map(|import| import.opening.as_str()).collect();
                let closing: String = conditions.iter().rev().map(|import| import.closing.as_str()).collect();
                let has_layers = sheet.has_layers || conditions.iter().any(|import| import.has_layer);
                let rules = format!("{opening}{rules}{closing}");
                parts.push(RulesPart { key: (index, place, opening), has_layers, rules });
            }
            SheetPiece::Import(import) => {
                if let Some(imported) = sheet.imports.get(&import.address) {
                    collect(sheets, *imported, &[conditions, &[import]].concat(), open, parts);
                }
            }
        }
    }
    open.pop();
}

/// Wraps rules in the conditions of an import.
fn wrapped<'a>(rules: Vec<CssRule<'a>>, import: &ImportRule<'a>) -> Vec<CssRule<'a>> {
    let loc = import.loc;
    let mut rules = CssRuleList(rules);
    if let Some(name) = import.layer.clone() {
        rules = CssRuleList(vec![CssRule::LayerBlock(LayerBlockRule { name, rules, loc })]);
    }
    if let Some(condition) = import.supports.clone() {
        rules = CssRuleList(vec![CssRule::Supports(SupportsRule { condition, rules, loc })]);
    }
    if !import.media.media_queries.is_empty() {
        rules = CssRuleList(vec![CssRule::Media(MediaRule { query: import.media.clone(), rules, loc })]);
    }
    rules.0
}

/// Replaces addresses of files by their published ones, and adds names with a prefix.
struct Adapt<'s> {
    urls: &'s BTreeMap<String, String>,
}

impl<'a> Visitor<'a> for Adapt<'_> {
    type Error = Infallible;

    fn visit_types(&self) -> VisitTypes {
        visit_types!(URLS | PROPERTIES)
    }

    fn visit_url(&mut self, url: &mut Url<'a>) -> Result<(), Infallible> {
        if let Some(published) = self.urls.get(&*url.url) {
            url.url = published.clone().into();
        }
        Ok(())
    }

    fn visit_declaration_block(&mut self, block: &mut DeclarationBlock<'a>) -> Result<(), Infallible> {
        for declarations in [&mut block.declarations, &mut block.important_declarations] {
            let has_own = |id: &PropertyId| {
                let names: Vec<String> = declarations
                    .iter()
                    .map(|property| property.property_id())
                    .filter(|id| id.prefix() == VendorPrefix::WebKit)
                    .map(|id| id.name().to_owned())
                    .collect();
                names.iter().any(|name| name == id.name())
            };
            let prefixed: Vec<bool> = declarations
                .iter()
                .map(|property| property.property_id())
                .map(|id| id.prefix() == VendorPrefix::None && PREFIXED.contains(&id.name()) && !has_own(&id))
                .collect();
            for (declaration, _) in declarations.iter_mut().zip(prefixed).filter(|(_, is_prefixed)| *is_prefixed) {
                // Only `text` needs a prefix.
                let is_needed = match declaration {
                    Property::BackgroundClip(values, _) => values.contains(&BackgroundClip::Text),
                    _ => true,
                };
                if is_needed {
                    declaration.set_prefix(VendorPrefix::WebKit | VendorPrefix::None);
                }
            }
        }
        block.visit_children(self)
    }
}

/// Escapes `</style` in a string of the stylesheet, which would end the element around it.
fn without_end_tags(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(at) = rest.find("</") {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let is_end = after.get(2..7).is_some_and(|name| name.eq_ignore_ascii_case("style"));
        out.push_str(if is_end { "<\\/" } else { "</" });
        rest = &after[2..];
    }
    out.push_str(rest);
    out
}
