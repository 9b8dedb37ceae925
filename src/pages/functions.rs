//! The functions and filters of templates besides Tera's own.

use super::calendar::Moment;
use super::islands::Marked;
use super::{Inputs, islands, svg, values};
use crate::content::address::{Addresses, inside, scheme_of};
use crate::content::assets::Assets;
use crate::content::markdown::{self, Context};
use crate::content::quotes::Quotes;
use crate::content::settings::Settings;
use crate::content::svg as svg_file;
use crate::diagnostics::{Lost, Problem, message, nearest};
use crate::html;
use crate::paths::SourcePath;
use std::cmp::Ordering;
use std::sync::Arc;
use tera::value::Key;
use tera::{ArgFromValue, Error, Kwargs, Map, Number, State, StringInput, Tera, TeraResult, Value};
use tera_contrib::regex::{Matching, RegexReplace};
use tera_contrib::{base64, filesize_format, format, regex, slug, urlencode};

/// Registers those that need no site, and a stub for each of the others, so that templates can be checked for unknown
/// names before there is a site.
pub fn stub(engine: &mut Tera) {
    engine.register_filter("b64_decode", base64::b64_decode);
    engine.register_filter("b64_encode", base64::b64_encode);
    engine.register_filter("filesize_format", filesize_format::filesize_format);
    engine.register_filter("format", format::format);
    engine.register_filter("group_by", |items: Vec<Value>, kwargs: Kwargs, _: &State| group_by(&items, &kwargs));
    engine.register_filter("json", |value: Value, _: Kwargs, _: &State| to_json(&value).map(|json| json.to_string()));
    engine.register_filter("json_encode", |value: Value, kwargs: Kwargs, _: &State| json_encode(&value, &kwargs));
    engine.register_filter("regex_replace", RegexReplace::default());
    engine.register_filter("slug", slug::slug);
    // Its name in Zola, Eleventy and Tera 1.
    engine.register_filter("slugify", slug::slug);
    engine.register_filter("spaceless", |html: StringInput, kwargs: Kwargs, state: &State| {
        regex::spaceless(html, kwargs, state)
    });
    engine.register_filter("striptags", |html: &str, _: Kwargs, _: &State| html::text_of(html));
    engine.register_filter("urlencode", urlencode::urlencode);
    engine.register_filter("urlencode_strict", urlencode::urlencode_strict);
    engine.register_test("after", |date: Value, kwargs: Kwargs, _: &State| compare(&date, &kwargs, Ordering::Greater));
    engine.register_test("before", |date: Value, kwargs: Kwargs, _: &State| compare(&date, &kwargs, Ordering::Less));
    engine.register_test("matching", Matching::default());

    let unfit = |name: &'static str| Error::message(format!("`{name}` was called before there was a site"));
    for name in ["url", "asset", "inline_svg", "island", "styles", "json_ld"] {
        engine.register_function(name, move |_: Kwargs, _: &State| -> TeraResult<Value> { Err(unfit(name)) });
    }
    for name in ["date", "markdown"] {
        engine.register_filter(name, move |_: Value, _: Kwargs, _: &State| -> TeraResult<Value> { Err(unfit(name)) });
    }
}

/// Registers them. Their inputs are shared by all pages and never change, so that none of them takes a lock.
///
/// `token` identifies the marks of islands.
pub fn register(engine: &mut Tera, inputs: Inputs, token: islands::Token) {
    let Inputs { site, styles, islands, .. } = inputs;
    let settings = Arc::new(site.settings.clone());
    let assets = Arc::new(site.assets.clone());

    let shared = settings.clone();
    engine.register_function("url", move |kwargs: Kwargs, _: &State| url(&shared, &kwargs));

    let shared = (settings.clone(), assets.clone());
    engine.register_function("asset", move |kwargs: Kwargs, _: &State| asset(&shared.0, &shared.1, &kwargs));

    let shared = assets.clone();
    engine.register_function("inline_svg", move |kwargs: Kwargs, _: &State| inline_svg(&shared, &kwargs));

    let names: Vec<String> = islands.modules.keys().cloned().collect();
    engine.register_function("island", move |kwargs: Kwargs, _: &State| island(&names, &token, &kwargs));

    let css = styles.below(&site.settings.base_path);
    let style = if css.is_empty() { String::new() } else { format!("<style>{css}</style>") };
    let style = Value::safe_string(&style);
    engine.register_function("styles", move |kwargs: Kwargs, _: &State| {
        only(&kwargs, "styles", &[]).map(|()| style.clone())
    });

    engine.register_function("json_ld", |kwargs: Kwargs, _: &State| json_ld(&kwargs));

    let shared = settings.clone();
    engine.register_filter("date", move |value: Value, kwargs: Kwargs, state: &State| {
        date(&value, &language_of(state, &shared)?, &kwargs)
    });

    let shared = (assets, settings, site.pages.routes().clone());
    engine.register_filter("markdown", move |text: &str, kwargs: Kwargs, state: &State| {
        let (assets, settings, routes) = &shared;
        let addresses = Addresses { base_path: &settings.base_path, assets, routes };
        markdown(text, &language_of(state, settings)?, &addresses, &kwargs)
    });
}

/// Returns the language of the page that is rendered.
fn language_of(state: &State, settings: &Settings) -> TeraResult<String> {
    let page: Option<Value> = state.get("page")?;
    let language = page.as_ref().and_then(|page| page.get_from_path("language")?.as_str());
    Ok(language.unwrap_or(&settings.language).to_owned())
}

/// `url(path="/careers")`: a path inside the site as a link, with `absolute=true` as a full address.
fn url(settings: &Settings, kwargs: &Kwargs) -> TeraResult<String> {
    only(kwargs, "url", &["path", "absolute"])?;
    let path: &str = kwargs.must_get("path")?;
    if !path.starts_with('/') || path.starts_with("//") {
        return Err(Error::message(format!("`{path}` is not a path of this site; paths begin with `/`")));
    }
    Ok(if is_absolute(kwargs)? { values::absolute(settings, path) } else { inside(&settings.base_path, path) })
}

/// `asset(path="brand/logo.svg")`: the address of a file of `content/assets`. An `https:` address is returned
/// unchanged.
fn asset(settings: &Settings, assets: &Assets, kwargs: &Kwargs) -> TeraResult<String> {
    only(kwargs, "asset", &["path", "absolute"])?;
    let path: &str = kwargs.must_get("path")?;
    match scheme_of(path).as_deref() {
        Some("https") => return Ok(path.to_owned()),
        Some(_) => return Err(encode_in_error(&Problem::UnsafeAddress { address: path.to_owned() })),
        None => {}
    }
    let asset = assets.get(path).ok_or_else(|| encode_in_error(&assets.unknown(path)))?;
    Ok(if is_absolute(kwargs)? {
        values::absolute(settings, &asset.url)
    } else {
        inside(&settings.base_path, &asset.url)
    })
}

/// `inline_svg(path="art/trail.svg", class="art", title="A trail")`: an SVG as markup.
fn inline_svg(assets: &Assets, kwargs: &Kwargs) -> TeraResult<Value> {
    only(kwargs, "inline_svg", &["path", "class", "title"])?;
    let path: &str = kwargs.must_get("path")?;
    let asset = assets.get(path).ok_or_else(|| encode_in_error(&assets.unknown(path)))?;
    let text = values::asset_text(asset).unwrap_or_default();
    let root = svg_file::for_page(text).map_err(|refusal| {
        let problem = Problem::UnsafeSvg { detail: refusal.detail, fix: refusal.fix.to_owned() };
        encode_in_error_of(&problem, asset.source.as_str())
    })?;
    Ok(Value::safe_string(&svg::inline(&text[root.start..root.end], kwargs.get("class")?, kwargs.get("title")?)))
}

/// `island(component="ContactForm", props={…}, hydrate="visible")`: the place of an island. With `hydrate="only"` it is
/// rendered in the browser alone, and `fallback` stands there until then; `height` is kept for it.
fn island(names: &[String], token: &islands::Token, kwargs: &Kwargs) -> TeraResult<Value> {
    only(kwargs, "island", &["component", "props", "hydrate", "fallback", "height"])?;
    let component: &str = kwargs.must_get("component")?;
    if !names.iter().any(|name| name == component) {
        let nearest = nearest(component, names.iter().map(String::as_str)).map(str::to_owned);
        return Err(encode_in_error(&Problem::UnknownIsland { name: component.to_owned(), nearest }));
    }
    let hydrate: &str = kwargs.get("hydrate")?.unwrap_or("visible");
    if !["load", "idle", "visible", "only"].contains(&hydrate) {
        return Err(encode_in_error(&Problem::UnknownHydration { value: hydrate.to_owned() }));
    }
    let props = match kwargs.get::<Value>("props")? {
        Some(props) => to_json(&props)?,
        None => serde_json::json!({}),
    };
    if !props.is_object() {
        return Err(Error::message("`props` must be a map, like `{\"label\": \"Send\"}`"));
    }
    let fallback = match kwargs.get::<Value>("fallback")? {
        Some(_) if hydrate != "only" => {
            return Err(Error::message("`fallback` is for islands with `hydrate=\"only\"`; others are prerendered"));
        }
        Some(fallback) => in_html(&fallback)?,
        None => String::new(),
    };
    let height: &str = kwargs.get("height")?.unwrap_or_default();
    if !height.is_empty() && !is_length(height) {
        return Err(Error::message("`height` must be a length, like `\"20rem\"` or `\"300px\"`"));
    }
    let props = html_safe(&props.to_string());
    Ok(Value::safe_string(&token.mark(Marked { component, hydrate, height, props: &props, fallback: &fallback })))
}

/// A value as it stands in a page: a block of a template as it is, a text escaped.
fn in_html(value: &Value) -> TeraResult<String> {
    let text = value.as_str().ok_or_else(|| Error::message("`fallback` must be a text"))?;
    if value.is_safe() {
        return Ok(text.to_owned());
    }
    let mut html = String::new();
    // Writing to a String cannot fail.
    let _ = pulldown_cmark_escape::escape_html(&mut html, text);
    Ok(html)
}

/// Whether a text is a number with a unit of length (CSS Values and Units 4, "Distance Units").
fn is_length(text: &str) -> bool {
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let is_unit = ["px", "rem", "em", "ch", "vh", "svh", "lvh", "dvh", "vw", "lh", "rlh"].contains(&unit);
    is_unit && text[..text.len() - unit.len()].parse::<f64>().is_ok()
}

/// `json_ld(data={…})`: structured data for search engines. Values of `none` are left out.
fn json_ld(kwargs: &Kwargs) -> TeraResult<Value> {
    only(kwargs, "json_ld", &["data"])?;
    let mut data = to_json(&kwargs.must_get::<Value>("data")?)?;
    drop_null(&mut data);
    let text = html_safe(&data.to_string());
    Ok(Value::safe_string(&format!("<script type=\"application/ld+json\">{text}</script>")))
}

/// `"2025-01-01" | date(format="%B %-d, %Y")`: a date in words, in the format of strftime. The default locale is the
/// language of the page.
fn date(value: &Value, language: &str, kwargs: &Kwargs) -> TeraResult<String> {
    only(kwargs, "date", &["format", "locale"])?;
    let format: &str = kwargs.get("format")?.unwrap_or("%Y-%m-%d");
    let language = kwargs.get("locale")?.unwrap_or(language);
    moment(value)?.written(format, language).map_err(Error::message)
}

/// `a is before(other=b)`, `a is after(other=b, inclusive=true)`: compares two dates.
fn compare(value: &Value, kwargs: &Kwargs, wanted: Ordering) -> TeraResult<bool> {
    let instant = |value: &Value| {
        moment(value)?.instant().ok_or_else(|| Error::message(format!("`{value}` is too far away to compare")))
    };
    let found = instant(value)?.cmp(&instant(&kwargs.must_get::<Value>("other")?)?);
    Ok(found == wanted || found == Ordering::Equal && kwargs.get("inclusive")?.unwrap_or(false))
}

/// Reads a date: a text, or the seconds since the beginning of 1970.
fn moment(value: &Value) -> TeraResult<Moment> {
    if let Some(Number::Integer(seconds)) = value.as_number() {
        let moment = i64::try_from(seconds).ok().and_then(Moment::of_seconds);
        return moment.ok_or_else(|| Error::message(format!("`{seconds}` seconds after 1970 are no date")));
    }
    let text = <&str as ArgFromValue>::from_value(value)?;
    Moment::parse(text).ok_or_else(|| Error::message(format!("`{text}` is not a date like `2025-01-31`")))
}

/// `items | group_by(attribute="year")`: the items by a value that they have, in the order in which the values occur.
/// Tera's own filter gives another order at every build.
fn group_by(items: &[Value], kwargs: &Kwargs) -> TeraResult<Map> {
    let attribute: &str = kwargs.must_get("attribute")?;
    let mut numbers = Map::new();
    let mut groups: Vec<(Key, Vec<Value>)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some(value) = item.get_from_path(attribute) else {
            let kind = item.name();
            let message = format!("Value at index {index} (a {kind}) does not have an attribute at path: {attribute}");
            return Err(Error::message(message));
        };
        if value.is_none() {
            continue;
        }
        let key = match (value.as_str(), value.as_bool(), value.as_i128()) {
            (Some(text), ..) => Key::from(text.to_owned()),
            (_, Some(is), _) => Key::Bool(is),
            (_, _, Some(number)) => Key::I128(number),
            _ => {
                let message = format!("items can be grouped by texts and whole numbers, not by {}", value.name());
                return Err(Error::message(message));
            }
        };
        let number = match numbers.get(&key).and_then(Value::as_i128) {
            Some(number) => usize::try_from(number).unwrap_or_default(),
            None => {
                numbers.insert(key.clone(), Value::from(groups.len() as u64));
                groups.push((key, Vec::new()));
                groups.len() - 1
            }
        };
        groups[number].1.push(item.clone());
    }
    Ok(groups.into_iter().map(|(key, items)| (key, Value::from(items))).collect())
}

/// `value | json_encode(pretty=true)`: JSON, with a line for each value if asked for.
fn json_encode(value: &Value, kwargs: &Kwargs) -> TeraResult<String> {
    let json = to_json(value)?;
    Ok(if kwargs.get("pretty")?.unwrap_or(false) { format!("{json:#}") } else { json.to_string() })
}

/// `text | markdown`, `text | markdown(inline=true)` and `text | markdown(language="de")`. The default language is that
/// of the page.
fn markdown(text: &str, language: &str, addresses: &Addresses, kwargs: &Kwargs) -> TeraResult<Value> {
    only(kwargs, "markdown", &["inline", "language"])?;
    let quotes = Quotes::of(kwargs.get("language")?.unwrap_or(language));
    let path = SourcePath::new("content");
    let context =
        Context { path: &path, offset: 0, raw_html: false, scope: Default::default(), addresses, quotes, trace: false };
    let mut diagnostics = Vec::new();
    let html = if kwargs.get("inline")?.unwrap_or(false) {
        markdown::render_inline(text, &context, &mut diagnostics)
    } else {
        markdown::render(text, &context, &mut diagnostics).html
    };
    match diagnostics.first() {
        None => Ok(Value::safe_string(&html)),
        Some(first) => Err(encode_in_error_of(&first.problem, text)),
    }
}

/// Refuses arguments that a function does not have: Tera ignores a misspelt one.
fn only(kwargs: &Kwargs, function: &str, names: &[&str]) -> TeraResult<()> {
    for (key, _) in kwargs.iter() {
        let name = key.to_string();
        if !names.contains(&name.as_str()) {
            let meant = nearest(&name, names.iter().copied())
                .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            return Err(Error::message(format!("`{function}` has no argument `{name}`{meant}")));
        }
    }
    Ok(())
}

fn is_absolute(kwargs: &Kwargs) -> TeraResult<bool> {
    Ok(kwargs.get("absolute")?.unwrap_or(false))
}

/// Converts a template's value to JSON. A value that JSON cannot represent gives an error with its path.
fn to_json(value: &Value) -> TeraResult<serde_json::Value> {
    if value.is_undefined() {
        return Err(Error::message("the value is not defined"));
    }
    if let Some(map) = value.as_map() {
        let mut object = serde_json::Map::new();
        for (key, value) in map {
            let name = match key {
                Key::String(name) => name.to_string(),
                Key::Str(name) => name.to_string(),
                _ => return Err(Error::message("a key is not text")),
            };
            let value = to_json(value).map_err(|error| Error::message(format!("`{name}`: {error}")))?;
            object.insert(name, value);
        }
        return Ok(object.into());
    }
    if let Some(items) = value.as_array() {
        return items.iter().map(to_json).collect::<TeraResult<Vec<_>>>().map(Into::into);
    }
    serde_json::to_value(value).map_err(|error| Error::message(error.to_string()))
}

fn drop_null(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(drop_null);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(drop_null),
        _ => {}
    }
}

/// Escapes JSON for HTML: `<` would end a script or begin a comment in it (WHATWG HTML, "restrictions for contents of
/// script elements"), U+2028 and U+2029 end lines in older JavaScript.
fn html_safe(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Tera's errors carry text. A problem with a message of its own is encoded in it, and [`decode_from_error`] decodes
/// it.
const ENCODED: char = '\u{1e}';
const FACT: char = '\u{1f}';

fn encode_in_error(problem: &Problem) -> Error {
    encode_in_error_of(problem, "")
}

/// As [`encode_in_error`], with the text of content that the problem is in.
fn encode_in_error_of(problem: &Problem, content: &str) -> Error {
    let facts = match problem {
        Problem::UnknownAsset { path, nearest } => ["asset", path, nearest.as_deref().unwrap_or_default(), content],
        Problem::UnknownIsland { name, nearest } => ["island", name, nearest.as_deref().unwrap_or_default(), content],
        Problem::BrokenFile { target, nearest } => ["file", target, nearest.as_deref().unwrap_or_default(), content],
        Problem::UnknownHydration { value } => ["hydration", value, "", content],
        Problem::UnsafeAddress { address } => ["address", address, "", content],
        Problem::BadAddress { address } => ["bad", address, "", content],
        Problem::UnsafeSvg { detail, fix } => ["svg", detail, fix, content],
        Problem::RawHtml { html } => ["html", html, "", content],
        Problem::LostText(lost) => {
            let (kind, label) = match lost {
                Lost::BesideComment => ("beside", ""),
                Lost::InOpenComment => ("open", ""),
                Lost::UnusedFootnote { label } => ("unused", label.as_str()),
                Lost::RepeatedFootnote { label } => ("repeated", label.as_str()),
                Lost::ExtraCell => ("cell", ""),
            };
            ["lost", kind, label, content]
        }
        other => return Error::message(message(other)),
    };
    Error::message(format!("{ENCODED}{}", facts.join(&FACT.to_string())))
}

/// Returns the problem encoded in a function's error, if there is one, and the text of content that it is in.
pub fn decode_from_error(text: &str) -> Option<(Problem, Option<String>)> {
    let (_, facts) = text.split_once(ENCODED)?;
    let mut facts = facts.splitn(4, FACT);
    let (kind, fact, nearest, content) = (facts.next()?, facts.next()?.to_owned(), facts.next()?, facts.next()?);
    let nearest = (!nearest.is_empty()).then(|| nearest.to_owned());
    let problem = match kind {
        "asset" => Problem::UnknownAsset { path: fact, nearest },
        "island" => Problem::UnknownIsland { name: fact, nearest },
        "file" => Problem::BrokenFile { target: fact, nearest },
        "hydration" => Problem::UnknownHydration { value: fact },
        "address" => Problem::UnsafeAddress { address: fact },
        "bad" => Problem::BadAddress { address: fact },
        "svg" => Problem::UnsafeSvg { detail: fact, fix: nearest.unwrap_or_default() },
        "html" => Problem::RawHtml { html: fact },
        "lost" => Problem::LostText(match fact.as_str() {
            "open" => Lost::InOpenComment,
            "unused" => Lost::UnusedFootnote { label: nearest.unwrap_or_default() },
            "repeated" => Lost::RepeatedFootnote { label: nearest.unwrap_or_default() },
            "cell" => Lost::ExtraCell,
            _ => Lost::BesideComment,
        }),
        _ => return None,
    };
    Some((problem, (!content.is_empty()).then(|| content.to_owned())))
}
