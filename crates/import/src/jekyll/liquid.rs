//! Liquid in texts: values are filled in, includes become calls, and what depends on other pages is reported.

use super::super::components::{Arg, Call, Tag, identifier};
use super::super::data::{self, Map, Value};
use super::super::old;
use super::super::site::{Body, Finding, Slot, cleaned};
use super::kramdown;
use super::languages::Languages;
use std::collections::BTreeMap;

/// What Liquid may refer to.
pub struct Context<'c> {
    /// The configuration: `site`.
    pub config: &'c Map,
    /// The keys of the page: `page`.
    pub page: &'c Map,
    pub address: &'c str,
    /// Addresses by files.
    pub addresses: &'c BTreeMap<String, String>,
    /// Whether the text is HTML.
    pub is_html: bool,
    /// Whether texts of the site have formulas.
    pub has_formulas: bool,
    /// The languages of the site, if there are several.
    pub languages: Option<&'c Languages>,
    /// Addresses by the names that pages have in all languages.
    pub namespaces: &'c BTreeMap<String, String>,
}

/// Tags whose contents depend on values, with the tags that end them.
const BLOCKS: [(&str, &str); 7] = [
    ("for", "endfor"),
    ("if", "endif"),
    ("unless", "endunless"),
    ("case", "endcase"),
    ("capture", "endcapture"),
    ("tablerow", "endtablerow"),
    ("comment", "endcomment"),
];

/// Translates the Liquid of a text.
pub fn body(text: &str, context: &Context) -> Body {
    let text = cleaned(text);
    let mut made = Body::default();
    let text = if context.is_html { text } else { kramdown::rewritten(&text, context.has_formulas, &mut made) };
    let mut translator = Translator {
        text: &text,
        at: 0,
        out: String::new(),
        body: made,
        context,
        gone: Vec::new(),
        unended: Vec::new(),
        ends: last_ends(&text),
    };
    translator.run();
    let Translator { out, mut body, .. } = translator;
    body.text = out;
    body
}

/// Puts the files that tags name alone into a text. `file_of` returns the text of a file by the name of a tag and what follows it.
pub fn with_files<'o>(text: &str, file_of: &dyn Fn(&str, &str) -> Option<&'o str>) -> String {
    // A file may name others; one that names itself ends.
    const DEEPEST: usize = 4;
    const LONGEST: usize = 1 << 20;
    let mut text = text.to_owned();
    for _ in 0..DEEPEST {
        let mut out = String::with_capacity(text.len());
        let (mut rest, mut is_changed, mut is_raw) = (text.as_str(), false, false);
        while let Some(at) = rest.find("{%") {
            let Some(end) = rest[at..].find("%}").map(|end| at + end) else { break };
            let inside = rest[at + 2..end].trim_matches('-').trim();
            let (tag, name) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
            is_raw = if is_raw { tag != "endraw" } else { tag == "raw" };
            out.push_str(&rest[..at]);
            match file_of(tag, name.trim().trim_matches(['"', '\''])).filter(|_| !is_raw) {
                // Without an end to it, files that name others many times would fill the memory.
                Some(file) if out.len() + file.len() > LONGEST => return text,
                Some(file) => {
                    out.push_str(file);
                    is_changed = true;
                }
                None => out.push_str(&rest[at..end + 2]),
            }
            rest = &rest[end + 2..];
        }
        out.push_str(rest);
        if !is_changed {
            return out;
        }
        text = out;
    }
    text
}

struct Translator<'t> {
    text: &'t str,
    at: usize,
    out: String,
    body: Body,
    context: &'t Context<'t>,
    /// Ends that were looked for and are not there.
    gone: Vec<String>,
    /// Tags that end fewer blocks than there are.
    unended: Vec<String>,
    /// Where the last tag of each name is that begins with `end`.
    ends: BTreeMap<&'t str, usize>,
}

/// Returns where the last tag of each name is that ends a block.
fn last_ends(text: &str) -> BTreeMap<&str, usize> {
    let names = text.match_indices("{%").filter_map(|(at, _)| {
        let inside = text[at + 2..].trim_start_matches('-').trim_start();
        // A name is short, and what is in quotes or far away is none.
        let near = &inside[..inside.floor_char_boundary(100)];
        let end = near.find(|letter: char| letter.is_whitespace() || letter == '%')?;
        Some((near[..end].trim_end_matches('-'), at))
    });
    names.filter(|(name, _)| name.starts_with("end")).collect()
}

impl<'t> Translator<'t> {
    fn run(&mut self) {
        while let Some(found) = self.text[self.at..].find('{').map(|found| self.at + found) {
            self.out.push_str(&self.text[self.at..found]);
            self.at = found;
            let rest = &self.text[found..];
            let closing = match () {
                () if rest.starts_with("{{") => "}}",
                () if rest.starts_with("{%") => "%}",
                () => {
                    self.out.push('{');
                    self.at += 1;
                    continue;
                }
            };
            let Some(end) = self.find(2, closing) else {
                self.out.push_str(&rest[..2]);
                self.at += 2;
                continue;
            };
            let inside = rest[2..end].trim_matches('-').trim();
            let original = &self.text[found..found + end + 2];
            self.at = found + end + 2;
            if closing == "}}" { self.output(inside, original) } else { self.tag(inside, original) }
        }
        self.out.push_str(&self.text[self.at..]);
    }

    /// Finds a text behind the current place. One that is not there is not looked for again.
    fn find(&mut self, skipped: usize, wanted: &str) -> Option<usize> {
        if self.gone.iter().any(|gone| gone == wanted) {
            return None;
        }
        let found = self.text.get(self.at + skipped..).and_then(|rest| rest.find(wanted)).map(|found| found + skipped);
        if found.is_none() {
            self.gone.push(wanted.to_owned());
        }
        found
    }

    fn note(&mut self, original: &str, finding: Finding) {
        let mark = self.body.note(original, finding);
        self.out.push_str(&mark);
    }

    /// Writes a text of templates. `None` stands for one that is not there.
    fn label(&mut self, reference: Option<String>, original: &str) {
        match reference {
            Some(reference) => {
                let mark = self.body.mark(Slot::Text(reference), original, None);
                self.out.push_str(&mark);
            }
            None => self.note(original, Finding::fault(format!("`{original}` names no text of the site"))),
        }
    }

    fn output(&mut self, inside: &str, original: &str) {
        let name = inside.split('|').next().unwrap_or_default();
        let languages = self.context.languages;
        if let Some(reference) = languages.and_then(|languages| languages.reference(languages.path_of(name)?)) {
            return self.label(Some(reference), original);
        }
        match value(inside, self.context) {
            Some(value) => self.out.push_str(&value),
            None => {
                let short: String = inside.chars().take(60).collect();
                self.note(original, Finding::left(format!("`{{{{ {short} }}}}` was left out")));
            }
        }
    }

    fn tag(&mut self, inside: &str, original: &str) {
        let (name, rest) = inside.split_at(inside.find(char::is_whitespace).unwrap_or(inside.len()));
        let rest = rest.trim();
        if let Some((_, end)) = BLOCKS.iter().find(|(block, _)| *block == name) {
            let length = self.block(name, end);
            let whole = &self.text[self.at - original.len()..self.at + length];
            self.at += length;
            if name != "comment" {
                self.note(whole, Finding::left(format!("`{{% {name} %}}` and what is in it was left out")));
            }
            return;
        }
        match name {
            "raw" | "highlight" => {
                let Some((inner, length)) = self.inner(&format!("end{name}")) else { return };
                self.at += length;
                if name == "raw" {
                    self.out.push_str(inner);
                } else {
                    let language = rest.split_whitespace().next().unwrap_or_default();
                    let linenos = if rest.contains("linenos") { " linenos" } else { "" };
                    let fence = if inner.contains("```") { "````" } else { "```" };
                    let inner = inner.replace("{% raw %}", "").replace("{% endraw %}", "");
                    self.out
                        .push_str(&format!("\n{fence}{language}{linenos}\n{}\n{fence}\n", inner.trim_matches('\n')));
                }
            }
            "assign" | "increment" | "decrement" | "else" | "elsif" | "when" | "endraw" | "break" | "continue"
            | "cycle" => {}
            "link" | "post_url" => match linked(name, rest, self.context) {
                Some(address) => self.out.push_str(&address),
                None => {
                    let target = rest.to_owned();
                    self.note(original, Finding::fault(format!("`{{% {name} %}}` leads nowhere: `{target}`")));
                }
            },
            "include" | "include_cached" | "include_relative"
                if rest.starts_with("{{") || name == "include_relative" =>
            {
                let message = format!("`{{% {name} {rest} %}}` was left out: put here what it showed");
                self.note(original, Finding::left(message));
            }
            "include" | "include_cached" => {
                let (file, arguments) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
                let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
                self.call(stem, arguments, Tag::Alone, &format!("the include `{file}`"), original);
            }
            // What the plugins for several languages have.
            "I18n_Headers" | "i18n_headers" | "static_href" | "endstatic_href" if self.context.languages.is_some() => {}
            "t" | "translate" if self.context.languages.is_some() => {
                let path = plain(rest, self.context).unwrap_or_else(|| rest.to_owned());
                let reference = self.context.languages.and_then(|languages| languages.reference(&path));
                self.label(reference, original);
            }
            "tl" | "translate_link" if self.context.languages.is_some() => {
                let namespace = rest.split_whitespace().next().unwrap_or_default();
                match self.context.namespaces.get(namespace) {
                    Some(address) => self.out.push_str(address),
                    None => self.note(original, Finding::fault(format!("`{original}` leads nowhere"))),
                }
            }
            "tf" | "translate_file" if self.context.languages.is_some() => {
                self.note(original, Finding::fault(format!("`{original}` names a file that does not exist")));
            }
            name if name.starts_with("end") => {
                self.call(&name[3..], "", Tag::Close, &format!("the tag `{}`", &name[3..]), original)
            }
            name if !name.is_empty() => {
                let is_paired = self.ends.get(format!("end{name}").as_str()).is_some_and(|at| *at >= self.at);
                let tag = if is_paired { Tag::Open } else { Tag::Alone };
                self.call(name, rest, tag, &format!("the tag `{name}`"), original);
            }
            _ => {}
        }
    }

    /// Returns what is between here and the tag that ends a block, and the length of both.
    fn inner(&mut self, end: &str) -> Option<(&'t str, usize)> {
        if self.gone.iter().any(|gone| gone == end) {
            return None;
        }
        let found = self.find_tag(end);
        if found.is_none() {
            self.gone.push(end.to_owned());
        }
        found
    }

    fn find_tag(&self, end: &str) -> Option<(&'t str, usize)> {
        let (mut from, text) = (0, self.text);
        while let Some(at) = text.get(self.at + from..)?.find("{%").map(|at| from + at) {
            let inside = text[self.at + at + 2..].trim_start_matches('-').trim_start();
            if inside.starts_with(end) {
                let length = text[self.at + at..].find("%}")?;
                return Some((&text[self.at..self.at + at], at + length + 2));
            }
            from = at + 2;
        }
        None
    }

    /// Returns the length of a block that may have others of its kind in it. Once one is never ended, the others of its kind end
    /// with the next tag that ends one: to look through the rest of the text for each would take the square of its length.
    fn block(&mut self, name: &str, end: &str) -> usize {
        if self.unended.contains(&end.to_owned()) {
            return self.inner(end).map_or(0, |(_, length)| length);
        }
        let (mut depth, mut from) = (1_usize, 0);
        let rest = &self.text[self.at..];
        while let Some(at) = rest[from..].find("{%").map(|at| from + at) {
            let inside = rest[at + 2..].trim_start_matches('-').trim_start();
            let word = &inside[..inside.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(inside.len())];
            depth = if word == name { depth + 1 } else { depth - usize::from(word == end) };
            from = rest[at..].find("%}").map_or(rest.len(), |length| at + length + 2);
            if depth == 0 {
                return from;
            }
        }
        // A block that nothing ends is only its first tag.
        self.unended.push(end.to_owned());
        0
    }

    fn call(&mut self, name: &str, arguments: &str, tag: Tag, origin: &str, original: &str) {
        if self.context.is_html {
            // Components cannot be called inside of HTML.
            return self.note(original, Finding::left(format!("{origin} in HTML was left out")));
        }
        let args = self.arguments(arguments);
        let call = Call { name: identifier(name), args, tag, origin: origin.to_owned() };
        let mark = self.body.mark(Slot::Call(call), original, None);
        if tag == Tag::Alone {
            self.out.push_str(&mark);
        } else {
            self.out.push_str(&format!("\n\n{mark}\n\n"));
        }
    }

    fn arguments(&self, text: &str) -> Vec<(String, Arg)> {
        let mut args: Vec<(String, Arg)> = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let is_name = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
            let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
            let after = rest[end..].trim_start();
            let name = Some(&rest[..end]).filter(|name| !name.is_empty() && after.starts_with('='));
            if name.is_some() {
                rest = after[1..].trim_start();
            }
            let quote = rest.chars().next().filter(|quote| "\"'".contains(*quote));
            let (word, after) = match quote {
                Some(quote) => quoted(&rest[1..], quote),
                None => {
                    let (word, after) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
                    (word.to_owned(), after)
                }
            };
            let arg = match (quote, word.as_str()) {
                (None, "true" | "false") => Some(Arg::Bool(word == "true")),
                (None, word) if word.parse::<i64>().is_ok() => Some(Arg::Number(word.to_owned())),
                (None, word) if name.is_some() || word.contains('.') => value(word, self.context).map(Arg::Text),
                _ => Some(Arg::Text(word.to_owned())),
            };
            let number = args.len() + 1;
            let name = name.map_or_else(|| format!("arg{number}"), identifier);
            if let Some(arg) = arg.filter(|_| args.iter().all(|(other, _)| *other != name)) {
                args.push((name, arg));
            }
            rest = if after.len() == rest.len() { "" } else { after }.trim_start();
        }
        args
    }
}

/// Reads a text up to its quote, before which a backslash makes it one of the text. Returns it with what follows.
fn quoted(text: &str, quote: char) -> (String, &str) {
    let mut out = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if text[at + 1..].starts_with(quote) => out.extend(letters.next().map(|(_, next)| next)),
            letter if letter == quote => return (out, &text[at + 1..]),
            letter => out.push(letter),
        }
    }
    (out, "")
}

/// Returns what a value with filters is, if the configuration or the page says it.
fn value(inside: &str, context: &Context) -> Option<String> {
    let mut parts = inside.split('|').map(str::trim);
    let first = parts.next()?;
    let mut text = plain(first, context)?;
    for filter in parts {
        let (name, argument) =
            filter.split_once(':').map_or((filter, ""), |(name, argument)| (name.trim(), argument.trim()));
        match name {
            // Links are to paths of the site.
            "relative_url" | "absolute_url" => {}
            "prepend" => text = format!("{}{text}", plain(argument, context)?),
            "append" => text = format!("{text}{}", plain(argument, context)?),
            "downcase" => text = text.to_lowercase(),
            "upcase" => text = text.to_uppercase(),
            "strip" | "escape" | "xml_escape" | "markdownify" | "strip_html" => text = text.trim().to_owned(),
            "replace" => {
                let (from, to) = argument.split_once(',')?;
                text = text.replace(&plain(from.trim(), context)?, &plain(to.trim(), context)?);
            }
            "default" if text.is_empty() => text = plain(argument, context)?,
            "default" => {}
            _ => return None,
        }
    }
    Some(text)
}

/// Returns the text of a literal or of a path.
fn plain(word: &str, context: &Context) -> Option<String> {
    for quote in ['"', '\''] {
        if let Some(text) = word.strip_prefix(quote).and_then(|text| text.strip_suffix(quote)) {
            return Some(text.to_owned());
        }
    }
    match word {
        // Links within the site begin at its root.
        "site.baseurl" | "site.url" | "site.github.url" => return Some(String::new()),
        "page.url" => return Some(context.address.to_owned()),
        _ => {}
    }
    let (root, path) = word.split_once('.')?;
    let map = match root {
        "site" => context.config,
        "page" => context.page,
        _ => return None,
    };
    let mut parts = path.split('.');
    let first = map.get(parts.next()?)?;
    let found = parts.try_fold(first, |value, part| value.get(part))?;
    match found {
        Value::Array(_) | Value::Object(_) => None,
        other => data::word_of(other),
    }
}

/// Returns the address of a file of the old site, or of a post.
fn linked(tag: &str, target: &str, context: &Context) -> Option<String> {
    let target = target.trim().trim_matches(['"', '\'']).trim_start_matches('/');
    if tag == "link" {
        return context.addresses.get(target).map(|address| address.replace(' ', "%20"));
    }
    let post = context.addresses.iter().find(|(file, _)| {
        let stem = file.rsplit_once('.').map_or(file.as_str(), |(stem, _)| stem);
        let (before, name) = stem.split_once("_posts/").unwrap_or(("", ""));
        !name.is_empty() && (name == target || format!("{before}{name}") == target || old::name(name) == target)
    });
    post.map(|(_, address)| address.replace(' ', "%20"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(text: &str) -> String {
        let config = serde_json::json!({ "title": "Bread", "author": { "name": "Ida" }, "baseurl": "/b" });
        let page = serde_json::json!({ "title": "Salt" });
        let addresses = BTreeMap::from([
            ("_posts/2024-03-09-salt.md".to_owned(), "/2024/03/09/salt.html".to_owned()),
            ("about.md".to_owned(), "/about/".to_owned()),
        ]);
        let context = Context {
            config: config.as_object().unwrap(),
            page: page.as_object().unwrap(),
            address: "/x/",
            addresses: &addresses,
            is_html: false,
            has_formulas: false,
            languages: None,
            namespaces: &BTreeMap::new(),
        };
        let body = body(text, &context);
        let mut components = crate::components::Components::default();
        components.note(body.calls(), "a.md");
        let mut out = String::new();
        let mut rest = body.text.as_str();
        while let Some(at) = rest.find(crate::site::MARK.0) {
            out.push_str(&rest[..at]);
            let ((slot, _, _), length) = body.slot(&rest[at..]).unwrap();
            match slot {
                Slot::Call(call) => out.push_str(&components.written(call)),
                Slot::Text(text) => out.push_str(text),
            }
            rest = &rest[at + length..];
        }
        out + rest
    }

    #[test]
    fn liquid_is_filled_in_or_called_or_taken_out() {
        for (text, expected) in [
            ("{{ site.title }} by {{ site.author.name }} on {{ page.title | downcase }}", "Bread by Ida on salt"),
            ("[a]({{ site.baseurl }}/a) [b]({{ \"/b\" | relative_url }})", "[a](/a) [b](/b)"),
            ("[a]({% link about.md %}) [b]({% post_url 2024-03-09-salt %})", "[a](/about/) [b](/2024/03/09/salt.html)"),
            ("{% raw %}{{ x }}{% endraw %}", "{{ x }}"),
            ("{% highlight rust linenos %}\nfn a() {}\n{% endhighlight %}", "\n```rust linenos\nfn a() {}\n```\n"),
            ("{% include note.html text=\"a b\" n=3 %}", "{{ <note text=\"a b\" n={3} /> }}"),
            ("{% include f.html c=\"A \\\"q\\\" b\" %}", "{{ <f c=\"A \\\"q\\\" b\" /> }}"),
            ("a{% include {{ page.x }} %}{% include_relative b.md %}c", "ac"),
            ("a{% for x in y %}{% for z in x %}b{% endfor %}{% endfor %}c", "ac"),
            ("a{% comment %}b{% endcomment %}c", "ac"),
            ("* TOC\n{:toc}\nx", "\n[TOC]\n\nx"),
            ("[a](b){:target=\"_blank\"} c", "[a](b) c"),
        ] {
            assert_eq!(translated(text), expected, "{text}");
        }
    }

    #[test]
    fn files_are_put_in_where_a_tag_names_them_alone() {
        let file = |tag: &str, name: &str| match (tag, name) {
            ("include_relative", "b.md") => Some("B {% include_relative c.md %}"),
            ("include_relative", "c.md") => Some("C"),
            ("include_relative", "self.md") => Some("{% include_relative self.md %}"),
            _ => None,
        };
        for (text, expected) in [
            ("a {%- include_relative b.md -%} d", "a B C d"),
            ("{% include_relative b.md x=1 %}", "{% include_relative b.md x=1 %}"),
            ("{% raw %}{% include_relative b.md %}{% endraw %}", "{% raw %}{% include_relative b.md %}{% endraw %}"),
            ("{% include_relative self.md %}", "{% include_relative self.md %}"),
        ] {
            assert_eq!(with_files(text, &file), expected, "{text}");
        }
    }

    #[test]
    fn any_text_is_translated() {
        for piece in
            ["{%", "{{", "{% if %}", "{% raw %}", "{% x %}", "{% endx %}", "{%-", "{:", "{% include \"", "{{ é | a: }}"]
        {
            translated(&piece.repeat(200));
        }
    }
}
