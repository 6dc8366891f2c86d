//! The pass rates of both sides of one case, over what both were checked by.

use std::collections::BTreeSet;

use crate::analyze::case_history::has_another_prompt;
use crate::analyze::change::undecided::{MissingVerdicts, SideOfCase, completed};
use crate::analyze::rates::scored_expectations;
use crate::analyze::statements::{failed_as_a_whole, have_one_plan, judged_statements, matched};
use crate::analyze::{CaseHistory, Side, Statement, key};
use input::model::{Case, LoadingState, Outcome, Run, Tally, Workspace};
use statistics::{RunTally, mean};

pub const LOWEST_SCORE: f64 = 1.0;

/// Distance from the lowest score to the highest: a gain of 1 in points of score.
pub const SCORES: f64 = 4.0;

/// What becomes of missing verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    LeftOut,
    /// Those of the later side are failures, those of the earlier side passes.
    CountedAgainst,
    /// The other way round.
    CountedInFavor,
}

/// One side of one case, with at least one verdict.
pub(super) struct GradedSide<'w> {
    pub(super) case: &'w Case,
    pub(super) statements: Vec<Statement<'w>>,
    /// The verdicts that are not there and count all the same.
    pub(super) missing: MissingVerdicts,
    /// The value of each of them, in 0..=1.
    pub(super) missing_value: f64,
}

fn graded<'w>(
    workspace: &'w Workspace,
    history: &CaseHistory,
    side: &Side,
) -> Option<GradedSide<'w>> {
    let case = history.case(workspace, side.iteration)?;
    let statements = judged_statements(case, &side.configuration);
    if statements.is_empty() {
        return None;
    }
    let missing = MissingVerdicts::default();
    Some(GradedSide { case, statements, missing, missing_value: 0.0 })
}

pub(super) fn both_sides<'w>(
    workspace: &'w Workspace,
    history: &CaseHistory,
    sides: [&Side; 2],
    missing: Missing,
) -> [Option<GradedSide<'w>>; 2] {
    let outcomes = match missing {
        Missing::LeftOut => return sides.map(|side| graded(workspace, history, side)),
        Missing::CountedAgainst => [Outcome::Passed, Outcome::Failed],
        Missing::CountedInFavor => [Outcome::Failed, Outcome::Passed],
    };
    completed_sides(workspace, history, sides, outcomes)
}

/// Both sides of a case as if the missing verdicts of each were of this outcome.
fn completed_sides<'w>(
    workspace: &'w Workspace,
    history: &CaseHistory,
    sides: [&Side; 2],
    outcomes: [Outcome; 2],
) -> [Option<GradedSide<'w>>; 2] {
    let is_within = sides[0].is_within_iteration(sides[1]);
    let [before, after] = [(sides[0], !is_within), (sides[1], true)].map(|(side, is_candidate)| {
        let case = history.case(workspace, side.iteration)?;
        Some(SideOfCase { case, configuration: &side.configuration, is_candidate })
    });
    let [of_before, of_after] = outcomes;
    [complete_side(before, after, of_before), complete_side(after, before, of_after)]
}

fn complete_side<'w>(
    own: Option<SideOfCase<'_, 'w>>,
    other: Option<SideOfCase<'_, 'w>>,
    outcome: Outcome,
) -> Option<GradedSide<'w>> {
    let case = own?.case;
    let (statements, missing) = completed(own?, other, outcome);
    if statements.is_empty() {
        return None;
    }
    let missing_value = if outcome == Outcome::Passed { 1.0 } else { 0.0 };
    Some(GradedSide { case, statements, missing, missing_value })
}

pub(super) struct SideRates {
    pub(super) rates: Vec<f64>,
    /// The verdicts of each of these runs.
    pub(super) runs: Vec<RunTally>,
    /// Without the runs that did not load the skill.
    pub(super) rates_with_skill: Vec<f64>,
    /// The mean score of each graded run, in 0..=1; `None` where a verdict has no score.
    pub(super) scores: Option<Vec<f64>>,
    /// Checks with a verdict per run: the harmonic mean.
    pub(super) checks: f64,
    pub(super) tally: Tally,
}

impl SideRates {
    /// The value of each run, by its scores or by its pass rate.
    pub(super) fn counted(&self, is_scored: bool) -> &[f64] {
        if is_scored { self.scores.as_deref().unwrap_or_default() } else { &self.rates }
    }
}

/// Both sides by the statements they share; `None` where they are not alike.
///
/// They are alike with the same prompt and at least half of the statements of the side with fewer
/// in common. Within an iteration the prompt is the same, and graders who reword their statements
/// for every run still check the same case: there all verdicts count. Sides that share no statement
/// and differ in their number were checked by something else.
pub(super) fn compared_rates(
    old: &GradedSide<'_>,
    new: &GradedSide<'_>,
    is_same_iteration: bool,
) -> Option<[SideRates; 2]> {
    let [of_old, of_new] = compared_statements(old, new, is_same_iteration)?;
    Some([side_rates(old, of_old)?, side_rates(new, of_new)?])
}

/// The indices of the statements that count on each side; `None` where the sides are not alike.
pub(super) fn compared_statements(
    old: &GradedSide<'_>,
    new: &GradedSide<'_>,
    is_same_iteration: bool,
) -> Option<[Vec<usize>; 2]> {
    // Graders word their statements anew, and suites drop and add checks between rounds.
    let pairs = matched(&old.statements, &new.statements);
    let fewer = old.statements.len().min(new.statements.len());
    let (old_shared, new_shared): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
    if pairs.len() * 2 >= fewer && !has_another_prompt(old.case, new.case) {
        return Some([old_shared, new_shared]);
    }
    let is_worded_anew = !pairs.is_empty() || old.statements.len() == new.statements.len();
    // A run that crashed is graded by fewer labels. It failed, so it must not be left out.
    let has_failed = failed_as_a_whole(&old.statements, &new.statements)
        || failed_as_a_whole(&new.statements, &old.statements);
    let is_one_task = is_same_iteration
        || have_one_plan(old.case, new.case) && !has_another_prompt(old.case, new.case);
    if !(is_same_iteration && is_worded_anew || is_one_task && has_failed) {
        return None;
    }
    Some([old, new].map(|side| (0..side.statements.len()).collect()))
}

/// Adds the runs of another case of the same task to those of the first.
pub(super) fn join_rates(both: &mut [SideRates; 2], more: [SideRates; 2]) {
    for (known, more) in both.iter_mut().zip(more) {
        let [runs, more_runs] = [&known.rates, &more.rates].map(|rates| rates.len() as f64);
        known.checks = (runs + more_runs) / (runs / known.checks + more_runs / more.checks);
        known.rates.extend(more.rates);
        known.runs.extend(more.runs);
        known.scores =
            known.scores.take().zip(more.scores).map(|(known, more)| [known, more].concat());
        known.tally.add(more.tally);
    }
}

/// Pass rates and scores of the graded runs over the statements that count.
fn side_rates(
    side: &GradedSide<'_>,
    counted: impl IntoIterator<Item = usize>,
) -> Option<SideRates> {
    let mut by_run = vec![Tally::default(); side.case.runs.len()];
    let mut keys: BTreeSet<&str> = BTreeSet::new();
    for at in counted {
        keys.insert(&side.statements[at].key);
        for (run, tally) in &side.statements[at].by_run {
            by_run[*run].add(*tally);
        }
    }
    // A run that names none of the shared statements has no rate, which is not 0.
    let rates: Vec<f64> = by_run.iter().filter_map(|tally| tally.pass_rate()).collect();
    let judged = by_run.iter().filter(|tally| tally.graded() > 0);
    let judged = judged.map(|tally| RunTally { passed: tally.passed, graded: tally.graded() });
    let judged = judged.collect();
    let runs = side.case.runs.iter().zip(&by_run);
    let runs = runs.filter(|(run, _)| run.loading.state != LoadingState::NotLoaded);
    let rates_with_skill = runs.filter_map(|(_, tally)| tally.pass_rate()).collect();
    let graded = by_run.iter().map(|tally| tally.graded()).filter(|graded| *graded > 0);
    let checks = rates.len() as f64 / graded.map(|graded| 1.0 / graded as f64).sum::<f64>();
    let runs = side.case.runs.iter().zip(&by_run).filter(|(_, tally)| tally.graded() > 0);
    let scores = runs.map(|(run, tally)| score(run, &keys, tally.graded(), side.missing_value));
    let scores = scores.collect();
    let tally = by_run.into_iter().sum();
    if rates.is_empty() {
        return None;
    }
    Some(SideRates { rates, runs: judged, rates_with_skill, scores, checks, tally })
}

/// The mean score of `run` over the statements with these keys, in 0..=1; `None` where one of their
/// verdicts has no score from 1 to 5. What is missing of `counted` verdicts has this value.
fn score(run: &Run, keys: &BTreeSet<&str>, counted: usize, missing_value: f64) -> Option<f64> {
    let mut scores = Vec::with_capacity(counted);
    if run.is_graded() {
        for judged in scored_expectations(run)?.filter(|judged| keys.contains(&*key(judged))) {
            scores.push((judged.score? - LOWEST_SCORE) / SCORES);
        }
    }
    scores.resize(counted.max(scores.len()), missing_value);
    mean(&scores)
}
