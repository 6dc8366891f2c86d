//! Digest: what there is to say about a workspace, computed once and without words.
//!
//! `render` lays it out: no text, page or file computes a number of its own.

mod case_result;
mod cases;
mod changes;
mod figures;
mod headline;
mod next_steps;
mod recorded;
mod reviewed;
mod reviews;
mod standing;

pub(crate) use crate::digest::case_result::CaseResult;
pub(crate) use crate::digest::cases::{
    ComparedCase, ComparedCheck, case_order, cases_of, compared_cases,
};
pub use crate::digest::changes::reference;
pub(crate) use crate::digest::changes::{Changes, FlipCache, is_changed};
pub(crate) use crate::digest::figures::{
    More, case_mean, compared_in_part, far_total, interval, next_step, unlike_means,
};
pub(crate) use crate::digest::headline::{Headline, newer_iteration};
pub(crate) use crate::digest::next_steps::{Failure, advice, failures};
pub(crate) use crate::digest::recorded::{
    RecordedFile, RecordedRate, is_only_recorded, recorded_counts, recorded_files,
};
pub(crate) use crate::digest::reviewed::reviewed_pairs;
pub(crate) use crate::digest::reviews::Reviews;
pub(crate) use crate::digest::standing::Standings;
