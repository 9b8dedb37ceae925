//! Editing a page in the page, for `sitegen serve --edit`: what a browser asks, as a function of the project and the request.
//!
//! An [`Editor`] knows what it has shown: each value that can be edited has a number, behind which stand its file, its place and
//! the text of the file at that moment. A change comes with such a number, never with a path. It is written in five steps:
//!
//! 1. The writer makes an edit of the text that was shown, which changes one value and nothing else.
//! 2. If the file has changed meanwhile, the edit is moved to its text of now. Where the two touch, nothing is written, and a
//!    person decides.
//! 3. The whole site is checked with the edit. What is wrong is answered, and nothing is written.
//! 4. The file is replaced at once ([`crate::disk`]). What it was is kept in `.sitegen/edits`.
//! 5. What was done can be undone, by an edit like any other.

pub mod fields;
mod history;
mod names;
mod page;
mod requests;
mod targets;

use crate::artifacts::Artifacts;
use crate::content::syntax::Syntax;
use crate::content::yaml::{Key, Node};
use crate::content::{self, Site};
use crate::diagnostics::{Diagnostic, Position, Severity, Span, print};
use crate::edit::{Edit, File, Refusal, blocks, merge};
use crate::pages::written::Renderings;
use crate::paths::SourcePath;
use crate::profile::Profile;
use crate::session::{Outcome, Session};
use crate::sources::Sources;
use crate::watch::Change as Changed;
use history::{FileChange, History};
use requests::{Address, Change, Create, Id, NewPicture, Step, Upload};
use serde_json::{Value as Json, json};
use std::path::PathBuf;
use std::sync::Arc;
use targets::{Name, Spot, Target, Targets};

/// See the module.
pub struct Editor {
    root: PathBuf,
    targets: Targets,
    history: History,
    /// For the site of a build, by the number of that.
    renderings: (u64, Arc<Renderings>),
}

/// The project at the moment of a request.
pub struct Moment<'m> {
    /// Its files, on the disk and replaced.
    pub session: &'m mut Session,
    /// The options of the build.
    pub profile: &'m Profile,
    /// The files of the last build.
    pub sources: &'m Sources,
    /// The content of the last valid build.
    pub site: Option<&'m Site>,
    /// The site that is served.
    pub artifacts: Option<&'m Arc<Artifacts>>,
    /// The number of the last build.
    pub build: u64,
    /// What is wrong in the files of the last build. Without any, what is wrong after a change comes from that.
    pub faults: &'m [Diagnostic],
    /// Gives diagnostics their final severities.
    pub weigh: &'m dyn Fn(Vec<Diagnostic>) -> Vec<Diagnostic>,
}

/// Why a request is not answered.
#[derive(Debug)]
pub struct Refused {
    /// The status of HTTP.
    pub status: u16,
    /// A sentence for the editor.
    pub reason: String,
}

/// What a request came to.
pub struct Answered {
    /// The answer.
    pub json: Result<Json, Refused>,
    /// The files that were written.
    pub written: Vec<SourcePath>,
}

/// New texts of files, and in a few words what they change.
struct Wanted {
    what: String,
    files: Vec<FileChange>,
    /// Where the change is, for the answer.
    line: usize,
    /// Whether a value names another picture.
    has_picture: bool,
}

/// What stands in the way of a change.
enum Obstacle {
    /// Answered with another status.
    Refused(Refused),
    /// A person decides between two texts.
    Conflict { theirs: String, yours: String, line: usize },
}

fn refused(status: u16, reason: impl Into<String>) -> Refused {
    Refused { status, reason: reason.into() }
}

impl From<Refused> for Obstacle {
    fn from(refused: Refused) -> Self {
        Obstacle::Refused(refused)
    }
}

impl From<Refusal> for Obstacle {
    fn from(Refusal(reason): Refusal) -> Self {
        Obstacle::Refused(refused(422, format!("This cannot be changed here: {reason}.")))
    }
}

impl Editor {
    /// Creates the editor of the project in a folder. `run` is in the names of the folders that keep what is displaced.
    pub fn of(root: PathBuf, run: &str) -> Self {
        Editor { root, targets: Targets::default(), history: History::of(run), renderings: Default::default() }
    }

    /// Answers a request: the name of a call, and what it brings as JSON.
    pub fn answer(&mut self, call: &str, body: &[u8], moment: &mut Moment) -> Answered {
        let mut written = Vec::new();
        let json = self.called(call, body, moment, &mut written);
        Answered { json, written }
    }

    fn called(
        &mut self,
        call: &str,
        body: &[u8],
        moment: &mut Moment,
        written: &mut Vec<SourcePath>,
    ) -> Result<Json, Refused> {
        match call {
            "page" => self.page(&read(body)?, moment),
            "open" => self.open(&read::<Id>(body)?.id, moment),
            "form" => self.form(&read::<Id>(body)?.id, moment),
            "pictures" => Ok(fields::pictures(moment)),
            "site" => Ok(page::site(moment, &mut self.targets)),
            "check" | "change" => {
                let change = read::<Change>(body)?;
                let wanted = self.wanted(&change, moment);
                self.settle(wanted, call == "change", None, moment, written)
            }
            "upload" => {
                let (name, file) = picture(&read::<NewPicture>(body)?.upload, moment)?;
                let what = format!("the picture {name}");
                let wanted = Wanted { what, files: vec![file], line: 1, has_picture: false };
                let mut json = self.settle(Ok(wanted), true, None, moment, written)?;
                json["name"] = json!(name);
                json["hint"] =
                    json!("Write between the brackets what the picture shows, for people who cannot see it.");
                Ok(json)
            }
            "create" => {
                let create = read::<Create>(body)?;
                let wanted = self.created(&create, moment);
                let new = wanted.as_ref().ok().and_then(|wanted| wanted.files.first()).cloned();
                let mut json = self.settle(wanted, true, None, moment, written)?;
                // A draft has no address where drafts are not shown.
                if let Some((path, after)) =
                    new.filter(|_| json["ok"] == true).and_then(|new| Some((new.path, new.after?)))
                {
                    let text = String::from_utf8_lossy(&after);
                    json["form"] = page::form_of(&path, Arc::from(&*text), &mut self.targets);
                }
                Ok(json)
            }
            "undo" | "redo" => {
                let is_undo = call == "undo";
                let step = read::<Step>(body)?;
                if let Err(reason) = self.history.check(is_undo, step.id.as_deref()) {
                    return Ok(json!({ "ok": false, "problems": [{ "message": reason, "here": true }] }));
                }
                if step.skip {
                    self.history.skip(is_undo);
                    let mut json = json!({ "ok": false, "problems": [] });
                    self.history.add_names(&mut json);
                    return Ok(json);
                }
                let wanted = self.history.wanted(is_undo, step.over, moment.session)?;
                self.settle(wanted, true, Some(is_undo), moment, written)
            }
            _ => Err(refused(404, "There is no such request.")),
        }
    }

    fn target(&self, id: &str) -> Result<Arc<Target>, Refused> {
        let known = id.parse().ok().and_then(|id| self.targets.get(id));
        known.ok_or_else(|| refused(410, "The page has changed meanwhile. It is read again now: repeat your change."))
    }

    fn page(&mut self, address: &Address, moment: &mut Moment) -> Result<Json, Refused> {
        if self.renderings.0 != moment.build {
            self.renderings = (moment.build, Arc::new(self.renderings.1.renewed()));
        }
        let mut json = page::page(address, moment, &mut self.targets, &self.renderings.1)?;
        self.history.add_names(&mut json);
        Ok(json)
    }

    fn open(&mut self, id: &str, moment: &mut Moment) -> Result<Json, Refused> {
        let target = self.target(id)?;
        fields::field(&target, moment, &mut self.targets)
    }

    fn form(&mut self, id: &str, moment: &mut Moment) -> Result<Json, Refused> {
        let target = self.target(id)?;
        fields::form(&target, moment, &mut self.targets)
    }

    /// Returns the files that a change makes, on the text that they have now.
    fn wanted(&self, change: &Change, moment: &mut Moment) -> Result<Wanted, Obstacle> {
        let target = self.target(&change.id)?;
        let change = &fields::spelled(change, &target, moment);
        moment.session.read(&Changed::Paths([target.path.as_str().to_owned()].into()));
        let current = text_of(moment, &target.path);
        let mut files = Vec::new();
        let value = match &change.upload {
            Some(upload) => {
                let (name, file) = picture(upload, moment)?;
                files.push(file);
                Json::from(name)
            }
            None => change.number.clone().map(Json::from).or(change.value.clone()).unwrap_or(Json::Null),
        };
        readable(&value).and_then(|()| readable(change.add.as_ref().unwrap_or(&Json::Null)))?;
        let edit = edit_of(&target, &target.base, change, &value)?;
        let moved = match merge::moved(&target.base, &current, &edit) {
            Some(moved) => moved,
            None => {
                // Items have numbers, which are others after somebody has moved them.
                let (there, change) = target.carried(&current, change).ok_or(Refusal("it is no longer there"))?;
                let is_theirs_the_same =
                    there.spot != target.spot && there.shown_in(&current) == target.shown_in(&target.base);
                if change.over || is_theirs_the_same {
                    // The same value again, in the file as it is now.
                    edit_of(&there, &current, &change, &value)?
                } else {
                    let line = Position::of(&target.base, edit.span).map_or(1, |at| at.line);
                    let theirs = there.shown_in(&current).unwrap_or_else(|| line_at(&current, line));
                    let yours = value.as_str().map_or_else(|| line_at(&edit.apply(&target.base), line), str::to_owned);
                    return Err(Obstacle::Conflict { theirs, yours, line });
                }
            }
        };
        let line = Position::of(&current, moved.span).map_or(1, |at| at.line);
        let is_there = moment.session.sources().is_some_and(|sources| sources.get(&target.path).is_some());
        let new = moved.apply(&current);
        let text = match (&change.alt, value.as_str()) {
            (Some(alt), Some(name)) => self.described((&target, new), name, alt, &mut files, moment)?,
            _ => new,
        };
        files.push(match is_there {
            true => FileChange::of_text(&target.path, &current, &text),
            false => FileChange::new_text(&target.path, &text),
        });
        let sources = with_files(moment, &files);
        let is_picture = |name: &str| names::asset_of(&target.path, name, &sources).is_some();
        let has_picture = value.as_str().is_some_and(is_picture);
        Ok(Wanted { what: target.label.clone(), files, line, has_picture })
    }

    /// Writes what a picture shows where that belongs: to the key beside its name, or to the file beside the picture. Returns the text
    /// of the file that names it.
    fn described(
        &self,
        (target, text): (&Target, String),
        name: &str,
        alt: &str,
        files: &mut Vec<FileChange>,
        moment: &mut Moment,
    ) -> Result<String, Obstacle> {
        let Spot::Value { names } = &target.spot else { return Ok(text) };
        let sources = with_files(moment, files);
        let alt = content::yaml::Value::Text(alt.to_owned());
        if let Some(names) = names::description_beside(&target.path, &text, names, &sources) {
            return Ok(set(&target.path, &text, &names, &alt)?.apply(&text));
        }
        if let Some(asset) = names::asset_of(&target.path, name, &sources) {
            let path = SourcePath::new(format!("{asset}.yaml"));
            let before = sources.text(&path).unwrap_or_default().to_owned();
            let after = set(&path, &before, &[Name::Key("alt".to_owned())], &alt)?.apply(&before);
            files.push(match sources.get(&path) {
                Some(_) => FileChange::of_text(&path, &before, &after),
                None => FileChange::new_text(&path, &after),
            });
        }
        Ok(text)
    }

    fn created(&mut self, create: &Create, moment: &mut Moment) -> Result<Wanted, Obstacle> {
        let target = self.target(&create.id)?;
        let Spot::New { like } = &target.spot else {
            return Err(refused(400, "Nothing new can be made of this.").into());
        };
        readable(&Json::from(create.title.as_str()))?;
        let (path, text) = page::new_text(&target, like.as_ref(), create, moment)?;
        let what = format!("the new {}", create.title.trim());
        Ok(Wanted { what, files: vec![FileChange::new_text(&path, &text)], line: 1, has_picture: false })
    }

    /// Checks the site with the wanted files, and writes them if all is well.
    fn settle(
        &mut self,
        wanted: Result<Wanted, Obstacle>,
        is_written: bool,
        is_undo: Option<bool>,
        moment: &mut Moment,
        written: &mut Vec<SourcePath>,
    ) -> Result<Json, Refused> {
        let wanted = match wanted {
            Ok(wanted) => wanted,
            Err(Obstacle::Refused(refused)) if refused.status == 422 => {
                return Ok(json!({ "ok": false, "problems": [{ "message": refused.reason, "here": true }] }));
            }
            Err(Obstacle::Refused(refused)) => return Err(refused),
            Err(Obstacle::Conflict { theirs, yours, line }) => {
                let (theirs, yours) = differing(&theirs, &yours);
                return Ok(json!({ "ok": false, "conflict": { "theirs": theirs, "yours": yours, "line": line } }));
            }
        };
        let outcome = checked(&wanted.files, moment);
        let diagnostics = (moment.weigh)(outcome.diagnostics);
        let problems: Vec<&Diagnostic> = diagnostics.iter().filter(|each| each.severity != Severity::Warning).collect();
        // Without its islands the site is not checked to the end, and nobody can say what is wrong.
        if problems.is_empty() && outcome.artifacts.is_none() {
            return Err(refused(409, "The site cannot be checked now. The terminal says why."));
        }
        if !problems.is_empty() && !repairs(&problems, &wanted, moment.faults) {
            let sources = with_files(moment, &wanted.files);
            let mut shown: Vec<Json> = Vec::new();
            for diagnostic in problems {
                let problem = problem(diagnostic, &sources, &wanted, moment.faults.is_empty());
                // Many pages may have the same one.
                if !shown.iter().any(|other| other["message"] == problem["message"] && other["help"] == problem["help"])
                {
                    shown.push(problem);
                }
            }
            return Ok(json!({ "ok": false, "problems": shown }));
        }
        let pages = page::changed(moment, outcome.artifacts.as_ref(), outcome.site.as_ref());
        // Every path comes from the content of the site. Whatever happens to be wrong above, nothing else is written.
        if let Some(other) = wanted.files.iter().find(|file| file.path.below("content").is_none()) {
            return Err(refused(403, format!("{} is not below content/.", other.path)));
        }
        if is_written {
            let files: Vec<FileChange> = wanted.files.into_iter().filter(FileChange::changes_something).collect();
            for file in &files {
                match file.write(&self.root, &mut self.history) {
                    Ok(()) => written.push(file.path.clone()),
                    // What came before it stays, and can be undone.
                    Err(reason) => {
                        self.history.add(wanted.what, files[..written.len()].to_vec());
                        return Err(refused(409, format!("{} was not saved: {reason}.", file.path)));
                    }
                }
            }
            match is_undo {
                None => self.history.add(wanted.what.clone(), files),
                Some(is_undo) => self.history.moved(is_undo, files),
            }
        }
        let address = page::address_of(written.first(), outcome.site.as_ref());
        let file = written.last().map(|path| path.as_str().to_owned());
        let mut json = json!({
            "ok": true, "pages": pages, "changes": page::said(&pages), "what": wanted.what, "file": file, "line": wanted.line,
            "address": address,
        });
        self.history.add_names(&mut json);
        Ok(json)
    }
}

/// Splits two texts into what is the same before and after, and what differs in between.
fn differing<'t>(one: &'t str, other: &'t str) -> ([&'t str; 3], [&'t str; 3]) {
    let Edit { span, text } = history::difference(one, other);
    let end = span.start + text.len();
    let parts = |all: &'t str, end: usize| [&all[..span.start], &all[span.start..end], &all[end..]];
    (parts(one, span.end), parts(other, end))
}

/// Whether a change repairs something that was wrong before it, and leaves nothing wrong in its files that was not. What is wrong
/// elsewhere could not be found until then.
fn repairs(problems: &[&Diagnostic], wanted: &Wanted, faults: &[Diagnostic]) -> bool {
    let is_same = |one: &Diagnostic, other: &Diagnostic| {
        let path = |each: &Diagnostic| each.place.as_ref().map(|place| place.path.clone());
        one.problem.describe().message == other.problem.describe().message && path(one) == path(other)
    };
    let count = |all: &mut dyn Iterator<Item = &Diagnostic>, wanted: &Diagnostic| {
        all.filter(|each| is_same(each, wanted)).count()
    };
    let now = |fault: &Diagnostic| count(&mut problems.iter().copied(), fault);
    let before = |fault: &Diagnostic| count(&mut faults.iter(), fault);
    let is_here = |each: &Diagnostic| {
        each.place.as_ref().is_none_or(|place| wanted.files.iter().any(|file| file.path == place.path))
    };
    faults.iter().any(|fault| is_here(fault) && now(fault) < before(fault))
        && problems.iter().all(|problem| !is_here(problem) || now(problem) <= before(problem))
}

fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body).map_err(|error| refused(400, format!("The request cannot be read: {error}.")))
}

/// Returns the text of a file as it is now; of one that is not there, nothing.
fn text_of(moment: &mut Moment, path: &SourcePath) -> String {
    moment.session.sources().and_then(|sources| sources.text(path)).unwrap_or_default().to_owned()
}

fn with_files(moment: &mut Moment, files: &[FileChange]) -> Sources {
    let sources = moment.session.sources().cloned().unwrap_or_default();
    files.iter().fold(sources, |sources, file| match &file.after {
        Some(bytes) => sources.with(&file.path, bytes),
        None => sources.without(&file.path),
    })
}

/// Checks the site with other files, of which none is written.
fn checked(files: &[FileChange], moment: &mut Moment) -> Outcome {
    files.iter().for_each(|file| moment.session.replace(file.path.clone(), file.after.clone()));
    let outcome = match moment.session.pending() {
        Some(pending) => pending.check(moment.profile),
        None => Outcome {
            site: None,
            artifacts: moment.artifacts.map(|artifacts| Artifacts::clone(artifacts)),
            diagnostics: Vec::new(),
        },
    };
    files.iter().for_each(|file| moment.session.restore(&file.path));
    outcome
}

/// Returns the edit of a text that a change asks for.
fn edit_of(target: &Target, text: &str, change: &Change, value: &Json) -> Result<Edit, Obstacle> {
    let Target { path, spot, .. } = target;
    let not_there = || Refusal("it is no longer there");
    if let Spot::Block { span } = spot {
        let at = blocks::carried(path, &target.base, *span, text).ok_or(not_there())?.start;
        return Ok(blocks::replace(path, text, at, &in_lines_of(text, value.as_str().unwrap_or_default()))?);
    }
    if let Spot::Translated { original, text: of_original, span } = spot {
        let new = in_lines_of(of_original, value.as_str().unwrap_or_default());
        let edited = blocks::replace(original, of_original, span.start, &new)?.apply(of_original);
        let body = |path: &SourcePath, text: &str| match text {
            // It is not there yet.
            "" => Ok((0, String::new())),
            text => content::front_matter::split(path, text).map(|parts| (parts.body_start, parts.body.to_owned())),
        };
        let (_, translated) = body(original, &edited).map_err(|_| not_there())?;
        let (start, body) = body(path, text).map_err(|_| not_there())?;
        if !body.trim().is_empty() {
            return Err(Refusal("the translation has a text by now").into());
        }
        let keys = if text.is_empty() {
            "---\n---\n"
        } else if text[..start].ends_with('\n') {
            ""
        } else {
            "\n"
        };
        let between = if translated.starts_with(['\r', '\n']) { "" } else { "\n" };
        return Ok(Edit { span: Span { start, end: text.len() }, text: format!("{keys}{between}{translated}") });
    }
    if let Spot::Whole = spot {
        let new = in_lines_of(text, value.as_str().unwrap_or_default());
        return Ok(Edit { span: Span { start: 0, end: text.len() }, text: new });
    }
    if let Spot::Body = spot {
        let start = content::front_matter::split(path, text).map_err(|_| not_there())?.body_start;
        let new = in_lines_of(text, value.as_str().unwrap_or_default());
        let end = if text.ends_with('\n') && !new.ends_with('\n') { "\n" } else { "" };
        return Ok(Edit { span: Span { start, end: text.len() }, text: format!("{new}{end}") });
    }
    let Spot::Value { names } = spot else { return Err(refused(400, "This is no value.").into()) };
    let file = File::of(path, text);
    let route = |names: &[Name]| file.as_ref().and_then(|file| targets::route(file, names));
    let file_there = || file.as_ref().ok_or(not_there());
    if let Some(at) = change.remove {
        return Ok(file_there()?.remove_item(&route(names).ok_or(not_there())?, at)?);
    }
    if let Some((from, to)) = change.moved.zip(change.to) {
        return Ok(file_there()?.move_item(&route(names).ok_or(not_there())?, from, to)?);
    }
    if let Some(item) = &change.add {
        let item = fields::value_of(item);
        return Ok(match route(names) {
            Some(route) => file_there()?.add_item(&route, change.at.unwrap_or(usize::MAX), &item)?,
            None => insert(
                path,
                text,
                names,
                &content::yaml::Value::List(vec![Node { value: item, span: Default::default() }]),
            )?,
        });
    }
    Ok(match (route(names), value.is_null()) {
        (Some(_), true) if matches!(names.last(), Some(Name::Number(_))) => {
            return Err(Refusal("an entry of a list cannot be empty. Press “Remove” beside it").into());
        }
        (Some(route), true) => file_there()?.remove_key(&route)?,
        (None, true) => Edit { span: Default::default(), text: String::new() },
        (_, false) => match &change.number {
            Some(spelling) => set_number(path, text, names, spelling)?,
            None => set(path, text, names, &fields::value_of(value))?,
        },
    })
}

/// Writes a value to a key that may be there already.
fn set(path: &SourcePath, text: &str, names: &[Name], value: &content::yaml::Value) -> Result<Edit, Refusal> {
    let file = File::of(path, text);
    match file.as_ref().and_then(|file| Some((file, targets::route(file, names)?))) {
        Some((file, route)) => file.replace(&route, value),
        None => insert(path, text, names, value),
    }
}

/// Writes a number as it is spelled. Anything else is written as a text, and the check says what is wrong with it.
fn set_number(path: &SourcePath, text: &str, names: &[Name], spelling: &str) -> Result<Edit, Refusal> {
    use content::yaml::Value;
    let value = match crate::edit::plain_value(Syntax::of(path, text), spelling) {
        value @ (Value::Integer(_) | Value::Float(_)) => value,
        _ => return set(path, text, names, &Value::Text(spelling.to_owned())),
    };
    let edit = set(path, text, names, &value)?;
    let new = edit.apply(text);
    let spelled = File::of(path, &new).and_then(|file| {
        let Edit { span, text } = file.replace_number(&targets::route(&file, names)?, spelling).ok()?;
        let start = span.start.checked_sub(edit.span.start)?;
        let inside = Edit { span: Span { start, end: span.end.checked_sub(edit.span.start)? }, text };
        Some(Edit { span: edit.span, text: inside.apply(&edit.text) })
    });
    Ok(spelled.unwrap_or(edit))
}

/// Adds a key that a file does not have, which need not be there itself. The mappings around it come with it.
fn insert(path: &SourcePath, text: &str, names: &[Name], value: &content::yaml::Value) -> Result<Edit, Refusal> {
    // A new text has its keys between two lines.
    if text.is_empty() && path.extension() == Some("md") {
        let empty = "---\n---\n";
        let edit = insert(path, empty, names, value)?;
        return Ok(Edit { span: Span::default(), text: edit.apply(empty) });
    }
    let file = File::of(path, text);
    let route = |names: &[Name]| file.as_ref().and_then(|file| targets::route(file, names));
    let there = (0..names.len()).rev().find(|count| route(&names[..*count]).is_some()).unwrap_or(0);
    let (Some(Name::Key(name)), rest) = (names.get(there), &names[there + 1..]) else {
        return Err(Refusal("the part of the file that it belongs to is missing"));
    };
    let value = rest.iter().rev().try_fold(value.clone(), |value, name| match name {
        Name::Key(name) => {
            let key = Key { name: name.clone(), span: Span::default() };
            Ok(content::yaml::Value::Map(vec![(key, Node { value, span: Span::default() })]))
        }
        Name::Number(_) => Err(Refusal("the list that it belongs to is missing")),
    })?;
    match (there, &file) {
        (0, _) => crate::edit::insert::first_or_next(path, text, name, &value),
        (_, Some(file)) => file.insert(&route(&names[..there]).unwrap_or_default(), name, &value),
        (_, None) => Err(Refusal("the file has mistakes, which have to be repaired first")),
    }
}

/// Returns the name of an uploaded picture, and its file. A name that is taken gets a number.
fn picture(upload: &Upload, moment: &mut Moment) -> Result<(String, FileChange), Refused> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(&upload.data);
    let bytes = bytes.map_err(|_| refused(400, "The picture did not arrive complete. Choose it again."))?;
    let (stem, extension) = upload.name.rsplit_once('.').unwrap_or((&upload.name, ""));
    let extension = extension.to_ascii_lowercase();
    if !["jpg", "jpeg", "png", "webp", "avif", "gif", "svg"].contains(&extension.as_str()) {
        return Err(refused(
            422,
            "This is no picture that a page can show. Choose a JPEG, PNG, WebP, AVIF, GIF or SVG file.",
        ));
    }
    let stem = slug::slugify(stem);
    let stem = if stem.is_empty() { "picture".to_owned() } else { stem };
    let sources = moment.session.sources().cloned().unwrap_or_default();
    let names = (1..)
        .map(|number| if number == 1 { format!("{stem}.{extension}") } else { format!("{stem}-{number}.{extension}") });
    let path = |name: &str| SourcePath::new(format!("content/assets/{name}"));
    let is_free = |name: &String| {
        let path = path(name);
        let new = sources.with(&path, &bytes);
        sources.get(&path).is_none_or(|known| new.get(&path).is_some_and(|new| new.digest == known.digest))
    };
    let name = names.into_iter().find(is_free).unwrap_or_default();
    let path = path(&name);
    let bytes: Arc<[u8]> = bytes.into();
    let before = sources.get(&path).map(|_| bytes.clone());
    Ok((name, FileChange { path, before, after: Some(bytes) }))
}

/// Returns a text of a browser, which knows one kind of line end, with those of a file.
fn in_lines_of(file: &str, text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    match file.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n")) {
        true => text.replace('\n', "\r\n"),
        false => text,
    }
}

/// Refuses letters that no text has: most come from a faulty copy of something, and browsers show none of them.
fn readable(value: &Json) -> Result<(), Obstacle> {
    let is_control = |letter: &char| letter.is_control() && !"\n\r\t".contains(*letter);
    match value {
        Json::String(text) => match text.chars().find(is_control) {
            Some(letter) => {
                let code = u32::from(letter);
                let reason = format!(
                    "The text has a sign that nobody can see (U+{code:04X}). Delete it, or write the text anew."
                );
                Err(refused(422, reason).into())
            }
            None => Ok(()),
        },
        Json::Array(items) => items.iter().try_for_each(readable),
        Json::Object(map) => map.values().try_for_each(readable),
        _ => Ok(()),
    }
}

fn line_at(text: &str, line: usize) -> String {
    text.lines().nth(line.saturating_sub(1)).unwrap_or_default().trim().to_owned()
}

/// Returns a problem as the browser shows it.
fn problem(diagnostic: &Diagnostic, sources: &Sources, wanted: &Wanted, was_valid: bool) -> Json {
    let described = diagnostic.problem.describe();
    if wanted.has_picture && described.message.contains("has no `alt`") {
        return json!({
            "code": described.code, "here": true, "text": "", "place": null,
            "message": "Say what the picture shows, for people who cannot see it.",
            "help": "If it shows nothing that matters, switch on “Only decorates the page”.",
        });
    }
    let text_of = |path: &SourcePath| sources.text(path);
    let place = diagnostic.place.as_ref();
    let at = place.and_then(|place| Position::of(sources.text(&place.path)?, place.span?));
    let here = was_valid || place.is_some_and(|place| wanted.files.iter().any(|file| file.path == place.path));
    let named = place.map(|place| match &at {
        Some(at) => format!("{}:{}:{}", place.path, at.line, at.column),
        None => place.path.to_string(),
    });
    json!({
        "code": described.code,
        "message": described.message,
        "help": described.label.or(described.note),
        "text": print(diagnostic, false, &text_of),
        "here": here,
        "place": named,
    })
}
