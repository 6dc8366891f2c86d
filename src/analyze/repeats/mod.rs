//! What runs of the newest candidate make again and again, case by case: scripts, other equal files
//! and sequences of commands that the skill could bring along; and bundled files that no run
//! opened.
//!
//! Runs of one case may well produce the same files, so only different cases count. Files are alike
//! by the shingles of tokens that they share, estimated by MinHash; names play no part, except for
//! scripts known only from the records of runs.

mod fingerprint;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::analyze::repeats::fingerprint::{Fingerprint, fingerprints};
use crate::analyze::{Analysis, Side, Texts};
use crate::model::{BUNDLED_FOLDERS, Loading, Output, Run, Workspace};
use crate::text::is_listed;

/// Different groups of like files; a file is compared with the first of each.
const MAX_GROUPS: usize = 200;

/// Steps of a sequence; shorter ones say nothing.
const STEPS: RangeInclusive<usize> = 3..=12;

/// The most findings kept.
const MAX_FOUND: usize = 20;

/// A copy of a file, by the indices of case and run; without an output where only a record names
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileCopy {
    pub case: usize,
    pub run: usize,
    pub output: Option<Output>,
}

/// How copies are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "&'static str")]
pub enum Likeness {
    /// Byte by byte.
    Equal,
    /// In at least half of their shingles.
    Similar,
    /// In their names, which only the records of the runs have.
    #[default]
    Name,
    /// They are the same steps in a row.
    Sequence,
}

impl From<Likeness> for &'static str {
    fn from(likeness: Likeness) -> Self {
        match likeness {
            Likeness::Equal => "equal",
            Likeness::Similar => "similar",
            Likeness::Name => "name",
            Likeness::Sequence => "sequence",
        }
    }
}

/// One file, or sequence of steps, that runs of several cases made anew.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "RepeatJson")]
pub struct Repeat {
    /// The name that most copies have, or the steps.
    pub name: String,
    /// How the copies are alike: `equal`, `similar`, `name` where no copy was kept, or `sequence` for
    /// steps.
    #[schemars(with = "String")]
    pub likeness: Likeness,
    /// Whether the copies are blocks of code in longer texts.
    pub is_block: bool,
    /// Lines of the first copy; 0 where none was kept.
    pub lines: usize,
    /// Different cases with a copy.
    pub cases: usize,
    /// Different runs with a copy.
    pub runs: usize,
    /// Paths of the copies that were kept, relative to the workspace.
    #[serde(rename = "copies", skip_serializing_if = "Vec::is_empty")]
    pub paths: Vec<String>,
    /// Copies, in the order of cases and runs.
    #[serde(skip)]
    pub copies: Vec<FileCopy>,
}

/// Repeated work of the newest candidate, and the files of the skill that it never opened.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "RepeatsJson")]
pub struct Repeats {
    #[serde(skip)]
    pub index: usize,
    /// Name of the iteration.
    pub iteration: String,
    /// The configuration.
    pub configuration: String,
    /// Cases that it ran.
    pub cases: usize,
    /// Files that runs of several cases made anew, those of most cases first.
    pub made: Vec<Repeat>,
    /// Files of the skill that no record shows as opened.
    #[serde(serialize_with = "paths", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>")]
    pub unopened: Vec<Output>,
    /// Runs with the skill and a record, that could have opened them.
    pub watched_runs: usize,
}

fn paths<S: Serializer>(files: &[Output], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(files.iter().map(|file| &file.path))
}

/// A run of the candidate, with the indices of its case and of itself there.
struct CandidateRun<'w> {
    case: usize,
    index: usize,
    run: &'w Run,
}

impl CandidateRun<'_> {
    fn copy(&self, output: Option<Output>) -> FileCopy {
        FileCopy { case: self.case, run: self.index, output }
    }
}

/// `None` where neither kind is found.
pub(super) fn find_repeats(
    workspace: &Workspace,
    analysis: &Analysis,
    texts: Texts<'_>,
) -> Option<Repeats> {
    let Side { iteration: index, configuration } = analysis.newest_candidate()?;
    let iteration = &workspace.iterations[index];
    let mut runs: Vec<CandidateRun<'_>> = Vec::new();
    for (case, found) in iteration.cases.iter().enumerate() {
        let numbered = found.runs.iter().enumerate();
        let numbered = numbered.filter(|(_, run)| run.configuration == configuration);
        runs.extend(numbered.map(|(index, run)| CandidateRun { case, index, run }));
    }
    let cases = runs.iter().map(|run| run.case).collect::<BTreeSet<_>>().len();
    let mut made = groups(&fingerprints(iteration, &runs, texts));
    let is_enough =
        |found: &Repeat| found.cases >= 2 && (found.cases >= 3 || found.cases * 2 > cases);
    made.retain(is_enough);
    let whole = made.iter().filter(|made| !made.is_block);
    let whole_names: BTreeSet<String> = whole.map(|whole| whole.name.clone()).collect();
    let named = named_in_records(&runs);
    made.extend(named.filter(|named| is_enough(named) && !whole_names.contains(&named.name)));
    made.extend(sequences(&runs, &is_enough));
    made.sort_by(|a, b| {
        (b.cases, a.likeness, b.runs).cmp(&(a.cases, b.likeness, a.runs)).then(a.name.cmp(&b.name))
    });
    made.truncate(MAX_FOUND);
    let (unopened, watched_runs) = unopened(workspace, index, &runs);
    let iteration = iteration.name.clone();
    let is_empty = made.is_empty() && unopened.is_empty();
    (!is_empty).then_some(Repeats {
        index,
        iteration,
        configuration,
        cases,
        made,
        unopened,
        watched_runs,
    })
}

/// Groups of similar files: each joins the first group whose first file it resembles.
fn groups(fingerprints: &[Fingerprint<'_>]) -> Vec<Repeat> {
    let mut groups: Vec<Vec<&Fingerprint<'_>>> = Vec::new();
    for fingerprint in fingerprints {
        match groups.iter().position(|group| group[0].is_like(fingerprint)) {
            Some(at) => groups[at].push(fingerprint),
            None if groups.len() < MAX_GROUPS => groups.push(vec![fingerprint]),
            None => {}
        }
    }
    groups.iter().map(|group| repeat(group)).collect()
}

fn repeat(group: &[&Fingerprint<'_>]) -> Repeat {
    let first = group[0];
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let counted = if first.is_block { &group[..1] } else { group };
    counted.iter().for_each(|fingerprint| *names.entry(fingerprint.name).or_default() += 1);
    // The alphabetically first of several that are equally common.
    let name = names.into_iter().rev().max_by_key(|(_, count)| *count);
    let are_equal = group.iter().all(|fingerprint| first.hash == fingerprint.hash);
    Repeat {
        likeness: if are_equal { Likeness::Equal } else { Likeness::Similar },
        lines: first.lines,
        is_block: first.is_block,
        ..named(
            name.map_or("", |(name, _)| name),
            group.iter().map(|fingerprint| fingerprint.copy.clone()).collect(),
        )
    }
}

/// Copies with the facts that follow from their names and places.
fn named(name: &str, copies: Vec<FileCopy>) -> Repeat {
    let cases: BTreeSet<usize> = copies.iter().map(|copy| copy.case).collect();
    let runs: BTreeSet<(usize, usize)> = copies.iter().map(|copy| (copy.case, copy.run)).collect();
    let kept = copies.iter().filter_map(|copy| copy.output.as_ref());
    let paths = kept.map(|file| file.path.clone()).collect();
    let (name, cases, runs) = (name.to_owned(), cases.len(), runs.len());
    Repeat { name, cases, runs, paths, copies, ..Repeat::default() }
}

/// Scripts of one name that records mention as written, without a file kept.
fn named_in_records(runs: &[CandidateRun<'_>]) -> impl Iterator<Item = Repeat> {
    let mut by_name: BTreeMap<&str, Vec<FileCopy>> = BTreeMap::new();
    for candidate in runs {
        for name in &candidate.run.loading.written {
            if candidate.run.outputs.iter().all(|output| file_name(&output.name) != name) {
                by_name.entry(name).or_default().push(candidate.copy(None));
            }
        }
    }
    by_name.into_iter().map(|(name, copies)| named(name, copies))
}

/// Different steps in a row that runs of several cases took. Part of a sequence is kept only if
/// more cases have it.
fn sequences(runs: &[CandidateRun<'_>], is_enough: &dyn Fn(&Repeat) -> bool) -> Vec<Repeat> {
    let mut sequences: Vec<(&[String], Repeat)> = Vec::new();
    for length in STEPS.rev() {
        let mut by_steps: BTreeMap<&[String], Vec<FileCopy>> = BTreeMap::new();
        let are_different = |row: &&[String]| row.iter().collect::<BTreeSet<_>>().len() == length;
        for candidate in runs {
            let rows: BTreeSet<&[String]> = candidate.run.loading.steps.windows(length).collect();
            for row in rows.into_iter().filter(are_different) {
                by_steps.entry(row).or_default().push(candidate.copy(None));
            }
        }
        for (steps, copies) in by_steps {
            let name = steps.join(" → ");
            let repeat = Repeat { likeness: Likeness::Sequence, ..named(&name, copies) };
            let is_part = sequences.iter().any(|(longer, whole)| {
                whole.cases >= repeat.cases && longer.windows(length).any(|part| part == steps)
            });
            if is_enough(&repeat) && !is_part {
                sequences.push((steps, repeat));
            }
        }
    }
    sequences.into_iter().map(|(_, repeat)| repeat).collect()
}

/// The bundled files of the iteration's copy of the skill that no run opened, and the number of
/// runs that had the skill available.
fn unopened(
    workspace: &Workspace,
    iteration: usize,
    runs: &[CandidateRun<'_>],
) -> (Vec<Output>, usize) {
    let loadings = runs.iter().map(|candidate| &candidate.run.loading);
    let watched: Vec<&Loading> = loadings
        .filter(|loading| loading.had_skill() == Some(true) && loading.file.is_some())
        .collect();
    let copy = workspace.snapshots.iter().rev().find(|copy| copy.iteration == Some(iteration));
    let Some(copy) = copy.filter(|_| !watched.is_empty()) else { return (Vec::new(), 0) };
    let is_opened = |name: &str| {
        let name = name.to_lowercase();
        watched.iter().flat_map(|loading| &loading.opened).any(|path| match path.split_once('*') {
            Some((start, end)) => name.starts_with(start) && name.ends_with(end),
            None => *path == name || name.starts_with(&format!("{path}/")),
        })
    };
    let is_bundled =
        |name: &str| name.split_once('/').is_some_and(|(top, _)| is_listed(BUNDLED_FOLDERS, top));
    let files = copy.files.iter().filter(|file| is_bundled(&file.name) && !is_opened(&file.name));
    (files.cloned().collect(), watched.len())
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests;
