//! What is said of all files together: which iterations there are, how they are called and in which
//! order they come; and gradings that lie deeper in a run than one is read from.

use std::collections::BTreeSet;

use crate::discover::roles::{Role, Roles};
use crate::discover::{
    FoundIteration, FoundOutput, IterationKey, Kind, Place, Section, kinds, names,
};
use crate::model::{Code, Problem};
use crate::text::natural_order;

/// The iterations that are folders, and those that stand for runs outside any.
pub(super) fn list_iterations(roles: &Roles, section: &Section) -> Vec<FoundIteration> {
    let placed: BTreeSet<&IterationKey> = section.places().map(|place| &place.iteration).collect();
    let of_runs = section.places().filter(|place| place.is_in_run());
    let of_runs = of_runs.map(|place| place.iteration.clone());
    let folders = roles.iter().filter(|(_, role)| *role == Role::Iteration);
    let folders = folders.map(|(path, _)| IterationKey::Folder(path.to_owned()));
    let mut all: BTreeSet<IterationKey> = folders.chain(of_runs).collect();
    // In the scored dialect the copy begins a round; beside other rounds it is only a copy.
    if all.iter().any(|key| !is_version(key.path())) {
        all.retain(|key| !is_version(key.path()) || placed.contains(key));
    }
    let shared = shared_groups(&all);
    let mut found: Vec<FoundIteration> = all
        .into_iter()
        .map(|key| FoundIteration { name: name(&key, &shared, &section.name), key })
        .collect();
    sort(&mut found, |found| if found.key == IterationKey::default() { "" } else { &found.name });
    found
}

/// Sorts iterations by their names: in natural order, but `v2` before `iteration-1` in one folder,
/// as versions of a skill were there before the rounds that `init` makes. What lies outside all
/// iterations goes without a name here, and so comes first: the folder's own name says nothing of it.
pub fn sort<T>(found: &mut [T], name: impl Fn(&T) -> &str) {
    let has = |is_it: fn(&str) -> bool| found.iter().any(|found| is_it(name(found)));
    let has_both = has(is_version) && has(|name| names::is_iteration(names::file_name(name)));
    found.sort_by(|a, b| {
        let (a, b) = (name(a), name(b));
        let place = |path| (names::folder(path), !is_version(path));
        let ((in_a, rank_a), (in_b, rank_b)) = (place(a), place(b));
        let mixed = || natural_order(in_a, in_b).then(rank_a.cmp(&rank_b));
        has_both
            .then(mixed)
            .map_or_else(|| natural_order(a, b), |order| order.then(natural_order(a, b)))
    });
}

fn is_version(path: &str) -> bool {
    names::version_number(names::file_name(path)).is_some()
}

/// The groups that lie above every iteration, so that they tell nothing apart.
fn shared_groups(keys: &BTreeSet<IterationKey>) -> String {
    let mut above = keys.iter().map(|key| match key {
        IterationKey::Folder(path) => names::folder(path),
        IterationKey::Group(group) => group.as_str(),
    });
    let Some(first) = above.next() else { return String::new() };
    let mut shared: Vec<&str> = first.split('/').collect();
    for path in above {
        let same = shared.iter().zip(path.split('/')).take_while(|(a, b)| **a == *b).count();
        shared.truncate(same);
    }
    shared.join("/")
}

fn name(key: &IterationKey, shared: &str, root_name: &str) -> String {
    let path = key.path();
    match names::below(path, shared).unwrap_or(path) {
        "" => root_name.to_owned(),
        name => name.to_owned(),
    }
}

/// One problem per grading among the loose files of a run that may be meant for it.
pub(super) fn buried_gradings(section: &Section) -> Vec<Problem> {
    let gradings = section.documents.iter().filter(|document| document.kind == Kind::Grading);
    let levels = |place: &Place| (place.case.clone(), place.configuration.clone(), place.run);
    let graded: BTreeSet<_> =
        gradings.map(|found| (&found.place.iteration, levels(&found.place))).collect();
    let is_graded = |place: &Place| {
        let (case, configuration, run) = levels(place);
        let of_configuration = (case.clone(), configuration.clone(), None);
        let of_case = (case.clone(), None, None);
        [(case, configuration, run), of_configuration, of_case, (None, None, None)]
            .into_iter()
            .any(|levels| graded.contains(&(&place.iteration, levels)))
    };
    let is_lost = |output: &&FoundOutput| {
        let path = &output.file.path;
        let below = names::below(names::folder(path), &output.place.folder);
        let is_right_below = below.is_some_and(|folder| !folder.contains('/'));
        !output.place.in_outputs
            && kinds::of_path(path) == Some(Kind::Grading)
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
