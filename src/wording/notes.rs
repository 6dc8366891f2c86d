//! The notes on the data, with the places to look at.

use crate::analyze::{IterationAnalysis, Note, Resource, RunAt, Runaway, StatementAt, VaryingCase};
use crate::language::{Language, say};
use crate::wording::costs::CostKind;
use input::model::Iteration;
use statistics::FAR_FROM_ONE;
use text::fixed;

/// Places that are named; the others are counted.
const NAMED_PLACES: usize = 5;

/// Names of a side under several harnesses or models.
const NAMED_CONDITIONS: usize = 2;

/// Bytes of a name or statement.
const NAME_LENGTH: usize = 160;

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
    pub(crate) fn line(&self, language: &Language) -> String {
        let sentence = &self.sentence;
        if self.evidence.is_empty() {
            return sentence.clone();
        }
        let mut places = self.evidence.clone();
        if !self.more.is_empty() {
            places.push(self.more.clone());
        }
        let places = places.join(language.text("list.semicolon"));
        say!(language, "notes.line", sentence, places)
    }
}

pub(crate) fn write_notes<'n>(
    iteration: &'n Iteration,
    analysis: &'n IterationAnalysis,
    language: &Language,
) -> Vec<NoteText<'n>> {
    let writer = NoteWriter { iteration, analysis, language };
    let mut notes = Vec::new();
    for note in &analysis.notes {
        let (kind, places) = kind_and_places(note);
        let named = places.iter().take(NAMED_PLACES).enumerate();
        notes.push(NoteText {
            kind,
            sentence: writer.sentence(note),
            evidence: named.map(|(at, place)| writer.evidence(note, at, *place)).collect(),
            more: language.beyond("notes.more", places.len(), NAMED_PLACES),
            places,
        });
    }
    notes
}

struct NoteWriter<'w> {
    iteration: &'w Iteration,
    analysis: &'w IterationAnalysis,
    language: &'w Language,
}

impl NoteWriter<'_> {
    fn sentence(&self, note: &Note) -> String {
        let language = self.language;
        match note {
            Note::Ungraded { runs, of } => self.n_of_runs("notes.ungraded", runs, *of),
            Note::NoOutput { runs, of } => self.n_of_runs("notes.no_output", runs, *of),
            Note::OneSided { configuration, other, cases } => {
                let cases = language.count(cases.len(), "case");
                say!(language, "notes.one_sided", cases, configuration, other)
            }
            Note::Errors { runs, errors } => {
                let runs = language.count(runs.len(), "run");
                say!(language, "notes.errors", runs, errors = fixed(*errors, 0))
            }
            Note::HighVariance { cases } => {
                say!(language, "notes.high_variance", cases = language.count(cases.len(), "case"))
            }
            Note::Runaways { resource, runs } => self.runaways(*resource, runs),
            // One case is told as such: its ratio is no mean.
            Note::Cost { resource, ratio } => {
                let key = match (resource, ratio.cases) {
                    (Resource::Tokens, 1) => "notes.cost_tokens_once",
                    (Resource::Time, 1) => "notes.cost_time_once",
                    (Resource::Tokens, _) => "notes.cost_tokens",
                    (Resource::Time, _) => "notes.cost_time",
                };
                let [candidate, baseline] = self.sides();
                let cases = language.count(ratio.cases, "case");
                let less = match resource {
                    Resource::Tokens => CostKind::Tokens.less(),
                    Resource::Time => CostKind::Time.less(),
                };
                let ratio = language.ratio(ratio.geometric_mean, less);
                say!(language, key, ratio, cases, candidate, baseline)
            }
            Note::FavorsBaseline { statements, of } => {
                self.n_of_statements("notes.favors_baseline", statements, *of)
            }
            Note::Saturated { statements, of } => {
                self.n_of_statements("notes.saturated", statements, *of)
            }
            Note::Dead { statements, of } => self.n_of_statements("notes.dead", statements, *of),
            Note::Flaky { statements, of } => self.n_of_statements("notes.flaky", statements, *of),
        }
    }

    fn n_of_runs(&self, key: &str, found: &[RunAt], total: usize) -> String {
        say!(self.language, key, n = found.len(), runs = self.language.count(total, "run"))
    }

    fn n_of_statements(&self, key: &str, found: &[StatementAt], total: usize) -> String {
        let [candidate, baseline] = self.sides();
        let expectations = self.language.count(total, "expectation");
        say!(self.language, key, n = found.len(), expectations, candidate, baseline)
    }

    fn runaways(&self, resource: Resource, runs: &[Runaway]) -> String {
        let language = self.language;
        let key = match resource {
            Resource::Tokens => "notes.far_tokens",
            Resource::Time => "notes.far_time",
        };
        let sentence = say!(language, key, runs = language.count(runs.len(), "run"));
        // Of two runs neither is typical, so the reader is told which factor counts as far.
        if runs.iter().any(|run| run.of == 2) {
            return say!(language, "notes.far_of_two", sentence, least = FAR_FROM_ONE);
        }
        sentence
    }

    /// The names of the judged sides; under several harnesses or models a side has several.
    fn sides(&self) -> [String; 2] {
        self.analysis.roles.judged_sides().map(|names| {
            let names = names.into_iter().map(str::to_owned).collect();
            self.language.first_few(names, NAMED_CONDITIONS, "list.comma")
        })
    }

    fn evidence(&self, note: &Note, at: usize, place: NotePlace<'_>) -> String {
        let language = self.language;
        match (note, place) {
            (Note::Runaways { runs, .. }, NotePlace::Run(run)) => {
                let Runaway { of, factor, .. } = runs[at];
                let key = if of == 2 { "notes.run_times_other" } else { "notes.run_times" };
                say!(language, key, run = self.run(run), factor = fixed(factor, 1))
            }
            (Note::HighVariance { cases }, NotePlace::Case(case)) => {
                let VaryingCase { configuration, least, most, .. } = &cases[at];
                say!(
                    language,
                    "notes.varied",
                    case = self.case(case),
                    configuration,
                    least = language.percent(*least),
                    most = language.percent(*most),
                )
            }
            (_, NotePlace::Case(case)) => self.case(case),
            (_, NotePlace::Run(run)) => self.run(run),
            (_, NotePlace::Statement(found)) => shorten(&found.text),
        }
    }

    fn case(&self, at: usize) -> String {
        shorten(&self.iteration.cases[at].name)
    }

    fn run(&self, at: RunAt) -> String {
        let run = &self.iteration.cases[at.case].runs[at.run];
        say!(
            self.language,
            "notes.run",
            case = self.case(at.case),
            configuration = run.configuration,
            number = run.number,
        )
    }
}

fn kind_and_places(note: &Note) -> (&'static str, Vec<NotePlace<'_>>) {
    match note {
        Note::Ungraded { runs, .. } => ("ungraded", run_places(runs)),
        Note::Errors { runs, .. } => ("errors", run_places(runs)),
        Note::NoOutput { runs, .. } => ("no output", run_places(runs)),
        Note::Runaways { runs, .. } => {
            ("runaways", runs.iter().map(|found| NotePlace::Run(found.at)).collect())
        }
        Note::OneSided { cases, .. } => {
            ("one-sided", cases.iter().map(|case| NotePlace::Case(*case)).collect())
        }
        Note::HighVariance { cases } => {
            ("high variance", cases.iter().map(|found| NotePlace::Case(found.case)).collect())
        }
        Note::Cost { .. } => ("cost", Vec::new()),
        Note::FavorsBaseline { statements, .. } => {
            ("favors baseline", statement_places(statements))
        }
        Note::Saturated { statements, .. } => ("saturated", statement_places(statements)),
        Note::Dead { statements, .. } => ("dead", statement_places(statements)),
        Note::Flaky { statements, .. } => ("flaky", statement_places(statements)),
    }
}

fn run_places(runs: &[RunAt]) -> Vec<NotePlace<'_>> {
    runs.iter().map(|run| NotePlace::Run(*run)).collect()
}

fn statement_places(statements: &[StatementAt]) -> Vec<NotePlace<'_>> {
    statements.iter().map(NotePlace::Statement).collect()
}

fn shorten(text: &str) -> String {
    let shown = &text[..text.floor_char_boundary(NAME_LENGTH)];
    if shown.len() < text.len() { format!("{shown}…") } else { shown.to_owned() }
}
