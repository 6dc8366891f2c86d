//! What a check shows about the skill: it helps, hurts, always passes, always fails.

use std::cmp::Ordering;

use crate::analyze::Roles;
use input::model::Tally;

// The skill-creator asks its analyzer for checks that pass, or fail, with and without the skill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Usefulness {
    /// The candidate passes more often than the baseline, in several runs of both.
    Helps,
    /// The baseline passes more often than the candidate, in several runs of both.
    Hurts,
    /// The candidate passes more often, and a side has a single run: a check that passes half the time
    /// shows this in a quarter of all tries.
    PassedOnce,
    /// The baseline passes more often, and a side has a single run.
    FailedOnce,
    /// One side passes more often than the other, and either may be the baseline.
    Differs,
    /// It passed in every run of both.
    PassesEverywhere,
    /// It failed in every run of both.
    FailsEverywhere,
    /// Both pass equally often, neither always nor never.
    Even,
    /// Only one of the two has a verdict on it.
    OneSided,
    /// It was checked or planned, without a verdict on either side.
    #[default]
    NoVerdict,
    Earlier,
}

impl Usefulness {
    /// In the order of the variants, with the name in attributes and word tables.
    pub(super) const WORDS: [(Self, &'static str); 11] = [
        (Self::Helps, "helps"),
        (Self::Hurts, "hurts"),
        (Self::PassedOnce, "passed-once"),
        (Self::FailedOnce, "failed-once"),
        (Self::Differs, "differs"),
        (Self::PassesEverywhere, "passes-everywhere"),
        (Self::FailsEverywhere, "fails-everywhere"),
        (Self::Even, "even"),
        (Self::OneSided, "one-sided"),
        (Self::NoVerdict, "no-verdict"),
        (Self::Earlier, "earlier"),
    ];

    pub fn word(self) -> &'static str {
        Self::WORDS[self as usize].1
    }

    /// Whether both sides have verdicts.
    pub(in crate::analyze) fn is_compared(self) -> bool {
        !matches!(self, Self::OneSided | Self::NoVerdict | Self::Earlier)
    }

    /// What the verdicts of both judged sides of `roles` show.
    pub(super) fn under(roles: &Roles, [candidate, baseline]: [Tally; 2]) -> Self {
        match Self::new(candidate, baseline) {
            Self::Helps | Self::Hurts | Self::PassedOnce | Self::FailedOnce
                if roles.has_peers() =>
            {
                Self::Differs
            }
            usefulness => usefulness,
        }
    }

    fn new(candidate: Tally, baseline: Tally) -> Self {
        let (ours, theirs) = (candidate.graded(), baseline.graded());
        let is_repeated = ours.min(theirs) > 1;
        match (candidate.passed * theirs).cmp(&(baseline.passed * ours)) {
            _ if ours + theirs == 0 => Self::NoVerdict,
            _ if ours == 0 || theirs == 0 => Self::OneSided,
            Ordering::Greater if is_repeated => Self::Helps,
            Ordering::Less if is_repeated => Self::Hurts,
            Ordering::Greater => Self::PassedOnce,
            Ordering::Less => Self::FailedOnce,
            Ordering::Equal if candidate.failed == 0 => Self::PassesEverywhere,
            Ordering::Equal if candidate.passed == 0 => Self::FailsEverywhere,
            Ordering::Equal => Self::Even,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Usefulness;
    use input::model::Tally;

    #[test]
    fn equal_shares_that_are_neither_all_nor_none_are_even() {
        let tally = |passed, failed| Tally { passed, failed, ungraded: 0 };
        assert_eq!(Usefulness::new(tally(2, 2), tally(1, 1)), Usefulness::Even);
        assert_eq!(Usefulness::new(tally(2, 1), tally(1, 1)), Usefulness::Helps);
        assert_eq!(Usefulness::new(tally(2, 0), tally(0, 1)), Usefulness::PassedOnce);
        assert_eq!(Usefulness::new(tally(0, 1), tally(1, 0)), Usefulness::FailedOnce);
        assert_eq!(Usefulness::new(tally(0, 0), tally(1, 1)), Usefulness::OneSided);
    }
}
