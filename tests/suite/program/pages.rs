//! What the pages of a report say of a workspace made for the purpose.

use std::path::Path;

use crate::support;
use crate::support::gradings::{checks, verdicts};
use crate::support::html::{Tag, tags};
use crate::support::{Workspace, examples, name_of, site, words};

/// A grading of these checks.
fn checks_of(all: &[(&str, char)]) -> String {
    checks(all).json()
}

/// A page of a report that is sound as a whole.
fn page(report: &Path, path: &str) -> String {
    site::assert_sound(report);
    let page = std::fs::read_to_string(report.join(path));
    // Figures stay in one piece where a line breaks.
    page.unwrap_or_else(|error| panic!("{path}: {error}")).replace('\u{a0}', " ")
}

/// The rows of statements with their status.
fn statements(page: &str) -> Vec<Tag> {
    tags(page).into_iter().filter(|tag| tag.get("data-status").is_some()).collect()
}

#[test]
fn the_page_of_expectations_says_what_each_is_good_for() {
    let run = |letters: &str| {
        let texts = ["gain", "always", "never", "loss"];
        let checks: Vec<(&str, char)> = texts.into_iter().zip(letters.chars()).collect();
        checks_of(&checks)
    };
    let workspace = Workspace::new()
        .file("iteration-2/a/with_skill/run-1/grading.json", run("++--"))
        .file("iteration-2/a/with_skill/run-2/grading.json", run("-+--"))
        .file("iteration-2/a/without_skill/run-1/grading.json", run("-+-+"))
        .file(
            "iteration-1/a/with_skill/run-1/grading.json",
            checks_of(&[("gain", '-'), ("old", '+')]),
        );
    let page = page(&workspace.build(), "expectations.html");
    let statements = statements(&page);
    let statuses: Vec<Option<&str>> = statements.iter().map(|tag| tag.get("data-status")).collect();
    let expected = ["helps inconsistent", "always-passes", "always-fails", "hurts", "earlier"];
    assert_eq!(statuses, expected.map(Some));
    let rate = [("name", "with_skill"), ("counts", "3/8")];
    assert!(words::says(&page, "expectations.rate", &rate), "{page}");
    assert!(words::says(&page, "expectations.rate_unsaturated", &[("counts", "1/6")]), "{page}");
    assert!(page.contains("title=\"with_skill 0/1, with_skill 1/2\""), "{page}");
}

#[test]
fn the_anchor_of_an_expectation_survives_other_cases_and_iterations() {
    let anchors = |runs: &str| -> Vec<String> {
        let page = page(&Workspace::new().runs(runs).build(), "expectations.html");
        let of_case = statements(&page).into_iter().filter(|tag| tag.get("data-case") == Some("b"));
        of_case.filter_map(|tag| tag.get("id").map(str::to_owned)).collect()
    };
    let first = anchors("iteration-1/b/with_skill +");
    assert_eq!(first.len(), 1);
    assert_eq!(first, anchors("iteration-1/a,b/with_skill +\n iteration-2/a/with_skill + 9"));
}

const COMPARISON: &str = r#"{"eval_id": "a", "winner": "B", "reasoning": "clear",
    "scores": {"order": {"A": 3, "B": 5}},
    "output_quality": {"A": {"score": 6, "strengths": ["short"], "weaknesses": ["<b>thin</b>"]},
      "B": {"score": 9}},
    "expectation_results": {"A": {"passed": 1, "total": 2, "details":
      [{"text": "has a table", "passed": true}, {"text": "has a sum", "passed": false}]}}"#;

#[test]
fn a_comparison_is_unblinded_where_the_letters_are_known_and_only_there() {
    let known =
        format!("{COMPARISON}, \"mapping\": {{\"A\": \"old_skill\", \"B\": \"with_skill\"}}}}");
    let workspace = Workspace::new()
        .runs("iteration-1/a/with_skill +")
        .file("iteration-1/comparison-1.json", known)
        .file("iteration-1/comparison-2.json", format!("{COMPARISON}}}"))
        .file("iteration-1/a/comparison.json", r#"{"winner": "tie"}"#);
    let report = workspace.build();
    let page = page(&report, "comparisons.html");
    let two = words::count(2, "comparison");
    let wins = [("number", two.as_str()), ("a", "0"), ("b", "1")];
    for (key, values) in [
        ("won_by", &[("letter", "B"), ("name", "with_skill")][..]),
        ("behind", &[("a", "old_skill"), ("b", "with_skill")]),
        ("won", &[("letter", "B")]),
        ("unknown_wins", &wins),
        ("checked", &[("counts", "1/2")]),
    ] {
        let key = format!("comparisons.{key}");
        assert!(words::says(&page, &key, values), "{key} in {page}");
    }
    for text in [
        "<td class=\"number\">1/1</td>",
        "<td class=\"number\">0/1</td>",
        "has a sum",
        "&lt;b&gt;thin&lt;/b&gt;",
    ] {
        assert!(page.contains(text), "`{text}` in {page}");
    }
    let iteration = std::fs::read_to_string(report.join("iterations/iteration-1/index.html"));
    let iteration = iteration.expect("the page of the iteration");
    let leads = tags(&iteration).iter().any(|tag| {
        tag.get("href").is_some_and(|href| href.starts_with("../../comparisons.html#c-"))
    });
    assert!(leads, "{iteration}");
    assert_eq!(page.matches("<h3><a href=\"cases/a.html\">a</a>").count(), 3, "{page}");
}

#[test]
fn without_comparisons_there_is_no_page_of_them() {
    let workspace = Workspace::good();
    let report = workspace.build();
    assert!(!report.join("comparisons.html").exists());
    assert!(!page(&report, "index.html").contains("comparisons.html"));
}

#[test]
fn a_proposal_shows_what_it_changes() {
    let analysis = r#"{"winner_version": "v1", "loser_version": "v0", "strengths": ["s"],
        "suggestions": [{"area": "plans", "before": "who is told", "after": "who is told <when>",
        "reasoning": "nobody knew", "priority": "high", "expected_impact": "fewer calls"}]}"#;
    let workspace = Workspace::good().file("iteration-1/analysis.json", analysis);
    let page = page(&workspace.build(), "comparisons.html");
    assert!(page.contains("who is told<ins> &lt;when&gt;</ins>"), "{page}");
    for text in ["plans", ": high", "nobody knew", ": fewer calls"] {
        assert!(page.contains(text), "`{text}` in {page}");
    }
}

#[test]
fn a_comment_stands_beside_its_run_and_what_became_of_it() {
    let reviews = r#"{"reviews": [
        {"run_id": "a-with_skill-run-1", "feedback": "No sum.", "timestamp": "2026-01-02"},
        {"run_id": "elsewhere", "feedback": "Lost."}, {"run_id": "a-with_skill-run-2", "feedback": ""}],
        "status": "in_progress"}"#;
    let workspace = Workspace::new()
        .file("iteration-1/feedback.json", reviews)
        .runs("iteration-1/a/with_skill/run-1,run-2 -\n iteration-2/a/with_skill/run-1 +");
    let report = workspace.build();
    let feedback = page(&report, "feedback.html");
    let effect = [("before", "0/2"), ("first", "iteration-1"), ("after", "1/1")];
    assert!(words::says(&feedback, "feedback.effect", &effect), "{feedback}");
    for key in ["feedback.in_progress", "feedback.unattached"] {
        assert!(words::says(&feedback, key, &[]), "{key} in {feedback}");
    }
    assert!(feedback.contains(&words::count(1, "blank_review")), "{feedback}");
    assert!(feedback.contains("Lost."), "{feedback}");
    let tags = tags(&feedback);
    let section = tags.iter().find(|tag| tag.get("data-iteration") == Some("iteration-1"));
    let section = section.expect("a section of the iteration");
    assert!(section.get("data-feedback").is_some());
    assert_eq!(section.get("data-shape"), Some("reviews"));
    let runs: Vec<&str> = tags.iter().filter_map(|tag| tag.get("data-run")).collect();
    assert_eq!(runs, ["a-with_skill-run-1", "a-with_skill-run-1", "a-with_skill-run-2"]);
    let run = page(&report, "iterations/iteration-1/a/with_skill-1.html");
    assert!(run.contains("No sum."), "{run}");
    let other = page(&report, "iterations/iteration-1/a/with_skill-2.html");
    assert!(!other.contains("No sum."), "{other}");
}

#[test]
fn an_iteration_of_which_only_a_benchmark_is_left_shows_the_runs_it_lists() {
    let benchmark = r#"{"metadata": {"executor_model": "opus", "timestamp": "2026-03-07"},
        "runs": [{"eval_id": 1, "eval_name": "rotate", "configuration": "with_skill", "run_number": 1,
          "result": {"passed": 1, "total": 2, "time_seconds": 42.5, "tokens": 12000},
          "expectations": [{"text": "upright", "passed": true, "evidence": "page 1 is"},
            {"text": "named", "passed": false, "evidence": "it is not"}], "notes": ["slow"]}],
        "run_summary": {"with_skill": {"pass_rate": {"mean": 0.5, "stddev": 0.1}},
          "delta": {"pass_rate": "+0.50", "time_seconds": "-11.5", "tokens": "+4000"}}}"#;
    let workspace = Workspace::new()
        .runs("iteration-2/a/with_skill +")
        .file("iteration-1/benchmark.json", benchmark);
    let report = workspace.build();
    let run = page(&report, "iterations/iteration-1/rotate/with_skill-1.html");
    let page = page(&report, "iterations/iteration-1/index.html") + &run;
    for text in [
        "rotate",
        "1/2",
        "42.5 s",
        "page 1 is",
        "slow",
        &words::text("recorded.executor", &[("value", "opus")]),
        &words::text("recorded.timestamp", &[("value", "2026-03-07")]),
        "50 % ± 10 %",
        "+50 ",
        "\u{2212}11.5 s",
        "+4000",
    ] {
        assert!(page.contains(text), "`{text}` in {page}");
    }
}

#[test]
fn recorded_configurations_are_matched_whatever_their_spelling() {
    let benchmark = r#"{"run_summary": {"With-Skill": {"pass_rate": {"mean": 0.5}}}}"#;
    let workspace = Workspace::new()
        .runs("iteration-1/a/with_skill +-")
        .file("iteration-1/benchmark.json", benchmark);
    let page = page(&workspace.build(), "iterations/iteration-1/index.html");
    assert!(page.contains("50 % (1/2)"), "{page}");
}

#[test]
fn the_history_names_what_keeps_iterations_from_being_compared() {
    let workspace = Workspace::new().runs(
        "iteration-1/a/with_skill x:+
         iteration-2/a/with_skill y:+\n iteration-2/b/with_skill z:+",
    );
    let page = page(&workspace.build(), "history.html");
    for (key, case) in [("history.new", "b"), ("history.checks", "a")] {
        assert!(words::says(&page, key, &[("cases", case)]), "{key}: {page}");
    }
    let what = ["cases", "checks"].map(|what| words::raw(&format!("history.break_{what}")));
    let what = what.join(words::raw("list.comma"));
    assert!(words::says(&page, "history.break_other", &[("what", &what)]), "{page}");
}

#[test]
fn rounds_of_a_trigger_loop_are_on_the_history() {
    let all = examples();
    let example = all.iter().find(|path| name_of(path) == "advanced").expect("the example");
    let page = page(&Workspace::new().with(example).build(), "history.html");
    let round = words::text("triggers.round", &[("number", "3")]);
    let total = [("number", &*words::count(3, "round")), ("round", &round), ("counts", "12/12")];
    assert!(words::says(&page, "triggers.total", &total));
    assert!(words::says(&page, "triggers.held_out_right", &[("value", "8/8")]));
    assert!(page.contains("整理會議記錄。"));
}

#[test]
fn a_whole_and_the_parts_of_it_are_no_competing_rounds() {
    let rows = r#"{"rows": [{"query": "q", "pass": true}]}"#;
    let counts = r#"{"passed": 1, "total": 2}"#;
    for (names, has_total) in [
        (["baseline", "candidate"], true),
        (["one_group", "summary"], false),
        (["train", "test"], false),
    ] {
        let text = format!(r#"{{"{}": {rows}, "{}": {counts}}}"#, names[0], names[1]);
        let workspace = Workspace::new().runs("iteration-1/a/with_skill +");
        let page = page(&workspace.file("trigger-results.json", text).build(), "history.html");
        assert!(page.contains(&words::count(2, "round")), "{names:?}: {page}");
        assert_eq!(words::says(&page, "triggers.total", &[]), has_total, "{names:?}: {page}");
    }
}

#[test]
fn notes_of_the_executor_are_read_as_markdown() {
    let notes = "# User notes\n\n- **bold** <script>alert(1)</script> [x](javascript:alert(1))\n";
    let workspace = Workspace::new()
        .runs("iteration-1/a/with_skill/run-1 +")
        .file("iteration-1/a/with_skill/run-1/outputs/user_notes.md", notes);
    let page = page(&workspace.build(), "iterations/iteration-1/a/with_skill-1.html");
    assert!(page.contains("<strong>bold</strong> &lt;script&gt;"), "{page}");
    assert!(!page.contains("**bold**") && !page.contains("# User notes"), "{page}");
}

#[test]
fn results_of_versions_are_in_the_language_of_the_page() {
    let history = r#"{"versions": [{"version": "v0", "grading_result": "baseline"}, {"version": "v1", "parent": "v0", "grading_result": "won"}]}"#;
    let workspace = Workspace::new().runs("v1/a/with_skill/run-1 +").file("history.json", history);
    workspace.run(["build", "../workspace", "-o", "report", "--lang", "zh-TW"]).ended(0);
    let page = page(&workspace.elsewhere().join("report"), "history.html");
    assert!(page.contains("<dd class=\"prose\">勝</dd>"), "{page}");
    assert!(!page.contains(">won<") && !page.contains(">baseline<"), "{page}");
}

#[test]
fn what_fails_on_both_sides_is_told_wherever_flips_are() {
    // The second check fails in both iterations, with and without the skill.
    let workspace = Workspace::new().runs(
        "iteration-1/a/with_skill +-\n iteration-1/a/without_skill --
             iteration-2/a/with_skill --\n iteration-2/a/without_skill +-",
    );
    let report = workspace.build();
    let title = format!("<h2>{}</h2>", words::raw("changes.failing"));
    let overview = page(&report, "index.html");
    let after = overview.split(&title).nth(1);
    assert!(after.is_some_and(|it| it.contains(">check 1</b>")), "{overview}");
    // The page of the same iteration has what the overview lacks, and nothing of it again.
    let iteration = page(&report, "iterations/iteration-2/index.html");
    assert!(!iteration.contains(&title) && !iteration.contains("class=\"cases"), "{iteration}");
    let one = words::count(1, "expectation");
    let title = words::text("overview.still_failing", &[("expectations", &one)]);
    let kind = words::raw("diff.still_failing");
    let markdown = page(&report, "report.md");
    let part = format!("{title}:\n\n- {kind}: a: check 1 (0/1 → 0/1)\n");
    assert_eq!(markdown.matches(&part).count(), 2, "against both sides: {markdown}");
}

#[test]
fn what_fails_in_some_runs_of_both_sides_fails_in_part() {
    let runs = "iteration-1,iteration-2/a/with_skill/run-1 +-
        iteration-1,iteration-2/a/with_skill/run-2 --";
    let workspace = Workspace::new().runs(runs);
    let report = workspace.build();
    let two = words::count(2, "expectation");
    let title = words::text("overview.still_failing", &[("expectations", &two)]);
    let title = words::text("diff.of_them_in_part", &[("counts", &title), ("n", "1")]);
    let [failing, in_part] = ["diff.still_failing", "diff.still_failing_in_part"].map(words::raw);
    let markdown = page(&report, "report.md");
    let listed =
        format!("{title}:\n\n- {in_part}: a: check 0 (1/2 → 1/2)\n- {failing}: a: check 1");
    assert!(markdown.contains(&listed), "{markdown}");
}

/// The same workspace with graded runs by this model, checked by this grader.
fn under(
    workspace: Workspace,
    place: &str,
    letters: &str,
    [model, grader]: [&str; 2],
) -> Workspace {
    let timing = format!("{{\"model\": \"{model}\"}}");
    workspace
        .files(&format!("{place}/grading.json"), verdicts(letters).grader(grader).json())
        .files(&format!("{place}/timing.json"), timing)
}

/// Two iterations of a case, the second of which lost a check, by these models and graders.
fn two_iterations(before: [&str; 2], after: [&str; 2]) -> Workspace {
    let mut workspace = Workspace::new();
    for (iteration, letters, names) in [("iteration-1", "+-", before), ("iteration-2", "--", after)]
    {
        workspace = under(workspace, &format!("{iteration}/a/with_skill"), letters, names);
        workspace = under(workspace, &format!("{iteration}/a/without_skill"), "--", names);
    }
    workspace
}

#[test]
fn another_grader_is_told_beside_every_verdict_on_two_iterations() {
    let workspace = two_iterations(["opus", "g1"], ["opus", "g2"]);
    let shown = &words::text("verdict.graders", &[("before", "g1"), ("after", "g2")]);
    let report = workspace.build();
    let after = |path: &str, start: &str| {
        let page = page(&report, path);
        page.split(start).nth(1).unwrap_or_default().to_owned()
    };
    let overview = after("index.html", "<section class=\"answer\">");
    assert!(overview.split("</section>").next().is_some_and(|it| it.contains(shown)), "{overview}");
    let side = [("configuration", "with_skill"), ("iteration", "iteration-1")];
    let side = words::text("page.side", &side);
    let since = words::text("overview.against_previous", &[("side", &side)]);
    let against = [("configuration", "with_skill"), ("other", "iteration-1")];
    let case = after("cases/a.md", &words::text("diff.against_previous", &against));
    assert!(case.trim_start().starts_with(shown), "{case}");
    let report_md = after("report.md", &format!("### {since}"));
    assert!(report_md.trim_start().starts_with(shown), "{report_md}");
    let comment = ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];
    let comment = workspace.run(comment);
    assert_eq!(comment.stdout.matches(shown).count(), 1, "{comment:?}");
}

#[test]
fn nothing_regressed_since_an_iteration_on_another_model() {
    let workspace = two_iterations(["opus", "g"], ["haiku", "g"]);
    let overview = page(&workspace.build(), "index.html");
    let answer = overview.split("<section class=\"answer\">").nth(1).unwrap_or_default();
    let answer = answer.split("</section>").next().unwrap_or_default();
    assert!(answer.contains("without_skill") && !answer.contains("iteration-1"), "{answer}");
}

#[test]
fn several_verdicts_of_a_run_on_one_statement_are_counted() {
    let checks = [("title", '+'), ("title", '-'), ("sum", '+'), ("sum", '+'), ("order", '-')];
    let workspace =
        Workspace::new().file("iteration-1/a/with_skill/grading.json", checks_of(&checks));
    let case = page(&workspace.build(), "cases/a.html");
    for (fill, counts) in [("pencil", "1/2"), ("pencil full", "2/2"), ("pencil", "0/1")] {
        let cell = format!("<i class=\"square candidate {fill}\"></i>{counts}");
        assert!(case.contains(&cell), "{cell}: {case}");
    }
}

#[test]
fn nothing_is_earlier_between_configurations_of_one_iteration() {
    let workspace =
        Workspace::new().runs("iteration-1/c/with_skill +\n iteration-1/d/without_skill -");
    let workspace = under(workspace, "iteration-1/a,b/with_skill", "+-", ["opus", "g1"]);
    let workspace = under(workspace, "iteration-1/a,b/without_skill", "--", ["haiku", "g2"]);
    let report = workspace.build();
    for file in support::files(&report) {
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a file")).into_owned();
        for key in ["only_after", "only_before", "unjudged", "ungraded", "models", "graders"] {
            let key = format!("verdict.{key}");
            assert!(!words::says(&text, &key, &[]), "{key}: {}: {text}", file.display());
        }
    }
    let overview = page(&report, "index.html");
    let sides = [("before_side", "without_skill"), ("after_side", "with_skill")];
    for (key, values) in [
        ("models", [("before", "haiku"), ("after", "opus"), sides[0], sides[1]].as_slice()),
        ("graders", &[("before", "g2"), ("after", "g1"), sides[0], sides[1]]),
        ("only_after", &[("after", "with_skill"), ("names", "c")]),
        ("only_before", &[("before", "without_skill"), ("names", "d")]),
    ] {
        let key = format!("verdict.{key}_beside");
        assert!(words::says(&overview, &key, values), "{key}: {overview}");
    }
    let comment = ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];
    let comment = workspace.run(comment).stdout;
    let only = [("after", "with_skill"), ("names", "c")];
    assert!(words::says(&comment, "verdict.only_after_beside", &only), "{comment}");
}

#[test]
fn a_side_without_a_verdict_has_no_rate() {
    let counts = r#"{"summary": {"passed": 0, "failed": 5, "total": 5}}"#;
    let workspace =
        Workspace::new().files("iteration-1/a/with_skill,without_skill/grading.json", counts);
    let page = page(&workspace.build(), "index.html");
    assert!(words::says(&page, "state.recorded", &[]), "{page}");
    let sides =
        page.split("<dl class=\"sides\">").nth(1).and_then(|rest| rest.split("</dl>").next());
    assert!(sides.is_some_and(|sides| !sides.contains('%') && !sides.contains("<svg")), "{page}");
}

#[test]
fn errors_and_losses_have_buttons_and_a_lost_grading_says_why() {
    let workspace = Workspace::new()
        .runs("iteration-1/a/with_skill/run-1 +\n iteration-2/a/with_skill,without_skill/run-1 -");
    let cut = "iteration-2/b/with_skill/run-1/grading.json";
    let workspace = workspace.file(cut, "{\"expectations\": [{\"text\": ");
    let report = workspace.build();
    let overview = page(&report, "index.html");
    let lost = [("n", "1"), ("iteration", "iteration-1")];
    assert!(words::says(&overview, "next.regressed_since", &lost), "{overview}");
    let is_button = |tag: &Tag| tag.get("class") == Some("button");
    let buttons = tags(&overview).into_iter().filter(is_button);
    let to: Vec<String> = buttons.filter_map(|tag| tag.get("href").map(str::to_owned)).collect();
    assert!(to.iter().any(|href| href == "problems.html"), "{to:?}");
    let run = page(&report, "iterations/iteration-2/b/with_skill-1.html");
    let checks = run.split("id=\"checks\"").nth(1).expect("the checks");
    assert!(checks.contains(cut), "{checks}");
}
