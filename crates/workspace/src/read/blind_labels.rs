//! Reads keys to blind sides: `{"scenario-1": {"version_a": "with_skill", "version_b": "without_skill"}}`,
//! the same in the folder of the case, or from the side to its label.

use crate::read::MAX_LEVELS;
use crate::read::alias::labels;
use crate::read::cursor::Cursor;

/// One label of a key. Which of its two names is the label, only the folders say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlindLabel {
    /// The names around it, one of which may be the case's.
    pub scope: Vec<String>,
    /// The key and the value: a label and its side, in either order.
    pub names: [String; 2],
}

pub(super) fn read(root: Cursor<'_>) -> Vec<BlindLabel> {
    let mut found = Vec::new();
    collect(root, &[], MAX_LEVELS, &mut found);
    found
}

fn collect(cursor: Cursor<'_>, scope: &[String], depth: usize, found: &mut Vec<BlindLabel>) {
    let mut scope = scope.to_vec();
    // A list has the case in each item.
    scope.extend(
        [&labels::CASE_ID, &labels::CASE_NAME].into_iter().filter_map(|id| cursor.label(id)),
    );
    for (key, value) in cursor.entries() {
        if value.node().as_text().is_some() {
            if let Some(side) = value.as_label() {
                let names = [key.to_owned(), side];
                found.push(BlindLabel { scope: scope.clone(), names });
            }
        } else if depth > 0 {
            let inner = [&scope[..], &[key.to_owned()]].concat();
            collect(value, &inner, depth - 1, found);
        }
    }
    if depth > 0 {
        cursor.items().for_each(|item| collect(item, &scope, depth - 1, found));
    }
}
