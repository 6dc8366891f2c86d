//! The verdict in words.
//!
//! A small grammar: what changed (better, worse, no measurable change, the same, too few cases, not
//! comparable), how sure that is (settled, leaning), by how much with the interval.

use std::fmt::Display;

use crate::analyze::{Gain, Verdict};
use crate::render::language::Language;
use crate::render::view::DASH;
use crate::statistics::Standing;

/// The verdict with the size of the gain and its interval.
pub(super) fn words(gain: &Gain, language: &Language) -> String {
    let key = match gain.verdict() {
        Verdict::Better(Standing::Settled) => "verdict.better_settled",
        Verdict::Better(_) => "verdict.better_leaning",
        Verdict::Worse(Standing::Settled) => "verdict.worse_settled",
        Verdict::Worse(_) => "verdict.worse_leaning",
        Verdict::NoMeasurableChange => "verdict.none",
        Verdict::Same => "verdict.same",
        Verdict::TooFewCases => "verdict.too_few",
        Verdict::NotComparable => "verdict.not_comparable",
    };
    let Some(paired) = &gain.paired else {
        return language.text(key).to_owned();
    };
    let points = |value: f64| language.points(value);
    let interval = paired.interval.map(|interval| interval.clip(-1.0, 1.0));
    let (low, high) = match interval {
        Some(interval) => (points(interval.low), points(interval.high)),
        None => (DASH.to_owned(), DASH.to_owned()),
    };
    let key_of_size = match interval {
        Some(_) => "verdict.size",
        None if paired.is_uniform() => "verdict.size_uniform",
        None => "verdict.size_alone",
    };
    let places: [(&str, &dyn Display); 3] =
        [("gain", &points(paired.mean)), ("low", &low), ("high", &high)];
    let size = language.fill(key_of_size, &places);
    language.fill(key, &[("size", &size)])
}

/// How often chance alone does the same, in one sentence; `None` where no case can tell.
pub(super) fn chance(gain: &Gain, language: &Language) -> Option<String> {
    let paired = gain.paired.as_ref().filter(|paired| paired.cases > 1)?;
    let of_100 = (paired.p() * 100.0).round();
    let number = match of_100 {
        low if low < 1.0 => language.text("verdict.under_one").to_owned(),
        number => format!("{number}"),
    };
    let places: [(&str, &dyn Display); 4] = [
        ("better", &paired.better),
        ("worse", &paired.worse),
        ("same", &paired.same),
        ("n", &number),
    ];
    let counts = language.fill("verdict.chance", &places);
    let too_few = (paired.sign_flip.smallest_p > 0.05).then(|| language.text("verdict.never"));
    let left_out = gain.only_before.len() + gain.only_after.len();
    let left_out = (left_out > 0).then(|| {
        language.fill("verdict.left_out", &[("cases", &language.count(left_out, "case"))])
    });
    let parts = [Some(counts), too_few.map(str::to_owned), left_out];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}
