//! `evalbook init`: makes the next iteration of a workspace from the skill's evals.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::evals_file::{EvalsFile, find_evals, read_evals};
use crate::cli::name_checks::{refuse_slip, workspace_of};
use crate::cli::skill_workspace::{
    copy_of, evaluated, made_line, names_in, open_skill, refused_write, round_of, skill_digest,
};
use crate::cli::{
    CommandResult, Console, Failure, added_runs, agent_skill, exit, first_grading, today,
};
use crate::scaffold::history_file::empty_history;
use crate::scaffold::iteration::{self, PlanError, ScaffoldPlan};
use crate::scaffold::reuse::{self, PlannedSkills, ReuseCounts, ReuseMode};
use crate::scaffold::run_folders::RunFolders;
use crate::wording::measured::MANY_ROUNDS;
use crate::write::{self, StagedFolder, WriteError};
use input::files::{self, Disk, Source};
use input::model::{Iteration, Measured};
use input::names::{self, GivenSkill};
use text::{count, mistyped, natural_order};
use workspace::measured;
use workspace::read::{self, EvalsRecord};

/// Make the next iteration of a workspace from the skill's evals
///
/// Makes the workspace where there is none. The iteration has a folder per case with its
/// `eval_metadata.json`, and below it one per configuration and run with an empty `outputs`. It
/// appears at once, and nothing that exists is written. While the newest iteration has no run, none is
/// made. Evals of the scored dialect get an empty
/// `history.json` besides, where there is none. A workspace that exists goes on as its newest
/// iteration: with the names of its cases, its configurations, its number of runs and its spelling.
///
/// With `--into ITERATION` it adds runs to an iteration that is there.
///
/// With `--agents` it puts the skill of evalbook into a project instead, so that coding agents know
/// how to use it: where Claude Code, Codex and Copilot look. Where a file differs, it says which, and
/// writes nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook init skills/pdf\n  \
                        evalbook init skills/pdf -o pdf-workspace --runs 3\n  \
                        evalbook init skills/pdf --configurations with_skill,old_skill --dry-run\n  \
                        evalbook init skills/pdf --into iteration-2 --runs 2\n  \
                        evalbook init --agents")]
pub(super) struct InitArgs {
    /// Folder of the skill
    #[arg(required_unless_present = "agents")]
    skill: Option<PathBuf>,

    /// Folder of the workspace; `<skill>-workspace` beside the skill when none is given
    #[arg(short = 'o', long = "output", value_name = "WORKSPACE")]
    pub(super) workspace: Option<PathBuf>,

    /// The file of the evals; `evals/evals.json`, `evals.json` or `assets/evals/evals.json` of the
    /// skill, else of the workspace, when none is given
    #[arg(long, value_name = "FILE")]
    evals: Option<PathBuf>,

    /// Configurations that each case is run under; those of the newest iteration, else `with_skill`
    /// and `without_skill`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    configurations: Vec<String>,

    /// Runs of each case and configuration; as many as in the newest iteration, else 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(super) runs: Option<u16>,

    /// Add this many runs, or one, to every case and configuration of an iteration that is there
    #[arg(long, value_name = "ITERATION", conflicts_with_all = ["evals", "configurations", "agents"])]
    into: Option<String>,

    /// Put the skill of evalbook into this project, or the current folder
    #[arg(
        long,
        value_name = "DIR",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = ".",
        conflicts_with_all = ["skill", "workspace", "evals", "configurations", "runs"],
    )]
    agents: Option<PathBuf>,

    /// Plan only the runs that would differ from those of earlier rounds, by skill, prompt, input files,
    /// model and harness; all others count again, where each of these is known
    #[arg(long, conflicts_with = "into")]
    reuse: bool,

    /// With `--reuse`: make the runs without the skill again
    #[arg(long, requires = "reuse")]
    fresh: bool,

    /// The model that the runs will be made with; the last recorded one when not given
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "agents")]
    model: Option<String>,

    /// The harness that the runs will be made with, such as `claude-code`; the last recorded one when not
    /// given
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "agents")]
    harness: Option<String>,

    /// Who will grade the runs; the last recorded grader when not given
    #[arg(long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "agents")]
    grader: Option<String>,

    /// Print every file and folder
    #[arg(long)]
    pub(super) list: bool,

    /// Only print what would be made
    #[arg(long)]
    pub(super) dry_run: bool,
}

pub(super) fn run(args: &InitArgs, console: &mut Console) -> CommandResult {
    match (&args.agents, &args.skill) {
        (Some(project), _) => agent_skill::install(project, args.dry_run, console),
        (None, Some(skill)) => match &args.into {
            Some(iteration) => added_runs::add(args, iteration, skill, console),
            None => next_iteration(args, skill, console),
        },
        (None, None) => Err(Failure::usage("give the folder of the skill")),
    }
}

/// A warning that a folder has no `SKILL.md`, and which file may be meant as one.
fn without_skill_file(skill: &Path) -> String {
    let mut line = format!("warning: there is no `SKILL.md` in `{}`", skill.display());
    let names = files::names_in(skill).unwrap_or_default();
    if let Some(small) = names.iter().find(|name| name.eq_ignore_ascii_case("SKILL.md")) {
        line += &format!("; rename `{small}`: agents find it in capital letters alone");
    }
    line
}

fn next_iteration(args: &InitArgs, skill: &Path, console: &mut Console) -> CommandResult {
    let disk = open_skill(skill)?;
    refuse_slip(args.workspace.as_deref(), skill)?;
    let workspace = workspace_of(args.workspace.as_deref(), skill);
    let evals_file = find_evals(args.evals.as_deref(), skill, &disk, &workspace)?;
    let evals = read_evals(&evals_file, console)?;
    let taken = names_in(&workspace)?;
    let newest = newest_iteration(&workspace, &taken)?;
    let configurations = configurations(args, &newest)?;
    if !skill.join("SKILL.md").is_file() {
        console.remark(&without_skill_file(skill));
    }
    // Rounds with other numbers of runs are harder to compare.
    let runs = args.runs.map_or_else(|| newest.most_runs().max(1), usize::from);
    let plan = iteration::plan(&evals, &configurations, runs, &taken, &newest);
    let mut plan = plan.map_err(|error| match error {
        PlanError::Usage(message) => Failure::usage(message),
        PlanError::NoCase => {
            Failure::nothing(format!("cannot plan from `{}`: {error}", evals_file.shown))
                .help("an eval has a `prompt`, and `expectations` that a grader can check")
        }
    })?;
    let counts = plan_runs(&mut plan, args, &disk, &workspace, (&evals_file, &evals));
    if counts.made + counts.regraded == 0 {
        return console.result(&nothing_changed(&disk, &workspace, counts.reused));
    }
    let earlier = earlier_skill(args, &disk, &workspace, &configurations);
    let begins_history =
        iteration::is_scored(&evals) && !taken.iter().any(|name| name == "history.json");
    if !args.dry_run {
        make(&workspace, &plan).map_err(refused_write)?;
        if begins_history {
            let history = workspace.join("history.json");
            write::new_file(&history, empty_history().as_bytes()).map_err(refused_write)?;
        }
    }
    let text = if args.list {
        plan_text(&workspace, &plan, begins_history, args.dry_run)
    } else {
        let cases = count(evals.cases.len(), "case");
        let (sides, runs) = (configurations.join(", "), count(counts.all(), "run"));
        let what = format!("{cases}, each under {sides}: {runs}");
        let mut made = made_line(&workspace.join(&plan.name), &what, args.dry_run);
        if args.reuse {
            made += &reuse_line(&counts);
        }
        made += &earlier;
        if begins_history {
            made += &made_line(&workspace.join("history.json"), "", args.dry_run);
        }
        made
    };
    console.result(&text)?;
    if !args.dry_run {
        let next = if counts.made == 0 {
            first_grading::regrading_steps(&workspace)
        } else {
            first_grading::next_steps(&workspace)
        };
        console.remark(&next);
    }
    Ok(exit::FINE)
}

/// The sides to run: as asked for, else those of the newest iteration, else both of a first one. One that is
/// near a usual name would be found only after it ran.
fn configurations(args: &InitArgs, newest: &RunFolders) -> CommandResult<Vec<String>> {
    const USUAL: [&str; 3] = ["with_skill", "without_skill", "old_skill"];
    let earlier = newest.configurations();
    for name in args.configurations.iter().filter(|name| names::given_skill(name).is_none()) {
        let known = USUAL.into_iter().chain(earlier.iter().map(String::as_str));
        if let Some(near) = mistyped(name, known) {
            let message = format!("`--configurations`: `{name}` is no side that ran before");
            return Err(Failure::usage(message).meant(Some(near)));
        }
    }
    for known in [args.configurations.clone(), earlier] {
        if !known.is_empty() {
            return Ok(known);
        }
    }
    Ok(USUAL[..2].iter().map(|name| (*name).to_owned()).collect())
}

/// That no run would differ, and in which round this skill ran.
fn nothing_changed(skill: &Disk, workspace: &Path, runs: usize) -> String {
    let same = count(runs, "run");
    let mut text = format!("nothing changed: all {same} would be the same\n");
    let iterations = evaluated(workspace);
    if let Some(round) = skill_digest(skill).and_then(|skill| round_of(&iterations, &skill)) {
        let (name, place) = (&round.name, workspace.display());
        text += &format!("this skill ran in {name}: compare with `{place}#{name}`\n");
    }
    text
}

/// What runs are measured on that are made with the skill as it is, and with what the command names.
pub(super) fn planned_skills(
    args: &InitArgs,
    skill: &Disk,
    iterations: &[Iteration],
) -> PlannedSkills {
    let InitArgs { model, harness, grader, .. } = args;
    let named = Measured {
        model: model.clone(),
        harness: harness.clone(),
        grader: grader.clone(),
        ..Measured::default()
    };
    PlannedSkills::new(skill_digest(skill), named, iterations)
}

/// Which copy of the skill the side with the version before takes; empty without such a side.
fn earlier_skill(
    args: &InitArgs,
    skill: &Disk,
    workspace: &Path,
    configurations: &[String],
) -> String {
    let mut sides = configurations.iter();
    let side = sides.find(|name| names::given_skill(name) == Some(GivenSkill::Earlier));
    let Some(side) = side else { return String::new() };
    let taken = names_in(workspace).unwrap_or_default();
    let earlier = planned_skills(args, skill, &evaluated(workspace)).earlier;
    match earlier.and_then(|digest| copy_of(workspace, &taken, &digest)) {
        Some(copy) => format!("{side} is {}\n", workspace.join(copy).display()),
        None => format!("no copy of the skill of {side} is kept: `evalbook snapshot` keeps one\n"),
    }
}

/// Adds the runs to the plan: those to be made with what they are measured on, the others with the run that
/// counts in their place.
fn plan_runs(
    plan: &mut ScaffoldPlan,
    args: &InitArgs,
    skill: &Disk,
    workspace: &Path,
    (file, evals): (&EvalsFile, &EvalsRecord),
) -> ReuseCounts {
    let iterations = evaluated(workspace);
    let skills = planned_skills(args, skill, &iterations);
    let asked: Vec<Measured> =
        evals.cases.iter().map(|case| today::asked(skill, &file.name, case)).collect();
    let mode = match (args.reuse, args.fresh) {
        (false, _) => ReuseMode::None,
        (true, false) => ReuseMode::All,
        (true, true) => ReuseMode::FreshBaseline,
    };
    let results = Disk::open(workspace).ok();
    let grading_digest = |path: &str| {
        let bytes = results.as_ref()?.read(path, read::MAX_DOCUMENT_BYTES).ok()?;
        Some(measured::digest_of_file(&bytes))
    };
    reuse::add_runs(plan, &evals.cases, &asked, &skills, (&iterations, mode), &grading_digest)
}

/// `12 of 36 runs to make; 18 reused, 6 to regrade; saves about 900 000 tokens`.
fn reuse_line(counts: &ReuseCounts) -> String {
    let ReuseCounts { made, reused, regraded, tokens, rounds, unknown } = *counts;
    let mut line = format!("{made} of {} to make; {reused} reused", count(counts.all(), "run"));
    if regraded > 0 {
        line += &format!(", {regraded} to regrade");
    }
    if let Some(tokens) = tokens {
        // More digits would promise what no two runs keep.
        let mut unit = 1.0;
        while tokens / unit >= 100.0 {
            unit *= 10.0;
        }
        line += &format!("; saves about {} tokens", text::tokens((tokens / unit).round() * unit));
    }
    line += "\n";
    if let Some(part) = unknown {
        line += &format!("runs are made again because nothing says {}\n", how_to_record(part));
    }
    // One baseline that came out low by chance makes each of them look better.
    if rounds >= MANY_ROUNDS {
        line += &format!(
            "{rounds} rounds have the same runs without the skill, so they are one piece of evidence: \
             `--fresh` makes these again\n"
        );
    }
    line
}

/// On which part earlier runs were measured is not known, and how the next ones will say it.
fn how_to_record(part: &str) -> String {
    match part {
        "model" => {
            "which model made them: record it as `model` in each `timing.json`, or plan each \
                    iteration with `--model NAME`"
                .to_owned()
        }
        "harness" => {
            "which harness made them: plan each iteration with `--harness NAME`".to_owned()
        }
        "skill" => "which skill they had: `evalbook snapshot` keeps a copy of it".to_owned(),
        part => format!("which {part} they had: each needs a `measured.json`, which `init` writes"),
    }
}

/// The newest iteration of the workspace, as far as the next one can go on from it. It must have a run:
/// an empty iteration lets every later gate fail, and nobody plans two rounds at once.
fn newest_iteration(workspace: &Path, taken: &[String]) -> CommandResult<RunFolders> {
    let Some(name) = iteration::newest_name(taken) else { return Ok(RunFolders::default()) };
    let folder = workspace.join(name);
    let Ok(disk) = Disk::open(&folder) else { return Ok(RunFolders::default()) };
    let mut folders = RunFolders::new(&disk.list(&names::is_never_entered));
    let mut has_run = folders.has_files;
    for iteration in evaluated(workspace) {
        if iteration.name == *name {
            has_run = has_results(&iteration);
            folders.cases = iteration.cases;
        }
    }
    if has_run {
        return Ok(folders);
    }
    let folder = folder.display();
    Err(Failure::usage(format!("`{folder}` has no run yet, so there is no next iteration"))
        .help(first_grading::next_steps(workspace))
        .help(format!("to plan it anew, remove `{folder}` first")))
}

/// Whether something was made for this iteration: a run, a benchmark, or all verdicts that were left to give
/// on runs of earlier ones.
fn has_results(iteration: &Iteration) -> bool {
    let is_complete = iteration.runs().all(|run| run.is_graded() && run.unjudged() == 0)
        && iteration.cases.iter().all(|case| case.missing.is_empty());
    is_complete
        || iteration.runs().any(|run| run.reuse.is_none())
        || !iteration.benchmarks.is_empty()
}

fn make(workspace: &Path, plan: &ScaffoldPlan) -> Result<(), WriteError> {
    // A killed command must not leave half of an iteration that looks like a whole one.
    let staged = StagedFolder::begin(&workspace.join(&plan.name))?;
    for (path, text) in &plan.files {
        staged.file(path, text.as_bytes())?;
    }
    for path in &plan.folders {
        staged.folder(path)?;
    }
    staged.place()
}

fn plan_text(workspace: &Path, plan: &ScaffoldPlan, begins_history: bool, is_dry: bool) -> String {
    let files = plan.files.iter().map(|(path, _)| format!("{}/{path}", plan.name));
    let folders = plan.folders.iter().map(|path| format!("{}/{path}/", plan.name));
    let mut paths: Vec<String> = files.chain(folders).collect();
    paths.sort_by(|a, b| natural_order(a, b));
    if begins_history {
        paths.push("history.json".to_owned());
    }
    paths.iter().map(|path| made_line(&workspace.join(path), "", is_dry)).collect()
}
