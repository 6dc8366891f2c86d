//! How many verdicts hold the word of a comparison up.

use std::cmp::Ordering;

use crate::analyze::Gain;
use crate::analyze::change::gain::Comparison;
use crate::analyze::change::side_rates::Missing;
use statistics::{ClaimScope, MOST_UNDOING, Verdict, VerdictFlip, fewest_to_undo};

/// The verdicts that, decided the other way, weaken the word of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub struct Undoing {
    /// The fewest; empty where it takes more than [`MOST_UNDOING`].
    pub flips: Vec<VerdictFlip>,
    /// What the runs of the flips hold: missing verdicts may count against the later side.
    pub missing: Missing,
}

impl Undoing {
    /// How many it takes; `MOST_UNDOING` + 1 where it takes more than `MOST_UNDOING`.
    pub fn count(&self) -> usize {
        if self.flips.is_empty() { MOST_UNDOING + 1 } else { self.flips.len() }
    }
}

impl Gain {
    /// The fewest verdicts of any run and side that, decided the other way, weaken the word. The verdicts that
    /// are missing stay counted against the later side, and the other candidates are as they are.
    ///
    /// `None` for a word that claims no lead, and where scores are compared: those are not decided by
    /// single verdicts.
    pub fn undoing(&self) -> Option<&Undoing> {
        self.undoing.get_or_init(|| self.search_undoing()).as_ref()
    }

    fn search_undoing(&self) -> Option<Undoing> {
        let claim = Claim::of(self.verdict())?;
        let flips = self.comparison.as_ref()?.fewest_to_undo(claim)?;
        let counted = Undoing { flips, missing: Missing::LeftOut };
        // Good news must hold with the missing verdicts counted against it as well.
        let worst = self.worst.as_deref().filter(|_| claim.is_good);
        let worst = worst.and_then(|worst| worst.comparison.as_ref()?.fewest_to_undo(claim));
        let worst = worst.map(|flips| Undoing { flips, missing: Missing::CountedAgainst });
        Some(worst.filter(|worst| worst.count() < counted.count()).unwrap_or(counted))
    }
}

impl Comparison {
    fn fewest_to_undo(&self, claim: Claim) -> Option<Vec<VerdictFlip>> {
        if self.tallies.is_empty() {
            return None;
        }
        let fewest = fewest_to_undo(&self.tallies, claim.is_good, |evidence| {
            let verdict = evidence.verdict_among(self.rivals);
            Claim::of(verdict).is_some_and(|now| now >= claim)
        });
        Some(fewest.unwrap_or_default())
    }
}

/// That one side is ahead, and how firmly. Claims of different direction have no order.
#[derive(Clone, Copy, PartialEq)]
struct Claim {
    /// Whether it is the later side.
    is_good: bool,
    firmness: u8,
}

impl Claim {
    fn of(verdict: Verdict) -> Option<Self> {
        let is_good = matches!(verdict, Verdict::Better(_) | Verdict::ProbablyBetter);
        let firmness = match verdict {
            Verdict::ProbablyBetter | Verdict::ProbablyWorse => 1,
            Verdict::Better(ClaimScope::TheseCases) | Verdict::Worse(ClaimScope::TheseCases) => 2,
            Verdict::Better(_) | Verdict::Worse(_) => 3,
            Verdict::NoComparison | Verdict::AboutTheSame(_) | Verdict::Unclear => return None,
        };
        Some(Self { is_good, firmness })
    }
}

impl PartialOrd for Claim {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        if self.is_good == other.is_good {
            self.firmness.partial_cmp(&other.firmness)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::analyze::case_history::case_histories;
    use crate::analyze::change::gain::gain;
    use crate::analyze::{Gain, Side, adjust_together};
    use crate::tests::workspaces::{case, run, workspace};
    use testing::gradings::verdicts;

    /// Cases with these verdicts of the baseline's and of the candidate's run.
    fn gain_of(cases: usize, old: &str, new: &str) -> Gain {
        let runs = vec![run("old", 1, verdicts(old)), run("new", 1, verdicts(new))];
        let cases = (0..cases).map(|at| case(&format!("case {at}"), runs.clone()));
        let workspace = workspace(vec![cases.collect()]);
        let histories = case_histories(&workspace);
        gain(&workspace, &histories, &Side::new(0, "old"), &Side::new(0, "new"))
    }

    #[test]
    fn the_fewest_verdicts_by_hand() {
        let table = [
            // Each of six cases with one check is needed.
            (6, "f", "p", Some(1)),
            (6, "p", "f", Some(1)),
            (20, "ffff", "pppp", Some(4)),
            // No lead is claimed.
            (2, "f", "p", None),
            (4, "pp", "pp", None),
            (0, "", "", None),
            // A verdict that is missing counts as a failure already.
            (3, "fff", "ppp", Some(3)),
            (3, "fff", "pp?", Some(1)),
        ];
        for (cases, old, new, expected) in table {
            let gain = gain_of(cases, old, new);
            let fewest = gain.undoing().map(|undoing| undoing.count());
            assert_eq!(fewest, expected, "{cases} {old} {new} {:?}", gain.word());
        }
    }

    #[test]
    fn among_other_candidates_a_lead_is_undone_sooner() {
        let mut alone = [gain_of(8, "f", "p")];
        let mut among = [gain_of(8, "f", "p"), gain_of(3, "pf", "fp"), gain_of(3, "pf", "fp")];
        adjust_together(alone.iter_mut());
        adjust_together(among.iter_mut());
        assert_eq!(alone[0].word(), among[0].word());
        let [among, alone] = [&among[0], &alone[0]].map(|gain| gain.undoing().unwrap().count());
        assert!(among < alone);
    }
}
