//! The tree of a document.
//!
//! A tree borrows text that the document spells literally, and owns text with resolved escapes.

use std::borrow::Cow;
use std::ops::{Deref, Index, Range};

use serde_json::{Number, Value};

/// A JSON value and its place in the text of the document.
///
/// Kept small, since values take half of the memory for a large document.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<'a> {
    start: u32,
    end: u32,
    /// The value without its place; a [`Spanned`] dereferences to it.
    pub node: Node<'a>,
}

/// A JSON value. Texts and keys borrow from the document where it has no escapes.
#[derive(Clone, Debug, PartialEq)]
pub enum Node<'a> {
    /// `null`; with a repair also `None`, `NaN`, `undefined`, or a number too large to hold.
    Null,
    /// `true` or `false`; with a repair also `True` or `False`.
    Bool(bool),
    /// A number; an integer only where it is written without fraction and exponent.
    Number(Number),
    /// A string, without its quotes and with its escapes resolved.
    Text(Cow<'a, str>),
    /// Items in the order of the document.
    List(Box<[Spanned<'a>]>),
    /// Entries in the order of the document, with every repetition of a key.
    Object(Box<[(Cow<'a, str>, Spanned<'a>)]>),
}

impl<'a> Spanned<'a> {
    /// The value at the bytes `span`, below 4 GiB.
    pub fn new(span: Range<usize>, node: Node<'a>) -> Self {
        Self { start: span.start as u32, end: span.end as u32, node }
    }

    /// The bytes of the value with its quotes or brackets.
    pub fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl<'a> Deref for Spanned<'a> {
    type Target = Node<'a>;

    fn deref(&self) -> &Node<'a> {
        &self.node
    }
}

impl<'a> Node<'a> {
    /// The value of `key`; the last one if the key is repeated.
    pub fn get(&self, key: &str) -> Option<&Node<'a>> {
        let entries = self.as_object()?;
        entries.iter().rev().find(|(name, _)| name == key).map(|(_, value)| &value.node)
    }

    /// The characters of a string; `None` if this is not a string.
    pub fn as_text(&self) -> Option<&str> {
        if let Node::Text(text) = self { Some(text) } else { None }
    }

    /// The value of `true` or `false`; `None` for all else, also for the string `"true"`.
    pub fn as_bool(&self) -> Option<bool> {
        if let Node::Bool(value) = self { Some(*value) } else { None }
    }

    /// The number, rounded to the nearest `f64`, or `None` if this is not a number.
    pub fn as_f64(&self) -> Option<f64> {
        if let Node::Number(value) = self { value.as_f64() } else { None }
    }

    /// The items in the order of the document, or `None` if this is not a list.
    pub fn as_list(&self) -> Option<&[Spanned<'a>]> {
        if let Node::List(items) = self { Some(items) } else { None }
    }

    /// The entries in the order of the document, or `None` if this is not an object.
    pub fn as_object(&self) -> Option<&[(Cow<'a, str>, Spanned<'a>)]> {
        if let Node::Object(entries) = self { Some(entries) } else { None }
    }

    /// Whether two documents are the same apart from their texts and keys.
    pub fn is_alike(&self, other: &Node<'_>) -> bool {
        match (self, other) {
            (Node::Text(_), Node::Text(_)) => true,
            (Node::List(one), Node::List(other)) => {
                one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.is_alike(b))
            }
            (Node::Object(one), Node::Object(other)) => {
                let mut pairs = one.iter().zip(other);
                one.len() == other.len() && pairs.all(|((_, a), (_, b))| a.is_alike(b))
            }
            (one, other) => one == other,
        }
    }

    /// Whether the value says something: not null, not blank and not empty.
    pub fn is_filled(&self) -> bool {
        match self {
            Node::Null => false,
            Node::Text(text) => !text.trim().is_empty(),
            Node::List(items) => !items.is_empty(),
            Node::Object(entries) => !entries.is_empty(),
            Node::Bool(_) | Node::Number(_) => true,
        }
    }

    /// The kind of this value, with its article, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Node::Null => "null",
            Node::Bool(_) => "true or false",
            Node::Number(_) => "a number",
            Node::Text(_) => "text",
            Node::List(_) => "a list",
            Node::Object(_) => "an object",
        }
    }
}

/// The value without its places; the last value of a repeated key.
impl From<&Node<'_>> for Value {
    fn from(node: &Node<'_>) -> Self {
        match node {
            Node::Null => Self::Null,
            Node::Bool(flag) => Self::from(*flag),
            Node::Number(number) => Self::from(number.clone()),
            Node::Text(text) => Self::from(&**text),
            Node::List(items) => items.iter().map(|item| Self::from(&**item)).collect(),
            Node::Object(entries) => {
                entries.iter().map(|(key, value)| (key.to_string(), Self::from(&**value))).collect()
            }
        }
    }
}

/// The value of a key, or null where there is none, so that paths such as `event["data"]["name"]`
/// need no check at each step.
impl<'a> Index<&str> for Node<'a> {
    type Output = Node<'a>;

    fn index(&self, key: &str) -> &Node<'a> {
        static NULL: Node<'static> = Node::Null;
        self.get(key).unwrap_or(&NULL)
    }
}

/// A number as a person writes it: `7`, `1.5`, and `2` for `2.0`.
pub fn number_text(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(float) => float.to_string(),
        None => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: &str, value: i32) -> (std::borrow::Cow<'_, str>, Spanned<'_>) {
        (key.into(), Spanned::new(0..1, Node::Number(value.into())))
    }

    #[test]
    fn get_takes_the_last_of_repeated_keys() {
        let object = Node::Object([entry("a", 1), entry("b", 2), entry("a", 3)].into());
        assert_eq!(object.get("a"), Some(&Node::Number(3.into())));
        assert_eq!(object.get("b"), Some(&Node::Number(2.into())));
        assert_eq!(object.get("c"), None);
        assert_eq!(Node::Null.get("a"), None);
    }

    #[test]
    fn each_kind_answers_only_its_own_question() {
        let nodes = [
            (Node::Null, "null", "-----"),
            (Node::Bool(true), "true or false", "-b---"),
            (Node::Number(1.into()), "a number", "--n--"),
            (Node::Text("x".into()), "text", "t----"),
            (Node::List([].into()), "a list", "---l-"),
            (Node::Object([].into()), "an object", "----o"),
        ];
        for (node, kind, answers) in nodes {
            let answered = [
                node.as_text().map_or('-', |_| 't'),
                node.as_bool().map_or('-', |_| 'b'),
                node.as_f64().map_or('-', |_| 'n'),
                node.as_list().map_or('-', |_| 'l'),
                node.as_object().map_or('-', |_| 'o'),
            ];
            assert_eq!(answered.iter().collect::<String>(), answers);
            assert_eq!(node.kind(), kind);
        }
    }
}
