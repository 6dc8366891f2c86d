//! Whether the words that graders quote as evidence exist in the outputs or the transcript of the
//! run.
//!
//! A quotation is *found*, exactly or with some changed words; *elsewhere*, in what the run and its
//! grader were given or in another run of the case; *missing*; or *unknown* where a file that may
//! hold it is absent, is not text or was not read whole. Office files and PDF can show that words
//! are there, never that they are missing. Words that a sentence denies, and words of the check
//! itself, are not evidence and are left out. Nothing here judges a verdict.

mod lookup;
mod quotation;

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

use crate::analyze::quotes::lookup::{Indexed, QuoteHit, QuotedWords, WordHash};
use crate::analyze::quotes::quotation::{Quotation, QuotedEvidence, take_apart};
use crate::analyze::texts::{MAX_FILE_BYTES, MAX_FILES, MAX_RUN_BYTES, Texts};
use input::model::{Case, Expectation, Grading, Run, Workspace};

/// Files with fewer words in total are placeholders or figures, and show nothing.
const TELLING_WORDS: usize = 30;

/// So many quotations of one piece of evidence are looked up.
const QUOTATIONS_LOOKED_UP: usize = 40;

/// A quotation in the evidence of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    pub text: String,
    pub found: QuoteLocation,
}

/// Where quoted words were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuoteLocation {
    /// In a file of the run.
    InRun {
        file: String,
        /// Line in it, from 1; `None` in an office file or a PDF.
        line: Option<usize>,
        /// How many words are changed, added or missing.
        distance: usize,
    },
    /// Not in a file of the run, but in its instructions or in this file of another run.
    Elsewhere(Option<String>),
    /// Nowhere that can be read.
    Missing,
    /// It cannot be known.
    Unknown,
}

/// A check, by the indices of its iteration, case, run and grading, and its own in the grading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckAt {
    pub iteration: usize,
    pub case: usize,
    pub run: usize,
    pub grading: usize,
    pub check: usize,
}

impl CheckAt {
    pub fn case<'w>(&self, workspace: &'w Workspace) -> &'w Case {
        &workspace.iterations[self.iteration].cases[self.case]
    }

    pub fn run<'w>(&self, workspace: &'w Workspace) -> &'w Run {
        &self.case(workspace).runs[self.run]
    }

    pub fn grading<'w>(&self, workspace: &'w Workspace) -> &'w Grading {
        &self.run(workspace).gradings[self.grading]
    }

    pub fn check<'w>(&self, workspace: &'w Workspace) -> &'w Expectation {
        &self.grading(workspace).expectations[self.check]
    }
}

/// A grader's quotations, counted by where they were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize)]
pub struct QuoteCounts {
    /// In the files of their runs, word by word.
    pub exact: usize,
    /// In the files of their runs, with some changed words.
    pub close: usize,
    /// In the prompt, the checks, the skill, or another run of the case.
    pub elsewhere: usize,
    /// Nowhere, where everything was read.
    pub missing: usize,
    /// Undecided, because a file is missing, not text, or was not read whole.
    pub unknown: usize,
}

impl QuoteCounts {
    pub fn add(&mut self, quotes: &[Quote]) {
        for quote in quotes {
            let count = match quote.found {
                QuoteLocation::InRun { distance: 0, .. } => &mut self.exact,
                QuoteLocation::InRun { .. } => &mut self.close,
                QuoteLocation::Elsewhere(_) => &mut self.elsewhere,
                QuoteLocation::Missing => &mut self.missing,
                QuoteLocation::Unknown => &mut self.unknown,
            };
            *count += 1;
        }
    }

    pub fn known(&self) -> usize {
        self.exact + self.close + self.elsewhere + self.missing
    }
}

type QuotesOfCheck<'q> = (&'q CheckAt, &'q Vec<Quote>);

/// The quotations of a workspace by their checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quotes(BTreeMap<CheckAt, Vec<Quote>>);

impl Quotes {
    pub fn in_check(&self, check: &CheckAt) -> &[Quote] {
        self.0.get(check).map_or(&[], Vec::as_slice)
    }

    /// Every check of an iteration with quotations, in order.
    pub fn in_iteration(&self, iteration: usize) -> impl Iterator<Item = QuotesOfCheck<'_>> {
        let first = CheckAt { iteration, ..CheckAt::default() };
        self.0.range(first..CheckAt { iteration: iteration + 1, ..first })
    }

    /// Those of one case of it.
    pub fn in_case(
        &self,
        iteration: usize,
        case: usize,
    ) -> impl Iterator<Item = QuotesOfCheck<'_>> {
        let first = CheckAt { iteration, case, ..CheckAt::default() };
        self.0.range(first..CheckAt { case: case + 1, ..first })
    }

    /// The counts for each grader of an iteration, by name; `None` for an unnamed grader.
    pub fn by_grader<'w>(
        &self,
        workspace: &'w Workspace,
        iteration: usize,
    ) -> BTreeMap<Option<&'w str>, QuoteCounts> {
        let mut counts: BTreeMap<Option<&str>, QuoteCounts> = BTreeMap::new();
        for (at, quotes) in self.in_iteration(iteration) {
            counts.entry(at.grading(workspace).grader.as_deref()).or_default().add(quotes);
        }
        counts
    }
}

/// The checks with a missing quotation.
pub fn missing<'q>(
    checks: impl Iterator<Item = QuotesOfCheck<'q>>,
) -> Vec<(CheckAt, Vec<&'q Quote>)> {
    let mut with_missing = Vec::new();
    for (at, quotes) in checks {
        let missing: Vec<&Quote> =
            quotes.iter().filter(|quote| quote.found == QuoteLocation::Missing).collect();
        if !missing.is_empty() {
            with_missing.push((*at, missing));
        }
    }
    with_missing
}

/// Looks up every quotation of every grading. Each file of a run is read at most once.
pub(super) fn find_quotes(workspace: &Workspace, texts: Texts<'_>) -> Quotes {
    let iterations = workspace.iterations.par_iter().enumerate();
    let quotes = iterations.flat_map(|(index, iteration)| {
        let skill = skill_text(workspace, index, texts);
        let cases = iteration.cases.par_iter().enumerate();
        cases.flat_map_iter(move |(at, case)| {
            let first = CheckAt { iteration: index, case: at, ..CheckAt::default() };
            case_quotes(case, first, &skill, texts)
        })
    });
    Quotes(quotes.collect())
}

/// The text of an iteration's copies of the skill.
fn skill_text(workspace: &Workspace, iteration: usize, texts: Texts<'_>) -> String {
    let mut skill = String::new();
    for copy in workspace.snapshots.iter().filter(|copy| copy.iteration == Some(iteration)) {
        let documents = copy.files.iter().filter(|file| file.name.ends_with(".md"));
        for text in documents.take(MAX_FILES).filter_map(|file| texts.read(file)) {
            skill += &text;
            skill.push('\n');
        }
    }
    skill
}

/// The quotations of a case by their checks, run by run. `first` is the case's first check.
fn case_quotes(
    case: &Case,
    first: CheckAt,
    skill: &str,
    texts: Texts<'_>,
) -> Vec<(CheckAt, Vec<Quote>)> {
    let checks = checks_with_quotations(case, first);
    let quotations = checks.iter().flat_map(|(_, evidence)| &evidence.quotations);
    let vocabulary: BTreeSet<WordHash> =
        quotations.flat_map(|quotation| quotation.pieces.words()).collect();
    // Script graders quote nothing, and then no file is read.
    if vocabulary.is_empty() {
        return Vec::new();
    }
    let instructions = Indexed::new(&(instructions(case) + skill), &vocabulary);
    let runs: Vec<RunFiles<'_>> =
        case.runs.iter().map(|run| RunFiles::read(run, texts, &vocabulary)).collect();
    let mut by_check = Vec::new();
    for (at, evidence) in &checks {
        let mut quotes = Vec::new();
        for quotation in evidence.quotations.iter().take(QUOTATIONS_LOOKED_UP) {
            if let Some(found) = look_up(quotation, evidence, &runs[at.run], &runs, &instructions) {
                quotes.push(Quote { text: quotation.text.trim().to_owned(), found });
            }
        }
        if !quotes.is_empty() {
            by_check.push((*at, quotes));
        }
    }
    by_check
}

fn checks_with_quotations(case: &Case, first: CheckAt) -> Vec<(CheckAt, QuotedEvidence<'_>)> {
    let mut checks = Vec::new();
    for (run, case_run) in case.runs.iter().enumerate() {
        for (grading, run_grading) in case_run.gradings.iter().enumerate() {
            for (check, expectation) in run_grading.expectations.iter().enumerate() {
                if let Some(evidence) = expectation.evidence.as_deref().and_then(take_apart) {
                    checks.push((CheckAt { run, grading, check, ..first }, evidence));
                }
            }
        }
    }
    checks
}

/// The text that the agent and the grader of a case were given.
fn instructions(case: &Case) -> String {
    let mut texts: Vec<&String> = Vec::new();
    texts.extend(&case.prompt);
    texts.extend(&case.expected_output);
    texts.extend(case.planned.iter().map(|planned| &planned.text));
    for check in case.runs.iter().flat_map(Run::expectations) {
        texts.push(&check.text);
        texts.extend(&check.description);
    }
    texts.into_iter().fold(String::new(), |joined, text| joined + text + "\n")
}

/// Finds a quotation of a run in its own files, then in those of all `runs` of its case; `None` for
/// one that shows nothing.
fn look_up(
    quotation: &Quotation<'_>,
    evidence: &QuotedEvidence<'_>,
    run_files: &RunFiles<'_>,
    runs: &[RunFiles<'_>],
    instructions: &Indexed,
) -> Option<QuoteLocation> {
    let pieces = &quotation.pieces;
    if let Some((file, QuoteHit { line, distance })) = run_files.find(pieces, &evidence.files) {
        return Some(QuoteLocation::InRun {
            file: file.name.to_owned(),
            line: if file.is_text { Some(line) } else { None },
            distance,
        });
    }
    // Graders quote the task and the check itself.
    if instructions.find(pieces).is_some() {
        return Some(QuoteLocation::Elsewhere(None));
    }
    // "It never says X" quotes words that may well be in no file.
    if quotation.is_denied {
        return None;
    }
    for run in runs {
        if let Some((file, _)) = run.find(pieces, &evidence.files) {
            return Some(QuoteLocation::Elsewhere(Some(format!("{}/{}", run.path, file.name))));
        }
    }
    if run_files.can_tell(evidence) {
        Some(QuoteLocation::Missing)
    } else {
        Some(QuoteLocation::Unknown)
    }
}

struct ReadFile<'w> {
    name: &'w str,
    text: Indexed,
    /// Whether it is text itself, so that words not found are not there.
    is_text: bool,
}

impl ReadFile<'_> {
    /// In lower case and without folders, as evidence names it.
    fn lower_name(&self) -> String {
        self.name.rsplit('/').next().unwrap_or_default().to_lowercase()
    }
}

struct RunFiles<'w> {
    path: &'w str,
    read: Vec<ReadFile<'w>>,
    /// Whether a file is not text, or was not read whole.
    has_unread: bool,
    has_transcript: bool,
}

impl<'w> RunFiles<'w> {
    fn read(run: &'w Run, texts: Texts<'_>, vocabulary: &BTreeSet<WordHash>) -> Self {
        let mut files = Self {
            path: &run.path,
            read: Vec::new(),
            has_unread: run.outputs.len() > MAX_FILES,
            has_transcript: run.transcript.is_some(),
        };
        let mut remaining_bytes = MAX_RUN_BYTES;
        for file in run.outputs.iter().take(MAX_FILES).chain(&run.transcript) {
            // Some runs keep their whole work tree as outputs.
            if file.bytes > remaining_bytes {
                files.has_unread = true;
                continue;
            }
            let text = texts.read(file);
            let is_text = text.is_some();
            files.has_unread |= !is_text || file.bytes > MAX_FILE_BYTES;
            let Some(text) = text.or_else(|| texts.extracted(file)) else { continue };
            remaining_bytes -= file.bytes;
            let text = Indexed::new(&text, vocabulary);
            files.read.push(ReadFile { name: &file.name, text, is_text });
        }
        files
    }

    /// The file that holds a quotation with the fewest changed words, first of those that the evidence names.
    fn find(&self, quotation: &QuotedWords, named: &[String]) -> Option<(&ReadFile<'w>, QuoteHit)> {
        let found = self.read.iter().filter_map(|file| Some((file, file.text.find(quotation)?)));
        // A text can name the line.
        found.min_by_key(|(file, hit)| {
            (hit.distance, !named.contains(&file.lower_name()), !file.is_text)
        })
    }

    /// Whether every file that may hold a quotation was read: those that the evidence names, else
    /// all.
    fn can_tell(&self, evidence: &QuotedEvidence<'_>) -> bool {
        if evidence.is_of_transcript && !self.has_transcript {
            return false;
        }
        if evidence.files.is_empty() {
            let texts = self.read.iter().filter(|file| file.is_text);
            let words: usize = texts.map(|file| file.text.len()).sum();
            return !self.has_unread && words >= TELLING_WORDS;
        }
        evidence.files.iter().all(|name| self.has_read_text(name))
    }

    /// Whether a text with this name, in lower case and without folders, was read.
    fn has_read_text(&self, name: &str) -> bool {
        self.read.iter().any(|file| file.is_text && file.lower_name() == name)
    }
}

#[cfg(test)]
mod tests;
