//! The words and the order of verdicts. The rules that lead to them are in
//! [`statistics/verdict.rs`](statistics::Evidence).

use crate::analyze::{Gain, Measure};
use statistics::{ClaimScope, GainRange, Verdict, mean};

/// The large word for a comparison. It is finer than the verdict where that is open: most real
/// evaluations have a few cases with one run each, and still moved one way in all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictWord {
    /// One side only, or no shared graded case.
    NoComparison,
    Better,
    Worse,
    BetterOnTheseCases,
    WorseOnTheseCases,
    ProbablyBetter,
    ProbablyWorse,
    AboutTheSame {
        shared: Option<SharedOutcome>,
    },
    /// At least two cases, all of which moved up.
    UpInAll {
        cases: usize,
    },
    DownInAll {
        cases: usize,
    },
    /// Some cases moved up, some stayed, none moved down.
    UpInSome {
        up: usize,
        cases: usize,
    },
    DownInSome {
        down: usize,
        cases: usize,
    },
    /// A case moved up and another one down, each by at least 10 points.
    Mixed,
    NoClearDifference,
    /// Missing verdicts could undo the good news of the others.
    NotDecided,
}

/// The pass rate of both sides, where they are about the same because neither could differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedOutcome {
    AllPassed,
    AllFailed,
}

impl VerdictWord {
    /// All, of so many cases that moved up and down.
    pub fn all(up: usize, down: usize, cases: usize) -> [Self; 17] {
        [
            Self::Better,
            Self::BetterOnTheseCases,
            Self::ProbablyBetter,
            Self::UpInAll { cases },
            Self::UpInSome { up, cases },
            Self::Mixed,
            Self::NoClearDifference,
            Self::NotDecided,
            Self::AboutTheSame { shared: None },
            Self::AboutTheSame { shared: Some(SharedOutcome::AllPassed) },
            Self::AboutTheSame { shared: Some(SharedOutcome::AllFailed) },
            Self::DownInSome { down, cases },
            Self::DownInAll { cases },
            Self::ProbablyWorse,
            Self::WorseOnTheseCases,
            Self::Worse,
            Self::NoComparison,
        ]
    }

    /// In lower-case words, for programs; the numbers are among the figures of the gain.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoComparison => "no comparison",
            Self::Better => "better",
            Self::Worse => "worse",
            Self::BetterOnTheseCases => "better on these cases",
            Self::WorseOnTheseCases => "worse on these cases",
            Self::ProbablyBetter => "probably better",
            Self::ProbablyWorse => "probably worse",
            Self::AboutTheSame { shared: None } => "about the same",
            Self::AboutTheSame { shared: Some(SharedOutcome::AllPassed) } => "both all passed",
            Self::AboutTheSame { shared: Some(SharedOutcome::AllFailed) } => "both all failed",
            Self::UpInAll { .. } => "up in all cases",
            Self::DownInAll { .. } => "down in all cases",
            Self::UpInSome { .. } => "up in some cases, none down",
            Self::DownInSome { .. } => "down in some cases, none up",
            Self::Mixed => "mixed",
            Self::NoClearDifference => "no clear difference",
            Self::NotDecided => "not decided",
        }
    }
}

/// The words of verdicts for programs, first the verdicts, then the finer words that pages show.
pub fn verdict_words() -> [Vec<&'static str>; 2] {
    let verdicts = Verdict::all(ClaimScope::CasesLikeThese).map(Verdict::word);
    [verdicts.to_vec(), VerdictWord::all(0, 0, 0).map(VerdictWord::name).to_vec()]
}

/// A case that moved by less does not make a result mixed: 10 points, in shares of 1.
const CLEAR_MOVE: f64 = 0.1;

impl Gain {
    /// The range that is drawn with [`Self::word`]; `None` where there is none.
    pub fn range(&self) -> Option<GainRange> {
        if self.undecided().is_some() {
            return None;
        }
        let comparison = self.comparison.as_ref()?;
        comparison.evidence.range_at(comparison.adjusted_p)
    }

    pub fn word(&self) -> VerdictWord {
        if self.undecided().is_some() { VerdictWord::NotDecided } else { self.counted_word() }
    }

    /// The word for what has verdicts, whatever is missing.
    pub(super) fn counted_word(&self) -> VerdictWord {
        match self.counted_verdict() {
            Verdict::NoComparison => VerdictWord::NoComparison,
            Verdict::Better(ClaimScope::CasesLikeThese) => VerdictWord::Better,
            Verdict::Better(ClaimScope::TheseCases) => VerdictWord::BetterOnTheseCases,
            Verdict::Worse(ClaimScope::CasesLikeThese) => VerdictWord::Worse,
            Verdict::Worse(ClaimScope::TheseCases) => VerdictWord::WorseOnTheseCases,
            Verdict::ProbablyBetter => VerdictWord::ProbablyBetter,
            Verdict::ProbablyWorse => VerdictWord::ProbablyWorse,
            Verdict::AboutTheSame(_) => VerdictWord::AboutTheSame { shared: self.shared_outcome() },
            Verdict::Unclear => self.direction(),
        }
    }

    fn shared_outcome(&self) -> Option<SharedOutcome> {
        if self.is_saturated() {
            Some(SharedOutcome::AllPassed)
        } else if self.before.passed + self.after.passed == 0 && self.measure() == Measure::PassRate
        {
            Some(SharedOutcome::AllFailed)
        } else {
            None
        }
    }

    /// Where the cases of an open comparison moved.
    fn direction(&self) -> VerdictWord {
        let Some(paired) = self.paired() else { return VerdictWord::NoComparison };
        let (cases, up, down) = (paired.cases, paired.better, paired.worse);
        let moves = self.case_gains();
        // One case of 300 that moved is no direction of the whole.
        let is_one_way = !paired.is_shown_as_zero();
        if is_one_way && down == 0 && up == cases {
            VerdictWord::UpInAll { cases }
        } else if is_one_way && up == 0 && down == cases {
            VerdictWord::DownInAll { cases }
        } else if is_one_way && down == 0 && up > 0 && up < cases {
            VerdictWord::UpInSome { up, cases }
        } else if is_one_way && up == 0 && down > 0 && down < cases {
            VerdictWord::DownInSome { down, cases }
        } else if moves.iter().any(|gain| *gain >= CLEAR_MOVE)
            && moves.iter().any(|gain| *gain <= -CLEAR_MOVE)
        {
            VerdictWord::Mixed
        } else {
            VerdictWord::NoClearDifference
        }
    }

    /// The gain of each shared case, in shares of 1 and in the order of [`Self::shared`]; rounded, so
    /// that 0.6 − 0.5 is 10 points.
    pub fn case_gains(&self) -> Vec<f64> {
        let mut gains = Vec::new();
        for [before, after] in &self.runs {
            let gain = mean(after).unwrap_or(0.0) - mean(before).unwrap_or(0.0);
            gains.push((gain * 1e9).round() / 1e9);
        }
        gains
    }
}

#[cfg(test)]
mod tests {
    use super::{SharedOutcome, VerdictWord};
    use crate::analyze::{Side, analysis, change};
    use crate::tests::workspaces::{case, run, workspace};
    use input::settings::Settings;
    use testing::gradings::verdicts;

    #[test]
    fn an_open_comparison_says_where_its_cases_moved() {
        use VerdictWord::{
            AboutTheSame, DownInAll, DownInSome, Mixed, NoClearDifference, NoComparison,
            ProbablyBetter, UpInAll, UpInSome,
        };
        // The verdicts of the earlier and of the later side in each case.
        let table: [(&[(&str, &str)], VerdictWord); 12] = [
            (&[], NoComparison),
            (&[("fff", "pff"), ("pff", "ppf"), ("fff", "ppf")], UpInAll { cases: 3 }),
            (&[("pff", "fff"), ("ppf", "pff"), ("ppf", "fff")], DownInAll { cases: 3 }),
            (&[("fff", "ppp"), ("pff", "ppp"), ("fff", "ppp")], ProbablyBetter),
            (&[("fff", "pff"), ("pff", "pff"), ("fff", "ppf")], UpInSome { up: 2, cases: 3 }),
            (&[("pff", "fff"), ("pff", "pff"), ("ppf", "fff")], DownInSome { down: 2, cases: 3 }),
            (&[("fff", "ppf"), ("ppf", "pff")], Mixed),
            (&[("fff", "pff"), ("pff", "ppf")], UpInAll { cases: 2 }),
            // One of 20 checks is no clear move.
            (
                &[("ffffffffffffffffffff", "pfffffffffffffffffff"), ("ppf", "pff")],
                NoClearDifference,
            ),
            (
                &[("ppp", "ppp"), ("p", "p")],
                AboutTheSame { shared: Some(SharedOutcome::AllPassed) },
            ),
            (&[("ff", "ff"), ("f", "f")], AboutTheSame { shared: Some(SharedOutcome::AllFailed) }),
            (&[("pf", "pf"), ("p", "p")], AboutTheSame { shared: None }),
        ];
        for (cases, expected) in table {
            let mut found = Vec::new();
            for (at, (before, after)) in cases.iter().enumerate() {
                let runs = vec![run("old", 1, verdicts(before)), run("new", 1, verdicts(after))];
                found.push(case(&format!("case {at}"), runs));
            }
            let workspace = workspace(vec![found]);
            let settings = Settings::default();
            let histories = analysis(&workspace, &settings).cases;
            let (old, new) = (Side::new(0, "old"), Side::new(0, "new"));
            let gain = change(&workspace, &histories, &old, &new, &settings).gain;
            assert_eq!(gain.word(), expected, "{cases:?}");
            if gain.word() != ProbablyBetter && gain.paired().is_some() {
                let holds_0 = gain.range().is_none_or(|range| range.interval.contains(0.0));
                assert!(holds_0, "{cases:?}: word and range contradict each other");
            }
        }
    }
}
