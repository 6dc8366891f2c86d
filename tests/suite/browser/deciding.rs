//! The verdicts that decide: judged by keys before they are seen, exported or saved, and counted by the next
//! build.
//!
//! Where there is no Chromium, these tests say so and pass.

use serde_json::{Value, json};

use crate::support::chromium::Chromium;
use crate::support::served::Served;
use crate::support::waiting::wait_until;
use crate::support::{Workspace, address, grading, html, read_text, words};

/// Six cases with one check, which the side with the skill passes and the other one fails.
fn workspace() -> Workspace {
    let mut place = Workspace::new();
    for case in ["a", "b", "c", "d", "e", "f"] {
        for (side, passed) in [("with_skill", true), ("without_skill", false)] {
            let folder = format!("iteration-1/{case}/{side}");
            let check = format!("it names {case} in `code`");
            place = place
                .file(&format!("{folder}/grading.json"), grading(&[(&check, passed, "so it is")]))
                .file(&format!("{folder}/outputs/note.md"), format!("# Note of {case}\n"));
        }
    }
    place
}

/// How much of what only an answer shows is visible.
const TOLD: &str = "Array.from(document.querySelectorAll('.told, .deciding .named')).filter((it) => it.checkVisibility()).length";

fn number_of_answers(browser: &mut Chromium) -> Value {
    browser.evaluate("document.querySelectorAll('[data-told]').length")
}

/// Judges four verdicts by keys: as the grader did, the other way, as one that cannot be told, and one that is
/// taken back.
fn judge_four(browser: &mut Chromium) {
    const SHOWN: &str = "document.querySelector('.current .told').checkVisibility()";
    for answer in ["same", "other", "unknown", "back"] {
        let is_passed =
            browser.evaluate("document.querySelector('.current').dataset.outcome") == "passed";
        let key = if answer == "unknown" {
            "0"
        } else if is_passed == (answer != "other") {
            "1"
        } else {
            "2"
        };
        browser.press(key);
        assert_eq!(browser.evaluate(SHOWN), true);
        if answer == "back" {
            browser.press("z");
            assert_eq!(browser.evaluate(SHOWN), false);
        }
        browser.press("j");
    }
}

/// The page of comments of another report takes the answers over from an exported file.
fn takes_over(other: &mut Chromium, exported: &str) {
    let without = workspace();
    let plain = address(&without.build());
    other.open(&format!("{plain}feedback.html"), &plain);
    other.wait_for("evalbook.feedback?.take !== undefined");
    let take = format!(
        "evalbook.feedback.take(document.querySelector('[data-feedback]'), {})",
        json!(exported)
    );
    let taken = other.evaluate(&take);
    let taken = taken.as_str().unwrap_or_default();
    assert!(words::says(taken, "script.import_answers", &[("count", "4")]), "{taken}");
}

#[test]
fn verdicts_are_judged_before_they_are_seen_and_counted_by_the_next_build() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let report = place.build();
    let folder = address(&report);
    let list = html::accessible_texts(&read_text(report.join("deciding.html"))).join("\n");
    assert!(list.contains("so it is"), "without a script everything is there: {list}");
    let page = format!("{folder}deciding.html");
    assert!(browser.open(&page, &folder).is_empty());
    browser.wait_for("document.querySelector('.choices button') !== null");
    assert_eq!(browser.evaluate("document.querySelectorAll('[data-judge]').length"), 6);
    assert_eq!(browser.evaluate(TOLD), 0);
    // Both outputs by keys.
    let open =
        "['own', 'other'].map((it) => document.querySelector(`.current .${it}`).open).join()";
    assert_eq!(browser.evaluate(open), "true,false");
    browser.press("v");
    assert_eq!(browser.evaluate(open), "false,true");
    browser.press("v");
    judge_four(&mut browser);
    assert_eq!(number_of_answers(&mut browser), 3);
    // By mouse and finger.
    browser.evaluate("document.querySelector('.current .choices button').click()");
    assert_eq!(number_of_answers(&mut browser), 4);
    assert!(browser.open(&page, &folder).is_empty());
    browser.wait_for("document.querySelectorAll('[data-told]').length === 4");
    let exported = browser.evaluate(
        "evalbook.feedbackFile.withListed('{\"reviews\": []}', 'judged', evalbook.answers.all('iteration-1'))",
    );
    let exported = exported.as_str().expect("a text").to_owned();
    let place = place.file("iteration-1/feedback.json", exported.as_str());
    let report = place.build();
    let shown = html::accessible_texts(&read_text(report.join("index.html"))).join("\n");
    let says = |key: &str, values: &[(&str, &str)]| words::says(&shown, key, values);
    let agreed = |n: &str| says("deciding.agreed", &[("agreed", n), ("verdicts", "3 verdicts")]);
    assert!(agreed("1") || agreed("2"), "{shown}");
    assert!(says("deciding.with_yours", &[]), "{shown}");
    // Another browser knows the answers from the file.
    let Some(mut other) = Chromium::start_if_found() else { return };
    let folder = address(&report);
    assert!(other.open(&format!("{folder}deciding.html"), &folder).is_empty());
    other.wait_for("document.querySelectorAll('[data-told]').length === 4");
    takes_over(&mut other, &exported);
}

#[test]
fn answers_are_saved_where_the_report_is_served() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let served = Served::start(&place.path(), &[]);
    browser.open(&format!("{}deciding.html", served.url), &served.url);
    browser.wait_for("document.querySelector('.choices button') !== null");
    browser.press("1");
    let file = place.path().join("iteration-1/feedback.json");
    assert!(wait_until(|| file.exists()), "saved");
    let saved: Value = serde_json::from_str(&read_text(&file)).expect("JSON");
    let judged = &saved["reviews"][0]["judged"];
    assert_eq!(judged[0]["outcome"], "passed", "{saved}");
    // The page is made again with it.
    browser.wait_for("document.querySelectorAll('[data-recorded]').length === 1");
}
