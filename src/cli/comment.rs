//! `evalbook build --format markdown`: one text for a pull request or the summary of a CI step,
//! instead of a report.

use std::path::Path;

use clap::{Args, ValueEnum};

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::gate::Judged;
use crate::render::gate::Line;
use crate::render::pull_request::{self, Target, Wanted};
use crate::render::{Look, Part};
use crate::write;

/// The flags that ask for a text.
#[derive(Debug, Args)]
#[command(next_help_heading = "One text instead of a report")]
pub(super) struct CommentArgs {
    /// What to write: a report, or one text
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,

    /// Where the text is posted; it is kept as small as that needs
    #[arg(
        long = "for",
        value_enum,
        value_name = "PLACE",
        id = "target",
        required_if_eq("format", "markdown")
    )]
    target: Option<For>,

    /// Write nothing where nothing changed since the iteration before
    #[arg(long, requires = "target")]
    changes_only: bool,
}

/// What a build writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The folder of a report
    Html,
    /// One text in Markdown
    Markdown,
}

/// Where a text is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// As a comment, at most 60,000 bytes
    PullRequest,
    /// As a summary in `$GITHUB_STEP_SUMMARY`, at most 1,000 KiB
    StepSummary,
}

/// Where a text goes.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// Where it is posted.
    pub(super) target: Target,
    /// The file it is written to; else it is printed.
    pub(super) output: Option<&'a Path>,
}

impl CommentArgs {
    /// Where a text is posted; `None` where a report is wanted.
    pub(super) fn target(&self) -> Result<Option<Target>, Failure> {
        match (self.format, self.target) {
            (Format::Markdown, Some(For::PullRequest)) => Ok(Some(Target::PullRequest)),
            (Format::Markdown, Some(For::StepSummary)) => Ok(Some(Target::StepSummary)),
            (_, None) => Ok(None),
            (Format::Html, Some(_)) => {
                let failure = Failure::usage("`--for` is for one text, not for a report");
                Err(failure.help("add `--format markdown`"))
            }
        }
    }
}

/// Writes or prints the text for `parts`.
pub(super) fn write(
    args: &CommentArgs,
    place: Place<'_>,
    parts: &[Part<'_>],
    judged: &[Judged],
    look: &Look,
    console: &mut Console,
) -> Result<(), Failure> {
    let url = look.publication.report();
    let gates: Vec<Vec<Line>> = judged.iter().map(|judged| judged.lines.clone()).collect();
    let wanted = Wanted {
        target: place.target,
        budget: place.target.budget(),
        url: url.as_deref(),
        gates: &gates,
    };
    let mut text = String::new();
    let is_changed =
        judged.iter().any(Judged::is_failed) || parts.iter().any(pull_request::is_changed);
    if args.changes_only && !is_changed {
        console.remark("nothing changed since the iteration before, so there is nothing to post");
    } else {
        text = pull_request::markdown(parts, wanted, &look.language);
    }
    match place.output {
        None => console.result(&text)?,
        Some(file) => {
            write::file(file, text.as_bytes()).map_err(|error| Failure::unwritten(&error))?
        }
    }
    Ok(())
}
