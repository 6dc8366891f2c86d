//! Values of a record as text for people.

use json::{Node, number_text};

/// A value as text for people: texts unchanged, the fields of an object one per line.
pub(super) fn plain(node: &Node<'_>) -> String {
    let mut text = String::new();
    write_plain(node, &mut text, 0);
    text
}

fn write_plain(node: &Node<'_>, out: &mut String, depth: usize) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Node::Number(number) => out.push_str(&number_text(number)),
        Node::Text(text) => out.push_str(text),
        Node::List(items) => {
            for item in items {
                write_line("", item, out, depth);
            }
        }
        Node::Object(_) if node["type"].as_text() == Some("text") => {
            write_plain(&node["text"], out, depth);
        }
        Node::Object(fields) => {
            for (name, value) in fields {
                write_line(name, value, out, depth);
            }
        }
    }
}

fn write_line(name: &str, value: &Node<'_>, out: &mut String, depth: usize) {
    /// Deeper values are not indented further, or the indents of hostile nesting add up.
    const DEEPEST_INDENT: usize = 20;
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(&"  ".repeat(depth.min(DEEPEST_INDENT)));
    if !name.is_empty() {
        out.push_str(name);
        out.push_str(": ");
    }
    let is_nested = matches!(value, Node::List(_) | Node::Object(_));
    write_plain(value, out, if is_nested { depth + 1 } else { depth });
}
