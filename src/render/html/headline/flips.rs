//! What lost and what gained passes against one other side, with the evidence.

use serde::Serialize;

use crate::analyze::{Against, Change, Fate, Flip, key};
use crate::digest::Changes;
use crate::model::{Expectation, Outcome, Run};
use crate::render::context::{Link, Rate, link};
use crate::render::html::{Site, wording};
use crate::render::text::{change::lost_and_gained, flips::in_part, verdict};

/// How many flips of each kind are listed; the rest are counted.
const LISTED: usize = 12;

/// Of so many losses the evidence stands open.
const OPEN: usize = 5;

/// So many bytes of each wording of a reworded expectation are shown.
const WORDING: usize = 2_000;

/// The candidate against one other side.
#[derive(Serialize)]
pub(super) struct Comparison {
    /// Its anchor on the page.
    pub(super) id: &'static str,
    title: String,
    /// The verdict, where the first sentence of the page does not tell it.
    verdict: String,
    /// That another model or grader was at work in one of two iterations; empty elsewhere.
    differs: String,
    /// Title and counts in one line.
    pub(super) short: String,
    /// What is listed and what is not, in one sentence.
    summary: String,
    groups: Vec<FlipGroup>,
}

#[derive(Serialize)]
struct FlipGroup {
    title: String,
    kind: &'static str,
    /// Whether the rows are only shown on demand.
    is_folded: bool,
    rows: Vec<FlipRow>,
    more: String,
}

#[derive(Serialize)]
struct FlipRow {
    case: Link,
    run: Option<Link>,
    text: String,
    before: String,
    after: String,
    /// Whether only some runs changed.
    is_partial: bool,
    /// Both wordings in one text, or empty.
    wording: String,
    evidence: String,
    is_open: bool,
}

/// Losses, then gains, then what fails on both sides, against one other side.
pub(super) fn comparison(site: Site<'_>, path: &str, change: &Change, is_lead: bool) -> Comparison {
    let (before, after) = (&change.before, &change.after);
    let changes = Changes::new(site.part.workspace, site.part.analysis, change);
    let same = change.is_beside();
    let compared = changes.flips.iter().filter(|flip| flip.change().is_some()).count();
    let other = site.side_name(before);
    let (id, key) = match () {
        () if same => ("against-baseline", "overview.against_baseline"),
        () if change.against.contains(&Against::Previous) => {
            ("since-previous", "overview.against_previous")
        }
        () => ("since-pinned", "overview.against_previous"),
    };
    let key_none = match compared {
        0 => "overview.compared_none",
        _ if changes.number(Fate::Regressed) == 0 => "overview.compared_none_lost",
        _ => "overview.compared",
    };
    let language = site.language;
    let title = language.fill(key, &[("side", &other)]);
    // What differs between configurations of one iteration stands in the caution of the page.
    let differs = (!same).then(|| verdict::differs(change, language));
    Comparison {
        id,
        short: lost_and_gained(&changes, &other, language),
        title,
        verdict: if is_lead {
            String::new()
        } else {
            verdict::words(site.part.workspace, change, language)
        },
        differs: differs.unwrap_or_default(),
        summary: language.fill(
            key_none,
            &[
                ("expectations", &language.count(compared, "expectation")),
                ("side", &site.side_name(after)),
                ("other", &other),
            ],
        ),
        groups: groups(site, path, &changes, same),
    }
}

/// The groups that have rows. Between two configurations of one iteration, `same`, nothing was
/// broken or mended.
fn groups(site: Site<'_>, path: &str, changes: &Changes<'_>, same: bool) -> Vec<FlipGroup> {
    let keys = match same {
        true => ["overview.worse", "overview.better", "overview.failing_both"],
        false => ["overview.regressed", "overview.fixed", "overview.still_failing"],
    };
    let kinds = [
        (Fate::Regressed, "regressed"),
        (Fate::Fixed, "fixed"),
        (Fate::StillFailing, "still-failing"),
    ];
    let group = |((fate, kind), key)| {
        let found = changes.that(fate);
        (!found.is_empty()).then(|| group(site, path, changes, &found, (key, kind)))
    };
    kinds.into_iter().zip(keys).filter_map(group).collect()
}

fn group(
    site: Site<'_>,
    path: &str,
    changes: &Changes<'_>,
    found: &[&Flip],
    (key, kind): (&str, &'static str),
) -> FlipGroup {
    let language = site.language;
    let expectations = language.count(found.len(), "expectation");
    let title = language.fill(key, &[("expectations", &expectations)]);
    let more = found.len().saturating_sub(LISTED);
    let row = |(at, flip): (usize, &&Flip)| {
        let is_open = kind == "regressed" && at < OPEN;
        flip_row(site, path, flip, changes, is_open)
    };
    FlipGroup {
        title: in_part(title, found.iter().copied(), language),
        kind,
        is_folded: kind == "still-failing",
        rows: found.iter().take(LISTED).enumerate().map(row).collect(),
        more: match more {
            0 => String::new(),
            more => language.fill("overview.more_flips", &[("n", &more)]),
        },
    }
}

fn flip_row(
    site: Site<'_>,
    path: &str,
    flip: &Flip,
    changes: &Changes<'_>,
    is_open: bool,
) -> FlipRow {
    let line = &site.part.analysis.lines[flip.line];
    let found = evidence(flip, changes);
    FlipRow {
        case: Link { href: link(path, &site.addresses.case(flip.line)), text: line.name.clone() },
        run: found.map(|(run, said)| {
            let link = site.run_link(path, changes.after.iteration, flip.line, run);
            let anchor = site.addresses.expectation(flip.line, &key(said));
            Link { href: format!("{}#{anchor}", link.href), ..link }
        }),
        text: flip.text.clone(),
        before: Rate::counts_of(flip.before),
        after: Rate::counts_of(flip.after),
        is_partial: flip.is_partial(),
        wording: wording::reworded(flip, WORDING)
            .map_or(String::new(), |it| it.as_str().to_owned()),
        evidence: found.and_then(|(_, said)| said.evidence.clone()).unwrap_or_default(),
        is_open,
    }
}

/// Why, in the grader's words: of the first run that shows the fate, which is one in which a fixed
/// expectation passed and any other did not; else of the first of all.
fn evidence<'a>(flip: &Flip, changes: &Changes<'a>) -> Option<(&'a Run, &'a Expectation)> {
    let is_fixed = flip.fate == Fate::Fixed;
    changes.verdicts(flip).min_by_key(|(_, it)| (it.outcome == Outcome::Passed) != is_fixed)
}
