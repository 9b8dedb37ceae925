//! What was changed since the start, to undo and to redo it.

use super::{Obstacle, Refused, Wanted, refused};
use crate::diagnostics::{Position, Span};
use crate::disk;
use crate::edit::{Edit, merge};
use crate::paths::SourcePath;
use crate::session::Session;
use crate::sources::Sources;
use crate::watch::Change as Changed;
use serde_json::{Value as Json, json};
use std::path::Path;
use std::sync::Arc;

/// The folder with what files were before.
pub const KEPT: &str = ".sitegen/edits";

/// A file with its bytes before and after a change. Nothing stands for no file.
#[derive(Clone, Debug)]
pub struct FileChange {
    pub path: SourcePath,
    pub before: Option<Arc<[u8]>>,
    pub after: Option<Arc<[u8]>>,
}

/// A change.
pub struct Done {
    /// What it changed, in a few words.
    pub what: String,
    /// Its number among all changes.
    pub number: u64,
    pub files: Vec<FileChange>,
}

/// The changes since the start.
#[derive(Default)]
pub struct History {
    done: Vec<Done>,
    undone: Vec<Done>,
    /// Begins the names of the folders with what was displaced.
    run: String,
    /// How many files were kept.
    kept: usize,
    /// How many changes there were.
    count: u64,
}

impl FileChange {
    /// Creates the change of a text.
    pub fn of_text(path: &SourcePath, before: &str, after: &str) -> Self {
        let bytes = |text: &str| Some(Arc::from(text.as_bytes()));
        FileChange { path: path.clone(), before: bytes(before), after: bytes(after) }
    }

    /// Creates a new text.
    pub fn new_text(path: &SourcePath, text: &str) -> Self {
        FileChange { path: path.clone(), before: None, after: Some(Arc::from(text.as_bytes())) }
    }

    /// Whether anything differs.
    pub fn changes_something(&self) -> bool {
        self.before != self.after
    }

    /// Writes it, if the file still is what it was before.
    pub fn write(&self, root: &Path, history: &mut History) -> Result<(), String> {
        history.kept += 1;
        let kept = format!("{KEPT}/{}-{}/{}", history.run, history.kept, self.path);
        disk::change(root, &self.path, self.before.as_deref(), self.after.as_deref(), &kept)
    }
}

impl History {
    /// Creates an empty one.
    pub fn of(run: &str) -> Self {
        History { run: run.to_owned(), ..History::default() }
    }

    /// Adds a change. What was undone cannot be redone after that.
    pub fn add(&mut self, what: String, files: Vec<FileChange>) {
        if !files.is_empty() {
            self.count += 1;
            self.done.push(Done { what, number: self.count, files });
            self.undone.clear();
        }
    }

    fn last(&self, is_undo: bool) -> Option<&Done> {
        if is_undo { self.done.last() } else { self.undone.last() }
    }

    /// Refuses to undo, or do again, another change than the one with a number. There is one history, and several browsers may
    /// have read it at different times.
    pub fn check(&self, is_undo: bool, number: Option<&str>) -> Result<(), String> {
        let last = self.last(is_undo);
        match number {
            Some(number) if last.is_none_or(|last| last.number.to_string() != number) => {
                let other = last.map_or_else(
                    || {
                        if is_undo {
                            "There is nothing to undo any more".to_owned()
                        } else {
                            "There is nothing to redo any more".to_owned()
                        }
                    },
                    |last| format!("Press the button again if you mean that: {}", last.what),
                );
                Err(format!("Something else was changed meanwhile, perhaps in another tab. {other}."))
            }
            _ => Ok(()),
        }
    }

    /// Gives the last change up: it cannot be undone, or done again, any more.
    pub fn skip(&mut self, is_undo: bool) {
        if is_undo {
            self.done.pop()
        } else {
            self.undone.pop()
        };
    }

    /// Notes that the last change was undone, or redone, and with which bytes.
    pub fn moved(&mut self, is_undo: bool, files: Vec<FileChange>) {
        let (from, to) = if is_undo { (&mut self.done, &mut self.undone) } else { (&mut self.undone, &mut self.done) };
        if let Some(done) = from.pop() {
            // What another program has changed beside it stays when it is done again.
            let files = match is_undo {
                true => files
                    .into_iter()
                    .map(|file| FileChange { before: file.after, after: file.before, ..file })
                    .collect(),
                false => files,
            };
            to.push(Done { files, ..done });
        }
    }

    /// Adds what can be undone and redone to an answer.
    pub fn add_names(&self, json: &mut Json) {
        for (name, done) in [("undo", self.last(true)), ("redo", self.last(false))] {
            json[name] = json!(done.map(|done| &done.what));
            json[format!("{name}Id")] = json!(done.map(|done| done.number.to_string()));
        }
    }

    /// Returns the files that undo the last change, or do it again, on the texts of now.
    /// With `over` also where somebody else has changed the same words.
    pub fn wanted(
        &self,
        is_undo: bool,
        over: bool,
        session: &mut Session,
    ) -> Result<Result<Wanted, Obstacle>, Refused> {
        let done = self.last(is_undo).ok_or_else(|| {
            refused(400, if is_undo { "There is nothing to undo." } else { "There is nothing to redo." })
        })?;
        let mut files = Vec::new();
        let mut line = 1;
        for file in &done.files {
            let (from, to) = if is_undo { (&file.after, &file.before) } else { (&file.before, &file.after) };
            session.read(&Changed::Paths([file.path.as_str().to_owned()].into()));
            let current = session.sources().and_then(|sources| sources.get(&file.path)?.body.shared());
            // Drawings are read without what no page needs of them.
            let is_unchanged = current == *from || current.is_some() && current == as_read(&file.path, from);
            let current = if is_unchanged { from.clone() } else { current };
            let text =
                |bytes: &Option<Arc<[u8]>>| bytes.as_ref().and_then(|bytes| String::from_utf8(bytes.to_vec()).ok());
            let after = if is_unchanged {
                to.clone()
            } else {
                let (Some(old), Some(new), Some(now)) = (text(from), text(to), text(&current)) else {
                    return Ok(Err(Obstacle::Refused(refused(
                        409,
                        format!("{} has been changed by somebody else since then; change it by hand.", file.path),
                    ))));
                };
                let edit = difference(&old, &new);
                let place = Position::of(&old, edit.span).map_or(1, |at| at.line);
                match merge::moved(&old, &now, &edit) {
                    Some(moved) => Some(Arc::from(moved.apply(&now).into_bytes())),
                    None if over => Some(Arc::from(merge::over(&old, &now, &edit).apply(&now).into_bytes())),
                    None => {
                        let at = |text: &str| super::line_at(text, place);
                        return Ok(Err(Obstacle::Conflict { theirs: at(&now), yours: at(&new), line: place }));
                    }
                }
            };
            if let (Some(old), Some(new)) = (text(&current), text(&after)) {
                line = Position::of(&old, difference(&old, &new).span).map_or(1, |at| at.line);
            }
            files.push(FileChange { path: file.path.clone(), before: current, after });
        }
        Ok(Ok(Wanted { what: done.what.clone(), files, line, has_picture: false }))
    }
}

/// Returns the bytes of a file as the sources have them.
fn as_read(path: &SourcePath, bytes: &Option<Arc<[u8]>>) -> Option<Arc<[u8]>> {
    let sources = Sources::default().with(path, bytes.as_ref()?);
    sources.get(path)?.body.shared()
}

/// Returns the one edit that makes a text of another.
pub fn difference(old: &str, new: &str) -> Edit {
    let boundary = |at: usize| old.is_char_boundary(at);
    let mut start = old.bytes().zip(new.bytes()).take_while(|(one, two)| one == two).count();
    while !boundary(start) {
        start -= 1;
    }
    let (rest, other) = (&old[start..], &new[start..]);
    let mut end = rest.bytes().rev().zip(other.bytes().rev()).take_while(|(one, two)| one == two).count();
    while !boundary(old.len() - end) {
        end -= 1;
    }
    Edit { span: Span { start, end: old.len() - end }, text: new[start..new.len() - end].to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_difference_of_two_texts_is_one_edit() {
        for (old, new) in
            [("a b c", "a x c"), ("", "a"), ("a", ""), ("äöü", "äßü"), ("aa", "aaa"), ("same", "same"), ("ab", "ba")]
        {
            assert_eq!(difference(old, new).apply(old), new);
        }
    }
}
