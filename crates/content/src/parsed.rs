//! A parsed file of content, before its body is rendered.

use super::yaml::Node;
use sitegen_core::cache::digest_of;
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::{Digest, digest};

/// A parsed file of content whose body is not rendered yet.
pub struct ParsedDocument<'s> {
    /// From the root of the project.
    pub path: &'s SourcePath,
    /// The whole file, with front matter and body. After a translation follows the text that it translates.
    pub text: &'s str,
    /// The part of the file that has its keys, and of a translation also that of the text that it translates.
    pub keys: [&'s str; 2],
    /// Where that text begins.
    pub original: Option<usize>,
    /// A mapping: the front matter, or all of a YAML file.
    pub data: Node,
    /// The Markdown after the front matter, and its offset in the text. A YAML file has none.
    pub body: Option<(&'s str, usize)>,
}

impl ParsedDocument<'_> {
    /// Returns the digest of its keys.
    pub fn keys_digest(&self) -> Digest {
        match self.keys {
            [keys, ""] => digest(keys.as_bytes()),
            both => digest_of(&both),
        }
    }
}
