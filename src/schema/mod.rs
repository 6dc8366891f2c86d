//! Schema: JSON Schema for each kind of document, made from the alias table.
//!
//! A schema describes documents that follow the rules: the readers accept more. Unknown fields are
//! allowed everywhere. The schema of a file that evalbook writes comes from its types.

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::read::alias::{
    Field, TABLE, benchmark, case, claim, comparison, counts, expectation, feedback, grading,
    history, labels, suggestion,
};
use crate::read::forms::ValueForm::{self, ByName, Either, List, Object, Text, Written};
use crate::read::forms::{Shape, TEXTS};
use crate::read::verdict_pattern;
use crate::render::export::run_columns;
use crate::report_json::ReportJson;

/// A kind of document.
#[derive(Debug)]
pub struct KindSchema {
    /// Its name on the command line.
    pub name: &'static str,
    /// The file it describes.
    pub about: &'static str,
    form: ValueForm,
    /// Advice in a compact schema to whoever writes the document.
    advice: &'static str,
    /// Fields left out of a compact schema, because other files or the folders have the same.
    left_out: &'static [&'static Field],
}

/// The schema of the kind called `name`; `None` if there is no such kind.
pub fn json_schema(name: &str) -> Option<Value> {
    let kind = KINDS.iter().find(|kind| kind.name == name)?;
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!(kind.name));
    schema.insert("description".to_owned(), json!(kind.about));
    if let Value::Object(body) = form_schema(&kind.form, false) {
        schema.extend(body);
    }
    let mut schema = Value::Object(schema);
    if schema.to_string().contains(VERDICT) {
        schema["$defs"]["verdict"] = json!({
            "description": "a verdict, or null where there is none",
            "anyOf": [
                { "type": ["boolean", "null"] },
                { "type": "string", "pattern": verdict_pattern() },
            ],
        });
    }
    Some(schema)
}

/// The schema of the kind called `name` for a prompt: one spelling of each field, and a field's
/// meaning only if its name is unclear. `None` if there is no such kind.
pub fn compact(name: &str) -> Option<Value> {
    let kind = KINDS.iter().find(|kind| kind.name == name)?;
    let mut schema = form_schema(&kind.form, true);
    schema["description"] = json!(format!("{}{}", kind.about, kind.advice));
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|name, _| !kind.left_out.iter().any(|field| field.is(name)));
    }
    Some(schema)
}

fn compact_shape(shape: Shape) -> Value {
    let mut properties = Map::new();
    for (field, form) in shape.fields() {
        let mut schema = form_schema(form, true);
        let spelling = field.spellings[0];
        if spelling.replace('_', " ") != field.name {
            schema["description"] = json!(field.name);
        }
        properties.insert(spelling.to_owned(), schema);
    }
    let needed: Vec<&str> = shape.needed().iter().map(|field| field.spellings[0]).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !needed.is_empty() {
        schema["required"] = json!(needed);
    }
    schema
}

const VERDICT: &str = "#/$defs/verdict";

/// The schema of a form. Unless compact, everything but lists and objects may be `null`, which
/// means not recorded.
fn form_schema(form: &ValueForm, is_compact: bool) -> Value {
    let inner = |form| form_schema(form, is_compact);
    let plain = |kind: &str| match is_compact {
        true => json!({ "type": kind }),
        false => json!({ "type": [kind, "null"] }),
    };
    match form {
        ValueForm::Text => plain("string"),
        ValueForm::Number => plain("number"),
        ValueForm::Flag => plain("boolean"),
        ValueForm::Label => json!({ "type": ["string", "number", "null"] }),
        ValueForm::Verdict if is_compact => json!({ "type": ["boolean", "null"] }),
        ValueForm::Verdict => json!({ "type": ["boolean", "string", "null"] }),
        ValueForm::Anything => json!({}),
        ValueForm::Object(shape) if is_compact => compact_shape(*shape),
        ValueForm::Object(shape) => full_shape(*shape),
        ValueForm::List(items) => json!({ "type": "array", "items": inner(items) }),
        ValueForm::ByName(values) => {
            json!({ "type": "object", "additionalProperties": inner(values) })
        }
        ValueForm::Written(schema) => schema(),
        ValueForm::Either(forms) if is_compact => {
            // An object is more informative than a text or a number in its place.
            let mut objects = forms
                .iter()
                .filter(|form| matches!(form, ValueForm::Object(_) | ValueForm::ByName(_)));
            objects.next().or(forms.first()).map_or_else(|| json!({}), inner)
        }
        ValueForm::Either(forms) => json!({ "anyOf": forms.iter().map(inner).collect::<Vec<_>>() }),
    }
}

fn full_shape(shape: Shape) -> Value {
    let mut properties: Map<String, Value> = Map::new();
    for (field, form) in shape.fields() {
        for spelling in field.spellings {
            let mut schema = form_schema(form, false);
            if let Value::Object(entries) = &mut schema {
                entries.insert("description".to_owned(), json!(field.name));
            }
            let both = match properties.remove(*spelling) {
                // Two fields may be read under one spelling.
                Some(other) => json!({ "anyOf": [other, schema] }),
                None => schema,
            };
            properties.insert((*spelling).to_owned(), both);
        }
    }
    let is_verdict = |wanted: &Field| {
        let mut fields = shape.fields().filter(|(field, _)| field.name == wanted.name);
        fields.any(|(_, form)| matches!(form, ValueForm::Verdict))
    };
    let one_of = |field: &&Field| {
        let each = field.spellings.iter().map(|spelling| match is_verdict(field) {
            true => json!({
                "required": [spelling], "properties": { *spelling: { "$ref": VERDICT } }
            }),
            false => json!({ "required": [spelling] }),
        });
        json!({ "anyOf": each.collect::<Vec<_>>() })
    };
    let needed: Vec<Value> = shape.needed().iter().map(one_of).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !needed.is_empty() {
        schema["allOf"] = Value::Array(needed);
    }
    schema
}

/// Keywords of the generator that are useless here: widths of numbers in memory, defaults of
/// missing fields, and fields that evalbook does not read back.
const NEEDLESS: [&str; 4] = ["format", "default", "title", "readOnly"];

fn report_schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema =
        settings.into_generator().into_root_schema_for::<ReportJson<'static>>().to_value();
    tidy(&mut schema);
    if let Value::Object(words) = &mut schema {
        // The kind has these.
        words.retain(|word, _| !matches!(word.as_str(), "$schema" | "description"));
    }
    schema
}

/// Removes useless keywords from a schema and everything in it, and names the shapes.
fn tidy(schema: &mut Value) {
    let Value::Object(words) = schema else { return };
    words.retain(|word, _| !NEEDLESS.contains(&word.as_str()));
    for (word, value) in words.iter_mut() {
        match (word.as_str(), value) {
            ("$ref", Value::String(name)) => *name = own_name(name),
            ("description", Value::String(text)) => *text = text.replace('\n', " "),
            ("$defs", Value::Object(shapes)) => {
                let shapes_by_name = std::mem::take(shapes).into_iter();
                *shapes = shapes_by_name.map(|(name, shape)| (own_name(&name), shape)).collect();
                shapes.values_mut().for_each(tidy);
            }
            ("properties", Value::Object(fields)) => fields.values_mut().for_each(tidy),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(parts)) => {
                parts.iter_mut().for_each(tidy)
            }
            ("items" | "additionalProperties", value) => tidy(value),
            _ => {}
        }
    }
}

fn own_name(name: &str) -> String {
    name.strip_suffix("Json").unwrap_or(name).to_owned()
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

/// Every kind that has a schema, in the order listed.
pub const KINDS: &[KindSchema] = &[
    KindSchema {
        advice: ". One entry per expectation with its text word for word; `passed` is true or false, \
                 null where it could not be judged; `evidence` quotes or counts what is in the \
                 outputs, also where it passed. Strict JSON. All else is optional.",
        left_out: &[
            &grading::SUMMARY,
            &grading::TIMING,
            &grading::METRICS,
            &counts::PASS_RATE,
            &labels::CASE_ID,
            &labels::CASE_NAME,
            &labels::CONFIGURATION,
            &labels::RUN,
            &labels::VERSION,
        ],
        ..kind(
            "grading",
            "grading.json: every expectation of one run with its verdict and evidence",
            Object(Shape::Grading),
        )
    },
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
        Written(report_schema),
    ),
    kind(
        "runs",
        "runs.jsonl: one line, which is one run, as evalbook writes it",
        Written(run_line_schema),
    ),
];

const fn kind(name: &'static str, about: &'static str, form: ValueForm) -> KindSchema {
    KindSchema { name, about, form, advice: "", left_out: &[] }
}

impl Shape {
    /// The fields of an object, each with the form of its value.
    fn fields(self) -> impl Iterator<Item = (&'static Field, &'static ValueForm)> {
        let home = if self == Self::Metadata { Self::Case } else { self };
        let form = |field: &'static Field| Some((field, field.form.as_ref()?));
        let shaped_fields = TABLE.iter().flat_map(|(_, fields)| *fields).copied().filter_map(form);
        let own_fields = shaped_fields.filter(move |(_, (shape, _))| *shape == home);
        let shared = self.shared().iter().copied().filter_map(form);
        own_fields.chain(shared).map(|(field, (_, form))| (field, form))
    }

    /// The fields shared with other objects.
    fn shared(self) -> &'static [&'static Field] {
        use labels::{CASE_ID, CASE_NAME, CONFIGURATION, RUN, SKILL, VERSION};
        match self {
            Self::Grading => {
                &[&counts::PASS_RATE, &CASE_ID, &CASE_NAME, &CONFIGURATION, &RUN, &VERSION]
            }
            Self::BenchmarkRun => &[&CASE_ID, &CASE_NAME, &CONFIGURATION, &RUN],
            Self::Evals | Self::BenchmarkMetadata | Self::History => &[&SKILL],
            _ => &[],
        }
    }

    /// The required fields, under any spelling.
    fn needed(self) -> &'static [&'static Field] {
        match self {
            Self::Grading => &[&grading::ITEMS],
            Self::Graded => &[&expectation::TEXT, &expectation::VERDICT],
            Self::Claim => &[&claim::TEXT],
            Self::Suggestion => &[&suggestion::TEXT],
            Self::PlannedExpectation => &[&case::EXPECTATION_TEXT],
            Self::Case => &[&case::PROMPT],
            Self::Evals => &[&case::LIST],
            Self::Benchmark => &[&benchmark::SUMMARIES],
            Self::BenchmarkRun => &[&labels::CONFIGURATION],
            Self::Feedback => &[&feedback::REVIEWS],
            Self::Review => &[&feedback::RUN_ID, &feedback::TEXT],
            Self::Comparison => &[&comparison::WINNER],
            Self::History => &[&history::VERSIONS],
            Self::Version => &[&history::VERSION],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_name_of_its_own_and_a_schema() {
        let mut names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert!(names.iter().all(|name| json_schema(name).is_some()));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), KINDS.len());
        assert_eq!(json_schema("no such kind"), None);
    }

    #[test]
    fn every_spelling_is_in_the_schema() {
        let schema = json_schema("grading").expect("a schema").to_string();
        for field in
            [&crate::read::alias::expectation::EVIDENCE, &crate::read::alias::grading::ITEMS]
        {
            assert!(
                field.spellings.iter().all(|spelling| schema.contains(&format!("\"{spelling}\"")))
            );
        }
    }
}
