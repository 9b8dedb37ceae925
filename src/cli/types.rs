//! `sitegen types`: what an editor and `tsc` have to know of islands and of the content that templates give them, in
//! `.sitegen/types`.

use super::{BUILT, FAILED};
use crate::content::SITE_FILE;
use crate::diagnostics::{Diagnostic, ToolProblem, print};
use crate::islands::runtime::TYPES;
use crate::sources::{self, SCHEMA, SourceKind, Sources};
use crate::tools::scratch;
use clap::Args;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

/// Where the schemas of content lie, and in it those of the templates of pages.
const SCHEMAS: &str = "content/schemas";
const PAGES: &str = "pages/";

/// What islands import types of content from.
const CONTENT: &str = "islands/content.d.ts";

/// The keys that templates find in every entry, beside its own.
const ENTRY: &str = "\
/** What every entry has beside its own keys. */
export type Entry = {
  /** Its file's name without the ending. */
  slug: string;
  /** Whether its last day is over. */
  expired: boolean;
  /** The path of its page, if it has one. */
  route?: string;
  /** The address of its page, if it has one. */
  url?: string;
  /** Its text as HTML. */
  content?: string;
};
";

/// How often a schema may refer to another part of itself before the type is `unknown`.
const MOST_REFERENCES: usize = 8;

#[derive(Args)]
pub struct Arguments {
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    let root = &arguments.root;
    let fail = |failure: Diagnostic| {
        print_error!("{}", print(&failure, io::stderr().is_terminal(), &|_| None));
        FAILED
    };
    if !root.join(SITE_FILE).is_file() {
        return fail(Diagnostic::failure(ToolProblem::NoProject { folder: "this folder".to_owned() }));
    }
    if let Some(refusal) = scratch::refusal(root) {
        return fail(refusal);
    }
    let folder = root.join(".sitegen/types");
    match write(root, &folder) {
        Ok(count) => {
            print_line!("wrote {count} files to .sitegen/types");
            BUILT
        }
        Err(error) => {
            let (path, detail) = (folder.display().to_string(), error.to_string());
            fail(Diagnostic::failure(ToolProblem::Io { action: "write to", path, detail }))
        }
    }
}

fn write(root: &Path, folder: &Path) -> io::Result<usize> {
    // Types of islands that are gone.
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let sources = sources::read(root).value.unwrap_or_default();
    let mut files: Vec<(String, String)> =
        TYPES.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    for (path, _) in sources.of(SourceKind::Props) {
        let Some(name) = path.below("islands").and_then(|name| name.strip_suffix(SCHEMA)) else { continue };
        // A build reports a schema that cannot be read.
        let Some(schema) = sources.text(path).and_then(|text| serde_json::from_str::<Json>(text).ok()) else {
            continue;
        };
        let text =
            format!("// From islands/{name}{SCHEMA}.\nexport type Props = {};\n", type_of(&schema, &schema, 0, 0));
        files.push((format!("islands/{name}.props.d.ts"), text));
    }
    files.extend(content(&sources).map(|text| (CONTENT.to_owned(), text)));
    for (path, text) in &files {
        let path = folder.join(path);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)?;
    }
    Ok(files.len())
}

/// Returns the types of entries, of `site.yaml` and of pages, by their schemas. Nothing if there are no schemas.
fn content(sources: &Sources) -> Option<String> {
    let (mut out, mut names) = (String::new(), BTreeSet::from(["Entry".to_owned()]));
    for (path, _) in sources.of(SourceKind::Schema) {
        let Some(file) = path.below(SCHEMAS).and_then(|file| file.strip_suffix(SCHEMA)) else { continue };
        let Some(schema) = sources.text(path).and_then(|text| serde_json::from_str::<Json>(text).ok()) else {
            continue;
        };
        let (name, more) = match file.strip_prefix(PAGES) {
            Some(template) => (format!("{}Page", type_name(template)), ""),
            None if file == "site" => ("Site".to_owned(), ""),
            None => (type_name(file), " & Entry"),
        };
        // Two names may differ in their hyphens only.
        if names.insert(name.clone()) {
            let written = type_of(&schema, &schema, 0, 0);
            out.push_str(&format!("\n// From {path}.\nexport type {name} = {written}{more};\n"));
        }
    }
    (!out.is_empty()).then(|| format!("{ENTRY}{out}"))
}

/// Returns the name of a collection or a template as TypeScript writes names of types: `PressReleases` of `press-releases`.
fn type_name(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let joined: String = words
        .map(|word| {
            let mut letters = word.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
        })
        .collect();
    if joined.starts_with(|letter: char| letter.is_alphabetic()) { joined } else { format!("Of{joined}") }
}

/// Returns the type of what a schema allows, as TypeScript writes it.
fn type_of(schema: &Json, root: &Json, indent: usize, references: usize) -> String {
    let inner = |schema: &Json| type_of(schema, root, indent, references);
    let joined = |types: Vec<String>, by: &str| match &types[..] {
        [one] => one.clone(),
        _ => format!("({})", types.join(by)),
    };
    if let Some(name) = schema["$ref"].as_str().and_then(|name| name.strip_prefix('#')) {
        let target = root.pointer(name).filter(|_| references < MOST_REFERENCES);
        return target.map_or("unknown".to_owned(), |target| type_of(target, root, indent, references + 1));
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    for (name, by) in [("enum", " | "), ("anyOf", " | "), ("oneOf", " | "), ("allOf", " & ")] {
        let Some(parts) = schema[name].as_array().filter(|parts| !parts.is_empty()) else { continue };
        let types = parts.iter().map(|part| if name == "enum" { part.to_string() } else { inner(part) });
        return joined(types.collect(), by);
    }
    let kinds: Vec<&str> = match &schema["type"] {
        Json::Array(kinds) => kinds.iter().filter_map(Json::as_str).collect(),
        kind => kind.as_str().into_iter().collect(),
    };
    let is_object = kinds.is_empty() && schema.get("properties").is_some();
    let kinds = if is_object { vec!["object"] } else { kinds };
    let types = kinds.into_iter().map(|kind| match kind {
        "string" | "boolean" | "null" => kind.to_owned(),
        "integer" | "number" => "number".to_owned(),
        "array" => format!("{}[]", schema.get("items").map_or("unknown".to_owned(), inner)),
        "object" => object(schema, root, indent, references),
        _ => "unknown".to_owned(),
    });
    let types: Vec<String> = types.collect();
    if types.is_empty() { "unknown".to_owned() } else { joined(types, " | ") }
}

fn object(schema: &Json, root: &Json, indent: usize, references: usize) -> String {
    let space = " ".repeat(indent + 2);
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
    let mut text = String::from("{\n");
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(purpose) = property["description"].as_str() {
            let purpose = purpose.split_whitespace().collect::<Vec<_>>().join(" ").replace("*/", "* /");
            text.push_str(&format!("{space}/** {purpose} */\n"));
        }
        let mark = if required.contains(&name.as_str()) { "" } else { "?" };
        let written = type_of(property, root, indent + 2, references);
        text.push_str(&format!("{space}{}{mark}: {written};\n", Json::from(name.as_str())));
    }
    if schema.get("additionalProperties") != Some(&Json::Bool(false)) {
        text.push_str(&format!("{space}[key: string]: unknown;\n"));
    }
    text.push_str(&format!("{}}}", " ".repeat(indent)));
    text
}
