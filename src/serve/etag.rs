//! Validators of what is served (RFC 9110, 8.8.3).

use crate::sources::Digest;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

/// Returns a strong validator: half of the SHA-256 of the bytes.
pub fn etag(digest: &Digest) -> String {
    format!("\"{}\"", URL_SAFE_NO_PAD.encode(&digest[..16]))
}
