//! The strict reader: plain JSON, read by `serde_json` straight into a [`Node`].
//!
//! It borrows every string that holds no escape. Numbers outside the range of `f64`, lone
//! surrogates, byte order marks and more than 127 levels of nesting are errors, so that such
//! documents go on to the tolerant reader.
//!
//! The `arbitrary_precision` feature of `serde_json` must stay off: with it, numbers arrive here
//! as objects.

use std::borrow::Cow;
use std::fmt;

use serde::de::Deserialize;
use serde::de::DeserializeSeed;
use serde::de::Deserializer;
use serde::de::Error;
use serde::de::MapAccess;
use serde::de::SeqAccess;
use serde::de::Visitor;

use super::node::Node;

/// Room for the entries of an object before its vector has to grow.
const ENTRIES: usize = 8;

/// Reads `bytes` as one JSON document.
pub fn parse(bytes: &[u8]) -> Result<Node<'_>, serde_json::Error> {
    match str::from_utf8(bytes) {
        Ok(text) => serde_json::from_str(text),
        // Fails as well, but says at which line and column.
        Err(_) => serde_json::from_slice(bytes),
    }
}

impl<'de> Deserialize<'de> for Node<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(Node::Integer(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Self::Value, E> {
        if value.is_finite() {
            Ok(Node::Float(value))
        } else {
            Err(E::custom("number out of range"))
        }
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Node::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Node::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
        Ok(Node::Text(Cow::Owned(text)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let Some(first) = entries.next_key_seed(Key)? else {
            return Ok(Node::Object(Vec::new()));
        };
        let mut object = Vec::with_capacity(ENTRIES);
        object.push((first, entries.next_value()?));
        while let Some(key) = entries.next_key_seed(Key)? {
            object.push((key, entries.next_value()?));
        }
        // Documents of many small objects are common, and the tree is larger than the text.
        object.shrink_to_fit();
        Ok(Node::Object(object))
    }
}

/// Reads a key, borrowing it where it holds no escape; `Cow` itself would always copy.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::super::node::Node;
    use super::parse;

    #[test]
    fn scalars() {
        let table = [
            ("null", Node::Null),
            (" true\n", Node::Bool(true)),
            ("7", Node::Integer(7)),
            ("-7", Node::Integer(-7)),
            ("18446744073709551615", Node::Integer(u64::MAX.into())),
            ("18446744073709551616", Node::Float(18446744073709551616.0)),
            ("1.5e3", Node::Float(1500.0)),
            (r#""a\nb""#, Node::Text("a\nb".into())),
        ];
        for (text, node) in table {
            assert_eq!(parse(text.as_bytes()).ok(), Some(node), "{text}");
        }
    }

    #[test]
    fn objects_keep_order_and_repetitions() {
        let node = parse(br#"{"b":1,"a":[],"b":{}}"#).expect("readable");
        let keys: Vec<_> =
            node.as_object().expect("readable").iter().map(|(key, _)| &**key).collect();
        assert_eq!(keys, ["b", "a", "b"]);
        assert_eq!(node.get("b"), Some(&Node::Object(vec![])));
    }

    #[test]
    fn text_without_escapes_is_borrowed() {
        let node = parse(br#"{"key":"value","k\u0065y":"val\u0075e"}"#).expect("readable");
        let entries = node.as_object().expect("an object");
        let borrowed = |text: &Cow<str>| matches!(text, Cow::Borrowed(_));
        assert!(borrowed(&entries[0].0) && !borrowed(&entries[1].0));
        assert!(matches!(&entries[0].1, Node::Text(text) if borrowed(text)));
        assert!(matches!(&entries[1].1, Node::Text(text) if !borrowed(text)));
    }

    #[test]
    fn departures_from_json_are_errors() {
        let table: [&[u8]; 9] = [
            b"",
            b"1e400",
            b"[1,]",
            b"{} {}",
            br#""\ud800""#,
            b"\"a\nb\"",
            b"\"\xff\"",
            b"\xef\xbb\xbf{}",
            b"NaN",
        ];
        for bytes in table {
            assert!(parse(bytes).is_err(), "{bytes:?}");
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        assert!(parse(&[b'['; 100_000]).is_err());
        assert!(parse(br#"{"a":"#.repeat(100_000).as_slice()).is_err());
    }
}
