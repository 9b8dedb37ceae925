//! What projects may use that not every compiler reads. Each of these is one line to switch.

/// Files beside their text: `news/harvest/index.md` with `barn.jpg`. Without it they are in `content/assets`.
pub const FILES_BESIDE: bool = true;
