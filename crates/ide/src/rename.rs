//! Changes of a name everywhere: what is declared, what uses it, and for what has an address a redirect from the old one.

use crate::Analysis;
use crate::hover::line_of;
use crate::symbols::{KeyOwner, Occurrence, Symbol, classes, component, symbol_of};
use crate::variables::{GLOBAL, KEYWORDS};
use sitegen_content::collections::{folder_of_its_own, slug_of};
use sitegen_content::syntax::Syntax;
use sitegen_content::yaml::{Key, Node, Value};
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::{Route, SourcePath, joined, prefixed};
use sitegen_core::sources::SourceKind;
use sitegen_edit::File;
use sitegen_edit::insert::first_or_next;
use sitegen_edit::tree::{Data, Item};
use sitegen_templates::keys::given;
use std::collections::BTreeMap;

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

/// Said where the uses of a name cannot be found.
const INCOMPLETE: &str = "the content has errors, so not all uses of the name can be found; correct them first";

/// The most places that a rename changes.
const MOST: usize = 50_000;

fn refused<T>(reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(reason.into()))
}

/// A file that gets another name.
pub type Move = (SourcePath, SourcePath);

/// A page, an entry or another file that gets another name.
struct Renamed {
    symbol: Symbol,
    from: SourcePath,
    to: SourcePath,
    /// The addresses that change, each with the first part of those of its language and the file that says its aliases.
    addresses: Vec<Address>,
}

struct Address {
    old: String,
    new: String,
    prefix: String,
    file: Option<SourcePath>,
}

/// Whether a name has only what every kind of name may have.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-'))
}

/// Whether code of templates reads a name as one word.
fn is_identifier(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
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
                if *owner == KeyOwner::Unknown || self.is_of_engine(owner, keys) {
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
        let occurrence = self.symbol_at(path, offset);
        let needs_site = match occurrence.as_ref().map(|each| &each.symbol) {
            Some(Symbol::Page(_) | Symbol::Entry(..) | Symbol::Key(..) | Symbol::Asset(_)) | None => true,
            Some(_) => false,
        };
        if needs_site && !self.is_complete {
            return refused(INCOMPLETE);
        }
        let Some(occurrence) = occurrence else { return refused("there is nothing to rename here") };
        if let Symbol::Key(KeyOwner::Unknown, _) = &occurrence.symbol {
            return refused("it is not known what this is a key of; rename the key in the file that has it");
        }
        if self.renameable(path, offset).is_none() {
            return refused("the name of this is fixed");
        }
        match &occurrence.symbol {
            Symbol::Page(file) => self.rename_page(file, name),
            Symbol::Entry(_, slug) => self.rename_entry(&occurrence.symbol, slug, name),
            Symbol::Asset(file) | Symbol::Template(file) => {
                if name.contains(['/', '\\']) || !name.contains('.') || name.starts_with('.') {
                    return refused("write the new name of the file, with its ending");
                }
                let folder = file.as_str().strip_suffix(file.name()).unwrap_or_default();
                self.moved(file, &SourcePath::new(format!("{folder}{name}")))
            }
            Symbol::Island(_) => {
                let Some(file) = self.file_of(&occurrence.symbol) else { return refused("the island has no file") };
                if !is_word(name) {
                    return refused("the name of an island has letters, digits, `-` and `_`");
                }
                let extension = file.extension().unwrap_or("tsx");
                self.moved(&file, &SourcePath::new(format!("islands/{name}.{extension}")))
            }
            Symbol::Property(_) if !name.starts_with("--") => refused("a custom property begins with `--`"),
            _ if !is_word(name) => refused("a name has letters, digits, `-` and `_`"),
            Symbol::Variable(..) | Symbol::Argument(..) if !is_identifier(name) => {
                refused("the name of a variable has letters, digits and `_`, and begins with a letter")
            }
            symbol => {
                self.is_free(path, symbol, name)?;
                self.has_only_known_uses(symbol)?;
                Ok(self.replaced(symbol, name))
            }
        }
    }

    fn rename_page(&self, file: &SourcePath, name: &str) -> Result<Vec<FileChange>, Refused> {
        let Some(route) = name.strip_prefix('/').filter(|route| !route.is_empty() && !route.ends_with('/')) else {
            return refused("write the new address of the page, like /about");
        };
        let old = self.address(file).unwrap_or_default();
        if old == "/" {
            return refused("this is the home page, and every site has one at /");
        }
        let own_path = self.own_path(file);
        let pattern = if own_path.is_some() { name } else { route };
        if let (_, Some(problem)) = sitegen_content::plan::placed_at(pattern) {
            return refused(sitegen_core::diagnostics::message(&problem.into()));
        }
        if self.site.is_some_and(|site| site.pages.at(name).is_some()) {
            return refused(format!("there is a page at {name} already"));
        }
        // Its key `path` says the address, and not the name of its file.
        if let Some((path, span)) = own_path {
            let address =
                Address { old: old.clone(), new: name.to_owned(), prefix: String::new(), file: Some(path.clone()) };
            let (from, to) = (file.clone(), file.clone());
            let renamed = Renamed { symbol: Symbol::Page(file.clone()), from, to, addresses: vec![address] };
            let mut changes = self.edits(&[renamed], &BTreeMap::new());
            changes.push(FileChange::Edit { file: path, span, text: name.to_owned() });
            return Ok(changes);
        }
        let extension = file.extension().unwrap_or("md");
        let is_folder = file.stem() == "index";
        let to = if is_folder { format!("{route}/index") } else { route.to_owned() };
        self.moved(file, &SourcePath::new(format!("content/pages/{to}.{extension}")))
    }

    fn rename_entry(&self, symbol: &Symbol, slug: &str, name: &str) -> Result<Vec<FileChange>, Refused> {
        let Some(file) = self.file_of(symbol) else { return refused("the entry could not be read") };
        if !is_word(name) {
            return refused("the name of an entry has letters, digits, `-` and `_`");
        }
        let file = file.key();
        if SourceKind::is_list(&file) {
            return refused("the entry is one of several in a file; change its name there");
        }
        if let Symbol::Entry(collection, _) = symbol
            && self.site.and_then(|site| site.main().collection(collection)?.get(name)).is_some()
        {
            return refused(format!("there is an entry `{name}` already"));
        }
        let (folder, own) = file.as_str().rsplit_once('/').unwrap_or_default();
        let to = match folder_of_its_own(&file) {
            Some(_) => format!("{}/{name}/{own}", folder.rsplit_once('/').map_or("", |(above, _)| above)),
            None => format!("{folder}/{name}{}", own.strip_prefix(slug).unwrap_or_default()),
        };
        self.moved(&file, &SourcePath::new(to))
    }

    /// Refuses a name that something of the same kind has.
    fn is_free(&self, path: &SourcePath, symbol: &Symbol, name: &str) -> Result<(), Refused> {
        let other = match symbol {
            Symbol::Key(owner, keys) => {
                let above = keys.split_last().map_or(&[][..], |(_, above)| above);
                Symbol::Key(owner.clone(), above.iter().cloned().chain([name.to_owned()]).collect())
            }
            Symbol::Block(_) => Symbol::Block(name.to_owned()),
            Symbol::Component(_) => Symbol::Component(component(name)),
            Symbol::Argument(component, _) => Symbol::Argument(component.clone(), name.to_owned()),
            Symbol::Class(_) => Symbol::Class(name.to_owned()),
            Symbol::Property(_) => Symbol::Property(name.to_owned()),
            _ => symbol.clone(),
        };
        if other == *symbol && !matches!(symbol, Symbol::Variable(..)) {
            return Ok(());
        }
        let is_variable = matches!(symbol, Symbol::Variable(..) | Symbol::Argument(..));
        if is_variable {
            let file = match symbol {
                Symbol::Variable(file, ..) => Some(file.clone()),
                _ => self.define(symbol).into_iter().next().map(|target| target.file),
            };
            let named = self.occurrences(file.as_ref().unwrap_or(path)).into_iter();
            let is_name = |each: &Occurrence| matches!(&each.symbol, Symbol::Variable(_, _, other) | Symbol::Argument(_, other) if other == name);
            let is_taken = GLOBAL.iter().any(|(other, _)| *other == name) || KEYWORDS.contains(&name);
            if is_taken || named.filter(|each| each.declares).any(|each| is_name(&each)) {
                return refused(format!("`{name}` is the name of another variable there"));
            }
            return Ok(());
        }
        match self.references(&other, 1).first() {
            Some((file, each)) => refused(format!("`{name}` is used already, in {}", self.line(file, each.span))),
            None => Ok(()),
        }
    }

    /// Refuses a name that something may use of which it is not known.
    fn has_only_known_uses(&self, symbol: &Symbol) -> Result<(), Refused> {
        let name = symbol.word();
        match symbol {
            Symbol::Key(owner, keys) => {
                if let Some((file, span)) = self.other_pages(owner, keys) {
                    let place = self.line(&file, span);
                    return refused(format!("a list of pages reads `{name}`, and {place} has it for another template"));
                }
                let unknown = Symbol::Key(KeyOwner::Unknown, keys.last().cloned().into_iter().collect());
                if let Some((file, each)) = self.references(&unknown, 1).first() {
                    let place = self.line(file, each.span);
                    return refused(format!("it is not known whether `{name}` in {place} is this key"));
                }
                let bracket = format!("[{name}]");
                let mut pages = self.sources.of(SourceKind::Page).map(|(path, _)| path);
                let is_named = |path: &&SourcePath| {
                    path.as_str().contains(&bracket) && self.made_by(path).as_ref() == Some(owner) && keys.len() == 1
                };
                if let Some(file) = pages.find(is_named) {
                    return refused(format!("the name of the file {file} has the key in it"));
                }
            }
            Symbol::Class(_) => {
                let part = |text: &str, span: &Span| {
                    let part = &text[span.start..span.end];
                    !part.is_empty() && (name.starts_with(part) || name.ends_with(part))
                };
                for (path, text) in self.files() {
                    let attribute = if SourceKind::of(path) == SourceKind::Template { "class=" } else { continue };
                    let parts = classes(text, attribute).parts;
                    if let Some(span) = parts.into_iter().find(|span| part(text, span)) {
                        let place = self.line(path, span);
                        return refused(format!("code in {place} may make the name of this class"));
                    }
                }
                if let Some((path, span)) = self.in_script(name) {
                    let place = self.line(&path, span);
                    return refused(format!("it is not known whether `{name}` in {place} is this class"));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns a key of the same name that pages of another template have, if lists of pages read it: they may mean either.
    fn other_pages(&self, owner: &KeyOwner, keys: &[String]) -> Option<(SourcePath, Span)> {
        if !matches!(owner, KeyOwner::Pages(_)) {
            return None;
        }
        let all = self.references(&Symbol::Key(KeyOwner::AnyPages, keys.to_vec()), MOST);
        let of = |each: &Occurrence| match &each.symbol {
            Symbol::Key(owner, _) => owner.clone(),
            _ => KeyOwner::Unknown,
        };
        let is_listed = all.iter().any(|(_, each)| of(each) == KeyOwner::AnyPages);
        let other = all.into_iter().find(|(_, each)| of(each) != KeyOwner::AnyPages && of(each) != *owner);
        other.filter(|_| is_listed).map(|(file, each)| (file, each.span))
    }

    /// Returns a text in quotes in an island that has a word in it which may be a class.
    fn in_script(&self, name: &str) -> Option<(SourcePath, Span)> {
        let scripts = self.sources.of(SourceKind::Island).filter(|(path, _)| path.extension() != Some("css"));
        for (path, source) in scripts {
            let text = source.text().unwrap_or_default();
            let known: Vec<Span> = classes(text, "className=").all.iter().map(|each| each.span).collect();
            let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
            for (at, _) in text.match_indices(name) {
                let span = Span::at(at, name.len());
                let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
                let is_word = !line.ends_with(is_part) && !text[span.end..].starts_with(is_part);
                let is_quoted = ['"', '\'', '`'].iter().any(|quote| line.matches(*quote).count() % 2 == 1);
                if is_word && is_quoted && !known.contains(&span) {
                    return Some((path.clone(), span));
                }
            }
        }
        None
    }

    /// Returns a file with the line of a place, for messages.
    fn line(&self, file: &SourcePath, span: Span) -> String {
        format!("{file}:{}", line_of(self.sources.text(file).unwrap_or_default(), span.start))
    }

    fn replaced(&self, symbol: &Symbol, name: &str) -> Vec<FileChange> {
        let change = |(file, each): (SourcePath, Occurrence)| {
            let (span, text) = self.in_code(&file, each.span, name);
            FileChange::Edit { file, span, text }
        };
        self.references(symbol, MOST).into_iter().map(change).collect()
    }

    /// Returns the bytes to replace and the text in their place. A template reads `.a-b` as a sum, and `["a-b"]` as a key.
    fn in_code(&self, file: &SourcePath, span: Span, text: &str) -> (Span, String) {
        let before = self.sources.text(file).and_then(|source| source.get(..span.start));
        let is_key = SourceKind::of(file) == SourceKind::Template && before.is_some_and(|before| before.ends_with('.'));
        if is_key && !is_identifier(text) && self.is_in_code(file, span) {
            return (Span { start: span.start - 1, end: span.end }, format!("[\"{text}\"]"));
        }
        (span, text.to_owned())
    }

    fn is_in_code(&self, file: &SourcePath, span: Span) -> bool {
        let text = self.sources.text(file).unwrap_or_default();
        let codes = sitegen_templates::lexer::codes(text);
        codes.iter().any(|code| code.span.start < span.start && span.end < code.span.end)
    }

    /// Whether the engine reads a key.
    fn is_of_engine(&self, owner: &KeyOwner, keys: &[String]) -> bool {
        let schema = match owner {
            KeyOwner::Site => sitegen_content::schema::SITE,
            KeyOwner::Entries(_) => sitegen_content::schema::ENTRY,
            KeyOwner::Pages(_) | KeyOwner::AnyPages => sitegen_content::schema::PAGE,
            KeyOwner::Unknown => return false,
        };
        let json: serde_json::Value = serde_json::from_str(schema).unwrap_or_default();
        let first = keys.first().map_or("", String::as_str);
        let given = match owner {
            KeyOwner::Entries(_) => given("entry"),
            KeyOwner::Pages(_) | KeyOwner::AnyPages => given("page"),
            _ => &[],
        };
        json.get("properties").and_then(|properties| properties.get(first)).is_some() || given.contains(&first)
    }

    /// Returns the address of a page in the language of the site, or else in the first that has it.
    fn address(&self, file: &SourcePath) -> Option<String> {
        let site = self.site?;
        let mut routes = site.views.iter().filter_map(|view| site.pages.order().routes_of(view.number).get(file));
        routes.next().map(|route| route.as_str().to_owned())
    }

    /// Returns the file of a page that says its address with the key `path`, and the bytes of that.
    fn own_path(&self, file: &SourcePath) -> Option<(SourcePath, Span)> {
        let (path, source) = self.sources.get_key_value(file)?;
        let text = source.text()?;
        let parsed = File::of(path, text)?;
        let of_name = |(key, _): &&(Item, Item)| key.scalar().is_some_and(|key| key.text == "path");
        let (_, value) = parsed.root().entries().iter().find(of_name)?;
        let quote = usize::from(text[value.span.start..].starts_with(['"', '\'']));
        value.scalar()?;
        Some((path.clone(), Span { start: value.span.start + quote, end: value.span.end - quote }))
    }

    /// Returns what changes when a file gets another name, with the moves of the file and of those that belong to it: its
    /// translations, the description of a picture, and what is in the folder of an entry.
    pub fn moved(&self, from: &SourcePath, to: &SourcePath) -> Result<Vec<FileChange>, Refused> {
        let moves = self.with_others(from, to);
        if let Some((_, taken)) = moves.iter().find(|(_, to)| self.sources.get(to).is_some()) {
            return refused(format!("there is a file {taken} already"));
        }
        let mut changes: Vec<FileChange> =
            moves.iter().map(|(from, to)| FileChange::Move { from: from.clone(), to: to.clone() }).collect();
        changes.extend(self.consequences(&moves)?);
        Ok(changes)
    }

    /// Returns the moves of files that belong to others which get other names, and are not among these.
    pub fn following(&self, moves: &[Move]) -> Vec<Move> {
        let all = moves.iter().flat_map(|(from, to)| self.with_others(from, to));
        let mut others: Vec<Move> = all.filter(|(from, _)| !moves.iter().any(|(own, _)| own == from)).collect();
        others.sort();
        others.dedup_by(|(a, _), (b, _)| a == b);
        others.retain(|(_, to)| self.sources.get(to).is_none());
        others
    }

    /// Returns the edits of files when some get other names, and of these their old addresses as aliases.
    pub fn consequences(&self, moves: &[Move]) -> Result<Vec<FileChange>, Refused> {
        let needs_site =
            |(from, _): &Move| matches!(SourceKind::of(from), SourceKind::Page | SourceKind::Entry | SourceKind::Asset);
        if !self.is_complete && moves.iter().any(needs_site) {
            return refused(INCOMPLETE);
        }
        let by_file: BTreeMap<SourcePath, SourcePath> = moves.iter().cloned().collect();
        let renamed: Vec<Renamed> = moves.iter().filter_map(|(from, to)| self.renamed(from, to)).collect();
        Ok(self.edits(&renamed, &by_file))
    }

    /// Returns what a file stands for that gets another name. `None` for a translation: its original stands for both.
    fn renamed(&self, from: &SourcePath, to: &SourcePath) -> Option<Renamed> {
        let symbol = match SourceKind::of(from) {
            SourceKind::Page | SourceKind::Entry if from.has_language() && self.sources.get(&from.key()).is_some() => {
                return None;
            }
            SourceKind::Page | SourceKind::Entry => symbol_of(from)?,
            SourceKind::Asset if from.extension() == Some("yaml") => return None,
            SourceKind::Asset => Symbol::Asset(from.clone()),
            SourceKind::Template => Symbol::Template(from.clone()),
            SourceKind::Island => Symbol::Island(from.stem().to_owned()),
            _ => return None,
        };
        let addresses = self.addresses(&symbol, &from.key(), &to.key());
        Some(Renamed { symbol, from: from.clone(), to: to.clone(), addresses })
    }

    /// Returns the addresses that change when a file gets another name.
    fn addresses(&self, symbol: &Symbol, from: &SourcePath, to: &SourcePath) -> Vec<Address> {
        let Some(site) = self.site else { return Vec::new() };
        let has_path = |file: &SourcePath| self.own_path(file).is_some();
        let named = |path: &SourcePath| {
            let below = path.below("content/pages")?.rsplit_once('.')?.0.to_owned();
            Some(Route::of_page(&below).as_str().to_owned())
        };
        let mut all = Vec::new();
        for view in &site.views {
            let own = self.sources.below("content").map(|(path, _)| path).find(|path| {
                let is_of_view = if view.number == 0 { !path.has_language() } else { view.language.has(path) };
                is_of_view && path.key() == *from
            });
            if has_path(from) || own.is_some_and(has_path) {
                continue;
            }
            let change = match symbol {
                Symbol::Page(_) => {
                    let old = site.pages.order().routes_of(view.number).get(from);
                    let (Some(old), Some(before), Some(after)) = (old, named(from), named(to)) else { continue };
                    let prefixed = |route: &str| view.language.prefixed(route).into_owned();
                    // Its address may come from elsewhere, such as the name of a folder in this language.
                    (old.as_str() == prefixed(&before)).then(|| (before, prefixed(&after), old.as_str().to_owned()))
                }
                Symbol::Entry(collection, slug) => {
                    let of = |page: &&sitegen_content::Page| {
                        let made = page.made.as_ref().filter(|made| made.collection == *collection);
                        let entry = made.and_then(|made| view.collection(collection)?.nth(made.number?));
                        page.view == view.number && entry.is_some_and(|entry| entry.slug == *slug)
                    };
                    let is_by_slug = |page: &&sitegen_content::Page| {
                        let bracket = "[slug]";
                        let text = || self.sources.text(&page.source).is_some_and(|text| text.contains(bracket));
                        page.source.as_str().contains(bracket) || text()
                    };
                    let page = site.pages.iter().find(of).filter(is_by_slug);
                    page.and_then(|page| {
                        let old = page.route.as_str();
                        let at = old.rfind(slug.as_str())?;
                        let new = format!("{}{}{}", &old[..at], slug_of(to), &old[at + slug.len()..]);
                        Some((String::new(), new, old.to_owned()))
                    })
                }
                _ => None,
            };
            if let Some((_, new, old)) = change.filter(|(_, new, old)| new != old) {
                all.push(Address { old, new, prefix: view.language.prefix.clone(), file: own.cloned() });
            }
        }
        all
    }

    fn edits(&self, renamed: &[Renamed], moves: &BTreeMap<SourcePath, SourcePath>) -> Vec<FileChange> {
        let mut edits: BTreeMap<(SourcePath, usize, usize), String> = BTreeMap::new();
        let after = |file: &SourcePath| moves.get(file).unwrap_or(file).key();
        for each in renamed {
            for (file, place) in self.references(&each.symbol, MOST) {
                let source = self.sources.text(&file).unwrap_or_default();
                let Some(written) = source.get(place.span.start..place.span.end) else { continue };
                if let Some(text) = self.written_anew(each, &file, &after(&file), written)
                    && text != written
                {
                    let (span, text) = self.in_code(&file, place.span, &text);
                    edits.insert((file, span.start, span.end), text);
                }
            }
        }
        for (from, to) in moves {
            for (span, text) in self.own_links(from, to, moves) {
                edits.insert((from.clone(), span.start, span.end), text);
            }
        }
        let edit = |((file, start, end), text)| FileChange::Edit { file, span: Span { start, end }, text };
        let mut changes: Vec<FileChange> = edits.into_iter().map(edit).collect();
        for address in renamed.iter().flat_map(|each| &each.addresses) {
            changes.extend(address.file.as_ref().and_then(|file| self.alias(file, &address.old)));
        }
        changes.extend(self.redirects(renamed));
        changes
    }

    /// Returns what stands in the place of a name.
    fn written_anew(&self, each: &Renamed, file: &SourcePath, after: &SourcePath, written: &str) -> Option<String> {
        match &each.symbol {
            Symbol::Page(_) | Symbol::Entry(..) if written.starts_with('/') => {
                let own = each.addresses.iter().find(|address| address.old == written);
                own.map(|address| address.new.clone()).or_else(|| {
                    // A text in a language names its pages without the first part of their addresses.
                    each.addresses.iter().filter(|address| !address.prefix.is_empty()).find_map(|address| {
                        let is_same = prefixed(&address.prefix, written) == address.old;
                        let own = address.new.strip_prefix(&format!("/{}", address.prefix))?;
                        is_same.then(|| own.to_owned())
                    })
                })
            }
            Symbol::Page(_) | Symbol::Asset(_) | Symbol::Entry(..)
                if joined(file.key().as_str(), written)
                    .is_some_and(|target| SourcePath::new(target).key() == each.from.key()) =>
            {
                Some(relative(after.as_str(), each.to.key().as_str()))
            }
            Symbol::Page(_) => None,
            Symbol::Entry(..) if !written.contains(['/', '.']) => Some(slug_of(&each.to.key()).to_owned()),
            Symbol::Asset(_) => match each.to.below("content/assets") {
                Some(name) => Some(name.to_owned()),
                // Beside a text that moves along, it has the same name.
                None if !written.contains('/') && each.from.name() == written => Some(each.to.name().to_owned()),
                None => None,
            },
            Symbol::Template(_) => Some(each.to.below("templates").unwrap_or(each.to.name()).to_owned()),
            Symbol::Island(_) => Some(each.to.stem().to_owned()),
            _ => None,
        }
    }

    /// Returns the edits of the links in a file that moves: those that say how to get there from its own folder.
    fn own_links(
        &self,
        from: &SourcePath,
        to: &SourcePath,
        moves: &BTreeMap<SourcePath, SourcePath>,
    ) -> Vec<(Span, String)> {
        let text = self.sources.text(from).unwrap_or_default();
        let moved = |each: Occurrence| {
            let written = text.get(each.span.start..each.span.end)?;
            let is_of_file = matches!(each.symbol, Symbol::Page(_) | Symbol::Entry(..) | Symbol::Asset(_));
            let target = joined(from.key().as_str(), written).filter(|_| is_of_file && !written.starts_with('/'))?;
            let target = self.known_file(&SourcePath::new(&target))?;
            let target = moves.get(&target).unwrap_or(&target).clone();
            let own = relative(to.key().as_str(), target.as_str());
            let dot = if written.starts_with("./") && !own.starts_with('.') { "./" } else { "" };
            let text = format!("{dot}{own}");
            (text != written).then_some((each.span, text))
        };
        self.occurrences(from).into_iter().filter_map(moved).collect()
    }

    /// Returns the redirects in `site.yaml` from the other addresses that a page has: the further pages of its list, and its feeds.
    fn redirects(&self, renamed: &[Renamed]) -> Vec<FileChange> {
        let Some(site) = self.site else { return Vec::new() };
        let mut all: Vec<(String, String)> = Vec::new();
        for each in renamed {
            let Symbol::Page(file) = &each.symbol else { continue };
            for address in &each.addresses {
                let own = site.pages.iter().filter(|page| page.source.key() == *file);
                let below = own.filter(|page| page.route.as_str().starts_with(&format!("{}/", address.old)));
                let below = below.map(|page| page.route.as_str().to_owned());
                let has_feed =
                    site.pages.at(&address.old).and_then(|page| page.made.as_ref()).is_some_and(|made| made.has_feed);
                let feeds = ["feed.xml", "feed.json"].into_iter().filter(|_| has_feed);
                let feeds = feeds.map(|name| format!("{}/{name}", address.old));
                let to = |old: String| {
                    let new = format!("{}{}", address.new, &old[address.old.len()..]);
                    (old, new)
                };
                all.extend(below.chain(feeds).map(to));
            }
        }
        let path = SourcePath::new(sitegen_content::SITE_FILE);
        let Some(text) = self.sources.text(&path).filter(|_| !all.is_empty()) else { return Vec::new() };
        let Some(file) = File::of(&path, text) else { return Vec::new() };
        let of_name = |(key, _): &(Item, Item)| key.scalar().is_some_and(|key| key.text == "redirects");
        let node = |value: Value| Node { value, span: Span::default() };
        let entry = |name: &str, text: &str| {
            (Key { name: name.to_owned(), span: Span::default() }, node(Value::Text(text.to_owned())))
        };
        let redirects =
            all.iter().map(|(old, new)| Value::Map(vec![entry("from", old), entry("to", new)])).collect::<Vec<_>>();
        let edits: Vec<sitegen_edit::Edit> = match file.root().entries().iter().position(of_name) {
            Some(index) => {
                let count = match &file.root().entries()[index].1.data {
                    Data::List { items, .. } => items.len(),
                    _ => return Vec::new(),
                };
                let added = redirects.iter().map(|redirect| file.add_item(&[index], count, redirect));
                added.filter_map(Result::ok).collect()
            }
            None => {
                let list = Value::List(redirects.into_iter().map(node).collect());
                file.insert(&[], "redirects", &list).into_iter().collect()
            }
        };
        let edit = |edit: sitegen_edit::Edit| FileChange::Edit { file: path.clone(), span: edit.span, text: edit.text };
        edits.into_iter().map(edit).collect()
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
    fn with_others(&self, from: &SourcePath, to: &SourcePath) -> Vec<Move> {
        let mut all = vec![(from.clone(), to.clone())];
        let kind = SourceKind::of(from);
        let folder_of = |path: &SourcePath| path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        let (old_folder, new_folder) = (folder_of(from), folder_of(to));
        // The folder of an entry has its pictures in it; that of a page may have other pages.
        let is_folder = from.stem() == "index" && to.stem() == "index" && old_folder != new_folder;
        let takes = |path: &SourcePath| match kind {
            SourceKind::Entry => folder_of_its_own(from).is_some(),
            SourceKind::Page => SourceKind::of(path) == SourceKind::Asset && folder_of(path) == old_folder,
            _ => false,
        };
        let is_text = matches!(kind, SourceKind::Page | SourceKind::Entry);
        // A language may have a folder of its own.
        let top = if is_text {
            from.as_str().splitn(3, '/').take(2).collect::<Vec<_>>().join("/")
        } else {
            old_folder.clone()
        };
        let (old, new) = (from.as_str(), to.as_str());
        for (path, _) in self.sources.below(&top).filter(|(path, _)| *path != from) {
            let target = if is_text && !from.has_language() && path.has_language() && path.key() == *from {
                renamed_alike(path, from, to)
            } else if is_folder && path.below(&old_folder).is_some() && takes(path) {
                path.below(&old_folder).map(|rest| format!("{new_folder}/{rest}"))
            } else if kind == SourceKind::Asset {
                let rest = path.as_str().strip_prefix(old);
                rest.filter(|rest| rest.starts_with('.') && rest.ends_with(".yaml")).map(|rest| format!("{new}{rest}"))
            } else {
                None
            };
            all.extend(target.map(|target| (path.clone(), SourcePath::new(target))));
        }
        all
    }
}

/// Returns the name of a translation of a text that gets another name: `b.de.md` or `de/b.md` for `a.de.md` or `de/a.md`.
fn renamed_alike(path: &SourcePath, from: &SourcePath, to: &SourcePath) -> Option<String> {
    let part = path.language()?;
    let stem = stem(from);
    if let Some(rest) = path.as_str().strip_prefix(&stem) {
        return Some(format!("{}{rest}", self::stem(to)));
    }
    // The folder of the language follows that of pages or of a collection.
    let mut parts: Vec<&str> = to.as_str().split('/').collect();
    if parts.len() < 3 {
        return None;
    }
    parts.insert(2, part);
    Some(parts.join("/"))
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
pub(crate) fn relative(from: &str, to: &str) -> String {
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
