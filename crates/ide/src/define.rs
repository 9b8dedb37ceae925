//! Where something is declared, and what pages show it.

use crate::symbols::{KeyOwner, Symbol};
use crate::{Analysis, Target};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;
use sitegen_templates::TEMPLATES;

impl Analysis<'_> {
    /// Returns where the thing at an offset is declared.
    pub fn definition(&self, path: &SourcePath, offset: usize) -> Vec<Target> {
        let Some(occurrence) = self.symbol_at(path, offset) else { return Vec::new() };
        if let Symbol::Key(owner, keys) = &occurrence.symbol {
            return self.key(path, occurrence.span, owner, keys);
        }
        if let Symbol::Page(page) = &occurrence.symbol {
            let file = self.shown_in(path, page);
            return file.map(|file| Target { file, span: Span::default() }).into_iter().collect();
        }
        if let Symbol::Section(page, id) = &occurrence.symbol {
            let file = self.shown_in(path, page).unwrap_or_else(|| page.clone());
            return self.section(&file, id).or_else(|| self.section(page, id)).into_iter().collect();
        }
        // From the block of a template to the same one of the template that it extends.
        let mut all = self.define(&occurrence.symbol);
        if occurrence.declares && all.len() > 1 {
            all.retain(|target| target.file != *path || target.span != occurrence.span);
        }
        all
    }

    /// Returns where something is declared.
    pub(crate) fn define(&self, symbol: &Symbol) -> Vec<Target> {
        let file = |file: SourcePath| vec![Target { file, span: Span::default() }];
        match symbol {
            Symbol::Page(page) => self.shown_in(page, page).map(file).unwrap_or_default(),
            Symbol::Asset(path) | Symbol::Template(path) => {
                if self.sources.get(path).is_some() {
                    file(path.clone())
                } else {
                    Vec::new()
                }
            }
            Symbol::Section(page, id) => self.section(page, id).into_iter().collect(),
            Symbol::Variable(path, at, name) => {
                vec![Target { file: path.clone(), span: Span::at(*at, name.len()) }]
            }
            Symbol::Entry(collection, slug) => {
                let entry = self.site.and_then(|site| site.main().collection(collection)?.get(slug));
                // Of an entry in one language only.
                let elsewhere = || self.site?.views.iter().find_map(|view| view.collection(collection)?.get(slug));
                let entry = entry.or_else(elsewhere);
                let target = |entry: &sitegen_content::collections::Entry| {
                    let span = entry.listed.as_ref().map(|listed| listed.span).unwrap_or_default();
                    Target { file: entry.source.clone(), span }
                };
                entry.map(target).into_iter().collect()
            }
            Symbol::Collection(name) => {
                let entry = self.site.and_then(|site| site.main().collection(name)?.iter().next());
                entry.map(|entry| Target { file: entry.source.clone(), span: Span::default() }).into_iter().collect()
            }
            Symbol::Island(name) => self.island(name).map(|path| file(path.clone())).unwrap_or_default(),
            Symbol::Component(name) => {
                let component = self.component(name);
                component.map(|component| Target { file: component.file, span: component.span }).into_iter().collect()
            }
            Symbol::Argument(..) | Symbol::Block(_) | Symbol::Class(_) | Symbol::Property(_) => {
                let kinds: &[SourceKind] = match symbol {
                    Symbol::Argument(..) | Symbol::Block(_) => &[SourceKind::Template],
                    _ => &[SourceKind::Style, SourceKind::Island, SourceKind::Template],
                };
                let word = symbol.word();
                let files = self
                    .sources
                    .of_all(kinds)
                    .filter(|(_, source)| source.text().is_some_and(|text| text.contains(word)));
                let all = files.flat_map(|(path, _)| {
                    let declared =
                        self.occurrences(path).into_iter().filter(|each| each.declares && each.symbol == *symbol);
                    declared.map(|each| Target { file: path.clone(), span: each.span }).collect::<Vec<_>>()
                });
                all.take(50).collect()
            }
            Symbol::Key(..) | Symbol::Callable(..) => Vec::new(),
        }
    }

    fn section(&self, page: &SourcePath, id: &str) -> Option<Target> {
        let found = self.sections(page).into_iter().find(|(other, _, _)| other == id);
        found.map(|(_, _, span)| Target { file: page.clone(), span })
    }

    /// Returns where the value of a reference is written; of a key that is written here, where a schema describes it.
    fn key(&self, path: &SourcePath, span: Span, owner: &KeyOwner, keys: &[String]) -> Vec<Target> {
        let text = self.sources.text(path).unwrap_or_default();
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let start = crate::word_before(text, span.start, is_part).start;
        let names: Vec<&str> = text.get(start..span.end).unwrap_or_default().split('.').collect();
        let is_reference = names.len() > 1;
        if let Some(found) = is_reference.then(|| self.value(path, &names)).flatten() {
            let text = self.sources.text(found.file).unwrap_or_default();
            // The text of a translation has its original behind it.
            if found.node.span.end <= text.len() {
                let target = self.key_before(found.file, text, found.node.span).unwrap_or(found.node.span);
                return vec![Target { file: found.file.clone(), span: target }];
            }
        }
        let owner = &self.some_pages(owner, keys);
        let name = match owner {
            KeyOwner::Site => "site",
            KeyOwner::Entries(name) | KeyOwner::Pages(name) => name,
            KeyOwner::AnyPages | KeyOwner::Unknown => return Vec::new(),
        };
        let Some(file) = self.schema_file(name) else { return Vec::new() };
        let wanted = Symbol::Key(owner.clone(), keys.to_vec());
        let declared = self.occurrences(&file).into_iter().filter(|each| each.symbol == wanted);
        declared.map(|each| Target { file: file.clone(), span: each.span }).collect()
    }

    /// Returns in the place of pages of any template those of the first that has a key.
    pub(crate) fn some_pages(&self, owner: &KeyOwner, keys: &[String]) -> KeyOwner {
        let site = self.site.filter(|_| *owner == KeyOwner::AnyPages);
        let mut pages = site.into_iter().flat_map(|site| site.pages.iter());
        let has_key = |page: &&sitegen_content::Page| {
            let all = site.map(|site| site.keys(page));
            all.is_some_and(|all| keys.iter().try_fold(&all, |node, key| node.get(key)).is_some())
        };
        let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
        pages.find(has_key).map_or_else(|| owner.clone(), |page| KeyOwner::Pages(stem(&page.template)))
    }

    /// Returns the key of a value.
    fn key_before(&self, path: &SourcePath, text: &str, value: Span) -> Option<Span> {
        let file = sitegen_edit::File::of(path, text)?;
        let mut last = None;
        file.root().each(&mut Vec::new(), &mut |item, _, part| {
            if part == sitegen_edit::tree::Part::Key && item.span.start <= value.start {
                last = Some(item.span);
            }
        });
        last
    }

    /// Returns the addresses of the pages on which an editor sees what a file says: of a page its own, of an entry those that are
    /// made from it, of a template those that it renders.
    pub fn pages_of_file(&self, path: &SourcePath) -> Vec<String> {
        let Some(site) = self.site else { return Vec::new() };
        let pages = site.pages.iter().filter(|page| {
            let entry =
                || page.made.as_ref().and_then(|made| site.view(page).collection(&made.collection)?.nth(made.number?));
            let is_template = || path.below(TEMPLATES).is_some_and(|name| page.template == name);
            page.source == *path || is_template() || entry().is_some_and(|entry| entry.source == *path)
        });
        pages.map(|page| page.route.as_str().to_owned()).take(100).collect()
    }
}

impl Analysis<'_> {
    /// Returns the address of the page that shows a place of a file, from the root of the site, at the section of the place. A file
    /// that no page is made from has none.
    pub fn address_of_place(&self, path: &SourcePath, offset: usize) -> Option<String> {
        let route = self.pages_of_file(path).into_iter().next()?;
        let route = sitegen_core::paths::percent_encoded(&route).into_owned();
        let sections = self.sections(path);
        let section = sections.iter().take_while(|(_, _, span)| span.start <= offset).last();
        Some(match section {
            Some((id, _, _)) => format!("{route}#{}", sitegen_core::paths::percent_encoded(id)),
            None => route,
        })
    }
}

impl Analysis<'_> {
    /// Returns where a text of a page is written, by its first words: in the file of the page, in the entry that it is about, or
    /// elsewhere in content and templates.
    pub fn place_of_text(&self, route: &str, text: &str) -> Option<Target> {
        let words: Vec<String> = words(text).take(8).map(|(_, word)| word.to_lowercase()).collect();
        let site = self.site?;
        let page = site.pages.at(route)?;
        let made = page.made.as_ref();
        let entry = made.and_then(|made| site.view(page).collection(&made.collection)?.nth(made.number?));
        let near = entry.map(|entry| entry.source.clone()).into_iter().chain([page.source.clone()]);
        let template = SourcePath::new(format!("{}/{}", sitegen_templates::TEMPLATES, page.template));
        let near = near.chain([site.view(page).site_file.clone(), template]).collect::<Vec<_>>();
        let kinds = [SourceKind::Settings, SourceKind::Entry, SourceKind::Page, SourceKind::Template];
        let others = self.sources.of_all(&kinds).map(|(path, _)| path.clone());
        // One word alone is somewhere in every file.
        let is_telling = words.len() > 1;
        let all = near.iter().cloned().chain(others.filter(|_| is_telling));
        let find = |file: SourcePath| {
            let text = self.sources.text(&file)?;
            Some(Target { span: phrase(text, &words)?, file })
        };
        let start = |file: SourcePath| self.sources.get(&file).map(|_| Target { span: Span::default(), file });
        all.into_iter().find_map(find).or_else(|| near.into_iter().find_map(start))
    }
}

/// Returns the words of a text with their offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| (crate::symbols::offset_in(text, word), word))
}

/// Finds words that follow each other with nothing but signs between them: as many of the first ones as there are before a mark of
/// the file, such as a reference, stands in between, but more than half of them.
fn phrase(text: &str, wanted: &[String]) -> Option<Span> {
    let all: Vec<(usize, &str)> = words(text).collect();
    let mut best: Option<(usize, Span)> = None;
    for start in 0..all.len() {
        let same =
            wanted.iter().zip(&all[start..]).take_while(|(wanted, (_, word))| word.to_lowercase() == **wanted).count();
        if same > best.map_or(0, |(most, _)| most) {
            let (last, word) = all[start + same - 1];
            best = Some((same, Span { start: all[start].0, end: last + word.len() }));
        }
    }
    best.filter(|(same, _)| same * 2 > wanted.len()).map(|(_, span)| span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_through_its_markup() {
        let find = |text: &str, said: &str| {
            let wanted: Vec<String> = words(said).map(|(_, word)| word.to_lowercase()).collect();
            phrase(text, &wanted).map(|span| text[span.start..span.end].to_owned())
        };
        assert_eq!(find("a\n\nWe *bake* **rye** bread.\n", "We bake rye").as_deref(), Some("We *bake* **rye"));
        assert_eq!(find("Write to {{ site.email }} now", "Write to a@b.test now").as_deref(), None);
        assert_eq!(
            find("Come and write to {{ site.email }}", "Come and write to a@b.test").as_deref(),
            Some("Come and write to")
        );
        assert_eq!(find("nothing", "We bake"), None);
    }
}
