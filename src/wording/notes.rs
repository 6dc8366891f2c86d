//! The notes on the data in words, with the places to look at.

use std::fmt::Display;

use crate::analyze::{IterationAnalysis, Note, Resource, RunAt, Runaway, StatementAt, VaryingCase};
use crate::language::Language;
use crate::model::Iteration;
use crate::statistics::FAR_FROM_ONE;
use crate::text::fixed;
use crate::wording::costs;

/// Most places that are named; the others are counted.
const SHOWN: usize = 5;
/// Most bytes of a name or statement.
const LONGEST: usize = 160;

#[derive(Clone, Copy, Debug)]
pub(crate) enum NotePlace<'n> {
    Case(usize),
    Run(RunAt),
    Statement(&'n StatementAt),
}

pub(crate) struct NoteText<'n> {
    /// The kind of finding, as in `report.json`.
    pub(crate) kind: &'static str,
    pub(crate) sentence: String,
    pub(crate) places: Vec<NotePlace<'n>>,
    /// The first places in words, with the size of the finding if known.
    pub(crate) evidence: Vec<String>,
    /// The number of others in words, or empty.
    pub(crate) more: String,
}

impl NoteText<'_> {
    pub(crate) fn line(&self, words: &Language) -> String {
        let more = (!self.more.is_empty()).then_some(&self.more);
        let places: Vec<&str> = self.evidence.iter().chain(more).map(String::as_str).collect();
        if places.is_empty() {
            return self.sentence.clone();
        }
        let places = places.join(words.text("list.semicolon"));
        words.fill("notes.line", &[("sentence", &self.sentence), ("places", &places)])
    }
}

pub(crate) fn write_notes<'n>(
    iteration: &'n Iteration,
    analysis: &'n IterationAnalysis,
    words: &Language,
) -> Vec<NoteText<'n>> {
    let writer = NoteWriter { iteration, analysis, words };
    let write = |note: &'n Note| {
        let (kind, places) = kind_and_places(note);
        let shown = places.iter().take(SHOWN).enumerate();
        NoteText {
            kind,
            sentence: writer.sentence(note),
            evidence: shown.map(|(at, place)| writer.evidence(note, at, *place)).collect(),
            more: words.beyond("notes.more", places.len(), SHOWN),
            places,
        }
    };
    analysis.notes.iter().map(write).collect()
}

struct NoteWriter<'w> {
    iteration: &'w Iteration,
    analysis: &'w IterationAnalysis,
    words: &'w Language,
}

impl NoteWriter<'_> {
    fn sentence(&self, note: &Note) -> String {
        let words = self.words;
        let runs = |number: usize| words.count(number, "run");
        match note {
            Note::Ungraded { runs: found, of } => {
                words.fill("notes.ungraded", &[("n", &found.len()), ("runs", &runs(*of))])
            }
            Note::OneSided { configuration, other, cases } => {
                let places: [(&str, &dyn Display); 3] = [
                    ("cases", &words.count(cases.len(), "case")),
                    ("configuration", configuration),
                    ("other", other),
                ];
                words.fill("notes.one_sided", &places)
            }
            Note::Errors { runs: found, errors } => {
                let errors = fixed(*errors, 0);
                words.fill("notes.errors", &[("runs", &runs(found.len())), ("errors", &errors)])
            }
            Note::NoOutput { runs: found, of } => {
                words.fill("notes.no_output", &[("n", &found.len()), ("runs", &runs(*of))])
            }
            Note::HighVariance { cases } => {
                let cases = words.count(cases.len(), "case");
                words.fill("notes.high_variance", &[("cases", &cases)])
            }
            Note::Runaways { resource, runs: found } => {
                let key = match resource {
                    Resource::Tokens => "notes.far_tokens",
                    Resource::Time => "notes.far_time",
                };
                let sentence = words.fill(key, &[("runs", &runs(found.len()))]);
                if found.iter().all(|found| found.of != 2) {
                    return sentence;
                }
                let key = "notes.far_of_two";
                words.fill(key, &[("sentence", &sentence), ("least", &FAR_FROM_ONE)])
            }
            Note::Cost { resource, ratio } => {
                let key = match (resource, ratio.cases) {
                    (Resource::Tokens, 1) => "notes.cost_tokens_once",
                    (Resource::Time, 1) => "notes.cost_time_once",
                    (Resource::Tokens, _) => "notes.cost_tokens",
                    (Resource::Time, _) => "notes.cost_time",
                };
                let factor = costs::factor(ratio.geometric_mean);
                let cases = words.count(ratio.cases, "case");
                self.on_sides(key, [("ratio", &factor), ("cases", &cases)])
            }
            Note::FavorsBaseline { statements: found, of } => {
                self.on_statements("notes.favors_baseline", found, *of)
            }
            Note::Saturated { statements: found, of } => {
                self.on_statements("notes.saturated", found, *of)
            }
            Note::Dead { statements: found, of } => self.on_statements("notes.dead", found, *of),
            Note::Flaky { statements: found, of } => self.on_statements("notes.flaky", found, *of),
        }
    }

    fn on_statements(&self, key: &str, statements: &[StatementAt], total: usize) -> String {
        let total = self.words.count(total, "expectation");
        self.on_sides(key, [("n", &statements.len()), ("expectations", &total)])
    }

    fn on_sides(&self, key: &str, [first, second]: [(&str, &dyn Display); 2]) -> String {
        let roles = &self.analysis.roles;
        let [candidate, baseline] = [roles.candidates.first(), roles.baseline.as_ref()]
            .map(|name| name.map_or("", String::as_str));
        let sides: [(&str, &dyn Display); 2] = [("candidate", &candidate), ("baseline", &baseline)];
        self.words.fill(key, &[first, second, sides[0], sides[1]])
    }

    fn evidence(&self, note: &Note, at: usize, place: NotePlace<'_>) -> String {
        match (note, place) {
            (Note::Runaways { runs, .. }, NotePlace::Run(run)) => {
                let Runaway { of, factor, .. } = runs[at];
                let key = if of == 2 { "notes.run_times_other" } else { "notes.run_times" };
                self.words.fill(key, &[("run", &self.run(run)), ("factor", &fixed(factor, 1))])
            }
            (Note::HighVariance { cases }, NotePlace::Case(case)) => {
                let VaryingCase { configuration, least, most, .. } = &cases[at];
                let places: [(&str, &dyn Display); 4] = [
                    ("case", &self.case(case)),
                    ("configuration", configuration),
                    ("least", &self.words.percent(*least)),
                    ("most", &self.words.percent(*most)),
                ];
                self.words.fill("notes.varied", &places)
            }
            (_, NotePlace::Case(case)) => self.case(case),
            (_, NotePlace::Run(run)) => self.run(run),
            (_, NotePlace::Statement(found)) => cut(&found.text),
        }
    }

    fn case(&self, at: usize) -> String {
        cut(&self.iteration.cases[at].name)
    }

    fn run(&self, at: RunAt) -> String {
        let run = &self.iteration.cases[at.case].runs[at.run];
        let places: [(&str, &dyn Display); 3] = [
            ("case", &self.case(at.case)),
            ("configuration", &run.configuration),
            ("number", &run.number),
        ];
        self.words.fill("notes.run", &places)
    }
}

fn kind_and_places(note: &Note) -> (&'static str, Vec<NotePlace<'_>>) {
    let (run, case) = (|at: &RunAt| NotePlace::Run(*at), |at: &usize| NotePlace::Case(*at));
    let runs = |found: &[RunAt]| found.iter().map(run).collect();
    let statements = |found| <[StatementAt]>::iter(found).map(NotePlace::Statement).collect();
    match note {
        Note::Ungraded { runs: found, .. } => ("ungraded", runs(found)),
        Note::Errors { runs: found, .. } => ("errors", runs(found)),
        Note::NoOutput { runs: found, .. } => ("no output", runs(found)),
        Note::Runaways { runs, .. } => {
            ("runaways", runs.iter().map(|found| run(&found.at)).collect())
        }
        Note::OneSided { cases, .. } => ("one-sided", cases.iter().map(case).collect()),
        Note::HighVariance { cases } => {
            ("high variance", cases.iter().map(|found| case(&found.case)).collect())
        }
        Note::Cost { .. } => ("cost", Vec::new()),
        Note::FavorsBaseline { statements: found, .. } => ("favors baseline", statements(found)),
        Note::Saturated { statements: found, .. } => ("saturated", statements(found)),
        Note::Dead { statements: found, .. } => ("dead", statements(found)),
        Note::Flaky { statements: found, .. } => ("flaky", statements(found)),
    }
}

fn cut(text: &str) -> String {
    let shown = &text[..text.floor_char_boundary(LONGEST)];
    if shown.len() < text.len() { format!("{shown}…") } else { shown.to_owned() }
}
