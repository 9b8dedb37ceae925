//! The repair that a diagnostic proposes, as an edit of its file.
//!
//! A problem knows what to write, and its place where it was found. Which bytes that are depends on the file: a value of YAML may be
//! in quotes, and needs some for another text; a link may be a part of the place. Only what is there once is replaced.

use super::tree::{Item, Part, Route};
use super::{Edit, File, blocks, close, once};
use sitegen_content::front_matter;
use sitegen_content::yaml::Value;
use sitegen_core::diagnostics::{Change, Diagnostic, Place, Proposal, Repair, Span};
use sitegen_core::paths::{PUBLIC, SourcePath, joined};
use sitegen_core::sources::Sources;
use sitegen_pictures::Header;

/// The most bytes of a file whose repairs are looked for. It is read again with each, and may have a hundred. Few texts are
/// longer.
const MOST: usize = 1 << 20;

/// The repairs of diagnostics. Those of a file that follow each other read it once.
pub struct Repairs<'s> {
    sources: &'s Sources,
    /// The file of the last repair.
    file: Option<(&'s SourcePath, Option<File<'s>>)>,
}

impl<'s> Repairs<'s> {
    /// Creates a reader of the files of a project.
    pub fn of(sources: &'s Sources) -> Self {
        Repairs { sources, file: None }
    }

    /// Returns the repair that a diagnostic proposes, with the bytes that it replaces in the text of its file among the sources.
    /// `None` if it proposes nothing, or not for bytes that can be replaced alone.
    pub fn find(&mut self, diagnostic: &Diagnostic) -> Option<Repair> {
        let Proposal { change, certainty } = *diagnostic.problem.describe().proposal?;
        let Place { path, span } = diagnostic.place.as_ref()?;
        let (path, source) = self.sources.get_key_value(path)?;
        let (span, text, before) = ((*span)?, source.text()?, source.before?);
        text.get(span.start..span.end).filter(|_| text.len() <= MOST)?;
        let change = match change {
            Change::Words { old, new } => as_written(&text[span.start..span.end], old, new)?,
            change => change,
        };
        let edit = match &change {
            Change::Words { old, new } => words(self.file(path, text), path, text, span, old, new),
            Change::Code { old, new } => code(text, span, old, new),
            Change::PictureSize => picture_size(path, text, span, self.sources),
            Change::Indentation => indentation(path, text),
            Change::EndOfKeys { fence } => close::front_matter(path, text, fence),
            Change::LineEnds => Some(Edit { span: Span { start: 0, end: text.len() }, text: text.replace('\r', "\n") }),
            Change::Repeated => self.file(path, text).and_then(|file| file.remove_repeated(span)),
        }?;
        let (title, place) = (change.title(&edit.text), Place::new(path, edit.span));
        Some(Repair { title, place, before, replacement: edit.text, certainty })
    }

    fn file(&mut self, path: &'s SourcePath, text: &'s str) -> Option<&File<'s>> {
        let file = self.file.take().filter(|(last, _)| *last == path);
        let (_, file) = self.file.insert(file.unwrap_or_else(|| (path, File::of(path, text))));
        file.as_ref()
    }
}

/// Returns the words of a proposal as the file has them: of an address that is only made whole later, its path.
fn as_written(marked: &str, old: String, new: String) -> Option<Change> {
    let marked = marked.trim_matches(['"', '\'']);
    let is_end = marked.starts_with('/') && old.len() > marked.len() && old.ends_with(marked) && new.starts_with('/');
    match is_end {
        true => Some(Change::Words { old: marked.to_owned(), new }),
        // A path is not what stands for a whole address.
        false => (!old.contains("://") || !new.starts_with('/')).then_some(Change::Words { old, new }),
    }
}

/// Replaces a word or an address.
fn words(file: Option<&File>, path: &SourcePath, text: &str, span: Span, old: &str, new: &str) -> Option<Edit> {
    if let Some(edit) = file.and_then(|file| in_values(file, span, old, new)) {
        return edit;
    }
    // In prose beside what is reported, the same word means something else.
    let near = if path.extension() == Some("md") { span } else { lines(text, span) };
    let at = word_in(text, span, old).or_else(|| word_in(text, near, old))?;
    let edit = Edit { span: Span::at(at, old.len()), text: new.to_owned() };
    match path.extension() {
        Some("md") => blocks::replace_within(path, text, edit.span, new).ok(),
        _ => Some(edit),
    }
}

/// Replaces a word in the keys and values of a file. `None` if the place is in none of them.
fn in_values(file: &File, span: Span, old: &str, new: &str) -> Option<Option<Edit>> {
    let mut found: Vec<(&Item, Route, Part)> = Vec::new();
    file.root().each(&mut Route::new(), &mut |item, route, part| {
        if item.span.start < span.end.max(span.start + 1) && span.start < item.span.end.max(item.span.start + 1) {
            found.push((item, route.to_vec(), part));
        }
    });
    if found.is_empty() {
        return None;
    }
    let is_word = |item: &Item| item.scalar().is_some_and(|scalar| scalar.text == old);
    let has_word = |item: &Item| {
        let text = item.scalar().map_or("", |scalar| &scalar.text);
        word_in(text, Span { start: 0, end: text.len() }, old).is_some()
    };
    let whole: Vec<_> = found.iter().filter(|(item, ..)| is_word(item)).collect();
    Some(match whole[..] {
        [(_, route, Part::Key)] => file.rename(route, new).ok(),
        [(_, route, Part::Value)] => file.replace(route, &Value::Text(new.to_owned())).ok(),
        [] => {
            let parts: Vec<_> = found.iter().filter(|(item, ..)| has_word(item)).collect();
            match parts[..] {
                [(_, route, Part::Value)] => file.replace_within(route, old, new).ok(),
                _ => None,
            }
        }
        _ => None,
    })
}

/// Replaces code as it stands.
fn code(text: &str, span: Span, old: &str, new: &str) -> Option<Edit> {
    let within = |span: Span| once(&text[span.start..span.end], old).map(|at| span.start + at);
    let at = within(span).or_else(|| within(lines(text, span)))?;
    Some(Edit { span: Span::at(at, old.len()), text: new.to_owned() })
}

/// Returns where a word is in a part of a text, or else in the lines of that part, if it is there once.
fn word_in(text: &str, span: Span, word: &str) -> Option<usize> {
    let mut all = text[span.start..span.end].match_indices(word).map(|(at, _)| span.start + at);
    let mut all = all.by_ref().filter(|at| is_word(text, *at, word));
    let first = all.next().filter(|_| !word.is_empty())?;
    all.next().is_none().then_some(first)
}

/// Whether a part of a text is a whole word, or a whole address.
fn is_word(text: &str, at: usize, word: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let (first, last) = (word.chars().next().unwrap_or(' '), word.chars().next_back().unwrap_or(' '));
    let before = text[..at].chars().next_back().unwrap_or(' ');
    let after = text[at + word.len()..].chars().next().unwrap_or(' ');
    let begins = match first {
        '/' => !is_part(before) && !"./:".contains(before),
        first => !(is_part(first) && is_part(before)),
    };
    let ends = !(is_part(last) && (is_part(after) || after == '/' && word.contains('/')));
    begins && ends
}

/// Returns the lines that a part of a text is in.
fn lines(text: &str, span: Span) -> Span {
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline);
    Span { start, end }
}

/// Replaces the tabs at the beginnings of lines of YAML with spaces: as many for each as the first line has that is indented with
/// spaces, or two.
fn indentation(path: &SourcePath, text: &str) -> Option<Edit> {
    let yaml = match path.extension() {
        Some("md") => &text[..front_matter::split(path, text).ok()?.body_start],
        _ => text,
    };
    let indent = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let spaces = yaml.lines().filter(|line| line.starts_with(' ')).map(indent).find(|spaces| *spaces <= 8);
    let unit = " ".repeat(spaces.unwrap_or(2));
    let mut edit: Option<Edit> = None;
    let mut at = 0;
    for line in yaml.split_inclusive('\n') {
        let tabs = Span::at(at, indent(line));
        at += line.len();
        if !line.starts_with('\t') {
            continue;
        }
        let spaces = yaml[tabs.start..tabs.end].replace('\t', &unit);
        let edit = edit.get_or_insert(Edit { span: Span::at(tabs.start, 0), text: String::new() });
        edit.text.push_str(&yaml[edit.span.end..tabs.start]);
        edit.text.push_str(&spaces);
        edit.span.end = tabs.end;
    }
    edit
}

/// Inserts the size of a picture of the site into its tag.
fn picture_size(path: &SourcePath, text: &str, span: Span, sources: &Sources) -> Option<Edit> {
    let start =
        text[..span.end.max(span.start + 4).min(text.len())].rfind("<img").filter(|start| *start <= span.start)?;
    let length = end_of_tag(&text[start..])?;
    let tag = &text[start..start + length];
    if attribute(tag, "width").is_some() || attribute(tag, "height").is_some() {
        return None;
    }
    let address = attribute(tag, "src")?;
    // A file beside the text comes before one of the site.
    let beside = joined(path.as_str(), address).map(SourcePath::new).filter(|file| sources.get(file).is_some());
    let file = beside.or_else(|| file_of(address))?;
    let Header { width, height, .. } = {
        let source = sources.get(&file)?;
        Header::read(file.name(), &source.body.read().ok()?).ok()?
    };
    let inside = tag.trim_end_matches('>').trim_end_matches('/').trim_end();
    let at = start + inside.len();
    Some(Edit { span: Span { start: at, end: at }, text: format!(" width=\"{width}\" height=\"{height}\"") })
}

/// Returns the length of a tag. A `>` in quotes does not end it.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    None
}

/// Returns the value of an attribute, also if a template makes it with other quotes in it.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let at = tag.to_ascii_lowercase().match_indices(name).find_map(|(at, _)| {
        let is_begin = tag[..at].ends_with(char::is_whitespace);
        let rest = tag[at + name.len()..].trim_start();
        (is_begin && rest.starts_with('=')).then_some(at)
    })?;
    let value = tag[at + name.len()..].trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|letter| "\"'".contains(*letter));
    let Some(quote) = quote else { return value.split([' ', '\t', '\n', '>']).next() };
    let value = &value[1..];
    let code = if value.starts_with("{{") { value.find("}}")? } else { 0 };
    value[code..].find(quote).map(|end| &value[..code + end])
}

/// Returns the file that the address of a picture leads to.
fn file_of(address: &str) -> Option<SourcePath> {
    let quoted = |text: &str| text.split(['"', '\'']).nth(1).map(str::to_owned);
    match address.strip_prefix("{{").map(str::trim) {
        Some(call) if call.starts_with("asset(") => Some(SourcePath::new(format!("content/assets/{}", quoted(call)?))),
        Some(call) if call.starts_with("url(") => Some(SourcePath::new(format!("{PUBLIC}{}", quoted(call)?))),
        Some(_) => None,
        None if address.starts_with("//") => None,
        None => address.starts_with('/').then(|| SourcePath::new(format!("{PUBLIC}{address}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::{LinkProblem, Meant, SchemaProblem, YamlProblem};

    /// Returns the text of a file after the repair of a problem at a part of it.
    fn repaired(
        path: &str,
        text: &str,
        marked: &str,
        problem: impl Into<sitegen_core::diagnostics::Problem>,
    ) -> Option<String> {
        let sources = Sources::from_files([(path, text)]);
        let span = Span::at(text.find(marked).unwrap(), marked.len());
        let repair = Repairs::of(&sources).find(&Diagnostic::new(problem, Place::new(&SourcePath::new(path), span)))?;
        Some(Edit { span: repair.place.span?, text: repair.replacement }.apply(text))
    }

    fn choice(value: &str, meant: &str) -> SchemaProblem {
        SchemaProblem::NotAChoice { value: value.into(), choices: Vec::new(), nearest: Some(Meant::certain(meant)) }
    }

    fn link(target: &str, meant: &str) -> LinkProblem {
        LinkProblem::BrokenLink { target: target.into(), nearest: Some(Meant::certain(meant)) }
    }

    #[test]
    fn a_word_is_written_with_the_quotes_that_it_needs() {
        let page =
            |text: &str, value, meant| repaired("content/pages/a.yaml", text, value, choice(value, meant)).unwrap();
        assert_eq!(page("kind: smal # c\n", "smal", "small"), "kind: small # c\n");
        assert_eq!(page("kind: smal # c\n", "smal", "no"), "kind: \"no\" # c\n");
        assert_eq!(page("kind: 'smal'\r\n", "smal", "it's"), "kind: 'it''s'\r\n");
        assert_eq!(page("kinds: [large, smal]\n", "smal", "a, b"), "kinds: [large, \"a, b\"]\n");
        let toml = repaired("content/a/b.toml", "k = 'x' # c\n", "x", choice("x", "it's"));
        assert_eq!(toml.unwrap(), "k = \"it's\" # c\n");
        let csv = repaired("content/a.csv", "a;b\nx;y\n", "x", choice("x", "u;v"));
        assert_eq!(csv.unwrap(), "a;b\n\"u;v\";y\n");
    }

    #[test]
    fn a_key_of_front_matter_is_renamed_and_its_value_stays() {
        let problem = SchemaProblem::UnknownKey {
            key: "tittle".into(),
            nearest: Some(Meant::certain("title")),
            known: vec![],
            schema: None,
        };
        let text = "\u{feff}---\r\ntittle: \"A\" # tittle\r\n---\r\ntittle\r\n";
        let expected = "\u{feff}---\r\ntitle: \"A\" # tittle\r\n---\r\ntittle\r\n";
        assert_eq!(repaired("content/pages/a.md", text, "tittle", problem.clone()).unwrap(), expected);
        // There is one of that name.
        assert_eq!(repaired("content/pages/a.yaml", "tittle: a\ntitle: b\n", "tittle", problem), None);
    }

    #[test]
    fn an_address_is_replaced_where_it_is_there_once() {
        let page = |text: &str, marked, target| repaired("content/pages/a.md", text, marked, link(target, "/prices"));
        let text = "---\ntitle: A\n---\n[a](/pirces#x) and [b](/pirces-old)\n";
        assert_eq!(page(text, "/pirces#x", "/pirces#x").unwrap(), text.replace("/pirces#x", "/prices#x"));
        // The same word in the text beside it is no address.
        assert_eq!(page("---\ntitle: A\n---\n[a] and /pirces\n", "[a]", "/pirces"), None);
        let twice = "---\ntitle: A\n---\n[a](/pirces) and [b](/pirces)\n";
        assert_eq!(page(twice, "[a](/pirces) and [b](/pirces)", "/pirces"), None);
        let template = "<a href=\"{{ url(path=\"/pirces\") }}\">";
        let made = repaired("templates/a.html", template, "/pirces", link("https://a.test/base/pirces", "/prices"));
        assert_eq!(made.unwrap(), "<a href=\"{{ url(path=\"/prices\") }}\">");
        let whole = repaired(
            "templates/a.html",
            "<loc>https://a.test/x</loc>",
            "https://a.test/x",
            link("https://a.test/x", "/y"),
        );
        assert_eq!(whole, None);
    }

    #[test]
    fn code_is_written_as_it_stands() {
        let problem = YamlProblem::YamlQuotes { written: "a: b".into(), reason: String::new() };
        assert_eq!(repaired("content/a/b.yaml", "t: a: b\n", "a: b", problem).unwrap(), "t: \"a: b\"\n");
    }

    #[test]
    fn carriage_returns_alone_become_line_ends() {
        let made = repaired("content/pages/a.md", "---\rtitle: A\r---\r", "---", YamlProblem::FrontMatterOnOneLine);
        assert_eq!(made.unwrap(), "---\ntitle: A\n---\n");
    }

    #[test]
    fn tabs_become_as_many_spaces_as_other_lines_have() {
        for (path, text, expected) in [
            ("content/a/b.yaml", "a:\n\tb: 1\n\t\tc: \t2\r\n\t d: 3\n", "a:\n  b: 1\n    c: \t2\r\n   d: 3\n"),
            (
                "content/a/b.md",
                "---\na:\n    b: 1\nc:\n\td: 1\n---\n\tcode\n",
                "---\na:\n    b: 1\nc:\n    d: 1\n---\n\tcode\n",
            ),
        ] {
            assert_eq!(repaired(path, text, "\t", YamlProblem::YamlTab).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn attributes_are_found_in_templates() {
        let tag = "<img src=\"{{ asset(path=\"a > b.png\") }}\" alt='x' data-width=5 hidden>";
        assert_eq!(attribute(tag, "src"), Some("{{ asset(path=\"a > b.png\") }}"));
        assert_eq!((attribute(tag, "alt"), attribute(tag, "width")), (Some("x"), None));
        assert_eq!(file_of(attribute(tag, "src").unwrap()), Some(SourcePath::new("content/assets/a > b.png")));
    }
}
