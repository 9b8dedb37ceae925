//! Netlify: [`_headers` and `_redirects`](super::rules_files), which it reads from the output folder and does not serve.
//!
//! Sources: docs.netlify.com/manage/routing/headers, docs.netlify.com/manage/routing/redirects. What it does with paths was
//! measured by github.com/slorber/trailing-slash-guide, "Pretty Urls on", which is how a site is set at first.

use super::rules_files::headers;
use super::spec::{HostSpec, PublishedFiles, Served, Target};
use super::{CompiledRules, MANIFEST, Rules, both_forms, home};

pub struct Netlify;

impl HostSpec for Netlify {
    /// Its rule for a folder also applies to missing files, which visitors' browsers would then cache for a year. So each
    /// file with a digest in its name has a rule of its own, if a rule can name it.
    fn compile(&self, rules: &Rules, site: &PublishedFiles) -> CompiledRules {
        let hashed = (site.hashed)();
        let hashed = hashed.iter().map(String::as_str).filter(|path| is_writable(path));
        let (headers, _) = headers(rules, &[], &(site.addresses)(), hashed);
        let mut redirects = String::new();
        for redirect in &rules.redirects {
            // Netlify treats a path with and without a slash at its end alike.
            for from in both_forms(&rules.inside(&redirect.from)) {
                redirects.push_str(&format!("{from} {} {}\n", redirect.location, redirect.status));
            }
        }
        redirects.push_str(&format!("/{MANIFEST} /404.html 404!\n"));
        // docs.netlify.com/manage/routing/redirects/redirect-options, "Redirect by country or language": the first rule that is for
        // the visitor's language.
        let root = rules.inside("/");
        for (range, home) in home::ranges(&rules.homes) {
            redirects.push_str(&format!("{root} {} 302! Language={range}\n", home.location));
        }
        if let Some(first) = rules.homes.first() {
            redirects.push_str(&format!("{root} {} 302!\n", first.location));
        }
        // docs.netlify.com/manage/routing/redirects/redirect-options, "Custom 404 page handling".
        for folder in &rules.not_found {
            let folder = rules.inside(folder);
            redirects.push_str(&format!("{folder}/* {folder}/404.html 404\n"));
        }
        CompiledRules {
            files: vec![("_headers".into(), headers), ("_redirects".into(), redirects)],
            ..CompiledRules::default()
        }
    }

    fn is_private(&self, path: &str) -> bool {
        ["_headers", "_redirects", MANIFEST].contains(&path)
    }

    /// It documents 301 and 302 (docs.netlify.com/manage/routing/redirects/redirect-options). For a site that is only ever
    /// read, 308 and 307 mean the same as these.
    fn redirect_status(&self, status: u16) -> u16 {
        match status {
            308 => 301,
            307 => 302,
            status => status,
        }
    }

    fn can_name(&self, path: &str) -> bool {
        is_writable(path)
    }

    fn find(&self, files: &Served) -> Target {
        let html = files.html();
        if files.is_folder() && !files.bare().is_empty() && files.has(&html) {
            return Target::Redirect(301, format!("/{}", files.bare()));
        }
        files.found()
    }
}

/// Whether a rule for a path means this path and no other: `*` and `:name` stand for others, a space ends the path in
/// redirects, and whether other characters are compared encoded is not documented.
fn is_writable(path: &str) -> bool {
    path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte))
}
