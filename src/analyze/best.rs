//! The best iteration of a configuration: the highest pass rate by case on what its iterations share.

use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::conditions::Conditions;
use crate::analyze::lines::CaseLine;
use crate::analyze::rewording::are_same;
use crate::analyze::standing::case_rate;
use crate::analyze::statements::{Statement, judged_statements};
use crate::model::Workspace;
use crate::statistics::mean;

/// Rates nearer than this are equal.
const TIE: f64 = 1e-9;

/// The best of several iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Index of the iteration.
    pub iteration: usize,
    /// The iterations held against each other, at least two, in order.
    pub among: Vec<usize>,
    /// Lines that all of them graded with the same prompt and expectations, with verdicts on the same.
    pub shared: Vec<usize>,
}

/// The best iteration of `configuration`: the highest mean pass rate of the cases that the iterations
/// share unchanged, of equals the earlier one, as the later added nothing. Iterations are left out
/// from the oldest on until the rest shares a case, and was made by the same models and graders as
/// far as they are recorded. `None` for fewer than two.
pub fn best(workspace: &Workspace, lines: &[CaseLine], configuration: &str) -> Option<Best> {
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

/// The best iteration of every configuration of `workspace` that has one.
pub(super) fn best_by_name(workspace: &Workspace, lines: &[CaseLine]) -> BTreeMap<String, Best> {
    let names: BTreeSet<&String> =
        workspace.iterations.iter().flat_map(|iteration| &iteration.configurations).collect();
    let best = |name: &String| Some((name.clone(), best(workspace, lines, name)?));
    names.into_iter().filter_map(best).collect()
}

/// Whether prompt and expectations stayed the same from the first to the last of `among`.
fn is_unchanged(line: &CaseLine, among: &[usize]) -> bool {
    let [first, .., last] = among else { return true };
    let mut inside =
        line.appearances.iter().filter(|met| (first + 1..=*last).contains(&met.iteration));
    inside.all(|met| !met.prompt_changed && !met.expectations_changed)
}

/// From which of `graded` on all have verdicts on the case, and each on the same statements as the
/// next, in whatever words: what is left of those that an easy check alone got a verdict of is no
/// better. The number of `graded` where the last has none.
fn judged_alike_since(rates: &Rates<'_>, graded: &[usize], line: usize) -> usize {
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

/// By iteration and line, where there are verdicts: the mean pass rate of the runs and the
/// statements that have a verdict in any of them.
type Rates<'w> = BTreeMap<usize, BTreeMap<usize, (f64, Vec<Statement<'w>>)>>;

fn rates<'w>(workspace: &'w Workspace, lines: &[CaseLine], configuration: &str) -> Rates<'w> {
    let mut found = Rates::new();
    for (index, line) in lines.iter().enumerate() {
        for met in &line.appearances {
            let case = &workspace.iterations[met.iteration].cases[met.case];
            if let Some(rate) = case_rate(case, configuration) {
                let judged = (rate, judged_statements(case, configuration));
                found.entry(met.iteration).or_default().insert(index, judged);
            }
        }
    }
    found
}

fn highest(rates: &Rates<'_>, among: &[usize], shared: &[usize]) -> Option<usize> {
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

#[cfg(test)]
mod tests {
    use super::best;
    use crate::analyze::lines;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};

    /// A case of that name and prompt, with one run of these verdicts.
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
        let best = best(&workspace, &lines::find_lines(&workspace), "s")?;
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
    fn what_fewer_checks_were_judged_by_is_not_better() {
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
}
