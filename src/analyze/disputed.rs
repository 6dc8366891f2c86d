//! The checks on which people say that the grader is wrong. A dispute changes no verdict: it is counted, and
//! said wherever the verdict counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Side;
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

/// The disputed checks of these sides: the name of the case and the text of the check, each once.
pub fn disputed<'w>(workspace: &'w Workspace, sides: [&Side; 2]) -> BTreeSet<(&'w str, &'w str)> {
    let mut checks = BTreeSet::new();
    for side in sides {
        let iteration = &workspace.iterations[side.iteration];
        for ((case, run), texts) in disputed_in(iteration) {
            let case = &iteration.cases[case];
            if case.runs[run].configuration == side.configuration {
                checks.extend(texts.into_iter().map(|text| (case.name.as_str(), text)));
            }
        }
    }
    checks
}
