//! Places in documents of what turned out wrong only when documents were put together.
//!
//! A problem made then says what it seeks: a value by its keys, or a key. Its document is read once
//! more for the line and column, where it stands there once.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::files::Source;
use crate::json::{Node, Spanned};
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
        let text = Text::new(&path, &decoded.text);
        for (problem, wanted) in problems {
            let mut found = Vec::new();
            find(&root, &wanted, &mut found);
            if let [only] = found[..] {
                problem.place = Some(text.place_of(only));
            }
        }
    }
}

/// Adds every value within `value` that is wanted to `found`.
fn find<'v, 't>(value: &'v Spanned<'t>, wanted: &Sought, found: &mut Vec<&'v Spanned<'t>>) {
    for (key, value) in value.as_object().unwrap_or_default() {
        if is_wanted(key, value, wanted) {
            found.push(value);
        }
        find(value, wanted, found);
    }
    for item in value.as_list().unwrap_or_default() {
        find(item, wanted, found);
    }
}

fn is_wanted(key: &str, value: &Node<'_>, wanted: &Sought) -> bool {
    match wanted {
        Sought::Key(wanted) => key == wanted,
        Sought::Value(keys, wanted) => {
            keys.iter().any(|wanted| is_spelling(key, wanted))
                && plain(value).is_some_and(|text| text.trim() == wanted.trim())
        }
    }
}
