//! Checks a document against a schema, for the part of JSON Schema that `evalbook schema` writes.
//! A word outside this part fails the test, so that nothing goes unchecked.

use serde_json::Value;

/// Why `document` does not match; none where it does.
pub(crate) fn mismatch(schema: &Value, document: &Value, way: &str) -> Option<String> {
    Check { root: schema, is_closed: false }.mismatch(schema, document, way)
}

/// The same for what evalbook writes: a field that the schema does not describe is a mismatch too.
pub(crate) fn mismatch_or_more(schema: &Value, document: &Value, way: &str) -> Option<String> {
    Check { root: schema, is_closed: true }.mismatch(schema, document, way)
}

struct Check<'s> {
    root: &'s Value,
    is_closed: bool,
}

impl Check<'_> {
    fn mismatch(&self, schema: &Value, document: &Value, way: &str) -> Option<String> {
        let words = schema.as_object().expect("a schema is an object");
        words.iter().find_map(|(word, value)| match word.as_str() {
            "$schema" | "$defs" | "title" | "description" => None,
            "$ref" => {
                let place = value.as_str().and_then(|it| it.strip_prefix('#')).expect("a place");
                let shape = self.root.pointer(place).expect("a shape that is there");
                self.mismatch(shape, document, way)
            }
            "type" => of_type(value, document, way),
            "anyOf" => self.any_of(value, document, way),
            "oneOf" => {
                let fits = |part: &&Value| self.mismatch(part, document, way).is_none();
                let number = list(value).iter().filter(fits).count();
                (number != 1).then(|| format!("{way}: fits {number} of `oneOf`"))
            }
            "const" => (document != value).then(|| format!("{way}: {document}, not {value}")),
            "enum" => {
                let is_known = list(value).contains(document);
                (!is_known).then(|| format!("{way}: {document} is none of {value}"))
            }
            "allOf" => list(value).iter().find_map(|part| self.mismatch(part, document, way)),
            "required" => required(value, document, way),
            "properties" => self.properties(value, document, way),
            // The shapes of a choice, of which `properties` says all.
            "additionalProperties" if value == false => None,
            "additionalProperties" => {
                let mut entries = document.as_object().into_iter().flatten();
                entries.find_map(|(key, it)| self.mismatch(value, it, &format!("{way}.{key}")))
            }
            "prefixItems" => {
                let items = document.as_array().into_iter().flatten();
                let mut pairs = list(value).iter().zip(items).enumerate();
                pairs.find_map(|(at, (part, it))| self.mismatch(part, it, &format!("{way}[{at}]")))
            }
            "items" => {
                let mut items = document.as_array().into_iter().flatten().enumerate();
                items.find_map(|(at, it)| self.mismatch(value, it, &format!("{way}[{at}]")))
            }
            "minimum" => bound(document.as_f64() < value.as_f64(), document.as_f64(), word, way),
            "maximum" => bound(document.as_f64() > value.as_f64(), document.as_f64(), word, way),
            "minItems" => bound(length(document) < value.as_f64(), length(document), word, way),
            "pattern" => {
                let pattern = regex_lite::Regex::new(value.as_str().expect("a pattern"));
                let fits = |text| pattern.expect("a pattern").is_match(text);
                let text = document.as_str()?;
                (!fits(text)).then(|| format!("{way}: `{text}` has another form"))
            }
            "maxItems" => bound(length(document) > value.as_f64(), length(document), word, way),
            other => panic!("the schema has `{other}`, which is not checked"),
        })
    }

    fn any_of(&self, parts: &Value, document: &Value, way: &str) -> Option<String> {
        let reasons: Option<Vec<String>> =
            list(parts).iter().map(|part| self.mismatch(part, document, way)).collect();
        reasons.map(|reasons| reasons.join("; or "))
    }

    fn properties(&self, known: &Value, document: &Value, way: &str) -> Option<String> {
        let mut entries = document.as_object()?.iter();
        entries.find_map(|(key, value)| match known.get(key) {
            Some(schema) => self.mismatch(schema, value, &format!("{way}.{key}")),
            None if self.is_closed => Some(format!("{way}: `{key}` is not described")),
            None => None,
        })
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn length(document: &Value) -> Option<f64> {
    document.as_array().map(|items| items.len() as f64)
}

/// Only what has the number can be beyond the bound.
fn bound(is_beyond: bool, found: Option<f64>, word: &str, way: &str) -> Option<String> {
    found.filter(|_| is_beyond).map(|found| format!("{way}: {found} is beyond the {word}"))
}

fn of_type(wanted: &Value, document: &Value, way: &str) -> Option<String> {
    let found = match document {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is = |name: &Value| name == found || (name == "number" && found == "integer");
    let fits = is(wanted) || wanted.as_array().is_some_and(|all| all.iter().any(is));
    (!fits).then(|| format!("{way}: {found} where {wanted} is wanted"))
}

fn required(keys: &Value, document: &Value, way: &str) -> Option<String> {
    let entries = document.as_object()?;
    let missing = list(keys).iter().find(|key| !entries.contains_key(key.as_str().expect("a key")));
    missing.map(|key| format!("{way}: without {key}"))
}
