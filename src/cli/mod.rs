//! The commands, most of them in a file of their own. Only this module prints and decides the exit
//! code.

mod added_runs;
mod agent_skill;
mod baseline;
mod benchmark;
mod brief;
mod build;
mod check;
mod clock;
mod compare;
mod completions;
pub mod console;
mod destination;
mod evals_file;
pub mod exit;
mod first_grading;
mod gate;
mod git;
mod idle_flags;
mod init;
mod last_look;
mod man;
mod merge;
mod name_checks;
mod progress;
mod schema;
mod serve;
mod settings;
mod sides;
mod skill_workspace;
mod snapshot;
mod theme;
mod today;
mod usage_errors;
mod workspaces;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Arg, ArgAction, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::cli::console::{ColorWhen, Console};
use crate::cli::exit::Failure;
use crate::write;

/// Turns a workspace of agent-skill evaluations into a review report. It reads gradings: it runs no
/// agent and grades nothing.
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
    let examples = examples.join("\n  ");
    format!("Examples:\n  {examples}\n\n{}\n\n{}", first_grading::STEPS, exit::sentence())
}

fn program() -> clap::Command {
    let help_all = Arg::new(HELP_ALL)
        .long(HELP_ALL)
        .global(true)
        .action(ArgAction::HelpLong)
        .help("Print help with every command and flag");
    Args::command().arg(help_all)
}

const HELP_ALL: &str = "help-all";

/// The program with the help that most people need.
fn program_in_brief() -> clap::Command {
    let program = program().mut_subcommands(|command| {
        let is_hidden = RARE_COMMANDS.contains(&command.get_name());
        command.hide(is_hidden)
    });
    program.mut_subcommand("build", |build| {
        build.mut_args(|flag| {
            let is_hidden = !FIRST_DAY.contains(&flag.get_id().as_str());
            flag.hide_short_help(is_hidden).hide_long_help(is_hidden)
        })
    })
}

/// The commands that only `--help-all` lists.
const RARE_COMMANDS: [&str; 4] = ["benchmark", "theme", "completions", "man"];

/// The flags in `build --help`; `--help-all` has all of them.
const FIRST_DAY: [&str; 10] = [
    "workspaces",
    "output",
    "open",
    "quiet",
    "title",
    "language",
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
    Baseline(baseline::BaselineArgs),
    Benchmark(benchmark::BenchmarkArgs),
    Brief(brief::BriefArgs),
    Init(init::InitArgs),
    Snapshot(snapshot::SnapshotArgs),
    Serve(serve::ServeArgs),
    Schema(schema::SchemaArgs),
    Settings(settings::ShowArgs),
    Theme(theme::ThemeArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Runs the program with `args`, the first being its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let words: Vec<OsString> = args.into_iter().collect();
    let shows_all = words.iter().any(|word| word.to_str() == Some("--help-all"));
    let shown = if shows_all { program() } else { program_in_brief() };
    let matches = shown.try_get_matches_from(&words);
    let parsed = matches.and_then(|mut matches| Args::from_arg_matches_mut(&mut matches));
    // Wrong arguments say nothing about color for sure, so the terminal decides.
    let color = parsed.as_ref().map_or(ColorWhen::Auto, |args| args.color);
    let mut console = Console::new(color);
    let outcome = match parsed {
        Ok(args) => run_command(&args.command, &mut console),
        Err(error) => usage_errors::explain(error, program(), &words, &mut console),
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
        Command::Baseline(args) => baseline::run(args, console),
        Command::Benchmark(args) => benchmark::run(args, console),
        Command::Brief(args) => brief::run(args, console),
        Command::Init(args) => init::run(args, console),
        Command::Snapshot(args) => snapshot::run(args, console),
        Command::Serve(args) => serve::run(args, console),
        Command::Schema(args) => schema::run(args, console),
        Command::Settings(args) => settings::run(args, console),
        Command::Theme(args) => theme::run(args, console),
        Command::Completions(args) => completions::run(args, program(), console),
        Command::Man(args) => man::run(args, program(), console),
    }
}

/// The result of a step that may end a command; for a command itself its exit code.
type CommandResult<T = u8> = Result<T, Failure>;

#[cfg(test)]
mod tests;
