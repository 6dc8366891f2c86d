//! From files to the workspace of an evaluation.
//!
//! `read` has one reader for each kind of document, `assemble` decides which source wins, and `pipeline`
//! is all of it in one call, with the crates `adapters` and `guard` before it.

pub mod assemble;
pub mod measured;
pub mod pipeline;
pub mod read;
#[cfg(test)]
mod tests;
