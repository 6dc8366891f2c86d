//! The verdict on one expectation, and counts of verdicts.

use serde::{Deserialize, Serialize};

/// The verdict on one expectation. Absent is not failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "Option<bool>", into = "Option<bool>")]
pub enum Outcome {
    /// The grader found it met.
    Passed,
    /// The grader found it not met.
    Failed,
    /// No verdict was recorded.
    #[default]
    Ungraded,
}

impl Outcome {
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Ungraded => "ungraded",
        }
    }
}

impl From<Outcome> for Option<bool> {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Passed => Some(true),
            Outcome::Failed => Some(false),
            Outcome::Ungraded => None,
        }
    }
}

impl From<Option<bool>> for Outcome {
    fn from(passed: Option<bool>) -> Self {
        passed.map_or(Self::Ungraded, Self::from)
    }
}

impl From<bool> for Outcome {
    fn from(passed: bool) -> Self {
        if passed { Self::Passed } else { Self::Failed }
    }
}

/// How many expectations passed, failed and were left without a verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    /// Expectations without a verdict; they take no part in the pass rate.
    pub ungraded: usize,
}

impl Tally {
    pub fn new(outcomes: impl IntoIterator<Item = Outcome>) -> Self {
        let mut tally = Self::default();
        for outcome in outcomes {
            tally.count(outcome);
        }
        tally
    }

    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Passed => self.passed += 1,
            Outcome::Failed => self.failed += 1,
            Outcome::Ungraded => self.ungraded += 1,
        }
    }

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
