//! Calendars (RFC 5545): the lines of a template brought into the form of the standard, and checked.

use super::{OutputError, TextValue, boundary};
use jiff::civil::{Date, DateTime};
use std::collections::BTreeSet;

/// The most bytes of a line without its end (RFC 5545, 3.1).
const WIDTH: usize = 75;

/// Ends each line with CRLF, folds long ones and drops the empty ones that template tags leave (RFC 5545, 3.1).
pub fn finish(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.lines().map(|line| line.trim_end_matches('\r')).filter(|line| !line.trim().is_empty()) {
        let mut rest = line;
        let mut width = WIDTH;
        while rest.len() > width {
            let end = boundary(rest, width);
            out.push_str(&rest[..end]);
            out.push_str("\r\n ");
            rest = &rest[end..];
            // The space that begins the next line counts.
            width = WIDTH - 1;
        }
        out.push_str(rest);
        out.push_str("\r\n");
    }
    out
}

/// A component that is open.
struct Open {
    name: String,
    at: usize,
    properties: Vec<String>,
    uid: Option<(usize, String)>,
}

/// Checks the lines of a calendar, and returns the addresses in it.
///
/// # Errors
///
/// Returns the first line that breaks a rule: its form (3.1), the nesting of components (3.6), what a calendar, an event, a
/// task and a journal entry must have and may have once, dates that do not exist, and a `UID` that is used twice.
pub fn check(text: &str) -> Result<Vec<TextValue>, OutputError> {
    let mut values = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut uids = BTreeSet::new();
    let mut is_done = false;
    for (at, line) in unfolded(text) {
        let wrong = |detail: String| Err(OutputError { at, detail });
        let Some((name, parameters, value)) = property(&line) else {
            return wrong("a line does not have the form `NAME:value`".to_owned());
        };
        if is_done && name != "BEGIN" {
            return wrong("there is content after `END:VCALENDAR`".to_owned());
        }
        match name.as_str() {
            "BEGIN" => {
                let component = value.to_ascii_uppercase();
                if (component == "VCALENDAR") != open.is_empty() {
                    return wrong("`BEGIN:VCALENDAR` is not the first line".to_owned());
                }
                is_done = false;
                open.extend([Open { name: component, at, properties: Vec::new(), uid: None }]);
            }
            "END" => {
                let Some(component) = open.pop().filter(|open| open.name.eq_ignore_ascii_case(value)) else {
                    return wrong(format!("`END:{value}` has no matching `BEGIN`"));
                };
                complete(&component, &mut uids)?;
                is_done = open.is_empty();
            }
            _ => {
                let Some(component) = open.last_mut() else {
                    return wrong("`BEGIN:VCALENDAR` is not the first line".to_owned());
                };
                if ONCE.contains(&name.as_str()) && component.properties.contains(&name) {
                    return wrong(format!("`{name}` occurs twice in one `{}`", component.name));
                }
                if name == "VERSION" && value != "2.0" {
                    return wrong("`VERSION` is not `2.0`".to_owned());
                }
                let is_dated = DATES.contains(&name.as_str()) && !["STANDARD", "DAYLIGHT"].contains(&&*component.name);
                if let Some(detail) = date(&name, parameters, value).filter(|_| is_dated) {
                    return wrong(detail);
                }
                if name == "UID" {
                    component.uid = Some((at, value.to_owned()));
                }
                if name == "URL" {
                    let text = value.to_owned();
                    values.push(TextValue { at: at + line.len() - value.len(), name: "url".to_owned(), text });
                }
                component.properties.push(name);
            }
        }
    }
    match open.last() {
        Some(open) => Err(OutputError { at: open.at, detail: format!("`END:{}` is missing", open.name) }),
        None if !is_done => Err(OutputError { at: 0, detail: "there is no `BEGIN:VCALENDAR`".to_owned() }),
        None => Ok(values),
    }
}

/// What a component has once at most.
const ONCE: &[&str] = &["CALSCALE", "DTEND", "DTSTAMP", "DTSTART", "DURATION", "METHOD", "PRODID", "UID", "VERSION"];

/// Properties whose value is one date.
const DATES: &[&str] = &["CREATED", "DTEND", "DTSTAMP", "DTSTART", "DUE", "LAST-MODIFIED", "RECURRENCE-ID"];

/// Checks that a component has what it must have (RFC 5545, 3.6).
fn complete(component: &Open, uids: &mut BTreeSet<String>) -> Result<(), OutputError> {
    let Open { name, at, properties, uid } = component;
    let has = |property: &str| properties.iter().any(|other| other == property);
    let needed: &[&str] = match name.as_str() {
        "VCALENDAR" => &["PRODID", "VERSION"],
        "VEVENT" => &["UID", "DTSTAMP", "DTSTART"],
        "VTODO" | "VJOURNAL" => &["UID", "DTSTAMP"],
        _ => &[],
    };
    if let Some(missing) = needed.iter().find(|property| !has(property)) {
        return Err(OutputError { at: *at, detail: format!("`{name}` has no `{missing}`") });
    }
    if name == "VEVENT" && has("DTEND") && has("DURATION") {
        return Err(OutputError { at: *at, detail: "an event has both `DTEND` and `DURATION`".to_owned() });
    }
    match uid.as_ref().filter(|_| !has("RECURRENCE-ID")) {
        Some((at, uid)) if !uids.insert(uid.clone()) => {
            Err(OutputError { at: *at, detail: format!("the `UID` `{uid}` is used twice") })
        }
        _ => Ok(()),
    }
}

/// Returns what is wrong with a date (RFC 5545, 3.3.4 and 3.3.5).
fn date(name: &str, parameters: &str, value: &str) -> Option<String> {
    let is_day = value.len() == 8 && Date::strptime("%Y%m%d", value).is_ok();
    let local = value.strip_suffix('Z').unwrap_or(value);
    let is_moment = local.len() == 15 && DateTime::strptime("%Y%m%dT%H%M%S", local).is_ok();
    let says_day = parameters.to_ascii_uppercase().split(';').any(|parameter| parameter == "VALUE=DATE");
    if !is_day && !is_moment {
        return Some(format!("`{value}` of `{name}` is not a date like `20250131` or `20250131T100000Z`"));
    }
    if ["CREATED", "DTSTAMP", "LAST-MODIFIED"].contains(&name) && !(is_moment && value.ends_with('Z')) {
        return Some(format!("`{name}` is not in UTC, like `20250131T100000Z`"));
    }
    if is_day != says_day {
        let expected = if is_day { format!("{name};VALUE=DATE:{value}") } else { format!("{name}:{value}") };
        return Some(format!("a date and a date with a time are written differently; write `{expected}`"));
    }
    None
}

/// Returns the lines with those that continue them, each with its offset. Empty lines are not published.
fn unfolded(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        match (content.strip_prefix([' ', '\t']), lines.last_mut()) {
            _ if content.trim().is_empty() => {}
            (Some(rest), Some((_, last))) => last.push_str(rest),
            _ => lines.push((at, content.to_owned())),
        }
        at += line.len();
    }
    lines
}

/// Splits a line into its name in upper case, its parameters and its value (RFC 5545, 3.1, `contentline`).
fn property(line: &str) -> Option<(String, &str, &str)> {
    let mut parts = Vec::new();
    let (mut is_quoted, mut from, mut colon) = (false, 0, None);
    for (at, letter) in line.char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            ';' | ':' if !is_quoted => {
                parts.push(&line[from..at]);
                from = at + 1;
                colon = (letter == ':').then_some(at);
            }
            _ => {}
        }
        if colon.is_some() {
            break;
        }
    }
    let is_name =
        |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let (name, parameters) = parts.split_first()?;
    let are_valid = is_name(name)
        && parameters.iter().all(|parameter| parameter.split_once('=').is_some_and(|(name, _)| is_name(name)));
    let colon = colon.filter(|_| are_valid)?;
    let all = line[name.len()..colon].trim_start_matches(';');
    Some((name.to_ascii_uppercase(), all, &line[colon + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calendar(event: &str) -> String {
        format!("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//a//b\n{event}\nEND:VCALENDAR\n")
    }

    fn event(more: &str) -> String {
        calendar(&format!("BEGIN:VEVENT\nUID:1@a\nDTSTAMP:20250131T000000Z\n{more}\nEND:VEVENT"))
    }

    fn wrong(text: &str) -> String {
        match check(text) {
            Ok(_) => "nothing".to_owned(),
            Err(OutputError { at, detail }) => format!("{} | {detail}", text[at..].lines().next().unwrap_or_default()),
        }
    }

    #[test]
    fn lines_get_the_form_of_the_standard() {
        let long = format!("SUMMARY:{}", "ü".repeat(60));
        let text = finish(&format!("BEGIN:VCALENDAR\n\n  \n{long}\r\nEND:VCALENDAR"));
        let lines: Vec<&str> = text.split_terminator("\r\n").collect();
        assert!(
            lines.iter().all(|line| line.len() <= WIDTH) && !text.replace("\r\n", "").contains(['\r', '\n']),
            "{text}"
        );
        assert_eq!(lines.len(), 4);
        assert_eq!(unfolded(&text)[1].1, long);
    }

    #[test]
    fn calendars_that_follow_the_standard_are_accepted() {
        for text in [
            event("DTSTART;VALUE=DATE:20250201\nSUMMARY;LANGUAGE=de:Brot\\, Salz: heute\nURL:https://a.test/b"),
            event(
                "dtstart;TZID=\"Europe/Berlin\":20250201T100000\nATTENDEE;CN=\"A;B: C\":mailto:a@b.test\n DESCRIPTION",
            ),
            event("DTSTART:20250201T100000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nEND:VALARM"),
            calendar("BEGIN:VTIMEZONE\nTZID:X\nBEGIN:STANDARD\nDTSTART:16010101T000000\nEND:STANDARD\nEND:VTIMEZONE"),
        ] {
            assert_eq!(wrong(&text), "nothing", "{text}");
        }
        assert_eq!(
            check(&event("DTSTART:20250201T100000Z\nURL:https://a.test/b")).unwrap()[0].text,
            "https://a.test/b"
        );
    }

    #[test]
    fn the_first_line_that_breaks_a_rule_is_reported() {
        for (text, expected) in [
            (String::new(), " | there is no `BEGIN:VCALENDAR`"),
            ("VERSION:2.0\n".to_owned(), "VERSION:2.0 | `BEGIN:VCALENDAR` is not the first line"),
            (
                event("DTSTART:20250201T100000Z\nBread and salt"),
                "Bread and salt | a line does not have the form `NAME:value`",
            ),
            (
                event("DTSTART:2025-02-01"),
                "DTSTART:2025-02-01 | `2025-02-01` of `DTSTART` is not a date like `20250131` or `20250131T100000Z`",
            ),
            (
                event("DTSTART:20250230T100000Z"),
                "DTSTART:20250230T100000Z | `20250230T100000Z` of `DTSTART` is not a date like `20250131` or `20250131T100000Z`",
            ),
            (
                event("DTSTART:20250201"),
                "DTSTART:20250201 | a date and a date with a time are written differently; write `DTSTART;VALUE=DATE:20250201`",
            ),
            (event("SUMMARY:a"), "BEGIN:VEVENT | `VEVENT` has no `DTSTART`"),
            (event("DTSTART:20250201T100000Z\nUID:2"), "UID:2 | `UID` occurs twice in one `VEVENT`"),
            (calendar("BEGIN:VEVENT"), "END:VCALENDAR | `END:VCALENDAR` has no matching `BEGIN`"),
            ("BEGIN:VCALENDAR\nVERSION:2.0\n".to_owned(), "BEGIN:VCALENDAR | `END:VCALENDAR` is missing"),
            (
                "BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n".to_owned(),
                "BEGIN:VCALENDAR | `VCALENDAR` has no `PRODID`",
            ),
            (
                calendar(
                    &["BEGIN:VEVENT\nUID:1\nDTSTAMP:20250131T000000Z\nDTSTART:20250201T100000Z\nEND:VEVENT"; 2]
                        .join("\n"),
                ),
                "UID:1 | the `UID` `1` is used twice",
            ),
        ] {
            assert_eq!(wrong(&text), expected, "{text}");
        }
    }
}
