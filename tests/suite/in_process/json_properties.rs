//! Properties of the JSON readers on generated documents.

use evalbook::json::LineIndex;
use evalbook::json::Node;
use evalbook::json::Spanned;
use evalbook::json::SpannedValue;
use evalbook::json::Step;
use evalbook::json::decode;
use evalbook::json::parse_strict;
use evalbook::json::parse_tolerant;
use proptest::collection::vec;
use proptest::prelude::Just;
use proptest::prelude::Strategy;
use proptest::prelude::any;
use proptest::prop_oneof;
use proptest::proptest;
use proptest::sample::Index;
use proptest::sample::select;

/// Pieces of text that matter to the readers.
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

/// Reads `text` both ways and checks what must hold for any text.
fn check(text: &str) {
    let read = parse_tolerant(text);
    if let Ok(read) = &read {
        check_span(text, &read.root);
        for repair in &read.repairs {
            assert!(text.get(repair.span.clone()).is_some(), "{repair:?} in {text:?}");
        }
        read.root.duplicate_keys();
    }
    if let Ok(node) = parse_strict(text.as_bytes()) {
        let read = read.expect("readable");
        assert_eq!(read.repairs, [], "{text:?}");
        assert_eq!(read.root.into_node(), node, "{text:?}");
    }
}

fn check_span(text: &str, value: &Spanned) {
    assert!(text.get(value.span.clone()).is_some(), "{value:?} in {text:?}");
    let inside = |span: &std::ops::Range<usize>| {
        assert!(value.span.start <= span.start && span.end <= value.span.end, "{text:?}");
    };
    match &value.value {
        SpannedValue::List(items) => items.iter().for_each(|item| {
            inside(&item.span);
            check_span(text, item);
        }),
        SpannedValue::Object(entries) => entries.iter().for_each(|entry| {
            inside(&entry.key_span);
            inside(&entry.value.span);
            assert!(entry.key_span.end <= entry.value.span.start, "{text:?}");
            check_span(text, &entry.value);
        }),
        _ => {}
    }
}

/// Checks that every path in `node` finds the source text of its value.
fn check_paths(text: &str, root: &Spanned, node: &Node, path: &mut Vec<Step>) {
    let span = root.find(path).expect("a value").span.clone();
    assert_eq!(
        &parse_strict(text[span].as_bytes()).expect("readable"),
        node,
        "{path:?} in {text:?}"
    );
    let mut visit = |step: Step, value: &Node| {
        path.push(step);
        check_paths(text, root, value, path);
        path.pop();
    };
    for (index, item) in node.as_list().unwrap_or_default().iter().enumerate() {
        visit(Step::Index(index), item);
    }
    for (key, _) in node.as_object().unwrap_or_default() {
        visit(Step::Key(key.to_string()), node.get(key).expect("a value"));
    }
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
        assert!(column <= index.line(&decoded.text, line).chars().count() + 3);
        check(&decoded.text);
    }

    #[test]
    fn strict_documents_need_no_repair(text in document()) {
        assert!(parse_strict(text.as_bytes()).is_ok(), "{text:?}");
        check(&text);
    }

    #[test]
    fn find_gives_the_source_of_every_value(text in document()) {
        let read = parse_tolerant(&text).expect("readable");
        let node = parse_strict(text.as_bytes()).expect("readable");
        check_paths(&text, &read.root, &node, &mut Vec::new());
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
        assert!(!opens || parse_tolerant(&text[..at]).is_ok(), "{:?}", &text[..at]);
    }
}
