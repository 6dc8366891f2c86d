//! One round under several models or harnesses, in one sentence: no single one of them speaks for the
//! round.

use crate::analyze::{Change, Side, Verdict};
use crate::language::say;
use crate::wording::{Facts, verdict};

/// Conditions that are named; the rest are counted.
const NAMED_CONDITIONS: usize = 4;

/// `Better under 2 of 3 models`; `None` for a round under one condition.
pub(crate) fn word(facts: Facts<'_>, after: &Side) -> Option<String> {
    let changes = facts.analysis.by_condition(facts.workspace, after);
    if changes.len() < 2 {
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
    Some(say!(facts.language, key, n, total = changes.len()))
}

/// `gpt-a +75 points, gpt-b +75 points, gpt-c ±0 points.`
pub(crate) fn sentence(facts: Facts<'_>, after: &Side) -> Option<String> {
    let changes = facts.analysis.by_condition(facts.workspace, after);
    if changes.len() < 2 {
        return None;
    }
    let mut gains = Vec::new();
    for (condition, change) in changes {
        let Some(paired) = change.gain.paired() else { continue };
        let size = verdict::size(change.gain.measure(), paired.mean, facts.language);
        gains.push(say!(facts.language, "verdict.under", condition, size));
    }
    let gains = facts.language.first_few(gains, NAMED_CONDITIONS, "list.comma");
    Some(say!(facts.language, "verdict.by_condition", gains))
}

fn is_better(change: &Change) -> bool {
    matches!(change.gain.verdict(), Verdict::Better(_) | Verdict::ProbablyBetter)
}
