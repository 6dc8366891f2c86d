//! Runs as a recorded benchmark lists them: in one list, by configuration, or by case.

use crate::discover::names;
use crate::model::{Metrics, RecordedCounts, RecordedRun, Tally};
use crate::read::alias::{benchmark, grading as lists};
use crate::read::cursor::Cursor;
use crate::read::grading;
use crate::read::labels::Labels;
use crate::read::metrics;

/// The runs that the benchmark at `root` lists, in the order written.
pub(super) fn read(root: &Cursor<'_>) -> Vec<RecordedRun> {
    if let Some(runs) = root.get_where(&benchmark::RUNS, Cursor::is_list) {
        return runs.items().filter(Cursor::is_object).flat_map(|run| of_entry(&run)).collect();
    }
    let in_list = root.get_where(&benchmark::ARMS, Cursor::is_list);
    let in_object = root.get_where(&benchmark::ARMS, Cursor::is_object);
    let arms = in_list.iter().flat_map(|arms| arms.items()).map(|arm| (None, arm));
    let named = in_object.as_ref().unwrap_or(root).entries();
    let named = named.filter(|(name, _)| in_object.is_some() || names::is_configuration(name));
    let named = named.map(|(name, arm)| (Some(name), arm));
    let found: Vec<RecordedRun> =
        arms.chain(named).flat_map(|(name, arm)| of_arm(&arm, name)).collect();
    if found.is_empty() { of_cases(root, &Labels::default()) } else { found }
}

/// What one entry of the list of runs holds: a run, or one for each configuration.
fn of_entry(run: &Cursor<'_>) -> Vec<RecordedRun> {
    let labels = Labels::read(run, &Labels::default());
    if let Some(arms) = run.get_where(&benchmark::ARMS, Cursor::is_list) {
        return arms.items().map(|arm| of_named(&arm, None, &labels)).collect();
    }
    let is_run = labels.configuration.is_some() || says_result(run);
    let found = if is_run { Vec::new() } else { by_name(run, &labels) };
    if found.is_empty() { vec![of_run(run, labels)] } else { found }
}

/// The cases of one configuration.
fn of_arm(arm: &Cursor<'_>, name: Option<&str>) -> Vec<RecordedRun> {
    let configuration = name.map(str::to_owned).or_else(|| arm.label(&benchmark::LABEL));
    let labels = Labels { configuration, ..Labels::default() };
    let found = arm.get_where(&benchmark::RUNS, Cursor::is_list);
    let runs = found.map(|runs| in_list(&runs, &labels)).unwrap_or_default();
    if runs.is_empty() { of_cases(arm, &labels) } else { runs }
}

/// The first list of cases that say how much was passed. A list of configurations is none.
fn of_cases(cursor: &Cursor<'_>, labels: &Labels) -> Vec<RecordedRun> {
    let is_named = |list: &Cursor<'_>| list.items().any(|item| item.has(&benchmark::LABEL));
    let lists = benchmark::CASES.spellings.iter().filter_map(|key| cursor.key(key));
    let lists = lists.filter(|list| {
        let holds_configurations = cursor.is_root() && benchmark::SUMMARIES.is(&list.name());
        !(holds_configurations && is_named(list))
    });
    let runs = lists.map(|list| in_list(&list, labels));
    runs.into_iter().find(|runs| !runs.is_empty()).unwrap_or_default()
}

fn in_list(list: &Cursor<'_>, above: &Labels) -> Vec<RecordedRun> {
    let of_case = |item: Cursor<'_>| {
        let mut labels = Labels::read(&item, above);
        labels.case_id = labels.case_id.or_else(|| item.label(&lists::ITEM_ID));
        let own = says_result(&item).then(|| of_run(&item, labels.clone()));
        own.into_iter().chain(by_name(&item, &labels)).collect::<Vec<_>>()
    };
    list.items().filter(Cursor::is_object).flat_map(of_case).collect()
}

/// The runs of a case by the names of their configurations, in the case or in an object of them.
fn by_name(case: &Cursor<'_>, labels: &Labels) -> Vec<RecordedRun> {
    let arms = case.get_where(&benchmark::ARMS, Cursor::is_object);
    let is_arms = arms.is_some();
    let holder = arms.as_ref().unwrap_or(case);
    let entries = holder.entries().filter(|(name, arm)| {
        (is_arms || names::is_configuration(name)) && !benchmark::DELTA.is(name) && says_result(arm)
    });
    entries.map(|(name, arm)| of_named(&arm, Some(name), labels)).collect()
}

fn says_result(cursor: &Cursor<'_>) -> bool {
    let counts = grading::read_counts(&result_of(cursor).unwrap_or(*cursor));
    let RecordedCounts { passed, total, pass_rate, .. } = counts;
    let is_counted = passed.is_some() && total.is_some();
    cursor.is_object()
        && (is_counted || pass_rate.is_some() || !grading::expectations_of(cursor).is_empty())
}

fn result_of<'c>(run: &'c Cursor<'c>) -> Option<Cursor<'c>> {
    run.get_where(&benchmark::RESULT, Cursor::is_object)
}

/// A run of the case that `above` names; its own name is that of its configuration.
fn of_named(arm: &Cursor<'_>, name: Option<&str>, above: &Labels) -> RecordedRun {
    let named = name.map(str::to_owned).or_else(|| arm.label(&benchmark::LABEL));
    let mut labels = Labels::read(arm, above);
    labels.case_name.clone_from(&above.case_name);
    labels.configuration = named.or(labels.configuration);
    of_run(arm, labels)
}

fn of_run(run: &Cursor<'_>, labels: Labels) -> RecordedRun {
    let result = result_of(run);
    let mut metrics = metrics::read(run);
    if let Some(result) = &result {
        metrics.fill_from(&metrics::read(result));
    }
    let expectations = grading::expectations_of(run);
    RecordedRun {
        tally: Tally::new(expectations.iter().map(|expectation| expectation.outcome)),
        case_id: labels.case_id,
        case_name: labels.case_name,
        configuration: labels.configuration,
        run: labels.run,
        counts: grading::read_counts(result.as_ref().unwrap_or(run)),
        metrics: (metrics != Metrics::default()).then(|| Box::new(metrics)),
        expectations,
        notes: run.texts(&benchmark::RUN_NOTES),
    }
}
