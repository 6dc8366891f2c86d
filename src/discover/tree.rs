//! The folders of a workspace with their direct contents.
//!
//! A folder *holds* runs when it has a run's marks: a grading, timing, metrics or transcript, a
//! folder of outputs, folders named like runs, or files with a run's name before the kind
//! (`eval-3-grading.json`; `eval-3` is the *stem*).

use std::collections::{BTreeMap, BTreeSet};

use crate::discover::kinds::{self, Kind};
use crate::discover::names;
use crate::files::{Entry, EntryKind};
use crate::text::{is_listed, natural_order};

/// Folders next to cases that hold their material, never runs.
const MATERIAL: &str = "fixture fixtures input inputs files assets references scripts \
    ground-truth ground_truth";

#[derive(Debug, Default)]
pub(super) struct TreeFolder {
    pub folders: Vec<String>,
    /// Stems of its gradings and timings.
    pub stems: BTreeSet<String>,
    /// A grading or timing without a stem, or a folder of outputs.
    pub strong: bool,
    pub graded: bool,
    /// A timing without a stem, of one run.
    pub timed: bool,
    pub weak: bool,
    /// A file other than a grading whose name begins or ends with a number.
    pub numbered: bool,
    pub has_runs: bool,
    pub metadata: bool,
    pub skill: bool,
    /// A grading, timing, transcript or metrics without a stem.
    pub own: bool,
    /// Stems before the kind, `pdf` in `pdf-grading.json`.
    pub leading: BTreeSet<String>,
    /// Whether it contains, at any depth, a file that a run may have left.
    pub has_files: bool,
    /// Whether it repeats something: its folders named like runs below a configuration have
    /// different numbers, and one of them holds a run.
    pub repeats: bool,
    pub holds_below: bool,
    /// Whether a folder anywhere below has a grading without a stem.
    pub graded_below: bool,
    /// Whether a folder anywhere below is named like an iteration.
    pub iterations_below: bool,
}

impl TreeFolder {
    pub(super) fn holds(&self) -> bool {
        self.strong || self.weak || self.has_runs || !self.stems.is_empty()
    }

    /// Whether its numbered gradings come from several graders of one run: next to them are the
    /// merged grading and the run's files, and nothing else has a number.
    pub(super) fn is_judged_often(&self) -> bool {
        let left = self.timed
            || self.weak
            || self.folders.iter().any(|folder| names::is_output_folder(folder));
        let numbered = self.numbered || self.folders.iter().any(|folder| is_numbered(folder));
        self.graded && left && !numbered && !self.has_runs
    }

    fn mark(&mut self, name: &str) {
        self.skill |= name == "SKILL.md";
        let named = kinds::recognize(name);
        let is_grading = named.as_ref().is_some_and(|named| named.kind == Kind::Grading);
        self.numbered |= !is_grading && is_numbered(names::split_extension(name).0);
        let Some(named) = named else {
            self.has_files |= !name.starts_with('.');
            return;
        };
        self.has_files |= named.kind.lies_in_runs() && !named.kind.says_what_to_do();
        let version = names::version_number(&named.stem).is_some();
        let stemmed = !named.stem.is_empty() && !version;
        match named.kind {
            Kind::Grading | Kind::Timing
                if stemmed && kinds::scored_stem(&named.stem).is_none() =>
            {
                if named.leads {
                    self.leading.insert(named.stem.clone());
                }
                self.stems.insert(named.stem);
            }
            Kind::Grading => (self.strong, self.graded) = (true, true),
            Kind::Timing if named.is_roll_up => {}
            Kind::Timing => (self.strong, self.timed) = (true, true),
            Kind::Transcript => self.weak = true,
            Kind::Metrics if !stemmed => self.weak = true,
            kind => self.metadata |= kind.says_what_to_do() && !stemmed,
        }
        // So far only files were seen, not folders.
        self.own = self.strong || self.weak;
    }

    /// Propagates the marks of its folder `name` to this one.
    fn gather(&mut self, name: &str, child: &Self) {
        self.strong |= names::is_output_folder(name);
        self.has_files |= child.has_files;
        let is_round = |name: &String| names::is_iteration(name);
        // Above its runs, a folder of outputs only encloses the iterations.
        let around = names::is_output_folder(name) && child.folders.iter().any(is_round);
        self.iterations_below |= names::is_iteration(name) || around;
        if can_hold(name) {
            self.has_runs |= names::run_number(name).is_some();
            self.holds_below |= child.holds() || child.holds_below;
            self.graded_below |= child.graded || child.graded_below;
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
                    folder.mark(names::file_name(&entry.path));
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

    /// The folders directly in `path` that can hold runs: not outputs, snapshots or material.
    pub(super) fn candidates<'a>(
        &'a self,
        path: &'a str,
    ) -> impl Iterator<Item = (&'a str, String)> {
        let folders = self.get(path).folders.iter().filter(|name| can_hold(name));
        folders.map(move |name| (name.as_str(), names::join(path, name)))
    }

    /// The candidates directly in `path` that do hold runs.
    pub(super) fn holders<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a str, String)> {
        self.candidates(path).filter(|(_, child)| self.get(child).holds())
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
            let (mut is_row, mut holds) = (true, false);
            for name in std::mem::take(&mut folder.folders) {
                let child = self.get(&names::join(&path, &name));
                folder.gather(&name, child);
                if let Some(number) = names::repeat_number(&name) {
                    is_row &= numbers.insert(number);
                    holds |= child.holds();
                }
                folder.folders.push(name);
            }
            folder.repeats = is_row && holds;
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

/// Whether a folder of this name can hold runs or lie above them.
pub(super) fn can_hold(name: &str) -> bool {
    let lower = name.to_lowercase();
    !names::is_output_folder(name)
        && !names::is_snapshot(name)
        && !kinds::is_trigger_loops(name)
        && !is_listed(MATERIAL, &lower)
}
