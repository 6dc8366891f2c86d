//! Analyze: what the workspace's verdicts and figures add up to.
//!
//! Entry point: [`analysis`]. One rule for every number on every page: it comes from here.

mod best;
mod blind;
mod breaks;
mod change;
mod conditions;
mod configurations;
mod consistency;
mod dimension;
mod edits;
mod expectations;
mod flips;
mod graders;
mod lines;
mod loading;
mod notes;
mod pairs;
mod quotes;
mod recorded;
mod repeats;
mod rewording;
mod roles;
mod standing;
mod statements;
mod texts;
mod verdicts;
mod versions;

pub use best::{Best, Course, course};
pub use blind::{
    Behind, Blind, ComparedCases, Contest, Letters, Ranked, Ranking, Respect, Scores, blind,
};
pub use breaks::{Break, breaks};
pub use change::{
    Against, Change, Claim, Cost, Gain, Measure, SCORES, Spent, Verdict, can_be_pinned, change,
    look_at_once, spent,
};
pub use conditions::Names;
pub use configurations::{ConfigurationSummary, Reliability};
pub use consistency::{Inconsistent, find_inconsistent};
pub use dimension::{UnderCondition, under_conditions};
pub use edits::{CaseCheck, EditLink, Hunk, MovedCheck, SkillEdits, find_edits, marked};
pub use expectations::{
    Counted, ExpectationLine, Expectations, Health, Uneven, Usefulness, expectations,
};
pub use flips::{Flip, FlipKind, Flips, Side, between};
pub use graders::{Dispute, GraderPair, grader_pairs};
pub use lines::{Appearance, CaseLine, Rule};
pub use loading::Loads;
pub use notes::{Measured, Note, RunAt, Runaway, StatementAt, Varied};
pub use pairs::{CasePairs, Choice, Pair, RunPair, run_pairs};
pub use quotes::{CheckAt, Found, Quote, QuoteCounts, Quotes, find_quotes, missing};
pub use recorded::{Cause, Discrepancy, Figure};
pub use repeats::{FileCopy, Likeness, Repeat, Repeats, find_repeats};
pub use roles::{Reason, Roles, UNASSIGNED, is_called};
pub use standing::{tally, tally_of};
pub use statements::{Statement, key, statements};
pub use texts::Texts;
pub use verdicts::{RunVerdict, Verdicts};
pub use versions::SkillPair;

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::model::{Iteration, Tally, Workspace};
use crate::settings::Settings;

#[derive(Clone, Debug, PartialEq)]
pub struct IterationAnalysis {
    /// Whether its name says that it is what others are compared with, such as `iteration-main`.
    pub is_reference: bool,
    /// Which configuration is compared against, and why.
    pub roles: Roles,
    /// Its configurations, candidates before the baseline.
    pub configurations: Vec<ConfigurationSummary>,
    pub notes: Vec<Note>,
    /// For each recorded benchmark the figures that differ from what the runs give.
    pub discrepancies: Vec<Vec<Discrepancy>>,
}

impl IterationAnalysis {
    /// The candidate that stands for the iteration: the first one, where there is any.
    pub fn candidate(&self) -> Option<&ConfigurationSummary> {
        self.candidates().next()
    }

    /// Every candidate, those with verdicts first.
    pub fn candidates(&self) -> impl Iterator<Item = &ConfigurationSummary> {
        self.roles.candidates.iter().filter_map(|name| self.configuration(name))
    }

    pub fn configuration(&self, name: &str) -> Option<&ConfigurationSummary> {
        self.configurations.iter().find(|summary| summary.name == name)
    }

    pub fn baseline(&self) -> Option<&ConfigurationSummary> {
        self.configuration(self.roles.baseline.as_ref()?)
    }

    pub(crate) fn is_graded(&self, name: &str) -> bool {
        self.configuration(name).is_some_and(|summary| summary.tally.graded() > 0)
    }

    pub fn tally(&self) -> Tally {
        self.configurations.iter().map(|summary| summary.tally).sum()
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    pub iterations: Vec<IterationAnalysis>,
    /// Every case through all iterations, in natural order of the newest names.
    pub lines: Vec<CaseLine>,
    /// The best iteration of each configuration that has several.
    pub best: BTreeMap<String, Best>,
    /// One side against another, by the iteration of the later one.
    pub changes: Vec<Change>,
    /// What is compared with what, for each of the lines.
    pub pairs: Vec<CasePairs>,
    pub skill: Vec<SkillPair>,
}

impl Analysis {
    /// What a side's runs add up to; `None` where the iteration has no such configuration.
    pub fn summary(&self, side: &Side) -> Option<&ConfigurationSummary> {
        self.iterations[side.iteration].configuration(&side.configuration)
    }
}

pub fn analysis(workspace: &Workspace, settings: &Settings) -> Analysis {
    let analyzed = workspace.iterations.par_iter();
    let mut iterations: Vec<IterationAnalysis> =
        analyzed.map(|iteration| of_iteration(iteration, settings)).collect();
    roles::settle_alone(&mut iterations);
    let lines = lines::find_lines(workspace);
    let best = best::best_by_name(workspace, &lines);
    let changes = change::changes(workspace, &lines, &iterations, &best, settings);
    let pairs = pairs::find_pairs(workspace, &lines, &iterations, &changes);
    let skill = versions::pair_copies(workspace, &iterations);
    let mut analysis = Analysis { iterations, lines, best, changes, pairs, skill };
    analysis.order_candidates(settings);
    for (iteration, found) in workspace.iterations.iter().zip(&mut analysis.iterations) {
        found.discrepancies = recorded::find_discrepancies(iteration, found);
    }
    analysis
}

pub fn of_iteration(iteration: &Iteration, settings: &Settings) -> IterationAnalysis {
    let roles = roles::assign_roles(iteration, settings);
    let configurations =
        roles.order().map(|name| configurations::summarize(iteration, name)).collect();
    let notes = notes::find_notes(iteration, &roles);
    let is_reference = roles::is_reference(&iteration.name);
    let discrepancies = Vec::new();
    IterationAnalysis { is_reference, roles, configurations, notes, discrepancies }
}
