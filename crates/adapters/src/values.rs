//! Reads values of JSON that may have any shape.

use serde_json::Value;

use text::{folded_name, is_listed};

/// The document in `text`, which lies at `path`; for JSON Lines, the list of its lines.
///
/// # Errors
/// It is not JSON.
pub(super) fn parse(path: &str, text: &str) -> serde_json::Result<Value> {
    let text = text.trim_start_matches('\u{feff}');
    if !path.ends_with(".jsonl") {
        return document(text);
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let lines: serde_json::Result<Vec<Value>> = lines.map(document).collect();
    lines.map(Value::Array)
}

fn document(text: &str) -> serde_json::Result<Value> {
    let read = serde_json::from_str(text);
    if read.is_ok() || !text.contains("NaN") && !text.contains("Infinity") {
        return read;
    }
    // Programs in Python write numbers that JSON does not have: a mean of nothing, in Inspect.
    let mut text = text.to_owned();
    for colon in [":", ": "] {
        for number in ["NaN", "Infinity", "-Infinity"] {
            text = text.replace(&format!("{colon}{number}"), &format!("{colon}null"));
        }
    }
    serde_json::from_str(&text)
}

/// The value at `path`, whose keys have dots in between; `None` if it is absent or null.
pub(super) fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let mut value = value;
    for key in path.split('.') {
        value = value.get(key)?;
    }
    if value.is_null() { None } else { Some(value) }
}

/// A text or number that is not empty, as text.
pub(super) fn label(value: &Value, path: &str) -> Option<String> {
    match at(value, path)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

pub(super) fn text(value: &Value, path: &str) -> Option<String> {
    let text = at(value, path)?.as_str()?;
    if text.trim().is_empty() { None } else { Some(text.to_owned()) }
}

/// A number that is neither negative nor infinite.
pub(super) fn number(value: &Value, path: &str) -> Option<f64> {
    at(value, path)?.as_f64().filter(|number| number.is_finite() && *number >= 0.0)
}

pub(super) fn flag(value: &Value, path: &str) -> Option<bool> {
    at(value, path)?.as_bool()
}

/// The values of a list; empty if there is none.
pub(super) fn list<'v>(value: &'v Value, path: &str) -> &'v [Value] {
    at(value, path).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A count from 1 that a run may have as its number.
pub(super) fn count(value: &Value, path: &str) -> Option<u32> {
    at(value, path)?.as_u64().and_then(|count| u32::try_from(count).ok())
}

/// What the record at `index` of a file with one record a line is called.
pub(super) fn row(index: usize) -> String {
    format!("row {}", index + 1)
}

/// The shortest form of any value, for a text that stands for it.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The ordinary name of a side whose first word says that it had the skill, or had none; `None` where it
/// says neither.
pub(super) fn side_by_word(name: &str) -> Option<&'static str> {
    const WITHOUT: &str = "without no none off bare baseline control base vanilla false";
    const WITH: &str = "with on candidate treatment treated true";
    let folded = folded_name(name);
    let first = folded.split('_').next().unwrap_or_default();
    if is_listed(WITHOUT, first) {
        Some("without_skill")
    } else if is_listed(WITH, first) || first.starts_with("skill") {
        Some("with_skill")
    } else {
        None
    }
}
