//! Object storage as a target, by the crate `object_store`.
//!
//! An object gets the digest of its content as metadata, so that a deploy that was cut off is resumed without sending everything
//! again. A file is sent only after its bytes were compared with the digest of the manifest.

use super::folder::changed;
use super::store::{Control, Failure, Step, Store};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use object_store::path::Path as Key;
use object_store::{
    Attribute, Attributes, Error, GetOptions, ObjectStore, ObjectStoreExt as _, PutMode, PutMultipartOptions,
    PutOptions, PutPayload, WriteMultipart,
};
use sha2::{Digest as _, Sha256};
use sitegen_content::deployment::Target;
use sitegen_core::sources::{Digest, digest};
use sitegen_publish::manifest::{hexadecimal, read_digest};
use sitegen_storage::buckets::{self, Access, Patience};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

/// How many requests are made at the same time.
const AT_ONCE: usize = 16;
/// How many files are asked for one by one, rather than by listing all.
const FEW: usize = 100;
/// A larger file is sent in parts of this size.
const PART: usize = 8 << 20;
/// How long a request may take: a file may be large.
const REQUEST_TIME: Duration = Duration::from_secs(120);
/// The name of the metadata with the digest.
const DIGEST: &str = "sha256";

/// The headers that visitors get with a file: name and value.
pub type Headers<'a> = Box<dyn Fn(&str) -> ObjectHeaders + Sync + Send + 'a>;

/// The headers of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectHeaders {
    /// The value of `Content-Type`.
    pub content_type: String,
    /// The value of `Cache-Control`.
    pub caching: String,
}

/// A bucket or a container.
pub struct ObjectTarget<'a> {
    store: Arc<dyn ObjectStore>,
    runtime: Runtime,
    prefix: String,
    output: PathBuf,
    headers: Headers<'a>,
    /// Who has it sends a large file, of which several parts are in memory.
    large: futures_util::lock::Mutex<()>,
    /// Parts of messages that nobody may read.
    secrets: Vec<String>,
    /// The name of the target, for messages.
    name: String,
}

fn unread(file: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot read {}: {error}", file.display()))
}

impl<'a> ObjectTarget<'a> {
    /// Deploys files of `output` to a bucket. `None` if the target is none.
    pub fn open(
        target: &Target,
        output: PathBuf,
        headers: Headers<'a>,
        access: &Access,
    ) -> Result<Option<Self>, Failure> {
        let Some((store, bucket)) = buckets::open(target, access, (REQUEST_TIME, Patience::Long))? else {
            return Ok(None);
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| Failure::new(format!("cannot start: {error}")))?;
        let secrets = buckets::secrets(access);
        let (prefix, name) = (bucket.prefix.clone(), target.to_string());
        let large = futures_util::lock::Mutex::default();
        Ok(Some(ObjectTarget { store, runtime, prefix, output, headers, large, secrets, name }))
    }

    fn key(&self, path: &str) -> Result<Key, Failure> {
        let path = if self.prefix.is_empty() { path.to_owned() } else { format!("{}/{path}", self.prefix) };
        Key::parse(&path).map_err(|error| Failure::new(format!("cannot write {path}: {error}")))
    }

    /// Returns the path of an object relative to the site.
    fn path_of(&self, key: &Key) -> String {
        let key = key.as_ref();
        let inside = key.strip_prefix(&self.prefix).unwrap_or(key);
        inside.trim_start_matches('/').to_owned()
    }

    fn failure(&self, action: &str, error: &Error) -> Failure {
        let text = error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
        let text = buckets::without_secrets(&text, &self.secrets);
        let help = match error {
            Error::Unauthenticated { .. } | Error::PermissionDenied { .. } => {
                "check the credentials in the environment: they need to list the bucket, and to read, write and delete objects"
                    .to_owned()
            }
            _ if text.contains("NoSuchBucket") => format!("create the bucket of {} first, or correct its name", self.name),
            _ if text.contains("SignatureDoesNotMatch") || text.contains("InvalidAccessKeyId") => {
                "check the key and the secret in the environment".to_owned()
            }
            _ if text.contains("RequestTimeTooSkewed") => "set the clock of this machine".to_owned(),
            _ if text.contains("PermanentRedirect") || text.contains("AuthorizationHeaderMalformed") => {
                "set `settings.deploy.region` to the region of the bucket".to_owned()
            }
            _ => return Failure::new(format!("cannot {action}: {text}")),
        };
        Failure::with_help(format!("cannot {action}: {text}"), help)
    }

    fn attributes(&self, path: &str, digest: &Digest) -> Attributes {
        let ObjectHeaders { content_type, caching } = (self.headers)(path);
        let mut attributes = Attributes::new();
        attributes.insert(Attribute::ContentType, content_type.into());
        attributes.insert(Attribute::CacheControl, caching.into());
        attributes.insert(Attribute::Metadata(DIGEST.into()), hexadecimal(digest).into());
        attributes
    }

    async fn put(&self, path: &str, wanted: &Digest) -> Result<(), Failure> {
        let key = self.key(path)?;
        let (attributes, file) = (self.attributes(path, wanted), self.output.join(path));
        let cannot = |error: Error| self.failure(&format!("send {path}"), &error);
        if fs::metadata(&file).is_ok_and(|metadata| metadata.len() > PART as u64) {
            return self.put_parts(path, wanted, attributes).await;
        }
        let bytes = fs::read(&file).map_err(|error| unread(&file, &error))?;
        if digest(&bytes) != *wanted {
            return Err(changed(&file));
        }
        let options = PutOptions { attributes, ..PutOptions::default() };
        self.store.put_opts(&key, PutPayload::from(bytes), options).await.map(drop).map_err(cannot)
    }

    /// Sends a large file in parts, and completes it only if all of them are those that were checked.
    async fn put_parts(&self, path: &str, wanted: &Digest, attributes: Attributes) -> Result<(), Failure> {
        let (key, file) = (self.key(path)?, self.output.join(path));
        let cannot = |error: Error| self.failure(&format!("send {path}"), &error);
        let _alone = self.large.lock().await;
        let unread = |error: std::io::Error| unread(&file, &error);
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let upload = self.store.put_multipart_opts(&key, options).await.map_err(cannot)?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART);
        let mut source = fs::File::open(&file).map_err(unread)?;
        let mut hash = Sha256::new();
        let mut part = vec![0; PART];
        loop {
            let read = source.read(&mut part).map_err(unread)?;
            if read == 0 {
                break;
            }
            hash.update(&part[..read]);
            upload.wait_for_capacity(4).await.map_err(cannot)?;
            upload.write(&part[..read]);
        }
        if Digest::from(hash.finalize()) != *wanted {
            let _ = upload.abort().await;
            return Err(changed(&file));
        }
        upload.finish().await.map(drop).map_err(cannot)
    }

    async fn step(&self, step: &Step) -> Result<(), Failure> {
        match step {
            Step::Put { path, digest } => self.put(path, digest).await,
            Step::Copy { from, to } => {
                let copied = self.store.copy(&self.key(from)?, &self.key(to)?).await;
                copied.map_err(|error| self.failure(&format!("copy {from}"), &error))
            }
            Step::Remove { path } => match self.store.delete(&self.key(path)?).await {
                Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(self.failure(&format!("delete {path}"), &error)),
            },
        }
    }

    /// Returns the digest of an object, if it is there. `Some(None)` if another program has written it.
    async fn digest_of(&self, path: &str) -> Result<Option<Option<Digest>>, Failure> {
        let options = GetOptions { head: true, ..GetOptions::default() };
        match self.store.get_opts(&self.key(path)?, options).await {
            Ok(found) => {
                let metadata = found.attributes.get(&Attribute::Metadata(DIGEST.into()));
                Ok(Some(metadata.and_then(|text| read_digest(text.as_ref()))))
            }
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.failure(&format!("look for {path}"), &error)),
        }
    }

    async fn put_small(&self, path: &str, bytes: &[u8], mode: PutMode) -> Result<(), Error> {
        let mut attributes = Attributes::new();
        let kind = if path.ends_with(".json") { "application/json" } else { "application/octet-stream" };
        attributes.insert(Attribute::ContentType, kind.into());
        attributes.insert(Attribute::CacheControl, "no-store".into());
        attributes.insert(Attribute::Metadata(DIGEST.into()), hexadecimal(&digest(bytes)).into());
        let options = PutOptions { mode, attributes, ..PutOptions::default() };
        let key = self.key(path).map_err(|failure| Error::Generic { store: "path", source: failure.what.into() })?;
        self.store.put_opts(&key, PutPayload::from(bytes.to_vec()), options).await.map(drop)
    }
}

impl Store for ObjectTarget<'_> {
    fn has_folders(&self) -> bool {
        false
    }

    fn names(&self, folder: &str) -> Result<Vec<String>, Failure> {
        let key = self.key(folder)?;
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&key)));
        let listed = listed.map_err(|error| self.failure(&format!("list {}/{folder}", self.name), &error))?;
        let names = listed.objects.iter().filter_map(|object| object.location.filename());
        Ok(names.map(str::to_owned).collect())
    }

    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, Failure> {
        let key = self.key(path)?;
        self.runtime.block_on(async {
            let read = match self.store.get(&key).await {
                Ok(found) => found.bytes().await,
                Err(error) => Err(error),
            };
            match read {
                Ok(bytes) => Ok(Some(bytes.to_vec())),
                Err(Error::NotFound { .. }) => Ok(None),
                Err(error) => Err(self.failure(&format!("read {path}"), &error)),
            }
        })
    }

    fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.runtime.block_on(self.put_small(path, bytes, PutMode::Overwrite));
        written.map_err(|error| self.failure(&format!("write {path}"), &error))
    }

    fn create(&self, path: &str, bytes: &[u8]) -> Result<bool, Failure> {
        match self.runtime.block_on(self.put_small(path, bytes, PutMode::Create)) {
            Ok(()) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(self.failure(&format!("write {path}"), &error)),
        }
    }

    fn look(&self, paths: &[&str]) -> Result<BTreeMap<String, Option<Digest>>, Failure> {
        self.runtime.block_on(async {
            let mut paths: Vec<String> = paths.iter().map(|path| (*path).to_owned()).collect();
            if paths.len() > FEW {
                let key = self.key("").ok().filter(|key| !key.as_ref().is_empty());
                let listed: Vec<_> = self
                    .store
                    .list(key.as_ref())
                    .map_ok(|object| self.path_of(&object.location))
                    .try_collect()
                    .await
                    .map_err(|error| self.failure(&format!("list {}", self.name), &error))?;
                let there: BTreeSet<String> = listed.into_iter().collect();
                paths.retain(|path| there.contains(path));
            }
            let digests = stream::iter(paths).map(|path| async move {
                let digest = self.digest_of(&path).await?;
                Ok::<_, Failure>((path, digest))
            });
            let all: Vec<_> = digests.buffer_unordered(AT_ONCE).try_collect().await?;
            Ok(all.into_iter().filter_map(|(path, digest)| Some((path, digest?))).collect())
        })
    }

    fn run(&self, steps: &[Step], control: &Control) -> Result<(), Failure> {
        let all = stream::iter(steps).map(|step| async move {
            control.check()?;
            self.step(step).await?;
            (control.done)(step);
            Ok::<_, Failure>(())
        });
        self.runtime.block_on(all.buffer_unordered(AT_ONCE).try_collect::<Vec<()>>()).map(drop)
    }
}
