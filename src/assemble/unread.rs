//! Documents of no known name: their gradings count where no other is left, and what looks like
//! results and is in no other document is one problem.

use std::collections::BTreeSet;

use crate::discover::{Document, Kind, Section, names};
use crate::model::{Code, Ignored, Outcome, Place, Problem};
use crate::read::{OVERALL_STATEMENT, Record, UnreadKind, UnreadResults};
use crate::text::folded;

/// Drops what documents of no known name repeat, and returns those without anything of their own.
pub(super) fn sort_out(section: &Section, records: &mut [Record]) -> Vec<Ignored> {
    let mut verdicts: BTreeSet<(String, Outcome)> = BTreeSet::new();
    let mut unknown: Vec<(&Document, &mut Record)> = Vec::new();
    for (document, record) in section.documents.iter().zip(records) {
        if document.kind == Kind::Unknown {
            unknown.push((document, record));
            continue;
        }
        let listed = record.benchmark.iter().flat_map(|benchmark| &benchmark.listed);
        let listed = listed.flat_map(|run| &run.expectations);
        let graded = record.gradings.iter().flat_map(|graded| &graded.grading.expectations);
        for found in graded.chain(listed) {
            verdicts.insert((folded(&found.text).into_owned(), found.outcome));
        }
    }
    let is_graded = !verdicts.is_empty();
    let mut ignored = Vec::new();
    for (document, record) in unknown {
        // Files of any other name are somebody's own sums.
        let may_count = !is_graded && names::file_name(&document.path) == "results.json";
        if !may_count && !record.gradings.is_empty() {
            let gradings = std::mem::take(&mut record.gradings).into_iter();
            let found = gradings.flat_map(|graded| graded.grading.expectations).collect();
            let place = Place { line: 1, column: 1 };
            record.unread = Some(UnreadResults { place, kind: UnreadKind::Verdicts(found) });
            record.problems.clear();
        }
        if !record.gradings.is_empty() || !record.trigger_rounds.is_empty() {
            continue;
        }
        match record.unread.take().and_then(|unread| problem(document, unread, &verdicts)) {
            Some(problem) => record.problems.push(problem),
            None => {
                ignored.push(Ignored::file(&document.path, "not a document of a known kind"));
            }
        }
    }
    ignored
}

/// The problem of results that nothing else has.
fn problem(
    document: &Document,
    unread: UnreadResults,
    known: &BTreeSet<(String, Outcome)>,
) -> Option<Problem> {
    let (what, help) = match unread.kind {
        UnreadKind::Verdicts(mut found) => {
            found.retain(|one| {
                let is_known = known.contains(&(folded(&one.text).into_owned(), one.outcome))
                    || one.text == OVERALL_STATEMENT && !known.is_empty();
                one.outcome != Outcome::Ungraded && !is_known
            });
            if found.is_empty() {
                return None;
            }
            (
                format!("{} verdicts that nothing else has", found.len()),
                "keep the grading of each run",
            )
        }
        // Where gradings were kept, a sum is no news.
        UnreadKind::Counts(_) if !known.is_empty() => return None,
        UnreadKind::Counts(number) => {
            (format!("counts of {number} verdicts"), "keep the grading of each run")
        }
        UnreadKind::TriggerAnswers(number) => (
            format!("{number} answers on whether a skill triggers"),
            "write `query`, `should_trigger` and `triggered` of each into `trigger-results.json`",
        ),
    };
    let message = format!("looks like results: {what}");
    let problem = Problem::new(Code::ResultsNotRead, &document.path, message);
    Some(problem.at(Some(unread.place)).assuming("not read").help(help))
}
