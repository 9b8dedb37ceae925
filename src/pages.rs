//! Pages: templates applied to content, with the islands they call put in.
//!
//! 1. Templates are read; every one that does not parse is told.
//! 2. Each page is drawn by its template.
//! 3. The islands that pages call are rendered, each component with the same props once, and put in.

mod functions;
mod islands;
mod svg;
mod templates;
pub mod trace;
mod values;

use crate::content::{self, Site, template_place};
use crate::diagnostics::{Checked, Diagnostic, Problem, nearest};
use crate::islands::Islands;
use crate::paths::{Route, SourcePath};
use crate::profile::Profile;
use crate::sources::Sources;
use crate::styles::Styles;
use crate::tools::Tools;
use rayon::prelude::*;
use tera::Context;
use trace::{Origin, Traces, last_mark};

/// A page as HTML.
#[derive(Clone, Debug)]
pub struct Page {
    /// Where it answers.
    pub route: Route,
    /// The content file it is made of. The built-in page for unknown paths has none.
    pub source: Option<SourcePath>,
    /// The page.
    pub html: String,
    /// Whether search engines are kept away.
    pub noindex: bool,
}

/// The route of the page for unknown paths.
pub const NOT_FOUND: &str = "/404";

/// What pages are made of.
#[derive(Clone, Copy)]
pub struct Inputs<'a> {
    /// The files of the project.
    pub sources: &'a Sources,
    /// The choices of the build.
    pub profile: &'a Profile,
    /// What content says.
    pub site: &'a Site,
    /// The stylesheet.
    pub styles: &'a Styles,
    /// The islands.
    pub islands: &'a Islands,
    /// What remembers rendered islands.
    pub tools: &'a dyn Tools,
}

/// Draws every page.
pub fn render(inputs: Inputs) -> Checked<Vec<Page>> {
    draw(inputs, |_| true)
}

/// Draws some pages once more and gives where each of their tags was written. See [`trace`].
pub fn trace(inputs: Inputs, is_wanted: impl Fn(&Route) -> bool + Sync) -> Traces {
    let profile = Profile { trace: true, ..inputs.profile.clone() };
    let Some(site) = content::resolve(inputs.sources, &profile).value else { return Traces::default() };
    let inputs = Inputs { profile: &profile, site: &site, ..inputs };
    let pages = draw(inputs, is_wanted).value.unwrap_or_default();
    Traces(pages.into_iter().map(|page| (page.route, origins(&page.html))).collect())
}

fn draw(inputs: Inputs, is_wanted: impl Fn(&Route) -> bool + Sync) -> Checked<Vec<Page>> {
    let Inputs { sources, site, .. } = inputs;
    // 1. templates
    let mut engine = match templates::load(sources, inputs.profile.trace, |engine| functions::register(engine, inputs))
    {
        Ok(engine) => engine,
        Err(found) => return Checked::failed(found),
    };
    values::share(engine.global_context(), site);

    // 2. pages
    let drawn: Vec<_> = site
        .pages
        .par_iter()
        .filter(|page| is_wanted(&page.route))
        .map(|page| {
            if !engine.contains_template(&page.template) {
                let names = engine.get_template_names();
                let nearest = nearest(&page.template, names).map(str::to_owned);
                let problem = Problem::UnknownTemplate { name: page.template.clone(), nearest };
                return Err(Diagnostic::error(problem, template_place(page)));
            }
            let mut context = Context::new();
            context.insert_value("page", values::page(page, &site.settings));
            let html = engine.render(&page.template, &context);
            let html = html.map_err(|error| templates::failed(&error, &page.template, page, inputs))?;
            Ok(Page {
                route: page.route.clone(),
                source: Some(page.document.source.clone()),
                html,
                noindex: page.route.as_str() == NOT_FOUND || values::is_true(&page.document.data, "noindex"),
            })
        })
        .collect();
    let mut found = Vec::new();
    let mut pages = Vec::with_capacity(drawn.len() + 1);
    for page in drawn {
        match page {
            Ok(page) => pages.push(page),
            // A mistake in a template shows in every page that uses it, and is told once.
            Err(problem) => {
                if !found
                    .iter()
                    .any(|known: &Diagnostic| known.place == problem.place && known.problem == problem.problem)
                {
                    found.push(problem);
                }
            }
        }
    }
    if !found.is_empty() {
        return Checked::failed(found);
    }
    if !site.pages.iter().any(|page| page.route.as_str() == NOT_FOUND) {
        pages.push(unknown_path(site));
    }

    // 3. islands
    islands::put_in(inputs, &mut pages, &mut found);
    Checked::new(pages, found)
}

/// The page for unknown paths of a site that has none of its own: nothing is displayed.
fn unknown_path(site: &Site) -> Page {
    let mut html = String::from("<!doctype html>\n<html lang=\"");
    // Writing to a String cannot fail.
    let _ = pulldown_cmark_escape::escape_html(&mut html, &site.settings.language);
    html.push_str("\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"robots\" content=\"noindex\">\n<title>");
    let _ = pulldown_cmark_escape::escape_html(&mut html, &site.settings.name);
    html.push_str("</title>\n</head>\n<body></body>\n</html>\n");
    Page { route: Route::of_page("404"), source: None, html, noindex: true }
}

/// Where each tag of a traced page was written, end tags too. Tags before the first mark have no place of their own.
fn origins(html: &str) -> Vec<Origin> {
    let mut origins = Vec::new();
    let mut last = (SourcePath::new("templates"), 0, false);
    for token in crate::html::tokens(html) {
        match token {
            crate::html::Token::Text(text) => match last_mark(text) {
                Some(mark) => last = mark,
                None => last.2 = false,
            },
            crate::html::Token::Start(_) | crate::html::Token::End(_) => {
                let (path, offset, is_exact) = last.clone();
                origins.push(Origin { path, offset, is_exact });
                last.2 = false;
            }
        }
    }
    origins
}
