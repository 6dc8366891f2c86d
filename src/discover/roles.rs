//! Which level each folder stands for.
//!
//! The roles are given from the top down, one step per folder: [`Levels`] says which levels lie
//! above, [`step`] decides what the folder itself is. Structure decides first (what holds runs,
//! what repeats below its neighbors); names decide where structure allows two readings.

use std::collections::BTreeMap;

use crate::discover::names;
use crate::discover::tree::Tree;

/// The level a folder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Groups what is below and takes part in the iteration's name.
    Group,
    /// Groups what is below and has no meaning of its own (`runs`, `results`).
    Container,
    /// One round of improvement.
    Iteration,
    /// One case.
    Case,
    /// One configuration.
    Configuration,
    /// One run.
    Run,
    /// What a run produced.
    Outputs,
    /// A folder inside a run's, or inside its outputs.
    Inside,
    /// A copy of the skill.
    Snapshot,
    /// Belongs to no run.
    Apart,
}

/// The levels above a folder.
#[derive(Clone, Copy, Debug, Default)]
struct Levels {
    iteration: bool,
    case: bool,
    configuration: bool,
    run: bool,
}

impl Levels {
    fn any_run_level(self) -> bool {
        self.case || self.configuration || self.run
    }
}

/// The role of every folder below the root.
#[derive(Debug, Default)]
pub(super) struct Roles {
    roles: BTreeMap<String, Role>,
}

impl Roles {
    /// Gives every folder of `tree` its role. `root_name` is the name of the root folder itself,
    /// which may be an iteration or a case.
    pub(super) fn of(tree: &Tree, root_name: &str) -> Self {
        let mut roles = Self::default();
        let root = root_role(tree, root_name);
        let levels = descend(Levels::default(), root);
        roles.roles.insert(String::new(), root);
        roles.walk(tree, "", root, levels);
        roles
    }

    /// The role of the folder at `path`.
    pub(super) fn get(&self, path: &str) -> Role {
        self.roles.get(path).copied().unwrap_or(Role::Apart)
    }

    fn walk(&mut self, tree: &Tree, path: &str, above: Role, levels: Levels) {
        for name in &tree.get(path).folders {
            let child = names::join(path, name);
            let site = Site { tree, parent: path, name, path: &child, above, levels };
            let role = step(&site);
            self.roles.insert(child.clone(), role);
            self.walk(tree, &child, role, descend(levels, role));
        }
    }
}

/// A folder, where it stands, and what stands above it.
struct Site<'a> {
    tree: &'a Tree,
    parent: &'a str,
    name: &'a str,
    path: &'a str,
    above: Role,
    levels: Levels,
}

impl Site<'_> {
    fn holds(&self) -> bool {
        self.tree.get(self.path).holds()
    }

    fn holds_below(&self) -> bool {
        self.tree.get(self.path).holds_below
    }

    fn is_configuration(&self) -> bool {
        names::is_configuration(self.name)
    }

    /// Whether some folder directly below holds runs and is named like a configuration.
    fn has_configurations(&self) -> bool {
        has_configurations(self.tree, self.path)
    }

    /// Whether some folder directly below is itself a case with configurations.
    fn has_cases(&self) -> bool {
        self.tree.candidates(self.path).any(|(name, child)| {
            names::run_number(name).is_none() && has_configurations(self.tree, &child)
        })
    }
}

fn has_configurations(tree: &Tree, path: &str) -> bool {
    tree.candidates(path).any(|(name, child)| {
        names::is_configuration(name) && (tree.get(&child).holds() || tree.get(&child).holds_below)
    })
}

fn root_role(tree: &Tree, root_name: &str) -> Role {
    if names::is_iteration(root_name) {
        return Role::Iteration;
    }
    let root = tree.get("");
    let has_iterations = root.folders.iter().any(|name| names::is_iteration(name));
    let is_case = root.metadata || names::is_case(root_name);
    if is_case && !has_iterations && (root.holds() || has_configurations(tree, "")) {
        return Role::Case;
    }
    Role::Group
}

fn descend(mut levels: Levels, role: Role) -> Levels {
    match role {
        Role::Iteration => levels = Levels { iteration: true, ..Levels::default() },
        Role::Case => levels.case = true,
        Role::Configuration => levels.configuration = true,
        Role::Run => levels.run = true,
        _ => {}
    }
    levels
}

/// The role of one folder.
fn step(site: &Site<'_>) -> Role {
    match site.above {
        Role::Snapshot => return Role::Snapshot,
        Role::Outputs | Role::Inside => return Role::Inside,
        Role::Apart => return Role::Apart,
        _ => {}
    }
    if names::is_snapshot(site.name) || is_skill_copy(site) {
        return Role::Snapshot;
    }
    if names::is_output_folder(site.name) {
        return if site.levels.any_run_level() { Role::Outputs } else { Role::Apart };
    }
    match site.levels {
        Levels { run: true, .. } => in_run(site),
        Levels { case: true, configuration: true, .. } => in_configured_case(site),
        Levels { case: true, .. } => in_case(site),
        Levels { configuration: true, .. } => in_configuration(site),
        _ => in_open(site),
    }
}

/// A folder with a `SKILL.md` that holds no runs is a copy of the skill.
fn is_skill_copy(site: &Site<'_>) -> bool {
    let folder = site.tree.get(site.path);
    folder.skill && !folder.holds() && !folder.holds_below && !site.levels.any_run_level()
}

/// Above every case: groups, iterations, cases, and configurations that come first.
fn in_open(site: &Site<'_>) -> Role {
    if is_iteration(site) {
        return Role::Iteration;
    }
    let holds = site.holds();
    if names::is_container(site.name) && plans_cases(site) {
        return Role::Container;
    }
    if !holds && !site.holds_below() {
        let planned = site.tree.get(site.path).metadata && site.levels.iteration;
        return if planned { Role::Case } else { group_or_apart(site) };
    }
    if names::run_number(site.name).is_some() {
        return Role::Run;
    }
    if names::is_container(site.name) {
        return Role::Container;
    }
    if site.is_configuration() && !site.has_configurations() && is_first_level(site) {
        return Role::Configuration;
    }
    if holds {
        return if site.has_cases() && !site.has_configurations() {
            Role::Group
        } else {
            Role::Case
        };
    }
    above_holders(site)
}

/// Whether folders directly below describe cases, with or without runs.
fn plans_cases(site: &Site<'_>) -> bool {
    let mut below = site.tree.candidates(site.path);
    site.levels.iteration && below.any(|(_, child)| site.tree.get(&child).metadata)
}

/// Whether a folder named like a configuration is one although no case lies above it.
fn is_first_level(site: &Site<'_>) -> bool {
    let splits = names::split_configuration_suffix(site.name).is_some();
    let folder = site.tree.get(site.path);
    let has_cases_below = site.tree.candidates(site.path).any(|(name, child)| {
        let held = site.tree.get(&child).holds() || site.tree.get(&child).holds_below;
        held && !names::is_configuration(name) && names::run_number(name).is_none()
    });
    !folder.stems.is_empty() || has_cases_below || !splits
}

/// A folder that holds no run itself, but folders that do: a case above its configurations, or a
/// group above its cases.
fn above_holders(site: &Site<'_>) -> Role {
    if site.has_configurations() {
        return Role::Case;
    }
    let kids: Vec<&str> = site.tree.holders(site.path).map(|(name, _)| name).collect();
    if kids.is_empty() || names::is_timestamp(site.name) {
        return Role::Group;
    }
    if site.tree.get(site.path).metadata || names::is_case(site.name) {
        return Role::Case;
    }
    let are_cases = site
        .tree
        .holders(site.path)
        .any(|(name, child)| names::is_case(name) || site.tree.get(&child).metadata);
    if are_cases {
        return Role::Group;
    }
    if repeats_beside(site, &kids) || (site.levels.iteration && kids.len() <= 2) {
        return Role::Case;
    }
    Role::Group
}

/// Whether at least half of `kids` also hold runs below a neighbor of this folder.
fn repeats_beside(site: &Site<'_>, kids: &[&str]) -> bool {
    let beside = |kid: &&&str| {
        site.tree.candidates(site.parent).any(|(name, neighbor)| {
            name != site.name && site.tree.holders(&neighbor).any(|(other, _)| other == **kid)
        })
    };
    kids.iter().filter(beside).count() * 2 >= kids.len()
}

fn is_iteration(site: &Site<'_>) -> bool {
    if names::is_iteration(site.name) {
        return true;
    }
    if site.levels.iteration {
        return false;
    }
    let folder = site.tree.get(site.path);
    let is_version = names::version_number(site.name).is_some()
        && (folder.holds_below || folder.holds() || folder.folders.iter().any(|n| n == "skill"));
    let parent = names::file_name(site.parent).to_lowercase();
    let is_dated = names::is_timestamp(site.name) && parent == "benchmarks" && folder.holds_below;
    is_version || is_dated
}

fn group_or_apart(site: &Site<'_>) -> Role {
    let gradings = names::fold(site.name).starts_with("grading");
    let holds_iterations = holds_iterations(site.tree, site.path);
    if gradings || holds_iterations { Role::Group } else { Role::Apart }
}

fn holds_iterations(tree: &Tree, path: &str) -> bool {
    tree.get(path)
        .folders
        .iter()
        .any(|name| names::is_iteration(name) || holds_iterations(tree, &names::join(path, name)))
}

/// Directly below a case without a configuration: its configurations or its runs.
fn in_case(site: &Site<'_>) -> Role {
    if names::run_number(site.name).is_some() {
        return Role::Run;
    }
    let (folder, parent) = (site.tree.get(site.path), site.tree.get(site.parent));
    if !folder.holds() && !folder.holds_below {
        return if parent.strong { Role::Inside } else { Role::Apart };
    }
    if names::is_container(site.name) && !folder.holds() {
        return Role::Container;
    }
    let named = site.is_configuration();
    let structured = folder.strong || folder.has_runs || folder.holds_below;
    if named || (structured && !is_material(site)) { Role::Configuration } else { Role::Inside }
}

fn is_material(site: &Site<'_>) -> bool {
    site.tree.candidates(site.parent).all(|(name, _)| name != site.name)
}

/// Below case and configuration: runs, the same configuration once more, or a narrower one.
fn in_configured_case(site: &Site<'_>) -> Role {
    if names::run_number(site.name).is_some() {
        return Role::Run;
    }
    let (folder, parent) = (site.tree.get(site.path), site.tree.get(site.parent));
    let repeated = site.name == names::file_name(site.parent) && folder.holds();
    let narrower = folder.graded && !parent.graded && !is_material(site);
    let grouped = !parent.holds() && folder.holds() && site.is_configuration();
    if repeated || narrower || grouped { Role::Configuration } else { Role::Inside }
}

/// Below a configuration that came first: its cases.
fn in_configuration(site: &Site<'_>) -> Role {
    if names::run_number(site.name).is_some() {
        return Role::Run;
    }
    let folder = site.tree.get(site.path);
    if !folder.holds() && !folder.holds_below {
        return Role::Inside;
    }
    let container = names::is_container(site.name) && !folder.holds();
    if container { Role::Container } else { Role::Case }
}

/// Below a run: a configuration where none was named above, else its files.
fn in_run(site: &Site<'_>) -> Role {
    let unnamed = !site.levels.configuration && site.above == Role::Run;
    if unnamed && site.is_configuration() && site.holds() {
        Role::Configuration
    } else {
        Role::Inside
    }
}
