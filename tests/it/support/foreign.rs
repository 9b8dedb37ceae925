//! Programs of others that read what sites in several languages publish and what their translators write, from the packages that
//! tests/languages names. The test that needs them installs them, below target/languages.

use super::generated::repository;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex};

static INSTALLING: Mutex<()> = Mutex::new(());

/// Installs what a file names, unless the same is there already. `marker` is written last.
fn installed(wanted: &str, marker: &Path, install: impl FnOnce()) {
    let wanted = fs::read_to_string(repository().join(wanted)).unwrap();
    if fs::read_to_string(marker).is_ok_and(|there| there == wanted) {
        return;
    }
    install();
    fs::write(marker, wanted).unwrap();
}

fn run(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Returns a Python that has the packages of tests/languages/requirements.txt.
pub fn python() -> PathBuf {
    static PYTHON: LazyLock<PathBuf> = LazyLock::new(|| {
        let _one = INSTALLING.lock().unwrap();
        let folder = repository().join("target/languages/python");
        let python = folder.join("bin/python3");
        installed("tests/languages/requirements.txt", &folder.join("installed.txt"), || {
            run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
            let file = repository().join("tests/languages/requirements.txt");
            run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(file));
        });
        python
    });
    PYTHON.clone()
}

/// Returns the folder `node_modules` with the packages of tests/languages/package-lock.json.
pub fn packages() -> PathBuf {
    static PACKAGES: LazyLock<PathBuf> = LazyLock::new(|| {
        let _one = INSTALLING.lock().unwrap();
        let folder = repository().join("target/languages/packages");
        fs::create_dir_all(&folder).unwrap();
        let packages = folder.join("node_modules");
        installed("tests/languages/package-lock.json", &folder.join("installed.txt"), || {
            for name in ["package.json", "package-lock.json"] {
                fs::copy(repository().join("tests/languages").join(name), folder.join(name)).unwrap();
            }
            // Not `npm ci`, which asks for the programs for other systems too.
            let arguments = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
            run(Command::new("npm").args(arguments).current_dir(&folder));
        });
        packages
    });
    PACKAGES.clone()
}
