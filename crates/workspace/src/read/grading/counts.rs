//! Counts that a grading records: read, and compared with its verdicts.

use crate::read::alias::{counts, grading};
use crate::read::cursor::Cursor;
use crate::read::grading::score::short;
use input::model::{Code, Grading, RATE_ROUNDING, RecordedCounts};
use text::fixed;

pub(in crate::read) fn read_counts(cursor: Cursor<'_>) -> RecordedCounts {
    RecordedCounts {
        passed: cursor.number(&counts::PASSED),
        failed: cursor.number(&counts::FAILED),
        total: cursor.number(&counts::TOTAL),
        pass_rate: cursor.rate(&counts::PASS_RATE),
    }
}

/// Recorded counts must match the list. The list wins.
// Graders that are models count by heart; six public summaries contradict their lists.
pub(super) fn check_counts(cursor: Cursor<'_>, read: &Grading) {
    let tally = read.tally();
    let RecordedCounts { passed, failed, total, pass_rate } = read.recorded;
    let has_other_rate = match (pass_rate, tally.pass_rate()) {
        (Some(recorded), Some(counted)) => (recorded - counted).abs() > RATE_ROUNDING,
        _ => false,
    };
    // Some writers leave out what is ungraded from the total.
    let has_other_total = differs(total, read.expectations.len()) && differs(total, tally.graded());
    if !differs(passed, tally.passed)
        && !differs(failed, tally.failed)
        && !has_other_total
        && !has_other_rate
    {
        return;
    }
    let stated = match (passed, failed, total, pass_rate) {
        (Some(passed), _, Some(total), _) => {
            format!("{} of {} passed", short(passed), short(total))
        }
        (Some(passed), Some(failed), ..) => {
            format!("{} passed and {} failed", short(passed), short(failed))
        }
        (Some(passed), ..) => format!("{} passed", short(passed)),
        (.., Some(rate)) => format!("a pass rate of {}", fixed(rate, 2)),
        _ => "something else".to_owned(),
    };
    let message = format!("the summary says {stated}");
    let assumed = format!("the list gives {} of {} and was taken", tally.passed, tally.graded());
    let help = "correct the summary or leave it out; it is counted from the list";
    let summary = cursor.object(&grading::SUMMARY).or_else(|| {
        // Some write the counts next to the list, without a summary around them.
        let fields = [&counts::PASSED, &counts::FAILED, &counts::TOTAL, &counts::PASS_RATE];
        fields.into_iter().find_map(|field| cursor.get(field))
    });
    summary.unwrap_or(cursor).problem(Code::SummaryMismatch, message, &assumed, help);
}

fn differs(recorded: Option<f64>, counted: usize) -> bool {
    recorded.is_some_and(|recorded| (recorded - counted as f64).abs() > 0.5)
}
