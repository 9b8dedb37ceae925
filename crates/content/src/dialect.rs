//! What Markdown means beyond CommonMark: the settings of `settings.markdown` in `site.yaml`.

use super::heading_ids::Ids;
use super::typed::OnByDefault;
use pulldown_cmark::Options;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Which extensions of Markdown a site uses.
///
/// Extensions that no text uses by chance are on unless the site says `false`. Those that give plain text another meaning are
/// off unless it says `true`; where a text seems to use one, and the site says nothing, the build warns.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Dialect {
    abbreviations: OnByDefault,
    alerts: OnByDefault,
    autolinks: OnByDefault,
    comments: OnByDefault,
    definition_lists: OnByDefault,
    task_lists: OnByDefault,
    toc: OnByDefault,
    containers: Option<bool>,
    emoji: Option<bool>,
    mark: Option<bool>,
    math: Option<bool>,
    subscript: Option<bool>,
    superscript: Option<bool>,
    wiki_links: Option<bool>,
    /// The level at which the headings of a text begin.
    pub headings: Headings,
    /// How ids of headings are made.
    pub ids: Ids,
    /// Whether texts may have HTML that can do more than show something.
    pub raw_html: bool,
    /// Other names of languages of code blocks.
    pub languages: BTreeMap<String, String>,
}

/// The level at which the headings of a text begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Headings {
    /// `#` is `<h1>`.
    #[default]
    Keep,
    /// `#` is `<h2>`, below the title of the page.
    Shift,
}

/// An extension that a site can turn on or off.
#[derive(Clone, Copy)]
pub struct Extension {
    /// Its key in `settings.markdown`.
    pub key: &'static str,
    /// Returns whether it is on, or nothing if the site has not decided about one that is off.
    state: fn(&Dialect) -> Option<bool>,
}

/// `*[HTML]: HyperText Markup Language`
pub const ABBREVIATIONS: Extension = Extension { key: "abbreviations", state: |dialect| Some(dialect.abbreviations.0) };
/// `> [!NOTE]`
pub const ALERTS: Extension = Extension { key: "alerts", state: |dialect| Some(dialect.alerts.0) };
/// `https://www.example.com` without `<` and `>` around it.
pub const AUTOLINKS: Extension = Extension { key: "autolinks", state: |dialect| Some(dialect.autolinks.0) };
/// `%% … %%`
pub const COMMENTS: Extension = Extension { key: "comments", state: |dialect| Some(dialect.comments.0) };
/// A term, and `: ` before each of its definitions.
pub const DEFINITION_LISTS: Extension =
    Extension { key: "definition_lists", state: |dialect| Some(dialect.definition_lists.0) };
/// `- [ ]` and `- [x]`
pub const TASK_LISTS: Extension = Extension { key: "task_lists", state: |dialect| Some(dialect.task_lists.0) };
/// `[TOC]`
pub const TOC: Extension = Extension { key: "toc", state: |dialect| Some(dialect.toc.0) };
/// `:::note`
pub const CONTAINERS: Extension = Extension { key: "containers", state: |dialect| dialect.containers };
/// `:smile:`
pub const EMOJI: Extension = Extension { key: "emoji", state: |dialect| dialect.emoji };
/// `==marked==`
pub const MARK: Extension = Extension { key: "mark", state: |dialect| dialect.mark };
/// `$x^2$`
pub const MATH: Extension = Extension { key: "math", state: |dialect| dialect.math };
/// `H~2~O`. Off, `~2~` is struck out, as in GitHub's dialect.
pub const SUBSCRIPT: Extension = Extension { key: "subscript", state: |dialect| dialect.subscript };
/// `x^2^`
pub const SUPERSCRIPT: Extension = Extension { key: "superscript", state: |dialect| dialect.superscript };
/// `[[Page]]`
pub const WIKI_LINKS: Extension = Extension { key: "wiki_links", state: |dialect| dialect.wiki_links };

impl Dialect {
    /// Whether texts have an extension.
    pub fn has(&self, extension: Extension) -> bool {
        (extension.state)(self) == Some(true)
    }

    /// Whether the site has not decided about an extension that is off.
    pub fn is_undecided(&self, extension: Extension) -> bool {
        (extension.state)(self).is_none()
    }

    /// Returns what the parser reads.
    pub(crate) fn options(&self) -> Options {
        let mut options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_SMART_PUNCTUATION
            | Options::ENABLE_HEADING_ATTRIBUTES;
        for (extension, option) in [
            (ALERTS, Options::ENABLE_GFM),
            (DEFINITION_LISTS, Options::ENABLE_DEFINITION_LIST),
            (TASK_LISTS, Options::ENABLE_TASKLISTS),
            (MATH, Options::ENABLE_MATH),
            (SUBSCRIPT, Options::ENABLE_SUBSCRIPT),
            (SUPERSCRIPT, Options::ENABLE_SUPERSCRIPT),
            (WIKI_LINKS, Options::ENABLE_WIKILINKS),
        ] {
            options.set(option, self.has(extension));
        }
        options
    }
}
