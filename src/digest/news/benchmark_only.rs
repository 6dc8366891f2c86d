//! What a benchmark of the round records that its gradings do not.

use crate::analyze::{RecordedFigure, RecordedMeasure, Side};
use crate::digest::news::{Finding, Scene, author};
use input::model::{Iteration, RecordedBenchmark};
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

/// A side that only a benchmark of the round knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RecordedSide<'a> {
    pub(crate) file: &'a str,
    pub(crate) name: &'a str,
    /// Its recorded pass rate in 0..=1.
    pub(crate) rate: f64,
    /// Whether the author says that it is an earlier version of the skill.
    pub(crate) is_earlier: bool,
}

/// The one side that a benchmark of `iteration` records beside `configuration`.
// In `swtch1/dotfiles` the second round of two skills has the gradings of the new skill alone.
pub(crate) fn other_side<'a>(
    iteration: &'a Iteration,
    configuration: &str,
) -> Option<RecordedSide<'a>> {
    for benchmark in &iteration.benchmarks {
        // Where it has other names, nothing says which of them is the candidate.
        if !benchmark.configurations.iter().any(|found| found.name == configuration) {
            continue;
        }
        let mut others =
            benchmark.configurations.iter().filter(|found| found.name != configuration);
        let (Some(other), None) = (others.next(), others.next()) else { continue };
        if let Some(rate) = other.pass_rate.mean {
            return Some(RecordedSide {
                file: names::file_name(&benchmark.path),
                name: &other.name,
                rate,
                is_earlier: benchmark.is_baseline_old,
            });
        }
    }
    None
}

/// Says that the other side has no gradings, only a benchmark.
pub(super) fn other_recorded(scene: &Scene<'_>) -> Option<Finding> {
    let other = other_side(scene.iteration(), &scene.after.configuration)?;
    Some(Finding::RecordedOther {
        file: other.file.to_owned(),
        side: other.name.to_owned(),
        rate: other.rate,
        is_earlier: other.is_earlier,
        note: author::about_side(&scene.remarks, other.name),
    })
}
