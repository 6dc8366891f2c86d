//! Gives configurations the names that the settings call them by.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{BlindComparison, Iteration, RecordedBenchmark, Workspace};
use crate::text::folded_name;

/// Names in the data, and what they are called instead.
pub type Labels = BTreeMap<String, String>;

/// Calls the configurations of `workspace` by their labels, in every iteration, recorded benchmark
/// and blind comparison.
///
/// # Errors
/// The label that two configurations of one iteration would be called by; nothing is renamed then.
pub fn relabel(workspace: &mut Workspace, labels: &Labels) -> Result<(), String> {
    let labels = &respelled(workspace, labels);
    for iteration in &workspace.iterations {
        let mut called: BTreeSet<&str> = BTreeSet::new();
        for name in &iteration.configurations {
            let label = labels.get(name).unwrap_or(name);
            if !called.insert(label) {
                return Err(label.clone());
            }
        }
    }
    workspace.iterations.iter_mut().for_each(|iteration| of_iteration(iteration, labels));
    Ok(())
}

/// The labels, also by the names in the data that differ from theirs in spelling only.
fn respelled(workspace: &Workspace, labels: &Labels) -> Labels {
    let names = workspace.iterations.iter().flat_map(|iteration| &iteration.configurations);
    let names: BTreeSet<&String> = names.collect();
    let others = labels.iter().filter(|(name, _)| !names.contains(name));
    let others: BTreeMap<String, &String> =
        others.map(|(name, label)| (folded_name(name), label)).collect();
    let mut all = labels.clone();
    for name in names {
        if let Some(label) = others.get(&folded_name(name)) {
            all.entry(name.clone()).or_insert_with(|| (*label).clone());
        }
    }
    all
}

fn of_iteration(iteration: &mut Iteration, labels: &Labels) {
    iteration.configurations.iter_mut().for_each(|name| call(name, labels));
    let runs = iteration.cases.iter_mut().flat_map(|case| &mut case.runs);
    runs.for_each(|run| call(&mut run.configuration, labels));
    iteration.benchmarks.iter_mut().for_each(|benchmark| of_benchmark(benchmark, labels));
    iteration.comparisons.iter_mut().for_each(|comparison| of_comparison(comparison, labels));
}

fn of_benchmark(benchmark: &mut RecordedBenchmark, labels: &Labels) {
    benchmark.configurations.iter_mut().for_each(|found| call(&mut found.name, labels));
    let listed = benchmark.listed.iter_mut().filter_map(|run| run.configuration.as_mut());
    listed.chain(&mut benchmark.baseline).for_each(|name| call(name, labels));
}

fn of_comparison(comparison: &mut BlindComparison, labels: &Labels) {
    let sides = [&mut comparison.a, &mut comparison.b];
    sides.into_iter().filter_map(|side| side.version.as_mut()).for_each(|name| call(name, labels));
}

fn call(name: &mut String, labels: &Labels) {
    if let Some(label) = labels.get(name) {
        name.clone_from(label);
    }
}

#[cfg(test)]
mod tests {
    use super::{Labels, relabel};
    use crate::model::{Case, Iteration, Run, Workspace};

    fn workspace() -> Workspace {
        let run = |name: &str| Run { configuration: name.to_owned(), ..Run::default() };
        let case = Case { runs: vec![run("a"), run("b")], ..Case::default() };
        let configurations = vec!["a".to_owned(), "b".to_owned()];
        let iteration = Iteration { configurations, cases: vec![case], ..Iteration::default() };
        Workspace { iterations: vec![iteration], ..Workspace::default() }
    }

    fn labels(pairs: &[(&str, &str)]) -> Labels {
        pairs.iter().map(|(name, label)| ((*name).to_owned(), (*label).to_owned())).collect()
    }

    #[test]
    fn every_place_is_renamed_at_once() {
        let mut swapped = workspace();
        relabel(&mut swapped, &labels(&[("a", "b"), ("b", "a"), ("c", "d")])).unwrap();
        assert_eq!(swapped.iterations[0].configurations, ["b", "a"]);
        assert_eq!(swapped.iterations[0].cases[0].runs[0].configuration, "b");
    }

    #[test]
    fn no_two_configurations_are_made_one() {
        let mut merged = workspace();
        assert_eq!(relabel(&mut merged, &labels(&[("a", "b")])), Err("b".to_owned()));
        assert_eq!(merged, workspace());
    }
}
