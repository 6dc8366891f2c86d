//! Where a file belongs: iteration, case, configuration and run, by the roles of the folders above
//! it and by its own name.
//!
//! Groups above every level serve as an iteration if there is none. Groups below the iteration tell
//! configurations apart: `iteration-1/opus/pdf` and `iteration-1/sonnet/pdf` are one case under two
//! conditions.

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::kinds::{self, Kind, NamedKind};
use crate::discover::roles::{FolderRole, FolderRoles};
use crate::discover::tree::Tree;
use crate::model::Iteration;
use crate::names;
use text::folded_name;

/// The levels a file belongs to. Names are those of the folders.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileLevels {
    /// The iteration's folder, or the group used in its place.
    pub iteration: IterationKey,
    /// The case, by its folder or by the file's name; `None` above the cases.
    pub case: Option<String>,
    /// The configuration, nested ones with `/`: `opus/with_skill`. `None` if no name says it.
    pub configuration: Option<String>,
    /// The groups between iteration and case, if they tell runs apart. They are part of
    /// `configuration`; if that has no other part, a document may name it.
    pub group: Option<String>,
    /// The number of the run, as its folder or file has it; `None` if no name says it.
    pub run: Option<u32>,
    /// Whether it lies in a folder of outputs, such as `outputs`.
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
        if (is_document || self.in_outputs) && names::is_output_folder(first) {
            rest
        } else {
            below
        }
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
    /// The folder, or the groups with `/` between them; empty for the workspace itself.
    pub fn path(&self) -> &str {
        match self {
            Self::Folder(path) | Self::Group(path) => path,
        }
    }

    /// Whether the runs lie outside any folder of an iteration.
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
        // What an agent writes may be called anything, so names of outputs say nothing.
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
                let is_named = place.configuration.is_some() || self.roles.is_configured(path);
                match names::split_case_and_side(name) {
                    // Its name may include the configuration, as in Banking-Reliever:
                    // `eval-2-claims-processing-with-skill`.
                    Some((case, configuration, run)) if !is_named => {
                        place.case = Some(case.to_owned());
                        place.configuration = Some(folded_name(configuration));
                        place.run = run.filter(|_| !has_runs);
                    }
                    _ => place.case = Some(name.to_owned()),
                }
            }
            FolderRole::Configuration => {
                let mut name = name;
                // Its name may end in the run: `with_skill-run-2`.
                if let Some((head, run)) = names::split_run_tail(name)
                    && !has_runs
                    && place.run.is_none()
                {
                    (name, place.run) = (head, Some(run));
                }
                place.configuration = Some(match &place.configuration {
                    Some(above) if above == name => name.to_owned(),
                    // `with_skill/claude-opus-5`: sides are compared under one model, so it comes first.
                    Some(side) if is_side_above(side, name) => format!("{name}/{side}"),
                    Some(above) => format!("{above}/{name}"),
                    None => name.to_owned(),
                });
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
        let mut groups = around.below;
        if place.run.is_none() {
            // One of them may be a pass over all cases, as in `results/8/run-1/without_rule`.
            place.run = groups.iter().rev().find_map(|name| names::run_number(name));
            groups.retain(|name| place.run.is_none() || names::run_number(name) != place.run);
        }
        groups.retain(|name| self.groups.contains(*name));
        let group = groups.join("/");
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
        // The scored dialect keeps all gradings in one folder: `grading/case-01_v2_run1.json`.
        if matches!(role, FolderRole::Group | FolderRole::Case | FolderRole::Apart)
            && let Some((case, version, run)) = kinds::scored(path)
        {
            place.iteration = IterationKey::Folder(format!("v{version}"));
            place.case = Some(case);
            place.run = run;
            return;
        }
        if let Some((case, configuration, run)) = kinds::case_and_configuration(path)
            && !place.is_in_run()
        {
            place.run = run;
            place.case = Some(case.to_owned());
            place.configuration = Some(configuration.to_owned());
            return;
        }
        // The stem is the case in `with_skill/eval-6-grading.json`, and the side in `grading_with_skill.json`.
        let file_stem = names::split_extension(name).0;
        let stems = here.stems.iter().filter(|stem| begins_or_ends_with(file_stem, stem));
        if let Some(stem) = stems.max_by_key(|stem| stem.len()) {
            self.apply_stem(place, stem, folder);
        }
    }

    /// Whether the stem of a file is a side: `with_skill`, and `new-crew` only where all gradings beside
    /// it have such names, for `winter-grading.json` has a topic.
    fn is_configuration_stem(&self, stem: &str, folder: &str) -> bool {
        let leading = &self.tree.get(folder).leading;
        let are_topics =
            leading.contains(stem) && leading.iter().any(|other| !names::is_configuration(other));
        names::is_configuration(stem) && (names::is_plainly_configuration(stem) || !are_topics)
    }

    fn apply_stem(&self, place: &mut FileLevels, stem: &str, folder: &str) {
        stem.clone_into(&mut place.stem);
        let mut stem = stem.to_owned();
        if place.iteration == IterationKey::default()
            && let Some((rest, iteration)) = names::split_iteration(&stem)
        {
            place.iteration = IterationKey::Folder(iteration.to_owned());
            stem = rest;
        }
        let stem = stem.as_str();
        let both = names::split_case_and_side(stem);
        if let (Some((case, configuration, run)), None, None) =
            (both, &place.case, &place.configuration)
        {
            place.case = Some(case.to_owned());
            place.configuration = Some(folded_name(configuration));
            place.run = place.run.or(run);
        } else if place.configuration.is_none() && self.is_configuration_stem(stem, folder) {
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
            if self.roles.is_configured(folder) {
                let mut folders = here.folders.iter();
                place.configuration =
                    folders.find(|name| folded_name(name) == folded_name(stem)).cloned();
            } else if is_one_of_several || names::is_model(stem) {
                place.configuration = Some(stem.to_owned());
            }
        }
    }
}

/// Whether `side` is one of those that are compared, and `name` below it is what both share.
fn is_side_above(side: &str, name: &str) -> bool {
    let is_numbered = names::repeat_number(name).is_some();
    names::is_configuration(side) && !names::is_configuration(name) && !is_numbered
}

/// Whether a file's name has `stem` at one of its ends, as words of their own.
fn begins_or_ends_with(file_stem: &str, stem: &str) -> bool {
    let after = file_stem.strip_prefix(stem);
    let before = file_stem.strip_suffix(stem);
    after.is_some_and(|rest| rest.is_empty() || rest.starts_with(names::SEPARATORS))
        || before.is_some_and(|rest| rest.is_empty() || rest.ends_with(names::SEPARATORS))
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
        if folder.holds_runs() || folder.runs_below {
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
