//! Mistakes in content that functions of templates find, as Tera's errors.
//!
//! A template stops at its first error. So that an editor learns of all mistakes of a page at once, the page is rendered
//! again with those that are known in [`Known`]: a function that finds one of them again returns an empty text, and
//! the template goes on to the next.

use parking_lot::{Mutex, MutexGuard};
use sitegen_core::diagnostics::{
    AssetProblem, ConnectionProblem, IslandProblem, LinkProblem, Lost, MarkdownProblem, Problem, TemplateProblem,
    message,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use tera::{Error, ErrorKind, Kwargs, State, TeraResult, Value};

/// The mistakes that functions pass over.
#[derive(Clone, Debug, Default)]
pub struct Known(Arc<Mutex<BTreeSet<String>>>);

impl Known {
    /// Adds the mistake of a failed rendering. Returns whether it was one of a function, and not known before.
    pub fn add(&self, error: &Error) -> bool {
        let ErrorKind::RenderingError(report) = error.kind() else { return false };
        let encoded = report.message().find(ENCODED).map(|at| report.message()[at..].to_owned());
        encoded.is_some_and(|encoded| self.lock().insert(encoded))
    }

    /// Forgets all.
    pub fn clear(&self) {
        self.lock().clear();
    }

    /// Returns a function for templates that passes over what is known.
    pub fn passed_over<R: Into<Value>>(
        &self,
        function: impl Fn(Kwargs, &State) -> TeraResult<R> + Send + Sync + 'static,
    ) -> impl Fn(Kwargs, &State) -> TeraResult<Value> + Send + Sync + 'static {
        let known = self.clone();
        move |kwargs: Kwargs, state: &State| match function(kwargs, state) {
            Err(error) if known.has(&error) => Ok(Value::safe_string("")),
            result => result.map(Into::into),
        }
    }

    /// Whether the error of a function is known.
    pub fn has(&self, error: &Error) -> bool {
        self.lock().contains(&error.to_string())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock()
    }
}

/// Tera's errors carry text. A problem with a message of its own is encoded in it, and [`decode`] decodes it.
const ENCODED: char = '\u{1e}';
const FACT: char = '\u{1f}';

/// Returns the error that carries a problem.
pub fn encode(problem: &Problem) -> Error {
    encode_with(problem, "")
}

/// As [`encode`], with the text of content that the problem is in.
pub fn encode_with(problem: &Problem, content: &str) -> Error {
    let facts = match problem {
        Problem::Asset(AssetProblem::UnknownAsset { path, nearest }) => {
            ["asset", path, nearest.as_deref().unwrap_or_default(), content]
        }
        Problem::Island(IslandProblem::UnknownIsland { name, nearest }) => {
            ["island", name, nearest.as_deref().unwrap_or_default(), content]
        }
        Problem::Link(LinkProblem::BrokenFile { target, nearest }) => {
            ["file", target, nearest.as_deref().unwrap_or_default(), content]
        }
        Problem::Island(IslandProblem::UnknownHydration { value }) => ["hydration", value, "", content],
        Problem::Connection(ConnectionProblem::UnknownConnection { name, is_declared: true, .. }) => {
            ["unfetched", name, "", content]
        }
        Problem::Connection(ConnectionProblem::UnknownConnection { name, nearest, known, .. }) => {
            return encoded(["connection", name, nearest.as_deref().unwrap_or_default(), &known.join(" ")]);
        }
        Problem::Markdown(MarkdownProblem::UnsafeAddress { address }) => ["address", address, "", content],
        Problem::Link(LinkProblem::BadAddress { address }) => ["bad", address, "", content],
        Problem::Asset(AssetProblem::BadPicture { path, detail, fix }) => {
            return encoded(["picture", path, detail, fix]);
        }
        Problem::Asset(AssetProblem::SocialPicture { template, detail, fix }) => {
            return encoded(["social", template, detail, &format!("{fix}{FACT}{content}")]);
        }
        Problem::Island(IslandProblem::IslandProps { component, detail, fix }) => {
            let fix = fix.as_deref().unwrap_or_default();
            return encoded(["props", component, detail, &format!("{fix}{FACT}{content}")]);
        }
        Problem::Asset(AssetProblem::UnsafeSvg { detail, fix }) => ["svg", detail, fix, content],
        Problem::Markdown(MarkdownProblem::RawHtml { html }) => ["html", html, "", content],
        Problem::Markdown(MarkdownProblem::LostText(lost)) => {
            let (kind, label) = match lost {
                Lost::BesideComment => ("beside", ""),
                Lost::InOpenComment => ("open", ""),
                Lost::UnusedFootnote { label } => ("unused", label.as_str()),
                Lost::UnusedDefinition { label } => ("definition", label.as_str()),
                Lost::RepeatedFootnote { label } => ("repeated", label.as_str()),
                Lost::ExtraCell => ("cell", ""),
            };
            ["lost", kind, label, content]
        }
        Problem::Template(TemplateProblem::TemplateFailed { detail }) => ["failed", detail, "", content],
        other => return Error::message(message(other)),
    };
    encoded(facts)
}

fn encoded(facts: [&str; 4]) -> Error {
    Error::message(format!("{ENCODED}{}", facts.join(&FACT.to_string())))
}

/// Returns the problem encoded in a function's error, if there is one, and the text of content that it is in.
pub fn decode(text: &str) -> Option<(Problem, Option<String>)> {
    let (_, facts) = text.split_once(ENCODED)?;
    let mut facts = facts.splitn(4, FACT);
    let (kind, fact, nearest, content) = (facts.next()?, facts.next()?.to_owned(), facts.next()?, facts.next()?);
    if kind == "picture" {
        let (detail, fix) = (nearest.to_owned(), content.to_owned());
        return Some((AssetProblem::BadPicture { path: fact, detail, fix }.into(), None));
    }
    if kind == "social" {
        let (fix, content) = content.split_once(FACT)?;
        let problem = AssetProblem::SocialPicture { template: fact, detail: nearest.to_owned(), fix: fix.to_owned() };
        return Some((problem.into(), (!content.is_empty()).then(|| content.to_owned())));
    }
    if kind == "props" {
        let (fix, content) = content.split_once(FACT)?;
        let fix = (!fix.is_empty()).then(|| fix.to_owned());
        let problem = IslandProblem::IslandProps { component: fact, detail: nearest.to_owned(), fix };
        return Some((problem.into(), (!content.is_empty()).then(|| content.to_owned())));
    }
    let nearest = (!nearest.is_empty()).then(|| nearest.to_owned());
    if kind == "connection" {
        let known = content.split_whitespace().map(str::to_owned).collect();
        return Some((
            ConnectionProblem::UnknownConnection { name: fact, is_declared: false, nearest, known }.into(),
            None,
        ));
    }
    let problem: Problem = match kind {
        "asset" => AssetProblem::UnknownAsset { path: fact, nearest }.into(),
        "island" => IslandProblem::UnknownIsland { name: fact, nearest }.into(),
        "file" => LinkProblem::BrokenFile { target: fact, nearest }.into(),
        "hydration" => IslandProblem::UnknownHydration { value: fact }.into(),
        "unfetched" => {
            ConnectionProblem::UnknownConnection { name: fact, is_declared: true, nearest: None, known: Vec::new() }
                .into()
        }
        "address" => MarkdownProblem::UnsafeAddress { address: fact }.into(),
        "bad" => LinkProblem::BadAddress { address: fact }.into(),
        "svg" => AssetProblem::UnsafeSvg { detail: fact, fix: nearest.unwrap_or_default() }.into(),
        "html" => MarkdownProblem::RawHtml { html: fact }.into(),
        "failed" => TemplateProblem::TemplateFailed { detail: fact }.into(),
        "lost" => MarkdownProblem::LostText(match fact.as_str() {
            "open" => Lost::InOpenComment,
            "unused" => Lost::UnusedFootnote { label: nearest.unwrap_or_default() },
            "definition" => Lost::UnusedDefinition { label: nearest.unwrap_or_default() },
            "repeated" => Lost::RepeatedFootnote { label: nearest.unwrap_or_default() },
            "cell" => Lost::ExtraCell,
            _ => Lost::BesideComment,
        })
        .into(),
        _ => return None,
    };
    Some((problem, (!content.is_empty()).then(|| content.to_owned())))
}
