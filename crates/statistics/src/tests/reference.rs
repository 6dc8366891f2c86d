//! Every value of `stats-reference.json`, made by scipy and statsmodels, within its tolerance.

use std::collections::BTreeMap;

use crate::distribution::{binomial_cdf, incomplete_beta, phi, student_t_quantile, t_tail};
use crate::multiple::holm;
use crate::proportion::{pass_at_k, pass_hat_k};
use crate::sign_flip::sign_flip_p;
use crate::{
    CaseWilson, CostRatio, PairedGain, Share, Spread, agreement, looks_stable, mean, mean_chances,
    mean_interval, median, normal_quantile, ratio_of_totals, sign_test_p,
};

use super::walk::{ReferenceDocument, ReferenceNode};

/// Prose, and a promise not to report something.
const PROSE: &[&[&str]] = &[
    &["about"],
    &["versions"],
    &["conventions"],
    &["reference", "edge_cases", "equal_differences", "note"],
];

#[test]
fn every_reference_value_is_reached() {
    let document = ReferenceDocument::new(include_str!("stats-reference.json"));
    let root = document.root();
    for path in PROSE {
        path.iter().fold(root.clone(), |node, key| node.at(key)).given();
    }
    let (data, reference) = (root.at("data"), root.at("reference"));
    typical(&data.at("typical"), &reference.at("typical"));
    single_run(&data.at("single_run"), &reference.at("single_run"));
    versions(&data.at("versions"), &reference.at("versions"));
    edge_cases(&reference.at("edge_cases"));
    quantiles(&reference.at("quantiles"));
    many_p(&reference.at("multiple_comparisons_example"));
    let complaints = document.complaints();
    assert!(complaints.is_empty(), "{} complaints:\n{}", complaints.len(), complaints.join("\n"));
    assert!(document.compared() > 800, "only {} values compared", document.compared());
}

#[test]
fn a_leaf_that_nobody_reads_is_found() {
    let document = ReferenceDocument::new(r#"{"a": [1.0, 2.0], "b": {"c": null}, "d": []}"#);
    document.root().at("a").at(0).is(1.0);
    assert_eq!(document.complaints().len(), 3);
    document.root().at("a").at(1).is(2.1);
    document.root().at("b").at("c").is(Some(1.0));
    document.root().at("d").given();
    assert_eq!(document.complaints().len(), 2);
}

/// The runs of one side: per case, per run, which assertions passed.
struct Side {
    cases: Vec<String>,
    runs: Vec<Vec<Vec<bool>>>,
}

impl Side {
    fn read(assertions: &ReferenceNode, side: &str) -> Self {
        let run = |run: &ReferenceNode| run.text().chars().map(|c| c == '1').collect();
        let case = |case: &String| assertions.at(case).at(side).items().iter().map(run).collect();
        let cases = assertions.keys();
        Self { runs: cases.iter().map(case).collect(), cases }
    }

    fn each(&self, of: impl Fn(&Vec<bool>) -> f64) -> Vec<Vec<f64>> {
        self.runs.iter().map(|case| case.iter().map(&of).collect()).collect()
    }

    fn rates(&self) -> Vec<Vec<f64>> {
        self.each(|run| passed(run) as f64 / run.len() as f64)
    }

    fn strict(&self) -> Vec<Vec<f64>> {
        self.each(|run| f64::from(u8::from(passed(run) as usize == run.len())))
    }

    /// Runs and strict successes by case.
    fn successes(&self) -> Vec<(u64, u64)> {
        self.strict()
            .iter()
            .map(|runs| (runs.len() as u64, runs.iter().sum::<f64>() as u64))
            .collect()
    }
}

fn passed(run: &[bool]) -> u64 {
    run.iter().filter(|passed| **passed).count() as u64
}

fn means(cases: &[Vec<f64>]) -> Vec<f64> {
    cases.iter().map(|case| mean(case).unwrap()).collect()
}

fn medians(cases: &[Vec<f64>]) -> Vec<f64> {
    cases.iter().map(|case| median(case).unwrap()).collect()
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn typical(data: &ReferenceNode, reference: &ReferenceNode) {
    let sides = ["with", "without"].map(|side| Side::read(&data.at("assertions"), side));
    let tokens = ["with", "without"].map(|side| {
        let case = |case: &String| data.at("tokens").at(case).at(side).numbers();
        data.at("tokens").keys().iter().map(case).collect::<Vec<_>>()
    });
    for (index, name) in ["with", "without"].iter().enumerate() {
        side(&reference.at(name), &sides[index], &tokens[index]);
    }
    let [with, without] = &sides;
    let gains = minus(&means(&with.rates()), &means(&without.rates()));
    paired(&reference.at("paired_pass_rate"), &gains);
    let strict = minus(&means(&with.strict()), &means(&without.strict()));
    paired(&reference.at("paired_strict_success"), &strict);
    cost(&reference.at("tokens_ratio"), &tokens);
    assertions(&reference.at("assertions"), with, without);
}

fn all_of(successes: &[(u64, u64)]) -> Share {
    let (runs, passed) =
        successes.iter().fold((0, 0), |all, case| (all.0 + case.0, all.1 + case.1));
    Share::new(passed, runs).unwrap()
}

fn side(node: &ReferenceNode, side: &Side, tokens: &[Vec<f64>]) {
    let rates = side.rates();
    describe(&node.at("run_pass_rate"), &rates.concat());
    let spread = Spread::new(&rates.concat()).unwrap();
    let rounded = node.at("skill_creator_rounded");
    let to_four = |value: f64| (value * 10_000.0).round() / 10_000.0;
    rounded.at("mean").is(to_four(spread.mean));
    rounded.at("stddev").is(spread.stddev.map(to_four));
    rounded.at("min").is(to_four(spread.min));
    rounded.at("max").is(to_four(spread.max));
    let means_by_case = means(&rates);
    for (case, value) in side.cases.iter().zip(&means_by_case) {
        node.at("case_means").at(case).is(*value);
    }
    node.at("mean_of_case_means").is(mean(&means_by_case));
    let marks = side.runs.concat();
    let total = marks.iter().map(Vec::len).sum::<usize>();
    let pooled = Share::new(marks.iter().map(|run| passed(run)).sum(), total as u64).unwrap();
    node.at("assertions_pooled").at("passed").is(pooled.passed());
    node.at("assertions_pooled").at("total").is(pooled.total());
    node.at("assertions_pooled").at("rate").is(pooled.rate());
    let strict = all_of(&side.successes());
    binomial(&node.at("strict_success_if_runs_were_independent"), strict);
    case_wilson(&node.at("case_wilson_assertions"), &means_by_case, total);
    case_wilson(&node.at("case_wilson_strict"), &means(&side.strict()), strict.total() as usize);
    for k in 1..=3 {
        tries(&node.at("pass_at_k").at(k), side, |n, c| pass_at_k(n, c, k));
        tries(&node.at("pass_hat_k").at(k), side, |n, c| pass_hat_k(n, c, k));
        let [once, always] = mean_chances(&side.successes(), k).unwrap();
        node.at("pass_at_k").at(k).at("mean").is(once);
        node.at("pass_hat_k").at(k).at("mean").is(always);
    }
    describe(&node.at("tokens"), &tokens.concat());
}

fn tries(node: &ReferenceNode, side: &Side, of: impl Fn(u64, u64) -> Option<f64>) {
    for (case, (runs, passed)) in side.cases.iter().zip(side.successes()) {
        node.at("per_case").at(case).is(of(runs, passed));
    }
}

fn describe(node: &ReferenceNode, values: &[f64]) {
    let spread = Spread::new(values).unwrap();
    node.at("n").is(spread.count);
    node.at("mean").is(spread.mean);
    node.at("sample_sd").is(spread.stddev);
    node.at("min").is(spread.min);
    node.at("max").is(spread.max);
    node.at("median").is(median(values));
}

fn binomial(node: &ReferenceNode, share: Share) {
    node.at("k").is(share.passed());
    node.at("n").is(share.total());
    node.at("estimate").is(share.rate());
    node.at("wilson").is(share.wilson());
}

fn case_wilson(node: &ReferenceNode, means: &[f64], units: usize) {
    let level = CaseWilson::new(means, units);
    node.at("cases").is(means.len());
    node.at("interval").is(level.map(|level| level.interval));
    if let Some(level) = level {
        node.at("estimate").is(level.estimate);
        node.at("one_unit_per_case_z").is(level.one_unit_per_case);
    }
}

fn paired(node: &ReferenceNode, differences: &[f64]) {
    let gain = PairedGain::new(differences).unwrap();
    node.at("differences").is(differences.to_vec());
    node.at("mean").is(gain.mean);
    node.at("t_interval").is(gain.interval);
    for name in ["sd", "p_t"] {
        node.at(name).given();
    }
    node.at("better_worse_same").is([gain.better, gain.worse, gain.same]);
    node.at("sign_test_p").is(sign_test_p(gain.better as u64, gain.worse as u64));
    node.at("median").is(median(differences));
    sign_flip(&node.at("sign_flip"), differences);
}

fn sign_flip(node: &ReferenceNode, differences: &[f64]) {
    let p = sign_flip_p(differences);
    node.at("p_two_sided").is(p);
    node.at("smallest_possible_p").is(sign_flip_p(&vec![1.0; differences.len()]));
    if node.has("p_scipy_permutation_test") {
        node.at("p_scipy_permutation_test").is(p);
    }
}

fn cost(node: &ReferenceNode, tokens: &[Vec<Vec<f64>>; 2]) {
    let [with, without] = tokens;
    let pairs =
        |with: Vec<f64>, without: Vec<f64>| with.into_iter().zip(without).collect::<Vec<_>>();
    let by_mean = pairs(means(with), means(without));
    let ratios: Vec<f64> = by_mean.iter().map(|(with, without)| with / without).collect();
    let ratio = CostRatio::new(&by_mean).unwrap();
    node.at("per_case").is(ratios.clone());
    node.at("geometric_mean").is(ratio.geometric_mean);
    node.at("t_interval_on_logs").is(ratio.interval);
    node.at("ratio_of_totals").is(ratio_of_totals(&with.concat(), &without.concat()));
    node.at("arithmetic_mean_of_ratios").is(mean(&ratios));
    node.at("median_ratio").is(median(&ratios));
    let by_median = CostRatio::new(&pairs(medians(with), medians(without))).unwrap();
    node.at("geometric_mean_of_per_case_median_ratios").is(by_median.geometric_mean);
}

fn assertions(node: &ReferenceNode, with: &Side, without: &Side) {
    let mut rows = Vec::new();
    for (case, name) in with.cases.iter().enumerate() {
        for place in 0..with.runs[case][0].len() {
            let share = |side: &Side| {
                let marks: Vec<bool> = side.runs[case].iter().map(|run| run[place]).collect();
                Share::new(passed(&marks), marks.len() as u64).unwrap()
            };
            rows.push((name, place, share(with), share(without)));
        }
    }
    let p: Vec<f64> =
        node.at("rows").items().iter().map(|row| row.at("fisher_p").number()).collect();
    let holm = holm(&p).unwrap();
    for (index, (name, place, with, without)) in rows.iter().enumerate() {
        let row = node.at("rows").at(index);
        row.at("case").is(name.as_str());
        row.at("assertion").is(*place);
        row.at("with").is([with.passed(), with.total()]);
        row.at("without").is([without.passed(), without.total()]);
        row.at("holm").is(holm[index]);
    }
}

fn single_run(data: &ReferenceNode, reference: &ReferenceNode) {
    let with = data.at("with").numbers();
    let without = data.at("without").numbers();
    let share =
        |side: &[f64]| Share::new(side.iter().sum::<f64>() as u64, side.len() as u64).unwrap();
    binomial(&reference.at("with"), share(&with));
    binomial(&reference.at("without"), share(&without));
    paired(&reference.at("paired"), &minus(&with, &without));
    let first = reference.at("first_three_cases_only");
    paired(&first.at("paired"), &minus(&with[..3], &without[..3]));
    binomial(&first.at("with"), share(&with[..3]));
    binomial(&first.at("without"), share(&without[..3]));
}

fn versions(data: &ReferenceNode, reference: &ReferenceNode) {
    let rates = data.at("case_pass_rate");
    let rows: Vec<Vec<f64>> = rates.keys().iter().map(|case| rates.at(case).numbers()).collect();
    let column = |index: usize| rows.iter().map(|row| row[index]).collect::<Vec<f64>>();
    let names: Vec<&str> = data.at("iterations").items().iter().map(ReferenceNode::text).collect();
    for (index, name) in names.iter().enumerate() {
        reference.at("iteration_mean").at(name).is(mean(&column(index)));
        reference.at("iteration_t_interval").at(name).is(mean_interval(&column(index)));
        let node = reference.at("iteration_case_wilson_if_4_assertions_each").at(name);
        case_wilson(&node, &column(index), 20);
    }
    let last = names.len() - 1;
    paired(&reference.at("last_against_first"), &minus(&column(last), &column(0)));
    paired(&reference.at("last_against_previous"), &minus(&column(last), &column(last - 1)));
    graders(reference, &data.at("graders"));
}

fn graders(reference: &ReferenceNode, data: &ReferenceNode) {
    let read =
        |key: &str| data.at(key).items().iter().map(ReferenceNode::whole).collect::<Vec<u64>>();
    agreed(&reference.at("graders"), &read("g1"), &read("g2"));
    agreed(&reference.at("graders_rubric"), &read("rubric1"), &read("rubric2"));
}

fn agreed(node: &ReferenceNode, first: &[u64], second: &[u64]) {
    let share = agreement(first, second).unwrap();
    node.at("n").is(share.total());
    node.at("agreement").is(share.rate());
    node.at("agreement_wilson").is(share.wilson());
}

fn edge_cases(node: &ReferenceNode) {
    for row in node.at("binomial").items() {
        binomial(&row, Share::new(row.at("k").whole(), row.at("n").whole()).unwrap());
    }
    for cases in node.at("smallest_sign_flip_p").keys() {
        let p = sign_flip_p(&vec![1.0; cases.parse().unwrap()]);
        node.at("smallest_sign_flip_p").at(&cases).is(p);
    }
    for key in node.at("stable_looking_flaky").keys() {
        let (rate, runs) = key.strip_prefix("p=").unwrap().split_once(" n=").unwrap();
        let stable = looks_stable(rate.parse().unwrap(), runs.parse().unwrap());
        node.at("stable_looking_flaky").at(&key).is(stable);
    }
    for row in node.at("pass_at_k").items() {
        let [n, c, k] = [0, 1, 2].map(|place| row.at(place).whole());
        row.at(3).is(pass_at_k(n, c, k));
        row.at(4).is(pass_hat_k(n, c, k));
    }
    let wilson = node.at("case_wilson");
    case_wilson(&wilson.at("all_pass_3x3"), &[1.0; 3], 9);
    case_wilson(&wilson.at("none_pass_5x3"), &[0.0; 5], 15);
    case_wilson(&wilson.at("all_equal_two_thirds"), &[2.0 / 3.0; 4], 12);
    case_wilson(&wilson.at("one_case"), &[0.5], 3);
    case_wilson(&wilson.at("two_cases_0_and_1"), &[0.0, 1.0], 6);
    let ten_of_twelve = [vec![1.0; 10], vec![0.0; 2]].concat();
    case_wilson(&wilson.at("single_runs_10_of_12"), &ten_of_twelve, 12);
    unbalanced(&node.at("unbalanced_runs"));
    let equal = node.at("equal_differences");
    let differences = equal.at("d").numbers();
    let gain = PairedGain::new(&differences).unwrap();
    equal.at("sd").given();
    assert_eq!(gain.interval, None);
    sign_flip(&equal.at("sign_flip"), &differences);
    let zero = node.at("all_zero_differences");
    let gain = PairedGain::new(&zero.at("d").numbers()).unwrap();
    zero.at("sign_test_p").is(sign_test_p(gain.better as u64, gain.worse as u64));
    sign_flip(&zero.at("sign_flip"), &zero.at("d").numbers());
}

fn unbalanced(node: &ReferenceNode) {
    let mut cases: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (case, value) in node.at("cases").items().iter().zip(node.at("values").numbers()) {
        cases.entry(case.text()).or_default().push(value);
    }
    let cases: Vec<Vec<f64>> = cases.into_values().collect();
    node.at("mean_of_case_means").is(mean(&means(&cases)));
    node.at("interval_on_case_means").is(mean_interval(&means(&cases)));
}

fn quantiles(node: &ReferenceNode) {
    for freedom in node.at("t_0.975").keys() {
        let quantile = student_t_quantile(0.975, freedom.parse().unwrap());
        node.at("t_0.975").at(&freedom).is(quantile);
    }
    for p in node.at("normal_ppf").keys() {
        node.at("normal_ppf").at(&p).is(normal_quantile(p.parse().unwrap()));
    }
    for x in node.at("normal_cdf").keys() {
        node.at("normal_cdf").at(&x).is(phi(x.parse().unwrap()));
    }
    let rows = |key: &str, of: &dyn Fn(&[f64]) -> Option<f64>| {
        for row in node.at(key).items() {
            let items = row.items();
            let (value, inputs) = items.split_last().unwrap();
            let inputs: Vec<f64> = inputs.iter().map(ReferenceNode::number).collect();
            value.is(of(&inputs));
        }
    };
    let t_cdf = |x: f64, freedom: f64| match t_tail(x.abs(), freedom) {
        tail if x < 0.0 => tail,
        tail => 1.0 - tail,
    };
    rows("t_cdf", &|row| Some(t_cdf(row[0], row[1])));
    rows("beta_cdf", &|row| Some(incomplete_beta(row[0], row[1], row[2], 1.0 - row[2])));
    rows("binom_cdf", &|row| binomial_cdf(row[0] as u64, row[1] as u64, row[2]));
}

fn many_p(node: &ReferenceNode) {
    let p = node.at("p").numbers();
    node.at("holm").is(holm(&p));
}
