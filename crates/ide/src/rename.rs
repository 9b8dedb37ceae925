//! Changes of a name everywhere: what is declared, what uses it, and for what has an address a redirect from the old one.

use crate::Analysis;
use crate::symbols::{KeyOwner, Occurrence, Symbol};
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Node, Value};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::{SourcePath, joined};
use sitegen_core::sources::SourceKind;
use sitegen_edit::File;
use sitegen_edit::insert::first_or_next;
use sitegen_edit::tree::{Data, Item};

/// A change of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// Bytes of a file, and the text in their place.
    Edit {
        /// The file, under the name that it has before all changes.
        file: SourcePath,
        /// The bytes; none where text is inserted.
        span: Span,
        /// The text.
        text: String,
    },
    /// A file with another name.
    Move {
        /// The name that it has.
        from: SourcePath,
        /// The name that it gets.
        to: SourcePath,
    },
}

/// Why something is not renamed, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

/// The most places that a rename changes.
const MOST: usize = 50_000;

fn refused<T>(reason: &str) -> Result<T, Refused> {
    Err(Refused(reason.to_owned()))
}

impl Analysis<'_> {
    /// Returns the bytes of the name at an offset and the name, if it can be changed. Of a page it is the address.
    pub fn renameable(&self, path: &SourcePath, offset: usize) -> Option<(Span, String)> {
        let occurrence = self.symbol_at(path, offset)?;
        let text = self.sources.text(path)?;
        let written = text.get(occurrence.span.start..occurrence.span.end)?.to_owned();
        let name = match &occurrence.symbol {
            Symbol::Callable(..) | Symbol::Collection(_) | Symbol::Section(..) => return None,
            Symbol::Key(owner, keys) => {
                if self.is_of_engine(owner, keys) {
                    return None;
                }
                written
            }
            Symbol::Page(file) => self.address(file)?,
            Symbol::Entry(_, slug) => slug.clone(),
            Symbol::Asset(file) | Symbol::Template(file) => file.name().to_owned(),
            _ => written,
        };
        Some((occurrence.span, name))
    }

    /// Gives the thing at an offset another name.
    pub fn rename(&self, path: &SourcePath, offset: usize, name: &str) -> Result<Vec<FileChange>, Refused> {
        let Some(occurrence) = self.symbol_at(path, offset) else { return refused("there is nothing to rename here") };
        if self.renameable(path, offset).is_none() {
            return refused("the name of this is fixed");
        }
        let is_word = |name: &str| {
            !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
        };
        match &occurrence.symbol {
            Symbol::Page(file) => {
                let Some(route) = name.strip_prefix('/').filter(|route| !route.is_empty() && !route.ends_with('/'))
                else {
                    return refused("write the new address of the page, like /about");
                };
                let extension = file.extension().unwrap_or("md");
                self.moved(file, &SourcePath::new(format!("content/pages/{route}.{extension}")))
            }
            Symbol::Entry(_, slug) => {
                let Some(file) = self.file_of(&occurrence.symbol) else {
                    return refused("the entry could not be read");
                };
                if !is_word(name) {
                    return refused("the name of an entry has letters, digits, `-` and `_`");
                }
                let file = file.key();
                if SourceKind::is_list(&file) {
                    return refused("the entry is one of several in a file; change its name there");
                }
                self.moved(
                    &file,
                    &SourcePath::new(file.as_str().replacen(&format!("/{slug}."), &format!("/{name}."), 1)),
                )
            }
            Symbol::Asset(file) | Symbol::Template(file) => {
                if name.contains(['/', '\\']) || !name.contains('.') {
                    return refused("write the new name of the file, with its ending");
                }
                let folder = file.as_str().strip_suffix(file.name()).unwrap_or_default();
                self.moved(file, &SourcePath::new(format!("{folder}{name}")))
            }
            Symbol::Island(_) => {
                let Some(file) = self.file_of(&occurrence.symbol) else { return refused("the island has no file") };
                let extension = file.extension().unwrap_or("tsx");
                self.moved(&file, &SourcePath::new(format!("islands/{name}.{extension}")))
            }
            Symbol::Property(_) if !name.starts_with("--") => refused("a custom property begins with `--`"),
            Symbol::Property(_) if is_word(name) => Ok(self.replaced(&occurrence.symbol, name)),
            _ if !is_word(name) => refused("a name has letters, digits, `-` and `_`"),
            symbol => Ok(self.replaced(symbol, name)),
        }
    }

    fn replaced(&self, symbol: &Symbol, name: &str) -> Vec<FileChange> {
        let all = self.references(symbol, MOST).into_iter();
        all.map(|(file, each)| FileChange::Edit { file, span: each.span, text: name.to_owned() }).collect()
    }

    /// Whether the engine reads a key.
    fn is_of_engine(&self, owner: &KeyOwner, keys: &[String]) -> bool {
        let schema = match owner {
            KeyOwner::Site => sitegen_content::schema::SITE,
            KeyOwner::Entries(_) => sitegen_content::schema::ENTRY,
            KeyOwner::Pages(_) => sitegen_content::schema::PAGE,
        };
        let json: serde_json::Value = serde_json::from_str(schema).unwrap_or_default();
        let first = keys.first().map_or("", String::as_str);
        json.get("properties").and_then(|properties| properties.get(first)).is_some()
    }

    /// Returns the address of a page, as links in the language of the site write it.
    fn address(&self, file: &SourcePath) -> Option<String> {
        let site = self.site?;
        let routes = site.pages.order().routes_of(0);
        routes.get(file).map(|route| route.as_str().to_owned())
    }

    /// Returns what changes elsewhere when a file gets another name, with the moves of the file and of those that belong to it:
    /// its translations, and the description of a picture.
    pub fn moved(&self, from: &SourcePath, to: &SourcePath) -> Result<Vec<FileChange>, Refused> {
        if self.sources.get(to).is_some() {
            return refused("there is a file of that name");
        }
        let mut changes = Vec::new();
        for (file, target) in self.with_others(from, to) {
            changes.push(FileChange::Move { from: file, to: target });
        }
        changes.extend(self.consequences(from, to)?);
        Ok(changes)
    }

    /// Returns the edits of other files, and of the file itself its old address as an alias.
    pub fn consequences(&self, from: &SourcePath, to: &SourcePath) -> Result<Vec<FileChange>, Refused> {
        let symbol = match SourceKind::of(from) {
            SourceKind::Page => Symbol::Page(from.key()),
            SourceKind::Entry => {
                let collection =
                    sitegen_content::collections::collection_of(&from.key()).unwrap_or_default().to_owned();
                Symbol::Entry(collection, sitegen_content::collections::slug_of(&from.key()).to_owned())
            }
            SourceKind::Asset => Symbol::Asset(from.clone()),
            SourceKind::Template => Symbol::Template(from.clone()),
            SourceKind::Island => Symbol::Island(from.stem().to_owned()),
            _ => return Ok(Vec::new()),
        };
        let (old, new) = (self.address_of(&symbol), self.address_at(from, to, &symbol));
        let mut changes = Vec::new();
        for (file, each) in self.references(&symbol, MOST) {
            let source = self.sources.text(&file).unwrap_or_default();
            let Some(written) = source.get(each.span.start..each.span.end) else { continue };
            let own = file.key();
            let text = match &symbol {
                Symbol::Page(_) | Symbol::Entry(..) if written.starts_with('/') => {
                    new.clone().unwrap_or_else(|| written.to_owned())
                }
                Symbol::Page(_) | Symbol::Asset(_) | Symbol::Entry(..)
                    if joined(own.as_str(), written).as_deref() == Some(from.as_str()) =>
                {
                    relative(own.as_str(), to.as_str())
                }
                Symbol::Entry(..) => to.stem().to_owned(),
                Symbol::Asset(_) => to.below("content/assets").unwrap_or(to.name()).to_owned(),
                Symbol::Template(_) => to.below("templates").unwrap_or(to.name()).to_owned(),
                Symbol::Island(_) => to.stem().to_owned(),
                _ => continue,
            };
            // A template reads `a-b` as a sum.
            let is_name = text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
                && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
            let before = each.span.start.checked_sub(1);
            let dot = before.filter(|at| {
                SourceKind::of(&file) == SourceKind::Template && source.as_bytes().get(*at) == Some(&b'.')
            });
            let (span, text) = match dot {
                Some(start) if !is_name => (Span { start, end: each.span.end }, format!("[\"{text}\"]")),
                _ => (each.span, text),
            };
            if text != written {
                changes.push(FileChange::Edit { file, span, text });
            }
        }
        changes.extend(self.own_links(from, to));
        if let (Some(old), Some(new)) = (old, new)
            && old != new
        {
            changes.extend(self.alias(from, &old));
        }
        Ok(changes)
    }

    /// Returns the edits of the links in a file that moves to another folder: those that say how to get there from its own.
    fn own_links(&self, from: &SourcePath, to: &SourcePath) -> Vec<FileChange> {
        let folder = |path: &SourcePath| path.as_str().rsplit_once('/').map(|(folder, _)| folder.to_owned());
        if folder(from) == folder(to) {
            return Vec::new();
        }
        let text = self.sources.text(from).unwrap_or_default();
        let moved = |each: Occurrence| {
            let written = text.get(each.span.start..each.span.end)?;
            let is_of_file = matches!(each.symbol, Symbol::Page(_) | Symbol::Entry(..) | Symbol::Asset(_));
            let target = joined(from.key().as_str(), written).filter(|_| is_of_file && !written.starts_with('/'))?;
            self.sources.get(&SourcePath::new(&target))?;
            let text = relative(to.key().as_str(), &target);
            (text != written).then(|| FileChange::Edit { file: from.clone(), span: each.span, text })
        };
        self.occurrences(from).into_iter().filter_map(moved).collect()
    }

    fn address_of(&self, symbol: &Symbol) -> Option<String> {
        let site = self.site?;
        match symbol {
            Symbol::Page(file) => self.address(file),
            Symbol::Entry(collection, slug) => {
                let of = |page: &&sitegen_content::Page| {
                    let made = page.made.as_ref();
                    let entry = made
                        .filter(|made| made.collection == *collection)
                        .and_then(|made| site.main().collection(collection)?.nth(made.number?));
                    page.view == 0 && entry.is_some_and(|entry| entry.slug == *slug)
                };
                site.pages.iter().find(of).map(|page| page.route.as_str().to_owned())
            }
            _ => None,
        }
    }

    /// Returns the address that something has under another file name.
    fn address_at(&self, from: &SourcePath, to: &SourcePath, symbol: &Symbol) -> Option<String> {
        let old = self.address_of(symbol)?;
        match symbol {
            Symbol::Page(_) => {
                let path = to.below("content/pages")?.rsplit_once('.')?.0;
                let path = path.strip_suffix("/index").unwrap_or(if path == "index" { "" } else { path });
                Some(format!("/{path}"))
            }
            Symbol::Entry(..) => {
                Some(old.strip_suffix(from.stem()).map_or(old.clone(), |start| format!("{start}{}", to.stem())))
            }
            _ => None,
        }
    }

    /// Adds an address to the aliases of a page or an entry, so that it leads there.
    fn alias(&self, file: &SourcePath, old: &str) -> Option<FileChange> {
        let (path, source) = self.sources.get_key_value(file)?;
        let text = source.text()?;
        let value = || Value::Text(old.to_owned());
        let entries = File::of(path, text);
        let aliases = entries.as_ref().and_then(|file| {
            let of_name = |(key, _): &&(Item, Item)| key.scalar().is_some_and(|key| key.text == "aliases");
            file.root().entries().iter().find(of_name).map(|(_, value)| value)
        });
        if let Some(aliases) = aliases {
            return another(path, text, aliases, old).map(|(span, text)| FileChange::Edit {
                file: path.clone(),
                span,
                text,
            });
        }
        let list = Value::List(vec![Node { value: value(), span: Span::default() }]);
        let single = || first_or_next(path, text, "aliases", &value());
        let edit = first_or_next(path, text, "aliases", &list).or_else(|_| single()).ok()?;
        Some(FileChange::Edit { file: path.clone(), span: edit.span, text: edit.text })
    }

    /// Returns a file and those that belong to it, each with its new name.
    fn with_others(&self, from: &SourcePath, to: &SourcePath) -> Vec<(SourcePath, SourcePath)> {
        let mut all = vec![(from.clone(), to.clone())];
        let folder = from.as_str().rsplit_once('/').map_or("", |(folder, _)| folder);
        let (old, new) = match SourceKind::of(from) {
            SourceKind::Asset => (from.as_str().to_owned(), to.as_str().to_owned()),
            _ => (stem(from), stem(to)),
        };
        for (path, _) in self.sources.below(folder) {
            let is_other = path != from && path.key() == *from
                || SourceKind::of(from) == SourceKind::Asset
                    && path
                        .as_str()
                        .strip_prefix(&old)
                        .is_some_and(|rest| rest.starts_with('.') && rest.ends_with(".yaml"));
            if is_other && let Some(rest) = path.as_str().strip_prefix(&old) {
                all.push((path.clone(), SourcePath::new(format!("{new}{rest}"))));
            }
        }
        all
    }
}

/// Adds an address to those that a file has already. `None` if the result would not be a list with one more.
fn another(path: &SourcePath, text: &str, aliases: &Item, old: &str) -> Option<(Span, String)> {
    let is_yaml = Syntax::of(path, text) == Syntax::Yaml;
    let written = if is_yaml { old.to_owned() } else { format!("\"{old}\"") };
    let (count, (span, new)) = match &aliases.data {
        Data::List { items, is_flow } => {
            let end = items.last()?.span.end;
            let start = text[..end].rfind('\n').map_or(0, |at| at + 1);
            let line = &text[start..];
            let indent = &line[..line.len() - line.trim_start_matches(' ').len()];
            let new = if *is_flow { format!(", {written}") } else { format!("\n{indent}- {written}") };
            (items.len(), (Span::at(end, 0), new))
        }
        Data::Scalar(_) => {
            let own = text.get(aliases.span.start..aliases.span.end)?;
            (1, (aliases.span, format!("[{own}, {written}]")))
        }
        _ => return None,
    };
    let edited = format!("{}{new}{}", &text[..span.start], &text[span.end..]);
    let file = File::of(path, &edited)?;
    let of_name = |(key, _): &&(Item, Item)| key.scalar().is_some_and(|key| key.text == "aliases");
    let (_, value) = file.root().entries().iter().find(of_name)?;
    let Data::List { items, .. } = &value.data else { return None };
    let is_last = items.last()?.scalar()?.text == old;
    (is_last && items.len() == count + 1).then_some((span, new))
}

/// Returns the path of a file without its last ending.
fn stem(path: &SourcePath) -> String {
    let path = path.as_str();
    path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned()
}

/// Returns the path to a file from another one.
fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let common = from.iter().zip(&to).take(from.len() - 1).take_while(|(a, b)| a == b).count();
    let up = from.len() - 1 - common;
    let parts = std::iter::repeat_n("..", up).chain(to[common..].iter().copied());
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_address_joins_those_that_are_there() {
        let add = |text: &str| {
            let path = SourcePath::new("content/pages/a.md");
            let file = File::of(&path, text).unwrap();
            let (_, aliases) = &file.root().entries()[1];
            let (span, new) = another(&path, text, aliases, "/old").unwrap();
            format!("{}{new}{}", &text[..span.start], &text[span.end..])
        };
        for (before, after) in [
            ("aliases: /first", "aliases: [/first, /old]"),
            ("aliases: [/first]  # moved", "aliases: [/first, /old]  # moved"),
            ("aliases:\n  - /first", "aliases:\n  - /first\n  - /old"),
            ("aliases:\n- /first\n- '/second'", "aliases:\n- /first\n- '/second'\n- /old"),
        ] {
            let text = |aliases: &str| format!("---\ntitle: A\n{aliases}\ndraft: false\n---\n\nText.\n");
            assert_eq!(add(&text(before)), text(after));
        }
    }

    #[test]
    fn a_file_is_named_from_another() {
        assert_eq!(relative("content/pages/a.md", "content/pages/b.md"), "b.md");
        assert_eq!(relative("content/pages/x/a.md", "content/pages/b.md"), "../b.md");
        assert_eq!(relative("content/pages/a.md", "content/pages/x/b.md"), "x/b.md");
    }
}
