//! Shortcodes in texts (<https://gohugo.io/content-management/shortcodes/>).

use super::super::components::{Arg, Call, Tag, identifier};
use super::super::data::{self, Map};
use super::super::old;
use super::super::prose::{self, Formulas};
use super::super::site::{Body, Finding, Slot, cleaned};
use std::collections::BTreeMap;

/// What shortcodes may refer to.
pub struct Context<'c> {
    /// Addresses of pages by their paths below the folder of content, in lower case.
    pub refs: &'c BTreeMap<String, String>,
    /// Parameters of the site.
    pub params: &'c Map,
    /// The folder of the text below that of content.
    pub folder: &'c str,
    pub path: &'c str,
    /// How the text writes formulas, if it does.
    pub formulas: Option<Formulas>,
    /// Whether `{.class #id}` below a paragraph gives it attributes.
    pub has_attributes: bool,
}

/// A shortcode tag.
#[derive(Debug)]
struct Found {
    start: usize,
    end: usize,
    name: String,
    args: Vec<(Option<String>, Arg)>,
    is_close: bool,
    is_closed: bool,
    /// The text that it stands for, if it is an escaped one.
    literal: Option<String>,
    /// The number of the tag that closes it.
    partner: Option<usize>,
}

/// Translates the shortcodes of a text.
pub fn body(text: &str, context: &Context) -> Body {
    let text = cleaned(text).replace("<!--more-->", "").replace("<!-- more -->", "");
    let text = context.formulas.map_or(text.clone(), |formulas| formulas.rewrite(&text));
    let mut body = Body::default();
    let text = if context.has_attributes { without_attributes(&text, &mut body) } else { text };
    let tags = paired(tags(&text));
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut number = 0;
    while let Some(tag) = tags.get(number) {
        number += 1;
        if tag.start < at {
            continue;
        }
        out.push_str(&text[at..tag.start]);
        at = tag.end;
        let original = &text[tag.start..tag.end];
        // A tag that closes nothing is text.
        if tag.is_close && tag.partner.is_none() {
            out.push_str(original);
            continue;
        }
        if let Some(literal) = &tag.literal {
            out.push_str(&body.mark(
                Slot::Text(literal.replace("{{", "\\{\\{").replace("}}", "\\}\\}")),
                literal,
                None,
            ));
            continue;
        }
        let partner = tag.partner.filter(|_| !tag.is_close).and_then(|partner| tags.get(partner));
        if let Some(partner) = partner
            && let Some(written) = whole(tag, &text[tag.end..partner.start])
        {
            out.push_str(&written);
            at = partner.end;
            continue;
        }
        let is_line = is_alone_in_line(&text, tag);
        let inner = partner.map(|partner| &text[tag.end..partner.start]);
        // Words in a line are an argument: tags around text need lines of their own.
        let short = inner.filter(|inner| !inner.contains('\n') && !inner.contains("{{") && !is_line);
        let written = single(tag, partner.is_some(), short, context, &mut body, original);
        if short.is_some() {
            at = partner.map_or(at, |partner| partner.end);
            out.push_str(&written);
        } else if partner.is_some() || tag.is_close {
            let indent = indentation(&out);
            trim_line(&mut out);
            out.push_str(&format!("\n\n{indent}{written}\n\n{indent}"));
            at += text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len();
        } else {
            out.push_str(&written);
        }
    }
    out.push_str(&text[at..]);
    body.text = out;
    body
}

/// Takes out lines with attributes of what is above. An id is one of an empty element, so that links to it lead there.
fn without_attributes(text: &str, body: &mut Body) -> String {
    prose::outside_code(text, |prose| {
        let mut out = String::with_capacity(prose.len());
        for line in prose.split_inclusive('\n') {
            let inside = line.trim().strip_prefix('{').and_then(|line| line.strip_suffix('}'));
            let Some(inside) = inside.filter(|inside| inside.starts_with(['.', '#']) && !inside.contains(['{', '}']))
            else {
                out.push_str(line);
                continue;
            };
            let attributes = prose::attributes(inside);
            let others = attributes.others.join(" ");
            let finding = (!others.is_empty()).then(|| Finding::left(format!("attributes were left out: `{others}`")));
            let anchor = attributes.id.map_or(String::new(), |id| format!("<span id=\"{id}\"></span>"));
            out.push_str(&body.mark(Slot::Text(anchor), line, finding));
            out.push_str(&line[line.trim_end_matches('\n').len()..]);
        }
        out
    })
}

/// The white space at the beginning of the last line.
fn indentation(out: &str) -> String {
    let line = out.rsplit('\n').next().unwrap_or_default();
    line.chars().take_while(|letter| *letter == ' ').collect()
}

/// Removes white space at the end of the last line.
fn trim_line(out: &mut String) {
    out.truncate(out.trim_end_matches([' ', '\t']).len());
}

fn is_alone_in_line(text: &str, tag: &Found) -> bool {
    // Only the white space beside it is read: a line may have many tags.
    let is_space = |letter: char| letter.is_whitespace() && letter != '\n';
    let before = text[..tag.start].trim_end_matches(is_space);
    let after = text[tag.end..].trim_start_matches(is_space);
    (before.is_empty() || before.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'))
}

/// Shortcodes that stand for Markdown.
fn whole(tag: &Found, inner: &str) -> Option<String> {
    match tag.name.as_str() {
        "highlight" => {
            let language = positional(tag, 0).unwrap_or_default();
            let options = positional(tag, 1).map_or(String::new(), |options| format!(" {{{options}}}"));
            let fence = if inner.contains("```") { "````" } else { "```" };
            Some(format!("\n{fence}{language}{options}\n{}\n{fence}\n", inner.trim_matches('\n')))
        }
        "comment" => Some(String::new()),
        _ => None,
    }
}

fn positional(tag: &Found, number: usize) -> Option<String> {
    match tag.args.get(number)? {
        (None, Arg::Text(text) | Arg::Number(text)) => Some(text.clone()),
        _ => None,
    }
}

fn named(tag: &Found, name: &str) -> Option<String> {
    let (_, arg) = tag.args.iter().find(|(own, _)| own.as_deref() == Some(name))?;
    match arg {
        Arg::Text(text) | Arg::Number(text) => Some(text.clone()),
        _ => None,
    }
}

/// Translates one tag.
fn single(
    tag: &Found,
    is_paired: bool,
    inner: Option<&str>,
    context: &Context,
    body: &mut Body,
    original: &str,
) -> String {
    match tag.name.as_str() {
        "ref" | "relref" => {
            let wanted = positional(tag, 0).or_else(|| named(tag, "path")).unwrap_or_default();
            // What leads nowhere is found where links are translated.
            return reference(&wanted, context).unwrap_or_else(|| wanted.replace([' ', ')', '('], "%20"));
        }
        "param" => {
            let wanted = positional(tag, 0).unwrap_or_default().to_lowercase();
            let value = wanted.split('.').try_fold(None, |map: Option<&data::Value>, part| {
                Some(Some(map.map_or_else(|| context.params.get(part), |map| map.get(part))?))
            });
            if let Some(value) = value.flatten().and_then(data::word_of) {
                return value;
            }
        }
        "figure" if !is_paired && !tag.is_close => {
            if let Some(figure) = figure(tag, body, original) {
                return figure;
            }
        }
        _ => {}
    }
    let name = identifier(&tag.name);
    let mut args: Vec<(String, Arg)> = Vec::new();
    for (number, (own, arg)) in tag.args.iter().enumerate() {
        let arg_name = match (own, tag.name.as_str(), number) {
            (Some(own), _, _) => identifier(own),
            (None, "youtube" | "vimeo" | "instagram", 0) => "id".to_owned(),
            (None, _, number) => format!("arg{}", number + 1),
        };
        if args.iter().all(|(other, _)| *other != arg_name) {
            args.push((arg_name, arg.clone()));
        }
    }
    args.extend(inner.map(|inner| ("text".to_owned(), Arg::Text(inner.trim().to_owned()))));
    let tag_kind = match (tag.is_close, is_paired && inner.is_none()) {
        (true, _) => Tag::Close,
        (false, true) => Tag::Open,
        (false, false) => Tag::Alone,
    };
    let origin = format!("the shortcode `{}`", tag.name);
    body.mark(Slot::Call(Call { name, args, tag: tag_kind, origin }), original, None)
}

/// A figure is its picture, with a component around it where it has a caption.
fn figure(tag: &Found, body: &mut Body, original: &str) -> Option<String> {
    let source = named(tag, "src").or_else(|| positional(tag, 0))?;
    let plain = |text: String| text.replace(['[', ']', '\n'], " ");
    let caption = match (named(tag, "title"), named(tag, "caption")) {
        (Some(title), Some(caption)) => Some(format!("{title}: {caption}")),
        (title, caption) => caption.or(title),
    };
    let link = named(tag, "link");
    let alt = named(tag, "alt").or_else(|| caption.clone()).or_else(|| link.clone()).map(plain).unwrap_or_default();
    let known = ["src", "link", "alt", "title", "caption"];
    let left = tag.args.iter().filter_map(|(name, _)| name.as_deref()).filter(|name| !known.contains(name));
    let left = left.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let note = match left.is_empty() {
        true => String::new(),
        false => body.note(original, Finding::left(format!("{left} of a figure was left out"))),
    };
    let mut picture = format!("![{alt}](<{}>)", source.replace(['<', '>', '\n'], ""));
    if let Some(link) = link {
        picture = format!("[{picture}](<{}>)", link.replace(['<', '>', '\n'], ""));
    }
    picture.insert_str(0, &note);
    let Some(caption) = caption else { return Some(picture) };
    let mut call = |tag, args| {
        let origin = "the shortcode `figure`".to_owned();
        body.mark(Slot::Call(Call { name: "figure".to_owned(), args, tag, origin }), original, None)
    };
    let open = call(Tag::Open, vec![("caption".to_owned(), Arg::Text(caption))]);
    let close = call(Tag::Close, Vec::new());
    Some(format!("\n\n{open}\n\n{picture}\n\n{close}\n\n"))
}

/// Returns the address of the page that `ref` names: from the folder of the text, from the top, or by its name alone.
fn reference(wanted: &str, context: &Context) -> Option<String> {
    let (path, fragment) = wanted.split_at(wanted.find('#').unwrap_or(wanted.len()));
    if path.is_empty() {
        return Some(fragment.to_owned());
    }
    let path = path.trim_end_matches('/').to_lowercase();
    let path = path.strip_suffix(".md").or(path.strip_suffix(".html")).unwrap_or(&path);
    let path = path.strip_suffix("/_index").or(path.strip_suffix("/index")).unwrap_or(path);
    let plain = path.trim_start_matches('/');
    let found = |path: String| context.refs.get(&path.to_lowercase());
    let address = (!path.starts_with('/'))
        .then(|| {
            old::join(context.folder, path).and_then(found).or_else(|| old::join(context.path, path).and_then(found))
        })
        .flatten()
        .or_else(|| found(plain.to_owned()))
        .or_else(|| context.refs.iter().find(|(own, _)| old::name(own) == plain).map(|(_, address)| address))?;
    Some(format!("{address}{fragment}").replace(' ', "%20"))
}

/// Finds the tags of a text.
fn tags(text: &str) -> Vec<Found> {
    let mut tags = Vec::new();
    let mut at = 0;
    // The end of a tag is not looked for again where there was none.
    let mut open_ends = [true, true];
    while let Some(start) = text[at..].find("{{").map(|found| at + found) {
        at = start + 2;
        let Some(kind) = text[at..].chars().next().filter(|kind| "<%".contains(*kind)) else { continue };
        let inside = &text[at + 1..];
        let closing = if kind == '<' { ">}}" } else { "%}}" };
        let seen = &mut open_ends[usize::from(kind == '%')];
        let Some(end) = Some(()).filter(|()| *seen).and_then(|()| inside.find(closing)) else {
            *seen = false;
            continue;
        };
        let content = &inside[..end];
        let end = at + 1 + end + closing.len();
        let comment = content.trim().strip_prefix("/*").and_then(|content| content.strip_suffix("*/"));
        let literal = comment.map(|content| format!("{{{{{kind}{content}{closing}"));
        if let Some(mut tag) = read(comment.unwrap_or(content)) {
            (tag.start, tag.end) = (start, end);
            tag.literal = literal;
            tags.push(tag);
            at = end;
        }
    }
    tags
}

fn read(content: &str) -> Option<Found> {
    let content = content.trim();
    let (content, is_closed) = content.strip_suffix('/').map_or((content, false), |content| (content.trim_end(), true));
    let (content, is_close) =
        content.strip_prefix('/').map_or((content, false), |content| (content.trim_start(), true));
    let end = content.find(char::is_whitespace).unwrap_or(content.len());
    let (name, rest) = content.split_at(end);
    let is_name = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let name = name.trim_end_matches(".html").to_owned();
    Some(Found { start: 0, end: 0, name, args: arguments(rest), is_close, is_closed, literal: None, partner: None })
}

fn arguments(text: &str) -> Vec<(Option<String>, Arg)> {
    let mut args = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let is_name = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
        let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
        let name = Some(&rest[..end]).filter(|name| !name.is_empty() && rest[end..].starts_with('='));
        if name.is_some() {
            rest = &rest[end + 1..];
        }
        let (arg, after) = value(rest);
        args.push((name.map(str::to_owned), arg));
        // Something that is no value is passed over, so that the loop ends.
        rest = if after.len() == rest.len() { rest.get(1..).unwrap_or_default() } else { after }.trim_start();
    }
    args
}

fn value(text: &str) -> (Arg, &str) {
    if let Some(rest) = text.strip_prefix('`') {
        let (inside, after) = rest.split_once('`').unwrap_or((rest, ""));
        return (Arg::Text(inside.to_owned()), after);
    }
    if let Some(rest) = text.strip_prefix(['"', '“']) {
        let mut out = String::new();
        let mut letters = rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => out.extend(letters.next().map(|(_, next)| if next == 'n' { '\n' } else { next })),
                '"' | '”' => return (Arg::Text(out), &rest[at + letter.len_utf8()..]),
                letter => out.push(letter),
            }
        }
        return (Arg::Text(out), "");
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    let arg = match word {
        "true" | "false" => Arg::Bool(word == "true"),
        word if word.parse::<i64>().is_ok() => Arg::Number(word.to_owned()),
        word => Arg::Text(word.to_owned()),
    };
    (arg, after)
}

/// Finds for each opening tag the one that closes it.
fn paired(mut tags: Vec<Found>) -> Vec<Found> {
    let mut open: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for number in 0..tags.len() {
        let tag = &tags[number];
        if tag.literal.is_some() || tag.is_closed {
            continue;
        }
        if tag.is_close {
            if let Some(start) = open.get_mut(&tag.name).and_then(Vec::pop) {
                tags[start].partner = Some(number);
                tags[number].partner = Some(number);
            }
        } else {
            open.entry(tag.name.clone()).or_default().push(number);
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::Components;
    use crate::site::Dialect;

    fn translated(text: &str) -> String {
        struct Keep;
        impl crate::site::Resolver for Keep {
            fn link(&mut self, _: &str, _: bool) -> crate::site::Link {
                crate::site::Link::Keep
            }
            fn picture(&mut self, _: &str, _: bool) -> crate::site::Link {
                crate::site::Link::Keep
            }
        }
        let refs = BTreeMap::from([("posts/salt".to_owned(), "/posts/salt/".to_owned())]);
        let params = serde_json::json!({ "phone": "12" });
        let context = Context {
            refs: &refs,
            params: params.as_object().unwrap(),
            folder: "posts",
            path: "posts/a",
            formulas: None,
            has_attributes: true,
        };
        let body = body(text, &context);
        let mut components = Components::default();
        components.note(body.calls(), "a.md");
        let outline = crate::markdown::outline(&body, None, Dialect::default());
        crate::markdown::translate(&body, &outline, Dialect::default(), &components, &mut Keep).text
    }

    #[test]
    fn shortcodes_become_calls_with_their_arguments() {
        for (text, expected) in [
            ("a {{< youtube abc123 >}} b", "a {{ <youtube id=\"abc123\" /> }} b"),
            ("{{< x a=\"1 \\\"2\\\"\" b=3 c=true >}}", "{{ <x a=\"1 \\\"2\\\"\" b={3} c={true} /> }}"),
            ("{{% note %}}\n**b**\n{{% /note %}}", "\n\n{% <note> %}\n\n\n**b**\n\n\n{% </note> %}\n\n"),
            ("x {{< kbd >}}Ctrl{{< /kbd >}} y", "x {{ <kbd text=\"Ctrl\" /> }} y"),
            ("[s]({{< ref \"salt.md#why\" >}})", "[s](/posts/salt/#why)"),
            ("[s]({{< relref \"/posts/salt\" >}})", "[s](/posts/salt/)"),
            ("call {{< param phone >}}", "call 12"),
            ("{{</* x */>}}", "\\{\\{< x >\\}\\}"),
            ("`{{</* x */>}}`", "`{{< x >}}`"),
            ("{{< highlight go >}}\na\n{{< /highlight >}}", "\n```go\na\n```\n"),
            ("{{< figure src=\"a.jpg\" alt=\"A\" >}}", "![A](<a.jpg>)"),
            ("{{ .Title }}", "\\{\\{ .Title \\}\\}"),
            ("Para\n{.lead #x}\n", "Para\n<span id=\"x\"></span>\n"),
        ] {
            assert_eq!(translated(text), expected, "{text}");
        }
    }

    #[test]
    fn any_text_is_translated_in_little_time() {
        for piece in ["{{<", "{{< a >}}", "{{< /a >}}", "{{%", "{{< a b=\"", "{{< \u{e9} >}}", "{{</* "] {
            translated(&piece.repeat(3_000));
        }
    }
}
