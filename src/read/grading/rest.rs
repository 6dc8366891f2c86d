//! Contents of a grading besides its verdicts: counts, claims, advice, notes, convention checks.

use crate::model::{
    Claim, ConventionCheck, Grading, Metrics, Notes, Outcome, RecordedCounts, ScoredStatement,
    Suggestion, fill,
};
use crate::read::alias::{Field, claim, counts, expectation, grading, notes, suggestion};
use crate::read::cursor::Cursor;
use crate::read::grading::GradingRecord;
use crate::read::labels::Labels;
use crate::read::{metrics, rules, verdict};

/// A grading without its verdicts.
pub(super) fn rest_of(cursor: Cursor<'_>, labels: Labels) -> GradingRecord {
    let summary = cursor.object(&grading::SUMMARY);
    let (suggestions, critique) = advice(cursor);
    let grading = Grading {
        path: cursor.path(),
        recorded: read_counts(summary.unwrap_or(cursor)),
        overall: cursor.get(&grading::OVERALL).and_then(verdict::parse_flag_or_text),
        overall_score: mean_score(cursor, &grading::OVERALL_SCORE),
        required_score: mean_score(cursor, &grading::REQUIRED_SCORE),
        claims: claims(cursor),
        suggestions,
        critique,
        notes: read_notes(cursor),
        conventions: conventions(cursor),
        grader: cursor.label(&grading::GRADER),
        ..Grading::default()
    };
    let metrics = if cursor.is_object() { metrics::read(cursor) } else { Metrics::default() };
    let timing = cursor.object(&grading::TIMING);
    GradingRecord {
        labels,
        grading,
        metrics,
        timing: timing.map(metrics::read).unwrap_or_default(),
        timing_place: timing.map(|part| part.place()),
        is_empty: true,
        ..GradingRecord::default()
    }
}

pub(super) fn scored_statement(cursor: Cursor<'_>) -> ScoredStatement {
    let required = cursor.get(&grading::REQUIRED_SCORE);
    let stated = cursor.get(&grading::OVERALL);
    ScoredStatement {
        required_score: required.and_then(|value| Some((value.node().as_f64()?, value.place()))),
        overall: stated
            .and_then(|value| Some((verdict::parse_flag_or_text(value)?, value.place()))),
    }
}

pub(in crate::read) fn read_counts(cursor: Cursor<'_>) -> RecordedCounts {
    RecordedCounts {
        passed: cursor.plain_number(&counts::PASSED),
        failed: cursor.plain_number(&counts::FAILED),
        total: cursor.plain_number(&counts::TOTAL),
        pass_rate: cursor.rate(&counts::PASS_RATE),
    }
}

/// A recorded mean of scores on the rubric of 1 to 5.
fn mean_score(cursor: Cursor<'_>, field: &Field) -> Option<f64> {
    cursor.get(field)?.node().as_f64().filter(|score| rules::is_on_rubric(*score))
}

fn claims(cursor: Cursor<'_>) -> Vec<Claim> {
    let claim = |item: Cursor<'_>| {
        let text = if item.is_object() { item.words(&claim::TEXT)? } else { item.as_words()? };
        Some(Claim {
            text,
            kind: item.label(&claim::KIND),
            verified: item.flag(&claim::VERIFIED),
            evidence: item.words(&claim::EVIDENCE),
        })
    };
    cursor.items_of(&grading::CLAIMS).filter_map(claim).collect()
}

/// The advice on single expectations, and the remark on all of them.
fn advice(cursor: Cursor<'_>) -> (Vec<Suggestion>, Option<String>) {
    let Some(advice) = cursor.get(&grading::SUGGESTIONS) else { return Default::default() };
    let list = advice.list(&suggestion::LIST);
    let listed = list.into_iter().flat_map(Cursor::items).filter_map(|item| {
        let expectation = item.words(&suggestion::EXPECTATION);
        let text = item.words(&suggestion::TEXT).or_else(|| item.as_words())?;
        Some(Suggestion { expectation, text })
    });
    let overall = match advice.is_object() {
        true => advice.words(&suggestion::OVERALL),
        false => advice.as_words().filter(|_| !advice.is_list()),
    };
    (listed.collect(), overall)
}

/// The executor's remarks: under their three headings or others, or one text.
pub(in crate::read) fn read_notes(cursor: Cursor<'_>) -> Notes {
    let Some(noted) = cursor.get(&grading::NOTES) else { return Notes::default() };
    if !noted.is_object() {
        return Notes { other: noted.as_texts(), ..Notes::default() };
    }
    let fields = [&notes::UNCERTAINTIES, &notes::NEEDS_REVIEW, &notes::WORKAROUNDS];
    let is_known = |key: &str| fields.iter().any(|field| field.spellings.contains(&key));
    Notes {
        uncertainties: noted.texts(&notes::UNCERTAINTIES),
        needs_review: noted.texts(&notes::NEEDS_REVIEW),
        workarounds: noted.texts(&notes::WORKAROUNDS),
        other: noted.named_texts(|key| !is_known(key)),
    }
}

fn conventions(cursor: Cursor<'_>) -> Vec<ConventionCheck> {
    let check = |(name, check): (&str, Cursor<'_>)| {
        rules::check_convention(check, name);
        let verdict =
            if check.is_object() { check.get(&expectation::VERDICT) } else { Some(check) };
        ConventionCheck {
            name: name.to_owned(),
            outcome: verdict.map_or(Outcome::Ungraded, verdict::read),
            details: check.words(&expectation::EVIDENCE),
        }
    };
    cursor.entries_of(&grading::CONVENTIONS).map(check).collect()
}

/// Fills a grading's missing fields from the document around it.
pub(super) fn fill_from_outside(record: &mut GradingRecord, cursor: Cursor<'_>) {
    let outer = rest_of(cursor, Labels::default());
    record.metrics.fill_from(&outer.metrics);
    record.timing.fill_from(&outer.timing);
    fill(&mut record.timing_place, &outer.timing_place);
    let (inner, outer) = (&mut record.grading, outer.grading);
    fill(&mut inner.claims, &outer.claims);
    fill(&mut inner.suggestions, &outer.suggestions);
    fill(&mut inner.conventions, &outer.conventions);
    fill(&mut inner.critique, &outer.critique);
    fill(&mut inner.overall, &outer.overall);
    fill(&mut inner.overall_score, &outer.overall_score);
    fill(&mut inner.required_score, &outer.required_score);
    fill(&mut inner.grader, &outer.grader);
    fill(&mut inner.notes, &outer.notes);
    if inner.recorded == RecordedCounts::default() && outer.recorded != inner.recorded {
        inner.recorded = outer.recorded;
        rules::check_counts(cursor, inner);
    }
    if let Some(stated) = &mut inner.scored {
        let outer = scored_statement(cursor);
        fill(&mut stated.required_score, &outer.required_score);
        fill(&mut stated.overall, &outer.overall);
    }
}
