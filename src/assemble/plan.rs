//! What was planned, given to the cases as met: prompts, expected outputs, required marks.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::site;
use crate::discover::IterationKey;
use crate::model::{Case, Expectation, PlannedExpectation, Workspace, fill};
use crate::text::folded_name;

/// Fills every case from the evals; a case without a prompt has that of its transcript in `asked`.
pub(super) fn apply(workspace: &mut Workspace, asked: &BTreeMap<(IterationKey, String), String>) {
    let planned = std::mem::take(&mut workspace.planned);
    for iteration in &mut workspace.iterations {
        join(&planned, &mut iteration.cases);
        for case in &mut iteration.cases {
            if case.name.is_empty() {
                case.name = "unnamed case".to_owned();
            }
            mark(case);
        }
        for ((key, folder), prompt) in asked {
            if !key.is_of(iteration) {
                continue;
            }
            let case = iteration.cases.iter_mut().find(|case| case.folder == *folder);
            if let Some(case) = case.filter(|case| case.prompt.is_none()) {
                case.prompt = Some(prompt.clone());
            }
        }
    }
    workspace.planned = planned;
    name_by_folder(workspace);
}

/// A case without a name has the name and id that other iterations give to its folder, where they
/// agree.
fn name_by_folder(workspace: &mut Workspace) {
    let mut named: BTreeMap<String, BTreeSet<(String, Option<String>)>> = BTreeMap::new();
    for case in workspace.iterations.iter().flat_map(|iteration| &iteration.cases) {
        if case.name != case.folder && !case.folder.is_empty() {
            let name = (case.name.clone(), case.id.clone());
            named.entry(case.folder.clone()).or_default().insert(name);
        }
    }
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    for case in cases.filter(|case| case.name == case.folder) {
        let names: Vec<_> = named.get(&case.folder).into_iter().flatten().collect();
        let [(name, id)] = names[..] else { continue };
        if case.id.is_none() || case.id == *id {
            case.name.clone_from(name);
            case.id.clone_from(id);
        }
    }
}

/// Fills cases from what is planned above them. What is planned alone is for a case without a folder.
pub(super) fn join(planned: &[Case], cases: &mut [Case]) {
    let single = if let [only] = planned { Some(only) } else { None };
    let folders: Vec<String> = cases.iter().map(|case| case.folder.clone()).collect();
    for case in cases {
        let found = find(planned, case, &folders);
        if let Some(found) = found.or(single.filter(|_| case.folder.is_empty())) {
            case.fill_from(found);
            fill(&mut case.name, &found.id.clone().unwrap_or_default());
        }
    }
}

/// Finds the files that cases give to the agent; they are no longer ignored.
pub(super) fn take_inputs(workspace: &mut Workspace) {
    let met = workspace.iterations.iter().flat_map(|iteration| &iteration.cases);
    let names: BTreeSet<&String> = met.flat_map(|case| &case.files).collect();
    let mut by_suffix: BTreeMap<&str, &str> = BTreeMap::new();
    for ignored in workspace.ignored.iter().filter(|ignored| ignored.files == Some(1)) {
        let folders = ignored.path.match_indices('/').map(|(at, _)| at + 1);
        for start in std::iter::once(0).chain(folders) {
            by_suffix.entry(&ignored.path[start..]).or_insert(&ignored.path);
        }
    }
    let path_of = |name: &str| by_suffix.get(name.strip_prefix("./").unwrap_or(name)).copied();
    let found =
        names.into_iter().filter_map(|name| Some((name.clone(), path_of(name)?.to_owned())));
    workspace.inputs = found.collect();
    let paths: BTreeSet<&String> = workspace.inputs.values().collect();
    workspace.ignored.retain(|ignored| !paths.contains(&ignored.path));
}

/// The plan of `case`: by id, else by name, else by the number that its folder alone has.
fn find<'p>(planned: &'p [Case], case: &Case, folders: &[String]) -> Option<&'p Case> {
    let by_id = planned.iter().find(|plan| plan.id.is_some() && plan.id == case.id);
    let name_of = |plan: &Case| plan.stated_name().map(folded_name);
    let wanted = [folded_name(&case.name), folded_name(&case.folder)];
    let by_name = || planned.iter().find(|plan| name_of(plan).is_some_and(|n| wanted.contains(&n)));
    let by_folder = || {
        planned.iter().find(|plan| {
            plan.id.as_deref().is_some_and(|id| {
                let id = folded_name(id);
                wanted.iter().any(|name| *name == id || *name == format!("eval_{id}"))
            })
        })
    };
    let by_number = || {
        let is_its = |plan: &&Case| is_numbered(plan, planned, &case.folder);
        let found = planned.iter().find(is_its).filter(|_| case.id.is_none())?;
        let numbered = folders.iter().filter(|folder| is_numbered(found, planned, folder));
        (numbered.count() == 1).then_some(found)
    };
    by_id.or_else(by_name).or_else(by_folder).or_else(by_number)
}

/// Whether the folder has the number of `plan`, and not the name of another plan after it.
fn is_numbered(plan: &Case, planned: &[Case], folder: &str) -> bool {
    let id = plan.id.as_deref().map(site::number_of);
    let Some(rest) = id.and_then(|id| site::after_number(folder, id)) else { return false };
    let is_its_name =
        |other: &&Case| other.stated_name().is_some_and(|name| folded_name(name) == rest);
    rest.is_empty() || planned.iter().find(is_its_name).is_none_or(|other| other.id == plan.id)
}

/// Gives graded expectations the required mark and the description of the plan.
fn mark(case: &mut Case) {
    let Case { planned, runs, .. } = case;
    let gradings = runs.iter_mut().flat_map(|run| &mut run.gradings);
    for expectation in gradings.flat_map(|grading| &mut grading.expectations) {
        if let Some(plan) = planned.iter().find(|plan| is_same(plan, expectation)) {
            expectation.required = expectation.required.or(plan.required);
            if expectation.description.is_none()
                && plan.description.as_ref() != Some(&expectation.text)
            {
                expectation.description.clone_from(&plan.description);
            }
        }
    }
}

fn is_same(plan: &PlannedExpectation, graded: &Expectation) -> bool {
    let (planned, stated) = (&plan.text, &graded.text);
    plan.id.is_some() && plan.id == graded.id
        || planned == stated
        || planned.trim().to_lowercase() == stated.trim().to_lowercase()
        || plan.id.as_ref() == Some(stated)
}
