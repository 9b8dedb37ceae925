//! What of a project people can edit in forms: folders whose files have the same keys, and single files. `sitegen schema --for`
//! writes the configuration of a content manager from it.
//!
//! What a site is made of is left to its developer: files that make pages for each entry, the keys by which the engine lists,
//! addresses and renders pages, and the settings in `site.yaml`.

use super::DEFAULT_TEMPLATE;
use super::blank::resolved;
use super::collections::{collection_of, folder_of_its_own, slug_of};
use super::fields::{Field, FieldKind, FieldReader, Targets, TextForm};
use super::inferred::{self, title};
use super::languages::{Language, Languages};
use super::lists;
use super::read::{is_document, read_file};
use super::schema::{ENTRY, PAGE, PICTURE, SITE};
use super::syntax::Syntax;
use super::yaml::{Node, Value};
use serde_json::Value as Json;
use sitegen_core::cache::Cache;
use sitegen_core::diagnostics::{Checked, Diagnostic};
use sitegen_core::paths::{ASSETS, Format, SourcePath};
use sitegen_core::sources::{Source, SourceKind, Sources};
use std::collections::{BTreeMap, BTreeSet};

/// What people can edit.
#[derive(Debug)]
pub struct Editable {
    /// The address of the site, as far as `site.yaml` has one.
    pub url: Option<String>,
    /// The languages of the site, that of the originals first.
    pub languages: Vec<Language>,
    /// Where translations lie.
    pub layout: Layout,
    /// Folders and files, in the order in which people look for them.
    pub groups: Vec<Group>,
    /// The slugs of the entries of each collection.
    pub slugs: BTreeMap<String, BTreeSet<String>>,
    /// The keys of files for which no form has a field: `news: hero.buttons`.
    pub left_out: BTreeSet<String>,
}

/// Where the translations of a site lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The site has one language.
    One,
    /// Beside their originals: `about.de.md`.
    Beside,
    /// In folders called after the language: `de/about.md`.
    Folders,
    /// In both ways, or in folders with other names.
    Mixed,
}

/// What a content manager shows under one name.
#[derive(Debug)]
pub struct Group {
    /// A name of letters, digits, `-` and `_` that no other group has.
    pub name: String,
    /// What people read.
    pub label: String,
    /// What is in it.
    pub contents: Contents,
}

/// What is in a group.
#[derive(Debug)]
pub enum Contents {
    /// All files of a folder.
    Folder(Folder),
    /// Some files.
    Files(Vec<File>),
}

/// A folder in which people edit and add files.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Its path from the root of the project, like `content/news`.
    pub path: String,
    /// The extension of the files. Those with `md` have a text below their keys.
    pub extension: String,
    /// The format of the keys.
    pub syntax: Syntax,
    /// The keys.
    pub fields: Vec<Field>,
    /// The key whose value gives a new file its name.
    pub named_by: String,
    /// Whether each file is `index` in a folder of its own.
    pub is_bundled: bool,
    /// The template that a new file has to name, and whether other files of the folder have another one.
    pub template: Option<String>,
    /// The names of the files that have another template and are edited as single files.
    pub excluded: Vec<String>,
    /// The number of its language. Zero is that of the originals.
    pub language: usize,
}

/// A file that people edit.
#[derive(Clone, Debug)]
pub struct File {
    /// A name of letters, digits, `-` and `_` that no other file of the group has.
    pub name: String,
    /// What people read.
    pub label: String,
    /// From the root of the project.
    pub path: SourcePath,
    /// The format of the keys.
    pub syntax: Syntax,
    /// What the file has.
    pub shape: Shape,
    /// The keys, of a list those of each item.
    pub fields: Vec<Field>,
    /// The number of its language. Zero is that of the originals.
    pub language: usize,
}

/// What a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Keys.
    Keys,
    /// Keys, and a text below them.
    KeysAndText,
    /// A list of mappings.
    List,
    /// The rows of a table.
    Table,
    /// Mappings by their slugs.
    Map,
}

/// Keys of pages and entries that forms have even if no file has them yet.
const ALWAYS: [&str; 4] = ["title", "draft", "publish", "expires"];
/// Keys of pages and entries that forms have if a file has them.
const IF_USED: [&str; 4] = ["description", "order", "updated", "noindex"];
/// Keys of `site.yaml` that forms have. The engine reads others as well, but a wrong value changes every page.
const OF_SITE: [&str; 3] = ["name", "description", "email"];

/// Finds what can be edited.
pub fn of(sources: &Sources, cache: &Cache) -> Checked<Editable> {
    let languages = Languages::of(sources, cache);
    let joined = languages.joined(sources);
    let mut diagnostics = Vec::new();
    let project = Project {
        files: read(&joined, languages.all(), &mut diagnostics),
        targets: targets(&joined),
        languages: languages.all(),
        sources: &joined,
    };
    let mut finder = Finder { project: &project, groups: Vec::new(), left_out: BTreeSet::new() };
    finder.site();
    finder.pages();
    finder.collections();
    finder.pictures();
    let Finder { groups, left_out, .. } = finder;
    let site = project.files.iter().find(|file| file.kind == SourceKind::Settings);
    let url = site.and_then(|site| Some(site.data.get("url")?.text()?.to_owned()));
    let editable = Editable {
        url,
        layout: layout(languages.all()),
        languages: languages.all().to_vec(),
        slugs: project.targets.slugs,
        groups,
        left_out,
    };
    Checked::new(editable, diagnostics)
}

fn layout(languages: &[Language]) -> Layout {
    let place = |language: &Language| {
        let path = language.translation_of(&SourcePath::new("content/pages/a.md"));
        let (folder, suffix) =
            (format!("content/pages/{}/a.md", language.tag), format!("content/pages/a.{}.md", language.tag));
        if path.as_str() == folder {
            Layout::Folders
        } else if path.as_str() == suffix {
            Layout::Beside
        } else {
            Layout::Mixed
        }
    };
    let mut places = languages.iter().skip(1).map(place);
    let Some(first) = places.next() else { return Layout::One };
    if places.all(|place| place == first) { first } else { Layout::Mixed }
}

/// A file that was read.
struct Read<'s> {
    path: &'s SourcePath,
    kind: SourceKind,
    syntax: Syntax,
    has_text: bool,
    /// Of a list, a mapping from slug to entry.
    data: Node,
    shape: Shape,
    /// The number of its language.
    language: usize,
}

fn read<'s>(sources: &'s Sources, languages: &[Language], diagnostics: &mut Vec<Diagnostic>) -> Vec<Read<'s>> {
    let kinds = [SourceKind::Settings, SourceKind::Page, SourceKind::Entry, SourceKind::Asset];
    let mut files = Vec::new();
    for kind in kinds {
        for (path, source) in sources.of(kind) {
            let is_description = kind == SourceKind::Asset && matches!(path.extension(), Some("yaml"));
            if kind == SourceKind::Asset && !is_description {
                continue;
            }
            let language = languages.iter().position(|language| path.has_language() && language.has(path)).unwrap_or(0);
            files.extend(read_one((path, source), kind, language, diagnostics));
        }
    }
    // Originals before their translations.
    files.sort_by_key(|file| (file.kind, file.path.key(), file.language));
    files
}

fn read_one<'s>(
    (path, source): (&'s SourcePath, &'s Source),
    kind: SourceKind,
    language: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Read<'s>> {
    let text = source.text()?;
    if SourceKind::is_list(&path.key()) && kind == SourceKind::Entry {
        let syntax = Syntax::of(path, text);
        let items = lists::parse_file(path, source, &Default::default(), &|_| true, diagnostics);
        let entries = items.into_iter().map(|item| (super::yaml::Key { name: item.slug, span: item.span }, item.data));
        let data = Node { value: Value::Map(entries.collect()), span: Default::default() };
        return Some(Read { path, kind, syntax, has_text: false, data, shape: shape_of(path, text, syntax), language });
    }
    if !is_document(path) {
        return None;
    }
    let (keys, syntax) = super::keys_of_file(path, source)?;
    // A page without front matter has the format that people expect.
    let syntax = if keys.is_empty() { Syntax::Yaml } else { syntax };
    let has_text = path.extension() == Some("md");
    let data = read_file((path, source), diagnostics)?.data;
    let shape = if has_text { Shape::KeysAndText } else { Shape::Keys };
    Some(Read { path, kind, syntax, has_text, data, shape, language })
}

/// Returns how a file has all entries of a collection.
fn shape_of(path: &SourcePath, text: &str, syntax: Syntax) -> Shape {
    if syntax == Syntax::Csv {
        return Shape::Table;
    }
    match syntax.parse_any(path, text, 0, &mut Vec::new()).map(|node| node.value) {
        Some(Value::List(_)) => Shape::List,
        // A list that has a name.
        Some(Value::Map(entries)) if entries.len() == 1 && matches!(entries[0].1.value, Value::List(_)) => Shape::Keys,
        _ => Shape::Map,
    }
}

fn targets(sources: &Sources) -> Targets {
    let mut targets = Targets::default();
    for (path, source) in sources.of(SourceKind::Entry).filter(|(path, _)| !path.has_language()) {
        let Some(collection) = collection_of(path) else { continue };
        let slugs: Vec<String> = if SourceKind::is_list(path) {
            let items = lists::parse_file(path, source, &Default::default(), &|_| true, &mut Vec::new());
            items.into_iter().map(|item| item.slug).collect()
        } else if is_document(path) {
            vec![slug_of(path).to_owned()]
        } else {
            continue;
        };
        targets.slugs.entry(collection.to_owned()).or_default().extend(slugs);
    }
    let assets = sources.of(SourceKind::Asset).filter_map(|(path, _)| path.below(ASSETS));
    targets.assets = assets.map(str::to_owned).collect();
    targets
}

struct Project<'s> {
    files: Vec<Read<'s>>,
    targets: Targets,
    languages: &'s [Language],
    sources: &'s Sources,
}

struct Finder<'p, 's> {
    project: &'p Project<'s>,
    groups: Vec<Group>,
    left_out: BTreeSet<String>,
}

impl<'p, 's> Finder<'p, 's> {
    fn of(&self, kind: SourceKind) -> impl Iterator<Item = &'p Read<'s>> + use<'p, 's> {
        self.project.files.iter().filter(move |file| file.kind == kind)
    }

    fn site(&mut self) {
        let files: Vec<&Read> = self.of(SourceKind::Settings).collect();
        let originals: Vec<&Read> = files.iter().copied().filter(|file| file.language == 0).collect();
        let fields = self.fields("site", SITE, &OF_SITE, &OF_SITE, &originals);
        let files = files.into_iter().map(|file| self.file(file, "site", "Site", fields.clone())).collect();
        self.add("site", "Site", Contents::Files(files));
    }

    /// Adds the pages: for each folder the Markdown files with its most ordinary template, and all others as single files.
    fn pages(&mut self) {
        let is_edited = |page: &&Read| {
            let path = page.path.key();
            !path.as_str().contains('[') && Format::of(path.stem()).is_html() && page.data.get("for_each").is_none()
        };
        let pages: Vec<&Read> = self.of(SourceKind::Page).filter(is_edited).collect();
        let mut folders: BTreeMap<String, Vec<&Read>> = BTreeMap::new();
        for page in pages {
            folders.entry(folder_of(&page.path.key())).or_default().push(page);
        }
        let mut single: Vec<File> = Vec::new();
        let mut groups = Vec::new();
        for (folder, pages) in &folders {
            let template = ordinary(pages);
            let is_ordinary = |page: &Read| page.has_text && template == Some(named_template(page));
            let (shared, others): (Vec<&Read>, Vec<&Read>) = pages.iter().partition(|page| is_ordinary(page));
            if let Some(template) = template {
                groups.push(self.folder_of_pages(folder, template, &shared, &others));
            }
            for page in others {
                let of_template = pages.iter().copied().filter(|other| template_of(other) == template_of(page));
                let originals: Vec<&Read> = of_template.filter(|other| other.language == 0).collect();
                let fields = self.page_fields(template_of(page), &originals);
                let path = page.path.key();
                let below = path.below("content/pages").unwrap_or_default();
                single.push(self.file(page, below, &label_of(page), fields));
            }
        }
        if !single.is_empty() {
            self.add("pages", "Pages", Contents::Files(single));
        }
        for (name, label, contents) in groups.into_iter().flatten() {
            self.add(&name, &label, contents);
        }
    }

    fn folder_of_pages(
        &mut self,
        folder: &str,
        template: Option<&str>,
        pages: &[&Read],
        others: &[&Read],
    ) -> Vec<(String, String, Contents)> {
        let originals: Vec<&Read> = pages.iter().copied().filter(|page| page.language == 0).collect();
        let fields = self.page_fields(template.unwrap_or(DEFAULT_TEMPLATE), &originals);
        let name = folder.trim_start_matches("content/pages").trim_start_matches('/');
        let label =
            if name.is_empty() { "Other pages".to_owned() } else { title(name.rsplit('/').next().unwrap_or(name)) };
        let label =
            if others.iter().all(|page| !page.has_text) && name.is_empty() { "Pages".to_owned() } else { label };
        let name = if name.is_empty() { "all-pages".to_owned() } else { format!("pages-{name}") };
        let base = Folder {
            path: folder.to_owned(),
            extension: "md".to_owned(),
            syntax: common_syntax(&originals),
            fields,
            named_by: "title".to_owned(),
            is_bundled: false,
            template: template.map(str::to_owned),
            excluded: others.iter().filter(|page| page.has_text).map(|page| page.path.name().to_owned()).collect(),
            language: 0,
        };
        self.in_languages(base, pages)
            .into_iter()
            .map(|folder| {
                let (name, label) = self.in_language(&name, &label, folder.language);
                (name, label, Contents::Folder(folder))
            })
            .collect()
    }

    fn collections(&mut self) {
        let mut collections: BTreeMap<&str, Vec<&Read>> = BTreeMap::new();
        for file in self.of(SourceKind::Entry) {
            if let Some(collection) = collection_of(file.path) {
                collections.entry(collection).or_default().push(file);
            }
        }
        for (collection, files) in collections {
            let (lists, entries): (Vec<&Read>, Vec<&Read>) =
                files.into_iter().partition(|file| SourceKind::is_list(&file.path.key()));
            // A translation of `team.yaml` is called after it.
            let collection = collection.split('.').next().unwrap_or(collection);
            if !lists.is_empty() {
                self.list(collection, &lists);
            }
            let mut extensions: BTreeMap<&str, Vec<&Read>> = BTreeMap::new();
            for entry in entries {
                extensions.entry(entry.path.extension().unwrap_or_default()).or_default().push(entry);
            }
            let is_only = extensions.len() == 1;
            for (extension, entries) in extensions {
                self.folder_of_entries(collection, extension, &entries, is_only);
            }
        }
    }

    fn folder_of_entries(&mut self, collection: &str, extension: &str, entries: &[&Read], is_only: bool) {
        let originals: Vec<&Read> = entries.iter().copied().filter(|entry| entry.language == 0).collect();
        let fields = self.fields(collection, ENTRY, &ALWAYS[1..], &IF_USED, &originals);
        let has_text = extension == "md";
        let Some(named_by) = name_key(&fields) else {
            self.left_out.insert(format!("content/{collection}: no key has a text that could name a new entry"));
            return;
        };
        let is_bundle = |entry: &&Read| folder_of_its_own(&entry.path.key()).is_some();
        let bundled = originals.iter().copied().filter(|entry| is_bundle(entry)).count();
        let is_bundled = !originals.is_empty() && bundled == originals.len();
        if bundled > 0 && !is_bundled {
            self.left_out.insert(format!("content/{collection}: entries in folders of their own, as others are none"));
        }
        let base = Folder {
            path: format!("content/{collection}"),
            extension: extension.to_owned(),
            syntax: if has_text {
                common_syntax(&originals)
            } else {
                Syntax::of(&SourcePath::new(format!("a.{extension}")), "")
            },
            fields,
            named_by,
            is_bundled,
            template: None,
            excluded: Vec::new(),
            language: 0,
        };
        let name = if is_only { collection.to_owned() } else { format!("{collection}-{extension}") };
        let label = if is_only { title(collection) } else { format!("{} (.{extension})", title(collection)) };
        for folder in self.in_languages(base, entries) {
            let (name, label) = self.in_language(&name, &label, folder.language);
            self.add(&name, &label, Contents::Folder(folder));
        }
    }

    fn list(&mut self, collection: &str, lists: &[&Read]) {
        let originals: Vec<&Read> = lists.iter().copied().filter(|list| list.language == 0).collect();
        let entries: Vec<(&SourcePath, &Node)> =
            originals.iter().flat_map(|list| list.data.entries().iter().map(|(_, node)| (list.path, node))).collect();
        let fields = self.fields_of(collection, ENTRY, &[], &IF_USED, &entries);
        let files = lists.iter().map(|list| {
            let fields = match list.shape {
                // The list is below a key.
                Shape::Keys => list_field(self.project.sources, list.path, &fields).into_iter().collect(),
                _ => fields.clone(),
            };
            self.file(list, collection, &title(collection), fields)
        });
        let files = files.collect();
        self.add(&format!("{collection}-list"), &title(collection), Contents::Files(files));
    }

    fn pictures(&mut self) {
        let schema: Json = serde_json::from_str(PICTURE).unwrap_or_default();
        let mut reader = FieldReader::new(&schema, &self.project.targets);
        let mut fields = reader.fields(&schema, &[]);
        fields.iter_mut().filter(|field| field.name == "focus").for_each(|field| field.is_text = false);
        let files = self.of(SourceKind::Asset).map(|file| {
            let path = file.path.key();
            let name = path.below(ASSETS).or_else(|| path.below("content")).unwrap_or_default();
            let label = path.stem().to_owned();
            self.file(file, name, &label, fields.clone())
        });
        let files: Vec<File> = files.collect();
        if !files.is_empty() {
            self.add("pictures", "Pictures", Contents::Files(files));
        }
    }

    fn page_fields(&mut self, template: &str, pages: &[&Read]) -> Vec<Field> {
        let name = template.rsplit_once('.').map_or(template, |(name, _)| name).to_owned();
        let mut fields = self.fields(&name, PAGE, &ALWAYS, &IF_USED, pages);
        if !fields.iter().any(|field| field.name == "description") {
            let position = fields.iter().position(|field| field.name == "title").map_or(0, |position| position + 1);
            let engine = self.engine_fields(PAGE, &["description"], &[]);
            fields.splice(position..position, engine);
        }
        fields
    }

    fn fields(&mut self, name: &str, engine: &str, always: &[&str], if_used: &[&str], files: &[&Read]) -> Vec<Field> {
        let nodes: Vec<(&SourcePath, &Node)> = files.iter().map(|file| (file.path, &file.data)).collect();
        self.fields_of(name, engine, always, if_used, &nodes)
    }

    /// Returns the fields of some mappings: those of the schema with a name, or of the keys that the mappings have, and the keys of
    /// the engine that forms have.
    fn fields_of(
        &mut self,
        name: &str,
        engine: &str,
        always: &[&str],
        if_used: &[&str],
        nodes: &[(&SourcePath, &Node)],
    ) -> Vec<Field> {
        let values: Vec<Json> = nodes.iter().map(|(_, node)| node.to_json()).collect();
        let values: Vec<&Json> = values.iter().collect();
        let engine_keys = keys_of(engine);
        let path = SourcePath::new(format!("content/schemas/{name}.schema.json"));
        let own = self.project.sources.text(&path).and_then(|text| serde_json::from_str::<Json>(text).ok());
        let schema = own.unwrap_or_else(|| inferred::keys(nodes, &engine_keys));
        let mut reader = FieldReader::new(&schema, &self.project.targets);
        let mut fields = reader.fields(&schema, &values);
        let is_editable = |key: &str| {
            !engine_keys.contains_key(key) && key != "slug" && key != "translates"
                || always.contains(&key)
                || if_used.contains(&key)
        };
        fields.retain(|field| is_editable(&field.name));
        let left_out = reader.left_out.into_iter().filter(|key| is_editable(key.split('.').next().unwrap_or(key)));
        self.left_out.extend(left_out.map(|key| format!("{name}: {key}")));
        let is_used = |key: &&str| values.iter().any(|value| value.get(*key).is_some());
        let wanted: Vec<&str> = always
            .iter()
            .copied()
            .chain(if_used.iter().copied().filter(is_used))
            .filter(|key| !fields.iter().any(|field| field.name == *key))
            .collect();
        let mut more = self.engine_fields(engine, &wanted, &values);
        let is_first = |field: &Field| ["title", "name", "description"].contains(&field.name.as_str());
        let (mut first, last): (Vec<Field>, Vec<Field>) = more.drain(..).partition(is_first);
        first.extend(fields);
        first.extend(last);
        first
    }

    /// Returns the fields of some keys of the engine.
    fn engine_fields(&self, engine: &str, wanted: &[&str], values: &[&Json]) -> Vec<Field> {
        let schema: Json = serde_json::from_str(engine).unwrap_or_default();
        let schema = resolved(&schema, &schema);
        let mut fields = FieldReader::new(&schema, &self.project.targets).fields(&schema, values);
        fields.retain(|field| wanted.contains(&field.name.as_str()));
        for field in &mut fields {
            field.is_text = ["title", "description", "name"].contains(&field.name.as_str());
            if let FieldKind::Text { form, .. } = &mut field.kind
                && field.name == "description"
            {
                *form = TextForm::Paragraph;
            }
        }
        fields
    }

    fn file(&self, file: &Read, name: &str, label: &str, fields: Vec<Field>) -> File {
        let stem =
            name.rsplit_once('.').filter(|(_, extension)| !extension.contains('/')).map_or(name, |(stem, _)| stem);
        let (name, label) = self.in_language(&plain(stem), label, file.language);
        let fields = if file.language == 0 { fields } else { translated(&fields) };
        let (path, syntax, shape, language) = (file.path.clone(), file.syntax, file.shape, file.language);
        File { name, label, path, syntax, shape, fields, language }
    }

    /// Returns a folder, and the folders that have its translations if the site has these in folders.
    fn in_languages(&self, base: Folder, files: &[&Read]) -> Vec<Folder> {
        let mut folders = vec![base];
        let used: BTreeSet<usize> = files.iter().map(|file| file.language).filter(|language| *language > 0).collect();
        for language in used {
            let base = &folders[0];
            let example = SourcePath::new(format!("{}/a.md", base.path));
            let path = folder_of(&self.project.languages[language].translation_of(&example));
            if path != base.path {
                let fields = translated(&base.fields);
                folders.push(Folder { path, fields, language, ..base.clone() });
            }
        }
        folders
    }

    fn in_language(&self, name: &str, label: &str, language: usize) -> (String, String) {
        match self.project.languages.get(language).filter(|_| language > 0) {
            Some(language) => (format!("{name}-{}", language.tag), format!("{label} ({})", language.name)),
            None => (name.to_owned(), label.to_owned()),
        }
    }

    fn add(&mut self, name: &str, label: &str, mut contents: Contents) {
        if let Contents::Files(files) = &mut contents {
            let mut names = BTreeSet::new();
            for file in files.iter_mut() {
                file.name = unused(&file.name, &names);
                names.insert(file.name.clone());
            }
            if files.is_empty() {
                return;
            }
        }
        let names = self.groups.iter().map(|group| group.name.clone()).collect();
        self.groups.push(Group { name: unused(&plain(name), &names), label: label.to_owned(), contents });
    }
}

/// Returns the fields of a translation, which has only what differs: the texts, and none of them is required. A list replaces that of
/// the original as a whole.
pub fn translated(fields: &[Field]) -> Vec<Field> {
    let texts = fields.iter().filter(|field| field.is_text);
    let texts = texts.map(|field| match &field.kind {
        FieldKind::Object(fields) => Field { kind: FieldKind::Object(translated(fields)), ..field.clone() },
        _ => field.clone(),
    });
    texts.map(|field| Field { is_required: false, default: None, ..field }).collect()
}

/// Returns fields of which none is required.
pub fn optional(fields: &[Field]) -> Vec<Field> {
    let fields = fields.iter().map(|field| match &field.kind {
        FieldKind::Object(fields) => Field { kind: FieldKind::Object(optional(fields)), ..field.clone() },
        _ => field.clone(),
    });
    fields.map(|field| Field { is_required: false, ..field }).collect()
}

fn keys_of(engine: &str) -> serde_json::Map<String, Json> {
    let schema: Json = serde_json::from_str(engine).unwrap_or_default();
    schema["properties"].as_object().cloned().unwrap_or_default()
}

/// Returns the field of a list that is below the only key of a file.
fn list_field(sources: &Sources, path: &SourcePath, fields: &[Field]) -> Option<Field> {
    let text = sources.text(path)?;
    let node = Syntax::of(path, text).parse_any(path, text, 0, &mut Vec::new())?;
    let name = node.entries().first()?.0.name.clone();
    let object = |name: &str, label: String, kind: FieldKind| Field {
        name: name.to_owned(),
        label,
        hint: None,
        is_required: true,
        default: None,
        is_text: fields.iter().any(|field| field.is_text),
        kind,
    };
    let item = object("item", "Entry".to_owned(), FieldKind::Object(fields.to_vec()));
    Some(object(&name, title(&name), FieldKind::List { item: Box::new(item), limits: Default::default() }))
}

/// Returns the template that the Markdown pages of a folder name to which new ones are added: none, or else the most used.
fn ordinary<'n>(pages: &[&'n Read]) -> Option<Option<&'n str>> {
    let mut uses: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for page in pages.iter().filter(|page| page.has_text && page.language == 0) {
        *uses.entry(named_template(page)).or_default() += 1;
    }
    if uses.contains_key(&None) {
        return Some(None);
    }
    let (template, uses) = uses.into_iter().max_by_key(|(_, uses)| *uses)?;
    (uses > 1).then_some(template)
}

fn named_template<'n>(page: &'n Read) -> Option<&'n str> {
    page.data.get("template").and_then(Node::text).filter(|template| !template.is_empty())
}

fn template_of<'n>(page: &'n Read) -> &'n str {
    named_template(page).unwrap_or(DEFAULT_TEMPLATE)
}

/// Returns the title of a page, or the name of its file if that is made of other values.
fn label_of(page: &Read) -> String {
    let text = page.data.get("title").and_then(Node::text).filter(|text| !text.is_empty() && !text.contains("{{"));
    text.map_or_else(|| title(page.path.stem()), str::to_owned)
}

fn folder_of(path: &SourcePath) -> String {
    path.as_str().rsplit_once('/').map_or("", |(folder, _)| folder).to_owned()
}

/// Returns the format that most files have their keys in.
fn common_syntax(files: &[&Read]) -> Syntax {
    let count = |syntax: Syntax| files.iter().filter(|file| file.syntax == syntax).count();
    let mut all = [Syntax::Json, Syntax::Toml, Syntax::Yaml];
    all.sort_by_key(|syntax| count(*syntax));
    all[2]
}

/// Returns the key that names a new entry.
fn name_key(fields: &[Field]) -> Option<String> {
    let is_line =
        |field: &&Field| matches!(field.kind, FieldKind::Text { form: TextForm::Line | TextForm::Paragraph, .. });
    let named = ["title", "name", "label"].into_iter().find_map(|name| fields.iter().find(|field| field.name == name));
    named.filter(is_line).or_else(|| fields.iter().find(is_line)).map(|field| field.name.clone())
}

/// Returns a name of letters, digits, `-` and `_`.
fn plain(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '-' };
    name.chars().map(plain).collect()
}

fn unused(name: &str, used: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !used.contains(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn editable(files: &[(&str, &str)]) -> Editable {
        let checked = of(&Sources::from_files(files.iter().copied()), &Cache::default());
        assert_eq!(checked.diagnostics, []);
        checked.value.unwrap()
    }

    fn folder<'e>(editable: &'e Editable, name: &str) -> &'e Folder {
        let group = editable.groups.iter().find(|group| group.name == name);
        match group.map(|group| &group.contents) {
            Some(Contents::Folder(folder)) => folder,
            _ => panic!("{name} in {editable:?}"),
        }
    }

    fn files<'e>(editable: &'e Editable, name: &str) -> Vec<&'e File> {
        let group = editable.groups.iter().find(|group| group.name == name);
        match group.map(|group| &group.contents) {
            Some(Contents::Files(files)) => files.iter().collect(),
            _ => panic!("{name} in {editable:?}"),
        }
    }

    fn names(fields: &[Field]) -> Vec<&str> {
        fields.iter().map(|field| field.name.as_str()).collect()
    }

    const SITE_YAML: (&str, &str) = (
        "content/site.yaml",
        "url: https://www.bakery.test\nlanguage: en\nname: Bakery\nphone: 12 34\nredirects: []\n",
    );

    #[test]
    fn pages_are_edited_by_folder_and_those_with_other_templates_alone() {
        let editable = editable(&[
            SITE_YAML,
            ("content/pages/index.md", "---\ntitle: Home\ntemplate: pages/home.html\nlead: Fresh\n---\n"),
            ("content/pages/about.md", "---\ntitle: About\n---\nText\n"),
            ("content/pages/news/index.yaml", "title: News\nlist: { collection: news }\n"),
            ("content/pages/news/[slug].yaml", "for_each: news\ntitle: \"{{ entry.title }}\"\n"),
            ("content/pages/feed.xml.yaml", "template: feed.xml\n"),
            ("content/pages/guides/a.md", "---\ntitle: A\ntemplate: pages/guide.html\n---\n"),
            ("content/pages/guides/b.md", "+++\ntitle = \"B\"\ntemplate = \"pages/guide.html\"\n+++\n"),
            ("content/pages/guides/c.md", "---\ntitle: C\ntemplate: pages/guide.html\n---\n"),
        ]);
        assert_eq!(editable.url.as_deref(), Some("https://www.bakery.test"));
        assert_eq!(names(&files(&editable, "site")[0].fields), ["name", "description", "phone", "email"]);
        let single: Vec<&str> = files(&editable, "pages").iter().map(|file| file.label.as_str()).collect();
        assert_eq!(single, ["Home", "News"]);
        assert_eq!(
            names(&files(&editable, "pages")[0].fields),
            ["title", "description", "lead", "draft", "publish", "expires"]
        );
        let root = folder(&editable, "all-pages");
        assert_eq!((root.path.as_str(), &root.excluded[..]), ("content/pages", &["index.md".to_owned()][..]));
        let guides = folder(&editable, "pages-guides");
        assert_eq!((guides.syntax, guides.template.as_deref()), (Syntax::Yaml, Some("pages/guide.html")));
    }

    #[test]
    fn collections_are_folders_lists_and_tables() {
        let editable = editable(&[
            SITE_YAML,
            ("content/news/first.md", "---\ntitle: First\nauthor: ada\norder: 2\n---\n"),
            ("content/news/second.md", "---\ntitle: Second\nauthor: bo\n---\n"),
            ("content/team/ada.yaml", "name: Ada\n"),
            ("content/team/bo.yaml", "name: Bo\n"),
            ("content/beers/heron/index.md", "---\nname: Heron\n---\n"),
            ("content/prices.csv", "name,price\nRye,4.80\n"),
            ("content/jobs.yaml", "- title: Baker\n  open: true\n"),
            ("content/shops.json", "{ \"shops\": [{ \"name\": \"Mill\" }] }"),
            ("content/words.yaml", "rye:\n  name: Rye\n"),
        ]);
        let news = folder(&editable, "news");
        assert_eq!(names(&news.fields), ["title", "author", "order", "draft", "publish", "expires"]);
        assert_eq!(news.fields[1].kind, FieldKind::Reference { collection: "team".to_owned(), list: None });
        assert_eq!((news.named_by.as_str(), folder(&editable, "team").named_by.as_str()), ("title", "name"));
        assert!(folder(&editable, "beers").is_bundled);
        for (name, shape) in
            [("prices", Shape::Table), ("jobs", Shape::List), ("shops", Shape::Keys), ("words", Shape::Map)]
        {
            assert_eq!(files(&editable, &format!("{name}-list"))[0].shape, shape, "{name}");
        }
        assert!(matches!(&files(&editable, "shops-list")[0].fields[0].kind, FieldKind::List { .. }));
    }

    #[test]
    fn translations_need_no_values() {
        let site = "url: https://www.bakery.test\nlanguage: en\nname: Bakery\nlanguages:\n  de: { name: Deutsch }\n";
        let beside = editable(&[
            ("content/site.yaml", site),
            ("content/site.de.yaml", "name: Bäckerei\n"),
            ("content/news/first.md", "---\ntitle: First\n---\n"),
            ("content/news/first.de.md", "---\ntitle: Erste\n---\n"),
        ]);
        assert_eq!(beside.layout, Layout::Beside);
        let german = files(&beside, "site")[1];
        assert_eq!((german.name.as_str(), german.label.as_str(), german.language), ("site-de", "Site (Deutsch)", 1));
        assert!(german.fields.iter().all(|field| !field.is_required));
        assert_eq!(beside.groups.iter().filter(|group| group.name.starts_with("news")).count(), 1);
        let site = site.replace("Deutsch", "Deutsch, folder: de");
        let folders = editable(&[
            ("content/site.yaml", site.as_str()),
            ("content/news/first.md", "---\ntitle: First\n---\n"),
            ("content/news/de/first.md", "---\ntitle: Erste\n---\n"),
        ]);
        assert_eq!(folders.layout, Layout::Folders);
        assert_eq!(folder(&folders, "news-de").path, "content/news/de");
    }
}
