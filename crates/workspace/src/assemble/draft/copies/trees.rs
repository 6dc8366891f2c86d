//! Whole trees that repeat the runs beside them: `raw/bells-eval-1/with_skill` those of
//! `eval-1/with_skill`. They are compared before single files, so that a folder which only groups copies
//! is no part of a configuration.

use std::collections::{BTreeMap, BTreeSet};

use super::{MAX_COMPARED, has_verdicts, is_same_run, is_same_side, join_run, verdict_hash};
use crate::assemble::draft::{CaseDrafts, DraftReport, RunDraft, RunKey};
use crate::assemble::location::differ;
use input::model::{Code, Problem};
use input::names;

/// A run by its case.
type RunAt = (String, RunKey);

/// Joins each group of which all graded runs are copies of runs outside it.
pub(super) fn join(cases: &mut CaseDrafts, report: &mut DraftReport) {
    let mut by_verdicts: BTreeMap<u64, Vec<RunAt>> = BTreeMap::new();
    for (name, case) in cases.iter() {
        for (key, run) in &case.runs {
            for hash in hashes(run) {
                by_verdicts.entry(hash).or_default().push((name.clone(), key.clone()));
            }
        }
    }
    let mut copies: BTreeMap<String, Vec<(RunAt, RunAt)>> = BTreeMap::new();
    let mut others: BTreeSet<String> = BTreeSet::new();
    for (name, case) in cases.iter() {
        for (key, run) in case.runs.iter().filter(|(_, run)| has_verdicts(run)) {
            let Some(group) = group_of(key) else { continue };
            let copy = (name.clone(), key.clone());
            match original(cases, &by_verdicts, &copy, run) {
                Some(original) => {
                    copies.entry(group.to_owned()).or_default().push((copy, original))
                }
                None => _ = others.insert(group.to_owned()),
            }
        }
    }
    copies.retain(|group, _| !others.contains(group));
    for (group, copies) in copies {
        let mut tree: Option<String> = None;
        let mut homes: BTreeMap<String, String> = BTreeMap::new();
        for ((case, key), original) in copies {
            homes.insert(case.clone(), original.0.clone());
            let Some(copy) = take(cases, &case, &key) else { continue };
            let shared = tree.take().map_or(copy.path.clone(), |tree| shared(&tree, &copy.path));
            tree = Some(shared);
            put(cases, original, copy, report);
        }
        // Runs of the tree that were never graded lie in the same cases.
        for (case, home) in &homes {
            move_ungraded(cases, &group, case, home, report);
        }
        if let Some(tree) = tree {
            let message = "the folder repeats runs that lie beside it".to_owned();
            let problem = Problem::new(Code::DuplicateGrading, tree, message);
            report.problems.push(problem.assuming("each run is counted once"));
        }
    }
}

/// The groups around a configuration: `raw` of `raw/with_skill`. A model is none: two models that did
/// the same are still two.
fn group_of(key: &RunKey) -> Option<&str> {
    let (group, _) = key.0.rsplit_once('/')?;
    if names::is_model(group) { None } else { Some(group) }
}

/// The run outside the group of `copy` that it repeats, of the same case if possible.
fn original(
    cases: &CaseDrafts,
    by_verdicts: &BTreeMap<u64, Vec<RunAt>>,
    copy: &RunAt,
    run: &RunDraft,
) -> Option<RunAt> {
    let own = &cases[&copy.0].planned;
    let found = hashes(run).into_iter().filter_map(|hash| by_verdicts.get(&hash));
    let found = found.flat_map(|same| same.iter().take(MAX_COMPARED));
    let originals = found.filter(|(name, key)| {
        let case = &cases[name];
        let is_outside = match (group_of(key), group_of(&copy.1)) {
            (Some(group), Some(own)) => group < own,
            (group, _) => group.is_none(),
        };
        is_outside
            && is_same_side(key, &copy.1)
            && !differ(&own.id, &case.planned.id)
            && !differ(&own.prompt, &case.planned.prompt)
            && is_same_run(&case.runs[key], run)
    });
    originals.min_by_key(|(name, key)| (*name != copy.0, key.1 != copy.1.1)).cloned()
}

fn hashes(run: &RunDraft) -> BTreeSet<u64> {
    let gradings = run.gradings.iter().filter(|(_, found)| found.tally().graded() > 0);
    gradings.map(|(_, found)| verdict_hash(found)).collect()
}

fn move_ungraded(
    cases: &mut CaseDrafts,
    group: &str,
    case: &str,
    home: &str,
    report: &mut DraftReport,
) {
    let Some(runs) = cases.get(case).map(|case| &case.runs) else { return };
    let left: Vec<RunKey> =
        runs.keys().filter(|key| group_of(key) == Some(group)).cloned().collect();
    for key in left {
        let side = key.0.rsplit_once('/').map_or(&*key.0, |(_, side)| side).to_owned();
        if let Some(copy) = take(cases, case, &key) {
            put(cases, (home.to_owned(), (side, key.1)), copy, report);
        }
    }
    if case != home && cases.get(case).is_some_and(|case| case.runs.is_empty()) {
        let planned = cases.remove(case).unwrap_or_default().planned;
        cases.entry(home.to_owned()).or_default().planned.fill_from(&planned);
    }
}

fn take(cases: &mut CaseDrafts, case: &str, key: &RunKey) -> Option<RunDraft> {
    cases.get_mut(case)?.runs.remove(key)
}

fn put(cases: &mut CaseDrafts, (case, key): RunAt, copy: RunDraft, report: &mut DraftReport) {
    let kept = cases.entry(case).or_default().runs.entry(key).or_default();
    join_run(kept, copy, false, report);
}

/// The folder that both paths lie in.
fn shared(a: &str, b: &str) -> String {
    let folders = names::folders_above(a).zip(names::folders_above(b));
    folders
        .take_while(|(a, b)| a == b)
        .last()
        .map_or(String::new(), |(folder, _)| folder.to_owned())
}
