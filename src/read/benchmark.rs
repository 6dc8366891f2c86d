//! Reads recorded aggregates in the shapes found: per configuration under `run_summary`,
//! `summaries`, `configurations` and others, as an object or as a list, with `{mean, stddev}` or
//! plain numbers.

use crate::discover::names;
use crate::model::{RecordedBenchmark, RecordedConfiguration, RecordedSpread};
use crate::read::alias::{Field, benchmark, counts, labels};
use crate::read::cursor::Cursor;

/// Reads a benchmark; `None` when it has neither configurations nor runs.
pub(super) fn read(root: &Cursor<'_>) -> Option<RecordedBenchmark> {
    if !root.is_object() {
        return None;
    }
    let metadata = root.get_where(&benchmark::METADATA, Cursor::is_object);
    let head = metadata.as_ref().unwrap_or(root);
    let runs = root.get_where(&benchmark::RUNS, Cursor::is_list);
    let configurations = configurations(root);
    let named = head.label(&labels::SKILL).or_else(|| root.label(&labels::SKILL));
    let found = RecordedBenchmark {
        path: root.context().path().to_owned(),
        skill: named,
        skill_path: head.label(&benchmark::SKILL_PATH),
        executor_model: head.label(&benchmark::EXECUTOR_MODEL),
        analyzer_model: head.label(&benchmark::ANALYZER_MODEL),
        timestamp: head.label(&benchmark::TIMESTAMP).or_else(|| root.label(&benchmark::TIMESTAMP)),
        delta_pass_rate: delta(root),
        runs: runs.and_then(|runs| runs.node().as_list().map(<[_]>::len)),
        notes: root.texts(&benchmark::NOTES),
        configurations,
    };
    let says_something =
        !found.configurations.is_empty() || found.runs.is_some() || found.skill.is_some();
    says_something.then_some(found)
}

/// The configurations: under the first field that holds some, or at the top.
fn configurations(root: &Cursor<'_>) -> Vec<RecordedConfiguration> {
    for spelling in benchmark::SUMMARIES.spellings {
        let Some(summaries) = root.key(spelling) else {
            continue;
        };
        let found = configurations_in(&summaries);
        if !found.is_empty() {
            return found;
        }
    }
    configurations_in(root)
}

fn configurations_in(cursor: &Cursor<'_>) -> Vec<RecordedConfiguration> {
    if cursor.is_list() {
        let named = |item: Cursor<'_>| {
            let name = item.label(&benchmark::LABEL)?;
            read_configuration(&name, &item)
        };
        return cursor.items().filter_map(named).collect();
    }
    let is_configuration = |(name, value): &(&str, Cursor<'_>)| {
        value.is_object() && (names::is_configuration(name) || has_spread(value)) && !is_delta(name)
    };
    cursor
        .entries()
        .filter(is_configuration)
        .filter_map(|(name, value)| read_configuration(name, &value))
        .collect()
}

fn is_delta(name: &str) -> bool {
    name.contains("delta") || name.contains("difference") || name.contains("comparison")
}

fn has_spread(cursor: &Cursor<'_>) -> bool {
    cursor.get(&benchmark::PASS_RATE).is_some_and(|rate| rate.get(&benchmark::MEAN).is_some())
}

fn read_configuration(name: &str, cursor: &Cursor<'_>) -> Option<RecordedConfiguration> {
    let inner = cursor.key("results").or_else(|| cursor.key("aggregate")).filter(Cursor::is_object);
    let figures = inner.as_ref().unwrap_or(cursor);
    let pass_rate = spread(figures, &benchmark::PASS_RATE);
    let passed = figures.plain_number(&counts::PASSED);
    let total = figures.plain_number(&counts::TOTAL);
    (pass_rate.mean.is_some() || passed.is_some()).then(|| RecordedConfiguration {
        name: name.to_owned(),
        pass_rate: as_fractions(pass_rate),
        time_s: spread(figures, &benchmark::TIME),
        tokens: spread(figures, &benchmark::TOKENS),
        passed,
        total,
    })
}

fn spread(cursor: &Cursor<'_>, field: &Field) -> RecordedSpread {
    let Some(found) = cursor.get(field) else {
        return RecordedSpread::default();
    };
    if !found.is_object() {
        let stddev = cursor.plain_number(&benchmark::STDDEV);
        return RecordedSpread { mean: found.node().as_f64(), stddev, ..RecordedSpread::default() };
    }
    RecordedSpread {
        mean: found.plain_number(&benchmark::MEAN),
        stddev: found.plain_number(&benchmark::STDDEV),
        min: found.plain_number(&benchmark::MIN),
        max: found.plain_number(&benchmark::MAX),
    }
}

/// Rates above 1 were written as percent.
fn as_fractions(spread: RecordedSpread) -> RecordedSpread {
    let is_percent = spread.mean.is_some_and(|mean| mean > 1.0);
    let scale = |value: Option<f64>| value.map(|v| if is_percent { v / 100.0 } else { v });
    RecordedSpread {
        mean: scale(spread.mean),
        stddev: scale(spread.stddev),
        min: scale(spread.min),
        max: scale(spread.max),
    }
}

/// The recorded difference of the pass rates: a number, or a text such as `+0.22` or `+38pp`.
fn delta(root: &Cursor<'_>) -> Option<f64> {
    let summary = root.key("run_summary").filter(Cursor::is_object);
    let holder = summary.as_ref().and_then(|s| s.get_where(&benchmark::DELTA, Cursor::is_object));
    let holder = holder.or_else(|| root.get_where(&benchmark::DELTA, Cursor::is_object))?;
    let found = holder.get(&benchmark::DELTA_PASS_RATE)?;
    match found.node().as_text() {
        Some(text) => delta_of_text(text),
        None => found.node().as_f64(),
    }
}

fn delta_of_text(text: &str) -> Option<f64> {
    let text = text.trim().replace('\u{2212}', "-");
    let points = ["pp", "%", "points"].iter().find_map(|unit| text.strip_suffix(unit));
    match points {
        Some(points) => points.trim().parse::<f64>().ok().map(|points| points / 100.0),
        None => text.parse().ok(),
    }
}
