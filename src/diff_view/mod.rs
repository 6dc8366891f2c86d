//! Compares two sides of a case for a reader: which files changed, and what changed in them.
//!
//! Entry points: [`FileChanges`] goes through the files of two runs, as `pairing` matches them, and
//! [`files`] writes the outcome. Each form has a file of its own: `lines`, `prose`, `table`,
//! `picture`; texts that cannot or need not be compared are in `apart`. `rendered` puts two previews side by side with each other. All markup keeps to a limit in bytes (`room`, `fit`): what does not
//! fit is counted, with links to the whole files.

mod apart;
mod changes;
mod fit;
mod lines;
mod outcome;
mod pairing;
mod picture;
mod prose;
mod rendered;
pub(super) mod room;
mod table;
#[cfg(test)]
mod tests;

pub(super) use changes::{FileChange, FileChanges, FileReader, FileState};
pub(super) use outcome::{ComparedFile, DiffContext, files, outcome};
pub(super) use rendered::{AlignedRow, rendered};
