//! Renders islands to HTML in an embedded JavaScript engine that has no files, network, clock or random source.
//!
//! Each call runs in an engine of its own that has just been started. So its HTML is a function of the bundle and the call
//! alone: what another call left behind, in a variable of a module or in a global object, is not there.

use super::{Islands, Prerenderer};
use crate::bundle::line_start;
use crate::cache::Key;
use crate::diagnostics::{Diagnostic, Place, Problem, Span};
use crate::paths::SourcePath;
use crate::sources::{Digest, Sources};
use crate::tools::Tools;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Runtime};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A page may need a few megabytes; what needs more is a loop.
const MEMORY_LIMIT: usize = 256 << 20;
/// React's renderer calls itself for every level of a tree.
const STACK: usize = 8 << 20;
/// The engine asks every 10,000 or so operations whether to go on. Counting its questions rather than seconds gives the
/// same result on every machine; this many are some ten seconds.
const PATIENCE: u32 = 100_000;

const PRELUDE: &str = include_str!("prelude.js");
const FILE: &str = "prerender.js";

/// One use of an island.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The island's name.
    pub component: String,
    /// Its props as JSON.
    pub props: String,
    /// What its ids begin with.
    pub prefix: String,
}

/// Renders every call once. Calls that were rendered before with the same code are recalled.
pub fn prerender(
    sources: &Sources,
    islands: &Islands,
    calls: BTreeSet<Call>,
    tools: &dyn Tools,
) -> BTreeMap<Call, Result<String, Diagnostic>> {
    let bundle = &*islands.prerenderer;
    let mut rendered = BTreeMap::new();
    let mut fresh = Vec::new();
    for call in calls {
        match tools.cached(&key(bundle, &call)).and_then(|html| String::from_utf8(html).ok()) {
            Some(html) => {
                rendered.insert(call, Ok(html));
            }
            None => fresh.push(call),
        }
    }
    if fresh.is_empty() {
        return rendered;
    }
    let results = run(sources, bundle, &fresh);
    for (call, result) in fresh.into_iter().zip(results) {
        if let Ok(html) = &result {
            tools.store_cached(&key(bundle, &call), html.as_bytes());
        }
        rendered.insert(call, result);
    }
    rendered
}

fn key(bundle: &Prerenderer, call: &Call) -> Digest {
    let Call { component, props, prefix } = call;
    Key::of("prerender").with(bundle.digest).with(component).with(props).with(prefix).done()
}

/// Renders every call, on as many threads as the build has.
fn run(sources: &Sources, bundle: &Prerenderer, calls: &[Call]) -> Vec<Result<String, Diagnostic>> {
    let next = AtomicUsize::new(0);
    // What keeps one call from beginning keeps all from it. An endless loop outside of components is waited for once.
    let broken: OnceLock<Diagnostic> = OnceLock::new();
    let work = || {
        let mut done = Vec::new();
        while broken.get().is_none() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(call) = calls.get(number) else { break };
            match render(bundle, call) {
                Ok(html) => done.push((number, Ok(html))),
                Err(Failed::Component(thrown)) => {
                    done.push((number, Err(thrown.into_diagnostic(sources, bundle, &call.component))));
                }
                Err(Failed::Bundle(thrown)) => {
                    broken.get_or_init(|| thrown.into_diagnostic(sources, bundle, &calls[0].component));
                }
                Err(Failed::Engine(problem)) => {
                    broken.get_or_init(|| Diagnostic::failure(problem));
                }
            }
        }
        done
    };
    let mut done: BTreeMap<usize, Result<String, Diagnostic>> = std::thread::scope(|scope| {
        // The engine counts its stack from where it is made, and worker threads have too little of it.
        let start = |_| std::thread::Builder::new().stack_size(2 * STACK).spawn_scoped(scope, work).ok();
        let threads: Vec<_> = (0..rayon::current_num_threads().min(calls.len())).filter_map(start).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    let unfinished = || broken.get().cloned().unwrap_or_else(|| Diagnostic::failure(engine("it did not run".into())));
    (0..calls.len()).map(|number| done.remove(&number).unwrap_or_else(|| Err(unfinished()))).collect()
}

/// Why a call gave no HTML.
enum Failed {
    /// The engine did not start.
    Engine(Problem),
    /// The bundle threw before it was asked for anything: outside of every component, so that no island can be rendered.
    Bundle(Thrown),
    /// The component threw.
    Component(Thrown),
}

fn engine(detail: String) -> Problem {
    Problem::Tool { program: "the prerenderer", detail }
}

/// Renders a call. Nothing else has run in its engine, and nothing else will.
fn render(bundle: &Prerenderer, call: &Call) -> Result<String, Failed> {
    let failed = |error: rquickjs::Error| Failed::Engine(engine(error.to_string()));
    let runtime = Runtime::new().map_err(failed)?;
    runtime.set_memory_limit(MEMORY_LIMIT);
    runtime.set_max_stack_size(STACK);
    let context = Context::full(&runtime).map_err(failed)?;
    watch(&runtime);
    context.with(|ctx| {
        evaluate(&ctx, PRELUDE, "prelude.js").map_err(|thrown| Failed::Engine(engine(thrown.message)))?;
        evaluate(&ctx, &bundle.code, FILE).map_err(Failed::Bundle)
    })?;
    watch(&runtime);
    context.with(|ctx| one(&ctx, call).map_err(Failed::Component))
}

/// Lets the engine run until it has asked often enough whether to go on.
fn watch(runtime: &Runtime) {
    let mut asked = 0;
    runtime.set_interrupt_handler(Some(Box::new(move || {
        asked += 1;
        asked > PATIENCE
    })));
}

fn evaluate(ctx: &Ctx, code: &str, file: &str) -> Result<(), Thrown> {
    let mut options = rquickjs::context::EvalOptions::default();
    options.filename = Some(file.to_owned());
    ctx.eval_with_options::<(), _>(code, options).catch(ctx).map_err(Thrown::of)
}

fn one(ctx: &Ctx, call: &Call) -> Result<String, Thrown> {
    let render: Function = ctx.globals().get("prerender").catch(ctx).map_err(Thrown::of)?;
    render.call((&call.component, &call.props, &call.prefix)).catch(ctx).map_err(Thrown::of)
}

/// What a script threw, taken out of the engine.
struct Thrown {
    message: String,
    stack: String,
}

impl Thrown {
    fn of(caught: CaughtError) -> Self {
        match caught {
            CaughtError::Exception(exception) => Thrown {
                message: exception.message().unwrap_or_else(|| "it threw an error without a message".into()),
                stack: exception.stack().unwrap_or_default(),
            },
            // An interrupted or exhausted engine has no memory left to make an exception of.
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

    /// The diagnostic, at the line of the project's own code that the error came from.
    fn into_diagnostic(self, sources: &Sources, bundle: &Prerenderer, component: &str) -> Diagnostic {
        let detail = match self.message.as_str() {
            "interrupted" => "it does not finish".to_owned(),
            "out of memory" => "it runs out of memory; does it call itself without end?".to_owned(),
            message => in_words(message),
        };
        let problem = Problem::PrerenderFailed { component: component.to_owned(), detail };
        let own = SourcePath::new(format!("islands/{component}.tsx"));
        let place = frames(&self.stack)
            .find_map(|(line, column)| written(sources, bundle, line, column))
            .unwrap_or(Place::file(&own));
        Diagnostic::error(problem, place)
    }
}

/// React's production build has numbers for its errors. These are the ones a component can cause while it renders
/// (react.dev/errors).
fn in_words(message: &str) -> String {
    let number = message.strip_prefix("Minified React error #").and_then(|rest| rest.split(';').next());
    match number {
        Some("31") => "it renders an object; only text, numbers and elements can be rendered".to_owned(),
        Some("130" | "65") => {
            "it renders something that is not a component; is an import or an export missing?".to_owned()
        }
        Some("152") => "it returns nothing; write `return null` to render nothing".to_owned(),
        Some("300" | "310" | "321") => {
            "it calls a hook where hooks are not allowed: outside a component or in a condition".to_owned()
        }
        Some("301") => "it changes its state on every render, without end".to_owned(),
        Some(number) => format!("React's error {number}, see https://react.dev/errors/{number}"),
        None if message.ends_with(" is not defined") => {
            format!("{message} while prerendering; use it in an effect or an event handler")
        }
        None => message.to_owned(),
    }
}

/// Lines and columns, from one, of a stack: `    at ContactForm (prerender.js:3:1024)`.
fn frames(stack: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    stack.lines().filter_map(|line| {
        let (_, place) = line.rsplit_once(&format!("{FILE}:"))?;
        let (line, column) = place.trim_end_matches(')').split_once(':')?;
        Some((line.parse().ok()?, column.parse().ok()?))
    })
}

/// The place in `islands/` that a place of the bundle was made from.
fn written(sources: &Sources, bundle: &Prerenderer, line: u32, column: u32) -> Option<Place> {
    let map = sourcemap::SourceMap::from_slice(&bundle.map).ok()?;
    let token = map.lookup_token(line.checked_sub(1)?, column.saturating_sub(1))?;
    // Sources are given relative to the bundle, which lies two folders below the project's root.
    let source = token.get_source()?.trim_start_matches("../");
    let path = SourcePath::new(source.starts_with("islands/").then_some(source)?);
    // The runtime calls the components; what they throw is not its fault.
    if path.below("islands/runtime").is_some() {
        return None;
    }
    let text = sources.text(&path)?;
    let start = line_start(text, token.get_src_line() as usize + 1) + token.get_src_col() as usize;
    Some(Place::new(&path, Span::at(start.min(text.len()), 1)))
}
