//! GitHub Pages: redirect pages in the output folder, and what a `<meta>` can do, since it sends no header that a site could
//! choose. What it does with paths was measured by github.com/slorber/trailing-slash-guide.

use super::spec::{HostSpec, PublishedFiles, Served, Target};
use super::{CompiledRules, Rules, redirect_pages};

pub struct GithubPages;

impl HostSpec for GithubPages {
    fn compile(&self, rules: &Rules, site: &PublishedFiles) -> CompiledRules {
        redirect_pages::compile(rules, site)
    }

    fn has_referrer_in_pages(&self) -> bool {
        true
    }

    fn finds_not_found_of_languages(&self) -> bool {
        false
    }

    fn find(&self, files: &Served) -> Target {
        files.found()
    }
}
