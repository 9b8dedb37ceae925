//! MDX: `import` and `export`, JSX and expressions in Markdown (<https://mdxjs.com/docs/what-is-mdx/>), and the containers of
//! Docusaurus and Starlight.

use super::components::{Arg, Call, Tag, identifier};
use super::old::{self, Old};
use super::site::{Body, Finding, Slot, cleaned};
use std::collections::BTreeMap;

/// Translates a text. `file` is its path in the old site, from which imports are found.
pub fn body(text: &str, file: &str, old: &Old) -> Body {
    let (mut body, mut left) = (Body::default(), MOST_IMPORTED);
    body.text = translate(text, file, old, &mut body, 5, &mut left);
    containers(&mut body);
    body
}

fn translate(text: &str, file: &str, old: &Old, body: &mut Body, depth: usize, left: &mut usize) -> String {
    let text = cleaned(text);
    let mut reader = Reader {
        text: &text,
        at: 0,
        out: String::new(),
        body,
        file,
        old,
        imports: BTreeMap::new(),
        open: Vec::new(),
        depth,
        left,
        line: 0,
        content: 0,
        seen: 0,
        paragraph: 0,
        braces: Braces::default(),
    };
    reader.run();
    reader.out
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    out: String,
    body: &'t mut Body,
    file: &'t str,
    old: &'t Old,
    /// Files by the names under which they are imported.
    imports: BTreeMap<String, String>,
    /// Components and elements that are open.
    open: Vec<Open>,
    /// How many texts may be put into each other here, and how many bytes of them.
    depth: usize,
    left: &'t mut usize,
    /// Where the line begins that the place `seen` is in, and where its first letter is.
    line: usize,
    content: usize,
    seen: usize,
    /// The end of the paragraph that was looked for last.
    paragraph: usize,
    braces: Braces,
}

/// A component or an element of HTML that is open.
struct Open {
    name: String,
    /// The indentation of its tags, which is that of the item of a list around it.
    indent: String,
    /// How many signs of white space are taken off the lines in it: they mean nothing in MDX.
    excess: usize,
    /// Whether an empty line is between its tags and what is in it.
    is_apart: bool,
}

/// Elements of HTML that may have paragraphs in them.
const CONTAINERS: [&str; 31] = [
    "a",
    "article",
    "aside",
    "blockquote",
    "center",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "header",
    "ins",
    "li",
    "main",
    "nav",
    "ol",
    "section",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "ul",
    "video",
];

/// Elements that begin a block of HTML in CommonMark, and have no paragraphs in them.
const BLOCKS: [&str; 11] = ["p", "summary", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "caption", "legend"];

/// The most bytes of other texts in a text: one that imports itself twice would double with each level.
const MOST_IMPORTED: usize = 500_000;

/// The most bytes of the words of a component within a line.
const MOST_WORDS: usize = 2_000;

/// A tag of JSX: its name, its attributes, its kind and its length.
type Element = (String, Vec<(String, Jsx)>, Tag, usize);

/// A value in JSX.
enum Jsx {
    Value(Arg),
    /// An expression that only a program knows the value of.
    Expression(String),
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn run(&mut self) {
        let mut is_line_start = true;
        while self.at < self.text.len() {
            if is_line_start {
                if self.statement() {
                    continue;
                }
                self.at += self.excess();
                if self.fence() {
                    continue;
                }
            }
            let Some(letter) = self.rest().chars().next() else { break };
            is_line_start = letter == '\n';
            match letter {
                '`' => self.code(),
                '\\' => self.take(1 + self.rest()[1..].chars().next().map_or(0, char::len_utf8)),
                '{' => self.expression(),
                '<' => self.tag(),
                letter => self.take(letter.len_utf8()),
            }
        }
    }

    /// Returns how many spaces the line of a place begins with, and whether something else is before the place. Places are
    /// asked for in their order, so that a long line is read once.
    fn indent_of(&mut self, place: usize) -> (usize, bool) {
        if let Some(end) = self.text[self.seen..place].rfind('\n') {
            self.line = self.seen + end + 1;
            self.content = self.line;
        }
        if self.content == self.line {
            let line = &self.text[self.line..place];
            self.content += line.len() - line.trim_start().len();
        }
        self.seen = place;
        (self.content - self.line, self.content < place)
    }

    /// Returns how many signs of white space at the current place mean nothing, because they stand at the beginning of a line in a
    /// component or an element.
    fn excess(&self) -> usize {
        let excess = self.open.last().map_or(0, |open| open.excess);
        self.rest().bytes().take(excess).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    }

    /// Returns how many such signs are at the beginnings of the lines below a tag that ends here, whose own indentation means
    /// something: as many as the first of them has.
    fn excess_below(&self, indent: &str) -> usize {
        let near = &self.rest()[..self.rest().floor_char_boundary(MOST_WORDS)];
        let first = near.lines().skip(1).find(|line| !line.trim().is_empty()).unwrap_or_default();
        (first.len() - first.trim_start_matches([' ', '\t']).len()).saturating_sub(indent.len())
    }

    /// Whether nothing else follows on the line.
    fn ends_line(&self) -> bool {
        let spaces = self.rest().bytes().take(MOST_WORDS).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        matches!(self.rest().as_bytes().get(spaces), None | Some(b'\n'))
    }

    /// Writes the end of a line where another block of Markdown begins on the next one, which HTML would swallow.
    fn end_html(&mut self) {
        if self.ends_line() {
            let near = &self.rest()[..self.rest().floor_char_boundary(MOST_WORDS)];
            let next = near.lines().nth(1).map(str::trim).unwrap_or_default();
            self.out.push_str(if next.is_empty() || next.starts_with('<') { "" } else { "\n" });
        }
    }

    fn take(&mut self, length: usize) {
        let end = self.at + length;
        self.out.push_str(&self.text[self.at..end]);
        self.at = end;
    }

    /// Leaves out `import` and `export` at the beginning of a line, up to the next blank line.
    fn statement(&mut self) -> bool {
        let rest = self.rest();
        let is_import = rest.starts_with("import ") || rest.starts_with("import{");
        if !is_import && !rest.starts_with("export ") {
            return false;
        }
        let first = rest.lines().next().unwrap_or_default();
        let looks_like_code = first.contains(" from ") || first.contains(['=', '{', '\'', '"', '(']);
        if !looks_like_code {
            return false;
        }
        let end = rest.find("\n\n").map_or(rest.len(), |end| end + 1);
        let block = rest[..end].to_owned();
        for line in block.lines() {
            let words = line.trim_start().strip_prefix("import").and_then(|line| line.split_once(" from "));
            let Some((names, source)) = words else { continue };
            let source = source.trim().trim_end_matches(';').trim_matches(['"', '\'']);
            let name = names.trim().split([',', ' ']).next().unwrap_or_default().to_owned();
            let path = match source.strip_prefix("@site/") {
                Some(path) => old::join("", path),
                None if source.starts_with('.') => old::join(old::folder(self.file), source),
                None => None,
            };
            if let Some(path) = path.filter(|path| self.old.has(path)) {
                self.imports.insert(name, path);
            }
        }
        if block.lines().any(|line| line.starts_with("export ")) {
            let mark = self.body.note(&block, Finding::left("`export` was left out: it is code"));
            self.out.push_str(&mark);
        }
        self.at += end;
        true
    }

    /// Copies a block of code.
    fn fence(&mut self) -> bool {
        let rest = self.rest();
        let line = rest.lines().next().unwrap_or_default();
        let trimmed = line.trim_start();
        let Some(kind) = trimmed.chars().next().filter(|kind| "`~".contains(*kind)) else { return false };
        let length = trimmed.chars().take_while(|letter| *letter == kind).count();
        if length < 3 {
            return false;
        }
        let fence = kind.to_string().repeat(length);
        let mut end = (line.len() + 1).min(rest.len());
        for line in rest[end..].split_inclusive('\n') {
            end += line.len();
            let trimmed = line.trim();
            if trimmed.starts_with(&fence) && trimmed.chars().all(|letter| letter == kind) {
                break;
            }
        }
        let stop = self.at + end;
        let mut block = String::with_capacity(end);
        while self.at < stop {
            self.at += self.excess();
            let length = self.rest().find('\n').map_or(self.rest().len(), |end| end + 1);
            block.push_str(&self.rest()[..length]);
            self.at += length;
        }
        self.out.push_str(&if block.contains("highlight-") { with_highlights(&block) } else { block });
        true
    }

    fn code(&mut self) {
        // Code ends in its paragraph.
        if self.paragraph <= self.at {
            self.paragraph = self.rest().find("\n\n").map_or(self.text.len(), |end| self.at + end);
        }
        let rest = self.rest();
        let length = rest.bytes().take_while(|byte| *byte == b'`').count();
        let close = rest[length..(self.paragraph - self.at).max(length)].find(&rest[..length]);
        self.take(close.map_or(length, |close| length + close + length));
    }

    fn expression(&mut self) {
        let rest = self.rest();
        // The id of a heading.
        if rest.starts_with("{#") {
            return self.take(1);
        }
        if let Some((id, length)) = heading_id(rest)
            && self.out.rsplit('\n').next().is_some_and(|line| line.starts_with('#'))
        {
            self.out.push_str(&format!("{{#{id}}}"));
            self.at += length;
            return;
        }
        // An apostrophe is none of a quotation elsewhere: `it's {a}`.
        if let Some(inside) = rest.strip_prefix("{'").map(|inside| &inside[..inside.floor_char_boundary(MOST_WORDS)])
            && let Some(end) = inside.find("'}").filter(|end| !inside[..*end].contains(['\n', '\'', '\\']))
        {
            self.out.push_str(&inside[..end].replace('{', "\\{").replace('}', "\\}"));
            self.at += end + 4;
            return;
        }
        let Some(length) = self.braces.length(self.text, self.at) else { return self.take(1) };
        let original = self.text[self.at..self.at + length].to_owned();
        let inside = original[1..length - 1].trim();
        self.at += length;
        if inside.starts_with("/*") || inside.is_empty() {
            return;
        }
        match literal(inside) {
            Jsx::Value(Arg::Text(text) | Arg::Number(text)) => self.out.push_str(&text.replace('{', "\\{")),
            _ => {
                let short: String = inside.chars().take(60).collect();
                let finding = Finding::left(format!(
                    "`{{{}}}` was left out: only a program knows its value",
                    short.replace('\n', " ")
                ));
                let mark = self.body.note(&original, finding);
                self.out.push_str(&mark);
            }
        }
    }

    /// Writes a picture of a file that is imported as one of Markdown.
    fn picture(&mut self, attributes: &[(String, Jsx)], original: &str) -> bool {
        let find = |name: &str| attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value);
        let source = match find("src") {
            Some(Jsx::Expression(expression)) => self.source(expression),
            _ => None,
        };
        let alt = match find("alt") {
            Some(Jsx::Value(Arg::Text(alt))) => alt.replace(['[', ']', '\n'], " "),
            _ => String::new(),
        };
        let Some(source) = source else { return false };
        let left = attributes.iter().map(|(name, _)| name.as_str()).filter(|name| !["src", "alt"].contains(name));
        let left = left.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if !left.is_empty() {
            let mark = self.body.note(original, Finding::left(format!("{left} of a picture was left out")));
            self.out.push_str(&mark);
        }
        self.out.push_str(&format!("![{alt}](<{}>)", source.replace(['<', '>', '\n'], "")));
        true
    }

    fn tag(&mut self) {
        let tag = jsx(self.text, self.at, &mut self.braces);
        let Some((name, attributes, kind, length)) = tag else { return self.take(1) };
        let original = self.text[self.at..self.at + length].to_owned();
        let start = self.at;
        self.at += length;
        if name.is_empty() {
            return;
        }
        if !name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
            return self.html(&name, attributes, kind, &original, start);
        }
        if kind == Tag::Alone || kind == Tag::Open {
            let imported = self.imports.get(&name).cloned();
            if let Some(path) = imported.filter(|path| old::is_markdown(path) && self.depth > 0)
                && let Some(text) = self.old.text(&path).filter(|text| text.len() < *self.left)
            {
                *self.left -= text.len();
                let text = super::data::split(text).map_or_else(|unreadable| unreadable.body, |document| document.body);
                let inner = translate(text, &path, self.old, self.body, self.depth - 1, self.left);
                self.out.push_str(&format!("\n\n{}\n\n", inner.trim()));
                return;
            }
        }
        if kind == Tag::Alone && ["Image", "Picture"].contains(&name.as_str()) && self.picture(&attributes, &original) {
            return;
        }
        let origin = format!("the component `{name}`");
        let (args, gone) = arguments(&attributes);
        let finding = Some(gone).filter(|gone| !gone.is_empty()).map(|gone| {
            Finding::left(format!("`{}` of `<{name}>` was left out: only a program knows the value", gone.join("`, `")))
        });
        let (indent, is_after_text) = self.indent_of(start);
        if kind == Tag::Open
            && let Some((inner, length)) = self.inner_of_line(&name, is_after_text)
        {
            let mut args = args;
            args.push(("text".to_owned(), Arg::Text(inner)));
            let call = Call { name: identifier(&name), args, tag: Tag::Alone, origin };
            self.at += length;
            let mark = self.body.mark(Slot::Call(call), &original, finding);
            return self.out.push_str(&mark);
        }
        // Indentation in JSX means nothing, but four spaces would be code in Markdown. In a list it is that of the item.
        let indent = match kind {
            Tag::Alone => String::new(),
            Tag::Open => self.push_open(&name, indent, true),
            Tag::Close => match self.open.pop_if(|open| open.name == name) {
                Some(open) => open.indent,
                None => return,
            },
        };
        let call = Call { name: identifier(&name), args, tag: kind, origin };
        let mark = self.body.mark(Slot::Call(call), &original, finding);
        if kind == Tag::Alone {
            return self.out.push_str(&mark);
        }
        self.out.truncate(self.out.trim_end_matches([' ', '\t']).len());
        self.out.push_str(&format!("\n\n{indent}{mark}\n\n"));
        if !self.rest().starts_with('\n') {
            self.out.push_str(&indent);
            let spaces = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
            self.at += spaces;
        }
    }

    /// Notes that a component or an element is open whose tag ends here, on a line with some indentation. Returns the indentation of
    /// its tags.
    fn push_open(&mut self, name: &str, indent: usize, is_apart: bool) -> String {
        let around = self.open.last().map_or(0, |open| open.excess);
        let indent = self.indent_in_list(indent.saturating_sub(around));
        let excess = if self.ends_line() { self.excess_below(&indent) } else { around };
        self.open.push(Open { name: name.to_owned(), indent: indent.clone(), excess, is_apart });
        indent
    }

    /// Returns the indentation of the item of a list that a line with some indentation is in.
    fn indent_in_list(&self, indent: usize) -> String {
        let outer = self.open.last().map(|open| open.indent.clone()).unwrap_or_default();
        if indent == 0 {
            return outer;
        }
        for line in self.out.lines().rev().filter(|line| !line.trim().is_empty()).take(200) {
            let own = line.len() - line.trim_start().len();
            if own >= indent {
                continue;
            }
            let text = line.trim_start();
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            let marker = match text.chars().next() {
                Some('-' | '*' | '+') => 1,
                Some(_) if digits > 0 && text[digits..].starts_with(['.', ')']) => digits + 1,
                _ => return outer,
            };
            let rest = &text[marker..];
            let space = rest.len() - rest.trim_start_matches(' ').len();
            return if (1..=4).contains(&space) { " ".repeat(own + marker + space) } else { outer };
        }
        outer
    }

    /// Returns the words between two tags in the middle of a line, and the length of these and the second tag.
    fn inner_of_line(&self, name: &str, is_after_text: bool) -> Option<(String, usize)> {
        let closing = format!("</{name}>");
        let near = &self.rest()[..self.rest().floor_char_boundary(MOST_WORDS + closing.len())];
        let line = near.lines().next().unwrap_or_default();
        let end = line.find(&closing)?;
        let inner = &line[..end];
        let after = &line[end + closing.len()..];
        let is_in_line = is_after_text || !after.trim().is_empty();
        (is_in_line && !inner.contains(['<', '{', '`', '[', '*'])).then(|| (inner.to_owned(), end + closing.len()))
    }

    /// Writes an element of HTML with the attributes that HTML has. Markdown in it is Markdown in MDX, and would be HTML in
    /// CommonMark: where it is, empty lines are around it.
    fn html(&mut self, name: &str, attributes: Vec<(String, Jsx)>, kind: Tag, original: &str, start: usize) {
        if kind == Tag::Close {
            return self.end_of_html(name);
        }
        let (indent, is_after_text) = self.indent_of(start);
        let mut tag = format!("<{name}{}>", self.html_attributes(name, attributes, original));
        let is_void = ["area", "br", "col", "embed", "hr", "img", "input", "source", "track", "wbr"].contains(&name);
        if kind == Tag::Alone {
            tag.push_str(&if is_void { String::new() } else { format!("</{name}>") });
            self.out.push_str(&tag);
            if !is_after_text {
                self.end_html();
            }
            return;
        }
        if !CONTAINERS.contains(&name) {
            if !is_after_text && BLOCKS.contains(&name) && self.has_markdown(name) {
                let finding =
                    Finding::left(format!("Markdown in `<{name}>` is shown as it is written: write it as HTML"));
                let mark = self.body.note(original, finding);
                self.out.push_str(&mark);
            }
            return self.out.push_str(&tag);
        }
        let is_apart = !is_after_text && (self.ends_line() || self.has_markdown(name));
        let indent = self.push_open(name, indent, is_apart);
        if !is_apart {
            return self.out.push_str(&tag);
        }
        self.begin_block(&indent);
        self.out.push_str(&tag);
        self.out.push('\n');
        self.go_on(&indent);
    }

    fn end_of_html(&mut self, name: &str) {
        let open = self.open.pop_if(|open| open.name == name);
        if let Some(Open { indent, .. }) = open.filter(|open| open.is_apart) {
            self.out.truncate(self.out.trim_end().len());
            self.out.push('\n');
            self.begin_block(&indent);
            self.out.push_str(&format!("</{name}>\n"));
            return self.go_on(&indent);
        }
        self.out.push_str(&format!("</{name}>"));
        if CONTAINERS.contains(&name) || BLOCKS.contains(&name) {
            self.end_html();
        }
    }

    /// Begins a block on a line of its own, below an empty one.
    fn begin_block(&mut self, indent: &str) {
        self.out.truncate(self.out.trim_end_matches([' ', '\t']).len());
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
        self.out.push_str(indent);
    }

    /// Goes on below an empty line with what follows on the same line.
    fn go_on(&mut self, indent: &str) {
        if !self.ends_line() {
            self.out.push('\n');
            self.out.push_str(indent);
            self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        }
    }

    /// Whether Markdown is between here and the end of an element.
    fn has_markdown(&self, name: &str) -> bool {
        let near = &self.rest()[..self.rest().floor_char_boundary(MOST_WORDS)];
        let inside = &near[..near.find(&format!("</{name}>")).unwrap_or(near.len())];
        ["*", "`", "](", "~~", " _", "__"].iter().any(|sign| inside.contains(sign))
    }

    /// Returns the attributes that HTML has, each after a space.
    fn html_attributes(&mut self, name: &str, attributes: Vec<(String, Jsx)>, original: &str) -> String {
        let mut written = String::new();
        for (attribute, value) in attributes {
            let attribute = match attribute.as_str() {
                "className" => "class".to_owned(),
                "htmlFor" => "for".to_owned(),
                other => other.to_ascii_lowercase(),
            };
            match value {
                Jsx::Value(Arg::Bool(false)) => {}
                Jsx::Value(Arg::Bool(true)) => written.push_str(&format!(" {attribute}")),
                Jsx::Value(Arg::Text(text) | Arg::Number(text)) => {
                    written.push_str(&format!(" {attribute}=\"{}\"", text.replace('"', "&quot;").replace('\n', " ")));
                }
                Jsx::Expression(expression) if self.source(&expression).is_some() => {
                    written.push_str(&format!(" {attribute}=\"{}\"", self.source(&expression).unwrap_or_default()));
                }
                _ => {
                    let finding = Finding::left(format!(
                        "`{attribute}` of `<{name}>` was left out: only a program knows its value"
                    ));
                    let mark = self.body.note(original, finding);
                    self.out.push_str(&mark);
                }
            }
        }
        written
    }

    /// The path of a file that an expression names: an import, or `require("./a.png").default`.
    fn source(&self, expression: &str) -> Option<String> {
        let expression = expression.trim();
        let quoted = expression.strip_prefix("require(").and_then(|rest| rest.get(1..)?.split(['"', '\'', '`']).next());
        let quoted = quoted.or_else(|| {
            expression.strip_prefix("useBaseUrl(").and_then(|rest| rest.get(1..)?.split(['"', '\'']).next())
        });
        if let Some(path) = quoted {
            return Some(path.strip_prefix("@site/static").unwrap_or(path).to_owned());
        }
        let name = expression.split('.').next().unwrap_or_default();
        let path = self.imports.get(name)?;
        Some(match path.strip_prefix("static/") {
            Some(rest) => format!("/{rest}"),
            None => old::relative(old::folder(self.file), path),
        })
    }
}

/// Reads `{/* #id */}`, and returns the id with the length.
fn heading_id(text: &str) -> Option<(&str, usize)> {
    let rest = text.strip_prefix("{/*")?;
    let inside = rest.trim_start_matches(' ').strip_prefix('#')?;
    let is_sign = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    let (id, after) = inside.split_at(inside.find(|letter| !is_sign(letter))?);
    let after = after.trim_start_matches(' ').strip_prefix("*/}")?;
    (!id.is_empty()).then_some((id, text.len() - after.len()))
}

/// Takes the comments out of a block of code by which Docusaurus highlights lines, and writes the numbers of these behind its fence.
fn with_highlights(block: &str) -> String {
    const SIGNS: [(&str, &str); 6] = [("//", ""), ("#", ""), ("--", ""), ("{/*", "*/}"), ("/*", "*/"), ("<!--", "-->")];
    let comment = |line: &str| {
        let inside = SIGNS.iter().find_map(|(open, close)| line.trim().strip_prefix(open)?.strip_suffix(close));
        inside.map(str::trim).and_then(|inside| inside.strip_prefix("highlight-")).map(str::to_owned)
    };
    let (mut code, mut numbers, mut number) = (String::with_capacity(block.len()), Vec::new(), 0);
    let (mut is_next, mut is_within) = (false, false);
    let (fence, lines) = block.split_at(block.find('\n').unwrap_or(block.len()));
    for line in lines.trim_start_matches('\n').split_inclusive('\n') {
        match comment(line).as_deref() {
            Some("next-line") => is_next = true,
            Some("start") => is_within = true,
            Some("end") => is_within = false,
            _ => {
                number += 1;
                numbers.extend((is_next || is_within).then(|| number.to_string()));
                is_next = false;
                code.push_str(line);
            }
        }
    }
    let fence = match (numbers.is_empty(), fence.split_once('{')) {
        (true, _) => fence.to_owned(),
        (false, Some((before, after))) => format!("{before}{{{},{after}", numbers.join(",")),
        (false, None) => format!("{fence} {{{}}}", numbers.join(",")),
    };
    format!("{fence}\n{code}")
}

fn arguments(attributes: &[(String, Jsx)]) -> (Vec<(String, Arg)>, Vec<String>) {
    let (mut args, mut gone) = (Vec::<(String, Arg)>::new(), Vec::new());
    for (name, value) in attributes {
        let own = identifier(name);
        match value {
            Jsx::Value(arg) if args.iter().all(|(other, _)| *other != own) => args.push((own, arg.clone())),
            Jsx::Value(_) => {}
            Jsx::Expression(_) => gone.push(name.clone()),
        }
    }
    (args, gone)
}

/// Reads a literal of JavaScript: a text, a number, `true`, `false`, or a list of texts.
fn literal(text: &str) -> Jsx {
    let text = text.trim();
    for quote in ['"', '\'', '`'] {
        let inside = text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
        if let Some(inside) = inside.filter(|inside| !inside.contains(quote) && !inside.contains("${")) {
            return Jsx::Value(Arg::Text(inside.replace("\\n", " ")));
        }
    }
    if text == "true" || text == "false" {
        return Jsx::Value(Arg::Bool(text == "true"));
    }
    let is_number = text.len() < 16 && text.chars().all(|letter| letter.is_ascii_digit() || "-.".contains(letter));
    if is_number && text.parse::<f64>().is_ok() {
        return Jsx::Value(Arg::Number(text.to_owned()));
    }
    let items = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).map(|inside| {
        let items = inside.trim().trim_end_matches(',').split(',');
        items.map(|item| match literal(item) {
            Jsx::Value(Arg::Text(text)) => Some(text),
            _ => None,
        })
    });
    match items.and_then(Iterator::collect::<Option<Vec<String>>>) {
        Some(items) => Jsx::Value(Arg::List(items)),
        None => Jsx::Expression(text.to_owned()),
    }
}

/// Reads the tag of JSX at a place.
fn jsx(text: &str, start: usize, braces: &mut Braces) -> Option<Element> {
    let mut at = start + 1;
    let is_close = text[at..].starts_with('/');
    at += usize::from(is_close);
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_.:".contains(letter);
    let word = |at: usize| {
        let rest = &text[at..];
        rest[..rest.find(|letter| !is_name(letter)).unwrap_or(rest.len())].to_owned()
    };
    let name = word(at);
    let is_fragment = name.is_empty() && text[at..].starts_with('>');
    if !is_fragment && !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    at += name.len();
    let mut attributes = Vec::new();
    loop {
        at = text.len() - text[at..].trim_start().len();
        let rest = &text[at..];
        if rest.starts_with('>') {
            let kind = if is_close { Tag::Close } else { Tag::Open };
            return Some((name, attributes, kind, at + 1 - start));
        }
        if rest.starts_with("/>") {
            return Some((name, attributes, Tag::Alone, at + 2 - start));
        }
        if rest.starts_with('{') {
            let length = braces.length(text, at)?;
            attributes.push(("props".to_owned(), Jsx::Expression(rest[..length].to_owned())));
            at += length;
            continue;
        }
        let attribute = word(at);
        if attribute.is_empty() {
            return None;
        }
        at += attribute.len();
        if !text[at..].starts_with('=') {
            attributes.push((attribute, Jsx::Value(Arg::Bool(true))));
            continue;
        }
        at += 1;
        let (value, length) = attribute_value(text, at, braces)?;
        attributes.push((attribute, value));
        at += length;
    }
}

/// Reads the value of an attribute, and returns it with its length.
fn attribute_value(text: &str, at: usize, braces: &mut Braces) -> Option<(Jsx, usize)> {
    let rest = &text[at..];
    match rest.chars().next()? {
        quote @ ('"' | '\'') => {
            let inside = &rest[1..1 + rest[1..].find(quote)?];
            Some((Jsx::Value(Arg::Text(inside.to_owned())), inside.len() + 2))
        }
        '{' => {
            let length = braces.length(text, at)?;
            Some((literal(&rest[1..length - 1]), length))
        }
        _ => {
            let end = rest.find(|letter: char| letter.is_whitespace() || matches!(letter, '<' | '>'))?;
            Some((Jsx::Value(Arg::Text(rest[..end].to_owned())), end))
        }
    }
}

/// Where the braces of a text close, as far as somebody has asked. A place is looked at three times at most, however many
/// braces open before it: outside of quotes, and in quotes of each of the two kinds that one before it has opened.
#[derive(Default)]
struct Braces {
    /// By the place of a `{`: the place after the `}` that closes it, if there is one.
    ends: BTreeMap<usize, Option<usize>>,
}

/// The most bytes of what is in braces: more is text in which somebody has forgotten to close one.
const MOST_BRACES: usize = 20_000;

impl Braces {
    /// Returns the length of what is in the braces that open at a place, with both of them.
    fn length(&mut self, text: &str, start: usize) -> Option<usize> {
        if !self.ends.contains_key(&start) {
            self.match_from(text, start);
        }
        let length = self.ends.get(&start).copied().flatten()? - start;
        (length <= MOST_BRACES).then_some(length)
    }

    /// Finds the ends of the braces at a place and of those in them.
    fn match_from(&mut self, text: &str, start: usize) {
        let bytes = text.as_bytes();
        let (mut open, mut quote, mut at) = (Vec::new(), None, start);
        while let Some(byte) = bytes.get(at).copied() {
            match (quote, byte) {
                (Some(opened), byte) if opened == byte => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'`') => quote = Some(byte),
                (None, b'{') => match self.ends.get(&at) {
                    Some(Some(end)) => {
                        at = *end;
                        continue;
                    }
                    // What is around braces that nothing closes is not closed either.
                    Some(None) => break,
                    None => open.push(at),
                },
                (None, b'}') => {
                    let Some(opened) = open.pop() else { break };
                    self.ends.insert(opened, Some(at + 1));
                    if open.is_empty() {
                        return;
                    }
                }
                _ => {}
            }
            at += 1;
        }
        self.ends.extend(open.into_iter().map(|opened| (opened, None)));
    }
}

/// Notes which components the containers of a text call, and takes off what only the old generator reads.
pub fn containers(body: &mut Body) {
    let mut out = String::with_capacity(body.text.len());
    let mut fence: Option<String> = None;
    for line in std::mem::take(&mut body.text).split_inclusive('\n') {
        let trimmed = line.trim();
        match &fence {
            Some(closing) if trimmed.starts_with(closing.as_str()) && trimmed.trim_matches(['`', '~']).is_empty() => {
                fence = None
            }
            Some(_) => {}
            None if trimmed.starts_with("```") || trimmed.starts_with("~~~") => {
                let kind = trimmed.chars().next().unwrap_or('`');
                fence = Some(trimmed.chars().take_while(|letter| *letter == kind).collect());
            }
            None if trimmed.starts_with(":::") => {
                let colons = trimmed.len() - trimmed.trim_start_matches(':').len();
                let rest = trimmed[colons..].trim();
                let is_sign = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
                let end = rest.find(|letter| !is_sign(letter)).unwrap_or(rest.len());
                let (written, rest) = rest.split_at(end);
                let name = identifier(written);
                if !written.is_empty() {
                    let attributes = rest.split_once('{').map(|(_, inside)| inside.trim_end_matches('}').trim());
                    let note = attributes.filter(|inside| !inside.is_empty()).map_or(String::new(), |inside| {
                        body.note(
                            line,
                            Finding::left(format!("attributes of `:::{written}` were left out: `{inside}`")),
                        )
                    });
                    let rest = rest.split('{').next().unwrap_or_default().trim();
                    let title = rest.strip_prefix('[').map_or(rest, |inner| inner.trim_end_matches(']'));
                    let args = Some(title)
                        .filter(|title| !title.is_empty())
                        .map(|title| ("title".to_owned(), Arg::Text(title.to_owned())));
                    let origin = format!("the container `:::{written}`");
                    let call = Call { name: name.clone(), args: args.into_iter().collect(), tag: Tag::Open, origin };
                    body.mark(Slot::Call(call), line, None);
                    let indent = &line[..line.len() - line.trim_start().len()];
                    let colons = ":".repeat(colons);
                    let title = if title.is_empty() { String::new() } else { format!("[{title}]") };
                    out.push_str(&format!("{indent}{colons}{name}{title}{note}\n"));
                    continue;
                }
            }
            None => {}
        }
        out.push_str(line);
    }
    body.text = out;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::old::OldFile;

    fn translated(text: &str) -> (String, usize) {
        let files = BTreeMap::from([
            ("docs/a.png".to_owned(), OldFile::Binary),
            ("docs/_part.mdx".to_owned(), OldFile::Text("A **part**.".to_owned())),
        ]);
        let body = body(text, "docs/a.mdx", &Old::new(files));
        let mut components = crate::components::Components::default();
        components.note(body.calls(), "a.md");
        let (mut out, mut rest, mut findings) = (String::new(), body.text.as_str(), 0);
        while let Some(at) = rest.find(crate::site::MARK.0) {
            out.push_str(&rest[..at]);
            let ((slot, _, finding), length) = body.slot(&rest[at..]).unwrap();
            findings += usize::from(finding.is_some());
            match slot {
                Slot::Call(call) => out.push_str(&components.written(call)),
                Slot::Text(text) => out.push_str(text),
            }
            rest = &rest[at + length..];
        }
        (out + rest, findings)
    }

    #[test]
    fn jsx_becomes_calls_and_expressions_are_named() {
        for (text, expected, findings) in [
            ("import A from 'a';\n\nx", "\nx", 0),
            ("<Card title=\"A\" n={3} on />", "{{ <card title=\"A\" n={3} on={true} /> }}", 0),
            ("a <B c={x.y}>d</B> e", "a {{ <b text=\"d\" /> }} e", 1),
            (
                "<Tabs>\n<T l={['a', \"b\"]}>\nx\n</T>\n</Tabs>",
                "\n\n{% <tabs> %}\n\n\n\n\n{% <t l={[\"a\", \"b\"]}> %}\n\n\nx\n\n\n{% </t> %}\n\n\n\n\n{% </tabs> %}\n\n",
                0,
            ),
            ("a {\"b\"} {/* c */}{d.e}", "a b ", 1),
            (
                "`{a} <B/>`\n\n```jsx\nimport x from 'y';\n<A b={c} />\n```\n",
                "`{a} <B/>`\n\n```jsx\nimport x from 'y';\n<A b={c} />\n```\n",
                0,
            ),
            ("<div className=\"a\" style={{a: 1}}>x</div>", "<div class=\"a\">x</div>", 1),
            ("import p from './a.png';\n\n<img src={p} alt=\"A\" />", "\n<img src=\"a.png\" alt=\"A\">", 0),
            ("import P from './_part.mdx';\n\n<P />", "\n\n\nA **part**.\n\n", 0),
            ("## A {#b}", "## A {#b}", 0),
            ("## A {/* #b-c */}\n", "## A {#b-c}\n", 0),
            ("x {/* #b */}", "x ", 0),
            ("{'{'}braces{'}'} it's {d.e}", "\\{braces\\} it's ", 1),
            ("import p from './a.png';\n\n<Image src={p} alt=\"A\" width={3} />", "\n![A](<a.png>)", 1),
            (":::custom-thing{#x}\nx\n:::\n", ":::custom_thing\nx\n:::\n", 1),
            ("1 < 2", "1 < 2", 0),
            ("<div>\n  **b** [a](b.md)\n</div>\nc", "<div>\n\n**b** [a](b.md)\n\n</div>\n\nc", 0),
            ("a\n<div>b **c**</div> d\n", "a\n\n<div>\n\nb **c**\n\n</div>\n\nd\n", 0),
            ("<div>b</div>\n**c**", "<div>b</div>\n\n**c**", 0),
            ("<br />\n**x**", "<br>\n\n**x**", 0),
            ("<img src=\"/a.png\" />\n![C](./a.png)", "<img src=\"/a.png\">\n\n![C](./a.png)", 0),
            (
                "<details>\n  <summary>A</summary>\n  **b**\n</details>\n",
                "<details>\n\n<summary>A</summary>\n\n**b**\n\n</details>\n\n",
                0,
            ),
            (
                "```js\n// highlight-next-line\na\nb\n{/* highlight-start */}\nc\nd\n<!-- highlight-end -->\ne\n```\n",
                "```js {1,3,4}\na\nb\nc\nd\ne\n```\n",
                0,
            ),
            ("```js {2}\n# highlight-next-line\na\nb\n```\n", "```js {1,2}\na\nb\n```\n", 0),
            ("<summary>*a*</summary>\n", "<summary>*a*</summary>\n", 1),
            (
                "<Card>\n\t\tEdit **x**\n\n\t\t```js\n\t\t  a\n\t\t```\n\t</Card>\n",
                "\n\n{% <card> %}\n\n\nEdit **x**\n\n```js\n  a\n```\n\n\n{% </card> %}\n\n\n",
                0,
            ),
            (
                "- a\n  <B>\n      - c\n        - d\n  </B>\n",
                "- a\n\n\n  {% <b> %}\n\n\n  - c\n    - d\n\n\n  {% </b> %}\n\n\n",
                0,
            ),
            (":::tip Do it\nx\n:::\n", ":::tip[Do it]\nx\n:::\n", 0),
        ] {
            assert_eq!(translated(text), (expected.to_owned(), findings), "{text}");
        }
    }

    #[test]
    fn any_text_is_translated() {
        for piece in ["<", "<A", "<A b={", "{", "}", "</A>", "<A>", "`", "import {", "<A b=\"", ":::", "é<É>", "<>"] {
            translated(&piece.repeat(300));
        }
    }
}
