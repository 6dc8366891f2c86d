//! The answer of a workspace: did it get better, by how much, how sure, at what cost.

use crate::analyze::{Analysis, Change, ConfigurationSummary, Side};
use crate::digest::figures::has_costs;
use crate::model::{Iteration, RecordedBenchmark, RecordedRun, Workspace};

/// What the iteration of a candidate says.
pub(crate) struct Headline<'a> {
    pub(crate) candidate: &'a ConfigurationSummary,
    pub(crate) iteration: &'a Iteration,
    /// What stands for the iteration; `None` where there is nothing to compare with.
    pub(crate) lead: Option<&'a Change>,
    /// Runs of the candidate that stopped with an error, and all of them.
    pub(crate) errors: (usize, usize),
    /// The other candidates that have verdicts.
    pub(crate) others: Vec<&'a ConfigurationSummary>,
    pub(crate) ungraded: Vec<&'a ConfigurationSummary>,
    /// The benchmark that records what the runs do not: what they cost. Its numbers are none of
    /// ours, as writers of such files take characters for tokens and 0 for what is missing.
    pub(crate) recorded_costs: Option<&'a RecordedBenchmark>,
}

impl<'a> Headline<'a> {
    /// What the candidate `after` says, compared as `lead` does; `None` where there is no such side.
    pub(crate) fn new(
        workspace: &'a Workspace,
        analysis: &'a Analysis,
        after: &Side,
        lead: Option<&'a Change>,
    ) -> Option<Self> {
        let found = &analysis.iterations[after.iteration];
        let iteration = &workspace.iterations[after.iteration];
        let candidate = analysis.summary(after)?;
        let others = found.candidates().filter(|other| other.name != candidate.name);
        let ungraded = found.candidates().filter(|candidate| candidate.name != after.configuration);
        let is_unknown = lead.is_some_and(|lead| lead.gain.paired.is_some() && !has_costs(lead));
        let benchmark = iteration.benchmarks.iter().find(|benchmark| records_costs(benchmark));
        let runs = || iteration.cases.iter().flat_map(|case| case.runs_of(&candidate.name));
        let errors = runs().filter(|run| run.error.is_some()).count();
        Some(Self {
            candidate,
            errors: (errors, runs().count()),
            iteration,
            lead,
            others: others.filter(|other| other.tally.graded() > 0).collect(),
            ungraded: ungraded.filter(|ungraded| ungraded.tally.graded() == 0).collect(),
            recorded_costs: benchmark.filter(|_| is_unknown),
        })
    }
}

/// The last iteration, where it is newer than the newest one that is graded.
pub(crate) fn newer_iteration<'a>(
    workspace: &'a Workspace,
    analysis: &Analysis,
) -> Option<&'a Iteration> {
    let rounds = workspace.iterations.iter().zip(&analysis.iterations);
    let mut newer = rounds.skip(analysis.newest()? + 1).rev();
    newer
        .find(|(iteration, found)| iteration.is_round() && !found.is_reference)
        .map(|(iteration, _)| iteration)
}

/// Whether a benchmark states time or tokens of any run or configuration.
fn records_costs(benchmark: &RecordedBenchmark) -> bool {
    let is_there = |value: Option<f64>| value.is_some_and(|value| value > 0.0);
    let mut runs = benchmark.listed.iter().map(RecordedRun::metrics);
    let mut all = benchmark.configurations.iter();
    runs.any(|run| is_there(run.duration_s) || is_there(run.tokens))
        || all.any(|summary| is_there(summary.time_s.mean) || is_there(summary.tokens.mean))
}
