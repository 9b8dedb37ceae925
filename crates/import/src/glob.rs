//! Patterns of paths in configurations of other generators.

/// Whether a pattern with `*`, `**`, `?` and `{a,b}` stands for a text.
pub fn matches(pattern: &str, text: &str) -> bool {
    if let Some((before, rest)) = pattern.split_once('{')
        && let Some((inside, after)) = rest.split_once('}')
    {
        // One level of alternatives, as people write them.
        return inside
            .split(',')
            .take(50)
            .any(|each| matches(&format!("{before}{each}{}", after.replace('{', "")), text));
    }
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    // The places of the pattern that can be reached with the letters so far.
    let follow = |mut reached: Vec<bool>| {
        for at in 0..pattern.len() {
            reached[at + 1] |= reached[at] && pattern[at] == '*';
        }
        reached
    };
    let mut start = vec![false; pattern.len() + 1];
    start[0] = true;
    let mut reached = follow(start);
    for letter in text {
        let mut next = vec![false; pattern.len() + 1];
        for (at, sign) in pattern.iter().enumerate().filter(|(at, _)| reached[*at]) {
            let is_double = pattern.get(at + 1) == Some(&'*') || at > 0 && pattern[at - 1] == '*';
            match sign {
                '*' if letter != '/' || is_double => next[at] = true,
                '?' if letter != '/' => next[at + 1] = true,
                sign if *sign == letter => next[at + 1] = true,
                _ => {}
            }
        }
        reached = follow(next);
    }
    reached[pattern.len()]
}

/// Whether a pattern that may begin with `**/` stands for a path, or for a folder that it is in.
pub fn is_within(pattern: &str, path: &str) -> bool {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    let inner = pattern.strip_prefix("**/").unwrap_or(pattern);
    folders.chain([path]).any(|path| matches(pattern, path) || matches(inner, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_paths() {
        for (pattern, text, expected) in [
            ("/hid/**", "/hid/a/b", true),
            ("/hid/*", "/hid/a/b", false),
            ("/hid/*", "/hid/a", true),
            ("{/a,/b/**}", "/b/c", true),
            ("/hid", "/hide", false),
            ("**", "/x", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
        assert!(!matches(&"*a".repeat(500), &"a".repeat(500).replace("aa", "ab")));
    }

    #[test]
    fn patterns_stand_for_folders() {
        for (pattern, path, expected) in
            [("**/private/**", "private/a", true), ("**/build", "a/build/b", true), ("build", "a/b", false)]
        {
            assert_eq!(is_within(pattern, path), expected, "{pattern} {path}");
        }
    }
}
