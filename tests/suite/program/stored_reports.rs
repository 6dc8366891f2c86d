//! Stored reports of every version of the schema are read: `report.json` by `compare`, `summary.json`
//! by a site.

use std::path::PathBuf;

use serde_json::json;

use crate::support::{Workspace, project, read_text};

/// Version 1 has other words for verdicts; versions 1 and 2 have trends and rankings besides.
const VERSIONS: [u32; 3] = [1, 2, 3];

fn stored(version: u32, file: &str) -> PathBuf {
    project().join(format!("tests/stored-reports/schema-{version}/{file}"))
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
fn every_version_is_compared_with_the_present_workspace() {
    let workspace = workspace();
    for version in VERSIONS {
        let report = stored(version, "report.json");
        let report = report.to_str().expect("a path");
        let ran = workspace.run(["compare", report, "../workspace", "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{version}: {ran:?}");
        let compared = ran.json();
        assert_eq!(compared["before"]["passed"], 3, "{version}: {compared}");
        assert_eq!(compared["change"]["verdict"], "about the same", "{version}: {compared}");
        let failing = json!([{
            "case": "letters",
            "text": "It is signed",
            "before": { "passed": 0, "graded": 1 },
            "after": { "passed": 0, "graded": 1 },
        }]);
        assert_eq!(compared["still_failing"], failing, "{version}");
    }
}

#[test]
fn every_version_is_on_the_landing_page_of_a_site() {
    let workspace = workspace();
    for version in VERSIONS {
        let site = format!("site-{version}");
        let build =
            |name| workspace.run(["build", "../workspace", "--into", &site, "--name", name]);
        assert_eq!(build("old").code, Some(0));
        let root = workspace.elsewhere().join(&site);
        std::fs::copy(stored(version, "summary.json"), root.join("old/summary.json"))
            .expect("a summary");
        let ran = build("new");
        assert_eq!(ran.code, Some(0), "{version}: {ran:?}");
        assert!(!ran.stderr.contains("landing page"), "{version}: {ran:?}");
        let page = read_text(root.join("index.html"));
        assert!(page.contains(">ws<"), "{version}: {page}");
    }
}
