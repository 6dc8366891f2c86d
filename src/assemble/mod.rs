//! Assemble: the one place that decides which source wins.
//!
//! Entry point: [`workspace`]. Steps:
//!
//! 1. Every record gets its iteration, case, configuration and run: from the folders it lies in,
//!    then from what it says itself (`site`).
//! 2. Runs are put together: gradings, figures, outputs, transcript (`draft`).
//! 3. Cases take prompts and required marks from the plan (`plan`).
//! 4. What needs more than one document is checked (`checks`).
//!
//! Before that every configuration gets one spelling (`spellings`). The places that problems made here
//! name came with the records.
//!
//! Which source wins:
//!
//! | number | sources, the first that has it |
//! |---|---|
//! | verdicts | the list of expectations; never a summary |
//! | a run graded twice | the grading in the run's own folder, then the configuration's, then a roll-up; `grading.json` before `grading-old.json`, and before the numbered ones of graders beside it |
//! | tokens, cost, model | `timing.json`, other metrics documents, the grading; never characters |
//! | durations | the grading's `timing` where it agrees with `timing.json` up to the grader's time, then as above; the grader's time is kept apart where recorded apart |
//! | prompt, expected output | the case's metadata, then `evals.json` |
//! | baseline and candidate | decided in `analyze`, never by the order of folders |
//! | name of a configuration | the label of the settings, then the newest spelling of a folder, of a file, of a document |
//! | name of a case | its metadata, unless another case of the iteration has it too; then its folder |

mod called;
mod checks;
mod cost;
mod draft;
mod labels;
mod plan;
mod reviews;
mod rounds;
mod site;
mod snapshots;
mod spellings;

pub use crate::assemble::labels::relabel;

use std::collections::BTreeMap;

use crate::assemble::draft::Draft;
use crate::discover::{FoundIteration, IterationKey, Kind, Section, sort_iterations};
use crate::model::{
    BlindComparison, Feedback, Iteration, PostHocAnalysis, Problem, RecordedBenchmark, Run,
    Workspace,
};
use crate::read::Record;
use crate::text::natural_order;

/// Puts the records of one section together. `records` are those of `section.documents`, in the
/// same order; `path` is the workspace as the user named it.
pub fn workspace(section: &Section, records: Vec<Record>, path: &str) -> Workspace {
    let mut workspace = Workspace {
        name: section.name.clone(),
        path: path.to_owned(),
        files: section.files,
        ignored: section.ignored.clone(),
        problems: section.problems.clone(),
        ..Workspace::default()
    };
    let mut records = records;
    let section = &*spellings::unify(section, &mut records);
    take_workspace_wide(&mut workspace, &mut records);
    workspace.trigger_rounds = rounds::take(section, &mut records);
    let mut draft = Draft::new(section);
    draft.fill(section, &mut records);
    workspace.iterations = iterations(section, &mut draft);
    workspace.ignored.append(&mut draft.ignored);
    workspace.problems.append(&mut draft.problems);
    workspace.planned.append(&mut draft.planned);
    attach_beside_runs(&mut workspace, section, &mut records);
    workspace.snapshots = snapshots::of(section, &workspace);
    plan::apply(&mut workspace);
    draft.give_prompts(&mut workspace);
    called::apart(&mut workspace, section);
    let reviews = section.documents.iter().filter(|document| document.kind == Kind::Feedback);
    let places = reviews.map(|document| (document.path.as_str(), &document.place)).collect();
    for iteration in &mut workspace.iterations {
        workspace.problems.extend(reviews::attach(iteration, &places));
    }
    checks::run(&mut workspace, &draft.scored);
    workspace.skill = skill(&workspace, &records, draft.skill.take());
    workspace.problems.extend(records.into_iter().flat_map(|record| record.problems));
    workspace.ignored.sort_by(|a, b| natural_order(&a.path, &b.path));
    workspace
}

fn take_workspace_wide(workspace: &mut Workspace, records: &mut [Record]) {
    for record in records {
        if let Some(evals) = &mut record.evals {
            workspace.planned.append(&mut evals.cases);
        }
        workspace.histories.extend(record.history.take());
        workspace.gates = workspace.gates.take().or(record.gates.take());
    }
}

fn iterations(section: &Section, draft: &mut Draft) -> Vec<Iteration> {
    let mut drafted = draft.take_cases();
    let found: BTreeMap<&IterationKey, &FoundIteration> =
        section.iterations.iter().map(|found| (&found.key, found)).collect();
    let mut iterations: Vec<Iteration> = section
        .iterations
        .iter()
        .map(|found| iteration(found, drafted.remove(&found.key).unwrap_or_default()))
        .collect();
    for (key, cases) in drafted {
        let name = match &key {
            IterationKey::Folder(path) | IterationKey::Group(path) => path.clone(),
        };
        let name = if name.is_empty() { section.name.clone() } else { name };
        debug_assert!(!found.contains_key(&key), "an iteration is drafted once");
        iterations.push(iteration(&FoundIteration { key, name }, cases));
    }
    iterations.retain(|iteration| !iteration.implicit || !iteration.cases.is_empty());
    in_order(&mut iterations);
    iterations
}

/// Sorts iterations by their names; what lies outside all of them comes first.
fn in_order(iterations: &mut [Iteration]) {
    let is_outside = |it: &Iteration| it.implicit && it.path.is_empty();
    sort_iterations(iterations, |it| if is_outside(it) { "" } else { &it.name });
}

fn iteration(found: &FoundIteration, cases: Vec<crate::model::Case>) -> Iteration {
    let (path, implicit) = match &found.key {
        IterationKey::Folder(path) => (path.clone(), false),
        IterationKey::Group(path) => (path.clone(), true),
    };
    let mut configurations: Vec<String> =
        cases.iter().flat_map(|case| &case.runs).map(|run| run.configuration.clone()).collect();
    configurations.sort_by(|a, b| natural_order(a, b));
    configurations.dedup();
    Iteration {
        name: found.name.clone(),
        path,
        implicit,
        configurations,
        cases,
        ..Iteration::default()
    }
}

/// Gives each iteration what lies beside its runs.
fn attach_beside_runs(workspace: &mut Workspace, section: &Section, records: &mut [Record]) {
    attach_benchmarks(workspace, section, records);
    for (document, record) in section.documents.iter().zip(records) {
        let beside = Beside {
            feedback: record.feedback.take(),
            comparisons: std::mem::take(&mut record.comparisons),
            analysis: record.analysis.take(),
        };
        if beside.is_empty() {
            continue;
        }
        let versions = reviews::versions_in(&document.path);
        let index = reviews::iteration_of(workspace, &document.place.iteration, versions.as_ref());
        let Some(index) = index else {
            workspace.problems.push(reviews::homeless(&document.path));
            continue;
        };
        beside.put(&mut workspace.iterations[index], versions);
    }
}

/// Gives each iteration its benchmarks; one of other runs than those of the iterations gets an
/// iteration of its own.
fn attach_benchmarks(workspace: &mut Workspace, section: &Section, records: &mut [Record]) {
    let mut is_new = false;
    for (document, record) in section.documents.iter().zip(records) {
        let Some(benchmark) = record.benchmark.take() else { continue };
        let key = &document.place.iteration;
        let index = reviews::measured_iteration(workspace, key, &document.path);
        let index = index.unwrap_or_else(|| {
            is_new = true;
            workspace.iterations.push(reviews::apart(workspace, &document.path));
            workspace.iterations.len() - 1
        });
        put_benchmark(&mut workspace.iterations[index], benchmark);
    }
    if is_new {
        in_order(&mut workspace.iterations);
    }
}

fn put_benchmark(iteration: &mut Iteration, mut benchmark: RecordedBenchmark) {
    if iteration.runs().any(Run::is_graded) {
        // The verdicts are in the gradings already.
        benchmark.listed.iter_mut().for_each(|run| run.expectations.clear());
    }
    iteration.benchmarks.push(benchmark);
}

/// What lies beside the runs of an iteration.
struct Beside {
    feedback: Option<Feedback>,
    comparisons: Vec<BlindComparison>,
    analysis: Option<PostHocAnalysis>,
}

impl Beside {
    fn is_empty(&self) -> bool {
        self.feedback.is_none() && self.comparisons.is_empty() && self.analysis.is_none()
    }

    fn put(self, iteration: &mut Iteration, versions: Option<(String, String)>) {
        iteration.feedback.extend(self.feedback);
        iteration.analyses.extend(self.analysis);
        let of_versions = |found| BlindComparison { versions: versions.clone(), ..found };
        iteration.comparisons.extend(self.comparisons.into_iter().map(of_versions));
    }
}

/// The skill's name: from its evals, its history, the newest benchmark, then any grading.
fn skill(workspace: &Workspace, records: &[Record], graded: Option<String>) -> Option<String> {
    let from_evals = records.iter().filter_map(|record| record.evals.as_ref()?.skill.clone());
    let from_history = workspace.histories.iter().filter_map(|history| history.skill.clone());
    let benchmarks = workspace.iterations.iter().rev().flat_map(|iteration| &iteration.benchmarks);
    let from_benchmarks = benchmarks.filter_map(|benchmark| benchmark.skill.clone());
    let named = from_evals.chain(from_history).chain(from_benchmarks).chain(graded).next()?;
    let name = named
        .trim_end_matches(['/', '\\'])
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .to_owned();
    (!name.is_empty()).then_some(name)
}

/// By path, place, then severity; doubles are dropped.
pub fn sort(problems: &mut Vec<Problem>) {
    problems.sort_by(|a, b| {
        natural_order(&a.path, &b.path)
            .then(a.place.cmp(&b.place))
            .then(a.code.cmp(&b.code))
            .then(a.message.cmp(&b.message))
    });
    problems.dedup();
}

#[cfg(test)]
mod tests;
