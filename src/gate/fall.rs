//! Whether a candidate fell so hard that the wide range of few cases must not hide it.

use crate::analyze::{CasePasses, Gain};
use crate::gate::TIE;

/// This share of the passes of the earlier side is gone where a candidate fell hard. It was chosen so
/// that a skill that is run again rarely falls; `cargo bench --bench simulation -- gates` has the
/// rates.
pub const HARD: f64 = 0.3;

/// Cases that fell; a single one of several may be a run that broke.
const FEWEST_CASES: usize = 2;

/// The checks that a single case must have passed for all of them to count.
const FEWEST_PASSES: f64 = 4.0;

/// What is gone of the passes of the earlier side, net of what was gained.
#[derive(Clone, Debug, PartialEq)]
pub struct Fall {
    /// Checks that a run passes on average, over all cases, on the earlier and on the later side.
    pub before: f64,
    pub after: f64,
    pub cases: usize,
    /// The cases that fell, those that lost most first.
    pub fallen: Vec<CasePasses>,
}

impl Fall {
    pub fn new(gain: &Gain) -> Self {
        let mut fallen = gain.passes.clone();
        fallen.retain(|case| case.after < case.before - TIE);
        fallen.sort_by(|a, b| (a.after - a.before).total_cmp(&(b.after - b.before)));
        let (mut before, mut after) = (0.0, 0.0);
        for case in &gain.passes {
            before += case.before;
            after += case.after;
        }
        Self { before, after, cases: gain.passes.len(), fallen }
    }

    /// The share of the passes that are gone; 0 where as many are left, or none were there.
    pub fn share(&self) -> f64 {
        if self.before > 0.0 { (1.0 - self.after / self.before).max(0.0) } else { 0.0 }
    }

    pub fn is_hard(&self) -> bool {
        if self.cases == 1 {
            return self.before >= FEWEST_PASSES - TIE && self.after <= TIE;
        }
        self.fallen.len() >= FEWEST_CASES && self.share() >= HARD - TIE
    }
}

#[cfg(test)]
mod tests {
    use super::Fall;
    use crate::analyze::{CasePasses, Gain};

    fn fall(cases: &[(f64, f64)]) -> Fall {
        let cases = cases.iter().enumerate();
        let passes = cases.map(|(case, &(before, after))| CasePasses { case, before, after });
        Fall::new(&Gain { passes: passes.collect(), ..Gain::default() })
    }

    #[test]
    fn thirty_percent_of_the_passes_in_two_cases_or_more() {
        let same = (4.0, 4.0);
        let table: [(&[(f64, f64)], bool); 10] = [
            (&[(4.0, 0.0), (4.0, 0.0), same, same, same], true),
            (&[(4.0, 0.0), (4.0, 0.0), same, same, same, same, same], false),
            // One case alone may be a run that broke.
            (&[(4.0, 0.0), same, same], false),
            (&[(4.0, 0.0)], true),
            (&[(3.0, 0.0)], false),
            (&[(4.0, 1.0)], false),
            // Exactly 30 %, in part of the repeated runs.
            (&[(5.0, 3.5), (5.0, 3.5)], true),
            (&[(5.0, 3.6), (5.0, 3.5)], false),
            // What was gained counts against it.
            (&[(4.0, 0.0), (4.0, 2.0), (0.0, 4.0)], false),
            (&[(0.0, 0.0), (0.0, 4.0)], false),
        ];
        for (cases, expected) in table {
            assert_eq!(fall(cases).is_hard(), expected, "{cases:?}");
        }
        assert_eq!(fall(&[]).share(), 0.0);
    }
}
