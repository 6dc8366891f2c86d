//! `evalbook build`, the main job: reads everything, writes the report folder.

use std::env::{var, var_os};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use crate::analyze::Analysis;
use crate::cli::destination::{self, Destination, Inputs, IntoArgs};
use crate::cli::gate::{self as cli_gate, DayArgs};
use crate::cli::merge::FoldersArgs;
use crate::cli::settings::{AllSettingsArgs, summed_up, warn_unguarded};
use crate::cli::theme::{self, LookArgs};
use crate::cli::workspaces::OpenedWorkspace;
use crate::cli::{CommandResult, Console, Failure, exit};
use crate::digest;
use crate::files;
use crate::language::Language;
use crate::model::{Redaction, Severity};
use crate::render::pull_request::{self, COMMENT_BYTES, SUMMARY_BYTES};
use crate::render::{self, Part, RenderOptions};
use crate::text::{bytes, count, printable};
use crate::wording::answer::answer;
use crate::wording::gate::GateMark;
use crate::wording::recorded_results;
use crate::write::FolderSize;

/// Read workspaces and write the report folder
///
/// An earlier report in the same place is replaced as a whole, once the new one is complete.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook build my-skill-workspace\n  \
                        evalbook build my-skill-workspace -o site --open\n  \
                        evalbook build skills/*-workspace -o site\n  \
                        evalbook build --merge raw/job-* --expect 4 -o site\n  \
                        evalbook build my-skill-workspace --into site --name pr-12 --keep 50\n  \
                        evalbook build my-skill-workspace --gate\n  \
                        evalbook build my-skill-workspace --export csv,junit\n  \
                        evalbook build my-skill-workspace --format markdown --for pull-request")]
pub(super) struct BuildArgs {
    #[command(flatten)]
    folders: FoldersArgs,

    /// Where to write: the folder of the report, or a text file; without it a text is printed
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Print nothing but errors
    #[arg(short, long)]
    quiet: bool,

    /// Open the report in the browser
    #[arg(long, conflicts_with = "target")]
    open: bool,

    #[command(flatten)]
    into: IntoArgs,

    #[command(flatten)]
    comment: CommentArgs,

    #[command(flatten)]
    look: LookArgs,

    #[command(flatten)]
    settings: AllSettingsArgs,

    #[command(flatten)]
    day: DayArgs,

    /// Judge the newest iteration by the gate once the report is written, and exit with 1 where a
    /// rule fails; any flag of a rule does the same
    #[arg(long = "gate", help_heading = "Gate (overrides evalbook.toml)")]
    is_gated: bool,
}

pub(super) fn run(args: &BuildArgs, console: &mut Console) -> CommandResult {
    let flags = args.settings.settings();
    if flags.publish.keep.is_some() && args.into.site.is_none() {
        return Err(Failure::usage("`--keep` is for a site of reports").help("add `--into SITE`"));
    }
    let theme = args.look.theme.as_deref();
    let inputs = Inputs::new(&args.folders.workspaces, "the workspaces").with(theme);
    let text = args.comment.target()?;
    refuse_output(args, &inputs, text.is_some())?;
    let day = args.day.day()?;
    let is_gated = args.is_gated || !flags.gate.is_empty();
    let mut opened = args.folders.open(&flags)?.checked()?.labelled()?.opened;
    if is_gated {
        cli_gate::add_default_rule(&mut opened);
    }
    let opened = &opened;
    let mut options = theme::render_options(theme, opened.iter().map(|opened| &opened.settings))?;
    options.publication.folder = args.into.name(opened, text.is_some())?;
    if let (Some(root), Some(name)) = (&args.into.site, &options.publication.folder) {
        inputs.refuse_in(&root.join(name))?;
    }
    let analyses: Vec<Analysis> = opened.iter().map(OpenedWorkspace::analysis_with_texts).collect();
    let mut parts = parts_of(opened, &analyses);
    for part in parts.iter_mut().filter(|_| is_gated) {
        part.gate = cli_gate::judge(part, &day, &options.language);
    }
    match text {
        Some(target) => {
            let text = comment(&args.comment, target, &parts, &options, console);
            console.put(&text, args.output.as_deref())?;
            if !args.quiet {
                warn_unguarded(&flags, console);
            }
        }
        None => report(args, opened, &parts, &options, console)?,
    }
    let language = &options.language;
    let tell =
        |part: &Part<'_>| cli_gate::report(&part.gate, part.prefix, args.quiet, language, console);
    Ok(parts.iter().map(tell).max().unwrap_or(exit::FINE))
}

/// Refuses an output that would replace an input; the place in a site is only known later.
fn refuse_output(args: &BuildArgs, inputs: &Inputs<'_>, is_text: bool) -> CommandResult<()> {
    let is_comment =
        |file: &Path| files::text(file).is_some_and(|text| text.starts_with(pull_request::MARKER));
    match (&args.output, is_text) {
        (None, true) => Ok(()),
        (Some(file), true) if is_comment(file) => Ok(()),
        (Some(file), true) => inputs.refuse_file(file),
        (output, false) => match &args.into.site {
            None => inputs.refuse_in(output.as_deref().unwrap_or(Path::new(REPORT))),
            Some(site) => inputs.refuse_site(site),
        },
    }
}

fn report(
    args: &BuildArgs,
    opened: &[OpenedWorkspace],
    parts: &[Part<'_>],
    options: &RenderOptions,
    console: &mut Console,
) -> CommandResult<()> {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let place = match (&args.into.site, &options.publication.folder) {
        (Some(root), Some(name)) => {
            let keep =
                opened.iter().find_map(|opened| opened.settings.publish.keep).map(usize::from);
            Destination::Site { root: root.clone(), name: name.clone(), keep }
        }
        // As requested, else `report` in the current folder, unless that is in a workspace.
        _ => Destination::Folder(match &args.output {
            Some(output) => output.clone(),
            None if opened.iter().any(|opened| opened.holds(&here)) => {
                let help = "say where to write: `-o ../report`, or `-o report` to have it in the workspace";
                let message = "the current folder lies in the workspace";
                return Err(Failure::usage(message).help(help));
            }
            None => PathBuf::from(REPORT),
        }),
    };
    let folder = place.begin(options)?;
    let progress = progress(args.quiet);
    let done = |pages: usize| {
        progress.set_length(pages as u64);
        progress.inc(1);
    };
    let pages = render::report(parts, options, &folder, &done);
    let pages = pages.map_err(|error| destination::render_failure(&error, &folder))?;
    progress.finish_and_clear();
    let (written, remarks) = place.finish(folder, options)?;
    if !args.quiet {
        parts.iter().map(answer_of).take(ANSWERS).for_each(|line| console.remark(&line));
        let line = summary(opened, pages, written, &place.target());
        let add = |line, workspace: &OpenedWorkspace| summed_up(line, &workspace.settings);
        console.remark(&opened.iter().take(1).fold(line, add));
        redacted(opened).iter().for_each(|line| console.remark(line));
        remarks.iter().for_each(|line| console.remark(&printable(line)));
    }
    if args.open {
        open(&place.target().join("index.html"))?;
    }
    Ok(())
}

const REPORT: &str = "report";

/// The most workspaces with an answer on the terminal; the landing page has them all.
const ANSWERS: usize = 5;

/// What the newest iteration says, with the workspace it is of.
fn answer_of(part: &Part<'_>) -> String {
    let language = Language::default();
    let found = answer(part.workspace, part.analysis, &language);
    let line = found.map(|answer| answer.line(&language));
    let sentence = line
        .or_else(|| recorded_results::instead(part.workspace, &language))
        .unwrap_or_else(|| recorded_results::nothing(part.workspace, &language).to_owned());
    printable(&format!("{}: {sentence}", part.title()))
}

pub(super) fn parts_of<'a>(
    opened: &'a [OpenedWorkspace],
    analyses: &'a [Analysis],
) -> Vec<Part<'a>> {
    opened.iter().zip(analyses).map(|(opened, analysis)| opened.part(analysis)).collect()
}

/// A bar on a terminal that can draw one; otherwise hidden.
fn progress(quiet: bool) -> ProgressBar {
    let is_dumb = var_os("TERM").is_some_and(|term| term == "dumb");
    let is_ci = var("CI").is_ok_and(|ci| !ci.is_empty() && ci != "false");
    if quiet || is_dumb || is_ci {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} pages");
    ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// One line on what was redacted before publishing; `None` if nothing was.
fn redacted(opened: &[OpenedWorkspace]) -> Option<String> {
    let redactions = || opened.iter().map(|opened| &opened.workspace.redaction);
    let secrets: usize = redactions().map(Redaction::count).sum();
    let kept = redactions()
        .map(|redaction| redaction.withheld.len() + redaction.unsafe_outputs.len())
        .sum::<usize>();
    let secrets = (secrets > 0).then(|| format!("replaced {} by marks", count(secrets, "secret")));
    let kept = (kept > 0).then(|| format!("kept back {}", count(kept, "output")));
    let parts: Vec<String> = [secrets, kept].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{}; the page of problems says where", parts.join("; ")))
}

/// One line: what was written, from what, how many problems there are, and where to begin.
fn summary(opened: &[OpenedWorkspace], pages: usize, written: FolderSize, target: &Path) -> String {
    let mut parts =
        vec![count(opened.iter().map(|opened| opened.workspace.totals().runs).sum(), "run")];
    for severity in [Severity::Error, Severity::Warning] {
        let problems = opened.iter().flat_map(|opened| &opened.workspace.problems);
        let number = problems.filter(|problem| problem.severity() == severity).count();
        parts.extend((number > 0).then(|| count(number, severity.word())));
    }
    let hint = if parts.len() > 1 { " (see `evalbook check`)" } else { "" };
    let (pages, size, parts) = (count(pages, "page"), bytes(written.bytes), parts.join(", "));
    let index = target.join("index.html");
    format!("Built {pages} ({size}) from {parts}{hint}. Open {}", index.display())
}

pub(super) fn open(page: &Path) -> CommandResult<()> {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let started = std::process::Command::new(opener).arg(page).spawn();
    started.map(|_| ()).map_err(|error| {
        Failure::io("start", Path::new(opener), &error)
            .help(format!("open `{}` yourself", page.display()))
    })
}

/// The flags that ask for a text.
#[derive(Debug, Args)]
#[command(next_help_heading = "One text instead of a report")]
struct CommentArgs {
    /// What to write: a report, or one text
    #[arg(long, value_enum, default_value_t = OutputFormat::Html)]
    format: OutputFormat,

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    /// The folder of a report
    Html,
    /// One text in Markdown
    Markdown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum For {
    /// As a comment, at most 60,000 bytes
    PullRequest,
    /// As a summary in `$GITHUB_STEP_SUMMARY`, at most 1,000 KiB
    StepSummary,
}

impl CommentArgs {
    /// Where a text is posted; `None` for a report.
    fn target(&self) -> CommandResult<Option<For>> {
        match (self.format, self.target) {
            (OutputFormat::Html, Some(_)) => {
                let failure = Failure::usage("`--for` is for one text, not for a report");
                Err(failure.help("add `--format markdown`"))
            }
            (_, target) => Ok(target),
        }
    }
}

fn comment(
    args: &CommentArgs,
    target: For,
    parts: &[Part<'_>],
    options: &RenderOptions,
    console: &mut Console,
) -> String {
    let is_changed = |part: &Part<'_>| {
        part.gate.iter().any(|line| line.mark == GateMark::Failed)
            || digest::is_changed(&part.flips)
    };
    if args.changes_only && !parts.iter().any(is_changed) {
        console.remark("nothing changed since the iteration before, so there is nothing to post");
        return String::new();
    }
    let url = options.publication.report();
    let budget = match target {
        For::PullRequest => COMMENT_BYTES,
        For::StepSummary => SUMMARY_BYTES,
    };
    pull_request::markdown(parts, budget, url.as_deref(), &options.language)
}
