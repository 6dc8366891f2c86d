//! `evalbook compare`: what changed between two iterations, workspaces or reports, with a gate.

use std::io::IsTerminal;
use std::path::PathBuf;

use anstream::adapter::strip_str;
use clap::{Args, ValueEnum};

use crate::analyze::{self, Analysis, Side};
use crate::cli::destination::Inputs;
use crate::cli::gate::{self as cli_gate, DayArgs};
use crate::cli::settings::warn_unguarded;
use crate::cli::sides::{self, LoadedPath};
use crate::cli::theme::{LookArgs, render_options};
use crate::cli::{CommandResult, Console, Failure, exit, name_checks};
use crate::gate::{self, NotCheckable, Question};
use crate::language::Language;
use crate::render::compare::{self, Candidate, Comparison};
use crate::wording::gate::{GateMark, newer_round};
use input::model::{Iteration, Run, Snapshot, Workspace};
use input::settings::{FailOn, GateFlags, Settings};
use text::folded_name;

/// Print what changed between two iterations, and fail where a gate says so
///
/// Each side is the folder of an iteration, a workspace or a report.json, of which the newest graded
/// iteration is meant, or one named as `PATH#iteration-2`. BASE may be a file that `evalbook
/// baseline` wrote, also that of a commit: `REV:PATH`. The candidate of HEAD is compared with
/// that of BASE on the cases both have, with the numbers of a report. Of several
/// candidates the first is shown in full, and a gate judges each. Settings are those of HEAD.
/// Exits with 1 when a rule of the gate fails or cannot be checked.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  evalbook compare my-workspace/iteration-2 my-workspace/iteration-3\n  \
                        evalbook compare main/report.json my-workspace --fail-on worse\n  \
                        evalbook compare origin/main:evals/baseline.json my-workspace\n  \
                        evalbook compare old new --format markdown -o comment.md \
                        --max-token-increase 20%"
)]
pub(super) struct CompareArgs {
    /// The earlier side
    base: PathBuf,

    /// The later side
    head: PathBuf,

    /// The name of BASE; by default that of its iteration, or its path where both have one name
    #[arg(long, value_name = "NAME")]
    base_name: Option<String>,

    /// How to print
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    format: CompareFormat,

    /// Where to write it; to the terminal when not given
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    look: LookArgs,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    gate: GateFlags,

    #[command(flatten)]
    day: DayArgs,

    /// Fail where HEAD is worse, unless a flag or evalbook.toml has a rule
    #[arg(long = "gate", help_heading = "Gate (overrides evalbook.toml)")]
    is_gated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CompareFormat {
    /// For a terminal
    Text,
    /// For a comment on a change
    Markdown,
    /// One JSON object
    Json,
}

/// The settings that the command line has.
fn flags(args: &CompareArgs) -> Settings {
    let mut flags = args.settings.clone();
    flags.gate = args.gate.gate.clone();
    flags.known_issues = args.gate.known_issues.clone();
    flags.as_flags()
}

pub(super) fn run(args: &CompareArgs, console: &mut Console) -> CommandResult {
    let flags = flags(args);
    let today = args.day.day()?;
    let sides = [&args.base, &args.head].map(|path| sides::split_iteration(path).0);
    if let Some(file) = &args.output {
        Inputs::new(&sides, "the sides").refuse_file(file)?;
    }
    let head = open_head(args, &flags, console)?;
    let base = open_base(args, &head, &flags, console)?;
    refuse_same(&base, &head)?;
    let obstacle = obstacle(&base, &head);
    name_checks::check_configurations(&[base.named(), head.named()])?;
    let language = render_options(args.look.theme.as_deref(), [&head.settings])?.language;
    let workspace = joined(&base, &head, args.base_name.as_deref());
    let analysis = analyze::analysis(&workspace, &head.settings);
    let after = analysis.candidate_of(1).ok_or_else(|| nothing_graded(&head))?;
    let mut changes = Vec::new();
    let mut candidates = gate::judged_sides(&analysis, 1);
    // The leading candidate is shown in full, the others in a line each.
    candidates.retain(|side| *side != after);
    candidates.insert(0, after);
    cli_gate::check_budgets(&analysis, &candidates, &head.settings)?;
    for after in candidates {
        let before = before(&base, &after, &analysis)?;
        let lines = &analysis.cases;
        changes.push(analyze::change(&workspace, lines, &before, &after, &head.settings));
    }
    analyze::adjust_together(changes.iter_mut().map(|change| &mut change.gain));
    let is_skill_changed =
        cli_gate::are_other_skills(base.skill_digest.as_ref(), head.skill_digest.as_ref());
    let mut questions = Vec::new();
    for change in &changes {
        questions.push(Question {
            workspace: &workspace,
            analysis: &analysis,
            after: &change.after,
            change: Some(change),
            settings: &head.settings,
            today: &today,
            is_skill_changed,
            obstacle: obstacle.as_ref(),
        });
    }
    let judgements = gate::judge_all(&questions);
    let mut candidates = Vec::new();
    for ((question, change), judgement) in questions.iter().zip(&changes).zip(&judgements) {
        candidates.push(Candidate { question, change, judgement });
    }
    warn_unguarded(&flags, console);
    if flags.against.is_some() {
        console.remark("`--against` changes nothing: BASE is what HEAD is compared with");
    }
    match candidates.split_first() {
        Some((shown, others)) => {
            let comparison = Comparison { shown, others, remarks: &head.remarks };
            print(args, comparison, &language, console)
        }
        None => Err(nothing_graded(&head)),
    }
}

/// The later side, with the rule that is asked for.
fn open_head(
    args: &CompareArgs,
    flags: &Settings,
    console: &mut Console,
) -> CommandResult<LoadedPath> {
    let mut head = sides::find(&args.head, flags)?;
    console.hide(std::mem::take(&mut head.last_look));
    // A comment has no terminal beside it.
    if args.format != CompareFormat::Markdown {
        head.remarks.iter().for_each(|line| console.remark(line));
    }
    if args.is_gated && head.settings.gate.is_empty() {
        head.settings.gate.fail_on.push(FailOn::Worse);
    }
    Ok(head)
}

/// The earlier side, by the name that it is given.
fn open_base(
    args: &CompareArgs,
    head: &LoadedPath,
    flags: &Settings,
    console: &mut Console,
) -> CommandResult<LoadedPath> {
    let mut base = sides::find_base(&args.base, head, flags)?;
    console.hide(std::mem::take(&mut base.last_look));
    // A folder of another commit is unpacked somewhere, whose path means nothing to a reader.
    if let Some(name) = &args.base_name {
        base.shown.clone_from(name);
    }
    base.remarks.iter().for_each(|line| console.remark(line));
    Ok(base)
}

fn print(
    args: &CompareArgs,
    comparison: Comparison<'_>,
    language: &Language,
    console: &mut Console,
) -> CommandResult {
    let text = match args.format {
        CompareFormat::Text => compare::text(comparison, language),
        CompareFormat::Markdown => compare::markdown(comparison, language),
        CompareFormat::Json => compare::json(comparison),
    };
    // The console strips colors only from what it prints.
    let text = if args.output.is_some() { strip_str(&text).to_string() } else { text };
    console.put(&text, args.output.as_deref())?;
    let gate = comparison.gate(language);
    // The text ends with these lines, and who reads it on a terminal need not read them twice.
    let is_seen = args.format == CompareFormat::Text && args.output.is_none();
    if is_seen && std::io::stdout().is_terminal() {
        let is_failed = gate.iter().any(|line| line.mark == GateMark::Failed);
        return Ok(if is_failed { exit::FAILED } else { exit::FINE });
    }
    // What goes into a file says nothing here of a gate that passed.
    Ok(cli_gate::report([("", &*gate)], args.output.is_none(), language, console))
}

/// The same configuration of the base if it was graded, else the candidate of the base.
fn before(base: &LoadedPath, after: &Side, analysis: &Analysis) -> CommandResult<Side> {
    let base_analysis = analyze::analyze_iteration(base.iteration(), &base.settings);
    let base_candidate = base_analysis.candidate().map(|summary| summary.name.clone());
    let configuration = if analysis.iterations[0].is_graded(&after.configuration) {
        after.configuration.clone()
    } else {
        // A candidate is renamed with each version of the skill: `skill_v1`, then `skill_v2`.
        base_candidate.ok_or_else(|| nothing_graded(base))?
    };
    Ok(Side { iteration: 0, configuration })
}

fn nothing_graded(side: &LoadedPath) -> Failure {
    Failure::nothing(format!("`{}` holds no run of a candidate", side.shown))
}

/// Why the gate cannot judge these two sides.
fn obstacle(base: &LoadedPath, head: &LoadedPath) -> Option<NotCheckable<'static>> {
    if let Some(newer) = &head.newer {
        return Some(newer.clone());
    }
    let [base_skill, head_skill] = [base, head].map(|side| side.workspace.skill_name());
    let (base_skill, head_skill) = (base_skill?, head_skill?);
    if folded_name(base_skill) != folded_name(head_skill) {
        return Some(NotCheckable::OtherSkill(base_skill.to_owned()));
    }
    None
}

/// Refuses to compare an iteration with itself: nothing could be found, and every gate would pass.
fn refuse_same(base: &LoadedPath, head: &LoadedPath) -> CommandResult<()> {
    // Of an edit that was taken back, the base may be the round that ran the skill as it is.
    if base.place != head.place || !head.remarks.is_empty() {
        return Ok(());
    }
    let name = &head.iteration().name;
    let is_only = head.workspace.iterations.len() == 1;
    let failure = Failure::usage(format!("`{}` and `{}` are both {name}", base.shown, head.shown));
    let newer = head.newer.as_ref().and_then(|why| newer_round(why, &Language::default()));
    Err(match newer {
        Some(reason) => failure.help(reason),
        _ if is_only => failure.help(format!(
            "the workspace has only {name}: make a second round, or give a baseline of another branch"
        )),
        _ => failure.help("give two iterations, such as `WORKSPACE#iteration-1` and `WORKSPACE`"),
    })
}

/// Both iterations in one workspace, the base first, by their own names; if these are equal, by the
/// paths given. `base_name` is what the user calls the base. Everything else is the head's.
fn joined(base: &LoadedPath, head: &LoadedPath, base_name: Option<&str>) -> Workspace {
    let mut names = [base, head].map(|side| side.iteration().name.clone());
    if let Some(name) = base_name {
        names[0] = name.to_owned();
    }
    if names[0] == names[1] {
        names = [base, head].map(|side| side.shown.clone());
    }
    let mut joined = Workspace {
        name: head.workspace.name.clone(),
        path: head.workspace.path.clone(),
        skill: head.workspace.skill.clone(),
        ..Workspace::default()
    };
    // Of an older round nobody asks whether the skill was edited since.
    let mut later = head.workspace.iterations[head.iteration + 1..].iter();
    if later.all(|iteration| !iteration.runs().any(Run::is_graded)) {
        joined.today.clone_from(&head.workspace.today);
    }
    for (at, (side, name)) in [base, head].into_iter().zip(names).enumerate() {
        joined.iterations.push(Iteration { name, ..side.iteration().clone() });
        for copy in &side.workspace.snapshots {
            if copy.iteration == Some(side.iteration) {
                joined.snapshots.push(Snapshot { iteration: Some(at), ..copy.clone() });
            }
        }
    }
    joined
}
