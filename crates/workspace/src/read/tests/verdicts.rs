//! Every spelling of a verdict.

use super::{codes, outcomes, place, read};
use input::discover::Kind;
use input::model::Code;

fn one(item: &str) -> (String, String) {
    let record = read(Kind::Grading, &format!("{{\"expectations\": [{item}]}}"));
    (outcomes(&record), codes(&record.problems))
}

#[test]
fn every_key_and_word_for_a_verdict() {
    let cases = [
        (r#""passed": true"#, "p"),
        (r#""passed": false"#, "f"),
        (r#""passed": null"#, "u"),
        (r#""pass": true"#, "p"),
        (r#""met": false"#, "f"),
        (r#""Passed": true"#, "p"),
        (r#""overallPass": true"#, "p"),
        (r#""verdict": "PASS""#, "p"),
        (r#""result": "fail""#, "f"),
        (r#""grade": "FAIL""#, "f"),
        (r#""status": "not met""#, "f"),
        (r#""outcome": "N/A""#, "u"),
        (r#""verdict": "✅ PASS""#, "p"),
        (r#""verdict": "❌""#, "f"),
        (r#""verdict": "**Pass**""#, "p"),
        (r#""verdict": "✔️ met""#, "p"),
        (r#""verdict": "PASS ✅.""#, "p"),
        (r#""verdict": "通過""#, "p"),
        (r#""verdict": "不合格""#, "f"),
        (r#""status": "skipped""#, "u"),
        (r#""ok": false"#, "f"),
        (r#""correct": true"#, "p"),
        (r#""decision": "Not-Met""#, "f"),
        (r#""state": "did not pass""#, "f"),
        (r#""verdict": "violated""#, "f"),
        (r#""verdict": "✕""#, "f"),
        (r#""verdict": "☐""#, "f"),
        (r#""verdict": "已通過""#, "p"),
        (r#""verdict": "P""#, "p"),
        (r#""verdict": "F""#, "f"),
    ];
    for (fields, expected) in cases {
        let actual = one(&format!("{{\"text\": \"t\", {fields}}}"));
        assert_eq!(actual, (expected.to_owned(), String::new()), "{fields}");
    }
}

/// Three items on a scale that the document itself explains, or not.
#[test]
fn a_scale_in_the_document_decides() {
    let items = |values: [&str; 3]| {
        let items = values.iter().zip(["x", "y", "z"]);
        let items = items.map(|(value, text)| format!(r#"{{"text": "{text}", {value}}}"#));
        items.collect::<Vec<_>>().join(",")
    };
    let letters = [r#""grade": "A""#, r#""grade": "c""#, r#""grade": "D""#];
    let shares = [r#""score": "90%""#, r#""score": "7/10""#, r#""score": 0.2"#];
    let points = [r#""score": 9"#, r#""score": 7, "max_score": 10"#, r#""score": 2"#];
    let cases = [
        (r#""grading_scale": {"A": "pass", "C": true, "D": "fail"}"#, letters, "ppf", ""),
        (r#""scale": {"pass": ["A", "C"], "fail": ["D"]}"#, letters, "ppf", ""),
        (r#""passing_grades": ["A"]"#, letters, "pff", ""),
        (r#""grader": "g""#, letters, "uuu", "lost-verdicts"),
        (r#""threshold": 0.7"#, shares, "ppf", ""),
        (r#""pass_threshold": "80%""#, shares, "pff", ""),
        (r#""grader": "g""#, shares, "uuu", "lost-verdicts"),
        (r#""passing_score": 7"#, points, "ppf", ""),
        (r#""grader": "g""#, points, "uuu", "lost-verdicts"),
    ];
    for (head, values, expected, problem) in cases {
        let text = format!("{{{head}, \"results\": [{}]}}", items(values));
        let record = read(Kind::Grading, &text);
        assert_eq!(outcomes(&record), expected, "{text}");
        assert_eq!(codes(&record.problems), problem, "{text}");
    }
}

#[test]
fn an_odd_verdict_is_read_with_a_problem() {
    let cases = [
        (r#""passed": "true""#, "p", "wrong-type"),
        (r#""passed": "✅""#, "p", "wrong-type"),
        (r#""passed": 1"#, "p", "wrong-type"),
        (r#""passed": 0.0"#, "f", "wrong-type"),
        (r#""result": "PASS: the table has 3 rows, as the prompt asks""#, "p", ""),
        (r#""result": "FAIL - nothing was written""#, "f", ""),
        (r#""result": "FAIL - found it, but the header is missing""#, "f", ""),
        (r#""result": "FAILED with notes""#, "u", "lost-verdicts"),
        (r#""result": "passed with notes""#, "u", "lost-verdicts"),
        (r#""result": "未通過：缺少表頭""#, "f", ""),
        (r#""result": "通過，但缺少表頭""#, "u", "lost-verdicts"),
        (r#""result": "PASS: ❌ no header""#, "u", "lost-verdicts"),
        (r#""result": "✅ three rows""#, "u", "lost-verdicts"),
        (r#""verdict": "N/A(environment)""#, "u", "lost-verdicts"),
        (
            r#""verdict": "skipped (there is no network here, and none was asked for)""#,
            "",
            "unknown-shape",
        ),
        (r#""verdict": "FAIL(no header)""#, "u", "lost-verdicts"),
        (r#""verdict": "n/a (PASS)""#, "u", "lost-verdicts"),
        (r#""verdict": "PASS(partially)""#, "u", "lost-verdicts"),
        (r#""verdict": "PASS (partially)""#, "u", "lost-verdicts"),
        (r#""verdict": "PASS(3/3)""#, "u", "lost-verdicts"),
        (r#""result": "T: 300 K""#, "u", "lost-verdicts"),
        (r#""passed": "1""#, "p", "wrong-type"),
        (r#""passed": "0""#, "f", "wrong-type"),
        (r#""verdict": "PASS?""#, "u", "lost-verdicts"),
        (r#""verdict": "⚠️ PASS""#, "u", "lost-verdicts"),
        (r#""verdict": "not violated""#, "u", "lost-verdicts"),
        (r#""verdict": "not fully met""#, "u", "lost-verdicts"),
        (r#""verdict": "不完全符合""#, "u", "lost-verdicts"),
        (r#""verdict": "部分通過""#, "u", "lost-verdicts"),
        (r#""verdict": "error""#, "u", ""),
        (r#""passed": false, "skipped": true"#, "u", ""),
        (r#""passed": false, "status": "not applicable""#, "u", ""),
        (r#""passed": false, "error": "grader timeout""#, "u", ""),
        (r#""passed": false, "error": "AssertionError: timeout is 3""#, "f", ""),
        (r#""passed": false, "skipped": false, "error": null"#, "f", ""),
        (r#""status": "partially met""#, "u", "lost-verdicts"),
        (r#""verdict": "PASS ❌""#, "u", "lost-verdicts"),
        (r#""verdict": "PASS, but only partially""#, "u", "lost-verdicts"),
        (r#""verdict": "B+""#, "u", "lost-verdicts"),
        (r#""passed": true, "verdict": "FAIL""#, "p", "lost-verdicts"),
        (r#""score": 4"#, "u", "lost-verdicts"),
        (r#""score": 0.8"#, "u", "lost-verdicts"),
    ];
    for (fields, expected, code) in cases {
        let actual = one(&format!("{{\"text\": \"t\", {fields}}}"));
        assert_eq!(actual, (expected.to_owned(), code.to_owned()), "{fields}");
    }
}

#[test]
fn a_problem_names_the_place_of_the_verdict() {
    let text = "{\n  \"expectations\": [\n    {\"text\": \"t\", \"passed\": \"maybe\"}\n  ]\n}";
    let record = read(Kind::Grading, text);
    assert_eq!(place(&record.problems, Code::LostVerdicts), "3:29");
}

#[test]
fn a_score_decides_where_the_rubric_is_used() {
    let cases = [
        (r#""score": 5, "passed": true"#, "p", ""),
        (r#""score": 3, "passed": true"#, "p", ""),
        (r#""score": 2, "passed": false"#, "f", ""),
        (r#""score": 4"#, "p", ""),
        (r#""score": 2, "passed": true"#, "f", "passed-contradicts-score"),
        (r#""score": 3, "passed": false"#, "p", "passed-contradicts-score"),
        (r#""score": 6, "passed": true"#, "p", "out-of-range"),
        (r#""score": 0, "passed": false"#, "f", "out-of-range"),
        (r#""score": 3.5, "passed": true"#, "p", "out-of-range"),
        (r#""score": "4/5", "passed": true"#, "p", "wrong-type"),
        (r#""score": "8/10", "passed": true"#, "p", ""),
    ];
    for (fields, expected, code) in cases {
        let text = format!(
            "{{\"overall_score\": null, \"results\": [{{\"criterion\": \"c\", {fields}}}]}}"
        );
        let record = read(Kind::Grading, &text);
        let actual = (outcomes(&record), codes(&record.problems));
        assert_eq!(actual, (expected.to_owned(), code.to_owned()), "{fields}");
    }
}

/// The flag counts, and the warning is at the reason.
#[test]
fn a_flag_that_contradicts_its_reason_is_a_warning() {
    let reason = "Every step is satisfied. PASS";
    for (passed, reason, expected) in [
        (false, reason, "passed-contradicts-reason"),
        (true, reason, ""),
        (true, "FAIL: two steps are missing", "passed-contradicts-reason"),
        (false, "FAIL: two steps are missing", ""),
        (true, "The log shows FAIL for the broken file, as it should", ""),
    ] {
        let found = one(&format!(r#"{{"text": "t", "passed": {passed}, "evidence": "{reason}"}}"#));
        let outcome = if passed { "p" } else { "f" };
        assert_eq!(found, (outcome.to_owned(), expected.to_owned()), "{passed} {reason}");
    }
    let avoided = r#"{"text": "t", "kind": "avoid", "passed": true, "evidence": "FAIL: it does"}"#;
    assert_eq!(one(avoided).1, "");
}
