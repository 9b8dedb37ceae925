//! Caddy: a file to import in the site block, after `root`.
//!
//! A `route` keeps its directives in the order they are written in; outside of one Caddy sorts them. Paths of redirects
//! are regular expressions, since Caddy's matcher `path` ignores the case of `/About` and `/about`, and a redirect from
//! one to the other would be a loop (caddyserver.com/docs/caddyfile/matchers).

use super::server::Server;
use super::{CompiledRules, FOLDER, FOLDER_OF_HOST, MANIFEST, PRIVATE_FOLDERS, Rules, UNKNOWN_TYPES, home};

pub const CADDY: Server = Server { compile, special: "" };

fn compile(rules: &Rules) -> CompiledRules {
    let at = |path: &str| rules.inside(path);
    let matcher = if rules.base_path.is_empty() { String::new() } else { format!("{} ", quoted(&at("/*"))) };
    let mut text = format!(
        "# Made by sitegen from content/site.yaml, anew with every build.\n\
         # Inside the site block, after `root`:  import <the site's folder>/{FOLDER_OF_HOST}/Caddyfile\n\
         # Reload Caddy when it has changed.\n\n"
    );
    if !rules.base_path.is_empty() {
        text.push_str(&format!("redir {} {} 301\n", quoted(&rules.base_path), quoted(&at("/"))));
    }
    text.push_str(&format!("route {matcher}{{\n\tencode zstd gzip\n\theader {{\n"));
    for (name, value) in &rules.headers {
        text.push_str(&format!("\t\t{name} {}\n", quoted(value)));
    }
    text.push_str(&format!("\t\tCache-Control {}\n\t}}\n", quoted(&rules.pages)));
    // On its own: Caddy delays a block that removes a header until the response is written, and an error then goes out
    // without the complete block.
    text.push_str("\theader -Server\n");
    // A missing file must not be cached as long as existing ones.
    text.push_str(&format!(
        "\t@sitegen_hashed {{\n\t\tpath {}\n\t\tfile\n\t}}\n\theader @sitegen_hashed Cache-Control {}\n",
        quoted(&at(&format!("{FOLDER}/*"))),
        quoted(&rules.hashed)
    ));
    // A missing file must not get the type of an existing one.
    for (extension, media_type) in UNKNOWN_TYPES {
        let name = format!("@sitegen_{extension}");
        text.push_str(&format!("\t{name} {{\n\t\tpath *.{extension}\n\t\tfile\n\t}}\n"));
        text.push_str(&format!("\theader {name} Content-Type \"{media_type}\"\n"));
    }
    text.push_str(&home_page(rules));
    for (number, redirect) in rules.redirects.iter().enumerate() {
        let pattern = format!("^{}/?$", at(&redirect.from).replace('.', "\\."));
        let name = format!("@sitegen_redirect_{number}");
        let (path, fragment) =
            redirect.location.split_at(redirect.location.find('#').unwrap_or(redirect.location.len()));
        text.push_str(&format!("\t{name} path_regexp {pattern}\n"));
        // The visitor's query is kept, unless the target has one of its own.
        if !path.contains('?') {
            let with_query = format!("{name}_query");
            text.push_str(&format!(
                "\t{with_query} {{\n\t\tpath_regexp {pattern}\n\t\texpression `{{http.request.uri.query}} != \"\"`\n\t}}\n\
                 \tredir {with_query} \"{}?{{http.request.uri.query}}{}\" {}\n",
                escaped(path),
                escaped(fragment),
                redirect.status
            ));
        }
        text.push_str(&format!("\tredir {name} {} {}\n", quoted(&redirect.location), redirect.status));
    }
    for (number, gone) in rules.gone.iter().enumerate() {
        let pattern = format!("^{}/?$", at(gone).replace('.', "\\."));
        text.push_str(&format!(
            "\t@sitegen_gone_{number} path_regexp {pattern}\n\trespond @sitegen_gone_{number} 410\n"
        ));
    }
    let private = ["/404", "/404.html"].map(str::to_owned).into_iter();
    let of_languages = rules.not_found.iter().flat_map(|folder| ["", ".html"].map(|end| format!("{folder}/404{end}")));
    let folders = PRIVATE_FOLDERS.iter().flat_map(|folder| ["", "/*"].map(|end| format!("/{folder}{end}")));
    let private = private.chain(of_languages).chain([format!("/{MANIFEST}")]).chain(folders);
    let private: Vec<String> = private.map(|path| quoted(&at(&path))).collect();
    text.push_str(&format!("\t@sitegen_private path {}\n\terror @sitegen_private 404\n", private.join(" ")));
    text.push_str("\ttry_files {path}.html {path} {path}/index.html\n\tfile_server\n}\n");
    text.push_str("handle_errors {\n");
    for (number, folder) in rules.not_found.iter().enumerate() {
        text.push_str(&format!(
            "\t@sitegen_missing_{number} {{\n\t\texpression `{{http.error.status_code}} == 404`\n\t\tpath {}\n\t}}\n\
             \thandle @sitegen_missing_{number} {{\n\t\theader -Server\n\t\trewrite * {}\n\t\tfile_server\n\t}}\n",
            quoted(&at(&format!("{folder}/*"))),
            quoted(&at(&format!("{folder}/404.html")))
        ));
    }
    text.push_str(&format!(
        "\t@sitegen_missing expression `{{http.error.status_code}} == 404`\n\
         \thandle @sitegen_missing {{\n\t\theader -Server\n\t\trewrite * {}\n\t\tfile_server\n\t}}\n}}\n",
        quoted(&at("/404.html"))
    ));
    CompiledRules { files: vec![(format!("{FOLDER_OF_HOST}/Caddyfile"), text)], ..CompiledRules::default() }
}

/// Returns the rules for the address of the site, if it leads to the home page of a language.
fn home_page(rules: &Rules) -> String {
    let Some(first) = rules.homes.first() else { return String::new() };
    let mut text = format!(
        "\tmap {{http.request.header.Accept-Language}} {{sitegen_language}} {{\n\t\t`~(?i){}` \"${{1}}\"\n\t\tdefault \"\"\n\t}}\n\
         \tmap {{sitegen_language}} {{sitegen_home}} {{\n",
        home::pattern(&rules.homes)
    );
    for (range, home) in home::ranges(&rules.homes) {
        text.push_str(&format!("\t\t`~(?i)^{range}$` {}\n", quoted(&home.location)));
    }
    text.push_str(&format!(
        "\t\tdefault {}\n\t}}\n\t@sitegen_home path_regexp ^{root}$\n\
         \theader @sitegen_home Cache-Control \"private, no-cache\"\n\theader @sitegen_home +Vary Accept-Language\n\
         \t@sitegen_home_query {{\n\t\tpath_regexp ^{root}$\n\t\texpression `{{http.request.uri.query}} != \"\"`\n\t}}\n\
         \tredir @sitegen_home_query \"{{sitegen_home}}?{{http.request.uri.query}}\" 302\n\
         \tredir @sitegen_home {{sitegen_home}} 302\n",
        quoted(&first.location),
        root = rules.inside("/").replace('.', "\\."),
    ));
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Text between double quotes, without a placeholder in it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('{', "\\{").replace('}', "\\}")
}
