//! What a word without quotes stands for: `true`, `NaN`, `None`, or a number in a spelling of its own.

use serde_json::Number;

use super::node::Node;
use super::repair_kind::{RepairKind, excerpt};

/// The value of a word, with its repair if any, or `None` if it is only text.
pub(super) fn read_word(word: &str) -> Option<(Node<'static>, Option<RepairKind>)> {
    match word {
        "null" => Some((Node::Null, None)),
        "true" => Some((Node::Bool(true), None)),
        "false" => Some((Node::Bool(false), None)),
        // Python prints a dictionary with `True` and `None`, JavaScript a missing value as `undefined`.
        "True" | "False" => {
            Some((Node::Bool(word == "True"), Some(RepairKind::BooleanCase(word.to_owned()))))
        }
        "None" | "NaN" | "Infinity" | "-Infinity" | "undefined" => {
            Some((Node::Null, Some(RepairKind::NoValue(word.to_owned()))))
        }
        _ if word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) => number(word),
        _ => None,
    }
}

fn number(word: &str) -> Option<(Node<'static>, Option<RepairKind>)> {
    if let Ok(number) = serde_json::from_str(word) {
        return Some((Node::Number(number), None));
    }
    // Rust also accepts `+5`, `007`, `.5` and `5.`, and turns 1e999 into an infinity.
    let number: f64 = word.parse().ok().filter(|_| word.contains(|c: char| c.is_ascii_digit()))?;
    let Some(finite) = Number::from_f64(number) else {
        return Some((Node::Null, Some(RepairKind::NoValue(excerpt(word)))));
    };
    let repair = RepairKind::NumberSpelling(excerpt(word), excerpt(&number.to_string()));
    Some((Node::Number(finite), Some(repair)))
}

#[cfg(test)]
mod tests {
    use super::{Node, read_word};

    #[test]
    fn words() {
        let table = [
            ("0", "0"),
            ("-0", "-0.0"),
            ("-12", "-12"),
            ("1.50", "1.5"),
            ("1E+2", "100.0"),
            ("18446744073709551615", "18446744073709551615"),
            ("18446744073709551616", "1.8446744073709552e+19"),
            ("1e-400", "0.0"),
            ("+5", "5.0 NumberSpelling"),
            ("-007", "-7.0 NumberSpelling"),
            (".5", "0.5 NumberSpelling"),
            ("5.", "5.0 NumberSpelling"),
            ("1e400", "null NoValue"),
            ("-1e400", "null NoValue"),
            ("NaN", "null NoValue"),
            ("-Infinity", "null NoValue"),
            ("None", "null NoValue"),
            ("True", "true BooleanCase"),
            ("False", "false BooleanCase"),
            ("", "text"),
            (".", "text"),
            ("-", "text"),
            ("1e", "text"),
            ("inf", "text"),
            ("-inf", "text"),
            ("1.2.3", "text"),
            ("0x1F", "text"),
            ("20260618T212203Z", "text"),
            ("PASS", "text"),
        ];
        for (word, expected) in table {
            let actual = read_word(word).map_or("text".to_owned(), |(node, repair)| {
                let value = match node {
                    Node::Null => "null".to_owned(),
                    Node::Bool(value) => value.to_string(),
                    Node::Number(value) => value.to_string(),
                    other => format!("{other:?}"),
                };
                let repair = repair.map(|repair| format!(" {repair:?}")).unwrap_or_default();
                value + repair.split('(').next().unwrap_or_default()
            });
            assert_eq!(actual, expected, "{word}");
        }
    }
}
