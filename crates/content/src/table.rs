//! Reads tables: each row is an entry, and the schema of the collection decides what the cells of a column are.
//!
//! A cell has no type of its own: `007`, `1.10` and `1,5` may be numbers or names. So all cells are text, except in columns for
//! which the schema has another type, and there a cell is read only if it has one meaning.

use super::csv::{Cell, Row, Rows};
use super::limits::{Failure, MAX_NODES, too_large, too_many};
use super::schema::Schema;
use super::yaml::{Key, Node, Value};
use serde_json::Value as Json;
use sitegen_core::diagnostics::{
    DataProblem, Diagnostic, MOST, Place, Problem, SchemaProblem, Span, YamlProblem, nearest,
};
use sitegen_core::paths::SourcePath;
use std::collections::{BTreeMap, BTreeSet};

/// What the cells of columns are, and which columns there have to be.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Columns {
    kinds: BTreeMap<String, Kind>,
    required: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Text,
    Integer,
    Number,
    Bool,
    /// Several values, separated by commas.
    List(Box<Kind>),
}

impl Columns {
    /// Returns the columns that schemas describe. Later schemas decide before earlier ones.
    pub fn of<'s>(schemas: impl IntoIterator<Item = &'s Schema>) -> Self {
        let mut columns = Columns::default();
        for schema in schemas {
            let json = schema.json();
            let properties = json["properties"].as_object().into_iter().flatten();
            columns.kinds.extend(properties.map(|(name, property)| (name.clone(), Kind::of(property, json))));
            let required = json["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
            columns.required.extend(required.map(str::to_owned));
        }
        columns
    }

    /// Returns the same for a translation, which has the columns that differ.
    pub fn of_translation(&self) -> Self {
        Columns { kinds: self.kinds.clone(), required: Vec::new() }
    }
}

impl Kind {
    fn of(property: &Json, root: &Json) -> Self {
        let target = property["$ref"].as_str().and_then(|name| root.pointer(name.strip_prefix('#')?));
        let property = target.unwrap_or(property);
        let types = match &property["type"] {
            Json::Array(types) => types.iter().filter_map(Json::as_str).collect(),
            Json::String(name) => vec![name.as_str()],
            _ => Vec::new(),
        };
        match types.into_iter().find(|name| *name != "null") {
            Some("integer") => Kind::Integer,
            Some("number") => Kind::Number,
            Some("boolean") => Kind::Bool,
            Some("array") => match Kind::of(&property["items"], root) {
                Kind::List(_) => Kind::List(Box::new(Kind::Text)),
                kind => Kind::List(Box::new(kind)),
            },
            _ => Kind::Text,
        }
    }
}

/// Reads a table as a list of mappings, one for each row that has a text. A row with a mistake is left out and reported.
pub fn parse(path: &SourcePath, text: &str, columns: &Columns, diagnostics: &mut Vec<Diagnostic>) -> Option<Node> {
    let mut table = Table { path, columns, names: Vec::new(), separator: b',', diagnostics };
    let result = match too_large(text) {
        Some(problem) => Err((Box::new(problem), Span::default())),
        None => table.rows(text),
    };
    let items = result.map_err(|(problem, span)| table.report(*problem, span)).ok()?;
    Some(Node { value: Value::List(items), span: Span { start: 0, end: text.len() } })
}

struct Table<'a> {
    path: &'a SourcePath,
    columns: &'a Columns,
    /// The names of the columns. One without a name is empty.
    names: Vec<(String, Span)>,
    separator: u8,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Table<'_> {
    fn report(&mut self, problem: Problem, span: Span) {
        self.diagnostics.push(Diagnostic::new(problem, Place::new(self.path, span)));
    }

    fn rows(&mut self, text: &str) -> Result<Vec<Node>, Failure> {
        let mut rows = Rows::of(text)?;
        self.separator = rows.separator;
        let Some(first) = rows.next() else { return Ok(Vec::new()) };
        let first = first?;
        let second = || Rows::of(text).ok()?.nth(1)?.ok();
        let is_other = |row: Row| row.cells.len() != first.cells.len() || !self.missing(&first).is_empty();
        // `# of seats` may be a name.
        let may_be_comment = first.cells.first().is_some_and(|cell| cell.text.starts_with("# "));
        let is_comment = may_be_comment && second().is_some_and(is_other);
        if is_comment || first.is_empty() && second().is_some() {
            let what = if is_comment { "a comment, which tables do not have" } else { "empty" };
            let detail = format!("the first line must have the names of the columns, but it is {what}; remove it");
            return Err((Box::new(DataProblem::DataSyntax { format: "CSV", detail }.into()), first.span()));
        }
        if !self.name_columns(&first) {
            return Ok(Vec::new());
        }
        let (mut items, mut cells) = (Vec::new(), 0);
        for row in rows {
            let row = row?;
            cells += row.cells.len();
            if cells > MAX_NODES {
                return Err((too_many(0), row.span()));
            }
            // Nothing of this file will be published.
            if self.diagnostics.len() > MOST {
                break;
            }
            if !row.is_empty() {
                items.extend(self.item(&row));
            }
        }
        Ok(items)
    }

    /// Returns the columns that every row needs and that the first row does not name. One that is there under a similar name is
    /// reported for the rows.
    fn missing(&self, first: &Row) -> Vec<String> {
        let names = first.cells.iter().map(|cell| cell.text.trim()).filter(|name| !name.is_empty());
        let names: BTreeSet<&str> = names.collect();
        let is_missing =
            |name: &&String| !names.contains(name.as_str()) && nearest(name, names.iter().copied()).is_none();
        self.columns.required.iter().filter(is_missing).cloned().collect()
    }

    /// Reads the names of the columns. Returns whether those are there that every row needs.
    fn name_columns(&mut self, first: &Row) -> bool {
        let missing = self.missing(first);
        let mut seen = BTreeSet::new();
        for cell in &first.cells {
            let name = cell.text.trim().to_owned();
            if !name.is_empty() && !seen.insert(name.clone()) {
                self.report(YamlProblem::DuplicateKey { key: name.clone() }.into(), cell.span);
            }
            self.names.push((name, cell.span));
        }
        let is_complete = missing.is_empty();
        for key in missing {
            self.report(SchemaProblem::MissingKey { key, purpose: None }.into(), first.span());
        }
        is_complete
    }

    fn item(&mut self, row: &Row) -> Option<Node> {
        if row.cells.len() != self.names.len() {
            let (found, expected) = (row.cells.len(), self.names.len());
            self.report(DataProblem::CellCount { row: row.number, found, expected }.into(), row.span());
            return None;
        }
        let mut entries = Vec::with_capacity(row.cells.len());
        let mut is_wrong = false;
        for (at, cell) in row.cells.iter().enumerate() {
            let (name, span) = self.names[at].clone();
            let is_empty = cell.text.trim().is_empty();
            match (name.is_empty(), is_empty) {
                (true, true) => {}
                (true, false) => {
                    let detail = "this cell has a value, but its column has no name in the first row".to_owned();
                    self.report(DataProblem::DataSyntax { format: "CSV", detail }.into(), cell.span);
                    is_wrong = true;
                }
                // An empty text counts as absent. The schema reports a missing key at the cell.
                (false, true) => {
                    let value = Node { value: Value::Text(String::new()), span: cell.span };
                    entries.push((Key { name, span: cell.span }, value));
                }
                (false, false) => match self.value(&name, cell).and_then(|value| without_controls(cell, value)) {
                    Ok(value) => entries.push((Key { name, span }, Node { value, span: cell.span })),
                    Err(problem) => {
                        self.report(problem, cell.span);
                        is_wrong = true;
                    }
                },
            }
        }
        (!is_wrong).then(|| Node { value: Value::Map(entries), span: row.span() })
    }

    fn value(&self, column: &str, cell: &Cell) -> Result<Value, Problem> {
        match self.columns.kinds.get(column) {
            None => Ok(Value::Text(cell.text.clone().into_owned())),
            Some(Kind::List(kind)) => {
                let parts = cell.text.split(',').map(str::trim).filter(|part| !part.is_empty());
                let items = parts.map(|part| Ok(Node { value: self.scalar(kind, part)?, span: cell.span }));
                items.collect::<Result<_, Problem>>().map(Value::List)
            }
            Some(kind) => self.scalar(kind, &cell.text),
        }
    }

    fn scalar(&self, kind: &Kind, written: &str) -> Result<Value, Problem> {
        let trimmed = written.trim();
        match kind {
            Kind::Text | Kind::List(_) => Ok(Value::Text(written.to_owned())),
            // Spreadsheets write capital letters.
            Kind::Bool => match trimmed.to_ascii_lowercase().as_str() {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                _ => Err(wrong(trimmed, "is neither `true` nor `false`", "write `true` or `false`")),
            },
            Kind::Integer | Kind::Number => {
                let number = number(trimmed, self.separator)?;
                match trimmed.parse::<i64>() {
                    Ok(integer) => Ok(Value::Integer(integer)),
                    Err(_) if !trimmed.contains(['.', ',']) => {
                        let why = "is larger than a whole number can be";
                        Err(wrong(trimmed, why, "write fewer digits, or give the column the type `string`"))
                    }
                    // The schema says that it is no whole number.
                    Err(_) => Ok(Value::Float(number)),
                }
            }
        }
    }
}

/// Refuses a cell with a character that no page can have. Other formats refuse it too.
fn without_controls(cell: &Cell, value: Value) -> Result<Value, Problem> {
    let is_control = |letter: &char| letter.is_control() && !matches!(letter, '\t' | '\n' | '\r' | '\u{85}');
    let Some(control) = cell.text.chars().find(is_control) else { return Ok(value) };
    let detail = format!("there is an invisible character, U+{:04X}; delete it", u32::from(control));
    Err(DataProblem::DataSyntax { format: "CSV", detail }.into())
}

/// Reads a number that has one meaning.
///
/// Where cells are separated by semicolons, the comma may be the decimal sign, and a point may separate thousands. So `1.234`
/// is read there as little as `1,234`. Elsewhere the point is the decimal sign.
fn number(written: &str, separator: u8) -> Result<f64, Problem> {
    let digits = written.strip_prefix('-').unwrap_or(written);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let read = |text: String| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let not_a_number =
        || wrong(written, "is not a number", "write digits, with a point as the decimal sign, like `12.50`");
    let is_european = separator == b';';
    match digits.split_once(['.', ',']) {
        None if is_digits(digits) => read(written.to_owned()).ok_or_else(not_a_number),
        Some((whole, part)) if is_digits(whole) && is_digits(part) => {
            let has_comma = digits.contains(',');
            // Three digits may be thousands; after a zero they are not.
            let may_be_thousands = part.len() == 3 && whole.len() <= 3 && !whole.starts_with('0');
            if may_be_thousands && (has_comma || is_european) {
                let (thousands, decimal) = (format!("{whole}{part}"), format!("{whole}.{part}"));
                let reason = format!("may be {thousands} or {decimal}, depending on the country");
                return Err(wrong(written, &reason, &format!("write `{thousands}` or `{decimal}0`")));
            }
            if has_comma && separator == b',' {
                let fix = format!("write `{}`", written.replace(',', "."));
                return Err(wrong(
                    written,
                    "has a comma as its decimal sign in a file that separates cells by commas",
                    &fix,
                ));
            }
            read(written.replace(',', ".")).ok_or_else(not_a_number)
        }
        Some(_) if digits.bytes().all(|byte| byte.is_ascii_digit() || b".,'\xA0 ".contains(&byte)) => {
            let fix = "write it without signs between thousands, with a point as the decimal sign, like `1234.50`";
            Err(wrong(written, "has signs between its digits whose meaning depends on the country", fix))
        }
        // `1e3`, as programs write it.
        _ if digits.starts_with(|first: char| first.is_ascii_digit()) && digits.contains(['e', 'E']) => {
            read(written.to_owned()).ok_or_else(not_a_number)
        }
        _ => Err(not_a_number()),
    }
}

fn wrong(written: &str, reason: &str, fix: &str) -> Problem {
    DataProblem::CellValue { written: written.to_owned(), reason: reason.to_owned(), fix: fix.to_owned() }.into()
}

/// Names the row and the column of each problem in a table. `text` returns the text of a file.
pub fn name_cells<'s>(diagnostics: Vec<Diagnostic>, text: impl Fn(&SourcePath) -> Option<&'s str>) -> Vec<Diagnostic> {
    let mut tables: BTreeMap<SourcePath, Vec<(usize, usize, usize)>> = BTreeMap::new();
    let mut names: BTreeMap<SourcePath, Vec<String>> = BTreeMap::new();
    let in_cell = |mut each: Diagnostic| {
        let Some((path, span)) = each.place.as_ref().and_then(|place| Some((place.path.clone(), place.span?))) else {
            return each;
        };
        let says_it = matches!(
            *each.problem,
            Problem::Data(DataProblem::CellCount { .. }) | Problem::Data(DataProblem::DataSyntax { .. })
        );
        if path.extension() != Some("csv") || says_it {
            return each;
        }
        let cells = tables.entry(path.clone()).or_insert_with(|| {
            let rows = text(&path).and_then(|text| Rows::of(text).ok()).into_iter().flatten().flatten();
            let mut cells = Vec::new();
            for row in rows {
                if row.number == 1 {
                    let named = row.cells.iter().map(|cell| cell.text.trim().to_owned());
                    names.insert(path.clone(), named.collect());
                }
                cells.extend(row.cells.iter().enumerate().map(|(column, cell)| (cell.span.start, row.number, column)));
            }
            cells
        });
        let found = cells.partition_point(|(start, ..)| *start <= span.start).checked_sub(1).map(|at| cells[at]);
        // The first row has the names themselves.
        if let Some((_, row, column)) = found.filter(|(_, row, _)| *row > 1) {
            let name = names.get(&path).and_then(|names| names.get(column)).cloned().unwrap_or_default();
            each.problem = Box::new(DataProblem::InCell { row, column: name, problem: each.problem }.into());
        }
        each
    };
    diagnostics.into_iter().map(in_cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::diagnostics::code;

    #[test]
    fn numbers_are_read_if_they_have_one_meaning() {
        let read = |written: &str, separator: u8| number(written, separator).ok();
        for separator in [b',', b';', b'\t'] {
            assert_eq!(read("12.50", separator), Some(12.5));
            assert_eq!(read("-7", separator), Some(-7.0));
            assert_eq!(read("0.125", separator), Some(0.125));
            assert_eq!(read("1e3", separator), Some(1000.0));
            for wrong in
                ["1.234,5", "1,234.5", "1'234", "12 €", "", "-", "abc", "1,", ".5", "1.2.3", "NaN", "inf", "1,234"]
            {
                assert_eq!(read(wrong, separator), None, "{wrong}");
            }
        }
        assert_eq!((read("1,5", b';'), read("1,5", b'\t'), read("1,5", b',')), (Some(1.5), Some(1.5), None));
        assert_eq!((read("1.234", b';'), read("1.234", b',')), (None, Some(1.234)));
        assert_eq!(read("0,125", b';'), Some(0.125));
    }

    #[test]
    fn the_schema_decides_what_cells_are() {
        let json = r##"{ "required": ["price"], "properties": { "price": { "type": "number" }, "size": { "type": ["null", "integer"] },
            "sold": { "type": "boolean" }, "tags": { "type": "array", "items": { "type": "string" } },
            "weight": { "$ref": "#/$defs/weight" } }, "$defs": { "weight": { "type": "integer" } } }"##;
        let schema = Schema::built_in(json, &sitegen_core::cache::Cache::default());
        let columns = Columns::of([&*schema]);
        let read = |text: &str| {
            let mut diagnostics = Vec::new();
            let node = parse(&SourcePath::new("content/a.csv"), text, &columns, &mut diagnostics);
            (node.map(|node| node.to_json()), diagnostics)
        };
        let (node, diagnostics) = read("price;size;sold;tags;code;weight\n1,5;7;TRUE;a, b;007;2\n;;;;;\n2;;;;x;\n");
        assert_eq!(diagnostics, []);
        let expected = serde_json::json!([
            { "price": 1.5, "size": 7, "sold": true, "tags": ["a", "b"], "code": "007", "weight": 2 },
            { "price": 2, "size": "", "sold": "", "tags": "", "code": "x", "weight": "" }
        ]);
        assert_eq!(node, Some(expected));
        let (node, diagnostics) = read("price,sold\n1,yes\n2\n3,true\nx,\n");
        assert_eq!((node.unwrap().as_array().unwrap().len(), diagnostics.len()), (1, 3));
        assert_eq!(read("name\nx\n").1.len(), 1);
        for text in ["\nprice,sold\n1,true\n", "# a, b, c\nprice,sold\n1,true\n", "# a\nprice,sold\n"] {
            let (_, diagnostics) = read(text);
            assert!(matches!(&diagnostics[..], [one] if code(&one.problem) == "data-syntax"), "{diagnostics:?}");
        }
        assert_eq!(read("# of,price\n1,2\n").1, []);
        assert_eq!(read("price,name\n1,a\0b\n").1.len(), 1);
    }
}
