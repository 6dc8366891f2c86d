//! What `check_regression_gates.py` would decide, to say where it differs. It takes the first
//! configuration of `benchmark.json`, in the order of folders, for the candidate and the second for
//! the baseline. A run without a grading passed nothing, and what was not recorded is 0.

use std::collections::BTreeSet;

use crate::gate::{Resource, Rule};
use crate::model::{Case, Iteration, Run};
use crate::settings::Limit;

/// Mean pass rate, seconds and tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Means {
    rate: f64,
    seconds: f64,
    tokens: f64,
}

/// What the script takes for the candidate and for the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Script {
    first: Means,
    second: Means,
}

impl Script {
    pub(super) fn passes(&self, rule: Rule) -> bool {
        let Self { first, second } = self;
        match rule {
            Rule::MinGain(least) => first.rate - second.rate >= least,
            Rule::MaxIncrease(Resource::Time, Limit::Amount(most)) => {
                first.seconds - second.seconds <= most
            }
            Rule::MaxIncrease(Resource::Tokens, Limit::Amount(most)) => {
                first.tokens - second.tokens <= most
            }
            _ => true,
        }
    }
}

/// What the script reads of `iteration`: its benchmark, else the one its aggregator would write.
/// `None` where the script stops with an error.
pub(super) fn means(iteration: &Iteration) -> Option<Script> {
    match iteration.benchmarks.iter().find(|benchmark| !benchmark.configurations.is_empty()) {
        Some(benchmark) => {
            let mut configurations = benchmark.configurations.iter();
            let mut next = || {
                let found = configurations.next()?;
                Some(Means {
                    rate: found.pass_rate.mean?,
                    seconds: found.time_s.mean?,
                    tokens: found.tokens.mean?,
                })
            };
            Some(Script { first: next()?, second: next()? })
        }
        None => {
            let names = in_order(iteration);
            let [first, second, ..] = names[..] else { return None };
            Some(Script { first: of_runs(iteration, first), second: of_runs(iteration, second) })
        }
    }
}

/// The configurations as the aggregator meets them: cases by folder, names in byte order in each.
fn in_order(iteration: &Iteration) -> Vec<&str> {
    let mut cases: Vec<&Case> = iteration.cases.iter().collect();
    cases.sort_by(|a, b| a.folder.cmp(&b.folder));
    let mut names: Vec<&str> = Vec::new();
    for case in cases {
        let of_case: BTreeSet<&str> =
            case.runs.iter().map(|run| run.configuration.as_str()).collect();
        let new: Vec<&str> = of_case.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(new);
    }
    names
}

fn of_runs(iteration: &Iteration, name: &str) -> Means {
    let runs: Vec<&Run> = iteration.runs().filter(|run| run.configuration == name).collect();
    let mean = |figure: fn(&Run) -> Option<f64>| {
        let sum: f64 = runs.iter().map(|run| figure(run).unwrap_or(0.0)).sum();
        sum / runs.len().max(1) as f64
    };
    Means {
        rate: mean(|run| run.tally().pass_rate()),
        seconds: mean(|run| run.metrics.duration_s),
        tokens: mean(|run| run.metrics.tokens.or(run.metrics.output_chars)),
    }
}
