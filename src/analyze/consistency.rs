//! Whether equal outputs got equal verdicts. Compares runs of one case, within an iteration or
//! across several, whose files are the same byte for byte. Finds checks that passed for one and
//! failed for another.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::case_history::CaseHistory;
use crate::analyze::quotes::CheckAt;
use crate::analyze::statements::key;
use crate::analyze::texts::{MAX_RUN_BYTES, Texts};
use crate::analyze::{Analysis, CaseCheck};
use crate::model::{Outcome, Workspace};
use crate::text::folded;

/// A check that passed for one run and failed for another with the same outputs.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(rename = "InconsistentJson")]
pub struct Inconsistent {
    #[serde(flatten)]
    pub check: CaseCheck,
    /// Folder of the run in which it passed, relative to the workspace.
    pub passed: String,
    /// Folder of the run in which it failed.
    pub failed: String,
    /// Where it passed first and where it failed first.
    #[serde(skip)]
    pub places: [CheckAt; 2],
}

impl Inconsistent {
    /// The later of the iterations of both runs.
    pub fn iteration(&self) -> usize {
        self.places[0].iteration.max(self.places[1].iteration)
    }
}

/// Every inconsistent check, case by case. Only reads files that agree in name and size.
pub(super) fn find_inconsistent(
    workspace: &Workspace,
    analysis: &Analysis,
    texts: Texts<'_>,
) -> Vec<Inconsistent> {
    let lines = analysis.cases.par_iter().enumerate();
    let checks = lines.flat_map_iter(|(index, line)| {
        let groups = equal_runs(workspace, line, texts).into_iter();
        groups.flat_map(move |runs| inconsistent_checks(workspace, &analysis.cases, index, &runs))
    });
    checks.collect()
}

/// Groups of a case's runs with equal outputs for the same prompt, each by its first check.
fn equal_runs(workspace: &Workspace, line: &CaseHistory, texts: Texts<'_>) -> Vec<Vec<CheckAt>> {
    type RunSignature<'w> = (Option<Cow<'w, str>>, Vec<(&'w str, u64)>);
    let mut by_shape: BTreeMap<RunSignature<'_>, Vec<CheckAt>> = BTreeMap::new();
    for appearance in &line.appearances {
        let case = appearance.case(workspace);
        for (at, run) in case.runs.iter().enumerate().filter(|(_, run)| run.is_graded()) {
            let bytes: u64 = run.outputs.iter().map(|output| output.bytes).sum();
            if (1..=MAX_RUN_BYTES).contains(&bytes) {
                let files = run.outputs.iter().map(|output| (output.name.as_str(), output.bytes));
                let shape = (case.prompt.as_deref().map(folded), files.collect());
                let (iteration, case) = (appearance.iteration, appearance.case);
                let place = CheckAt { iteration, case, run: at, ..CheckAt::default() };
                by_shape.entry(shape).or_default().push(place);
            }
        }
    }
    let alike = by_shape.into_values().filter(|runs| runs.len() > 1);
    alike.flat_map(|runs| by_content(workspace, runs, texts)).collect()
}

/// The same runs grouped by files that are equal byte for byte.
fn by_content(workspace: &Workspace, runs: Vec<CheckAt>, texts: Texts<'_>) -> Vec<Vec<CheckAt>> {
    let mut groups: BTreeMap<[u8; 32], Vec<CheckAt>> = BTreeMap::new();
    for place in runs {
        let mut hasher = blake3::Hasher::new();
        let is_read = place.run(workspace).outputs.iter().all(|output| {
            let bytes = texts.bytes(&output.path, MAX_RUN_BYTES);
            bytes.map(|bytes| hasher.update(&bytes)).is_ok()
        });
        if is_read {
            groups.entry(*hasher.finalize().as_bytes()).or_default().push(place);
        }
    }
    groups.into_values().filter(|runs| runs.len() > 1).collect()
}

/// The checks on which runs with equal outputs differ.
fn inconsistent_checks(
    workspace: &Workspace,
    lines: &[CaseHistory],
    line: usize,
    runs: &[CheckAt],
) -> Vec<Inconsistent> {
    let mut verdicts: BTreeMap<Cow<'_, str>, (&str, [Option<CheckAt>; 2])> = BTreeMap::new();
    for place in runs {
        let mut keys: BTreeSet<Cow<'_, str>> = BTreeSet::new();
        for (at, check) in place.run(workspace).expectations().iter().enumerate() {
            if check.outcome != Outcome::Ungraded && keys.insert(key(check)) {
                let seen = verdicts.entry(key(check)).or_insert((&check.text, [None; 2]));
                let side = usize::from(check.outcome == Outcome::Failed);
                seen.1[side].get_or_insert(CheckAt { check: at, ..*place });
            }
        }
    }
    let differing = verdicts.into_values().filter_map(|(text, places)| {
        let [Some(passed), Some(failed)] = places else { return None };
        let (check, places) = (CaseCheck::new(lines, line, text), [passed, failed]);
        let [passed, failed] = places.map(|at| at.run(workspace).path.clone());
        Some(Inconsistent { check, passed, failed, places })
    });
    differing.collect()
}

#[cfg(test)]
mod tests {
    use super::find_inconsistent;
    use crate::analyze::{Texts, analysis};
    use crate::files::Memory;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Output, Run, Workspace};
    use crate::settings::Settings;

    /// Runs with an output and verdicts on two checks, one per iteration.
    fn found(iterations: &[&[(&str, &str)]]) -> Vec<(String, [usize; 2])> {
        let mut files = Vec::new();
        let mut run = |iteration: usize, at: usize, (text, verdicts): &(&str, &str)| {
            let path = format!("{iteration}/{at}/out.md");
            files.push((path.clone(), (*text).to_owned()));
            let output = Output { name: "out.md".to_owned(), path, bytes: text.len() as u64 };
            let check = |(at, letter): (usize, char)| Expectation {
                text: format!("check {at}"),
                outcome: if letter == 'p' { Outcome::Passed } else { Outcome::Failed },
                ..Expectation::default()
            };
            let expectations = verdicts.chars().enumerate().map(check).collect();
            Run {
                configuration: "with_skill".to_owned(),
                number: at as u32 + 1,
                outputs: vec![output],
                gradings: vec![Grading { expectations, ..Grading::default() }],
                ..Run::default()
            }
        };
        let mut iteration = |(index, runs): (usize, &&[(&str, &str)])| {
            let runs = runs.iter().enumerate().map(|(at, found)| run(index, at, found)).collect();
            let case = Case { name: "a".to_owned(), runs, ..Case::default() };
            let configurations = vec!["with_skill".to_owned()];
            Iteration { configurations, cases: vec![case], ..Iteration::default() }
        };
        let iterations = iterations.iter().enumerate().map(&mut iteration).collect();
        let workspace = Workspace { iterations, ..Workspace::default() };
        let source = Memory::new(files);
        let texts = Texts { source: &source, prefix: "" };
        let analysis = analysis(&workspace, &Settings::default());
        let actual = find_inconsistent(&workspace, &analysis, texts).into_iter();
        actual
            .map(|found| (found.check.text, found.places.map(|at| at.iteration * 10 + at.run)))
            .collect()
    }

    #[test]
    fn equal_outputs_with_other_verdicts_are_found_within_and_through_iterations() {
        let check = |at: usize, runs| (format!("check {at}"), runs);
        assert_eq!(found(&[&[("same", "pp"), ("same", "pf")]]), [check(1, [0, 1])]);
        assert_eq!(found(&[&[("same", "ff")], &[("same", "pf")]]), [check(0, [10, 0])]);
        assert_eq!(found(&[&[("same", "pp"), ("other", "ff"), ("diff1", "fp")]]), []);
        assert_eq!(found(&[&[("abcd", "pp"), ("abce", "ff")]]), [], "the size alone is equal");
        assert_eq!(found(&[&[("", "pp"), ("", "ff")]]), [], "there is nothing in them");
    }
}
