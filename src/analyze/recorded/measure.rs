//! What is measured, and how exactly a recorded number of it was written.

use crate::analyze::recorded::entry::Entry;

/// A number that is compared is told apart from noise of its binary form below this.
const NOISE: f64 = 1e-9;

/// Beyond this share of itself a number of seconds or tokens is not merely rounded.
const LARGEST: f64 = 0.02;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    PassRate,
    Time,
    Tokens,
}

impl Measure {
    /// Decimals that such a figure is written with at least.
    fn decimals(self) -> i32 {
        if self == Self::PassRate { 2 } else { 0 }
    }

    /// The figure of one run.
    pub(super) fn value(self, run: &Entry<'_>) -> Option<f64> {
        match self {
            Self::PassRate => run.rate,
            Self::Time => run.metrics.duration_s,
            Self::Tokens => run.metrics.tokens,
        }
    }

    /// Whether `ours` is not what `recorded` may stand for.
    pub(super) fn differs(self, recorded: f64, ours: f64) -> bool {
        let half = half_unit(recorded, self.decimals());
        let least = 0.5 * 10_f64.powi(-4) + NOISE;
        let largest = match self {
            Self::PassRate => half,
            _ => (recorded.abs() * LARGEST).max(least),
        };
        (recorded - ours).abs() > half.min(largest) || !ours.is_finite()
    }

    /// Whether `recorded` is `value` with as many decimals as it was written with.
    pub(super) fn gives(self, recorded: f64, value: f64) -> bool {
        gives(recorded, value, self.decimals())
    }

    /// Whether `recorded` is `ours` rounded more coarsely than figures of its kind are: with one
    /// decimal, or to whole hundreds.
    pub(super) fn is_coarse(self, recorded: f64, ours: f64) -> bool {
        let coarsest = if self == Self::PassRate { 1 } else { -4 };
        let apart = (recorded - ours).abs();
        let is_near = apart <= recorded.abs() * 0.05;
        is_near && recorded != 0.0 && apart <= half_unit(recorded, coarsest)
    }
}

/// Whether `recorded` is `value` with as many decimals as it was written with, at least `decimals`.
pub(super) fn gives(recorded: f64, value: f64, decimals: i32) -> bool {
    (recorded - value).abs() <= half_unit(recorded, decimals)
}

/// Half a unit of the last decimal that `value` was written with, at least of `least` decimals.
fn half_unit(value: f64, least: i32) -> f64 {
    let is_whole = |decimals: &i32| {
        let scaled = value * 10_f64.powi(*decimals);
        (scaled - scaled.round()).abs() <= NOISE * scaled.abs().max(1.0)
    };
    let decimals = (least..=9).find(is_whole).unwrap_or(9);
    0.5 * 10_f64.powi(-decimals) + NOISE * value.abs().max(1.0)
}
