//! One configuration of one iteration in numbers, and how reliable its repeated runs are.

use crate::analyze::conditions::Conditions;
use crate::analyze::rates::{case_rate, scored_expectations};
use crate::analyze::{Side, SkillLoadCounts, Statement, statements};
use input::model::{Case, Iteration, Run, Tally};
use statistics::{CaseWilson, Share, Spread, mean, mean_chances};

/// Totals of a configuration's runs. Spreads are between runs, pooled over all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfigurationSummary {
    pub name: String,
    pub cases: usize,
    pub runs: usize,
    pub graded_runs: usize,
    /// Checks without a verdict in runs that have others.
    pub unjudged: usize,
    /// The runs without a verdict whose number of checks is known from their case, and these
    /// checks.
    unrun: (usize, usize),
    /// Most runs of a case: of its graded runs, or of all where none is graded.
    pub runs_per_case: usize,
    pub tally: Tally,
    /// Mean of its graded cases' pass rates, in 0..=1: all cases weigh the same, as in every gain.
    /// `None` without a verdict.
    pub by_case: Option<f64>,
    /// The same mean if all that has no verdict had failed, as runs that stopped with an error and
    /// checks that were never graded. `None` without a verdict.
    pub by_case_if_failed: Option<f64>,
    /// Mean of its graded cases' mean scores, 1 to 5; `None` unless every verdict has one and its
    /// grading uses scores.
    pub score: Option<f64>,
    /// The pass rate with its interval at 95 %: all cases weigh the same. `None` for fewer than two
    /// graded cases, which say nothing about others.
    pub range: Option<CaseWilson>,
    /// Pass rates of its graded runs, in 0..=1.
    pub pass_rate: Option<Spread>,
    /// Durations in seconds of its graded runs, of all its runs where none is graded, as far as
    /// recorded: a run that broke off says nothing about the cost of an answer.
    pub duration_s: Option<Spread>,
    /// Tokens of the same runs, as far as recorded.
    pub tokens: Option<Spread>,
    /// How reliable repeated runs are; `None` where no case has two graded runs.
    pub reliability: Option<Reliability>,
    pub loads: SkillLoadCounts,
    /// What it was in the previous iteration with verdicts of it: see
    /// [`previous`](crate::analyze::previous).
    pub previous: Option<Side>,
    pub(super) conditions: Conditions,
}

impl ConfigurationSummary {
    /// How many of its runs [`Self::duration_s`] and [`Self::tokens`] could count.
    pub fn counted_runs(&self) -> usize {
        if self.graded_runs == 0 { self.runs } else { self.graded_runs }
    }

    pub fn ungraded_runs(&self) -> usize {
        self.runs - self.graded_runs
    }

    /// Its pass rate, in 0..=1, if the checks without a verdict had failed, including those of
    /// ungraded runs where the case tells their number. `None` without a verdict.
    pub fn rate_if_failed(&self) -> Option<f64> {
        self.tally.pass_rate()?;
        let judged = self.tally.graded() + self.unjudged;
        // Where a case does not say, its runs had as many checks as the others.
        let unknown = self.ungraded_runs() - self.unrun.0;
        let mean = judged as f64 / self.graded_runs as f64;
        let checks = (judged + self.unrun.1) as f64 + mean * unknown as f64;
        Some(self.tally.passed as f64 / checks)
    }
}

pub(super) fn summarize(iteration: &Iteration, name: &str) -> ConfigurationSummary {
    let cases = &iteration.cases;
    let runs: Vec<&Run> = cases.iter().flat_map(|case| case.runs_of(name)).collect();
    let graded: Vec<&Run> = runs.iter().copied().filter(|run| run.is_graded()).collect();
    // A run that broke off says nothing about the cost of an answer.
    let counted = if graded.is_empty() { &runs } else { &graded };
    let durations: Vec<f64> = counted.iter().filter_map(|run| run.metrics.duration_s).collect();
    let tokens: Vec<f64> = counted.iter().filter_map(|run| run.metrics.tokens).collect();
    let tally: Tally = runs.iter().map(|run| run.tally()).sum();
    let rates: Vec<f64> = graded.iter().filter_map(|run| run.tally().pass_rate()).collect();
    let case_means: Vec<f64> = cases.iter().filter_map(|case| case_rate(case, name)).collect();
    let per_case = cases.iter().map(|case| case.runs_of(name).count());
    // A run without a verdict adds nothing to what is known of its case.
    let most_graded = cases.iter().map(|case| case.graded_runs_of(name).count()).max();
    let most_runs = most_graded.filter(|most| *most > 0).or(per_case.clone().max());
    ConfigurationSummary {
        name: name.to_owned(),
        cases: per_case.clone().filter(|runs| *runs > 0).count(),
        runs: runs.len(),
        graded_runs: graded.len(),
        unjudged: graded.iter().map(|run| run.unjudged()).sum(),
        unrun: unrun(cases, name),
        runs_per_case: most_runs.unwrap_or(0),
        tally,
        by_case: mean(&case_means),
        by_case_if_failed: if_failed(cases, name),
        score: mean_score(cases, name),
        range: CaseWilson::new(&case_means, tally.graded()),
        pass_rate: Spread::new(&rates),
        duration_s: Spread::new(&durations),
        tokens: Spread::new(&tokens),
        reliability: Reliability::new(cases, name),
        loads: SkillLoadCounts::new(cases, name),
        previous: None,
        conditions: Conditions::new(iteration, name),
    }
}

/// The mean over the cases of `name` in which all that has no verdict failed; `None` without a verdict.
fn if_failed(cases: &[Case], name: &str) -> Option<f64> {
    let mut means = Vec::new();
    let mut is_any_graded = false;
    for case in cases {
        let mut rates = Vec::new();
        for run in case.runs_of(name) {
            let tally = run.tally();
            is_any_graded |= tally.graded() > 0;
            let checks = tally.graded() + run.unjudged();
            rates.push(if checks == 0 { 0.0 } else { tally.passed as f64 / checks as f64 });
        }
        means.extend(mean(&rates));
    }
    if is_any_graded { mean(&means) } else { None }
}

fn mean_score(cases: &[Case], name: &str) -> Option<f64> {
    let mut case_scores = Vec::new();
    for case in cases.iter().filter(|case| case_rate(case, name).is_some()) {
        let scores: Option<Vec<f64>> = case.graded_runs_of(name).map(run_score).collect();
        case_scores.push(mean(&scores?)?);
    }
    mean(&case_scores)
}

/// `None` where a verdict has no score.
fn run_score(run: &Run) -> Option<f64> {
    let scores = scored_expectations(run)?.map(|expectation| expectation.score);
    mean(&scores.collect::<Option<Vec<_>>>()?)
}

/// The runs without a verdict whose number of checks is known from their case, and these checks. A
/// run has as many checks as any other of its case, else as are planned.
fn unrun(cases: &[Case], name: &str) -> (usize, usize) {
    let (mut runs, mut checks) = (0, 0);
    for case in cases {
        // A run that crashed has no checks; its siblings show how many it would have had.
        let most = case.runs.iter().map(|run| run.tally().total()).max();
        let checks_per_run = most.filter(|most| *most > 0).unwrap_or(case.planned.len());
        let ungraded = case.runs_of(name).filter(|run| !run.is_graded()).count();
        if checks_per_run > 0 {
            runs += ungraded;
            checks += ungraded * checks_per_run;
        }
    }
    (runs, checks)
}

/// Reliability of the repeated runs of one configuration. [`Run::succeeds`] defines success; a run
/// without a verdict takes no part.
#[derive(Clone, Debug, PartialEq)]
pub struct Reliability {
    /// The number of tries that the figures are for: the fewest graded runs of a case that counts.
    pub tries: usize,
    /// Cases with at least two graded runs: those that count.
    pub cases: usize,
    /// Cases left out, because they have one graded run.
    pub single: usize,
    /// Graded runs of the cases that count, and how many of them succeeded.
    pub runs: Share,
    /// The share of runs that succeed with its interval at 95 %; `None` for fewer than two cases.
    pub range: Option<CaseWilson>,
    /// pass@k: the expected share of cases in which at least one of these tries succeeds.
    pub once: f64,
    /// pass^k: the expected share of cases in which all of them succeed.
    pub always: f64,
    pub repeated: usize,
    /// Those that passed in some runs of a case and failed in others.
    pub flaky: usize,
}

impl Reliability {
    /// The reliability of `configuration`; `None` where no case has two graded runs.
    pub fn new(cases: &[Case], configuration: &str) -> Option<Self> {
        // Runs and successes of each case that counts.
        let mut counts: Vec<(u64, u64)> = Vec::new();
        let mut repeated: Vec<Statement<'_>> = Vec::new();
        let mut single = 0;
        for case in cases {
            let graded = case.graded_runs_of(configuration);
            let runs = graded.clone().count() as u64;
            // Whoever reruns the failed cases only leaves most cases with one run.
            single += usize::from(runs == 1);
            if runs > 1 {
                let passed = graded.filter(|run| Run::succeeds(run)).count() as u64;
                counts.push((runs, passed));
                let statements = statements(case, configuration).into_iter();
                repeated.extend(statements.filter(|statement| statement.runs() > 1));
            }
        }
        let tries = counts.iter().map(|(runs, _)| *runs).min()?;
        let [once, always] = mean_chances(&counts, tries)?;
        let runs = counts.iter().map(|(runs, _)| runs).sum();
        let passed = counts.iter().map(|(_, passed)| passed).sum();
        let rates: Vec<f64> = counts.iter().map(|count| count.1 as f64 / count.0 as f64).collect();
        Some(Self {
            tries: tries as usize,
            cases: counts.len(),
            single,
            runs: Share::new(passed, runs)?,
            range: CaseWilson::new(&rates, runs as usize),
            once,
            always,
            repeated: repeated.len(),
            flaky: repeated.iter().filter(|statement| statement.is_flaky()).count(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Reliability, mean_score};
    use crate::tests::workspaces::{case, run};
    use input::model::{Case, Run};
    use testing::gradings::verdicts;

    #[test]
    fn a_mean_score_needs_a_score_with_every_verdict() {
        let scored = |scores: &[Option<f64>]| {
            let mut run = run("v1", 1, verdicts(&"p".repeat(scores.len())));
            run.gradings[0].is_scored = true;
            for (check, score) in run.gradings[0].expectations.iter_mut().zip(scores) {
                check.score = *score;
            }
            run
        };
        let all: [&[&[Option<f64>]]; 2] =
            [&[&[Some(4.0), Some(5.0)], &[Some(3.5)]], &[&[Some(2.0)], &[]]];
        let all = all
            .map(|runs| case("a", runs.iter().map(|scores| scored(scores)).collect::<Vec<Run>>()));
        assert_eq!(mean_score(&all, "v1"), Some(3.0));
        assert_eq!(mean_score(&[case("a", vec![scored(&[Some(4.0), None])])], "v1"), None);
        assert_eq!(mean_score(&all, "v2"), None);
    }

    /// Each word is a case and each letter a run: `p` passes both checks, `f` fails one, `u` has no
    /// verdict.
    fn reliability_of(cases: &str) -> Option<Reliability> {
        let mut found: Vec<Case> = Vec::new();
        for letters in cases.split_whitespace() {
            let runs = letters.chars().map(|letter| match letter {
                'p' => run("s", 1, verdicts("pp")),
                'f' => run("s", 1, verdicts("pf")),
                _ => run("s", 1, verdicts("??")),
            });
            found.push(case("a", runs.collect()));
        }
        Reliability::new(&found, "s")
    }

    #[test]
    fn the_tries_are_those_that_every_case_has() {
        let actual = reliability_of("ppp pff fff").unwrap();
        assert_eq!((actual.tries, actual.cases, actual.single), (3, 3, 0));
        assert_eq!((actual.runs.passed(), actual.runs.total()), (4, 9));
        assert_eq!([actual.once, actual.always], [2.0 / 3.0, 1.0 / 3.0]);
        assert_eq!((actual.flaky, actual.repeated), (1, 6));
        let actual = reliability_of("ppf pp f u").unwrap();
        assert_eq!((actual.tries, actual.cases, actual.single), (2, 2, 1));
        // One of the three pairs of the first case is two passes.
        assert!((actual.always - (1.0 / 3.0 + 1.0) / 2.0).abs() < 1e-12);
        assert!((actual.once - 1.0).abs() < 1e-12);
        for cases in ["p f", "uuu pu", ""] {
            assert_eq!(reliability_of(cases), None, "{cases}");
        }
        assert_eq!(reliability_of("pp").unwrap().range, None);
    }
}
