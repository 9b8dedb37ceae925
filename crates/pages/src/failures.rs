//! What is reported of pages that could not be rendered.

use super::engine::{self, Failure};
use super::mistakes::{Known, Mistake};
use super::{Renderer, culprits, nearby};
use sitegen_content as content;
use sitegen_core::diagnostics::{Diagnostic, Problem, TemplateProblem, message};
use sitegen_templates::TEMPLATES;
use std::collections::BTreeSet;

/// The number of failures whose causes are searched for, each by rendering pages several times.
const CAUSES: usize = 10;

/// The number of times that pages are rendered again for their further mistakes.
const FURTHER: usize = 200;

/// A page that could not be rendered.
pub struct Failed<'a> {
    pub page: &'a content::Page,
    /// The first that is wrong with it.
    pub diagnostic: Diagnostic,
    /// What else is.
    pub more: Vec<Diagnostic>,
    /// What a function has found, if its template has stopped at that.
    pub mistake: Option<Mistake>,
    /// The failure of its template, if that has stopped.
    pub failure: Option<Failure>,
}

impl<'a> Failed<'a> {
    /// Returns a page with one mistake.
    pub fn of(diagnostic: Diagnostic, page: &'a content::Page) -> Box<Self> {
        Box::new(Failed { diagnostic, more: Vec::new(), mistake: None, failure: None, page })
    }
}

/// What pages were rendered with, and are rendered with again to find what is wrong with them.
#[derive(Clone, Copy)]
pub struct Reporter<'a> {
    /// What pages are rendered with.
    pub renderer: Renderer<'a>,
    /// What the functions of the engine pass over.
    pub known: &'a Known,
}

impl Reporter<'_> {
    /// Returns the mistakes of all pages, each once: one in a template shows in every page that uses it.
    pub fn report<'a>(self, pages: impl Iterator<Item = Box<Failed<'a>>>) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut reported = BTreeSet::new();
        let (mut causes, mut renderings) = (CAUSES, FURTHER);
        for failed in pages {
            let Failed { diagnostic, mut more, mistake, failure, page } = *failed;
            if let Some(mistake) = mistake {
                more.extend(self.further(page, mistake, &mut renderings));
            }
            let is_new = |each: &Diagnostic| reported.insert((each.place.clone(), message(&each.problem)));
            diagnostics.extend(more.into_iter().filter(is_new));
            // The names that are defined differ from page to page.
            let said = message(&diagnostic.problem);
            let said = said.split("; there is ").next().unwrap_or_default().to_owned();
            if !reported.insert((diagnostic.place.clone(), said)) {
                continue;
            }
            // One that an entry of a list has caused is reported at the entry.
            let is_of_template =
                matches!(*diagnostic.problem, Problem::Template(TemplateProblem::TemplateFailed { .. }))
                    && diagnostic.place.as_ref().is_some_and(|place| place.path.below(TEMPLATES).is_some());
            let found = failure.filter(|_| is_of_template && causes > 0).map(|failure| {
                causes -= 1;
                culprits::find(self.renderer, page, &failure)
            });
            match found.filter(|found| !found.is_empty()) {
                None => diagnostics.push(diagnostic),
                // Several pages may fail because of the same item.
                Some(found) => diagnostics.extend(
                    found.into_iter().filter(|each| reported.insert((each.place.clone(), message(&each.problem)))),
                ),
            }
        }
        diagnostics
    }

    /// Returns the mistakes in content that a page has after the first, at which its template has stopped.
    fn further(self, page: &content::Page, first: Mistake, renderings: &mut usize) -> Vec<Diagnostic> {
        let Reporter { renderer, known } = self;
        let Renderer { inputs, engine, .. } = renderer;
        let mut diagnostics = Vec::new();
        let document = inputs.site.document(page);
        if known.add(first)
            && let Ok(context) = renderer.context(page, &document)
        {
            while *renderings > 0 {
                *renderings -= 1;
                // Another error may be one only because a function has returned nothing.
                let error = nearby::render(engine, inputs.site, page, &context).err();
                let found = error.and_then(|error| Some((Mistake::take(&error)?, error)));
                let Some((mistake, error)) = found.filter(|(mistake, _)| known.add(mistake.clone())) else { break };
                diagnostics.push(engine::failed(&error, Some(mistake), page, &document, inputs));
            }
        }
        known.clear();
        diagnostics
    }
}
