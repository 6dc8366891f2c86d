//! Checks that regressed, fail on both sides, or improved, with the evidence of both sides.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::analyze::{Change, Flip, FlipKind, RunVerdict, Side, Verdicts};
use crate::chart::inline::CheckMark;
use crate::digest::ComparedCase;
use crate::language::{Language, Rate, say};
use crate::render::context::{Link, Page, RenderContext};
use crate::render::html::overview::cases::{MARKS, mark};
use crate::render::html::review::{RunPages, shown_outcomes};
use crate::render::html::reworded;
use crate::wording::changes::key_against;
use crate::wording::sides;
use input::model::Outcome;
use text::cut_line;

/// Checks of each kind that are listed; the others are counted.
const LISTED: usize = 12;

/// Characters of evidence that are shown; the review page has all of it.
const EVIDENCE: usize = 400;

/// The kinds of changes that are grouped, with their marks and the keys of their titles.
const KINDS: [(FlipKind, CheckMark, &str); 4] = [
    (FlipKind::Regressed, CheckMark::Regressed, "changes.regressed"),
    (FlipKind::StillFailing, CheckMark::Failing, "changes.failing"),
    (FlipKind::Improved, CheckMark::Improved, "changes.improved"),
    (FlipKind::Unsteady, CheckMark::Unsteady, "changes.unsteady"),
];

/// The sign of a mark and its tone; without color where no check has more than one run.
fn sign_and_tone(mark: CheckMark, is_single: bool) -> (&'static str, &'static str) {
    match mark {
        CheckMark::Regressed if is_single => ("▽", "neutral"),
        CheckMark::Improved if is_single => ("△", "neutral"),
        CheckMark::Regressed => ("▼", "worse"),
        CheckMark::Improved => ("▲", "better"),
        CheckMark::Failing => ("■", "neutral"),
        CheckMark::Unsteady => ("~", "neutral"),
        CheckMark::Unchanged | CheckMark::NotCompared | CheckMark::Differs => ("", ""),
    }
}

/// The counters of the checks of `cases`: the total, then the numbers that add up to it. `other` is
/// the name of the other side, empty without one.
pub(super) fn counters(
    context: RenderContext<'_>,
    cases: &[ComparedCase<'_>],
    change: Option<&Change>,
    other: &str,
) -> Vec<Value> {
    let language = context.language;
    let marks: Vec<CheckMark> = cases.iter().flat_map(|case| &case.checks).map(mark).collect();
    // Runs of which only figures are recorded have no checks to count.
    if marks.is_empty() {
        return Vec::new();
    }
    // Only the noun, as the number stands alone.
    let noun = language.counted("", marks.len() == 1, "check");
    let mut label = noun.trim_start().to_owned();
    if !other.is_empty() {
        label = say!(language, "counters.versus", checks = label, other);
    }
    let mut counters = vec![json!({
        "id": "all",
        "mark": "",
        "tone": "",
        "number": marks.len(),
        "label": label,
        "title": "",
    })];
    let is_peer = change.is_some_and(Change::is_between_peers);
    // If nothing is compared, regressions are unknown rather than zero.
    let is_known = marks.iter().any(|mark| *mark != CheckMark::NotCompared);
    let has_other = !other.is_empty();
    let is_single = !cases.iter().any(ComparedCase::has_runs);
    for mark in MARKS {
        let number = marks.iter().filter(|other| **other == mark).count();
        let is_shown = match mark {
            CheckMark::NotCompared => number > 0,
            CheckMark::Unsteady => has_other && number > 0,
            CheckMark::Regressed | CheckMark::Improved => has_other && is_known && !is_peer,
            CheckMark::Failing | CheckMark::Unchanged | CheckMark::Differs => is_known,
        };
        if !is_shown {
            continue;
        }
        let id = mark.class();
        let (sign, tone) = sign_and_tone(mark, is_single);
        let (mut key, mut title) = (format!("counters.alone_{id}"), String::new());
        if has_other {
            key = format!("counters.{id}");
            if let Some(change) = change {
                key = title_key(&key, mark, change.sides()).into_owned();
            }
            title = say!(language, &format!("counters.{id}_title"), other);
        }
        counters.push(json!({
            "id": id,
            "mark": sign,
            "tone": tone,
            "number": number,
            "label": language.text(&key),
            "title": title,
        }));
    }
    if is_peer {
        counters.insert(1, differing(&marks, language));
    }
    counters
}

/// The counter of checks that differ where nobody knows the baseline.
fn differing(marks: &[CheckMark], language: &Language) -> Value {
    let moved = [CheckMark::Regressed, CheckMark::Improved, CheckMark::Unsteady];
    json!({
        "id": CheckMark::Differs.class(),
        "number": marks.iter().filter(|mark| moved.contains(mark)).count(),
        "label": language.text("screen.differ"),
    })
}

/// The key for checks with `mark`, which tells an earlier version from the side without the skill.
fn title_key<'k>(key: &'k str, mark: CheckMark, sides: [&Side; 2]) -> Cow<'k, str> {
    match mark {
        CheckMark::Regressed | CheckMark::Improved => key_against(key, sides),
        _ => Cow::Borrowed(key),
    }
}

pub(crate) fn groups(page: &Page<'_>, sides: [&Side; 2]) -> Vec<Value> {
    let flips = page.part.flips.between(sides[0], sides[1]);
    let mut groups = Vec::new();
    for (kind, mark, title) in KINDS {
        let flips_of_kind: Vec<&Flip> = flips.iter().filter(|flip| flip.kind == kind).collect();
        if flips_of_kind.is_empty() {
            continue;
        }
        let is_single = |flip: &&Flip| flip.before.graded().max(flip.after.graded()) <= 1;
        let (sign, tone) = sign_and_tone(mark, flips_of_kind.iter().all(is_single));
        groups.push(json!({
            "id": mark.class(),
            "title": page.language.text(&title_key(title, mark, sides)),
            "mark": sign,
            "tone": tone,
            // Good news must not push the cases below it out of sight.
            "is_folded": mark == CheckMark::Improved && flips_of_kind.len() > 3,
            "rows": rows(page, sides, &flips_of_kind[..flips_of_kind.len().min(LISTED)]),
            "more": page.language.beyond("changes.more", flips_of_kind.len(), LISTED),
        }));
    }
    groups
}

fn rows(page: &Page<'_>, sides: [&Side; 2], flips: &[&Flip]) -> Vec<Value> {
    let mut by_line: BTreeMap<usize, Vec<&Flip>> = BTreeMap::new();
    for flip in flips {
        by_line.entry(flip.case).or_default().push(flip);
    }
    // The verdicts of a case are gathered once for all of its checks.
    let mut verdicts: BTreeMap<usize, Verdicts<'_>> = BTreeMap::new();
    for (line, flips) in &by_line {
        let case = &page.part.analysis.cases[*line];
        verdicts.insert(*line, Verdicts::new(page.part.workspace, case, sides, flips));
    }
    flips.iter().map(|flip| row(page, sides, flip, &verdicts[&flip.case])).collect()
}

fn row(page: &Page<'_>, sides: [&Side; 2], flip: &Flip, verdicts: &Verdicts<'_>) -> Value {
    let pages = RunPages::between(page.context, flip.case, sides);
    let review = pages.check(page, flip.text, flip.kind);
    let case = page.case_link(flip.case);
    let wording = reworded::check(flip);
    let runs = pages.runs_showing(flip.text, flip.kind);
    let mut evidence = evidence(page, sides, verdicts.on(flip), flip.kind, runs);
    if let (Some(earlier), None) = (&flip.earlier_text, &wording) {
        let text = say!(page.language, "diff.reworded_from", text = cut_line(earlier, EVIDENCE));
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

/// A quotation per side that explains the change, from the linked `runs` if they show it; one for
/// both if they are equal.
fn evidence(
    page: &Page<'_>,
    sides: [&Side; 2],
    verdicts: [&[RunVerdict<'_>]; 2],
    kind: FlipKind,
    runs: Option<[u32; 2]>,
) -> Vec<Value> {
    let [before, after] = [0, 1]
        .map(|at| with_reason(verdicts[at], shown_outcomes(kind)[at], runs.map(|runs| runs[at])));
    let language = page.language;
    // Graders often give the same reason for a failure on both sides.
    if let (Some(before), Some(after)) = (before, after)
        && before.evidence == after.evidence
    {
        let who = language.text("changes.both_sides");
        return vec![quotation(who, &["baseline", "candidate"], after)];
    }
    let [older, newer] = sides::short_names(page.part.facts(language), sides);
    let mut quotations = Vec::new();
    for (verdict, side, role) in [(before, older, "baseline"), (after, newer, "candidate")] {
        if let Some(verdict) = verdict {
            let outcome = language.entry(&["outcome", verdict.outcome.word()]);
            let who = say!(language, "changes.who", side, run = verdict.run, outcome);
            quotations.push(quotation(&who, &[role], verdict));
        }
    }
    quotations
}

/// The verdict with that outcome and a reason: that of the linked run, else the first.
fn with_reason<'a>(
    verdicts: &'a [RunVerdict<'a>],
    outcome: Outcome,
    linked: Option<u32>,
) -> Option<&'a RunVerdict<'a>> {
    let mut found = verdicts.iter();
    let mut found = found
        .by_ref()
        .filter(|verdict| verdict.outcome == outcome && verdict.evidence.is_some())
        .peekable();
    let first = found.peek().copied();
    found.find(|verdict| Some(verdict.run) == linked).or(first)
}

fn quotation(who: &str, roles: &[&str], verdict: &RunVerdict<'_>) -> Value {
    let text = cut_line(verdict.evidence.unwrap_or_default(), EVIDENCE);
    json!({ "who": who, "roles": roles, "text": text })
}
