//! What a digest says in words: the Markdown report, the comment, the brief, `compare`, the terminal.

pub(crate) mod agreement;
pub mod annotations;
pub mod answer;
pub(crate) mod beside;
pub mod brief;
pub(crate) mod change;
pub mod compare;
pub(crate) mod contests;
pub(crate) mod course;
pub mod diagnostic;
pub mod gate;
pub(crate) mod health;
pub(crate) mod how;
pub mod inventory;
pub mod left;
pub(crate) mod markdown;
pub(crate) mod notes;
pub mod pull_request;
pub(crate) mod recorded;
pub(crate) mod reliability;
pub(crate) mod verdict;
