//! Recorded benchmarks of real workspaces. Counts and prints how many figures differ from the runs,
//! and for how many of them the files give a reason.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::analyze::{Discrepancy, analysis};
use crate::files::Source;
use crate::settings::Settings;
use crate::tests::{corpus, load, open};

const LIMIT: u64 = 1 << 24;

/// The least share of differing figures that must have a reason.
const LEAST_EXPLAINED: f64 = 0.7;

#[test]
fn most_differing_figures_have_a_reason() {
    let Some(corpus) = corpus("expected.json") else { return };
    let listed = open(&corpus).read("expected.json", LIMIT).unwrap();
    let listed: Vec<Value> = serde_json::from_slice(&listed).unwrap();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut benchmarks, mut differing, mut explained) = (0, 0, 0);
    for entry in &listed {
        let name = entry["workspace"].as_str().expect("a name");
        for (place, discrepancy) in workspace_discrepancies(&corpus, name, &mut benchmarks) {
            differing += 1;
            explained += usize::from(!discrepancy.causes.is_empty());
            println!("{place}: {discrepancy:?}");
            let words: Vec<String> = discrepancy.causes.iter().map(word).collect();
            *reasons.entry(words.join(" + ")).or_default() += 1;
        }
    }
    println!("{benchmarks} benchmarks, {differing} figures differ, {explained} have a reason");
    reasons.iter().for_each(|(reason, number)| println!("{number:5} {reason}"));
    assert!(
        benchmarks > 0 && explained as f64 >= LEAST_EXPLAINED * differing as f64,
        "{explained} of {differing}"
    );
}

/// The kind of reason without its numbers.
fn word(reason: &impl std::fmt::Debug) -> String {
    let text = format!("{reason:?}");
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn workspace_discrepancies(
    corpus: &Path,
    name: &str,
    benchmarks: &mut usize,
) -> Vec<(String, Discrepancy)> {
    let loaded = load(&open(&corpus.join(name)));
    let mut discrepancies = Vec::new();
    for workspace in loaded.workspaces.into_iter().map(|read| read.workspace) {
        let analysis = analysis(&workspace, &Settings::default());
        for (iteration, iteration_analysis) in workspace.iterations.iter().zip(&analysis.iterations)
        {
            for (benchmark, differing) in
                iteration.benchmarks.iter().zip(&iteration_analysis.discrepancies)
            {
                *benchmarks += 1;
                let place = format!("{name}: {}", benchmark.path);
                discrepancies
                    .extend(differing.iter().map(|differing| (place.clone(), differing.clone())));
            }
        }
    }
    discrepancies
}
