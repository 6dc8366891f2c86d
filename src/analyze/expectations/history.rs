//! One statement through all iterations, and all statements of a workspace.

use std::borrow::Cow;

use crate::analyze::Statement;
use crate::analyze::expectations::usefulness::Usefulness;
use input::model::Tally;
use text::folded;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfigurationTally<'w> {
    pub iteration: usize,
    pub configuration: &'w str,
    pub tally: Tally,
    pub runs: usize,
    /// Index in the case of the run to look at: the first in which it failed, else the first.
    pub run: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierWording<'w> {
    pub key: Cow<'w, str>,
    pub text: &'w str,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExpectationHistory<'w> {
    /// Index of its case in [`Analysis::cases`](crate::analyze::Analysis::cases).
    pub case: usize,
    pub key: Cow<'w, str>,
    /// Its keys in other iterations, where they differ.
    pub other_keys: Vec<Cow<'w, str>>,
    pub text: &'w str,
    /// Its other wordings, newest first.
    pub other_wordings: Vec<EarlierWording<'w>>,
    /// For a check that is new in the iteration that decides, the similar one that is gone:
    /// probably an earlier wording. Nothing is counted by it.
    pub probably_earlier: Option<&'w str>,
    /// Its verdicts, newest iteration first.
    pub counted: Vec<ConfigurationTally<'w>>,
    /// Its usefulness in the iteration that decides.
    pub usefulness: Usefulness,
    /// Whether runs of one configuration disagree on it in that iteration.
    pub is_flaky: bool,
}

impl<'w> ExpectationHistory<'w> {
    pub fn counted(
        &self,
        iteration: usize,
        configuration: &str,
    ) -> Option<&ConfigurationTally<'w>> {
        let mut counted = self.counted.iter();
        counted.find(|counted| {
            counted.iteration == iteration && counted.configuration == configuration
        })
    }

    /// Adds the verdicts under one configuration.
    pub(super) fn add(
        &mut self,
        iteration: usize,
        configuration: &'w str,
        statement: &Statement<'w>,
        is_newest: bool,
    ) {
        let (tally, runs, run) = (statement.tally, statement.runs(), statement.run);
        // Most statements are met once.
        self.counted.reserve_exact(1);
        self.counted.push(ConfigurationTally { iteration, configuration, tally, runs, run });
        self.is_flaky |= is_newest && statement.is_flaky();
        self.add_wording(statement);
    }

    /// Keeps the wording of `statement` if it is new.
    fn add_wording(&mut self, statement: &Statement<'w>) {
        if self.text == statement.text {
            return;
        }
        let text = folded(statement.text);
        let mut wordings =
            std::iter::once(self.text).chain(self.other_wordings.iter().map(|word| word.text));
        if !wordings.any(|known| folded(known) == text) {
            self.other_wordings
                .push(EarlierWording { key: statement.key.clone(), text: statement.text });
        }
    }

    /// Its verdicts in one iteration under one configuration; empty where there are none.
    pub(super) fn tally(&self, iteration: usize, configuration: &str) -> Tally {
        let found = self.counted(iteration, configuration);
        found.map(|found| found.tally).unwrap_or_default()
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expectations<'w> {
    /// The iteration that decides; `None` when no candidate has a verdict.
    pub iteration: Option<usize>,
    pub histories: Vec<ExpectationHistory<'w>>,
    /// All verdicts of the candidate in that iteration.
    pub candidate: Tally,
    pub candidate_unsaturated: Tally,
    /// All verdicts of the baseline in that iteration.
    pub baseline: Tally,
    pub baseline_unsaturated: Tally,
}

impl Expectations<'_> {
    pub fn number(&self, usefulness: Usefulness) -> usize {
        self.histories.iter().filter(|line| line.usefulness == usefulness).count()
    }

    /// The number of statements per usefulness in the iteration that decides, without zeros.
    pub fn uses(&self) -> impl Iterator<Item = (&'static str, usize)> {
        let all = Usefulness::WORDS.into_iter().filter(|(of, _)| *of != Usefulness::Earlier);
        all.map(|(of, word)| (word, self.number(of))).filter(|(_, number)| *number > 0)
    }
}
