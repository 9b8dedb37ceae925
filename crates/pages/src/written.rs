//! Finds where each text of a page was written: which value of which file, which block of Markdown or which line of a template.
//!
//! The page is rendered again with marks behind the values of content, and with those of a [trace](mod@super::trace) in templates
//! and Markdown. What is found counts only if the page without its marks is the page without ever having had some. Where a
//! template computes with a value, it is not; then the keys that are to blame are looked for by halves, and left out.

use super::trace::Origin;
use super::{Inputs, Reuse, render_pages, render_templates};
use parking_lot::Mutex;
use sitegen_content::Page;
use sitegen_content::marks::{Leaf, Marks, Numbers, Sign};

use sitegen_core::cache::{Cache, digest_of};
use sitegen_core::diagnostics::Diagnostic;
use sitegen_core::html::{Tag, Token, decode, is_void, tokens};
use sitegen_core::paths::{Route, SourcePath};
use sitegen_core::profile::{Profile, Trace};
use sitegen_core::sources::Digest;
use sitegen_core::tools::{Bundled, Bundling, Files, Tools};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How often a page is rendered again to find the keys that templates compute with.
const MOST_RENDERINGS: usize = 60;

/// Where the parts of a page were written.
#[derive(Debug, Default)]
pub struct WrittenPage {
    /// Its start tags in their order.
    pub tags: Vec<WrittenTag>,
    /// Its texts that are not only white space, in their order. One that has several values is there for each.
    pub texts: Vec<WrittenText>,
}

/// A start tag.
#[derive(Debug)]
pub struct WrittenTag {
    /// Its name in lower case.
    pub name: String,
    /// Where the tag is written.
    pub origin: Option<Origin>,
    /// The values in its attributes, by their names, and its other attributes as they are.
    pub attributes: Vec<(String, String, Option<Leaf>)>,
}

/// A text between tags.
#[derive(Debug)]
pub struct WrittenText {
    /// The number of the start tag of its element.
    pub element: usize,
    /// Its number among the texts directly in the element.
    pub child: usize,
    /// What is shown, without white space around it.
    pub shown: String,
    /// The value that is in it.
    pub leaf: Option<Leaf>,
    /// Where in the text the value stands as it is, in UTF-16 units.
    pub range: Option<(usize, usize)>,
    /// Where the text is written, or what put it there.
    pub origin: Option<Origin>,
}

/// What is known of a site for such renderings, as long as it is the same site.
#[derive(Default)]
pub struct Renderings {
    cache: Cache,
    /// For each template the keys that it computes with.
    computed: Mutex<BTreeMap<String, BTreeSet<String>>>,
    numbers: Numbers,
}

impl Renderings {
    /// Returns those for the next state of the site, of which templates mostly compute with the same keys.
    pub fn renewed(&self) -> Self {
        Renderings { computed: Mutex::new(self.computed.lock().clone()), ..Renderings::default() }
    }
}

/// Returns where the parts of a page were written. `None` if the page cannot be rendered.
pub fn written(inputs: Inputs, page: &Page, renderings: &Renderings) -> Option<WrittenPage> {
    // What is rendered here must not get into the cache of a build.
    let tools = &Apart { tools: inputs.tools, cache: &renderings.cache };
    let inputs = Inputs { tools, ..inputs };
    let mut attempts = Attempts { inputs, page, renderings, sign: Sign::default() };
    let trace = Trace::of(&digest_of(&("written", inputs.sources))[..16]);
    // Islands take longer to render than the page: what templates compute with is found without them.
    let (plain, whole) = (attempts.plain(false)?, attempts.plain(true));
    attempts.sign = Sign::absent_from(&[&plain, whole.as_deref().unwrap_or_default()])?;
    let (left_out, trace) = attempts.left_out(&plain, &trace);
    let with_islands = || attempts.marked(whole.as_deref()?, trace, &left_out, true);
    let (html, leaves) = with_islands().or_else(|| attempts.marked(&plain, trace, &left_out, false))?;
    Some(read(&html, trace, (attempts.sign, &leaves)))
}

type Leaves = BTreeMap<usize, Leaf>;

/// What marks stand for.
type Meanings<'l> = (Sign, &'l Leaves);

/// Renders a page again and again.
struct Attempts<'a> {
    inputs: Inputs<'a>,
    page: &'a Page,
    renderings: &'a Renderings,
    sign: Sign,
}

impl Attempts<'_> {
    /// Renders the page without marks.
    fn plain(&self, with_islands: bool) -> Option<String> {
        self.rendered(self.inputs, with_islands)
    }

    fn rendered(&self, inputs: Inputs, with_islands: bool) -> Option<String> {
        let (inputs, is_wanted) = (inputs.of(self.page), |route: &Route| *route == self.page.route);
        let pages = match with_islands {
            true => render_pages(inputs, Some(&is_wanted), Reuse::Nothing).value?,
            false => render_templates(inputs, Some(&is_wanted), Reuse::Nothing).value?.pages,
        };
        pages.all.into_iter().find(|each| each.route == self.page.route).and_then(|mut page| page.html.take().ok())
    }

    /// Renders the page with marks behind all values but those of some groups. `None` if that comes to another page.
    fn marked(
        &self,
        plain: &str,
        trace: Option<&Trace>,
        left_out: &BTreeSet<String>,
        with_islands: bool,
    ) -> Option<(String, Leaves)> {
        let Attempts { inputs, page, renderings, sign } = *self;
        let marks = Arc::new(Marks::without(left_out.clone(), renderings.numbers.clone(), sign));
        let site = inputs.site.marked(page, marks.clone(), trace.cloned());
        let profile = Profile { trace: trace.cloned(), ..inputs.profile.clone() };
        let inputs = Inputs { profile: &profile, site: &site, view: site.view(page), ..inputs };
        let html = self.rendered(inputs, with_islands)?;
        let values = sign.stripped(&html);
        let is_same = match trace {
            Some(trace) => trace.parts(&values).map(|(_, text)| text).collect::<String>() == plain,
            None => values == plain,
        };
        is_same.then(|| (html, marks.leaves()))
    }

    /// Returns the groups that cannot have marks, and the trace if it is possible.
    fn left_out<'t>(&self, plain: &str, trace: &'t Trace) -> (BTreeSet<String>, Option<&'t Trace>) {
        let Attempts { inputs, page, renderings, sign } = *self;
        let mut left_out = renderings.computed.lock().get(&page.template).cloned().unwrap_or_default();
        if self.marked(plain, Some(trace), &left_out, false).is_some() {
            return (left_out, Some(trace));
        }
        let marks = Arc::new(Marks::without(left_out.clone(), renderings.numbers.clone(), sign));
        inputs.site.marked(page, marks.clone(), None).document(page);
        let groups: BTreeSet<String> = marks.leaves().into_values().map(|leaf| leaf.group).collect();
        let all: Vec<String> = groups.iter().cloned().collect();
        // A template can make the marks of the trace impossible as well.
        let trace = Some(trace).filter(|trace| self.marked(plain, Some(trace), &groups, false).is_some());
        let mut count = 0;
        let mut parts: Vec<&[String]> = vec![&all];
        while let Some(part) = parts.pop() {
            count += 1;
            // Only these are marked.
            let others = all.iter().filter(|group| !part.contains(group)).cloned();
            let without = others.chain(left_out.iter().cloned()).collect();
            if count <= MOST_RENDERINGS && self.marked(plain, trace, &without, false).is_some() {
                continue;
            }
            match part {
                [only] => drop(left_out.insert(only.clone())),
                [] => {}
                _ => {
                    let (one, two) = part.split_at(part.len() / 2);
                    parts.extend([one, two]);
                }
            }
        }
        // Values that are fine alone may not be so together.
        if self.marked(plain, trace, &left_out, false).is_none() {
            left_out = groups;
        }
        renderings.computed.lock().insert(page.template.clone(), left_out.clone());
        (left_out, trace)
    }
}

/// Reads a page with marks.
fn read(html: &str, trace: Option<&Trace>, meanings: Meanings) -> WrittenPage {
    let mut page = WrittenPage::default();
    // The elements that are open, by the numbers of their tags, each with the number of texts in it so far.
    let mut open: Vec<(usize, String, usize)> = Vec::new();
    let mut last: Option<Origin> = None;
    // Comments and the like part the texts of an element in two tokens, and in two nodes as well.
    for token in tokens(html) {
        match token {
            Token::Start(tag) => {
                let name = tag.lower_name().into_owned();
                end_implied(&mut open, &name);
                let number = page.tags.len();
                page.tags.push(WrittenTag {
                    attributes: attributes_of(&tag, meanings),
                    origin: last.clone(),
                    name: name.clone(),
                });
                if let Some(last) = &mut last {
                    last.is_exact = false;
                }
                if !is_void(&name) {
                    open.push((number, name, 0));
                }
            }
            Token::End(name) => {
                if let Some(at) = open.iter().rposition(|(_, open, _)| open.eq_ignore_ascii_case(name)) {
                    open.truncate(at);
                }
                if let Some(last) = &mut last {
                    last.is_exact = false;
                }
            }
            Token::Text(text) => read_text(text, trace, meanings, &mut open, &mut last, &mut page.texts),
        }
    }
    page
}

fn read_text(
    text: &str,
    trace: Option<&Trace>,
    (sign, leaves): Meanings,
    open: &mut [(usize, String, usize)],
    last: &mut Option<Origin>,
    texts: &mut Vec<WrittenText>,
) {
    let without = sign.stripped(text);
    let shown: String = match trace {
        Some(trace) => trace.parts(&without).map(|(_, part)| part).collect(),
        None => without,
    };
    let parent = open.last_mut().filter(|_| !shown.trim().is_empty());
    let place = parent.map(|(element, _, count)| {
        *count += 1;
        (*element, *count - 1)
    });
    let shown_text = decode(shown.trim()).into_owned();
    let mut before = String::new();
    let mut has_value = false;
    let mut writes: Option<Origin> = last.clone();
    let traced: Vec<(Option<(&str, usize)>, &str)> = match trace {
        Some(trace) => trace.parts(text).collect(),
        None => vec![(None, text)],
    };
    for (mark, part) in traced {
        if let Some((path, offset)) = mark {
            *last = Some(Origin { path: SourcePath::new(path), offset, is_exact: true });
            if !part.trim().is_empty() {
                writes = last.clone();
            }
        }
        for (shown, number) in sign.parts(part) {
            before.push_str(shown);
            let leaf = number.and_then(|number| leaves.get(&number));
            let (Some(leaf), Some((element, child))) = (leaf, place) else { continue };
            has_value = true;
            let (text, value) = (decode(&before), leaf.text.as_str());
            let units = |text: &str| text.encode_utf16().count();
            let range = text.ends_with(value).then(|| (units(&text) - units(value), units(&text)));
            let origin = last.clone();
            let shown = shown_text.clone();
            texts.push(WrittenText { element, child, shown, leaf: Some(leaf.clone()), range, origin });
        }
    }
    if let (Some((element, child)), false) = (place, has_value) {
        texts.push(WrittenText { element, child, shown: shown_text, leaf: None, range: None, origin: writes });
    }
    // What a tag begins with is directly behind the mark.
    let ends_with_mark = trace
        .is_some_and(|trace| trace.parts(text).last().is_some_and(|(mark, rest)| mark.is_some() && rest.is_empty()));
    if let Some(last) = last {
        last.is_exact = ends_with_mark;
    }
}

fn attributes_of(tag: &Tag, (sign, leaves): Meanings) -> Vec<(String, String, Option<Leaf>)> {
    let attributes = tag.attributes().map(|attribute| {
        let marked = sign.parts(&attribute.value);
        let leaf = marked.iter().find_map(|(_, number)| leaves.get(&(*number)?)).cloned();
        let value: String = marked.into_iter().map(|(part, _)| part).collect();
        (attribute.name.to_ascii_lowercase(), value, leaf)
    });
    attributes.collect()
}

/// Closes the elements whose end tags may be left out before a start tag (HTML Standard, 13.1.2.4).
fn end_implied(open: &mut Vec<(usize, String, usize)>, name: &str) {
    let ends: &[&str] = match name {
        "li" => &["li"],
        "dt" | "dd" => &["dt", "dd"],
        "option" => &["option"],
        "td" | "th" => &["td", "th"],
        "tr" => &["td", "th", "tr"],
        "tbody" | "tfoot" => &["td", "th", "tr", "thead", "tbody"],
        "body" => &["head"],
        "address" | "article" | "aside" | "blockquote" | "details" | "div" | "dl" | "fieldset" | "figure"
        | "footer" | "form" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "header" | "hr" | "main" | "nav" | "ol"
        | "p" | "pre" | "section" | "table" | "ul" => &["p"],
        _ => return,
    };
    while open.last().is_some_and(|(_, last, _)| ends.contains(&last.as_str())) {
        open.pop();
    }
}

/// The tools of a build with another cache.
struct Apart<'a> {
    tools: &'a dyn Tools,
    cache: &'a Cache,
}

impl Tools for Apart<'_> {
    fn bundle(&self, bundling: &Bundling, files: &Files) -> Result<Bundled, Diagnostic> {
        self.tools.bundle(bundling, files)
    }

    fn bundler(&self) -> Option<Digest> {
        self.tools.bundler()
    }

    fn package_digest(&self, path: &str) -> Option<Digest> {
        self.tools.package_digest(path)
    }

    fn package(&self, name: &str) -> Option<String> {
        self.tools.package(name)
    }

    fn packages(&self) -> Vec<String> {
        self.tools.packages()
    }

    fn package_file(&self, path: &str) -> Option<Arc<[u8]>> {
        self.tools.package_file(path)
    }

    /// Nothing that was made with marks is read or kept on the disk.
    fn cached(&self, _: &Digest) -> Option<Vec<u8>> {
        None
    }

    fn store_cached(&self, _: &Digest, _: &[u8]) {}

    fn defers(&self) -> bool {
        true
    }

    fn compiles_islands(&self) -> bool {
        self.tools.compiles_islands()
    }

    fn cache(&self) -> &Cache {
        self.cache
    }
}
