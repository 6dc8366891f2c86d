//! The commands, nearly each in a file of its own. Only this module prints and decides the exit code.

mod annotations;
mod benchmark;
mod brief;
mod build;
mod check;
mod comment;
mod compare;
pub mod console;
pub mod exit;
mod gate;
mod init;
mod inputs;
mod into;
mod look;
mod man;
mod named;
mod near;
mod parts;
mod schema;
mod serve;
mod settings;
mod sides;
mod skill;
mod snapshot;
mod theme;
mod usage;
mod workspaces;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::console::{ColorWhen, Console};
use crate::cli::exit::Failure;
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

/// What `build -h` shows; `--help` has all flags.
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
    Merge(build::MergeArgs),
    Check(check::CheckArgs),
    Compare(compare::CompareArgs),
    Benchmark(benchmark::BenchmarkArgs),
    Brief(brief::BriefArgs),
    Init(init::InitArgs),
    Snapshot(snapshot::SnapshotArgs),
    Serve(serve::ServeArgs),
    Schema(schema::SchemaArgs),
    Settings(settings::ShowArgs),
    Theme(theme::ThemeArgs),
    Completions(man::CompletionsArgs),
    Man(man::ManArgs),
}

/// Runs the program with `args`, the first being its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let args = match parsed(&words) {
        Ok(args) => args,
        Err(error) => return usage(error, &words),
    };
    let mut console = Console::new(args.color);
    // A killed `serve` leaves its report there.
    write::sweep(&std::env::temp_dir());
    let outcome = match &args.command {
        Command::Build(args) => build::run(args, &mut console),
        Command::Merge(args) => build::run_merge(args, &mut console),
        Command::Check(args) => check::run(args, &mut console),
        Command::Compare(args) => compare::run(args, &mut console),
        Command::Benchmark(args) => benchmark::run(args, &mut console),
        Command::Brief(args) => brief::run(args, &mut console),
        Command::Init(args) => init::run(args, &mut console),
        Command::Snapshot(args) => snapshot::run(args, &mut console),
        Command::Serve(args) => serve::run(args, &mut console),
        Command::Schema(args) => schema::run(args, &mut console),
        Command::Settings(args) => settings::run(args, &mut console),
        Command::Theme(args) => theme::run(args, &mut console),
        Command::Completions(args) => man::run_completions(args, &mut console),
        Command::Man(args) => man::run(args, &mut console),
    };
    ExitCode::from(ended(outcome, &mut console))
}

fn ended(outcome: Outcome, console: &mut Console) -> u8 {
    outcome.unwrap_or_else(|failure| {
        console.failure(&failure);
        failure.code
    })
}

fn parsed(words: &[OsString]) -> Result<Args, clap::Error> {
    let mut matches = command().try_get_matches_from(words)?;
    Args::from_arg_matches_mut(&mut matches)
}

fn usage(error: clap::Error, words: &[OsString]) -> ExitCode {
    let is_wrong = error.use_stderr();
    let mut program = command();
    program.build();
    let text = usage::explained(error, words, &program);
    let mut console = Console::new(ColorWhen::asked(words));
    if is_wrong {
        console.complaint(&text);
        return ExitCode::from(exit::USAGE);
    }
    let outcome = console.result(&text);
    ExitCode::from(ended(outcome, &mut console))
}

/// What comes of something that may end a command; of a command itself its exit code.
type Outcome<T = u8> = Result<T, Failure>;

#[cfg(test)]
mod tests;
