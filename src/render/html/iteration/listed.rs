//! The runs a benchmark lists, for an iteration of which nothing else is left.

use serde::Serialize;

use crate::model::{Iteration, RecordedBenchmark, RecordedRun, Tally};
use crate::render::context::{DASH, Rows, Site, view::ExpectationRow};
use crate::text::{fixed, tokens};

/// So many verdicts are shown with their evidence.
const VERDICTS: usize = 800;

/// The runs of one benchmark.
#[derive(Serialize)]
pub(super) struct ListedRuns {
    path: String,
    rows: Rows<Row>,
    more: String,
}

#[derive(Serialize)]
struct Row {
    case: String,
    configuration: String,
    number: String,
    counts: String,
    time: String,
    tokens: String,
    notes: Vec<String>,
    expectations: Vec<ExpectationRow>,
}

/// The listed runs; none where the iteration has verdicts of its own.
pub(super) fn listed(site: Site<'_>, iteration: &Iteration) -> Vec<ListedRuns> {
    if iteration.runs().any(crate::model::Run::is_graded) {
        return Vec::new();
    }
    let has_runs = iteration.benchmarks.iter().filter(|benchmark| !benchmark.listed.is_empty());
    has_runs.map(|benchmark| of_benchmark(site, benchmark)).collect()
}

fn of_benchmark(site: Site<'_>, benchmark: &RecordedBenchmark) -> ListedRuns {
    let mut left = VERDICTS;
    let mut hidden = 0;
    let rows = Rows::of(benchmark.listed.iter(), |run| {
        let is_shown = run.expectations.len() <= left;
        left -= if is_shown { run.expectations.len() } else { 0 };
        hidden += usize::from(!is_shown);
        row(site, run, is_shown)
    });
    let more = match hidden {
        0 => String::new(),
        _ => {
            let number = site.language.count(hidden, "run");
            site.language.fill("recorded.hidden", &[("number", &number)])
        }
    };
    ListedRuns { path: benchmark.path.clone(), rows, more }
}

fn row(site: Site<'_>, run: &RecordedRun, is_shown: bool) -> Row {
    let language = site.language;
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| DASH.to_owned());
    let shown = run.expectations.iter().filter(|_| is_shown);
    Row {
        case: or_dash(run.case_name.clone().or_else(|| run.case_id.clone())),
        configuration: or_dash(run.configuration.clone()),
        number: or_dash(run.run.map(|number| number.to_string())),
        counts: counts(site, run),
        time: or_dash(run.metrics().duration_s.map(|value| language.seconds(value))),
        tokens: or_dash(run.metrics().tokens.map(tokens)),
        notes: run.notes.clone(),
        expectations: shown.map(|shown| ExpectationRow::new(shown, language)).collect(),
    }
}

/// Counted from the listed verdicts, else as recorded.
fn counts(site: Site<'_>, run: &RecordedRun) -> String {
    let tally = Tally::new(run.expectations.iter().map(|expectation| expectation.outcome));
    if tally.graded() > 0 {
        return format!("{}/{}", tally.passed, tally.graded());
    }
    let recorded = run.counts;
    match (recorded.passed.zip(recorded.total), recorded.pass_rate) {
        (Some((passed, total)), _) => format!("{}/{}", fixed(passed, 0), fixed(total, 0)),
        (None, Some(rate)) => {
            site.language.fill("recorded.rate_alone", &[("rate", &site.language.percent(rate))])
        }
        (None, None) => DASH.to_owned(),
    }
}
