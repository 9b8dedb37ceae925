//! A parsed file of content, before its body is rendered.

use super::yaml::Node;
use sitegen_core::paths::SourcePath;

/// A parsed file of content whose body is not rendered yet.
pub struct ParsedDocument<'s> {
    /// The file.
    pub path: &'s SourcePath,
    /// Its text.
    pub text: &'s str,
    /// Its keys.
    pub data: Node,
    /// The Markdown after the front matter, and its offset in the text. A YAML file has none.
    pub body: Option<(&'s str, usize)>,
}
