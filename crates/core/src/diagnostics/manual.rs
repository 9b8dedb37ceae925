//! Where the documentation is, so that a message can link to the explanation of its code.

/// The environment variable with the address of the documentation. If it is empty, no message has a link.
pub const VARIABLE: &str = "SITEGEN_DOCS";

/// The documentation at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manual {
    /// The address without a slash at its end.
    address: String,
}

impl Manual {
    /// Returns the documentation at an address like `https://docs.example.com/sitegen`. Returns nothing for a value that is no
    /// HTTP address: programs open the links, and terminals print them.
    pub fn at(address: &str) -> Option<Self> {
        let host = address.strip_prefix("https://").or_else(|| address.strip_prefix("http://"))?;
        let is_plain = host.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}?#".contains(&byte));
        let is_address = is_plain && host.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '[');
        is_address.then(|| Manual { address: address.trim_end_matches('/').to_owned() })
    }

    /// Returns the address of the section that explains a code.
    pub fn page(&self, code: &str) -> String {
        format!("{}/reference/messages#{code}", self.address)
    }
}

/// Makes the code of a printed message a link, in the way of terminals (OSC 8). Terminals that do not know the sequence ignore
/// it.
pub fn linked(printed: &str, code: &str, page: &str) -> String {
    let shown = format!("[{code}]");
    printed.replacen(&shown, &format!("\x1b]8;;{page}\x1b\\{shown}\x1b]8;;\x1b\\"), 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_of_a_code_is_below_the_address() {
        let page = |address: &str| Manual::at(address).map(|manual| manual.page("unknown-key"));
        for (address, expected) in [
            ("https://docs.test", "https://docs.test/reference/messages#unknown-key"),
            ("http://127.0.0.1:8000/sitegen/", "http://127.0.0.1:8000/sitegen/reference/messages#unknown-key"),
        ] {
            assert_eq!(page(address).as_deref(), Some(expected));
        }
        for address in ["", "off", "docs.test", "https://", "file:///docs", "https://docs.test/\x1b]8;;", "https://a b"]
        {
            assert_eq!(page(address), None, "{address:?}");
        }
    }

    #[test]
    fn the_code_of_the_message_is_the_link() {
        let expected = "error\x1b]8;;https://docs.test/x\x1b\\[gone]\x1b]8;;\x1b\\: [gone]";
        assert_eq!(linked("error[gone]: [gone]", "gone", "https://docs.test/x"), expected);
    }
}
