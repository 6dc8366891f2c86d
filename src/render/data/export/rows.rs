//! The rows of the tables: the runs, and the expectations of their own gradings. Further gradings of
//! the same run would count twice; `report.json` has them.

use std::rc::Rc;

use crate::analyze::key;
use crate::model::{Case, Expectation, Metrics, Run, Tally};
use crate::render::context::Site;
use crate::render::data::export::table::{Cell, Column, column};
use crate::render::data::report::computed_cost;

pub(super) struct RunRow<'a> {
    site: Site<'a>,
    iteration: usize,
    line: usize,
    case: &'a Case,
    run: &'a Run,
    metrics: &'a Metrics,
    tally: Tally,
    page: String,
}

pub(super) fn runs<'a>(site: Site<'a>) -> impl Iterator<Item = Vec<RunRow<'a>>> + 'a {
    let iterations = site.part.workspace.iterations.iter().enumerate();
    let cases = iterations.flat_map(|(iteration, found)| {
        found.cases.iter().enumerate().map(move |(index, case)| (iteration, index, case))
    });
    cases.map(move |(iteration, index, case)| {
        let line = site.addresses.line(iteration, index);
        let row = |run: &'a Run| {
            let (metrics, tally) = (&run.metrics, run.tally());
            let page = site.addresses.run(iteration, line, run);
            RunRow { site, iteration, line, case, run, metrics, tally, page }
        };
        case.runs.iter().map(row).collect()
    })
}

impl<'a> RunRow<'a> {
    fn workspace(&self) -> Cell<'_> {
        Cell::text(&self.site.part.workspace.name)
    }

    fn iteration(&self) -> Cell<'_> {
        Cell::text(&self.site.part.workspace.iterations[self.iteration].name)
    }

    fn case(&self) -> Cell<'_> {
        Cell::text(&self.site.part.analysis.lines[self.line].name)
    }

    fn role(&self) -> Cell<'_> {
        let roles = &self.site.part.analysis.iterations[self.iteration].roles;
        let name = &self.run.configuration;
        match () {
            () if roles.baseline.as_ref() == Some(name) => Cell::text("baseline"),
            () if roles.candidates.contains(name) => Cell::text("candidate"),
            () => Cell::Absent,
        }
    }
}

pub(super) fn run_columns<'a>() -> Vec<Column<RunRow<'a>>> {
    named().into_iter().chain(verdicts()).chain(costs()).collect()
}

fn named<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("workspace", "", "the workspace", |row| row.workspace()),
        column("iteration", "", "the iteration", |row| row.iteration()),
        column("case", "", "the case, by the name it has on every page", |row| row.case()),
        column("case_id", "", "the author's id of the case", |row| row.case.id.as_ref().into()),
        column("configuration", "", "the configuration", |row| Cell::text(&row.run.configuration)),
        column("role", "", "`candidate`, `baseline` or nothing", |row| row.role()),
        column("run", "from 1", "number of the run", |row| Cell::Number(row.run.number.into())),
        column("path", "", "its folder below the workspace", |row| Cell::text(&row.run.path)),
        column("page", "", "its page below the report", |row| Cell::text(&row.page)),
    ]
}

fn verdicts<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("passed", "expectations", "passed by the run's own grading", |row| {
            Cell::count(row.tally.passed)
        }),
        column("failed", "expectations", "failed", |row| Cell::count(row.tally.failed)),
        column("ungraded", "expectations", "without a verdict", |row| {
            Cell::count(row.tally.ungraded)
        }),
        column("pass_rate", "0 to 1", "passed over passed and failed", |row| {
            row.tally.pass_rate().into()
        }),
        column("overall", "true or false", "the recorded overall verdict", |row| {
            row.run.grading().and_then(|grading| Option::<bool>::from(grading.overall?)).into()
        }),
        column("grader", "", "who graded", |row| {
            row.run.grading().and_then(|grading| grading.grader.as_ref()).into()
        }),
    ]
}

fn costs<'a>() -> Vec<Column<RunRow<'a>>> {
    vec![
        column("duration_s", "seconds", "as recorded in total", |row| {
            row.metrics.duration_s.into()
        }),
        column("executor_s", "seconds", "of the executor alone", |row| {
            row.metrics.executor_s.into()
        }),
        column("grader_s", "seconds", "of the grader alone", |row| row.metrics.grader_s.into()),
        column("tokens", "tokens", "all of the run; its parts where no total is recorded", |row| {
            row.metrics.tokens.into()
        }),
        column("input_tokens", "tokens", "read", |row| row.metrics.input_tokens.into()),
        column("output_tokens", "tokens", "written", |row| row.metrics.output_tokens.into()),
        column("cached_tokens", "tokens", "read from a cache", |row| {
            row.metrics.cached_tokens.into()
        }),
        column("cache_written_tokens", "tokens", "written to a cache", |row| {
            row.metrics.cache_written_tokens.into()
        }),
        column("cost_usd", "US dollars", "as recorded", |row| row.metrics.cost_usd.into()),
        column("computed_cost_usd", "US dollars", "by `prices`, where none was recorded", |row| {
            computed_cost(row.run, row.site.part.settings).into()
        }),
        column("model", "", "the model that executed", |row| row.metrics.model.as_ref().into()),
        column("tool_calls", "calls", "in total", |row| row.metrics.tool_calls.into()),
        column("steps", "steps", "or turns", |row| row.metrics.steps.into()),
        column("errors", "errors", "met on the way", |row| row.metrics.errors.into()),
        column("output_chars", "characters", "of the outputs", |row| {
            row.metrics.output_chars.into()
        }),
        column("transcript_chars", "characters", "of the transcript", |row| {
            row.metrics.transcript_chars.into()
        }),
        column("started", "as written", "start", |row| row.metrics.started.as_ref().into()),
        column("ended", "as written", "end", |row| row.metrics.ended.as_ref().into()),
        column("outputs", "files", "that the run produced", |row| {
            Cell::count(row.run.outputs.len())
        }),
        column("output_bytes", "bytes", "of these files", |row| {
            Cell::Number(row.run.outputs.iter().map(|output| output.bytes).sum::<u64>() as f64)
        }),
    ]
}

pub(super) struct ExpectationRow<'a> {
    run: Rc<RunRow<'a>>,
    expectation: &'a Expectation,
    anchor: String,
}

pub(super) fn expectations<'a>(
    site: Site<'a>,
) -> impl Iterator<Item = Vec<ExpectationRow<'a>>> + 'a {
    runs(site).map(|rows| rows.into_iter().flat_map(expectations_of).collect())
}

fn expectations_of(row: RunRow<'_>) -> Vec<ExpectationRow<'_>> {
    let (expectations, run) = (row.run.expectations(), Rc::new(row));
    let row = |expectation| ExpectationRow {
        anchor: run.site.addresses.expectation(run.line, &key(expectation)),
        run: run.clone(),
        expectation,
    };
    expectations.iter().map(row).collect()
}

pub(super) fn expectation_columns<'a>() -> Vec<Column<ExpectationRow<'a>>> {
    vec![
        column("workspace", "", "the workspace", |row| row.run.workspace()),
        column("iteration", "", "the iteration", |row| row.run.iteration()),
        column("case", "", "the case, by the name it has on every page", |row| row.run.case()),
        column("configuration", "", "the configuration", |row| {
            Cell::text(&row.run.run.configuration)
        }),
        column("role", "", "`candidate`, `baseline` or nothing", |row| row.run.role()),
        column("run", "from 1", "number of the run", |row| Cell::Number(row.run.run.number.into())),
        column("key", "", "the same for the same expectation of a case, in every run", |row| {
            Cell::text(&row.anchor)
        }),
        column("id", "", "the author's or grader's id", |row| row.expectation.id.as_ref().into()),
        column("expectation", "", "the statement, its first 500 characters", |row| {
            Cell::text(&row.expectation.text)
        }),
        column("outcome", "", "`passed`, `failed` or `ungraded`", |row| {
            Cell::text(row.expectation.outcome.word())
        }),
        column("score", "as graded", "the score on the grader's rubric", |row| {
            row.expectation.score.into()
        }),
        column("required", "true or false", "whether the case fails with it", |row| {
            row.expectation.required.into()
        }),
    ]
}
