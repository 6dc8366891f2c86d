//! Sentences on the costs of one side relative to the other.

use std::fmt::Display;

use crate::analyze::{Change, Cost};
use crate::digest;
use crate::language::Language;
use crate::statistics::CostRatio;
use crate::text;

/// With fewer cases, the interval of a ratio is meaningless.
const FEWEST: usize = 5;
/// An interval that spans this factor is meaningless.
const WIDEST: f64 = 100.0;
/// Up to this factor, costs that may be equal are called equal.
const EQUAL: f64 = 1.05;
/// Up to this factor, a ratio is written as a percentage more or less.
const NEAR: f64 = 1.5;
/// Ratios beyond this are not written in digits.
const LARGEST: f64 = 1e6;

/// Costs relative to the other side, the total if it is far off, and why dollars are missing.
pub(crate) fn costs(change: &Change, language: &Language) -> Option<String> {
    change.gain.paired?;
    let typical = sentence(change, "verdict.costs", ratio, language);
    let mut sentences =
        vec![typical.unwrap_or_else(|| language.text("verdict.no_costs").to_owned())];
    sentences.extend(total_costs(change, language));
    let dollars = &change.costs.dollars;
    if dollars.incomplete > 0 {
        let is_known = dollars.ratio.is_some();
        let key = if is_known { "verdict.dollars_of_some" } else { "verdict.dollars_of_none" };
        let cases = language.count(dollars.incomplete, "case");
        sentences.push(language.fill(key, &[("cases", &cases)]));
    }
    Some(language.sentences(sentences))
}

/// The ratio of total costs, if it is far from the typical ratio.
pub(crate) fn total_costs(change: &Change, language: &Language) -> Option<String> {
    change.gain.paired?;
    let far = |cost: &Cost, _: &Language| Some(format!("{}×", factor(digest::far_total(cost)?)));
    sentence(change, "verdict.totals", far, language)
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
        let mut text = language.fill(key, &[("ratio", &ratio)]);
        let known = cost.ratio.as_ref().map_or(0, |ratio| ratio.cases);
        // Dollars that leave out cases say so in a sentence of their own.
        if known < total && cost.incomplete == 0 {
            let places: [(&str, &dyn Display); 3] =
                [("cost", &text), ("n", &known), ("cases", &language.count(total, "case"))];
            text = language.fill("verdict.cost_of_some", &places);
        }
        parts.push(text);
    }
    let list = parts.join(language.text("verdict.and"));
    (!parts.is_empty()).then(|| language.fill(key, &[("list", &list)]))
}

/// `1.4× (1.1 to 1.9)`: the interval only if it is meaningful; `the same` within 5 %.
pub(crate) fn ratio(cost: &Cost, language: &Language) -> Option<String> {
    let cost_ratio = cost.ratio.as_ref()?;
    let typical = format!("{}×", factor(cost_ratio.geometric_mean));
    if cost_ratio.cases <= 1 {
        let cases = language.count(cost_ratio.cases, "case");
        let places: [(&str, &dyn Display); 2] = [("ratio", &typical), ("cases", &cases)];
        return Some(language.fill("verdict.ratio_alone", &places));
    }
    if may_be_equal(cost_ratio) && (1.0 / EQUAL..=EQUAL).contains(&cost_ratio.geometric_mean) {
        return Some(language.text("verdict.ratio_same").to_owned());
    }
    let interval = cost_ratio.interval.filter(|_| cost_ratio.cases >= FEWEST);
    let Some(interval) = interval.filter(|interval| interval.high <= interval.low * WIDEST) else {
        return Some(typical);
    };
    let (low, high) = (factor(interval.low), factor(interval.high));
    Some(language.fill("verdict.ratio", &[("ratio", &typical), ("low", &low), ("high", &high)]))
}

/// `+6 %` and `tokens`; `None` if unknown on a side.
pub(crate) fn chip(cost: &Cost, thing: &str, language: &Language) -> Option<[String; 2]> {
    let cost_ratio = cost.ratio.as_ref()?;
    let is_within = |most: f64| (1.0 / most..=most).contains(&cost_ratio.geometric_mean);
    let times = format!("{}×", factor(cost_ratio.geometric_mean));
    let strong = match may_be_equal(cost_ratio) {
        true if is_within(EQUAL) => language.text("costs.same").to_owned(),
        true => format!("≈ {times}"),
        false if is_within(NEAR) => {
            let (points, _) = text::signed_points(cost_ratio.geometric_mean - 1.0);
            language.fill("number.percent", &[("n", &points)])
        }
        false => times,
    };
    Some([strong, language.text(thing).to_owned()])
}

fn may_be_equal(ratio: &CostRatio) -> bool {
    ratio.interval.is_none_or(|interval| interval.low <= 1.0 && interval.high >= 1.0)
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
