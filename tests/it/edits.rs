//! Random edits of the writer: of all content in this repository, and of texts that are hard to edit.

use crate::support::size::sized;
use sitegen::content::yaml::Value;
use sitegen::edit::tree::{Data, Part, Route, Style};
use sitegen::edit::{Edit, File, blocks};
use sitegen::paths::SourcePath;
use std::collections::BTreeMap;
use std::path::Path;

/// Texts with what makes edits difficult: comments in between, names and their repetitions, lists in brackets, texts of several
/// lines, line ends of Windows, byte order marks, letters of several bytes, tabs, keys that look alike, blocks with their
/// indentation written, empty values, mappings that are merged.
const HOSTILE: [(&str, &str); 24] = [
    ("a.yaml", "# before\ntitle: Bread # beside\n# between\n\nlead: 'It''s'   # one\n# end\n"),
    ("a.yaml", "base: &base\n  a: 1\n  b: two\nfirst:\n  <<: *base\n  b: three\nsecond: *base\nthird: &unused x\n"),
    ("a.yaml", "list: [a, \"b, c\", {d: e, f: 'g'}, [], {}, ~, 1.10]\nmap: {a: b, \"c d\": [1, 2], e: }\n"),
    ("a.yaml", "a: [\n  one, # c\n  two,\n\n  three\n]\nb: {\n  x: 1,\n  y: 2 # d\n}\n"),
    ("a.yaml", "text: one\n  two\n\n  three\nquoted: \"one\n  two \\\n  three\\n\"\nsingle: 'one\n\n  two'\nlast: x\n"),
    ("a.yaml", "title: Brot\r\nlead: |\r\n  eins\r\n  zwei\r\n\r\nlist:\r\n  - a # c\r\n  - \"b\"\r\nend: x\r\n"),
    ("a.yaml", "\u{feff}title: Ä ö\n\"über uns\": 'ß'\n日本: 語 # あ\nemoji: 😀 x\n"),
    ("a.yaml", "title:\tBread\t# tab\nlist:\n  -\ta\n  - b\t\nx: y\n"),
    ("a.yaml", "name: a\n\"name \": b\nNAME: c\nnames: d\n'na me': e\n"),
    (
        "a.yaml",
        "a: |2-\n    two more\n   one more\n\nb: >+\n  kept\n\n\nc: |-\n\n  first is empty\n\n# comment\nd: >-\n  folded\n  text\n\n  again\n",
    ),
    (
        "a.yaml",
        "empty:\nspaces:   \ncomment: # nothing\nnull: ~\nquoted: \"\"\nlist:\n  -\n  - \n  - x\nmap:\n  a:\n  b:\nlast:\n",
    ),
    ("a.yaml", "- a\n-   b\n- - c\n  - d\n- e: f\n  g: h\n-\n  i: j\n- !!str 5\n- !x y\n"),
    ("a.yaml", "list:\n- a\n- b: |\n    block\n  c: d\n-\n  - nested: [x]\nafter: 1\n"),
    ("a.yaml", "? key\n: value\n? [a, b]\n: c\nplain: d\n"),
    ("a.yaml", "---\n# head\na: b\n...\n"),
    (
        "a.yaml",
        "a: http://x.test/#y\nb: a#b\nc: -1\nd: 12:30\ne: 2026-05-04\nf: '007'\ng: \"NO\"\nh: a:b\ni: '@x'\nlast: no newline",
    ),
    (
        "a.md",
        "---\ntitle: Bread # c\nlead: >\n  a\n  b\ntags: [a, b]\n---\n\n# Head\n\nText with `code`.\n\n- a\n- b\n",
    ),
    ("a.md", "\u{feff}---\r\ntitle: \"Bread\"\r\nlead:\r\n---\r\nBody\r\n---\r\nmore\r\n"),
    (
        "a.md",
        "+++\ntitle = 'Bread' # c\ndate = 2026-05-04\n[extra]\n\"a b\" = [1, \"two\", 'three']\nx.y = \"\"\"\none\ntwo\"\"\"\n+++\nBody\n",
    ),
    ("a.md", "{\n  \"title\": \"Bread\",\n  \"n\": [1, 2.50, null, true, {\"a\": \"\\u00e4\"}]\n}\n\nBody }\n"),
    (
        "a.toml",
        "# c\r\ntitle = \"a\" # d\r\nlong = '''\r\nx\r\ny'''\r\n[[team]]\r\nname = 'A'\r\n[[team]]\r\nname = \"B\\tC\"\r\nat = 1979-05-27T07:32:00Z\r\n[a.b]\r\nc = { d = 1, e = [ 'f', # g\r\n 2 ] }\r\n",
    ),
    (
        "a.json",
        "\u{feff}{\"a\":\t\"b\",\r\n \"c\" : [ ], \"d\": {\"e\": -1.5e3, \"\": false}, \"ä\": \"\\\"\\\\\"}\r\n",
    ),
    ("a.csv", "\u{feff}name;price;note\r\nRye;\"4,80\";\"a \"\"b\"\"\r\nc\"\r\nÄpfel;;x\r\n"),
    ("a.csv", "sep=,\na,\"b\",c\n1,,' 3'\n\"\",x,"),
];

/// Texts that are not easy to write.
const TEXTS: [&str; 48] = [
    "Bread",
    "",
    " ",
    "a b",
    "a: b",
    "a #b",
    "#b",
    "@x",
    "`x`",
    "- a",
    "-",
    "? x",
    "?x",
    ": x",
    ":x",
    "[a]",
    "{a}",
    "a, b",
    "'a'",
    "\"a\"",
    "it's",
    "say \"x\"",
    "a\\b",
    "1.10",
    "007",
    "-5",
    "+1",
    "0x1f",
    "1e3",
    ".5",
    "true",
    "Yes",
    "no",
    "null",
    "~",
    "2026-05-04",
    "12:30",
    "*x",
    "&x",
    "!x",
    "%x",
    "|",
    "> x",
    "a\nb",
    "a\n\n  b\n",
    "tab\there",
    "ä 日本 😀",
    "a:",
];

#[test]
fn an_edit_changes_its_bytes_and_its_value_alone() {
    let count = sized(4_000, 100_000);
    let files = files();
    assert!(files.len() > 300, "{}", files.len());
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut tried = BTreeMap::new();
    for round in 0..count {
        // A third of the edits is of hostile texts, one after the other.
        let (path, text) = match round % 3 {
            0 => {
                let (path, text) = HOSTILE[random.below(HOSTILE.len())];
                (SourcePath::new(path), text.to_owned())
            }
            _ => files[random.below(files.len())].clone(),
        };
        let (kind, is_edited) = edit_at_random(&path, &text, &mut random);
        *tried.entry((kind, is_edited)).or_insert(0) += 1;
    }
    let of = |kind| (tried.get(&(kind, true)).copied().unwrap_or(0), tried.get(&(kind, false)).copied().unwrap_or(0));
    for kind in ["replace", "rename", "insert", "block"] {
        let (edited, refused) = of(kind);
        assert!(edited > refused, "{kind}: {edited} edited, {refused} refused");
    }
}

/// Tries an edit, and checks it with parsers that the writer does not use for that. Returns its kind, and whether there is one.
fn edit_at_random(path: &SourcePath, text: &str, random: &mut Random) -> (&'static str, bool) {
    let is_markdown = path.extension() == Some("md");
    let file = File::of(path, text);
    let Some(file) = file.filter(|_| !is_markdown || random.below(4) > 0) else {
        let blocks = blocks::of(path, text);
        if blocks.is_empty() {
            return ("none", false);
        }
        let span = blocks[random.below(blocks.len())].span;
        let new =
            ["Words.", "## Head", "- a\n- b", "> quote", "```\ncode\n```", "| a |\n|---|\n| b |"][random.below(6)];
        let edit = blocks::replace(path, text, span.start, new);
        if let Ok(edit) = &edit {
            assert!(span.start == edit.span.start && edit.span.end <= span.end, "{path} {edit:?}\n{text}");
        }
        return ("block", edit.is_ok());
    };
    let mut places: Vec<(Route, Part)> = Vec::new();
    file.root().each(&mut Route::new(), &mut |_, route, part| places.push((route.to_vec(), part)));
    if places.is_empty() {
        return ("none", false);
    }
    let (route, _) = places[random.below(places.len())].clone();
    let word = TEXTS[random.below(TEXTS.len())];
    let value = match random.below(8) {
        0 => Value::Integer(random.below(5_000) as i64 - 100),
        1 => Value::Bool(random.below(2) == 0),
        2 => Value::Float(random.below(1_000) as f64 / 8.0),
        3 => Value::Text(
            file.root()
                .at(&route)
                .and_then(|item| item.scalar())
                .map_or(String::new(), |old| format!("{} x", old.text)),
        ),
        _ => Value::Text(word.to_owned()),
    };
    let above = &route[..route.len().saturating_sub(1)];
    let is_map = file.root().at(above).is_some_and(|item| matches!(item.data, Data::Map { .. }));
    let (kind, edit) = match random.below(if is_map { 7 } else { 5 }) {
        5 => ("rename", file.rename(&route, if word.is_empty() { "x" } else { word })),
        6 => ("insert", file.insert(above, &format!("new{word}"), &value)),
        _ => ("replace", file.replace(&route, &value)),
    };
    if let Ok(edit) = &edit {
        check(path, text, &file, &route, kind, &value, edit);
    }
    (kind, edit.is_ok())
}

/// Checks that every byte outside of the edit is as before, that nothing but whole values was in it, and that every other value is
/// written with the same bytes.
fn check(path: &SourcePath, text: &str, file: &File, route: &[usize], kind: &str, value: &Value, edit: &Edit) {
    let context = || format!("{kind} {path} {route:?} {value:?} {edit:?}\n{text}");
    let edited = edit.apply(text);
    assert!(edited.starts_with(&text[..edit.span.start]) && edited.ends_with(&text[edit.span.end..]), "{}", context());
    let new = File::of(path, &edited).unwrap_or_else(|| panic!("{}", context()));
    let pieces = |file: &File, text: &str| {
        let mut all = Vec::new();
        file.root().each(&mut Route::new(), &mut |item, _, part| {
            let style = item.scalar().map(|scalar| scalar.style);
            // What follows a block of text may belong to it or not.
            let piece = &text[item.span.start..item.span.end];
            let is_block = matches!(style, Some(Style::Literal | Style::Folded));
            all.push((part, if is_block { piece.trim_end() } else { piece }.to_owned()));
        });
        all
    };
    let (old, new_pieces) = (pieces(file, text), pieces(&new, &edited));
    let same_front = old.iter().zip(&new_pieces).take_while(|(one, two)| one == two).count();
    let most = old.len().min(new_pieces.len()) - same_front;
    let same_back =
        old.iter().rev().zip(new_pieces.iter().rev()).take(most).take_while(|(one, two)| one == two).count();
    let (gone, came) = (old.len() - same_front - same_back, new_pieces.len() - same_front - same_back);
    match kind {
        "insert" => assert!(gone == 0 && came == 2, "{}", context()),
        _ => assert!(gone <= 1 && came <= 1, "{}", context()),
    }
    if kind == "replace" {
        assert_eq!(text_of(path, &edited, &new, route), text_of_value(value), "{}", context());
    }
    // Comments are neither lost nor made.
    let comments = |text: &str| text.lines().filter(|line| line.trim_start().starts_with('#')).count();
    if !matches!(value, Value::Text(text) if text.contains('#')) && path.extension() == Some("yaml") {
        let in_value = text[edit.span.start..edit.span.end]
            .lines()
            .skip(1)
            .filter(|line| line.trim_start().starts_with('#'))
            .count();
        assert!(comments(&edited) + in_value >= comments(text), "{}", context());
    }
}

fn text_of_value(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        Value::Float(number) => number.to_string(),
        _ => String::new(),
    }
}

/// Returns what a value is by another parser: `serde_json` for JSON, the event's own text otherwise.
fn text_of(path: &SourcePath, text: &str, file: &File, route: &[usize]) -> String {
    if path.extension() == Some("json") {
        let json: serde_json::Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap();
        let found = route.iter().fold(&json, |value, index| match value {
            serde_json::Value::Array(items) => &items[*index],
            serde_json::Value::Object(map) => map.values().nth(*index).unwrap(),
            _ => unreachable!(),
        });
        let number = found.as_f64().map(|number| number.to_string());
        return found.as_str().map(str::to_owned).or(number).unwrap_or_else(|| found.to_string());
    }
    let written = file.root().at(route).and_then(|item| item.scalar()).unwrap().text.clone();
    written.parse::<f64>().ok().filter(|_| written.ends_with(".0")).map_or(written, |number| number.to_string())
}

/// Returns every file of content in the repository, by its path.
fn files() -> Vec<(SourcePath, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["content", "docs/content", "examples", "tests/sites"] {
        let walk = walkdir::WalkDir::new(root.join(folder)).sort_by_file_name();
        for entry in walk.into_iter().flatten().filter(|entry| entry.file_type().is_file()) {
            let path = entry.path().to_str().unwrap().replace('\\', "/");
            let is_content = path.contains("/content/") && !path.contains("/node_modules/");
            let is_kind = [".md", ".yaml", ".toml", ".json", ".csv"].iter().any(|end| path.ends_with(end));
            if is_content
                && is_kind
                && !path.ends_with(".schema.json")
                && let Ok(text) = std::fs::read_to_string(entry.path())
                && text.len() < 60_000
            {
                files.push((SourcePath::new(path), text));
            }
        }
    }
    files
}

/// Numbers that are the same in every run (xorshift64*, Vigna 2016).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % limit
    }
}
