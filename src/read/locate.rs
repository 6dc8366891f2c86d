//! Places in documents of what turned out wrong only when documents were put together.
//!
//! A problem made then says what it seeks: a value by its keys, or a key. Its document is read once
//! more for the line and column, where it stands there once.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::files::Source;
use crate::json::{self, LineIndex, Spanned, SpannedValue};
use crate::model::{Place, Problem, Sought};
use crate::read::document::{self, MAX_PLACED_BYTES};
use crate::read::words::is_spelling;

/// Gives the problems that seek something its place in their document.
pub fn locate(problems: &mut [Problem], source: &dyn Source, prefix: &str) {
    let mut sought: BTreeMap<String, Vec<(&mut Problem, Sought)>> = BTreeMap::new();
    for problem in problems {
        if let Some(wanted) = problem.sought.take() {
            sought.entry(problem.path.clone()).or_default().push((problem, wanted));
        }
    }
    for (path, problems) in sought {
        let bytes = source.read(&names::join(prefix, &path), MAX_PLACED_BYTES as u64 + 1);
        let Ok(bytes) = bytes else { continue };
        if bytes.len() > MAX_PLACED_BYTES {
            continue;
        }
        let decoded = document::decode(&path, &bytes);
        let Ok(tolerant) = json::parse_tolerant(&decoded.text) else { continue };
        let mut found = Found::default();
        problems.iter().for_each(|(_, wanted)| found.seek(wanted));
        found.look(&tolerant.root);
        let lines = LineIndex::new(&decoded.text);
        for (problem, wanted) in problems {
            let start = found.only(&wanted);
            problem.place = start.map(|start| {
                let (line, column) = lines.place(&decoded.text, start);
                Place { line, column }
            });
        }
    }
}

/// Where a value begins, as often as it was met.
type Starts = Vec<usize>;

/// Everything sought in one document, found in one walk.
#[derive(Default)]
struct Found {
    keys: BTreeMap<String, Starts>,
    /// By the spellings of the key, then by the value as text.
    values: BTreeMap<&'static [&'static str], BTreeMap<String, Starts>>,
}

impl Found {
    fn seek(&mut self, wanted: &Sought) {
        match wanted {
            Sought::Key(key) => {
                self.keys.entry(key.clone()).or_default();
            }
            Sought::Value(keys, value) => {
                let values = self.values.entry(keys).or_default();
                values.entry(value.trim().to_owned()).or_default();
            }
        }
    }

    /// Where what is wanted begins, if it is there once.
    fn only(&self, wanted: &Sought) -> Option<usize> {
        let starts = match wanted {
            Sought::Key(key) => self.keys.get(key),
            Sought::Value(keys, value) => self.values.get(keys)?.get(value.trim()),
        };
        match starts?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn look(&mut self, value: &Spanned<'_>) {
        match &value.value {
            SpannedValue::Object(entries) => {
                for entry in entries {
                    self.note(&entry.key, &entry.value);
                    self.look(&entry.value);
                }
            }
            SpannedValue::List(items) => items.iter().for_each(|item| self.look(item)),
            _ => {}
        }
    }

    fn note(&mut self, key: &str, value: &Spanned<'_>) {
        if let Some(starts) = self.keys.get_mut(key) {
            starts.push(value.span.start);
        }
        for (spellings, values) in &mut self.values {
            if spellings.iter().any(|wanted| is_spelling(key, wanted)) {
                let starts = plain(&value.value).and_then(|text| values.get_mut(text.trim()));
                starts.into_iter().for_each(|starts| starts.push(value.span.start));
            }
        }
    }
}

/// A single value as text; `None` for lists, objects, null and blank text.
fn plain(value: &SpannedValue<'_>) -> Option<String> {
    match value {
        SpannedValue::Text(text) => (!text.trim().is_empty()).then(|| text.to_string()),
        SpannedValue::Bool(flag) => Some(flag.to_string()),
        SpannedValue::Integer(number) => Some(number.to_string()),
        SpannedValue::Float(number) => Some(number.to_string()),
        SpannedValue::Null | SpannedValue::List(_) | SpannedValue::Object(_) => None,
    }
}
