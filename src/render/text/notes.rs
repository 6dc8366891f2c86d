//! The notes found in the data, in words, each with where to look.

use std::fmt::Display;

use crate::analyze::{
    Cost, IterationAnalysis, Measured, Note, RunAt, Runaway, StatementAt, Varied,
};
use crate::language::Language;
use crate::model::Iteration;
use crate::render::text::costs;
use crate::statistics::{CostRatio, FAR_FROM_ONE};
use crate::text::fixed;

/// So many places are named; the rest are counted.
const SHOWN: usize = 5;

/// The most bytes of a name or statement.
const LONGEST: usize = 160;

/// Where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place<'n> {
    /// A case, by its index in the iteration.
    Case(usize),
    Run(RunAt),
    /// A statement: the index of its case, and its key.
    Statement(usize, &'n str),
}

/// One place with its name.
pub(crate) struct Evidence<'n> {
    pub(crate) place: Place<'n>,
    /// What stands there, and by how much where that is told.
    pub(crate) text: String,
}

/// One note in words.
pub(crate) struct Told<'n> {
    /// What was found, with its numbers.
    pub(crate) sentence: String,
    pub(crate) evidence: Vec<Evidence<'n>>,
    /// How many more there are, in words, or empty.
    pub(crate) more: String,
}

impl Told<'_> {
    /// All of it in one line.
    pub(crate) fn line(&self, words: &Language) -> String {
        let mut places: Vec<&str> = self.evidence.iter().map(|it| it.text.as_str()).collect();
        places.extend((!self.more.is_empty()).then_some(self.more.as_str()));
        if places.is_empty() {
            return self.sentence.clone();
        }
        let places = places.join(words.text("list.semicolon"));
        words.fill("notes.line", &[("sentence", &self.sentence), ("places", &places)])
    }
}

/// The notes of `iteration` in words, the most severe first.
pub(crate) fn told<'n>(
    iteration: &'n Iteration,
    analysis: &'n IterationAnalysis,
    words: &Language,
) -> Vec<Told<'n>> {
    let teller = Teller { iteration, analysis, words };
    analysis.notes.iter().map(|note| teller.told(note)).collect()
}

struct Teller<'n, 'w> {
    iteration: &'n Iteration,
    analysis: &'n IterationAnalysis,
    words: &'w Language,
}

impl<'n> Teller<'n, '_> {
    fn told(&self, note: &'n Note) -> Told<'n> {
        let evidence = self.evidence(note);
        let more = evidence.len().saturating_sub(SHOWN);
        let more = match more {
            0 => String::new(),
            more => self.words.fill("notes.more", &[("n", &more)]),
        };
        let evidence = evidence.into_iter().take(SHOWN).collect();
        Told { sentence: self.sentence(note), evidence, more }
    }

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
                let places: [(&str, &dyn Display); 2] =
                    [("runs", &runs(found.len())), ("errors", &fixed(*errors, 0))];
                words.fill("notes.errors", &places)
            }
            Note::NoOutput { runs: found, of } => {
                words.fill("notes.no_output", &[("n", &found.len()), ("runs", &runs(*of))])
            }
            Note::HighVariance { cases } => {
                let cases = words.count(cases.len(), "case");
                words.fill("notes.high_variance", &[("cases", &cases)])
            }
            Note::Runaways { measured, runs: found } => {
                let key = match measured {
                    Measured::Tokens => "notes.far_tokens",
                    Measured::Time => "notes.far_time",
                };
                let sentence = words.fill(key, &[("runs", &runs(found.len()))]);
                let places: [(&str, &dyn Display); 2] =
                    [("sentence", &sentence), ("least", &FAR_FROM_ONE)];
                match found.iter().any(|it| it.of == 2) {
                    true => words.fill("notes.far_of_two", &places),
                    false => sentence,
                }
            }
            Note::Cost { measured, ratio } => self.cost(*measured, *ratio),
            Note::FavorsBaseline { statements, of } => {
                self.of_statements("notes.favors_baseline", statements, *of)
            }
            Note::Saturated { statements, of } => {
                self.of_statements("notes.saturated", statements, *of)
            }
            Note::Dead { statements, of } => self.of_statements("notes.dead", statements, *of),
            Note::Flaky { statements, of } => self.of_statements("notes.flaky", statements, *of),
        }
    }

    fn of_statements(&self, key: &str, found: &[StatementAt], of: usize) -> String {
        let [candidate, baseline] = self.sides();
        let places: [(&str, &dyn Display); 4] = [
            ("n", &found.len()),
            ("expectations", &self.words.count(of, "expectation")),
            ("candidate", &candidate),
            ("baseline", &baseline),
        ];
        self.words.fill(key, &places)
    }

    /// The names of the candidate and the baseline, empty where there is none.
    fn sides(&self) -> [&str; 2] {
        let roles = &self.analysis.roles;
        let sides = [roles.candidates.first(), roles.baseline.as_ref()];
        sides.map(|name| name.map(String::as_str).unwrap_or_default())
    }

    fn cost(&self, measured: Measured, ratio: CostRatio) -> String {
        let key = match (measured, ratio.cases) {
            (Measured::Tokens, 1) => "notes.cost_tokens_once",
            (Measured::Time, 1) => "notes.cost_time_once",
            (Measured::Tokens, _) => "notes.cost_tokens",
            (Measured::Time, _) => "notes.cost_time",
        };
        let cost = Cost { ratio: Some(ratio), ..Cost::default() };
        let times = match ratio.cases {
            1 => Some(costs::factor(ratio.geometric_mean)),
            _ => costs::ratio(&cost, self.words),
        };
        let [candidate, baseline] = self.sides();
        let places: [(&str, &dyn Display); 4] = [
            ("ratio", &times.unwrap_or_default()),
            ("cases", &self.words.count(ratio.cases, "case")),
            ("candidate", &candidate),
            ("baseline", &baseline),
        ];
        self.words.fill(key, &places)
    }

    fn evidence(&self, note: &'n Note) -> Vec<Evidence<'n>> {
        match note {
            Note::Ungraded { runs, .. }
            | Note::Errors { runs, .. }
            | Note::NoOutput { runs, .. } => {
                let of = |at: &RunAt| Evidence { place: Place::Run(*at), text: self.run(*at) };
                runs.iter().map(of).collect()
            }
            Note::Runaways { runs, .. } => {
                let of = |found: &Runaway| {
                    let key = match found.of {
                        2 => "notes.run_times_other",
                        _ => "notes.run_times",
                    };
                    let places: [(&str, &dyn Display); 2] =
                        [("run", &self.run(found.at)), ("factor", &fixed(found.factor, 1))];
                    let text = self.words.fill(key, &places);
                    Evidence { place: Place::Run(found.at), text }
                };
                runs.iter().map(of).collect()
            }
            Note::OneSided { cases, .. } => {
                let of = |at: &usize| Evidence { place: Place::Case(*at), text: self.case(*at) };
                cases.iter().map(of).collect()
            }
            Note::HighVariance { cases } => cases.iter().map(|it| self.varied(it)).collect(),
            Note::Cost { .. } => Vec::new(),
            Note::FavorsBaseline { statements, .. }
            | Note::Saturated { statements, .. }
            | Note::Dead { statements, .. }
            | Note::Flaky { statements, .. } => {
                let of = |found: &'n StatementAt| Evidence {
                    place: Place::Statement(found.case, &found.key),
                    text: cut(&found.text),
                };
                statements.iter().map(of).collect()
            }
        }
    }

    fn varied(&self, found: &Varied) -> Evidence<'n> {
        let places: [(&str, &dyn Display); 4] = [
            ("case", &self.case(found.case)),
            ("configuration", &found.configuration),
            ("least", &self.words.percent(found.least)),
            ("most", &self.words.percent(found.most)),
        ];
        let text = self.words.fill("notes.varied", &places);
        Evidence { place: Place::Case(found.case), text }
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

fn cut(text: &str) -> String {
    let shown = &text[..text.floor_char_boundary(LONGEST)];
    if shown.len() < text.len() { format!("{shown}…") } else { shown.to_owned() }
}
