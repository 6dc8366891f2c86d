//! What was found in the files behind the numbers, one line each, leading to the page that shows it.

use crate::analyze::missing;
use crate::model::Outcome;
use crate::render::context::{Link, Site, link};
use crate::render::text;

pub(super) fn findings(site: Site<'_>, path: &str) -> Vec<Link> {
    let all = [
        loading(site, path),
        evidence(site, path),
        inconsistent(site, path),
        edits(site, path),
        repeats(site, path),
    ];
    all.into_iter().flatten().collect()
}

/// How many checks of the newest iteration passed on quotations that are not there.
fn evidence(site: Site<'_>, path: &str) -> Option<Link> {
    let newest = site.part.analysis.newest()?;
    let missing = missing(site.part.quotes().of_iteration(newest));
    let outcomes = missing.iter().map(|(at, _)| at.check(site.part.workspace).outcome);
    let passed = outcomes.filter(|outcome| *outcome == Outcome::Passed).count();
    line(site, path, newest, "findings.evidence", passed)
}

/// How many checks have other verdicts on equal outputs.
fn inconsistent(site: Site<'_>, path: &str) -> Option<Link> {
    let newest = site.part.analysis.newest()?;
    let all = site.part.inconsistent().iter();
    let number = all.filter(|found| found.iteration() == newest).count();
    line(site, path, newest, "findings.inconsistent", number)
}

/// A line on so many checks, leading to the evidence of an iteration; `None` for no check.
fn line(site: Site<'_>, path: &str, iteration: usize, key: &str, number: usize) -> Option<Link> {
    let checks = site.language.count(number, "check");
    let text = site.language.fill(key, &[("checks", &checks)]);
    (number > 0).then(|| to_part(site, path, iteration, "evidence", text))
}

fn to_part(site: Site<'_>, path: &str, iteration: usize, anchor: &str, text: String) -> Link {
    Link::new(format!("{}#{anchor}", link(path, &site.addresses.iteration(iteration))), text)
}

/// What the edits of the newest copy of the skill share with its checks.
fn edits(site: Site<'_>, path: &str) -> Option<Link> {
    let (pair, edits) = site.part.edits_of(site.part.analysis.newest()?)?;
    let linked = edits.moved.iter().filter(|moved| moved.edit.is_some()).count();
    let counted = [
        (linked, "findings.linked", "check"),
        (edits.unmentioned.len(), "findings.unmentioned", "check"),
        (edits.unchecked.len(), "findings.unchecked", "rule"),
    ];
    let mut parts = Vec::new();
    for (number, key, thing) in counted.into_iter().filter(|(number, ..)| *number > 0) {
        let counted = site.language.count(number, thing);
        parts.push(site.language.fill(key, &[("counted", &counted)]));
    }
    let anchor = if linked > 0 { "edits" } else { "rules" };
    let href = format!("{}#{anchor}", link(path, &site.addresses.skill(pair)));
    let text = parts.join(site.language.text("list.semicolon"));
    (!parts.is_empty()).then(|| Link::new(href, text))
}

/// In how many runs of the newest candidate the skill was loaded.
fn loading(site: Site<'_>, path: &str) -> Option<Link> {
    let analysis = site.part.analysis;
    let newest = analysis.newest()?;
    let loads = &analysis.iterations[newest].candidate()?.loads;
    let counts = text::loading::counts(loads, site.language)?;
    let sentence = site.language.fill("loading.finding", &[("counts", &counts)]);
    let diluted = text::loading::diluted(loads, site.language);
    let text = site.language.sentences([sentence].into_iter().chain(diluted));
    Some(to_part(site, path, newest, "loading", text))
}

/// What the newest candidate made again and again, and what of the skill it left alone.
fn repeats(site: Site<'_>, path: &str) -> Option<Link> {
    let found = site.part.repeats()?;
    Some(to_part(site, path, found.index, "again", text::repeats::short(found, site.language)))
}
