//! Records that belong to no run: kept until the iterations are known, then attached to them.

use std::collections::{BTreeMap, BTreeSet};

use crate::assemble::order_by_time;
use crate::assemble::reviews;
use crate::read::Record;
use input::discover::{Document, IterationKey, Kind};
use input::model::{
    BlindComparison, Code, Ignored, Iteration, PersonalJudgement, Problem, RecordedBenchmark, Run,
    TriggerRound, Workspace,
};
use input::names;
use text::{folded, folded_name};

/// A record with its document.
struct Unassigned<'d, T> {
    document: &'d Document,
    record: T,
}

#[derive(Default)]
pub(super) struct UnassignedRecords<'d> {
    skills: Vec<String>,
    benchmarks: Vec<Unassigned<'d, RecordedBenchmark>>,
    /// Reviews, analyses and blind comparisons.
    opinions: Vec<Unassigned<'d, Record>>,
    /// Distinct rounds, each with the folder of its document.
    trigger_rounds: Vec<(&'d str, TriggerRound)>,
    /// Folders that a file calls the newest of their neighbors.
    newest: Vec<String>,
    /// The commit that the summary of a round compares it with, by that round.
    baselines: BTreeMap<String, String>,
    /// Documents of runs that turned out to be outputs.
    foreign: Vec<&'d Document>,
}

impl<'d> UnassignedRecords<'d> {
    /// Takes what is left of a record; what needs no iteration goes to `workspace` at once.
    pub(super) fn take(
        &mut self,
        document: &'d Document,
        mut record: Record,
        workspace: &mut Workspace,
    ) {
        // A document by its name only, such as a `timing.json` that an agent wrote as its output.
        if record.is_foreign && document.place.is_in_run() && document.kind != Kind::Unknown {
            // What lies where the runner writes it should be what its name says.
            if document.kind != Kind::Timing || document.place.in_outputs {
                record.problems.retain(|problem| problem.code != Code::UnknownShape);
            }
            self.foreign.push(document);
        }
        workspace.problems.append(&mut record.problems);
        if let Some(evals) = record.evals.take() {
            workspace.planned.extend(evals.cases);
            self.skills.extend(evals.skill);
            workspace.evals_version = workspace.evals_version.take().or(evals.version);
        }
        workspace.histories.extend(record.history.take());
        if let Some(name) = record.newest.take() {
            self.newest.push(names::join(names::folder(&document.path), name.trim_matches('/')));
        }
        if let Some(name) = record.baseline.take() {
            // Below a folder such as `runs` a round has another path.
            self.baselines.insert(document.place.iteration.path().to_owned(), name);
        }
        for round in record.trigger_rounds.drain(..) {
            self.take_trigger_round(names::folder(&document.path), round, workspace);
        }
        if let Some(benchmark) = record.benchmark.take() {
            self.benchmarks.push(Unassigned { document, record: *benchmark });
        }
        if record.feedback.is_some() || record.analysis.is_some() || !record.comparisons.is_empty()
        {
            self.opinions.push(Unassigned { document, record });
        }
    }

    fn take_trigger_round(
        &mut self,
        folder: &'d str,
        round: TriggerRound,
        workspace: &mut Workspace,
    ) {
        let mut queries = round.queries.iter();
        let has_results = round.total.is_some()
            || queries.any(|query| query.passed.is_some() || query.triggers.is_some());
        // `trigger-eval.json` has the queries to be tried; only results make a round.
        if !has_results {
            let ignored = Ignored::file(&round.path, "queries without results");
            if workspace.ignored.last() != Some(&ignored) {
                workspace.ignored.push(ignored);
            }
            return;
        }
        let mut known = self.trigger_rounds.iter();
        if !known
            .any(|(other_folder, other)| *other_folder == folder && is_same_round(other, &round))
        {
            self.trigger_rounds.push((folder, round));
        }
    }

    pub(super) fn foreign(&self) -> &[&'d Document] {
        &self.foreign
    }

    /// Attaches everything to the iterations of `workspace`. What lies in a copy of an iteration
    /// goes to its original, after what is there. Returns the names that evals give to the skill.
    pub(super) fn attach(
        mut self,
        workspace: &mut Workspace,
        moved: &BTreeMap<IterationKey, IterationKey>,
        newest: &[String],
    ) -> Vec<String> {
        workspace.trigger_rounds =
            self.trigger_rounds.into_iter().map(|(_, round)| round).collect();
        self.benchmarks.sort_by_key(|found| moved.contains_key(&found.document.place.iteration));
        for found in self.benchmarks {
            attach_benchmark(workspace, found, moved);
        }
        self.newest.extend(newest.iter().cloned());
        order_by_time::sort(workspace, &self.newest, &self.baselines);
        self.opinions.sort_by_key(|found| moved.contains_key(&found.document.place.iteration));
        for found in self.opinions {
            attach_opinions(workspace, found, moved);
        }
        self.skills
    }
}

/// Attaches a benchmark to the iteration it measures; one of other runs gets an iteration of its
/// own.
fn attach_benchmark(
    workspace: &mut Workspace,
    found: Unassigned<'_, RecordedBenchmark>,
    moved: &BTreeMap<IterationKey, IterationKey>,
) {
    let Unassigned { document, record: mut benchmark } = found;
    let original = moved.get(&document.place.iteration);
    let key = original.unwrap_or(&document.place.iteration);
    let index = reviews::measured_iteration(workspace, key, &document.path);
    let index = index.unwrap_or_else(|| {
        workspace.iterations.push(reviews::separate_iteration(workspace, &document.path));
        workspace.iterations.len() - 1
    });
    let is_of_workspace = benchmark
        .skill
        .as_ref()
        .is_none_or(|skill| folded_name(&workspace.name).contains(&folded_name(skill)));
    let iteration = &mut workspace.iterations[index];
    if !is_of_workspace && shares_no_check(&benchmark, iteration) {
        let message = "shares no check with the runs of its iteration";
        workspace.problems.push(
            Problem::new(Code::UnrelatedBenchmark, &document.path, message)
                .assuming("not shown with them")
                .help("move it to the runs that it measures"),
        );
        return;
    }
    if let [only] = &iteration.configurations[..] {
        for recorded in benchmark.configurations.iter_mut().filter(|found| found.name.is_empty()) {
            recorded.name.clone_from(only);
        }
    }
    if iteration.runs().any(Run::is_graded) {
        // The runs already have the verdicts: of their gradings, else of this file.
        benchmark.listed.iter_mut().for_each(|run| run.expectations.clear());
    }
    add(&mut iteration.benchmarks, benchmark, original.is_some(), |found| &mut found.path);
}

/// Whether a benchmark and the runs of an iteration have statements, and none in common. Where the
/// names of skills differ too, it is that of another skill, and the report would be called by it.
fn shares_no_check(benchmark: &RecordedBenchmark, iteration: &Iteration) -> bool {
    let graded = iteration.runs().flat_map(Run::expectations);
    let statements: BTreeSet<_> = graded.map(|found| folded(&found.text)).collect();
    let mut listed = benchmark.listed.iter().flat_map(|run| &run.expectations).peekable();
    !statements.is_empty()
        && listed.peek().is_some()
        && !listed.any(|found| statements.contains(&folded(&found.text)))
}

fn attach_opinions(
    workspace: &mut Workspace,
    found: Unassigned<'_, Record>,
    moved: &BTreeMap<IterationKey, IterationKey>,
) {
    let Unassigned { document, record } = found;
    let original = moved.get(&document.place.iteration);
    let key = original.unwrap_or(&document.place.iteration);
    let versions = reviews::versions_in(&document.path);
    let stated = reviews::stated_iteration(workspace, key, versions.as_ref());
    let Some(index) = stated.or_else(|| workspace.last_round()) else {
        let message = "there is no iteration that this document could belong to";
        let problem = Problem::new(Code::UnknownRun, &document.path, message);
        let help = "put it into the iteration's folder";
        workspace.problems.push(problem.assuming("not shown").help(help));
        return;
    };
    let iteration = &mut workspace.iterations[index];
    let is_copy = original.is_some();
    if let Some(feedback) = record.feedback {
        add(&mut iteration.feedback, feedback, is_copy, |found| &mut found.path);
    }
    if let Some(analysis) = record.analysis {
        add(&mut iteration.analyses, *analysis, is_copy, |found| &mut found.path);
    }
    for comparison in record.comparisons {
        let comparison = BlindComparison { versions: versions.clone(), ..comparison };
        if let Some(known) = other_judgement(&mut iteration.comparisons, &comparison) {
            if is_later_judgement(&comparison, known) {
                *known = comparison;
            }
            continue;
        }
        add(&mut iteration.comparisons, comparison, is_copy, |found| &mut found.path);
    }
}

/// What a person is already known to have judged of the same two runs: pages export each judgement to
/// `feedback.json` and to `comparison-human.json`.
fn other_judgement<'k>(
    known: &'k mut [BlindComparison],
    new: &BlindComparison,
) -> Option<&'k mut BlindComparison> {
    let person = new.person.as_ref()?;
    // Judgements typed by hand may name no runs: of one case they are of the same two.
    let names_runs = person.runs.iter().all(|run| !run.is_empty());
    known.iter_mut().find(|known| {
        let is_same = |known: &PersonalJudgement| known.is_on_same_pair(person);
        known.person.as_ref().is_some_and(is_same) && (names_runs || known.case == new.case)
    })
}

fn is_later_judgement(new: &BlindComparison, known: &BlindComparison) -> bool {
    let [new, known] =
        [new, known].map(|judgement| judgement.person.as_ref()?.timestamp.as_deref());
    new > known
}

/// Adds a document; one in a copy of the iteration only if it differs from every known one.
fn add<T: Clone + PartialEq>(
    known: &mut Vec<T>,
    mut new: T,
    is_copy: bool,
    path_of: fn(&mut T) -> &mut String,
) {
    let is_known = is_copy
        && known.iter().any(|other| {
            let mut moved = other.clone();
            path_of(&mut moved).clone_from(path_of(&mut new));
            moved == new
        });
    if !is_known {
        known.push(new);
    }
}

/// Whether two rounds are one: with the same number and description, or with the same queries.
/// Named rounds are told apart by their names, rounds without queries by their counts.
fn is_same_round(a: &TriggerRound, b: &TriggerRound) -> bool {
    let has_other_number = a.number.is_some() && b.number.is_some() && a.number != b.number;
    if a.name != b.name || has_other_number {
        return false;
    }
    if a.queries.is_empty() && b.queries.is_empty() && (a.passed, a.total) != (b.passed, b.total) {
        return false;
    }
    if a.queries == b.queries {
        return true;
    }
    // Of rounds with other queries only a number or a description can say that they are one.
    let is_numbered = a.number.is_some() || b.number.is_some();
    let has_words = a.description.is_some() || a.number.is_some() && b.number.is_some();
    is_numbered && has_words && a.description == b.description
}
