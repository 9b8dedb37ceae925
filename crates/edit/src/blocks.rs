//! Blocks of Markdown: paragraphs, headings, lists and what else stands beside them.

use super::{Edit, Refusal};
use pulldown_cmark::{Event, Options, Parser};
use sitegen_content::front_matter;
use sitegen_core::diagnostics::Span;
use sitegen_core::paths::SourcePath;
use std::ops::Range;

/// A block at the top of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'t> {
    /// Its bytes in the file.
    pub span: Span,
    /// What it consists of, without places.
    events: Vec<Event<'t>>,
}

/// Returns the blocks of the Markdown file at a path.
pub fn of<'t>(path: &SourcePath, text: &'t str) -> Vec<Block<'t>> {
    let start = front_matter::split(path, text).map_or(0, |parts| parts.body_start);
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_DEFINITION_LIST;
    let mut blocks: Vec<Block> = Vec::new();
    let mut depth = 0usize;
    let shifted = |range: Range<usize>| Span { start: range.start + start, end: range.end + start };
    for (event, range) in Parser::new_ext(&text[start..], options).into_offset_iter() {
        if depth == 0 {
            blocks.push(Block { span: shifted(range), events: Vec::new() });
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if let Some(block) = blocks.last_mut() {
            block.events.push(event);
        }
    }
    blocks
}

/// Returns the bytes that a block of one text has in another, which was that text before somebody changed it: the same block, or the
/// one in its place if there are as many as before.
pub fn carried(path: &SourcePath, base: &str, span: Span, current: &str) -> Option<Span> {
    if base == current {
        return Some(span);
    }
    let (old, new) = (of(path, base), of(path, current));
    let index = old.iter().position(|block| block.span == span)?;
    let text = &base[span.start..span.end].trim_end();
    let is_same = |block: &&Block| current[block.span.start..block.span.end].trim_end() == *text;
    let mut same = new.iter().filter(is_same);
    match (same.next(), same.next()) {
        (Some(only), None) => Some(only.span),
        _ if old.len() == new.len() => Some(new[index].span),
        _ => None,
    }
}

/// Replaces the block that begins at a byte with another text. Every other block stays what it is, also those that refer to
/// definitions in this one.
pub fn replace(path: &SourcePath, text: &str, at: usize, new: &str) -> Result<Edit, Refusal> {
    let blocks = of(path, text);
    let index = blocks.iter().position(|block| block.span.start == at).ok_or(Refusal("no block begins there"))?;
    let Span { start, end } = blocks[index].span;
    // The line end belongs to what is between blocks.
    let body = text[start..end].trim_end_matches(['\r', '\n']);
    let edit = Edit { span: Span::at(start, body.len()), text: new.trim_end_matches(['\r', '\n']).to_owned() };
    match is_local(path, text, &edit, index..index + 1) {
        true => Ok(edit),
        false => Err(Refusal("another part of the text would change its meaning")),
    }
}

/// Replaces some bytes within one block. Refused if another block would change.
pub fn replace_within(path: &SourcePath, text: &str, span: Span, new: &str) -> Result<Edit, Refusal> {
    let blocks = of(path, text);
    let has = |block: &Block| block.span.start <= span.start && span.end <= block.span.end;
    // A definition of a link is in no block, and is what other blocks use.
    let changed = blocks.iter().position(has).map_or(0..0, |index| index..index + 1);
    let edit = Edit { span, text: new.to_owned() };
    match changed.is_empty() || is_local(path, text, &edit, changed) {
        true => Ok(edit),
        false => Err(Refusal("another part of the text would change its meaning")),
    }
}

/// Whether an edit changes some blocks and no others. Those may become more or fewer blocks.
fn is_local(path: &SourcePath, text: &str, edit: &Edit, changed: Range<usize>) -> bool {
    let edited = edit.apply(text);
    let (old, new) = (of(path, text), of(path, &edited));
    let after = old.len() - changed.end;
    let Some(rest) = new.len().checked_sub(after).filter(|rest| *rest >= changed.start) else { return false };
    let same = |one: &[Block], two: &[Block]| one.iter().zip(two).all(|(one, two)| one.events == two.events);
    same(&old[..changed.start], &new[..changed.start]) && same(&old[changed.end..], &new[rest..])
}
