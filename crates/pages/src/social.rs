//! The functions `social_picture` and `favicons` of templates: pictures that are rendered from SVG.
//!
//! Both return the names of files that are made later, like all derived files (`artifacts/derived.rs`).
//! Unlike those of photographs, these names do not have everything in them that the files are made from. So a function
//! also leaves a [`Request`], which the cache keeps under the name as long as a page has it.

use super::kwargs::{given, needed};
use super::{Inputs, convert, mistakes};
use parking_lot::Mutex;
use pulldown_cmark_escape::escape_html;
use serde::{Deserialize, Serialize};
use sitegen_content::address::inside;
use sitegen_content::assets::{Assets, FOLDER, Near};
use sitegen_content::settings::Settings;
use sitegen_core::cache::{Cache, Digested, Persistent, Query, digest_of};
use sitegen_core::diagnostics::{AssetProblem, nearest};
use sitegen_core::paths::{SourcePath, percent_encoded};
use sitegen_core::sources::{Digest, SourceKind, digest};
use sitegen_pictures::{Fonts, Icon, Unfit, check_preview, preview_key};
use sitegen_templates::{TEMPLATES, Templates};
use std::collections::BTreeMap;
use std::sync::Arc;
use tera::{Context, Error, ErrorKind, Kwargs, State, Tera, TeraResult, Value};

/// What a file is made from, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Request {
    /// A link preview.
    Preview {
        /// The template below `templates`.
        template: String,
        /// What it rendered to.
        svg: String,
    },
    /// An icon.
    Icon {
        /// The SVG, by its [name](sitegen_content::assets::Asset::name).
        path: String,
        /// Which icon.
        icon: Icon,
        /// Red, green and blue of what is behind it.
        background: [u8; 3],
    },
    /// A file of this text: the manifest that names icons.
    Text {
        /// The SVG that its icons are made from, likewise.
        path: String,
        /// The JSON of the manifest.
        text: String,
    },
}

impl Persistent for Request {}

/// The requests that pages leave while they are rendered. The lock is held while one is inserted.
#[derive(Clone, Default)]
pub struct Requests(Arc<Mutex<BTreeMap<String, Request>>>);

impl Requests {
    fn add(&self, name: String, request: Request) {
        self.0.lock().insert(name, request);
    }

    fn has(&self, name: &str) -> bool {
        self.0.lock().contains_key(name)
    }

    /// Adds those of pages that were rendered elsewhere.
    pub fn extend(&self, others: BTreeMap<String, Request>) {
        self.0.lock().extend(others);
    }

    /// Puts them into the cache, and returns them.
    pub fn store(self, cache: &Cache) -> BTreeMap<String, Request> {
        let requests = std::mem::take(&mut *self.0.lock());
        requests.iter().for_each(|(name, request)| cache.store_saved(key(name), Arc::new(request.clone())));
        requests
    }
}

/// Returns what the file with a name from the site's root, like `/assets/social/card-1a2b3c4d5e6f7a8b.png`, is made from.
pub fn request(name: &str, cache: &Cache) -> Option<Arc<Request>> {
    let (_, rest) = name.rsplit_once('-')?;
    let (hash, extension) = rest.split_once('.')?;
    let is_one = hash.len() == 16 && matches!(extension, "png" | "ico" | "webmanifest");
    if is_one { cache.get_saved(&key(name)) } else { None }
}

/// Whether templates may ask for pictures that are rendered from SVG.
pub fn may_ask(templates: &Templates) -> bool {
    templates.iter().any(|each| each.text.contains(PREVIEW) || each.text.contains(ICONS))
}

/// Whether templates may ask for link previews.
pub fn may_ask_for_previews(templates: &Templates) -> bool {
    templates.iter().any(|each| each.text.contains(PREVIEW))
}

/// The names of the functions.
const PREVIEW: &str = "social_picture";
const ICONS: &str = "favicons";

fn key(name: &str) -> Digest {
    digest_of(&("derived file", name))
}

/// Whether an asset is a font that link previews can have.
pub fn is_font(path: &str) -> bool {
    let ending = path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    path.starts_with("fonts/") && ["ttf", "otf", "ttc", "woff2"].contains(&ending.as_str())
}

/// Returns the fonts of `content/assets/fonts`, or the path of a file there that is not a font. They are read once per process.
pub fn fonts(assets: &Assets, cache: &Cache) -> Result<Arc<Fonts>, String> {
    let files = assets.iter().filter(|asset| is_font(asset.path()));
    let files = files.filter_map(|asset| Some((asset.path(), Digested::new(asset.body.bytes()?, asset.digest))));
    cache.query(&ReadFonts { files: files.collect() })
}

#[derive(Hash)]
struct ReadFonts<'a> {
    files: Vec<(&'a str, Digested<&'a [u8]>)>,
}

impl Query for ReadFonts<'_> {
    const KIND: &'static str = "fonts";
    type Output = Fonts;
    /// The path of the file that is no font.
    type Refused = String;

    fn run(&self, _: &Cache) -> Result<Fonts, String> {
        Fonts::read(self.files.iter().map(|(path, bytes)| (*path, &bytes[..])))
    }
}

/// What `social_picture` needs.
pub struct Previews {
    /// Templates with all functions but this one. They are never traced: marks would be texts in a picture.
    engine: Tera,
    /// The SVG files of `templates/` that are no templates, by their names.
    plain: BTreeMap<String, String>,
    fonts: Result<Arc<Fonts>, String>,
    settings: Arc<Settings>,
    requests: Requests,
}

impl Previews {
    /// Reads what all previews have in common. `engine` has all functions but `social_picture`.
    pub fn of(engine: Tera, inputs: Inputs, requests: Requests) -> Self {
        let Inputs { sources, site, tools, .. } = inputs;
        let is_svg = |path: &SourcePath| path.extension() == Some("svg");
        let files = sources.of(SourceKind::Template).filter(|(path, _)| is_svg(path));
        let plain =
            files.filter_map(|(path, _)| Some((path.below(TEMPLATES)?.to_owned(), sources.text(path)?.to_owned())));
        let fonts = fonts(&site.assets, tools.cache());
        Previews { engine, plain: plain.collect(), fonts, settings: Arc::new(site.settings.clone()), requests }
    }

    /// `social_picture(template="social/card.svg", data={"title": page.title})`: the full address of a picture for link
    /// previews, as `og:image` wants it.
    ///
    /// The template sees the keys of `data`, and `page`, `site`, `entry`, `term` and `list` like any other.
    pub fn social_picture(&self, kwargs: &Kwargs, state: &State) -> TeraResult<String> {
        let template: &str = needed(kwargs, PREVIEW, "template")?;
        let mut context = Context::new();
        for name in ["site", "page", "entry", "term", "list"] {
            if let Some(value) = state.get::<Value>(name)? {
                context.insert_value(name, value);
            }
        }
        let data = kwargs.get::<Value>("data")?;
        if let Some(data) = &data {
            let data =
                data.as_map().ok_or_else(|| Error::message("`data` must be a map, like `{\"title\": page.title}`"))?;
            for (name, value) in data {
                context.insert_value(name.to_string(), value.clone());
            }
        }
        let svg = self.rendered(template, &context)?;
        let problem = |Unfit { detail, fix, text, line }: Unfit| {
            let detail = match line.map(|line| self.line_of(template, &svg, line)) {
                Some(Some(line)) => format!("`templates/{template}:{line}`: {detail}"),
                // What is inserted has lines too.
                Some(None) => {
                    format!("{detail}, at `{}`", svg.lines().nth(line.unwrap_or(1) - 1).unwrap_or_default().trim())
                }
                None => detail,
            };
            let problem = AssetProblem::SocialPicture { template: template.to_owned(), detail, fix };
            let page = state.get::<Value>("page").ok().flatten();
            let content = text.and_then(|text| written(&text, [data.as_ref(), page.as_ref()])).unwrap_or_default();
            mistakes::error_in(problem, &content)
        };
        let fonts = self.fonts.as_ref().map_err(|path| {
            let (detail, fix) =
                (format!("`content/assets/{path}` is not a font"), "use a TTF, OTF or WOFF2 file".to_owned());
            problem(Unfit { detail, fix, text: None, line: None })
        })?;
        let hash: String = preview_key(&svg, fonts)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let stem = template.strip_suffix(".svg").unwrap_or(template);
        let name = format!("{FOLDER}/{stem}-{hash}.png");
        if !self.requests.has(&name) {
            check_preview(&svg, fonts).map_err(problem)?;
            self.requests.add(name.clone(), Request::Preview { template: template.to_owned(), svg });
        }
        Ok(convert::absolute(&self.settings, &percent_encoded(&name)))
    }

    /// Returns the line of a template that has written a line of an SVG.
    fn line_of(&self, template: &str, svg: &str, line: usize) -> Option<usize> {
        let text = self.plain.get(template)?;
        let written = svg.lines().nth(line - 1)?.trim();
        let mut same = text.lines().enumerate().filter(|(_, line)| line.trim() == written);
        match (same.next(), same.next()) {
            (Some((number, _)), None) => Some(number + 1),
            _ if text.lines().count() == svg.lines().count() => Some(line),
            _ => None,
        }
    }

    fn rendered(&self, template: &str, context: &Context) -> TeraResult<String> {
        if !self.engine.contains_template(template) {
            return self.plain.get(template).cloned().ok_or_else(|| {
                let meant = nearest(template, self.plain.keys().map(String::as_str));
                let meant = meant.map_or(String::new(), |name| format!("; did you mean `{name}`?"));
                Error::message(format!("there is no `templates/{template}`{meant}"))
            });
        }
        if !template.ends_with(".svg") {
            return Err(Error::message(format!("`templates/{template}` is not an SVG; its name must end in `.svg`")));
        }
        self.engine.render(template, context).map_err(|error| match error.kind() {
            ErrorKind::RenderingError(report) => {
                let line = report.span().start_line;
                Error::message(format!("`templates/{}:{line}`: {}", report.filename(), report.message()))
            }
            _ => Error::message(error.to_string()),
        })
    }
}

/// Returns the longest text in some values that is in a text of a picture, or that the text is a part of: a line of a long
/// title.
fn written(text: &str, values: [Option<&Value>; 2]) -> Option<String> {
    let fits = |value: &str| !value.trim().is_empty() && (value.contains(text) || text.contains(value.trim()));
    let mut texts = Vec::new();
    for values in values.into_iter().flatten().filter_map(Value::as_map) {
        texts.extend(values.iter().filter_map(|(_, value)| value.as_str()).filter(|value| fits(value)));
    }
    texts.into_iter().max_by_key(|text| text.len()).map(str::to_owned)
}

/// `favicons(path="icon.svg", background="#ffffff", manifest=true)`: the icons of a site, from one SVG.
pub fn favicons(settings: &Settings, assets: &Near, requests: &Requests, kwargs: &Kwargs) -> TeraResult<Value> {
    let path: &str = needed(kwargs, ICONS, "path")?;
    let asset = assets.get(path).ok_or_else(|| mistakes::error(assets.unknown(path)))?;
    let written: &str = given(kwargs, ICONS, "background")?.unwrap_or("#ffffff");
    let background = color(written)
        .ok_or_else(|| Error::message(format!("`background` must be a colour like `\"#ffffff\"`, not `{written}`")))?;
    let bad =
        |detail: String, fix: String| mistakes::error(AssetProblem::BadPicture { path: path.to_owned(), detail, fix });
    let svg = convert::asset_text(asset).filter(|_| path.to_ascii_lowercase().ends_with(".svg"));
    let svg = svg.ok_or_else(|| bad("it is not an SVG".into(), "icons of all sizes are made from one SVG".into()))?;
    // The smallest shows whether it can be rendered at all. The rest is made later.
    Icon::Png(1).render(svg, background).map_err(|unfit| bad(unfit.detail, unfit.fix))?;
    let stem = asset.path().rsplit_once('.').map_or(asset.path(), |(stem, _)| stem);
    let ask = |kind: &str, extension: &str, key: Digest, request: Request| {
        let hash: String = key[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let name = format!("{FOLDER}/{stem}-{kind}-{hash}.{extension}");
        requests.add(name.clone(), request);
        inside(&settings.base_path, &percent_encoded(&name))
    };
    let icon = |icon: Icon| {
        let (kind, extension) = icon.name();
        ask(
            &kind,
            extension,
            icon.key(&asset.digest, background),
            Request::Icon { path: asset.name().to_owned(), icon, background },
        )
    };
    let own = inside(&settings.base_path, &asset.url);
    // The order matters: browsers take the last that they can read.
    let mut html = String::new();
    let mut link = |attributes: &[(&str, &str)]| {
        html.push_str(if html.is_empty() { "<link" } else { "\n<link" });
        for (name, value) in attributes {
            html.push_str(&format!(" {name}=\""));
            // Writing to a String cannot fail.
            let _ = escape_html(&mut html, value);
            html.push('"');
        }
        html.push('>');
    };
    link(&[("rel", "icon"), ("href", &icon(Icon::Ico)), ("sizes", "32x32")]);
    link(&[("rel", "icon"), ("href", &own), ("type", "image/svg+xml")]);
    link(&[("rel", "apple-touch-icon"), ("href", &icon(Icon::Touch))]);
    if given(kwargs, ICONS, "manifest")?.unwrap_or(true) {
        let entry = |kind: Icon, purpose: &str| {
            let size = kind.size();
            serde_json::json!({ "src": icon(kind), "type": "image/png", "sizes": format!("{size}x{size}"), "purpose": purpose })
        };
        let manifest = serde_json::json!({
            "name": settings.name,
            "icons": [entry(Icon::Png(192), "any"), entry(Icon::Png(512), "any"), entry(Icon::Maskable, "maskable")],
            "background_color": written,
        });
        let text = manifest.to_string();
        let key = digest(text.as_bytes());
        link(&[
            ("rel", "manifest"),
            ("href", &ask("manifest", "webmanifest", key, Request::Text { path: asset.name().to_owned(), text })),
        ]);
    }
    Ok(Value::safe_string(&html))
}

/// Reads `#fff` or `#ffffff`.
fn color(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#')?;
    let digit = |at: usize| digits.get(at..=at).and_then(|digit| u8::from_str_radix(digit, 16).ok());
    match digits.len() {
        3 => Some([digit(0)? * 17, digit(1)? * 17, digit(2)? * 17]),
        6 => Some([digit(0)? * 16 + digit(1)?, digit(2)? * 16 + digit(3)?, digit(4)? * 16 + digit(5)?]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_color_is_written_as_in_css() {
        assert_eq!(color("#fff"), Some([255; 3]));
        assert_eq!(color("#0a1B2c"), Some([10, 27, 44]));
        for wrong in ["fff", "#ffff", "white", "#ggg", "#", "#é1"] {
            assert_eq!(color(wrong), None, "{wrong}");
        }
    }
}
