//! What the groups around cases mean: those above every level stand for an iteration where there is
//! none, those below tell configurations apart.
//!
//! `iteration-1/opus/pdf` and `iteration-1/sonnet/pdf` are one case under two conditions, so `opus`
//! and `sonnet` become part of the configuration. Groups whose cases lie nowhere else tell nothing
//! apart; they say nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::names;
use crate::discover::roles::{Role, Roles};
use crate::discover::tree::Tree;

/// The names of groups that tell cases of the same name apart.
#[derive(Debug, Default)]
pub(super) struct Groups(BTreeSet<String>);

#[derive(Debug, Default)]
pub(super) struct Around<'a> {
    /// Those above every iteration, case and configuration.
    pub(super) above: Vec<&'a str>,
    /// Those below.
    below: Vec<&'a str>,
    /// The path of the case it lies in, or is.
    pub(super) case: Option<&'a str>,
    /// What is left of its path without the groups below.
    rest: String,
}

impl Groups {
    /// The groups of a workspace that tell something apart.
    pub(super) fn new(tree: &Tree, roles: &Roles) -> Self {
        let mut first: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        let mut telling = BTreeSet::new();
        for (path, _) in roles.iter().filter(|(_, role)| *role == Role::Case) {
            let folder = tree.get(path);
            if !folder.holds() && !folder.holds_below {
                continue;
            }
            let around = around(path, roles);
            let groups: BTreeSet<&str> = around.below.into_iter().collect();
            let known = first.entry(around.rest).or_insert_with(|| groups.clone());
            telling.extend(known.symmetric_difference(&groups).map(|name| (*name).to_owned()));
        }
        Self(telling)
    }

    /// The groups below an iteration that are part of a configuration, and the number of the run
    /// where one of them is a pass over all cases and `has_run` says that nothing else gives it.
    pub(super) fn meaning(&self, around: &Around<'_>, has_run: bool) -> (String, Option<u32>) {
        let number = |name: &&str| names::run_number(name).filter(|_| !has_run);
        let run = around.below.iter().rev().find_map(number);
        let telling = around.below.iter().filter(|name| self.0.contains(**name));
        let conditions: Vec<&str> =
            telling.filter(|name| run.is_none() || number(name) != run).copied().collect();
        (conditions.join("/"), run)
    }
}

pub(super) fn around<'a>(path: &'a str, roles: &Roles) -> Around<'a> {
    let mut around = Around::default();
    let mut is_below = roles.get("") == Role::Iteration;
    for folder in names::folders_above(path).filter(|folder| !folder.is_empty()) {
        let (role, name) = (roles.get(folder), names::file_name(folder));
        match role {
            Role::Container => continue,
            Role::Group if is_below && names::is_grader_folder(name) => continue,
            Role::Group if is_below => {
                around.below.push(name);
                continue;
            }
            Role::Group => around.above.push(name),
            Role::Case => around.case = Some(folder),
            _ => {}
        }
        is_below |= role != Role::Group;
        around.rest = names::join(&around.rest, name);
    }
    around
}
