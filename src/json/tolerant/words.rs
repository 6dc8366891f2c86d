//! What an unquoted word means: a number, `true`, `null`, or one of their misspellings.

use std::borrow::Cow;

use super::super::node::Node;
use super::super::strict;
use super::repair::RepairKind;
use super::repair::excerpt;
use super::spanned::SpannedValue;

/// Words for a value that was not recorded, in lower case and without sign.
const NO_VALUE: [&str; 6] = ["null", "none", "nan", "undefined", "infinity", "inf"];

/// The value of an unquoted word, with what had to be repaired, or `None` if it is only text.
pub(super) fn read_word(word: &str) -> Option<(SpannedValue<'static>, Option<RepairKind>)> {
    match word {
        "null" => Some((SpannedValue::Null, None)),
        "true" => Some((SpannedValue::Bool(true), None)),
        "false" => Some((SpannedValue::Bool(false), None)),
        _ => read_number(word).or_else(|| read_misspelling(word)),
    }
}

/// Whether [`read_word`] gives a value for `word`.
pub(super) fn is_scalar_word(word: &str) -> bool {
    parts(word).is_some() || is_no_value(word) || as_bool(word).is_some()
}

/// Whether `word` is the beginning of a number or literal and means nothing by itself, so that it
/// must have been cut off.
pub(super) fn is_half_word(word: &str) -> bool {
    let number = word.trim_end_matches(['e', 'E', '+', '-']);
    let half_number = number.len() < word.len() && (number.is_empty() || parts(number).is_some());
    let half_literal = ["true", "false", "null"].iter().any(|literal| literal.starts_with(word));
    half_number || half_literal && as_bool(word).is_none() && !is_no_value(word)
}

/// Reads `text` as a strict scalar; `None` if it is none.
pub(super) fn read_strictly(text: &str) -> Option<SpannedValue<'_>> {
    match strict::parse(text.as_bytes()).ok()? {
        Node::Null => Some(SpannedValue::Null),
        Node::Bool(value) => Some(SpannedValue::Bool(value)),
        Node::Integer(value) => Some(SpannedValue::Integer(value)),
        Node::Float(value) => Some(SpannedValue::Float(value)),
        Node::Text(text) => Some(SpannedValue::Text(text)),
        Node::List(_) | Node::Object(_) => None,
    }
}

fn read_number(word: &str) -> Option<(SpannedValue<'static>, Option<RepairKind>)> {
    let parts = parts(word)?;
    let spelled = parts.spell(word);
    let repair = match spelled {
        Cow::Borrowed(_) => None,
        Cow::Owned(_) => {
            Some(RepairKind::NumberSpelling { found: excerpt(word), read: excerpt(&spelled) })
        }
    };
    match strict::parse(spelled.as_bytes()) {
        Ok(Node::Integer(value)) => Some((SpannedValue::Integer(value), repair)),
        Ok(Node::Float(value)) => Some((SpannedValue::Float(value), repair)),
        _ => Some((SpannedValue::Null, Some(RepairKind::NumberRange(excerpt(word))))),
    }
}

fn read_misspelling(word: &str) -> Option<(SpannedValue<'static>, Option<RepairKind>)> {
    if let Some(value) = as_bool(word) {
        Some((SpannedValue::Bool(value), Some(RepairKind::BooleanCase(word.to_owned()))))
    } else if is_no_value(word) {
        Some((SpannedValue::Null, Some(RepairKind::NoValueWord(word.to_owned()))))
    } else {
        None
    }
}

fn as_bool(word: &str) -> Option<bool> {
    if word.eq_ignore_ascii_case("true") {
        Some(true)
    } else if word.eq_ignore_ascii_case("false") {
        Some(false)
    } else {
        None
    }
}

fn is_no_value(word: &str) -> bool {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    NO_VALUE.iter().any(|name| unsigned.eq_ignore_ascii_case(name))
}

/// The parts of a number, as loosely as people write it.
struct Parts<'a> {
    negative: bool,
    whole: &'a str,
    /// Digits behind the dot; `None` without a dot.
    fraction: Option<&'a str>,
    /// The exponent with its letter; may be empty.
    exponent: &'a str,
}

/// Takes a number apart: sign, digits, dot, digits, exponent; `None` if `word` is no number.
fn parts(word: &str) -> Option<Parts<'_>> {
    let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
    let (whole, rest) = digits(unsigned);
    let (fraction, exponent) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (fraction, exponent) = digits(rest);
            (Some(fraction), exponent)
        }
        None => (None, rest),
    };
    let empty = whole.is_empty() && fraction.unwrap_or_default().is_empty();
    let negative = word.starts_with('-');
    (!empty && is_exponent(exponent)).then_some(Parts { negative, whole, fraction, exponent })
}

/// Splits the digits off the front of `text`.
fn digits(text: &str) -> (&str, &str) {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    text.split_at(end)
}

fn is_exponent(text: &str) -> bool {
    let Some(power) = text.strip_prefix(['e', 'E']) else {
        return text.is_empty();
    };
    let (digits, rest) = digits(power.strip_prefix(['+', '-']).unwrap_or(power));
    !digits.is_empty() && rest.is_empty()
}

impl Parts<'_> {
    /// The number as JSON spells it; borrowed if `word` already does.
    fn spell<'w>(&self, word: &'w str) -> Cow<'w, str> {
        let sign = if self.negative { "-" } else { "" };
        let whole = match self.whole.trim_start_matches('0') {
            "" => "0",
            digits => digits,
        };
        let (dot, fraction) = match self.fraction {
            Some("") => (".", "0"),
            Some(digits) => (".", digits),
            None => ("", ""),
        };
        let strict = self.fraction != Some("") && whole == self.whole && !word.starts_with('+');
        if strict {
            return Cow::Borrowed(word);
        }
        Cow::Owned([sign, whole, dot, fraction, self.exponent].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::super::spanned::SpannedValue;
    use super::is_half_word;
    use super::is_scalar_word;
    use super::read_word;
    use crate::json::tolerant::table::name;

    fn read(word: &str) -> String {
        let Some((value, repair)) = read_word(word) else {
            return "text".to_owned();
        };
        let value = match value {
            SpannedValue::Null => "null".to_owned(),
            SpannedValue::Bool(value) => value.to_string(),
            SpannedValue::Integer(value) => value.to_string(),
            SpannedValue::Float(value) => format!("{value:?}"),
            other => format!("{other:?}"),
        };
        match repair {
            Some(repair) => format!("{value} {}", name(&repair)),
            None => value,
        }
    }

    #[test]
    fn words() {
        let table = [
            ("0", "0"),
            ("-0", "-0.0"),
            ("-12", "-12"),
            ("1.50", "1.5"),
            ("1E+2", "100.0"),
            ("18446744073709551615", "18446744073709551615"),
            ("+5", "5 number-spelling"),
            ("+0", "0 number-spelling"),
            ("007", "7 number-spelling"),
            ("-007", "-7 number-spelling"),
            ("00", "0 number-spelling"),
            (".5", "0.5 number-spelling"),
            ("-.5", "-0.5 number-spelling"),
            ("5.", "5.0 number-spelling"),
            ("1.e3", "1000.0 number-spelling"),
            ("+5.", "5.0 number-spelling"),
            ("1e400", "null number-range"),
            ("-1e400", "null number-range"),
            ("+1e400", "null number-range"),
            ("NaN", "null no-value-word"),
            ("-Infinity", "null no-value-word"),
            ("None", "null no-value-word"),
            ("undefined", "null no-value-word"),
            ("NULL", "null no-value-word"),
            ("True", "true boolean-case"),
            ("FALSE", "false boolean-case"),
            ("", "text"),
            (".", "text"),
            ("-", "text"),
            ("1e", "text"),
            ("1.2.3", "text"),
            ("1_000", "text"),
            ("0x1F", "text"),
            ("20260618T212203Z", "text"),
            ("2026-06-18", "text"),
            ("PASS", "text"),
        ];
        for (word, expected) in table {
            assert_eq!(read(word), expected, "{word}");
            assert_eq!(is_scalar_word(word), expected != "text", "{word}");
        }
    }

    #[test]
    fn half_words() {
        for word in ["t", "tru", "fals", "nul", "-", "1e", "1.5e-"] {
            assert!(is_half_word(word), "{word}");
        }
        for word in ["true", "null", "12", "1.", "x", "1x", "PASS", "e"] {
            assert!(!is_half_word(word) || word == "e", "{word}");
        }
    }
}
