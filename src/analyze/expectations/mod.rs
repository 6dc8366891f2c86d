//! How useful every statement of every case is, from counts alone. One iteration decides: the
//! newest whose candidate has verdicts. Its candidate is compared with its baseline.

mod health;
mod history;
mod usefulness;

pub use crate::analyze::expectations::health::{Health, Uneven};
pub use crate::analyze::expectations::history::{
    ConfigurationTally, ExpectationHistory, Expectations,
};
pub use crate::analyze::expectations::usefulness::Usefulness;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analyze::rewording::{MAX_UNMATCHED, matched};
use crate::analyze::statements::planned;
use crate::analyze::{Analysis, CaseHistory, Roles, Statement, statements};
use crate::model::{Iteration, Tally, Workspace};

pub fn expectations<'w>(workspace: &'w Workspace, analysis: &Analysis) -> Expectations<'w> {
    let newest = analysis.newest();
    let mut result = Expectations { iteration: newest, ..Expectations::default() };
    for (index, line) in analysis.cases.iter().enumerate() {
        result.histories.extend(case_expectations(workspace, analysis, index, line));
    }
    let Some(newest) = newest else {
        return result;
    };
    let roles = &analysis.iterations[newest].roles;
    for line in &mut result.histories {
        let [ours, theirs] = judge(line, newest, roles);
        result.candidate.add(ours);
        result.baseline.add(theirs);
        if line.usefulness != Usefulness::Saturated {
            result.candidate_unsaturated.add(ours);
            result.baseline_unsaturated.add(theirs);
        }
    }
    health::add_p_values(&mut result, newest, roles);
    result
}

/// The statements that only the runs of one iteration were checked by, each with the index of its
/// case in place of a line.
pub(super) fn iteration_expectations<'w>(
    iteration: &'w Iteration,
    roles: &Roles,
) -> Vec<ExpectationHistory<'w>> {
    let mut lines = Vec::new();
    for (index, case) in iteration.cases.iter().enumerate() {
        let mut followed =
            StatementTracker { newest: Some(0), index, ..StatementTracker::default() };
        for name in &iteration.configurations {
            followed.add(0, name, statements(case, name));
        }
        lines.extend(followed.finish());
    }
    for line in &mut lines {
        judge(line, 0, roles);
    }
    lines
}

/// Sets the usefulness of a statement and returns the verdicts of candidate and baseline on it.
fn judge(line: &mut ExpectationHistory<'_>, newest: usize, roles: &Roles) -> [Tally; 2] {
    let candidate = roles.candidates.first().map(String::as_str);
    let sides = [candidate, roles.baseline.as_deref()];
    let [ours, theirs] = sides.map(|side| line.tally(newest, side));
    let is_there = line.counted.iter().any(|counted| counted.iteration == newest);
    if is_there || line.counted.is_empty() {
        line.usefulness = Usefulness::new(ours, theirs);
    } else {
        line.usefulness = Usefulness::Earlier;
        line.is_flaky = false;
    }
    [ours, theirs]
}

/// The statements of one case: those of its newest iteration first, in their order there.
fn case_expectations<'w>(
    workspace: &'w Workspace,
    analysis: &Analysis,
    index: usize,
    line: &CaseHistory,
) -> Vec<ExpectationHistory<'w>> {
    let mut followed =
        StatementTracker { newest: analysis.newest(), index, ..StatementTracker::default() };
    for appearance in line.appearances.iter().rev() {
        for name in &workspace.iterations[appearance.iteration].configurations {
            followed.add(appearance.iteration, name, statements(appearance.case(workspace), name));
        }
    }
    if followed.histories.is_empty() {
        // The case was never graded.
        let planned = line.appearances.last().map(|appearance| planned(appearance.case(workspace)));
        let planned_line = |Statement { key, text, .. }| ExpectationHistory {
            case: index,
            key,
            text,
            ..ExpectationHistory::default()
        };
        return planned.into_iter().flatten().map(planned_line).collect();
    }
    followed.finish()
}

/// A key that no statement has: a key is one line.
const NO_KEY: Cow<'static, str> = Cow::Borrowed("\n");

/// The statements of a case, followed from the newest iteration back.
#[derive(Default)]
struct StatementTracker<'w> {
    newest: Option<usize>,
    index: usize,
    histories: Vec<ExpectationHistory<'w>>,
    /// The last wording of each line, and whether it had an id.
    last: Vec<(&'w str, bool)>,
    places: BTreeMap<Cow<'w, str>, usize>,
}

impl<'w> StatementTracker<'w> {
    fn add(&mut self, iteration: usize, configuration: &'w str, statements: Vec<Statement<'w>>) {
        self.pair(&statements);
        let mut is_taken = vec![false; self.histories.len()];
        for statement in statements {
            let known_place = self.places.get(&statement.key).copied();
            // Two statements that came to share a line differ here.
            let place = known_place.filter(|place| !is_taken[*place]).unwrap_or_else(|| {
                self.places.insert(statement.key.clone(), self.histories.len());
                let (case, key, text) = (self.index, statement.key.clone(), statement.text);
                self.histories.push(ExpectationHistory {
                    case,
                    key,
                    text,
                    ..ExpectationHistory::default()
                });
                self.last.push((statement.text, statement.has_id));
                is_taken.push(false);
                self.histories.len() - 1
            });
            is_taken[place] = true;
            let line = &mut self.histories[place];
            let (tally, runs, run) = (statement.tally, statement.runs(), statement.run);
            // Most statements are met once.
            line.counted.reserve_exact(1);
            line.counted.push(ConfigurationTally { iteration, configuration, tally, runs, run });
            line.is_flaky |= self.newest == Some(iteration) && statement.is_flaky();
            line.add_words(&statement);
            self.last[place] = (statement.text, statement.has_id);
        }
    }

    /// Assigns statements with new keys to the lines that say the same in other words.
    fn pair(&mut self, statements: &[Statement<'w>]) {
        let mut is_free = vec![true; self.histories.len()];
        let mut new: Vec<&Statement<'w>> = Vec::new();
        for statement in statements {
            match self.places.get(&statement.key) {
                Some(place) => is_free[*place] = false,
                None => new.push(statement),
            }
        }
        let free: Vec<usize> = (0..self.histories.len()).filter(|at| is_free[*at]).collect();
        if new.is_empty() || free.is_empty() || new.len().max(free.len()) > MAX_UNMATCHED {
            return;
        }
        let new: Vec<Statement<'w>> = new.into_iter().cloned().collect();
        let mut waiting: Vec<Statement<'w>> = Vec::new();
        for at in &free {
            let (text, has_id) = self.last[*at];
            waiting.push(Statement { key: NO_KEY, has_id, text, ..Statement::default() });
        }
        for (newer, older) in matched(&new, &waiting) {
            self.places.insert(new[newer].key.clone(), free[older]);
        }
    }

    fn finish(mut self) -> Vec<ExpectationHistory<'w>> {
        for (at, line) in self.histories.iter_mut().enumerate() {
            line.other_words.retain(|words| self.places.get(&words.key) == Some(&at));
        }
        for (key, at) in self.places {
            let line = &mut self.histories[at];
            if key != line.key {
                line.other_keys.push(key);
            }
        }
        self.histories
    }
}

#[cfg(test)]
mod tests {
    use super::{Usefulness, expectations};
    use crate::analyze::analysis;
    use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Tally, Workspace};
    use crate::settings::Settings;

    /// A run whose verdicts are written `+` passed, `-` failed and `?` open, by statement.
    fn run(configuration: &str, verdicts: &[(&str, char)]) -> Run {
        let expectation = |(text, verdict): &(&str, char)| Expectation {
            text: (*text).to_owned(),
            outcome: match verdict {
                '+' => Outcome::Passed,
                '-' => Outcome::Failed,
                _ => Outcome::Ungraded,
            },
            ..Expectation::default()
        };
        let expectations = verdicts.iter().map(expectation).collect();
        let gradings = vec![Grading { expectations, ..Grading::default() }];
        Run { configuration: configuration.to_owned(), gradings, ..Run::default() }
    }

    fn iteration(runs: Vec<Run>) -> Iteration {
        let mut configurations: Vec<String> =
            runs.iter().map(|run| run.configuration.clone()).collect();
        configurations.dedup();
        let cases = vec![Case { name: "a".to_owned(), runs, ..Case::default() }];
        Iteration { configurations, cases, ..Iteration::default() }
    }

    #[test]
    fn counts_alone_decide_usefulness() {
        let with = |verdicts: &[(&str, char)]| run("with_skill", verdicts);
        let without = |verdicts: &[(&str, char)]| run("without_skill", verdicts);
        let newest = iteration(vec![
            with(&[("gain", '+'), ("all", '+'), ("none", '-'), ("loss", '+'), ("one", '+')]),
            with(&[("gain", '-'), ("all", '+'), ("none", '-'), ("loss", '-'), ("open", '?')]),
            without(&[("gain", '-'), ("all", '+'), ("none", '-'), ("loss", '+')]),
        ]);
        let iterations = vec![iteration(vec![with(&[("gone", '+')])]), newest];
        let workspace = Workspace { iterations, ..Workspace::default() };
        let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let facts: Vec<_> = actual
            .histories
            .iter()
            .map(|line| (line.text, line.usefulness, line.is_flaky))
            .collect();
        let expected = [
            ("gain", Usefulness::Discriminating, true),
            ("all", Usefulness::Saturated, false),
            ("none", Usefulness::Dead, false),
            ("loss", Usefulness::FavorsBaseline, true),
            ("one", Usefulness::OneSided, false),
            ("open", Usefulness::NoVerdict, false),
            ("gone", Usefulness::Earlier, false),
        ];
        assert_eq!(facts, expected);
        assert_eq!(actual.candidate, Tally { passed: 5, failed: 4, ungraded: 1 });
        assert_eq!(actual.candidate_unsaturated, Tally { passed: 3, failed: 4, ungraded: 1 });
        assert_eq!(actual.number(Usefulness::Dead), 1);
    }

    #[test]
    fn an_expectation_reworded_in_every_iteration_is_one_line() {
        let words = [
            "The output is valid JSON",
            "Output should be valid JSON",
            "the response is valid JSON",
            "Valid JSON output",
        ];
        let iterations = words.iter().map(|text| {
            iteration(vec![run("with_skill", &[(text, '+'), ("keeps all 3 rows", '-')])])
        });
        let workspace = Workspace { iterations: iterations.collect(), ..Workspace::default() };
        let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let [valid, rows] = &actual.histories[..] else { panic!("{:?}", actual.histories) };
        assert_eq!(valid.text, words[3]);
        assert_eq!((valid.counted.len(), rows.counted.len()), (4, 4));
        let others: Vec<&str> = valid.other_words.iter().map(|word| word.text).collect();
        assert_eq!(others, [words[2], words[1], words[0]]);
        assert!(rows.other_words.is_empty());
    }

    #[test]
    fn statements_distinct_in_an_iteration_stay_distinct_there() {
        let with = |verdicts: &[(&str, char)]| iteration(vec![run("with_skill", verdicts)]);
        let workspace = Workspace {
            iterations: vec![
                with(&[("has a title page", '+'), ("has the title page in bold", '-')]),
                with(&[("has the title page in bold", '+')]),
                with(&[("has a title page", '-')]),
            ],
            ..Workspace::default()
        };
        let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let counted: Vec<usize> = actual.histories.iter().map(|line| line.counted.len()).collect();
        assert_eq!(counted, [3, 1]);
        assert!(actual.histories[0].other_words.is_empty(), "its words have their own line");
    }
}
