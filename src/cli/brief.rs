//! `evalbook brief`: print what an agent needs for the next improvement of the skill.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::look::{self, LookArgs};
use crate::cli::settings::{SettingsArgs, tell_unguarded};
use crate::cli::workspaces::{self, Opened};
use crate::cli::{Console, Failure, Outcome, build, exit};
use crate::render::Look;
use crate::render::brief::{self, LEAST};
use crate::render::data;
use crate::write::MemorySink;

/// Print what an agent needs for the next improvement, as Markdown of a stated size or as JSON
///
/// Of the newest iteration: what regressed and what failed, with the evidence, what people said,
/// the changes that analyses propose, the advice of the graders. What does not fit is left out,
/// the least urgent first, and the last line says how much that is.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook brief my-skill-workspace\n  \
                        evalbook brief my-skill-workspace --most 32000 > brief.md\n  \
                        evalbook brief my-skill-workspace --format json")]
pub(super) struct BriefArgs {
    /// Folder to read; the current folder when none is given
    workspace: Option<PathBuf>,

    /// Markdown to be read by an agent, or JSON with everything for a program
    #[arg(long, value_enum, default_value_t = BriefFormat::Markdown)]
    format: BriefFormat,

    /// The most bytes of Markdown that are printed, from 8000 up
    #[arg(long, value_name = "BYTES", default_value_t = 16_000, value_parser = clap::value_parser!(u32).range(LEAST as i64..))]
    most: u32,

    #[command(flatten)]
    settings: SettingsArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BriefFormat {
    Markdown,
    Json,
}

pub(super) fn run(args: &BriefArgs, console: &mut Console) -> Outcome {
    let flags = args.settings.settings()?;
    let paths: Vec<PathBuf> = args.workspace.iter().cloned().collect();
    let opened = workspaces::open(&paths, &flags)?.checked()?.labelled()?.opened;
    if args.format == BriefFormat::Json {
        let analyses: Vec<_> = opened.iter().map(Opened::analysis).collect();
        console.result(&data::brief::json(&build::parts_of(&opened, &analyses)))?;
        tell_unguarded(&flags, console);
        return Ok(exit::FINE);
    }
    let look =
        look::from_flags(&LookArgs::default(), opened.iter().map(|opened| &opened.settings))?;
    // Briefs of several workspaces stand below each other with an empty line between.
    let each = (args.most as usize + 1) / opened.len().max(1) - 1;
    if each < LEAST {
        let message = format!("{} bytes are too few for {} workspaces", args.most, opened.len());
        return Err(Failure::usage(message)
            .help(format!("give one workspace, or {LEAST} bytes for each with `--most`")));
    }
    let briefs: Vec<String> =
        opened.iter().map(|opened| of_one(opened, &look, each)).collect::<Result<_, _>>()?;
    console.result(&briefs.join("\n"))?;
    tell_unguarded(&flags, console);
    Ok(exit::FINE)
}

fn of_one(opened: &Opened, look: &Look, most: usize) -> Outcome<String> {
    let analysis = opened.analysis();
    brief::workspace(&opened.part(&analysis), look, &MemorySink::default(), most)
        .map_err(|error| Failure::nothing(error.to_string()))
}
