//! By how much one side is ahead of another, and how sure that is.
//!
//! The case is the unit: each case that both sides have counts once, by the mean of its runs' pass
//! rates, whatever the number of its runs. Cases of one side only are listed and take no part.

use crate::analyze::flips::Side;
use crate::analyze::lines::CaseLine;
use crate::model::{Case, Workspace};
use crate::statistics::{PairedGain, Standing, mean};

/// One side against another.
#[derive(Clone, Debug, PartialEq)]
pub struct Gain {
    /// Lines with verdicts on both sides.
    pub shared: Vec<usize>,
    /// Lines with verdicts on the later side only.
    pub only_after: Vec<usize>,
    /// Lines with verdicts on the earlier side only.
    pub only_before: Vec<usize>,
    /// Largest number of graded runs that a shared case has on either side.
    pub runs_per_case: usize,
    /// The gain of the later side in shares of 1, by case; `None` without a shared case.
    pub paired: Option<PairedGain>,
}

/// What a gain amounts to, in one word of a small grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The later side passes more.
    Better(Standing),
    /// The later side passes less.
    Worse(Standing),
    /// Neither test tells the sides apart.
    NoMeasurableChange,
    /// Every shared case passed equally often on both sides.
    Same,
    /// Fewer than two cases have verdicts on both sides.
    TooFewCases,
    /// Both sides have verdicts, on no case in common.
    NotComparable,
}

impl Gain {
    /// The verdict: *settled* and *leaning* are [`PairedGain::standing`]; what is open is no
    /// measurable change.
    pub fn verdict(&self) -> Verdict {
        let Some(paired) = &self.paired else {
            return Verdict::NotComparable;
        };
        match paired.standing() {
            _ if paired.cases < 2 => Verdict::TooFewCases,
            _ if paired.better + paired.worse == 0 => Verdict::Same,
            Standing::Open => Verdict::NoMeasurableChange,
            standing if paired.mean < 0.0 => Verdict::Worse(standing),
            standing => Verdict::Better(standing),
        }
    }
}

/// The gain of `after` on `before`.
pub fn gain(workspace: &Workspace, lines: &[CaseLine], before: &Side, after: &Side) -> Gain {
    let (mut shared, mut only_after, mut only_before) = (Vec::new(), Vec::new(), Vec::new());
    let mut differences = Vec::new();
    let mut runs_per_case = 0;
    for (index, line) in lines.iter().enumerate() {
        let [old, new] = [before, after].map(|side| rates(workspace, line, side));
        match (mean(&old), mean(&new)) {
            (Some(from), Some(to)) => {
                shared.push(index);
                differences.push(to - from);
                runs_per_case = runs_per_case.max(old.len()).max(new.len());
            }
            (None, Some(_)) => only_after.push(index),
            (Some(_), None) => only_before.push(index),
            (None, None) => {}
        }
    }
    let paired = PairedGain::of(&differences);
    Gain { shared, only_after, only_before, runs_per_case, paired }
}

/// The pass rates of a side's graded runs of one case.
fn rates(workspace: &Workspace, line: &CaseLine, side: &Side) -> Vec<f64> {
    let met = line.meeting(side.iteration);
    let case = met.map(|met| &workspace.iterations[side.iteration].cases[met.case]);
    case.map(|case| rates_of(case, &side.configuration)).unwrap_or_default()
}

/// The pass rates of the graded runs of one configuration of a case.
pub(super) fn rates_of(case: &Case, configuration: &str) -> Vec<f64> {
    let runs = case.runs.iter().filter(|run| run.configuration == configuration);
    runs.filter_map(|run| run.tally().pass_rate()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Verdict, gain};
    use crate::analyze::flips::Side;
    use crate::analyze::lines;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::statistics::Standing;

    fn run(configuration: &str, passed: usize, total: usize) -> Run {
        let expectations = (0..total).map(|at| Expectation {
            text: format!("statement {at}"),
            outcome: if at < passed { Outcome::Passed } else { Outcome::Failed },
            ..Expectation::default()
        });
        let grading = Grading { expectations: expectations.collect(), ..Grading::default() };
        let configuration = configuration.to_owned();
        Run { configuration, gradings: vec![grading], ..Run::default() }
    }

    /// One case per pair of passes out of ten; `None` is a case without that side.
    fn verdict(cases: &[(Option<usize>, Option<usize>)]) -> (Verdict, usize) {
        let cases = cases.iter().enumerate().map(|(at, (old, new))| {
            let old = old.map(|passed| run("old", passed, 10));
            let new = new.map(|passed| run("new", passed, 10));
            Case {
                name: format!("case {at}"),
                runs: old.into_iter().chain(new).collect(),
                ..Case::default()
            }
        });
        let iteration = Iteration { cases: cases.collect(), ..Iteration::default() };
        let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
        let side = |name: &str| Side { iteration: 0, configuration: name.to_owned() };
        let found = gain(&workspace, &lines::of(&workspace), &side("old"), &side("new"));
        (found.verdict(), found.shared.len())
    }

    #[test]
    fn verdicts_are_as_sure_as_the_cases_allow() {
        let both = |old, new| (Some(old), Some(new));
        let gained: Vec<_> = (0..8).map(|at| both(3, 6 + at % 3)).collect();
        assert_eq!(verdict(&gained), (Verdict::Better(Standing::Settled), 8));
        let lost: Vec<_> = gained.iter().map(|(old, new)| (*new, *old)).collect();
        assert_eq!(verdict(&lost), (Verdict::Worse(Standing::Settled), 8));
        assert_eq!(verdict(&gained[..4]), (Verdict::Better(Standing::Leaning), 4));
        let mixed = [both(3, 6), both(6, 3), both(5, 6), both(7, 6)];
        assert_eq!(verdict(&mixed), (Verdict::NoMeasurableChange, 4));
        assert_eq!(verdict(&[both(3, 3), both(5, 5)]), (Verdict::Same, 2));
        assert_eq!(verdict(&[both(1, 9)]), (Verdict::TooFewCases, 1));
        assert_eq!(verdict(&[(Some(3), None), (None, Some(3))]), (Verdict::NotComparable, 0));
        assert_eq!(verdict(&[]), (Verdict::NotComparable, 0));
    }

    #[test]
    fn only_shared_cases_count() {
        let cases = [(Some(1), Some(9)), (Some(1), Some(9)), (None, Some(0)), (Some(10), None)];
        assert_eq!(verdict(&cases).1, 2);
    }
}
