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
use crate::model::{Case, Expectation, Grading, Run, Workspace};

/// Files with fewer words in total are placeholders or figures, and show nothing.
const MIN_WORDS: usize = 30;

/// The most quotations of one piece of evidence.
const MAX_QUOTATIONS: usize = 40;

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
        /// How many words were looked up.
        words: usize,
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
        let first = |iteration: usize| CheckAt { iteration, ..CheckAt::default() };
        self.0.range(first(iteration)..first(iteration + 1))
    }

    /// Those of one case of it.
    pub fn in_case(
        &self,
        iteration: usize,
        case: usize,
    ) -> impl Iterator<Item = QuotesOfCheck<'_>> {
        let first = |case: usize| CheckAt { iteration, case, ..CheckAt::default() };
        self.0.range(first(case)..first(case + 1))
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
    let missing = checks.filter_map(|(at, quotes)| {
        let missing = quotes.iter().filter(|quote| quote.found == QuoteLocation::Missing);
        let missing: Vec<&Quote> = missing.collect();
        (!missing.is_empty()).then_some((*at, missing))
    });
    missing.collect()
}

/// Looks up every quotation of every grading. Each file of a run is read at most once.
pub(super) fn find_quotes(workspace: &Workspace, texts: Texts<'_>) -> Quotes {
    let iterations = workspace.iterations.par_iter().enumerate();
    let quotes = iterations.flat_map(|(index, iteration)| {
        let skill = skill_of(workspace, index, texts);
        let cases = iteration.cases.par_iter().enumerate();
        cases.flat_map_iter(move |(case, case_data)| {
            let first = CheckAt { iteration: index, case, ..CheckAt::default() };
            case_quotes(case_data, first, &skill, texts)
        })
    });
    Quotes(quotes.collect())
}

/// The text of an iteration's copies of the skill.
fn skill_of(workspace: &Workspace, iteration: usize, texts: Texts<'_>) -> String {
    let copies = workspace.snapshots.iter().filter(|copy| copy.iteration == Some(iteration));
    let documents = copies.flat_map(|copy| {
        copy.files.iter().filter(|file| file.name.ends_with(".md")).take(MAX_FILES)
    });
    documents.filter_map(|file| texts.read(file)).map(|text| text + "\n").collect()
}

/// The quotations of a case by their checks, run by run. `first` is the case's first check.
fn case_quotes(
    case: &Case,
    first: CheckAt,
    skill: &str,
    texts: Texts<'_>,
) -> Vec<(CheckAt, Vec<Quote>)> {
    let checks = checks_with_evidence(case, first);
    let quotations = checks.iter().flat_map(|(_, evidence)| &evidence.quotations);
    let vocabulary: BTreeSet<WordHash> =
        quotations.flat_map(|quotation| quotation.pieces.words()).collect();
    if vocabulary.is_empty() {
        return Vec::new();
    }
    let instructions = Indexed::new(&(given(case) + skill), &vocabulary);
    let runs: Vec<RunFiles<'_>> =
        case.runs.iter().map(|run| RunFiles::read(run, texts, &vocabulary)).collect();
    let quotes = checks.iter().filter_map(|(at, evidence)| {
        let quotations = evidence.quotations.iter().take(MAX_QUOTATIONS);
        let quotes = quotations.filter_map(|quotation| {
            let location = look_up(quotation, evidence, &runs[at.run], &runs, &instructions)?;
            Some(Quote { text: quotation.text.trim().to_owned(), found: location })
        });
        let quotes: Vec<Quote> = quotes.collect();
        (!quotes.is_empty()).then_some((*at, quotes))
    });
    quotes.collect()
}

fn checks_with_evidence(case: &Case, first: CheckAt) -> Vec<(CheckAt, QuotedEvidence<'_>)> {
    let mut checks = Vec::new();
    for (run, of_run) in case.runs.iter().enumerate() {
        for (grading, of_grading) in of_run.gradings.iter().enumerate() {
            for (check, expectation) in of_grading.expectations.iter().enumerate() {
                let at = CheckAt { run, grading, check, ..first };
                let evidence = expectation.evidence.iter();
                checks.extend(evidence.map(|text| (at, take_apart(text))));
            }
        }
    }
    checks
}

/// The text that the agent and the grader of a case were given.
fn given(case: &Case) -> String {
    let checks = case.runs.iter().flat_map(|run| run.expectations());
    let checks = checks.flat_map(|check| [Some(&check.text), check.description.as_ref()]);
    let planned = case.planned.iter().map(|planned| Some(&planned.text));
    let texts = [case.prompt.as_ref(), case.expected_output.as_ref()];
    let parts = texts.into_iter().chain(planned).chain(checks).flatten();
    parts.fold(String::new(), |joined, text| joined + text + "\n")
}

/// Finds a quotation of a run in its `own` files, then in those of all `runs` of its case; `None`
/// for one that shows nothing.
fn look_up(
    quotation: &Quotation<'_>,
    evidence: &QuotedEvidence<'_>,
    run_files: &RunFiles<'_>,
    runs: &[RunFiles<'_>],
    instructions: &Indexed,
) -> Option<QuoteLocation> {
    let pieces = &quotation.pieces;
    if let Some((file, QuoteHit { line, distance })) = run_files.find(pieces) {
        let (name, words) = (file.name.to_owned(), pieces.words().count());
        let line = file.is_text.then_some(line);
        return Some(QuoteLocation::InRun { file: name, line, distance, words });
    }
    if instructions.find(pieces).is_some() {
        return Some(QuoteLocation::Elsewhere(None));
    }
    if quotation.is_denied {
        return None;
    }
    let other =
        runs.iter().find_map(|run| Some(format!("{}/{}", run.path, run.find(pieces)?.0.name)));
    Some(match other {
        Some(path) => QuoteLocation::Elsewhere(Some(path)),
        None if run_files.can_tell(evidence) => QuoteLocation::Missing,
        None => QuoteLocation::Unknown,
    })
}

struct ReadFile<'w> {
    name: &'w str,
    text: Indexed,
    /// Whether it is text itself, so that words not found are not there.
    is_text: bool,
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

    /// The file that holds a quotation with the fewest changed words.
    fn find(&self, quotation: &QuotedWords) -> Option<(&ReadFile<'w>, QuoteHit)> {
        let found = self.read.iter().filter_map(|file| Some((file, file.text.find(quotation)?)));
        // A text can name the line.
        found.min_by_key(|(file, hit)| (hit.distance, !file.is_text))
    }

    /// Whether every file that may hold a quotation was read.
    fn can_tell(&self, about: &QuotedEvidence<'_>) -> bool {
        let whole = self.read.iter().filter(|file| file.is_text);
        let is_read = |wanted: &String| {
            let mut names = whole.clone().filter_map(|file| file.name.rsplit('/').next());
            names.any(|name| name.to_lowercase() == *wanted)
        };
        let words: usize = whole.clone().map(|file| file.text.len()).sum();
        let is_all_read = match about.files.is_empty() {
            true => !self.has_unread && words >= MIN_WORDS,
            false => about.files.iter().all(is_read),
        };
        is_all_read && (self.has_transcript || !about.is_of_transcript)
    }
}

#[cfg(test)]
mod tests;
