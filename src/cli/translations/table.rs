//! The table of texts and languages, for people and for programs.

use crate::content::languages::{Language, Languages};
use crate::content::translated::{State, Translation};
use crate::paths::SourcePath;
use serde::Serialize;
use std::collections::BTreeMap;

/// The number of the format of [`json`]. Another one has other keys; new keys may come without another number.
const VERSION: u32 = 1;

/// The most texts that a line of the table names.
const MOST: usize = 8;

/// A translation of a file into a language. The keys are those of `--format json`.
#[derive(Serialize)]
pub struct Row {
    /// The file that is translated.
    file: String,
    /// The tag of the language.
    language: String,
    /// The file with the translation, also if it does not exist.
    translation: String,
    /// [`State::name`].
    state: &'static str,
    /// How many texts the original has.
    texts: usize,
    /// The texts that the translation lacks: keys, or `line` and the number of the line in the original.
    missing: Vec<String>,
    /// What has changed in the original, if the translation is of an earlier version. `null` if it is not.
    changed: Option<Vec<String>>,
    /// How the structure of the translation differs, with the key or `text`.
    pub differs: Vec<String>,
}

impl Row {
    /// Compares a translation with its original.
    pub fn of(translation: &Translation) -> Self {
        let state = translation.state();
        let names =
            |texts: Vec<&crate::content::texts::Text>| texts.iter().map(|text| text.place.to_string()).collect();
        let versions = translation.versions();
        let stale = versions.iter().filter_map(|version| version.changed.as_ref());
        let changed: Vec<String> = stale.clone().flatten().map(ToString::to_string).collect();
        let differs = translation.differences().into_iter().map(|(place, difference)| format!("{place}: {difference}"));
        Row {
            file: translation.original.to_string(),
            language: translation.language.tag.clone(),
            translation: translation.path.to_string(),
            state: state.name(),
            texts: translation.texts.all.len(),
            missing: if state == State::Hidden { Vec::new() } else { names(translation.missing()) },
            changed: stale.count().gt(&0).then_some(changed),
            differs: differs.collect(),
        }
    }

    /// Whether the language shows texts of the original.
    pub fn lacks_texts(&self) -> bool {
        !self.missing.is_empty()
    }

    /// Whether it translates an earlier version.
    pub fn is_stale(&self) -> bool {
        self.changed.is_some()
    }
}

/// What a language has in all.
#[derive(Serialize)]
struct Sum<'a> {
    language: &'a str,
    name: &'a str,
    /// How many files have texts, and how many are in each state.
    files: usize,
    complete: usize,
    partial: usize,
    fallback: usize,
    hidden: usize,
    draft: usize,
    stale: usize,
    differs: usize,
    /// How many texts there are, and how many of them are translated.
    texts: usize,
    translated: usize,
}

#[derive(Serialize)]
struct Report<'a> {
    version: u32,
    languages: Vec<Sum<'a>>,
    files: &'a [Row],
}

fn sum<'a>(language: &'a Language, rows: &[Row]) -> Sum<'a> {
    let own: Vec<&Row> = rows.iter().filter(|row| row.language == language.tag).collect();
    let in_state = |state: State| own.iter().filter(|row| row.state == state.name()).count();
    let texts = own.iter().map(|row| row.texts).sum();
    let missing: usize =
        own.iter().map(|row| if row.state == State::Hidden.name() { row.texts } else { row.missing.len() }).sum();
    Sum {
        language: &language.tag,
        name: &language.name,
        files: own.len(),
        complete: in_state(State::Complete),
        partial: in_state(State::Partial),
        fallback: in_state(State::Fallback),
        hidden: in_state(State::Hidden),
        draft: in_state(State::Draft),
        stale: in_state(State::Stale),
        differs: in_state(State::Differs),
        texts,
        translated: texts - missing,
    }
}

/// Returns all rows as one object of JSON, with a line end.
pub fn json(languages: &[&Language], rows: &[Row]) -> String {
    let languages = languages.iter().map(|language| sum(language, rows)).collect();
    let report = Report { version: VERSION, languages, files: rows };
    serde_json::to_string_pretty(&report).unwrap_or_default() + "\n"
}

/// Prints a row for each file with a column for each language, what is not complete, and the sums of each language.
pub fn print(languages: &Languages, rows: &[Row]) {
    let tags: Vec<&str> = {
        let all = languages.all().iter().map(|language| language.tag.as_str());
        all.filter(|tag| rows.iter().any(|row| row.language == *tag)).collect()
    };
    let mut files: BTreeMap<SourcePath, BTreeMap<&str, &Row>> = BTreeMap::new();
    for row in rows {
        files.entry(SourcePath::new(&row.file)).or_default().insert(&row.language, row);
    }
    let width = files.keys().map(|path| path.as_str().chars().count()).max().unwrap_or(0);
    let cell = State::ALL.iter().map(|state| state.name().len()).chain(tags.iter().map(|tag| tag.len())).max();
    let cell = cell.unwrap_or(0) + 2;
    let line = |first: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cells: String = cells.map(|text| format!("  {text:<cell$}")).collect();
        print_line!("{}", format!("{first:<width$}{cells}").trim_end());
    };
    line("", &mut tags.iter().copied());
    for (path, row) in &files {
        line(path.as_str(), &mut tags.iter().map(|tag| row.get(tag).map_or("", |row| row.state)));
    }
    let open: Vec<&Row> = rows.iter().filter(|row| row.state != State::Complete.name()).collect();
    let has_details = |row: &Row| row.lacks_texts() || row.is_stale() || !row.differs.is_empty();
    let is_there = |row: &Row| !["fallback", "hidden"].contains(&row.state);
    let with_details = open.iter().filter(|row| is_there(row) && has_details(row)).collect::<Vec<_>>();
    if !with_details.is_empty() {
        print_line!("");
    }
    for row in with_details {
        print_details(row);
    }
    print_line!("");
    for tag in tags {
        let Some(language) = languages.all().iter().find(|language| language.tag == tag) else { continue };
        let sum = sum(language, rows);
        let states = [
            (sum.complete, "complete"),
            (sum.partial, "partial"),
            (sum.fallback, "fallback"),
            (sum.hidden, "hidden"),
            (sum.draft, "draft"),
            (sum.stale, "stale"),
            (sum.differs, "differ"),
        ];
        let states: Vec<String> =
            states.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
        print_line!("{tag}: {} of {} texts translated; files: {}", sum.translated, sum.texts, states.join(", "));
    }
}

fn print_details(row: &Row) {
    let listed = |texts: &[String]| {
        let more = texts.len().saturating_sub(MOST);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{more}", texts.iter().take(MOST).cloned().collect::<Vec<_>>().join(", "))
    };
    print_line!("{}", row.translation);
    if let Some(changed) = &row.changed {
        let changed = if changed.is_empty() { String::new() } else { format!(": {}", listed(changed)) };
        print_line!("  stale: {} has changed{changed}", row.file);
    }
    if !row.missing.is_empty() {
        print_line!("  lacks: {}", listed(&row.missing));
    }
    for difference in row.differs.iter().take(MOST) {
        print_line!("  differs: {difference}");
    }
    if row.differs.len() > MOST {
        print_line!("  differs: {} more", row.differs.len() - MOST);
    }
}
