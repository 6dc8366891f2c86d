//! By how much one side is ahead of another, and how sure that is.
//!
//! The case is the unit: each case that both sides have counts once, by the mean of its runs' pass
//! rates, whatever the number of its runs. What is compared is alike: the same prompt, and the
//! statements that both sides were checked by, in the same or in other words. Cases that are not are
//! listed and take no part.

use crate::analyze::flips::Side;
use crate::analyze::lines::{CaseLine, has_another_prompt};
use crate::analyze::rewording::matched;
use crate::analyze::statements::{Statement, judged_statements};
use crate::model::{Case, Tally, Workspace};
use crate::statistics::{Detection, PairedGain, SETTLED_P, Standing, mean};

/// One side against another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gain {
    /// Lines with verdicts on both sides that can be compared.
    pub shared: Vec<usize>,
    /// Lines with verdicts on the later side only.
    pub only_after: Vec<usize>,
    /// Lines with verdicts on the earlier side only.
    pub only_before: Vec<usize>,
    /// Lines with verdicts on both sides, but with another prompt or too few statements in common.
    pub unlike: Vec<usize>,
    /// Shared cases of which a side has a single graded run: how much its runs differ is not known.
    pub single: usize,
    /// Runs of the shared cases without any verdict, of the earlier and of the later side.
    pub ungraded: [usize; 2],
    /// Checks of the shared cases that have no verdict although their run has others, of the earlier
    /// and of the later side.
    pub unjudged: [usize; 2],
    /// The mean over the shared cases of the earlier and of the later side, in 0..=1: their difference
    /// is the gain. `None` without a shared case.
    pub means: Option<[f64; 2]>,
    /// The verdicts of the earlier side that are compared.
    pub before: Tally,
    /// The verdicts of the later side that are compared.
    pub after: Tally,
    /// The gain of the later side in shares of 1, by case; `None` without a shared case.
    pub paired: Option<PairedGain>,
    /// How many candidates of the iteration are held at once against such a side as the earlier one,
    /// this one included; 1 for a comparison by itself, 0 without a shared case.
    pub at_once: usize,
    /// The p of the gain after Holm's adjustment for them; `None` without a shared case.
    pub adjusted_p: Option<f64>,
    /// Which gains so many cases and runs could show; `None` for one case, or when every case moved
    /// by the same amount.
    pub detection: Option<Detection>,
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
    /// Fewer than two cases have verdicts on both sides, or so few that no difference among them
    /// could be told from chance.
    TooFewCases,
    /// Both sides have verdicts, on nothing in common.
    NotComparable,
}

impl Verdict {
    /// Every verdict there is.
    const ALL: [Self; 8] = [
        Self::Better(Standing::Settled),
        Self::Better(Standing::Leaning),
        Self::Worse(Standing::Settled),
        Self::Worse(Standing::Leaning),
        Self::NoMeasurableChange,
        Self::Same,
        Self::TooFewCases,
        Self::NotComparable,
    ];

    /// The verdict of those words.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.word() == word)
    }

    /// The verdict in lower-case words, as programs read it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Better(Standing::Settled) => "better, settled",
            Self::Better(_) => "better, leaning",
            Self::Worse(Standing::Settled) => "worse, settled",
            Self::Worse(_) => "worse, leaning",
            Self::NoMeasurableChange => "no measurable change",
            Self::Same => "same",
            Self::TooFewCases => "too few cases",
            Self::NotComparable => "not comparable",
        }
    }
}

impl Gain {
    /// The verdict: *settled* and *leaning* are [`PairedGain::standing_at`] the adjusted p; what is
    /// open is no measurable change, or too few cases where even the clearest gain would be open.
    pub fn verdict(&self) -> Verdict {
        let Some(paired) = &self.paired else {
            return Verdict::NotComparable;
        };
        match paired.standing_at(self.adjusted_p.unwrap_or_else(|| paired.p()), self.at_once) {
            _ if paired.cases < 2 => Verdict::TooFewCases,
            _ if paired.better + paired.worse == 0 => Verdict::Same,
            Standing::Open if !self.can_settle() => Verdict::TooFewCases,
            Standing::Open => Verdict::NoMeasurableChange,
            standing if paired.mean < 0.0 => Verdict::Worse(standing),
            standing => Verdict::Better(standing),
        }
    }

    /// Whether it would be settled if no other candidate were held against such a side.
    pub fn would_settle_alone(&self) -> bool {
        self.at_once > 1 && self.paired.is_some_and(|it| it.standing() == Standing::Settled)
    }

    /// Whether so many cases can settle anything, however clear: with fewer no p comes down to
    /// [`SETTLED_P`] for all candidates that are compared at once. False without a shared case.
    pub fn can_settle(&self) -> bool {
        self.paired.is_some_and(|it| it.sign_flip.smallest_p * self.at_once as f64 <= SETTLED_P)
    }

    /// The fewest cases that could: the least G with 2/2^G times the candidates within [`SETTLED_P`].
    pub fn cases_to_settle(&self) -> usize {
        let needed = 2.0 * self.at_once.max(1) as f64 / SETTLED_P;
        needed.log2().ceil() as usize
    }

    /// Cases that only one side has or that are not alike.
    pub fn left_out(&self) -> usize {
        self.only_after.len() + self.only_before.len() + self.unlike.len()
    }
}

/// The gain of `after` on `before`.
pub fn gain(workspace: &Workspace, lines: &[CaseLine], before: &Side, after: &Side) -> Gain {
    let mut found = Gain::default();
    let mut rates: Vec<(Vec<f64>, Vec<f64>)> = Vec::new();
    let [mut differences, mut old_means, mut new_means] = [const { Vec::new() }; 3];
    for (index, line) in lines.iter().enumerate() {
        let [old, new] = [before, after].map(|side| graded(workspace, line, side));
        let (old, new) = match (old, new) {
            (Some(old), Some(new)) => (old, new),
            (None, None) => continue,
            (old, _) => {
                let only =
                    if old.is_some() { &mut found.only_before } else { &mut found.only_after };
                only.push(index);
                continue;
            }
        };
        let Some([old_level, new_level]) = levels(&old, &new, before.is_beside(after)) else {
            found.unlike.push(index);
            continue;
        };
        found.shared.push(index);
        found.single += usize::from(old_level.rates.len() == 1 || new_level.rates.len() == 1);
        found.before.add(old_level.tally);
        found.after.add(new_level.tally);
        for (at, (case, side)) in [(old.case, before), (new.case, after)].into_iter().enumerate() {
            found.ungraded[at] +=
                case.runs_of(&side.configuration).filter(|it| !it.is_graded()).count();
            let graded = case.graded_runs_of(&side.configuration);
            found.unjudged[at] += graded.map(|run| run.tally().ungraded).sum::<usize>();
        }
        differences.push(new_level.mean - old_level.mean);
        old_means.push(old_level.mean);
        new_means.push(new_level.mean);
        rates.push((new_level.rates, old_level.rates));
    }
    found.paired = PairedGain::of(&differences);
    found.means = mean(&old_means).zip(mean(&new_means)).map(|(old, new)| [old, new]);
    found.adjusted_p = found.paired.map(|paired| paired.p());
    found.at_once = usize::from(found.paired.is_some());
    found.detection = Detection::of(&rates);
    found
}

/// One side of one case, with at least one verdict.
struct Graded<'w> {
    case: &'w Case,
    /// Those with a verdict.
    statements: Vec<Statement<'w>>,
}

fn graded<'w>(workspace: &'w Workspace, line: &CaseLine, side: &Side) -> Option<Graded<'w>> {
    let case = line.case(workspace, side.iteration)?;
    let statements = judged_statements(case, &side.configuration);
    (!statements.is_empty()).then_some(Graded { case, statements })
}

/// What one side of a case amounts to.
struct Level {
    mean: f64,
    /// Of each graded run.
    rates: Vec<f64>,
    tally: Tally,
}

/// Both sides by the statements they share; `None` where they are not alike.
///
/// They are alike with the same prompt and when at least half of the statements of the side that
/// has fewer are the other's too. Within an iteration the prompt is the same, and graders who word
/// their statements anew for every run still check the same case: there all verdicts count. Sides
/// that share no statement and have another number of them were checked by something else.
fn levels(old: &Graded<'_>, new: &Graded<'_>, is_same_iteration: bool) -> Option<[Level; 2]> {
    let pairs = matched(&old.statements, &new.statements);
    let fewer = old.statements.len().min(new.statements.len());
    let (old_shared, new_shared): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
    if pairs.len() * 2 >= fewer && !has_another_prompt(old.case, new.case) {
        return Some([level(old, old_shared)?, level(new, new_shared)?]);
    }
    let is_worded_anew = !pairs.is_empty() || old.statements.len() == new.statements.len();
    if !is_same_iteration || !is_worded_anew {
        return None;
    }
    Some([level(old, 0..old.statements.len())?, level(new, 0..new.statements.len())?])
}

/// The mean pass rate of the graded runs over the statements that count.
fn level(side: &Graded<'_>, counted: impl IntoIterator<Item = usize>) -> Option<Level> {
    let mut by_run = vec![Tally::default(); side.case.runs.len()];
    for at in counted {
        for (run, tally) in &side.statements[at].by_run {
            by_run[*run].add(*tally);
        }
    }
    let rates: Vec<f64> = by_run.iter().filter_map(|tally| tally.pass_rate()).collect();
    Some(Level { mean: mean(&rates)?, rates, tally: by_run.into_iter().sum() })
}

#[cfg(test)]
mod tests {
    use super::{Gain, Verdict, gain};
    use crate::analyze::flips::Side;
    use crate::analyze::lines;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::statistics::{PairedGain, Standing};

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
        let found = gain(&workspace, &lines::find_lines(&workspace), &side("old"), &side("new"));
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
        let mixed = [both(3, 6), both(6, 3), both(5, 6), both(7, 6), both(2, 3), both(9, 8)];
        assert_eq!(verdict(&mixed), (Verdict::NoMeasurableChange, 6));
        assert_eq!(verdict(&mixed[..4]), (Verdict::TooFewCases, 4));
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

    /// The gain from an iteration to the next on one case with these prompts and statements.
    fn between(prompts: [&str; 2], statements: [&[(&str, bool)]; 2]) -> Gain {
        let iteration = |at: usize| {
            let expectation = |(text, passed): &(&str, bool)| Expectation {
                text: (*text).to_owned(),
                outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
                ..Expectation::default()
            };
            let expectations = statements[at].iter().map(expectation).collect();
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            let run = Run { configuration: "s".to_owned(), gradings, ..Run::default() };
            let prompt = Some(prompts[at].to_owned());
            let case = Case { name: "a".to_owned(), prompt, runs: vec![run], ..Case::default() };
            Iteration { cases: vec![case], ..Iteration::default() }
        };
        let iterations = vec![iteration(0), iteration(1)];
        let workspace = Workspace { iterations, ..Workspace::default() };
        let side = |iteration| Side { iteration, configuration: "s".to_owned() };
        gain(&workspace, &lines::find_lines(&workspace), &side(0), &side(1))
    }

    #[test]
    fn another_prompt_is_another_task() {
        let same = between(["Do it", "do  it"], [&[("x", false)], &[("x", true)]]);
        assert_eq!((same.shared.len(), same.unlike.len()), (1, 0));
        let other = between(["Do it", "Do this"], [&[("x", false)], &[("x", true)]]);
        assert_eq!((other.shared.len(), other.unlike.len()), (0, 1));
        assert_eq!(other.verdict(), Verdict::NotComparable);
    }

    #[test]
    fn only_statements_of_both_sides_count() {
        let old: &[(&str, bool)] = &[("x", true), ("y", false), ("z", true)];
        let new: &[(&str, bool)] = &[("x", true), ("y", true), ("v", false), ("w", false)];
        let found = between(["", ""], [old, new]);
        assert_eq!((found.before.passed, found.before.graded()), (1, 2));
        assert_eq!((found.after.passed, found.after.graded()), (2, 2));
        assert_eq!(found.paired.unwrap().mean, 0.5);
        let few: &[(&str, bool)] = &[("x", true), ("v", true), ("w", true)];
        assert_eq!(between(["", ""], [old, few]).unlike, [0], "one of three is too few");
    }

    /// The gain within an iteration on one case with these statements.
    fn within(statements: [&[(&str, Outcome)]; 2]) -> Gain {
        let run = |(name, statements): (&str, &[(&str, Outcome)])| {
            let expectation = |(text, outcome): &(&str, Outcome)| Expectation {
                text: (*text).to_owned(),
                outcome: *outcome,
                ..Expectation::default()
            };
            let expectations = statements.iter().map(expectation).collect();
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            Run { configuration: name.to_owned(), gradings, ..Run::default() }
        };
        let runs = ["old", "new"].into_iter().zip(statements).map(run).collect();
        let cases = vec![Case { name: "a".to_owned(), runs, ..Case::default() }];
        let workspace = Workspace {
            iterations: vec![Iteration { cases, ..Iteration::default() }],
            ..Workspace::default()
        };
        let side = |name: &str| Side { iteration: 0, configuration: name.to_owned() };
        gain(&workspace, &lines::find_lines(&workspace), &side("old"), &side("new"))
    }

    #[test]
    fn sides_that_were_checked_by_something_else_are_not_compared() {
        let (passed, failed) = (Outcome::Passed, Outcome::Failed);
        let own =
            within([&[("Names a date", passed)], &[("Adds up", passed), ("Has rows", failed)]]);
        assert_eq!((own.shared.len(), own.unlike.len()), (0, 1));
        let anew = within([&[("Names a date", failed)], &[("It says when", passed)]]);
        assert_eq!((anew.shared.len(), anew.unlike.len()), (1, 0), "worded anew, as many");
    }

    #[test]
    fn checks_without_a_verdict_are_counted_apart() {
        let (passed, none) = (Outcome::Passed, Outcome::Ungraded);
        let found = within([&[("a", passed), ("b", passed)], &[("a", passed), ("b", none)]]);
        assert_eq!((found.unjudged, found.means), ([0, 1], Some([1.0, 1.0])));
        let none = within([&[("a", none)], &[("a", none)]]);
        assert_eq!((none.unjudged, none.means), ([0, 0], None));
    }

    #[test]
    fn more_candidates_need_more_cases() {
        let of = |cases: usize, at_once: usize| Gain {
            paired: PairedGain::of(&vec![0.5; cases]),
            at_once,
            ..Gain::default()
        };
        for (at_once, fewest) in [(1, 6), (2, 7), (3, 8), (100, 13)] {
            assert_eq!(of(1, at_once).cases_to_settle(), fewest);
            assert_eq!([fewest - 1, fewest].map(|it| of(it, at_once).can_settle()), [false, true]);
        }
        assert!(!Gain::default().can_settle());
    }
}
