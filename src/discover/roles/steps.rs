//! The role of a folder, by the levels above it: none, a case, a configuration, a run.

use crate::discover::roles::{FolderContext, FolderRole};
use crate::discover::tree::TreeFolder;
use crate::discover::{names, tree};
use crate::text::folded_name;

/// Above every case: groups, iterations, cases, and configurations that come first.
pub(super) fn in_open(context: &FolderContext<'_>) -> FolderRole {
    let (folder, is_container) = (context.folder(), names::is_container(context.name));
    let (holds, in_iteration) = (folder.holds(), context.levels.iteration);
    // Folders directly below may describe cases that have no runs yet.
    let mut below = context.tree.candidates(context.path);
    let mut plans_cases = || below.any(|(_, child)| context.tree.get(&child).metadata);
    let is_grading = || folded_name(context.name).starts_with("grading");
    match () {
        () if is_iteration(context) => FolderRole::Iteration,
        () if is_container && in_iteration && plans_cases() => FolderRole::Container,
        () if !holds && !folder.holds_below => match () {
            () if folder.metadata && in_iteration => FolderRole::Case,
            () if is_grading() || folder.iterations_below => FolderRole::Group,
            () => FolderRole::Apart,
        },
        () if is_container => FolderRole::Container,
        () if !in_iteration && folder.iterations_below && !folder.own => FolderRole::Group,
        () if names::run_number(context.name).is_some() => run_above_cases(context),
        () if is_first_configuration(context) => FolderRole::Configuration,
        () if holds && context.has_cases() && !context.has_configurations() => FolderRole::Group,
        () if holds => FolderRole::Case,
        () => above_holders(context),
    }
}

/// A folder named like a run with no case above it: a run if it holds results, alone or by
/// configuration; a case if it contains runs; else one pass over the cases below it.
fn run_above_cases(context: &FolderContext<'_>) -> FolderRole {
    let folder = context.folder();
    let has_configuration = |wanted: fn(&TreeFolder) -> bool| {
        let mut folders = context.tree.candidates(context.path);
        folders
            .any(|(name, child)| names::is_configuration(name) && wanted(context.tree.get(&child)))
    };
    let has_own = folder.strong || folder.weak || !folder.stems.is_empty();
    match () {
        () if folder.has_runs || has_configuration(|child| child.has_runs) => FolderRole::Case,
        () if has_own || !folder.holds_below || has_configuration(TreeFolder::holds) => {
            FolderRole::Run
        }
        () => FolderRole::Group,
    }
}

/// Whether a folder above the cases is a configuration: by its name, or by files named like cases.
fn is_first_configuration(context: &FolderContext<'_>) -> bool {
    let (name, stems) = (context.name, &context.folder().stems);
    let case_stems = stems.iter().filter(|stem| names::is_case(stem)).count();
    let by_files = case_stems > 1 && !names::is_case(name) && !context.folder().metadata;
    let holds_cases = !stems.is_empty() || has_cases_below(context);
    let is_named =
        names::is_configuration(name) && (holds_cases || names::split_both(name).is_none());
    let is_model = names::is_model(name) && holds_cases;
    (is_named || context.levels.iteration && (by_files || is_model))
        && !context.has_configurations()
}

fn has_cases_below(context: &FolderContext<'_>) -> bool {
    context.tree.candidates(context.path).any(|(name, child)| {
        let has_content = context.tree.get(&child).holds() || context.tree.get(&child).holds_below;
        has_content && !names::is_configuration(name) && names::run_number(name).is_none()
    })
}

/// A folder above folders that hold runs: a case above configurations, or a group above cases.
fn above_holders(context: &FolderContext<'_>) -> FolderRole {
    // Folders with runs in or below them may all be models.
    let mut names = context.tree.candidates(context.path).filter(|(_, child)| {
        let child = context.tree.get(child);
        child.holds() || child.holds_below
    });
    let is_model = |(name, _): (&str, String)| names::is_model(name);
    let by_model =
        context.levels.iteration && names.next().is_some_and(is_model) && names.all(is_model);
    let kids: Vec<&str> = context.tree.holders(context.path).map(|(name, _)| name).collect();
    let is_case = context.folder().metadata || names::is_case(context.name);
    let is_plain_case =
        |(name, child): (&str, String)| names::is_case(name) || context.tree.get(&child).metadata;
    // A folder with a plain case directly below is not a case itself.
    let holds_case = || context.tree.candidates(context.path).any(is_plain_case);
    let groups_cases = || kids.is_empty() && (!is_case || holds_case());
    // At least half of its folders with runs must also exist with runs below a neighbor.
    let has_twin = |kid: &&&str| {
        context.tree.candidates(context.parent).any(|(name, neighbor)| {
            name != context.name && context.tree.holders(&neighbor).any(|(other, _)| other == **kid)
        })
    };
    let repeats = || kids.iter().filter(has_twin).count() * 2 >= kids.len();
    match () {
        () if context.has_configurations() || by_model => FolderRole::Case,
        () if names::is_timestamp(context.name) || groups_cases() => FolderRole::Group,
        () if is_case => FolderRole::Case,
        () if context.tree.holders(context.path).any(is_plain_case) => FolderRole::Group,
        () if repeats() || (context.levels.iteration && kids.len() <= 2) => FolderRole::Case,
        () => FolderRole::Group,
    }
}

fn is_iteration(context: &FolderContext<'_>) -> bool {
    let (name, folder) = (context.name, context.folder());
    if context.levels.iteration {
        // A folder only named like one, as `iteration-planning`, is a case there.
        return names::iteration_number(name).is_some();
    }
    let holds = folder.holds_below || folder.holds();
    let is_version = || {
        let has_skill = folder.folders.iter().any(|name| name == "skill");
        names::version_number(name).is_some() && (holds || has_skill)
    };
    let in_benchmarks = || names::file_name(context.parent).eq_ignore_ascii_case("benchmarks");
    names::is_iteration(name)
        || is_version()
        || holds && names::round_number(name).is_some()
        || folder.holds_below && names::is_timestamp(name) && in_benchmarks()
}

/// Below a configuration that came first: its cases.
pub(super) fn in_configuration(context: &FolderContext<'_>) -> FolderRole {
    let folder = context.folder();
    let has_content = folder.holds() || folder.holds_below;
    match () {
        () if names::run_number(context.name).is_some() => run_above_cases(context),
        () if !has_content => FolderRole::Inside,
        () if names::is_container(context.name) && !folder.holds() => FolderRole::Container,
        () if names::is_model(context.name) && has_cases_below(context) => {
            FolderRole::Configuration
        }
        () => FolderRole::Case,
    }
}

/// Directly below a case without a configuration: its configurations or its runs.
pub(super) fn in_case(context: &FolderContext<'_>) -> FolderRole {
    let folder = context.folder();
    let is_ungraded = names::is_plainly_configuration(context.name) && !folder.skill;
    let structured = folder.strong || folder.has_runs || folder.holds_below;
    match () {
        () if names::run_number(context.name).is_some() => FolderRole::Run,
        () if !folder.holds() && !folder.holds_below => match () {
            () if is_ungraded && folder.has_files => FolderRole::Configuration,
            () if context.parent().strong => FolderRole::Inside,
            () => FolderRole::Apart,
        },
        () if names::is_container(context.name) && !folder.holds() => FolderRole::Container,
        () if is_grading_of_parent(context) => FolderRole::Container,
        () if names::is_configuration(context.name) => FolderRole::Configuration,
        () if structured && tree::can_hold(context.name) => FolderRole::Configuration,
        () => FolderRole::Inside,
    }
}

/// Whether a grader's folder has the grading that its parent lacks.
fn is_grading_of_parent(context: &FolderContext<'_>) -> bool {
    let folder = context.folder();
    let is_graded = folder.graded || folder.graded_below;
    names::is_grader_folder(context.name) && is_graded && !context.parent().graded
}

/// Below case and configuration: runs, the same configuration once more, or a narrower one.
pub(super) fn in_configured_case(context: &FolderContext<'_>) -> FolderRole {
    let (folder, parent) = (context.folder(), context.parent());
    let in_row = parent.repeats && names::repeat_number(context.name).is_some();
    let is_run =
        names::run_number(context.name).is_some() || (in_row && (folder.holds() || !parent.own));
    let is_around = names::is_container(context.name) || names::is_run_list(context.name);
    let is_graded = folder.graded || folder.graded_below;
    let repeated = context.name == names::file_name(context.parent) && folder.holds();
    let has_graded = folder.graded || ((folder.has_runs || folder.repeats) && folder.graded_below);
    let narrower = has_graded && !parent.graded && tree::can_hold(context.name);
    let grouped = !parent.holds() && folder.holds() && names::is_configuration(context.name);
    match () {
        () if is_run => FolderRole::Run,
        () if is_around && is_graded && !parent.graded => FolderRole::Container,
        () if is_grading_of_parent(context) => FolderRole::Container,
        () if repeated || narrower || grouped => FolderRole::Configuration,
        () => FolderRole::Inside,
    }
}

/// Below a run: a configuration where none was named above, else its files.
pub(super) fn in_run(context: &FolderContext<'_>) -> FolderRole {
    let unnamed = !context.levels.configuration && context.above == FolderRole::Run;
    let is_graded = context.folder().graded && !context.parent().own;
    match () {
        () if unnamed && names::is_configuration(context.name) && context.folder().holds() => {
            FolderRole::Configuration
        }
        () if context.above == FolderRole::Run && is_grading_of_parent(context) => {
            FolderRole::Container
        }
        () if unnamed && is_graded && tree::can_hold(context.name) => FolderRole::Configuration,
        () => FolderRole::Inside,
    }
}
