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
use crate::render::gate::{Line, lines};
use crate::render::language::Language;

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
    /// The other candidates that ran without a verdict, and what became of the rules for them.
    pub broken: &'a [(&'a Question<'a>, Judgement)],
}

impl<'a> Comparison<'a> {
    /// Every judgement with its candidate, the one that is shown first.
    fn judged(self) -> impl Iterator<Item = (&'a Question<'a>, &'a Judgement)> {
        let broken = self.broken.iter().map(|(question, judgement)| (*question, judgement));
        std::iter::once((self.question, self.judgement)).chain(broken)
    }

    /// What became of the gate, a line for each rule and candidate.
    pub fn gate(self, language: &Language) -> Vec<Line> {
        self.judged()
            .flat_map(|(question, judgement)| lines(question, judgement, language))
            .collect()
    }
}
