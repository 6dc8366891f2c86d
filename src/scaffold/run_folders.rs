//! The folders of runs in an iteration, `CASE/CONFIGURATION/run-N`, as a next one goes on from them.

use std::collections::BTreeMap;

use input::files::{Entry, EntryKind};
use input::model::Case;
use input::names;
use workspace::measured::{MEASURED_FILE, REUSED_FILE};

#[derive(Debug, Default)]
pub struct RunFolders {
    /// The highest number of a run by the folder of its case and configuration. It is 0 where a
    /// single run has no folder of its own.
    highest: BTreeMap<(String, String), u32>,
    /// The name of a folder of a run, whose spelling the next ones have.
    run_name: Option<String>,
    /// Whether there is any file.
    pub has_files: bool,
    /// The cases as they were read.
    pub cases: Vec<Case>,
}

impl RunFolders {
    /// From everything in the folder of an iteration.
    pub fn new(entries: &[Entry]) -> Self {
        let mut folders = Self::default();
        for Entry { path, kind, .. } in entries {
            folders.has_files |= *kind == EntryKind::File;
            let parts: Vec<&str> = path.split('/').collect();
            let [case, configuration, name] = parts[..] else { continue };
            let number = match kind {
                EntryKind::Folder if name == "outputs" => 0,
                EntryKind::Folder => match names::run_number(name) {
                    Some(number) => {
                        folders.run_name.get_or_insert_with(|| name.to_owned());
                        number
                    }
                    None => continue,
                },
                EntryKind::File if matches!(name, "grading.json" | REUSED_FILE | MEASURED_FILE) => {
                    0
                }
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

    /// The folder of a run below its case and configuration, in the spelling of those that are there. A
    /// single run has none where none has one.
    pub fn run_folder(&self, number: usize, runs: usize) -> String {
        if runs == 1 && !self.highest.is_empty() && self.run_name.is_none() {
            return String::new();
        }
        renumbered(self.run_name.as_deref().unwrap_or("run-1"), number as u64)
    }

    /// The folders of `count` more runs of each case and configuration that has numbered ones.
    pub fn next_runs(&self, count: usize) -> Vec<String> {
        let mut paths = Vec::new();
        for ((case, configuration), highest) in &self.highest {
            // A run without a folder of its own would be mixed with the new ones.
            if *highest > 0 {
                for number in (*highest as usize + 1)..=(*highest as usize + count) {
                    let run = self.run_folder(number, count);
                    paths.push(format!("{case}/{configuration}/{run}"));
                }
            }
        }
        paths
    }
}

/// `name` with another number in the same spelling: `Iter_07` and 12 give `Iter_12`.
pub fn renumbered(name: &str, number: u64) -> String {
    let numbered = name.trim_start_matches(|c: char| !c.is_ascii_digit());
    let words = &name[..name.len() - numbered.len()];
    let width = numbered.bytes().take_while(u8::is_ascii_digit).count();
    format!("{words}{number:0width$}")
}
