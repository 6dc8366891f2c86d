//! For tests: checks that a drawing is well-formed and has everything a drawing must have.

use std::collections::BTreeSet;

/// Returns the texts of `svg`, unescaped. Panics unless it is a row of well-formed `<svg>` elements
/// with title, description and role, finite numbers and unique ids, without script, style or
/// handlers.
pub(in crate::chart) fn checked(svg: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut texts = Vec::new();
    let mut ids = BTreeSet::new();
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        if start > 0 {
            assert!(!open.is_empty(), "text outside: {}", &rest[..start]);
            texts.push(unescaped(&rest[..start]));
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed in order");
            continue;
        }
        let name = element(tag, &mut ids);
        assert!(!open.is_empty() || name == "svg", "{name} outside");
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty() && rest.is_empty(), "left open: {open:?} {rest}");
    texts
}

/// Checks one start tag and returns its name.
fn element<'a>(tag: &'a str, ids: &mut BTreeSet<String>) -> &'a str {
    const KNOWN: [&str; 10] =
        ["svg", "title", "desc", "g", "a", "path", "circle", "rect", "text", "line"];
    let tag = tag.strip_suffix('/').unwrap_or(tag);
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(KNOWN.contains(&name), "unknown element {name}");
    let mut names = BTreeSet::new();
    while !rest.is_empty() {
        let (key, after) = rest.trim_start().split_once("=\"").expect("quoted attributes");
        let (value, after) = after.split_once('"').expect("attributes end");
        rest = after;
        assert!(names.insert(key.to_owned()), "{key} twice");
        assert!(!key.starts_with("on") && key != "style", "{key}");
        assert!(!value.contains("NaN") && !value.contains("inf\"") && !value.contains("-0\""));
        unescaped(value);
        match key {
            "id" => assert!(ids.insert(value.to_owned()), "id {value} twice"),
            "d" | "x" | "y" | "cx" | "cy" | "r" | "width" | "height" | "viewBox" => numbers(value),
            _ => {}
        }
    }
    if name == "svg" {
        for key in ["role", "viewBox"] {
            assert!(names.contains(key), "svg without {key}");
        }
        let is_labelled = ["aria-label", "aria-labelledby"].iter().any(|key| names.contains(*key));
        assert!(is_labelled, "svg without a label");
    }
    name
}

/// Checks that every number is finite and has at most two decimals.
fn numbers(value: &str) {
    for number in value.split(|c: char| c.is_ascii_alphabetic() || c == ' ') {
        if !number.is_empty() {
            let parsed: f64 = number.parse().expect("a number");
            assert!(parsed.is_finite() && number != "-0", "{number}");
            assert!(number.split_once('.').is_none_or(|(_, digits)| digits.len() <= 2), "{number}");
        }
    }
}

fn unescaped(text: &str) -> String {
    assert!(!text.contains(['<', '>', '"', '\'']) && !text.chars().any(char::is_control), "{text}");
    for piece in text.split('&').skip(1) {
        let entities = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(entities.iter().any(|entity| piece.starts_with(entity)), "{text}");
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&amp;", "&")
}
