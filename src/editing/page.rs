//! What of a page can be edited, and where: its texts, pictures and links, each with the value, the block or the line that wrote it.

use super::names::{asset_of, called, spoken, title_of};
use super::requests::Create;
use super::targets::{Name, Spot, Target, Targets, at_offset};
use super::{Moment, Obstacle, Refused, refused};
use crate::artifacts::Artifacts;
use crate::content::languages::Languages;
use crate::content::yaml::{Node, Value};
use crate::content::{Page, Site, front_matter};
use crate::diagnostics::{Place, Position, Span};
use crate::edit::{File, blocks, insert};
use crate::pages::trace::Origin;
use crate::pages::written::{Renderings, WrittenPage, WrittenText};
use crate::paths::SourcePath;
use crate::serve::routing;
use crate::sources::Sources;
use crate::templates::TEMPLATES;
use crate::tools::Tools as _;
use percent_encoding::percent_decode_str;
use serde_json::{Value as Json, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many files a page has forms of.
const MOST_FORMS: usize = 40;

/// The parts of a page while they are collected.
struct Parts<'p> {
    site: &'p Site,
    page: &'p Page,
    sources: Sources,
    joined: Sources,
    languages: Languages,
    /// The texts of files, read once for the page.
    files: BTreeMap<SourcePath, Arc<str>>,
    /// For each tag as it was rendered, its number in the page that is served.
    served: Vec<Option<usize>>,
    targets: &'p mut Targets,
    parts: Vec<Json>,
    /// The blocks that have a part already.
    blocks: Vec<(SourcePath, usize)>,
    /// The values on the page, with the tags that have them.
    values: Vec<(usize, SourcePath, Vec<Name>)>,
}

/// Answers what of a page can be edited.
pub fn page(
    address: &str,
    moment: &mut Moment,
    targets: &mut Targets,
    renderings: &Renderings,
) -> Result<Json, Refused> {
    let (Some(site), Some(artifacts)) = (moment.site, moment.artifacts) else {
        return Err(refused(
            409,
            "The site has mistakes. This page can be edited again when they are repaired; the terminal lists them.",
        ));
    };
    let page = page_at(site, address).ok_or_else(|| refused(404, "This is no page of the site."))?;
    let html = html_of(page, site, artifacts).ok_or_else(|| refused(404, "This is no page of the site."))?;
    let sources = moment.sources.clone();
    let languages = Languages::of(&sources, moment.session.tools().cache());
    let joined = languages.joined(&sources);
    let written = crate::written(&sources, moment.profile, &**moment.session.tools(), (site, page), renderings)
        .unwrap_or_default();
    let tags: Vec<String> = crate::html::tokens(&html)
        .filter_map(|token| match token {
            crate::html::Token::Start(tag) => Some(tag.lower_name().into_owned()),
            _ => None,
        })
        .collect();
    let served = aligned(&written, &tags);
    let mut parts = Parts {
        site,
        page,
        sources,
        joined,
        languages,
        files: BTreeMap::new(),
        served,
        targets,
        parts: Vec::new(),
        blocks: Vec::new(),
        values: Vec::new(),
    };
    parts.markdown(&written);
    parts.texts(&written);
    parts.pictures_and_links(&written);
    let mut all = std::mem::take(&mut parts.parts);
    all.sort_by_key(|part| (part["element"].as_u64(), part["text"].as_u64(), part["start"].as_u64()));
    let forms = parts.forms();
    let file = parts.file_of_page();
    let text = parts.text(&file);
    let is_draft = page.outline.dates.draft;
    Ok(json!({
        "address": address, "title": title_of(&file, &text), "file": file.as_str(), "draft": is_draft,
        "tags": tags, "parts": all, "forms": forms,
    }))
}

/// Returns the page at an address of this server.
fn page_at<'s>(site: &'s Site, address: &str) -> Option<&'s Page> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let path = percent_decode_str(path).decode_utf8().ok()?;
    let path = path.strip_prefix(site.settings.base_path.as_str()).unwrap_or(&path);
    let path = if path.is_empty() { "/" } else { path };
    let short = path.trim_end_matches('/').trim_end_matches(".html");
    let short = short.strip_suffix("/index").unwrap_or(short);
    let candidates = [
        path.to_owned(),
        if short.is_empty() { "/".to_owned() } else { short.to_owned() },
        format!("{short}/"),
        format!("{short}.html"),
    ];
    candidates.iter().find_map(|candidate| site.pages.at(candidate))
}

fn html_of(page: &Page, site: &Site, artifacts: &Artifacts) -> Option<String> {
    let base = if artifacts.site.rules.host.serves_at_root() { site.settings.base_path.as_str() } else { "" };
    match routing::find(artifacts, &format!("{base}{}", page.route.as_str())) {
        crate::artifacts::hosts::spec::Target::File(name) => String::from_utf8(artifacts.get(&name)?.to_vec()).ok(),
        _ => None,
    }
}

/// Returns for each tag of a rendered page its number in the finished page, which has more of them.
fn aligned(written: &WrittenPage, tags: &[String]) -> Vec<Option<usize>> {
    let rendered: Vec<&str> = written.tags.iter().map(|tag| tag.name.as_str()).collect();
    let tags: Vec<&str> = tags.iter().map(String::as_str).collect();
    let mut served = vec![None; rendered.len()];
    for op in capture_diff_slices(Algorithm::Myers, &rendered, &tags) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            (0..len).for_each(|at| served[old_index + at] = Some(new_index + at));
        }
    }
    served
}

impl Parts<'_> {
    fn text(&mut self, path: &SourcePath) -> Arc<str> {
        let sources = &self.sources;
        self.files.entry(path.clone()).or_insert_with(|| Arc::from(sources.text(path).unwrap_or_default())).clone()
    }

    /// Returns the file and the place in it of an offset, which may be behind the text of a translation.
    fn real(&self, path: &SourcePath, span: Span) -> Option<(SourcePath, Span)> {
        let mut place = Place::new(path, span);
        self.languages.move_place(&self.joined, &mut place);
        Some((place.path, place.span?))
    }

    /// Returns the file that decides what the page shows.
    fn file_of_page(&self) -> SourcePath {
        let file =
            self.page.made.as_ref().and_then(|made| made.entry.clone()).unwrap_or_else(|| self.page.source.clone());
        let path = crate::content::collections::file_named(&file);
        // A page in another language may show the original.
        if self.sources.get(&path).is_some() { path } else { self.page.source.clone() }
    }

    fn add(&mut self, element: usize, target: Target, part: Json) {
        let Some(element) = self.served.get(element).copied().flatten() else { return };
        let place = match &target.spot {
            Spot::Block { span } => Position::of(&target.base, *span),
            Spot::Value { names } => {
                let file = File::of(&target.path, &target.base);
                let item = file.as_ref().and_then(|file| file.root().at(&super::targets::route(file, names)?));
                item.and_then(|item| Position::of(&target.base, item.span))
            }
            _ => None,
        };
        let line = place.map_or(1, |at| at.line);
        let mut json = json!({ "element": element, "label": target.label, "place": format!("{}:{line}", target.path), "id": self.targets.add(target) });
        if let (Some(map), Json::Object(more)) = (json.as_object_mut(), part) {
            map.extend(more.into_iter().filter(|(_, value)| !value.is_null()));
        }
        self.parts.push(json);
    }

    /// Adds the blocks of Markdown, each at its first tag.
    fn markdown(&mut self, written: &WrittenPage) {
        for (number, tag) in written.tags.iter().enumerate() {
            let Some(origin) = tag.origin.as_ref().filter(|origin| origin.is_exact) else { continue };
            let Some((path, span)) = self.block_of(origin) else { continue };
            if self.served.get(number).copied().flatten().is_none() || self.blocks.contains(&(path.clone(), span.start))
            {
                continue;
            }
            self.blocks.push((path.clone(), span.start));
            let base = self.text(&path);
            let label = format!("text of {}", title_of(&path, &base));
            let target = Target { path, base, spot: Spot::Block { span }, label };
            self.add(number, target, json!({ "kind": "markdown" }));
        }
    }

    /// Returns the block of Markdown that an origin is in.
    fn block_of(&mut self, origin: &Origin) -> Option<(SourcePath, Span)> {
        if origin.path.below(TEMPLATES).is_some() {
            return None;
        }
        let (path, span) = self.real(&origin.path, Span::at(origin.offset, 0))?;
        let text = self.text(&path);
        let block = blocks::of(&path, &text)
            .into_iter()
            .find(|block| block.span.start <= span.start && span.start < block.span.end)?;
        Some((path, block.span))
    }

    fn texts(&mut self, written: &WrittenPage) {
        let is_code = |text: &&WrittenText| {
            written.tags.get(text.element).is_some_and(|tag| ["script", "style"].contains(&tag.name.as_str()))
        };
        let of_values: Vec<&WrittenText> =
            written.texts.iter().filter(|text| text.leaf.is_some() && !is_code(text)).collect();
        for text in of_values {
            let is_in_markdown = text.origin.as_ref().is_some_and(|origin| origin.path.below(TEMPLATES).is_none());
            let Some(leaf) = text.leaf.as_ref().filter(|_| !is_in_markdown) else { continue };
            let Some((path, span)) = self.real(&leaf.path, leaf.span) else { continue };
            let base = self.text(&path);
            let Some((names, label)) = named_at(&path, &base, span.start) else { continue };
            if let Some(target) = self.translation(&path, &names, &label) {
                self.values.push((text.element, path, names));
                self.add(text.element, target, json!({ "kind": "derived", "text": text.child, "translate": true }));
                continue;
            }
            let kind = if text.range.is_some() { "value" } else { "derived" };
            let range = |of: fn((usize, usize)) -> usize| text.range.map(of);
            self.values.push((text.element, path.clone(), names.clone()));
            let target = Target { path, base, spot: Spot::Value { names }, label };
            self.add(text.element, target, json!({ "kind": kind, "text": text.child, "start": range(|(start, _)| start), "end": range(|(_, end)| end) }));
        }
        let others: Vec<&WrittenText> = written.texts.iter().filter(|text| text.leaf.is_none()).collect();
        for text in others {
            let Some(origin) = &text.origin else { continue };
            if origin.path.below(TEMPLATES).is_none() {
                continue;
            }
            let is_hidden =
                written.tags.get(text.element).is_some_and(|tag| ["script", "style"].contains(&tag.name.as_str()));
            if let Some(target) = self.computed(origin, text.element).or_else(|| self.equal(&text.shown)) {
                self.add(text.element, target, json!({ "kind": "derived", "text": text.child }));
            } else if !is_hidden {
                self.of_template(text.element, origin, json!({ "text": text.child }));
            }
        }
    }

    /// Adds a part that a template writes, with the line that has it.
    fn of_template(&mut self, element: usize, origin: &Origin, part: Json) {
        let Some(element) = self.served.get(element).copied().flatten() else { return };
        let text = self.text(&origin.path);
        let line = Position::of(&text, Span::at(origin.offset, 0)).map_or(1, |at| at.line);
        let mut json = json!({
            "id": null, "element": element, "kind": "template", "label": "part of the template",
            "place": format!("{}:{line}", origin.path),
        });
        if let (Some(map), Json::Object(more)) = (json.as_object_mut(), part) {
            map.extend(more);
        }
        self.parts.push(json);
    }

    /// Returns where the translation of a value goes that the page shows in the original, as it has none.
    fn translation(&mut self, path: &SourcePath, names: &[Name], label: &str) -> Option<Target> {
        let language = self.site.view(self.page).language.clone();
        // An item of a list has no translation without the others.
        let is_alone = names.iter().all(|name| matches!(name, Name::Key(_)));
        if self.page.view == 0 || language.has(path) || !is_alone {
            return None;
        }
        let path = language.translation_of(path);
        let base = self.text(&path);
        Some(Target {
            path,
            base,
            spot: Spot::Value { names: names.to_vec() },
            label: format!("{label} in {}", language.name),
        })
    }

    /// Returns the value that the code at a place of a template is about: `{{ page.date | date(format="long") }}`.
    fn computed(&mut self, origin: &Origin, element: usize) -> Option<Target> {
        let text = self.text(&origin.path);
        let code = text.get(origin.offset..)?;
        let code = code.strip_prefix("{{")?.trim_start_matches('-').trim_start();
        let path: &str = code.split(|letter: char| !(letter.is_alphanumeric() || "_.".contains(letter))).next()?;
        let mut keys = path.split('.');
        let root = keys.next()?;
        let keys: Vec<&str> = keys.collect();
        if keys.is_empty() {
            return None;
        }
        let view = self.site.view(self.page);
        let down = |node: &Node| keys.iter().try_fold(node.clone(), |node, key| node.get(key).cloned());
        let entry = self.page.made.as_ref().and_then(|made| view.collection(&made.collection)?.nth(made.number?));
        let found = match root {
            "page" => Some((self.page.source.clone(), down(&self.site.keys(self.page))?)),
            "site" => Some((view.site_file.clone(), down(&view.data)?)),
            "entry" => entry.and_then(|entry| Some((entry.source.clone(), down(&entry.data)?))),
            _ => None,
        };
        let (path, span) = match found {
            Some((path, node)) if node.span.end > 0 => self.real(&path, node.span)?,
            Some(_) => return None,
            // A value of a loop: of what the nearest value on the page is in.
            None => return self.beside(&keys, element),
        };
        let base = self.text(&path);
        let (names, label) = named_at(&path, &base, span.start)?;
        Some(Target { path, base, spot: Spot::Value { names }, label })
    }

    /// Returns the value of the page's file that is the same text, if there is one alone: a component may have got it as an argument.
    fn equal(&mut self, shown: &str) -> Option<Target> {
        let path = self.file_of_page();
        let base = self.text(&path);
        let mut equal = Vec::new();
        each_text(&path, &base, &mut |names, label, text| {
            if text.trim() == shown {
                equal.push((names, label));
            }
        });
        match (equal.pop(), equal.is_empty(), shown.chars().count() > 1) {
            (Some((names, label)), true, true) => Some(Target { path, base, spot: Spot::Value { names }, label }),
            _ => None,
        }
    }

    /// Returns the value with some keys in the mapping that the nearest value on the page is in.
    fn beside(&mut self, keys: &[&str], element: usize) -> Option<Target> {
        let nearest = self.values.iter().min_by_key(|(at, ..)| at.abs_diff(element)).cloned();
        let (_, path, names) = nearest.filter(|(at, ..)| at.abs_diff(element) < 12)?;
        let base = self.text(&path);
        let file = File::of(&path, &base)?;
        let (_, above) = names.split_last()?;
        let wanted: Vec<Name> =
            above.iter().cloned().chain(keys.iter().map(|key| Name::Key((*key).to_owned()))).collect();
        let route = super::targets::route(&file, &wanted)?;
        let item = file.root().at(&route)?;
        item.scalar()?;
        let (names, label) = named_at(&path, &base, item.span.start)?;
        drop(file);
        Some(Target { path, base, spot: Spot::Value { names }, label })
    }

    /// Adds pictures and links whose values templates compute with.
    fn pictures_and_links(&mut self, written: &WrittenPage) {
        let mut files: Vec<SourcePath> = vec![self.file_of_page(), self.page.source.clone()];
        files.extend(self.values.iter().map(|(_, path, _)| path.clone()));
        files.sort();
        files.dedup();
        let mut values: Vec<(SourcePath, Vec<Name>, String, String)> = Vec::new();
        for path in files {
            let base = self.text(&path);
            each_text(&path, &base, &mut |names, label, text| values.push((path.clone(), names, label, text)));
        }
        for (number, tag) in written.tags.iter().enumerate() {
            let (attribute, kind) = match tag.name.as_str() {
                "img" => ("src", "picture"),
                "a" => ("href", "derived"),
                _ => continue,
            };
            let is_in_markdown = tag.origin.as_ref().is_some_and(|origin| origin.path.below(TEMPLATES).is_none());
            let Some((_, written, leaf)) =
                tag.attributes.iter().find(|(name, ..)| name == attribute).filter(|_| !is_in_markdown)
            else {
                continue;
            };
            let shown = percent_decode_str(written).decode_utf8_lossy().into_owned();
            let sources = &self.sources;
            let is_it = |(path, _, _, text): &&(SourcePath, Vec<Name>, String, String)| match kind {
                "picture" => asset_of(path, text, sources).is_some_and(|asset| is_made_from(&shown, asset.name())),
                _ => text.len() > 1 && (shown == *text || shown.ends_with(text.as_str()) && text.starts_with('/')),
            };
            let nearest = |path: &SourcePath| {
                let of_file = self.values.iter().filter(|(_, other, _)| other == path);
                of_file.map(|(at, ..)| at.abs_diff(number)).min().unwrap_or(usize::MAX)
            };
            let value = values.iter().filter(is_it).min_by_key(|(path, ..)| nearest(path));
            let target = match (leaf, value) {
                (Some(leaf), _) => self.real(&leaf.path, leaf.span).and_then(|(path, span)| {
                    let base = self.text(&path);
                    let (names, label) = named_at(&path, &base, span.start)?;
                    Some(Target { path, base, spot: Spot::Value { names }, label })
                }),
                (None, Some((path, names, label, _))) => {
                    let base = self.text(path);
                    Some(Target {
                        path: path.clone(),
                        base,
                        spot: Spot::Value { names: names.clone() },
                        label: label.clone(),
                    })
                }
                _ => None,
            };
            match (target, &tag.origin) {
                (Some(target), _) => self.add(number, target, json!({ "kind": kind, "attribute": attribute })),
                (None, Some(origin)) => self.of_template(number, origin, json!({ "attribute": attribute })),
                (None, None) => {}
            }
            self.described(
                number,
                tag.attributes.iter().find(|(name, ..)| name == "alt").and_then(|(_, _, leaf)| leaf.clone()),
            );
        }
    }

    /// Adds the description of a picture that a value gives.
    fn described(&mut self, number: usize, leaf: Option<crate::content::marks::Leaf>) {
        let Some(leaf) = leaf else { return };
        let Some((path, span)) = self.real(&leaf.path, leaf.span) else { return };
        let base = self.text(&path);
        let Some((names, label)) = named_at(&path, &base, span.start) else { return };
        self.add(
            number,
            Target { path, base, spot: Spot::Value { names }, label },
            json!({ "kind": "derived", "attribute": "alt" }),
        );
    }

    /// Returns the forms of the files that the page shows: its own, and those of its values.
    fn forms(&mut self) -> Vec<Json> {
        let mut files: Vec<SourcePath> = vec![self.file_of_page()];
        let others = self.values.iter().map(|(_, path, _)| path.clone()).chain([self.page.source.clone()]);
        for path in others {
            if !files.contains(&path) && files.len() < MOST_FORMS {
                files.push(path);
            }
        }
        let mut forms = Vec::new();
        for path in files {
            let base = self.text(&path);
            let title = title_of(&path, &base);
            let target =
                Target { path: path.clone(), base, spot: Spot::Value { names: Vec::new() }, label: title.clone() };
            forms.push(json!({ "id": self.targets.add(target), "title": title, "file": path.as_str() }));
        }
        forms
    }
}

/// Returns the keys of the value at an offset of a file, and what it is called.
fn named_at(path: &SourcePath, text: &str, offset: usize) -> Option<(Vec<Name>, String)> {
    let file = File::of(path, text)?;
    let (names, _) = at_offset(&file, offset)?;
    let label = called(Some(&file), &names, None, &title_of(path, text));
    Some((names, label))
}

/// Calls a function with each single value of a file: its keys, what it is called, and its text.
fn each_text(path: &SourcePath, text: &str, visit: &mut dyn FnMut(Vec<Name>, String, String)) {
    let Some(file) = File::of(path, text) else { return };
    let title = title_of(path, text);
    let mut offsets = Vec::new();
    file.root().each(&mut Vec::new(), &mut |item, _, part| {
        if part == crate::edit::tree::Part::Value
            && let Some(scalar) = item.scalar().filter(|scalar| !scalar.text.is_empty())
        {
            offsets.push((item.span.start, scalar.text.clone()));
        }
    });
    for (offset, text) in offsets {
        if let Some((names, _)) = at_offset(&file, offset) {
            let label = called(Some(&file), &names, None, &title);
            visit(names, label, text);
        }
    }
}

/// Whether an address is that of a picture that was made from a file: `/assets/barley-480-1a2b3c4d.webp` from `barley.jpg`.
fn is_made_from(address: &str, name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let file = address.rsplit('/').next().unwrap_or(address);
    file.strip_prefix(stem).is_some_and(|rest| rest.starts_with(['-', '.']))
}

/// Returns the pages that a change changes.
pub fn changed(moment: &Moment, artifacts: Option<&Artifacts>, site: Option<&Site>) -> Json {
    let (Some(new), Some(old), Some(site)) = (artifacts, moment.artifacts, site) else { return json!([]) };
    let base = site.settings.base_path.as_str();
    let folder = if new.site.rules.host.serves_at_root() { base.trim_start_matches('/') } else { "" };
    // A page may have two files, and addresses that end in a slash.
    let page = |path: &str| -> Option<&Page> {
        let path = path.strip_prefix(folder)?.trim_start_matches('/');
        let name = path.strip_suffix("index.html").or_else(|| path.strip_suffix(".html"))?;
        let route = format!("/{name}");
        let short = route.trim_end_matches('/');
        [&route, short, &format!("{short}.html")].into_iter().find_map(|route| site.pages.at(route))
    };
    let mut pages: Vec<&Page> = Vec::new();
    for changed in new.differing(old).into_iter().filter_map(|path| page(path.as_str())) {
        if pages.len() < MOST_PAGES && !pages.iter().any(|page| page.route == changed.route) {
            pages.push(changed);
        }
    }
    let named = |page: &Page| {
        let title = site.keys(page).get("title").and_then(Node::text).unwrap_or(page.route.as_str()).to_owned();
        json!({ "address": format!("{base}{}", page.route), "title": title })
    };
    pages.into_iter().map(named).collect()
}

/// How many pages an answer names.
const MOST_PAGES: usize = 200;

/// Returns the address of the page that a file makes.
pub fn address_of(path: Option<&SourcePath>, site: Option<&Site>) -> Option<String> {
    let (path, site) = (path?, site?);
    let is_it =
        |page: &&Page| page.source == *path || page.made.as_ref().is_some_and(|made| made.entry.as_ref() == Some(path));
    let page = site.pages.iter().find(is_it)?;
    Some(format!("{}{}", site.settings.base_path, page.route))
}

/// Answers which pages there are, and what new ones can be made.
pub fn site(moment: &mut Moment, targets: &mut Targets) -> Json {
    let Some(site) = moment.site else { return json!({ "pages": [], "new": [] }) };
    let base = &site.settings.base_path;
    let pages = site.pages.iter().filter(|page| page.route.format().is_html() && !page.is_not_found()).map(|page| {
        let keys = site.keys(page);
        let title = keys.get("title").and_then(Node::text).unwrap_or(page.route.as_str());
        json!({ "address": format!("{base}{}", page.route), "title": title, "draft": page.outline.dates.draft })
    });
    let pages: Vec<Json> = pages.take(5_000).collect();
    let mut new = Vec::new();
    let mut offer = |label: String, kind: &str, folder: &str, like: Option<SourcePath>| {
        let spot = Spot::New { like: like.clone() };
        let target = Target { path: SourcePath::new(folder), base: Arc::from(""), spot, label: label.clone() };
        new.push(json!({ "id": targets.add(target), "label": label, "kind": kind, "like": like.map(|path| path.as_str().to_owned()) }));
    };
    for (name, collection) in &site.main().collections {
        let newest = collection.iter().filter(|entry| entry.listed.is_none()).max_by_key(|entry| {
            (entry.data.get("date").and_then(Node::text).unwrap_or_default().to_owned(), entry.source.clone())
        });
        if let Some(entry) = newest {
            offer(spoken(name), "entry", &format!("content/{name}"), Some(entry.source.clone()));
        }
    }
    let is_plain = |page: &&Page| {
        page.made.is_none()
            && page.view == 0
            && page.template == crate::content::DEFAULT_TEMPLATE
            && !page.is_not_found()
            && !page.route.is_home()
    };
    let like = site.pages.iter().find(is_plain).map(|page| page.source.clone());
    offer("Page".to_owned(), "page", "content/pages", like);
    json!({ "pages": pages, "new": new })
}

/// Returns the path and the text of a new file: as the one that is most like it, with its own title and without its text.
pub fn new_text(
    target: &Target,
    like: Option<&SourcePath>,
    create: &Create,
    moment: &mut Moment,
) -> Result<(SourcePath, String), Obstacle> {
    let title = create.title.trim();
    let name = slug::slugify(create.name.as_deref().filter(|name| !name.trim().is_empty()).unwrap_or(title));
    if title.is_empty() || name.is_empty() {
        return Err(refused(422, "Write a title first.").into());
    }
    let sources = moment.session.sources().cloned().unwrap_or_default();
    let extension = like.and_then(|like| like.extension()).unwrap_or("md");
    let path = SourcePath::new(format!("{}/{name}.{extension}", target.path));
    if sources.get(&path).is_some() {
        return Err(refused(422, format!("This name is taken by {path}. Choose another.")).into());
    }
    let mut text = like.and_then(|like| sources.text(like)).unwrap_or("---\ntitle: New\n---\n").to_owned();
    if let Ok(parts) = front_matter::split(&path, &text)
        && extension == "md"
    {
        text = format!("{}\nWrite the text here.\n", text[..parts.body_start].trim_end());
    }
    let today = moment.profile.today.to_string();
    let key =
        if value(&path, &text, "title").is_none() && value(&path, &text, "name").is_some() { "name" } else { "title" };
    for (key, new) in [
        (key, Some(title)),
        ("date", Some(today.as_str())),
        ("slug", None),
        ("path", None),
        ("aliases", None),
        ("publish", None),
        ("expires", None),
        ("updated", None),
        ("draft", None),
    ] {
        if value(&path, &text, key).is_none() {
            continue;
        }
        let file = File::of(&path, &text).ok_or_else(|| {
            refused(422, "The newest one, which this would be made like, has mistakes. Repair it first.")
        })?;
        let route = super::targets::route(&file, &[Name::Key(key.to_owned())]).unwrap_or_default();
        let edit = match new {
            Some(new) => file.replace(&route, &Value::Text(new.to_owned()))?,
            None => file.remove_key(&route)?,
        };
        text = edit.apply(&text);
    }
    if create.draft {
        text = insert::first_or_next(&path, &text, "draft", &Value::Bool(true))?.apply(&text);
    }
    Ok((path, text))
}

/// Whether a file has a key.
fn value(path: &SourcePath, text: &str, key: &str) -> Option<()> {
    let file = File::of(path, text)?;
    super::targets::route(&file, &[Name::Key(key.to_owned())]).map(drop)
}
