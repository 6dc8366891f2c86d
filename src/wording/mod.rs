//! What was found, in sentences: verdicts, changes, costs, notes, recorded figures, loading,
//! quotations, gates.
//!
//! Pages, Markdown, the terminal and data place these sentences and make none of their own.

pub mod answer;
pub(crate) mod audit;
pub(crate) mod blind;
pub(crate) mod by_condition;
pub(crate) mod changes;
pub(crate) mod checks;
pub(crate) mod configurations;
pub(crate) mod costs;
pub mod gate;
pub mod headline;
pub(crate) mod judged;
pub(crate) mod loading;
pub(crate) mod measured;
pub(crate) mod news;
pub(crate) mod outcomes;
pub mod questions;
pub(crate) mod quotations;
pub(crate) mod recorded_differences;
pub mod recorded_results;
pub(crate) mod reliability;
pub(crate) mod run_end;
pub(crate) mod sides;
pub(crate) mod states;
#[cfg(test)]
mod tests;
pub(crate) mod verdict;

use crate::analyze::{Analysis, Verdict};
use crate::language::Language;
use input::model::Workspace;

/// The result of the newest iteration with verdicts, or what there is instead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The headline of the first screen, without figures.
    pub headline: String,
    /// The mark before it; empty for what has no direction.
    pub sign: &'static str,
    /// The verdict whose color it has; `None` for none.
    pub tone: Option<Verdict>,
    /// The verdict in a word with the gain; or the pass rate if there is nothing to compare with.
    pub verdict: String,
    pub reason: String,
    /// Both sides by name with k/n, the compared checks if not all, and the cost; empty without
    /// anything to compare with.
    pub sides: String,
    /// The limits of the verdict: cases, runs, how often chance does the same, what was left out,
    /// and what could be detected.
    pub caution: String,
    /// One thing to do next; empty where nothing is known.
    pub next: String,
    /// What the author of the workspace wrote, with its file; empty without a note.
    pub note: String,
    /// What changed since the runs were made; empty where nothing did, or nobody can tell.
    pub stale: String,
    /// Where the runs were made, which are missing and which are left out; usually empty.
    pub runs: Vec<String>,
}

/// What sentences are about, and the language they are in.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) analysis: &'a Analysis,
    pub(crate) language: &'a Language,
}
