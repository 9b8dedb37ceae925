//! Reads the arguments of functions in templates.

use tera::{ArgFromValue, Error, ErrorKind, Kwargs, TeraResult};

/// Returns an argument of a function that may be left out. Tera's error of one with a value of another type names neither.
pub fn given<'k, T>(kwargs: &'k Kwargs, function: &str, name: &'k str) -> TeraResult<Option<T>>
where
    T: ArgFromValue<'k, Output = T>,
{
    kwargs.get(name).map_err(|error| match error.kind() {
        ErrorKind::InvalidArgument { actual_type, .. } if type_name(actual_type) == "nothing" => {
            Error::message(format!("`{name}` of `{function}` {NO_VALUE}"))
        }
        ErrorKind::InvalidArgument { expected_type, actual_type } => {
            let (expected, found) = (type_name(expected_type), type_name(actual_type));
            Error::message(format!("`{name}` of `{function}` must be {expected}, but this is {found}"))
        }
        _ => error,
    })
}

/// Said of an argument whose value is not defined, or `none`.
pub const NO_VALUE: &str = "has no value here";

/// Returns an argument that a function needs.
pub fn needed<'k, T>(kwargs: &'k Kwargs, function: &str, name: &'k str) -> TeraResult<T>
where
    T: ArgFromValue<'k, Output = T>,
{
    let value = given(kwargs, function, name)?;
    value.ok_or_else(|| Error::message(format!("`{function}` needs the argument `{name}`")))
}

/// Returns the engine's or Rust's name of a type, in words.
pub fn type_name(name: &str) -> &str {
    match name {
        "&str" | "str" | "string" | "String" | "StringInput" => "text",
        "bool" => "`true` or `false`",
        "usize" | "u8" | "u16" | "u32" | "u64" | "u128" => "a whole number",
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "integer" => "a whole number",
        "f32" | "f64" | "float" | "Number" | "number" => "a number",
        "array" | "&[Value]" | "Vec<Value>" => "a list",
        "map/struct" | "Map" | "map" => "a map",
        "none" | "undefined" => "nothing",
        other => other,
    }
}
