//! What may differ between two builds of the same sources, and nothing else may.

/// The choices of one build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Address to publish at, in place of `url` in `site.yaml`.
    pub base_url: Option<String>,
    /// Whether islands are built with React's development build, which checks hydration and explains its errors.
    pub development: bool,
    /// Whether pages with `draft: true` are made too.
    pub drafts: bool,
    /// The day of the build, in UTC. `publish` and `expires` are compared with it.
    pub today: jiff::civil::Date,
    /// Whether what comes out carries marks that tell which line wrote which tag. Never published: a build that found a
    /// mistake in a page makes that page once more to find the line.
    pub trace: bool,
}

impl Default for Profile {
    /// A production build without drafts, on the first day of the Unix epoch.
    fn default() -> Self {
        Profile {
            base_url: None,
            development: false,
            drafts: false,
            today: jiff::civil::date(1970, 1, 1),
            trace: false,
        }
    }
}
