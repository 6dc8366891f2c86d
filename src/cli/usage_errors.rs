//! What is wrong with the arguments, and what to type instead.

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{CommandResult, Console, exit};
use text::most_similar;

/// Words that other programs use, with our equivalents.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("diff", "compare"),
    ("generate", "build"),
    ("html", "build"),
    ("lint", "check"),
    ("man-page", "man"),
    ("new", "init"),
    ("render", "build"),
    ("report", "build"),
    ("validate", "check"),
    ("version", "--version"),
];

/// Words for what an agent does before evalbook comes.
const RUNNERS: &[&str] = &["eval", "evaluate", "exec", "execute", "grade", "judge", "run", "test"];

const RUNS_NOTHING: &str = "evalbook runs no agent and grades nothing: your agent does both. \
     'evalbook init SKILL' makes the folders, 'evalbook schema grading --prompt' prints a prompt for \
     a grader, and 'evalbook build WORKSPACE' writes the report";

/// Prints help where that was asked for, else what is wrong with `words` and what to type instead.
pub(super) fn explain(
    mut error: clap::Error,
    mut program: Command,
    words: &[OsString],
    console: &mut Console,
) -> CommandResult {
    program.build();
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    // clap does not say in which command the mistake is.
    let used_command = words.iter().find_map(|word| program.find_subcommand(word));
    // What begins with two hyphens is hardly ever meant as a value.
    if error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::SuggestedArg).is_none()
    {
        error.remove(ContextKind::Suggested);
    }
    if let Some(tip) = tip(&error, &words, used_command, &program) {
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    }
    let mut text = error.render().ansi().to_string();
    if !error.use_stderr() {
        return console.result(&text);
    }
    // clap names the help of the program; that of the command says more.
    if let (Some(used_command), Some(at)) = (used_command, text.rfind("--help")) {
        text.insert_str(at, &format!("evalbook {} ", used_command.get_name()));
    }
    console.usage_error(&text);
    Ok(exit::USAGE)
}

/// What to type instead, where clap has no suggestion.
fn tip(
    error: &clap::Error,
    words: &[String],
    used_command: Option<&Command>,
    program: &Command,
) -> Option<String> {
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            command_instead(text_of(error, ContextKind::InvalidSubcommand)?, words, program)
        }
        // `-title` and `title=x` are taken for other things than the flag.
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let word = text_of(error, ContextKind::InvalidArg)?;
            let mut flags = used_command?.get_arguments().filter_map(|flag| flag.get_long());
            flags.find(|flag| *flag == word).map(|flag| format!("did you mean '--{flag}'?"))
        }
        ErrorKind::ArgumentConflict => Some("leave one of the two out".to_owned()),
        // Rust's words for text in place of a number say nothing of what to type.
        ErrorKind::ValueValidation
            if error.source().is_some_and(|why| why.to_string().contains("invalid digit")) =>
        {
            let flag = text_of(error, ContextKind::InvalidArg)?.split(' ').next()?;
            let number = if flag == "--port" { 8000 } else { 3 };
            Some(format!("give a whole number, such as '{flag} {number}'"))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = match error.get(ContextKind::InvalidArg)? {
                ContextValue::Strings(missing) => missing.first()?.as_str(),
                _ => "",
            };
            example(used_command?, missing).map(|line| format!("for example '{line}'"))
        }
        _ => None,
    }
}

fn command_instead(word: &str, words: &[String], program: &Command) -> Option<String> {
    if let Some((_, ours)) = OTHER_WORDS.iter().find(|(other, _)| *other == word) {
        return Some(format!("did you mean 'evalbook {ours}'?"));
    }
    if RUNNERS.contains(&word) {
        return Some(RUNS_NOTHING.to_owned());
    }
    // Many programs take the folder without a command.
    if Path::new(word).is_dir() {
        return Some(format!("to build the report of a folder, type 'evalbook build {word}'"));
    }
    let near = most_similar(word, program.get_subcommands().map(Command::get_name))?;
    if words.get(1).is_some_and(|first| first == "help") {
        return Some(format!("did you mean 'evalbook help {near}'?"));
    }
    Some(format!("did you mean 'evalbook {near}'?"))
}

/// The text that an error has of this kind.
fn text_of(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// An example of `command` with the `missing` flag, else its first one.
fn example(command: &Command, missing: &str) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let mut first = None;
    let flag = missing.split(' ').next().filter(|flag| flag.starts_with('-'));
    for line in help.lines().map(str::trim).filter(|line| line.starts_with("evalbook ")) {
        if flag.is_some_and(|flag| line.contains(flag)) {
            return Some(line.to_owned());
        }
        first.get_or_insert(line);
    }
    first.map(str::to_owned)
}
