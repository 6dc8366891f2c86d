//! What a skill does when it is run again unchanged.

/// The shares of passes of checks follow a beta distribution with these parameters: 80 % pass on
/// average, and two runs of the same side differ in 1 of 9 verdicts, as re-runs of real baselines do.
const PASSES: f64 = 0.358;
const FAILURES: f64 = 0.0895;

/// The chance that an unchanged skill loses at least one of these checks: all of its `before` runs
/// passed and all of its `after` runs fail, in 0..=1. Each item has the runs of one check. The
/// beta-binomial chance of a check is (a)ₙ(b)ₘ/(a + b)ₙ₊ₘ, with rising factorials.
pub fn rerun_loss(checks: impl IntoIterator<Item = [usize; 2]>) -> f64 {
    let mut kept = 1.0;
    for [before, after] in checks {
        if before > 0 && after > 0 {
            let lost = rising(PASSES, before) * rising(FAILURES, after);
            kept *= 1.0 - lost / rising(PASSES + FAILURES, before + after);
        }
    }
    1.0 - kept
}

/// With more runs the chance is 0 in two digits, and the factorial no number.
const MOST_RUNS: usize = 50;

fn rising(start: f64, count: usize) -> f64 {
    (0..count.min(MOST_RUNS)).map(|step| start + step as f64).product()
}

#[cfg(test)]
mod tests {
    use super::{FAILURES, PASSES, rerun_loss};

    #[test]
    fn a_loss_is_common_with_single_runs_and_rare_with_repeated_ones() {
        let of_cases = |cases: usize, runs: usize| rerun_loss(vec![[runs; 2]; cases * 5]);
        for (cases, runs, from, to) in [(3, 1, 0.45, 0.55), (5, 1, 0.65, 0.8), (3, 3, 0.01, 0.05)] {
            let chance = of_cases(cases, runs);
            assert!((from..to).contains(&chance), "{cases} cases, {runs} runs: {chance}");
        }
        assert_eq!((rerun_loss([]), rerun_loss([[0, 3], [3, 0]])), (0.0, 0.0));
        assert!(rerun_loss([[1000, 1000]]).is_finite());
    }

    #[test]
    fn two_runs_differ_in_one_of_nine_verdicts() {
        let all = PASSES + FAILURES;
        let differ = 2.0 * PASSES * FAILURES / (all * (all + 1.0));
        assert!((0.09..0.12).contains(&differ), "{differ}");
    }
}
