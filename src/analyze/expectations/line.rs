//! One statement through all iterations, and all statements of a workspace.

use std::borrow::Cow;

use crate::analyze::expectations::usefulness::Usefulness;
use crate::analyze::statements::Statement;
use crate::model::Tally;
use crate::text::folded;

/// The verdicts on a statement in one iteration under one configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted<'w> {
    /// Index of the iteration in the workspace.
    pub iteration: usize,
    /// The configuration.
    pub configuration: &'w str,
    /// The verdicts of its runs.
    pub tally: Tally,
    /// In how many runs it has a verdict.
    pub runs: usize,
    /// Index in the case of the run to look at: the first in which it failed, else the first.
    pub run: usize,
}

/// A statement in words it had elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worded<'w> {
    /// What made it the same statement there.
    pub key: Cow<'w, str>,
    /// The words.
    pub text: &'w str,
}

/// One statement of one case through all iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpectationLine<'w> {
    /// Index of the case's line in the analysis.
    pub line: usize,
    /// What makes it the same statement everywhere.
    pub key: Cow<'w, str>,
    /// What made it the same statement where it had another key.
    pub other_keys: Vec<Cow<'w, str>>,
    /// The statement in its newest words.
    pub text: &'w str,
    /// Its other words, newest first.
    pub other_words: Vec<Worded<'w>>,
    /// Its verdicts, newest iteration first.
    pub counted: Vec<Counted<'w>>,
    /// What it is good for in the iteration that decides.
    pub usefulness: Usefulness,
    /// Whether runs of one configuration disagree on it in that iteration.
    pub is_flaky: bool,
    /// How often chance alone would do the same, guarded against the number of expectations
    /// (Fisher, Holm); `None` where so few runs could not make any of them stand out.
    pub p: Option<f64>,
}

impl<'w> ExpectationLine<'w> {
    /// What was counted in one iteration under one configuration.
    pub fn counted(&self, iteration: usize, configuration: &str) -> Option<&Counted<'w>> {
        let mut counted = self.counted.iter();
        counted.find(|counted| {
            counted.iteration == iteration && counted.configuration == configuration
        })
    }

    /// Whether both sides have verdicts on it.
    pub fn is_compared(&self) -> bool {
        use Usefulness::{Dead, Discriminating, Even, FavorsBaseline, Saturated};
        matches!(self.usefulness, Discriminating | FavorsBaseline | Saturated | Dead | Even)
    }

    /// Keeps the words of `statement` where they are none of those known.
    pub(super) fn add_words(&mut self, statement: &Statement<'w>) {
        if self.text == statement.text {
            return;
        }
        let text = folded(statement.text);
        let mut known =
            std::iter::once(self.text).chain(self.other_words.iter().map(|word| word.text));
        if !known.any(|known| folded(known) == text) {
            self.other_words.push(Worded { key: statement.key.clone(), text: statement.text });
        }
    }

    /// Its verdicts in one iteration under one configuration; none where there is no such.
    pub(super) fn tally(&self, iteration: usize, configuration: Option<&str>) -> Tally {
        let found = configuration.and_then(|name| self.counted(iteration, name));
        found.map(|found| found.tally).unwrap_or_default()
    }
}

/// Every statement of a workspace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectations<'w> {
    /// The iteration that decides; `None` when no candidate has a verdict.
    pub iteration: Option<usize>,
    /// The statements by case, in the order of the analysis' lines.
    pub lines: Vec<ExpectationLine<'w>>,
    /// All verdicts of the candidate in that iteration.
    pub candidate: Tally,
    /// The same without those on saturated statements.
    pub candidate_unsaturated: Tally,
    /// All verdicts of the baseline in that iteration.
    pub baseline: Tally,
    /// The same without those on saturated statements.
    pub baseline_unsaturated: Tally,
}

impl Expectations<'_> {
    /// How many statements are of this use.
    pub fn number(&self, usefulness: Usefulness) -> usize {
        self.lines.iter().filter(|line| line.usefulness == usefulness).count()
    }
}
