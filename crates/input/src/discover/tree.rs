//! The folders of a workspace with their direct contents.
//!
//! A folder *holds* runs when it has a run's marks: a grading, timing, metrics or transcript, a
//! folder of outputs, folders named like runs, or files with a run's name before the kind
//! (`eval-3-grading.json`; `eval-3` is the *stem*).

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::kinds::{self, Kind};
use crate::files::{Entry, EntryKind};
use crate::names;
use text::natural_order;

#[derive(Debug, Default)]
pub(super) struct TreeFolder {
    pub folders: Vec<String>,
    /// The kinds of its documents without a stem.
    kinds: BTreeSet<Kind>,
    /// Stems of its gradings and timings.
    pub stems: BTreeSet<String>,
    /// Stems before the kind, `pdf` in `pdf-grading.json`.
    pub leading: BTreeSet<String>,
    has_outputs: bool,
    /// Whether folders in it are named like runs.
    pub has_runs: bool,
    /// A file other than a grading whose name begins or ends with a number.
    has_numbered_files: bool,
    pub has_skill: bool,
    /// Whether it contains, at any depth, a file that a run may have left.
    pub has_files: bool,
    /// Whether its folders named like runs below a configuration have different numbers, and one
    /// of them holds a run.
    pub has_numbered_runs: bool,
    /// Whether a folder anywhere below holds runs.
    pub runs_below: bool,
    /// Whether a folder anywhere below has a grading without a stem.
    pub graded_below: bool,
    /// Whether a folder anywhere below is named like an iteration.
    pub iterations_below: bool,
}

impl TreeFolder {
    /// Whether runs lie directly in it, in any of the ways above.
    pub(super) fn holds_runs(&self) -> bool {
        self.has_run_files() || self.has_outputs || self.has_runs || !self.stems.is_empty()
    }

    /// Whether a grading, timing, transcript or metrics without a stem lies in it.
    pub(super) fn has_run_files(&self) -> bool {
        self.kinds.iter().any(|kind| kind.marks_run())
    }

    pub(super) fn is_graded(&self) -> bool {
        self.kinds.contains(&Kind::Grading)
    }

    /// Whether it has more of a run than a transcript or metrics.
    pub(super) fn is_measured(&self) -> bool {
        self.is_graded() || self.kinds.contains(&Kind::Timing) || self.has_outputs
    }

    /// Whether a list of cases lies in it.
    pub(super) fn lists_cases(&self) -> bool {
        self.kinds.contains(&Kind::Evals)
    }

    /// Whether a file in it describes a case.
    pub(super) fn describes_case(&self) -> bool {
        self.kinds.iter().any(|kind| kind.says_what_to_do())
    }

    /// Whether its numbered gradings come from several graders of one run: next to them are the
    /// merged grading and the run's files, and nothing else has a number.
    pub(super) fn is_judged_often(&self) -> bool {
        let has_run_files =
            self.has_outputs || self.kinds.iter().any(|k| k.marks_run() && *k != Kind::Grading);
        let has_numbers =
            self.has_numbered_files || self.folders.iter().any(|folder| is_numbered(folder));
        self.is_graded() && has_run_files && !has_numbers && !self.has_runs
    }

    fn add_file(&mut self, name: &str) {
        self.has_skill |= name == "SKILL.md";
        let named = kinds::recognize(name);
        if named.as_ref().is_none_or(|named| named.kind != Kind::Grading) {
            self.has_numbered_files |= is_numbered(names::split_extension(name).0);
        }
        let Some(named) = named else {
            self.has_files |= !name.starts_with('.');
            return;
        };
        // What a run is planned on is there before it runs.
        self.has_files |= named.kind.lies_in_runs()
            && !named.kind.says_what_to_do()
            && named.kind != Kind::Measured;
        // `grading_v3.json` is a later version of the same grading.
        let has_stem = !named.stem.is_empty() && names::version_number(&named.stem).is_none();
        let is_scored = kinds::scored_stem(&named.stem).is_some();
        if matches!(named.kind, Kind::Grading | Kind::Timing) && has_stem && !is_scored {
            if named.is_before_kind {
                self.leading.insert(named.stem.clone());
            }
            self.stems.insert(named.stem);
            return;
        }
        // `timing_summary.json` lies above runs and makes no folder a run.
        let is_for_several = named.kind == Kind::Timing && named.is_roll_up;
        let keeps_kind_with_stem =
            matches!(named.kind, Kind::Grading | Kind::Timing | Kind::Transcript);
        if !is_for_several && (!has_stem || keeps_kind_with_stem) {
            self.kinds.insert(named.kind);
        }
    }

    /// Adds what its folder `name` contains to the marks of this one.
    fn add_folder(&mut self, name: &str, child: &Self) {
        let is_output_folder = names::is_output_folder(name);
        self.has_outputs |= is_output_folder;
        self.has_files |= child.has_files;
        // Above its runs, a folder of outputs only encloses the iterations.
        let encloses_iterations =
            is_output_folder && child.folders.iter().any(|name| names::is_iteration(name));
        self.iterations_below |= encloses_iterations || names::is_iteration(name);
        if names::can_hold_runs(name) {
            self.has_runs |= names::run_number(name).is_some();
            self.runs_below |= child.holds_runs() || child.runs_below;
            self.graded_below |= child.is_graded() || child.graded_below;
            self.iterations_below |= child.iterations_below;
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    folders: BTreeMap<String, TreeFolder>,
    /// Returned for missing folders.
    nothing: TreeFolder,
}

impl Tree {
    pub(super) fn new(entries: &[Entry]) -> Self {
        let mut tree = Self::default();
        tree.folders.insert(String::new(), TreeFolder::default());
        for entry in entries {
            match entry.kind {
                EntryKind::File => {
                    let folder = tree.folder_mut(names::folder(&entry.path));
                    folder.add_file(names::file_name(&entry.path));
                }
                EntryKind::Folder => _ = tree.folder_mut(&entry.path),
                _ => {}
            }
        }
        tree.finish();
        tree
    }

    /// The folder at `path`; an empty one if it does not exist.
    pub(super) fn get(&self, path: &str) -> &TreeFolder {
        self.folders.get(path).unwrap_or(&self.nothing)
    }

    /// The names and paths of folders directly in `path` that can hold runs: not outputs, copies
    /// of the skill or material.
    pub(super) fn candidates<'a>(
        &'a self,
        path: &'a str,
    ) -> impl Iterator<Item = (&'a str, String)> {
        let folders = self.get(path).folders.iter().filter(|name| names::can_hold_runs(name));
        folders.map(move |name| (name.as_str(), names::join(path, name)))
    }

    /// The names of the candidates directly in `path` that do hold runs.
    pub(super) fn holders_in<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a str> {
        let names = self.get(path).folders.iter().map(String::as_str);
        names.filter(move |name| {
            names::can_hold_runs(name) && self.get(&names::join(path, name)).holds_runs()
        })
    }

    /// The names of the levels directly in `path`: folders with runs, and stems of files of runs.
    pub(super) fn levels_in(&self, path: &str) -> BTreeSet<&str> {
        let here = self.get(path);
        let mut levels: BTreeSet<&str> = here.stems.iter().map(String::as_str).collect();
        levels.extend(here.folders.iter().map(String::as_str).filter(|name| {
            let folder = self.get(&names::join(path, name));
            names::can_hold_runs(name) && (folder.holds_runs() || folder.runs_below)
        }));
        levels
    }

    /// Whether the folder `name` in `parent` is an iteration.
    pub(super) fn is_iteration(&self, parent: &str, name: &str, in_iteration: bool) -> bool {
        if in_iteration {
            // A folder only named like one, as `iteration-planning`, is a case there.
            return names::iteration_number(name).is_some();
        }
        if names::is_iteration(name) {
            return true;
        }
        let folder = self.get(&names::join(parent, name));
        let has_runs = folder.holds_runs() || folder.runs_below;
        if names::version_number(name).is_some() {
            // The scored dialect copies the skill to `v2/skill` before there are runs.
            return has_runs || folder.folders.iter().any(|name| name == "skill");
        }
        // The advanced dialect puts rounds into `benchmarks/<time>`. Where only the benchmarks were kept,
        // each is of a round.
        let in_benchmarks = names::file_name(parent).eq_ignore_ascii_case("benchmarks");
        let is_alone = folder.kinds.contains(&Kind::Benchmark) && !self.get("").runs_below;
        has_runs && names::round_number(name).is_some()
            || (folder.runs_below && in_benchmarks || is_alone) && names::is_timestamp(name)
    }

    /// Whether some folder directly in `path` holds runs and is named like a configuration.
    pub(super) fn has_configurations(&self, path: &str) -> bool {
        self.candidates(path).any(|(name, child)| {
            names::is_configuration(name)
                && (self.get(&child).holds_runs() || self.get(&child).runs_below)
        })
    }

    /// The folder at `path`, which is created along with its parents.
    fn folder_mut(&mut self, path: &str) -> &mut TreeFolder {
        if !self.folders.contains_key(path) {
            let above = self.folder_mut(names::folder(path));
            above.folders.push(names::file_name(path).to_owned());
        }
        self.folders.entry(path.to_owned()).or_default()
    }

    /// Sorts the folders and propagates marks upwards, the deepest folders first.
    fn finish(&mut self) {
        let mut paths: Vec<String> = self.folders.keys().cloned().collect();
        paths.sort_by_key(|path| path.matches('/').count() + usize::from(!path.is_empty()));
        for path in paths.into_iter().rev() {
            let mut folder = self.folders.remove(&path).unwrap_or_default();
            folder.folders.sort_by(|a, b| natural_order(a, b));
            folder.folders.dedup();
            let mut numbers = BTreeSet::new();
            let (mut differ, mut holds) = (true, false);
            for name in std::mem::take(&mut folder.folders) {
                let child = self.get(&names::join(&path, &name));
                folder.add_folder(&name, child);
                if let Some(number) = names::repeat_number(&name) {
                    differ &= numbers.insert(number);
                    holds |= child.holds_runs();
                }
                folder.folders.push(name);
            }
            folder.has_numbered_runs = differ && holds;
            self.folders.insert(path, folder);
        }
    }
}

/// Whether a name begins or ends with a separate number: `output-1`, `2.transcript`.
fn is_numbered(name: &str) -> bool {
    let mut parts = name.split(['-', '_', '.', ' ']);
    let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
    is_number(parts.next()) || is_number(parts.next_back())
}
