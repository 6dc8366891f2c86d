//! Verdicts that are not counted: in a second list, or in an uncertain form.

use std::collections::BTreeSet;

use crate::read::alias::{Field, expectation, grading, is_any, metrics};
use crate::read::cursor::Cursor;
use crate::read::grading::GradingRecord;
use crate::read::grading::verdict_lists::is_group;
use crate::read::{problem_at_misspelt_key, verdict};
use input::model::{Code, Outcome};
use json::Node;

/// Fields of a grading that may have flags and words of their own.
const OTHERS: &[&Field] = &[
    &grading::CLAIMS,
    &grading::NOTES,
    &grading::SUGGESTIONS,
    &grading::CONVENTIONS,
    &grading::METRICS,
    &grading::TIMING,
    &grading::SUMMARY,
    &grading::META,
    &metrics::TOOL_CALLS_BY_NAME,
    &metrics::STEPS,
    &metrics::ERRORS,
    &metrics::PARTS,
];

/// Verdicts under other names than those at `read` are not counted, which is a problem unless they
/// only repeat them.
pub(super) fn check_others(cursor: Cursor<'_>, read: Cursor<'_>, in_case: bool) {
    /// How deep a document is searched for other verdicts.
    const DEPTH: usize = 2;
    if std::ptr::eq(read.node(), cursor.node()) {
        return;
    }
    let mut verdicts = BTreeSet::new();
    for (key, part) in cursor.entries() {
        let is_read = read.name() == key || read.node() == part.node();
        if is_any(OTHERS, key) || is_read || !is_group(part, DEPTH, in_case) {
            continue;
        }
        if verdicts.is_empty() {
            add_verdicts(read, &mut verdicts);
        }
        let mut other_verdicts = BTreeSet::new();
        add_verdicts(part, &mut other_verdicts);
        if other_verdicts.is_empty() || !other_verdicts.is_subset(&verdicts) {
            let message = format!("`{key}` holds verdicts too");
            let assumed = format!("only those of `{}` were read", read.name());
            part.problem(Code::LostVerdicts, message, &assumed, "put all of them into one list");
        }
    }
}

/// Adds every statement below with its verdict, if both are in one object; the verdicts within an
/// object, not its overall one. `false` if there are none.
fn add_verdicts(cursor: Cursor<'_>, verdicts: &mut BTreeSet<(String, Option<Outcome>)>) -> bool {
    let mut has_inner = false;
    for part in cursor.items().chain(cursor.entries().map(|(_, part)| part)) {
        has_inner |= add_verdicts(part, verdicts);
    }
    let text = cursor.get_where(&expectation::TEXT, |text| text.node().as_text().is_some());
    let stated = cursor.get_where(&expectation::VERDICT, is_verdict_like);
    let (Some(text), Some(stated), false) = (text, stated, has_inner) else { return has_inner };
    let outcome = verdict::parse_flag_or_text(stated);
    verdicts.insert((text.as_text().unwrap_or_default(), outcome));
    true
}

pub(in crate::read) fn problem_without_verdicts(root: Cursor<'_>, records: &[GradingRecord]) {
    if records.iter().any(|record| !record.grading.expectations.is_empty()) {
        return;
    }
    let counted = records.iter().filter(|record| !record.is_empty).count();
    if counted > 0 && counted == records.len() {
        let message = "the document holds counts but no verdicts";
        let help = "add the list of `expectations` the counts were made from";
        root.problem(Code::CountsOnly, message, "shown as recorded, counted nowhere", help);
        return;
    }
    let assumed = "the run counts as ungraded";
    let help =
        "write each as an object with `text`, `passed` and `evidence`, in the list `expectations`";
    if counted == 0
        && !problem_at_misspelt_key(root, assumed)
        && !problem_at_verdict(root, assumed, help)
    {
        let (cursor, message) = if let Some(list) =
            root.get_where(&grading::ITEMS, |found| found.is_list() && !found.is_filled())
        {
            (list, "the list of graded expectations is empty")
        } else if let Some(other) = root.get(&grading::ITEMS) {
            (other, "this value has no graded expectation")
        } else {
            (root, "no list of graded expectations was found")
        };
        cursor.problem(Code::UnknownShape, message, assumed, help);
    }
}

/// Reports the first value below that looks like a verdict; `false` if there is none.
fn problem_at_verdict(cursor: Cursor<'_>, assumed: &str, help: &str) -> bool {
    if is_verdict_like(cursor) {
        let message = format!("`{}` may be a verdict, but not in a known form", cursor.name());
        cursor.problem(Code::LostVerdicts, message, assumed, help);
        return true;
    }
    let mut entries = cursor.entries().filter(|(key, _)| !is_no_verdict(key));
    cursor.items().any(|item| problem_at_verdict(item, assumed, help))
        || entries.any(|(_, part)| problem_at_verdict(part, assumed, help))
}

fn is_no_verdict(key: &str) -> bool {
    is_any(OTHERS, key) || expectation::EVIDENCE.is(key) || expectation::REQUIRED.is(key)
}

/// Whether the value is a flag or a verdict word, alone or at the start of a text.
pub(super) fn is_verdict_like(cursor: Cursor<'_>) -> bool {
    let Node::Text(text) = cursor.node() else { return matches!(cursor.node(), Node::Bool(_)) };
    let is_word = verdict::parse_word(text).is_some_and(|found| found != Outcome::Ungraded);
    is_word && text.trim().chars().count() > 1 || verdict::begins_with_verdict(text)
}
