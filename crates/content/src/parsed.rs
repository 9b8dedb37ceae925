//! A parsed file of content, before its body is rendered.

use super::words;
use super::yaml::Node;
use sitegen_core::cache::digest_of;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{Digest, JoinedText, digest};

/// A parsed file of content whose body is not rendered yet.
pub struct ParsedDocument<'s> {
    /// From the root of the project.
    pub path: &'s SourcePath,
    /// The whole file, with front matter and body.
    pub text: JoinedText<'s>,
    /// The part of the file that has its keys, and of a translation also that of the text that it translates.
    pub keys: [&'s str; 2],
    /// A mapping: the front matter, or all of a YAML file.
    pub data: Node,
    /// The Markdown after the front matter, and its offset in the text. A YAML file has none.
    pub body: Option<(&'s str, usize)>,
}

impl ParsedDocument<'_> {
    /// Whether its body is that of the text that it translates.
    pub fn has_body_of_original(&self) -> bool {
        self.body.is_some_and(|(_, start)| self.text.original_at().is_some_and(|at| at <= start))
    }

    /// Returns the texts that a page shows, with the keys: of a text that is translated, only what the translation lacks.
    pub fn shown(&self) -> impl Iterator<Item = &str> {
        let body = self.body.filter(|_| self.has_body_of_original()).map(|(body, _)| body);
        [self.text.own, self.keys[1]].into_iter().chain(body)
    }

    /// Whether its title, its body or another of its texts has words of its own, beside references.
    pub fn has_words(&self) -> bool {
        let title = self.data.get("title").and_then(Node::text);
        let mut has_words = title.into_iter().chain(self.body.map(|(body, _)| body)).any(words::has_words);
        self.data.each_text(&mut |text| has_words |= words::is_text(text, false));
        has_words
    }

    /// Returns the digest of its keys.
    pub fn keys_digest(&self) -> Digest {
        match self.keys {
            [keys, ""] => digest(keys.as_bytes()),
            both => digest_of(&both),
        }
    }
}
