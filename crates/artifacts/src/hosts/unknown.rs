//! A host that is not known: redirect pages in the output folder. It gets no rules.

use super::spec::{HostSpec, PublishedFiles, Served, Target};
use super::{CompiledRules, Rules, redirect_pages};

pub struct Unknown;

impl HostSpec for Unknown {
    fn compile(&self, rules: &Rules, site: &PublishedFiles) -> CompiledRules {
        redirect_pages::compile(rules, site)
    }

    fn find(&self, files: &Served) -> Target {
        files.found()
    }
}
