//! `evalbook brief`: what an agent needs for the next improvement, never over the size asked for.

use crate::support;
use crate::support::{CommandOutput, Workspace, evalbook, project, read_text, words};
use serde_json::{Value, json};

fn grading(passed: bool, evidence: &str) -> String {
    json!({
        "expectations": [
            {"text": "the total is right", "passed": passed, "evidence": evidence},
            {"text": "there is a chart", "passed": true, "evidence": "it is there"},
        ],
        "eval_feedback": {
            "suggestions": [{"reason": "check the total itself"}],
            "overall": "No suggestions, evals look solid",
        },
    })
    .to_string()
}

/// Two iterations of one case that lost a pass, with a comment on the second.
fn lost(evidence: &str) -> Workspace {
    let comment = json!({"reviews": [{"run_id": "sums-with_skill", "feedback": "wrong unit"}]});
    Workspace::new()
        .file("iteration-1/sums/with_skill/grading.json", grading(true, "fine"))
        .file("iteration-2/sums/with_skill/grading.json", grading(false, evidence))
        .file("iteration-2/feedback.json", comment.to_string())
        .file(
            "iteration-2/analysis.json",
            json!({"suggestions": [{"area": "units", "before": "cm", "after": "mm", "reasoning": "name it"}]})
                .to_string(),
        )
}

fn brief(place: &Workspace, more: &[&str]) -> CommandOutput {
    place.run([&["brief", "../workspace"], more].concat())
}

/// What the brief says of people who judged two cases, by the sides that they preferred.
fn preferred(winners: [&str; 2]) -> String {
    let mut place = Workspace::new();
    let mut pairs = Vec::new();
    for (case, winner) in ["sums", "dates"].into_iter().zip(winners) {
        for side in ["with_skill", "without_skill"] {
            let file = format!("iteration-1/{case}/{side}/grading.json");
            place = place.file(&file, grading(true, "fine"));
        }
        let mapping = json!({ "A": "with_skill", "B": "without_skill" });
        pairs.push(
            json!({ "eval_name": case, "winner": winner, "mapping": mapping, "blind": true }),
        );
    }
    let judged = json!({ "judge": "human", "pairs": pairs }).to_string();
    brief(&place.file("iteration-1/comparison-human.json", judged), &[]).stdout
}

#[test]
fn only_a_side_that_is_ahead_is_preferred() {
    let says = |winners| words::says(&preferred(winners), "brief.preferred_in", &[]);
    assert!(says(["A", "A"]) && says(["B", "tie"]));
    assert!(!says(["A", "B"]) && !says(["tie", "tie"]));
}

#[test]
fn the_most_urgent_comes_first() {
    let ran = brief(&lost("it says 41"), &[]).assert_code(0);
    let heading = |key: &str| format!("## {}\n", words::raw(&format!("brief.{key}")));
    let [now, then] = [("now", "cm"), ("then", "mm")]
        .map(|(key, unit)| words::text(&format!("brief.{key}"), &[("words", unit)]));
    let parts = [
        "# workspace, iteration-2\n".to_owned(),
        heading("regressed_once"),
        "- sums: **the total is right**\n  - it says 41\n".to_owned(),
        heading("feedback"),
        "wrong unit\n".to_owned(),
        heading("proposals"),
        format!("- **units**: name it\n  - {now}\n  - {then}\n"),
        heading("suggestions"),
        "check the total itself\n".to_owned(),
    ];
    let places: Vec<Option<usize>> = parts.iter().map(|part| ran.stdout.find(part)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}: {}", ran.stdout);
    assert!(!words::says(&ran.stdout, "brief.cut_bytes", &[]), "{}", ran.stdout);
}

#[test]
fn an_iteration_in_which_nothing_ran_yet_is_passed_over() {
    let place =
        lost("it says 41").file("iteration-3/sums/eval_metadata.json", r#"{"prompt": "p"}"#);
    let ran = brief(&place, &[]);
    assert!(ran.stdout.starts_with("# workspace, iteration-2\n"), "{ran:?}");
}

#[test]
fn runs_that_stopped_come_before_the_checks_that_failed() {
    let error = json!({"error": "exit code 1"}).to_string();
    let place = lost("it says 41").file("iteration-2/sums/without_skill/grading.json", error);
    let folder = "iteration-2/sums/without_skill";
    let run = words::text("brief.run_in", &[("number", "1"), ("folder", folder)]);
    let heading = words::raw("brief.stopped");
    let section = format!("## {heading}\n\n- exit code 1\n  - sums, without_skill: {run}\n");
    let text = brief(&place, &[]).assert_code(0).stdout;
    let failed = text.find("it says 41");
    assert!(text.find(&section).is_some_and(|at| Some(at) < failed), "{text}");
    let found: Value =
        serde_json::from_str(&brief(&place, &["--format", "json"]).stdout).expect("JSON");
    let stopped = &found["workspaces"][0]["stopped"][0];
    assert_eq!((&stopped["folder"], &stopped["error"]), (&json!(folder), &json!("exit code 1")));
}

/// Whether a brief says that nothing is graded, as the first screen does, and not that nothing failed.
fn is_ungraded(brief: &str) -> bool {
    words::says(brief, "state.not_graded", &[]) && !words::says(brief, "brief.nothing", &[])
}

#[test]
fn where_nothing_is_graded_nothing_is_said_to_have_passed() {
    let place = Workspace::new()
        .file("iteration-1/sums/with_skill/outputs/a.txt", "a")
        .file("iteration-1/sums/without_skill/outputs/a.txt", "b");
    let ran = brief(&place, &[]);
    assert!(ran.stdout.starts_with("# workspace, iteration-1\n"), "{ran:?}");
    assert!(is_ungraded(&ran.stdout), "{ran:?}");
    let page = read_text(place.build().join("iterations/iteration-1/brief.md"));
    assert!(is_ungraded(&page), "{page}");
}

#[test]
fn what_was_graded_stands_before_what_only_ran() {
    let place = lost("it says 41").file("iteration-3/sums/with_skill/outputs/a.txt", "a");
    let ran = brief(&place, &[]);
    assert!(ran.stdout.starts_with("# workspace, iteration-2\n"), "{ran:?}");
    let newer = [("iteration", "iteration-3")];
    assert!(words::says(&ran.stdout, "overview.newer", &newer), "{ran:?}");
    assert!(ran.stdout.contains("- sums: **the total is right**\n"), "{ran:?}");
    assert!(!words::says(&ran.stdout, "brief.ungraded", &[]), "{ran:?}");
}

#[test]
fn no_brief_is_larger_than_asked_for_and_blocks_stay_whole() {
    let long = "會議*_`<@#[|\\$".repeat(200);
    let expectations: Vec<_> = (0..300)
        .map(|at| json!({"text": format!("{at} {long}"), "passed": false, "evidence": format!("{at} {long}")}))
        .collect();
    let grading = json!({ "expectations": expectations }).to_string();
    let name = "會議<@".repeat(12);
    let place = Workspace::new()
        .file(&format!("iteration-1/case/{name}/grading.json"), &grading)
        .file(&format!("iteration-2/case/{name}/grading.json"), &grading)
        .file("evals.json", json!({"skill_name": long, "evals": []}).to_string());
    let place = (1..=2).fold(place, |place, at| {
        let timing = json!({"model": format!("{at}{long}"), "total_tokens": 5}).to_string();
        place.file(&format!("iteration-{at}/case/{name}/timing.json"), timing)
    });
    for most in [2_400, 8_000, 16_000, 100_000] {
        let ran = brief(&place, &["--most", &most.to_string()]).assert_code(0);
        assert!(ran.stdout.len() <= most, "{} bytes of {most}", ran.stdout.len());
        let last = ran.stdout.lines().last().expect("a line");
        assert_eq!(words::place(last, "brief.cut_bytes", &[]), Some(0), "{last}");
        let shown = ran.stdout.lines().filter(|line| line.starts_with("- case: **")).count();
        let left = format!("({} / 300)", 300 - shown);
        assert!(last.contains(&left), "{last}: {left}");
    }
}

#[test]
fn what_is_only_recorded_is_cut_where_it_is_long() {
    let configuration = "會議 ".repeat(2_000);
    let summary = json!({configuration: {"pass_rate": {"mean": 0.5}}});
    let place = Workspace::new()
        .file("iteration-1/case/with_skill/outputs/a.txt", "a")
        .file("iteration-1/benchmark.json", json!({"run_summary": summary}).to_string());
    let ran = brief(&place, &["--most", "8000"]).assert_code(0);
    assert!(ran.stdout.len() <= 8_000, "{} bytes", ran.stdout.len());
    assert!(words::says(&ran.stdout, "brief.recorded", &[]), "{ran:?}");
    assert!(ran.stdout.ends_with("…\n\n"), "{ran:?}");
}

#[test]
fn briefs_of_several_workspaces_fit_any_size_that_is_allowed() {
    let place = lost("x");
    assert_eq!(brief(&place, &["--most", "100"]).code, Some(2));
    let many = Workspace::new().with(&project().join("examples"));
    for (most, number) in [(2_400, 1), (16_000, 2), (40_000, 4)] {
        let ran = brief(&many, &["--most", &most.to_string()]).assert_code(0);
        assert!(ran.stdout.len() <= most, "{} bytes of {most}", ran.stdout.len());
        let briefs = ran.stdout.lines().filter(|line| line.starts_with("# ")).count();
        assert!(briefs >= number, "{briefs} briefs in {most} bytes");
        let last = ran.stdout.lines().last().unwrap_or_default();
        assert_eq!(last.contains("quarterly-report"), briefs < 4, "{last}");
    }
}

#[test]
fn every_example_has_a_brief_and_the_same_one_each_time() {
    for example in support::examples() {
        let run = || CommandOutput::of(evalbook(&example).arg("brief"));
        let ran = run().assert_code(0);
        assert!(ran.stdout.starts_with("# ") && ran.stdout.len() <= 16_000, "{ran:?}");
        assert_eq!(run().stdout, ran.stdout);
    }
}

#[test]
fn json_holds_the_facts_of_the_markdown() {
    let ran = brief(&lost("it says 41"), &["--format", "json"]).assert_code(0);
    let counts =
        |passed: u32, failed: u32| json!({"passed": passed, "failed": failed, "ungraded": 0});
    let found = ran.json();
    let feedback = &found["workspaces"][0]["feedback"][0];
    assert_eq!(
        (&feedback["run_id"], &feedback["text"]),
        (&json!("sums-with_skill"), &json!("wrong unit"))
    );
    let expected = json!({
        "title": "workspace",
        "iteration": "iteration-2",
        "newer": null,
        "candidate": {
            "configuration": "with_skill", "passed": 1, "failed": 1, "ungraded": 0, "pass_rate": 0.5,
            "mean_rate": 0.5,
        },
        "before": {"iteration": "iteration-1", "configuration": "with_skill"},
        "verdict": "unclear",
        "baseline": null,
        "loading": null,
        "stopped": [],
        "grader_failures": 0,
        "regressed": [{
            "case": "sums", "text": "the total is right", "description": null,
            "passed": 0, "failed": 1, "ungraded": 0, "before": counts(1, 0),
            "baseline": null, "fails_with_old_skill": false,
            "evidence": [
                {"run": 1, "folder": "iteration-2/sums/with_skill", "text": "it says 41"},
            ],
        }],
        "failed": [],
        "others": [],
        "prompts": [],
        "evidence": [],
        "skill_edits": [],
        "feedback": [feedback],
        "proposals": [{
            "area": "units", "text": "name it", "before": "cm", "after": "mm",
            "priority": null, "expected_impact": null,
        }],
        "suggestions": [{"case": "sums", "about": null, "text": "check the total itself"}],
    });
    assert_eq!(found, json!({"schema_version": 1, "workspaces": [expected]}));
}

/// A case of one iteration with a check for each letter of both configurations: `+` passed.
fn checked(
    place: Workspace,
    iteration: usize,
    sides: [(&str, &str); 2],
    evidence: &str,
) -> Workspace {
    sides.into_iter().fold(place, |place, (configuration, letters)| {
        let checks: Vec<_> = letters
            .chars()
            .enumerate()
            .map(|(at, letter)| {
                let (text, passed) = (format!("keeps #E86C47 in <header> {at}"), letter == '+');
                json!({"text": text, "passed": passed, "evidence": evidence})
            })
            .collect();
        let path = format!("iteration-{iteration}/page/{configuration}/grading.json");
        place.file(&path, json!({ "expectations": checks }).to_string())
    })
}

#[test]
fn a_check_that_the_skill_hurts_is_marked_and_nothing_is_escaped() {
    let sides = [("with_skill", "+-"), ("without_skill", "-+")];
    let place = checked(Workspace::new(), 1, sides, "seen")
        .file("iteration-1/page/eval_metadata.json", r#"{"prompt": "Build a page & a header"}"#);
    let ran = brief(&place, &[]);
    let hurts = [("counts", "1/1"), ("configuration", "without_skill")];
    let item = format!(
        "**keeps #E86C47 in <header> 1** (0/1 passed; {})",
        words::text("brief.passes_without", &hurts)
    );
    assert!(ran.stdout.contains(&item), "{ran:?}");
    let whole = brief(&place, &["--case", "page"]).assert_code(0).stdout;
    assert!(whole.contains("> Build a page & a header\n"), "{whole}");
    assert!(!ran.stdout.contains("Build a page"), "{ran:?}");
    let found = brief(&place, &["--format", "json"]).json();
    let check = &found["workspaces"][0]["failed"][0];
    assert_eq!(check["baseline"], json!({"passed": 1, "failed": 0, "ungraded": 0}));
}

#[test]
fn a_check_that_the_old_skill_fails_now_too_is_no_regression() {
    let place = checked(Workspace::new(), 1, [("with_skill", "++"), ("old_skill", "++")], "seen");
    let place = checked(place, 2, [("with_skill", "+-"), ("old_skill", "+-")], "gone");
    let ran = brief(&place, &[]);
    assert!(!ran.stdout.contains(&format!("## {}\n", words::raw("brief.regressed"))), "{ran:?}");
    let old = [("configuration", "old_skill"), ("counts", "0/1")];
    assert!(words::says(&ran.stdout, "brief.old_fails_too", &old), "{ran:?}");
}

#[test]
fn checks_that_failed_for_one_reason_are_one_point() {
    let sides = [("with_skill", "---+"), ("without_skill", "---+")];
    let ran = brief(&checked(Workspace::new(), 1, sides, "no file was written"), &[]);
    let (_, failed) = ran.stdout.split_once("## Failed").unwrap();
    assert_eq!(failed.matches("no file was written").count(), 1, "{ran:?}");
    let three = words::count(3, "check");
    assert!(words::says(&ran.stdout, "brief.one_reason", &[("checks", &three)]), "{ran:?}");
}

/// Five cases of which each lost two of five checks, with long texts.
fn ten_failures() -> Workspace {
    let mut place = Workspace::new();
    for case in ["buoy-log", "crew-roster", "fee-table", "tide-sheet", "berth-plan"] {
        for (iteration, broken) in [(1, 0), (2, 2)] {
            let checks: Vec<Value> = (0..5)
                .map(|at| {
                    let text = format!("Column {at} of the {case} has its unit in the head, in full. ");
                    let evidence = format!("Line {at} of the {case} has no unit, nor has the head. ");
                    json!({"text": text.repeat(3), "passed": at >= broken, "evidence": evidence.repeat(4)})
                })
                .collect();
            let run = format!("iteration-{iteration}/{case}/with_skill/run-1/grading.json");
            place = place.file(&run, json!({ "expectations": checks }).to_string());
        }
        let prompt = json!({"prompt": format!("Make the {case} for May. ").repeat(20)}).to_string();
        place = place.file(&format!("iteration-2/{case}/eval_metadata.json"), prompt);
    }
    place
}

#[test]
fn ten_failures_of_five_cases_take_little_room_and_a_case_has_the_rest() {
    let place = ten_failures();
    let ran = brief(&place, &[]).assert_code(0);
    assert!(ran.stdout.len() <= 2_400, "{} bytes: {}", ran.stdout.len(), ran.stdout);
    let rows: Vec<&str> = ran.stdout.lines().skip(2).take(2).collect();
    for key in ["questions.helps", "questions.changed"] {
        let begin = format!("- {}", words::raw(key));
        assert!(rows.iter().any(|row| row.starts_with(&begin)), "{ran:?}");
    }
    let case = brief(&place, &["--case", "fee-table"]).assert_code(0).stdout;
    assert!(
        case.contains(
            "Line 1 of the fee-table has no unit, nor has the head. ".repeat(4).trim_end()
        ),
        "{case}"
    );
    assert!(case.contains("iteration-2/fee-table/with_skill/run-1"), "{case}");
    let wrong = brief(&place, &["--case", "fee-tabel"]).assert_code(2);
    assert!(wrong.stderr.contains("`fee-table`"), "{wrong:?}");
}

#[test]
fn what_failed_under_any_model_is_named() {
    let sides = |model: &str| format!("{model}/with_skill");
    let mut place = Workspace::new();
    for (model, passed) in [("opus", true), ("haiku", false)] {
        for case in ["sums", "dates"] {
            for (side, passed) in
                [(sides(model), passed), (format!("{model}/without_skill"), false)]
            {
                let path = format!("iteration-1/{case}/{side}/grading.json");
                place = place.file(&path, grading(passed, &format!("{model} says 41")));
            }
        }
    }
    let ran = brief(&place, &[]).assert_code(0);
    assert!(
        ran.stdout.contains("haiku says 41") && ran.stdout.contains("haiku/with_skill"),
        "{ran:?}"
    );
    assert!(!words::says(&ran.stdout, "brief.nothing", &[]), "{ran:?}");
    let found = brief(&place, &["--format", "json"]).json();
    assert_eq!(found["workspaces"][0]["others"][0]["configuration"], "haiku/with_skill");
}

#[test]
fn iterations_without_a_case_in_common_say_nothing_of_regressions() {
    let place =
        checked(Workspace::new(), 1, [("with_skill", "++"), ("without_skill", "++")], "seen")
            .file("iteration-2/other/with_skill/grading.json", grading(false, "it says 41"));
    let ran = brief(&place, &[]);
    assert!(
        words::says(&ran.stdout, "brief.no_shared_case", &[("before", "iteration-1")]),
        "{ran:?}"
    );
    assert!(!words::says(&ran.stdout, "brief.against", &[]), "{ran:?}");
}

#[test]
fn json_has_as_many_entries_as_the_markdown_and_nothing_is_cut() {
    for example in support::examples() {
        let place = Workspace::new().with(&example);
        let markdown = brief(&place, &["--most", "9000000"]).stdout;
        let found = brief(&place, &["--format", "json", "--most", "8000"]).json();
        let found = &found["workspaces"][0];
        for key in ["regressed", "failed", "feedback", "proposals", "suggestions"] {
            let heading = format!("\n## {}\n", words::raw(&format!("brief.{key}")));
            let section = markdown.split_once(&heading).map(|(_, rest)| rest).unwrap_or_default();
            let section = section.split("\n## ").next().unwrap_or_default();
            let entries = section.lines().filter(|line| line.starts_with("- ")).count();
            assert_eq!(found[key].as_array().map(Vec::len), Some(entries), "{key}: {markdown}");
        }
        assert!(found["candidate"]["passed"].as_u64() > Some(0), "{found}");
    }
}

/// promptfoo counts a judge that gave no answer as a failed check, and marks it.
#[test]
fn a_check_whose_grader_broke_is_counted_and_not_listed() {
    let row = |side: usize, label: &str| {
        let broken = json!({"pass": false, "score": 0, "reason": "judge said nothing",
            "metadata": {"graderError": true}, "assertion": {"type": "llm-rubric", "value": "kind"}});
        let failed = json!({"pass": false, "score": 0, "reason": "no total",
            "assertion": {"type": "contains", "value": "total"}});
        json!({"testIdx": 0, "promptIdx": side, "provider": {"id": label, "label": label},
            "testCase": {"description": "sums"}, "success": false, "failureReason": 1,
            "gradingResult": {"pass": false, "componentResults": [broken, failed]}})
    };
    let rows = [row(0, "with_skill"), row(1, "without_skill")];
    let results = json!({"evalId": "e", "results": {"version": 3, "results": rows}});
    let place = Workspace::new().file("results.json", results.to_string());
    let text = brief(&place, &[]).assert_code(0).stdout;
    assert!(text.contains("no total") && !text.contains("judge said nothing"), "{text}");
    assert!(text.contains("(0/2)"), "{text}");
    assert!(text.contains(&words::text("brief.grader_failed", &[("checks", "1 check")])), "{text}");
}

#[test]
fn what_the_skill_creator_edited_is_what_its_copy_lacks() {
    let place = Workspace::new();
    let beside = |path: &str| place.path().with_file_name("workspace-workspace").join(path);
    let write = |path: std::path::PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    let key = testing::secrets::expand("sk-ant-<a40>");
    write(
        place.path().join("SKILL.md"),
        &format!("# Sums\n\n- Round to cents.\n- The key is {key}.\n"),
    );
    write(place.path().join("evals/evals.json"), "{\"evals\": []}");
    write(beside("skill-snapshot/SKILL.md"), "# Sums\n\n- Round to euros.\n");
    write(beside("skill-snapshot/evals/evals.json"), "{\"evals\": [1]}");
    for (side, passed) in [("with_skill", false), ("old_skill", true)] {
        write(
            beside(&format!("iteration-1/sums/{side}/grading.json")),
            &grading(passed, "it says 41"),
        );
    }
    let edits = || place.run(["brief", "../workspace-workspace"]).assert_code(0).stdout;
    let said = edits();
    for part in ["Round to euros.", "Round to cents.", "The key is"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains(&key) && !said.contains("evals.json"), "{said}");
    // Without an edit there is none.
    write(place.path().join("SKILL.md"), "# Sums\n\n- Round to euros.\n");
    assert!(!edits().contains("euros"));
}
