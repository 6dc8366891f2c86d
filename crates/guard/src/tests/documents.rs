//! Documents keep their structure: what is not a string is the same after the guard, so that no verdict
//! can change.

use proptest::prelude::*;
use serde_json::{Map, Value};
use testing::secrets::{TEXTS, expand};

use crate::marked_file;
use crate::secrets_in_text::Nature;
use crate::tests::finder;

const GRADING: &str = "iteration-1/a/with_skill/grading.json";
const OUTPUT: &str = "iteration-1/a/with_skill/outputs/data.json";

/// The text of the file at `path` without its secrets.
fn cleaned(path: &str, text: &str) -> String {
    let findings = marked_file::search(&finder(), path, Nature::new(path), text.as_bytes());
    String::from_utf8(marked_file::cleaned(text.into(), &findings)).expect("UTF-8")
}

const KEYS: [&str; 15] = [
    "text",
    "passed",
    "evidence",
    "id",
    "password",
    "name",
    "key",
    "value",
    "kind",
    "data",
    "kty",
    "d",
    "token",
    "/home/ann/x",
    "ghp_<a36>",
];

fn documents() -> impl Strategy<Value = Value> {
    let text = prop::sample::select(&TEXTS[..]).prop_map(|text| Value::from(expand(text)));
    let scalar = prop_oneof![
        6 => text,
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i32>().prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(Value::from("Secret")),
    ];
    scalar.prop_recursive(4, 40, 6, |inner| {
        let key = prop::sample::select(&KEYS[..]).prop_map(expand);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// The same with every text empty, so that only these may differ; `with_keys` keeps the keys.
fn without_texts(value: &Value, with_keys: bool) -> Value {
    match value {
        Value::String(_) => Value::from(""),
        Value::Array(items) => items.iter().map(|item| without_texts(item, with_keys)).collect(),
        Value::Object(fields) if with_keys => fields
            .iter()
            .map(|(key, value)| (key.clone(), without_texts(value, with_keys)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Object(fields) => {
            fields.values().map(|value| without_texts(value, with_keys)).collect()
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_tree_stays_apart_from_its_texts(document in documents(), is_pretty in any::<bool>()) {
        let text = match is_pretty {
            true => serde_json::to_string_pretty(&document).expect("JSON"),
            false => document.to_string().replace('/', "\\/"),
        };
        let after: Value = serde_json::from_str(&cleaned(GRADING, &text)).expect("JSON");
        prop_assert_eq!(without_texts(&document, true), without_texts(&after, true), "{}", text);
        let output = cleaned(OUTPUT, &text);
        let before = json::parse(&text).expect("JSON").root;
        let after = json::parse(&output).expect("JSON").root;
        prop_assert!(before.is_alike(&after), "{} became {}", text, output);
        prop_assert!(json::parse(&output).expect("JSON").repairs.is_empty(), "{}", output);
    }

    /// Whatever a file of results breaks off at, its reader finds the same in it.
    #[test]
    fn a_document_that_breaks_off_stays_the_same(document in documents(), share in 0..100_usize) {
        let text = document.to_string();
        let cut = text.floor_char_boundary(text.len() * share / 100);
        let Ok(before) = json::parse(&text[..cut]) else { return Ok(()) };
        let output = cleaned(GRADING, &text[..cut]);
        let after = json::parse(&output);
        let is_same = after.as_ref().is_ok_and(|after| before.root.is_alike(&after.root));
        prop_assert!(is_same, "{} became {}", &text[..cut], output);
    }
}

#[test]
fn near_json_stays_the_same() {
    let table = [
        r#"{"a": ghp_<a36>, "passed": false,}"#,
        r#"{'evidence': 'key ghp_<a36>', 'passed': False}"#,
        "{\"evidence\": \"he said \"ghp_<a36>\", then left\", \"passed\": false}",
        "{\"evidence\": \"password: Tr0ub4dor&3\n  \"passed\": false}",
        "// graded\n{\"evidence\": \"the api key:\nA9xk2Lm4Qz8wTr7Bv\", \"passed\": false}",
        "```json\n{\"evidence\": \"ghp_<a36>\", \"passed\": false}\n```\n",
        "{\"evidence\": \"x \"\nghp_<a36>\", \"y\", \"passed\": false}",
    ];
    for text in table {
        let text = expand(text);
        let output = cleaned(GRADING, &text);
        let source = |text: &str| json::without_fence(text).unwrap_or_else(|| text.to_owned());
        let (before, after) = (source(&text), source(&output));
        let before = json::parse(&before).expect("near JSON").root;
        let after = json::parse(&after).unwrap_or_else(|error| panic!("{output}: {error}")).root;
        assert!(before.is_alike(&after), "{text} became {output}");
        assert!(!output.contains("ghp_") && !output.contains("A9xk"), "{output}");
    }
}

#[test]
fn values_are_named_by_their_field_and_what_is_near() {
    let table = [
        (r#"{"password": "lavender"}"#, r#"{"password": "[redacted: assigned secret]"}"#),
        (r#"{"password": true, "a": "x"}"#, r#"{"password": true, "a": "x"}"#),
        (
            r#"{"name": "DB_PASSWORD", "value": "swallow"}"#,
            r#"{"name": "DB_PASSWORD", "value": "[redacted: assigned secret]"}"#,
        ),
        (
            r#"["--user", "bob", "--password", "Harvest4"]"#,
            r#"["--user", "bob", "--password", "[redacted: assigned secret]"]"#,
        ),
        (
            r#"{"kind": "Secret", "data": {"a": "c29tZQ==", "b": ""}, "c": "c29tZQ=="}"#,
            r#"{"kind": "Secret", "data": {"a": "[redacted: assigned secret]", "b": ""}, "c": "c29tZQ=="}"#,
        ),
        (
            r#"{"requestId": "req_7Gk2mQ9xR4tV8wZ1nB3cD5fH6jK0", "password_min_length": 12}"#,
            r#"{"requestId": "req_7Gk2mQ9xR4tV8wZ1nB3cD5fH6jK0", "password_min_length": 12}"#,
        ),
        (
            r#"{"/home/ann/x": 1, "/home/bob/x": 2, "~/x": 3}"#,
            r#"{"~/x 2": 1, "~/x 3": 2, "~/x": 3}"#,
        ),
    ];
    for (text, wanted) in table {
        assert_eq!(cleaned(OUTPUT, text), wanted);
    }
    let keys = r#"{"/home/ann/x": 1, "/home/bob/x": 2}"#;
    assert_eq!(cleaned(GRADING, keys), keys, "keys of results are never changed");
}

#[test]
fn toml_stays_toml() {
    let text = "a = \"x\"\npassword = 'Owl.3\"x\"y'\nn = 1\n[t]\nb = [\"\"\"\npassword=lamp-Oil-7\"\"\", true]\n";
    let clean = cleaned("iteration-1/a/with_skill/outputs/a.toml", text);
    let table: toml::Table = clean.parse().expect("TOML");
    assert!(!clean.contains("Owl") && !clean.contains("lamp-Oil"), "{clean}");
    assert_eq!((table["n"].as_integer(), table["t"]["b"][1].as_bool()), (Some(1), Some(true)));
    assert!(clean.starts_with("a = \"x\"\n"), "{clean}");
}
