//! Verdicts that are not counted: beside those that are, or in a form that nobody can be sure of.

use std::collections::BTreeSet;

use crate::json::Node;
use crate::model::{Code, Outcome};
use crate::read::alias::{Field, expectation, grading, metrics};
use crate::read::cursor::Cursor;
use crate::read::grading::shape::{Verdicts, is_group, is_single, is_stated};
use crate::read::grading::{GradingRecord, Home};
use crate::read::verdict;

/// Fields of a grading that may hold flags and words of their own.
const OTHERS: &[&Field] = &[
    &grading::CLAIMS,
    &grading::NOTES,
    &grading::SUGGESTIONS,
    &grading::CONVENTIONS,
    &grading::METRICS,
    &grading::TIMING,
    &grading::SUMMARY,
    &metrics::TOOL_CALLS_BY_NAME,
    &metrics::STEPS,
    &metrics::ERRORS,
    &metrics::PARTS,
];

fn is_other(key: &str) -> bool {
    OTHERS.iter().any(|field| field.is(key))
}

/// How deep lists beside the verdicts are looked for.
const BESIDE: usize = 2;

/// Verdicts under another name beside those read are not counted, which is a problem unless they
/// are the same.
pub(super) fn check_beside(cursor: &Cursor<'_>, read: &Verdicts<'_>, home: Home<'_>) {
    let parts = read.parts();
    let is_read = |key: &str, part: &Cursor<'_>| {
        parts.iter().any(|read| read.name() == key || read.node() == part.node())
    };
    if parts.iter().any(|read| std::ptr::eq(read.node(), cursor.node())) {
        return;
    }
    let groups = cursor.entries().filter(|(key, part)| {
        !is_other(key) && !is_read(key, part) && is_group(part, BESIDE, home)
    });
    let mut known = BTreeSet::new();
    for (at, (key, part)) in groups.enumerate() {
        if at == 0 {
            for read in &parts {
                told_below(read, &mut known);
            }
        }
        let mut told = BTreeSet::new();
        told_below(&part, &mut told);
        if told.is_empty() || !told.is_subset(&known) {
            let names: Vec<String> =
                parts.iter().map(|read| format!("`{}`", read.name())).collect();
            let message = format!("`{key}` holds verdicts too");
            let assumed = format!("only those of {} were read", names.join(" and "));
            part.problem(Code::SecondList, message, &assumed, "put all of them into one list");
        }
    }
}

/// Statements beside the verdicts that have a flag under a key for none are not read, which is a
/// problem: `"triggered": false` may be for or against.
pub(super) fn check_unknown(case: &Cursor<'_>) {
    let flag = |item: &Cursor<'_>| {
        let mut entries = item.entries();
        entries.find(|(_, it)| matches!(it.node(), Node::Bool(_))).map(|(key, _)| key.to_owned())
    };
    let unknown = |item: Cursor<'_>| flag(&item).filter(|_| is_stated(&item) && !is_single(&item));
    for (key, part) in case.entries().filter(|(key, _)| !is_other(key)) {
        if let Some(flag) = part.items().find_map(unknown) {
            let message = format!("`{key}` may hold verdicts too");
            let assumed = format!("not read, because `{flag}` is no key of a verdict");
            let help = "call it `passed`, true where the statement holds";
            part.problem(Code::SecondList, message, &assumed, help);
        }
    }
}

/// Every statement below with its verdict, where both stand in one object; the verdicts within an
/// object, not the one on all of them. `false` when there is none.
fn told_below(cursor: &Cursor<'_>, told: &mut BTreeSet<(String, bool)>) -> bool {
    let items = cursor.items().map(|item| told_below(&item, told)).filter(|found| *found).count();
    let entries = cursor.entries().map(|(_, part)| told_below(&part, told));
    if items + entries.filter(|found| *found).count() > 0 {
        return true;
    }
    let stated = cursor.get_where(&expectation::VERDICT, is_verdict_like);
    let is_passed = stated.and_then(|found| match found.node() {
        Node::Bool(flag) => Some(*flag),
        node => verdict::of_word(node.as_text()?).map(|outcome| outcome == Outcome::Passed),
    });
    let text = cursor.get_where(&expectation::TEXT, |found| found.node().as_text().is_some());
    let text = text.and_then(|found| found.node().as_text().map(str::to_owned));
    let both = text.zip(is_passed);
    both.map(|both| told.insert(both)).is_some()
}

/// Whether none of the records has verdicts or counts.
fn is_unknown_shape(records: &[GradingRecord]) -> bool {
    records.iter().all(|record| record.is_empty)
}

/// Whether every record of the document holds counts but no verdicts.
fn is_counts_only(records: &[GradingRecord]) -> bool {
    !records.is_empty() && records.iter().all(|r| !r.is_empty && r.grading.expectations.is_empty())
}

fn is_empty_list(cursor: &Cursor<'_>) -> bool {
    cursor.is_list() && cursor.items().next().is_none()
}

/// The code and words for a document without verdicts.
pub(in crate::read) fn problem_without_verdicts(root: &Cursor<'_>, records: &[GradingRecord]) {
    if is_unknown_shape(records) {
        let assumed = "the run counts as ungraded";
        let help = "put them under `expectations`, each with `text`, `passed` and `evidence`";
        if problem_at_verdict(root, assumed, help) {
            return;
        }
        let (cursor, message) = match root.get_where(&grading::ITEMS, is_empty_list) {
            Some(list) => (list, "the list of graded expectations is empty"),
            None => (*root, "no list of graded expectations was found"),
        };
        cursor.problem(Code::UnknownShape, message.to_owned(), assumed, help);
    } else if is_counts_only(records) {
        let message = "the document holds counts but no verdicts".to_owned();
        let help = "add the list of `expectations` the counts were made from";
        root.problem(Code::CountsOnly, message, "shown as recorded, counted nowhere", help);
    }
}

/// Says where the first value below stands that looks like a verdict; `false` when there is none.
fn problem_at_verdict(cursor: &Cursor<'_>, assumed: &str, help: &str) -> bool {
    if is_verdict_like(cursor) {
        let message = format!("`{}` may be a verdict, but not in a known form", cursor.name());
        cursor.problem(Code::LostVerdicts, message, assumed, help);
        return true;
    }
    let is_no_verdict =
        |key: &str| is_other(key) || expectation::EVIDENCE.is(key) || expectation::REQUIRED.is(key);
    let mut entries = cursor.entries().filter(|(key, _)| !is_no_verdict(key));
    cursor.items().any(|item| problem_at_verdict(&item, assumed, help))
        || entries.any(|(_, part)| problem_at_verdict(&part, assumed, help))
}

/// Whether the value is a flag or a word for a verdict, alone or at the start of a text.
pub(super) fn is_verdict_like(cursor: &Cursor<'_>) -> bool {
    match cursor.node() {
        Node::Bool(_) => true,
        Node::Text(text) => {
            let word = verdict::of_word(text).is_some_and(|found| found != Outcome::Ungraded);
            word && text.trim().chars().count() > 1 || verdict::is_told(text)
        }
        _ => false,
    }
}
