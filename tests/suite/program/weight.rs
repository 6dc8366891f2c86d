//! How heavy pages are, without their assets.

use std::path::Path;

use crate::support::{Workspace, files};

/// Ten cases in five rounds, with three runs of five checks on each side, and no outputs.
fn rounds() -> Workspace {
    let mut place = Workspace::new();
    for iteration in 1..=5 {
        for case in 0..10 {
            for (side, letters) in [("with_skill", "+++-+"), ("without_skill", "+-+--")] {
                for run in 1..=3 {
                    let folder =
                        format!("iteration-{iteration}/quarterly-report-{case}/{side}/run-{run}");
                    place = place.runs(&format!(
                        "{folder} figures-of-the-quarter:{letters} 3{run} 41{run}00"
                    ));
                }
            }
        }
    }
    place
}

fn bytes(path: &Path) -> u64 {
    path.metadata().expect("a page").len()
}

#[test]
fn pages_of_ten_cases_in_five_rounds_are_light() {
    let workspace = rounds();
    let report = workspace.build();
    let overview = bytes(&report.join("index.html"));
    assert!(overview <= 60_000, "the overview has {overview} bytes");
    let reviews: Vec<u64> = files(&report.join("diffs")).iter().map(|path| bytes(path)).collect();
    let most = reviews.into_iter().max().expect("review pages");
    assert!(most <= 40_000, "a review page has {most} bytes");
}
