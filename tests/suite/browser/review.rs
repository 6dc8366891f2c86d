//! The way of a reviewer: both outputs rendered, a comment by keyboard, on to the next pair until
//! all are seen, then the words in `feedback.json`.
//!
//! Where there is no Chromium, these tests say so and pass.

#![allow(clippy::disallowed_methods, reason = "a test reads what was saved")]

use serde_json::{Value, json};

use crate::support::chromium::Chromium;
use crate::support::patience::eventually;
use crate::support::served::Served;
use crate::support::{Workspace, address, grading, project, shared_report, words};

/// Two cases; of the first the second run of the candidate fails what the baseline fails too.
fn workspace() -> Workspace {
    let table = [
        ("alpha/with_skill/run-1", [true, true]),
        ("alpha/with_skill/run-2", [true, false]),
        ("alpha/without_skill/run-1", [false, false]),
        ("alpha/without_skill/run-2", [false, true]),
        ("beta/with_skill/run-1", [true, true]),
        ("beta/without_skill/run-1", [true, true]),
    ];
    table.into_iter().fold(Workspace::new(), |place, (run, [first, second])| {
        let checks = grading(&[
            ("it has a title", first, "the title"),
            ("it has a date", second, "no date"),
        ]);
        let folder = format!("iteration-1/{run}");
        place
            .file(&format!("{folder}/grading.json"), checks)
            .file(&format!("{folder}/outputs/note.md"), format!("# Title of {run}\n\nA *word*.\n"))
            .file(&format!("{folder}/outputs/same.txt"), "the same bytes")
    })
}

/// The worst case comes first, which is the one without a gain.
const FIRST: &str = "diffs/beta/iteration-1.without_skill--iteration-1.with_skill.html";

const ALPHA: &str = "diffs/alpha/iteration-1.without_skill--iteration-1.with_skill.html";

fn address_of(browser: &mut Chromium) -> String {
    browser.evaluate("location.pathname").as_str().expect("an address").to_owned()
}

/// Comments on every pair from `page` on by keyboard, with the number of the pair as words; how
/// many pairs there were.
fn review(browser: &mut Chromium, page: &str, folder: &str) -> usize {
    let found = browser.open(page, folder);
    assert!(found.is_empty(), "{found:?}");
    for pair in 1.. {
        browser.wait_for("document.querySelector('[data-seen]').textContent !== ''");
        let rendered = "Array.from(document.querySelectorAll('.pane h4, .pane h5, .pane em'))
            .filter((it) => it.checkVisibility()).length";
        assert_eq!(browser.evaluate(rendered), 4, "pair {pair}: both notes are rendered");
        browser.press("c");
        assert_eq!(browser.evaluate("document.activeElement.id"), "comment");
        // What is typed is no key.
        let before = address_of(browser);
        browser.press("n");
        browser.press(&pair.to_string());
        assert_eq!(address_of(browser), before);
        let last =
            browser.evaluate("document.querySelector('a[rel=next]').href.includes('feedback')");
        browser.press("Control+Enter");
        browser.wait_for(&format!("location.pathname !== {}", json!(before)));
        browser.wait_for("document.readyState === 'complete' && window.evalbook !== undefined");
        if last == true {
            return pair;
        }
    }
    0
}

#[test]
fn a_reviewer_comments_on_every_pair_by_keyboard_and_exports_the_words() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let folder = address(&place.build());
    let pairs = review(&mut browser, &format!("{folder}{FIRST}"), &folder);
    assert_eq!(pairs, 3);
    let export = "evalbook.feedback.exported(document.querySelector('#f-iteration-1'))";
    browser.wait_for("evalbook.feedback !== undefined");
    let exported = browser.evaluate(export);
    let exported: Value = serde_json::from_str(exported.as_str().expect("a text")).expect("JSON");
    let words: Vec<(&str, &str)> = exported["reviews"]
        .as_array()
        .expect("reviews")
        .iter()
        .map(|review| (review["run_id"].as_str().unwrap(), review["feedback"].as_str().unwrap()))
        .collect();
    let expected = [
        ("alpha-with_skill-run-1", "n3"),
        ("alpha-with_skill-run-2", "n2"),
        ("beta-with_skill-run-1", "n1"),
    ];
    let mut words = words;
    words.sort_unstable();
    assert_eq!(words, expected, "the run that failed comes first");
    assert_eq!(exported["status"], "complete", "both sides of each pair are seen");
}

#[test]
fn what_is_written_on_the_review_page_is_saved_while_served() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let served = Served::start(&place.path(), &[]);
    let pairs = review(&mut browser, &format!("{}{FIRST}", served.url), &served.url);
    assert_eq!(pairs, 3);
    let file = place.path().join("iteration-1/feedback.json");
    let has_all = || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let saved: Value = serde_json::from_str(&text).unwrap_or_default();
        saved["reviews"].as_array().is_some_and(|reviews| reviews.len() == 3)
    };
    assert!(eventually(has_all), "{:?}", std::fs::read_to_string(&file));
}

#[test]
fn a_comment_can_be_on_the_other_side_and_escape_leaves_the_box() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let folder = address(&place.build());
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    browser.evaluate("document.querySelectorAll('.about input')[1].click()");
    browser.press("c");
    assert_eq!(browser.evaluate("document.activeElement.id"), "comment-1");
    browser.press("x");
    browser.press("Escape");
    assert_eq!(browser.evaluate("document.activeElement === document.body"), true);
    let kept = "Object.entries(localStorage).filter(([, kept]) => JSON.parse(kept).text === 'x').map(([key]) => JSON.parse(key)[3]).join()";
    assert_eq!(browser.evaluate(kept), "alpha-without_skill-run-2");
    browser.press("v");
    assert_eq!(browser.evaluate("document.querySelector('.show-changes').checked"), true);
    assert_eq!(
        browser.evaluate("document.querySelector('.in-changes.diff').checkVisibility()"),
        true
    );
    let progress = browser.evaluate("document.querySelector('[data-seen]').textContent");
    let progress = progress.as_str().expect("a text");
    let counts = [("seen", "2"), ("all", "6")];
    assert!(words::says(progress, "script.seen_of", &counts), "{progress}");
    browser.press("u");
    browser.wait_for("location.pathname.endsWith('--run-1.html')");
}

#[test]
fn the_page_is_readable_without_scripts() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let folder = address(&place.build());
    browser.let_scripts_run(false);
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    let seen =
        "['.case-head h1', '.side.candidate', '.pane .markdown', '.checks li p', 'a[rel=next]']
        .filter((it) => !document.querySelector(it)?.checkVisibility()).join()";
    assert_eq!(browser.evaluate(seen), "");
    let hidden = "document.querySelector('.writing').checkVisibility()";
    assert_eq!(browser.evaluate(hidden), false, "nothing that would do nothing");
}

#[test]
fn equal_files_are_shown_once_and_panes_are_tabs_on_a_phone() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let folder = address(&place.build());
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    let equal = "document.querySelectorAll('.pane.both').length";
    assert_eq!(browser.evaluate(equal), 1);
    browser.show(390, "light", "screen");
    let sides = "['candidate', 'baseline'].map((side) => document.querySelector(`.pane.${side}`).checkVisibility()).join()";
    assert_eq!(browser.evaluate(sides), "true,false");
    browser.evaluate("document.querySelector('.show-baseline').click()");
    assert_eq!(browser.evaluate(sides), "false,true");
    let width = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
    for window in [390, 768, 1440] {
        browser.show(window, "light", "screen");
        assert_eq!(browser.evaluate(width), true, "nothing is off the screen at {window}");
    }
}

/// A page of the example in a browser of usual width; `None` where there is none.
fn example(page: &str) -> Option<Chromium> {
    let mut browser = Chromium::start_if_found()?;
    let folder = address(&shared_report(&project().join("examples/skill-creator")));
    browser.show(1440, "light", "screen");
    let found = browser.open(&format!("{folder}diffs/{page}"), &folder);
    assert!(found.is_empty(), "{found:?}");
    Some(browser)
}

#[test]
fn the_page_stays_where_it_is_while_a_comment_is_written() {
    let page = "board-slides/iteration-4.old_skill--iteration-4.with_skill.html";
    let Some(mut browser) = example(page) else { return };
    for key in ["c", "a", "b"] {
        browser.press(key);
    }
    let found = "[document.querySelector('#comment').value, window.scrollY].join()";
    assert_eq!(browser.evaluate(found), "ab,0");
}

#[test]
fn pages_of_html_are_rendered_beside_what_changed_in_them() {
    let page = "apac-distributor-brief/iteration-4.old_skill--iteration-4.with_skill.html";
    let Some(mut browser) = example(page) else { return };
    browser.press("v");
    let found = "['.file .diff', '.file .pane.candidate .frame', '.file .pane.baseline .frame']
        .filter((it) => !document.querySelector(it).checkVisibility()).join()";
    assert_eq!(browser.evaluate(found), "");
    let text = "document.querySelector('#f2 .no-changes').checkVisibility()";
    assert_eq!(browser.evaluate(text), false, "what changed in a text says it all");
}

#[test]
fn a_flip_leads_to_the_runs_that_show_it() {
    let report = shared_report(&project().join("examples/skill-creator"));
    let mut links = 0;
    for page in crate::support::files(&report.join("skill")) {
        let html = std::fs::read_to_string(&page).expect("a page");
        for link in html.split("href=\"../diffs/").skip(1) {
            let link = link.split('"').next().expect("an address");
            // The bar leads to the first review page, not to a check.
            let Some((path, anchor)) = link.split_once('#') else { continue };
            let review = std::fs::read_to_string(report.join("diffs").join(path)).expect(path);
            assert!(review.contains(&format!("id=\"{anchor}\"")), "{link}");
            links += 1;
        }
    }
    assert!(links > 3, "{links}");
}

#[test]
fn a_comment_on_the_case_is_shown_once_and_one_on_a_run_beside_its_box() {
    let reviews = json!({ "reviews": [
        { "run_id": "alpha", "feedback": "each slide" },
        { "run_id": "alpha-with_skill-run-2", "feedback": "this run" },
    ] });
    let place = workspace().file("iteration-1/feedback.json", reviews.to_string());
    let report = place.build();
    let page = std::fs::read_to_string(report.join(ALPHA)).expect("the page");
    assert_eq!([page.matches("each slide").count(), page.matches("this run").count()], [1, 1]);
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let folder = address(&report);
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    assert_eq!(browser.evaluate("document.querySelector('#comment').value"), "this run");
}
