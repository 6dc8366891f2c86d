//! The rules of a gate and the fallen cases of made-up verdicts, for `benches/simulation`: no command
//! judges runs that are in no folder, and 100,000 folders would take too long.

use crate::analyze::{self, Against, FallenCase, Side};
use crate::gate::{self, Question, Rule};
use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
use crate::settings::{FailOn, Settings};

/// Whether each check of a run passed.
type Verdicts = Vec<bool>;

/// The runs of one case under the candidate, then under the side before it.
type CaseSides = [Vec<Verdicts>; 2];

/// What a report and its gate say about a skill that was run twice.
pub struct Alarms {
    /// Which of the rules *worse*, *regression* and *regression-strict* fail it.
    pub failed_rules: [bool; 3],
    /// Whether a case is named as fallen by 40 points or more.
    pub names_a_fall: bool,
}

/// Judges a candidate against the side before it.
pub fn alarms(cases: &[CaseSides]) -> Alarms {
    const RULES: [FailOn; 3] = [FailOn::Worse, FailOn::Regression, FailOn::RegressionStrict];
    let names = ["with_skill", "old_skill"];
    let workspace = made_up_workspace(cases, names);
    let mut settings = Settings::default();
    settings.gate.fail_on = RULES.to_vec();
    let analysis = analyze::analysis(&workspace, &settings);
    let after = Side::new(0, names[0]);
    let change = analysis.change(&after, Against::Baseline);
    let question = Question {
        workspace: &workspace,
        analysis: &analysis,
        after: &after,
        change,
        settings: &settings,
        today: "2026-01-01",
        obstacle: None,
    };
    let rulings = gate::judge(&question).rulings;
    let fallen: &[FallenCase] = change.map_or(&[], |change| &change.gain.fallen);
    Alarms {
        failed_rules: RULES.map(|rule| {
            rulings.iter().any(|found| found.rule == Rule::FailOn(rule) && !found.is_passed())
        }),
        names_a_fall: !fallen.is_empty(),
    }
}

/// A workspace with one iteration, which has these verdicts by case. `names` are the configurations.
fn made_up_workspace(cases: &[CaseSides], names: [&str; 2]) -> Workspace {
    let configurations = names.map(str::to_owned).to_vec();
    let mut iteration = Iteration { configurations, ..Iteration::default() };
    for (at, sides) in cases.iter().enumerate() {
        let runs = names.iter().zip(sides).flat_map(|(name, runs)| made_up_runs(name, runs));
        iteration.cases.push(Case {
            name: format!("case {at}"),
            folder: format!("case-{at}"),
            runs: runs.collect(),
            ..Case::default()
        });
    }
    Workspace { iterations: vec![iteration], ..Workspace::default() }
}

fn made_up_runs(configuration: &str, runs: &[Verdicts]) -> Vec<Run> {
    let mut made = Vec::new();
    for (number, verdicts) in (1..).zip(runs) {
        let mut grading = Grading::default();
        for (at, passed) in verdicts.iter().enumerate() {
            grading.expectations.push(Expectation {
                text: format!("check {at}"),
                outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
                ..Expectation::default()
            });
        }
        made.push(Run {
            configuration: configuration.to_owned(),
            number,
            gradings: vec![grading],
            ..Run::default()
        });
    }
    made
}
