//! What there is to know of the thing at an offset.

use crate::Analysis;
use crate::data::{self, Part, Step};
use crate::functions::documentation;
use crate::schemas::FileSchemas;
use crate::symbols::{KeyOwner, Symbol};
use crate::value::shown;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{SCHEMA, SourceKind};
use sitegen_edit::File;

/// What there is to know of something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes of it in the file.
    pub span: Span,
    /// In Markdown.
    pub text: String,
    /// A picture to show.
    pub picture: Option<SourcePath>,
}

impl Analysis<'_> {
    /// Returns what there is to know of the thing at an offset.
    pub fn hover(&self, path: &SourcePath, offset: usize) -> Option<Hover> {
        let occurrence = self.symbol_at(path, offset)?;
        let text = self.sources.text(path)?;
        let (described, picture) = self.describe(path, text, occurrence.span, &occurrence.symbol)?;
        Some(Hover { span: occurrence.span, text: described, picture })
    }

    fn describe(
        &self,
        path: &SourcePath,
        text: &str,
        span: Span,
        symbol: &Symbol,
    ) -> Option<(String, Option<SourcePath>)> {
        let plain = |text: String| Some((text, None));
        match symbol {
            Symbol::Key(owner, keys) => self.of_key(path, text, span, owner, keys).map(|text| (text, None)),
            Symbol::Page(file) | Symbol::Section(file, _) => plain(self.of_page_file(path, file)?),
            Symbol::Entry(collection, slug) => plain(self.of_entry(path, collection, slug)?),
            Symbol::Collection(name) => {
                let collection = self.view_of(path)?.collection(name)?;
                let keys: Vec<&str> = collection.keys().into_iter().take(20).collect();
                plain(format!("**{name}**: {} entries, with the keys {}", collection.len(), keys.join(", ")))
            }
            Symbol::Asset(file) => self.of_asset(file),
            Symbol::Template(file) => plain(self.of_template(file)),
            Symbol::Block(name) => {
                let template = self.define(symbol).into_iter().next()?;
                plain(format!("block `{name}` in {}", template.file))
            }
            Symbol::Component(name) => {
                let component = self.component(name)?;
                let comment = component.comment.as_deref().map_or(String::new(), |text| format!("\n\n{text}"));
                plain(format!("```\n<{name} {} />\n```{comment}\n\n{}", component.signature(), component.file))
            }
            Symbol::Argument(component, name) => {
                let component = self.component(component)?;
                let argument = component.arguments.iter().find(|argument| argument.name == *name)?;
                let kind = argument.kind.as_deref().unwrap_or("any value");
                plain(format!("`{name}`: {kind}{}", if argument.is_required { ", required" } else { "" }))
            }
            Symbol::Island(name) => {
                let list: String =
                    self.props(name).iter().map(|(name, kind)| format!("- `{name}`: {kind}\n")).collect();
                plain(format!("**{name}** {}\n\n{list}", self.island(name)?))
            }
            Symbol::Class(_) | Symbol::Property(_) => plain(self.of_style(symbol)?),
            Symbol::Callable(kind, name) => plain(documentation(*kind, name)?),
            Symbol::Variable(_, _, name) => {
                plain(self.of_value(path, text, span).unwrap_or_else(|| format!("`{name}`")))
            }
        }
    }

    fn of_page_file(&self, path: &SourcePath, file: &SourcePath) -> Option<String> {
        let site = self.site?;
        let is_of_file = |page: &&sitegen_content::Page| page.source.key() == file.key();
        let number = self.view_of(path)?.number;
        let of_language = site.pages.iter().filter(is_of_file).find(|page| page.view == number);
        let page = of_language.or_else(|| site.pages.iter().find(is_of_file))?;
        let keys = site.keys(page);
        let title = keys.get("title").map(shown).unwrap_or_default();
        let description = keys.get("description").map(shown);
        let more = description.map_or(String::new(), |text| format!("\n\n{text}"));
        Some(format!("**{title}** `{}`{more}\n\n{}", page.route.as_str(), page.source))
    }

    fn of_entry(&self, path: &SourcePath, collection: &str, slug: &str) -> Option<String> {
        let entry = self.view_of(path)?.collection(collection)?.get(slug)?;
        let keys = entry.data.entries().iter().take(12);
        let list: String = keys.map(|(key, value)| format!("- `{}`: {}\n", key.name, shown(value))).collect();
        Some(format!("**{slug}** in {collection}\n\n{list}\n{}", entry.source))
    }

    fn of_asset(&self, file: &SourcePath) -> Option<(String, Option<SourcePath>)> {
        let asset = self.site?.main().assets.iter().find(|asset| asset.source == *file)?;
        let header = asset.header().and_then(Result::ok);
        let size = header.map(|header| format!("{} × {} px, ", header.width, header.height));
        let alt = asset.description.as_ref().and_then(|text| text.alt.clone());
        let alt = alt.map_or(String::new(), |alt| format!("\n\n{alt}"));
        let text = format!("{file}\n\n{}{}{alt}", size.unwrap_or_default(), bytes(asset.body.len()));
        let is_shown = asset.picture.is_some() || file.extension() == Some("svg");
        Some((text, is_shown.then(|| file.clone())))
    }

    fn of_style(&self, symbol: &Symbol) -> Option<String> {
        let target = self.define(symbol).into_iter().next()?;
        let sheet = self.sources.text(&target.file)?;
        let rule = match symbol {
            Symbol::Property(_) => sheet[target.span.start..].split([';', '}']).next().unwrap_or_default().trim(),
            _ => rule_at(sheet, target.span.start),
        };
        Some(format!("```css\n{rule}\n```\n\n{}", target.file))
    }

    /// Says what a template is for: the pages that it renders, and the blocks that others can fill.
    fn of_template(&self, file: &SourcePath) -> String {
        let mut text = file.to_string();
        let name = file.below(sitegen_templates::TEMPLATES).unwrap_or_default();
        let pages = self.site.into_iter().flat_map(|site| site.pages.iter()).filter(|page| page.template == name);
        let routes: Vec<&str> = pages.map(|page| page.route.as_str()).collect();
        if let [first, ..] = routes[..] {
            let more = if routes.len() > 1 { format!(" and {} more", routes.len() - 1) } else { String::new() };
            text.push_str(&format!("\n\nrenders {first}{more}"));
        }
        let declared = self.occurrences(file).into_iter().filter(|each| each.declares);
        let blocks = declared.filter_map(|each| match each.symbol {
            Symbol::Block(name) => Some(format!("`{name}`")),
            _ => None,
        });
        let blocks: Vec<String> = blocks.collect();
        if !blocks.is_empty() {
            text.push_str(&format!("\n\nblocks: {}", blocks.join(", ")));
        }
        text
    }

    /// Says what a schema says of a key, and what value it has.
    fn of_key(&self, path: &SourcePath, text: &str, span: Span, owner: &KeyOwner, keys: &[String]) -> Option<String> {
        let name = keys.last()?;
        let kind = SourceKind::of(path);
        let is_content = matches!(kind, SourceKind::Settings | SourceKind::Page | SourceKind::Entry);
        // The keys by which a page lists entries are those of the entries.
        let is_own = crate::symbols::owner(self, path, text).as_ref() == Some(owner);
        let is_key_here = is_content && is_own && self.is_key(path, text, span);
        let owner = &self.some_pages(owner, keys);
        let (described, types) = match is_key_here {
            true => self.schema_of_key(path, text, span)?,
            false => self.schema_of_owner(owner, keys).unwrap_or_default(),
        };
        let value = match owner {
            _ if is_key_here => None,
            KeyOwner::Site => {
                let mut way = vec!["site"];
                way.extend(keys.iter().map(String::as_str));
                self.value(path, &way)
            }
            _ => self.named_value(path, text, span),
        };
        let example = || {
            let is_template = kind == SourceKind::Template;
            is_template.then(|| self.of_value(path, text, span)).flatten()
        };
        if value.is_none()
            && described.is_empty()
            && let Some(example) = example()
        {
            return Some(example);
        }
        if value.is_none() && matches!(owner, KeyOwner::Unknown | KeyOwner::AnyPages) {
            return None;
        }
        let example = example().filter(|_| value.is_none());
        let example = example.as_deref().and_then(|text| text.rsplit_once("\n\nfor example: "));
        let example = example.map_or(String::new(), |(_, value)| format!("\n\nfor example: {value}"));
        let value = value.map_or(example, |found| {
            let line = self.sources.text(found.file).map_or(1, |text| line_of(text, found.node.span.start));
            format!("\n\n{}\n\n{}:{line}", shown(found.node), found.file)
        });
        let types = if types.is_empty() { String::new() } else { format!(": {types}") };
        Some(format!("`{name}`{types}\n\n{described}{value}"))
    }

    /// Whether the bytes are those of a key, not of a reference to one.
    fn is_key(&self, path: &SourcePath, text: &str, span: Span) -> bool {
        let Some(file) = File::of(path, text) else { return false };
        let mut is_key = false;
        file.root().each(&mut Vec::new(), &mut |item, _, part| {
            is_key |=
                part == sitegen_edit::tree::Part::Key && item.span.start <= span.start && item.span.end >= span.end;
        });
        is_key
    }

    fn schema_of_key(&self, path: &SourcePath, text: &str, span: Span) -> Option<(String, String)> {
        let written = data::in_file(path, text, span.end)?;
        let mut way = written.above;
        if matches!(written.part, Part::Key | Part::Value(None)) {
            way.push(Step::Key(text.get(span.start..span.end)?.to_owned()));
        }
        let schemas = FileSchemas::of(path, text, self.sources);
        Some(described(&schemas, &way))
    }

    fn schema_of_owner(&self, owner: &KeyOwner, keys: &[String]) -> Option<(String, String)> {
        let name = match owner {
            KeyOwner::Site => "site",
            KeyOwner::Entries(name) | KeyOwner::Pages(name) => name,
            KeyOwner::AnyPages | KeyOwner::Unknown => return None,
        };
        let file = match owner {
            KeyOwner::Site => SourcePath::new(sitegen_content::SITE_FILE),
            KeyOwner::Entries(name) => SourcePath::new(format!("content/{name}/a.yaml")),
            _ => SourcePath::new("content/pages/a.yaml"),
        };
        let text = if matches!(owner, KeyOwner::Pages(_)) { format!("template: {name}.html\n") } else { String::new() };
        let schemas = FileSchemas::of(&file, &text, self.sources);
        let way: Vec<Step> = keys.iter().cloned().map(Step::Key).collect();
        Some(described(&schemas, &way))
    }

    /// Says what a path of a template is that ends at some bytes, by a value that it has on some page.
    fn of_value(&self, path: &SourcePath, text: &str, span: Span) -> Option<String> {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let start = crate::word_before(text, span.start, is_part).start;
        let way = text.get(start..span.end)?;
        let names: Vec<&str> = way.split('.').collect();
        let code = text[..start].rfind("{{").into_iter().chain(text[..start].rfind("{%")).max()?;
        let (last, above) = names.split_last()?;
        if above.is_empty() {
            let known = self.known(path, text, span.end, &names);
            let keys: Vec<&str> = known.keys.keys().map(String::as_str).take(12).collect();
            let declared = self.declared(text, span.end).into_iter().find(|(name, _)| name == last);
            let declared = declared.map(|(_, meaning)| meaning).filter(|meaning| !meaning.is_empty());
            let declared = declared.map_or(String::new(), |meaning| format!(": {meaning}"));
            let keys = if keys.is_empty() { String::new() } else { format!("\n\nkeys: {}", keys.join(", ")) };
            return Some(format!("`{way}`{declared}{keys}"));
        }
        let known = self.known(path, text, code + 1, above);
        let key = known.keys.get(*last)?;
        let described = key.description.as_deref().map_or(String::new(), |text| format!("\n\n{text}"));
        let example = key.example.as_deref().map_or(String::new(), |value| format!("\n\nfor example: {value}"));
        (!described.is_empty() || !example.is_empty()).then(|| format!("`{way}`{described}{example}"))
    }

    /// Returns the value that a path names of which a part is at some bytes.
    fn named_value(&self, path: &SourcePath, text: &str, span: Span) -> Option<crate::value::Found<'_>> {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
        let start = crate::word_before(text, span.start, is_part).start;
        let names: Vec<&str> = text.get(start..span.end)?.split('.').collect();
        self.value(path, &names)
    }

    /// Returns a component by its name, in which `-` and `_` are the same.
    pub(crate) fn component(&self, name: &str) -> Option<crate::Component> {
        let same = |other: &str| other.replace('-', "_") == name.replace('-', "_");
        self.components().into_iter().find(|(other, _)| same(other)).map(|(_, component)| component)
    }
}

fn described(schemas: &FileSchemas, way: &[Step]) -> (String, String) {
    let parts = schemas.parts(way);
    let text = parts.iter().find_map(|part| part.text("description")).unwrap_or_default();
    let types = parts.iter().map(|part| part.types()).find(|types| !types.is_empty()).unwrap_or_default();
    (text.to_owned(), types)
}

/// Returns the rule of a stylesheet that has an offset in its selector.
fn rule_at(sheet: &str, at: usize) -> &str {
    let start = sheet[..at].rfind(['}', ';', '{', '/']).map_or(0, |before| before + 1);
    let end = sheet[at..].find('}').map_or(sheet.len(), |end| at + end + 1);
    let rule = sheet[start..end].trim();
    let cut = rule.char_indices().nth(1_000).map_or(rule.len(), |(cut, _)| cut);
    &rule[..cut]
}

/// Returns the number of the line at an offset, from 1.
pub fn line_of(text: &str, offset: usize) -> usize {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..offset.min(text.len())]).count() + 1
}

fn bytes(count: u64) -> String {
    match count {
        0..1_024 => format!("{count} bytes"),
        1_024..1_048_576 => format!("{} KiB", count / 1_024),
        _ => format!("{:.1} MiB", count as f64 / 1_048_576.0),
    }
}

impl Analysis<'_> {
    /// Returns what the schema of a template's page says of a file with this name.
    pub(crate) fn schema_file(&self, name: &str) -> Option<SourcePath> {
        let file = SourcePath::new(format!("{}/{name}{SCHEMA}", crate::schemas::SCHEMAS));
        self.sources.get(&file).map(|_| file)
    }
}
