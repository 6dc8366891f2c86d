//! What was found in the files behind the numbers, one line each, leading to the page that shows it.

use crate::analyze::missing;
use crate::model::Outcome;
use crate::render::context::{Link, Page};
use crate::render::text;

pub(super) fn findings(page: &Page<'_>) -> Vec<Link> {
    let all = [loading(page), evidence(page), inconsistent(page), edits(page), repeats(page)];
    all.into_iter().flatten().collect()
}

/// How many checks of the newest iteration passed on quotations that are not there.
fn evidence(page: &Page<'_>) -> Option<Link> {
    let newest = page.part.analysis.newest()?;
    let missing = missing(page.part.quotes().of_iteration(newest));
    let outcomes = missing.iter().map(|(at, _)| at.check(page.part.workspace).outcome);
    let passed = outcomes.filter(|outcome| *outcome == Outcome::Passed).count();
    line(page, newest, "findings.evidence", passed)
}

/// How many checks have other verdicts on equal outputs.
fn inconsistent(page: &Page<'_>) -> Option<Link> {
    let newest = page.part.analysis.newest()?;
    let all = page.part.inconsistent().iter();
    let number = all.filter(|found| found.iteration() == newest).count();
    line(page, newest, "findings.inconsistent", number)
}

/// A line on so many checks, leading to the evidence of an iteration; `None` for no check.
fn line(page: &Page<'_>, iteration: usize, key: &str, number: usize) -> Option<Link> {
    let checks = page.language.count(number, "check");
    let text = page.language.fill(key, &[("checks", &checks)]);
    (number > 0).then(|| to_part(page, iteration, "evidence", text))
}

fn to_part(page: &Page<'_>, iteration: usize, anchor: &str, text: String) -> Link {
    Link::new(format!("{}#{anchor}", page.link(&page.addresses.iteration(iteration))), text)
}

/// What the edits of the newest copy of the skill share with its checks.
fn edits(page: &Page<'_>) -> Option<Link> {
    let (pair, edits) = page.part.edits_of(page.part.analysis.newest()?)?;
    let linked = edits.moved.iter().filter(|moved| moved.edit.is_some()).count();
    let counted = [
        (linked, "findings.linked", "check"),
        (edits.unmentioned.len(), "findings.unmentioned", "check"),
        (edits.unchecked.len(), "findings.unchecked", "rule"),
    ];
    let mut parts = Vec::new();
    for (number, key, thing) in counted.into_iter().filter(|(number, ..)| *number > 0) {
        let counted = page.language.count(number, thing);
        parts.push(page.language.fill(key, &[("counted", &counted)]));
    }
    let anchor = if linked > 0 { "edits" } else { "rules" };
    let href = format!("{}#{anchor}", page.link(&page.addresses.skill(pair)));
    let text = parts.join(page.language.text("list.semicolon"));
    (!parts.is_empty()).then(|| Link::new(href, text))
}

/// In how many runs of the newest candidate the skill was loaded.
fn loading(page: &Page<'_>) -> Option<Link> {
    let analysis = page.part.analysis;
    let newest = analysis.newest()?;
    let loads = &analysis.iterations[newest].candidate()?.loads;
    let counts = text::loading::counts(loads, page.language)?;
    let sentence = page.language.fill("loading.finding", &[("counts", &counts)]);
    let diluted = text::loading::diluted(loads, page.language);
    let text = page.language.sentences([sentence].into_iter().chain(diluted));
    Some(to_part(page, newest, "loading", text))
}

/// What the newest candidate made again and again, and what of the skill it left alone.
fn repeats(page: &Page<'_>) -> Option<Link> {
    let found = page.part.repeats()?;
    Some(to_part(page, found.index, "again", text::repeats::short(found, page.language)))
}
