//! Checks what a page of a site in several languages says of its translations, and where its links lead.

use super::facts::{Facts, Purpose, Reference};
use super::hosts::Rules;
use super::mistakes::{Location, PageMistake};
use super::references::{Targets, route_in_site};
use sitegen_content as content;
use sitegen_content::settings::Settings;
use sitegen_core::diagnostics::{Diagnostic, LanguageProblem, Place};
use sitegen_core::paths::percent_decoded;
use sitegen_core::profile::Host;
use sitegen_locale::direction::direction;
use sitegen_locale::primary;
use sitegen_pages::NOT_FOUND;
use std::collections::BTreeMap;

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

/// A page whose languages are checked.
pub struct PageLanguages<'a, 't> {
    page: &'a content::Page,
    facts: &'a Facts,
    settings: &'a Settings,
    targets: &'a Targets<'t>,
}

impl<'a, 't> PageLanguages<'a, 't> {
    /// Returns the page at a route. A site with one language has nothing to check.
    pub fn of(route: &str, facts: &'a Facts, settings: &'a Settings, targets: &'a Targets<'t>) -> Option<Self> {
        let page = targets.site.pages.at(route).filter(|_| targets.site.views.len() > 1)?;
        page.route.format().is_html().then_some(PageLanguages { page, facts, settings, targets })
    }

    /// Compares the `<link rel="alternate" hreflang>` of the page with those that the site has. A page that has none leaves them to the
    /// sitemap.
    pub fn alternates(&self) -> Vec<PageMistake> {
        let site = self.targets.site;
        let address = |page: &content::Page| self.settings.absolute(page.route.as_str());
        // Letters outside ASCII may be written as they are or encoded.
        let is_written = |written: &str, page: &content::Page| {
            let expected = address(page);
            written == expected || percent_decoded(written) == percent_decoded(&expected)
        };
        // The address may be a value in content, and is right there.
        let location =
            |reference: &Reference| Location { attribute: Some(("hreflang".to_owned(), None)), ..reference.location() };
        let references = &self.facts.references;
        let references = references.iter().filter(|reference| self.facts.alternates.contains(&reference.tag));
        let written: Vec<(&String, &Reference)> =
            references.filter_map(|reference| Some((self.facts.hreflangs.get(&reference.tag)?, reference))).collect();
        if written.is_empty() {
            return Vec::new();
        }
        let expected: Vec<(&str, &content::Page)> = site.alternates(self.page).collect();
        let mut mistakes = Vec::new();
        for (language, reference) in &written {
            let meant = expected.iter().find(|(own, _)| own.eq_ignore_ascii_case(language));
            if !meant.is_some_and(|(_, page)| is_written(&reference.address, page)) {
                let (language, found) = ((*language).clone(), Some(reference.address.clone()));
                let expected = meant.map(|(_, page)| address(page));
                let problem = LanguageProblem::WrongHreflang { language, found, expected };
                mistakes.push(PageMistake::new(problem, Some(location(reference))));
            }
        }
        let is_missing = |language: &str| !written.iter().any(|(own, _)| own.eq_ignore_ascii_case(language));
        let missing = expected.iter().filter(|(language, _)| is_missing(language));
        let missing: BTreeMap<String, &content::Page> =
            missing.map(|(language, page)| (language.to_ascii_lowercase(), *page)).collect();
        let first = || written.iter().min_by_key(|(language, _)| language.to_ascii_lowercase());
        mistakes.extend(missing.into_iter().map(|(language, page)| {
            let problem = LanguageProblem::MissingHreflang { language, expected: address(page) };
            PageMistake::new(problem, first().map(|(_, reference)| location(reference)))
        }));
        mistakes
    }

    /// Reports a link that leads to a page in another language and does not say so.
    pub fn link(&self, reference: &Reference, target: &content::Page) -> Option<PageMistake> {
        let site = self.targets.site;
        let is_link = reference.purpose == Purpose::Link && !self.facts.alternates.contains(&reference.tag);
        if !is_link || !target.route.format().is_html() {
            return None;
        }
        let own = site.view(self.page);
        if let Some(declared) = self.facts.hreflangs.get(&reference.tag) {
            let language = &site.view(target).language.tag;
            // A page may have another language than the part of the site that it is in.
            let mut languages = [Some(language.as_str()), target.language.as_deref()].into_iter().flatten();
            let is_right = languages
                .any(|language| language.eq_ignore_ascii_case(declared) || primary(language) == primary(declared));
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
        let meant = site.translations(target.route.as_str()).find(|(_, other)| other.view == self.page.view);
        let problem = LanguageProblem::LinkLanguage {
            target: reference.address.clone(),
            language: site.view(target).language.tag.clone(),
            page_language: own.language.tag.clone(),
            meant: meant.map(|(_, page)| self.settings.hosts.address(page.route.as_str(), &own.language.prefix)),
        };
        Some(PageMistake::new(problem, Some(reference.location())))
    }

    /// Reports a page with a text of its own that search engines are to take for a page in another language.
    pub fn canonical(&self) -> Option<PageMistake> {
        if self.page.is_fallback {
            return self.canonical_of_fallback();
        }
        let (tag, address) = self.facts.canonical.as_ref()?;
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

    /// Reports a page that shows an original and does not name it for search engines.
    fn canonical_of_fallback(&self) -> Option<PageMistake> {
        let site = self.targets.site;
        let original = site.translations(self.page.route.as_str()).next().map(|(_, page)| page);
        let original = original.filter(|original| original.view == 0 && !self.page.noindex() && !original.noindex())?;
        let expected = self.settings.absolute(original.route.as_str());
        let Some((tag, address)) = &self.facts.canonical else {
            let problem = LanguageProblem::NoCanonical { language: site.main().language.tag.clone() };
            let html = self.facts.language.as_ref().map(|(tag, _)| Location { tag: *tag, ..Location::default() });
            // A template that speaks to search engines itself may keep them out.
            return (!self.facts.has_robots).then(|| PageMistake::new(problem, html));
        };
        let reference = self.facts.references.iter().find(|reference| reference.tag == *tag)?;
        let route = route_in_site(reference, self.page.route.as_str(), self.settings, self.targets)?;
        let problem = LanguageProblem::FallbackCanonical { address: address.clone(), expected };
        (route == self.page.route.as_str()).then(|| PageMistake::new(problem, Some(reference.location())))
    }

    /// Reports a page that shows an original as if it were in its own language.
    pub fn fallback(&self) -> Option<PageMistake> {
        let site = self.targets.site;
        let original = site.fallback_language(self.page)?;
        if self.facts.marked_languages.iter().any(|tag| tag.eq_ignore_ascii_case(original)) {
            return None;
        }
        let problem = LanguageProblem::UnmarkedFallback {
            language: original.to_owned(),
            page_language: site.view(self.page).language.tag.clone(),
            direction: direction(original),
        };
        Some(PageMistake::new(problem, None))
    }
}
