//! What a shared cache needs of the place that it is in.

use std::time::Duration;

/// How long a request may take. An entry that takes longer has been made again by then.
pub const REQUEST_TIME: Duration = Duration::from_secs(20);

/// Returns a variable of the environment.
pub type Variable = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Has bytes under names of 64 hexadecimal digits.
pub trait Transport {
    /// Returns what is under a name, or nothing if there is nothing. Of what has more than `most` bytes, no more are read.
    fn get(&self, name: &str, most: usize) -> Result<Option<Stored>, TransportError>;

    /// Puts bytes under a name, in place of what may be there.
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), TransportError>;
}

/// What a place has under a name. Anybody may have put it there who can write to the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// These bytes.
    Bytes(Vec<u8>),
    /// More bytes than were asked for.
    Larger,
}

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransportError {
    /// The reason, without secrets.
    pub reason: String,
    /// Whether every other request would fail too, since it is not allowed.
    pub is_final: bool,
}
