//! Reads gradings: one or many in a document, in every spelling of the list and of its items.
//!
//! Steps, from [`read`]:
//!
//! 1. The value is *verdicts* when it has a list of items with a verdict each: one grading.
//! 2. Else it is a *group*: a list of runs, an object of runs by configuration or case, or a
//!    roll-up of all cases. Each part is read the same way, with the labels met on the way.
//! 3. An item without a statement that names a case is that case's overall verdict.
//! 4. What has counts but no verdicts is kept as counts.

use crate::model::{
    Claim, Code, ConventionCheck, Expectation, Grading, Metrics, Notes, Outcome, Place,
    RecordedCounts, Suggestion,
};
use crate::read::alias::{claim, counts, expectation, grading, notes, suggestion};
use crate::read::cursor::Cursor;
use crate::read::json::Node;
use crate::read::labels::Labels;
use crate::read::metrics;
use crate::read::rules;
use crate::read::verdict;

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

/// Every grading in the document at `root`.
pub(super) fn read(root: &Cursor<'_>) -> Vec<GradingRecord> {
    let mut records = Vec::new();
    collect(root, &Labels::default(), MAX_GROUPS, &mut records);
    records
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
    let is_verdict = |item: &Cursor<'_>| {
        matches!(item.node(), Node::Bool(_)) || (item.is_object() && has_verdict(item))
    };
    let mut entries = cursor.entries().peekable();
    entries.peek().is_some() && entries.all(|(_, item)| is_verdict(&item))
}

fn is_verdict_list(cursor: &Cursor<'_>) -> bool {
    let mut items = cursor.items().peekable();
    items.peek().is_some() && items.any(|item| is_item(&item))
}

/// Whether the value is one graded expectation: it has a verdict or a score, and no list of its
/// own verdicts.
fn is_item(item: &Cursor<'_>) -> bool {
    item.is_object()
        && has_verdict(item)
        && item.get_where(&grading::ITEMS, Cursor::is_list).is_none()
}

fn has_verdict(item: &Cursor<'_>) -> bool {
    if item.get_where(&expectation::VERDICT, verdict::is_verdict).is_some() {
        let is_count = item.plain_number(&counts::TOTAL).is_some();
        return !is_count;
    }
    let has_statement = item.get(&expectation::TEXT).is_some();
    has_statement && item.plain_number(&expectation::SCORE).is_some()
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
            runs.items().for_each(|run| collect(&run, labels, depth, records));
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
    let holders = [grading::RUNS.spellings, grading::ITEMS.spellings];
    if holders.iter().any(|spellings| spellings.contains(&key)) {
        return above.clone();
    }
    above.of_key(key)
}

fn of_verdicts(cursor: &Cursor<'_>, items: &Cursor<'_>, labels: Labels) -> GradingRecord {
    let is_scored = rules::is_scored(cursor, items);
    let listed = items.items().filter_map(|item| read_item(&item, None, is_scored));
    let named = items.entries().filter_map(|(name, item)| read_item(&item, Some(name), is_scored));
    let expectations = listed.chain(named).collect();
    let mut record = rest_of(cursor, labels);
    record.grading.expectations = expectations;
    record.is_empty = false;
    record.scored = is_scored.then(|| scored_statement(cursor));
    rules::check(cursor, &record.grading, is_scored);
    record
}

/// Everything of a grading but its verdicts.
fn rest_of(cursor: &Cursor<'_>, labels: Labels) -> GradingRecord {
    let grading = Grading {
        path: cursor.context().path().to_owned(),
        expectations: Vec::new(),
        recorded: recorded(cursor),
        overall: overall(cursor),
        claims: claims(cursor),
        suggestions: suggestions(cursor),
        critique: critique(cursor),
        notes: read_notes(cursor),
        conventions: conventions(cursor),
        grader: cursor.label(&grading::GRADER),
    };
    let metrics = if cursor.is_object() { metrics::read(cursor) } else { Metrics::default() };
    let timing = cursor.get_where(&grading::TIMING, Cursor::is_object);
    GradingRecord {
        labels,
        grading,
        metrics,
        timing: timing.map(|part| metrics::read(&part)).unwrap_or_default(),
        scored: None,
        is_empty: true,
    }
}

fn scored_statement(cursor: &Cursor<'_>) -> ScoredStatement {
    let required = cursor.get(&grading::REQUIRED_SCORE);
    let stated = cursor.get(&grading::OVERALL);
    ScoredStatement {
        required_score: required.and_then(|found| Some((found.node().as_f64()?, found.place()))),
        overall: stated
            .and_then(|found| Some((verdict::of_word(found.node().as_text()?)?, found.place()))),
    }
}

/// One graded expectation; `name` is its key, where the expectations are an object.
fn read_item(item: &Cursor<'_>, name: Option<&str>, is_scored: bool) -> Option<Expectation> {
    if let Some(text) = item.node().as_text() {
        return ungraded(text);
    }
    if let (Node::Bool(_), Some(name)) = (item.node(), name) {
        return ungraded(name).map(|e| Expectation { outcome: verdict::read(item), ..e });
    }
    if !item.is_object() {
        return None;
    }
    let text = statement(item, name);
    let score = item.plain_number(&expectation::SCORE);
    let description = item.key("description").and_then(|found| found.as_words());
    Some(Expectation {
        id: item.label(&expectation::ID),
        description: description.filter(|description| *description != text),
        outcome: outcome(item, score, is_scored),
        evidence: item.words(&expectation::EVIDENCE),
        score,
        required: item.flag(&expectation::REQUIRED),
        text,
    })
}

/// What was checked: the statement, the key, the id, or, with a problem, only the item's place.
fn statement(item: &Cursor<'_>, name: Option<&str>) -> String {
    let stated = item.words(&expectation::TEXT).or_else(|| name.map(str::to_owned));
    stated.or_else(|| item.words(&expectation::ID)).unwrap_or_else(|| {
        let message = "the expectation does not say what was checked".to_owned();
        item.problem(Code::WrongType, message, "shown by its place in the list", "add `text`");
        item.name()
    })
}

/// A bare statement has no verdict.
fn ungraded(text: &str) -> Option<Expectation> {
    (!text.trim().is_empty()).then(|| Expectation {
        id: None,
        text: text.to_owned(),
        description: None,
        outcome: Outcome::Ungraded,
        evidence: None,
        score: None,
        required: None,
    })
}

/// The verdict of an item; on the rubric of 1 to 5 the score decides, as the dialect says.
fn outcome(item: &Cursor<'_>, score: Option<f64>, is_scored: bool) -> Outcome {
    let stated = item
        .get_where(&expectation::VERDICT, |found| !found.is_null() && verdict::is_verdict(found))
        .or_else(|| item.get_where(&expectation::VERDICT, |found| !found.is_null()));
    let stated = stated.map(|found| verdict::read(&found));
    match score.filter(|_| is_scored) {
        Some(score) => rules::outcome_of_score(item, score, stated),
        None => stated.unwrap_or(Outcome::Ungraded),
    }
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
        outcome: outcome(item, None, false),
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

fn recorded(cursor: &Cursor<'_>) -> RecordedCounts {
    match cursor.get_where(&grading::SUMMARY, Cursor::is_object) {
        Some(summary) => read_counts(&summary),
        None => read_counts(cursor),
    }
}

fn read_counts(cursor: &Cursor<'_>) -> RecordedCounts {
    RecordedCounts {
        passed: cursor.plain_number(&counts::PASSED),
        failed: cursor.plain_number(&counts::FAILED),
        total: cursor.plain_number(&counts::TOTAL),
        pass_rate: rate(cursor),
    }
}

/// A pass rate as a fraction: `0.75`, `75`, `"75%"`, `"3/4"`, `"2/8 (25%)"`.
fn rate(cursor: &Cursor<'_>) -> Option<f64> {
    let found = cursor.get(&counts::PASS_RATE)?;
    let is_percent = found.name().contains("pct") || found.name().contains("percent");
    let number = match found.node().as_text() {
        Some(text) => return rate_of_text(text),
        None => found.node().as_f64()?,
    };
    Some(if number > 1.0 || is_percent { number / 100.0 } else { number })
}

fn rate_of_text(text: &str) -> Option<f64> {
    let head = text.split('(').next().unwrap_or(text).trim();
    if let Some((part, whole)) = head.split_once('/') {
        let (part, whole): (f64, f64) = (part.trim().parse().ok()?, whole.trim().parse().ok()?);
        return (whole > 0.0).then_some(part / whole);
    }
    match head.strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
        None => head.parse().ok().filter(|rate| (0.0..=1.0).contains(rate)),
    }
}

fn overall(cursor: &Cursor<'_>) -> Option<Outcome> {
    verdict::of_word(cursor.get(&grading::OVERALL)?.node().as_text()?)
}

fn claims(cursor: &Cursor<'_>) -> Vec<Claim> {
    let Some(list) = cursor.get_where(&grading::CLAIMS, Cursor::is_list) else {
        return Vec::new();
    };
    list.items().filter_map(|item| read_claim(&item)).collect()
}

fn read_claim(item: &Cursor<'_>) -> Option<Claim> {
    let text = if item.is_object() { item.words(&claim::TEXT)? } else { item.as_words()? };
    Some(Claim {
        text,
        kind: item.label(&claim::KIND),
        verified: item.flag(&claim::VERIFIED),
        evidence: item.words(&claim::EVIDENCE),
    })
}

fn suggestions(cursor: &Cursor<'_>) -> Vec<Suggestion> {
    let Some(advice) = cursor.get(&grading::SUGGESTIONS) else {
        return Vec::new();
    };
    let list = if advice.is_list() { Some(advice) } else { advice.get(&suggestion::LIST) };
    let Some(list) = list.filter(Cursor::is_list) else {
        return Vec::new();
    };
    list.items().filter_map(|item| read_suggestion(&item)).collect()
}

fn read_suggestion(item: &Cursor<'_>) -> Option<Suggestion> {
    if !item.is_object() {
        return item.as_words().map(|text| Suggestion { expectation: None, text });
    }
    let expectation = item.words(&suggestion::EXPECTATION);
    let text = item.words(&suggestion::TEXT).or_else(|| item.as_words())?;
    Some(Suggestion { expectation, text })
}

fn critique(cursor: &Cursor<'_>) -> Option<String> {
    let advice = cursor.get(&grading::SUGGESTIONS)?;
    if advice.is_object() {
        return advice.words(&suggestion::OVERALL);
    }
    if advice.is_list() { None } else { advice.as_words() }
}

/// The executor's remarks: under their three headings, or one text.
pub(super) fn read_notes(cursor: &Cursor<'_>) -> Notes {
    let Some(found) = cursor.get(&grading::NOTES) else {
        return Notes::default();
    };
    if !found.is_object() {
        return Notes { other: found.as_texts(), ..Notes::default() };
    }
    Notes {
        uncertainties: found.texts(&notes::UNCERTAINTIES),
        needs_review: found.texts(&notes::NEEDS_REVIEW),
        workarounds: found.texts(&notes::WORKAROUNDS),
        other: Vec::new(),
    }
}

fn conventions(cursor: &Cursor<'_>) -> Vec<ConventionCheck> {
    let Some(found) = cursor.get_where(&grading::CONVENTIONS, Cursor::is_object) else {
        return Vec::new();
    };
    let check = |(name, check): (&str, Cursor<'_>)| {
        rules::check_convention(&check, name);
        let verdict = check.get(&expectation::VERDICT);
        ConventionCheck {
            name: name.to_owned(),
            outcome: verdict.map_or(Outcome::Ungraded, |found| verdict::read(&found)),
            details: check.words(&expectation::EVIDENCE),
        }
    };
    found.entries().map(check).collect()
}

/// Whether the record says anything worth a problem when it is empty.
pub(super) fn is_unknown_shape(records: &[GradingRecord]) -> bool {
    records.iter().all(|record| record.is_empty)
}

/// Whether every record of the document holds counts but no verdicts.
pub(super) fn is_counts_only(records: &[GradingRecord]) -> bool {
    !records.is_empty() && records.iter().all(|r| !r.is_empty && r.grading.expectations.is_empty())
}

/// The code and words for a document without verdicts.
pub(super) fn problem_without_verdicts(root: &Cursor<'_>, records: &[GradingRecord]) {
    if is_unknown_shape(records) {
        let message = "no list of graded expectations was found".to_owned();
        let help = "put them under `expectations`, each with `text`, `passed` and `evidence`";
        root.problem(Code::UnknownShape, message, "the run counts as ungraded", help);
    } else if is_counts_only(records) {
        let message = "the document holds counts but no verdicts".to_owned();
        let help = "add the list of `expectations` the counts were made from";
        root.problem(Code::CountsOnly, message, "shown as recorded, counted nowhere", help);
    }
}
