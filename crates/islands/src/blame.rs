//! Finds the line of the project that made an island fail, from a stack trace of the engine.

use super::Prerenderer;
use super::engine::{FILE, Thrown};
use super::react;
use sitegen_core::bundle::line_start;
use sitegen_core::diagnostics::{Diagnostic, IslandProblem, Place, Span};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::Sources;
use sourcemap::SourceMap;
use std::collections::{BTreeMap, VecDeque};

/// A bundle and the sources that its places are looked up in.
pub struct Bundles<'a> {
    /// The files of the project.
    pub sources: &'a Sources,
    /// The bundle that ran.
    pub bundle: &'a Prerenderer,
    /// The name of its island.
    pub component: &'a str,
}

impl Bundles<'_> {
    /// The diagnostic for what the island threw, at the line of the project's own code that it came from.
    /// It was rendered without a browser; `only` says that it is meant for browsers alone.
    pub fn thrown(&self, thrown: Thrown, is_import: bool, only: bool) -> Diagnostic {
        let mut detail = match thrown.message.as_str() {
            "interrupted" => "it does not finish".to_owned(),
            "out of memory" => "it runs out of memory; is there an endless recursion?".to_owned(),
            "not a function" => self.no_function(&thrown.stack).unwrap_or(thrown.message.clone()),
            message if only && message.ends_with(" is not defined") => {
                format!("{message}; declare or import it, or write `window.` before it if only some browsers have it")
            }
            message => in_words(message),
        };
        if is_import && let Some(chain) = self.chain_of(&thrown.stack).filter(|chain| chain.len() > 1) {
            let names: Vec<String> = chain.iter().map(|(path, _)| format!("`{}`", shown(path))).collect();
            detail = format!("{detail} ({})", names.join(" imports "));
        }
        let problem = IslandProblem::PrerenderFailed { component: self.component.to_owned(), detail };
        let place = match thrown.message.as_str() {
            "interrupted" => self.place_of_loop(&thrown.stack),
            _ => self.place(&thrown.stack),
        };
        Diagnostic::new(problem, place)
    }

    /// Whether an island may have failed for want of a browser. What React asks for is found out by itself, and answers for the
    /// island in any environment.
    pub fn lacks_browser(&self, thrown: &Thrown, touched: &[(String, String)]) -> bool {
        let is_of_react = |stack: &str| {
            let package = self.frames(stack).next().and_then(|(path, ..)| package(&path).map(str::to_owned));
            package.is_some_and(|package| ["react", "react-dom", "scheduler"].contains(&package.as_str()))
        };
        // A browser computes some fifty times as fast, and has more memory.
        let is_late = ["interrupted", "out of memory"].contains(&thrown.message.as_str());
        is_late && !self.is_in_endless_loop(&thrown.stack)
            || thrown.message.ends_with(" is not available while prerendering")
            || touched.iter().any(|(_, stack)| !is_of_react(stack))
    }

    /// The diagnostic for an island with so many bytes of HTML, at its default export.
    pub fn too_large(&self, bytes: usize) -> Diagnostic {
        let path = SourcePath::new(self.own());
        let text = self.sources.text(&path).unwrap_or_default();
        let export = ["export default", "export"].iter().find_map(|word| Some(Span::at(text.find(word)?, word.len())));
        let detail = format!(
            "it renders {} MB of HTML, and a page cannot have more than 8; does a loop add too much?",
            bytes.div_ceil(1_000_000)
        );
        let problem = IslandProblem::PrerenderFailed { component: self.component.to_owned(), detail };
        Diagnostic::new(problem, Place { path, span: export })
    }

    /// The words for a call of what is no function, if the project's own code makes it. The engine has no name for it.
    fn no_function(&self, stack: &str) -> Option<String> {
        let (path, line, column) = self.frames(stack).next().filter(|(path, ..)| is_own(path))?;
        let text = self.sources.text(&SourcePath::new(&path))?;
        let name = called(text, (line_start(text, line + 1) + column).min(text.len()))?;
        Some(match module_of(text, name) {
            Some(module) => format!("`{module}` exports no function `{name}`"),
            None => format!("`{name}` is not a function"),
        })
    }

    /// The line of an endless loop. A stack has the last call that was made where the loop is: one in it, or the last one
    /// before it.
    fn place_of_loop(&self, stack: &str) -> Place {
        let Some(map) = self.map() else { return self.only_loop() };
        let called = positions(stack).find_map(|at| Some((at, source(&map, at).filter(|(path, ..)| is_own(path))?)));
        let Some((at, (path, line, _))) = called else { return self.only_loop() };
        let text = self.sources.text(&SourcePath::new(&path)).unwrap_or_default();
        // An import that esbuild has added for JSX has the place of the first element.
        let is_import = self.after(at).is_some_and(|code| code.starts_with("__toESM(") || code.starts_with("require_"));
        // What of the loop the engine was at when it was stopped is chance.
        if let Some((line, column)) = loop_around(text, line).filter(|_| !is_import) {
            return self.written(&path, line, column).unwrap_or(Place::file(&SourcePath::new(self.own())));
        }
        let code = self.after(at).unwrap_or_default();
        let next = code.match_indices(['f', 'w', 'd']).find_map(|(offset, _)| {
            let is_loop = ["for(", "while(", "do{", "do "].iter().any(|word| code[offset..].starts_with(word));
            let is_word = code[..offset].ends_with(|letter: char| letter.is_alphanumeric() || "_$.".contains(letter));
            let place = (is_loop && !is_word).then_some((at.0, at.1 + offset))?;
            let (path, line, column) = source(&map, place)?;
            self.written(&path, line, column)
        });
        next.unwrap_or_else(|| self.only_loop())
    }

    /// Whether an island was stopped in a loop that nothing can end, as fast as a browser may be.
    fn is_in_endless_loop(&self, stack: &str) -> bool {
        let Place { path, span } = self.place_of_loop(stack);
        let text = self.sources.text(&path).zip(span).and_then(|(text, span)| text.get(span.start..));
        text.is_some_and(is_endless)
    }

    /// The loop of an island that has one: for a loop without calls and values the engine knows no place.
    fn only_loop(&self) -> Place {
        let path = SourcePath::new(self.own());
        let text = self.sources.text(&path).unwrap_or_default();
        let code = text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some((*at - line.len(), line))
        });
        let code = code.filter(|(_, line)| !line.trim_start().starts_with("//"));
        let mut loops = code.filter_map(|(start, line)| {
            let at = keyword(line).filter(|at| {
                line[*at..].trim_start_matches(char::is_alphabetic).trim_start().starts_with(['(', '{'])
            })?;
            Some(start + at)
        });
        match (loops.next(), loops.next()) {
            (Some(at), None) => Place::new(&path, Span::at(at, 1)),
            _ => Place::file(&path),
        }
    }

    /// The rest of the line of a bundle from a position.
    fn after(&self, (line, column): Position) -> Option<&str> {
        let line = self.bundle.code.lines().nth(line)?;
        line.get(column..)
    }

    /// The line of the project that a stack comes from: that of its own code or, if only a package was at work, the import
    /// that leads to it.
    pub fn place(&self, stack: &str) -> Place {
        let own = SourcePath::new(self.own());
        let written = self.frames(stack).find_map(|(source, line, column)| self.written(&source, line, column));
        let import = || {
            let chain = self.chain_of(stack)?;
            let (path, import) = chain.into_iter().rfind(|(path, import)| is_own(path) && import.is_some())?;
            let path = SourcePath::new(path);
            let (text, import) = (self.sources.text(&path)?, import?);
            let at = ['"', '\''].iter().find_map(|quote| text.find(&format!("{quote}{import}{quote}")))?;
            Some(Place::new(&path, Span::at(at + 1, import.len())))
        };
        written.or_else(import).unwrap_or(Place::file(&own))
    }

    fn own(&self) -> String {
        super::file_of(self.sources, self.component).as_str().to_owned()
    }

    /// Source, line from zero and column of the places of a stack.
    fn frames<'s>(&self, stack: &'s str) -> impl Iterator<Item = (String, usize, usize)> + use<'s> {
        let map = self.map();
        positions(stack).filter_map(move |position| source(map.as_ref()?, position))
    }

    fn map(&self) -> Option<SourceMap> {
        SourceMap::from_slice(&self.bundle.map).ok()
    }

    /// The place in `islands/` that a frame names.
    fn written(&self, source: &str, line: usize, column: usize) -> Option<Place> {
        let path = SourcePath::new(Some(source).filter(|source| is_own(source))?);
        let text = self.sources.text(&path)?;
        let start = line_start(text, line + 1) + column;
        Some(Place::new(&path, Span::at(start.min(text.len()), 1)))
    }

    /// The files that import each other, from the island to the first file of a stack, each with what it imports the next
    /// one by.
    fn chain_of(&self, stack: &str) -> Option<Vec<(String, Option<String>)>> {
        let wanted =
            self.frames(stack).map(|(source, ..)| source).find(|source| !source.starts_with("islands/runtime/"))?;
        let from = self.own();
        let mut before: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
        let mut open = VecDeque::from([from.as_str()]);
        while let Some(path) = open.pop_front() {
            for (next, original) in self.bundle.imports.get(path).into_iter().flatten() {
                if *next != from && !before.contains_key(next.as_str()) {
                    before.insert(next, (path, original));
                    open.push_back(next);
                }
            }
        }
        let mut chain = vec![(wanted.clone(), None)];
        let mut path = wanted.as_str();
        while path != from {
            let (importer, original) = before.get(path)?;
            chain.push(((*importer).to_owned(), Some((*original).to_owned())));
            path = importer;
        }
        chain.reverse();
        Some(chain)
    }
}

/// A line of a bundle and a column in it, both from zero.
type Position = (usize, usize);

/// The positions in the bundle that a stack has in lines such as `    at ContactForm (prerender.js:3:1024)`.
fn positions(stack: &str) -> impl Iterator<Item = Position> {
    stack.lines().filter_map(move |line| {
        let (_, place) = line.rsplit_once(&format!("{FILE}:"))?;
        let (line, column) = place.trim_end_matches(')').split_once(':')?;
        let (line, column): (usize, usize) = (line.parse().ok()?, column.parse().ok()?);
        Some((line.checked_sub(1)?, column.saturating_sub(1)))
    })
}

/// Source, line from zero and column of a position in a bundle.
fn source(map: &SourceMap, (line, column): Position) -> Option<(String, usize, usize)> {
    let token = map.lookup_token(line as u32, column as u32)?;
    // Sources are given relative to the bundle, which lies two folders below the project's root.
    let source = in_project(token.get_source()?).to_owned();
    Some((source, token.get_src_line() as usize, token.get_src_col() as usize))
}

/// The line and the column of the innermost loop that a line belongs to, as its indentation has it. All count from zero.
fn loop_around(text: &str, line: usize) -> Option<(usize, usize)> {
    let indentation = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().take(line + 1).collect();
    let mut depth = usize::MAX;
    for (number, line) in lines.into_iter().enumerate().rev().filter(|(_, line)| !line.trim().is_empty()) {
        if indentation(line) < depth {
            depth = indentation(line);
            if let Some(column) = keyword(line) {
                return Some((number, column));
            }
        }
    }
    None
}

/// Whether a text begins with a loop whose condition is always true, and in which nothing leaves it.
fn is_endless(text: &str) -> bool {
    let header = |word: &str| text.strip_prefix(word)?.trim_start().strip_prefix('(')?.split_once(')');
    let is_true = |condition: &str| matches!(condition.trim(), "true" | "1" | "!0");
    let body = match (header("while"), header("for")) {
        (Some((condition, body)), _) if is_true(condition) => body,
        (_, Some((parts, body))) => match parts.split(';').collect::<Vec<_>>().as_slice() {
            [_, condition, _] if condition.trim().is_empty() || is_true(condition) => body,
            _ => return false,
        },
        _ => return false,
    };
    let mut depth = 0usize;
    let end = body.find(|letter| match letter {
        '{' => {
            depth += 1;
            false
        }
        '}' => {
            depth = depth.saturating_sub(1);
            depth == 0
        }
        ';' | '\n' => depth == 0,
        _ => false,
    });
    let body = &body[..end.unwrap_or(body.len())];
    !["break", "return", "throw", "await", "yield"].iter().any(|word| body.contains(word))
}

/// Returns where the first word that begins a loop is in a line.
fn keyword(line: &str) -> Option<usize> {
    let is_letter = |letter: char| letter.is_alphanumeric() || "_$.".contains(letter);
    let words = ["for", "while", "do"].into_iter().flat_map(|word| line.match_indices(word));
    let whole =
        words.filter(|(at, word)| !line[..*at].ends_with(is_letter) && !line[at + word.len()..].starts_with(is_letter));
    whole.map(|(at, _)| at).min()
}

/// The name that is called at an offset of a text, or right before it.
fn called(text: &str, at: usize) -> Option<&str> {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let before = text.get(..at)?;
    // Some places are those of the bracket behind the name, or of the first argument.
    let end = before.trim_end_matches(['(', ' ']).len();
    let name_at = |at: usize| {
        let start = text[..at].trim_end_matches(is_letter).len();
        let name = &text[start..at + text[at..].find(|letter| !is_letter(letter)).unwrap_or(text.len() - at)];
        let is_called = text[start + name.len()..].trim_start().starts_with(['(', '<', '`']);
        let is_word = ["catch", "for", "if", "new", "return", "switch", "while", "with"].contains(&name);
        Some(name).filter(|name| is_called && !is_word && !name.is_empty())
    };
    let own = text[at..].starts_with(is_letter).then(|| name_at(at)).flatten();
    own.or_else(|| name_at(end))
}

/// The module that a text imports a name from, by braces: `import { useState } from "react"`.
fn module_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let imports = text.match_indices("import").filter_map(|(at, _)| {
        let (names, rest) = text[at..].split_once('{')?.1.split_once('}')?;
        let rest = rest.trim_start().strip_prefix("from")?.trim_start();
        let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        Some((names, rest[1..].split(quote).next()?))
    });
    let mut imports = imports.filter(|(names, _)| names.split(',').any(|each| each.trim() == name));
    imports.next().map(|(_, module)| module)
}

/// A path without what leads to the project's root.
pub fn in_project(path: &str) -> &str {
    path.trim_start_matches("../")
}

/// Whether a path is the project's own code. The runtime is not: it only calls the components.
fn is_own(path: &str) -> bool {
    path.starts_with("islands/") && !path.starts_with("islands/runtime/")
}

/// The name of a file in messages: its package or, in the project, its path.
fn shown(path: &str) -> &str {
    package(path).unwrap_or(path)
}

/// The package that a file is in.
pub fn package(path: &str) -> Option<&str> {
    let (_, inner) = path.rsplit_once("node_modules/")?;
    let parts = if inner.starts_with('@') { 2 } else { 1 };
    Some(inner.match_indices('/').nth(parts - 1).map_or(inner, |(at, _)| &inner[..at]))
}

/// Returns what is reported of an error that an island has thrown.
pub fn in_words(message: &str) -> String {
    if let Some(words) = react::error_in_words(message) {
        return words;
    }
    let elsewhere = "use it in an effect or an event handler, or call the island with `hydrate=\"only\"`";
    let undefined = "declare or import it; browser APIs belong in an effect or an event handler, or in an island that is called \
                     with `hydrate=\"only\"`";
    if message.ends_with(" is not defined") {
        format!("{message} while prerendering; {undefined}")
    } else if message.ends_with(" is not available while prerendering") {
        format!("{message}; {elsewhere}")
    } else {
        message.to_owned()
    }
}

/// The length in characters of the longest excerpt of a rendering in a message.
const EXCERPT: usize = 60;

/// Where two renderings differ first, as a short piece of each.
pub fn difference(one: &str, other: &str) -> (String, String) {
    let same =
        one.chars().zip(other.chars()).take_while(|(left, right)| left == right).map(|(left, _)| left.len_utf8());
    let start = same.sum::<usize>();
    // From the text or the tag that the difference is in.
    let from = one[..start].rfind(['<', '>']).map_or(0, |at| if one[at..].starts_with('>') { at + 1 } else { at });
    let excerpt = |html: &str| {
        let rest = &html[from..];
        // A tag that only one of the two has is shown completely.
        let first = (start - from).max(usize::from(rest.starts_with('<')));
        let end = rest[first..].find(['<', '>']).map_or(rest.len(), |at| first + at);
        let end = if rest[end..].starts_with('>') { end + 1 } else { end };
        let text = &rest[..end];
        match text.char_indices().nth(EXCERPT) {
            None => text.to_owned(),
            Some(_) => {
                // Cut so that the difference is in the excerpt.
                let before = text[..start - from].char_indices().rev().nth(EXCERPT / 2).map_or(0, |(at, _)| at);
                let letters: String = text[before..].chars().take(EXCERPT).collect();
                let dots = |is_cut: bool| if is_cut { "…" } else { "" };
                let is_cut = before + letters.len() < text.len();
                format!("{}{letters}{}", dots(before > 0), dots(is_cut))
            }
        }
    };
    (excerpt(one), excerpt(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_shown_with_its_text_or_tag() {
        for (one, other, shown) in [
            ("<p>in 2001.</p>", "<p>in 2096.</p>", ("in 2001.", "in 2096.")),
            ("<p id=\"a\">x</p>", "<p id=\"b\">x</p>", ("<p id=\"a\">", "<p id=\"b\">")),
            ("<p>x</p>", "<p>x</p><p>y</p>", ("", "<p>")),
            ("<i>ä</i>", "<i>ö</i>", ("ä", "ö")),
        ] {
            let (left, right) = difference(one, other);
            assert_eq!((left.as_str(), right.as_str()), shown);
        }
        let long = format!("<p>{}1{}</p>", "ä".repeat(100), "z".repeat(100));
        let (left, _) = difference(&long, &long.replace('1', "2"));
        assert!(
            left.starts_with('…') && left.contains("ä1z") && left.ends_with('…') && left.chars().count() < 70,
            "{left}"
        );
    }

    #[test]
    fn a_file_of_a_package_is_shown_as_the_package() {
        for (path, name) in [
            ("node_modules/a/dist/x.js", "a"),
            ("node_modules/@a/b/x.js", "@a/b"),
            ("node_modules/a/node_modules/b/x.js", "b"),
            ("islands/parts/x.ts", "islands/parts/x.ts"),
        ] {
            assert_eq!(shown(path), name);
        }
    }

    #[test]
    fn what_is_called_is_named() {
        let text = "import { useState, useStat } from 'react';\nconst a = useStat(1), b = c.d();\n";
        let at = |word: &str| text.rfind(word).unwrap();
        assert_eq!(called(text, at("useStat")), Some("useStat"));
        assert_eq!(called(text, at("(1")), Some("useStat"));
        assert_eq!(called(text, at("d(")), Some("d"));
        assert_eq!(called(text, at("const")), None);
        assert_eq!(called("a.grouped((name) => name)", "a.grouped((".len()), Some("grouped"));
        assert_eq!(called("if (name) {}", "if (".len()), None);
        assert_eq!((module_of(text, "useStat"), module_of(text, "d")), (Some("react"), None));
    }

    #[test]
    fn a_loop_is_endless_that_nothing_leaves() {
        for text in
            ["while (true) {}", "while(1) a();", "for (;;) { if (a) { b(); } }\nreturn c;", "for (let a = 0; ; a++) {}"]
        {
            assert!(is_endless(text), "{text}");
        }
        for text in [
            "while (a) {}",
            "while (true) { if (a) { b(); } else break; }",
            "for (let a = 0; a < 1e9; a++) {}",
            "for (const a of b) {}",
            "while (true) { await a; }",
            "do {} while (true)",
        ] {
            assert!(!is_endless(text), "{text}");
        }
    }

    #[test]
    fn a_line_is_in_a_loop_by_its_indentation() {
        let text = "let a = 0;\nfor (;;) {\n  if (a) {\n\n    a();\n  }\n}\nformat(a);\n if (a) while (b()) c();\n";
        let loops: Vec<_> = (0..9).map(|line| loop_around(text, line)).collect();
        let first = Some((1, 0));
        assert_eq!(loops, [None, first, first, first, first, first, None, None, Some((8, 8))]);
    }
}
