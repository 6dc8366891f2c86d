//! Runs that were not made for what they are graded as: one answer graded for both sides, the answer to another
//! case, and runs of an earlier round.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::graded_before;
use crate::digest::news::unreliable_runs::{
    FAILURES_OF_A_RUN, MOST_CHECKS, evidence, failures, gain_without,
};
use crate::digest::news::{FEWEST_CHECKS, Finding, Scene};
use input::model::Run;

/// Fewer equal reasons on both sides may be those of a mechanical grader.
const SAME_EVIDENCE: usize = 8;
/// So many characters of a reason are no form.
const LONG_EVIDENCE: usize = 30;

pub(super) fn add(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    found.extend(same_evidence(scene));
    found.extend(carried(scene));
    found.extend(not_run_again(scene));
    found.extend(equal_gradings(scene));
}

/// That the graders wrote the same of both sides, check by check: one answer may have been graded twice.
/// Mechanical graders fill in a form, so what they name must be a place in a file.
fn same_evidence(scene: &Scene<'_>) -> Option<Finding> {
    let other = scene.other()?;
    let [own, others] = [scene.after, other].map(|side| {
        let mut texts = BTreeMap::new();
        for (case, run) in scene.runs(side) {
            for check in run.counted_expectations() {
                texts.insert((case, &*check.text), evidence(check).unwrap_or_default());
            }
        }
        texts
    });
    let distinct: BTreeSet<&str> = own.values().copied().collect();
    let checks = own.len();
    let placed = distinct.iter().filter(|text| names_place(text)).count();
    let is_specific = distinct.len() == checks && placed * 2 >= checks;
    (checks >= SAME_EVIDENCE && own == others && is_specific)
        .then_some(Finding::SameEvidence { checks })
}

fn names_place(text: &str) -> bool {
    text.chars().count() >= LONG_EVIDENCE && text.contains(|c: char| c.is_ascii_digit())
}

/// The paths of runs of both sides that failed because the answer to another case was graded: what was
/// written of every failure names that case, and nothing of their own case does.
///
/// A real round graded `UserTableColumns.tsx`, "which is for data table columns", as another case.
pub(super) fn misfiled<'a>(scene: &Scene<'a>) -> BTreeSet<&'a str> {
    let cases = &scene.iteration().cases;
    let mut phrases: Vec<(&str, String)> =
        cases.iter().map(|case| (&*case.name, phrase_of(&case.name))).collect();
    phrases.retain(|(_, phrase)| phrase.contains(' '));
    let mut found = BTreeSet::new();
    for side in std::iter::once(scene.after).chain(scene.other()) {
        for case in cases {
            for run in case.runs_of(&side.configuration) {
                let Some(failed) = reasons_of_failed_run(run) else { continue };
                let own = [Some(&case.name), case.prompt.as_ref()];
                let own: Vec<String> = own.into_iter().flatten().map(|text| spaced(text)).collect();
                let mut others = phrases.iter().filter(|(name, _)| *name != case.name);
                if others.any(|(_, phrase)| is_about(phrase, &failed, &own)) {
                    found.insert(&*run.path);
                }
            }
        }
    }
    found
}

/// Whether the reason of each failure names `phrase`, and neither its check nor what `own` says of its case
/// does.
fn is_about(phrase: &str, failed: &[[String; 2]], own: &[String]) -> bool {
    failed.iter().all(|[reason, check]| reason.contains(phrase) && !check.contains(phrase))
        && !own.iter().any(|text| text.contains(phrase))
}

/// The words of reason and check of every failure of a run that failed nearly all; `None` for others, and
/// where a reason is missing.
fn reasons_of_failed_run(run: &Run) -> Option<Vec<[String; 2]>> {
    let failed = failures(run).count();
    let most = run.tally().graded() as f64 * MOST_CHECKS;
    if failed < FAILURES_OF_A_RUN || (failed as f64) < most {
        return None;
    }
    failures(run).map(|check| Some([spaced(evidence(check)?), spaced(&check.text)])).collect()
}

/// The words of a case's name: ` data table columns ` for `eval-2-data-table-columns`.
fn phrase_of(name: &str) -> String {
    let words = spaced(name);
    let words = words.split(' ').filter(|word| {
        !matches!(*word, "" | "eval" | "case" | "test") && !word.bytes().all(|b| b.is_ascii_digit())
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A text as lower-case words with one space between them.
fn spaced(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

/// That each run has the verdicts and reasons that the run of its name had in the round before, word for
/// word, though it is no copy: new outputs may never have been graded. Equal outputs deserve equal gradings.
fn equal_gradings(scene: &Scene<'_>) -> Option<Finding> {
    let before = &scene.analysis.since_previous(scene.after)?.before;
    let earlier = scene.runs(before);
    let (mut reasons, mut checks, mut left_the_same) = (BTreeSet::new(), 0, true);
    let runs = scene.runs(scene.after);
    for (case, run) in &runs {
        let mut known = earlier.iter();
        let (_, known) =
            known.find(|(other, known)| other == case && known.number == run.number)?;
        let (own, others) = (run.expectations(), known.expectations());
        let are_equal = own.len() == others.len()
            && own.iter().zip(others).all(|(a, b)| {
                a.text == b.text && a.outcome == b.outcome && evidence(a) == evidence(b)
            });
        if !are_equal || run.reused_from.is_some() {
            return None;
        }
        checks += own.len();
        left_the_same &= have_equal_outputs(run, known);
        reasons.extend(own.iter().filter_map(evidence).filter(|reason| !reason.is_empty()));
    }
    // A program that grades fills in a form.
    let is_specific = checks >= FEWEST_CHECKS && reasons.len() * 2 >= checks && !left_the_same;
    let iteration = scene.iteration().name.clone();
    let original = scene.iteration_name(before.iteration);
    is_specific.then_some(Finding::EqualGradings { iteration, original, runs: runs.len() })
}

/// Whether both left files, of the same names and sizes.
fn have_equal_outputs(one: &Run, other: &Run) -> bool {
    !one.outputs.is_empty()
        && one.outputs.len() == other.outputs.len()
        && one
            .outputs
            .iter()
            .zip(&other.outputs)
            .all(|(one, other)| (&one.name, one.bytes) == (&other.name, other.bytes))
}

fn carried(scene: &Scene<'_>) -> Option<Finding> {
    let other = scene.other()?;
    let runs = scene.runs(other);
    let carried: Vec<&str> =
        runs.iter().filter_map(|(_, run)| run.reused_from.as_deref()).collect();
    if carried.len() < 2 || carried.len() * 2 < runs.len() {
        return None;
    }
    let earlier = &scene.workspace.iterations[..other.iteration];
    let iteration = earlier.iter().rev().find(|iteration| {
        let folder = format!("{}/", iteration.path);
        carried.iter().any(|path| path.starts_with(&folder) || *path == iteration.name)
    })?;
    Some(Finding::Carried {
        runs: carried.len(),
        of: runs.len(),
        side: other.configuration.clone(),
        iteration: iteration.name.clone(),
    })
}

/// Cases of the candidate whose runs are copies of an earlier round: the skill of now never saw them.
fn not_run_again(scene: &Scene<'_>) -> Option<Finding> {
    let mut sources: BTreeMap<&str, (usize, Option<&str>)> = BTreeMap::new();
    for (case, run) in scene.runs(scene.after) {
        let source = sources.entry(case).or_insert((0, run.reused_from.as_deref()));
        source.0 += 1;
        source.1 = source.1.filter(|_| run.reused_from.is_some());
    }
    let of = sources.len();
    sources.retain(|_, (_, path)| path.is_some());
    let path = sources.values().find_map(|(_, path)| *path)?;
    let earlier = &scene.workspace.iterations[..scene.after.iteration];
    let iteration =
        earlier.iter().rev().find(|iteration| path.starts_with(&format!("{}/", iteration.path)))?;
    // Of a round that only repeats, another finding speaks.
    if sources.len() == of && graded_before(scene.workspace, scene.iteration()).is_some() {
        return None;
    }
    let cases: BTreeSet<&str> = sources.into_keys().collect();
    Some(Finding::NotRunAgain {
        gain: gain_without(scene, &cases),
        is_both: scene.other().is_some_and(|other| {
            let runs = scene.runs(other).into_iter().filter(|(case, _)| cases.contains(case));
            runs.clone().count() > 0 && runs.into_iter().all(|(_, run)| run.reused_from.is_some())
        }),
        cases: cases.into_iter().map(str::to_owned).collect(),
        side: scene.after.configuration.clone(),
        iteration: iteration.name.clone(),
    })
}
