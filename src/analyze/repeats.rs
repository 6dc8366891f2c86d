//! What runs of the newest candidate make again and again, case by case: scripts and other equal
//! files that the skill could bring along; and what it brings along that no run opened.
//!
//! Runs of one case may well give the same files, so only different cases count. Files are alike by
//! the share of tokens in a row that they have in common; names play no part, but for scripts that
//! only the records of runs name.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::analyze::{Analysis, Texts};
use crate::files::Source;
use crate::model::{Iteration, Output, Run, Workspace};
use crate::text::{is_listed, listed};

/// Extensions of scripts.
const SCRIPTS: &str = "py sh bash js mjs cjs ts rb pl ps1 bat r lua php awk sql";

/// Shorter blocks of code say nothing.
const LEAST_LINES: usize = 8;

/// Larger files are no helpers.
const MAX_BYTES: u64 = 256 * 1024;

/// Files that are looked at, in the order of cases and runs.
const MOST_FILES: usize = 2_000;

/// Different groups of like files; a file is compared with the first of each.
const MOST_GROUPS: usize = 200;

/// Tokens in a row that are compared as one.
const IN_A_ROW: usize = 4;

/// The smallest hashes of a file that stand for all of it: shares are then right within 6 points.
const KEPT: usize = 256;

/// Files with fewer tokens in a row say nothing.
const LEAST: usize = 30;

/// The share in common from which scripts are copies of each other.
const ALIKE: f64 = 0.5;

/// Equal files that are no scripts are at least so large, in bytes.
const LEAST_BYTES: usize = 200;

/// Findings that are kept.
const MOST_FOUND: usize = 20;

/// Folders of a skill whose files an agent opens when it needs them.
const BUNDLED: &str = "scripts references assets templates";

/// A file of a run, by the indices of case, run and output; no output where only a record names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileAt {
    /// The case.
    pub case: usize,
    /// The run in the case.
    pub run: usize,
    /// The output of the run.
    pub output: Option<usize>,
}

/// How copies are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likeness {
    /// Byte by byte.
    Equal,
    /// In at least half of their tokens in a row.
    Similar,
    /// In their names: only the records of the runs tell of them.
    Name,
}

impl Likeness {
    /// The likeness in one lower-case word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Similar => "similar",
            Self::Name => "name",
        }
    }
}

/// One file that several cases made.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// The name that most copies have.
    pub name: String,
    /// Copies, in the order of cases and runs.
    pub copies: Vec<FileAt>,
    /// How they are alike.
    pub likeness: Likeness,
    /// Lines of the first copy; 0 where it cannot be read.
    pub lines: usize,
    /// Whether they are blocks of code in longer texts.
    pub is_block: bool,
    /// Different cases among them.
    pub cases: usize,
    /// Different runs among them.
    pub runs: usize,
}

/// What the newest candidate makes again, and what it leaves alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repeats {
    /// The iteration and the configuration.
    pub side: Option<(usize, String)>,
    /// Cases that the configuration ran.
    pub cases: usize,
    /// Its runs.
    pub runs: usize,
    /// What several cases made, most cases first.
    pub made: Vec<Repeat>,
    /// Files of the skill that no record shows as opened.
    pub unopened: Vec<Output>,
    /// Runs whose records show that they loaded the skill, so that they could have opened them.
    pub watched: usize,
}

/// A file with what it is compared by.
struct Sketch<'w> {
    at: FileAt,
    name: &'w str,
    extension: &'w str,
    is_script: bool,
    is_block: bool,
    hash: u64,
    /// The smallest hashes of its tokens in a row, sorted.
    hashes: Vec<u64>,
    lines: usize,
    bytes: usize,
}

impl Sketch<'_> {
    fn is_equal(&self, other: &Self) -> bool {
        (self.hash, self.bytes) == (other.hash, other.bytes)
    }
}

/// Finds both; `source` gives the files of the workspace below `prefix`.
pub fn find_repeats(
    workspace: &Workspace,
    analysis: &Analysis,
    source: &dyn Source,
    prefix: &str,
) -> Repeats {
    let Some(newest) = analysis.newest_candidate() else { return Repeats::default() };
    let iteration = &workspace.iterations[newest.iteration];
    let mut runs: Vec<(usize, usize, &Run)> = Vec::new();
    for (at, case) in iteration.cases.iter().enumerate() {
        let own = case.runs.iter().enumerate();
        let own = own.filter(|(_, run)| run.configuration == newest.configuration);
        runs.extend(own.map(|(number, run)| (at, number, run)));
    }
    let cases: BTreeSet<usize> = runs.iter().map(|(case, ..)| *case).collect();
    let sketches = sketches(iteration, &runs, source, prefix);
    let is_enough =
        |found: &Repeat| found.cases >= 2 && (found.cases >= 3 || found.cases * 2 > cases.len());
    let mut made: Vec<Repeat> = groups(&sketches).into_iter().filter(is_enough).collect();
    let whole = made.iter().filter(|made| !made.is_block);
    let known: BTreeSet<String> = whole.map(|whole| whole.name.clone()).collect();
    let named = named_in_records(&runs).into_iter();
    made.extend(named.filter(|named| is_enough(named) && !known.contains(&named.name)));
    made.sort_by(|a, b| {
        (b.cases, a.likeness, b.runs).cmp(&(a.cases, b.likeness, a.runs)).then(a.name.cmp(&b.name))
    });
    made.truncate(MOST_FOUND);
    let (unopened, watched) = unopened(workspace, newest.iteration, &runs);
    Repeats {
        side: Some((newest.iteration, newest.configuration.clone())),
        cases: cases.len(),
        runs: runs.len(),
        made,
        unopened,
        watched,
    }
}

/// The files that are compared, but for those that a case gave to its runs.
fn sketches<'w>(
    iteration: &'w Iteration,
    runs: &[(usize, usize, &'w Run)],
    source: &dyn Source,
    prefix: &str,
) -> Vec<Sketch<'w>> {
    let files = runs.iter().flat_map(|(case, run, found)| {
        let outputs = found.outputs.iter().enumerate();
        outputs.map(|(at, output)| (FileAt { case: *case, run: *run, output: Some(at) }, output))
    });
    let is_given = |at: &FileAt, name: &str| {
        iteration.cases[at.case].files.iter().any(|path| file_name(path) == name)
    };
    let files = files
        .filter(|(at, output)| output.bytes <= MAX_BYTES && !is_given(at, file_name(&output.name)));
    let files: Vec<(FileAt, &Output)> = files.take(MOST_FILES).collect();
    let read = |(at, output): &(FileAt, &'w Output)| -> Vec<Sketch<'w>> {
        let text = Texts { source, prefix }.bytes(&output.path, MAX_BYTES).ok();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        let name = file_name(&output.name);
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        let blocks = if extension == "md" { blocks(&text) } else { Vec::new() };
        let blocks = blocks.into_iter().filter_map(|(extension, block)| {
            Some(Sketch { is_block: true, ..sketch(*at, (name, extension), block)? })
        });
        blocks.chain(sketch(*at, (name, extension), &text)).collect()
    };
    files.par_iter().flat_map(read).collect()
}

/// The longer blocks of code in a Markdown text, each with the extension of its language.
fn blocks(text: &str) -> Vec<(&'static str, &str)> {
    let mut found = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let fence = line.trim_start().strip_prefix("```");
        match (open, fence) {
            (None, Some(language)) => open = Some((language.trim(), at + line.len())),
            (Some((language, start)), Some(_)) => {
                let extension = extension_of(&language.to_ascii_lowercase());
                let block = &text[start..at];
                let is_long = block.lines().count() >= LEAST_LINES;
                found.extend(extension.filter(|_| is_long).map(|extension| (extension, block)));
                open = None;
            }
            _ => {}
        }
        at += line.len();
    }
    found
}

/// The extension of scripts in a language, by its name or itself.
fn extension_of(language: &str) -> Option<&'static str> {
    match language {
        "python" => Some("py"),
        "shell" | "bash" | "zsh" => Some("sh"),
        "javascript" => Some("js"),
        "typescript" | "tsx" => Some("ts"),
        "ruby" => Some("rb"),
        "powershell" => Some("ps1"),
        other => listed(SCRIPTS, other),
    }
}

fn sketch<'w>(at: FileAt, (name, extension): (&'w str, &'w str), text: &str) -> Option<Sketch<'w>> {
    let is_script = is_listed(SCRIPTS, &extension.to_ascii_lowercase());
    let tokens: Vec<u64> = tokens(text).map(|token| hash(token.as_bytes())).collect();
    let rows = tokens.windows(IN_A_ROW);
    let rows = rows.map(|row| row.iter().fold(SEED, |sum, token| mix(sum, *token)));
    let mut hashes: Vec<u64> = rows.collect();
    hashes.sort_unstable();
    hashes.dedup();
    let is_enough = if is_script { hashes.len() >= LEAST } else { text.len() >= LEAST_BYTES };
    hashes.truncate(KEPT);
    is_enough.then(|| Sketch {
        at,
        name,
        extension,
        is_script,
        is_block: false,
        hash: hash(text.as_bytes()),
        hashes,
        lines: text.lines().count(),
        bytes: text.len(),
    })
}

/// Words and signs of a text without white space, comments of whole lines, and numbers.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("//") && !line.starts_with('#'));
    let words = lines.flat_map(|line| line.split_inclusive(|c: char| !c.is_alphanumeric()));
    let words = words.map(str::trim).filter(|word| !word.is_empty());
    words.map(|word| if word.starts_with(|c: char| c.is_ascii_digit()) { "0" } else { word })
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(SEED, |sum, byte| mix(sum, u64::from(*byte)))
}

fn mix(sum: u64, value: u64) -> u64 {
    let sum = (sum ^ value).wrapping_mul(0x0100_0000_01b3);
    sum ^ (sum >> 29)
}

/// The share in common of two files, from their smallest hashes.
fn likeness(a: &[u64], b: &[u64]) -> f64 {
    let (mut i, mut j, mut common, mut all) = (0, 0, 0_usize, 0_usize);
    while i < a.len() && j < b.len() && all < KEPT {
        let order = a[i].cmp(&b[j]);
        common += usize::from(order.is_eq());
        i += usize::from(order.is_le());
        j += usize::from(order.is_ge());
        all += 1;
    }
    let rest = (a.len() - i).max(b.len() - j).min(KEPT - all);
    common as f64 / (all + rest).max(1) as f64
}

/// Files that are alike: each joins the first group whose first file it is like.
fn groups(sketches: &[Sketch<'_>]) -> Vec<Repeat> {
    let mut groups: Vec<Vec<&Sketch<'_>>> = Vec::new();
    for found in sketches {
        let is_like = |group: &Vec<&Sketch<'_>>| {
            let first = group[0];
            let are_scripts = first.is_script && found.is_script;
            let are_of_a_language = are_scripts && first.extension == found.extension;
            first.is_block == found.is_block
                && (first.is_equal(found)
                    || are_of_a_language && likeness(&first.hashes, &found.hashes) >= ALIKE)
        };
        match groups.iter().position(is_like) {
            Some(at) => groups[at].push(found),
            None if groups.len() < MOST_GROUPS => groups.push(vec![found]),
            None => {}
        }
    }
    groups.iter().map(|group| repeat(group)).collect()
}

fn repeat(group: &[&Sketch<'_>]) -> Repeat {
    let first = group[0];
    let is_equal = group.iter().all(|found| first.is_equal(found));
    let name = match first.is_block {
        true => first.name,
        false => most_common(group.iter().map(|found| found.name)),
    };
    Repeat {
        likeness: if is_equal { Likeness::Equal } else { Likeness::Similar },
        lines: first.lines,
        is_block: first.is_block,
        ..named(name, group.iter().map(|found| found.at).collect())
    }
}

/// What is known of copies by their names and places.
fn named(name: &str, copies: Vec<FileAt>) -> Repeat {
    let cases: BTreeSet<usize> = copies.iter().map(|at| at.case).collect();
    let runs: BTreeSet<(usize, usize)> = copies.iter().map(|at| (at.case, at.run)).collect();
    Repeat {
        name: name.to_owned(),
        likeness: Likeness::Name,
        lines: 0,
        is_block: false,
        cases: cases.len(),
        runs: runs.len(),
        copies,
    }
}

/// The most common name; the first by letters of several.
fn most_common<'n>(names: impl Iterator<Item = &'n str>) -> &'n str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    names.for_each(|name| *counts.entry(name).or_default() += 1);
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map_or("", |(name, _)| name)
}

/// Scripts of one name that records say were written, of which no file was kept.
fn named_in_records(runs: &[(usize, usize, &Run)]) -> Vec<Repeat> {
    let mut found: BTreeMap<&str, Vec<FileAt>> = BTreeMap::new();
    for (case, number, run) in runs {
        for name in &run.loading.written {
            if !run.outputs.iter().any(|output| file_name(&output.name) == name) {
                let at = FileAt { case: *case, run: *number, output: None };
                found.entry(name).or_default().push(at);
            }
        }
    }
    found.into_iter().map(|(name, copies)| named(name, copies)).collect()
}

/// The bundled files of the iteration's copy of the skill that no run opened, and how many runs had
/// the skill before them.
fn unopened(
    workspace: &Workspace,
    iteration: usize,
    runs: &[(usize, usize, &Run)],
) -> (Vec<Output>, usize) {
    let watched: Vec<&Run> = runs
        .iter()
        .map(|(.., run)| *run)
        .filter(|run| run.loading.had_skill() == Some(true) && run.loading.file.is_some())
        .collect();
    let copy = workspace.snapshots.iter().rev().find(|copy| copy.iteration == Some(iteration));
    let Some(copy) = copy.filter(|_| !watched.is_empty()) else { return (Vec::new(), 0) };
    let is_opened = |name: &str| {
        let name = name.to_lowercase();
        watched.iter().flat_map(|run| &run.loading.opened).any(|path| match path.split_once('*') {
            Some((start, end)) => name.starts_with(start) && name.ends_with(end),
            None => *path == name || name.starts_with(&format!("{path}/")),
        })
    };
    let is_bundled =
        |name: &str| name.split_once('/').is_some_and(|(top, _)| is_listed(BUNDLED, top));
    let files = copy.files.iter().filter(|file| is_bundled(&file.name) && !is_opened(&file.name));
    (files.cloned().collect(), watched.len())
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests;
