//! What may differ between two builds of the same sources, and nothing else may.

/// The choices of one build.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Address to publish at, in place of `url` in `site.yaml`.
    pub base_url: Option<String>,
    /// Whether islands are built with React's development build, which checks hydration and explains its errors.
    pub development: bool,
    /// Whether pages with `draft: true` are made too.
    pub drafts: bool,
}
