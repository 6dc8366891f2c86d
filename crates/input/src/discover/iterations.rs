//! Facts about all files together: the iterations, their names and their order; and gradings too
//! deep in a run to be read.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::discover::roles::{FolderRole, FolderRoles};
use crate::discover::{
    FileLevels, FoundIteration, FoundOutput, IterationKey, Kind, Section, kinds,
};
use crate::model::{Code, Problem};
use crate::names;
use text::natural_order;

/// The iterations that are folders, and those for runs outside any.
pub(super) fn list_iterations(roles: &FolderRoles, section: &Section) -> Vec<FoundIteration> {
    let placed: BTreeSet<&IterationKey> = section.places().map(|place| &place.iteration).collect();
    let mut keys: BTreeSet<IterationKey> = BTreeSet::new();
    for (path, role) in roles.iter() {
        if role == FolderRole::Iteration {
            keys.insert(IterationKey::Folder(path.to_owned()));
        }
    }
    for place in section.places().filter(|place| place.is_in_run()) {
        keys.insert(place.iteration.clone());
    }
    // In the scored dialect the copy begins a round; next to other rounds it is only a copy.
    if keys.iter().any(|key| !is_version(key.path())) {
        keys.retain(|key| !is_version(key.path()) || placed.contains(key));
    }
    named(keys, &section.name)
}

/// Lists the iterations of `section` again, where files were found to belong to others.
pub fn list_again(section: &mut Section) {
    let mut keys: BTreeSet<IterationKey> = section
        .places()
        .filter(|place| place.is_in_run())
        .map(|place| place.iteration.clone())
        .collect();
    let known = section.iterations.drain(..).map(|found| found.key);
    let placed: BTreeSet<IterationKey> =
        section.documents.iter().map(|document| document.place.iteration.clone()).collect();
    keys.extend(known.filter(|key| !key.is_group() && placed.contains(key)));
    section.iterations = named(keys, &section.name);
}

/// Iterations by their folders, without the groups that all share; in order.
fn named(keys: BTreeSet<IterationKey>, workspace: &str) -> Vec<FoundIteration> {
    let shared = shared_groups(&keys);
    let mut iterations: Vec<FoundIteration> = Vec::with_capacity(keys.len());
    for key in keys {
        let name = names::below(key.path(), &shared).unwrap_or(key.path());
        let name = if name.is_empty() { workspace } else { name }.to_owned();
        iterations.push(FoundIteration { key, name });
    }
    sort(&mut iterations, |iteration| {
        if iteration.key == IterationKey::default() { "" } else { &iteration.name }
    });
    iterations
}

/// The groups above every iteration, which tell none of them apart.
fn shared_groups(keys: &BTreeSet<IterationKey>) -> String {
    let mut shared: Option<Vec<&str>> = None;
    for key in keys {
        let above = match key {
            IterationKey::Folder(path) => names::folder(path),
            IterationKey::Group(group) => group,
        };
        let parts = above.split('/');
        match &mut shared {
            None => shared = Some(parts.collect()),
            Some(shared) => {
                let same = shared.iter().zip(parts).take_while(|(a, b)| *a == b).count();
                shared.truncate(same);
            }
        }
    }
    shared.unwrap_or_default().join("/")
}

/// Sorts iterations by their names in [`order`]. An iteration outside all folders has no name here, so
/// it comes first: the workspace's name does not count.
pub fn sort<T>(items: &mut [T], name: impl Fn(&T) -> &str) {
    items.sort_by(|a, b| order(name(a), name(b)));
}

/// The order of two iterations by their names. In one folder the number counts, whatever the spelling:
/// `iteration1`, `Iteration 2`, `round-3`. But `v2` precedes `iteration-1`, as versions of a skill exist
/// before the rounds that `init` makes.
pub fn order(a: &str, b: &str) -> Ordering {
    if a.is_empty() || b.is_empty() {
        return a.cmp(b);
    }
    let [folder, other] = [a, b].map(names::folder);
    if folder != other {
        // Among folders a folder of rounds has the place of its rounds: `archive/iteration-1` precedes
        // `iteration-1`.
        let [a, b] = [folder, other].map(|folder| names::join(folder, "iteration"));
        return natural_order(&a, &b);
    }
    // 83 folders of 5 public repositories have more than a number: `iteration-3b`, `iteration-7-rerun`.
    let [name, other] = [a, b].map(names::file_name);
    let [place, other_place] = [name, other].map(|name| names::round_place(name).unwrap_or(name));
    kind(name)
        .cmp(&kind(other))
        .then_with(|| natural_order(place, other_place))
        .then_with(|| natural_order(name, other))
}

/// Kinds of names in the order in which they come in one folder.
fn kind(name: &str) -> u8 {
    if names::version_number(name).is_some() {
        1
    } else if names::round_place(name).is_some() {
        2
    } else if natural_order(name, "iteration").is_lt() {
        0
    } else {
        // Also `iteration-main`, which is there to be compared with.
        3
    }
}

fn is_version(path: &str) -> bool {
    names::version_number(names::file_name(path)).is_some()
}

/// One problem per grading among the other files of a run that may be meant for it.
pub(super) fn buried_gradings(section: &Section) -> Vec<Problem> {
    let mut graded: BTreeSet<RunLevels<'_>> = BTreeSet::new();
    for document in section.documents.iter().filter(|document| document.kind == Kind::Grading) {
        graded.insert(RunLevels::new(&document.place));
    }
    let mut problems = Vec::new();
    for FoundOutput { file, place } in &section.outputs {
        if place.in_outputs || kinds::kind_of_path(&file.path) != Some(Kind::Grading) {
            continue;
        }
        let below = names::below(names::folder(&file.path), &place.folder);
        // Deeper in a graded run it belongs to what the run made, such as a skill's own tests.
        let is_right_below = below.is_some_and(|folder| !folder.contains('/'));
        if is_right_below || !RunLevels::new(place).is_graded_in(&graded) {
            let message = "a grading lies in a folder of its run, not beside what the run left";
            problems.push(
                Problem::new(Code::LostVerdicts, &file.path, message)
                    .assuming("shown as an output; its verdicts are not counted")
                    .help("move it into the run's folder, or into a run of its own"),
            );
        }
    }
    problems
}

/// The levels of a run, or of what a grading above its folder is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RunLevels<'a> {
    iteration: &'a IterationKey,
    case: Option<&'a str>,
    configuration: Option<&'a str>,
    run: Option<u32>,
}

impl<'a> RunLevels<'a> {
    fn new(place: &'a FileLevels) -> Self {
        Self {
            iteration: &place.iteration,
            case: place.case.as_deref(),
            configuration: place.configuration.as_deref(),
            run: place.run,
        }
    }

    /// Whether a grading lies in the run's own folder or in one above it.
    fn is_graded_in(self, graded: &BTreeSet<Self>) -> bool {
        let of_configuration = Self { run: None, ..self };
        let of_case = Self { configuration: None, ..of_configuration };
        let of_iteration = Self { case: None, ..of_case };
        [self, of_configuration, of_case, of_iteration].iter().any(|levels| graded.contains(levels))
    }
}
