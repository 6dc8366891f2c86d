//! Properties of the JSON reader on generated documents.

use evalbook::json::LineIndex;
use evalbook::json::Node;
use evalbook::json::RepairKind;
use evalbook::json::Spanned;
use evalbook::json::decode;
use evalbook::json::parse;
use evalbook::json::parse_strict;
use proptest::collection::vec;
use proptest::prelude::Just;
use proptest::prelude::Strategy;
use proptest::prelude::any;
use proptest::prop_oneof;
use proptest::proptest;
use proptest::sample::Index;
use proptest::sample::select;
use serde_json::Value;

/// Pieces of text that matter to the reader.
const PIECES: &[&str] = &[
    "\"",
    "\"",
    "\"",
    "'",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "=",
    " ",
    "\n",
    "\r\n",
    "\t",
    "\\",
    "\\\"",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "\\u00e9",
    "#",
    "# ",
    "//",
    "/*",
    "*/",
    "```",
    "```json\n",
    "-",
    "+",
    ".",
    "0",
    "7",
    "12",
    "1e400",
    "e",
    "true",
    "null",
    "NaN",
    "None",
    "a",
    "key",
    "\"a\"",
    "\"a\":",
    "\"x\",",
    "b:",
    "é",
    "😀",
    "\u{a0}",
    "\u{feff}",
    "\u{fffd}",
    "\0",
    "\u{1}",
    "word word",
];

fn fragments() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..60).prop_map(|pieces| pieces.concat())
}

fn space() -> impl Strategy<Value = &'static str> {
    select(&["", "", " ", "\n", "\t", "\r\n  "][..])
}

fn string() -> impl Strategy<Value = String> {
    let escapes = select(&["\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "\\/", "'"][..]);
    let plain = select(&["a", " ", "//", "#", ",", ":", "{", "}", "[", "]", "é", "\u{7f}"][..]);
    let pieces = vec(prop_oneof![escapes, plain], 0..6);
    pieces.prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        proptest::num::f64::NORMAL.prop_map(|number| format!("{number:?}")),
        Just("-0".to_owned()),
        Just("123456789012345678901234567890".to_owned()),
        Just("1E-400".to_owned()),
    ]
}

/// Strictly valid documents, with white space anywhere.
fn document() -> impl Strategy<Value = String> {
    let words = select(&["null", "true", "false"][..]).prop_map(str::to_owned);
    let leaf = prop_oneof![words, number(), string()];
    let spaced =
        |value| (space(), value, space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
    let tree = leaf.prop_recursive(5, 40, 6, move |value| {
        let entry = (space(), string(), space(), spaced(value.clone()))
            .prop_map(|(a, key, b, value)| format!("{a}{key}{b}:{value}"));
        prop_oneof![
            vec(spaced(value), 0..6).prop_map(|items| format!("[{}]", items.join(","))),
            vec(entry, 0..6).prop_map(|entries| format!("{{{}}}", entries.join(","))),
        ]
    });
    (space(), tree, space()).prop_map(|(a, value, b)| format!("{a}{value}{b}"))
}

/// Reads `text` and checks what must hold for any text, with `serde_json` as the judge of what is
/// strictly JSON.
fn check(text: &str) {
    let strict = serde_json::from_str::<Value>(text).ok();
    let Ok(parsed) = parse(text) else {
        assert_eq!(strict, None, "{text:?}");
        return;
    };
    check_spans(text, &parsed.root);
    for repair in &parsed.repairs {
        assert!(text.is_char_boundary(repair.at), "{repair:?} in {text:?}");
    }
    let is_duplicate = |kind: &RepairKind| matches!(kind, RepairKind::DuplicateKey(_));
    let is_repaired = parsed.repairs.iter().any(|repair| !is_duplicate(&repair.kind));
    let is_marked = text.starts_with('\u{feff}');
    assert_eq!(is_repaired || is_marked, strict.is_none(), "{text:?}");
    if let Some(strict) = strict {
        assert_eq!(value(&parsed.root), strict, "{text:?}");
    }
}

fn value(node: &Node<'_>) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(flag) => Value::from(*flag),
        Node::Integer(number) => match i64::try_from(*number) {
            Ok(number) => Value::from(number),
            Err(_) => Value::from(u64::try_from(*number).expect("64 bits")),
        },
        Node::Float(number) => Value::from(*number),
        Node::Text(text) => Value::from(&**text),
        Node::List(items) => items.iter().map(|item| value(item)).collect(),
        Node::Object(entries) => {
            entries.iter().map(|(key, item)| (key.to_string(), value(item))).collect()
        }
    }
}

/// The values directly inside a value.
fn children<'v, 't>(value: &'v Spanned<'t>) -> Vec<&'v Spanned<'t>> {
    let items = value.as_list().unwrap_or_default().iter();
    items.chain(value.as_object().unwrap_or_default().iter().map(|(_, value)| value)).collect()
}

/// Checks that values lie within their container, one behind the other.
fn check_spans(text: &str, value: &Spanned) {
    assert!(text.get(value.span.clone()).is_some(), "{value:?} in {text:?}");
    let mut from = value.span.start;
    for child in children(value) {
        assert!(from < child.span.start && child.span.end <= value.span.end, "{text:?}");
        from = child.span.end - 1;
        check_spans(text, child);
    }
}

/// Checks that every span is the source of its value.
fn check_sources(text: &str, found: &Spanned) {
    let source: Value = serde_json::from_str(&text[found.span.clone()]).expect("readable");
    assert_eq!(source, value(found), "{text:?}");
    children(found).into_iter().for_each(|child| check_sources(text, child));
}

proptest! {
    #[test]
    fn any_text_is_safe(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_fragments_are_safe(text in fragments(), open in select(&["", "[", "{", "[\"", "{\"a\": \""][..])) {
        check(&(open.to_owned() + &text));
    }

    #[test]
    fn any_bytes_decode(bytes in vec(any::<u8>(), 0..200), offset in 0..300_usize) {
        let decoded = decode(&bytes);
        let index = LineIndex::new(&decoded.text);
        let (line, column) = index.place(&decoded.text, offset);
        let line = decoded.text.split('\n').nth(line - 1).expect("a line");
        assert!(column <= line.chars().count() + 1);
        check(&decoded.text);
    }

    #[test]
    fn strict_documents_need_no_repair(text in document()) {
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "{text:?}");
        check(&text);
    }

    #[test]
    fn spans_are_the_source_of_every_value(text in document()) {
        check_sources(&text, &parse(&text).expect("readable").root);
    }

    #[test]
    fn strict_reading_is_strict(text in document(), at in any::<Index>(), piece in select(PIECES)) {
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        let damaged = [&text[..at], piece, &text[at..]].concat();
        if parse_strict(&damaged).is_ok() && !damaged.starts_with('\u{feff}') {
            assert!(serde_json::from_str::<Value>(&damaged).is_ok(), "{damaged:?}");
        }
    }

    #[test]
    fn damaged_documents_are_safe(text in document(), at in any::<Index>(), piece in select(PIECES), cut in 0..3_usize) {
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        let after = text.ceil_char_boundary(at + cut);
        check(&[&text[..at], piece, &text[after..]].concat());
        check(&text[..at]);
    }

    #[test]
    fn cut_documents_are_read(text in document(), at in any::<Index>()) {
        let at = text.floor_char_boundary(at.index(text.len() + 1));
        let opens = text[..at].trim_start().starts_with(['{', '[']);
        assert!(!opens || parse(&text[..at]).is_ok(), "{:?}", &text[..at]);
    }
}
