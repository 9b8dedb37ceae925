//! Reads the code of all templates, once for everything that follows from it.

use super::files::{Template, Templates};
use super::keys::{self, Suspect};
use super::lexer::{Code, codes};
use super::uses::{self, Uses};
use super::words::Words;
use crate::cache::{Cache, Query};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;

/// What the code of all templates says.
#[derive(Debug)]
pub struct Scan {
    /// What each template uses, by its name.
    pub uses: BTreeMap<String, Uses>,
    /// The keys of values that may be misspelt.
    pub suspects: Vec<Suspect>,
    /// The words in them.
    pub words: Words,
}

/// Returns what the code of all templates says.
pub fn scan(templates: &Templates, cache: &Cache) -> Arc<Scan> {
    let Ok(scan) = cache.query(&Scanned { templates });
    scan
}

#[derive(Hash)]
struct Scanned<'a> {
    templates: &'a Templates,
}

impl Query for Scanned<'_> {
    const KIND: &'static str = "scan of templates";
    type Output = Scan;
    type Refused = Infallible;

    fn run(&self, _: &Cache) -> Result<Scan, Infallible> {
        let lexed: Vec<(Template, Vec<Code>)> = self.templates.iter().map(|each| (each, codes(each.text))).collect();
        let words = Words::of(lexed.iter().flat_map(|(_, codes)| codes));
        Ok(Scan { uses: uses::uses(&lexed), suspects: keys::suspects(&lexed), words })
    }
}
