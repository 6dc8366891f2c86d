//! What an expectation tells about the difference of two sides.

use super::proportion::Share;

/// What the runs of both sides say about one expectation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usefulness {
    /// Fails more often on the first side: a regression, to be listed first.
    FavoursSecond,
    /// Passes more often on the first side.
    FavoursFirst,
    /// Passes in some runs, as often on both sides.
    Same,
    /// Passed in every run: cannot show what the first side adds.
    AlwaysPasses,
    /// Failed in every run: broken or too hard.
    AlwaysFails,
}

impl Usefulness {
    /// Sorts an expectation by what passed on either side, without rounding.
    pub fn of(first: Share, second: Share) -> Self {
        let crossed = |a: Share, b: Share| u128::from(a.passed()) * u128::from(b.total());
        let (ahead, behind) = (crossed(first, second), crossed(second, first));
        if ahead > behind {
            Self::FavoursFirst
        } else if ahead < behind {
            Self::FavoursSecond
        } else if first.passed() == 0 {
            Self::AlwaysFails
        } else if first.passed() == first.total() {
            Self::AlwaysPasses
        } else {
            Self::Same
        }
    }
}

/// Rate of the first side minus rate of the second.
pub fn discrimination(first: Share, second: Share) -> f64 {
    first.rate() - second.rate()
}
