//! Statistics of evaluations: numbers in, numbers out. A leaf.
//!
//! The case is the unit: levels are means of case means ([`CaseWilson`]), gains means of
//! differences by case ([`PairedGain`]). Undefined values are `None`, never NaN. The numbers are
//! the same on every machine and for every order of the cases: sums are rounded once, elementary
//! functions come from `libm`, draws have a fixed seed, ties count within 1e-9. Intervals are at 95
//! %, tests two-sided: at 5 %, and at [`SETTLED_P`] where a gain is called settled.

mod costs;
mod distribution;
mod multiple;
mod paired;
mod permutation;
mod proportion;
mod random;
mod rerun;
mod sample;
mod settling;
mod sign_flip;
mod sign_test;
mod skill_outcome;
mod undoing;
mod verdict;

#[cfg(test)]
mod tests;

pub use costs::{CostRatio, least_ratio, ratio_of_totals, runaways, usual_cost};
pub use distribution::normal_quantile;
pub use paired::{LEAST_SHOWN, PairedGain, SETTLED_P};
pub use proportion::{CaseWilson, Share, agreement, looks_stable, mean_chances};
pub use random::Random;
pub use rerun::rerun_loss;
pub use sample::{CaseRuns, Interval, Spread, TIE, mean, mean_interval, median};
pub use settling::{Extension, PlannedCase, RunNoise, chance_to_settle, chance_to_show};
pub use sign_test::sign_test_p;
pub use skill_outcome::{Moves, NamedOutcome, Shift};
pub use undoing::{CaseTallies, MOST_UNDOING, RunTally, VerdictFlip, fewest_to_undo};
pub use verdict::{ClaimScope, Evidence, GainRange, PValues, Rivals, Verdict, adjusted, rivals};
