//! Keys and texts: spellings of one name, values as plain text, unfilled placeholders, and amounts
//! as people write them: `12,345`, `84.8k`, `1m 23s`.

use std::borrow::Cow;

use jiff::SignedDuration;

use crate::json::{Node, Spanned, number_text};

/// A value as plain text without checking for placeholders; `None` for null and blank text.
pub(super) fn plain(node: &Node<'_>) -> Option<String> {
    let joined = |parts: Vec<String>, sign| (!parts.is_empty()).then(|| parts.join(sign));
    match node {
        Node::Null => None,
        Node::Text(text) => (!text.trim().is_empty()).then(|| text.to_string()),
        Node::Bool(flag) => Some(flag.to_string()),
        Node::Number(number) => Some(number_text(number)),
        Node::List(items) => joined(items.iter().filter_map(|item| plain(item)).collect(), ", "),
        Node::Object(entries) => {
            let part = |(key, value): &(Cow<'_, str>, Spanned<'_>)| {
                Some(format!("{key}: {}", plain(value)?))
            };
            joined(entries.iter().filter_map(part).collect(), "; ")
        }
    }
}

/// Whether `name` is `key` except for case and word separators: `passRate`, `Pass Rate` and
/// `pass-rate` are `pass_rate`.
pub fn is_spelling(name: &str, key: &str) -> bool {
    fn letters(text: &str) -> impl Iterator<Item = u8> {
        let is_joint = |byte: &u8| matches!(byte, b'_' | b'-' | b' ');
        text.bytes().filter(move |byte| !is_joint(byte)).map(|byte| byte.to_ascii_lowercase())
    }
    let first = |text: &str| text.bytes().next().map(|byte| byte.to_ascii_lowercase());
    first(name) == first(key) && letters(name).eq(letters(key))
}

/// Whether a text is an unfilled placeholder of a template: `<model-name>`, `<path/to/skill>`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let Some(inner) = text.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) else {
        return false;
    };
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | ' ' | '.');
    !inner.is_empty() && inner.len() <= 60 && inner.chars().all(is_word)
}

/// The number in a text: with groups of three digits, a `k` or `M`, a `~`, a currency sign or a
/// unit. `None` if a comma could be a decimal point.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches(['~', '≈', '$']).trim_start();
    let is_part = |c: char| c.is_ascii_digit() || ",._ \u{202f}\u{a0}'".contains(c);
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let factor = match unit.trim() {
        "" | "tokens" | "token" | "USD" | "usd" | "$" | "chars" | "calls" | "steps" => 1.0,
        "k" | "K" | "k tokens" | "K tokens" => 1e3,
        "m" | "M" | "M tokens" => 1e6,
        _ => return None,
    };
    let digits = digits.trim_end();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let groups: Vec<&str> = whole.split(|c: char| !c.is_ascii_digit()).collect();
    let is_grouped = groups.iter().skip(1).all(|group| group.len() == 3)
        && (groups.len() == 1 || groups[0].len() <= 3);
    if !is_grouped || groups[0].is_empty() {
        return None;
    }
    let number: f64 = format!("{}.{fraction}", groups.concat()).parse().ok()?;
    number.is_finite().then_some(number * factor)
}

/// The seconds in a text with units: `1m 23s`, `PT1M23S`, `00:01:23`, `23332 ms`.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let has_unit = text.contains(|c: char| c.is_alphabetic() || c == ':');
    let duration: SignedDuration = text.parse().ok().filter(|_| has_unit)?;
    Some(duration.as_millis() as f64 / 1000.0)
}

/// The share in a text: `75%`, `3/4`, `2/8 (25%)`.
pub(super) fn rate(text: &str) -> Option<f64> {
    let head = text.split('(').next().unwrap_or(text).trim();
    let number = |text: &str| text.trim().parse::<f64>().ok();
    if let Some((part, whole)) = head.split_once('/') {
        let (part, whole) = (number(part)?, number(whole)?);
        return (whole > 0.0).then_some(part / whole);
    }
    match head.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(head),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders() {
        assert!(is_placeholder("<model-name>"));
        assert!(is_placeholder("<path/to/skill>"));
        assert!(!is_placeholder("<b>bold</b>"));
        assert!(!is_placeholder("a < b > c"));
        assert!(!is_placeholder("<>"));
    }

    #[test]
    fn numbers_as_people_write_them() {
        let cases = [
            ("12,345", Some(12_345.0)),
            ("1,234,567", Some(1_234_567.0)),
            ("12 345 tokens", Some(12_345.0)),
            ("84.8k", Some(84_800.0)),
            ("~1.2M", Some(1_200_000.0)),
            ("$0.12", Some(0.12)),
            ("12,34", None),
            ("1234,567", None),
            ("about 5", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn durations_as_people_write_them() {
        let cases = [
            ("1m 23s", Some(83.0)),
            ("1 min 23 sec", Some(83.0)),
            ("PT1M23S", Some(83.0)),
            ("PT1M23.5S", Some(83.5)),
            ("00:01:23", Some(83.0)),
            ("23332 ms", Some(23.332)),
            ("42.5 seconds", Some(42.5)),
            ("42", None),
            ("soon", None),
        ];
        for (text, expected) in cases {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
