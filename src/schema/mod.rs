//! Schema: what a document of each kind holds, as JSON Schema, made from the alias table.
//!
//! Entry point: [`json_schema`]. `shapes` says which fields of the alias table a kind has and of what form
//! their values are; the spellings are those of the table, so that a new one is in the schema too.
//! A schema describes what is written by the rules: the readers take more than it allows. Fields
//! that are not known are allowed everywhere. A [`compact`] schema has the first spelling of each
//! field only, which is the documented one, so that it fits into a prompt.
//!
//! What evalbook itself writes for programs has its schema from the types that are written, with
//! their comments (`written`).

mod shapes;
mod written;

use serde_json::{Map, Value, json};

use crate::read::alias::Field;
use crate::read::verdict_pattern;

pub use crate::schema::shapes::KINDS;

/// What a value is.
#[derive(Debug)]
pub enum Form {
    /// A text.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Flag,
    /// A name: a text, or a number that stands for one.
    Label,
    /// The verdict of a grader: `true`, `false`, or a word such as `pass`. Under one of the
    /// spellings it must be a word that is known; the others may say something else.
    Verdict,
    /// Whatever there is.
    Anything,
    /// An object of these fields.
    Object(&'static Shape),
    /// A list of such values.
    List(&'static Form),
    /// An object of such values by a name of the author's.
    ByName(&'static Form),
    /// One of these.
    Either(&'static [Form]),
    /// What evalbook writes: the schema of its own types.
    Written(fn() -> Value),
}

/// The fields of an object.
#[derive(Debug)]
pub struct Shape {
    /// Each with the form of its value.
    pub fields: &'static [(&'static Field, Form)],
    /// What must be there, under one spelling or another.
    pub needed: &'static [&'static Field],
}

/// A kind of document.
#[derive(Debug)]
pub struct KindSchema {
    /// What it is called on the command line.
    pub name: &'static str,
    /// The file it describes.
    pub about: &'static str,
    /// What the document is.
    form: Form,
    /// What a compact schema says to whoever writes the document.
    advice: &'static str,
    /// Fields that a compact schema leaves out, because other files or the folders say the same.
    left_out: &'static [&'static Field],
}

/// The schema of the kind called `name`; `None` where there is no such kind.
pub fn json_schema(name: &str) -> Option<Value> {
    let kind = KINDS.iter().find(|kind| kind.name == name)?;
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".to_owned(), json!(kind.name));
    schema.insert("description".to_owned(), json!(kind.about));
    if let Value::Object(body) = of_form(&kind.form) {
        schema.extend(body);
    }
    let schema = Value::Object(schema);
    Some(if schema.to_string().contains(VERDICT) { with_verdict(schema) } else { schema })
}

/// The schema of the kind called `name` for a prompt: one spelling of each field, and a field's
/// meaning only where its name does not say it. `None` where there is no such kind.
pub fn compact(name: &str) -> Option<Value> {
    let kind = KINDS.iter().find(|kind| kind.name == name)?;
    let mut schema = compact_form(&kind.form);
    schema["description"] = json!(format!("{}{}", kind.about, kind.advice));
    if let Some(properties) = schema["properties"].as_object_mut() {
        properties.retain(|name, _| !kind.left_out.iter().any(|field| field.is(name)));
    }
    Some(schema)
}

fn compact_form(form: &Form) -> Value {
    match form {
        Form::Verdict => json!({ "type": ["boolean", "null"] }),
        Form::Object(shape) => compact_shape(shape),
        Form::List(items) => json!({ "type": "array", "items": compact_form(items) }),
        Form::ByName(values) => {
            json!({ "type": "object", "additionalProperties": compact_form(values) })
        }
        Form::Either(forms) => {
            // An object says more than a text or a number in its place.
            let mut objects =
                forms.iter().filter(|form| matches!(form, Form::Object(_) | Form::ByName(_)));
            objects.next().or(forms.first()).map_or_else(|| json!({}), compact_form)
        }
        Form::Text => json!({ "type": "string" }),
        Form::Number => json!({ "type": "number" }),
        Form::Flag => json!({ "type": "boolean" }),
        Form::Label | Form::Anything | Form::Written(_) => of_form(form),
    }
}

fn compact_shape(shape: &Shape) -> Value {
    let mut properties = Map::new();
    for (field, form) in shape.fields {
        let mut schema = compact_form(form);
        let spelling = field.spellings[0];
        if spelling.replace('_', " ") != field.name {
            schema["description"] = json!(field.name);
        }
        properties.insert(spelling.to_owned(), schema);
    }
    let needed: Vec<&str> = shape.needed.iter().map(|field| field.spellings[0]).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !needed.is_empty() {
        schema["required"] = json!(needed);
    }
    schema
}

/// The place of what a verdict is, in a schema that refers to it.
const VERDICT: &str = "#/$defs/verdict";

fn with_verdict(mut schema: Value) -> Value {
    schema["$defs"] = json!({
        "verdict": {
            "description": "a verdict, or null where there is none",
            "anyOf": [
                { "type": ["boolean", "null"] },
                { "type": "string", "pattern": verdict_pattern() },
            ],
        }
    });
    schema
}

/// Everything but text, lists and objects may be `null`, which says that it was not recorded.
fn of_form(form: &Form) -> Value {
    match form {
        Form::Text => json!({ "type": ["string", "null"] }),
        Form::Number => json!({ "type": ["number", "null"] }),
        Form::Flag => json!({ "type": ["boolean", "null"] }),
        Form::Label => json!({ "type": ["string", "number", "null"] }),
        Form::Verdict => json!({ "type": ["boolean", "string", "null"] }),
        Form::Anything => json!({}),
        Form::Object(shape) => of_shape(shape),
        Form::List(items) => json!({ "type": "array", "items": of_form(items) }),
        Form::ByName(values) => {
            json!({ "type": "object", "additionalProperties": of_form(values) })
        }
        Form::Written(schema) => schema(),
        Form::Either(forms) => json!({ "anyOf": forms.iter().map(of_form).collect::<Vec<_>>() }),
    }
}

fn of_shape(shape: &Shape) -> Value {
    let mut properties: Map<String, Value> = Map::new();
    for (field, form) in shape.fields {
        for spelling in field.spellings {
            let mut schema = of_form(form);
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
        let mut fields = shape.fields.iter();
        fields.any(|(field, form)| field.name == wanted.name && matches!(form, Form::Verdict))
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
    let needed: Vec<Value> = shape.needed.iter().map(one_of).collect();
    let mut schema = json!({ "type": "object", "properties": properties });
    if !needed.is_empty() {
        schema["allOf"] = Value::Array(needed);
    }
    schema
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
