//! Applies plans to the cases found: prompts, expected outputs, required marks.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::location;
use crate::discover::{IterationKey, names};
use crate::model::{Case, PlannedExpectation, Workspace, fill};
use crate::text::folded_name;

/// Fills every case from the evals; a case without a prompt gets the one of its transcript in
/// `asked`.
pub(super) fn apply(workspace: &mut Workspace, asked: &BTreeMap<(IterationKey, String), String>) {
    for iteration in &mut workspace.iterations {
        join(&workspace.planned, &mut iteration.cases);
        for case in &mut iteration.cases {
            if case.name.is_empty() {
                case.name = "unnamed case".to_owned();
            }
            mark(case);
        }
        for ((key, folder), prompt) in asked {
            let is_here = key.is_of(iteration);
            let mut cases = iteration.cases.iter_mut().filter(|case| case.folder == *folder);
            if let Some(case) = cases.next().filter(|case| is_here && case.prompt.is_none()) {
                case.prompt = Some(prompt.clone());
            }
        }
    }
    name_by_folder(workspace);
}

/// Gives a case without a name the name and id that other iterations give to its folder, if they
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

/// Fills cases from the plans above them. A single plan applies to a case without a folder.
pub(super) fn join(planned: &[Case], cases: &mut [Case]) {
    let plans = Plans::new(planned, cases);
    for case in cases {
        let alone = || planned.first().filter(|_| planned.len() == 1 && case.folder.is_empty());
        if let Some(plan) = plans.find(case).or_else(alone) {
            case.fill_from(plan);
            fill(&mut case.name, &plan.id.clone().unwrap_or_default());
        }
    }
}

/// Finds the input files of cases; they are no longer ignored.
pub(super) fn take_inputs(workspace: &mut Workspace) {
    let cases = workspace.iterations.iter().flat_map(|iteration| &iteration.cases);
    let names: BTreeSet<&String> = cases.flat_map(|case| &case.files).collect();
    let mut by_suffix: BTreeMap<&str, &str> = BTreeMap::new();
    for ignored in workspace.ignored.iter().filter(|ignored| ignored.files == Some(1)) {
        let folders = ignored.path.match_indices('/').map(|(at, _)| at + 1);
        for start in std::iter::once(0).chain(folders) {
            by_suffix.entry(&ignored.path[start..]).or_insert(&ignored.path);
        }
    }
    let matches = names.into_iter().filter_map(|name| {
        let path = by_suffix.get(name.strip_prefix("./").unwrap_or(name))?;
        Some((name.clone(), (*path).to_owned()))
    });
    workspace.inputs = matches.collect();
    let paths: BTreeSet<&String> = workspace.inputs.values().collect();
    workspace.ignored.retain(|ignored| !paths.contains(&ignored.path));
}

/// Plans by the names of cases; the first of several with one name counts.
#[derive(Default)]
struct Plans<'p> {
    planned: &'p [Case],
    by_id: BTreeMap<&'p str, usize>,
    by_name: BTreeMap<String, usize>,
    /// By id, both as is and as the name of a folder.
    by_folder: BTreeMap<String, usize>,
    by_number: BTreeMap<&'p str, Vec<usize>>,
    /// The text after the number in the folders of cases, by that number.
    folders: BTreeMap<String, Vec<String>>,
}

impl<'p> Plans<'p> {
    fn new(planned: &'p [Case], cases: &[Case]) -> Self {
        let mut plans = Self { planned, ..Self::default() };
        for (at, plan) in planned.iter().enumerate() {
            if let Some(name) = plan.stated_name() {
                plans.by_name.entry(folded_name(name)).or_insert(at);
            }
            let Some(id) = &plan.id else { continue };
            plans.by_id.entry(id).or_insert(at);
            plans.by_folder.entry(format!("eval_{}", folded_name(id))).or_insert(at);
            plans.by_folder.entry(folded_name(id)).or_insert(at);
            let number = names::unpadded(location::number_of(id));
            plans.by_number.entry(number).or_default().push(at);
        }
        for (number, rest) in cases.iter().filter_map(|case| names::case_number(&case.folder)) {
            plans.folders.entry(number).or_default().push(rest);
        }
        plans
    }

    /// The plan of `case`: by id, else by name, else by a number that only its folder has.
    fn find(&self, case: &Case) -> Option<&'p Case> {
        let wanted = [folded_name(&case.name), folded_name(&case.folder)];
        let first = |plans: &BTreeMap<String, usize>| {
            wanted.iter().filter_map(|name| plans.get(name)).min().copied()
        };
        // A folder with the number of one plan and the name of another belongs to the latter.
        let is_its = |at: usize, rest: &String| {
            let other = self.by_name.get(rest).filter(|_| !rest.is_empty());
            other.is_none_or(|other| self.planned[*other].id == self.planned[at].id)
        };
        let by_number = || {
            let (number, rest) = names::case_number(&case.folder).filter(|_| case.id.is_none())?;
            let mut numbered = self.by_number.get(number.as_str())?.iter().copied();
            let plan = numbered.find(|at| is_its(*at, &rest))?;
            let folders = self.folders.get(&number)?.iter();
            (folders.filter(|rest| is_its(plan, rest)).count() == 1).then_some(plan)
        };
        let by_id = case.id.as_deref().and_then(|id| self.by_id.get(id).copied());
        let by_name = by_id.or_else(|| first(&self.by_name));
        let plan = by_name.or_else(|| first(&self.by_folder)).or_else(by_number)?;
        self.planned.get(plan)
    }
}

/// Copies the required mark and the description of the plan to graded expectations.
fn mark(case: &mut Case) {
    let Case { planned, runs, .. } = case;
    let gradings = runs.iter_mut().flat_map(|run| &mut run.gradings);
    for graded in gradings.flat_map(|grading| &mut grading.expectations) {
        let stated = &graded.text;
        let is_same = |plan: &&PlannedExpectation| {
            plan.id.is_some() && plan.id == graded.id
                || plan.text == *stated
                || plan.text.trim().to_lowercase() == stated.trim().to_lowercase()
                || plan.id.as_ref() == Some(stated)
        };
        if let Some(plan) = planned.iter().find(is_same) {
            graded.required = graded.required.or(plan.required);
            if graded.description.is_none() && plan.description.as_ref() != Some(stated) {
                graded.description.clone_from(&plan.description);
            }
        }
    }
}
