//! Amounts as people write them into texts: `12,345`, `84.8k`, `1m 23s`.

use jiff::SignedDuration;

/// The number in a text: groups of three digits, a `k` or `M`, an approximation's `~`, a currency's
/// sign or a unit's word. `None` where a comma could be decimal.
pub(super) fn number(text: &str) -> Option<f64> {
    let text = text.trim().trim_start_matches(['~', '≈', '$']).trim_start();
    let end = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let factor = match unit.trim() {
        "" | "tokens" | "token" | "USD" | "usd" | "$" | "chars" | "calls" | "steps" => 1.0,
        "k" | "K" | "k tokens" | "K tokens" => 1e3,
        "m" | "M" | "M tokens" => 1e6,
        _ => return None,
    };
    let plain: String = ungrouped(digits.trim_end())?;
    plain.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number * factor)
}

fn is_part(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ',' | '.' | '_' | ' ' | '\u{202f}' | '\u{a0}' | '\'')
}

/// The digits without what groups them by three; `None` for other groups.
fn ungrouped(digits: &str) -> Option<String> {
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, ""));
    let groups: Vec<&str> = whole.split(|c: char| !c.is_ascii_digit()).collect();
    let is_grouped = groups.iter().skip(1).all(|group| group.len() == 3)
        && groups.first().is_some_and(|group| (1..=3).contains(&group.len()));
    let is_whole = groups.len() == 1 && !whole.is_empty();
    let is_fraction = rest.bytes().all(|b| b.is_ascii_digit());
    let plain =
        || if rest.is_empty() { groups.concat() } else { format!("{}.{rest}", groups.concat()) };
    ((is_grouped || is_whole) && is_fraction).then(plain)
}

/// The seconds in a text that names its units: `1m 23s`, `PT1M23S`, `00:01:23`, `23332 ms`.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let has_unit = text.contains(|c: char| c.is_alphabetic() || c == ':');
    let duration: SignedDuration = text.parse().ok().filter(|_| has_unit)?;
    Some(duration.as_millis() as f64 / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::{number, seconds};

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
