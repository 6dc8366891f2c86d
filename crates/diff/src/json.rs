//! JSON in canonical form, which is compared by lines like any text.

use serde_json::{Number, Value};

use crate::limits::Limits;

/// The largest float below which every whole number is exact: 2 to the power of 53.
const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

/// A JSON document with sorted keys, one value a line and whole numbers as integers, so that equal
/// values have equal text. `None` if it is not JSON, too large to compare or too deeply nested.
pub fn canonical_json(text: &str, limits: &Limits) -> Option<String> {
    if text.len() > limits.bytes {
        return None;
    }
    let mut value: Value = serde_json::from_str(text).ok()?;
    make_canonical(&mut value);
    serde_json::to_string_pretty(&value).ok()
}

fn make_canonical(value: &mut Value) {
    match value {
        // Python writes `2.0` where JavaScript writes `2`.
        Value::Number(number) => {
            let float = number.as_f64().filter(|_| number.is_f64()).unwrap_or(f64::NAN);
            if float.fract() == 0.0 && float.abs() <= EXACT_INTEGERS {
                *number = Number::from(float as i64);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(make_canonical),
        Value::Object(fields) => {
            fields.values_mut().for_each(make_canonical);
            fields.sort_keys();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::canonical_json;
    use crate::limits::Limits;

    #[test]
    fn equal_values_have_equal_text() {
        let table = [
            ("1", "1.0", true),
            ("-0.0", "0", true),
            ("1e2", "100", true),
            ("0.1", "0.10", true),
            ("1", "\"1\"", false),
            ("9007199254740993", "9007199254740992", false),
            (r#"{"a":1,"b":[2]}"#, r#"{"b": [2.0], "a": 1}"#, true),
            (r#"{"a":1}"#, r#"{"a":0, "a":1}"#, true),
            ("[1,2]", "[2,1]", false),
            ("[]", "{}", false),
        ];
        for (left, right, equal) in table {
            let [a, b] = [left, right].map(|text| canonical_json(text, &Limits::default()));
            assert!(a.is_some() && b.is_some(), "{left} {right}");
            assert_eq!(a == b, equal, "{left} {right}");
        }
    }

    #[test]
    fn what_is_not_json_is_left_to_others() {
        let nested = "[".repeat(100_000);
        for text in ["", "{", "# Title", "{\"a\":1} x", "NaN", &nested] {
            assert_eq!(canonical_json(text, &Limits::default()), None);
        }
        let limits = Limits { bytes: 3, ..Limits::default() };
        assert_eq!(canonical_json("[1,2]", &limits), None);
    }
}
