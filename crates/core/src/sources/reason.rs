//! Explains why a file cannot be read, and what an editor can do about it.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// Returns the reason why a file, a folder or a link could not be read, and the fix.
pub fn of(path: &Path, error: Option<&Error>) -> (String, &'static str) {
    let target = std::fs::read_link(path).ok();
    let text = error.map_or("the system does not say why".to_owned(), ToString::to_string);
    let system = text.split(" (os error ").next().unwrap_or_default().to_owned();
    match (error.map(Error::kind), target) {
        // For long, the standard library had no error kind for a loop of links; the system's words are those of `ELOOP`
        // (POSIX, "errno").
        (_, Some(_)) if system.contains("symbolic link") => {
            ("it is a link that leads back to itself".to_owned(), "remove the link")
        }
        (Some(ErrorKind::NotFound), Some(target)) => {
            let reason = format!("it is a link to `{}`, which does not exist", target.display());
            (reason, "remove the link, or point it to a file")
        }
        (Some(ErrorKind::PermissionDenied), _) => {
            ("its permissions forbid reading".to_owned(), "allow its owner to read it, as with `chmod u+rX`")
        }
        _ => (system, "look at it in the file manager, or remove it"),
    }
}

/// A link to a folder that contains it.
pub fn leads_back(above: &str) -> (String, &'static str) {
    (format!("it is a link to `{above}`, the folder that contains it"), "remove the link")
}

/// A name whose bytes are not UTF-8.
pub fn name() -> (String, &'static str) {
    ("its name is not UTF-8".to_owned(), "rename it with the letters `a` to `z`, digits and `-`")
}

/// A name with a line break, a terminal escape or the like. It would add a rule to the files that hosts read line by
/// line, and control the terminal it is printed to.
pub fn unprintable() -> (String, &'static str) {
    ("its name contains a character that cannot be printed, such as a line break".to_owned(), name().1)
}

/// A pipe, a socket or a device.
pub fn special() -> (String, &'static str) {
    ("it is a pipe, a socket or a device".to_owned(), "remove it")
}
