//! How every case of an iteration compares with the iteration before, for its candidate; what to
//! fix next: what the candidate failed and why, and the graders' advice.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analyze::{Analysis, FlipKind, Flips, Side, key};
use crate::digest::changes::FlipCache;
use crate::model::{Case, Outcome, Run, Tally};

pub(crate) struct IterationProgress<'a> {
    /// The candidate of the iteration; `None` where nothing is a candidate.
    pub(crate) after: Option<Side>,
    /// The same configuration in the last earlier iteration that graded it.
    pub(crate) before: Option<Side>,
    /// What changed since; `None` where there is nothing before.
    pub(crate) flips: Option<Arc<Flips<'a>>>,
    /// The expectations that regressed, by their texts, line by line, with their verdicts before.
    regressed: BTreeMap<usize, BTreeMap<&'a str, Tally>>,
    /// The place of each configuration among those of the iteration.
    places: BTreeMap<String, usize>,
}

impl<'a> IterationProgress<'a> {
    pub(crate) fn of_all(cache: &FlipCache<'a>) -> Vec<Self> {
        (0..cache.analysis.iterations.len()).map(|index| Self::new(cache, index)).collect()
    }

    pub(crate) fn new(cache: &FlipCache<'a>, index: usize) -> Self {
        let analysis: &Analysis = cache.analysis;
        let after = analysis.candidate_of(index);
        let before = after.as_ref().and_then(|after| analysis.previous(after));
        let sides = before.as_ref().zip(after.as_ref());
        let flips = sides.map(|(before, after)| cache.between(before, after));
        let mut regressed: BTreeMap<usize, BTreeMap<&'a str, Tally>> = BTreeMap::new();
        let all = flips.iter().flat_map(|flips| flips.iter());
        for flip in all.filter(|flip| flip.kind == FlipKind::Regressed) {
            let of_line = regressed.entry(flip.line).or_default();
            of_line.entry(flip.text).or_insert(flip.before);
        }
        let order = analysis.iterations[index].roles.order();
        let places = order.enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
        Self { after, before, flips, regressed, places }
    }

    /// The runs of a case as indices, candidates before the baseline.
    pub(crate) fn run_order(&self, case: &Case) -> Vec<usize> {
        let mut order: Vec<usize> = (0..case.runs.len()).collect();
        order.sort_by_cached_key(|at| {
            let run = &case.runs[*at];
            (self.places.get(&run.configuration).copied(), run.number)
        });
        order
    }

    pub(crate) fn runs_in_order<'c>(&self, case: &'c Case) -> Vec<&'c Run> {
        self.run_order(case).into_iter().map(|at| &case.runs[at]).collect()
    }
}

/// A statement of a case with its verdicts and the evidence of the failed ones, each with its run.
pub(crate) struct FailedCheck<'a> {
    pub(crate) case: &'a Case,
    pub(crate) text: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) tally: Tally,
    pub(crate) evidence: Vec<(u32, &'a str)>,
    /// Its verdicts in the iteration before, where it lost passes since.
    pub(crate) before: Option<Tally>,
}

/// What failed for the candidate, case by case in the order of the statements. Each case comes with
/// its line.
pub(crate) fn failures<'a>(
    standings: &IterationProgress<'_>,
    cases: &[(usize, &'a Case)],
) -> Vec<FailedCheck<'a>> {
    let mut failures = Vec::new();
    let Some(side) = &standings.after else { return failures };
    for (line, case) in cases {
        let mut found: Vec<FailedCheck<'a>> = Vec::new();
        let mut places: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
        let lost = standings.regressed.get(line);
        let before_loss = |text: &str| lost.and_then(|lost| lost.get(text)).copied();
        let mut runs = standings.runs_in_order(case);
        runs.retain(|run| run.configuration == side.configuration);
        for (run, check) in runs.iter().flat_map(|run| run.expectations().iter().map(|c| (*run, c)))
        {
            let at = *places.entry(key(check)).or_insert_with(|| {
                let (text, description) = (&*check.text, check.description.as_deref());
                let (tally, before) = (Tally::default(), before_loss(text));
                let evidence = Vec::new();
                found.push(FailedCheck { case, text, description, tally, evidence, before });
                found.len() - 1
            });
            found[at].tally.count(check.outcome);
            if check.outcome == Outcome::Failed {
                found[at].evidence.extend(check.evidence.iter().map(|text| (run.number, &**text)));
            }
        }
        failures.extend(found.into_iter().filter(|found| found.tally.failed > 0));
    }
    failures
}

/// Advice of a grader: on which case, on which expectation, what.
pub(crate) type Advice<'a> = (&'a Case, Option<&'a str>, &'a str);

/// The skill-creator's grader is told to write `No suggestions, evals look solid` where it has none.
fn says_nothing(advice: &str) -> bool {
    advice.trim_start().to_lowercase().starts_with("no suggestion")
}

/// The graders' advice on the expectations of `cases`, in the order of the runs, each once.
pub(crate) fn advice<'a>(
    standings: &IterationProgress<'_>,
    cases: &[(usize, &'a Case)],
) -> Vec<Advice<'a>> {
    let (mut found, mut known) = (Vec::new(), BTreeSet::new());
    for (_, case) in cases {
        for grading in standings.runs_in_order(case).into_iter().flat_map(|run| &run.gradings) {
            let suggestions = grading.suggestions.iter();
            let advice = suggestions.map(|found| (found.expectation.as_deref(), &*found.text));
            let critique = grading.critique.iter().map(|text| (None, &**text));
            let advice = advice.chain(critique);
            let advice = advice.filter(|(about, text)| {
                !says_nothing(text) && known.insert((&case.name, *about, *text))
            });
            found.extend(advice.map(|(about, text)| (*case, about, text)));
        }
    }
    found
}
