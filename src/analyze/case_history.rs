//! Which cases of different iterations are the same case. A case continues the history of the same
//! name; else one of the same id without a case in this iteration; else one of the same prompt. An
//! id does not join cases with different prompts and no expectation in common.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Side;
use crate::analyze::statements::{are_same, checked_statements, matched};
use input::model::{Case, Run, Workspace};
use text::{folded, is_cut_off, natural_order, whole_part};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseMatch {
    First,
    Name,
    /// Another name, but the id of the history.
    Id,
    /// Another name and no known id, but the prompt of the history.
    Prompt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appearance {
    pub iteration: usize,
    pub case: usize,
    pub rule: CaseMatch,
    pub prompt_changed: bool,
    /// Whether its expectations differ from those before, apart from wording.
    pub expectations_changed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseHistory {
    /// The oldest name; it stays the same when later iterations rename the case.
    pub first_name: String,
    /// The newest name, which is shown.
    pub name: String,
    /// Its cases, in the order of the iterations; at most one in each.
    pub appearances: Vec<Appearance>,
}

impl Appearance {
    pub fn case<'w>(&self, workspace: &'w Workspace) -> &'w Case {
        &workspace.iterations[self.iteration].cases[self.case]
    }
}

impl CaseHistory {
    pub fn appearance(&self, iteration: usize) -> Option<&Appearance> {
        let found = self.appearances.binary_search_by_key(&iteration, |met| met.iteration);
        found.ok().map(|at| &self.appearances[at])
    }

    pub fn before(&self, iteration: usize) -> Option<&Appearance> {
        self.appearances.iter().rev().find(|appearance| appearance.iteration < iteration)
    }

    pub fn case<'w>(&self, workspace: &'w Workspace, iteration: usize) -> Option<&'w Case> {
        Some(self.appearance(iteration)?.case(workspace))
    }

    pub fn runs<'w>(&self, workspace: &'w Workspace, side: &Side) -> impl Iterator<Item = &'w Run> {
        let case = self.case(workspace, side.iteration);
        case.into_iter().flat_map(|case| case.runs_of(&side.configuration))
    }
}

/// The cases of `workspace`, in the order of their newest names.
pub(super) fn case_histories(workspace: &Workspace) -> Vec<CaseHistory> {
    let mut tracker = Tracker { workspace, histories: Vec::new(), open: BTreeMap::new() };
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let mut continued: Vec<usize> = Vec::new();
        // Names go first: a suite that inserts a case in front shifts the ids of all others.
        let mut unnamed: Vec<usize> = Vec::new();
        for (at, case) in iteration.cases.iter().enumerate() {
            match tracker.first_open(&Mark::Name(case.name.clone())) {
                Some(history) => {
                    continued.push(tracker.add(index, at, Some((history, CaseMatch::Name))));
                }
                None => unnamed.push(at),
            }
        }
        for at in unnamed {
            let case_match = tracker.by_id_or_prompt(&iteration.cases[at]);
            continued.push(tracker.add(index, at, case_match));
        }
        for history in continued {
            for mark in tracker.marks(history) {
                tracker.open.entry(mark).or_default().insert(history);
            }
        }
    }
    let mut histories = tracker.histories;
    histories.sort_by(|a, b| natural_order(&a.name, &b.name));
    histories
}

/// By what a case may be recognized.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Name(String),
    Id(String),
    Prompt(String),
}

struct Tracker<'w> {
    workspace: &'w Workspace,
    histories: Vec<CaseHistory>,
    /// The histories that a case of this iteration may continue. The oldest of several is taken.
    open: BTreeMap<Mark, BTreeSet<usize>>,
}

impl<'w> Tracker<'w> {
    fn last_case(&self, history: usize) -> Option<&'w Case> {
        Some(self.histories[history].appearances.last()?.case(self.workspace))
    }

    /// Both names, and id and prompt of the last case.
    fn marks(&self, history: usize) -> Vec<Mark> {
        let CaseHistory { name, first_name, .. } = &self.histories[history];
        let mut marks = vec![Mark::Name(name.clone()), Mark::Name(first_name.clone())];
        if let Some(last) = self.last_case(history) {
            marks.extend(last.id.clone().map(Mark::Id));
            marks.extend(prompt_mark(last));
        }
        marks
    }

    fn first_open(&self, mark: &Mark) -> Option<usize> {
        self.open.get(mark)?.first().copied()
    }

    fn by_id_or_prompt(&self, case: &Case) -> Option<(usize, CaseMatch)> {
        let same_id = case.id.clone().and_then(|id| self.open.get(&Mark::Id(id)));
        for history in same_id.into_iter().flatten().copied() {
            if self.last_case(history).is_none_or(|last| has_anything_in_common(last, case)) {
                return Some((history, CaseMatch::Id));
            }
        }
        Some((self.first_open(&prompt_mark(case)?)?, CaseMatch::Prompt))
    }

    /// Adds a case to a known history, which no other case of the iteration can then continue, else
    /// to a new one. Returns its index.
    fn add(&mut self, iteration: usize, at: usize, matched: Option<(usize, CaseMatch)>) -> usize {
        let case = &self.workspace.iterations[iteration].cases[at];
        let mut appearance = Appearance {
            iteration,
            case: at,
            rule: CaseMatch::First,
            prompt_changed: false,
            expectations_changed: false,
        };
        let Some((history, rule)) = matched else {
            let (first_name, name) = (case.name.clone(), case.name.clone());
            self.histories.push(CaseHistory { first_name, name, appearances: vec![appearance] });
            return self.histories.len() - 1;
        };
        appearance.rule = rule;
        if let Some(last) = self.last_case(history) {
            appearance.prompt_changed = has_another_prompt(last, case);
            appearance.expectations_changed = has_other_statements(last, case);
        }
        // Two cases with one prompt in an iteration are two cases.
        for mark in self.marks(history) {
            self.open.entry(mark).or_default().remove(&history);
        }
        self.histories[history].name.clone_from(&case.name);
        self.histories[history].appearances.push(appearance);
        history
    }
}

fn prompt(case: &Case) -> Option<Cow<'_, str>> {
    case.prompt.as_deref().map(folded)
}

/// `None` for the beginning of a prompt: runners cut off the same instructions before each task.
fn prompt_mark(case: &Case) -> Option<Mark> {
    let prompt = prompt(case)?;
    if is_cut_off(&prompt) { None } else { Some(Mark::Prompt(prompt.into_owned())) }
}

/// Whether both cases have a prompt and these differ, as far as they are known. Within an iteration
/// they are one case.
pub(super) fn has_another_prompt(old: &Case, new: &Case) -> bool {
    let (Some(old), Some(new)) = (prompt(old), prompt(new)) else { return false };
    old != new && !is_beginning(&old, &new) && !is_beginning(&new, &old)
}

fn is_beginning(part: &str, whole: &str) -> bool {
    is_cut_off(part) && whole_part(whole).starts_with(whole_part(part).trim_end())
}

/// Whether two cases share the prompt or an expectation, as far as both have expectations. Suites
/// renumber their cases, so an equal id alone does not make them one.
fn has_anything_in_common(known: &Case, next: &Case) -> bool {
    let (before, after) = (checked_statements(known), checked_statements(next));
    before.is_empty()
        || after.is_empty()
        || !has_another_prompt(known, next) && prompt(known).is_none_or(|known| !is_cut_off(&known))
        || !matched(&before, &after).is_empty()
}

/// Whether some statements are on one side only, regardless of wording. False where a side has
/// none.
fn has_other_statements(known: &Case, next: &Case) -> bool {
    let (before, after) = (checked_statements(known), checked_statements(next));
    !before.is_empty() && !after.is_empty() && !are_same(&before, &after)
}

#[cfg(test)]
mod tests {
    use super::CaseMatch::{self, First, Id, Name, Prompt};
    use super::case_histories;
    use crate::tests::workspaces::workspace;
    use input::model::{Case, PlannedExpectation};

    /// A case written as `name id prompt`; `-` stands for no id or no prompt.
    fn case(line: &str) -> Case {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let known = |word: &str| if word == "-" { None } else { Some(word.to_owned()) };
        Case {
            name: words[0].to_owned(),
            id: known(words[1]),
            prompt: known(words[2]),
            ..Case::default()
        }
    }

    fn planned(texts: &[&str], case: Case) -> Case {
        let planned = texts.iter().map(|text| PlannedExpectation {
            id: None,
            text: (*text).to_owned(),
            description: None,
            required: None,
            avoid: false,
        });
        Case { planned: planned.collect(), ..case }
    }

    #[test]
    fn a_case_goes_on_by_name_then_by_id_then_by_prompt() {
        let table: [(&[&[&str]], &[(&str, &[CaseMatch])]); 6] = [
            (
                &[
                    &["pdf 1 Make", "csv - Clean the  table"],
                    &["forms 1 Fill", "tables - clean the table"],
                ],
                &[("forms", &[First, Id]), ("tables", &[First, Prompt])],
            ),
            (
                &[&["a 1 -", "b 2 -"], &["b 1 -", "a 2 -"]],
                &[("a", &[First, Name]), ("b", &[First, Name])],
            ),
            (&[&["a 1 x", "b 1 x"]], &[("a", &[First]), ("b", &[First])]),
            // A history is found by its first name and by its last prompt.
            (
                &[&["a 1 x"], &["b 1 y"], &["a - z", "c - y"], &["d - z", "c - y"]],
                &[("c", &[First, Name]), ("d", &[First, Id, Name, Prompt])],
            ),
            (&[&["a - x"], &[], &["a - y"]], &[("a", &[First, Name])]),
            // The beginning of a prompt joins no cases.
            (&[&["a - Read the..."], &["b - Read the..."]], &[("a", &[First]), ("b", &[First])]),
        ];
        for (iterations, expected) in table {
            let cases = |lines: &&[&str]| lines.iter().map(|line| case(line)).collect();
            let histories = case_histories(&workspace(iterations.iter().map(cases).collect()));
            let mut actual = Vec::new();
            for history in &histories {
                let rules = history.appearances.iter().map(|appearance| appearance.rule);
                actual.push((history.name.as_str(), rules.collect::<Vec<_>>()));
            }
            let expected: Vec<_> =
                expected.iter().map(|(name, rules)| (*name, rules.to_vec())).collect();
            assert_eq!(actual, expected);
        }
    }

    #[test]
    fn a_renamed_case_keeps_its_first_name_and_notes_another_prompt() {
        let workspace = workspace(vec![vec![case("pdf 1 Make")], vec![case("forms 1 Fill")]]);
        let history = &case_histories(&workspace)[0];
        assert_eq!((history.first_name.as_str(), history.name.as_str()), ("pdf", "forms"));
        assert!(history.appearances[1].prompt_changed);
    }

    #[test]
    fn a_prompt_that_was_cut_off_is_not_another_one() {
        for (first, second, is_changed) in [
            ("a - Read the...", "a - read the sheet", false),
            ("a - Read the sheet", "a - Read the…", false),
            ("a - Read the...", "a - Read a sheet", true),
            ("a - Read the sheet", "a - Read the", true),
        ] {
            let workspace = workspace(vec![vec![case(first)], vec![case(second)]]);
            let history = &case_histories(&workspace)[0];
            assert_eq!(history.appearances[1].prompt_changed, is_changed, "{first}: {second}");
        }
    }

    #[test]
    fn an_id_joins_no_different_cases() {
        let known = "The report names all 3 suppliers";
        for (second, expectation, is_joined) in [
            ("bayes 1 fit", "The model converges", false),
            ("bayes 1 name", "The model converges", true),
            ("bayes 1 fit", "The report  names all 3 Suppliers", true),
            ("suppliers 1 fit", "The model converges", true),
        ] {
            let first = planned(&[known], case("suppliers 1 name"));
            let second = planned(&[expectation], case(second));
            let histories = case_histories(&workspace(vec![vec![first], vec![second]]));
            assert_eq!(histories.len() == 1, is_joined, "{expectation}");
        }
    }

    #[test]
    fn expectations_are_the_same_by_their_texts() {
        let iterations = [
            &["The report names all 3 suppliers", "The total is in the last row"][..],
            &["The report  names all 3 Suppliers", "the total is in the last row"],
            &["The report names all 4 suppliers", "The total is in the last row"],
            &["The report names all 4 suppliers"],
            &[],
        ];
        let cases = iterations.map(|texts| vec![planned(texts, case("a - -"))]);
        let histories = case_histories(&workspace(cases.to_vec()));
        let changed: Vec<bool> =
            histories[0].appearances.iter().map(|met| met.expectations_changed).collect();
        assert_eq!(changed, [false, false, true, true, false]);
    }
}
