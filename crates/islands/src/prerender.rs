//! Renders islands to HTML in an embedded JavaScript engine, and proves that the HTML is the same for every visitor.
//!
//! An island may ask for random numbers, the time, the time zone and the language, since libraries do that for reasons that
//! leave no trace in what they render. One that did is rendered again in other *environments*, with all of these different, and a
//! condition of each usual kind (at night, on a Sunday, in December, between two dates that it names, for one visitor in a
//! thousand, for a plural) comes out otherwise in one of them. If all give the same HTML, it is published; if not, the
//! island is reported with what differs. One that asked for none of them is rendered once. No environment depends on the day or
//! the machine of the build, so that an entry of the cache is as good as a rendering at any time.

use super::Islands;
use super::blame::{self, Bundles};
use super::engine::{ENVIRONMENTS, Engine, Environment, Failed, Kind, Rendered, STACK, Thrown};
use parking_lot::Mutex;
use sitegen_core::cache::digest_of;
use sitegen_core::diagnostics::{Diagnostic, IslandProblem, Problem, TextLacks, ToolProblem};
use sitegen_core::parallel;
use sitegen_core::sources::{Digest, Sources};
use sitegen_core::tools::Tools;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

/// One use of an island.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Call {
    /// The island's name.
    pub component: String,
    /// Its props as JSON.
    pub props: String,
    /// What its ids begin with.
    pub prefix: String,
    /// Whether browsers alone render it (`hydrate="only"`). It is tried all the same: what fails for another reason than that
    /// there is no browser would fail for visitors. Its HTML is not used.
    pub only: bool,
}

/// Renders every call once; those for browsers alone give no HTML. Calls that were rendered before with the same code come from the cache.
pub fn prerender(
    sources: &Sources,
    islands: &Islands,
    calls: BTreeSet<Call>,
    tools: &dyn Tools,
) -> BTreeMap<Call, Result<String, Diagnostic>> {
    let cached = |call: Call| {
        let html = tools.cached(&key(islands, &call)).and_then(|html| String::from_utf8(html).ok());
        (call, html)
    };
    let (mut rendered, mut fresh) = (BTreeMap::new(), Vec::new());
    for (call, html) in parallel::map_owned(calls.into_iter().collect(), cached) {
        match html {
            Some(html) => drop(rendered.insert(call, Ok(html))),
            None => fresh.push(call),
        }
    }
    let results = run(sources, islands, &fresh);
    let store = |(call, result): (Call, Result<String, Diagnostic>)| {
        if let Ok(html) = &result {
            tools.store_cached(&key(islands, &call), html.as_bytes());
        }
        (call, result)
    };
    rendered.extend(parallel::map_owned(fresh.into_iter().zip(results).collect(), store));
    rendered
}

fn key(islands: &Islands, call: &Call) -> Digest {
    let bundle = islands.prerenderers.get(&call.component).map(|bundle| bundle.digest).unwrap_or_default();
    digest_of(&("prerender", bundle, call))
}

/// Renders every call, on as many threads as the build has. Calls of an island follow on each other, and each thread keeps
/// an engine for the island it is at.
fn run(sources: &Sources, islands: &Islands, calls: &[Call]) -> Vec<Result<String, Diagnostic>> {
    let next = AtomicUsize::new(0);
    // An error outside of components is that of every call of the island. So an endless loop there is waited for once.
    let broken: Mutex<BTreeMap<(&str, bool), Diagnostic>> = Mutex::default();
    let locked = || broken.lock();
    let work = || {
        let mut done = Vec::new();
        let mut worker: Option<Worker> = None;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let call = calls.get(number);
            let name = call.map(|call| call.component.as_str());
            if let Some(ended) = worker.take_if(|worker| Some(worker.name) != name) {
                done.extend(ended.finish());
            }
            let Some((call, name)) = call.zip(name) else { break };
            if let Some(known) = locked().get(&(name, call.only)).cloned() {
                done.push((number, Err(known)));
                continue;
            }
            let Some(bundle) = islands.prerenderers.get(name) else { continue };
            let worker = worker.get_or_insert_with(|| Worker::of(Bundles { sources, bundle, component: name }, name));
            let result = worker.render(number, call);
            if let Some(import) = result {
                locked().insert((name, call.only), import);
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
    let unfinished = || Diagnostic::failure(engine("it did not run".into()));
    (0..calls.len()).map(|number| done.remove(&number).unwrap_or_else(|| Err(unfinished()))).collect()
}

fn engine(detail: String) -> Problem {
    ToolProblem::Tool { program: "the prerenderer", detail }.into()
}

/// Why there is no HTML to publish.
enum Unproven {
    Failed(Failed),
    Varies(Varies),
}

/// Two renderings that differ.
struct Varies {
    /// What was asked for: `Date.now()`.
    what: String,
    /// Who asked.
    stack: String,
    /// Why the build has not made the text that was asked for, if it was one.
    text: Option<Box<TextLacks>>,
    one: String,
    other: String,
}

/// Calls that are rendered in one engine before it is compared in full with what it was.
const BATCH: usize = 64;

/// Renders calls of one island.
struct Worker<'a> {
    name: &'a str,
    bundles: Bundles<'a>,
    engine: Option<Engine>,
    /// The engine for calls that browsers alone render.
    without_browser: Option<Engine>,
    /// Whether each rendering gets an engine of its own, since one has changed what it shares with others.
    is_alone: bool,
    /// Calls whose renderings shared an engine that has not been compared yet.
    unconfirmed: Vec<(usize, &'a Call)>,
    done: BTreeMap<usize, Result<String, Diagnostic>>,
}

impl<'a> Worker<'a> {
    fn of(bundles: Bundles<'a>, name: &'a str) -> Self {
        let (unconfirmed, done) = Default::default();
        Worker { name, bundles, engine: None, without_browser: None, is_alone: false, unconfirmed, done }
    }

    /// Renders a call. Returns an error that every call of the island has: one outside of components.
    fn render(&mut self, number: usize, call: &'a Call) -> Option<Diagnostic> {
        if call.only {
            let result = self.attempt(call).map(|()| String::new());
            let is_import = matches!(result, Err(Failed::Import(_)));
            let result = result.map_err(|failed| self.report(Unproven::Failed(failed), true));
            let import = result.as_ref().err().filter(|_| is_import).cloned();
            self.done.insert(number, result);
            return import;
        }
        let result = self.prove(call);
        let is_import = matches!(result, Err(Unproven::Failed(Failed::Import(_))));
        let result = result.map_err(|unproven| self.report(unproven, false));
        let import = result.as_ref().err().filter(|_| is_import).cloned();
        self.done.insert(number, result);
        if !self.is_alone {
            self.unconfirmed.push((number, call));
            let is_usable = self.engine.as_ref().is_some_and(|engine| engine.is_usable);
            if !is_usable || self.unconfirmed.len() >= BATCH {
                self.confirm();
            }
        }
        import
    }

    /// Checks that no call of the batch has affected another. If one may have, all of them are rendered again, each alone.
    fn confirm(&mut self) {
        let is_certain = match self.unconfirmed.as_slice() {
            [] => true,
            // An error is final: the call was repeated in an engine that had just started.
            [(number, _)] if self.done[number].is_err() => true,
            _ => self.engine.as_ref().is_some_and(Engine::is_intact),
        };
        let unconfirmed = std::mem::take(&mut self.unconfirmed);
        if is_certain {
            return;
        }
        self.is_alone = true;
        for (number, call) in unconfirmed {
            if self.done[&number].is_ok() {
                let result = self.prove(call).map_err(|unproven| self.report(unproven, false));
                self.done.insert(number, result);
            }
        }
    }

    fn finish(mut self) -> BTreeMap<usize, Result<String, Diagnostic>> {
        self.confirm();
        self.done
    }

    fn report(&self, unproven: Unproven, only: bool) -> Diagnostic {
        match unproven {
            Unproven::Failed(Failed::Engine(detail)) => Diagnostic::failure(engine(detail)),
            Unproven::Failed(Failed::Component(thrown)) => self.bundles.thrown(thrown, false, only),
            Unproven::Failed(Failed::Import(thrown)) => self.bundles.thrown(thrown, true, only),
            Unproven::Failed(Failed::Large(bytes)) => self.bundles.too_large(bytes),
            Unproven::Varies(Varies { what, stack, text, one, other }) => {
                let problem =
                    IslandProblem::PrerenderVaries { component: self.name.to_owned(), what, one, other, text };
                Diagnostic::new(problem, self.bundles.place(&stack))
            }
        }
    }

    /// Renders a call that browsers alone render. It succeeds too where it fails for want of a browser.
    fn attempt(&mut self, call: &Call) -> Result<(), Failed> {
        let used = self.without_browser.take().filter(|engine| engine.is_usable);
        let is_first = used.is_none();
        let mut engine = used.map_or_else(|| Engine::without_browser(self.bundles.bundle), Ok)?;
        let result = engine.render(arguments(call), Environment::default());
        match result {
            Ok(_) => {
                self.without_browser = Some(engine);
                Ok(())
            }
            // No page has to have it.
            Err(Failed::Large(_)) => Ok(()),
            Err(Failed::Component(thrown) | Failed::Import(thrown))
                if self.bundles.lacks_browser(&thrown, &engine.touched()) =>
            {
                Ok(())
            }
            // Earlier calls may have used up the memory, for example.
            Err(Failed::Component(_) | Failed::Import(_)) if !is_first => self.attempt(call),
            Err(failed) => Err(failed),
        }
    }

    /// Renders a call and proves that the HTML is the same for every visitor.
    fn prove(&mut self, call: &Call) -> Result<String, Unproven> {
        let first = self.in_environment(call, Environment::default()).map_err(Unproven::Failed)?;
        if first.asked == 0 {
            return Ok(first.html);
        }
        let kinds = Kind::ALL.iter().map(|kind| *kind as u32).sum();
        let others = (1..ENVIRONMENTS).map(|number| Environment { number, kinds, moment: None });
        let has_clock = first.asked & Kind::Clock as u32 != 0;
        let dates = first.dates.iter().filter(|_| has_clock);
        // From a date on means after it, too.
        let at_dates =
            dates.map(|date| Environment { number: 0, kinds: Kind::Clock as u32, moment: Some(date + 1000.0) });
        for environment in others.chain(at_dates) {
            match self.in_environment(call, environment) {
                Ok(other) if other.html == first.html => {}
                Err(failed @ (Failed::Engine(_) | Failed::Import(_))) => return Err(Unproven::Failed(failed)),
                other => return Err(self.explain(call, first, environment, other)),
            }
        }
        Ok(first.html)
    }

    /// Which of the things that were asked for makes the difference to another environment, where the call failed or gave other
    /// HTML.
    fn explain(
        &mut self,
        call: &Call,
        first: Rendered,
        environment: Environment,
        other: Result<Rendered, Failed>,
    ) -> Unproven {
        let asked: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| first.asked & *kind as u32 != 0).collect();
        let alone = asked.iter().find_map(|kind| {
            let result = self.in_environment(call, Environment { kinds: *kind as u32, ..environment });
            let is_same = result.as_ref().is_ok_and(|rendered| rendered.html == first.html);
            (!is_same).then_some((*kind, result))
        });
        let (kind, other) = alone.unwrap_or((asked[0], other));
        let trace = self.engine().ok().and_then(|engine| engine.trace(arguments(call), kind));
        let texts = self.bundles.bundle.texts.as_ref();
        let text = trace
            .as_ref()
            .and_then(|trace| trace.wanted.as_ref())
            .zip(texts)
            .map(|(wanted, texts)| Box::new(texts.lacks(wanted)));
        let (what, stack) = trace.map(|trace| (trace.what, trace.stack)).unwrap_or_default();
        match other {
            Ok(other) => {
                let (one, other) = blame::difference(&first.html, &other.html);
                Unproven::Varies(Varies { what, stack, text, one, other })
            }
            Err(Failed::Component(thrown)) => {
                let message =
                    format!("{}; another visitor gets something else from `{what}`", blame::in_words(&thrown.message));
                Unproven::Failed(Failed::Component(Thrown { message, ..thrown }))
            }
            Err(failed) => Unproven::Failed(failed),
        }
    }

    fn in_environment(&mut self, call: &Call, environment: Environment) -> Result<Rendered, Failed> {
        let engine = self.engine()?;
        let was_fresh = engine.is_fresh;
        match engine.render(arguments(call), environment) {
            Err(failed @ Failed::Large(_)) => Err(failed),
            // Earlier calls may have used up the memory, for example.
            Err(_) if !was_fresh => {
                self.engine = None;
                self.engine()?.render(arguments(call), environment)
            }
            rendered => rendered,
        }
    }

    /// An engine in which a rendering begins in the same state as in every other.
    fn engine(&mut self) -> Result<&mut Engine, Failed> {
        let engine = match self.engine.take().filter(|engine| engine.is_usable && !self.is_alone) {
            Some(engine) => engine,
            None => Engine::start(self.bundles.bundle)?,
        };
        Ok(self.engine.insert(engine))
    }
}

fn arguments(call: &Call) -> (&str, &str, &str) {
    (&call.component, &call.props, &call.prefix)
}
