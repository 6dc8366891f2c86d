//! `report.json` of every example: what is read back from it is what was written.

use std::collections::BTreeMap;

use crate::analyze::{self, analysis};
use crate::model::{Grading, Workspace};
use crate::report_json::{self, ReadBack, add_evidence};
use crate::settings::Settings;
use crate::tests::{examples, load, open, report};

fn text(report: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    String::from_utf8(report[path].clone()).expect("text")
}

/// The workspace without what only pages show, its configurations in the order of the file.
fn bare(mut workspace: Workspace) -> Workspace {
    let found = analysis(&workspace, &Settings::default());
    for (iteration, found) in workspace.iterations.iter_mut().zip(found.iterations) {
        iteration.configurations = found.roles.order().map(str::to_owned).collect();
    }
    for case in workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases) {
        for grading in case.runs.iter_mut().flat_map(|run| &mut run.gradings) {
            let Grading { path, expectations, overall, notes, grader, conventions, .. } =
                grading.clone();
            let (overall_score, required_score) = (grading.overall_score, grading.required_score);
            let is_scored = grading.is_scored;
            *grading = Grading {
                path,
                expectations,
                overall,
                notes,
                grader,
                conventions,
                overall_score,
                required_score,
                is_scored,
                ..Grading::default()
            };
        }
    }
    workspace
}

#[test]
fn the_analysis_of_what_is_read_back_is_that_of_the_original() {
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
            assert_eq!(original.gates, back.workspace.gates);
            assert_eq!(original.snapshots, back.workspace.snapshots);
            for (ours, theirs) in original.iterations.iter().zip(&back.workspace.iterations) {
                assert!(ours.cases == theirs.cases, "{} {}", folder.display(), ours.name);
            }
        }
    }
}

fn same_analysis(original: &Workspace, back: &Workspace) {
    let settings = Settings::default();
    let [ours, theirs] = [original, back].map(|workspace| {
        let mut found = analysis(workspace, &settings);
        // What benchmarks record is in files of their own.
        found.iterations.iter_mut().for_each(|iteration| iteration.discrepancies.clear());
        found
    });
    assert!(ours == theirs, "{}", original.name);
    let expectations = |(workspace, found)| analyze::expectations(workspace, found).lines;
    let [ours, theirs] = [(original, &ours), (back, &theirs)].map(expectations);
    assert!(format!("{ours:?}") == format!("{theirs:?}"), "{}", original.name);
}
