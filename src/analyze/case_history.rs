//! Which cases of different iterations are the same case: a *line*. A case continues the line of
//! the same name; else one of the same id without a case in this iteration; else one of the same
//! prompt. An id does not join cases with different prompts and no expectation in common.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::Side;
use crate::analyze::statements::{are_same, checked_statements, matched};
use crate::model::{Case, Run, Workspace};
use crate::text::{folded, natural_order};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseMatch {
    First,
    Name,
    /// Another name, but the line's id.
    Id,
    /// Another name and no known id, but the line's prompt.
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

/// The lines of `workspace`, in the order of their newest names.
pub(super) fn case_histories(workspace: &Workspace) -> Vec<CaseHistory> {
    let mut tracker = OpenLines { workspace, lines: Vec::new(), open: BTreeMap::new() };
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let mut taken: Vec<usize> = Vec::new();
        let mut unnamed: Vec<usize> = Vec::new();
        for (at, case) in iteration.cases.iter().enumerate() {
            match tracker.first_open(&LineMark::Name(case.name.clone())) {
                Some(line) => taken.push(tracker.add(index, at, Some((line, CaseMatch::Name)))),
                None => unnamed.push(at),
            }
        }
        for at in unnamed {
            let case_match = tracker.by_id_or_prompt(&iteration.cases[at]);
            taken.push(tracker.add(index, at, case_match));
        }
        for line in taken {
            for mark in tracker.marks(line) {
                tracker.open.entry(mark).or_default().insert(line);
            }
        }
    }
    let mut lines = tracker.lines;
    lines.sort_by(|a, b| natural_order(&a.name, &b.name));
    lines
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LineMark {
    Name(String),
    Id(String),
    Prompt(String),
}

struct OpenLines<'w> {
    workspace: &'w Workspace,
    lines: Vec<CaseHistory>,
    /// The lines that a case of this iteration may continue. The oldest of several is taken.
    open: BTreeMap<LineMark, BTreeSet<usize>>,
}

impl<'w> OpenLines<'w> {
    fn last_case(&self, line: usize) -> Option<&'w Case> {
        Some(self.lines[line].appearances.last()?.case(self.workspace))
    }

    /// All marks of a line: both its names, and id and prompt of its last case.
    fn marks(&self, line: usize) -> Vec<LineMark> {
        let CaseHistory { name, first_name, .. } = &self.lines[line];
        let mut marks = vec![LineMark::Name(name.clone()), LineMark::Name(first_name.clone())];
        if let Some(last) = self.last_case(line) {
            marks.extend(last.id.clone().map(LineMark::Id));
            marks.extend(prompt_mark(last));
        }
        marks
    }

    fn first_open(&self, mark: &LineMark) -> Option<usize> {
        self.open.get(mark)?.first().copied()
    }

    fn by_id_or_prompt(&self, case: &Case) -> Option<(usize, CaseMatch)> {
        let same_id = case.id.clone().and_then(|id| self.open.get(&LineMark::Id(id)));
        for line in same_id.into_iter().flatten().copied() {
            if !self.last_case(line).is_some_and(|last| have_nothing_in_common(last, case)) {
                return Some((line, CaseMatch::Id));
            }
        }
        Some((self.first_open(&prompt_mark(case)?)?, CaseMatch::Prompt))
    }

    /// Adds a case to a known line, which no other case of the iteration can then continue, else to
    /// a new one.
    fn add(&mut self, iteration: usize, at: usize, matched: Option<(usize, CaseMatch)>) -> usize {
        let case = &self.workspace.iterations[iteration].cases[at];
        let last = matched.and_then(|(line, _)| self.last_case(line));
        let appearance = Appearance {
            iteration,
            case: at,
            rule: matched.map_or(CaseMatch::First, |(_, rule)| rule),
            prompt_changed: last.is_some_and(|last| has_another_prompt(last, case)),
            expectations_changed: last.is_some_and(|last| has_other_statements(last, case)),
        };
        let Some((line, _)) = matched else {
            let (first_name, name) = (case.name.clone(), case.name.clone());
            self.lines.push(CaseHistory { first_name, name, appearances: vec![appearance] });
            return self.lines.len() - 1;
        };
        for mark in self.marks(line) {
            self.open.entry(mark).or_default().remove(&line);
        }
        self.lines[line].name.clone_from(&case.name);
        self.lines[line].appearances.push(appearance);
        line
    }
}

fn prompt(case: &Case) -> Option<Cow<'_, str>> {
    case.prompt.as_deref().map(folded)
}

fn prompt_mark(case: &Case) -> Option<LineMark> {
    prompt(case).map(|prompt| LineMark::Prompt(prompt.into_owned()))
}

/// Whether both cases have a prompt and these differ. Within an iteration they are one case.
pub(super) fn has_another_prompt(old: &Case, new: &Case) -> bool {
    matches!((prompt(old), prompt(new)), (Some(a), Some(b)) if a != b)
}

/// Whether two cases differ in their prompts and share no expectation. Suites renumber their cases,
/// so an equal id alone does not make them one.
fn have_nothing_in_common(known: &Case, next: &Case) -> bool {
    let (before, after) = (checked_statements(known), checked_statements(next));
    let can_tell = !before.is_empty() && !after.is_empty();
    can_tell && prompt(known) != prompt(next) && matched(&before, &after).is_empty()
}

/// Whether some statements are on one side only, regardless of wording. False where a side has
/// none.
fn has_other_statements(known: &Case, next: &Case) -> bool {
    let (before, after) = (checked_statements(known), checked_statements(next));
    !before.is_empty() && !after.is_empty() && !are_same(&before, &after)
}

#[cfg(test)]
mod tests {
    use super::{CaseMatch, case_histories};
    use crate::model::{Case, Iteration, PlannedExpectation, Workspace};

    fn case(name: &str, id: Option<&str>, prompt: &str) -> Case {
        let prompt = (!prompt.is_empty()).then(|| prompt.to_owned());
        Case { name: name.to_owned(), id: id.map(str::to_owned), prompt, ..Case::default() }
    }

    fn workspace(iterations: Vec<Vec<Case>>) -> Workspace {
        let iterations =
            iterations.into_iter().map(|cases| Iteration { cases, ..Iteration::default() });
        Workspace { iterations: iterations.collect(), ..Workspace::default() }
    }

    #[test]
    fn a_renamed_case_is_found_by_id_or_prompt() {
        let workspace = workspace(vec![
            vec![case("pdf", Some("1"), "Make a PDF"), case("csv", None, "Clean the  table")],
            vec![case("forms", Some("1"), "Make a form"), case("tables", None, "clean the table")],
        ]);
        let lines = case_histories(&workspace);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].first_name.as_str(), lines[0].name.as_str()), ("pdf", "forms"));
        assert_eq!(lines[0].appearances[1].rule, CaseMatch::Id);
        assert!(lines[0].appearances[1].prompt_changed);
        assert_eq!(lines[1].appearances[1].rule, CaseMatch::Prompt);
        assert!(!lines[1].appearances[1].prompt_changed);
    }

    #[test]
    fn a_name_goes_before_an_id() {
        let workspace = workspace(vec![
            vec![case("a", Some("1"), ""), case("b", Some("2"), "")],
            vec![case("b", Some("1"), ""), case("a", Some("2"), "")],
        ]);
        let lines = case_histories(&workspace);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.appearances[1].rule == CaseMatch::Name));
    }

    #[test]
    fn cases_of_one_iteration_are_never_the_same() {
        let workspace = workspace(vec![vec![case("a", Some("1"), "x"), case("b", Some("1"), "x")]]);
        assert_eq!(case_histories(&workspace).len(), 2);
    }

    fn planned(texts: &[&str]) -> Vec<PlannedExpectation> {
        let of = |text: &&str| PlannedExpectation {
            id: None,
            text: (*text).to_owned(),
            description: None,
            required: None,
        };
        texts.iter().map(of).collect()
    }

    #[test]
    fn an_id_joins_no_different_cases() {
        let known = "The report names all 3 suppliers";
        let other = "The model converges";
        let joined = |name: &str, prompt: &str, expectation: &str| {
            let of = |name, prompt, expectation| Case {
                planned: planned(&[expectation]),
                ..case(name, Some("1"), prompt)
            };
            let first = of("suppliers", "Name the suppliers", known);
            line_count(first, of(name, prompt, expectation)) == 1
        };
        assert!(!joined("bayes", "Fit a model", other));
        assert!(joined("bayes", "Name the suppliers", other));
        assert!(joined("bayes", "Fit a model", "The report  names all 3 Suppliers"));
        assert!(joined("suppliers", "Fit a model", other));
    }

    /// The number of lines that two iterations of one case each make.
    fn line_count(first: Case, second: Case) -> usize {
        case_histories(&workspace(vec![vec![first], vec![second]])).len()
    }

    #[test]
    fn expectations_are_the_same_by_their_texts() {
        let planned = |texts: &[&str]| Case {
            name: "a".to_owned(),
            planned: planned(texts),
            ..Case::default()
        };
        let workspace = workspace(vec![
            vec![planned(&["The report names all 3 suppliers", "The total is in the last row"])],
            vec![planned(&["The report  names all 3 Suppliers", "the total is in the last row"])],
            vec![planned(&["The report names all 4 suppliers", "The total is in the last row"])],
            vec![planned(&["The report names all 4 suppliers"])],
            vec![planned(&[])],
        ]);
        let lines = case_histories(&workspace);
        let changed: Vec<bool> =
            lines[0].appearances.iter().map(|met| met.expectations_changed).collect();
        assert_eq!(changed, [false, false, true, true, false]);
    }

    #[test]
    fn a_line_is_found_by_its_first_name_and_by_its_last_prompt() {
        let workspace = workspace(vec![
            vec![case("a", Some("1"), "x")],
            vec![case("b", Some("1"), "y")],
            vec![case("a", None, "z"), case("c", None, "y")],
            vec![case("d", None, "z"), case("c", None, "y")],
        ]);
        let lines = case_histories(&workspace);
        let rules: Vec<Vec<CaseMatch>> = lines
            .iter()
            .map(|line| line.appearances.iter().map(|met| met.rule).collect())
            .collect();
        let first = vec![CaseMatch::First, CaseMatch::Name];
        assert_eq!(
            rules,
            [first, vec![CaseMatch::First, CaseMatch::Id, CaseMatch::Name, CaseMatch::Prompt]]
        );
    }
}
