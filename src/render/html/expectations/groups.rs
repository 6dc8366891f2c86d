//! Checks by what they show, in the order in which they ask for work.

use crate::analyze::{ExpectationHistory, Expectations, Usefulness};
use crate::language::{Language, say};

/// The parts of the page in their order: what asks for work comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    /// The baseline passes it, and the candidate does not.
    Worse,
    /// No run of either side passes it.
    Failing,
    /// Every run of both sides passes it.
    Passing,
    /// Runs of one side disagree.
    Unsteady,
    /// The candidate passes it, and the baseline does not; or the sides differ, and either may be the baseline.
    Apart,
    OneSided,
    NoVerdict,
    Earlier,
}

impl Group {
    /// With the name of each in attributes and in the table of words.
    const ALL: [(Self, &'static str); 8] = [
        (Self::Worse, "worse"),
        (Self::Failing, "failing"),
        (Self::Passing, "passing"),
        (Self::Unsteady, "unsteady"),
        (Self::Apart, "apart"),
        (Self::OneSided, "one_sided"),
        (Self::NoVerdict, "no_verdict"),
        (Self::Earlier, "earlier"),
    ];

    pub(super) fn of_check(check: &ExpectationHistory<'_>) -> Self {
        match check.usefulness {
            Usefulness::FailsEverywhere => Self::Failing,
            Usefulness::PassesEverywhere => Self::Passing,
            Usefulness::OneSided => Self::OneSided,
            Usefulness::NoVerdict => Self::NoVerdict,
            Usefulness::Earlier => Self::Earlier,
            Usefulness::Even => Self::Unsteady,
            _ if check.is_flaky => Self::Unsteady,
            Usefulness::Hurts | Usefulness::FailedOnce => Self::Worse,
            Usefulness::Helps | Usefulness::PassedOnce | Usefulness::Differs => Self::Apart,
        }
    }

    /// Whether both sides were judged on its checks.
    pub(super) fn is_compared(self) -> bool {
        self <= Self::Apart
    }
}

/// The checks of a group.
pub(super) struct GroupedChecks<'a, 'w> {
    pub(super) group: Group,
    pub(super) name: &'static str,
    pub(super) checks: Vec<&'a ExpectationHistory<'w>>,
    /// Whether no configuration has more than one run of any of them in the deciding iteration.
    pub(super) is_single: bool,
}

pub(super) fn grouped<'a, 'w>(expectations: &'a Expectations<'w>) -> Vec<GroupedChecks<'a, 'w>> {
    let mut groups = Vec::new();
    for (group, name) in Group::ALL {
        let checks = expectations.histories.iter();
        let checks: Vec<_> = checks.filter(|check| Group::of_check(check) == group).collect();
        let is_single = checks.iter().all(|check| has_single_runs(check, expectations.iteration));
        if !checks.is_empty() {
            groups.push(GroupedChecks { group, name, checks, is_single });
        }
    }
    groups
}

/// How many checks are in each group of both sides, for a link to the page; `None` without such a group.
pub(in crate::render::html) fn groups_line(
    expectations: &Expectations<'_>,
    language: &Language,
) -> Option<String> {
    let mut parts = Vec::new();
    let mut number = 0;
    for found in grouped(expectations).iter().filter(|found| found.group.is_compared()) {
        let kind = language.entry(&["expectations", "groups", found.name]);
        parts.push(say!(language, "health.group", n = found.checks.len(), kind));
        number += found.checks.len();
    }
    if parts.is_empty() {
        return None;
    }
    Some(language.labelled(&language.count(number, "expectation"), &language.list(parts)))
}

/// Whether no configuration has more than one run of a check in the deciding iteration: then what it
/// shows has no color.
pub(super) fn has_single_runs(check: &ExpectationHistory<'_>, deciding: Option<usize>) -> bool {
    let mut counted = check.counted.iter().filter(|found| Some(found.iteration) == deciding);
    counted.all(|found| found.runs <= 1)
}
