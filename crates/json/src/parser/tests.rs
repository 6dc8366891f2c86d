use super::super::node::Node;
use super::super::repair_kind::RepairKind;
use super::parse;
use super::parse_strict;
use testing::table::rows;

/// A tree as JSON without spaces, with every repetition of a key.
fn written(node: &Node<'_>) -> String {
    match node {
        Node::Null => "null".to_owned(),
        Node::Bool(value) => value.to_string(),
        Node::Number(value) => value.to_string(),
        Node::Text(text) => serde_json::to_string(text).expect("a text"),
        Node::List(items) => {
            let items: Vec<_> = items.iter().map(|item| written(item)).collect();
            format!("[{}]", items.join(","))
        }
        Node::Object(entries) => {
            let entries: Vec<_> = entries
                .iter()
                .map(|(key, value)| format!("{}:{}", serde_json::json!(key), written(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
    }
}

/// Checks that each document has this tree and these repairs, all in order.
fn check(table: &str) {
    for [text, tree, repairs] in rows(table) {
        let parsed = parse(&text).unwrap_or_else(|error| panic!("{text}\n{error}"));
        let actual: Vec<String> = parsed
            .repairs
            .iter()
            .map(|repair| {
                format!("{:?}", repair.kind).split('(').next().expect("a name").to_owned()
            })
            .collect();
        assert_eq!((written(&parsed.root), actual.join(" ")), (tree, repairs), "{text}");
    }
}

/// Checks where and why each text is not a document.
fn refuse(table: &str) {
    for [text, expected] in rows(table) {
        assert_eq!(refusal(&text), expected, "{text}");
    }
}

fn refusal(text: &str) -> String {
    parse(text).map(|parsed| written(&parsed.root)).expect_err(text).to_string()
}

#[test]
fn marks_of_the_order_of_bytes_and_hard_blanks_are_what_they_are() {
    assert_eq!(written(&parse("\u{feff}{}").expect("a document").root), "{}");
    assert_eq!(refusal("\u{feff} \n"), "the file is empty at line 1, column 1");
    let key = "expected a key in quotes, found `}` at line 1, column 2";
    assert_eq!(refusal("{\u{a0}}"), key);
}

#[test]
fn strict_documents_need_no_repair() {
    check(
        r#"
        {} => {} =>
        ␣[ ]␣ => [] =>
        ␣"a"␣ => "a" =>
        -1.5e3 => -1500.0 =>
        {"a":[1,"x",{"b":null}]} => {"a":[1,"x",{"b":null}]} =>
        "\ud83d\ude00\/\u00e9\n\"\\" => "😀/é\n\"\\" =>
        {"a": "it's", "b": "x, \"y\": z"} => {"a":"it's","b":"x, \"y\": z"} =>
    "#,
    );
}

#[test]
fn spans_are_the_source_of_values() {
    let text = r#"{"a": [1, "x" , {}], "b" : null}"#;
    let root = parse_strict(text).expect("a document");
    let source = |span: &std::ops::Range<usize>| &text[span.clone()];
    assert_eq!(source(&root.span()), text);
    let entries = root.as_object().expect("an object");
    assert_eq!(source(&entries[0].1.span()), r#"[1, "x" , {}]"#);
    assert_eq!(source(&entries[1].1.span()), "null");
    let items: Vec<_> = entries[0].1.as_list().expect("a list").iter().collect();
    assert_eq!(
        items.iter().map(|item| source(&item.span())).collect::<Vec<_>>(),
        ["1", r#""x""#, "{}"]
    );
}

#[test]
fn strings_whose_line_was_cut_end_with_it() {
    check(
        r#"
        {⏎  "prompt": "Read `<PATH>`. Ignore any other copy of `code-re...⏎  "checks": [⏎    "It names `a`, and maintainab...⏎    "It skips `b`."⏎  ]⏎}⏎ => {"prompt":"Read `<PATH>`. Ignore any other copy of `code-re...","checks":["It names `a`, and maintainab...","It skips `b`."]} => UnclosedString MissingComma UnclosedString MissingComma
        {"runs": [⏎  {⏎    "evidence": "1. Invoke\n2. Lo...⏎  },⏎  {⏎    "evidence": "x...⏎... (290 lines truncated)⏎ => {"runs":[{"evidence":"1. Invoke\n2. Lo..."},{"evidence":"x...\n... (290 lines truncated)"}]} => UnclosedString RawControl CutOff
        {"a": "text,⏎ "b": 1} => {"a":"text","b":1} => UnclosedString
        [{"a": "x⏎}⏎] => [{"a":"x"}] => UnclosedString
        {"a": ["x⏎]⏎, "b": 1} => {"a":["x"],"b":1} => UnclosedString
    "#,
    );
}

#[test]
fn raw_line_breaks_stay_in_their_string() {
    check(
        r#"
        ["a⏎b␉c"] => ["a\nb\tc"] => RawControl
        ["a␉b\""] => ["a\tb\""] => RawControl
        {"a": "f {⏎}⏎end", "b": 1} => {"a":"f {\n}\nend","b":1} => RawControl
        {"a": "f {⏎}⏎",⏎"b": 1} => {"a":"f {\n}\n","b":1} => RawControl
        {"a": "say:⏎"no" and go"} => {"a":"say:\n\"no\" and go"} => RawControl UnescapedQuote UnescapedQuote
    "#,
    );
}

#[test]
fn quotes_inside_a_string_need_no_escape() {
    check(
        r#"
        {"a": "'The perceived "overhead" is', he said", "b": 1} => {"a":"'The perceived \"overhead\" is', he said","b":1} => UnescapedQuote UnescapedQuote
        {"a": "he said "yes"", "b": 1} => {"a":"he said \"yes\"","b":1} => UnescapedQuote UnescapedQuote
        {"a": ""yes", he said", "b": 1} => {"a":"\"yes\", he said","b":1} => UnescapedQuote UnescapedQuote
        {"a": "see ["x", "y"] there"} => {"a":"see [\"x\", \"y\"] there"} => UnescapedQuote UnescapedQuote UnescapedQuote UnescapedQuote
        ["the "best" answer", "x"] => ["the \"best\" answer","x"] => UnescapedQuote UnescapedQuote
        ["he said "yes", then left", 5, "x"] => ["he said \"yes\", then left",5,"x"] => UnescapedQuote UnescapedQuote
    "#,
    );
}

#[test]
fn commas() {
    check(
        r#"
        [1, 2,] => [1,2] => TrailingComma
        {"a": 1,⏎} => {"a":1} => TrailingComma
        {"a": 1⏎"b": "x"⏎"c": []⏎} => {"a":1,"b":"x","c":[]} => MissingComma MissingComma
        ["a"⏎"b"⏎1⏎{}] => ["a","b",1,{}] => MissingComma MissingComma MissingComma
        {"a": "Plan it." "b": true "c": 1} => {"a":"Plan it.","b":true,"c":1} => MissingComma MissingComma
        ["one" "two", "three"] => ["one","two","three"] => MissingComma
        [{"a": 1} {"a": 2}] => [{"a":1},{"a":2}] => MissingComma
        ["it prints "a" "b", then stops"] => ["it prints \"a\" \"b\", then stops"] => UnescapedQuote UnescapedQuote UnescapedQuote UnescapedQuote
    "#,
    );
}

#[test]
fn colons() {
    check(
        r#"
        {"a" 1, "b": 2} => {"a":1,"b":2} => MissingColon
        [{"a": "x",⏎"b" false},⏎{"a": "y", "b": true}] => [{"a":"x","b":false},{"a":"y","b":true}] => MissingColon
        [{"a": "x", "b" "z"}, {"a": "y", "b": "w"}] => [{"a":"x","b":"z"},{"a":"y","b":"w"}] => MissingColon
        {"a": "it is "b", "c" "d", no more"} => {"a":"it is \"b\", \"c\" \"d\", no more"} => UnescapedQuote UnescapedQuote UnescapedQuote UnescapedQuote UnescapedQuote UnescapedQuote
    "#,
    );
}

#[test]
fn a_missing_sign_is_shown_in_its_line() {
    for (text, place, line) in [
        ("{\n  \"a\": \"x\",\n  \"b\" false,\n  \"c\": 1\n}", 19, "\"b\": false,"),
        ("[\n  \"a\"\n  \"b\"\n]", 7, "\"a\","),
    ] {
        let repairs = parse(text).expect("a document").repairs;
        assert_eq!(repairs.len(), 1);
        let [_, _, help] = repairs[0].kind.explain();
        assert_eq!((repairs[0].at, help), (place, format!("write `{line}`")));
    }
}

#[test]
fn comments() {
    check(
        r#"
        // x⏎{ /* "a" */ "b": 1 # c⏎, "d": 2 // e⏎} # f => {"b":1,"d":2} => Comment Comment Comment Comment Comment
        {"a": "x", // y⏎ "b": "z" # w⏎} => {"a":"x","b":"z"} => Comment Comment
        [1 /* never closed ] => [1] => Comment CutOff
    "#,
    );
}

#[test]
fn python_values() {
    check(
        r#"
        {'a': 'it\'s', 'b': [True, False, None], "c": 'd"e'} => {"a":"it's","b":[true,false,null],"c":"d\"e"} => SingleQuotes SingleQuotes SingleQuotes BooleanCase BooleanCase NoValue SingleQuotes
        {'a': 'it's'} => {"a":"it's"} => SingleQuotes SingleQuotes UnescapedQuote
        [NaN, -Infinity, 1e999, +0.111] => [null,null,null,0.111] => NoValue NoValue NoValue NumberSpelling
    "#,
    );
}

#[test]
fn text_without_quotes() {
    check(
        r#"
        {"start":20260618T212203Z,"end":20260618T212204Z} => {"start":"20260618T212203Z","end":"20260618T212204Z"} => UnquotedText UnquotedText
        {"at": 2026-06-18T21:22:03Z } => {"at":"2026-06-18T21:22:03Z"} => UnquotedText
        {"a": not recorded⏎} => {"a":"not recorded"} => UnquotedText
        [1, PASS] => [1,"PASS"] => UnquotedText
    "#,
    );
}

#[test]
fn keys_without_quotes() {
    check(
        r#"
        {a: 1, b_2 : "x"} => {"a":1,"b_2":"x"} => UnquotedKey UnquotedKey
        [{"text": "x", "passed": true}, {"text": "y", passed: false}] => [{"text":"x","passed":true},{"text":"y","passed":false}] => UnquotedKey
        {"text": "said "so", note: nothing"} => {"text":"said \"so\", note: nothing"} => UnescapedQuote UnescapedQuote
    "#,
    );
}

#[test]
fn cut_off_documents_keep_their_beginning() {
    check(
        r#"
        [ => [] => CutOff
        {"a": "x", "b => {"a":"x"} => CutOff
        {"a": "x", "b" => {"a":"x"} => CutOff
        {"a": "x", "b": => {"a":"x"} => CutOff
        {"a": "x", "b": tru => {"a":"x"} => CutOff
        {"a": "x", "b": "tex => {"a":"x","b":"tex"} => CutOff
        {"a": "tex\ => {"a":"tex"} => CutOff
        {"a": "tex\ud83d\ud => {"a":"tex"} => CutOff
        ["a", "b => ["a","b"] => CutOff
        [1, => [1] => CutOff
        [1, 2⏎ => [1,2] => CutOff
    "#,
    );
}

#[test]
fn a_number_at_the_end_of_a_cut_off_document_may_be_half_of_it() {
    check(
        r#"
        [1, 84 => [1] => CutOff
        {"a": [1, 8 => {"a":[1]} => CutOff
    "#,
    );
}

#[test]
fn repeated_keys_are_listed() {
    check(
        r#"
        {"b":1,"a":[],"b":{}} => {"b":1,"a":[],"b":{}} => DuplicateKey
        [{"a":1,"a":2,"a":3},{"a":1}] => [{"a":1,"a":2,"a":3},{"a":1}] => DuplicateKey DuplicateKey
    "#,
    );
    assert_eq!(parse(r#"{"b":1, "b":2}"#).expect("a document").repairs[0].at, 8);
}

#[test]
fn errors_name_the_expectation() {
    refuse(
        r#"
        [1 2] => expected `,` or `]`, found `2]` at line 1, column 4
        [1, 2} => expected `,` or `]`, found `}` at line 1, column 6
        [,] => expected a value, found `,]` at line 1, column 2
        {"a": 1,⏎ b-c: 2} => expected a key in quotes, found `b-c:` at line 2, column 2
        {"a" one, "b": 2} => expected `:`, found `one,` at line 1, column 6
        {"a": , "b": 1} => expected a value, found `,` at line 1, column 7
        {"total_tokens": 84,852} => expected a key in quotes, found `852}` at line 1, column 21
        {"a": 5 points} => expected `,` or `}`, found `points}` at line 1, column 9
        ["C:\dir"] => expected an escape such as `\\` or `\n`, found `\dir"]` at line 1, column 5
        ["\ud800x"] => expected an escape such as `\\` or `\n`, found `\ud800x"]` at line 1, column 3
        {"a": "text, "b": 1} => the string that begins here has no clear end at line 1, column 7
        {} thanks => expected the end of the file, found `thanks` at line 1, column 4
        {"a": 1}⏎{"a": 2} => expected the end of the file, found `{"a":` at line 2, column 1
        [1, ␀] => expected a value, found ` ]` at line 1, column 5
    "#,
    );
}

#[test]
fn files_without_a_document() {
    refuse(
        r#"
         => the file is empty at line 1, column 1
        // nothing => expected a value, found the end of the file at line 1, column 11
        ␣test_case:abc overall_result:PASS => the file begins with `test_case:abc`, not with `{` or `[` at line 1, column 2
        ```json⏎{}⏎``` => the file begins with `'''json`, not with `{` or `[` at line 1, column 1
        5 apples => expected the end of the file, found `apples` at line 1, column 3
        �PNG␍⏎␚⏎␀␀␀␍IHDR => the file is binary, not JSON at line 1, column 1
        PK␃␄␀␀ => the file is binary, not JSON at line 1, column 1
    "#,
    );
}

#[test]
fn nesting_has_a_limit() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert_eq!(parse(&nested(128)).expect("a document").repairs, []);
    for text in [nested(100_000), r#"{"a":"#.repeat(100_000)] {
        let error = parse(&text).expect_err("too deep");
        assert_eq!(error.message, "nested deeper than 128 levels");
    }
}

#[test]
fn at_most_1000_repairs_are_listed() {
    let text = format!("[{}]", "1\n".repeat(5000));
    assert_eq!(parse(&text).expect("readable").repairs.len(), 1000);
    let cut_off = parse(&text[..text.len() - 1]).expect("readable").repairs;
    assert_eq!(cut_off.last().map(|repair| &repair.kind), Some(&RepairKind::CutOff(1)));
}

#[test]
fn strict_reading_repairs_nothing() {
    assert!(parse_strict("[1]").is_ok());
    let error = parse_strict("[\n1,]").expect_err("a trailing comma");
    assert_eq!(error.to_string(), "comma after the last value at line 2, column 2");
    assert!(parse_strict(r#"{"a":1,"a":1}"#).is_err());
}

#[test]
fn text_without_escapes_is_borrowed() {
    let root = parse(r#"{"key":"value","k\u0065y2":"val\u0075e"}"#).expect("a document").root;
    let entries = root.as_object().expect("an object");
    let is_borrowed = |text: &std::borrow::Cow<str>| matches!(text, std::borrow::Cow::Borrowed(_));
    assert!(is_borrowed(&entries[0].0) && !is_borrowed(&entries[1].0));
    assert!(matches!(&entries[0].1.node, Node::Text(text) if is_borrowed(text)));
    assert!(matches!(&entries[1].1.node, Node::Text(text) if !is_borrowed(text)));
}

/// A reader that searched to the end of the file at each of these would take hours.
#[test]
fn hostile_texts_take_time_in_proportion_to_their_length() {
    let units = [
        "\"",
        "\",",
        "\", \"",
        "\"\n",
        "\n\"",
        "\n\"a\"\n",
        "',\"",
        "',\"\\\"",
        "\n}",
        "\n]\n}",
        "\\",
        "\n\"a\":",
        "/*",
        "{\"a\":\"",
        "[\"\n",
        "\"a\" ",
        "a",
        "\n\"a",
        "\"a\",\n",
        "#",
        "\n}, \"",
    ];
    for open in ["", "{\"a\": \"", "[\"", "{'a': '", "[{\"a\": [\"", "/*"] {
        for unit in units {
            let text = open.to_owned() + &unit.repeat(200_000 / unit.len());
            let _ = parse(&text);
        }
    }
}
