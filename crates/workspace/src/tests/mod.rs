//! As many checks pass and fail as without the guard, whatever stands beside their verdicts.

mod adapters;
mod rows;

use std::sync::Arc;

use input::files::Memory;
use input::model::Iteration;
use input::settings::Settings;
use proptest::prelude::*;
use serde_json::{Value, json};
use testing::secrets::{TEXTS, expand};

use crate::pipeline::{Input, load};

#[test]
fn no_verdict_is_lost() {
    count_verdicts(6);
}

#[test]
#[ignore = "slow: tests/run --all"]
fn no_verdict_of_36_000_is_lost() {
    count_verdicts(60);
}

/// Counts 600 verdicts for each case, with an id or a secret before each.
fn count_verdicts(cases: usize) {
    const CHECKS: usize = 600;
    let mut files = Vec::new();
    for case in 0..cases {
        let mut checks = Vec::new();
        for check in 0..CHECKS {
            let number = case * CHECKS + check;
            let text = expand(TEXTS[number % TEXTS.len()]);
            let id = format!("00{number:06x}-8696-45c6-ad3c-3d28b033056b");
            let passed = !number.is_multiple_of(3);
            let text_of_check = format!("check {check}");
            checks.push(match number % 4 {
                0 => format!(r#"{{"id":"{id}","passed":{passed},"text":"{text_of_check}"}}"#),
                1 => json!({"text": text_of_check, "evidence": id, "passed": passed}).to_string(),
                2 => format!(
                    r#"{{"text":"{text_of_check}","evidence":{},"passed":{passed}}}"#,
                    Value::from(text)
                ),
                _ => format!(
                    r#"{{"evidence": {}, "text": "{text_of_check}", "id": "{id}", "verdict": "{}"}}"#,
                    Value::from(text),
                    if passed { "pass" } else { "fail" },
                ),
            });
        }
        let path = format!("iteration-1/case-{case}/with_skill/grading.json");
        files.push((path, format!("{{\"expectations\":[{}]}}", checks.join(","))));
    }
    let [plain, guarded] = [true, false].map(|no_redact| counts(&files, no_redact));
    assert_eq!(plain, guarded);
    assert_eq!(guarded.0 + guarded.1, cases * CHECKS, "{guarded:?}");
}

/// How many checks passed and failed.
fn counts(files: &[(String, String)], no_redact: bool) -> (usize, usize) {
    let memory = Memory::new(files.iter().map(|(path, text)| (path.clone(), text.clone())));
    let flags = Settings { no_redact, ..Settings::default() };
    let loaded = load(Input::new(Arc::new(memory), "ws", &flags)).expect("no settings");
    let mut counts = (0, 0);
    for loaded in &loaded.workspaces {
        for run in loaded.workspace.iterations.iter().flat_map(Iteration::runs) {
            let tally = run.tally();
            counts = (counts.0 + tally.passed, counts.1 + tally.failed);
        }
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever evidence holds, as many checks pass and fail as without the guard.
    #[test]
    fn evidence_changes_no_count(texts in prop::collection::vec(prop::sample::select(&TEXTS[..]), 1..9)) {
        let mut checks = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let evidence = expand(text);
            checks.push(json!({"text": format!("c{at}"), "evidence": evidence, "passed": at % 2 == 0}));
        }
        let grading = json!({"expectations": checks});
        for text in [grading.to_string(), serde_json::to_string_pretty(&grading).expect("JSON")] {
            let files = [("iteration-1/a/with_skill/grading.json".to_owned(), text)];
            prop_assert_eq!(counts(&files, true), counts(&files, false));
            prop_assert_eq!(counts(&files, false).0 + counts(&files, false).1, texts.len());
        }
    }
}
