//! Reads the rounds of trigger loops: whether the skill triggered as it should, query by query.

use crate::read::alias::{Field, history, triggers};
use crate::read::cursor::Cursor;
use input::model::{Code, Split, TriggerQuery, TriggerRound};
use input::names;
use text::{folded_name, is_listed};

/// The rounds: a list of them, an object with one, with a list of them, or with one for each name.
pub(super) fn read_rounds(root: Cursor<'_>) -> Vec<TriggerRound> {
    if root.is_list() {
        let are_queries = root.items().any(|item| item.label(&triggers::QUERY).is_some());
        if are_queries || holds_queries(root) {
            return query_round(root).into_iter().collect();
        }
        return root.items().filter_map(round).collect();
    }
    let earlier = root.get_where(&history::VERSIONS, Cursor::is_list);
    let mut rounds: Vec<TriggerRound> =
        earlier.into_iter().flat_map(Cursor::items).filter_map(round).collect();
    let mut whole = None;
    if earlier.is_none() || root.get_where(&triggers::RESULTS, holds_queries).is_some() {
        whole = round(root);
    }
    let has_queries = whole.as_ref().is_some_and(|round| !round.queries.is_empty());
    if !rounds.is_empty() || has_queries {
        rounds.extend(whole);
        return rounds;
    }
    let parts = rounds_by_name(root);
    // A round without queries counts if it has counts or is alone.
    if !parts.is_empty() && whole.as_ref().is_some_and(|round| round.passed.is_none()) {
        whole = None;
    }
    if let Some(tuned) = only_tuned_part(&parts) {
        let mut joined = whole.unwrap_or_else(|| TriggerRound { name: None, ..tuned.clone() });
        joined.queries = parts.into_iter().flat_map(queries_of_part).collect();
        return vec![joined];
    }
    // Bare counts below total counts belong to parts.
    if whole.is_some() && parts.iter().all(|part| part.queries.is_empty()) {
        return whole.into_iter().collect();
    }
    whole.into_iter().chain(parts).collect()
}

/// The part that descriptions were tuned for, if all parts together are one set of queries that was
/// split. Then they are one round, with the figures of the whole, else those of that part.
fn only_tuned_part(parts: &[TriggerRound]) -> Option<&TriggerRound> {
    if parts.iter().any(|part| part.split().is_none() || part.queries.is_empty()) {
        return None;
    }
    let mut tuned = parts.iter().filter(|part| part.split() == Some(Split::Tuned));
    tuned.next().filter(|_| tuned.next().is_none())
}

fn queries_of_part(part: TriggerRound) -> Vec<TriggerQuery> {
    let is_held_out = part.split() == Some(Split::HeldOut);
    let mut queries = part.queries;
    for query in &mut queries {
        query.held_out |= is_held_out;
    }
    queries
}

pub(super) fn problem_without_rounds(root: Cursor<'_>) {
    let message = "no query with an expected result or a verdict was found";
    let help = "write `results`, each with `query`, `should_trigger` and `pass`";
    root.problem(Code::UnknownShape, message, "nothing was read from it", help);
}

/// Rounds by name: `{"baseline": {"rows": […]}, "candidate": […]}`. Bare counts are a round only if
/// one of them has queries or the name of a variant. Never under the name of sums or settings.
fn rounds_by_name(root: Cursor<'_>) -> Vec<TriggerRound> {
    let mut rounds = Vec::new();
    let mut are_rounds = false;
    for (name, part) in root.entries().filter(|(name, _)| !triggers::SUMMARY.is(name)) {
        let read = if holds_queries(part) { query_round(part) } else { round(part) };
        let Some(round) = read else { continue };
        let has_queries = !round.queries.is_empty();
        if has_queries || (round.passed.is_some() && !is_sum_or_setting(name)) {
            are_rounds |= has_queries || is_variant(name);
            rounds.push(TriggerRound { name: Some(name.to_owned()), ..round });
        }
    }
    if are_rounds { rounds } else { Vec::new() }
}

fn is_sum_or_setting(name: &str) -> bool {
    const WORDS: &str = "overall total totals sum summary aggregate combined metadata meta \
        threshold thresholds limit limits target targets config setting settings options \
        parameters stats statistics metrics";
    folded_name(name).split('_').any(|word| is_listed(WORDS, word))
}

/// Whether descriptions were tried under this name.
fn is_variant(name: &str) -> bool {
    names::is_configuration(name)
        || names::is_model(name)
        || names::is_iteration(name)
        || names::version_number(name).or(names::round_number(name)).is_some()
        || Split::new(name).is_some()
}

/// A list of queries: with their results, or the set that a loop starts from.
fn query_round(list: Cursor<'_>) -> Option<TriggerRound> {
    let queries = queries(list);
    if queries.is_empty() {
        return None;
    }
    Some(counted(TriggerRound { path: list.path(), queries, ..TriggerRound::default() }))
}

/// The round in an object; `None` without queries or counts.
fn round(item: Cursor<'_>) -> Option<TriggerRound> {
    let rows = item
        .get_where(&triggers::RESULTS, holds_queries)
        .or_else(|| item.get_where(&triggers::ROWS, holds_queries))
        .or_else(|| item.get_where(&triggers::RESULTS, Cursor::is_list));
    let threshold = item.number(&triggers::THRESHOLD).filter(|rate| (0.0..=1.0).contains(rate));
    let all = QueryGroup { threshold, ..QueryGroup::default() };
    let mut all_queries: Vec<TriggerQuery> =
        rows.into_iter().flat_map(Cursor::items).filter_map(|item| query(item, all)).collect();
    let groups = [
        (&triggers::HELD_OUT, QueryGroup { is_held_out: true, ..all }),
        (&triggers::WANTED, QueryGroup { should_trigger: Some(true), ..all }),
        (&triggers::UNWANTED, QueryGroup { should_trigger: Some(false), ..all }),
    ];
    for (field, group) in groups {
        all_queries.extend(item.items_of(field).filter_map(|item| query(item, group)));
    }
    let figures = item.object(&triggers::SUMMARY).unwrap_or(item);
    let round = TriggerRound {
        path: item.path(),
        name: None,
        number: item.number(&triggers::NUMBER),
        description: description(item),
        passed: figures.number(&triggers::COUNT),
        total: figures.number(&triggers::TOTAL),
        precision: figures.rate(&history::PRECISION),
        recall: figures.rate(&history::RECALL),
        queries: all_queries,
    };
    if round.queries.is_empty() && round.total.is_none() { None } else { Some(counted(round)) }
}

/// The description tried, or the change to it. A summary counts only as a text or a list of texts:
/// otherwise it may hold figures.
fn description(item: Cursor<'_>) -> Option<String> {
    item.get_where(&triggers::DESCRIPTION, is_description)?.as_label()
}

fn is_description(value: Cursor<'_>) -> bool {
    let are_texts = value.is_list() && value.items().all(|item| item.node().as_text().is_some());
    let is_summary = triggers::SUMMARY.is(&value.name());
    value.is_filled() && (value.node().as_text().is_some() || are_texts || !is_summary)
}

/// The round with its correct queries counted, if that is not recorded and each has a verdict.
pub fn counted(mut round: TriggerRound) -> TriggerRound {
    if round.passed.is_some() || round.total.is_some() {
        return round;
    }
    let tuned = round.queries.iter().filter(|query| !query.held_out);
    let verdicts: Option<Vec<bool>> = tuned.map(|query| query.passed).collect();
    if let Some(verdicts) = verdicts.filter(|verdicts| !verdicts.is_empty()) {
        round.passed = Some(verdicts.iter().filter(|passed| **passed).count() as f64);
        round.total = Some(verdicts.len() as f64);
    }
    if round.precision.is_none() && round.recall.is_none() {
        (round.precision, round.recall) = precision_and_recall(&round.queries);
    }
    round
}

/// The share of triggers that were wanted, and of wanted ones that came; `None` for a share of
/// nothing, or where a query does not say what happened.
fn precision_and_recall(queries: &[TriggerQuery]) -> (Option<f64>, Option<f64>) {
    let (mut wanted, mut triggered, mut both) = (0.0, 0.0, 0.0);
    for query in queries.iter().filter(|query| !query.held_out) {
        let (Some(should_trigger), Some(triggers), Some(runs)) =
            (query.should_trigger, query.triggers, query.runs)
        else {
            return (None, None);
        };
        let share = if runs > 0.0 { (triggers / runs).clamp(0.0, 1.0) } else { 0.0 };
        triggered += share;
        if should_trigger {
            wanted += 1.0;
            both += share;
        }
    }
    let precision = if triggered > 0.0 { Some(both / triggered) } else { None };
    let recall = if wanted > 0.0 { Some(both / wanted) } else { None };
    (precision, recall)
}

/// What the list of a query states for all in it.
#[derive(Clone, Copy, Default)]
struct QueryGroup {
    should_trigger: Option<bool>,
    is_held_out: bool,
    /// The share of the tries from which on the skill triggers, if the document says it.
    threshold: Option<f64>,
}

fn queries(list: Cursor<'_>) -> Vec<TriggerQuery> {
    list.items().filter_map(|item| query(item, QueryGroup::default())).collect()
}

/// Whether the value is a list with a readable query.
fn holds_queries(list: Cursor<'_>) -> bool {
    list.items().any(|item| query_text(item).is_some() && has_result(item))
}

fn has_result(item: Cursor<'_>) -> bool {
    let flags = [&triggers::SHOULD_TRIGGER, &triggers::PASSED];
    flags.iter().any(|field| flag(item, field).is_some()) || attempts(item).is_some()
}

/// The words of a query, else its id.
fn query_text(item: Cursor<'_>) -> Option<String> {
    item.text(&triggers::QUERY).or_else(|| item.label(&triggers::ID))
}

/// The first flag under `field`; names of skills in its place are skipped.
fn flag(item: Cursor<'_>, field: &Field) -> Option<bool> {
    item.all(field).find_map(|found| found.as_flag())
}

/// A flag for each attempt: `{"run_1": true}`.
fn attempts(item: Cursor<'_>) -> Option<Vec<bool>> {
    let found = item.get_where(&triggers::PASS_FLAGS, Cursor::is_filled)?;
    let all = found.entries().map(|(_, value)| value).chain(found.items());
    all.map(|value| value.as_flag()).collect()
}

fn query(item: Cursor<'_>, group: QueryGroup) -> Option<TriggerQuery> {
    let should_trigger = flag(item, &triggers::SHOULD_TRIGGER).or(group.should_trigger);
    // A bare text is a query only in a list that says what should happen.
    let bare = item.node().as_text().filter(|_| group.should_trigger.is_some());
    let text = bare.map(str::to_owned).or_else(|| query_text(item));
    // Naming the wanted skill asks for routing, not for a trigger.
    let has_result = should_trigger.is_some()
        || has_result(item)
        || (text.is_some() && item.label(&triggers::SHOULD_TRIGGER).is_some());
    let Some(query) = text.filter(|_| has_result) else {
        let message = "the query does not say whether the skill should trigger";
        let help = "write `query` and `should_trigger`, true or false";
        item.problem(Code::WrongType, message, "left out", help);
        return None;
    };
    let attempts = attempts(item);
    let mut triggered_times = item.number(&triggers::TRIGGERS);
    let mut runs = item.number(&triggers::RUNS);
    if triggered_times.is_none()
        && let Some(rate) = item.number(&triggers::TRIGGER_RATE)
    {
        // A rate alone is that of one try, as far as anybody knows.
        let tries = runs.unwrap_or(1.0);
        (triggered_times, runs) = (Some(rate * tries), Some(tries));
    }
    let is_once = triggered_times.is_none() && runs.is_none_or(|runs| runs == 1.0);
    let triggered = flag(item, &triggers::TRIGGERED).filter(|_| is_once);
    let split = item.label(&triggers::SPLIT).and_then(|part| Split::new(&part));
    let passed = flag(item, &triggers::PASSED)
        .or_else(|| agreed(attempts.as_deref()?))
        .or_else(|| Some(should_trigger? == triggered?))
        .or_else(|| {
            let rate = triggered_times? / runs.filter(|runs| *runs > 0.0)?;
            Some(should_trigger? == (rate >= group.threshold?))
        });
    Some(TriggerQuery {
        id: item.label(&triggers::ID),
        query,
        should_trigger,
        triggers: triggered_times.or(triggered.map(|triggered| if triggered { 1.0 } else { 0.0 })),
        runs: runs.or(triggered.map(|_| 1.0)).or(attempts.map(|attempts| attempts.len() as f64)),
        passed,
        held_out: group.is_held_out || split == Some(Split::HeldOut),
    })
}

/// The verdict on several attempts, if all agree.
fn agreed(attempts: &[bool]) -> Option<bool> {
    let (first, rest) = attempts.split_first()?;
    if rest.iter().all(|attempt| attempt == first) { Some(*first) } else { None }
}
