//! Whether two runs are one found twice: equal gradings, no contradicting figure, and more in
//! common than the verdicts, since a few verdicts easily agree by chance.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::assemble::cost;
use crate::assemble::draft::RunDraft;
use crate::assemble::draft::gradings::same_reasons;
use crate::model::{Grading, Metrics, Output};

/// Sizes of one run's outputs may differ by this share: a copy with shortened paths.
const SMALL_DIFFERENCE: f64 = 0.02;

/// Reasons with fewer letters easily agree by chance: `ok`, `line 3`.
const MIN_REASON_LETTERS: usize = 40;

pub(super) fn has_verdicts(run: &RunDraft) -> bool {
    run.gradings.iter().any(|(_, grading)| grading.tally().graded() > 0)
}

/// Whether nothing contradicts that two runs are one, and, where both are graded, evidence, time or
/// tokens confirm it.
pub(super) fn is_same_run(a: &RunDraft, b: &RunDraft) -> bool {
    let (figures, others) = (merged(a), merged(b));
    let is_repeat = |(_, x): &_| a.gradings.iter().any(|(_, y)| is_repeated(x, y));
    let has_evidence = || b.gradings.iter().any(|(_, grading)| has_evidence(grading));
    let is_repeated = || {
        b.gradings.iter().all(is_repeat)
            && (is_measured(&figures, &others) || has_evidence() && outputs_agree(a, b))
    };
    let both_graded = has_verdicts(a) && has_verdicts(b);
    !contradict(&figures, &others) && (!both_graded || is_repeated())
}

/// Whether two runs in different folders are one: time or tokens agree, or the reasons are too long
/// to agree by chance.
pub(super) fn is_surely_same(a: &RunDraft, b: &RunDraft) -> bool {
    is_same_run(a, b) && (has_reasons(b) || is_measured(&merged(a), &merged(b)))
}

/// Whether the reasons of a grading are too long to agree by chance.
pub(in crate::assemble) fn has_many_words(grading: &Grading) -> bool {
    let evidence = grading.expectations.iter().filter_map(|found| found.evidence.as_deref());
    evidence.map(|evidence| evidence.trim().len()).sum::<usize>() >= MIN_REASON_LETTERS
}

/// Whether two numbered runs are one, by equal reasons and equal time or tokens.
pub(super) fn is_repeated_in_full(a: &RunDraft, b: &RunDraft) -> bool {
    is_same_run(a, b) && is_measured(&merged(a), &merged(b)) && has_reasons(b)
}

fn has_reasons(run: &RunDraft) -> bool {
    run.gradings.iter().any(|(_, grading)| has_many_words(grading))
}

/// Hashes of a run's gradings, equal for copies.
pub(super) fn fingerprints(run: &RunDraft) -> BTreeSet<u64> {
    let graded = run.gradings.iter().filter(|(_, grading)| grading.tally().graded() > 0);
    let print = |(_, grading): &(_, Grading)| {
        let mut hasher = DefaultHasher::new();
        for expectation in &grading.expectations {
            (&expectation.text, expectation.outcome.word(), &expectation.evidence)
                .hash(&mut hasher);
        }
        if !has_evidence(grading) {
            figures(&merged(run)).map(|figure| figure.map(f64::to_bits)).hash(&mut hasher);
        }
        hasher.finish()
    };
    graded.map(print).collect()
}

/// Whether two gradings agree on every expectation, word for word.
pub(in crate::assemble) fn is_repeated(a: &Grading, b: &Grading) -> bool {
    let [evidence, other] = [a, b].map(|grading| grading.expectations.iter().map(|e| &e.evidence));
    a.same_verdicts(b) && same_reasons(a, b) && evidence.eq(other)
}

fn has_evidence(grading: &Grading) -> bool {
    let mut evidence = grading.expectations.iter().filter_map(|found| found.evidence.as_deref());
    evidence.any(|evidence| !evidence.trim().is_empty())
}

/// Whether shared files are nearly equal in size, with at least one of them shared.
fn outputs_agree(a: &RunDraft, b: &RunDraft) -> bool {
    let sizes: BTreeMap<&str, u64> =
        files(a).map(|file| (file.name.as_str(), file.bytes)).collect();
    let common = files(b).filter_map(|file| Some((*sizes.get(file.name.as_str())?, file.bytes)));
    let is_close = |(a, b): (u64, u64)| a.abs_diff(b) as f64 <= a.max(b) as f64 * SMALL_DIFFERENCE;
    let mut common = common.map(is_close).peekable();
    common.peek().is_none() || common.any(|is_close| is_close)
}

pub(super) fn files(run: &RunDraft) -> impl Iterator<Item = &Output> {
    run.outputs.iter().chain(&run.transcripts)
}

fn merged(run: &RunDraft) -> Metrics {
    cost::merge(run.costs.clone()).0
}

/// Figures that two runs rarely share by chance.
fn figures(metrics: &Metrics) -> [Option<f64>; 3] {
    [metrics.duration_s, metrics.tokens, metrics.cost_usd]
}

/// Whether figures show that two runs are not one.
pub(in crate::assemble) fn contradict(a: &Metrics, b: &Metrics) -> bool {
    fn differ<T: PartialEq>((a, b): (&Option<T>, &Option<T>)) -> bool {
        a.is_some() && b.is_some() && a != b
    }
    figures(a).iter().zip(&figures(b)).any(differ)
        || differ((&a.model, &b.model))
        || differ((&a.started, &b.started))
}

fn is_measured(a: &Metrics, b: &Metrics) -> bool {
    let mut pairs = figures(a).into_iter().zip(figures(b));
    pairs.any(|(a, b)| a.zip(b).is_some_and(|(a, b)| a == b && a > 0.0))
}
