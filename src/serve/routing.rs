//! Maps paths to files as the host does (`artifacts::hosts::spec`).

use crate::artifacts::Artifacts;
use crate::artifacts::hosts::spec::{Served, Target};

/// Returns what the host does with a path of the folder that it serves and that the site does not redirect. A file is one of the output.
pub fn find(artifacts: &Artifacts, path: &str) -> Target {
    let rules = &artifacts.site.rules;
    let has = |name: &str| {
        let name = rules.in_output(name);
        artifacts.has(&name) && !rules.is_private(&name)
    };
    let files = Served { path, has: &has, is_file_alone: rules.is_file_alone };
    match rules.spec().find(&files) {
        Target::File(name) => Target::File(rules.in_output(&name).into_owned()),
        target => target,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifacts::hosts::Rules;
    use crate::profile::Host;

    /// What each host does with `/file`, `/file/`, `/file.html`, `/folder`, `/folder/`, `/folder/index.html`, `/both`,
    /// `/both/`, `/both.html` and `/both/index.html`: the columns of the guide, `=` for the page itself.
    #[test]
    fn hosts_do_what_was_measured() {
        let paths = [
            "/file",
            "/file/",
            "/file.html",
            "/folder",
            "/folder/",
            "/folder/index.html",
            "/both",
            "/both/",
            "/both.html",
            "/both/index.html",
        ];
        for (host, is_file_alone, expected) in [
            (Host::GithubPages, false, "= 404 = /folder/ = = = = = ="),
            (Host::Netlify, false, "= /file = /folder/ = = = /both = ="),
            (Host::Vercel, false, "404 /file = = /folder = = /both = ="),
            (Host::Vercel, true, "= /file /file = /folder /folder = /both /both /both"),
            (Host::CloudflarePages, false, "= /file /file /folder/ = /folder/ = = /both /both/"),
            (Host::Nginx, false, "= 404 = = = = = = = ="),
        ] {
            let files = ["index.html", "404.html", "file.html", "folder/index.html", "both.html", "both/index.html"];
            let mut artifacts = Artifacts::from_files(files.map(|name| (name, &b"x"[..])));
            artifacts.site.rules = Rules { host, is_file_alone, ..Rules::default() };
            let done = paths.map(|path| {
                match artifacts
                    .site
                    .rules
                    .spec()
                    .before_redirects(&artifacts.site.rules, path)
                    .unwrap_or(find(&artifacts, path))
                {
                    Target::File(_) => "=".to_owned(),
                    Target::Redirect(_, to) => to,
                    Target::Nothing => "404".to_owned(),
                }
            });
            assert_eq!(done.join(" "), expected, "{}", host.name());
        }
    }
}
