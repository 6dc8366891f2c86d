//! A recorded benchmark next to the figures computed from the runs, and the listed runs of an
//! iteration of which nothing else is left.

use serde_json::{Value, json};

use crate::analyze::{ConfigurationSummary, Discrepancy, IterationAnalysis};
use crate::model::{
    Iteration, RecordedBenchmark, RecordedConfiguration, RecordedRun, RecordedSpread, Run, Tally,
};
use crate::render::context::{DASH, Rate, RenderContext, Rows, view::check_row};
use crate::statistics::Spread;
use crate::text::{fixed, folded_name, signed, tokens};
use crate::wording::recorded_differences;

pub(super) fn benchmark(
    context: RenderContext<'_>,
    analysis: &IterationAnalysis,
    (benchmark, differing): (&RecordedBenchmark, &[Discrepancy]),
) -> Value {
    let rows = benchmark.configurations.iter().map(|recorded| row(context, recorded, analysis));
    let differing =
        differing.iter().map(|one| recorded_differences::sentence(one, context.language));
    json!({
        "path": benchmark.path,
        "facts": facts(context, benchmark),
        "rows": rows.chain(changes(context, analysis, benchmark)).collect::<Vec<_>>(),
        "differing": differing.collect::<Vec<_>>(),
        "notes": benchmark.notes,
    })
}

fn facts(context: RenderContext<'_>, benchmark: &RecordedBenchmark) -> Vec<String> {
    let runs_per_configuration = benchmark.runs_per_configuration.map(|runs| fixed(runs, 0));
    let mut cases = None;
    if !benchmark.evals_run.is_empty() {
        cases = Some(context.language.list(benchmark.evals_run.iter().map(String::as_str)));
    }
    let recorded = [
        ("recorded.executor", benchmark.executor_model.clone()),
        ("recorded.analyzer", benchmark.analyzer_model.clone()),
        ("recorded.timestamp", benchmark.timestamp.clone()),
        ("recorded.skill", benchmark.skill_path.clone()),
        ("recorded.runs_per_configuration", runs_per_configuration),
        ("recorded.runs", benchmark.runs.map(|runs| runs.to_string())),
        ("recorded.cases", cases),
    ];
    let mut facts = Vec::new();
    for (key, value) in recorded {
        if let Some(value) = value {
            facts.push(context.language.fill(key, &[("value", &value)]));
        }
    }
    facts
}

fn row(
    context: RenderContext<'_>,
    recorded: &RecordedConfiguration,
    analysis: &IterationAnalysis,
) -> Value {
    let language = context.language;
    let wanted = folded_name(&recorded.name);
    let mut summaries = analysis.configurations.iter();
    let ours = summaries.find(|summary| folded_name(&summary.name) == wanted);
    let time = ours.and_then(|summary| summary.duration_s);
    let used = ours.and_then(|summary| summary.tokens);
    json!({
        "name": recorded.name,
        "rate": [recorded_rate(context, recorded), ours.map_or_else(dash, |ours| counted_rate(context, ours))],
        "time": [
            spread(&recorded.time_s, |value| language.seconds(value)),
            time.map_or_else(dash, |time| language.seconds(time.mean)),
        ],
        "tokens": [spread(&recorded.tokens, tokens), used.map_or_else(dash, |used| tokens(used.mean))],
    })
}

fn recorded_rate(context: RenderContext<'_>, recorded: &RecordedConfiguration) -> String {
    let rate = spread(&recorded.pass_rate, |value| context.language.percent(value));
    let Some((passed, total)) = recorded.passed.zip(recorded.total) else { return rate };
    rate_with_counts(context, rate, format!("{}/{}", fixed(passed, 0), fixed(total, 0)))
}

/// The mean pass rate of the runs, with the pooled counts.
fn counted_rate(context: RenderContext<'_>, summary: &ConfigurationSummary) -> String {
    let counts = Rate::counts_of(summary.tally);
    let Some(spread) = summary.pass_rate else { return counts };
    rate_with_counts(context, context.language.percent(spread.mean), counts)
}

fn rate_with_counts(context: RenderContext<'_>, rate: String, counts: String) -> String {
    context.language.fill("recorded.rate", &[("rate", &rate), ("counts", &counts)])
}

fn spread(recorded: &RecordedSpread, text: impl Fn(f64) -> String) -> String {
    match (recorded.mean, recorded.stddev) {
        (Some(mean), Some(stddev)) => format!("{} ± {}", text(mean), text(stddev)),
        (Some(mean), None) => text(mean),
        (None, _) => dash(),
    }
}

fn dash() -> String {
    DASH.to_owned()
}

/// The recorded differences, then ours; empty if none was recorded.
fn changes(
    context: RenderContext<'_>,
    analysis: &IterationAnalysis,
    benchmark: &RecordedBenchmark,
) -> Vec<Value> {
    let deltas = [benchmark.delta_pass_rate, benchmark.delta_seconds, benchmark.delta_tokens];
    if deltas.iter().all(Option::is_none) {
        return Vec::new();
    }
    let sides = analysis.candidate().zip(analysis.baseline());
    let name = match sides {
        Some((candidate, baseline)) => {
            let ours = format!("{} \u{2212} {}", candidate.name, baseline.name);
            context.language.fill("recorded.difference_beside", &[("ours", &ours)])
        }
        None => context.language.text("recorded.difference").to_owned(),
    };
    let language = context.language;
    let rates = [benchmark.delta_pass_rate, difference(sides, |summary| summary.pass_rate)];
    let times = [benchmark.delta_seconds, difference(sides, |summary| summary.duration_s)];
    let used = [benchmark.delta_tokens, difference(sides, |summary| summary.tokens)];
    vec![json!({
        "name": name,
        "rate": rates.map(|value| value.map_or_else(dash, |value| language.points(value))),
        "time": times.map(|value| value.map_or_else(dash, |value| language.signed_seconds(value, 1))),
        "tokens": used.map(|value| value.map_or_else(dash, |value| signed(value, 0))),
    })]
}

/// The difference of the means over all runs, as the skill-creator computes it.
fn difference(
    sides: Option<(&ConfigurationSummary, &ConfigurationSummary)>,
    figure: fn(&ConfigurationSummary) -> Option<Spread>,
) -> Option<f64> {
    let (candidate, baseline) = sides?;
    Some(figure(candidate)?.mean - figure(baseline)?.mean)
}

/// Most verdicts that are shown with their evidence.
const VERDICTS: usize = 800;

/// The listed runs; empty if the iteration has verdicts of its own.
pub(super) fn listed(context: RenderContext<'_>, iteration: &Iteration) -> Vec<Value> {
    if iteration.runs().any(Run::is_graded) {
        return Vec::new();
    }
    let benchmarks = iteration.benchmarks.iter().filter(|benchmark| !benchmark.listed.is_empty());
    benchmarks.map(|benchmark| listed_in(context, benchmark)).collect()
}

fn listed_in(context: RenderContext<'_>, benchmark: &RecordedBenchmark) -> Value {
    let language = context.language;
    let (mut remaining, mut hidden) = (VERDICTS, 0);
    let rows = Rows::all(benchmark.listed.iter(), |run| {
        let mut checks = Vec::new();
        if run.expectations.len() <= remaining {
            remaining -= run.expectations.len();
            checks.extend(run.expectations.iter().map(check_row));
        } else {
            hidden += 1;
        }
        json!({
            "case": run.case_name.clone().or_else(|| run.case_id.clone()).unwrap_or_else(dash),
            "configuration": run.configuration.clone().unwrap_or_else(dash),
            "number": run.run.map_or_else(dash, |number| number.to_string()),
            "counts": counts(context, run),
            "time": run.metrics.duration_s.map_or_else(dash, |value| language.seconds(value)),
            "tokens": run.metrics.tokens.map_or_else(dash, tokens),
            "notes": run.notes,
            "expectations": checks,
        })
    });
    let mut more = None;
    if hidden > 0 {
        let number = language.count(hidden, "run");
        more = Some(language.fill("recorded.hidden", &[("number", &number)]));
    }
    json!({ "path": benchmark.path, "rows": rows, "more": more })
}

/// The counts of the listed verdicts, else as recorded.
fn counts(context: RenderContext<'_>, run: &RecordedRun) -> String {
    let tally = Tally::new(run.expectations.iter().map(|expectation| expectation.outcome));
    if tally.graded() > 0 {
        return Rate::counts_of(tally);
    }
    let recorded = run.counts;
    match (recorded.passed.zip(recorded.total), recorded.pass_rate) {
        (Some((passed, total)), _) => format!("{}/{}", fixed(passed, 0), fixed(total, 0)),
        (None, Some(rate)) => context
            .language
            .fill("recorded.rate_alone", &[("rate", &context.language.percent(rate))]),
        (None, None) => DASH.to_owned(),
    }
}
