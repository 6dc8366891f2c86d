//! Counts of outcomes.

use crate::model::outcome::Outcome;

/// How many expectations passed, failed and were left without a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Expectations that passed.
    pub passed: usize,
    /// Expectations that failed.
    pub failed: usize,
    /// Expectations without a verdict; they take no part in the pass rate.
    pub ungraded: usize,
}

impl Tally {
    /// Counts `outcomes`.
    pub fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            tally.count(outcome);
        }
        tally
    }

    /// Adds one outcome.
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Ungraded => self.ungraded += 1,
        }
    }

    /// Adds every count of `other`.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ungraded += other.ungraded;
    }

    /// Expectations with a verdict, the denominator of the pass rate.
    pub fn graded(self) -> usize {
        self.passed + self.failed
    }

    /// All expectations, with or without a verdict.
    pub fn total(self) -> usize {
        self.graded() + self.ungraded
    }

    /// Passed over graded, in 0..=1; `None` when nothing was graded.
    pub fn pass_rate(self) -> Option<f64> {
        (self.graded() > 0).then(|| self.passed as f64 / self.graded() as f64)
    }
}

impl std::iter::Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |mut sum, tally| {
            sum.add(tally);
            sum
        })
    }
}
