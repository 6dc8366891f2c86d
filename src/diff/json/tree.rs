//! JSON documents in canonical form; equal values get equal ids.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

/// The deepest nesting and a lower bound for the number of values, without a parser.
pub(super) fn depth_and_values(text: &str) -> (usize, usize) {
    let (mut depth, mut values, mut open) = (0, 1, 0_usize);
    let (mut quoted, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => {
                open += 1;
                depth = depth.max(open);
                values += 1;
            }
            b']' | b'}' => open = open.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
    }
    (depth, values)
}

/// A document with whole numbers as integers, so that equal values have equal text. `None` if it is
/// not JSON.
pub(super) fn read(text: &str) -> Option<Value> {
    let mut value = serde_json::from_str(text).ok()?;
    make_canonical(&mut value);
    Some(value)
}

fn make_canonical(value: &mut Value) {
    /// The largest float below which every whole number is exact.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) if number.is_f64() => {
            let whole =
                number.as_f64().filter(|as_f64| as_f64.fract() == 0.0 && as_f64.abs() <= EXACT);
            *number = whole.map_or(number.clone(), |float| Number::from(float as i64));
        }
        Value::Array(items) => items.iter_mut().for_each(make_canonical),
        Value::Object(fields) => fields.values_mut().for_each(make_canonical),
        _ => {}
    }
}

pub(super) struct TreeNode<'v> {
    /// Values of both documents are equal if their ids are.
    pub(super) id: u32,
    pub(super) value: &'v Value,
    /// The items of a list, with empty keys, or the fields of an object, sorted by key.
    pub(super) parts: Vec<(&'v str, TreeNode<'v>)>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum NodeContent<'v> {
    /// As JSON, so that strings are distinct from other values.
    Scalar(String),
    Parts {
        is_list: bool,
        ids: Vec<(&'v str, u32)>,
    },
}

#[derive(Default)]
pub(super) struct NodeIds<'v> {
    ids: BTreeMap<NodeContent<'v>, u32>,
}

impl<'v> NodeIds<'v> {
    pub(super) fn node(&mut self, value: &'v Value) -> TreeNode<'v> {
        let mut parts: Vec<_> = match value {
            Value::Array(items) => items.iter().map(|item| ("", self.node(item))).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(key, value)| (key.as_str(), self.node(value))).collect()
            }
            _ => Vec::new(),
        };
        // The items of a list stay in their order, as their keys are equal.
        parts.sort_by_key(|(key, _)| *key);
        let part_ids = parts.iter().map(|(key, node)| (*key, node.id)).collect();
        let content = match value {
            Value::Array(_) | Value::Object(_) => {
                NodeContent::Parts { is_list: value.is_array(), ids: part_ids }
            }
            scalar => NodeContent::Scalar(scalar.to_string()),
        };
        let next = self.ids.len() as u32;
        let id = *self.ids.entry(content).or_insert(next);
        TreeNode { id, value, parts }
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeIds, depth_and_values, read};

    #[test]
    fn size_is_counted_outside_strings() {
        assert_eq!(depth_and_values(r#"{"a[\"{": [1, 2, {}]}"#), (3, 6));
        assert_eq!(depth_and_values("]"), (0, 1));
    }

    #[test]
    fn equal_values_have_equal_ids() {
        let table = [
            ("1", "1.0", true),
            ("-0.0", "0", true),
            ("1e2", "100", true),
            ("0.1", "0.10", true),
            ("1", "\"1\"", false),
            ("9007199254740993", "9007199254740992", false),
            (r#"{"a":1,"b":[2]}"#, r#"{"b":[2.0],"a":1}"#, true),
            ("[]", "{}", false),
        ];
        for (left, right, equal) in table {
            let (left, right) = (read(left).unwrap(), read(right).unwrap());
            let mut ids = NodeIds::default();
            assert_eq!(ids.node(&left).id == ids.node(&right).id, equal, "{left} {right}");
        }
    }
}
