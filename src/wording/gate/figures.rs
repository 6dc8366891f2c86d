//! Figures of a gate, with as many decimals as tell them from their limits.

use crate::analyze::{Cost, CostKind};
use input::settings::CostLimit;
use text::{fixed, signed, signed_points};

/// How the limit of a cost is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ShownLimit {
    pub(super) form: CostForm,
    pub(super) most: f64,
}

impl ShownLimit {
    pub(super) fn new(kind: CostKind, limit: CostLimit) -> Self {
        match (limit, kind) {
            (CostLimit::Share(share), _) => Self { form: CostForm::Percent, most: share * 100.0 },
            (CostLimit::Amount(most), CostKind::Time) => Self { form: CostForm::Seconds, most },
            (CostLimit::Amount(most), _) => Self { form: CostForm::Tokens, most },
        }
    }
}

/// In what a cost is shown: as its limit was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CostForm {
    Percent,
    Seconds,
    Tokens,
    Times,
}

impl CostForm {
    /// The value of a ratio of costs in this form.
    pub(super) fn value(self, ratio: f64, cost: &Cost) -> f64 {
        match self {
            Self::Percent => (ratio - 1.0) * 100.0,
            Self::Seconds | Self::Tokens => (ratio - 1.0) * cost.before.unwrap_or(0.0),
            Self::Times => ratio,
        }
    }

    pub(super) fn fewest_decimals(self) -> usize {
        match self {
            Self::Percent | Self::Tokens => 0,
            Self::Seconds | Self::Times => 1,
        }
    }

    pub(super) fn number(self, value: f64, decimals: usize) -> String {
        if self == Self::Times { fixed(value, decimals) } else { signed(value, decimals) }
    }
}

/// Decimals of a limit that are shown, and those that are tried to tell a figure from its limit.
const LIMIT_DECIMALS: usize = 4;
const ALL_DECIMALS: usize = 8;

/// The number of decimals that the limit has, or more if needed to tell the figure from it.
pub(super) fn decimals(
    fewest: usize,
    figure: f64,
    limit: f64,
    show: impl Fn(f64, usize) -> String,
) -> usize {
    let written = without_zeros(fixed(limit, LIMIT_DECIMALS));
    let written = written.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    let fewest = fewest.max(written);
    for decimals in fewest..=ALL_DECIMALS {
        if without_zeros(show(figure, decimals)) != without_zeros(show(limit, decimals)) {
            return decimals;
        }
    }
    fewest
}

pub(super) fn points(value: f64, decimals: usize) -> String {
    if decimals == 0 { signed_points(value / 100.0).0 } else { signed(value, decimals) }
}

pub(super) fn without_zeros(number: String) -> String {
    if !number.contains('.') {
        return number;
    }
    number.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{decimals, points, without_zeros};
    use text::{fixed, signed};

    #[test]
    fn a_figure_is_on_its_side_of_the_limit() {
        for (figure, limit, shown) in [
            (12.5, 12.5, ["+12.5", "12.5"]),
            (12.5, 12.0, ["+13", "12"]),
            (12.5, 13.0, ["+12.5", "13"]),
            (0.3, 0.0, ["+0.3", "0"]),
            (-0.04, 0.0, ["\u{2212}0.04", "0"]),
            (-0.3, -10.0, ["±0", "\u{2212}10"]),
            (30.0, 12.5, ["+30", "12.5"]),
        ] {
            let decimals = decimals(0, figure, limit, points);
            let actual = [points(figure, decimals), fixed(limit, decimals)].map(without_zeros);
            assert_eq!(actual, shown);
        }
        let endless = decimals(1, 40.0, 100.0 / 3.0, signed);
        assert_eq!(without_zeros(signed(100.0 / 3.0, endless)), "+33.3333");
    }
}
