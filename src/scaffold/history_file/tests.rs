use super::*;

fn recorded(number: u32) -> RecordedVersion {
    RecordedVersion {
        timestamp: Some("2026-01-02T03:04:05Z".to_owned()),
        description: "a \"new\" one".to_owned(),
        ..RecordedVersion::new(number)
    }
}

fn with(text: &str) -> String {
    let file = HistoryFile::read(text.as_bytes()).expect("a history");
    file.with(&recorded(file.next_number(&[])), &|name| (name == "v0").then_some(2.5))
}

fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_history_begins_at_zero() {
    let text = with("");
    let history = value(&text);
    assert_eq!(history["versions"][0]["version"], 0);
    assert_eq!(history["versions"][0]["path"], "v0/skill");
    assert_eq!(history["versions"][0]["git_hash"], serde_json::Value::Null);
    assert_eq!(history["current_version"], 0);
    let again = value(&with(&text));
    assert_eq!(again["versions"][1]["version"], 1);
    assert_eq!(again["versions"][0]["average_score"], 2.5);
    assert_eq!(again["current_version"], 1);
    let begun = value(&with(&empty_history()));
    assert_eq!(begun["versions"][0]["version"], 0);
}

#[test]
fn existing_text_keeps_its_bytes() {
    let text = "{ \"z\": 1.50, \"versions\": [ {\"version\": 3, \"mine\": [1e2]} ],\n\"a\": {} }";
    let changed = with(text);
    let kept = ["{ \"z\": 1.50, \"versions\": [ {\"version\": 3, \"mine\": [1e2]}", "\"a\": {}"];
    assert!(kept.iter().all(|part| changed.contains(part)), "{changed}");
    assert_eq!(value(&changed)["versions"][1]["version"], 4);
    assert_eq!(value(&changed)["current_version"], 4);
}

#[test]
fn versions_are_named_as_the_history_names_them() {
    let text = "{\"current_best\": \"v4\", \"iterations\": [{\"version\": \"v4\"}]}";
    let changed = value(&with(text));
    assert_eq!(changed["iterations"][1]["version"], "v5");
    assert_eq!(changed["current_version"], "v5");
    assert_eq!(changed["current_best"], "v4");
    let list = value(&with("[{\"version\": 1, \"average_score\": 3.0}]"));
    assert_eq!(list[1]["version"], 2);
    let other = value(&with("{\"skill_name\": \"x\"}"));
    assert_eq!(other["versions"][0]["version"], 0);
    assert_eq!(value(&with("{}"))["current_version"], 0);
    assert_eq!(value(&with("[]"))[0]["version"], 0);
}

#[test]
fn a_list_begins_in_the_place_of_a_null() {
    for text in
        ["{\"versions\": null, \"owner\": \"me\"}", "{\"owner\": \"me\", \"Versions\": null}"]
    {
        let once = with(text);
        assert!(HistoryFile::read(once.as_bytes()).is_ok(), "{once}");
        let history = value(&with(&once));
        let versions = history.get("versions").or(history.get("Versions")).expect("versions");
        assert_eq!(versions.as_array().map(Vec::len), Some(2), "{history}");
        assert_eq!((&history["owner"], &history["current_version"]), (&"me".into(), &1.into()));
    }
    let rounds = value(&with("{\"iterations\": 5}"));
    assert_eq!((&rounds["iterations"], &rounds["versions"][0]["version"]), (&5.into(), &0.into()));
}

#[test]
fn a_byte_order_mark_stays_and_a_blank_file_begins() {
    for text in ["\n\n", "\u{feff}", "\u{feff}{}", "\u{feff}{\"versions\": []}\n"] {
        let made = with(text);
        assert_eq!(made.starts_with('\u{feff}'), text.starts_with('\u{feff}'), "{made}");
        let history = value(made.trim_start_matches('\u{feff}'));
        assert_eq!(history["versions"][0]["version"], 0, "{text}");
    }
}

#[test]
fn text_that_cannot_be_kept_is_refused_with_its_place() {
    let triggers =
        "[{\"description\": \"d\", \"results\": [{\"query\": \"q\", \"should_trigger\": true}]}]";
    let table = [
        ("{", "1:2: it is not plain JSON: the file ends with 1 bracket still open"),
        ("\u{feff}\n 7", "2:2: it is neither an object nor a list"),
        ("{\"é\": [],}", "1:9: it is not plain JSON: comma after the last value"),
        ("{\"a\": 1,\n\"a\": 2}", "2:1: it is not plain JSON: the key `a` is there twice"),
        ("{\"é\": 1, \"versions\": \"x\"}", "1:22: `versions` is not a list"),
        ("{\"versions\": {}}", "1:14: `versions` is not a list"),
        (triggers, "it holds the rounds of a trigger loop, not versions"),
    ];
    for (text, expected) in table {
        let error = HistoryFile::read(text.as_bytes()).expect_err(text);
        let HistoryError { place, message } = error;
        let place = place.map(|place| format!("{}:{}: ", place.line, place.column));
        assert_eq!(place.unwrap_or_default() + &message, expected, "{text}");
    }
    let odd = HistoryFile::read(b"{\n \xff}");
    assert_eq!(odd.expect_err("odd").place, Some(Place { line: 2, column: 2 }));
}
