//! Fills the shapes of what was found in the data: notes, and the health of the expectations.

use crate::analyze::{Expectations, IterationAnalysis, Note, RunAt, StatementAt, Usefulness};
use crate::language::Language;
use crate::model::Iteration;
use crate::render::context::Part;
use crate::render::text::notes;
use crate::report_json::{ExpectationPlaceJson, HealthJson, NoteJson, RunPlaceJson};

/// The notes of `iteration`, the most severe first.
pub(super) fn notes<'a>(
    iteration: &'a Iteration,
    analysis: &'a IterationAnalysis,
) -> Vec<NoteJson<'a>> {
    let told = notes::told(iteration, analysis, &Language::default());
    let shape = |(note, told): (&'a Note, notes::Told<'a>)| NoteJson {
        message: told.sentence,
        ..note_of(iteration, note)
    };
    analysis.notes.iter().zip(told).map(shape).collect()
}

/// Kind and places of a note.
fn note_of<'a>(iteration: &'a Iteration, note: &'a Note) -> NoteJson<'a> {
    let case = |at: usize| iteration.cases[at].name.as_str();
    let run = |at: &RunAt| {
        let run = &iteration.cases[at.case].runs[at.run];
        let (configuration, number) = (run.configuration.as_str(), run.number);
        RunPlaceJson { case: case(at.case), configuration, number }
    };
    let of = |kind| NoteJson { kind, ..NoteJson::default() };
    let runs = |kind, all: &[RunAt]| NoteJson { runs: all.iter().map(run).collect(), ..of(kind) };
    let statements = |kind, all: &'a [StatementAt]| {
        let place =
            |it: &'a StatementAt| ExpectationPlaceJson { case: case(it.case), text: &it.text };
        NoteJson { expectations: all.iter().map(place).collect(), ..of(kind) }
    };
    match note {
        Note::Ungraded { runs: all, .. } => runs("ungraded", all),
        Note::Errors { runs: all, .. } => runs("errors", all),
        Note::NoOutput { runs: all, .. } => runs("no output", all),
        Note::Runaways { runs: all, .. } => {
            let all: Vec<RunAt> = all.iter().map(|it| it.at).collect();
            runs("runaways", &all)
        }
        Note::OneSided { cases, .. } => {
            NoteJson { cases: cases.iter().map(|at| case(*at)).collect(), ..of("one-sided") }
        }
        Note::HighVariance { cases } => NoteJson {
            cases: cases.iter().map(|it| case(it.case)).collect(),
            ..of("high variance")
        },
        Note::Cost { .. } => of("cost"),
        Note::FavorsBaseline { statements: all, .. } => statements("favors baseline", all),
        Note::Saturated { statements: all, .. } => statements("saturated", all),
        Note::Dead { statements: all, .. } => statements("dead", all),
        Note::Flaky { statements: all, .. } => statements("flaky", all),
    }
}

/// What the expectations of `part` can show; `None` where no candidate has a verdict.
pub(super) fn health(part: &Part<'_>, found: &Expectations<'_>) -> Option<HealthJson> {
    let health = found.health()?;
    let uses = Usefulness::ALL.into_iter().filter(|it| *it != Usefulness::Earlier);
    let counted = uses.map(|it| (it.word(), found.number(it)));
    Some(HealthJson {
        iteration: part.workspace.iterations[found.iteration?].name.clone(),
        expectations: health.statements,
        compared: health.compared,
        uses: counted.filter(|(_, number)| *number > 0).collect(),
        flaky: found.flaky(),
        runs: health.runs,
        looks_stable: health.hidden,
        candidate_pass_rate: found.candidate.pass_rate(),
        candidate_pass_rate_unsaturated: found.candidate_unsaturated.pass_rate(),
    })
}
