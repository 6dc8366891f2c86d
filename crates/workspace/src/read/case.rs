//! Reads planned cases: `evals.json` with all of them, `eval_metadata.json` with one.

use std::collections::BTreeSet;

use crate::read::alias::{case, labels};
use crate::read::cursor::{Cursor, report_mistyped};
use crate::read::verdict;
use input::model::{Case, Code, PlannedExpectation, fill};

/// All cases of a skill.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvalsRecord {
    /// The skill's name as written; `None` if there is none.
    pub skill: Option<String>,
    /// The version of the format, as written; `None` if there is none.
    pub version: Option<String>,
    /// The cases in the order written, without runs.
    pub cases: Vec<Case>,
}

/// Reads `evals.json` and checks its documented rules.
pub(super) fn read_evals(root: Cursor<'_>) -> Option<EvalsRecord> {
    let mut cases: Vec<Case> = Vec::new();
    if let Some(list) = root.list(&case::LIST) {
        cases.extend(list.items().filter_map(read_eval));
        let fields = [&case::PROMPT, &case::EXPECTATIONS, &case::FILES, &case::EXPECTED_OUTPUT];
        report_mistyped(list, &fields, "a case");
        check_ids(list);
    } else {
        // People also write them by name: `"evals": {"rarest": {"prompt": ...}}`.
        let by_name = root.object(&case::LIST)?;
        if !by_name.entries().all(|(_, value)| value.get(&case::PROMPT).is_some()) {
            return None;
        }
        for (name, value) in by_name.entries() {
            let mut case = read_case(value);
            // A number is the id of a case, whose folder may be `eval-1`.
            if name.bytes().all(|b| b.is_ascii_digit()) {
                fill(&mut case.id, &Some(name.to_owned()));
            } else {
                fill(&mut case.name, &name.to_owned());
            }
            cases.push(case);
        }
    }
    let version = root.label(&labels::FORMAT);
    Some(EvalsRecord { skill: root.label(&labels::SKILL), version, cases })
}

/// Whether the document lists cases instead of describing one.
pub(super) fn is_list_of_cases(root: Cursor<'_>) -> bool {
    let mut items = root.list(&case::LIST).into_iter().flat_map(Cursor::items);
    items.any(|item| item.get(&case::PROMPT).is_some())
}

/// Reads one case; `None` if the document does not describe one.
pub(super) fn read_metadata(root: Cursor<'_>) -> Option<Case> {
    let case = if root.is_list() {
        Case { planned: read_expectations(root), ..Case::default() }
    } else {
        read_case(root)
    };
    if case == Case::default() { None } else { Some(case) }
}

/// One case of a list; a bare text is its prompt.
fn read_eval(item: Cursor<'_>) -> Option<Case> {
    if item.is_filled() && item.node().as_text().is_some() {
        return Some(Case { prompt: Some(item.as_text()?), ..Case::default() });
    }
    if !item.is_object() {
        let kind = item.node().as_text().map_or(item.node().kind(), |_| "a blank text");
        let message = format!("`{}` should be a case, not {kind}", item.name());
        let help = "write an object with a `prompt`, or the prompt alone";
        item.problem(Code::WrongType, message, "left out", help);
        return None;
    }
    let case = read_case(item);
    // A case of the scored dialect needs one required expectation, or it can never fail.
    let mut marks = case.planned.iter().filter_map(|expectation| expectation.required).peekable();
    if marks.peek().is_some() && !marks.any(|is_required| is_required) {
        let name = case.id.as_deref().or(case.stated_name()).unwrap_or("?");
        let message = format!("the case `{name}` has no required expectation");
        let help = "mark one expectation `\"required\": true`";
        let assumed = "it can never fail as a whole";
        item.problem(Code::NoRequiredExpectation, message, assumed, help);
    }
    Some(case)
}

fn read_case(item: Cursor<'_>) -> Case {
    let expectations = item.get(&case::EXPECTATIONS);
    Case {
        id: item.label(&case::ID).filter(|id| !id.is_empty()),
        name: item.label(&case::NAME).unwrap_or_default(),
        prompt: item.text(&case::PROMPT),
        expected_output: item.text(&case::EXPECTED_OUTPUT),
        files: item.texts(&case::FILES),
        planned: expectations.map(read_expectations).unwrap_or_default(),
        should_load: item.flag(&case::SHOULD_LOAD),
        ..Case::default()
    }
}

/// The planned expectations: a list, an object by id, lists by kind, or one text.
// Public metadata has texts in 963 files and objects in 403.
fn read_expectations(field: Cursor<'_>) -> Vec<PlannedExpectation> {
    if field.node().as_text().is_some() {
        return read_expectation(field).into_iter().collect();
    }
    let mut planned: Vec<_> = field.items().filter_map(read_expectation).collect();
    for (name, value) in field.entries() {
        if value.is_list() {
            planned.extend(value.items().filter_map(|item| expectation_of_kind(item, name)));
        } else if let Some(mut expectation) = read_expectation(value) {
            expectation.id = expectation.id.or_else(|| Some(name.to_owned()));
            planned.push(expectation);
        }
    }
    planned
}

/// An expectation in the list of its kind. A bare text is a statement only together with the name
/// of the kind, unless that marks it as one: a forbidden thing reads like a required one.
fn expectation_of_kind(item: Cursor<'_>, kind: &str) -> Option<PlannedExpectation> {
    let mut expectation = read_expectation(item)?;
    expectation.avoid |= verdict::is_kind_to_avoid(kind);
    let last_word = kind.rsplit(['_', '-', ' ']).next().unwrap_or(kind);
    if !item.is_object() && !case::EXPECTATIONS.is(last_word) {
        expectation.text = format!("{kind}: {}", expectation.text);
    }
    Some(expectation)
}

/// One expectation: an object, or its statement alone. An empty one is a problem.
fn read_expectation(item: Cursor<'_>) -> Option<PlannedExpectation> {
    let field = if item.is_object() { item.get(&case::EXPECTATION_TEXT) } else { Some(item) };
    let Some(text) = field.and_then(|found| found.as_text()) else {
        // A placeholder is already a problem.
        if !field.is_some_and(|field| field.is_filled() && field.node().as_text().is_some()) {
            let message = format!("`{}` has no statement", item.name());
            let help = "write an object with a `text`, or the statement alone";
            item.problem(Code::WrongType, message, "left out", help);
        }
        return None;
    };
    let id = item.label(&case::ID);
    let mut description = item.text(&case::DESCRIPTION).filter(|stated| *stated != text);
    // The kind of a check by a program is no statement: `"check": "tool_invocation_matches"`.
    let pattern = item.get(&case::PATTERN).and_then(|pattern| pattern.as_text());
    let mut text = text;
    if let (Some(id), Some(pattern)) = (&id, pattern)
        && !text.contains(char::is_whitespace)
    {
        let not = if item.flag(&case::NEGATE) == Some(true) { "not " } else { "" };
        let kind = std::mem::replace(&mut text, format!("{id}: {not}{pattern}"));
        description = description.or(if kind == *id { None } else { Some(kind) });
    }
    let kind = item.label(&case::KIND);
    let avoid = kind.is_some_and(|kind| verdict::is_kind_to_avoid(&kind))
        || item.all(&case::TO_AVOID).any(|flag| flag.as_flag() == Some(true));
    let required = item.flag(&case::REQUIRED);
    Some(PlannedExpectation { id, text, description, required, avoid })
}

/// Ids are unique and of one type.
fn check_ids(list: Cursor<'_>) {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut kinds: BTreeSet<&str> = BTreeSet::new();
    for item in list.items() {
        let Some(id) = item.get(&case::ID) else { continue };
        kinds.insert(id.node().kind());
        let Some(text) = id.as_label() else { continue };
        if !seen.insert(text.clone()) {
            let message = format!("the id `{text}` is there twice");
            let help = "give every case an id of its own";
            id.problem(Code::DuplicateCaseId, message, "both cases were kept", help);
        } else if kinds.len() == 2 {
            let message = "the ids are of different types";
            let help = "write all of them as numbers or all as text";
            id.problem(Code::MixedIds, message, "compared as text", help);
            kinds.insert("reported");
        }
    }
}
