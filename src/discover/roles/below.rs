//! Folders below a case: its configurations, its runs, and what is in them.

use crate::discover::names;
use crate::discover::roles::site::{Role, Site};
use crate::discover::tree;

/// Directly below a case without a configuration: its configurations or its runs.
pub(super) fn in_case(site: &Site<'_>) -> Role {
    if names::run_number(site.name).is_some() {
        return Role::Run;
    }
    let (folder, parent) = (site.folder(), site.parent());
    if !folder.holds() && !folder.holds_below {
        let is_ungraded = names::is_plainly_configuration(site.name) && !folder.skill;
        return match () {
            () if is_ungraded && folder.has_files => Role::Configuration,
            () if parent.strong => Role::Inside,
            () => Role::Apart,
        };
    }
    if (names::is_container(site.name) && !folder.holds()) || is_grading_of_parent(site) {
        return Role::Container;
    }
    let named = site.is_configuration();
    let structured = folder.strong || folder.has_runs || folder.holds_below;
    if named || (structured && tree::can_hold(site.name)) {
        Role::Configuration
    } else {
        Role::Inside
    }
}

/// Whether a folder of a grader's holds the grading that the folder around it has not.
fn is_grading_of_parent(site: &Site<'_>) -> bool {
    let folder = site.folder();
    let is_graded = folder.graded || folder.graded_below;
    names::is_grader_folder(site.name) && is_graded && !site.parent().graded
}

/// Whether a folder of case and configuration stands for one of its runs.
fn is_repeat(site: &Site<'_>) -> bool {
    let (folder, parent) = (site.folder(), site.parent());
    let in_row = parent.repeats && names::repeat_number(site.name).is_some();
    names::run_number(site.name).is_some() || (in_row && (folder.holds() || !parent.own))
}

/// Below case and configuration: runs, the same configuration once more, or a narrower one.
pub(super) fn in_configured_case(site: &Site<'_>) -> Role {
    if is_repeat(site) {
        return Role::Run;
    }
    let (folder, parent) = (site.folder(), site.parent());
    let is_around = names::is_container(site.name) || names::is_run_list(site.name);
    let is_graded = folder.graded || folder.graded_below;
    if (is_around && is_graded && !parent.graded) || is_grading_of_parent(site) {
        return Role::Container;
    }
    let repeated = site.name == names::file_name(site.parent) && folder.holds();
    let has_graded = folder.graded || ((folder.has_runs || folder.repeats) && folder.graded_below);
    let narrower = has_graded && !parent.graded && tree::can_hold(site.name);
    let grouped = !parent.holds() && folder.holds() && site.is_configuration();
    if repeated || narrower || grouped { Role::Configuration } else { Role::Inside }
}

/// Below a run: a configuration where none was named above, else its files.
pub(super) fn in_run(site: &Site<'_>) -> Role {
    let unnamed = !site.levels.configuration && site.above == Role::Run;
    let is_graded = site.folder().graded && !site.parent().own;
    match () {
        () if unnamed && site.is_configuration() && site.holds() => Role::Configuration,
        () if site.above == Role::Run && is_grading_of_parent(site) => Role::Container,
        () if unnamed && is_graded && tree::can_hold(site.name) => Role::Configuration,
        () => Role::Inside,
    }
}
