use crate::report_json::read;

fn error(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn an_error_has_its_position() {
    let cases = [
        ("", "1:1: eof while parsing a value"),
        ("{\"schema_version\": 1,\n \"workspaces\": [}", "2:17: expected value"),
        ("{}", "1:2: missing field `schema_version`"),
        ("[1]", "1:"),
        ("{\"schema_version\": 1}", "1:21: missing field `workspaces`"),
        (
            "{\n  \"schema_version\": 7, \"new\": []}",
            "2:3: the schema has version 7; this program reads version 1",
        ),
        (
            "{\"schema_version\": 1, \"workspaces\": [{\"name\": 3}]}",
            "1:47: invalid type: integer `3`",
        ),
    ];
    for (text, expected) in cases {
        let message = error(text);
        assert!(message.to_lowercase().starts_with(expected), "{text}: {message}");
    }
    assert_eq!(read("{\"schema_version\": 1, \"workspaces\": []}").unwrap(), []);
}
