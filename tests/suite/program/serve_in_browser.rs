//! `evalbook serve` in a real browser: what is typed in a page is saved, kept or refused.
//!
//! Where there is no Chromium, these tests say so and pass.

use super::comments::{PAGE, RUN, feedback, reviews, text};
use crate::support::chromium::Chromium;
use crate::support::served::Served;
use crate::support::waiting::wait_until;
use crate::support::{Workspace, copy, grading, project, read_json, words};
use serde_json::{Value, json};

/// Types into the field for comments, as a whole.
fn type_in(browser: &mut Chromium, text: &str) {
    browser.evaluate(&format!(
        "(() => {{ const field = document.querySelector('#comment'); field.focus(); field.value = {};
            field.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
        json!(text)
    ));
}

/// Waits until the state of the comment says the text at `key`.
fn wait_for_state(browser: &mut Chromium, key: &str, values: &[(&str, &str)]) {
    let state = "document.querySelector('.review [role=status]').textContent";
    browser.wait_for(&words::in_script(state, key, values));
}

#[test]
fn a_comment_typed_in_a_page_is_in_the_file_and_in_the_page_after() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let mut served = Served::start(&place.path(), &[]);
    let url = served.url.clone();
    let found = browser.open(&format!("{url}{PAGE}"), &url);
    assert!(found.is_empty(), "{found:?}");
    type_in(&mut browser, "Shorter, \"please\" <b>");
    wait_for_state(&mut browser, "serve.saved", &[("file", "iteration-1/feedback.json")]);
    assert_eq!(reviews(&place)[0]["feedback"], "Shorter, \"please\" <b>");
    // While somebody writes, the page stays; it follows as soon as it is left.
    browser.wait_for("document.querySelector('.served button') !== null");
    assert_eq!(browser.evaluate("document.activeElement.id"), "comment");
    browser.evaluate("document.querySelector('#comment').blur()");
    browser.wait_for(
        "document.querySelector('.comments blockquote .prose').textContent.startsWith('Shorter')",
    );
    browser.wait_for("document.querySelector('#comment').value === 'Shorter, \"please\" <b>'");
    // Others write meanwhile.
    std::fs::write(feedback(&place), text(&place).replace("Shorter", "Longer")).expect("written");
    browser.wait_for("document.querySelector('#comment').value.startsWith('Longer')");
    // A file that is no JSON any more is left alone, and the words stay.
    std::fs::write(feedback(&place), "{\"reviews\": [").expect("written");
    type_in(&mut browser, "kept words");
    wait_for_state(&mut browser, "serve.unreadable", &[]);
    assert_eq!(text(&place), "{\"reviews\": [");
    std::fs::write(feedback(&place), "{\"reviews\": []}").expect("written");
    type_in(&mut browser, "kept words, more");
    wait_for_state(&mut browser, "serve.other_gone", &[]);
    type_in(&mut browser, "kept words, and more");
    wait_for_state(&mut browser, "serve.saved", &[]);
    assert_eq!(reviews(&place)[0]["feedback"], "kept words, and more");
    served.child().kill().expect("our own child");
    served.child().wait().expect("an end");
    type_in(&mut browser, "nobody there");
    wait_for_state(&mut browser, "serve.alone", &[]);
}

#[test]
fn a_review_is_ended_on_the_page_of_comments() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::new();
    copy(&project().join("examples/skill-creator"), &place.path());
    let served = Served::start(&place.path(), &["--lang", "zh-TW"]);
    let url = served.url.clone();
    let found = browser.open(&format!("{url}feedback.html"), &url);
    assert!(found.is_empty(), "{found:?}");
    let counts = "document.querySelector('#f-iteration-3 .counts').textContent";
    let before = browser.evaluate(counts);
    browser.evaluate("document.querySelector('#f-iteration-3 .review-tools button').click()");
    let file = place.path().join("iteration-3/feedback.json");
    let is_complete =
        || std::fs::read_to_string(&file).is_ok_and(|text| text.contains("\"complete\""));
    assert!(wait_until(is_complete));
    let now = read_json(file);
    assert_eq!(now["status"], "complete");
    browser.wait_for(&format!("{counts} !== {before}"));
}

/// Ends the server, and serves `workspace` at the port it had.
fn again(mut served: Served, workspace: &std::path::Path) -> Served {
    let port = served.host().rsplit(':').next().expect("a port").to_owned();
    served.child().kill().expect("our own child");
    served.child().wait().expect("an end");
    drop(served);
    Served::start(workspace, &["--port", &port])
}

/// Types words on the run while nobody answers.
fn type_in_vain(browser: &mut Chromium, served: &mut Served, words: &str) {
    let url = served.url.clone();
    let found = browser.open(&format!("{url}{PAGE}"), &url);
    assert!(found.is_empty(), "{found:?}");
    served.child().kill().expect("our own child");
    served.child().wait().expect("an end");
    type_in(browser, words);
    wait_for_state(browser, "serve.alone", &[]);
    browser.open("about:blank", "");
}

#[test]
fn words_for_one_workspace_never_go_to_another() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let (place, other) = (Workspace::good(), Workspace::good());
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "words for the first");
    let served = again(served, &other.path());
    let url = served.url.clone();
    browser.open(&format!("{url}{PAGE}"), &url);
    assert_eq!(browser.evaluate("document.querySelector('#comment').value"), "");
    assert_eq!(served.say(PAGE, "", "for the second").status, 200, "nothing was saved before");
    assert_eq!(reviews(&other)[0]["feedback"], "for the second");
    let served = again(served, &place.path());
    let url = served.url.clone();
    browser.open(&format!("{url}{PAGE}"), &url);
    browser.wait_for("document.querySelector('.comments blockquote .prose') !== null");
    assert_eq!(reviews(&place)[0]["feedback"], "words for the first");
}

/// What a part of the page of comments says.
fn part(browser: &mut Chromium, selector: &str) -> String {
    let found =
        browser.evaluate(&format!("document.querySelector('#f-iteration-1 {selector}').innerText"));
    found.as_str().expect("a text").to_owned()
}

#[test]
fn any_page_sends_what_was_kept() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "kept words");
    let served = again(served, &place.path());
    let url = served.url.clone();
    let found = browser.open(&url, &url);
    assert!(found.is_empty(), "{found:?}");
    let kept = "Object.values(localStorage).some((kept) => kept.includes('kept words'))";
    browser.wait_for(&format!("!{kept}"));
    assert_eq!(reviews(&place)[0]["feedback"], "kept words");
}

#[test]
fn a_landing_page_sends_the_words_of_every_workspace() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let (place, other) = (Workspace::good(), Workspace::good());
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "kept words");
    let other = other.path();
    let port = served.host().rsplit(':').next().expect("a port").to_owned();
    let args = [other.to_str().expect("UTF-8"), "--port", &port];
    let served = Served::start(&place.path(), &args);
    let url = served.url.clone();
    let found = browser.open(&url, &url);
    assert!(found.is_empty(), "{found:?}");
    let kept = "Object.values(localStorage).some((kept) => kept.includes('kept words'))";
    browser.wait_for(&format!("!{kept}"));
    assert_eq!(reviews(&place)[0]["feedback"], "kept words");
    assert!(!other.join("iteration-1/feedback.json").exists());
}

#[test]
fn a_review_is_not_complete_before_its_comments_are_saved() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let mut served = Served::start(&place.path(), &[]);
    type_in_vain(&mut browser, &mut served, "mine");
    let theirs = json!({ "reviews": [{ "run_id": RUN, "feedback": "theirs" }] }).to_string();
    std::fs::write(feedback(&place), &theirs).expect("written");
    let served = again(served, &place.path());
    let url = served.url.clone();
    let found = browser.open(&format!("{url}feedback.html"), &url);
    assert!(found.iter().all(|it| it.contains("409")), "{found:?}");
    let listed = "document.querySelector('#f-iteration-1 div li')?.innerText";
    browser.wait_for(&words::in_script(listed, "serve.unsaved_other", &[]));
    let unsaved = part(&mut browser, "div");
    assert_eq!(words::place(&unsaved, "serve.unsaved", &[("count", "1")]), Some(0), "{unsaved}");
    browser.evaluate("document.querySelector('#f-iteration-1 .review-tools button').click()");
    browser.wait_for("document.querySelector('#f-iteration-1 > [role=status]').innerText !== ''");
    let printed = part(&mut browser, "> [role=status]");
    let reason = words::text("serve.unsaved_first", &[("count", "1")]);
    assert!(words::says(&printed, "serve.not_completed", &[("reason", &reason)]), "{printed}");
    assert_eq!(text(&place), theirs, "not called complete");
    // The run's own page shows both; what is written there replaces what was seen.
    browser.evaluate("document.querySelector('#f-iteration-1 div li a').click()");
    browser.wait_for("document.querySelector('#comment')?.value === 'mine'");
    wait_for_state(&mut browser, "serve.other", &[("text", "theirs")]);
    type_in(&mut browser, "theirs and mine");
    wait_for_state(&mut browser, "serve.saved", &[]);
    browser.wait_for("document.querySelector('.served button') !== null");
    browser.open(&format!("{url}feedback.html"), &url);
    assert_eq!(part(&mut browser, "div"), "");
    browser.evaluate("document.querySelector('#f-iteration-1 .review-tools button').click()");
    assert!(wait_until(|| text(&place).contains("\"complete\"")));
    let now: Value = serde_json::from_str(&text(&place)).expect("JSON");
    assert_eq!(
        (&now["status"], &now["reviews"][0]["feedback"]),
        (&json!("complete"), &json!("theirs and mine"))
    );
}

#[test]
fn a_page_that_found_no_seat_asks_again() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let version = served.version(PAGE);
    let mut seats: Vec<_> = (0..24).map(|_| served.news(PAGE, &version)).collect();
    for seat in &mut seats {
        assert_eq!(seat.next().as_deref(), Some("event: fine"));
    }
    let url = served.url.clone();
    browser.open(&format!("{url}{PAGE}"), &url);
    let served_state = "document.querySelector('.served').innerText";
    browser.wait_for(&words::in_script(served_state, "serve.lost", &[]));
    drop(seats);
    browser.wait_for("document.querySelector('.served').innerText === ''");
    let run = "iteration-1/good-case/with_skill/run-1";
    let changed = grading(&[("a quite new expectation", true, "seen")]);
    let _place = place.file(&format!("{run}/grading.json"), changed);
    browser.wait_for("document.body.textContent.includes('a quite new expectation')");
}

#[test]
fn a_refusal_is_not_called_silence() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let url = served.url.clone();
    let found = browser.open(&format!("{url}{PAGE}"), &url);
    assert!(found.is_empty(), "{found:?}");
    // Half an emoji is not text that JSON could hold.
    browser.evaluate(
        "(() => { const field = document.querySelector('#comment'); field.value = 'half \\ud83d';
            field.dispatchEvent(new Event('input', { bubbles: true })); })()",
    );
    wait_for_state(&mut browser, "serve.not_taken", &[("status", "400")]);
    assert!(!feedback(&place).exists());
    let _served = again(served, &place.path());
    type_in(&mut browser, "for the server before");
    wait_for_state(&mut browser, "serve.ended", &[]);
}
