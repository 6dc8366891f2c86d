//! Arguments that make no sense: what clap says, and what to type instead.

use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::settings::keys::nearest;

/// Words that other programs use, with ours.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("diff", "compare"),
    ("generate", "build"),
    ("html", "build"),
    ("lint", "check"),
    ("man-page", "man"),
    ("new", "init"),
    ("render", "build"),
    ("report", "build"),
    ("run", "build"),
    ("validate", "check"),
    ("version", "--version"),
];

pub(super) fn explained(mut error: clap::Error, words: &[OsString], program: &Command) -> String {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let given = words.iter().find_map(|word| program.find_subcommand(word));
    if let Some(tip) = tip(&error, &words, given, program) {
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    }
    let text = error.render().ansi().to_string();
    match (given, error.use_stderr().then(|| text.rfind("--help")).flatten()) {
        (Some(given), Some(at)) => {
            format!("{}evalbook {} {}", &text[..at], given.get_name(), &text[at..])
        }
        _ => text,
    }
}

fn tip(
    error: &clap::Error,
    words: &[String],
    given: Option<&Command>,
    program: &Command,
) -> Option<String> {
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            in_place_of(text_of(error, ContextKind::InvalidSubcommand)?, words, program)
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let word = text_of(error, ContextKind::InvalidArg)?;
            let mut flags = given?.get_arguments().filter_map(|arg| arg.get_long());
            flags.find(|flag| *flag == word).map(|flag| format!("did you mean '--{flag}'?"))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = match error.get(ContextKind::InvalidArg)? {
                ContextValue::Strings(missing) => missing.first()?.as_str(),
                _ => "",
            };
            example(given?, missing).map(|line| format!("for example '{line}'"))
        }
        _ => None,
    }
}

fn text_of(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

fn in_place_of(word: &str, words: &[String], program: &Command) -> Option<String> {
    if let Some((_, ours)) = OTHER_WORDS.iter().find(|(other, _)| *other == word) {
        return Some(format!("did you mean 'evalbook {ours}'?"));
    }
    if Path::new(word).is_dir() {
        return Some(format!("to build the report of a folder, type 'evalbook build {word}'"));
    }
    let near = nearest(word, program.get_subcommands().map(Command::get_name))?;
    let helps = words.get(1).is_some_and(|first| first == "help");
    let near = if helps { format!("help {near}") } else { near.to_owned() };
    Some(format!("did you mean 'evalbook {near}'?"))
}

/// An example of `command` that has the `missing` flag, else its first one.
fn example(command: &Command, missing: &str) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let examples = || help.lines().map(str::trim).filter(|line| line.starts_with("evalbook "));
    let flag = missing.split(' ').next().filter(|flag| flag.starts_with('-'));
    let with_flag = flag.and_then(|flag| examples().find(|line| line.contains(flag)));
    with_flag.or_else(|| examples().next()).map(str::to_owned)
}
