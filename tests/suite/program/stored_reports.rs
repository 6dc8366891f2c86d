//! A stored report is read: `report.json` by `compare`, `summary.json` by a site.

use std::path::PathBuf;

use serde_json::json;

use crate::support::{Workspace, project, read_text};

fn stored(file: &str) -> PathBuf {
    project().join("tests/stored-report").join(file)
}

/// The newest iteration of the workspace that the stored reports were made of.
fn workspace() -> Workspace {
    let mut workspace = Workspace::new();
    for (case, outcomes) in [("invoices", [true, true]), ("letters", [true, false])] {
        let statements = match case {
            "invoices" => ["The total is 42", "The currency is named"],
            _ => ["The date is at the top", "It is signed"],
        };
        let checks: Vec<_> = (0..2)
            .map(|at| json!({ "text": statements[at], "passed": outcomes[at], "evidence": "seen" }))
            .collect();
        let folder = format!("iteration-2/{case}");
        let metadata = json!({ "prompt": format!("Write the {case}"), "assertions": statements });
        workspace =
            workspace.file(&format!("{folder}/eval_metadata.json"), metadata.to_string()).file(
                &format!("{folder}/with_skill/run-1/grading.json"),
                json!({ "expectations": checks }).to_string(),
            );
    }
    workspace
}

#[test]
fn a_stored_report_is_compared_with_the_present_workspace() {
    let workspace = workspace();
    let report = stored("report.json");
    let report = report.to_str().expect("a path");
    let ran = workspace.run(["compare", report, "../workspace", "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let compared = ran.json();
    assert_eq!(compared["before"]["passed"], 3, "{compared}");
    assert_eq!(compared["change"]["verdict"], "about the same", "{compared}");
    let failing = json!([{
        "case": "letters",
        "text": "It is signed",
        "before": { "passed": 0, "graded": 1 },
        "after": { "passed": 0, "graded": 1 },
    }]);
    assert_eq!(compared["still_failing"], failing);
}

#[test]
fn a_stored_summary_is_on_the_landing_page_of_a_site() {
    let workspace = workspace();
    let build = |name| workspace.run(["build", "../workspace", "--into", "site", "--name", name]);
    assert_eq!(build("old").code, Some(0));
    let root = workspace.elsewhere().join("site");
    std::fs::copy(stored("summary.json"), root.join("old/summary.json")).expect("a summary");
    let ran = build("new");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.stderr.contains("landing page"), "{ran:?}");
    let page = read_text(root.join("index.html"));
    assert!(page.contains(">ws<"), "{page}");
}
