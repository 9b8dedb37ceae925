//! What was probably meant by a word that is not known, and how certain that is.

use super::Words;
use std::fmt;
use std::ops::Deref;

/// A word that was probably meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// One of the known words.
    pub word: String,
    /// Whether nothing else can be meant, so that it may be written without asking.
    pub is_certain: bool,
}

impl Meant {
    /// Creates a word besides which nothing can be meant.
    pub fn certain(word: impl Into<String>) -> Self {
        Meant { word: word.into(), is_certain: true }
    }

    /// Returns a longer text that has this word in it, just as certain.
    pub fn within(&self, text: impl Into<String>) -> Self {
        Meant { word: text.into(), is_certain: self.is_certain }
    }
}

impl Deref for Meant {
    type Target = str;

    fn deref(&self) -> &str {
        &self.word
    }
}

impl fmt::Display for Meant {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.word)
    }
}

/// A word that is likely, and no more.
impl From<&str> for Meant {
    fn from(word: &str) -> Self {
        Meant { word: word.to_owned(), is_certain: false }
    }
}

impl From<String> for Meant {
    fn from(word: String) -> Self {
        Meant { word, is_certain: false }
    }
}

/// Returns the [`nearest`](super::nearest) candidate, as [`Words::meant`] does.
pub fn meant<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Meant> {
    Words::new(candidates).meant(word)
}

impl Words<'_> {
    /// Returns the [nearest](Words::nearest) word.
    ///
    /// It is certain if it differs only in the case of letters or in a slash at an end, or in one letter (of a word of eight or more, in
    /// two), and no other word is similar. Digits are never mistyped: `/news/2025` is not `/news/2024`.
    pub fn meant(&self, word: &str) -> Option<Meant> {
        let found = self.nearest(word)?;
        Some(Meant { word: found.to_owned(), is_certain: self.is_certain(word, found) })
    }

    fn is_certain(&self, word: &str, found: &str) -> bool {
        let folded = |text: &str| text.trim_matches('/').to_lowercase();
        let own = folded(word);
        if folded(found) == own {
            return self.iter().filter(|other| folded(other) == own && *other != found).count() == 0;
        }
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let length = own.chars().count();
        let limit = if length >= 8 { 2 } else { 1 };
        let is_close = length >= 4 && strsim::osa_distance(&own, &folded(found)) <= limit;
        is_close && digits(word) == digits(found) && self.nearest_but(word, Some(found)).is_none()
    }
}

/// Returns the file that was meant by a path. It is certain if it is the only one of that name, in another folder.
pub fn meant_path<'a>(path: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<Meant> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let found = super::nearest_path(path, candidates.iter().copied())?;
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
    let own = name(path);
    let same = candidates.iter().filter(|other| name(other) == own).count();
    let is_certain = match same {
        0 => meant(path, candidates.iter().copied()).is_some_and(|meant| meant.is_certain && meant.word == found),
        same => same == 1 && name(found) == own,
    };
    Some(Meant { word: found.to_owned(), is_certain })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_certain_if_it_is_close_and_nothing_else_is() {
        let keys = ["title", "template", "description", "price", "prices"];
        let certain = |word, candidates: &[&'static str]| meant(word, candidates.iter().copied()).unwrap().is_certain;
        assert!(certain("tittle", &keys));
        assert!(certain("descripton", &keys));
        assert!(certain("Description", &keys));
        assert!(!certain("desc", &keys), "it only begins so");
        assert!(!certain("prise", &keys), "there are two");
        assert!(!certain("dt", &["dy"]), "too short");
        assert!(!certain("/news/2025", &["/news/2024", "/about"]));
        assert!(certain("/prices/", &["/prices", "/price"]));
        assert!(certain("/About", &["/about", "/abort"]));
    }

    #[test]
    fn the_only_file_of_a_name_is_certain() {
        let certain = |path, files: &[&'static str]| meant_path(path, files.iter().copied()).unwrap().is_certain;
        assert!(certain("old/Oven.jpg", &["photos/oven.jpg", "photos/team.jpg"]));
        assert!(!certain("old/oven.jpg", &["photos/oven.jpg", "other/oven.jpg"]));
        assert!(certain("photos/tema.jpg", &["photos/team.jpg", "logo.svg"]));
        assert!(!certain("photos/oven.jpg", &["photos/brick-oven.jpg"]));
    }
}
