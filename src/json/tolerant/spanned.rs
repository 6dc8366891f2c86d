//! The tree of the tolerant reader: a [`Node`] in which every value knows its place.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::super::node::Node;

/// A value and where it stands in the text of the document.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<'a> {
    /// Offsets of the value with its quotes or brackets.
    pub span: Range<usize>,
    /// The value itself.
    pub value: SpannedValue<'a>,
}

/// The same kinds of value as in [`Node`].
#[derive(Clone, Debug, PartialEq)]
pub enum SpannedValue<'a> {
    /// `null`, or a value that was not recorded.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number without fraction or exponent that fits 64 bits, signed or not.
    Integer(i128),
    /// Any other number; always finite.
    Float(f64),
    /// A string, with its escapes resolved.
    Text(Cow<'a, str>),
    /// Items in the order of the document.
    List(Vec<Spanned<'a>>),
    /// Entries in the order of the document, with every repetition of a key.
    Object(Vec<SpannedEntry<'a>>),
}

/// One key of an object and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct SpannedEntry<'a> {
    /// The key, with its escapes resolved.
    pub key: Cow<'a, str>,
    /// Offsets of the key with its quotes, if it has any.
    pub key_span: Range<usize>,
    /// The value of the key.
    pub value: Spanned<'a>,
}

/// One step from a value to a value inside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The value of this key, the last one if the key is repeated.
    Key(String),
    /// The value of the entry at this position of an object, counted from 0.
    Entry(usize),
    /// The item at this position of a list, counted from 0.
    Index(usize),
}

impl<'a> Spanned<'a> {
    /// The same tree without places.
    pub fn into_node(self) -> Node<'a> {
        match self.value {
            SpannedValue::Null => Node::Null,
            SpannedValue::Bool(value) => Node::Bool(value),
            SpannedValue::Integer(value) => Node::Integer(value),
            SpannedValue::Float(value) => Node::Float(value),
            SpannedValue::Text(text) => Node::Text(text),
            SpannedValue::List(items) => {
                Node::List(items.into_iter().map(Spanned::into_node).collect())
            }
            SpannedValue::Object(entries) => {
                let entries = entries.into_iter();
                Node::Object(entries.map(|entry| (entry.key, entry.value.into_node())).collect())
            }
        }
    }

    /// The value at the end of `path`, or `None` if some step of it leads nowhere.
    ///
    /// An empty path leads to this value itself.
    pub fn find(&self, path: &[Step]) -> Option<&Spanned<'a>> {
        path.iter().try_fold(self, |value, step| value.step(step))
    }

    fn step(&self, step: &Step) -> Option<&Spanned<'a>> {
        match (step, &self.value) {
            (Step::Index(index), SpannedValue::List(items)) => items.get(*index),
            (Step::Entry(at), SpannedValue::Object(entries)) => {
                entries.get(*at).map(|entry| &entry.value)
            }
            (Step::Key(key), SpannedValue::Object(entries)) => {
                entries.iter().rev().find(|entry| entry.key == *key).map(|entry| &entry.value)
            }
            _ => None,
        }
    }

    /// The keys that repeat an earlier key of the same object, anywhere in this value.
    ///
    /// Each comes with the span of the repetition, in the order of the document.
    pub fn duplicate_keys(&self) -> Vec<(Range<usize>, String)> {
        let mut found = Vec::new();
        self.collect_duplicate_keys(&mut found);
        found
    }

    fn collect_duplicate_keys(&self, found: &mut Vec<(Range<usize>, String)>) {
        match &self.value {
            SpannedValue::List(items) => {
                items.iter().for_each(|item| item.collect_duplicate_keys(found));
            }
            SpannedValue::Object(entries) => {
                let mut seen = BTreeSet::new();
                for entry in entries {
                    if !seen.insert(&*entry.key) {
                        found.push((entry.key_span.clone(), entry.key.to_string()));
                    }
                    entry.value.collect_duplicate_keys(found);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::Step;

    const TEXT: &str = r#"{"a": [1, {"b": "x", "b" : [ ]}], "a ": null, "b": 2, "b": 3}"#;

    fn key(key: &str) -> Step {
        Step::Key(key.to_owned())
    }

    #[test]
    fn find_leads_to_the_source_of_a_value() {
        let root = parse(TEXT).expect("readable").root;
        let table = [
            (vec![], Some(TEXT)),
            (vec![key("a"), Step::Index(0)], Some("1")),
            (vec![key("a"), Step::Index(1), key("b")], Some("[ ]")),
            (vec![key("a ")], Some("null")),
            (vec![key("b")], Some("3")),
            (vec![key("c")], None),
            (vec![Step::Entry(2)], Some("2")),
            (vec![Step::Entry(4)], None),
            (vec![Step::Index(0)], None),
            (vec![key("a"), Step::Index(2)], None),
            (vec![key("a"), key("0")], None),
        ];
        for (path, source) in table {
            let found = root.find(&path).map(|value| &TEXT[value.span.clone()]);
            assert_eq!(found, source, "{path:?}");
        }
    }

    #[test]
    fn duplicate_keys_come_in_the_order_of_the_document() {
        let found = parse(TEXT).expect("readable").root.duplicate_keys();
        assert_eq!(found, [(21..24, "b".to_owned()), (54..57, "b".to_owned())]);
        assert_eq!(&TEXT[21..24], r#""b""#);
    }
}
