//! One configuration of one iteration in numbers.

use crate::analyze::conditions::Conditions;
use crate::analyze::loading::Loads;
use crate::analyze::reliability::Reliability;
use crate::analyze::standing::case_rate;
use crate::model::{Case, Iteration, Metrics, Outcome, Run, Tally};
use crate::statistics::{CaseWilson, Spread, mean};

/// What a configuration's runs add up to. Spreads are between runs, pooled over all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigurationSummary {
    /// The configuration.
    pub name: String,
    /// Cases it was tried on.
    pub cases: usize,
    /// Its runs.
    pub runs: usize,
    /// Its runs with at least one verdict.
    pub graded_runs: usize,
    /// Checks without a verdict in runs that have others.
    pub unjudged: usize,
    /// The runs without a verdict whose case tells how many checks they had, and those checks.
    unrun: (usize, usize),
    /// Largest number of runs of one case.
    pub runs_per_case: usize,
    /// All verdicts of its runs.
    pub tally: Tally,
    /// Mean of its graded cases' pass rates, in 0..=1: every case weighs the same, as in the level
    /// and in every gain. `None` without a verdict.
    pub by_case: Option<f64>,
    /// Mean of its graded cases' mean scores, 1 to 5; `None` unless every verdict has one and its
    /// grading goes by scores.
    pub score: Option<f64>,
    /// The pass rate with its interval at 95 %: every case weighs the same. `None` for fewer than
    /// two graded cases, which say nothing about others.
    pub level: Option<CaseWilson>,
    /// Pass rates of its graded runs, in 0..=1.
    pub pass_rate: Option<Spread>,
    /// Durations in seconds of its graded runs, of all its runs where none is graded, as far as
    /// they are recorded: a run that broke off says nothing of what an answer costs.
    pub duration_s: Option<Spread>,
    /// Tokens of the same runs, as far as they are recorded.
    pub tokens: Option<Spread>,
    /// How far repeated runs can be relied on; `None` where no case has two graded runs.
    pub reliability: Option<Reliability>,
    /// In how many of its runs the skill was loaded.
    pub loads: Loads,
    /// Which models executed its runs and which graders judged them.
    pub(super) conditions: Conditions,
}

impl ConfigurationSummary {
    /// How many of its runs [`Self::duration_s`] and [`Self::tokens`] could count.
    pub fn counted_runs(&self) -> usize {
        if self.graded_runs == 0 { self.runs } else { self.graded_runs }
    }

    /// How many of its runs have no verdict.
    pub fn ungraded_runs(&self) -> usize {
        self.runs - self.graded_runs
    }

    /// Its pass rate, in 0..=1, if the checks without a verdict had failed, those of the runs without
    /// any as far as the case tells how many they are. `None` without a verdict.
    pub fn rate_if_failed(&self) -> Option<f64> {
        self.tally.pass_rate()?;
        let judged = self.tally.graded() + self.unjudged;
        // A run of a case that tells nothing had as many checks as the others.
        let unknown = self.ungraded_runs() - self.unrun.0;
        let mean = judged as f64 / self.graded_runs as f64;
        let checks = (judged + self.unrun.1) as f64 + mean * unknown as f64;
        Some(self.tally.passed as f64 / checks)
    }
}

/// Summarizes the runs of `name` in `iteration`.
pub(super) fn summarize(iteration: &Iteration, name: &str) -> ConfigurationSummary {
    let cases = &iteration.cases;
    let runs: Vec<&Run> = cases.iter().flat_map(|case| case.runs_of(name)).collect();
    let graded: Vec<&Run> = runs.iter().copied().filter(|run| run.is_graded()).collect();
    let counted = if graded.is_empty() { &runs } else { &graded };
    let figures = |figure: fn(&Metrics) -> Option<f64>| {
        Spread::new(&counted.iter().filter_map(|run| figure(&run.metrics)).collect::<Vec<_>>())
    };
    let tally: Tally = runs.iter().map(|run| run.tally()).sum();
    let rates: Vec<f64> = graded.iter().filter_map(|run| run.tally().pass_rate()).collect();
    let case_means: Vec<f64> = cases.iter().filter_map(|case| case_rate(case, name)).collect();
    let per_case = cases.iter().map(|case| case.runs_of(name).count());
    ConfigurationSummary {
        name: name.to_owned(),
        cases: per_case.clone().filter(|runs| *runs > 0).count(),
        runs: runs.len(),
        graded_runs: graded.len(),
        unjudged: graded.iter().map(|run| run.tally().ungraded).sum(),
        unrun: unrun(cases, name),
        runs_per_case: per_case.max().unwrap_or(0),
        tally,
        by_case: mean(&case_means),
        score: mean_score(cases, name),
        level: CaseWilson::new(&case_means, tally.graded()),
        pass_rate: Spread::new(&rates),
        duration_s: figures(|metrics| metrics.duration_s),
        tokens: figures(|metrics| metrics.tokens),
        reliability: Reliability::new(cases, name),
        loads: Loads::new(cases, name),
        conditions: Conditions::new(iteration, name),
    }
}

/// The mean over cases of the mean over their graded runs' mean scores.
fn mean_score(cases: &[Case], name: &str) -> Option<f64> {
    let of_run = |run: &Run| {
        let scored = run.grading().filter(|grading| grading.is_scored)?;
        let judged = scored
            .expectations
            .iter()
            .filter(|expectation| expectation.outcome != Outcome::Ungraded);
        mean(&judged.map(|found| found.score).collect::<Option<Vec<_>>>()?)
    };
    let of_case = |case: &Case| {
        let graded = case.runs_of(name).filter(|run| run.is_graded());
        mean(&graded.map(of_run).collect::<Option<Vec<_>>>()?)
    };
    let graded = cases.iter().filter(|case| case_rate(case, name).is_some());
    mean(&graded.map(of_case).collect::<Option<Vec<_>>>()?)
}

/// The runs without a verdict whose case tells how many checks they had, and those checks. A run has
/// as many checks as any of its case has, else as are planned.
fn unrun(cases: &[Case], name: &str) -> (usize, usize) {
    let (mut runs, mut checks) = (0, 0);
    for case in cases {
        let most = case.runs.iter().map(|run| run.tally().total()).max();
        let of_run = most.filter(|most| *most > 0).unwrap_or(case.planned.len());
        let ungraded = case.runs_of(name).filter(|run| !run.is_graded()).count();
        if of_run > 0 {
            runs += ungraded;
            checks += ungraded * of_run;
        }
    }
    (runs, checks)
}

#[cfg(test)]
mod tests {
    use super::mean_score;
    use crate::model::{Case, Expectation, Grading, Outcome, Run};

    #[test]
    fn a_mean_score_needs_a_score_with_every_verdict() {
        let run = |scores: &[Option<f64>]| {
            let outcome = Outcome::Passed;
            let expectation = |score: &Option<f64>| Expectation {
                score: *score,
                outcome,
                ..Expectation::default()
            };
            let expectations = scores.iter().map(expectation).collect();
            let gradings = vec![Grading { expectations, is_scored: true, ..Grading::default() }];
            Run { configuration: "v1".to_owned(), gradings, ..Run::default() }
        };
        let case = |runs: Vec<Run>| Case { runs, ..Case::default() };
        let alike = [
            case(vec![run(&[Some(4.0), Some(5.0)]), run(&[Some(3.5)])]),
            case(vec![run(&[Some(2.0)]), run(&[])]),
        ];
        assert_eq!(mean_score(&alike, "v1"), Some(3.0));
        assert_eq!(mean_score(&[case(vec![run(&[Some(4.0), None])])], "v1"), None);
        assert_eq!(mean_score(&alike, "v2"), None);
    }
}
