//! Translations of tables: cells of a CSV file, with every other byte as it was.
//!
//! A translated table has a row for each entry that it translates, named in the column `slug`, and a column for each key. Cells that
//! are empty are those of the original.

use crate::content::csv::{Row, Rows};
use crate::content::lists;
use crate::edit::Refusal;
use crate::paths::SourcePath;

/// The column with the names of entries.
const SLUG: &str = "slug";

/// Puts a text into the cell of an entry and a column, and returns the table. `original` is the table that is translated: a new one
/// is written as it is.
pub fn put(
    path: &SourcePath,
    text: &str,
    original: &str,
    (slug, column): (&str, &str),
    value: &str,
) -> Result<String, Refusal> {
    let mut text = if text.trim().is_empty() { new_table(original)? } else { text.to_owned() };
    // With one column, nothing says what separates cells.
    let otherwise = Rows::of(original).map_or(b',', |rows| rows.separator);
    let mut table = Table::read(path, &text, otherwise)?;
    let at = match table.column(column) {
        Some(at) => at,
        None => {
            text = table.with_column(&text, column, |_| String::new());
            table = Table::read(path, &text, otherwise)?;
            table.column(column).ok_or(Refusal("it has no such column"))?
        }
    };
    let row = match table.row(slug) {
        Some(row) => row,
        None => {
            if table.column(SLUG).is_none() {
                text = table.with_column(&text, SLUG, |number| table.slugs.get(number).cloned().unwrap_or_default());
                table = Table::read(path, &text, otherwise)?;
            }
            text = table.with_row(&text, slug);
            table = Table::read(path, &text, otherwise)?;
            table.row(slug).ok_or(Refusal("its row cannot be added"))?
        }
    };
    let cell = row.cells.get(at).ok_or(Refusal("its row has fewer cells than the first one"))?;
    if cell.text == value {
        return Ok(text);
    }
    let is_quoted = text[cell.span.start..cell.span.end].starts_with('"');
    let written = written(value, table.separator, is_quoted);
    Ok(format!("{}{written}{}", &text[..cell.span.start], &text[cell.span.end..]))
}

/// Returns the table with other values in a column, which is added if there is none. `value` gives that of an entry; the other rows
/// stay as they are.
pub fn with_values(
    path: &SourcePath,
    text: &str,
    column: &str,
    value: &dyn Fn(&str) -> Option<String>,
) -> Result<String, Refusal> {
    let table = Table::read(path, text, b',')?;
    let named = table.slugs.iter().map(|slug| Some(slug).filter(|slug| !slug.is_empty()));
    let values: Vec<Option<String>> = named.map(|slug| value(slug?)).collect();
    if values.iter().all(Option::is_none) {
        return Ok(text.to_owned());
    }
    let Some(at) = table.column(column) else {
        return Ok(table.with_column(text, column, |number| values[number].clone().unwrap_or_default()));
    };
    let (mut all, mut end) = (String::with_capacity(text.len()), 0);
    for (row, value) in table.rows.iter().zip(&values) {
        let Some((cell, value)) = row.cells.get(at).zip(value.as_ref()).filter(|(cell, value)| cell.text != **value)
        else {
            continue;
        };
        all.push_str(&text[end..cell.span.start]);
        all.push_str(&written(value, table.separator, text[cell.span.start..].starts_with('"')));
        end = cell.span.end;
    }
    all.push_str(&text[end..]);
    Ok(all)
}

/// Returns a table without rows that is written as another one is.
fn new_table(original: &str) -> Result<String, Refusal> {
    let rows = Rows::of(original).map_err(|_| Refusal("the table of the original cannot be read"))?;
    let mark = if original.starts_with('\u{feff}') { "\u{feff}" } else { "" };
    let said = original.trim_start_matches('\u{feff}').starts_with("sep=");
    let end = line_end(original);
    let said = if said { format!("sep={}{end}", char::from(rows.separator)) } else { String::new() };
    Ok(format!("{mark}{said}{SLUG}{end}"))
}

/// A table as it is written.
struct Table<'t> {
    rows: Vec<Row<'t>>,
    /// The name of the entry of each row; empty for the first row and for rows without one.
    slugs: Vec<String>,
    separator: u8,
}

impl<'t> Table<'t> {
    /// Reads a table. `otherwise` separates cells if it has one column.
    fn read(path: &SourcePath, text: &'t str, otherwise: u8) -> Result<Self, Refusal> {
        let unreadable = || Refusal("its table cannot be read");
        let rows = Rows::of(text).map_err(|_| unreadable())?;
        let separator = rows.separator;
        let rows = rows.collect::<Result<Vec<Row>, _>>().map_err(|_| unreadable())?;
        let items = lists::parse(path, text, &Default::default(), &mut Vec::new());
        let slug = |row: &Row| {
            let item = items.iter().find(|item| item.data.span.start == row.span().start);
            item.map_or_else(String::new, |item| item.slug.clone())
        };
        let slugs = rows.iter().map(slug).collect();
        let is_one = rows.first().is_none_or(|row| row.cells.len() < 2);
        Ok(Table { rows, slugs, separator: if is_one { otherwise } else { separator } })
    }

    fn column(&self, name: &str) -> Option<usize> {
        self.rows.first()?.cells.iter().position(|cell| cell.text.trim() == name)
    }

    fn row(&self, slug: &str) -> Option<&Row<'t>> {
        let at = self.slugs.iter().position(|own| own == slug)?;
        self.rows.get(at)
    }

    /// Adds a column at the end. `value` gives the text of each row by its number.
    fn with_column(&self, text: &str, name: &str, value: impl Fn(usize) -> String) -> String {
        let mut all = String::with_capacity(text.len() + self.rows.len() * 2);
        let mut end = 0;
        let first = self.rows.first().map_or(0, |row| row.cells.len());
        for (number, row) in self.rows.iter().enumerate().filter(|(_, row)| row.cells.len() == first) {
            let cell = if number == 0 { name.to_owned() } else { value(number) };
            all.push_str(&text[end..row.span().end]);
            all.push(char::from(self.separator));
            all.push_str(&written(&cell, self.separator, false));
            end = row.span().end;
        }
        all.push_str(&text[end..]);
        all
    }

    /// Adds a row at the end.
    fn with_row(&self, text: &str, slug: &str) -> String {
        let end = line_end(text);
        let between = if text.ends_with('\n') { "" } else { end };
        let cells = self.rows.first().map_or(0, |row| row.cells.len());
        let at = self.column(SLUG).unwrap_or(0);
        let cell = |number: usize| if number == at { written(slug, self.separator, false) } else { String::new() };
        let separator = char::from(self.separator).to_string();
        let row: Vec<String> = (0..cells).map(cell).collect();
        format!("{text}{between}{}{end}", row.join(&separator))
    }
}

fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns a text as a cell (RFC 4180).
fn written(text: &str, separator: u8, is_quoted: bool) -> String {
    let needs_quotes = text.contains(['"', '\n', '\r', ',', ';', '\t']) || text.as_bytes().contains(&separator);
    match is_quoted || needs_quotes || text.trim() != text {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts texts into a table one after the other.
    fn filled(text: &str, original: &str, cells: &[(&str, &str, &str)]) -> String {
        let path = SourcePath::new("content/team.csv");
        cells.iter().fold(text.to_owned(), |text, (slug, column, value)| {
            put(&path, &text, original, (slug, column), value).unwrap_or_else(|Refusal(reason)| panic!("{reason}"))
        })
    }

    #[test]
    fn a_new_table_is_written_as_its_original_is() {
        let cells = [("ada", "role", "Chefin"), ("bo", "role", "Hilft; viel"), ("ada", "note", "Sagt \"Brot\"")];
        assert_eq!(
            filled("", "name,role,note\nAda,Boss,Says\nBo,Helps,\n", &cells),
            "slug,role,note\nada,Chefin,\"Sagt \"\"Brot\"\"\"\nbo,\"Hilft; viel\",\n"
        );
        assert_eq!(
            filled("", "\u{feff}sep=;\r\nname;role\r\nAda;Boss\r\n", &cells[..1]),
            "\u{feff}sep=;\r\nslug;role\r\nada;Chefin\r\n"
        );
        assert_eq!(filled("", "name\trole\nAda\tBoss\n", &cells[..1]), "slug\trole\nada\tChefin\n");
    }

    #[test]
    fn other_cells_stay_as_they_are() {
        let table = "slug;role ; note\n\"ada\";\"Boss\";  x \n\nbo;;\"a\n;b\"\n";
        let cells = [("bo", "role", "Hilft"), ("ada", "role", "Chefin"), ("cy", "note", "c"), ("ada", "title", "t")];
        assert_eq!(
            filled(table, table, &cells),
            "slug;role ; note;title\n\"ada\";\"Chefin\";  x ;t\n\nbo;Hilft;\"a\n;b\";\ncy;;c;\n"
        );
        // Without a column of names, they are kept in one.
        assert_eq!(
            filled("name,role\nAda Lo,\nBo,x", "name,role\n", &[("ada-lo", "role", "y"), ("cy", "role", "z")]),
            "name,role,slug\nAda Lo,y,ada-lo\nBo,x,bo\n,z,cy\n"
        );
        assert_eq!(filled("slug,a\nx,b\n", "", &[("x", "a", "b")]), "slug,a\nx,b\n");
    }

    #[test]
    fn a_column_gets_values_for_the_rows_of_entries() {
        let with = |text: &str, named: &[&str]| {
            let value = |slug: &str| named.contains(&slug).then(|| format!("{slug}-1"));
            with_values(&SourcePath::new("content/team.csv"), text, "v", &value)
                .unwrap_or_else(|Refusal(reason)| panic!("{reason}"))
        };
        let table = "slug;a\r\nada;\"x;y\"\r\n\r\nbo;z\r\n";
        let added = "slug;a;v\r\nada;\"x;y\";ada-1\r\n\r\nbo;z;\r\n";
        assert_eq!(with(table, &["ada", "cy"]), added);
        assert_eq!(with(added, &["ada", "bo"]), added.replace("z;", "z;bo-1"));
        assert_eq!(with(table, &["cy"]), table);
        assert_eq!(with("slug,v\nada,\"old\"\n", &["ada"]), "slug,v\nada,\"ada-1\"\n");
    }
}
