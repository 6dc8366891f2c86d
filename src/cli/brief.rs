//! `evalbook brief`: prints what an agent needs for the next improvement of the skill.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::settings::warn_unguarded;
use crate::cli::theme;
use crate::cli::workspaces::{self, OpenedWorkspace};
use crate::cli::{CommandResult, Console, build, exit};
use crate::render::brief;
use crate::render::data;
use input::settings::Settings;

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
    #[arg(long, value_name = "BYTES", default_value_t = 16_000, value_parser = clap::value_parser!(u32).range(8_000..))]
    most: u32,

    #[command(flatten)]
    settings: Settings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BriefFormat {
    Markdown,
    Json,
}

pub(super) fn run(args: &BriefArgs, console: &mut Console) -> CommandResult {
    let flags = args.settings.as_flags();
    let found = workspaces::open(args.workspace.as_slice(), &flags)?.checked()?.labelled()?;
    found.remarks.iter().for_each(|line| console.remark(line));
    let opened = found.opened;
    let analyses: Vec<_> = opened.iter().map(OpenedWorkspace::analysis_with_texts).collect();
    let parts = build::parts_of(&opened, &analyses);
    console.hide_secrets_of(&opened);
    let text = match args.format {
        BriefFormat::Json => data::brief::json(&parts),
        BriefFormat::Markdown => {
            let settings = parts.iter().map(|part| part.settings);
            let language = theme::render_options(None, settings)?.language;
            brief::workspaces(&parts, &language, args.most as usize)
        }
    };
    console.result(&text)?;
    warn_unguarded(&flags, console);
    Ok(exit::FINE)
}
