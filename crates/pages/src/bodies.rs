//! The HTML of texts that are not in a page, such as those of feeds.

use super::components::insert;
use super::mistakes::Known;
use super::social::Requests;
use super::{Inputs, Keys, Templates, engine, functions, islands, values};
use sitegen_content::markdown::Rendered;
use sitegen_core::diagnostics::{Diagnostic, MarkdownProblem};
use std::borrow::Cow;
use tera::{Context, Tera};

/// The templates of a site, for texts that are not in a page.
pub struct Components<'a> {
    inputs: Inputs<'a>,
    engine: Tera,
    collections: Context,
    token: islands::Token,
}

impl<'a> Components<'a> {
    /// Loads the templates.
    pub fn of(inputs: Inputs<'a>) -> Result<Self, Vec<Diagnostic>> {
        let Inputs { sources, styles, islands, tools, .. } = inputs;
        let files = Templates::of(sources);
        let mut engine = Tera::clone(&*engine::load(&files, None, tools.cache())?);
        let token = islands::Token::of(sources, super::bundles_digest(styles, islands));
        // The page of a text asks for the pictures in it.
        let previews = engine::load_previews(&files, tools.cache());
        let needs = functions::Needs::of(inputs, previews, &Requests::default(), &Known::default())?;
        functions::register(&mut engine, &needs, inputs, token.clone());
        let uses = Keys::of(inputs).uses_of_components();
        let collections = values::share(&mut engine, inputs, &uses)?.for_page(&uses);
        Ok(Components { inputs, engine, collections, token })
    }

    /// Returns the HTML of a body with its components, none of which may have an island.
    pub fn insert<'b>(&self, body: &'b Rendered, language: Option<&str>) -> Result<Cow<'b, str>, Vec<Diagnostic>> {
        let html = insert((&self.engine, &self.collections), self.inputs, body, language)?;
        match body.calls.first().filter(|_| self.token.is_in(&html)) {
            None => Ok(html),
            Some(call) => {
                let detail =
                    "it contains an island, which a feed cannot contain; write `content: summary` in `feed`".to_owned();
                Err(vec![Diagnostic::new(MarkdownProblem::ComponentCall { detail }, call.place.clone())])
            }
        }
    }
}
