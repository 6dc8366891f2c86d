//! `benchmark.json`: the documented fields, and `evalbook` for the rest. Unknown values are null.

use serde_json::{Number, Value, json};

use crate::analyze::{ConfigurationSummary, IterationAnalysis, RecordedMeasure};
use crate::language::Language;
use crate::render::data::benchmark::figures::{self, Eval, EvalId, SummaryPair};
use crate::render::data::benchmark::{Heading, Subject, notes};
use crate::render::data::ordered_json::{Json, counts, list, object, pretty};
use crate::render::data::report::computed::gain_figures;
use crate::wording::configurations::roles as roles_reason;
use input::model::{Iteration, Run};
use statistics::Spread;

const VERSION: u32 = 1;

/// Indented by two spaces, with a final newline. The same iteration always yields the same bytes.
pub(crate) fn json(subject: Subject<'_>) -> String {
    pretty(&benchmark(subject))
}

/// On one line, for a report, where people have pages.
pub(crate) fn json_line(subject: Subject<'_>) -> String {
    benchmark(subject).line() + "\n"
}

impl From<EvalId<'_>> for Value {
    fn from(id: EvalId<'_>) -> Self {
        match id {
            EvalId::Number(number) => number.into(),
            EvalId::Text(text) => text.into(),
        }
    }
}

fn benchmark(subject: Subject<'_>) -> Json<'_> {
    let (iteration, analysis) = subject.iteration();
    let evals = figures::evals(iteration);
    let (graded, ungraded): (Vec<EvalRun<'_>>, Vec<EvalRun<'_>>) =
        figures::entries(&evals, analysis).partition(|(_, run)| run.tally().graded() > 0);
    object([
        ("metadata", metadata(iteration, &evals, subject.heading)),
        // The viewer averages the pass rates of all runs it finds here and takes a missing one for
        // 0, so ungraded runs are listed in `evalbook` instead.
        ("runs", list(&graded, graded_run)),
        ("run_summary", run_summary(analysis)),
        ("notes", notes::write(subject).into()),
        ("evalbook", evalbook(subject, &ungraded)),
    ])
}

fn metadata<'a>(iteration: &'a Iteration, evals: &[Eval<'a>], heading: &'a Heading) -> Json<'a> {
    let most_runs = figures::runs_per_case(iteration).map_or(0, |(_, most)| most);
    object([
        ("skill_name", heading.skill_name.as_deref().into()),
        ("skill_path", heading.skill_path.as_deref().into()),
        // Null if runs differ or one does not record it.
        ("executor_model", figures::only_model(iteration).into()),
        // The notes are computed: no model analyzed anything.
        ("analyzer_model", Json::NULL),
        ("timestamp", heading.timestamp.as_deref().into()),
        ("evals_run", figures::ids(evals).into()),
        ("runs_per_configuration", most_runs.into()),
    ])
}

type EvalRun<'a> = (Eval<'a>, &'a Run);

/// A run by its names, with `more` fields.
fn run_entry<'a, const N: usize>(
    (eval, run): &EvalRun<'a>,
    more: [(&'a str, Json<'a>); N],
) -> Json<'a> {
    let mut fields = vec![
        ("eval_id", eval.id.into()),
        ("eval_name", (&*eval.case.name).into()),
        ("configuration", (&*run.configuration).into()),
        ("run_number", run.number.into()),
    ];
    fields.extend(more);
    Json::Object(fields)
}

fn graded_run<'a>(entry: &EvalRun<'a>) -> Json<'a> {
    // The executor's remarks as summed up by the grader, else in its own words.
    let summed_up = entry.1.grading().map(|grading| &grading.notes);
    let notes = summed_up.filter(|notes| !notes.is_empty()).unwrap_or(&entry.1.notes);
    run_entry(
        entry,
        [
            ("result", result(entry.1)),
            ("expectations", Json::Checks(entry.1.expectations())),
            ("notes", notes.all().collect::<Vec<_>>().into()),
        ],
    )
}

fn result(run: &Run) -> Json<'static> {
    let (tally, metrics) = (run.tally(), &run.metrics);
    object([
        ("pass_rate", tally.pass_rate().into()),
        ("passed", tally.passed.into()),
        ("failed", tally.failed.into()),
        // Only those with a verdict, so that `passed` over `total` is the pass rate.
        ("total", tally.graded().into()),
        ("time_seconds", metrics.duration_s.into()),
        ("tokens", metrics.tokens.and_then(quantity).into()),
        ("tool_calls", metrics.tool_calls.and_then(quantity).into()),
        ("errors", metrics.errors.and_then(quantity).into()),
    ])
}

/// Every configuration in order, then, if there is a baseline, `delta`: the first minus the second.
fn run_summary(analysis: &IterationAnalysis) -> Json<'_> {
    let mut fields = Vec::new();
    for summary in figures::ordered(analysis) {
        let figures = object([
            ("pass_rate", stats(RecordedMeasure::PassRate, summary)),
            ("time_seconds", stats(RecordedMeasure::Time, summary)),
            ("tokens", stats(RecordedMeasure::Tokens, summary)),
        ]);
        // A configuration named `delta` would hide it.
        let name = if summary.name == "delta" { "delta (configuration)" } else { &summary.name };
        fields.push((name, figures));
    }
    if let Some(pair) = figures::pairs(analysis).first() {
        let mut delta = Vec::new();
        for (name, measure, decimals) in [
            ("pass_rate", RecordedMeasure::PassRate, 2),
            ("time_seconds", RecordedMeasure::Time, 1),
            ("tokens", RecordedMeasure::Tokens, 0),
        ] {
            // Signed strings from unrounded means, as the viewer and `benchmark.md` show them.
            let change = measure.change(*pair).map(|change| signed(change, decimals));
            delta.push((name, change.into()));
        }
        fields.push(("delta", Json::Object(delta)));
    }
    Json::Object(fields)
}

/// Rounded to four decimals. A missing deviation is 0: the viewer calculates with it.
fn stats(measure: RecordedMeasure, summary: &ConfigurationSummary) -> Json<'static> {
    let Some(Spread { mean, stddev, min, max, .. }) = measure.spread(summary) else {
        return Json::NULL;
    };
    object([
        ("mean", rounded(mean).into()),
        ("stddev", rounded(stddev.unwrap_or(0.0)).into()),
        ("min", rounded(min).into()),
        ("max", rounded(max).into()),
    ])
}

fn evalbook<'a>(subject: Subject<'a>, ungraded: &[EvalRun<'a>]) -> Json<'a> {
    let (iteration, analysis) = subject.iteration();
    let roles = object([
        ("candidates", json!(analysis.roles.candidates).into()),
        ("baseline", analysis.roles.baseline.as_deref().into()),
        ("reason", roles_reason(&analysis.roles, &Language::default()).into()),
    ]);
    let mut models = Vec::new();
    for (model, runs) in figures::models(iteration) {
        models.push(object([("model", model.into()), ("runs", runs.into())]));
    }
    object([
        ("version", VERSION.into()),
        ("iteration", (&*iteration.name).into()),
        ("roles", roles),
        ("configurations", list(&analysis.configurations, configuration)),
        ("deltas", list(figures::pairs(analysis), |pair| delta(subject, pair))),
        ("executor_models", Json::List(models)),
        (
            "ungraded_runs",
            list(ungraded, |entry| run_entry(entry, [("path", (&*entry.1.path).into())])),
        ),
    ])
}

fn configuration(summary: &ConfigurationSummary) -> Json<'_> {
    let [pass_rate, seconds, tokens] = RecordedMeasure::ALL
        .map(|measure| measure.spread(summary).map_or(Json::NULL, Json::Spread));
    object([
        ("name", (&*summary.name).into()),
        ("cases", summary.cases.into()),
        ("runs", summary.runs.into()),
        ("graded_runs", summary.graded_runs.into()),
        ("runs_per_case", summary.runs_per_case.into()),
        ("expectations", object(counts(summary.tally))),
        ("pass_rate", pass_rate),
        ("time_seconds", seconds),
        ("tokens", tokens),
    ])
}

fn delta<'a>(subject: Subject<'a>, pair: SummaryPair<'a>) -> Json<'a> {
    let (candidate, baseline) = pair;
    let change = subject.change(pair);
    let gain = change.and_then(|change| gain_figures(&change.gain));
    object([
        ("candidate", (&*candidate.name).into()),
        ("baseline", (&*baseline.name).into()),
        ("pass_rate", RecordedMeasure::PassRate.change(pair).into()),
        ("time_seconds", RecordedMeasure::Time.change(pair).into()),
        ("tokens", RecordedMeasure::Tokens.change(pair).into()),
        ("verdict", change.map(|change| change.gain.verdict().word()).into()),
        ("gain", gain.map_or(Json::NULL, Json::Gain)),
    ])
}

/// A count as an integer if it is one; `None` if it is not finite.
fn quantity(value: f64) -> Option<Number> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() <= EXACT {
        return Some(Number::from(value as i64));
    }
    Number::from_f64(value)
}

/// Rounds to four decimals, half to even, as Python does.
fn rounded(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}

/// A signed number in ASCII, which the viewer parses; zero is `+0`, never `-0`.
fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let is_zero = !text.contains(|c: char| matches!(c, '1'..='9'));
    if is_zero { text.replace('-', "+") } else { text }
}
