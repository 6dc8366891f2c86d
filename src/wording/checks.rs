//! Which expectations show something, and what few runs hide.

use crate::analyze::{Expectations, Health, Usefulness};
use crate::language::{Language, say};
use text::fixed;

/// `36 expectations: 15 helps, 13 passes everywhere; 1 of them unsteady`; `None` ungraded.
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
    let flaky = expectations.flaky().unwrap_or(0);
    Some(say!(
        language,
        if flaky == 0 { "health.short" } else { "health.short_unsteady" },
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
    if let Some(chance) = health.hidden {
        // A single run cannot disagree with another one, so the chance would say nothing.
        let key = if health.runs < 2 { "health.hidden_single" } else { "health.hidden" };
        let (runs, n) = (language.count(health.runs, "run"), fixed(chance * 100.0, 0));
        sentences.push(say!(language, key, runs, n));
    }
    sentences
}

/// What is wrong with most expectations.
fn advice(expectations: &Expectations<'_>, health: &Health, language: &Language) -> String {
    // Checks of one side alone cannot tell the skill from the model.
    if health.compared == 0 {
        return language.text("health.no_side").to_owned();
    }
    let (mut most, mut most_key) = (0, "health.sound");
    for (usefulness, key) in [
        (Usefulness::Hurts, "health.hurts"),
        (Usefulness::PassesEverywhere, "health.passes_everywhere"),
        (Usefulness::FailsEverywhere, "health.fails_everywhere"),
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
