//! The changes from one side to another, expectation by expectation.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use crate::analyze::{
    Against, Analysis, Change, Flip, FlipKind, Flips, Side, Verdict, between, disputed,
    is_earlier_version,
};
use crate::digest::headline_figures::newer_iteration;
use crate::digest::news::{self, Finding};
use input::model::{Expectation, Outcome, Run, Workspace};

/// The changes between any two sides, computed once for all pages.
pub(crate) struct Comparisons<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) analysis: &'a Analysis,
    flips_by_sides: BTreeMap<[Side; 2], Arc<Flips<'a>>>,
    /// By the side that news is about and the sides compared: pages and texts all begin with it.
    news: Mutex<BTreeMap<(Side, Option<[Side; 2]>), Arc<Vec<Finding>>>>,
}

impl<'a> Comparisons<'a> {
    /// None in advance: each is computed on demand.
    pub(crate) fn empty(workspace: &'a Workspace, analysis: &'a Analysis) -> Self {
        Self::of(workspace, analysis, BTreeMap::new())
    }

    /// Every comparison of `analysis`, computed in advance.
    pub(crate) fn filled(workspace: &'a Workspace, analysis: &'a Analysis) -> Self {
        // Cases share their sides, so each pair of sides is compared once.
        let mut sides: BTreeSet<[&Side; 2]> =
            analysis.changes.iter().map(|change| change.sides()).collect();
        for pair in analysis.pairs.iter().flat_map(|pairs| &pairs.pairs) {
            if !pair.is_alone() {
                sides.insert([&pair.before, &pair.after]);
            }
        }
        let flips_by_sides = sides.into_par_iter().map(|[before, after]| {
            let flips = flips_between(workspace, analysis, before, after);
            ([before.clone(), after.clone()], Arc::new(flips))
        });
        Self::of(workspace, analysis, flips_by_sides.collect())
    }

    fn of(
        workspace: &'a Workspace,
        analysis: &'a Analysis,
        flips_by_sides: BTreeMap<[Side; 2], Arc<Flips<'a>>>,
    ) -> Self {
        Self { workspace, analysis, flips_by_sides, news: Mutex::default() }
    }

    /// The findings about `after`, which `lead` compares, most important first.
    pub(crate) fn news(&self, after: &Side, lead: Option<&Change>) -> Arc<Vec<Finding>> {
        let key = (after.clone(), lead.map(|lead| lead.sides().map(Side::clone)));
        if let Some(known) = locked(&self.news).get(&key).cloned() {
            return known;
        }
        let found = Arc::new(news::findings(self, after, lead));
        locked(&self.news).insert(key, found.clone());
        found
    }

    /// Whether the runs of `after` are no measurement of the skill.
    pub(crate) fn is_unmeasured(&self, after: &Side) -> bool {
        self.news(after, news::led_by(self.analysis, after)).iter().any(Finding::voids)
    }

    pub(crate) fn between(&self, before: &Side, after: &Side) -> Arc<Flips<'a>> {
        match self.flips_by_sides.get(&[before.clone(), after.clone()]) {
            Some(cached) => cached.clone(),
            None => Arc::new(flips_between(self.workspace, self.analysis, before, after)),
        }
    }

    /// The changes, with the verdicts of the newer side.
    pub(crate) fn changes(&self, [before, after]: [&Side; 2]) -> Changes<'a> {
        let mut on_old_skill = None;
        if !before.is_within_iteration(after)
            && let Some(old) = self.analysis.opposite(after)
            && is_earlier_version(&old, after)
        {
            on_old_skill = Some(self.between(&old, after));
        }
        Changes {
            on_old_skill,
            workspace: self.workspace,
            analysis: self.analysis,
            before: before.clone(),
            after: after.clone(),
            is_within_iteration: before.is_within_iteration(after),
            flips: self.between(before, after),
            disputed: disputed(self.workspace, &self.analysis.cases, [before, after]),
        }
    }

    pub(crate) fn for_change(&self, change: &Change) -> Changes<'a> {
        self.changes(change.sides())
    }
}

/// What a lock guards. A panic elsewhere leaves no entry half made.
fn locked<T>(memory: &Mutex<T>) -> MutexGuard<'_, T> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The changes that pages show: what an unchanged skill loses is unsteady, not lost. The gates judge all of
/// them by [`between`] itself.
fn flips_between<'w>(
    workspace: &'w Workspace,
    analysis: &Analysis,
    before: &Side,
    after: &Side,
) -> Flips<'w> {
    let mut flips = between(workspace, &analysis.cases, before, after);
    if !is_earlier_version(before, after) {
        // The gain leaves out cases that the skill is not for, so no sentence may count their checks.
        flips = flips.without_cases(|line| {
            let case = analysis.cases[line].case(workspace, after.iteration);
            case.is_some_and(|case| case.should_load == Some(false))
        });
    }
    if analysis.have_same_skill(before, after) { flips.of_one_skill() } else { flips }
}

/// Every expectation of two sides with its change.
pub(crate) struct Changes<'a> {
    workspace: &'a Workspace,
    analysis: &'a Analysis,
    pub(crate) before: Side,
    pub(crate) after: Side,
    /// Whether both sides are configurations of one iteration, so that neither is earlier.
    pub(crate) is_within_iteration: bool,
    pub(crate) flips: Arc<Flips<'a>>,
    /// For a change since an earlier iteration: the changes from the earlier version of the skill, run
    /// again in the later one. `None` where it was not.
    on_old_skill: Option<Arc<Flips<'a>>>,
    /// The checks on which a person says that the grader is wrong, each with its case.
    disputed: BTreeSet<(usize, &'a str)>,
}

impl<'a> Changes<'a> {
    pub(crate) fn sides(&self) -> [&Side; 2] {
        [&self.before, &self.after]
    }

    pub(crate) fn of_kind(&self, kind: FlipKind) -> Vec<&Flip<'a>> {
        self.flips.iter().filter(|flip| flip.kind == kind).collect()
    }

    /// The checks that regressed, without those that the rerun old skill fails now as well: these the
    /// grader, the model or the environment changed, not the edit.
    pub(crate) fn regressed(&self) -> Vec<&Flip<'a>> {
        let mut regressed = self.of_kind(FlipKind::Regressed);
        regressed.retain(|flip| !self.fails_with_old_skill(flip));
        regressed
    }

    fn fails_with_old_skill(&self, regressed: &Flip<'_>) -> bool {
        let Some(flips) = &self.on_old_skill else { return false };
        let mut on_old = flips.on(regressed.case).iter().filter(|flip| flip.text == regressed.text);
        on_old.any(|flip| {
            let is_worse = flip.change().is_none_or(|change| change < 0.0);
            flip.before.failed > 0 && !is_worse
        })
    }

    /// Whether a person says that the grader is wrong on the check of `flip`, on either side.
    pub(crate) fn is_disputed(&self, flip: &Flip<'_>) -> bool {
        let texts = [Some(flip.text), flip.earlier_text];
        texts.into_iter().flatten().any(|text| self.disputed.contains(&(flip.case, text)))
    }

    /// The disputed checks of both sides, each with its case.
    pub(crate) fn disputed(&self) -> &BTreeSet<(usize, &'a str)> {
        &self.disputed
    }

    /// Whether both sides ran one skill, so that no edit moved a check.
    pub(crate) fn is_rerun(&self) -> bool {
        self.analysis.have_same_skill(&self.before, &self.after)
    }

    /// The verdicts of the later side on the expectation of `flip`, run by run.
    pub(crate) fn verdicts(
        &self,
        flip: &Flip<'_>,
    ) -> impl Iterator<Item = (&'a Run, &'a Expectation)> {
        let runs = self.analysis.cases[flip.case].runs(self.workspace, &self.after);
        let checks =
            runs.flat_map(|run| run.counted_expectations().iter().map(move |check| (run, check)));
        checks.filter(|(_, check)| check.text == flip.text)
    }

    /// Why the later side failed: the first evidence among its failed runs.
    pub(crate) fn evidence(&self, flip: &Flip<'_>) -> Option<&'a str> {
        let checks = self.verdicts(flip).map(|(_, check)| check);
        let mut failed = checks.filter(|check| check.outcome == Outcome::Failed);
        failed.find_map(|check| check.evidence.as_deref())
    }
}

/// The change by which each expectation of the newest candidate is judged: against the side pinned
/// in the settings, else the previous iteration, else the baseline.
pub(crate) fn reference(analysis: &Analysis) -> Option<&Change> {
    let after = analysis.newest_candidate()?;
    analysis
        .change(&after, Against::Pinned)
        .or_else(|| analysis.since_previous(&after))
        .or_else(|| analysis.change(&after, Against::Baseline))
}

/// Whether there is anything to report: a check or case that regressed, improved, was added or
/// removed, another verdict against the baseline, or nothing earlier to compare with.
pub(crate) fn is_changed(comparisons: &Comparisons<'_>) -> bool {
    let Comparisons { workspace, analysis, .. } = *comparisons;
    let Some(change) = reference(analysis) else { return true };
    // An iteration that nobody graded yet is news, and a baseline is no earlier version.
    if newer_iteration(workspace, analysis).is_some() || change.is_within_iteration() {
        return true;
    }
    if on_baseline(analysis, &change.before) != on_baseline(analysis, &change.after) {
        return true;
    }
    let gain = &change.gain;
    let uncompared = [&gain.only_before, &gain.only_after, &gain.unlike, &gain.negative];
    if uncompared.iter().any(|cases| !cases.is_empty()) {
        return true;
    }
    let flips = &comparisons.for_change(change).flips;
    flips
        .iter()
        .any(|flip| matches!(flip.kind, FlipKind::New | FlipKind::Removed) || flip.has_moved())
}

/// The verdict of a side against its baseline; `None` without one.
fn on_baseline(analysis: &Analysis, side: &Side) -> Option<Verdict> {
    Some(analysis.change(side, Against::Baseline)?.gain.verdict())
}
