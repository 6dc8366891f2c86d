//! Which runs of the next iteration are made, and which of an earlier one count again: those that would be
//! measured on the same skill, prompt, input files and model.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::scaffold::iteration::{PlannedRun, ScaffoldPlan};
use input::model::{Case, Iteration, Measured, NO_SKILL, OtherRun, Run};
use input::names::{self, GivenSkill};
use workspace::measured::{MEASURED_FILE, REUSED_FILE, digest_of_check};

/// What the next runs are measured on, besides what their cases ask.
#[derive(Clone, Debug, Default)]
pub struct PlannedSkills {
    /// The digest of the skill as it is; `None` where it cannot be read.
    pub today: Option<String>,
    /// That of the version before.
    pub earlier: Option<String>,
    /// The model, the harness and the grader, where they are known.
    pub setup: Measured,
}

impl PlannedSkills {
    /// From the skill as it is `today`, the `named` model, harness and grader, and what the last rounds had.
    pub fn new(today: Option<String>, named: Measured, iterations: &[Iteration]) -> Self {
        let earlier = if let Some(last) = last_skill(iterations, GivenSkill::Today)
            && Some(&last) != today.as_ref()
        {
            Some(last)
        } else {
            last_skill(iterations, GivenSkill::Earlier)
        };
        let mut setup = named;
        setup.fill_from(&Measured {
            model: last_recorded(iterations, |measured| measured.model.as_ref()),
            harness: last_recorded(iterations, |measured| measured.harness.as_ref()),
            grader: last_recorded(iterations, |measured| measured.grader.as_ref()),
            ..Measured::default()
        });
        Self { today, earlier, setup }
    }

    /// What the runs of a case under a configuration are measured on; `asked` is what the case asks.
    pub fn of_run(&self, configuration: &str, asked: &Measured) -> Measured {
        let skill = match names::given_skill(configuration) {
            Some(GivenSkill::None) => Some(NO_SKILL.to_owned()),
            Some(GivenSkill::Today) => self.today.clone(),
            Some(GivenSkill::Earlier) => self.earlier.clone(),
            None => None,
        };
        let Measured { model, harness, grader, .. } = self.setup.clone();
        Measured { skill, model, harness, grader, ..asked.clone() }
    }
}

/// The skill that all runs of a kind of side had in the last iteration with one; `None` if they differ.
fn last_skill(iterations: &[Iteration], given: GivenSkill) -> Option<String> {
    let of_kind = |run: &&Run| names::given_skill(&run.configuration) == Some(given);
    let mut rounds = iterations.iter().rev();
    let last = rounds.find(|iteration| iteration.runs().any(|run| of_kind(&run)))?;
    let skills: BTreeSet<_> = last.runs().filter(of_kind).map(|run| &run.measured.skill).collect();
    let mut skills = skills.into_iter();
    let only = skills.next()?.clone();
    if skills.next().is_none() { only } else { None }
}

/// What the runs of the last iteration that recorded it had, such as a model; `None` if they differ.
fn last_recorded(
    iterations: &[Iteration],
    part: fn(&Measured) -> Option<&String>,
) -> Option<String> {
    for iteration in iterations.iter().rev() {
        let found: BTreeSet<&String> =
            iteration.runs().filter_map(|run| part(&run.measured)).collect();
        let mut found = found.into_iter();
        if let Some(only) = found.next() {
            return if found.next().is_none() { Some(only.clone()) } else { None };
        }
    }
    None
}

/// How many runs there are of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReuseCounts {
    pub made: usize,
    pub reused: usize,
    /// Reused runs of which some checks must be judged here.
    pub regraded: usize,
    /// The tokens that the runs took which are not made again; `None` where none is recorded.
    pub tokens: Option<f64>,
    /// How many earlier rounds have the same runs without the skill.
    pub rounds: usize,
    /// The part of which nobody knows what it was, where a run is made again for that reason alone.
    pub unknown: Option<&'static str>,
}

impl ReuseCounts {
    pub fn all(&self) -> usize {
        self.made + self.reused + self.regraded
    }
}

/// What may be reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReuseMode {
    /// Every run is made.
    #[default]
    None,
    /// Runs of every side.
    All,
    /// Runs of the sides with a skill: the baseline is made again.
    FreshBaseline,
}

/// The files of the runs of `plan`: what each is measured on, or which run counts in its place. `cases` are
/// those of the evals, and `asked` what each of them asks.
pub fn add_runs(
    plan: &mut ScaffoldPlan,
    cases: &[Case],
    asked: &[Measured],
    skills: &PlannedSkills,
    (iterations, mode): (&[Iteration], ReuseMode),
    grading_digest: &dyn Fn(&str) -> Option<String>,
) -> ReuseCounts {
    let mut counts = ReuseCounts::default();
    let mut taken = BTreeSet::new();
    for run in std::mem::take(&mut plan.runs) {
        let measured = skills.of_run(&run.configuration, &asked[run.case]);
        let is_fresh = match mode {
            ReuseMode::None => true,
            ReuseMode::All => false,
            ReuseMode::FreshBaseline => measured.skill.as_deref() == Some(NO_SKILL),
        };
        let sources = if is_fresh { &[] } else { iterations };
        match source(sources, &cases[run.case], &run, &measured, &taken) {
            Some(source) => {
                taken.insert(source.path.clone());
                if measured.skill.as_deref() == Some(NO_SKILL) {
                    counts.rounds = counts.rounds.max(rounds_with(iterations, &source.path));
                }
                let known = source.measured.checks.as_deref().unwrap_or_default();
                let is_judged = source.is_graded() && source.measured.grader == measured.grader;
                let mut regrade: Vec<&str> = Vec::new();
                for check in &cases[run.case].planned {
                    if !is_judged || !known.contains(&digest_of_check(check)) {
                        regrade.push(&check.text);
                    }
                }
                counts.reused += usize::from(regrade.is_empty());
                counts.regraded += usize::from(!regrade.is_empty());
                if let Some(tokens) = source.metrics.tokens {
                    counts.tokens = Some(counts.tokens.unwrap_or(0.0) + tokens);
                }
                let grading = source.grading().and_then(|grading| grading_digest(&grading.path));
                let file = ReusedJson { source: &source.path, measured, grading, regrade };
                plan.files.push((format!("{}/{REUSED_FILE}", run.folder), json(&file)));
            }
            None => {
                counts.made += 1;
                counts.unknown =
                    counts.unknown.or(unknown_part(sources, &cases[run.case], &run, &measured));
                plan.files.push(measured_file(&run.folder, &measured));
                plan.folders.push(format!("{}/outputs", run.folder));
            }
        }
        plan.runs.push(run);
    }
    counts
}

/// The file that says what the run in a folder is measured on.
pub fn measured_file(folder: &str, measured: &Measured) -> (String, String) {
    (format!("{folder}/{MEASURED_FILE}"), json(measured))
}

/// The part that keeps the runs of the last round with this case from counting again, as nobody knows what
/// it was.
fn unknown_part(
    iterations: &[Iteration],
    case: &Case,
    planned: &PlannedRun,
    measured: &Measured,
) -> Option<&'static str> {
    for iteration in iterations.iter().rev().filter(|iteration| !iteration.implicit) {
        let mut runs: Vec<&Run> = runs_of_case(iteration, case, planned).collect();
        runs.retain(|run| run.configuration == planned.configuration);
        let Some(run) = runs.first() else { continue };
        return match measured.other_run(&run.measured) {
            Some(OtherRun::Unknown(part)) => Some(part),
            _ => None,
        };
    }
    None
}

/// The runs of a case in an iteration that may count again.
fn runs_of_case<'r>(
    iteration: &'r Iteration,
    case: &Case,
    planned: &PlannedRun,
) -> impl Iterator<Item = &'r Run> {
    let cases = iteration.cases.iter().filter(|known| {
        names::file_name(&known.folder) == planned.case_folder || case.is_same_as(known)
    });
    cases.flat_map(|known| &known.runs).filter(|run| is_whole(run))
}

/// How many rounds have the run that was made in this folder.
fn rounds_with(iterations: &[Iteration], folder: &str) -> usize {
    let mut rounds = 0;
    for iteration in iterations {
        rounds += usize::from(iteration.runs().any(|run| run.origin() == folder));
    }
    rounds
}

/// The last run that would be the same as a planned one, of the same number and side before others.
fn source<'r>(
    iterations: &'r [Iteration],
    case: &Case,
    planned: &PlannedRun,
    measured: &Measured,
    taken: &BTreeSet<String>,
) -> Option<&'r Run> {
    for iteration in iterations.iter().rev().filter(|iteration| !iteration.implicit) {
        let same = runs_of_case(iteration, case, planned).filter(|run| {
            run.measured.checks.is_some()
                && measured.other_run(&run.measured).is_none()
                && !taken.contains(&run.path)
        });
        let nearest = same.min_by_key(|run| {
            (run.configuration != planned.configuration, run.number != planned.number, run.number)
        });
        if nearest.is_some() {
            return nearest;
        }
    }
    None
}

/// Whether a run was made in its own folder, and came to its end.
fn is_whole(run: &Run) -> bool {
    let is_made = !run.outputs.is_empty() || run.is_graded();
    let has_folder = run.grading().is_none_or(|grading| grading.path != run.path);
    !run.path.is_empty()
        && run.reuse.is_none()
        && run.reused_from.is_none()
        && run.error.is_none()
        && is_made
        && has_folder
        && !run.is_recorded()
}

/// `reused.json`.
#[derive(Serialize)]
struct ReusedJson<'a> {
    source: &'a str,
    measured: Measured,
    #[serde(skip_serializing_if = "Option::is_none")]
    grading: Option<String>,
    /// The checks to be judged here; all others are judged there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regrade: Vec<&'a str>,
}

fn json<T: Serialize>(file: &T) -> String {
    serde_json::to_string_pretty(file).unwrap_or_default() + "\n"
}
