//! Rows in shapes of their own, read to the end.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::pipeline::{self, Input};
use input::files::Memory;
use input::model::{Code, Problem, Run, Tally, Workspace};
use input::settings::Settings;

fn load(files: &[(&str, &str)]) -> Workspace {
    let files: BTreeMap<String, Vec<u8>> =
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    let flags = Settings { no_redact: true, ..Settings::default() };
    let input = Input::new(Arc::new(Memory::new(files)), "results", &flags);
    let mut loaded = pipeline::load(input).expect("settings that make sense");
    loaded.workspaces.remove(0).workspace
}

/// Each run as `case side number: passed failed ungraded, tokens`, in the order of the workspace.
fn runs(workspace: &Workspace) -> Vec<String> {
    let mut lines = Vec::new();
    for case in workspace.iterations.iter().flat_map(|iteration| &iteration.cases) {
        for run in &case.runs {
            let Run { configuration, number, metrics, .. } = run;
            let tally = run.tally();
            let (passed, failed, open) = (tally.passed, tally.failed, tally.ungraded);
            let tokens = metrics.tokens.map_or("-".to_owned(), |tokens| tokens.to_string());
            let case = &case.name;
            lines.push(format!(
                "{case} {configuration} {number}: {passed} {failed} {open}, {tokens}"
            ));
        }
    }
    lines.sort();
    lines
}

fn problems(workspace: &Workspace, code: Code) -> Vec<&Problem> {
    workspace.problems.iter().filter(|problem| problem.code == code).collect()
}

const MAPPING: &str =
    "[[rows]]\nfiles = 'r.jsonl'\ncase = 'c'\nconfiguration = 's'\npassed = 'ok'\n";

#[test]
fn without_run_and_check_each_distinct_row_is_a_run() {
    let rows = r#"{"c": "a", "s": "x", "ok": true}
{"c": "a", "s": "x", "ok": true, "n": 2}
{"ok": true, "c": "a", "s": "x"}
{"c": "a", "s": "y", "ok": "FAIL"}
"#;
    let workspace = load(&[("evalbook.toml", MAPPING), ("r.jsonl", rows)]);
    assert_eq!(runs(&workspace), ["a x 1: 1 0 0, -", "a x 2: 1 0 0, -", "a y 1: 0 1 0, -"]);
    let [again] = problems(&workspace, Code::RepeatedRow)[..] else { panic!("one problem") };
    assert_eq!(again.place.map(|place| place.line), Some(3));
}

#[test]
fn a_verdict_is_never_inherited_and_everything_else_is() {
    let rows = r#"{"s": "x", "ok": true, "all": [{"c": "a"}, {"c": "b", "ok": false}]}"#;
    let mapping = MAPPING.to_owned() + "list = 'all'";
    let workspace = load(&[("evalbook.toml", &mapping), ("r.jsonl", rows)]);
    assert_eq!(runs(&workspace), ["a x 1: 0 0 1, -", "b x 1: 0 1 0, -"]);
    assert_eq!(problems(&workspace, Code::RowNotRead).len(), 1);
}

#[test]
fn figures_of_several_runs_or_that_differ_are_left_out() {
    let rows = r#"{"t": 9, "all": [{"c": "a", "s": "x", "k": "p", "ok": true}, {"c": "b", "s": "x", "k": "p", "ok": true}]}
{"t": 7, "all": [{"c": "c", "s": "x", "k": "p", "ok": true}, {"c": "c", "s": "x", "k": "q", "ok": true}]}
{"c": "d", "s": "x", "k": "p", "ok": 1, "t": 3}
{"c": "d", "s": "x", "k": "q", "ok": 0.4, "t": 4}
"#;
    let mapping = MAPPING.to_owned() + "check = 'k'\ntokens = 't'\n";
    let lists = mapping.clone() + "list = 'all'\n";
    let workspace = load(&[("evalbook.toml", &lists), ("r.jsonl", rows)]);
    assert_eq!(runs(&workspace), ["a x 1: 1 0 0, -", "b x 1: 1 0 0, -", "c x 1: 2 0 0, 7"]);
    let single: String = rows.lines().skip(2).map(|line| format!("{line}\n")).collect();
    let workspace = load(&[("evalbook.toml", &mapping), ("r.jsonl", &single)]);
    assert_eq!(runs(&workspace), ["d x 1: 1 1 0, -"]);
    assert_eq!(problems(&workspace, Code::RowNotRead).len(), 1);
}

#[test]
fn a_second_mapping_adds_figures_to_known_runs_only() {
    let verdicts = "c,s,ok\na,x,yes\na,y,no\n";
    let costs = r#"[{"c": "a", "s": "x", "t": 5}, {"c": "z", "s": "x", "t": 6}]"#;
    let mapping = MAPPING.replace("r.jsonl", "r.csv")
        + "[[rows]]\nfiles = 't.json'\ncase = 'c'\nconfiguration = 's'\ntokens = 't'\n";
    let files = [("evalbook.toml", mapping.as_str()), ("r.csv", verdicts), ("t.json", costs)];
    let workspace = load(&files);
    assert_eq!(runs(&workspace), ["a x 1: 1 0 0, 5", "a y 1: 0 1 0, -"]);
    assert_eq!(problems(&workspace, Code::RowNotRead).len(), 1);
}

#[test]
fn placeholders_stand_for_keys_places_and_parts_of_paths() {
    let rows = r#"{"a": {"x": [{"ok": true}, {"ok": false}]}, "b.c": {"x": [{"ok": null}]}}"#;
    let mapping = "[[rows]]\nfiles = '{iteration}.json'\nlist = '{case}.{configuration}.{run}'\npassed = 'ok'\n";
    let workspace =
        load(&[("evalbook.toml", mapping), ("round-9.json", rows), ("round-10.json", rows)]);
    let expected = ["a x 1: 1 0 0, -", "a x 2: 0 1 0, -", "b.c x 1: 0 0 1, -"];
    assert_eq!(runs(&workspace), expected.map(|line| [line, line]).concat());
    assert_eq!(workspace.iterations.len(), 2);
}

#[test]
fn a_wrong_field_is_an_error_at_its_line_that_lists_those_that_exist() {
    let rows = r#"{"task": {"id": "a"}, "s": "x", "ok": true}"#;
    let workspace = load(&[("evalbook.toml", MAPPING), ("r.jsonl", rows)]);
    let [wrong] = problems(&workspace, Code::RowsMismatch)[..] else { panic!("one problem") };
    assert_eq!((&*wrong.path, wrong.place.map(|place| place.line)), ("evalbook.toml", Some(3)));
    let help = wrong.help.as_deref().unwrap_or_default();
    assert!(help.contains("`task.id`") && help.contains("`ok`"), "{help}");
    assert!(problems(&workspace, Code::RowNotRead).is_empty());
    let workspace = load(&[("evalbook.toml", MAPPING), ("other.jsonl", rows)]);
    assert_eq!(problems(&workspace, Code::RowsMismatch).len(), 1);
}

#[test]
fn a_guessed_mapping_counts_what_it_would_read_and_reads_it() {
    let mut rows = String::new();
    for number in 0..12 {
        let [case, side, trial] = [number / 4, number / 2 % 2, number % 2];
        let side = ["no-skill", "skill"][side];
        rows += &format!(
            "{{\"meta\": {{\"taskId\": {case}}}, \"variant\": \"{side}\", \"trial\": {trial}, \"passed\": {}}}\n",
            number % 3 == 0
        );
    }
    let workspace = load(&[("all/r.jsonl", &rows)]);
    let [guess] = problems(&workspace, Code::ResultsNotRead)[..] else { panic!("one problem") };
    assert!(guess.message.ends_with("12 rows: 3 cases, 2 sides, 2 runs"), "{}", guess.message);
    let (_, mapping) = guess.help.as_deref().and_then(|help| help.split_once('\n')).expect("lines");
    let workspace = load(&[("evalbook.toml", mapping), ("all/r.jsonl", &rows)]);
    assert_eq!(runs(&workspace).len(), 12);
    let sides: Vec<&str> =
        workspace.iterations[0].configurations.iter().map(|side| side.as_str()).collect();
    assert_eq!(sides, ["with_skill", "without_skill"]);
    assert!(workspace.problems.iter().all(|problem| problem.code == Code::RecognizedTool));
}

#[test]
fn files_of_one_form_get_one_mapping_with_a_placeholder() {
    let rows = |passed: bool| {
        format!(
            "task,arm,ok\na,with_skill,{passed}\na,without_skill,no\nb,with_skill,yes\nb,without_skill,no\n"
        )
    };
    let [one, other] = [rows(true), rows(false)];
    let files = [("r/2026-09-30-stats.csv", &*one), ("r/2026-10-07-stats.csv", &*other)];
    let workspace = load(&files);
    let [guess] = problems(&workspace, Code::ResultsNotRead)[..] else { panic!("one problem") };
    let help = guess.help.as_deref().unwrap_or_default();
    assert!(help.contains("\nfiles = \"r/{iteration}-stats.csv\"\n"), "{help}");
    let (_, mapping) = help.split_once('\n').expect("lines");
    let workspace = load(&[("evalbook.toml", mapping), files[0], files[1]]);
    assert_eq!(workspace.iterations.len(), 2);
}

/// skillgrade writes a file for each task, as `tea_2026-09-01T10-00-00-000Z.json`.
#[test]
fn files_of_other_cases_are_no_rounds() {
    let trials = |task: &str| {
        format!(
            r#"{{"task": "{task}", "trials": [{{"trial_id": 0, "reward": 1.0, "duration_ms": 9}}, {{"trial_id": 1, "reward": 0.4, "duration_ms": 8}}]}}"#
        )
    };
    let [tea, soup] = [trials("tea"), trials("soup")];
    let files = [("r/soup_2026-09-01T10.json", &*soup), ("r/tea_2026-09-01T11.json", &*tea)];
    let workspace = load(&files);
    let [guess] = problems(&workspace, Code::ResultsNotRead)[..] else { panic!("one problem") };
    let (_, mapping) = guess.help.as_deref().and_then(|help| help.split_once('\n')).expect("lines");
    let workspace = load(&[("evalbook.toml", mapping), files[0], files[1]]);
    assert_eq!(workspace.iterations.len(), 1);
    let expected = ["soup unnamed 1: 1 0 0, -", "soup unnamed 2: 0 1 0, -"];
    assert_eq!(runs(&workspace)[..2], expected);
    assert_eq!(runs(&workspace).len(), 4);
}

#[test]
fn broken_rows_are_named_and_the_others_are_read() {
    let rows = "{\"c\": \"a\", \"s\": \"x\", \"ok\": true}\n{\"c\": \"b\", \"s\": \"x\", \"ok\": tr\n\
        {\"c\": [1], \"s\": \"x\", \"ok\": true}\n7\n{\"c\": \"d\", \"s\": \"x\", \"ok\": 5}\n";
    let workspace = load(&[("evalbook.toml", MAPPING), ("r.jsonl", rows)]);
    assert_eq!(runs(&workspace), ["a x 1: 1 0 0, -", "d x 1: 0 0 1, -"]);
    let lines: Vec<usize> =
        workspace.problems.iter().filter_map(|problem| Some(problem.place?.line)).collect();
    assert_eq!(lines, [2, 3, 4, 5]);
}

/// Results as skill-eval-harness writes them: a run that ended in an error has a verdict too.
const HARNESS: &str = r#"{"results": [
    {"case_id": "a", "variant": "with_skill", "objective_passed": true, "error": null},
    {"case_id": "a", "variant": "without_skill", "objective_passed": false, "error": "exit 1"},
    {"case_id": "b", "variant": "with_skill", "objective_passed": false, "error": ""},
    {"case_id": "b", "variant": "without_skill", "objective_passed": false, "error": null}]}"#;

#[test]
fn a_run_that_ended_in_an_error_is_none_whatever_its_verdict() {
    let mapping = "[[rows]]\nfiles = 'results.json'\nlist = 'results'\ncase = 'case_id'\n\
                   configuration = 'variant'\npassed = 'objective_passed'\nerror = 'error'\n";
    let workspace = load(&[("evalbook.toml", mapping), ("results.json", HARNESS)]);
    let of_runs = workspace.iterations.iter().flat_map(|iteration| iteration.runs());
    let lost: Vec<&str> = of_runs
        .filter(|run| run.error.is_some())
        .map(|run| {
            assert_eq!(run.tally().graded(), 0);
            run.configuration.as_str()
        })
        .collect();
    assert_eq!(lost, ["without_skill"]);
    let tally: Tally = workspace.iterations.iter().flat_map(|i| i.runs()).map(Run::tally).sum();
    assert_eq!((tally.passed, tally.failed), (1, 2));
}

#[test]
fn cells_of_tables_may_hold_json() {
    let cells = [
        (
            "list = 'l'\npassed = 'ok'\ncheck = 'n'",
            r#"[{"n": "x", "ok": true}, {"n": "y", "ok": false}]"#,
        ),
        ("passed = 'l'", "[true, false]"),
        ("passed = ['l.x', 'l.y']", r#"{"x": true, "y": 0}"#),
        ("passed = ['l.x', 'l.y']", "{'x': True, 'y': False}"),
    ];
    for (keys, cell) in cells {
        let mapping = format!(
            "[[rows]]\nfiles = 'r.csv'\ncase = 'c'\nconfiguration = 's'\ntokens = 't'\n{keys}\n"
        );
        let cell = cell.replace('"', "\"\"");
        let rows = format!("c,s,t,l\na,with,7,\"{cell}\"\na,without,8,\"{cell}\"\n");
        let workspace = load(&[("evalbook.toml", &mapping), ("r.csv", &rows)]);
        assert_eq!(runs(&workspace), ["a with 1: 1 1 0, 7", "a without 1: 1 1 0, 8"], "{keys}");
        let guessable = rows.replace("c,s,t,l", "task,variant,tokens,checks");
        let guessable = guessable.replace("\"\"n\"\"", "\"\"name\"\"");
        let workspace = load(&[("r.csv", &guessable)]);
        let named = problems(&workspace, Code::ResultsNotRead).len();
        assert_eq!(named, usize::from(keys.starts_with("list")), "{keys}");
    }
}

#[test]
fn a_text_in_brackets_is_no_json_and_json_is_shown_as_it_is() {
    let mapping = MAPPING.to_owned() + "evidence = 'why'";
    let reason = |why: &str| {
        let row = format!(r#"{{"c": "a", "s": "x", "ok": true, "why": {why}}}"#);
        let workspace = load(&[("evalbook.toml", &mapping), ("r.jsonl", &row)]);
        let case = &workspace.iterations[0].cases[0];
        case.runs[0].expectations()[0].evidence.clone().unwrap_or_default()
    };
    assert_eq!(reason(r#"["one", 2]"#), "one\n2");
    assert_eq!(reason(r#"{"a": [1, null]}"#), r#"{"a":[1,null]}"#);
    assert_eq!(reason(r#""[a, b""#), "[a, b");
}
