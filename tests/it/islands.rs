//! What islands are prerendered to: what React renders in Node, and the same however calls follow on each other.

use sitegen::islands::{Call, Islands, compile, prerender};
use sitegen::profile::Profile;
use sitegen::sources::Sources;
use sitegen::tools::DiskTools;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A project with the runtime and the packages of this repository, and these islands.
fn project(islands: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    std::fs::create_dir_all(root.join("islands/runtime")).unwrap();
    for entry in std::fs::read_dir(repository().join("crates/islands/src/runtime")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), root.join("islands/runtime").join(entry.file_name())).unwrap();
    }
    std::os::unix::fs::symlink(repository().join("node_modules"), root.join("node_modules")).unwrap();
    for (name, text) in islands {
        std::fs::write(root.join("islands").join(name), text).unwrap();
    }
    folder
}

fn compiled(root: &Path) -> (Sources, Islands, DiskTools) {
    compiled_for(root, &Profile::default())
}

fn compiled_for(root: &Path, profile: &Profile) -> (Sources, Islands, DiskTools) {
    let sources = sitegen::sources::read(root).value.expect("the files can be read");
    let tools = DiskTools::of(root);
    let islands = compile(&sources, profile, &tools);
    assert!(islands.value.is_some(), "{:?}", islands.diagnostics);
    (sources, islands.value.unwrap(), tools)
}

fn call(component: &str, props: &str, prefix: &str) -> Call {
    Call { component: component.to_owned(), props: props.to_owned(), prefix: prefix.to_owned(), only: false }
}

/// The HTML of the only island, called without props.
fn rendered(root: &Path, profile: &Profile) -> Result<String, sitegen::diagnostics::Diagnostic> {
    let (sources, islands, tools) = compiled_for(root, profile);
    let call = call(islands.prerenderers.keys().next().unwrap(), "{}", "i0-");
    prerender(&sources, &islands, BTreeSet::from([call.clone()]), &tools).remove(&call).unwrap()
}

/// What builds of a project report.
fn report(root: &Path) -> String {
    let arguments = ["build", "--out", "dist", "--now", "2026-12-01"];
    let output = Command::new(env!("CARGO_BIN_EXE_sitegen")).args(arguments).current_dir(root).output().unwrap();
    String::from_utf8(output.stderr).unwrap()
}

/// Adds a site with one page that uses an island.
fn with_page(root: &Path, settings: &str, island: &str) {
    let site = format!(
        "url: https://www.hollowoven.test\nlanguage: en\nname: Hollow Oven\nemail: a@hollowoven.test\n{settings}"
    );
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{{{{ page.title }}}}</title>\n\
         </head>\n<body>\n<main>\n<h1>{{{{ page.title }}}}</h1>\n{{{{ island(component=\"{island}\") }}}}\n</main>\n</body>\n</html>\n"
    );
    for (path, text) in [
        ("content/site.yaml", site.as_str()),
        ("content/pages/index.yaml", "title: Hollow Oven\n"),
        ("templates/pages/page.html", &page),
    ] {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// Packages may name their classes otherwise in development. Browsers get React's development build then.
#[test]
fn islands_are_prerendered_as_what_browsers_get() {
    let text = "export default function Kind() { return <p className={process.env.NODE_ENV}>kind</p>; }";
    let folder = project(&[("Kind.tsx", text)]);
    for (development, name) in [(false, "production"), (true, "development")] {
        let profile = Profile { development, ..Profile::default() };
        assert_eq!(rendered(folder.path(), &profile).unwrap(), format!("<p class=\"{name}\">kind</p>"));
    }
}

#[test]
fn a_budget_that_islands_exceed_names_their_packages() {
    let folder = project(&[("Order.tsx", "export default function Order() { return <p>Bread</p>; }")]);
    with_page(folder.path(), "settings:\n  budgets:\n    js: 40\n", "Order");
    let report = report(folder.path());
    assert!(report.contains("error[over-budget]: the page loads") && report.contains("of JavaScript"), "{report}");
    let note = report.split("= note: ").nth(1).unwrap_or_default().replace("\n    ", " ");
    assert!(note.starts_with("before compression, it is react-dom ") && note.contains(", islands "), "{report}");
    assert!(note.contains("; loaded by the island `Order` (`visible`)"), "{report}");
}

/// The script that waits for an interaction is made although no template has the word.
#[test]
fn content_may_decide_when_an_island_is_hydrated() {
    let folder = project(&[("Order.tsx", "export default function Order() { return <button>Bread</button>; }")]);
    let root = folder.path();
    with_page(root, "", "Order");
    let template = root.join("templates/pages/page.html");
    let text = std::fs::read_to_string(&template).unwrap();
    let page_of = |hydrate: &str, keys: &str| {
        let hydrated = text.replace("\"Order\")", &format!("\"Order\", hydrate={hydrate})"));
        std::fs::write(&template, hydrated).unwrap();
        std::fs::write(root.join("content/pages/index.yaml"), format!("title: Hollow Oven\n{keys}")).unwrap();
        let said = report(root);
        let page = std::fs::read_to_string(root.join("dist/index.html")).expect(&said);
        let (main, scripts) = page.split_once("</main>").unwrap();
        let hydrate = main.split("data-hydrate=").nth(1).unwrap().split(' ').next().unwrap();
        (hydrate.to_owned(), scripts.to_owned())
    };
    for hydration in ["interaction", "only"] {
        let written = page_of(&format!("\"{hydration}\""), "");
        assert!(written.1.contains("<script"), "{written:?}");
        assert_eq!(page_of("page.when", &format!("when: {hydration}\n")), written);
    }
}

/// What an island shares with others, imports later and is loaded by is listed, and nothing for what no page loads.
#[test]
fn what_an_island_costs_is_listed() {
    let island = "import { useState } from \"react\";\nexport default () => <p>{useState(1)[0]}</p>;\n";
    let later = "import { Suspense, lazy } from \"react\";\nconst Map = lazy(() => import(\"./parts/Map\"));\n\
                 export default () => <Suspense><Map /></Suspense>;\n";
    let folder =
        project(&[("Order.tsx", island), ("Basket.tsx", later), ("Legend.tsx", island), ("Unused.tsx", island)]);
    let root = folder.path();
    std::fs::create_dir_all(root.join("islands/parts")).unwrap();
    std::fs::write(root.join("islands/parts/Map.tsx"), "export default () => <p>Map</p>;\n").unwrap();
    with_page(root, "", "Order");
    let path = root.join("templates/pages/page.html");
    let calls = "{{ island(component=\"Order\", hydrate=\"load\") }}\n{{ island(component=\"Basket\", hydrate=\"idle\") }}\n\
                 {{ island(component=\"Basket\", hydrate=\"only\") }}\n{{ island(component=\"Legend\", hydrate=\"never\") }}\n";
    let template = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, template.replace("</main>", &format!("{calls}</main>"))).unwrap();
    let list = || {
        let arguments = ["build", "-v", "--out", "dist", "--now", "2026-12-01"];
        let output = Command::new(env!("CARGO_BIN_EXE_sitegen")).args(arguments).current_dir(root).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        text.lines().filter(|line| line.contains("  island ")).map(str::to_owned).collect::<Vec<_>>()
    };
    let fresh = list();
    let [basket, legend, order, unused] = fresh.as_slice() else { panic!("{fresh:?}") };
    assert!(basket.contains("shared with Order; ") && basket.contains(" B more imported later; "), "{basket}");
    assert!(basket.ends_with("loaded on `idle`, `only`"), "{basket}");
    assert!(order.contains("shared with Basket; ") && order.ends_with("loaded on `load`, `visible`"), "{order}");
    assert!(!order.contains("later") && order.contains("react-dom "), "{order}");
    assert!(legend.trim_start().starts_with("0 B  island Legend: nothing is loaded"), "{legend}");
    assert_eq!(unused.trim(), "0 B  island Unused: no page calls it");
    // What is read from the snapshot is the same.
    assert_eq!(list(), fresh);
}

#[test]
fn a_key_in_a_package_is_reported_at_the_island_that_imports_it() {
    let island =
        "import { key } from \"mailer\";\nexport default function Order() { return <p title={key}>Bread</p>; }";
    let folder = project(&[("Order.tsx", island), ("Kind.tsx", "export default () => <p>Kind</p>;")]);
    let packages = folder.path().join("node_modules");
    std::fs::remove_file(&packages).unwrap();
    std::fs::create_dir_all(packages.join("mailer")).unwrap();
    let needed = ["react", "react-dom", "scheduler", "esbuild", "@esbuild"];
    let needed = needed.map(|name| repository().join("node_modules").join(name));
    assert!(Command::new("cp").arg("-r").args(needed).arg(&packages).status().unwrap().success());
    std::fs::write(packages.join("mailer/package.json"), "{ \"main\": \"index.js\" }").unwrap();
    for (key, is_secret) in [("pk_live_4eC39HqLyjWDarjtT1zdp7dc", false), ("sk_live_4eC39HqLyjWDarjtT1zdp7dc", true)] {
        std::fs::write(packages.join("mailer/index.js"), format!("export const key = \"{key}\";")).unwrap();
        with_page(folder.path(), "", "Order");
        let report = report(folder.path()).replace("\n  ", " ");
        let expected = "error[secret]: a package that this island imports contains what looks like a secret key for Stripe: \
                        `sk_live_…` --> islands/Order.tsx ";
        assert_eq!(report.contains(expected), is_secret, "{report}");
        assert_eq!(report.contains("error"), is_secret, "{report}");
    }
}

/// Calls in all sizes of batches give what each gives alone.
#[test]
fn no_call_can_change_another() {
    let text = r#"
        let calls = 0;
        const known: string[] = [];
        export default function Leaks({ n }: { n: number }) {
          const seen: string[] = [];
          for (const key in "" as any) seen.push(key);
          const global = globalThis as any;
          const html = <p>{[n, calls++, known.length, seen.join(), global.leak, ([] as any).leak, `${{}}`].map(String).join("|")}</p>;
          known.push("x");
          if (n % 29 === 3) Object.defineProperty(String.prototype, "at", { enumerable: true });
          if (n % 31 === 5) global.leak = n;
          if (n % 37 === 6) (Array.prototype as any).leak = n;
          if (n % 41 === 7) Object.prototype.toString = () => "changed";
          if (n % 43 === 8) queueMicrotask(() => (global.leak = "later"));
          return html;
        }
    "#;
    let folder = project(&[("Leaks.tsx", text)]);
    let (sources, islands, _) = compiled(folder.path());
    for count in [1, 2, 3, 64, 65, 300] {
        // A cache of its own for every round.
        let cache = tempfile::tempdir().unwrap();
        let tools = DiskTools::of(cache.path());
        let calls: BTreeSet<Call> = (0..count).map(|n| call("Leaks", &format!("{{\"n\":{n}}}"), "i0-")).collect();
        let rendered = prerender(&sources, &islands, calls.clone(), &tools);
        for n in 0..count {
            let html = rendered[&call("Leaks", &format!("{{\"n\":{n}}}"), "i0-")].as_ref().unwrap();
            assert_eq!(html, &format!("<p>{n}|0|0||undefined|undefined|[object Object]</p>"), "{count} calls");
        }
        // What the cache gives is the same.
        assert_eq!(prerender(&sources, &islands, calls, &tools), rendered);
    }
}

/// What is asked for and not shown does no harm, whatever it is; what is shown does.
#[test]
fn what_differs_between_visitors_may_be_asked_for_but_not_shown() {
    let asked = [
        "Math.random()",
        "Math.random() < 0.5",
        "Math.floor(Math.random() * 3)",
        "crypto.randomUUID()",
        "crypto.getRandomValues(new Uint8Array(4)).join()",
        "Date.now()",
        "new Date().getTime()",
        "Date()",
        "performance.now()",
        "new Date(2026, 11, 24).getTime()",
        "new Date('2026-12-24T18:00').getTime()",
        "new Date('Dec 24, 2026 18:00').getTime()",
        "new Date(0).getHours()",
        "new Date(0).getDate()",
        "new Date(0).toString()",
        "`${new Date(0)}`",
        "new Date(0).getTimezoneOffset()",
        "new Date(0).setHours(3)",
        "new Date(0).toLocaleDateString()",
        "(4.8).toLocaleString()",
        "['b', 'a'].sort((a, b) => a.localeCompare(b)).join()",
        "'i'.toLocaleUpperCase()",
        "new Intl.NumberFormat('en').format(1)",
        "Intl.DateTimeFormat().resolvedOptions().timeZone",
        "new Intl.Collator('en').compare('a', 'b')",
        "new Intl.PluralRules('en').select(1)",
    ];
    let mut files = Vec::new();
    for (index, expression) in asked.iter().enumerate() {
        let component = |what: &str, shown: &str| {
            format!("const value = {expression};\nexport default function {what}() {{ return <p>{{{shown}}}</p>; }}\n")
        };
        files.push((format!("Kept{index}.tsx"), component("Kept", "typeof value")));
        files.push((format!("Shown{index}.tsx"), component("Shown", "String(value)")));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = project(&files);
    let (sources, islands, tools) = compiled(folder.path());
    let calls = islands.prerenderers.keys().map(|name| call(name, "{}", "i0-")).collect();
    let rendered = prerender(&sources, &islands, calls, &tools);
    for (index, expression) in asked.iter().enumerate() {
        let kept = &rendered[&call(&format!("Kept{index}"), "{}", "i0-")];
        assert!(kept.is_ok(), "`{expression}` may be asked for: {kept:?}");
        let shown = rendered[&call(&format!("Shown{index}"), "{}", "i0-")].as_ref();
        let report = shown.expect_err(&format!("`{expression}` may not be shown"));
        assert_eq!(sitegen::diagnostics::code(&report.problem), "prerender-varies", "{expression}");
        let place = report.place.as_ref().unwrap();
        assert_eq!(place.path.as_str(), format!("islands/Shown{index}.tsx"), "{expression}");
        assert!(place.span.is_some_and(|span| span.start >= "const value".len()), "{expression}: {place:?}");
    }
}

/// A condition that comes out otherwise for some visitors is reported, although most of them get the same.
#[test]
fn what_differs_between_visitors_may_not_decide_what_is_shown() {
    let conditions = [
        "new Intl.PluralRules('en').select(1) === 'one'",
        "new Intl.PluralRules('pl').select(3) === 'few'",
        "new Intl.PluralRules('pl').select(5) === 'many'",
        "new Intl.PluralRules('en', { type: 'ordinal' }).select(22) === 'two'",
        "new Intl.PluralRules('en').resolvedOptions().pluralCategories.includes('one')",
        "(new Intl.NumberFormat('de').formatToParts(1.5).find((part) => part.type === 'decimal')?.value ?? '.') === '.'",
        "(new Intl.NumberFormat('en').formatToParts(1500).find((part) => part.type === 'group')?.value ?? ',') === ','",
        "new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).formatToParts(1)[0].type === 'currency'",
        "new Intl.NumberFormat('en', { notation: 'compact' }).format(1234).endsWith('K')",
        "(1234.5).toLocaleString('en').includes(',')",
        "'é'.localeCompare('E', 'en', { sensitivity: 'base' }) === 0",
        "'a2'.localeCompare('a02', 'en', { numeric: true }) === 0",
        "new Intl.Collator('de', { usage: 'search' }).compare('ä', 'a') === 0",
        "new Intl.DateTimeFormat('en-US', { hour: 'numeric' }).resolvedOptions().hour12",
        "new Intl.DateTimeFormat().resolvedOptions().locale.startsWith('en')",
        "new Date(0).toLocaleTimeString('en-US').endsWith('AM')",
        "new Date(0).toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' }) === 'Thursday'",
        "new Intl.Locale('en').maximize().region === 'US'",
        "new Intl.Locale('ar').getTextInfo().direction === 'rtl'",
        "Intl.supportedValuesOf('currency').includes('EUR')",
        "Intl.NumberFormat.supportedLocalesOf(['de']).length === 1",
        "new Intl.ListFormat('en').format(['a', 'b']).includes('and')",
        "new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day') === 'yesterday'",
        "[0, 6].includes(new Date().getDay())",
        "[0, 6].includes(new Date().getUTCDay())",
        "new Date().getDay() === 0",
        "new Date().getDay() === 6",
        "new Date().getHours() >= 22 || new Date().getHours() < 6",
        "new Date().getUTCHours() >= 9 && new Date().getUTCHours() < 18",
        "new Date().getMonth() === 11",
        "new Date().getMonth() === 11 && new Date().getDate() === 24",
        "Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hour12: false, timeZone: 'Europe/Berlin' }).format()) >= 9",
        "['Sat', 'Sun'].includes(new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' }).format(new Date()))",
        "new Date(new Date().toLocaleString('en-US', { timeZone: 'UTC' })).getHours() >= 18",
        "new Date(new Date().toLocaleString('en-US', { timeZone: 'UTC' })).getHours() < 9",
        "new Date(new Date().toLocaleString('en-US', { timeZone: 'UTC' })).getDay() === 6",
        "Date.now() > Date.parse('2026-12-20') && Date.now() < Date.parse('2027-01-06')",
        "new Date() >= new Date(2026, 11, 20) && new Date() < new Date(2027, 0, 6)",
        "new Date().toDateString() === new Date('2026-12-24T12:00:00Z').toDateString()",
        "Intl.DateTimeFormat().resolvedOptions().timeZone.startsWith('Europe/')",
        "new Date(0).getTimezoneOffset() === 0",
        "Math.random() < 0.1",
        "Math.random() < 0.001",
        "Math.random() > 0.99",
        "Math.abs(Math.random() - 0.5) < 0.1",
        "[Math.random(), Math.random()][1] < 0.01",
        "crypto.getRandomValues(new Uint32Array(1))[0] < 1e7",
    ];
    let component = |condition: &str| format!("export default () => <p>{{{condition} ? \"yes\" : \"no\"}}</p>;\n");
    let files: Vec<_> =
        conditions.iter().enumerate().map(|(index, text)| (format!("Island{index}.tsx"), component(text))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = project(&files);
    let (sources, islands, tools) = compiled(folder.path());
    let calls = islands.prerenderers.keys().map(|name| call(name, "{}", "i0-")).collect();
    let rendered = prerender(&sources, &islands, calls, &tools);
    let report = |index: usize| rendered[&call(&format!("Island{index}"), "{}", "i0-")].as_ref();
    let is_reported =
        |index: usize| report(index).is_err_and(|each| sitegen::diagnostics::code(&each.problem) == "prerender-varies");
    let missed: Vec<_> = (0..conditions.len()).filter(|index| !is_reported(*index)).collect();
    assert!(
        missed.is_empty(),
        "{:#?}",
        missed.iter().map(|index| (conditions[*index], report(*index))).collect::<Vec<_>>()
    );
}

/// What is the same for every visitor is shown, whatever else an island asks for.
#[test]
fn what_is_the_same_for_every_visitor_is_shown() {
    let shown = [
        ("'title'.toLocaleUpperCase('en')", "TITLE"),
        ("'TITLE'.toLocaleLowerCase(['de-AT', 'tr'])", "title"),
        ("Intl.getCanonicalLocales('EN-us').join()", "en-US"),
        ("String('b'.localeCompare('b') === 0)", "true"),
        ("String(Math.random() < 2 && Date.now() > 0)", "true"),
        ("new Intl.ListFormat('en').formatToParts(['a', 'b']).filter((part) => part.type === 'element').length", "2"),
        ("new Set(Array.from({ length: 300 }, () => crypto.randomUUID())).size", "300"),
        ("new Set(Array.from({ length: 300 }, () => Math.random().toString(36).slice(2, 9))).size", "300"),
        (
            "(() => { const seen = new Set(); while (seen.size < 10) seen.add(Math.floor(Math.random() * 10)); return seen.size; })()",
            "10",
        ),
        ("new Date('2026-12-24T18:00:00Z').toISOString()", "2026-12-24T18:00:00.000Z"),
        ("new Intl.DateTimeFormat('en', { hour: 'numeric', hour12: false }).resolvedOptions().hour12 + ''", "false"),
    ];
    let component = |value: &str| format!("export default () => <p>{{{value}}}</p>;\n");
    let files: Vec<_> =
        shown.iter().enumerate().map(|(index, (text, _))| (format!("Island{index}.tsx"), component(text))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = project(&files);
    let (sources, islands, tools) = compiled(folder.path());
    let calls = islands.prerenderers.keys().map(|name| call(name, "{}", "i0-")).collect();
    let rendered = prerender(&sources, &islands, calls, &tools);
    for (index, (expression, text)) in shown.iter().enumerate() {
        let html = rendered[&call(&format!("Island{index}"), "{}", "i0-")].as_ref();
        assert_eq!(html.ok(), Some(&format!("<p>{text}</p>")), "{expression}: {html:?}");
    }
}

/// Components that a generator writes, rendered by React in Node.
#[test]
fn random_islands_are_rendered_as_in_node() {
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_else(|_| std::process::id().to_string());
    let count = 60;
    let folder = tempfile::tempdir().unwrap();
    let script = repository().join("tests/support/random-islands.mjs");
    let written =
        Command::new("node").arg(script).arg(folder.path()).args([seed.clone(), count.to_string()]).output().unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let expected = std::fs::read(folder.path().join("expected.json")).unwrap();
    let expected: Vec<serde_json::Value> = serde_json::from_slice(&expected).unwrap();
    assert_eq!(expected.len(), count);
    let (sources, islands, tools) = compiled(folder.path());
    let text = |value: &serde_json::Value, key: &str| value[key].as_str().unwrap().to_owned();
    let of = |value: &serde_json::Value| call(&text(value, "component"), &text(value, "props"), &text(value, "prefix"));
    let rendered = prerender(&sources, &islands, expected.iter().map(of).collect(), &tools);
    for each in &expected {
        let call = of(each);
        let source = std::fs::read_to_string(folder.path().join(format!("islands/{}.tsx", call.component))).unwrap();
        match &rendered[&call] {
            Ok(html) => assert_eq!(html, &text(each, "html"), "seed {seed}, {call:?}\n{source}"),
            Err(report) => panic!("seed {seed}, {call:?}: {report:?}\n{source}"),
        }
    }
}

/// Gives a project packages of its own, to which others can be added. Returns their folder.
fn with_own_packages(root: &Path) -> PathBuf {
    let modules = root.join("node_modules");
    std::fs::remove_file(&modules).unwrap();
    std::fs::create_dir(&modules).unwrap();
    let needed = ["react", "react-dom", "scheduler", "esbuild", "@esbuild"];
    let needed = needed.map(|name| repository().join("node_modules").join(name));
    assert!(Command::new("cp").arg("-r").args(needed).arg(&modules).status().unwrap().success());
    modules
}

/// What is imported from packages is the same for visitors and for the build, and the same as other bundlers for browsers give.
#[test]
fn packages_are_imported_as_bundlers_for_browsers_import_them() {
    let island = "import title from \"old\";\nimport { kind } from \"both\";\n\
        if (import.meta.hot) import.meta.hot.accept();\n\
        export default () => <p>{`${title} ${kind} ${typeof import.meta.hot}`}</p>;\n";
    let folder = project(&[("Bread.tsx", island)]);
    let root = folder.path();
    let modules = with_own_packages(root);
    let write = |path: &str, text: &str| {
        let path = modules.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("old/package.json", "{ \"main\": \"index.js\" }");
    write("old/index.js", "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 'Rye';");
    write("both/package.json", "{ \"main\": \"index.js\", \"browser\": { \"./node.js\": \"./browser.js\" } }");
    write("both/index.js", "exports.kind = require('./node.js');");
    write("both/node.js", "module.exports = require('fs').readFileSync.name;");
    write("both/browser.js", "module.exports = 'browser';");
    for package in ["{ \"type\": \"module\" }", "{ \"type\": \"commonjs\" }", "{}"] {
        std::fs::write(root.join("package.json"), package).unwrap();
        assert_eq!(rendered(root, &Profile::default()).unwrap(), "<p>Rye browser undefined</p>", "{package}");
        // In the browser's bundle the value is in its place, as is that of the package's map.
        let (_, islands, _) = compiled(root);
        let scripts: String =
            islands.files.iter().map(|(_, file)| String::from_utf8_lossy(file).into_owned()).collect();
        assert!(scripts.contains("\"browser\"") && !scripts.contains("readFileSync"), "{package}");
    }
}

/// Installs packages that stand in for formatjs: a text says which data it was made of.
fn with_formatjs(root: &Path, packages: &[(&str, &str)]) {
    let modules = with_own_packages(root);
    for (name, class) in packages {
        let folder = modules.join(format!("@formatjs/intl-{name}"));
        std::fs::create_dir_all(folder.join("locale-data")).unwrap();
        std::fs::write(folder.join("package.json"), "{ \"type\": \"module\", \"main\": \"index.js\" }").unwrap();
        let index = "class Format {
            static data = {};
            static tzData = {};
            static __addLocaleData({ locale, data }) { Format.data[locale] = data; }
            static __addTZData({ zones }) { Format.tzData = { [zones[0].split('|')[0]]: true }; }
            constructor(locale, options) { Object.assign(this, { data: Format.data[locale], zone: options.timeZone }); }
            resolvedOptions() { return { hourCycle: 'h23', timeZone: this.zone }; }
            formatToParts(value) { return [{ type: 'literal', value: `${value} in ${this.data}` }]; }
            select(value) { return `${value} in ${this.data}`; }
        }
        export { Format as default, Format as Class };";
        std::fs::write(folder.join("index.js"), index.replace("Class", class)).unwrap();
        for locale in ["de", "en"] {
            let data = format!("Intl.{class}.__addLocaleData({{ locale: \"{locale}\", data: \"{locale}\" }});");
            std::fs::write(folder.join(format!("locale-data/{locale}.js")), data).unwrap();
        }
        let zones = "Intl.DateTimeFormat.__addTZData({ zones: [\"Europe/Rome|x\", \"Europe/Berlin|x\"] });";
        std::fs::write(folder.join("add-all-tz.js"), zones).unwrap();
    }
}

const FORMATJS: [(&str, &str); 5] = [
    ("numberformat", "NumberFormat"),
    ("datetimeformat", "DateTimeFormat"),
    ("pluralrules", "PluralRules"),
    ("listformat", "ListFormat"),
    ("relativetimeformat", "RelativeTimeFormat"),
];

/// What islands that show expressions are prerendered to: their text, or the help of the error.
fn shown(root: &Path, expressions: &[&str]) -> Vec<Result<String, String>> {
    for (index, expression) in expressions.iter().enumerate() {
        let text = format!("export default () => <p>{{{expression}}}</p>;\n");
        std::fs::write(root.join(format!("islands/Island{index}.tsx")), text).unwrap();
    }
    let (sources, islands, tools) = compiled(root);
    let calls: Vec<Call> = (0..expressions.len()).map(|index| call(&format!("Island{index}"), "{}", "i0-")).collect();
    let rendered = prerender(&sources, &islands, calls.iter().cloned().collect(), &tools);
    let result = |call: &Call| match &rendered[call] {
        Ok(html) => Ok(html.trim_start_matches("<p>").trim_end_matches("</p>").to_owned()),
        Err(report) => {
            assert_eq!(sitegen::diagnostics::code(&report.problem), "prerender-varies", "{report:?}");
            let help = sitegen::diagnostics::label(&report.problem).unwrap();
            Err(help.split(". Otherwise ").next().unwrap().to_owned())
        }
    };
    calls.iter().map(result).collect()
}

#[test]
fn texts_that_name_their_locale_are_made_by_the_packages_of_the_site() {
    let folder = project(&[]);
    let root = folder.path();
    with_formatjs(root, &FORMATJS);
    with_page(root, "settings:\n  islands:\n    locales: [de, en-GB]\n", "Island0");
    let other = "the build cannot format this; the guide to islands lists what it can";
    let cases = [
        ("(5).toLocaleString('de')", Ok("5 in de")),
        ("5n.toLocaleString(['de', 'fr'])", Ok("5 in de")),
        // The language of the site. Data of a region is that of its language if there is no other.
        ("new Intl.NumberFormat('en').format(5)", Ok("5 in en")),
        ("new Intl.NumberFormat('en-gb').format(5)", Ok("5 in en")),
        ("new Intl.NumberFormat('de').formatToParts(5)[0].value", Ok("5 in de")),
        ("[5].map(new Intl.NumberFormat('de').format)", Ok("5 in de")),
        ("new Intl.PluralRules('de').select(2)", Ok("2 in de")),
        ("new Intl.ListFormat('de').format(new Set(['a', 'b']))", Ok("a,b in de")),
        ("new Intl.RelativeTimeFormat('de').format('-1', 'day')", Ok("-1 in de")),
        ("new Date(7).toLocaleDateString('de', { timeZone: 'UTC' })", Ok("7 in de")),
        ("new Date(1e12).toLocaleTimeString('de', { timeZone: 'Europe/Berlin' })", Ok("1000000000000 in de")),
        ("new Date(7).toLocaleTimeString('de', { timeZone: 'Europe/Berlin' })", Err(other)),
        ("new Intl.DateTimeFormat('de', { timeZone: 'UTC' }).format(new Date(7))", Ok("7 in de")),
        // What is asked for besides, and not shown, changes nothing.
        ("String(new Intl.NumberFormat('de').format(Math.random() < 2 ? 5 : 6))", Ok("5 in de")),
        ("(5).toLocaleString()", Err("name a locale, such as `toLocaleString(\"en\")`")),
        ("new Date(7).toLocaleDateString('de')", Err("name a time zone, such as `timeZone: \"UTC\"` in the options")),
        ("(5).toLocaleString('fr')", Err("add `fr` to `settings.islands.locales` in site.yaml")),
        ("(5).toLocaleString('de-AT')", Err("add `de-AT` to `settings.islands.locales` in site.yaml")),
        ("(5).toLocaleString('de-DE')", Err("use the locale `de`: the build cannot format text for `de-DE`")),
        ("(5).toLocaleString('tlh')", Err("the build cannot format text for `tlh`")),
        // Browsers throw for it.
        ("(5).toLocaleString('en_GB')", Err("the build cannot format text for `en_GB`")),
        ("new Intl.Collator().compare('a', 'b')", Err(other)),
        ("(5).toLocaleString('de', { localeMatcher: 'none' })", Err(other)),
        ("new Date(7).toLocaleDateString('de', { timeZone: 'UTC', era: 'short' })", Err(other)),
        ("new Date(7).toLocaleDateString('de', { timeZone: 'Europe/Nowhere' })", Err(other)),
        ("new Intl.NumberFormat('de').formatRange(1, 2)", Err(other)),
    ];
    let results = shown(root, &cases.map(|(expression, _)| expression));
    for ((expression, expected), result) in cases.iter().zip(&results) {
        assert_eq!(result.as_deref().map_err(String::as_str), *expected, "{expression}");
    }
    // The clock is that of the visitor, whatever the language.
    let [clock] = &shown(root, &["new Intl.DateTimeFormat('de', { timeZone: 'UTC' }).format()"])[..] else { panic!() };
    assert!(clock.is_err(), "{clock:?}");
    // Other data gives another text.
    let data = "Intl.NumberFormat.__addLocaleData({ locale: \"de\", data: \"German\" });";
    std::fs::write(root.join("node_modules/@formatjs/intl-numberformat/locale-data/de.js"), data).unwrap();
    assert_eq!(shown(root, &["(5).toLocaleString('de')"]), [Ok("5 in German".to_owned())]);
}

/// As `serve` does, whose cache has the compiled islands.
#[test]
fn other_packages_and_locales_give_other_texts() {
    let folder = project(&[("Price.tsx", "export default () => <p>{(5).toLocaleString('de')}</p>;\n")]);
    let root = folder.path();
    let tools = DiskTools::of(root);
    let shown = || {
        let sources = sitegen::sources::read(root).value.unwrap();
        let islands = compile(&sources, &Profile::default(), &tools).value.unwrap();
        let call = call("Price", "{}", "i0-");
        prerender(&sources, &islands, BTreeSet::from([call.clone()]), &tools).remove(&call).unwrap().ok()
    };
    let locales = "settings:\n  islands:\n    locales: [de]\n";
    with_page(root, locales, "Price");
    assert_eq!(shown(), None);
    with_formatjs(root, &FORMATJS);
    tools.forget_packages();
    assert_eq!(shown().as_deref(), Some("<p>5 in de</p>"));
    with_page(root, "", "Price");
    assert_eq!(shown(), None);
    with_page(root, locales, "Price");
    std::fs::remove_dir_all(root.join("node_modules/@formatjs/intl-numberformat")).unwrap();
    tools.forget_packages();
    assert_eq!(shown(), None);
}

#[test]
fn texts_without_their_packages_say_what_to_install() {
    let folder = project(&[]);
    let root = folder.path();
    with_page(root, "", "Island0");
    let number = "run `npm install --save-dev @formatjs/intl-numberformat @formatjs/intl-pluralrules`";
    let both = format!("{number} and add `de` to `settings.islands.locales` in site.yaml");
    let list = "run `npm install --save-dev @formatjs/intl-listformat`";
    let expressions =
        ["(5).toLocaleString('en')", "(5).toLocaleString('de')", "new Intl.ListFormat('en').format(['a'])"];
    assert_eq!(shown(root, &expressions), [Err(number.to_owned()), Err(both), Err(list.to_owned())]);
    // With one of two, the other is named.
    with_formatjs(root, &FORMATJS[..1]);
    let plurals = "run `npm install --save-dev @formatjs/intl-pluralrules`";
    assert_eq!(shown(root, &expressions[..1]), [Err(plurals.to_owned())]);
}

#[test]
fn a_package_of_texts_may_export_its_class_in_either_way_and_is_named_if_it_is_broken() {
    let folder = project(&[]);
    let root = folder.path();
    with_formatjs(root, &FORMATJS);
    with_page(root, "", "Island0");
    std::fs::write(root.join("package.json"), "{ \"private\": true }\n").unwrap();
    let index = root.join("node_modules/@formatjs/intl-listformat/index.js");
    let text = std::fs::read_to_string(&index).unwrap();
    let list = || shown(root, &["new Intl.ListFormat('en').format(['a', 'b'])"]).remove(0);
    // A version of another shape makes no texts.
    for (exports, makes) in [("Format as default", true), ("Format as ListFormat", true), ("Format as Other", false)] {
        std::fs::write(&index, text.replace("Format as default, Format as ListFormat", exports)).unwrap();
        assert_eq!(list().is_ok_and(|text| text == "a,b in en"), makes, "{exports}");
    }
    std::fs::remove_file(&index).unwrap();
    let report = report(root);
    assert!(report.contains("error[missing-package]: the package `@formatjs/intl-listformat`"), "{report}");
    assert!(report.contains("--> package.json"), "{report}");
}

/// Calls in one engine give what each gives alone, and what the packages remember stays theirs.
#[test]
fn texts_are_the_same_in_whatever_order_they_are_made() {
    let text = r#"
        export default function Price({ n }: { n: number }) {
          const parts = new Intl.NumberFormat("en").formatToParts(n);
          const html = <p>{parts.map((part) => part.value).join("")}</p>;
          parts[0].value = "changed";
          if (n % 41 === 7) (Array.prototype as any).leak = n;
          return html;
        }
    "#;
    let folder = project(&[("Price.tsx", text)]);
    let root = folder.path();
    with_formatjs(root, &FORMATJS);
    with_page(root, "", "Price");
    let (sources, islands, tools) = compiled(root);
    let calls: BTreeSet<Call> = (0..130).map(|n| call("Price", &format!("{{\"n\":{n}}}"), "i0-")).collect();
    let rendered = prerender(&sources, &islands, calls, &tools);
    for n in 0..130 {
        let html = rendered[&call("Price", &format!("{{\"n\":{n}}}"), "i0-")].as_ref();
        assert_eq!(html.ok(), Some(&format!("<p>{n} in en</p>")), "{html:?}");
    }
}
