//! The best iteration of a configuration, and how much too good it looks because it was picked.
//!
//! Iterations are compared on the cases that all of them graded with the same prompt and checks.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::conditions::Conditions;
use crate::analyze::statements::{are_same, judged_statements};
use crate::analyze::{CaseHistory, Change, Side, Statement, case_rate};
use crate::model::Workspace;
use crate::statistics::{best_of, mean};

/// Pass rates that differ by less count as equal.
const TIE: f64 = 1e-9;

/// The fewest iterations from which the best one looks noticeably better than it is.
const FEWEST_FOR_SELECTION_BIAS: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    pub iteration: usize,
    /// The iterations compared, at least two, in order.
    pub among: Vec<usize>,
    /// Indices of the cases that all of them graded with the same prompt and checks.
    pub shared: Vec<usize>,
}

/// The best iteration of each configuration that has several comparable ones.
pub(super) fn best_by_configuration(
    workspace: &Workspace,
    cases: &[CaseHistory],
) -> BTreeMap<String, Best> {
    let names: BTreeSet<&String> =
        workspace.iterations.iter().flat_map(|iteration| &iteration.configurations).collect();
    let best = |name: &String| Some((name.clone(), best(workspace, cases, name)?));
    names.into_iter().filter_map(best).collect()
}

/// The iteration with the highest mean pass rate over shared cases.
///
/// Of equals the earlier one wins, since the later added nothing. The oldest iterations are left out
/// until the rest share a case, and the same models and graders as far as recorded. `None` for fewer
/// than two.
fn best(workspace: &Workspace, cases: &[CaseHistory], configuration: &str) -> Option<Best> {
    let judged = judged_cases(workspace, cases, configuration);
    let graded: Vec<usize> = judged.keys().copied().collect();
    let alike_since: Vec<usize> =
        (0..cases.len()).map(|case| judged_alike_since(&judged, &graded, case)).collect();
    let first = first_with_newest_conditions(workspace, &graded, configuration);
    for from in first..graded.len().saturating_sub(1) {
        let among = &graded[from..];
        let mut shared = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            if alike_since[index] <= from && is_unchanged(case, among) {
                shared.push(index);
            }
        }
        if let Some(iteration) = highest(&judged, among, &shared) {
            return Some(Best { iteration, among: among.to_vec(), shared });
        }
    }
    None
}

/// The verdicts of one configuration on a case in one iteration.
struct JudgedCase<'w> {
    /// Mean over its runs, in 0..=1.
    pass_rate: f64,
    /// The statements that have a verdict in any of them.
    statements: Vec<Statement<'w>>,
}

/// Cases with verdicts, by iteration and index of the case.
type JudgedCases<'w> = BTreeMap<usize, BTreeMap<usize, JudgedCase<'w>>>;

fn judged_cases<'w>(
    workspace: &'w Workspace,
    cases: &[CaseHistory],
    configuration: &str,
) -> JudgedCases<'w> {
    let mut judged = JudgedCases::new();
    for (index, history) in cases.iter().enumerate() {
        for appearance in &history.appearances {
            let case = appearance.case(workspace);
            if let Some(pass_rate) = case_rate(case, configuration) {
                let statements = judged_statements(case, configuration);
                let in_iteration = judged.entry(appearance.iteration).or_default();
                in_iteration.insert(index, JudgedCase { pass_rate, statements });
            }
        }
    }
    judged
}

/// Index in `graded` of the first iteration from which on every one has verdicts on the case, each
/// on the same statements as the next; the length of `graded` where the last has none.
///
/// An iteration that was judged by its easy checks alone is not better than the others.
fn judged_alike_since(judged: &JudgedCases<'_>, graded: &[usize], case: usize) -> usize {
    let mut since = graded.len();
    let mut next: Option<&JudgedCase<'_>> = None;
    for iteration in graded.iter().rev() {
        let Some(current) = judged[iteration].get(&case) else { break };
        if next.is_some_and(|next| !are_same(&current.statements, &next.statements)) {
            break;
        }
        next = Some(current);
        since -= 1;
    }
    since
}

/// Index in `graded` of the first iteration from which on models and graders stay the same, as far
/// as they are recorded.
fn first_with_newest_conditions(
    workspace: &Workspace,
    graded: &[usize],
    configuration: &str,
) -> usize {
    let conditions: Vec<Conditions> = graded
        .iter()
        .map(|at| Conditions::new(&workspace.iterations[*at], configuration))
        .collect();
    let last_change = conditions.windows(2).rposition(|pair| !pair[0].is_alike(&pair[1]));
    last_change.map_or(0, |at| at + 1)
}

/// Whether prompt and expectations stayed the same throughout `among`.
fn is_unchanged(case: &CaseHistory, among: &[usize]) -> bool {
    let [first, .., last] = among else { return true };
    case.appearances
        .iter()
        .filter(|appearance| (first + 1..=*last).contains(&appearance.iteration))
        .all(|appearance| !appearance.prompt_changed && !appearance.expectations_changed)
}

fn highest(judged: &JudgedCases<'_>, among: &[usize], shared: &[usize]) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for iteration in among {
        let in_iteration = &judged[iteration];
        let rates: Vec<f64> = shared.iter().map(|case| in_iteration[case].pass_rate).collect();
        let rate = mean(&rates)?;
        if best.is_none_or(|(highest, _)| rate > highest + TIE) {
            best = Some((rate, *iteration));
        }
    }
    best.map(|(_, iteration)| iteration)
}

/// How the pass rate of a configuration developed over comparable iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct PassRateHistory {
    pub configuration: String,
    /// Indices of the iterations, in order.
    pub iterations: Vec<usize>,
    /// Number of cases that all of them graded with the same prompt and checks.
    pub cases: usize,
    /// The pass rate of each iteration on these cases: the mean over cases, in 0..=1.
    pub pass_rates: Vec<f64>,
    /// `None` for fewer than three iterations, for equal pass rates, and without an estimate of noise.
    pub selection_bias: Option<SelectionBias>,
}

/// How much too good the best iteration looks because it was picked from several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelectionBias {
    /// Index of the best iteration.
    pub best: usize,
    /// The gain, in shares of 1, by which the best of this many equally good ones looks too good.
    pub gain: f64,
}

/// The history of the newest candidate; `None` where fewer than two of its iterations can be
/// compared.
pub(super) fn pass_rate_history(
    workspace: &Workspace,
    cases: &[CaseHistory],
    changes: &[Change],
    configuration: &str,
    best: &Best,
) -> Option<PassRateHistory> {
    let mut pass_rates = Vec::new();
    for iteration in &best.among {
        let mut rates = Vec::new();
        for index in &best.shared {
            let case = cases[*index].case(workspace, *iteration)?;
            rates.push(case_rate(case, configuration)?);
        }
        pass_rates.push(mean(&rates)?);
    }
    // Among equal iterations none was picked, so there is no bias.
    let differ = pass_rates.iter().any(|rate| (rate - pass_rates[0]).abs() > TIE);
    let has_bias = differ && pass_rates.len() >= FEWEST_FOR_SELECTION_BIAS;
    Some(PassRateHistory {
        configuration: configuration.to_owned(),
        iterations: best.among.clone(),
        cases: best.shared.len(),
        pass_rates,
        selection_bias: if has_bias { selection_bias(changes, configuration, best) } else { None },
    })
}

/// The bias, from the noise of a comparison of the best iteration with another one.
fn selection_bias(changes: &[Change], configuration: &str, best: &Best) -> Option<SelectionBias> {
    let is_compared =
        |side: &Side| side.configuration == configuration && best.among.contains(&side.iteration);
    let with_best = changes.iter().find(|change| {
        change.sides().into_iter().all(is_compared)
            && change.sides().iter().any(|side| side.iteration == best.iteration)
    })?;
    let standard_errors = best_of(best.among.len() as u64)?;
    let gain = standard_errors * with_best.gain.comparison.as_ref()?.version_error?;
    Some(SelectionBias { best: best.iteration, gain })
}

#[cfg(test)]
mod tests {
    use super::{PassRateHistory, best};
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
    fn a_case_with_the_same_checks_is_shared() {
        let at = |text: &str, verdict: &str| {
            let mut case = case("a", "x", verdict);
            case.runs[0].gradings[0].expectations[0].text = text.to_owned();
            vec![case]
        };
        let [known, new] =
            ["The report names all 3 suppliers", "the report names all 3  suppliers"];
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

    fn history_of(iterations: &[(&[Option<usize>], &str)]) -> Option<PassRateHistory> {
        analysis(&workspace(iterations), &Settings::default()).pass_rate_history
    }

    #[test]
    fn the_best_of_three_iterations_looks_too_good() {
        let rates: [&[Option<usize>]; 4] =
            [&[Some(0), Some(2)], &[Some(2), Some(2)], &[Some(2), Some(4)], &[Some(4), Some(4)]];
        let four = history_of(&rates.map(|rate| (rate, "m"))).unwrap();
        assert_eq!(four.pass_rates, [0.25, 0.5, 0.75, 1.0]);
        let bias = four.selection_bias.unwrap();
        assert!(bias.best == 3 && (0.1..0.4).contains(&bias.gain), "{bias:?}");
        let three = history_of(&[(rates[0], "m"), (rates[1], "m"), (rates[2], "m")]).unwrap();
        assert!(three.selection_bias.is_some());
        let two = history_of(&[(rates[0], "m"), (rates[1], "m")]).unwrap();
        assert!(two.selection_bias.is_none());
    }

    #[test]
    fn only_comparable_iterations_count() {
        let all: &[Option<usize>] = &[Some(4), Some(1)];
        let without_one = &[None, Some(2)];
        let actual = history_of(&[(all, "a"), (all, "b"), (without_one, "b"), (all, "b")]).unwrap();
        assert_eq!((actual.iterations, actual.cases), (vec![1, 2, 3], 1));
        let equal = history_of(&[(all, "a"), (all, "a"), (all, "a"), (all, "a")]).unwrap();
        assert!(equal.selection_bias.is_none(), "of equals none was picked");
        assert_eq!(history_of(&[(&[None], "a"), (&[None], "a")]), None);
        assert_eq!(history_of(&[(all, "a")]), None);
    }
}
