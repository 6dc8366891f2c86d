//! The commands, one file each. Only this module prints and decides the exit code.

mod benchmark;
mod brief;
mod build;
mod check;
mod comment;
mod compare;
mod console;
pub mod exit;
mod failure;
mod gate;
mod git;
mod init;
mod into;
mod look;
mod schema;
mod serve;
mod settings;
mod sides;
mod skill;
mod snapshot;
mod theme;
mod workspaces;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::cli::console::{ColorWhen, Console};
use crate::cli::failure::Failure;

/// Turns a workspace of agent-skill evaluations into a review report.
#[derive(Debug, Parser)]
#[command(name = "evalbook", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Args {
    /// When to use color; `NO_COLOR` and terminals without color are respected
    #[arg(long, global = true, value_enum, default_value_t = ColorWhen::Auto)]
    color: ColorWhen,

    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 fine, 1 a check or gate failed, 2 wrong usage, \
                          3 nothing could be read or written.";

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
    Schema(schema::SchemaArgs),
    Settings(settings::ShowArgs),
    Theme(theme::ThemeArgs),
}

/// Runs the program with `args`, the first being its own name.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let mut console = Console::new(args.color);
    let outcome = match &args.command {
        Command::Build(args) => build::run(args, &mut console),
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
    };
    let code = outcome.unwrap_or_else(|failure| {
        console.failure(&failure);
        failure.code
    });
    ExitCode::from(code)
}

/// Prints help, version, or what was wrong with the arguments.
fn usage(error: &clap::Error) -> ExitCode {
    // The output may be closed already; there is nobody left to tell.
    let _ = error.print();
    ExitCode::from(if error.use_stderr() { exit::USAGE } else { exit::FINE })
}

/// What a command ends with: its exit code, or why nothing could be done.
type Outcome = Result<u8, Failure>;

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn arguments_are_consistent() {
        super::Args::command().debug_assert();
    }
}
