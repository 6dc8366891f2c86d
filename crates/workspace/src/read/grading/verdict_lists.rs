//! Where verdicts are in a value: in a list of items, or in an object by statement. Every other
//! form is left to `uncounted`.

use crate::read::alias::{Field, counts, expectation, grading, is_any};
use crate::read::cursor::Cursor;
use crate::read::grading::scale;
use crate::read::verdict;
use input::model::Outcome;
use input::names;
use json::Node;

/// The list of items at `cursor`, or the object of verdicts by statement: the value itself, or the
/// first field with any.
pub(super) fn verdicts_at<'c>(cursor: Cursor<'c>, in_case: bool) -> Option<Cursor<'c>> {
    if is_verdict_list(cursor) {
        return Some(cursor);
    }
    let maps = if in_case { &grading::ITEMS } else { &grading::NAMED_ITEMS };
    cursor
        .get_where(&grading::ITEMS, is_verdict_list)
        .or_else(|| cursor.get_where(&grading::RUNS, is_verdict_list))
        .or_else(|| cursor.get_where(maps, is_verdict_map))
        .or_else(|| cursor.get_where(&grading::KEYED_ITEMS, |items| is_keyed(items, in_case)))
}

/// Whether the value has items by their keys, which may be cases outside a case's folder.
fn is_keyed(items: Cursor<'_>, in_case: bool) -> bool {
    is_verdict_map(items)
        && items.entries().all(|(_, item)| is_item(item) && (in_case || is_stated(item)))
}

/// Whether the value is a list with a verdict in it, but not of cases with verdicts of their own.
pub(super) fn is_verdict_list(cursor: Cursor<'_>) -> bool {
    cursor.items().any(is_item) && !cursor.items().any(holds_own)
}

/// Whether an entry's value is a group of gradings: verdicts at any depth.
pub(super) fn is_group(part: Cursor<'_>, depth: usize, in_case: bool) -> bool {
    verdicts_at(part, in_case).is_some()
        || depth > 0
            && (part.items().any(|item| item.is_object() && is_group(item, depth - 1, in_case))
                || part.entries().any(|(_, inner)| is_group(inner, depth - 1, in_case)))
}

/// Whether the value has a verdict or a score, and no list of its own verdicts.
pub(super) fn is_item(item: Cursor<'_>) -> bool {
    item.is_object()
        && has_verdict(item)
        && !holds_own(item)
        && item.get_where(&grading::ITEMS, is_verdict_list).is_none()
}

/// Whether the value is a case with an overall verdict without a statement, and a list of verdicts
/// with statements. Verdicts without any, as of several judges, apply to the value.
pub(super) fn holds_own(item: Cursor<'_>) -> bool {
    const PROSE: &[&Field] = &[&expectation::EVIDENCE, &grading::CLAIMS, &grading::NOTES];
    if !has_verdict(item) || is_stated(item) {
        return false;
    }
    let lists = item.entries().filter(|(key, part)| part.is_list() && !is_any(PROSE, key));
    lists.flat_map(|(_, list)| list.items()).any(|own| is_stated(own) && has_verdict(own))
}

fn has_verdict(item: Cursor<'_>) -> bool {
    if item.get_where(&expectation::VERDICT, verdict::is_verdict).is_some() {
        // With a total, `passed` is a count.
        return item.number(&counts::TOTAL).is_none();
    }
    item.get(&expectation::TEXT).is_some() && scale::score(item).is_some()
}

/// Whether the item has a field with its statement.
pub(super) fn is_stated(item: Cursor<'_>) -> bool {
    const STATEMENTS: &[&str] =
        &["text", "expectation", "assertion", "criterion", "statement", "check", "requirement"];
    STATEMENTS.iter().any(|key| item.key(key).is_some())
}

/// Whether the value is an object of verdicts by statement. One clear verdict is enough if no key
/// is a configuration's name or could be a field of an item or of counts.
fn is_verdict_map(cursor: Cursor<'_>) -> bool {
    const FIELDS: &[&Field] = &[
        &expectation::TEXT,
        &expectation::SCORE,
        &expectation::REQUIRED,
        &expectation::ID,
        &counts::PASSED,
        &counts::FAILED,
        &counts::TOTAL,
        &counts::PASS_RATE,
    ];
    const STATES: &[&str] = &["pass", "verdict", "result", "outcome", "status"];
    if !cursor.entries().any(|(_, item)| is_clear_verdict(item)) {
        return false;
    }
    for (key, _) in cursor.entries() {
        // Certainly a configuration; `no_emoji` may be a statement.
        let is_configuration = names::split_configuration_suffix(&format!("case-{key}")).is_some();
        if is_any(FIELDS, key) || STATES.contains(&key) || is_configuration {
            return false;
        }
    }
    true
}

/// Whether a value by statement is a verdict beyond doubt.
fn is_clear_verdict(item: Cursor<'_>) -> bool {
    match item.node() {
        Node::Bool(_) => true,
        Node::Text(text) => {
            verdict::parse_word(text).is_some_and(|found| found != Outcome::Ungraded)
        }
        _ => item.is_object() && has_verdict(item),
    }
}
