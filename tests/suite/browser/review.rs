//! The way of a reviewer: both outputs rendered, a comment by keyboard, on to the next pair until
//! all are seen, then the words in `feedback.json`.
//!
//! Where there is no Chromium, these tests say so and pass.

use serde_json::{Value, json};

use crate::support::chromium::Chromium;
use crate::support::served::Served;
use crate::support::waiting::wait_until;
use crate::support::{Workspace, address, grading, project, read_text, shared_report, words};

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
        browser.wait_for("window.evalbook.commentOn !== undefined");
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
    assert!(wait_until(has_all), "{:?}", std::fs::read_to_string(&file));
}

#[test]
fn a_comment_can_be_on_the_other_side_and_escape_leaves_the_box() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let folder = address(&place.build());
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    browser.evaluate("document.querySelector('.about .baseline input').click()");
    browser.press("c");
    assert_eq!(browser.evaluate("document.activeElement.id"), "comment-1");
    browser.press("x");
    browser.press("Escape");
    assert_eq!(browser.evaluate("document.activeElement === document.body"), true);
    let kept = "Object.entries(localStorage).filter(([, kept]) => JSON.parse(kept).text === 'x').map(([key]) => JSON.parse(key)[3]).join()";
    assert_eq!(browser.evaluate(kept), "alpha-without_skill-run-2");
    browser.press("v");
    assert_eq!(browser.evaluate("document.querySelector('.show-source').checked"), true);
    assert_eq!(browser.evaluate("document.querySelector('.aligned').checkVisibility()"), false);
    let progress = counter(&mut browser);
    let counts = [("seen", "1"), ("all", "3")];
    assert!(words::says(&progress, "script.seen_of", &counts), "{progress}");
    browser.press("u");
    browser.wait_for("location.pathname.endsWith('--run-1.html')");
}

fn counter(browser: &mut Chromium) -> String {
    let text = browser.evaluate("document.querySelector('[data-seen]').textContent");
    text.as_str().expect("a text").to_owned()
}

/// Ten cases with one run on each side; the candidate passes in all.
fn ten_cases() -> Workspace {
    let mut place = Workspace::new();
    for case in 0..10 {
        for (side, passed) in [("with_skill", true), ("without_skill", case % 2 == 0)] {
            let folder = format!("iteration-1/case-{case}/{side}/run-1");
            let checks = grading(&[("it has a date", passed, "see the date")]);
            let note = format!("# Note {case}\n\nWritten with {side}.\n");
            place = place
                .file(&format!("{folder}/grading.json"), checks)
                .file(&format!("{folder}/outputs/note.md"), note);
        }
    }
    place
}

/// Waits until another page than that at `before` is there, with its scripts.
fn wait_for_other(browser: &mut Chromium, before: &str) {
    browser.wait_for(&format!(
        "location.pathname !== {} && document.readyState === 'complete' && window.evalbook !== undefined",
        json!(before)
    ));
}

/// Reviews ten pairs from the overview, comments on three and judges all; the number of keys besides
/// the text.
fn review_ten(browser: &mut Chromium, overview: &str, folder: &str) -> usize {
    browser.open(overview, folder);
    let mut keys = 0;
    let mut press = |browser: &mut Chromium, key: &str| {
        keys += 1;
        browser.press(key);
    };
    let start = address_of(browser);
    press(browser, "r");
    wait_for_other(browser, &start);
    for pair in 0..10 {
        if pair < 3 {
            press(browser, "c");
            browser.press("w");
            browser.press("x");
            press(browser, "Escape");
        }
        let before = address_of(browser);
        press(browser, ["1", "1", "2", "0"][pair % 4]);
        wait_for_other(browser, &before);
    }
    keys
}

#[test]
fn ten_pairs_three_comments_and_ten_judgements_take_twenty_keys() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = ten_cases();
    let folder = address(&place.build());
    let keys = review_ten(&mut browser, &format!("{folder}index.html"), &folder);
    assert!(keys <= 20, "{keys} keys");
    let page = "location.pathname.endsWith('/feedback.html')";
    browser.wait_for(page);
    let exported = "evalbook.judgements.withJudgements(evalbook.feedback.exported(
        document.querySelector('[data-feedback]')), 'iteration-1')";
    // The page from before a reload is complete as well, so it has a mark.
    let loaded = "document.readyState === 'complete' && evalbook.judgements !== undefined \
                  && evalbook.feedback !== undefined && window.isOld === undefined";
    browser.wait_for(loaded);
    let before = browser.evaluate(exported);
    browser.evaluate("window.isOld = true; location.reload()");
    browser.wait_for(loaded);
    assert_eq!(browser.evaluate(exported), before, "nothing is lost by a reload");
    let text = before.as_str().expect("a text");
    let feedback: Value = serde_json::from_str(text).expect("JSON");
    let number = |list: &str| feedback[list].as_array().map_or(0, Vec::len);
    assert_eq!([number("reviews"), number("judgements")], [3, 10]);
    assert_eq!(feedback["judgements"][2]["winner"], "B");
    assert_eq!(feedback["judgements"][0]["mapping"]["A"], "without_skill", "on the left");
    let file = browser.evaluate("evalbook.judgements.file('iteration-1')");
    assert_judge_goes_on_elsewhere(&mut browser, &folder, &file);
    // Both files say the same, and the report counts each judgement once.
    let place = place
        .file("iteration-1/feedback.json", text)
        .file("iteration-1/comparison-human.json", file.as_str().expect("a text"));
    let report: Value = serde_json::from_slice(
        &std::fs::read(place.build().join("report.json")).expect("a report"),
    )
    .expect("JSON");
    let matchup = &report["workspaces"][0]["matchups"][0];
    let found =
        ["comparisons", "by_people", "agreement", "verdicts"].map(|key| matchup[key].clone());
    // The grader prefers a side in every second case.
    assert_eq!(found[..2], [json!(10), json!(true)]);
    assert_eq!(found[3], json!([0, 0, 0]), "names were in sight");
    assert!(found[2][0].as_u64().is_some_and(|pairs| (1..=5).contains(&pairs)), "{matchup}");
}

/// A browser that knows nothing takes the judgements from the exported file, counts their pairs as seen,
/// and exports the same again.
fn assert_judge_goes_on_elsewhere(browser: &mut Chromium, folder: &str, file: &Value) {
    browser.evaluate("localStorage.clear()");
    let take = format!(
        "evalbook.feedback.take(document.querySelector('[data-feedback]'), {})",
        json!(file)
    );
    let taken = browser.evaluate(&take);
    assert!(
        words::says(taken.as_str().unwrap_or_default(), "script.import_judged", &[("count", "10")]),
        "{taken}"
    );
    assert_eq!(browser.evaluate("evalbook.judgements.file('iteration-1')"), *file);
    let feedback = browser.evaluate("location.href");
    browser.open(&format!("{folder}index.html"), folder);
    browser.wait_for("document.querySelector('[data-seen]').textContent.startsWith('10 ')");
    browser.open(feedback.as_str().expect("an address"), folder);
    browser.wait_for("evalbook.feedback !== undefined");
    assert_eq!(browser.evaluate("evalbook.judgements.file('iteration-1')"), *file);
}

#[test]
fn one_side_alone_is_reviewed_by_outputs() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let mut place = Workspace::new();
    for case in ["alpha", "beta"] {
        place = place.file(&format!("iteration-1/{case}/outputs/note.md"), "a note");
    }
    let folder = address(&place.build());
    browser.open(&format!("{folder}index.html"), &folder);
    let start = address_of(&mut browser);
    browser.press("r");
    wait_for_other(&mut browser, &start);
    browser.wait_for("evalbook.markSeen !== undefined");
    let first = address_of(&mut browser);
    // Nothing is to be compared, so no key judges.
    assert_eq!(browser.evaluate("document.querySelector('.judge')"), json!(null));
    browser.evaluate("evalbook.markSeen()");
    browser.wait_for("document.querySelector('[data-seen]').textContent.startsWith('1 ')");
    let progress = counter(&mut browser);
    let counts = [("seen", "1"), ("all", "2")];
    assert!(words::says(&progress, "script.seen_of_outputs", &counts), "{progress}");
    browser.press("u");
    wait_for_other(&mut browser, &first);
}

#[test]
fn blind_pairs_hide_their_sides_until_the_choice_and_export_the_draw() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = ten_cases();
    let folder = address(&place.build());
    browser.open(&format!("{folder}index.html"), &folder);
    browser.evaluate("localStorage.setItem('evalbook blind', 'on')");
    // Draws that are known: every second pair has the baseline on the left.
    browser.before_pages(
        "crypto.getRandomValues = (list) => { list[0] = location.pathname.match(/case-(\\d)/)[1]; return list; };",
    );
    browser.press("r");
    wait_for_other(&mut browser, &format!("{}/index.html", "nowhere"));
    browser.wait_for("evalbook.blind !== undefined");
    for _ in 0..10 {
        let hidden = "['.checks', '.verdict', '.folds', '.earlier', '.choice', '.run-buttons', '.named']
            .flatMap((it) => Array.from(document.querySelectorAll(it))).filter((it) => it.checkVisibility()).length
            + Number(document.title.includes('skill'))";
        assert_eq!(browser.evaluate(hidden), 0);
        let is_drawn = "(() => {
            const place = (side) => document.querySelector(`.pane.${side}`).getBoundingClientRect().left;
            const left = Number(location.pathname.match(/case-([0-9])/)[1]) % 2 === 0 ? 'candidate' : 'baseline';
            return (place('candidate') < place('baseline')) === (left === 'candidate');
        })()";
        assert_eq!(browser.evaluate(is_drawn), true);
        let before = address_of(&mut browser);
        browser.press("1");
        wait_for_other(&mut browser, &before);
    }
    let list = browser.evaluate("JSON.stringify(evalbook.judgements.list('iteration-1'))");
    let list: Vec<Value> = serde_json::from_str(list.as_str().expect("a text")).expect("JSON");
    for judged in &list {
        let case = judged["eval_name"].as_str().expect("a name");
        let is_even = case.ends_with(['0', '2', '4', '6', '8']);
        let left = if is_even { "with_skill" } else { "without_skill" };
        assert_eq!((&judged["winner"], &judged["blind"]), (&json!("A"), &json!(true)));
        assert_eq!(judged["mapping"]["A"], left);
    }
    assert_eq!(list.len(), 10);
    // Undone, the pair is shown with its names, and is not judged blind again.
    let before = address_of(&mut browser);
    browser.open(
        &format!(
            "{folder}{}",
            "diffs/case-0/iteration-1.without_skill--iteration-1.with_skill.html"
        ),
        &folder,
    );
    assert_eq!(browser.evaluate("document.querySelector('.checks').checkVisibility()"), true);
    assert_ne!(address_of(&mut browser), before);
    browser.press("z");
    browser.wait_for("evalbook.judgements.list('iteration-1').length === 9");
    let file = browser.evaluate("evalbook.judgements.file('iteration-1')");
    let place = place.file("iteration-1/comparison-human.json", file.as_str().expect("a text"));
    let report = std::fs::read(place.build().join("report.json")).expect("a report");
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    let matchup = &report["workspaces"][0]["matchups"][0];
    let wins = matchup["verdicts"].as_array().expect("counts");
    assert_eq!(wins.iter().filter_map(Value::as_u64).sum::<u64>(), 9);
    assert!(matchup["p"].is_f64(), "{matchup}");
}

#[test]
fn a_doubted_check_and_selected_words_are_in_the_comment() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = workspace();
    let folder = address(&place.build());
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    browser.press("j");
    browser.press("x");
    browser
        .evaluate("getSelection().selectAllChildren(document.querySelector('.pane.candidate em'))");
    browser.press("q");
    browser.press("y");
    let words = browser.evaluate("document.querySelector('#comment').value");
    let words = words.as_str().expect("a text");
    let lines: Vec<&str> = words.lines().collect();
    assert_eq!(lines, ["> word", "y"]);
    let kept = "JSON.stringify(evalbook.doubts.all('iteration-1').map(({ run, check, is }) => [run, check, is]))";
    assert_eq!(browser.evaluate(kept), r#"[["alpha-with_skill-run-2","it has a date",true]]"#);
    let exported = "evalbook.feedbackFile.withListed('{\"reviews\":[{\"run_id\":\"b\",\"feedback\":\"x\"}]}', 'disputed',
        evalbook.doubts.all('iteration-1'))";
    let exported = browser.evaluate(exported);
    let file: Value = serde_json::from_str(exported.as_str().expect("a text")).expect("JSON");
    assert_eq!(file["reviews"][0], json!({ "run_id": "b", "feedback": "x" }));
    assert_eq!(file["reviews"][1]["disputed"], json!(["it has a date"]));
    // A second time takes it back.
    browser.press("Escape");
    browser.press("x");
    assert_eq!(browser.evaluate("document.querySelector('#comment').value"), "> word\ny");
    assert_eq!(browser.evaluate(kept), "[]");
    // Taken over from a file, it is at its check again.
    browser.open(&format!("{folder}feedback.html"), &folder);
    browser.wait_for("evalbook.feedback?.take !== undefined");
    let file = file.to_string();
    let take = format!(
        "evalbook.feedback.take(document.querySelector('[data-feedback]'), {})",
        json!(file)
    );
    let taken = browser.evaluate(&take);
    assert!(
        words::says(taken.as_str().unwrap_or_default(), "script.import_wrong", &[("count", "1")]),
        "{taken}"
    );
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    let pressed = "document.querySelectorAll('.checks li > [aria-pressed=true]').length";
    browser.wait_for(&format!("{pressed} === 1"));
    assert_eq!(browser.evaluate(kept), r#"[["alpha-with_skill-run-2","it has a date",true]]"#);
    // By mouse it takes one click, and each check has its button.
    browser.evaluate("document.querySelector('.checks li > [aria-pressed=true]').click()");
    assert_eq!(browser.evaluate(pressed), 0);
    assert_eq!(browser.evaluate(kept), "[]");
    let without = "Array.from(document.querySelectorAll('.checks li'))
        .filter((it) => it.querySelector('.wrong-button') === null).length";
    assert_eq!(browser.evaluate(without), 0);
}

#[test]
fn changes_are_marked_in_what_is_rendered_and_keys_walk_through_them() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = Workspace::new()
        .file("iteration-1/a/without_skill/outputs/t.csv", "action,owner\nsend,Petra\nask,Ilse\n")
        .file("iteration-1/a/without_skill/outputs/b.md", "# T\n\nOne two.\n\nSame.\n\nGone.\n")
        .file(
            "iteration-1/a/with_skill/outputs/t.csv",
            "action,owner\nsend,nobody\nask,Ilse\nend,Ilse\n",
        )
        .file("iteration-1/a/with_skill/outputs/c.md", "# T\n\nOne three.\n\nSame.\n");
    let folder = address(&place.build());
    browser.show(1440, "light", "screen");
    browser.open(
        &format!("{folder}diffs/a/iteration-1.without_skill--iteration-1.with_skill.html"),
        &folder,
    );
    let marks = "(() => {
        const words = (name) => Array.from(document.querySelectorAll(`.aligned ${name}`)).map((it) => it.textContent);
        const left = (side) => document.querySelector(`.aligned .${side}`).getBoundingClientRect().left;
        const top = (side) => Array.from(document.querySelectorAll(`.aligned .${side} p`))
            .find((it) => it.textContent === 'Same.').getBoundingClientRect().top;
        return JSON.stringify([words('del'), words('ins'), left('baseline') < left('candidate'),
            top('baseline') === top('candidate')]);
    })()";
    let found: Value =
        serde_json::from_str(browser.evaluate(marks).as_str().expect("a text")).expect("JSON");
    let expected =
        json!([["two", "Gone.", "Petra"], ["three", "nobody", "end", "Ilse"], true, true]);
    assert_eq!(sorted(&found), sorted(&expected));
    let at = "document.querySelector('.aligned .at').textContent.trim()";
    let mut seen = Vec::new();
    for _ in 0..4 {
        browser.press("]");
        seen.push(browser.evaluate(at));
    }
    seen.sort_by_key(ToString::to_string);
    seen.dedup();
    assert_eq!(seen.len(), 4, "{seen:?}");
    browser.press("[");
    browser.evaluate("document.querySelector('.show-marks').click()");
    let line = "getComputedStyle(document.querySelector('.aligned del')).textDecorationLine";
    assert_eq!(browser.evaluate(line), "none");
}

/// The lists of words in the order of the alphabet, since files may come in any.
fn sorted(found: &Value) -> Value {
    let mut found = found.clone();
    for list in found.as_array_mut().into_iter().flatten().filter_map(Value::as_array_mut) {
        list.sort_by_key(ToString::to_string);
    }
    found
}

#[test]
fn a_review_resumes_at_the_next_pair_and_looking_takes_three_seconds() {
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let place = ten_cases();
    let folder = address(&place.build());
    // Time passes at once where a page asks for three seconds.
    browser.before_pages(
        "const wait = setTimeout; setTimeout = (work, time) => wait(work, time === 3000 ? window.shown ?? 1e6 : time);",
    );
    browser.open(&format!("{folder}index.html"), &folder);
    let start = address_of(&mut browser);
    browser.press("r");
    wait_for_other(&mut browser, &start);
    let first = address_of(&mut browser);
    browser.wait_for("document.querySelector('[data-seen]').textContent.includes('0')");
    let progress = counter(&mut browser);
    assert!(
        words::says(&progress, "script.seen_of", &[("seen", "0"), ("all", "10")]),
        "{progress}"
    );
    browser.press("ArrowRight");
    wait_for_other(&mut browser, &first);
    browser.press("ArrowLeft");
    browser.wait_for(&format!(
        "location.pathname === {} && window.evalbook?.markSeen !== undefined",
        json!(first)
    ));
    browser.evaluate("window.shown = 0; document.dispatchEvent(new Event('visibilitychange'))");
    browser.wait_for("document.querySelector('[data-seen]').textContent.includes('1')");
    browser.open(&format!("{folder}index.html"), &folder);
    browser.press("r");
    wait_for_other(&mut browser, &start);
    browser.wait_for(&format!(
        "location.pathname.includes('diffs') && location.pathname !== {}",
        json!(first)
    ));
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
fn pages_of_html_are_rendered_above_what_changed_in_their_text() {
    let page = "apac-distributor-brief/iteration-4.old_skill--iteration-4.with_skill.html";
    let Some(mut browser) = example(page) else { return };
    let found =
        "['.file .aligned ins', '.file .pane.candidate .frame', '.file .pane.baseline .frame']
        .filter((it) => !document.querySelector(it).checkVisibility()).join()";
    assert_eq!(browser.evaluate(found), "");
}

#[test]
fn a_quotation_in_a_page_of_html_leads_to_its_mark_in_the_frame() {
    let page = "apac-distributor-brief/iteration-4.old_skill--iteration-4.with_skill.html";
    let Some(mut browser) = example(page) else { return };
    let href = browser.evaluate(
        "(() => { const link = document.querySelector('.where a[target]');
            link.closest('details')?.setAttribute('open', ''); link.click(); return link.href; })()",
    );
    let href = href.as_str().expect("a link into a frame").to_owned();
    let (_, anchor) = href.split_once('#').expect("a mark");
    let frames =
        "document.getElementsByName(document.querySelector('.where a[target]').target).length";
    assert_eq!(browser.evaluate(frames), 1);
    // The frame is sandboxed, so its file is looked at instead.
    let file = href.split_once("/files/").expect("a copy").1;
    let file = file.split('#').next().expect("a name");
    let report = shared_report(&project().join("examples/skill-creator"));
    let copy = read_text(report.join("files").join(file));
    assert_eq!(copy.matches(&format!("id=\"{anchor}\"")).count(), 1);
}

#[test]
fn a_flip_leads_to_the_runs_that_show_it() {
    let report = shared_report(&project().join("examples/skill-creator"));
    let mut links = 0;
    for page in crate::support::files(&report.join("skill")) {
        let html = read_text(&page);
        for link in html.split("href=\"../diffs/").skip(1) {
            let link = link.split('"').next().expect("an address");
            // The bar leads to the first review page, not to a check.
            let Some((path, anchor)) = link.split_once('#') else { continue };
            let review = read_text(report.join("diffs").join(path));
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
    let page = read_text(report.join(ALPHA));
    assert_eq!([page.matches("each slide").count(), page.matches("this run").count()], [1, 1]);
    let Some(mut browser) = Chromium::start_if_found() else { return };
    let folder = address(&report);
    browser.open(&format!("{folder}{ALPHA}"), &folder);
    assert_eq!(browser.evaluate("document.querySelector('#comment').value"), "this run");
}
