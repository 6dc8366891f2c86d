//! The verdict on one expectation.

/// The verdict on one expectation. Absent is not failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
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
    /// The outcome in one lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Ungraded => "ungraded",
        }
    }
}

impl From<bool> for Outcome {
    fn from(passed: bool) -> Self {
        if passed { Self::Passed } else { Self::Failed }
    }
}
