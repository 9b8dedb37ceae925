//! `sitegen schema --for`: the configurations of content managers have every text of a site, and every key that its schemas require.
//! `tests/cms` opens them in the managers themselves.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SITES: [&str; 7] = [
    "examples/starters/minimal",
    "examples/starters/company",
    "examples/starters/docs",
    "examples/museum",
    "examples/brewery",
    "examples/harbour",
    "",
];

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn sitegen(root: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_sitegen")).args(arguments).arg("--root").arg(root).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn configuration(root: &Path, manager: &str) -> (Value, String) {
    let (code, text, error) = sitegen(root, &["schema", "--for", manager]);
    assert_eq!(code, Some(0), "{}: {error}", root.display());
    let config = match manager {
        "front-matter-cms" => serde_json::from_str(&text).unwrap(),
        _ => serde_yaml::from_str(&text).unwrap(),
    };
    (config, error)
}

/// Returns the paths of the texts of a site that people edit: originals of pages for people, and entries.
fn texts(root: &Path) -> BTreeSet<String> {
    let walk = walkdir::WalkDir::new(root.join("content")).into_iter().flatten().filter(|entry| entry.path().is_file());
    let name = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let is_text = |path: &String| {
        let is_document = [".md", ".yaml"].iter().any(|end| path.ends_with(end));
        let is_other =
            ["content/assets/", "content/public/", "content/schemas/"].iter().any(|start| path.starts_with(start));
        let stem = path.rsplit('/').next().unwrap().rsplit_once('.').unwrap().0;
        // Translations, and files such as feeds, have another part before their extension.
        is_document && !is_other && !path.contains('[') && !stem.contains('.')
    };
    walk.map(|entry| name(entry.path())).filter(is_text).collect()
}

/// Returns the texts that a configuration of Decap's family has.
fn texts_of_decap(config: &Value, all: &BTreeSet<String>) -> BTreeSet<String> {
    let mut edited = BTreeSet::new();
    for collection in config["collections"].as_array().unwrap() {
        for file in collection["files"].as_array().into_iter().flatten() {
            edited.insert(file["file"].as_str().unwrap().replace(".{{locale}}", ""));
        }
        if let Some(folder) = collection["folder"].as_str() {
            let extension = collection["extension"].as_str().unwrap();
            let is_in = |path: &&String| {
                let below = path.strip_prefix(folder).and_then(|path| path.strip_prefix('/'));
                below.is_some_and(|name| !name.contains('/') && name.ends_with(&format!(".{extension}")))
            };
            edited.extend(all.iter().filter(is_in).cloned());
        }
    }
    edited
}

#[test]
fn every_text_of_a_site_can_be_edited() {
    for site in SITES {
        let root = repository().join(site);
        let all = texts(&root);
        assert!(all.len() > 2, "{site}");
        for manager in ["decap", "sveltia"] {
            let (config, error) = configuration(&root, manager);
            let missing: Vec<&String> =
                all.iter().filter(|path| !texts_of_decap(&config, &all).contains(*path)).collect();
            assert!(missing.is_empty(), "{manager} {site}: {missing:?}");
            assert!(!error.contains("left out"), "{manager} {site}: {error}");
        }
        let (config, _) = configuration(&root, "pages-cms");
        let items = config["content"].as_array().unwrap().iter();
        let items = items.flat_map(|item| item["items"].as_array().cloned().unwrap_or_else(|| vec![item.clone()]));
        let paths: Vec<String> = items.map(|item| item["path"].as_str().unwrap().to_owned()).collect();
        let is_in = |path: &&String| {
            paths.iter().any(|known| known == *path || path.rsplit_once('/').is_some_and(|(folder, _)| folder == known))
        };
        assert_eq!(
            all.iter().filter(|path| !is_in(path)).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "pages-cms {site}"
        );
        let (config, _) = configuration(&root, "front-matter-cms");
        let text = config.to_string();
        let is_in = |path: &&String| {
            let folder = path.rsplit_once('/').unwrap().0;
            [*path, folder].iter().any(|path| text.contains(&format!("\"[[workspace]]/{path}\"")))
        };
        assert_eq!(
            all.iter().filter(|path| !is_in(path)).collect::<Vec<_>>(),
            Vec::<&String>::new(),
            "front matter {site}"
        );
    }
}

#[test]
fn every_key_that_a_schema_requires_is_asked_for() {
    let mut count = 0;
    for site in SITES {
        let root = repository().join(site);
        let (config, _) = configuration(&root, "decap");
        let folders = config["collections"].as_array().unwrap().iter();
        let folders: BTreeMap<&str, &Value> = folders
            .filter_map(|each| Some((each["folder"].as_str()?.strip_prefix("content/")?, &each["fields"])))
            .collect();
        for (name, fields) in folders {
            let Ok(schema) = fs::read_to_string(root.join(format!("content/schemas/{name}.schema.json"))) else {
                continue;
            };
            let schema: Value = serde_json::from_str(&schema).unwrap();
            // Where translations lie among their originals, no key can be required.
            let has_translations = site == "examples/museum";
            for key in schema["required"].as_array().into_iter().flatten() {
                let field = fields.as_array().unwrap().iter().find(|field| field["name"] == *key);
                let field = field.unwrap_or_else(|| panic!("{site}: {name} has no {key}"));
                let is_switch = field["widget"] == "boolean";
                assert_eq!(field["required"], !has_translations && !is_switch, "{site}: {name} {key}");
                count += 1;
            }
        }
    }
    assert!(count > 20, "{count} keys are too few to prove anything");
}

#[test]
fn translations_are_edited_with_their_originals_where_the_manager_knows_them() {
    let root = repository().join("examples/museum");
    let (config, _) = configuration(&root, "sveltia");
    assert_eq!(config["i18n"]["locales"], serde_json::json!(["en", "de", "ar"]));
    let collections = config["collections"].as_array().unwrap();
    let works = collections.iter().find(|each| each["name"] == "works").unwrap();
    let field = |name: &str| works["fields"].as_array().unwrap().iter().find(|field| field["name"] == name).unwrap();
    assert_eq!(
        (&field("summary")["i18n"], &field("summary")["required"]),
        (&Value::Bool(true), &serde_json::json!(["en"]))
    );
    assert_eq!(field("room").get("i18n"), None);
    assert_eq!(
        (&field("exhibition")["widget"], &field("exhibition")["collection"]),
        (&"relation".into(), &"exhibitions".into())
    );
    assert_eq!((&field("picture")["widget"], &works["public_folder"]), (&"image".into(), &"".into()));
    let site = &collections[0]["files"];
    assert_eq!((site.as_array().unwrap().len(), &site[0]["file"]), (1, &"content/site.{{locale}}.yaml".into()));
    // Decap CMS wants the language of the originals in their names.
    let (config, _) = configuration(&root, "decap");
    assert_eq!(config.get("i18n"), None);
    assert_eq!(config["collections"][0]["files"].as_array().unwrap().len(), 3);
}

#[test]
fn what_a_manager_cannot_edit_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("content/site.yaml", "url: https://www.bakery.test\nlanguage: en\nname: Bakery\n");
    write("content/prices.csv", "name,price\nRye,4.80\n");
    write("content/jobs.yaml", "- title: Baker\n");
    let left_out = |manager: &str| {
        let (_, error) = configuration(folder.path(), manager);
        error.lines().filter_map(|line| line.strip_prefix("left out: ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(left_out("decap"), ["content/jobs.yaml: a list without a name", "content/prices.csv: a table"]);
    assert_eq!(left_out("sveltia"), ["content/prices.csv: a table"]);
    assert_eq!(left_out("pages-cms"), Vec::<String>::new());
    assert_eq!(left_out("front-matter-cms"), ["content/prices.csv: a table"]);
    // A file that cannot be read is reported as a build does.
    write("content/site.yaml", "url: https://www.bakery.test\nname: [\n");
    let (code, text, error) = sitegen(folder.path(), &["schema", "--for", "decap"]);
    assert_eq!((code, text.as_str()), (Some(1), ""));
    assert!(error.contains("content/site.yaml:"), "{error}");
}
