//! The word, of those that are known, that is nearest to one that is not.

use std::borrow::Cow;

/// The number of words that are compared: with more pages, a broken link takes no longer.
const COMPARED: usize = 20_000;
/// The most of them that are compared letter by letter: those whose letters differ least.
const COMPARED_BY_LETTER: usize = 200;

/// Returns the candidate that an editor most likely meant, if one is near enough.
///
/// Near means at most a third of the letters changed, at least one, with neighbouring letters swapped counting once; or
/// a candidate that begins with the word. Of two that are as near, the one with the same letters. Who compares many words with the
/// same candidates makes [`Words`] of them once.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    Words::new(candidates).nearest(word)
}

/// Known words, each looked at once for all that are compared with them.
pub struct Words<'a>(Vec<Word<'a>>);

struct Word<'a> {
    text: &'a str,
    lower: Cow<'a, str>,
    length: usize,
    letters: Letters,
}

impl<'a> Words<'a> {
    /// Prepares known words. Of very many, the first are compared.
    pub fn new(words: impl IntoIterator<Item = &'a str>) -> Self {
        let prepared = words.into_iter().take(COMPARED).map(|text| {
            let lower = lower(text);
            Word { text, length: lower.chars().count(), letters: Letters::of(&lower), lower }
        });
        Words(prepared.collect())
    }

    /// Returns the words as they were given.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|word| word.text)
    }

    /// Returns the word that was most likely meant, as [`nearest`] does.
    pub fn nearest(&self, word: &str) -> Option<&'a str> {
        self.nearest_but(word, None)
    }

    /// Returns the word that was most likely meant, of all but one.
    pub fn nearest_but(&self, word: &str, except: Option<&str>) -> Option<&'a str> {
        let word = word.to_lowercase();
        let length = word.chars().count();
        let limit = ((length + 1) / 3).max(1);
        let letters = Letters::of(&word);
        let counts = LetterCounts::of(&word);
        let is_begin = |known: &Word| word.len() >= 4 && known.length > length && known.lower.starts_with(&word);
        // Every letter more or less is an edit, so few candidates need be compared letter by letter.
        let least = |known: &Word| match known {
            _ if letters.edits_to(known.letters) > limit && !(letters.are_all_in(known.letters) && is_begin(known)) => {
                None
            }
            _ if is_begin(known) => Some(limit),
            _ if known.length.abs_diff(length) > limit => None,
            _ => Some(counts.edits_to(&LetterCounts::of(&known.lower))).filter(|edits| *edits <= limit),
        };
        let others = self.0.iter().filter(|known| except != Some(known.text));
        let mut near: Vec<(usize, &Word)> = others.filter_map(|known| Some((least(known)?, known))).collect();
        if near.len() > COMPARED_BY_LETTER {
            near.select_nth_unstable_by_key(COMPARED_BY_LETTER, |(edits, known)| (*edits, known.text));
            near.truncate(COMPARED_BY_LETTER);
        }
        let distance = |known: &Word| if is_begin(known) { limit } else { strsim::osa_distance(&word, &known.lower) };
        let has_other_letters = |known: &Word| LetterCounts::of(&known.lower).0 != counts.0;
        near.iter()
            .map(|(_, known)| (distance(known), *known))
            .filter(|(distance, _)| *distance <= limit)
            .min_by_key(|(distance, known)| (*distance, has_other_letters(known), known.text))
            .map(|(_, known)| known.text)
    }
}

fn lower(word: &str) -> Cow<'_, str> {
    match word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(word.to_lowercase()),
    }
}

/// The number of places for letters: so many that no Latin letter shares one with a digit.
const PLACES: usize = 39;

fn place(letter: char) -> usize {
    letter as usize % PLACES
}

/// Which letters are in a word, a bit for each place. Letters that share a place count as one.
#[derive(Clone, Copy)]
struct Letters(u64);

impl Letters {
    fn of(word: &str) -> Self {
        Letters(word.chars().fold(0, |letters, letter| letters | 1 << place(letter)))
    }

    fn are_all_in(self, other: Letters) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns a number of edits that lead to another word at the least: one adds a letter, takes one away, or does both.
    fn edits_to(self, other: Letters) -> usize {
        (self.0 & !other.0).count_ones().max((other.0 & !self.0).count_ones()) as usize
    }
}

/// How often each letter is in a word, with as few letters as in [`Letters`].
struct LetterCounts([u8; PLACES]);

impl LetterCounts {
    fn of(word: &str) -> Self {
        let mut counts = [0_u8; PLACES];
        for letter in word.chars() {
            let count = &mut counts[place(letter)];
            *count = count.saturating_add(1);
        }
        LetterCounts(counts)
    }

    /// Returns a number of edits that lead to another word at the least, nearer to the true one than that of [`Letters`].
    fn edits_to(&self, other: &LetterCounts) -> usize {
        let pairs = self.0.iter().zip(other.0);
        let (more, less) = pairs.fold((0, 0), |(more, less), (own, other)| {
            (more + usize::from(own.saturating_sub(other)), less + usize::from(other.saturating_sub(*own)))
        });
        more.max(less)
    }
}

/// Returns the path of the file that an editor most likely meant: the same name in another folder, a similar name, one that
/// has all of this name in it, or a similar path.
pub fn nearest_path<'a>(path: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 4;
    let split = |path: &'a str| path.rsplit_once('/').unwrap_or(("", path));
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let name = name.to_lowercase();
    let stem_of = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let candidates: Vec<&str> = candidates.into_iter().take(COMPARED).collect();
    let names: Vec<String> = candidates.iter().map(|candidate| split(candidate).1.to_lowercase()).collect();
    let similar = || {
        let similar = nearest(&name, names.iter().map(String::as_str))?;
        names.iter().position(|other| other == similar)
    };
    let stem = stem_of(&name);
    let longer = || {
        let longer = (0..names.len()).filter(|at| stem.len() >= SHORTEST && stem_of(&names[*at]).contains(&stem));
        longer.min_by_key(|at| names[*at].len())
    };
    let found = names.iter().position(|other| *other == name).or_else(similar).or_else(longer);
    // With the folder that both have, any two short names are alike.
    let elsewhere = || candidates.iter().copied().filter(|candidate| split(candidate).0 != folder);
    found.map(|at| candidates[at]).or_else(|| nearest(path, elsewhere()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_bound_the_distance_of_words() {
        let words = [
            "",
            "a",
            "title",
            "tittle",
            "titel",
            "/news/2025",
            "/news/2026",
            "Straße",
            "n12",
            "m34",
            "äöü",
            "aaaaaaaa",
        ];
        for (one, other) in words.iter().flat_map(|one| words.iter().map(move |other| (one, other))) {
            let edits = LetterCounts::of(one).edits_to(&LetterCounts::of(other));
            assert!(Letters::of(one).edits_to(Letters::of(other)) <= edits, "{one} {other}");
            assert!(edits <= strsim::osa_distance(one, other), "{one} {other} {edits}");
        }
        assert_eq!(LetterCounts::of("bread").edits_to(&LetterCounts::of("table")), 2);
    }

    #[test]
    fn the_file_that_was_meant_is_suggested() {
        let files = ["photos/brick-oven.jpg", "photos/team.jpg", "logo.svg", "menu.pdf"];
        let meant = |path| nearest_path(path, files);
        assert_eq!(meant("photos/tema.jpg"), Some("photos/team.jpg"));
        assert_eq!(meant("Team.jpg"), Some("photos/team.jpg"));
        assert_eq!(meant("art/pictures/logos.svg"), Some("logo.svg"));
        assert_eq!(meant("photos/oven.jpg"), Some("photos/brick-oven.jpg"));
        assert_eq!(meant("en.jpg"), None);
        assert_eq!(meant("photos/harbour.jpg"), None);
    }

    #[test]
    fn the_nearest_word_is_suggested_and_a_far_one_is_not() {
        let keys = ["title", "template", "description"];
        assert_eq!(nearest("tittle", keys), Some("title"));
        assert_eq!(nearest("descripton", keys), Some("description"));
        assert_eq!(nearest("desc", keys), Some("description"));
        assert_eq!(nearest("colour", keys), None);
        // Two letters are swapped more often than one is left over.
        assert_eq!(nearest("rsut", ["rst", "rust"]), Some("rust"));
    }
}
