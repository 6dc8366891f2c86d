//! Findings in the files behind the numbers, one line each, linked to the pages that show them.

use crate::analyze::missing;
use crate::model::Outcome;
use crate::render::context::{Link, Page};
use crate::wording::{loading, repeats};

pub(super) fn findings(page: &Page<'_>) -> Vec<Link> {
    let (part, words) = (page.part, page.language);
    let link = |iteration: usize, anchor: &str, text: String| {
        Link::new(format!("{}#{anchor}", page.iteration_link(iteration).href), text)
    };
    let mut links = Vec::new();
    if let Some(newest) = part.analysis.newest() {
        links.extend(loading(page, newest).map(|text| link(newest, "loading", text)));
        // Checks that passed on missing quotations, and different verdicts on equal outputs.
        let missing = missing(part.quotes().in_iteration(newest));
        let outcomes = missing.iter().map(|(at, _)| at.check(part.workspace).outcome);
        let passed = outcomes.filter(|outcome| *outcome == Outcome::Passed).count();
        let unequal = part.inconsistent().iter().filter(|found| found.iteration() == newest);
        let numbers = [("findings.evidence", passed), ("findings.inconsistent", unequal.count())];
        for (key, number) in numbers.into_iter().filter(|(_, number)| *number > 0) {
            let text = words.fill(key, &[("checks", &words.count(number, "check"))]);
            links.push(link(newest, "evidence", text));
        }
        links.extend(edits(page, newest));
    }
    // Work that the newest candidate repeated, and files of the skill that it never opened.
    let repeats = part.repeats();
    links.extend(
        repeats.map(|repeats| link(repeats.index, "again", repeats::short(repeats, words))),
    );
    links
}

/// The links between the edits of the newest copy of the skill and its checks.
fn edits(page: &Page<'_>, newest: usize) -> Option<Link> {
    let (pair, edits) = page.part.edits_of(newest)?;
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
fn loading(page: &Page<'_>, newest: usize) -> Option<String> {
    let loads = &page.part.analysis.iterations[newest].candidate()?.loads;
    let counts = loading::counts(loads, page.language)?;
    let sentence = page.language.fill("loading.finding", &[("counts", &counts)]);
    let diluted = loading::diluted(loads, page.language);
    Some(page.language.sentences([sentence].into_iter().chain(diluted)))
}
