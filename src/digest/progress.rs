//! The progress of an iteration: how each case compares with the iteration before, for the
//! candidate; and what to fix next: failed checks with evidence, and the graders' advice.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::analyze::{Analysis, FlipKind, Flips, Side, key};
use crate::digest::changes::FlipCache;
use crate::model::{Case, Outcome, Run, Tally};

pub(crate) struct IterationProgress<'a> {
    /// The candidate of the iteration; `None` if there is none.
    pub(crate) after: Option<Side>,
    /// The same configuration in the last iteration that graded it before.
    pub(crate) before: Option<Side>,
    /// The changes since; `None` without an earlier side.
    pub(crate) flips: Option<Arc<Flips<'a>>>,
    /// The regressed expectations by case line and text, with their earlier verdicts.
    regressed: BTreeMap<usize, BTreeMap<&'a str, Tally>>,
    /// The rank of each configuration in the iteration.
    ranks: BTreeMap<String, usize>,
}

impl<'a> IterationProgress<'a> {
    pub(crate) fn for_iterations(cache: &FlipCache<'a>) -> Vec<Self> {
        (0..cache.analysis.iterations.len()).map(|index| Self::new(cache, index)).collect()
    }

    pub(crate) fn new(cache: &FlipCache<'a>, index: usize) -> Self {
        let analysis: &Analysis = cache.analysis;
        let after = analysis.candidate_of(index);
        let before = after.as_ref().and_then(|after| analysis.previous(after));
        let sides = before.as_ref().zip(after.as_ref());
        let flips = sides.map(|(before, after)| cache.between(before, after));
        let mut regressed: BTreeMap<usize, BTreeMap<&'a str, Tally>> = BTreeMap::new();
        let all_flips = flips.iter().flat_map(|flips| flips.iter());
        for flip in all_flips.filter(|flip| flip.kind == FlipKind::Regressed) {
            let texts = regressed.entry(flip.case).or_default();
            texts.entry(flip.text).or_insert(flip.before);
        }
        let order = analysis.iterations[index].roles.order();
        let ranks = order.enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
        Self { after, before, flips, regressed, ranks }
    }

    /// Indices of the runs of a case, candidates before the baseline.
    pub(crate) fn run_order(&self, case: &Case) -> Vec<usize> {
        let mut order: Vec<usize> = (0..case.runs.len()).collect();
        order.sort_by_cached_key(|at| {
            let run = &case.runs[*at];
            (self.ranks.get(&run.configuration).copied(), run.number)
        });
        order
    }

    pub(crate) fn runs_in_order<'c>(&self, case: &'c Case) -> Vec<&'c Run> {
        self.run_order(case).into_iter().map(|at| &case.runs[at]).collect()
    }
}

/// A statement of a case with its verdicts, and the evidence of each failed run, by run number.
pub(crate) struct FailedCheck<'a> {
    pub(crate) case: &'a Case,
    pub(crate) text: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) tally: Tally,
    pub(crate) evidence: Vec<(u32, &'a str)>,
    /// Its verdicts in the previous iteration, if it lost passes since.
    pub(crate) before: Option<Tally>,
}

/// The checks that the candidate failed, case by case in the order of the statements. Each case
/// comes with its line.
pub(crate) fn failures<'a>(
    progress: &IterationProgress<'_>,
    cases: &[(usize, &'a Case)],
) -> Vec<FailedCheck<'a>> {
    let mut failures = Vec::new();
    let Some(side) = &progress.after else { return failures };
    for (line, case) in cases {
        let mut checks: Vec<FailedCheck<'a>> = Vec::new();
        let mut indices: BTreeMap<Cow<'_, str>, usize> = BTreeMap::new();
        let regressed = progress.regressed.get(line);
        let tally_before =
            |text: &str| regressed.and_then(|regressed| regressed.get(text)).copied();
        let mut runs = progress.runs_in_order(case);
        runs.retain(|run| run.configuration == side.configuration);
        for (run, check) in runs.iter().flat_map(|run| run.expectations().iter().map(|c| (*run, c)))
        {
            let at = *indices.entry(key(check)).or_insert_with(|| {
                let (text, description) = (&*check.text, check.description.as_deref());
                let (tally, before) = (Tally::default(), tally_before(text));
                let evidence = Vec::new();
                checks.push(FailedCheck { case, text, description, tally, evidence, before });
                checks.len() - 1
            });
            checks[at].tally.count(check.outcome);
            if check.outcome == Outcome::Failed {
                checks[at].evidence.extend(check.evidence.iter().map(|text| (run.number, &**text)));
            }
        }
        failures.extend(checks.into_iter().filter(|check| check.tally.failed > 0));
    }
    failures
}

/// A grader's advice: the case, the expectation if it is about one, and the text.
pub(crate) type Advice<'a> = (&'a Case, Option<&'a str>, &'a str);

/// Whether `advice` is what the skill-creator lets its grader write where there is none: `No
/// suggestions, evals look solid`, perhaps with praise after it.
fn says_nothing(advice: &str) -> bool {
    let advice = advice.trim_start().to_lowercase();
    let Some(rest) = advice.strip_prefix("no suggestion") else { return false };
    let rest = rest.strip_prefix('s').unwrap_or(rest);
    rest.is_empty() || rest.starts_with([',', '.', ';', ':'])
}

/// The graders' advice on the expectations of `cases`, in the order of the runs, without
/// duplicates.
pub(crate) fn advice<'a>(
    progress: &IterationProgress<'_>,
    cases: &[(usize, &'a Case)],
) -> Vec<Advice<'a>> {
    let (mut advice_of_cases, mut seen) = (Vec::new(), BTreeSet::new());
    for (_, case) in cases {
        for grading in progress.runs_in_order(case).into_iter().flat_map(|run| &run.gradings) {
            let suggestions = grading.suggestions.iter();
            let advice = suggestions.map(|advice| (advice.expectation.as_deref(), &*advice.text));
            let critique = grading.critique.iter().map(|text| (None, &**text));
            let advice = advice.chain(critique);
            let advice = advice.filter(|(about, text)| {
                !says_nothing(text) && seen.insert((&case.name, *about, *text))
            });
            advice_of_cases.extend(advice.map(|(about, text)| (*case, about, text)));
        }
    }
    advice_of_cases
}

#[cfg(test)]
mod tests {
    use super::says_nothing;

    #[test]
    fn only_what_begins_with_the_whole_phrase_is_no_advice() {
        let table = [
            ("No suggestions, evals look solid", true),
            ("No suggestions. As thorough as the run without the skill.", true),
            ("No suggestion; the expectations cover what was asked.", true),
            ("no suggestions", true),
            ("No suggestion so far covers dates: add a check for them.", false),
            ("Check the total itself.", false),
        ];
        for (advice, expected) in table {
            assert_eq!(says_nothing(advice), expected, "{advice}");
        }
    }
}
