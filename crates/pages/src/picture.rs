//! The function `picture` of templates.

use super::kwargs::{given, needed};
use super::{convert, mistakes};
use sitegen_content::assets::{Asset, Near};
use sitegen_content::settings::Settings;
use sitegen_core::diagnostics::{AssetProblem, nearest};
use sitegen_pictures::{
    self as pictures, Alternative, Focus, Format, Header, Picture, Presentation, Sizes, WITHOUT_AVIF,
};
use tera::value::Key;
use tera::{Error, Kwargs, Map, TeraResult, Value};

/// The keys of an item of `sources`.
const OF_SOURCE: [&str; 6] = ["media", "path", "widths", "sizes", "ratio", "focus"];

/// What is said of an animation where it should be cropped.
const ANIMATION: &str = "it is an animation, which cannot be cropped or scaled";

/// The most widths of one picture. Each is a file in every format.
const MAX_WIDTHS: usize = 20;

/// The largest width that can be asked for, in pixels.
const MAX_WIDTH: u32 = 8000;

/// `picture(path="photos/loaf.jpg", alt="A loaf")`: a picture in several sizes and formats, of which browsers choose.
pub fn picture(settings: &Settings, assets: &Near, kwargs: &Kwargs) -> TeraResult<Value> {
    let path: &str = needed(kwargs, "picture", "path")?;
    let (asset, header) = find(assets, path)?;
    let description = asset.description.as_deref();
    let alt = match (text(kwargs, "alt")?, description.and_then(|description| description.alt.as_ref())) {
        (Some(alt), _) => alt.to_owned(),
        (None, Some(alt)) => alt.clone(),
        (None, None) => {
            let message = format!(
                "the picture `{path}` has no `alt`: describe what it shows, here or in \
                 `{file}.yaml`; write `alt=\"\"` if it is decorative",
                file = asset.source
            );
            return Err(Error::message(message));
        }
    };
    let mut presentation =
        settings.options.pictures.presentation(alt, description.and_then(|description| description.focus));
    read_part(|name| kwargs.get::<Value>(name), &mut presentation)?;
    let formats = kwargs.get::<Value>("formats")?.map(|formats| read_formats(&formats)).transpose()?;
    // JPEG of the settings is for the pictures that it does not spoil.
    let is_jpeg = formats.as_ref().is_some_and(|formats| formats.contains(&Format::Jpeg));
    presentation.formats = formats.unwrap_or(presentation.formats);
    let opaque = |path: &str, header: &Header| match header.has_alpha && is_jpeg {
        true => Err(mistakes::error(AssetProblem::BadPicture {
            path: path.to_owned(),
            detail: "it has transparent parts, which JPEG does not support".to_owned(),
            fix: "remove `\"jpeg\"` from `formats`".to_owned(),
        })),
        false => Ok(()),
    };
    opaque(path, header)?;
    let list = kwargs.get::<Value>("sources")?;
    let list = list.as_ref().filter(|list| !list.is_none());
    let items = list.map(|list| list.as_array().ok_or_else(wrong_sources)).transpose()?.unwrap_or_default();
    let mut alternatives = Vec::new();
    for item in items {
        let map = item.as_map().ok_or_else(wrong_sources)?;
        if let Some(key) = map.keys().map(ToString::to_string).find(|key| !OF_SOURCE.contains(&key.as_str())) {
            let meant = nearest(&key, OF_SOURCE).map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            return Err(Error::message(format!("an item of `sources` has no key `{key}`{meant}")));
        }
        let get = |name: &'static str| Ok(map.get(&Key::from(name)).cloned());
        let media = map.get(&Key::from("media")).and_then(Value::as_str).map(str::trim);
        let media = media.filter(|media| is_query(media)).ok_or_else(wrong_sources)?;
        let own = map.get(&Key::from("path")).and_then(Value::as_str);
        let (asset, header) = own.map_or(Ok((asset, header)), |path| find(assets, path))?;
        opaque(asset.path(), header)?;
        let focus = asset.description.as_deref().and_then(|description| description.focus);
        let mut presentation = presentation.clone();
        if own.is_some() {
            presentation.ratio = None;
            presentation.focus = focus.unwrap_or(Focus::CENTER);
        }
        read_part(get, &mut presentation)?;
        let picture = Picture { path: asset.path(), digest: &asset.digest, header, url: &asset.url };
        if header.is_animated {
            return Err(mistakes::error(AssetProblem::BadPicture {
                path: asset.path().to_owned(),
                detail: ANIMATION.to_owned(),
                fix: "use a still picture in `sources`".to_owned(),
            }));
        }
        alternatives.push(Alternative { media, picture, presentation });
    }
    if header.is_animated && presentation.ratio.is_some() {
        return Err(mistakes::error(AssetProblem::BadPicture {
            path: path.to_owned(),
            detail: ANIMATION.to_owned(),
            fix: "remove `ratio`, or use a still picture".to_owned(),
        }));
    }
    presentation.priority = given(kwargs, "picture", "priority")?.unwrap_or(false);
    presentation.class = text(kwargs, "class")?.map(str::to_owned);
    let picture = Picture { path: asset.path(), digest: &asset.digest, header, url: &asset.url };
    Ok(Value::safe_string(&pictures::markup(picture, &presentation, &alternatives, &settings.base_path)))
}

/// Returns a picture that can be scaled, and its header.
fn find<'a>(assets: &Near<'a>, path: &str) -> TeraResult<(&'a Asset, &'a Header)> {
    let asset = assets.get(path).ok_or_else(|| mistakes::error(assets.unknown(path)))?;
    let bad = |detail: &str, fix: &str| {
        let (path, detail, fix) = (path.to_owned(), detail.to_owned(), fix.to_owned());
        mistakes::error(AssetProblem::BadPicture { path, detail, fix })
    };
    match asset.header() {
        Some(Ok(header)) => Ok((asset, header)),
        Some(Err(problem)) => Err(mistakes::error(problem)),
        None if path.to_ascii_lowercase().ends_with(".svg") => {
            let fix = "show it with `inline_svg`, or with `<img>` and `asset`";
            Err(bad("an SVG has no pixels to scale", fix))
        }
        None => Err(bad("its file extension is not that of a picture", "use a JPEG, PNG, WebP or GIF file")),
    }
}

/// Reads which part of a picture is shown, and how large.
fn read_part(
    get: impl Fn(&'static str) -> TeraResult<Option<Value>>,
    presentation: &mut Presentation,
) -> TeraResult<()> {
    let text = |name: &'static str| -> TeraResult<Option<String>> {
        let Some(value) = get(name)?.filter(|value| !value.is_none()) else { return Ok(None) };
        let text = value.as_str().map(str::to_owned);
        text.map(Some).ok_or_else(|| Error::message(format!("`{name}` must be text")))
    };
    if let Some(widths) = get("widths")? {
        presentation.widths = read_widths(&widths)?;
    }
    if let Some(sizes) = text("sizes")? {
        Sizes::parse(&sizes).map_err(|detail| Error::message(format!("`sizes`: {detail}")))?;
        presentation.sizes = sizes;
    }
    if let Some(ratio) = get("ratio")? {
        presentation.ratio = Some(read_ratio(&ratio)?);
    }
    if let Some(focus) = text("focus")? {
        presentation.focus = Focus::parse(&focus).ok_or_else(|| {
            Error::message(format!("`{focus}` is not a valid position, like `left`, `top right` or `30% 60%`"))
        })?;
    }
    Ok(())
}

/// Whether a text may be a media query: not empty, and each bracket closed.
fn is_query(text: &str) -> bool {
    let mut depth = 0_i32;
    let is_balanced = text.chars().all(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth >= 0
    });
    !text.is_empty() && is_balanced && depth == 0 && !text.contains(['{', '}', ';'])
}

fn wrong_sources() -> Error {
    let example = "`[{\"media\": \"(max-width: 40rem)\", \"ratio\": \"4/5\"}]`";
    Error::message(format!("`sources` must be a list with a media query for each picture, like {example}"))
}

/// `picture_info(path="photos/loaf.jpg")`: what is known of a picture: `width` and `height` in pixels, and `alt`, `credit`
/// and `licence` as far as the file beside it has them.
pub fn info(assets: &Near, kwargs: &Kwargs) -> TeraResult<Value> {
    let path: &str = needed(kwargs, "picture_info", "path")?;
    let asset = assets.get(path).ok_or_else(|| mistakes::error(assets.unknown(path)))?;
    let mut map = Map::new();
    match asset.header() {
        Some(Ok(header)) => {
            map.insert(Key::from("width"), Value::from(u64::from(header.width)));
            map.insert(Key::from("height"), Value::from(u64::from(header.height)));
        }
        Some(Err(problem)) => return Err(mistakes::error(problem)),
        None => {
            return Err(mistakes::error(AssetProblem::BadPicture {
                path: path.to_owned(),
                detail: "its file extension is not that of a picture".to_owned(),
                fix: "use a JPEG, PNG, WebP or GIF file".to_owned(),
            }));
        }
    }
    let description = asset.description.as_deref().cloned().unwrap_or_default();
    for (name, text) in [("alt", description.alt), ("credit", description.credit), ("licence", description.licence)] {
        if let Some(text) = text {
            map.insert(Key::from(name), convert::text(&text));
        }
    }
    Ok(Value::from(map))
}

/// `picture_url(path="photos/loaf.jpg", width=1200)`: the address of one copy of a picture, from the site's root: for what
/// is no `<img>`, such as a link preview. A picture with fewer pixels is not made larger.
pub fn address(settings: &Settings, assets: &Near, kwargs: &Kwargs) -> TeraResult<String> {
    const NAME: &str = "picture_url";
    let path: &str = needed(kwargs, NAME, "path")?;
    let (asset, header) = find(assets, path)?;
    let focus = asset.description.as_deref().and_then(|description| description.focus);
    let mut presentation = settings.options.pictures.presentation(String::new(), focus);
    let width: u32 = needed(kwargs, NAME, "width")?;
    if !(1..=MAX_WIDTH).contains(&width) {
        return Err(Error::message(format!("`width` of `{NAME}` must be a number of pixels up to {MAX_WIDTH}")));
    }
    read_part(
        |name| if name == "widths" || name == "sizes" { Ok(None) } else { kwargs.get::<Value>(name) },
        &mut presentation,
    )?;
    presentation.widths = vec![width];
    let format = match given::<&str>(kwargs, NAME, "format")? {
        Some(name) => {
            let wrong = || format!("`format` of `{NAME}` must be `\"jpeg\"`, `\"png\"`, `\"webp\"` or `\"avif\"`");
            Some(Format::of(name).ok_or_else(|| Error::message(wrong()))?)
        }
        None => None,
    };
    let bad = |detail: &str, fix: &str| {
        let (path, detail, fix) = (path.to_owned(), detail.to_owned(), fix.to_owned());
        mistakes::error(AssetProblem::BadPicture { path, detail, fix })
    };
    if header.is_animated {
        return Err(bad("it is an animation, which cannot be cropped or scaled", "use `asset` for it"));
    }
    if format.is_some_and(|format| !format.is_written()) {
        return Err(Error::message(WITHOUT_AVIF));
    }
    let picture = Picture { path: asset.path(), digest: &asset.digest, header, url: &asset.url };
    let (address, format) = pictures::address(picture, &presentation, format);
    if header.has_alpha && format == Format::Jpeg {
        return Err(bad("it has transparent parts, which JPEG does not support", "write `format=\"png\"`"));
    }
    Ok(address)
}

/// Returns an argument that is a text. One of `none` counts as left out, as it is in a component's default.
fn text<'k>(kwargs: &'k Kwargs, name: &'static str) -> TeraResult<Option<&'k str>> {
    match kwargs.get::<Value>(name)? {
        Some(value) if value.is_none() => Ok(None),
        Some(_) => given(kwargs, "picture", name),
        None => Ok(None),
    }
}

fn read_widths(value: &Value) -> TeraResult<Vec<u32>> {
    let wrong = || {
        let message = format!(
            "`widths` must be a list of 1 to {MAX_WIDTHS} whole numbers of pixels up to {MAX_WIDTH}, like `[400, 800]`"
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

/// Reads `1.5`, `"1.5"`, `"3/2"` or `"3:2"`.
fn read_ratio(value: &Value) -> TeraResult<f64> {
    let ratio = match (value.as_str(), value.as_f64()) {
        (Some(text), _) => {
            let number = |text: &str| text.trim().parse::<f64>().ok();
            match text.split_once(['/', ':']) {
                Some((width, height)) => number(width).zip(number(height)).map(|(width, height)| width / height),
                None => number(text),
            }
        }
        (None, number) => number,
    };
    let ratio = ratio.filter(|ratio| (0.01..=100.0).contains(ratio));
    ratio.ok_or_else(|| Error::message("`ratio` must be width divided by height, like `\"16/9\"` or `1.5`"))
}

fn read_formats(value: &Value) -> TeraResult<Vec<Format>> {
    let wrong = || Error::message("`formats` must be a list of `\"avif\"`, `\"webp\"`, `\"jpeg\"` and `\"png\"`");
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
