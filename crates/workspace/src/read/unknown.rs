//! Documents of no known name: results in a known form are read, and what only looks like results
//! is reported by whoever knows whether something else has them.

use crate::read::Record;
use crate::read::alias::{labels, triggers};
use crate::read::cursor::Cursor;
use crate::read::grading;
use crate::read::triggers::read_rounds;
use input::model::{Expectation, Place, TriggerQuery, TriggerRound};

/// What looks like results in a document and was not read.
#[derive(Clone, Debug, PartialEq)]
pub struct UnreadResults {
    /// Where a problem about them points: the beginning of the document.
    pub place: Place,
    /// What they look like.
    pub kind: UnreadKind,
}

/// What results that were not read look like.
#[derive(Clone, Debug, PartialEq)]
pub enum UnreadKind {
    /// Statements with verdicts, which do not say whose they are.
    Verdicts(Vec<Expectation>),
    /// Sums of verdicts: how many.
    Counts(usize),
    /// Scores that judges gave: how many.
    Scores(usize),
    /// Whether the skill triggered, by the ids of queries.
    TriggerAnswers(Vec<(String, bool)>),
}

pub(super) fn read(root: Cursor<'_>, record: &mut Record) {
    let rounds = read_rounds(root);
    // The optimizer of the skill-creator writes `results.json` into a folder of its own.
    let mut queries = rounds.iter().flat_map(|round: &TriggerRound| &round.queries);
    if queries.any(|query| is_answered(query) || is_asked(query)) {
        record.trigger_rounds = rounds;
        return;
    }
    let gradings = grading::read(root, false);
    if grading::are_plainly_runs(&gradings) {
        record.gradings = gradings;
        return;
    }
    let mut verdicts = Vec::new();
    let mut counted = 0.0;
    for graded in gradings {
        if graded.grading.expectations.is_empty() {
            counted += graded.grading.recorded.total.unwrap_or(0.0);
        }
        let mut found = graded.grading.expectations;
        // One without a statement is called by its place, `samples[0]`: a sum, no check.
        found.retain(|one| !one.text.ends_with(']'));
        verdicts.extend(found);
    }
    let answers: Vec<(String, bool)> = root.items().filter_map(trigger_answer).collect();
    let kind = if !verdicts.is_empty() {
        UnreadKind::Verdicts(verdicts)
    } else if answers.len() > 1 {
        UnreadKind::TriggerAnswers(answers)
    } else if counted > 0.0 {
        UnreadKind::Counts(counted as usize)
    } else {
        match count_scored(root, false, 0) {
            0 => return,
            scored => UnreadKind::Scores(scored),
        }
    };
    record.unread = Some(UnreadResults { place: root.place(), kind });
}

/// The deepest list of scores that is looked for, in keys and places.
const SCORED_LEVELS: usize = 6;

/// How many objects below have a score out of ten at most, each by its id or key, where a key on the way
/// says that they are results: `{"judges": [{"probes": [{"id": "p1", "craft": 4}]}]}`.
fn count_scored(value: Cursor<'_>, is_result: bool, level: usize) -> usize {
    let (mut inner, mut are_named) = (Vec::new(), true);
    for item in value.items() {
        are_named &= item.key("id").is_some() || item.has(&labels::CASE_ID);
        inner.push((item, is_result));
    }
    for (key, entry) in value.entries() {
        inner.push((entry, is_result || is_of_judge(key)));
    }
    let are_scored =
        inner.iter().all(|(one, _)| one.entries().any(|(key, value)| is_score(key, value)));
    let says_so = inner.iter().all(|(one, _)| one.entries().any(|(key, _)| is_of_judge(key)));
    if (is_result || says_so) && are_named && are_scored && inner.len() > 1 {
        return inner.len();
    }
    if level == SCORED_LEVELS {
        return 0;
    }
    inner.into_iter().map(|(one, is_result)| count_scored(one, is_result, level + 1)).sum()
}

/// Whether a number is whole or a half. Shares between 0 and 1 are sums.
fn is_score(key: &str, value: Cursor<'_>) -> bool {
    let number = value.node().as_f64().filter(|number| (0.0..=10.0).contains(number));
    !key.ends_with("id") && number.is_some_and(|number| (number * 2.0).fract() == 0.0)
}

fn is_of_judge(key: &str) -> bool {
    let key = key.to_lowercase();
    ["judge", "score", "rating"].iter().any(|word| key.contains(word))
}

/// Whether a query is one of a set to be tried, which judges answer by its id.
fn is_asked(query: &TriggerQuery) -> bool {
    query.id.as_ref().is_some_and(|id| *id != query.query) && query.should_trigger.is_some()
}

fn is_answered(query: &TriggerQuery) -> bool {
    query.should_trigger.is_some() && (query.passed.is_some() || query.triggers.is_some())
}

/// The id of a query and whether the skill triggered, as a judge answers.
fn trigger_answer(item: Cursor<'_>) -> Option<(String, bool)> {
    let flag = item.key("trigger").or_else(|| item.get(&triggers::TRIGGERED))?;
    let id = item.label(&triggers::ID).or_else(|| item.label(&labels::CASE_ID))?;
    Some((id, flag.as_flag()?))
}
