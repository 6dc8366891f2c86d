//! Runs that saw what their result depends on: the checks that grade them, what other runs left, or a skill
//! that they should do without.

use std::collections::BTreeSet;

use crate::analyze::{Change, Side};
use input::model::{Code, Run, Workspace};

/// Runs of a side, at least one, that saw what their result depends on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReadingRuns {
    pub(super) side: Side,
    pub(super) runs: usize,
    pub(super) total: usize,
    /// Whether they read the checks that grade them.
    pub(super) read_checks: bool,
    /// Whether they had the skill that their side does without; where neither, they read what other runs left.
    pub(super) had_skill: bool,
    /// Whether a document lists these checks among what they were given.
    pub(super) were_given: bool,
}

/// The runs of `after`, and of the side that `lead` compares it with, that saw such a thing.
pub(super) fn reading_runs(
    workspace: &Workspace,
    after: &Side,
    lead: Option<&Change>,
) -> Vec<ReadingRuns> {
    let mut sides = vec![after];
    sides.extend(lead.map(|lead| &lead.before));
    let mut found = Vec::new();
    for code in [Code::AnswerKeyRead, Code::BaselineLoaded, Code::OtherRunRead] {
        let read_checks = code == Code::AnswerKeyRead;
        let had_skill = code == Code::BaselineLoaded;
        let problems = workspace.problems.iter().filter(|problem| problem.code == code);
        let records: BTreeSet<&str> = problems.map(|problem| problem.path.as_str()).collect();
        for side in &sides {
            let runs = runs_of(workspace, side);
            let total = runs.len();
            let mut such = runs;
            such.retain(|run| {
                if read_checks { run.loading.answer_key.is_some() } else { is_among(run, &records) }
            });
            if such.is_empty() {
                continue;
            }
            let were_given = read_checks && such.iter().all(|run| run.loading.is_given_checks);
            let (side, runs) = ((*side).clone(), such.len());
            found.push(ReadingRuns { side, runs, total, read_checks, had_skill, were_given });
        }
    }
    found
}

/// Whether one of `records` is of `run`: its transcript, or a file in its folder.
fn is_among(run: &Run, records: &BTreeSet<&str>) -> bool {
    let folder = format!("{}/", run.path);
    let next = records.range(folder.as_str()..).next();
    let transcript = run.transcript.as_ref().map_or("", |transcript| &transcript.path);
    records.contains(transcript) || next.is_some_and(|path| path.starts_with(&folder))
}

fn runs_of<'a>(workspace: &'a Workspace, side: &Side) -> Vec<&'a Run> {
    let cases = workspace.iterations[side.iteration].cases.iter();
    cases.flat_map(|case| case.runs_of(&side.configuration)).collect()
}
