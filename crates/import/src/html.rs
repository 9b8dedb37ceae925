//! HTML in texts: leaves what only shows something, and takes out what runs or loads other things.

use super::site::{Finding, Link, Resolver};
use std::collections::BTreeSet;

/// A tag as it is written.
#[derive(Debug, PartialEq)]
pub struct Tag<'t> {
    /// The name, in lower case.
    pub name: String,
    /// Whether it is `</name>`.
    pub is_end: bool,
    /// Whether it ends with `/>`.
    pub is_closed: bool,
    /// The attributes with their values as they are written, without quotes.
    pub attributes: Vec<(&'t str, Option<&'t str>)>,
    /// The number of bytes.
    pub length: usize,
}

/// Reads a tag at the start of a text.
pub fn tag(text: &str) -> Option<Tag<'_>> {
    let rest = text.strip_prefix('<')?;
    let (is_end, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-:_.".contains(letter);
    let end = rest.find(|letter| !is_name(letter)).unwrap_or(rest.len());
    let (name, mut rest) = rest.split_at(end);
    if !name.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        return None;
    }
    let mut attributes: Vec<(&str, Option<&str>)> = Vec::new();
    let mut names = BTreeSet::new();
    // No tag goes on after a `<`: each is looked at once, however many are not closed.
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('>') {
            return Some(Tag {
                name: name.to_ascii_lowercase(),
                is_end,
                is_closed: false,
                attributes,
                length: text.len() - after.len(),
            });
        }
        if let Some(after) = rest.strip_prefix('/') {
            if let Some(after) = after.strip_prefix('>') {
                let length = text.len() - after.len();
                return Some(Tag { name: name.to_ascii_lowercase(), is_end, is_closed: true, attributes, length });
            }
            rest = after;
            continue;
        }
        let end = rest.find(|letter: char| letter.is_whitespace() || "=/<>".contains(letter)).unwrap_or(rest.len());
        if end == 0 || rest[end..].starts_with('<') {
            return None;
        }
        let (attribute, after) = rest.split_at(end);
        rest = after;
        let value = match rest.trim_start().strip_prefix('=').map(str::trim_start) {
            None => None,
            Some(after) => {
                let quote = after.chars().next().filter(|quote| "\"'".contains(*quote));
                let (value, after) = match quote {
                    Some(quote) => after[1..].split_once(quote)?,
                    None => after.split_at(after.find(|letter: char| letter.is_whitespace() || "<>".contains(letter))?),
                };
                rest = after;
                Some(value)
            }
        };
        // Browsers keep the first of two.
        if names.insert(attribute.to_ascii_lowercase()) {
            attributes.push((attribute, value));
        }
    }
}

impl Tag<'_> {
    /// Returns the value of an attribute.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).and_then(|(_, value)| *value)
    }
}

/// Elements without content (HTML Standard, "void elements").
const VOID: [&str; 13] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"];

/// Elements of HTML without the others of this file, those of older versions that browsers still show, and those of SVG and
/// MathML. Anything else without a hyphen is what somebody wrote without escaping it, such as `Vec<T>`.
const KNOWN: &str = " a abbr acronym address article aside audio b bdi bdo big blockquote body button canvas caption center cite \
    code colgroup data datalist dd del details dfn dialog dir div dl dt em fieldset figcaption figure font footer form frame \
    frameset h1 h2 h3 h4 h5 h6 head header hgroup html i iframe ins kbd label legend li main map mark marquee menu meter nav nobr \
    ol optgroup option output p param picture pre progress q rp rt ruby rb rtc s samp search section select slot small span \
    strike strong sub summary sup table tbody td textarea tfoot th thead time title tr tt u ul var video animate \
    animatemotion animatetransform circle clippath defs desc ellipse feblend fecolormatrix fecomponenttransfer fecomposite \
    feconvolvematrix fediffuselighting fedisplacementmap fedropshadow feflood fefunca fefuncb fefuncg fefuncr fegaussianblur \
    feimage femerge femergenode femorphology feoffset fespecularlighting fetile feturbulence filter foreignobject g image line \
    lineargradient marker mask metadata mpath path pattern polygon polyline radialgradient rect set stop svg switch symbol text \
    textpath tspan use view math maction menclose merror mfenced mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts \
    mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics annotation \
    annotation-xml ";

/// Whether browsers know an element, or a site may have made it.
fn is_element(name: &str) -> bool {
    name.contains(['-', ':']) || VOID.contains(&name) || REMOVED.contains(&name) || KNOWN.contains(&format!(" {name} "))
}

/// Elements that are taken out with all they contain.
const REMOVED: [&str; 7] = ["script", "style", "object", "applet", "noscript", "template", "frameset"];

/// Rewrites the HTML of texts, a piece after the other.
pub struct Html<'r> {
    /// Finds addresses.
    pub resolver: &'r mut dyn Resolver,
    /// The element of which everything is taken out, until its end tag.
    pub skipped: Option<String>,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl Html<'_> {
    /// Rewrites a piece.
    pub fn rewrite(&mut self, html: &str) -> String {
        let mut out = String::with_capacity(html.len());
        let mut rest = html;
        // The end of a comment is searched once, so that many open ones take no longer.
        let mut has_comment_end = true;
        // Whether nothing is shown before a place, and where nothing follows.
        let mut is_blank = true;
        let blank_end = html.trim_end().len();
        while let Some(at) = rest.find('<') {
            if self.skipped.is_none() {
                out.push_str(&braces(&rest[..at]));
                is_blank &= rest[..at].trim().is_empty();
            }
            rest = &rest[at..];
            if rest.starts_with("<!") || rest.starts_with("<?") {
                let closing = if rest.starts_with("<!--") { "-->" } else { ">" };
                let end = Some(()).filter(|()| has_comment_end).and_then(|()| rest.find(closing));
                has_comment_end = end.is_some();
                let end = end.map_or(rest.len(), |end| end + closing.len());
                // A text on the line of a comment would be missing from the page.
                let is_alone = is_blank && html.len() - rest.len() + end >= blank_end && has_comment_end;
                if is_alone && closing == "-->" && self.skipped.is_none() {
                    out.push_str(&rest[..end]);
                }
                rest = &rest[end..];
                continue;
            }
            is_blank = false;
            let Some(tag) = tag(rest) else {
                if self.skipped.is_none() {
                    out.push_str("&lt;");
                }
                rest = &rest[1..];
                continue;
            };
            if self.skipped.is_none() && !is_element(&tag.name) {
                let source = &rest[..tag.length];
                self.findings.push(Finding::fault(format!("`{source}` is no element of HTML; it is written as text")));
                out.push_str(&source.replace('<', "&lt;").replace('>', "&gt;"));
            } else {
                self.write(&tag, &mut out);
            }
            rest = &rest[tag.length..];
        }
        if self.skipped.is_none() {
            out.push_str(&braces(rest));
        }
        out
    }

    fn write(&mut self, tag: &Tag, out: &mut String) {
        if let Some(skipped) = &self.skipped {
            if tag.is_end && tag.name == *skipped {
                self.skipped = None;
            }
            return;
        }
        let name = tag.name.as_str();
        match name {
            "iframe" | "embed" | "frame" if !tag.is_end => return self.write_frame(tag, out),
            "link" | "meta" | "base" | "iframe" | "frame" | "html" | "body" | "head" => return,
            name if REMOVED.contains(&name) => {
                if !tag.is_end {
                    self.findings.push(Finding::left(format!(
                        "`<{name}>` was taken out: it can be part of a template or an island"
                    )));
                    self.skipped = Some(name.to_owned()).filter(|_| !tag.is_closed);
                }
                return;
            }
            _ => {}
        }
        // The title of the page is its only one.
        let name = if name == "h1" { "h2" } else { name };
        if tag.is_end {
            if !VOID.contains(&name) {
                out.push_str(&format!("</{name}>"));
            }
            return;
        }
        let mut written = String::new();
        for (attribute, value) in &tag.attributes {
            let attribute = attribute.to_ascii_lowercase();
            match self.attribute(name, &attribute, value.unwrap_or_default()) {
                Some(value) if value.is_empty() => written.push_str(&format!(" {attribute}")),
                Some(value) => written.push_str(&format!(" {attribute}=\"{}\"", value.replace('"', "&quot;"))),
                None if name == "img" && attribute == "src" => {
                    return out.push_str(tag.value("alt").unwrap_or_default());
                }
                None => {}
            }
        }
        if name == "img" && !written.contains(" alt") {
            self.findings.push(Finding::fault("a picture has no `alt` text; it has an empty one now"));
            written.push_str(" alt=\"\"");
        }
        if tag.name == "h1" {
            self.findings.push(Finding::changed("`<h1>` in HTML is `<h2>`: the title of the page is its only `<h1>`"));
        }
        out.push_str(&format!("<{name}{written}>"));
        if tag.is_closed && !VOID.contains(&name) {
            out.push_str(&format!("</{name}>"));
        }
    }

    /// Writes a link where a frame was: what loads other sites is for components.
    fn write_frame(&mut self, tag: &Tag, out: &mut String) {
        self.skipped = Some(tag.name.clone()).filter(|name| name == "iframe" && !tag.is_closed);
        let Some(address) = tag.value("src").filter(|address| !address.is_empty()) else { return };
        let address = if address.starts_with("//") { format!("https:{address}") } else { address.to_owned() };
        let words = tag.value("title").filter(|title| !title.trim().is_empty()).unwrap_or(&address).to_owned();
        let message =
            format!("a frame with `{address}` is a link now: a frame needs a component, and a connection in site.yaml");
        self.findings.push(Finding::left(message));
        match self.resolver.link(&address, true) {
            Link::Keep => out.push_str(&format!("<a href=\"{}\">{words}</a>", address.replace('"', "&quot;"))),
            Link::To(to) | Link::Changed(to, _) => out.push_str(&format!("<a href=\"{to}\">{words}</a>")),
            Link::Gone(_) => out.push_str(&words),
        }
    }

    /// Returns the value of an attribute, or none if it is taken out.
    fn attribute(&mut self, element: &str, name: &str, value: &str) -> Option<String> {
        if name == "style" || name.starts_with("on") {
            let message =
                format!("`{name}` of `<{element}>` was taken out: use a class and the stylesheet, or an island");
            self.findings.push(Finding::left(message));
            return None;
        }
        let is_name = |letter: char| letter.is_ascii_alphanumeric() || "-_:.".contains(letter);
        if name.is_empty() || !name.chars().all(is_name) || ["srcset", "ping", "autofocus", "accesskey"].contains(&name)
        {
            return None;
        }
        let link = match (element, name) {
            (_, "href") => self.resolver.link(value, true),
            ("img" | "source" | "video" | "audio" | "track", "src" | "poster") => self.resolver.picture(value, true),
            (_, "cite" | "longdesc" | "background" | "data") => return None,
            _ => return Some(value.to_owned()),
        };
        match link {
            Link::Keep => Some(value.to_owned()),
            Link::To(to) => Some(to),
            Link::Changed(to, finding) => {
                self.findings.push(finding);
                Some(to)
            }
            Link::Gone(finding) => {
                self.findings.push(finding);
                None
            }
        }
    }
}

/// Writes braces so that they are text.
fn braces(text: &str) -> String {
    text.replace("{{", "&#123;&#123;").replace("{%", "&#123;%").replace("}}", "&#125;&#125;")
}

/// Returns the values of `id`, and of `name` of links, in a piece of HTML.
pub fn ids(html: &str) -> Vec<String> {
    let mut ids = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        match tag(rest) {
            Some(found) => {
                ids.extend(found.value("id").map(str::to_owned));
                ids.extend(found.value("name").filter(|_| found.name == "a").map(str::to_owned));
                rest = &rest[found.length..];
            }
            None => rest = &rest[1..],
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Resolver for Nothing {
        fn link(&mut self, address: &str, _: bool) -> Link {
            if address.contains("gone") { Link::Gone(Finding::fault("gone")) } else { Link::Keep }
        }

        fn picture(&mut self, address: &str, is_html: bool) -> Link {
            self.link(address, is_html)
        }
    }

    #[test]
    fn what_runs_or_loads_is_taken_out_and_the_rest_stays() {
        for (html, expected, findings) in [
            ("<p class=a>x &amp; y</p>", "<p class=\"a\">x &amp; y</p>", 0),
            ("<div style='color:red' onclick=x() id=a>x</div>", "<div id=\"a\">x</div>", 2),
            ("a<script>alert('<b>')</script>b", "ab", 1),
            ("<iframe src=\"https://e.test/v\"></iframe>", "<a href=\"https://e.test/v\">https://e.test/v</a>", 1),
            ("<img src=a.png/>", "<img src=\"a.png/\" alt=\"\">", 1),
            ("<img src='gone.png' alt='A tree'>", "A tree", 1),
            ("<a name='x'/>", "<a name=\"x\"></a>", 0),
            ("1 < 2 {{ x }}", "1 &lt; 2 &#123;&#123; x &#125;&#125;", 0),
            ("<br/></br>", "<br>", 0),
            ("Vec<T> and <Foo bar=1>x</Foo>", "Vec&lt;T&gt; and &lt;Foo bar=1&gt;x&lt;/Foo&gt;", 3),
            ("<my-part>x</my-part><center>y</center>", "<my-part>x</my-part><center>y</center>", 0),
            ("<h1 id=a>x</h1>", "<h2 id=\"a\">x</h2>", 1),
            ("<!-- a --> b", " b", 0),
            ("<!-- a -->\n", "<!-- a -->\n", 0),
        ] {
            let mut html_of = Html { resolver: &mut Nothing, skipped: None, findings: Vec::new() };
            assert_eq!((html_of.rewrite(html).as_str(), html_of.findings.len()), (expected, findings), "{html}");
        }
    }

    #[test]
    fn many_open_tags_and_comments_take_no_longer() {
        for piece in ["<!--", "<a b=\"", "<a ", "<"] {
            let mut html_of = Html { resolver: &mut Nothing, skipped: None, findings: Vec::new() };
            html_of.rewrite(&piece.repeat(2_000));
        }
    }
}
