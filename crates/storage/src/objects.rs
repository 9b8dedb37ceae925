//! A bucket as a shared cache.

use crate::Failure;
use crate::buckets::{self, Access, Patience};
use crate::transport::{REQUEST_TIME, Stored, Transport, TransportError, Variable};
use object_store::path::Path as Key;
use object_store::{Error, ObjectStore, ObjectStoreExt as _, PutPayload};
use sitegen_content::deployment::Target;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// See the module. An object for each entry, whose name begins with the prefix of the address.
pub struct Objects {
    store: Arc<dyn ObjectStore>,
    runtime: Runtime,
    prefix: String,
    secrets: Vec<String>,
}

impl Objects {
    /// Opens a bucket or a container.
    pub fn open(target: &Target, variable: &Variable) -> Result<Self, Failure> {
        let access = Access { endpoint: None, region: None, variable };
        let opened = buckets::open(target, &access, (REQUEST_TIME, Patience::Once))?;
        let (store, bucket) = opened.ok_or_else(|| Failure::new(format!("{target} is not a bucket")))?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::new(format!("cannot start: {error}")))?;
        let prefix = if bucket.prefix.is_empty() { String::new() } else { format!("{}/", bucket.prefix) };
        Ok(Objects { store, runtime, prefix, secrets: buckets::secrets(&access) })
    }

    fn key(&self, name: &str) -> Result<Key, TransportError> {
        Key::parse(format!("{}{name}", self.prefix))
            .map_err(|error| TransportError { reason: error.to_string(), is_final: true })
    }

    fn failed(&self, error: &Error) -> TransportError {
        let is_final = matches!(error, Error::Unauthenticated { .. } | Error::PermissionDenied { .. });
        let reason = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let is_final = is_final || ["NoSuchBucket", "SignatureDoesNotMatch"].iter().any(|code| reason.contains(code));
        TransportError { reason: buckets::without_secrets(&reason, &self.secrets), is_final }
    }
}

impl Transport for Objects {
    fn get(&self, name: &str, most: usize) -> Result<Option<Stored>, TransportError> {
        let key = self.key(name)?;
        let read = self.runtime.block_on(async {
            let object = self.store.get(&key).await?;
            if object.meta.size > most as u64 { Ok(None) } else { object.bytes().await.map(Some) }
        });
        match read {
            Ok(bytes) => Ok(Some(bytes.map_or(Stored::Larger, |bytes| Stored::Bytes(bytes.to_vec())))),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), TransportError> {
        let key = self.key(name)?;
        let put = self.runtime.block_on(self.store.put(&key, PutPayload::from(bytes.to_vec())));
        put.map(drop).map_err(|error| self.failed(&error))
    }
}
