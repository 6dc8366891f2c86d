//! What lies where: files on disk or in memory, the settings in them, and the folders of a workspace.
//!
//! `model` is the vocabulary that all later stages speak; `files` lists and reads; `settings` has
//! `evalbook.toml` and its flags; `discover` says which folder is an iteration, case, configuration, run,
//! by the meaning of its name in `names`, a leaf.

pub mod discover;
pub mod files;
pub mod model;
pub mod names;
pub mod settings;
