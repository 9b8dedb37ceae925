//! Where each text goes, so that its address stays.

use super::super::address;
use super::super::data::{Map, Value};
use super::super::keys;
use super::super::old;
use super::super::report::Report;
use super::super::site::{Finding, Site, Text};
use std::collections::{BTreeMap, BTreeSet};

/// Where a text goes.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The path of its file; empty for a text that is left out.
    pub path: String,
    /// Its route, by which places are compared.
    pub route: String,
    /// Its address, as links name it.
    pub link: String,
    /// Whether it has not got its old address.
    pub is_moved: bool,
    /// Keys that the place needs: `path`, `aliases`, `order`, `parent`.
    pub keys: Map,
}

impl Place {
    /// Returns the name of the schema that is for the text.
    pub fn schema(&self, text: &Text) -> String {
        match (&text.collection, &text.list) {
            (Some(collection), _) => collection.clone(),
            (None, Some(_)) => "pages/list".to_owned(),
            (None, None) => "pages/page".to_owned(),
        }
    }
}

/// Returns a place for each text.
pub fn of(site: &mut Site, report: &mut Report) -> Vec<Place> {
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    let mut files: BTreeSet<String> = BTreeSet::new();
    let mut places = Vec::with_capacity(site.texts.len());
    let orders = orders(site);
    let parents: BTreeSet<String> = {
        let lists = site.texts.iter().filter(|text| text.list.as_ref().is_some_and(|list| list.collection.is_none()));
        lists.map(|text| address::route(own_address(text))).collect()
    };
    for (number, text) in site.texts.iter().enumerate() {
        let route = address::route(&text.address);
        if let Some(first) = taken.get(&route.to_lowercase()) {
            let first = &site.texts[*first].source;
            let finding =
                Finding::fault(format!("`{first}` has the same address, `{}`; this one was left out", text.address));
            report.findings.push((text.source.clone(), 0, finding));
            places.push(Place::default());
            continue;
        }
        taken.insert(route.to_lowercase(), number);
        if let Some(tag) = &text.language {
            let original = original(site, tag, text).and_then(|number| places.get(number));
            let original = original.filter(|place: &&Place| !place.path.is_empty());
            let is_alone = original.is_none();
            let mut place = translation(site, tag, text, original, (&mut files, report));
            if let Some((key, above)) = parent(text, &parents).filter(|_| is_alone) {
                // It comes after those that are there in all languages.
                place.keys.insert("order".into(), (number + 1).into());
                place.keys.insert(key, above);
            }
            places.push(place);
            continue;
        }
        let mut place = match &text.collection {
            Some(name) => entry(site, name, text, &mut files),
            None => page(text, &route, &mut files),
        };
        keep_address(&mut place, text, report);
        if let Some(order) = orders.get(&number) {
            place.keys.insert("order".into(), (*order).into());
        }
        place.keys.extend(parent(text, &parents));
        places.push(place);
    }
    for (number, aliases) in aliases(site, &places, report) {
        places[number].keys.insert("aliases".into(), aliases.into());
    }
    places
}

/// Returns the number of the text that another one translates. One that the old generator made has no file: it is found by its
/// address.
pub fn original(site: &Site, tag: &str, text: &Text) -> Option<usize> {
    if let Some(source) = &text.original {
        return site.texts.iter().position(|own| own.source == *source);
    }
    let route = address::route(untagged(tag, &text.address));
    let is_original =
        |own: &Text| own.language.is_none() && own.source.is_empty() && address::route(&own.address) == route;
    site.texts.iter().position(is_original)
}

/// Returns the address of a text without its language.
pub fn own_address(text: &Text) -> &str {
    text.language.as_ref().map_or(&text.address, |tag| untagged(tag, &text.address))
}

/// Returns the key by which the list above finds a page.
fn parent(text: &Text, lists: &BTreeSet<String>) -> Option<(String, Value)> {
    let route = address::route(own_address(text));
    let above = route.rsplit_once('/').map(|(above, _)| if above.is_empty() { "/" } else { above })?;
    let is_listed = text.collection.is_none() && !text.is_unlisted && route != "/" && lists.contains(above);
    is_listed.then(|| ("parent".to_owned(), above.into()))
}

/// Returns an address without the language before it.
pub fn untagged<'a>(tag: &str, address: &'a str) -> &'a str {
    let below = address.strip_prefix(&format!("/{}", tag.to_lowercase()));
    match below.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
        Some("") => "/",
        Some(below) => below,
        None => address,
    }
}

/// Returns the place of a text in another language: beside its original, with the tag before the extension. The engine puts the tag
/// before the address, and so the key `path` is without it.
fn translation(
    site: &Site,
    tag: &str,
    text: &Text,
    original: Option<&Place>,
    (files, report): (&mut BTreeSet<String>, &mut Report),
) -> Place {
    let prefix = format!("/{}", tag.to_lowercase());
    let address = untagged(tag, &text.address).to_owned();
    let own = match (original, &text.collection) {
        (Some(original), _) => original.clone(),
        // The home page of the site may have no text, and so no file that could be named as the original.
        (None, None) if address == "/" => {
            let path = "content/pages/index.md".to_owned();
            Place { path, route: "/".to_owned(), link: "/".to_owned(), ..Place::default() }
        }
        (None, Some(name)) => entry(site, name, &Text { address: address.clone(), ..of_place(text) }, files),
        (None, None) => page(&of_place(text), &address::route(&address), files),
    };
    let (stem, extension) = own.path.rsplit_once('.').unwrap_or((&own.path, "md"));
    let mut place = Place { path: format!("{stem}.{tag}.{extension}"), ..Place::default() };
    let is_root = address == "/" || own.route == "/404";
    let link = match address::exact(&address) {
        Some(exact) if !is_root && exact != own.link => {
            place.keys.insert("path".into(), exact.clone().into());
            exact
        }
        _ => own.link.clone(),
    };
    place.link = if link == "/" { prefix } else { format!("{prefix}{link}") };
    place.route = address::route(&place.link);
    if address::route(&text.address) != place.route {
        report.moved.push((text.address.clone(), place.link.clone()));
        place.is_moved = true;
    }
    place
}

/// Returns of a text what decides its place.
fn of_place(text: &Text) -> Text {
    Text {
        source: text.source.clone(),
        address: text.address.clone(),
        collection: text.collection.clone(),
        keys: text.keys.clone(),
        files: text.files.clone(),
        ..Text::default()
    }
}

/// Writes the exact address into the key `path`, where the place of the file does not say it. What cannot be kept is an alias.
fn keep_address(place: &mut Place, text: &Text, report: &mut Report) {
    let is_root = text.address == "/" || text.address == "/index.html" || place.route == "/404";
    let exact = address::exact(&text.address);
    match exact {
        _ if is_root => {}
        Some(exact) if exact == place.link => {}
        Some(exact) if !address::suffix(&exact).is_empty() || place.route != exact => {
            place.keys.insert("path".into(), exact.clone().into());
            place.route = address::route(&exact);
            place.link = exact;
        }
        Some(_) => {}
        None => {
            report.moved.push((text.address.clone(), place.link.clone()));
            place.is_moved = true;
        }
    }
}

/// Returns the aliases of texts that the engine takes: each once, and none that is the address of a page or of a file.
fn aliases(site: &Site, places: &[Place], report: &mut Report) -> Vec<(usize, Vec<String>)> {
    let mut taken: BTreeSet<String> = places.iter().map(|place| place.route.to_lowercase()).collect();
    taken.extend(site.public.keys().map(|path| address::route(&format!("/{path}")).to_lowercase()));
    let mut all = Vec::new();
    for (number, (text, place)) in
        site.texts.iter().zip(places).enumerate().filter(|(_, (_, place))| !place.path.is_empty())
    {
        let mut own = Vec::new();
        let old = Some(&text.address).filter(|_| place.is_moved);
        for alias in text.aliases.iter().chain(old) {
            let cleaned = address::cleaned(alias.split("://").last().unwrap_or(alias));
            let is_sign = |letter: char| letter.is_alphanumeric() || "-_.~/".contains(letter);
            match cleaned {
                Ok(alias) if alias.chars().all(is_sign) && alias != "/" => {
                    let alias = alias.strip_suffix("index.html").unwrap_or(&alias).to_owned();
                    if taken.insert(address::route(&alias).to_lowercase()) {
                        own.push(alias);
                    }
                }
                _ => {
                    report.lose(alias);
                    let finding =
                        Finding::left(format!("the alias `{alias}` was left out: no redirect can begin there"));
                    report.findings.push((place.path.clone(), 0, finding));
                }
            }
        }
        if !own.is_empty() {
            all.push((number, own));
        }
    }
    all
}

/// Returns the numbers by which texts without dates are sorted, where a list needs one of each.
fn orders(site: &Site) -> BTreeMap<usize, i64> {
    let mut orders = BTreeMap::new();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (number, text) in site.texts.iter().enumerate().filter(|(_, text)| text.language.is_none()) {
        let group = match &text.collection {
            Some(name) => format!("collection {name}"),
            None => old::folder(&address::route(&text.address)).to_owned(),
        };
        groups.entry(group).or_default().push(number);
    }
    for (group, mut numbers) in groups {
        let is_dated = |number: &usize| site.texts[*number].keys.contains_key("date");
        if group.starts_with("collection ") && numbers.iter().all(is_dated) {
            continue;
        }
        numbers.sort_by_key(|number| {
            let text = &site.texts[*number];
            let order = text.order.filter(|order| *order != 0);
            let date = text.keys.get("date").and_then(Value::as_str).unwrap_or_default().to_owned();
            (order.is_none(), order, std::cmp::Reverse(date), text.title.clone(), *number)
        });
        for (order, number) in numbers.into_iter().enumerate() {
            orders.insert(number, i64::try_from(order).unwrap_or(i64::MAX) + 1);
        }
    }
    orders
}

fn entry(site: &Site, collection: &str, text: &Text, files: &mut BTreeSet<String>) -> Place {
    let route = address::route(&text.address);
    let pattern = site.collections.get(collection).map_or("[slug]", |collection| collection.pattern.as_str());
    let last = old::name(&route);
    let source = old::stem(&text.source);
    let source = if source == "index" { old::name(old::folder(&text.source)) } else { source };
    let mut candidates = [last.to_owned(), source.to_owned()];
    if !pattern.ends_with("[slug]") {
        candidates.reverse();
    }
    let wanted = candidates.iter().find(|name| address::file_name(name) == **name).unwrap_or(&candidates[0]);
    let name = unique(&address::file_name(wanted), &format!("content/{collection}/"), files);
    let path = match has_pictures(text) {
        true => format!("content/{collection}/{name}/index.md"),
        false => format!("content/{collection}/{name}.md"),
    };
    let route = filled(pattern, &name, text);
    let link = format!("{route}{}", super::suffix_of(site, collection));
    Place { path, route, link, ..Place::default() }
}

/// Whether pictures are beside a text.
fn has_pictures(text: &Text) -> bool {
    text.files.iter().any(|(name, _)| old::is_picture(name) && !name.contains('/'))
}

/// Returns the route that a pattern makes of an entry.
fn filled(pattern: &str, name: &str, text: &Text) -> String {
    let date = text.keys.get("date").and_then(Value::as_str).and_then(keys::day);
    let mut route = format!("/{}", pattern.replace("[slug]", name));
    if let Some(date) = date {
        route = route
            .replace("[year]", &format!("{:04}", date.year()))
            .replace("[month]", &format!("{:02}", date.month()))
            .replace("[day]", &format!("{:02}", date.day()));
    }
    match text.keys.get("section").and_then(Value::as_str) {
        Some(section) => route.replace("[section]", &slug::slugify(section)),
        None => route,
    }
}

fn page(text: &Text, route: &str, files: &mut BTreeSet<String>) -> Place {
    let is_below_assets = route == "/assets" || route.starts_with("/assets/");
    let plain = match address::is_plain(route) {
        true if is_below_assets => route.replacen("/assets", "/asset-pages", 1),
        true => route.to_owned(),
        false => address::plain(route),
    };
    let route = if plain == "/" || plain.is_empty() { "/".to_owned() } else { plain };
    let name = route.trim_start_matches('/');
    let is_folder = text.list.is_some() || has_pictures(text);
    let name = unique(if name.is_empty() { "index" } else { name }, "content/pages/", files);
    let path = match is_folder && route != "/" {
        true => format!("content/pages/{name}/index.md"),
        false => format!("content/pages/{name}.md"),
    };
    let route = if route == "/" { route } else { format!("/{name}") };
    Place { path, link: route.clone(), route, ..Place::default() }
}

/// Returns a name that no other file in a folder has.
fn unique(name: &str, folder: &str, files: &mut BTreeSet<String>) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !files.insert(format!("{folder}{free}")) {
        free = format!("{name}-{number}");
        number += 1;
    }
    free
}
