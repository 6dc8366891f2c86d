//! `evalbook merge`: join reports made on different machines into one.

use std::path::PathBuf;

use clap::Args;

use crate::cli::Outcome;
use crate::cli::build::{self, ReportArgs};
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::parts::{self, NameArgs};
use crate::cli::workspaces::Opening;
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

/// Runs the command.
pub(super) fn run(args: &MergeArgs, console: &mut Console) -> Outcome {
    let open = |flags: &Settings| {
        let opening = parts::reports(&args.named, &args.reports, flags)?;
        refuse_part(&args.report, &opening)?;
        Ok(opening)
    };
    build::make(&args.report, &open, console)
}

/// Refuses to put the whole in the place of one of its parts: it could not be merged again.
fn refuse_part(args: &ReportArgs, opening: &Opening) -> Result<(), Failure> {
    let Some(target) = build::place(args, &opening.opened)? else { return Ok(()) };
    let real = target.canonicalize().unwrap_or_else(|_| target.clone());
    let mut parts = opening.opened.iter().flat_map(|opened| &opened.disk.inner().disks);
    match parts.any(|part| part.root() == real) {
        false => Ok(()),
        true => Err(Failure::usage(format!("`{}` is one of the parts", target.display()))
            .help("write the whole elsewhere, such as `-o whole`")),
    }
}
