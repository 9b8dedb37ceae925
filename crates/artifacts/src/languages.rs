//! Checks what a page of a site in several languages says of its translations, and where its links lead.

use super::facts::{Facts, Purpose, Reference};
use super::hosts::Rules;
use super::mistakes::{Location, PageMistake};
use super::references::{Targets, route_in_site};
use sitegen_content as content;
use sitegen_content::settings::Settings;
use sitegen_core::diagnostics::{Diagnostic, LanguageProblem, Place};
use sitegen_core::profile::Host;
use sitegen_pages::NOT_FOUND;
use sitegen_search::primary;
use std::collections::BTreeMap;

/// Returns what is wrong with the languages of a page. A site with one language has nothing to check.
pub fn check(route: &str, facts: &Facts, settings: &Settings, targets: &Targets) -> Vec<PageMistake> {
    let site = targets.site;
    let page = match site.pages.at(route) {
        Some(page) if site.views.len() > 1 && page.route.format().is_html() => page,
        _ => return Vec::new(),
    };
    let page = Checked { page, facts, settings, targets };
    let mut mistakes = page.alternates();
    mistakes.extend(facts.references.iter().filter_map(|reference| page.link(reference)));
    mistakes.extend(page.fallback());
    mistakes.extend(page.canonical());
    mistakes
}

/// Warns of 404 pages of languages that the host never shows.
pub fn hidden_not_found(site: &content::Site, rules: &Rules) -> Vec<Diagnostic> {
    let is_shown = rules.host == Host::None || rules.spec().finds_not_found_of_languages();
    let pages = rules.not_found.iter().filter(|_| !is_shown);
    let pages = pages.filter_map(|folder| site.pages.at(&format!("{folder}{NOT_FOUND}")));
    let warning = |page: &content::Page| {
        let problem = LanguageProblem::NotFoundOfLanguage { host: rules.host.title() };
        Diagnostic::new(problem, Place::file(&page.source))
    };
    pages.filter(|page| !page.is_fallback).map(warning).collect()
}

struct Checked<'a> {
    page: &'a content::Page,
    facts: &'a Facts,
    settings: &'a Settings,
    targets: &'a Targets<'a>,
}

impl Checked<'_> {
    /// Compares the `<link rel="alternate" hreflang>` of the page with those that the site has. A page that has none leaves them to the
    /// sitemap.
    fn alternates(&self) -> Vec<PageMistake> {
        let site = self.targets.site;
        let address = |page: &content::Page| self.settings.absolute(page.route.as_str());
        let expected =
            site.alternates(self.page).map(|(language, page)| (language.to_ascii_lowercase(), address(page)));
        let expected: BTreeMap<String, String> = expected.collect();
        let mut mistakes = Vec::new();
        let mut written = BTreeMap::new();
        for reference in self.facts.references.iter().filter(|reference| self.facts.alternates.contains(&reference.tag))
        {
            let Some(language) = self.facts.hreflangs.get(&reference.tag) else { continue };
            let key = language.to_ascii_lowercase();
            // The address may be a value in content, and is right there.
            let attribute = Some(("hreflang".to_owned(), None));
            let location = Location { attribute, ..reference.location() };
            written.entry(key.clone()).or_insert_with(|| location.clone());
            let meant = expected.get(&key);
            if meant != Some(&reference.address) {
                let (language, found) = (language.clone(), Some(reference.address.clone()));
                let problem = LanguageProblem::WrongHreflang { language, found, expected: meant.cloned() };
                mistakes.push(PageMistake::new(problem, Some(location)));
            }
        }
        let missing = expected.iter().filter(|(language, _)| !written.contains_key(*language));
        let first = written.values().next();
        mistakes.extend(missing.zip(first).map(|((language, expected), first)| {
            let problem = LanguageProblem::MissingHreflang { language: language.clone(), expected: expected.clone() };
            PageMistake::new(problem, Some(first.clone()))
        }));
        mistakes
    }

    /// Reports a link that leads into another language and does not say so.
    fn link(&self, reference: &Reference) -> Option<PageMistake> {
        let site = self.targets.site;
        if reference.purpose != Purpose::Link || self.facts.alternates.contains(&reference.tag) {
            return None;
        }
        let route = route_in_site(reference, self.page.route.as_str(), self.settings, self.targets)?;
        let target = site.pages.at(&route).filter(|target| target.route.format().is_html())?;
        let own = site.view(self.page);
        if let Some(declared) = self.facts.hreflangs.get(&reference.tag) {
            let language = &site.view(target).language.tag;
            // A page may have another language than the part of the site that it is in.
            let mut languages = [Some(language), target.language.as_ref()].into_iter().flatten();
            let is_right = languages.any(|language| primary(language) == primary(declared));
            let problem = LanguageProblem::WrongLinkLanguage {
                target: reference.address.clone(),
                language: language.clone(),
                declared: declared.clone(),
            };
            return (!is_right).then(|| PageMistake::new(problem, Some(reference.location())));
        }
        if target.view == self.page.view {
            return None;
        }
        let meant = site.translations(&route).find(|(_, other)| other.view == self.page.view);
        let problem = LanguageProblem::LinkLanguage {
            target: reference.address.clone(),
            language: site.view(target).language.tag.clone(),
            page_language: own.language.tag.clone(),
            meant: meant.map(|(_, page)| self.settings.hosts.address(page.route.as_str(), &own.language.prefix)),
        };
        Some(PageMistake::new(problem, Some(reference.location())))
    }

    /// Reports a page with a text of its own that search engines are to take for a page in another language.
    fn canonical(&self) -> Option<PageMistake> {
        let (tag, address) = self.facts.canonical.as_ref().filter(|_| !self.page.is_fallback)?;
        let reference = self.facts.references.iter().find(|reference| reference.tag == *tag)?;
        let route = route_in_site(reference, self.page.route.as_str(), self.settings, self.targets)?;
        let site = self.targets.site;
        let target = site.pages.at(&route).filter(|target| target.view != self.page.view)?;
        let problem = LanguageProblem::CanonicalLanguage {
            address: address.clone(),
            language: site.view(target).language.tag.clone(),
            page_language: site.view(self.page).language.tag.clone(),
        };
        Some(PageMistake::new(problem, Some(reference.location())))
    }

    /// Reports a page that shows an original as if it were in its own language.
    fn fallback(&self) -> Option<PageMistake> {
        let site = self.targets.site;
        let original = &site.main().language;
        let is_marked = || self.facts.languages.iter().any(|tag| tag.eq_ignore_ascii_case(&original.tag));
        if !self.page.is_fallback || is_marked() {
            return None;
        }
        let problem = LanguageProblem::UnmarkedFallback {
            language: original.tag.clone(),
            page_language: site.view(self.page).language.tag.clone(),
            direction: original.direction(),
        };
        Some(PageMistake::new(problem, None))
    }
}
