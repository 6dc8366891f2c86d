//! What a benchmark of the round records that its gradings do not.

use crate::analyze::{RecordedFigure, RecordedMeasure, Side};
use crate::digest::news::{Finding, Scene, author};
use input::model::{RecordedBenchmark, RecordedConfiguration};
use input::names;

/// A recorded rate that differs by less is rounding, or another way to count.
const DIFFERS: f64 = 0.05;

/// A file inside the round that states another pass rate, and nothing explains it.
pub(super) fn differs(scene: &Scene<'_>) -> Option<Finding> {
    let iteration = scene.iteration();
    let folder = format!("{}/", iteration.path);
    let found = &scene.analysis.iterations[scene.after.iteration];
    for (benchmark, discrepancies) in iteration.benchmarks.iter().zip(&found.discrepancies) {
        if !benchmark.path.starts_with(&folder) && !iteration.path.is_empty() {
            continue;
        }
        for found in discrepancies {
            let is_rate = found.figure == RecordedFigure::Mean(RecordedMeasure::PassRate);
            let (recorded, counted) = (found.recorded, found.ours);
            if !is_rate || (recorded - counted).abs() < DIFFERS {
                continue;
            }
            let side = found.configuration.clone();
            let listed = listed_checks(benchmark, side.as_deref());
            let graded = graded_checks(scene, side.as_deref());
            let listed = listed.filter(|listed| *listed != graded && graded > 0);
            if found.cause.is_none() || listed.is_some() {
                let file = names::file_name(&benchmark.path).to_owned();
                let found =
                    Finding::RecordedDiffers { file, side, recorded, counted, listed, graded };
                return Some(found);
            }
        }
    }
    None
}

/// The checks of a side that a benchmark counts run by run: graders may have had others, as in the
/// workspaces of `raddue/crucible`.
fn listed_checks(benchmark: &RecordedBenchmark, side: Option<&str>) -> Option<usize> {
    let runs = benchmark.listed.iter().filter(|run| run.configuration.as_deref() == side);
    let checks = runs.filter_map(|run| run.counts.total).sum::<f64>();
    (checks > 0.0).then_some(checks as usize)
}

fn graded_checks(scene: &Scene<'_>, side: Option<&str>) -> usize {
    let Some(side) = side else { return 0 };
    scene.analysis.tally_of(&Side::new(scene.after.iteration, side)).graded()
}

/// The side that a benchmark of the round records beside the one whose runs are here.
pub(super) fn other_side(scene: &Scene<'_>) -> Option<Finding> {
    for benchmark in &scene.iteration().benchmarks {
        let is_other = |found: &&RecordedConfiguration| found.name != scene.after.configuration;
        let mut others = benchmark.configurations.iter().filter(is_other);
        let (Some(other), None) = (others.next(), others.next()) else { continue };
        if let Some(rate) = other.pass_rate.mean {
            let file = names::file_name(&benchmark.path).to_owned();
            let (side, is_earlier) = (other.name.clone(), benchmark.is_baseline_old);
            let note = author::about_side(&scene.remarks, &side);
            return Some(Finding::RecordedOther { file, side, rate, is_earlier, note });
        }
    }
    None
}
