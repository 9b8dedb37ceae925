//! What visitors download.

use super::description::{Description, error};

/// A page that is too large.
#[derive(Clone, Debug, PartialEq)]
pub enum BudgetProblem {
    /// A page for which visitors download more than its budget. `what`: `HTML`, `CSS`, `JavaScript` or `images`;
    /// `size`: bytes that are downloaded; `limit`: bytes that may be; `packages`: of JavaScript, the packages that it
    /// is made of, with their bytes before compression; of images, the files. The largest come first; `islands`: of
    /// JavaScript, the islands that load it, each with a value of `hydrate`.
    OverBudget {
        what: &'static str,
        size: usize,
        limit: usize,
        packages: Vec<(String, usize)>,
        islands: Vec<(String, String)>,
    },
}

pub(super) fn describe(problem: &BudgetProblem) -> Description {
    let BudgetProblem::OverBudget { what, size, limit, packages, islands } = problem;
    let note = (!packages.is_empty()).then(|| made_of(what, packages, islands));
    let (size, limit) = (kilobytes(*size), kilobytes(*limit));
    error!("over-budget", "the page loads {size} of {what}, but its budget is {limit}")
        .label("make it smaller, or raise the budget in `content/site.yaml`")
        .note(note)
}

/// Packages that a message names at most.
const MOST_PACKAGES: usize = 5;

fn made_of(what: &str, packages: &[(String, usize)], islands: &[(String, String)]) -> String {
    let largest = packages.iter().take(MOST_PACKAGES);
    let mut parts: Vec<String> = largest.map(|(name, bytes)| format!("{name} {}", kilobytes(*bytes))).collect();
    let others = packages.len().saturating_sub(MOST_PACKAGES);
    if others > 0 {
        parts.push(format!("{others} others"));
    }
    let islands: Vec<String> = islands.iter().map(|(island, hydrate)| format!("`{island}` (`{hydrate}`)")).collect();
    let islands = match islands.as_slice() {
        [] => String::new(),
        [island] => format!("; loaded by the island {island}"),
        _ => format!("; loaded by the islands {}", islands.join(", ")),
    };
    match what {
        "images" => format!("a visitor loads {}", parts.join(", ")),
        _ => format!("before compression, it is {}{islands}", parts.join(", ")),
    }
}

fn kilobytes(bytes: usize) -> String {
    format!("{:.2} KB", bytes as f64 / 1e3)
}

/// The codes whose severity a site may set, and whose errors it may suppress.
pub(super) const ADJUSTABLE: &[&str] = &["over-budget"];

/// The pages of `sitegen explain` about these.
pub(super) const EXPLANATIONS: &str = r#"
## over-budget

Visitors would have to download more for this page than its budget allows.
The budget is in `content/site.yaml` under `settings`, `budgets`, in kilobytes
of 1,000 bytes. Text counts compressed with Brotli, as it is sent; images count
as they are. Pages grow a little with every change, and only visitors with a
slow connection notice. Make an image smaller or a text shorter, or raise the
budget on purpose. For JavaScript the message lists the packages it consists of;
`sitegen build -v` lists all of them for each island. With `--development`
nothing is measured.

```yaml
settings: { budgets: { html: 14, images: 240 } }   # the page has 361 of images
```

```yaml
settings: { budgets: { html: 14, images: 400 } }   # or scale the images down
```
"#;
