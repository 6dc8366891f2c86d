//! Fills the shapes of what was found in the files behind the numbers.

use crate::analyze::{
    CheckAt, EditLink, FlipKind, Hunk, Inconsistent, MovedCheck, Quote, QuoteCounts, SkillEdits,
    SkillRule, Unmentioned, missing,
};
use crate::model::Outcome;
use crate::render::context::Part;
use crate::report_json::{
    CaseCheckJson, EditJson, EditsJson, EvidenceJson, InconsistentJson, MissingJson, MovedJson,
    QuotationsJson, SkillRuleJson,
};

/// The evidence of the iteration at `index`; `None` where there is nothing to say.
pub(super) fn evidence(part: &Part<'_>, index: usize) -> Option<EvidenceJson> {
    let counts = part.quotes().by_grader(part.workspace, index);
    let quotations = |(grader, counts): (Option<&str>, QuoteCounts)| {
        let QuoteCounts { exact, close, elsewhere, missing, unknown } = counts;
        let grader = grader.map(str::to_owned);
        QuotationsJson { grader, exact, close, elsewhere, missing, unknown }
    };
    let graders: Vec<QuotationsJson> = counts.into_iter().map(quotations).collect();
    let mut missing = missing(part.quotes().of_iteration(index));
    missing.sort_by_key(|(at, _)| at.check(part.workspace).outcome != Outcome::Passed);
    let inconsistent = part.inconsistent().iter().filter(|found| found.iteration() == index);
    let inconsistent: Vec<InconsistentJson> =
        inconsistent.map(|found| differing(part, found)).collect();
    let is_empty = graders.is_empty() && inconsistent.is_empty();
    let missing = missing.into_iter().map(|(at, quotes)| unfounded(part, &at, &quotes)).collect();
    (!is_empty).then_some(EvidenceJson { graders, missing, inconsistent })
}

fn unfounded(part: &Part<'_>, at: &CheckAt, quotes: &[&Quote]) -> MissingJson {
    let case = &part.workspace.iterations[at.iteration].cases[at.case];
    let (run, check) = (&case.runs[at.run], at.check(part.workspace));
    MissingJson {
        case: case.name.clone(),
        configuration: run.configuration.clone(),
        run: run.number,
        check: check.text.clone(),
        passed: check.outcome.into(),
        quotations: quotes.iter().map(|quote| quote.text.clone()).collect(),
    }
}

fn differing(part: &Part<'_>, found: &Inconsistent) -> InconsistentJson {
    let [passed, failed] = found.runs.map(|at| at.run(part.workspace).path.clone());
    let case = part.analysis.lines[found.line].name.clone();
    InconsistentJson { case, check: found.text.clone(), passed, failed }
}

/// What is known of the edits between the copies of the skill.
pub(super) fn edits(part: &Part<'_>) -> Vec<EditsJson> {
    let case = |line: usize| part.analysis.lines[line].name.clone();
    let moved = |edits: &SkillEdits, moved: &MovedCheck| MovedJson {
        case: case(moved.line),
        check: moved.text.clone(),
        change: if moved.kind == FlipKind::Regressed { "regressed" } else { "improved" },
        edit: moved.link.clone().map(|EditLink { hunk, words }| {
            let Hunk { file, line, removed, added } = edits.hunks[hunk].clone();
            EditJson { file, line, removed, added, words }
        }),
    };
    let rule = |rule: &SkillRule| {
        let SkillRule { file, line, text } = rule.clone();
        SkillRuleJson { file, line, text }
    };
    let unmentioned =
        |found: &Unmentioned| CaseCheckJson { case: case(found.line), check: found.text.clone() };
    let name = |copy: usize| part.workspace.snapshots[copy].name.clone();
    let all = part.analysis.skill.iter().zip(part.edits());
    all.map(|(pair, edits)| EditsJson {
        before: name(pair.before),
        after: name(pair.after),
        edits: edits.hunks.len(),
        moved: edits.moved.iter().map(|found| moved(edits, found)).collect(),
        unchecked: edits.unchecked.iter().map(rule).collect(),
        unmentioned: edits.unmentioned.iter().map(unmentioned).collect(),
    })
    .collect()
}
