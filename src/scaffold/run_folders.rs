//! The folders of runs in an iteration, `CASE/CONFIGURATION/run-N`, as a next one goes on from them.

use std::collections::BTreeMap;

use input::discover::names;
use input::files::{Entry, EntryKind};
use input::model::Case;

#[derive(Debug, Default)]
pub struct RunFolders {
    /// The highest number of a run by the folder of its case and configuration. It is 0 where a
    /// single run has no folder of its own.
    highest: BTreeMap<(String, String), u32>,
    /// The cases as they were read.
    pub cases: Vec<Case>,
}

impl RunFolders {
    /// From everything in the folder of an iteration.
    pub fn new(entries: &[Entry]) -> Self {
        let mut folders = Self::default();
        for Entry { path, kind, .. } in entries {
            let parts: Vec<&str> = path.split('/').collect();
            let [case, configuration, name] = parts[..] else { continue };
            let number = match kind {
                EntryKind::Folder if name == "outputs" => 0,
                EntryKind::Folder => match names::run_number(name) {
                    Some(number) => number,
                    None => continue,
                },
                EntryKind::File if name == "grading.json" => 0,
                _ => continue,
            };
            let highest =
                folders.highest.entry((case.to_owned(), configuration.to_owned())).or_default();
            // `run-1` and `run-3` are there where somebody removed a run: the next one is 4.
            *highest = number.max(*highest);
        }
        folders
    }

    /// The configurations in the order of their names.
    pub fn configurations(&self) -> Vec<String> {
        let mut configurations: Vec<String> =
            self.highest.keys().map(|(_, configuration)| configuration.clone()).collect();
        configurations.sort();
        configurations.dedup();
        configurations
    }

    pub fn most_runs(&self) -> usize {
        self.highest.values().max().map_or(0, |highest| *highest as usize)
    }

    /// The folders of `count` more runs of each case and configuration that has numbered ones.
    pub fn next_runs(&self, count: usize) -> Vec<String> {
        let mut paths = Vec::new();
        for ((case, configuration), highest) in &self.highest {
            // A run without a folder of its own would be mixed with the new ones.
            if *highest > 0 {
                for number in (*highest as usize + 1)..=(*highest as usize + count) {
                    paths.push(format!("{case}/{configuration}/run-{number}"));
                }
            }
        }
        paths
    }
}
