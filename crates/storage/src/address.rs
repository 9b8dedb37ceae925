//! The places that a shared cache can be in.

use crate::Failure;
use crate::folder::Folder;
use crate::transport::{Transport, Variable};
use sitegen_content::deployment::Target;
use std::path::Path;

/// Where a shared cache is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A folder, as an absolute path or from the working folder.
    Folder(String),
    /// A bucket or a container.
    Bucket(Target),
    /// A server that speaks the HTTP protocol of Bazel's remote caches: the URL before `/ac/` and `/cas/`.
    Server(String),
}

impl Address {
    /// Reads the address of a cache, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        const KINDS: &str = "write a folder, `https://host`, `s3://bucket/prefix`, `gs://bucket/prefix` or \
                             `az://account/container/prefix`";
        if text.starts_with("http://") || text.starts_with("https://") {
            let rest = text.split_once("://").map_or("", |(_, rest)| rest);
            return match rest {
                "" => Err(format!("it names no server; {KINDS}")),
                _ if rest.split('/').next().is_some_and(|host| host.contains('@')) => Err(
                    "a user and a password do not belong in the address, which logs show; set SITEGEN_CACHE_AUTHORIZATION to the value \
                     of the header `Authorization`"
                        .to_owned(),
                ),
                _ if text.contains(['?', '#']) => Err("it has a `?` or `#`; write the address without".to_owned()),
                _ => Ok(Address::Server(text.trim_end_matches('/').to_owned())),
            };
        }
        match Target::parse(text) {
            Ok(Target::Folder(folder)) => Ok(Address::Folder(folder)),
            Ok(Target::Server(_)) => Err(format!("a cache cannot be on a server with SSH; {KINDS}")),
            Ok(bucket) => Ok(Address::Bucket(bucket)),
            Err(fault) => Err(format!("it {}; {KINDS}", fault.reason)),
        }
    }

    /// Whether others than those who can write to a folder can reach it.
    pub fn is_remote(&self) -> bool {
        !matches!(self, Address::Folder(_))
    }

    /// How many requests are made at the same time.
    pub fn requests_at_once(&self) -> usize {
        if self.is_remote() { 16 } else { 2 }
    }

    /// Opens the place.
    pub fn open(&self, variable: &Variable) -> Result<Box<dyn Transport>, Failure> {
        match self {
            Address::Folder(folder) => Ok(Box::new(Folder::open(Path::new(folder))?)),
            #[cfg(feature = "object-storage")]
            Address::Bucket(target) => Ok(Box::new(crate::objects::Objects::open(target, variable)?)),
            #[cfg(feature = "object-storage")]
            Address::Server(url) => Ok(Box::new(crate::bazel::Bazel::open(url, variable)?)),
            #[cfg(not(feature = "object-storage"))]
            Address::Bucket(_) | Address::Server(_) => {
                let _ = variable;
                Err(Failure::with_help(
                    "this program was compiled without `object-storage`",
                    "install a released program, or compile with `--features object-storage`",
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let read =
            |text: &str| Address::parse(text).map_err(|reason| reason.split(';').next().unwrap_or_default().to_owned());
        assert_eq!(read("/var/cache/site"), Ok(Address::Folder("/var/cache/site".into())));
        assert_eq!(read("../cache"), Ok(Address::Folder("../cache".into())));
        assert_eq!(read("https://cache.test/a/"), Ok(Address::Server("https://cache.test/a".into())));
        assert!(matches!(read("s3://bucket/prefix"), Ok(Address::Bucket(Target::S3(_)))));
        assert!(matches!(read("gs://bucket"), Ok(Address::Bucket(Target::Google(_)))));
        assert!(matches!(read("az://account/container"), Ok(Address::Bucket(Target::Azure { .. }))));
        for wrong in
            ["", "http://", "https://user:pass@cache.test", "https://cache.test/?a", "ssh://host/folder", "ftp://x"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
