//! Properties of every input: intervals around their estimates, symmetry of the sides, no influence
//! of the order, no NaN, bounded work.

use crate::distribution::{binomial_cdf, phi, student_t_quantile, t_tail};
use crate::multiple::holm;
use crate::proportion::{pass_at_k, pass_hat_k};
use crate::{
    CaseWilson, CostRatio, Interval, PairedGain, Share, Spread, agreement, looks_stable, mean,
    mean_interval, median, normal_quantile,
};
use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy};
use proptest::{prop_assert, prop_assert_eq, prop_oneof, proptest};

/// A realistic pass rate: a few checks, some passed.
fn rate() -> impl Strategy<Value = f64> {
    (1_u32..=12).prop_flat_map(|n| (0..=n).prop_map(move |k| f64::from(k) / f64::from(n)))
}

/// Differences of case means, with ties and zeros.
fn differences(most: usize) -> impl Strategy<Value = Vec<f64>> {
    let gain = (rate(), rate()).prop_map(|(a, b)| a - b);
    vec(prop_oneof![4 => gain, 1 => Just(0.0)], 1..=most)
}

fn share() -> impl Strategy<Value = Share> {
    (1_u64..=400).prop_flat_map(|n| (0..=n).prop_map(move |k| Share::new(k, n).expect("a share")))
}

fn shuffled(values: Vec<f64>) -> impl Strategy<Value = (Vec<f64>, Vec<f64>)> {
    (Just(values.clone()), Just(values).prop_shuffle())
}

fn negated(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| -value).collect()
}

fn is_near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs())
}

fn mirrored(interval: Interval) -> Interval {
    Interval { low: -interval.high, high: -interval.low }
}

proptest! {
    #[test]
    fn intervals_of_a_rate_hold_it_and_stay_in_range(share in share()) {
        let interval = share.wilson();
        prop_assert!(0.0 <= interval.low && interval.high <= 1.0, "{interval:?}");
        prop_assert!(interval.contains(share.rate()), "{interval:?}");
        let failed = Share::new(share.total() - share.passed(), share.total()).unwrap();
        let (ours, theirs) = (share.wilson(), failed.wilson());
        prop_assert!(is_near(ours.low, 1.0 - theirs.high) && is_near(ours.high, 1.0 - theirs.low));
    }

    #[test]
    fn more_units_at_the_same_rate_say_more(share in share(), times in 2_u64..20) {
        let more = Share::new(share.passed() * times, share.total() * times).unwrap();
        prop_assert!(more.wilson().width() < share.wilson().width());
    }

    #[test]
    fn levels_hold_the_mean_and_ignore_the_order(
        (means, other) in vec(rate(), 2..40).prop_flat_map(shuffled),
        more in 0_usize..200,
    ) {
        let units = means.len() + more;
        let level = CaseWilson::new(&means, units).unwrap();
        prop_assert_eq!(CaseWilson::new(&other, units), Some(level));
        prop_assert!(level.interval.contains(level.estimate));
        prop_assert!(level.interval.low >= 0.0 && level.interval.high <= 1.0);
        prop_assert!(level.interval.width() <= level.one_unit_per_case.width());
        let failed: Vec<f64> = means.iter().map(|mean| 1.0 - mean).collect();
        let failed = CaseWilson::new(&failed, units).unwrap().interval;
        prop_assert!(is_near(failed.low, 1.0 - level.interval.high));
    }

    #[test]
    fn tries_are_chances(runs in 1_u64..200, passed in 0_u64..200, k in 0_u64..220) {
        let (once, always) = (pass_at_k(runs, passed, k), pass_hat_k(runs, passed, k));
        prop_assert_eq!(once.is_some(), passed <= runs && (1..=runs).contains(&k));
        prop_assert_eq!(always.is_some(), once.is_some());
        if let (Some(once), Some(always)) = (once, always) {
            let rate = passed as f64 / runs as f64;
            prop_assert!((0.0..=1.0).contains(&once) && (0.0..=1.0).contains(&always));
            prop_assert!(always <= rate + 1e-12 && rate <= once + 1e-12);
        }
        prop_assert!(looks_stable(0.3, runs).is_some_and(|stable| stable <= 1.0));
    }

    #[test]
    fn adjusted_p_are_no_smaller_and_keep_the_order(p in vec(0.0_f64..=1.0, 0..40)) {
        let holm = holm(&p).unwrap();
        for (index, p_i) in p.iter().enumerate() {
            prop_assert!(*p_i <= holm[index] && holm[index] <= 1.0);
            for (other, p_j) in p.iter().enumerate() {
                prop_assert!(p_i > p_j || holm[index] <= holm[other]);
            }
        }
    }

    #[test]
    fn agreement_does_not_depend_on_who_is_first(pairs in vec((0_u8..4, 0_u8..4), 1..40)) {
        let (a, b): (Vec<u8>, Vec<u8>) = pairs.into_iter().unzip();
        let (forth, back) = (agreement(&a, &b).unwrap(), agreement(&b, &a).unwrap());
        prop_assert_eq!(forth, back);
        prop_assert_eq!(forth.total(), a.len() as u64);
    }

    #[test]
    fn cost_ratios_turn_with_the_sides(pairs in vec((0.0_f64..1e6, 0.0_f64..1e6), 1..30)) {
        let swapped: Vec<_> = pairs.iter().map(|(a, b)| (*b, *a)).collect();
        let (forth, back) = (CostRatio::new(&pairs), CostRatio::new(&swapped));
        prop_assert_eq!(forth.is_some(), back.is_some());
        if let (Some(forth), Some(back)) = (forth, back) {
            prop_assert!(is_near(forth.geometric_mean * back.geometric_mean, 1.0));
            let is_cost = |(a, b): &&(f64, f64)| *a > 0.0 && *b > 0.0;
            prop_assert_eq!(forth.cases, pairs.iter().filter(is_cost).count());
        }
    }

    #[test]
    fn order_statistics_ignore_the_order((values, other) in vec(-1e3_f64..1e3, 1..50).prop_flat_map(shuffled)) {
        prop_assert_eq!(median(&values), median(&other));
        prop_assert_eq!(mean(&values), mean(&other));
        prop_assert_eq!(Spread::new(&values), Spread::new(&other));
        prop_assert_eq!(mean_interval(&values), mean_interval(&other));
    }

    #[test]
    fn quantiles_invert_distributions(p in 1e-9_f64..=0.999_999, a in 0.2_f64..500.0) {
        let x = normal_quantile(p).unwrap();
        prop_assert!(is_near(phi(x) / p, 1.0));
        let x = student_t_quantile(p, a).unwrap();
        let below = if x < 0.0 { t_tail(-x, a) } else { 1.0 - t_tail(x, a) };
        prop_assert!(is_near(below / p, 1.0), "{a} {x}");
    }

    #[test]
    fn binomial_tails_add_up(n in 1_u64..300, k in 0_u64..300, p in 0.0_f64..=1.0) {
        let below = binomial_cdf(k, n, p).unwrap();
        prop_assert!((0.0..=1.0).contains(&below));
        if k < n {
            let above = binomial_cdf(n - k - 1, n, 1.0 - p).unwrap();
            prop_assert!((below + above - 1.0).abs() < 1e-9);
        }
    }
}

proptest! {
    // each evaluation takes a while in a debug build
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn gains_turn_with_the_sides_and_ignore_the_order(
        (gains, other) in differences(40).prop_flat_map(shuffled),
    ) {
        let gain = PairedGain::new(&gains).unwrap();
        prop_assert_eq!(PairedGain::new(&other), Some(gain));
        let back = PairedGain::new(&negated(&gains)).unwrap();
        prop_assert_eq!(back.mean, -gain.mean);
        prop_assert_eq!((back.better, back.worse, back.same), (gain.worse, gain.better, gain.same));
        prop_assert_eq!(back.p, gain.p);
        prop_assert_eq!(back.interval, gain.interval.map(mirrored));
        prop_assert_eq!(gain.better + gain.worse + gain.same, gains.len());
        prop_assert!(gain.interval.is_none_or(|interval| interval.contains(gain.mean)));
        prop_assert!(0.0 < gain.p && gain.p <= 1.0);
        prop_assert!(gains.len() >= 6 || !gain.is_settled_at(gain.p));
    }
}

/// Ten thousand cases: no overflow, no slow enumeration.
#[test]
fn ten_thousand_cases() {
    let gains: Vec<f64> = (0..10_000).map(|n| f64::from(n % 7) / 7.0 - 0.4).collect();
    let gain = PairedGain::new(&gains).unwrap();
    assert!(gain.p < 0.01);
    assert!(gain.interval.unwrap().width() < 0.02);
    let rates: Vec<f64> = gains.iter().map(|gain| gain + 0.4).collect();
    assert!(CaseWilson::new(&rates, 90_000).unwrap().interval.width() < 0.02);
}

#[test]
fn the_same_numbers_again() {
    let gains: Vec<f64> = (0..200).map(|n| f64::from(n * 37 % 101) / 101.0 - 0.45).collect();
    assert_eq!(PairedGain::new(&gains), PairedGain::new(&gains));
    let mut reversed = gains.clone();
    reversed.reverse();
    assert_eq!(PairedGain::new(&reversed), PairedGain::new(&gains));
}

#[test]
fn empty_and_invalid_input_yields_none() {
    for values in [&[][..], &[f64::NAN], &[f64::INFINITY, 1.0], &[f64::MAX, f64::MAX, f64::MAX]] {
        assert_eq!(PairedGain::new(values), None);
        assert_eq!(mean_interval(values), None);
        assert_eq!(CaseWilson::new(values, 10), None);
    }
    assert_eq!(Spread::new(&[]), None);
    assert_eq!(CostRatio::new(&[]), None);
}
