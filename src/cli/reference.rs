//! The pages of the documentation that are made from the program: commands, settings, keys and messages.
//!
//! `tests/it/docs.rs` compares them with the files in `docs/`, so that the documentation cannot disagree.

use super::Arguments;
use crate::content::schema::{ENTRY, PAGE, PICTURE, SITE};
use crate::diagnostics::{explanation, families};
use clap::{Command, CommandFactory};
use serde_json::Value;

/// The pages with their paths below `docs/content/pages/`. `printed` returns what the program prints with a code, for the wrong
/// example of its explanation.
pub fn pages(printed: &dyn Fn(&str) -> Option<String>) -> Vec<(String, String)> {
    let mut pages = vec![
        ("reference/commands.md".to_owned(), commands()),
        ("reference/settings.md".to_owned(), settings()),
        ("reference/keys.md".to_owned(), keys()),
        ("reference/messages.md".to_owned(), messages()),
    ];
    pages.extend(GROUPS.iter().map(|group| (format!("reference/{}", group.file()), group.page(printed))));
    pages
}

/// The program with all of its commands, from which shell completions and manual pages are made.
pub fn program() -> Command {
    Arguments::command()
}

fn front(title: &str, description: &str, more: &str) -> String {
    format!(
        "---\n# Written from the program by `BLESS=docs cargo test --test it docs::`\ntitle: {title}\n\
         description: {description}\nsection: reference\n{more}---\n\n"
    )
}

fn commands() -> String {
    let mut out =
        front("Commands and options", "Every command of sitegen with its arguments and options.", "order: 300\n");
    out.push_str("[Running sitegen](../guides/commands.md) explains what they do, and [Starters](../guides/starters.md) shows a picture of each\n");
    out.push_str("site that `sitegen new` creates.\n");
    let mut program = program();
    program.build();
    for command in program.get_subcommands().filter(|command| !command.is_hide_set() && command.get_name() != "help") {
        write_command(command, &mut out);
        let parts = command.get_subcommands().filter(|part| !part.is_hide_set() && part.get_name() != "help");
        parts.for_each(|part| write_command(part, &mut out));
    }
    out
}

fn write_command(command: &Command, out: &mut String) {
    let name = command.get_bin_name().unwrap_or_default();
    out.push_str(&format!("\n## {name}\n\n{}.\n\n", command.get_about().map(ToString::to_string).unwrap_or_default()));
    // The other lines are indented as far as "Usage: " is long.
    let usage = command.clone().render_usage().to_string().replace("\n       ", "\n");
    out.push_str(&format!("```text\n{}\n```\n\n", usage.trim_start_matches("Usage: ").trim()));
    for argument in command.get_arguments().filter(|argument| !argument.is_hide_set() && argument.get_id() != "help") {
        let values = argument.get_value_names().unwrap_or_default().iter().map(|name| name.to_string());
        let values: Vec<String> = values.collect();
        let takes_value = argument.get_action().takes_values();
        let long = argument.get_long().map(|long| format!("--{long}"));
        let short = argument.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
        let value = if takes_value { values.join(" ") } else { String::new() };
        let written = match long {
            Some(long) if value.is_empty() => format!("{short}{long}"),
            Some(long) => format!("{short}{long} {value}"),
            None => value,
        };
        let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
        out.push_str(&format!("- `{written}`: {}.", help.trim_end_matches('.')));
        let choices = argument.get_possible_values().into_iter().filter(|choice| !choice.is_hide_set());
        let choices: Vec<_> = choices.filter(|_| takes_value).collect();
        let defaults = argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
        let defaults: Vec<String> = defaults.filter(|_| takes_value).collect();
        if !defaults.is_empty() {
            out.push_str(&format!(" Without it: `{}`.", defaults.join(" ")));
        }
        out.push('\n');
        for choice in choices {
            let help = choice.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            out.push_str(&format!("  - `{}`{help}\n", choice.get_name()));
        }
    }
}

fn parsed(schema: &str) -> Value {
    serde_json::from_str(schema).unwrap_or_default()
}

fn settings() -> String {
    let mut out = front("Settings", "Every key of content/site.yaml that sitegen reads.", "order: 310\n");
    let site = parsed(SITE);
    out.push_str(
        "These keys of `content/site.yaml` are read by sitegen. All others are for templates, and a site describes\n",
    );
    out.push_str("them in `content/schemas/site.schema.json`. `sitegen schema site` prints this as a JSON Schema.\n");
    for (key, schema) in properties(&site) {
        if key == "settings" {
            for (inner, schema) in properties(schema) {
                write_key(&format!("settings.{inner}"), schema, false, 2, &mut out);
            }
        } else {
            write_key(key, schema, is_required(&site, key), 2, &mut out);
        }
    }
    out
}

fn keys() -> String {
    let mut out = front(
        "Keys of pages and entries",
        "Every key that sitegen reads in a page, an entry or beside a picture.",
        "order: 320\n",
    );
    out.push_str("All other keys are for templates; a site describes them in its schemas.\n");
    for (title, text) in [("Pages", PAGE), ("Entries of collections", ENTRY), ("Pictures", PICTURE)] {
        let schema = parsed(text);
        let description = schema["description"].as_str().unwrap_or_default();
        out.push_str(&format!("\n## {title}\n\n{description}\n"));
        for (key, inner) in properties(&schema) {
            write_key(key, inner, is_required(&schema, key), 3, &mut out);
        }
    }
    out
}

/// Returns the keys of an object in a schema.
fn properties(schema: &Value) -> impl Iterator<Item = (&str, &Value)> {
    schema["properties"].as_object().into_iter().flatten().map(|(key, value)| (key.as_str(), value))
}

fn is_required(schema: &Value, key: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|name| name == key))
}

/// Writes a key with a heading, and the keys in it as a list.
fn write_key(key: &str, schema: &Value, required: bool, level: usize, out: &mut String) {
    let description = schema["description"].as_str().unwrap_or_default();
    let required = if required { "Required. " } else { "" };
    out.push_str(&format!("\n{} `{key}`\n\n{description}\n\n{required}{}\n", "#".repeat(level), kind(schema)));
    let mut list = String::new();
    write_inner(schema, "", 0, &mut list);
    if !list.is_empty() {
        out.push('\n');
        out.push_str(&list);
    }
}

fn write_inner(schema: &Value, prefix: &str, depth: usize, out: &mut String) {
    let schema = if schema["items"]["properties"].is_object() { &schema["items"] } else { schema };
    let schema = if schema["additionalProperties"].is_object() { &schema["additionalProperties"] } else { schema };
    for (key, inner) in properties(schema) {
        let description = inner["description"].as_str().unwrap_or_default();
        let required = if is_required(schema, key) { "Required. " } else { "" };
        let indent = "  ".repeat(depth);
        out.push_str(&format!("{indent}- `{prefix}{key}`: {description} {required}{}\n", kind(inner)));
        write_inner(inner, prefix, depth + 1, out);
    }
}

/// Says in a sentence what a value may be.
fn kind(schema: &Value) -> String {
    let quoted = |values: &[Value]| {
        let values: Vec<String> = values.iter().map(|value| format!("`{}`", plain(value))).collect();
        values.join(", ")
    };
    let name = |name: &str| match name {
        "string" => "a text",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "`true` or `false`",
        "array" => "a list",
        "object" => "a map",
        _ => "a value",
    };
    let mut sentence = if let Some(values) = schema["enum"].as_array() {
        format!("One of {}", quoted(values))
    } else {
        let names: Vec<&str> = match &schema["type"] {
            Value::String(single) => vec![name(single)],
            Value::Array(several) => several.iter().filter_map(Value::as_str).map(name).collect(),
            _ => Vec::new(),
        };
        let words = names.join(" or ");
        let mut letters = words.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    };
    if let Some(values) = schema["items"]["enum"].as_array() {
        sentence.push_str(&format!(" of {}", quoted(values)));
    }
    if !schema["default"].is_null() {
        sentence.push_str(&format!("; `{}` if it is left out", plain(&schema["default"])));
    }
    if sentence.is_empty() { sentence } else { format!("{sentence}.") }
}

/// Writes a value as YAML has it.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Gives the two blocks of an explanation the titles `Wrong` and `Right`. A block that is a message has none to be right.
fn titled(text: &str) -> String {
    let is_message = |block: &str| ["error[", "failed["].iter().any(|start| block.trim_start().starts_with(start));
    let parts: Vec<&str> = text.split("```").collect();
    let [before, first, between, second, after] = parts[..] else { return text.to_owned() };
    let body = |block: &str| block.split_once('\n').map_or("", |(_, body)| body).to_owned();
    if is_message(&body(second)) {
        return text.to_owned();
    }
    let with_title = |block: &str, title: &str| {
        let (language, body) = block.split_once('\n').unwrap_or((block, ""));
        format!("```{language} title=\"{title}\"\n{body}```")
    };
    let (wrong, right) = if is_message(&body(first)) { ("The message", "What helps") } else { ("Wrong", "Right") };
    format!("{before}{}{between}{}{after}", with_title(first, wrong), with_title(second, right))
}

/// Codes that are explained on the same page.
struct Group {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Their families, which are files in `crates/core/src/diagnostics/problem/`.
    families: &'static [&'static str],
}

const GROUPS: [Group; 12] = [
    Group {
        name: "yaml",
        title: "YAML and data files",
        description: "Files of content that cannot be read, or that other programs would read differently.",
        families: &["yaml", "data"],
    },
    Group {
        name: "keys",
        title: "Keys, values and references",
        description: "Keys and values that a schema does not allow, schemas, and references in braces.",
        families: &["schema", "references"],
    },
    Group {
        name: "markdown",
        title: "Markdown",
        description: "Components, HTML and code in texts, and text that would be missing from the page.",
        families: &["markdown"],
    },
    Group {
        name: "collections",
        title: "Collections, addresses and feeds",
        description: "Entries and lists, the addresses of pages, addresses that are gone, and feeds.",
        families: &["collections", "addresses", "feeds"],
    },
    Group {
        name: "templates",
        title: "Templates and styles",
        description: "Templates and what they read of content, and stylesheets.",
        families: &["templates", "styles"],
    },
    Group {
        name: "islands",
        title: "Islands and imports",
        description: "Islands, their props and their HTML, and what scripts and stylesheets import.",
        families: &["islands", "imports"],
    },
    Group {
        name: "assets",
        title: "Pictures, assets and files",
        description: "Pictures, files of the project and of the published folder, and what nothing uses.",
        families: &["assets", "files", "unused"],
    },
    Group {
        name: "pages",
        title: "Markup, links and accessibility",
        description: "The markup and the links of finished pages, and what assistive technology and search engines need.",
        families: &["markup", "links", "accessibility"],
    },
    Group {
        name: "languages",
        title: "Languages",
        description: "Missing and outdated translations, links between languages, directions of writing, and plural forms.",
        families: &["languages", "plurals"],
    },
    Group {
        name: "policy",
        title: "Security policy and connections",
        description: "What a page's security policy blocks, secrets, and connections to other hosts.",
        families: &["policy", "connections"],
    },
    Group {
        name: "hosting",
        title: "Hosts",
        description: "Headers and redirects, and what a host cannot do.",
        families: &["hosting"],
    },
    Group {
        name: "program",
        title: "Checks, budgets and the program",
        description: "The severities that a site sets, the sizes of pages, and what keeps sitegen from its work.",
        families: &["checks", "budgets", "tool"],
    },
];

/// What is printed instead of the examples of these codes: a name under `.example` is a placeholder, and a key a secret, to the build
/// of the documentation too.
const REFUSED: [&str; 2] = ["placeholder", "secret"];

impl Group {
    /// The file of its page below `docs/content/pages/reference/`.
    fn file(&self) -> String {
        format!("messages/{}.md", self.name)
    }

    fn codes(&self) -> impl Iterator<Item = &'static str> {
        families().filter(move |(family, _)| self.families.contains(family)).flat_map(|(_, codes)| codes)
    }

    /// Returns the page that explains its codes.
    fn page(&self, printed: &dyn Fn(&str) -> Option<String>) -> String {
        let title = format!("\"Messages: {}\"", self.title);
        let mut out = front(&title, self.description, "");
        for code in self.codes() {
            let text = explanation(code).unwrap_or_default();
            let is_refused = REFUSED.contains(&code);
            let text = match text.split_once("```") {
                Some((words, _)) if is_refused => {
                    let example = "an example, which this documentation must not contain";
                    format!("{}\n`sitegen explain {code}` shows {example}.", words.trim_end())
                }
                _ => titled(&text.replace(".example", ".test")),
            };
            out.push_str(&format!("## {code}\n\n{text}\n\n"));
            if let Some(message) = printed(code).filter(|_| !is_refused) {
                let message = message.replace(".example", ".test");
                out.push_str(&format!("```text title=\"The message\"\n{message}\n```\n\n"));
            }
            out.push_str(&format!("{}\n\n", super::explain::severity(code)));
        }
        out.truncate(out.trim_end().len());
        out + "\n"
    }
}

/// Returns the list of all codes. Messages link to the places in it, `/reference/messages#code`, so each code has its `id` here.
fn messages() -> String {
    let description = "Every code in a message, with what it means. Each leads to an example and its fix.";
    let mut out = front("Messages", description, "order: 340\n");
    out.push_str("A code in brackets never changes its meaning, so scripts may rely on it. `sitegen explain CODE` prints the same\n");
    out.push_str("explanations as these pages, whose examples come from the site of a bakery. Below each example is what the program\n");
    out.push_str("prints about it.\n");
    for group in &GROUPS {
        let all = format!("[Read all {}]({})", group.codes().count(), group.file());
        out.push_str(&format!("\n## {}\n\n{} {all}.\n\n{{% <links> %}}\n\n", group.title, group.description));
        for code in group.codes() {
            let sentence = explanation(code).unwrap_or_default().lines().next().unwrap_or_default();
            let link = format!("[`{code}`]({}#{code})", group.file());
            out.push_str(&format!("- <span id=\"{code}\">{link}</span> {sentence}\n"));
        }
        out.push_str("\n{% </links> %}\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_of_codes_is_on_one_page() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|group| group.families).copied().collect();
        let mut all: Vec<&str> = families().map(|(family, _)| family).collect();
        grouped.sort_unstable();
        all.sort_unstable();
        assert_eq!(grouped, all);
    }
}
