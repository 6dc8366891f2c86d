//! Verdicts that only a recorded benchmark has: read as gradings of the runs it lists.
//!
//! Many workspaces are committed without their gradings. A `benchmark.json` with each run's
//! verdicts is as good as the files it was made from, but only where none of those is left.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::{GradingRecord, Labels, Record};
use input::discover::{Document, IterationKey, Kind, Section, names};
use input::model::{Code, Grading, Notes, Problem, RecordedRun};

/// The case, configuration and number of a listed run.
type RunName = [Option<String>; 4];

/// Adds a grading for each run that a benchmark lists with verdicts, in iterations without any
/// verdict of their own.
pub(super) fn add_gradings(section: &Section, records: &mut [Record]) {
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
        if graded.contains(key) || key.is_group() && !may_measure_group(section, &graded) {
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

/// Whether a benchmark outside all iterations can be of runs of its own: above iterations, it is
/// about one of them.
fn may_measure_group(section: &Section, graded: &BTreeSet<IterationKey>) -> bool {
    graded.is_empty() && section.iterations.iter().all(|iteration| iteration.key.is_group())
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
