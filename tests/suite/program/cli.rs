//! The program as people and scripts use it: exit codes, help, what it writes and what it leaves.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support;
use crate::support::{
    CommandOutput, GOOD_EVIDENCE, Workspace, evalbook, grading, hashes, project, read_text, words,
};
use serde_json::{Value, json};

/// Where the good case's grading lies, and where a bad one is put beside it.
const BAD: &str = "iteration-1/bad-case/with_skill/run-1/grading.json";

/// A workspace in which one grading cannot be read.
fn with_an_error() -> Workspace {
    Workspace::good().file(BAD, "no verdicts here")
}

/// A workspace in which one grading has a warning.
fn with_a_warning() -> Workspace {
    Workspace::good().file(BAD, r#"{"expectations": [{"text": "a", "passed": true},]}"#)
}

#[test]
fn check_and_build_of_a_good_workspace_end_with_0() {
    let workspace = Workspace::good();
    workspace.run(["check", "../workspace", "--strict"]).assert_code(0);
    workspace.run(["build", "../workspace"]).assert_code(0);
    workspace.run(["--version"]).assert_code(0);
}

#[test]
fn errors_end_check_with_1_and_warnings_do_when_strict() {
    let workspace = with_an_error();
    let ran = workspace.run(["check", "../workspace"]).assert_code(1);
    assert!(ran.stdout.contains("error[not-json]"), "{ran:?}");
    assert!(ran.stdout.contains(&format!("{BAD}:1:1")), "{ran:?}");
    let ran = workspace.run(["build", "../workspace"]).assert_code(0);
    assert!(ran.stderr.contains(", 1 error"), "one error: {ran:?}");
    let check = ["check", "../workspace", "--strict", "--format", "json"];
    for (args, code) in [(&check[..2], 0), (&check[..3], 1), (&check, 1)] {
        with_a_warning().run(args).assert_code(code);
    }
}

#[test]
fn build_anywhere_in_the_workspace_writes_beside_it() {
    let workspace = Workspace::good();
    let before = hashes(&workspace.path());
    for (folder, report) in [("", "../report/"), ("iteration-1/good-case", "../../../report/")] {
        let here = workspace.path().join(folder);
        let ran =
            CommandOutput::of(evalbook(&here).arg("build").arg(workspace.path())).assert_code(0);
        assert!(ran.stderr.contains(report), "{ran:?}");
    }
    assert!(workspace.path().join("../report/index.html").is_file());
    assert_eq!(hashes(&workspace.path()), before);
}

#[test]
fn nothing_found_ends_with_3_and_names_what_was_looked_for_and_the_nearest_thing() {
    let workspace =
        Workspace::new().file("deep/down/notes.md", "").file("results/scores.json", "{}");
    for command in ["check", "build"] {
        let ran = workspace.run([command, "../workspace"]).assert_code(3);
        for word in ["`../workspace`", "grading.json", "`results/scores.json`"] {
            assert!(ran.stderr.contains(word), "{word}: {ran:?}");
        }
    }
    assert!(support::children(&workspace.elsewhere()).is_empty());
}

#[test]
fn what_only_a_benchmark_records_is_told_and_not_counted() {
    let listed = r#"{"runs": [{"eval_id": 1, "configuration": "with_skill", "run_number": 1,
        "result": {"passed": 1, "total": 1, "time_seconds": 70.1, "tokens": 27690}}]}"#;
    let costs = [("file", "benchmark.json"), ("iteration", "iteration-1")];
    let (graded, timed) = ("iteration-1/a/with_skill,without_skill +", " 3");
    for (runs, has_file, is_told) in [
        (graded.to_owned(), false, false),
        (graded.to_owned(), true, true),
        (format!("{graded}{timed}"), true, false),
    ] {
        let mut workspace = Workspace::new().runs(&runs);
        if has_file {
            workspace = workspace.file("iteration-1/benchmark.json", listed);
        }
        let ran = workspace.run(["check", "../workspace"]);
        let told = words::says(&ran.stdout, "verdict.costs_elsewhere", &costs);
        assert_eq!(told, is_told, "{runs} {has_file}: {ran:?}");
        assert_eq!(words::says(&ran.stdout, "verdict.no_costs", &[]), runs == graded, "{ran:?}");
    }
    let alone = Workspace::new().file("iteration-1/benchmark.json", listed);
    let ran = alone.run(["check", "../workspace"]);
    let left = [("iteration", "iteration-1")];
    assert!(words::says(&ran.stdout, "recorded.left", &left), "{ran:?}");
    assert!(ran.stdout.contains("benchmark.json"), "{ran:?}");
}

#[test]
fn a_benchmark_alone_makes_a_report_that_says_what_it_records() {
    let run = |configuration: &str, passed: bool| {
        let check = json!({"text": "a", "passed": passed, "evidence": "seen"});
        json!({"eval_id": 1, "configuration": configuration, "expectations": [check]})
    };
    let listed = json!({"runs": [run("with_skill", true), run("without_skill", false)]});
    for path in ["evals/results/benchmark.json", "benchmark.json"] {
        let workspace = Workspace::new().file(path, listed.to_string());
        let totals = &workspace.check()["workspaces"][0]["totals"];
        let recorded =
            json!({"runs": 2, "expectations": 2, "passed": 1, "failed": 1, "ungraded": 0});
        assert_eq!((&totals["runs"], &totals["graded_runs"]), (&json!(2), &json!(0)), "{totals}");
        assert_eq!(totals["recorded"], recorded);
        let report = workspace.build();
        let read = |file: &str| read_text(report.join(file));
        for page in ["index.html", "report.md", "iterations/workspace/index.html"] {
            let page = read(page);
            assert!(page.contains("with_skill") && page.contains("100 %"), "{page}");
        }
        let from = words::text("answer.from_file", &[("file", "benchmark.json")]);
        assert!(read("index.html").contains(&from));
        assert!(read("iterations/workspace/brief.md").contains("with_skill"));
        let badge: Value = serde_json::from_str(&read("badge.json")).expect("JSON");
        assert_ne!(badge["message"], words::raw("badge.nothing_graded"));
    }
}

#[test]
fn a_blind_comparison_alone_is_told_wherever_there_is_no_answer() {
    let text = r#"{"winner": "A", "reasoning": "more complete"}"#;
    let workspace = Workspace::new().file("iteration-1/eval-1/comparison.json", text);
    let ran = workspace.run(["check", "../workspace"]);
    let counted = words::count(1, "comparison");
    assert!(ran.stdout.lines().any(|line| line.trim() == counted), "{ran:?}");
    let shown = words::text("overview.beside_told", &[("what", &counted)]);
    let ran = workspace.run(["build", "../workspace"]);
    assert!(ran.stderr.contains(&shown), "{ran:?}");
    let report = workspace.elsewhere().join("report");
    let link = format!("href=\"comparisons.html\">{counted}</a>");
    for (name, part) in [("index.html", &link), ("report.md", &shown)] {
        let page = read_text(report.join(name));
        assert!(page.contains(part), "{name}: {page}");
    }
    let comment = ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];
    let ran = workspace.run(comment);
    assert!(ran.stdout.contains(&shown), "{ran:?}");
}

#[test]
fn without_a_path_the_current_folder_is_read() {
    let workspace = Workspace::good();
    let ran = CommandOutput::of(evalbook(&workspace.path()).arg("check")).assert_code(0);
    assert!(ran.stdout.contains("1 iteration, 1 case"), "{ran:?}");
}

#[test]
fn a_report_of_the_folder_one_stands_in_goes_beside_it_and_is_no_input() {
    let workspace = Workspace::good();
    let before = hashes(&workspace.path());
    let read = |ran: &CommandOutput| ran.stderr.split(['(', ')']).step_by(2).collect::<String>();
    let build =
        |args: &[&str]| CommandOutput::of(evalbook(&workspace.path()).args(args)).assert_code(0);
    let first = build(&["build"]);
    assert_eq!(read(&build(&["build", "."])), read(&first));
    assert!(first.stderr.contains("../report/index.html"), "{first:?}");
    assert_eq!(hashes(&workspace.path()), before);
    let report = workspace.path().join("../report");
    assert!(report.join("index.html").is_file());
    // Neither the report beside it nor one in it is read.
    build(&["build", "-o", "mine"]);
    let totals = |folder: &str| {
        CommandOutput::of(evalbook(&workspace.path()).args(["check", folder, "--format", "json"]))
            .json()["workspaces"][0]["totals"]["runs"]
            .clone()
    };
    assert_eq!(totals("."), totals(".."));
}

#[test]
fn build_refuses_a_file_in_the_place_of_the_report() {
    let workspace = Workspace::good();
    let file = workspace.elsewhere().join("report");
    std::fs::write(&file, "mine").unwrap();
    workspace.run(["build", "../workspace"]).assert_code(3);
    assert_eq!(read_text(&file), "mine");
    assert_eq!(support::children(&workspace.elsewhere()), [file]);
}

#[test]
fn build_replaces_an_earlier_report_as_a_whole() {
    let workspace = with_a_warning();
    let report = workspace.build();
    let page = support::tree(&report)
        .into_keys()
        .find(|path| path.contains("bad-case"))
        .expect("a page of the case");
    std::fs::remove_dir_all(workspace.path().join("iteration-1/bad-case")).unwrap();
    assert_eq!(workspace.build(), report);
    assert!(!report.join(page).exists(), "a page of the earlier report");
    let fresh = Workspace::good();
    assert_eq!(hashes(&report), hashes(&fresh.build()));
}

#[test]
fn build_makes_the_folders_above_the_report_and_leaves_nothing_else() {
    let workspace = with_an_error();
    for _ in 0..2 {
        let report = workspace.build();
        assert_eq!(support::children(&workspace.elsewhere()), [report]);
    }
    workspace.run(["build", "../workspace", "-o", "a/b/c"]).assert_code(0);
    assert!(workspace.elsewhere().join("a/b/c/index.html").is_file());
}

#[test]
fn an_earlier_report_in_the_workspace_is_no_input() {
    let workspace = Workspace::good();
    let args = ["build", "../workspace", "-o", "../workspace/report"];
    // The second report names the first among what was left out, so it is some bytes larger.
    let read = |ran: &CommandOutput| ran.stderr.split(['(', ')']).step_by(2).collect::<String>();
    let first = workspace.run(args).assert_code(0);
    let before = hashes(&workspace.path());
    let second = workspace.run(args).assert_code(0);
    assert_eq!(read(&first), read(&second));
    let outside = |path: &String| !path.starts_with("report/");
    let mut after = hashes(&workspace.path());
    after.retain(|path, _| outside(path));
    let mut unchanged = before;
    unchanged.retain(|path, _| outside(path));
    assert_eq!(after, unchanged);
}

/// More than the files of a limited build may hold.
#[cfg(unix)]
const LARGE: usize = 400_000;

#[cfg(unix)]
fn assert_failing_build_changes_nothing(path: &str, content: &str, unwritten: &str) {
    let workspace = Workspace::good();
    let before = hashes(&workspace.build());
    let workspace = workspace.file(path, content);
    let shell = std::process::Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 256; exec \"$0\" build ../workspace -o report";
    let mut command = support::quiet_environment(shell, &workspace.elsewhere());
    let ran =
        CommandOutput::of(command.args(["-c", script]).arg(support::program())).assert_code(3);
    assert!(ran.stderr.contains("os error 27"), "too large: {ran:?}");
    assert!(ran.stderr.contains(&format!("cannot write `report/{unwritten}")), "{ran:?}");
    let report = workspace.elsewhere().join("report");
    assert_eq!(hashes(&report), before);
    assert_eq!(support::children(&workspace.elsewhere()), [report]);
}

#[test]
#[cfg(unix)]
fn a_build_that_cannot_write_a_file_leaves_the_earlier_report_whole() {
    let page = grading(&[("large", true, &"x".repeat(LARGE))]);
    assert_failing_build_changes_nothing(BAD, &page, "");
    let output = "iteration-1/good-case/with_skill/run-1/outputs/large.txt";
    assert_failing_build_changes_nothing(output, &"x".repeat(LARGE), "files/");
}

#[test]
#[cfg(unix)]
fn a_build_where_nothing_may_be_written_leaves_the_earlier_report_whole() {
    if support::permissions_do_not_bind() {
        println!("skipped: permissions do not bind the user that runs the tests");
        return;
    }
    let workspace = Workspace::good();
    let before = hashes(&workspace.build());
    support::set_mode(&workspace.elsewhere(), 0o555);
    let ran = workspace.run(["build", "../workspace"]);
    support::set_mode(&workspace.elsewhere(), 0o755);
    let ran = ran.assert_code(3);
    assert!(ran.stderr.contains("`report"), "{ran:?}");
    // Which error the system gave, and what to do about it.
    assert_eq!(ran.stderr.lines().count(), 2, "{ran:?}");
    assert_eq!(hashes(&workspace.elsewhere().join("report")), before);
}

#[test]
#[cfg(unix)]
fn a_folder_that_may_not_be_listed_is_not_called_empty() {
    if support::permissions_do_not_bind() {
        println!("skipped: permissions do not bind the user that runs the tests");
        return;
    }
    let workspace = Workspace::good();
    support::set_mode(&workspace.path(), 0o000);
    let ran = ["build", "check", "serve"].map(|command| workspace.run([command, "../workspace"]));
    support::set_mode(&workspace.path(), 0o755);
    for ran in ran {
        let ran = ran.assert_code(3);
        assert!(ran.stderr.contains("`../workspace`"), "{ran:?}");
        assert!(!ran.stderr.contains("grading.json"), "nothing was looked for: {ran:?}");
    }
}

#[test]
fn build_and_check_change_nothing_of_the_workspace() {
    for example in support::examples() {
        let workspace = Workspace::new().with(&example).folder("empty-folder");
        let before = (hashes(&workspace.path()), folders(&workspace.path()));
        workspace.build();
        workspace.check();
        workspace.run(["check", "../workspace"]);
        let after = (hashes(&workspace.path()), folders(&workspace.path()));
        assert_eq!(after, before, "{}", example.display());
    }
}

fn folders(root: &Path) -> BTreeSet<String> {
    let entries = walkdir::WalkDir::new(root).into_iter();
    entries
        .map(|entry| entry.expect("a readable entry").into_path())
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}

#[test]
fn quiet_prints_nothing_but_errors() {
    let workspace = with_an_error();
    let ran = workspace.run(["build", "../workspace", "--quiet"]).assert_code(0);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    let ran = workspace.run(["build", "../nowhere", "--quiet"]).assert_code(3);
    assert!(ran.stderr.contains("`../nowhere`"), "{ran:?}");
}

#[test]
fn build_closes_with_a_line_that_sums_it_up_and_the_answer() {
    let workspace = Workspace::good();
    let ran = workspace.run(["build", "../workspace", "-o", "site"]);
    assert_eq!(ran.stdout, "", "the result is the folder");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let [answer, step, sum] = lines[..] else { panic!("{ran:?}") };
    assert!(step.contains("good-case"), "{step}");
    assert!(sum.contains(" 1 run.") && !sum.contains("error"), "{sum}");
    assert!(sum.ends_with("site/index.html"), "{sum}");
    assert!(words::says(answer, "overview.rate_alone", &[]), "{answer}");
}

#[test]
fn check_json_has_the_documented_keys() {
    let inventory = with_a_warning().check();
    let sizes = "iterations cases configurations runs graded_runs expectations passed failed \
                 ungraded outputs output_bytes";
    assert_keys(&inventory, "schema_version workspaces");
    assert_eq!(inventory["schema_version"], 1);
    let workspace = only(&inventory["workspaces"]);
    assert_keys(workspace, "path skill totals iterations problems");
    assert_eq!(workspace["path"], "../workspace");
    assert_keys(&workspace["totals"], &format!("{sizes} files ignored_files"));
    let iteration = only(&workspace["iterations"]);
    assert_keys(iteration, "name totals");
    assert_keys(&iteration["totals"], sizes);
    let problem = only(&workspace["problems"]);
    assert_keys(problem, "severity code path line column message help");
    assert_eq!(problem["code"], "near-json");
}

fn assert_keys(object: &Value, keys: &str) {
    for key in keys.split_whitespace() {
        assert!(object.get(key).is_some(), "no `{key}` in {object}");
    }
}

fn only(list: &Value) -> &Value {
    match list.as_array().expect("a list").as_slice() {
        [item] => item,
        items => panic!("{} items in {list}", items.len()),
    }
}

#[test]
fn check_json_is_the_same_with_and_without_color() {
    let workspace = with_a_warning();
    let json = ["check", "../workspace", "--format", "json"];
    let plain = workspace.run(json);
    let colored = workspace.run(json.into_iter().chain(["--color", "always"]));
    assert_eq!(plain.stdout, colored.stdout);
}

#[test]
fn several_workspaces_are_read_at_once() {
    let examples = project().join("examples");
    let workspace = Workspace::good();
    let mut command = evalbook(&workspace.elsewhere());
    command.args(["check", "--format", "json", "../workspace"]);
    let ran = CommandOutput::of(command.arg(examples.join("compact")));
    let inventory = ran.json();
    let found = inventory["workspaces"].as_array().expect("workspaces");
    assert_eq!(found.len(), 2, "{inventory}");
}

#[test]
fn planned_cases_beside_results_are_no_workspace_of_their_own() {
    let plan = r#"{"skill_name": "other", "evals": [{"id": 1, "prompt": "p"}]}"#;
    let planned = || Workspace::new().files("evals/one,two/evals.json", plan);
    let found = |workspace: Workspace| {
        workspace.check()["workspaces"].as_array().expect("workspaces").len()
    };
    let run = "evals/results/a/with_skill +";
    assert_eq!(found(planned()), 2, "nothing but plans");
    assert_eq!(found(planned().runs(run)), 1);
    let broken = planned().file("evals/two/evals.json", "{\"evals\": [{\"id\": 1,}]}").runs(run);
    let ran = broken.run(["check", "../workspace"]);
    assert!(
        ran.stdout.contains("evals/two/evals.json"),
        "what is wrong with a plan is told: {ran:?}"
    );
}

/// A title for the terminal's window, a color, and a cursor that goes up.
const ESCAPES: &str = "\u{1b}]0;owned\u{7}\u{1b}[31mred\u{1b}[1A\u{9b}2J";

fn with_escapes() -> Workspace {
    let evidence = format!("{GOOD_EVIDENCE} {ESCAPES}");
    let verdict = serde_json::json!({
        "expectations": [
            { "text": ESCAPES, "passed": ESCAPES, "evidence": evidence },
            { "text": "b", "passed": true, "evidence": evidence },
        ],
        "summary": { "passed": 7, "total": 9 },
    });
    let workspace = Workspace::good().file(BAD, verdict.to_string());
    if cfg!(unix) {
        let case = format!("iteration-1/case-{}", ESCAPES.replace('/', ""));
        let name = format!("{case}/with_skill/run-1/grading.json");
        let ignored = format!("{}.cfg", ESCAPES.replace('/', ""));
        return workspace.file(&name, "{").file(&ignored, "");
    }
    workspace
}

#[test]
fn escapes_in_names_evidence_and_arguments_never_act() {
    let workspace = with_escapes();
    for args in [&["check", "../workspace"][..], &["build", "../workspace"], &["check", ESCAPES]] {
        let ran = workspace.run(args);
        for text in [&ran.stdout, &ran.stderr] {
            let raw = text.contains(['\u{1b}', '\u{7}', '\u{9b}']);
            assert!(!raw, "{args:?}: {text:?}");
        }
    }
    let ran = workspace.run(["check", "../workspace", "--format", "json"]);
    let raw = |c: char| c.is_control() && c != '\n';
    let found: BTreeSet<char> = ran.stdout.chars().filter(|c| raw(*c)).collect();
    assert!(found.is_empty(), "{found:?}");
    let problems = &ran.json()["workspaces"][0]["problems"];
    assert!(problems.to_string().contains("owned"), "{problems}");
    let ran = workspace.run(["check", "../workspace", "--color", "always"]);
    assert!(ran.stdout.contains('\u{1b}'), "the program's own colors");
    for escape in ["\u{1b}]", "\u{7}", "\u{1b}[1A", "\u{9b}"] {
        assert!(!ran.stdout.contains(escape), "{escape:?}: {}", ran.stdout);
    }
}
