//! What several runs of a case show, in sentences.

use std::fmt::Display;

use crate::analyze::Reliability;
use crate::render::context::Language;
use crate::statistics::looks_stable;
use crate::text::fixed;

/// How often a check passes that few runs may well show as stable.
const UNSTABLE: f64 = 0.8;

/// What the runs of a configuration show.
pub(crate) fn sentences(name: &str, found: &Reliability, language: &Language) -> Vec<String> {
    let parts = [
        Some(tries(name, found, language)),
        Some(strict(found, language)),
        flaky(found, language),
        (found.runs.total() as usize > found.tries * found.cases)
            .then(|| language.text("reliability.expected").to_owned()),
        (found.single > 0).then(|| {
            let cases = language.count(found.single, "case");
            language.fill("reliability.single", &[("cases", &cases)])
        }),
    ];
    parts.into_iter().flatten().collect()
}

/// In how many cases some and all tries succeed.
fn tries(name: &str, found: &Reliability, language: &Language) -> String {
    let of_cases = |share: f64| number(share * found.cases as f64);
    let (once, always) = (of_cases(found.once), of_cases(found.always));
    let cases = language.count(found.cases, "case");
    let runs = language.count(found.tries, "run");
    let places: [(&str, &dyn Display); 6] = [
        ("configuration", &name),
        ("runs", &runs),
        ("once", &once),
        ("cases", &cases),
        ("always", &always),
        ("n", &found.cases),
    ];
    language.fill("reliability.tries", &places)
}

/// A number of cases: whole, or what is expected of them with one decimal.
fn number(cases: f64) -> String {
    let is_whole = (cases - cases.round()).abs() < 1e-9;
    fixed(cases, if is_whole { 0 } else { 1 })
}

/// How many runs passed everything, with the interval where there is one.
fn strict(found: &Reliability, language: &Language) -> String {
    let (passed, runs) = (found.runs.passed(), found.runs.total());
    let counts: [(&str, &dyn Display); 2] = [("passed", &passed), ("runs", &runs)];
    let Some(level) = &found.level else {
        return language.fill("reliability.strict", &counts);
    };
    let interval = level.shown();
    let (low, high) = (language.percent(interval.low), language.percent(interval.high));
    let ends: [(&str, &dyn Display); 2] = [("low", &low), ("high", &high)];
    language.fill("reliability.strict_between", &[counts, ends].concat())
}

/// How many expectations change their verdict from run to run, and how many the runs may hide.
fn flaky(found: &Reliability, language: &Language) -> Option<String> {
    let hidden = looks_stable(UNSTABLE, found.tries as u64).filter(|_| found.repeated > 0)?;
    let expectations = language.count(found.repeated, "expectation");
    let runs = language.count(found.tries, "run");
    let hidden = language.percent(hidden);
    let places: [(&str, &dyn Display); 4] = [
        ("n", &found.flaky),
        ("expectations", &expectations),
        ("runs", &runs),
        ("hidden", &hidden),
    ];
    Some(language.fill("reliability.flaky", &places))
}

/// The same of one case in one line.
pub(crate) fn of_case(name: &str, found: &Reliability, language: &Language) -> String {
    let (passed, runs) = (found.runs.passed(), found.runs.total());
    let places: [(&str, &dyn Display); 3] =
        [("configuration", &name), ("passed", &passed), ("runs", &runs)];
    language.fill("reliability.case", &places)
}
