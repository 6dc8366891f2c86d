//! The table of expectations: a row per verdict of a run's own grading. Further gradings of the
//! same run would count twice; `report.json` has them.

use crate::analyze::key;
use crate::model::Expectation;
use crate::render::context::Site;
use crate::render::data::{
    export::cell::{Cell, Column, column},
    export::runs::{self, RunRow},
};

pub(super) struct ExpectationRow<'a> {
    run: std::rc::Rc<RunRow<'a>>,
    expectation: &'a Expectation,
    anchor: String,
}

/// The expectations of every case, run by run, in the order they were written.
pub(super) fn by_case<'a>(site: Site<'a>) -> impl Iterator<Item = Vec<ExpectationRow<'a>>> + 'a {
    runs::by_case(site).map(|runs| runs.into_iter().flat_map(of_run).collect())
}

fn of_run(row: RunRow<'_>) -> Vec<ExpectationRow<'_>> {
    let expectations = row.run.expectations();
    let row = std::rc::Rc::new(row);
    let of = |expectation| ExpectationRow {
        anchor: row.anchor(&key(expectation)),
        run: row.clone(),
        expectation,
    };
    expectations.iter().map(of).collect()
}

pub(super) fn columns<'a>() -> Vec<Column<ExpectationRow<'a>>> {
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
