//! `evalbook build --format markdown`: one text for a pull request or the summary of a CI step,
//! instead of a report.

use clap::{Args, ValueEnum};

use crate::cli::gate::Judged;
use crate::cli::{Console, Failure, Outcome};
use crate::render::gate::Line;
use crate::render::pull_request::{self, Target, Wanted};
use crate::render::{Look, Part};

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

impl CommentArgs {
    /// Where a text is posted; `None` where a report is wanted.
    pub(super) fn target(&self) -> Outcome<Option<Target>> {
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

pub(super) fn text(
    args: &CommentArgs,
    target: Target,
    parts: &[Part<'_>],
    judged: &[Judged],
    look: &Look,
    console: &mut Console,
) -> String {
    let is_changed =
        judged.iter().any(Judged::is_failed) || parts.iter().any(pull_request::is_changed);
    if args.changes_only && !is_changed {
        console.remark("nothing changed since the iteration before, so there is nothing to post");
        return String::new();
    }
    let url = look.publication.report();
    let gates: Vec<Vec<Line>> = judged.iter().map(|judged| judged.lines.clone()).collect();
    let (budget, url) = (target.budget(), url.as_deref());
    pull_request::markdown(parts, Wanted { budget, url, gates: &gates }, &look.language)
}
