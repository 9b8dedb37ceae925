//! Completions in Markdown: links, pictures, sections, components, wiki links.

use super::{Completion, CompletionKind};
use crate::Analysis;
use crate::rename::relative;
use crate::symbols::Symbol;
use crate::word_before;
use sitegen_content::web_address::scheme_of;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;

/// Returns what can be written at an offset of the body of a file.
pub fn complete(analysis: &Analysis, path: &SourcePath, text: &str, offset: usize) -> Vec<Completion> {
    let line = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line..offset];
    if let Some(at) = before.rfind("{%").filter(|at| !before[*at..].contains("%}")) {
        let written = before[at + 2..].trim_start();
        if written.starts_with('<') {
            return component_tag(analysis, written, offset, "> %}");
        }
        return Vec::new();
    }
    if let Some(at) = before.rfind("[[").filter(|at| !before[*at..].contains("]]")) {
        return wiki(analysis, Span { start: line + at + 2, end: offset });
    }
    // `[a]: /about`, and `<a href="/about">`
    if before.starts_with('[')
        && let Some((_, written)) = before.split_once("]:")
    {
        let written = written.trim_start();
        return address(analysis, path, Span { start: offset - written.len(), end: offset }, written);
    }
    if let Some(written) = attribute(before, "href") {
        return address(analysis, path, Span { start: offset - written.len(), end: offset }, written);
    }
    let Some(open) = before.rfind("](").filter(|at| !before[*at..].contains(')')) else { return Vec::new() };
    let typed = Span { start: line + open + 2, end: offset };
    let written = &text[typed.start..offset];
    if written.contains(char::is_whitespace) || scheme_of(written).is_some() {
        return Vec::new();
    }
    let label = before[..open].rfind('[').unwrap_or_default();
    let is_picture = before[..label].ends_with('!');
    if is_picture {
        return assets(analysis, path, typed, true);
    }
    address(analysis, path, typed, written)
}

/// Returns the value that is being written at the end of a text, of an attribute of HTML.
pub fn attribute<'t>(before: &'t str, name: &str) -> Option<&'t str> {
    let tag = before.rfind('<').filter(|at| !before[*at..].contains('>'))?;
    let rest = &before[tag..];
    let rest = &rest[rest.rfind(&format!(" {name}="))? + name.len() + 2..];
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    Some(&rest[1..]).filter(|written| !written.contains(quote))
}

/// Returns what an address may be that is being written.
pub fn address(analysis: &Analysis, path: &SourcePath, typed: Span, written: &str) -> Vec<Completion> {
    if written.contains(char::is_whitespace) || scheme_of(written).is_some() {
        return Vec::new();
    }
    if let Some((address, _)) = written.split_once('#') {
        return sections(analysis, path, address, typed);
    }
    // Where the way begins in another folder, files are named by it.
    if written.starts_with('.') {
        let own = path.key();
        let files = analysis.sources.of_all(&[SourceKind::Page, SourceKind::Entry, SourceKind::Asset]);
        let names =
            files.filter(|(file, _)| !file.has_language()).map(|(file, _)| relative(own.as_str(), file.as_str()));
        let names = names.map(|name| if written.starts_with("./") { format!("./{name}") } else { name });
        let near = names.filter(|name| name.starts_with(written) && !name.contains('['));
        let complete = |name: String| Completion::new(name, CompletionKind::File, typed);
        return near.take(super::MOST + 1).map(complete).collect();
    }
    let mut all = pages(analysis, path, written, typed);
    if !written.starts_with('/') {
        all.extend(assets(analysis, path, typed, false));
    }
    all
}

/// Returns the pages of the language of a file: by their addresses, or where none begins by their files.
pub fn pages(analysis: &Analysis, path: &SourcePath, written: &str, typed: Span) -> Vec<Completion> {
    let (Some(site), Some(view)) = (analysis.site, analysis.view_of(path)) else { return Vec::new() };
    // Of ten thousand pages those are listed whose address begins like that: the titles of the others are not read.
    let wanted = written.to_lowercase();
    let listed = site.pages.iter().filter(|page| page.is_listed() && page.view == view.number);
    // A link names a page by its address without the language, which the link adds.
    let address = |page: &sitegen_content::Page| {
        let route = page.route.as_str();
        let prefix = &view.language.prefix;
        let own =
            route.strip_prefix('/').and_then(|rest| rest.strip_prefix(prefix.as_str())).filter(|_| !prefix.is_empty());
        own.map_or(route, |rest| if rest.is_empty() { "/" } else { rest }).to_owned()
    };
    let near =
        listed.map(|page| (address(page), page)).filter(|(address, _)| address.to_lowercase().starts_with(&wanted));
    let completions = near.take(super::MOST + 1).map(|(address, page)| {
        let title = page.title.as_deref().map(str::to_owned);
        let title = title.or_else(|| site.keys(page).get("title").and_then(|title| title.text()).map(str::to_owned));
        Completion::new(address, CompletionKind::Page, typed).detail(title).rank(0)
    });
    completions.collect()
}

/// Returns the assets of a site and the files beside a text, each with its description.
pub fn assets(analysis: &Analysis, path: &SourcePath, typed: Span, only_pictures: bool) -> Vec<Completion> {
    let Some(view) = analysis.view_of(path) else { return Vec::new() };
    let folder = path.key();
    let folder = folder.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = |source: &SourcePath, is_beside: bool, name: &str| match is_beside {
        true => source.below(folder).map(str::to_owned),
        false => Some(name.to_owned()),
    };
    let all = view.assets.iter().filter(|asset| {
        let extension = asset.source.extension().unwrap_or_default().to_ascii_lowercase();
        !only_pictures || asset.picture.is_some() || extension == "svg"
    });
    let completions = all.filter_map(|asset| {
        let name = name(&asset.source, asset.is_beside(), asset.name())?;
        let alt = asset.description.as_ref().and_then(|description| description.alt.clone());
        let size = asset.header().and_then(Result::ok).map(|header| {
            let (width, height) = (header.width, header.height);
            format!("{width} × {height}")
        });
        let is_shown = asset.picture.is_some() || asset.source.extension() == Some("svg");
        let picture = is_shown.then(|| asset.source.clone());
        Some(Completion {
            picture,
            ..Completion::new(name, CompletionKind::File, typed).detail(size).documentation(alt)
        })
    });
    completions.take(super::MOST + 1).collect()
}

/// Returns the sections of the page that an address leads to.
pub fn sections(analysis: &Analysis, path: &SourcePath, address: &str, typed: Span) -> Vec<Completion> {
    let page = match address {
        "" => Some(path.key()),
        _ => analysis.target(path, address).and_then(|(symbol, _)| analysis.file_of(&symbol)),
    };
    let Some(page) = page else { return Vec::new() };
    let complete = |(id, title): (String, String)| {
        Completion::new(format!("{address}#{id}"), CompletionKind::Section, typed).detail(title)
    };
    analysis.sections(&page).into_iter().map(|(id, title, _)| complete((id, title))).collect()
}

fn wiki(analysis: &Analysis, typed: Span) -> Vec<Completion> {
    let Some(site) = analysis.site else { return Vec::new() };
    let pages = site.pages.iter().filter(|page| page.is_listed() && page.view == 0).take(2_000);
    let complete = |page: &sitegen_content::Page| {
        let title = site.keys(page).get("title").and_then(|title| title.text()).map(str::to_owned)?;
        Some(Completion::new(title, CompletionKind::Page, typed).detail(page.route.as_str().to_owned()))
    };
    pages.filter_map(complete).collect()
}

/// Completes the tag of a component, of which `written` begins with `<`: its name, or an argument.
pub fn component_tag(analysis: &Analysis, written: &str, offset: usize, end: &str) -> Vec<Completion> {
    let name: String =
        written[1..].chars().take_while(|letter| letter.is_alphanumeric() || "_-.".contains(*letter)).collect();
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    if name.len() + 1 == written.len() {
        let typed = Span { start: offset - name.len(), end: offset };
        let all = analysis.components();
        return all
            .into_iter()
            .map(|(name, component)| {
                let required = component.arguments.iter().filter(|argument| argument.is_required);
                let arguments: String = required
                    .enumerate()
                    .map(|(number, argument)| format!(" {}=\"${}\"", argument.name, number + 1))
                    .collect();
                Completion::new(&name, CompletionKind::Component, typed)
                    .detail(component.signature())
                    .documentation(component.comment)
                    .snippet(format!("{name}{arguments} {end}"))
            })
            .collect();
    }
    // Inside of a value nothing is known.
    if written.matches('"').count() % 2 == 1 {
        return Vec::new();
    }
    let typed = word_before(written, written.len(), is_part);
    let typed = Span { start: offset - (typed.end - typed.start), end: offset };
    let all = analysis.components();
    let Some((_, component)) = all.into_iter().find(|(each, _)| each.replace('-', "_") == name.replace('-', "_"))
    else {
        return Vec::new();
    };
    let is_new = |name: &str| !written.contains(&format!(" {name}="));
    let arguments = component.arguments.into_iter().filter(|argument| is_new(&argument.name));
    arguments
        .map(|argument| {
            let text = match argument.kind.as_deref() {
                None | Some("string") => format!("{}=\"$0\"", argument.name),
                Some(_) => format!("{}={{$0}}", argument.name),
            };
            Completion::new(&argument.name, CompletionKind::Argument, typed)
                .detail(argument.kind)
                .snippet(text)
                .rank(u8::from(!argument.is_required))
        })
        .collect()
}

impl Analysis<'_> {
    /// Returns the file of a page or an entry, or the one that has it.
    pub fn file_of(&self, symbol: &Symbol) -> Option<SourcePath> {
        match symbol {
            Symbol::Page(file) | Symbol::Section(file, _) => self.shown_in(file, file),
            Symbol::Asset(file) | Symbol::Template(file) => Some(file.clone()),
            Symbol::Entry(collection, slug) => {
                let entry = self.site?.views.iter().find_map(|view| view.collection(collection)?.get(slug))?;
                Some(entry.source.clone())
            }
            Symbol::Island(name) => self.island(name).cloned(),
            _ => None,
        }
    }
}
