//! Two JSON documents compared by structure.
//!
//! The order of keys and the notation of numbers do not matter: `1`, `1.0` and `1e0` are equal,
//! within the precision of a 64-bit float. The last of duplicate keys counts. Items of a list are
//! matched by content, changed ones by their `id`, `name` or the like, so that an inserted item
//! does not change those after it.

mod alike;
mod compare;
#[cfg(test)]
mod tests;
mod tree;

use crate::diff::limits::{Compared, InputTooLarge, LimitHit, LimitKind, Limits, Work, exceeded};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonDiff {
    /// Sorted by path; empty if the documents are equal.
    pub changes: Vec<JsonChange>,
    /// Number of changes left out of the middle because there are too many.
    pub omitted: usize,
    /// How many of `changes` come before those left out; all of them if none are.
    pub before_omitted: usize,
    pub reached: Vec<LimitHit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonChange {
    pub kind: ChangeKind,
    pub old: Option<JsonPath>,
    pub new: Option<JsonPath>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    Removed,
    Added,
    Changed,
    /// The same item is elsewhere in its list.
    Moved,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonPath {
    /// The path, for example `a.b[2]["odd key"]`; `$` is the document itself.
    pub path: String,
    /// The value as JSON on one line; only the beginning of a long one.
    pub value: String,
    pub left_out: usize,
}

/// Compares two JSON documents; `None` if one of them is not JSON.
pub fn json<'a>(old: &'a str, new: &'a str, limits: &Limits) -> Option<Compared<'a, JsonDiff>> {
    if let Some(reason) = too_large(old, limits).or_else(|| too_large(new, limits)) {
        let documents = [old, new].iter().all(|text| text.trim_start().starts_with(['{', '[']));
        return documents.then(|| Err(InputTooLarge::new(reason, old, new, limits)));
    }
    let (a, b) = (tree::read(old)?, tree::read(new)?);
    let mut work = Work::new(old, new, limits);
    let mut changes = compare::changes(&a, &b, &mut work);
    let count = changes.len();
    let before_omitted = if count > limits.rows { limits.rows / 2 } else { count };
    let omitted = count.saturating_sub(limits.rows);
    changes.drain(before_omitted..before_omitted + omitted);
    if omitted > 0 {
        work.reach(LimitKind::Rows, count as u64, limits.rows as u64);
    }
    let diff = JsonDiff { changes, omitted, before_omitted, reached: work.into_reached() };
    Some(Ok(diff))
}

/// The limit that a document exceeds, found without parsing it.
fn too_large(text: &str, limits: &Limits) -> Option<LimitHit> {
    exceeded(LimitKind::Bytes, text.len(), limits.bytes).or_else(|| {
        let (depth, values) = tree::depth_and_values(text);
        exceeded(LimitKind::Depth, depth, limits.depth.min(127))
            .or_else(|| exceeded(LimitKind::Items, values, limits.items))
    })
}
