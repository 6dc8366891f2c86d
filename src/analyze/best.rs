//! The best iteration of a configuration: the one with the highest pass rate by case on shared
//! cases. And its course over the iterations: whether there is a trend, and how much too good the
//! best looks.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::conditions::Conditions;
use crate::analyze::rewording::are_same;
use crate::analyze::statements::judged_statements;
use crate::analyze::{Analysis, CaseHistory, Change, Side, Statement, case_rate};
use crate::model::Workspace;
use crate::statistics::{Trend, best_of, mean};

/// Levels that differ by less count as equal.
const TIE: f64 = 1e-9;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    pub iteration: usize,
    /// The iterations compared, at least two, in order.
    pub among: Vec<usize>,
    /// Lines that all of them graded with the same prompt and expectations.
    pub shared: Vec<usize>,
}

/// The best iteration of `configuration`: the highest mean pass rate over the cases that the
/// iterations share unchanged. Of equals the earlier one wins, since the later added nothing. The
/// oldest iterations are left out until the rest share a case, and the same models and graders as
/// far as recorded. `None` for fewer than two.
fn best(workspace: &Workspace, lines: &[CaseHistory], configuration: &str) -> Option<Best> {
    let rates = rates(workspace, lines, configuration);
    let graded: Vec<usize> = rates.keys().copied().collect();
    let conditions: Vec<Conditions> = graded
        .iter()
        .map(|at| Conditions::new(&workspace.iterations[*at], configuration))
        .collect();
    let alike: Vec<usize> =
        (0..lines.len()).map(|line| judged_alike_since(&rates, &graded, line)).collect();
    let other = conditions.windows(2).rposition(|pair| !pair[0].is_alike(&pair[1]));
    (other.map_or(0, |at| at + 1)..graded.len().saturating_sub(1)).find_map(|from| {
        let among = &graded[from..];
        let is_shared = |line: &usize| alike[*line] <= from && is_unchanged(&lines[*line], among);
        let shared: Vec<usize> = (0..lines.len()).filter(is_shared).collect();
        let iteration = highest(&rates, among, &shared)?;
        Some(Best { iteration, among: among.to_vec(), shared })
    })
}

pub(super) fn best_by_name(workspace: &Workspace, lines: &[CaseHistory]) -> BTreeMap<String, Best> {
    let names: BTreeSet<&String> =
        workspace.iterations.iter().flat_map(|iteration| &iteration.configurations).collect();
    let best = |name: &String| Some((name.clone(), best(workspace, lines, name)?));
    names.into_iter().filter_map(best).collect()
}

/// Whether prompt and expectations stayed the same throughout `among`.
fn is_unchanged(line: &CaseHistory, among: &[usize]) -> bool {
    let [first, .., last] = among else { return true };
    let mut inside =
        line.appearances.iter().filter(|met| (first + 1..=*last).contains(&met.iteration));
    inside.all(|met| !met.prompt_changed && !met.expectations_changed)
}

/// The first of `graded` from which on every iteration has verdicts on the case, each on the same
/// statements as the next. What remains may be judged by an easy check alone, which
/// makes it no better. The length of
/// `graded` where the last has none.
fn judged_alike_since(rates: &CaseRates<'_>, graded: &[usize], line: usize) -> usize {
    let mut next: Option<&Vec<Statement<'_>>> = None;
    for (at, iteration) in graded.iter().enumerate().rev() {
        match rates[iteration].get(&line) {
            Some((_, judged)) if next.is_none_or(|next| are_same(judged, next)) => {
                next = Some(judged);
            }
            _ => return at + 1,
        }
    }
    0
}

/// By iteration and line with verdicts: the mean pass rate of the runs, and the statements that
/// have a verdict in any of them.
type CaseRates<'w> = BTreeMap<usize, BTreeMap<usize, (f64, Vec<Statement<'w>>)>>;

fn rates<'w>(
    workspace: &'w Workspace,
    lines: &[CaseHistory],
    configuration: &str,
) -> CaseRates<'w> {
    let mut by_iteration = CaseRates::new();
    for (index, line) in lines.iter().enumerate() {
        for appearance in &line.appearances {
            let case = appearance.case(workspace);
            if let Some(rate) = case_rate(case, configuration) {
                let judged = (rate, judged_statements(case, configuration));
                by_iteration.entry(appearance.iteration).or_default().insert(index, judged);
            }
        }
    }
    by_iteration
}

fn highest(rates: &CaseRates<'_>, among: &[usize], shared: &[usize]) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for iteration in among {
        let shared: Vec<f64> = shared.iter().map(|line| rates[iteration][line].0).collect();
        let rate = mean(&shared)?;
        if best.is_none_or(|(highest, _)| rate > highest + TIE) {
            best = Some((rate, *iteration));
        }
    }
    best.map(|(_, iteration)| iteration)
}

const MIN_ITERATIONS_FOR_TREND: usize = 4;

/// From this many iterations on the report warns that the best one looks too good.
const MIN_ITERATIONS_FOR_BIAS: usize = 3;

#[derive(Clone, Debug, PartialEq)]
pub struct Course {
    pub configuration: String,
    /// Indices of the iterations, in order.
    pub iterations: Vec<usize>,
    /// Cases that all of them graded with the same prompt and expectations.
    pub cases: usize,
    /// The level of each iteration on these cases: the mean over cases.
    pub levels: Vec<f64>,
    /// The trend of the levels; `None` for fewer than four iterations.
    pub trend: Option<Trend>,
    /// Index of the best iteration, and the gain in shares of 1 by which the best of equally good
    /// ones would look too good. `None` for fewer than three, for equal levels, and without an
    /// estimate of noise.
    pub best: Option<(usize, f64)>,
}

/// The course of the newest candidate; `None` where fewer than two of its iterations can be
/// compared.
pub fn course(workspace: &Workspace, analysis: &Analysis) -> Option<Course> {
    let configuration = analysis.newest_candidate()?.configuration;
    let best = analysis.best.get(&configuration)?;
    let mut levels: Vec<f64> = Vec::new();
    for iteration in &best.among {
        let cases = best.shared.iter().filter_map(|line| {
            case_rate(analysis.cases[*line].case(workspace, *iteration)?, &configuration)
        });
        levels.push(mean(&cases.collect::<Vec<_>>())?);
    }
    let number = levels.len();
    // Among equal iterations none was picked, so there is no selection bias.
    let are_several = levels.iter().any(|level| (level - levels[0]).abs() > TIE);
    let is_of_best = |change: &&Change| {
        let sides = change.sides();
        let is_among = |side: &&Side| best.among.contains(&side.iteration);
        sides.iter().all(|side| side.configuration == configuration && is_among(side))
            && sides.iter().any(|side| side.iteration == best.iteration)
    };
    let error =
        analysis.changes.iter().find(is_of_best).and_then(|change| change.gain.version_error);
    let too_good = best_of(number as u64).zip(error).map(|(errors, error)| errors * error);
    let too_good = too_good.filter(|_| number >= MIN_ITERATIONS_FOR_BIAS && are_several);
    Some(Course {
        iterations: best.among.clone(),
        cases: best.shared.len(),
        trend: Trend::new(&levels).filter(|_| number >= MIN_ITERATIONS_FOR_TREND),
        best: too_good.map(|points| (best.iteration, points)),
        levels,
        configuration,
    })
}

#[cfg(test)]
mod tests {
    use super::{best, course};
    use crate::analyze::{analysis, case_history};
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
    use crate::settings::Settings;

    /// A case with this name and prompt, and one run with these verdicts.
    fn case(name: &str, prompt: &str, verdicts: &str) -> Case {
        let expectation = |(at, verdict): (usize, char)| Expectation {
            text: format!("statement {at}"),
            outcome: match verdict {
                '+' => Outcome::Passed,
                '?' => Outcome::Ungraded,
                _ => Outcome::Failed,
            },
            ..Expectation::default()
        };
        let expectations = verdicts.chars().enumerate().map(expectation).collect();
        let gradings = vec![Grading { expectations, ..Grading::default() }];
        let runs = vec![Run { configuration: "s".to_owned(), gradings, ..Run::default() }];
        let prompt = Some(prompt.to_owned());
        Case { name: name.to_owned(), prompt, runs, ..Case::default() }
    }

    fn found(iterations: Vec<Vec<Case>>) -> Option<(usize, usize, usize)> {
        let iterations =
            iterations.into_iter().map(|cases| Iteration { cases, ..Iteration::default() });
        let workspace = Workspace { iterations: iterations.collect(), ..Workspace::default() };
        let best = best(&workspace, &case_history::case_histories(&workspace), "s")?;
        Some((best.iteration, best.among.len(), best.shared.len()))
    }

    #[test]
    fn the_earlier_of_equals_on_what_all_of_them_share() {
        let iteration = |a: &str, b: &str| vec![case("a", "x", a), case("b", "y", b)];
        let new = |a: &str| vec![case("a", "x", a), case("c", "z", "++")];
        let iterations = vec![iteration("+-", "++"), iteration("++", "--"), new("++")];
        assert_eq!(found(iterations), Some((1, 3, 1)));
    }

    #[test]
    fn another_prompt_or_other_expectations_leave_older_iterations_out() {
        let at = |prompt: &str, verdicts: &str| vec![case("a", prompt, verdicts)];
        let prompts = vec![at("x", "++"), at("y", "+-"), at("y", "--")];
        assert_eq!(found(prompts), Some((1, 2, 1)));
        let expectations = vec![at("x", "++"), at("x", "---"), at("x", "+--")];
        assert_eq!(found(expectations), Some((2, 2, 1)));
        let every_time = vec![at("x", "+"), at("x", "++"), at("x", "+++")];
        assert_eq!(found(every_time), None);
        assert_eq!(found(vec![at("x", "+")]), None);
    }

    #[test]
    fn fewer_judged_checks_are_not_better() {
        let at = |verdicts: &str| vec![case("a", "x", verdicts)];
        assert_eq!(found(vec![at("+-"), at("+?"), at("+?")]), Some((1, 2, 1)));
        assert_eq!(found(vec![at("+-"), at("+?")]), None);
    }

    #[test]
    fn a_case_in_other_words_is_shared() {
        let at = |text: &str, verdict: &str| {
            let mut case = case("a", "x", verdict);
            case.runs[0].gradings[0].expectations[0].text = text.to_owned();
            vec![case]
        };
        let [known, new] =
            ["The report names all 3 suppliers", "The report names all 3 of the suppliers"];
        let other = "The report names all 4 suppliers";
        assert_eq!(found(vec![at(known, "+"), at(known, "-"), at(new, "-")]), Some((0, 3, 1)));
        assert_eq!(found(vec![at(other, "+"), at(known, "-"), at(new, "-")]), Some((1, 2, 1)));
    }

    /// One case per number of passes out of 4; `None` is ungraded.
    fn workspace(iterations: &[(&[Option<usize>], &str)]) -> Workspace {
        let case = |(name, passed): (usize, &Option<usize>), model: &str| {
            let outcome = |at: usize| match passed {
                Some(passed) if at < *passed => Outcome::Passed,
                Some(_) => Outcome::Failed,
                None => Outcome::Ungraded,
            };
            let expectation = |at: usize| Expectation {
                text: format!("statement {at}"),
                outcome: outcome(at),
                ..Expectation::default()
            };
            let expectations = (0..4).map(expectation).collect();
            let gradings = vec![Grading { expectations, ..Grading::default() }];
            let mut run = Run { configuration: "s".to_owned(), gradings, ..Run::default() };
            run.metrics.model = Some(model.to_owned());
            Case { name: format!("case {name}"), runs: vec![run], ..Case::default() }
        };
        let iterations = iterations.iter().map(|(cases, model)| Iteration {
            configurations: vec!["s".to_owned()],
            cases: cases.iter().enumerate().map(|found| case(found, model)).collect(),
            ..Iteration::default()
        });
        Workspace { iterations: iterations.collect(), ..Workspace::default() }
    }

    fn course_of(iterations: &[(&[Option<usize>], &str)]) -> Option<super::Course> {
        let workspace = workspace(iterations);
        course(&workspace, &analysis(&workspace, &Settings::default()))
    }

    #[test]
    fn four_iterations_have_a_trend_and_three_a_best_that_looks_too_good() {
        let levels: [&[Option<usize>]; 4] =
            [&[Some(0), Some(2)], &[Some(2), Some(2)], &[Some(2), Some(4)], &[Some(4), Some(4)]];
        let four = course_of(&levels.map(|level| (level, "m"))).unwrap();
        assert_eq!(four.levels, [0.25, 0.5, 0.75, 1.0]);
        let trend = four.trend.unwrap();
        assert!((trend.slope - 0.25).abs() < 1e-12 && (trend.p - 2.0 / 24.0).abs() < 1e-12);
        let (best, points) = four.best.unwrap();
        assert!(best == 3 && (0.1..0.4).contains(&points), "{points}");
        let three = course_of(&[(levels[0], "m"), (levels[1], "m"), (levels[2], "m")]).unwrap();
        assert!(three.trend.is_none() && three.best.is_some());
        let two = course_of(&[(levels[0], "m"), (levels[1], "m")]).unwrap();
        assert!(two.best.is_none());
    }

    #[test]
    fn only_comparable_iterations_count() {
        let all: &[Option<usize>] = &[Some(4), Some(1)];
        let actual =
            course_of(&[(all, "a"), (all, "b"), (&[None, Some(2)], "b"), (all, "b")]).unwrap();
        assert_eq!(
            (actual.iterations, actual.cases),
            (vec![1, 2, 3], 1),
            "another model, no verdict"
        );
        let equal = course_of(&[(all, "a"), (all, "a"), (all, "a"), (all, "a")]).unwrap();
        assert!(equal.best.is_none(), "of equals none was picked");
        assert!((equal.trend.unwrap().p - 1.0).abs() < 1e-12);
        assert_eq!(course_of(&[(&[None], "a"), (&[None], "a")]), None);
        assert_eq!(course_of(&[(all, "a")]), None);
    }
}
