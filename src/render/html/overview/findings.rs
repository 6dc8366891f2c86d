//! What was found in the files behind the numbers, one line each, leading to the page that shows it.

use crate::analyze::missing;
use crate::model::Outcome;
use crate::render::context::{Link, Site, link};

/// The lines that are there, for the page at `path`.
pub(super) fn findings(site: Site<'_>, path: &str) -> Vec<Link> {
    let all = [evidence(site, path), inconsistent(site, path), edits(site, path)];
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
    (number > 0).then(|| Link {
        href: format!("{}#evidence", link(path, &site.addresses.iteration(iteration))),
        text: site.language.fill(key, &[("checks", &checks)]),
    })
}

/// What the edits of the newest copy of the skill share with its checks.
fn edits(site: Site<'_>, path: &str) -> Option<Link> {
    let (pair, edits) = site.part.edits_of(site.part.analysis.newest()?)?;
    let linked = edits.moved.iter().filter(|moved| moved.link.is_some()).count();
    let counted = [
        (linked, "findings.linked", "check"),
        (edits.unmentioned.len(), "findings.unmentioned", "check"),
        (edits.unchecked.len(), "findings.unchecked", "rule"),
    ];
    let counted = counted.into_iter().filter(|(number, ..)| *number > 0);
    let parts = counted.map(|(number, key, thing)| {
        let counted = site.language.count(number, thing);
        site.language.fill(key, &[("counted", &counted)])
    });
    let parts: Vec<String> = parts.collect();
    let anchor = if linked > 0 { "edits" } else { "rules" };
    (!parts.is_empty()).then(|| Link {
        href: format!("{}#{anchor}", link(path, &site.addresses.skill(pair))),
        text: parts.join(site.language.text("list.semicolon")),
    })
}
