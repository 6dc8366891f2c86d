//! The statistics against reference values of independent libraries, and what must hold for every
//! input.

#![allow(clippy::unwrap_used, reason = "what is asked for here is defined")]

#[path = "statistics/properties.rs"]
mod properties;
#[path = "statistics/reference.rs"]
mod reference;
#[path = "statistics/walk.rs"]
mod walk;
