//! Reads version histories of three shapes, trigger loops, and regression gates.

use crate::model::{Gates, History, TriggerQuery, TriggerRound, Version};
use crate::read::alias::{gates, history, labels, triggers};
use crate::read::cursor::Cursor;

/// What a `history.json` turned out to be.
pub(super) enum HistoryRecord {
    /// Versions of the skill.
    Versions(History),
    /// Rounds of a trigger loop.
    Rounds(Vec<TriggerRound>),
}

/// Reads a history; `None` when it is neither kind.
pub(super) fn read(root: &Cursor<'_>) -> Option<HistoryRecord> {
    if root.is_list() || is_trigger_loop(root) {
        let rounds = read_triggers(root);
        return (!rounds.is_empty()).then_some(HistoryRecord::Rounds(rounds));
    }
    let list = root.get_where(&history::VERSIONS, Cursor::is_list)?;
    Some(HistoryRecord::Versions(History {
        path: root.context().path().to_owned(),
        skill: root.label(&labels::SKILL),
        started_at: root.label(&history::STARTED_AT),
        current: root.label(&history::CURRENT).map(|name| version_name(&name)),
        versions: list.items().map(|item| version(&item)).collect(),
    }))
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
    let by_round = item.key("version").is_none() && item.key("iteration").is_some();
    let name = item.label(&history::VERSION).unwrap_or_default();
    Version {
        name: if by_round { format!("iteration-{name}") } else { version_name(&name) },
        parent: item.label(&history::PARENT).map(|parent| version_name(&parent)),
        timestamp: item.label(&history::TIMESTAMP),
        description: item.words(&history::DESCRIPTION),
        git_hash: item.label(&history::GIT_HASH),
        path: item.label(&history::PATH),
        average_score: item.plain_number(&history::AVERAGE_SCORE),
        pass_rate: item.plain_number(&history::PASS_RATE),
        precision: item.plain_number(&history::PRECISION),
        recall: item.plain_number(&history::RECALL),
        result: item.label(&history::RESULT),
        is_best: item.flag(&history::IS_BEST).unwrap_or(false),
        notes: item.words(&history::NOTES),
    }
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
        precision: figures.plain_number(&history::PRECISION),
        recall: figures.plain_number(&history::RECALL),
        queries,
    };
    (!found.queries.is_empty() || found.total.is_some()).then_some(found)
}

fn query(item: &Cursor<'_>, held_out: bool) -> Option<TriggerQuery> {
    Some(TriggerQuery {
        query: item.words(&triggers::QUERY)?,
        should_trigger: item.flag(&triggers::SHOULD_TRIGGER)?,
        triggers: item.plain_number(&triggers::TRIGGERS),
        runs: item.plain_number(&triggers::RUNS),
        passed: item.flag(&triggers::PASSED),
        held_out,
    })
}

/// Reads regression gates; `None` when none of them is set.
pub(super) fn read_gates(root: &Cursor<'_>) -> Option<Gates> {
    let known =
        [&gates::MIN_PASS_RATE_DELTA, &gates::MAX_TIME, &gates::MAX_TOKENS, &gates::NON_NEGATIVE];
    known.iter().any(|field| root.has(field)).then(|| Gates {
        path: root.context().path().to_owned(),
        min_pass_rate_delta: root.number(&gates::MIN_PASS_RATE_DELTA),
        max_time_increase_s: root.number(&gates::MAX_TIME),
        max_token_increase: root.number(&gates::MAX_TOKENS),
        require_non_negative_pass_rate: root.flag(&gates::NON_NEGATIVE),
    })
}
