//! The commands, most of them in a file of their own. Only this module prints and decides the exit
//! code.

mod benchmark;
mod brief;
mod build;
mod check;
mod compare;
pub mod console;
mod destination;
pub mod exit;
mod gate;
mod init;
mod merge;
mod name_checks;
mod program;
mod removed;
mod serve;
mod settings;
mod snapshot;
mod workspaces;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::console::{ColorWhen, Console};
use crate::cli::exit::Failure;
use crate::settings::keys::nearest;
use crate::write;

/// Turns a workspace of agent-skill evaluations into a review report.
#[derive(Debug, Parser)]
#[command(name = "evalbook", version, max_term_width = 100, after_help = after_help())]
struct Args {
    /// When to use color
    #[arg(long, global = true, value_enum, default_value_t = ColorWhen::Auto)]
    color: ColorWhen,

    #[command(subcommand)]
    command: Command,
}

fn after_help() -> String {
    let examples = [
        "evalbook build my-skill-workspace",
        "evalbook check my-skill-workspace --strict",
        "evalbook compare main/report.json my-skill-workspace --fail-on worse",
    ];
    format!("Examples:\n  {}\n\n{}", examples.join("\n  "), exit::sentence())
}

fn command() -> clap::Command {
    Args::command().mut_subcommand("build", |build| {
        build.mut_args(|flag| {
            let is_hidden = !FIRST_DAY.contains(&flag.get_id().as_str());
            flag.hide_short_help(is_hidden)
        })
    })
}

/// The flags in `build -h`; `--help` has all of them.
const FIRST_DAY: [&str; 10] = [
    "workspaces",
    "output",
    "open",
    "quiet",
    "title",
    "lang",
    "baseline",
    "against",
    "is_gated",
    "help",
];

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::BuildArgs),
    Check(check::CheckArgs),
    Compare(compare::CompareArgs),
    Benchmark(benchmark::BenchmarkArgs),
    Brief(brief::BriefArgs),
    Init(init::InitArgs),
    Snapshot(snapshot::SnapshotArgs),
    Serve(serve::ServeArgs),
    Schema(program::SchemaArgs),
    Settings(settings::ShowArgs),
    Theme(program::ThemeArgs),
    Completions(program::CompletionsArgs),
    Man(program::ManArgs),
}

/// Runs the program with `args`, the first being its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let matches = command().try_get_matches_from(&words);
    let parsed = matches.and_then(|mut matches| Args::from_arg_matches_mut(&mut matches));
    let color = parsed.as_ref().map_or_else(|_| ColorWhen::asked(&words), |args| args.color);
    let mut console = Console::new(color);
    let outcome = match parsed {
        Ok(args) => run_command(&args.command, &mut console),
        Err(error) => explain(error, &words, &mut console),
    };
    ExitCode::from(outcome.unwrap_or_else(|failure| {
        console.failure(&failure);
        failure.code
    }))
}

fn run_command(command: &Command, console: &mut Console) -> CommandResult {
    // A killed `serve` leaves its report there.
    write::sweep(&std::env::temp_dir());
    match command {
        Command::Build(args) => build::run(args, console),
        Command::Check(args) => check::run(args, console),
        Command::Compare(args) => compare::run(args, console),
        Command::Benchmark(args) => benchmark::run(args, console),
        Command::Brief(args) => brief::run(args, console),
        Command::Init(args) => init::run(args, console),
        Command::Snapshot(args) => snapshot::run(args, console),
        Command::Serve(args) => serve::run(args, console),
        Command::Schema(args) => program::print_schema(args, console),
        Command::Settings(args) => settings::run(args, console),
        Command::Theme(args) => program::eject_theme(args, console),
        Command::Completions(args) => program::print_completions(args, console),
        Command::Man(args) => program::print_manual(args, console),
    }
}

/// Prints help, or what is wrong with the arguments and what to type instead.
fn explain(mut error: clap::Error, words: &[OsString], console: &mut Console) -> CommandResult {
    let mut program = command();
    program.build();
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let command_word = words.iter().find_map(|word| program.find_subcommand(word));
    if let Some(failure) = removed::failure(&error, command_word) {
        return Err(failure);
    }
    if let Some(tip) = tip(&error, &words, command_word, &program) {
        let tips = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tips);
    }
    let mut text = error.render().ansi().to_string();
    if !error.use_stderr() {
        return console.result(&text);
    }
    if let (Some(command_word), Some(at)) = (command_word, text.rfind("--help")) {
        text.insert_str(at, &format!("evalbook {} ", command_word.get_name()));
    }
    console.remark(text.trim_end());
    Ok(exit::USAGE)
}

/// The result of a step that may end a command; for a command itself its exit code.
type CommandResult<T = u8> = Result<T, Failure>;

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
    ("run", "build"),
    ("validate", "check"),
    ("version", "--version"),
];

fn tip(
    error: &clap::Error,
    words: &[String],
    command: Option<&clap::Command>,
    program: &clap::Command,
) -> Option<String> {
    match error.kind() {
        ErrorKind::InvalidSubcommand if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            in_place_of(text_of(error, ContextKind::InvalidSubcommand)?, words, program)
        }
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let word = text_of(error, ContextKind::InvalidArg)?;
            let mut flags = command?.get_arguments().filter_map(|arg| arg.get_long());
            flags.find(|flag| *flag == word).map(|flag| format!("did you mean '--{flag}'?"))
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = match error.get(ContextKind::InvalidArg)? {
                ContextValue::Strings(missing) => missing.first()?.as_str(),
                _ => "",
            };
            example(command?, missing).map(|line| format!("for example '{line}'"))
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

fn in_place_of(word: &str, words: &[String], program: &clap::Command) -> Option<String> {
    if let Some((_, ours)) = OTHER_WORDS.iter().find(|(other, _)| *other == word) {
        return Some(format!("did you mean 'evalbook {ours}'?"));
    }
    if Path::new(word).is_dir() {
        return Some(format!("to build the report of a folder, type 'evalbook build {word}'"));
    }
    let near = nearest(word, program.get_subcommands().map(clap::Command::get_name))?;
    let helps = words.get(1).is_some_and(|first| first == "help");
    let near = if helps { format!("help {near}") } else { near.to_owned() };
    Some(format!("did you mean 'evalbook {near}'?"))
}

/// An example of `command` with the `missing` flag, else its first one.
fn example(command: &clap::Command, missing: &str) -> Option<String> {
    let help = command.get_after_help()?.to_string();
    let examples = || help.lines().map(str::trim).filter(|line| line.starts_with("evalbook "));
    let flag = missing.split(' ').next().filter(|flag| flag.starts_with('-'));
    let with_flag = flag.and_then(|flag| examples().find(|line| line.contains(flag)));
    with_flag.or_else(|| examples().next()).map(str::to_owned)
}

#[cfg(test)]
mod tests;
