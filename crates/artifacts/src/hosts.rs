//! The rules for the host: one set of [`Rules`], written in the format of the host that the site names.
//!
//! | Host | Format | Location |
//! |---|---|---|
//! | Netlify, Cloudflare Pages | `_headers`, `_redirects` | in the output folder, where they look for it and do not serve it |
//! | Vercel | `vercel.json`, `.vercelignore` | in the output folder, which is what is deployed |
//! | nginx, Caddy | a file to include | in `.host/` of the output folder, so that it is exchanged together with the site; its own rules keep the server from serving it and what `sitegen deploy` keeps |
//! | GitHub Pages | `<meta>` and redirect pages | in the pages: it sends no header that a site could choose |
//! | none | redirect pages | in the output folder; nothing is known of the host |
//!
//! Every page carries its own Content-Security-Policy in a `<meta>`, made of its final bytes. The header has only
//! `frame-ancestors`, which does not work in a `<meta>`: browsers enforce every policy they are given (CSP Level 3,
//! 8.1), so a second one can only take away, and one for all pages would have to allow what any of them needs.
//!
//! Netlify and Cloudflare Pages join the values of all rules that match a path with a comma
//! (developers.cloudflare.com/pages/configuration/headers), so no two rules set the same header for the same path.

mod apart;
mod caddy;
mod cloudflare_pages;
mod github_pages;
mod home;
mod netlify;
mod nginx;
mod redirect_pages;
mod rules_files;
mod server;
pub mod spec;
mod unknown;
mod vercel;

pub use apart::apart;
pub use redirect_pages::meta;

use super::facts::{Purpose, Reference};
use super::files::{NOT_FOUND_FILE, Naming, SiteFiles};
use super::host_folders::HostFolders;
use super::references::{self, Suggest, Targets};
use super::sealed::Linked;
use serde::{Deserialize, Serialize};
use sitegen_content::address::inside;
use sitegen_content::assets::FOLDER;
use sitegen_content::hosting::Hosting;
use sitegen_content::language_hosts::LanguageHost;
use sitegen_content::options::RouteFiles;
use sitegen_content::page_source::has_variables;
use sitegen_content::settings::Settings;
use sitegen_content::typed::Spanned;
use sitegen_content::{SITE_FILE, Site, View};
use sitegen_core::diagnostics::{AddressProblem, Diagnostic, FileProblem, HostProblem, MOST, Place, Span};
use sitegen_core::paths::{DEPLOYS, MANIFEST, OutputPath, Route, SourcePath, composed, in_ascii};
use sitegen_core::profile::Host;
use sitegen_pages::{NOT_FOUND, Page};
use spec::{HostSpec, PublishedFiles, Served, Target};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The folder in the output for files that a server reads and does not serve.
pub const FOLDER_OF_HOST: &str = ".host";

/// Folders beside the files of a site that no server serves: that of its own files, and that of `sitegen deploy`.
const PRIVATE_FOLDERS: [&str; 2] = [FOLDER_OF_HOST, DEPLOYS];

/// Media types that servers do not know by themselves: nginx has a list of its own, Caddy that of its system.
const UNKNOWN_TYPES: [(&str, &str); 2] = [("ics", "text/calendar"), ("webmanifest", "application/manifest+json")];

/// The rules for a host, independent of its format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// The host that they are for.
    pub host: Host,
    /// The path of the site on its host: empty, or like `/docs`.
    pub base_path: String,
    /// Headers of every response, by name and value, without repeated names and without `Cache-Control`.
    pub headers: Vec<(String, String)>,
    /// `Cache-Control` of files that have a digest in their names.
    pub hashed: String,
    /// `Cache-Control` of pages and of every other file.
    pub pages: String,
    /// Whether `pages` is what the hosting companies send by default: ask each time.
    pub pages_by_default: bool,
    /// Whether a page is published as `careers.html` alone. Vercel then removes `.html` from addresses.
    pub is_file_alone: bool,
    /// Redirects.
    pub redirects: Vec<RedirectRule>,
    /// Paths of pages that are gone, from the site's home page.
    pub gone: Vec<String>,
    /// The beginnings of addresses, like `/de`, below which another 404 page is shown: `/de/404.html`. From the site's home page.
    pub not_found: Vec<String>,
    /// The home pages to one of which the address of the site leads. Empty if it has a home page itself.
    pub homes: Vec<Home>,
    /// The folder of the output that the host serves. Empty if the whole output is one site.
    pub root: String,
}

/// The home page of a language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Home {
    /// The tag of the language.
    pub language: String,
    /// What it is called in itself.
    pub name: String,
    /// `ltr` or `rtl`.
    pub direction: String,
    /// The value of the header `Location`.
    pub location: String,
}

/// A redirect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedirectRule {
    /// Its number among all redirects of the site.
    pub number: usize,
    /// The path from the site's home page, without a slash at the end. A path with one leads to the same.
    pub from: String,
    /// The value of the header `Location`: an address with a path, or a path of the host with the base path in it.
    pub location: String,
    /// 301, 302, 307 or 308.
    pub status: u16,
}

/// What a host's compiler returns.
#[derive(Debug, Default)]
pub struct CompiledRules {
    /// Files for the output folder by their path.
    pub files: Vec<(String, String)>,
    /// Redirect pages by their path, each with the number of its redirect, see [`RedirectRule::number`].
    pub pages: Vec<(String, String, usize)>,
    /// Where the rules exceed the host's limits.
    pub limits: Vec<Limit>,
}

/// An exceeded limit of a host.
#[derive(Debug)]
pub struct Limit {
    /// The host's name.
    pub host: &'static str,
    /// What there is too much of.
    pub what: String,
    /// How many there are.
    pub found: usize,
    /// How many the host takes.
    pub limit: usize,
    /// What to do.
    pub advice: &'static str,
    /// The part of `site.yaml` that causes it.
    pub cause: Cause,
}

/// The part of `site.yaml` that makes a host's file too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The header of this number in [`Rules::headers`].
    Header(usize),
    /// The redirect of this [number](RedirectRule::number).
    Redirect(usize),
    /// How long pages are cached.
    Caching,
}

impl Rules {
    /// Returns the rules from the settings of a site, for its own host.
    pub fn new(settings: &Settings) -> Self {
        Rules::on(settings, None)
    }

    /// Returns those for the hosts of languages that have one of their own.
    pub fn of_languages(settings: &Settings) -> Vec<Self> {
        settings.hosts.others().iter().map(|host| Rules::on(settings, Some(host))).collect()
    }

    /// Returns the rules for a host. `None` is that of the site.
    fn on(settings: &Settings, own: Option<&LanguageHost>) -> Self {
        let Hosting { host, headers, pages, hashed, redirects, gone, not_found, homes, .. } = &settings.hosting;
        let prefix = own.map_or("", |own| own.prefix.as_str());
        let location = |to: &str| {
            let address = if to.starts_with('/') { settings.hosts.address(to, prefix) } else { with_path(to) };
            without_special(&address, spec_of(*host).special())
        };
        // Returns a path of the site as one of this host, if it is one.
        let here = |path: &str| match settings.hosts.of_path(path) {
            None => own.is_none().then(|| path.to_owned()),
            Some((host, path)) => (Some(host) == own).then(|| path.into_owned()),
        };
        let site_folder = || settings.language.to_ascii_lowercase();
        Rules {
            host: *host,
            base_path: settings.base_path.clone(),
            headers: headers.iter().map(|header| (header.name.clone(), header.value.clone())).collect(),
            // `immutable` keeps browsers from asking even when the visitor reloads (RFC 8246).
            hashed: match hashed.seconds {
                0 => "no-cache".to_owned(),
                seconds => format!("public, max-age={seconds}, immutable"),
            },
            // `no-cache` lets browsers store a file and makes them ask whether it is still the same (RFC 9111,
            // 5.2.2.4).
            pages: match pages.seconds {
                // What these hosts send by default.
                0 if host.serves_at_root() => "public, max-age=0, must-revalidate".to_owned(),
                0 => "no-cache".to_owned(),
                seconds => format!("public, max-age={seconds}, must-revalidate"),
            },
            pages_by_default: pages.seconds == 0,
            is_file_alone: settings.options.routes == RouteFiles::File,
            gone: gone.iter().filter_map(|path| here(&path.value)).collect(),
            // The page of a language with a host of its own is that of the host.
            not_found: not_found.iter().filter(|_| own.is_none()).filter_map(|folder| here(folder)).collect(),
            root: if settings.hosts.is_one() {
                String::new()
            } else {
                own.map_or_else(site_folder, |own| own.prefix.clone())
            },
            homes: homes
                .iter()
                .filter(|_| own.is_none())
                .map(|home| Home {
                    language: home.language.clone(),
                    name: home.name.clone(),
                    direction: home.direction.to_owned(),
                    location: settings.hosts.address(&home.route, ""),
                })
                .collect(),
            redirects: redirects
                .iter()
                .enumerate()
                .filter_map(|(number, redirect)| Some((number, redirect, here(&redirect.from.value)?)))
                .map(|(number, redirect, from)| RedirectRule {
                    number,
                    from,
                    location: location(&redirect.to.value),
                    status: spec_of(*host).redirect_status(redirect.status),
                })
                .collect(),
        }
    }

    /// Returns the headers that the host sends with a file, by name and value, beside its own such as `Content-Type`.
    /// Empty if the host takes no rules: then a site cannot choose them.
    pub fn headers(&self, path: &OutputPath) -> Vec<(String, String)> {
        if !self.host.takes_rules() {
            return Vec::new();
        }
        let is_named = self.spec().can_name(self.of_site(path.as_str()));
        let caching = if self.is_hashed(path) && is_named { &self.hashed } else { &self.pages };
        self.with_caching(caching)
    }

    /// Whether a file of the output folder has a digest in its name, so that the name always stands for the same bytes.
    pub fn is_hashed(&self, path: &OutputPath) -> bool {
        is_hashed(self.of_site(path.as_str()))
    }

    /// Returns the value of `Cache-Control` for a file that is stored with its headers, as object storage does. `is_hashed` says
    /// whether it has a hash in its name.
    pub fn stored_caching(&self, is_hashed: bool) -> &str {
        if is_hashed { &self.hashed } else { &self.pages }
    }

    /// Returns the rules of the host that serves a file of the output folder: of several, each has a folder of its own.
    pub fn serving<'r>(all: &'r [Rules], path: &str) -> Option<&'r Rules> {
        let is_in = |rules: &&Rules| path.strip_prefix(&rules.root).is_some_and(|rest| rest.starts_with('/'));
        all.iter().find(|rules| !rules.root.is_empty() && is_in(rules)).or(all.first())
    }

    /// Returns the file of the 404 page for a path from the site's home page.
    pub fn not_found_file(&self, path: &str) -> String {
        let is_above = |folder: &&String| path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.starts_with('/'));
        let folder = self.not_found.iter().filter(|_| self.spec().finds_not_found_of_languages()).find(is_above);
        let file =
            folder.map_or_else(|| NOT_FOUND_FILE.to_owned(), |folder| format!("{}/{NOT_FOUND_FILE}", &folder[1..]));
        self.in_output(&file).into_owned()
    }

    /// Returns the headers of the 404 page, as [`headers`](Rules::headers) does for a file.
    pub fn headers_of_unknown(&self) -> Vec<(String, String)> {
        match self.host.takes_rules() {
            true => self.with_caching(self.spec().caching_of_unknown(self)),
            false => Vec::new(),
        }
    }

    fn with_caching(&self, caching: &str) -> Vec<(String, String)> {
        let headers = self.headers.iter().cloned();
        headers.chain([("Cache-Control".to_owned(), caching.to_owned())]).collect()
    }

    /// Returns the folder of the output that contains the site: its base path on a host that serves the output at the
    /// root of a domain, so that each file is where the links of the site lead. Below that of the host, if there are several.
    /// Empty otherwise.
    pub fn folder(&self) -> Cow<'_, str> {
        let base = match self.host.serves_at_root() {
            true => self.base_path.trim_start_matches('/'),
            false => "",
        };
        match (self.root.as_str(), base) {
            ("", folder) | (folder, "") => Cow::Borrowed(folder),
            (root, base) => Cow::Owned(format!("{root}/{base}")),
        }
    }

    /// Returns a path of the folder that the host serves as one of the output.
    pub fn in_output<'p>(&self, path: &'p str) -> Cow<'p, str> {
        match self.root.as_str() {
            "" => Cow::Borrowed(path),
            root => Cow::Owned(format!("{root}/{path}")),
        }
    }

    /// Returns a path of the output folder relative to the site.
    fn of_site<'p>(&self, path: &'p str) -> &'p str {
        let folder = self.folder();
        path.strip_prefix(&*folder)
            .and_then(|rest| if folder.is_empty() { Some(path) } else { rest.strip_prefix('/') })
            .unwrap_or(path)
    }

    /// Whether a file of the output folder is for the host only. Visitors get the 404 page instead.
    pub fn is_private(&self, path: &str) -> bool {
        match self.root.as_str() {
            "" => self.spec().is_private(path),
            root => {
                let served = path.strip_prefix(root).and_then(|rest| rest.strip_prefix('/'));
                served.is_none_or(|path| self.spec().is_private(path))
            }
        }
    }

    /// Returns status and `Location` for a path from the site's home page (`/old`, without the base path), if the host
    /// redirects it. `None` for a host that takes no rules: there the site has a redirect page at that path.
    pub fn redirect(&self, path: &str) -> Option<(u16, String)> {
        let path = path.trim_end_matches('/');
        let redirect = self.redirects.iter().find(|redirect| redirect.from == path)?;
        self.host.takes_rules().then(|| (redirect.status, redirect.location.clone()))
    }

    /// Whether the host answers 410 for a path from the site's home page.
    pub fn is_gone(&self, path: &str) -> bool {
        self.spec().answers_gone() && self.gone.iter().any(|gone| gone == path.trim_end_matches('/'))
    }

    /// Adds the query of a request (empty, or from `?` on) to a location, unless the location has a query of its own:
    /// then few hosts send both.
    pub fn with_query(&self, location: &str, query: &str) -> String {
        let (to, section) = location.split_at(location.find('#').unwrap_or(location.len()));
        let query = if to.contains('?') { self.spec().added_query(query) } else { query.to_owned() };
        format!("{to}{query}{section}")
    }

    /// Returns what differs from other hosts.
    pub fn spec(&self) -> &'static dyn HostSpec {
        spec_of(self.host)
    }

    /// Returns a path of the site with the base path before it.
    fn inside(&self, path: &str) -> String {
        inside(&self.base_path, path)
    }
}

/// Returns the specification of a host.
pub fn spec_of(host: Host) -> &'static dyn HostSpec {
    match host {
        Host::None => &unknown::Unknown,
        Host::Netlify => &netlify::Netlify,
        Host::CloudflarePages => &cloudflare_pages::CloudflarePages,
        Host::Vercel => &vercel::Vercel,
        Host::Nginx => &nginx::NGINX,
        Host::Caddy => &caddy::CADDY,
        Host::GithubPages => &github_pages::GithubPages,
    }
}

/// Whether some host reads a file of this name instead of serving it.
pub fn is_for_hosts(path: &str) -> bool {
    let of_host = ["_headers", "_redirects", "vercel.json", ".vercelignore", MANIFEST];
    of_host.contains(&path) || is_in_private_folder(path)
}

/// Whether a path is that of one of the [`PRIVATE_FOLDERS`], or leads into one.
fn is_in_private_folder(path: &str) -> bool {
    let is_in = |folder: &&str| path.strip_prefix(*folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    PRIVATE_FOLDERS.iter().any(is_in)
}

/// Returns an address with an explicit path: `https://a.test?x` means `https://a.test/?x` (RFC 3986, 6.2.3). Cloudflare
/// Pages puts the slash at the end, after the query.
fn with_path(address: &str) -> String {
    let host = address.find("://").map_or(0, |at| at + 3);
    match address[host..].find(['/', '?', '#']).map(|at| host + at) {
        Some(at) if address[at..].starts_with('/') => address.to_owned(),
        Some(at) => format!("{}/{}", &address[..at], &address[at..]),
        None => format!("{address}/"),
    }
}

/// Returns an address with escapes for some characters of its path and query. A section keeps them: no escape means the same.
fn without_special(address: &str, special: &str) -> String {
    let scheme = address.find("://").map_or(0, |at| at + 3);
    let start = scheme + address[scheme..].find('/').unwrap_or(0);
    let end = address.find('#').unwrap_or(address.len());
    let escaped = address[start..end].chars().map(|sign| match special.contains(sign) {
        true => format!("%{:02X}", u32::from(sign)),
        false => sign.to_string(),
    });
    format!("{}{}{}", &address[..start], escaped.collect::<String>(), &address[end..])
}

/// Returns the path of a rule as text and as in requests, if these differ, for hosts of which it is not known which of the two
/// they compare: the programs of Netlify compare the former (netlify-cli, src/utils/rules-proxy.ts), those of Vercel the latter.
/// The other one never matches.
fn both_forms(path: &str) -> Vec<String> {
    let ascii = in_ascii(path);
    if ascii == path { vec![path.to_owned()] } else { vec![path.to_owned(), ascii.into_owned()] }
}

/// Whether a file has a digest in its name, so that the name always stands for the same bytes.
fn is_hashed(path: &str) -> bool {
    path.strip_prefix(&FOLDER[1..]).is_some_and(|rest| rest.starts_with('/'))
}

/// As [`is_hashed`], on a host that ignores letter case.
fn is_taken_for_hashed(path: &str) -> bool {
    path.get(..FOLDER.len()).is_some_and(|start| start.eq_ignore_ascii_case(&format!("{}/", &FOLDER[1..])))
}

/// Adds the files that a host reads, and reports where they exceed its limits. `host` is that of a language that has one of its own.
pub fn add(
    rules: &Rules,
    site: &Site,
    host: Option<&LanguageHost>,
    folders: &HostFolders,
    naming: &mut Naming,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    if rules.host.takes_rules() {
        // Hosts cache everything below this folder forever.
        for (path, source, _) in site.public.iter().filter(|(path, ..)| is_taken_for_hashed(path.as_str())) {
            let is_same = site.assets.iter().any(|asset| asset.file[1..] == *path.as_str());
            if !is_same {
                let expected = "a folder other than `assets/`, whose files browsers cache for a year";
                diagnostics.push(Diagnostic::new(FileProblem::UnexpectedFile { expected }, Place::file(source)));
            }
        }
    }
    let files = naming.files();
    let names = || files.iter().filter_map(|(path, _)| folders.name_on(host, path.as_str()));
    let paths = || -> BTreeSet<String> {
        // Only rules that differ from the host's defaults are written for each path.
        names().filter(|_| !rules.pages_by_default).flat_map(|path| addresses(&path)).collect()
    };
    let hashed = || -> Vec<String> { names().filter(|path| is_hashed(path)).map(|path| format!("/{path}")).collect() };
    let settings = &site.settings;
    let origin = host.map_or(settings.origin.as_str(), |host| &host.origin);
    let in_language = |view: &&View| host.is_some_and(|host| host.prefix == view.language.prefix);
    let language = &site.views.iter().find(in_language).unwrap_or(site.main()).language;
    let published = PublishedFiles { settings, origin, language, addresses: &paths, hashed: &hashed };
    let CompiledRules { files, pages, limits } = rules.spec().compile(rules, &published);
    let home = (!rules.homes.is_empty()).then(|| (home::FILE.to_owned(), home::page(rules, &published)));
    let named = |path: String| host.map_or_else(|| path.clone(), |host| format!("{}/{path}", host.prefix));
    diagnostics.extend(limits.into_iter().map(|limit| over(limit, &site.settings.hosting)));
    for (path, text) in files.into_iter().chain(home).map(|(path, text)| (named(path), text)) {
        // The site's own file and its settings would contradict each other.
        if let Some((_, source)) = naming.claim(&path, text) {
            let problem = HostProblem::HostFile { path, host: rules.host.title() };
            diagnostics
                .push(Diagnostic::new(problem, Place::file(&source.unwrap_or_else(|| SourcePath::new(SITE_FILE)))));
        }
    }
    let mut is_reported = None;
    for (path, text, number) in pages.into_iter().map(|(path, text, number)| (named(path), text, number)) {
        if let Some((problem, _)) = naming.claim(&path, text)
            && is_reported.replace(number) != Some(number)
        {
            diagnostics.push(Diagnostic::new(problem, site.settings.hosting.redirects[number].place()));
        }
    }
    diagnostics
}

/// Returns the addresses at which hosts serve a file: its path, and for a page those without its extension.
fn addresses(path: &str) -> Vec<String> {
    if is_for_hosts(path) || is_hashed(path) {
        return Vec::new();
    }
    let file = format!("/{path}");
    let page = file.strip_suffix("/index.html").or_else(|| file.strip_suffix(".html")).map(str::to_owned);
    let folder = file.strip_suffix("index.html").map(str::to_owned);
    [Some(file), page, folder].into_iter().flatten().filter(|path| !path.is_empty()).collect()
}

fn over(limit: Limit, hosting: &Hosting) -> Diagnostic {
    let Limit { host, what, found, limit, advice, cause } = limit;
    let problem = HostProblem::HostLimit { host, what, found, limit, advice };
    let span: Option<Span> = match cause {
        Cause::Header(number) => hosting.headers.get(number).and_then(|header| header.span),
        Cause::Redirect(number) => match hosting.redirects.get(number) {
            Some(redirect) => return Diagnostic::new(problem, redirect.place()),
            None => None,
        },
        Cause::Caching => hosting.pages.span,
    };
    Diagnostic::new(problem, Place { path: SourcePath::new(SITE_FILE), span: span.or(hosting.span) })
}

/// Reports redirects from a path where something is, and to a path where nothing is.
pub fn redirect_mistakes(site: &Site, targets: &Targets) -> Vec<Diagnostic> {
    let path = SourcePath::new(SITE_FILE);
    let redirected: BTreeSet<&str> =
        site.settings.hosting.redirects.iter().map(|redirect| redirect.from.value.as_str()).collect();
    let mut diagnostics = Vec::new();
    for Spanned { value: gone, span } in &site.settings.hosting.gone {
        if let Some(by) = there(gone, site, targets) {
            let problem = HostProblem::GoneTaken { path: gone.clone(), by };
            diagnostics.push(Diagnostic::new(problem, Place::new(&path, *span)));
        }
    }
    // A target is checked like a link of the home page.
    let home = Page {
        route: Route::home(),
        source: None,
        made: None,
        html: sitegen_pages::Html::default(),
        summary: None,
        key: None,
    };
    for redirect in &site.settings.hosting.redirects {
        if diagnostics.len() > MOST {
            break;
        }
        if let Some(by) = there(&redirect.from.value, site, targets) {
            let problem = HostProblem::RedirectTaken { from: redirect.from.value.clone(), by };
            diagnostics.push(Diagnostic::new(problem, redirect.place()));
        }
        // An alias leads to its page, which is there.
        if redirect.alias_of.is_some() || redirect.target().is_some_and(|target| redirected.contains(&*target)) {
            // Reported already, when the settings were read.
            continue;
        }
        let host = site.settings.hosting.host;
        let section = redirect.to.value.split_once('#').map_or("", |(_, section)| section);
        if let Some(sign) = section.chars().find(|sign| spec_of(host).special_in_section().contains(*sign)) {
            let problem = HostProblem::HostAddress { host: host.title(), address: redirect.written.clone(), sign };
            diagnostics.push(Diagnostic::new(problem, Place::new(&path, redirect.to.span)));
        }
        // As the editor wrote it, for the message.
        let composed = composed(&redirect.written);
        let address = match composed.starts_with('/') {
            true if site.settings.hosts.is_one() => inside(&site.settings.base_path, &composed),
            true => site.settings.absolute(&composed),
            false => redirect.written.clone(),
        };
        let reference = Reference { address, purpose: Purpose::Link, tag: 0, attribute: None, island: None };
        let mut sections = Linked::default();
        if let (Some(problem), _) =
            references::check(&reference, &home, &site.settings, targets, Suggest::Nearest, &mut sections)
        {
            diagnostics.push(Diagnostic::new(problem, Place::new(&path, redirect.to.span)));
        }
    }
    diagnostics
}

/// Reports pages whose routes the host redirects. Only the key `path` can ask for such a route.
pub fn redirected_paths(site: &Site, rules: &Rules, files: &SiteFiles) -> Vec<Diagnostic> {
    let has = |name: &str| files.get(name).is_some() && !rules.is_private(name);
    let unusual = site.pages.iter().filter(|page| page.route.is_unusual());
    let redirected = unusual.filter_map(|page| {
        let path = page.route.as_str();
        let served = Served { path, has: &has, is_file_alone: rules.is_file_alone };
        let to = match rules.spec().before_redirects(rules, path).unwrap_or_else(|| rules.spec().find(&served)) {
            Target::File(_) => return None,
            Target::Redirect(_, to) => Some(to),
            Target::Nothing => None,
        };
        // A pattern is corrected as a page is.
        let place = site.place_of_path(page);
        let pattern =
            page.outline.own_path().filter(|pattern| has_variables(&pattern.text) && place.path == page.source);
        let pattern = pattern.map(|pattern| pattern.text.as_str());
        let of_pattern = |pattern: &str| {
            let cut = path.strip_prefix(to.as_deref()?)?;
            pattern.strip_suffix(cut).map(str::to_owned)
        };
        let to = pattern.and_then(of_pattern).or_else(|| to.clone());
        let problem = AddressProblem::RedirectedPath { host: rules.host.title(), path: path.to_owned(), to };
        Some(Diagnostic::new(problem, place))
    });
    let mut diagnostics: Vec<Diagnostic> = redirected.take(MOST).collect();
    // A pattern of many pages is one mistake.
    diagnostics.dedup_by(|second, first| second.place == first.place);
    diagnostics
}

/// Returns what is published at a path.
fn there(path: &str, site: &Site, targets: &Targets) -> Option<String> {
    let trimmed = path.strip_suffix("/index.html").or_else(|| path.strip_suffix(".html")).unwrap_or(path);
    let route = if trimmed.is_empty() || trimmed == "/index" { "/" } else { trimmed };
    if route == NOT_FOUND {
        return Some("the 404 page".to_owned());
    }
    let page = site.pages.at(path).or_else(|| site.pages.at(route)).or_else(|| site.pages.at(&format!("{route}/")));
    if let Some(page) = page {
        return Some(format!("the page of {}", page.source));
    }
    let names = [path.to_owned(), format!("{path}.html"), format!("{path}/index.html")];
    let file = names.into_iter().find(|name| targets.has_file(name));
    let private = is_for_hosts(&path[1..]);
    file.map(|name| format!("the file {}", &name[1..]))
        .or_else(|| private.then(|| "a file for the host".to_owned()))
        .or_else(|| is_hashed(&path[1..]).then(|| "the folder of assets".to_owned()))
}
