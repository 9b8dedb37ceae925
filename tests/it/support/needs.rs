//! What a test needs of the machine: programs, and what only a superuser may do.

/// Prints which check is skipped, and why. Where the variable `CI` is set, nothing is skipped: the test fails.
#[track_caller]
pub fn left_out(why: &str) {
    let is_ci = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    assert!(!is_ci, "a check cannot run here, and with CI set every check must: {why}");
    println!("skipped: {why}");
}

#[test]
#[ignore = "it stands for a check that cannot run: the test below starts it"]
fn cannot_run() {
    left_out("this one never can");
}

#[test]
fn skipping_fails_where_ci_is_set() {
    let module = module_path!().split_once("::").map_or("", |(_, module)| module);
    for (ci, outcome) in [("", "1 passed"), ("true", "1 failed")] {
        let mut itself = std::process::Command::new(std::env::current_exe().unwrap());
        itself.args(["--ignored", "--exact", &format!("{module}::cannot_run")]).env("CI", ci);
        let run = itself.output().unwrap();
        let said = String::from_utf8_lossy(&run.stdout);
        assert!(said.contains(outcome), "with CI={ci}: {said}");
    }
}
