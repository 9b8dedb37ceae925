//! How much the random tests try: little in `npm test`, all in `tests/all`, which sets `SITEGEN_TESTS=full`.

/// One of two sizes, by that variable.
pub fn sized<T>(small: T, full: T) -> T {
    if std::env::var_os("SITEGEN_TESTS").is_some_and(|value| value == "full") { full } else { small }
}
