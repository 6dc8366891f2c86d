//! Assemble: the one place that decides which source wins.
//!
//! An index says what is known of cases, iterations and folders (`index`, `location`); one pass over
//! the records then assigns the rest to its run (`draft`).
//!
//! Which source wins:
//!
//! | number | sources, the first that has it |
//! |---|---|
//! | verdicts | the list of expectations; never a summary; those of a benchmark where no run of the iteration has any |
//! | a run graded twice | the grading in the run's own folder, then the configuration's, then a roll-up; `grading.json` before `grading-old.json`, and before the numbered ones of graders beside it |
//! | tokens, cost, model | `timing.json`, other metrics documents, the grading; never characters |
//! | durations | as above: a run's own `timing.json` before those in its outputs, the grading's `timing` last; the grader's time is kept apart |
//! | prompt, expected output | the case's metadata, then `evals.json` |
//! | baseline and candidate | decided in `analyze`, never by the order of folders |
//! | name of a configuration | the label of the settings, then the newest spelling of a folder, of a file, of a document |
//! | name of a case | its metadata, unless another case of the iteration has it too; then its folder |

mod benchmark_verdicts;
mod blind_sides;
mod case_names;
mod contradictions;
mod draft;
mod index;
mod levels;
mod loadings;
mod location;
mod metrics;
mod not_measured;
mod old_skill;
mod order_by_time;
mod plan;
mod reused;
mod reviews;
mod snapshots;
mod spellings;
mod unassigned;
mod unread;
mod versions;

pub(crate) use crate::assemble::loadings::add_loadings;
pub(crate) use crate::assemble::not_measured::mark_lost;
pub(crate) use crate::assemble::reused::take_reused;
pub use crate::assemble::spellings::relabel;
pub(crate) use crate::assemble::unread::name_test_reports;

use std::borrow::Cow;

use crate::assemble::draft::Draft;
use crate::assemble::index::Index;
use crate::assemble::order_by_time::sort_by_name;
use crate::assemble::unassigned::UnassignedRecords;
use crate::read::Record;
use input::discover::{FoundIteration, IterationKey, Kind, Section};
use input::model::{Case, Iteration, Problem, Workspace};
use text::natural_order;

/// Builds a workspace from the `records` of `section.documents`; `path` is the folder as the user
/// named it, and `read` gives the bytes of a file in it.
pub fn workspace(
    section: &Section,
    mut records: Vec<Record>,
    path: &str,
    read: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Workspace {
    let mut ignored = unread::sort_out(section, &mut records);
    let section = benchmark_verdicts::join_parallel(Cow::Borrowed(section));
    benchmark_verdicts::add_gradings(&section, &mut records);
    let section = blind_sides::resolve(section, &mut records);
    versions::settle(&section, &mut records);
    let section = levels::settle(section, &records);
    let section = &*spellings::unify(&section, &mut records);
    let index = Index::new(section, &records);
    let mut draft = Draft::new(section, &index);
    draft.drop_roll_ups(section, &mut records);
    for (document, record) in section.documents.iter().zip(&mut records) {
        draft.take_gradings(document, record);
    }
    let mut workspace = Workspace {
        name: section.name.clone(),
        path: path.to_owned(),
        files: section.files,
        ignored: section.ignored.clone(),
        problems: section.problems.clone(),
        ..Workspace::default()
    };
    let mut rest = UnassignedRecords::default();
    let mut measured = Vec::new();
    for (document, mut record) in section.documents.iter().zip(records) {
        draft.take_figures(document, &mut record);
        measured.extend(record.measured.take().map(|found| (&document.place, found)));
        rest.take(document, record, &mut workspace);
    }
    draft.take_outputs(section, rest.foreign());
    for (place, measured) in measured {
        draft.take_measured(place, *measured);
    }
    draft.join_copies(read);
    workspace.iterations = iterations(section, &mut draft);
    let skills = rest.attach(&mut workspace, &draft.moved, &section.newest);
    workspace.ignored.append(&mut ignored);
    workspace.ignored.append(&mut draft.report.ignored);
    workspace.ignored.sort_by(|a, b| natural_order(&a.path, &b.path));
    workspace.problems.append(&mut draft.report.problems);
    let graded_skill = draft.skill.take();
    workspace.problems.extend(index.problems);
    workspace.planned.extend(index.above);
    workspace.snapshots = snapshots::list_snapshots(section, &workspace);
    plan::apply(&mut workspace, &index.asked);
    plan::take_inputs(&mut workspace);
    case_names::separate_names(&mut workspace, section);
    case_names::mark_same_prompts(&mut workspace);
    let reviews = section.documents.iter().filter(|document| document.kind == Kind::Feedback);
    let places = reviews.map(|document| (document.path.as_str(), &document.place)).collect();
    for iteration in &mut workspace.iterations {
        workspace.problems.extend(reviews::attach(iteration, &places));
    }
    old_skill::rename(&mut workspace);
    contradictions::find(&mut workspace);
    workspace.skill = skill(&workspace, skills, graded_skill);
    sort_problems(&mut workspace.problems);
    workspace
}

/// The iterations with their cases, in order; those whose runs are all copies are left out.
fn iterations(section: &Section, draft: &mut Draft<'_>) -> Vec<Iteration> {
    let mut cases = draft.take_cases();
    let mut iterations = Vec::new();
    for FoundIteration { key, name } in &section.iterations {
        if !draft.moved.contains_key(key) {
            let cases = cases.remove(key).unwrap_or_default();
            iterations.push(iteration(key, name, cases));
        }
    }
    // Iterations that only documents name.
    for (key, cases) in cases {
        let name = if key.path().is_empty() { &section.name } else { key.path() };
        iterations.push(iteration(&key, name, cases));
    }
    iterations.retain(|iteration| !iteration.implicit || !iteration.cases.is_empty());
    sort_by_name(&mut iterations);
    iterations
}

fn iteration(key: &IterationKey, name: &str, cases: Vec<Case>) -> Iteration {
    let runs = cases.iter().flat_map(|case| &case.runs);
    let mut configurations: Vec<String> = runs.map(|run| run.configuration.clone()).collect();
    configurations.sort_by(|a, b| natural_order(a, b));
    configurations.dedup();
    Iteration {
        name: name.to_owned(),
        path: key.path().to_owned(),
        implicit: key.is_group(),
        configurations,
        cases,
        ..Iteration::default()
    }
}

/// The skill's name: from its evals, its history, the newest benchmark, then any grading.
fn skill(workspace: &Workspace, evals: Vec<String>, graded: Option<String>) -> Option<String> {
    let histories = workspace.histories.iter().filter_map(|history| history.skill.clone());
    let benchmarks = workspace.iterations.iter().rev().flat_map(|iteration| &iteration.benchmarks);
    let benchmarks = benchmarks.filter_map(|benchmark| benchmark.skill.clone());
    let stated = evals.into_iter().chain(histories).chain(benchmarks).chain(graded).next()?;
    // Some benchmarks record the path of the skill.
    let name = stated.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()?;
    if name.is_empty() { None } else { Some(name.to_owned()) }
}

/// Sorts by path, place, then severity, and drops duplicates.
pub(crate) fn sort_problems(problems: &mut Vec<Problem>) {
    problems.sort_by(|a, b| {
        natural_order(&a.path, &b.path)
            .then_with(|| (a.place, a.code, &a.message).cmp(&(b.place, b.code, &b.message)))
    });
    problems.dedup();
}

#[cfg(test)]
mod tests;
