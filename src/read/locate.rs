//! Places in documents of what turned out wrong only when documents were put together.
//!
//! A problem made then says what it seeks: a value by its keys, or a key. Its document is read once
//! more for the line and column, where it stands there once.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::files::Source;
use crate::json::{Node, Step};
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
        let Some(node) = document::parse(&path, &decoded.text).0 else { continue };
        let text = Text::new(&path, &decoded.text);
        for (problem, wanted) in problems {
            let mut found = Found { wanted: &wanted, way: Vec::new(), all: Vec::new() };
            found.look(&node);
            if let [only] = &found.all[..] {
                problem.place = text.place_of(only);
            }
        }
    }
}

/// The ways to what is wanted.
struct Found<'w> {
    wanted: &'w Sought,
    way: Vec<Step>,
    all: Vec<Vec<Step>>,
}

impl Found<'_> {
    fn look(&mut self, node: &Node<'_>) {
        for (key, value) in node.as_object().unwrap_or_default() {
            self.way.push(Step::Key(key.to_string()));
            if self.is_wanted(key, value) {
                self.all.push(self.way.clone());
            }
            self.look(value);
            self.way.pop();
        }
        for (index, item) in node.as_list().unwrap_or_default().iter().enumerate() {
            self.way.push(Step::Index(index));
            self.look(item);
            self.way.pop();
        }
    }

    fn is_wanted(&self, key: &str, value: &Node<'_>) -> bool {
        let is_value = |wanted: &str| plain(value).is_some_and(|it| it.trim() == wanted.trim());
        match self.wanted {
            Sought::Key(wanted) => key == wanted,
            Sought::Value(keys, wanted) => {
                keys.iter().any(|wanted| is_spelling(key, wanted)) && is_value(wanted)
            }
        }
    }
}
