//! Runs that were not made for this round: one answer graded for both sides, and runs of an earlier round.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::news::runs::evidence;
use crate::digest::news::{Finding, Scene};

/// Fewer equal reasons on both sides may be those of a mechanical grader.
const SAME_EVIDENCE: usize = 8;
/// So many characters of a reason are no form.
const LONG_EVIDENCE: usize = 30;

pub(super) fn add(scene: &Scene<'_>, found: &mut Vec<Finding>) {
    found.extend(same_evidence(scene));
    found.extend(carried(scene));
    found.extend(not_run_again(scene));
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
    let is_same = |(check, text): &(&(&str, &str), &&str)| others.get(*check) == Some(*text);
    let names_place = |text: &str| {
        text.chars().count() >= LONG_EVIDENCE && text.contains(|c: char| c.is_ascii_digit())
    };
    let distinct: BTreeSet<&str> = own.values().copied().collect();
    let checks = own.len();
    let are_same = own.len() == others.len() && own.iter().all(|found| is_same(&found));
    let placed = distinct.iter().filter(|text| names_place(text)).count();
    let is_specific = distinct.len() == checks && placed * 2 >= checks;
    (checks >= SAME_EVIDENCE && are_same && is_specific).then_some(Finding::SameEvidence { checks })
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
    (sources.len() < of).then(|| Finding::NotRunAgain {
        cases: sources.into_keys().map(str::to_owned).collect(),
        side: scene.after.configuration.clone(),
        iteration: iteration.name.clone(),
    })
}
