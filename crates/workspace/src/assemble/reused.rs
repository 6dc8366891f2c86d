//! Runs of an earlier round that count again, as `reused.json` says: each is resolved to the run that it
//! names, or refused with the reason.
//!
//! Such a file is written by `init`, and anybody can write one: a run that was measured on something else
//! would give this round verdicts that it never had. So everything that it says is compared with what lies
//! here and there, and what cannot be compared is refused as well.

use std::collections::{BTreeMap, BTreeSet};

use crate::measured::digest_of_check;
use input::model::{
    Case, Code, Grading, MissingRun, NO_SKILL, OtherRun, Outcome, Problem, RecordedCounts, Reuse,
    Run, Workspace,
};
use input::names::{self, GivenSkill};
use text::cut_line;

/// Characters of a path that a problem shows; none is longer.
const SHOWN: usize = 500;

/// A run by its iteration, its case and its place among the runs of that.
type RunIndex = (usize, usize, usize);

/// Why a run is not counted again.
enum Refusal {
    /// What was there is gone, so the run is missing.
    Gone(String),
    /// The file says what is not so.
    Untrue(String),
}

/// Gives every run of a `reused.json` what the run that it names has, and takes those away that cannot be
/// resolved. `digest_of` gives the digest of a file as it is.
pub(crate) fn take_reused(workspace: &mut Workspace, digest_of: &dyn Fn(&str) -> Option<String>) {
    let mut resolver = Resolver::new(workspace, digest_of);
    let claims = std::mem::take(&mut resolver.claims);
    let resolved: Vec<_> =
        claims.into_iter().map(|claim| (claim, resolver.resolve(claim))).collect();
    let mut problems = Vec::new();
    // From the last on, so that the places of the others stay.
    for ((iteration, case, at), found) in resolved.into_iter().rev() {
        let case = &mut workspace.iterations[iteration].cases[case];
        match found {
            Ok(run) => case.runs[at] = run,
            Err(refusal) => problems.push(take_away(case, at, refusal)),
        }
    }
    for iteration in &mut workspace.iterations {
        let ran: BTreeSet<String> = iteration.runs().map(|run| run.configuration.clone()).collect();
        iteration.configurations.retain(|name| ran.contains(name));
    }
    workspace.problems.append(&mut problems);
}

/// Takes the claim away from a run. One with outputs of its own is a run all the same.
fn take_away(case: &mut Case, at: usize, refusal: Refusal) -> Problem {
    let run = &mut case.runs[at];
    let path = run.reuse.take().map(|reuse| reuse.path).unwrap_or_default();
    let has_own = !run.outputs.is_empty() || run.transcript.is_some();
    if !has_own {
        let Run { configuration, number, .. } = case.runs.remove(at);
        case.missing.push(MissingRun { configuration, number });
    }
    let assumed = if has_own { "read as a run of its own" } else { "the run is missing" };
    let (code, message, help) = match refusal {
        Refusal::Gone(message) => (Code::ReusedRunGone, message, "run the case in this folder"),
        Refusal::Untrue(message) => {
            let help = "remove the file, and run the case in this folder; where it has results of its own, \
                        remove these, and the earlier run counts";
            (Code::ReuseRefused, message, help)
        }
    };
    Problem::new(code, path, message).assuming(assumed).help(help)
}

struct Resolver<'w> {
    workspace: &'w Workspace,
    /// Every run that is no claim, by its folder.
    made: BTreeMap<&'w str, RunIndex>,
    claims: Vec<RunIndex>,
    /// The folders of all claims.
    claimed: BTreeSet<&'w str>,
    /// The skills that the runs of a side of an iteration had which are no claims.
    skills: BTreeMap<(usize, &'w str), BTreeSet<&'w str>>,
    /// What is counted again already, by iteration.
    taken: BTreeSet<(usize, RunIndex)>,
    digest_of: &'w dyn Fn(&str) -> Option<String>,
}

impl<'w> Resolver<'w> {
    fn new(workspace: &'w Workspace, digest_of: &'w dyn Fn(&str) -> Option<String>) -> Self {
        let mut resolver = Self {
            workspace,
            made: BTreeMap::new(),
            claims: Vec::new(),
            claimed: BTreeSet::new(),
            skills: BTreeMap::new(),
            taken: BTreeSet::new(),
            digest_of,
        };
        for (iteration, found) in workspace.iterations.iter().enumerate() {
            for (case, found) in found.cases.iter().enumerate() {
                for (at, run) in found.runs.iter().enumerate() {
                    resolver.add((iteration, case, at), run);
                }
            }
        }
        resolver
    }

    fn add(&mut self, at: RunIndex, run: &'w Run) {
        if run.reuse.is_some() {
            self.claims.push(at);
            self.claimed.insert(&run.path);
            return;
        }
        self.made.insert(&run.path, at);
        if let Some(skill) = &run.measured.skill {
            self.skills.entry((at.0, &run.configuration)).or_default().insert(skill);
        }
    }

    fn at(&self, (iteration, case, run): RunIndex) -> (&'w Case, &'w Run) {
        let case = &self.workspace.iterations[iteration].cases[case];
        (case, &case.runs[run])
    }

    fn resolve(&mut self, claim: RunIndex) -> Result<Run, Refusal> {
        let (case, run) = self.at(claim);
        let Some(reuse) = &run.reuse else { return Err(Refusal::Untrue(String::new())) };
        let source = self.source(claim, reuse)?;
        let (source_case, source_run) = self.at(source);
        let others = self.skills.get(&(claim.0, &*run.configuration));
        check((case, run), reuse, (source_case, source_run), others).map_err(Refusal::Untrue)?;
        if !self.taken.insert((claim.0, source)) {
            let message = format!("`{}` counts in this round already", reuse.source);
            return Err(Refusal::Untrue(message));
        }
        let mut resolved = source_run.clone();
        let grading = source_run.grading().and_then(|grading| (self.digest_of)(&grading.path));
        let is_graded_again = reuse.grading.is_some() && grading != reuse.grading;
        // Another grader judges another way: what it found is no verdict of this round.
        if reuse.measured.grader != source_run.measured.grader && !is_graded_again {
            resolved.gradings.clear();
        }
        let regraded = take_verdicts(&mut resolved, case, source_case, run);
        resolved.configuration.clone_from(&run.configuration);
        resolved.number = run.number;
        resolved.path.clone_from(&run.path);
        resolved.measured.checks = Some(case.planned.iter().map(digest_of_check).collect());
        let iteration = self.workspace.iterations[source.0].name.clone();
        let reuse = Reuse { iteration, is_graded_again, regraded, ..(**reuse).clone() };
        resolved.reuse = Some(Box::new(reuse));
        Ok(resolved)
    }

    /// The run that a claim names.
    fn source(&self, claim: RunIndex, reuse: &Reuse) -> Result<RunIndex, Refusal> {
        let named = &cut_line(&reuse.source, SHOWN);
        let is_plain = named == &reuse.source
            && !named.contains(['\\', ':'])
            && named.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if !is_plain {
            let message = format!("`{named}` is no folder in this workspace");
            return Err(Refusal::Untrue(message));
        }
        if let Some(source) = self.made.get(named.as_str()) {
            if source.0 == claim.0 {
                return Err(Refusal::Untrue(format!("`{named}` is a run of this round")));
            }
            if source.0 > claim.0 {
                return Err(Refusal::Untrue(format!("`{named}` is a run of a later round")));
            }
            return Ok(*source);
        }
        if self.claimed.contains(named.as_str()) {
            return Err(Refusal::Untrue(format!("`{named}` is itself a run of an earlier round")));
        }
        Err(Refusal::Gone(format!("there is no run in `{named}` any more")))
    }
}

/// Says why a run of another round is not the one that is meant here. `others` are the skills of the other
/// runs of its side.
fn check(
    (case, run): (&Case, &Run),
    reuse: &Reuse,
    (source_case, source): (&Case, &Run),
    others: Option<&BTreeSet<&str>>,
) -> Result<(), String> {
    let named = &reuse.source;
    if !run.outputs.is_empty() || run.transcript.is_some() {
        return Err("the folder has a run of its own".to_owned());
    }
    let claimed = &reuse.measured;
    match claimed.other_run(&source.measured) {
        Some(OtherRun::Differs(part)) => {
            return Err(format!("`{named}` was measured on another {part}"));
        }
        Some(OtherRun::Unknown(part)) => {
            return Err(format!("nothing says on which {part} `{named}` was measured"));
        }
        None => {}
    }
    let has_skill = claimed.skill.as_deref() != Some(NO_SKILL);
    let given = names::given_skill(&run.configuration);
    if given.is_some_and(|given| (given != GivenSkill::None) != has_skill) {
        return Err(format!("`{named}` is a run of another side than `{}`", run.configuration));
    }
    // What this round was planned on, by its own files and by its other runs.
    let mut skills = others.into_iter().flatten().copied().chain(run.measured.skill.as_deref());
    if skills.any(|skill| Some(skill) != claimed.skill.as_deref()) {
        return Err(format!("this round has another skill than `{named}`"));
    }
    for (part, own, claimed) in [
        ("prompt", &run.measured.prompt, &claimed.prompt),
        ("input files", &run.measured.files, &claimed.files),
    ] {
        if own.is_some() && own != claimed {
            return Err(format!("the {part} of this case differ from those of `{named}`"));
        }
    }
    let prompts = [case, source_case].map(|case| case.prompt.as_deref().map(str::trim));
    if prompts[0] != prompts[1] || case.files != source_case.files {
        return Err(format!("this case asks something else than that of `{named}`"));
    }
    Ok(())
}

/// Takes from the verdicts of the run those that this round still asks for, and adds those of `here` on the
/// others. Returns how many these are.
fn take_verdicts(resolved: &mut Run, case: &Case, source_case: &Case, here: &Run) -> usize {
    let own: Vec<_> =
        here.gradings.first().map(|grading| grading.expectations.clone()).unwrap_or_default();
    if resolved.gradings.is_empty() {
        resolved.gradings.clone_from(&here.gradings);
        return own.len();
    }
    let wanted: BTreeSet<String> = case.planned.iter().map(digest_of_check).collect();
    let mut dropped: BTreeSet<&str> = BTreeSet::new();
    for check in &source_case.planned {
        if !wanted.contains(&digest_of_check(check)) {
            dropped.insert(check.text.trim());
        }
    }
    let mut regraded = 0;
    for (at, grading) in resolved.gradings.iter_mut().enumerate() {
        let before = grading.expectations.len();
        grading.expectations.retain(|found| !dropped.contains(found.text.trim()));
        let mut is_changed = grading.expectations.len() != before;
        // Second opinions stay what they are.
        if at == 0 {
            for found in &own {
                let text = found.text.trim();
                if !grading.expectations.iter().any(|known| known.text.trim() == text) {
                    grading.expectations.push(found.clone());
                    regraded += 1;
                    is_changed = true;
                }
            }
            grading.never_graded = never_graded(case, grading);
        }
        if is_changed {
            grading.overall = grading.overall.and(Some(Outcome::Ungraded));
            grading.overall_score = None;
            grading.required_score = None;
            grading.recorded = RecordedCounts::default();
        }
    }
    regraded
}

/// How many planned checks a grading lacks.
fn never_graded(case: &Case, grading: &Grading) -> usize {
    let missing = case.planned.iter().filter(|plan| {
        !grading.expectations.iter().any(|found| {
            found.text.trim() == plan.text.trim() || plan.id.is_some() && found.id == plan.id
        })
    });
    let missing = missing.count();
    // A grader with statements of its own follows another plan.
    if missing == case.planned.len() { 0 } else { missing }
}
