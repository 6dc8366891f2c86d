//! Checks that regressed, fail on both sides, or improved, with the evidence of both sides.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::analyze::{Flip, FlipKind, RunVerdict, Side, Verdicts};
use crate::chart::inline::CheckMark;
use crate::digest::{Changes, ComparedCase, Question};
use crate::language::{Language, Rate, say};
use crate::render::context::{Link, Page, RenderContext, View};
use crate::render::html::disputable::{RunAt, disputable};
use crate::render::html::guide;
use crate::render::html::overview::columns::{Columns, MARKS, column_head, filter_of, mark};
use crate::render::html::overview::questions::other_side;
use crate::render::html::review::{RunPages, shown_outcomes};
use crate::render::html::reworded;
use crate::wording::sides;
use input::model::Outcome;
use text::cut_line;

/// Checks of each kind that are listed; the others are counted.
const LISTED: usize = 12;

/// Characters of evidence that are shown; the review page has all of it.
const EVIDENCE: usize = 400;

/// Characters of the name of a side in a title.
const OTHER_NAME: usize = 60;

/// Lists of good news with more checks than this are folded.
const UNFOLDED: usize = 3;

/// The sign of a mark and its tone; hollow where no check has more than one run.
fn sign_and_tone(mark: CheckMark, is_single: bool) -> (&'static str, &'static str) {
    match mark {
        CheckMark::Regressed if is_single => ("▽", "worse"),
        CheckMark::Improved if is_single => ("△", "better"),
        CheckMark::Regressed => ("▼", "worse"),
        CheckMark::Improved => ("▲", "better"),
        CheckMark::Failing => ("■", "neutral"),
        CheckMark::Unsteady => ("◇", "neutral"),
        CheckMark::Unchanged | CheckMark::NotCompared | CheckMark::Differs => ("", ""),
    }
}

/// The counters of the checks of `cases`: the total, what became of them since the last change, then
/// against the other side. Each is a filter of the table.
pub(super) fn counters(
    context: RenderContext<'_>,
    cases: &[ComparedCase<'_>],
    columns: &Columns<'_>,
) -> Vec<Value> {
    let language = context.language;
    let marks: Vec<CheckMark> = cases.iter().flat_map(|case| &case.checks).map(mark).collect();
    // Runs of which only figures are recorded have no checks to count.
    if marks.is_empty() {
        return Vec::new();
    }
    // Only the noun, as the number stands alone.
    let noun = language.counted("", marks.len() == 1, "check");
    let all = json!({ "id": "all", "number": marks.len(), "label": noun.trim_start() });
    let mut counters = vec![all];
    let is_single = !cases.iter().any(ComparedCase::has_runs);
    let add = |counters: &mut Vec<Value>, mark, number: usize, question, key: &str| {
        let (sign, tone) = sign_and_tone(mark, is_single);
        counters.push(json!({
            "id": filter_of(mark, question),
            "mark": sign,
            "tone": tone,
            "number": number,
            "label": language.text(key),
            "meaning": guide::meaning(language, guide_entry(mark)),
        }));
    };
    if let Some(since) = &columns.since {
        counters.push(json!({ "group": column_head(context, since.change) }));
        for (mark, kind, key) in [
            (CheckMark::Regressed, FlipKind::Regressed, "questions.lost"),
            (CheckMark::Improved, FlipKind::Improved, "questions.repaired"),
        ] {
            add(&mut counters, mark, since.count(kind), Question::Changed, key);
        }
    }
    if columns.is_peer() {
        counters.push(differing(&marks, language));
    } else if let Some(change) = columns.change {
        counters.push(json!({ "group": column_head(context, change) }));
    }
    // If nothing is compared, losses are unknown rather than zero.
    let is_known = marks.iter().any(|mark| *mark != CheckMark::NotCompared);
    let question = columns.question();
    let order = match question {
        Question::Helps => [CheckMark::Improved, CheckMark::Regressed],
        Question::Changed => [CheckMark::Regressed, CheckMark::Improved],
    };
    let rest = MARKS.into_iter().filter(|mark| !is_move(*mark));
    for mark in order.into_iter().chain(rest) {
        let number = marks.iter().filter(|other| **other == mark).count();
        let is_move = is_move(mark);
        let is_shown = match mark {
            CheckMark::NotCompared | CheckMark::Unsteady => number > 0,
            _ if is_move => {
                columns.change.is_some() && is_known && !columns.is_peer() && !columns.is_unmeasured
            }
            CheckMark::Unchanged => columns.change.is_none() && is_known,
            _ => is_known,
        };
        if is_shown {
            add(&mut counters, mark, number, question, &counter_key(mark, columns));
        }
    }
    counters
}

/// The text of the counter of a mark.
fn counter_key(mark: CheckMark, columns: &Columns<'_>) -> String {
    let is_compared = columns.change.is_some();
    match mark {
        _ if is_move(mark) => format!("questions.{}", filter_of(mark, columns.question())),
        CheckMark::Failing if is_compared => "questions.fails_on_both".to_owned(),
        _ if is_compared => format!("counters.{}", mark.class()),
        _ => format!("counters.alone_{}", mark.class()),
    }
}

/// Where the guide says what the mark means; empty for what needs no words.
fn guide_entry(mark: CheckMark) -> &'static str {
    match mark {
        CheckMark::Regressed | CheckMark::Improved => "regressed",
        CheckMark::Unsteady | CheckMark::Failing | CheckMark::Unchanged => "failing",
        CheckMark::NotCompared | CheckMark::Differs => "",
    }
}

fn is_move(mark: CheckMark) -> bool {
    matches!(mark, CheckMark::Regressed | CheckMark::Improved)
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

/// The checks that moved or fail, the worst first. Each is listed once, under its worst word.
pub(crate) fn lists(
    page: &Page<'_>,
    helps: Option<&Changes<'_>>,
    changed: Option<&Changes<'_>>,
    is_unmeasured: bool,
) -> Vec<Value> {
    let mut lists = Vec::new();
    let mut listed: BTreeSet<(usize, String)> = BTreeSet::new();
    let either = helps.or(changed);
    for (changes, kind, mark, id) in [
        (changed, FlipKind::Regressed, CheckMark::Regressed, "lost"),
        (helps, FlipKind::Regressed, CheckMark::Regressed, "worse"),
        (either, FlipKind::StillFailing, CheckMark::Failing, "failing"),
        (helps, FlipKind::Improved, CheckMark::Improved, "better"),
        (changed, FlipKind::Improved, CheckMark::Improved, "repaired"),
        (either, FlipKind::Unsteady, CheckMark::Unsteady, "unsteady"),
        (either, FlipKind::Reworded, CheckMark::Unsteady, "reworded"),
    ] {
        let Some(changes) = changes else { continue };
        // Runs that nobody can believe have neither losses nor gains.
        if is_unmeasured && mark != CheckMark::Failing {
            continue;
        }
        let all = changes.of_kind(kind);
        let mut flips = all.clone();
        flips.retain(|flip| listed.insert((flip.case, flip.text.to_owned())));
        if flips.is_empty() {
            continue;
        }
        let is_single = |flip: &&Flip| flip.before.graded().max(flip.after.graded()) <= 1;
        let (sign, tone) = sign_and_tone(mark, flips.iter().all(is_single));
        let [other, _] = sides::short_names(page.part.facts(page.language), changes.sides());
        let title = say!(
            page.language,
            &format!("questions.list_{id}"),
            other = cut_line(&other, OTHER_NAME),
        );
        let above = all.len() - flips.len();
        let mut notes = vec![page.language.beyond("changes.more", flips.len(), LISTED)];
        if above > 0 {
            notes.push(page.language.count(above, "listed_above"));
        }
        let is_good = mark == CheckMark::Improved;
        lists.push(json!({
            "id": id,
            "number": flips.len(),
            "title": title,
            "mark": sign,
            "tone": tone,
            // Good news must not push what is below out of sight.
            "is_folded": is_good && flips.len() > UNFOLDED || mark == CheckMark::Unsteady,
            "rows": rows(page, changes, &flips[..flips.len().min(LISTED)]),
            "more": page.language.sentences(notes),
        }));
    }
    lists
}

fn rows(page: &Page<'_>, changes: &Changes<'_>, flips: &[&Flip]) -> Vec<Value> {
    let sides = changes.sides();
    let mut by_case: BTreeMap<usize, Vec<&Flip>> = BTreeMap::new();
    for flip in flips {
        by_case.entry(flip.case).or_default().push(flip);
    }
    // The verdicts of a case are gathered once for all of its checks.
    let mut verdicts: BTreeMap<usize, Verdicts<'_>> = BTreeMap::new();
    for (case_index, flips) in &by_case {
        let case = &page.part.analysis.cases[*case_index];
        verdicts.insert(*case_index, Verdicts::new(page.part.workspace, case, sides, flips));
    }
    let mut rows = Vec::new();
    for flip in flips {
        let mut row = row(page, sides, flip, &verdicts[&flip.case]);
        row["is_disputed"] = json!(changes.is_disputed(flip));
        rows.push(row);
    }
    rows
}

fn row(page: &Page<'_>, sides: [&Side; 2], flip: &Flip, verdicts: &Verdicts<'_>) -> Value {
    let pages = RunPages::between(page.context, flip.case, sides);
    let review = pages.check(page, flip.text, flip.kind);
    let case = page.case_link(flip.case);
    let wording = reworded::check(flip);
    let runs = pages.runs_showing(flip.text, flip.kind);
    let mut evidence = evidence(page, sides, verdicts.on(flip), flip.kind, runs);
    let own = verdicts.on(flip)[1];
    let shown = with_reason(own, shown_outcomes(flip.kind)[1], runs.map(|runs| runs[1]));
    if let (Some(verdict), Some(quote)) = (shown, evidence.last_mut()) {
        quote["verdict"] = json!(disputable_verdict(page, sides[1], flip, verdict));
    }
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

fn disputable_verdict(
    page: &Page<'_>,
    side: &Side,
    flip: &Flip,
    verdict: &RunVerdict<'_>,
) -> Option<View> {
    let case = page.part.analysis.cases[flip.case].appearance(side.iteration)?.case;
    let runs = &page.part.workspace.iterations[side.iteration].cases[case].runs;
    let run = runs
        .iter()
        .position(|run| run.configuration == side.configuration && run.number == verdict.run)?;
    disputable(page, RunAt { iteration: side.iteration, case, run }, flip.text)
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
    let other = other_side(Question::of_sides(sides)).class();
    // Graders often give the same reason for a failure on both sides.
    if let (Some(before), Some(after)) = (before, after)
        && before.evidence == after.evidence
    {
        let who = language.text("changes.both_sides");
        return vec![quotation(who, &[other, "candidate"], after)];
    }
    let [older, newer] = sides::short_names(page.part.facts(language), sides);
    let mut quotations = Vec::new();
    for (verdict, side, role) in [(before, older, other), (after, newer, "candidate")] {
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
