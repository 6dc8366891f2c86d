//! What stands out in an iteration, most severe first: reasons to doubt the numbers, then points
//! against the candidate, then facts about the expectations.

use crate::analyze::expectations;
use crate::analyze::{ExpectationHistory, Roles, Usefulness};
use crate::model::{Case, Iteration, Run};
use crate::statistics::{
    CostRatio, Spread, log_ratios_to_median, mean, median, outliers, runaways,
};

/// The range of a case's runs from which on their mean says little.
const MIN_HIGH_RANGE: f64 = 0.5;

/// A cost ratio closer to 1 is not worth a note.
const MIN_COST_RATIO: f64 = 1.1;

/// From this many runs of a case on outliers are found by their robust z instead of the median.
const MIN_RUNS_FOR_ROBUST_Z: usize = 6;

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

pub(super) fn find_notes(iteration: &Iteration, roles: &Roles) -> Vec<Note> {
    let lines = expectations::iteration_expectations(iteration, roles);
    let sides = roles.candidates.first().zip(roles.baseline.as_ref());
    let used = |usefulness: Usefulness| statements(&lines, |line| line.usefulness == usefulness);
    let compared = lines.iter().filter(|line| line.is_compared()).count();
    let both = sides
        .into_iter()
        .flat_map(|(candidate, baseline)| [[baseline, candidate], [candidate, baseline]]);
    let mut notes: Vec<Option<Note>> = vec![ungraded(iteration)];
    notes.extend(both.map(|[has, lacks]| one_sided(iteration, has, lacks)));
    notes.extend([
        errors(iteration),
        no_output(iteration),
        used(Usefulness::FavorsBaseline)
            .map(|statements| Note::FavorsBaseline { statements, of: compared }),
        high_variance(iteration),
    ]);
    notes.extend(Resource::ALL.map(|resource| far_runs(iteration, resource)));
    if let Some((candidate, baseline)) = sides {
        notes
            .extend(Resource::ALL.map(|resource| cost(iteration, resource, [candidate, baseline])));
    }
    let flaky = statements(&lines, |line| line.is_flaky);
    notes.extend([
        used(Usefulness::Saturated).map(|statements| Note::Saturated { statements, of: compared }),
        used(Usefulness::Dead).map(|statements| Note::Dead { statements, of: compared }),
        flaky.map(|statements| Note::Flaky { statements, of: lines.len() }),
    ]);
    notes.into_iter().flatten().collect()
}

/// The runs that `matches`; `None` if there are none.
fn runs(iteration: &Iteration, matches: impl Fn(&Run) -> bool) -> Option<Vec<RunAt>> {
    let mut matching: Vec<RunAt> = Vec::new();
    for (at, case) in iteration.cases.iter().enumerate() {
        let meant = case.runs.iter().enumerate().filter(|(_, run)| matches(run));
        matching.extend(meant.map(|(run, _)| RunAt { case: at, run }));
    }
    (!matching.is_empty()).then_some(matching)
}

/// The statements that `matches`; `None` if there are none.
fn statements(
    lines: &[ExpectationHistory<'_>],
    matches: impl Fn(&ExpectationHistory<'_>) -> bool,
) -> Option<Vec<StatementAt>> {
    let statement = |line: &ExpectationHistory<'_>| StatementAt {
        case: line.case,
        key: line.key.to_string(),
        text: line.text.to_owned(),
    };
    let matching: Vec<StatementAt> =
        lines.iter().filter(|line| matches(line)).map(statement).collect();
    (!matching.is_empty()).then_some(matching)
}

fn ungraded(iteration: &Iteration) -> Option<Note> {
    let runs = runs(iteration, |run| !run.is_graded())?;
    Some(Note::Ungraded { runs, of: iteration.runs().count() })
}

/// The cases that `has` graded and `lacks` did not, if `lacks` graded any.
fn one_sided(iteration: &Iteration, has: &str, lacks: &str) -> Option<Note> {
    let is_graded = |case: &Case, name: &str| case.graded_runs_of(name).next().is_some();
    let mut cases: Vec<usize> = Vec::new();
    for (at, case) in iteration.cases.iter().enumerate() {
        if is_graded(case, has) && !is_graded(case, lacks) {
            cases.push(at);
        }
    }
    let is_noted = !cases.is_empty() && iteration.cases.iter().any(|case| is_graded(case, lacks));
    let (configuration, other) = (has.to_owned(), lacks.to_owned());
    is_noted.then_some(Note::OneSided { configuration, other, cases })
}

fn errors(iteration: &Iteration) -> Option<Note> {
    let errors = |run: &Run| run.metrics.errors.filter(|error| error.is_finite() && *error > 0.0);
    let runs = runs(iteration, |run| errors(run).is_some())?;
    Some(Note::Errors { runs, errors: iteration.runs().filter_map(errors).sum() })
}

/// `None` where a workspace keeps no outputs at all, which says nothing about its runs.
fn no_output(iteration: &Iteration) -> Option<Note> {
    let has_output = |run: &Run| run.outputs.iter().any(|output| output.bytes > 0);
    let runs = runs(iteration, |run| run.is_graded() && !has_output(run))?;
    let of = iteration.runs().filter(|run| run.is_graded()).count();
    iteration.runs().any(has_output).then_some(Note::NoOutput { runs, of })
}

/// The graded runs of each case by configuration, with their index in the case.
fn groups(iteration: &Iteration) -> impl Iterator<Item = (usize, &str, Vec<(usize, &Run)>)> {
    let cases = iteration.cases.iter().enumerate();
    cases.flat_map(|(at, case)| {
        iteration.configurations.iter().map(move |name| {
            let runs = case.runs.iter().enumerate();
            let graded = runs.filter(|(_, run)| run.configuration == *name && run.is_graded());
            (at, name.as_str(), graded.collect())
        })
    })
}

fn high_variance(iteration: &Iteration) -> Option<Note> {
    let mut cases: Vec<VaryingCase> = Vec::new();
    for (case, name, runs) in groups(iteration) {
        let rates: Vec<f64> = runs.iter().filter_map(|(_, run)| run.tally().pass_rate()).collect();
        let Some(Spread { min: least, max: most, .. }) = Spread::new(&rates) else { continue };
        if most - least >= MIN_HIGH_RANGE {
            cases.push(VaryingCase { case, configuration: name.to_owned(), least, most });
        }
    }
    cases.sort_by(|a, b| (b.most - b.least).total_cmp(&(a.most - a.least)));
    (!cases.is_empty()).then_some(Note::HighVariance { cases })
}

/// The runs far above the others of their case and configuration: beyond a robust z where there are
/// many, else more than twice the median, and of two runs more than three times the other.
fn far_runs(iteration: &Iteration, resource: Resource) -> Option<Note> {
    let mut outlying: Vec<Runaway> = Vec::new();
    for (case, _, runs) in groups(iteration) {
        let costs: Vec<(usize, f64)> =
            runs.iter().filter_map(|(at, run)| Some((*at, resource.cost(run)?))).collect();
        let values: Vec<f64> = costs.iter().map(|(_, cost)| *cost).collect();
        let Some(centre) = median(&values) else { continue };
        let far = match values.len() < MIN_RUNS_FOR_ROBUST_Z {
            true => runaways(&values),
            false => outliers(&log_ratios_to_median(&values).unwrap_or_default()),
        };
        for at in far.into_iter().filter(|at| values[*at] > centre) {
            let usual = if values.len() == 2 { values[1 - at] } else { centre };
            let (factor, of) = (values[at] / usual, values.len());
            outlying.push(Runaway { at: RunAt { case, run: costs[at].0 }, factor, of });
        }
    }
    outlying.sort_by(|a, b| b.factor.total_cmp(&a.factor));
    (!outlying.is_empty()).then_some(Note::Runaways { resource, runs: outlying })
}

/// The candidate's cost as a multiple of the baseline's, by case. `None` where it is near 1, no
/// case has both, or the interval includes 1: then no difference is shown.
fn cost(iteration: &Iteration, resource: Resource, sides: [&String; 2]) -> Option<Note> {
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for case in &iteration.cases {
        let [ours, theirs] = sides.map(|name| {
            let costs = case.graded_runs_of(name).filter_map(|run| resource.cost(run));
            mean(&costs.collect::<Vec<_>>())
        });
        pairs.extend(ours.zip(theirs));
    }
    let ratio = CostRatio::new(&pairs)?;
    let is_far =
        ratio.geometric_mean >= MIN_COST_RATIO || ratio.geometric_mean <= 1.0 / MIN_COST_RATIO;
    let is_shown = ratio.interval.is_none_or(|interval| interval.low > 1.0 || interval.high < 1.0);
    (is_far && is_shown).then_some(Note::Cost { resource, ratio })
}

#[cfg(test)]
mod tests;
