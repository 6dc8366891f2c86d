//! The rules of a gate on made-up verdicts, for `benches/simulation`: no command judges runs that are
//! in no folder, and 100,000 folders would take too long.

use crate::analyze::{self, Against, Side};
use crate::gate::{self, Question, Rule};
use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
use crate::settings::{FailOn, Settings};

/// Whether each check of a run passed.
type Verdicts = Vec<bool>;

/// Which of the rules *worse*, *regression* and *regression-strict* fail a candidate. `cases` hold
/// the runs of the candidate, then those of the side before it.
pub fn failed_rules(cases: &[[Vec<Verdicts>; 2]]) -> [bool; 3] {
    const RULES: [FailOn; 3] = [FailOn::Worse, FailOn::Regression, FailOn::RegressionStrict];
    let names = ["with_skill", "old_skill"];
    let case = |(at, sides): (usize, &[Vec<Verdicts>; 2])| Case {
        name: format!("case {at}"),
        folder: format!("case-{at}"),
        runs: names.iter().zip(sides).flat_map(|(name, runs)| made_up_runs(name, runs)).collect(),
        ..Case::default()
    };
    let iteration = Iteration {
        configurations: names.map(str::to_owned).to_vec(),
        cases: cases.iter().enumerate().map(case).collect(),
        ..Iteration::default()
    };
    let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
    let mut settings = Settings::default();
    settings.gate.fail_on = RULES.to_vec();
    let analysis = analyze::analysis(&workspace, &settings);
    let after = Side::new(0, names[0]);
    let question = Question {
        workspace: &workspace,
        analysis: &analysis,
        after: &after,
        change: analysis.change(&after, Against::Baseline),
        settings: &settings,
        today: "2026-01-01",
        obstacle: None,
    };
    let rulings = gate::judge(&question).rulings;
    RULES.map(|rule| {
        rulings.iter().any(|found| found.rule == Rule::FailOn(rule) && !found.is_passed())
    })
}

fn made_up_runs(configuration: &str, runs: &[Verdicts]) -> Vec<Run> {
    let check = |(at, passed): (usize, &bool)| Expectation {
        text: format!("check {at}"),
        outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
        ..Expectation::default()
    };
    let run = |(number, verdicts): (u32, &Verdicts)| {
        let expectations = verdicts.iter().enumerate().map(check).collect();
        Run {
            configuration: configuration.to_owned(),
            number,
            gradings: vec![Grading { expectations, ..Grading::default() }],
            ..Run::default()
        }
    };
    (1..).zip(runs).map(run).collect()
}
