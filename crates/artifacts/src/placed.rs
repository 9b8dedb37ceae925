//! Turns mistakes in finished pages into diagnostics at the lines that made them.

use super::files::Files;
use super::mistakes::{Location, Mistake};
use super::{Content, outputs};
use sitegen_content::{self as content, SITE_FILE};
use sitegen_core::diagnostics::{AccessibilityProblem, Diagnostic, MarkupProblem, Place, Problem, Severity, code};
use sitegen_core::paths::{Route, SourcePath};
use sitegen_pages::{self as pages, ISLANDS_STYLE, Inputs, Page};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// The number of mistakes that are traced to the line that made them. Each reads the template and the content: a site
/// of ten thousand pages with a mistake in each would take minutes. The rest are reported at their pages.
pub const MOST_PLACED: usize = 2_000;

/// Turns mistakes into diagnostics at the lines that made them. One that a template puts into many pages is reported
/// once.
pub fn placed(inputs: Inputs, pages: &[Page], mistakes: Vec<Vec<Mistake>>, files: &Files) -> Vec<Diagnostic> {
    if mistakes.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    // A warning about a page as a whole has no line.
    let has_line = |mistake: &Mistake| mistake.is_error() || mistake.location.is_some();
    let is_traced = |mistakes: &[Mistake]| mistakes.iter().any(has_line);
    let wrong: BTreeSet<&Route> =
        pages.iter().zip(&mistakes).filter(|(_, mistakes)| is_traced(mistakes)).map(|(page, _)| &page.route).collect();
    let traces = match wrong.is_empty() {
        true => pages::trace::Traces::default(),
        false => pages::trace(inputs, |route| wrong.contains(route)),
    };
    let documents: BTreeMap<&Route, &content::Page> =
        inputs.site.pages.iter().map(|page| (&page.route, page)).collect();
    let mut reported = BTreeSet::new();
    let mut diagnostics = Vec::new();
    let mut looked_for = 0;
    for (page, mistakes) in pages.iter().zip(mistakes) {
        let document = OnceCell::new();
        for Mistake { problem, location } in mistakes {
            looked_for += 1;
            let location = location.filter(|_| looked_for <= MOST_PLACED);
            let own = documents.get(&page.route).copied();
            let site_file = SourcePath::new(SITE_FILE);
            let page_place = Place::file(page.file().unwrap_or(&site_file));
            let template = own.map(|own| &own.template);
            let origin = |tag: usize| traces.pages.get(&page.route)?.get(tag);
            // The mistake is not in the component, which may be called between paragraphs elsewhere.
            let call = location.as_ref().and_then(|location| {
                pages::trace::call_in_paragraph(inputs.sources, origin(location.tag)?, origin(location.paragraph?)?)
            });
            let (problem, call) = match call {
                Some((component, place)) => (MarkupProblem::CallInParagraph { component }.into(), Some(place)),
                None => (problem, None),
            };
            let places = match (&location, &problem) {
                (_, Problem::Markup(MarkupProblem::CallInParagraph { .. })) => call.map(|place| vec![place]),
                (
                    Some(Location { island: Some(island), .. }),
                    Problem::Markup(MarkupProblem::HeadElement { element, .. }),
                ) => Some(vec![pages::trace::tag_in_island(inputs.sources, island, element)]),
                (Some(Location { island: Some(island), attribute, .. }), _) => {
                    let value = attribute.as_ref().and_then(|(_, value)| value.as_deref());
                    Some(vec![pages::trace::in_island(inputs.sources, island, value)])
                }
                (Some(Location { attribute: Some((name, Some(address))), .. }), _) if name == ISLANDS_STYLE => {
                    let found = pages::trace::in_styles_of_islands(inputs, address);
                    Some(found).filter(|found| !found.is_empty())
                }
                (Some(location), _) if !page.route.format().is_html() => own.map(|own| {
                    let traced = traces.files.get(&page.route).filter(|traced| {
                        let published = files.get(&page.route.as_str()[1..]).map(Content::len);
                        published == Some(outputs::finish(page.route.format(), &traced.text).len() as u64)
                    });
                    let document = document.get_or_init(|| inputs.site.document(own));
                    let value = location.attribute.as_ref().and_then(|(_, value)| value.as_deref());
                    vec![pages::trace::in_file(inputs, document, &own.template, traced, location.tag, value)]
                }),
                // What a page lacks as a whole, its template lacks.
                (
                    None,
                    Problem::Markup(MarkupProblem::MissingHead)
                    | Problem::Accessibility(AccessibilityProblem::MissingTitle),
                ) => template.map(|name| vec![Place::file(&SourcePath::new(format!("templates/{name}")))]),
                _ => location.as_ref().and_then(|location| {
                    let origin = origin(location.tag)?;
                    let attribute = location.attribute.as_ref().map(|(name, value)| (name.as_str(), value.as_deref()));
                    let own = own?;
                    let document = document.get_or_init(|| inputs.site.document(own));
                    let text = location.text.as_ref().map(|(text, span)| (&text[..span.end], *span));
                    let place = || pages::trace::in_text(inputs.sources, origin, text?);
                    let places = || pages::trace::places(inputs.sources, inputs.site, document, origin, attribute);
                    Some(place().map_or_else(places, |place| vec![place]))
                }),
            };
            for place in places.unwrap_or_else(|| vec![page_place]) {
                let diagnostic = Diagnostic::new(problem.clone(), place.clone());
                let kind = match diagnostic.severity {
                    Severity::Error => code(&problem).to_owned(),
                    // A page can have several, each naming something else.
                    _ => format!("{problem:?}"),
                };
                if reported.insert((place, kind)) {
                    diagnostics.push(page.named_in(diagnostic));
                }
            }
        }
    }
    diagnostics
}
