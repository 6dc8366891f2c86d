//! Which cases of different iterations are the same case.
//!
//! A *line* is one case through all iterations. A case continues the line of the same name; else
//! that of the same id, which has no case in this iteration; else that of the same prompt. An id does
//! not join what has another prompt and no expectation in common. Where a name did not decide, the
//! rule is kept, so that the report can show it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::analyze::rewording::{are_same, matched};
use crate::analyze::statements::{Statement, of_case};
use crate::model::{Case, Workspace};
use crate::text::folded;

/// Why a case was taken for the continuation of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// It is the first of its line.
    First,
    /// It has the line's name.
    Name,
    /// It has another name, but the line's id.
    Id,
    /// It has another name and no such id, but the line's prompt.
    Prompt,
}

/// One case as met in one iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// Index of the iteration in the workspace.
    pub iteration: usize,
    /// Index of the case in the iteration.
    pub case: usize,
    /// Why it belongs to the line.
    pub rule: Rule,
    /// Whether its prompt differs from the one met before.
    pub prompt_changed: bool,
    /// Whether its expectations are others than those met before; the same in other words are not.
    pub expectations_changed: bool,
}

/// One case through all iterations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseLine {
    /// The oldest name; it stays the same when later iterations rename the case.
    pub first_name: String,
    /// The newest name, which is the one shown.
    pub name: String,
    /// Where it was met, in the order of the iterations; at most once in each.
    pub meetings: Vec<Meeting>,
}

impl CaseLine {
    /// The meeting in one iteration.
    pub fn meeting(&self, iteration: usize) -> Option<&Meeting> {
        let found = self.meetings.binary_search_by_key(&iteration, |met| met.iteration);
        found.ok().map(|at| &self.meetings[at])
    }

    /// The last meeting before `iteration`.
    pub fn before(&self, iteration: usize) -> Option<&Meeting> {
        self.meetings.iter().rev().find(|meeting| meeting.iteration < iteration)
    }
}

/// The lines of `workspace`, in the order of their newest names.
pub(super) fn of(workspace: &Workspace) -> Vec<CaseLine> {
    let mut found = Found { workspace, lines: Vec::new(), open: Open::default() };
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let mut taken: Vec<usize> = Vec::new();
        let mut waiting: Vec<usize> = Vec::new();
        for (at, case) in iteration.cases.iter().enumerate() {
            match found.open.by_name(case) {
                Some(line) => taken.push(found.join(line, (index, at, Rule::Name))),
                None => waiting.push(at),
            }
        }
        for at in waiting {
            taken.push(match found.by_id_or_prompt(&iteration.cases[at]) {
                Some((line, rule)) => found.join(line, (index, at, rule)),
                None => found.begin(index, at),
            });
        }
        taken.into_iter().for_each(|line| found.reopen(line));
    }
    let mut lines = found.lines;
    lines.sort_by(|a, b| crate::text::natural_order(&a.name, &b.name));
    lines
}

/// The lines so far.
struct Found<'w> {
    workspace: &'w Workspace,
    lines: Vec<CaseLine>,
    open: Open,
}

impl<'w> Found<'w> {
    /// The case last met on a line.
    fn last(&self, line: usize) -> &'w Case {
        let met = &self.lines[line].meetings[self.lines[line].meetings.len() - 1];
        &self.workspace.iterations[met.iteration].cases[met.case]
    }

    fn by_id_or_prompt(&self, case: &Case) -> Option<(usize, Rule)> {
        let by_id = self.open.of_id(case).find(|line| !are_strangers(self.last(*line), case));
        let by_prompt = || self.open.by_prompt(case).map(|line| (line, Rule::Prompt));
        by_id.map(|line| (line, Rule::Id)).or_else(by_prompt)
    }

    fn begin(&mut self, iteration: usize, at: usize) -> usize {
        let name = &self.workspace.iterations[iteration].cases[at].name;
        let meeting = Meeting {
            iteration,
            case: at,
            rule: Rule::First,
            prompt_changed: false,
            expectations_changed: false,
        };
        let meetings = vec![meeting];
        self.lines.push(CaseLine { first_name: name.clone(), name: name.clone(), meetings });
        self.lines.len() - 1
    }

    /// Continues `line`, which no other case of the iteration can do after it.
    fn join(&mut self, line: usize, (iteration, at, rule): (usize, usize, Rule)) -> usize {
        let known = self.last(line);
        self.open.close(line, &self.lines[line], known);
        let case = &self.workspace.iterations[iteration].cases[at];
        let line_of = &mut self.lines[line];
        line_of.name.clone_from(&case.name);
        line_of.meetings.push(Meeting {
            iteration,
            case: at,
            rule,
            prompt_changed: matches!((prompt(known), prompt(case)), (Some(a), Some(b)) if a != b),
            expectations_changed: are_others(&of_case(known), &of_case(case)),
        });
        line
    }

    fn reopen(&mut self, line: usize) {
        let case = self.last(line);
        self.open.open(line, &self.lines[line], case);
    }
}

/// What a case is found by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Name(String),
    Id(String),
    Prompt(String),
}

/// The lines that a case of this iteration may continue, by what a case is found by. Of several the
/// oldest is taken.
#[derive(Default)]
struct Open(BTreeMap<Mark, BTreeSet<usize>>);

impl Open {
    fn first(&self, mark: &Mark) -> Option<usize> {
        self.0.get(mark)?.first().copied()
    }

    fn by_name(&self, case: &Case) -> Option<usize> {
        self.first(&Mark::Name(case.name.clone()))
    }

    fn by_prompt(&self, case: &Case) -> Option<usize> {
        self.first(&Mark::Prompt(prompt(case)?.into_owned()))
    }

    fn of_id(&self, case: &Case) -> impl Iterator<Item = usize> {
        let lines = case.id.clone().and_then(|id| self.0.get(&Mark::Id(id)));
        lines.into_iter().flatten().copied()
    }

    fn open(&mut self, line: usize, known: &CaseLine, last: &Case) {
        for mark in marks(known, last) {
            self.0.entry(mark).or_default().insert(line);
        }
    }

    fn close(&mut self, line: usize, known: &CaseLine, last: &Case) {
        for mark in marks(known, last) {
            self.0.entry(mark).or_default().remove(&line);
        }
    }
}

/// Everything a line is found by: both its names, and id and prompt of the case last met.
fn marks(known: &CaseLine, last: &Case) -> impl Iterator<Item = Mark> {
    let names = [known.name.clone(), known.first_name.clone()].map(Mark::Name);
    let id = last.id.clone().map(Mark::Id);
    names.into_iter().chain(id).chain(prompt(last).map(|it| Mark::Prompt(it.into_owned())))
}

fn prompt(case: &Case) -> Option<Cow<'_, str>> {
    case.prompt.as_deref().map(folded)
}

/// Whether two cases of other names share nothing but an id, which suites number anew: another prompt,
/// and not one expectation alike.
fn are_strangers(known: &Case, next: &Case) -> bool {
    let (before, after) = (of_case(known), of_case(next));
    let can_tell = !before.is_empty() && !after.is_empty();
    can_tell && prompt(known) != prompt(next) && matched(&before, &after).is_empty()
}

/// Whether the statements of one meeting are others than those of the next: some are on one side
/// only, in whatever words. Not where a side has none.
fn are_others(known: &[Statement<'_>], next: &[Statement<'_>]) -> bool {
    !known.is_empty() && !next.is_empty() && !are_same(known, next)
}

#[cfg(test)]
mod tests {
    use super::{Rule, of};
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
        let lines = of(&workspace);
        assert_eq!(lines.len(), 2);
        assert_eq!((lines[0].first_name.as_str(), lines[0].name.as_str()), ("pdf", "forms"));
        assert_eq!(lines[0].meetings[1].rule, Rule::Id);
        assert!(lines[0].meetings[1].prompt_changed);
        assert_eq!(lines[1].meetings[1].rule, Rule::Prompt);
        assert!(!lines[1].meetings[1].prompt_changed);
    }

    #[test]
    fn a_name_goes_before_an_id() {
        let workspace = workspace(vec![
            vec![case("a", Some("1"), ""), case("b", Some("2"), "")],
            vec![case("b", Some("1"), ""), case("a", Some("2"), "")],
        ]);
        let lines = of(&workspace);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.meetings[1].rule == Rule::Name));
    }

    #[test]
    fn cases_of_one_iteration_are_never_the_same() {
        let workspace = workspace(vec![vec![case("a", Some("1"), "x"), case("b", Some("1"), "x")]]);
        assert_eq!(of(&workspace).len(), 2);
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
    fn an_id_joins_no_strangers() {
        let known = "The report names all 3 suppliers";
        let other = "The model converges";
        let joined = |name: &str, prompt: &str, expectation: &str| {
            let of = |name, prompt, expectation| Case {
                planned: planned(&[expectation]),
                ..case(name, Some("1"), prompt)
            };
            let first = of("suppliers", "Name the suppliers", known);
            of_two(first, of(name, prompt, expectation)) == 1
        };
        assert!(!joined("bayes", "Fit a model", other));
        assert!(joined("bayes", "Name the suppliers", other));
        assert!(joined("bayes", "Fit a model", "The report names all 3 of the suppliers"));
        assert!(joined("suppliers", "Fit a model", other));
    }

    /// How many lines two iterations of one case each make.
    fn of_two(first: Case, second: Case) -> usize {
        of(&workspace(vec![vec![first], vec![second]])).len()
    }

    #[test]
    fn expectations_in_other_words_are_the_same() {
        let planned = |texts: &[&str]| Case {
            name: "a".to_owned(),
            planned: planned(texts),
            ..Case::default()
        };
        let workspace = workspace(vec![
            vec![planned(&["The report names all 3 suppliers", "The total is in the last row"])],
            vec![planned(&[
                "The report names all 3 of the suppliers",
                "the total is in the last row",
            ])],
            vec![planned(&["The report names all 4 suppliers", "The total is in the last row"])],
            vec![planned(&["The report names all 4 suppliers"])],
            vec![planned(&[])],
        ]);
        let lines = of(&workspace);
        let changed: Vec<bool> =
            lines[0].meetings.iter().map(|met| met.expectations_changed).collect();
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
        let lines = of(&workspace);
        let rules: Vec<Vec<Rule>> =
            lines.iter().map(|line| line.meetings.iter().map(|met| met.rule).collect()).collect();
        let first = vec![Rule::First, Rule::Name];
        assert_eq!(rules, [first, vec![Rule::First, Rule::Id, Rule::Name, Rule::Prompt]]);
    }
}
