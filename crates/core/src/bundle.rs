//! Cached runs of esbuild: a run is a pure function of its inputs, so the same inputs give the same files.

mod names;

use crate::cache::digest_of;
use crate::diagnostics::{Diagnostic, ImportProblem, IslandProblem, Place, Problem, Span, ToolProblem, nearest};
use crate::paths::SourcePath;
use crate::sources::{Digest, SourceKind, Sources};
use crate::tools::{Bundled, Bundling, ENTRIES, Tools, shared};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// The files of a run and what its metafile says of them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
pub struct Bundle {
    /// Files by name.
    #[serde(with = "base64_values")]
    pub files: BTreeMap<String, Vec<u8>>,
    /// For each entry file, the file it became and the files that one imports statically, the deepest last.
    pub entries: BTreeMap<String, Vec<String>>,
    /// For each entry file the files that it imports only later, if at all.
    pub later: BTreeMap<String, Vec<String>>,
    /// For each file the inputs that it is made of, with their bytes in it.
    pub parts: BTreeMap<String, Vec<(String, usize)>>,
    /// For each entry file that imports stylesheets, the file that they became.
    pub styles: BTreeMap<String, String>,
    /// The inputs whose texts make a `<style>` element.
    pub styling: BTreeSet<String>,
    /// For each input, by its path from the project's root, the inputs that it imports, and by which words.
    pub imports: BTreeMap<String, Vec<(String, String)>>,
}

/// Modules of Node that packages import, mostly for what an island does not need: all of `module.builtinModules` without
/// parts of others (`fs/promises`) and internal ones (`_http_agent`).
pub const NODE: [&str; 42] = [
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// What is cached of a run: the bundle, and what else than sources decided it, as [`Bundled::deciding`] has it.
#[derive(Serialize, Deserialize)]
struct Record {
    packages: Deciding,
    bundle: Bundle,
}

/// How long a run of esbuild takes at least.
const RUN: Duration = Duration::from_millis(100);

/// What it reads.
const READ: &[SourceKind] = &[SourceKind::Island, SourceKind::Props, SourceKind::Package];

/// Files of packages that decided what a run gives, with their digests, or nothing for those that were not there.
pub type Deciding = Vec<(String, Option<Digest>)>;

/// Whether these files are as they were.
pub fn is_same(deciding: &Deciding, tools: &dyn Tools) -> bool {
    deciding.iter().all(|(path, digest)| tools.package_digest(path) == *digest)
}

/// Bundles, or returns the cached bundle of the same inputs, with what else than sources decided it: nothing if that is not
/// known, and what is made from the bundle must not be cached.
pub fn bundle(
    sources: &Sources,
    bundling: &Bundling,
    tools: &dyn Tools,
) -> Result<(Bundle, Option<Deciding>), Vec<Diagnostic>> {
    let sources = &sources.only(READ);
    let key = key(sources, bundling, tools);
    let kept = || serde_json::from_slice::<Record>(&shared::cached(tools, &key, RUN)?).ok().map(Arc::new);
    let known = tools.cache().get::<Record>(&key).or_else(kept);
    if let Some(record) = known.filter(|record| is_same(&record.packages, tools)) {
        tools.cache().store(key, record.clone());
        return Ok((record.bundle.clone(), Some(record.packages.clone())));
    }
    let read: Vec<_> =
        sources.iter().filter_map(|(path, source)| Some((path.as_str(), source.body.read().ok()?))).collect();
    let files = read.iter().map(|(path, bytes)| (*path, &bytes[..]));
    let replaced = bundling.replaced.iter().map(|(path, text)| (path.as_str(), text.as_bytes()));
    let files = files.chain(replaced).collect();
    let bundled = tools.bundle(bundling, &files).map_err(|failure| vec![failure])?;
    if !bundled.errors.is_empty() {
        return Err(diagnostics_of(sources, &bundled, tools));
    }
    let strays = strays(sources, &bundled);
    if !strays.is_empty() {
        return Err(strays);
    }
    let read = || bundled.metafile["inputs"].as_object().into_iter().flat_map(|inputs| inputs.keys());
    let is_known = |path: &String| {
        let path = path.trim_start_matches("./");
        path.contains("node_modules/")
            || path.starts_with(ENTRIES)
            // What esbuild puts in by itself, such as the entry of a stylesheet.
            || path.starts_with('<')
            || path.starts_with("islands/")
    };
    let is_complete = bundled.is_settled && read().all(is_known) && !extends(sources);
    let (entries, later) = entries_of(&bundled);
    let (parts, styles, imports) = (parts_of(&bundled), styles_of(&bundled), imports_of(&bundled));
    let styling = imports.keys().filter(|path| makes_style(path, sources, tools)).cloned().collect();
    let bundle = names::by_content(Bundle { files: bundled.files, entries, later, parts, styles, styling, imports });
    let record = Record { packages: bundled.deciding, bundle };
    // What came from elsewhere in the project, by `../lib/units`, is not in the key, and neither is the file that would be
    // found before it tomorrow; nor are options that come from elsewhere; and of a package that was installed meanwhile
    // nobody knows which bytes were read. Such a run is not cached.
    if is_complete && let Ok(bytes) = serde_json::to_vec(&record) {
        shared::store(tools, &key, &bytes);
    }
    Ok((record.bundle, is_complete.then_some(record.packages)))
}

/// Whether the compiler's options come from another file too, which esbuild's report does not name.
fn extends(sources: &Sources) -> bool {
    sources.text(&SourcePath::new("tsconfig.json")).is_some_and(|text| text.contains("\"extends\""))
}

/// The digest of everything in the project that decides what a run gives, and of the programs that make it.
fn key(sources: &Sources, bundling: &Bundling, tools: &dyn Tools) -> Digest {
    digest_of(&("bundle", tools.bundler(), bundling, sources))
}

/// Imports of what is neither in the project nor a package: a file outside, code in an address, or another host's, which
/// browsers would load.
fn strays(sources: &Sources, bundled: &Bundled) -> Vec<Diagnostic> {
    let is_own = |path: &str| !path.starts_with(['<', '/']) && !path.starts_with("../");
    // The same path leads elsewhere from the folder of the run, which lies in the project.
    let leaves = |importer: &str, written: &str| !importer.contains("node_modules/") && is_outside(importer, written);
    // An import of which only types are used is listed as it is written, and no file has it.
    let outputs = bundled.metafile["outputs"].as_object().into_iter().flat_map(|outputs| outputs.values());
    let kept: BTreeSet<&str> = outputs
        .flat_map(|output| output["imports"].as_array().into_iter().flatten())
        .filter(|import| import["external"] == true)
        .filter_map(|import| import["path"].as_str())
        .collect();
    let mut diagnostics = Vec::new();
    for (importer, input) in bundled.metafile["inputs"].as_object().into_iter().flatten() {
        for import in input["imports"].as_array().into_iter().flatten() {
            let path = import["path"].as_str().unwrap_or_default();
            if import["external"] == true && import["kind"] == "import-statement" && !kept.contains(path) {
                continue;
            }
            let is_allowed = if import["external"] == true {
                // What is required within `try` need not be there: the call throws.
                let is_optional = import["kind"] == "require-call" && importer.contains("node_modules/");
                // An address in a style stays as it is written, and the policy speaks of it. What esbuild needs itself is
                // imported by nobody's words.
                import["kind"] == "url-token" || path == "<runtime>" && import["original"].is_null() || is_optional
            } else {
                let path = path.trim_start_matches("(disabled):");
                (is_own(path) || path.contains("node_modules/")) && !bundled.outside.iter().any(|each| each == path)
            };
            let written = import["original"].as_str().unwrap_or(path);
            if is_allowed && !leaves(importer, written) {
                continue;
            }
            let problem = ImportProblem::OutsideImport { path: written.to_owned() };
            let place = match importer.strip_prefix(ENTRIES) {
                // What the entry of an island imports is the island.
                Some(_) => Place::file(&SourcePath::new(written.trim_start_matches("../"))),
                None => {
                    let importer = SourcePath::new(importer);
                    let text = sources.text(&importer).unwrap_or_default();
                    let at = ['"', '\'', '('].iter().find_map(|quote| text.find(&format!("{quote}{written}")));
                    Place { path: importer, span: at.map(|at| Span::at(at + 1, written.len())) }
                }
            };
            diagnostics.push(Diagnostic::new(problem, place));
        }
    }
    diagnostics
}

/// For each entry file the file that it became and those that one imports, at once and later.
fn entries_of(bundled: &Bundled) -> (BTreeMap<String, Vec<String>>, BTreeMap<String, Vec<String>>) {
    let outputs = bundled.metafile["outputs"].as_object();
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut imports: BTreeMap<String, Vec<(bool, String)>> = BTreeMap::new();
    let mut entries = BTreeMap::new();
    for (path, output) in outputs.into_iter().flatten() {
        let of_output = output["imports"].as_array().into_iter().flatten().filter(|import| import["external"] != true);
        let kinds = of_output.filter_map(|import| match import["kind"].as_str()? {
            "import-statement" => Some((true, import["path"].as_str().map(name)?)),
            "dynamic-import" => Some((false, import["path"].as_str().map(name)?)),
            _ => None,
        });
        imports.insert(name(path), kinds.collect());
        if let Some(entry) = output["entryPoint"].as_str() {
            entries.insert(entry.to_owned(), vec![name(path)]);
        }
    }
    let follow = |files: &mut Vec<String>, are_all: bool| {
        let mut next = 0;
        while next < files.len() {
            for (is_static, import) in imports.get(&files[next]).into_iter().flatten() {
                if (*is_static || are_all) && !files.contains(import) {
                    files.push(import.clone());
                }
            }
            next += 1;
        }
    };
    let mut later = BTreeMap::new();
    for (entry, files) in &mut entries {
        follow(files, false);
        let mut all = files.clone();
        follow(&mut all, true);
        later.insert(entry.clone(), all.split_off(files.len()));
    }
    (entries, later)
}

/// Whether the text of an input has `createElement("style")`.
fn makes_style(path: &str, sources: &Sources, tools: &dyn Tools) -> bool {
    const CALL: &str = "createElement(";
    let own = sources.get(&SourcePath::new(path)).and_then(|source| source.body.shared());
    let Some(bytes) = own.or_else(|| tools.package_file(path)) else { return false };
    let mut calls = memchr::memmem::find_iter(&bytes[..], CALL).map(|at| &bytes[at + CALL.len()..]);
    calls.any(|rest| ["\"style\"", "'style'", "`style`"].iter().any(|name| rest.starts_with(name.as_bytes())))
}

fn parts_of(bundled: &Bundled) -> BTreeMap<String, Vec<(String, usize)>> {
    let outputs = bundled.metafile["outputs"].as_object().into_iter().flatten();
    let parts = outputs.map(|(path, output)| {
        let inputs = output["inputs"].as_object().into_iter().flatten();
        let parts = inputs.map(|(input, part)| (input.clone(), part["bytesInOutput"].as_u64().unwrap_or(0) as usize));
        (path.rsplit('/').next().unwrap_or(path).to_owned(), parts.collect())
    });
    parts.collect()
}

fn styles_of(bundled: &Bundled) -> BTreeMap<String, String> {
    let outputs = bundled.metafile["outputs"].as_object().into_iter().flat_map(|outputs| outputs.values());
    let styles = outputs.filter_map(|output| {
        let file = output["cssBundle"].as_str()?.rsplit('/').next()?;
        Some((output["entryPoint"].as_str()?.to_owned(), file.to_owned()))
    });
    styles.collect()
}

fn imports_of(bundled: &Bundled) -> BTreeMap<String, Vec<(String, String)>> {
    let inputs = bundled.metafile["inputs"].as_object().into_iter().flatten();
    let imports = inputs.map(|(path, input)| {
        let imports = input["imports"].as_array().into_iter().flatten().filter_map(|import| {
            let path = import["path"].as_str()?;
            Some((path.to_owned(), import["original"].as_str().unwrap_or(path).to_owned()))
        });
        (path.clone(), imports.collect())
    });
    imports.collect()
}

/// esbuild's errors as diagnostics at the places it names.
fn diagnostics_of(sources: &Sources, bundled: &Bundled, tools: &dyn Tools) -> Vec<Diagnostic> {
    let diagnostics_of = bundled.errors.iter().map(|error| {
        let problem = match error.text.strip_prefix("Could not resolve \"").and_then(|rest| rest.strip_suffix('"')) {
            Some(path) if error.place.as_ref().is_some_and(|(file, ..)| is_outside(file, path)) => {
                ImportProblem::OutsideImport { path: path.to_owned() }
            }
            Some(path) if path.starts_with(['.', '/']) => {
                ImportProblem::MissingImport { path: path.to_owned(), nearest: None }
            }
            Some(package) => missing_package(package, sources, tools),
            None => ImportProblem::Bundle { detail: error.text.clone() },
        };
        match &error.place {
            None => Diagnostic::failure(ToolProblem::Tool { program: "esbuild", detail: error.text.clone() }),
            // What is wrong with a file written for the run is wrong with the island it is written for.
            Some((file, ..)) if file.starts_with(ENTRIES) => {
                let island = file[ENTRIES.len()..].replacen('/', "islands/", 1);
                let is_bare = error.text.contains("for import \"default\"");
                let problem: Problem = if is_bare { IslandProblem::NoComponent.into() } else { problem.into() };
                Diagnostic::new(problem, Place::file(&SourcePath::new(island)))
            }
            // Of a file from outside, the message says only that it is one, and shows nothing of its content.
            Some((file, ..)) if is_above(file) => {
                let name = file.rsplit('/').next().unwrap_or(file);
                let names_it = |text: &str| ['"', '\''].iter().find_map(|quote| text.find(&format!("{name}{quote}")));
                let importer = sources.iter().find_map(|(path, _)| Some((path, names_it(sources.text(path)?)?)));
                let problem = ImportProblem::OutsideImport { path: file.clone() };
                match importer {
                    Some((path, at)) => Diagnostic::new(problem, Place::new(path, Span::at(at, name.len()))),
                    None => Diagnostic::failure(problem),
                }
            }
            Some((file, line, column)) => {
                // A CSS module is read as a stylesheet beside it, in other lines.
                let (file, is_printed) = match file.strip_suffix(".css").filter(|file| file.ends_with(".module.css")) {
                    Some(module) => (module, true),
                    None => (file.as_str(), false),
                };
                let path = SourcePath::new(file);
                let text = sources.text(&path);
                let span = match &problem {
                    ImportProblem::MissingImport { path, .. } if is_printed => {
                        text.and_then(|text| text.find(path.as_str())).map(|at| Span::at(at, path.len()))
                    }
                    _ if is_printed => None,
                    _ => text.map(|text| Span::at(line_start(text, *line) + column, 1)),
                };
                Diagnostic::new(problem, Place { path, span })
            }
        }
    });
    diagnostics_of.collect()
}

/// What is wrong with an import of something that is no path.
fn missing_package(written: &str, sources: &Sources, tools: &dyn Tools) -> ImportProblem {
    let is_node =
        written.strip_prefix("node:").is_some() || NODE.contains(&written.split('/').next().unwrap_or(written));
    if is_node {
        return ImportProblem::NodeModule { name: written.to_owned() };
    }
    let parts = if written.starts_with('@') { 2 } else { 1 };
    let package = written.match_indices('/').nth(parts - 1).map_or(written, |(at, _)| &written[..at]);
    // A part of an installed package that is not there is named with its path.
    let name = if tools.package(package).is_some() { written } else { package };
    let wanted = sources.text(&SourcePath::new("package.json")).and_then(|text| {
        let json: serde_json::Value = serde_json::from_str(text).ok()?;
        let named = ["dependencies", "devDependencies"].map(|key| json[key].as_object().cloned().unwrap_or_default());
        Some(named.into_iter().flat_map(|packages| packages.into_iter().map(|(name, _)| name)).collect::<Vec<_>>())
    });
    let find = |names: Vec<String>| nearest(package, names.iter().map(String::as_str)).map(str::to_owned);
    // What the project asks for itself comes before what its packages need.
    let nearest = wanted.and_then(find).or_else(|| find(tools.packages()));
    ImportProblem::MissingPackage { name: name.to_owned(), nearest: nearest.filter(|nearest| nearest != name) }
}

/// Whether a relative path in a file leads out of the project.
fn is_outside(importer: &str, written: &str) -> bool {
    let folder = importer.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut depth = folder.split('/').filter(|part| !part.is_empty()).count();
    let mut parts = written.split('/').peekable();
    if !matches!(parts.peek(), Some(&("." | ".."))) {
        return false;
    }
    parts.any(|part| match part {
        "" | "." => false,
        ".." if depth == 0 => true,
        ".." => {
            depth -= 1;
            false
        }
        _ => {
            depth += 1;
            false
        }
    })
}

/// Whether a path leaves the project, and is not that of a package in a folder above it.
fn is_above(path: &str) -> bool {
    path.starts_with(['/', '.']) && !path.contains("node_modules/") && !path.starts_with(ENTRIES)
}

/// Offset of the first byte of a line, counted from one.
pub fn line_start(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum()
}

/// Keeps files in JSON as Base64, which is read many times faster than a list of numbers.
mod base64_values {
    use base64::{Engine as _, engine::general_purpose::STANDARD};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
    use std::collections::BTreeMap;

    pub fn serialize<S: Serializer>(files: &BTreeMap<String, Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        files
            .iter()
            .map(|(name, bytes)| (name, STANDARD.encode(bytes)))
            .collect::<BTreeMap<_, _>>()
            .serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, Vec<u8>>, D::Error> {
        let files = BTreeMap::<String, String>::deserialize(deserializer)?;
        let decode = |(name, text): (String, String)| Ok((name, STANDARD.decode(text).map_err(D::Error::custom)?));
        files.into_iter().map(decode).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_of_node_is_known() {
        let list = "console.log(require('module').builtinModules.map((name) => name.split('/')[0]).join(' '))";
        let node = std::process::Command::new("node").args(["-e", list]).output().unwrap();
        let text = String::from_utf8(node.stdout).unwrap();
        let modules: BTreeSet<&str> =
            text.split_whitespace().filter(|name| !name.starts_with('_') && !name.contains(':')).collect();
        assert!(modules.contains("fs"), "{text}");
        let unknown: Vec<&&str> = modules.iter().filter(|name| !NODE.contains(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn what_a_package_need_not_find_is_no_stray() {
        let strays = |importer: &str, kind: &str| {
            let import = serde_json::json!({ "path": "worker_threads", "kind": kind, "external": true });
            let metafile = serde_json::json!({ "outputs": {}, "inputs": { importer: { "imports": [import] } } });
            super::strays(&Sources::default(), &Bundled { metafile, ..Bundled::default() }).len()
        };
        assert_eq!(strays("node_modules/a/x.js", "require-call"), 0);
        assert_eq!(strays("islands/A.tsx", "require-call"), 1);
        assert_eq!(strays("node_modules/a/x.js", "dynamic-import"), 1);
    }

    #[test]
    fn a_relative_path_is_outside_once_it_has_left_the_project() {
        for (importer, written) in
            [("islands/A.tsx", "../../x"), ("islands/parts/x.ts", "../../../lib"), ("a.ts", "../a.ts")]
        {
            assert!(is_outside(importer, written), "{written} in {importer}");
        }
        let inside =
            [("islands/A.tsx", "../lib/x"), ("islands/A.tsx", "./../islands/../lib"), ("islands/A.tsx", "react")];
        for (importer, written) in inside {
            assert!(!is_outside(importer, written), "{written} in {importer}");
        }
        // Above the project and down again is outside too, though a file may be there.
        assert!(is_outside("islands/A.tsx", "../../site/lib/x"));
    }
}
