//! An embedded JavaScript engine that renders one island, as often as it is asked to.
//!
//! Every rendering begins in the same state, so its HTML is a function of the bundle, the call and the environment alone. Parsing
//! a bundle takes some ten milliseconds and running it less than one, so it is parsed once and run for every call:
//!
//! - The bundle is the body of a function. Each run creates its modules anew, without anything of an earlier call.
//! - Calls share the built-in objects of the language and those of `prelude.js`. After each call `prelude.js` compares the
//!   values of their properties with the initial ones. Comparing the property descriptors takes four times as long; this is
//!   done after some dozens of calls and after the last ([`Engine::is_intact`]). If anything has changed, all of those calls
//!   are rendered again, each in an engine of its own.
//! - Other state of the engine has no effect on a rendering: when memory is freed cannot be observed (`WeakRef` is
//!   replaced), the pending jobs of a call run before the next call, and a failed call is repeated in a new engine.

use super::Prerenderer;
use super::react;
use super::texts::{Texts, Wanted};
use percent_encoding::percent_decode_str;
use rquickjs::{
    CatchResultExt, CaughtError, Context, Ctx, FromJs, Function, Object, Persistent, Runtime, context::EvalOptions,
};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use url::{Url, quirks};

/// Bytes of memory of an engine. A page needs a few megabytes; what needs this much does not end.
const MEMORY: usize = 256 << 20;
/// Bytes that are allocated between two garbage collections. A call leaves about a megabyte of garbage.
const GARBAGE: usize = 16 << 20;
/// Bytes of stack. A renderer calls itself for every level of a tree.
pub const STACK: usize = 8 << 20;
/// Calls of the interrupt handler until a call is stopped. The engine makes one every 10,000 or so operations. Counting them
/// instead of seconds gives the same result on every machine; this many take some three seconds.
const PATIENCE: u32 = 30_000;
/// Renderings of a call at most: it may wait for parts that it imports (`lazy`), which may do so in turn.
const ROUNDS: usize = 16;
/// Bytes of HTML of a call at most. A page of this size takes seconds to check; more is a loop that does not end soon.
const HTML: usize = 8 << 20;
/// Pending jobs of a call that are run at most. After a call that has more, the engine is not used again.
const JOBS: usize = 10_000;

const PRELUDE: &str = include_str!("prelude.js");
/// What `window` has in Chromium, Firefox and Safari, one name a line: `Object.getOwnPropertyNames(window)`.
const BROWSER: &str = include_str!("browser.txt");
/// The name of a bundle in stacks.
pub const FILE: &str = "prerender.js";

/// What a component may ask for and what differs between visitors. The numbers are those of `prelude.js`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Random numbers.
    Chance = 1,
    /// `Date` without a value, and other clocks.
    Clock = 2,
    /// How far local time is from UTC.
    Zone = 4,
    /// The language, and everything that is written in one.
    Language = 8,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Chance, Kind::Clock, Kind::Zone, Kind::Language];
}

/// Where a rendering happens. The default is the first environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Environment {
    /// Its number, below [`ENVIRONMENTS`].
    pub number: u32,
    /// What is as in it, a sum of [`Kind`]s. The rest is as in the first environment.
    pub kinds: u32,
    /// The time at which its clock starts, in milliseconds, if it is not that of its number.
    pub moment: Option<f64>,
}

/// Environments that `prelude.js` has.
pub const ENVIRONMENTS: u32 = 6;

/// The result of a rendering.
pub struct Rendered {
    /// The HTML.
    pub html: String,
    /// What was asked for: a sum of [`Kind`]s.
    pub asked: u32,
    /// Some of the dates that were named, in milliseconds.
    pub dates: Vec<f64>,
}

/// The first request for something that differs between visitors.
pub struct Trace {
    /// What was asked for, as it is written: `Date.now()`.
    pub what: String,
    /// The stack of the request.
    pub stack: String,
    /// The text that it was for, if any.
    pub wanted: Option<Wanted>,
}

/// Why a call gave no HTML.
pub enum Failed {
    /// The engine did not start.
    Engine(String),
    /// The modules of the bundle threw, outside of every component.
    Import(Thrown),
    /// The component threw.
    Component(Thrown),
    /// The component gave so many bytes of HTML, too many to check.
    Large(usize),
}

/// What a script threw, copied out of the engine.
pub struct Thrown {
    /// The message of the error, or what it threw instead of one.
    pub message: String,
    /// Where it was thrown.
    pub stack: String,
}

/// One call of an island: its name, its props as JSON, and what its ids begin with.
pub type Arguments<'a> = (&'a str, &'a str, &'a str);

/// An engine with the bundle of one island. Fields are dropped in this order: values before the context that they are in.
pub struct Engine {
    bundle: Persistent<Function<'static>>,
    prelude: Persistent<Object<'static>>,
    context: Context,
    _runtime: Runtime,
    steps: Rc<Cell<u32>>,
    /// Whether nothing has been rendered yet.
    pub is_fresh: bool,
    /// Whether the next rendering begins in the same state as the first one did, as far as [`Engine::is_intact`] confirms
    /// it.
    pub is_usable: bool,
}

impl Engine {
    /// Starts an engine and parses a bundle.
    pub fn start(bundle: &Prerenderer) -> Result<Self, Failed> {
        Self::with(bundle, false)
    }

    /// Starts an engine that notes what an island asks for that only browsers [have](Engine::touched).
    pub fn without_browser(bundle: &Prerenderer) -> Result<Self, Failed> {
        Self::with(bundle, true)
    }

    fn with(bundle: &Prerenderer, notes_browser: bool) -> Result<Self, Failed> {
        let failed = |error: rquickjs::Error| Failed::Engine(error.to_string());
        let runtime = Runtime::new().map_err(failed)?;
        runtime.set_memory_limit(MEMORY);
        runtime.set_max_stack_size(STACK);
        runtime.set_gc_threshold(GARBAGE);
        let steps = Rc::new(Cell::new(0));
        let counted = steps.clone();
        runtime.set_interrupt_handler(Some(Box::new(move || {
            counted.set(counted.get() + 1);
            counted.get() > PATIENCE
        })));
        let context = Context::full(&runtime).map_err(failed)?;
        let (prelude, bundle) = context.with(|ctx| {
            let prelude: Function =
                read(&ctx, PRELUDE, "prelude.js").map_err(|thrown| Failed::Engine(thrown.message))?;
            let prelude: Result<Object, _> =
                host(&ctx, bundle.texts.clone(), notes_browser).and_then(|host| prelude.call((host,)));
            let prelude = prelude.catch(&ctx).map_err(|error| Failed::Engine(error.to_string()))?;
            let bundle: Function = read(&ctx, &bundle.code, FILE).map_err(Failed::Import)?;
            Ok((Persistent::save(&ctx, prelude), Persistent::save(&ctx, bundle)))
        })?;
        Ok(Engine { bundle, prelude, context, _runtime: runtime, steps, is_fresh: true, is_usable: true })
    }

    /// Renders a call in an environment.
    pub fn render(&mut self, arguments: Arguments, environment: Environment) -> Result<Rendered, Failed> {
        let (rendered, is_usable) = self.run(arguments, environment, false, |_, _| Ok(()));
        self.is_usable = is_usable;
        rendered.map(|(rendered, ())| rendered)
    }

    /// Renders a call and returns its first request for a kind.
    pub fn trace(&mut self, arguments: Arguments, kind: Kind) -> Option<Trace> {
        let (rendered, is_usable) = self.run(arguments, Environment::default(), true, |ctx, prelude| {
            let trace: Function = prelude.get("trace").catch(ctx).map_err(Thrown::of)?;
            trace.call::<_, Vec<String>>((kind as u32,)).catch(ctx).map_err(Thrown::of)
        });
        self.is_usable = is_usable;
        let mut parts = rendered.ok()?.1.into_iter();
        let (what, stack) = (parts.next()?, parts.next()?);
        let wanted = parts.next().zip(parts.next()).zip(parts.next());
        let wanted = wanted.map(|((class, locale), zone)| Wanted { class, locale, zone });
        Some(Trace { what, stack, wanted })
    }

    /// What only browsers have and the last rendering asked for: names like `window`, each with the stack of the request.
    pub fn touched(&self) -> Vec<(String, String)> {
        let prelude = self.prelude.clone();
        let touched: Vec<String> = self.context.with(|ctx| {
            let prelude = prelude.restore(&ctx);
            prelude.ok().and_then(|prelude| call(&ctx, &prelude, "touched", ()).ok()).unwrap_or_default()
        });
        touched.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
    }

    /// Whether everything that renderings share is exactly as it was.
    pub fn is_intact(&self) -> bool {
        self.steps.set(0);
        let prelude = self.prelude.clone();
        self.context.with(|ctx| {
            let prelude = prelude.restore(&ctx);
            prelude.is_ok_and(|prelude| call(&ctx, &prelude, "isIntact", ()).unwrap_or(false))
        })
    }

    fn run<T>(
        &mut self,
        arguments: Arguments,
        environment: Environment,
        is_traced: bool,
        then: impl for<'js> FnOnce(&Ctx<'js>, &Object<'js>) -> Result<T, Thrown>,
    ) -> (Result<(Rendered, T), Failed>, bool) {
        self.is_fresh = false;
        let (steps, bundle, prelude) = (&self.steps, self.bundle.clone(), self.prelude.clone());
        self.context.with(|ctx| {
            let restored = prelude.restore(&ctx).and_then(|prelude| Ok((prelude, bundle.restore(&ctx)?)));
            let (prelude, bundle) = match restored {
                Ok(restored) => restored,
                Err(error) => return (Err(Failed::Engine(error.to_string())), false),
            };
            let rendered = one(&ctx, &prelude, &bundle, arguments, (environment, is_traced), steps);
            let rendered = rendered.and_then(|rendered| {
                let more = then(&ctx, &prelude).map_err(Failed::Component)?;
                Ok((rendered, more))
            });
            let is_usable = rendered.is_ok() && has_same_values(&ctx, &prelude, steps);
            (rendered, is_usable)
        })
    }
}

fn one<'js>(
    ctx: &Ctx<'js>,
    prelude: &Object<'js>,
    bundle: &Function<'js>,
    arguments: Arguments,
    (environment, is_traced): (Environment, bool),
    steps: &Cell<u32>,
) -> Result<Rendered, Failed> {
    let engine = |thrown: Thrown| Failed::Engine(thrown.message);
    let Environment { number, kinds, moment } = environment;
    call::<()>(ctx, prelude, "begin", (number, kinds, moment, is_traced)).map_err(engine)?;
    steps.set(0);
    bundle.call::<_, ()>(()).catch(ctx).map_err(Thrown::of).map_err(Failed::Import)?;
    let globals = ctx.globals();
    let render: Function = globals.get("prerender").catch(ctx).map_err(Thrown::of).map_err(Failed::Import)?;
    // It belongs to the call, and the globals are compared.
    let _ = globals.remove("prerender");
    steps.set(0);
    let render = || {
        let html = render.call::<_, rquickjs::String>(arguments).catch(ctx);
        let html = html.and_then(|html| html.to_string().catch(ctx)).map_err(Thrown::of).map_err(Failed::Component)?;
        if html.len() > HTML { Err(Failed::Large(html.len())) } else { Ok(html) }
    };
    let mut html = render()?;
    for _ in 0..ROUNDS {
        if !html.contains(react::WAITING) || !do_jobs(ctx).0 {
            break;
        }
        html = render()?;
    }
    let asked = call(ctx, prelude, "asked", ()).map_err(engine)?;
    let dates = call(ctx, prelude, "dates", ()).map_err(engine)?;
    Ok(Rendered { html, asked, dates })
}

/// Whether the objects that renderings share have their initial values.
fn has_same_values<'js>(ctx: &Ctx<'js>, prelude: &Object<'js>, steps: &Cell<u32>) -> bool {
    steps.set(0);
    do_jobs(ctx).1 && call(ctx, prelude, "hasSameValues", ()).unwrap_or(false)
}

/// Runs the pending jobs. Returns whether there were any, and whether none is left.
fn do_jobs(ctx: &Ctx) -> (bool, bool) {
    let mut done = 0;
    while done < JOBS && ctx.execute_pending_job() {
        done += 1;
    }
    (done > 0, done < JOBS)
}

fn call<'js, T: FromJs<'js>>(
    ctx: &Ctx<'js>,
    object: &Object<'js>,
    name: &str,
    arguments: impl rquickjs::function::IntoArgs<'js>,
) -> Result<T, Thrown> {
    let function: Function = object.get(name).catch(ctx).map_err(Thrown::of)?;
    function.call(arguments).catch(ctx).map_err(Thrown::of)
}

fn read<'js>(ctx: &Ctx<'js>, code: &str, file: &str) -> Result<Function<'js>, Thrown> {
    let mut options = EvalOptions::default();
    options.filename = Some(file.to_owned());
    ctx.eval_with_options(code, options).catch(ctx).map_err(Thrown::of)
}

/// What `prelude.js` calls outside of the engine: pure functions of texts, and the scripts of packages that know languages.
fn host<'js>(ctx: &Ctx<'js>, texts: Option<Arc<Texts>>, notes_browser: bool) -> rquickjs::Result<Object<'js>> {
    let host = Object::new(ctx.clone())?;
    if notes_browser {
        host.set("browser", BROWSER.lines().collect::<Vec<_>>())?;
    }
    host.set("parse", Function::new(ctx.clone(), parse)?)?;
    host.set("part", Function::new(ctx.clone(), part)?)?;
    host.set("change", Function::new(ctx.clone(), change)?)?;
    host.set("decode", Function::new(ctx.clone(), decode)?)?;
    // The value of a script is a function, which `texts.js` describes.
    let script = move |ctx: Ctx<'js>, name: String| -> rquickjs::Result<Option<Function<'js>>> {
        let code = texts.as_ref().and_then(|texts| texts.scripts.get(&name));
        code.map(|code| ctx.eval::<Function, _>(code.as_str())).transpose()
    };
    host.set("texts", Function::new(ctx.clone(), script)?)?;
    Ok(host)
}

fn parse(address: String, base: Option<String>) -> Option<String> {
    let url = match base {
        Some(base) => Url::parse(&base).ok()?.join(&address),
        None => Url::parse(&address),
    };
    url.ok().map(String::from)
}

fn part(href: String, name: String) -> String {
    let Ok(url) = Url::parse(&href) else { return String::new() };
    match name.as_str() {
        "origin" => return quirks::origin(&url),
        "protocol" => quirks::protocol(&url),
        "username" => quirks::username(&url),
        "password" => quirks::password(&url),
        "host" => quirks::host(&url),
        "hostname" => quirks::hostname(&url),
        "port" => quirks::port(&url),
        "pathname" => quirks::pathname(&url),
        "search" => quirks::search(&url),
        _ => quirks::hash(&url),
    }
    .to_owned()
}

/// Replaces a part of an address. An invalid part changes nothing, as in browsers.
fn change(href: String, name: String, value: String) -> String {
    let Ok(mut url) = Url::parse(&href) else { return href };
    let _ = match name.as_str() {
        "protocol" => quirks::set_protocol(&mut url, &value),
        "username" => quirks::set_username(&mut url, &value),
        "password" => quirks::set_password(&mut url, &value),
        "host" => quirks::set_host(&mut url, &value),
        "hostname" => quirks::set_hostname(&mut url, &value),
        "port" => quirks::set_port(&mut url, &value),
        "pathname" => {
            quirks::set_pathname(&mut url, &value);
            Ok(())
        }
        "search" => {
            quirks::set_search(&mut url, &value);
            Ok(())
        }
        _ => {
            quirks::set_hash(&mut url, &value);
            Ok(())
        }
    };
    url.into()
}

/// Undoes percent-encoding (URL Standard 1.3, "percent-decode", and "UTF-8 decode without BOM").
fn decode(text: String) -> String {
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

impl Thrown {
    fn of(caught: CaughtError) -> Self {
        match caught {
            CaughtError::Exception(exception) => Thrown {
                message: exception.message().unwrap_or_else(|| "it threw an error without a message".into()),
                stack: exception.stack().unwrap_or_default(),
            },
            // An engine without memory cannot create an exception.
            CaughtError::Value(value) if value.is_null() || value.is_undefined() => {
                Thrown { message: "out of memory".into(), stack: String::new() }
            }
            CaughtError::Value(value) => {
                let text = value.as_string().and_then(|text| text.to_string().ok());
                let message =
                    text.map_or("it threw a value that is not an error".into(), |text| format!("it threw `{text}`"));
                Thrown { message, stack: String::new() }
            }
            CaughtError::Error(error) => Thrown { message: error.to_string(), stack: String::new() },
        }
    }
}
