//! Two sides beside each other, for a terminal, a comment on a change, or a program.
//!
//! Entry points: [`text`], [`markdown`] and [`json`], all of one [`Comparison`].

mod json;
mod markdown;
mod text;
mod view;

pub use crate::render::compare::json::json;
pub use crate::render::compare::markdown::markdown;
pub use crate::render::compare::text::text;

use crate::analyze::Change;
use crate::gate::{Judgement, Question};

/// Version of the schema of the JSON; it grows when a field changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What is compared.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    /// The sides, and what they are judged by.
    pub question: &'a Question<'a>,
    /// The candidate against the earlier side.
    pub change: &'a Change,
    /// What became of the rules.
    pub judgement: &'a Judgement,
}
