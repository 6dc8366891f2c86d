//! Which level each folder is.
//!
//! Roles are assigned from the top down, one step per folder: [`Levels`] has the levels above,
//! [`step`] decides the role of the folder itself. Structure decides first (which folders hold
//! runs, what repeats below neighbors); names decide where structure allows two readings.

mod steps;

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::roles::steps::{
    in_case, in_configuration, in_configured_case, in_open, in_run,
};
use crate::discover::tree::{Tree, TreeFolder};
use crate::discover::{kinds, names};

#[derive(Debug, Default)]
pub(super) struct FolderRoles {
    roles: BTreeMap<String, FolderRole>,
    /// Cases with folders of configurations in them.
    configured: BTreeSet<String>,
}

impl FolderRoles {
    /// Assigns every folder of `tree` its role; the root, called `root_name`, may be an iteration
    /// or a case.
    pub(super) fn new(tree: &Tree, root_name: &str) -> Self {
        let mut roles = Self::default();
        let folder = tree.get("");
        let has_iterations = folder.folders.iter().any(|name| names::is_iteration(name));
        let is_case = !has_iterations
            && (folder.metadata || names::is_case(root_name))
            && (folder.holds() || has_configurations(tree, ""));
        let root = match is_case {
            _ if names::is_iteration(root_name) => FolderRole::Iteration,
            true => FolderRole::Case,
            false => FolderRole::Group,
        };
        let levels = descend(Levels::default(), root);
        roles.roles.insert(String::new(), root);
        roles.walk(tree, "", root, levels);
        roles
    }

    pub(super) fn get(&self, path: &str) -> FolderRole {
        self.roles.get(path).copied().unwrap_or(FolderRole::Apart)
    }

    /// Every folder with its role, in byte order of the paths.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, FolderRole)> {
        self.roles.iter().map(|(path, role)| (path.as_str(), *role))
    }

    pub(super) fn is_configured(&self, path: &str) -> bool {
        self.configured.contains(path)
    }

    fn walk(&mut self, tree: &Tree, path: &str, above: FolderRole, levels: Levels) {
        for name in &tree.get(path).folders {
            let child = names::join(path, name);
            let context = FolderContext { tree, parent: path, name, path: &child, above, levels };
            let role = step(&context);
            if role == FolderRole::Configuration {
                // The case above it, with runs and containers in between.
                let mut case = path;
                while !case.is_empty()
                    && matches!(self.get(case), FolderRole::Run | FolderRole::Container)
                {
                    case = names::folder(case);
                }
                self.configured.insert(case.to_owned());
            }
            self.roles.insert(child.clone(), role);
            self.walk(tree, &child, role, descend(levels, role));
        }
    }
}

fn descend(mut levels: Levels, role: FolderRole) -> Levels {
    match role {
        FolderRole::Iteration => levels = Levels { iteration: true, ..Levels::default() },
        FolderRole::Case => levels.case = true,
        FolderRole::Configuration => levels.configuration = true,
        FolderRole::Run => levels.run = true,
        _ => {}
    }
    levels
}

fn step(context: &FolderContext<'_>) -> FolderRole {
    let (folder, levels) = (context.folder(), context.levels);
    let has_runs = folder.holds() || folder.holds_below;
    // A folder with a `SKILL.md` that holds no runs is a copy of the skill.
    let is_copy = folder.skill && !has_runs && !levels.any_run_level();
    match context.above {
        FolderRole::Snapshot => FolderRole::Snapshot,
        FolderRole::Outputs | FolderRole::Inside => FolderRole::Inside,
        FolderRole::Apart => FolderRole::Apart,
        _ if names::is_snapshot(context.name) || is_copy => FolderRole::Snapshot,
        _ if kinds::is_trigger_loops(context.name) => FolderRole::Apart,
        _ if names::is_output_folder(context.name) => output_folder(context),
        _ if levels.run => in_run(context),
        _ if levels.case && levels.configuration => in_configured_case(context),
        _ if levels.case => in_case(context),
        _ if levels.configuration => in_configuration(context),
        _ => in_open(context),
    }
}

/// A run's outputs; but above the next level, and without files of a run beside it, only an
/// enclosing folder.
fn output_folder(context: &FolderContext<'_>) -> FolderRole {
    let is_next = |name: &str| match context.levels {
        Levels { case: true, configuration: true, .. } => names::run_number(name).is_some(),
        Levels { case: true, .. } => {
            names::run_number(name).is_some() || names::is_configuration(name)
        }
        _ => true,
    };
    let is_graded = |folder: &TreeFolder| folder.graded || folder.graded_below;
    let mut next = context.tree.candidates(context.path).filter(|(name, _)| is_next(name));
    let is_around = next.any(|(_, child)| is_graded(context.tree.get(&child)));
    let has_own = context.levels.run || context.parent().own || !context.parent().stems.is_empty();
    match context.levels.any_run_level() {
        is_below if is_around && !(is_below && has_own) => FolderRole::Container,
        true => FolderRole::Outputs,
        false => FolderRole::Apart,
    }
}

/// The role of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::discover) enum FolderRole {
    /// Groups the folders below and becomes part of the iteration's name.
    Group,
    /// Groups the folders below and has no meaning of its own (`runs`, `results`).
    Container,
    Iteration,
    Case,
    Configuration,
    Run,
    Outputs,
    /// A folder inside a run's folder or its outputs.
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
    /// Whether anything above is a run or part of one.
    pub(super) fn any_run_level(self) -> bool {
        self.case || self.configuration || self.run
    }
}

pub(super) struct FolderContext<'a> {
    pub(super) tree: &'a Tree,
    pub(super) parent: &'a str,
    pub(super) name: &'a str,
    pub(super) path: &'a str,
    pub(super) above: FolderRole,
    pub(super) levels: Levels,
}

impl FolderContext<'_> {
    pub(super) fn folder(&self) -> &TreeFolder {
        self.tree.get(self.path)
    }

    pub(super) fn parent(&self) -> &TreeFolder {
        self.tree.get(self.parent)
    }

    /// Whether a folder below, or in a container there, holds runs and is named like a
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
