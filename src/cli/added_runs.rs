//! `evalbook init --into`: adds runs to an iteration that is there.

use std::path::Path;

use crate::cli::init::{InitArgs, planned_skills};
use crate::cli::name_checks::{self, workspace_of};
use crate::cli::skill_workspace::{evaluated, made_line, names_in, open_skill, refused_write};
use crate::cli::{CommandResult, Console, Failure, today};
use crate::scaffold::EVALS;
use crate::scaffold::reuse::{self, PlannedSkills};
use crate::scaffold::run_folders::RunFolders;
use crate::write::StagedFolder;
use input::files::{Disk, Source};
use input::model::{Iteration, Measured};
use input::names;
use text::{count, printable};
use workspace::measured::MEASURED_FILE;

pub(super) fn add(
    args: &InitArgs,
    iteration: &str,
    skill: &Path,
    console: &mut Console,
) -> CommandResult {
    let workspace = workspace_of(args.workspace.as_deref(), skill);
    let folder = workspace.join(iteration);
    let disk = Disk::open(&folder).map_err(|error| {
        let found = names_in(&workspace).unwrap_or_default();
        let found = found.iter().filter(|name| names::is_iteration(name));
        Failure::io("open", &folder, &error).help(format!("there are {}", name_checks::list(found)))
    })?;
    let folders = RunFolders::new(&disk.list(&names::is_never_entered));
    let added = folders.next_runs(args.runs.map_or(1, usize::from));
    if added.is_empty() {
        return Err(Failure::nothing(format!("there is no run in `{}`", folder.display()))
            .help("runs are added next to folders such as `CASE/with_skill/run-1`"));
    }
    let mut made = String::new();
    let runs = count(added.len(), "run");
    let mut iterations = evaluated(&workspace);
    // A later round says nothing about the version before this one.
    if let Some(at) = iterations.iter().position(|known| known.name == iteration) {
        iterations.truncate(at + 1);
    }
    let skill = open_skill(skill)?;
    let skills = planned_skills(args, &skill, &iterations);
    for path in added {
        let run = folder.join(&path);
        if !args.dry_run {
            let measured = measured_on(&path, iteration, &iterations, (&skill, &skills));
            let (_, file) = reuse::measured_file("", &measured);
            let staged = StagedFolder::begin(&run).map_err(refused_write)?;
            staged
                .file(MEASURED_FILE, file.as_bytes())
                .and_then(|()| staged.folder("outputs"))
                .and_then(|()| staged.place())
                .map_err(refused_write)?;
        }
        made += &made_line(&run.join("outputs/"), "", args.dry_run);
    }
    if !args.list {
        let verb = if args.dry_run { "would add" } else { "added" };
        made = printable(&format!("{verb} {runs} to {}", folder.display())) + "\n";
    }
    console.result(&made)
}

/// What a run is measured on that is added at `path` of an iteration: it is asked what its case asks there.
fn measured_on(
    path: &str,
    iteration: &str,
    iterations: &[Iteration],
    (skill, skills): (&Disk, &PlannedSkills),
) -> Measured {
    let (folder, configuration) = path.split_once('/').unwrap_or_default();
    let configuration = configuration.split('/').next().unwrap_or_default();
    let known = iterations.iter().find(|known| known.name == iteration);
    let mut cases = known.into_iter().flat_map(|known| &known.cases);
    let case = cases.find(|case| names::file_name(&case.folder) == folder);
    let evals = EVALS.iter().find(|name| skill.locate(name).is_file()).unwrap_or(&EVALS[0]);
    let asked = case.map(|case| today::asked(skill, evals, case)).unwrap_or_default();
    skills.of_run(configuration, &asked)
}
