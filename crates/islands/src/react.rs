//! All that the engine knows of how React works. The rest is in the runtime of islands, whose functions the generated entries call.

use sitegen_core::tools::Tools;

/// The package that renders components to HTML.
pub const SERVER: &str = "react-dom";

/// The comment that stands for a `<Suspense>` that waits (React's `pushStartClientRenderedSuspenseBoundary`).
pub const WAITING: &str = "<!--$!-->";

/// Returns esbuild's options for a bundle of components for browsers.
pub fn for_browsers(is_development: bool) -> Vec<String> {
    let of_mode = match is_development {
        true => "--jsx-dev",
        // Drops the code for the developer tools, a quarter of a kilobyte that no visitor uses.
        false => "--define:__REACT_DEVTOOLS_GLOBAL_HOOK__=undefined",
    };
    vec![JSX.to_owned(), of_mode.to_owned()]
}

/// Returns esbuild's options for a bundle of components that is prerendered. `environment` is that of Node, `development`
/// or `production`.
///
/// The entry that `react-dom/server` gives browsers also streams, and wants MessageChannel and TextEncoder for it. This
/// one only renders to a string: half the bytes, and it runs in a bare engine. A package that stands in for React has no
/// such file, and its own entry is taken.
pub fn for_prerendering(tools: &dyn Tools, environment: &str) -> Vec<String> {
    let file =
        tools.package(SERVER).map(|folder| format!("{folder}/cjs/react-dom-server-legacy.browser.{environment}.js"));
    let file = file.filter(|file| tools.package_digest(file).is_some());
    let alias = file.map(|file| format!("--alias:react-dom/server={file}"));
    std::iter::once(JSX.to_owned()).chain(alias).collect()
}

/// Elements are made by functions that esbuild imports by itself.
const JSX: &str = "--jsx=automatic";

/// A component that is `async`, or that `use`s what never comes, with nothing around it that would be shown meanwhile.
const SUSPENDED: &str = "it waits for something that never arrives while prerendering; components of islands cannot be \
                         `async`, and what calls `use` or is `lazy` needs `<Suspense>` around it";

/// Returns an error of React in words. The production build has numbers for its errors; these are the ones that a component
/// can cause while it renders (react.dev/errors).
pub fn error_in_words(message: &str) -> Option<String> {
    if message.starts_with("A component suspended while responding to synchronous input") {
        return Some(SUSPENDED.to_owned());
    }
    let number = message.strip_prefix("Minified React error #")?.split(';').next()?;
    let words = match number {
        "31" => "it renders an object; only text, numbers and elements can be rendered",
        "130" | "65" => "it renders something that is not a component; is an import or an export missing?",
        "152" => "it returns nothing; write `return null` to render nothing",
        "200" | "257" | "299" => {
            "it renders a portal, which needs a page; render it after an effect has run, or call the island with \
             `hydrate=\"only\"`"
        }
        "300" | "310" | "321" => "it calls a hook where hooks are not allowed: outside a component or in a condition",
        "301" => "it changes its state on every render, in an endless loop",
        "426" => SUSPENDED,
        number => return Some(format!("React's error {number}, see https://react.dev/errors/{number}")),
    };
    Some(words.to_owned())
}
