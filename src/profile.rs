//! What may differ between two builds of the same sources, and nothing else may.

/// Who serves the site. A host decides how headers and redirects are written down, and whether it sends any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Host {
    /// A host that nothing is known of, which is sent files and no instructions.
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
    /// GitHub Pages, which sends no header and no redirect that a site could choose.
    GithubPages,
}

impl Host {
    /// Every host in the order of the reference.
    pub const ALL: [Host; 7] =
        [Host::None, Host::Netlify, Host::CloudflarePages, Host::Vercel, Host::Nginx, Host::Caddy, Host::GithubPages];

    /// The name in `site.yaml` and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Host::None => "none",
            Host::Netlify => "netlify",
            Host::CloudflarePages => "cloudflare-pages",
            Host::Vercel => "vercel",
            Host::Nginx => "nginx",
            Host::Caddy => "caddy",
            Host::GithubPages => "github-pages",
        }
    }

    /// The name as people write it.
    pub fn title(self) -> &'static str {
        match self {
            Host::None => "no host",
            Host::Netlify => "Netlify",
            Host::CloudflarePages => "Cloudflare Pages",
            Host::Vercel => "Vercel",
            Host::Nginx => "nginx",
            Host::Caddy => "Caddy",
            Host::GithubPages => "GitHub Pages",
        }
    }

    /// The host of a name.
    pub fn of(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Whether a site can tell this host which headers to send and what to redirect.
    pub fn takes_rules(self) -> bool {
        !matches!(self, Host::None | Host::GithubPages)
    }

    /// Whether the host serves the output folder at the root of a domain, and nothing else. A site that lies below a path
    /// then has to lie in a folder of that name. nginx and Caddy are told where it lies, and GitHub Pages serves each
    /// project below its name.
    pub fn serves_at_root(self) -> bool {
        matches!(self, Host::Netlify | Host::CloudflarePages | Host::Vercel)
    }
}

/// The choices of one build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// Address to publish at, in place of `url` in `site.yaml`.
    pub base_url: Option<String>,
    /// Host to build for, in place of `settings.host` in `site.yaml`.
    pub host: Option<Host>,
    /// Whether islands are built with React's development build, which checks hydration and explains its errors.
    pub development: bool,
    /// Whether pages with `draft: true` are made too.
    pub drafts: bool,
    /// The day of the build, in UTC. `publish` and `expires` are compared with it.
    pub today: jiff::civil::Date,
    /// Whether the site is published where search engines must not see it.
    pub staging: bool,
    /// Whether what comes out carries marks that tell which line wrote which tag. Never published: a build that found a
    /// mistake in a page makes that page once more to find the line.
    pub trace: bool,
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
            trace: false,
        }
    }
}
