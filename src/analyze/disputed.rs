//! The checks on which people say that the grader is wrong. A dispute changes no verdict: it is counted, and
//! said wherever the verdict counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{CaseHistory, Side};
use input::model::{About, Iteration, Run, Workspace};

/// The disputed checks of an iteration by its case and run: those that the run has been checked for.
pub fn disputed_in(iteration: &Iteration) -> BTreeMap<(usize, usize), BTreeSet<&str>> {
    let mut found: BTreeMap<(usize, usize), BTreeSet<&str>> = BTreeMap::new();
    for review in iteration.feedback.iter().flat_map(|feedback| &feedback.reviews) {
        let About::Run { case, run } = review.about else { continue };
        for text in &review.disputed {
            if has_check(&iteration.cases[case].runs[run], text) {
                found.entry((case, run)).or_default().insert(text);
            }
        }
    }
    found
}

fn has_check(run: &Run, text: &str) -> bool {
    run.expectations().iter().any(|check| check.text == text)
}

/// The disputed checks of these sides, each once: the index of the case in `lines`, and the text of the check.
pub fn disputed<'w>(
    workspace: &'w Workspace,
    lines: &[CaseHistory],
    sides: [&Side; 2],
) -> BTreeSet<(usize, &'w str)> {
    let mut checks = BTreeSet::new();
    for side in sides {
        let iteration = &workspace.iterations[side.iteration];
        for ((case, run), texts) in disputed_in(iteration) {
            if iteration.cases[case].runs[run].configuration != side.configuration {
                continue;
            }
            let is_meant = |line: &CaseHistory| {
                line.appearance(side.iteration).is_some_and(|found| found.case == case)
            };
            if let Some(line) = lines.iter().position(is_meant) {
                checks.extend(texts.into_iter().map(|text| (line, text)));
            }
        }
    }
    checks
}
