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
    let reasons: [&dyn Fn() -> Option<Reason>; 9] = [
        &|| unprintable(text),
        &|| line.unquoted(detail, at),
        &|| quoted_too_early(text, detail, at),
        &|| line.in_braces(at),
        &|| continued_at_the_beginning(text, &line),
        &|| after_comment(text, &line, at),
        &|| never_closed(text, at),
        &|| indented(text, detail, &line),
        &|| without_colon(detail, &line),
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
    // Every other quote of the line that does not end its value is meant as a character too.
    let line = Line::at(text, end);
    let last = line.start + line.text.trim_end_matches(BLANK).len();
    let inner = text[end..last].char_indices().filter(|(_, letter)| *letter == quote).map(|(offset, _)| end + offset);
    let inner: Vec<usize> = inner.collect();
    let escape = if is_single { "'" } else { "\\" };
    let escaped = |places: &[usize]| places.iter().map(|place| inserted(*place, escape)).collect::<Vec<Edit>>();
    let all_but_last = inner.split_last().map_or(&[][..], |(_, rest)| rest);
    // Without a quote at the end the value lacks that one too.
    let mut closed = escaped(&inner);
    closed.push(inserted(last, &quote.to_string()));
    Some(Reason::new(syntax(detail), span, [escaped(all_but_last), escaped(&inner), closed]))
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
    if !(detail.contains("could not find expected ':'") || detail.contains("simple key")) {
        return None;
    }
    let span = line.span();
    let word = line.text[line.indent..].find(' ').map(|space| line.start + line.indent + space);
    let colons = word.into_iter().chain([span.end]).map(|at| vec![inserted(at, ":")]);
    let detail = "a line needs the form `key: value`, with a colon and a space";
    Some(Reason::new(syntax(detail), span, colons.collect::<Vec<_>>()))
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
        || value.starts_with(['@', '`', '%', '*', '&', '!'])
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
        Some(first @ ('@' | '`' | '%' | '*' | '&' | '!')) => format!("a value that begins with `{first}`"),
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
