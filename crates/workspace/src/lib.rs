//! From files to the workspace of an evaluation.
//!
//! `read` has one reader for each kind of document, `adapters` the results of other evaluators,
//! `assemble` decides which source wins, and `pipeline` is all of it in one call.

pub mod adapters;
pub mod assemble;
pub mod measured;
pub mod pipeline;
pub mod read;
#[cfg(test)]
mod tests;
