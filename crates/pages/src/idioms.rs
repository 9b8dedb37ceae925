//! Finds the syntax of other template languages where Tera's parser fails, and says how Tera writes it.

use super::arguments::{argument_names, follow};
use sitegen_core::diagnostics::{Diagnostic, Place, Span, TemplateProblem};
use sitegen_core::paths::SourcePath;
use sitegen_templates::lexer::{Code, Kind, Token, codes};

/// Filters, functions and tests of other template languages, Tera 1 among them, and what to write instead.
pub const INSTEAD: &[(&str, &str)] = &[
    ("absolute_url", "write `url(path=…)`; the whole address of a page is `page.url`"),
    ("addslashes", "write `| json` for a text in quotes"),
    ("append", "write `~` to join text"),
    ("as_str", "write `| str`"),
    ("concat", "write `[...list, item]`"),
    ("date_to_string", "write `| date(format=\"%d.%m.%Y\")`"),
    ("dict", "write `{\"key\": value}`"),
    ("downcase", "write `| lower`"),
    ("e", "write `| escape`"),
    ("filesizeformat", "write `| filesize_format`"),
    ("filter", "write `[x for x in list if x.key == value]`"),
    ("get_env", "the environment may differ between two builds; put the value in `site.yaml`"),
    ("get_page", "write `collections.folder`, or `pages` for all of them"),
    ("get_random", "results would differ between builds"),
    ("get_section", "write `collections.folder`"),
    ("get_url", "write `url(path=…)`, or `asset(path=…)` for a file of `content/assets`"),
    ("jsonify", "write `| json`"),
    ("limit", "write `list[0:3]`"),
    ("linebreaksbr", "write `| newlines_to_br`"),
    ("load_data", "put the data in a folder of `content` and read it as `collections.folder`"),
    ("map", "write `[x.key for x in list]`"),
    ("markdownify", "write `| markdown`"),
    ("now", "results would differ between builds; put the date in the content"),
    ("prepend", "write `~` to join text"),
    ("relative_url", "write `url(path=…)`"),
    ("resize_image", "write `picture(path=…)`"),
    ("size", "write `| length`"),
    ("slice", "write `list[0:3]`"),
    ("sort_by", "write `| sort(attribute=…)`"),
    ("strftime", "write `| date(format=…)`"),
    ("strip_html", "write `| striptags`"),
    ("tojson", "write `| json`"),
    ("upcase", "write `| upper`"),
    ("where", "write `[x for x in list if x.key == value]`"),
    // Tests.
    ("blank", "write `not value`"),
    ("empty", "write `not value`"),
    ("mapping", "write `is map`"),
    ("nil", "write `is none`"),
    ("null", "write `is none`"),
    ("object", "write `is map`"),
    ("sequence", "write `is array`"),
];

/// Tags of Liquid, Twig, Nunjucks, Handlebars, Go and Tera 1, and what to write instead.
const TAGS: &[(&str, &str)] = &[
    ("assign", "write `{% set name = value %}`"),
    ("call", "call a component: `{{ <name key={value} /> }}`"),
    ("capture", "write `{% set name %}…{% endset %}`"),
    ("case", "write `{% if … %}` and `{% elif … %}`"),
    ("comment", "write `{# … #}`"),
    ("define", "write `{% block name %}…{% endblock %}`"),
    ("each", "write `{% for item in list %}`"),
    ("elseif", "write `{% elif … %}`"),
    ("elsif", "write `{% elif … %}`"),
    ("embed", "write `{% extends \"base.html\" %}`, or call a component"),
    ("foreach", "write `{% for item in list %}`"),
    ("from", "components need no import: call `{{ <name /> }}`"),
    ("import", "components need no import: call `{{ <name /> }}`"),
    ("layout", "write `{% extends \"base.html\" %}` as the first tag"),
    ("let", "write `{% set name = value %}`"),
    ("macro", "write `{% component name(key) %}…{% endcomponent %}`"),
    ("partial", "write `{% include \"name.html\" %}`"),
    ("range", "write `{% for item in list %}`"),
    ("render", "write `{% include \"name.html\" %}`"),
    ("section", "write `{% block name %}…{% endblock %}`"),
    ("switch", "write `{% if … %}` and `{% elif … %}`"),
    ("unless", "write `{% if not … %}`"),
    ("var", "write `{% set name = value %}`"),
    ("verbatim", "write `{% raw %}…{% endraw %}`"),
    ("when", "write `{% elif … %}`"),
    ("while", "write `{% for … in … %}`"),
    ("with", "write `{% set name = value %}`"),
];

/// Operators that are words elsewhere.
const OPERATORS: &[(&str, &str)] = &[
    ("eq", "=="),
    ("ne", "!="),
    ("neq", "!="),
    ("gt", ">"),
    ("ge", ">="),
    ("gte", ">="),
    ("le", "<="),
    ("lt", "<"),
    ("lte", "<="),
];

/// Reports what is written as in another language where a template does not parse, at byte `error` of its text.
pub fn foreign(path: &SourcePath, text: &str, error: usize) -> Option<Diagnostic> {
    let codes = codes(text);
    let at = codes.iter().position(|code| code.span.start <= error && error <= code.span.end)?;
    let code = &codes[at];
    let length = |token: &Token| match token {
        Token::Word(text) | Token::Value(text) => text.len(),
        Token::Sign(sign) => sign.len_utf8(),
    };
    let is_there = |(token, start): &(Token, usize)| *start <= error && error < start + length(token);
    let piece = Piece { text, code, at: code.tokens.iter().position(is_there) };
    let (detail, span) = tag(&codes[..at], code)
        .or_else(|| piece.renamed(error))
        .or_else(|| piece.operator())
        .or_else(|| piece.filter_argument())
        .or_else(|| piece.filtered_loop())
        .or_else(|| piece.value())?;
    Some(Diagnostic::new(TemplateProblem::TemplateSyntax { detail }, Place::new(path, span)))
}

type Found = Option<(String, Span)>;

/// Finds a tag that Tera does not have, or the end of one that is not open.
fn tag(before: &[Code], code: &Code) -> Found {
    let mut words = code.tokens.iter().map_while(|(token, at)| match token {
        Token::Word(word) => Some((*word, Span::at(*at, word.len()))),
        _ => None,
    });
    let (word, span) = words.next()?;
    if code.kind == Kind::Expression {
        let is_tag = ["if", "for", "range", "with", "block", "define", "partial", "template", "include", "extends"]
            .contains(&word)
            && match code.tokens.get(1) {
                Some((Token::Sign('.'), at)) => *at > span.end,
                next => matches!(next, Some((Token::Word(_) | Token::Value(_), _))),
            };
        let (_, instead) = TAGS.iter().find(|(tag, _)| *tag == word).unwrap_or(&("", ""));
        let detail = match word {
            _ if !is_tag => return None,
            "template" => "write `{% include \"name.html\" %}`".to_owned(),
            _ if !instead.is_empty() => (*instead).to_owned(),
            _ => format!("`{word}` is a tag: write `{{% {word} … %}}`"),
        };
        return Some((detail, span));
    }
    let second = words.next();
    match (word, second) {
        ("else", Some(("if", next))) => {
            return Some((
                "write `{% elif … %}` instead of `{% else if … %}`".to_owned(),
                Span { start: span.start, end: next.end },
            ));
        }
        ("for", _) => {
            let of = std::iter::once(second).chain(words.map(Some)).flatten().find(|(word, _)| *word == "of");
            if let Some((_, at)) = of.filter(|_| !code.tokens.iter().any(|(token, _)| *token == Token::Word("in"))) {
                return Some(("write `in` instead of `of`".to_owned(), at));
            }
        }
        ("include", _) => {
            let with = code.tokens.iter().find(|(token, _)| *token == Token::Word("with"));
            return with.map(|(_, at)| {
                let detail = "an included template can read only the values of the template that includes it; a \
                              component takes arguments: `{{ <name key={value} /> }}`";
                (detail.to_owned(), Span::at(*at, "with".len()))
            });
        }
        _ => {}
    }
    if let Some((_, instead)) = TAGS.iter().find(|(tag, _)| *tag == word.strip_prefix("end").unwrap_or(word)) {
        return Some((format!("there is no tag `{word}`; {instead}"), span));
    }
    let mut open = Vec::new();
    for code in before {
        // What else is wrong before has its own report.
        let _ = follow(&mut open, code);
    }
    let open = open.last().map(|(tag, _)| *tag);
    let expected = open.map(|tag| format!("`{{% {tag} %}}` is open here and must end with `{{% end{tag} %}}`"));
    let detail = match word.strip_prefix("end") {
        Some("if" | "for" | "block" | "set" | "filter" | "component") => {
            let ended = &word["end".len()..];
            match expected {
                _ if open == Some(ended) => return None,
                Some(expected) => expected,
                None => format!("no `{{% {ended} %}}` is open here; remove this, or add the tag where it begins"),
            }
        }
        None if word == "elif" || word == "else" => match open {
            Some("if") => return None,
            Some("for") if word == "else" => return None,
            _ => format!("no `{{% if … %}}` is open here; remove this `{word}`, or add the tag where it begins"),
        },
        _ => return None,
    };
    Some((detail, span))
}

/// A piece of code in which the parser has given up.
struct Piece<'p, 't> {
    text: &'t str,
    code: &'p Code<'t>,
    /// The token at the error. None if that is the end of the code.
    at: Option<usize>,
}

impl<'t> Piece<'_, 't> {
    /// Returns a token by its distance from that of the error.
    fn token(&self, distance: isize) -> Option<(Token<'t>, usize)> {
        self.code.tokens.get(self.at?.checked_add_signed(distance)?).copied()
    }

    /// Whether a sign stands at a distance, and directly follows the token before it if `is_joined`.
    fn is_sign(&self, distance: isize, sign: char, is_joined: bool) -> bool {
        let Some((found, at)) = self.token(distance) else { return false };
        let is_behind = || self.token(distance - 1).is_some_and(|(_, before)| before + 1 == at);
        found == Token::Sign(sign) && (!is_joined || is_behind())
    }

    /// Finds an operator of another language.
    fn operator(&self) -> Found {
        let (token, at) = self.token(0)?;
        let instead = |written: &str, tera: &str, from: usize| {
            Some((format!("write `{tera}` instead of `{written}`"), Span::at(from, written.len())))
        };
        let is_tag = |word: &str| {
            self.code.kind == Kind::Tag
                && self.code.tokens.first().is_some_and(|(token, _)| *token == Token::Word(word))
        };
        match token {
            Token::Sign('=') if self.is_sign(1, '<', true) => instead("=<", "<=", at),
            Token::Sign('=') if self.is_sign(1, '>', true) => instead("=>", ">=", at),
            Token::Sign('!') if self.is_sign(1, '=', false) => instead("! =", "!=", at),
            Token::Sign('&') if self.is_sign(1, '&', true) => instead("&&", "and", at),
            Token::Sign('|') if self.is_sign(-1, '|', false) && self.is_sign(0, '|', true) => {
                instead("||", "or", at - 1)
            }
            Token::Sign('=') if self.is_sign(-1, '=', false) && self.is_sign(0, '=', true) => {
                match self.is_sign(-2, '!', false) {
                    true => instead("!==", "!=", at - 2),
                    false => instead("===", "==", at - 2),
                }
            }
            Token::Sign('=') if is_tag("if") || is_tag("elif") => instead("=", "==", at),
            Token::Sign('>') if self.is_sign(-1, '<', false) => instead("<>", "!=", at - 1),
            Token::Sign('!') => instead("!", "not", at),
            Token::Sign('?') if self.is_sign(1, '?', true) => {
                Some(("write `value | default(value=…)` instead of `??`".to_owned(), Span::at(at, 2)))
            }
            Token::Sign('?') if !self.has_later(':') => Some(("remove this `?`".to_owned(), Span::at(at, 1))),
            Token::Sign('?') => {
                let detail = "write `a if condition else b` instead of `condition ? a : b`";
                Some((detail.to_owned(), Span::at(at, 1)))
            }
            Token::Word(word) => {
                let (written, tera) = OPERATORS.iter().find(|(written, _)| *written == word)?;
                instead(written, tera, at)
            }
            _ => None,
        }
    }

    /// Whether a sign follows on the error.
    fn has_later(&self, sign: char) -> bool {
        let rest = self.at.and_then(|at| self.code.tokens.get(at + 1..)).unwrap_or_default();
        rest.iter().any(|(token, _)| *token == Token::Sign(sign))
    }

    /// Finds a filter, a function or a test with another name, which stands at the error or before it.
    fn renamed(&self, error: usize) -> Found {
        let tokens = &self.code.tokens;
        let named = |(at, (token, start)): (usize, &(Token<'t>, usize))| {
            let Token::Word(word) = *token else { return None };
            let kind = match at.checked_sub(1).map(|at| tokens[at].0) {
                Some(Token::Sign('|')) => "filter",
                Some(Token::Word("is" | "not")) => "test",
                Some(Token::Sign('.')) => return None,
                _ if matches!(tokens.get(at + 1), Some((Token::Sign('('), _))) => "function",
                _ => return None,
            };
            let (_, instead) = INSTEAD.iter().find(|(name, _)| *name == word)?;
            Some((format!("there is no {kind} `{word}`; {instead}"), Span::at(*start, word.len())))
        };
        tokens.iter().enumerate().take_while(|(_, (_, start))| *start <= error).find_map(named)
    }

    /// Finds `| name: value` and `| name value`.
    fn filter_argument(&self) -> Found {
        let (token, at) = self.token(0)?;
        let ((Token::Word(name), start), (Token::Sign('|'), _)) = (self.token(-1)?, self.token(-2)?) else {
            return None;
        };
        let known = argument_names(name).filter(|names| !names.is_empty())?;
        let is_colon = token == Token::Sign(':');
        // Another word may follow on a filter: `a | length == 0`, `a | first if b else c`.
        if !is_colon && !matches!(token, Token::Value(_)) {
            return None;
        }
        let from = if is_colon { self.token(1)?.1 } else { at };
        let rest = &self.text[from..self.code.span.end];
        let rest = &rest[..rest.find(['|', '%', '}', '\n']).unwrap_or(rest.len())];
        let values: Vec<&str> = rest.split(',').map(str::trim).collect();
        let is_simple = |value: &&str| !value.is_empty() && !value.contains([' ', '(', '[']);
        if values.len() > known.len() || !values.iter().all(is_simple) {
            return None;
        }
        let arguments: Vec<String> = known.iter().zip(values).map(|(name, value)| format!("{name}={value}")).collect();
        let detail = format!("filter arguments go in parentheses: write `{name}({})`", arguments.join(", "));
        Some((detail, Span { start, end: from + rest.trim_end().len() }))
    }

    /// Finds `{% for item in list if condition %}`.
    fn filtered_loop(&self) -> Found {
        let tokens = &self.code.tokens;
        if !matches!(tokens.first(), Some((Token::Word("for"), _))) {
            return None;
        }
        let mut depth = 0usize;
        let is_outer_if = |(token, _): &&(Token, usize)| {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && *token == Token::Word("if")
        };
        let (_, condition) = tokens.iter().find(is_outer_if)?;
        let has_else = tokens.iter().any(|(token, at)| *token == Token::Word("else") && at > condition);
        if has_else {
            return None;
        }
        let from = tokens.iter().find(|(token, _)| *token == Token::Word("in")).map_or(0, |(_, at)| at + "in".len());
        let list = self.text.get(from..*condition)?.trim();
        let end = self.text[..self.code.span.end].strip_suffix("%}")?.trim_end_matches(['-', ' ', '\n']).len();
        let condition = Span { start: *condition, end };
        let written = &self.text[condition.start..condition.end];
        let advice = match tokens.get(1..3)? {
            [(Token::Word(item), _), (Token::Word("in"), _)] => {
                format!("write `{{% for {item} in [{item} for {item} in {list} {written}] %}}`")
            }
            _ => format!("write `{{% {written} %}}` in it"),
        };
        let detail = format!("a loop cannot have a condition: {advice}");
        Some((detail, condition))
    }

    /// Finds a value that is written in another way.
    fn value(&self) -> Found {
        let (token, at) = self.token(0)?;
        match (self.token(-1), token) {
            // `{{ .Title }}`
            (None, Token::Sign('.')) => {
                let (Token::Word(name), from) = self.token(1)? else { return None };
                let detail =
                    format!("a value cannot begin with `.`: write `page.{}`, or `site.…`", name.to_lowercase());
                Some((detail, Span { start: at, end: from + name.len() }))
            }
            // `<card title=page.title />`
            (Some((Token::Sign('='), _)), Token::Word(_)) if self.is_in_component() => {
                let rest = &self.text[at..];
                let length = rest.find(|letter: char| !letter.is_alphanumeric() && !"_.".contains(letter))?;
                let value = &rest[..length];
                Some((format!("values go in braces: write `{{{value}}}`"), Span::at(at, length)))
            }
            // `{a: 1}`
            (Some((Token::Sign('{' | ','), _)), Token::Word(key)) if self.is_sign(1, ':', false) => {
                Some((format!("the keys of a map go in quotes: write `\"{key}\"`"), Span::at(at, key.len())))
            }
            // `tags.0`, `page."my-key"`
            (Some((Token::Sign('.'), dot)), Token::Value(value)) if dot + 1 == at => {
                let key = if value.starts_with(['"', '\'']) { value } else { value.split('.').next().unwrap_or(value) };
                Some((format!("write `[{key}]` instead of `.{key}`"), Span { start: dot, end: at + key.len() }))
            }
            // `a . "b"`
            (Some((Token::Sign('.'), dot)), Token::Value(_)) => {
                Some(("write `~` to join text".to_owned(), Span::at(dot, 1)))
            }
            // `url(path=“/”)`
            (_, Token::Sign(sign)) if "“”„‟‘’‚‛«»".contains(sign) => {
                let detail = "write straight quotation marks around a text, as in `\"text\"`";
                Some((detail.to_owned(), Span::at(at, sign.len_utf8())))
            }
            // `1..3`
            (_, Token::Value(range)) if range.contains("..") => self.range(range, at),
            (Some((Token::Value(range), at)), _) if range.contains("..") => self.range(range, at),
            // `'it's'`
            (Some((Token::Value(quoted), from)), Token::Word(_))
                if from + quoted.len() == at && quoted.starts_with(['"', '\'']) =>
            {
                let other = if quoted.starts_with('"') { '\'' } else { '"' };
                let detail = format!("the text ends at this quote; write the text between `{other}`");
                Some((detail, Span::at(at - 1, 1)))
            }
            // `{{ page.title }`
            _ => {
                let is_brace = self.code.kind == Kind::Expression && token == Token::Sign('}') && self.is_balanced();
                is_brace.then(|| ("write `}}` instead of `}`".to_owned(), Span::at(at, 1)))
            }
        }
    }

    /// Whether no bracket is open before the error.
    fn is_balanced(&self) -> bool {
        let before = &self.code.tokens[..self.at.unwrap_or_default()];
        let count = |signs: [char; 3]| {
            before.iter().filter(|(token, _)| matches!(token, Token::Sign(sign) if signs.contains(sign))).count()
        };
        count(['(', '[', '{']) == count([')', ']', '}'])
    }

    fn range(&self, written: &str, at: usize) -> Found {
        let (start, end) = written.split_once("..")?;
        let (start, end): (i64, i64) = (start.parse().ok()?, end.trim_start_matches('.').parse().ok()?);
        let detail = format!("write `range(start={start}, end={})`, without the end itself", end.checked_add(1)?);
        Some((detail, Span::at(at, written.len())))
    }

    /// Whether the error is in `<name …`.
    fn is_in_component(&self) -> bool {
        let before = &self.code.tokens[..self.at.unwrap_or_default()];
        before.windows(2).any(|pair| matches!((pair[0].0, pair[1].0), (Token::Sign('<'), Token::Word(_))))
    }
}

#[cfg(test)]
mod tests {
    use super::super::engine::load;
    use sitegen_core::cache::Cache;
    use sitegen_core::diagnostics::message;
    use sitegen_core::sources::Sources;
    use sitegen_templates::Templates;

    /// The marked text and the message of the only mistake in a template.
    fn said(text: &str) -> String {
        let sources = Sources::from_files([("templates/a.html", text)]);
        let Err(diagnostics) = load(&Templates::of(&sources), None, &Cache::default()) else {
            panic!("{text} has no mistake");
        };
        assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:?}");
        let span = diagnostics[0].place.as_ref().unwrap().span.unwrap();
        format!("{} | {}", &text[span.start..span.end], message(&diagnostics[0].problem))
    }

    #[test]
    fn what_other_languages_write_is_named_with_what_tera_writes() {
        for (text, expected) in [
            ("{% if a && b %}{% endif %}", "&& | write `and` instead of `&&`"),
            ("{% if a || b %}{% endif %}", "|| | write `or` instead of `||`"),
            ("{% if !a %}{% endif %}", "! | write `not` instead of `!`"),
            ("{% if a = 1 %}{% endif %}", "= | write `==` instead of `=`"),
            ("{% if a === 1 %}{% endif %}", "=== | write `==` instead of `===`"),
            ("{% if a !== 1 %}{% endif %}", "!== | write `!=` instead of `!==`"),
            ("{% if a <> 1 %}{% endif %}", "<> | write `!=` instead of `<>`"),
            ("{% if a eq 1 %}{% endif %}", "eq | write `==` instead of `eq`"),
            ("{{ a ? b : c }}", "? | write `a if condition else b` instead of `condition ? a : b`"),
            ("{{ a ?? b }}", "?? | write `value | default(value=…)` instead of `??`"),
            (
                "{{ a | truncate: 20 }}",
                "truncate: 20 | filter arguments go in parentheses: write `truncate(length=20)`",
            ),
            (
                "{{ a | default \"b\" }}",
                "default \"b\" | filter arguments go in parentheses: write `default(value=\"b\")`",
            ),
            (
                "{% for a in b.c if a.d > 1 -%}{% endfor %}",
                "if a.d > 1 | a loop cannot have a condition: write `{% for a in [a for a in b.c if a.d > 1] %}`",
            ),
            ("{% for a, b in c if d %}{% endfor %}", "if d | a loop cannot have a condition: write `{% if d %}` in it"),
            ("{{ tags.0 }}", ".0 | write `[0]` instead of `.0`"),
            ("{% if 1 => 2 %}{% endif %}", "=> | write `>=` instead of `=>`"),
            ("{% if a? %}{% endif %}", "? | remove this `?`"),
            (
                "{{ a | replace: \"b\", \"c\" }}",
                "replace: \"b\", \"c\" | filter arguments go in parentheses: write `replace(from=\"b\", to=\"c\")`",
            ),
            (
                "{{ a | where: \"b\", c }}",
                "where | there is no filter `where`; write `[x for x in list if x.key == value]`",
            ),
            ("{{ a | sort_by(\"b\") }}", "sort_by | there is no filter `sort_by`; write `| sort(attribute=…)`"),
            ("{% for a of b %}{% endfor %}", "of | write `in` instead of `of`"),
            ("{% for a in 1..3 %}{% endfor %}", "1..3 | write `range(start=1, end=4)`, without the end itself"),
            ("{{ .Title }}", ".Title | a value cannot begin with `.`: write `page.title`, or `site.…`"),
            ("{{ partial \"a.html\" . }}", "partial | write `{% include \"name.html\" %}`"),
            ("{{ if a }}x", "if | `if` is a tag: write `{% if … %}`"),
            ("{{ <card title=a.b /> }}", "a.b | values go in braces: write `{a.b}`"),
            ("{% set a = {b: 1} %}", "b | the keys of a map go in quotes: write `\"b\"`"),
            ("{{ a . \"b\" }}", ". | write `~` to join text"),
            ("{{ 'it's' }}", "' | the text ends at this quote; write the text between `\"`"),
            ("{{ url(path=“/a”) }}", "“ | write straight quotation marks around a text, as in `\"text\"`"),
            ("{{ a }", "} | write `}}` instead of `}`"),
            ("{% if a %}{% elsif b %}{% endif %}", "elsif | there is no tag `elsif`; write `{% elif … %}`"),
            ("{% if a %}{% else if b %}{% endif %}", "else if | write `{% elif … %}` instead of `{% else if … %}`"),
            ("{% unless a %}{% endunless %}", "unless | there is no tag `unless`; write `{% if not … %}`"),
            ("{% for a in b %}{% endif %}", "endif | `{% for %}` is open here and must end with `{% endfor %}`"),
            ("{% endfor %}", "endfor | no `{% for %}` is open here; remove this, or add the tag where it begins"),
            (
                "{% else %}{% endif %}",
                "else | no `{% if … %}` is open here; remove this `else`, or add the tag where it begins",
            ),
            ("{% if a %}x{% end %}", "{% if a %} | `{% if %}` is never closed"),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn other_mistakes_keep_their_messages() {
        for (text, expected) in [
            ("{% if a b %}{% endif %}", "b | found a name where `%}` is expected"),
            (
                "{% for a in [b for b in c if b.d] | sort(\"e\") %}{% endfor %}",
                "\"e\" | the arguments of `sort` must be named: write `sort(attribute=\"e\")`",
            ),
            (
                "{{ block.x | truncate(20) }}",
                "20 | the arguments of `truncate` must be named: write `truncate(length=20)`",
            ),
            ("{{ a | first \"b\" }}", "\"b\" | found a text where `}}` is expected"),
            ("{{ }}", "}} | found `}}` where a value is expected"),
            ("{% if a != %}{% endif %}", "%} | found `%}` where a value is expected"),
            ("{% nonsense %}", "nonsense | there is no such tag"),
            ("{{ a ^ b }}", "^ | unexpected character"),
        ] {
            assert_eq!(said(text), expected, "{text}");
        }
    }
}
