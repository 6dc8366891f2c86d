//! What runs of the newest candidate make again and again, case by case: scripts and other equal
//! files that the skill could bring along; and bundled files that no run opened.
//!
//! Runs of one case may well produce the same files, so only different cases count. Files are alike
//! by the shingles of tokens that they share, estimated by MinHash; names play no part, except for
//! scripts known only from the records of runs.

mod fingerprint;

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::analyze::repeats::fingerprint::{Fingerprint, file_name, fingerprints};
use crate::analyze::{Analysis, Side, Texts};
use crate::model::{BUNDLED_FOLDERS, Loading, Output, Run, Workspace};
use crate::text::is_listed;

/// A file is compared with the first of each group of like files; so many groups are made.
const MAX_GROUPS: usize = 200;

/// So many findings are kept, those of most cases.
const FINDINGS_KEPT: usize = 20;

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
}

impl From<Likeness> for &'static str {
    fn from(likeness: Likeness) -> Self {
        match likeness {
            Likeness::Equal => "equal",
            Likeness::Similar => "similar",
            Likeness::Name => "name",
        }
    }
}

/// One file that runs of several cases made anew.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize)]
#[schemars(rename = "RepeatJson")]
pub struct Repeat {
    /// The name that most copies have.
    pub name: String,
    /// How the copies are alike: `equal`, `similar`, or `name` where no copy was kept.
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
// The skill-creator tells authors to look for it by hand: a helper that the agents of all cases
// wrote anew belongs into `scripts/`.
pub(super) fn find_repeats(
    workspace: &Workspace,
    analysis: &Analysis,
    texts: Texts<'_>,
) -> Option<Repeats> {
    let Side { iteration: index, configuration } = analysis.newest_candidate()?;
    let iteration = &workspace.iterations[index];
    let mut runs: Vec<CandidateRun<'_>> = Vec::new();
    for (case, found) in iteration.cases.iter().enumerate() {
        for (index, run) in found.runs.iter().enumerate() {
            if run.configuration == configuration {
                runs.push(CandidateRun { case, index, run });
            }
        }
    }
    let cases = runs.iter().map(|run| run.case).collect::<BTreeSet<_>>().len();

    let mut made = groups(&fingerprints(iteration, &runs, texts));
    made.retain(|repeat| is_often(repeat.cases, cases));
    let kept_names: BTreeSet<String> =
        made.iter().filter(|made| !made.is_block).map(|made| made.name.clone()).collect();
    for repeat in named_in_records(&runs) {
        // A script that was kept is found by its content already.
        if is_often(repeat.cases, cases) && !kept_names.contains(&repeat.name) {
            made.push(repeat);
        }
    }
    made.sort_by(|a, b| {
        (b.cases, a.likeness, b.runs).cmp(&(a.cases, b.likeness, a.runs)).then(a.name.cmp(&b.name))
    });
    made.truncate(FINDINGS_KEPT);

    let (unopened, watched_runs) = unopened(workspace, index, &runs);
    if made.is_empty() && unopened.is_empty() {
        return None;
    }
    let iteration = iteration.name.clone();
    Some(Repeats { index, iteration, configuration, cases, made, unopened, watched_runs })
}

/// Whether work that this many of all `cases` have in common is worth a script of the skill.
// The skill-creator asks for two or three cases to begin with.
fn is_often(with: usize, cases: usize) -> bool {
    with >= 3 || with == 2 && cases <= 3
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
    for fingerprint in if first.is_block { &group[..1] } else { group } {
        *names.entry(fingerprint.name).or_default() += 1;
    }
    // The alphabetically first of several that are equally common.
    let name = names.into_iter().rev().max_by_key(|(_, count)| *count).map_or("", |(name, _)| name);
    let are_equal = group.iter().all(|fingerprint| first.hash == fingerprint.hash);
    let copies = group.iter().map(|fingerprint| fingerprint.copy.clone()).collect();
    Repeat {
        likeness: if are_equal { Likeness::Equal } else { Likeness::Similar },
        lines: first.lines,
        is_block: first.is_block,
        ..named(name, copies)
    }
}

/// Copies with the facts that follow from their names and places.
fn named(name: &str, copies: Vec<FileCopy>) -> Repeat {
    let cases: BTreeSet<usize> = copies.iter().map(|copy| copy.case).collect();
    let runs: BTreeSet<(usize, usize)> = copies.iter().map(|copy| (copy.case, copy.run)).collect();
    let kept = copies.iter().filter_map(|copy| copy.output.as_ref());
    Repeat {
        name: name.to_owned(),
        cases: cases.len(),
        runs: runs.len(),
        paths: kept.map(|file| file.path.clone()).collect(),
        copies,
        ..Repeat::default()
    }
}

/// Scripts of one name that records mention as written, without a file kept.
fn named_in_records(runs: &[CandidateRun<'_>]) -> Vec<Repeat> {
    let mut by_name: BTreeMap<&str, Vec<FileCopy>> = BTreeMap::new();
    for candidate in runs {
        for name in &candidate.run.loading.written {
            if candidate.run.outputs.iter().all(|output| file_name(&output.name) != name) {
                by_name.entry(name).or_default().push(candidate.copy(None));
            }
        }
    }
    by_name.into_iter().map(|(name, copies)| named(name, copies)).collect()
}

/// The bundled files of the iteration's copy of the skill that no run opened, and the number of
/// runs that had the skill available.
fn unopened(
    workspace: &Workspace,
    iteration: usize,
    runs: &[CandidateRun<'_>],
) -> (Vec<Output>, usize) {
    let mut watched: Vec<&Loading> = runs.iter().map(|candidate| &candidate.run.loading).collect();
    watched.retain(|loading| loading.had_skill() == Some(true) && loading.file.is_some());
    let copy = workspace.snapshots.iter().rev().find(|copy| copy.iteration == Some(iteration));
    let Some(copy) = copy else { return (Vec::new(), 0) };
    if watched.is_empty() {
        return (Vec::new(), 0);
    }
    let mut unopened = Vec::new();
    for file in &copy.files {
        let Some((folder, _)) = file.name.split_once('/') else { continue };
        if is_listed(BUNDLED_FOLDERS, folder) && !watched.iter().any(|run| has_opened(run, file)) {
            unopened.push(file.clone());
        }
    }
    (unopened, watched.len())
}

/// Whether a run opened a file of the skill, by its path, a folder above it or a pattern.
fn has_opened(loading: &Loading, file: &Output) -> bool {
    let name = file.name.to_lowercase();
    loading.opened.iter().any(|path| match path.split_once('*') {
        Some((start, end)) => name.starts_with(start) && name.ends_with(end),
        None => *path == name || name.starts_with(&format!("{path}/")),
    })
}

#[cfg(test)]
mod tests;
