//! Abbreviations: `*[HTML]: HyperText Markup Language` on a line of its own explains the word wherever the text has it.

use crate::blocks::{Block, BlockKind};
use aho_corasick::{AhoCorasick, MatchKind};
use sitegen_core::diagnostics::Span;
use std::collections::BTreeSet;

/// The abbreviations of a text.
pub(super) struct Abbreviations<'a> {
    finder: AhoCorasick,
    /// What each stands for, in the order of the finder.
    meanings: Vec<&'a str>,
}

impl<'a> Abbreviations<'a> {
    /// Collects what lines explain. Of a word that is explained twice the first line counts.
    pub(super) fn of(blocks: &[Block<'a>]) -> Option<Self> {
        let mut known = BTreeSet::new();
        let explained = blocks.iter().filter_map(|block| match block.kind {
            BlockKind::Abbreviation { short, meaning } => known.insert(short).then_some((short, meaning)),
            _ => None,
        });
        let (words, meanings): (Vec<&str>, Vec<&str>) = explained.unzip();
        if words.is_empty() {
            return None;
        }
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(words).ok()?;
        Some(Abbreviations { finder, meanings })
    }

    /// Returns where a text has abbreviations as whole words, and what they stand for.
    pub(super) fn all(&self, text: &str) -> impl Iterator<Item = (Span, &'a str)> {
        self.finder.find_iter(text).filter_map(|found| {
            let (before, after) = (text[..found.start()].chars().next_back(), text[found.end()..].chars().next());
            let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
            let span = Span { start: found.start(), end: found.end() };
            (!is_part(before) && !is_part(after)).then(|| (span, self.meanings[found.pattern().as_usize()]))
        })
    }
}
