//! What the expectations can show, in sentences.

use std::fmt::Display;

use crate::analyze::{Expectations, Health, Uneven, Usefulness};
use crate::language::Language;
use crate::text::fixed;

/// `36 expectations: 15 discriminating, 13 saturated; 1 of them flaky`; `None` ungraded.
pub(crate) fn short(found: &Expectations<'_>, words: &Language) -> Option<String> {
    let health = found.health()?;
    let mut parts = Vec::new();
    for usefulness in Usefulness::ALL {
        let number = found.number(usefulness);
        if usefulness != Usefulness::Earlier && number > 0 {
            let key = format!("expectations.use.{}", usefulness.word());
            parts.push(words.fill("health.part", &[("n", &number), ("use", &words.text(&key))]));
        }
    }
    let expectations = words.count(health.statements, "expectation");
    let parts = parts.join(words.text("list.comma"));

    let flaky = found.flaky();
    let key = if flaky == 0 { "health.short" } else { "health.short_flaky" };
    Some(words.fill(key, &[("expectations", &expectations), ("parts", &parts), ("n", &flaky)]))
}

/// What to do about them, and what they hide; empty where nothing was graded.
pub(crate) fn sentences(found: &Expectations<'_>, words: &Language) -> Vec<String> {
    let Some(health) = found.health() else { return Vec::new() };
    let p = match (health.compared, health.has_p) {
        (0, _) => None,
        (n, false) => Some(words.fill("health.no_p", &[("m", &n)])),
        (n, true) => Some(words.fill("health.has_p", &[("m", &n)])),
    };
    let hidden = hidden(&health, words);
    [Some(advice(found, &health, words)), hidden, p].into_iter().flatten().collect()
}

fn advice(found: &Expectations<'_>, health: &Health, words: &Language) -> String {
    if health.compared == 0 {
        return words.text("health.no_side").to_owned();
    }
    let faults = [
        (Usefulness::FavorsBaseline, "health.favors"),
        (Usefulness::Saturated, "health.saturated"),
        (Usefulness::Dead, "health.dead"),
    ]
    .map(|(usefulness, key)| (found.number(usefulness), key));
    // The first of the largest, as `max_by_key` would give the last.
    let most = faults.into_iter().rev().max_by_key(|(number, _)| *number);
    let Some((number, key)) = most.filter(|(number, _)| *number > 0) else {
        return words.fill("health.sound", &[("m", &health.compared)]);
    };
    let expectations = words.count(health.compared, "expectation");
    words.fill(key, &[("n", &number), ("expectations", &expectations)])
}

/// What so few runs hide.
fn hidden(health: &Health, words: &Language) -> Option<String> {
    let chance = health.hidden?;
    let key = match (&health.uneven, health.runs < 2, health.runs < health.most_runs) {
        (Some(_), ..) => "health.hidden_uneven",
        (None, true, false) => "health.hidden_single",
        (None, true, true) => "health.hidden_single_mostly",
        (None, false, false) => "health.hidden",
        (None, false, true) => "health.hidden_mostly",
    };
    let names = |of: fn(&Uneven) -> &[String]| {
        let names = health.uneven.as_ref().map(of).unwrap_or_default();
        names.join(words.text("list.comma"))
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
