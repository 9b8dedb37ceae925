//! Checks a page, given the rest of the site.

use super::facts::{Facts, Reference};
use super::languages::PageLanguages;
use super::mistakes::{Location, PageMistake};
use super::references::{self, Suggest, Targets};
use super::sealed::Linked;
use sitegen_content::settings::Settings;
use sitegen_core::diagnostics::{AccessibilityProblem, MOST, MOST_SUPPRESSED, MarkupProblem, is_kept};
use sitegen_core::parallel;
use sitegen_locale::primary;
use sitegen_pages::{Links, Page};

/// What is wrong with a page, and what it links to.
pub type CheckedPage = (Vec<PageMistake>, Links);

/// The number of references that one thread checks at a time; most pages have fewer.
const REFERENCES: usize = 512;

/// Returns everything that is wrong with a page with these facts, given the rest of the site, and what it links to.
///
/// A page from the cache was checked against the same files and routes as now, and knows what it links to.
pub fn check<'f>(page: &Page, facts: &'f Facts, settings: &Settings, targets: &Targets) -> CheckedPage {
    let mut linked = Linked::default();
    let mistakes = facts.mistakes.iter().cloned();
    // A page that lists all others has one reference for each of them.
    let languages = PageLanguages::of(page.route.as_str(), facts, settings, targets);
    let check = |references: &'f [Reference]| {
        let (mut linked, mut into_others) = (Linked::default(), Vec::new());
        let broken = references.iter().filter_map(|reference| {
            let (problem, target) =
                references::check(reference, page, settings, targets, Suggest::Nothing, &mut linked);
            let languages = languages.as_ref().zip(target);
            into_others.extend(languages.and_then(|(languages, target)| languages.link(reference, target)));
            Some((PageMistake::new(problem?, Some(reference.location())), Some(reference)))
        });
        let broken: Vec<BrokenReference> = kept(broken).collect();
        (broken, into_others, linked)
    };
    let (mut broken, mut into_others) = (Vec::new(), Vec::new());
    for some in facts.references.chunks(REFERENCES * 16) {
        // Nothing will be published, and no more is reported for the page.
        if broken.len() > MOST_SUPPRESSED + MOST {
            break;
        }
        let some: Vec<_> = some.chunks(REFERENCES).collect();
        for (mistakes, others, links) in parallel::map(&some, |some| check(some)) {
            broken.extend(mistakes);
            into_others.extend(others);
            linked.extend(links);
        }
    }
    let other_language = other_language(page, facts, targets);
    if let Some(languages) = languages {
        let all = languages.alternates().into_iter().chain(into_others).chain(languages.fallback());
        broken.extend(all.chain(languages.canonical()).map(|mistake| (mistake, None)));
    }
    // Of what is kept, what was meant is looked for.
    let with_nearest = |(mistake, reference): BrokenReference| {
        let again = reference.and_then(|reference| {
            references::check(reference, page, settings, targets, Suggest::Nearest, &mut Linked::default()).0
        });
        match again {
            Some(problem) => PageMistake { problem, location: mistake.location },
            None => mistake,
        }
    };
    let broken = kept(broken.into_iter()).map(with_nearest);
    let is_headless = facts.policy_at.is_none() && page.route.format().is_html();
    let headless = is_headless.then_some(PageMistake::new(MarkupProblem::MissingHead, None));
    (mistakes.chain(broken).chain(headless).chain(other_language).collect(), linked.into())
}

/// A mistake, and the reference that it is about.
type BrokenReference<'f> = (PageMistake, Option<&'f Reference>);

/// Returns the mistakes that are kept of those in one page.
fn kept<'f>(mistakes: impl Iterator<Item = BrokenReference<'f>>) -> impl Iterator<Item = BrokenReference<'f>> {
    let mut kept = 0;
    mistakes.filter(move |(each, _)| {
        let keeps = is_kept(kept, &each.problem);
        kept += usize::from(keeps);
        keeps
    })
}

/// Reports a page whose `<html>` has another language than its `language` key: its text would be read aloud, hyphenated
/// and quoted by the rules of two languages.
fn other_language(page: &Page, facts: &Facts, targets: &Targets) -> Option<PageMistake> {
    let source = targets.site.pages.at(page.route.as_str())?;
    // A reference is filled in later, and a page without the key has the language of the site, from its template.
    let language = source.language.as_deref().filter(|tag| !tag.is_empty() && !tag.contains("{{"))?;
    let (tag, written) = facts.language.as_ref()?;
    if primary(language) == primary(written) {
        return None;
    }
    let problem = AccessibilityProblem::OtherLanguage { language: language.to_owned(), written: written.clone() };
    let attribute = Some(("lang".to_owned(), None));
    Some(PageMistake::new(problem, Some(Location { tag: *tag, attribute, ..Location::default() })))
}
