//! What the program says, by key of the English table: a test asks whether a sentence is there and
//! repeats no wording. How the sentences read is guarded by the snapshots of `program/wording.rs`.

use std::sync::LazyLock;

use regex_lite::Regex;
use serde_json::Value;

/// The English table.
static TABLE: LazyLock<Value> = LazyLock::new(|| {
    let text = include_str!("../../../templates/language/en.json");
    serde_json::from_str(text).expect("a table in JSON")
});

/// The text at `key` as the table has it.
pub(crate) fn raw(key: &str) -> &'static str {
    let found = key.split('.').try_fold(&*TABLE, |table, part| table.get(part));
    found.and_then(Value::as_str).unwrap_or_else(|| panic!("there is no text `{key}`"))
}

/// The text at `key` with these values in its places.
pub(crate) fn text(key: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(raw(key).to_owned(), |text, (name, value)| {
        let place = format!("{{{name}}}");
        assert!(text.contains(&place), "`{key}` has no place {place}");
        text.replace(&place, value)
    })
}

/// So many things: `1 run`, `2 runs`.
pub(crate) fn count(number: usize, thing: &str) -> String {
    let form = if number == 1 { "one" } else { "other" };
    text(&format!("count.{thing}.{form}"), &[("n", &number.to_string())])
}

/// Whether `page` says the text at `key` with these values; other places may hold anything.
pub(crate) fn says(page: &str, key: &str, values: &[(&str, &str)]) -> bool {
    place(page, key, values).is_some()
}

/// Where in `page` the text at `key` begins.
pub(crate) fn place(page: &str, key: &str, values: &[(&str, &str)]) -> Option<usize> {
    pattern(key, values).find(page).map(|found| found.start())
}

/// How often `page` says the text at `key`.
pub(crate) fn times(page: &str, key: &str, values: &[(&str, &str)]) -> usize {
    pattern(key, values).find_iter(page).count()
}

/// What the text at `key` says with these values, without its other places: a script finds it by
/// these pieces.
pub(crate) fn pieces(key: &str, values: &[(&str, &str)]) -> Vec<String> {
    let text = text(key, values);
    let parts = text.split('{').enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once('}').map_or(part, |(_, behind)| behind),
    });
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// An expression of JavaScript: whether `text` says what is at `key`.
pub(crate) fn in_script(text: &str, key: &str, values: &[(&str, &str)]) -> String {
    let pieces = serde_json::json!(pieces(key, values));
    format!("{pieces}.every((piece) => ({text} ?? '').includes(piece))")
}

fn pattern(key: &str, values: &[(&str, &str)]) -> Regex {
    let pieces = pieces(key, values).into_iter().map(|piece| regex_lite::escape(&piece));
    Regex::new(&pieces.collect::<Vec<_>>().join(".+?")).expect("a pattern")
}
