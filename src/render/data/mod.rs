//! The parts of a report for programs: JSON, tables, badges.

pub(crate) mod badge;
pub mod benchmark;
pub mod brief;
pub mod comparison;
pub mod conditions;
pub mod export;
pub(crate) mod manifest;
pub(crate) mod ordered_json;
pub(crate) mod questions;
pub(crate) mod report;
pub(crate) mod search;
pub mod summary;
