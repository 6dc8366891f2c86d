//! `tea/en/with_skill` next to `soup/en/with_skill`: names alone do not say whether `tea` or `en` is
//! the case. The lower folder is taken; where the checks say that it is the upper one, a problem does.

use std::collections::{BTreeMap, BTreeSet};

use input::model::{Code, Iteration, Problem, Run, Workspace};
use text::folded_name;

/// The checks by case, of all runs below one upper folder.
type ChecksByCase<'a> = BTreeMap<&'a str, BTreeSet<String>>;

/// An upper folder with what lies below it.
struct UpperFolder<'a> {
    name: &'a str,
    run: &'a Run,
    checks: ChecksByCase<'a>,
}

/// A problem for each iteration whose upper folders are likely to be the cases.
pub(super) fn find(workspace: &Workspace) -> Vec<Problem> {
    let mut problems = Vec::new();
    // Outside iterations the upper folders are taken for rounds of their own.
    let mut rounds = Vec::new();
    for iteration in &workspace.iterations {
        let folders = upper_folders(iteration);
        problems.extend(problem(&folders));
        if iteration.implicit {
            rounds.extend(folders.into_iter().filter(|folder| folder.name == iteration.name));
        }
    }
    problems.extend(problem(&rounds));
    problems
}

/// The folders above the cases that became conditions, `tea` of `tea/with_skill`, else the iteration.
fn upper_folders(iteration: &Iteration) -> Vec<UpperFolder<'_>> {
    let mut folders: BTreeMap<&str, UpperFolder<'_>> = BTreeMap::new();
    for case in &iteration.cases {
        for run in case.runs.iter().filter(|run| run.is_graded()) {
            let condition = run.configuration.rsplit_once('/').map(|(above, _)| above);
            let name = condition.unwrap_or(&iteration.name);
            let new = UpperFolder { name, run, checks: BTreeMap::new() };
            let folder = folders.entry(name).or_insert(new);
            let texts = run.expectations().iter().map(|check| folded_name(&check.text));
            folder.checks.entry(&case.name).or_default().extend(texts);
        }
    }
    folders.into_values().collect()
}

/// Checks belong to a case. So the upper folders are the cases if each has the same checks in all
/// folders below it, and no two of them have the same.
fn problem(folders: &[UpperFolder<'_>]) -> Option<Problem> {
    let first = folders.first()?;
    let below: Vec<&str> = first.checks.keys().copied().collect();
    let mut lists: BTreeSet<&BTreeSet<String>> = BTreeSet::new();
    for folder in folders {
        let mut own = folder.checks.values();
        let list = own.next()?;
        let has_same_cases = folder.checks.keys().eq(first.checks.keys());
        if !has_same_cases || list.is_empty() || own.any(|other| other != list) {
            return None;
        }
        lists.insert(list);
    }
    if folders.len() < 2 || below.len() < 2 || lists.len() < folders.len() {
        return None;
    }
    let (upper, lower) = (first.name, below[0]);
    let message =
        format!("`{upper}` may be a case: its checks are the same in `{lower}` and all others");
    let assumed = format!("read as a condition, and `{lower}` as a case");
    let help = format!("if `{upper}` is the case, put an `eval_metadata.json` into it");
    let problem = Problem::new(Code::CaseContradicts, &first.run.path, message);
    Some(problem.assuming(assumed).help(help))
}
