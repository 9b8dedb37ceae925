//! What the browser sends. No request has the path of a file.

use serde::Deserialize;
use serde_json::Value as Json;

/// A page, by its address on this server.
#[derive(Deserialize)]
pub struct Address {
    pub address: String,
    /// The names of the elements that the browser has of it, in the order of their start tags.
    #[serde(default)]
    pub elements: Option<Vec<String>>,
}

/// Something that was shown.
#[derive(Deserialize)]
pub struct Id {
    pub id: String,
}

/// A change of one value. Without any of the others, `value` is the new value, and nothing removes the key.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    pub id: String,
    #[serde(default)]
    pub value: Option<Json>,
    /// A number for the value, as it was typed.
    #[serde(default)]
    pub number: Option<String>,
    /// An item that is added to a list.
    #[serde(default)]
    pub add: Option<Json>,
    /// Before which item, from 0. Without it, after the last one.
    #[serde(default)]
    pub at: Option<usize>,
    /// The item of a list that is moved.
    #[serde(default, rename = "move")]
    pub moved: Option<usize>,
    /// Its new place.
    #[serde(default)]
    pub to: Option<usize>,
    /// The item of a list that is removed.
    #[serde(default)]
    pub remove: Option<usize>,
    /// A picture for the value.
    #[serde(default)]
    pub upload: Option<Upload>,
    /// What the picture shows that the value names, for people who cannot see it.
    #[serde(default)]
    pub alt: Option<String>,
    /// Whether the value replaces what somebody else has written meanwhile.
    #[serde(default)]
    pub over: bool,
}

/// A change that is undone or done again.
#[derive(Deserialize)]
pub struct Step {
    /// The number of the change that the browser showed. Without it, the last one.
    #[serde(default)]
    pub id: Option<String>,
    /// Whether it replaces what somebody else has written meanwhile.
    #[serde(default)]
    pub over: bool,
    /// Whether it is given up instead: what somebody else has written stays.
    #[serde(default)]
    pub skip: bool,
}

/// A file of the browser.
#[derive(Clone, Deserialize)]
pub struct Upload {
    pub name: String,
    /// Its bytes in base64.
    pub data: String,
}

/// A picture for the assets of the site.
#[derive(Deserialize)]
pub struct NewPicture {
    pub upload: Upload,
}

/// A new page or entry.
#[derive(Deserialize)]
pub struct Create {
    pub id: String,
    pub title: String,
    /// The last part of its address. Without it, made from the title.
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub draft: bool,
}
