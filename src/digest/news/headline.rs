//! The headline: the first of a list that holds. The worse answer makes it.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::Change;
use crate::digest::news::{CostMove, Finding, costs};
use crate::digest::questions::RowTone;
use crate::digest::{ComparedRow, Questions, Row, RowWord};

/// A headline that is not the word of a row.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Headline {
    NoMeasurement,
    NeverLoaded,
    /// The same skill ran again: how many of its checks flipped.
    Rerun {
        flipped: usize,
        checks: usize,
    },
    /// The last change lost checks.
    Lost {
        lost: usize,
        /// How the skill stands against no skill; null where that was not asked.
        helps: Option<Standing>,
    },
    /// A changed skill kept all that it passed.
    NoRegression {
        costs: Vec<CostMove>,
    },
    /// The last change repaired checks and lost none.
    Repaired {
        repaired: usize,
        is_better: bool,
    },
    /// The same checks pass with and without the skill.
    NoDifference {
        costs: Vec<CostMove>,
    },
}

/// A condition under which most checks are worse for sure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WorstCondition {
    pub(crate) name: String,
    pub(crate) checks: usize,
}

/// How the skill stands against no skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Standing {
    Better,
    /// Up, and not for sure.
    Up,
    /// Level or worse.
    NoBetter,
}

/// What the headline says.
pub(crate) enum HeadlineChoice<'a> {
    News(Headline),
    /// What several conditions say together.
    Conditions {
        worst: Option<WorstCondition>,
    },
    /// The word of a row.
    Word(&'a Change),
}

/// The headline above these rows; `None` without one that has data.
pub(crate) fn headline<'a>(
    findings: &[Finding],
    questions: &Questions<'a>,
) -> Option<HeadlineChoice<'a>> {
    let first = questions.rows().find_map(Row::compared)?.change;
    if findings.iter().any(Finding::voids) {
        return Some(HeadlineChoice::News(Headline::NoMeasurement));
    }
    if findings.iter().any(|finding| matches!(finding, Finding::NeverLoaded { .. })) {
        return Some(HeadlineChoice::News(Headline::NeverLoaded));
    }
    if first.gain.undecided().is_some() {
        return Some(HeadlineChoice::Word(first));
    }
    if let Some(rerun) = rerun(findings) {
        return Some(HeadlineChoice::News(rerun));
    }
    if questions.helps.len() > 1 {
        return Some(HeadlineChoice::Conditions { worst: worst_condition(questions) });
    }
    let helps = questions.helps.first().and_then(Row::compared);
    let changed = questions.changed.first().and_then(Row::compared);
    Some(of_rows(helps, changed, findings).unwrap_or(HeadlineChoice::Word(first)))
}

fn rerun(findings: &[Finding]) -> Option<Headline> {
    findings.iter().find_map(|finding| match finding {
        Finding::Rerun { flipped, checks, .. } => {
            Some(Headline::Rerun { flipped: *flipped, checks: *checks })
        }
        _ => None,
    })
}

/// The condition under which the skill is worse on most checks: no condition hides what another one lost.
fn worst_condition(questions: &Questions<'_>) -> Option<WorstCondition> {
    let rows = questions.rows().filter_map(|row| {
        let compared = row.compared()?;
        let checks = &compared.checks;
        // With one run each an unchanged skill loses a check in half of all reruns.
        let lost = if compared.is_worse() { checks.down } else { checks.down_repeated };
        Some((row.condition?, lost))
    });
    let (name, checks) = rows.max_by_key(|(_, checks)| *checks)?;
    (checks > 0).then(|| WorstCondition { name: name.to_owned(), checks })
}

fn of_rows<'a>(
    helps: Option<&ComparedRow<'a>>,
    changed: Option<&ComparedRow<'a>>,
    findings: &[Finding],
) -> Option<HeadlineChoice<'a>> {
    let is_better = helps.is_some_and(ComparedRow::is_better);
    if let Some(changed) = changed
        && changed.surely_lost() > 0
    {
        // A row that points both ways says neither.
        let helps = helps.filter(|row| !row.is_mixed()).map(|row| match row.direction() {
            _ if row.is_better() => Standing::Better,
            Ordering::Greater => Standing::Up,
            _ => Standing::NoBetter,
        });
        return Some(HeadlineChoice::News(Headline::Lost { lost: changed.surely_lost(), helps }));
    }
    // The worse answer makes the headline; of two that are worse, whether the skill helps.
    if let Some(worse) =
        [helps, changed].into_iter().flatten().find(|row| row.tone() == RowTone::Worse)
    {
        return Some(HeadlineChoice::Word(worse.change));
    }
    if let Some(changed) = changed
        && !is_better
        && changed.word == RowWord::NoRegression
    {
        let costs = main_cost(changed, findings);
        return Some(HeadlineChoice::News(Headline::NoRegression { costs }));
    }
    if let Some(changed) = changed
        && changed.checks.down == 0
        && changed.checks.up_repeated > 0
        && !changed.is_rerun()
    {
        let repaired = changed.checks.up;
        // Where nothing ran without the skill, only the last change can be better.
        let is_better = is_better || helps.is_none() && changed.is_better();
        return Some(HeadlineChoice::News(Headline::Repaired { repaired, is_better }));
    }
    let is_level = findings.iter().any(|finding| matches!(finding, Finding::NoDifference { .. }));
    if let Some(helps) = helps
        && is_level
    {
        let costs = main_cost(helps, findings);
        return Some(HeadlineChoice::News(Headline::NoDifference { costs }));
    }
    None
}

/// The cost that a headline names: the one that moved most, beyond chance if one did.
fn main_cost(row: &ComparedRow<'_>, findings: &[Finding]) -> Vec<CostMove> {
    let are_copied = findings.iter().any(|finding| {
        matches!(finding, Finding::SameEvidence { .. } | Finding::TwoFigures { .. })
    });
    if are_copied || !row.are_costs_known {
        return Vec::new();
    }
    let mut moves = costs::moves(row.change);
    moves.sort_by(|a, b| {
        let [one, other] = [a, b].map(|cost| cost.ratio.max(1.0 / cost.ratio));
        a.is_rough.cmp(&b.is_rough).then(other.total_cmp(&one))
    });
    moves.truncate(1);
    moves
}
