//! No text makes the tolerant reader panic, and what is JSON is read as serde_json reads it.

use json::Node;
use serde_json::Value;

pub fn check(text: &str) {
    let read = json::parse(text);
    let Ok(value) = serde_json::from_str::<Value>(text) else { return };
    let Ok(read) = read else { panic!("JSON is not read: {text}") };
    assert_eq!(is_object(&read.root.node), value.is_object(), "{text}");
    if let (Node::List(items), Value::Array(values)) = (&read.root.node, &value) {
        assert_eq!(items.len(), values.len(), "{text}");
    }
}

fn is_object(node: &Node<'_>) -> bool {
    matches!(node, Node::Object(_))
}
