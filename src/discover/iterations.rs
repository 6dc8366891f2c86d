//! Facts about all files together: the iterations, their names and their order; and gradings too
//! deep in a run to be read.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::discover::roles::{FolderRole, FolderRoles};
use crate::discover::{
    FileLevels, FoundIteration, FoundOutput, IterationKey, Kind, Section, kinds, names,
};
use crate::model::{Code, Problem};
use crate::text::natural_order;

/// The iterations that are folders, and those for runs outside any.
pub(super) fn list_iterations(roles: &FolderRoles, section: &Section) -> Vec<FoundIteration> {
    let placed: BTreeSet<&IterationKey> = section.places().map(|place| &place.iteration).collect();
    let keys_of_runs = section.places().filter(|place| place.is_in_run());
    let keys_of_runs = keys_of_runs.map(|place| place.iteration.clone());
    let folders = roles.iter().filter(|(_, role)| *role == FolderRole::Iteration);
    let folders = folders.map(|(path, _)| IterationKey::Folder(path.to_owned()));
    let mut keys: BTreeSet<IterationKey> = folders.chain(keys_of_runs).collect();
    // In the scored dialect the copy begins a round; next to other rounds it is only a copy.
    if keys.iter().any(|key| !is_version(key.path())) {
        keys.retain(|key| !is_version(key.path()) || placed.contains(key));
    }
    // Groups above every iteration distinguish nothing.
    let above = keys.iter().map(|key| match key {
        IterationKey::Folder(path) => names::folder(path).split('/').collect(),
        IterationKey::Group(group) => group.split('/').collect(),
    });
    let shared = above.reduce(|mut shared: Vec<&str>, path: Vec<&str>| {
        let same = shared.iter().zip(&path).take_while(|(a, b)| a == b).count();
        shared.truncate(same);
        shared
    });
    let shared = shared.unwrap_or_default().join("/");
    let named = |key: IterationKey| {
        let name = names::below(key.path(), &shared).unwrap_or(key.path());
        let name = if name.is_empty() { &section.name } else { name }.to_owned();
        FoundIteration { key, name }
    };
    let mut iterations: Vec<FoundIteration> = keys.into_iter().map(named).collect();
    sort(&mut iterations, |iteration| {
        if iteration.key == IterationKey::default() { "" } else { &iteration.name }
    });
    iterations
}

/// Sorts iterations by their names in natural order. But `v2` precedes `iteration-1` in one folder,
/// as versions of a skill exist before the rounds that `init` makes. An iteration outside all
/// folders has no name here, so it comes first: the workspace's name does not count.
pub fn sort<T>(items: &mut [T], name: impl Fn(&T) -> &str) {
    let has_versions = items.iter().any(|item| is_version(name(item)));
    let is_round = |item: &T| names::is_iteration(names::file_name(name(item)));
    let has_both = has_versions && items.iter().any(is_round);
    items.sort_by(|a, b| {
        let (a, b) = (name(a), name(b));
        let by_folder = || natural_order(names::folder(a), names::folder(b));
        let mixed = || by_folder().then(is_version(b).cmp(&is_version(a)));
        let first = if has_both { mixed() } else { Ordering::Equal };
        first.then(natural_order(a, b))
    });
}

fn is_version(path: &str) -> bool {
    names::version_number(names::file_name(path)).is_some()
}

/// One problem per grading among the other files of a run that may be meant for it.
pub(super) fn buried_gradings(section: &Section) -> Vec<Problem> {
    let gradings = section.documents.iter().filter(|document| document.kind == Kind::Grading);
    let levels = |place: &FileLevels| {
        let FileLevels { iteration, case, configuration, run, .. } = place.clone();
        (iteration, case, configuration, run)
    };
    let graded: BTreeSet<_> = gradings.map(|grading| levels(&grading.place)).collect();
    let is_graded = |place: &FileLevels| {
        let (iteration, case, configuration, run) = levels(place);
        graded.contains(&(iteration.clone(), case.clone(), configuration.clone(), run))
            || graded.contains(&(iteration.clone(), case.clone(), configuration, None))
            || graded.contains(&(iteration.clone(), case, None, None))
            || graded.contains(&(iteration, None, None, None))
    };
    let is_lost = |output: &&FoundOutput| {
        let path = &output.file.path;
        let below = names::below(names::folder(path), &output.place.folder);
        let is_right_below = below.is_some_and(|folder| !folder.contains('/'));
        !output.place.in_outputs
            && kinds::kind_of_path(path) == Some(Kind::Grading)
            && (is_right_below || !is_graded(&output.place))
    };
    let problem = |output: &FoundOutput| {
        let message = "a grading lies in a folder of its run, not beside what the run left";
        Problem::new(Code::LostVerdicts, &output.file.path, message)
            .assuming("shown as an output; its verdicts are not counted")
            .help("move it into the run's folder, or into a run of its own")
    };
    section.outputs.iter().filter(is_lost).map(problem).collect()
}
