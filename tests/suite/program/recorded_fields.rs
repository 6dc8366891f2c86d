//! Fields of the schema documents that have their place on a page.

use crate::support::{Workspace, html, read_text};
use serde_json::json;

fn workspace(evals: &serde_json::Value) -> Workspace {
    let grading = json!({
        "expectations": [{"text": "it adds up", "passed": true}],
        "claims": [{"claim": "All 12 rows are there", "type": "quality", "verified": true}],
        "execution_metrics": {"files_created": ["total.csv", "log.txt"]},
    });
    Workspace::new()
        .file("evals/evals.json", evals.to_string())
        .file("iteration-1/sum/with_skill/run-1/grading.json", grading.to_string())
        .file("iteration-1/sum/with_skill/run-1/outputs/total.csv", "total\n7\n")
}

#[test]
fn input_files_are_shown_on_the_page_of_their_case() {
    let case = json!({"id": "sum", "prompt": "Add", "files": ["evals/files/rows.csv", "gone.csv"]});
    let evals = json!({"version": "1.0", "skill": "sums", "cases": [case]});
    let secret = ["AKIA", "QX7LM3N5P8RT2VWY"].concat();
    let workspace = workspace(&evals)
        .file("evals/files/rows.csv", format!("row\nunheard-of value\n{secret}\n"))
        .file("evals/files/other.csv", "row\nnobody asks for this\n");
    let folder = workspace.build();
    let page = read_text(folder.join("cases/sum.html"));
    let texts = html::accessible_texts(&page).join("\n");
    assert!(texts.contains("unheard-of value") && texts.contains("gone.csv"), "{texts}");
    assert!(!page.contains(&secret) && !texts.contains("nobody asks for this"), "{texts}");
    let problems = read_text(folder.join("problems.html"));
    let problems = html::accessible_texts(&problems).join("\n");
    assert!(problems.contains("version 1.0"), "{problems}");
    assert!(problems.contains("1 ignored") && problems.contains("other.csv"), "{problems}");
}
