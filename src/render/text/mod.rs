//! The digest in words: the Markdown report, the comment, the brief, `compare`, the terminal.

pub mod annotations;
pub mod answer;
pub mod brief;
pub(crate) mod change;
pub mod compare;
pub(crate) mod contests;
pub(crate) mod costs;
pub mod diagnostic;
pub mod gate;
pub mod inventory;
pub(crate) mod loading;
pub(crate) mod markdown;
pub(crate) mod mismatch;
pub(crate) mod notes;
pub mod pull_request;
pub(crate) mod quotes;
pub mod recorded;
pub(crate) mod repeats;
pub(crate) mod statistics;
pub(crate) mod verdict;

use std::ops::Deref;

use crate::analyze::Analysis;
use crate::language::Language;
use crate::model::Workspace;

/// The subject of a text, and its language.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) analysis: &'a Analysis,
    pub(crate) language: &'a Language,
}

impl Deref for Words<'_> {
    type Target = Language;

    fn deref(&self) -> &Language {
        self.language
    }
}
