//! `evalbook init`: makes the next iteration of a workspace from the skill's evals.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::cli::{CommandResult, Console, Failure, exit, name_checks};
use crate::files::{self, Disk};
use crate::model::{Problem, Severity};
use crate::read::EvalsRecord;
use crate::scaffold::iteration::{self, PlanError, ScaffoldPlan};
use crate::scaffold::{self, EVALS};
use crate::text::printable;
use crate::write::{self, StagedFolder, WriteError};

/// Make the next iteration of a workspace from the skill's evals
///
/// Makes the workspace where there is none. The iteration has a folder per case with its
/// `eval_metadata.json`, and below it one per configuration and run with an empty `outputs`. It
/// appears at once, and nothing that exists is written. Evals of the scored dialect get an empty
/// `history.json` besides, where there is none.
///
/// With `--agents` it puts the skill of evalbook into a project instead, so that coding agents know
/// how to use it: where Claude Code, Codex and Copilot look.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  evalbook init skills/pdf\n  \
                        evalbook init skills/pdf -o pdf-workspace --runs 3\n  \
                        evalbook init skills/pdf --configurations with_skill,old_skill --dry-run\n  \
                        evalbook init --agents")]
pub(super) struct InitArgs {
    /// Folder of the skill
    #[arg(required_unless_present = "agents")]
    skill: Option<PathBuf>,

    /// Folder of the workspace; `<skill>-workspace` beside the skill when none is given
    #[arg(short = 'o', long = "output", value_name = "WORKSPACE")]
    workspace: Option<PathBuf>,

    /// The file of the evals; `evals/evals.json`, `evals.json` or `assets/evals/evals.json` of the
    /// skill when none is given
    #[arg(long, value_name = "FILE")]
    evals: Option<PathBuf>,

    /// Configurations that each case is run under
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "with_skill,without_skill"
    )]
    configurations: Vec<String>,

    /// Runs of each case and configuration
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    runs: u16,

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

    /// Only print what would be made
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(args: &InitArgs, console: &mut Console) -> CommandResult {
    match (&args.agents, &args.skill) {
        (Some(project), _) => install_agent_skill(project, args.dry_run, console),
        (None, Some(skill)) => next_iteration(args, skill, console),
        (None, None) => Err(Failure::usage("give the folder of the skill".to_owned())),
    }
}

fn next_iteration(args: &InitArgs, path: &Path, console: &mut Console) -> CommandResult {
    let folder = open_skill(path)?;
    let evals = evals(args, path, &folder, console)?;
    let workspace = workspace_of(args.workspace.as_deref(), path, &folder);
    let taken = names_in(&workspace)?;
    let runs = usize::from(args.runs);
    let plan = iteration::plan(&evals, &args.configurations, runs, &taken);
    let plan = plan.map_err(|error| match error {
        PlanError::Usage(message) => Failure::usage(message),
        PlanError::NoCase => Failure::nothing(error.to_string())
            .help("an eval has a `prompt`, and `expectations` that a grader can check"),
    })?;
    let begins_history =
        iteration::is_scored(&evals) && !taken.iter().any(|name| name == "history.json");
    if !args.dry_run {
        make(&workspace, &plan).map_err(refused_write)?;
        if begins_history {
            let text = iteration::empty_history();
            write::new_file(&workspace.join("history.json"), text.as_bytes())
                .map_err(refused_write)?;
        }
    }
    console.result(&plan_text(&workspace, &plan, begins_history, args.dry_run))?;
    if !args.dry_run {
        let next =
            "next: run each case into `outputs/`, grade it into `grading.json` next to them, then";
        console.remark(&format!(
            "{next} `evalbook build {}`",
            printable(&workspace.display().to_string())
        ));
    }
    Ok(exit::FINE)
}

/// Installs the skill of evalbook where agents look, but never over a file with another text.
fn install_agent_skill(project: &Path, is_dry: bool, console: &mut Console) -> CommandResult {
    if !project.is_dir() {
        return Err(Failure::nothing(format!("there is no folder `{}`", project.display())));
    }
    let files: Vec<(PathBuf, &str)> =
        scaffold::agent_files().map(|(path, text)| (project.join(path), text)).collect();
    for (place, text) in &files {
        is_missing(place, text)?;
    }
    let mut made = String::new();
    for (place, text) in &files {
        // Checked again: one of the folders may be a link to another.
        if !is_missing(place, text)? {
            continue;
        }
        if !is_dry {
            write::new_file(place, text.as_bytes()).map_err(refused_write)?;
        }
        made += &line_of(place, is_dry);
    }
    if made.is_empty() {
        console.remark("agents have the skill already");
    }
    console.result(&made)
}

/// Whether there is nothing at `place`; a failure if it has something other than `text`.
fn is_missing(place: &Path, text: &str) -> CommandResult<bool> {
    if place.symlink_metadata().is_err() {
        return Ok(true);
    }
    match files::regular(place, text.len() as u64) {
        Ok(Some(found)) if found == text.as_bytes() => Ok(false),
        _ => Err(Failure::nothing(format!("`{}` is not what would be written", place.display()))
            .help("remove it to get the skill of this version of evalbook")),
    }
}

fn make(workspace: &Path, plan: &ScaffoldPlan) -> Result<(), WriteError> {
    let fresh = StagedFolder::begin(&workspace.join(&plan.name))?;
    plan.files.iter().try_for_each(|(path, text)| fresh.file(path, text.as_bytes()))?;
    plan.folders.iter().try_for_each(|path| fresh.folder(path))?;
    fresh.place()
}

fn plan_text(workspace: &Path, plan: &ScaffoldPlan, begins_history: bool, is_dry: bool) -> String {
    let files = plan.files.iter().map(|(path, _)| format!("{}/{path}", plan.name));
    let folders = plan.folders.iter().map(|path| format!("{}/{path}/", plan.name));
    let mut paths: Vec<String> = files.chain(folders).collect();
    paths.sort_by(|a, b| crate::text::natural_order(a, b));
    paths.extend(begins_history.then(|| "history.json".to_owned()));
    paths.iter().map(|path| line_of(&workspace.join(path), is_dry)).collect()
}

/// The line on what was made, or would be.
fn line_of(made: &Path, is_dry: bool) -> String {
    let verb = if is_dry { "would make" } else { "made" };
    printable(&format!("{verb} {}", made.display())) + "\n"
}

fn evals(
    args: &InitArgs,
    path: &Path,
    skill: &Disk,
    console: &mut Console,
) -> CommandResult<EvalsRecord> {
    let (disk, name, shown) = place(args, path, skill)?;
    let (cases, problems) = scaffold::evals(&disk, &name);
    let is_bad = problems.iter().any(|problem| problem.severity() == Severity::Error);
    let lines: Vec<String> = problems.iter().map(|problem| line(problem, &shown)).collect();
    lines.iter().filter(|_| !is_bad).for_each(|line| console.remark(&printable(line)));
    cases.filter(|_| !is_bad).ok_or_else(|| {
        let failure = Failure::nothing(match lines.is_empty() {
            true => format!("found no evals in `{shown}`"),
            false => format!("cannot plan from `{shown}`"),
        });
        lines.into_iter().fold(failure, Failure::help)
    })
}

/// `evals.json:3:4: the id is there twice`.
fn line(problem: &Problem, shown: &str) -> String {
    let place = problem.place.map(|place| format!(":{}:{}", place.line, place.column));
    format!("{shown}{}: {}", place.unwrap_or_default(), problem.message)
}

/// The folder and file name of the evals, and their name in messages.
fn place(
    args: &InitArgs,
    skill_path: &Path,
    skill: &Disk,
) -> CommandResult<(Disk, String, String)> {
    if let Some(file) = &args.evals {
        // A path named by the user may be a link.
        let real = file.canonicalize().ok().filter(|real| real.is_file());
        let folder =
            real.as_deref().and_then(Path::parent).and_then(|parent| Disk::open(parent).ok());
        let name = real.as_deref().and_then(Path::file_name).map(files::shown);
        let shown = file.display();
        return match folder.zip(name) {
            Some((folder, name)) => Ok((folder, name, shown.to_string())),
            None if !file.is_dir() => Err(Failure::nothing(format!("there is no file `{shown}`"))),
            None => {
                let evals = EVALS.iter().map(|name| file.join(name)).find(|path| path.is_file());
                Err(Failure::nothing(format!("`{shown}` is a folder")).help(match evals {
                    Some(evals) => format!("give the file: `--evals {}`", evals.display()),
                    None => "give the file of the evals, such as `evals.json`".to_owned(),
                }))
            }
        };
    }
    let evals = EVALS.iter().find(|path| skill.locate(path).symlink_metadata().is_ok());
    let Some(evals) = evals else {
        let shown = skill_path.display();
        return Err(Failure::nothing(format!("found no evals of the skill in `{shown}`"))
            .help(format!("looked for {}", name_checks::list(EVALS)))
            .help("give the file with `--evals FILE`"));
    };
    let shown = skill_path.join(evals).display().to_string();
    Ok((open_skill(skill.root())?, (*evals).to_owned(), shown))
}

pub(super) fn open_skill(path: &Path) -> CommandResult<Disk> {
    Disk::open(path).map_err(|error| {
        let folder_of_file = || path.is_file().then(|| files::parent(path).display().to_string());
        let near = name_checks::similar_path(path).or_else(folder_of_file);
        let failure = Failure::io("open", path, &error).meant(near);
        failure.help("give the folder of the skill, which holds its `SKILL.md`")
    })
}

pub(super) fn workspace_of(asked: Option<&Path>, path: &Path, skill: &Disk) -> PathBuf {
    let named = |path: &Path| {
        let name = path.file_name()?.to_string_lossy().into_owned();
        Some(path.with_file_name(format!("{name}-workspace")))
    };
    let sibling = || named(path).or_else(|| named(skill.root()));
    asked.map(Path::to_path_buf).or_else(sibling).unwrap_or_else(|| PathBuf::from("workspace"))
}

pub(super) fn names_in(workspace: &Path) -> CommandResult<Vec<String>> {
    files::names_in(workspace).map_err(|error| {
        Failure::io("open", workspace, &error)
            .help("give the folder of the workspace, or one that does not exist yet")
    })
}

pub(super) fn refused_write(error: WriteError) -> Failure {
    let help = match &error {
        WriteError::Io { reason, .. } if reason == files::DENIED => {
            Some("make it writable for you, or give another folder for the workspace")
        }
        WriteError::Taken(_) => Some("another command made it just now; run this again"),
        _ => None,
    };
    help.into_iter().fold(Failure::from(error), Failure::help)
}
