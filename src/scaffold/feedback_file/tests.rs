use super::{CheckMark, Comment, FeedbackError, mark_complete, save_comment, save_mark};
use input::discover::{Document, FileLevels, Kind};
use input::files::Memory;
use input::model::{Feedback, ReviewState};
use testing::table::rows;
use workspace::read;

/// The time of every review.
const TIME: &str = "2026-01-02T03:04:05Z";

/// The text as the reader reads it.
fn read_back(text: &str) -> Feedback {
    let path = "feedback.json".to_owned();
    let document = Document {
        path: path.clone(),
        kind: Kind::Feedback,
        place: FileLevels::default(),
        bytes: text.len() as u64,
    };
    let source = Memory::new([(path, text)]);
    let record = read::records(&[document], &source, "").pop().expect("a record");
    assert!(record.problems.is_empty(), "{text}: {:?}", record.problems);
    record.feedback.unwrap_or_else(|| panic!("no feedback: {text}"))
}

fn say(
    text: Option<&str>,
    names: &[&str],
    before: &str,
    words: &str,
) -> Result<String, FeedbackError> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let given = Comment { names: &names, folds: true, before, words, time: TIME };
    save_comment(text, &given, &|text| text.replace("/home/ann", "~"))
}

#[test]
fn names_that_differ_in_spelling_alone_stay_apart() {
    let text = r#"{"foo-bar": "a", "Foo-Bar": "b"}"#;
    let say = |name: &str, before, folds| {
        let names = [name.to_owned()];
        let given = Comment { names: &names, folds, before, words: "new", time: TIME };
        save_comment(Some(text), &given, &str::to_owned)
    };
    let made = say("foo-bar", "a", true);
    assert_eq!(made.as_deref(), Ok(r#"{"foo-bar": "new", "Foo-Bar": "b"}"#));
    let made = say("foo_bar", "", false);
    assert_eq!(made.as_deref(), Ok(r#"{"foo-bar": "a", "Foo-Bar": "b", "foo_bar": "new"}"#));
    let other = Err(FeedbackError::Other("b".to_owned()));
    assert_eq!(say("foo_bar", "", true), other, "the only run of that name");
}

#[test]
fn a_file_begins_in_the_shape_of_the_skill_creator() {
    for text in [None, Some("{}"), Some(" { }\n")] {
        let made = say(text, &["a-with_skill-run-1"], "", "too \"long\"").expect("written");
        let expected = "{\n  \"reviews\": [\n    {\n      \"run_id\": \"a-with_skill-run-1\",\n      \
            \"feedback\": \"too \\\"long\\\"\",\n      \"timestamp\": \"2026-01-02T03:04:05Z\"\n    }\n  ],\n  \
            \"status\": \"in_progress\"\n}\n";
        assert_eq!(made, expected);
    }
    assert_eq!(
        mark_complete(None).expect("written"),
        "{\n  \"reviews\": [],\n  \"status\": \"complete\"\n}\n"
    );
}

#[test]
fn every_shape_is_kept() {
    let table = r#"
        -- Changed in place, keeping its spellings and everything else.
        { "mine": [1.50], "reviews": [ {"run_id": "b", "feedback": "x", "n": 1}, {"run_id":"A/run-1","feedback":"old","timestamp":"t"} ], "status": "complete" } => { "mine": [1.50], "reviews": [ {"run_id": "b", "feedback": "x", "n": 1}, {"run_id":"A/run-1","feedback":"new","timestamp":"2026-01-02T03:04:05Z"} ], "status": "in_progress" }
        [{"Eval":"a-run-1","Comment":"old"}] => [{"Eval":"a-run-1","Comment":"new"}]
        {"a-run-1": "old", "b": "x"} => {"a-run-1": "new", "b": "x"}
        {"feedback": {"a-run-1": {"text": "old", "date": 5}}} => {"feedback": {"a-run-1": {"text": "new", "date": "2026-01-02T03:04:05Z"}}, "status": "in_progress"}
        {"reviews": [{"run_id": "a-run-1", "feedback": ["old"]}]} => {"reviews": [{"run_id": "a-run-1", "feedback": "new"}], "status": "in_progress"}
    "#;
    let marked = "\u{feff}{\"a-run-1\": \"old\"}\r\n";
    let marked = [marked.to_owned(), marked.replace("old", "new")];
    for [before, after] in rows(table).into_iter().chain([marked]) {
        let made = say(Some(&before), &["a-run-1"], "old", "new").expect(&before);
        assert_eq!(made, after);
        let read = read_back(made.trim_start_matches('\u{feff}'));
        assert!(read.reviews.iter().any(|review| review.text == "new"), "{made}");
    }
}

#[test]
fn a_new_review_is_like_those_before_it() {
    let table = r#"
        {⏎␉"reviews": [⏎␉␉{⏎␉␉␉"case": "b", "comment": "x"⏎␉␉}⏎␉]⏎}⏎ => {⏎␉"reviews": [⏎␉␉{⏎␉␉␉"case": "b", "comment": "x"⏎␉␉},⏎␉␉{⏎␉␉  "case": "a-run-1",⏎␉␉  "comment": "new"⏎␉␉}⏎␉],⏎␉"status": "in_progress"⏎}⏎
        ["b is fine"] => ["b is fine", { "run_id": "a-run-1", "feedback": "new", "timestamp": "2026-01-02T03:04:05Z" }]
        {⏎  "b": "x"⏎}⏎ => {⏎  "b": "x",⏎  "a-run-1": "new"⏎}⏎
        {"b": {"notes": "x"}} => {"b": {"notes": "x"}, "a-run-1": { "notes": "new" }}
        {"status": "done", "reviews": null} => {"status": "in_progress", "reviews": [⏎    {⏎      "run_id": "a-run-1",⏎      "feedback": "new",⏎      "timestamp": "2026-01-02T03:04:05Z"⏎    }⏎  ]}
    "#;
    for [before, after] in rows(table) {
        assert_eq!(say(Some(&before), &["a-run-1"], "", "new").as_ref(), Ok(&after));
        assert!(read_back(&after).reviews.iter().any(|review| review.text == "new"), "{after}");
    }
    let empty = say(Some("{\"reviews\": []}"), &["a"], "", "new").expect("written");
    assert_eq!(read_back(&empty).reviews[0].text, "new");
    assert_eq!(read_back(&empty).state, ReviewState::InProgress);
}

#[test]
fn unseen_changes_of_others_are_not_replaced() {
    let text = r#"{"a-run-1": "theirs"}"#;
    let other = Err(FeedbackError::Other("theirs".to_owned()));
    assert_eq!(say(Some(text), &["a-run-1"], "mine", "more of mine"), other);
    assert_eq!(say(Some(text), &["a-run-1"], "mine", "theirs").as_deref(), Ok(text));
    assert!(say(Some(text), &["a-run-1"], " theirs\r\n", "both").is_ok(), "as a page shows it");
    assert!(say(Some(r#"{"a": "x\u0007y"}"#), &["a"], "x\u{fffd}y", "z").is_ok());
}

#[test]
fn words_are_compared_as_shown_on_the_page() {
    let text = r#"{"a-run-1": "see /home/ann/x"}"#;
    let say = |before, words| say(Some(text), &["a-run-1"], before, words);
    assert_eq!(say("see ~/x", "see ~/x too").as_deref(), Ok(r#"{"a-run-1": "see ~/x too"}"#));
    assert_eq!(say("see ~/x", "see ~/x").as_deref(), Ok(text), "nothing was changed");
    assert_eq!(say("mine", "other"), Err(FeedbackError::Other("see ~/x".to_owned())));
}

#[test]
fn words_can_be_taken_back() {
    let text = r#"{"reviews": [{"run_id": "a", "feedback": "old"}]}"#;
    let made = say(Some(text), &["a"], "old", "").expect("written");
    let read = read_back(&made);
    assert_eq!((read.reviews.len(), read.blank), (0, 1));
}

#[test]
fn a_review_is_completed_where_there_is_a_place_for_it() {
    let done = |text| mark_complete(Some(text));
    let text = "{\"reviews\": [], \"status\": \"in_progress\"}";
    assert_eq!(done(text).expect("written"), text.replace("in_progress", "complete"));
    assert_eq!(
        done("{\"state\": \"done\", \"a\": \"x\"}").as_deref(),
        Ok("{\"state\": \"done\", \"a\": \"x\"}")
    );
    assert_eq!(done("{\"a\": \"x\"}"), Err(FeedbackError::NoState));
    assert_eq!(done("[{\"run_id\": \"a\"}]"), Err(FeedbackError::NoState));
    assert_eq!(
        read_back(
            &done("{\"reviews\": [{\"run_id\": \"a\", \"feedback\": \"x\"}]}").expect("written")
        )
        .state,
        ReviewState::Complete
    );
}

#[test]
fn unreadable_files_are_refused() {
    for text in ["", "{", "{\"a\": \"x\",}", "{\"a\": \"x\", \"a\": \"y\"}", "{} {}"] {
        assert_eq!(say(Some(text), &["a"], "", "new"), Err(FeedbackError::NotJson), "{text}");
    }
    for text in ["5", "\"a\"", "{\"reviews\": 5}"] {
        assert_eq!(say(Some(text), &["a"], "", "new"), Err(FeedbackError::Shape), "{text}");
    }
}

#[test]
fn an_answer_is_in_the_review_of_its_run_once() {
    let answer = |text: Option<&str>, check: &str, outcome: Option<&str>| {
        let names = ["a-run-1".to_owned()];
        let comment = Comment { names: &names, folds: true, before: "", words: "", time: TIME };
        save_mark(text, &comment, CheckMark::Judged { check, outcome }).expect("a text")
    };
    let judged = |text: &str| {
        let mut found = Vec::new();
        for review in read_back(text).reviews {
            for judged in review.judged {
                found.push((review.run_id.clone(), judged.check, judged.outcome.word()));
            }
        }
        found
    };
    let of = |check: &str, word| ("a-run-1".to_owned(), check.to_owned(), word);
    for text in [
        None,
        Some(r#"{"reviews": [{"run_id": "a-run-1", "feedback": "w", "disputed": ["z"]}]}"#),
        Some(r#"{"a-run-1": "w"}"#),
        Some("[]"),
    ] {
        let one = answer(text, "x", Some("failed"));
        assert_eq!(judged(&one), [of("x", "failed")], "{one}");
        let two = answer(Some(&one), "y", Some("unknown"));
        assert_eq!(judged(&two), [of("x", "failed"), of("y", "ungraded")], "{two}");
        let again = answer(Some(&two), "x", Some("passed"));
        assert_eq!(judged(&again), [of("y", "ungraded"), of("x", "passed")]);
        assert_eq!(judged(&answer(Some(&again), "x", None)), [of("y", "ungraded")]);
        assert_eq!(two.contains("\"z\""), text.is_some_and(|text| text.contains("\"z\"")));
    }
}

#[test]
fn a_dispute_is_in_the_review_of_its_run_and_changes_nothing_else() {
    let dispute = |text: Option<&str>, check: &str, is_disputed: bool| {
        let names = ["a-run-1".to_owned()];
        let comment = Comment { names: &names, folds: true, before: "", words: "", time: TIME };
        save_mark(text, &comment, CheckMark::Disputed { check, is: is_disputed }).expect("a text")
    };
    let disputed = |text: &str| {
        let reviews = read_back(text).reviews;
        let found: Vec<(String, String, Vec<String>)> =
            reviews.into_iter().map(|one| (one.run_id, one.text, one.disputed)).collect();
        found
    };
    let of = |words: &str, checks: &[&str]| {
        let checks = checks.iter().map(|check| (*check).to_owned()).collect::<Vec<_>>();
        vec![("a-run-1".to_owned(), words.to_owned(), checks)]
    };
    let alone = dispute(None, "x", true);
    assert_eq!(disputed(&alone), of("", &["x"]));
    let two = dispute(Some(&alone), "y", true);
    assert_eq!(disputed(&two), of("", &["x", "y"]));
    assert_eq!(disputed(&dispute(Some(&two), "x", false)), of("", &["y"]));
    assert_eq!(dispute(Some(&two), "x", true).matches("\"x\"").count(), 1);
    // In every shape of the file, with the words that it has.
    for text in [
        r#"{"reviews": [{"run_id": "a-run-1", "feedback": "w", "extra": 1.50}]}"#,
        r#"{"a-run-1": "w"}"#,
        r#"[{"run_id": "a-run-1", "feedback": "w"}]"#,
    ] {
        let made = dispute(Some(text), "x", true);
        assert_eq!(disputed(&made), of("w", &["x"]), "{made}");
        assert_eq!(made.contains("1.50"), text.contains("1.50"));
        assert!(!dispute(Some(text), "x", false).contains("\"x\""));
    }
    for text in [r#"{"reviews": []}"#, r#"{"reviews": null}"#, r#"{"skill": "s"}"#, "{}", "[]"] {
        assert_eq!(disputed(&dispute(Some(text), "x", true)), of("", &["x"]), "{text}");
        assert_eq!(dispute(Some("[]"), "x", false), "[]");
    }
}
