//! Whatever a grading holds, the guard changes nothing of it but texts.

use guard::Guard;
use input::files::{Memory, Source};
use input::settings::SecretRules;
use serde_json::Value;

const PATH: &str = "iteration-1/a/with_skill/grading.json";

pub fn check(text: &str) {
    let Ok(before) = serde_json::from_str::<Value>(text) else { return };
    let source = Memory::new([(PATH.to_owned(), text.to_owned())]);
    let entries = source.list(&|_| false);
    let mut guard = Guard::new(entries, &[], &SecretRules::default());
    guard.scan(&source, &|_| true);
    let Ok(bytes) = guard.read(&source, PATH, 1 << 30) else { return };
    let after: Value = serde_json::from_slice(&bytes).expect("JSON stays JSON");
    assert_eq!(without_texts(&before), without_texts(&after), "{text}");
}

/// `value` with every text empty.
fn without_texts(value: &Value) -> Value {
    match value {
        Value::String(_) => Value::from(""),
        Value::Array(items) => items.iter().map(without_texts).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, value)| (key.clone(), without_texts(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}
