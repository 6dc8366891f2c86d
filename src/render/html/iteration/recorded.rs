//! A recorded benchmark beside what the verdicts and figures of the runs give.

use std::fmt::Display;

use serde::Serialize;

use crate::analyze::{ConfigurationSummary, Discrepancy, IterationAnalysis};
use crate::language::Language;
use crate::model::{RecordedBenchmark, RecordedConfiguration, RecordedSpread};
use crate::render::context::{DASH, Rate, Site};
use crate::render::text::mismatch;
use crate::statistics::Spread;
use crate::text::{fixed, folded_name, signed, tokens};

/// One recorded benchmark.
#[derive(Serialize)]
pub(super) struct BenchmarkView {
    path: String,
    facts: Vec<String>,
    rows: Vec<Row>,
    /// Where a recorded figure is another than ours, and why.
    differing: Vec<String>,
    notes: Vec<String>,
}

/// Recorded and recomputed figures, in pairs.
#[derive(Serialize)]
struct Row {
    name: String,
    rate: [String; 2],
    time: [String; 2],
    tokens: [String; 2],
}

/// The view of one benchmark of `iteration`.
pub(super) fn benchmark(
    site: Site<'_>,
    analysis: &IterationAnalysis,
    (found, differing): (&RecordedBenchmark, &[Discrepancy]),
) -> BenchmarkView {
    let row = |of: &RecordedConfiguration| {
        let wanted = folded_name(&of.name);
        let ours = analysis
            .configurations
            .iter()
            .find(|configuration| folded_name(&configuration.name) == wanted);
        row(site, of, ours)
    };
    BenchmarkView {
        path: found.path.clone(),
        facts: facts(site, found),
        rows: found.configurations.iter().map(row).chain(changes(site, analysis, found)).collect(),
        differing: differing
            .iter()
            .map(|differing| mismatch::sentence(differing, site.language))
            .collect(),
        notes: found.notes.clone(),
    }
}

/// What the file says of itself.
fn facts(site: Site<'_>, found: &RecordedBenchmark) -> Vec<String> {
    let fact = |key: &str, value: &dyn Display| site.language.fill(key, &[("value", value)]);
    let runs = found.runs_per_configuration.map(|runs| fixed(runs, 0));
    let facts = [
        found.executor_model.as_ref().map(|model| fact("recorded.executor", model)),
        found.analyzer_model.as_ref().map(|model| fact("recorded.analyzer", model)),
        found.timestamp.as_ref().map(|time| fact("recorded.timestamp", time)),
        found.skill_path.as_ref().map(|path| fact("recorded.skill", path)),
        runs.map(|runs| fact("recorded.runs_per_configuration", &runs)),
        found.runs.map(|runs| fact("recorded.runs", &runs)),
    ];
    let cases = found.evals_run.join(site.language.text("list.comma"));
    let cases = (!cases.is_empty()).then(|| fact("recorded.cases", &cases));
    facts.into_iter().flatten().chain(cases).collect()
}

fn row(
    site: Site<'_>,
    recorded: &RecordedConfiguration,
    ours: Option<&ConfigurationSummary>,
) -> Row {
    let language = site.language;
    let seconds = |value: f64| language.seconds(value);
    let of = |spread: Option<crate::statistics::Spread>| spread.map(|spread| spread.mean);
    Row {
        name: recorded.name.clone(),
        rate: [
            recorded_rate(site, recorded),
            ours.map_or_else(dash, |tally| counted(language, tally)),
        ],
        time: [
            spread(&recorded.time_s, seconds),
            ours.and_then(|summary| of(summary.duration_s)).map_or_else(dash, seconds),
        ],
        tokens: [
            spread(&recorded.tokens, tokens),
            ours.and_then(|summary| of(summary.tokens)).map_or_else(dash, tokens),
        ],
    }
}

/// The recorded mean, with the recorded counts where there are any.
fn recorded_rate(site: Site<'_>, recorded: &RecordedConfiguration) -> String {
    let mean = spread(&recorded.pass_rate, |value| site.language.percent(value));
    match recorded.passed.zip(recorded.total) {
        Some((passed, total)) => {
            let counts = format!("{}/{}", fixed(passed, 0), fixed(total, 0));
            site.language.fill("recorded.rate", &[("rate", &mean), ("counts", &counts)])
        }
        None => mean,
    }
}

/// The pooled pass rate with its counts, and the mean of the runs.
fn counted(language: &Language, ours: &ConfigurationSummary) -> String {
    let rate = Rate::new(ours.tally, language);
    match ours.pass_rate {
        Some(spread) => {
            let (rate, counts) = (language.percent(spread.mean), rate.counts);
            language.fill("recorded.rate", &[("rate", &rate), ("counts", &counts)])
        }
        None => rate.counts,
    }
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

/// The recorded differences, then ours; nothing where none was recorded.
fn changes(site: Site<'_>, analysis: &IterationAnalysis, found: &RecordedBenchmark) -> Vec<Row> {
    let deltas = [found.delta_pass_rate, found.delta_seconds, found.delta_tokens];
    if deltas.iter().all(Option::is_none) {
        return Vec::new();
    }
    let sides = analysis.candidate().zip(analysis.baseline());
    let name = match sides {
        Some((candidate, baseline)) => {
            let ours = format!("{} \u{2212} {}", candidate.name, baseline.name);
            site.language.fill("recorded.difference_beside", &[("ours", &ours)])
        }
        None => site.language.text("recorded.difference").to_owned(),
    };
    // Of the means over all runs, as the skill-creator takes them.
    let ours = |of: fn(&ConfigurationSummary) -> Option<Spread>| {
        let (candidate, baseline) = sides?;
        Some(of(candidate)?.mean - of(baseline)?.mean)
    };
    let points = |value: Option<f64>| value.map_or_else(dash, |value| site.language.points(value));
    let seconds = |value: Option<f64>| {
        value.map_or_else(dash, |value| site.language.signed_seconds(value, 1))
    };
    let number = |value: Option<f64>| value.map_or_else(dash, |value| signed(value, 0));
    vec![Row {
        name,
        rate: [points(found.delta_pass_rate), points(ours(|own| own.pass_rate))],
        time: [seconds(found.delta_seconds), seconds(ours(|own| own.duration_s))],
        tokens: [number(found.delta_tokens), number(ours(|own| own.tokens))],
    }]
}
