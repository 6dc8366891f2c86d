//! Reads gradings: one or many in a document, in every spelling of the list and of its items.
//!
//! Steps, from [`read`]:
//!
//! 1. The value is *verdicts* when it has a list of items with a verdict each: one grading.
//! 2. Else it is a *group*: a list of runs, an object of runs by configuration or case, or a
//!    roll-up of all cases. Each part is read the same way, with the labels met on the way.
//! 3. An item without a statement that names a case is that case's overall verdict.
//! 4. What has counts but no verdicts is kept as counts.

mod item;
mod rest;

use crate::discover::names;
use crate::json::Node;
use crate::model::{Code, Expectation, Grading, Metrics, Outcome, Place, RecordedCounts};
use crate::read::alias::{counts, expectation, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::rest::{rest_of, scored_statement};
use crate::read::labels::Labels;
use crate::read::rules;
use crate::read::verdict;

pub(super) use crate::read::grading::item::read_all as verdicts_of_list;
pub(super) use crate::read::grading::rest::{read_counts, read_notes};

/// One grading with what it says of where it belongs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GradingRecord {
    /// Where it says it belongs.
    pub labels: Labels,
    /// The grading.
    pub grading: Grading,
    /// Figures of the run that stand in the document, outside its `timing`.
    pub metrics: Metrics,
    /// Figures of the run in the document's `timing`.
    pub timing: Metrics,
    /// What the rubric of 1 to 5 lets be checked once the plan is known; `None` for verdicts
    /// without scores.
    pub scored: Option<ScoredStatement>,
    /// Whether it has neither verdicts nor counts.
    pub is_empty: bool,
    /// Whether it stands in a list of runs.
    pub is_run: bool,
}

impl GradingRecord {
    /// Whether it names neither a configuration nor a run and so may be a part of a grading.
    fn is_part(&self) -> bool {
        !self.is_run
            && self.labels.configuration.is_none()
            && self.labels.run.is_none()
            && !self.grading.expectations.is_empty()
    }
}

/// What a scored grading states of its required expectations, with the places.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScoredStatement {
    /// The stated mean of the required scores.
    pub required_score: Option<(f64, Option<Place>)>,
    /// The stated overall verdict.
    pub overall: Option<(Outcome, Option<Place>)>,
}

/// How many levels of groups are followed.
const MAX_GROUPS: usize = 4;

/// Every grading in the document at `root`. Where the document lies in the folder of a case, groups
/// that name neither a configuration nor a run are parts of one grading.
pub(super) fn read(root: &Cursor<'_>, in_case: bool) -> Vec<GradingRecord> {
    let mut records = Vec::new();
    collect(root, &Labels::default(), MAX_GROUPS, &mut records);
    if in_case && records.len() > 1 && records.iter().all(GradingRecord::is_part) {
        records = vec![join(root, records)];
    }
    records
}

/// Puts the groups of one grading together, as from categories of expectations.
fn join(root: &Cursor<'_>, parts: Vec<GradingRecord>) -> GradingRecord {
    let message = "the expectations stand in several groups".to_owned();
    let help = "put them into one list, or give every run its number";
    root.problem(Code::WrongType, message, "read as one grading", help);
    let mut parts = parts.into_iter();
    let mut joined = parts.next().unwrap_or_default();
    for part in parts {
        let (all, more) = (&mut joined.grading, part.grading);
        all.expectations.extend(more.expectations);
        all.claims.extend(more.claims);
        all.suggestions.extend(more.suggestions);
        all.conventions.extend(more.conventions);
        all.critique = all.critique.take().or(more.critique);
        all.notes.append(more.notes);
        joined.metrics.fill_from(&part.metrics);
        joined.timing.fill_from(&part.timing);
        joined.scored = joined.scored.or(part.scored);
    }
    joined.grading.recorded = RecordedCounts::default();
    rest::fill_from_outside(&mut joined, root);
    joined
}

fn collect(cursor: &Cursor<'_>, above: &Labels, depth: usize, records: &mut Vec<GradingRecord>) {
    let labels = Labels::read(cursor, above);
    if let Some(items) = verdict_list(cursor) {
        if items.is_list() && items.items().all(|item| stands_for_case(&item)) {
            records.extend(items.items().map(|item| of_case_verdict(&item, &labels)));
        } else {
            records.push(of_verdicts(cursor, &items, labels));
        }
        return;
    }
    let before = records.len();
    if depth > 0 {
        collect_parts(cursor, &labels, depth - 1, records);
    }
    if let [only] = &mut records[before..] {
        rest::fill_from_outside(only, cursor);
    }
    if records.len() == before {
        records.extend(of_counts(cursor, labels, depth == MAX_GROUPS));
    }
}

/// The list of verdicts at `cursor`: the value itself, or the first field that holds one.
fn verdict_list<'c>(cursor: &'c Cursor<'c>) -> Option<Cursor<'c>> {
    if is_verdict_list(cursor) {
        return Some(*cursor);
    }
    cursor
        .get_where(&grading::ITEMS, is_verdict_list)
        .or_else(|| cursor.get_where(&grading::RUNS, is_verdict_list))
        .or_else(|| cursor.get_where(&grading::NAMED_ITEMS, is_verdict_map))
}

/// Whether the value is an object of verdicts by statement.
fn is_verdict_map(cursor: &Cursor<'_>) -> bool {
    let is_verdict = |item: &Cursor<'_>| match item.node() {
        Node::Bool(_) => true,
        Node::Text(text) => verdict::of_word(text).is_some_and(|found| found != Outcome::Ungraded),
        _ => item.is_object() && has_verdict(item),
    };
    let mut entries = cursor.entries().peekable();
    entries.peek().is_some() && entries.all(|(_, item)| is_verdict(&item))
}

/// Whether the value is a list with a verdict in it, also in a list within.
fn is_verdict_list(cursor: &Cursor<'_>) -> bool {
    cursor.items().any(|item| is_item(&item) || is_verdict_list(&item))
}

/// Whether the value is one graded expectation: it has a verdict or a score, and no list of its
/// own verdicts.
fn is_item(item: &Cursor<'_>) -> bool {
    item.is_object()
        && has_verdict(item)
        && item.get_where(&grading::ITEMS, is_verdict_list).is_none()
}

fn has_verdict(item: &Cursor<'_>) -> bool {
    if item.get_where(&expectation::VERDICT, verdict::is_verdict).is_some() {
        let is_count = item.plain_number(&counts::TOTAL).is_some();
        return !is_count;
    }
    item.get(&expectation::TEXT).is_some() && rules::has_score(item)
}

/// Whether an item has no statement of its own but names a case.
fn stands_for_case(item: &Cursor<'_>) -> bool {
    const STATEMENTS: &[&str] = &[
        "text",
        "expectation",
        "assertion",
        "criterion",
        "statement",
        "description",
        "check",
        "requirement",
    ];
    item.is_object()
        && STATEMENTS.iter().all(|key| item.key(key).is_none())
        && item.label(&expectation::CASE).is_some()
        && item.entries().count() > 4
}

fn collect_parts(
    cursor: &Cursor<'_>,
    labels: &Labels,
    depth: usize,
    records: &mut Vec<GradingRecord>,
) {
    if cursor.is_list() {
        cursor.items().for_each(|item| collect(&item, labels, depth, records));
        return;
    }
    for field in [&grading::RUNS, &grading::ITEMS] {
        if let Some(runs) = cursor.get_where(field, is_list_of_objects) {
            let before = records.len();
            runs.items().for_each(|run| collect(&run, labels, depth, records));
            let are_runs = names::is_run_list(&runs.name());
            records[before..].iter_mut().for_each(|record| record.is_run |= are_runs);
            return;
        }
    }
    for (key, part) in cursor.entries() {
        if is_group(&part, depth) {
            collect(&part, &entry_labels(key, labels), depth, records);
        }
    }
}

fn is_list_of_objects(cursor: &Cursor<'_>) -> bool {
    let mut items = cursor.items().peekable();
    items.peek().is_some() && items.all(|item| item.is_object())
}

/// Whether an entry's value is a group of gradings: verdicts somewhere below.
fn is_group(part: &Cursor<'_>, depth: usize) -> bool {
    verdict_list(part).is_some()
        || depth > 0
            && (part.items().any(|item| item.is_object() && is_group(&item, depth - 1))
                || part.entries().any(|(_, inner)| is_group(&inner, depth - 1)))
}

/// The labels of one entry of a group; a field that only holds the group names nothing.
fn entry_labels(key: &str, above: &Labels) -> Labels {
    let holders = [grading::RUNS.spellings, grading::ITEMS.spellings, grading::WRAPPER.spellings];
    if holders.iter().any(|spellings| spellings.contains(&key)) {
        return above.clone();
    }
    above.of_key(key)
}

fn of_verdicts(cursor: &Cursor<'_>, items: &Cursor<'_>, labels: Labels) -> GradingRecord {
    let is_scored = rules::is_scored(cursor, items);
    check_second_list(cursor, items);
    let mut record = rest_of(cursor, labels);
    record.grading.expectations = item::read_all(items, is_scored);
    record.is_empty = false;
    record.scored = is_scored.then(|| scored_statement(cursor));
    rules::check(cursor, &record.grading, is_scored);
    record
}

/// Verdicts under another name beside those read are not counted, which is a problem unless they
/// are the same.
fn check_second_list(cursor: &Cursor<'_>, items: &Cursor<'_>) {
    let is_other = |found: &Cursor<'_>| {
        found.name() != items.name() && found.node() != items.node() && is_verdict_list(found)
    };
    if let Some(other) = cursor.get_where(&grading::ITEMS, is_other) {
        let message = format!("`{}` holds verdicts too", other.name());
        let assumed = format!("only those of `{}` were read", items.name());
        other.problem(Code::SecondList, message, &assumed, "put all of them into one list");
    }
}

/// The graded expectations of a run that stands in another kind of document.
pub(super) fn expectations_of(run: &Cursor<'_>) -> Vec<Expectation> {
    let items = run.get_where(&grading::ITEMS, is_verdict_list);
    items.map(|items| item::read_all(&items, false)).unwrap_or_default()
}

/// An item that is the overall verdict on a case.
fn of_case_verdict(item: &Cursor<'_>, above: &Labels) -> GradingRecord {
    let mut labels = Labels::read(item, above);
    labels.case_name = item.label(&expectation::CASE).or(labels.case_name);
    if labels.configuration.is_none() {
        labels.configuration.clone_from(&labels.version);
    }
    let mut record = rest_of(item, labels);
    record.grading.recorded = RecordedCounts::default();
    record.grading.expectations = vec![Expectation {
        id: None,
        text: "overall verdict on the case".to_owned(),
        description: None,
        outcome: item::outcome(item, None, false),
        evidence: item.words(&expectation::EVIDENCE),
        score: item.plain_number(&expectation::SCORE),
        required: None,
    }];
    record.is_empty = false;
    record
}

/// A grading of counts without verdicts; at the top also one that holds nothing at all, so that
/// its claims and notes are not lost.
fn of_counts(cursor: &Cursor<'_>, labels: Labels, is_top: bool) -> Option<GradingRecord> {
    if !cursor.is_object() {
        return None;
    }
    let record = rest_of(cursor, labels);
    let recorded = &record.grading.recorded;
    let has_counts = recorded.passed.is_some() && recorded.total.is_some();
    (is_top || has_counts).then_some(GradingRecord { is_empty: !has_counts, ..record })
}

/// Whether the record says anything worth a problem when it is empty.
pub(super) fn is_unknown_shape(records: &[GradingRecord]) -> bool {
    records.iter().all(|record| record.is_empty)
}

/// Whether every record of the document holds counts but no verdicts.
pub(super) fn is_counts_only(records: &[GradingRecord]) -> bool {
    !records.is_empty() && records.iter().all(|r| !r.is_empty && r.grading.expectations.is_empty())
}

fn is_empty_list(cursor: &Cursor<'_>) -> bool {
    cursor.is_list() && cursor.items().next().is_none()
}

/// The code and words for a document without verdicts.
pub(super) fn problem_without_verdicts(root: &Cursor<'_>, records: &[GradingRecord]) {
    if is_unknown_shape(records) {
        let (cursor, message) = match root.get_where(&grading::ITEMS, is_empty_list) {
            Some(list) => (list, "the list of graded expectations is empty"),
            None => (*root, "no list of graded expectations was found"),
        };
        let help = "put them under `expectations`, each with `text`, `passed` and `evidence`";
        let assumed = "the run counts as ungraded";
        cursor.problem(Code::UnknownShape, message.to_owned(), assumed, help);
    } else if is_counts_only(records) {
        let message = "the document holds counts but no verdicts".to_owned();
        let help = "add the list of `expectations` the counts were made from";
        root.problem(Code::CountsOnly, message, "shown as recorded, counted nowhere", help);
    }
}
