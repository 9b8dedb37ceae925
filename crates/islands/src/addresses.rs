//! Addresses of files beside a script: `new URL("./loaf.png", import.meta.url)`, which bundlers and browsers know.
//!
//! esbuild leaves such an expression as it is, and neither publishes the file nor knows its name. So it reads another text:
//! the file is imported, which publishes it, and the expression becomes an object like the one that `new URL` makes, whose
//! `href` is the path from the site's root. While prerendering the host is not known, and a site has several (a preview, the
//! one at home); the path is the same on all of them, so that React finds in the browser what was prerendered. Lines and
//! columns stay, since messages name them.

use super::FILES;
use sitegen_core::diagnostics::{Diagnostic, ImportProblem, Place, Problem, Span};
use sitegen_core::paths::{SourcePath, joined};
use sitegen_core::sources::Sources;
use sitegen_core::tools::ENTRIES;
use std::ops::Range;

/// What an expression needs besides the file.
const HELPER: &str = "address.js";

/// Its text. Parts without a host are empty, as they are in what the expression stands for elsewhere: a relative address
/// (webpack's `parser.javascript.url: "relative"`).
const HELPER_TEXT: &str = r#"export default function (path, rest = "") {
  const address = path + rest;
  const url = new URL(address, "https://a");
  const own = { href: address, pathname: path, origin: "", protocol: "", host: "", hostname: "" };
  for (const name of Object.keys(own)) Object.defineProperty(url, name, { value: own[name] });
  for (const name of ["toString", "toJSON"]) Object.defineProperty(url, name, { value: () => address });
  return url;
}
"#;

/// The base of an expression.
const BASE: &str = "import.meta.url";

/// The path of the helper and its text, which esbuild reads if a script was rewritten.
pub fn helper() -> (String, String) {
    (format!("{ENTRIES}/{HELPER}"), HELPER_TEXT.to_owned())
}

/// The text of a script that esbuild reads instead, if it has such expressions.
pub fn rewritten(path: &SourcePath, text: &str, sources: &Sources) -> Result<Option<String>, Vec<Diagnostic>> {
    let (mut out, mut imports, mut diagnostics) = (String::new(), String::new(), Vec::new());
    let mut from = 0;
    for (number, expression) in expressions(text).into_iter().enumerate() {
        let Expression { whole, argument } = expression;
        match file(path, &text[argument.clone()], sources) {
            Ok(None) => {}
            Ok(Some((file, rest))) => {
                imports.push_str(&format!("import $file{number} from {};\n", super::quoted(&file)));
                let rest = if rest.is_empty() { String::new() } else { format!(",{}", super::quoted(rest)) };
                out.push_str(&text[from..whole.start]);
                out.push_str(&as_long(&format!("$address($file{number}{rest})"), &text[whole.clone()]));
                from = whole.end;
            }
            Err(problem) => {
                diagnostics.push(Diagnostic::new(problem, Place::new(path, Span::at(argument.start, argument.len()))))
            }
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    if imports.is_empty() {
        return Ok(None);
    }
    out.push_str(&text[from..]);
    let up = "../".repeat(path.as_str().matches('/').count());
    Ok(Some(format!("{out}\nimport $address from {};\n{imports}", super::quoted(&format!("{up}{ENTRIES}/{HELPER}")))))
}

/// `new URL(argument, import.meta.url)` in a text.
struct Expression {
    whole: Range<usize>,
    argument: Range<usize>,
}

fn expressions(text: &str) -> Vec<Expression> {
    let at = |rest: &str| text.len() - rest.len();
    let found = text.match_indices(BASE).filter_map(|(base, _)| {
        let before = text[..base].trim_end().strip_suffix(',')?.trim_end();
        let after = text[base + BASE.len()..].trim_start();
        let after = after.strip_prefix(',').unwrap_or(after).trim_start().strip_prefix(')')?;
        let (start, argument) = before.rmatch_indices("URL").find_map(|(name, _)| {
            let head = before[..name].trim_end().strip_suffix("new")?;
            let argument = before[name + "URL".len()..].trim_start().strip_prefix('(')?;
            let is_word = head.ends_with(|letter: char| letter.is_alphanumeric() || "_$".contains(letter));
            let is_balanced = argument.matches('(').count() == argument.matches(')').count();
            (!is_word && is_balanced).then_some((head.len(), argument.trim_start()))
        })?;
        let line = text[..start].rsplit('\n').next().unwrap_or_default().trim_start();
        let is_comment = line.starts_with('*') || line.starts_with("/*") || line.contains("//");
        let argument = before.len() - argument.len()..before.len();
        (!is_comment).then(|| Expression { whole: start..at(after), argument })
    });
    found.collect()
}

/// The file that an argument names, as an import names it, and what follows its name in the address. A complete address is
/// none.
fn file<'a>(path: &SourcePath, argument: &'a str, sources: &Sources) -> Result<Option<(String, &'a str)>, Problem> {
    let unknown = || ImportProblem::IslandFile { written: None };
    let quote = argument.chars().next().filter(|quote| "\"'`".contains(*quote)).ok_or_else(unknown)?;
    let written = argument[1..].strip_suffix(quote).ok_or_else(unknown)?;
    if written.contains([quote, '\\', '\n']) || written.contains("${") {
        return Err(unknown().into());
    }
    if sitegen_content::address::scheme_of(written).is_some() {
        return Ok(None);
    }
    let (name, rest) = written.split_at(written.find(['?', '#']).unwrap_or(written.len()));
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    if name.starts_with('/') || !FILES.contains(&extension) {
        return Err(ImportProblem::IslandFile { written: Some(written.to_owned()) }.into());
    }
    let relative = if name.starts_with('.') { name.to_owned() } else { format!("./{name}") };
    match joined(path.as_str(), &relative) {
        None => Err(ImportProblem::OutsideImport { path: written.to_owned() }.into()),
        Some(target) if sources.get(&SourcePath::new(&target)).is_none() => {
            Err(ImportProblem::MissingImport { path: written.to_owned(), nearest: None }.into())
        }
        Some(_) => Ok(Some((relative, rest))),
    }
}

/// A text followed by white space, so that it takes the lines and columns of another.
fn as_long(text: &str, other: &str) -> String {
    let mut out = text.to_owned();
    for letter in other.chars().skip(text.len()) {
        out.push(if letter == '\n' { '\n' } else { ' ' });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<String>, Vec<Diagnostic>> {
        let path = SourcePath::new("islands/parts/loaf.tsx");
        let sources = Sources::from_files([("islands/parts/a.png", ""), ("islands/b.svg", ""), ("lib/c.woff2", "")]);
        rewritten(&path, text, &sources)
    }

    #[test]
    fn the_file_is_imported_and_columns_stay() {
        let text = "const a = [new URL(\"./a.png\", import.meta.url).href, 1];\nconst b = new URL(\n  '../b.svg#x',\n  \
                    import.meta.url,\n);\nf(new URL(`a.png`,import.meta.url), new URL(\"../../lib/c.woff2\", import.meta.url))\n";
        let out = read(text).unwrap().unwrap();
        for (line, other) in text.lines().zip(out.lines()) {
            assert_eq!(line.find(".href"), other.find(".href"));
        }
        for part in [
            "[$address($file0)",
            "const b = $address($file1,\"#x\")",
            "f($address($file2)",
            "\nimport $address from \"../../.sitegen/entries/address.js\";",
            "\nimport $file0 from \"./a.png\";",
            "\nimport $file1 from \"../b.svg\";",
            "\nimport $file2 from \"./a.png\";",
            "\nimport $file3 from \"../../lib/c.woff2\";",
        ] {
            assert!(out.contains(part), "{part} is not in {out}");
        }
        assert_eq!(out.find("f($address"), text.find("f(new URL"), "{out}");
    }

    #[test]
    fn what_is_no_such_address_stays() {
        for text in [
            "new URL(\"https://a.test/x.png\", import.meta.url)",
            "// new URL(\"./none.png\", import.meta.url)",
            "/**\n * new URL(\"./none.png\", import.meta.url)\n */",
            "const here = import.meta.url;",
            "renew URL(\"./none.png\", import.meta.url)",
            "new URL(\"./none.png\", location.href)",
        ] {
            assert_eq!(read(text), Ok(None), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_published_is_reported_at_its_place() {
        for (argument, code) in [
            ("\"./none.png\"", "missing-import"),
            ("\"./worker.ts\"", "island-file"),
            ("\"/a.png\"", "island-file"),
            ("\"../../../a.png\"", "outside-import"),
            ("name", "island-file"),
            ("`./${name}.png`", "island-file"),
            ("of(name)", "island-file"),
        ] {
            let text = format!("const a = new URL({argument}, import.meta.url);");
            let diagnostics = read(&text).unwrap_err();
            assert_eq!(sitegen_core::diagnostics::code(&diagnostics[0].problem), code, "{argument}");
            let span = diagnostics[0].place.as_ref().and_then(|place| place.span).unwrap();
            assert_eq!(&text[span.start..span.start + argument.len()], argument);
        }
    }
}
