//! Reads recorded aggregates in all known shapes: per configuration under `run_summary`,
//! `summaries`, `configurations` and others, as an object or as a list, with `{mean, stddev}` or
//! plain numbers.

use crate::discover::names;
use crate::model::{RecordedBenchmark, RecordedConfiguration, RecordedRun, RecordedSpread, Tally};
use crate::read::alias::{Field, benchmark, counts, grading as lists, labels};
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use crate::read::{grading, metrics};

/// Reads a benchmark; `None` if it has neither configurations nor runs.
pub(super) fn read(root: Cursor<'_>) -> Option<RecordedBenchmark> {
    if !root.is_object() {
        return None;
    }
    let head = root.object(&benchmark::METADATA).unwrap_or(root);
    let either = |field| head.label(field).or_else(|| root.label(field));
    let runs = root.get_where(&benchmark::RUNS, Cursor::is_list);
    // Configurations are under the first field that has some, or at the top.
    let mut lists = root.all(&benchmark::SUMMARIES).map(|value| configurations_in(value, true));
    let configurations = lists.find(|list| !list.is_empty());
    let result = RecordedBenchmark {
        path: root.path(),
        skill: either(&labels::SKILL),
        skill_path: head.label(&benchmark::SKILL_PATH),
        executor_model: head.label(&benchmark::EXECUTOR_MODEL),
        analyzer_model: head.label(&benchmark::ANALYZER_MODEL),
        timestamp: either(&benchmark::TIMESTAMP),
        baseline: either(&benchmark::BASELINE),
        delta_pass_rate: delta(root, &benchmark::DELTA_PASS_RATE),
        delta_seconds: delta(root, &benchmark::DELTA_SECONDS),
        delta_tokens: delta(root, &benchmark::DELTA_TOKENS),
        evals_run: head.texts(&benchmark::EVALS_RUN),
        runs_per_configuration: head.plain_number(&benchmark::RUNS_EACH),
        runs: runs.map(|runs| runs.items().count()),
        runs_place: runs.map(|runs| runs.place()),
        listed: read_runs(root),
        notes: root.all(&benchmark::NOTES).flat_map(|value| value.as_texts()).collect(),
        configurations: configurations.unwrap_or_else(|| configurations_in(root, false)),
    };
    let has_runs = result.runs.is_some() || !result.listed.is_empty();
    (has_runs || !result.configurations.is_empty() || result.skill.is_some()).then_some(result)
}

/// The configurations in an object or a list; if an object has nothing else, every name with a pass
/// rate is one.
fn configurations_in(cursor: Cursor<'_>, alone: bool) -> Vec<RecordedConfiguration> {
    let listed = cursor.items().filter_map(|item| {
        let name = item.label(&benchmark::LABEL)?;
        read_configuration(&name, item)
    });
    let is_configuration = |(name, value): &(&str, Cursor<'_>)| {
        let rate = value.get(&benchmark::PASS_RATE);
        let has_spread = rate.is_some_and(|rate| rate.get(&benchmark::MEAN).is_some());
        let is_delta = ["delta", "difference", "comparison"].iter().any(|word| name.contains(word));
        value.is_object()
            && (names::is_configuration(name) || has_spread || (alone && rate.is_some()))
            && !is_delta
    };
    let named = cursor.entries().filter(is_configuration);
    listed.chain(named.filter_map(|(name, value)| read_configuration(name, value))).collect()
}

fn read_configuration(name: &str, cursor: Cursor<'_>) -> Option<RecordedConfiguration> {
    let inner = ["results", "aggregate", "summary"].into_iter();
    let inner = inner.filter_map(|key| cursor.key(key)).find(|found| found.is_object());
    let figures = inner.unwrap_or(cursor);
    let pass_rate = rates(figures);
    let passed = figures.plain_number(&counts::PASSED);
    // A mean of 0 seconds or tokens was never filled in.
    let filled = |field| Some(spread(figures, field)).filter(|spread| spread.mean != Some(0.0));
    (pass_rate.mean.is_some() || passed.is_some()).then(|| RecordedConfiguration {
        name: name.to_owned(),
        place: Some(cursor.place()),
        pass_rate,
        time_s: filled(&benchmark::TIME).unwrap_or_default(),
        tokens: filled(&benchmark::TOKENS).unwrap_or_default(),
        passed,
        total: figures.plain_number(&counts::TOTAL),
    })
}

/// The pass rate: with its dispersion, or alone in any notation of a share.
fn rates(cursor: Cursor<'_>) -> RecordedSpread {
    let mut rates = spread(cursor, &benchmark::PASS_RATE);
    match cursor.get(&benchmark::PASS_RATE) {
        Some(found) if !found.is_object() => {
            rates.mean = found.as_rate();
            rates.stddev = cursor.plain_number(&benchmark::STDDEV);
        }
        // Rates above 1 are percentages.
        _ if rates.mean.is_some_and(|mean| mean > 1.0) => {
            let RecordedSpread { mean, stddev, min, max } = &mut rates;
            [mean, stddev, min, max].into_iter().flatten().for_each(|rate| *rate /= 100.0);
        }
        _ => {}
    }
    rates
}

fn spread(cursor: Cursor<'_>, field: &Field) -> RecordedSpread {
    let Some(value) = cursor.get(field) else { return RecordedSpread::default() };
    if !value.is_object() {
        return RecordedSpread { mean: value.node().as_f64(), ..RecordedSpread::default() };
    }
    RecordedSpread {
        mean: value.plain_number(&benchmark::MEAN),
        stddev: value.plain_number(&benchmark::STDDEV),
        min: value.plain_number(&benchmark::MIN),
        max: value.plain_number(&benchmark::MAX),
    }
}

/// A recorded difference: a number, or a text such as `+0.22` or `+38pp`.
fn delta(root: Cursor<'_>, field: &Field) -> Option<f64> {
    let parse_delta = |text: &str| {
        let text = text.trim().replace('\u{2212}', "-");
        match ["pp", "%", "points"].iter().find_map(|unit| text.strip_suffix(unit)) {
            Some(points) => points.trim().parse::<f64>().ok().map(|points| points / 100.0),
            None => text.parse().ok(),
        }
    };
    let mut holders = root.all(&benchmark::SUMMARIES).chain([root]);
    let value = holders.find_map(|holder| holder.object(&benchmark::DELTA))?.get(field)?;
    match value.node().as_text() {
        Some(text) => parse_delta(text),
        None => value.node().as_f64(),
    }
}

/// The runs that the benchmark at `root` lists, in the order written.
fn read_runs(root: Cursor<'_>) -> Vec<RecordedRun> {
    // An entry of the list of runs is a run, or has one for each configuration.
    let entry_runs = |run: Cursor<'_>| -> Vec<RecordedRun> {
        let labels = Labels::read(run, &Labels::default());
        if let Some(arms) = run.get_where(&benchmark::ARMS, Cursor::is_list) {
            return arms.items().map(|arm| named_run(arm, None, &labels)).collect();
        }
        let is_run = labels.configuration.is_some() || says_result(run);
        let named_runs = if is_run { Vec::new() } else { by_name(run, &labels) };
        if named_runs.is_empty() { vec![listed_run(run, labels)] } else { named_runs }
    };
    if let Some(runs) = root.get_where(&benchmark::RUNS, Cursor::is_list) {
        return runs.items().filter(|item| item.is_object()).flat_map(entry_runs).collect();
    }
    let in_object = root.object(&benchmark::ARMS);
    let arms = root.items_of(&benchmark::ARMS).map(|arm| (None, arm));
    let named = in_object.unwrap_or(root).entries();
    let named = named.filter(|(name, _)| in_object.is_some() || names::is_configuration(name));
    let named = named.map(|(name, arm)| (Some(name.to_owned()), arm));
    let arm_runs = |(name, arm): (Option<String>, Cursor<'_>)| {
        let configuration = name.or_else(|| arm.label(&benchmark::LABEL));
        let labels = Labels { configuration, ..Labels::default() };
        let runs = item_runs(arm.items_of(&benchmark::RUNS), &labels);
        if runs.is_empty() { case_runs(arm, &labels) } else { runs }
    };
    let named_runs: Vec<RecordedRun> = arms.chain(named).flat_map(arm_runs).collect();
    if named_runs.is_empty() { case_runs(root, &Labels::default()) } else { named_runs }
}

/// The first list of cases with a number of passes. A list of configurations does not count.
fn case_runs(cursor: Cursor<'_>, labels: &Labels) -> Vec<RecordedRun> {
    let is_named = |list: Cursor<'_>| list.items().any(|item| item.has(&benchmark::LABEL));
    let lists = cursor.all(&benchmark::CASES).filter(|list| {
        let holds_configurations = cursor.is_root() && benchmark::SUMMARIES.is(&list.name());
        !(holds_configurations && is_named(*list))
    });
    let mut runs = lists.map(|list| item_runs(list.items(), labels));
    runs.find(|runs| !runs.is_empty()).unwrap_or_default()
}

fn item_runs<'c>(items: impl Iterator<Item = Cursor<'c>>, above: &Labels) -> Vec<RecordedRun> {
    let read_case = |item: Cursor<'_>| {
        let mut labels = Labels::read(item, above);
        labels.case_id = labels.case_id.or_else(|| item.label(&lists::ITEM_ID));
        let own_run = says_result(item).then(|| listed_run(item, labels.clone()));
        own_run.into_iter().chain(by_name(item, &labels)).collect::<Vec<_>>()
    };
    items.filter(|item| item.is_object()).flat_map(read_case).collect()
}

/// The runs of a case by the names of their configurations, in the case or in an object of its own.
fn by_name(case: Cursor<'_>, labels: &Labels) -> Vec<RecordedRun> {
    let arms = case.object(&benchmark::ARMS);
    let entries = arms.unwrap_or(case).entries().filter(|(name, arm)| {
        (arms.is_some() || names::is_configuration(name))
            && !benchmark::DELTA.is(name)
            && says_result(*arm)
    });
    entries.map(|(name, arm)| named_run(arm, Some(name), labels)).collect()
}

fn says_result(cursor: Cursor<'_>) -> bool {
    let result = cursor.object(&benchmark::RESULT);
    let counts = grading::read_counts(result.unwrap_or(cursor));
    let is_counted = counts.passed.is_some() && counts.total.is_some();
    cursor.is_object()
        && (is_counted
            || counts.pass_rate.is_some()
            || !grading::expectations_of(cursor).is_empty())
}

/// A run of the case in `above`; its own name is that of its configuration.
fn named_run(arm: Cursor<'_>, name: Option<&str>, above: &Labels) -> RecordedRun {
    let named = name.map(str::to_owned).or_else(|| arm.label(&benchmark::LABEL));
    let mut labels = Labels::read(arm, above);
    labels.case_name.clone_from(&above.case_name);
    labels.configuration = named.or(labels.configuration);
    listed_run(arm, labels)
}

fn listed_run(run: Cursor<'_>, labels: Labels) -> RecordedRun {
    let result = run.object(&benchmark::RESULT);
    let mut metrics = metrics::read(run);
    if let Some(result) = result {
        metrics.fill_from(&metrics::read(result));
    }
    let expectations = grading::expectations_of(run);
    RecordedRun {
        tally: Tally::new(expectations.iter().map(|expectation| expectation.outcome)),
        case_id: labels.case_id,
        case_name: labels.case_name,
        configuration: labels.configuration,
        run: labels.run,
        counts: grading::read_counts(result.unwrap_or(run)),
        metrics,
        expectations,
        notes: run.texts(&benchmark::RUN_NOTES),
    }
}
