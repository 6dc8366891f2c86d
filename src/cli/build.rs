//! `evalbook build`, the main job: reads everything, writes the report folder.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use crate::analyze::Analysis;
use crate::cli::destination::{self, Inputs, IntoArgs, REPORT};
use crate::cli::gate::{self as cli_gate, DayArgs};
use crate::cli::git;
use crate::cli::idle_flags::idle_flags;
use crate::cli::last_look::CheckedSink;
use crate::cli::merge::FoldersArgs;
use crate::cli::progress::Progress;
use crate::cli::settings::{AllSettingsArgs, summed_up, warn_unguarded};
use crate::cli::theme::{self, LookArgs};
use crate::cli::workspaces::{OpenedWorkspace, OpenedWorkspaces};
use crate::cli::{CommandResult, Console, Failure, first_grading};
use crate::digest;
use crate::language::Language;
use crate::render::pull_request::{self, COMMENT_BYTES, SUMMARY_BYTES};
use crate::render::{self, Part, RenderOptions};
use crate::wording::Answer;
use crate::wording::gate::GateMark;
use crate::wording::questions;
use crate::write::{FolderSize, MemorySink, ReportFolder};
use input::files;
use input::model::{Severity, Workspace};
use input::settings::Settings;
use text::{bytes, count, printable};

/// Read workspaces and write the report folder
///
/// An earlier report in the same place is replaced as a whole, once the new one is complete.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook build my-skill-workspace\n  \
                        evalbook build my-skill-workspace -o site --open\n  \
                        evalbook build skills/*-workspace -o site\n  \
                        evalbook build --merge raw/job-* --expect 4 -o site\n  \
                        evalbook build --side with_skill=jobs/a --side without_skill=jobs/b -o site\n  \
                        evalbook build my-skill-workspace --into site --name pr-12\n  \
                        evalbook build my-skill-workspace --gate\n  \
                        evalbook build my-skill-workspace --one-file report.html\n  \
                        evalbook build my-skill-workspace --export csv,junit\n  \
                        evalbook build my-skill-workspace --format markdown --for pull-request")]
pub(super) struct BuildArgs {
    #[command(flatten)]
    folders: FoldersArgs,

    /// Where to write: the folder of the report, `report` when none is given; or the file of a text,
    /// which is printed otherwise
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Write one page to send instead of a folder: overview, cases, history and the newest review
    /// pages, in at most 5 MB, without requests
    #[arg(long, value_name = "FILE", conflicts_with_all = ["output", "site", "target", "open"])]
    one_file: Option<PathBuf>,

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
    let theme = args.look.theme.as_deref();
    let folders = args.folders.paths();
    let inputs = Inputs::new(&folders, "the workspaces").with(theme);
    let text = args.comment.target()?;
    args.into.check(args.folders.read_apart(), text.is_some())?;
    refuse_output(args, &inputs, text.is_some())?;
    let day = args.day.day()?;
    let is_gated = args.is_gated || !flags.gate.is_empty();
    let OpenedWorkspaces { mut opened, mut remarks, .. } =
        args.folders.open(&flags)?.checked()?.labelled()?;
    if is_gated {
        cli_gate::add_default_rule(&mut opened);
    } else if opened.iter().any(|opened| !opened.settings.gate.is_empty()) {
        remarks.push("the rules of `[gate]` are not enforced: `--gate` does that".to_owned());
    } else if !flags.known_issues.is_empty() {
        remarks.push("`--known-issue` changes nothing: no gate is asked for".to_owned());
    }
    let opened = &opened;
    let mut options = theme::render_options(theme, opened.iter().map(|opened| &opened.settings))?;
    options.publication.folder = args.into.name(opened)?;
    if let (Some(root), Some(name)) = (&args.into.site, &options.publication.folder) {
        inputs.refuse_in(&root.join(name))?;
        (options.publication.commit, options.publication.date) = git::commit_of(folders.first());
    }
    let analyses: Vec<Analysis> =
        opened.par_iter().map(OpenedWorkspace::analysis_with_texts).collect();
    remarks.extend(idle_flags(&flags, opened, &analyses));
    if !args.quiet {
        remarks.iter().for_each(|line| console.remark(line));
    }
    let mut parts = parts_of(opened, &analyses);
    if is_gated {
        for (part, opened) in parts.iter_mut().zip(opened) {
            part.gate = cli_gate::judge(opened, part.analysis, &day, &options.language)?;
        }
    }
    match (text, &args.one_file) {
        (None, Some(file)) => one_file(args, file, opened, &parts, &options, console)?,
        (Some(target), _) => {
            console.hide_secrets_of(opened);
            let text = comment(&args.comment, target, &parts, &options, console);
            console.put(&text, args.output.as_deref())?;
            if !args.quiet {
                warn_unguarded(&flags, console);
            }
        }
        (None, None) => report(args, &flags, &inputs, opened, &parts, &options, console)?,
    }
    let gates = parts.iter().map(|part| (part.prefix, part.gate.as_slice()));
    Ok(cli_gate::report(gates, args.quiet, &options.language, console))
}

/// Writes everything that fits into one page.
fn one_file(
    args: &BuildArgs,
    file: &Path,
    opened: &[OpenedWorkspace],
    parts: &[Part<'_>],
    options: &RenderOptions,
    console: &mut Console,
) -> CommandResult<()> {
    let memory = MemorySink::default();
    let checked = CheckedSink::new(&memory, opened);
    let chosen = render::one_file::render(parts, options, &checked);
    let faults = checked.faults();
    let title = parts.first().map_or("", |part| part.title());
    let page = chosen
        .and_then(|chosen| render::one_file::join(&chosen, &memory.into_pages(), title, options));
    let page = page.map_err(|error| destination::unfilled(&error))?;
    console.put(&page, Some(file))?;
    for fault in faults {
        console.remark(&printable(&fault));
    }
    if !args.quiet {
        let size = bytes(page.len() as u64);
        console.remark(&format!("Wrote {} ({size}), one page to send", file.display()));
    }
    Ok(())
}

/// The pages that a reader can open; the clean copies of HTML outputs are no pages.
fn number_of_pages(folder: &ReportFolder) -> usize {
    let files = folder.hashes();
    files.keys().filter(|path| path.ends_with(".html") && !path.starts_with("files/")).count()
}

/// Refuses an output that would replace an input; the place in a site is only known later.
fn refuse_output(args: &BuildArgs, inputs: &Inputs<'_>, is_text: bool) -> CommandResult<()> {
    if is_text {
        return match &args.output {
            // An earlier comment may be replaced, also in a workspace.
            Some(file) if !is_comment(file) => inputs.refuse_file(file),
            _ => Ok(()),
        };
    }
    if let Some(file) = &args.one_file {
        if file.is_dir() {
            let named = file.join("report.html");
            let failure = Failure::usage(format!("`{}` is a folder", file.display()));
            return Err(failure.help(format!("give a file: `--one-file {}`", named.display())));
        }
        return inputs.refuse_file(file);
    }
    match &args.into.site {
        Some(site) => inputs.refuse_site(site),
        None => inputs.refuse_in(args.output.as_deref().unwrap_or(Path::new(REPORT))),
    }
}

fn is_comment(file: &Path) -> bool {
    files::text(file).is_some_and(|text| text.starts_with(pull_request::MARKER))
}

fn report(
    args: &BuildArgs,
    flags: &Settings,
    inputs: &Inputs<'_>,
    opened: &[OpenedWorkspace],
    parts: &[Part<'_>],
    options: &RenderOptions,
    console: &mut Console,
) -> CommandResult<()> {
    let name = options.publication.folder.as_deref();
    let place = args.into.destination(name, args.output.as_deref(), opened, inputs)?;
    let folder = place.begin(options)?;
    let progress = Progress::new(args.quiet);
    let checked = CheckedSink::new(&folder, opened);
    let pages = render::report(parts, options, &checked, &|pages| {
        progress.step(pages);
    });
    let faults = checked.faults();
    pages.map_err(|error| destination::render_failure(&error, &folder))?;
    let pages = number_of_pages(&folder);
    progress.clear();
    let (written, remarks) = place.finish(folder, options)?;
    for fault in faults {
        console.remark(&fault);
    }
    if !args.quiet {
        for part in parts.iter().take(ANSWERS) {
            answer_of(part).iter().for_each(|line| console.remark(line));
        }
        if opened.iter().all(|opened| needs_first_grading(&opened.workspace)) {
            let has_outputs = opened.iter().any(|opened| opened.workspace.totals().outputs > 0);
            let steps =
                if has_outputs { first_grading::GRADING_STEPS } else { first_grading::STEPS };
            steps.lines().for_each(|line| console.remark(line));
        }
        let line = summary(opened, pages, written, &place.target());
        console.remark(&summed_up(line, flags));
        if let Some(line) = redacted(opened) {
            console.remark(&line);
        }
        for line in remarks {
            console.remark(&line);
        }
    }
    if args.open {
        open(&place.target().join("index.html"), console);
    }
    Ok(())
}

/// Whether nothing of a workspace was graded or recorded: somebody begins.
fn needs_first_grading(workspace: &Workspace) -> bool {
    let totals = workspace.totals();
    let has_record = workspace.iterations.iter().any(|iteration| !iteration.benchmarks.is_empty());
    totals.graded_runs + totals.comparisons + totals.trigger_rounds == 0
        && !has_record
        && digest::unread_results(workspace).is_empty()
}

/// The most workspaces with an answer on the terminal; the landing page has them all.
const ANSWERS: usize = 5;

/// What the newest iteration says, with the workspace it is of, then both questions and what to do next.
fn answer_of(part: &Part<'_>) -> Vec<String> {
    let language = Language::default();
    let answer = Answer::new(&part.comparisons, &language);
    let mut lines = vec![printable(&format!("{}: {}", part.title(), answer.line(&language)))];
    let mut rest = questions::lines(&part.comparisons, &language);
    rest.extend(answer.last_lines(&language));
    lines.extend(rest.iter().map(|line| printable(&format!("  {line}"))));
    lines
}

pub(super) fn parts_of<'a>(
    opened: &'a [OpenedWorkspace],
    analyses: &'a [Analysis],
) -> Vec<Part<'a>> {
    opened.iter().zip(analyses).map(|(opened, analysis)| opened.part(analysis)).collect()
}

/// One line on what was redacted before publishing; `None` if nothing was.
fn redacted(opened: &[OpenedWorkspace]) -> Option<String> {
    let (mut secrets, mut kept) = (0, 0);
    for OpenedWorkspace { workspace, .. } in opened {
        let redaction = &workspace.redaction;
        secrets += redaction.count();
        kept += redaction.withheld.len() + redaction.unsafe_outputs.len();
    }
    let mut parts = Vec::new();
    if secrets > 0 {
        parts.push(format!("redacted {}", count(secrets, "secret")));
    }
    if kept > 0 {
        parts.push(format!("kept back {}", count(kept, "output")));
    }
    if parts.is_empty() {
        return None;
    }
    Some(format!("{}; the page of problems says where", parts.join("; ")))
}

/// One line: what was written, from what, how many problems there are, and where to begin.
fn summary(opened: &[OpenedWorkspace], pages: usize, written: FolderSize, target: &Path) -> String {
    let mut parts =
        vec![count(opened.iter().map(|opened| opened.workspace.totals().runs).sum(), "run")];
    for severity in [Severity::Error, Severity::Warning] {
        let problems = opened.iter().flat_map(|opened| &opened.workspace.problems);
        let number = problems.filter(|problem| problem.severity() == severity).count();
        if number > 0 {
            parts.push(count(number, severity.word()));
        }
    }
    let hint = if parts.len() > 1 { " (see `evalbook check`)" } else { "" };
    let (pages, size, parts) = (count(pages, "page"), bytes(written.bytes), parts.join(", "));
    let index = target.join("index.html");
    format!("Built {pages} ({size}) from {parts}{hint}. Open {}", index.display())
}

/// Opens `page` in the browser. Without one the report is as good, so that is only said.
pub(super) fn open(page: &Path, console: &mut Console) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        // `start` is a word of the shell there, not a program.
        "windows" => "explorer",
        _ => "xdg-open",
    };
    // Without a browser, `xdg-open` names each one that it looked for.
    let started =
        std::process::Command::new(opener).arg(page).stderr(std::process::Stdio::null()).spawn();
    if let Err(error) = started {
        let (page, reason) = (page.display(), files::reason(&error));
        console.remark(&format!("cannot start `{opener}`: {reason}; open {page} yourself"));
    }
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
        if self.format == OutputFormat::Html && self.target.is_some() {
            let failure = Failure::usage("`--for` is for one text, not for a report");
            return Err(failure.help("add `--format markdown`"));
        }
        Ok(self.target)
    }
}

/// Whether there is something to post: a flip, or a gate that is closed.
fn is_changed(part: &Part<'_>) -> bool {
    let has_failed = part.gate.iter().any(|line| line.mark == GateMark::Failed);
    has_failed || digest::is_changed(&part.comparisons)
}

fn comment(
    args: &CommentArgs,
    target: For,
    parts: &[Part<'_>],
    options: &RenderOptions,
    console: &mut Console,
) -> String {
    if args.changes_only && !parts.iter().any(is_changed) {
        console.remark("nothing changed since the iteration before, so there is nothing to post");
        return String::new();
    }
    let url = options.publication.report();
    if url.is_none() && target == For::PullRequest {
        console.remark("hint: `--url ADDRESS` of the published report makes links of the names");
    }
    let budget = match target {
        For::PullRequest => COMMENT_BYTES,
        For::StepSummary => SUMMARY_BYTES,
    };
    pull_request::markdown(parts, budget, url.as_deref(), &options.language)
}
