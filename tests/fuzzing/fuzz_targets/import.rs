//! Whatever lies in the folder of another generator's site: it is imported into a project with a report, or a sentence says why not,
//! within the time and the memory that `tests/fuzz` allows.
//!
//! The first byte of an input selects the generator, and whether the rest is a text or a configuration.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sitegen_import::{Date, Generator, Old, OldFile, import};

/// A generator with the files of a small site: its configuration, which may be the input, what it names, and the path of a text, which
/// may be the input.
type Site = (Generator, [(&'static str, &'static str); 2], &'static str);

const SITES: [Site; 6] = [
    (Generator::Hugo, [("hugo.toml", "title = 'A'"), ("content/b.md", "B")], "content/posts/a.md"),
    (Generator::Jekyll, [("_config.yml", "title: A"), ("_includes/b.html", "B")], "_posts/2024-01-01-a.md"),
    (Generator::Zola, [("config.toml", "base_url = 'https://a.test'"), ("content/b.md", "+++\n+++\n")], "content/a.md"),
    (
        Generator::Starlight,
        [("astro.config.mjs", "defineConfig({ integrations: [starlight({ title: 'A' })] })"), ("src/b.mdx", "B")],
        "src/content/docs/a.mdx",
    ),
    (
        Generator::Docusaurus,
        [("docusaurus.config.js", "module.exports = { title: 'A' }"), ("docs/b.mdx", "B")],
        "docs/a.mdx",
    ),
    (Generator::MdBook, [("src/SUMMARY.md", "- [A](a.md)\n- [B](b.md)\n"), ("book.toml", "[book]")], "src/a.md"),
];

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else { return };
    let Ok(input) = std::str::from_utf8(rest) else { return };
    let (from, [(config, settings), (other, text)], path) = SITES[usize::from(*kind) % SITES.len()];
    let is_config = usize::from(*kind) / SITES.len() % 4 == 3;
    let (settings, input) = if is_config { (input, "A") } else { (settings, input) };
    let files = [(config, settings), (other, text), (path, input)];
    let files = files.map(|(path, text)| (path.to_owned(), OldFile::Text(text.to_owned())));
    let Ok(imported) = import(from, &Old::new(files.into()), Date::constant(2026, 1, 1)) else { return };
    assert!(imported.files.keys().all(|path| !path.starts_with('/') && !path.split('/').any(|part| part == "..")));
});
