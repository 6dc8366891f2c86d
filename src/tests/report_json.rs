//! `report.json` of every example: it is read back exactly as written.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::analyze::{self, analysis};
use crate::report_json::{self, ReadBack, add_evidence};
use crate::tests::{examples, load, open, report};
use input::model::{Measured, RecordedCounts, Workspace};
use input::settings::Settings;

fn text(report: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    String::from_utf8(report[path].clone()).expect("text")
}

/// The workspace without contents that only pages show, its configurations in the order of the
/// file.
fn bare(mut workspace: Workspace) -> Workspace {
    let result = analysis(&workspace, &Settings::default());
    for (iteration, result) in workspace.iterations.iter_mut().zip(result.iterations) {
        iteration.configurations = result.roles.order().map(str::to_owned).collect();
    }
    workspace.snapshots.iter_mut().for_each(|snapshot| snapshot.skill = None);
    for case in workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases) {
        for run in &mut case.runs {
            // What runs were measured on is not published.
            run.measured = Measured::default();
            for grading in &mut run.gradings {
                grading.recorded = RecordedCounts::default();
            }
        }
    }
    workspace
}

#[test]
fn the_analysis_of_a_report_read_back_is_the_original_one() {
    for folder in examples() {
        let source = open(&folder);
        let (_, report) = report(&source);
        let original: Vec<Workspace> =
            load(&source).workspaces.into_iter().map(|read| read.workspace).collect();
        let back: Vec<ReadBack> =
            report_json::read(&text(&report, "report.json")).expect("a report that can be read");
        assert_eq!(original.len(), back.len());
        for (original, mut back) in original.into_iter().zip(back) {
            let original = bare(original);
            same_analysis(&original, &back.workspace);
            for (iteration, benchmark) in back.workspace.iterations.iter_mut().zip(&back.benchmarks)
            {
                add_evidence(iteration, &text(&report, benchmark));
            }
            assert_eq!(original.snapshots, back.workspace.snapshots);
            for (ours, theirs) in original.iterations.iter().zip(&back.workspace.iterations) {
                assert!(ours.cases == theirs.cases, "{} {}", folder.display(), ours.name);
            }
        }
    }
}

#[test]
fn the_file_has_content_that_pages_show() {
    let mut total = [0; 5];
    for folder in examples() {
        let source = open(&folder);
        let (_, report) = report(&source);
        let file: Value = serde_json::from_str(&text(&report, "report.json")).expect("JSON");
        let workspaces = load(&source).workspaces;
        for (read, written) in workspaces.iter().zip(file["workspaces"].as_array().expect("a list"))
        {
            let workspace = &read.workspace;
            let length = |node: &Value, key: &str| node[key].as_array().map_or(0, Vec::len);
            let iterations = written["iterations"].as_array().expect("a list");
            let sum = |key: &str| iterations.iter().map(|node| length(node, key)).sum::<usize>();
            let all_iterations = workspace.iterations.iter();
            let counts = [
                all_iterations.clone().map(|iteration| iteration.feedback.len()).sum(),
                all_iterations.clone().map(|iteration| iteration.comparisons.len()).sum(),
                all_iterations.map(|iteration| iteration.analyses.len()).sum(),
                workspace.histories.len(),
                workspace.trigger_rounds.len(),
            ];
            let written = [
                sum("feedback"),
                sum("comparisons"),
                sum("analyses"),
                length(written, "histories"),
                length(written, "trigger_rounds"),
            ];
            assert_eq!(written, counts, "{}", folder.display());
            total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        }
    }
    assert!(total.iter().all(|count| *count > 0), "the examples have all of them: {total:?}");
}

fn same_analysis(original: &Workspace, back: &Workspace) {
    let settings = Settings::default();
    let [ours, theirs] = [original, back].map(|workspace| {
        let mut result = analysis(workspace, &settings);
        // Recorded benchmarks are in files of their own.
        result.iterations.iter_mut().for_each(|iteration| iteration.discrepancies.clear());
        result
    });
    assert!(ours == theirs, "{}", original.name);
    let expectations = |(workspace, found)| analyze::expectations(workspace, found).histories;
    let [ours, theirs] = [(original, &ours), (back, &theirs)].map(expectations);
    assert!(format!("{ours:?}") == format!("{theirs:?}"), "{}", original.name);
}
