//! Which pairs of runs are reviewed, and in which order.

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::analyze::{CasePairs, Flip, FlipKind, Pair, RunPair, run_pairs};
use crate::digest::changes::FlipCache;
use crate::model::Outcome;

/// The pairs of runs that are reviewed, line by line, for each pair of sides of the line.
///
/// The pair that stands for two sides is that of the first run of the newer side in which a check
/// fails that regressed or fails on both sides; else that of its first run. In the newest iteration
/// every other run of the newer side is reviewed as well, after that one.
pub(crate) fn reviewed_pairs<'a>(known: &FlipCache<'a>) -> Vec<Vec<Vec<RunPair<'a>>>> {
    let of_line = |(line, pairs): (usize, &CasePairs)| {
        pairs.pairs.iter().map(|pair| reviewed_runs(known, line, pair)).collect()
    };
    known.analysis.pairs.par_iter().enumerate().map(of_line).collect()
}

fn reviewed_runs<'a>(known: &FlipCache<'a>, line: usize, pair: &Pair) -> Vec<RunPair<'a>> {
    let mut runs = run_pairs(known.workspace, &known.analysis.lines[line], pair);
    if runs.is_empty() {
        return runs;
    }
    let flips = known.between(&pair.before, &pair.after);
    let is_failing =
        |flip: &&Flip| matches!(flip.kind, FlipKind::Regressed | FlipKind::StillFailing);
    let failing: BTreeSet<&str> =
        flips.on(line).iter().filter(is_failing).map(|flip| flip.text).collect();
    let fails = |pair: &RunPair<'_>| {
        let mut checks = pair.after.expectations().iter();
        checks.any(|check| check.outcome == Outcome::Failed && failing.contains(&*check.text))
    };
    let first = runs.iter().position(fails).unwrap_or(0);
    runs[..=first].rotate_right(1);
    if known.analysis.newest_run() != Some(pair.after.iteration) {
        runs.truncate(1);
    }
    runs
}
