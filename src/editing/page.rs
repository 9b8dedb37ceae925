//! What of a page can be edited, and where: its texts, pictures and links, each with the value, the block or the line that wrote it.

use super::history::FileChange;
use super::names::{asset_of, called, parts_of, plain, spoken, title_of};
use super::requests::{Address, Create};
use super::targets::{Name, Spot, Target, Targets, at_offset};
use super::{Moment, Obstacle, Refused, refused};
use crate::artifacts::Artifacts;
use crate::artifacts::derived::Pictures;
use crate::content::languages::Languages;
use crate::content::marks::Leaf;
use crate::content::yaml::{Node, Value};
use crate::content::{Page, Site, front_matter};
use crate::diagnostics::{Diagnostic, Place, Position, Severity, Span};
use crate::edit::{File, blocks, insert};
use crate::ide::schemas::{FileSchemas, Part};
use crate::pages::trace::Origin;
use crate::pages::written::{Renderings, WrittenPage, WrittenTag, WrittenText};
use crate::paths::SourcePath;
use crate::serve::routing;
use crate::sources::{SourceKind, Sources};
use crate::templates::TEMPLATES;
use crate::tools::Tools as _;
use percent_encoding::percent_decode_str;
use serde_json::{Value as Json, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
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
    Address { address, elements }: &Address,
    moment: &mut Moment,
    targets: &mut Targets,
    renderings: &Renderings,
) -> Result<Json, Refused> {
    let faults = faults(moment, targets);
    let (Some(site), Some(artifacts)) = (moment.site, moment.artifacts) else {
        return Ok(json!({
            "address": address, "title": "The site has mistakes", "file": "", "draft": false,
            "tags": [], "parts": faults, "forms": [],
        }));
    };
    let page = page_at(site, address).ok_or_else(|| refused(404, "This is no page of the site."))?;
    let html = html_of(page, site, artifacts).ok_or_else(|| refused(404, "This is no page of the site."))?;
    let sources = moment.sources.clone();
    let languages = Languages::of(&sources, moment.session.tools().cache());
    let joined = languages.joined(&sources);
    let pictures = Pictures::new(site, &sources, moment.session.tools().cache());
    let written = crate::written(&sources, moment.profile, &**moment.session.tools(), (site, page), renderings)
        .unwrap_or_default();
    let tags: Vec<String> = crate::html::tokens(&html)
        .filter_map(|token| match token {
            crate::html::Token::Start(tag) => Some(tag.lower_name().into_owned()),
            _ => None,
        })
        .collect();
    let rendered: Vec<&str> = written.tags.iter().map(|tag| tag.name.as_str()).collect();
    let mut served = aligned(&rendered, &tags);
    // The browser adds elements, and so do islands.
    if let Some(elements) = elements {
        let elements: Vec<String> = elements.iter().map(|name| name.to_ascii_lowercase()).collect();
        let shown = aligned(&tags, &elements);
        served.iter_mut().for_each(|number| *number = number.and_then(|number| shown[number]));
    }
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
    parts.pictures_and_links(&written, &pictures);
    let mut all = std::mem::take(&mut parts.parts);
    all.extend(faults);
    let all = in_order(all);
    let forms = parts.forms();
    let file = parts.file_of_page();
    let text = parts.text(&file);
    let is_draft = page.outline.dates.draft;
    Ok(json!({
        "address": address, "title": title_of(&file, &text), "file": file.as_str(), "draft": is_draft,
        "tags": elements.is_none().then_some(tags), "parts": all, "forms": forms,
    }))
}

/// Names the pages that a change changes, in a sentence.
pub fn said(pages: &Json) -> String {
    let pages = pages.as_array().map_or(&[][..], Vec::as_slice);
    let name = |page: &Json| {
        let title = page["title"].as_str().filter(|title| !title.is_empty());
        title.or(page["address"].as_str()).unwrap_or_default().to_owned()
    };
    let names: Vec<String> = pages.iter().take(3).map(name).collect();
    match pages.len() - names.len() {
        _ if names.is_empty() => "Changes no published page.".to_owned(),
        0 => format!("Changes {}.", names.join(", ")),
        rest => format!("Changes {} and {rest} more.", names.join(", ")),
    }
}

/// Sorts parts as they stand on the page. Of those with the same text, the first is what a click finds: a value before a text that many
/// pages have, and what stands there as it is before what is computed. Each is there once.
fn in_order(mut parts: Vec<Json>) -> Vec<Json> {
    let number = |part: &Json, key: &str| part[key].as_u64();
    parts.sort_by_key(|part| {
        let start = number(part, "start");
        (number(part, "element"), number(part, "text"), part["all"] == true, start.is_none(), start)
    });
    let mut seen = BTreeSet::new();
    parts.retain(|part| {
        let key = |start: &Json| {
            let keys = ["element", "text", "attribute", "label", "place"].map(|key| &part[key]);
            format!("{keys:?} {start}")
        };
        let is_new = seen.insert(key(&part["start"])) && !seen.contains(&key(&Json::Bool(true)));
        if !part["start"].is_null() {
            seen.insert(key(&Json::Bool(true)));
        }
        is_new || !part["start"].is_null()
    });
    parts
}

/// Returns what is wrong in the content now as parts that are on no page: each opens the text that has to be repaired, as it is in the
/// file now.
fn faults(moment: &mut Moment, targets: &mut Targets) -> Vec<Json> {
    let sources = moment.session.sources().cloned().unwrap_or_default();
    let mut seen = Vec::new();
    let part = |fault: &Diagnostic| {
        let place = fault.place.as_ref().filter(|place| place.path.below("content").is_some())?;
        let (path, text) = (&place.path, sources.text(&place.path)?);
        let at = place.span.unwrap_or_default();
        let of_value = || {
            let file = File::of(path, text)?;
            let (names, _) = at_offset(&file, at.start)?;
            Some(Spot::Value { names })
        };
        let block =
            blocks::of(path, text).into_iter().find(|block| block.span.start <= at.start && at.start < block.span.end);
        let of_block = || {
            let block = block.filter(|_| path.extension() == Some("md"))?;
            Some(Spot::Block { span: block.span })
        };
        let spot = of_block().or_else(of_value).unwrap_or(Spot::Whole);
        let message = fault.problem.describe().message;
        let key = (path.clone(), spot.clone(), message.clone());
        if seen.contains(&key) {
            return None;
        }
        seen.push(key);
        let line = Position::of(text, at).map_or(1, |at| at.line);
        let label = match &spot {
            Spot::Value { names } => called(File::of(path, text).as_ref(), names, None, &title_of(path, text)),
            _ => format!("text of {}", title_of(path, text)),
        };
        let target = Target { path: path.clone(), base: Arc::from(text), spot, label };
        Some(json!({
            "element": null, "kind": "derived", "label": format!("To repair: {message}"),
            "place": format!("{path}:{line}"), "id": targets.add(target),
        }))
    };
    moment.faults.iter().filter_map(part).take(MOST_FAULTS).collect()
}

/// How many of them are shown.
const MOST_FAULTS: usize = 50;

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

/// Returns for each tag its number among others, which may be more: what has no partner in a longest common subsequence of the names has
/// none.
fn aligned<T: AsRef<str>>(tags: &[T], others: &[String]) -> Vec<Option<usize>> {
    let tags: Vec<&str> = tags.iter().map(AsRef::as_ref).collect();
    let others: Vec<&str> = others.iter().map(String::as_str).collect();
    let mut served = vec![None; tags.len()];
    for op in capture_diff_slices(Algorithm::Myers, &tags, &others) {
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
        let place = place.map_or_else(|| target.path.to_string(), |at| format!("{}:{}", target.path, at.line));
        let mut json =
            json!({ "element": element, "label": target.label, "place": place, "id": self.targets.add(target) });
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
            if let Some(target) = self.translated_block(&path, span, &label) {
                self.add(number, target, json!({ "kind": "markdown", "translate": true }));
            }
            let label = self.of_all_languages(&path, label);
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
            let range = |of: fn((usize, usize)) -> usize| text.range.map(of);
            self.values.push((text.element, path.clone(), names.clone()));
            for (number, (target, is_as_it_is)) in self.targets_of(path, names, label).into_iter().enumerate() {
                // What comes first is what a click on the text opens.
                let kind = if text.range.is_some() && is_as_it_is && number == 0 { "value" } else { "derived" };
                if let Spot::Value { names } = &target.spot {
                    self.values.push((text.element, target.path.clone(), names.clone()));
                }
                let is_translation = self.is_translation(&target.path, leaf);
                let part = match is_translation && number == 0 {
                    true => json!({ "kind": "derived", "text": text.child, "translate": true }),
                    false => {
                        json!({ "kind": kind, "text": text.child, "start": range(|(start, _)| start), "end": range(|(_, end)| end) })
                    }
                };
                self.add(text.element, target, part);
            }
        }
        let others: Vec<&WrittenText> = written.texts.iter().filter(|text| text.leaf.is_none()).collect();
        for text in others {
            let Some(origin) = &text.origin else { continue };
            if origin.path.below(TEMPLATES).is_none() {
                continue;
            }
            let is_hidden =
                written.tags.get(text.element).is_some_and(|tag| ["script", "style"].contains(&tag.name.as_str()));
            let mut targets = self.computed(origin, text.element);
            if targets.is_empty() {
                targets.extend(self.equal(&text.shown));
            }
            if targets.is_empty() && !is_hidden {
                self.of_template(text.element, origin, json!({ "text": text.child }));
            }
            for target in targets {
                self.add(text.element, target, json!({ "kind": "derived", "text": text.child }));
            }
        }
    }

    /// Adds a part that a template writes, with the line that has it.
    fn of_template(&mut self, element: usize, origin: &Origin, part: Json) {
        let Some(element) = self.served.get(element).copied().flatten() else { return };
        let text = self.text(&origin.path);
        let line = Position::of(&text, Span::at(origin.offset, 0)).map_or(1, |at| at.line);
        let mut json = json!({
            "id": null, "element": element, "kind": "template",
            "label": format!("Part of the template: {}:{line}", origin.path), "place": format!("{}:{line}", origin.path),
        });
        if let (Some(map), Json::Object(more)) = (json.as_object_mut(), part) {
            map.extend(more);
        }
        self.parts.push(json);
    }

    /// Returns what can be changed of a value, the most likely first, and whether the page may show it as it is: of a text that all
    /// pages of a collection have, the value of the entry that is in it; of one that is shown in the original, its translation.
    fn targets_of(&mut self, path: SourcePath, names: Vec<Name>, label: String) -> Vec<(Target, bool)> {
        let mut targets = Vec::new();
        let mut label = label;
        if self.page.made.is_some() && path == self.page.source {
            let text = self.scalar(&path, &names).unwrap_or_default();
            let inner = references(&text).into_iter().filter(|keys| keys[0] == "entry");
            let inner: Vec<Vec<String>> = inner.map(|keys| keys.into_iter().map(str::to_owned).collect()).collect();
            if let Some((path, names, label)) = inner.iter().find_map(|keys| self.resolved(keys)) {
                let is_all = text.trim().strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
                let is_all = is_all.is_some_and(|code| code.trim() == inner[0].join("."));
                let of_entry = self.targets_of(path, names, label).into_iter().take(1);
                targets.extend(of_entry.map(|(target, is_as_it_is)| (target, is_as_it_is && is_all)));
            }
            if !targets.is_empty() {
                label = format!("{label}, on all pages of this kind");
            }
        }
        let translation = self.translation(&path, &names, &label);
        let label = self.of_all_languages(&path, label);
        let base = self.text(&path);
        let target = translation.unwrap_or(Target { path, base, spot: Spot::Value { names }, label });
        targets.push((target, true));
        targets
    }

    /// Returns the text of a single value.
    fn scalar(&mut self, path: &SourcePath, names: &[Name]) -> Option<String> {
        let base = self.text(path);
        let file = File::of(path, &base)?;
        let item = file.root().at(&super::targets::route(&file, names)?)?;
        item.scalar().map(|scalar| scalar.text.clone())
    }

    /// Returns a path with the name of its language, if it has one.
    fn in_language<'p>(&'p self, path: &'p SourcePath) -> &'p SourcePath {
        self.joined.get_key_value(path).map_or(path, |(named, _)| named)
    }

    /// Whether a page in another language shows a file of the original.
    fn is_original(&self, path: &SourcePath) -> bool {
        let can_be_translated =
            [SourceKind::Page, SourceKind::Entry, SourceKind::Settings].contains(&SourceKind::of(path));
        // The file of a translation that is not there yet is no original.
        let is_there = self.sources.get(path).is_some();
        self.page.view != 0
            && is_there
            && can_be_translated
            && !self.site.view(self.page).language.has(self.in_language(path))
    }

    /// Whether a file is the translation of what the page shows.
    fn is_translation(&self, path: &SourcePath, leaf: &Leaf) -> bool {
        let shown = self.real(&leaf.path, leaf.span).map(|(shown, _)| shown);
        self.page.view != 0
            && shown.is_some_and(|shown| shown != *path && self.is_original(&shown))
            && !self.is_original(path)
    }

    /// Returns what a value is called whose change all languages without a translation show.
    fn of_all_languages(&self, path: &SourcePath, label: String) -> String {
        match self.is_original(path) {
            true => format!("{label} ({}, in all languages)", self.site.main().language.name),
            false => label,
        }
    }

    /// Returns where the translation of a value goes that the page shows in the original, as it has none.
    fn translation(&mut self, path: &SourcePath, names: &[Name], label: &str) -> Option<Target> {
        let language = self.site.view(self.page).language.clone();
        // An item of a list has no translation without the others.
        let is_alone = names.iter().all(|name| matches!(name, Name::Key(_)));
        if !self.is_original(path) || !is_alone {
            return None;
        }
        let path = language.translation_of(path);
        let base = self.text(&path);
        let label = format!("{label} in {}", language.name);
        Some(Target { path, base, spot: Spot::Value { names: names.to_vec() }, label })
    }

    /// Returns where the translation of a block goes that the page shows in the original, as it has no text of its own.
    fn translated_block(&mut self, original: &SourcePath, span: Span, label: &str) -> Option<Target> {
        if !self.is_original(original) {
            return None;
        }
        let language = self.site.view(self.page).language.clone();
        let path = language.translation_of(original);
        let (base, text) = (self.text(&path), self.text(original));
        let has_text = front_matter::split(&path, &base).is_ok_and(|parts| !parts.body.trim().is_empty());
        let label = format!("{label} in {}", language.name);
        let spot = Spot::Translated { original: original.clone(), text, span };
        (!has_text).then_some(Target { path, base, spot, label })
    }

    /// Returns the value that the code at a place of a template is about: `{{ page.date | date(format="long") }}`.
    fn computed(&mut self, origin: &Origin, element: usize) -> Vec<Target> {
        let text = self.text(&origin.path);
        let code = text.get(origin.offset..).and_then(|code| code.strip_prefix("{{"));
        let Some(code) = code.map(|code| code.trim_start_matches('-').trim_start()) else { return Vec::new() };
        let path = code.split(|letter: char| !(letter.is_alphanumeric() || "_.".contains(letter))).next();
        let keys: Vec<String> = path.unwrap_or_default().split('.').map(str::to_owned).collect();
        if keys.len() < 2 {
            return Vec::new();
        }
        match (is_root(&keys[0]), self.resolved(&keys)) {
            (_, Some((path, names, label))) => {
                self.targets_of(path, names, label).into_iter().map(|(target, _)| target).collect()
            }
            // A value of a loop: of what the nearest value on the page is in.
            (false, None) => self.beside(&keys[1..], element).into_iter().collect(),
            (true, None) => Vec::new(),
        }
    }

    /// Returns the value that a path of keys leads to from what a template has: its file, its keys there, and what it is called.
    fn resolved(&mut self, keys: &[String]) -> Option<(SourcePath, Vec<Name>, String)> {
        let (root, keys) = keys.split_first()?;
        let view = self.site.view(self.page);
        let down = |node: &Node| keys.iter().try_fold(node.clone(), |node, key| node.get(key).cloned());
        let entry = self.page.made.as_ref().and_then(|made| view.collection(&made.collection)?.nth(made.number?));
        let (path, node) = match root.as_str() {
            "page" => (self.page.source.clone(), down(&self.site.keys(self.page))?),
            "site" => (view.site_file.clone(), down(&view.data)?),
            "entry" => entry.and_then(|entry| Some((entry.source.clone(), down(&entry.data)?)))?,
            _ => return None,
        };
        let (path, span) = if node.span.end > 0 { self.real(&path, node.span)? } else { return None };
        let base = self.text(&path);
        let (names, label) = named_at(&path, &base, span.start)?;
        Some((path, names, label))
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
    fn beside(&mut self, keys: &[String], element: usize) -> Option<Target> {
        let nearest = self.values.iter().min_by_key(|(at, ..)| at.abs_diff(element)).cloned();
        let (_, path, names) = nearest.filter(|(at, ..)| at.abs_diff(element) < 12)?;
        let base = self.text(&path);
        let file = File::of(&path, &base)?;
        let (_, above) = names.split_last()?;
        let wanted: Vec<Name> = above.iter().cloned().chain(keys.iter().map(|key| Name::Key(key.clone()))).collect();
        let route = super::targets::route(&file, &wanted)?;
        let item = file.root().at(&route)?;
        item.scalar()?;
        let (names, label) = named_at(&path, &base, item.span.start)?;
        drop(file);
        Some(Target { path, base, spot: Spot::Value { names }, label })
    }

    /// Adds pictures and links whose values templates compute with.
    fn pictures_and_links(&mut self, written: &WrittenPage, pictures: &Pictures) {
        let mut files: Vec<SourcePath> = vec![self.file_of_page(), self.page.source.clone()];
        files.extend(self.values.iter().map(|(_, path, _)| path.clone()));
        files.sort();
        files.dedup();
        let mut values: Vec<(SourcePath, Vec<Name>, String, String)> = Vec::new();
        for path in files {
            let base = self.text(&path);
            each_text(&path, &base, &mut |names, label, text| values.push((path.clone(), names, label, text)));
        }
        let tags = &written.tags;
        for (number, tag) in tags.iter().enumerate() {
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
            let nearest = |path: &SourcePath| {
                let of_file = self.values.iter().filter(|(_, other, _)| other == path);
                of_file.map(|(at, ..)| at.abs_diff(number)).min().unwrap_or(usize::MAX)
            };
            let found = match (leaf, kind) {
                (Some(leaf), _) => self.at_leaf(leaf),
                (None, "picture") => match (pictures.asset_at(written), &tag.origin) {
                    (Some(asset), Some(origin)) => self.naming(&asset.source, origin, run_around(tags, number)),
                    _ => None,
                },
                _ => {
                    let shown = percent_decode_str(written).decode_utf8_lossy().into_owned();
                    let is_it = |text: &str| {
                        text.len() > 1 && (shown == *text || shown.ends_with(text) && text.starts_with('/'))
                    };
                    let equal = values.iter().filter(|(.., text)| is_it(text));
                    let value = equal.min_by_key(|(path, ..)| nearest(path));
                    value.map(|(path, names, label, _)| (path.clone(), names.clone(), label.clone()))
                }
            };
            let targets = found.map(|(path, names, label)| self.targets_of(path, names, label)).unwrap_or_default();
            if let (true, Some(origin)) = (targets.is_empty(), &tag.origin) {
                self.of_template(number, origin, json!({ "attribute": attribute }));
            }
            for (target, _) in targets {
                self.add(number, target, json!({ "kind": kind, "attribute": attribute }));
            }
            // The description of a picture that a value gives.
            let alt = tag.attributes.iter().find(|(name, ..)| name == "alt").and_then(|(_, _, leaf)| leaf.as_ref());
            if let Some((path, names, label)) = alt.and_then(|leaf| self.at_leaf(leaf)) {
                for (target, _) in self.targets_of(path, names, label) {
                    self.add(number, target, json!({ "kind": "derived", "attribute": "alt" }));
                }
            }
        }
    }

    fn at_leaf(&mut self, leaf: &Leaf) -> Option<(SourcePath, Vec<Name>, String)> {
        let (path, span) = self.real(&leaf.path, leaf.span)?;
        let base = self.text(&path);
        let (names, label) = named_at(&path, &base, span.start)?;
        Some((path, names, label))
    }

    /// Returns the value that names the picture of a tag. Several values may name the same picture: the code of the tag says which
    /// key it is, and the values that the same template has put around it say of what. Where that leaves two, there is none.
    fn naming(
        &mut self,
        asset: &SourcePath,
        origin: &Origin,
        run: Range<usize>,
    ) -> Option<(SourcePath, Vec<Name>, String)> {
        let template = self.text(&origin.path);
        let code = template.get(origin.offset..)?;
        let end = code.find(if code.starts_with("{{") { "}}" } else { ">" })?;
        // The other arguments are about the same thing, but they are not the picture.
        let argument = code[..end].split_once("path=").map(|(_, rest)| rest.trim_start());
        if argument.is_some_and(|argument| argument.starts_with(['"', '\''])) {
            return None;
        }
        let argument = argument.map(|rest| rest.split([',', ' ', ')', '|']).next().unwrap_or_default());
        let keys: Vec<Vec<String>> = references(argument.unwrap_or(&code[..end]))
            .into_iter()
            .map(|keys| keys.into_iter().map(str::to_owned).collect())
            .collect();
        for keys in &keys {
            let Some((path, names, label)) = self.resolved(keys) else { continue };
            let text = self.scalar(&path, &names).unwrap_or_default();
            // Behind a pattern is a value of the entry.
            let is_it = text.contains("{{") || asset_of(&path, &text, &self.sources).as_ref() == Some(asset);
            if is_it {
                return Some((path, names, label));
            }
        }
        let of_loops: Vec<&[String]> = keys.iter().filter(|keys| !is_root(&keys[0])).map(|keys| &keys[1..]).collect();
        let is_wanted = |names: &[Name]| {
            let ends = |keys: &&[String]| {
                let last = names.len().checked_sub(keys.len()).map(|start| &names[start..]);
                last.is_some_and(|last| last.iter().zip(*keys).all(|(name, key)| *name == Name::Key(key.clone())))
            };
            of_loops.is_empty() || of_loops.iter().any(ends)
        };
        let language = self.site.view(self.page).language.clone();
        let is_of_another = |path: &SourcePath| {
            let path = self.in_language(path);
            let mut others = self.languages.all().iter().filter(|other| other.tag != language.tag);
            others.any(|other| other.has(path)) && !language.has(path)
        };
        let mut all: Vec<(SourcePath, Vec<Name>, String)> = Vec::new();
        let kinds = [SourceKind::Page, SourceKind::Entry, SourceKind::Settings];
        for (path, source) in self.sources.of_all(&kinds).filter(|(path, _)| !is_of_another(path)) {
            let Some(text) = source.text().filter(|text| text.contains(asset.name())) else { continue };
            each_text(path, text, &mut |names, label, text| {
                if is_wanted(&names) && asset_of(path, &text, &self.sources).as_ref() == Some(asset) {
                    all.push((path.clone(), names, label));
                }
            });
        }
        if all.len() < 2 {
            return all.pop();
        }
        let is_in_same = |value: &(usize, SourcePath, Vec<Name>),
                          (path, names, _): &(SourcePath, Vec<Name>, String)| {
            let (_, other, keys) = value;
            let above = &names[..names.len().saturating_sub(1)];
            (path == other || language.translation_of(path) == *other) && keys.starts_with(above)
        };
        let values = self.values.iter().filter(|(at, ..)| run.contains(at));
        let mut owners = all.iter().filter(|each| values.clone().any(|value| is_in_same(value, each)));
        owners.next().filter(|_| owners.next().is_none()).cloned()
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
            forms.push(form_of(&path, base, self.targets));
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

/// Returns the tags around one that the same template has written, without any of another between them: one use of a component.
fn run_around(tags: &[WrittenTag], number: usize) -> Range<usize> {
    let path = |at: usize| tags.get(at).and_then(|tag| tag.origin.as_ref()).map(|origin| &origin.path);
    let is_same = |at: &usize| path(*at) == path(number);
    let start = (0..number).rev().take_while(is_same).last().unwrap_or(number);
    let end = (number..tags.len()).take_while(is_same).last().unwrap_or(number);
    start..end + 1
}

/// Whether a template has a name from the engine, and not from a loop or an argument.
fn is_root(name: &str) -> bool {
    ["page", "site", "entry"].contains(&name)
}

/// Returns the paths of keys in the code of a template, or in the codes of a text, in order: `entry.title`.
fn references(code: &str) -> Vec<Vec<&str>> {
    let mut all = Vec::new();
    for part in code.split(|letter: char| !(letter.is_alphanumeric() || "_.".contains(letter))) {
        let keys: Vec<&str> = part.split('.').collect();
        let is_name = |name: &&str| name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
        if keys.len() > 1 && keys.iter().all(is_name) {
            all.push(keys);
        }
    }
    all
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
    let mut pages: Vec<Json> = pages.take(5_000).collect();
    if !moment.profile.drafts {
        pages.extend(drafts(site, moment.sources, targets));
    }
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

/// Returns the drafts that the site is shown without: they have forms and no addresses.
fn drafts(site: &Site, sources: &Sources, targets: &mut Targets) -> Vec<Json> {
    let files = sources.of_all(&[SourceKind::Page, SourceKind::Entry]).filter_map(|(path, source)| {
        let text = source.text().filter(|text| text.contains("draft"))?;
        let file = File::of(path, text)?;
        let draft = file.root().at(&super::targets::route(&file, &[Name::Key("draft".to_owned())])?)?;
        let is_shown = |page: &Page| {
            page.source == *path || page.made.as_ref().is_some_and(|made| made.entry.as_ref() == Some(path))
        };
        let is_draft = draft.scalar().is_some_and(|scalar| scalar.text == "true") && !site.pages.iter().any(is_shown);
        is_draft.then_some((path, text))
    });
    let files: Vec<(&SourcePath, &str)> = files.take(500).collect();
    let form = |(path, text): (&SourcePath, &str)| {
        let form = form_of(path, Arc::from(text), targets);
        json!({ "address": path.as_str(), "title": form["title"], "draft": true, "form": form })
    };
    files.into_iter().map(form).collect()
}

/// Returns the form of a file, as the browser opens it.
pub fn form_of(path: &SourcePath, base: Arc<str>, targets: &mut Targets) -> Json {
    let title = title_of(path, &base);
    let target = Target { path: path.clone(), base, spot: Spot::Value { names: Vec::new() }, label: title.clone() };
    json!({ "id": targets.add(target), "title": title, "file": path.as_str() })
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
    let texts = [Likeness::Required, Likeness::Keys, Likeness::Names].map(|likeness| {
        let like = like.and_then(|like| sources.text(like)).unwrap_or("---\ntitle: New\n---\n");
        like_newest(&path, like, likeness, create, moment, &sources)
    });
    // A template may need a key that no schema requires, and a schema may want the name of something that exists.
    let mut first = None;
    for text in texts {
        let text = text?;
        let file = FileChange::new_text(&path, &text);
        let diagnostics = (moment.weigh)(super::checked(&[file], moment).diagnostics);
        if diagnostics.iter().all(|each| each.severity == Severity::Warning) {
            return Ok((path, text));
        }
        first.get_or_insert(text);
    }
    Ok((path, first.unwrap_or_default()))
}

/// How much a new file has of the newest one. Each has what the one before has.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Likeness {
    /// The keys that a schema requires; without a schema all.
    Required,
    /// All keys.
    Keys,
    /// Also values that are names: of a picture, of an entry, of a choice.
    Names,
}

/// Returns the text of a new file with keys that the newest one has, and no text of that.
fn like_newest(
    path: &SourcePath,
    newest: &str,
    likeness: Likeness,
    create: &Create,
    moment: &Moment,
    sources: &Sources,
) -> Result<String, Obstacle> {
    let file = File::of(path, newest)
        .ok_or_else(|| refused(422, "The newest one, which this would be made like, has mistakes. Repair it first."))?;
    let schemas = FileSchemas::of(path, newest, sources);
    let whole = parts_of(&schemas, path, &[]);
    let keys: Vec<&str> =
        file.root().entries().iter().filter_map(|(key, _)| Some(key.scalar()?.text.as_str())).collect();
    let title_key = if !keys.contains(&"title") && keys.contains(&"name") { "name" } else { "title" };
    let title = Value::Text(create.title.trim().to_owned());
    let mut values: Vec<(&str, Value)> = Vec::new();
    if !keys.contains(&title_key) {
        values.push((title_key, title.clone()));
    }
    for key in keys {
        let old = file.meaning().and_then(|node| node.get(key)).map(|node| &node.value);
        let is_name = |value: &&Value| matches!(value, Value::Text(text) if !text.contains(char::is_whitespace));
        let parts = parts_of(&schemas, path, &[Name::Key(key.to_owned())]);
        let is_wanted =
            parts.is_empty() || whole.iter().any(|part| part.requires(key)) || likeness > Likeness::Required;
        let value = match key {
            _ if key == title_key => Some(title.clone()),
            "date" => Some(Value::Text(moment.profile.today.to_string())),
            // Which template has the page is as with all others beside it.
            "template" => old.cloned(),
            "slug" | "path" | "aliases" | "publish" | "expires" | "updated" | "draft" => None,
            _ if !is_wanted => None,
            _ if likeness >= Likeness::Names && !old.is_some_and(|old| matches!(old, Value::Text(_))) => old.cloned(),
            _ if likeness >= Likeness::Names && old.as_ref().is_some_and(is_name) => old.cloned(),
            _ => placeholder(&parts, key, old),
        };
        values.extend(value.map(|value| (key, value)));
    }
    if create.draft {
        values.push(("draft", Value::Bool(true)));
    }
    let start = match path.extension() {
        Some("md") => "---\n---\n\nWrite the text here.\n",
        Some("json") => "{}\n",
        _ => "",
    };
    let mut text = start.to_owned();
    for (key, value) in &values {
        text = insert::first_or_next(path, &text, key, value)?.apply(&text);
    }
    Ok(text)
}

/// Returns what a key of a new file has until somebody writes it, in the type that it has in the newest one.
fn placeholder(parts: &[Part], key: &str, old: Option<&Value>) -> Option<Value> {
    let number = |name: &str| parts.iter().find_map(|part| part.json.get(name)?.as_i64());
    if let Some(first) = parts.iter().flat_map(|part| part.choices()).next() {
        return Some(super::fields::value_of(first));
    }
    match old? {
        Value::Text(_) => {
            let text = format!("Write the {} here", plain(key));
            let most = number("maxLength").and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
            Some(Value::Text(text.chars().take(most).collect()))
        }
        Value::Integer(_) | Value::Float(_) => Some(Value::Integer(number("minimum").unwrap_or(0))),
        Value::Bool(_) => Some(Value::Bool(false)),
        Value::List(_) => Some(Value::List(Vec::new())),
        Value::Map(_) | Value::Null => None,
    }
}
