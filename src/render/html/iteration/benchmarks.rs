//! A recorded benchmark next to the figures computed from the runs, and the listed runs of an
//! iteration of which nothing else is left.

use serde::Serialize;

use crate::analyze::{ConfigurationSummary, Discrepancy, IterationAnalysis};
use crate::language::{DASH, Language, Rate, say};
use crate::render::context::{Rows, View, view, view::check_row};
use crate::wording::recorded_differences;
use input::model::{
    Iteration, RecordedBenchmark, RecordedConfiguration, RecordedRun, RecordedSpread, Run, Tally,
};
use statistics::Spread;
use text::{fixed, folded_name, signed, tokens};

/// What the table has of each configuration, as recorded and as computed from the runs.
const FIGURES: [&str; 6] = [
    "recorded.rate_recorded",
    "recorded.rate_counted",
    "recorded.time_recorded",
    "recorded.time_ours",
    "recorded.tokens_recorded",
    "recorded.tokens_ours",
];

#[derive(Serialize)]
struct FiguresRow {
    name: String,
    /// In the order of `FIGURES`.
    figures: Vec<String>,
}

pub(super) fn benchmark_view(
    language: &Language,
    analysis: &IterationAnalysis,
    benchmark: &RecordedBenchmark,
    discrepancies: &[Discrepancy],
) -> View {
    let mut rows = Vec::new();
    for recorded in &benchmark.configurations {
        rows.push(configuration_row(language, recorded, analysis));
    }
    rows.extend(difference_row(language, analysis, benchmark));
    // A record often has rates alone, and the runs may be gone.
    let is_known = |at: &usize| rows.iter().any(|row| row.figures[*at] != DASH);
    let known: Vec<usize> = (0..FIGURES.len()).filter(is_known).collect();
    for row in &mut rows {
        row.figures = known.iter().map(|at| row.figures[*at].clone()).collect();
    }
    let sentences = discrepancies.iter().map(|one| recorded_differences::sentence(one, language));
    view!({
        "path": benchmark.path,
        "facts": facts(language, benchmark),
        "heads": known.iter().map(|at| language.text(FIGURES[*at])).collect::<Vec<_>>(),
        "rows": rows,
        "differing": sentences.collect::<Vec<_>>(),
        "notes": benchmark.warnings.iter().chain(&benchmark.notes).collect::<Vec<_>>(),
    })
}

fn facts(language: &Language, benchmark: &RecordedBenchmark) -> Vec<String> {
    let mut cases = None;
    if !benchmark.evals_run.is_empty() {
        cases = Some(language.list(&benchmark.evals_run));
    }
    let recorded = [
        ("recorded.executor", benchmark.executor_model.clone()),
        ("recorded.analyzer", benchmark.analyzer_model.clone()),
        ("recorded.timestamp", benchmark.timestamp.clone()),
        ("recorded.skill", benchmark.skill_path.clone()),
        (
            "recorded.runs_per_configuration",
            benchmark.runs_per_configuration.map(|runs| fixed(runs, 0)),
        ),
        ("recorded.runs", benchmark.runs.map(|runs| runs.to_string())),
        ("recorded.cases", cases),
    ];
    let mut facts = Vec::new();
    for (key, value) in recorded {
        if let Some(value) = value {
            facts.push(say!(language, key, value));
        }
    }
    facts
}

/// The figures of a configuration, each as recorded and as computed from the runs.
fn configuration_row(
    language: &Language,
    recorded: &RecordedConfiguration,
    analysis: &IterationAnalysis,
) -> FiguresRow {
    // Benchmarks spell `with_skill` as `with-skill` and `With Skill` too.
    let wanted = folded_name(&recorded.name);
    let mut summaries = analysis.configurations.iter();
    let summary = summaries.find(|summary| folded_name(&summary.name) == wanted);
    let time = summary.and_then(|summary| summary.duration_s);
    let used = summary.and_then(|summary| summary.tokens);
    let figures = vec![
        recorded_rate(language, recorded),
        summary.map_or_else(dash, |summary| counted_rate(language, summary)),
        spread(&recorded.time_s, |value| language.seconds(value)),
        time.map_or_else(dash, |time| language.seconds(time.mean)),
        spread(&recorded.tokens, tokens),
        used.map_or_else(dash, |used| tokens(used.mean)),
    ];
    FiguresRow { name: recorded.name.clone(), figures }
}

fn recorded_rate(language: &Language, recorded: &RecordedConfiguration) -> String {
    let mut rate = spread(&recorded.pass_rate, |value| language.percent(value));
    let (Some(passed), Some(total)) = (recorded.passed, recorded.total) else { return rate };
    if recorded.pass_rate.mean.is_none() && total > 0.0 {
        rate = language.percent(passed / total);
    }
    let counts = format!("{}/{}", fixed(passed, 0), fixed(total, 0));
    say!(language, "recorded.rate", rate, counts)
}

/// The mean pass rate of the runs, with the pooled counts.
fn counted_rate(language: &Language, summary: &ConfigurationSummary) -> String {
    let counts = Rate::counts_of(summary.tally);
    let Some(spread) = summary.pass_rate else { return counts };
    say!(language, "recorded.rate", rate = language.percent(spread.mean), counts)
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

/// The recorded differences, then ours; `None` if none was recorded.
fn difference_row(
    language: &Language,
    analysis: &IterationAnalysis,
    benchmark: &RecordedBenchmark,
) -> Option<FiguresRow> {
    let recorded = [benchmark.delta_pass_rate, benchmark.delta_seconds, benchmark.delta_tokens];
    if recorded.iter().all(Option::is_none) {
        return None;
    }
    let mut name = language.text("recorded.difference").to_owned();
    let mut ours = [None; 3];
    if let (Some(candidate), Some(baseline)) = (analysis.candidate(), analysis.baseline()) {
        let sides = format!("{} \u{2212} {}", candidate.name, baseline.name);
        name = say!(language, "recorded.difference_beside", ours = sides);
        ours = [
            difference(candidate.pass_rate, baseline.pass_rate),
            difference(candidate.duration_s, baseline.duration_s),
            difference(candidate.tokens, baseline.tokens),
        ];
    }
    let [rate, time, used] = recorded;
    let [our_rate, our_time, our_used] = ours;
    let rates = [rate, our_rate].map(|rate| rate.map(|rate| language.points(rate)));
    let times = [time, our_time].map(|time| time.map(|time| language.signed_seconds(time, 1)));
    let used = [used, our_used].map(|used| used.map(|used| signed(used, 0)));
    let figures = [rates, times, used].into_iter().flatten();
    Some(FiguresRow { name, figures: figures.map(|text| text.unwrap_or_else(dash)).collect() })
}

/// The difference of the means over all runs, as the skill-creator computes it.
fn difference(candidate: Option<Spread>, baseline: Option<Spread>) -> Option<f64> {
    Some(candidate?.mean - baseline?.mean)
}

/// Verdicts of listed runs that are shown with their evidence; the runs after them have counts.
const LISTED_VERDICTS: usize = 800;

/// The listed runs; empty if the iteration has verdicts of its own.
pub(super) fn listed_runs(language: &Language, iteration: &Iteration) -> Vec<View> {
    let mut lists = Vec::new();
    if iteration.runs().any(Run::is_graded) {
        return lists;
    }
    for benchmark in &iteration.benchmarks {
        if !benchmark.listed.is_empty() {
            lists.push(list_view(language, benchmark));
        }
    }
    lists
}

fn list_view(language: &Language, benchmark: &RecordedBenchmark) -> View {
    let (mut remaining, mut hidden) = (LISTED_VERDICTS, 0);
    let rows = Rows::all(benchmark.listed.iter(), |run| {
        let mut checks = Vec::new();
        if run.expectations.len() <= remaining {
            remaining -= run.expectations.len();
            checks.extend(run.expectations.iter().map(check_row));
        } else {
            hidden += 1;
        }
        view!({
            "case": run.case_name.clone().or_else(|| run.case_id.clone()).unwrap_or_else(dash),
            "configuration": run.configuration.clone().unwrap_or_else(dash),
            "number": run.run.map_or_else(dash, |number| number.to_string()),
            "counts": counts(language, run),
            "time": run.metrics.duration_s.map_or_else(dash, |value| language.seconds(value)),
            "tokens": run.metrics.tokens.map_or_else(dash, tokens),
            "notes": run.notes,
            "expectations": checks,
        })
    });
    let mut more = None;
    if hidden > 0 {
        let number = language.count(hidden, "run");
        more = Some(say!(language, "recorded.hidden", number));
    }
    view!({ "path": benchmark.path, "rows": rows, "more": more })
}

/// The counts of the listed verdicts, else as recorded.
fn counts(language: &Language, run: &RecordedRun) -> String {
    let tally = Tally::new(run.expectations.iter().map(|expectation| expectation.outcome));
    if tally.graded() > 0 {
        return Rate::counts_of(tally);
    }
    if let (Some(passed), Some(total)) = (run.counts.passed, run.counts.total) {
        return format!("{}/{}", fixed(passed, 0), fixed(total, 0));
    }
    match run.counts.pass_rate {
        Some(rate) => say!(language, "recorded.rate_alone", rate = language.percent(rate)),
        None => dash(),
    }
}
