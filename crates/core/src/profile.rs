//! The options of one build: all that may differ between two builds of the same sources.

/// The service that hosts the site. It decides the format of headers and redirects, and whether it sends any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Host {
    /// A host that is not known. It gets the files and no rules.
    #[default]
    None,
    /// Netlify: `_headers` and `_redirects`.
    Netlify,
    /// Cloudflare Pages: the same two files, with limits.
    CloudflarePages,
    /// Vercel: `vercel.json`.
    Vercel,
    /// nginx: a file to include in the server block.
    Nginx,
    /// Caddy: a file to import in the site block.
    Caddy,
    /// GitHub Pages, which lets a site choose no header and no redirect.
    GithubPages,
}

impl Host {
    /// Every host in the order of the reference.
    pub const ALL: [Host; 7] =
        [Host::None, Host::Netlify, Host::CloudflarePages, Host::Vercel, Host::Nginx, Host::Caddy, Host::GithubPages];

    /// Its name in `site.yaml` and on the command line, its name as people write it, whether it takes rules, and whether it
    /// serves at the root of a domain alone.
    fn facts(self) -> (&'static str, &'static str, bool, bool) {
        match self {
            Host::None => ("none", "no host", false, false),
            Host::Netlify => ("netlify", "Netlify", true, true),
            Host::CloudflarePages => ("cloudflare-pages", "Cloudflare Pages", true, true),
            Host::Vercel => ("vercel", "Vercel", true, true),
            Host::Nginx => ("nginx", "nginx", true, false),
            Host::Caddy => ("caddy", "Caddy", true, false),
            Host::GithubPages => ("github-pages", "GitHub Pages", false, false),
        }
    }

    /// Returns the name in `site.yaml` and on the command line.
    pub fn name(self) -> &'static str {
        self.facts().0
    }

    /// Returns the name as people write it.
    pub fn title(self) -> &'static str {
        self.facts().1
    }

    /// Returns the host with a name.
    pub fn of(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Whether a site can give this host rules: which headers to send and what to redirect.
    pub fn takes_rules(self) -> bool {
        self.facts().2
    }

    /// Whether the host serves the output folder at the root of a domain, and nothing else. A site below a path then
    /// has to be in a folder of that name. nginx and Caddy get the folder as a setting, and GitHub Pages serves each
    /// project below its name.
    pub fn serves_at_root(self) -> bool {
        self.facts().3
    }
}

/// The options of one build.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Profile {
    /// The address to publish at, in place of `url` in `site.yaml`.
    pub base_url: Option<String>,
    /// The host to build for, in place of `settings.host` in `site.yaml`.
    pub host: Option<Host>,
    /// Whether islands are built with React's development build, which checks hydration and explains its errors.
    pub development: bool,
    /// Whether pages with `draft: true` are built too.
    pub drafts: bool,
    /// The day of the build, in UTC. `publish` and `expires` are compared with it.
    pub today: jiff::civil::Date,
    /// Whether the site is published where search engines must not see it.
    pub staging: bool,
    /// Whether all languages are at the address of the site, also those with a host of their own, as `serve` shows them.
    pub one_host: bool,
    /// Whether the output carries marks that show which line wrote which tag. Never published: a build with a mistake
    /// in a page renders that page once more to find the line.
    pub trace: Option<Trace>,
}

/// The options that decide which content is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visibility {
    /// The day of the build, in UTC.
    pub today: jiff::civil::Date,
    /// Whether drafts and what is still to come are shown.
    pub drafts: bool,
}

/// The options that replace settings of the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Destination<'p> {
    /// The address to publish at.
    pub base_url: Option<&'p str>,
    /// The host to build for.
    pub host: Option<Host>,
    /// Whether search engines must not see the site.
    pub staging: bool,
    /// Whether all languages are at one address. A site that is built for another one than its own, such as that of a preview,
    /// has no other hosts there.
    pub one_host: bool,
}

/// Writes and reads the marks of a traced build.
///
/// A mark begins and ends with a digest of the sources. Content that contained it would have to contain its own digest, so
/// no content can imitate a mark.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Trace {
    token: std::sync::Arc<str>,
}

impl Trace {
    /// Marks for the pages of the sources with this digest.
    pub fn of(sources: &[u8]) -> Self {
        // A private-use character: no other text has it by chance.
        let token = sources.iter().fold(String::from('\u{e004}'), |token, byte| format!("{token}{byte:02x}"));
        Trace { token: token.into() }
    }

    /// Returns the mark of a place: a file and an offset in it.
    pub fn mark(&self, path: &str, offset: usize) -> String {
        format!("{0}{path}:{offset}{0}", self.token)
    }

    /// Splits a text into its parts between marks, each with the place that the mark before it has.
    pub fn parts<'t>(&self, text: &'t str) -> impl Iterator<Item = (Option<(&'t str, usize)>, &'t str)> {
        let mut marks = text.split(&*self.token);
        let first = marks.next().map(|text| (None, text));
        first.into_iter().chain(std::iter::from_fn(move || {
            let (mark, text) = (marks.next()?, marks.next()?);
            Some((mark.rsplit_once(':').and_then(|(path, offset)| Some((path, offset.parse().ok()?))), text))
        }))
    }
}

impl Profile {
    /// Returns the options of a result that holds on every day, for its key.
    pub fn of_any_day(&self) -> Profile {
        Profile { today: Profile::default().today, ..self.clone() }
    }

    /// Returns what decides which content is shown.
    pub fn visibility(&self) -> Visibility {
        Visibility { today: self.today, drafts: self.drafts }
    }

    /// Returns what replaces settings of the site.
    pub fn destination(&self) -> Destination<'_> {
        let base_url = self.base_url.as_deref();
        Destination { base_url, host: self.host, staging: self.staging, one_host: self.one_host || base_url.is_some() }
    }
}

impl Default for Profile {
    /// A production build without drafts, on the first day of the Unix epoch.
    fn default() -> Self {
        Profile {
            base_url: None,
            host: None,
            development: false,
            drafts: false,
            today: jiff::civil::date(1970, 1, 1),
            staging: false,
            one_host: false,
            trace: None,
        }
    }
}
