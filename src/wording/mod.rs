//! What was found, in sentences: verdicts, changes, costs, notes, recorded figures, loading,
//! quotations, gates.
//!
//! Pages, Markdown, the terminal and data place these sentences and make none of their own.

pub mod answer;
pub(crate) mod blind;
pub(crate) mod changes;
pub(crate) mod configurations;
pub(crate) mod costs;
pub mod gate;
pub(crate) mod loading;
pub(crate) mod notes;
pub(crate) mod problems;
pub(crate) mod quotations;
pub(crate) mod recorded_differences;
pub mod recorded_results;
pub(crate) mod reliability;
pub(crate) mod repeats;
pub(crate) mod verdict;

use std::ops::Deref;

use crate::analyze::Analysis;
use crate::language::Language;
use crate::model::Workspace;

/// What sentences are about, and the language they are in.
#[derive(Clone, Copy)]
pub(crate) struct Facts<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) analysis: &'a Analysis,
    pub(crate) language: &'a Language,
}

impl Deref for Facts<'_> {
    type Target = Language;

    fn deref(&self) -> &Language {
        self.language
    }
}
