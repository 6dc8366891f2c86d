//! The documents without a browser: the Markdown report, the comment, the brief, `compare`, what
//! the terminal shows.

pub mod annotations;
pub mod brief;
pub mod compare;
pub mod diagnostic;
pub(crate) mod flips;
pub mod inventory;
pub(crate) mod markdown;
pub mod pull_request;
