//! Documents of no known name: results in a known form are read, and what only looks like results
//! is reported by whoever knows whether something else has them.

use crate::model::{Expectation, Place, TriggerQuery, TriggerRound};
use crate::read::Record;
use crate::read::alias::{labels, triggers};
use crate::read::cursor::Cursor;
use crate::read::grading;
use crate::read::triggers::read_rounds;

/// What looks like results in a document and was not read.
#[derive(Clone, Debug, PartialEq)]
pub struct UnreadResults {
    pub place: Place,
    pub kind: UnreadKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum UnreadKind {
    /// Statements with verdicts, which do not say whose they are.
    Verdicts(Vec<Expectation>),
    /// Sums of verdicts: how many.
    Counts(usize),
    /// Answers by the ids of queries: how many.
    TriggerAnswers(usize),
}

pub(super) fn read(root: Cursor<'_>, record: &mut Record) {
    let rounds = read_rounds(root);
    // The optimizer of the skill-creator writes `results.json` into a folder of its own.
    if rounds.iter().flat_map(|round: &TriggerRound| &round.queries).any(is_answered) {
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
    let answers = root.items().filter(|item| is_trigger_answer(*item)).count();
    let kind = if !verdicts.is_empty() {
        UnreadKind::Verdicts(verdicts)
    } else if answers > 1 {
        UnreadKind::TriggerAnswers(answers)
    } else if counted > 0.0 {
        UnreadKind::Counts(counted as usize)
    } else {
        return;
    };
    record.unread = Some(UnreadResults { place: root.place(), kind });
}

fn is_answered(query: &TriggerQuery) -> bool {
    query.should_trigger.is_some() && (query.passed.is_some() || query.triggers.is_some())
}

/// Whether an item says by an id whether the skill triggered, as the answers of a judge do.
fn is_trigger_answer(item: Cursor<'_>) -> bool {
    let flag = item.key("trigger").or_else(|| item.get(&triggers::TRIGGERED));
    let has_id = item.label(&triggers::ID).or_else(|| item.label(&labels::CASE_ID)).is_some();
    has_id && flag.is_some_and(|flag| flag.as_flag().is_some())
}
