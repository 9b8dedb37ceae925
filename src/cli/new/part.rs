//! `sitegen new page`, `entry`, `island` and `component`: a file that the project's `check` accepts. Nothing is
//! overwritten.

use super::super::{BUILT, FAILED, USAGE, project};
use super::{failed, in_quotes, write_new};
use crate::content::blank::{self, Blank};
use crate::content::collections::slug_of;
use crate::content::{DEFAULT_TEMPLATE, SITE_FILE, inferred, is_document};
use crate::diagnostics::{Diagnostic, ToolProblem, nearest, print};
use crate::paths::{SourcePath, is_of_address};
use crate::sources::{self, SCHEMA, SourceKind, Sources};
use crate::templates::lexer::named;
use crate::tools::{DiskTools, FOR_COMPONENTS, Tools as _, listed, needed_packages, with_version};
use clap::Args;
use std::collections::BTreeSet;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Page {
    /// The page's path: `about/team` creates content/pages/about/team.md; `about/team.yaml` is a page without Markdown
    path: String,
    /// The template of the page, relative to templates/, like `pages/legal.html` [default: pages/page.html]
    #[arg(long, value_name = "FILE")]
    template: Option<String>,
    #[command(flatten)]
    project: Root,
}

#[derive(Args)]
pub struct Entry {
    /// The collection and entry name: `news/second-well` creates content/news/second-well.md
    #[arg(value_name = "COLLECTION/NAME")]
    name: String,
    #[command(flatten)]
    project: Root,
}

#[derive(Args)]
pub struct Island {
    /// The island name: `Newsletter` creates the React component islands/Newsletter.tsx; `Menu.ts` needs no React
    name: String,
    #[command(flatten)]
    project: Root,
}

#[derive(Args)]
pub struct Component {
    /// The component name: `card` creates templates/components/card.html, or card/card.html if the other components have folders
    name: String,
    #[command(flatten)]
    project: Root,
}

#[derive(Args)]
#[group(skip)]
struct Root {
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Why nothing was written: the problem, and the next step.
struct Refusal(String, String);

/// A file to write, others that belong to it, and what to do next.
struct File {
    path: String,
    text: String,
    /// Those that exist stay as they are.
    others: Vec<(String, String)>,
    next: Vec<String>,
}

/// Writes a page, and returns the exit code.
pub fn page(arguments: &Page) -> u8 {
    let template = arguments.template.as_deref();
    run(&arguments.project.root, &|sources| new_page(sources, &arguments.path, template))
}

/// Writes an entry, and returns the exit code.
pub fn entry(arguments: &Entry) -> u8 {
    let root = &arguments.project.root;
    run(root, &|sources| new_entry(sources, &arguments.name, root))
}

/// Writes an island, and returns the exit code.
pub fn island(arguments: &Island) -> u8 {
    let root = &arguments.project.root;
    run(root, &|sources| new_island(sources, &arguments.name, root))
}

/// Writes a component, and returns the exit code.
pub fn component(arguments: &Component) -> u8 {
    run(&arguments.project.root, &|sources| new_component(sources, &arguments.name))
}

/// Reads the project, writes the file, and returns the exit code.
fn run(root: &Path, make: &dyn Fn(&Sources) -> Result<File, Refusal>) -> u8 {
    if !root.join(SITE_FILE).is_file() {
        let folder = if root == Path::new(".") { "this folder".to_owned() } else { root.display().to_string() };
        let failure = Diagnostic::failure(ToolProblem::NoProject { folder });
        print_error!("{}", print(&failure, std::io::stderr().is_terminal(), &|_| None));
        return FAILED;
    }
    let sources = sources::read(root).value.unwrap_or_default();
    let File { path, text, others, next } = match make(&sources) {
        Ok(file) => file,
        Err(Refusal(problem, help)) => {
            print_error!("{problem}");
            print_error!("  = help: {help}");
            return USAGE;
        }
    };
    let file = root.join(&path);
    let folder = file.parent().map_or(Ok(()), std::fs::create_dir_all);
    if let Err(error) = folder.and_then(|()| write_new(&file, text.as_bytes())) {
        return failed("write", &file, &error);
    }
    print_line!("wrote {path}");
    for (path, text) in others {
        let file = root.join(&path);
        match write_new(&file, text.as_bytes()) {
            Ok(()) => print_line!("wrote {path}"),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(error) => return failed("write", &file, &error),
        }
    }
    next.iter().for_each(|line| print_line!("  {line}"));
    BUILT
}

fn new_page(sources: &Sources, name: &str, template: Option<&str>) -> Result<File, Refusal> {
    let (name, extension) = split_extension(below(name, "content/pages/"), "md");
    if name.contains('[') {
        let help = "write it by hand; the guide \"Pages from content\" shows how".to_owned();
        return Err(Refusal(format!("`{name}` has a variable, so it makes a page for every entry"), help));
    }
    check_name(name, "")?;
    let address = |name: &str| name.strip_suffix("/index").unwrap_or(name).to_lowercase();
    let is_same = |path: &&SourcePath| {
        let other = path.below("content/pages").and_then(|other| other.rsplit_once('.'));
        other.is_some_and(|(other, _)| address(other) == address(name))
    };
    refuse_existing(sources.of(SourceKind::Page).map(|(path, _)| path).find(is_same))?;
    let templates: Vec<&str> =
        sources.of(SourceKind::Template).filter_map(|(path, _)| path.below("templates")).collect();
    let wanted = template.unwrap_or(DEFAULT_TEMPLATE);
    if !templates.contains(&wanted) {
        let pages = templates.iter().copied().filter(|name| name.starts_with("pages/"));
        let help = match nearest(wanted, pages.clone()).filter(|_| template.is_some()) {
            Some(nearest) => format!("did you mean `--template {nearest}`?"),
            None => match pages.map(|name| format!("`{name}`")).collect::<Vec<_>>() {
                names if names.is_empty() => format!("write templates/{wanted} first"),
                names => format!("choose a template with `--template`: {}", names.join(", ")),
            },
        };
        return Err(Refusal(format!("there is no templates/{wanted}"), help));
    }
    let path = SourcePath::new(format!("content/pages/{name}.{extension}"));
    let Blank { text, open } = blank::page(sources, &path, template, &words(name), project::today());
    Ok(File { path: path.as_str().to_owned(), text, others: Vec::new(), next: steps(open) })
}

fn new_entry(sources: &Sources, name: &str, root: &Path) -> Result<File, Refusal> {
    let name = below(name, "content/");
    let Some((collection, slug)) = name.split_once('/') else {
        let help = "write it like `sitegen new entry news/second-well`".to_owned();
        return Err(Refusal(format!("`{name}` does not say which collection the entry is for"), help));
    };
    let mut collections: BTreeSet<String> = inferred::collections(sources);
    let schemas = sources.of(SourceKind::Schema).filter_map(|(path, _)| path.below("content/schemas"));
    let schemas = schemas.filter_map(|name| name.strip_suffix(SCHEMA));
    collections.extend(schemas.filter(|name| !name.contains('/') && *name != "site").map(str::to_owned));
    // A folder may have no entry yet.
    let is_folder = || check_name(collection, "").is_ok() && root.join("content").join(collection).is_dir();
    let is_entry = SourceKind::of(&SourcePath::new(format!("content/{collection}/{slug}"))) == SourceKind::Entry;
    if !is_entry || !collections.contains(collection) && !is_folder() {
        let help = match nearest(collection, collections.iter().map(String::as_str)) {
            Some(nearest) => format!("did you mean `{nearest}/{slug}`?"),
            None if collection == "pages" => format!("a page is written with `sitegen new page {slug}`"),
            None => format!("for a new collection, make the folder content/{collection} first"),
        };
        return Err(Refusal(format!("there is no collection `{collection}`"), help));
    }
    let folder = format!("content/{collection}");
    let files = || sources.below(&folder).map(|(path, _)| path);
    let count = |extension: &str| files().filter(|path| path.extension() == Some(extension)).count();
    let (slug, extension) = split_extension(slug, if count("yaml") > count("md") { "yaml" } else { "md" });
    if slug.contains('/') {
        let help = format!("write it like `{collection}/{}`", slug.replace('/', "-"));
        return Err(Refusal(format!("an entry is a file directly in {folder}, not in a subfolder"), help));
    }
    check_name(slug, &format!("{collection}/"))?;
    refuse_existing(files().find(|path| is_document(path) && slug_of(path).to_lowercase() == slug.to_lowercase()))?;
    let path = SourcePath::new(format!("{folder}/{slug}.{extension}"));
    let Blank { text, open } = blank::entry(sources, &path, &words(slug), project::today());
    Ok(File { path: path.as_str().to_owned(), text, others: Vec::new(), next: steps(open) })
}

fn new_component(sources: &Sources, name: &str) -> Result<File, Refusal> {
    let name = below(name, "templates/components/");
    let name = name.strip_suffix(".html").unwrap_or(name);
    // It is the name of a file and of a class, and with `_` for `-` that of the component.
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.chars().all(is_letter) {
        let help = format!("write it like `{}`", slug_or(name, "card"));
        return Err(Refusal(format!("`{name}` is not a valid component name"), help));
    }
    let called = name.replace('-', "_");
    let defines = |text: &str| named(text, "component").contains(&called.as_str());
    let templates = || sources.of(SourceKind::Template).map(|(path, _)| path);
    refuse_existing(templates().find(|path| sources.text(path).is_some_and(defines)))?;
    // As the other components lie: each in a folder of its own, or not.
    let is_in_folder = |path: &SourcePath| path.below("templates/components").is_some_and(|file| file.contains('/'));
    let file = if templates().any(is_in_folder) { format!("{name}/{name}.html") } else { format!("{name}.html") };
    let path = SourcePath::new(format!("templates/components/{file}"));
    refuse_existing(sources.get_key_value(&path).map(|(path, _)| path))?;
    let call = format!("{{{{ <{called} title=\"…\" /> }}}}");
    let text = format!(
        "{{# Say here what it is for. Templates and Markdown call it: {call} #}}\n\
         {{% component {called}(title: string) %}}\n<div class=\"{name}\">\n<p>{{{{ title }}}}</p>\n</div>\n\
         {{% endcomponent {called} %}}\n"
    );
    let next = vec![format!("Call it in a template or in Markdown: {call}"), UNUSED.to_owned()];
    Ok(File { path: path.as_str().to_owned(), text, others: Vec::new(), next })
}

/// What to expect of a file that only a template can use.
const UNUSED: &str = "Until then, `sitegen check` warns that nothing uses it.";

fn new_island(sources: &Sources, name: &str, root: &Path) -> Result<File, Refusal> {
    let name = below(name, "islands/");
    let (name, extension) = match name.rsplit_once('.') {
        Some((name, extension @ ("ts" | "tsx"))) => (name, extension),
        _ => (name, "tsx"),
    };
    let is_valid = name.starts_with(|first: char| first.is_ascii_uppercase())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric());
    if !is_valid {
        // React takes a name with a small letter for an element of HTML.
        let capital = |word: &str| word.get(..1).unwrap_or_default().to_uppercase() + word.get(1..).unwrap_or_default();
        let better: String = slug_or(name, "newsletter").split('-').map(capital).collect();
        let better =
            if better.starts_with(|first: char| first.is_ascii_digit()) { "Newsletter".into() } else { better };
        return Err(Refusal(format!("`{name}` is not a valid island name"), format!("write it like `{better}`")));
    }
    let is_same = |path: &&SourcePath| {
        let is_script = matches!(path.extension(), Some("ts" | "tsx" | "js" | "jsx"));
        let file = path.below("islands").filter(|file| !file.contains('/') && is_script);
        file.is_some_and(|_| path.stem().eq_ignore_ascii_case(name))
    };
    refuse_existing(sources.of(SourceKind::Island).map(|(path, _)| path).find(is_same))?;
    let call = format!("{{{{ island(component=\"{name}\", props={{\"label\": \"Show\"}}) }}}}");
    let start = format!("// Say here what it is for. A template calls it: {call}\n");
    let text = if extension == "ts" { start + PLAIN } else { start + &REACT.replace("NAME", name) };
    let mut next = vec![format!("Call it in a template: {call}"), UNUSED.to_owned()];
    next.extend(missing_packages(root, extension == "tsx"));
    let schema = (format!("islands/{name}{SCHEMA}"), PROPS.replace("NAME", &format!("{name}.{extension}")));
    let others = vec![schema, ("tsconfig.json".to_owned(), TSCONFIG.to_owned())];
    Ok(File { path: format!("islands/{name}.{extension}"), text, others, next })
}

/// What editors need to know of islands: the file of the starter that has them.
const TSCONFIG: &str = include_str!("../../../examples/starters/company/tsconfig.json");

/// An island of React.
const REACT: &str = r#"import { useState } from "react";

interface Props {
  /** The text of the button. */
  label: string;
}

export default function NAME({ label }: Props) {
  const [isOn, setOn] = useState(false);
  return (
    <button type="button" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
      {label}
    </button>
  );
}
"#;

/// An island without React.
const PLAIN: &str = r#"
interface Props {
  /** The text of the button. */
  label: string;
}

export function mount(element: HTMLElement, { label }: Props): void {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(button.getAttribute("aria-pressed") === "false"));
  });
  element.append(button);
}
"#;

/// What both take, so that a build reports a misspelt prop of a call.
const PROPS: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "description": "The props of islands/NAME. A build checks each call of a template with it.",
  "type": "object",
  "additionalProperties": false,
  "required": ["label"],
  "properties": {
    "label": { "description": "The text of the button.", "type": "string" }
  }
}
"#;

/// Says how to install the packages that an island needs and the project does not have, in the versions that this
/// version of the program is tested with.
fn missing_packages(root: &Path, is_react: bool) -> Vec<String> {
    let tools = DiskTools::of(root);
    let has = |name: &str| if name == "esbuild" { tools.esbuild().is_some() } else { tools.package(name).is_some() };
    let mut missing = needed_packages(is_react);
    missing.retain(|name| !has(name));
    if missing.is_empty() {
        return Vec::new();
    }
    let lists = listed(root);
    let folder = root.display().to_string();
    let folder = if folder == "." { String::new() } else { format!("cd {} && ", in_quotes(&folder)) };
    if missing.iter().all(|name| lists(name)) {
        return vec![format!("Install the packages of package.json first: {folder}npm install")];
    }
    let named = |names: &[&str]| names.iter().map(|name| with_version(name)).collect::<Vec<_>>().join(" ");
    let mut lines = vec![
        "Install the packages it needs first, with npm of Node.js:".to_owned(),
        format!("  {folder}npm install --save-exact {}", named(&missing)),
    ];
    if is_react && tools.package("typescript").is_none() {
        let of_components = FOR_COMPONENTS.map(|name| format!("@types/{name}"));
        let types: Vec<&str> = std::iter::once("typescript").chain(of_components.iter().map(String::as_str)).collect();
        let types = named(&types);
        lines.push("For your editor, not for a build:".to_owned());
        lines.push(format!("  {folder}npm install --save-exact --save-dev {types}"));
    }
    let ignored = std::fs::read_to_string(root.join(".gitignore")).unwrap_or_default();
    if !ignored.lines().any(|line| line.trim().trim_matches('/') == "node_modules") {
        lines.push("Let git ignore the folder node_modules.".to_owned());
    }
    lines
}

/// Returns a name without the folder that it is in anyway, as a shell completes it.
fn below<'n>(name: &'n str, folder: &str) -> &'n str {
    let name = name.strip_prefix("./").unwrap_or(name);
    name.strip_prefix(folder).unwrap_or(name).trim_matches('/')
}

/// Splits `about.yaml` into a name and an extension.
fn split_extension<'n>(name: &'n str, default: &'n str) -> (&'n str, &'n str) {
    match name.rsplit_once('.') {
        Some((name, extension @ ("md" | "yaml"))) => (name, extension),
        _ => (name, default),
    }
}

/// Refuses a path whose parts are not words of letters and digits: it is an address, too.
fn check_name(name: &str, folder: &str) -> Result<(), Refusal> {
    let is_letter = |letter: char| is_of_address(letter) && !letter.is_uppercase() && !".~".contains(letter);
    let is_valid = |part: &str| part.starts_with(char::is_alphanumeric) && part.chars().all(is_letter);
    if name.split('/').all(is_valid) {
        return Ok(());
    }
    // That of the file that is published.
    let plain = name.strip_suffix(".html").unwrap_or(name);
    let parts = plain.split('/').map(slug::slugify).filter(|part| !part.is_empty());
    let better = Some(parts.collect::<Vec<_>>().join("/")).filter(|better| !better.is_empty());
    let better = better.unwrap_or_else(|| "my-title".to_owned());
    let problem = format!("`{name}` is not a good address: use only lower-case letters, digits, `-` and `_`");
    Err(Refusal(problem, format!("write it like `{folder}{better}`")))
}

fn slug_or(name: &str, default: &str) -> String {
    Some(slug::slugify(name)).filter(|slug| !slug.is_empty()).unwrap_or_else(|| default.to_owned())
}

fn refuse_existing(path: Option<&SourcePath>) -> Result<(), Refusal> {
    let Some(path) = path else { return Ok(()) };
    let problem = format!("{} already exists, and nothing is overwritten", path.as_str());
    Err(Refusal(problem, "choose another name".to_owned()))
}

/// The words of a name: `about/our-team` is `Our team`.
fn words(name: &str) -> String {
    let last = name.strip_suffix("/index").unwrap_or(name).rsplit('/').next().unwrap_or(name);
    let text = last.replace(['-', '_'], " ");
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// What to do with a new page or entry.
fn steps(open: Vec<String>) -> Vec<String> {
    let mut steps = Vec::new();
    if !open.is_empty() {
        steps.push(format!("Until these keys have a valid value, `sitegen check` reports them: {}", open.join(", ")));
    }
    steps.push("It is a draft: preview it with `sitegen serve --drafts` while you write.".to_owned());
    steps.push("Remove the line `draft: true` to publish it.".to_owned());
    steps
}
