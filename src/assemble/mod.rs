//! Assemble: the one place that decides which source wins.
//!
//! An index says what is known of cases, iterations and folders (`index`, `location`); one pass over
//! the records then assigns the rest to its run (`draft`).
//!
//! Which source wins:
//!
//! | number | sources, the first that has it |
//! |---|---|
//! | verdicts | the list of expectations; never a summary |
//! | a run graded twice | the grading in the run's own folder, then the configuration's, then a roll-up; `grading.json` before `grading-old.json`, and before the numbered ones of graders beside it |
//! | tokens, cost, model | `timing.json`, other metrics documents, the grading; never characters |
//! | durations | as above: a run's own `timing.json` before those in its outputs, the grading's `timing` last; the grader's time is kept apart |
//! | prompt, expected output | the case's metadata, then `evals.json` |
//! | baseline and candidate | decided in `analyze`, never by the order of folders |
//! | name of a configuration | the label of the settings, then the newest spelling of a folder, of a file, of a document |
//! | name of a case | its metadata, unless another case of the iteration has it too; then its folder |

mod case_names;
mod contradictions;
mod cost;
mod draft;
mod index;
mod location;
mod plan;
mod reviews;
mod snapshots;
mod spellings;

pub use crate::assemble::spellings::relabel;

use std::collections::BTreeMap;

use crate::assemble::draft::Draft;
use crate::assemble::index::Index;
use crate::discover::{
    Document, FoundIteration, IterationKey, Kind, Section, names, sort_iterations,
};
use crate::model::{
    BlindComparison, Case, Code, Ignored, Iteration, Problem, RecordedBenchmark, Run, TriggerQuery,
    TriggerRound, Workspace,
};
use crate::read::Record;
use crate::text::natural_order;

/// Builds a workspace from the `records` of `section.documents`; `path` is the folder as the user
/// named it.
pub fn workspace(section: &Section, mut records: Vec<Record>, path: &str) -> Workspace {
    let section = &*spellings::unify(section, &mut records);
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
    for (document, mut record) in section.documents.iter().zip(records) {
        draft.take_figures(document, &mut record);
        rest.take(document, record, &mut workspace);
    }
    draft.take_outputs(section, &rest.foreign);
    draft.join_copies();
    workspace.iterations = iterations(section, &mut draft);
    let moved = std::mem::take(&mut draft.moved);
    rest.move_to_originals(&moved);
    workspace.trigger_rounds = rest.trigger_rounds.into_iter().map(|(_, round)| round).collect();
    attach_benchmarks(&mut workspace, rest.benchmarks);
    attach_words(&mut workspace, rest.words);
    let Draft { report, skill: graded, .. } = draft;
    workspace.ignored.extend(report.ignored);
    workspace.ignored.sort_by(|a, b| natural_order(&a.path, &b.path));
    workspace.problems.extend(report.problems);
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
    contradictions::find(&mut workspace);
    workspace.skill = skill(&workspace, rest.skills, graded);
    sort_problems(&mut workspace.problems);
    workspace
}

type DocumentIteration<'d> = (&'d Document, &'d IterationKey);

/// Records that belong to no run, kept until the iterations are known.
#[derive(Default)]
struct UnassignedRecords<'d> {
    skills: Vec<String>,
    benchmarks: Vec<(DocumentIteration<'d>, RecordedBenchmark)>,
    words: Vec<(DocumentIteration<'d>, Record)>,
    /// Distinct rounds, each with the folder of its document.
    trigger_rounds: Vec<(&'d str, TriggerRound)>,
    /// Documents of runs that turned out to be outputs.
    foreign: Vec<&'d Document>,
}

impl<'d> UnassignedRecords<'d> {
    fn take(&mut self, document: &'d Document, mut record: Record, workspace: &mut Workspace) {
        if record.is_foreign && document.place.is_in_run() {
            record.problems.retain(|problem| problem.code != Code::UnknownShape);
            self.foreign.push(document);
        }
        workspace.problems.append(&mut record.problems);
        if let Some(evals) = record.evals.take() {
            workspace.planned.extend(evals.cases);
            self.skills.extend(evals.skill);
            workspace.evals_version = workspace.evals_version.take().or(evals.version);
        }
        workspace.histories.extend(record.history.take());
        workspace.gates = workspace.gates.take().or(record.gates.take());
        let folder = names::folder(&document.path);
        for round in record.trigger_rounds.drain(..) {
            let has_result =
                |query: &TriggerQuery| query.passed.is_some() || query.triggers.is_some();
            let is_known =
                |(at, other): &(&str, TriggerRound)| *at == folder && is_same_round(other, &round);
            if round.total.is_none() && !round.queries.iter().any(has_result) {
                let set = Ignored::file(&round.path, "queries without results");
                if workspace.ignored.last() != Some(&set) {
                    workspace.ignored.push(set);
                }
            } else if !self.trigger_rounds.iter().any(is_known) {
                self.trigger_rounds.push((folder, round));
            }
        }
        let home = (document, &document.place.iteration);
        self.benchmarks.extend(record.benchmark.take().map(|benchmark| (home, benchmark)));
        if record.feedback.is_some() || record.analysis.is_some() || !record.comparisons.is_empty()
        {
            self.words.push((home, record));
        }
    }

    /// Moves records in a copy of an iteration to its original, after those already there.
    fn move_to_originals(&mut self, moved: &'d BTreeMap<IterationKey, IterationKey>) {
        let original =
            |home: &mut DocumentIteration<'d>| home.1 = moved.get(home.1).unwrap_or(home.1);
        self.benchmarks.sort_by_cached_key(|(home, _)| moved.contains_key(home.1));
        self.words.sort_by_cached_key(|(home, _)| moved.contains_key(home.1));
        self.benchmarks.iter_mut().for_each(|(home, _)| original(home));
        self.words.iter_mut().for_each(|(home, _)| original(home));
    }
}

fn iterations(section: &Section, draft: &mut Draft) -> Vec<Iteration> {
    let mut drafted = draft.take_cases();
    let listed =
        section.iterations.iter().filter(|iteration| !draft.moved.contains_key(&iteration.key));
    let listed: Vec<(FoundIteration, Vec<Case>)> = listed
        .map(|iteration| (iteration.clone(), drafted.remove(&iteration.key).unwrap_or_default()))
        .collect();
    let others = drafted.into_iter().map(|(key, cases)| {
        let name = if key.path().is_empty() { &section.name } else { key.path() }.to_owned();
        (FoundIteration { key, name }, cases)
    });
    let iteration = |(FoundIteration { key, name }, cases): (FoundIteration, Vec<Case>)| {
        let runs = cases.iter().flat_map(|case| &case.runs);
        let mut configurations: Vec<String> = runs.map(|run| run.configuration.clone()).collect();
        configurations.sort_by(|a, b| natural_order(a, b));
        configurations.dedup();
        let (path, implicit) = (key.path().to_owned(), key.is_group());
        Iteration { name, path, implicit, configurations, cases, ..Iteration::default() }
    };
    let mut iterations: Vec<Iteration> = listed.into_iter().chain(others).map(iteration).collect();
    iterations.retain(|iteration| !iteration.implicit || !iteration.cases.is_empty());
    sort_by_name(&mut iterations);
    iterations
}

/// Sorts iterations by their names; those outside any folder come first.
fn sort_by_name(iterations: &mut [Iteration]) {
    sort_iterations(iterations, |iteration| {
        match iteration.implicit && iteration.path.is_empty() {
            true => "",
            false => &iteration.name,
        }
    });
}

fn attach_words(workspace: &mut Workspace, words: Vec<(DocumentIteration<'_>, Record)>) {
    for ((document, key), record) in words {
        let versions = reviews::versions_in(&document.path);
        let stated = reviews::stated_iteration(workspace, key, versions.as_ref());
        let Some(index) = stated.or_else(|| workspace.last_round()) else {
            let message = "there is no iteration that this document could belong to";
            let problem = Problem::new(Code::UnknownRun, &document.path, message);
            let help = "put it into the iteration's folder";
            workspace.problems.push(problem.assuming("not shown").help(help));
            continue;
        };
        let iteration = &mut workspace.iterations[index];
        let with_versions =
            |comparison| BlindComparison { versions: versions.clone(), ..comparison };
        let comparisons = record.comparisons.into_iter().map(with_versions);
        let is_copy = *key != document.place.iteration;
        add(&mut iteration.feedback, record.feedback, is_copy, |document| &mut document.path);
        add(&mut iteration.analyses, record.analysis, is_copy, |document| &mut document.path);
        add(&mut iteration.comparisons, comparisons, is_copy, |document| &mut document.path);
    }
}

/// Adds a document; a copy only if it differs from every known one in more than its path.
fn add<T: PartialEq>(
    items_so_far: &mut Vec<T>,
    items: impl IntoIterator<Item = T>,
    is_copy: bool,
    path: fn(&mut T) -> &mut String,
) {
    for mut new in items {
        let path_of_new = std::mem::take(path(&mut new));
        let mut is_same = |earlier: &mut T| {
            let other = std::mem::take(path(earlier));
            let is_same = *earlier == new;
            *path(earlier) = other;
            is_same
        };
        if !is_copy || !items_so_far.iter_mut().any(&mut is_same) {
            *path(&mut new) = path_of_new;
            items_so_far.push(new);
        }
    }
}

/// Assigns each iteration its benchmarks; one of other runs gets an iteration of its own.
fn attach_benchmarks(
    workspace: &mut Workspace,
    benchmarks: Vec<(DocumentIteration<'_>, RecordedBenchmark)>,
) {
    for ((document, key), mut benchmark) in benchmarks {
        let index = reviews::measured_iteration(workspace, key, &document.path);
        let index = index.unwrap_or_else(|| {
            workspace.iterations.push(reviews::separate_iteration(workspace, &document.path));
            workspace.iterations.len() - 1
        });
        let iteration = &mut workspace.iterations[index];
        if iteration.runs().any(Run::is_graded) {
            // The gradings already have the verdicts.
            benchmark.listed.iter_mut().for_each(|run| run.expectations.clear());
        }
        let is_copy = *key != document.place.iteration;
        add(&mut iteration.benchmarks, [benchmark], is_copy, |benchmark| &mut benchmark.path);
    }
    sort_by_name(&mut workspace.iterations);
}

/// The skill's name: from its evals, its history, the newest benchmark, then any grading.
fn skill(workspace: &Workspace, evals: Vec<String>, graded: Option<String>) -> Option<String> {
    let histories = workspace.histories.iter().filter_map(|history| history.skill.clone());
    let benchmarks = workspace.iterations.iter().rev().flat_map(|iteration| &iteration.benchmarks);
    let benchmarks = benchmarks.filter_map(|benchmark| benchmark.skill.clone());
    let named = evals.into_iter().chain(histories).chain(benchmarks).chain(graded).next()?;
    let name = named.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

/// Whether two rounds are one: with the same number and description, or with the same queries.
/// Named rounds are told apart by their names, rounds without queries by their counts.
fn is_same_round(a: &TriggerRound, b: &TriggerRound) -> bool {
    let same_number = a.number == b.number || a.number.is_none() || b.number.is_none();
    let both_numbered = a.number.is_some() && b.number.is_some();
    let named = a.description.is_some() || both_numbered;
    let unnamed = a.number.is_none() && b.number.is_none() && a.queries != b.queries;
    let same_words = named && a.description == b.description && !unnamed;
    let has_queries = !a.queries.is_empty() || !b.queries.is_empty();
    let same_counts = has_queries || (a.passed, a.total) == (b.passed, b.total);
    let same_queries = a.queries == b.queries;
    a.name == b.name && same_number && same_counts && (same_words || same_queries)
}

/// By path, place, then severity; duplicates are dropped.
pub fn sort_problems(problems: &mut Vec<Problem>) {
    problems.sort_by(|a, b| {
        let rest = |problem: &Problem| (problem.place, problem.code);
        let by_rest = || rest(a).cmp(&rest(b)).then_with(|| a.message.cmp(&b.message));
        natural_order(&a.path, &b.path).then_with(by_rest)
    });
    problems.dedup();
}

#[cfg(test)]
mod tests;
