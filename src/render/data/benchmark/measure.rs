//! What is measured of every configuration, and how it changed.

use crate::analyze::ConfigurationSummary;
use crate::statistics::Spread;

/// One measure of the runs of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// Share of the graded expectations that passed, in 0..=1.
    PassRate,
    Seconds,
    Tokens,
}

impl Measure {
    /// Every measure, in the order written.
    pub(super) const ALL: [Self; 3] = [Self::PassRate, Self::Seconds, Self::Tokens];

    /// The measure over the runs of one configuration; `None` where no run recorded it, or where
    /// what was recorded is too large to be summed.
    pub(super) fn spread(self, summary: &ConfigurationSummary) -> Option<Spread> {
        let spread = match self {
            Self::PassRate => summary.pass_rate,
            Self::Seconds => summary.duration_s,
            Self::Tokens => summary.tokens,
        };
        spread.filter(|spread| spread.mean.is_finite() && spread.stddev.is_none_or(f64::is_finite))
    }

    /// Mean of `candidate` minus mean of `baseline`, unrounded; `None` where either is missing.
    pub(super) fn change(
        self,
        candidate: &ConfigurationSummary,
        baseline: &ConfigurationSummary,
    ) -> Option<f64> {
        let change = self.spread(candidate)?.mean - self.spread(baseline)?.mean;
        change.is_finite().then_some(change)
    }
}
