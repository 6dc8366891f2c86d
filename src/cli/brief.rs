//! `evalbook brief`: prints what an agent needs for the next improvement of the skill.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::settings::warn_unguarded;
use crate::cli::theme;
use crate::cli::workspaces::{self, OpenedWorkspace};
use crate::cli::{CommandResult, Console, Failure, build, exit, name_checks};
use crate::language::Language;
use crate::render::data;
use crate::render::{Part, brief};
use input::settings::Settings;
use text::most_similar;

/// Print what an agent needs for the next improvement, as Markdown of a stated size or as JSON
///
/// Of the newest iteration: both answers and the next step, what regressed and what failed, with the
/// evidence, the edits of the skill, what people said, the changes that analyses propose, the advice
/// of the graders. What does not fit is left out, the least urgent first, and the last line says how
/// much that is. `--case` has all of one case, with its prompt.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook brief my-skill-workspace\n  \
                        evalbook brief my-skill-workspace --case long-report\n  \
                        evalbook brief my-skill-workspace --most 32000 > brief.md\n  \
                        evalbook brief my-skill-workspace --format json")]
pub(super) struct BriefArgs {
    /// Folder to read; the current folder when none is given
    workspace: Option<PathBuf>,

    /// Markdown to be read by an agent, or JSON with everything for a program
    #[arg(long, value_enum, default_value_t = BriefFormat::Markdown)]
    format: BriefFormat,

    /// Only this case, with its prompt and whole texts, in the last iteration that has it
    #[arg(long, value_name = "NAME", conflicts_with = "format")]
    case: Option<String>,

    /// The most bytes of Markdown that are printed, from 2400 up; by default 240 for each entry, 2400
    /// at least and 16000 at most
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u32).range(brief::LEAST as i64..))]
    most: Option<u32>,

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
            let most = args.most.map(|most| most as usize);
            match &args.case {
                Some(case) => of_case(&parts, &language, case, most)?,
                None => brief::workspaces(&parts, &language, most),
            }
        }
    };
    console.result(&text)?;
    warn_unguarded(&flags, console);
    Ok(exit::FINE)
}

/// The brief of the case called `name`, in the first workspace that has it.
fn of_case(
    parts: &[Part<'_>],
    language: &Language,
    name: &str,
    most: Option<usize>,
) -> CommandResult<String> {
    let most = most.unwrap_or(brief::MOST);
    if let Some(text) = parts.iter().find_map(|part| brief::of_case(part, language, name, most)) {
        return Ok(text);
    }
    let cases = parts.iter().flat_map(|part| &part.analysis.cases);
    let names: Vec<&str> = cases.map(|case| case.name.as_str()).collect();
    let failure = Failure::usage(format!("there is no case `{name}`"));
    Err(match most_similar(name, names.iter().copied()) {
        Some(near) => failure.meant(Some(near)),
        None => failure.help(format!("there are {}", name_checks::list(names))),
    })
}
