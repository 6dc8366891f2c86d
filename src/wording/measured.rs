//! On what a round was measured, in sentences: what changed since, which runs are of an earlier round, which
//! are missing and which are left out.

use crate::analyze::{Side, is_earlier_name};
use crate::budget::FEW_NAMES;
use crate::digest::{self, SideRuns, Stale};
use crate::language::{Language, say};
use crate::wording::Facts;
use input::model::Run;
use input::names::{self, GivenSkill};
use text::cut_line;

/// Characters of the reason why a run is left out.
const REASON: usize = 120;
/// After so many rounds on the same runs of the other side, these should be made again.
pub(crate) const MANY_ROUNDS: usize = 3;

/// The planned cases that no iteration ran; `None` if all ran, nobody can tell, or `after` is not the newest.
pub(crate) fn never_run(facts: Facts<'_>, after: &Side) -> Option<String> {
    if facts.analysis.newest_candidate().as_ref() != Some(after) {
        return None;
    }
    let names = &facts.workspace.today.as_ref()?.never_run;
    if names.is_empty() {
        return None;
    }
    let names = facts.language.first_few(names.clone(), FEW_NAMES, "list.comma");
    Some(say!(facts.language, "measured.never_run", names))
}

/// What changed since `after` was measured; empty if nothing did, or nobody can tell.
pub(crate) fn stale(facts: Facts<'_>, after: &Side) -> String {
    let Some(stale) = digest::stale(facts.workspace, after) else { return String::new() };
    let Stale { is_skill_edited, measured_in, lines, checks, prompts } = stale;
    let language = facts.language;
    let iteration = &facts.workspace.iterations[after.iteration].name;
    let mut sentences = Vec::new();
    if let Some(measured) = measured_in {
        let measured = &facts.workspace.iterations[measured].name;
        sentences.push(say!(language, "measured.taken_back", measured, iteration));
    } else if is_skill_edited {
        sentences.push(match lines {
            Some([added, removed]) if added + removed > 0 => {
                say!(language, "measured.skill_lines", iteration, added, removed)
            }
            _ => say!(language, "measured.skill", iteration),
        });
    }
    let changed = language.counts([(checks, "check"), (prompts, "prompt")]);
    if checks + prompts > 0 {
        sentences.push(say!(language, "measured.plan", changed, iteration));
    }
    language.sentences(sentences)
}

/// To run the round that is prepared, else to measure the skill as it is today; `None` unless it was edited
/// since the newest round.
pub(crate) fn next_step(facts: Facts<'_>, after: &Side) -> Option<String> {
    if facts.analysis.newest_candidate().as_ref() != Some(after) {
        return None;
    }
    if let Some(file) = digest::misnamed_grading(facts.workspace, after) {
        return Some(say!(facts.language, "measured.next_rename", file));
    }
    if let Some(prepared) = digest::prepared_round(facts.workspace, facts.analysis) {
        return Some(say!(facts.language, "measured.next_prepared", iteration = prepared.name));
    }
    // A newer round that ran is to be graded, whatever was edited before it.
    let is_last = digest::newer_iteration(facts.workspace, facts.analysis).is_none();
    let stale = digest::stale(facts.workspace, after).filter(|_| is_last)?;
    if !stale.is_skill_edited {
        return None;
    }
    let Some(measured) = stale.measured_in else {
        return Some(facts.language.text("measured.next").to_owned());
    };
    let measured = &facts.workspace.iterations[measured].name;
    Some(say!(facts.language, "measured.next_taken_back", measured))
}

/// That `after` ran the skill as it is today, with the same prompts and checks; `None` where anything of
/// that is not known.
pub(crate) fn same(facts: Facts<'_>, after: &Side) -> Option<String> {
    if !digest::is_measured_today(facts.workspace, after) {
        return None;
    }
    let iteration = &facts.workspace.iterations[after.iteration].name;
    Some(say!(facts.language, "measured.same", iteration))
}

/// Where the runs of the round of `after` were made, which are missing and which are left out.
pub(crate) fn runs_of_round(facts: Facts<'_>, after: &Side) -> Vec<String> {
    let language = facts.language;
    let iteration = &facts.workspace.iterations[after.iteration];
    let sides = digest::measured_sides(iteration);
    let mut sentences = Vec::new();
    sentences.extend(arms(facts, &sides));
    for side in &sides {
        sentences.extend(reused(facts, after.iteration, side));
        if side.missing > 0 {
            sentences.push(say!(
                language,
                "measured.missing",
                n = side.missing,
                runs = language.count(side.planned, "run"),
                side = side.configuration,
            ));
        }
    }
    let left_out = digest::left_out(iteration);
    if !left_out.is_empty() {
        let mut names = Vec::new();
        for (case, run, reason) in &left_out {
            let reason = cut_line(reason, REASON);
            let run =
                say!(language, "run.name", configuration = run.configuration, number = run.number);
            names.push(say!(language, "measured.left_out_run", case, run, reason));
        }
        let runs = language.count(left_out.len(), "run");
        let list = language.first_few(names, FEW_NAMES, "list.semicolon");
        sentences.push(say!(language, "measured.left_out", runs, list));
    }
    sentences
}

/// Which runs of a round are of earlier ones, a sentence for each side that has some.
pub(crate) fn reused_sides(facts: Facts<'_>, index: usize) -> Vec<String> {
    let sides = digest::measured_sides(&facts.workspace.iterations[index]);
    sides.iter().filter_map(|side| reused(facts, index, side)).collect()
}

/// Where the runs of a side were made; `None` if all of them in this round.
fn reused(facts: Facts<'_>, index: usize, side: &SideRuns) -> Option<String> {
    let language = facts.language;
    if side.reused.is_empty() {
        return None;
    }
    let origins: Vec<String> = side.reused.keys().cloned().collect();
    let number: usize = side.reused.values().sum();
    let mut sentences = vec![say!(
        language,
        "measured.reused",
        n = number,
        runs = language.count(side.planned, "run"),
        side = side.configuration,
        iterations = language.list(origins),
    )];
    for (n, key) in
        [(side.graded_again, "measured.graded_again"), (side.regraded, "measured.regraded")]
    {
        if n > 0 {
            sentences.push(say!(language, key, runs = language.count(n, "run")));
        }
    }
    let rounds = digest::rounds_sharing_runs(facts.workspace, index, &side.configuration);
    if is_without(&side.configuration) && rounds > 1 {
        sentences.push(say!(language, "measured.shared", n = rounds));
        if rounds >= MANY_ROUNDS {
            sentences.push(language.text("measured.fresh").to_owned());
        }
    }
    Some(language.sentences(sentences))
}

fn is_without(configuration: &str) -> bool {
    names::given_skill(configuration) == Some(GivenSkill::None)
}

/// The three sides of a round in one sentence; `None` unless there are just those without the skill, before
/// its last edit and now, and one of them is of an earlier round.
fn arms(facts: Facts<'_>, sides: &[SideRuns]) -> Option<String> {
    let [_, _, _] = sides else { return None };
    let without = sides.iter().find(|side| is_without(&side.configuration))?;
    let before = sides.iter().find(|side| is_earlier_name(&side.configuration))?;
    let now = sides.iter().find(|side| {
        side.configuration != without.configuration && side.configuration != before.configuration
    })?;
    if sides.iter().all(|side| side.made_in().is_none()) {
        return None;
    }
    let language = facts.language;
    let [without, before, now] = [without, before, now].map(|side| match side.made_in() {
        Some(iteration) => {
            say!(language, "measured.arm_reused", side = side.configuration, iteration)
        }
        None => say!(language, "measured.arm_new", side = side.configuration),
    });
    Some(say!(language, "measured.arms", without, before, now))
}

/// `from iteration-3` for a run of an earlier round; `None` for any other.
pub(crate) fn origin(run: &Run, language: &Language) -> Option<String> {
    let reuse = run.reuse.as_ref()?;
    let key = if reuse.is_graded_again { "measured.from_regraded" } else { "measured.from" };
    Some(say!(language, key, iteration = reuse.iteration))
}

/// The rounds that have the same runs of a side without the skill, for the history; a sentence for each such
/// side of the newest round.
pub(crate) fn shared_rounds(facts: Facts<'_>, index: usize) -> Vec<String> {
    let iteration = &facts.workspace.iterations[index];
    let mut sentences = Vec::new();
    for side in digest::measured_sides(iteration) {
        let name = &side.configuration;
        let rounds = digest::rounds_sharing_runs(facts.workspace, index, name);
        if !side.reused.is_empty() && is_without(name) && rounds > 1 {
            sentences.push(say!(facts.language, "measured.shared_rounds", n = rounds, side = name));
        }
    }
    sentences
}
