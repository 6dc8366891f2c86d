//! `report.json`, from the outside: what is read back from it is what was written.

#![allow(clippy::disallowed_methods, reason = "tests look at what was written")]

use std::path::Path;

use crate::support;
use crate::support::shared_report;
use evalbook::analyze::{self, analysis};
use evalbook::files::Disk;
use evalbook::model::{Grading, Workspace};
use evalbook::pipeline;
use evalbook::report_json::{self, ReadBack, add_evidence};
use evalbook::settings::Settings;

fn original(folder: &Path) -> Vec<Workspace> {
    let disk = Disk::open(folder).expect("a folder");
    let loaded = pipeline::load(&disk, "workspace", "workspace", &[]).expect("good settings");
    loaded.workspaces.into_iter().map(|read| read.workspace).collect()
}

fn read_back(report: &Path) -> Vec<ReadBack> {
    let text = std::fs::read_to_string(report.join("report.json")).expect("a report");
    report_json::read(&text).expect("a report that can be read")
}

/// The workspace without what only pages show, its configurations in the order of the file.
fn bare(mut workspace: Workspace) -> Workspace {
    let found = analysis(&workspace, &Settings::default());
    for (iteration, found) in workspace.iterations.iter_mut().zip(found.iterations) {
        iteration.configurations = found.roles.order().map(str::to_owned).collect();
    }
    for case in workspace.iterations.iter_mut().flat_map(|it| &mut it.cases) {
        for grading in case.runs.iter_mut().flat_map(|run| &mut run.gradings) {
            let Grading { path, expectations, overall, notes, grader, .. } =
                std::mem::take(grading);
            *grading = Grading { path, expectations, overall, notes, grader, ..Grading::default() };
        }
    }
    workspace
}

#[test]
fn the_analysis_of_what_is_read_back_is_that_of_the_original() {
    for folder in support::examples() {
        let report = shared_report(&folder);
        let original = original(&folder);
        let back = read_back(&report);
        assert_eq!(original.len(), back.len());
        for (original, mut back) in original.into_iter().zip(back) {
            let original = bare(original);
            same_analysis(&original, &back.workspace);
            for (iteration, benchmark) in back.workspace.iterations.iter_mut().zip(&back.benchmarks)
            {
                let text = std::fs::read_to_string(report.join(benchmark)).expect("a benchmark");
                add_evidence(iteration, &text);
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
    let [ours, theirs] = [original, back].map(|it| analysis(it, &settings));
    assert!(ours == theirs, "{}", original.name);
    let expectations = |(workspace, found)| analyze::expectations(workspace, found).lines;
    let [ours, theirs] = [(original, &ours), (back, &theirs)].map(expectations);
    assert!(format!("{ours:?}") == format!("{theirs:?}"), "{}", original.name);
}
