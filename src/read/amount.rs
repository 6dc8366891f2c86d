//! Amounts as people write them: `12,345`, `84.8k`, `1m 23s`, `3/4`.

use jiff::SignedDuration;

/// The number in a text: with groups of three digits, a `k` or `M`, a `~`, a currency sign or a
/// unit. `None` if a comma could be a decimal point.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches(['~', '≈', '$']).trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && !",._ \u{202f}\u{a0}'".contains(c));
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let factor = match unit.trim() {
        "" | "tokens" | "USD" | "$" => 1.0,
        "k" | "K" | "k tokens" | "K tokens" => 1e3,
        "M" | "M tokens" => 1e6,
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
    if number.is_finite() { Some(number * factor) } else { None }
}

/// The seconds in a text with units: `1m 23s`, `PT1M23S`, `00:01:23`, `23332 ms`.
pub(super) fn seconds(text: &str) -> Option<f64> {
    if !text.contains(|c: char| c.is_alphabetic() || c == ':') {
        return None;
    }
    let duration: SignedDuration = text.parse().ok()?;
    Some(duration.as_millis() as f64 / 1000.0)
}

/// The share in a text: `75%`, `3/4`, `2/8 (25%)`.
pub(super) fn rate(text: &str) -> Option<f64> {
    let head = text.split('(').next().unwrap_or(text).trim();
    if let Some((part, whole)) = head.split_once('/') {
        let (part, whole): (f64, f64) = (part.trim().parse().ok()?, whole.trim().parse().ok()?);
        return if whole > 0.0 { Some(part / whole) } else { None };
    }
    let (number, unit) = match head.strip_suffix('%') {
        Some(percent) => (percent.trim(), 100.0),
        None => (head, 1.0),
    };
    Some(number.parse::<f64>().ok()? / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

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
