//! Splits tables into cells (RFC 4180), each with its position, and finds out what separates them.
//!
//! Spreadsheet programs separate cells by commas, by semicolons where the comma is the decimal sign, or by tabs. A file says
//! so only by its first line: it is read if that has one of them.

use super::limits::Failure;
use sitegen_core::diagnostics::{DataProblem, Problem, Span};
use std::borrow::Cow;

/// A cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell<'t> {
    /// Its text, without quotes around it.
    pub text: Cow<'t, str>,
    /// Where it is written, with its quotes.
    pub span: Span,
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row<'t> {
    /// Its number as spreadsheets count, from 1. The first row has the names of the columns.
    pub number: usize,
    /// Its cells, at least one.
    pub cells: Vec<Cell<'t>>,
}

impl Row<'_> {
    /// Returns where it is written.
    pub fn span(&self) -> Span {
        let end = self.cells.last().map_or(0, |cell| cell.span.end);
        Span { start: self.cells.first().map_or(0, |cell| cell.span.start), end }
    }

    /// Whether none of its cells has a text.
    pub fn is_empty(&self) -> bool {
        self.cells.iter().all(|cell| cell.text.trim().is_empty())
    }
}

/// The rows of a table, one after the other, until the end or a mistake.
pub struct Rows<'t> {
    text: &'t str,
    at: usize,
    number: usize,
    /// What separates the cells.
    pub separator: u8,
}

impl<'t> Rows<'t> {
    /// Begins to read a table. An error comes with its place.
    pub fn of(text: &'t str) -> Result<Self, Failure> {
        let mark = text.len() - text.trim_start_matches('\u{feff}').len();
        // Excel reads what separates the cells from such a line.
        let said = text[mark..].strip_prefix("sep=").and_then(|rest| {
            let separator = *rest.as_bytes().first().filter(|byte| SEPARATORS.contains(byte))?;
            let end = rest[1..].strip_prefix("\r\n").or(rest[1..].strip_prefix('\n'))?;
            Some((separator, text.len() - end.len()))
        });
        if let Some((separator, at)) = said {
            return Ok(Rows { text, at, number: 0, separator });
        }
        let (end, counts) = first_line(text, mark);
        let used: Vec<u8> = (0..3).filter(|kind| counts[*kind] > 0).map(|kind| SEPARATORS[kind]).collect();
        match used[..] {
            [] => Ok(Rows { text, at: mark, number: 0, separator: b',' }),
            [separator] => Ok(Rows { text, at: mark, number: 0, separator }),
            _ => {
                let detail = "its first line has commas, semicolons or tabs side by side, so it is unclear what separates the \
                              cells; put names with such a sign in double quotes";
                Err((problem(detail), Span { start: mark, end }))
            }
        }
    }

    /// Returns the next row.
    fn row(&mut self) -> Result<Row<'t>, Failure> {
        self.number += 1;
        let mut cells = Vec::new();
        loop {
            let cell = self.cell()?;
            self.at = cell.span.end;
            cells.push(cell);
            let bytes = self.text.as_bytes();
            match bytes.get(self.at) {
                Some(byte) if *byte == self.separator => self.at += 1,
                Some(b'\r') => {
                    self.at += 1 + usize::from(bytes.get(self.at + 1) == Some(&b'\n'));
                    break;
                }
                Some(_) => {
                    self.at += 1;
                    break;
                }
                None => break,
            }
        }
        Ok(Row { number: self.number, cells })
    }

    fn cell(&self) -> Result<Cell<'t>, Failure> {
        let (text, start) = (self.text, self.at);
        let is_end = |byte: &u8| *byte == self.separator || b"\r\n".contains(byte);
        if text.as_bytes().get(start) != Some(&b'"') {
            let length = text.as_bytes()[start..].iter().position(is_end).unwrap_or(text.len() - start);
            let span = Span::at(start, length);
            return Ok(Cell { text: Cow::Borrowed(&text[start..span.end]), span });
        }
        let mut from = start + 1;
        let mut is_doubled = false;
        let end = loop {
            let Some(quote) = memchr::memchr(b'"', &text.as_bytes()[from..]) else {
                return Err((problem("this quote is never closed"), Span::at(start, 1)));
            };
            let quote = from + quote;
            match text.as_bytes().get(quote + 1) {
                Some(b'"') => {
                    from = quote + 2;
                    is_doubled = true;
                }
                None => break quote,
                Some(byte) if is_end(byte) => break quote,
                Some(_) => {
                    let detail =
                        "a quote ends this cell, but the cell goes on; a quote inside a cell is written twice, `\"\"`";
                    return Err((problem(detail), Span::at(quote, 1)));
                }
            }
        };
        let inside = &text[start + 1..end];
        let inside = if is_doubled { Cow::Owned(inside.replace("\"\"", "\"")) } else { Cow::Borrowed(inside) };
        Ok(Cell { text: inside, span: Span { start, end: end + 1 } })
    }
}

impl<'t> Iterator for Rows<'t> {
    type Item = Result<Row<'t>, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.text.len() {
            return None;
        }
        let row = self.row();
        if row.is_err() {
            self.at = self.text.len();
        }
        Some(row)
    }
}

const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Returns the end of the first line, and how often it has each separator outside of quotes.
fn first_line(text: &str, start: usize) -> (usize, [usize; 3]) {
    let (mut counts, mut is_quoted) = ([0; 3], false);
    for (at, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\r' | b'\n' if !is_quoted => return (at, counts),
            _ if !is_quoted => {
                if let Some(kind) = SEPARATORS.iter().position(|separator| *separator == byte) {
                    counts[kind] += 1;
                }
            }
            _ => {}
        }
    }
    (text.len(), counts)
}

fn problem(detail: &str) -> Box<Problem> {
    Box::new(DataProblem::DataSyntax { format: "CSV", detail: detail.to_owned() }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        let rows = Rows::of(text).unwrap().map(|row| row.unwrap().cells);
        rows.map(|cells| cells.into_iter().map(|cell| cell.text.into_owned()).collect()).collect()
    }

    #[test]
    fn cells_are_those_of_rfc_4180() {
        assert_eq!(cells("a,b\r\n1,2\r\n"), [["a", "b"], ["1", "2"]]);
        assert_eq!(cells("a;b\n\"x;\"\"y\"\"\n z\";2"), [["a", "b"], ["x;\"y\"\n z", "2"]]);
        assert_eq!(cells("a\tb\r1\t\r"), [["a", "b"], ["1", ""]]);
        assert_eq!(cells("\u{feff}name\n5\" pipe\n"), [["name"], ["5\" pipe"]]);
        assert_eq!(cells("sep=;\r\na,b;c\r\n1;2\r\n"), [["a,b", "c"], ["1", "2"]]);
        assert_eq!(cells("\"a;b\",c\n\n1,2"), [vec!["a;b", "c"], vec![""], vec!["1", "2"]]);
    }

    #[test]
    fn cells_and_rows_have_their_places() {
        let text = "\u{feff}ä,b\r\n\"x\",y\r\n";
        let rows: Vec<Row> = Rows::of(text).unwrap().map(Result::unwrap).collect();
        let slice = |span: Span| &text[span.start..span.end];
        assert_eq!((slice(rows[0].cells[0].span), slice(rows[1].cells[0].span)), ("ä", "\"x\""));
        assert_eq!((slice(rows[1].span()), rows[1].number), ("\"x\",y", 2));
    }

    #[test]
    fn mistakes_are_placed() {
        let fails = |text: &'static str| {
            let row = Rows::of(text).and_then(|rows| rows.collect::<Result<Vec<_>, _>>()).unwrap_err();
            &text[row.1.start..]
        };
        assert_eq!(fails("a,b\n\"x,1\n"), "\"x,1\n");
        assert_eq!(fails("a,b\n\"x\"y,1\n"), "\"y,1\n");
        assert_eq!(fails("a,b;c\n1,2\n"), "a,b;c\n1,2\n");
    }
}
