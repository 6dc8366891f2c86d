//! Reads gradings: one or many in a document, in every spelling of the list and of its items.
//!
//! A value is a grading if it has a list of items with a verdict each, or an object of verdicts by
//! statement (`verdict_lists`). Else it is a *group* of gradings: runs, cases, configurations. An item
//! without a statement that names a case is that case's overall verdict. Counts without verdicts
//! are kept as counts. Verdicts in a second list, or in an uncertain form, are problems (`uncounted`).

mod counts;
mod item;
mod reason;
mod remarks;
mod scale;
mod score;
mod uncounted;
mod verdict_lists;

use std::collections::BTreeSet;

use crate::read::MAX_LEVELS;
use crate::read::alias::{expectation, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::remarks::without_verdicts;
use crate::read::grading::scale::Scale;
use crate::read::grading::verdict_lists::{is_group, is_verdict_list, verdicts_at};
use crate::read::labels::Labels;
use crate::read::verdict;
use input::model::{Code, Expectation, Grading, Metrics, Place, RecordedCounts, fill};
use input::names;

pub(super) use crate::read::grading::counts::read_counts;
pub(super) use crate::read::grading::item::read_all as verdicts_of_list;
pub(super) use crate::read::grading::remarks::read_notes;
pub(super) use crate::read::grading::uncounted::problem_without_verdicts;

/// One grading with its labels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GradingRecord {
    /// The case, configuration and run that it says it is about.
    pub labels: Labels,
    /// The verdicts, counts and remarks; who graded.
    pub grading: Grading,
    /// Figures of the run in the document, outside its `timing`.
    pub metrics: Metrics,
    /// Figures of the run in the document's `timing`.
    pub timing: Metrics,
    /// The place of that `timing`; `None` without one.
    pub timing_place: Option<Place>,
    /// Whether it has neither verdicts nor counts.
    pub is_empty: bool,
    /// Whether it is in a list of runs.
    pub is_run: bool,
}

impl GradingRecord {
    /// Whether it may be one of several groups of expectations about one run.
    fn may_be_part(&self) -> bool {
        let names_run = self.labels.configuration.is_some() || self.labels.run.is_some();
        !self.is_run && !names_run && !self.grading.expectations.is_empty()
    }

    fn is_plainly_run(&self) -> bool {
        let has_case = self.labels.case_id.is_some() || self.labels.case_name.is_some();
        let configuration = self.labels.configuration.as_deref();
        let has_configuration = configuration.is_some_and(names::is_configuration);
        !self.grading.expectations.is_empty() && has_case && has_configuration
    }
}

/// What is checked where only a verdict on the whole case is given.
pub(crate) const OVERALL_STATEMENT: &str = "overall verdict on the case";

/// Every grading in the document at `root`. In the folder of a case (`in_case`), groups that name
/// neither a configuration nor a run are parts of one grading.
pub(super) fn read(root: Cursor<'_>, in_case: bool) -> Vec<GradingRecord> {
    let records = collect(root, &Labels::default(), MAX_LEVELS, in_case);
    let cases: BTreeSet<&String> =
        records.iter().filter_map(|record| record.labels.case_id.as_ref()).collect();
    let may_be_parts = cases.len() < 2 && records.iter().all(GradingRecord::may_be_part);
    if in_case && records.len() > 1 && may_be_parts {
        return vec![join(root, records)];
    }
    records
}

/// Whether the gradings can only be runs: each has verdicts, a case and a configuration.
pub(super) fn are_plainly_runs(records: &[GradingRecord]) -> bool {
    !records.is_empty() && records.iter().all(GradingRecord::is_plainly_run)
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
        joined.metrics.fill_from(&part.metrics);
        joined.timing.fill_from(&part.timing);
    }
    joined.grading.recorded = RecordedCounts::default();
    remarks::fill_from_outside(&mut joined, root);
    joined
}

/// The gradings at `cursor`, each with the labels on the way.
fn collect(cursor: Cursor<'_>, above: &Labels, depth: usize, in_case: bool) -> Vec<GradingRecord> {
    let labels = Labels::read(cursor, above);
    if let Some(items) = verdicts_at(cursor, in_case) {
        uncounted::check_others(cursor, items, in_case);
        return verdict_gradings(cursor, items, labels, in_case);
    }
    let mut gradings = match depth.checked_sub(1) {
        Some(depth) => part_gradings(cursor, &labels, depth, in_case),
        None => Vec::new(),
    };
    if let [only] = &mut gradings[..] {
        remarks::fill_from_outside(only, cursor);
    }
    if gradings.is_empty() && cursor.is_object() {
        // Counts without verdicts; at the top also an empty document, so that its claims and notes
        // are not lost.
        let record = without_verdicts(cursor, labels);
        let recorded = &record.grading.recorded;
        let is_empty = recorded.passed.is_none() || recorded.total.is_none();
        if depth == MAX_LEVELS || !is_empty {
            gradings.push(GradingRecord { is_empty, ..record });
        }
    }
    gradings
}

fn verdict_gradings(
    cursor: Cursor<'_>,
    items: Cursor<'_>,
    labels: Labels,
    in_case: bool,
) -> Vec<GradingRecord> {
    // In the folder of a case an id names a check, as eval-magic writes its results.
    if !in_case && items.is_list() && items.items().all(is_case_verdict) {
        return items.items().map(|item| case_verdict_grading(item, &labels)).collect();
    }
    let scale = Scale::read(cursor, items);
    let is_scored = scale.is_rubric;
    let mut record = without_verdicts(cursor, labels);
    record.grading.expectations = item::read_all(items, scale);
    if let Some(cases) = cases_of_items(items, &record.grading.expectations) {
        return split_by_case(&record, cases);
    }
    record.is_empty = false;
    record.grading.is_scored = is_scored;
    counts::check_counts(cursor, &record.grading);
    vec![record]
}

/// The case of each item of a list, where each names one and they name several: a suite has the
/// verdicts on all its cases in one list.
fn cases_of_items(items: Cursor<'_>, read: &[Expectation]) -> Option<Vec<String>> {
    let cases: Option<Vec<String>> = items
        .items()
        .map(|item| item.key("eval_id").or_else(|| item.key("case_id"))?.as_label())
        .collect();
    let cases = cases.filter(|cases| cases.len() == read.len())?;
    if cases.iter().any(|case| *case != cases[0]) { Some(cases) } else { None }
}

fn split_by_case(record: &GradingRecord, cases: Vec<String>) -> Vec<GradingRecord> {
    let mut by_case: Vec<GradingRecord> = Vec::new();
    for (case, expectation) in cases.into_iter().zip(&record.grading.expectations) {
        let known = by_case.iter_mut().find(|part| part.labels.case_id.as_ref() == Some(&case));
        if let Some(part) = known {
            part.grading.expectations.push(expectation.clone());
            continue;
        }
        let mut part = GradingRecord { is_empty: false, ..record.clone() };
        part.labels.case_id = Some(case);
        // What the file counts is of all its cases.
        part.grading.recorded = RecordedCounts::default();
        part.grading.expectations = vec![expectation.clone()];
        by_case.push(part);
    }
    by_case
}

/// Whether an item names a case instead of having a statement of its own.
fn is_case_verdict(item: Cursor<'_>) -> bool {
    item.is_object()
        && item.key("description").is_none()
        && !verdict_lists::is_stated(item)
        && item.label(&expectation::CASE).is_some()
        && item.entries().count() > 4
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
    // greghavens has the runs of a side in one list, `"runs": [{"run": 1, "expectations": […]}]`.
    for field in [&grading::RUNS, &grading::ITEMS] {
        if let Some(runs) = cursor.get_where(field, is_list_of_objects) {
            let mut gradings = item_gradings(runs, labels, depth, in_case);
            let are_runs = names::is_plural_of_run(&runs.name());
            for record in &mut gradings {
                record.is_run |= are_runs;
            }
            uncounted::check_others(cursor, runs, in_case);
            return gradings;
        }
    }
    let mut gradings = Vec::new();
    for (key, part) in cursor.entries() {
        if grading::CLAIMS.is(key) || !is_group(part, depth, in_case) {
            continue;
        }
        // A field that only holds the group is not a label.
        let holders = [&grading::RUNS, &grading::ITEMS, &grading::WRAPPER];
        let is_holder = holders.iter().any(|field| field.spellings.contains(&key));
        let labels = if is_holder { labels.clone() } else { labels.for_key(key) };
        gradings.extend(collect(part, &labels, depth, in_case));
    }
    gradings
}

fn is_list_of_objects(found: Cursor<'_>) -> bool {
    found.items().next().is_some() && found.items().all(|item| item.is_object())
}

/// The items of a list of runs or cases; the id of an item without a name is the case's.
fn item_gradings(
    list: Cursor<'_>,
    labels: &Labels,
    depth: usize,
    in_case: bool,
) -> Vec<GradingRecord> {
    let are_cases = !in_case && !names::is_plural_of_run(&list.name());
    let is_unnamed = labels.case_id.is_none() && labels.case_name.is_none();
    let mut gradings = Vec::new();
    for item in list.items() {
        let mut labels = labels.clone();
        if are_cases && is_unnamed {
            labels.case_id = item.label(&grading::ITEM_ID);
        }
        if verdict_lists::is_item(item) {
            gradings.push(case_verdict_grading(item, &labels));
            continue;
        }
        let mut records = collect(item, &labels, depth, in_case);
        if verdict_lists::holds_own(item) {
            // An overall word that is not a verdict is ignored if a case has verdicts of its own.
            let stated = item.get_where(&expectation::VERDICT, verdict::is_verdict);
            let stated = stated.filter(|stated| verdict::is_understood(*stated));
            let overall = stated.map(verdict::read);
            for record in &mut records {
                fill(&mut record.grading.overall, &overall);
            }
        }
        gradings.append(&mut records);
    }
    gradings
}

/// The graded expectations of a run in another kind of document.
pub(super) fn expectations_of(run: Cursor<'_>) -> Vec<Expectation> {
    let items = run.get_where(&grading::ITEMS, is_verdict_list);
    items.map(|items| item::read_all(items, Scale::read(run, items))).unwrap_or_default()
}

/// An item that is the overall verdict on a case.
fn case_verdict_grading(item: Cursor<'_>, above: &Labels) -> GradingRecord {
    let mut labels = Labels::read(item, above);
    labels.case_name = item.label(&expectation::CASE).or(labels.case_name);
    if labels.configuration.is_none() {
        labels.configuration.clone_from(&labels.version);
    }
    let mut record = without_verdicts(item, labels);
    record.grading.recorded = RecordedCounts::default();
    record.grading.expectations = vec![Expectation {
        text: OVERALL_STATEMENT.to_owned(),
        outcome: item::outcome(item, None, Scale::default()),
        evidence: item.text(&expectation::EVIDENCE),
        score: item.number(&expectation::SCORE),
        ..Expectation::default()
    }];
    record.is_empty = false;
    record
}
