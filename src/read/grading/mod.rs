//! Reads gradings: one or many in a document, in every spelling of the list and of its items.
//!
//! A value is a grading if it has a list of items with a verdict each, or an object of verdicts by
//! statement (`shape`). Else it is a *group* of gradings: runs, cases, configurations. An item
//! without a statement that names a case is that case's overall verdict. Counts without verdicts
//! are kept as counts. Verdicts in a second list, or in an uncertain form, are problems (`lost`).

mod item;
mod lost;
mod rest;
mod shape;

use crate::discover::names;
use crate::model::{Code, Expectation, Grading, Metrics, Place, RecordedCounts, fill};
use crate::read::alias::{expectation, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::rest::{rest_of, scored_statement};
use crate::read::grading::shape::{is_group, is_verdict_list, verdicts_at};
use crate::read::labels::Labels;
use crate::read::{rules, verdict};

pub(super) use crate::read::grading::item::read_all as verdicts_of_list;
pub(super) use crate::read::grading::lost::problem_without_verdicts;
pub(super) use crate::read::grading::rest::{read_counts, read_notes};

/// One grading with its labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GradingRecord {
    pub labels: Labels,
    pub grading: Grading,
    /// Figures of the run in the document, outside its `timing`.
    pub metrics: Metrics,
    /// Figures of the run in the document's `timing`.
    pub timing: Metrics,
    pub timing_place: Option<Place>,
    /// Whether it has neither verdicts nor counts.
    pub is_empty: bool,
    /// Whether it is in a list of runs.
    pub is_run: bool,
}

const MAX_GROUPS: usize = 4;

/// Every grading in the document at `root`. In the folder of a case (`in_case`), groups that name
/// neither a configuration nor a run are parts of one grading.
pub(super) fn read(root: Cursor<'_>, in_case: bool) -> Vec<GradingRecord> {
    let records = collect(root, &Labels::default(), MAX_GROUPS, in_case);
    let is_part = |record: &GradingRecord| {
        let names_run = record.labels.configuration.is_some() || record.labels.run.is_some();
        !record.is_run && !names_run && !record.grading.expectations.is_empty()
    };
    match in_case && records.len() > 1 && records.iter().all(is_part) {
        true => vec![join(root, records)],
        false => records,
    }
}

/// Whether the gradings can only be runs: each has verdicts, a case and a configuration.
pub(super) fn are_plainly_runs(records: &[GradingRecord]) -> bool {
    let is_run = |record: &GradingRecord| {
        let labels = &record.labels;
        let has_case = labels.case_id.is_some() || labels.case_name.is_some();
        let configuration = labels.configuration.as_deref();
        let is_named = configuration.is_some_and(names::is_configuration);
        !record.grading.expectations.is_empty() && has_case && is_named
    };
    !records.is_empty() && records.iter().all(is_run)
}

/// Joins the groups of one grading, such as categories of expectations.
fn join(root: Cursor<'_>, parts: Vec<GradingRecord>) -> GradingRecord {
    let message = "the expectations are in several groups";
    let help = "put them into one list, or give every run its number";
    root.problem(Code::WrongType, message, "read as one grading", help);
    let mut parts = parts.into_iter();
    let mut joined = parts.next().unwrap_or_default();
    for part in parts {
        let (grading, more) = (&mut joined.grading, part.grading);
        grading.expectations.extend(more.expectations);
        grading.claims.extend(more.claims);
        grading.suggestions.extend(more.suggestions);
        grading.conventions.extend(more.conventions);
        fill(&mut grading.critique, &more.critique);
        grading.notes.append(more.notes);
        grading.scored = grading.scored.or(more.scored);
        joined.metrics.fill_from(&part.metrics);
        joined.timing.fill_from(&part.timing);
    }
    joined.grading.recorded = RecordedCounts::default();
    rest::fill_from_outside(&mut joined, root);
    joined
}

/// The gradings at `cursor`, each with the labels on the way.
fn collect(cursor: Cursor<'_>, above: &Labels, depth: usize, in_case: bool) -> Vec<GradingRecord> {
    let labels = Labels::read(cursor, above);
    if let Some(items) = verdicts_at(cursor, in_case) {
        lost::check_others(cursor, items, in_case);
        return verdict_gradings(cursor, items, labels);
    }
    let below = depth.checked_sub(1);
    let mut gradings =
        below.map(|depth| part_gradings(cursor, &labels, depth, in_case)).unwrap_or_default();
    if let [only] = &mut gradings[..] {
        rest::fill_from_outside(only, cursor);
    }
    if gradings.is_empty() && cursor.is_object() {
        // Counts without verdicts; at the top also an empty document, so that its claims and notes
        // are not lost.
        let record = rest_of(cursor, labels);
        let recorded = &record.grading.recorded;
        let is_empty = recorded.passed.is_none() || recorded.total.is_none();
        if depth == MAX_GROUPS || !is_empty {
            gradings.push(GradingRecord { is_empty, ..record });
        }
    }
    gradings
}

fn verdict_gradings(cursor: Cursor<'_>, items: Cursor<'_>, labels: Labels) -> Vec<GradingRecord> {
    // An item may name a case instead of having a statement of its own.
    let stands_for_case = |item: Cursor<'_>| {
        item.is_object()
            && item.key("description").is_none()
            && !shape::is_stated(item)
            && item.label(&expectation::CASE).is_some()
            && item.entries().count() > 4
    };
    if items.is_list() && items.items().all(stands_for_case) {
        return items.items().map(|item| case_verdict_grading(item, &labels)).collect();
    }
    let is_scored = rules::is_scored(cursor, items);
    let mut record = rest_of(cursor, labels);
    record.grading.expectations = item::read_all(items, is_scored);
    record.is_empty = false;
    record.grading.is_scored = is_scored;
    record.grading.scored = is_scored.then(|| scored_statement(cursor));
    rules::check_counts(cursor, &record.grading);
    if is_scored {
        rules::check_mean(cursor, &record.grading);
    }
    vec![record]
}

fn part_gradings(
    cursor: Cursor<'_>,
    labels: &Labels,
    depth: usize,
    in_case: bool,
) -> Vec<GradingRecord> {
    if cursor.is_list() {
        return item_gradings(cursor, labels, depth, in_case);
    }
    let is_list_of_objects = |found: Cursor<'_>| {
        found.items().next().is_some() && found.items().all(|item| item.is_object())
    };
    for field in [&grading::RUNS, &grading::ITEMS] {
        if let Some(runs) = cursor.get_where(field, is_list_of_objects) {
            let mut gradings = item_gradings(runs, labels, depth, in_case);
            let are_runs = names::is_run_list(&runs.name());
            gradings.iter_mut().for_each(|record| record.is_run |= are_runs);
            lost::check_others(cursor, runs, in_case);
            return gradings;
        }
    }
    let parts = cursor.entries().filter(|(key, _)| !grading::CLAIMS.is(key));
    let groups = parts.filter(|(_, part)| is_group(*part, depth, in_case));
    let in_group = |(key, part): (&str, Cursor<'_>)| {
        // A field that only holds the group is not a label.
        let holders = [&grading::RUNS, &grading::ITEMS, &grading::WRAPPER];
        let is_holder = holders.iter().any(|field| field.spellings.contains(&key));
        let labels = if is_holder { labels.clone() } else { labels.for_key(key) };
        collect(part, &labels, depth, in_case)
    };
    groups.flat_map(in_group).collect()
}

/// The items of a list of runs or cases; the id of an item without a name is the case's.
fn item_gradings(
    list: Cursor<'_>,
    labels: &Labels,
    depth: usize,
    in_case: bool,
) -> Vec<GradingRecord> {
    let are_cases = !in_case && !names::is_run_list(&list.name());
    let is_unnamed = labels.case_id.is_none() && labels.case_name.is_none();
    let read_entry = |item: Cursor<'_>| {
        let mut labels = labels.clone();
        if are_cases && is_unnamed {
            labels.case_id = item.label(&grading::ITEM_ID);
        }
        if shape::is_item(item) {
            return vec![case_verdict_grading(item, &labels)];
        }
        let mut records = collect(item, &labels, depth, in_case);
        if shape::holds_own(item) {
            // An overall word that is not a verdict is ignored if a case has verdicts of its own.
            let stated = item.get_where(&expectation::VERDICT, verdict::is_verdict);
            let stated = stated.filter(|stated| verdict::is_understood(*stated));
            let overall = stated.map(verdict::read);
            records.iter_mut().for_each(|record| fill(&mut record.grading.overall, &overall));
        }
        records
    };
    list.items().flat_map(read_entry).collect()
}

/// The graded expectations of a run in another kind of document.
pub(super) fn expectations_of(run: Cursor<'_>) -> Vec<Expectation> {
    let items = run.get_where(&grading::ITEMS, is_verdict_list);
    items.map(|items| item::read_all(items, false)).unwrap_or_default()
}

/// An item that is the overall verdict on a case.
fn case_verdict_grading(item: Cursor<'_>, above: &Labels) -> GradingRecord {
    let mut labels = Labels::read(item, above);
    labels.case_name = item.label(&expectation::CASE).or(labels.case_name);
    if labels.configuration.is_none() {
        labels.configuration.clone_from(&labels.version);
    }
    let mut record = rest_of(item, labels);
    record.grading.recorded = RecordedCounts::default();
    record.grading.expectations = vec![Expectation {
        text: "overall verdict on the case".to_owned(),
        outcome: item::outcome(item, None, false),
        evidence: item.words(&expectation::EVIDENCE),
        score: item.plain_number(&expectation::SCORE),
        ..Expectation::default()
    }];
    record.is_empty = false;
    record
}
