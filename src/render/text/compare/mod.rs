//! Two sides beside each other, for a terminal, a comment on a change, or a program.
//!
//! Entry points: [`text()`], [`markdown()`] and [`json()`], all of one [`Comparison`].

mod json;
mod markdown;
mod text;
mod view;

pub use crate::render::text::compare::json::json;
pub use crate::render::text::compare::markdown::markdown;
pub use crate::render::text::compare::text::text;

use crate::analyze::Change;
use crate::gate::{Judgement, Question};
use crate::render::context::Language;
use crate::render::text::gate::{Line, lines};

/// Version of the schema of the JSON; it grows when a field changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What is compared.
#[derive(Clone, Copy)]
pub struct Comparison<'a> {
    /// The candidate that is told in full.
    pub shown: &'a Candidate<'a>,
    /// The others of the same iteration.
    pub others: &'a [Candidate<'a>],
}

/// A candidate of the later side.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    /// The sides, and what they are judged by.
    pub question: &'a Question<'a>,
    /// The candidate against the earlier side.
    pub change: &'a Change,
    /// What became of the rules.
    pub judgement: &'a Judgement,
}

impl<'a> Comparison<'a> {
    /// Every candidate, the one that is told in full first.
    fn candidates(self) -> impl Iterator<Item = &'a Candidate<'a>> {
        std::iter::once(self.shown).chain(self.others)
    }

    /// What became of the gate, a line for each rule and candidate.
    pub fn gate(self, language: &Language) -> Vec<Line> {
        self.candidates().flat_map(|it| lines(it.question, it.judgement, language)).collect()
    }
}
