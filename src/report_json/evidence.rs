//! The evidence of a report's first gradings, which stands in the benchmark of each iteration.

use std::collections::{BTreeMap, VecDeque};

use serde::Deserialize;

use crate::model::Iteration;

#[derive(Deserialize)]
struct BenchmarkJson {
    runs: Vec<ListedRun>,
}

#[derive(Deserialize)]
struct ListedRun {
    eval_name: String,
    configuration: String,
    run_number: u32,
    expectations: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    text: String,
    evidence: Option<String>,
}

/// Puts the evidence that the `benchmark.json` in `text` holds into the runs of `iteration`. A file
/// that is not one of ours, or that says something else of a run, adds nothing.
pub fn add_evidence(iteration: &mut Iteration, text: &str) {
    let Ok(benchmark) = serde_json::from_str::<BenchmarkJson>(text) else { return };
    let mut listed: BTreeMap<(String, String, u32), VecDeque<Vec<Said>>> = BTreeMap::new();
    for run in benchmark.runs {
        let key = (run.eval_name, run.configuration, run.run_number);
        listed.entry(key).or_default().push_back(run.expectations);
    }
    for case in &mut iteration.cases {
        for run in case.runs.iter_mut().filter(|run| run.is_graded()) {
            let key = (case.name.clone(), run.configuration.clone(), run.number);
            let said = listed.get_mut(&key).and_then(VecDeque::pop_front).unwrap_or_default();
            let own = run.gradings.first_mut().map(|it| &mut it.expectations[..]);
            for (own, said) in own.unwrap_or_default().iter_mut().zip(said) {
                if own.text == said.text && own.evidence.is_none() {
                    own.evidence = said.evidence;
                }
            }
        }
    }
}
