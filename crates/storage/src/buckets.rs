//! Buckets of object storage, by the crate `object_store`.

use crate::Failure;
use crate::aws_files::{self, AwsFiles};
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::{ClientOptions, Error, ObjectStore, RetryConfig};
use sitegen_content::deployment::{Bucket, Target, without_credentials};
use std::sync::Arc;
use std::time::Duration;

/// How long a connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(5);

/// Where a bucket is, and who asks.
pub struct Access<'a> {
    /// The address of the server, if it is not that of the provider.
    pub endpoint: Option<String>,
    /// The region of the bucket, if the environment does not say it.
    pub region: Option<String>,
    /// Returns a variable of the environment.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

/// How often, and for how long, a request is repeated that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// As long as `object_store` does: minutes.
    Long,
    /// Not at all.
    Once,
}

/// The storage of a bucket or a container, and its name and prefix.
pub type Opened<'t> = (Arc<dyn ObjectStore>, &'t Bucket);

/// Opens the bucket or the container of a target. A request may take `time`. `None` if the target is another place.
pub fn open<'t>(
    target: &'t Target,
    access: &Access,
    (time, patience): (Duration, Patience),
) -> Result<Option<Opened<'t>>, Failure> {
    // Another part of the program may have chosen one before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = match patience {
        Patience::Long => RetryConfig::default(),
        Patience::Once => RetryConfig { max_retries: 0, retry_timeout: time, ..RetryConfig::default() },
    };
    Ok(Some(match target {
        Target::S3(bucket) => (s3(bucket, access, (time, retry))?, bucket),
        Target::Google(bucket) => (google(bucket, access, (time, retry))?, bucket),
        Target::Azure { account, container } => (azure(account, container, access, (time, retry))?, container),
        Target::Server(_) | Target::Folder(_) => return Ok(None),
    }))
}

/// Returns the secrets in the environment and in the address of the server, which no message may contain.
pub fn secrets(access: &Access) -> Vec<String> {
    let endpoints = ENDPOINTS.iter().filter_map(|name| (access.variable)(name)).chain(access.endpoint.clone());
    let credentials = endpoints.filter_map(|endpoint| {
        let (credentials, _) = endpoint.split_once("://")?.1.rsplit_once('@')?;
        Some(credentials.to_owned())
    });
    let variables = SECRETS.iter().filter_map(|name| (access.variable)(name));
    // Short ones may be parts of words.
    variables.chain(credentials).filter(|secret| secret.len() > 5).collect()
}

/// Returns a message without secrets.
pub fn without_secrets(text: &str, secrets: &[String]) -> String {
    without_credentials(&secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret, "…")))
}

/// Variables of the environment with the address of a server.
const ENDPOINTS: [&str; 5] =
    ["AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT", "AZURE_ENDPOINT", "GOOGLE_BASE_URL"];

/// Variables of the environment with secrets.
const SECRETS: [&str; 9] = [
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_ACCESS_KEY_ID",
    "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_ACCESS_KEY",
    "AZURE_STORAGE_SAS_TOKEN",
    "AZURE_STORAGE_SAS_KEY",
    "AZURE_CLIENT_SECRET",
    "GOOGLE_SERVICE_ACCOUNT_KEY",
];

fn client(endpoint: Option<&String>, time: Duration) -> ClientOptions {
    let is_plain = endpoint.is_some_and(|endpoint| endpoint.starts_with("http://"));
    ClientOptions::new().with_allow_http(is_plain).with_timeout(time).with_connect_timeout(time.min(CONNECT_TIME))
}

/// Why a bucket cannot be opened.
fn wrong(error: &Error, access: &Access) -> Failure {
    let what = without_secrets(&error.to_string(), &secrets(access));
    Failure::with_help(what, "check the address and the credentials in the environment")
}

fn s3(
    bucket: &Bucket,
    access: &Access,
    (time, retry): (Duration, RetryConfig),
) -> Result<Arc<dyn ObjectStore>, Failure> {
    let variable = |name: &str| (access.variable)(name).filter(|value| !value.is_empty());
    let files = AwsFiles::read(access.variable);
    let endpoint = access.endpoint.clone().or_else(|| variable("AWS_ENDPOINT_URL_S3"));
    let endpoint = endpoint.or_else(|| variable("AWS_ENDPOINT_URL")).or_else(|| files.get("endpoint_url"));
    let region = access.region.clone().or_else(|| variable("AWS_REGION")).or_else(|| variable("AWS_DEFAULT_REGION"));
    let region = region.or_else(|| files.get("region"));
    let mut builder = AmazonS3Builder::from_env()
        .with_bucket_name(&bucket.name)
        .with_client_options(client(endpoint.as_ref(), time))
        .with_retry(retry);
    if let Some(region) = region {
        builder = builder.with_region(region);
    }
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/'));
    }
    if variable("AWS_ACCESS_KEY_ID").is_none() {
        let by_role = [
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
        ];
        match (files.get("aws_access_key_id"), files.get("aws_secret_access_key")) {
            (Some(key), Some(secret)) => {
                builder = builder.with_access_key_id(key).with_secret_access_key(secret);
                if let Some(token) = files.get("aws_session_token") {
                    builder = builder.with_token(token);
                }
            }
            // Outside of Amazon's machines, asking for the role of the machine takes minutes to fail.
            _ if by_role.iter().all(|name| variable(name).is_none()) && !aws_files::is_machine_of_amazon() => {
                return Err(Failure::with_help(
                    "there are no credentials for S3",
                    "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE for a profile of ~/.aws/credentials",
                ));
            }
            _ => {}
        }
    }
    Ok(Arc::new(builder.build().map_err(|error| wrong(&error, access))?))
}

fn google(
    bucket: &Bucket,
    access: &Access,
    (time, retry): (Duration, RetryConfig),
) -> Result<Arc<dyn ObjectStore>, Failure> {
    let mut builder = GoogleCloudStorageBuilder::from_env()
        .with_bucket_name(&bucket.name)
        .with_client_options(client(access.endpoint.as_ref(), time))
        .with_retry(retry);
    if let Some(endpoint) = &access.endpoint {
        builder = builder.with_base_url(endpoint.trim_end_matches('/'));
    }
    Ok(Arc::new(builder.build().map_err(|error| wrong(&error, access))?))
}

fn azure(
    account: &str,
    container: &Bucket,
    access: &Access,
    (time, retry): (Duration, RetryConfig),
) -> Result<Arc<dyn ObjectStore>, Failure> {
    let mut builder = MicrosoftAzureBuilder::from_env()
        .with_account(account)
        .with_container_name(&container.name)
        .with_client_options(client(access.endpoint.as_ref(), time))
        .with_retry(retry);
    if let Some(endpoint) = &access.endpoint {
        builder = builder.with_endpoint(endpoint.trim_end_matches('/').to_owned());
    }
    Ok(Arc::new(builder.build().map_err(|error| wrong(&error, access))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_no_secrets_of_the_environment_or_of_an_address() {
        let variable = |name: &str| match name {
            "AWS_SECRET_ACCESS_KEY" => Some("flour-and-water".to_owned()),
            "AWS_ENDPOINT_URL" => Some("http://me:salt/and@pepper@host".to_owned()),
            _ => None,
        };
        let endpoint = Some("https://you:yeast@host:9000/".to_owned());
        let secrets = secrets(&Access { endpoint, region: None, variable: &variable });
        let text = "flour-and-water http://me:salt/and@pepper@host/x https://you:yeast@host https://you:%79east@host";
        let shown = "… http://…@host/x https://…@host https://…@host";
        assert_eq!(without_secrets(text, &secrets), shown);
    }
}
