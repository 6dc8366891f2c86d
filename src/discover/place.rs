//! Where a file belongs: iteration, case, configuration and run, by the roles of the folders above
//! it and by its own name.
//!
//! Groups above every level serve as an iteration if there is none. Groups below the iteration tell
//! configurations apart: `iteration-1/opus/pdf` and `iteration-1/sonnet/pdf` are one case under two
//! conditions.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::kinds::{self, Kind, NamedKind};
use crate::discover::names;
use crate::discover::roles::{FolderRole, FolderRoles};
use crate::discover::tree::Tree;
use crate::model::Iteration;
use crate::text::folded_name;

/// The levels a file belongs to. Names are those of the folders.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileLevels {
    /// The iteration's folder, or the group used in its place.
    pub iteration: IterationKey,
    pub case: Option<String>,
    pub configuration: Option<String>,
    /// The groups between iteration and case, if they tell runs apart. They are part of
    /// `configuration`; if that has no other part, a document may name it.
    pub group: Option<String>,
    pub run: Option<u32>,
    pub in_outputs: bool,
    /// Path of the run's folder, or of the deepest level known.
    pub folder: String,
    /// The part of the file's name that names a level; empty if there is none.
    pub stem: String,
}

impl FileLevels {
    /// Whether the file can belong to one run: its case, configuration or run is known.
    pub fn is_in_run(&self) -> bool {
        self.case.is_some() || self.configuration.is_some() || self.run.is_some()
    }

    /// The name of the file at `path` below its run's folder, or below that of the run's outputs.
    pub fn output_name<'p>(&self, path: &'p str, is_document: bool) -> &'p str {
        let below = names::below(path, &self.folder).unwrap_or(path);
        let (first, rest) = below.split_once('/').unwrap_or_default();
        let is_inside = (is_document || self.in_outputs) && names::is_output_folder(first);
        if is_inside { rest } else { below }
    }
}

/// Which iteration: by folder, or by group if there is no such folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IterationKey {
    /// The folder of an iteration, relative to the workspace.
    Folder(String),
    /// Runs outside any iteration, by the groups above them.
    Group(String),
}

impl IterationKey {
    pub fn path(&self) -> &str {
        match self {
            Self::Folder(path) | Self::Group(path) => path,
        }
    }

    pub fn is_group(&self) -> bool {
        matches!(self, Self::Group(_))
    }

    /// Whether this is the key of `iteration`.
    pub fn is_of(&self, iteration: &Iteration) -> bool {
        iteration.path == self.path() && iteration.implicit == self.is_group()
    }
}

impl Default for IterationKey {
    fn default() -> Self {
        Self::Group(String::new())
    }
}

pub(super) struct FolderLookup<'a> {
    pub(super) tree: &'a Tree,
    pub(super) roles: &'a FolderRoles,
    /// The groups that tell runs apart.
    pub(super) groups: &'a BTreeSet<String>,
    pub(super) root_name: &'a str,
}

impl FolderLookup<'_> {
    /// Where the file at `path` belongs.
    pub(super) fn place(&self, path: &str) -> FileLevels {
        let folder = names::folder(path);
        let mut place = FileLevels::default();
        self.apply_role(&mut place, self.root_name, "");
        for above in names::folders_above(folder).filter(|above| !above.is_empty()) {
            self.apply_role(&mut place, names::file_name(above), above);
        }
        if !place.in_outputs {
            self.apply_name(&mut place, path);
        }
        self.apply_groups(&mut place, folder);
        place
    }

    fn apply_role(&self, place: &mut FileLevels, name: &str, path: &str) {
        let role = self.roles.get(path);
        let has_runs = self.tree.get(path).has_runs;
        match role {
            FolderRole::Iteration => place.iteration = IterationKey::Folder(path.to_owned()),
            FolderRole::Case => {
                // Its name may include the configuration: `eval-2-claims-with-skill`.
                let is_named = place.configuration.is_some() || self.roles.is_configured(path);
                match names::split_both(name).filter(|_| !is_named) {
                    Some((case, configuration, run)) => {
                        place.case = Some(case.to_owned());
                        place.configuration = Some(folded_name(configuration));
                        place.run = run.filter(|_| !has_runs);
                    }
                    None => place.case = Some(name.to_owned()),
                }
            }
            FolderRole::Configuration => {
                // Its name may end in the run: `with_skill-run-2`.
                let tail = names::split_run_tail(name).filter(|_| !has_runs && place.run.is_none());
                let (name, run) = tail.map_or((name, place.run), |(name, run)| (name, Some(run)));
                place.configuration = Some(match &place.configuration {
                    Some(above) if above != name => format!("{above}/{name}"),
                    _ => name.to_owned(),
                });
                place.run = run;
            }
            FolderRole::Run => place.run = names::repeat_number(name),
            FolderRole::Outputs => return place.in_outputs = true,
            _ => return,
        }
        path.clone_into(&mut place.folder);
    }

    /// Groups above everything are the iteration if no folder is one; those below belong to the
    /// configuration if they tell anything apart, or are the run.
    fn apply_groups(&self, place: &mut FileLevels, folder: &str) {
        let around = around(folder, self.roles);
        if let IterationKey::Group(group) = &mut place.iteration {
            *group = around.above.join("/");
        }
        let Some(case) = around.case else { return };
        // One of them may be a pass over all cases: the run, unless known otherwise.
        let number = |name: &&str| names::run_number(name).filter(|_| place.run.is_none());
        let run = around.below.iter().rev().find_map(number);
        let telling = around.below.iter().filter(|name| self.groups.contains(**name));
        let conditions = telling.filter(|name| run.is_none() || number(name) != run).copied();
        let group = conditions.collect::<Vec<&str>>().join("/");
        place.run = place.run.or(run);
        if group.is_empty() {
            return;
        }
        match &mut place.configuration {
            Some(configuration) => *configuration = format!("{group}/{configuration}"),
            None if self.roles.is_configured(case) => {}
            None => place.configuration = Some(group.clone()),
        }
        place.group = Some(group);
    }

    /// Applies the case, configuration, run or version in the file's own name.
    fn apply_name(&self, place: &mut FileLevels, path: &str) {
        let (name, folder) = (names::file_name(path), names::folder(path));
        let (role, here) = (self.roles.get(folder), self.tree.get(folder));
        if let Some(NamedKind { kind: Kind::Grading, stem, .. }) = kinds::recognize(name)
            && let Some(run) = stem_run(&stem)
        {
            // Numbered gradings in the folder of a run may be those of several graders.
            let is_of_run =
                matches!(role, FolderRole::Case | FolderRole::Configuration | FolderRole::Run);
            if is_of_run && here.is_judged_often() {
                return;
            }
            place.run = place.run.or(Some(run));
        }
        if matches!(role, FolderRole::Group | FolderRole::Case | FolderRole::Apart)
            && let Some((case, version, run)) = kinds::scored(path)
        {
            place.iteration = IterationKey::Folder(format!("v{version}"));
            place.case = Some(case);
            place.run = run;
            return;
        }
        // The longest stem that the file's name begins or ends with.
        let file_stem = names::split_extension(name).0;
        let carries = |stem: &&String| {
            let after = file_stem.strip_prefix(stem.as_str());
            let before = file_stem.strip_suffix(stem.as_str());
            after.is_some_and(|rest| rest.is_empty() || rest.starts_with(names::JOINTS))
                || before.is_some_and(|rest| rest.is_empty() || rest.ends_with(names::JOINTS))
        };
        if let Some(stem) = here.stems.iter().filter(carries).max_by_key(|stem| stem.len()) {
            self.apply_stem(place, stem, folder);
        }
    }

    fn apply_stem(&self, place: &mut FileLevels, stem: &str, folder: &str) {
        stem.clone_into(&mut place.stem);
        let round = names::split_iteration(stem);
        let round = round.filter(|_| place.iteration == IterationKey::default());
        if let Some((_, round)) = &round {
            place.iteration = IterationKey::Folder((*round).to_owned());
        }
        let stem = round.as_ref().map_or(stem, |(rest, _)| rest.as_str());
        let both = names::split_both(stem);
        if let (Some((case, configuration, run)), None, None) =
            (both, &place.case, &place.configuration)
        {
            place.case = Some(case.to_owned());
            place.configuration = Some(folded_name(configuration));
            place.run = place.run.or(run);
        } else if names::is_configuration(stem) && place.configuration.is_none() {
            place.configuration = Some(stem.to_owned());
        } else if let Some(run) = stem_run(stem) {
            place.run = place.run.or(Some(run));
        } else if place.case.is_none() {
            place.case = Some(stem.to_owned());
        } else if place.configuration.is_none() {
            // In a case's folder the stem names a folder in it; without such a folder a model, or
            // one of several stems before the kind.
            let here = self.tree.get(folder);
            let is_one_of_several = here.leading.len() > 1 && here.leading.contains(stem);
            place.configuration = match self.roles.is_configured(folder) {
                true => here.folders.iter().find(|n| folded_name(n) == folded_name(stem)).cloned(),
                false => (is_one_of_several || names::is_model(stem)).then(|| stem.to_owned()),
            };
        }
    }
}

fn stem_run(stem: &str) -> Option<u32> {
    names::run_number(stem).or_else(|| stem.parse().ok())
}

#[derive(Debug, Default)]
struct FolderGroups<'a> {
    above: Vec<&'a str>,
    below: Vec<&'a str>,
    /// The path of the case it lies in, or is.
    case: Option<&'a str>,
    /// The rest of its path without the groups below.
    rest: String,
}

/// The names of groups that tell cases of the same name apart.
pub(super) fn telling_groups(tree: &Tree, roles: &FolderRoles) -> BTreeSet<String> {
    let mut first: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let mut telling = BTreeSet::new();
    for (path, _) in roles.iter().filter(|(_, role)| *role == FolderRole::Case) {
        let folder = tree.get(path);
        if folder.holds() || folder.runs_below {
            let around = around(path, roles);
            let groups: BTreeSet<&str> = around.below.into_iter().collect();
            let groups_of_case = first.entry(around.rest).or_insert_with(|| groups.clone());
            telling.extend(
                groups_of_case.symmetric_difference(&groups).map(|name| (*name).to_owned()),
            );
        }
    }
    telling
}

fn around<'a>(path: &'a str, roles: &FolderRoles) -> FolderGroups<'a> {
    let mut around = FolderGroups::default();
    let mut is_below = roles.get("") == FolderRole::Iteration;
    for folder in names::folders_above(path).filter(|folder| !folder.is_empty()) {
        let (role, name) = (roles.get(folder), names::file_name(folder));
        match role {
            FolderRole::Container => continue,
            FolderRole::Group if is_below && names::is_grader_folder(name) => continue,
            FolderRole::Group if is_below => {
                around.below.push(name);
                continue;
            }
            FolderRole::Group => around.above.push(name),
            FolderRole::Case => around.case = Some(folder),
            _ => {}
        }
        is_below |= role != FolderRole::Group;
        around.rest = names::join(&around.rest, name);
    }
    around
}
