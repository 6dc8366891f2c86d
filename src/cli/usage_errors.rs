//! What is wrong with the arguments, and what to type instead.

use std::error::Error;
use std::ffi::OsString;
use std::path::Path;

use clap::Command;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::{CommandResult, Console, exit};
use text::{mistyped, most_similar};

/// Words that other programs use, and flags that ours has no need of, with our equivalents.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("--base", "compare BASE WORKSPACE"),
    ("deploy", "build WORKSPACE --into SITE"),
    ("diff", "compare"),
    ("generate", "build"),
    ("html", "build"),
    ("lint", "check"),
    ("list", "check"),
    ("man-page", "man"),
    ("merge", "build --merge FOLDERS"),
    ("new", "init"),
    ("publish", "build WORKSPACE --into SITE"),
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
    remove_far_suggestions(&mut error);
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

/// Leaves a word that clap suggests only where it may be meant: for `--jobs` it suggests `--robots`.
fn remove_far_suggestions(error: &mut clap::Error) {
    for (typed, suggested) in [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
    ] {
        let near = match error.get(suggested) {
            Some(ContextValue::String(near)) => near,
            Some(ContextValue::Strings(near)) if !near.is_empty() => &near[0],
            _ => continue,
        };
        let typed = text_of(error, typed).unwrap_or_default();
        if mistyped(typed, std::iter::once(near.as_str())).is_none() {
            error.remove(suggested);
            // It is that of the flag that was suggested.
            error.remove(ContextKind::Usage);
        }
    }
    // What begins with two hyphens is hardly ever meant as a value.
    if error.kind() == ErrorKind::UnknownArgument && error.get(ContextKind::SuggestedArg).is_none()
    {
        error.remove(ContextKind::Suggested);
    }
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
            if let Some(ours) = command_for(word) {
                return Some(ours);
            }
            let mut flags = used_command?.get_arguments().filter_map(|flag| flag.get_long());
            if let Some(flag) = flags.find(|flag| *flag == word) {
                return Some(format!("did you mean '--{flag}'?"));
            }
            list_with_spaces(word, words, used_command?).or_else(|| flag_for(word, used_command?))
        }
        ErrorKind::InvalidValue if text_of(error, ContextKind::InvalidValue) == Some("") => {
            let flag = text_of(error, ContextKind::InvalidArg)?;
            example(used_command?, flag).map(|line| format!("for example '{line}'"))
        }
        ErrorKind::ArgumentConflict => Some("leave one of the two out".to_owned()),
        // Rust's words for text in place of a number say nothing of what to type.
        ErrorKind::ValueValidation
            if error.source().is_some_and(|why| why.to_string().contains("invalid digit")) =>
        {
            let flag = text_of(error, ContextKind::InvalidArg)?.split(' ').next()?;
            let mut known = used_command?.get_arguments();
            let known = known.find(|known| known.get_long() == flag.strip_prefix("--"))?;
            Some(match known.get_default_values().first().and_then(|value| value.to_str()) {
                Some(number) => format!("give a whole number, such as '{flag} {number}'"),
                None => "give a whole number".to_owned(),
            })
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
    if let Some(ours) = command_for(word) {
        return Some(ours);
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

fn command_for(word: &str) -> Option<String> {
    let (_, ours) = OTHER_WORDS.iter().find(|(other, _)| *other == word)?;
    Some(format!("did you mean 'evalbook {ours}'?"))
}

/// For `--configurations a b`, where `word` is the `b`: the names with a comma.
fn list_with_spaces(word: &str, words: &[String], used_command: &Command) -> Option<String> {
    let at = words.iter().position(|typed| typed == word)?;
    let [flag, first] = words.get(at.checked_sub(2)?..at)? else { return None };
    let is_list = used_command.get_arguments().any(|known| {
        known.get_value_delimiter().is_some() && known.get_long() == flag.strip_prefix("--")
    });
    let [first, word] = [first.as_str(), word].map(|name| name.trim_matches(','));
    is_list.then(|| format!("separate names by commas alone: '{flag} {first},{word}'"))
}

/// For a word that nothing takes, the flag that may be meant: `init SKILL WORKSPACE` wants `-o WORKSPACE`.
fn flag_for(word: &str, used_command: &Command) -> Option<String> {
    if let Some(flag) = word.strip_prefix(['–', '—']) {
        return Some(format!("that is a long dash: type '--{flag}'"));
    }
    let is_flag = word.starts_with('-');
    let mut flags = used_command.get_arguments().filter_map(|known| known.get_long());
    let flag = flags.find(|flag| !is_flag && matches!(*flag, "output" | "message"))?;
    Some(format!("did you mean '--{flag} {word}'?"))
}

/// The text that an error has of this kind.
fn text_of(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// An example of `command` with the `missing` flag; its first one where what is missing is no flag.
fn example(command: &Command, missing: &str) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let flag = missing.split(' ').next().filter(|flag| flag.starts_with('-')).unwrap_or_default();
    let mut examples = help.lines().map(str::trim).filter(|line| line.starts_with("evalbook "));
    examples.find(|line| line.contains(flag)).map(str::to_owned)
}
