//! Predicts the decision of `check_regression_gates.py`, to report where it differs. It takes the
//! first configuration of `benchmark.json`, in folder order, for the candidate and the second for
//! the baseline. A run without a grading passed nothing, and missing values are 0.

use std::collections::BTreeSet;

use crate::gate::{Resource, Rule};
use crate::model::{Case, Iteration, Run};
use crate::settings::CostLimit;

/// Candidate minus baseline, as the script sees them: mean pass rate, seconds and tokens.
pub(super) type Differences = [f64; 3];

pub(super) fn passes([rate, seconds, tokens]: Differences, rule: Rule) -> bool {
    match rule {
        Rule::MinGain(least) => rate >= least,
        Rule::MaxIncrease(Resource::Time, CostLimit::Amount(most)) => seconds <= most,
        Rule::MaxIncrease(Resource::Tokens, CostLimit::Amount(most)) => tokens <= most,
        _ => true,
    }
}

/// The differences that the script reads for `iteration`: from its benchmark, else the one its
/// aggregator would write. `None` if the script stops with an error.
pub(super) fn differences(iteration: &Iteration) -> Option<Differences> {
    let mut benchmarks = iteration.benchmarks.iter();
    let means: Vec<[f64; 3]> =
        match benchmarks.find(|benchmark| !benchmark.configurations.is_empty()) {
            Some(benchmark) => {
                let first = benchmark.configurations.iter().take(2);
                let means = first
                    .map(|one| Some([one.pass_rate.mean?, one.time_s.mean?, one.tokens.mean?]));
                means.collect::<Option<_>>()?
            }
            None => configurations_in_order(iteration)
                .into_iter()
                .take(2)
                .map(|name| means(iteration, name))
                .collect(),
        };
    let [first, second] = means[..] else { return None };
    Some(std::array::from_fn(|at| first[at] - second[at]))
}

/// The configurations in the order of the aggregator: cases by folder, then names by bytes.
fn configurations_in_order(iteration: &Iteration) -> Vec<&str> {
    let mut cases: Vec<&Case> = iteration.cases.iter().collect();
    cases.sort_by(|a, b| a.folder.cmp(&b.folder));
    let mut names: Vec<&str> = Vec::new();
    for case in cases {
        let in_case: BTreeSet<&str> =
            case.runs.iter().map(|run| run.configuration.as_str()).collect();
        let new: Vec<&str> = in_case.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(new);
    }
    names
}

fn means(iteration: &Iteration, name: &str) -> [f64; 3] {
    let runs: Vec<&Run> = iteration.runs().filter(|run| run.configuration == name).collect();
    let figures: [fn(&Run) -> Option<f64>; 3] = [
        |run| run.tally().pass_rate(),
        |run| run.metrics.duration_s,
        |run| run.metrics.tokens.or(run.metrics.output_chars),
    ];
    figures.map(|figure| {
        let sum: f64 = runs.iter().map(|run| figure(run).unwrap_or(0.0)).sum();
        sum / runs.len().max(1) as f64
    })
}
