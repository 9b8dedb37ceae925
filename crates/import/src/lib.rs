//! Writes a sitegen project from the sources of another generator's site.
//!
//! [`import`] is a function from files to files. It runs nothing of the old site, and needs its generator no more than the
//! compiler needs this crate: the rules of other generators are here and nowhere else. The passes are:
//!
//! 1. a reader for each generator (`hugo.rs`, `jekyll.rs`, …) gives a `Site`: texts with their old addresses,
//!    translated keys, and bodies in which shortcodes, includes and JSX have become calls of components;
//! 2. `project.rs` decides where each text goes, so that it keeps its address;
//! 3. `markdown.rs` translates what all dialects have in common: headings, links, pictures, HTML;
//! 4. `project.rs` writes the files with the templates of `starter.rs`, and `report.rs` what was found on the way.

mod address;
mod components;
mod data;
mod docusaurus;
mod glob;
mod html;
mod hugo;
mod jekyll;
mod js;
mod keys;
mod markdown;
mod mdbook;
mod mdx;
mod old;
mod project;
mod prose;
mod report;
mod site;
mod starlight;
mod starter;
mod zola;

pub use jiff::civil::Date;
pub use old::{Old, OldFile};
pub use report::{Judgement, Report, counted};
use std::collections::BTreeMap;

/// The generators whose sites can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// <https://gohugo.io>
    Hugo,
    /// <https://jekyllrb.com>
    Jekyll,
    /// <https://www.getzola.org>
    Zola,
    /// <https://starlight.astro.build>
    Starlight,
    /// <https://docusaurus.io>
    Docusaurus,
    /// <https://rust-lang.github.io/mdBook>
    MdBook,
}

/// A file of the new project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewFile {
    /// A text.
    Text(String),
    /// The bytes of a file of the old site, by its path there.
    Copy(String),
}

/// What an import makes.
#[derive(Debug)]
pub struct Imported {
    /// The files of the project by their paths, without the report.
    pub files: BTreeMap<String, NewFile>,
    /// What was translated, and what was not.
    pub report: Report,
}

/// Makes a project from the files of an old site. What the old site would show only after `today` waits for its day.
///
/// The error is a sentence for people that says why this is no site of the generator.
pub fn import(from: Generator, old: &Old, today: Date) -> Result<Imported, String> {
    let site = match from {
        Generator::Hugo => hugo::read(old, today),
        Generator::Jekyll => jekyll::read(old, today),
        Generator::Zola => zola::read(old),
        Generator::Starlight => starlight::read(old),
        Generator::Docusaurus => docusaurus::read(old),
        Generator::MdBook => mdbook::read(old),
    }?;
    Ok(project::write(site::Site { today, ..site }, old))
}

/// Sets the origin and the path of a site by its address.
fn set_url(site: &mut site::Site, url: &str) {
    let url = url.trim();
    let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| ["http", "https"].contains(scheme)) else {
        site.base_path = url.trim_matches('/').to_owned();
        if !site.base_path.is_empty() && !url.starts_with("//") {
            site.base_path = format!("/{}", site.base_path);
        } else {
            site.base_path = String::new();
        }
        return;
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let is_host = |letter: char| letter.is_ascii_alphanumeric() || "-.:".contains(letter);
    if host.is_empty() || !host.chars().all(is_host) {
        return;
    }
    // Starters have such an address, which is nobody's.
    if ["example.org", "example.com"].contains(&host) {
        site.is_example = true;
        return;
    }
    let is_local = host.starts_with("localhost");
    site.origin = (!is_local).then(|| format!("{scheme}://{}", host.to_ascii_lowercase()));
    let path = path.split(['?', '#']).next().unwrap_or_default().trim_matches('/');
    let is_plain = path.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.~/".contains(letter));
    site.base_path = if path.is_empty() || !is_plain { String::new() } else { format!("/{path}") };
}

/// Writes HTML so that Markdown leaves it as it is: a blank line would end it, and four spaces would begin code.
fn html_text(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    let mut is_pre = false;
    for line in html.lines() {
        is_pre |= line.contains("<pre");
        let line = if is_pre { line } else { line.trim() };
        if is_pre && line.trim().is_empty() {
            out.push_str("&#10;");
        } else if !line.is_empty() {
            out.push_str(line);
            out.push('\n');
        }
        is_pre &= !line.contains("</pre");
    }
    if out.is_empty() || out.starts_with("<div") { out } else { format!("<div>\n{out}</div>\n") }
}
