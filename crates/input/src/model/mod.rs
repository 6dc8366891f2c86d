//! The vocabulary: the contents of a workspace, in evalbook's words.
//!
//! A leaf: it knows neither file formats nor pages. Absent is `None`, never 0. Fractions are in
//! 0..=1; durations are in seconds.

mod comparison;
mod grading;
mod measured;
mod plausibility;
mod problem;
mod recorded;
mod run;
pub mod verdict_words;
mod workspace;

pub use comparison::{
    BlindComparison, Dimension, JudgedSide, PersonalJudgement, PostHocAnalysis, Proposal, Winner,
};
pub use grading::RATE_ROUNDING;
pub use grading::{
    Claim, ConventionCheck, Expectation, Grading, Notes, Outcome, RecordedCounts, Suggestion, Tally,
};
pub use measured::{Measured, MissingRun, NO_SKILL, OtherRun, Reuse, SkillToday};
pub use plausibility::Implausible;
pub use plausibility::{cache_of_one_side, implausible_times, implausible_tokens};
pub use problem::{Code, Place, Problem, Severity};
pub use recorded::{
    About, Feedback, History, JudgedCheck, RecordedBenchmark, RecordedConfiguration, RecordedRun,
    RecordedSpread, Review, ReviewState, Split, TriggerQuery, TriggerRound, Version, is_other_rate,
};
pub use run::{Loading, LoadingState, Metrics, Output, Run, UNASSIGNED, UNNAMED};
pub use workspace::{BUNDLED_FOLDERS, mean};
pub use workspace::{
    Case, Ignored, Iteration, PlannedExpectation, Redaction, Snapshot, Totals, Workspace,
};

/// Sets an empty `slot` to `other`.
pub fn fill<T: Clone + Default + PartialEq>(slot: &mut T, other: &T) {
    if *slot == T::default() {
        slot.clone_from(other);
    }
}
