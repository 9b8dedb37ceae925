//! What is declared or bundled, and used by no page.

use super::sealed::Sealed;
use sitegen_content::SITE_FILE;
use sitegen_content::connections::Connection;
use sitegen_content::typed::Spanned;
use sitegen_core::diagnostics::{ConnectionProblem, Diagnostic, Place};
use sitegen_core::paths::SourcePath;
use sitegen_core::sources::SourceKind;
use sitegen_islands::Islands;
use sitegen_pages::{Inputs, NEVER};
use std::collections::BTreeSet;

/// Returns the modules that only islands need which no page brings to life: nothing would ever load them.
pub fn unused_modules<'i>(islands: &'i Islands, sealed: &[Sealed]) -> BTreeSet<&'i str> {
    let calls = sealed.iter().flat_map(|page| &page.summary.islands);
    let used: BTreeSet<&String> = calls.filter(|(_, hydrate)| hydrate != NEVER).map(|(name, _)| name).collect();
    let modules = |is_used: bool| {
        let islands = islands.modules.iter().filter(move |(name, _)| used.contains(name) == is_used);
        islands.flat_map(|(_, modules)| modules).map(String::as_str).collect::<BTreeSet<_>>()
    };
    let needed = modules.clone()(true);
    &modules(false) - &needed
}

/// Warns of declared connections that no page uses. A page that is left out today may use any that its file or a template
/// can name.
pub fn unused_connections(inputs: Inputs, sealed: &[Sealed]) -> Vec<Diagnostic> {
    let Inputs { sources, site, .. } = inputs;
    let connections = &site.settings.connections;
    let is_named = |connection: &Connection| {
        let words = [Some(connection.name.as_str()), connection.origin.as_deref()];
        let files = sources.of_all(&[SourceKind::Page, SourceKind::Template]);
        let is_in = |text: &str| words.into_iter().flatten().any(|word| text.contains(word));
        let mut files = files.map(|(_, source)| source.here());
        files.any(|source| source.text().is_some_and(is_in))
    };
    let mut diagnostics = Vec::new();
    for connection in connections.iter() {
        let is_excused = || !site.pages.hidden().is_empty() && is_named(connection);
        for Spanned { value: kind, span } in &connection.kinds {
            let used = (connection.name.clone(), *kind);
            if sealed.iter().any(|page| page.summary.connections.contains(&used)) || is_excused() {
                continue;
            }
            let problem =
                ConnectionProblem::UnusedConnection { name: connection.name.clone(), kind: kind.name().to_owned() };
            let place = Place::new(&SourcePath::new(SITE_FILE), *span);
            diagnostics.push(Diagnostic::new(problem, place));
        }
    }
    diagnostics
}
