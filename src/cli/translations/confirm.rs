//! `sitegen translations confirm`: writes the version of its original into a translation.

use super::super::{BUILT, USAGE};
use super::{Of, Site, cells, failed, path_in};
use crate::content::fingerprint::Fingerprint;
use crate::content::translated::{TRANSLATES, Translation};
use crate::content::yaml::Value;
use crate::disk::Original;
use crate::edit::tree::Data;
use crate::edit::{File, Refusal, insert};
use crate::paths::SourcePath;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Arguments {
    /// Translations that are right, like content/pages/about.de.md
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The project folder, which contains content/
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,
}

/// Runs the command and returns its exit code. Every file is edited in memory before the first one is written.
pub fn run(arguments: &Arguments) -> u8 {
    let Arguments { files, root } = arguments;
    let mut site = match Site::open(&Of { root: root.clone(), language: None }) {
        Ok(site) => site,
        Err(code) => return code,
    };
    let path_of = |file: &PathBuf| path_in(root, file).unwrap_or_else(|| SourcePath::new(file.display().to_string()));
    site.files = Some(files.iter().map(path_of).collect());
    site.with_translations(|translations| {
        let mut edits: Vec<(SourcePath, String, Original)> = Vec::new();
        for file in files {
            let path = path_of(file);
            let found =
                translations.iter().find(|each| each.path == path).and_then(|each| Some((each, each.own.as_ref()?)));
            let Some((translation, own)) = found else {
                print_error!("{path} is no translation of a file of this project");
                return USAGE;
            };
            let text = match confirmed(translation, &own.text, &|_| true) {
                Ok(text) => text,
                Err(Refusal(reason)) => return failed("edit", path.as_str(), reason.to_owned()),
            };
            match Original::of(root, &path, &own.text) {
                Ok(original) => edits.push((path, text, original)),
                Err(reason) => return failed("edit", path.as_str(), reason),
            }
        }
        for (path, text, original) in &edits {
            if original.has(text) {
                print_line!("{path} is of the present version already");
            } else if let Err(reason) = original.replace(text) {
                return failed("write", path.as_str(), reason);
            } else {
                print_line!("confirmed {path}");
            }
        }
        BUILT
    })
}

/// Returns the text of a translation with the present version of its original, of each entry that is asked for.
pub fn confirmed(
    translation: &Translation,
    text: &str,
    is_meant: &dyn Fn(Option<&str>) -> bool,
) -> Result<String, Refusal> {
    let path = &translation.path;
    let version_of = |entry: Option<&str>| Fingerprint::of(translation.texts.of(entry)).to_string();
    if path.extension() == Some("csv") {
        return cells::with_values(path, text, TRANSLATES, &|entry| {
            let is_known = is_meant(Some(entry)) && translation.texts.entry(Some(entry)).is_some();
            is_known.then(|| version_of(Some(entry)))
        });
    }
    let mut text = text.to_owned();
    let entries: Vec<Option<String>> = match translation.texts.data.first() {
        Some((Some(_), _)) => translation.texts.data.iter().map(|(entry, _)| entry.clone()).collect(),
        _ => vec![None],
    };
    for entry in entries.iter().filter(|entry| is_meant(entry.as_deref())) {
        let value = Value::Text(version_of(entry.as_deref()));
        let Some(route) = route_of(path, &text, entry.as_deref()) else { continue };
        let edit = match File::of(path, &text) {
            None => insert::first_or_next(path, &text, TRANSLATES, &value)?,
            Some(file) => {
                let map = file.root().at(&route);
                let known = map.and_then(|map| {
                    map.entries().iter().position(|(key, _)| key.scalar().is_some_and(|key| key.text == TRANSLATES))
                });
                match known {
                    Some(number) => {
                        let route: Vec<usize> = route.iter().copied().chain([number]).collect();
                        if file
                            .root()
                            .at(&route)
                            .and_then(|item| item.scalar())
                            .is_some_and(|old| Value::Text(old.text.clone()) == value)
                        {
                            continue;
                        }
                        file.replace(&route, &value)?
                    }
                    None if route.is_empty() => insert::first_or_next(path, &text, TRANSLATES, &value)?,
                    None => file.insert(&route, TRANSLATES, &value)?,
                }
            }
        };
        text = edit.apply(&text);
    }
    Ok(text)
}

/// Returns where the keys of an entry are in a file, or those of the file. `None` if it does not have the entry.
pub fn route_of(path: &SourcePath, text: &str, entry: Option<&str>) -> Option<Vec<usize>> {
    let Some(entry) = entry else { return Some(Vec::new()) };
    let file = File::of(path, text)?;
    let root = file.root();
    let slug_of = |item: &crate::edit::tree::Item| {
        let key = |name: &str| {
            let entries = item.entries().iter();
            let found = entries.filter(|(key, _)| key.scalar().is_some_and(|key| key.text == name));
            found.filter_map(|(_, value)| value.scalar()).map(|value| value.text.clone()).next()
        };
        key("slug").or_else(|| ["id", "name", "title"].into_iter().find_map(key).map(slug::slugify))
    };
    let in_list = |items: &[crate::edit::tree::Item]| {
        items.iter().position(|item| slug_of(item).is_some_and(|slug| slug == entry))
    };
    match &root.data {
        Data::List { items, .. } => in_list(items).map(|number| vec![number]),
        Data::Map { entries, .. } => {
            if let [(_, value)] = &entries[..]
                && let Data::List { items, .. } = &value.data
            {
                return in_list(items).map(|number| vec![0, number]);
            }
            let named = entries.iter().position(|(key, _)| key.scalar().is_some_and(|key| key.text == entry));
            named.map(|number| vec![number])
        }
        _ => None,
    }
}
