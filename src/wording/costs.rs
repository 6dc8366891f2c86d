//! The costs of one side relative to the other.

use crate::analyze::{Change, Cost, Costs};
use crate::digest;
use crate::language::{Language, say};
use crate::model::Implausible;
use crate::statistics::CostRatio;
use crate::text;

/// With fewer cases the interval of a ratio says nothing.
const CASES_FOR_INTERVAL: usize = 5;
/// An interval that spans this factor says nothing.
const MEANINGLESS_SPAN: f64 = 100.0;
/// Up to this factor, costs that may be equal are called the same.
const SAME: f64 = 1.05;
/// Up to this factor, a ratio is written as a percentage more or less.
const PERCENTAGE: f64 = 1.5;
/// Larger ratios are not written in digits.
const LARGEST: f64 = 1e6;

/// Costs relative to the other side, the total if it is far off, and why dollars are missing;
/// `None` if the sides cannot be compared.
pub(crate) fn costs(change: &Change, language: &Language) -> Option<String> {
    // Costs of sides that solved different cases are no comparison.
    change.gain.paired()?;
    let typical = sentence(change, "verdict.costs", ratio, language);
    let implausible = implausible(&change.costs, language);
    let mut sentences = Vec::new();
    if typical.is_none() && implausible.is_none() {
        sentences.push(language.text("verdict.no_costs").to_owned());
    }
    sentences.extend(typical);
    sentences.extend(implausible);
    sentences.extend(totals(change, language));
    let dollars = &change.costs.dollars;
    // Prices are often set for one of the models that ran.
    if dollars.incomplete > 0 {
        let is_known = dollars.ratio.is_some();
        let key = if is_known { "verdict.dollars_of_some" } else { "verdict.dollars_of_none" };
        sentences.push(say!(language, key, cases = language.count(dollars.incomplete, "case")));
    }
    Some(language.sentences(sentences))
}

/// Why a recorded figure has no ratio; `None` if all can be true.
pub(crate) fn implausible(costs: &Costs, language: &Language) -> Option<String> {
    let costs = [costs.time.implausible, costs.tokens.implausible];
    let mut sentences = Vec::new();
    for implausible in costs.into_iter().flatten() {
        let key = match implausible {
            Implausible::TooFewTokens => "verdict.few_tokens",
            Implausible::UnderASecond => "verdict.under_a_second",
            Implausible::EqualTimes => "verdict.equal_times",
        };
        sentences.push(language.text(key).to_owned());
    }
    if sentences.is_empty() {
        return None;
    }
    Some(language.sentences(sentences))
}

/// The ratio of total costs, if it is far from the typical ratio.
pub(crate) fn totals(change: &Change, language: &Language) -> Option<String> {
    change.gain.paired()?;
    sentence(change, "verdict.totals", far_total, language)
}

/// The ratio of the totals of one cost, if it is far from the typical ratio.
pub(crate) fn total(cost: &Cost, language: &Language) -> Option<String> {
    Some(say!(language, "verdict.totals", list = far_total(cost, language)?))
}

fn far_total(cost: &Cost, _: &Language) -> Option<String> {
    Some(format!("{}×", factor(digest::far_total(cost)?)))
}

/// A sentence on every cost with a `ratio`, with the number of cases if not all have it.
fn sentence(
    change: &Change,
    key: &str,
    ratio: fn(&Cost, &Language) -> Option<String>,
    language: &Language,
) -> Option<String> {
    let total = change.gain.shared.len();
    let mut parts = Vec::new();
    for (cost, key) in [
        (&change.costs.time, "verdict.times_time"),
        (&change.costs.tokens, "verdict.times_tokens"),
        (&change.costs.dollars, "verdict.times_dollars"),
    ] {
        let Some(ratio) = ratio(cost, language) else { continue };
        let mut text = say!(language, key, ratio);
        let n = cost.ratio.as_ref().map_or(0, |ratio| ratio.cases);
        // Dollars that leave out cases say so in a sentence of their own, and a single case is
        // named with its ratio.
        if n > 1 && n < total && cost.incomplete == 0 {
            let cases = language.count(total, "case");
            text = say!(language, "verdict.cost_of_some", cost = text, n, cases);
        }
        parts.push(text);
    }
    if parts.is_empty() {
        return None;
    }
    Some(say!(language, key, list = parts.join(language.text("verdict.and"))))
}

/// `1.4× (1.1 to 1.9)`: the interval only if it is meaningful; `the same` within 5 %.
pub(crate) fn ratio(cost: &Cost, language: &Language) -> Option<String> {
    let cost_ratio = cost.ratio.as_ref()?;
    let ratio = format!("{}×", factor(cost_ratio.geometric_mean));
    // One case has no interval; its number must not look typical.
    if cost_ratio.cases <= 1 {
        let cases = language.count(cost_ratio.cases, "case");
        return Some(say!(language, "verdict.ratio_alone", ratio, cases));
    }
    if may_be_equal(cost_ratio) && is_within(cost_ratio, SAME) {
        return Some(language.text("verdict.ratio_same").to_owned());
    }
    match cost_ratio.interval {
        Some(interval)
            if cost_ratio.cases >= CASES_FOR_INTERVAL
                && interval.high <= interval.low * MEANINGLESS_SPAN =>
        {
            let (low, high) = (factor(interval.low), factor(interval.high));
            Some(say!(language, "verdict.ratio", ratio, low, high))
        }
        _ => Some(ratio),
    }
}

/// `+6 %` and `tokens`; `None` if unknown on a side.
pub(crate) fn chip(cost: &Cost, thing: &str, language: &Language) -> Option<[String; 2]> {
    let ratio = cost.ratio.as_ref()?;
    let times = format!("{}×", factor(ratio.geometric_mean));
    let strong = if cost.raised().is_some() {
        times
    } else if may_be_equal(ratio) {
        if is_within(ratio, SAME) {
            language.text("costs.same").to_owned()
        } else {
            format!("≈ {times}")
        }
    } else if is_within(ratio, PERCENTAGE) {
        let (points, _) = text::signed_points(ratio.geometric_mean - 1.0);
        say!(language, "number.percent", n = points)
    } else {
        times
    };
    Some([strong, language.text(thing).to_owned()])
}

fn may_be_equal(ratio: &CostRatio) -> bool {
    ratio.interval.is_none_or(|interval| interval.low <= 1.0 && interval.high >= 1.0)
}

/// Whether the typical ratio is at most this factor, either way.
fn is_within(ratio: &CostRatio, factor: f64) -> bool {
    (1.0 / factor..=factor).contains(&ratio.geometric_mean)
}

/// Two significant digits from 0.01 to a million: few cases cannot tell more.
pub(crate) fn factor(value: f64) -> String {
    match value {
        value if value > LARGEST => format!("> {}", text::tokens(LARGEST)),
        value if value >= 99.5 => {
            let unit = libm::exp10(libm::log10(value).floor() - 1.0);
            text::tokens((value / unit).round() * unit)
        }
        value if value >= 9.95 => format!("{value:.0}"),
        value if value >= 0.995 => format!("{value:.1}"),
        value if value >= 0.005 => format!("{value:.2}"),
        _ => "< 0.01".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{factor, ratio};
    use crate::analyze::Cost;
    use crate::language::Language;
    use crate::statistics::CostRatio;

    #[test]
    fn an_interval_is_shown_where_it_is_meaningful() {
        let mut pairs = vec![(1000.0, 1000.0); 6];
        pairs.push((900_000.0, 1000.0));
        let near: Vec<_> = (0..6).map(|at| (1200.0 + 10.0 * f64::from(at), 1000.0)).collect();
        for (pairs, expected) in [
            (&pairs[..], "2.6×"),
            (&pairs[5..], "30×"),
            (&pairs[..6], "the same"),
            (&pairs[6..], "900× (1 case)"),
            (&near[..], "1.2× (1.2 to 1.2)"),
        ] {
            let cost = Cost { ratio: CostRatio::new(pairs), ..Cost::default() };
            assert_eq!(ratio(&cost, &Language::default()).as_deref(), Some(expected));
        }
    }

    #[test]
    fn factors_stay_readable() {
        let all = [1e-9, 0.004, 0.25, 1.0, 9.96, 99.4, 129.4, 996.0, 12_345.0, 1e6, 1e7, 1e300];
        let shown = all.map(factor).join("; ");
        let expected = "< 0.01; < 0.01; 0.25; 1.0; 10; 99; 130; 1000; 12 000; 1 000 000; \
                        > 1 000 000; > 1 000 000";
        assert_eq!(shown.replace('\u{202f}', " "), expected);
    }
}
