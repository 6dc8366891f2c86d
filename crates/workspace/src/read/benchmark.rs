//! Reads recorded aggregates: configurations under `run_summary`, `summaries`, `configurations` and
//! others, as an object or as a list, with `{mean, stddev}` or plain numbers; and the runs listed.

use crate::read::alias::{
    Field, benchmark, counts, expectation as checks, grading as lists, labels,
};
use crate::read::cursor::Cursor;
use crate::read::labels::Labels;
use crate::read::recorded_figures::{delta, measured_spread, rates, sums};
use crate::read::{MAX_LEVELS, grading, metrics, run_error, verdict};
use input::model::{
    Code, Expectation, RecordedBenchmark, RecordedConfiguration, RecordedCounts, RecordedRun, Tally,
};
use input::names;
use text::{folded_name, is_listed};

/// Reads a benchmark; `None` if it has neither configurations, runs, notes nor what they are about.
pub(super) fn read(root: Cursor<'_>) -> Option<RecordedBenchmark> {
    if !root.is_object() {
        return None;
    }
    let head = root.object(&benchmark::METADATA).unwrap_or(root);
    let runs = root.get_where(&benchmark::RUNS, Cursor::is_list);
    let mut benchmark = RecordedBenchmark {
        path: root.path(),
        skill: head.label(&labels::SKILL).or_else(|| root.label(&labels::SKILL)),
        skill_path: head.label(&benchmark::SKILL_PATH),
        executor_model: head.model(&benchmark::EXECUTOR_MODEL),
        analyzer_model: head.model(&benchmark::ANALYZER_MODEL),
        timestamp: head.label(&benchmark::TIMESTAMP).or_else(|| root.label(&benchmark::TIMESTAMP)),
        baseline: head
            .label(&benchmark::BASELINE)
            .or_else(|| root.label(&benchmark::BASELINE))
            .or_else(|| labelled_baseline(root).and_then(|side| side.label(&benchmark::LABEL))),
        is_baseline_old: labelled_baseline(root).is_some_and(|side| {
            side.label(&benchmark::DESCRIPTION).is_some_and(|text| is_round_of_skill(&text))
        }),
        delta_pass_rate: delta(root, &benchmark::DELTA_PASS_RATE),
        delta_seconds: delta(root, &benchmark::DELTA_SECONDS),
        delta_tokens: delta(root, &benchmark::DELTA_TOKENS),
        evals_run: head.texts(&benchmark::EVALS_RUN),
        runs_per_configuration: head.number(&benchmark::RUNS_EACH),
        runs: runs.map(|runs| runs.items().count()),
        runs_place: runs.map(|runs| runs.place()),
        listed: listed_runs(root),
        not_run: cases_not_run(root),
        notes: if is_ours(root) { Vec::new() } else { remarks(root, &benchmark::NOTES) },
        warnings: remarks(root, &benchmark::WARNINGS),
        configurations: configurations(root),
    };
    let has_verdicts = benchmark.listed.iter().any(|run| run.tally.graded() > 0);
    if benchmark.configurations.is_empty() && !has_verdicts {
        benchmark.configurations = sums(&benchmark.listed);
    }
    if benchmark.configurations.is_empty() && !has_verdicts {
        // The only side of a benchmark is often not named.
        let sum = root.object(&benchmark::SUMMARIES).and_then(|sum| configuration("", sum));
        benchmark.configurations.extend(sum);
    }
    if benchmark.configurations.is_empty() && benchmark.listed.is_empty() {
        problem_without_results(root);
    }
    let has_runs = benchmark.runs.is_some() || !benchmark.listed.is_empty();
    // Authors write a file of nothing but notes, or of the time that orders commits.
    let is_described = benchmark.skill.is_some()
        || benchmark.timestamp.is_some()
        || !(benchmark.notes.is_empty() && benchmark.warnings.is_empty());
    if has_runs || is_described || !benchmark.configurations.is_empty() {
        Some(benchmark)
    } else {
        None
    }
}

/// The one side that is described as the baseline: `"label": "The skill of round 5 (baseline)"`.
fn labelled_baseline(root: Cursor<'_>) -> Option<Cursor<'_>> {
    let sides = root.all(&benchmark::SUMMARIES).flat_map(Cursor::items);
    let mut marked = sides.filter(|side| {
        let text = side.label(&benchmark::DESCRIPTION).unwrap_or_default();
        text.to_lowercase().contains("(baseline)")
    });
    match (marked.next(), marked.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Whether a description is that of the skill in a numbered round: `Iteration 5 skill`.
fn is_round_of_skill(text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let has_round = words.windows(2).any(|pair| {
        matches!(pair[0], "iteration" | "iter" | "round" | "version")
            && pair[1].starts_with(|c: char| c.is_ascii_digit())
    });
    words.contains(&"skill") && has_round
}

/// Whether `evalbook benchmark` wrote it: its notes are no remarks of an author.
fn is_ours(root: Cursor<'_>) -> bool {
    root.entries().any(|(key, part)| key == "evalbook" && part.is_object())
}

/// The remarks under `field`, at the top or in an object there: tools write them into their metadata or
/// their summary as well.
fn remarks(root: Cursor<'_>, field: &Field) -> Vec<String> {
    let mut remarks: Vec<String> = Vec::new();
    let within = root.entries().map(|(_, part)| part).filter(|part| part.is_object());
    for part in std::iter::once(root).chain(within) {
        for text in part.all(field).filter(|value| !value.is_object()).flat_map(Cursor::as_texts) {
            if !remarks.contains(&text) {
                remarks.push(text);
            }
        }
    }
    remarks
}

/// Reports figures of results under names that no benchmark uses.
fn problem_without_results(root: Cursor<'_>) {
    for (key, part) in root.entries() {
        if !benchmark::METADATA.is(key) && has_figures(part, MAX_LEVELS) {
            let message = format!("`{key}` looks like results in an unknown form");
            let help = "write `runs`, or `run_summary` with an object for each configuration";
            part.problem(Code::ResultsNotRead, message, "not read", help);
            return;
        }
    }
}

/// Whether a number at any level is called like a figure of results.
fn has_figures(cursor: Cursor<'_>, levels: usize) -> bool {
    let mut below = cursor.items().chain(cursor.entries().map(|(_, part)| part));
    cursor.entries().any(|(key, part)| part.node().as_f64().is_some() && is_figure(key))
        || levels > 0 && below.any(|part| has_figures(part, levels - 1))
}

fn is_figure(key: &str) -> bool {
    const WORDS: &str = "passed failed rate accuracy precision recall score";
    folded_name(key).split('_').any(|word| is_listed(WORDS, word))
}

/// The configurations under the first field that has some, else those at the top.
// Public benchmarks have them under `run_summary`, `summary`, `configurations`, `configs`,
// `results`, `totals` or `models`, and some `with_skill` at the top.
fn configurations(root: Cursor<'_>) -> Vec<RecordedConfiguration> {
    for summaries in root.all(&benchmark::SUMMARIES) {
        let configurations = configurations_in(summaries, true);
        if !configurations.is_empty() {
            return configurations;
        }
    }
    let configurations = configurations_in(root, false);
    if !configurations.is_empty() {
        return configurations;
    }
    // Under a key of the writer's own, sides of known names are meant.
    let mut others = root.entries().filter(|(key, _)| !benchmark::METADATA.is(key));
    let found = others.find_map(|(_, part)| {
        Some(configurations_in(part, false)).filter(|configurations| !configurations.is_empty())
    });
    found.unwrap_or_default()
}

/// The configurations in a list or an object; if an object holds nothing else (`is_alone`), every
/// name with a pass rate is one.
fn configurations_in(cursor: Cursor<'_>, is_alone: bool) -> Vec<RecordedConfiguration> {
    let mut configurations: Vec<RecordedConfiguration> = Vec::new();
    for item in cursor.items() {
        if let Some(name) = item.label(&benchmark::LABEL) {
            // A list that names a side twice is one of runs.
            if configurations.iter().any(|known| known.name == name) {
                return Vec::new();
            }
            configurations.extend(configuration(&name, item));
        }
    }
    for (name, value) in cursor.entries().filter(|(_, value)| value.is_object()) {
        let rate = value.get(&benchmark::PASS_RATE);
        let has_spread = rate.is_some_and(|rate| rate.get(&benchmark::MEAN).is_some());
        let is_delta = ["delta", "difference", "comparison"].iter().any(|word| name.contains(word));
        let is_named = names::is_configuration(name) || has_spread || (is_alone && rate.is_some());
        // At the top, `run_summary` may have the figures of the only side, which has no name.
        let is_summary = cursor.is_root() && benchmark::SUMMARIES.is(name);
        if is_named && !is_delta && !is_summary {
            configurations.extend(configuration(name, value));
        }
    }
    configurations
}

/// One configuration; `None` without a pass rate or a number of passes.
fn configuration(name: &str, cursor: Cursor<'_>) -> Option<RecordedConfiguration> {
    let inner = ["results", "aggregate", "summary"].iter().filter_map(|key| cursor.key(key));
    let figures = inner.into_iter().find(|inner| inner.is_object()).unwrap_or(cursor);
    let pass_rate = rates(figures);
    let passed = figures.number(&counts::PASSED);
    if pass_rate.mean.is_none() && passed.is_none() {
        return None;
    }
    Some(RecordedConfiguration {
        name: name.to_owned(),
        place: Some(cursor.place()),
        pass_rate,
        time_s: measured_spread(figures, &benchmark::TIME),
        tokens: measured_spread(figures, &benchmark::TOKENS),
        passed,
        total: figures.number(&counts::TOTAL),
    })
}

/// The runs that the benchmark at `root` lists, in the order written.
fn listed_runs(root: Cursor<'_>) -> Vec<RecordedRun> {
    if let Some(runs) = root.get_where(&benchmark::RUNS, Cursor::is_list) {
        return runs.items().filter(|item| item.is_object()).flat_map(runs_of_entry).collect();
    }
    let mut runs = Vec::new();
    for arm in root.items_of(&benchmark::ARMS) {
        runs.extend(runs_of_configuration(arm, arm.label(&benchmark::LABEL)));
    }
    let arms = root.object(&benchmark::ARMS);
    for (name, arm) in arms.unwrap_or(root).entries() {
        if arms.is_some() || names::is_configuration(name) {
            runs.extend(runs_of_configuration(arm, Some(name.to_owned())));
        }
    }
    if runs.is_empty() {
        runs = runs_by_case(root, &Labels::default());
    }
    if runs.is_empty() {
        runs = runs_under_any_key(root);
    }
    runs
}

/// The runs under the first key that has cases with a result, in a list or by name:
/// `{"scenarios": {"csv": {"with_skill": {…}, "without_skill": {…}}}}`. A key with verdicts goes before
/// one with counts.
// Some write counts under `scenarios` and every verdict under `grading.<case>.<side>[]`; comparators have
// `results.<case>.<side>`, where others have their sums.
fn runs_under_any_key(root: Cursor<'_>) -> Vec<RecordedRun> {
    let mut counted = Vec::new();
    for (key, cases) in root.entries() {
        if benchmark::SUMMARIES.is(key) && !configurations_in(cases, true).is_empty() {
            continue;
        }
        let mut runs = runs_of_cases(cases.items(), &Labels::default());
        for (name, case) in cases.entries() {
            let labels = Labels { case_name: Some(name.to_owned()), ..Labels::default() };
            runs.extend(runs_by_configuration(case, &labels));
        }
        if runs.iter().any(|run| run.tally.graded() > 0) {
            return runs;
        }
        if counted.is_empty() {
            counted = runs;
        }
    }
    counted
}

/// The cases, by name, of which the benchmark says that they did not run: `{"CMP-04": {"status": "not_executed"}}`.
// A comparator that ran three of five cases has sums of three.
fn cases_not_run(root: Cursor<'_>) -> Vec<String> {
    let mut cases = Vec::new();
    for (name, case) in root.entries().flat_map(|(_, cases)| cases.entries()) {
        // Only what did not run is read here: any other figure has its reader, and its problems.
        let did_not_run = run_error::in_document(case).is_some();
        if did_not_run
            && !has_result(case)
            && runs_by_configuration(case, &Labels::default()).is_empty()
        {
            cases.push(name.to_owned());
        }
    }
    cases
}

/// An entry of the list of runs: a run, or a case with a run for each configuration.
// The skill-creator lists runs; some writers list cases, with `with_skill` and `without_skill` in
// each.
fn runs_of_entry(entry: Cursor<'_>) -> Vec<RecordedRun> {
    let labels = Labels::read(entry, &Labels::default());
    if let Some(arms) = entry.get_where(&benchmark::ARMS, Cursor::is_list) {
        return arms.items().map(|arm| named_run(arm, None, &labels)).collect();
    }
    if labels.configuration.is_none() && !has_result(entry) {
        let runs = runs_by_configuration(entry, &labels);
        if !runs.is_empty() {
            return runs;
        }
    }
    vec![run(entry, labels)]
}

fn runs_of_configuration(arm: Cursor<'_>, configuration: Option<String>) -> Vec<RecordedRun> {
    let labels = Labels { configuration, ..Labels::default() };
    let runs = runs_of_cases(arm.items_of(&benchmark::RUNS), &labels);
    if runs.is_empty() { runs_by_case(arm, &labels) } else { runs }
}

/// The runs in the first list of cases that has some. A list of configurations does not count.
fn runs_by_case(cursor: Cursor<'_>, labels: &Labels) -> Vec<RecordedRun> {
    for list in cursor.all(&benchmark::CASES) {
        let may_be_configurations = cursor.is_root() && benchmark::SUMMARIES.is(&list.name());
        if may_be_configurations && list.items().any(is_configuration) {
            continue;
        }
        let runs = runs_of_cases(list.items(), labels);
        if !runs.is_empty() {
            return runs;
        }
    }
    Vec::new()
}

/// Whether an item has a label of a side: what has the id of a case as well is a run.
fn is_configuration(item: Cursor<'_>) -> bool {
    item.has(&benchmark::LABEL) && !item.has(&labels::CASE_ID)
}

fn runs_of_cases<'c>(cases: impl Iterator<Item = Cursor<'c>>, above: &Labels) -> Vec<RecordedRun> {
    let mut runs = Vec::new();
    for case in cases.filter(|case| case.is_object()) {
        let mut labels = Labels::read(case, above);
        labels.case_id = labels.case_id.or_else(|| case.label(&lists::ITEM_ID));
        if has_result(case) {
            runs.push(run(case, labels.clone()));
        }
        runs.extend(runs_by_configuration(case, &labels));
    }
    runs
}

/// The runs of a case by the names of their configurations, in the case or in an object of its own.
fn runs_by_configuration(case: Cursor<'_>, labels: &Labels) -> Vec<RecordedRun> {
    let arms = case.object(&benchmark::ARMS);
    let mut runs = Vec::new();
    for (name, arm) in arms.unwrap_or(case).entries() {
        let is_configuration = arms.is_some() || names::is_configuration(name);
        if is_configuration && !benchmark::DELTA.is(name) && has_result(arm) {
            runs.push(named_run(arm, Some(name), labels));
        }
    }
    runs
}

/// Whether an object has counts, a pass rate or graded expectations.
// 19 public benchmarks have the figures of a run next to its labels instead of under `result`.
fn has_result(cursor: Cursor<'_>) -> bool {
    let counts = recorded_counts(cursor.object(&benchmark::RESULT).unwrap_or(cursor));
    let is_counted = counts.passed.is_some() && counts.total.is_some();
    is_counted || counts.pass_rate.is_some() || !expectations(cursor).is_empty()
}

/// The verdicts of a run: in a list of its own, or the run is their list.
fn expectations(run: Cursor<'_>) -> Vec<Expectation> {
    if run.is_list()
        && run.items().next().is_some()
        && run.items().all(|item| item.is_object() && item.has(&checks::VERDICT))
    {
        return grading::verdicts_of_list(run, Default::default());
    }
    if !run.is_object() {
        return Vec::new();
    }
    let listed = grading::expectations_of(run);
    if listed.is_empty() { overall_verdict(run).into_iter().collect() } else { listed }
}

/// The verdict on a run of which nothing else is known: `{"eval_id": 1, "status": "pass"}`. A status
/// such as `completed` says nothing on the answer.
fn overall_verdict(run: Cursor<'_>) -> Option<Expectation> {
    let counts = recorded_counts(run);
    let has_figures =
        counts.passed.is_some() || counts.total.is_some() || counts.pass_rate.is_some();
    if has_figures || run.object(&benchmark::RESULT).is_some() {
        return None;
    }
    let outcome = verdict::read(run.get_where(&checks::VERDICT, is_plain)?);
    let text = grading::OVERALL_STATEMENT.to_owned();
    Some(Expectation { text, outcome, ..Expectation::default() })
}

/// Whether a value is a verdict and nothing else.
fn is_plain(found: Cursor<'_>) -> bool {
    found.node().as_bool().is_some()
        || found.node().as_text().is_some_and(verdict::begins_with_verdict)
}

/// A run of the case in `above`; its own name is that of its configuration.
fn named_run(arm: Cursor<'_>, name: Option<&str>, above: &Labels) -> RecordedRun {
    let name = name.map(str::to_owned).or_else(|| arm.label(&benchmark::LABEL));
    let mut labels = Labels::read(arm, above);
    labels.case_name.clone_from(&above.case_name);
    labels.configuration = name.or(labels.configuration);
    run(arm, labels)
}

fn run(cursor: Cursor<'_>, labels: Labels) -> RecordedRun {
    let result = cursor.object(&benchmark::RESULT);
    let mut metrics = metrics::read(cursor);
    if let Some(result) = result {
        metrics.fill_from(&metrics::read(result));
    }
    let expectations = expectations(cursor);
    RecordedRun {
        tally: Tally::new(expectations.iter().map(|expectation| expectation.outcome)),
        case_id: labels.case_id,
        case_name: labels.case_name,
        configuration: labels.configuration,
        run: labels.run,
        counts: recorded_counts(result.unwrap_or(cursor)),
        metrics,
        expectations,
        notes: cursor.texts(&benchmark::RUN_NOTES),
    }
}

/// The counts of a run.
// Some write the only counts of a benchmark as a fraction: `"pass_rate": "2/3"`.
fn recorded_counts(cursor: Cursor<'_>) -> RecordedCounts {
    let mut counts = grading::read_counts(cursor);
    if counts.passed.is_none()
        && counts.total.is_none()
        && let Some((passed, total)) = cursor.get(&counts::PASS_RATE).and_then(fraction)
    {
        (counts.passed, counts.total) = (Some(passed), Some(total));
    }
    counts
}

/// The counts in a text such as `2/3` or `2/8 (25%)`.
fn fraction(cursor: Cursor<'_>) -> Option<(f64, f64)> {
    let (passed, rest) = cursor.node().as_text()?.split_once('/')?;
    let total = rest.split_whitespace().next()?;
    let [passed, total] = [passed, total].map(|count| count.trim().parse::<u32>().ok());
    let (passed, total) = passed.zip(total).filter(|(passed, total)| passed <= total)?;
    Some((f64::from(passed), f64::from(total)))
}
