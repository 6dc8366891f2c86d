//! From a baseline back to an iteration that can be compared with another one.

use std::collections::BTreeMap;

use crate::baseline_json::{
    Baseline, BaselineCase, BaselineSide, RunState, plan_digest, prompt_digest,
};
use input::model::{
    Case, Expectation, Grading, Iteration, Loading, LoadingState, Metrics, Outcome,
    PlannedExpectation, RecordedBenchmark, Run,
};

impl Baseline {
    /// The iteration, for a comparison with `head`: equal digests stand for the prompts and plans of
    /// that, and checks are in its order.
    pub fn bind(&self, head: &Iteration) -> Iteration {
        let known = KnownTexts::new(head);
        let mut configurations: Vec<String> = Vec::new();
        for side in self.cases.iter().flat_map(|case| &case.sides) {
            if !configurations.contains(&side.side) {
                configurations.push(side.side.clone());
            }
        }
        let mut benchmarks = Vec::new();
        for model in &self.models {
            let executor_model = Some(model.clone());
            benchmarks.push(RecordedBenchmark { executor_model, ..RecordedBenchmark::default() });
        }
        Iteration {
            name: self.iteration.clone(),
            path: self.iteration.clone(),
            configurations,
            cases: self.cases.iter().map(|case| known.bind(case)).collect(),
            benchmarks,
            ..Iteration::default()
        }
    }

    /// A sentence for each case of `head` whose prompt is not that of the baseline.
    pub fn other_prompts(&self, head: &Iteration) -> Vec<String> {
        let mut sentences = Vec::new();
        for case in &self.cases {
            let Some(met) = head.cases.iter().find(|met| met.name == case.case) else { continue };
            if let (Some(before), Some(after)) = (&case.prompt, prompt_digest(met))
                && *before != after
            {
                sentences.push(format!(
                    "the prompt of `{}` is not that of the baseline: {before} there, {after} here",
                    case.case
                ));
            }
        }
        sentences
    }
}

/// What a baseline has only as digests, from the iteration that it is compared with.
struct KnownTexts<'h> {
    prompts: BTreeMap<String, &'h str>,
    plans: BTreeMap<String, &'h [PlannedExpectation]>,
    /// The place of each check by its case and text.
    order: BTreeMap<(&'h str, &'h str), usize>,
}

impl<'h> KnownTexts<'h> {
    fn new(head: &'h Iteration) -> Self {
        let (mut prompts, mut plans) = (BTreeMap::new(), BTreeMap::new());
        let mut order = BTreeMap::new();
        for case in &head.cases {
            if let (Some(digest), Some(prompt)) = (prompt_digest(case), &case.prompt) {
                prompts.insert(digest, prompt.as_str());
            }
            if let Some(digest) = plan_digest(case) {
                plans.insert(digest, case.planned.as_slice());
            }
            for check in case.runs.iter().flat_map(Run::expectations) {
                let next = order.len();
                order.entry((case.name.as_str(), check.text.as_str())).or_insert(next);
            }
        }
        Self { prompts, plans, order }
    }

    fn bind(&self, case: &BaselineCase) -> Case {
        let prompt = case.prompt.as_ref().map(|digest| match self.prompts.get(digest) {
            Some(prompt) => (*prompt).to_owned(),
            // Like no other prompt, so that the case counts as another task.
            None => format!("prompt {digest}"),
        });
        let plan = case.plan.as_ref().and_then(|digest| self.plans.get(digest));
        Case {
            name: case.case.clone(),
            folder: case.case.clone(),
            id: case.id.clone(),
            prompt,
            planned: plan.map(|plan| plan.to_vec()).unwrap_or_default(),
            should_load: case.should_load,
            runs: case.sides.iter().flat_map(|side| self.runs(case, side)).collect(),
            ..Case::default()
        }
    }

    fn runs(&self, case: &BaselineCase, side: &BaselineSide) -> Vec<Run> {
        let mut runs = Vec::new();
        for (at, number) in side.runs.iter().enumerate() {
            let mut expectations = self.expectations(case, &side.side, at);
            // Lists on pages follow the order of the newer grading. Where a file breaks off within a check,
            // that is its last one.
            expectations.sort_by_key(|check| {
                let place = self.order.get(&(case.case.as_str(), check.text.as_str()));
                (place.copied().unwrap_or(usize::MAX), check.outcome == Outcome::Ungraded)
            });
            let is_scored = expectations.iter().any(|check| check.score.is_some());
            let grader = value(&side.graders, at);
            let mut gradings = Vec::new();
            if !expectations.is_empty() {
                gradings.push(Grading {
                    grader,
                    is_scored,
                    expectations,
                    never_graded: value(&side.never_graded, at).unwrap_or(0),
                    is_cut_off: value(&side.cut_off, at).unwrap_or(false),
                    ..Grading::default()
                });
            }
            let mut run = Run {
                configuration: side.side.clone(),
                number: *number,
                gradings,
                metrics: Metrics {
                    duration_s: value(&side.time_s, at),
                    tokens: value(&side.tokens, at),
                    model: value(&side.models, at),
                    ..Metrics::default()
                },
                ..Run::default()
            };
            match value(&side.states, at) {
                Some(RunState::Error) => run.error = Some("error".to_owned()),
                Some(RunState::Stopped) => run.error = Some("stopped".to_owned()),
                Some(RunState::NotLoaded) => {
                    run.loading = Loading { state: LoadingState::NotLoaded, ..Loading::default() };
                }
                None => {}
            }
            runs.push(run);
        }
        runs
    }

    /// The checks of the run at `at` on `side`.
    fn expectations(&self, case: &BaselineCase, side: &str, at: usize) -> Vec<Expectation> {
        let mut expectations = Vec::new();
        for check in &case.checks {
            let letters = check.runs.get(side).map(String::as_bytes).unwrap_or_default();
            let outcome = match letters.get(at) {
                Some(b'p') => Outcome::Passed,
                Some(b'f') => Outcome::Failed,
                Some(b'u') => Outcome::Ungraded,
                // `-` is a check that this run did not have.
                _ => continue,
            };
            let scores = check.scores.get(side).map(Vec::as_slice).unwrap_or_default();
            expectations.push(Expectation {
                id: check.id.clone(),
                text: check.check.clone(),
                outcome,
                score: scores.get(at).copied().flatten(),
                ..Expectation::default()
            });
        }
        expectations
    }
}

/// The value of the run at `at`; one value alone applies to all runs.
fn value<T: Clone>(values: &[Option<T>], at: usize) -> Option<T> {
    match values {
        [only] => only.clone(),
        _ => values.get(at).cloned().flatten(),
    }
}
