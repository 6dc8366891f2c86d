//! `evalbook benchmark`: write `benchmark.json` and `benchmark.md` beside an iteration.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Outcome;
use crate::cli::console::Console;

/// Write `benchmark.json` and `benchmark.md` beside an iteration
#[derive(Debug, Args)]
pub(super) struct BenchmarkArgs {
    /// Folders of iterations
    #[arg(required = true)]
    iterations: Vec<PathBuf>,
}

/// Runs the command.
pub(super) fn run(_args: &BenchmarkArgs, _console: &mut Console) -> Outcome {
    Ok(0)
}
