//! Reads version histories of three shapes.

use crate::read::alias::{history, labels, triggers};
use crate::read::cursor::Cursor;
use crate::read::triggers::read_rounds;
use input::model::{History, TriggerRound, Version};

/// Reads versions of the skill, or rounds of a trigger loop; `None` if there are neither.
pub(super) fn read(root: Cursor<'_>) -> Option<(Option<History>, Vec<TriggerRound>)> {
    let list = root.list(&history::VERSIONS)?;
    let is_loop =
        if root.is_list() { !list.items().any(is_version) } else { list.items().any(has_queries) };
    if is_loop {
        let rounds = read_rounds(root);
        return if rounds.is_empty() { None } else { Some((None, rounds)) };
    }
    let by_round = list.items().any(is_by_round);
    let current = root.label(&history::CURRENT);
    let history = History {
        path: root.path(),
        skill: root.label(&labels::SKILL),
        started_at: root.label(&history::STARTED_AT),
        current: current.map(|name| full_name(&name, by_round)),
        versions: list.items().map(version).collect(),
    };
    Some((Some(history), Vec::new()))
}

/// Whether an item of a bare list is a version; a round of a trigger loop has the same words.
fn is_version(item: Cursor<'_>) -> bool {
    let fields = [&history::AVERAGE_SCORE, &history::RESULT, &history::PARENT, &history::IS_BEST];
    let has_any = item.key("version").is_some() || fields.iter().any(|field| item.has(field));
    has_any && !has_queries(item)
}

fn has_queries(item: Cursor<'_>) -> bool {
    item.get_where(&triggers::RESULTS, Cursor::is_list).is_some()
}

fn is_by_round(item: Cursor<'_>) -> bool {
    item.key("version").is_none() && item.key("iteration").is_some()
}

/// A bare number is a version or an iteration.
fn full_name(text: &str, by_round: bool) -> String {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    // The one public history, of MagnyCopper, names its versions `iteration-1`.
    let kind = if by_round { "iteration-" } else { "v" };
    format!("{kind}{text}")
}

fn version(item: Cursor<'_>) -> Version {
    let by_round = is_by_round(item);
    let name = item.label(&history::VERSION).unwrap_or_default();
    let score = item.get_where(&history::AVERAGE_SCORE, |value| value.node().as_f64().is_some());
    Version {
        name: full_name(&name, by_round),
        parent: item.label(&history::PARENT).map(|parent| full_name(&parent, by_round)),
        timestamp: item.label(&history::TIMESTAMP),
        description: item.text(&history::DESCRIPTION),
        git_hash: item.label(&history::GIT_HASH),
        path: item.label(&history::PATH),
        // Without a version, the iteration is the name.
        iteration: match item.label(&history::ITERATION) {
            Some(iteration) if !by_round => Some(full_name(&iteration, true)),
            _ => None,
        },
        average_score: score.and_then(|value| value.node().as_f64()),
        pass_rate: item.rate(&history::PASS_RATE),
        precision: item.rate(&history::PRECISION),
        recall: item.rate(&history::RECALL),
        result: item.label(&history::RESULT),
        is_best: item.flag(&history::IS_BEST).unwrap_or(false),
        notes: item.text(&history::NOTES),
    }
}
