//! Whether the skill was loaded, from the records of runs to pages, report.json, brief and problems.

use crate::support::{Workspace, html, read_text};
use serde_json::{Value, json};

const CASES: [&str; 6] = ["sum", "merge", "sort", "split", "rank", "join"];

/// A record of one call and a last message.
fn record(tool: &str, input: &Value) -> String {
    let call = json!({"type": "assistant", "message": {"role": "assistant", "content": [
        {"type": "tool_use", "id": "t", "name": tool, "input": input}]}});
    let result = json!({"type": "user", "message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t", "content": "x"}]}});
    let end = json!({"type": "assistant", "message": {"role": "assistant", "content": "Done."}});
    format!("{call}\n{result}\n{end}\n")
}

fn with_skill() -> String {
    record("Skill", &json!({"skill": "pdf"}))
}

fn without() -> String {
    record("Bash", &json!({"command": "ls"}))
}

/// A workspace of the skill `pdf`, one run for each case and side, with these records.
fn workspace(records: &dyn Fn(&str, usize) -> Option<String>) -> Workspace {
    let evals = CASES.map(|case| json!({"id": case, "name": case, "prompt": case}));
    let evals = json!({"skill_name": "pdf", "evals": evals}).to_string();
    let mut workspace = Workspace::new().file("evals/evals.json", evals);
    for (at, case) in CASES.iter().enumerate() {
        for side in ["with_skill", "without_skill"] {
            let folder = format!("iteration-1/{case}/{side}/run-1");
            let verdict = if side == "with_skill" { '+' } else { '-' };
            workspace = workspace.runs(&format!("{folder} {verdict}"));
            if let Some(record) = records(side, at) {
                workspace = workspace.file(&format!("{folder}/transcript.jsonl"), record);
            }
        }
    }
    workspace
}

fn report(workspace: &Workspace) -> (Value, String, String) {
    let folder = workspace.build();
    let read = |name: &str| read_text(folder.join(name));
    let data: Value = serde_json::from_str(&read("report.json")).expect("JSON");
    let overview = html::spoken_texts(&read("index.html")).join("\n");
    (data, overview, html::spoken_texts(&read("iterations/iteration-1/index.html")).join("\n"))
}

fn iteration(data: &Value) -> &Value {
    &data["workspaces"][0]["iterations"][0]
}

#[test]
fn a_planted_loading_is_counted_with_its_line() {
    let records = |side: &str, at: usize| match (side, at) {
        ("with_skill", 5) | ("without_skill", 3..) => None,
        ("with_skill", 0..=3) => Some(with_skill()),
        _ => Some(without()),
    };
    let (data, overview, page) = report(&workspace(&records));
    let loading = &iteration(&data)["configurations"][0]["loading"];
    assert_eq!(loading["loaded"], 4);
    assert_eq!((&loading["not_loaded"], &loading["unknown"]), (&json!(1), &json!(1)));
    assert_eq!(loading["is_diluted"], false);
    let cases = iteration(&data)["cases"].as_array().expect("a list");
    let case = cases.iter().find(|case| case["name"] == "sum").expect("the case");
    let run = &case["runs"][0]["loading"];
    assert_eq!(run["state"], "loaded", "{run}");
    assert_eq!((&run["line"], &run["call"]), (&json!(1), &json!("Skill")));
    assert!(overview.contains("skill was loaded in 4 of 6 runs, unknown in 1"), "{overview}");
    assert!(page.contains("skill was loaded in 4 of 6 runs, unknown in 1"), "{page}");
    assert!(!page.contains("says little"), "{page}");
    assert!(!data.to_string().contains("baseline-loaded"));
}

#[test]
fn a_gain_of_few_runs_with_the_skill_is_diluted() {
    let records = |_: &str, at: usize| {
        let record = if at == 0 { with_skill() } else { without() };
        Some(record)
    };
    let workspace = workspace(&|side, at| records(side, at).filter(|_| side == "with_skill"));
    let (data, overview, _) = report(&workspace);
    assert_eq!(iteration(&data)["configurations"][0]["loading"]["is_diluted"], true);
    assert!(overview.contains("Only 1 of 6 runs with a record had the skill"), "{overview}");
    let brief = workspace.run(["brief", "../workspace"]).stdout;
    assert!(brief.contains("loaded in 1 of 6 runs"), "{brief}");
}

#[test]
fn a_baseline_with_the_skill_is_a_problem_and_an_older_version_is_none() {
    let all = |_: &str, _: usize| Some(with_skill());
    let found = workspace(&all);
    let (data, ..) = report(&found);
    let problems = data["workspaces"][0]["problems"].as_array().expect("a list");
    let found: Vec<&Value> =
        problems.iter().filter(|problem| problem["code"] == "baseline-loaded").collect();
    assert_eq!(found.len(), CASES.len());
    assert_eq!(found[0]["line"], 1, "{}", found[0]);
    let evals = r#"{"skill_name": "pdf", "evals": [{"id": "a", "prompt": "a"}]}"#;
    let versions = Workspace::new()
        .file("evals/evals.json", evals)
        .runs("iteration-1/a/with_skill,old_skill/run-1 +")
        .files("iteration-1/a/with_skill,old_skill/run-1/transcript.jsonl", with_skill());
    assert!(!report(&versions).0.to_string().contains("baseline-loaded"));
}

#[test]
fn without_records_nothing_is_said() {
    let (data, overview, page) = report(&workspace(&|_, _| None));
    assert!(iteration(&data)["configurations"][0].get("loading").is_none());
    assert!(iteration(&data)["cases"][0]["runs"][0].get("loading").is_none());
    assert!(!overview.contains("skill was loaded"), "{overview}");
    assert!(!page.contains("Skill loaded?"), "{page}");
}
