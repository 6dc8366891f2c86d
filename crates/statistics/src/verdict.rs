//! The scale of verdicts: from the runs of two sides to how certainly one is ahead.

use super::multiple::{factors, holm};
use super::paired::{ModeratedGain, PairedGain, SETTLED_P};
use super::permutation::{interval_of_test, permutation_p};
use super::sample::{ALPHA, Interval};
use super::sample::{CaseRuns, differences};

/// The most that an interval may extend, up and down, when the sides are about the same: 10 points.
pub(super) const ABOUT_THE_SAME: f64 = 0.1;

/// The result of a comparison, in the order of the rules: the first that holds is the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing has verdicts on both sides.
    NoComparison,
    /// The first side is ahead. On cases like these: sign-flip p ≤ `SETTLED_P` and the t interval
    /// excludes 0. On these very cases: permutation p ≤ `SETTLED_P`.
    Better(ClaimScope),
    /// The first side is behind, by the same rules.
    Worse(ClaimScope),
    /// Moderated p ≤ `SETTLED_P`, so the moderated interval at 31/32 lies above 0.
    ProbablyBetter,
    /// The same below 0.
    ProbablyWorse,
    /// Equal in every one of these cases; or the moderated 95 % interval lies within 10 points of 0.
    AboutTheSame(ClaimScope),
    /// None of these.
    Unclear,
}

/// The scope of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimScope {
    /// Cases like those that were run.
    CasesLikeThese,
    /// The cases that were run, and no others.
    TheseCases,
}

/// The p of each rule of the scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PValues {
    /// Of the sign-flip test, on cases like these.
    pub sign_flip: f64,
    /// Of the permutation of runs, on these cases; 1 where no side of a case has two runs.
    pub permutation: f64,
    /// Of the moderated t, on cases like these.
    pub moderated: f64,
}

impl PValues {
    /// The larger p of each rule.
    pub fn max(self, other: Self) -> Self {
        Self {
            sign_flip: self.sign_flip.max(other.sign_flip),
            permutation: self.permutation.max(other.permutation),
            moderated: self.moderated.max(other.moderated),
        }
    }
}

/// By how much the p of each rule is multiplied in a comparison among others, before it is compared with
/// `SETTLED_P`; 1 for one by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rivals {
    /// Of [`PValues::sign_flip`].
    pub sign_flip: usize,
    /// Of [`PValues::permutation`].
    pub permutation: usize,
    /// Of [`PValues::moderated`].
    pub moderated: usize,
}

impl Rivals {
    /// Of a comparison by itself.
    pub const NONE: Self = Self { sign_flip: 1, permutation: 1, moderated: 1 };

    /// The larger factor of each rule.
    pub fn max(self, other: Self) -> Self {
        Self {
            sign_flip: self.sign_flip.max(other.sign_flip),
            permutation: self.permutation.max(other.permutation),
            moderated: self.moderated.max(other.moderated),
        }
    }
}

/// Everything that the scale considers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// The gain by case, with sign-flip test and t interval.
    pub paired: PairedGain,
    /// The gain with a moderated variance.
    pub moderated: ModeratedGain,
    /// Two-sided p of the permutation of runs; `None` where no side of a case has two runs.
    pub permutation: Option<f64>,
    /// The moderated 95 % interval, by which sides are about the same.
    pub interval: Interval,
}

/// Two cases may both be easy for one side: whatever their gain, other cases are not "probably" alike.
const CASES_FOR_PROBABLY: usize = 3;

impl Evidence {
    /// The evidence of `cases`; `None` without any, or when a side of one has no run or no score.
    pub fn weigh(cases: &[CaseRuns<'_>]) -> Option<Self> {
        let moderated = ModeratedGain::estimate(cases)?;
        Some(Self {
            paired: PairedGain::new(&differences(cases)?)?,
            moderated,
            permutation: permutation_p(cases),
            interval: moderated.interval(0.95)?,
        })
    }

    /// The p of each rule, of this comparison by itself.
    pub fn p(&self) -> PValues {
        PValues {
            sign_flip: self.paired.p,
            permutation: self.permutation.unwrap_or(1.0),
            moderated: self.moderated.p,
        }
    }

    /// The verdict of the comparison by itself.
    pub fn verdict(&self) -> Verdict {
        self.verdict_at(self.p())
    }

    /// The verdict that it would have in the place of a comparison with these rivals, the others being as
    /// they are.
    pub fn verdict_among(&self, rivals: Rivals) -> Verdict {
        let p = self.p();
        self.verdict_at(PValues {
            sign_flip: p.sign_flip * rivals.sign_flip as f64,
            permutation: p.permutation * rivals.permutation as f64,
            moderated: p.moderated * rivals.moderated as f64,
        })
    }

    /// The verdict of one of several comparisons, by the p that [`adjusted`] returns for it.
    pub fn verdict_at(&self, p: PValues) -> Verdict {
        let is_behind = self.paired.mean < 0.0;
        let settled = if is_behind { Verdict::Worse } else { Verdict::Better };
        // From the strongest claim to the weakest. Three cases with one run each, as most workspaces
        // have, cannot reach the first two.
        let near = Interval { low: -ABOUT_THE_SAME, high: ABOUT_THE_SAME };
        if self.paired.is_settled_at(p.sign_flip) {
            // A thousand checks may settle a gain that is shown as ±0.
            if self.paired.is_shown_as_zero() {
                return Verdict::AboutTheSame(ClaimScope::CasesLikeThese);
            }
            settled(ClaimScope::CasesLikeThese)
        } else if p.permutation <= SETTLED_P && !self.paired.is_shown_as_zero() {
            settled(ClaimScope::TheseCases)
        } else if p.moderated <= SETTLED_P && self.paired.cases >= CASES_FOR_PROBABLY {
            if is_behind { Verdict::ProbablyWorse } else { Verdict::ProbablyBetter }
        } else if self.paired.better + self.paired.worse == 0 {
            Verdict::AboutTheSame(ClaimScope::TheseCases)
        } else if near.contains(self.interval.low) && near.contains(self.interval.high) {
            Verdict::AboutTheSame(ClaimScope::CasesLikeThese)
        } else {
            Verdict::Unclear
        }
    }
}

/// A range for the true gain on cases like these.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GainRange {
    /// Its ends, in shares of 1, from −1 to 1.
    pub interval: Interval,
    /// The share of such ranges that hold the true gain, such as 0.95.
    pub confidence: f64,
}

impl Evidence {
    /// The range that goes with [`Self::verdict_at`], so that both never contradict each other. It is
    /// cut at −1 and 1.
    ///
    /// What is settled on cases like these has the t interval, what is settled on these cases the one of
    /// its test (`interval_of_test`). Sides that are about the same have the moderated 95 % interval.
    /// All else has the moderated interval at the level of the test, 31/32;
    /// with several comparisons at a level above, by as much as p was adjusted. It excludes 0 just
    /// where that p is at most `SETTLED_P`. `None` where every case moved by the same amount and
    /// that settles it, or no case moved.
    pub fn range_at(&self, p: PValues) -> Option<GainRange> {
        let (interval, confidence) = match self.verdict_at(p) {
            Verdict::NoComparison | Verdict::AboutTheSame(ClaimScope::TheseCases) => return None,
            Verdict::Better(ClaimScope::CasesLikeThese)
            | Verdict::Worse(ClaimScope::CasesLikeThese) => (self.paired.interval?, 1.0 - ALPHA),
            Verdict::AboutTheSame(ClaimScope::CasesLikeThese) => (self.interval, 1.0 - ALPHA),
            Verdict::Better(ClaimScope::TheseCases) | Verdict::Worse(ClaimScope::TheseCases) => {
                let confidence = 1.0 - SETTLED_P;
                (interval_of_test(self.paired.mean, p.permutation, confidence)?, confidence)
            }
            _ => {
                // Among several candidates p is larger, so the range must be wider by as much: else
                // a range without 0 would stand beside "no clear difference".
                let own = self.moderated.p;
                // The range must exclude 0 just where the adjusted p settles it.
                let adjustment = if p.moderated > own { own / p.moderated } else { 1.0 };
                let confidence = 1.0 - SETTLED_P * adjustment;
                (self.moderated.interval(confidence)?, confidence)
            }
        };
        // The t interval knows no bound, and there is no gain of more than 100 points.
        let [low, high] = [interval.low, interval.high].map(|end| end.clamp(-1.0, 1.0));
        Some(GainRange { interval: Interval { low, high }, confidence })
    }
}

/// The rivals of each of these comparisons, which are looked at together.
pub fn rivals(together: &[PValues]) -> Vec<Rivals> {
    let of_rule =
        |p: fn(&PValues) -> f64| factors(&together.iter().map(p).collect::<Vec<_>>(), SETTLED_P);
    let [sign_flip, permutation, moderated] =
        [of_rule(|p| p.sign_flip), of_rule(|p| p.permutation), of_rule(|p| p.moderated)];
    let mut rivals = Vec::new();
    for at in 0..together.len() {
        rivals.push(Rivals {
            sign_flip: sign_flip[at],
            permutation: permutation[at],
            moderated: moderated[at],
        });
    }
    rivals
}

/// The p-values of comparisons that are looked at together, adjusted by `holm` rule by rule.
/// `None` when one lies outside \[0, 1\].
pub fn adjusted(together: &[PValues]) -> Option<Vec<PValues>> {
    let sign_flip = holm(&together.iter().map(|p| p.sign_flip).collect::<Vec<_>>())?;
    let permutation = holm(&together.iter().map(|p| p.permutation).collect::<Vec<_>>())?;
    let moderated = holm(&together.iter().map(|p| p.moderated).collect::<Vec<_>>())?;
    let mut adjusted = Vec::new();
    for at in 0..together.len() {
        adjusted.push(PValues {
            sign_flip: sign_flip[at],
            permutation: permutation[at],
            moderated: moderated[at],
        });
    }
    Some(adjusted)
}

impl Verdict {
    /// The verdict in lower-case words, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::NoComparison => "no comparison",
            Self::Better(_) => "better",
            Self::Worse(_) => "worse",
            Self::ProbablyBetter => "probably better",
            Self::ProbablyWorse => "probably worse",
            Self::AboutTheSame(_) => "about the same",
            Self::Unclear => "unclear",
        }
    }

    /// All, from the best, with the same claim.
    pub fn all(claim: ClaimScope) -> [Self; 7] {
        [
            Self::Better(claim),
            Self::ProbablyBetter,
            Self::Unclear,
            Self::AboutTheSame(claim),
            Self::ProbablyWorse,
            Self::Worse(claim),
            Self::NoComparison,
        ]
    }

    /// The verdict with this word.
    pub fn from_word(word: &str, claim: ClaimScope) -> Option<Self> {
        Self::all(claim).into_iter().find(|verdict| verdict.word() == word)
    }

    /// The cases that it makes a claim about, where it settles something.
    pub fn claim(self) -> Option<ClaimScope> {
        match self {
            Self::Better(claim) | Self::Worse(claim) | Self::AboutTheSame(claim) => Some(claim),
            _ => None,
        }
    }

    /// Whether it is settled as better or worse.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Better(_) | Self::Worse(_))
    }

    /// Whether it is bad news.
    pub fn is_worse(self) -> bool {
        matches!(self, Self::Worse(_) | Self::ProbablyWorse)
    }

    /// Its place on the scale from worse, 0, to better, 5.
    pub fn rank(self) -> usize {
        match self {
            Self::Worse(_) => 0,
            Self::ProbablyWorse => 1,
            Self::NoComparison => 2,
            Self::Unclear | Self::AboutTheSame(_) => 3,
            Self::ProbablyBetter => 4,
            Self::Better(_) => 5,
        }
    }
}

impl ClaimScope {
    /// Its word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::CasesLikeThese => "cases like these",
            Self::TheseCases => "these cases",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CaseRuns, ClaimScope, Evidence, GainRange, PValues, Verdict, adjusted};

    /// Each case by the score of its `runs` runs on either side.
    fn evidence(cases: &[(f64, f64)], runs: usize) -> Evidence {
        let sides = cases.iter().map(|(first, second)| (vec![*first; runs], vec![*second; runs]));
        let sides: Vec<_> = sides.collect();
        let cases =
            sides.iter().map(|sides| CaseRuns { first: &sides.0, second: &sides.1, checks: 8.0 });
        Evidence::weigh(&cases.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn the_first_that_holds() {
        let verdict = |cases: &[(f64, f64)], runs| evidence(cases, runs).verdict();
        assert_eq!(verdict(&[(0.9, 0.2); 6], 1), Verdict::Better(ClaimScope::CasesLikeThese));
        assert_eq!(verdict(&[(0.2, 0.9); 6], 1), Verdict::Worse(ClaimScope::CasesLikeThese));
        let repeated = [(0.4, 0.7), (0.2, 0.5)];
        assert_eq!(verdict(&repeated, 3), Verdict::Worse(ClaimScope::TheseCases));
        assert_eq!(verdict(&[(0.9, 0.2); 3], 1), Verdict::ProbablyBetter);
        assert_eq!(verdict(&[(0.5, 0.5); 3], 1), Verdict::AboutTheSame(ClaimScope::TheseCases));
        let mut near = vec![(0.5, 0.5); 80];
        near[0] = (0.6, 0.5);
        assert_eq!(verdict(&near, 1), Verdict::AboutTheSame(ClaimScope::CasesLikeThese));
        assert_eq!(verdict(&near[..4], 1), Verdict::Unclear);
        assert_eq!(verdict(&[(0.9, 0.2)], 1), Verdict::Unclear);
        assert_eq!(Evidence::weigh(&[]), None);
    }

    #[test]
    fn ranges_and_verdicts_agree() {
        let table: [(&[(f64, f64)], usize, Option<f64>); 7] = [
            (
                &[(0.9, 0.2), (0.9, 0.1), (0.8, 0.2), (0.9, 0.3), (0.9, 0.2), (0.7, 0.2)],
                1,
                Some(0.95),
            ),
            // Every case moved by the same amount, or none did.
            (&[(0.9, 0.2); 6], 1, None),
            (&[(0.5, 0.5); 3], 1, None),
            (&[(0.4, 0.7), (0.2, 0.5)], 3, Some(31.0 / 32.0)),
            (&[(0.9, 0.2); 3], 1, Some(31.0 / 32.0)),
            (&[(0.9, 0.2)], 1, Some(31.0 / 32.0)),
            (&[(0.9, 0.2), (0.2, 0.9), (0.5, 0.4)], 1, Some(31.0 / 32.0)),
        ];
        for (cases, runs, confidence) in table {
            let evidence = evidence(cases, runs);
            let range = evidence.range_at(evidence.p());
            assert_eq!(range.map(|range| range.confidence), confidence, "{cases:?}");
            let Some(GainRange { interval, .. }) = range else { continue };
            let is_open = evidence.verdict() == Verdict::Unclear;
            assert_eq!(interval.contains(0.0), is_open, "{cases:?} {interval:?}");
        }
        // Of three candidates this one is open, so its range holds 0 as well.
        let probable = evidence(&[(0.9, 0.2); 3], 1);
        let p = PValues { moderated: 0.05, ..probable.p() };
        assert_eq!(probable.verdict_at(p), Verdict::Unclear);
        let range = probable.range_at(p).unwrap();
        assert!(range.interval.contains(0.0) && range.confidence > 31.0 / 32.0);
    }

    #[test]
    fn no_range_goes_beyond_all() {
        let mut cases = [(1.0, 0.0); 7];
        (cases[0], cases[1]) = ((0.83, 0.0), (1.0, 0.17));
        let evidence = evidence(&cases, 1);
        assert!(evidence.paired.interval.is_some_and(|interval| interval.high > 1.0));
        let range = evidence.range_at(evidence.p()).unwrap();
        assert!(range.interval.high == 1.0 && range.interval.low > 0.8, "{range:?}");
    }

    #[test]
    fn a_gain_that_is_shown_as_none_settles_nothing() {
        let small = evidence(&[(0.504, 0.5); 8], 3);
        assert_eq!(small.verdict(), Verdict::AboutTheSame(ClaimScope::CasesLikeThese));
        assert_eq!((small.paired.better, small.paired.same), (0, 8));
        let shown = evidence(&[(0.505, 0.5); 8], 3);
        assert_eq!(shown.verdict(), Verdict::Better(ClaimScope::CasesLikeThese));
    }

    #[test]
    fn among_many_it_takes_more() {
        let clear = evidence(&[(0.9, 0.2); 6], 1);
        let open = evidence(&[(0.5, 0.5); 6], 1);
        let p = adjusted(&[clear.p(), open.p(), open.p()]).unwrap();
        assert_eq!(p[0].sign_flip, 3.0 * clear.p().sign_flip);
        assert_eq!(clear.verdict_at(p[0]), Verdict::ProbablyBetter);
        assert_eq!(open.verdict_at(p[1]), Verdict::AboutTheSame(ClaimScope::TheseCases));
        let nonsense = PValues { sign_flip: f64::NAN, ..open.p() };
        assert_eq!(adjusted(&[nonsense]), None);
    }
}
