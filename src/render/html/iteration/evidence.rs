//! How far the quotations of the graders are in the outputs, and equal outputs with other verdicts.

use serde::Serialize;

use crate::analyze::{CheckAt, Inconsistent, Quote, key, missing};
use crate::model::Outcome;
use crate::render::context::{Link, Site, link};
use crate::render::html::List;
use crate::render::text::quotes;

/// So many checks are listed of each kind.
const LISTED: usize = 12;

/// What is known of the evidence of an iteration.
#[derive(Default, Serialize)]
pub(super) struct EvidenceView {
    /// A sentence on each grader.
    graders: Vec<String>,
    passed: List<CheckRow>,
    others: List<CheckRow>,
    inconsistent: List<CheckRow>,
}

#[derive(Default, Serialize)]
struct CheckRow {
    /// The check, leading to where it was graded.
    link: Link,
    place: String,
    /// What is quoted in vain.
    quotes: Vec<String>,
}

/// The evidence of the iteration at `index`, for the page at `path`.
pub(super) fn evidence(site: Site<'_>, index: usize, path: &str) -> EvidenceView {
    let (workspace, words) = (site.part.workspace, site.language);
    let counts = site.part.quotes().by_grader(workspace, index);
    let known = counts.iter().filter(|(_, counts)| counts.known() > 0);
    let missing = missing(site.part.quotes().of_iteration(index));
    let (passed, others): (Vec<_>, Vec<_>) =
        missing.into_iter().partition(|(at, _)| at.check(workspace).outcome == Outcome::Passed);
    let inconsistent = site.part.inconsistent().iter().filter(|found| found.iteration() == index);
    let inconsistent = inconsistent.map(|found| differing(site, path, found)).collect();
    let row = |(at, missing): &(CheckAt, Vec<&Quote>)| check_row(site, path, at, missing);
    EvidenceView {
        graders: known.map(|(grader, counts)| quotes::of_grader(*grader, counts, words)).collect(),
        passed: List::new(site, "quotes.passed", passed.iter().map(row).collect(), LISTED),
        others: List::new(site, "quotes.not_passed", others.iter().map(row).collect(), LISTED),
        inconsistent: List::new(site, "quotes.inconsistent", inconsistent, LISTED),
    }
}

fn check_row(site: Site<'_>, path: &str, at: &CheckAt, missing: &[&Quote]) -> CheckRow {
    let check = at.check(site.part.workspace);
    let case = &site.part.workspace.iterations[at.iteration].cases[at.case];
    let line = site.addresses.line(at.iteration, at.case);
    let to = link(path, &site.addresses.run(at.iteration, line, &case.runs[at.run]));
    let href = format!("{to}#{}", site.addresses.expectation(line, &key(check)));
    let place = [case.name.clone(), site.run_name(&case.runs[at.run])];
    CheckRow {
        link: Link { href, text: check.text.clone() },
        place: place.join(site.language.text("list.comma")),
        quotes: missing.iter().map(|quote| quotes::short(quote)).collect(),
    }
}

fn differing(site: Site<'_>, path: &str, found: &Inconsistent) -> CheckRow {
    let workspace = site.part.workspace;
    let [passed, failed] = found.runs.map(|at| {
        let run = site.run_name(at.run(workspace));
        [workspace.iterations[at.iteration].name.clone(), run]
            .join(site.language.text("list.comma"))
    });
    let case = &site.part.analysis.lines[found.line].name;
    let at = found.runs[1];
    let to = link(path, &site.addresses.run(at.iteration, found.line, at.run(workspace)));
    let href = format!("{to}#{}", site.addresses.expectation(found.line, &found.key));
    let values: [(&str, &dyn std::fmt::Display); 3] =
        [("case", case), ("passed", &passed), ("failed", &failed)];
    CheckRow {
        link: Link { href, text: found.text.clone() },
        place: site.language.fill("quotes.differing", &values),
        quotes: Vec::new(),
    }
}
