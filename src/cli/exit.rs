//! How a command ends: its exit code, and why it failed.

use std::fmt::Display;
use std::io;
use std::path::Path;

use crate::write::WriteError;
use input::files;

pub const FINE: u8 = 0;

pub const FAILED: u8 = 1;

pub const USAGE: u8 = 2;

pub const NOTHING: u8 = 3;

/// Every code with a short and a full description; the source of help, manual and reference.
pub const TABLE: &[(u8, &str, &str)] = &[
    (FINE, "fine", "the command did what was asked; problems of the input do not change that"),
    (
        FAILED,
        "a check or gate failed",
        "`check` found an error, with `--strict` also a warning; a rule of a gate failed or could \
         not be checked",
    ),
    (USAGE, "wrong usage", "the arguments or the settings make no sense; nothing was written"),
    (
        NOTHING,
        "nothing could be read or written",
        "a folder cannot be opened or holds no results, or a file cannot be written; what stood \
         there before still does",
    ),
];

pub(super) fn sentence() -> String {
    let codes: Vec<String> = TABLE.iter().map(|(code, says, _)| format!("{code} {says}")).collect();
    format!("Exit codes: {}.", codes.join(", "))
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub(super) message: String,
    /// What to do about it; one line each.
    pub(super) help: Vec<String>,
    pub(super) code: u8,
}

impl Failure {
    pub(super) fn nothing(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: Vec::new(), code: NOTHING }
    }

    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: Vec::new(), code: USAGE }
    }

    pub(super) fn io(attempted: &str, path: &Path, error: &io::Error) -> Self {
        let reason = files::reason(error);
        Self::nothing(format!("cannot {attempted} `{}`: {reason}", path.display()))
    }

    #[must_use]
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// The same failure with a suggestion, if there is one.
    #[must_use]
    pub(super) fn meant(self, meant: Option<impl Display>) -> Self {
        match meant {
            Some(meant) => self.help(format!("did you mean `{meant}`?")),
            None => self,
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        let failure = Self::nothing(error.to_string());
        match error {
            WriteError::Io { reason, .. } if reason == files::DENIED => {
                failure.help("give a place where you may write, or ask for the right to")
            }
            WriteError::Foreign { folder, path, .. } => {
                let path = path.display();
                let place = folder.join("report");
                failure
                    .help(format!("nothing was changed; move `{path}` away if it is not needed"))
                    .help(format!(
                        "or give another place: a folder such as `-o {}`, or `--into SITE --name NAME`",
                        place.display()
                    ))
            }
            WriteError::Site(folder) => {
                failure.help(format!("put a report into it with `--into {}`", folder.display()))
            }
            WriteError::NotOurs { .. } => failure.help("nothing was changed; move it away"),
            WriteError::CalledAlike(_) => failure.help("give the report another name"),
            WriteError::Report(_) => failure.help("give a folder above it, or a new one"),
            WriteError::State { .. } | WriteError::Taken(_) | WriteError::Io { .. } => failure,
        }
    }
}
