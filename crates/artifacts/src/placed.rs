//! Turns mistakes in finished pages into diagnostics at the lines that made them.

use super::files::SiteFiles;
use super::mistakes::{Location, PageMistake};
use super::{Content, outputs};
use sitegen_content::dialect::Headings;
use sitegen_content::{self as content, Document, SITE_FILE, Site};
use sitegen_core::diagnostics::{
    AccessibilityProblem, Diagnostic, LanguageProblem, LinkProblem, MarkupProblem, Place, Problem, Severity, code,
};
use sitegen_core::paths::{Route, SourcePath};
use sitegen_pages::trace::{Origin, Traces};
use sitegen_pages::{self as pages, ISLANDS_STYLE, Inputs, Page};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The number of mistakes that are traced to the line that made them. Each reads the template and the content: a site
/// of ten thousand pages with a mistake in each would take minutes. The rest are reported at their pages.
pub const MOST_PLACED: usize = 2_000;

/// Turns mistakes into diagnostics at the lines that made them. One that a template puts into many pages is reported
/// once.
pub fn placed(inputs: Inputs, pages: &[Page], mistakes: Vec<Vec<PageMistake>>, files: &SiteFiles) -> Vec<Diagnostic> {
    if mistakes.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    // A warning about a page as a whole has no line.
    let has_line = |mistake: &PageMistake| mistake.is_error() || mistake.location.is_some();
    let is_traced = |mistakes: &[PageMistake]| mistakes.iter().any(has_line);
    let traced: BTreeSet<&Route> =
        pages.iter().zip(&mistakes).filter(|(_, mistakes)| is_traced(mistakes)).map(|(page, _)| &page.route).collect();
    let traces = match traced.is_empty() {
        true => Traces::default(),
        false => pages::trace(inputs, |route| traced.contains(route)),
    };
    let sources: BTreeMap<&Route, &content::Page> = inputs.site.pages.iter().map(|page| (&page.route, page)).collect();
    let mut reported = BTreeSet::new();
    let mut diagnostics = Vec::new();
    let mut looked_for = 0;
    for (page, mistakes) in pages.iter().zip(mistakes) {
        let source = sources.get(&page.route).copied();
        let inputs = source.map_or(inputs, |source| inputs.of(source));
        let traced = TracedPage { inputs, page, source, document: OnceCell::new(), traces: &traces, files };
        for PageMistake { problem, location } in mistakes {
            looked_for += 1;
            let location = location.filter(|_| looked_for <= MOST_PLACED);
            let (problem, places) = match location.as_ref().and_then(|location| traced.call_in_paragraph(location)) {
                Some((component, place)) => (MarkupProblem::CallInParagraph { component }.into(), Some(vec![place])),
                None => (problem, None),
            };
            let places = places.or_else(|| match &location {
                Some(location) => traced.places(&problem, location),
                None => traced.template_without(&problem),
            });
            for place in places.unwrap_or_else(|| vec![traced.file()]) {
                let problem = shifted(problem.clone(), &place, inputs.site);
                let diagnostic = Diagnostic::new(problem.clone(), place.clone());
                let key = match diagnostic.severity {
                    Severity::Error => code(&problem).to_owned(),
                    // A page can have several, each naming something else.
                    _ => format!("{problem:?}"),
                };
                if reported.insert((place, key)) {
                    diagnostics.push(page.named_in(diagnostic));
                }
            }
        }
    }
    diagnostics
}

/// Returns the problem as the author of a text sees it: no function of templates is there, and headings may be a level below those
/// that are written.
fn shifted(problem: Problem, place: &Place, site: &Site) -> Problem {
    let is_in_text = place.path.extension() == Some("md");
    let is_shifted = site.settings.options.markdown.headings == Headings::Shift && is_in_text;
    match problem {
        Problem::Link(LinkProblem::OutsideBase { target, base_path, .. }) => {
            LinkProblem::OutsideBase { target, base_path, is_in_text }.into()
        }
        Problem::Accessibility(AccessibilityProblem::HeadingSkip { level, previous, .. }) if is_shifted => {
            AccessibilityProblem::HeadingSkip { level, previous, shift: 1 }.into()
        }
        problem => problem,
    }
}

/// A page with mistakes, and where its tags were written.
struct TracedPage<'a> {
    inputs: Inputs<'a>,
    page: &'a Page,
    /// `None` for a page that no file makes, such as the built-in 404 page.
    source: Option<&'a content::Page>,
    document: OnceCell<Arc<Document>>,
    traces: &'a Traces,
    files: &'a SiteFiles,
}

impl TracedPage<'_> {
    /// Returns where a tag was written.
    fn origin(&self, tag: usize) -> Option<&Origin> {
        self.traces.pages.get(&self.page.route)?.get(tag)
    }

    fn document(&self, source: &content::Page) -> &Document {
        self.document.get_or_init(|| self.inputs.site.document(source))
    }

    /// Returns the place of the file that makes the page.
    fn file(&self) -> Place {
        self.page.file().map_or_else(|| Place::file(&SourcePath::new(SITE_FILE)), Place::file)
    }

    /// Returns the component whose call ends a paragraph, and the place of the call. The mistake is not in the component, which
    /// may be called between paragraphs elsewhere.
    fn call_in_paragraph(&self, location: &Location) -> Option<(String, Place)> {
        let (tag, paragraph) = (self.origin(location.tag)?, self.origin(location.paragraph?)?);
        pages::trace::call_in_paragraph(self.inputs.sources, tag, paragraph)
    }

    /// Returns the template, if the problem is that the page as a whole lacks something.
    fn template_without(&self, problem: &Problem) -> Option<Vec<Place>> {
        let is_of_template = matches!(
            problem,
            Problem::Markup(MarkupProblem::MissingHead)
                | Problem::Accessibility(AccessibilityProblem::MissingTitle)
                | Problem::Language(LanguageProblem::UnmarkedFallback { .. })
        );
        let name = &self.source.filter(|_| is_of_template)?.template;
        Some(vec![Place::file(&SourcePath::new(format!("templates/{name}")))])
    }

    /// Returns the places that wrote what is at a location.
    fn places(&self, problem: &Problem, location: &Location) -> Option<Vec<Place>> {
        let sources = self.inputs.sources;
        let value = location.attribute.as_ref().and_then(|(_, value)| value.as_deref());
        if let Some(island) = &location.island {
            return Some(vec![match problem {
                Problem::Markup(MarkupProblem::HeadElement { element, .. }) => {
                    pages::trace::tag_in_island(sources, island, element)
                }
                _ => pages::trace::in_island(sources, island, value),
            }]);
        }
        let attribute = location.attribute.as_ref().map(|(name, value)| (name.as_str(), value.as_deref()));
        if let Some((ISLANDS_STYLE, Some(address))) = attribute {
            return Some(pages::trace::in_styles_of_islands(self.inputs, address)).filter(|places| !places.is_empty());
        }
        let source = self.source?;
        if !self.page.route.format().is_html() {
            return Some(vec![self.place_in_file(source, location.tag, value)]);
        }
        let origin = self.origin(location.tag)?;
        let text = location.text.as_ref().map(|(text, span)| (&text[..span.end], *span));
        if let Some(place) = text.and_then(|text| pages::trace::in_text(sources, origin, text)) {
            return Some(vec![place]);
        }
        Some(pages::trace::places(self.inputs, self.document(source), origin, attribute))
    }

    /// Returns the place that wrote what is at an offset of a page that is no HTML.
    fn place_in_file(&self, source: &content::Page, offset: usize, value: Option<&str>) -> Place {
        let route = &self.page.route;
        let traced = self.traces.files.get(route).filter(|traced| {
            let published = self.files.get(&route.as_str()[1..]).map(Content::len);
            published == Some(outputs::finish(route.format(), &traced.text).len() as u64)
        });
        pages::trace::in_file(self.inputs, self.document(source), &source.template, traced, offset, value)
    }
}
