//! Vercel: `vercel.json` and `.vercelignore`, which it reads from the folder that is deployed.
//!
//! Sources: vercel.com/docs/project-configuration; the limits are those of the schema in vercel/vercel,
//! packages/routing-utils/src/schemas.ts. A pattern has no named part, since only then values are taken as they are.

use super::{Cause, Compiled, FOLDER, Limit, MANIFEST, Rules};
use crate::content::settings::{RouteFiles, Settings};
use serde_json::{Value, json};

const MAX_REDIRECTS: usize = 2_048;

/// The files for Vercel.
pub fn compile(rules: &Rules, settings: &Settings) -> Compiled {
    let header = |name: &str, value: &str| json!({ "key": name, "value": value });
    let everywhere: Vec<Value> = rules.headers.iter().map(|(name, value)| header(name, value)).collect();
    let mut headers = Vec::new();
    if !everywhere.is_empty() {
        headers.push(json!({ "source": "/(.*)", "headers": everywhere }));
    }
    headers.push(json!({ "source": format!("{FOLDER}/(.*)"), "headers": [header("Cache-Control", &rules.hashed)] }));
    // By itself it says `public, max-age=0, must-revalidate`.
    if !rules.pages_by_default {
        let others = format!("/((?!{}/).*)", &FOLDER[1..]);
        headers.push(json!({ "source": others, "headers": [header("Cache-Control", &rules.pages)] }));
    }
    let redirects: Vec<Value> = rules
        .redirects
        .iter()
        .map(|moved| json!({ "source": moved.from, "destination": moved.location, "statusCode": moved.status }))
        .collect();
    let mut limits = Vec::new();
    if redirects.len() > MAX_REDIRECTS {
        limits.push(Limit {
            host: "Vercel",
            what: "redirects".to_owned(),
            found: redirects.len(),
            limit: MAX_REDIRECTS,
            advice: "remove some",
            cause: Cause::Redirect(MAX_REDIRECTS),
        });
    }
    let config = json!({
        "$schema": "https://openapi.vercel.sh/vercel.json",
        // `/careers` answers from `careers.html` only with this; from `careers/index.html` it does without.
        "cleanUrls": settings.routes == RouteFiles::File,
        "trailingSlash": false,
        "headers": headers,
        "redirects": redirects,
    });
    let ignored = format!("{MANIFEST}\n");
    let files = vec![("vercel.json".into(), format!("{config:#}\n")), (".vercelignore".into(), ignored)];
    Compiled { files, limits }
}
