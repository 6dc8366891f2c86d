//! Whether two runs are the same.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Bytes;
use crate::assemble::draft::gradings::same_reasons;
use crate::assemble::draft::{CaseDraft, RunDraft};
use crate::assemble::location::differ;
use crate::assemble::metrics;
use input::model::{Grading, Metrics, Output};

/// Bytes of all reasons of a grading from which they are not equal by chance.
const LONG_REASONS: usize = 40;

/// Whether two gradings are of one run: nothing was measured differently, and it left the same files.
// Answers of a few words have the same size by chance.
pub(super) fn is_graded_again(a: &RunDraft, b: &RunDraft, read: Bytes<'_>) -> bool {
    let [own, others] = [a, b].map(|run| {
        files(run).map(|file| ((&*file.name, file.bytes), &*file.path)).collect::<BTreeMap<_, _>>()
    });
    !own.is_empty()
        && own.keys().eq(others.keys())
        && !have_other_figures(&measured(a), &measured(b))
        && own
            .values()
            .zip(others.values())
            .all(|(a, b)| read(a).is_some_and(|a| Some(a) == read(b)))
}

pub(super) fn files(run: &RunDraft) -> impl Iterator<Item = &Output> {
    run.outputs.iter().chain(&run.transcripts)
}

/// Whether both left a file of one name with another size. A copy may lack some.
// A grader that is a program gives the same reasons for other answers.
fn have_other_files(a: &RunDraft, b: &RunDraft) -> bool {
    let known: BTreeMap<&str, u64> = files(a).map(|file| (&*file.name, file.bytes)).collect();
    files(b).any(|file| known.get(&*file.name).is_some_and(|bytes| *bytes != file.bytes))
}

pub(super) fn has_verdicts(run: &RunDraft) -> bool {
    run.gradings.iter().any(|(_, grading)| grading.tally().graded() > 0)
}

pub(super) fn measured(run: &RunDraft) -> Metrics {
    metrics::merge(run.costs.clone()).0
}

/// Whether two graded runs of one case are the same run. Verdicts alone prove nothing: a few of
/// them easily agree by chance, and so do figures that somebody estimated.
pub(super) fn is_same_run(a: &RunDraft, b: &RunDraft) -> bool {
    let (metrics, other_metrics) = (measured(a), measured(b));
    if have_other_figures(&metrics, &other_metrics) || have_other_files(a, b) {
        return false;
    }
    let mut pairs = figures(&metrics).into_iter().zip(figures(&other_metrics));
    let are_measured = pairs.any(|(a, b)| a.is_some_and(|a| a > 0.0) && a == b);
    b.gradings.iter().all(|(_, grading)| {
        a.gradings.iter().any(|(_, other)| {
            let are_equal = are_measured && same_reasons(grading, other);
            grading.same_verdicts(other) && (are_equal || have_equal_reasons(grading, other))
        })
    })
}

/// Whether all reasons are equal word for word, and too long in all to agree by chance, as `ok` and
/// `line 3` do.
pub(in crate::assemble) fn have_equal_reasons(a: &Grading, b: &Grading) -> bool {
    let mut bytes = 0;
    for (a, b) in a.expectations.iter().zip(&b.expectations) {
        if a.evidence != b.evidence {
            return false;
        }
        bytes += a.evidence.as_deref().map_or(0, |evidence| evidence.trim().len());
    }
    bytes >= LONG_REASONS
}

/// Figures that two runs rarely share by chance.
fn figures(metrics: &Metrics) -> [Option<f64>; 3] {
    [metrics.duration_s, metrics.tokens, metrics.cost_usd]
}

/// Whether figures, model or start show that two runs are not one.
pub(in crate::assemble) fn have_other_figures(a: &Metrics, b: &Metrics) -> bool {
    let mut pairs = figures(a).into_iter().zip(figures(b));
    pairs.any(|(a, b)| a.is_some() && b.is_some() && a != b)
        || differ(&a.model, &b.model)
        || differ(&a.started, &b.started)
}

/// A hash of the verdicts, equal for copies.
pub(super) fn verdict_hash(grading: &Grading) -> u64 {
    let mut hasher = DefaultHasher::new();
    for expectation in &grading.expectations {
        (&expectation.text, expectation.outcome.word()).hash(&mut hasher);
    }
    hasher.finish()
}

/// A hash of all that the gradings of a case say, and of the names and sizes of its files; `None` without a
/// grading.
pub(super) fn fingerprint(case: &CaseDraft) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let mut is_graded = false;
    for (key, run) in &case.runs {
        key.hash(&mut hasher);
        for check in run.gradings.iter().flat_map(|(_, grading)| &grading.expectations) {
            is_graded = true;
            (&check.text, check.outcome.word(), &check.evidence).hash(&mut hasher);
        }
        files(run).for_each(|file| (&file.name, file.bytes).hash(&mut hasher));
    }
    if is_graded { Some(hasher.finish()) } else { None }
}

/// Whether two folders of an iteration hold the same runs byte for byte, and no prompt contradicts: a copy in
/// an archive has another name.
pub(super) fn are_equal_cases(one: &CaseDraft, other: &CaseDraft, read: Bytes<'_>) -> bool {
    !differ(&one.planned.prompt, &other.planned.prompt)
        && one.runs.keys().eq(other.runs.keys())
        && one
            .runs
            .values()
            .zip(other.runs.values())
            .all(|(a, b)| has_verdicts(a) && is_same_run(a, b) && is_graded_again(a, b, read))
}
