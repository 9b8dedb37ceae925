//! Moves an edit of one text to another that somebody has changed meanwhile.

use super::Edit;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use sitegen_core::diagnostics::Span;

/// How many letters of changed lines are compared letter by letter. Longer parts are compared by lines.
const MOST_LETTERS: usize = 4_000;

/// Returns an edit of `base` as an edit of `current`, which was `base` before somebody changed it. `None` if a change touches the
/// bytes of the edit, or stands directly beside them: then a person has to decide.
pub fn moved(base: &str, current: &str, edit: &Edit) -> Option<Edit> {
    if base == current {
        return Some(edit.clone());
    }
    let Span { start, end } = edit.span;
    let mut shift = 0isize;
    for change in changes(base, current) {
        if change.old.end < start {
            shift = change.new.end as isize - change.old.end as isize;
        } else if change.old.start <= end {
            return None;
        }
    }
    let at = |place: usize| usize::try_from(place as isize + shift).ok();
    let span = Span { start: at(start)?, end: at(end)? };
    (current.get(span.start..span.end)? == base.get(start..end)?).then(|| Edit { span, text: edit.text.clone() })
}

/// Returns an edit of `base` as one of `current` that also replaces the changes which touch it, and no others.
pub fn over(base: &str, current: &str, edit: &Edit) -> Edit {
    let Span { mut start, mut end } = edit.span;
    let (mut before, mut after) = (0isize, 0isize);
    for change in changes(base, current) {
        let shift = change.new.end as isize - change.old.end as isize;
        if change.old.end < start {
            (before, after) = (shift, shift);
        } else if change.old.start <= end {
            start = start.min(change.old.start);
            end = end.max(change.old.end);
            after = shift;
        }
    }
    let at =
        |place: usize, shift: isize| usize::try_from(place as isize + shift).unwrap_or_default().min(current.len());
    let span = Span { start: at(start, before), end: at(end, after) };
    let text = format!("{}{}{}", &base[start..edit.span.start], edit.text, &base[edit.span.end..end]);
    Edit { span, text }
}

/// Bytes that differ.
struct Changed {
    old: Span,
    new: Span,
}

fn changes(base: &str, current: &str) -> Vec<Changed> {
    let old: Vec<&str> = base.split_inclusive('\n').collect();
    let new: Vec<&str> = current.split_inclusive('\n').collect();
    let (old_at, new_at) = (offsets(&old), offsets(&new));
    let mut changes = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let DiffOp::Equal { .. } = op else {
            let (lines, others) = (op.old_range(), op.new_range());
            let old = Span { start: old_at[lines.start], end: old_at[lines.end] };
            let new = Span { start: new_at[others.start], end: new_at[others.end] };
            within(base, current, old, new, &mut changes);
            continue;
        };
    }
    changes
}

/// Adds what differs in two parts of the texts.
fn within(base: &str, current: &str, old: Span, new: Span, changes: &mut Vec<Changed>) {
    let (before, after) = (&base[old.start..old.end], &current[new.start..new.end]);
    if before.is_empty() || after.is_empty() || before.len().max(after.len()) > MOST_LETTERS {
        changes.push(Changed { old, new });
        return;
    }
    let lines: Vec<&str> = after.split_inclusive('\n').collect();
    if lines.len() > 1 && before.split_inclusive('\n').count() == 1 {
        // Lines that were added around the only one are not the same words.
        let alike = |line: &str| line.bytes().zip(before.bytes()).take_while(|(one, other)| one == other).count();
        let most = lines.iter().map(|line| alike(line)).max();
        let number = lines.iter().position(|line| Some(alike(line)) == most).unwrap_or_default();
        let at = offsets(&lines);
        let (from, to) = (new.start + at[number], new.start + at[number + 1]);
        if from > new.start {
            changes.push(Changed { old: Span::at(old.start, 0), new: Span { start: new.start, end: from } });
        }
        within(base, current, old, Span { start: from, end: to }, changes);
        if to < new.end {
            changes.push(Changed { old: Span::at(old.end, 0), new: Span { start: to, end: new.end } });
        }
        return;
    }
    let letters = |text: &str| text.char_indices().collect::<Vec<(usize, char)>>();
    let (one, two) = (letters(before), letters(after));
    let only = |all: &[(usize, char)]| all.iter().map(|(_, letter)| *letter).collect::<Vec<char>>();
    let place = |all: &[(usize, char)], number: usize, end: usize| all.get(number).map_or(end, |(at, _)| *at);
    for op in capture_diff_slices(Algorithm::Myers, &only(&one), &only(&two)) {
        let DiffOp::Equal { .. } = op else {
            let (from, to) = (op.old_range(), op.new_range());
            changes.push(Changed {
                old: Span {
                    start: old.start + place(&one, from.start, before.len()),
                    end: old.start + place(&one, from.end, before.len()),
                },
                new: Span {
                    start: new.start + place(&two, to.start, after.len()),
                    end: new.start + place(&two, to.end, after.len()),
                },
            });
            continue;
        };
    }
}

/// Returns where each line begins, and the end of the last one.
fn offsets(lines: &[&str]) -> Vec<usize> {
    let mut at = 0;
    let starts = lines.iter().map(|line| {
        let start = at;
        at += line.len();
        start
    });
    let mut all: Vec<usize> = starts.collect();
    all.push(at);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &str, current: &str, old: &str, new: &str) -> Option<String> {
        let edit = Edit { span: Span::at(base.find(old).unwrap(), old.len()), text: new.to_owned() };
        moved(base, current, &edit).map(|edit| edit.apply(current))
    }

    #[test]
    fn an_edit_over_changes_replaces_those_that_touch_it() {
        let base = "a: one\nb: two\nc: three\n";
        for (current, expected) in [
            (base, "a: one\nb: 2\nc: three\n"),
            ("# new\na: 1\nb: zwei Wörter\nc: drei\n", "# new\na: 1\nb: 2\nc: drei\n"),
            ("a: one\nc: three\n", "a: one\nb: 2\nc: three\n"),
            ("a: one\nb: 7\nd: new\nc: three\n", "a: one\nb: 2\nd: new\nc: three\n"),
            ("a: one\nd: new\nb: 7\nc: three\n", "a: one\nd: new\nb: 2\nc: three\n"),
            ("a: one\nb: towed\nc: three\nd: ü\n", "a: one\nb: 2\nc: three\nd: ü\n"),
        ] {
            let edit = Edit { span: Span::at(base.find("two").unwrap(), 3), text: "2".to_owned() };
            assert_eq!(over(base, current, &edit).apply(current), expected, "{current}");
        }
    }

    #[test]
    fn changes_elsewhere_are_kept() {
        let base = "a: one\nb: two\nc: { d: three, e: four }\n";
        for (current, old, new, expected) in [
            (base, "two", "2", Some("a: one\nb: 2\nc: { d: three, e: four }\n")),
            ("# new\na: 1\nb: two\nc: x\n", "two", "2", Some("# new\na: 1\nb: 2\nc: x\n")),
            (
                "a: one\nb: two\nc: { d: 333333, e: four }\n",
                "four",
                "4",
                Some("a: one\nb: two\nc: { d: 333333, e: 4 }\n"),
            ),
            ("a: one\nb: two words\nc: { d: three, e: four }\n", "two", "2", None),
            ("a: one\nb: zwei\nc: { d: three, e: four }\n", "two", "2", None),
            ("a: one\nc: { d: three, e: four }\n", "two", "2", None),
            ("", "two", "2", None),
        ] {
            assert_eq!(merged(base, current, old, new).as_deref(), expected, "{current}");
        }
    }
}
