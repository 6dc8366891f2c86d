//! The runs of an iteration in output order, and summaries of them.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{ConfigurationSummary, IterationAnalysis, RecordedMeasure};
use input::model::{Case, Iteration, Run, Tally};
use statistics::Spread;

pub(super) const MISSING: &str = "—";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EvalId<'a> {
    /// A recorded id that is an integer.
    Number(i64),
    /// Any other recorded id, or the name of the case's folder.
    Text(&'a str),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Eval<'a> {
    /// The recorded id if it is unique, else the folder's name; `None` if the case has neither. The
    /// viewer averages all runs with one id in one table, so a shared id would mix two cases.
    pub(super) id: Option<EvalId<'a>>,
    pub(super) case: &'a Case,
}

pub(super) fn evals(iteration: &Iteration) -> Vec<Eval<'_>> {
    let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
    for id in iteration.cases.iter().filter_map(|case| case.id.as_deref()) {
        *uses.entry(id).or_default() += 1;
    }
    let mut evals = Vec::new();
    for case in iteration.cases.iter().filter(|case| !case.runs.is_empty()) {
        evals.push(Eval { id: eval_id(case, &uses), case });
    }
    evals
}

/// The ids of `evals` without duplicates: numbers first, then texts.
pub(super) fn ids<'a>(evals: &[Eval<'a>]) -> Vec<EvalId<'a>> {
    let ids: BTreeSet<EvalId<'a>> = evals.iter().filter_map(|eval| eval.id).collect();
    ids.into_iter().collect()
}

fn eval_id<'a>(case: &'a Case, uses: &BTreeMap<&str, usize>) -> Option<EvalId<'a>> {
    let Some(id) = case.id.as_deref().filter(|id| uses[id] == 1) else {
        return if case.folder.is_empty() { None } else { Some(EvalId::Text(&case.folder)) };
    };
    match id.parse::<i64>() {
        // Only a number if its text is the same: `007` stays a text.
        Ok(number) if number.to_string() == id => Some(EvalId::Number(number)),
        _ => Some(EvalId::Text(id)),
    }
}

/// All runs: candidates before the baseline, then by case, then by number.
pub(super) fn entries<'a>(
    evals: &[Eval<'a>],
    analysis: &'a IterationAnalysis,
) -> impl Iterator<Item = (Eval<'a>, &'a Run)> {
    analysis.roles.order().flat_map(|name| {
        evals.iter().flat_map(move |eval| eval.case.runs_of(name).map(|run| (*eval, run)))
    })
}

/// Candidate and baseline first: the gate script and the viewer compare the first two and know no
/// roles.
pub(super) fn ordered(analysis: &IterationAnalysis) -> Vec<&ConfigurationSummary> {
    let mut ordered = Vec::from_iter(analysis.candidate());
    ordered.extend(analysis.baseline());
    for other in &analysis.configurations {
        if ordered.iter().all(|summary| summary.name != other.name) {
            ordered.push(other);
        }
    }
    ordered
}

/// A candidate and its baseline.
pub(super) type SummaryPair<'a> = (&'a ConfigurationSummary, &'a ConfigurationSummary);

/// All candidates with the baseline; empty if no baseline is named.
pub(super) fn pairs(analysis: &IterationAnalysis) -> Vec<SummaryPair<'_>> {
    let Some(baseline) = analysis.baseline() else { return Vec::new() };
    let others = analysis.configurations.iter().filter(|other| other.name != baseline.name);
    others.map(|candidate| (candidate, baseline)).collect()
}

/// Fewest and most runs of a case in a configuration, among those with any.
pub(crate) fn runs_per_case(iteration: &Iteration) -> Option<(usize, usize)> {
    let mut counts: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (index, case) in iteration.cases.iter().enumerate() {
        for run in &case.runs {
            *counts.entry((index, &run.configuration)).or_default() += 1;
        }
    }
    Some((*counts.values().min()?, *counts.values().max()?))
}

pub(super) fn share(tally: Tally) -> Option<String> {
    if tally.graded() == 0 {
        return None;
    }
    Some(format!("{}/{}", tally.passed, tally.graded()))
}

pub(super) fn models(iteration: &Iteration) -> BTreeMap<Option<&str>, usize> {
    let mut models = BTreeMap::new();
    for run in iteration.runs() {
        *models.entry(run.metrics.model.as_deref()).or_default() += 1;
    }
    models
}

pub(super) fn only_model(iteration: &Iteration) -> Option<&str> {
    let models = models(iteration);
    if models.len() == 1 { models.into_keys().next().flatten() } else { None }
}

impl RecordedMeasure {
    /// `None` if no run recorded it, or the sum is too large.
    pub(super) fn spread(self, summary: &ConfigurationSummary) -> Option<Spread> {
        match self {
            Self::PassRate => summary.pass_rate,
            Self::Time => summary.duration_s,
            Self::Tokens => summary.tokens,
        }
    }

    /// Mean of `candidate` minus mean of `baseline`, unrounded; `None` if either is missing.
    pub(super) fn change(self, (candidate, baseline): SummaryPair<'_>) -> Option<f64> {
        let change = self.spread(candidate)?.mean - self.spread(baseline)?.mean;
        if change.is_finite() { Some(change) } else { None }
    }
}
