//! Places in documents of what turned out wrong only when documents were put together.
//!
//! A problem made then says what it seeks: a value by its keys, or a key. Its document is read once
//! more for the line and column, where it stands there once.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::files::Source;
use crate::json::Spanned;
use crate::model::{Problem, Sought};
use crate::read::document::{self, MAX_DOCUMENT_BYTES, Text};
use crate::read::words::{is_spelling, plain};

/// Gives the problems that seek something its place in their document.
pub fn locate(problems: &mut [Problem], source: &dyn Source, prefix: &str) {
    let mut sought: BTreeMap<String, Vec<(&mut Problem, Sought)>> = BTreeMap::new();
    for problem in problems {
        if let Some(wanted) = problem.sought.take() {
            sought.entry(problem.path.clone()).or_default().push((problem, wanted));
        }
    }
    for (path, problems) in sought {
        let bytes = source.read(&names::join(prefix, &path), MAX_DOCUMENT_BYTES);
        let Ok(bytes) = bytes else { continue };
        let decoded = document::decode(&path, &bytes);
        let Some(root) = document::parse(&path, &decoded.text).0 else { continue };
        let mut found = Found::default();
        problems.iter().for_each(|(_, wanted)| found.seek(wanted));
        found.search(&root);
        let text = Text::new(&path, &decoded.text);
        for (problem, wanted) in problems {
            problem.place = found.only(&wanted).map(|value| text.place_of(value));
        }
    }
}

/// Everything sought in one document, found in one walk.
#[derive(Default)]
struct Found<'v, 't> {
    keys: BTreeMap<String, Vec<&'v Spanned<'t>>>,
    /// By the spellings of the key, then by the value as text.
    values: BTreeMap<&'static [&'static str], BTreeMap<String, Vec<&'v Spanned<'t>>>>,
}

impl<'v, 't> Found<'v, 't> {
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

    /// What is wanted, if it is there once.
    fn only(&self, wanted: &Sought) -> Option<&'v Spanned<'t>> {
        let found = match wanted {
            Sought::Key(key) => self.keys.get(key),
            Sought::Value(keys, value) => self.values.get(keys)?.get(value.trim()),
        };
        match found?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    fn search(&mut self, value: &'v Spanned<'t>) {
        for (key, value) in value.as_object().unwrap_or_default() {
            self.note(key, value);
            self.search(value);
        }
        for item in value.as_list().unwrap_or_default() {
            self.search(item);
        }
    }

    fn note(&mut self, key: &str, value: &'v Spanned<'t>) {
        if let Some(found) = self.keys.get_mut(key) {
            found.push(value);
        }
        for (spellings, values) in &mut self.values {
            if spellings.iter().any(|wanted| is_spelling(key, wanted)) {
                let found = plain(value).and_then(|text| values.get_mut(text.trim()));
                found.into_iter().for_each(|found| found.push(value));
            }
        }
    }
}
