//! Keys that are set a second time.

use super::insert::end_of;
use super::tree::{Data, Item, Part, Route};
use super::{Edit, File};
use sitegen_core::diagnostics::Span;

impl File<'_> {
    /// Removes the lines of a key that is set above to the same value. `None` if the values differ, or if there is more in these
    /// lines: what a person has written is not removed on a guess.
    pub fn remove_repeated(&self, key: Span) -> Option<Edit> {
        let mut found: Option<Route> = None;
        self.root.each(&mut Route::new(), &mut |item, route, part| {
            if part == Part::Key && item.span.start < key.end && key.start < item.span.end {
                found = Some(route.to_vec());
            }
        });
        let route = found?;
        let (last, above) = route.split_last()?;
        let map = self.root.at(above)?;
        let Data::Map { entries, is_flow: false } = &map.data else { return None };
        let (key, value) = entries.get(*last)?;
        let is_same = |(other, set): &(Item, Item)| other.equals(key) && set.equals(value);
        if self.is_repeated(&route) || key.is_repeated || !entries[..*last].iter().any(is_same) {
            return None;
        }
        let start = self.text[..key.span.start].rfind('\n').map_or(0, |newline| newline + 1).max(self.keys.start);
        let end = self.line_after(end_of(value).saturating_sub(1).max(key.span.end));
        let lines = &self.text[start..end];
        let is_alone = self.text[start..key.span.start].trim().is_empty()
            && self.text[end_of(value).min(end)..end].trim().is_empty()
            && !lines.contains('#');
        let mut expected = self.root.clone();
        if let Some(Data::Map { entries, .. }) = expected.at_mut(above).map(|map| &mut map.data) {
            entries.remove(*last);
        }
        let edit = Edit { span: Span { start, end }, text: String::new() };
        (is_alone && self.is_sound(&edit, &expected, &None, |_| true)).then_some(edit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sitegen_core::paths::SourcePath;

    #[test]
    fn a_key_with_the_same_value_goes_with_its_lines() {
        for (path, text, expected) in [
            ("a.yaml", "k: A\nb: B\nk: A\nc: C # c\n", "k: A\nb: B\nc: C # c\n"),
            ("a.yaml", "k: A\r\nk: A", "k: A\r\n"),
            ("a.yaml", "a:\n  - k: A\n    k: A\n    b: B\n", "a:\n  - k: A\n    b: B\n"),
            ("a.yaml", "k:\n  - A\n  - B\n# c\nk:\n  - A\n  - B\n# d\nb: B\n", "k:\n  - A\n  - B\n# c\n# d\nb: B\n"),
            ("a.yaml", "k: |\n  A\nk: |\n  A\nb: B\n", "k: |\n  A\nb: B\n"),
            ("a.md", "---\nk: A\nk: A\n---\nk: A\n", "---\nk: A\n---\nk: A\n"),
        ] {
            let text_before_body = text.find("\n---\nk").map_or(text, |end| &text[..end]);
            let span = Span::at(text_before_body.rfind("k:").unwrap(), 1);
            let file = SourcePath::new(path);
            let edit = File::of(&file, text).unwrap().remove_repeated(span);
            assert_eq!(edit.map(|edit| edit.apply(text)).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn another_value_a_comment_and_other_keys_stay() {
        for text in [
            "k: A\nk: B\n",
            "k: A\nk: 'A'\n",
            "k: A\nk:\n",
            "k: A\nk: A # of the year\n",
            "{ k: A, k: A }\n",
            "k: A\nk: &a A\nb: *a\n",
            "a: A\nk: A\n",
        ] {
            let span = Span::at(text.rfind("k:").unwrap(), 1);
            assert_eq!(File::of(&SourcePath::new("a.yaml"), text).unwrap().remove_repeated(span), None, "{text}");
        }
    }
}
