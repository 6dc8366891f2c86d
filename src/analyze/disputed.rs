//! What people say of single verdicts: that the grader is wrong, or, without having seen its verdict, whether
//! an output passes a check. Neither changes a verdict: it is counted, and said wherever the verdict counts.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::{CaseHistory, CheckAt, Side};
use input::model::{About, Iteration, Outcome, Review, Run, Workspace};

/// The disputed checks of an iteration by its case and run: those that the run has been checked for, and
/// those on which a person judged otherwise.
pub fn disputed_in(iteration: &Iteration) -> BTreeMap<(usize, usize), BTreeSet<&str>> {
    let mut found: BTreeMap<(usize, usize), BTreeSet<&str>> = BTreeMap::new();
    for (case, run, review) in reviews_of_runs(iteration) {
        for text in &review.disputed {
            if check_of(&iteration.cases[case].runs[run], text).is_some() {
                found.entry((case, run)).or_default().insert(text);
            }
        }
    }
    for ((case, run, check), said) in said_in(iteration) {
        let judged = &iteration.cases[case].runs[run].expectations()[check];
        if is_opposite(said, judged.outcome) {
            found.entry((case, run)).or_default().insert(&judged.text);
        }
    }
    found
}

fn reviews_of_runs(iteration: &Iteration) -> impl Iterator<Item = (usize, usize, &Review)> {
    let reviews = iteration.feedback.iter().flat_map(|feedback| &feedback.reviews);
    reviews.filter_map(|review| match review.about {
        About::Run { case, run } => Some((case, run, review)),
        _ => None,
    })
}

/// The index of the check with this text.
fn check_of(run: &Run, text: &str) -> Option<usize> {
    run.expectations().iter().position(|check| check.text == text)
}

fn is_opposite(one: Outcome, other: Outcome) -> bool {
    one != other && one != Outcome::Ungraded && other != Outcome::Ungraded
}

/// What people say of checks by case, run and check; of several words on one the last.
fn said_in(iteration: &Iteration) -> BTreeMap<(usize, usize, usize), Outcome> {
    let mut said = BTreeMap::new();
    for (case, run, review) in reviews_of_runs(iteration) {
        for judged in &review.judged {
            if let Some(check) = check_of(&iteration.cases[case].runs[run], &judged.check) {
                said.insert((case, run, check), judged.outcome);
            }
        }
    }
    said
}

/// What people say of verdicts that the grader gave, by place; ungraded where they cannot tell.
pub fn judged_by_people(workspace: &Workspace) -> BTreeMap<CheckAt, Outcome> {
    let mut found = BTreeMap::new();
    for (iteration, read) in workspace.iterations.iter().enumerate() {
        for ((case, run, check), said) in said_in(read) {
            let at = CheckAt { iteration, case, run, grading: 0, check };
            if at.check(workspace).outcome != Outcome::Ungraded {
                found.insert(at, said);
            }
        }
    }
    found
}

/// The workspace with the verdicts that people overrule decided as they say; `None` where they overrule none.
pub fn as_people_say(workspace: &Workspace) -> Option<Workspace> {
    let mut overruled: BTreeMap<CheckAt, Outcome> = BTreeMap::new();
    for (iteration, read) in workspace.iterations.iter().enumerate() {
        for ((case, run), texts) in disputed_in(read) {
            for (check, judged) in read.cases[case].runs[run].expectations().iter().enumerate() {
                let opposite = match judged.outcome {
                    Outcome::Passed => Outcome::Failed,
                    Outcome::Failed => Outcome::Passed,
                    Outcome::Ungraded => continue,
                };
                if texts.contains(judged.text.as_str()) {
                    overruled.insert(CheckAt { iteration, case, run, grading: 0, check }, opposite);
                }
            }
        }
    }
    if overruled.is_empty() { None } else { Some(with_verdicts(workspace, &overruled)) }
}

/// The workspace with other verdicts at these places.
pub fn with_verdicts(workspace: &Workspace, verdicts: &BTreeMap<CheckAt, Outcome>) -> Workspace {
    let mut changed = workspace.clone();
    for (at, outcome) in verdicts {
        let run = &mut changed.iterations[at.iteration].cases[at.case].runs[at.run];
        run.gradings[at.grading].expectations[at.check].outcome = *outcome;
    }
    changed
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
            let case_index = lines.iter().position(|history| {
                history.appearance(side.iteration).is_some_and(|found| found.case == case)
            });
            if let Some(case_index) = case_index {
                checks.extend(texts.into_iter().map(|text| (case_index, text)));
            }
        }
    }
    checks
}
