//! Verdicts that only a recorded benchmark has: read as gradings of the runs it lists.
//!
//! Many workspaces are committed without their gradings. A `benchmark.json` with each run's
//! verdicts is as good as the files it was made from, but only where none of those is left.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::read::{GradingRecord, Labels, Record};
use input::discover::{Document, IterationKey, Kind, Section, list_again};
use input::model::{Code, Grading, Notes, Problem, RecordedRun};
use input::names;

/// The case, configuration and number of a listed run.
type RunName = [Option<String>; 4];

/// Adds a grading for each run that a benchmark lists with verdicts, in iterations without any
/// verdict of their own.
pub(super) fn add_gradings(section: &Section, records: &mut [Record]) {
    // 26 rounds of 8 public repositories have their benchmark and nothing else.
    let graded = graded_iterations(section, records);
    let mut benchmarks: Vec<(&Document, &mut Record)> = section
        .documents
        .iter()
        .zip(records)
        .filter(|(document, _)| is_benchmark(document))
        .collect();
    // `benchmark.json` before others of its iteration, such as `benchmark-lite.json`.
    benchmarks.sort_by_key(|(document, _)| names::file_name(&document.path) != "benchmark.json");
    let mut known: BTreeMap<IterationKey, BTreeMap<RunName, Grading>> = BTreeMap::new();
    for (document, record) in benchmarks {
        let key = &document.place.iteration;
        if graded.contains(key) || key.is_group() && !may_measure_group(section, &graded, key) {
            continue;
        }
        let known = known.entry(key.clone()).or_default();
        add_gradings_of(document, record, known);
    }
}

fn is_benchmark(document: &Document) -> bool {
    document.kind == Kind::Benchmark
}

/// The iterations in which some grading has a verdict.
fn graded_iterations(section: &Section, records: &[Record]) -> BTreeSet<IterationKey> {
    let mut graded = BTreeSet::new();
    for (document, record) in section.documents.iter().zip(records) {
        if record.gradings.iter().any(|found| found.grading.tally().graded() > 0) {
            graded.insert(document.place.iteration.clone());
        }
    }
    graded
}

/// Whether a benchmark outside all iterations can be of runs of its own, as `tier2/benchmark.json`
/// beside `tier2/dock-notice`: above iterations, it is about one of them.
fn may_measure_group(
    section: &Section,
    graded: &BTreeSet<IterationKey>,
    key: &IterationKey,
) -> bool {
    let are_groups = section.iterations.iter().all(|iteration| iteration.key.is_group());
    graded.is_empty() && are_groups
        || !key.path().is_empty()
            && section.places().any(|place| place.iteration == *key && place.is_in_run())
}

/// `section` with the benchmarks that have a tree of their own, `results/iteration-1/benchmark.json`, in
/// the rounds of their name that have the runs, `transcripts/iteration-1`.
pub(super) fn join_parallel<'s>(section: Cow<'s, Section>) -> Cow<'s, Section> {
    let (mut with_runs, mut with_benchmark) = (BTreeSet::new(), BTreeSet::new());
    for place in section.places().filter(|place| place.is_in_run()) {
        with_runs.insert(&place.iteration);
    }
    let benchmarks = section.documents.iter().filter(|document| is_benchmark(document));
    with_benchmark.extend(benchmarks.map(|document| &document.place.iteration));
    let [runs_in, benchmarks_in] = [&with_runs, &with_benchmark].map(|keys| {
        keys.iter().map(|key| names::folder(key.path()).to_owned()).collect::<BTreeSet<String>>()
    });
    let mut homes: BTreeMap<IterationKey, IterationKey> = BTreeMap::new();
    for key in with_benchmark.difference(&with_runs).filter(|key| !key.is_group()) {
        let mut same = with_runs.iter().filter(|other| {
            names::file_name(other.path()) == names::file_name(key.path())
                && !benchmarks_in.contains(names::folder(other.path()))
        });
        if let (Some(home), None) = (same.next(), same.next())
            && !runs_in.contains(names::folder(key.path()))
        {
            homes.insert((*key).clone(), (*home).clone());
        }
    }
    if homes.is_empty() {
        return section;
    }
    let mut section = section.into_owned();
    for document in &mut section.documents {
        if let Some(home) = homes.get(&document.place.iteration) {
            document.place.iteration.clone_from(home);
        }
    }
    section.iterations.retain(|found| !homes.contains_key(&found.key));
    list_again(&mut section);
    Cow::Owned(section)
}

fn add_gradings_of(
    document: &Document,
    record: &mut Record,
    known: &mut BTreeMap<RunName, Grading>,
) {
    let Some(benchmark) = &record.benchmark else { return };
    let mut contradicted = None;
    for run in benchmark.listed.iter().filter(|run| run.tally.graded() > 0) {
        let graded = grading_of(run, &document.path);
        let name = run_name(run);
        // Runs without a number are one after another; those of one file are never one run.
        match known.get(&name).filter(|first| first.path != document.path) {
            Some(first) if first.same_verdicts(&graded.grading) => {}
            Some(first) => contradicted = Some(first.path.clone()),
            None => {
                known.insert(name, graded.grading.clone());
                record.gradings.push(graded);
            }
        }
    }
    if let Some(first) = contradicted {
        let message = format!("lists other verdicts on runs that `{first}` lists too");
        record.problems.push(
            Problem::new(Code::SecondGrading, &document.path, message)
                .assuming(format!("those of `{first}` were taken"))
                .help("keep one benchmark in an iteration"),
        );
    }
}

fn run_name(run: &RecordedRun) -> RunName {
    let number = run.run.map(|number| number.to_string());
    [run.case_id.clone(), run.case_name.clone(), run.configuration.clone(), number]
}

fn grading_of(run: &RecordedRun, path: &str) -> GradingRecord {
    let labels = Labels {
        case_id: run.case_id.clone(),
        case_name: run.case_name.clone(),
        configuration: run.configuration.clone(),
        run: run.run,
        ..Labels::default()
    };
    let grading = Grading {
        path: path.to_owned(),
        is_recorded: true,
        expectations: run.expectations.clone(),
        recorded: run.counts,
        notes: Notes { other: run.notes.clone(), ..Notes::default() },
        ..Grading::default()
    };
    GradingRecord {
        labels,
        grading,
        metrics: run.metrics.clone(),
        is_run: true,
        ..GradingRecord::default()
    }
}
