//! Decides which items of two lists are the same thing.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::diff::in_both;
use crate::diff::json::tree::TreeNode;

/// Bytes of two strings that are examined for similarity.
const EXAMINED: usize = 200;

/// Fields that identify the items of a list, the best ones first.
const IDENTITIES: [&str; 6] = ["id", "key", "name", "path", "title", "text"];

/// The ids of the field that identifies the items of both sides: the first that all have with
/// distinct values. `None` if there is none.
pub(super) fn identities(
    old: &[&TreeNode<'_>],
    new: &[&TreeNode<'_>],
) -> Option<(Vec<u32>, Vec<u32>)> {
    IDENTITIES.iter().find_map(|key| Some((distinct(old, key)?, distinct(new, key)?)))
}

/// The ids of the values of one field; `None` if an item lacks it or two share a value.
fn distinct(nodes: &[&TreeNode<'_>], key: &str) -> Option<Vec<u32>> {
    let id = |node: &&TreeNode<'_>| {
        let place = node.parts.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(node.parts[place].1.id)
    };
    let ids: Vec<u32> = nodes.iter().map(id).collect::<Option<_>>()?;
    let unique: BTreeSet<u32> = ids.iter().copied().collect();
    (unique.len() == ids.len()).then_some(ids)
}

/// How alike two unequal values are, in thousandths.
pub(super) fn alike(old: &TreeNode<'_>, new: &TreeNode<'_>) -> u32 {
    let (a, b) = (&old.parts, &new.parts);
    match (old.value, new.value) {
        // Objects with the same keys are of the same kind; others are compared by their equal
        // fields.
        (Value::Object(_), Value::Object(_)) => {
            let both = || in_both(a, b, |(key, _)| *key);
            let same = both().filter(|((_, a), (_, b))| a.id == b.id).count();
            let most = a.len().max(b.len());
            let share = share(same, most);
            if both().count() == most { 500 + share / 2 } else { share }
        }
        (Value::Array(_), Value::Array(_)) => {
            let same = a.iter().zip(b).filter(|((_, a), (_, b))| a.id == b.id).count();
            500 + share(same, a.len().max(b.len())) / 2
        }
        (Value::String(a), Value::String(b)) => 500 + share(common_ends(a, b), EXAMINED) / 2,
        (a, b) if std::mem::discriminant(a) == std::mem::discriminant(b) => 500,
        _ => 0,
    }
}

fn share(part: usize, whole: usize) -> u32 {
    (1000 * part.min(whole)).checked_div(whole).unwrap_or(0) as u32
}

/// Number of bytes that two strings share at both ends, within the examined part.
fn common_ends(old: &str, new: &str) -> usize {
    let most = EXAMINED / 2;
    let same = |(a, b): &(u8, u8)| a == b;
    let head = old.bytes().zip(new.bytes()).take(most).take_while(same).count();
    let tail = old.bytes().rev().zip(new.bytes().rev()).take(most).take_while(same).count();
    head + tail
}
