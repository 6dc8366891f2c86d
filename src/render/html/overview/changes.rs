//! What regressed, fails on both sides and improved, with the evidence of both sides.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{Flip, FlipKind, RunVerdict, Side, Verdicts};
use crate::chart::inline::CheckMark;
use crate::digest::ComparedCase;
use crate::model::Outcome;
use crate::render::context::{Link, Page, Rate, Site, cut_line};
use crate::render::html::overview::cases::{MARKS, mark};
use crate::render::html::review::RunPages;
use crate::render::html::wording;
use crate::render::text::change;

/// How many checks of each kind are listed; the rest are counted.
const LISTED: usize = 12;

/// The most bytes of each wording of a reworded check that are shown.
const WORDING: usize = 2_000;

/// The most characters of evidence that are shown; the review page has all of it.
const EVIDENCE: usize = 400;

/// Kinds of changes with a group, each with its mark and the key of its title.
const KINDS: [(FlipKind, CheckMark, &str); 3] = [
    (FlipKind::Regressed, CheckMark::Regressed, "changes.regressed"),
    (FlipKind::StillFailing, CheckMark::Failing, "changes.failing"),
    (FlipKind::Improved, CheckMark::Improved, "changes.improved"),
];

fn sign_and_tone(mark: CheckMark) -> (&'static str, &'static str) {
    match mark {
        CheckMark::Regressed => ("▼", "worse"),
        CheckMark::Improved => ("▲", "better"),
        CheckMark::Failing => ("■", "neutral"),
        CheckMark::Unchanged | CheckMark::NotCompared => ("", ""),
    }
}

/// How the checks of `cases` fared, all of them first. The other numbers add up to it.
pub(super) fn counters(site: Site<'_>, cases: &[ComparedCase], other: &str) -> Vec<Value> {
    let marks: Vec<CheckMark> = cases.iter().flat_map(|case| &case.checks).map(mark).collect();
    let has_other = !other.is_empty();
    let counter = |id: &'static str, (mark, tone), number: usize| {
        let key = if has_other { id.to_owned() } else { format!("alone_{id}") };
        let label = match id {
            "all" => site.language.count(number, "check").replacen(&format!("{number} "), "", 1),
            _ => site.language.text(&format!("counters.{key}")).to_owned(),
        };
        let title = match (id, has_other) {
            ("all", _) | (_, false) => String::new(),
            _ => site.language.fill(&format!("counters.{id}_title"), &[("other", &other)]),
        };
        json!({
            "id": id,
            "mark": mark,
            "tone": tone,
            "number": number,
            "label": label,
            "title": title,
        })
    };
    let mut found = vec![counter("all", ("", ""), marks.len())];
    let has_any = marks.iter().any(|mark| *mark != CheckMark::NotCompared);
    for kind in MARKS {
        let number = marks.iter().filter(|mark| **mark == kind).count();
        // Where nothing is compared, nothing is known to have regressed or not.
        let is_shown = match kind {
            CheckMark::NotCompared => number > 0,
            CheckMark::Regressed | CheckMark::Improved => has_other && has_any,
            CheckMark::Failing | CheckMark::Unchanged => has_any,
        };
        if is_shown {
            found.push(counter(kind.class(), sign_and_tone(kind), number));
        }
    }
    found
}

pub(crate) fn groups(page: &Page<'_>, sides: [&Side; 2]) -> Vec<Value> {
    let flips = page.part.flips.between(sides[0], sides[1]);
    let mut groups = Vec::new();
    for (kind, mark, title) in KINDS {
        let found: Vec<&Flip> = flips.iter().filter(|flip| flip.kind == kind).collect();
        let listed = &found[..found.len().min(LISTED)];
        let mut by_line: BTreeMap<usize, Vec<&Flip>> = BTreeMap::new();
        for flip in listed {
            by_line.entry(flip.line).or_default().push(flip);
        }
        // What the runs of both sides say of the listed checks, by the line of the case.
        let verdicts = by_line.into_iter().map(|(line, flips)| {
            let case = &page.part.analysis.lines[line];
            (line, Verdicts::new(page.part.workspace, case, sides, &flips))
        });
        let verdicts: BTreeMap<usize, Verdicts<'_>> = verdicts.collect();
        let rows = listed.iter().map(|flip| row(page, sides, flip, &verdicts[&flip.line]));
        let (sign, tone) = sign_and_tone(mark);
        if !listed.is_empty() {
            groups.push(json!({
                "id": mark.class(),
                "title": page.language.text(title),
                "mark": sign,
                "tone": tone,
                "is_folded": mark == CheckMark::Improved && found.len() > 3,
                "rows": rows.collect::<Vec<_>>(),
                "more": page.language.beyond("changes.more", found.len(), LISTED),
            }));
        }
    }
    groups
}

fn row(page: &Page<'_>, sides: [&Side; 2], flip: &Flip, verdicts: &Verdicts<'_>) -> Value {
    let review = RunPages::between(page.site, flip.line, sides).flip(page, flip);
    let case = page.case_link(flip.line);
    let wording = wording::reworded(flip, WORDING);
    let mut evidence = evidence(page, sides, verdicts.on(flip), flip.kind);
    if let (Some(earlier), None) = (&flip.earlier_text, &wording) {
        let earlier = cut_line(earlier, EVIDENCE);
        let text = page.language.fill("diff.reworded_from", &[("text", &earlier)]);
        evidence.push(json!({ "text": text }));
    }
    json!({
        "text": flip.text,
        "wording": wording,
        "before": Rate::counts_of(flip.before),
        "after": Rate::counts_of(flip.after),
        "case": Link { href: review.unwrap_or(case.href), ..case },
        "evidence": evidence,
    })
}

/// A quote of each side that shows what became of the check; one for both where they say the same.
fn evidence(
    page: &Page<'_>,
    sides: [&Side; 2],
    verdicts: [&[RunVerdict<'_>]; 2],
    kind: FlipKind,
) -> Vec<Value> {
    let wanted = match kind {
        FlipKind::Regressed => [Outcome::Passed, Outcome::Failed],
        FlipKind::Improved => [Outcome::Failed, Outcome::Passed],
        _ => [Outcome::Failed, Outcome::Failed],
    };
    // The first verdict of that outcome with a reason.
    let [before, after] = [0, 1].map(|at| {
        let is_meant = |found: &&RunVerdict<'_>| found.outcome == wanted[at];
        verdicts[at].iter().find(|found| is_meant(found) && found.evidence.is_some())
    });
    let quoted = |who: &str, roles: &[&str], found: &RunVerdict<'_>| {
        let text = cut_line(found.evidence.unwrap_or_default(), EVIDENCE);
        json!({ "who": who, "roles": roles, "text": text })
    };
    let language = page.language;
    if let (Some(old), Some(new)) = (before, after)
        && old.evidence == new.evidence
    {
        return vec![quoted(language.text("changes.both_sides"), &["baseline", "candidate"], new)];
    }
    let [older, newer] = change::side_names(page.part.words(language), sides);
    let mut quotes = Vec::new();
    for (found, name, role) in [(before, older, "baseline"), (after, newer, "candidate")] {
        let Some(found) = found else { continue };
        let outcome = language.entry(&["outcome", found.outcome.word()]);
        let who = language
            .fill("changes.who", &[("side", &name), ("run", &found.run), ("outcome", &outcome)]);
        quotes.push(quoted(&who, &[role], found));
    }
    quotes
}
