//! Which expectations show something, and what few runs hide.

use crate::analyze::{Expectations, Health, Usefulness};
use crate::language::{Language, say};
use crate::text::fixed;

/// `36 expectations: 15 discriminating, 13 saturated; 1 of them flaky`; `None` ungraded.
pub(crate) fn health_counts(
    expectations: &Expectations<'_>,
    language: &Language,
) -> Option<String> {
    let health = expectations.health()?;
    let mut parts = Vec::new();
    for (word, n) in expectations.uses() {
        let key = format!("expectations.use.{word}");
        parts.push(say!(language, "health.part", n, kind = language.text(&key)));
    }
    let flaky = expectations.flaky();
    Some(say!(
        language,
        if flaky == 0 { "health.short" } else { "health.short_flaky" },
        expectations = language.count(health.statements, "expectation"),
        parts = language.list(parts),
        n = flaky,
    ))
}

/// Advice on the expectations, and what they hide; empty if nothing was graded.
pub(crate) fn health_sentences(
    expectations: &Expectations<'_>,
    language: &Language,
) -> Vec<String> {
    let Some(health) = expectations.health() else { return Vec::new() };
    let mut sentences = vec![advice(expectations, &health, language)];
    sentences.extend(hidden_by_few_runs(&health, language));
    if health.compared > 0 {
        let key = if health.has_p { "health.has_p" } else { "health.no_p" };
        sentences.push(say!(language, key, m = health.compared));
    }
    sentences
}

/// What is wrong with most expectations.
fn advice(expectations: &Expectations<'_>, health: &Health, language: &Language) -> String {
    if health.compared == 0 {
        return language.text("health.no_side").to_owned();
    }
    let (mut most, mut most_key) = (0, "health.sound");
    for (usefulness, key) in [
        (Usefulness::FavorsBaseline, "health.favors"),
        (Usefulness::Saturated, "health.saturated"),
        (Usefulness::Dead, "health.dead"),
    ] {
        let number = expectations.number(usefulness);
        if number > most {
            (most, most_key) = (number, key);
        }
    }
    if most == 0 {
        return say!(language, most_key, m = health.compared);
    }
    let compared = language.count(health.compared, "expectation");
    say!(language, most_key, n = most, expectations = compared)
}

/// How often an unstable expectation looks stable in so few runs; `None` if every one has enough.
fn hidden_by_few_runs(health: &Health, language: &Language) -> Option<String> {
    let chance = health.hidden?;
    let key = match (&health.uneven, health.runs < 2, health.runs < health.most_runs) {
        (Some(_), ..) => "health.hidden_uneven",
        (None, true, false) => "health.hidden_single",
        (None, true, true) => "health.hidden_single_mostly",
        (None, false, false) => "health.hidden",
        (None, false, true) => "health.hidden_mostly",
    };
    let (mut several, mut single) = (String::new(), String::new());
    if let Some(uneven) = &health.uneven {
        (several, single) = (language.list(&uneven.several), language.list(&uneven.single));
    }
    Some(say!(
        language,
        key,
        several,
        single,
        runs = language.count(health.runs, "run"),
        most = health.most_runs,
        n = fixed(chance * 100.0, 0),
    ))
}

pub(crate) fn p_value(p: f64, language: &Language) -> String {
    if p < 0.001 {
        return language.text("health.p_under").to_owned();
    }
    let decimals = if p < 0.1 { 3 } else { 2 };
    say!(language, "health.p", p = fixed(p, decimals))
}
