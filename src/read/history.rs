//! Reads version histories of three shapes, trigger loops, and regression gates.

use crate::model::{Code, Gates, History, TriggerQuery, TriggerRound, Version};
use crate::read::alias::{Field, gates, history, labels, triggers};
use crate::read::cursor::Cursor;
use crate::read::rate;

/// What a `history.json` turned out to be.
pub(super) enum HistoryRecord {
    /// Versions of the skill.
    Versions(History),
    /// Rounds of a trigger loop.
    Rounds(Vec<TriggerRound>),
}

/// Reads a history; `None` when it is neither kind.
pub(super) fn read(root: &Cursor<'_>) -> Option<HistoryRecord> {
    let list =
        if root.is_list() { *root } else { root.get_where(&history::VERSIONS, Cursor::is_list)? };
    let is_loop = if root.is_list() { !is_version_list(root) } else { is_trigger_loop(root) };
    if is_loop {
        let rounds = read_triggers(root);
        return (!rounds.is_empty()).then_some(HistoryRecord::Rounds(rounds));
    }
    let by_round = list.items().any(|item| is_by_round(&item));
    let current = root.label(&history::CURRENT);
    Some(HistoryRecord::Versions(History {
        path: root.context().path().to_owned(),
        skill: root.label(&labels::SKILL),
        started_at: root.label(&history::STARTED_AT),
        current: current.map(|name| name_of(&name, by_round)),
        versions: list.items().map(|item| version(&item)).collect(),
    }))
}

/// Whether a bare list holds versions of the skill, not rounds of a trigger loop.
fn is_version_list(root: &Cursor<'_>) -> bool {
    let says = [&history::AVERAGE_SCORE, &history::RESULT, &history::PARENT, &history::IS_BEST];
    root.items().any(|item| {
        item.get_where(&triggers::RESULTS, Cursor::is_list).is_none()
            && (item.key("version").is_some() || says.iter().any(|field| item.has(field)))
    })
}

/// Whether a version is named by its iteration alone.
fn is_by_round(item: &Cursor<'_>) -> bool {
    item.key("version").is_none() && item.key("iteration").is_some()
}

/// A bare number is the version, or the iteration, of that number.
fn name_of(text: &str, by_round: bool) -> String {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if by_round && is_number { format!("iteration-{text}") } else { version_name(text) }
}

fn is_trigger_loop(root: &Cursor<'_>) -> bool {
    let rounds = root.get_where(&history::VERSIONS, Cursor::is_list);
    rounds.is_some_and(|list| {
        list.items().any(|item| item.get_where(&triggers::RESULTS, Cursor::is_list).is_some())
    })
}

/// A bare number is the version of that number.
fn version_name(text: &str) -> String {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if is_number { format!("v{text}") } else { text.to_owned() }
}

fn version(item: &Cursor<'_>) -> Version {
    let by_round = is_by_round(item);
    let name = item.label(&history::VERSION).unwrap_or_default();
    Version {
        name: name_of(&name, by_round),
        parent: item.label(&history::PARENT).map(|parent| name_of(&parent, by_round)),
        timestamp: item.label(&history::TIMESTAMP),
        description: item.words(&history::DESCRIPTION),
        git_hash: item.label(&history::GIT_HASH),
        path: item.label(&history::PATH),
        average_score: item.plain_number(&history::AVERAGE_SCORE),
        pass_rate: share(item, &history::PASS_RATE),
        precision: share(item, &history::PRECISION),
        recall: share(item, &history::RECALL),
        result: item.label(&history::RESULT),
        is_best: item.flag(&history::IS_BEST).unwrap_or(false),
        notes: item.words(&history::NOTES),
    }
}

fn share(item: &Cursor<'_>, field: &Field) -> Option<f64> {
    rate::read(&item.get(field)?)
}

/// The rounds of a trigger loop: a list of them, an object with one, or with a list of them.
pub(super) fn read_triggers(root: &Cursor<'_>) -> Vec<TriggerRound> {
    if root.is_list() {
        if root.items().any(|item| item.label(&triggers::QUERY).is_some()) {
            return queries_alone(root);
        }
        return root.items().filter_map(|item| round(&item)).collect();
    }
    match root.get_where(&history::VERSIONS, Cursor::is_list) {
        Some(list) => list.items().filter_map(|item| round(&item)).collect(),
        None => round(root).into_iter().collect(),
    }
}

/// A list of queries without results is the set a loop starts from.
fn queries_alone(root: &Cursor<'_>) -> Vec<TriggerRound> {
    let queries: Vec<TriggerQuery> = root.items().filter_map(|item| query(&item, false)).collect();
    let path = root.context().path().to_owned();
    if queries.is_empty() {
        Vec::new()
    } else {
        vec![TriggerRound { path, queries, ..TriggerRound::default() }]
    }
}

fn round(item: &Cursor<'_>) -> Option<TriggerRound> {
    let list = |field, held_out: bool| -> Vec<TriggerQuery> {
        item.get_where(field, Cursor::is_list)
            .map(|list| list.items().filter_map(|item| query(&item, held_out)).collect())
            .unwrap_or_default()
    };
    let mut queries = list(&triggers::RESULTS, false);
    queries.extend(list(&triggers::HELD_OUT, true));
    let sum = item.key("summary").filter(Cursor::is_object);
    let figures = sum.as_ref().unwrap_or(item);
    let found = TriggerRound {
        path: item.context().path().to_owned(),
        number: item.plain_number(&history::VERSION),
        description: item.words(&history::DESCRIPTION),
        passed: figures.plain_number(&triggers::COUNT),
        total: figures.plain_number(&triggers::TOTAL),
        precision: share(figures, &history::PRECISION),
        recall: share(figures, &history::RECALL),
        queries,
    };
    (!found.queries.is_empty() || found.total.is_some()).then_some(found)
}

fn query(item: &Cursor<'_>, held_out: bool) -> Option<TriggerQuery> {
    let (query, should) = (item.words(&triggers::QUERY), item.flag(&triggers::SHOULD_TRIGGER));
    let (Some(query), Some(should_trigger)) = (query, should) else {
        let message = "the query does not say whether the skill should trigger".to_owned();
        let help = "write `query` and `should_trigger`, true or false";
        item.problem(Code::WrongType, message, "left out", help);
        return None;
    };
    Some(TriggerQuery {
        query,
        should_trigger,
        triggers: item.plain_number(&triggers::TRIGGERS),
        runs: item.plain_number(&triggers::RUNS),
        passed: item.flag(&triggers::PASSED),
        held_out,
    })
}

/// Reads regression gates; `None` where something is set and none of it is known. What is not set has
/// the default of the script that such files are for, in an empty object everything.
pub(super) fn read_gates(root: &Cursor<'_>) -> Option<Gates> {
    let known =
        [&gates::MIN_PASS_RATE_DELTA, &gates::MAX_TIME, &gates::MAX_TOKENS, &gates::NON_NEGATIVE];
    let is_empty = root.is_object() && root.entries().next().is_none();
    (is_empty || known.iter().any(|field| root.has(field))).then(|| Gates {
        path: root.context().path().to_owned(),
        min_pass_rate_delta: root.number(&gates::MIN_PASS_RATE_DELTA),
        max_time_increase_s: root.number(&gates::MAX_TIME),
        max_token_increase: root.number(&gates::MAX_TOKENS),
        require_non_negative_pass_rate: root.flag(&gates::NON_NEGATIVE),
        is_damaged: false,
    })
}
