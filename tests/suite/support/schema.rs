//! Checks documents against JSON Schemas.

use serde_json::Value;

/// Why `document`, called `name`, does not match; `None` where it does.
pub(crate) fn mismatch(schema: &Value, document: &Value, name: &str) -> Option<String> {
    let checker = jsonschema::validator_for(schema).expect("a schema");
    let error = checker.iter_errors(document).next()?;
    Some(format!("{name}{}: {error}", error.instance_path()))
}

/// The same for what evalbook writes: a field that the schema does not describe is a mismatch too.
pub(crate) fn mismatch_or_more(schema: &Value, document: &Value, name: &str) -> Option<String> {
    let mut closed = schema.clone();
    forbid_other_fields(&mut closed);
    mismatch(&closed, document, name)
}

fn forbid_other_fields(schema: &mut Value) {
    match schema {
        Value::Object(keywords) => {
            keywords.values_mut().for_each(forbid_other_fields);
            if keywords.get("properties").is_some_and(Value::is_object) {
                keywords.insert("unevaluatedProperties".to_owned(), Value::Bool(false));
            }
        }
        Value::Array(schemas) => schemas.iter_mut().for_each(forbid_other_fields),
        _ => {}
    }
}
