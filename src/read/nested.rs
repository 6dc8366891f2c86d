//! Figures of many runs in one document: `{case: {configuration: {…}}}`.

use crate::model::Metrics;
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use crate::read::metrics;

/// How many levels of names are followed.
const MAX_LEVELS: usize = 3;

/// The figures of one run, or of each run named in the document.
pub(super) fn metrics(root: &Cursor<'_>) -> Vec<(Labels, Metrics)> {
    let mut found = Vec::new();
    collect(root, &Labels::default(), MAX_LEVELS, &mut found);
    found
}

fn collect(cursor: &Cursor<'_>, above: &Labels, depth: usize, found: &mut Vec<(Labels, Metrics)>) {
    let labels = Labels::read(cursor, above);
    let figures = metrics::read(cursor);
    if metrics::is_there(cursor) || depth == 0 {
        if !figures.is_empty() {
            found.push((labels, figures));
        }
        return;
    }
    let before = found.len();
    for (key, part) in cursor.entries().filter(|(_, part)| metrics::is_part(part.node())) {
        collect(&part, &labels.of_key(key), depth - 1, found);
    }
    if found.len() == before && !figures.is_empty() {
        found.push((labels, figures));
    }
}
