//! Writes the parts of a text that take more than a tag: pictures, code, tables, footnotes, ids.

use super::Writer;
use super::math::Display;
use crate::address::Addresses;
use crate::assets::Asset;
use crate::code::{Info, Mistake};
use crate::dialect::MATH;
use sitegen_core::diagnostics::{Diagnostic, Lost, MOST, MarkdownProblem, Place, Problem, Span};
use sitegen_pictures as pictures;
use sitegen_pictures::{Header, Picture, Presentation};

impl Writer<'_> {
    /// Writes a picture in the sizes and formats of the site. Without a text of its own it has that of its description.
    pub(super) fn write_picture(&mut self, asset: &Asset, header: &Header, title: &str, alternative: String) {
        let description = asset.description.as_deref();
        let described = description.and_then(|description| description.alt.clone()).filter(|_| alternative.is_empty());
        let alt = described.unwrap_or(alternative);
        let title = (!title.is_empty()).then(|| self.filled(title).into_owned());
        let Addresses { base_path, pictures, .. } = self.context.addresses;
        let presentation =
            Presentation { title, ..pictures.presentation(alt, description.and_then(|description| description.focus)) };
        let picture = Picture { path: asset.path(), digest: &asset.digest, header, url: &asset.url };
        self.out.push_str(&pictures::markup(picture, &presentation, &[], base_path));
    }

    /// Writes a code block.
    pub(super) fn write_code(&mut self, words: &str, code: &str, span: Span) {
        let dialect = self.context.dialect;
        let is_math = words.split([' ', '\t', ',', '{']).next() == Some("math");
        if is_math && dialect.has(MATH) {
            self.write_formula(code.trim_end(), Display::Block, span);
            return self.out.push('\n');
        }
        if is_math && dialect.is_undecided(MATH) {
            self.warn_of_extension(MATH, span);
        }
        if words.is_empty() || is_math || !self.context.highlight {
            self.out.push_str("<pre><code");
            if let Some(language) = words.split([' ', ',']).next().filter(|language| !language.is_empty()) {
                self.out.push_str(" class=\"language-");
                self.attribute(language);
                self.out.push('"');
            }
            self.out.push('>');
            self.escape(code);
            self.out.push_str("</code></pre>\n");
            return;
        }
        let (mut info, mistakes) = Info::of(words);
        info.highlighted_as = dialect.languages.get(&info.language).cloned();
        for Mistake { problem, span: at } in mistakes {
            self.warn_of_code(problem, words.get(at.start..at.end).unwrap_or_default(), span);
        }
        for (problem, word) in info.write(code, &mut self.out) {
            self.warn_of_code(problem, &word, span);
        }
    }

    /// Warns of a word in the first line of a code block.
    pub(super) fn warn_of_code(&mut self, problem: impl Into<Problem>, word: &str, block: Span) {
        if self.warnings.len() > MOST {
            return;
        }
        let source = self.marked.source(block);
        let first = self.marked.body[source.start..source.end].lines().next().unwrap_or_default();
        let span = match first.find(word).filter(|_| !word.is_empty()) {
            Some(at) => Span::at(source.start + at, word.len()),
            None => Span::at(source.start, first.len()),
        };
        let place = Place::new(self.context.path, span.shifted(self.context.offset));
        let warning = Diagnostic::new(problem, place);
        self.warnings.push(warning);
    }

    /// Names the table for assistive technology: the first table below a heading by that heading, others by their
    /// columns, and by a number if that name has been given before.
    pub(super) fn name_table(&mut self) {
        let columns: Vec<&str> =
            self.columns.iter().map(|column| column.trim()).filter(|text| !text.is_empty()).collect();
        let (attribute, name) = match self.above.take() {
            Some(heading) => ("aria-labelledby", heading),
            None if columns.is_empty() => return,
            None => {
                let name = columns.join(", ");
                let number = self.names.entry(name.clone()).and_modify(|number| *number += 1).or_insert(1);
                ("aria-label", if *number > 1 { format!("{name} ({number})") } else { name })
            }
        };
        let table = self.out.split_off(self.wrapper);
        self.out.push_str(&format!(" role=\"region\" {attribute}=\""));
        self.attribute(&name);
        self.out.push('"');
        self.out.push_str(&table);
    }

    /// Reports the cells of a row that exceed the table's columns.
    pub(super) fn finish_row(&mut self, row: Span) {
        let Some(rest) = self.marked.text.get(self.cells_end..row.end) else { return };
        let is_filler = |letter: char| letter == '|' || letter.is_whitespace();
        let lost = rest.trim_matches(is_filler);
        if !lost.is_empty() {
            let start = self.cells_end + rest.len() - rest.trim_start_matches(is_filler).len();
            self.report(MarkdownProblem::LostText(Lost::ExtraCell), Span::at(start, lost.len()));
        }
    }

    pub(super) fn footnote_reference(&mut self, name: &str) {
        let first_number = self.numbers.get(name).copied();
        let number = first_number.unwrap_or(self.order.len() + 1);
        // A note with two references links back to the first one only, so that ids stay unique.
        let mut id = String::new();
        if first_number.is_none() {
            self.order.push(name.to_owned());
            self.numbers.insert(name.to_owned(), number);
            id = format!(" id=\"note-{number}-back\"");
        }
        self.out.push_str(&format!("<sup><a href=\"#note-{number}\"{id} role=\"doc-noteref\">{number}</a></sup>"));
    }

    /// Returns an id that no heading of this body has yet.
    pub(super) fn unique(&mut self, slug: String) -> String {
        let slug = if slug.is_empty() { "section".to_owned() } else { slug };
        if !self.slugs.contains_key(&slug) {
            self.slugs.insert(slug.clone(), 0);
            return slug;
        }
        let mut count = *self.slugs.get(&slug).unwrap_or(&0);
        let mut id = slug.clone();
        while self.slugs.contains_key(&id) {
            count += 1;
            id = format!("{slug}-{count}");
        }
        self.slugs.insert(slug, count);
        self.slugs.insert(id.clone(), 0);
        id
    }
}
