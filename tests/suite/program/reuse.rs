//! Runs that count again in a later round: what `init --reuse` plans, how they are read, and which files
//! that claim a run are refused.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::schema::mismatch;
use crate::support::{Workspace, project, read_json, read_text, words};
use evalbook::json_schema;
use serde_json::{Value, json};
use testing::gradings::verdicts;

const CASES: [&str; 6] = ["board", "calls", "dates", "graphs", "index", "tables"];
/// The workspace beside the skill, from the folder in which commands run.
const MADE: &str = "../workspace-workspace";
const SIDES: [&str; 2] = ["with_skill", "without_skill"];

/// What an edit of the skill's evals may change.
#[derive(Clone, Copy, Default)]
struct Edits<'e> {
    check: Option<&'e str>,
    prompt: Option<&'e str>,
}

fn evals(edits: Edits<'_>) -> String {
    let mut evals = Vec::new();
    for (at, name) in CASES.into_iter().enumerate() {
        let mut prompt = format!("Write the page on {name}");
        if edits.prompt == Some(name) {
            prompt += " in English";
        }
        let mut checks: Vec<String> =
            (0..4).map(|part| format!("Part {part} of {name} is there")).collect();
        if edits.check == Some(name) {
            checks[1] += " and dated";
        }
        evals.push(json!({"id": at + 1, "name": name, "prompt": prompt, "expectations": checks}));
    }
    json!({"skill_name": "pages", "evals": evals}).to_string()
}

/// A skill with one round of 6 cases × 3 runs × 2 sides.
fn measured_once() -> Workspace {
    let place = Workspace::new()
        .file("SKILL.md", "# Pages\n\nWrite them.\n")
        .file("evals/evals.json", evals(Edits::default()));
    init(&place, &["--runs", "3", "--model", "small-1"]);
    run_all(&place, "iteration-1", "pfpp", "pfpf");
    place
}

fn init(place: &Workspace, more: &[&str]) -> String {
    place.run([&["init", "../workspace"], more].concat()).assert_code(0).stdout
}

fn made(place: &Workspace, path: &str) -> PathBuf {
    place.path().with_file_name("workspace-workspace").join(path)
}

fn write(path: &Path, text: impl AsRef<[u8]>) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, text).expect("a file");
}

fn edit_skill(place: &Workspace) {
    write(&place.path().join("SKILL.md"), "# Pages\n\nWrite them well.\nAnd soon.\n");
}

fn edit_evals(place: &Workspace, edits: Edits<'_>) {
    write(&place.path().join("evals/evals.json"), evals(edits));
}

/// Makes and grades every run of a round that was planned to be made.
fn run_all(place: &Workspace, iteration: &str, with: &str, without: &str) {
    for (at, case) in CASES.into_iter().enumerate() {
        let asked = read_json(made(place, &format!("{iteration}/{case}/eval_metadata.json")));
        for side in SIDES {
            for number in 1..=3 {
                let run = made(place, &format!("{iteration}/{case}/{side}/run-{number}"));
                if !run.join("outputs").is_dir() {
                    continue;
                }
                let letters = if side == "with_skill" { with } else { without };
                let answer = format!("{iteration} {case} {side} {number}");
                write(&run.join("outputs/page.md"), &answer);
                write(&run.join("grading.json"), grading(&asked, letters, &answer));
                let seconds = 40 + 7 * at + number;
                let timing = json!({
                    "model": "small-1", "total_tokens": 50_000 + seconds,
                    "total_duration_seconds": seconds,
                });
                write(&run.join("timing.json"), timing.to_string());
            }
        }
    }
}

/// A grading of the checks in `asked` by letters, with reasons of its own.
fn grading(asked: &Value, letters: &str, reason: &str) -> String {
    let mut checks = Vec::new();
    for (check, letter) in
        asked["assertions"].as_array().expect("checks").iter().zip(letters.chars())
    {
        let passed = letter == 'p';
        checks.push(
            json!({"text": check, "passed": passed, "evidence": format!("{reason}: {check}")}),
        );
    }
    json!({ "expectations": checks }).to_string()
}

/// The runs of the newest iteration as `report.json` has them.
fn newest_runs(place: &Workspace) -> Vec<Value> {
    let report = report(place);
    let iterations = report["workspaces"][0]["iterations"].as_array().expect("iterations");
    let cases = iterations.last().expect("one")["cases"].as_array().expect("cases").clone();
    cases.iter().flat_map(|case| case["runs"].as_array().expect("runs").clone()).collect()
}

fn report(place: &Workspace) -> Value {
    place.run(["build", MADE, "-o", "report"]).assert_code(0);
    read_json(place.elsewhere().join("report/report.json"))
}

fn problems(place: &Workspace) -> Vec<(String, String)> {
    problems_of(&place.run(["check", MADE, "--format", "json"]).json())
}

fn problems_of(found: &Value) -> Vec<(String, String)> {
    let problems = found["workspaces"][0]["problems"].as_array().expect("a list");
    let text = |problem: &Value, key: &str| problem[key].as_str().unwrap_or_default().to_owned();
    problems.iter().map(|one| (text(one, "code"), text(one, "message"))).collect()
}

#[test]
fn a_version_that_ran_is_recorded_for_its_round_and_found_by_init() {
    let place = measured_once();
    let snapshot = || place.run(["snapshot", "../workspace"]).assert_code(0).stdout;
    assert!(snapshot().contains("for iteration-1"));
    let same = init(&place, &["--reuse"]);
    assert!(same.contains("`../workspace-workspace#iteration-1`"), "{same}");
    edit_skill(&place);
    let sides = ["--configurations", "with_skill,old_skill"];
    assert!(snapshot().contains("for iteration-2"));
    let made = init(&place, &sides);
    assert!(made.contains("old_skill is ../workspace-workspace/v0/skill\n"), "{made}");
}

#[test]
fn only_runs_that_would_differ_are_planned() {
    let place = measured_once();
    for (edits, is_skill_edited, line) in [
        (Edits::default(), true, "18 of 36 runs to make; 18 reused; saves about 900"),
        (
            Edits { check: Some("dates"), ..Edits::default() },
            false,
            "0 of 36 runs to make; 30 reused, 6 to regrade;",
        ),
        (
            Edits { prompt: Some("dates"), ..Edits::default() },
            false,
            "6 of 36 runs to make; 30 reused;",
        ),
        (
            Edits { check: Some("board"), prompt: Some("dates") },
            true,
            "21 of 36 runs to make; 12 reused, 3 to regrade;",
        ),
    ] {
        let skill = if is_skill_edited { "# Other\n" } else { "# Pages\r\n\r\nWrite them.\r\n" };
        write(&place.path().join("SKILL.md"), skill);
        edit_evals(&place, edits);
        let said = init(&place, &["--reuse", "--dry-run"]);
        assert!(said.contains(line), "{line}: {said}");
    }
    // The guide quotes the last one.
    let said = init(&place, &["--reuse", "--dry-run"]);
    let guide = read_text(project().join("docs/src/guide/iterate.md"));
    let line = said.lines().find(|line| line.contains("to regrade")).expect("a line");
    let line = line.replace(['\u{a0}', '\u{202f}'], " ");
    assert!(guide.lines().any(|quoted| quoted == line), "{line}");
    edit_evals(&place, Edits::default());
    write(&place.path().join("SKILL.md"), "# Pages\n\nWrite them.\n");
    let nothing = init(&place, &["--reuse"]);
    assert!(!made(&place, "iteration-2").exists(), "{nothing}");
    for (more, line) in [
        (&["--reuse", "--fresh"][..], "18 of 36 runs to make; 18 reused"),
        (&["--reuse", "--model", "small-2"], "36 of 36 runs to make; 0 reused"),
    ] {
        let said = init(&place, &[more, &["--dry-run"]].concat());
        assert!(said.contains(line), "{more:?}: {said}");
    }
}

#[test]
fn a_reused_round_reads_as_if_all_of_it_had_been_made() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "");
    assert!(problems(&place).is_empty(), "{:?}", problems(&place));
    let reused = report(&place);
    let round = &reused["workspaces"][0]["iterations"][1];
    let of_side = |side: &str| {
        let runs = newest_runs(&place);
        runs.into_iter().filter(|run| run["configuration"] == side).collect::<Vec<_>>()
    };
    let runs = of_side("without_skill");
    assert_eq!(runs.len(), 18);
    assert!(
        runs.iter().all(|run| run["reuse"]["iteration"] == "iteration-1" && run["passed"] == 2)
    );
    assert!(of_side("with_skill").iter().all(|run| run["reuse"].is_null() && run["passed"] == 4));
    let checked = place.run(["check", MADE, "--format", "json"]).json();
    assert_eq!(checked["workspaces"][0]["totals"]["runs"], 54, "no run counts twice");

    // The same round with every run made, with the verdicts and figures of the reused ones.
    for case in CASES {
        for number in 1..=3 {
            let run = format!("{case}/without_skill/run-{number}");
            let (from, to) = (
                made(&place, &format!("iteration-1/{run}")),
                made(&place, &format!("iteration-2/{run}")),
            );
            fs::remove_file(to.join("reused.json")).expect("a file less");
            for file in ["grading.json", "timing.json", "outputs/page.md"] {
                let text = read_text(from.join(file)).replace("iteration-1", "iteration-2");
                // Equal figures would be those of a copy.
                write(&to.join(file), text.replace("\"total_tokens\":5", "\"total_tokens\":6"));
            }
        }
    }
    let full = report(&place);
    let whole = &full["workspaces"][0]["iterations"][1];
    // Everything but what a run cost and where it was made.
    for (reused, made) in [
        (&round["configurations"], &whole["configurations"]),
        (&reused["workspaces"][0]["questions"][0], &full["workspaces"][0]["questions"][0]),
    ] {
        assert_eq!(without_costs(reused), without_costs(made));
    }
    assert_eq!(verdicts_of(round), verdicts_of(whole));
}

/// A part of a report without figures of time and tokens.
fn without_costs(part: &Value) -> Value {
    match part {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(key, _)| {
                !["tokens", "time", "duration_s", "cost"].iter().any(|cost| key.contains(cost))
            });
            kept.map(|(key, value)| (key.clone(), without_costs(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_costs).collect(),
        other => other.clone(),
    }
}

/// The verdicts of a round, run by run.
fn verdicts_of(round: &Value) -> Vec<String> {
    let mut found = Vec::new();
    for case in round["cases"].as_array().expect("cases") {
        for run in case["runs"].as_array().expect("runs") {
            for check in run["gradings"][0]["expectations"].as_array().expect("checks") {
                let [side, number] = [&run["configuration"], &run["number"]];
                found.push(format!(
                    "{} {side} {number} {} {}",
                    case["name"], check["text"], check["passed"]
                ));
            }
        }
    }
    found
}

#[test]
fn what_a_reused_side_did_is_no_news_and_its_runs_are_marked() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "");
    let report = report(&place);
    let news = report["workspaces"][0]["news"].to_string();
    for kind in ["carried", "not_run_again", "graded_before", "ruler_moved"] {
        assert!(!news.contains(&format!("\"{kind}\"")), "{kind}: {news}");
    }
    let index = read_text(place.elsewhere().join("report/index.html"));
    assert!(index.contains("from iteration-1"), "the first page says where the runs are from");
    let said = place.run(["check", MADE]).assert_code(0).stdout;
    assert!(said.contains("18 of 18 runs of without_skill are from iteration-1"), "{said}");
}

#[test]
fn runs_that_count_again_are_not_compared_with_themselves() {
    let place = measured_once();
    edit_evals(&place, Edits { prompt: Some("dates"), ..Edits::default() });
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pfpp", "pfpf");
    assert!(problems(&place).is_empty(), "{:?}", problems(&place));
    let report = report(&place);
    let rows = report["workspaces"][0]["questions"].as_array().expect("rows");
    let words: Vec<&Value> = rows.iter().map(|row| &row["word"]).collect();
    assert_eq!(words[1], "same runs", "{words:?}");
}

#[test]
fn a_round_of_another_skill_is_no_copy_however_equal_its_gradings_are() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--runs", "3", "--model", "small-1"]);
    let rounds = ["iteration-1", "iteration-2"].map(|round| made(&place, round));
    for case in CASES {
        for (side, run) in SIDES.iter().flat_map(|side| [1, 2, 3].map(|run| (side, run))) {
            let [first, second] =
                rounds.each_ref().map(|round| round.join(format!("{case}/{side}/run-{run}")));
            let mut grading = read_json(first.join("grading.json"));
            for check in grading["expectations"].as_array_mut().expect("checks") {
                check["evidence"] =
                    json!(format!("the last line of {case} is in its place, {run}"));
            }
            let _ = fs::remove_file(first.join("timing.json"));
            for folder in [first, second] {
                write(&folder.join("grading.json"), grading.to_string());
            }
        }
    }
    assert!(
        problems(&place).iter().all(|(code, _)| code != "reused-run"),
        "{:?}",
        problems(&place)
    );
    // Without the plans nothing says that anything ran.
    for round in &rounds {
        for (case, side) in CASES.iter().flat_map(|case| SIDES.map(|side| (case, side))) {
            for run in 1..=3 {
                let plan = round.join(format!("{case}/{side}/run-{run}/measured.json"));
                fs::remove_file(plan).expect("a plan");
            }
        }
    }
    assert!(
        problems(&place).iter().any(|(code, _)| code == "reused-run"),
        "{:?}",
        problems(&place)
    );
}

#[test]
fn the_model_that_is_planned_is_that_of_the_runs_and_the_skill_that_of_its_evals() {
    let place = measured_once();
    for case in CASES {
        for (side, run) in SIDES.iter().flat_map(|side| [1, 2, 3].map(|run| (side, run))) {
            let timing = made(&place, &format!("iteration-1/{case}/{side}/run-{run}/timing.json"));
            let text = json!({ "total_tokens": 50_000 + run, "total_duration_seconds": 40 + run });
            write(&timing, text.to_string());
        }
    }
    let models: Vec<Value> =
        newest_runs(&place).iter().map(|run| run["metrics"]["model"].clone()).collect();
    assert!(!models.is_empty() && models.iter().all(|model| model == "small-1"), "{models:?}");
    place.run(["baseline", MADE, "-o", "base.json"]).assert_code(0);
    let gate = ["compare", "base.json", MADE, "--fail-on", "worse"];
    place.run(gate).assert_code(0);
    // The evals of another skill, with the same cases.
    let evals = place.path().join("evals/evals.json");
    let mut other = read_json(&evals);
    let name = other["skill_name"].as_str().expect("a name").to_owned();
    other["skill_name"] = json!(format!("{name}-two"));
    write(&evals, other.to_string());
    let ran = place.run(gate).assert_code(1);
    assert!(ran.stderr.contains(&name), "{ran:?}");
}

#[test]
fn a_round_that_was_thrown_away_is_not_the_one_before() {
    let place = measured_once();
    let skill = read_text(place.path().join("SKILL.md"));
    let snapshot = || place.run(["snapshot", "../workspace"]).assert_code(0);
    snapshot();
    edit_skill(&place);
    snapshot();
    init(&place, &["--runs", "3", "--model", "small-1"]);
    run_all(&place, "iteration-2", "pfff", "pfpf");
    // The edit lost checks: back to the first version, and another edit.
    let next = |text: &str| {
        write(&place.path().join("SKILL.md"), text);
        snapshot();
    };
    next(&skill);
    next("# Pages\n\nWrite them twice.\n");
    init(&place, &["--runs", "3", "--model", "small-1"]);
    run_all(&place, "iteration-3", "pffp", "pfpf");
    let gate = place.run(["build", MADE, "-o", "report", "--fail-on", "worse"]).assert_code(1);
    assert!(
        gate.stderr.contains("iteration-1") && !gate.stderr.contains("iteration-2"),
        "{gate:?}"
    );
}

#[test]
fn the_grading_of_another_case_opens_no_gate() {
    let place = measured_once();
    place.run(["baseline", MADE, "-o", "base.json"]).assert_code(0);
    for run in 1..=3 {
        let folder = |case: &str| made(&place, &format!("iteration-1/{case}/with_skill/run-{run}"));
        let mut other = read_json(folder("dates").join("grading.json"));
        for check in other["expectations"].as_array_mut().expect("checks") {
            check["passed"] = json!(true);
        }
        write(&folder("board").join("grading.json"), other.to_string());
        write(&folder("board").join("timing.json"), "{}");
    }
    for rule in ["worse", "loss"] {
        let ran = place.run(["compare", "base.json", MADE, "--fail-on", rule]).assert_code(1);
        assert!(ran.stderr.contains("board"), "{ran:?}");
    }
}

#[test]
fn a_comparison_says_what_is_there_today_and_was_never_run() {
    let place = measured_once();
    place.run(["baseline", MADE, "-o", "base.json"]).assert_code(0);
    let is_stale = || {
        let json = place.run(["compare", "base.json", MADE, "--format", "json"]).json();
        json["is_stale"].as_bool().expect("a flag")
    };
    assert!(!is_stale());
    let file = place.path().join("evals/evals.json");
    let mut more = read_json(&file);
    let mut case = more["evals"][0].clone();
    case["id"] = json!(9);
    case["name"] = json!("ninth");
    more["evals"].as_array_mut().expect("cases").push(case);
    write(&file, more.to_string());
    for text in
        [place.run(["compare", "base.json", MADE]).stdout, place.run(["brief", MADE]).stdout]
    {
        assert!(words::says(&text, "measured.never_run", &[("names", "ninth")]), "{text}");
    }
    edit_skill(&place);
    assert!(is_stale());
}

#[test]
fn a_changed_check_is_judged_here_and_all_others_there() {
    let place = measured_once();
    edit_evals(&place, Edits { check: Some("dates"), ..Edits::default() });
    init(&place, &["--reuse"]);
    let run = made(&place, "iteration-2/dates/with_skill/run-1");
    let file = read_json(run.join("reused.json"));
    for (name, document) in [("reused", &file), ("measured", &file["measured"])] {
        let schema = json_schema(name, false).expect("a schema");
        assert_eq!(mismatch(&schema, document, name), None);
    }
    assert_eq!(file["regrade"], json!(["Part 1 of dates is there and dated"]));
    let of_run = || {
        let runs = newest_runs(&place);
        let found = runs.into_iter().find(|run| {
            run["path"].as_str().is_some_and(|path| path.ends_with("dates/with_skill/run-1"))
        });
        found.expect("the run")
    };
    let before = of_run();
    assert_eq!([&before["passed"], &before["failed"]], [3, 0], "the old wording is not judged");
    assert_eq!(before["gradings"][0]["never_graded"], 1);
    // The grader judged one more check, which keeps its verdict.
    let regraded = json!({"expectations": [
        {"text": "Part 1 of dates is there and dated", "passed": false, "evidence": "no date"},
        {"text": "Part 0 of dates is there", "passed": false, "evidence": "not asked"},
    ]});
    write(&run.join("grading.json"), regraded.to_string());
    let after = of_run();
    assert_eq!([&after["passed"], &after["failed"]], [3, 1]);
    assert_eq!(after["reuse"]["regraded"], 1);
    // While a verdict is missing the round is not done; with all of them it is, though nothing ran in it.
    edit_skill(&place);
    place.run(["init", "../workspace", "--reuse"]).assert_code(2);
    for side in SIDES {
        for number in 1..=3 {
            let run = made(&place, &format!("iteration-2/dates/{side}/run-{number}"));
            write(&run.join("grading.json"), regraded.to_string());
        }
    }
    init(&place, &["--reuse"]);
    assert!(made(&place, "iteration-3/dates").is_dir());
}

#[test]
fn what_nobody_knows_is_not_the_same() {
    // Neither the plan nor the runs name a model.
    let place = Workspace::new()
        .file("SKILL.md", "# Pages\n\nWrite them.\n")
        .file("evals/evals.json", evals(Edits::default()));
    init(&place, &["--runs", "3"]);
    run_all(&place, "iteration-1", "pfpp", "pfpf");
    for case in CASES {
        for run in SIDES.iter().flat_map(|side| (1..=3).map(move |n| format!("{side}/run-{n}"))) {
            write(
                &made(&place, &format!("iteration-1/{case}/{run}/timing.json")),
                r#"{"total_tokens": 50000, "total_duration_seconds": 41}"#,
            );
        }
    }
    edit_skill(&place);
    let said = init(&place, &["--reuse", "--dry-run"]);
    assert!(said.contains("36 of 36 runs to make; 0 reused"), "{said}");
    assert!(said.contains("--model NAME"), "it says how to record it: {said}");
    let said = init(&place, &["--reuse", "--dry-run", "--model", "small-1"]);
    assert!(said.contains("36 of 36 runs to make; 0 reused"), "{said}");
}

#[test]
fn a_harness_is_part_of_a_run_and_a_grader_of_its_verdicts() {
    let place = Workspace::new()
        .file("SKILL.md", "# Pages\n\nWrite them.\n")
        .file("evals/evals.json", evals(Edits::default()));
    let named = ["--model", "small-1", "--harness", "one", "--grader", "anna"];
    init(&place, &[&["--runs", "3"], &named[..]].concat());
    run_all(&place, "iteration-1", "pfpp", "pfpf");
    edit_skill(&place);
    for (more, line) in [
        (&[][..], "18 of 36 runs to make; 18 reused;"),
        (&["--harness", "two"], "36 of 36 runs to make; 0 reused"),
        (&["--grader", "bert"], "18 of 36 runs to make; 0 reused, 18 to regrade;"),
    ] {
        let said = init(&place, &[&["--reuse", "--dry-run"], more].concat());
        assert!(said.contains(line), "{more:?}: {said}");
    }
    init(&place, &["--reuse", "--grader", "bert"]);
    let of_baseline = || {
        let runs = newest_runs(&place);
        let found = runs.into_iter().find(|run| {
            run["path"].as_str().is_some_and(|path| path.ends_with("dates/without_skill/run-1"))
        });
        found.expect("the run")
    };
    run_all(&place, "iteration-2", "pppp", "");
    assert!(of_baseline()["passed"].is_null() || of_baseline()["passed"] == 0, "{}", of_baseline());
    // Verdicts of the new grader are in this round.
    let run = made(&place, "iteration-2/dates/without_skill/run-1");
    let asked = read_json(made(&place, "iteration-2/dates/eval_metadata.json"));
    write(&run.join("grading.json"), grading(&asked, "pppf", "judged by another"));
    assert_eq!(of_baseline()["passed"], 3);
}

#[test]
fn runs_added_to_a_round_say_what_they_are_measured_on() {
    let place = measured_once();
    init(&place, &["--into", "iteration-1"]);
    for (side, case) in SIDES.iter().flat_map(|side| CASES.map(|case| (side, case))) {
        let folder = |run: u32| made(&place, &format!("iteration-1/{case}/{side}/run-{run}"));
        let [first, added] = [1, 4].map(|run| read_json(folder(run).join("measured.json")));
        assert_eq!(first, added, "{case} {side}");
    }
    // One that is added after an edit has the edited skill.
    edit_skill(&place);
    init(&place, &["--into", "iteration-1"]);
    let skill = |side: &str, run: u32| {
        let path = format!("iteration-1/dates/{side}/run-{run}/measured.json");
        read_json(made(&place, &path))["skill"].clone()
    };
    assert_ne!(skill("with_skill", 5), skill("with_skill", 4));
    assert_eq!(skill("without_skill", 5), "none");
}

#[test]
fn runs_of_an_earlier_round_are_marked_in_each_output() {
    let place = measured_once();
    edit_evals(&place, Edits { prompt: Some("dates"), ..Edits::default() });
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "pfpf");
    place.run(["build", MADE, "-o", "report", "--export", "junit"]).assert_code(0);
    let report = place.elsewhere().join("report");
    let text = |path: &str| read_text(report.join(path));
    let benchmark = text("benchmark.md");
    assert!(benchmark.contains("(3 runs), from iteration-1"), "{benchmark}");
    assert!(
        benchmark.contains("15 of 18 runs of without_skill are from iteration-1"),
        "{benchmark}"
    );
    let matrix = text("cases/board.html");
    assert!(matrix.contains("3 runs, from iteration-1"), "{matrix}");
    assert!(!text("cases/dates.html").contains("from iteration-1"));
    // JUnit is about the candidate, whose runs were all made here.
    let junit = text("junit.xml");
    assert!(!junit.contains("from iteration-1"), "{junit}");
    // An edit of one prompt alone leaves the candidate's other runs.
    let place = measured_once();
    edit_evals(&place, Edits { prompt: Some("dates"), ..Edits::default() });
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "pfpf");
    place.run(["build", MADE, "-o", "report", "--export", "junit"]).assert_code(0);
    let junit = read_text(place.elsewhere().join("report/junit.xml"));
    let mark = r#"name="reused_runs" value="run 1 from iteration-1, run 2 from iteration-1"#;
    assert_eq!(junit.matches(mark).count(), CASES.len() - 1, "{junit}");
}

#[test]
fn a_comparison_of_a_skill_that_was_edited_since_cannot_pass() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &[]);
    run_all(&place, "iteration-2", "pppp", "pfpf");
    let base = format!("{MADE}/iteration-1");
    let gate = ["compare", &base, MADE, "--gate"];
    place.run(gate).assert_code(0);
    place.run(["baseline", MADE, "-o", "baseline.json"]).assert_code(0);
    write(&place.path().join("SKILL.md"), "# Pages\n\nWrite them once more.\n");
    for base in [&*base, "baseline.json"] {
        let ran = place.run(["compare", base, MADE, "--gate"]).assert_code(1);
        assert!(ran.stdout.contains("no run measured it"), "{base}: {ran:?}");
    }
    // An edit that is taken back leaves nothing to measure.
    edit_skill(&place);
    place.run(gate).assert_code(0);
}

#[test]
fn of_an_edit_that_was_taken_back_the_round_that_ran_the_skill_counts() {
    let place = measured_once();
    place.run(["baseline", MADE, "-o", "first.json"]).assert_code(0);
    edit_skill(&place);
    init(&place, &["--configurations", "with_skill,old_skill"]);
    run_all(&place, "iteration-2", "ppff", "pfpf");
    let gate = ["compare", "first.json", MADE, "--gate"];
    place.run(gate).assert_code(1);
    write(&place.path().join("SKILL.md"), "# Pages\n\nWrite them.\n");
    let ran = place.run(gate).assert_code(0);
    let choice = "iteration-1 is taken, not iteration-2";
    assert!(ran.stderr.contains(choice), "{ran:?}");
    // A comment has no log beside it.
    let ran = place.run(["compare", "first.json", MADE, "--format", "markdown"]).assert_code(0);
    assert!(ran.stdout.contains(choice) && !ran.stderr.contains(choice), "{ran:?}");
    let annotations = place.run(["check", MADE, "--format", "github"]).assert_code(0).stdout;
    assert!(!annotations.contains("regressed"), "{annotations}");
    place.run(["baseline", MADE, "-o", "second.json"]).assert_code(0);
    let written = |name: &str| read_json(place.elsewhere().join(name));
    assert_eq!(written("second.json"), written("first.json"));
    let base = format!("{MADE}#iteration-1");
    place.run(["compare", &base, MADE, "--gate"]).assert_code(0);
    let ran = place.run(["build", MADE, "-o", "report", "--gate"]).assert_code(0);
    assert!(ran.stderr.contains("with_skill of iteration-1"), "{ran:?}");
    assert!(ran.stderr.contains("Nothing to run"), "{ran:?}");
}

#[test]
fn a_round_that_is_prepared_is_the_next_step() {
    let place = measured_once();
    edit_skill(&place);
    let ran = place.run(["build", MADE, "-o", "report"]).assert_code(0);
    assert!(words::says(&ran.stderr, "measured.next", &[]), "{ran:?}");
    init(&place, &["--reuse"]);
    let ran = place.run(["build", MADE, "-o", "report"]).assert_code(0);
    let prepared = [("iteration", "iteration-2")];
    assert!(words::says(&ran.stderr, "measured.next_prepared", &prepared), "{ran:?}");
    // What ran is to be graded first.
    let outputs = made(&place, "iteration-2/board/with_skill/run-1/outputs");
    write(&outputs.join("pages.md"), "Pages");
    let ran = place.run(["build", MADE, "-o", "report"]).assert_code(0);
    assert!(!words::says(&ran.stderr, "measured.next", &[]), "{ran:?}");
    assert!(!words::says(&ran.stderr, "measured.next_prepared", &prepared), "{ran:?}");
}

#[test]
fn every_run_of_a_case_says_what_changed_since() {
    let place = measured_once();
    // The second run was asked something else.
    let run = made(&place, "iteration-1/board/with_skill/run-2/measured.json");
    let mut file = read_json(&run);
    file["prompt"] = json!("0");
    file["checks"].as_array_mut().expect("checks").pop();
    write(&run, file.to_string());
    let said = place.run(["check", MADE]).assert_code(0).stdout;
    assert!(said.contains("1 check, 1 prompt changed since iteration-1 ran"), "{said}");
}

#[test]
fn a_source_that_is_graded_again_counts_as_graded_now() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "");
    let source = made(&place, "iteration-1/board/without_skill/run-2/grading.json");
    let asked = read_json(made(&place, "iteration-1/board/eval_metadata.json"));
    write(&source, grading(&asked, "pppp", "judged anew"));
    let runs = newest_runs(&place);
    let again: Vec<&Value> =
        runs.iter().filter(|run| run["reuse"]["is_graded_again"] == true).collect();
    assert_eq!(again.len(), 1);
    assert_eq!(again[0]["passed"], 4);
}

#[test]
fn a_source_that_is_gone_leaves_its_run_missing() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "");
    fs::remove_dir_all(made(&place, "iteration-1/board/without_skill/run-2"))
        .expect("a folder less");
    assert_eq!(newest_runs(&place).len(), 35);
    let found = problems(&place);
    assert!(found.iter().any(|(code, _)| code == "reused-run-gone"), "{found:?}");
    let said = place.run(["check", MADE]).assert_code(0).stdout;
    assert!(said.contains("1 of 18 runs of without_skill are missing"), "{said}");
}

#[test]
fn a_file_that_lies_is_refused_with_the_reason() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "");
    let file = made(&place, "iteration-2/board/without_skill/run-1/reused.json");
    let honest = read_json(&file);
    let with = |key: &str, value: Value| {
        let mut changed = honest.clone();
        changed[key] = value;
        changed
    };
    let measured = |key: &str, value: Value| {
        let mut changed = honest.clone();
        changed["measured"][key] = value;
        changed
    };
    let skill = read_json(made(&place, "iteration-1/board/with_skill/run-1/measured.json"));
    let source = |path: &str| with("source", json!(path));
    for (lie, why) in [
        (source("../other/iteration-1/board/without_skill/run-1"), "no folder in this workspace"),
        (source("/etc"), "no folder in this workspace"),
        (
            source("iteration-1/../iteration-1/board/without_skill/run-1"),
            "no folder in this workspace",
        ),
        (source("iteration-1\\board\\without_skill\\run-1"), "no folder in this workspace"),
        (source("iteration-2/board/without_skill/run-1"), "itself a run of an earlier round"),
        (source("iteration-2/board/without_skill/run-2"), "itself a run of an earlier round"),
        (source("iteration-2/board/with_skill/run-1"), "a run of this round"),
        (source("iteration-1/board/without_skill/run-2"), "counts in this round already"),
        (source("iteration-1/calls/without_skill/run-1"), "another prompt"),
        (source("iteration-1/board/with_skill/run-1"), "another skill"),
        (measured("prompt", json!("0")), "another prompt"),
        (measured("model", json!("small-2")), "another model"),
        (measured("files", json!("0")), "another input files"),
        (measured("skill", Value::Null), "on which skill"),
        (with("measured", json!({})), "on which skill"),
        (
            json!({"source": "iteration-1/board/with_skill/run-1", "measured": skill}),
            "another side than `without_skill`",
        ),
    ] {
        write(&file, lie.to_string());
        // A refused file is an error of `check`.
        let found =
            problems_of(&place.run(["check", MADE, "--format", "json"]).assert_code(1).json());
        let refused = found.iter().find(|(code, _)| code == "reuse-refused");
        // Of two that name one run, the second is refused, whichever lies.
        assert!(
            refused.is_some_and(|(_, message)| message.contains(why)),
            "{why}: {lie} {found:?}"
        );
    }
    assert_eq!(newest_runs(&place).len(), 35, "a refused run is missing");
    // A run of the side with the skill, before its edit, in place of one after it.
    write(&file, honest.to_string());
    assert_eq!(newest_runs(&place).len(), 36);
    let run = made(&place, "iteration-2/board/with_skill/run-1");
    fs::remove_dir_all(&run).expect("a folder less");
    let old = json!({"source": "iteration-1/board/with_skill/run-1", "measured": skill});
    write(&run.join("reused.json"), old.to_string());
    let found = problems(&place);
    assert!(found.iter().any(|(_, message)| message.contains("another skill")), "{found:?}");
}

#[cfg(unix)]
#[test]
fn no_link_is_followed_to_a_run() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "");
    let run = made(&place, "iteration-1/board/without_skill/run-1");
    let other = place.elsewhere().join("moved");
    fs::rename(&run, &other).expect("another place");
    std::os::unix::fs::symlink(&other, &run).expect("a link");
    assert_eq!(newest_runs(&place).len(), 35);
}

#[test]
fn benchmark_has_the_runs_of_both_sides() {
    let place = measured_once();
    edit_skill(&place);
    init(&place, &["--reuse"]);
    run_all(&place, "iteration-2", "pppp", "");
    place.run(["benchmark".to_owned(), format!("{MADE}/iteration-2")]).assert_code(0);
    let benchmark = read_json(made(&place, "iteration-2/benchmark.json"));
    let runs = benchmark["runs"].as_array().expect("runs");
    let of_side = runs.iter().filter(|run| run["configuration"] == "without_skill");
    assert_eq!((runs.len(), of_side.count()), (36, 18));
}

#[test]
fn three_rounds_on_one_baseline_are_one_piece_of_evidence() {
    let place = measured_once();
    for round in 2..=4 {
        write(&place.path().join("SKILL.md"), format!("# Pages\n\nVersion {round}.\n"));
        let said = init(&place, &["--reuse"]);
        assert_eq!(said.contains("--fresh"), round == 4, "{round}: {said}");
        run_all(&place, &format!("iteration-{round}"), "pppp", "");
    }
    place.run(["build", MADE, "-o", "report"]).assert_code(0);
    let history = read_text(place.elsewhere().join("report/history.html"));
    assert!(history.contains("4 rounds share the runs of without_skill"));
}

#[test]
fn an_edit_that_no_run_measured_is_said_and_fails_a_gate() {
    let place = measured_once();
    let gate = ["build", MADE, "-o", "report", "--gate"];
    let before = place.run(gate);
    assert_eq!(before.code, Some(0), "{before:?}");
    edit_skill(&place);
    let ran = place.run(gate).assert_code(1);
    assert!(ran.stderr.contains("no run measured it"), "{ran:?}");
    let summary = read_json(place.elsewhere().join("report/summary.json"));
    assert_eq!(summary["workspaces"][0]["is_stale"], true);
    let badge = read_json(place.elsewhere().join("report/badge.json"));
    assert_eq!(badge["color"], "5c6370");
    edit_evals(&place, Edits { check: Some("dates"), prompt: Some("board") });
    let said = place.run(["check", MADE]).assert_code(0).stdout;
    assert!(said.contains("1 check, 1 prompt changed since iteration-1 ran"), "{said}");
}

#[test]
fn three_sides_are_one_sentence() {
    let place = measured_once();
    edit_skill(&place);
    let sides = "with_skill,without_skill,old_skill";
    let said = init(&place, &["--reuse", "--configurations", sides]);
    assert!(said.contains("18 of 54 runs to make; 36 reused"), "{said}");
    run_all(&place, "iteration-2", "pppp", "");
    let said = place.run(["check", MADE]).assert_code(0).stdout;
    let sentence =
        "without_skill from iteration-1, old_skill from iteration-1, with_skill made in this round";
    assert!(said.contains(sentence), "{said}");
}

#[test]
fn a_run_that_must_not_count_is_listed_with_its_reason() {
    let place = Workspace::new()
        .files(
            "iteration-1/a,b/with_skill,without_skill/run-1,run-2/grading.json",
            verdicts("pf").json(),
        )
        .file(
            "iteration-1/a/with_skill/run-1/contaminated.json",
            r#"{"reason": "it read the key"}"#,
        );
    let said = place.run(["check", "../workspace"]).stdout;
    assert!(said.contains("with_skill, run 1: contaminated: it read the key"), "{said}");
}
