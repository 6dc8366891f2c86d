//! How far one side is ahead of another, and how certain that is. Each case of both sides counts
//! once, by the mean of its runs' pass rates; by their mean scores where every verdict compared has
//! one from 1 to 5. Only like is compared with like: the same prompt, and statements that both
//! sides have.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::analyze::change::side_rates::{
    GradedSide, LOWEST_SCORE, Missing, SCORES, SideRates, both_sides, compared_rates, join_rates,
};
use crate::analyze::change::undecided::{MissingVerdicts, are_some_missing};
use crate::analyze::change::undoing::Undoing;
use crate::analyze::{CaseHistory, Measure, Side};
use input::model::{LoadingState, Run, Tally, Workspace};
use statistics::{
    CaseRuns, CaseTallies, Evidence, PValues, PairedGain, Rivals, SETTLED_P, TIE, Verdict, mean,
};

/// What one side gained over another on the cases that both have. Cases are indices of
/// [`Analysis::cases`](crate::analyze::Analysis::cases).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gain {
    /// Cases with verdicts on both sides that can be compared.
    pub shared: Vec<usize>,
    /// The value of each run of the shared cases, for the earlier and the later side, in 0..=1: its
    /// pass rate over the checks compared, or its share of the way from the lowest score to the
    /// highest.
    pub runs: Vec<[Vec<f64>; 2]>,
    pub only_after: Vec<usize>,
    pub only_before: Vec<usize>,
    /// Cases with verdicts on both sides, but with another prompt or too few checks in common.
    pub unlike: Vec<usize>,
    /// Cases with verdicts on both sides where the skill should stay out: passing them says nothing
    /// about what it adds.
    pub negative: Vec<usize>,
    /// Shared cases with a single graded run on a side, so that the spread of its runs is unknown.
    pub single: usize,
    /// Runs of the shared cases without any verdict, of the earlier and of the later side.
    pub ungraded: [usize; 2],
    /// Checks of the shared cases without a verdict although their run has others, of the earlier
    /// and of the later side.
    pub unjudged: [usize; 2],
    /// The verdicts of the earlier side that are compared.
    pub before: Tally,
    pub after: Tally,
    /// Shared cases whose pass rate fell far, the worst first.
    pub fallen: Vec<FallenCase>,
    /// What a run passes of each case; cases with one prompt are one.
    pub passes: Vec<CasePasses>,
    /// The mean pass rates of both sides, the earlier first, on the cases in which a later run is left
    /// without those that did not load the skill, in 0..=1. `None` if no run did without it, or no
    /// other is left.
    pub means_with_skill: Option<[f64; 2]>,
    /// `None` without a shared case.
    pub comparison: Option<Comparison>,
    /// The missing verdicts of the earlier and of the later side.
    pub missing: [MissingVerdicts; 2],
    /// The same comparison with the missing verdicts of the later side as failures and those of the
    /// earlier side as passes; `None` where none is missing.
    pub worst: Option<Box<Gain>>,
    /// The other way round.
    pub best: Option<Box<Gain>>,
    /// See [`Self::undoing`]: known once it was asked for, as the search is long.
    pub(crate) undoing: OnceLock<Option<Undoing>>,
}

/// How many checks of a case a run passes on average, of as many as the earlier side had.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CasePasses {
    /// Index of its history.
    pub case: usize,
    pub before: f64,
    pub after: f64,
}

/// A case whose pass rate fell by at least 40 points. Where the runs had an error, or did without
/// the skill, that explains it, and the case is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FallenCase {
    /// Index of its history.
    pub case: usize,
    /// Mean pass rate of the earlier side, in 0..=1.
    pub before: f64,
    pub after: f64,
    /// Whether a side has one graded run only.
    pub is_single_run: bool,
}

/// Whole cases lost are the worst news of a report, however wide the range of the mean is.
const FALL: f64 = 0.4;

/// The statistics of the shared cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The gain of the later side and how certain it is. Shares of 1, by case: of the pass rate, or
    /// of the way from the lowest score to the highest.
    pub evidence: Evidence,
    /// The mean pass rate of the earlier and of the later side, in 0..=1.
    pub means: [f64; 2],
    /// The mean scores, 1 to 5; `None` unless the gain is counted by them.
    pub scores: Option<[f64; 2]>,
    /// Number of candidates of the iteration compared with the same kind of earlier side, this one
    /// included; 1 for a comparison by itself.
    pub at_once: usize,
    /// The p of each rule of the scale after Holm's adjustment for these candidates.
    pub adjusted_p: PValues,
    /// What these candidates mean for each rule, however this comparison comes out.
    pub(in crate::analyze) rivals: Rivals,
    /// The verdicts of each case, of the later and of the earlier side; empty where scores are compared.
    pub(in crate::analyze) tallies: Vec<CaseTallies>,
}

impl Comparison {
    /// `None` without cases.
    fn new(cases: &[[SideRates; 2]], is_scored: bool) -> Option<Self> {
        let by_rate = case_runs(cases, false);
        let counted = case_runs(cases, is_scored);
        let evidence = Evidence::weigh(&counted)?;
        let scores = if is_scored {
            Some(means(&counted)?.map(|share| LOWEST_SCORE + share * SCORES))
        } else {
            None
        };
        Some(Self {
            means: means(&by_rate)?,
            scores,
            at_once: 1,
            adjusted_p: evidence.p(),
            rivals: Rivals::NONE,
            tallies: if is_scored { Vec::new() } else { tallies(cases) },
            evidence,
        })
    }
}

impl Gain {
    /// Whether at least half of the compared cases have one run on a side.
    pub fn is_mostly_single(&self) -> bool {
        2 * self.single >= self.shared.len()
    }

    /// Open where missing verdicts could undo good news.
    pub fn verdict(&self) -> Verdict {
        if self.undecided().is_some() { Verdict::Unclear } else { self.counted_verdict() }
    }

    /// The verdict of what has verdicts, whatever is missing.
    pub(in crate::analyze) fn counted_verdict(&self) -> Verdict {
        match &self.comparison {
            Some(comparison) => comparison.evidence.verdict_at(comparison.adjusted_p),
            None => Verdict::NoComparison,
        }
    }

    /// The gain by case; `None` without a shared case.
    pub fn paired(&self) -> Option<PairedGain> {
        Some(self.comparison.as_ref()?.evidence.paired)
    }

    /// The gain by case as pages show it; `None` also where missing verdicts could undo it.
    pub fn shown(&self) -> Option<PairedGain> {
        if self.undecided().is_some() { None } else { self.paired() }
    }

    /// The mean scores of both sides, 1 to 5; `None` unless the gain is counted by them.
    pub fn scores(&self) -> Option<[f64; 2]> {
        self.comparison.as_ref()?.scores
    }

    /// Number of candidates compared at once, this one included; 0 without a shared case.
    pub fn at_once(&self) -> usize {
        self.comparison.as_ref().map_or(0, |comparison| comparison.at_once)
    }

    pub fn measure(&self) -> Measure {
        if self.scores().is_some() { Measure::Score } else { Measure::PassRate }
    }

    /// Whether both sides have the maximum, so that no case can show a difference.
    pub fn is_saturated(&self) -> bool {
        let is_best = self.scores().is_none_or(|means| means == [5.0; 2]);
        self.before.failed + self.after.failed == 0 && is_best
    }

    /// Whether the verdict would be settled if no other candidate were compared at once.
    pub fn would_settle_alone(&self) -> bool {
        let Some(comparison) = &self.comparison else { return false };
        comparison.at_once > 1 && comparison.evidence.verdict().is_settled()
    }

    /// The fewest cases that could settle it: the least G with 2/2^G times the candidates within
    /// [`SETTLED_P`].
    pub fn cases_to_settle(&self) -> usize {
        let needed = 2.0 * self.at_once().max(1) as f64 / SETTLED_P;
        libm::log2(needed).ceil() as usize
    }
}

impl Gain {
    /// Adds what lacks a verdict in a shared case on the side at `at`.
    fn count_missing(&mut self, at: usize, graded: &GradedSide<'_>, side: &Side) {
        let case = graded.case;
        self.missing[at].add(graded.missing);
        self.ungraded[at] +=
            case.runs_of(&side.configuration).filter(|run| !run.is_graded()).count();
        let graded = case.graded_runs_of(&side.configuration);
        self.unjudged[at] += graded.map(|run| run.unjudged()).sum::<usize>();
    }
}

pub fn gain(workspace: &Workspace, cases: &[CaseHistory], before: &Side, after: &Side) -> Gain {
    let mut gain = compare(workspace, cases, [before, after], Missing::LeftOut);
    if gain.comparison.is_some() && are_some_missing(workspace, [before, after]) {
        let [worst, best] = [Missing::CountedAgainst, Missing::CountedInFavor]
            .map(|missing| compare(workspace, cases, [before, after], missing));
        gain.missing = worst.missing;
        gain.worst = Some(Box::new(worst));
        gain.best = Some(Box::new(best));
    }
    gain
}

fn compare(
    workspace: &Workspace,
    cases: &[CaseHistory],
    [before, after]: [&Side; 2],
    missing: Missing,
) -> Gain {
    let mut gain = Gain::default();
    let mut rates: Vec<(&str, [SideRates; 2])> = Vec::new();
    let mut with_skill: [Vec<f64>; 2] = Default::default();
    let mut is_skill_missing = false;
    for (index, history) in cases.iter().enumerate() {
        let [old, new] = both_sides(workspace, history, [before, after], missing);
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => (old, new),
            (Some(_), None) => {
                gain.only_before.push(index);
                continue;
            }
            (None, Some(_)) => {
                gain.only_after.push(index);
                continue;
            }
            (None, None) => continue,
        };
        // Without the skill such a case passes as it should, so its gain is 0 at best.
        if old.case.should_load == Some(false) || new.case.should_load == Some(false) {
            gain.negative.push(index);
            continue;
        }
        let is_within_iteration = before.is_within_iteration(after);
        let Some([of_old, of_new]) = compared_rates(&old, &new, is_within_iteration) else {
            gain.unlike.push(index);
            continue;
        };
        gain.shared.push(index);
        let is_explained = new.case.runs_of(&after.configuration).any(is_hampered);
        if !is_explained && let Some(fall) = fall(index, &of_old.rates, &of_new.rates) {
            gain.fallen.push(fall);
        }
        is_skill_missing |= of_new.rates_with_skill.len() < of_new.rates.len();
        if let Some(rate) = mean(&of_new.rates_with_skill) {
            with_skill[0].extend(mean(&of_old.rates));
            with_skill[1].push(rate);
        }
        gain.single += usize::from(of_old.rates.len() == 1 || of_new.rates.len() == 1);
        gain.before.add(of_old.tally);
        gain.after.add(of_new.tally);
        for (at, (graded, side)) in [(&old, before), (&new, after)].into_iter().enumerate() {
            gain.count_missing(at, graded, side);
        }
        // Cases with one prompt are one task, so they are not independent evidence.
        let task = new.case.same_prompt_as.as_deref().unwrap_or(&new.case.name);
        rates.push((task, [of_old, of_new]));
    }
    gain.fallen.sort_by(|a, b| (a.after - a.before).total_cmp(&(b.after - b.before)));
    if is_skill_missing {
        let [before, after] = with_skill.map(|rates| mean(&rates));
        gain.means_with_skill = before.zip(after).map(<[f64; 2]>::from);
    }
    weigh(&mut gain, rates);
    gain
}

/// `None` if the mean of the later rates is not far below that of the earlier ones.
fn fall(case: usize, before: &[f64], after: &[f64]) -> Option<FallenCase> {
    let is_single_run = before.len() == 1 || after.len() == 1;
    let (before, after) = (mean(before)?, mean(after)?);
    if before - after < FALL - TIE {
        return None;
    }
    Some(FallenCase { case, before, after, is_single_run })
}

// eval-magic grades a run that never happened as failed throughout.
fn is_hampered(run: &Run) -> bool {
    run.error.is_some() || run.loading.state == LoadingState::NotLoaded
}

/// Fills in the runs and the comparison from the rates of the shared cases. All of them use one
/// measure.
fn weigh(gain: &mut Gain, rates: Vec<(&str, [SideRates; 2])>) {
    let is_scored = rates.iter().flat_map(|(_, both)| both).all(|side| side.scores.is_some());
    let mut by_task: Vec<[SideRates; 2]> = Vec::new();
    let mut cases = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for ((task, both), case) in rates.into_iter().zip(&gain.shared) {
        gain.runs.push(both.each_ref().map(|side| side.counted(is_scored).to_vec()));
        let place = *places.entry(task).or_insert(by_task.len());
        match by_task.get_mut(place) {
            Some(known) => join_rates(known, both),
            None => {
                by_task.push(both);
                cases.push(*case);
            }
        }
    }
    for (case, [old, new]) in cases.into_iter().zip(&by_task) {
        let [Some(before), Some(after)] = [old, new].map(|side| mean(&side.rates)) else {
            continue;
        };
        let [before, after] = [before, after].map(|rate| rate * old.checks);
        gain.passes.push(CasePasses { case, before, after });
    }
    gain.comparison = Comparison::new(&by_task, is_scored);
}

fn case_runs(rates: &[[SideRates; 2]], is_scored: bool) -> Vec<CaseRuns<'_>> {
    let cases = rates.iter().map(|[old, new]| CaseRuns {
        first: new.counted(is_scored),
        second: old.counted(is_scored),
        checks: 2.0 / (1.0 / old.checks + 1.0 / new.checks),
    });
    cases.collect()
}

fn tallies(rates: &[[SideRates; 2]]) -> Vec<CaseTallies> {
    let mut tallies = Vec::new();
    for (both, runs) in rates.iter().zip(case_runs(rates, false)) {
        let [old, new] = both.each_ref().map(|side| side.runs.clone());
        tallies.push(CaseTallies { sides: [new, old], checks: runs.checks });
    }
    tallies
}

fn means(cases: &[CaseRuns<'_>]) -> Option<[f64; 2]> {
    let old: Vec<f64> = cases.iter().filter_map(|case| mean(case.second)).collect();
    let new: Vec<f64> = cases.iter().filter_map(|case| mean(case.first)).collect();
    Some([mean(&old)?, mean(&new)?])
}

#[cfg(test)]
mod tests;
