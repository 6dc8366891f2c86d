//! Commands and flags of earlier versions, each with what to use instead.

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::Failure;

/// What was removed, and its replacement. `merge` is a command, `build --part` a flag of one
/// command, `--part` would be a flag of every command.
const REMOVED: &[(&str, &str)] = &[
    (
        "merge",
        "give the folders of all jobs to one build: `evalbook build --merge FOLDER… --expect N`",
    ),
    (
        "build --part",
        "keep the folder that the job wrote, and give the folders of all jobs to one build: \
         `evalbook build --merge FOLDER… --expect N`",
    ),
    (
        "schema --compact",
        "leave it out: `evalbook schema KIND` lists the documented spellings alone, and \
         `--all-spellings` the rest",
    ),
];

/// The failure for arguments that name something removed; `None` for every other mistake.
pub(super) fn failure(error: &clap::Error, command: Option<&clap::Command>) -> Option<Failure> {
    let names = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            vec![text_of(error, ContextKind::InvalidSubcommand)?.to_owned()]
        }
        ErrorKind::UnknownArgument => {
            let flag = text_of(error, ContextKind::InvalidArg)?;
            vec![format!("{} {flag}", command?.get_name()), flag.to_owned()]
        }
        _ => return None,
    };
    let (name, replacement) = REMOVED.iter().find(|(name, _)| names.iter().any(|n| n == name))?;
    Some(Failure::usage(format!("`evalbook {name}` was removed")).help(*replacement))
}

/// The text that an error has of this kind.
pub(super) fn text_of(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{REMOVED, failure};
    use crate::cli::program;

    #[test]
    fn whatever_was_removed_names_its_replacement() {
        for (name, replacement) in REMOVED {
            let words: Vec<&str> = name.split(' ').collect();
            let (first, flag) = match words[..] {
                [flag] if flag.starts_with("--") => ("check", Some(flag)),
                [first] => (first, None),
                [first, flag] => (first, Some(flag)),
                _ => panic!("{name}"),
            };
            let line = ["evalbook", first].into_iter().chain(flag);
            let error = program().try_get_matches_from(line).expect_err(name);
            let failure = failure(&error, program().find_subcommand(first)).expect(name);
            assert_eq!(failure.help, [*replacement]);
        }
    }
}
