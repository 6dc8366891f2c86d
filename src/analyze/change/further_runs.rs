//! What more runs of an open comparison would settle, and what they would take.

use crate::analyze::change::costs::Cost;
use crate::analyze::{Change, VerdictWord};
use input::model::{Run, Workspace};
use statistics::{CaseRuns, Extension, RunNoise, Verdict, chance_to_settle};

/// What is looked at, in the order in which a person would choose: new cases have to be written first.
const PLANS: [Extension; 3] = [Extension::Runs(2), Extension::Runs(4), Extension::TwiceTheCases];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// Runs of each case on each side.
    Runs(usize),
    /// Cases, with as many runs as the others.
    Cases(usize),
}

/// Further runs, what they would settle, and their cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FurtherRuns {
    pub more: More,
    /// Of ten evaluations with results like these, those that get a word with it; 0 to 9, as nothing is
    /// certain.
    pub settled_in_ten: usize,
    /// Further runs, of both sides.
    pub runs: usize,
    /// Their tokens; `None` unless both sides recorded tokens.
    pub tokens: Option<f64>,
    /// Their time, one after another; `None` unless both sides recorded it.
    pub seconds: Option<f64>,
}

impl Change {
    /// What more runs would buy. `None` where the word is no open one, where verdicts are missing, which
    /// costs no run, and where scores are compared: how much these vary from run to run is not known.
    /// `noise` is [`Analysis::run_noise`](crate::analyze::Analysis::run_noise).
    pub fn what_more_runs_buy(&self, noise: RunNoise) -> Option<[FurtherRuns; 3]> {
        *self.bought.get_or_init(|| self.forecast(noise))
    }

    fn forecast(&self, noise: RunNoise) -> Option<[FurtherRuns; 3]> {
        let is_open = self.gain.verdict() == Verdict::Unclear;
        if !is_open || self.gain.word() == VerdictWord::NotDecided {
            return None;
        }
        let comparison = self.gain.comparison.as_ref()?;
        let rates: Vec<[Vec<f64>; 2]> =
            comparison.tallies.iter().map(|case| case.rates()).collect();
        let mut cases = Vec::new();
        for (case, [first, second]) in comparison.tallies.iter().zip(&rates) {
            cases.push(CaseRuns { first, second, checks: case.checks });
        }
        let mut bought = Vec::new();
        for plan in PLANS {
            let chance = chance_to_settle(&cases, noise, comparison.rivals, plan)?;
            let (more, runs) = match plan {
                Extension::Runs(more) => (More::Runs(more), 2 * more * cases.len()),
                Extension::TwiceTheCases => {
                    let runs = cases.iter().map(|case| case.first.len() + case.second.len()).sum();
                    (More::Cases(cases.len()), runs)
                }
            };
            bought.push(FurtherRuns {
                more,
                settled_in_ten: ((chance * 10.0).round() as usize).min(9),
                runs,
                tokens: cost_of_runs(&self.costs.tokens, runs),
                seconds: cost_of_runs(&self.costs.time, runs),
            });
        }
        bought.try_into().ok()
    }
}

/// What `runs` would cost, half of them of each side; `None` unless both sides recorded it, and it can
/// be true.
fn cost_of_runs(cost: &Cost, runs: usize) -> Option<f64> {
    if cost.implausible.is_some() {
        return None;
    }
    Some((cost.before? + cost.after?) * runs as f64 / 2.0)
}

/// The noise that repeated runs of one side of a case show, in all iterations, moderated to the usual one.
pub(in crate::analyze) fn noise_of_runs(workspace: &Workspace) -> RunNoise {
    let mut groups: Vec<(Vec<f64>, f64)> = Vec::new();
    for iteration in &workspace.iterations {
        for case in &iteration.cases {
            for configuration in &iteration.configurations {
                groups.extend(repeated(case.graded_runs_of(configuration)));
            }
        }
    }
    RunNoise::estimate(groups.iter().map(|(rates, checks)| (&rates[..], *checks)))
}

/// The pass rates of the runs, and their checks; `None` for a single run.
fn repeated<'r>(runs: impl Iterator<Item = &'r Run>) -> Option<(Vec<f64>, f64)> {
    let tallies: Vec<_> = runs.map(Run::tally).filter(|tally| tally.graded() > 0).collect();
    if tallies.len() < 2 {
        return None;
    }
    let checks: f64 = tallies.iter().map(|tally| 1.0 / tally.graded() as f64).sum();
    let rates = tallies.iter().filter_map(|tally| tally.pass_rate()).collect();
    Some((rates, tallies.len() as f64 / checks))
}

#[cfg(test)]
mod tests {
    use super::FurtherRuns;
    use crate::analyze::{Side, analysis, change};
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::Workspace;
    use input::settings::Settings;
    use testing::gradings::verdicts;

    /// The verdicts of the runs of a case, of the old and of the new side, such as `pf pp` for two runs.
    type Sides = (&'static str, &'static str);

    /// What more runs would buy.
    fn bought(cases: &[Sides]) -> Option<[FurtherRuns; 3]> {
        let workspace = made_up(cases);
        let settings = Settings::default();
        let histories = analysis(&workspace, &settings).cases;
        let (old, new) = (Side::new(0, "old"), Side::new(0, "new"));
        let change = change(&workspace, &histories, &old, &new, &settings);
        change.what_more_runs_buy(super::noise_of_runs(&workspace))
    }

    fn made_up(cases: &[Sides]) -> Workspace {
        let mut found = Vec::new();
        for (at, (old, new)) in cases.iter().enumerate() {
            let mut runs = Vec::new();
            for (name, of_side, tokens) in [("old", old, 1000.0), ("new", new, 3000.0)] {
                for (number, letters) in (1..).zip(of_side.split(' ')) {
                    let mut run = run(name, number, verdicts(letters));
                    run.metrics.tokens = Some(tokens + 10.0 * at as f64);
                    runs.push(run);
                }
            }
            found.push(case(&format!("case {at}"), runs));
        }
        workspace(vec![found])
    }

    #[test]
    fn open_comparisons_alone_have_something_to_buy() {
        let [two, four, twice] =
            bought(&[("pfff", "ppff"), ("ppff", "ppff"), ("pfff", "pppf")]).unwrap();
        assert_eq!([two.runs, four.runs, twice.runs], [12, 24, 6]);
        assert!(two.settled_in_ten <= four.settled_in_ten && four.settled_in_ten >= 3);
        assert_eq!((two.tokens, two.seconds), (Some(12.0 * 2010.0), None));
        // Settled, the same, nothing, and what graders have to look at again.
        let table: [&[Sides]; 4] =
            [&[("ffff", "pppp"); 6], &[("pp", "pp"); 3], &[], &[("ff", "p?"); 3]];
        for cases in table {
            assert_eq!(bought(cases), None, "{cases:?}");
        }
    }

    #[test]
    fn unsteady_runs_take_more() {
        let settled = |old, new| bought(&[(old, new); 2]).map(|[_, four, _]| four.settled_in_ten);
        let steady = settled("ppff ppff", "pppf ppff");
        let unsteady = settled("pppp ffff", "pppp pfff");
        assert!(steady.is_some() && steady > unsteady, "{steady:?} {unsteady:?}");
    }
}
