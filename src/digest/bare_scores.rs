//! Scores without a verdict: no file says which score passes, so nobody can count them as checks.

use crate::analyze::Analysis;
use input::model::{Case, Outcome, Run, Workspace, mean};

/// The mean scores of the newest iteration with such scores.
pub(crate) struct BareScores<'a> {
    /// Each configuration with its mean over the cases that all have, candidates first; empty where
    /// scales differ.
    pub(crate) sides: Vec<(&'a str, f64)>,
    /// Candidate minus baseline; `None` unless there are these two.
    pub(crate) difference: Option<f64>,
}

/// The scores of the runs; `None` where none has one without a verdict.
pub(crate) fn bare_scores<'a>(
    workspace: &Workspace,
    analysis: &'a Analysis,
) -> Option<BareScores<'a>> {
    let newest = workspace
        .iterations
        .iter()
        .rposition(|iteration| iteration.runs().any(|run| !scores(run).is_empty()))?;
    let iteration = &workspace.iterations[newest];
    let all: Vec<f64> = iteration.runs().flat_map(scores).collect();
    // Shares and points of 5 or 100 have no common mean.
    let is_one_scale = all.iter().all(|score| *score <= 1.0)
        || all.iter().all(|score| *score == 0.0 || *score >= 1.0);
    let mut sides = Vec::new();
    if is_one_scale {
        let roles = &analysis.iterations[newest].roles;
        let names: Vec<&str> = roles
            .order()
            .filter(|name| iteration.cases.iter().any(|case| case_mean(case, name).is_some()))
            .collect();
        let shared: Vec<&Case> = iteration
            .cases
            .iter()
            .filter(|case| names.iter().all(|name| case_mean(case, name).is_some()))
            .collect();
        for name in names {
            let means = shared.iter().filter_map(|case| case_mean(case, name));
            sides.extend(mean(means).map(|mean| (name, mean)));
        }
    }
    let baseline = analysis.iterations[newest].roles.baseline.as_deref();
    let difference = match *sides {
        [(_, candidate), (other, score)] if baseline == Some(other) => Some(candidate - score),
        _ => None,
    };
    Some(BareScores { sides, difference })
}

fn case_mean(case: &Case, name: &str) -> Option<f64> {
    let runs = case.runs.iter().filter(|run| run.configuration == name);
    mean(runs.filter_map(|run| mean(scores(run))))
}

fn scores(run: &Run) -> Vec<f64> {
    let open = run.expectations().iter().filter(|check| check.outcome == Outcome::Ungraded);
    open.filter_map(|check| check.score.or(check.score_outside)).collect()
}
