//! evalbook turns a workspace of agent-skill evaluations into a review report.
//!
//! The pipeline, in the order of the modules:
//!
//! ```text
//! files      a folder on disk or in memory  → entries, bytes
//! guard      entries, bytes                 → the same without secrets
//! discover   paths only                     → Layout
//! read       documents                      → Records
//! assemble   Layout + Records               → Workspace
//! part       entries, bytes                 → the same for another machine
//! analyze    Workspace                      → Analysis
//! gate       Analysis + rules               → Judgement
//! render     Workspace + Analysis           → pages
//! write      pages                          → folder
//! schema     the alias table, our own types → JSON Schema
//! scaffold   evals, skill, history          → what is to be made next
//! serve      a report                       → answers to a browser on the same machine
//! ```
//!
//! Each stage imports only from the stages before it and from the leaves [`model`], [`text`],
//! [`statistics`], [`diff`] and [`json`]; `tests/suite/in_process/architecture.rs` checks that. `cli` puts them together.

pub mod diff;
pub mod json;
pub mod model;
pub mod statistics;
pub mod text;

pub mod files;

pub mod settings;

pub mod discover;

pub mod read;

pub mod assemble;

pub mod guard;

pub mod pipeline;

pub mod part;

pub mod analyze;

pub mod report_json;

pub mod gate;

pub mod render;

pub mod write;

pub mod scaffold;

pub mod schema;

pub mod serve;

pub mod cli;
