//! Which folders are cases, the level that decides all others.
//!
//! Each folder on the way from an iteration down to a run gets a [`Hint`] from its name and from
//! what repeats beside it. The case is then found by position:
//!
//! | folders | case |
//! |---|---|
//! | `pdf/with_skill/run-1`, `pdf/run-1/with_skill` | the one before the first configuration or run |
//! | `with_skill/pdf`, `run-2/pdf/with_skill` | the first one that is neither |
//! | `suite/eval-3`, `eval-3/slow/with_skill` | the last one with a case's name or metadata |
//! | `suite/pdf/with_skill` | without such a name, the deepest |
//! | `pdf/alpha` and `csv/alpha` | the upper one: names that repeat below neighbors are configurations |

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::tree::{Tree, TreeFolder};
use crate::names;

/// Up to this many different configurations in the only case of an iteration are plausible.
const CONFIGURATIONS_OF_ONE_CASE: usize = 2;

/// What a folder above or at a run could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    Run,
    Configuration,
    /// A configuration if it holds cases, else a case: `eval-2-with-skill`.
    ConfigurationOfCases,
    /// The same, a model: `claude-opus-5`.
    Model,
    Case,
    Unknown,
}

impl Hint {
    fn may_be_case(self) -> bool {
        matches!(self, Self::Case | Self::Unknown)
    }

    pub(super) fn is_configuration(self) -> bool {
        matches!(self, Self::Configuration | Self::ConfigurationOfCases | Self::Model)
    }
}

/// The hint of the folder `name`, if nothing repeats.
pub(super) fn hint_of(name: &str, folder: &TreeFolder, in_iteration: bool) -> Hint {
    // A run or configuration may have a copy of the metadata, so their names count first.
    let is_case = names::is_case(name) || folder.describes_case();
    if names::run_number(name).is_some() {
        Hint::Run
    } else if names::is_configuration(name) && names::split_case_and_side(name).is_none() {
        Hint::Configuration
    } else if names::is_configuration(name) {
        Hint::ConfigurationOfCases
    } else if is_known_model(name) {
        Hint::Model
    } else if is_case {
        Hint::Case
    } else if in_iteration && holds_files_of_cases(folder) {
        Hint::Configuration
    } else {
        Hint::Unknown
    }
}

/// Whether its files are named like cases: `with_hints/eval-1-grading.json` and `eval-2-grading.json`.
fn holds_files_of_cases(folder: &TreeFolder) -> bool {
    folder.stems.iter().filter(|stem| names::is_case(stem)).count() > 1
}

/// Whether a folder is a model or a harness by its name alone.
fn is_known_model(name: &str) -> bool {
    names::is_model(name) || names::is_harness(name)
}

/// The folders that decide the role of all others.
#[derive(Debug, Default)]
pub(super) struct FoundCases {
    /// The paths of all folders that could be a case by the runs in them. Where one lies in another,
    /// the upper one is the case.
    pub cases: BTreeSet<String>,
    /// The paths of models that no name is known for.
    pub models: BTreeSet<String>,
}

pub(super) fn find_cases(tree: &Tree, root_is_iteration: bool) -> FoundCases {
    let mut search = CaseSearch { tree, levels: Vec::new(), found: FoundCases::default() };
    search.enter("", root_is_iteration, false);
    search.found
}

/// The folders in `path` that are models because one beside them is by its name and they hold the same
/// cases, sides or files: `gpt-5.6-sol` and `minimax-m3` next to `claude-opus-5`. A list of models is
/// always behind, and the one under which a skill hurts must not lose its name.
fn unknown_models(tree: &Tree, path: &str) -> BTreeSet<String> {
    let mut below_models: BTreeSet<&str> = BTreeSet::new();
    for (name, child) in tree.candidates(path) {
        if is_known_model(name) {
            below_models.extend(tree.levels_in(&child));
        }
    }
    let mut models = BTreeSet::new();
    for (name, child) in tree.candidates(path) {
        let below = tree.levels_in(&child);
        let same = below.iter().filter(|level| below_models.contains(*level)).count();
        let is_open = hint_of(name, tree.get(&child), true) == Hint::Unknown;
        if same > 0 && same * 2 >= below.len() && is_open && !names::is_container(name) {
            models.insert(child);
        }
    }
    models
}

/// The folders in `parent` that are rounds and no cases: their sides hold the same cases, and no folder
/// beside them has these, as `rigidity/before/p1-dune` and `rigidity/after/p1-dune` do. Where several
/// folders have the same below their sides, that is models: `dune/with_skill/ash`.
fn rounds_of_sides<'a>(tree: &'a Tree, parent: &'a str) -> BTreeSet<&'a str> {
    let below: Vec<(&str, BTreeSet<&str>)> = tree
        .candidates(parent)
        .map(|(name, path)| (name, levels_below_sides(tree, &path)))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for level in below.iter().flat_map(|(_, levels)| levels) {
        *counts.entry(level).or_default() += 1;
    }
    let is_case = |level: &&str| {
        !is_known_model(level)
            && names::repeat_number(level).is_none()
            && !names::is_container(level)
            && counts[level] == 1
    };
    let rounds =
        below.into_iter().filter(|(_, levels)| levels.len() > 1 && levels.iter().all(is_case));
    rounds.map(|(name, _)| name).collect()
}

/// The levels below the sides in `path` that all of them hold; empty without two sides.
fn levels_below_sides<'a>(tree: &'a Tree, path: &str) -> BTreeSet<&'a str> {
    let mut shared: Option<BTreeSet<&str>> = None;
    let mut sides = 0;
    for (name, child) in tree.candidates(path) {
        if !names::is_configuration(name) || tree.get(&child).has_run_files() {
            return BTreeSet::new();
        }
        let below: BTreeSet<&str> = tree.levels_in(&child);
        sides += 1;
        shared = Some(match shared {
            None => below,
            Some(shared) => &shared & &below,
        });
    }
    if sides > 1 { shared.unwrap_or_default() } else { BTreeSet::new() }
}

struct CaseSearch<'a> {
    tree: &'a Tree,
    /// The folders from the iteration down to the current one, with their hints.
    levels: Vec<(String, Hint)>,
    found: FoundCases,
}

impl CaseSearch<'_> {
    fn enter(&mut self, path: &str, in_iteration: bool, are_configurations: bool) {
        let tree = self.tree;
        let holders_below = count_holders_below(tree, path);
        let rounds = rounds_of_sides(tree, path);
        self.found.models.append(&mut unknown_models(tree, path));
        for name in &tree.get(path).folders {
            let child = names::join(path, name);
            let folder = tree.get(&child);
            // A copy of the skill may contain example workspaces of its own.
            if names::is_snapshot(name) || !folder.holds_runs() && !folder.runs_below {
                continue;
            }
            let is_iteration = tree.is_iteration(path, name, in_iteration);
            if is_iteration || rounds.contains(name.as_str()) {
                let above = std::mem::take(&mut self.levels);
                self.enter(&child, in_iteration || is_iteration, false);
                self.levels = above;
                continue;
            }
            let is_level = !names::is_container(name) && !names::is_output_folder(name);
            let hint = if are_configurations { Hint::Configuration } else { Hint::Unknown };
            let hint = match hint_of(name, folder, in_iteration) {
                Hint::Unknown if self.found.models.contains(&child) => Hint::Model,
                Hint::Unknown => hint,
                known => known,
            };
            if is_level {
                self.levels.push((child.clone(), hint));
            }
            if folder.holds_runs() && !is_above_cases(tree, &child) {
                self.found.cases.extend(self.case_above(folder));
            }
            if !is_level {
                self.enter(&child, in_iteration, are_configurations);
                continue;
            }
            // Rounds of agentv are folders named by time that hold the same cases, not a case each.
            let may_group = hint == Hint::Unknown && !names::is_timestamp(name);
            let repeats = may_group && repeats(tree, &child, &holders_below, in_iteration);
            self.enter(&child, in_iteration, repeats);
            self.levels.pop();
        }
    }

    /// The case among the levels above a folder with runs; `None` if it is none of the folders.
    fn case_above(&self, holder: &TreeFolder) -> Option<String> {
        let mut hints: Vec<Hint> = self.levels.iter().map(|(_, hint)| *hint).collect();
        if holder.has_runs {
            hints.push(Hint::Run);
        }
        let case = position_of_case(&hints, !holder.stems.is_empty())?;
        // Beside a list of cases, `evals.json`, each grading has a topic: the folder is no case.
        if case + 1 == self.levels.len() && !holder.stems.is_empty() && holder.lists_cases() {
            return None;
        }
        Some(self.levels[case].0.clone())
    }
}

fn position_of_case(hints: &[Hint], has_stems: bool) -> Option<usize> {
    // Cases lie below their model or right above it: in `multi-model/opus/pdf` the case is `pdf`.
    let below_model = hints.iter().rposition(|hint| *hint == Hint::Model).map_or(0, |at| at + 1);
    let below = hints[below_model..].iter().position(|hint| hint.may_be_case());
    let first = below.map(|at| below_model + at);
    if let Some(first) = first.or_else(|| hints.iter().position(|hint| hint.may_be_case())) {
        let in_row = hints[first..].iter().take_while(|hint| hint.may_be_case()).count();
        let row = &hints[first..first + in_row];
        let named = row.iter().rposition(|hint| *hint == Hint::Case);
        return Some(first + named.unwrap_or(in_row - 1));
    }
    // All are named like configurations and runs, so the first one may be a case of such a name.
    let is_case = match hints {
        [Hint::ConfigurationOfCases | Hint::Model]
        | [Hint::ConfigurationOfCases | Hint::Model, Hint::Run, ..] => !has_stems,
        [first, second, ..] if first.is_configuration() => second.is_configuration(),
        [Hint::Run, Hint::Run, ..] | [Hint::Run, _, Hint::Run, ..] => true,
        _ => false,
    };
    if is_case { Some(0) } else { None }
}

/// Whether the runs seem to be in the cases below and what lies here belongs to all of them, as a
/// `timing.json` beside the cases.
fn is_above_cases(tree: &Tree, path: &str) -> bool {
    let mut cases = tree.candidates(path).filter(|(name, child)| {
        names::run_number(name).is_none() && tree.has_configurations(child)
    });
    cases.next().is_some() && !tree.has_configurations(path)
}

/// How many folders in `path` contain a folder of a name directly that holds runs.
fn count_holders_below<'a>(tree: &'a Tree, path: &'a str) -> BTreeMap<&'a str, usize> {
    let mut counts = BTreeMap::new();
    for (_, child) in tree.candidates(path) {
        for name in tree.holders_in(&child) {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

/// Whether at least half of the folders with runs in `path` have a namesake below a neighbor.
fn repeats(
    tree: &Tree,
    path: &str,
    holders_below: &BTreeMap<&str, usize>,
    in_iteration: bool,
) -> bool {
    let (mut holders, mut repeated) = (0, 0);
    for name in tree.holders_in(path) {
        let folder = tree.get(&names::join(path, name));
        if names::is_case(name) || folder.describes_case() {
            return false;
        }
        holders += 1;
        repeated += usize::from(holders_below.get(name).is_some_and(|count| *count > 1));
    }
    let is_one_case = in_iteration && holders <= CONFIGURATIONS_OF_ONE_CASE;
    holders > 0 && (repeated * 2 >= holders || is_one_case)
}
