//! A folder with what stands above it, and what can be asked of it whatever that is.

use crate::discover::names;
use crate::discover::tree::{Folder, Tree};

/// The level a folder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discover) enum Role {
    /// Groups what is below and takes part in the iteration's name.
    Group,
    /// Groups what is below and has no meaning of its own (`runs`, `results`).
    Container,
    Iteration,
    Case,
    Configuration,
    Run,
    Outputs,
    /// A folder inside a run's, or inside its outputs.
    Inside,
    Snapshot,
    Apart,
}

/// The levels above a folder.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Levels {
    pub(super) iteration: bool,
    pub(super) case: bool,
    pub(super) configuration: bool,
    pub(super) run: bool,
}

impl Levels {
    /// Whether anything above stands for a run or a part of one.
    pub(super) fn any_run_level(self) -> bool {
        self.case || self.configuration || self.run
    }
}

pub(super) struct Site<'a> {
    pub(super) tree: &'a Tree,
    pub(super) parent: &'a str,
    pub(super) name: &'a str,
    pub(super) path: &'a str,
    pub(super) above: Role,
    pub(super) levels: Levels,
}

impl Site<'_> {
    pub(super) fn folder(&self) -> &Folder {
        self.tree.get(self.path)
    }

    pub(super) fn parent(&self) -> &Folder {
        self.tree.get(self.parent)
    }

    pub(super) fn holds(&self) -> bool {
        self.folder().holds()
    }

    pub(super) fn is_configuration(&self) -> bool {
        names::is_configuration(self.name)
    }

    /// Whether some folder directly below, or in a container there, holds runs and is named like a
    /// configuration.
    pub(super) fn has_configurations(&self) -> bool {
        let around = |(name, child): (&str, String)| {
            names::is_container(name) && has_configurations(self.tree, &child)
        };
        has_configurations(self.tree, self.path) || self.tree.candidates(self.path).any(around)
    }

    /// Whether some folder directly below is itself a case with configurations.
    pub(super) fn has_cases(&self) -> bool {
        self.tree.candidates(self.path).any(|(name, child)| {
            names::run_number(name).is_none() && has_configurations(self.tree, &child)
        })
    }
}

/// Whether some folder directly in `path` holds runs and is named like a configuration.
pub(super) fn has_configurations(tree: &Tree, path: &str) -> bool {
    tree.candidates(path).any(|(name, child)| {
        names::is_configuration(name) && (tree.get(&child).holds() || tree.get(&child).holds_below)
    })
}

/// Whether the folders directly in `path` that have runs in or below them are models.
pub(super) fn has_models_only(tree: &Tree, path: &str) -> bool {
    let mut names = tree.candidates(path).filter(|(_, child)| {
        let child = tree.get(child);
        child.holds() || child.holds_below
    });
    let is_model = |(name, _): (&str, String)| names::is_model(name);
    names.next().is_some_and(is_model) && names.all(is_model)
}
