//! The file of the evals that `init` plans from.

use std::path::Path;

use crate::cli::{CommandResult, Console, Failure, name_checks, today};
use crate::scaffold::{self, EVALS};
use input::files::{self, Disk};
use input::model::{Problem, Severity};
use workspace::read::EvalsRecord;

/// A file of evals.
pub(super) struct EvalsFile {
    /// The folder that has it.
    pub(super) folder: Disk,
    pub(super) name: String,
    /// Its path in messages.
    pub(super) shown: String,
}

/// The file named by a flag, else the first that is there: in the skill, else in the workspace, which
/// may have been handed over without the skill.
pub(super) fn find_evals(
    named: Option<&Path>,
    skill: &Path,
    disk: &Disk,
    workspace: &Path,
) -> CommandResult<EvalsFile> {
    if let Some(file) = named {
        return named_evals(file);
    }
    refuse_workspace(skill, workspace)?;
    let mut folders = vec![(skill, disk.clone())];
    folders.extend(Disk::open(workspace).ok().map(|disk| (workspace, disk)));
    for (path, folder) in folders {
        for name in EVALS {
            // What is there and cannot be read is an error of its own, not a reason to look further.
            if folder.locate(name).symlink_metadata().is_ok() {
                let shown = path.join(name).display().to_string();
                return Ok(EvalsFile { folder, name: (*name).to_owned(), shown });
            }
        }
    }
    let mut below = files::names_in(skill).unwrap_or_default();
    below.retain(|name| skill.join(name).join("SKILL.md").is_file());
    if !below.is_empty() && !skill.join("SKILL.md").is_file() {
        let folders = below.iter().map(|name| skill.join(name).display().to_string());
        return Err(Failure::nothing(format!("`{}` holds skills, and is none", skill.display()))
            .help(format!("give one of them: {}", name_checks::list(folders))));
    }
    Err(Failure::nothing(format!("found no evals of the skill in `{}`", skill.display()))
        .help(format!("looked for {}, also in the workspace", name_checks::list(EVALS)))
        .help("give the file with `--evals FILE`, or write one that begins with")
        .help(r#"{"evals": [{"id": "my-case", "prompt": "…", "expectations": ["…"]}]}"#))
}

/// Refuses a workspace in the place of its skill: what was made would be the workspace of a workspace.
fn refuse_workspace(skill: &Path, workspace: &Path) -> CommandResult<()> {
    let is_workspace = name_checks::holds_iterations(skill) && !skill.join("SKILL.md").is_file();
    if !is_workspace || workspace != name_checks::workspace_of(None, skill) {
        return Ok(());
    }
    let shown = skill.to_string_lossy();
    let evaluated = shown.trim_end_matches('/').strip_suffix("-workspace");
    Err(Failure::nothing(format!("`{shown}` is a workspace, not a skill"))
        .help("give the folder of the skill, which holds its `SKILL.md`")
        .meant(evaluated.map(|skill| format!("evalbook init {skill}"))))
}

fn named_evals(file: &Path) -> CommandResult<EvalsFile> {
    let shown = file.display().to_string();
    // A path named by the user may be a link.
    if let Ok(real) = file.canonicalize()
        && real.is_file()
        && let Some(name) = real.file_name()
        && let Ok(folder) = Disk::open(files::parent(&real))
    {
        return Ok(EvalsFile { folder, name: files::shown(name), shown });
    }
    if !file.is_dir() {
        return Err(Failure::nothing(format!("there is no file `{shown}`")));
    }
    let failure = Failure::nothing(format!("`{shown}` is a folder"));
    match EVALS.iter().map(|name| file.join(name)).find(|path| path.is_file()) {
        Some(evals) => Err(failure.help(format!("give the file: `--evals {}`", evals.display()))),
        None => Err(failure.help("give the file of the evals, such as `evals.json`")),
    }
}

pub(super) fn read_evals(file: &EvalsFile, console: &mut Console) -> CommandResult<EvalsRecord> {
    let (evals, problems) = scaffold::evals(&file.folder, &file.name);
    let mut lines: Vec<String> =
        problems.iter().map(|problem| problem_line(problem, &file.shown)).collect();
    let mut is_bad = problems.iter().any(|problem| problem.severity() == Severity::Error);
    // Folders of a case that asks nothing would be in the way of the mended one.
    for (at, case) in evals.iter().flat_map(|evals| &evals.cases).enumerate() {
        if case.prompt.is_none() {
            let name = case.id.as_deref().or(case.stated_name()).unwrap_or_default();
            let case = if name.is_empty() { format!("evals[{at}]") } else { name.to_owned() };
            lines.push(format!(
                "{}: the case `{case}` has no `prompt`; write `\"prompt\": \"…\"` in it",
                file.shown
            ));
            is_bad = true;
        }
    }
    match evals {
        Some(evals) if !is_bad => {
            lines.iter().for_each(|line| console.remark(line));
            lacking_checks(&evals, &file.shown).iter().for_each(|line| console.remark(line));
            for case in &evals.cases {
                let name = case.id.as_ref().unwrap_or(&case.name);
                for lack in today::lacks(&file.folder, &file.name, case) {
                    console.remark(&format!("warning: {}: the case `{name}` {lack}", file.shown));
                }
            }
            Ok(evals)
        }
        _ if lines.is_empty() => {
            Err(Failure::nothing(format!("found no evals in `{}`", file.shown)))
        }
        _ => {
            let failure = Failure::nothing(format!("cannot plan from `{}`", file.shown));
            let failure = lines.into_iter().fold(failure, Failure::help);
            Err(failure.help("mend the file, or give another one with `--evals FILE`"))
        }
    }
}

/// Cases without a check beside others that have some: their graders would make up their own.
fn lacking_checks(evals: &EvalsRecord, shown: &str) -> Option<String> {
    let lacking: Vec<&str> = evals
        .cases
        .iter()
        .filter(|case| case.planned.is_empty())
        .map(|case| case.id.as_deref().unwrap_or(&case.name))
        .collect();
    if lacking.is_empty() || lacking.len() == evals.cases.len() {
        return None;
    }
    Some(format!("warning: {shown}: no `expectations` in the cases {}", name_checks::list(lacking)))
}

/// `warning: evals.json:3:4: the id is there twice; both cases were kept`.
fn problem_line(problem: &Problem, shown: &str) -> String {
    let is_error = problem.severity() == Severity::Error;
    let mut line = if is_error { format!("{shown}:") } else { format!("warning: {shown}:") };
    if let Some(place) = problem.place {
        line += &format!("{}:{}:", place.line, place.column);
    }
    line += &format!(" {}", problem.message);
    // Of what makes the plan fail nothing was assumed.
    for more in problem.assumed.iter().filter(|_| !is_error).chain(&problem.help) {
        line += &format!("; {more}");
    }
    line
}
