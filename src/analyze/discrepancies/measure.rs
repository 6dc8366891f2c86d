//! What a benchmark records for every run, and the precision with which a number was written.

use input::model::{RecordedBenchmark, RecordedConfiguration, is_other_rate};
use statistics::TIE;

/// Beyond this share of its value, a number of seconds or tokens is not merely rounded.
const ROUNDED_SHARE: f64 = 0.02;

/// A measure that a benchmark records for every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordedMeasure {
    PassRate,
    Time,
    Tokens,
}

impl RecordedMeasure {
    pub const ALL: [Self; 3] = [Self::PassRate, Self::Time, Self::Tokens];

    /// The recorded mean.
    pub(super) fn recorded(self, configuration: &RecordedConfiguration) -> Option<f64> {
        match self {
            Self::PassRate => configuration.rate(),
            Self::Time => configuration.time_s.mean,
            Self::Tokens => configuration.tokens.mean,
        }
    }

    /// The recorded difference of the means.
    pub(super) fn delta(self, benchmark: &RecordedBenchmark) -> Option<f64> {
        match self {
            Self::PassRate => benchmark.delta_pass_rate,
            Self::Time => benchmark.delta_seconds,
            Self::Tokens => benchmark.delta_tokens,
        }
    }

    /// The fewest decimals that this measure is written with.
    fn decimals(self) -> i32 {
        if self == Self::PassRate { 2 } else { 0 }
    }

    /// Whether `recorded` is not `ours` within the precision with which it was written.
    pub(super) fn differs(self, recorded: f64, ours: f64) -> bool {
        if self == Self::PassRate {
            return is_other_rate(recorded, ours, None);
        }
        let largest = (recorded.abs() * ROUNDED_SHARE).max(0.5e-4 + TIE);
        let half = half_unit(recorded, self.decimals());
        (recorded - ours).abs() > half.min(largest) || !ours.is_finite()
    }

    /// Whether `recorded` is `value` rounded to the decimals it was written with.
    pub(super) fn yields(self, recorded: f64, value: f64) -> bool {
        (recorded - value).abs() <= half_unit(recorded, self.decimals())
    }
}

/// Half a unit of the last decimal that `value` was written with, at least of `least` decimals.
fn half_unit(value: f64, least: i32) -> f64 {
    let decimals = (least..=9).find(|decimals| {
        let scaled = value * libm::exp10(f64::from(*decimals));
        (scaled - scaled.round()).abs() <= TIE * scaled.abs().max(1.0)
    });
    0.5 * libm::exp10(f64::from(-decimals.unwrap_or(9))) + TIE * value.abs().max(1.0)
}
