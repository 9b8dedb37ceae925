//! Checks every address of the finished site against what the site has.

use super::facts::{Purpose, Reference, is_blank_page, is_local};
use super::feed_files::is_feed;
use super::files::SiteFiles;
use super::sealed::{Linked, Sealed, is_optional};
use parking_lot::Mutex;
use sitegen_content::Site;
use sitegen_content::address::scheme_of;
use sitegen_content::language_hosts::LanguageHost;
use sitegen_content::languages::prefixed;
use sitegen_content::options::RouteFiles;
use sitegen_content::schedule::State;
use sitegen_content::settings::Settings;
use sitegen_content::web_address::web_address;
use sitegen_core::diagnostics::{LinkProblem, MarkdownProblem, Meant, NAMED, PolicyProblem, Problem, Words};
use sitegen_core::paths::{Format, SCHEMES, is_percent_encoding, percent_decoded};
use sitegen_core::sources::fingerprint;
use sitegen_pages::{NOT_FOUND, Page};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};
use url::{Position, Url};

/// What the finished site has.
pub struct Targets<'a> {
    /// The site's full address.
    pub base: String,
    /// The same as browsers read it.
    pub url: Option<Url>,
    /// Finds the number of a page by its route.
    pub site: &'a Site,
    /// Finished pages by their numbers. The built-in 404 page comes last.
    pub sealed: &'a [Sealed],
    /// Published files.
    pub files: &'a SiteFiles,
    /// Why files could not be made from pictures, by their paths with a slash before them.
    pub faults: &'a BTreeMap<String, Problem>,
    /// Why browsers cannot show published files, by the same paths.
    pub unshowable: BTreeMap<&'a str, Problem>,
    /// The addresses of feeds.
    pub feeds: BTreeSet<String>,
    /// What is suggested for broken addresses.
    pub suggestions: Suggestions<'a>,
}

/// What is compared with broken addresses, made when the first one is met.
#[derive(Default)]
pub struct Suggestions<'a> {
    routes: Paths<'a>,
    files: Paths<'a>,
    /// The ids of pages, by their routes.
    ids: Mutex<HashMap<String, Arc<Words<'a>>>>,
}

/// Paths that exist, and what was meant by those that do not: a broken one in a template is on every page.
#[derive(Default)]
struct Paths<'a> {
    known: OnceLock<Words<'a>>,
    meant: Mutex<HashMap<String, Option<Meant>>>,
}

impl<'a> Paths<'a> {
    fn meant<I: Iterator<Item = &'a str>>(&self, path: &str, known: impl FnOnce() -> I) -> Option<Meant> {
        let find = || self.known.get_or_init(|| Words::new(known())).meant(path);
        self.meant.lock().entry(path.to_owned()).or_insert_with(find).clone()
    }
}

impl<'a> Targets<'a> {
    /// Returns the page at a route.
    pub fn page(&self, route: &str) -> Option<&Sealed> {
        page(self.site, self.sealed, route)
    }

    /// Whether there is a file at a path from the site's root, with a slash before it. At that of a folder, with a slash at its
    /// end, hosts send its `index.html`, also of a folder of `content/public`.
    pub fn has_file(&self, path: &str) -> bool {
        path.strip_prefix('/').is_some_and(|path| match path.ends_with('/') {
            true => {
                let index = format!("{path}index.html");
                self.files.get(&index).is_some() && !self.files.is_page(&index)
            }
            false => self.files.get(path).is_some(),
        })
    }

    fn meant_page(&self, path: &str) -> Option<Meant> {
        let routes = || self.site.pages.iter().map(|page| page.route.as_str()).filter(|route| *route != NOT_FOUND);
        self.suggestions.routes.meant(path, routes)
    }

    fn meant_file(&self, path: &str) -> Option<Meant> {
        let files = || self.files.iter().map(|(path, _)| path.as_str());
        let file = self.suggestions.files.meant(path.strip_prefix('/').unwrap_or(path), files)?;
        Some(file.within(format!("/{file}")))
    }

    /// Returns the ids of the page at a route. Those of React are left out, which may be others in the next build.
    fn ids_of(&self, route: &str) -> Arc<Words<'a>> {
        let prepare = || {
            let ids = page(self.site, self.sealed, route).into_iter().flat_map(|page| page.summary.ids.iter());
            Arc::new(Words::new(ids.filter(|id| !id.starts_with('_'))))
        };
        self.suggestions.ids.lock().entry(route.to_owned()).or_insert_with(prepare).clone()
    }
}

fn page<'s>(site: &Site, sealed: &'s [Sealed], route: &str) -> Option<&'s Sealed> {
    site.pages.value_at(sealed, route).or_else(|| built_in(sealed, route))
}

/// Returns the built-in 404 page, if it is at a route. It comes last, and is not among the pages of the site.
fn built_in<'s>(sealed: &'s [Sealed], route: &str) -> Option<&'s Sealed> {
    sealed.last().filter(|_| route == NOT_FOUND)
}

/// Whether there is a page with this route and this id in it.
pub fn has_section(site: &Site, sealed: &[Sealed], route: &str, id: &str) -> bool {
    page(site, sealed, route).is_some_and(|page| page.summary.has_id(id))
}

/// Returns a short name of a route. Two routes may have the same, so it serves for warnings only.
pub fn name_of(route: &str) -> u64 {
    fingerprint(route.as_bytes()) as u64
}

/// Whether to look for what was meant by a broken address, which takes time with the number of pages, of files or of ids.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Suggest {
    Nothing,
    Nearest,
}

/// Returns what is wrong with a reference of a page, if anything, and the page that its path leads to. What it links to in other
/// pages is recorded.
pub fn check<'t>(
    reference: &Reference,
    page: &Page,
    settings: &Settings,
    targets: &'t Targets,
    suggest: Suggest,
    linked: &mut Linked,
) -> (Option<Problem>, Option<&'t sitegen_content::Page>) {
    let address = match address_in_site(reference, page.route.as_str(), settings, targets) {
        Ok(address) => address,
        Err(problem) => return (problem, None),
    };
    if reference.purpose == Purpose::Frame && settings.hosting.forbids_frames() {
        return (Some(PolicyProblem::Blocked { name: "iframe" }.into()), None);
    }
    let mut leads_to = None;
    let problem = check_path(&address, reference, (page, settings, targets, suggest), linked, &mut leads_to);
    (problem, leads_to)
}

fn check_path<'t>(
    address: &str,
    reference: &Reference,
    (page, settings, targets, suggest): (&Page, &Settings, &'t Targets, Suggest),
    linked: &mut Linked,
    leads_to: &mut Option<&'t sitegen_content::Page>,
) -> Option<Problem> {
    let (path, fragment) = match address.split_once('#') {
        Some((path, fragment)) => (path, Some(fragment)),
        None => (address, None),
    };
    let path = path.split('?').next().unwrap_or_default();
    if !is_percent_encoding(path) {
        return Some(LinkProblem::BadEscape { address: reference.address.clone() }.into());
    }
    let path = &*resolved(path);
    let written = match path {
        "" => Cow::Borrowed(page.route.as_str()),
        path if path.starts_with('/') => percent_decoded(path),
        path => return Some(relative_link(reference, path, page, targets).into()),
    };
    // A page may have an address with a slash at its end.
    let trimmed = if written.len() > 1 { written.trim_end_matches('/') } else { &written };
    let pages = &targets.site.pages;
    let (path, number) = match pages.number_at(&written) {
        None if *written != *NOT_FOUND => (trimmed, pages.number_at(trimmed)),
        number => (&*written, number),
    };
    let target = number.map_or_else(|| built_in(targets.sealed, path), |number| targets.sealed.get(number));
    *leads_to = number.map(|number| pages.get(number));
    if target.is_some()
        && written.len() > path.len()
        && let Some(problem) = needless_slash(reference, path, settings)
    {
        return Some(problem.into());
    }
    let Some(target) = target.filter(|_| path != NOT_FOUND || page.route.as_str() == NOT_FOUND) else {
        let is_folder = !reference.purpose.is_loaded() && targets.has_file(&written);
        return if is_folder || targets.has_file(path) {
            link_to_file(path, targets, linked);
            targets.unshowable.get(path).filter(|_| reference.purpose == Purpose::Image).cloned()
        } else if settings.options.is_of_other_site(path) {
            None
        } else {
            Some(missing(reference, path, targets, suggest))
        };
    };
    let is_of_entry = leads_to.and_then(|page| page.made.as_ref()).is_some_and(|made| made.number.is_some());
    if path != page.route.as_str() && is_of_entry {
        linked.entries.insert(name_of(path));
    }
    let section = percent_decoded(section_of(fragment?)?);
    if !target.summary.has_id(&section) {
        let written_path = &address[..address.find('#').unwrap_or(0)];
        let page = if path == page.route.as_str() { "this page".to_owned() } else { format!("`{path}`") };
        let ids = (suggest == Suggest::Nearest).then(|| targets.ids_of(path));
        return Some(broken_section(reference, &section, written_path, page, ids.as_deref()).into());
    }
    if path != page.route.as_str() {
        linked.sections.insert((path.to_owned(), section.into_owned()));
    }
    None
}

/// Returns a path as browsers request it: `\` is `/` to them, and `/a/../b` is `/b` (URL Standard, "path state").
fn resolved(path: &str) -> Cow<'_, str> {
    if !path.starts_with(['/', '\\']) || !path.contains('\\') && !path.contains("/.") {
        return Cow::Borrowed(path);
    }
    let path = path.replace('\\', "/");
    // The name of a host is not a path.
    let url = Url::parse("https://a.example").ok().filter(|_| !path.starts_with("//"));
    let url = url.and_then(|base| base.join(&path).ok());
    Cow::Owned(url.map_or(path, |url| url.path().to_owned()))
}

/// Returns the route of the page that an address in a page leads to, if it is one of the site. `from` is the route of the latter.
pub fn route_in_site(reference: &Reference, from: &str, settings: &Settings, targets: &Targets) -> Option<String> {
    let address = address_in_site(reference, from, settings, targets).ok()?;
    let path = percent_decoded(address.split(['#', '?']).next().filter(|path| path.starts_with('/'))?);
    let trimmed = if path.len() > 1 { path.trim_end_matches('/') } else { &path };
    let routes = [&*path, trimmed];
    routes.into_iter().find(|route| targets.site.pages.at(route).is_some()).map(str::to_owned)
}

/// Returns what of an address follows that of the site. For any other address, returns what is wrong with it, if anything. `from` is
/// the route of the page that has it.
fn address_in_site<'r>(
    reference: &'r Reference,
    from: &str,
    settings: &Settings,
    targets: &Targets,
) -> Result<Cow<'r, str>, Option<Problem>> {
    let address = reference.address.as_str();
    let hosts = &settings.hosts;
    let is_relative = scheme_of(address).is_none() && !address.starts_with("//");
    if is_relative {
        let own = hosts.of_path(from).map(|(host, _)| host);
        return on_host(reference, own, below_base(reference, settings, targets)?, settings, targets);
    }
    // Most links of a page lead to the site and are written as its address is.
    if let Some(rest) = address.strip_prefix(&targets.base).filter(|rest| is_end_or_more(rest)) {
        return on_host(reference, None, Cow::Borrowed(rest), settings, targets);
    }
    let url = web_address(address);
    if let Some(path) = below(address, &targets.base, url.as_ref(), targets.url.as_ref()) {
        return on_host(reference, None, path, settings, targets);
    }
    for host in hosts.others() {
        let base = format!("{}{}", host.origin, settings.base_path);
        if let Some(path) = below(address, &base, url.as_ref(), Url::parse(&base).ok().as_ref()) {
            return on_host(reference, Some(host), path, settings, targets);
        }
    }
    Err(outside(reference, url))
}

/// Returns what of a whole address follows that of a host. `url` and `base` are both as browsers read them.
fn below<'r>(address: &'r str, host: &str, url: Option<&Url>, base: Option<&Url>) -> Option<Cow<'r, str>> {
    if let Some(rest) = address.strip_prefix(host).filter(|rest| is_end_or_more(rest)) {
        return Some(Cow::Borrowed(rest));
    }
    url.zip(base).and_then(|(url, base)| own_path(url, base)).map(Cow::Owned)
}

/// Whether a text can follow the path of an address.
fn is_end_or_more(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['/', '#', '?'])
}

/// Returns the path of the site that is at a path of a host: that of a language has its pages without their prefix, and the files that
/// are on all hosts.
fn on_host<'r>(
    reference: &Reference,
    host: Option<&LanguageHost>,
    path: Cow<'r, str>,
    settings: &Settings,
    targets: &Targets,
) -> Result<Cow<'r, str>, Option<Problem>> {
    if settings.hosts.is_one() || path.starts_with(['#', '?']) {
        return Ok(path);
    }
    let bare = |path: &str| percent_decoded(path.split(['#', '?']).next().unwrap_or_default()).into_owned();
    let exists = |path: &str| {
        let path = bare(path);
        let is_page = |path: &str| path.len() > 1 && targets.page(path.trim_end_matches('/')).is_some();
        targets.page(&path).is_some() || is_page(&path) || targets.has_file(&path)
    };
    let elsewhere = |path: &str| {
        let (target, nearest) = (reference.address.clone(), Some(Meant::certain(settings.absolute(path))));
        Some(LinkProblem::BrokenLink { target, nearest }.into())
    };
    let Some(host) = host else {
        return match settings.hosts.of_path(&path) {
            Some(_) => Err(elsewhere(&path)),
            None => Ok(path),
        };
    };
    if !path.starts_with('/') && !path.is_empty() {
        return Ok(path);
    }
    let (route, rest) = path.split_at(path.find(['#', '?']).unwrap_or(path.len()));
    let own = format!("{}{rest}", prefixed(&host.prefix, if route.is_empty() { "/" } else { route }));
    if exists(&own) {
        return Ok(Cow::Owned(own));
    }
    let is_on_all = settings.hosts.of_path(&path).is_none() && is_on_all_hosts(&bare(&path), targets);
    match is_on_all {
        true => Ok(path),
        // It may be the address of the page at the host of the site.
        false if exists(&path) => Err(elsewhere(&path)),
        false => Ok(Cow::Owned(own)),
    }
}

/// Whether a file is for all hosts: one that is neither a page nor made from pages.
pub fn is_on_all_hosts(path: &str, targets: &Targets) -> bool {
    targets.has_file(path) && !targets.files.is_page(&path[1..]) && !targets.feeds.contains(path)
}

/// Returns what of an address without a host follows the path of the site.
fn below_base<'r>(
    reference: &'r Reference,
    settings: &Settings,
    targets: &Targets,
) -> Result<Cow<'r, str>, Option<Problem>> {
    let address = reference.address.as_str();
    if !address.starts_with('/') {
        return Ok(Cow::Borrowed(address));
    }
    let rest = address.strip_prefix(settings.base_path.as_str()).filter(|rest| is_end_or_more(rest));
    rest.map(Cow::Borrowed).ok_or_else(|| {
        // Another path of the same host is not ours, unless it is one of our paths without the base.
        let path = address.split(['#', '?']).next().unwrap_or(address);
        let is_ours = targets.page(path).is_some() || targets.has_file(path);
        let (target, base_path) = (address.to_owned(), settings.base_path.clone());
        is_ours.then_some(LinkProblem::OutsideBase { target, base_path, is_in_text: false }.into())
    })
}

/// Reports a path without a slash at its begin: hosts answer at `/careers` or at `/careers/`, and browsers resolve such an
/// address differently for each.
fn relative_link(reference: &Reference, path: &str, page: &Page, targets: &Targets) -> LinkProblem {
    let folder = page.route.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let absolute = format!("{folder}/{}", path.trim_start_matches("./"));
    let exists = targets.page(&absolute).is_some() || targets.has_file(&absolute);
    // What a template names by its path below `content/assets` is published under another name.
    let asset = || {
        let asset = targets.site.assets.linked(path).filter(|_| reference.purpose.is_loaded())?;
        Some(format!("{{{{ asset(path=\"{}\") }}}}", asset.path()))
    };
    let absolute = if exists { Some(absolute) } else { asset() };
    LinkProblem::RelativeLink { target: reference.address.clone(), absolute }
}

/// Reports the address of the page at `path` with a slash at its end, if hosts do not answer there.
fn needless_slash(reference: &Reference, path: &str, settings: &Settings) -> Option<LinkProblem> {
    let is_file = !Format::of(path).is_html();
    // `about.html` is not the index of a folder: some hosts redirect to `/about`, others have nothing here.
    if !is_file && settings.options.routes != RouteFiles::File && !path.ends_with(".html") {
        return None;
    }
    let (target, nearest) = (reference.address.clone(), Some(Meant::certain(path)));
    // Hosts answer with a file at its own address only.
    Some(if is_file {
        LinkProblem::BrokenFile { target, nearest }
    } else {
        LinkProblem::BrokenLink { target, nearest }
    })
}

/// Records a link to a published file, whose presence or entries do not follow from the sources of the page.
fn link_to_file(path: &str, targets: &Targets, linked: &mut Linked) {
    let is_of_list = targets.feeds.contains(path);
    if is_feed(path) || is_of_list {
        linked.entries.insert(name_of(path));
    }
    if is_optional(path) || is_of_list {
        linked.sections.insert((path.to_owned(), String::new()));
    }
}

/// Returns why nothing is at a path of the site.
fn missing(reference: &Reference, path: &str, targets: &Targets, suggest: Suggest) -> Problem {
    if let Some(fault) = targets.faults.get(path) {
        return fault.clone();
    }
    let target = reference.address.clone();
    if let Some(state) = targets.site.pages.hidden().get(path) {
        let reason = match state {
            State::Waiting(first) => format!("its first day is {first}"),
            State::Expired(last) => format!("its last day was {last}"),
            State::Draft | State::Shown => "it is a draft".to_owned(),
        };
        return LinkProblem::Hidden { target, reason }.into();
    }
    let is_page = !reference.purpose.is_loaded() && !path.rsplit('/').next().unwrap_or_default().contains('.');
    if is_page {
        let nearest = if suggest == Suggest::Nearest { targets.meant_page(path) } else { None };
        return LinkProblem::BrokenLink { target, nearest }.into();
    }
    let nearest = if suggest == Suggest::Nearest { targets.meant_file(path) } else { None };
    LinkProblem::BrokenFile { target, nearest }.into()
}

/// Returns the id that a fragment names. Browsers scroll to the top for an empty one and for `top` (HTML Standard 7.4.6.4);
/// what follows `:~:` is for the browser, such as a text to mark (URL Fragment Text Directives, 3.1).
fn section_of(fragment: &str) -> Option<&str> {
    let id = fragment.split(":~:").next().unwrap_or_default();
    Some(id).filter(|id| !id.is_empty() && !id.eq_ignore_ascii_case("top"))
}

/// Reports an id that a page does not have. `path` is that of the address as it is written, `page` names the page, and
/// `ids` are those of the page if one is to be suggested.
fn broken_section(reference: &Reference, id: &str, path: &str, page: String, ids: Option<&Words>) -> LinkProblem {
    let target = reference.address.clone();
    let Some(ids) = ids else {
        return LinkProblem::BrokenSection { target, page, nearest: None, known: Vec::new() };
    };
    let similar = || ids.iter().find(|known| id.len() > 3 && known.contains(id));
    let nearest = ids.meant(id).or_else(|| similar().map(Meant::from));
    let nearest = nearest.map(|id| id.within(format!("{path}#{id}")));
    let named = if nearest.is_none() { NAMED + 1 } else { 0 };
    let known = ids.iter().take(named).map(str::to_owned).collect();
    LinkProblem::BrokenSection { target, page, nearest, known }
}

/// Returns what follows the address of the site in a whole address that leads there in another spelling, as
/// `HTTPS://WWW.Site.test:443/about` does for browsers (URL Standard, "URL equivalence").
fn own_path(url: &Url, base: &Url) -> Option<String> {
    if url.origin() != base.origin() || !url.username().is_empty() || url.password().is_some() {
        return None;
    }
    let rest = &url[Position::BeforePath..];
    let rest = rest.strip_prefix(base.path().trim_end_matches('/'))?;
    (rest.is_empty() || rest.starts_with(['/', '#', '?'])).then(|| rest.to_owned())
}

/// Checks an address of another site by its form only; a build uses no network.
fn outside(reference: &Reference, url: Option<Url>) -> Option<Problem> {
    let address = &reference.address;
    let scheme = scheme_of(address).unwrap_or_else(|| "https".to_owned());
    // An empty page, which comes from nowhere.
    if matches!(reference.purpose, Purpose::Link | Purpose::Frame) && is_blank_page(address) {
        return None;
    }
    if reference.purpose == Purpose::Link && !SCHEMES.contains(&scheme.as_str()) {
        return Some(MarkdownProblem::UnsafeAddress { address: address.clone() }.into());
    }
    if reference.purpose.is_loaded() && !matches!(scheme.as_str(), "https" | "http" | "data") {
        return Some(MarkdownProblem::UnsafeAddress { address: address.clone() }.into());
    }
    if !matches!(scheme.as_str(), "https" | "http") {
        let is_empty = address.len() <= scheme.len() + 1;
        return is_empty.then(|| LinkProblem::BadAddress { address: address.clone() }.into());
    }
    let is_bare = |url: Url| url.username().is_empty() && url.password().is_none();
    // Browsers load nothing from an address with a name of a user (Fetch Standard), and no policy can allow it.
    let is_valid = url.is_some_and(|url| !reference.purpose.is_loaded() || is_bare(url));
    if !is_valid {
        return Some(LinkProblem::BadAddress { address: address.clone() }.into());
    }
    let is_mixed = scheme == "http" && reference.purpose.is_loaded() && !is_local(address);
    is_mixed.then(|| PolicyProblem::MixedContent { address: address.clone() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_resolved_as_browsers_do() {
        for (path, expected) in [
            ("/a/b", "/a/b"),
            ("/./", "/"),
            ("/a/../", "/"),
            ("/a/./b/..", "/a/"),
            ("/../a", "/a"),
            ("\\a\\b", "/a/b"),
            ("/.well-known/a", "/.well-known/a"),
            ("a/../b", "a/../b"),
            ("\\\\host\\a", "//host/a"),
            ("", ""),
        ] {
            assert_eq!(resolved(path), expected, "{path}");
        }
    }
}
