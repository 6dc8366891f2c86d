//! `evalbook serve`: what becomes of the comments and judgements that pages hand in.

use std::path::PathBuf;

use crate::support::served::Served;
use crate::support::waiting::wait_until;
use crate::support::{Workspace, grading, read_text};
use serde_json::{Value, json};

/// The page of the one run of the good case.
pub(super) const PAGE: &str = "iterations/iteration-1/good-case/with_skill-1.html";

/// The name of that run in a file of feedback.
pub(super) const RUN: &str = "good-case-with_skill-run-1";

pub(super) fn feedback(place: &Workspace) -> PathBuf {
    place.path().join("iteration-1/feedback.json")
}

pub(super) fn text(place: &Workspace) -> String {
    read_text(feedback(place))
}

pub(super) fn reviews(place: &Workspace) -> Value {
    serde_json::from_str::<Value>(&text(place)).expect("JSON")["reviews"].clone()
}

#[test]
fn comments_are_saved_in_the_shape_of_the_file() {
    let table = [
        (
            None,
            json!({ "reviews": [{ "run_id": RUN, "feedback": "too long", "timestamp": "2026-01-02T03:04:05Z" }], "status": "in_progress" }),
        ),
        (
            Some(
                json!({ "x": [1], "reviews": [{ "run_id": "other", "feedback": "a" }, { "run_id": RUN, "feedback": "" }], "status": "complete" }),
            ),
            json!({ "x": [1], "reviews": [{ "run_id": "other", "feedback": "a" }, { "run_id": RUN, "feedback": "too long" }], "status": "in_progress" }),
        ),
        (Some(json!({ "good-case": "fine" })), json!({ "good-case": "fine", RUN: "too long" })),
        (
            Some(json!([{ "case": "b", "notes": "x" }])),
            json!([{ "case": "b", "notes": "x" }, { "case": RUN, "notes": "too long" }]),
        ),
        (
            Some(json!({ "reviews": { "GOOD_CASE/with_skill/run-1": { "text": "" } } })),
            json!({ "reviews": { "GOOD_CASE/with_skill/run-1": { "text": "too long" } }, "status": "in_progress" }),
        ),
    ];
    for (before, after) in table {
        let place = Workspace::good();
        let place = match &before {
            Some(before) => place.file("iteration-1/feedback.json", before.to_string()),
            None => place,
        };
        let served = Served::start(&place.path(), &[]);
        let version = served.version(PAGE);
        let mut news = served.news(PAGE, &version);
        let answer = served.say(PAGE, "", "too long");
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json(), json!({ "saved": true, "file": "iteration-1/feedback.json" }));
        assert_eq!(serde_json::from_str::<Value>(&text(&place)).expect("JSON"), after);
        assert!(news.any(|line| line == "event: changed"));
        assert!(served.get(PAGE).body.contains("<p class=\"prose\">too long</p>"), "{after}");
    }
}

#[test]
fn a_review_is_completed_and_begun_again() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let state = || serde_json::from_str::<Value>(&text(&place)).expect("JSON")["status"].clone();
    let complete = json!({ "place": "feedback.html#f-iteration-1", "state": "complete" });
    assert_eq!(served.post(&complete).status, 200);
    assert_eq!(state(), "complete");
    assert_eq!(served.say(PAGE, "", "one more thing").status, 200);
    assert_eq!(state(), "in_progress");
    std::fs::write(feedback(&place), "{\"a\": \"x\"}").expect("written");
    let answer = served.post(&complete);
    assert_eq!((answer.status, answer.json()["error"].clone()), (422, json!("no_state")));
}

#[test]
fn judgements_are_saved_in_a_file_of_their_own() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let post = |winner: Value| {
        let judgement = json!({
            "eval_name": "alpha", "winner": winner, "blind": true, "timestamp": "2026-01-02T03:04:05Z",
            "mapping": { "A": "with_skill", "B": "without_skill" },
            "runs": { "A": "iteration-1/alpha/with_skill", "B": "iteration-1/alpha/without_skill" },
        });
        served.post(&json!({ "place": PAGE, "judgement": judgement }))
    };
    let file = place.path().join("iteration-1/comparison-human.json");
    let pairs = || -> Value {
        let text = read_text(&file);
        serde_json::from_str::<Value>(&text).expect("JSON")["pairs"].clone()
    };
    for (winner, number) in [(json!("A"), 1), (json!("B"), 1), (Value::Null, 0)] {
        assert_eq!(post(winner).status, 200);
        assert_eq!(pairs().as_array().map(Vec::len), Some(number));
    }
    // What another judge wrote under that name stays.
    let other = r#"{"judge": "opus", "winner": "A"}"#;
    std::fs::write(&file, other).expect("written");
    let answer = post(json!("A"));
    assert_eq!(
        (
            answer.status,
            serde_json::from_str::<Value>(&answer.body).expect("JSON")["error"].as_str()
        ),
        (422, Some("foreign"))
    );
    assert_eq!(read_text(&file), other);
}

#[test]
fn words_of_others_are_never_lost() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    assert_eq!(served.say(PAGE, "", "mine").status, 200);
    std::fs::write(feedback(&place), text(&place).replace("mine", "theirs")).expect("written");
    let answer = served.say(PAGE, "mine", "mine, longer");
    assert_eq!((answer.status, answer.json()["text"].clone()), (409, json!("theirs")));
    assert_eq!(reviews(&place)[0]["feedback"], "theirs");
    assert_eq!(served.say(PAGE, "theirs", "both").status, 200);
    assert_eq!(reviews(&place)[0]["feedback"], "both");
    for broken in ["{\"reviews\": [", "", "\u{1}\u{2}", "{\"a\": \"x\", \"a\": \"y\"}"] {
        std::fs::write(feedback(&place), broken).expect("written");
        let answer = served.say(PAGE, "both", "new");
        assert_eq!((answer.status, answer.json()["error"].clone()), (422, json!("unreadable")));
        assert_eq!(text(&place), broken, "not overwritten");
    }
    std::fs::remove_dir_all(place.path().join("iteration-1")).expect("removed");
    assert_eq!(served.say(PAGE, "both", "new").json()["error"], "gone");
    assert!(!place.path().join("iteration-1").exists(), "nothing is made anew");
}

#[cfg(unix)]
#[test]
fn words_that_the_guard_changed_are_edited_like_others() {
    let secret = ["ghp_", "k7Q2mZx9Rb4Ft8Wn3Lc6Hv1Yp5Jd0SgTaUeX"].concat();
    let words = format!("see /home/ann/x.txt key {secret}");
    let written = json!({ "reviews": [{ "run_id": RUN, "feedback": words }] }).to_string();
    let place = Workspace::good().file("iteration-1/feedback.json", written);
    let served = Served::start(&place.path(), &[]);
    let conflict = served.say(PAGE, "mine", "other");
    assert_eq!(conflict.status, 409, "{}", conflict.body);
    assert!(!conflict.body.contains("ghp_") && !conflict.body.contains("/home/ann"));
    let answer: Value = serde_json::from_str(&conflict.body).expect("JSON");
    let shown = answer["text"].as_str().expect("a text").to_owned();
    assert!(shown.starts_with("see ~/x.txt key [redacted"), "{shown}");
    assert!(served.get(PAGE).body.contains("see ~/x.txt key [redacted"));
    assert_eq!(served.say(PAGE, &shown, &shown).status, 200);
    assert!(text(&place).contains(&secret), "what was not edited stays");
    assert_eq!(served.say(PAGE, &shown, &format!("{shown} now")).status, 200);
    assert_eq!(reviews(&place)[0]["feedback"], format!("{shown} now"));
}

#[test]
fn a_link_is_never_written_through() {
    let place = Workspace::good();
    let served = Served::start(&place.path(), &[]);
    let outside = place.elsewhere().join("outside.json");
    std::fs::write(&outside, "{}").expect("written");
    std::os::unix::fs::symlink(&outside, feedback(&place)).expect("a link");
    let answer = served.say(PAGE, "", "new");
    assert_eq!((answer.status, answer.json()["error"].clone()), (500, json!("refused")));
    assert_eq!(read_text(&outside), "{}");
    assert!(feedback(&place).is_symlink());
}

/// A workspace of so many cases, each with one run.
fn many(cases: usize) -> Workspace {
    (0..cases).fold(Workspace::new(), |place, at| {
        let path = format!("iteration-1/case-{at}/with_skill/run-1/grading.json");
        place.file(&path, grading(&[("it works", true, "seen")]))
    })
}

#[test]
fn two_servers_at_once_lose_nothing() {
    let place = many(24);
    let servers = [Served::start(&place.path(), &[]), Served::start(&place.path(), &[])];
    std::thread::scope(|scope| {
        for (index, served) in servers.iter().enumerate() {
            for part in 0..2 {
                scope.spawn(move || {
                    for case in (0..24).filter(|case| case % 4 == index * 2 + part) {
                        let page = format!("iterations/iteration-1/case-{case}/with_skill-1.html");
                        let answer = served.say(&page, "", &format!("on {case}"));
                        assert_eq!(answer.status, 200, "{answer:?}");
                    }
                });
            }
        }
    });
    let reviews = reviews(&place);
    let mut printed: Vec<&str> = reviews
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|it| it["feedback"].as_str())
        .collect();
    printed.sort_unstable();
    let mut expected: Vec<String> = (0..24).map(|case| format!("on {case}")).collect();
    expected.sort_unstable();
    assert_eq!(printed, expected);
}

#[test]
fn runs_that_differ_in_spelling_alone_have_comments_of_their_own() {
    let cases = ["foo-bar", "foo_bar", "Foo-Bar"];
    let place = cases.iter().fold(Workspace::new(), |place, case| {
        let path = format!("iteration-1/{case}/with_skill/run-1/grading.json");
        place.file(&path, grading(&[("it works", true, "seen")]))
    });
    let served = Served::start(&place.path(), &[]);
    let list = served.get("feedback.html").body;
    let pages: Vec<&str> = list
        .split("href=\"")
        .filter_map(|rest| rest.split('"').next())
        .filter(|href| href.ends_with("/with_skill-1.html"))
        .collect();
    assert_eq!(pages.len(), 3, "{list}");
    let printed = |page: &str| {
        let body = served.get(page).body;
        let run = body.split("data-review=\"").nth(1).and_then(|rest| rest.split('"').next());
        format!("on {}", run.expect("a run"))
    };
    for page in &pages {
        assert_eq!(served.say(page, "", &printed(page)).status, 200, "{page}");
        assert_eq!(served.say(page, &printed(page), &printed(page)).status, 200, "{page}");
    }
    let reviews = reviews(&place);
    let reviews = reviews.as_array().expect("a list");
    assert_eq!(reviews.len(), 3, "{reviews:?}");
    for review in reviews {
        let run = review["run_id"].as_str().expect("a name");
        assert_eq!(review["feedback"], format!("on {run}"));
    }
    let last = pages.last().expect("a page");
    let shown = format!("<p class=\"prose\">{}</p>", printed(last));
    assert!(wait_until(|| served.get(last).body.contains(&shown)));
    for page in &pages {
        let body = served.get(page).body;
        assert_eq!(body.matches("<p class=\"prose\">on ").count(), 1, "{page}");
        assert!(body.contains(&format!("<p class=\"prose\">{}</p>", printed(page))), "{page}");
    }
}
