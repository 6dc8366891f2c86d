//! What was read of a document, as JSON.

use serde_json::{Value, json};

use crate::read::{GradingRecord, Record};
use input::model::{RecordedBenchmark, RecordedCounts, RecordedRun, RecordedSpread};

pub(super) fn shown(record: &Record) -> Value {
    let gradings: Vec<Value> = record.gradings.iter().map(grading).collect();
    let metrics: Vec<Value> = record.metrics.iter().map(|(_, metrics)| json!(metrics)).collect();
    json!({
        "outcomes": super::outcomes(record),
        "gradings": gradings,
        "metrics": metrics,
        "case": record.case,
        "skill": record.evals.as_ref().and_then(|evals| evals.skill.as_ref()),
        "cases": record.evals.as_ref().map(|evals| &evals.cases),
        "benchmark": record.benchmark.as_deref().map(benchmark),
        "feedback": record.feedback,
        "comparisons": record.comparisons,
        "analysis": record.analysis,
        "history": record.history,
        "rounds": record.trigger_rounds,
        "notes": record.notes,
        "error": record.error,
        "is_foreign": record.is_foreign,
    })
}

fn grading(record: &GradingRecord) -> Value {
    let labels = &record.labels;
    let mut shown = json!(record.grading);
    shown["labels"] = json!({
        "case": labels.case_id.as_ref().or(labels.case_name.as_ref()),
        "configuration": labels.configuration,
        "run": labels.run,
        "version": labels.version,
    });
    shown["recorded"] = counts(&record.grading.recorded);
    shown["metrics"] = json!(record.metrics);
    shown["has_metrics"] = json!(!record.metrics.is_empty());
    shown["timing"] = json!(record.timing);
    shown
}

fn counts(counts: &RecordedCounts) -> Value {
    json!([counts.passed, counts.failed, counts.total, counts.pass_rate])
}

fn spread(spread: &RecordedSpread) -> Value {
    json!([spread.mean, spread.stddev, spread.min, spread.max])
}

fn benchmark(found: &RecordedBenchmark) -> Value {
    let configurations = found.configurations.iter().map(|side| {
        let (rate, time, tokens) = (&side.pass_rate, &side.time_s, &side.tokens);
        json!({"name": side.name, "rate": spread(rate), "time": spread(time), "tokens": spread(tokens)})
    });
    json!({
        "skill": found.skill,
        "skill_path": found.skill_path,
        "models": [&found.executor_model, &found.analyzer_model],
        "evals_run": found.evals_run,
        "runs_per_configuration": found.runs_per_configuration,
        "baseline": found.baseline,
        "deltas": [found.delta_pass_rate, found.delta_seconds, found.delta_tokens],
        "notes": found.notes,
        "runs": found.runs,
        "configurations": configurations.collect::<Vec<_>>(),
        "listed": found.listed.iter().map(run).collect::<Vec<_>>(),
    })
}

fn run(run: &RecordedRun) -> Value {
    json!({
        "id": run.case_id, "name": run.case_name,
        "configuration": run.configuration, "run": run.run,
        "counts": counts(&run.counts), "metrics": run.metrics,
        "expectations": run.expectations, "passed": run.tally.passed, "notes": run.notes,
    })
}
