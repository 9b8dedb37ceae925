//! What kramdown reads and CommonMark does not (<https://kramdown.gettalong.org/syntax.html>): lists of attributes in braces,
//! extensions such as comments, Markdown in HTML, and formulas.

use super::super::prose::{self, Dollars, Formulas};
use super::super::site::{Body, Finding, Slot};
use std::collections::BTreeSet;

/// Whether a text has a formula.
pub fn has_formula(text: &str) -> bool {
    let mut count = 0;
    if text.contains("$$") {
        prose::outside_code(text, |prose| {
            count += prose.matches("$$").count();
            String::new()
        });
    }
    count > 1
}

/// Rewrites a text. What stands for something else is in the body by marks.
pub fn rewritten(text: &str, has_formulas: bool, body: &mut Body) -> String {
    let text = without_extensions(text, body);
    let signs = [("\\\\(", "\\\\)"), ("\\\\[", "\\\\]")];
    let formulas = Formulas { signs, dollars: Dollars::Doubled };
    let text = if has_formulas { formulas.rewrite(&text) } else { text };
    let mut out = String::with_capacity(text.len());
    let mut code = Code::default();
    let mut open: Vec<(String, usize)> = Vec::new();
    // What a list of attributes before a heading gives it.
    let mut waiting: Option<String> = None;
    // Where the last block of code begins.
    let mut fence = 0;
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        let was_code = code.end.is_some();
        if code.is_in(trimmed) {
            fence = if was_code { fence } else { out.len() };
            out.push_str(line);
            continue;
        }
        let list = trimmed.strip_prefix("{:").and_then(|rest| rest.strip_suffix('}'));
        let list = list.filter(|list| !list.contains('}') && !list.starts_with([':', '/']));
        match list {
            Some(list) if list.split_whitespace().any(|part| part == "toc") => {
                // Above it is the item of a list that stands for the table.
                let end = out.trim_end().len();
                let start = out[..end].rfind('\n').map_or(0, |at| at + 1);
                if out[start..end].trim_start().starts_with(['*', '-', '1', '+']) {
                    out.truncate(start);
                }
                out.push_str("\n[TOC]\n\n");
            }
            Some(list) => {
                let next = lines.peek().is_some_and(|next| next.starts_with('#'));
                let is_before = next && (out.is_empty() || out.ends_with("\n\n"));
                match attributes(list, trimmed, &mut out, (is_before, fence), body) {
                    Some(id) if is_before => waiting = Some(id),
                    _ => out.push('\n'),
                }
            }
            None => {
                let begins = out.is_empty() || out.ends_with("\n\n");
                let line = if begins && is_row(trimmed) && is_headless(lines.clone()) {
                    let finding =
                        "a table without a head is shown as text: write a first row, and `|---|---|` below it";
                    format!("{}{}\n", line.trim_end(), body.note(trimmed, Finding::left(finding)))
                } else {
                    line.to_owned()
                };
                let line = match waiting.take().filter(|_| line.starts_with('#')) {
                    Some(id) => format!("{} {{#{id}}}\n", line.trim_end()),
                    None => line,
                };
                let line = in_line(&line, body);
                out.push_str(&markdown_in_html(&line, &mut open));
            }
        }
    }
    out
}

/// Whether a line is a row of a table.
fn is_row(trimmed: &str) -> bool {
    trimmed.len() > 2 && trimmed.starts_with('|') && trimmed.ends_with('|')
}

/// Whether no row of dashes is in the rest of a table.
fn is_headless<'l>(lines: impl Iterator<Item = &'l str>) -> bool {
    // Each row is looked at once, as only the first one of a table asks.
    let mut rows = lines.map(str::trim).take_while(|line| line.starts_with('|'));
    !rows.any(|row| row.bytes().all(|byte| b"|-:+= ".contains(&byte)))
}

/// Whether lines are code: between fences, or between the tags of Liquid for code.
#[derive(Default)]
struct Code {
    end: Option<String>,
}

impl Code {
    fn is_in(&mut self, trimmed: &str) -> bool {
        if let Some(end) = &self.end {
            let is_fence = end.starts_with(['`', '~']);
            let is_end = match is_fence {
                true => trimmed.starts_with(end.as_str()) && trimmed.trim_start_matches(['`', '~']).trim().is_empty(),
                false => trimmed.contains(end.as_str()),
            };
            if is_end {
                self.end = None;
            }
            return true;
        }
        let fence: String =
            trimmed.chars().take_while(|letter| trimmed.starts_with(*letter) && "`~".contains(*letter)).collect();
        if fence.len() > 2 && !trimmed[fence.len()..].contains('`') {
            self.end = Some(fence);
            return true;
        }
        for name in ["highlight", "raw"] {
            let is_open = trimmed.starts_with(&format!("{{% {name}")) || trimmed.starts_with(&format!("{{%- {name}"));
            if is_open {
                self.end = Some(format!("end{name}")).filter(|end| !trimmed.contains(end.as_str()));
                return true;
            }
        }
        false
    }
}

/// Writes the attributes of a block where they can be, and lists the others. `fence` is where the last block of code begins. Returns an
/// id for the heading that follows.
fn attributes(
    list: &str,
    line: &str,
    out: &mut String,
    (is_before, fence): (bool, usize),
    body: &mut Body,
) -> Option<String> {
    let prose::Attributes { id, mut others } = prose::attributes(list);
    let (above, start) = last_line(out);
    let is_fence = ["```", "~~~"].iter().any(|fence| out[start..above].trim_start().starts_with(fence));
    if is_fence && !out.ends_with("\n\n") {
        others = code_attributes(others, fence, out);
    }
    let note = left(&others, line, body);
    let (above, start) = last_line(out);
    let last = &out[start..above];
    let is_underline = !last.is_empty() && last.chars().all(|letter| letter == '=' || letter == '-') && start > 0;
    let is_heading = last.starts_with('#') && !out.ends_with("\n\n");
    match id {
        Some(id) if is_before => {
            out.push_str(&note);
            return Some(id);
        }
        Some(id) if is_heading => out.insert_str(above, &format!(" {{#{id}}}{note}")),
        Some(id) if is_underline && !out.ends_with("\n\n") => out.insert_str(start - 1, &format!(" {{#{id}}}{note}")),
        id => {
            let anchor = id.map_or(String::new(), |id| format!("<span id=\"{id}\"></span>"));
            let anchor = if anchor.is_empty() { anchor } else { body.mark(Slot::Text(anchor), line, None) };
            // In a paragraph, it is one more line of it.
            let is_block = last.trim_start().starts_with(['|', '`', '~', '<']) || out.ends_with("\n\n");
            match anchor.is_empty() {
                true if note.is_empty() => {}
                // No other text stands beside the fence that ends code.
                true if is_fence => out.push_str(&format!("\n{note}\n")),
                true => out.insert_str(above, &note),
                false if is_block => out.push_str(&format!("\n{anchor}{note}\n")),
                false => out.insert_str(above, &format!("{anchor}{note}")),
            }
        }
    }
    None
}

/// Returns where the last line of a text that is not empty ends and begins.
fn last_line(out: &str) -> (usize, usize) {
    let end = out.trim_end().len();
    (end, out[..end].rfind('\n').map_or(0, |at| at + 1))
}

/// Writes the attributes of a block of code behind the fence that begins it, and returns the others.
fn code_attributes(attributes: Vec<String>, fence: usize, out: &mut String) -> Vec<String> {
    let end = out[fence..].find('\n').map_or(out.len(), |end| fence + end);
    let mut language = Some(()).filter(|()| out[fence..end].trim().trim_matches(['`', '~']).is_empty());
    let (mut written, mut others) = (String::new(), Vec::new());
    for attribute in attributes {
        let title = attribute.strip_prefix("file=").filter(|file| file.len() > 2 && file.ends_with(&file[..1]));
        let name = attribute.strip_prefix(".language-").filter(|_| language.is_some());
        match (name, title, attribute.as_str()) {
            (Some(name), ..) => {
                written.insert_str(0, name);
                language = None;
            }
            (None, Some(title), _) => written.push_str(&format!(" title={title}")),
            (.., ".lineno") => written.push_str(" linenos"),
            // The engine numbers lines only where it is asked to.
            (.., ".nolineno") => {}
            _ => others.push(attribute),
        }
    }
    out.insert_str(end, &written);
    others
}

/// Makes a mark that lists attributes.
fn left(others: &[String], original: &str, body: &mut Body) -> String {
    match others.is_empty() {
        true => String::new(),
        false => {
            let others = others.join(" ").replace('`', "");
            body.note(original, Finding::left(format!("attributes were left out: `{others}`")))
        }
    }
}

/// Takes out lists of attributes behind what they belong to.
fn in_line(line: &str, body: &mut Body) -> String {
    if !line.contains("{:") {
        return line.to_owned();
    }
    let is_heading = line.starts_with('#');
    prose::outside_code(line, |prose| {
        let mut out = String::with_capacity(prose.len());
        let mut rest = prose;
        while let Some(at) = rest.find("{:") {
            let Some(end) = rest[at..].find('}') else { break };
            let list = prose::attributes(&rest[at + 2..at + end]);
            let original = &rest[at..=at + end];
            out.push_str(&rest[..at]);
            match list.id {
                Some(id) if is_heading => out.push_str(&format!("{{#{id}}}")),
                Some(id) => {
                    out.push_str(&body.mark(Slot::Text(format!("<span id=\"{id}\"></span>")), original, None));
                }
                None => {}
            }
            out.push_str(&left(&list.others, original, body));
            rest = &rest[at + end + 1..];
        }
        out + rest
    })
}

/// Takes out comments, and the tags of other extensions.
fn without_extensions(text: &str, body: &mut Body) -> String {
    let mut out = String::with_capacity(text.len());
    let mut code = Code::default();
    // Ends that were looked for and are not there.
    let mut gone: BTreeSet<String> = BTreeSet::new();
    let (mut at, mut end) = (0, 0);
    while at < text.len() {
        if end <= at {
            end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        }
        let line = &text[at..end];
        let (mut ticks, mut counted) = (0, 0);
        let open = line.match_indices("{::").map(|(found, _)| found).find(|found| {
            ticks += line[counted..*found].matches('`').count();
            counted = *found;
            ticks & 1 == 0
        });
        let Some(open) = open.filter(|_| code.end.is_none()) else {
            code.is_in(line.trim());
            out.push_str(line);
            at = end;
            continue;
        };
        out.push_str(&line[..open]);
        let rest = &text[at + open..];
        let Some(length) = rest.find('}').map(|end| end + 1) else {
            out.push_str(rest);
            break;
        };
        let tag = &rest[3..length - 1];
        let name: String = tag.chars().take_while(char::is_ascii_alphanumeric).collect();
        at += open + length;
        if tag.ends_with('/') {
            let finding = Finding::left(format!("`{{::{name}}}` of kramdown was left out"));
            out.push_str(&body.note(&rest[..length], finding));
            continue;
        }
        // The next end of this extension, or of any. What is not there is looked for once.
        let end = Some(())
            .filter(|()| ["comment", "nomarkdown", "options"].contains(&name.as_str()) && !gone.contains(&name));
        let end = end.and_then(|()| {
            let own = |(_, rest): &(usize, &str)| {
                rest.starts_with('}') || rest.strip_prefix(&name).is_some_and(|rest| rest.starts_with('}'))
            };
            let mut ends =
                text[at..].match_indices("{:/").map(|(found, mark)| (found, &text[at + found + mark.len()..]));
            ends.find(own)
        });
        let Some((inner, rest)) = end else {
            gone.insert(name);
            continue;
        };
        let length = 3 + rest.find('}').map_or(0, |end| end + 1);
        if name != "comment" {
            out.push_str(&text[at..at + inner]);
        }
        at += inner + length;
    }
    out
}

/// Takes out `markdown="1"` of HTML, and writes blank lines around what is in it, as CommonMark needs them. `open` are the elements
/// that are open, each with the number of others of its name in it.
fn markdown_in_html(line: &str, open: &mut Vec<(String, usize)>) -> String {
    let trimmed = line.trim_start();
    let tag = super::super::html::tag(trimmed).filter(|tag| !tag.is_end);
    let value = tag.as_ref().and_then(|tag| tag.value("markdown"));
    if let (Some(tag), Some(_)) = (&tag, value.filter(|value| *value != "0")) {
        let source = &trimmed[..tag.length];
        let without = ["\"", "'", ""].into_iter().fold(source.to_owned(), |source, quote| {
            ["1", "block", "span"]
                .into_iter()
                .fold(source, |source, value| source.replace(&format!(" markdown={quote}{value}{quote}"), ""))
        });
        let rest = trimmed[tag.length..].trim_end();
        let closing = format!("</{}>", tag.name);
        if ["span", "b", "i", "em", "strong", "a", "p"].contains(&tag.name.as_str()) {
            return format!("{without}{}", &trimmed[tag.length..]);
        }
        if let Some(inner) = rest.strip_suffix(&closing) {
            return format!("{without}\n\n{inner}\n\n{closing}\n");
        }
        open.push((tag.name.clone(), 0));
        return format!("{without}{rest}\n\n");
    }
    if let Some((name, depth)) = open.last_mut() {
        let closing = format!("</{name}");
        let opened = line.matches(&format!("<{name}")).count();
        let closed = line.matches(&closing).count();
        if closed > *depth + opened {
            let at = line.rfind(&closing).unwrap_or(0);
            let written = format!("{}\n\n{}", line[..at].trim_end_matches([' ', '\t']), &line[at..]);
            open.pop();
            return written;
        }
        *depth = *depth + opened - closed;
    }
    line.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::MARK;

    fn of(text: &str) -> (String, Vec<String>) {
        let mut body = Body::default();
        let made = rewritten(text, true, &mut body);
        let (mut out, mut rest, mut findings) = (String::new(), made.as_str(), Vec::new());
        while let Some(at) = rest.find(MARK.0) {
            out.push_str(&rest[..at]);
            let ((slot, _, finding), length) = body.slot(&rest[at..]).unwrap();
            findings.extend(finding.as_ref().map(|finding| finding.message.clone()));
            if let Slot::Text(text) = slot {
                out.push_str(text);
            }
            rest = &rest[at + length..];
        }
        (out + rest, findings)
    }

    #[test]
    fn comments_are_gone_and_ids_stay() {
        for (text, expected, findings) in [
            ("a\n{::comment}\nsecret\n{:/comment}\nb\n", "a\n\nb\n", 0),
            ("a {::comment}secret{:/} b\n", "a  b\n", 0),
            ("{::comment}\n```\n{:/comment}\nb\n", "\nb\n", 0),
            ("{::nomarkdown}<b>x</b>{:/}\n", "<b>x</b>\n", 0),
            ("{::options toc_levels=\"2\" /}\nx\n", "\nx\n", 1),
            ("# Head\n{: #custom .big}\n\nx\n", "# Head {#custom}\n\n\nx\n", 1),
            ("x\n\n{: #custom}\n# Head\n", "x\n\n# Head {#custom}\n", 0),
            ("Head\n====\n{: #custom}\n", "Head {#custom}\n====\n\n", 0),
            ("Intro.\n{: .lead }\n", "Intro.\n\n", 1),
            ("Intro.\n{: #intro }\n", "Intro.<span id=\"intro\"></span>\n\n", 0),
            ("[a](b){:target=\"_blank\"} c\n", "[a](b) c\n", 1),
            ("```\n{: .x}\n{::comment}\n```\n", "```\n{: .x}\n{::comment}\n```\n", 0),
            (
                "{% highlight ruby %}\n{:a => 1}\n{% endhighlight %}\n",
                "{% highlight ruby %}\n{:a => 1}\n{% endhighlight %}\n",
                0,
            ),
            (
                "```\nx\n```\n{: .language-ruby file=\"a.rb\" .nolineno }\ny\n",
                "```ruby title=\"a.rb\"\nx\n```\n\ny\n",
                0,
            ),
            ("~~~ js\nx\n~~~\n{: .language-ruby .lineno}\ny\n", "~~~ js linenos\nx\n~~~\n\n\n\ny\n", 1),
            ("| a | b |\n| c | d |\n", "| a | b |\n| c | d |\n", 1),
            ("| a | b |\n|---|---|\n| c | d |\n", "| a | b |\n|---|---|\n| c | d |\n", 0),
            ("`{:a}` $5 $$x$$\n", "`{:a}` \\$5 $x$\n", 0),
            ("<div markdown=\"1\">\n*a*\n</div>\n", "<div>\n\n*a*\n\n\n</div>\n", 0),
            ("<div class=\"b\" markdown=\"1\">*a*</div>\n", "<div class=\"b\">\n\n*a*\n\n</div>\n", 0),
        ] {
            let (made, found) = of(text);
            assert_eq!((made.as_str(), found.len()), (expected, findings), "{text} {found:?}");
        }
        for piece in
            ["{::comment}", "`{::a`{::", "{::a}\n", "{:a}", "{:", "<div markdown=\"1\">\n", "{: #a}\n", "# a\n{: #b}\n"]
        {
            of(&piece.repeat(3_000));
        }
    }
}
