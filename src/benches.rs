//! The rules of a gate, the fallen cases and the headline of made-up runs, for `benches/simulation`: no command
//! judges runs that are in no folder, and 100,000 folders would take too long.

use crate::analyze::{self, Against, CostKind, FallenCase, Side};
use crate::digest::news::headline::Headline;
use crate::digest::news::{self, HeadlineChoice};
use crate::digest::{Comparisons, Questions};
use crate::gate::{self, Question, Rule};
use input::model::{Case, Expectation, Grading, Iteration, Metrics, Outcome, Run, Workspace};
use input::settings::{CostLimit, FailOn, Settings};

/// A run.
pub struct MadeUpRun {
    /// Whether each of its checks passed.
    pub verdicts: Vec<bool>,
    /// What it used.
    pub tokens: f64,
}

/// The runs of one case under the candidate, then under the side before it.
pub type CaseSides = [Vec<MadeUpRun>; 2];

/// What a gate says about two sides.
pub struct Alarms {
    /// Whether the rules *worse* and *loss* fail.
    pub failed_rules: [bool; 2],
    /// Whether a limit of 20 % more tokens fails.
    pub is_over_limit: bool,
    /// Whether the mean of the tokens is above that limit.
    pub is_mean_over_limit: bool,
    /// Whether a case is named as fallen by 40 points or more.
    pub names_a_fall: bool,
}

const LIMIT: f64 = 0.2;

/// Judges a candidate against the side before it.
pub fn alarms(cases: &[CaseSides]) -> Alarms {
    const RULES: [FailOn; 2] = [FailOn::Worse, FailOn::Loss];
    let names = ["with_skill", "old_skill"];
    let workspace = made_up_workspace(cases, names);
    let mut settings = Settings::default();
    settings.gate.fail_on = RULES.to_vec();
    let limit = CostLimit::Share(LIMIT);
    settings.gate.max_token_increase = Some(limit);
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
        is_skill_changed: false,
        obstacle: None,
    };
    let judgement = gate::judge(&question);
    let has_failed =
        |rule: Rule| judgement.rulings.iter().any(|found| found.rule == rule && !found.is_passed());
    let fallen: &[FallenCase] = change.map_or(&[], |change| &change.gain.fallen);
    let of_totals = change.and_then(|change| change.costs.tokens.of_totals);
    Alarms {
        failed_rules: RULES.map(|rule| has_failed(Rule::FailOn(rule))),
        is_over_limit: has_failed(Rule::MaxIncrease(CostKind::Tokens, limit)),
        is_mean_over_limit: of_totals.is_some_and(|ratio| ratio > 1.0 + LIMIT),
        names_a_fall: !fallen.is_empty(),
    }
}

/// What the headline says of a candidate and of the side before it, or of the side without the skill: the
/// word of a verdict, or that of a piece of news.
pub fn headline(cases: &[CaseSides], is_earlier: bool) -> &'static str {
    let names = ["with_skill", if is_earlier { "old_skill" } else { "without_skill" }];
    let workspace = made_up_workspace(cases, names);
    let analysis = analyze::analysis(&workspace, &Settings::default());
    let comparisons = Comparisons::empty(&workspace, &analysis);
    let after = Side::new(0, names[0]);
    let findings = comparisons.news(&after, news::led_by(&analysis, &after));
    match news::headline(&findings, &Questions::new(&comparisons, &after)) {
        None | Some(HeadlineChoice::Conditions { .. }) => "no comparison",
        Some(HeadlineChoice::Word(change)) => change.gain.verdict().word(),
        Some(HeadlineChoice::News(news)) => match news {
            Headline::NoMeasurement => "not a measurement",
            Headline::NeverLoaded => "never loaded",
            Headline::Rerun { .. } => "rerun",
            Headline::Lost { .. } => "lost",
            Headline::Repaired { .. } => "repaired",
            Headline::NoRegression { .. } => "no regression",
            Headline::NoDifference { .. } => "no difference",
        },
    }
}

/// A workspace with one iteration, which has these runs by case. `names` are the configurations.
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

fn made_up_runs(configuration: &str, runs: &[MadeUpRun]) -> Vec<Run> {
    let mut made = Vec::new();
    for (number, run) in (1..).zip(runs) {
        let mut grading = Grading::default();
        for (at, passed) in run.verdicts.iter().enumerate() {
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
            metrics: Metrics { tokens: Some(run.tokens), ..Metrics::default() },
            ..Run::default()
        });
    }
    made
}
