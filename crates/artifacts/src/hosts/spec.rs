//! What differs from host to host. Each host is one file of this folder with a [`HostSpec`], and has its line in [`spec_of`](super::spec_of).

use super::{CompiledRules, Rules};
use sitegen_content::languages::Language;
use sitegen_content::settings::Settings;
use std::collections::BTreeSet;

/// How a host serves a folder, and what it reads for that. What a method returns by default is what most hosts do.
///
/// `tests/real-hosts` compares all of this with the hosts' own programs.
pub trait HostSpec: Sync {
    /// Writes the host's files, and reports where the rules exceed its limits.
    fn compile(&self, rules: &Rules, site: &PublishedFiles) -> CompiledRules;

    /// Whether a file of the output folder is for the host alone. Visitors get the 404 page instead.
    fn is_private(&self, _path: &str) -> bool {
        false
    }

    /// Returns the status that the host sends for a redirect with this one.
    fn redirect_status(&self, status: u16) -> u16 {
        status
    }

    /// Whether a rule can name this file, which has a digest in its name.
    fn can_name(&self, _path: &str) -> bool {
        true
    }

    /// Returns `Cache-Control` of the 404 page.
    fn caching_of_unknown<'r>(&self, rules: &'r Rules) -> &'r str {
        &rules.pages
    }

    /// Whether it shows the 404 page of a language below the addresses of that language. GitHub Pages has one for a site
    /// (docs.github.com/pages, "Creating a custom 404 page"), Vercel too.
    fn finds_not_found_of_languages(&self) -> bool {
        true
    }

    /// Whether it answers 410 for what is gone.
    fn answers_gone(&self) -> bool {
        false
    }

    /// Returns what it adds of the query of a request, from `?` on, to a location that has a query of its own.
    fn added_query(&self, _query: &str) -> String {
        String::new()
    }

    /// Whether pages say in a `<meta>` which referrer browsers send, since the host sends no header.
    fn has_referrer_in_pages(&self) -> bool {
        false
    }

    /// Returns the characters that mean something else in the address of a redirect in the host's file, if the file has no other
    /// way to write them. In a path or query they are percent-encoded, which web servers take for the same.
    fn special(&self) -> &'static str {
        ""
    }

    /// Returns those that also do so in a section, where no escape means the same.
    fn special_in_section(&self) -> &'static str {
        ""
    }

    /// Returns what the host does before it applies the site's redirects. `path` begins with a slash, its escapes are
    /// replaced.
    fn before_redirects(&self, _rules: &Rules, _path: &str) -> Option<Target> {
        None
    }

    /// Returns what the host does with a path of the output folder that the site does not redirect.
    fn find(&self, files: &Served) -> Target;
}

/// The published files, as far as rules name them.
pub struct PublishedFiles<'a> {
    /// The settings of the site.
    pub settings: &'a Settings,
    /// The scheme and the name of the host.
    pub origin: &'a str,
    /// The language of its home page.
    pub language: &'a Language,
    /// The addresses of pages and of all other files without a digest in their names, if their caching differs from what hosts
    /// send by default.
    pub addresses: &'a dyn Fn() -> BTreeSet<String>,
    /// The paths of files that have a digest in their names, each with a slash before it.
    pub hashed: &'a dyn Fn() -> Vec<String>,
}

/// What a host does with a path.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    /// It sends this file.
    File(String),
    /// It redirects to another path, with this status. The query is kept.
    Redirect(u16, String),
    /// It sends the 404 page.
    Nothing,
}

impl Target {
    /// Sends a file.
    pub fn file(name: &str) -> Self {
        Target::File(name.to_owned())
    }
}

/// A path that was asked for, and the files among which a host looks for it.
pub struct Served<'a> {
    /// The path, with a slash before it.
    pub path: &'a str,
    /// Whether the host may send a file of the output folder.
    pub has: &'a dyn Fn(&str) -> bool,
    /// See [`Rules::is_file_alone`].
    pub is_file_alone: bool,
}

impl Served<'_> {
    /// Whether there is this file.
    pub fn has(&self, name: &str) -> bool {
        (self.has)(name)
    }

    /// The path without the slash before it.
    pub fn name(&self) -> &str {
        &self.path[1..]
    }

    /// The path without slashes around it.
    pub fn bare(&self) -> &str {
        self.name().trim_end_matches('/')
    }

    /// Whether the path is that of a folder: it ends with a slash.
    pub fn is_folder(&self) -> bool {
        self.path.ends_with('/')
    }

    /// The file of the path with `.html` at its end.
    pub fn html(&self) -> String {
        format!("{}.html", self.bare())
    }

    /// The file of the folder at the path.
    pub fn index(&self) -> String {
        let slash = if self.is_folder() { "" } else { "/" };
        format!("{}{slash}index.html", self.name())
    }

    /// What hosts do that take a path for that of a file, of a page or of a folder, and redirect to the folder.
    pub fn found(&self) -> Target {
        let (name, html, index) = (self.name(), self.html(), self.index());
        match self.is_folder() {
            true if self.has(&index) => Target::File(index),
            true => Target::Nothing,
            false if self.has(name) => Target::file(name),
            false if self.has(&html) => Target::File(html),
            false if self.has(&index) => Target::Redirect(301, format!("{}/", self.path)),
            false => Target::Nothing,
        }
    }
}
