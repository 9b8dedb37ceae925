//! A server that speaks the HTTP protocol of Bazel's remote caches (bazel.build/remote/caching, "HTTP caching protocol"):
//! `GET` and `PUT` of `/ac/` with the name of an action, and of `/cas/` with the SHA-256 of the bytes.
//!
//! What is under `/ac/` has to be an `ActionResult` (`remote_execution.proto` of Bazel's remote APIs): servers look into it.
//! A small entry stands in it, as the output of the action; of a larger one it has the digest, under which `/cas/` has the bytes.

use crate::Failure;
use crate::entry::hexadecimal;
use crate::transport::{REQUEST_TIME, Stored, Transport, TransportError, Variable};
use prost::Message;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::{Client, Method, StatusCode};
use sitegen_core::sources::digest;
use std::error::Error;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// The variable with the value of the header `Authorization`.
const CREDENTIALS: &str = "SITEGEN_CACHE_AUTHORIZATION";

/// How long a connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(2);

/// How many bytes stand in the result itself.
const SMALL: usize = 64 << 10;

/// See the module.
pub struct Bazel {
    url: String,
    client: Client,
    runtime: Runtime,
}

/// The fields of an `ActionResult` that are used, with the numbers that it gives them.
#[derive(Clone, PartialEq, Message)]
struct ActionResult {
    #[prost(message, repeated, tag = "2")]
    output_files: Vec<OutputFile>,
    #[prost(bytes = "vec", tag = "5")]
    stdout_raw: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
struct OutputFile {
    #[prost(string, tag = "1")]
    path: String,
    #[prost(message, optional, tag = "2")]
    digest: Option<BlobDigest>,
}

#[derive(Clone, PartialEq, Message)]
struct BlobDigest {
    #[prost(string, tag = "1")]
    hash: String,
    #[prost(int64, tag = "2")]
    size_bytes: i64,
}

impl Bazel {
    /// A server before whose paths the URL stands.
    pub fn open(url: &str, variable: &Variable) -> Result<Self, Failure> {
        // Another part of the program may have chosen one before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let cannot = |error: &dyn Error| Failure::new(format!("cannot use {url}: {}", chain(error)));
        let mut headers = HeaderMap::new();
        if let Some(credentials) = variable(CREDENTIALS).filter(|value| !value.trim().is_empty()) {
            let mut value = HeaderValue::from_str(credentials.trim()).map_err(|_| {
                Failure::with_help(
                    format!("{CREDENTIALS} cannot be sent as a header"),
                    "write a value like `Bearer abc` or `Basic dXNlcjpwYXNz`, in one line",
                )
            })?;
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        let client = Client::builder()
            .default_headers(headers)
            .connect_timeout(CONNECT_TIME)
            .timeout(REQUEST_TIME)
            // The credentials are for this server.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| cannot(&error))?;
        reqwest::Url::parse(url).map_err(|error| cannot(&error))?;
        let runtime = Builder::new_current_thread().enable_all().build().map_err(|error| cannot(&error))?;
        Ok(Bazel { url: url.to_owned(), client, runtime })
    }

    /// Makes a request, and reads at most so many bytes of the answer. `None` if the server has nothing there.
    fn request(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
        most: usize,
    ) -> Result<Option<Stored>, TransportError> {
        let failed = |error: reqwest::Error| TransportError { reason: chain(&error.without_url()), is_final: false };
        let mut request = self.client.request(method, format!("{}/{path}", self.url));
        if let Some(body) = body {
            request = request.body(body);
        }
        self.runtime.block_on(async {
            let response = request.send().await.map_err(failed)?;
            match response.status() {
                StatusCode::NOT_FOUND => return Ok(None),
                status if status.is_success() => {}
                status => {
                    let is_final = matches!(
                        status,
                        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::METHOD_NOT_ALLOWED
                    ) || status.is_redirection();
                    return Err(TransportError { reason: format!("it answers {status}"), is_final });
                }
            }
            if response.content_length().is_some_and(|length| length > most as u64) {
                return Ok(Some(Stored::Larger));
            }
            let mut bytes = Vec::new();
            let mut response = response;
            while let Some(part) = response.chunk().await.map_err(failed)? {
                if bytes.len() + part.len() > most {
                    return Ok(Some(Stored::Larger));
                }
                bytes.extend_from_slice(&part);
            }
            Ok(Some(Stored::Bytes(bytes)))
        })
    }

    fn put_at(&self, path: &str, bytes: Vec<u8>) -> Result<(), TransportError> {
        // What it answers says nothing.
        match self.request(Method::PUT, path, Some(bytes), SMALL)? {
            Some(_) => Ok(()),
            None => Err(TransportError { reason: "it answers 404 Not Found".to_owned(), is_final: true }),
        }
    }
}

/// The message of an error with those of its causes, which say more.
fn chain(error: &dyn Error) -> String {
    let mut causes = vec![error.to_string()];
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    causes.dedup();
    causes.join(": ")
}

impl Transport for Bazel {
    fn get(&self, name: &str, most: usize) -> Result<Option<Stored>, TransportError> {
        // An action has little more than the bytes that stand in it. A server may keep other things there.
        let action = self.request(Method::GET, &format!("ac/{name}"), None, 2 * SMALL)?;
        let Some(Stored::Bytes(action)) = action else { return Ok(None) };
        let Ok(ActionResult { mut output_files, stdout_raw }) = ActionResult::decode(&*action) else { return Ok(None) };
        if !stdout_raw.is_empty() {
            return Ok(Some(Stored::Bytes(stdout_raw)));
        }
        let Some(digest) = output_files.pop().and_then(|file| file.digest) else { return Ok(None) };
        let is_digest = digest.hash.len() == 64 && digest.hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        match is_digest {
            true => self.request(Method::GET, &format!("cas/{}", digest.hash), None, most),
            false => Ok(None),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), TransportError> {
        let mut action = ActionResult::default();
        if bytes.len() <= SMALL {
            action.stdout_raw = bytes.to_vec();
        } else {
            let digest = BlobDigest { hash: hexadecimal(&digest(bytes)), size_bytes: bytes.len() as i64 };
            self.put_at(&format!("cas/{}", digest.hash), bytes.to_vec())?;
            action.output_files.push(OutputFile { path: "entry".to_owned(), digest: Some(digest) });
        }
        self.put_at(&format!("ac/{name}"), action.encode_to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_messages_of_the_remote_apis() {
        let action = ActionResult { output_files: Vec::new(), stdout_raw: b"ab".to_vec() };
        assert_eq!(action.encode_to_vec(), [0x2a, 2, b'a', b'b']);
        let digest = BlobDigest { hash: "f".to_owned(), size_bytes: 3 };
        let file = OutputFile { path: "e".to_owned(), digest: Some(digest) };
        let action = ActionResult { output_files: vec![file], stdout_raw: Vec::new() };
        assert_eq!(action.encode_to_vec(), [0x12, 10, 0x0a, 1, b'e', 0x12, 5, 0x0a, 1, b'f', 0x10, 3]);
    }
}
