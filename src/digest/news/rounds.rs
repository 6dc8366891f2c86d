//! What happened since the last round: the same skill again, what its change lost and repaired, and what
//! the other side did meanwhile.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{
    Flip, FlipKind, Measure, NamedOutcome, OutcomeOverTime, Side, is_earlier_version,
};
use crate::digest::headline_figures::{self, newer_iterations, prepared_cases, prepared_round};
use crate::digest::news::example::telling;
use crate::digest::news::floor::has_answers;
use crate::digest::news::{
    CheckOfCase, FEWEST_CHECKS, Finding, Moved, Scene, SinceEarlier, author,
};
use crate::digest::questions::changes_of;
use input::model::{Outcome, Run};

/// So many times as many gained checks make those that are worse a minor matter.
const MINOR: usize = 10;
/// This share of the checks of the candidate must be in both rounds.
const SHARED: f64 = 0.3;
/// The other side lost this share of the gain where its fall makes it.
const MOST_OF_THE_GAIN: f64 = 0.6;

pub(super) fn add(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    found.extend(gains_gone(scene));
    found.extend(not_run(scene));
    found.extend(graded_before(scene));
    found.extend(one_sided(scene));
    found.extend(partial_rerun(scene));
    found.extend(worse(scene));
    if scene.conditions > 1 {
        return;
    }
    let Some(round) = LastRound::new(scene) else { return };
    if let Some(rerun) = round.rerun() {
        // A rerun lost and repaired nothing, whatever flipped.
        found.retain(|finding| !matches!(finding, Finding::Worse { is_earlier: true, .. }));
        found.push(rerun);
        return;
    }
    // The comparison with the round before is the row itself.
    if scene.lead.is_some_and(|lead| lead.is_within_iteration()) {
        let is_carried = found.iter().any(|finding| matches!(finding, Finding::Carried { .. }));
        round.add(is_carried, found);
    } else {
        found.extend(round.new_checks());
    }
}

pub(super) fn ungraded_newer(scene: &Scene<'_>) -> Option<Finding> {
    let newest = scene.analysis.newest_candidate();
    if newest.as_ref() != Some(scene.after) {
        return None;
    }
    let newer = newer_iterations(scene.workspace, scene.analysis);
    let last = newer.last()?;
    // That is another piece of news.
    if prepared_round(scene.workspace, scene.analysis).is_some() {
        return None;
    }
    let own: Vec<&Run> = last.runs().filter(|run| run.reuse.is_none()).collect();
    let ungraded = own.iter().filter(|run| !run.is_graded()).count();
    // Where all have gradings, these hold no verdict.
    let runs = if ungraded > 0 { ungraded } else { own.len() };
    let iterations = newer.iter().map(|newer| newer.name.clone()).collect();
    Some(Finding::UngradedNewer { iterations, iteration: last.name.clone(), runs })
}

/// The one graded side of the round with which no row compares the candidate.
// `swtch1/dotfiles` runs the skill of the round before and the first one beside the new one.
pub(super) fn third_side(scene: &Scene<'_>) -> Option<Finding> {
    let found = &scene.analysis.iterations[scene.after.iteration];
    if found.roles.has_peers() {
        return None;
    }
    let compared = changes_of(scene.analysis, scene.after);
    let mut known: Vec<&str> =
        compared.map(|change| change.before.configuration.as_str()).collect();
    known.push(&scene.after.configuration);
    let mut others = found
        .configurations
        .iter()
        .filter(|side| side.tally.graded() > 0 && !known.contains(&side.name.as_str()));
    let (Some(other), None) = (others.next(), others.next()) else { return None };
    let other = Side::new(scene.after.iteration, &other.name);
    // Another model without its own baseline is no opponent.
    let [own, others] = [scene.after, &other].map(|side| side.configuration.rsplit_once('/'));
    if own.map(|(model, _)| model) != others.map(|(model, _)| model) {
        return None;
    }
    let moved = scene.moved_since(&other, scene.after)?;
    Some(Finding::ThirdSide { side: other.configuration, gain: moved.gain })
}

/// Gains of earlier rounds that are gone. That a skill is better now the row says.
fn gains_gone(scene: &Scene<'_>) -> Vec<Finding> {
    // An older iteration was judged before the loss.
    if scene.analysis.newest_candidate().as_ref() != Some(scene.after) {
        return Vec::new();
    }
    scene.analysis.outcomes.iter().filter_map(|found| gain_gone(scene, found)).collect()
}

fn gain_gone(scene: &Scene<'_>, found: &OutcomeOverTime) -> Option<Finding> {
    let before = found.before.as_ref()?;
    let outcome = found.outcome;
    let moved = match outcome {
        NamedOutcome::SignFlip | NamedOutcome::LostIt => before.with_skill,
        NamedOutcome::BaselineCaughtUp => before.without_skill,
        NamedOutcome::StillEarns => return None,
    };
    // Scores have no percent; the row has them.
    if found.measure == Measure::Score {
        return None;
    }
    Some(Finding::GainGone {
        outcome,
        condition: found.condition.clone(),
        iteration: scene.iteration_name(before.iteration),
        before: moved.means[0],
        after: moved.means[1],
        with_skill: before.with_skill.means[1],
    })
}

fn not_run(scene: &Scene<'_>) -> Option<Finding> {
    let prepared = prepared_cases(scene.workspace, scene.after.iteration);
    let cases: Vec<String> = prepared.into_iter().map(str::to_owned).collect();
    (!cases.is_empty()).then_some(Finding::NotRun { cases })
}

/// That the newest rounds have the gradings of an earlier one.
fn graded_before(scene: &Scene<'_>) -> Option<Finding> {
    let original = headline_figures::graded_before(scene.workspace, scene.iteration())?;
    let rounds = scene.workspace.iterations[..=scene.after.iteration].iter();
    let copies = rounds.filter(|round| {
        let found = headline_figures::graded_before(scene.workspace, round);
        found.is_some_and(|found| found.path == original.path)
    });
    let iterations = copies.map(|round| round.name.clone()).collect();
    Some(Finding::GradedBefore { iterations, original: original.name.clone() })
}

/// Cases that one of the compared sides did not run: a case that was forgotten looks like one that counts.
fn one_sided(scene: &Scene<'_>) -> Vec<Finding> {
    let Some(lead) = scene.lead else { return Vec::new() };
    let mut found = Vec::new();
    for (side, cases) in headline_figures::one_sided(scene.workspace, lead) {
        if !cases.is_empty() {
            let (number, of) = (cases.len(), scene.iteration().cases.len());
            let cases = cases.into_iter().map(str::to_owned).collect();
            found.push(Finding::OneSided { side: side.to_owned(), cases, number, of });
        }
    }
    found
}

/// Only a few cases of the iteration before were run again: the verdict is about these.
fn partial_rerun(scene: &Scene<'_>) -> Option<Finding> {
    let before = &scene.analysis.since_previous(scene.after)?.before;
    let of = scene.analysis.summary(before)?.cases;
    let cases = scene.analysis.summary(scene.after)?.cases;
    let iteration = scene.iteration_name(before.iteration);
    (cases * 2 <= of).then_some(Finding::PartialRerun { cases, of, iteration })
}

/// Checks that only the other side passes.
fn worse(scene: &Scene<'_>) -> Option<Finding> {
    let lost = scene.of_kind(FlipKind::Regressed);
    let first = scene.check(telling(scene, &lost)?);
    let is_within = scene.lead?.is_within_iteration();
    let other = scene.other_name()?;
    let is_earlier = scene.is_earlier();
    let is_minor = !is_earlier && lost.len() * MINOR <= scene.gained().len();
    let (checks, has_answers) = (lost.len(), has_answers(scene));
    Some(Finding::Worse { checks, is_earlier, is_minor, other, is_within, first, has_answers })
}

/// The candidate in the round before, on the checks that both rounds have.
struct LastRound<'a, 's> {
    scene: &'s Scene<'a>,
    before: Side,
    checks: Vec<Flip<'a>>,
    is_same_skill: bool,
}

impl<'a, 's> LastRound<'a, 's> {
    /// `None` without a round before under the same model.
    fn new(scene: &'s Scene<'a>) -> Option<Self> {
        let before = scene.analysis.since_previous(scene.after)?.before.clone();
        let flips = scene.cache.between(&before, scene.after);
        let checks: Vec<Flip<'a>> =
            flips.iter().filter(|flip| flip.change().is_some()).copied().collect();
        let is_same_skill = scene.cache.changes([&before, scene.after]).is_rerun();
        Some(Self { scene, before, checks, is_same_skill })
    }

    fn iteration(&self) -> String {
        self.scene.iteration_name(self.before.iteration)
    }

    fn of_kind(&self, kind: FlipKind) -> Vec<&Flip<'a>> {
        self.checks.iter().filter(|flip| flip.kind == kind).collect()
    }

    fn rerun(&self) -> Option<Finding> {
        let note = author::same_skill(&self.scene.remarks);
        if note.is_none() && !self.is_same_skill {
            return None;
        }
        let moved: Vec<&Flip<'_>> = self.checks.iter().filter(|flip| flip.has_moved()).collect();
        Some(Finding::Rerun {
            iteration: self.iteration(),
            flipped: moved.len(),
            checks: self.checks.len(),
            case: moved.first().map(|flip| self.scene.case_name(flip)),
            note,
        })
    }

    fn add(&self, is_other_carried: bool, found: &mut Vec<Finding>) {
        let own = self.scene.analysis.tally_of(self.scene.after).graded();
        let checks = self.checks.len();
        // Each check of several runs has several verdicts.
        let runs = self.checks.iter().map(|flip| flip.after.graded()).max().unwrap_or(1);
        if checks < FEWEST_CHECKS || ((checks * runs) as f64) < own as f64 * SHARED {
            return;
        }
        let lost = self.of_kind(FlipKind::Regressed);
        let repaired = self.of_kind(FlipKind::Improved);
        let [unsteady, reworded] = [FlipKind::Unsteady, FlipKind::Reworded]
            .map(|kind| self.of_kind(kind).iter().filter(|flip| flip.has_moved()).count());
        let unsteady = unsteady + reworded;
        let other = self.other().filter(|_| !is_other_carried);
        let moved = other.as_ref().map_or(0, |other| other.up + other.down);
        let iteration = self.iteration();
        // Beside an earlier version in the same round, two numbers of repaired checks would contradict each
        // other.
        let is_beside_old = self.scene.is_earlier();
        if is_beside_old && lost.is_empty() {
            return;
        }
        if lost.is_empty() && repaired.is_empty() && unsteady == 0 {
            if let Some(fell) = self.other_fell(other.as_ref()) {
                found.push(fell);
                return;
            }
            let other = other.clone().filter(|_| moved > 0);
            found.push(Finding::NothingMoved { iteration, checks, other });
        } else {
            let earlier = self.since_earlier().filter(|_| !repaired.is_empty());
            // What only the thrown-away round passed was not lost.
            let is_kept = earlier.as_ref().is_some_and(|earlier| earlier.lost == 0);
            let first_lost = telling(self.scene, &lost).filter(|_| !is_kept);
            found.push(Finding::Since {
                iteration,
                lost: lost.len(),
                repaired: repaired.len(),
                unsteady,
                checks,
                other: other.clone().filter(|_| moved > 0),
                first_lost: first_lost.map(|flip| self.check(flip)),
                side: is_beside_old.then(|| self.scene.after.configuration.clone()),
                earlier,
            });
        }
        found.extend(self.new_checks());
        // What is settled is no chance.
        let is_settled = self.scene.lead.is_some_and(|lead| lead.gain.verdict().is_settled());
        let gained = self.scene.of_kind(FlipKind::Improved).len();
        let worse = self.scene.of_kind(FlipKind::Regressed).len();
        if let Some(other) = other
            && !is_settled
            && gained + worse > 0
            && other.up != other.down
            && other.up.abs_diff(other.down) >= gained.abs_diff(worse)
        {
            found.push(Finding::RulerMoved { side: other.side });
        }
    }

    /// What became of the checks since the round before the last, where the last one lost more of them than it
    /// repaired: who threw that version away has repaired nothing.
    fn since_earlier(&self) -> Option<SinceEarlier> {
        let earlier = &self.scene.analysis.since_previous(&self.before)?.before;
        let [lost, repaired] = self.lost_and_repaired([earlier, &self.before]);
        if lost <= repaired {
            return None;
        }
        let [lost, repaired] = self.lost_and_repaired([earlier, self.scene.after]);
        let iteration = self.scene.iteration_name(earlier.iteration);
        Some(SinceEarlier { iteration, lost, repaired })
    }

    fn lost_and_repaired(&self, [before, after]: [&Side; 2]) -> [usize; 2] {
        let flips = self.scene.cache.between(before, after);
        [FlipKind::Regressed, FlipKind::Improved]
            .map(|kind| flips.iter().filter(|flip| flip.kind == kind).count())
    }

    /// The checks that the round before did not have: what they show, nothing since then explains.
    fn new_checks(&self) -> Option<Finding> {
        const MANY: f64 = 0.25;
        // The checks of a case with another prompt are none of the shared ones, and yet not new.
        let flips = self.scene.cache.between(&self.before, self.scene.after);
        let shared: BTreeSet<(&str, &str)> = flips
            .iter()
            .filter(|flip| flip.before.graded() > 0)
            .map(|flip| (self.scene.analysis.cases[flip.case].name.as_str(), flip.text))
            .collect();
        let mut passed: BTreeMap<(&str, &str), bool> = BTreeMap::new();
        for (case, run) in self.scene.runs(self.scene.after) {
            for check in run.counted_expectations() {
                if check.outcome != Outcome::Ungraded {
                    *passed.entry((case, &check.text)).or_insert(true) &=
                        check.outcome == Outcome::Passed;
                }
            }
        }
        let of = passed.len();
        passed.retain(|check, _| !shared.contains(check));
        let failed = passed.values().filter(|passed| !**passed).count();
        let (checks, iteration) = (passed.len(), self.iteration());
        (checks as f64 >= of as f64 * MANY && checks < of).then_some(Finding::NewChecks {
            checks,
            of,
            failed,
            iteration,
        })
    }

    fn check(&self, flip: &Flip<'_>) -> CheckOfCase {
        self.scene.check(flip)
    }

    /// What the other side of the round did meanwhile, if its skill did not change: it has none, or its
    /// copies are equal.
    fn other(&self) -> Option<Moved> {
        let other = self.scene.other()?;
        // Runs of an earlier round did nothing meanwhile.
        let is_reused = self.scene.runs(other).iter().any(|(_, run)| run.reuse.is_some());
        if is_earlier_version(other, self.scene.after) || is_reused {
            return None;
        }
        let before = Side::new(self.before.iteration, &other.configuration);
        self.scene.moved_since(&before, other)
    }

    fn other_fell(&self, other: Option<&Moved>) -> Option<Finding> {
        let other = other?;
        let gained = self.scene.gained().len();
        let is_ahead = gained > 0 && self.scene.of_kind(FlipKind::Regressed).is_empty();
        if !is_ahead || (other.down as f64) < gained as f64 * MOST_OF_THE_GAIN {
            return None;
        }
        Some(Finding::OtherFell {
            iteration: self.iteration(),
            side: other.side.clone(),
            checks: self.checks.len(),
            lost: other.down,
        })
    }
}
