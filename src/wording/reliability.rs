//! What repeated runs, several graders and the iterations together show.

use crate::analyze::{
    ConfigurationSummary, DisputedCheck, GraderPair, IterationAnalysis, Reliability,
};
use crate::language::{Language, Rate, say};
use input::model::{Iteration, Run, Tally};
use statistics::{CaseWilson, Interval, looks_stable};
use text::fixed;

/// The number of writing conventions that the runs of each configuration met, a line each.
pub(crate) fn conventions(
    iteration: &Iteration,
    analysis: &IterationAnalysis,
    language: &Language,
) -> Vec<String> {
    let mut lines = Vec::new();
    for ConfigurationSummary { name, .. } in &analysis.configurations {
        let runs = iteration.runs().filter(|run| run.configuration == *name);
        let checks = runs.filter_map(Run::grading).flat_map(|grading| &grading.conventions);
        let tally = Tally::new(checks.map(|check| check.outcome));
        if tally.graded() > 0 {
            lines.push(say!(
                language,
                "reliability.conventions",
                configuration = name,
                met = tally.passed,
                checks = language.count(tally.graded(), "check"),
            ));
        }
    }
    lines
}

/// The names of two graders, or one name if a grader graded twice.
pub(crate) fn graders_title(pair: &GraderPair, language: &Language) -> String {
    let [first, second] = &pair.names;
    if first == second {
        say!(language, "graders.twice", name = first)
    } else {
        say!(language, "graders.pair", first, second)
    }
}

/// `They agree on 92 % of 48 verdicts: 4 differ.`
pub(crate) fn agreement_of_graders(pair: &GraderPair, language: &Language) -> String {
    let share = pair.agreement;
    let differing = (share.total() - share.passed()) as usize;
    let tally = Tally { passed: share.passed() as usize, failed: differing, ungraded: 0 };
    say!(
        language,
        "graders.differ",
        percent = Rate::new(tally, language).percent,
        verdicts = language.count(share.total() as usize, "verdict"),
        n = differing,
    )
}

/// `No row is dropped: differs in 3 of 6 runs`, for a check on which two graders disagree.
pub(crate) fn disputed_check(check: &DisputedCheck, language: &Language) -> String {
    let runs = language.count(check.runs, "run");
    say!(language, "graders.check", n = check.differing, runs)
}

/// Pass rate of an unstable check that few runs may show as stable.
const UNSTABLE: f64 = 0.8;

/// What repeated runs of a configuration show: cases solved once and always, unstable checks.
pub(crate) fn runs(name: &str, reliability: &Reliability, language: &Language) -> Vec<String> {
    let mut sentences = vec![say!(
        language,
        "reliability.tries",
        configuration = name,
        runs = language.count(reliability.tries, "run"),
        once = number_of_cases(reliability.once, reliability),
        cases = language.count(reliability.cases, "case"),
        always = number_of_cases(reliability.always, reliability),
        n = reliability.cases,
    )];
    let (passed, runs) = (reliability.runs.passed(), reliability.runs.total());
    sentences.push(match reliability.range.as_ref().map(CaseWilson::shown) {
        Some(Interval { low, high }) => {
            let (low, high) = (language.percent(low), language.percent(high));
            say!(language, "reliability.strict_between", passed, runs, low, high)
        }
        None => say!(language, "reliability.strict", passed, runs),
    });
    // With two or three runs most unstable checks look stable, so none found says little.
    if let Some(hidden) = looks_stable(UNSTABLE, reliability.tries as u64)
        && reliability.repeated > 0
    {
        sentences.push(say!(
            language,
            "reliability.flaky",
            n = reliability.flaky,
            expectations = language.count(reliability.repeated, "expectation"),
            runs = language.count(reliability.tries, "run"),
            hidden = language.percent(hidden),
        ));
    }
    // Cases with more runs than the others count by the mean over all choices of that many runs.
    if runs as usize > reliability.tries * reliability.cases {
        sentences.push(language.text("reliability.expected").to_owned());
    }
    if reliability.single > 0 {
        let cases = language.count(reliability.single, "case");
        sentences.push(say!(language, "reliability.single", cases));
    }
    sentences
}

/// A share of the cases as their number: an integer, or one decimal if it is an expected value.
fn number_of_cases(share: f64, reliability: &Reliability) -> String {
    let cases = share * reliability.cases as f64;
    let is_whole = (cases - cases.round()).abs() < 1e-9;
    fixed(cases, if is_whole { 0 } else { 1 })
}

pub(crate) fn runs_of_case_sentence(
    name: &str,
    reliability: &Reliability,
    language: &Language,
) -> String {
    let (passed, runs) = (reliability.runs.passed(), reliability.runs.total());
    say!(language, "reliability.case", configuration = name, passed, runs)
}
