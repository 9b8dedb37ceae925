//! `sitegen translations import`: writes the translations of a PO file into the content.
//!
//! 1. Every entry is [checked](check) against the text that it translates.
//! 2. The files are [edited](edited) in memory.
//! 3. The whole site is checked with them. An error in a translation is reported at its entry.
//! 4. The files are written. With an error, or with `--dry-run`, none is.

mod check;
mod edited;

use super::super::fix::print_diff;
use super::super::project::{self, Project};
use super::super::{BUILT, signals};
use super::export::{context_of, ids_of};
use super::po::{Entry, Mistake, PoFile};
use super::{Site, failed};
use crate::cache::Cache;
use crate::content::languages::Languages;
use crate::content::plural_forms::PluralForms;
use crate::content::primary;
use crate::content::texts::{Rules, Text, TextPlace, blocks};
use crate::content::translated::Translation;
use crate::diagnostics::{Diagnostic, LanguageProblem, Place, Severity, Span, message};
use crate::disk::{Original, create};
use crate::paths::SourcePath;
use crate::sources::Sources;
use clap::Args;
use edited::Edited;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// The PO file, like de.po
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The language of the file [default: the one that its header names]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Print the changes as a diff, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    pub project: project::Arguments,
}

/// Runs the command and returns its exit code.
pub fn run(arguments: &Arguments) -> u8 {
    signals::heed();
    let name = arguments.file.display().to_string();
    let bytes = match std::fs::read(&arguments.file) {
        Ok(bytes) => bytes,
        Err(error) => return failed("read", &name, error.to_string()),
    };
    let project = match Project::open(&arguments.project) {
        Ok(project) => project,
        Err(code) => return code,
    };
    let path = SourcePath::new(&name);
    let sources = project.sources().clone();
    let with_file = sources.with(&path, &bytes);
    let refuse = |detail: String, span: Span| {
        let problem = LanguageProblem::PoFile { detail };
        let diagnostics = vec![Diagnostic::new(problem, Place::new(&path, span))];
        arguments.project.reporting.report(diagnostics, &with_file, "; nothing was written")
    };
    let Ok(text) = std::str::from_utf8(&bytes) else {
        return refuse("it is not UTF-8; save it as UTF-8 first".to_owned(), Span::default());
    };
    let file = match PoFile::read(text) {
        Ok(file) => file,
        Err(Mistake { detail, span }) => return refuse(detail, span),
    };
    let named = file.header("Language").map(|tag| tag.replace('_', "-")).filter(|tag| !tag.is_empty());
    let Some(tag) = arguments.language.clone().or(named) else {
        return refuse("its header names no language; `--language` says which one it is".to_owned(), Span::default());
    };
    let tag = match &arguments.language {
        Some(_) => tag,
        None => declared(&tag, &Languages::of(&sources, &Cache::default())).unwrap_or(tag),
    };
    let site = match Site::of(sources, Some(&tag)) {
        Ok(site) => site,
        Err(code) => return code,
    };
    site.with_rules(|translations, rules| {
        let import = Import {
            arguments,
            project: &project,
            site: &site,
            path: &path,
            with_file: &with_file,
            translations,
            rules,
        };
        import.run(&file)
    })
}

/// Returns the language of the site that the header of a file names: programs of translators write `pl_PL` for `pl`, `zh_TW` for
/// `zh-Hant`, and `sr@latin` for `sr-Latn`. `None` if it may be several.
fn declared(named: &str, languages: &Languages) -> Option<String> {
    let scripts = [("@latin", "-latn"), ("@cyrillic", "-cyrl"), ("@arabic", "-arab"), ("@devanagari", "-deva")];
    let mut tag = named.to_ascii_lowercase();
    for (script, written) in scripts {
        tag = tag.replace(script, written);
    }
    let tag = match tag.as_str() {
        "zh-cn" | "zh-sg" if !has(&tag, languages) => "zh-hans".to_owned(),
        "zh-tw" | "zh-hk" | "zh-mo" if !has(&tag, languages) => "zh-hant".to_owned(),
        _ => tag,
    };
    let others = languages.all().get(1..).unwrap_or_default();
    // Without its last parts, as far as the site has that.
    let mut shorter = Some(tag.as_str());
    while let Some(tag) = shorter {
        if let Some(language) = others.iter().find(|language| language.tag.eq_ignore_ascii_case(tag)) {
            return Some(language.tag.clone());
        }
        shorter = tag.rsplit_once(['-', '@']).map(|(tag, _)| tag);
    }
    let mut related = others.iter().filter(|language| primary(&language.tag) == primary(&tag));
    related.next().filter(|_| related.next().is_none()).map(|language| language.tag.clone())
}

fn has(tag: &str, languages: &Languages) -> bool {
    languages.all().iter().any(|language| language.tag.eq_ignore_ascii_case(tag))
}

/// Everything that an import is about.
struct Import<'a> {
    arguments: &'a Arguments,
    project: &'a Project,
    site: &'a Site,
    /// The PO file.
    path: &'a SourcePath,
    /// The files of the project, and the PO file.
    with_file: &'a Sources,
    translations: &'a [Translation<'a>],
    rules: Rules<'a>,
}

/// The entries of texts: by the number of a translation and of a text in it.
type Accepted<'e> = BTreeMap<(usize, usize), &'e Entry>;

impl Import<'_> {
    fn run(&self, file: &PoFile) -> u8 {
        let (accepted, mut diagnostics) = self.accepted(file);
        let mut edits: Vec<(usize, Edited)> = Vec::new();
        for (number, translation) in self.translations.iter().enumerate() {
            let of = |text: usize| accepted.get(&(number, text)).copied();
            if !(0..translation.texts.all.len()).any(|text| of(text).is_some()) {
                continue;
            }
            match edited::edited(translation, self.site.text(translation), &of) {
                Ok(edited) => edits.push((number, edited)),
                Err((entry, reason)) => diagnostics.push(self.refused(entry, reason)),
            }
        }
        let written: Vec<&(usize, Edited)> = edits.iter().filter(|(_, edited)| edited.is_changed()).collect();
        let mut sources = self.project.sources().clone();
        for (number, edited) in &written {
            sources = sources.with(&self.translations[*number].path, edited.text.as_bytes());
        }
        let has_errors = |diagnostics: &[Diagnostic]| diagnostics.iter().any(|each| each.severity != Severity::Warning);
        if !has_errors(&diagnostics) && !written.is_empty() {
            let arguments = &self.arguments.project;
            let before = self.project.check(arguments, self.project.sources(), true).diagnostics;
            if has_errors(&before) {
                let end = "; nothing was written, because the site has errors without the translations";
                return arguments.reporting.report(before, self.project.sources(), end);
            }
            let after = self.project.check(arguments, &sources, true).diagnostics;
            let errors = after.into_iter().filter(|each| each.severity != Severity::Warning);
            diagnostics.extend(errors.map(|error| self.placed(error, &edits, &accepted)));
        }
        let reporting = &self.arguments.project.reporting;
        let shown = written.iter().fold(self.with_file.clone(), |all, (number, edited)| {
            all.with(&self.translations[*number].path, edited.text.as_bytes())
        });
        if has_errors(&diagnostics) {
            return reporting.report(diagnostics, &shown, "; nothing was written");
        }
        let code = reporting.report(diagnostics, &shown, "");
        self.write(file, &written, &edits, &sources).max(code)
    }

    /// Returns the entries that translate a text, and what is wrong with others.
    fn accepted<'e>(&self, file: &'e PoFile) -> (Accepted<'e>, Vec<Diagnostic>) {
        let mut units: BTreeMap<(String, String), Vec<(usize, usize)>> = BTreeMap::new();
        let mut contexts = BTreeSet::new();
        for (number, translation) in self.translations.iter().enumerate() {
            for (text_number, text) in translation.texts.all.iter().enumerate() {
                let context = context_of(translation, text);
                contexts.insert(context.clone());
                units.entry((context, ids_of(text).0)).or_default().push((number, text_number));
            }
        }
        let (mut accepted, mut diagnostics) = (Accepted::new(), Vec::new());
        let mut earlier: BTreeMap<(&Option<String>, &str), &Entry> = BTreeMap::new();
        for entry in file.entries.iter().filter(|entry| !entry.is_fuzzy && entry.is_translated()) {
            let first = *earlier.entry((&entry.context, &entry.id)).or_insert(entry);
            if first.strings != entry.strings {
                diagnostics
                    .push(self.refused(entry, "the file has another translation of this text before".to_owned()));
                continue;
            }
            let context = entry.context.clone().unwrap_or_default();
            let Some(places) = units.get(&(context.clone(), entry.id.clone())) else {
                let is_known = contexts.contains(&context);
                let problem = LanguageProblem::SkippedTranslation { context, is_known };
                diagnostics.push(Diagnostic::new(problem, Place::new(self.path, entry.span)));
                continue;
            };
            let reason = places.first().and_then(|(number, text)| {
                let translation = &self.translations[*number];
                let forms = PluralForms::of(&translation.language.tag);
                check::mistake(&translation.texts.all[*text], entry, translation.language, &forms)
            });
            match reason {
                Some(reason) => diagnostics.push(self.refused(entry, reason)),
                None => accepted.extend(places.iter().map(|place| (*place, entry))),
            }
        }
        (accepted, diagnostics)
    }

    fn refused(&self, entry: &Entry, reason: String) -> Diagnostic {
        let context = entry.context.clone().unwrap_or_default();
        Diagnostic::new(LanguageProblem::RefusedTranslation { context, reason }, Place::new(self.path, entry.span))
    }

    /// Moves an error in a translation to the entry that it comes from.
    fn placed(&self, error: Diagnostic, edits: &[(usize, Edited)], accepted: &Accepted) -> Diagnostic {
        let entry = error.place.as_ref().and_then(|place| {
            let (number, edited) = edits.iter().find(|(number, _)| self.translations[*number].path == place.path)?;
            let text = self.text_at(&self.translations[*number], edited, place.span?.start)?;
            accepted.get(&(*number, text))
        });
        match entry {
            Some(entry) => self.refused(entry, message(&error.problem)),
            None => error,
        }
    }

    /// Returns the number of the text whose translation has a byte of an edited file.
    fn text_at(&self, translation: &Translation, edited: &Edited, at: usize) -> Option<usize> {
        let texts = self.rules.texts(&translation.path, &edited.text);
        let has = |span: Span| span.start <= at && at <= span.end;
        let all = &translation.texts.all;
        let of_key = texts.all.iter().find(|text| matches!(text.place, TextPlace::Key { .. }) && has(text.span));
        if let Some(found) = of_key {
            return all.iter().position(|text: &Text| text.place == found.place);
        }
        let (body, start) = texts.body.as_ref()?;
        let number = blocks(body).iter().position(|block| has(block.span.shifted(*start)))?;
        let (original, start) = translation.texts.body.as_ref()?;
        let begin = blocks(original).get(number)?.span.start + start;
        all.iter().position(|text| matches!(text.place, TextPlace::Block { .. }) && text.span.start == begin)
    }

    /// Writes the files and says what was done. Returns the exit code.
    fn write(&self, file: &PoFile, written: &[&(usize, Edited)], edits: &[(usize, Edited)], sources: &Sources) -> u8 {
        let root = &self.arguments.project.root;
        let is_talkative = self.arguments.project.is_talkative();
        if self.arguments.dry_run {
            for (number, _) in written {
                print_diff(&self.translations[*number].path, self.project.sources(), sources);
            }
        } else {
            let open = |number: usize| {
                let translation = &self.translations[number];
                let own = translation.own.as_ref();
                own.map(|own| Original::of(root, &translation.path, &own.text)).transpose()
            };
            let mut originals = Vec::new();
            for (number, edited) in written {
                let path = &self.translations[*number].path;
                match open(*number) {
                    Ok(original) => originals.push((path, edited, original)),
                    Err(reason) => return failed("write", path.as_str(), reason),
                }
            }
            for (path, edited, original) in originals {
                let done = match original {
                    Some(original) => original.replace(&edited.text),
                    None => create(root, path, &edited.text),
                };
                if let Err(reason) = done {
                    return failed("write", path.as_str(), reason);
                }
            }
        }
        if is_talkative {
            self.report(file, written, edits);
        }
        BUILT
    }

    fn report(&self, file: &PoFile, written: &[&(usize, Edited)], edits: &[(usize, Edited)]) {
        for (number, edited) in edits {
            let path = &self.translations[*number].path;
            edited.open.iter().for_each(|open| print_line!("{path}: {open}"));
        }
        let count = |number: usize, word: &str| format!("{number} {word}{}", if number == 1 { "" } else { "s" });
        let is_open = |entry: &&Entry| entry.is_fuzzy || !entry.is_translated();
        let open = file.entries.iter().filter(is_open).count();
        let texts = written.iter().map(|(_, edited)| edited.texts).sum();
        let done = if self.arguments.dry_run { "would write" } else { "wrote" };
        print_line!("{done} {} to {}", count(texts, "text"), count(written.len(), "file"));
        if open > 0 {
            let word = if open == 1 { "entry is" } else { "entries are" };
            print_line!("{open} {word} without a translation, or marked as fuzzy");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_name_languages_as_programs_of_translators_do() {
        let of = |tags: &[&str], named: &str| {
            let all: String = tags.iter().map(|tag| format!("  {tag}: {{}}\n")).collect();
            let site = format!("url: https://www.a.test\nlanguage: en\nname: A\nlanguages:\n{all}");
            let sources = Sources::from_files([("content/site.yaml".to_owned(), site)]);
            declared(named, &Languages::of(&sources, &Cache::default())).unwrap_or_default()
        };
        assert_eq!(of(&["de", "pl"], "pl-PL"), "pl");
        assert_eq!(of(&["sr", "sr-Latn"], "sr@latin"), "sr-Latn");
        assert_eq!(of(&["zh-Hans", "zh-Hant"], "zh-TW"), "zh-Hant");
        assert_eq!(of(&["zh-TW", "zh-CN"], "zh-TW"), "zh-TW");
        assert_eq!(of(&["pt-BR", "pt-PT"], "pt-BR"), "pt-BR");
        assert_eq!(of(&["pt-BR"], "pt"), "pt-BR");
        assert_eq!(of(&["pt-BR", "pt-PT"], "pt"), "");
        assert_eq!(of(&["de"], "fr-FR"), "");
    }
}
