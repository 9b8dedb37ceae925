//! The kinds of problems, each with the facts its message needs.

use crate::paths::SourcePath;
use serde::{Deserialize, Serialize};

/// The values of `hydrate`, which says when an island is hydrated.
pub const HYDRATIONS: [&str; 7] = ["load", "idle", "visible", "media", "interaction", "only", "never"];

/// Something that is wrong with a site, or that kept the tool from its work.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    // YAML and front matter
    /// Not YAML; `detail` says where the parser failed.
    YamlSyntax {
        /// The parser's message.
        detail: String,
    },
    /// A plain value that YAML reads as something else than text.
    YamlQuotes {
        /// The value.
        written: String,
        /// Which kind of value needs quotes.
        reason: String,
    },
    /// A tab where YAML wants spaces.
    YamlTab,
    /// The same key twice in one mapping.
    DuplicateKey {
        /// The key.
        key: String,
    },
    /// A key that is not text.
    YamlKey,
    /// Larger, deeper or with more aliases than content ever needs.
    YamlTooLarge {
        /// The exceeded limit.
        detail: String,
    },
    /// A plain word or number that YAML readers turn into something else.
    YamlAmbiguous {
        /// As it was written.
        written: String,
        /// What is read instead.
        read_as: String,
    },
    /// A Markdown file whose front matter never ends.
    FrontMatterUnclosed,
    /// A Markdown file without front matter.
    FrontMatterMissing,
    /// A file whose bytes are not UTF-8.
    NotUtf8,
    /// The top of a YAML file is a list or a word.
    NotAMapping {
        /// What it is.
        found: &'static str,
    },

    // Markdown
    /// Text of a Markdown file that would be left out of the page.
    LostText(Lost),
    /// A reference in a tag of raw HTML, and not between quotes.
    ReferenceInTag,
    /// A code block in a language that cannot be coloured.
    CodeLanguage {
        /// The language.
        language: String,
        /// The one that was probably meant.
        nearest: Option<String>,
    },
    /// A word after the fence of a code block that has no effect.
    CodeOption {
        /// What is wrong with it.
        detail: String,
        /// What to write.
        fix: Option<String>,
    },

    // Schemas
    /// A key that is not in the schema.
    UnknownKey {
        /// The key.
        key: String,
        /// The key that was probably meant.
        nearest: Option<String>,
        /// All keys that are allowed there.
        known: Vec<String>,
        /// The schema of the project that names them, where another may be added.
        schema: Option<SourcePath>,
    },
    /// A key that must be there.
    MissingKey {
        /// The key.
        key: String,
        /// The schema's description of it.
        purpose: Option<String>,
    },
    /// A key that must be there and whose value is empty.
    EmptyKey {
        /// The key.
        key: String,
    },
    /// A key that may not be there, given the others.
    ForbiddenKey {
        /// The key.
        key: String,
        /// The schema's reason.
        reason: Option<String>,
    },
    /// A value of another type.
    WrongType {
        /// The expected types.
        expected: String,
        /// The actual type.
        found: &'static str,
        /// What to write, where the value shows what was meant.
        fix: Option<String>,
    },
    /// A value that is not among the choices.
    NotAChoice {
        /// The value.
        value: String,
        /// The choices.
        choices: Vec<String>,
        /// The one that was probably meant.
        nearest: Option<String>,
    },
    /// A text that is too short or too long.
    Length {
        /// The actual number.
        found: usize,
        /// What they are: `characters` or `items`.
        unit: &'static str,
        /// `at least 3`, `at most 60`.
        limit: String,
    },
    /// A number outside its range.
    Range {
        /// The number.
        value: String,
        /// `at least 1`.
        limit: String,
    },
    /// A text that is not a URL, e-mail address or date.
    BadFormat {
        /// The value.
        value: String,
        /// The format's name in JSON Schema.
        format: String,
    },
    /// A text that does not have the form the schema requires.
    BadPattern {
        /// The value.
        value: String,
        /// The regular expression.
        pattern: String,
        /// The schema's description of the value.
        purpose: Option<String>,
    },
    /// Any other rule of a schema.
    SchemaRule {
        /// The validator's words.
        detail: String,
    },
    /// A schema that is none.
    BadSchema {
        /// What is wrong with it.
        detail: String,
    },

    // Content
    /// `{{ site.nothing }}` in content.
    UnknownReference {
        /// The path between the braces.
        reference: String,
        /// The part that does not exist.
        part: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// `{{ … }}` in content that is not a plain path.
    BadReference {
        /// The text between the braces.
        reference: String,
    },
    /// `{{` without `}}` on the same line.
    UnclosedReference,
    /// `}}` without `{{` before it.
    UnopenedReference,
    /// A reference to a list or a mapping.
    NoText {
        /// The path between the braces.
        reference: String,
        /// What is there instead.
        found: &'static str,
    },
    /// An entry of a feed whose page has another address than at the last publication.
    FeedName {
        /// The full address that it had.
        old: String,
    },
    /// The page of an entry that no other page links to.
    UnlinkedPage {
        /// Its route.
        route: String,
    },
    /// A call of a component in Markdown that cannot be read, or stands where none can.
    ComponentCall {
        /// What is wrong.
        detail: String,
    },
    /// A call of a component that no template defines.
    UnknownComponent {
        /// The name in the call.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// An argument that is missing in a call, that the component does not have, or of the wrong type.
    ComponentArgument {
        /// The component.
        component: String,
        /// What is wrong.
        detail: String,
    },
    /// Raw HTML in Markdown that does not allow it.
    RawHtml {
        /// Its beginning.
        html: String,
    },
    /// A link or image address that runs script or that browsers refuse.
    UnsafeAddress {
        /// The address.
        address: String,
    },
    /// A path of a page file with a bracket that is not closed, or without a name in it, or with too many.
    PathVariable {
        /// The path below `content/pages`, without extension.
        name: String,
        /// The variables that it may have.
        known: Vec<String>,
    },
    /// A page file with a variable in its path and without `for_each`.
    VariableWithoutForEach {
        /// The path below `content/pages`, without extension.
        name: String,
    },
    /// A page file with `for_each` and without a variable in its path.
    ForEachWithoutVariable {
        /// What it could be called.
        example: String,
    },
    /// `for_each` or `list` with a collection that there is not.
    UnknownCollection {
        /// The name.
        name: String,
        /// The collection that was probably meant.
        nearest: Option<String>,
    },
    /// An entry without a key that its address has, or with one that no address can have.
    AddressKey {
        /// The key.
        key: String,
        /// What it is, if it is there.
        found: Option<&'static str>,
    },
    /// An address of an earlier publication at which nothing is any more.
    GoneAddress {
        /// The address.
        address: String,
        /// Where its page may have moved.
        to: Option<String>,
    },
    /// Headings of an earlier publication that a page no longer has.
    GoneSection {
        /// The address of the page.
        address: String,
        /// Their ids.
        sections: Vec<String>,
        /// The id of a heading that the first of them probably has now.
        nearest: Option<String>,
    },
    /// A path under `gone` at which there is something.
    GoneTaken {
        /// The path.
        path: String,
        /// What is there.
        by: String,
    },
    /// An entry that cannot be in a feed.
    FeedEntry {
        /// Why.
        detail: String,
        /// What to do.
        fix: &'static str,
    },
    /// A feed of entries that have no pages.
    FeedWithoutPages {
        /// The collection.
        collection: String,
    },
    /// A feed that no page links to.
    UnlinkedFeed {
        /// Its address.
        address: String,
    },
    /// An entry that is shown before its `date`.
    EarlyDate {
        /// The date.
        date: String,
    },
    /// A list or a key without entries.
    EmptyList {
        /// The collection, with the key after a dot.
        collection: String,
    },
    /// A term in another spelling than in most entries.
    TermSpelling {
        /// As written.
        written: String,
        /// As in most entries.
        usual: String,
    },
    /// A term of one entry that differs little from another.
    LonelyTerm {
        /// The term.
        name: String,
        /// The other one.
        similar: String,
        /// How many entries have the other one.
        others: usize,
    },
    /// Two terms whose addresses are made of the same letters.
    TermAddress {
        /// The term.
        name: String,
        /// The other one.
        other: String,
        /// What both are in addresses.
        slug: String,
    },
    /// Two pages for one route.
    DuplicateRoute {
        /// The route.
        route: String,
        /// The other file.
        other: String,
    },
    /// Two entries of a collection with the same name.
    DuplicateEntry {
        /// The name.
        slug: String,
        /// The other file.
        other: String,
    },
    /// A file name whose route not every host can serve.
    BadRoute {
        /// The route.
        route: String,
    },
    /// A page at an address that belongs to files with a digest in their names.
    ReservedRoute {
        /// The route.
        route: String,
    },
    /// A file of a kind that has no meaning in its folder.
    UnexpectedFile {
        /// What is expected there.
        expected: &'static str,
    },
    /// A base URL that is invalid.
    BadBaseUrl {
        /// The value.
        value: String,
    },

    // What the host is asked to do
    /// A name that no header can have.
    HeaderName {
        /// The name.
        name: String,
    },
    /// A header that may not be set like this.
    ReservedHeader {
        /// The name.
        name: String,
        /// The setting for it; without one hosts set it themselves.
        setting: Option<&'static str>,
    },
    /// A name that no feature of a browser can have.
    FeatureName {
        /// The name.
        name: String,
    },
    /// A Strict-Transport-Security for preloading that browsers' list would not accept.
    Preload {
        /// Whether the subdomains are missing, or the time is too short.
        lacks_subdomains: bool,
    },
    /// More than a host accepts.
    HostLimit {
        /// The host's name.
        host: &'static str,
        /// What there is too much of: `header rules`, `characters in the header …`.
        what: String,
        /// The actual number.
        found: usize,
        /// The limit.
        limit: usize,
        /// What to do.
        advice: &'static str,
    },
    /// Two redirects from one path.
    DuplicateRedirect {
        /// The path.
        from: String,
    },
    /// A redirect from a path where a page or a file is.
    RedirectTaken {
        /// The path.
        from: String,
        /// What is there.
        by: String,
    },
    /// A redirect that leads back to itself.
    RedirectLoop {
        /// The paths of the loop, the first one again at the end.
        paths: Vec<String>,
    },
    /// A redirect to a path that is redirected itself.
    RedirectChain {
        /// Where it leads.
        to: String,
        /// Where that leads in the end.
        end: String,
    },

    // Templates
    /// A template that does not parse or that names something unknown.
    TemplateSyntax {
        /// The template engine's message.
        detail: String,
    },
    /// A template that failed while it rendered a page.
    TemplateFailed {
        /// The template engine's message.
        detail: String,
    },
    /// A key that a template reads and that an entry or an item of a list does not have.
    NeededKey {
        /// The key.
        key: String,
        /// Where the template reads it, as `templates/pages/page.html:7`.
        by: String,
        /// An existing key that was probably meant to be this one.
        nearest: Option<String>,
        /// The collection, if it has no schema.
        collection: Option<String>,
    },
    /// A value that cannot be sorted among those of the other entries.
    SortKind {
        /// The key.
        key: String,
        /// What most values of it are: `dates` or `numbers`.
        most: &'static str,
    },
    /// A key of an entry that names an entry of another collection, which does not exist.
    UnknownEntry {
        /// The name.
        name: String,
        /// The other collection.
        collection: String,
        /// Where a template looks for it, as `templates/pages/page.html:7`.
        by: String,
        /// An existing entry that was probably meant.
        nearest: Option<String>,
    },
    /// A page whose name and whose template stand for files of different formats.
    FileName {
        /// The address of the page.
        route: String,
        /// The template.
        template: String,
        /// The extension of the template, if it makes another file than HTML.
        made: Option<String>,
    },
    /// A page that is no HTML and breaks the rules of its format.
    MalformedFile {
        /// The name of the format.
        format: &'static str,
        /// What is wrong.
        detail: String,
        /// The beginning of the line in the file.
        line: String,
    },
    /// A page with a template that does not exist.
    UnknownTemplate {
        /// The name.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// A missing file of `content/assets`.
    UnknownAsset {
        /// The path below `content/assets`.
        path: String,
        /// The most similar path there, or the file of `content/public` that has this path.
        nearest: Option<String>,
    },
    /// A file that cannot be used as a picture.
    BadPicture {
        /// Its path below `content/assets`.
        path: String,
        /// What is wrong with it.
        detail: String,
        /// What to do about it.
        fix: String,
    },
    /// A picture that is published as it is, and says where it was taken.
    PicturePosition {
        /// Whether copies of it can be shown instead.
        is_copied: bool,
    },
    /// A link preview that cannot be rendered, or whose text would be cut off or unreadable.
    SocialPicture {
        /// Its template below `templates`.
        template: String,
        /// What is wrong with it.
        detail: String,
        /// What to do about it.
        fix: String,
    },
    /// A picture that is shown wider than its largest file.
    SmallPicture {
        /// How wide it is shown, in CSS pixels.
        shown: u32,
        /// How wide its largest file is, in pixels.
        width: u32,
    },
    /// An image without `width` and `height`: what follows it moves when it arrives.
    UnsizedImage,
    /// A setting of pictures that cannot be followed.
    BadPictureSetting {
        /// What is wrong with it.
        detail: String,
    },
    /// An SVG that contains script or that is invalid.
    UnsafeSvg {
        /// What was found in it.
        detail: String,
        /// What to do about it.
        fix: String,
    },
    /// A file of a kind that browsers run, or that cannot be inspected, among the assets.
    ActiveFile {
        /// Its extension.
        extension: String,
    },
    /// A page of `content/public` that runs script.
    PublicScript,
    /// A job in the structured data of a page without a place of work.
    JobWithoutPlace {
        /// Its title.
        title: String,
    },
    /// An element in raw HTML of a text that runs script or changes what the page may load.
    ActiveHtml {
        /// The element or the attribute.
        part: String,
    },

    // Styles and islands
    /// A part of a stylesheet that does not parse.
    CssSyntax {
        /// What is wrong.
        detail: String,
        /// What to do about it.
        fix: Option<&'static str>,
    },
    /// A property that no browser knows.
    UnknownProperty {
        /// Its name.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// An at-rule that no browser knows.
    UnknownAtRule {
        /// Its name without `@`.
        name: String,
        /// What was probably meant, with `@`.
        nearest: Option<String>,
    },
    /// A pseudo-class or pseudo-element that no browser knows.
    UnknownPseudo {
        /// Its name without colons.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// A value that its property cannot have.
    CssValue {
        /// What is wrong.
        detail: String,
        /// What to do about it.
        fix: Option<String>,
    },
    /// A custom property that nothing gives a value.
    UnknownCustomProperty {
        /// Its name with the two dashes.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// esbuild's message about a script.
    Bundle {
        /// The message.
        detail: String,
    },
    /// An import of a missing file.
    MissingImport {
        /// The path.
        path: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// A file that `new URL(…, import.meta.url)` of an island names and that cannot be published.
    IslandFile {
        /// Its path, unless it is known only when the expression is evaluated.
        written: Option<String>,
    },
    /// An import of a file outside the project, or of another host.
    OutsideImport {
        /// The path or the address.
        path: String,
    },
    /// An import of a package that is not installed.
    MissingPackage {
        /// Its name.
        name: String,
        /// A package of a similar name that the project has.
        nearest: Option<String>,
    },
    /// An import of a module of Node for browsers.
    NodeModule {
        /// Its name, as it is written.
        name: String,
    },
    /// An island whose name cannot stand in an address.
    IslandName {
        /// The name.
        name: String,
    },
    /// A file of an island that exports no component.
    NoComponent,
    /// A template that calls a missing island.
    UnknownIsland {
        /// The name.
        name: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// Props of an island that its schema does not allow.
    IslandProps {
        /// The island.
        component: String,
        /// What is wrong with them.
        detail: String,
        /// What to do about it.
        fix: Option<String>,
    },
    /// An unknown way to hydrate.
    UnknownHydration {
        /// The value.
        value: String,
    },
    /// An island that failed while it was prerendered.
    PrerenderFailed {
        /// Its name.
        component: String,
        /// The exception's message.
        detail: String,
    },
    /// An island whose HTML is not the same for every visitor.
    PrerenderVaries {
        /// Its name.
        component: String,
        /// What it asked for: `Date.now()`.
        what: String,
        /// Where two renderings differ first: a piece of one.
        one: String,
        /// The same piece of the other.
        other: String,
        /// What keeps the build from making the text, if it asked for one of a language.
        text: Option<Box<TextLacks>>,
    },

    // What comes out
    /// Markup that a browser would read differently from how it is written.
    Markup {
        /// What is wrong.
        detail: String,
    },
    /// A call of a component in a paragraph, for which it makes an element that no paragraph can contain.
    CallInParagraph {
        /// The component.
        component: String,
    },
    /// A tag that is never closed.
    Unclosed {
        /// The element.
        element: String,
    },
    /// An end tag that closes nothing.
    StrayEnd {
        /// The element.
        element: String,
    },
    /// A `style=` attribute.
    InlineStyle {
        /// The element.
        element: String,
    },
    /// An `onclick=` or a similar attribute.
    EventHandler {
        /// The attribute.
        attribute: String,
    },
    /// HTML for a slot that an island does not have.
    UnknownSlot {
        /// The island.
        component: String,
        /// The slot.
        slot: String,
    },
    /// A value that looks like a key to a service.
    Secret {
        /// The service, or the name beside the value.
        kind: String,
        /// Its first letters.
        start: String,
    },
    /// A package that an island imports has a value that looks like a key to a service.
    SecretInPackage {
        /// The service.
        kind: String,
        /// Its first letters.
        start: String,
    },
    /// A form with an address to send it to.
    FormTarget {
        /// The attribute.
        attribute: String,
        /// The origin that the form would be sent to, or `self`.
        origin: String,
        /// The declared origin that was probably meant.
        nearest: Option<String>,
    },
    /// Something from another host that no declared connection allows.
    UndeclaredConnection {
        /// The address.
        address: String,
        /// Its origin.
        origin: String,
        /// What it is for, as in `site.yaml`.
        kind: &'static str,
        /// The declared origin that was probably meant.
        nearest: Option<String>,
    },
    /// A name of a connection that `site.yaml` does not declare for fetching.
    UnknownConnection {
        /// The name.
        name: String,
        /// Whether there is one of this name, for something else.
        is_declared: bool,
        /// The name that may have been meant.
        nearest: Option<String>,
        /// The names that are declared for fetching.
        known: Vec<String>,
    },
    /// A name that a connection cannot have.
    ConnectionName {
        /// The name.
        name: String,
    },
    /// A declared connection that no page uses.
    UnusedConnection {
        /// Its name.
        name: String,
        /// What nothing uses it for.
        kind: String,
    },
    /// A connection whose scripts may change unnoticed, as `site.yaml` says.
    UncheckedScript {
        /// Its name.
        name: String,
    },
    /// A script of another host without `integrity`, or without what browsers need to check it.
    ScriptIntegrity {
        /// The address.
        address: String,
        /// The attribute that is missing.
        attribute: &'static str,
    },
    /// A frame without an attribute that it needs.
    FrameAttribute {
        /// `sandbox` or `title`.
        attribute: &'static str,
    },
    /// A frame that allows a feature which its connection does not have.
    FrameFeature {
        /// The feature.
        feature: String,
    },
    /// An element, or an attribute, that does nothing under any policy that a page can have.
    Blocked {
        /// `object`, `embed`, the attribute `ping`, or `iframe` for a page of the site's own.
        name: &'static str,
    },
    /// A form whose `method` is not `dialog`.
    FormMethod,
    /// An element of the head in the body.
    HeadElement {
        /// `title`, `meta` or `link`.
        element: String,
        /// Whether an island has rendered it.
        is_in_island: bool,
    },
    /// A `<base>`, which the policy forbids.
    BaseElement,
    /// Something loaded over `http:` into a page that is served over `https:`.
    MixedContent {
        /// The address.
        address: String,
    },
    /// An image without alternative text.
    MissingAlt {
        /// The element.
        element: String,
    },
    /// A picture of Markdown without a text, where nothing says that it is decoration.
    PictureWithoutText {
        /// The picture.
        path: String,
    },
    /// A form field without a name for assistive technology.
    MissingLabel {
        /// The field's `name`.
        field: String,
    },
    /// The same id twice in one page.
    DuplicateId {
        /// The id.
        id: String,
        /// Whether an island rendered the second one.
        is_in_island: bool,
    },
    /// An attribute with an id that the page does not have.
    UnknownId {
        /// The attribute.
        attribute: String,
        /// The id.
        id: String,
    },
    /// A heading more than one level below the one before it.
    HeadingSkip {
        /// Its level.
        level: u8,
        /// The level of the heading before it; 0 where there is none.
        previous: u8,
    },
    /// A page without a head.
    MissingHead,
    /// A page without a language.
    MissingLang,
    /// A page whose `<html>` has another language than its key `language`.
    OtherLanguage {
        /// The value of the key.
        language: String,
        /// The value in `<html>`.
        written: String,
    },
    /// A page without a title.
    MissingTitle,
    /// A link, button or heading without text.
    EmptyText {
        /// The element.
        element: String,
    },
    /// A second element of a kind that a page has once.
    Repeated {
        /// The element.
        element: &'static str,
    },
    /// A link to a page that the site does not have.
    BrokenLink {
        /// The address.
        target: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// A link to a section that its page does not have.
    BrokenSection {
        /// The address.
        target: String,
        /// The page.
        page: String,
        /// What was probably meant.
        nearest: Option<String>,
        /// Ids of the page, at most one more than [`NAMED`](super::NAMED), if none is similar.
        known: Vec<String>,
    },
    /// An image, script, stylesheet or other file that the site does not have.
    BrokenFile {
        /// The address.
        target: String,
        /// What was probably meant.
        nearest: Option<String>,
    },
    /// An address that begins at the host's root although the site is below a path of it.
    OutsideBase {
        /// The address.
        target: String,
        /// The path of the site on its host.
        base_path: String,
    },
    /// An address that means another page depending on a slash at the end of the page's address.
    RelativeLink {
        /// The address.
        target: String,
        /// What it was probably meant to be, if there is such a page or file.
        absolute: Option<String>,
    },
    /// A footnote or a link in Markdown whose definition is missing.
    MissingDefinition {
        /// Its label.
        label: String,
    },
    /// An invalid address of another site.
    BadAddress {
        /// The address.
        address: String,
    },
    /// A path in which `%` is not followed by two hexadecimal digits.
    BadEscape {
        /// The address.
        address: String,
    },
    /// A page for which visitors download more than its budget.
    OverBudget {
        /// `HTML`, `CSS`, `JavaScript` or `images`.
        what: &'static str,
        /// Bytes that are downloaded.
        size: usize,
        /// Bytes that may be.
        limit: usize,
        /// Of JavaScript, the packages that it is made of, with their bytes before compression; of images, the files. The
        /// largest come first.
        packages: Vec<(String, usize)>,
        /// Of JavaScript, the islands that load it, each with a value of `hydrate`.
        islands: Vec<(String, String)>,
    },
    /// A name that must be replaced before the site goes live.
    Placeholder {
        /// The name.
        name: String,
    },
    /// Text that looks like a Markdown link and is not one.
    MarkdownLink,
    /// Text in Markdown that was meant as markup, and is shown as it stands.
    MarkdownLiteral(Literal),
    /// The end of a value in YAML that is read as a comment.
    YamlComment {
        /// The value with its end.
        written: String,
    },
    /// A key of content that nothing reads.
    UnusedKey {
        /// The key.
        key: String,
        /// How many files have it, this one included.
        files: usize,
        /// What other generators read it for, and what to do here.
        instead: Option<&'static str>,
    },
    /// A file that nothing uses.
    UnusedFile {
        /// What it is: one of `template`, `component`, `island`, `asset`, `stylesheet` and `file`.
        what: String,
    },
    /// A folder of content that nothing uses.
    UnusedCollection {
        /// Its name.
        name: String,
        /// A collection that is used and does not exist.
        nearest: Option<String>,
    },
    /// Two paths that differ in the case of letters only.
    LetterCase {
        /// The other path.
        other: String,
    },
    /// Two paths that differ only in whether letters and their accents are one character.
    LetterForm,
    /// A file with more diagnostics than are reported.
    MoreInFile {
        /// The number of reported ones.
        reported: usize,
    },
    /// A symbolic link that leads to something that is not a source.
    OutsideLink,
    /// Something in the project that cannot be read.
    Unreadable {
        /// Why.
        reason: String,
        /// What to do.
        fix: &'static str,
    },
    /// A schema that validates nothing.
    UnusedSchema {
        /// What it was probably meant for.
        nearest: Option<String>,
    },
    /// A key whose value the engine sets itself.
    ReservedKey {
        /// The key.
        key: String,
    },
    /// A last day before the first.
    DatesReversed {
        /// The first day.
        publish: String,
        /// The last day.
        expires: String,
    },
    /// A reference to a text that contains a reference itself.
    NestedReference {
        /// The path between the braces.
        reference: String,
    },
    /// A tag of a template whose end is missing.
    TemplateUnclosed {
        /// Its first word: `if`.
        tag: String,
    },
    /// A reference to a page that is left out on this day.
    Hidden {
        /// The address.
        target: String,
        /// Why it is left out.
        reason: String,
    },
    /// Two files for one path of the output.
    DuplicateOutput {
        /// The path.
        path: String,
        /// The file that has the path.
        other: Option<String>,
    },
    /// Two paths of the output that differ in the case of letters only.
    OutputCase {
        /// The path.
        path: String,
        /// The path that is taken.
        taken: String,
        /// The file that has it.
        other: Option<String>,
    },
    /// A file of the site's own under a name that a build writes for the host.
    HostFile {
        /// The path.
        path: String,
        /// The host's name.
        host: &'static str,
    },
    /// A path of the output in a folder that is a file.
    FolderIsFile {
        /// The path.
        path: String,
        /// The file at the path of the folder.
        file: String,
        /// Where that comes from.
        other: Option<String>,
    },
    /// A path of the output with a part that is longer than file systems allow.
    LongName {
        /// The path.
        path: String,
    },
    /// A path of the output that would be a file and a folder.
    FileAndFolder {
        /// The path.
        path: String,
        /// The file that needs the folder.
        other: Option<String>,
    },

    // The tool
    /// A folder without a site in it.
    NoProject {
        /// The folder, or `this folder`.
        folder: String,
    },
    /// A file or folder that could not be read or written.
    Io {
        /// The action: `read`, `write`, `publish to`.
        action: &'static str,
        /// The path.
        path: String,
        /// The system's message.
        detail: String,
    },
    /// A program that could not be run or that failed.
    Tool {
        /// The program.
        program: &'static str,
        /// Its message.
        detail: String,
    },
    /// An output folder with other contents than a site.
    ForeignOutput {
        /// The folder.
        path: String,
        /// Why it is left alone.
        reason: &'static str,
        /// The first files in it that no build has written.
        files: Vec<String>,
        /// How many more of them there are.
        more: usize,
    },
    /// A file of a published folder that differs from its manifest.
    OutputDiffers {
        /// How it differs.
        how: &'static str,
    },

    /// A problem that an earlier process found, read from the cache.
    Saved {
        /// Its code.
        code: &'static str,
        /// What is printed of it.
        words: Words,
    },
}

/// What is printed of a problem, beside its code and its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Words {
    pub(super) message: String,
    pub(super) label: Option<String>,
    pub(super) next_step: Option<String>,
    pub(super) note: Option<String>,
}

/// How a text of a Markdown file is lost.
#[derive(Clone, Debug, PartialEq)]
pub enum Lost {
    /// It is on the lines of a comment.
    BesideComment,
    /// It follows a comment that is never closed.
    InOpenComment,
    /// It is a footnote without references.
    UnusedFootnote {
        /// The footnote's label, without `^`.
        label: String,
    },
    /// It has the form of a link's definition, which nothing uses.
    UnusedDefinition {
        /// The label.
        label: String,
    },
    /// It is a footnote whose label another one has.
    RepeatedFootnote {
        /// The footnote's label, without `^`.
        label: String,
    },
    /// It is in a cell beyond the columns of its table.
    ExtraCell,
}

/// Text in Markdown that is no markup, though it looks like it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `##Heading`.
    Heading,
    /// A row of dashes that makes no table.
    Table {
        /// The columns of the line above.
        columns: usize,
        /// The columns of the row.
        dashes: usize,
    },
    /// `** bold**`.
    Bold,
}

/// Why a text that is formatted for a locale depends on the visitor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextLacks {
    /// The call names no locale.
    Locale,
    /// The call names no time zone.
    Zone,
    /// The site does not have what the text is made of.
    Data {
        /// Packages that are not installed.
        packages: Vec<String>,
        /// The locale, if `settings.islands.locales` does not have it.
        locale: Option<String>,
    },
    /// Texts of this locale were not compared with those of browsers.
    Comparison {
        /// The locale.
        locale: String,
        /// Its language, if texts of that were compared.
        language: Option<&'static str>,
    },
    /// Browsers differ in it, or packages do not make it.
    Agreement,
}
