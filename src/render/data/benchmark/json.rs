//! Fills the shape of `benchmark.json`.

use serde_json::Number;

use crate::analyze::{ConfigurationSummary, IterationAnalysis};
use crate::model::{Expectation, Grading, Iteration, Outcome, Run};
use crate::render::data::{
    benchmark::measure::Measure,
    benchmark::shape::{
        Benchmark, ConfigurationEntry, Delta, DeltaEntry, Evalbook, ExactStats, ExpectationEntry,
        Figures, Metadata, ModelEntry, RoleEntry, RunEntry, RunResult, RunSummary, Stats,
        TallyEntry, UngradedRun,
    },
    benchmark::sheet::{self, Entry, Eval},
    benchmark::{Heading, Subject, notes},
    report::changes::gain,
};
use crate::statistics::Spread;

/// Version of the object `evalbook` in the document.
const VERSION: u32 = 1;

/// `benchmark.json` of `subject`: indented by two spaces, with a newline at the end. The same
/// iteration gives the same bytes.
pub fn json(subject: Subject<'_>) -> String {
    with_benchmark(subject, |benchmark| serde_json::to_string_pretty(benchmark))
}

/// The same on one line: in a report, where people have pages.
pub fn json_line(subject: Subject<'_>) -> String {
    with_benchmark(subject, |benchmark| serde_json::to_string(benchmark))
}

fn with_benchmark(
    subject: Subject<'_>,
    write: impl FnOnce(&Benchmark<'_>) -> serde_json::Result<String>,
) -> String {
    let Subject { iteration, analysis, heading, .. } = subject;
    let evals = sheet::evals(iteration);
    let (graded, ungraded): (Vec<Entry<'_>>, Vec<Entry<'_>>) =
        sheet::entries(&evals, analysis).partition(|entry| entry.run.tally().graded() > 0);
    let benchmark = Benchmark {
        metadata: metadata(iteration, &evals, heading),
        runs: graded.iter().map(run_entry).collect(),
        run_summary: run_summary(analysis),
        notes: notes::of(iteration, analysis),
        evalbook: evalbook(subject, &ungraded),
    };
    let mut text = write(&benchmark).expect("every key is a text");
    text.push('\n');
    text
}

fn metadata<'a>(
    iteration: &'a Iteration,
    evals: &[Eval<'a>],
    heading: &'a Heading,
) -> Metadata<'a> {
    Metadata {
        skill_name: heading.skill_name.as_deref(),
        skill_path: heading.skill_path.as_deref(),
        executor_model: sheet::only_model(iteration),
        analyzer_model: None,
        timestamp: heading.timestamp.as_deref(),
        evals_run: sheet::ids(evals),
        runs_per_configuration: sheet::runs_per_case(iteration).map_or(0, |(_, most)| most),
    }
}

fn run_entry<'a>(entry: &Entry<'a>) -> RunEntry<'a> {
    let run = entry.run;
    RunEntry {
        eval_id: entry.eval.id,
        eval_name: &entry.eval.case.name,
        configuration: &run.configuration,
        run_number: run.number,
        result: result(run),
        expectations: run.expectations().iter().map(expectation).collect(),
        notes: remarks(run),
    }
}

fn result(run: &Run) -> RunResult {
    let tally = run.tally();
    RunResult {
        pass_rate: tally.pass_rate(),
        passed: tally.passed,
        failed: tally.failed,
        total: tally.graded(),
        time_seconds: run.metrics.duration_s,
        tokens: run.metrics.tokens.and_then(quantity),
        tool_calls: run.metrics.tool_calls.and_then(quantity),
        errors: run.metrics.errors.and_then(quantity),
    }
}

fn expectation(expectation: &Expectation) -> ExpectationEntry<'_> {
    let passed = match expectation.outcome {
        Outcome::Passed => Some(true),
        Outcome::Failed => Some(false),
        Outcome::Ungraded => None,
    };
    ExpectationEntry { text: &expectation.text, passed, evidence: expectation.evidence.as_deref() }
}

/// The executor's remarks as the grader summed them up, else in its own words.
fn remarks(run: &Run) -> Vec<&str> {
    let summed_up = run.grading().map(|grading: &Grading| &grading.notes);
    let notes = summed_up.filter(|notes| !notes.is_empty()).unwrap_or(&run.notes);
    notes.all().collect()
}

fn run_summary(analysis: &IterationAnalysis) -> RunSummary<'_> {
    let figures = |summary: &ConfigurationSummary| Figures {
        pass_rate: stats(Measure::PassRate, summary),
        time_seconds: stats(Measure::Seconds, summary),
        tokens: stats(Measure::Tokens, summary),
    };
    let configurations = sheet::summary_order(analysis);
    RunSummary {
        configurations: configurations.map(|it| (it.name.as_str(), figures(it))).collect(),
        delta: sheet::pairs(analysis).next().map(|(candidate, baseline)| Delta {
            pass_rate: Measure::PassRate.change(candidate, baseline).map(|it| signed(it, 2)),
            time_seconds: Measure::Seconds.change(candidate, baseline).map(|it| signed(it, 1)),
            tokens: Measure::Tokens.change(candidate, baseline).map(|it| signed(it, 0)),
        }),
    }
}

fn stats(measure: Measure, summary: &ConfigurationSummary) -> Option<Stats> {
    let Spread { mean, stddev, min, max, .. } = measure.spread(summary)?;
    let stddev = rounded(stddev.unwrap_or(0.0));
    Some(Stats { mean: rounded(mean), stddev, min: rounded(min), max: rounded(max) })
}

fn evalbook<'a>(subject: Subject<'a>, ungraded: &[Entry<'a>]) -> Evalbook<'a> {
    let Subject { iteration, analysis, .. } = subject;
    let models = sheet::models(iteration).into_iter();
    Evalbook {
        version: VERSION,
        iteration: &iteration.name,
        roles: RoleEntry {
            candidates: &analysis.roles.candidates,
            baseline: analysis.roles.baseline.as_deref(),
            reason: notes::reason(&analysis.roles),
        },
        configurations: analysis.configurations.iter().map(configuration).collect(),
        deltas: sheet::pairs(analysis).map(|(it, baseline)| delta(subject, it, baseline)).collect(),
        executor_models: models.map(|(model, runs)| ModelEntry { model, runs }).collect(),
        ungraded_runs: ungraded.iter().map(ungraded_run).collect(),
    }
}

fn configuration(summary: &ConfigurationSummary) -> ConfigurationEntry<'_> {
    let tally = summary.tally;
    ConfigurationEntry {
        name: &summary.name,
        cases: summary.cases,
        runs: summary.runs,
        graded_runs: summary.pass_rate.map_or(0, |spread| spread.count),
        runs_per_case: summary.runs_per_case,
        expectations: TallyEntry {
            passed: tally.passed,
            failed: tally.failed,
            ungraded: tally.ungraded,
        },
        pass_rate: Measure::PassRate.spread(summary).map(exact),
        time_seconds: Measure::Seconds.spread(summary).map(exact),
        tokens: Measure::Tokens.spread(summary).map(exact),
    }
}

fn exact(spread: Spread) -> ExactStats {
    let Spread { count, mean, stddev, min, max } = spread;
    ExactStats { n: count, mean, stddev, min, max }
}

fn delta<'a>(
    subject: Subject<'a>,
    candidate: &'a ConfigurationSummary,
    baseline: &'a ConfigurationSummary,
) -> DeltaEntry<'a> {
    let change = subject.changes().find(|it| it.after.configuration == candidate.name);
    DeltaEntry {
        candidate: &candidate.name,
        baseline: &baseline.name,
        pass_rate: Measure::PassRate.change(candidate, baseline),
        time_seconds: Measure::Seconds.change(candidate, baseline),
        tokens: Measure::Tokens.change(candidate, baseline),
        verdict: change.map(|change| change.gain.verdict().word()),
        gain: change.and_then(|change| gain(&change.gain)),
    }
}

fn ungraded_run<'a>(entry: &Entry<'a>) -> UngradedRun<'a> {
    UngradedRun {
        eval_id: entry.eval.id,
        eval_name: &entry.eval.case.name,
        configuration: &entry.run.configuration,
        run_number: entry.run.number,
        path: &entry.run.path,
    }
}

/// A count as a whole number where it is one; `None` where it is not finite.
fn quantity(value: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

/// Rounded to four decimals, half to even on the decimal digits as Python does.
fn rounded(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}

/// A signed number in ASCII, which the viewer parses; nothing is `+0`, never `-0`.
fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let is_zero = !text.contains(|c: char| matches!(c, '1'..='9'));
    if is_zero { text.replace('-', "+") } else { text }
}
