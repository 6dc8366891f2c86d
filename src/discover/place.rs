//! Where a file belongs: iteration, case, configuration and run, from the roles of the folders
//! above it and from its own name.

use std::collections::BTreeSet;

use crate::discover::kinds::{self, Kind, Named};
use crate::discover::names;
use crate::discover::roles::{Role, Roles};
use crate::discover::tree::Tree;

/// The levels a file belongs to. Names are those of the folders.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The iteration's folder, or the group that stands for one.
    pub iteration: IterationKey,
    /// The case's folder or stem.
    pub case: Option<String>,
    /// The configuration.
    pub configuration: Option<String>,
    /// The run's number, where a folder or the file's name gives one.
    pub run: Option<u32>,
    /// Whether the file lies in a folder of outputs.
    pub in_outputs: bool,
    /// Path of the folder that stands for the run, or of the deepest level known.
    pub folder: String,
    /// The part of the file's name that stands for a level; empty when none does.
    pub stem: String,
}

impl Place {
    /// Whether the file can belong to one run: case or configuration or run is known.
    pub fn is_in_run(&self) -> bool {
        self.case.is_some() || self.configuration.is_some() || self.run.is_some()
    }
}

/// Which iteration: by folder, or gathered by group where there is no such folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IterationKey {
    /// The folder of an iteration, relative to the workspace.
    Folder(String),
    /// Runs outside any iteration, by the groups above them.
    Group(String),
}

impl Default for IterationKey {
    fn default() -> Self {
        Self::Group(String::new())
    }
}

/// Places the file at `path`.
pub(super) fn place(path: &str, tree: &Tree, roles: &Roles, root_name: &str) -> Place {
    let mut place = of_folders(names::folder(path), roles, root_name);
    let name = names::file_name(path);
    if !place.in_outputs {
        apply_name(&mut place, name, tree.get(names::folder(path)), roles.get(names::folder(path)));
    }
    place
}

fn of_folders(folder: &str, roles: &Roles, root_name: &str) -> Place {
    let mut place = Place::default();
    let mut groups: Vec<&str> = Vec::new();
    apply_role(&mut place, roles.get(""), root_name, "");
    let mut path = String::new();
    for name in folder.split('/').filter(|name| !name.is_empty()) {
        path = names::join(&path, name);
        let role = roles.get(&path);
        if role == Role::Group {
            groups.push(name);
        }
        apply_role(&mut place, role, name, &path);
    }
    if let IterationKey::Group(group) = &mut place.iteration {
        *group = groups.join("/");
    }
    place
}

fn apply_role(place: &mut Place, role: Role, name: &str, path: &str) {
    match role {
        Role::Iteration => place.iteration = IterationKey::Folder(path.to_owned()),
        Role::Case => (place.case, place.configuration) = case_of(name, place),
        Role::Configuration => place.configuration = Some(narrowed(&place.configuration, name)),
        Role::Run => place.run = names::run_number(name),
        Role::Outputs => place.in_outputs = true,
        _ => return,
    }
    if role != Role::Outputs {
        path.clone_into(&mut place.folder);
    }
}

/// A case folder's name may end in the configuration: `eval-2-claims-with-skill`.
fn case_of(name: &str, place: &Place) -> (Option<String>, Option<String>) {
    match names::split_configuration_suffix(name) {
        Some((case, configuration)) if place.configuration.is_none() => {
            (Some(case.to_owned()), Some(names::fold(configuration)))
        }
        _ => (Some(name.to_owned()), place.configuration.clone()),
    }
}

fn narrowed(above: &Option<String>, name: &str) -> String {
    match above {
        Some(above) if above != name => format!("{above}/{name}"),
        _ => name.to_owned(),
    }
}

/// Applies what the file's own name says of case, configuration, run or version.
fn apply_name(place: &mut Place, name: &str, folder: &crate::discover::tree::Folder, role: Role) {
    if let Some(Named { kind: Kind::Grading, stem }) = kinds::of(name)
        && let Some(run) = stem_run(&stem)
    {
        place.run = place.run.or(Some(run));
    }
    let file_stem = names::split_extension(name).0;
    if (role == Role::Group || role == Role::Case || role == Role::Apart)
        && let Some((case, version, run)) = kinds::scored_stem(file_stem)
    {
        place.iteration = IterationKey::Folder(format!("v{version}"));
        place.case = Some(case.to_owned());
        place.run = Some(run);
        return;
    }
    if let Some(stem) = longest_stem(file_stem, &folder.stems) {
        apply_stem(place, stem);
    }
}

fn stem_run(stem: &str) -> Option<u32> {
    names::run_number(stem).or_else(|| stem.parse().ok())
}

fn apply_stem(place: &mut Place, stem: &str) {
    stem.clone_into(&mut place.stem);
    if names::is_configuration(stem) && place.configuration.is_none() {
        place.configuration = Some(stem.to_owned());
    } else if let Some(run) = stem_run(stem) {
        place.run = place.run.or(Some(run));
    } else if place.case.is_none() {
        place.case = Some(stem.to_owned());
    }
}

/// The longest stem that the file's name begins or ends with.
fn longest_stem<'a>(file_stem: &str, stems: &'a BTreeSet<String>) -> Option<&'a str> {
    let joined = |rest: &str, at_start: bool| {
        let joint: &[char] = &['-', '_', '.', ' '];
        rest.is_empty() || if at_start { rest.starts_with(joint) } else { rest.ends_with(joint) }
    };
    let carries = |stem: &&String| {
        let after = file_stem.strip_prefix(stem.as_str()).is_some_and(|rest| joined(rest, true));
        let before = file_stem.strip_suffix(stem.as_str()).is_some_and(|rest| joined(rest, false));
        after || before
    };
    stems.iter().filter(carries).max_by_key(|stem| stem.len()).map(String::as_str)
}
