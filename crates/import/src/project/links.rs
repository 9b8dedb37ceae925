//! What the addresses in texts lead to.

use super::super::address;
use super::super::markdown::Outline;
use super::super::old::{self, Old};
use super::super::site::{Finding, Language, Link, MARK, Resolver, Site};
use super::places::Place;
use sitegen_core::paths::SCHEMES;
use std::collections::{BTreeMap, BTreeSet};

/// What there is in the new site.
pub struct Table<'s> {
    /// Texts by their routes in the old site.
    texts: BTreeMap<String, usize>,
    /// Texts by their files in the old site, and by these without extension.
    sources: BTreeMap<&'s str, usize>,
    /// Routes and addresses of pages without a file of their own: of terms.
    made: BTreeMap<String, String>,
    /// Routes that lead to others.
    moved: BTreeMap<String, String>,
    places: &'s [Place],
    outlines: &'s [Outline],
    old: &'s Old,
    site: &'s Site,
}

impl<'s> Table<'s> {
    /// Collects what there is.
    pub fn of(site: &'s Site, places: &'s [Place], outlines: &'s [Outline], old: &'s Old) -> Self {
        let (mut texts, mut sources) = (BTreeMap::new(), BTreeMap::new());
        let shown = site.texts.iter().zip(places).enumerate().filter(|(_, (_, place))| !place.path.is_empty());
        for (number, (text, _)) in shown {
            texts.insert(address::route(&text.address), number);
            if !text.source.is_empty() {
                sources.insert(text.source.as_str(), number);
                let stem = text.source.rsplit_once('.').map_or(text.source.as_str(), |(stem, _)| stem);
                sources.entry(stem).or_insert(number);
            }
        }
        let mut made = BTreeMap::new();
        for taxonomy in site.taxonomies.iter().filter(|taxonomy| !taxonomy.terms.is_empty()) {
            let addresses = taxonomy.terms.keys().map(|term| super::term_address(taxonomy, term));
            made.extend(addresses.chain([taxonomy.address.clone()]).map(|address| (address::route(&address), address)));
        }
        let mut table = Self { texts, sources, made, moved: BTreeMap::new(), places, outlines, old, site };
        table.find_moved();
        table
    }

    fn find_moved(&mut self) {
        for (number, text) in self.site.texts.iter().enumerate() {
            for alias in &text.aliases {
                if let Some(route) = address::lookup(alias, "") {
                    self.moved.entry(route).or_insert_with(|| self.places[number].route.clone());
                }
            }
        }
        for taxonomy in &self.site.taxonomies {
            for (term, old) in &taxonomy.terms {
                self.moved.insert(address::route(old), address::route(&super::term_address(taxonomy, term)));
            }
        }
        for (from, to) in &self.site.redirects {
            let to = Some(to).filter(|to| to.starts_with('/')).and_then(|to| address::lookup(address::parts(to).0, ""));
            if let (Some(from), Some(to)) = (address::lookup(from, ""), to) {
                self.moved.entry(from).or_insert(to);
            }
        }
    }

    /// Whether a page or a file has an address.
    pub fn is_taken(&self, route: &str) -> bool {
        let public = |route: &str| self.site.public.contains_key(route.trim_start_matches('/'));
        self.places.iter().any(|place| place.route == route)
            || self.made.contains_key(route)
            || public(route)
            || public(&format!("{route}.html"))
    }

    /// Returns the route in the new site that an address of the old one leads to, over redirects.
    pub fn target(&self, route: &str) -> Option<String> {
        let mut route = route.to_owned();
        for _ in 0..5 {
            if let Some(number) = self.texts.get(&route) {
                return Some(self.places[*number].link.clone());
            }
            if let Some(address) = self.made.get(&route) {
                return Some(address.clone());
            }
            if self.site.public.contains_key(route.trim_start_matches('/')) {
                return Some(route);
            }
            if let Some(address) = self.later_page(&route) {
                return Some(address);
            }
            route = self.next(&route)?;
        }
        None
    }

    /// Returns the address of a further page of a list by its route.
    fn later_page(&self, route: &str) -> Option<String> {
        let (base, number) = route.rsplit_once("/page/")?;
        number.parse::<u32>().ok()?;
        let list = *self.texts.get(if base.is_empty() { "/" } else { base })?;
        self.site.texts[list].list.as_ref()?.per_page?;
        let end = if base.is_empty() { "" } else { address::suffix(&self.places[list].link) };
        Some(format!("{route}{}", if end == "/" { "/" } else { "" }))
    }

    fn text(&self, route: &str) -> Option<usize> {
        let mut route = route.to_owned();
        for _ in 0..5 {
            if let Some(number) = self.texts.get(&route) {
                return Some(*number);
            }
            route = self.next(&route)?;
        }
        None
    }

    /// Returns where a route without a page leads: over a redirect, or to the original that a language shows.
    fn next(&self, route: &str) -> Option<String> {
        let original = || {
            let of = |language: &Language| route.strip_prefix(&format!("/{}", language.tag.to_lowercase()));
            let rest = self.site.languages.iter().filter(|_| self.site.has_fallbacks).find_map(of)?;
            (rest.is_empty() || rest.starts_with('/')).then(|| if rest.is_empty() { "/" } else { rest }.to_owned())
        };
        // With a tag before all addresses, links in texts are still without it.
        let own = || {
            let tag = self.site.language.as_deref().filter(|_| self.site.has_prefix)?.to_lowercase();
            let rest = route.strip_prefix(&format!("/{tag}"))?;
            (rest.is_empty() || rest.starts_with('/')).then(|| if rest.is_empty() { "/" } else { rest }.to_owned())
        };
        self.moved.get(route).cloned().or_else(original).or_else(own)
    }
}

/// Translates the addresses in one text.
pub struct Linker<'s> {
    site: &'s Site,
    table: &'s Table<'s>,
    number: usize,
    place: &'s Place,
    /// Pictures that the text shows: where they go, and where they are.
    pub copies: BTreeMap<String, String>,
    /// Origins of pictures on other sites.
    pub origins: BTreeSet<String>,
}

/// Returns the scheme of an address.
fn scheme(address: &str) -> Option<String> {
    let (scheme, _) = address.split_once(':')?;
    let is_scheme = scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter));
    (is_scheme && scheme.starts_with(|letter: char| letter.is_ascii_alphabetic())).then(|| scheme.to_ascii_lowercase())
}

impl<'s> Linker<'s> {
    /// Begins with a text.
    pub fn new(site: &'s Site, table: &'s Table<'s>, number: usize, place: &'s Place) -> Self {
        Self { site, table, number, place, copies: BTreeMap::new(), origins: BTreeSet::new() }
    }

    /// Returns the path of an address of the site itself, if it is one.
    fn inside<'a>(&self, address: &'a str) -> Option<&'a str> {
        let origin = self.site.origin.as_deref()?;
        let plain = |address: &'a str| address.split_once("://").map(|(_, rest)| rest);
        let host = origin.split_once("://").map_or(origin, |(_, host)| host);
        let rest = plain(address)?.strip_prefix(host)?;
        let base = self.site.base_path.trim_end_matches('/');
        let path = rest.strip_prefix(base)?;
        match path.chars().next() {
            None => Some("/"),
            Some('/') => Some(path),
            Some(_) => None,
        }
    }

    /// Returns the text that an address leads to.
    fn text(&self, path: &str) -> Option<usize> {
        let text = &self.site.texts[self.number];
        let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned();
        let file = |path: &str| old::join(old::folder(&text.source), path);
        let by_source = |path: Option<String>| path.and_then(|path| self.table.sources.get(path.as_str()).copied());
        if old::is_markdown(&decoded)
            && !decoded.starts_with('/')
            && let Some(number) = by_source(file(&decoded))
        {
            return Some(number);
        }
        let address = address::resolved(&text.address, &decoded)?;
        let base = if decoded.starts_with('/') { self.site.base_path.as_str() } else { "" };
        address::lookup(&address, base).and_then(|route| self.table.text(&route)).or_else(|| {
            if decoded.starts_with('/') {
                return None;
            }
            by_source(file(decoded.trim_end_matches('/')))
                .or_else(|| by_source(file(&format!("{}/index", decoded.trim_end_matches('/')))))
        })
    }

    /// Returns the address of a file of the site that is no page.
    fn file(&self, path: &str) -> Option<String> {
        let text = &self.site.texts[self.number];
        let address = address::resolved(&text.address, path)?;
        let cleaned = address::cleaned(&address).ok()?;
        let base = self.site.base_path.trim_end_matches('/');
        let inside = cleaned.strip_prefix(base).filter(|rest| rest.starts_with('/') && path.starts_with('/'));
        [inside.unwrap_or(&cleaned), cleaned.as_str()].into_iter().find_map(|address| {
            let address = address.trim_start_matches('/');
            let index = format!("{}/index.html", address.trim_end_matches('/'));
            let public = &self.site.public;
            [address, index.as_str()].into_iter().find(|address| public.contains_key(*address)).map(|address| {
                if address == index {
                    format!("/{}", address.trim_end_matches("index.html"))
                } else {
                    format!("/{address}")
                }
            })
        })
    }

    /// Writes a link to a text.
    fn to_text(&self, number: usize, rest: &str, is_html: bool) -> Link {
        let place = &self.table.places[number];
        if number != self.number && self.site.is_hidden(&self.site.texts[number]) {
            return Link::Gone(Finding::fault(format!(
                "a link leads to `{}`, which is not published; its words are left",
                place.path
            )));
        }
        let target = match is_html || number == self.number && !rest.is_empty() {
            _ if number == self.number && rest.starts_with('#') => String::new(),
            true if is_html => format!("{}{}", self.site.base_path, place.link),
            true => place.link.clone(),
            false => {
                let path = if self.is_yaml(number) { place.path.replace(".md", ".yaml") } else { place.path.clone() };
                old::relative(old::folder(&self.place.path), &path)
            }
        };
        // A list continues on pages that have no file.
        let (query, fragment) = rest.split_at(rest.find('#').unwrap_or(rest.len()));
        let id =
            percent_encoding::percent_decode_str(fragment.trim_start_matches('#')).decode_utf8_lossy().into_owned();
        if id.is_empty() || self.table.outlines[number].ids.contains(&id) {
            let fragment = if id.is_empty() { "" } else { fragment };
            return Link::To(format!("{target}{query}{fragment}"));
        }
        let finding = Finding::fault(format!("a link leads to `#{id}`, which `{}` does not have", place.path));
        match number == self.number && target.is_empty() {
            true => Link::Gone(finding),
            false => Link::Changed(format!("{target}{query}"), finding),
        }
    }

    fn is_yaml(&self, number: usize) -> bool {
        let text = &self.site.texts[number];
        let has_text = !text.body.text.trim().is_empty();
        !has_text && super::is_made(text)
    }

    /// Returns the file of the old site that a picture is, and where it goes.
    fn picture_file(&self, path: &str) -> Option<(String, String)> {
        let text = &self.site.texts[self.number];
        let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy().into_owned();
        let name = decoded.trim_start_matches("./");
        if let Some((name, from)) = text.files.iter().find(|(own, _)| own == name) {
            let folder = old::folder(&self.place.path);
            let to = match !name.contains('/') && self.place.path.ends_with("/index.md") {
                true => format!("{folder}/{name}"),
                false => format!("content/assets{}/{name}", self.place.route.trim_end_matches('/')),
            };
            return Some((to, from.clone()));
        }
        if let Some(address) = self.file(&decoded) {
            let public = &self.site.public;
            let from = public.get(address.trim_start_matches('/'))?;
            let address = address.trim_start_matches('/');
            // The engine reads `assets/a.png` in a text as the file `content/assets/a.png`.
            let to = match address.strip_prefix(super::ASSETS) {
                Some(rest) if public.contains_key(rest) => format!("from-assets/{rest}"),
                Some(rest) => rest.to_owned(),
                None => address.to_owned(),
            };
            return Some((format!("content/assets/{to}"), from.clone()));
        }
        // Beside the file that names it, wherever that is published.
        let from = match decoded.strip_prefix("@site/") {
            Some(path) => old::join("", path)?,
            None => old::join(old::folder(&text.source), decoded.trim_start_matches('/'))?,
        };
        self.table.old.has(&from).then(|| (format!("content/assets/{from}"), from))
    }
}

impl Resolver for Linker<'_> {
    fn link(&mut self, address: &str, is_html: bool) -> Link {
        let address = address.trim();
        if address.contains(MARK.0) {
            return Link::Gone(Finding::left(
                "a part of this address was code of the old site; the words of the link are left",
            ));
        }
        let own = self.inside(address);
        let path_of = own.unwrap_or(address);
        if own.is_none() {
            if let Some(scheme) = scheme(address) {
                return match SCHEMES.contains(&scheme.as_str()) {
                    true if address.contains(char::is_whitespace) => {
                        Link::To(address.replace(char::is_whitespace, "%20"))
                    }
                    true => Link::Keep,
                    false => {
                        Link::Gone(Finding::left(format!("a link with `{scheme}:` is not allowed; its words are left")))
                    }
                };
            }
            if let Some(rest) = address.strip_prefix("//") {
                return Link::To(format!("https://{rest}"));
            }
        }
        let (path, rest) = address::parts(path_of);
        match (path, rest) {
            ("", "" | "#") => return Link::Gone(Finding::fault("a link has no address; its words are left")),
            ("", rest) if rest.starts_with('#') => return self.to_text(self.number, rest, is_html),
            ("", _) => return Link::Keep,
            _ => {}
        }
        if let Some(number) = self.text(path) {
            return self.to_text(number, rest, is_html);
        }
        if let Some(file) = self.file(path) {
            let base = if is_html { self.site.base_path.as_str() } else { "" };
            return Link::To(format!("{base}{file}{rest}"));
        }
        let text = &self.site.texts[self.number];
        let base = if path.starts_with('/') { self.site.base_path.as_str() } else { "" };
        let route = address::resolved(&text.address, path).and_then(|address| address::lookup(&address, base));
        if let Some(route) = route.and_then(|route| self.table.target(&route)) {
            return Link::To(format!("{route}{}", rest.split('#').next().unwrap_or_default()));
        }
        if let Some((to, from)) = self
            .picture_file(path)
            .filter(|(_, from)| !is_html && !old::is_markdown(path) && self.table.old.is_safe_picture(from))
        {
            let written = to.strip_prefix("content/assets/").unwrap_or_else(|| old::name(&to)).to_owned();
            self.copies.insert(to, from);
            return Link::To(written);
        }
        Link::Gone(Finding::fault(format!("a link leads nowhere: `{address}`; its words are left")))
    }

    fn picture(&mut self, address: &str, is_html: bool) -> Link {
        let address = address.trim();
        if address.contains(MARK.0) {
            return Link::Gone(Finding::left("a part of the address of a picture was code of the old site"));
        }
        let own = self.inside(address);
        let path = own.unwrap_or(address);
        if own.is_none() {
            let https = address.strip_prefix("http://").map(|rest| format!("https://{rest}"));
            let https = https.or_else(|| address.strip_prefix("//").map(|rest| format!("https://{rest}")));
            let is_changed = https.is_some();
            let target = https.unwrap_or_else(|| address.to_owned());
            if let Some(rest) = target.strip_prefix("https://") {
                let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
                let is_host = |letter: char| letter.is_ascii_alphanumeric() || "-.:".contains(letter);
                if host.is_empty() || !host.chars().all(is_host) || target.contains(char::is_whitespace) {
                    return Link::Gone(Finding::fault(format!("a picture has no valid address: `{address}`")));
                }
                self.origins.insert(format!("https://{}", host.to_ascii_lowercase()));
                let finding = || Finding::changed("a picture of another site is loaded with `https:` now");
                return if is_changed { Link::Changed(target, finding()) } else { Link::Keep };
            }
            if scheme(address).is_some() {
                return Link::Gone(Finding::left(
                    "a picture in the text itself (`data:`) was left out: save it as a file",
                ));
            }
        }
        let (path, _) = address::parts(path);
        let missing =
            || Link::Gone(Finding::fault(format!("there is no picture `{address}`; its description is left")));
        // In HTML, files of the site keep their addresses, and others are named as in Markdown.
        if let Some(file) = self.file(path).filter(|_| is_html) {
            return Link::To(format!("{}{file}", self.site.base_path));
        }
        match self.picture_file(path) {
            Some((_, from)) if !self.table.old.is_safe_picture(&from) => Link::Gone(Finding::fault(format!(
                "the picture `{address}` has scripts or HTML in it; its description is left"
            ))),
            Some((to, from)) if old::is_picture(&from) => {
                let written = to.strip_prefix("content/assets/").unwrap_or_else(|| old::name(&to)).to_owned();
                let folder = format!("{}/", old::folder(&self.place.path));
                let written = to.strip_prefix(&folder).map_or(written, str::to_owned);
                self.copies.insert(to, from);
                Link::To(written)
            }
            Some((_, from)) => {
                let kind = old::extension(&from);
                Link::Gone(Finding::left(format!(
                    "`{address}` is no picture that can be shown (`.{kind}`); its description is left"
                )))
            }
            None => missing(),
        }
    }
}
