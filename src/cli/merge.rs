//! `evalbook merge`: join reports made on different machines into one.

use std::path::PathBuf;

use clap::Args;

use crate::cli::build::{self, ReportArgs};
use crate::cli::inputs::Inputs;
use crate::cli::parts::{self, NameArgs};
use crate::cli::{Console, Outcome};
use crate::settings::Settings;

/// Join reports that were made of parts of one workspace into the report of the whole
///
/// Each part is a report made with `evalbook build --part`, wherever that was. What comes out has the
/// same bytes as a report of the whole workspace. Where parts have something else at the same path,
/// the first by name counts, and the page of problems says so. Flags and `evalbook.toml` are those
/// of `evalbook build`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  evalbook merge shard-1/report.json shard-2/report.json -o site\n  \
                        evalbook merge shard-* -o site --gate\n  \
                        evalbook merge shard-1* --part -o merged-1"
)]
pub(super) struct MergeArgs {
    /// Reports of the parts: their folders, or the report.json in them
    #[arg(required = true)]
    reports: Vec<PathBuf>,

    #[command(flatten)]
    named: NameArgs,

    #[command(flatten)]
    report: ReportArgs,
}

pub(super) fn run(args: &MergeArgs, console: &mut Console) -> Outcome {
    let inputs = Inputs::reports(&args.reports, "the parts");
    let open = |flags: &Settings| parts::reports(&args.named, &args.reports, flags);
    build::make(&args.report, inputs, &open, console)
}
