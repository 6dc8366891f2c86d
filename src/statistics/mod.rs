//! Statistics of evaluations: numbers in, numbers out. A leaf.
//!
//! The case is the unit that was sampled; runs of one case are no independent evidence about other
//! cases. So levels are means of case means ([`CaseWilson`]) and gains are means of differences by
//! case ([`PairedGain`]). Every function names its formula, its source and its domain. What is
//! undefined is `None`, never NaN and never a 0 that stands for nothing.
//!
//! The numbers are the same on every machine and for every order of the cases: sums are rounded
//! once, elementary functions come from `libm`, resampling is enumerated or begins at a fixed seed,
//! and ties count within 1e-9. Intervals are at 95 %, tests two-sided: at 5 %, and at
//! [`SETTLED_P`] where a gain is called settled.

mod agreement;
mod blind;
mod bootstrap;
mod bradley_terry;
mod cluster;
mod distribution;
mod interval;
mod level;
mod mcnemar;
mod multiple;
mod order;
mod outliers;
mod paired;
mod power;
mod proportion;
mod random;
mod ratio;
mod repeats;
mod rubric;
mod sign_flip;
mod spread;
mod sum;
mod trend;
mod usefulness;

pub use agreement::{Agreement, CORRECTED_ITEMS, weighted_kappa};
pub use blind::{HeadToHead, OrderBias, sign_test_p, swap_consistency};
pub use bootstrap::{BOOTSTRAP_CASES, Bootstrap, Corrected};
pub use bradley_terry::{BradleyTerry, MOST_VERSIONS, RANKED_VERSIONS, Unranked};
pub use cluster::Clustered;
pub use distribution::{
    beta_cdf, beta_quantile, binomial_cdf, normal_cdf, normal_quantile, student_t_cdf,
    student_t_quantile,
};
pub use interval::{Interval, mean_interval};
pub use level::CaseWilson;
pub use mcnemar::{McNemar, changes_needed};
pub use multiple::{benjamini_hochberg, fisher_p, holm, may_show_p, smallest_fisher_p};
pub use order::{NORMAL_MAD, hodges_lehmann, median, median_absolute_deviation, quantile};
pub use outliers::{
    FAR_FROM_ONE, largest_possible_z, log_ratios_to_median, modified_z, outliers, runaways,
};
pub use paired::{PairedGain, SETTLED_P, Standing, welch_p};
pub use power::Detection;
pub use proportion::{Share, highest_rate_when_none, newcombe};
pub use random::Random;
pub use ratio::{CostRatio, ratio_of_totals};
pub use repeats::{
    disagreement, is_flaky, looks_stable, mean_pass_at_k, mean_pass_hat_k, pass_at_k, pass_hat_k,
};
pub use rubric::{CliffsDelta, SignedRank, Signs};
pub use sign_flip::{ENUMERATED_CASES, SignFlip, sign_flip_interval};
pub use spread::Spread;
pub use sum::mean;
pub use trend::{Trend, best_of};
pub use usefulness::{Usefulness, discrimination};
