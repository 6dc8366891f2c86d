//! Digest: what there is to say about a workspace, computed once and without words.
//!
//! `render` lays it out: no text, page or file computes a number of its own.

mod cases;
mod changes;
mod figures;
mod headline;
mod next_steps;
mod recorded;
mod reviews;
mod standing;

pub(crate) use cases::{
    CaseResult, ComparedCase, ComparedCheck, case_order, cases_of, compared_cases,
};
pub use changes::reference;
pub(crate) use changes::{Changes, FlipCache, is_changed};
pub(crate) use figures::{
    More, case_mean, compared_in_part, far_total, interval, next_step, unlike_means,
};
pub(crate) use headline::{Headline, newer_iteration};
pub(crate) use next_steps::{Failure, advice, failures};
pub(crate) use recorded::{
    RecordedFile, RecordedRate, is_only_recorded, recorded_counts, recorded_files,
};
pub(crate) use reviews::{Reviews, reviewed_pairs};
pub(crate) use standing::Standings;
