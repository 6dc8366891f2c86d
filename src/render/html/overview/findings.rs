//! Findings in the files behind the numbers, one line each, linked to the pages that show them.

use crate::analyze::missing;
use crate::language::say;
use crate::render::context::{Link, Page};
use crate::wording::loading;
use input::model::Outcome;

pub(super) fn findings(page: &Page<'_>) -> Vec<Link> {
    let mut links = Vec::new();
    if let Some(newest) = page.part.analysis.newest() {
        if let Some(text) = loading(page, newest) {
            links.push(on_iteration(page, newest, "loading", text));
        }
        let passed = passed_on_missing(page, newest);
        links.extend(grading_link(page, newest, "findings.evidence", passed));
        let inconsistent = page.part.inconsistent().iter();
        let inconsistent = inconsistent.filter(|found| found.iteration() == newest).count();
        links.extend(grading_link(page, newest, "findings.inconsistent", inconsistent));
    }
    links
}

fn on_iteration(page: &Page<'_>, iteration: usize, anchor: &str, text: String) -> Link {
    Link::new(format!("{}#{anchor}", page.iteration_link(iteration).href), text)
}

/// The number of checks that passed although the output lacks what the grader quotes.
fn passed_on_missing(page: &Page<'_>, iteration: usize) -> usize {
    let missing = missing(page.part.quotes().in_iteration(iteration));
    let outcomes = missing.iter().map(|(at, _)| at.check(page.part.workspace).outcome);
    outcomes.filter(|outcome| *outcome == Outcome::Passed).count()
}

/// A link to the findings on the gradings of an iteration; `None` for no check.
fn grading_link(page: &Page<'_>, iteration: usize, key: &str, checks: usize) -> Option<Link> {
    if checks == 0 {
        return None;
    }
    let text = say!(page.language, key, checks = page.language.count(checks, "check"));
    Some(on_iteration(page, iteration, "evidence", text))
}

/// In how many runs of the newest candidate the skill was loaded.
fn loading(page: &Page<'_>, newest: usize) -> Option<String> {
    let loads = &page.part.analysis.iterations[newest].candidate()?.loads;
    let counts = loading::counts(loads, page.language)?;
    let mut sentences = vec![say!(page.language, "loading.finding", counts)];
    sentences.extend(loading::diluted(loads, page.language));
    Some(page.language.sentences(sentences))
}
