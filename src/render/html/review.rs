//! People's words on runs, with the names by which the page's own scripts find them again.

use serde::Serialize;

use crate::discover::{is_case, is_run, run_id};
use crate::model::{Case, Iteration, Review, Run};
use crate::render::html::Site;

/// One recorded review.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ReviewRow {
    /// The run as the file names it.
    id: String,
    /// The run as the report names it; empty where the review is about something else.
    about: String,
    /// The words.
    text: String,
    /// When, as written, or empty.
    time: String,
}

impl ReviewRow {
    fn of(review: &Review, about: String) -> Self {
        Self {
            id: review.run_id.clone(),
            about,
            text: review.text.clone(),
            time: review.timestamp.clone().unwrap_or_default(),
        }
    }
}

/// What a run's page says of reviews, and where a new one would belong.
#[derive(Debug, Serialize)]
pub(super) struct ReviewForm {
    iteration: String,
    run: String,
    rows: Vec<ReviewRow>,
}

impl ReviewForm {
    /// The form of one run, with the reviews of it and of its case.
    pub(super) fn of(site: Site<'_>, index: usize, case: &Case, run: &Run) -> Self {
        let iteration = &site.part.workspace.iterations[index];
        let name = run_id(iteration, case, run);
        let row = |review: &Review| {
            let is_own = is_run(&review.run_id, iteration, case, run);
            let is_shown = is_own || is_case(&review.run_id, iteration, case);
            let about = if is_own { name.clone() } else { String::new() };
            is_shown.then(|| ReviewRow::of(review, about))
        };
        Self {
            iteration: iteration.name.clone(),
            rows: reviews(iteration).filter_map(row).collect(),
            run: name,
        }
    }
}

/// The reviews of an iteration, and where the reader's own are gathered.
#[derive(Debug, Serialize)]
pub(super) struct ReviewList {
    iteration: String,
    /// Whether the file read was a flat map from run to words.
    is_flat: bool,
    rows: Vec<ReviewRow>,
}

impl ReviewList {
    /// The list of one iteration.
    pub(super) fn of(site: Site<'_>, index: usize) -> Self {
        let iteration = &site.part.workspace.iterations[index];
        let row = |review: &Review| ReviewRow::of(review, about(iteration, review));
        Self {
            iteration: iteration.name.clone(),
            is_flat: iteration.feedback.iter().any(|feedback| feedback.flat),
            rows: reviews(iteration).map(row).collect(),
        }
    }
}

fn reviews(iteration: &Iteration) -> impl Iterator<Item = &Review> {
    iteration.feedback.iter().flat_map(|feedback| &feedback.reviews)
}

/// The name of the first run that a review names; empty when it names none.
fn about(iteration: &Iteration, review: &Review) -> String {
    let found = iteration.cases.iter().find_map(|case| {
        let run = case.runs.iter().find(|run| is_run(&review.run_id, iteration, case, run))?;
        Some(run_id(iteration, case, run))
    });
    found.unwrap_or_default()
}
