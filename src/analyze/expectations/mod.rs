//! How useful every statement of every case is, from counts alone. One iteration decides: the
//! newest whose candidate has verdicts. Its candidate is compared with its baseline.

mod health;
mod history;
mod usefulness;

pub use crate::analyze::expectations::health::Health;
pub use crate::analyze::expectations::history::{
    ConfigurationTally, ExpectationHistory, Expectations,
};
pub use crate::analyze::expectations::usefulness::Usefulness;

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analyze::rewording::GoneChecks;
use crate::analyze::statements::planned;
use crate::analyze::{Analysis, CaseHistory, Roles, Statement, statements};
use input::model::{Tally, Workspace};
use text::folded;

/// All checks of the workspace with their verdicts in all iterations.
pub fn expectations<'w>(workspace: &'w Workspace, analysis: &Analysis) -> Expectations<'w> {
    let newest = analysis.newest();
    let mut result = Expectations { iteration: newest, ..Expectations::default() };
    for (index, case) in analysis.cases.iter().enumerate() {
        let mut histories = case_expectations(workspace, newest, index, case);
        if let Some(newest) = newest {
            let roles = &analysis.iterations[newest].roles;
            for history in &mut histories {
                let judged = judge(history, case, newest, roles);
                result.candidate.add(judged.candidate);
                result.baseline.add(judged.baseline);
                if history.usefulness != Usefulness::PassesEverywhere {
                    result.candidate_unsaturated.add(judged.candidate);
                    result.baseline_unsaturated.add(judged.baseline);
                }
            }
            find_probable_rewordings(&mut histories, newest);
        }
        result.histories.extend(histories);
    }
    result
}

/// Gives each check that came with the newest iteration the similar one that went.
fn find_probable_rewordings(histories: &mut [ExpectationHistory<'_>], newest: usize) {
    let gone = histories.iter().filter(|history| history.usefulness == Usefulness::Earlier);
    let gone = GoneChecks::new(gone.map(|history| history.text));
    for history in histories {
        if history.counted.iter().all(|counted| counted.iteration == newest) {
            history.probably_earlier = gone.probably_earlier(history.text);
        }
    }
}

/// The verdicts of both sides on one check in the iteration that decides.
struct JudgedSides {
    candidate: Tally,
    baseline: Tally,
}

/// Sets the usefulness of a check in the iteration `newest`.
fn judge(
    history: &mut ExpectationHistory<'_>,
    case: &CaseHistory,
    newest: usize,
    roles: &Roles,
) -> JudgedSides {
    let [candidate, baseline] = roles
        .judged_sides()
        .map(|names| names.into_iter().map(|name| history.tally(newest, name)).sum::<Tally>());
    let is_there = history.counted.iter().any(|counted| counted.iteration == newest);
    let is_planned = history.counted.is_empty() && case.appearance(newest).is_some();
    if is_there || is_planned {
        history.usefulness = Usefulness::under(roles, [candidate, baseline]);
    } else {
        // A check that was dropped must not count among those of the newest round.
        history.usefulness = Usefulness::Earlier;
        history.is_flaky = false;
    }
    JudgedSides { candidate, baseline }
}

/// The checks of one case: those of its newest iteration first, in their order there.
fn case_expectations<'w>(
    workspace: &'w Workspace,
    newest: Option<usize>,
    index: usize,
    case: &CaseHistory,
) -> Vec<ExpectationHistory<'w>> {
    let mut histories: Vec<ExpectationHistory<'w>> = Vec::new();
    let mut matcher = StatementMatcher::default();
    for appearance in case.appearances.iter().rev() {
        for name in &workspace.iterations[appearance.iteration].configurations {
            let statements = statements(appearance.case(workspace), name);
            let places = matcher.places(&statements);
            histories.reserve_exact(matcher.number - histories.len());
            for (statement, place) in statements.into_iter().zip(places) {
                if place == histories.len() {
                    let (key, text) = (statement.key.clone(), statement.text);
                    let new = ExpectationHistory { case: index, key, text, ..Default::default() };
                    histories.push(new);
                }
                let is_newest = newest == Some(appearance.iteration);
                histories[place].add(appearance.iteration, name, &statement, is_newest);
            }
        }
    }
    if !histories.is_empty() {
        matcher.name_others(&mut histories);
        return histories;
    }
    // The case was never graded, so the checks planned for it are shown.
    let Some(last) = case.appearances.last() else { return Vec::new() };
    planned(last.case(workspace))
        .into_iter()
        .map(|Statement { key, text, .. }| ExpectationHistory {
            case: index,
            key,
            text,
            ..ExpectationHistory::default()
        })
        .collect()
}

/// Tells which statements of a case are the same check, from the newest iteration back.
#[derive(Default)]
struct StatementMatcher<'w> {
    /// How many checks there are.
    number: usize,
    /// The check of every key.
    by_key: BTreeMap<Cow<'w, str>, usize>,
    /// The check of every text with an id, since ids are renumbered between iterations. The text of
    /// others is their key, which a document with a million checks must not hold twice.
    by_text: BTreeMap<Cow<'w, str>, usize>,
}

impl<'w> StatementMatcher<'w> {
    /// The check of each of `statements`, which are those of one configuration in one iteration.
    /// Checks that are met for the first time are numbered on.
    fn places(&mut self, statements: &[Statement<'w>]) -> Vec<usize> {
        let mut is_taken = vec![false; self.number];
        let mut known: Vec<Option<usize>> = Vec::with_capacity(statements.len());
        for statement in statements {
            let place = self.by_key.get(&statement.key).copied().filter(|place| !is_taken[*place]);
            if let Some(place) = place {
                is_taken[place] = true;
            }
            known.push(place);
        }
        let mut places = Vec::with_capacity(statements.len());
        for (statement, known) in statements.iter().zip(known) {
            let text = folded(statement.text);
            let by_text = self.by_text.get(&text).or_else(|| self.by_key.get(&text)).copied();
            let place = known.or(by_text.filter(|place| !is_taken[*place]));
            let place = place.unwrap_or(self.number);
            self.number = self.number.max(place + 1);
            is_taken.resize(self.number, false);
            is_taken[place] = true;
            self.by_key.insert(statement.key.clone(), place);
            if statement.has_id {
                self.by_text.entry(text).or_insert(place);
            }
            places.push(place);
        }
        places
    }

    /// Gives each history the keys that its check has elsewhere, and drops wordings whose key became
    /// that of another check.
    fn name_others(self, histories: &mut [ExpectationHistory<'w>]) {
        for (at, history) in histories.iter_mut().enumerate() {
            history.other_wordings.retain(|wording| self.by_key.get(&wording.key) == Some(&at));
        }
        for (key, at) in self.by_key {
            let history = &mut histories[at];
            if key != history.key {
                history.other_keys.push(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Usefulness, expectations};
    use crate::analyze::analysis;
    use crate::tests::workspaces::{case, run, workspace};
    use input::model::Tally;
    use input::settings::Settings;
    use testing::gradings::checks;

    #[test]
    fn counts_alone_decide_usefulness() {
        let runs = [
            (
                "with_skill",
                &[("gain", 'p'), ("all", 'p'), ("none", 'f'), ("loss", 'p'), ("one", 'p')],
            ),
            (
                "with_skill",
                &[("gain", 'f'), ("all", 'p'), ("none", 'f'), ("loss", 'f'), ("open", '?')],
            ),
        ];
        let mut runs = runs.map(|(name, found)| run(name, 1, checks(found))).to_vec();
        let baseline = [("gain", 'f'), ("all", 'p'), ("none", 'f'), ("loss", 'p')];
        runs.push(run("without_skill", 1, checks(&baseline)));
        let earlier = vec![run("with_skill", 1, checks(&[("gone", 'p')]))];
        let workspace = workspace(vec![vec![case("a", earlier)], vec![case("a", runs)]]);
        let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let mut facts = Vec::new();
        for history in &actual.histories {
            facts.push((history.text, history.usefulness, history.is_flaky));
        }
        let expected = [
            ("gain", Usefulness::PassedOnce, true),
            ("all", Usefulness::PassesEverywhere, false),
            ("none", Usefulness::FailsEverywhere, false),
            ("loss", Usefulness::FailedOnce, true),
            ("one", Usefulness::OneSided, false),
            ("open", Usefulness::NoVerdict, false),
            ("gone", Usefulness::Earlier, false),
        ];
        assert_eq!(facts, expected);
        assert_eq!(actual.candidate, Tally { passed: 5, failed: 4, ungraded: 1 });
        assert_eq!(actual.candidate_unsaturated, Tally { passed: 3, failed: 4, ungraded: 1 });
        assert_eq!(actual.number(Usefulness::FailsEverywhere), 1);
    }

    #[test]
    fn equal_ids_or_equal_texts_are_one_expectation() {
        let iterations = [
            (Some("1"), "is valid JSON"),
            (Some("1"), "must be JSON"),
            (None, "Must be  JSON"),
            (Some("2"), "must be JSON"),
        ];
        let cases = iterations.map(|(id, text)| {
            let mut run = run("with_skill", 1, checks(&[(text, 'p'), ("keeps all 3 rows", 'f')]));
            run.gradings[0].expectations[0].id = id.map(str::to_owned);
            vec![case("a", vec![run])]
        });
        let workspace = workspace(cases.to_vec());
        let actual = expectations(&workspace, &analysis(&workspace, &Settings::default()));
        let [valid, rows] = &actual.histories[..] else { panic!("{:?}", actual.histories) };
        assert_eq!((valid.text, valid.counted.len(), rows.counted.len()), ("must be JSON", 4, 4));
        let others: Vec<&str> = valid.other_wordings.iter().map(|wording| wording.text).collect();
        assert_eq!(others, ["is valid JSON"]);
        assert!(rows.other_wordings.is_empty());
    }
}
