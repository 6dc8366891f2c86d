//! Checks that regressed, fail on both sides, or improved, with the evidence of both sides.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{Flip, FlipKind, RunVerdict, Side, Verdicts};
use crate::chart::inline::CheckMark;
use crate::digest::ComparedCase;
use crate::model::Outcome;
use crate::render::context::{Link, Page, Rate, RenderContext, cut_line};
use crate::render::html::overview::cases::{MARKS, mark};
use crate::render::html::review::RunPages;
use crate::render::html::wording;
use crate::wording::sides;

/// Most checks of each kind that are listed; the others are counted.
const LISTED: usize = 12;

/// Most bytes of each wording of a reworded check.
const WORDING: usize = 2_000;

/// Most characters of evidence; the review page has all of it.
const EVIDENCE: usize = 400;

/// The kinds of changes that are grouped, with their marks and the keys of their titles.
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

/// The counters of the checks of `cases`: the total, then the numbers that add up to it.
pub(super) fn counters(
    context: RenderContext<'_>,
    cases: &[ComparedCase],
    other: &str,
) -> Vec<Value> {
    let marks: Vec<CheckMark> = cases.iter().flat_map(|case| &case.checks).map(mark).collect();
    let has_other = !other.is_empty();
    let counter = |id: &'static str, (mark, tone), number: usize| {
        let key = if has_other { id.to_owned() } else { format!("alone_{id}") };
        let label = match id {
            "all" => context.language.count(number, "check").replacen(&format!("{number} "), "", 1),
            _ => context.language.text(&format!("counters.{key}")).to_owned(),
        };
        let title = match (id, has_other) {
            ("all", _) | (_, false) => String::new(),
            _ => context.language.fill(&format!("counters.{id}_title"), &[("other", &other)]),
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
    let mut counters_shown = vec![counter("all", ("", ""), marks.len())];
    let has_any = marks.iter().any(|mark| *mark != CheckMark::NotCompared);
    for kind in MARKS {
        let number = marks.iter().filter(|mark| **mark == kind).count();
        // If nothing is compared, regressions are unknown.
        let is_shown = match kind {
            CheckMark::NotCompared => number > 0,
            CheckMark::Regressed | CheckMark::Improved => has_other && has_any,
            CheckMark::Failing | CheckMark::Unchanged => has_any,
        };
        if is_shown {
            counters_shown.push(counter(kind.class(), sign_and_tone(kind), number));
        }
    }
    counters_shown
}

pub(crate) fn groups(page: &Page<'_>, sides: [&Side; 2]) -> Vec<Value> {
    let flips = page.part.flips.between(sides[0], sides[1]);
    let mut groups = Vec::new();
    for (kind, mark, title) in KINDS {
        let flips_of_kind: Vec<&Flip> = flips.iter().filter(|flip| flip.kind == kind).collect();
        let listed = &flips_of_kind[..flips_of_kind.len().min(LISTED)];
        let mut by_line: BTreeMap<usize, Vec<&Flip>> = BTreeMap::new();
        for flip in listed {
            by_line.entry(flip.case).or_default().push(flip);
        }
        // The verdicts of both sides on the listed checks, by case line.
        let verdicts = by_line.into_iter().map(|(line, flips)| {
            let case = &page.part.analysis.cases[line];
            (line, Verdicts::new(page.part.workspace, case, sides, &flips))
        });
        let verdicts: BTreeMap<usize, Verdicts<'_>> = verdicts.collect();
        let rows = listed.iter().map(|flip| row(page, sides, flip, &verdicts[&flip.case]));
        let (sign, tone) = sign_and_tone(mark);
        if !listed.is_empty() {
            groups.push(json!({
                "id": mark.class(),
                "title": page.language.text(title),
                "mark": sign,
                "tone": tone,
                "is_folded": mark == CheckMark::Improved && flips_of_kind.len() > 3,
                "rows": rows.collect::<Vec<_>>(),
                "more": page.language.beyond("changes.more", flips_of_kind.len(), LISTED),
            }));
        }
    }
    groups
}

fn row(page: &Page<'_>, sides: [&Side; 2], flip: &Flip, verdicts: &Verdicts<'_>) -> Value {
    let review = RunPages::between(page.context, flip.case, sides).flip(page, flip);
    let case = page.case_link(flip.case);
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

/// A quotation per side that explains the change; one for both if they are equal.
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
    // The first verdict with that outcome that has a reason.
    let [before, after] = [0, 1].map(|at| {
        let is_wanted = |verdict: &&RunVerdict<'_>| verdict.outcome == wanted[at];
        verdicts[at].iter().find(|verdict| is_wanted(verdict) && verdict.evidence.is_some())
    });
    let quoted = |who: &str, roles: &[&str], verdict: &RunVerdict<'_>| {
        let text = cut_line(verdict.evidence.unwrap_or_default(), EVIDENCE);
        json!({ "who": who, "roles": roles, "text": text })
    };
    let language = page.language;
    if let (Some(old), Some(new)) = (before, after)
        && old.evidence == new.evidence
    {
        return vec![quoted(language.text("changes.both_sides"), &["baseline", "candidate"], new)];
    }
    let [older, newer] = sides::short_names(page.part.facts(language), sides);
    let mut quotes = Vec::new();
    for (verdict, name, role) in [(before, older, "baseline"), (after, newer, "candidate")] {
        let Some(verdict) = verdict else { continue };
        let outcome = language.entry(&["outcome", verdict.outcome.word()]);
        let who = language
            .fill("changes.who", &[("side", &name), ("run", &verdict.run), ("outcome", &outcome)]);
        quotes.push(quoted(&who, &[role], verdict));
    }
    quotes
}
