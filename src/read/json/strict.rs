//! strict
use crate::read::json::node::Node;
fn conv(v: serde_json::Value) -> Node<'static> {
    match v {
        serde_json::Value::Null => Node::Null,
        serde_json::Value::Bool(b) => Node::Bool(b),
        serde_json::Value::Number(n) => n.as_i128().map_or(Node::Float(n.as_f64().unwrap_or(0.0)), Node::Integer),
        serde_json::Value::String(s) => Node::Text(s.into()),
        serde_json::Value::Array(a) => Node::List(a.into_iter().map(conv).collect()),
        serde_json::Value::Object(o) => Node::Object(o.into_iter().map(|(k, v)| (k.into(), conv(v))).collect()),
    }
}
/// parse
pub fn parse(bytes: &[u8]) -> Result<Node<'_>, serde_json::Error> {
    serde_json::from_slice(bytes).map(conv)
}
