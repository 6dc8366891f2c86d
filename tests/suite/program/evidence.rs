//! What the files behind the numbers say: quotations of graders that are not there, other verdicts on
//! equal outputs, edits of the skill that are about the checks that changed.

use std::path::Path;

use crate::support::{Workspace, html, read_text, words};
use serde_json::{Value, json};

const REPORT: &str = "# Orders\n\nLate shipments rose to fourteen in the second quarter.\n\n\
    They are counted by region, by carrier and by week, and each table names the sheet that it was \
    made from and the day on which it was made.\n";

/// A grading of three checks; the evidence of the first one is given.
fn grading(evidence: &str, verdicts: [bool; 3]) -> String {
    let texts = [
        "Late shipments are counted by carrier",
        "Refunds are shown on a line of their own",
        "The chart has a legend with its units",
    ];
    let check = |(at, passed): (usize, bool)| {
        let evidence = if at == 0 { evidence } else { "It is so." };
        json!({"text": texts[at], "passed": passed, "evidence": evidence})
    };
    let checks: Vec<Value> = verdicts.into_iter().enumerate().map(check).collect();
    json!({"grader": "ann", "expectations": checks}).to_string()
}

const SKILL: &str = "# Orders\n\n- Never leave out a week.\n- Name the sheet of each table.\n";

/// Two iterations with the same output, between which the skill came to mention refunds.
fn workspace(evidence: &str) -> Workspace {
    let edited = format!("{SKILL}- Keep refunds on a line of their own.\n- Read every sheet.\n");
    Workspace::new()
        .file("skill-snapshot-iteration-1/SKILL.md", SKILL)
        .file("skill-snapshot-iteration-2/SKILL.md", edited)
        .file("iteration-1/late/with_skill/run-1/outputs/report.md", REPORT)
        .file(
            "iteration-1/late/with_skill/run-1/grading.json",
            grading("Yes.", [true, false, false]),
        )
        .file("iteration-2/late/with_skill/run-1/outputs/report.md", REPORT)
        .file(
            "iteration-2/late/with_skill/run-1/grading.json",
            grading(evidence, [true, true, false]),
        )
}

fn read(folder: &Path, name: &str) -> String {
    read_text(folder.join(name))
}

fn report(folder: &Path) -> Value {
    serde_json::from_str(&read(folder, "report.json")).expect("JSON")
}

#[test]
fn a_quotation_is_found_in_any_encoding_of_the_output() {
    let utf_16: Vec<u8> = REPORT.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let marked = [&b"\xff\xfe"[..], &utf_16].concat();
    for output in [utf_16, marked] {
        let place = workspace("The report states 'Late shipments rose to fourteen'.")
            .file("iteration-2/late/with_skill/run-1/outputs/report.md", output);
        let folder = place.build();
        let evidence = &report(&folder)["workspaces"][0]["iterations"][1]["evidence"];
        assert_eq!(evidence["graders"][0]["exact"], 1, "{evidence}");
        let missing = evidence["missing"].as_array();
        assert!(missing.is_none_or(Vec::is_empty), "{evidence}");
    }
}

#[test]
fn a_quotation_that_is_not_there_is_named_wherever_the_check_is() {
    let place = workspace(
        "The report states 'nothing was <b>late</b> at all', and 'by region, by carrier'.",
    );
    let folder = place.build();
    let evidence = &report(&folder)["workspaces"][0]["iterations"][1]["evidence"];
    let grader = json!({"grader": "ann", "exact": 1, "close": 0, "elsewhere": 0, "missing": 1, "unknown": 0});
    assert_eq!(evidence["graders"], json!([grader]));
    assert_eq!(evidence["missing"][0]["quotations"], json!(["nothing was <b>late</b> at all"]));
    assert_eq!(evidence["missing"][0]["passed"], json!(true));

    let quote = "nothing was <b>late</b> at all";
    let remark = words::text("quotes.missing", &[("quote", quote)]);
    for page in [
        "iterations/iteration-2/late/with_skill-1.html",
        "diffs/late/iteration-1.with_skill--iteration-2.with_skill.html",
    ] {
        let text = html::spoken_texts(&read(&folder, page)).join("\n");
        assert!(text.contains(&remark), "{page}: {text}");
        assert!(!read(&folder, page).contains("<b>late</b>"), "{page} holds markup of a grader");
    }
    let overview = read(&folder, "index.html");
    assert!(overview.contains("iterations/iteration-2/index.html#evidence"), "{overview}");
    assert!(read(&folder, "iterations/iteration-2/index.html").contains("id=\"evidence\""));
    let brief = read(&folder, "iterations/iteration-2/brief.md");
    assert!(brief.contains(words::raw("brief.evidence")), "{brief}");
}

#[test]
fn equal_outputs_with_other_verdicts_are_named_and_nothing_is_said_of_what_is_there() {
    let place = workspace("The report states 'by region, by carrier'.");
    let folder = place.build();
    let evidence = &report(&folder)["workspaces"][0]["iterations"][1]["evidence"];
    assert_eq!(evidence["missing"], Value::Null);
    let found = json!([{
        "case": "late",
        "check": "Refunds are shown on a line of their own",
        "passed": "iteration-2/late/with_skill/run-1",
        "failed": "iteration-1/late/with_skill/run-1",
    }]);
    assert_eq!(evidence["inconsistent"], found);
    let brief = read(&folder, "iterations/iteration-2/brief.md");
    assert!(!brief.contains(words::raw("brief.evidence")), "{brief}");
}

#[test]
fn an_edit_is_named_for_the_check_that_it_is_about() {
    let place = workspace("Yes.");
    let folder = place.build();
    let edits = &report(&folder)["workspaces"][0]["edits"][0];
    let edit = &edits["moved"][0]["edit"];
    assert_eq!((&edits["edits"], &edit["line"]), (&json!(2), &json!(5)), "{edits}");
    assert_eq!(edits["moved"][0]["change"], "improved");
    assert_eq!(edits["unmentioned"][0]["check"], "The chart has a legend with its units");
    assert_eq!(edits["unchecked"][0]["line"], json!(3), "{edits}");
    let overview = read(&folder, "index.html");
    let page = "skill/skill-snapshot-iteration-1--skill-snapshot-iteration-2.html";
    assert!(overview.contains(&format!("{page}#edits")), "{overview}");
    assert!(read(&folder, page).contains("<mark>refunds</mark>"));
    let brief = read(&folder, "iterations/iteration-2/brief.md");
    assert!(brief.contains("The chart has a legend with its units"), "{brief}");
}

#[test]
fn nothing_is_said_where_nothing_is_known() {
    let place = Workspace::new().file(
        "iteration-1/late/with_skill/run-1/grading.json",
        grading("Yes.", [true, false, false]),
    );
    let folder = place.build();
    let workspace = &report(&folder)["workspaces"][0];
    assert_eq!([&workspace["edits"], &workspace["iterations"][0]["evidence"]], [&Value::Null; 2]);
    let page = read(&folder, "iterations/iteration-1/index.html");
    assert!(!page.contains("id=\"evidence\""), "{page}");
}
