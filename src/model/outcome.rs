//! The verdict on one expectation.

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
    /// The outcome in one lower-case word.
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
