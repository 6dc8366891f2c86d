//! The findings about a workspace, computed once and without words.
//!
//! `render` only lays them out: no text, page or file computes numbers of its own.

mod brief;
mod cases;
mod changes;
mod deciding;
mod earlier_failures;
mod failed_checks;
mod headline_figures;
mod judged;
mod judged_round;
mod measured;
pub mod news;
mod progress;
mod questions;
mod recorded_results;
mod reviews;
mod state;
mod triggers;
mod wins;

pub(crate) use brief::{Brief, CheckName, OtherCandidate, StoppedRun, edits_of};
pub(crate) use cases::{CaseResult, ComparedCase, ComparedCheck, case_order, compared_cases};
pub(crate) use changes::{Changes, Comparisons, is_changed, reference};
pub(crate) use deciding::{DecidingVerdict, deciding_verdicts};
pub(crate) use earlier_failures::earlier_failures;
pub(crate) use failed_checks::FailedCheck;
pub(crate) use headline_figures::{
    NextStep, compared_in_part, far_total, graded_before, interval, newer_iteration, next_step,
    prepared_cases, prepared_round, recorded_costs, turned_total,
};
pub(crate) use judged::{JudgedVerdicts, rows_with};
pub(crate) use judged_round::judged_round;
pub(crate) use measured::{
    SideRuns, Stale, is_measured_today, left_out, misnamed_grading, rounds_sharing_runs,
    sides as measured_sides, stale,
};
pub(crate) use progress::IterationProgress;
pub(crate) use questions::{
    CheckCounts, ComparedRow, MissingRow, Question, Questions, Row, RowAnswer, RowTone, RowWord,
};
pub(crate) use recorded_results::{
    RecordedCase, RecordedFile, RecordedRate, RecordedRound, RecordedSide, is_only_recorded,
    recorded_cases, recorded_counts, recorded_files, recorded_rate, recorded_rounds,
};
pub(crate) use reviews::{ReviewedSides, Reviews, reviewed_pairs};
pub(crate) use state::{State, ungraded_runs, unnamed_sides, unread_results};
pub(crate) use triggers::{
    RoundShare, best_round, held_out, never_fires, precision_and_recall, query_counts, query_order,
    shown_round,
};
pub(crate) use wins::Wins;
