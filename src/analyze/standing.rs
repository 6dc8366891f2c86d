//! Which sides lead: the newest, its candidates, what was before; and the verdicts of a side.

use crate::analyze::IterationAnalysis;
use crate::analyze::flips::Side;
use crate::analyze::{Analysis, CaseLine};
use crate::model::{Case, Run, Tally, Workspace};
use crate::statistics::mean;

impl Analysis {
    /// The newest iteration whose candidate has verdicts; `None` when nothing was graded.
    pub fn newest(&self) -> Option<usize> {
        self.last(|iteration| iteration.candidate().is_some_and(|found| found.tally.graded() > 0))
    }

    /// The last iteration that is `meant`, before those that are references.
    fn last(&self, meant: impl Fn(&IterationAnalysis) -> bool) -> Option<usize> {
        let mut iterations = self.iterations.iter();
        let own = iterations.rposition(|iteration| !iteration.is_reference && meant(iteration));
        own.or_else(|| self.iterations.iter().rposition(meant))
    }

    /// The newest iteration that a candidate has runs of, with verdicts or without; `None` when
    /// nothing was run. It is later than [`Self::newest`] where its runs have no verdict yet.
    pub fn newest_run(&self) -> Option<usize> {
        self.last(|iteration| iteration.candidates().any(|found| found.runs > 0))
    }

    pub fn newest_candidate(&self) -> Option<Side> {
        self.candidate_of(self.newest()?)
    }

    /// The candidate of one iteration; `None` where nothing is a candidate.
    pub fn candidate_of(&self, iteration: usize) -> Option<Side> {
        Some(Side::new(iteration, &self.iterations[iteration].candidate()?.name))
    }

    /// Every candidate of one iteration that has runs, the one that stands for it first.
    pub fn candidates_of(&self, iteration: usize) -> impl Iterator<Item = Side> {
        let ran = self.iterations[iteration].candidates().filter(|found| found.runs > 0);
        ran.map(move |found| Side::new(iteration, &found.name))
    }

    /// The same configuration in the iteration before: see [`previous_iteration`].
    pub fn previous(&self, side: &Side) -> Option<Side> {
        let iteration = previous_iteration(&self.iterations, side)?;
        Some(Side::new(iteration, &side.configuration))
    }

    /// The baseline of the same iteration; `None` for the baseline itself.
    pub fn opposite(&self, side: &Side) -> Option<Side> {
        let analysis = &self.iterations[side.iteration];
        let baseline = analysis.roles.baseline_of(&side.configuration)?;
        analysis.configuration(baseline).map(|found| Side::new(side.iteration, &found.name))
    }
}

/// The last earlier iteration that graded the configuration of `side` on the same models, as far as
/// they are recorded; else the last one that graded it.
pub(super) fn previous_iteration(iterations: &[IterationAnalysis], side: &Side) -> Option<usize> {
    let name = &side.configuration;
    let earlier = &iterations[..side.iteration];
    let own = iterations[side.iteration].configuration(name)?;
    let is_alike = |analysis: &IterationAnalysis| {
        analysis
            .configuration(name)
            .is_some_and(|configuration| configuration.conditions.has_same_models(&own.conditions))
    };
    let alike = earlier.iter().rposition(|earlier| earlier.is_graded(name) && is_alike(earlier));
    alike.or_else(|| earlier.iter().rposition(|earlier| earlier.is_graded(name)))
}

pub fn tally(workspace: &Workspace, line: &CaseLine, side: &Side) -> Tally {
    line.runs(workspace, side).map(Run::tally).sum()
}

pub fn tally_of(case: &Case, configuration: &str) -> Tally {
    case.runs_of(configuration).map(Run::tally).sum()
}

/// What a case counts for in every level and gain: the mean pass rate of the graded runs of one
/// configuration, in 0..=1, however many checks each has. `None` without a verdict.
pub(super) fn case_rate(case: &Case, configuration: &str) -> Option<f64> {
    let rates = case.runs_of(configuration).filter_map(|run| run.tally().pass_rate());
    mean(&rates.collect::<Vec<_>>())
}
