//! Everything that can be wrong, in families of a file each. One file has all of a problem: its facts, its code and
//! severity, its message, the next step, and its page of `sitegen explain`.
//!
//! To add one, add a variant, its arm in `describe` and, for a new code, a section to `EXPLANATIONS`. A section begins
//! with a complete sentence, says why it matters, and shows an error and its fix at the site of a bakery. The meaning of
//! a code never changes.

// The comment of a variant and the message beside it say what its facts are.
#![allow(missing_docs)]

mod accessibility;
mod addresses;
mod assets;
mod budgets;
mod checks;
mod collections;
mod connections;
mod data;
mod description;
mod feeds;
mod files;
mod hosting;
mod imports;
mod islands;
mod languages;
mod links;
mod markdown;
mod markup;
mod plurals;
mod policy;
mod references;
mod schema;
mod styles;
mod templates;
mod tool;
mod unused;
mod yaml;

pub use accessibility::AccessibilityProblem;
pub use addresses::AddressProblem;
pub use assets::AssetProblem;
pub use budgets::BudgetProblem;
pub use checks::CheckProblem;
pub use collections::CollectionProblem;
pub use connections::ConnectionProblem;
pub use data::DataProblem;
pub use description::{Description, NAMED};
pub use feeds::FeedProblem;
pub use files::FileProblem;
pub use hosting::HostProblem;
pub use imports::ImportProblem;
pub use islands::{HYDRATIONS, IslandProblem, TextLacks};
pub use languages::LanguageProblem;
pub use links::LinkProblem;
pub use markdown::{Literal, Lost, MarkdownProblem};
pub use markup::MarkupProblem;
pub use plurals::PluralProblem;
pub use policy::PolicyProblem;
pub use references::ReferenceProblem;
pub use schema::SchemaProblem;
pub use styles::StyleProblem;
pub use templates::TemplateProblem;
pub use tool::{ToolProblem, UnknownEsbuild};
pub use unused::UnusedProblem;
pub use yaml::YamlProblem;

/// Returns the stable code of a problem, which is printed in brackets.
pub fn code(problem: &Problem) -> &'static str {
    problem.describe().code
}

/// Says what is wrong, in one sentence.
pub fn message(problem: &Problem) -> String {
    problem.describe().message
}

/// Returns the next step, in one line, if there is one.
pub fn label(problem: &Problem) -> Option<String> {
    problem.describe().label
}

/// The [adjustable](is_adjustable) codes.
const ADJUSTABLE: [&[&str]; 14] = [
    addresses::ADJUSTABLE,
    yaml::ADJUSTABLE,
    markdown::ADJUSTABLE,
    collections::ADJUSTABLE,
    assets::ADJUSTABLE,
    markup::ADJUSTABLE,
    connections::ADJUSTABLE,
    accessibility::ADJUSTABLE,
    languages::ADJUSTABLE,
    links::ADJUSTABLE,
    policy::ADJUSTABLE,
    budgets::ADJUSTABLE,
    styles::ADJUSTABLE,
    unused::ADJUSTABLE,
];

/// Whether a site may set the severity of a code, and suppress its errors. These are judgements about content. Whatever would make
/// a site unsafe, lose an address or leave open what is published has a fixed severity.
pub fn is_adjustable(code: &str) -> bool {
    ADJUSTABLE.iter().any(|codes| codes.contains(&code))
}

/// Returns the [adjustable](is_adjustable) codes in alphabetical order.
pub fn adjustable() -> Vec<&'static str> {
    let mut codes = ADJUSTABLE.concat();
    codes.sort_unstable();
    codes
}

/// Defines [`Problem`] from the enums of the families.
macro_rules! families {
    ($($family:ident: $file:ident::$problem:ident,)*) => {
        /// Something that is wrong with a site, or that kept the tool from its work.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Problem {
            $(#[doc = concat!("A problem of the file `", stringify!($file), "`.")] $family($problem),)*
            /// A problem that an earlier process found, read from the cache.
            Saved(Description),
        }

        impl Problem {
            /// Returns what is printed of it.
            pub fn describe(&self) -> Description {
                match self {
                    $(Problem::$family(problem) => $file::describe(problem),)*
                    Problem::Saved(description) => description.clone(),
                }
            }
        }

        $(impl From<$problem> for Problem {
            fn from(problem: $problem) -> Self {
                Problem::$family(problem)
            }
        })*

        /// The pages of `sitegen explain`, under headings `## code`, by the file of their family.
        pub(super) const EXPLANATIONS: &[(&str, &str)] = &[$((stringify!($file), $file::EXPLANATIONS)),*];

        /// The text of each file.
        #[cfg(test)]
        pub(super) const FILES: &[&str] = &[$(include_str!(concat!("problem/", stringify!($file), ".rs"))),*];
    };
}

families! {
    Yaml: yaml::YamlProblem,
    Data: data::DataProblem,
    Schema: schema::SchemaProblem,
    Reference: references::ReferenceProblem,
    Markdown: markdown::MarkdownProblem,
    Collection: collections::CollectionProblem,
    Address: addresses::AddressProblem,
    Feed: feeds::FeedProblem,
    Host: hosting::HostProblem,
    Template: templates::TemplateProblem,
    Asset: assets::AssetProblem,
    Import: imports::ImportProblem,
    Style: styles::StyleProblem,
    Island: islands::IslandProblem,
    Markup: markup::MarkupProblem,
    Plural: plurals::PluralProblem,
    Policy: policy::PolicyProblem,
    Connection: connections::ConnectionProblem,
    Accessibility: accessibility::AccessibilityProblem,
    Language: languages::LanguageProblem,
    Link: links::LinkProblem,
    Budget: budgets::BudgetProblem,
    Check: checks::CheckProblem,
    Unused: unused::UnusedProblem,
    File: files::FileProblem,
    Tool: tool::ToolProblem,
}
