//! A parsed file of content, before its body is rendered.

use super::yaml::Node;
use sitegen_core::paths::SourcePath;

/// A parsed file of content whose body is not rendered yet.
pub struct ParsedDocument<'s> {
    /// From the root of the project.
    pub path: &'s SourcePath,
    /// The whole file, with front matter and body.
    pub text: &'s str,
    /// A mapping: the front matter, or all of a YAML file.
    pub data: Node,
    /// The Markdown after the front matter, and its offset in the text. A YAML file has none.
    pub body: Option<(&'s str, usize)>,
}
