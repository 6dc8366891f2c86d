//! Why a command could not do anything sensible.

use crate::cli::exit;
use crate::files;
use crate::write::WriteError;

/// An error that ends a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// What was attempted, on which path, and why it failed.
    pub(super) message: String,
    /// What to do about it; one line each.
    pub(super) help: Vec<String>,
    /// The exit code.
    pub(super) code: u8,
}

impl Failure {
    /// Nothing could be read or written.
    pub(super) fn nothing(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: Vec::new(), code: exit::NOTHING }
    }

    /// The arguments make no sense.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: Vec::new(), code: exit::USAGE }
    }

    /// Something could not be written.
    pub(super) fn unwritten(error: &WriteError) -> Self {
        let failure = Self::nothing(error.to_string());
        match error {
            WriteError::Io { reason, .. } if *reason == files::DENIED => {
                failure.help("give a place where you may write, or ask for the right to")
            }
            _ => failure,
        }
    }

    /// The same failure with one more line of help.
    #[must_use]
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }
}
