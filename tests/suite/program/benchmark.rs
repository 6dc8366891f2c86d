//! `evalbook benchmark` as people use it: where it writes, and that nothing of theirs is lost. The
//! figures are compared in `python_tools.rs`.

use crate::support;
use crate::support::{CommandOutput, Workspace, evalbook, hashes, read_text, words};
use serde_json::Value;

/// A benchmark of the user's, of a skill that is named as ours is.
const FOREIGN: &str = r#"{"metadata": {"skill_name": "evalbook"}, "runs": []}"#;

const JSON: &str = "iteration-1/benchmark.json";

const MARKDOWN: &str = "iteration-1/benchmark.md";

/// Runs the command on the workspace's one iteration.
fn benchmark(workspace: &Workspace, options: &[&str]) -> CommandOutput {
    let args = ["benchmark", "../workspace/iteration-1"];
    workspace.run(args.iter().chain(options))
}

fn read(workspace: &Workspace, path: &str) -> String {
    read_text(workspace.path().join(path))
}

#[test]
fn it_adds_two_files_to_the_iteration_and_changes_nothing_else() {
    let workspace = Workspace::good();
    let before = hashes(&workspace.path());
    benchmark(&workspace, &[]).assert_code(0);
    let mut after = hashes(&workspace.path());
    assert!(after.remove(JSON).is_some() && after.remove(MARKDOWN).is_some(), "{after:#?}");
    assert_eq!(after, before);
}

#[test]
fn it_says_what_the_first_screen_says() {
    let place = Workspace::new().runs(
        "iteration-1/a,b/with_skill ++ 0.01 100\n iteration-1/a,b/without_skill -- 0.01 100\n \
         iteration-2/a,b/with_skill ++ 9.5 100\n iteration-2/a,b/without_skill -- 8.5 100",
    );
    place.run(["benchmark", "../workspace"]).assert_code(0);
    let [first, second] =
        [1, 2].map(|round| read(&place, &format!("iteration-{round}/benchmark.md")));
    let none = words::raw("headline.no_measurement");
    assert!(first.contains(none), "{first}");
    assert!(!second.contains(none) && second.contains("+100"), "{second}");
    // Only the newest round has a next step.
    let next = words::raw("next.step").split('{').next().expect("a word");
    assert!(second.contains(next) && !first.contains(next), "{first}{second}");
    // Of what evalbook wrote itself, nothing is a remark of the author.
    place.run(["build", "../workspace", "-o", "report"]).assert_code(0);
    let page = read_text(place.elsewhere().join("report/index.html"));
    assert!(!page.contains(words::raw("overview.author_note").split(',').next().expect("a word")));
}

#[test]
fn it_writes_the_same_bytes_again_and_is_read_without_a_problem() {
    let workspace = Workspace::good();
    benchmark(&workspace, &[]);
    let first = hashes(&workspace.path());
    let ran = benchmark(&workspace, &[]);
    assert_eq!(ran.code, Some(0), "a benchmark of ours is replaced: {ran:?}");
    assert_eq!(hashes(&workspace.path()), first);
    assert_eq!(workspace.check()["workspaces"][0]["problems"], Value::Array(Vec::new()));
}

#[test]
fn it_replaces_a_benchmark_of_the_users_only_when_asked() {
    let workspace = Workspace::good().file(JSON, FOREIGN).file(MARKDOWN, "mine");
    let before = hashes(&workspace.path());
    let ran = benchmark(&workspace, &[]).assert_code(3);
    assert!(ran.stderr.contains("--force"), "{ran:?}");
    assert_eq!(hashes(&workspace.path()), before);
    benchmark(&workspace, &["--force"]).assert_code(0);
    assert_ne!(read(&workspace, JSON), FOREIGN);
    assert_ne!(read(&workspace, MARKDOWN), "mine");
}

#[test]
fn it_writes_elsewhere_when_asked_and_leaves_the_workspace_alone() {
    let workspace = Workspace::good();
    let before = hashes(&workspace.path());
    benchmark(&workspace, &["-o", "figures/first.json"]).assert_code(0);
    let written: Vec<String> = support::tree(&workspace.elsewhere()).into_keys().collect();
    assert_eq!(written, ["figures/first.json", "figures/first.md"]);
    assert_eq!(hashes(&workspace.path()), before);
}

#[test]
fn two_workspaces_with_iterations_of_one_name_do_not_overwrite_each_other() {
    let (one, other) = (Workspace::good(), Workspace::good());
    let mut command = evalbook(&one.elsewhere());
    command.arg("benchmark").arg(one.path()).arg(other.path()).args(["-o", "figures"]);
    let ran = CommandOutput::of(&mut command);
    let written = support::files(&one.elsewhere()).len();
    let refused = ran.code == Some(2) && written == 0;
    assert!(refused || written == 4, "{written} files: {ran:?}");
}

#[test]
fn a_report_has_the_benchmark_of_its_newest_graded_iteration_at_the_top() {
    let grading = |passed| support::grading(&[("x", passed, "seen")]);
    let workspace = Workspace::new()
        .file("iteration-1/a/with_skill/grading.json", grading(false))
        .file("iteration-2/a/with_skill/grading.json", grading(true))
        .file("iteration-3/a/eval_metadata.json", r#"{"prompt": "p"}"#);
    let report = workspace.build();
    let read = |path: &str| read_text(report.join(path));
    let overview = read("index.html");
    for name in ["benchmark.json", "benchmark.md"] {
        assert_eq!(read(name), read(&format!("iterations/iteration-2/{name}")));
        assert_ne!(read(name), read(&format!("iterations/iteration-1/{name}")), "{name}");
        assert!(overview.contains(&format!("href=\"{name}\"")), "{name}");
    }
    let report = Workspace::new().file("iteration-1/a/with_skill/outputs/a.md", "a").build();
    assert!(!report.join("benchmark.json").exists());
}
