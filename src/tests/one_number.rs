//! One comparison has one number, whichever page or text shows it; and what stands with a number is true
//! of it.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;
use regex_lite::Regex;

use crate::language::Language;
use crate::render::{self, RenderOptions, brief, pull_request};
use crate::tests::{rendered, words};
use crate::wording::Answer;
use input::files::Memory;

/// A case: the passed checks of each run with the skill and without, the number of checks, and by how much
/// the skill multiplies the tokens.
#[derive(Clone, Debug)]
struct RandomCase {
    checks: usize,
    sides: [Vec<usize>; 2],
    tokens: f64,
}

fn random_case() -> impl Strategy<Value = RandomCase> {
    let runs = || vec(0..=40_usize, 0..3);
    (1..=40_usize, [runs(), runs()], 0.4..3.0_f64).prop_map(|(checks, mut sides, tokens)| {
        for passed in sides.iter_mut().flatten() {
            *passed = (*passed).min(checks);
        }
        RandomCase { checks, sides, tokens }
    })
}

fn source(cases: &[RandomCase]) -> Memory {
    let mut files: Vec<(String, String)> = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        for (side, runs) in ["with_skill", "without_skill"].iter().zip(&case.sides) {
            for (number, passed) in runs.iter().enumerate() {
                let folder = format!("iteration-1/case-{at}/{side}/run-{}", number + 1);
                let mut checks = Vec::new();
                for check in 0..case.checks {
                    let is_passed = check < *passed;
                    checks.push(format!(
                        "{{\"text\": \"case {at} keeps point {check}\", \"passed\": {is_passed}, \
                         \"evidence\": \"seen in {folder}\"}}"
                    ));
                }
                let grading = format!("{{\"expectations\": [{}]}}", checks.join(","));
                files.push((format!("{folder}/grading.json"), grading));
                let factor = if *side == "with_skill" { case.tokens } else { 1.0 };
                let tokens = (20_000.0 * factor).round() + (100 * at + 7 * number) as f64;
                let timing = format!("{{\"total_tokens\": {tokens}}}");
                files.push((format!("{folder}/timing.json"), timing));
            }
        }
    }
    Memory::new(files)
}

/// The gain in points as a person would count it: from the verdicts, over the cases that both sides have.
fn gain(cases: &[RandomCase]) -> Option<f64> {
    let mut gains = Vec::new();
    for RandomCase { checks, sides: [with, without], .. } in cases {
        if with.is_empty() || without.is_empty() {
            continue;
        }
        let rate =
            |runs: &[usize]| runs.iter().sum::<usize>() as f64 / (runs.len() * checks) as f64;
        gains.push(rate(with) - rate(without));
    }
    if gains.is_empty() { None } else { Some(gains.iter().sum::<f64>() / gains.len() as f64) }
}

/// The texts about a workspace that are not in its report, and the files that are, by path.
pub(super) fn outputs(source: &Memory) -> (Vec<(&'static str, String)>, BTreeMap<String, Vec<u8>>) {
    let english = Language::default();
    rendered(source, |parts, sink| {
        let comment = pull_request::markdown(parts, 60_000, None, &english);
        let brief = brief::workspaces(parts, &english, Some(60_000));
        let answer = Answer::new(&parts[0].comparisons, &english);
        let terminal = answer.line(&english);
        render::report(parts, &RenderOptions::default(), sink, &|_| ())?;
        Ok(vec![("comment", comment), ("brief", brief), ("terminal", terminal)])
    })
}

/// Every text that people read about these cases, by its name, with plain spaces.
fn texts(cases: &[RandomCase]) -> Vec<(&'static str, String)> {
    let (mut texts, pages) = outputs(&source(cases));
    for (name, path) in [
        ("overview", "index.html"),
        ("badge", "badge.json"),
        ("report.md", "report.md"),
        ("benchmark.md", "benchmark.md"),
        ("history", "history.html"),
    ] {
        texts.push((name, String::from_utf8_lossy(&pages[path]).into_owned()));
    }
    for (_, text) in &mut texts {
        *text = text.replace(['\u{a0}', '\u{202f}'], " ");
    }
    texts
}

/// Whether nothing is measured, as where nearly everything fails on both sides: then no number is shown.
fn is_unmeasured(texts: &[(&str, String)]) -> bool {
    texts.iter().any(|(_, text)| words::says(text, "headline.no_measurement", &[]))
}

/// The gains of the leading comparison in `text`, with their sign.
fn gains(name: &str, text: &str) -> Vec<String> {
    let sign = "[+\u{2212}±]";
    let pattern = match name {
        "overview" => format!("<td class=\"points\">({sign}\\d+)<"),
        "benchmark.md" => format!("(?:· |\\| )({sign}\\d+) points?"),
        "badge" => format!(" ({sign}\\d+) points?, "),
        "history" => format!("<b>({sign}\\d+)</b>"),
        _ => format!("(?:· |\\| |, )({sign}\\d+) points?"),
    };
    let pattern = Regex::new(&pattern).expect("an expression");
    pattern.captures_iter(text).map(|found| found[1].to_owned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_output_shows_the_same_gain(cases in vec(random_case(), 1..6)) {
        prop_assume!(cases.iter().flat_map(|case| &case.sides).any(|runs| !runs.is_empty()));
        let Some(gain) = gain(&cases) else { return Ok(()) };
        let points = ((gain * 1e9).round() / 1e7).round();
        let is_all = (gain.abs() - 1.0).abs() < 1e-9;
        let shown = match points {
            0.0 => "±0".to_owned(),
            points if points.abs() == 100.0 && !is_all => {
                format!("{}99", if gain > 0.0 { '+' } else { '\u{2212}' })
            }
            points => format!("{}{}", if gain > 0.0 { '+' } else { '\u{2212}' }, points.abs()),
        };
        // Where neither side could differ the headline has their level and no gain.
        let is_level = [0, 1].map(|all| cases.iter().filter(|case| {
            case.sides.iter().all(|runs| !runs.is_empty())
        }).all(|case| case.sides.iter().flatten().all(|passed| *passed == all * case.checks)));
        let is_level = is_level.contains(&true);
        let texts = texts(&cases);
        let is_level = is_level || is_unmeasured(&texts);
        for (name, text) in texts {
            let found = gains(name, &text);
            if !is_level && points != 0.0 && name != "history" {
                prop_assert!(!found.is_empty(), "{} says no gain: {:.3000}", name, text);
            }
            for found in found {
                prop_assert_eq!(&found, &shown, "{}: {:.3000}", name, text);
            }
        }
    }

    #[test]
    fn a_percent_is_that_of_its_count_and_nothing_has_decimals(
        cases in vec(random_case(), 1..6),
    ) {
        prop_assume!(cases.iter().flat_map(|case| &case.sides).any(|runs| !runs.is_empty()));
        let counted = Regex::new(r"(\d+) % \((\d+)/(\d+)\)").expect("an expression");
        let decimals = Regex::new(r"\d\.\d+ (%|points)").expect("an expression");
        let chance = Regex::new(r"1 time in|of 100 comparisons").expect("an expression");
        for (name, text) in texts(&cases) {
            for found in counted.captures_iter(&text) {
                let number = |at: usize| found[at].parse::<f64>().expect("a number");
                let share = number(2) / number(3) * 100.0;
                let is_near = (number(1) - share).abs() <= 0.5 + 1e-9;
                let is_kept_apart = (share > 0.0 && number(1) == 1.0 && share < 1.0)
                    || (share < 100.0 && number(1) == 99.0 && share > 99.0);
                prop_assert!(is_near || is_kept_apart, "{}: {}", name, &found[0]);
            }
            prop_assert!(decimals.find(&text).is_none(), "{}: {:?}", name, decimals.find(&text));
            prop_assert!(chance.find(&text).is_none(), "{}: {:?}", name, chance.find(&text));
        }
    }

    #[test]
    fn a_cost_has_one_form(cases in vec(random_case(), 2..6)) {
        prop_assume!(cases.iter().flat_map(|case| &case.sides).any(|runs| !runs.is_empty()));
        let all = texts(&cases);
        prop_assume!(!is_unmeasured(&all));
        let text = |name: &str| &all.iter().find(|(own, _)| *own == name).expect(name).1;
        let tokens = Regex::new(r"tokens ((?:≈ )?(?:\+\d+ %|\d+ % fewer|[\d.]+×|the same))")
            .expect("an expression");
        let Some(found) = tokens.captures(text("comment")) else { return Ok(()) };
        let ratio = &found[1];
        prop_assert!(text("report.md").contains(ratio), "{}: {:.3000}", ratio, text("report.md"));
        prop_assert!(text("overview").contains(ratio), "{}: {:.3000}", ratio, text("overview"));
        prop_assert!(text("benchmark.md").contains(ratio), "{}", ratio);
    }
}

#[test]
fn a_gain_is_not_the_difference_of_rounded_rates() {
    // 2/3 and 1/3, 5/6 and 1/4, 2/3 and 2/5.
    for (checks, with, without, shown) in
        [(3, 2, 1, "+33"), (12, 10, 3, "+58"), (15, 10, 6, "+27"), (200, 1, 0, "+1")]
    {
        let case = RandomCase { checks, sides: [vec![with], vec![without]], tokens: 1.0 };
        for (name, text) in texts(&vec![case; 3]) {
            assert!(gains(name, &text).iter().all(|gain| gain == shown), "{name}: {text:.2000}");
        }
    }
    // Below half a point nothing moved, in words as in numbers. Where nothing passes, nothing is measured.
    let case = RandomCase { checks: 300, sides: [vec![151], vec![150]], tokens: 1.0 };
    let texts = texts(&vec![case; 3]);
    let terminal = &texts.iter().find(|(name, _)| *name == "terminal").expect("it").1;
    assert!(terminal.contains("±0"), "{terminal}");
    assert!(terminal.starts_with(words::raw("verdict.about_the_same")), "{terminal}");
}
