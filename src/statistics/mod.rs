//! Statistics of evaluations: numbers in, numbers out. A leaf.
//!
//! The case is the unit that was sampled; runs of one case are no independent evidence about other
//! cases. So levels are means of case means ([`CaseWilson`]) and gains are means of differences by
//! case ([`PairedGain`]). Every function names its formula, its source and its domain. What is
//! undefined is `None`, never NaN and never a 0 that stands for nothing.
//!
//! The numbers are the same on every machine and for every order of the cases: sums are rounded
//! once, elementary functions come from `libm`, sign patterns are counted or drawn from a fixed
//! seed, and ties count within 1e-9. Intervals are at 95 %, tests two-sided: at 5 %, and at
//! [`SETTLED_P`] where a gain is called settled.

mod agreement;
mod blind;
mod bradley_terry;
mod case_runs;
mod distribution;
mod interval;
mod level;
mod moderated;
mod multiple;
mod noise;
mod order;
mod outliers;
mod paired;
mod permutation;
mod plan;
mod power;
mod proportion;
mod random;
mod ratio;
mod repeats;
mod rubric;
mod scale;
mod sign_flip;
mod spread;
mod sum;
mod trend;

#[cfg(test)]
mod tests;

pub use agreement::{Agreement, CORRECTED_ITEMS};
pub use blind::{HeadToHead, OrderBias, swap_consistency};
pub use bradley_terry::{BradleyTerry, MOST_VERSIONS, RANKED_VERSIONS, Unranked};
pub use case_runs::CaseRuns;
pub use distribution::normal_quantile;
pub use interval::{Interval, mean_interval};
pub use level::CaseWilson;
pub use multiple::{fisher_p, holm, may_show_p};
pub use noise::{flip_rate, loss_p};
pub use order::median;
pub use outliers::{FAR_FROM_ONE, log_ratios_to_median, outliers, runaways};
pub use paired::{PairedGain, SETTLED_P};
pub use plan::{Plan, optimism_of_best, version_error};
pub use power::Detection;
pub use proportion::Share;
pub use random::Random;
pub use ratio::{CostRatio, ratio_of_totals};
pub use repeats::{looks_stable, mean_pass_at_k, mean_pass_hat_k};
pub use rubric::{Signs, chance_to_beat};
pub use scale::{Claim, Evidence, PValues, Verdict, adjusted};
pub use spread::Spread;
pub use sum::mean;
pub use trend::{Trend, best_of};
