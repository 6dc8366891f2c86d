//! The schemas of what evalbook writes for programs: `report.json` from its types and their
//! comments, a line of `runs.jsonl` from its columns.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::render::export::run_columns;
use crate::report_json::ReportJson;

/// What the names of the types end with.
const ENDING: &str = "Json";

/// Words of the generator that say nothing here: widths of numbers in memory, what is taken where a
/// field is missing, and that evalbook does not read a field back.
const NEEDLESS: [&str; 4] = ["format", "default", "title", "readOnly"];

pub(super) fn report() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = settings.into_generator().into_root_schema_for::<ReportJson<'static>>();
    let mut schema = schema.to_value();
    tidy(&mut schema);
    if let Value::Object(words) = &mut schema {
        // The kind says these.
        words.retain(|word, _| !matches!(word.as_str(), "$schema" | "description"));
    }
    schema
}

/// Takes what is needless out of a schema and all in it, and calls the shapes by their own names.
fn tidy(schema: &mut Value) {
    let Value::Object(words) = schema else { return };
    words.retain(|word, _| !NEEDLESS.contains(&word.as_str()));
    for (word, value) in words.iter_mut() {
        match (word.as_str(), value) {
            ("$ref", Value::String(name)) => *name = own(name),
            ("description", Value::String(text)) => *text = text.replace('\n', " "),
            ("$defs", Value::Object(shapes)) => *shapes = renamed(std::mem::take(shapes)),
            ("properties", Value::Object(fields)) => fields.values_mut().for_each(tidy),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(parts)) => {
                parts.iter_mut().for_each(tidy)
            }
            ("items" | "additionalProperties", value) => tidy(value),
            _ => {}
        }
    }
}

fn renamed(shapes: Map<String, Value>) -> Map<String, Value> {
    let shapes = shapes.into_iter().map(|(name, mut shape)| {
        tidy(&mut shape);
        (own(&name), shape)
    });
    shapes.collect()
}

fn own(name: &str) -> String {
    name.strip_suffix(ENDING).unwrap_or(name).to_owned()
}

/// The schema of a line of `runs.jsonl`.
pub(super) fn run_line() -> Value {
    let columns = run_columns();
    let properties: Map<String, Value> = columns
        .iter()
        .map(|[name, unit, meaning]| ((*name).to_owned(), value(unit, meaning)))
        .collect();
    let names: Vec<&str> = columns.iter().map(|[name, _, _]| *name).collect();
    json!({ "type": "object", "properties": properties, "required": names })
}

/// A column with a unit holds numbers, but for the two that say what else it holds.
fn value(unit: &str, meaning: &str) -> Value {
    let described = format!("{meaning}; {unit}");
    match unit {
        "" => json!({ "type": ["string", "null"], "description": meaning }),
        "as written" => json!({ "type": ["string", "null"], "description": described }),
        "true or false" => json!({ "type": ["boolean", "null"], "description": meaning }),
        "0 to 1" => json!({
            "type": ["number", "null"], "minimum": 0, "maximum": 1, "description": described
        }),
        _ => json!({ "type": ["number", "null"], "description": described }),
    }
}
