//! The columns of the tables of runs and of expectations.
//!
//! Expectations are those of a run's own grading. Second opinions on the same run would count twice;
//! `report.json` has them.

use crate::analyze::key;
use crate::render::context::RenderContext;
use crate::render::data::export::cell::ExportCell;
use crate::render::data::report::computed_cost;
use input::model::{Case, Expectation, Run};

/// A run; in the table of expectations, with one of its checks.
#[derive(Clone, Copy)]
pub(super) struct ExportRow<'a> {
    context: RenderContext<'a>,
    /// Index of the iteration in the workspace.
    iteration: usize,
    /// Index of the case's history in the analysis.
    history: usize,
    case: &'a Case,
    run: &'a Run,
    check: Option<&'a Expectation>,
}

/// The rows of the table of runs, case by case.
pub(super) fn run_rows<'a>(
    context: RenderContext<'a>,
) -> impl Iterator<Item = Vec<ExportRow<'a>>> + 'a {
    let iterations = context.part.workspace.iterations.iter().enumerate();
    let cases = iterations.flat_map(|(at, iteration)| {
        iteration.cases.iter().enumerate().map(move |(index, case)| (at, index, case))
    });
    cases.map(move |(iteration, index, case)| {
        let history = context.addresses.case_index(iteration, index);
        let mut rows = Vec::new();
        for run in &case.runs {
            rows.push(ExportRow { context, iteration, history, case, run, check: None });
        }
        rows
    })
}

/// The rows of the table of expectations, case by case.
pub(super) fn expectation_rows<'a>(
    context: RenderContext<'a>,
) -> impl Iterator<Item = Vec<ExportRow<'a>>> + 'a {
    run_rows(context).map(|runs| {
        let mut rows = Vec::new();
        for row in runs {
            let checks = row.run.expectations().iter();
            rows.extend(checks.map(|check| ExportRow { check: Some(check), ..row }));
        }
        rows
    })
}

#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// Its unit; empty for a text.
    pub(super) unit: &'static str,
    pub(super) meaning: &'static str,
    pub(super) value: fn(&ExportRow<'_>) -> ExportCell,
}

const fn column(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    value: fn(&ExportRow<'_>) -> ExportCell,
) -> Column {
    Column { name, unit, meaning, value }
}

/// A column of a figure of a run under its own name.
macro_rules! metric {
    ($name:ident, $unit:literal, $meaning:literal) => {
        column(stringify!($name), $unit, $meaning, |row| row.run.metrics.$name.into())
    };
}

const WORKSPACE: Column = column("workspace", "", "the workspace", |row| {
    ExportCell::text(&row.context.part.workspace.name)
});
const ITERATION: Column = column("iteration", "", "the iteration", |row| {
    ExportCell::text(&row.context.part.workspace.iterations[row.iteration].name)
});
const CASE: Column = column("case", "", "the case, by the name it has on every page", |row| {
    ExportCell::text(&row.context.part.analysis.cases[row.history].name)
});
const CASE_ID: Column =
    column("case_id", "", "the author's id of the case", |row| row.case.id.as_ref().into());
const CONFIGURATION: Column = column("configuration", "", "the configuration", |row| {
    ExportCell::text(&row.run.configuration)
});
const ROLE: Column = column("role", "", "`candidate`, `baseline` or nothing", role);
const RUN: Column =
    column("run", "from 1", "number of the run", |row| ExportCell::Number(row.run.number.into()));

/// `runs.csv` and `runs.jsonl`.
pub(super) const RUN_COLUMNS: &[Column] = &[
    WORKSPACE,
    ITERATION,
    CASE,
    CASE_ID,
    CONFIGURATION,
    ROLE,
    RUN,
    column("path", "", "its folder below the workspace", |row| ExportCell::text(&row.run.path)),
    column("page", "", "its page below the report", |row| {
        ExportCell::text(&row.context.addresses.run(row.iteration, row.history, row.run))
    }),
    column("passed", "expectations", "passed by the run's own grading", |row| {
        ExportCell::count(row.run.tally().passed)
    }),
    column("failed", "expectations", "failed", |row| ExportCell::count(row.run.tally().failed)),
    column("ungraded", "expectations", "without a verdict", |row| {
        ExportCell::count(row.run.tally().ungraded)
    }),
    column("pass_rate", "0 to 1", "passed over passed and failed", |row| {
        row.run.tally().pass_rate().into()
    }),
    column("overall", "true or false", "the recorded overall verdict", |row| {
        row.run.grading().and_then(|grading| Option::<bool>::from(grading.overall?)).into()
    }),
    column("grader", "", "who graded", |row| {
        row.run.grading().and_then(|grading| grading.grader.as_ref()).into()
    }),
    metric!(duration_s, "seconds", "as recorded in total"),
    metric!(executor_s, "seconds", "of the executor alone"),
    metric!(grader_s, "seconds", "of the grader alone"),
    metric!(tokens, "tokens", "all of the run; its parts where no total is recorded"),
    metric!(input_tokens, "tokens", "read"),
    metric!(output_tokens, "tokens", "written"),
    metric!(cached_tokens, "tokens", "read from a cache"),
    metric!(cache_written_tokens, "tokens", "written to a cache"),
    metric!(cost_usd, "US dollars", "as recorded"),
    column("computed_cost_usd", "US dollars", "by `prices`, where none was recorded", |row| {
        computed_cost(row.run, row.context.part.settings).into()
    }),
    column("model", "", "the model that executed", |row| row.run.metrics.model.as_ref().into()),
    metric!(tool_calls, "calls", "in total"),
    metric!(steps, "steps", "or turns"),
    metric!(errors, "errors", "encountered during the run"),
    metric!(output_chars, "characters", "of the outputs"),
    metric!(transcript_chars, "characters", "of the transcript"),
    column("started", "as written", "start", |row| row.run.metrics.started.as_ref().into()),
    column("ended", "as written", "end", |row| row.run.metrics.ended.as_ref().into()),
    column("outputs", "files", "that the run produced", |row| {
        ExportCell::count(row.run.outputs.len())
    }),
    column("output_bytes", "bytes", "of these files", |row| {
        ExportCell::Number(row.run.outputs.iter().map(|output| output.bytes).sum::<u64>() as f64)
    }),
    column("reused_from", "", "the iteration that made it, where it counts again", |row| {
        row.run.reuse.as_ref().map(|reuse| &reuse.iteration).into()
    }),
];

/// `expectations.csv`.
pub(super) const EXPECTATION_COLUMNS: &[Column] = &[
    WORKSPACE,
    ITERATION,
    CASE,
    CASE_ID,
    CONFIGURATION,
    ROLE,
    RUN,
    column("key", "", "the same for the same expectation of a case, in every run", |row| match row
        .check
    {
        Some(check) => {
            ExportCell::text(&row.context.addresses.expectation(row.history, &key(check)))
        }
        None => ExportCell::Absent,
    }),
    column("id", "", "the author's or grader's id", |row| {
        row.check.and_then(|check| check.id.as_ref()).into()
    }),
    column("expectation", "", "the statement, its first 500 characters", |row| {
        row.check.map(|check| &check.text).into()
    }),
    column("outcome", "", "`passed`, `failed` or `ungraded`", |row| match row.check {
        Some(check) => ExportCell::text(check.outcome.word()),
        None => ExportCell::Absent,
    }),
    column("evidence", "", "why the grader said so, its first 500 characters", |row| {
        row.check.and_then(|check| check.evidence.as_ref()).into()
    }),
    column("score", "as graded", "the score on the grader's rubric", |row| {
        row.check.and_then(|check| check.score).into()
    }),
    column("required", "true or false", "whether the case fails with it", |row| {
        row.check.and_then(|check| check.required).into()
    }),
];

fn role(row: &ExportRow<'_>) -> ExportCell {
    let roles = &row.context.part.analysis.iterations[row.iteration].roles;
    let name = &row.run.configuration;
    if roles.baseline.as_ref() == Some(name) {
        ExportCell::text("baseline")
    } else if roles.candidates.contains(name) {
        ExportCell::text("candidate")
    } else {
        ExportCell::Absent
    }
}
