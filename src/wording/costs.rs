//! The costs of one side relative to the other.

use crate::analyze::{Change, Cost, CostKind, Costs};
use crate::digest::{self, news::Finding};
use crate::language::{Language, say};
use statistics::{CostRatio, Interval};

/// With fewer cases the interval of a ratio says nothing.
const CASES_FOR_INTERVAL: usize = 5;
/// An interval that spans this factor says nothing.
const MEANINGLESS_SPAN: f64 = 100.0;
/// Up to this factor, costs that may be equal are called the same.
const SAME: f64 = 1.05;

impl CostKind {
    /// The key of the text for less of it.
    pub(crate) fn less(self) -> &'static str {
        if self == Self::Tokens { "costs.fewer" } else { "costs.less" }
    }

    /// The key of its name.
    pub(crate) fn name(self) -> &'static str {
        ["costs.time", "costs.tokens", "costs.dollars"][self as usize]
    }

    /// `tokens +36 %`.
    pub(crate) fn labelled(self, ratio: &str, language: &Language) -> String {
        let keys = ["verdict.times_time", "verdict.times_tokens", "verdict.times_dollars"];
        say!(language, keys[self as usize], ratio)
    }
}

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
    let mut sentences = Vec::new();
    for resource in CostKind::ALL {
        let Some(reason) = resource.of(costs).implausible else { continue };
        sentences.extend(language.tell("news_caution", &Finding::NoRatio { resource, reason }));
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
pub(crate) fn total(cost: &Cost, kind: CostKind, language: &Language) -> Option<String> {
    Some(say!(language, "verdict.totals", list = far_total(cost, kind, language)?))
}

fn far_total(cost: &Cost, kind: CostKind, language: &Language) -> Option<String> {
    Some(language.ratio(digest::far_total(cost)?, kind.less()))
}

/// A sentence on every cost with a `ratio`, with the number of cases if not all have it.
fn sentence(
    change: &Change,
    key: &str,
    ratio: fn(&Cost, CostKind, &Language) -> Option<String>,
    language: &Language,
) -> Option<String> {
    let total = change.gain.shared.len();
    let mut parts = Vec::new();
    for kind in CostKind::ALL {
        let cost = kind.of(&change.costs);
        let Some(ratio) = ratio(cost, kind, language) else { continue };
        let mut text = kind.labelled(&ratio, language);
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

/// `+36 % (+12 % to +60 %)`: the interval only if it is meaningful; the number of cases where it is one.
/// With the ratio of the totals where that lies on the other side of 1: cheaper by case may be dearer
/// on the bill.
pub(crate) fn ratio(cost: &Cost, kind: CostKind, language: &Language) -> Option<String> {
    let typical = with_interval(cost, kind, language)?;
    Some(with_turned_total(typical, cost, kind, language))
}

fn with_turned_total(typical: String, cost: &Cost, kind: CostKind, language: &Language) -> String {
    let of_both_ways = cost.of_totals.filter(|_| cost.points_both_ways());
    // One run of the other side may be most of its bill.
    let of_same = digest::far_total(cost).filter(|_| cost.ratio.as_ref().is_some_and(is_same));
    let Some(total) = digest::turned_total(cost).or(of_both_ways).or(of_same) else {
        return typical;
    };
    let total = language.ratio(total, kind.less());
    say!(language, "verdict.ratio_and_total", typical, total)
}

fn with_interval(cost: &Cost, kind: CostKind, language: &Language) -> Option<String> {
    let ratio = typical_ratio(cost, kind, language)?;
    let found = cost.ratio.as_ref()?;
    // One case has no interval; its number must not look typical.
    if found.cases <= 1 {
        let cases = language.count(found.cases, "case");
        return Some(say!(language, "verdict.ratio_alone", ratio, cases));
    }
    match found.interval {
        Some(Interval { low, high })
            if found.cases >= CASES_FOR_INTERVAL
                && high <= low * MEANINGLESS_SPAN
                && !cost.points_both_ways()
                && !is_same(found) =>
        {
            let [low, high] = [low, high].map(|end| language.ratio(end, kind.less()));
            Some(say!(language, "verdict.ratio", ratio, low, high))
        }
        _ => Some(ratio),
    }
}

/// The ratio without its interval: `+36 %`, `≈ 2.1×` where it may be chance, `the same` within 5 %; `None`
/// if unknown on a side.
pub(crate) fn short_ratio(cost: &Cost, kind: CostKind, language: &Language) -> Option<String> {
    if cost.points_both_ways() {
        return None;
    }
    let typical = typical_ratio(cost, kind, language)?;
    Some(with_turned_total(typical, cost, kind, language))
}

fn typical_ratio(cost: &Cost, kind: CostKind, language: &Language) -> Option<String> {
    let found = cost.ratio.as_ref()?;
    if cost.points_both_ways() {
        let key =
            if kind == CostKind::Tokens { "costs.both_ways_tokens" } else { "costs.both_ways" };
        return Some(language.text(key).to_owned());
    }
    if is_same(found) {
        return Some(language.text("verdict.ratio_same").to_owned());
    }
    let ratio = language.ratio(found.geometric_mean, kind.less());
    if cost.may_be_chance() {
        return Some(say!(language, "costs.about", ratio));
    }
    Some(ratio)
}

/// Whether costs that may be equal are near each other.
fn is_same(ratio: &CostRatio) -> bool {
    may_be_equal(ratio) && (1.0 / SAME..=SAME).contains(&ratio.geometric_mean)
}

fn may_be_equal(ratio: &CostRatio) -> bool {
    ratio.interval.is_none_or(|interval| interval.low <= 1.0 && interval.high >= 1.0)
}

#[cfg(test)]
mod tests {
    use super::{CostKind, ratio, short_ratio};
    use crate::analyze::Cost;
    use crate::language::Language;
    use statistics::CostRatio;

    #[test]
    fn an_interval_is_shown_where_it_is_meaningful() {
        let mut pairs = vec![(1000.0, 1000.0); 6];
        pairs.push((900_000.0, 1000.0));
        let near: Vec<_> = (0..6).map(|at| (1200.0 + 10.0 * f64::from(at), 1000.0)).collect();
        let less: Vec<_> = near.iter().map(|(more, base)| (*base, *more)).collect();
        for (pairs, expected) in [
            (&pairs[..], "≈ 2.6×"),
            (&pairs[5..], "≈ 30×"),
            (&pairs[..6], "the same"),
            (&pairs[6..], "≈ 900× (1 case)"),
            (&near[..], "+22 % (+21 % to +24 %)"),
            (&less[..], "18 % fewer (20 % fewer to 17 % fewer)"),
        ] {
            let cost = Cost { ratio: CostRatio::new(pairs), ..Cost::default() };
            assert!(!cost.points_both_ways());
            let shown = ratio(&cost, CostKind::Tokens, &Language::default());
            assert_eq!(shown.as_deref(), Some(expected));
        }
    }

    #[test]
    fn costs_that_point_both_ways_have_no_ratio() {
        // Three cases cost half as much again, and one a sixth: the mean is that of none.
        let pairs = [(15.0, 10.0), (15.0, 10.0), (15.0, 10.0), (25.0, 150.0)];
        let cost = Cost { ratio: CostRatio::new(&pairs), of_totals: Some(0.4), ..Cost::default() };
        let language = Language::default();
        assert_eq!(short_ratio(&cost, CostKind::Tokens, &language), None);
        assert!(ratio(&cost, CostKind::Tokens, &language).unwrap().contains("60 % fewer"));
    }
}
