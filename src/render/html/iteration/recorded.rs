//! A recorded benchmark next to the figures computed from the runs, and the listed runs of an
//! iteration of which nothing else is left.

use std::fmt::Display;

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
    let fact = |key: &str, value: &dyn Display| context.language.fill(key, &[("value", value)]);
    let runs = benchmark.runs_per_configuration.map(|runs| fixed(runs, 0));
    let facts = [
        benchmark.executor_model.as_ref().map(|model| fact("recorded.executor", model)),
        benchmark.analyzer_model.as_ref().map(|model| fact("recorded.analyzer", model)),
        benchmark.timestamp.as_ref().map(|time| fact("recorded.timestamp", time)),
        benchmark.skill_path.as_ref().map(|path| fact("recorded.skill", path)),
        runs.map(|runs| fact("recorded.runs_per_configuration", &runs)),
        benchmark.runs.map(|runs| fact("recorded.runs", &runs)),
    ];
    let cases = context.language.list(benchmark.evals_run.iter().map(String::as_str));
    let cases = (!cases.is_empty()).then(|| fact("recorded.cases", &cases));
    facts.into_iter().flatten().chain(cases).collect()
}

fn row(
    context: RenderContext<'_>,
    recorded: &RecordedConfiguration,
    analysis: &IterationAnalysis,
) -> Value {
    let (language, wanted) = (context.language, folded_name(&recorded.name));
    let mut summaries = analysis.configurations.iter();
    let ours = summaries.find(|summary| folded_name(&summary.name) == wanted);
    let seconds = |value: f64| language.seconds(value);
    let time = ours.and_then(|summary| Some(summary.duration_s?.mean));
    let used = ours.and_then(|summary| Some(summary.tokens?.mean));
    let with_counts = |rate: String, counts: String| {
        language.fill("recorded.rate", &[("rate", &rate), ("counts", &counts)])
    };
    let mut rate = spread(&recorded.pass_rate, |value| language.percent(value));
    if let Some((passed, total)) = recorded.passed.zip(recorded.total) {
        rate = with_counts(rate, format!("{}/{}", fixed(passed, 0), fixed(total, 0)));
    }
    // The mean pass rate of the runs, with the pooled counts.
    let counted = ours.map_or_else(dash, |summary| {
        let counts = Rate::counts_of(summary.tally);
        let Some(spread) = summary.pass_rate else { return counts };
        with_counts(language.percent(spread.mean), counts)
    });
    json!({
        "name": recorded.name,
        "rate": [rate, counted],
        "time": [spread(&recorded.time_s, seconds), time.map_or_else(dash, seconds)],
        "tokens": [spread(&recorded.tokens, tokens), used.map_or_else(dash, tokens)],
    })
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
    // Differences of the means over all runs, as in the skill-creator.
    let ours = |figure: fn(&ConfigurationSummary) -> Option<Spread>| {
        let (candidate, baseline) = sides?;
        Some(figure(candidate)?.mean - figure(baseline)?.mean)
    };
    let points =
        |value: Option<f64>| value.map_or_else(dash, |value| context.language.points(value));
    let seconds = |value: Option<f64>| {
        value.map_or_else(dash, |value| context.language.signed_seconds(value, 1))
    };
    let number = |value: Option<f64>| value.map_or_else(dash, |value| signed(value, 0));
    vec![json!({
        "name": name,
        "rate": [points(benchmark.delta_pass_rate), points(ours(|own| own.pass_rate))],
        "time": [seconds(benchmark.delta_seconds), seconds(ours(|own| own.duration_s))],
        "tokens": [number(benchmark.delta_tokens), number(ours(|own| own.tokens))],
    })]
}

/// Most verdicts that are shown with their evidence.
const VERDICTS: usize = 800;

/// The listed runs; empty if the iteration has verdicts of its own.
pub(super) fn listed(context: RenderContext<'_>, iteration: &Iteration) -> Vec<Value> {
    if iteration.runs().any(Run::is_graded) {
        return Vec::new();
    }
    let has_runs = iteration.benchmarks.iter().filter(|benchmark| !benchmark.listed.is_empty());
    let seconds = |value: f64| context.language.seconds(value);
    let or_dash = |text: Option<String>| text.unwrap_or_else(dash);
    let benchmark_view = |benchmark: &RecordedBenchmark| {
        let (mut remaining, mut hidden) = (VERDICTS, 0);
        let rows = Rows::all(benchmark.listed.iter(), |run| {
            let is_shown = run.expectations.len() <= remaining;
            remaining -= if is_shown { run.expectations.len() } else { 0 };
            hidden += usize::from(!is_shown);
            let shown = run.expectations.iter().filter(|_| is_shown);
            json!({
                "case": or_dash(run.case_name.clone().or_else(|| run.case_id.clone())),
                "configuration": or_dash(run.configuration.clone()),
                "number": or_dash(run.run.map(|number| number.to_string())),
                "counts": counts(context, run),
                "time": or_dash(run.metrics.duration_s.map(seconds)),
                "tokens": or_dash(run.metrics.tokens.map(tokens)),
                "notes": run.notes,
                "expectations": shown.map(check_row).collect::<Vec<_>>(),
            })
        });
        let number = context.language.count(hidden, "run");
        let more = context.language.fill("recorded.hidden", &[("number", &number)]);
        json!({ "path": benchmark.path, "rows": rows, "more": (hidden > 0).then_some(more) })
    };
    has_runs.map(benchmark_view).collect()
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
