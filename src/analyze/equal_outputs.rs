//! Whether equal outputs got equal verdicts. Compares runs of one case, within an iteration or
//! across several, whose files are the same byte for byte. Finds checks that passed for one and
//! failed for another.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::texts::MAX_RUN_BYTES;
use crate::analyze::{Analysis, Appearance, CaseHistory, CheckAt, Texts, key};
use input::model::{Outcome, Run, Workspace};
use text::folded;

/// A check that passed for one run and failed for another with the same outputs.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "InconsistentJson")]
pub struct UnequalVerdicts {
    /// Index of the case in the analysis.
    #[serde(skip)]
    pub case_index: usize,
    /// Name of the case.
    pub case: String,
    /// The statement.
    pub check: String,
    /// Folder of the run in which it passed, relative to the workspace.
    pub passed: String,
    /// Folder of the run in which it failed.
    pub failed: String,
    /// Where it passed first and where it failed first.
    #[serde(skip)]
    pub places: [CheckAt; 2],
}

impl UnequalVerdicts {
    /// The later of the iterations of both runs.
    pub fn iteration(&self) -> usize {
        self.places[0].iteration.max(self.places[1].iteration)
    }
}

/// Every inconsistent check, case by case. Only reads files that agree in name and size.
// Stand-ins for an agent, as agent-skill-eval has, make equal files in each of their runs.
pub(super) fn find_unequal_verdicts(
    workspace: &Workspace,
    analysis: &Analysis,
    texts: Texts<'_>,
) -> Vec<UnequalVerdicts> {
    let cases = &analysis.cases;
    let by_case = (0..cases.len()).into_par_iter().map(|index| {
        let mut found = Vec::new();
        for runs in runs_of_equal_sizes(workspace, &cases[index]) {
            for runs in equal_runs(workspace, runs, texts) {
                found.extend(inconsistent_checks(workspace, cases, index, &runs));
            }
        }
        found
    });
    by_case.flatten_iter().collect()
}

/// The prompt of a run, and the names and sizes of its files.
type RunShape<'w> = (Option<Cow<'w, str>>, Vec<(&'w str, u64)>);

/// Groups of a case's graded runs that may have equal outputs for the same prompt. A run stands for
/// its first check.
fn runs_of_equal_sizes(workspace: &Workspace, history: &CaseHistory) -> Vec<Vec<CheckAt>> {
    let mut by_shape: BTreeMap<RunShape<'_>, Vec<CheckAt>> = BTreeMap::new();
    for Appearance { iteration, case: case_index, .. } in &history.appearances {
        let case = &workspace.iterations[*iteration].cases[*case_index];
        for (index, run) in case.runs.iter().enumerate() {
            let bytes: u64 = run.outputs.iter().map(|output| output.bytes).sum();
            // Runs without outputs are equal, but show nothing.
            if !run.is_graded() || bytes == 0 || bytes > MAX_RUN_BYTES {
                continue;
            }
            let files = run.outputs.iter().map(|output| (output.name.as_str(), output.bytes));
            let shape = (case.prompt.as_deref().map(folded), files.collect());
            let place = CheckAt {
                iteration: *iteration,
                case: *case_index,
                run: index,
                ..CheckAt::default()
            };
            by_shape.entry(shape).or_default().push(place);
        }
    }
    by_shape.into_values().filter(|runs| runs.len() > 1).collect()
}

/// The same runs grouped by files that are equal byte for byte.
fn equal_runs(workspace: &Workspace, runs: Vec<CheckAt>, texts: Texts<'_>) -> Vec<Vec<CheckAt>> {
    let mut groups: BTreeMap<[u8; 32], Vec<CheckAt>> = BTreeMap::new();
    for place in runs {
        if let Some(hash) = hash_outputs(place.run(workspace), texts) {
            groups.entry(hash).or_default().push(place);
        }
    }
    groups.into_values().filter(|runs| runs.len() > 1).collect()
}

/// `None` if a file cannot be read.
fn hash_outputs(run: &Run, texts: Texts<'_>) -> Option<[u8; 32]> {
    let mut hasher = blake3::Hasher::new();
    for output in &run.outputs {
        hasher.update(&texts.bytes(&output.path, MAX_RUN_BYTES).ok()?);
    }
    Some(*hasher.finalize().as_bytes())
}

/// The checks on which runs with equal outputs differ.
fn inconsistent_checks(
    workspace: &Workspace,
    cases: &[CaseHistory],
    index: usize,
    runs: &[CheckAt],
) -> Vec<UnequalVerdicts> {
    // For each check its text, where it passed first and where it failed first.
    let mut verdicts: BTreeMap<Cow<'_, str>, (&str, [Option<CheckAt>; 2])> = BTreeMap::new();
    for place in runs {
        let mut keys: BTreeSet<Cow<'_, str>> = BTreeSet::new();
        for (at, check) in place.run(workspace).expectations().iter().enumerate() {
            if check.outcome != Outcome::Ungraded && keys.insert(key(check)) {
                let (_, places) = verdicts.entry(key(check)).or_insert((&check.text, [None; 2]));
                let side = usize::from(check.outcome == Outcome::Failed);
                places[side].get_or_insert(CheckAt { check: at, ..*place });
            }
        }
    }
    let mut found = Vec::new();
    for (text, places) in verdicts.into_values() {
        let [Some(passed), Some(failed)] = places else { continue };
        found.push(UnequalVerdicts {
            case_index: index,
            case: cases[index].name.clone(),
            check: text.to_owned(),
            passed: passed.run(workspace).path.clone(),
            failed: failed.run(workspace).path.clone(),
            places: [passed, failed],
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::find_unequal_verdicts;
    use crate::analyze::{Texts, analysis};
    use crate::tests::workspaces::{case, run, workspace};
    use input::files::Memory;
    use input::model::Output;
    use input::settings::Settings;
    use testing::gradings::verdicts;

    #[test]
    fn equal_outputs_with_other_verdicts_are_found_within_and_through_iterations() {
        // Outputs and verdicts of the runs of each iteration; a check and the iteration and run in
        // which it passed and failed.
        let table: [(&[&[(&str, &str)]], &[(&str, [[usize; 2]; 2])]); 5] = [
            (&[&[("same", "pp"), ("same", "pf")]], &[("check 2", [[0, 0], [0, 1]])]),
            (&[&[("same", "ff")], &[("same", "pf")]], &[("check 1", [[1, 0], [0, 0]])]),
            (&[&[("same", "pp"), ("other", "ff"), ("diff1", "fp")]], &[]),
            // Only the size is equal.
            (&[&[("abcd", "pp"), ("abce", "ff")]], &[]),
            (&[&[("", "pp"), ("", "ff")]], &[]),
        ];
        for (iterations, expected) in table {
            let mut files = Vec::new();
            let mut cases = Vec::new();
            for (iteration, outputs) in iterations.iter().enumerate() {
                let mut runs = Vec::new();
                for (at, (text, letters)) in outputs.iter().enumerate() {
                    let path = format!("{iteration}/{at}/out.md");
                    let mut run = run("with_skill", at as u32 + 1, verdicts(letters));
                    let (name, bytes) = ("out.md".to_owned(), text.len() as u64);
                    run.outputs = vec![Output { name, path: path.clone(), bytes }];
                    files.push((path, (*text).to_owned()));
                    runs.push(run);
                }
                cases.push(vec![case("a", runs)]);
            }
            let workspace = workspace(cases);
            let analysis = analysis(&workspace, &Settings::default());
            let texts = Texts { source: &Memory::new(files), prefix: "" };
            let mut actual = Vec::new();
            for found in find_unequal_verdicts(&workspace, &analysis, texts) {
                actual.push((found.check, found.places.map(|at| [at.iteration, at.run])));
            }
            let expected: Vec<_> =
                expected.iter().map(|(text, places)| ((*text).to_owned(), *places)).collect();
            assert_eq!(actual, expected);
        }
    }
}
