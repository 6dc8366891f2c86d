//! Documents of no known name: their gradings count where no other is left, and what looks like
//! results and is in no other document is one problem.

use std::collections::{BTreeMap, BTreeSet};

use crate::read::{OVERALL_STATEMENT, Record, UnreadKind, UnreadResults, counted};
use input::discover::{Document, Kind, Section, kinds};
use input::model::{Code, Ignored, Outcome, Place, Problem, TriggerQuery, TriggerRound, Workspace};
use input::names;
use text::{count, folded};

/// Test reports that are looked into.
const REPORTS: usize = 20;

/// Drops what documents of no known name repeat, and returns those without anything of their own.
pub(super) fn sort_out(section: &Section, records: &mut [Record]) -> Vec<Ignored> {
    let asked = asked_queries(records);
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
        // Beside verdicts, and without its evidence, a file of any other name is somebody's own sum.
        let is_named = names::file_name(&document.path) == "results.json";
        let may_count = !is_graded && (is_named || have_evidence(record));
        if !may_count && !record.gradings.is_empty() {
            let gradings = std::mem::take(&mut record.gradings).into_iter();
            let found = gradings.flat_map(|graded| graded.grading.expectations).collect();
            let place = Place { line: 1, column: 1 };
            record.unread = Some(UnreadResults { place, kind: UnreadKind::Verdicts(found) });
            record.problems.clear();
        }
        if let Some(UnreadResults { kind: UnreadKind::TriggerAnswers(answers), .. }) =
            &record.unread
        {
            record.trigger_rounds.extend(answered_round(document, answers, &asked));
        }
        // They sum up runs, as those of a benchmark do.
        for graded in record.gradings.iter_mut().filter(|_| !is_named) {
            graded.grading.is_recorded = true;
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

/// Whether the gradings have a reason for each verdict, as those in finger88's `eval_summary.json`.
fn have_evidence(record: &Record) -> bool {
    let mut found = record.gradings.iter().flat_map(|graded| &graded.grading.expectations);
    found.all(|one| one.evidence.is_some())
}

/// The queries that some document asks, by their ids.
fn asked_queries(records: &[Record]) -> BTreeMap<String, TriggerQuery> {
    let mut asked = BTreeMap::new();
    for round in records.iter().flat_map(|record| &record.trigger_rounds) {
        for query in &round.queries {
            if let Some(id) = &query.id {
                asked.entry(id.clone()).or_insert_with(|| query.clone());
            }
        }
    }
    asked
}

/// The round of a judge that answers by the ids of queries; `None` if one of them is unknown.
fn answered_round(
    document: &Document,
    answers: &[(String, bool)],
    asked: &BTreeMap<String, TriggerQuery>,
) -> Option<TriggerRound> {
    let mut queries = Vec::new();
    for (id, triggered) in answers {
        let query = asked.get(id)?;
        queries.push(TriggerQuery {
            triggers: Some(if *triggered { 1.0 } else { 0.0 }),
            runs: Some(1.0),
            passed: query.should_trigger.map(|wanted| wanted == *triggered),
            ..query.clone()
        });
    }
    let judge = names::split_extension(names::file_name(&document.path)).0.to_owned();
    let path = document.path.clone();
    Some(counted(TriggerRound { path, name: Some(judge), queries, ..TriggerRound::default() }))
}

/// The problem of results that nothing else has.
fn problem(
    document: &Document,
    unread: UnreadResults,
    known: &BTreeSet<(String, Outcome)>,
) -> Option<Problem> {
    // The problem with its name says that it is not read.
    if kinds::misspelt(&document.path).is_some() {
        return None;
    }
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
                format!("{} that nothing else has", count(found.len(), "verdict")),
                "keep the grading of each run as `grading.json` in the folder of the run",
            )
        }
        // Where gradings were kept, a sum is no news.
        UnreadKind::Counts(_) if !known.is_empty() => return None,
        UnreadKind::Counts(number) => (
            format!("counts of {number} verdicts"),
            "keep the grading of each run as `grading.json` in the folder of the run",
        ),
        UnreadKind::Scores(number) => (
            format!("{number} scores of judges"),
            "scores are no verdicts: write what passed into a `grading.json` for each run",
        ),
        UnreadKind::TriggerAnswers(answers) => (
            format!("{} answers on whether a skill triggers", answers.len()),
            "write `query`, `should_trigger` and `triggered` of each into `trigger-results.json`",
        ),
    };
    let message = format!("looks like results: {what}");
    let problem = Problem::new(Code::ResultsNotRead, &document.path, message);
    Some(problem.at(Some(unread.place)).assuming("not read").help(help))
}

/// Names the test reports in JUnit in a workspace without any verdict; `adapters::name_rows` names tables.
/// `read` returns the text of a file by its path.
pub(crate) fn name_test_reports(workspace: &mut Workspace, read: &dyn Fn(&str) -> Option<String>) {
    let mut iterations = workspace.iterations.iter();
    let is_known = iterations.any(|found| found.runs().any(|run| run.is_graded()));
    // Beside verdicts such a file repeats them, as our own exports do.
    if is_known || !workspace.trigger_rounds.is_empty() {
        return;
    }
    let ignored = workspace.ignored.iter().map(|ignored| &ignored.path);
    let reports: Vec<&String> =
        ignored.filter(|path| path.ends_with(".xml")).take(REPORTS).collect();
    for path in reports {
        let text = read(path).unwrap_or_default();
        if text.contains("<testsuite") && text.contains("<testcase") {
            let message = "looks like results: a test report in JUnit";
            let help =
                "write a `grading.json` for each run: `evalbook schema grading` prints its shape";
            let problem = Problem::new(Code::ResultsNotRead, path, message);
            workspace.problems.push(problem.assuming("not read").help(help));
        }
    }
}
