//! Files of GNU gettext (PO): read with the line of every entry, and written as gettext's own programs write them.
//!
//! The format is that of the manual of gettext, "The Format of PO Files". What is read here is what translators' programs write:
//! UTF-8, with or without entries that are obsolete.

use crate::diagnostics::Span;
use std::fmt::Write as _;

/// A text and its translation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// What the program says of the text to translators.
    pub comments: Vec<String>,
    /// The place of the text: a file and a line.
    pub reference: Option<String>,
    /// Whether somebody has to look at the translation first.
    pub is_fuzzy: bool,
    /// Which text it is, where the same text may be there more than once.
    pub context: Option<String>,
    /// The text.
    pub id: String,
    /// Its plural, if it has plural forms.
    pub plural: Option<String>,
    /// The translation: one, or one for each plural form.
    pub strings: Vec<String>,
    /// Where it is written: from its first keyword to its last text.
    pub span: Span,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoFile {
    /// The keys of its header.
    pub header: Vec<(String, String)>,
    /// Its entries in their order, without obsolete ones.
    pub entries: Vec<Entry>,
}

/// What is wrong with a file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What is wrong, as a sentence without a full stop.
    pub detail: String,
    /// The line.
    pub span: Span,
}

/// A keyword before a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keyword {
    Context,
    Id,
    Plural,
    Text(usize),
}

/// The most plural forms of an entry. No language has more than six.
const MOST_FORMS: usize = 16;

impl PoFile {
    /// Returns the value of a key of the header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.header.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Reads a file.
    pub fn read(text: &str) -> Result<Self, Mistake> {
        let mut reader = Reader::default();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let written = line.trim_end_matches(['\n', '\r']);
            let mark = if at == 0 && written.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
            let written = &written[mark..];
            let span = Span::at(at + mark, written.len());
            reader.line(written.trim(), span).map_err(|detail| Mistake { detail, span })?;
            at += line.len();
        }
        let last = Span::at(text.len(), 0);
        reader.end_entry().map_err(|detail| Mistake { detail, span: last })?;
        Ok(reader.file)
    }

    /// Writes a file.
    pub fn write(&self) -> String {
        let mut out = String::from("msgid \"\"\nmsgstr \"\"\n");
        for (key, value) in &self.header {
            let _ = writeln!(out, "\"{}\\n\"", escaped(&format!("{key}: {value}")));
        }
        for entry in &self.entries {
            out.push('\n');
            entry.write(&mut out);
        }
        out
    }
}

impl Entry {
    fn write(&self, out: &mut String) {
        for line in self.comments.iter().flat_map(|comment| comment.lines()) {
            let _ = writeln!(out, "#. {}", line.trim());
        }
        if let Some(reference) = &self.reference {
            // A name with a space is put between the marks that gettext has for it.
            match reference.contains(' ') {
                true => drop(writeln!(out, "#: \u{2068}{reference}\u{2069}")),
                false => drop(writeln!(out, "#: {reference}")),
            }
        }
        if self.is_fuzzy {
            out.push_str("#, fuzzy\n");
        }
        if let Some(context) = &self.context {
            write_text("msgctxt", context, out);
        }
        write_text("msgid", &self.id, out);
        match &self.plural {
            Some(plural) => {
                write_text("msgid_plural", plural, out);
                for (number, text) in self.strings.iter().enumerate() {
                    write_text(&format!("msgstr[{number}]"), text, out);
                }
            }
            None => write_text("msgstr", self.strings.first().map_or("", String::as_str), out),
        }
    }

    /// Whether it has a translation.
    pub fn is_translated(&self) -> bool {
        self.strings.iter().any(|text| !text.trim().is_empty())
    }
}

#[derive(Default)]
struct Reader {
    file: PoFile,
    entry: Entry,
    /// The keyword that a text without one continues.
    keyword: Option<Keyword>,
    has_id: bool,
    is_header_read: bool,
}

impl Reader {
    fn line(&mut self, line: &str, span: Span) -> Result<(), String> {
        if line.is_empty() {
            return self.end_entry_if_complete();
        }
        if let Some(comment) = line.strip_prefix('#') {
            self.end_entry_if_complete()?;
            match comment.as_bytes().first() {
                Some(b'.') => self.entry.comments.push(comment[1..].trim().to_owned()),
                Some(b':') => self.entry.reference = Some(comment[1..].trim().to_owned()),
                Some(b',') => self.entry.is_fuzzy |= comment[1..].split(',').any(|flag| flag.trim() == "fuzzy"),
                _ => {}
            }
            return Ok(());
        }
        if line.starts_with('"') {
            let keyword = self.keyword.ok_or("a text without `msgid` or `msgstr` before it")?;
            return self.add(keyword, &unescaped(line)?, span);
        }
        let (word, rest) = line.split_at(line.find([' ', '\t', '"']).unwrap_or(line.len()));
        let keyword = match word {
            "msgctxt" => Keyword::Context,
            "msgid" => Keyword::Id,
            "msgid_plural" => Keyword::Plural,
            "msgstr" => Keyword::Text(0),
            word => {
                let number = word.strip_prefix("msgstr[").and_then(|rest| rest.strip_suffix(']'));
                let number = number.and_then(|number| number.parse().ok()).filter(|number| *number < MOST_FORMS);
                Keyword::Text(number.ok_or_else(|| format!("`{word}` is no keyword of a PO file"))?)
            }
        };
        if matches!(keyword, Keyword::Context | Keyword::Id) {
            self.end_entry_if_complete()?;
        }
        self.begin(keyword, span)?;
        self.add(keyword, &unescaped(rest.trim())?, span)
    }

    fn begin(&mut self, keyword: Keyword, span: Span) -> Result<(), String> {
        let is_first = !self.has_id && self.entry.context.is_none();
        let is_wrong = match keyword {
            Keyword::Context => self.has_id || self.entry.context.is_some(),
            Keyword::Id => self.has_id,
            Keyword::Plural => !self.has_id || self.entry.plural.is_some() || !self.entry.strings.is_empty(),
            Keyword::Text(number) => !self.has_id || number != self.entry.strings.len(),
        };
        if is_wrong {
            return Err("this is not the order of a PO file: `msgctxt`, `msgid`, `msgid_plural`, `msgstr`".to_owned());
        }
        if is_first {
            self.entry.span = span;
        }
        match keyword {
            Keyword::Context => self.entry.context = Some(String::new()),
            Keyword::Id => self.has_id = true,
            Keyword::Plural => self.entry.plural = Some(String::new()),
            Keyword::Text(_) => self.entry.strings.push(String::new()),
        }
        self.keyword = Some(keyword);
        Ok(())
    }

    fn add(&mut self, keyword: Keyword, text: &str, span: Span) -> Result<(), String> {
        let part = match keyword {
            Keyword::Context => self.entry.context.get_or_insert_default(),
            Keyword::Id => &mut self.entry.id,
            Keyword::Plural => self.entry.plural.get_or_insert_default(),
            Keyword::Text(number) => self.entry.strings.get_mut(number).ok_or("a text without its keyword")?,
        };
        part.push_str(text);
        self.entry.span.end = span.end;
        Ok(())
    }

    fn end_entry_if_complete(&mut self) -> Result<(), String> {
        if self.has_id && !self.entry.strings.is_empty() { self.end_entry() } else { Ok(()) }
    }

    fn end_entry(&mut self) -> Result<(), String> {
        if self.has_id && self.entry.strings.is_empty() {
            return Err("the last entry has no `msgstr`".to_owned());
        }
        self.keyword = None;
        let entry = std::mem::take(&mut self.entry);
        if !std::mem::take(&mut self.has_id) {
            return Ok(());
        }
        if entry.id.is_empty() && entry.context.is_none() {
            if std::mem::replace(&mut self.is_header_read, true) {
                return Err("this is a second header".to_owned());
            }
            let lines = entry.strings.first().map_or("", String::as_str).lines();
            let keys = lines.filter_map(|line| line.split_once(':'));
            self.file.header = keys.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned())).collect();
        } else {
            self.file.entries.push(entry);
        }
        Ok(())
    }
}

/// Returns the text between quotation marks.
fn unescaped(written: &str) -> Result<String, String> {
    let inside = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).filter(|_| written.len() > 1);
    let inside = inside.ok_or("a text has to be between quotation marks")?;
    let mut text = String::with_capacity(inside.len());
    let mut letters = inside.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => return Err("write `\\\"` for a quotation mark in a text".to_owned()),
            '\\' => match letters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some('a') => text.push('\u{7}'),
                Some('b') => text.push('\u{8}'),
                Some('f') => text.push('\u{c}'),
                Some('v') => text.push('\u{b}'),
                Some(same @ ('"' | '\\')) => text.push(same),
                Some(digit @ '0'..='7') => {
                    let mut code = digit as u32 - '0' as u32;
                    for _ in 0..2 {
                        let Some(next) = letters.next_if(|next| ('0'..='7').contains(next)) else { break };
                        code = code * 8 + (next as u32 - '0' as u32);
                    }
                    text.push(char::from_u32(code).filter(char::is_ascii).ok_or("a number of no sign after `\\`")?);
                }
                Some('x') => {
                    let mut digits = String::new();
                    while let Some(digit) = letters.next_if(char::is_ascii_hexdigit) {
                        digits.push(digit);
                    }
                    let code = u32::from_str_radix(&digits, 16).ok();
                    let sign = code.and_then(char::from_u32).filter(char::is_ascii);
                    text.push(sign.ok_or("a number of no sign after `\\x`")?);
                }
                Some(other) => return Err(format!("`\\{other}` is nothing in a PO file")),
                None => return Err("a text ends with `\\`".to_owned()),
            },
            letter => text.push(letter),
        }
    }
    Ok(text)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            letter if letter.is_ascii_control() => drop(write!(out, "\\{:03o}", letter as u32)),
            letter => out.push(letter),
        }
    }
    out
}

/// Writes a text after a keyword: one of several lines on as many, after an empty text.
fn write_text(keyword: &str, text: &str, out: &mut String) {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    if lines.len() <= 1 {
        let _ = writeln!(out, "{keyword} \"{}\"", escaped(text));
        return;
    }
    let _ = writeln!(out, "{keyword} \"\"");
    for line in lines {
        let _ = writeln!(out, "\"{}\"", escaped(line));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let header = [("Language", "de"), ("Plural-Forms", "nplurals=2; plural=(n==1) ? 0 : 1;")];
        let entry = |context: &str, id: &str, text: &str| Entry {
            context: Some(context.to_owned()),
            id: id.to_owned(),
            strings: vec![text.to_owned()],
            ..Entry::default()
        };
        let plural = Entry {
            plural: Some("{count} \"posts\"".to_owned()),
            strings: vec!["a".to_owned(), "b\\".to_owned()],
            ..entry("p", "one", "")
        };
        let noted = Entry {
            comments: vec!["First".to_owned(), "Second".to_owned()],
            reference: Some("content/a b.md:3".to_owned()),
            is_fuzzy: true,
            ..entry("c", "several\nlines\n\nand\ta tab\r\n", "ä\u{200f}\u{1}\n")
        };
        let file = PoFile {
            header: header.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect(),
            entries: vec![entry("a", "A", ""), plural, noted],
        };
        let written = file.write();
        let mut read = PoFile::read(&written).unwrap();
        for (entry, original) in read.entries.iter_mut().zip(&file.entries) {
            assert!(written[entry.span.start..entry.span.end].starts_with("msgctxt"));
            entry.span = original.span;
            entry.reference = entry.reference.take().map(|text| text.trim_matches(['\u{2068}', '\u{2069}']).to_owned());
        }
        assert_eq!(read, file);
        let windows = PoFile::read(&format!("\u{feff}{}", written.replace('\n', "\r\n"))).unwrap();
        assert_eq!(windows.entries.len(), 3);
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, line, detail) in [
            ("msgid \"a\"\n\"b\n", "\"b", "between quotation marks"),
            ("msgid \"a\"\nmsgstr \"b\"c\"\n", "msgstr \"b\"c\"", "for a quotation mark"),
            ("msgstr \"a\"\n", "msgstr \"a\"", "the order"),
            ("msgid \"a\"\nmsgstr[1] \"b\"\n", "msgstr[1] \"b\"", "the order"),
            ("msgid \"a\"\nmsgid \"b\"\n", "msgid \"b\"", "the order"),
            ("\"a\"\n", "\"a\"", "without `msgid`"),
            ("msgid \"a\\q\"\n", "msgid \"a\\q\"", "`\\q`"),
            ("hello\n", "hello", "no keyword"),
            ("msgid \"a\"\n", "", "no `msgstr`"),
        ] {
            let mistake = PoFile::read(text).unwrap_err();
            assert_eq!(&text[mistake.span.start..mistake.span.end], line, "{text}");
            assert!(mistake.detail.contains(detail), "{}", mistake.detail);
        }
    }

    #[test]
    fn what_other_programs_write_is_read() {
        let text = "# Translators\n#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n\"Language: de_AT\\n\"\n#~ msgid \"old\"\n#~ msgstr \"alt\"\n\n\
                    #: a.md:1 b.md:2\n#, no-wrap, fuzzy\n#| msgid \"before\"\nmsgid  \"\"\n  \"a\"\n\t\"\\101\\x42\\\"\"\nmsgstr\"b\"\n#. next\nmsgid \"c\"\nmsgstr \"\"";
        let file = PoFile::read(text).unwrap();
        assert_eq!(file.header("language"), Some("de_AT"));
        let all: Vec<_> =
            file.entries.iter().map(|entry| (entry.id.as_str(), entry.is_fuzzy, entry.is_translated())).collect();
        assert_eq!(all, [("aAB\"", true, true), ("c", false, false)]);
    }
}
