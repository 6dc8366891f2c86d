//! Names given by users: iterations and configurations in settings and flags, and paths at which
//! nothing is found.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::analyze::{can_be_pinned, find_baseline, is_called};
use crate::baseline_json::Baseline;
use crate::cli::{CommandResult, Failure, git};
use input::files;
use input::model::{UNASSIGNED, Workspace};
use input::names;
use input::settings::{Origin, Settings};
use text::{mistyped, most_similar, natural_order};

pub(super) type NamedWorkspace<'a> = (&'a Workspace, &'a Settings);

/// Refuses to compare with an iteration that no workspace has.
pub(super) fn check_pinned(workspaces: &[NamedWorkspace<'_>]) -> CommandResult<()> {
    let Some(name) = workspaces.iter().find_map(|(_, settings)| settings.against.as_deref()) else {
        return Ok(());
    };
    if workspaces.iter().any(|(workspace, _)| can_be_pinned(workspace, name)) {
        return Ok(());
    }
    let iterations = workspaces.iter().flat_map(|(workspace, _)| &workspace.iterations);
    let names: Vec<&str> = iterations.map(|iteration| iteration.name.as_str()).collect();
    let failure = Failure::usage(format!("`against`: there is no iteration `{name}`"));
    Err(match most_similar(name, names.iter().copied()) {
        Some(near) => failure.meant(Some(near)),
        None => failure.help(format!("there are {}, and `best`, `first`, `previous`", list(names))),
    })
}

/// Refuses names of configurations that no iteration has.
pub(super) fn check_configurations(workspaces: &[NamedWorkspace<'_>]) -> CommandResult<()> {
    let mut known_names = BTreeSet::new();
    for (workspace, _) in workspaces {
        known_names.extend(configurations(workspace));
    }
    // Before the first run, any name is allowed.
    if known_names.is_empty() {
        return Ok(());
    }
    for (_, settings) in workspaces {
        for (key, flag, name) in named_configurations(settings) {
            if workspaces.iter().any(|workspace| has_configuration(workspace, name, settings)) {
                continue;
            }
            let place = match settings.origin(key) {
                Origin::File { path, line } => format!("{path}:{line}: `{key}`"),
                Origin::Flag | Origin::Default => format!("`{flag}`"),
            };
            let failure = Failure::usage(format!("{place}: there is no configuration `{name}`"));
            let mut fitting: Vec<&str> = known_names.iter().copied().collect();
            if key == "baseline" {
                // `wihout_skill` is nearer to `with_skill` than to the baseline.
                fitting.retain(|name| find_baseline(&[(*name).to_owned()], settings).is_some());
            }
            return Err(match most_similar(name, fitting.into_iter()) {
                Some(near) => failure.meant(Some(near)),
                None if known_names.len() == 1 => {
                    failure.help(format!("there is only {}", list(&known_names)))
                }
                None => failure.help(format!("there are {}", list(&known_names))),
            });
        }
    }
    Ok(())
}

fn configurations(workspace: &Workspace) -> impl Iterator<Item = &str> {
    let names = workspace.iterations.iter().flat_map(|iteration| &iteration.configurations);
    names.map(String::as_str).filter(|name| *name != UNASSIGNED)
}

/// Every configuration that settings name, with the key and the flag that name it.
fn named_configurations(settings: &Settings) -> Vec<(&'static str, &'static str, &str)> {
    let mut named = Vec::new();
    named.extend(settings.baseline.iter().map(|name| ("baseline", "--baseline", &**name)));
    named.extend(settings.order.iter().map(|name| ("order", "--order", &**name)));
    named.extend(settings.labels.iter().map(|(name, _)| ("labels", "--label", &**name)));
    named
}

/// Whether `workspace` has a configuration that is called `name`, or has that label in `settings`.
fn has_configuration(workspace: &NamedWorkspace<'_>, name: &str, settings: &Settings) -> bool {
    let (workspace, own_settings) = workspace;
    let names = [name, settings.unlabelled(name)];
    configurations(workspace)
        .any(|configuration| names.iter().any(|name| is_called(configuration, name, own_settings)))
}

/// Names in backticks, separated by commas.
pub(super) fn list(names: impl IntoIterator<Item = impl Display>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The workspace probably meant by `path`, which is not one.
pub(super) fn near_workspace(path: &Path) -> Option<String> {
    if !path.exists() {
        return similar_path(path);
    }
    let near = workspace_above(path)?;
    Some(near.display().to_string())
}

/// The workspace named, else `<skill>-workspace` next to the folder of the skill.
pub(super) fn workspace_of(named: Option<&Path>, skill: &Path) -> PathBuf {
    if let Some(workspace) = named {
        return workspace.to_path_buf();
    }
    // A path such as `.` has no name, but its folder has. A report names no folder of this machine,
    // so the path stays relative.
    let real = skill.canonicalize().unwrap_or_default();
    match (skill.file_name(), real.file_name()) {
        (Some(name), _) => skill.with_file_name(format!("{}-workspace", name.to_string_lossy())),
        (None, Some(name)) => {
            skill.join("..").join(format!("{}-workspace", name.to_string_lossy()))
        }
        (None, None) => PathBuf::from("workspace"),
    }
}

/// Refuses a new workspace whose name is that of the one beside the skill with a typing error, and a folder
/// named as an iteration.
pub(super) fn refuse_slip(named: Option<&Path>, skill: &Path) -> CommandResult<()> {
    let usual = workspace_of(None, skill);
    if let Some(named) = named
        && named.file_name().is_some_and(|name| names::is_iteration(&files::shown(name)))
    {
        return Err(Failure::usage(format!("`{}` is no workspace", named.display()))
            .help("give the folder that holds the iterations; the next one is made in it"));
    }
    let Some(named) = named.filter(|named| !named.exists() && usual.is_dir()) else {
        return Ok(());
    };
    let [name, other] = [named, &usual].map(|path| path.file_name().map(files::shown));
    let (Some(name), Some(other)) = (name, other) else { return Ok(()) };
    if mistyped(&name, std::iter::once(&*other)).is_none() {
        return Ok(());
    }
    Err(Failure::usage(format!("`{}` is new", named.display()))
        .meant(Some(usual.display()))
        .help("where another workspace is wanted, make its folder first"))
}

/// The workspace next to a folder, if both are there: the skill was given.
pub(super) fn workspace_of_skill(path: &Path) -> Option<PathBuf> {
    let workspace = workspace_of(None, path);
    if path.is_dir() && workspace.is_dir() { Some(workspace) } else { None }
}

/// The nearest folder above that has iterations: a folder of an iteration or a run was given.
fn workspace_above(path: &Path) -> Option<PathBuf> {
    /// From the outputs of a run to the workspace.
    const LEVELS: usize = 4;
    for above in path.ancestors().skip(1).take(LEVELS) {
        let above = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        if holds_iterations(above) {
            return Some(above.to_path_buf());
        }
    }
    None
}

/// An existing folder with almost the same name as `path`.
pub(super) fn similar_path(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let names = files::names_in(files::parent(path)).unwrap_or_default();
    let near = most_similar(name, names.iter().map(String::as_str)).filter(|near| *near != name)?;
    let near = path.with_file_name(near);
    if near.is_dir() { Some(near.display().to_string()) } else { None }
}

/// What to do with a path that is no folder of this machine, where its form says what it is.
pub(super) fn help_for(path: &Path) -> Option<String> {
    let shown = path.to_str()?;
    let is_archive = [".zip", ".tar", ".tgz", ".gz"].iter().any(|ending| shown.ends_with(ending));
    if matches!(shown, "worse" | "loss") {
        return Some(format!("that is a rule: did you mean `--fail-on {shown}`?"));
    }
    if is_address(shown) {
        return Some("that is an address: clone or download it, and give the folder".to_owned());
    }
    if is_archive && path.is_file() {
        return Some("that is an archive: unpack it, and give the folder".to_owned());
    }
    if files::text(path).is_some_and(|text| Baseline::read(&text).is_some()) {
        return Some(format!(
            "that is a baseline: to compare with it, type `evalbook compare {shown} WORKSPACE`"
        ));
    }
    if let Some((workspace, _)) = shown.split_once('#')
        && Path::new(workspace).is_dir()
    {
        return Some("`#` names an iteration for `compare` alone".to_owned());
    }
    if git::has_branch(shown) {
        return Some(format!(
            "that is a branch: `git worktree add ../{shown} {shown}`, and give the folder in it"
        ));
    }
    None
}

pub(super) fn is_address(text: &str) -> bool {
    text.contains("://") || text.starts_with("git@")
}

/// The iterations beside one that is not there, in backticks; `None` where `path` names none.
pub(super) fn iterations_beside(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let mut found = files::names_in(files::parent(path)).unwrap_or_default();
    found.retain(|name| names::is_iteration(name));
    if !names::is_iteration(name) || found.is_empty() || path.exists() {
        return None;
    }
    found.sort_by(|a, b| natural_order(a, b));
    Some(list(found))
}

/// Whether a folder is a workspace by the names in it.
pub(super) fn holds_iterations(folder: &Path) -> bool {
    let names = files::names_in(folder).unwrap_or_default();
    names.iter().any(|name| names::is_iteration(name))
}
