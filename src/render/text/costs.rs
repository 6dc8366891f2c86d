//! What one side costs in times of the other, in words.

use std::fmt::Display;

use crate::analyze::{Change, Cost};
use crate::digest;
use crate::language::Language;
use crate::text;

/// With fewer cases a ratio has no interval that tells anything.
const FEWEST: usize = 5;

/// An interval that spans this factor tells nothing.
const WIDEST: f64 = 100.0;

/// Up to this factor costs that may be equal are called so.
const EQUAL: f64 = 1.05;

/// Up to this factor a ratio is written as a percentage more or less.
const NEAR: f64 = 1.5;

/// Ratios beyond this are not written in digits.
const LARGEST: f64 = 1e6;

/// Costs in times of the other side, the total where it is far off, and why dollars are missing.
pub(crate) fn costs(change: &Change, language: &Language) -> Option<String> {
    change.gain.paired?;
    let typical = sentence(change, "verdict.costs", ratio, language);
    let dollars = &change.costs.dollars;
    let incomplete = (dollars.incomplete > 0).then(|| {
        let key = match &dollars.ratio {
            Some(_) => "verdict.dollars_of_some",
            None => "verdict.dollars_of_none",
        };
        language.fill(key, &[("cases", &language.count(dollars.incomplete, "case"))])
    });
    let parts = [
        Some(typical.unwrap_or_else(|| language.text("verdict.no_costs").to_owned())),
        total_costs(change, language),
        incomplete,
    ];
    Some(language.sentences(parts.into_iter().flatten()))
}

/// What all cases cost together, where that is far from the typical ratio.
pub(crate) fn total_costs(change: &Change, language: &Language) -> Option<String> {
    change.gain.paired?;
    sentence(change, "verdict.totals", |cost, _| totals(cost), language)
}

/// A sentence on every cost that has such a `ratio`, with its cases where not all have it.
fn sentence(
    change: &Change,
    key: &str,
    ratio: fn(&Cost, &Language) -> Option<String>,
    language: &Language,
) -> Option<String> {
    let all = change.gain.shared.len();
    let mut found = Vec::new();
    for (cost, key) in [
        (&change.costs.time, "verdict.times_time"),
        (&change.costs.tokens, "verdict.times_tokens"),
        (&change.costs.dollars, "verdict.times_dollars"),
    ] {
        let Some(ratio) = ratio(cost, language) else { continue };
        let text = language.fill(key, &[("ratio", &ratio)]);
        let known = cost.ratio.as_ref().map_or(0, |ratio| ratio.cases);
        // Dollars that leave out cases say so in a sentence of their own.
        found.push(match known < all && cost.incomplete == 0 {
            true => {
                let places: [(&str, &dyn Display); 3] =
                    [("cost", &text), ("n", &known), ("cases", &language.count(all, "case"))];
                language.fill("verdict.cost_of_some", &places)
            }
            false => text,
        });
    }
    let list = found.join(language.text("verdict.and"));
    (!found.is_empty()).then(|| language.fill(key, &[("list", &list)]))
}

/// `1.4× (1.1 to 1.9)`: the interval only where it tells something; `the same` within 5 %.
pub(crate) fn ratio(cost: &Cost, language: &Language) -> Option<String> {
    let found = cost.ratio.as_ref()?;
    let typical = format!("{}×", factor(found.geometric_mean));
    if found.cases <= 1 {
        let cases = language.count(found.cases, "case");
        let places: [(&str, &dyn Display); 2] = [("ratio", &typical), ("cases", &cases)];
        return Some(language.fill("verdict.ratio_alone", &places));
    }
    let may_be_equal =
        found.interval.is_none_or(|interval| interval.low <= 1.0 && interval.high >= 1.0);
    if may_be_equal && (1.0 / EQUAL..=EQUAL).contains(&found.geometric_mean) {
        return Some(language.text("verdict.ratio_same").to_owned());
    }
    let interval = found.interval.filter(|_| found.cases >= FEWEST);
    let Some(interval) = interval.filter(|interval| interval.high <= interval.low * WIDEST) else {
        return Some(typical);
    };
    let (low, high) = (factor(interval.low), factor(interval.high));
    let places: [(&str, &dyn Display); 3] = [("ratio", &typical), ("low", &low), ("high", &high)];
    Some(language.fill("verdict.ratio", &places))
}

/// `+6 %` and `tokens`; `None` where it is not known of both sides.
pub(crate) fn chip(cost: &Cost, thing: &str, language: &Language) -> Option<[String; 2]> {
    let found = cost.ratio.as_ref()?;
    let (mean, thing) = (found.geometric_mean, language.text(thing).to_owned());
    let may_be_equal =
        found.interval.is_none_or(|interval| interval.low <= 1.0 && interval.high >= 1.0);
    let times = format!("{}×", factor(mean));
    let strong = match mean {
        mean if may_be_equal && (1.0 / EQUAL..=EQUAL).contains(&mean) => {
            language.text("costs.same").to_owned()
        }
        _ if may_be_equal => format!("≈ {times}"),
        mean if (1.0 / NEAR..=NEAR).contains(&mean) => {
            let (points, _) = text::signed_points(mean - 1.0);
            language.fill("number.percent", &[("n", &points)])
        }
        _ => times,
    };
    Some([strong, thing])
}

pub(crate) fn totals(cost: &Cost) -> Option<String> {
    digest::far_total(cost).map(|total| format!("{}×", factor(total)))
}

/// Two significant digits from 0.01 to a million: what so few cases can tell.
pub(crate) fn factor(value: f64) -> String {
    match value {
        value if value > LARGEST => format!("> {}", text::tokens(LARGEST)),
        value if value >= 99.5 => {
            let unit = 10_f64.powi(value.log10().floor() as i32 - 1);
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
    fn an_interval_is_shown_where_it_tells_something() {
        let words = Language::default();
        let ratio = |pairs: &[(f64, f64)]| {
            ratio(&Cost { ratio: CostRatio::new(pairs), ..Cost::default() }, &words).unwrap()
        };
        let mut pairs = vec![(1000.0, 1000.0); 6];
        pairs.push((900_000.0, 1000.0));
        assert_eq!(ratio(&pairs), "2.6×", "from 0.25 to 28");
        assert_eq!(ratio(&pairs[5..]), "30×", "two cases");
        assert_eq!(ratio(&pairs[..6]), words.text("verdict.ratio_same"));
        assert_eq!(ratio(&pairs[6..]), "900× (1 case)");
        let near: Vec<_> = (0..6).map(|at| (1200.0 + 10.0 * f64::from(at), 1000.0)).collect();
        assert_eq!(ratio(&near), "1.2× (1.2 to 1.2)");
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
