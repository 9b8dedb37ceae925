//! What projects may use that not every compiler reads. Each of these is one line to switch.

/// `aliases:` and `path:` in front matter. Without them, aliases are `redirects` of `site.yaml`, and an address that no file name
/// can have leads to the nearest one that can.
pub const ADDRESS_KEYS: bool = false;

/// Files beside their text: `news/harvest/index.md` with `barn.jpg`. Without it they are in `content/assets`.
pub const FILES_BESIDE: bool = false;

/// RSS feeds and feeds at any address. Without them, the old addresses lead to the Atom feeds.
pub const FEED_PATHS: bool = false;
