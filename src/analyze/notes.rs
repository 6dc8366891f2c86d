//! What stands out in an iteration, most severe first: reasons to doubt the numbers, then points
//! against the candidate, then facts about the expectations.

use crate::analyze::change::implausible;
use crate::analyze::expectations;
use crate::analyze::expectations::JudgedCheck;
use crate::analyze::{Roles, Usefulness};
use input::model::{Case, Iteration, Run};
use statistics::{CostRatio, Spread, median, runaways, usual_cost};

/// The range of a case's runs from which on their mean says little.
const HIGH_RANGE: f64 = 0.5;

/// A cost ratio closer to 1 is not worth a note.
const NOTED_COST_RATIO: f64 = 1.1;

/// A run, by the index of its case in the iteration and its own in the case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunAt {
    pub case: usize,
    pub run: usize,
}

/// A statement, by the index of its case in the iteration and by its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementAt {
    pub case: usize,
    pub key: String,
    pub text: String,
}

impl StatementAt {
    fn new(check: &JudgedCheck<'_>) -> Self {
        Self { case: check.case, key: check.key.to_string(), text: check.text.to_owned() }
    }
}

/// A case whose runs under one configuration have very different pass rates.
#[derive(Clone, Debug, PartialEq)]
pub struct VaryingCase {
    pub case: usize,
    pub configuration: String,
    pub least: f64,
    pub most: f64,
}

/// A run that cost far more than the others of its case and configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Runaway {
    pub at: RunAt,
    /// Its cost as a multiple of their median, or of the other run where there are two.
    pub factor: f64,
    /// Number of runs compared, this one included.
    pub of: usize,
}

/// A cost of a run: tokens or seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Tokens,
    Time,
}

impl Resource {
    const ALL: [Self; 2] = [Self::Tokens, Self::Time];

    /// The cost of `run`; 0 counts as missing.
    fn cost(self, run: &Run) -> Option<f64> {
        let cost = match self {
            Self::Tokens => run.metrics.tokens,
            Self::Time => run.metrics.duration_s,
        };
        cost.filter(|cost| cost.is_finite() && *cost > 0.0)
    }
}

/// A fact that stands out. `of` is the number of runs or statements examined.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    Ungraded {
        runs: Vec<RunAt>,
        of: usize,
    },
    /// Cases with verdicts under only one of candidate and baseline.
    OneSided {
        configuration: String,
        other: String,
        cases: Vec<usize>,
    },
    /// Runs with errors on the way.
    Errors {
        runs: Vec<RunAt>,
        errors: f64,
    },
    /// Graded runs that left no file, or only empty ones, though others left some.
    NoOutput {
        runs: Vec<RunAt>,
        of: usize,
    },
    /// Statements that the baseline passes more often than the candidate.
    FavorsBaseline {
        statements: Vec<StatementAt>,
        of: usize,
    },
    /// Cases whose runs disagree under one configuration.
    HighVariance {
        cases: Vec<VaryingCase>,
    },
    /// Runs that cost far more than the others of their case.
    Runaways {
        resource: Resource,
        runs: Vec<Runaway>,
    },
    /// The candidate's cost as a multiple of the baseline's.
    Cost {
        resource: Resource,
        ratio: CostRatio,
    },
    /// Statements that passed in every run of both sides.
    Saturated {
        statements: Vec<StatementAt>,
        of: usize,
    },
    /// Statements that failed in every run of both sides.
    Dead {
        statements: Vec<StatementAt>,
        of: usize,
    },
    /// Statements that passed in some runs of a configuration and failed in others.
    Flaky {
        statements: Vec<StatementAt>,
        of: usize,
    },
}

// The analyzer of the skill-creator, a model, is asked for these patterns; here they are counted.
pub(super) fn find_notes(iteration: &Iteration, roles: &Roles) -> Vec<Note> {
    let checks = expectations::judged_checks(iteration, roles);
    let of = checks.iter().filter(|check| check.usefulness.is_compared()).count();
    let mut notes = Vec::new();
    notes.extend(ungraded(iteration));
    let sides = roles.candidates.first().zip(roles.baseline.as_ref());
    if let Some((candidate, baseline)) = sides {
        notes.extend(one_sided(iteration, baseline, candidate));
        notes.extend(one_sided(iteration, candidate, baseline));
    }
    notes.extend(errors(iteration));
    notes.extend(no_output(iteration));
    let favors_baseline = statements_of(&checks, Usefulness::Hurts);
    if !favors_baseline.is_empty() {
        notes.push(Note::FavorsBaseline { statements: favors_baseline, of });
    }
    notes.extend(high_variance(iteration));
    for resource in Resource::ALL {
        notes.extend(far_runs(iteration, resource));
    }
    if let Some((candidate, baseline)) = sides {
        for resource in Resource::ALL {
            notes.extend(cost(iteration, resource, candidate, baseline));
        }
    }
    let saturated = statements_of(&checks, Usefulness::AlwaysPasses);
    if !saturated.is_empty() {
        notes.push(Note::Saturated { statements: saturated, of });
    }
    let dead = statements_of(&checks, Usefulness::AlwaysFails);
    if !dead.is_empty() {
        notes.push(Note::Dead { statements: dead, of });
    }
    let flaky: Vec<StatementAt> =
        checks.iter().filter(|check| check.is_flaky).map(StatementAt::new).collect();
    if !flaky.is_empty() {
        notes.push(Note::Flaky { statements: flaky, of: checks.len() });
    }
    notes
}

fn statements_of(checks: &[JudgedCheck<'_>], usefulness: Usefulness) -> Vec<StatementAt> {
    checks.iter().filter(|check| check.usefulness == usefulness).map(StatementAt::new).collect()
}

fn runs_that(iteration: &Iteration, is_meant: impl Fn(&Run) -> bool) -> Vec<RunAt> {
    let mut runs = Vec::new();
    for (case, found) in iteration.cases.iter().enumerate() {
        for (run, found) in found.runs.iter().enumerate() {
            if is_meant(found) {
                runs.push(RunAt { case, run });
            }
        }
    }
    runs
}

fn ungraded(iteration: &Iteration) -> Option<Note> {
    let runs = runs_that(iteration, |run| !run.is_graded());
    if runs.is_empty() {
        return None;
    }
    Some(Note::Ungraded { runs, of: iteration.runs().count() })
}

/// The cases that `has` graded and `lacks` did not, if `lacks` graded any.
fn one_sided(iteration: &Iteration, has: &str, lacks: &str) -> Option<Note> {
    let mut cases = Vec::new();
    let mut is_lacking_everywhere = true;
    for (at, case) in iteration.cases.iter().enumerate() {
        if is_graded(case, lacks) {
            is_lacking_everywhere = false;
        } else if is_graded(case, has) {
            cases.push(at);
        }
    }
    // A side without any verdict is the news of the overview, not of each case.
    if cases.is_empty() || is_lacking_everywhere {
        return None;
    }
    Some(Note::OneSided { configuration: has.to_owned(), other: lacks.to_owned(), cases })
}

fn is_graded(case: &Case, configuration: &str) -> bool {
    case.graded_runs_of(configuration).next().is_some()
}

fn errors(iteration: &Iteration) -> Option<Note> {
    let runs = runs_that(iteration, |run| number_of_errors(run) > 0.0);
    if runs.is_empty() {
        return None;
    }
    Some(Note::Errors { runs, errors: iteration.runs().map(number_of_errors).sum() })
}

fn number_of_errors(run: &Run) -> f64 {
    run.metrics.errors.filter(|errors| errors.is_finite() && *errors > 0.0).unwrap_or(0.0)
}

/// `None` where a workspace keeps no outputs at all, which says nothing about its runs.
fn no_output(iteration: &Iteration) -> Option<Note> {
    let runs = runs_that(iteration, |run| run.is_graded() && !has_output(run));
    if runs.is_empty() || !iteration.runs().any(has_output) {
        return None;
    }
    Some(Note::NoOutput { runs, of: iteration.runs().filter(|run| run.is_graded()).count() })
}

fn has_output(run: &Run) -> bool {
    run.outputs.iter().any(|output| output.bytes > 0)
}

/// The graded runs of one case and configuration.
struct RunGroup<'w> {
    /// Index of the case.
    case: usize,
    configuration: &'w str,
    /// With their indices in the case.
    runs: Vec<(usize, &'w Run)>,
}

fn run_groups(iteration: &Iteration) -> Vec<RunGroup<'_>> {
    let mut groups = Vec::new();
    for (index, case) in iteration.cases.iter().enumerate() {
        for configuration in &iteration.configurations {
            let runs = case.runs.iter().enumerate();
            let graded =
                runs.filter(|(_, run)| run.configuration == *configuration && run.is_graded());
            groups.push(RunGroup { case: index, configuration, runs: graded.collect() });
        }
    }
    groups
}

fn high_variance(iteration: &Iteration) -> Option<Note> {
    let mut cases: Vec<VaryingCase> = Vec::new();
    for RunGroup { case, configuration, runs } in run_groups(iteration) {
        let rates: Vec<f64> = runs.iter().filter_map(|(_, run)| run.tally().pass_rate()).collect();
        let Some(Spread { min: least, max: most, .. }) = Spread::new(&rates) else { continue };
        // Half of the checks of a case passing now and then makes its mean say little.
        if most - least >= HIGH_RANGE {
            cases.push(VaryingCase { case, configuration: configuration.to_owned(), least, most });
        }
    }
    if cases.is_empty() {
        return None;
    }
    cases.sort_by(|a, b| (b.most - b.least).total_cmp(&(a.most - a.least)));
    Some(Note::HighVariance { cases })
}

/// The runs far above the others of their case and configuration: more than twice the median, and of
/// two runs more than three times the other.
fn far_runs(iteration: &Iteration, resource: Resource) -> Option<Note> {
    let mut outlying: Vec<Runaway> = Vec::new();
    for RunGroup { case, runs, .. } in run_groups(iteration) {
        let costs: Vec<(usize, f64)> =
            runs.iter().filter_map(|(at, run)| Some((*at, resource.cost(run)?))).collect();
        let values: Vec<f64> = costs.iter().map(|(_, cost)| *cost).collect();
        let Some(center) = median(&values) else { continue };
        for at in runaways(&values) {
            // The median of two runs lies between them, so it is no usual cost.
            let usual = if values.len() == 2 { values[1 - at] } else { center };
            let run = RunAt { case, run: costs[at].0 };
            outlying.push(Runaway { at: run, factor: values[at] / usual, of: values.len() });
        }
    }
    if outlying.is_empty() {
        return None;
    }
    outlying.sort_by(|a, b| b.factor.total_cmp(&a.factor));
    Some(Note::Runaways { resource, runs: outlying })
}

/// The candidate's cost as a multiple of the baseline's, by case. `None` where it is near 1, no
/// case has both, or the interval includes 1: then no difference is shown.
fn cost(
    iteration: &Iteration,
    resource: Resource,
    candidate: &str,
    baseline: &str,
) -> Option<Note> {
    let [tokens, times] = implausible(&iteration.cases, [baseline, candidate]);
    let found = if resource == Resource::Tokens { tokens } else { times };
    if found.is_some() {
        return None;
    }
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for case in &iteration.cases {
        let candidate = usual_cost_of(case, candidate, resource);
        pairs.extend(candidate.zip(usual_cost_of(case, baseline, resource)));
    }
    let ratio = CostRatio::new(&pairs)?;
    let is_far =
        ratio.geometric_mean >= NOTED_COST_RATIO || ratio.geometric_mean <= 1.0 / NOTED_COST_RATIO;
    let includes_1 = ratio.interval.is_some_and(|range| range.low <= 1.0 && range.high >= 1.0);
    if !is_far || includes_1 {
        return None;
    }
    Some(Note::Cost { resource, ratio })
}

fn usual_cost_of(case: &Case, configuration: &str, resource: Resource) -> Option<f64> {
    let runs = case.graded_runs_of(configuration);
    usual_cost(&runs.filter_map(|run| resource.cost(run)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests;
