//! What a grader writes besides its verdicts: claims, advice, notes, convention checks.

use crate::read::alias::{Field, claim, expectation, grading, notes, suggestion};
use crate::read::cursor::Cursor;
use crate::read::grading::counts::{check_counts, read_counts};
use crate::read::grading::{GradingRecord, score};
use crate::read::labels::Labels;
use crate::read::{metrics, verdict};
use input::model::{
    Claim, ConventionCheck, Grading, Metrics, Notes, Outcome, RecordedCounts, Suggestion, fill,
};

/// A grading without its verdicts.
pub(super) fn without_verdicts(cursor: Cursor<'_>, labels: Labels) -> GradingRecord {
    let summary = cursor.object(&grading::SUMMARY);
    let mut grading = Grading {
        path: cursor.path(),
        recorded: read_counts(summary.unwrap_or(cursor)),
        overall: cursor.get(&grading::OVERALL).and_then(verdict::parse_flag_or_text),
        overall_score: mean_score(cursor, &grading::OVERALL_SCORE),
        required_score: mean_score(cursor, &grading::REQUIRED_SCORE),
        claims: claims(cursor),
        notes: read_notes(cursor),
        conventions: conventions(cursor),
        grader: cursor.label(&grading::GRADER),
        ..Grading::default()
    };
    add_advice(cursor, &mut grading);
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

/// A recorded mean of scores on the rubric of 1 to 5.
fn mean_score(cursor: Cursor<'_>, field: &Field) -> Option<f64> {
    cursor.get(field)?.node().as_f64().filter(|score| score::is_on_rubric(*score))
}

fn claims(cursor: Cursor<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for item in cursor.items_of(&grading::CLAIMS) {
        let text = if item.is_object() { item.text(&claim::TEXT) } else { item.as_text() };
        if let Some(text) = text {
            claims.push(Claim {
                text,
                kind: item.label(&claim::KIND),
                verified: item.flag(&claim::VERIFIED),
                evidence: item.text(&claim::EVIDENCE),
            });
        }
    }
    claims
}

/// Adds the advice on single expectations, and the remark on all of them.
// The skill-creator has an object; other graders write a list or one text under the same key.
fn add_advice(cursor: Cursor<'_>, grading: &mut Grading) {
    let Some(advice) = cursor.get(&grading::SUGGESTIONS) else { return };
    for item in advice.list(&suggestion::LIST).into_iter().flat_map(Cursor::items) {
        if let Some(text) = item.text(&suggestion::TEXT).or_else(|| item.as_text()) {
            let expectation = item.text(&suggestion::EXPECTATION);
            grading.suggestions.push(Suggestion { expectation, text });
        }
    }
    if advice.is_object() {
        grading.critique = advice.text(&suggestion::OVERALL);
    } else if !advice.is_list() {
        grading.critique = advice.as_text();
    }
}

/// The executor's remarks: under their three headings or others, or one text.
pub(in crate::read) fn read_notes(cursor: Cursor<'_>) -> Notes {
    let Some(noted) = cursor.get(&grading::NOTES) else { return Notes::default() };
    if !noted.is_object() {
        return Notes { other: noted.as_texts(), ..Notes::default() };
    }
    let fields = [&notes::UNCERTAINTIES, &notes::NEEDS_REVIEW, &notes::WORKAROUNDS];
    Notes {
        uncertainties: noted.texts(&notes::UNCERTAINTIES),
        needs_review: noted.texts(&notes::NEEDS_REVIEW),
        workarounds: noted.texts(&notes::WORKAROUNDS),
        other: noted.named_texts(|key| !fields.iter().any(|field| field.spellings.contains(&key))),
    }
}

/// Convention checks of the scored dialect.
fn conventions(cursor: Cursor<'_>) -> Vec<ConventionCheck> {
    let mut checks = Vec::new();
    for (name, check) in cursor.entries_of(&grading::CONVENTIONS) {
        let verdict =
            if check.is_object() { check.get(&expectation::VERDICT) } else { Some(check) };
        checks.push(ConventionCheck {
            name: name.to_owned(),
            outcome: verdict.map_or(Outcome::Ungraded, verdict::read),
            details: check.text(&expectation::EVIDENCE),
        });
    }
    checks
}

/// Fills a grading's missing fields from the document around it.
pub(super) fn fill_from_outside(record: &mut GradingRecord, cursor: Cursor<'_>) {
    let outer = without_verdicts(cursor, Labels::default());
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
        check_counts(cursor, inner);
    }
}
