//! The statistics against reference values of independent libraries, and properties of every input.

#![allow(clippy::unwrap_used, reason = "what is asked for here is defined")]

mod properties;
mod reference;
mod walk;
