//! Two sides of a case as a reader compares them: which files changed, and what in them.
//!
//! Entry points: [`FileChanges`] puts the files of two runs beside each other, [`files`] writes what
//! became of them. Each form has a file of its own: `lines`, `prose`, `json`, `table`, `picture`;
//! texts that cannot or need not be compared stand in `apart`. All markup keeps to a room given in
//! bytes (`budget`, `fit`): what finds none is counted, with links to the whole files.

mod apart;
pub(super) mod budget;
mod changes;
mod file;
mod fit;
mod json;
mod lines;
mod picture;
mod prose;
mod table;
#[cfg(test)]
mod tests;

pub(super) use changes::{FileChange, FileChanges, FileReader, FileState, FileSummary};
pub(super) use file::{ComparedFile, DiffContext, files, outcome};
