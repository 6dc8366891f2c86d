//! The best iteration of a configuration.
//!
//! Iterations are compared on the cases that all of them graded with the same prompt and checks.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::conditions::{ConditionDifferences, Conditions};
use crate::analyze::rates::case_rate;
use crate::analyze::statements::{are_same, judged_statements};
use crate::analyze::{CaseHistory, Statement};
use input::model::Workspace;
use statistics::{TIE, mean};

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
    names
        .into_iter()
        .filter_map(|name| Some((name.clone(), best(workspace, cases, name)?)))
        .collect()
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
    // Cases are added over time. All iterations share a few; the later ones share most.
    for from in first..graded.len().saturating_sub(1) {
        let among = &graded[from..];
        let mut shared = Vec::new();
        for (index, case) in cases.iter().enumerate() {
            if alike_since[index] <= from && is_unchanged(case, among) {
                shared.push(index);
            }
        }
        // Without a shared case there is no rate, and the next later start is tried.
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
    let alike = ConditionDifferences::default();
    let last_change =
        conditions.windows(2).rposition(|pair| pair[0].differences(&pair[1]) != alike);
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

#[cfg(test)]
mod tests {
    use super::best;
    use crate::analyze::case_history;
    use crate::tests::workspaces::{self, run, workspace};
    use input::model::Case;
    use testing::gradings::{GradingBuilder, verdicts};

    /// A case with this name and prompt, and one run with this grading.
    fn case(name: &str, prompt: &str, grading: GradingBuilder) -> Case {
        let prompt = Some(prompt.to_owned());
        Case { prompt, ..workspaces::case(name, vec![run("s", 1, grading)]) }
    }

    /// The best iteration, the number compared, and the number of cases they share.
    fn found(iterations: Vec<Vec<Case>>) -> Option<(usize, usize, usize)> {
        let workspace = workspace(iterations);
        let best = best(&workspace, &case_history::case_histories(&workspace), "s")?;
        Some((best.iteration, best.among.len(), best.shared.len()))
    }

    #[test]
    fn the_earlier_of_equals_on_what_all_of_them_share() {
        let iteration = |a: &str, name: &str, letters: &str| {
            vec![case("a", "x", verdicts(a)), case(name, name, verdicts(letters))]
        };
        let iterations = [("pf", "b", "pp"), ("pp", "b", "ff"), ("pp", "c", "pp")];
        let iterations = iterations.map(|(a, name, letters)| iteration(a, name, letters));
        assert_eq!(found(iterations.to_vec()), Some((1, 3, 1)));
    }

    #[test]
    fn another_prompt_or_other_expectations_leave_older_iterations_out() {
        for (iterations, expected) in [
            (&[("x", "pp"), ("y", "pf"), ("y", "ff")][..], Some((1, 2, 1))),
            (&[("x", "pp"), ("x", "fff"), ("x", "pff")], Some((2, 2, 1))),
            (&[("x", "p"), ("x", "pp"), ("x", "ppp")], None),
            (&[("x", "p")], None),
            // Fewer judged checks are not better.
            (&[("x", "pf"), ("x", "p?"), ("x", "p?")], Some((1, 2, 1))),
            (&[("x", "pf"), ("x", "p?")], None),
        ] {
            let cases = iterations
                .iter()
                .map(|(prompt, letters)| vec![case("a", prompt, verdicts(letters))]);
            assert_eq!(found(cases.collect()), expected, "{iterations:?}");
        }
    }

    #[test]
    fn a_case_with_the_same_checks_is_shared() {
        let [known, new] =
            ["The report names all 3 suppliers", "the report names all 3  suppliers"];
        let other = "The report names all 4 suppliers";
        for (first, expected) in [(known, (0, 3, 1)), (other, (1, 2, 1))] {
            let iterations = [(first, 'p'), (known, 'f'), (new, 'f')].map(|(text, letter)| {
                vec![case("a", "x", GradingBuilder::default().check(text, letter))]
            });
            assert_eq!(found(iterations.to_vec()), Some(expected));
        }
    }
}
