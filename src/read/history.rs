//! Reads version histories of three shapes, and regression gates.

use crate::model::{Gates, History, TriggerRound, Version};
use crate::read::alias::{gates, history, labels, triggers};
use crate::read::cursor::Cursor;
use crate::read::rate;
use crate::read::triggers as loops;

/// Reads versions of the skill, or rounds of a trigger loop; `None` when there are neither.
pub(super) fn read(root: &Cursor<'_>) -> Option<(Option<History>, Vec<TriggerRound>)> {
    let list = root.list(&history::VERSIONS)?;
    let is_loop = if root.is_list() { !is_version_list(root) } else { is_trigger_loop(root) };
    if is_loop {
        let rounds = loops::read(root);
        return (!rounds.is_empty()).then_some((None, rounds));
    }
    let by_round = list.items().any(|item| is_by_round(&item));
    let current = root.label(&history::CURRENT);
    let versions = History {
        path: root.path(),
        skill: root.label(&labels::SKILL),
        started_at: root.label(&history::STARTED_AT),
        current: current.map(|name| name_of(&name, by_round)),
        versions: list.items().map(|item| version(&item)).collect(),
    };
    Some((Some(versions), Vec::new()))
}

/// Whether a bare list holds versions of the skill, not rounds of a trigger loop.
fn is_version_list(root: &Cursor<'_>) -> bool {
    let says = [&history::AVERAGE_SCORE, &history::RESULT, &history::PARENT, &history::IS_BEST];
    root.items().any(|item| {
        item.get_where(&triggers::RESULTS, Cursor::is_list).is_none()
            && (item.key("version").is_some() || says.iter().any(|field| item.has(field)))
    })
}

fn is_by_round(item: &Cursor<'_>) -> bool {
    item.key("version").is_none() && item.key("iteration").is_some()
}

/// A bare number is the version, or the iteration, of that number.
fn name_of(text: &str, by_round: bool) -> String {
    let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let kind = if by_round { "iteration-" } else { "v" };
    if is_number { format!("{kind}{text}") } else { text.to_owned() }
}

fn is_trigger_loop(root: &Cursor<'_>) -> bool {
    let rounds = root.get_where(&history::VERSIONS, Cursor::is_list);
    rounds.is_some_and(|list| {
        list.items().any(|item| item.get_where(&triggers::RESULTS, Cursor::is_list).is_some())
    })
}

fn version(item: &Cursor<'_>) -> Version {
    let by_round = is_by_round(item);
    let name = item.label(&history::VERSION).unwrap_or_default();
    let score = item.get_where(&history::AVERAGE_SCORE, |found| found.node().as_f64().is_some());
    Version {
        name: name_of(&name, by_round),
        parent: item.label(&history::PARENT).map(|parent| name_of(&parent, by_round)),
        timestamp: item.label(&history::TIMESTAMP),
        description: item.words(&history::DESCRIPTION),
        git_hash: item.label(&history::GIT_HASH),
        path: item.label(&history::PATH),
        average_score: score.and_then(|found| found.node().as_f64()),
        score_place: score.map(|found| found.place()),
        pass_rate: rate::field(item, &history::PASS_RATE),
        precision: rate::field(item, &history::PRECISION),
        recall: rate::field(item, &history::RECALL),
        result: item.label(&history::RESULT),
        is_best: item.flag(&history::IS_BEST).unwrap_or(false),
        notes: item.words(&history::NOTES),
    }
}

/// Reads regression gates; `None` where something is set and none of it is known. What is not set has
/// the default of the script that such files are for, in an empty object everything.
pub(super) fn read_gates(root: &Cursor<'_>) -> Option<Gates> {
    let known =
        [&gates::MIN_PASS_RATE_DELTA, &gates::MAX_TIME, &gates::MAX_TOKENS, &gates::NON_NEGATIVE];
    let is_empty = root.is_object() && root.entries().next().is_none();
    (is_empty || known.iter().any(|field| root.has(field))).then(|| Gates {
        path: root.path(),
        min_pass_rate_delta: root.number(&gates::MIN_PASS_RATE_DELTA),
        max_time_increase_s: root.number(&gates::MAX_TIME),
        max_token_increase: root.number(&gates::MAX_TOKENS),
        require_non_negative_pass_rate: root.flag(&gates::NON_NEGATIVE),
        is_damaged: false,
    })
}
