//! What the pages of a report say of a workspace made for the purpose.

use std::path::Path;

use serde_json::json;

use crate::support;
use crate::support::html::{Tag, tags};
use crate::support::{Workspace, examples, name_of, site, words};
use testing::gradings::verdicts;

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

#[test]
fn a_check_that_got_an_id_stays_one_row_of_its_case() {
    let grading = |id: Option<&str>| {
        let mut check = json!({ "text": "the total is right", "passed": true, "evidence": "454" });
        if let Some(id) = id {
            check["id"] = json!(id);
        }
        json!({ "expectations": [check] }).to_string()
    };
    let workspace = Workspace::new()
        .file("iteration-1/sum/with_skill/grading.json", grading(None))
        .file("iteration-2/sum/with_skill/grading.json", grading(Some("c1")))
        .file("iteration-3/sum/with_skill/grading.json", grading(Some("c1")));
    let page = page(&workspace.build(), "cases/sum.html");
    let matrix = page.split("<table class=\"matrix\">").nth(1).expect("a matrix");
    let body = matrix.split("</tbody>").next().unwrap_or_default();
    let body = body.split("<tbody>").nth(1).expect("checks");
    assert_eq!((body.matches("<tr").count(), body.matches("1/1").count()), (1, 3), "{body}");
}

#[test]
fn runs_that_nobody_can_believe_have_neither_losses_nor_gains() {
    // All of the newest runs took the same time, to the millisecond.
    let workspace = Workspace::new()
        .runs("iteration-1/a,b,c,d/with_skill ++- 31~ 41000~")
        .runs("iteration-1/a,b,c,d/without_skill --- 32~ 42000~")
        .runs("iteration-2/a,b,c,d/with_skill +-- 0.001 41000")
        .runs("iteration-2/a,b,c,d/without_skill --- 0.001 41000");
    let page = page(&workspace.build(), "index.html");
    assert!(page.contains("as-recorded"), "{page}");
    for part in
        ["class=\"case-difference", "id=\"lost\"", "id=\"better\"", "only-lost", "only-better"]
    {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn without_comparisons_there_is_no_page_of_them() {
    let workspace = Workspace::good();
    let report = workspace.build();
    assert!(!report.join("comparisons.html").exists());
    assert!(!page(&report, "index.html").contains("comparisons.html"));
}

#[test]
fn rounds_of_a_trigger_loop_have_a_page() {
    let all = examples();
    let example = all.iter().find(|path| name_of(path) == "advanced").expect("the example");
    let page = page(&Workspace::new().with(example).build(), "triggers.html");
    let round = words::text("triggers.round", &[("number", "3")]);
    let total = [("number", &*words::count(3, "round")), ("round", &round), ("counts", "12/12")];
    assert!(words::says(&page, "triggers.total", &total));
    assert!(words::says(&page, "triggers.held_out_right", &[("value", "8/8")]));
    assert!(page.contains("整理會議記錄。"));
}

#[test]
fn results_of_versions_are_in_the_language_of_the_page() {
    let history = r#"{"versions": [{"version": "v0", "grading_result": "baseline"}, {"version": "v1", "parent": "v0", "grading_result": "won"}]}"#;
    let workspace = Workspace::new().runs("v1/a/with_skill/run-1 +").file("history.json", history);
    workspace.run(["build", "../workspace", "-o", "report", "--lang", "zh-TW"]).assert_code(0);
    let page = page(&workspace.elsewhere().join("report"), "history.html");
    assert!(page.contains("<dd class=\"prose\">勝</dd>"), "{page}");
    assert!(!page.contains(">won<") && !page.contains(">baseline<"), "{page}");
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
    let overview = after("index.html", "<section class=\"headline\">");
    assert!(overview.split("</section>").next().is_some_and(|it| it.contains(shown)), "{overview}");
    let side = [("configuration", "with_skill"), ("iteration", "iteration-1")];
    let side = words::text("page.side", &side);
    let since = words::text("overview.against_previous", &[("side", &side)]);
    let report_md = after("report.md", &format!("### {since}"));
    assert!(report_md.trim_start().starts_with(shown), "{report_md}");
    let comment = ["build", "../workspace", "--format", "markdown", "--for", "pull-request"];
    let comment = workspace.run(comment);
    assert_eq!(comment.stdout.matches(shown).count(), 1, "{comment:?}");
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
