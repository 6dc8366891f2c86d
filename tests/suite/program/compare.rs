//! `evalbook compare`: its sides, what it says and writes. `comparison_gates` has its rules.

use crate::support;
use crate::support::{CommandOutput, Workspace, grading, read_text, words};
use serde_json::Value;

/// Verdicts of four checks, of which `passed` passed.
fn marks(passed: usize) -> String {
    "+".repeat(passed) + &"-".repeat(4 - passed)
}

/// Six cases of one configuration: `iteration-1/with_skill`.
pub(super) fn six(place: Workspace, side: &str, passed: usize, costs: &str) -> Workspace {
    let (iteration, configuration) = side.split_once('/').expect("an iteration");
    place.runs(&format!("{iteration}/a,b,c,d,e,f/{configuration} {} {costs}", marks(passed)))
}

/// Six cases in two iterations: `before` and `after` of four checks pass in each.
pub(super) fn two(before: usize, after: usize) -> Workspace {
    let place = six(Workspace::new(), "iteration-1/with_skill", before, "10~ 1000");
    six(place, "iteration-2/with_skill", after, "12~ 1200")
}

pub(super) fn compare(workspace: &Workspace, flags: &[&str]) -> CommandOutput {
    let sides = ["compare", "../workspace/iteration-1", "../workspace/iteration-2"];
    let ran = workspace.run(sides.iter().chain(flags));
    assert!(!ran.stderr.contains("panicked"), "{ran:?}");
    ran
}

pub(super) fn build(workspace: &Workspace, flags: &[&str]) -> CommandOutput {
    workspace.run(["build", "../workspace", "-o", "report", "-q"].iter().chain(flags))
}

/// Compares the workspace with a second round of it, in which the grader found the same in other
/// words.
pub(super) fn compare_with_copy(workspace: &Workspace, flags: &[&str]) -> CommandOutput {
    let copy = workspace.elsewhere().join("copy");
    support::copy(&workspace.path(), &copy);
    for file in support::files(&copy) {
        let text = read_text(&file);
        std::fs::write(&file, text.replace("seen", "looked at")).expect("a changed text");
    }
    workspace.run(["compare", "copy", "../workspace"].iter().chain(flags))
}

/// Asserts how the gate ended, and that stderr has one line for each rule that failed.
pub(super) fn assert_gate(ran: &CommandOutput, code: i32, failed: &[&str]) {
    assert_eq!(ran.code, Some(code), "{ran:?}");
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(lines.len(), failed.len(), "{ran:?}");
    for (line, part) in lines.iter().zip(failed) {
        assert!(line.starts_with("gate: ") && line.contains(part), "{part}: {line}");
    }
}

/// Asserts that the only rule failed for this reason.
pub(super) fn assert_reason(ran: &CommandOutput, reason: &str, values: &[(&str, &str)]) {
    assert_gate(ran, 1, &[""]);
    assert!(words::says(&ran.stderr, &format!("gate.{reason}"), values), "{reason}: {ran:?}");
}

/// A configuration of an iteration, as a page names it.
pub(super) fn side(configuration: &str, iteration: &str) -> String {
    words::text("page.side", &[("configuration", configuration), ("iteration", iteration)])
}

#[test]
fn without_rules_a_comparison_is_fine_and_names_both_sides() {
    let ran = compare(&two(3, 2), &[]);
    assert_gate(&ran, 0, &[]);
    let [after, before] = ["iteration-2", "iteration-1"].map(|it| side("with_skill", it));
    let sides = [("after", after.as_str()), ("before", before.as_str())];
    assert!(words::says(&ran.stdout, "compare.title", &sides), "{}", ran.stdout);
    assert!(words::says(&ran.stdout, "verdict.why_worse", &[]), "{}", ran.stdout);
    for part in ["−25 ", "50 % (12/24)", "75 % (18/24)", "a: check 2  1/1 → 0/1", "seen"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    assert!(ran.stdout.contains(&words::count(6, "regressed")), "{}", ran.stdout);
    assert!(!ran.stdout.contains(words::raw("compare.gate")), "{}", ran.stdout);
}

#[test]
fn what_changed_in_some_runs_is_unsteady() {
    let again = "iteration-1/a/with_skill/run-2 +\n iteration-2/a/with_skill/run-2 -";
    let ran = compare(&two(4, 4).runs(again), &[]);
    let unsteady = words::count(1, "unsteady");
    assert!(ran.stdout.lines().any(|line| line == unsteady), "{ran:?}");
}

/// Settings with a rule, and with a loss that is known.
pub(super) fn known(case: &str, check: &str, expires: &str) -> String {
    format!(
        "gate.fail_on = 'loss'\n[[known_issues]]\ncase = '{case}'\n\
         expectation = '{check}'\nreason = 'the parser is late'\nexpires = {expires}\n"
    )
}

#[test]
fn a_candidate_without_verdicts_hides_no_other() {
    let place = six(Workspace::new(), "iteration-1/without_skill", 1, "");
    let place = six(place, "iteration-1/with_skill_v2", 3, "");
    let place = place.files("iteration-1/a,b,c,d,e,f/with_skill/outputs/a.txt", "x");
    let unread = [("names", "with_skill")];
    let ran = compare_with_copy(&place, &["--fail-on", "worse"]);
    assert!(ran.stdout.contains(&side("with_skill_v2", "../workspace")), "{ran:?}");
    assert!(words::says(&ran.stdout, "overview.no_verdict", &unread), "{ran:?}");
    let candidate = side("with_skill", "../workspace");
    assert_reason(&ran, "unchecked", &[("candidate", &candidate)]);
    let mut failed = ran.stdout.lines().filter(|line| words::says(line, "gate.unchecked", &[]));
    let failed = failed.next().expect("a line");
    assert!(failed.trim_start().starts_with(words::raw("gate.failed")), "{ran:?}");
    let gate =
        &compare_with_copy(&place, &["--fail-on", "worse", "--format", "json"]).json()["gate"];
    assert_eq!(gate["passed"], false, "{gate}");
    assert_eq!(gate["rules"][1]["decision"], "unchecked", "{gate}");
}

#[test]
fn every_candidate_of_the_later_side_is_judged() {
    let place = six(Workspace::new(), "iteration-1/arm_a", 3, "");
    let place = six(six(place, "iteration-1/arm_b", 4, ""), "iteration-2/arm_b", 1, "");
    let place = six(place, "iteration-2/arm_a", 3, "9");
    let ran = compare(&place, &["--fail-on", "worse"]);
    let [after, before] = ["iteration-2", "iteration-1"].map(|iteration| side("arm_b", iteration));
    let counts = [("after_counts", "6/24"), ("before_counts", "24/24")];
    let sides = [("after", after.as_str()), ("before", &before), counts[0], counts[1]];
    assert_reason(&ran, "sides", &sides);
    assert!(ran.stdout.starts_with(&side("arm_a", "iteration-2")), "{ran:?}");
    assert!(ran.stdout.contains(&words::count(1, "candidate_other")), "{ran:?}");
    let other = |line: &str| line.trim_start().starts_with(&format!("* {after}"));
    assert!(ran.stdout.lines().any(|line| other(line) && line.contains("−75 ")), "{ran:?}");
    let json = compare(&place, &["--fail-on", "worse", "--format", "json"]).json();
    assert_eq!(json["others"][0]["after"]["configuration"], "arm_b");
    assert_eq!(json["others"][0]["change"]["verdict"], "probably worse");
    let decisions = [0, 1].map(|rule| &json["gate"]["rules"][rule]["decision"]);
    assert_eq!(decisions, ["passed", "failed"]);
    // The comment says once that a known issue excuses nothing.
    let place = place.file("evalbook.toml", known("z", "nothing", "2030-01-01"));
    let comment =
        ["build", "../workspace", "--format", "markdown", "--for", "pull-request", "--gate"];
    let ran = place.run(comment);
    assert_eq!(words::times(&ran.stdout, "gate.idle", &[]), 1, "{ran:?}");
}

#[test]
fn a_comparison_is_as_sure_as_a_report() {
    let place = six(Workspace::new(), "iteration-1/arm_a", 3, "");
    let place = six(six(place, "iteration-1/arm_b", 3, ""), "iteration-2/arm_a", 2, "");
    let place = six(place, "iteration-2/arm_b", 3, "9~");
    let flags = ["--fail-on", "worse"];
    let ran = compare(&place, &flags);
    // A third of the passes is gone, although one of two candidates is not sure to be worse.
    assert_gate(&ran, 1, &[""]);
    assert!(ran.stdout.contains(&words::count(1, "candidate_other")), "{ran:?}");
    for against in ["previous", "first", "best"] {
        let ran = build(&place, &[flags[0], flags[1], "--against", against]);
        assert_gate(&ran, 1, &[""]);
    }
}

#[test]
fn reports_are_sides_too() {
    let workspace = two(3, 2);
    let report = workspace.build();
    let [first, last] = ["report/report.json#iteration-1", "report/report.json"];
    let direct = compare(&workspace, &["--format", "json"]).json();
    for [base, head] in [[first, last], ["../workspace#iteration-1", last], [first, "../workspace"]]
    {
        let ran = workspace.run(["compare", base, head, "--format", "json"]);
        assert_eq!((ran.code, ran.json()), (Some(0), direct.clone()), "{base} {head}");
    }
    let ran = workspace.run(["compare", first, last]);
    assert!(ran.stdout.contains("seen"), "the evidence is in the benchmark: {}", ran.stdout);
    workspace.run(["compare", "report/report.json#iteration-9", "../workspace"]).assert_code(2);
    let file = report.join("report.json");
    let text = read_text(&file);
    let newer = text.replacen("\"schema_version\":1", "\"schema_version\":9", 1);
    for (text, place) in [(newer.as_str(), "report.json:1:2: "), (&text[..text.len() / 2], ":1:")] {
        std::fs::write(&file, text).expect("a changed report");
        let ran = workspace.run(["compare", last, "../workspace"]);
        assert!(ran.code == Some(3) && ran.stderr.contains(place), "{ran:?}");
    }
}

#[test]
fn settings_beside_the_report_of_the_head_hold() {
    let workspace = two(3, 2);
    let file = workspace.build().join("evalbook.toml");
    let sides = ["compare", "report/report.json#iteration-1", "report/report.json"];
    assert_gate(&workspace.run(sides), 0, &[]);
    let table = [
        ("gate.fail_on = ['loss']\n", 1, words::count(6, "expectation")),
        ("gate = 3\n", 2, "report: evalbook.toml:1:1: ".to_owned()),
        ("baseline = 'with_skil'\n", 2, "`with_skill`".to_owned()),
    ];
    for (settings, code, part) in table {
        std::fs::write(&file, settings).expect("settings");
        let ran = workspace.run(sides);
        assert!(ran.code == Some(code) && ran.stderr.contains(&part), "{settings}: {ran:?}");
    }
}

#[test]
fn a_configuration_that_one_side_has_is_known() {
    let workspace = two(3, 2).runs("iteration-2/a/old_skill +---");
    assert_eq!(compare(&workspace, &["--baseline", "old_skill"]).code, Some(0));
    assert_eq!(compare(&workspace, &["--baseline", "nosuch"]).code, Some(2));
}

#[test]
fn a_version_of_the_scored_schema_is_a_folder_of_an_iteration() {
    let place = Workspace::new().with(&support::project().join("examples/scored"));
    let run = |sides: [&str; 2]| {
        let ran = place.run(["compare", sides[0], sides[1], "--format", "json"]).assert_code(0);
        ran.json()
    };
    let folders = run(["../workspace/v1", "../workspace/v2"]);
    assert_eq!(folders, run(["../workspace#v1", "../workspace#v2"]));
    assert_eq!(folders["after"]["iteration"], "v2");
    let alone = Workspace::new().with(&support::project().join("examples/compact"));
    std::fs::rename(alone.path(), alone.path().with_file_name("v3")).expect("another name");
    let ran = alone.run(["compare", "../v3#iteration-1", "../v3"]);
    assert_eq!(ran.code, Some(0), "a workspace may be called so: {ran:?}");
}

#[test]
fn the_same_names_are_told_apart() {
    let workspace = two(3, 2);
    let ran = compare_with_copy(&workspace, &[]);
    let title = ran.stdout.lines().next().expect("a title");
    let places = ["../workspace", "copy"].map(|place| title.find(&side("with_skill", place)));
    assert!(places[0].is_some() && places[0] < places[1], "{title}");
    let json = compare_with_copy(&workspace, &["--format", "json"]).json();
    assert_eq!(json["after"]["iteration"], "../workspace");
    assert_eq!(json["change"]["verdict"], "about the same");
}

#[test]
fn json_holds_the_numbers_of_both_sides() {
    let json: Value = compare(&two(3, 2), &["--format", "json", "--fail-on", "worse"]).json();
    let numbers = [
        ("/schema_version", Value::from(1)),
        ("/change/verdict", "worse".into()),
        ("/change/claim", "cases like these".into()),
        ("/change/gain/mean", (-0.25).into()),
        ("/change/gain/worse", 6.into()),
        ("/before/passed", 18.into()),
        ("/regressed/5/text", "check 2".into()),
        ("/still_failing/0/text", "check 3".into()),
        ("/gate/passed", false.into()),
        ("/gate/rules/0/decision", "failed".into()),
        ("/baseline", Value::Null),
    ];
    for (place, expected) in numbers {
        assert_eq!(json.pointer(place), Some(&expected), "{place}");
    }
    assert_eq!(json["regressed"].as_array().map(Vec::len), Some(6));
    let none = compare(&two(3, 4), &["--format", "json"]).json();
    assert_eq!(none["still_failing"].as_array().map(Vec::len), Some(0), "{none}");
}

#[test]
fn what_fails_on_both_sides_is_listed_after_what_changed() {
    let workspace = two(3, 2);
    let [regressed, failing] = ["regressed", "still_failing"].map(|thing| words::count(6, thing));
    for (format, heading) in [("text", ""), ("markdown", "### ")] {
        let reported = compare(&workspace, &["--format", format]).stdout;
        let places = [regressed.clone(), format!("\n{heading}{failing}\n")];
        let places = places.map(|part| reported.find(&part));
        assert!(places[0].is_some() && places[0] < places[1], "{reported}");
    }
}

/// The skill is far better than none, and its last change lost a check.
#[test]
fn the_bold_line_of_a_comment_is_about_the_sides_in_its_heading() {
    let mut place = two(3, 3).runs("iteration-2/a/with_skill ++-- 12~ 1200");
    for iteration in ["iteration-1", "iteration-2"] {
        place = six(place, &format!("{iteration}/without_skill"), 1, "10~ 1000");
    }
    let markdown = compare(&place, &["--format", "markdown"]).stdout;
    let bold = markdown.lines().find(|line| line.starts_with("**")).expect("a bold line");
    assert!(bold.contains("−4") && !bold.contains('+'), "{markdown}");
}

#[test]
fn hostile_names_stay_text() {
    let meta = serde_json::json!({ "eval_name": "<b>x</b> | \u{1b}[31m @you", "prompt": "p" });
    let text = "a <img src=x>\n| \u{1b}]0;x\u{7}\u{9b}31m \u{202e}b";
    let verdicts = |passed| grading(&[(text, passed, "`\u{1b}[2J`\u{9b}31m \u{202e}b")]);
    let workspace = Workspace::new()
        .files("iteration-1,iteration-2/one/eval_metadata.json", meta.to_string())
        .file("iteration-1/one/with_skill/grading.json", verdicts(true))
        .file("iteration-2/one/with_skill/grading.json", verdicts(false));
    let ran = compare(&workspace, &["--fail-on", "loss"]);
    assert_gate(&ran, 1, &[""]);
    assert!(!ran.stdout.contains('\u{1b}') && !ran.stderr.contains('\u{1b}'), "{ran:?}");
    let markdown = compare(&workspace, &["--format", "markdown"]).stdout;
    for markup in ["<b>", "<img", "@you", "\u{1b}"] {
        assert!(!markdown.contains(markup), "{markup:?}: {markdown}");
    }
    // JSON on a terminal moves and hides nothing.
    let ran = compare(&workspace, &["--format", "json"]);
    assert!(!ran.stdout.contains(['\u{9b}', '\u{202e}']), "{}", ran.stdout);
    assert!(ran.stdout.contains("\\u009b31m \\u202eb"), "{}", ran.stdout);
    assert_eq!(ran.json()["regressed"][0]["text"], text);
}

#[test]
fn a_file_holds_no_colors() {
    let workspace = two(3, 2);
    for format in ["text", "markdown", "json"] {
        let ran = compare(&workspace, &["--format", format, "-o", "out", "--color", "always"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
        let text = read_text(workspace.elsewhere().join("out"));
        assert!(!text.contains('\u{1b}') && text.contains("iteration-2"), "{text}");
    }
    let ran = compare(&workspace, &["--color", "always"]);
    assert!(ran.stdout.contains('\u{1b}'), "{ran:?}");
    let ran = compare(&workspace, &["--lang", "zh-TW"]);
    assert!(ran.stdout.contains("對比"), "{ran:?}");
}

#[test]
fn wrong_paths_are_named() {
    let workspace = two(3, 2);
    workspace.run(["compare", "../workspace", "nowhere"]).assert_code(3);
    workspace.run(["compare", "../workspace"]).assert_code(2);
    let ungraded = Workspace::new().file("iteration-1/a/with_skill/outputs/x.txt", "x");
    ungraded.run(["compare", "../workspace", "../workspace"]).assert_code(3);
}
