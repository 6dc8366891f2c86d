//! A verdict that a reader may call wrong, on the pages that list checks of several runs.

use crate::render::context::{Page, View, link, view};
use input::model::Run;
use text::folded;

/// A run, by the indices of its iteration, its case there, and itself in the case.
#[derive(Clone, Copy)]
pub(super) struct RunAt {
    pub(super) iteration: usize,
    pub(super) case: usize,
    pub(super) run: usize,
}

/// What a script needs to keep that the grader is wrong on `check`; `None` where the run has no such check.
pub(super) fn disputable(page: &Page<'_>, at: RunAt, check: &str) -> Option<View> {
    let iteration = &page.part.workspace.iterations[at.iteration];
    let run: &Run = &iteration.cases[at.case].runs[at.run];
    let mut checks = run.expectations().iter();
    let own = checks.find(|own| folded(&own.text) == folded(check))?;
    let case_index = page.addresses.case_index(at.iteration, at.case);
    let reviews = &page.shared.reviews[at.iteration];
    Some(view!({
        "run": reviews.run_name(at.case, at.run),
        "iteration": iteration.name,
        "place": link(
            &page.addresses.report_file("index.html"),
            &page.addresses.run(at.iteration, case_index, run),
        ),
        "check": own.text,
        "is_disputed": reviews.is_disputed(at.case, at.run, &own.text),
    }))
}
