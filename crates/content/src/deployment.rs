//! Where a site is deployed to: the addresses of `settings.deploy.to` and of `sitegen deploy --to`.

use std::fmt;

/// A place that visitors get a site from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A bucket of Amazon S3, or of a server that speaks its protocol.
    S3(Bucket),
    /// A bucket of Google Cloud Storage.
    Google(Bucket),
    /// A container of Azure Blob Storage.
    Azure {
        /// The storage account.
        account: String,
        /// The container, and what the names of objects in it begin with.
        container: Bucket,
    },
    /// A folder of a server.
    Server(Server),
    /// A folder. A relative one begins at the project folder.
    Folder(String),
}

/// A bucket, and the beginning of the names of the site's objects in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The name of the bucket.
    pub name: String,
    /// Empty, or a path without slashes around it.
    pub prefix: String,
}

/// A folder of a server with SSH.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    /// Whether rsync sends the files. Otherwise sftp does.
    pub has_rsync: bool,
    /// The user there, if it is not the one that `ssh` chooses.
    pub user: Option<String>,
    /// The name or the address of the server, without the brackets of IPv6.
    pub host: String,
    /// The port, if it is not the one that `ssh` chooses.
    pub port: Option<u16>,
    /// The folder: an absolute path, without a slash at the end.
    pub folder: String,
}

/// Why a text is no target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetFault {
    /// What is wrong with it, after `it`.
    pub reason: String,
    /// What to write.
    pub fix: String,
}

/// The schemes of targets, for messages.
const SCHEMES: &str = "`s3://`, `gs://`, `az://`, `ssh://` or `sftp://`";

fn fault<T>(reason: impl Into<String>, fix: impl Into<String>) -> Result<T, TargetFault> {
    Err(TargetFault { reason: reason.into(), fix: fix.into() })
}

/// Returns an address as it may be printed: what may be a secret in it is `…`.
pub fn shown(text: &str) -> String {
    let (scheme, rest) = text.split_at(text.find("://").map_or(0, |at| at + 3));
    // Secrets may have `/` and `@` in them.
    let (before, after) = match rest.rsplit_once('@') {
        Some((before, after)) => (Some(before), after),
        None => (None, rest),
    };
    // So may what is after `?`: Azure and others have signatures there.
    let after = match after.split_once('?') {
        Some((path, _)) if !scheme.is_empty() => format!("{path}?…"),
        _ => after.to_owned(),
    };
    let Some(before) = before else { return format!("{scheme}{after}") };
    let before = match before.split_once(':') {
        // The key of a bucket is a secret of its own.
        _ if !["", "ssh://", "sftp://", "rsync://"].contains(&scheme) => "…".to_owned(),
        Some((user, _)) => format!("{user}:…"),
        None => before.to_owned(),
    };
    format!("{scheme}{before}@{after}")
}

/// Returns a message of a program as it may be printed: addresses in it have no credentials.
pub fn without_credentials(text: &str) -> String {
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let ends = |sign: char| sign.is_whitespace() || matches!(sign, '/' | '?' | '#' | '"' | '\'' | '`' | '<' | '>');
        let authority = &part[..part.find(ends).unwrap_or(part.len())];
        shown.push_str("://");
        match authority.rfind('@') {
            Some(at) => {
                shown.push('…');
                shown.push_str(&part[at..]);
            }
            None => shown.push_str(part),
        }
    }
    shown
}

impl Target {
    /// Reads an address, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, TargetFault> {
        if text.trim() != text || text.chars().any(char::is_control) {
            return fault("has a space or a control character at its begin or end", "remove it");
        }
        let Some((scheme, rest)) = text.split_once("://") else {
            return match text {
                "" => fault("is empty", "write an address like `s3://bucket`, or a folder"),
                _ if is_of_home(text) => home("/home/me/www"),
                // `host:path` is how rsync and scp write a server.
                _ if text.split_once(':').is_some_and(|(host, _)| host.len() > 1 && !host.contains('/')) => {
                    let (host, path) = text.split_once(':').unwrap_or_default();
                    let path = path.trim_start_matches('/');
                    // What is between `:` and `@` is a password.
                    let server =
                        if path.contains('@') { "user@host/srv/www".to_owned() } else { format!("{host}/{path}") };
                    fault("has no scheme", format!("write `ssh://{server}` for a folder of a server"))
                }
                _ => Ok(Target::Folder(text.to_owned())),
            };
        };
        match scheme {
            "s3" => Ok(Target::S3(bucket(rest)?)),
            "gs" => Ok(Target::Google(bucket(rest)?)),
            "az" => match rest.split_once('/') {
                Some((account, container)) => {
                    let account = bucket(account)?.name;
                    Ok(Target::Azure { account, container: bucket(container)? })
                }
                None => fault("has no container", format!("write `{}`", shown(&format!("az://{rest}/container")))),
            },
            "ssh" | "sftp" => Ok(Target::Server(server(scheme, rest)?)),
            "rsync" => fault(
                "is of rsync's own protocol, which is not encrypted",
                format!("write `{}`, with which rsync works over SSH", shown(&format!("ssh://{rest}"))),
            ),
            "gcs" => fault("has the scheme `gcs`", format!("write `{}`", shown(&format!("gs://{rest}")))),
            "azure" | "abfs" => {
                fault(format!("has the scheme `{scheme}`"), format!("write `{}`", shown(&format!("az://{rest}"))))
            }
            _ => fault(format!("has the scheme `{scheme}`"), format!("write {SCHEMES}, or the path of a folder")),
        }
    }

    /// Whether it is a bucket or a container, which needs the feature `object-storage`.
    pub fn is_object_storage(&self) -> bool {
        matches!(self, Target::S3(_) | Target::Google(_) | Target::Azure { .. })
    }
}

/// Whether a path begins with `~`, which only a shell replaces by a home folder.
fn is_of_home(path: &str) -> bool {
    path == "~" || path.starts_with("~/")
}

fn home<T>(like: &str) -> Result<T, TargetFault> {
    fault("has a `~`, which only a shell replaces by the home folder", format!("write the whole path, like `{like}`"))
}

/// Reads a bucket and a prefix.
fn bucket(text: &str) -> Result<Bucket, TargetFault> {
    let (name, prefix) = text.split_once('/').unwrap_or((text, ""));
    if name.contains('@') || name.contains(':') && text.contains('@') {
        return fault("has credentials in it", "remove what is before `@`: credentials come from the environment");
    }
    // What is after them may be a secret too.
    if text.contains(['?', '#']) {
        return fault("has `?` or `#` in it", "write the bucket and a path, and no more");
    }
    // The names that S3, Google and Azure allow have these characters (docs.aws.amazon.com/AmazonS3/latest/userguide,
    // "bucketnamingrules"; Google also `_`).
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.' | '_');
    if name.is_empty() || !name.chars().all(is_name) || name.starts_with(['-', '.']) {
        return fault(
            format!("names the bucket `{name}`"),
            "use a name of lower-case letters, digits, `-` and `.`, like `bakery-site`",
        );
    }
    let prefix = prefix.trim_matches('/');
    if prefix.split('/').any(|part| matches!(part, "." | "..") || part.is_empty() && !prefix.is_empty()) {
        return fault("has an empty part or dots in its path", "write a path like `sites/bakery`");
    }
    Ok(Bucket { name: name.to_owned(), prefix: prefix.to_owned() })
}

/// Reads a server with its folder. Names that begin with `-` would be options of `ssh`.
fn server(scheme: &str, text: &str) -> Result<Server, TargetFault> {
    let Some((authority, folder)) = text.split_once('/') else {
        let like = shown(&format!("{scheme}://{text}/srv/www"));
        return fault("has no folder", format!("write the path of the folder, like `{like}`"));
    };
    let (user, host) = match authority.rsplit_once('@') {
        Some((user, host)) => (Some(user), host),
        None => (None, authority),
    };
    if user.is_some_and(|user| user.contains(':')) {
        return fault("has a password in it", "remove it: `ssh` uses your keys and your agent");
    }
    let is_of_name = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.' | '_' | '+');
    let is_name = |name: &str| !name.is_empty() && !name.starts_with('-') && name.chars().all(is_of_name);
    if let Some(user) = user.filter(|user| !is_name(user)) {
        return fault(format!("has the user `{user}`"), "use letters, digits, `.`, `-` and `_`");
    }
    let (host, port) = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, port)) => (host, Some(port.strip_prefix(':').unwrap_or(port))),
        None => match host.split_once(':') {
            Some((host, port)) => (host, Some(port)),
            None => (host, None),
        },
    };
    let is_address =
        host.contains(':') && host.chars().all(|sign| sign.is_ascii_hexdigit() || matches!(sign, ':' | '.'));
    if !is_address && !is_name(host) {
        return fault(format!("has the host `{host}`"), "write the name of a server, like `www.example.com`");
    }
    let port = match port.map(str::parse::<u16>) {
        None => None,
        Some(Ok(port)) if port > 0 => Some(port),
        Some(_) => return fault("has a port that is no number up to 65535", "write it like `:22`, or leave it out"),
    };
    let folder = folder.trim_end_matches('/');
    if is_of_home(folder) {
        return home(&format!("{scheme}://{authority}/home/me/www"));
    }
    if folder.is_empty() || folder.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return fault(
            "names the root of the server, or has dots or empty parts in its path",
            format!("write the path of a folder, like `{scheme}://{authority}/srv/www`"),
        );
    }
    let (user, host, folder) = (user.map(str::to_owned), host.to_owned(), format!("/{folder}"));
    Ok(Server { has_rsync: scheme == "ssh", user, host, port, folder })
}

impl fmt::Display for Bucket {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slash = if self.prefix.is_empty() { "" } else { "/" };
        write!(formatter, "{}{slash}{}", self.name, self.prefix)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::S3(bucket) => write!(formatter, "s3://{bucket}"),
            Target::Google(bucket) => write!(formatter, "gs://{bucket}"),
            Target::Azure { account, container } => write!(formatter, "az://{account}/{container}"),
            Target::Server(Server { has_rsync, user, host, port, folder }) => {
                let scheme = if *has_rsync { "ssh" } else { "sftp" };
                let user = user.as_ref().map_or_else(String::new, |user| format!("{user}@"));
                let host = if host.contains(':') { format!("[{host}]") } else { host.clone() };
                let port = port.map_or_else(String::new, |port| format!(":{port}"));
                write!(formatter, "{scheme}://{user}{host}{port}{folder}")
            }
            Target::Folder(folder) => formatter.write_str(folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_printed_as_it_is_written() {
        for text in [
            "s3://bakery-site",
            "s3://bakery-site/sites/bread",
            "gs://b_1/x",
            "az://account/container",
            "az://account/container/x y",
            "ssh://www.example.com/srv/www",
            "ssh://me@www.example.com:2222/srv/www",
            "sftp://[::1]:22/srv",
            "../www",
            "/srv/www",
            "C:/www",
        ] {
            assert_eq!(Target::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Target::parse("s3://a/b/").unwrap().to_string(), "s3://a/b");
    }

    #[test]
    fn what_may_be_a_secret_is_not_shown() {
        for (text, expected) in [
            ("s3://key:secret@bucket", "s3://…@bucket"),
            ("s3://key:sec/r@t@bucket/x", "s3://…@bucket/x"),
            ("gs://key@bucket", "gs://…@bucket"),
            ("ssh://me:secret@host/x", "ssh://me:…@host/x"),
            ("me:secret@host:/x", "me:…@host:/x"),
            ("me@host:/srv/www", "me@host:/srv/www"),
            ("ssh://me@host", "ssh://me@host"),
            ("https://me:secret@host/a?b", "https://…@host/a?…"),
            ("az://account/container?sig=secret", "az://account/container?…"),
            ("a?b", "a?b"),
            ("ftp://host/x", "ftp://host/x"),
            ("", ""),
        ] {
            assert_eq!(shown(text), expected);
        }
    }

    #[test]
    fn messages_of_programs_have_no_credentials() {
        for (text, expected) in [
            ("cannot get https://me:secret@host:1/a@b: no", "cannot get https://…@host:1/a@b: no"),
            ("(http://a@b), \"s3://c:d@e\"", "(http://…@b), \"s3://…@e\""),
            ("https://host/a@b mail@host", "https://host/a@b mail@host"),
            ("", ""),
        ] {
            assert_eq!(without_credentials(text), expected);
        }
    }

    #[test]
    fn what_is_no_target_says_what_to_write() {
        for (text, fix) in [
            ("", "write an address like `s3://bucket`, or a folder"),
            ("~/www", "write the whole path, like `/home/me/www`"),
            ("~", "write the whole path, like `/home/me/www`"),
            ("ssh://me@host/~/www", "write the whole path, like `ssh://me@host/home/me/www`"),
            ("ftp://a/b", "write `s3://`, `gs://`, `az://`, `ssh://` or `sftp://`, or the path of a folder"),
            ("www.example.com:/srv/www", "write `ssh://www.example.com/srv/www` for a folder of a server"),
            ("rsync://a/b", "write `ssh://a/b`, with which rsync works over SSH"),
            ("s3://", "use a name of lower-case letters, digits, `-` and `.`, like `bakery-site`"),
            ("s3://key:secret@bucket", "remove what is before `@`: credentials come from the environment"),
            ("s3://a/../b", "write a path like `sites/bakery`"),
            ("az://account", "write `az://account/container`"),
            ("az://account/x?sig=secret", "write the bucket and a path, and no more"),
            ("s3://bucket#x", "write the bucket and a path, and no more"),
            ("sftp://host", "write the path of the folder, like `sftp://host/srv/www`"),
            ("sftp://me:secret@host/x", "remove it: `ssh` uses your keys and your agent"),
            ("sftp://-oProxyCommand=x/y", "write the name of a server, like `www.example.com`"),
            ("sftp://-x@host/y", "use letters, digits, `.`, `-` and `_`"),
            ("sftp://host:0/y", "write it like `:22`, or leave it out"),
            ("rsync://me:secret@host/x", "write `ssh://me:…@host/x`, with which rsync works over SSH"),
            ("sftp://me:secret@host", "write the path of the folder, like `sftp://me:…@host/srv/www`"),
            ("me:secret@host:/x", "write `ssh://user@host/srv/www` for a folder of a server"),
            ("s3://key:sec/ret@bucket", "remove what is before `@`: credentials come from the environment"),
            ("gcs://key:secret@bucket", "write `gs://…@bucket`"),
            ("az://key:secret@account", "write `az://…@account/container`"),
            ("sftp://host//", "write the path of a folder, like `sftp://host/srv/www`"),
            ("sftp://host/a/../../b", "write the path of a folder, like `sftp://host/srv/www`"),
        ] {
            assert_eq!(Target::parse(text).unwrap_err().fix, fix, "{text}");
        }
    }
}
