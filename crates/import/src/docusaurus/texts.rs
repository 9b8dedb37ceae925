//! What texts of Docusaurus have besides MDX: comments of HTML, and comments in code that mark lines
//! (<https://docusaurus.io/docs/markdown-features/code-blocks#line-highlighting>).

/// The most bytes of code in a line of text.
const LONGEST: usize = 5_000;

/// Takes comments out of a text, but not out of its code, and writes lines that comments in code mark behind its fence.
pub fn prepared(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut is_start, mut has_end) = (text, true, true);
    loop {
        if let Some(block) = fenced(rest).filter(|_| is_start) {
            out.push_str(&marked(block).unwrap_or_else(|| block.to_owned()));
            rest = &rest[block.len()..];
            continue;
        }
        let Some(at) = rest.find(['\n', '`', '<']) else { return out + rest };
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        is_start = rest.starts_with('\n');
        let end = Some(()).filter(|()| has_end && rest.starts_with("<!--")).map(|()| rest.find("-->"));
        has_end &= end != Some(None);
        let length = match end.flatten() {
            Some(end) => {
                rest = &rest[end + 3..];
                continue;
            }
            None if rest.starts_with('`') => code(rest),
            None => 1,
        };
        out.push_str(&rest[..length]);
        rest = &rest[length..];
    }
}

/// Returns the length of the code in a line that a text begins with, or of its first signs if it has no end.
fn code(text: &str) -> usize {
    let length = text.bytes().take_while(|byte| *byte == b'`').count();
    let near = &text[..text.floor_char_boundary(LONGEST.max(length))];
    let near = &near[length..near.find("\n\n").unwrap_or(near.len()).max(length)];
    near.find(&text[..length]).map_or(length, |end| length + end + length)
}

/// Returns the block of code that a text begins with, with its fences.
fn fenced(text: &str) -> Option<&str> {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next()?;
    let trimmed = first.trim_start_matches([' ', '\t']);
    let sign = trimmed.chars().next().filter(|sign| "`~".contains(*sign))?;
    let length = trimmed.chars().take_while(|letter| *letter == sign).count();
    if length < 3 || sign == '`' && trimmed[length..].contains('`') {
        return None;
    }
    let mut end = first.len();
    for line in lines {
        end += line.len();
        let line = line.trim();
        if line.len() >= length && line.chars().all(|letter| letter == sign) {
            break;
        }
    }
    Some(&text[..end])
}

/// Takes the comments that mark lines out of a block of code, and writes the numbers of the lines behind its fence. `None` if there are
/// none, or if numbers are there already: then Docusaurus shows the comments.
fn marked(block: &str) -> Option<String> {
    let (first, code) = block.split_once('\n')?;
    let has_numbers =
        first.split_once('{').is_some_and(|(_, rest)| rest.starts_with(|letter: char| letter.is_ascii_digit()));
    let (mut kept, mut numbers) = (String::new(), Vec::new());
    let (mut number, mut is_next, mut is_within, mut has_marks) = (0, false, false, false);
    for line in code.split_inclusive('\n') {
        match comment(line) {
            Some("highlight-next-line") => is_next = true,
            Some("highlight-start") => is_within = true,
            Some("highlight-end") => is_within = false,
            _ => {
                number += 1;
                if is_next || is_within {
                    numbers.push(number.to_string());
                }
                is_next = false;
                kept.push_str(line);
                continue;
            }
        }
        has_marks = true;
    }
    let numbers = if numbers.is_empty() { String::new() } else { format!(" {{{}}}", numbers.join(",")) };
    (has_marks && !has_numbers).then(|| format!("{first}{numbers}\n{kept}"))
}

/// Returns the words of a line that is a comment.
fn comment(line: &str) -> Option<&str> {
    const SIGNS: [(&str, &str); 7] =
        [("//", ""), ("{/*", "*/}"), ("/*", "*/"), ("#", ""), ("<!--", "-->"), ("--", ""), ("%", "")];
    let line = line.trim();
    let inside = |(open, close): &(&str, &str)| line.strip_prefix(open)?.strip_suffix(close).map(str::trim);
    SIGNS.iter().find_map(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_taken_out_of_texts_and_marks_of_code_become_numbers_of_lines() {
        for (text, expected) in [
            ("a <!-- b\n\n`c` --> d `<!-- e -->`", "a  d `<!-- e -->`"),
            ("<!--\n```\nhidden\n```\n-->\nx", "\nx"),
            ("```html\n<!-- shown -->\n```\n<!-- hidden -->", "```html\n<!-- shown -->\n```\n"),
            ("<!-- open", "<!-- open"),
            (
                "```js title=\"a\"\nlet a;\n// highlight-next-line\nlet b;\n/* highlight-start */\nlet c;\nlet d;\n/* highlight-end */\n```\n",
                "```js title=\"a\" {2,3,4}\nlet a;\nlet b;\nlet c;\nlet d;\n```\n",
            ),
            ("~~~yaml {1}\n# highlight-next-line\na: b\n~~~", "~~~yaml {1}\n# highlight-next-line\na: b\n~~~"),
        ] {
            assert_eq!(prepared(text), expected, "{text}");
        }
        for piece in ["<!--", "`", "```\n", "<!-- -->", "`` ` "] {
            prepared(&piece.repeat(5_000));
        }
    }
}
