//! Finds the mistake behind an error of the YAML parser.
//!
//! The parser reports where it could not go on, in its own terms. An editor's mistake is often further up: a quote that
//! is not closed, a value that needs quotes. The line shows which.

use sitegen_core::diagnostics::{Span, YamlProblem};

/// What may be behind an error, with ways to repair it.
struct Reason {
    problem: YamlProblem,
    span: Span,
    /// Each one is a list of edits, in the order of the text.
    repairs: Vec<Vec<Edit>>,
}

/// Text in place of some bytes.
type Edit = (Span, String);

impl Reason {
    fn new(problem: YamlProblem, span: Span, repairs: impl Into<Vec<Vec<Edit>>>) -> Self {
        Reason { problem, span, repairs: repairs.into() }
    }
}

/// Returns the problem and its place behind the parser's `detail` at byte `at` of `text`.
///
/// A reason counts only if a text that is repaired by it has no mistake, or the next one further down. `failure` returns where
/// the parser gives up in a text.
pub fn diagnose(text: &str, detail: &str, at: usize, failure: impl Fn(&str) -> Option<usize>) -> (YamlProblem, Span) {
    let at = floor(text, at.min(text.len()));
    let line = Line::at(text, at);
    let after = line.start + line.text.len();
    // Beyond the end of the text nothing is further down.
    let is_at_end = text[after..].trim().is_empty();
    let helps = |edits: &Vec<Edit>| {
        let (repaired, end) = edited(text, edits);
        let Some(next) = failure(&repaired).map(|next| floor(&repaired, next.min(repaired.len()))) else { return true };
        // Where the text ends behind the place, counted from its end as edits change the beginning.
        let from_end = repaired.len() - next;
        let lines = repaired[end.min(next)..next.max(end)].matches('\n').count();
        from_end < text.len() - after || is_at_end && next > end && lines > 1
    };
    let reasons: [&dyn Fn() -> Option<Reason>; 17] = [
        &|| unprintable(text),
        &|| tabs(text, &line),
        &|| conflict(text),
        &|| line.block_on_the_line(text),
        &|| line.unquoted(detail, at),
        &|| quoted_too_early(text, detail, at),
        &|| line.quoted_in_part(at),
        &|| line.escaped(detail),
        &|| comma_alone(text, at),
        &|| line.in_braces(at),
        &|| continued_at_the_beginning(text, &line),
        &|| after_comment(text, &line, at),
        &|| never_closed(text, at),
        &|| item_below_value(text, &line),
        &|| indented(text, detail, &line),
        &|| without_colon(detail, &line),
        &|| without_colon_above(text, detail, &line),
    ];
    let found = reasons.iter().filter_map(|reason| reason()).find(|reason| reason.repairs.iter().any(helps));
    if let Some(reason) = found {
        return (reason.problem, reason.span);
    }
    let of_keys = ["expected string scalar", "expected string key", "deserialize null into string"];
    if of_keys.iter().any(|words| detail.contains(words)) {
        return (YamlProblem::YamlKey, character(text, at));
    }
    (syntax(detail), character(text, at))
}

/// Returns a text with some edits, and the end of the last one in it.
fn edited(text: &str, edits: &[Edit]) -> (String, usize) {
    let mut out = String::with_capacity(text.len() + 64);
    let mut from = 0;
    for (span, new) in edits {
        out.push_str(&text[from..span.start]);
        out.push_str(new);
        from = span.end;
    }
    let end = out.len();
    out.push_str(&text[from..]);
    (out, end)
}

/// The edit that puts text before a byte.
fn inserted(at: usize, new: &str) -> Edit {
    (Span { start: at, end: at }, new.to_owned())
}

/// The edit that puts a value in quotes.
fn quoted(value: &str, span: Span) -> Edit {
    (span, format!("'{}'", value.replace('\'', "''")))
}

/// A character that YAML does not allow (YAML 1.2.2, 5.1 "character set"). Editors do not show them.
fn unprintable(text: &str) -> Option<Reason> {
    let is_allowed = |letter: char| {
        matches!(letter, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{fffd}' | '\u{10000}'..)
            && letter != '\u{feff}'
    };
    let all = text.char_indices().filter(|(at, letter)| !is_allowed(*letter) && *at > 0);
    let edits: Vec<Edit> = all.map(|(at, letter)| (Span::at(at, letter.len_utf8()), String::new())).collect();
    let (span, _) = edits.first()?;
    let code = u32::from(text[span.start..].chars().next()?);
    let detail = format!("there is an invisible character, U+{code:04X}; delete it");
    Some(Reason::new(syntax(&detail), *span, [edits.clone()]))
}

/// A text in quotes that ends at an apostrophe, or at a quote in it.
fn quoted_too_early(text: &str, detail: &str, at: usize) -> Option<Reason> {
    let is_single = detail.contains("after single-quoted");
    if !is_single && !detail.contains("after double-quoted") {
        return None;
    }
    let detail = if is_single {
        "the text ends at this quote; write `''` for an apostrophe, or put the text in double quotes"
    } else {
        "the text ends at this quote; write `\\\"` for a quote in it"
    };
    let quote = if is_single { '\'' } else { '"' };
    // The parser may have skipped white space behind it.
    let end = text[..at].rfind(quote)?;
    let span = character(text, end);
    // Every other quote of the line but the one that ends its value is meant as a character too.
    let line = Line::at(text, end);
    let last = line.start + line.text.trim_end_matches(BLANK).len();
    let inner = text[end..last].char_indices().filter(|(_, letter)| *letter == quote).map(|(offset, _)| end + offset);
    let inner: Vec<usize> = inner.filter(|place| place + 1 < last).collect();
    let escape = if is_single { "'" } else { "\\" };
    let is_closed = text[..last].ends_with(quote);
    is_closed.then(|| {
        let escaped = inner.iter().map(|place| inserted(*place, escape)).collect::<Vec<Edit>>();
        Reason::new(syntax(detail), span, [escaped])
    })
}

/// A tab in the indentation of the line, of one below it that belongs to it, or of one further up.
fn tabs(text: &str, line: &Line) -> Option<Reason> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut start = 0;
    for each in text.split_inclusive('\n') {
        let indentation = &each[..each.len() - each.trim_start_matches([' ', '\t']).len()];
        edits.extend(indentation.match_indices('\t').map(|(at, _)| (Span::at(start + at, 1), "  ".to_owned())));
        start += each.len();
    }
    let here = edits.iter().find(|(span, _)| span.start >= line.start).or(edits.first())?.0;
    Some(Reason::new(YamlProblem::YamlTab, here, [edits]))
}

/// What git leaves in a file that two people have changed.
fn conflict(text: &str) -> Option<Reason> {
    let line_of = |mark: &str| {
        let is_mark = |line: &&str| line.starts_with(mark);
        let at = text.split_inclusive('\n').find(is_mark).map(|line| line.as_ptr().addr() - text.as_ptr().addr())?;
        Some(Span { start: at, end: next_line(text, at) })
    };
    let (first, middle, last) = (line_of("<<<<<<< ")?, line_of("=======")?, line_of(">>>>>>> ")?);
    let gone = |span: Span| (span, String::new());
    let repair = vec![gone(first), gone(Span { start: middle.start, end: last.end.max(middle.start) })];
    let detail = "a conflict between two versions is left here; keep the lines of one, and delete the marks of git";
    Some(Reason::new(syntax(detail), Line::at(text, first.start).span(), [repair]))
}

/// A comma in a list or a mapping without a value before it.
fn comma_alone(text: &str, at: usize) -> Option<Reason> {
    let before = text[..at].trim_end();
    (text[at..].starts_with(',') && before.ends_with(['[', '{', ','])).then(|| {
        let span = Span::at(at, 1);
        Reason::new(
            syntax("there is no value before this comma; delete the comma"),
            span,
            [vec![(span, String::new())]],
        )
    })
}

/// An item of a list below a key that has a value already.
fn item_below_value(text: &str, line: &Line) -> Option<Reason> {
    let above = Line::at(text, text[..line.start].trim_end().len());
    let (_, value) = above.value().filter(|_| line.text.trim_start().starts_with("- ") && !above.is_item())?;
    let detail = "this item of a list is below a key that has a value already; write the item below a key without one";
    Some(Reason::new(syntax(detail), line.span(), [vec![(value, String::new())]]))
}

/// A text in quotes whose next line begins at the margin of its key (YAML 1.2.2, 7.3.1: flow lines are indented).
fn continued_at_the_beginning(text: &str, line: &Line) -> Option<Reason> {
    let (open, start) = unclosed(&text[..line.start]).filter(|(open, _)| matches!(open, '"' | '\''))?;
    let first = Line::at(text, start);
    let rest = &text[line.start..];
    let end = rest.find(open)?;
    let behind = rest[end + 1..].lines().next().unwrap_or_default().trim_matches(BLANK);
    if line.indent > first.indent || !(behind.is_empty() || behind.starts_with('#')) {
        return None;
    }
    let spaces = " ".repeat(first.indent + 2);
    let starts = rest[..end].match_indices('\n').map(|(at, _)| line.start + at + 1);
    let edits = std::iter::once(line.start).chain(starts).map(|at| inserted(at, &spaces)).collect::<Vec<_>>();
    let detail = format!(
        "the quoted text from line {} continues here; indent this line by more than its key",
        text[..start].matches('\n').count() + 1
    );
    Some(Reason::new(syntax(&detail), line.span(), [edits]))
}

/// A text without quotes that goes on after a comment, which ends it (YAML 1.2.2, 6.6 "comments").
fn after_comment(text: &str, line: &Line, at: usize) -> Option<Reason> {
    // The parser gives up at the comment or at what follows it.
    let is_at_comment = text[at..].starts_with('#');
    let end = if is_at_comment { line.start + line.text.len() } else { text[..line.start].trim_end().len() };
    let start = text[..end].rfind('\n').map_or(0, |newline| newline + 1);
    let is_whole = text[start..end].trim_start().starts_with('#');
    let comment = start + if is_whole { text[start..end].find('#')? } else { text[start..end].find(" #")? + 1 };
    let next = next_line(text, end);
    let gone = if is_whole { Span { start, end: next } } else { Span { start: comment, end } };
    let continued = Line::at(text, if is_at_comment { next } else { line.start });
    if continued.text.contains(": ") || continued.text.trim_end().ends_with(':') {
        let detail = "this key is below a key that has a value; indent both by the same";
        let indent = Line::at(text, comment).indent;
        let edit = (Span::at(continued.start, continued.indent), " ".repeat(indent));
        return Some(Reason::new(syntax(detail), continued.span(), [vec![edit]]));
    }
    let detail = "the text ends at this comment; put the comment before the key, or the text in quotes";
    Some(Reason::new(syntax(detail), Span { start: comment, end }, [vec![(gone, String::new())]]))
}

/// A quote, list or mapping that is never closed.
fn never_closed(text: &str, at: usize) -> Option<Reason> {
    let (open, start) = unclosed(&text[..at]).or_else(|| unclosed(text))?;
    let (detail, close) = match open {
        '[' => ("the list that begins with `[` is never closed with `]`", "]"),
        '{' => ("the mapping that begins with `{` is never closed with `}`", "}"),
        '\'' => ("the quote that begins here is never closed", "'"),
        _ => ("the quote that begins here is never closed", "\""),
    };
    // It may end with any line down to the one at which the parser gave up, but most end with their first.
    let line_end = |from: usize| from + text[from..].find(['\n', '\r']).unwrap_or(text.len() - from);
    let first = line_end(start);
    let before = text[..at].rfind('\n').map_or(first, |newline| text[..newline].trim_end().len()).max(first);
    let ends = [first, before, text.trim_end().len().max(first)];
    let repairs: Vec<_> = ends.into_iter().map(|end| vec![inserted(end, close)]).collect();
    Some(Reason::new(syntax(detail), Span::at(start, 1), repairs))
}

/// A line that is indented by more or less than its neighbours.
fn indented(text: &str, detail: &str, line: &Line) -> Option<Reason> {
    let is_indentation =
        ["block collection", "block mapping", "block sequence", "indentation", "expected '-'", "expected ',' or ']'"];
    let lines_above = || text[..line.start].lines().rev().filter(|line| !line.trim().is_empty());
    let above = Line::at(lines_above().next().unwrap_or_default(), 0);
    // A key below one that has a value already.
    let is_deeper = detail.contains("mapping values") && above.value().is_some() && line.indent > above.indent;
    if !(is_deeper || is_indentation.iter().any(|each| detail.contains(each)) && line.indent > 0) {
        return None;
    }
    let spaces = |count: usize| format!("{count} space{}", if count == 1 { "" } else { "s" });
    let detail =
        format!("this line is indented by {}, the line above by {}", spaces(line.indent), spaces(above.indent));
    let span = Span::at(line.start + line.indent, line.text.trim_end_matches(BLANK).len().saturating_sub(line.indent));
    // To where one of the lines above begins; alone, or with the lines that belong to it.
    let mut indents: Vec<usize> = lines_above().take(20).map(|line| Line::at(line, 0).indent).collect();
    indents.dedup();
    let mut block = vec![line.start];
    let mut next = next_line(text, line.start);
    while let Some(rest) = text.get(next..).filter(|rest| !rest.is_empty()) {
        let each = Line::at(text, next);
        if !rest.starts_with(['\n', '\r']) {
            if each.indent < line.indent {
                break;
            }
            block.push(next);
        }
        next = next_line(text, each.start);
    }
    let moved = |starts: &[usize], indent: usize| -> Vec<Edit> {
        starts.iter().map(|start| (Span::at(*start, line.indent), " ".repeat(indent))).collect()
    };
    let repairs = indents.into_iter().take(4).flat_map(|indent| [moved(&block[..1], indent), moved(&block, indent)]);
    Some(Reason::new(YamlProblem::YamlSyntax { detail }, span, repairs.collect::<Vec<_>>()))
}

/// A line that is neither a key nor an item.
fn without_colon(detail: &str, line: &Line) -> Option<Reason> {
    let is_meant = detail.contains("could not find expected ':'") || detail.contains("simple key");
    is_meant.then(|| line.without_colon())
}

/// A line that is neither a key nor an item, where the parser gives up in the next: it takes both for one key.
fn without_colon_above(text: &str, detail: &str, line: &Line) -> Option<Reason> {
    let above = Line::at(text, text[..line.start].trim_end().len());
    let is_meant = detail.contains("mapping values") && line.start > 0 && above.indent == line.indent;
    is_meant.then(|| above.without_colon())
}

/// Returns the mistake in a text that is no mapping because its first line is no key.
pub fn first_line(text: &str) -> Option<(YamlProblem, Span)> {
    let starts = std::iter::successors(Some(0), |at| Some(next_line(text, *at)).filter(|next| next > at));
    let line = starts.map(|at| Line::at(text, at)).find(|line| {
        let text = line.text.trim();
        !(text.is_empty() || text.starts_with('#') || text == "---")
    })?;
    let Reason { problem, span, .. } = line.like_a_key()?;
    Some((problem, span))
}

/// Rewrites the parser's sentence about a limit without its own terms.
pub fn limit(detail: &str, depth: usize, nodes: usize) -> String {
    if detail.contains("epth") || detail.contains("nest") {
        format!("it nests lists or mappings more than {depth} levels deep")
    } else if detail.contains("alias") || detail.contains("replay") {
        format!("its aliases (like `*name`) expand to more than {nodes} values")
    } else {
        format!("it has more than {nodes} values")
    }
}

fn syntax(detail: &str) -> YamlProblem {
    YamlProblem::YamlSyntax { detail: detail.to_owned() }
}

/// YAML's white space. Unicode has more, and a line of that is text.
const BLANK: [char; 3] = [' ', '\t', '\r'];

/// A line of a text.
struct Line<'a> {
    text: &'a str,
    start: usize,
    indent: usize,
}

impl<'a> Line<'a> {
    fn at(text: &'a str, at: usize) -> Self {
        let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        Line { text: line, start, indent: line.len() - line.trim_start_matches(BLANK).len() }
    }

    fn span(&self) -> Span {
        Span {
            start: self.start + self.indent,
            end: self.start + self.text.trim_end_matches(BLANK).len().max(self.indent),
        }
    }

    /// A value that needs quotes.
    fn unquoted(&self, detail: &str, at: usize) -> Option<Reason> {
        let (value, span) = self.value().filter(|(value, _)| needs_quotes(value))?;
        // Only the value in which the parser gave up; a `*` further up may be a valid alias.
        let is_meant = at >= span.start || detail.contains("anchor") || value.starts_with("{{");
        let problem = YamlProblem::YamlQuotes { written: value.to_owned(), reason: reason(value) };
        is_meant.then(|| Reason::new(problem, span, [vec![quoted(value, span)]]))
    }

    fn is_item(&self) -> bool {
        self.text.trim_start().starts_with("- ")
    }

    /// What may be meant by a line that is neither a key nor an item.
    fn without_colon(&self) -> Reason {
        let span = self.span();
        let word = self.text[self.indent..].find(' ').map(|space| self.start + self.indent + space);
        let colons = word.into_iter().chain([span.end]).map(|at| vec![inserted(at, ":")]);
        let detail = "a line needs the form `key: value`, with a colon and a space";
        self.like_a_key().unwrap_or_else(|| Reason::new(syntax(detail), span, colons.collect::<Vec<_>>()))
    }

    /// A line that looks like a key, an item or a comment, and that YAML does not read as one.
    fn like_a_key(&self) -> Option<Reason> {
        let (start, text) = (self.start + self.indent, &self.text[self.indent..]);
        let reason = |detail: &str, span: Span, new: &str| {
            Some(Reason::new(syntax(detail), span, [vec![(span, new.to_owned())]]))
        };
        let colon = text.find([':', '：']).map(|at| (start + at, &text[at..]));
        let is_key = |at: usize| {
            self.text[self.indent..at - self.start]
                .chars()
                .all(|letter| letter.is_alphanumeric() || "_-".contains(letter))
        };
        match (text, colon) {
            _ if text.starts_with("//") || text.starts_with("/*") => {
                reason("a comment begins with `#`", Span::at(start, 2), "#")
            }
            _ if text.starts_with('-') && !text.starts_with("--") && !text[1..].starts_with(' ') => {
                reason("a space is missing after this `-`", Span::at(start, 1), "- ")
            }
            (_, Some((at, rest))) if is_key(at) => {
                let length = rest.chars().next().map_or(0, char::len_utf8);
                match rest[length..].chars().next() {
                    _ if rest.starts_with('：') => reason(
                        "this colon is the wide one, `：`, which YAML takes for a letter; write `: `",
                        Span::at(at, length),
                        ": ",
                    ),
                    Some(space) if space.is_whitespace() && !space.is_ascii() => {
                        let detail = format!(
                            "behind this colon is another space than the usual one, U+{:04X}; write `: `",
                            u32::from(space)
                        );
                        reason(&detail, Span::at(at, length + space.len_utf8()), ": ")
                    }
                    Some(other) if !other.is_whitespace() => {
                        reason("a space is missing after this colon", Span::at(at, 1), ": ")
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A value of which only the beginning is in quotes, as in `"Best" of 2020`.
    fn quoted_in_part(&self, at: usize) -> Option<Reason> {
        let (value, span) = self.value().filter(|(value, span)| value.starts_with(['"', '\'']) && at > span.start)?;
        let quote = value.chars().next()?;
        let end = 2 + value[1..].find(quote)?;
        let rest = &value[end..];
        if matches!(rest, "," | ";") {
            let mark = Span::at(span.start + end, 1);
            let detail = format!("nothing can stand behind a text in quotes; delete this `{rest}`");
            return Some(Reason::new(syntax(&detail), mark, [vec![(mark, String::new())]]));
        }
        let reason = format!("a value that goes on after a `{quote}`");
        let problem = YamlProblem::YamlQuotes { written: value.to_owned(), reason };
        (!rest.is_empty()).then(|| Reason::new(problem, span, [vec![quoted(value, span)]]))
    }

    /// A backslash in double quotes that begins none of the escapes (YAML 1.2.2, 5.7).
    fn escaped(&self, detail: &str) -> Option<Reason> {
        if !(detail.contains("escape") || detail.contains("hexadecimal")) {
            return None;
        }
        let (value, span) = self.value().filter(|(value, _)| value.starts_with('"'))?;
        let places = value.match_indices('\\').map(|(at, _)| span.start + at);
        let edits: Vec<Edit> = places.map(|at| inserted(at, "\\")).collect();
        let first = edits.first()?.0.start;
        let detail = "`\\` in double quotes begins an escape; write `\\\\` for one, or put the text in single quotes";
        Some(Reason::new(syntax(detail), Span::at(first, 1), [edits]))
    }

    /// What stands behind `|` or `>`, and an item behind a key: both belong in the next line.
    fn block_on_the_line(&self, text: &str) -> Option<Reason> {
        let (value, span) = self.value()?;
        let is_continued = Line::at(text, next_line(text, self.start)).indent > self.indent;
        let sign = value.trim_start_matches(['|', '>', '+', '-']);
        let length = value.len() - sign.len();
        let new = format!("\n{}", " ".repeat(self.indent + 2));
        let (detail, at) = match value.as_bytes().first()? {
            b'|' | b'>' if !sign.trim().is_empty() && is_continued => {
                (format!("the text of `{}` begins in the next line", &value[..length]), span.start + length)
            }
            b'-' if value.starts_with("- ") => (
                "a list begins in the line below its key; a text that begins with `- ` must be in quotes".into(),
                span.start,
            ),
            _ => return None,
        };
        let blank = self.start + self.text.len() - self.text[at - self.start..].trim_start().len() - at;
        Some(Reason::new(syntax(&detail), span, [vec![(Span::at(at, blank), new)]]))
    }

    /// Finds the value with a `: ` in a map in braces in which the parser gave up: `{ label: Loaf: which? }`. It gives up at
    /// that colon, or where it expects a comma.
    fn in_braces(&self, at: usize) -> Option<Reason> {
        let open = self.text.find('{')?;
        let close = self.text.rfind('}').filter(|close| self.start + open < at && at <= self.start + close)?;
        let mut from = open + 1;
        for part in self.text[from..close].split_inclusive(',') {
            let (start, part) = (from, part.trim_end_matches(','));
            from += part.len() + 1;
            let Some((_, value)) = part.split_once(": ") else { continue };
            let (start, value) = (self.start + start + part.len() - value.trim_start().len(), value.trim());
            let Some((words, _)) = value.split_once(": ").filter(|_| !value.starts_with(['"', '\'', '[', '{'])) else {
                continue;
            };
            let span = Span::at(start, value.len());
            let reason = reason(value);
            let problem = match words.rsplit_once(' ') {
                None => YamlProblem::YamlQuotes { written: value.to_owned(), reason },
                Some((_, key)) => {
                    let detail = format!("{reason} must be in quotes; or is a comma missing before `{key}`?");
                    syntax(&detail)
                }
            };
            return Some(Reason::new(problem, span, [vec![quoted(value, span)]]));
        }
        None
    }

    /// Returns what follows `key: ` or `- `, without a comment.
    fn value(&self) -> Option<(&'a str, Span)> {
        let mut at = self.indent;
        let rest = self.text[at..].trim_start_matches("- ");
        at = self.text.len() - rest.len();
        if let Some(colon) = rest.find(": ")
            && rest[..colon].chars().all(|letter| letter.is_alphanumeric() || "_-. ".contains(letter))
        {
            at += colon + 2;
        } else if at == self.indent {
            return None;
        }
        let value = &self.text[at..];
        let lead = value.len() - value.trim_start().len();
        let value = value.trim();
        let value = value.split(" #").next().unwrap_or(value).trim_end();
        (!value.is_empty()).then(|| (value, Span::at(self.start + at + lead, value.len())))
    }
}

/// Whether a plain value needs quotes (YAML 1.2.2, 5.3 "indicator characters" and 7.3.3 "plain style").
fn needs_quotes(value: &str) -> bool {
    if value.starts_with(['"', '\'']) {
        return false;
    }
    value.contains(": ") && !value.starts_with(['[', '{'])
        || value.ends_with(':')
        || value.starts_with("{{")
        || goes_on(value)
        || value.starts_with(['@', '`', '%', '*', '&', '!', ',', ']', '}'])
        || value.starts_with("? ")
        || value.starts_with(['|', '>']) && !value.trim_start_matches(['|', '>', '+', '-']).trim().is_empty()
}

/// Whether text follows the list or the mapping that a value begins with, as in `[Draft] My post`.
fn goes_on(value: &str) -> bool {
    let mut depth = 0;
    let end = value.char_indices().find(|(_, letter)| {
        depth += match letter {
            '[' | '{' => 1,
            ']' | '}' => -1,
            _ => 0,
        };
        depth <= 0
    });
    value.starts_with(['[', '{']) && end.is_some_and(|(end, _)| end + 1 < value.len())
}

/// Says which kind of value this is, of those that need quotes.
pub fn reason(value: &str) -> String {
    match value.chars().next() {
        _ if value.starts_with("{{") => "a value that begins with `{{`".to_owned(),
        Some(first @ ('[' | '{')) if goes_on(value) => {
            let last = if first == '[' { ']' } else { '}' };
            format!("a text that begins with `{first}` and goes on after `{last}`")
        }
        Some(first @ ('@' | '`' | '%' | '*' | '&' | '!' | ',' | ']' | '}' | '?' | '|' | '>')) => {
            format!("a value that begins with `{first}`")
        }
        _ if value.ends_with(':') => "a value that ends with `:`".to_owned(),
        _ => "a value that contains `: `".to_owned(),
    }
}

/// Returns the quote, `[` or `{` that a text leaves open, and its offset. Quotes count at the beginning of a value
/// only, because texts contain apostrophes.
fn unclosed(text: &str) -> Option<(char, usize)> {
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut quote: Option<(char, usize)> = None;
    let mut begins = true;
    let mut skip = false;
    for (at, letter) in text.char_indices() {
        if skip {
            skip = false;
            continue;
        }
        if let Some((kind, _)) = quote {
            match letter {
                '\\' if kind == '"' => skip = true,
                letter if letter == kind => quote = None,
                _ => {}
            }
            continue;
        }
        match letter {
            '"' | '\'' if begins => quote = Some((letter, at)),
            '[' | '{' if begins || !open.is_empty() => open.push((letter, at)),
            ']' | '}' => {
                open.pop();
            }
            _ => {}
        }
        begins = matches!(letter, '[' | '{' | ',')
            || letter == ' ' && (begins || text[..at].ends_with([':', '-', ',']))
            || letter == '\n' && !open.is_empty();
    }
    quote.or(open.first().copied())
}

/// Returns where the line after the one at an offset begins.
fn next_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1)
}

/// Returns the span of the one character at an offset.
fn character(text: &str, at: usize) -> Span {
    Span::at(at, text[at..].chars().next().map_or(0, char::len_utf8))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::yaml::parse;
    use sitegen_core::diagnostics::{label, message};
    use sitegen_core::paths::SourcePath;

    /// The message of a mistake, and the text that it marks.
    fn said(text: &str) -> (String, String) {
        let found = parse(&SourcePath::new("content/a.yaml"), text, 0).err().unwrap_or_else(|| panic!("{text}"));
        let span = found.place.unwrap().span.unwrap();
        let label = label(&found.problem).map_or(String::new(), |label| format!(" | {label}"));
        (format!("{}{label}", message(&found.problem)), text[span.start..span.end].to_owned())
    }

    #[test]
    fn values_that_need_quotes_are_shown_with_them() {
        let (text, marked) = said("title: Bread: the basics\n");
        assert_eq!(text, "a value that contains `: ` must be in quotes | write `\"Bread: the basics\"`");
        assert_eq!(marked, "Bread: the basics");
        assert_eq!(said("a: 1\nlead: *rye*\n").1, "*rye*");
        assert_eq!(said("- @b # c\n").1, "@b");
        let (text, marked) = said("title: [Draft] My [first] post\nb: 1\n");
        let expected = "a text that begins with `[` and goes on after `]` must be in quotes | \
                        write `\"[Draft] My [first] post\"`";
        assert_eq!((text.as_str(), marked.as_str()), (expected, "[Draft] My [first] post"));
        assert_eq!(said("- {name} said\n").1, "{name} said");
    }

    #[test]
    fn a_colon_in_braces_needs_quotes_or_a_comma() {
        let text = "fields:\n  - { name: loaf, label: Loaf: which?, required: true }\n";
        let (said_of_it, marked) = said(text);
        assert!(said_of_it.ends_with("write `\"Loaf: which?\"`") && marked == "Loaf: which?", "{said_of_it} {marked}");
        let (said_of_it, _) = said("a: { name: loaf label: x }\n");
        assert!(said_of_it.ends_with("or is a comma missing before `label`?"), "{said_of_it}");
        assert!(said("a: { name: \"x: y\", b: 1\nc: 2\n").0.contains("never closed"));
    }

    #[test]
    fn unclosed_values_are_reported_where_they_open() {
        assert_eq!(said("a: \"open\nb: it's\n").1, "\"");
        let (text, marked) = said("a: [1, 2\nb: 3\n");
        assert!(text.contains("never closed with `]`") && marked == "[", "{text} {marked}");
    }

    #[test]
    fn indentation_is_reported_in_spaces() {
        let (text, _) = said("a: 1\n b: 2\n");
        assert_eq!(text, "this is not valid YAML: this line is indented by 1 space, the line above by 0 spaces");
        let (text, _) = said("a:\n    b: 1\n   c: 2\n");
        assert_eq!(text, "this is not valid YAML: this line is indented by 3 spaces, the line above by 4 spaces");
    }

    #[test]
    fn a_reason_is_given_only_where_its_repair_helps() {
        for (text, reason, marked) in [
            ("a: \"one\ntwo\"\nb: 3\n", "the quoted text from line 1 continues here", "two\""),
            ("b: 3\na:\n  c: 'one\n  two\n  three'\n", "the quoted text from line 3 continues here", "two"),
            ("a: one\n  # why\n  two\nb: 3\n", "the text ends at this comment", "# why"),
            ("a: one # why\n  two\nb: 3\n", "the text ends at this comment", "# why"),
            ("a: one\u{7f}\nb: 3\n", "character, U+007F", "\u{7f}"),
            ("a: 'one\u{fffe}'\nb: 3\n", "character, U+FFFE", "\u{fffe}"),
            ("a: one\u{0}two\n", "character, U+0000", "\u{0}"),
            ("a: 'it's one'\nb: 3\n", "the text ends at this quote; write `''`", "'"),
            ("a: \"Best\" of 2020\nb: 3\n", "write `'\"Best\" of 2020'`", "\"Best\" of 2020"),
            ("a: \"b\": c\nd: 3\n", "write `'\"b\": c'`", "\"b\": c"),
            ("a: \"b\",\nc: 3\n", "delete this `,`", ","),
            ("a: \"b\";\nc: 3\n", "delete this `;`", ";"),
            ("a: \"C:\\Users\"\nb: 3\n", "write `\\\\` for one", "\\"),
            ("a: \"\\d+\"\nb: 3\n", "begins an escape", "\\"),
            ("a: | x\n  y\nb: 3\n", "the text of `|` begins in the next line", "| x"),
            ("a: >-x\nb: 3\n", "write `\">-x\"`", ">-x"),
            ("a: - b\nc: 3\n", "a list begins in the line below its key", "- b"),
            ("a: ? b\nc: 3\n", "write `\"? b\"`", "? b"),
            ("a: ]\nc: 3\n", "write `\"]\"`", "]"),
            ("a: [b,,c]\nd: 3\n", "there is no value before this comma", ","),
            ("a: [,b]\nd: 3\n", "there is no value before this comma", ","),
            ("a: { b: 1,, c: 2 }\nd: 3\n", "there is no value before this comma", ","),
            ("a:b\nc: 3\n", "a space is missing after this colon", ":"),
            ("c: 3\na:b\n", "a space is missing after this colon", ":"),
            ("a:\u{a0}b\n", "another space than the usual one, U+00A0", ":\u{a0}"),
            ("a：b\nc: 3\n", "this colon is the wide one", "："),
            ("a:\n  - b\n  -c\nd: 3\n", "a space is missing after this `-`", "-"),
            ("a: 1\n- b\nc: 3\n", "below a key that has a value already", "- b"),
            ("// a\nb: 3\n", "a comment begins with `#`", "//"),
            ("a b\nc: 3\n", "a line needs the form `key: value`", "a b"),
            ("a: b\n\tc\nd: 3\n", "this is a tab", "\t"),
            ("a: { b: 1\n\t, c: 2 }\nd: 3\n", "this is a tab", "\t"),
            ("a: \"b\n\tc\"\nd: 3\n", "this is a tab", "\t"),
            ("<<<<<<< HEAD\na: b\n=======\na: c\n>>>>>>> x\nd: 3\n", "a conflict between two versions", "<<<<<<< HEAD"),
            ("a: x # b\n  c: 1\nd: 3\n", "below a key that has a value", "c: 1"),
            ("a: \"a \"b\" c\"\nb: 3\n", "the text ends at this quote; write `\\\"`", "\""),
        ] {
            let (said, found) = said(text);
            assert!(said.contains(reason) && found == marked, "{text}: {said}: {found}");
        }
    }

    #[test]
    fn repairs_are_made_between_characters() {
        for mark in ["#\u{2028}", "# ü\r", "a\u{a0}", "'ü\u{2029}"] {
            let (said, _) = said(&format!("title: x\n{mark}\n{{\n"));
            assert!(said.starts_with("this is not valid YAML"), "{mark:?}: {said}");
        }
    }

    #[test]
    fn the_first_of_two_mistakes_gets_its_own_reason() {
        for (text, reason, marked) in [
            ("a: \"open\nb: 1\nc: 2\nd: [1\n", "the quote that begins here", "\""),
            ("a: x: y\nb: z: w\n", "a value that contains `: `", "x: y"),
            ("a: 1\n b: 2\nc: 'it's'\n", "indented by 1 space", "b: 2"),
            ("a: one\n  # why\n  two\nb: @c\n", "the text ends at this comment", "# why"),
        ] {
            let (said, found) = said(text);
            assert!(said.contains(reason) && found == marked, "{text}: {said}: {found}");
        }
    }
}
