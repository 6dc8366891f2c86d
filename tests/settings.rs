//! `evalbook.toml` and its flags, from the outside.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

mod support;

use std::path::Path;

use support::Workspace;

const GRADING: &str = r#"{"expectations": [{"text": "a", "passed": true}]}"#;

/// A workspace of two configurations whose names say nothing, with `settings`.
fn workspace(settings: &str) -> Workspace {
    Workspace::new()
        .file("evalbook.toml", settings)
        .file("iteration-1/one/alpha/grading.json", GRADING)
        .file("iteration-1/one/beta/grading.json", GRADING)
        .file("drafts/iteration-9/one/alpha/grading.json", GRADING)
}

fn overview(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("report/index.html")).expect("an overview")
}

#[test]
fn settings_are_printed_with_their_origin() {
    let workspace = workspace("title = \"T\"\n\norder = [\"beta\"]\n");
    let ran = workspace.run(["settings", "../workspace", "--title", "U \"x\""]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("title = \"U \\\"x\\\"\"  # flag\n"), "{ran:?}");
    assert!(ran.stdout.contains("order = [\"beta\"]  # evalbook.toml:3\n"), "{ran:?}");
    assert!(ran.stdout.contains("# baseline is not set\n"), "{ran:?}");
}

#[test]
fn a_file_that_makes_no_sense_is_named_with_its_place() {
    let ran = workspace("titel = \"T\"\n").run(["build", "../workspace", "-o", "report"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("evalbook.toml:1:1: there is no key `titel`"), "{ran:?}");
    assert!(ran.stderr.contains("did you mean `title`?"), "{ran:?}");
    let ran = workspace("").run(["build", "../workspace", "-o", "report", "--leave-out", "a/***"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("`--leave-out`"), "{ran:?}");
}

#[test]
fn title_baseline_and_order_reach_the_pages() {
    let workspace = workspace("title = \"My <title>\"\nbaseline = \"beta\"\n");
    let ran = workspace.run(["build", "../workspace", "-o", "report"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let page = overview(&workspace.elsewhere());
    assert!(page.contains("<h1>My &lt;title&gt;</h1>"), "{page}");
    assert!(page.contains("<span class=\"role baseline\">beta</span>"), "{page}");
    let ran = workspace.run(["build", "../workspace", "-o", "report", "--baseline", "alpha"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let page = overview(&workspace.elsewhere());
    assert!(page.contains("<span class=\"role baseline\">alpha</span>"), "{page}");
}

#[test]
fn what_is_left_out_is_listed_as_ignored() {
    let workspace = workspace("leave_out = [\"drafts/**\"]\n");
    let ran = workspace.run(["check", "../workspace"]);
    assert!(ran.stdout.contains("left out by the settings"), "{ran:?}");
    assert!(ran.stdout.contains("1 iteration,"), "{ran:?}");
    let ran = workspace.run(["check", "../workspace", "--leave-out", "iteration-1/one/beta/*"]);
    assert!(ran.stdout.contains("1 run"), "{ran:?}");
}
