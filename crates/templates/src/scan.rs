//! Reads the code of all templates, once for everything that follows from it.

use super::keys::{self, Suspect};
use super::lexer::{Code, Token, codes};
use super::uses::{self, AllUses, Names, unquoted};
use super::words::Words;
use super::{Template, Templates};
use sitegen_core::cache::{Cache, Query};
use std::convert::Infallible;
use std::sync::Arc;

/// What the code of all templates says.
#[derive(Debug)]
pub struct Scan {
    /// What templates use.
    pub uses: AllUses,
    /// The keys of values that may be misspelt.
    pub suspects: Vec<Suspect>,
    /// The words in them.
    pub words: Words,
    /// When islands may be hydrated: the values of `hydrate`.
    pub hydrations: Names,
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
        let mut hydrations = Names::default();
        lexed.iter().flat_map(|(_, codes)| codes).for_each(|code| add_hydrations(code, &mut hydrations));
        Ok(Scan {
            uses: uses::uses(&self.templates.all().collect::<Vec<_>>(), &lexed),
            suspects: keys::suspects(&lexed),
            words,
            hydrations,
        })
    }
}

/// Adds the values of `hydrate` in some code. One that is computed, or that a component gets, may be any.
fn add_hydrations(code: &Code, hydrations: &mut Names) {
    let tokens: Vec<Token> = code.tokens.iter().map(|(token, _)| *token).collect();
    for (at, _) in tokens.iter().enumerate().filter(|(_, token)| **token == Token::Word("hydrate")) {
        match &tokens[at + 1..] {
            [Token::Sign('='), Token::Value(value), Token::Sign(',' | ')' | '/' | '>') | Token::Word(_), ..] => {
                match unquoted(value) {
                    Some(value) => _ = hydrations.named.insert(value.to_owned()),
                    None => hydrations.all = true,
                }
            }
            [Token::Sign('='), ..] => hydrations.all = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hydrations_are_written_out_or_may_be_any() {
        let of = |text: &str| {
            let mut hydrations = Names::default();
            codes(text).iter().for_each(|code| add_hydrations(code, &mut hydrations));
            (hydrations.named.into_iter().collect::<Vec<_>>().join(" "), hydrations.all)
        };
        for (text, named, all) in [
            ("{{ island(component=\"A\", hydrate=\"media\", media=\"print\") }}", "media", false),
            ("{{ island(component='A', hydrate='only') }}{{ <card hydrate=\"load\" /> }}", "load only", false),
            ("{% <card hydrate=\"idle\" title=\"A\"> %}{{ island(component=\"A\") }}", "idle", false),
            ("{{ island(component=\"A\", hydrate=page.hydrate) }}", "", true),
            ("{{ island(component=\"A\", hydrate=\"me\" ~ \"dia\") }}", "", true),
            ("{{ <card hydrate={mode} /> }}", "", true),
            ("{{ page.hydrate }}{# hydrate=a #}{% raw %}{{ hydrate=a }}{% endraw %}", "", false),
        ] {
            assert_eq!(of(text), (named.to_owned(), all), "{text}");
        }
    }
}
