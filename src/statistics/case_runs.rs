//! One case with the runs of both sides: what the rules of the scale are given.

use super::sum::mean;

/// The run scores of one case that both sides have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CaseRuns<'r> {
    /// Scores of the first side's runs, each in 0..=1; at least one.
    pub first: &'r [f64],
    /// Scores of the second side's runs, each in 0..=1; at least one.
    pub second: &'r [f64],
    /// Checks per run, above 0; their harmonic mean where the runs differ.
    pub checks: f64,
}

impl CaseRuns<'_> {
    /// Mean of the first side minus mean of the second; `None` without runs on both sides.
    pub fn difference(&self) -> Option<f64> {
        Some(mean(self.first)? - mean(self.second)?)
    }

    /// Runs per side, K: the harmonic mean of both sides, as the noise of the difference goes with
    /// 1/Kₐ + 1/Kᵦ.
    pub(super) fn runs(&self) -> f64 {
        2.0 / (1.0 / self.first.len() as f64 + 1.0 / self.second.len() as f64)
    }
}

/// The difference of every case; `None` when one has none.
pub(super) fn differences(cases: &[CaseRuns<'_>]) -> Option<Vec<f64>> {
    cases.iter().map(CaseRuns::difference).collect()
}
