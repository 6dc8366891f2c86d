//! What one side costs in times of the other, in words.

use std::fmt::Display;

use crate::analyze::{Change, Cost};
use crate::render::context::Language;
use crate::text;

/// So many times the typical ratio, or less than its part, a ratio of totals is always told.
const FAR: f64 = 2.0;

/// Within this factor of the typical ratio it never is, be the interval ever so narrow.
const NEAR: f64 = 1.1;

/// Ratios beyond this are not told in digits.
const LARGEST: f64 = 1e6;

/// What it costs in times of the other side, or that nobody recorded it; then what all cases cost
/// together where that is far from it, and why dollars are missing. `None` where no case can be
/// compared.
pub(crate) fn costs(change: &Change, language: &Language) -> Option<String> {
    change.gain.paired?;
    let typical = told(change, "verdict.costs", ratio, language);
    let parts = [
        Some(typical.unwrap_or_else(|| language.text("verdict.no_costs").to_owned())),
        total_costs(change, language),
        incomplete(&change.costs.dollars, language),
    ];
    Some(language.sentences(parts.into_iter().flatten()))
}

/// Whether nothing can be told of what it costs.
pub(crate) fn is_without_costs(change: &Change, language: &Language) -> bool {
    change.gain.paired.is_some() && told(change, "verdict.costs", ratio, language).is_none()
}

/// What all cases cost together, where that is far from the typical ratio; `None` elsewhere.
pub(crate) fn total_costs(change: &Change, language: &Language) -> Option<String> {
    change.gain.paired?;
    told(change, "verdict.totals", |cost, _| totals(cost), language)
}

/// A sentence on every cost that has such a `ratio`; `None` where none has.
fn told(
    change: &Change,
    key: &str,
    ratio: fn(&Cost, &Language) -> Option<String>,
    language: &Language,
) -> Option<String> {
    let all = [
        (&change.costs.time, "verdict.times_time"),
        (&change.costs.tokens, "verdict.times_tokens"),
        (&change.costs.dollars, "verdict.times_dollars"),
    ];
    let found = all.into_iter().filter_map(|(cost, key)| {
        let told = language.fill(key, &[("ratio", &ratio(cost, language)?)]);
        Some(of_some(change, cost, told, language))
    });
    let found: Vec<String> = found.collect();
    let list = found.join(language.text("verdict.and"));
    (!found.is_empty()).then(|| language.fill(key, &[("list", &list)]))
}

/// The same with the number of cases where the cost is not known of all that are compared.
fn of_some(change: &Change, cost: &Cost, told: String, language: &Language) -> String {
    let known = cost.ratio.as_ref().map_or(0, |ratio| ratio.cases);
    let all = language.count(change.gain.shared.len(), "case");
    let places: [(&str, &dyn Display); 3] = [("cost", &told), ("n", &known), ("cases", &all)];
    // Dollars that leave out cases say so in a sentence of their own.
    match known < change.gain.shared.len() && cost.incomplete == 0 {
        true => language.fill("verdict.cost_of_some", &places),
        false => told,
    }
}

/// That dollars leave out cases of which not every run has an amount; `None` where none is.
fn incomplete(dollars: &Cost, language: &Language) -> Option<String> {
    let cases = language.count(dollars.incomplete, "case");
    let key = match &dollars.ratio {
        Some(_) => "verdict.dollars_of_some",
        None => "verdict.dollars_of_none",
    };
    (dollars.incomplete > 0).then(|| language.fill(key, &[("cases", &cases)]))
}

/// `1.4 (1.1 to 1.9)`: later in times of earlier, with the interval where there is one, or
/// with the number of cases where there is but one.
pub(crate) fn ratio(cost: &Cost, language: &Language) -> Option<String> {
    let found = cost.ratio.as_ref()?;
    let typical = factor(found.geometric_mean);
    let Some(interval) = found.interval else {
        let cases = language.count(found.cases, "case");
        let alone =
            || language.fill("verdict.ratio_alone", &[("ratio", &typical), ("cases", &cases)]);
        // Without an interval several cases cost the same share more.
        return Some(if found.cases > 1 { typical } else { alone() });
    };
    let (low, high) = (factor(interval.low), factor(interval.high));
    let places: [(&str, &dyn Display); 3] = [("ratio", &typical), ("low", &low), ("high", &high)];
    Some(language.fill("verdict.ratio", &places))
}

/// All cases together, later in times of earlier, where that is far from the typical ratio: by a
/// factor of 2, or outside its interval and not near it. `None` elsewhere.
pub(crate) fn totals(cost: &Cost) -> Option<String> {
    let (found, total) = (cost.ratio.as_ref()?, cost.of_totals?);
    let typical = found.geometric_mean;
    let apart = (total / typical).max(typical / total);
    let is_outside = found.interval.is_some_and(|it| total < it.low || total > it.high);
    let is_far = apart >= FAR || is_outside && apart >= NEAR;
    is_far.then(|| factor(total))
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
    use super::{factor, ratio, totals};
    use crate::analyze::Cost;
    use crate::render::context::language::Language;
    use crate::statistics::{CostRatio, ratio_of_totals};

    fn cost(pairs: &[(f64, f64)]) -> Cost {
        let (after, before): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let of_totals = ratio_of_totals(&after, &before);
        Cost { ratio: CostRatio::of(pairs), of_totals, ..Cost::default() }
    }

    #[test]
    fn a_wide_interval_is_told() {
        let words = Language::default();
        let mut pairs = vec![(1000.0, 1000.0); 6];
        pairs.push((900_000.0, 1000.0));
        assert_eq!(ratio(&cost(&pairs), &words).unwrap(), "2.6 (0.25 to 28)");
        assert_eq!(
            ratio(&cost(&pairs[5..]), &words).unwrap(),
            "30 (< 0.01 to > 1\u{202f}000\u{202f}000)"
        );
        assert_eq!(ratio(&cost(&pairs[..6]), &words).unwrap(), "1.0");
        assert_eq!(ratio(&cost(&pairs[6..]), &words).unwrap(), "900 (1 case)");
    }

    #[test]
    fn totals_are_told_where_they_are_far_from_the_typical_ratio() {
        let told = |pairs: &[(f64, f64)]| totals(&cost(pairs));
        let one_dear = [(1.0, 1.0), (1.0, 1.0), (60.0, 10.0)];
        assert_eq!(told(&one_dear).as_deref(), Some("5.2"));
        let alike = [(1.4, 1.0), (1.5, 1.0), (1.6, 1.0)];
        assert_eq!(told(&alike), None);
        // 1.5 to 1.6 by case, and one case that is much larger than the others.
        let outside = [(1.5, 1.0), (1.55, 1.0), (1.6, 1.0), (1.55, 1.0), (1250.0, 1000.0)];
        assert_eq!(told(&outside).as_deref(), Some("1.3"));
        assert_eq!(told(&[(9.0, 1.0)]), None, "one case is its own total");
        assert_eq!(told(&[]), None);
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
