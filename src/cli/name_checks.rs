//! Names given by users: iterations and configurations in settings and flags, and paths at which
//! nothing is found.

use std::collections::BTreeSet;
use std::path::Path;

use crate::analyze::{can_be_pinned, is_called};
use crate::cli::{CommandResult, Failure};
use crate::discover::names;
use crate::files;
use crate::model::{UNASSIGNED, Workspace};
use crate::settings::keys::nearest;
use crate::settings::{Origin, Settings};

/// The most folders above a path that are tried as the intended workspace.
const CLIMB: usize = 4;

pub(super) type NamedWorkspace<'a> = (&'a Workspace, &'a Settings);

pub(super) fn check_pinned(workspaces: &[NamedWorkspace<'_>]) -> CommandResult<()> {
    let Some(name) = workspaces.iter().find_map(|(_, settings)| settings.against.as_deref()) else {
        return Ok(());
    };
    if workspaces.iter().any(|(workspace, _)| can_be_pinned(workspace, name)) {
        return Ok(());
    }
    let iterations = workspaces.iter().flat_map(|(workspace, _)| &workspace.iterations);
    let names = iterations.map(|iteration| iteration.name.as_str());
    let failure = Failure::usage(format!("`against`: there is no iteration `{name}`"));
    Err(match nearest(name, names.clone()) {
        None => failure.help(format!("there are {}, and `best`, `first`, `previous`", list(names))),
        near => failure.meant(near),
    })
}

/// Refuses names of configurations that no iteration has. Before the first run, any name is
/// allowed.
pub(super) fn check_configurations(workspaces: &[NamedWorkspace<'_>]) -> CommandResult<()> {
    let iterations = workspaces.iter().flat_map(|(workspace, _)| &workspace.iterations);
    let known_names =
        iterations.flat_map(|iteration| &iteration.configurations).map(String::as_str);
    let known_names: BTreeSet<&str> = known_names.filter(|name| *name != UNASSIGNED).collect();
    if known_names.is_empty() {
        return Ok(());
    }
    for (_, settings) in workspaces {
        let baseline = settings.baseline.iter().map(|name| ("baseline", "--baseline", name));
        let order = settings.order.iter().map(|name| ("order", "--order", name));
        let labels = settings.labels.keys().map(|name| ("labels", "--label", name));
        for (key, flag, name) in baseline.chain(order).chain(labels) {
            let is_known = |(workspace, settings): &NamedWorkspace<'_>| {
                let names = [name, settings.unlabelled(name)];
                let mut configurations =
                    workspace.iterations.iter().flat_map(|iteration| &iteration.configurations);
                configurations.any(|configuration| {
                    let mut names = names.iter();
                    *configuration != UNASSIGNED
                        && names.any(|name| is_called(configuration, name, settings))
                })
            };
            if workspaces.iter().any(is_known) {
                continue;
            }
            let place = match settings.origin(key) {
                Origin::File { path, line } => format!("{path}:{line}: `{key}`"),
                Origin::Flag | Origin::Default => format!("`{flag}`"),
            };
            let failure = Failure::usage(format!("{place}: there is no configuration `{name}`"));
            return Err(match nearest(name, known_names.iter().copied()) {
                None if known_names.len() == 1 => {
                    failure.help(format!("there is only {}", list(&known_names)))
                }
                None => failure.help(format!("there are {}", list(&known_names))),
                near => failure.meant(near),
            });
        }
    }
    Ok(())
}

pub(super) fn list(names: impl IntoIterator<Item = impl std::fmt::Display>) -> String {
    names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The workspace probably meant by `path`, which is not one.
pub(super) fn near_workspace(path: &Path) -> Option<String> {
    if !path.exists() {
        return similar_path(path);
    }
    let sibling = || {
        let real = path.canonicalize().ok()?;
        let name = format!("{}-workspace", real.file_name()?.to_str()?);
        let workspace = match path.file_name() {
            Some(_) => path.with_file_name(name),
            None => path.join("..").join(name),
        };
        (path.is_dir() && workspace.is_dir()).then_some(workspace)
    };
    let above = || {
        let folders = path.ancestors().skip(1).take(CLIMB);
        let here = |folder: &Path| folder.as_os_str().is_empty();
        let mut folders = folders.map(|above| if here(above) { Path::new(".") } else { above });
        folders.find(|folder| holds_iterations(folder)).map(Path::to_path_buf)
    };
    Some(sibling().or_else(above)?.display().to_string())
}

/// An existing path with almost the same name as `path`.
pub(super) fn similar_path(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let names = files::names_in(files::parent(path)).unwrap_or_default();
    let near = nearest(name, names.iter().map(String::as_str)).filter(|near| *near != name)?;
    let near = path.with_file_name(near);
    near.is_dir().then(|| near.display().to_string())
}

/// Whether a folder is a workspace by the names in it.
pub(super) fn holds_iterations(folder: &Path) -> bool {
    let names = files::names_in(folder).unwrap_or_default();
    names.iter().any(|name| names::is_iteration(name))
}
