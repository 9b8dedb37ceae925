//! Refuses elements and attributes of raw HTML that run scripts, embed pages, or change what a page may load.

use super::{Context, harmless};
use crate::address::scheme_of;
use sitegen_core::diagnostics::{Diagnostic, Lost, MarkdownProblem, MarkupProblem, Place, Span, is_kept};
use sitegen_core::html::{Token, tokens};
use std::collections::HashMap;

/// Elements that run script, style or redirect the page, embed another page, or change what else it may load. They are
/// for templates, whose authors decide what a page does; authors of texts decide what it says. In the last four a
/// browser reads tags by other rules than elsewhere, or by rules that depend on whether scripts are on, so no check
/// would be reliable.
const ACTIVE: [&str; 15] = [
    "script", "style", "link", "meta", "base", "object", "embed", "iframe", "frame", "frameset", "template", "svg",
    "math", "title", "noscript",
];

/// What attributes begin with by which the scripts of the engine find islands, their modules and their styles.
const OF_ISLANDS: [&str; 2] = ["data-island", "data-enhance"];

/// Reports raw HTML of a text that only templates and islands may have. It searches the rendered HTML, where tags can
/// be distinguished from text, and reports where the body has the name. `formulas` is how many `<math>` elements the engine
/// wrote.
pub(super) fn report_active(
    html: &str,
    formulas: usize,
    body: &str,
    context: &Context,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let lower = body.to_ascii_lowercase();
    // Where the search for the next tag of a name begins. A name without another match is not searched again.
    let mut next: HashMap<String, usize> = HashMap::new();
    let is_formula_only = html.matches("<math").count() == formulas;
    let mut tokens = tokens(html);
    for token in tokens.by_ref() {
        let Token::Start(tag) = token else { continue };
        let name = tag.name.to_ascii_lowercase();
        let is_active = |attribute: &str, value: &str| {
            // SVG and MathML have links of their own, and animations that change them (SVG 2, 16 and SVG Animations).
            let is_address =
                attribute.ends_with("href") || matches!(attribute, "values" | "to" | "from" | "by" | "action");
            attribute == "srcdoc"
                || OF_ISLANDS.iter().any(|own| attribute.starts_with(own))
                || attribute == "attributename" && (value.trim().ends_with("href") || value.trim().starts_with("on"))
                || is_address && value.split([';', ',']).any(is_script)
        };
        let attribute = tag.attributes().find(|each| is_active(&each.name.to_ascii_lowercase(), &each.value));
        let part = match attribute {
            _ if name == "math" && is_formula_only => continue,
            _ if ACTIVE.contains(&name.as_str()) => format!("`<{name}>`"),
            Some(ref attribute) => format!("the attribute `{}` on `<{name}>`", attribute.name),
            None => continue,
        };
        let opening = format!("<{name}");
        let problem = MarkdownProblem::ActiveHtml { part }.into();
        if !is_kept(diagnostics.len(), &problem) {
            return;
        }
        let from = next.entry(name).or_insert(0);
        // The first tag that has the attribute with the value, if the text has it as it is written.
        let tags = || lower[*from..].match_indices(&opening).map(|(at, _)| *from + at);
        let has_attribute = |at: &usize| {
            let tag = &lower[*at..at + lower[*at..].find('>').unwrap_or(lower.len() - at)];
            let has = |part: &str| tag.contains(&part.to_ascii_lowercase());
            attribute.as_ref().is_none_or(|attribute| has(attribute.name) && has(&attribute.value))
        };
        let at = tags().find(has_attribute).or_else(|| tags().next()).unwrap_or_default();
        *from = (at + opening.len()).min(lower.len());
        let span = Span::at(at, opening.len().min(body.len() - at));
        diagnostics.push(Diagnostic::new(problem, Place::new(context.path, span.shifted(context.offset))));
    }
    let misplaced = if context.raw_html { None } else { harmless::misplaced(html) };
    if let Some((name, detail)) = misplaced {
        let at = lower.find(&format!("<{name}")).unwrap_or(0);
        let span = Span::at(at, (name.len() + 1).min(body.len() - at));
        let place = Place::new(context.path, span.shifted(context.offset));
        diagnostics.push(Diagnostic::new(MarkupProblem::Markup { detail }, place));
    }
    if tokens.ends_in_comment() {
        // The rest of the template after the text would be lost too.
        let span = Span::at(body.rfind("<!--").unwrap_or(0), 4.min(body.len()));
        let problem = MarkdownProblem::LostText(Lost::InOpenComment { end: "-->" });
        diagnostics.push(Diagnostic::new(problem, Place::new(context.path, span.shifted(context.offset))));
    }
}

/// Whether a tag is one that no text can have, or has a handler of events.
pub(super) fn is_active_tag(html: &str) -> bool {
    let Some(Token::Start(tag)) = tokens(html).next() else { return false };
    let is_handler = |name: &str| name.len() > 2 && name.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("on"));
    ACTIVE.iter().any(|active| tag.is(active)) || tag.attributes().any(|attribute| is_handler(attribute.name))
}

fn is_script(address: &str) -> bool {
    matches!(scheme_of(address).as_deref(), Some("javascript" | "vbscript" | "data"))
}
