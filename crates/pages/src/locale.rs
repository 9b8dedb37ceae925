//! Functions and filters that write by the rules of the language of the page: plural forms, numbers, lists, quotations and the order of texts.

use super::kwargs::needed;
use super::mistakes;
use sitegen_content::fold::{compare, date_of};
use sitegen_content::plurals::problem;
use sitegen_content::quotes::{Quotes, Side};
use sitegen_locale::lists;
use sitegen_locale::numbers::{MOST_DIGITS, Number};
use sitegen_locale::order::Order;
use sitegen_locale::plurals::{PluralMistake, Plurals};
use tera::{Error, Kwargs, State, TeraResult, Value};

/// `plural(of=site.labels.posts, count=3)`: the form of a text that a number takes, with the number in it.
pub fn plural([language, original]: [&str; 2], kwargs: &Kwargs) -> TeraResult<String> {
    let forms: Value = needed(kwargs, "plural", "of")?;
    let count: Value = needed(kwargs, "plural", "count")?;
    let count = number_of(&count).ok_or_else(|| {
        Error::message(format!("`count` of `plural` must be a number, but this is {}", type_of(&count)))
    })?;
    let Some(forms) = forms.as_map() else {
        let expected = "a map of plural forms, like `{ one: \"{count} post\", other: \"{count} posts\" }`";
        return Err(Error::message(format!("`of` of `plural` must be {expected}, but this is {}", type_of(&forms))));
    };
    let texts = forms.iter().map(|(key, text)| match (key.as_str(), text.as_str()) {
        (Some(key), Some(text)) => Ok((key, text)),
        _ => Err(Error::message(format!("the plural form `{key}` must be text, but this is {}", type_of(text)))),
    });
    let forms: Vec<(&str, &str)> = texts.collect::<TeraResult<_>>()?;
    let (language, plurals) = plurals_of(&forms, [language, original]);
    let refused = |mistake: PluralMistake| refused(mistake, &forms, language);
    match plurals.mistakes(&forms).into_iter().next() {
        Some(mistake) => Err(refused(mistake)),
        None => plurals.text(&forms, &count).map_err(refused),
    }
}

/// Refuses plural forms that are not those of the language of the page, or of its original.
pub fn check_forms(forms: &[(&str, &str)], languages: [&str; 2]) -> TeraResult<()> {
    let (language, plurals) = plurals_of(forms, languages);
    let mistake = plurals.mistakes(forms).into_iter().next();
    mistake.map_or(Ok(()), |mistake| Err(refused(mistake, forms, language)))
}

/// Returns the language that forms are of: a text without a translation has those of the language that it is in.
fn plurals_of<'l>(forms: &[(&str, &str)], [language, original]: [&'l str; 2]) -> (&'l str, Plurals) {
    let is_right = |language: &&str| Plurals::of(language).mistakes(forms).is_empty();
    let language = [language, original].into_iter().find(is_right).unwrap_or(language);
    (language, Plurals::of(language))
}

fn refused(mistake: PluralMistake, forms: &[(&str, &str)], language: &str) -> Error {
    let at = match &mistake {
        PluralMistake::Missing { .. } => None,
        PluralMistake::Foreign { category, .. } | PluralMistake::WithoutCount { category, .. } => {
            forms.iter().find(|(other, _)| other == category)
        }
    };
    let text = at.or(forms.first()).map(|(_, text)| *text).unwrap_or_default();
    mistakes::error_in(problem(mistake, language), text)
}

/// `1234.5 | number`, `1234.5 | number(digits=2)`: a number with the digits, the groups and the signs of the language.
pub fn number(value: &Value, language: &str, kwargs: &Kwargs) -> TeraResult<String> {
    let number = number_of(value)
        .ok_or_else(|| Error::message(format!("`number` writes numbers, but this is {}", type_of(value))))?;
    let number = match kwargs.get::<u8>("digits")? {
        None => number,
        Some(digits) if digits <= MOST_DIGITS => number.rounded(digits),
        Some(_) => return Err(Error::message(format!("`digits` of `number` must be at most {MOST_DIGITS}"))),
    };
    Ok(number.written(language))
}

/// `names | list`: the texts of a list as a sentence has them: `Alba, Bo and Ida`. Like `join`, it keeps the tags of texts
/// that are HTML already and escapes the others then.
pub fn list(items: &[Value], language: &str, state: &State) -> TeraResult<Value> {
    let has_html = state.autoescaping_enabled() && items.iter().any(|item| item.is_string() && item.is_safe());
    let texts = items.iter().map(|item| match (item.is_undefined() || item.is_none(), has_html) {
        (true, _) => Err(Error::message("an item of the list has no value")),
        (_, true) => state.escape_if_needed(item),
        (_, false) => Ok(item.to_string()),
    });
    let sentence = lists::and(&texts.collect::<TeraResult<Vec<_>>>()?, language);
    Ok(if has_html { Value::safe_string(&sentence) } else { Value::from(sentence) })
}

/// `entries | sort(attribute="name")`: values in their order, texts in that of the language. As in Tera's own filter, whose
/// order for texts of English stays as it is, values that cannot be compared are refused.
pub fn sort(items: &[Value], language: &str, kwargs: &Kwargs) -> TeraResult<Vec<Value>> {
    let attribute = kwargs.get::<&str>("attribute")?;
    let keyed = items.iter().enumerate().map(|(index, item)| match attribute {
        None => Ok((item, item)),
        Some(attribute) => item.get_from_path(attribute).map(|key| (key, item)).ok_or_else(|| {
            let kind = item.name();
            Error::message(format!("Value at index {index} (a {kind}) does not have an attribute at path: {attribute}"))
        }),
    });
    let mut keyed: Vec<(&Value, &Value)> = keyed.collect::<TeraResult<_>>()?;
    let is_english = language.split(['-', '_']).next().is_some_and(|primary| primary.eq_ignore_ascii_case("en"));
    let order = Order::of(language);
    if are_dates(&keyed)? {
        keyed.sort_by_cached_key(|(date, _)| (date.as_str().and_then(date_of), date.as_str()));
        return Ok(keyed.into_iter().map(|(_, item)| item.clone()).collect());
    }
    keyed.sort_by(|(a, _), (b, _)| match (a.as_str(), b.as_str()) {
        (Some(a), Some(b)) if !is_english => compare(a, b, order),
        _ => a.cmp(b),
    });
    let mut pairs = keyed.windows(2).map(|pair| (pair[0].0, pair[1].0));
    let odd = pairs.find(|(a, b)| !a.is_none() && !b.is_none() && a.partial_cmp(b).is_none());
    match odd {
        Some((a, b)) => {
            Err(Error::message(format!("Cannot sort: `{}` and `{}` are not comparable", a.name(), b.name())))
        }
        None => Ok(keyed.into_iter().map(|(_, item)| item.clone()).collect()),
    }
}

/// Whether all values that are sorted are dates, which are compared by their moments. What is no date among many is refused: no place
/// among them is right.
fn are_dates(keyed: &[(&Value, &Value)]) -> TeraResult<bool> {
    let other = |(value, _): &&(&Value, &Value)| value.as_str().and_then(date_of).is_none();
    let others: Vec<&Value> = keyed.iter().filter(other).map(|(value, _)| *value).collect();
    match others.first() {
        None => Ok(!keyed.is_empty()),
        Some(first) if others.len() * 2 < keyed.len() => {
            let date = keyed.iter().find(|keyed| !other(keyed)).and_then(|(date, _)| date.as_str()).unwrap_or_default();
            Err(Error::message(format!(
                "Cannot sort: `{first}` is no date like `{date}`, so it has no place among them"
            )))
        }
        Some(_) => Ok(false),
    }
}

/// `title | quote`: a text between the quotation marks of the language.
pub fn quote(value: &Value, language: &str) -> TeraResult<Value> {
    let quotes = Quotes::of(language);
    let text = value.as_str();
    let text = text.ok_or_else(|| Error::message(format!("`quote` quotes text, but this is {}", type_of(value))))?;
    let quoted = format!("{}{text}{}", quotes.double(Side::Open), quotes.double(Side::Close));
    Ok(if value.is_safe() { Value::safe_string(&quoted) } else { Value::from(quoted) })
}

/// Reads a number of content or of a template.
fn number_of(value: &Value) -> Option<Number> {
    // Both are written with all of their digits and without an exponent.
    let digits = match value.as_number()? {
        tera::Number::Integer(number) => number.to_string(),
        tera::Number::Float(number) => number.to_string(),
        _ => return None,
    };
    Number::parse(&digits)
}

fn type_of(value: &Value) -> &str {
    super::kwargs::type_name(value.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_sorted_by_their_moments_and_what_is_none_among_them_is_refused() {
        let sorted = |texts: &[&str]| {
            let items: Vec<Value> = texts.iter().map(|text| Value::from(*text)).collect();
            sort(&items, "en", &Kwargs::default()).map(|items| items.iter().map(Value::to_string).collect::<Vec<_>>())
        };
        let dates = ["2026-06-01", "2026-05-31T23:00:00-0500", "2026-06-01 02:00 +0200"];
        assert_eq!(sorted(&dates).unwrap(), [dates[0], dates[2], dates[1]]);
        let refused = sorted(&["2026-06-01", "2 January 2011", "2026-05-01"]).unwrap_err().to_string();
        assert!(refused.contains("`2 January 2011` is no date like `2026-06-01`"), "{refused}");
        assert_eq!(sorted(&["b", "2026-06-01", "a"]).unwrap(), ["2026-06-01", "a", "b"]);
    }
}
