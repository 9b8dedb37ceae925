//! Lines of Markdown that are read before the parser sees them: containers (`:::note` … `:::`, as in Docusaurus, Starlight and
//! VitePress), which call a component, comments (`%% … %%`, as in Obsidian), which are not published, and abbreviations
//! (`*[HTML]: …`, as in PHP Markdown Extra), whose lines are not either.

use super::calls::{self, Kind, Mistake, Tag, Written};
use super::yaml::Value;
use sitegen_core::diagnostics::Span;

/// A line of a container, or a comment.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'t> {
    /// What it is.
    pub kind: BlockKind<'t>,
    /// Its bytes, without the signs of a list or a quotation before it.
    pub span: Span,
    /// The signs of quotations and the white space before it on its line.
    pub prefix: &'t str,
}

/// What a block is.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockKind<'t> {
    /// The first or last line of a container, as a tag of the component with its name.
    Container(Result<Tag<'t>, Mistake>),
    /// A comment. One without an end goes on to the end of the text.
    Comment {
        /// Whether it has an end.
        is_closed: bool,
    },
    /// What an abbreviation stands for.
    Abbreviation {
        /// The abbreviation.
        short: &'t str,
        /// What it stands for.
        meaning: &'t str,
    },
}

/// Returns the containers, comments and abbreviations of a text, in order, without those in fenced code.
pub fn all(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let bytes = text.as_bytes();
    let has_comments = doubled(b'%', bytes).next().is_some();
    let has_abbreviations = || memchr::memchr_iter(b'[', bytes).any(|at| at > 0 && bytes[at - 1] == b'*');
    let has_containers = || memchr::memchr_iter(b':', bytes).any(|at| bytes[at..].starts_with(b":::"));
    if !has_comments && !has_containers() && !has_abbreviations() {
        return blocks;
    }
    let mut fence = None;
    // The colons and the name of each open container.
    let mut open: Vec<(usize, &str)> = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let line_end = memchr::memchr(b'\n', &text.as_bytes()[from..]).map_or(text.len(), |at| from + at);
        let line = &text[from..line_end];
        let start = from + prefix(line).len();
        let content = text[start..line_end].trim_end();
        let mut next = line_end + 1;
        match fence {
            Some(open) if closes(content, open) => fence = None,
            Some(_) => {}
            None => {
                fence = fence_of(content);
                if fence.is_none() && content.starts_with(":::") {
                    blocks.extend(container(text, from, start, content, &mut open));
                } else if let Some(kind) = abbreviation(content).filter(|_| is_outermost(&text[from..start])) {
                    blocks.push(Block { kind, span: Span::at(start, content.len()), prefix: "" });
                } else if fence.is_none() && has_comments {
                    next = comments(text, Span { start: from, end: line_end }, start, &mut blocks).unwrap_or(next);
                }
            }
        }
        from = next;
    }
    blocks
}

/// The most quotations and lists in each other. The parser looks through all that are open with each line, so that the square of a text's
/// length would be the work for one that only opens them.
pub const MOST_DEPTH: usize = 100;

/// Returns the first line that begins more quotations and lists in each other than [`MOST_DEPTH`].
pub fn too_deep(text: &str) -> Option<Span> {
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        // As many signs have as many bytes.
        if line.len() > MOST_DEPTH && depth(line.as_bytes()) > MOST_DEPTH {
            return Some(Span::at(from, line.trim_end().len()));
        }
        from += line.len();
    }
    None
}

/// Returns how many quotations and items of lists a line begins.
fn depth(line: &[u8]) -> usize {
    let (mut depth, mut has_quotation, mut at) = (0, false, 0);
    while let Some(byte) = line.get(at) {
        let digits = line[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_sign = match byte {
            b'-' | b'*' | b'+' => true,
            _ => digits > 0 && matches!(line.get(at + digits), Some(b'.' | b')')),
        };
        let length = if is_sign { digits + 1 } else { 1 };
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'>' => (depth, has_quotation) = (depth + 1, true),
            _ if is_sign && line.get(at + length).is_none_or(u8::is_ascii_whitespace) => depth += 1,
            _ => return depth,
        }
        at += length;
    }
    // A line of nothing but `* * *` is a rule.
    if has_quotation { depth } else { 0 }
}

/// Returns where a sign stands twice. For short texts, of which there are many, this costs less than a search for both.
pub(crate) fn doubled(sign: u8, bytes: &[u8]) -> impl Iterator<Item = usize> {
    let mut end = 0;
    memchr::memchr_iter(sign, bytes).filter(move |at| {
        let is_first = *at >= end && bytes.get(at + 1) == Some(&sign);
        end = if is_first { at + 2 } else { end };
        is_first
    })
}

/// Returns the names of the components that the containers of a text call.
pub fn components(text: &str) -> impl Iterator<Item = &str> {
    all(text).into_iter().filter_map(|block| match block.kind {
        BlockKind::Container(Ok(tag)) => Some(tag.component),
        _ => None,
    })
}

/// Returns the white space and the signs of quotations at the beginning of a line.
fn prefix(line: &str) -> &str {
    &line[..line.bytes().take_while(|byte| matches!(byte, b' ' | b'\t' | b'>')).count()]
}

/// Whether a line with nothing but this before it is in no list, quotation or code.
fn is_outermost(prefix: &str) -> bool {
    prefix.len() < 4 && prefix.bytes().all(|byte| byte == b' ')
}

/// Reads `*[HTML]: HyperText Markup Language`. A line with a reference or a call is text, since it would stay as it is written.
fn abbreviation(content: &str) -> Option<BlockKind<'_>> {
    let (short, meaning) = content.strip_prefix("*[")?.split_once("]:")?;
    let (short, meaning) = (short.trim(), meaning.trim());
    let is_plain =
        !short.is_empty() && !short.contains(['[', ']', '\\']) && !content.contains("{{") && !content.contains("{%");
    is_plain.then_some(BlockKind::Abbreviation { short, meaning })
}

/// Returns the sign and the length of the fence that a line opens (CommonMark 0.31.2, 4.5), also after the sign of a list.
fn fence_of(content: &str) -> Option<(u8, usize)> {
    let signs = content.bytes().take_while(|byte| matches!(byte, b'-' | b'*' | b'+' | b' ')).count();
    let content = &content[signs..];
    let sign = *content.as_bytes().first().filter(|sign| matches!(sign, b'`' | b'~'))?;
    let length = content.bytes().take_while(|byte| *byte == sign).count();
    let is_code_in_text = sign == b'`' && content[length..].contains('`');
    (length >= 3 && !is_code_in_text).then_some((sign, length))
}

fn closes(content: &str, (sign, length): (u8, usize)) -> bool {
    content.len() >= length && content.bytes().all(|byte| byte == sign)
}

/// Adds the comments that begin in a line, whose text begins at `start`, and returns the end of the last one if it ends on another line.
///
/// As in Obsidian, a comment ends with the next `%%`. One that begins a line may contain blocks, and hides everything where it has no
/// end. One that begins after other text ends in the same paragraph, or is text: `100 %% sure`. Signs after a letter or digit begin
/// none: `100%%`.
fn comments<'t>(text: &'t str, line: Span, start: usize, blocks: &mut Vec<Block<'t>>) -> Option<usize> {
    let bytes = text.as_bytes();
    let prefix = &text[line.start..start];
    let mut signs = doubled(b'%', &bytes[start..line.end]).map(|at| start + at).peekable();
    signs.peek()?;
    let code = code_spans(&text[start..line.end]);
    let is_code = |at: usize| {
        let before = code.partition_point(|code| code.start < at - start);
        before > 0 && code[before - 1].end > at - start
    };
    let begins = |at: usize| {
        !is_code(at) && !text[start..at].ends_with(|before: char| before == '\\' || before.is_alphanumeric())
    };
    while let Some(begin) = signs.find(|at| begins(*at)) {
        let is_first = begin == start;
        let span = |end: usize| Span { start: begin, end };
        let block = |span, is_closed| Block { kind: BlockKind::Comment { is_closed }, span, prefix: "" };
        // A line of its own ends one that begins with such a line.
        let is_alone = text[begin..line.end].trim_end() == "%%";
        if let Some(end) = signs.next() {
            blocks.push(block(span(end + 2), true));
        } else if is_first
            && is_alone
            && let Some(end) = end_of_comment(text, line.end + 1)
        {
            blocks.push(Block { prefix, ..block(span(end), true) });
            return Some(end);
        } else {
            let rest = &text[line.end..];
            let is_block = is_first && !is_indented(prefix);
            let length = memchr::memmem::find(rest.as_bytes(), b"%%");
            return match length.filter(|length| is_block || !has_empty_line(&rest[..*length])) {
                Some(length) => {
                    let end = line.end + length + 2;
                    blocks.push(block(span(end), true));
                    Some(end)
                }
                None if is_block => {
                    blocks.push(block(span(text.trim_end().len()), false));
                    Some(text.len())
                }
                None => None,
            };
        }
    }
    None
}

/// Whether a line with this before it may be a line of code.
fn is_indented(prefix: &str) -> bool {
    let signs = prefix.rfind('>').map_or(0, |at| at + 1);
    prefix[signs..].contains('\t') || prefix.len() - signs > 4
}

/// Whether a text has a line that is empty but for the signs of quotations, after the end of its first line.
fn has_empty_line(text: &str) -> bool {
    text.split_inclusive('\n').skip(1).any(|line| line.ends_with('\n') && line[prefix(line).len()..].trim().is_empty())
}

/// Returns the code in a line of text, each from one run of backticks to the next that is as long.
fn code_spans(line: &str) -> Vec<Span> {
    let mut runs: Vec<Span> = Vec::new();
    for at in memchr::memchr_iter(b'`', line.as_bytes()) {
        match runs.last_mut().filter(|run| run.end == at) {
            Some(run) => run.end += 1,
            None => runs.push(Span::at(at, 1)),
        }
    }
    let mut spans = Vec::new();
    let mut from = 0;
    while let Some(open) = runs.get(from) {
        let length = open.end - open.start;
        // Nobody writes a line with more runs.
        let close = runs.iter().enumerate().skip(from + 1).take(100).find(|(_, run)| run.end - run.start == length);
        if let Some((index, close)) = close {
            spans.push(Span { start: open.start, end: close.end });
            from = index;
        }
        from += 1;
    }
    spans
}

/// Returns the offset after the line `%%` that ends a comment.
fn end_of_comment(text: &str, mut from: usize) -> Option<usize> {
    while from < text.len() {
        let line_end = memchr::memchr(b'\n', &text.as_bytes()[from..]).map_or(text.len(), |at| from + at);
        let line = text[from..line_end].trim_end();
        if line.trim_start_matches([' ', '\t', '>']).ends_with("%%") {
            return Some(from + line.len());
        }
        from = line_end + 1;
    }
    None
}

/// Reads a line that begins with three colons or more. `line` is where it begins, `start` where its colons do.
fn container<'t>(
    text: &'t str,
    line: usize,
    start: usize,
    content: &'t str,
    open: &mut Vec<(usize, &'t str)>,
) -> Option<Block<'t>> {
    let colons = content.bytes().take_while(|byte| *byte == b':').count();
    let rest = content[colons..].trim_start();
    let span = Span::at(start, content.len());
    let block = |kind| Block { kind: BlockKind::Container(kind), span, prefix: &text[line..start] };
    if rest.is_empty() {
        let (_, name) = open.pop_if(|(opened, _)| *opened <= colons)?;
        return Some(block(Ok(Tag { kind: Kind::Close, component: name, arguments: Vec::new() })));
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let name = &rest[..rest.find(|letter| !is_part(letter)).unwrap_or(rest.len())];
    if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    let after = start + content.len() - (rest.len() - name.len());
    let arguments = arguments(text, Span { start: after, end: span.end });
    open.push((colons, name));
    Some(block(arguments.map(|arguments| Tag { kind: Kind::Open, component: name, arguments })))
}

type Arguments<'t> = Vec<(&'t str, Written<'t>, Span)>;

/// Reads what follows the name of a container: `[Title]`, a title without brackets, and `{key="value"}`.
fn arguments(text: &str, span: Span) -> Result<Arguments<'_>, Mistake> {
    let mut arguments = Vec::new();
    let mut rest = text[span.start..span.end].trim_start();
    let title = |title: &str, at: usize| {
        let (title, at) = (title.trim(), at + title.len() - title.trim_start().len());
        ("title", Written::Literal(Value::Text(title.to_owned())), Span::at(at, title.len()))
    };
    let offset = |rest: &str| span.end - rest.len();
    if let Some((written, after)) = rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        arguments.push(title(written, offset(rest) + 1));
        rest = after.trim_start();
    } else if !rest.starts_with('{') && !rest.is_empty() {
        let end = rest.rfind('{').filter(|_| rest.ends_with('}')).unwrap_or(rest.len());
        arguments.push(title(&rest[..end], offset(rest)));
        rest = &rest[end..];
    }
    if !rest.is_empty() {
        let inner = rest.strip_prefix('{').and_then(|inner| inner.strip_suffix('}'));
        let place = Span::at(offset(rest), rest.len());
        let inner = inner.filter(|inner| !inner.trim_start().starts_with(['.', '#']));
        let inner = inner.ok_or_else(|| Mistake { detail: CONTAINER.to_owned(), span: place })?;
        arguments.extend(calls::attributes(text, Span::at(place.start + 1, inner.len()))?);
    }
    Ok(arguments)
}

const CONTAINER: &str = "write a container like `:::note[Title]` or `:::note{key=\"value\"}`";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<String> {
        let tag = |tag: &Tag| {
            let arguments = tag.arguments.iter().map(|(name, value, span)| match value {
                Written::Literal(Value::Text(value)) => format!(" {name}={value}@{}", &text[span.start..span.end]),
                other => format!(" {name}={other:?}"),
            });
            format!("{:?} {}{}", tag.kind, tag.component, arguments.collect::<String>())
        };
        let read = |block: &Block| match &block.kind {
            BlockKind::Comment { is_closed } => {
                let open = if *is_closed { "" } else { "Open" };
                format!("{open}Comment {}", &text[block.span.start..block.span.end])
            }
            BlockKind::Abbreviation { short, meaning } => format!("{short} is {meaning}"),
            BlockKind::Container(Ok(each)) => tag(each),
            BlockKind::Container(Err(mistake)) => mistake.detail.clone(),
        };
        all(text).iter().map(read).collect()
    }

    #[test]
    fn a_line_may_begin_a_hundred_quotations_and_lists() {
        for piece in [">", "> ", "- ", "1. ", "> * 12) "] {
            let count = 100 / piece.split_whitespace().count();
            let text = |count: usize| format!("a\n{}b\n", piece.repeat(count));
            assert_eq!(too_deep(&text(count)), None, "{piece}");
            assert_eq!(too_deep(&text(count + 1)), Some(Span::at(2, piece.len() * (count + 1) + 1)), "{piece}");
        }
        for rule in ["* ", "-", "--- ", "a - "] {
            assert_eq!(too_deep(&rule.repeat(300)), None, "{rule}");
        }
    }

    #[test]
    fn a_container_has_a_name_a_title_and_an_end() {
        assert_eq!(read(":::note\ntext\n:::\n"), ["Open note", "Close note"]);
        assert_eq!(
            read("> ::: tip  Good to know \n> :::\n"),
            ["Open tip title=Good to know@Good to know", "Close tip"]
        );
        assert_eq!(
            read(":::note[A *title*]{kind=\"x\"}\n:::\n"),
            ["Open note title=A *title*@A *title* kind=x@kind=\"x\"", "Close note"]
        );
        assert_eq!(
            read("::::a\n:::b\n:::\n::::\n:::\n"),
            ["Open a", "Open b", "Close b", "Close a"],
            "the last line closes nothing"
        );
        for text in [":::note{.class}\n:::\n", ":::note{key=\"x\"\n:::\n", ":::note[A] b\n:::\n"] {
            assert_eq!(read(text)[0], CONTAINER, "{text}");
        }
    }

    #[test]
    fn code_has_neither_containers_nor_comments() {
        for text in ["```\n:::note\n%%\n```\n", "- ~~~~ md\n  :::note\n  ~~~\n  :::\n  ~~~~\n", ":::\n", "::: 5\n"] {
            assert_eq!(read(text), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn a_line_explains_an_abbreviation() {
        let text = "The HTML.\n\n*[HTML]: HyperText Markup Language\r\n  *[the W3C]:World *Wide* Web  \n*[A]:\n";
        assert_eq!(read(text), ["HTML is HyperText Markup Language", "the W3C is World *Wide* Web", "A is "]);
        for text in [
            "    *[A]: B\n",
            "> *[A]: B\n",
            "* *[A]: B\n",
            "*[]: B\n",
            "*[A] B\n",
            "```\n*[A]: B\n```\n",
            "*[A]: {{ b }}\n",
        ] {
            assert_eq!(read(text), [] as [&str; 0], "{text}");
        }
    }

    #[test]
    fn comments_end_where_obsidian_ends_them() {
        assert_eq!(read("a %%b%% c %% d %%e\n"), ["Comment %%b%%", "Comment %% d %%"]);
        assert_eq!(read("%%\na\n\nb\n%%\nc %%\n"), ["Comment %%\na\n\nb\n%%"]);
        assert_eq!(read("%%a\nb%% c\n"), ["Comment %%a\nb%%"]);
        assert_eq!(read("> %% a\n>\n> b %%\nc %%d%%\n"), ["Comment %% a\n>\n> b %%", "Comment %%d%%"]);
        assert_eq!(read("a %%b\nc%% d %%e%%\n"), ["Comment %%b\nc%%", "Comment %%e%%"]);
        assert_eq!(read("a\n%%\nnever closed\n\nb\n"), ["OpenComment %%\nnever closed\n\nb"]);
        assert_eq!(read("%% a 50%% b\nc\n"), ["Comment %% a 50%%"]);
        for text in [
            "100 %% sure\n",
            "100 %% sure\n\n5 %%\n",
            "100%% or 50%% off\n",
            "\\%%a%%\n",
            "Between `%%` and `%%`, or ``a`%%`` too\n",
            "      %% code\n",
        ] {
            assert_eq!(read(text), [] as [&str; 0], "{text}");
        }
    }
}
