//! Feeds.

use super::description::{Description, error, warning};

/// A feed, or an entry that cannot be in it.
#[derive(Clone, Debug, PartialEq)]
pub enum FeedProblem {
    /// An entry that cannot be in a feed.
    FeedEntry { detail: String, fix: &'static str },
    /// A feed of entries that have no pages.
    FeedWithoutPages { collection: String },
    /// An entry of a feed whose page has another address than at the last publication. `old`: the full address that it
    /// had.
    FeedName { old: String },
    /// A feed that no page links to. `media_type` and `name`: those of its format.
    UnlinkedFeed { address: String, media_type: &'static str, name: &'static str },
    /// A path at which a feed cannot be.
    FeedPath { path: String, reason: &'static str, fix: String },
}

pub(super) fn describe(problem: &FeedProblem) -> Description {
    use FeedProblem::*;
    match problem {
        FeedEntry { detail, fix } => error!("feed", "this cannot be in a feed: {detail}").label(*fix),
        FeedWithoutPages { collection } => {
            error!("feed", "feed items link to pages, but the entries of `{collection}` have no pages")
                .label("add a page file with `for_each`, or remove `feed`")
        }
        FeedName { old } => warning!(
            "feed",
            "the page of this entry moved, so feed readers will show it as new; set `feed_id: {old}` to prevent that"
        ),
        FeedPath { path, reason, fix } => {
            error!("feed", "`{path}` cannot be the path of a feed: {reason}").label(fix.clone())
        }
        UnlinkedFeed { address, media_type, name } => warning!(
            "feed",
            "no page links to the feed `{address}`, so feed readers cannot find it"
        )
        .step(format!(
            "add `<link rel=\"alternate\" type=\"{media_type}\" href=\"{{{{ url(path=page.feed.{name}) }}}}\">` to the \
             `<head>` of the list's page"
        )),
    }
}

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## feed

A list has a feed, but an entry or the list does not meet its requirements.
Feed readers show entries by title and time, and link to their pages. So every
entry in a feed needs a title, a date and its own page. Feed readers recognise
an entry by its id, which is the address of its page. If the page moves,
`feed_id` keeps the old id; without it this is a warning. A feed that no page
links to is also a warning: feed readers look for a `<link>` in the page. The
file of an `enclosure` has to exist, and `path` of a feed is a path of the site
with a name that ends in `.xml` or `.json`.

```yaml
# content/news/opening.yaml, listed in a feed
title: Opening
```

```yaml
title: Opening
date: 2026-05-04
```
"#;
