//! The function `picture` of templates.

use crate::content::assets::Assets;
use crate::content::settings::Settings;
use crate::diagnostics::Problem;
use crate::pictures::{self, Focus, Format, Picture, Sizes, WITHOUT_AVIF};
use tera::{Error, Kwargs, TeraResult, Value};

/// Its arguments.
pub const ARGUMENTS: [&str; 9] = ["path", "alt", "widths", "sizes", "ratio", "focus", "formats", "priority", "class"];

/// The most widths of one picture. Each is a file in every format.
const MAX_WIDTHS: usize = 20;

/// The largest width that can be asked for, in pixels.
const MAX_WIDTH: u32 = 8000;

/// `picture(path="photos/loaf.jpg", alt="A loaf")`: a picture in several sizes and formats, of which browsers choose.
///
/// `encode` makes an error of a problem.
pub fn picture(
    settings: &Settings,
    assets: &Assets,
    kwargs: &Kwargs,
    encode: fn(&Problem) -> Error,
) -> TeraResult<Value> {
    let path: &str = kwargs.must_get("path")?;
    let asset = assets.get(path).ok_or_else(|| encode(&assets.unknown(path)))?;
    let bad = |detail: &str, fix: &str| {
        let (path, detail, fix) = (path.to_owned(), detail.to_owned(), fix.to_owned());
        encode(&Problem::BadPicture { path, detail, fix })
    };
    let header = match asset.header() {
        Some(Ok(header)) => header,
        Some(Err(problem)) => return Err(encode(&problem)),
        None if path.to_ascii_lowercase().ends_with(".svg") => {
            let fix = "show it with `inline_svg`, or with `<img>` and `asset`";
            return Err(bad("an SVG has no pixels to scale", fix));
        }
        None => return Err(bad("its name is not that of a picture", "pictures are JPEG, PNG, WebP and GIF files")),
    };
    let description = asset.description.as_deref();
    let alt = match (text(kwargs, "alt")?, description.and_then(|description| description.alt.as_ref())) {
        (Some(alt), _) => alt.to_owned(),
        (None, Some(alt)) => alt.clone(),
        (None, None) => {
            let message = format!(
                "the picture `{path}` has no `alt`: say what it shows, here or in `content/assets/{path}.yaml`; \
                 `alt=\"\"` is for a picture that only decorates"
            );
            return Err(Error::message(message));
        }
    };
    let mut wanted = settings.pictures.wanted(alt, description.and_then(|description| description.focus));
    if let Some(widths) = kwargs.get::<Value>("widths")? {
        wanted.widths = read_widths(&widths)?;
    }
    if let Some(sizes) = text(kwargs, "sizes")? {
        Sizes::parse(sizes).map_err(|detail| Error::message(format!("`sizes`: {detail}")))?;
        wanted.sizes = sizes.to_owned();
    }
    if let Some(ratio) = kwargs.get::<Value>("ratio")? {
        wanted.ratio = Some(read_ratio(&ratio)?);
    }
    if let Some(focus) = text(kwargs, "focus")? {
        wanted.focus = Focus::parse(focus).ok_or_else(|| {
            Error::message(format!("`{focus}` is not a place in a picture, like `left`, `top right` or `30% 60%`"))
        })?;
    }
    if let Some(formats) = kwargs.get::<Value>("formats")? {
        wanted.formats = read_formats(&formats)?;
    }
    if header.has_alpha && wanted.formats.contains(&Format::Jpeg) {
        return Err(bad("it has transparent parts, and JPEG has none", "leave `\"jpeg\"` out of `formats`"));
    }
    wanted.priority = kwargs.get("priority")?.unwrap_or(false);
    wanted.class = text(kwargs, "class")?.map(str::to_owned);
    let picture = Picture { path, digest: &asset.digest, header, url: &asset.url };
    Ok(Value::safe_string(&pictures::markup(picture, &wanted, &settings.base_path)))
}

/// Returns an argument that is a text. One of `none` counts as left out, as it is in a component's default.
fn text<'k>(kwargs: &'k Kwargs, name: &'static str) -> TeraResult<Option<&'k str>> {
    match kwargs.get::<Value>(name)? {
        Some(value) if value.is_none() => Ok(None),
        Some(_) => kwargs.get(name),
        None => Ok(None),
    }
}

fn read_widths(value: &Value) -> TeraResult<Vec<u32>> {
    let wrong = || {
        let message = format!(
            "`widths` is a list of 1 to {MAX_WIDTHS} whole numbers of pixels up to {MAX_WIDTH}, like `[400, 800]`"
        );
        Error::message(message)
    };
    let items = value.as_array().filter(|items| (1..=MAX_WIDTHS).contains(&items.len())).ok_or_else(wrong)?;
    let width = |item: &Value| {
        let width = item.as_i128().and_then(|width| u32::try_from(width).ok());
        width.filter(|width| (1..=MAX_WIDTH).contains(width)).ok_or_else(wrong)
    };
    items.iter().map(width).collect()
}

/// Reads `1.5`, `"3/2"` or `"3:2"`.
fn read_ratio(value: &Value) -> TeraResult<f64> {
    let ratio = match (value.as_str(), value.as_f64()) {
        (Some(text), _) => text.split_once(['/', ':']).and_then(|(width, height)| {
            let number = |text: &str| text.trim().parse::<f64>().ok();
            Some(number(width)? / number(height)?)
        }),
        (None, number) => number,
    };
    let ratio = ratio.filter(|ratio| (0.01..=100.0).contains(ratio));
    ratio.ok_or_else(|| Error::message("`ratio` is width divided by height, like `\"16/9\"` or `1.5`"))
}

fn read_formats(value: &Value) -> TeraResult<Vec<Format>> {
    let wrong = || Error::message("`formats` is a list of `\"avif\"`, `\"webp\"`, `\"jpeg\"` and `\"png\"`");
    let mut formats = Vec::new();
    for item in value.as_array().ok_or_else(wrong)? {
        let format = item.as_str().and_then(Format::of).ok_or_else(wrong)?;
        if !format.is_written() {
            return Err(Error::message(WITHOUT_AVIF));
        }
        formats.push(format);
    }
    Ok(formats)
}
