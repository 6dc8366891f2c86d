//! Headline, badge, comment, brief, summary and gate never contradict each other, also where verdicts are
//! missing, a round ran under two models, or each case ran once.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::analyze::{self, Against, Analysis};
use crate::gate::{self, NotCheckable, Question};
use crate::tests::{load, one_number, words};
use input::files::Memory;
use input::model::Workspace;
use input::settings::{FailOn, Settings};

const SIDES: [&str; 2] = ["with_skill", "without_skill"];

/// The verdicts of a run: `p` passed, `f` failed, and `?` is a word that nobody can read.
type Verdicts = Vec<char>;

/// The runs of each side of one case.
type CaseRuns = [Vec<Verdicts>; 2];

fn case_runs() -> impl Strategy<Value = CaseRuns> {
    let verdict = prop_oneof![4 => Just('p'), 3 => Just('f'), 1 => Just('?')];
    let run = vec(verdict, 3);
    let runs = || vec(run.clone(), 1..3);
    [runs(), runs()]
}

/// A round of the same cases under each of these models.
fn source(models: &[Vec<CaseRuns>]) -> Memory {
    let mut files: Vec<(String, String)> = Vec::new();
    for (cases, model) in models.iter().zip(["opus", "sonnet"]) {
        for (at, case) in cases.iter().enumerate() {
            for (side, runs) in SIDES.iter().zip(case) {
                for (number, verdicts) in runs.iter().enumerate() {
                    let mut folder = String::from("iteration-1/");
                    if models.len() > 1 {
                        folder.push_str(&format!("{model}/"));
                    }
                    folder.push_str(&format!("case-{at}/{side}/run-{}", number + 1));
                    files.push((format!("{folder}/grading.json"), grading(at, verdicts)));
                }
            }
        }
    }
    Memory::new(files)
}

fn grading(case: usize, verdicts: &[char]) -> String {
    let mut checks = Vec::new();
    for (at, verdict) in verdicts.iter().enumerate() {
        let passed = match verdict {
            'p' => "true",
            'f' => "false",
            _ => "\"see the notes\"",
        };
        checks.push(format!("{{\"text\": \"case {case} keeps {at}\", \"passed\": {passed}}}"));
    }
    format!("{{\"expectations\": [{}]}}", checks.join(","))
}

/// What the reader of each output finds there.
struct Outputs {
    texts: Vec<(&'static str, String)>,
    badge: Value,
    summary: Value,
}

fn outputs(source: &Memory) -> Outputs {
    let (mut texts, pages) = one_number::outputs(source);
    let text = |path: &str| String::from_utf8_lossy(&pages[path]).into_owned();
    let json = |path: &str| serde_json::from_slice(&pages[path]).expect("JSON");
    texts.extend([("overview", text("index.html")), ("report.md", text("report.md"))]);
    Outputs { texts, badge: json("badge.json"), summary: json("summary.json") }
}

/// Whether each rule of a gate passed, and whether it could not be checked for missing verdicts.
fn rulings(workspace: &Workspace, analysis: &Analysis) -> Vec<(bool, bool)> {
    let mut settings = Settings::default();
    settings.gate.fail_on = vec![FailOn::Worse, FailOn::Loss];
    settings.gate.min_pass_rate = Some(0.0);
    let Some(after) = analysis.newest_candidate() else { return Vec::new() };
    let question = Question {
        workspace,
        analysis,
        after: &after,
        change: analysis.change(&after, Against::Baseline),
        settings: &settings,
        today: "2026-01-01",
        is_skill_changed: false,
        obstacle: None,
    };
    let mut found = Vec::new();
    for ruling in gate::judge(&question).rulings {
        let is_undecided = ruling.decision == Err(NotCheckable::NotDecided);
        found.push((ruling.is_passed(), is_undecided));
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn outputs_do_not_contradict_each_other(models in vec(vec(case_runs(), 1..5), 1..3)) {
        let source = source(&models);
        let loaded = load(&source);
        let workspace = &loaded.workspaces[0].workspace;
        let analysis = analyze::analysis(workspace, &Settings::default());
        let Some(after) = analysis.newest_candidate() else { return Ok(()) };
        let Some(lead) = analysis.lead(&after) else { return Ok(()) };
        let Outputs { texts, badge, summary } = outputs(&source);
        let is_undecided = lead.gain.undecided().is_some();
        let verdict = lead.gain.verdict();

        if models.len() == 1 {
            let word = words::raw("verdict.not_decided");
            for (name, text) in &texts {
                prop_assert_eq!(text.contains(word), is_undecided, "{}: {:.2000}", name, text);
            }
            let green = verdict.word().ends_with("better");
            prop_assert_eq!(badge["color"] == "17703a", green, "{}: {}", verdict.word(), badge);
            prop_assert_eq!(badge["color"] == "b3261e", verdict.is_worse(), "{}", badge);
            let gain = &summary["workspaces"][0]["gain"];
            prop_assert_eq!(gain["undecided"].is_array(), is_undecided, "{}", gain);
        } else {
            prop_assert_eq!(&badge["color"], "5c6370", "no color speaks for several models");
        }
        for (is_passed, is_not_checked) in rulings(workspace, &analysis) {
            if is_undecided {
                prop_assert!(!is_passed && is_not_checked);
            }
        }
        if verdict.is_worse() && !is_undecided {
            prop_assert!(!rulings(workspace, &analysis)[0].0, "a gate passes what is worse");
        }
    }
}
