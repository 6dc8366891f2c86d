//! Names that settings and flags give to iterations and configurations, held against those there are.

use std::collections::BTreeSet;

use crate::analyze::{UNASSIGNED, can_be_pinned, is_called};
use crate::cli::{Failure, Outcome};
use crate::model::Workspace;
use crate::settings::keys::nearest;
use crate::settings::{Origin, Settings};

pub(super) type Named<'a> = (&'a Workspace, &'a Settings);

pub(super) fn check_pinned<'a>(all: impl Iterator<Item = Named<'a>> + Clone) -> Outcome<()> {
    let Some(name) = all.clone().find_map(|(_, settings)| settings.against.as_deref()) else {
        return Ok(());
    };
    if all.clone().any(|(workspace, _)| can_be_pinned(workspace, name)) {
        return Ok(());
    }
    let names = all
        .flat_map(|(workspace, _)| &workspace.iterations)
        .map(|iteration| iteration.name.as_str());
    let failure = Failure::usage(format!("`against`: there is no iteration `{name}`"));
    Err(match nearest(name, names.clone()) {
        None => failure.help(format!("there are {}, and `best`, `first`, `previous`", list(names))),
        near => failure.meant(near),
    })
}

/// Refuses a baseline, an order and labels of configurations that no iteration of any workspace has.
/// Where nothing ran yet, every name may still come.
pub(super) fn check_configurations<'a>(
    all: impl Iterator<Item = Named<'a>> + Clone,
) -> Outcome<()> {
    let names: BTreeSet<&str> =
        all.clone().flat_map(|(workspace, _)| names_in(workspace)).collect();
    if names.is_empty() {
        return Ok(());
    }
    for (_, settings) in all.clone() {
        for (key, flag, name) in wanted(settings) {
            let has_it = |(workspace, own): Named<'_>| {
                let names = [name, own.unlabelled(name)];
                names_in(workspace)
                    .any(|known| names.iter().any(|name| is_called(known, name, own)))
            };
            if !all.clone().any(has_it) {
                return Err(unknown(&place(settings, key, flag), name, &names));
            }
        }
    }
    Ok(())
}

fn wanted(settings: &Settings) -> impl Iterator<Item = (&'static str, &'static str, &str)> {
    let baseline = settings.baseline.iter().map(|name| ("baseline", "--baseline", name));
    let order = settings.order.iter().map(|name| ("order", "--order", name));
    let labels = settings.labels.keys().map(|name| ("labels", "--label", name));
    baseline.chain(order).chain(labels).map(|(key, flag, name)| (key, flag, name.as_str()))
}

fn names_in(workspace: &Workspace) -> impl Iterator<Item = &str> {
    let names = workspace.iterations.iter().flat_map(|iteration| &iteration.configurations);
    names.map(String::as_str).filter(|name| *name != UNASSIGNED)
}

/// Where the setting of `key` was made, as a message begins.
fn place(settings: &Settings, key: &str, flag: &str) -> String {
    match settings.origin(key) {
        Origin::File { path, line } => format!("{path}:{line}: `{key}`"),
        Origin::Flag | Origin::Default => format!("`{flag}`"),
    }
}

fn unknown(place: &str, name: &str, names: &BTreeSet<&str>) -> Failure {
    let failure = Failure::usage(format!("{place}: there is no configuration `{name}`"));
    match nearest(name, names.iter().copied()) {
        None if names.len() == 1 => failure.help(format!("there is only {}", list(names.iter()))),
        None => failure.help(format!("there are {}", list(names.iter()))),
        near => failure.meant(near),
    }
}

/// Names in a row, as messages write them.
pub(super) fn list(names: impl Iterator<Item = impl std::fmt::Display>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
