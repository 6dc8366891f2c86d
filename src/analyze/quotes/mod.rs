//! Whether what graders quote as evidence is there: in the outputs or the transcript of the run.
//!
//! A quotation is *found*, exactly or with some other words; *elsewhere*, in what both the run and
//! its grader were given or in another run of the case; *missing*; or *unknown* where a file that may
//! hold it is not there, is no text or was not read whole. Words that a sentence denies, and those of
//! the check itself, are evidence of nothing and left out. Nothing here judges a verdict.

mod lookup;
mod quotation;

use std::collections::BTreeMap;
use std::rc::Rc;

use rayon::prelude::*;

use crate::analyze::quotes::lookup::{Hit, Indexed, Pieces, Vocabulary};
use crate::analyze::quotes::quotation::{Evidence, Quotation, take_apart};
use crate::analyze::texts::{MOST_BYTES, Texts};
use crate::model::{Case, Expectation, Grading, Run, Workspace};

/// The most files and bytes of a run that are looked through. What is beyond counts as unread.
const MOST_FILES: usize = 200;
const MOST_BYTES_OF_RUN: u64 = 16 * 1024 * 1024;

/// Files of fewer words in all are places kept free, or figures of the run, and show nothing.
const FEWEST_WORDS: usize = 30;

/// The most quotations of one piece of evidence.
const MOST_QUOTATIONS: usize = 40;

/// A quotation in the evidence of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quote {
    /// The quoted words.
    pub text: String,
    /// Where they are.
    pub found: Found,
}

/// Where quoted words are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// In a file of the run.
    There {
        /// The name of the file.
        file: String,
        /// Line in it, from 1.
        line: usize,
        /// How many words are other, more or missing.
        distance: usize,
        /// How many words were looked up.
        words: usize,
    },
    /// Not in a file of the run, but in what it was given or in this file of another run.
    Elsewhere(Option<String>),
    /// Nowhere that can be read.
    Missing,
    /// It cannot be known.
    Unknown,
}

/// A check by its place in the workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CheckAt {
    /// Index of the iteration in the workspace.
    pub iteration: usize,
    /// Index of the case in the iteration.
    pub case: usize,
    /// Index of the run in the case.
    pub run: usize,
    /// Index of the grading in the run.
    pub grading: usize,
    /// Index of the check in the grading.
    pub check: usize,
}

impl CheckAt {
    fn first(iteration: usize, case: usize) -> Self {
        Self { iteration, case, run: 0, grading: 0, check: 0 }
    }

    /// The grading.
    pub fn grading<'w>(&self, workspace: &'w Workspace) -> &'w Grading {
        &workspace.iterations[self.iteration].cases[self.case].runs[self.run].gradings[self.grading]
    }

    /// The check.
    pub fn check<'w>(&self, workspace: &'w Workspace) -> &'w Expectation {
        &self.grading(workspace).expectations[self.check]
    }
}

/// How many quotations of a grader are where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuoteCounts {
    /// In the files of their runs, word by word.
    pub exact: usize,
    /// With some other words.
    pub close: usize,
    /// In what the run was given, or in another run.
    pub elsewhere: usize,
    /// Nowhere.
    pub missing: usize,
    /// Not known.
    pub unknown: usize,
}

impl QuoteCounts {
    fn add(&mut self, found: &Found) {
        let count = match found {
            Found::There { distance: 0, .. } => &mut self.exact,
            Found::There { .. } => &mut self.close,
            Found::Elsewhere(_) => &mut self.elsewhere,
            Found::Missing => &mut self.missing,
            Found::Unknown => &mut self.unknown,
        };
        *count += 1;
    }

    /// Those of which it is known.
    pub fn known(&self) -> usize {
        self.exact + self.close + self.elsewhere + self.missing
    }
}

/// The quotations of a workspace by their checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quotes {
    by_check: BTreeMap<CheckAt, Vec<Quote>>,
}

impl Quotes {
    /// Those of one check.
    pub fn of(&self, check: &CheckAt) -> &[Quote] {
        self.by_check.get(check).map_or(&[], Vec::as_slice)
    }

    /// Every check of an iteration with quotations, in order.
    pub fn of_iteration(&self, iteration: usize) -> impl Iterator<Item = (&CheckAt, &Vec<Quote>)> {
        self.by_check.range(CheckAt::first(iteration, 0)..CheckAt::first(iteration + 1, 0))
    }

    /// Those of one case of it.
    pub fn of_case(
        &self,
        iteration: usize,
        case: usize,
    ) -> impl Iterator<Item = (&CheckAt, &Vec<Quote>)> {
        self.by_check.range(CheckAt::first(iteration, case)..CheckAt::first(iteration, case + 1))
    }

    /// What became of the quotations of each grader of an iteration; no name where nobody says who
    /// graded.
    pub fn by_grader<'w>(
        &self,
        workspace: &'w Workspace,
        iteration: usize,
    ) -> BTreeMap<Option<&'w str>, QuoteCounts> {
        let mut counts: BTreeMap<Option<&str>, QuoteCounts> = BTreeMap::new();
        for (at, quotes) in self.of_iteration(iteration) {
            let of_grader = counts.entry(at.grading(workspace).grader.as_deref()).or_default();
            quotes.iter().for_each(|quote| of_grader.add(&quote.found));
        }
        counts
    }
}

/// The checks with a missing quotation.
pub fn missing<'q>(
    checks: impl Iterator<Item = (&'q CheckAt, &'q Vec<Quote>)>,
) -> Vec<(CheckAt, Vec<&'q Quote>)> {
    let is_missing = |quote: &&Quote| quote.found == Found::Missing;
    let all = checks.map(|(at, quotes)| (*at, quotes.iter().filter(is_missing).collect()));
    all.filter(|(_, missing): &(CheckAt, Vec<&Quote>)| !missing.is_empty()).collect()
}

/// Looks up every quotation of every grading. Each file of a run is read at most once.
pub fn find_quotes(workspace: &Workspace, texts: Texts<'_>) -> Quotes {
    let skills = skills(workspace, texts);
    let iterations = workspace.iterations.par_iter().enumerate();
    let found = iterations.flat_map(|(iteration, found)| {
        let skill = skills.get(&iteration).map_or("", String::as_str);
        found.cases.par_iter().enumerate().flat_map_iter(move |(at, case)| {
            let own = of_case(case, skill, texts).into_iter();
            own.map(move |(check, quotes)| (CheckAt { iteration, case: at, ..check }, quotes))
        })
    });
    Quotes { by_check: found.collect() }
}

/// What the copy of the skill of each iteration says.
fn skills(workspace: &Workspace, texts: Texts<'_>) -> BTreeMap<usize, String> {
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    for snapshot in &workspace.snapshots {
        let Some(iteration) = snapshot.iteration else { continue };
        let documents = snapshot.files.iter().filter(|file| file.name.ends_with(".md"));
        for text in documents.take(MOST_FILES).filter_map(|file| texts.read(file)) {
            *found.entry(iteration).or_default() += &(text + "\n");
        }
    }
    found
}

/// A quotation that is to be looked up.
struct Wanted<'w> {
    at: CheckAt,
    text: &'w str,
    pieces: Pieces,
    is_denied: bool,
    /// Its evidence, without the quotations.
    about: Rc<Evidence<'w>>,
}

/// The quotations of a case by their checks.
fn of_case(case: &Case, skill: &str, texts: Texts<'_>) -> Vec<(CheckAt, Vec<Quote>)> {
    let wanted = wanted(case);
    if wanted.is_empty() {
        return Vec::new();
    }
    let vocabulary = Vocabulary::of(wanted.iter().map(|wanted| &wanted.pieces));
    let given = Indexed::new(&(given(case) + skill), &vocabulary);
    let runs: Vec<Files<'_>> =
        case.runs.iter().map(|run| Files::read(run, texts, &vocabulary)).collect();
    let mut found: Vec<(CheckAt, Vec<Quote>)> = Vec::new();
    for wanted in &wanted {
        let Some(place) = look_up(wanted, &vocabulary, &runs, &given) else { continue };
        let quote = Quote { text: wanted.text.trim().to_owned(), found: place };
        match found.last_mut().filter(|(at, _)| *at == wanted.at) {
            Some((_, quotes)) => quotes.push(quote),
            None => found.push((wanted.at, vec![quote])),
        }
    }
    found
}

/// Every quotation of a case that is long enough to be judged, run by run.
fn wanted(case: &Case) -> Vec<Wanted<'_>> {
    let mut found = Vec::new();
    for (run, of_run) in case.runs.iter().enumerate() {
        for (grading, of_grading) in of_run.gradings.iter().enumerate() {
            for (check, expectation) in of_grading.expectations.iter().enumerate() {
                let Some(evidence) = &expectation.evidence else { continue };
                let at = CheckAt { iteration: 0, case: 0, run, grading, check };
                let mut about = take_apart(evidence, |text| Pieces::new(text).is_some());
                let quotations = std::mem::take(&mut about.quotations);
                let about = Rc::new(about);
                for Quotation { text, is_denied } in quotations.into_iter().take(MOST_QUOTATIONS) {
                    let Some(pieces) = Pieces::new(text) else { continue };
                    found.push(Wanted { at, text, pieces, is_denied, about: Rc::clone(&about) });
                }
            }
        }
    }
    found
}

/// What run and grader of a case were given.
fn given(case: &Case) -> String {
    let checks = case.runs.iter().flat_map(|run| run.expectations());
    let checks = checks.flat_map(|check| [Some(&check.text), check.description.as_ref()]);
    let planned = case.planned.iter().map(|planned| Some(&planned.text));
    let texts = [case.prompt.as_ref(), case.expected_output.as_ref()];
    let all = texts.into_iter().chain(planned).chain(checks).flatten();
    all.fold(String::new(), |all, text| all + text + "\n")
}

/// Where a quotation is; `None` for one that shows nothing.
fn look_up(
    wanted: &Wanted<'_>,
    vocabulary: &Vocabulary,
    runs: &[Files<'_>],
    given: &Indexed,
) -> Option<Found> {
    let own = &runs[wanted.at.run];
    if let Some((file, Hit { line, distance })) = own.find(&wanted.pieces, vocabulary) {
        let (file, words) = (file.to_owned(), wanted.pieces.len());
        return Some(Found::There { file, line, distance, words });
    }
    if given.find(&wanted.pieces, vocabulary).is_some() {
        return Some(Found::Elsewhere(None));
    }
    if wanted.is_denied {
        return None;
    }
    let other = runs.iter().find_map(|run| {
        let (file, _) = run.find(&wanted.pieces, vocabulary)?;
        Some(format!("{}/{file}", run.path))
    });
    Some(match other {
        Some(path) => Found::Elsewhere(Some(path)),
        None if own.can_tell(&wanted.about) => Found::Missing,
        None => Found::Unknown,
    })
}

/// The files of a run.
struct Files<'w> {
    path: &'w str,
    read: Vec<(&'w str, Indexed)>,
    /// Whether a file is no text, or was not read whole.
    has_unread: bool,
    has_transcript: bool,
}

impl<'w> Files<'w> {
    fn read(run: &'w Run, texts: Texts<'_>, vocabulary: &Vocabulary) -> Self {
        let mut files = Self {
            path: &run.path,
            read: Vec::new(),
            has_unread: run.outputs.len() > MOST_FILES,
            has_transcript: run.transcript.is_some(),
        };
        let mut room = MOST_BYTES_OF_RUN;
        for file in run.outputs.iter().take(MOST_FILES).chain(&run.transcript) {
            let text = (file.bytes <= room).then(|| texts.read(file)).flatten();
            files.has_unread |= text.is_none() || file.bytes > MOST_BYTES;
            let Some(text) = text else { continue };
            room -= file.bytes.min(room);
            files.read.push((&file.name, Indexed::new(&text, vocabulary)));
        }
        files
    }

    /// The file in which a quotation is, with the fewest other words.
    fn find(&self, quotation: &Pieces, vocabulary: &Vocabulary) -> Option<(&str, Hit)> {
        let found =
            |(name, text): &(&'w str, Indexed)| Some((*name, text.find(quotation, vocabulary)?));
        self.read.iter().filter_map(found).min_by_key(|(_, hit)| hit.distance)
    }

    /// Whether everything was read that may hold a quotation.
    fn can_tell(&self, about: &Evidence<'_>) -> bool {
        let is_read = |wanted: &String| {
            let mut names = self.read.iter().map(|(name, _)| name.rsplit('/').next());
            names.any(|name| name.is_some_and(|name| name.to_lowercase() == *wanted))
        };
        let words: usize = self.read.iter().map(|(_, text)| text.len()).sum();
        let is_all_read = match about.files.is_empty() {
            true => !self.has_unread && words >= FEWEST_WORDS,
            false => about.files.iter().all(is_read),
        };
        is_all_read && (self.has_transcript || !about.is_of_transcript)
    }
}

#[cfg(test)]
mod tests;
