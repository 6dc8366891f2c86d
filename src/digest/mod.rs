//! Digest: what there is to say about a workspace, computed once and without words.
//!
//! `render` lays it out: no text, page or file computes a number of its own.

mod changes;
mod figures;
mod headline;
mod next_steps;
mod recorded;
mod reviews;
pub(crate) mod shown_statistics;
mod standing;

pub use crate::digest::changes::reference;
pub(crate) use crate::digest::changes::{Changes, is_changed};
pub(crate) use crate::digest::figures::{
    More, case_mean, compared_in_part, far_total, interval, next_step, unlike_means,
};
pub(crate) use crate::digest::headline::{Headline, newer_iteration};
pub(crate) use crate::digest::next_steps::{Failure, advice, failures};
pub(crate) use crate::digest::recorded::{
    RecordedFile, RecordedRate, is_only_recorded, recorded_counts, recorded_files,
    recorded_mismatches,
};
pub(crate) use crate::digest::reviews::Reviews;
pub(crate) use crate::digest::standing::Standings;
