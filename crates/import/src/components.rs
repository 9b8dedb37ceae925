//! Calls of components, and the components that stand for what texts of the old site called.

use std::collections::BTreeMap;

/// The value of an argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// As it is written.
    Number(String),
    /// A list of texts.
    List(Vec<String>),
    /// A list of numbers as they are written.
    Numbers(Vec<String>),
}

impl Arg {
    fn name(&self) -> &'static str {
        match self {
            Arg::Text(_) => "string",
            Arg::Bool(_) => "bool",
            Arg::Number(_) => "number",
            Arg::List(_) | Arg::Numbers(_) => "array",
        }
    }

    fn text(&self) -> String {
        match self {
            Arg::Text(text) | Arg::Number(text) => text.clone(),
            Arg::Bool(is) => is.to_string(),
            Arg::List(items) | Arg::Numbers(items) => items.join(", "),
        }
    }
}

/// Which tag of a call it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `{{ <name /> }}`.
    Alone,
    /// `{% <name> %}`.
    Open,
    /// `{% </name> %}`.
    Close,
}

/// A call of a component.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name of the component.
    pub name: String,
    /// By their names, in order.
    pub args: Vec<(String, Arg)>,
    /// Which tag it is.
    pub tag: Tag,
    /// What it was in the old site, for people: "the shortcode `figure`".
    pub origin: String,
}

#[derive(Clone, Debug, Default)]
struct Component {
    args: BTreeMap<String, &'static str>,
    has_body: bool,
    uses: usize,
    origin: String,
    first: String,
}

/// The components of a site.
#[derive(Clone, Debug, Default)]
pub struct Components {
    all: BTreeMap<String, Component>,
}

/// A component for the report.
pub struct Stub<'c> {
    pub name: &'c str,
    /// What it was.
    pub origin: &'c str,
    /// How many calls there are.
    pub uses: usize,
    /// The file with the first.
    pub first: &'c str,
    pub args: Vec<&'c str>,
    /// Whether it shows something sensible already.
    pub is_complete: bool,
}

/// Makes a name that a component and its arguments may have.
pub fn identifier(name: &str) -> String {
    let mut out = String::new();
    let mut was_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && was_lower {
            out.push('_');
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        match letter {
            letter if letter.is_ascii_alphanumeric() => out.push(letter.to_ascii_lowercase()),
            _ if !out.ends_with('_') && !out.is_empty() => out.push('_'),
            _ => {}
        }
    }
    let name: String = out.trim_end_matches('_').chars().take(60).collect();
    // Words of the template language, and what a component has anyway.
    let reserved = [
        "body",
        "if",
        "for",
        "set",
        "and",
        "or",
        "not",
        "in",
        "is",
        "true",
        "false",
        "none",
        "null",
        "loop",
        "super",
        "self",
        "block",
        "else",
        "elif",
        "filter",
        "raw",
        "include",
        "import",
        "component",
        "site",
        "page",
        "entry",
        "list",
        "term",
    ];
    match name.chars().next() {
        None => "part".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{name}"),
        Some(_) if reserved.contains(&name.as_str()) => format!("{name}_"),
        Some(_) => name,
    }
}

impl Components {
    /// Notes the calls of a text.
    pub fn note<'c>(&mut self, calls: impl Iterator<Item = &'c Call>, file: &str) {
        for call in calls {
            let component = self.all.entry(call.name.clone()).or_default();
            if component.first.is_empty() {
                (component.first, component.origin) = (file.to_owned(), call.origin.clone());
            }
            component.has_body |= call.tag != Tag::Alone;
            component.uses += usize::from(call.tag != Tag::Close);
            for (name, arg) in &call.args {
                let kind = component.args.entry(name.clone()).or_insert(arg.name());
                if *kind != arg.name() {
                    *kind = "string";
                }
            }
        }
    }

    /// Returns a call in the syntax of sitegen. All calls have to be noted before.
    pub fn written(&self, call: &Call) -> String {
        let kinds = self.all.get(&call.name).map(|component| &component.args);
        let mut tag = format!("<{}{}", if call.tag == Tag::Close { "/" } else { "" }, call.name);
        for (name, arg) in &call.args {
            let is_text = kinds.and_then(|kinds| kinds.get(name)).is_none_or(|kind| *kind == "string");
            tag.push_str(&match arg {
                arg if is_text => format!(" {name}={}", quoted(&arg.text())),
                Arg::List(items) => {
                    format!(" {name}={{[{}]}}", items.iter().map(|item| quoted(item)).collect::<Vec<_>>().join(", "))
                }
                Arg::Numbers(items) => format!(" {name}={{[{}]}}", items.join(", ")),
                other => format!(" {name}={{{}}}", other.text()),
            });
        }
        match call.tag {
            Tag::Alone => format!("{{{{ {tag} /> }}}}"),
            Tag::Open | Tag::Close => format!("{{% {tag}> %}}"),
        }
    }

    /// Returns the components for the report.
    pub fn stubs(&self) -> impl Iterator<Item = Stub<'_>> {
        self.all.iter().map(|(name, component)| Stub {
            name,
            origin: &component.origin,
            uses: component.uses,
            first: &component.first,
            args: component.args.keys().map(String::as_str).collect(),
            is_complete: markup(name, component).1,
        })
    }

    /// Returns the paths and texts of the components' files.
    pub fn files(&self) -> impl Iterator<Item = (String, String)> {
        self.all.iter().map(|(name, component)| {
            let args = component.args.iter().map(|(arg, kind)| {
                let default = match *kind {
                    "bool" => "false",
                    "number" => "0",
                    "array" => "[]",
                    _ => "\"\"",
                };
                format!("{arg}: {kind} = {default}")
            });
            let args = args.collect::<Vec<_>>().join(", ");
            let (markup, is_complete) = markup(name, component);
            let origin = component.origin.replace("#}", "# }");
            let todo = if is_complete { "" } else { " Write here what it showed." };
            let text = format!(
                "{{# It stands for {origin} of the old site.{todo} #}}\n{{% component {name}({args}) %}}\n{markup}\n\
                 {{% endcomponent {name} %}}\n"
            );
            (format!("templates/components/{name}.html"), text)
        })
    }
}

/// Writes a text in the quotes of a call.
fn quoted(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ");
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Names of boxes around text: those of admonitions in all generators.
const BOXES: [&str; 16] = [
    "note",
    "tip",
    "info",
    "warning",
    "danger",
    "caution",
    "important",
    "admonition",
    "callout",
    "notice",
    "alert",
    "hint",
    "success",
    "error",
    "aside",
    "attention",
];

/// Returns the markup of a component, and whether it shows something sensible.
fn markup(name: &str, component: &Component) -> (String, bool) {
    let has = |arg: &str| component.args.contains_key(arg);
    let body = match (component.has_body, has("text")) {
        (true, true) => "{% if body is defined %}{{ body }}{% else %}{{ text }}{% endif %}",
        (true, false) => "{% if body is defined %}{{ body }}{% endif %}",
        (false, true) => "{{ text }}",
        (false, false) => "",
    };
    let title = ["title", "summary", "header", "label", "name"].into_iter().find(|arg| has(arg));
    let heading = title
        .map_or(String::new(), |arg| format!("{{% if {arg} %}}<p><strong>{{{{ {arg} }}}}</strong></p>{{% endif %}}\n"));
    let class = name.replace('_', "-");
    match name {
        "embed" => {
            let words = "{% if title %}{{ title }}{% else %}{{ src }}{% endif %}";
            (format!("<p><a href=\"{{{{ src }}}}\">{words}</a></p>"), true)
        }
        "figure" if component.has_body && has("caption") => {
            let caption = "{% if caption %}<figcaption>{{ caption }}</figcaption>{% endif %}";
            (format!("<figure>\n{body}\n{caption}</figure>"), true)
        }
        "figure" if has("src") => {
            let arg = |name: &str, default: &str| if has(name) { name.to_owned() } else { default.to_owned() };
            let caption = ["caption", "title"].into_iter().find(|arg| has(arg));
            let caption = caption.map_or(String::new(), |arg| {
                format!("{{% if {arg} %}}<figcaption>{{{{ {arg} }}}}</figcaption>{{% endif %}}")
            });
            let alt = arg("alt", "\"\"");
            let picture = format!(
                "{{% if src is starting_with(pat=\"http\") %}}<a href=\"{{{{ src }}}}\">{{{{ src }}}}</a>{{% elif src \
                 is ending_with(pat=\".svg\") %}}<img src=\"{{{{ asset(path=src) }}}}\" alt=\"{{{{ {alt} }}}}\">{{% elif src \
                 %}}{{{{ picture(path=src, alt={alt}) }}}}{{% endif %}}"
            );
            (format!("<figure>{picture}{caption}</figure>"), true)
        }
        "details" if component.has_body => {
            let words =
                title.map_or("…".to_owned(), |arg| format!("{{{{ {arg} | default(value=\"…\", boolean=true) }}}}"));
            (format!("<details><summary>{words}</summary>\n{body}\n</details>"), true)
        }
        name if BOXES.contains(&name) && !body.is_empty() => {
            (format!("<div class=\"box {class}\">\n{heading}{body}\n</div>"), true)
        }
        _ if component.has_body => (format!("<div class=\"{class}\">\n{heading}{body}\n</div>"), false),
        _ if has("text") => ("<span>{{ text }}</span>".to_owned(), false),
        _ => (String::new(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_template_language() {
        for (name, expected) in [
            ("YouTubeEmbed", "you_tube_embed"),
            ("Tabs.Item", "tabs_item"),
            ("docs/note.html", "docs_note_html"),
            ("2col", "n2col"),
            ("if", "if_"),
            ("…", "part"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }

    #[test]
    fn an_argument_that_is_a_text_somewhere_is_one_everywhere() {
        let call =
            |arg| Call { name: "x".into(), args: vec![("n".into(), arg)], tag: Tag::Alone, origin: String::new() };
        let (a, b) = (call(Arg::Number("3".into())), call(Arg::Text("a\"b\\".into())));
        let mut components = Components::default();
        components.note([&a].into_iter(), "a.md");
        assert_eq!(components.written(&a), "{{ <x n={3} /> }}");
        components.note([&b].into_iter(), "b.md");
        assert_eq!(components.written(&a), "{{ <x n=\"3\" /> }}");
        assert_eq!(components.written(&b), "{{ <x n=\"a\\\"b\\\\\" /> }}");
    }
}
