//! The text of every problem: its stable code, the message, the one-line fix beside the caret and a note below.

use super::{HYDRATIONS, Literal, Lost, NAMED, Problem, TextLacks, nearest};
use crate::paths::{Format, MANIFEST, PUBLIC, SourcePath};
use Problem::*;
use jiff::civil::Date;

/// The stable code printed in brackets. Scripts may rely on it.
pub fn code(problem: &Problem) -> &'static str {
    match problem {
        YamlSyntax { .. } => "yaml-syntax",
        YamlQuotes { .. } => "yaml-quotes",
        YamlTab => "yaml-tab",
        DuplicateKey { .. } => "duplicate-key",
        YamlKey => "yaml-key",
        YamlTooLarge { .. } => "yaml-too-large",
        YamlAmbiguous { .. } => "yaml-ambiguous",
        FrontMatterUnclosed => "front-matter-unclosed",
        FrontMatterMissing => "front-matter-missing",
        NotUtf8 => "not-utf8",
        NotAMapping { .. } => "not-a-mapping",
        UnknownKey { .. } => "unknown-key",
        MissingKey { .. } => "missing-key",
        EmptyKey { .. } => "empty-key",
        ForbiddenKey { .. } => "forbidden-key",
        WrongType { .. } => "wrong-type",
        NotAChoice { .. } => "not-a-choice",
        Length { .. } => "wrong-length",
        Range { .. } => "out-of-range",
        BadFormat { .. } => "bad-format",
        BadPattern { .. } => "bad-pattern",
        SchemaRule { .. } => "schema-rule",
        BadSchema { .. } => "bad-schema",
        UnknownReference { .. } => "unknown-reference",
        BadReference { .. } | NestedReference { .. } | NoText { .. } => "bad-reference",
        UnclosedReference | UnopenedReference | ReferenceInTag => "bad-reference",
        LostText(_) => "lost-text",
        CodeLanguage { .. } => "code-language",
        CodeOption { .. } => "code-option",
        UnlinkedPage { .. } => "unlinked-page",
        ComponentCall { .. } => "component-call",
        UnknownComponent { .. } => "unknown-component",
        ComponentArgument { .. } => "component-argument",
        RawHtml { .. } => "raw-html",
        UnsafeAddress { .. } => "unsafe-address",
        PathVariable { .. } | VariableWithoutForEach { .. } | ForEachWithoutVariable { .. } => "path-variable",
        UnknownCollection { .. } => "unknown-collection",
        AddressKey { .. } => "address-key",
        GoneAddress { .. } => "gone-address",
        GoneSection { .. } => "gone-section",
        FeedEntry { .. } | FeedWithoutPages { .. } | FeedName { .. } | UnlinkedFeed { .. } => "feed",
        EarlyDate { .. } => "early-date",
        EmptyList { .. } => "empty-list",
        TermSpelling { .. } | LonelyTerm { .. } => "term-spelling",
        DuplicateRoute { .. } | TermAddress { .. } => "duplicate-route",
        DuplicateEntry { .. } => "duplicate-entry",
        BadRoute { .. } => "bad-route",
        ReservedRoute { .. } => "reserved-route",
        UnexpectedFile { .. } => "unexpected-file",
        BadBaseUrl { .. } => "bad-base-url",
        HeaderName { .. } => "header-name",
        ReservedHeader { .. } => "reserved-header",
        FeatureName { .. } => "feature-name",
        Preload { .. } => "hsts-preload",
        HostLimit { .. } => "host-limit",
        DuplicateRedirect { .. } => "duplicate-redirect",
        RedirectTaken { .. } | GoneTaken { .. } => "redirect-taken",
        RedirectLoop { .. } => "redirect-loop",
        RedirectChain { .. } => "redirect-chain",
        TemplateSyntax { .. } | TemplateUnclosed { .. } => "template-syntax",
        TemplateFailed { .. } => "template-failed",
        NeededKey { .. } => "key-needed-by-template",
        SortKind { .. } => "sort-kind",
        UnknownEntry { .. } => "unknown-entry",
        UnknownTemplate { .. } => "unknown-template",
        FileName { .. } => "file-name",
        MalformedFile { .. } => "malformed-file",
        UnknownAsset { .. } => "unknown-asset",
        BadPicture { .. } => "bad-picture",
        BadPictureSetting { .. } => "bad-picture-setting",
        SmallPicture { .. } => "small-picture",
        SocialPicture { .. } => "social-picture",
        PicturePosition { .. } => "picture-position",
        UnsizedImage => "unsized-image",
        UnsafeSvg { .. } => "unsafe-svg",
        ActiveFile { .. } => "active-file",
        PublicScript => "public-script",
        JobWithoutPlace { .. } => "job-without-place",
        ActiveHtml { .. } => "active-html",
        CssSyntax { .. } => "css-syntax",
        UnknownProperty { .. } => "unknown-property",
        UnknownAtRule { .. } => "unknown-at-rule",
        UnknownPseudo { .. } => "unknown-pseudo",
        CssValue { .. } => "css-value",
        UnknownCustomProperty { .. } => "unknown-custom-property",
        Bundle { .. } => "bundle",
        MissingImport { .. } => "missing-import",
        OutsideImport { .. } => "outside-import",
        IslandFile { .. } => "island-file",
        MissingPackage { .. } | NodeModule { .. } => "missing-package",
        NoComponent => "no-component",
        UnknownIsland { .. } => "unknown-island",
        IslandProps { .. } => "island-props",
        UnknownHydration { .. } => "unknown-hydration",
        PrerenderFailed { .. } => "prerender-failed",
        PrerenderVaries { .. } => "prerender-varies",
        IslandName { .. } => "island-name",
        Markup { .. } | CallInParagraph { .. } => "markup",
        Unclosed { .. } => "unclosed-tag",
        StrayEnd { .. } => "stray-end-tag",
        InlineStyle { .. } => "inline-style",
        EventHandler { .. } => "event-handler",
        FormTarget { .. } | FormMethod => "form-target",
        UndeclaredConnection { .. } => "undeclared-connection",
        UnknownConnection { .. } => "unknown-connection",
        ConnectionName { .. } => "connection-name",
        UnusedConnection { .. } => "unused-connection",
        UncheckedScript { .. } => "unchecked-script",
        ScriptIntegrity { .. } => "script-integrity",
        FrameAttribute { .. } | FrameFeature { .. } => "frame",
        Blocked { .. } => "blocked-by-policy",
        UnknownSlot { .. } => "unknown-slot",
        Secret { .. } | SecretInPackage { .. } => "secret",
        HeadElement { .. } => "head-element",
        BaseElement => "base-element",
        MixedContent { .. } => "mixed-content",
        MissingAlt { .. } | PictureWithoutText { .. } => "missing-alt",
        MissingLabel { .. } => "missing-label",
        DuplicateId { .. } => "duplicate-id",
        UnknownId { .. } => "unknown-id",
        HeadingSkip { .. } => "heading-skip",
        MissingHead => "missing-head",
        MissingLang => "missing-lang",
        OtherLanguage { .. } => "other-language",
        MissingTitle => "missing-title",
        EmptyText { .. } => "empty-text",
        Repeated { .. } => "repeated-element",
        BrokenLink { .. } => "broken-link",
        BrokenSection { .. } => "broken-section",
        BrokenFile { .. } => "broken-file",
        OutsideBase { .. } => "outside-base",
        RelativeLink { .. } => "relative-link",
        MissingDefinition { .. } => "missing-definition",
        BadAddress { .. } | BadEscape { .. } => "bad-address",
        OverBudget { .. } => "over-budget",
        Placeholder { .. } => "placeholder",
        MarkdownLink => "markdown-link",
        MarkdownLiteral(_) => "markdown-literal",
        YamlComment { .. } => "yaml-comment",
        UnusedKey { .. } => "unused-key",
        UnusedFile { .. } => "unused-file",
        UnusedCollection { .. } => "unused-collection",
        LetterCase { .. } | LetterForm | OutputCase { .. } => "letter-case",
        Unreadable { .. } => "unreadable",
        UnusedSchema { .. } => "unused-schema",
        ReservedKey { .. } => "reserved-key",
        DatesReversed { .. } => "dates-reversed",
        MoreInFile { .. } => "more-in-file",
        OutsideLink => "outside-link",
        Hidden { .. } => "hidden-page",
        DuplicateOutput { .. } | FileAndFolder { .. } | FolderIsFile { .. } => "duplicate-output",
        HostFile { .. } => "host-file",
        LongName { .. } => "long-name",
        NoProject { .. } => "no-project",
        Io { .. } => "io",
        Tool { .. } => "tool",
        ForeignOutput { .. } => "foreign-output",
        OutputDiffers { .. } => "output-differs",
        Saved { code, .. } => code,
    }
}

/// What is wrong, in one sentence.
pub fn message(problem: &Problem) -> String {
    match problem {
        YamlSyntax { detail } => format!("this is not valid YAML: {detail}"),
        YamlQuotes { reason, .. } => format!("{reason} must be in quotes"),
        YamlTab => "YAML must be indented with spaces, but this is a tab".into(),
        DuplicateKey { key } => format!("the key `{key}` is set a second time here"),
        YamlKey => "a key must be text".into(),
        YamlTooLarge { detail } => format!("this YAML is too large: {detail}"),
        YamlAmbiguous { written, read_as } => format!("YAML reads `{written}` as {read_as}"),
        FrontMatterUnclosed => "the front matter is never closed".into(),
        FrontMatterMissing => "this Markdown file has no front matter".into(),
        NotUtf8 => "this file is not UTF-8 text".into(),
        NotAMapping { found } => format!("expected `key: value` lines, found {found}"),
        UnknownKey { key, .. } => format!("unknown key `{key}`"),
        MissingKey { key, .. } => format!("the key `{key}` is missing"),
        EmptyKey { key } => format!("the key `{key}` is empty"),
        ForbiddenKey { key, .. } => format!("the key `{key}` is not allowed here"),
        WrongType { expected, found, .. } => format!("expected {expected}, found {found}"),
        NotAChoice { value, .. } => format!("`{value}` is not one of the choices"),
        Length { found, unit, limit } => format!("expected {limit} {}, found {found}", singular(limit, unit)),
        Range { value, limit } => format!("`{value}` is out of range, expected {limit}"),
        BadFormat { value, format } => format!("`{value}` is not {}", format_name(format)),
        BadPattern { value, .. } => format!("`{value}` does not have the expected form"),
        SchemaRule { detail } => format!("the schema does not allow this: {detail}"),
        BadSchema { detail } => format!("this is not a valid JSON Schema: {detail}"),
        UnknownReference { reference, part, .. } => {
            format!("`{{{{ {reference} }}}}` refers to `{part}`, which does not exist")
        }
        BadReference { reference } => format!("`{{{{ {reference} }}}}` is not a valid reference"),
        UnclosedReference => "`{{` is not closed".into(),
        UnopenedReference => "`}}` has no `{{` before it".into(),
        NoText { reference, found } => {
            format!("`{{{{ {reference} }}}}` is {found}, but only text or a number can go here")
        }
        ReferenceInTag => "a reference in an HTML tag must be in quotes".into(),
        // Warnings are printed without their fix.
        CodeLanguage { language, nearest: Some(nearest) } => {
            format!("unknown language `{language}`; did you mean `{nearest}`?")
        }
        CodeLanguage { language, nearest: None } => {
            format!("unknown language `{language}`; write `text` if it is not code")
        }
        CodeOption { detail, fix: Some(fix) } => format!("{detail}; {fix}"),
        CodeOption { detail, fix: None } => detail.clone(),
        LostText(Lost::BesideComment) => {
            "this is on the same line as a comment, so it would be missing from the page".into()
        }
        LostText(Lost::InOpenComment) => "this comment is never closed, so it hides everything after it".into(),
        LostText(Lost::UnusedFootnote { label }) => {
            format!("nothing refers to the footnote `[^{label}]`, so it would be missing from the page")
        }
        LostText(Lost::UnusedDefinition { label }) => {
            format!("this line defines the link `[{label}]`, which nothing uses, so it is missing from the page")
        }
        LostText(Lost::RepeatedFootnote { label }) => {
            format!("the footnote `[^{label}]` is already defined, so this one would be missing from the page")
        }
        LostText(Lost::ExtraCell) => "the table has no column for this, so it would be missing from the page".into(),
        FeedName { old } => {
            format!(
                "the page of this entry moved, so feed readers will show it as new; set `feed_id: {old}` to prevent that"
            )
        }
        UnlinkedFeed { address } => format!("no page links to the feed `{address}`, so feed readers cannot find it"),
        UnlinkedPage { route } => format!("no page links to this entry's page, `{route}`"),
        ComponentCall { detail } => format!("the component cannot be inserted: {detail}"),
        UnknownComponent { name, .. } => format!("there is no component `{name}`"),
        ComponentArgument { component, detail } => format!("the component `{component}` {detail}"),
        RawHtml { html } => format!("HTML in Markdown is not allowed here: `{html}`"),
        UnsafeAddress { address } => {
            format!("the address `{address}` is not allowed: it could run a script or open a program")
        }
        PathVariable { name, .. } => format!("the variables in the path `{name}` are not valid"),
        VariableWithoutForEach { name } => {
            format!("the path `{name}` has a variable, but its file has no `for_each`")
        }
        ForEachWithoutVariable { .. } => "all pages made from this file would have the same address".into(),
        UnknownCollection { name, .. } => format!("there is no collection `{name}`"),
        AddressKey { key, found: None } => format!("the address of this entry needs the key `{key}`, which is missing"),
        AddressKey { key, found: Some(_) } if key == "date" => {
            "the address of this entry needs a date, but this is not one".into()
        }
        AddressKey { key, found: Some(found) } => {
            format!("the address of this entry needs the key `{key}`, but {found} cannot be part of an address")
        }
        GoneSection { address, sections, .. } => {
            let named: Vec<String> = sections.iter().map(|section| format!("#{section}")).collect();
            let headings = if named.len() == 1 { "heading" } else { "headings" };
            let first = sections.first().map_or("", String::as_str);
            let fix = format!("to keep an id, write it after the heading: `{{#{first}}}`");
            format!("`{address}` has lost the {headings} {} since it was published; {fix}", list(&named))
        }
        GoneAddress { address, .. } => format!("`{address}` was published before, but no longer exists"),
        FeedEntry { detail, .. } => format!("this cannot be in a feed: {detail}"),
        FeedWithoutPages { collection } => {
            format!("feed items link to pages, but the entries of `{collection}` have no pages")
        }
        EarlyDate { date } => format!("the date {date} is in the future, but the entry is already shown"),
        EmptyList { collection } => format!("`{collection}` has nothing to list here"),
        TermSpelling { written, usual } => format!("`{written}` is the same term as `{usual}`, spelled differently"),
        LonelyTerm { name, similar, others: 1 } => {
            format!("the terms `{name}` and `{similar}` are similar, and each is used only once")
        }
        LonelyTerm { name, similar, .. } => format!("the term `{name}` is used once; did you mean `{similar}`?"),
        TermAddress { name, other, slug } => {
            format!("the terms `{name}` and `{other}` would have the same address, `{slug}`")
        }
        DuplicateRoute { route, other } => format!("the route `{route}` is already taken by {other}"),
        DuplicateEntry { slug, other } => format!("the entry `{slug}` already exists in {other}"),
        BadRoute { route } => format!("not every host can serve the route `{route}`"),
        ReservedRoute { route } => {
            format!("a page cannot have the address `{route}`: `/assets` is reserved for published assets and scripts")
        }
        UnexpectedFile { .. } => "this file does not belong here".into(),
        BadBaseUrl { value } => format!("`{value}` is not a valid base URL"),
        HeaderName { name } => format!("`{name}` is not a valid header name"),
        ReservedHeader { name, setting: Some(_) } => format!("the header `{name}` has its own setting"),
        ReservedHeader { name, setting: None } => format!("hosts set the header `{name}` themselves"),
        FeatureName { name } => format!("`{name}` is not the name of a browser feature"),
        Preload { lacks_subdomains: true } => {
            "browsers' preload list accepts a site only with all its subdomains".into()
        }
        Preload { lacks_subdomains: false } => {
            "browsers' preload list requires a `max_age` of at least one year".into()
        }
        HostLimit { host, what, found, limit, .. } => {
            format!("{host} allows at most {} {what}, but this site has {}", grouped(*limit), grouped(*found))
        }
        DuplicateRedirect { from } => format!("there are two rules for the path `{from}`"),
        GoneTaken { path, by } => format!("`{path}` is listed in `gone`, but {by} is there"),
        RedirectTaken { from, by } => format!("`{from}` cannot be redirected: {by} is there"),
        RedirectLoop { paths } => {
            let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
            format!("this redirect is a loop: {}", paths.join(" to "))
        }
        RedirectChain { to, .. } => format!("this redirect leads to `{to}`, which is itself redirected"),
        TemplateSyntax { detail } | TemplateFailed { detail } => detail.clone(),
        SortKind { key, most } => {
            format!("a list is sorted by `{key}`, but this value cannot be compared with the others, which are {most}")
        }
        NeededKey { key, by, .. } => format!("{by} reads the key `{key}`, which is missing here"),
        UnknownEntry { name, collection, by, .. } => {
            format!("there is no entry `{name}` in `content/{collection}`, where {by} looks for it")
        }
        UnknownTemplate { name, .. } => format!("there is no template `{name}`"),
        FileName { route, template, made: Some(made) } => {
            format!("`{template}` makes a `.{made}` file, but the address of this page is `{route}`")
        }
        FileName { route, template, made: None } => {
            format!("`{template}` makes HTML, but the address of this page is `{route}`")
        }
        MalformedFile { format, detail, line } if line.is_empty() => format!("this is not valid {format}: {detail}"),
        MalformedFile { format, detail, line } => format!("this is not valid {format}: {detail}, in the line `{line}`"),
        UnknownAsset { path, nearest: Some(file) } if is_public(file) => {
            format!("there is no asset `{path}`: the file is in `content/public`, not in `content/assets`")
        }
        UnknownAsset { path, .. } => format!("there is no asset `{path}`"),
        BadPicture { path, detail, .. } => format!("`{path}` cannot be used as a picture: {detail}"),
        BadPictureSetting { detail } => detail.clone(),
        UnsizedImage => {
            "this `<img>` needs `width` and `height`: without them the page will shift when the image loads".to_owned()
        }
        PicturePosition { is_copied } => {
            let instead = if *is_copied { "show it with `picture(…)` or in Markdown, or " } else { "" };
            format!("this file contains GPS coordinates and is published unchanged: {instead}remove the location")
        }
        SocialPicture { template, detail, .. } => {
            format!("the link preview from `templates/{template}` cannot be generated: {detail}")
        }
        SmallPicture { shown, width } => {
            format!("this picture is shown up to {shown} pixels wide, but its largest file is only {width} pixels wide")
        }
        UnsafeSvg { detail, .. } => format!("this SVG is rejected: {detail}"),
        ActiveFile { extension } if extension == "svgz" => "a compressed SVG cannot be checked".into(),
        ActiveFile { extension } => format!("browsers may run code in a `.{extension}` file, so it cannot be an asset"),
        JobWithoutPlace { title } => {
            format!(
                "search engines will not list the job `{title}`: it needs a place of work or, for remote work, the \
                 countries where applicants may live"
            )
        }
        PublicScript => "this page runs scripts and is published unchanged, without a security policy".into(),
        ActiveHtml { part } => format!("HTML in content must not contain {part}"),
        CssSyntax { detail, .. } | CssValue { detail, .. } | Bundle { detail } => detail.clone(),
        UnknownProperty { name, .. } => format!("no browser supports the property `{name}`"),
        UnknownAtRule { name, .. } => format!("no browser supports the rule `@{name}`"),
        UnknownPseudo { name, .. } => format!("no browser supports the pseudo-class or pseudo-element `{name}`"),
        UnknownCustomProperty { name, .. } => format!("`{name}` is never defined"),
        MissingImport { path, .. } => format!("there is no file `{path}`"),
        OutsideImport { path } => format!("`{path}` cannot be imported here"),
        IslandFile { written: Some(written) } => format!("`{written}` is not a file that an island can publish"),
        IslandFile { written: None } => "the build cannot determine which file this address refers to".into(),
        MissingPackage { name, .. } => format!("the package `{name}` is not installed"),
        NodeModule { name } => format!("`{name}` is a Node.js module, which browsers do not have"),
        NoComponent => "this file exports no component".into(),
        UnknownIsland { name, .. } => format!("there is no island `{name}`"),
        IslandProps { component, detail, .. } => format!("invalid props for the island `{component}`: {detail}"),
        UnknownHydration { value } => format!("`{value}` is not a valid value of `hydrate`"),
        PrerenderFailed { component, detail } => format!("the island `{component}` failed to render: {detail}"),
        PrerenderVaries { component, what, one, other, .. } => {
            let shown = |piece: &str| if piece.is_empty() { "nothing".to_owned() } else { format!("`{piece}`") };
            let (one, other) = (shown(one), shown(other));
            format!(
                "the island `{component}` does not render the same for every visitor: it renders {one} for one and {other} for \
                 another, because of `{what}`"
            )
        }
        IslandName { name } => format!("`{name}` is not a valid island name"),
        Markup { detail } => detail.clone(),
        CallInParagraph { component } => {
            format!("the component `{component}` renders an element that cannot be inside a paragraph")
        }
        Unclosed { element } => format!("the tag `<{element}>` is never closed"),
        StrayEnd { element } => format!("`</{element}>` has no start tag"),
        InlineStyle { element } => format!("`<{element}>` has a `style` attribute, which browsers ignore here"),
        EventHandler { attribute } => format!("browsers ignore the attribute `{attribute}` here"),
        FormTarget { attribute, .. } => {
            format!("`{attribute}` sends the form to an address for which `site.yaml` declares no connection")
        }
        Secret { kind, start } if kind == "a private key" => format!("this looks like a private key: `{start}…`"),
        Secret { kind, start } if kind.starts_with('`') => {
            format!("the value of {kind} looks like a secret: `{start}…`")
        }
        Secret { kind, start } => format!("this looks like a secret key for {kind}: `{start}…`"),
        SecretInPackage { kind, start } => {
            format!("a package that this island imports contains what looks like a secret key for {kind}: `{start}…`")
        }
        UnknownSlot { component, slot } => format!("the island `{component}` renders no slot `{slot}`"),
        UndeclaredConnection { address, kind, .. } => {
            let used = match *kind {
                "script" => "loads a script from",
                "frame" => "embeds a page from",
                "image" => "loads an image from",
                "style" => "loads a stylesheet from",
                "font" => "loads a font from",
                "media" => "loads sound or video from",
                _ => "connects to",
            };
            format!("this page {used} `{address}`, but `site.yaml` declares no connection for it")
        }
        UnknownConnection { name, is_declared: true, .. } => {
            format!("the connection `{name}` is not declared for `fetch`")
        }
        UnknownConnection { name, .. } => format!("there is no connection `{name}`"),
        ConnectionName { name } => format!("`{name}` is not a valid connection name"),
        UnusedConnection { name, kind } => format!("no page uses the connection `{name}` for `{kind}`"),
        UncheckedScript { name } => {
            format!("whoever controls the host of `{name}` can change the scripts that run on this site")
        }
        ScriptIntegrity { address, attribute: "crossorigin" } => {
            format!("browsers cannot check the `integrity` of `{address}` without `crossorigin`")
        }
        ScriptIntegrity { address, .. } => {
            format!("the script `{address}` has no `integrity`: its host could replace it unnoticed")
        }
        FrameAttribute { attribute: "title" } => "this `<iframe>` has no `title` for screen readers".into(),
        FrameAttribute { attribute } => {
            format!("this `<iframe>` embeds another site but has no `{attribute}` attribute")
        }
        FrameFeature { feature } => format!("the connection of this frame does not allow the feature `{feature}`"),
        Blocked { name: "ping" } => "the page's security policy blocks the attribute `ping`".into(),
        Blocked { name: "iframe" } => {
            "the header `frame-ancestors 'none'` blocks frames of the site's own pages".into()
        }
        Blocked { name } => format!("the page's security policy blocks `<{name}>`"),
        FormMethod => "browsers would send this form, which the security policy forbids".into(),
        HeadElement { element, .. } => format!("`<{element}>` is in the body of the page, but belongs in its head"),
        BaseElement => "browsers ignore `<base>` here".into(),
        MixedContent { address } => format!("browsers refuse to load `{address}` into an HTTPS page"),
        MissingAlt { element } => format!("this `<{element}>` has no `alt` text"),
        PictureWithoutText { path } => format!(
            "the picture has no alt text: describe it between the brackets, or write `alt: \"\"` in `{path}.yaml` if it \
             is decorative"
        ),
        MissingLabel { field } if field.is_empty() => "this form field has no label".into(),
        MissingLabel { field } => format!("the form field `{field}` has no label"),
        DuplicateId { id, .. } => format!("the id `{id}` is used twice on this page"),
        UnknownId { attribute, id } => {
            format!("`{attribute}` refers to the id `{id}`, which does not exist on this page")
        }
        HeadingSkip { level, previous: 0 } => format!("the page's first heading is level {level}, not level 1"),
        HeadingSkip { level, previous } => format!("a level {level} heading follows a level {previous} heading"),
        MissingHead => "the page has no `<head>`".into(),
        MissingLang => "the page does not declare its language".into(),
        OtherLanguage { language, written } => {
            format!("the page's key `language` is `{language}`, but the `lang` of its `<html>` is `{written}`")
        }
        MissingTitle => "the page has no title".into(),
        EmptyText { element } => format!("{} has no text", thing(element)),
        Repeated { element } => format!("a page can have only one `<{element}>`, but this is another one"),
        BrokenLink { target, .. } => format!("the link `{target}` does not lead to any page of this site"),
        BrokenSection { target, page, .. } => {
            format!("the link `{target}` leads to a section that {page} does not have")
        }
        BrokenFile { target, .. } if is_source(target) => format!("no page is made from `{target}`"),
        BrokenFile { target, .. } => format!("the site has no file `{target}`"),
        OutsideBase { target, base_path } => {
            format!("`{target}` is outside the site, which is published under `{base_path}`")
        }
        RelativeLink { target, .. } => {
            format!(
                "the relative address `{target}` leads to another page when the address of this page ends with a slash"
            )
        }
        MissingDefinition { label } => format!("`[{label}]` is not defined in this file"),
        BadAddress { address } if address.is_empty() => "this link has no address".into(),
        BadAddress { address } => format!("`{address}` is not an address that browsers can open"),
        BadEscape { address } => {
            format!("the `%` in `{address}` does not begin a valid percent-encoding (two hex digits)")
        }
        OverBudget { what, size, limit, .. } => {
            format!("the page loads {} of {what}, but its budget is {}", kilobytes(*size), kilobytes(*limit))
        }
        Placeholder { name } => format!("`{name}` is a placeholder; replace it before launch"),
        MarkdownLink => "this looks like a link, but Markdown does not read it as one".into(),
        MarkdownLiteral(Literal::Heading) => "this is shown as text, not as a heading".into(),
        MarkdownLiteral(Literal::Table { columns, dashes }) if columns == dashes => {
            "this is shown as text, not as a table".into()
        }
        MarkdownLiteral(Literal::Table { columns, dashes }) => {
            format!(
                "this is shown as text, not as a table: the line above has {columns} columns, but this row has {dashes}"
            )
        }
        MarkdownLiteral(Literal::Bold) => "this `**` is shown as text and does not make anything bold".into(),
        YamlComment { .. } => "a `#` after a space starts a comment, so this is not part of the value".into(),
        UnusedKey { key, files: 1, .. } => format!("nothing reads the key `{key}`"),
        UnusedKey { key, files, .. } => format!("nothing reads the key `{key}`, which is set in {files} files"),
        UnusedFile { what } if matches!(what.as_str(), "template" | "component") => {
            format!("no page uses this {what}, so only its syntax is checked")
        }
        UnusedFile { what } if what == "asset" => "nothing uses this asset, so it is not published".into(),
        UnusedFile { what } => format!("nothing uses this {what}"),
        UnusedCollection { name, .. } => format!("no template or content uses the folder `{name}`"),
        LetterCase { other } => format!("this name differs from `{other}` only in letter case"),
        LetterForm => {
            "two files have this name, one with composed and one with decomposed accents (Unicode NFC and NFD)".into()
        }
        MoreInFile { reported } => format!("this file has more problems; the first {reported} are reported"),
        OutsideLink => "this symbolic link points outside the site's sources".into(),
        Hidden { target, reason } => format!("the link `{target}` leads to a page that is not published: {reason}"),
        DuplicateOutput { path, other } => match other {
            Some(other) => format!("this would be published as `{path}`, and so would {other}"),
            None => format!("two files would be published as `{path}`"),
        },
        OutputCase { path, taken, other } => {
            let other = other.as_ref().map_or(String::new(), |other| format!(" of {other}"));
            format!("this would be published as `{path}`, which differs from `{taken}`{other} only in letter case")
        }
        HostFile { path, host } => format!("a build for {host} generates `{path}` from `content/site.yaml`"),
        FolderIsFile { path, file, other } => {
            let other = other.as_ref().map_or(String::new(), |other| format!(": {other}"));
            format!("this would be published as `{path}`, but `{file}` is a file{other}")
        }
        LongName { path } => {
            let part = path.split('/').max_by_key(|part| part.len()).unwrap_or(path);
            format!("this needs a file name of {} bytes, but file systems allow 255", part.len())
        }
        FileAndFolder { path, other } => match other {
            Some(other) => format!("`{path}` would be both this file and a folder that {other} needs"),
            None => format!("`{path}` would be both this file and a folder"),
        },
        Unreadable { reason, .. } => format!("this cannot be read: {reason}"),
        UnusedSchema { .. } => "this schema matches no collection and no template".into(),
        ReservedKey { key } => format!("sitegen sets `{key}` itself, so this value would be lost"),
        DatesReversed { publish, expires } => format!("the last day, {expires}, is before the first, {publish}"),
        NestedReference { reference } => {
            format!("`{{{{ {reference} }}}}` refers to text that itself contains `{{{{ … }}}}`")
        }
        TemplateUnclosed { tag } => format!("`{{% {tag} %}}` is never closed"),
        NoProject { folder } => format!("{folder} is not a sitegen project: it has no content/site.yaml"),
        Io { action, path, detail } => format!("cannot {action} {path}: {}", without_number(detail)),
        Tool { program, detail } => format!("{program} failed: {detail}"),
        ForeignOutput { path, reason, files, more } => {
            let listed = match more {
                _ if files.is_empty() => String::new(),
                0 => format!(": {}", list(files)),
                more => format!(": `{}` and {more} more", files.join("`, `")),
            };
            format!("will not publish to {path}: {reason}{listed}")
        }
        OutputDiffers { how } => (*how).into(),
        Saved { words, .. } => words.message.clone(),
    }
}

/// The next step, in one line, if there is one.
pub fn label(problem: &Problem) -> Option<String> {
    Some(match problem {
        YamlSyntax { .. } | BadSchema { .. } | SchemaRule { .. } | Markup { .. } | Bundle { .. } => return None,
        TemplateSyntax { .. } | TemplateFailed { .. } | PrerenderFailed { .. } => return None,
        CssSyntax { fix, .. } => (*fix)?.into(),
        CssValue { fix, .. } => fix.clone()?,
        UnknownProperty { nearest: Some(nearest), .. }
        | UnknownAtRule { nearest: Some(nearest), .. }
        | UnknownPseudo { nearest: Some(nearest), .. }
        | UnknownCustomProperty { nearest: Some(nearest), .. }
        | MissingImport { nearest: Some(nearest), .. } => did_you_mean(nearest),
        UnknownProperty { .. } | UnknownAtRule { .. } | UnknownPseudo { .. } => {
            "remove it; browsers ignore it".into()
        }
        UnknownCustomProperty { name, .. } => format!("define it, or write `var({name}, …)` with a fallback"),
        SortKind { most: "dates", .. } => "write it as `2026-05-04`, or with a time as `2026-05-04 09:30 +0100`".into(),
        SortKind { .. } => "write a number without quotes or units".into(),
        NeededKey { key, nearest: Some(_), .. } => did_you_mean(key),
        NeededKey { key, .. } => format!("add `{key}: …`, or make the key optional in the template"),
        CodeLanguage { .. } | CodeOption { .. } => return None,
        UnknownEntry { nearest: Some(nearest), .. } => did_you_mean(nearest),
        UnknownEntry { name, collection, .. } => {
            format!("write the name of a file there without its extension, or add `content/{collection}/{name}.yaml`")
        }
        LostText(Lost::BesideComment) => "put the comment on its own line".into(),
        LostText(Lost::InOpenComment) => "write `-->` where it ends".into(),
        LostText(Lost::UnusedFootnote { label }) => format!("write `[^{label}]` where it belongs, or remove it"),
        LostText(Lost::UnusedDefinition { label }) => {
            format!("if it is text, write `\\[{label}]`; if it is a definition, remove it")
        }
        LostText(Lost::RepeatedFootnote { .. }) => "give it another label, or remove it".into(),
        LostText(Lost::ExtraCell) => "add a column to the first two lines of the table".into(),
        ReferenceInTag => "write it in quotes, like `href=\"{{ site.shop }}\"`".into(),
        MissingImport { .. } => "write a path relative to this file".into(),
        OutsideImport { path } if path.contains(':') || path.starts_with("//") => {
            "download it into the project; pages cannot load it from another host".into()
        }
        IslandFile { written: Some(written) } if written.starts_with('/') => {
            "write the address alone, without `new URL`, or a path that begins with a dot".into()
        }
        IslandFile { written: Some(_) } => {
            "an island can publish images, fonts, audio, videos and PDFs; `import` a script or JSON".into()
        }
        IslandFile { written: None } => {
            "write the path in quotes, such as `new URL(\"./loaf.png\", import.meta.url)`".into()
        }
        OutsideImport { .. } => "copy it next to this file, or install its package".into(),
        PrerenderVaries { text, .. } => {
            let elsewhere = "use it in an effect, which runs in the browser, or pass the value to the island as a prop; \
                             with `hydrate=\"only\"` the island renders only in the browser";
            text.as_ref().map_or(elsewhere.into(), |text| format!("{}. Otherwise {elsewhere}", for_text(text)))
        }
        IslandName { .. } => "rename the file; use letters from a to z, digits, `-`, `_` and `.`".into(),
        MissingPackage { name, nearest: Some(nearest) } => {
            format!("{} Otherwise run `npm install {name}`", did_you_mean(nearest))
        }
        MissingPackage { name, .. } => format!("run `npm install {name}`"),
        NodeModule { .. } => {
            "use a browser API, or prepare the data before the build and pass it to the island as a prop".into()
        }
        NoComponent => "write `export default function Name() { … }`".into(),
        DuplicateOutput { path, other: Some(_) } if path == MANIFEST => "rename it, or remove its key `generator`".into(),
        DuplicateOutput { path, .. } if path == MANIFEST => "rename yours, or build with `--no-manifest`".into(),
        Io { action: "publish to", path, detail } => return publishing_help(path, without_number(detail)),
        Io { .. } | Tool { .. } => return None,
        DuplicateOutput { .. } | OutputCase { .. } | FileAndFolder { .. } => "rename one of the two".into(),
        FolderIsFile { .. } => "choose another path, or rename the file".into(),
        LongName { .. } => "choose a shorter name".into(),
        HostFile { path, .. } => {
            let setting = if path == "_redirects" { "`redirects`" } else { "`settings.headers`" };
            format!("use {setting} instead, or set `settings.host: none` to publish your own file")
        }
        Unreadable { fix, .. } => (*fix).into(),
        UnusedSchema { nearest: Some(nearest) } => did_you_mean(&format!("{nearest}.schema.json")),
        UnusedSchema { nearest: None } => "name it after a folder of `content/` or a template, or remove it".into(),
        ReservedKey { .. } => "give the key another name".into(),
        DatesReversed { .. } => "write a day that is not before `publish`".into(),
        NestedReference { .. } => "refer to text without braces, or write the text here".into(),
        TemplateUnclosed { tag } => format!("add `{{% end{tag} %}}` where it ends"),
        NoProject { .. } => "run sitegen in the project's folder, pass the folder with `--root`, or create a project with \
                             `sitegen new FOLDER`"
            .into(),
        YamlQuotes { written, .. } if written.contains('"') || written.contains('\\') => {
            format!("write `'{}'`", written.replace('\'', "''"))
        }
        YamlQuotes { written, .. } => format!("write `\"{written}\"`"),
        YamlTab => "replace the tab with spaces".into(),
        DuplicateKey { .. } => "keep one of the two".into(),
        YamlKey => "put the key in quotes".into(),
        YamlTooLarge { .. } => "split the content over several files".into(),
        // `1.10` may be a price, `007` is none.
        YamlAmbiguous { written, read_as } => match read_as.strip_prefix("the number ").filter(|_| written.contains('.')) {
            Some(number) => format!("write `\"{written}\"`, in quotes, or `{number}` for the number"),
            None => format!("write `\"{written}\"`, in quotes"),
        },
        FrontMatterUnclosed => "add a line with `---` after the last key".into(),
        FrontMatterMissing => "begin the file with `---`, `title: …`, `---`".into(),
        NotUtf8 => "save the file as UTF-8".into(),
        NotAMapping { .. } => "write `key: value` lines".into(),
        UnknownKey { nearest: Some(nearest), .. } => did_you_mean(nearest),
        UnknownKey { known, schema, .. } => {
            let known = if known.is_empty() { String::new() } else { format!(", or use one of {}", list(known)) };
            let schema = schema.as_ref().map_or(String::new(), |schema| format!(", or add it to `{schema}`"));
            format!("remove it{known}{schema}")
        }
        MissingKey { key, .. } => format!("add `{key}: …`"),
        EmptyKey { .. } => "write a value".into(),
        ForbiddenKey { key, .. } => format!("remove `{key}`"),
        WrongType { fix: Some(fix), .. } => format!("write {fix}"),
        WrongType { expected, .. } => format!("write {expected}"),
        NotAChoice { nearest: Some(nearest), .. } => did_you_mean(nearest),
        NotAChoice { choices, .. } => format!("choose {}", list_or(choices)),
        Length { limit, unit, .. } => format!("write {limit} {}", singular(limit, unit)),
        Range { limit, .. } => format!("write a number that is {limit}"),
        BadFormat { value, format } if format == "date" => date_fix(value),
        BadFormat { format, .. } => format!("write it like {}", format_example(format)),
        BadPattern { purpose: Some(purpose), .. } => purpose.clone(),
        BadPattern { pattern, .. } => format!("write text that matches `{pattern}`"),
        UnknownReference { nearest: Some(nearest), .. } => did_you_mean(nearest),
        UnknownReference { .. } => "use a key that exists, or remove the braces".into(),
        BadReference { .. } => "write a path like `{{ site.email }}`".into(),
        UnknownComponent { nearest: Some(nearest), .. } => did_you_mean(nearest),
        UnknownComponent { name, .. } => format!("create `templates/components/{name}/{name}.html`"),
        FeedName { .. } => return None,
        UnlinkedFeed { .. } => "add `<link rel=\"alternate\" type=\"application/atom+xml\" \
                                href=\"{{ url(path=page.feed.atom) }}\">` to the `<head>` of the list's page"
            .into(),
        UnlinkedPage { .. } => "link to it from a page, or write `noindex: true` if it is meant to be unlisted".into(),
        ComponentCall { .. } | ComponentArgument { .. } => return None,
        UnopenedReference => "write `{{` before the path, or `\\}\\}` for literal braces".into(),
        UnclosedReference => "add `}}`, or write `\\{{` for literal braces".into(),
        NoText { .. } => "refer to a single value in it".into(),
        RawHtml { .. } => "use Markdown, or set `raw_html: true` in the front matter".into(),
        UnsafeAddress { .. } => "link to a page, an `https:` address or `mailto:`".into(),
        PathVariable { known, .. } if known.is_empty() => "write each variable between brackets, like `[slug]`".into(),
        PathVariable { .. } => "write one variable between brackets, like `[term]`".into(),
        VariableWithoutForEach { .. } => "add `for_each` with the name of a collection, or rename the file".into(),
        ForEachWithoutVariable { example } => format!("add a variable to the path, like `{example}`"),
        UnknownCollection { nearest: Some(nearest), .. } => did_you_mean(nearest),
        UnknownCollection { .. } => "name a folder of `content/`, or `pages`".into(),
        AddressKey { key, found: None } if key == "date" => "add a date, like `date: 2026-05-04`".into(),
        AddressKey { key, found: None } => format!("add `{key}: …` with a word or a number"),
        AddressKey { key, .. } if key == "date" => "write the year, the month and the day, like `2026-05-04`".into(),
        AddressKey { .. } => "write a word or a number".into(),
        GoneSection { sections, nearest, .. } => {
            let first = sections.first().map_or("", String::as_str);
            let now = nearest.as_ref().map_or(String::new(), |nearest| format!(" (the heading is now `#{nearest}`)"));
            format!("links on other sites may still point to `#{first}`{now}; this is reported until the next `sitegen build`")
        }
        GoneAddress { address, to: None } if Format::extension(address).is_some() => format!(
            "add `- {address}` to `gone`, or redirect it under `redirects`; if it was never online, build once with \
             `--against none`"
        ),
        GoneAddress { address, to } => {
            let to = to.as_deref().unwrap_or("/");
            format!(
                "add `- {{ from: {address}, to: {to} }}` to `redirects`, or `- {address}` to `gone`; if it was never \
                 online, build once with `--against none`"
            )
        }
        FeedEntry { fix, .. } => (*fix).to_owned(),
        FeedWithoutPages { .. } => "add a page file with `for_each`, or remove `feed`".into(),
        EarlyDate { date } => format!("add `publish: {date}`, or correct the date"),
        EmptyList { .. } => "add an entry, or change the list".into(),
        TermSpelling { usual, .. } => format!("write `{usual}`"),
        LonelyTerm { name, similar, others: 1 } => {
            format!("write `{name}` or `{similar}` in both entries, or keep both if they are different terms")
        }
        LonelyTerm { name, similar, .. } => format!("write `{similar}`, or keep `{name}` if it is a different term"),
        TermAddress { .. } => {
            "addresses keep only letters and digits: write the term in words, like `C sharp` for `C#`".into()
        }
        DuplicateRoute { .. } => "rename one of the two files".into(),
        DuplicateEntry { .. } => "rename one of the two files".into(),
        BadRoute { .. } => "use lower-case letters, digits and `-` in the file name".into(),
        ReservedRoute { .. } => "give the file or its folder a name other than `assets`".into(),
        UnexpectedFile { expected } => format!("expected {expected}"),
        BadBaseUrl { .. } => "write it like `https://www.example.com`".into(),
        HeaderName { .. } => "use letters, digits and `-`".into(),
        ReservedHeader { setting: Some(setting), .. } => format!("write `settings.{setting}`"),
        ReservedHeader { .. } => "remove it".into(),
        FeatureName { .. } => "use lower-case letters, digits and `-`, as in `geolocation`".into(),
        Preload { lacks_subdomains: true } => "add `include_subdomains: true`, or remove `preload`".into(),
        Preload { lacks_subdomains: false } => "write `max_age: 31536000`, or remove `preload`".into(),
        HostLimit { advice, .. } => (*advice).into(),
        DuplicateRedirect { .. } => "keep one of the two".into(),
        GoneTaken { .. } => "remove it from `gone`, or remove the page".into(),
        RedirectTaken { .. } => "remove the redirect, or the page".into(),
        RedirectLoop { .. } => "point one of them to a page".into(),
        RedirectChain { end, .. } => format!("write `{end}`, the final address"),
        FileName { route, made: Some(made), .. } => {
            format!("name the page's file `{}.{made}.yaml` or `.md`", route.rsplit('/').next().unwrap_or_default())
        }
        FileName { route, made: None, .. } => {
            let extension = route.rsplit('.').next().unwrap_or_default();
            format!("use a template that ends in `.{extension}`, or remove `.{extension}` from the page's file name")
        }
        MalformedFile { format: "JSON", .. } => {
            "write values with `| json` and without quotation marks around them".into()
        }
        MalformedFile { format: "XML", .. } => "write HTML in it as `{{ page.content | escape_xml | safe }}`".into(),
        MalformedFile { format: "iCalendar", .. } => "write texts with `| ics` and one property per line".into(),
        MalformedFile { .. } => "remove the character".into(),
        UnknownTemplate { name, nearest: None } => {
            format!("create `templates/{name}`, or choose another with `template:`")
        }
        UnknownAsset { path, nearest: Some(file) } if is_public(file) => format!("move it to `content/assets/{path}`"),
        UnknownIsland { name, nearest: None } => format!("create `islands/{name}.tsx`"),
        UnknownTemplate { nearest, .. } | UnknownAsset { nearest, .. } | UnknownIsland { nearest, .. } => {
            did_you_mean(nearest.as_deref()?)
        }
        IslandProps { fix, .. } => return fix.clone(),
        BadPictureSetting { .. } => return None,
        UnsizedImage => "set both to the size of the file in pixels; CSS can still scale the image".into(),
        SmallPicture { .. } => "use a larger picture or larger `widths`, or set a smaller width in `sizes`".into(),
        PicturePosition { is_copied: true } => {
            "show it in Markdown or with `picture(…)`, which publish copies without the location, or remove the location".into()
        }
        PicturePosition { is_copied: false } => "remove the location, as with `exiftool -gps:all= <file>`".into(),
        UnsafeSvg { fix, .. } | BadPicture { fix, .. } | SocialPicture { fix, .. } => fix.clone(),
        ActiveFile { extension } if extension == "svgz" => "save it as `.svg`; hosts compress it themselves".into(),
        ActiveFile { .. } => "move it to `content/public/` if it must be published as it is".into(),
        JobWithoutPlace { .. } => "add one of the two to the job's file".into(),
        PublicScript => "remove the script, or make this a page with an island".into(),
        ActiveHtml { .. } => "remove it; scripts, styles and frames go in templates and islands".into(),
        UnknownHydration { value } => {
            // `hover` is not `never`.
            let meant = nearest(value, HYDRATIONS).filter(|meant| value.starts_with(&meant[..1]));
            meant.map_or_else(|| format!("choose {}", list_or(&HYDRATIONS.map(str::to_owned))), did_you_mean)
        }
        CallInParagraph { .. } => "write the call on its own line, between empty lines".into(),
        Unclosed { element } => format!("add `</{element}>`"),
        StrayEnd { element } => format!("remove `</{element}>`, or add the start tag"),
        InlineStyle { .. } => "move the rule to a stylesheet and use a class".into(),
        EventHandler { .. } => "remove it; use an island to handle events".into(),
        FormMethod => "write `method=\"dialog\"`".into(),
        FormTarget { nearest: Some(nearest), .. } | UndeclaredConnection { nearest: Some(nearest), .. } => {
            format!("{} It is declared in `content/site.yaml`", did_you_mean(nearest))
        }
        FormTarget { origin, .. } => format!(
            "declare a connection with `origin: {origin}` and `for: form` in `settings.connections` of \
             `content/site.yaml`, or remove the attribute and write `method=\"dialog\"`"
        ),
        UndeclaredConnection { origin, kind, .. } => format!(
            "declare one with `origin: {origin}` and `for: {kind}` in `settings.connections` of `content/site.yaml`, or \
             remove it"
        ),
        SecretInPackage { .. } => {
            "search `node_modules` for it, and import something else; what an island imports is published".into()
        }
        Secret { .. } => {
            "remove it, and revoke it at the service; everything here is published, and secrets belong on a server"
                .into()
        }
        UnknownSlot { slot, .. } if slot == "default" => "render `<Slot />` in it, from `runtime/slot`".into(),
        UnknownSlot { slot, .. } => format!("render `<Slot name=\"{slot}\" />` in it, from `runtime/slot`"),
        UnknownConnection { is_declared: true, .. } => "add `fetch` to its `for` in `content/site.yaml`".into(),
        UnknownConnection { nearest: Some(nearest), .. } => did_you_mean(nearest),
        UnknownConnection { known, .. } if !known.is_empty() => {
            format!("{}; declare another one in `settings.connections` of `content/site.yaml`", there_is(known))
        }
        UnknownConnection { .. } => "declare it in `settings.connections` of `content/site.yaml`".into(),
        ConnectionName { .. } => "use letters, digits, `-` and `_`, as in `newsletter`".into(),
        UnusedConnection { .. } => "remove it; `connections()` would list it for visitors".into(),
        UncheckedScript { .. } => {
            "if the scripts never change, add `integrity` to each of them and remove this line".into()
        }
        ScriptIntegrity { attribute: "crossorigin", .. } => "add `crossorigin=\"anonymous\"`".into(),
        ScriptIntegrity { .. } => {
            "add `integrity=\"sha384-…\" crossorigin=\"anonymous\"`; if its host changes the script \
             from time to time, write `without_integrity: true` in its connection"
                .into()
        }
        FrameAttribute { attribute: "title" } => "describe what it shows: `title=\"Map of the taproom\"`".into(),
        FrameAttribute { .. } => "add `sandbox` with the permissions that the page needs, like `sandbox=\"allow-scripts\"`".into(),
        Blocked { name: "ping" } => "remove it".into(),
        Blocked { name: "iframe" } => {
            "write `frame_ancestors: self` below `settings.security` in content/site.yaml, or link to the page".into()
        }
        Blocked { .. } => "use `<img>` for a picture, `<iframe>` for a page, or a link to the file".into(),
        FrameFeature { .. } => "add it to `features` of the connection in `content/site.yaml`, or remove it".into(),
        HeadElement { is_in_island: true, .. } => {
            "write it in the template; an island may render it later, in the browser".into()
        }
        HeadElement { .. } => "move it before `</head>`".into(),
        BaseElement => "remove it; start links with `/`".into(),
        MixedContent { .. } => "load it with `https:`".into(),
        MissingAlt { .. } => "describe what it shows: `alt=\"…\"`, or write `alt=\"\"` if it is decorative".into(),
        PictureWithoutText { .. } => "like `![The oven with its door open](…)`".into(),
        MissingLabel { .. } => "add `<label for=\"…\">` with the field's id, or `aria-label`".into(),
        DuplicateId { is_in_island: true, .. } => {
            "give one of the two another id; a package numbers its ids separately in each island, so pass it an id or a \
             prefix as a prop"
                .into()
        }
        DuplicateId { .. } => "give one of the two another id".into(),
        UnknownId { .. } => "use an id from this page".into(),
        HeadingSkip { previous: 0, .. } => {
            "make it level 1, or write an `<h1>` before it: in the template if all its pages need one".into()
        }
        HeadingSkip { previous, .. } => {
            let level = usize::from(*previous) + 1;
            format!("make it level {level}, which is `{}` in Markdown", "#".repeat(level))
        }
        MissingHead => "write `<head>` with `<meta charset=\"utf-8\">` and a title in the template".into(),
        MissingLang => "write `<html lang=\"…\">`".into(),
        OtherLanguage { .. } => "write `lang=\"{{ page.language }}\"`".into(),
        MissingTitle => "write `<title>…</title>` in the head".into(),
        EmptyText { element } if element.starts_with('h') => "write its text, or remove it".into(),
        EmptyText { element } if element == "label" => "write the name of its field".into(),
        EmptyText { .. } => "write its text, or an `aria-label` that names it".into(),
        Repeated { element: "h1" } => "make it an `<h2>`, which is `##` in Markdown".into(),
        Repeated { .. } => "make it a `<section>` or a `<div>`".into(),
        BrokenSection { known, .. } if !known.is_empty() => there_is(known),
        BrokenLink { nearest, .. } | BrokenSection { nearest, .. } | BrokenFile { nearest, .. } => {
            did_you_mean(nearest.as_deref()?)
        }
        OutsideBase { target, .. } => format!("write `url(path=\"{target}\")` in the template"),
        RelativeLink { absolute: Some(absolute), .. } => format!("write `{absolute}`"),
        RelativeLink { .. } => "write the full path, beginning with `/`".into(),
        MissingDefinition { label } => match label.strip_prefix('^') {
            Some(_) => format!("add a line `[{label}]: …` with the text of the note"),
            None => format!("add a line `[{label}]: address`, or write `[text](address)`"),
        },
        BadAddress { address } if address.starts_with("mailto:") => "write it like `mailto:name@example.com`".into(),
        BadAddress { .. } => "write it like `https://www.example.com/path`".into(),
        BadEscape { .. } => "write `%25` for a percent sign".into(),
        OverBudget { .. } => "make it smaller, or raise the budget in `content/site.yaml`".into(),
        Placeholder { name } if name.ends_with(".example") => "write the real name".into(),
        Placeholder { .. } => "write the text".into(),
        MarkdownLink => {
            "write `[text](address)`, like `[Mail](mailto:{{ site.email }})`; an address cannot contain spaces".into()
        }
        MarkdownLiteral(Literal::Heading) => "write a space after the `#` signs".into(),
        MarkdownLiteral(Literal::Table { columns, dashes }) if columns == dashes => {
            "leave an empty line above the table".into()
        }
        MarkdownLiteral(Literal::Table { columns, .. }) => format!("write `{}`", vec!["---"; *columns].join(" | ")),
        MarkdownLiteral(Literal::Bold) => {
            "close it and remove the spaces inside, like `**bold**`; next to a letter, bold text cannot begin or end with punctuation; \
             write `\\*\\*` for two asterisks"
                .into()
        }
        YamlComment { written } => {
            let quoted = format!("write `\"{}\"`", written.replace('\\', "\\\\").replace('"', "\\\""));
            format!("{quoted}, or a space after the `#` of a comment")
        }
        UnusedKey { instead: Some(instead), .. } => (*instead).into(),
        UnusedKey { .. } => "remove it, or use it in a template or a schema".into(),
        UnusedFile { what } if what == "stylesheet" => "import it in `templates/styles/main.css`, or remove it".into(),
        UnusedFile { .. } => "use it, or remove it".into(),
        UnusedCollection { nearest, .. } => match nearest {
            Some(nearest) => did_you_mean(nearest),
            None => "remove it, or use it in a template".into(),
        },
        LetterCase { .. } => "rename one of the two; not every file system distinguishes them".into(),
        LetterForm => "delete one of the two, or rename it; `ls` shows both, and not every file system distinguishes them".into(),
        MoreInFile { .. } => "fix these first, then build again".into(),
        OutsideLink => "replace the link with a copy".into(),
        Hidden { reason, .. } if reason.ends_with("a draft") => {
            "remove the link, or the `draft: true` of the page".into()
        }
        Hidden { .. } => "remove the link, or change the page's dates".into(),
        ForeignOutput { reason, .. } if reason.contains("is damaged") => "delete the folder if it contains only build output; \
             otherwise move your own files elsewhere first"
            .into(),
        ForeignOutput { files, .. } if !files.is_empty() => "move them to `content/public/`, which publishes them \
             with the site, or to another folder; or publish elsewhere with `--out`"
            .into(),
        ForeignOutput { .. } => "name another folder with `--out`".into(),
        OutputDiffers { .. } => return None,
        Saved { words, .. } => return words.label.clone(),
    })
}

/// What to do about a warning whose message alone does not say it.
pub fn next_step(problem: &Problem) -> Option<String> {
    if let Saved { words, .. } = problem {
        return words.next_step.clone();
    }
    let is_unclear = matches!(
        problem,
        EarlyDate { .. }
            | EmptyList { .. }
            | LonelyTerm { .. }
            | MarkdownLiteral(_)
            | TermSpelling { .. }
            | UnlinkedFeed { .. }
            | UnlinkedPage { .. }
            | UnusedKey { instead: Some(_), .. }
            | YamlComment { .. }
    );
    if is_unclear { label(problem) } else { None }
}

/// Packages that a message names at most.
const MOST_PACKAGES: usize = 5;

/// Further help, printed below the excerpt.
pub fn note(problem: &Problem) -> Option<String> {
    match problem {
        Saved { words, .. } => words.note.clone(),
        NeededKey { collection: Some(name), .. } => Some(format!(
            "`sitegen schema --from {name}` writes a schema based on the other entries; with it every entry is validated"
        )),
        MissingKey { purpose: Some(purpose), key } => Some(format!("`{key}`: {purpose}")),
        ForbiddenKey { reason: Some(reason), .. } => Some(reason.clone()),
        NotAChoice { choices, nearest: Some(_), .. } => Some(format!("the choices are {}", list(choices))),
        UnknownKey { known, nearest: Some(_), .. } if !known.is_empty() => Some(format!("known keys: {}", list(known))),
        OverBudget { what, packages, islands, .. } if !packages.is_empty() => {
            let largest = packages.iter().take(MOST_PACKAGES);
            let mut parts: Vec<String> = largest.map(|(name, bytes)| format!("{name} {}", kilobytes(*bytes))).collect();
            let others = packages.len().saturating_sub(MOST_PACKAGES);
            if others > 0 {
                parts.push(format!("{others} others"));
            }
            let islands: Vec<String> =
                islands.iter().map(|(island, hydrate)| format!("`{island}` (`{hydrate}`)")).collect();
            let islands = match islands.as_slice() {
                [] => String::new(),
                [island] => format!("; loaded by the island {island}"),
                _ => format!("; loaded by the islands {}", islands.join(", ")),
            };
            Some(match *what {
                "images" => format!("a visitor loads {}", parts.join(", ")),
                _ => format!("before compression, it is {}{islands}", parts.join(", ")),
            })
        }
        _ => None,
    }
}

fn is_public(file: &str) -> bool {
    SourcePath::new(file).below(PUBLIC).is_some()
}

/// `at least 1 item`, `at least 2 items`
fn singular<'a>(limit: &str, unit: &'a str) -> &'a str {
    if limit.ends_with(" 1") { unit.trim_end_matches('s') } else { unit }
}

/// `2,000`
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// The next step for errors that the user can fix (errno(3), with the texts of POSIX).
fn publishing_help(path: &str, answer: &str) -> Option<String> {
    match answer {
        "Permission denied" | "Operation not permitted" => {
            Some(format!("give the user who runs the build write access to {path}, its parent folder and `.sitegen`"))
        }
        "No space left on device" | "Disk quota exceeded" => {
            Some("free space for a second copy of the site; the published site is unchanged".into())
        }
        "Read-only file system" => Some("name another folder with `--out`".into()),
        _ => None,
    }
}

/// The system's error text without the number that Rust adds: `Permission denied (os error 13)`.
fn without_number(detail: &str) -> &str {
    detail.split(" (os error ").next().unwrap_or(detail)
}

fn kilobytes(bytes: usize) -> String {
    format!("{:.2} KB", bytes as f64 / 1e3)
}

fn thing(element: &str) -> String {
    match element {
        "a" => "this link".into(),
        "button" => "this button".into(),
        "label" => "this form field label".into(),
        _ => format!("this `<{element}>`"),
    }
}

fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}

/// `` `a`, `b` and `c` ``
fn list(words: &[String]) -> String {
    joined(words, "and")
}

/// The first of the names that could have stood there.
fn there_is(words: &[String]) -> String {
    match words.get(..NAMED).filter(|_| words.len() > NAMED) {
        Some(first) => format!("available: `{}` and more", first.join("`, `")),
        None => format!("available: {}", list(words)),
    }
}

/// `` `a`, `b` or `c` ``
fn list_or(words: &[String]) -> String {
    joined(words, "or")
}

fn joined(words: &[String], last: &str) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{} {last} {end}", rest.join(", ")),
    }
}

/// Whether a link names a file of content: not that is published, but the pages made from it.
fn is_source(target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    path.ends_with(".md") || path.ends_with(".yaml")
}

fn format_name(format: &str) -> String {
    match format {
        "uri" => "an absolute URL".into(),
        "email" => "an e-mail address".into(),
        "date" => "a date".into(),
        other => format!("a valid `{other}`"),
    }
}

fn format_example(format: &str) -> String {
    match format {
        "uri" => "`https://www.example.com/path`".into(),
        "email" => "`name@example.com`".into(),
        other => format!("a `{other}`"),
    }
}

/// Says what is wrong with a date: a day that its month does not have, or else the form.
fn date_fix(value: &str) -> String {
    let written = || {
        let numbers: Vec<i16> = value.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let [year, month, day] = numbers[..] else { return None };
        (year > 999).then_some((year, i8::try_from(month).ok()?, i8::try_from(day).ok()?))
    };
    let Some((year, month, day)) = written() else { return "write it like `2025-01-31`".into() };
    match Date::new(year, month, 1) {
        Err(_) => "write a month from 01 to 12".into(),
        Ok(_) if Date::new(year, month, day).is_ok() => format!("write `{year}-{month:02}-{day:02}`"),
        Ok(first) => format!("{} has {} days", first.strftime("%B %Y"), first.days_in_month()),
    }
}

/// What makes the build write a text of a language.
fn for_text(lacks: &TextLacks) -> String {
    match lacks {
        TextLacks::Locale => "name a locale, such as `toLocaleString(\"en\")`".into(),
        TextLacks::Zone => "name a time zone, such as `timeZone: \"UTC\"` in the options".into(),
        TextLacks::Data { packages, locale } => {
            let install =
                (!packages.is_empty()).then(|| format!("run `npm install --save-dev {}`", packages.join(" ")));
            let add =
                locale.as_ref().map(|locale| format!("add `{locale}` to `settings.islands.locales` in site.yaml"));
            install.into_iter().chain(add).collect::<Vec<_>>().join(" and ")
        }
        TextLacks::Comparison { locale, language: Some(language) } => {
            format!("use the locale `{language}`: the build cannot format text for `{locale}`")
        }
        TextLacks::Comparison { locale, .. } => format!("the build cannot format text for `{locale}`"),
        TextLacks::Agreement => "the build cannot format this; the guide to islands lists what it can".into(),
    }
}
