//! Patterns in the program that is shipped, whose libraries have fewer features than those of tests.

use serde_json::json;

use crate::support::{Workspace, read_json};

#[test]
fn a_codex_command_that_reads_the_skill_loads_it() {
    let run = "iteration-1/one/with_skill/run-1";
    let command = r#"bash -lc "sed -n 1,80p .agents/skills/pdf/SKILL.md""#;
    let item = json!({"type": "command_execution", "id": "1", "command": command, "exit_code": 0});
    let events = [
        json!({"type": "item.completed", "item": item}),
        json!({"type": "item.completed", "item": {"type": "agent_message", "text": "Done."}}),
    ];
    let workspace = Workspace::new()
        .file("evals.json", r#"{"skill_name": "pdf", "evals": [{"id": "one", "prompt": "p"}]}"#)
        .file(
            &format!("{run}/grading.json"),
            r#"{"expectations": [{"text": "a", "passed": true}]}"#,
        )
        .file(&format!("{run}/transcript.jsonl"), format!("{}\n{}\n", events[0], events[1]));
    let report = read_json(workspace.build().join("report.json"));
    let loading = &report["workspaces"][0]["iterations"][0]["cases"][0]["runs"][0]["loading"];
    assert_eq!(loading["state"], "loaded");
}

#[test]
fn rules_in_the_form_of_gitleaks_are_taken() {
    let rules = r#"
        [[rules]]
        id = "acme-key"
        regex = '''(?i)\bacme[_-]\w{4}\d{6}\b'''
        keywords = ["acme"]
    "#;
    let workspace = Workspace::good()
        .file("iteration-1/quarterly-report/with_skill/outputs/a.txt", "use ACME-abcd123456 here\n")
        .file("rules.toml", rules);
    let flags =
        ["build", "../workspace", "-o", "report", "--secret-rules", "../workspace/rules.toml"];
    workspace.run(flags).assert_code(0);
    for (path, bytes) in crate::support::tree(&workspace.elsewhere().join("report")) {
        assert!(!String::from_utf8_lossy(&bytes).contains("abcd123456"), "{path}");
    }
}
