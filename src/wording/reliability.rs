//! Sentences on what repeated runs, several graders, the iterations together and the expectations
//! show.

use std::fmt::Display;

use crate::analyze::{
    ConfigurationSummary, Expectations, GraderPair, Health, IterationAnalysis, Reliability, Uneven,
    Usefulness,
};
use crate::language::Language;
use crate::model::{Iteration, Run, Tally};
use crate::statistics::{CORRECTED_ITEMS, CaseWilson, looks_stable};
use crate::text::fixed;
use crate::wording::Facts;

/// A warning that the best of several iterations looks too good; empty for few iterations.
pub(crate) fn best_of(facts: Facts<'_>) -> Vec<String> {
    let language = facts.language;
    let Some(history) = &facts.analysis.pass_rate_history else { return Vec::new() };
    let Some(bias) = history.selection_bias else { return Vec::new() };
    let gain = language.points(bias.gain).trim_start_matches('+').to_owned();
    let places: [(&str, &dyn Display); 3] = [
        ("iteration", &facts.workspace.iterations[bias.best].name),
        ("iterations", &language.count(history.iterations.len(), "iteration")),
        ("gain", &gain),
    ];
    vec![language.fill("history.best_of", &places)]
}

/// The number of writing conventions that the runs of each configuration met, a line each.
pub(crate) fn conventions(
    iteration: &Iteration,
    analysis: &IterationAnalysis,
    language: &Language,
) -> Vec<String> {
    let line = |summary: &ConfigurationSummary| {
        let runs = iteration.runs().filter(|run| run.configuration == summary.name);
        let checks = runs.filter_map(Run::grading).flat_map(|grading| &grading.conventions);
        let tally = Tally::new(checks.map(|check| check.outcome));
        let places: [(&str, &dyn Display); 3] = [
            ("configuration", &summary.name),
            ("met", &tally.passed),
            ("checks", &language.count(tally.graded(), "check")),
        ];
        (tally.graded() > 0).then(|| language.fill("reliability.conventions", &places))
    };
    analysis.configurations.iter().filter_map(line).collect()
}

/// The names of two graders, or one name if a grader graded twice.
pub(crate) fn graders_title(pair: &GraderPair, language: &Language) -> String {
    let [first, second] = &pair.names;
    match first == second {
        true => language.fill("graders.twice", &[("name", first)]),
        false => language.fill("graders.pair", &[("first", first), ("second", second)]),
    }
}

pub(crate) fn graders(pair: &GraderPair, language: &Language) -> Vec<String> {
    let agreement = &pair.agreement;
    let (share, interval) = (&agreement.share, agreement.share.wilson());
    let places: [(&str, &dyn Display); 5] = [
        ("agreed", &share.passed()),
        ("checks", &share.total()),
        ("low", &language.percent(interval.low)),
        ("high", &language.percent(interval.high)),
        ("runs", &language.count(pair.runs, "run")),
    ];
    // Agreement beyond chance needs enough items.
    let corrected = match (agreement.ac1, agreement.kappa) {
        _ if (share.total() as usize) < CORRECTED_ITEMS => {
            language.fill("graders.too_few", &[("n", &CORRECTED_ITEMS)])
        }
        (Some(ac1), Some(kappa)) => {
            let (ac1, kappa) = (fixed(ac1, 2), fixed(kappa, 2));
            language.fill("graders.corrected", &[("ac1", &ac1), ("kappa", &kappa)])
        }
        _ => language.text("graders.one_verdict").to_owned(),
    };
    vec![language.fill("graders.agree", &places), corrected]
}

/// Pass rate of an unstable check that few runs may show as stable.
const UNSTABLE: f64 = 0.8;

pub(crate) fn runs(name: &str, reliability: &Reliability, language: &Language) -> Vec<String> {
    // An integer, or one decimal if it is an expected value.
    let of_cases = |share: f64| {
        let cases = share * reliability.cases as f64;
        fixed(cases, if (cases - cases.round()).abs() < 1e-9 { 0 } else { 1 })
    };
    let places: [(&str, &dyn Display); 6] = [
        ("configuration", &name),
        ("runs", &language.count(reliability.tries, "run")),
        ("once", &of_cases(reliability.once)),
        ("cases", &language.count(reliability.cases, "case")),
        ("always", &of_cases(reliability.always)),
        ("n", &reliability.cases),
    ];
    let mut sentences = vec![language.fill("reliability.tries", &places)];
    let (passed, total) = (reliability.runs.passed(), reliability.runs.total());
    let ends = reliability.level.as_ref().map(CaseWilson::shown);
    let key = if ends.is_some() { "reliability.strict_between" } else { "reliability.strict" };
    let ends = ends.map(|ends| [ends.low, ends.high].map(|end| language.percent(end)));
    let [low, high] = ends.unwrap_or_default();
    let strict: [(&str, &dyn Display); 4] =
        [("passed", &passed), ("runs", &total), ("low", &low), ("high", &high)];
    sentences.push(language.fill(key, &strict));
    let hidden =
        looks_stable(UNSTABLE, reliability.tries as u64).filter(|_| reliability.repeated > 0);
    if let Some(hidden) = hidden {
        let places: [(&str, &dyn Display); 4] = [
            ("n", &reliability.flaky),
            ("expectations", &language.count(reliability.repeated, "expectation")),
            ("runs", &language.count(reliability.tries, "run")),
            ("hidden", &language.percent(hidden)),
        ];
        sentences.push(language.fill("reliability.flaky", &places));
    }
    if total as usize > reliability.tries * reliability.cases {
        sentences.push(language.text("reliability.expected").to_owned());
    }
    if reliability.single > 0 {
        let cases = language.count(reliability.single, "case");
        sentences.push(language.fill("reliability.single", &[("cases", &cases)]));
    }
    sentences
}

pub(crate) fn runs_of_case_sentence(
    name: &str,
    reliability: &Reliability,
    language: &Language,
) -> String {
    let (passed, runs) = (reliability.runs.passed(), reliability.runs.total());
    let places: [(&str, &dyn Display); 3] =
        [("configuration", &name), ("passed", &passed), ("runs", &runs)];
    language.fill("reliability.case", &places)
}

/// `36 expectations: 15 discriminating, 13 saturated; 1 of them flaky`; `None` ungraded.
pub(crate) fn health_counts(expectations: &Expectations<'_>, words: &Language) -> Option<String> {
    let health = expectations.health()?;
    let part = |(word, number): (&str, usize)| {
        let key = format!("expectations.use.{word}");
        words.fill("health.part", &[("n", &number), ("use", &words.text(&key))])
    };
    let count = words.count(health.statements, "expectation");
    let parts = words.list(expectations.uses().map(part));
    let flaky = expectations.flaky();
    let key = if flaky == 0 { "health.short" } else { "health.short_flaky" };
    Some(words.fill(key, &[("expectations", &count), ("parts", &parts), ("n", &flaky)]))
}

/// Advice on the expectations, and what they hide; empty if nothing was graded.
pub(crate) fn health_sentences(expectations: &Expectations<'_>, words: &Language) -> Vec<String> {
    let Some(health) = expectations.health() else { return Vec::new() };
    let mut sentences = vec![health_advice(expectations, &health, words)];
    sentences.extend(hidden_by_few_runs(&health, words));
    if health.compared > 0 {
        let key = if health.has_p { "health.has_p" } else { "health.no_p" };
        sentences.push(words.fill(key, &[("m", &health.compared)]));
    }
    sentences
}

fn health_advice(expectations: &Expectations<'_>, health: &Health, words: &Language) -> String {
    if health.compared == 0 {
        return words.text("health.no_side").to_owned();
    }
    let faults = [
        (Usefulness::FavorsBaseline, "health.favors"),
        (Usefulness::Saturated, "health.saturated"),
        (Usefulness::Dead, "health.dead"),
    ]
    .map(|(usefulness, key)| (expectations.number(usefulness), key));
    // The first of the largest: reversed, as `max_by_key` returns the last.
    let most = faults.into_iter().rev().max_by_key(|(number, _)| *number);
    let Some((number, key)) = most.filter(|(number, _)| *number > 0) else {
        return words.fill("health.sound", &[("m", &health.compared)]);
    };
    let compared = words.count(health.compared, "expectation");
    words.fill(key, &[("n", &number), ("expectations", &compared)])
}

fn hidden_by_few_runs(health: &Health, words: &Language) -> Option<String> {
    let chance = health.hidden?;
    let key = match (&health.uneven, health.runs < 2, health.runs < health.most_runs) {
        (Some(_), ..) => "health.hidden_uneven",
        (None, true, false) => "health.hidden_single",
        (None, true, true) => "health.hidden_single_mostly",
        (None, false, false) => "health.hidden",
        (None, false, true) => "health.hidden_mostly",
    };
    let names = |side: fn(&Uneven) -> &[String]| {
        words.list(health.uneven.as_ref().map(side).unwrap_or_default())
    };
    let places: [(&str, &dyn Display); 5] = [
        ("several", &names(|names| &names.several)),
        ("single", &names(|names| &names.single)),
        ("runs", &words.count(health.runs, "run")),
        ("most", &health.most_runs),
        ("n", &fixed(chance * 100.0, 0)),
    ];
    Some(words.fill(key, &places))
}

pub(crate) fn p_value(p: f64, words: &Language) -> String {
    if p < 0.001 {
        return words.text("health.p_under").to_owned();
    }
    let decimals = if p < 0.1 { 3 } else { 2 };
    words.fill("health.p", &[("p", &fixed(p, decimals))])
}
