//! nginx: a file to include in the server block, after `root`.
//!
//! All headers are set at the server, since a location that adds one of its own inherits none (nginx.org,
//! ngx_http_headers_module, `add_header`). Values that differ between files are variables, which nginx evaluates again
//! when it changes to another location, so that a missing file of a folder is not cached as long as the others of that
//! folder.

use super::server::Server;
use super::{CompiledRules, FOLDER, FOLDER_OF_HOST, MANIFEST, PRIVATE_FOLDERS, Rules, UNKNOWN_TYPES, home};

pub const NGINX: Server = Server { compile, special: "$" };

fn compile(rules: &Rules) -> CompiledRules {
    let at = |path: &str| rules.inside(path);
    let mut text = format!(
        "# Made by sitegen from content/site.yaml, anew with every build.\n\
         # Inside the server block:  include <the site's folder>/{FOLDER_OF_HOST}/nginx.conf;\n\
         # It takes the place of `location {}` there. Reload nginx when it has changed.\n\n",
        at("/")
    );
    text.push_str(&format!("set $sitegen_caching {};\n", quoted(&rules.pages)));
    for (name, value) in &rules.headers {
        text.push_str(&format!("add_header {name} {} always;\n", quoted(value)));
    }
    text.push_str("add_header Cache-Control $sitegen_caching always;\n");
    if !rules.homes.is_empty() {
        // A header without a value is not sent.
        text.push_str("set $sitegen_vary \"\";\nadd_header Vary $sitegen_vary always;\n");
    }
    text.push('\n');
    if !rules.base_path.is_empty() {
        let (from, to) = (quoted(&rules.base_path), quoted(&at("/")));
        text.push_str(&format!("location = {from} {{ absolute_redirect off; return 301 {to}; }}\n"));
    }
    text.push_str(&format!("location {} {{\n", quoted(&at("/"))));
    text.push_str(
        "    server_tokens off;\n    \
             # Behind another server, nginx does not know the scheme and the port that visitors see.\n    \
             absolute_redirect off;\n    \
             charset utf-8;\n    \
             gzip on;\n    \
             gzip_vary on;\n    \
             gzip_comp_level 6;\n    \
             gzip_min_length 256;\n    \
             gzip_types text/css text/plain text/javascript application/javascript application/json application/xml \
             text/xml image/svg+xml application/manifest+json;\n",
    );
    let not_found = at("/404.html");
    text.push_str(&format!(
        "    error_page 404 {};\n    try_files $uri.html $uri $uri/index.html =404;\n\n",
        quoted(&not_found)
    ));
    text.push_str(&format!("    location = {} {{ internal; }}\n", quoted(&not_found)));
    for folder in &rules.not_found {
        let not_found = quoted(&at(&format!("{folder}/404.html")));
        text.push_str(&format!(
            "    location {} {{\n        error_page 404 {not_found};\n        try_files $uri.html $uri $uri/index.html =404;\n    \
             }}\n    location = {not_found} {{ internal; }}\n    location = {} {{ return 404; }}\n",
            quoted(&at(&format!("{folder}/"))),
            quoted(&at(&format!("{folder}/404"))),
        ));
    }
    text.push_str(&format!(
        "    location ^~ {} {{\n        set $sitegen_caching {};\n        try_files $uri =404;\n    }}\n",
        quoted(&at(&format!("{FOLDER}/"))),
        quoted(&rules.hashed)
    ));
    text.push_str(&home(rules));
    text.push_str("    # Its list of media types lacks these.\n");
    for (extension, media_type) in UNKNOWN_TYPES {
        text.push_str(&format!("    location ~ \\.{extension}$ {{ default_type {media_type}; }}\n"));
    }
    text.push_str("    # What is not for visitors.\n");
    for private in ["404", MANIFEST].iter().chain(&PRIVATE_FOLDERS) {
        text.push_str(&format!("    location = {} {{ return 404; }}\n", quoted(&at(&format!("/{private}")))));
    }
    for folder in PRIVATE_FOLDERS {
        text.push_str(&format!("    location ^~ {} {{ return 404; }}\n", quoted(&at(&format!("/{folder}/")))));
    }
    text.push_str(&moved(rules));
    text.push_str("}\n");
    CompiledRules { files: vec![(format!("{FOLDER_OF_HOST}/nginx.conf"), text)], ..CompiledRules::default() }
}

/// Returns the locations of addresses that are redirected or gone, each with and without a slash at its end.
fn moved(rules: &Rules) -> String {
    let mut text = String::new();
    let mut add = |path: &str, answer: &str| {
        for slash in ["", "/"] {
            let path = quoted(&rules.inside(&format!("{path}{slash}")));
            text.push_str(&format!("    location = {path} {{ return {answer}; }}\n"));
        }
    };
    for redirect in &rules.redirects {
        add(&redirect.from, &format!("{} {}", redirect.status, location(&redirect.location)));
    }
    rules.gone.iter().for_each(|gone| add(gone, "410"));
    text
}

/// Returns the location of the address of the site, if it leads to the home page of a language.
fn home(rules: &Rules) -> String {
    let Some(first) = rules.homes.first() else { return String::new() };
    // `return` and `set` are what `if` may have in a location (nginx.org, ngx_http_rewrite_module, `if`).
    let mut text = format!(
        "    location = {} {{\n        set $sitegen_caching \"private, no-cache\";\n        set $sitegen_vary Accept-Language;\n        \
         set $sitegen_language \"\";\n        if ($http_accept_language ~* {}) {{ set $sitegen_language $1; }}\n",
        quoted(&rules.inside("/")),
        quoted(&home::pattern(&rules.homes))
    );
    for (range, home) in home::ranges(&rules.homes) {
        let location = location(&home.location);
        text.push_str(&format!("        if ($sitegen_language ~* \"^{range}$\") {{ return 302 {location}; }}\n"));
    }
    text.push_str(&format!("        return 302 {};\n    }}\n", location(&first.location)));
    text
}

/// Returns the target with the visitor's query, unless it has one of its own.
fn location(target: &str) -> String {
    let (path, fragment) = target.split_at(target.find('#').unwrap_or(target.len()));
    let query = if path.contains('?') { "" } else { "$is_args$args" };
    format!("\"{}{query}{}\"", escaped(path), escaped(fragment))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// Settings with `$` are refused and addresses have `%24` for it, since nginx has no escape for it.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
