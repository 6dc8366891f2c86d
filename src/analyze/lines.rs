//! Which cases of different iterations are the same case.
//!
//! A *line* is one case through all iterations. A case continues the line of the same name; else
//! that of the same id, which has no case in this iteration; else that of the same prompt. Where a
//! name did not decide, the rule is kept, so that the report can show it.

use std::collections::BTreeSet;

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
    /// Whether its set of expectations differs from the one met before.
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
        self.meetings.iter().find(|meeting| meeting.iteration == iteration)
    }

    /// The last meeting before `iteration`.
    pub fn before(&self, iteration: usize) -> Option<&Meeting> {
        self.meetings.iter().rev().find(|meeting| meeting.iteration < iteration)
    }
}

/// The lines of `workspace`, in the order of their newest names.
pub(super) fn of(workspace: &Workspace) -> Vec<CaseLine> {
    let mut lines: Vec<CaseLine> = Vec::new();
    for (index, iteration) in workspace.iterations.iter().enumerate() {
        let mut taken: BTreeSet<usize> = BTreeSet::new();
        let mut waiting: Vec<usize> = Vec::new();
        for (at, case) in iteration.cases.iter().enumerate() {
            match find(&lines, &taken, |line| {
                line.name == case.name || line.first_name == case.name
            }) {
                Some(line) => {
                    join(workspace, &mut lines, &mut taken, line, (index, at, Rule::Name))
                }
                None => waiting.push(at),
            }
        }
        for at in waiting {
            let found = by_id_or_prompt(workspace, &lines, &taken, &iteration.cases[at]);
            match found {
                Some((line, rule)) => {
                    join(workspace, &mut lines, &mut taken, line, (index, at, rule))
                }
                None => {
                    taken.insert(lines.len());
                    lines.push(begin(&iteration.cases[at], index, at));
                }
            }
        }
    }
    lines.sort_by(|a, b| crate::text::natural_order(&a.name, &b.name));
    lines
}

fn find(
    lines: &[CaseLine],
    taken: &BTreeSet<usize>,
    is_same: impl Fn(&CaseLine) -> bool,
) -> Option<usize> {
    lines
        .iter()
        .enumerate()
        .find(|(at, line)| !taken.contains(at) && is_same(line))
        .map(|(at, _)| at)
}

fn by_id_or_prompt(
    workspace: &Workspace,
    lines: &[CaseLine],
    taken: &BTreeSet<usize>,
    case: &Case,
) -> Option<(usize, Rule)> {
    let last = |line: &CaseLine| line.meetings.last().map(|met| met_case(workspace, met));
    let by_id = case
        .id
        .is_some()
        .then(|| find(lines, taken, |line| last(line).is_some_and(|known| known.id == case.id)));
    let by_prompt = || {
        let wanted = case.prompt.as_deref().map(folded)?;
        find(lines, taken, |line| {
            last(line).and_then(|known| known.prompt.as_deref().map(folded)).as_ref()
                == Some(&wanted)
        })
    };
    let by_id = by_id.flatten().map(|line| (line, Rule::Id));
    by_id.or_else(|| by_prompt().map(|line| (line, Rule::Prompt)))
}

fn met_case<'w>(workspace: &'w Workspace, meeting: &Meeting) -> &'w Case {
    &workspace.iterations[meeting.iteration].cases[meeting.case]
}

fn begin(case: &Case, iteration: usize, at: usize) -> CaseLine {
    let meeting = Meeting {
        iteration,
        case: at,
        rule: Rule::First,
        prompt_changed: false,
        expectations_changed: false,
    };
    CaseLine { first_name: case.name.clone(), name: case.name.clone(), meetings: vec![meeting] }
}

fn join(
    workspace: &Workspace,
    lines: &mut [CaseLine],
    taken: &mut BTreeSet<usize>,
    line: usize,
    (iteration, at, rule): (usize, usize, Rule),
) {
    taken.insert(line);
    let line = &mut lines[line];
    let case = &workspace.iterations[iteration].cases[at];
    let known = line.meetings.last().map(|met| met_case(workspace, met));
    let differs = |a: Option<BTreeSet<String>>, b: Option<BTreeSet<String>>| matches!((a, b), (Some(a), Some(b)) if a != b);
    let prompt = |case: &Case| case.prompt.as_deref().map(|text| BTreeSet::from([folded(text)]));
    line.name.clone_from(&case.name);
    line.meetings.push(Meeting {
        iteration,
        case: at,
        rule,
        prompt_changed: differs(known.and_then(prompt), prompt(case)),
        expectations_changed: differs(known.and_then(statements), statements(case)),
    });
}

/// The statements checked in a case: those graded, else those planned; `None` when there are none.
fn statements(case: &Case) -> Option<BTreeSet<String>> {
    let gradings = case.runs.iter().filter_map(|run| run.grading());
    let mut texts: BTreeSet<String> =
        gradings.flat_map(|grading| &grading.expectations).map(|e| folded(&e.text)).collect();
    if texts.is_empty() {
        texts = case.planned.iter().map(|planned| folded(&planned.text)).collect();
    }
    (!texts.is_empty()).then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::{Rule, of};
    use crate::model::{Case, Iteration, Workspace};

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
}
