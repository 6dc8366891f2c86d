//! The list of tools, and the JSON that they write.

use testing::table::first_column;

use crate::TOOLS;
use crate::values;

#[test]
fn the_reference_has_a_row_for_each_tool() {
    let page = include_str!("../../../docs/src/reference/evaluators.md");
    let mut tools: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
    tools.sort_by_key(|name| name.to_lowercase());
    assert_eq!(first_column(page), tools);
}

#[test]
fn numbers_that_json_does_not_have_are_absent() {
    let [odd, null, cut] =
        [r#"{"a": NaN, "b":-Infinity}"#, r#"{"a": null, "b": null}"#, r#"{"a": NaN"#]
            .map(|text| values::parse("a.json", text).ok());
    assert!(odd.is_some() && odd == null);
    assert_eq!(cut, None);
}
