//! Comments of HTML, which are none in MDX: Docusaurus takes them out of texts, but not out of their code.

/// The most bytes of code in a line of text.
const LONGEST: usize = 5_000;

/// Takes comments out of a text.
pub fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut is_start, mut has_end) = (text, true, true);
    loop {
        if let Some(block) = fenced(rest).filter(|_| is_start) {
            out.push_str(block);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_taken_out_of_texts_and_stay_in_code() {
        for (text, expected) in [
            ("a <!-- b\n\n`c` --> d `<!-- e -->`", "a  d `<!-- e -->`"),
            ("<!--\n```\nhidden\n```\n-->\nx", "\nx"),
            ("```html\n<!-- shown -->\n```\n<!-- hidden -->", "```html\n<!-- shown -->\n```\n"),
            ("<!-- open", "<!-- open"),
        ] {
            assert_eq!(without_comments(text), expected, "{text}");
        }
        for piece in ["<!--", "`", "```\n", "<!-- -->", "`` ` "] {
            without_comments(&piece.repeat(5_000));
        }
    }
}
