//! JSON Schemas for each kind of document: of those that are read, made from the table of spellings;
//! of those that evalbook writes, from its types.
//!
//! A schema describes documents that follow the rules: the readers accept more. Unknown fields are
//! allowed everywhere.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::baseline_json::Baseline;
use crate::render::export::run_columns;
use crate::report_json::ReportJson;
use input::model::verdict_words::verdict_pattern;
use workspace::read::alias::Field;
use workspace::read::forms::ValueForm::{self, ByName, Either, List, Object, Text, Written};
use workspace::read::forms::{Shape, TEXTS};

/// A kind of document.
#[derive(Debug)]
pub struct KindSchema {
    /// Its name on the command line.
    pub name: &'static str,
    /// The file it describes.
    pub about: &'static str,
    form: ValueForm,
}

/// Every kind that has a schema, in the order listed.
pub const KINDS: &[KindSchema] = &[
    kind(
        "grading",
        "grading.json: every expectation of one run with its verdict and evidence",
        Object(Shape::Grading),
    ),
    kind("timing", "timing.json: duration and tokens of one run", Object(Shape::Metrics)),
    kind(
        "metrics",
        "metrics.json: tool calls, errors and files of one run",
        Object(Shape::Metrics),
    ),
    kind(
        "eval_metadata",
        "eval_metadata.json: prompt and expectations of one case",
        Object(Shape::Metadata),
    ),
    kind(
        "evals",
        "evals.json: all cases of a skill",
        Either(&[Object(Shape::Evals), List(&Object(Shape::Case))]),
    ),
    kind(
        "measured",
        "measured.json: what a run is measured on, by digests",
        Object(Shape::Measured),
    ),
    kind(
        "reused",
        "reused.json: the run of an earlier iteration that counts again",
        Object(Shape::Reused),
    ),
    kind("benchmark", "benchmark.json: the figures of one iteration", Object(Shape::Benchmark)),
    kind(
        "feedback",
        "feedback.json: what people said of runs",
        Either(&[Object(Shape::Feedback), ByName(&Text)]),
    ),
    kind(
        "comparison",
        "comparison.json: a judge's choice between unnamed outputs",
        Object(Shape::Comparison),
    ),
    kind(
        "analysis",
        "analysis.json: what an analyst made of a comparison or an iteration",
        Either(&[Object(Shape::Analysis), TEXTS]),
    ),
    kind(
        "history",
        "history.json: the versions of a skill",
        Either(&[Object(Shape::History), List(&Object(Shape::Version))]),
    ),
    kind(
        "report",
        "report.json: everything of a report, as evalbook writes it",
        Written(written_schema::<ReportJson<'static>>),
    ),
    kind(
        "baseline",
        "baseline.json: the outcomes of one iteration, as evalbook writes them to be committed",
        Written(written_schema::<Baseline>),
    ),
    kind(
        "runs",
        "runs.jsonl: one line, which is one run, as evalbook writes it",
        Written(run_line_schema),
    ),
];

const fn kind(name: &'static str, about: &'static str, form: ValueForm) -> KindSchema {
    KindSchema { name, about, form }
}

/// The schema of the kind called `name`; `None` if there is no such kind.
///
/// It describes the documented spelling of each field, or every one that is read. Required fields may
/// always have any spelling.
// Editors complete documents by the documented spelling; a job checks those of any grader.
pub fn json_schema(name: &str, has_all_spellings: bool) -> Option<Value> {
    let kind = KINDS.iter().find(|kind| kind.name == name)?;
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind.name,
        "description": kind.about,
    });
    let mut builder = SchemaBuilder { has_all_spellings, definitions: Map::new() };
    let body = builder.of_form(&kind.form);
    if has_all_spellings && builder.definitions.contains_key("Graded") {
        let verdict = json!({
            "description": "a verdict, or null where there is none",
            "anyOf": [
                { "type": ["boolean", "null"] },
                { "type": "string", "pattern": verdict_pattern() },
            ],
        });
        builder.definitions.insert("Verdict".to_owned(), verdict);
    }
    if let (Value::Object(schema), Value::Object(body)) = (&mut schema, body) {
        schema.extend(body);
        if !builder.definitions.is_empty() {
            schema.insert("$defs".to_owned(), Value::Object(builder.definitions));
        }
    }
    Some(schema)
}

struct SchemaBuilder {
    has_all_spellings: bool,
    /// The schema of each object by its name.
    definitions: Map<String, Value>,
}

impl SchemaBuilder {
    /// The schema of a form. A plain value may be `null`, which means not recorded.
    fn of_form(&mut self, form: &ValueForm) -> Value {
        match form {
            ValueForm::Text => json!({ "type": ["string", "null"] }),
            ValueForm::Number => json!({ "type": ["number", "null"] }),
            ValueForm::Flag => json!({ "type": ["boolean", "null"] }),
            ValueForm::Label => json!({ "type": ["string", "number", "null"] }),
            // In the documented spelling a verdict is a flag; elsewhere it may be a word.
            ValueForm::Verdict if self.has_all_spellings => {
                json!({ "type": ["boolean", "string", "null"] })
            }
            ValueForm::Verdict => json!({ "type": ["boolean", "null"] }),
            ValueForm::Anything => json!({}),
            ValueForm::Object(shape) => {
                self.define(*shape);
                json!({ "$ref": format!("#/$defs/{shape:?}") })
            }
            ValueForm::List(items) => json!({ "type": "array", "items": self.of_form(items) }),
            ValueForm::ByName(values) => {
                json!({ "type": "object", "additionalProperties": self.of_form(values) })
            }
            ValueForm::Either(forms) => {
                let forms: Vec<Value> = forms.iter().map(|form| self.of_form(form)).collect();
                json!({ "anyOf": forms })
            }
            ValueForm::Written(schema) => schema(),
        }
    }

    fn define(&mut self, shape: Shape) {
        let name = format!("{shape:?}");
        if self.definitions.contains_key(&name) {
            return;
        }
        let mut properties = Map::new();
        for (field, form) in shape.fields() {
            for spelling in self.spellings(field) {
                let mut schema = self.of_form(form);
                if spelling.replace('_', " ") != field.name {
                    schema["description"] = json!(field.name);
                }
                // Two fields may be read under one spelling.
                let schema = match properties.remove(*spelling) {
                    Some(other) => json!({ "anyOf": [other, schema] }),
                    None => schema,
                };
                properties.insert((*spelling).to_owned(), schema);
            }
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        let required: Vec<Value> =
            shape.required().iter().map(|field| self.require(shape, field)).collect();
        if !required.is_empty() {
            schema["allOf"] = Value::Array(required);
        }
        self.definitions.insert(name, schema);
    }

    /// The spellings that are described, the documented one first.
    fn spellings(&self, field: &'static Field) -> &'static [&'static str] {
        if self.has_all_spellings { field.spellings } else { &field.spellings[..1] }
    }

    /// That `field` is there under one of its spellings, and if it is a verdict, with a known word.
    fn require(&self, shape: Shape, field: &Field) -> Value {
        let is_verdict = shape
            .fields()
            .iter()
            .any(|(other, form)| other.name == field.name && matches!(form, ValueForm::Verdict));
        let mut choices = Vec::new();
        for spelling in field.spellings {
            let mut choice = json!({ "required": [spelling] });
            if is_verdict && self.has_all_spellings {
                choice["properties"] = json!({ *spelling: { "$ref": "#/$defs/Verdict" } });
            }
            choices.push(choice);
        }
        json!({ "anyOf": choices })
    }
}

fn written_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(remove_needless_keywords));
    let generator = settings.into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    // The kind has these.
    schema.remove("$schema");
    schema.remove("description");
    schema.to_value()
}

/// Removes widths of numbers in memory, defaults of missing fields, and marks of fields that evalbook
/// does not read back.
fn remove_needless_keywords(schema: &mut Schema) {
    for keyword in ["format", "default", "title", "readOnly"] {
        schema.remove(keyword);
    }
}

/// The schema of a line of `runs.jsonl`.
fn run_line_schema() -> Value {
    let columns = run_columns();
    let properties: Map<String, Value> = columns
        .iter()
        .map(|[name, unit, meaning]| ((*name).to_owned(), column(unit, meaning)))
        .collect();
    let names: Vec<&str> = columns.iter().map(|[name, _, _]| *name).collect();
    json!({ "type": "object", "properties": properties, "required": names })
}

/// A column with a unit holds numbers, except for two that may hold something else.
fn column(unit: &str, meaning: &str) -> Value {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own_and_a_schema() {
        let mut names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert!(names.iter().all(|name| json_schema(name, false).is_some()));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KINDS.len());
        assert_eq!(json_schema("no such kind", true), None);
    }

    #[test]
    fn every_spelling_is_in_the_schema() {
        let schema = json_schema("grading", true).expect("a schema").to_string();
        for field in [
            &workspace::read::alias::expectation::EVIDENCE,
            &workspace::read::alias::grading::ITEMS,
        ] {
            assert!(
                field.spellings.iter().all(|spelling| schema.contains(&format!("\"{spelling}\"")))
            );
        }
    }
}
