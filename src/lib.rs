//! evalbook turns a workspace of agent-skill evaluations into a review report.
//!
//! The pipeline, in the order of the modules:
//!
//! ```text
//! files      a folder on disk or in memory  → entries, bytes
//! discover   paths only                     → Layout
//! read       documents                      → Records
//! assemble   Layout + Records               → Workspace
//! ```
//!
//! Each stage imports only from the stages before it and from the leaves [`model`] and [`text`].

pub mod model;
pub mod text;

pub mod files;

pub mod discover;
