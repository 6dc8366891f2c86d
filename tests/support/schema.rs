//! Checks a document against a schema, for the part of JSON Schema that `evalbook schema` writes.
//! A word outside this part fails the test, so that nothing goes unchecked.

use serde_json::Value;

/// Why `document` does not match; none where it does.
pub(crate) fn mismatch(schema: &Value, document: &Value, way: &str) -> Option<String> {
    let words = schema.as_object().expect("a schema is an object");
    words.iter().find_map(|(word, value)| match word.as_str() {
        "$schema" | "title" | "description" => None,
        "type" => of_type(value, document, way),
        "anyOf" => any_of(value, document, way),
        "allOf" => list(value).iter().find_map(|part| mismatch(part, document, way)),
        "required" => required(value, document, way),
        "properties" => properties(value, document, way),
        "additionalProperties" => {
            let entries = document.as_object().into_iter().flatten();
            entries.into_iter().find_map(|(key, it)| mismatch(value, it, &format!("{way}.{key}")))
        }
        "items" => {
            let items = document.as_array().into_iter().flatten().enumerate();
            items.into_iter().find_map(|(at, it)| mismatch(value, it, &format!("{way}[{at}]")))
        }
        other => panic!("the schema has `{other}`, which is not checked"),
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn of_type(wanted: &Value, document: &Value, way: &str) -> Option<String> {
    let found = match document {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let fits =
        wanted == found || wanted.as_array().is_some_and(|all| all.iter().any(|it| it == found));
    (!fits).then(|| format!("{way}: {found} where {wanted} is wanted"))
}

fn any_of(parts: &Value, document: &Value, way: &str) -> Option<String> {
    let reasons: Option<Vec<String>> =
        list(parts).iter().map(|part| mismatch(part, document, way)).collect();
    reasons.map(|reasons| reasons.join("; or "))
}

fn required(keys: &Value, document: &Value, way: &str) -> Option<String> {
    let entries = document.as_object()?;
    let missing = list(keys).iter().find(|key| !entries.contains_key(key.as_str().expect("a key")));
    missing.map(|key| format!("{way}: without {key}"))
}

fn properties(known: &Value, document: &Value, way: &str) -> Option<String> {
    let entries = document.as_object()?.iter();
    let mut known = entries.filter_map(|(key, value)| Some((key, known.get(key)?, value)));
    known.find_map(|(key, schema, value)| mismatch(schema, value, &format!("{way}.{key}")))
}
