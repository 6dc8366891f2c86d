//! What a piece of news counts and names.

use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::CostKind;

/// The checks that both sides passed, of all that they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GradedCounts {
    /// Checks that the candidate passed.
    pub passed: usize,
    /// Checks that the other side passed.
    pub other_passed: usize,
    /// All that they share.
    pub checks: usize,
}

/// Mean pass rates in 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Means {
    /// That of the candidate.
    pub candidate: f64,
    /// That of the other side.
    pub other: f64,
}

/// What was lost and repaired since an earlier round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SinceEarlier {
    /// That round.
    pub iteration: String,
    /// Checks that passed then and fail now.
    pub lost: usize,
    /// Checks that failed then and pass now.
    pub repaired: usize,
}

/// What a side did between two rounds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Moved {
    /// The side.
    pub side: String,
    /// Checks that it passes more often.
    pub up: usize,
    /// Checks that it passes less often.
    pub down: usize,
    /// The mean over cases of what these checks gained, in shares of 1.
    pub gain: f64,
}

/// A check by its text, with its case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckOfCase {
    /// The text of the check.
    pub check: String,
    /// The name of the case.
    pub case: String,
}

/// The typical ratio of a cost, candidate over other side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CostMove {
    /// Which cost.
    #[serde(rename = "kind")]
    pub resource: CostKind,
    /// Candidate over other side.
    pub ratio: f64,
    /// Whether it may be chance, though no case moved the other way.
    pub is_rough: bool,
}

impl CostMove {
    /// Whether it is half as much again and more, or as much less.
    pub(super) fn is_large(&self) -> bool {
        !(1.0 / 1.5..1.5).contains(&self.ratio)
    }
}
