//! One round under several models or harnesses, in one sentence: no single one of them speaks for the
//! round.

use crate::analyze::{Change, Side, Verdict, VerdictWord};
use crate::language::say;
use crate::wording::{Facts, headline, verdict};

/// Conditions that are named; the rest are counted.
const NAMED_CONDITIONS: usize = 4;

/// The comparisons of the round of `after` by condition; empty for a round under one.
fn changes<'a>(facts: Facts<'a>, after: &Side) -> Vec<(&'a str, &'a Change)> {
    let mut changes = facts.analysis.by_condition(facts.workspace, after);
    if changes.len() < 2 {
        changes.clear();
    }
    changes
}

/// `Better under 2 of 3 models`; `None` for a round under one condition.
pub(crate) fn word(facts: Facts<'_>, after: &Side) -> Option<String> {
    let changes = changes(facts, after);
    let total = changes.len();
    if total == 0 {
        return None;
    }
    let better = changes.iter().filter(|(_, change)| is_better(change)).count();
    let worse = changes.iter().filter(|(_, change)| change.gain.verdict().is_worse()).count();
    let (key, n) = if worse > 0 && worse >= better {
        ("verdict.worse_under", worse)
    } else if better > 0 {
        ("verdict.better_under", better)
    } else {
        ("verdict.open_under", 0)
    };
    Some(say!(facts.language, key, n, total))
}

/// The verdict of the round, by which it has a sign and a color: that of all conditions if they agree
/// on a direction, else unclear. `None` for a round under one condition.
pub(crate) fn shared_verdict(facts: Facts<'_>, after: &Side) -> Option<Verdict> {
    let changes = changes(facts, after);
    let (_, first) = changes.first()?;
    let do_agree = changes.iter().all(|(_, change)| is_better(change))
        || changes.iter().all(|(_, change)| change.gain.verdict().is_worse());
    Some(if do_agree { first.gain.verdict() } else { Verdict::Unclear })
}

/// `gpt-a +75 points, gpt-b +75 points, gpt-c ±0 points (both 100 %).`
pub(crate) fn sentence(facts: Facts<'_>, after: &Side) -> Option<String> {
    let language = facts.language;
    let mut gains = Vec::new();
    for (condition, change) in changes(facts, after) {
        let Some(paired) = change.gain.paired() else { continue };
        let mut size = verdict::size(change.gain.measure(), paired.mean, language);
        if let VerdictWord::AboutTheSame { level: Some(level) } = change.gain.word() {
            size = headline::both(level, language);
        }
        gains.push(say!(language, "verdict.under", condition, size));
    }
    if gains.is_empty() {
        return None;
    }
    let gains = language.first_few(gains, NAMED_CONDITIONS, "list.comma");
    Some(say!(language, "verdict.by_condition", gains))
}

fn is_better(change: &Change) -> bool {
    matches!(change.gain.verdict(), Verdict::Better(_) | Verdict::ProbablyBetter)
}
