//! The workspace and its levels.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{
    BlindComparison, Feedback, Grading, History, MissingRun, Output, PostHocAnalysis, Problem,
    RecordedBenchmark, Run, SkillToday, Tally, TriggerRound, fill,
};
use text::folded_name;

/// An expectation as planned.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[schemars(rename = "Planned")]
pub struct PlannedExpectation {
    /// The author's id of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The statement to be checked.
    pub text: String,
    /// The author's further description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether the case fails if this expectation fails.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// Whether it says what the output should not do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schemars(!default)]
    pub avoid: bool,
}

/// One prompt to be solved, as planned or as met in one iteration.
// The comments of its fields are for the schema of `report.json`, where cases stand as met.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Case {
    /// Its name.
    // The recorded name; of a case as met else the folder's, of a planned one else empty.
    pub name: String,
    /// Name of its folder; empty if it has none.
    pub folder: String,
    /// The author's id of it; null if it has none.
    pub id: Option<String>,
    /// The task; null if not recorded.
    pub prompt: Option<String>,
    /// The output the author expects; null if not recorded.
    pub expected_output: Option<String>,
    /// Paths of the files given with the prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub files: Vec<String>,
    /// The expectations that the author planned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(!default)]
    pub planned: Vec<PlannedExpectation>,
    /// An earlier case of the iteration with the same prompt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_prompt_as: Option<String>,
    /// Whether the skill should be loaded for it, if the author says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub should_load: Option<bool>,
    /// Its runs, by configuration and number.
    #[serde(skip_serializing)]
    #[schemars(skip)]
    pub runs: Vec<Run>,
    /// Runs that were planned and left nothing.
    #[serde(skip)]
    pub missing: Vec<MissingRun>,
}

impl Case {
    /// The name, if there is one.
    pub fn stated_name(&self) -> Option<&str> {
        (!self.name.is_empty()).then_some(&self.name)
    }

    /// Whether it is the same case as another: by id, else by name or prompt.
    pub fn is_same_as(&self, other: &Self) -> bool {
        if self.id.is_some() && other.id.is_some() {
            return self.id == other.id;
        }
        self.stated_name().is_some_and(|name| name == other.name)
            || self.prompt.is_some() && self.prompt == other.prompt
    }

    /// Fills absent fields from `plan`.
    pub fn fill_from(&mut self, plan: &Self) {
        fill(&mut self.id, &plan.id);
        fill(&mut self.name, &plan.name);
        fill(&mut self.prompt, &plan.prompt);
        fill(&mut self.expected_output, &plan.expected_output);
        fill(&mut self.files, &plan.files);
        fill(&mut self.planned, &plan.planned);
        fill(&mut self.should_load, &plan.should_load);
    }

    /// Its runs under this configuration, by number; none if it was not run so.
    pub fn runs_of(&self, configuration: &str) -> impl Iterator<Item = &Run> + Clone {
        self.runs.iter().filter(move |run| run.configuration == configuration)
    }

    /// Those of [`Self::runs_of`] with at least one verdict that counts.
    pub fn graded_runs_of(&self, configuration: &str) -> impl Iterator<Item = &Run> + Clone {
        self.runs_of(configuration).filter(|run| run.is_graded())
    }
}

/// Ends of names of iterations that others are compared with.
// Some run each branch in an iteration of its own: `iteration-main`, `iteration-master`.
const REFERENCES: [&str; 3] = ["main", "master", "baseline"];

/// One round of improvement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Iteration {
    /// Its name: the folder's, with the groups above it if they differ between iterations.
    pub name: String,
    /// The folder relative to the workspace; empty for the workspace itself.
    pub path: String,
    /// Whether its runs were found outside any iteration folder and only gathered here.
    // Small workspaces have `eval-1/` at their top, and most other tools know no iterations.
    pub implicit: bool,
    /// Whether nothing says if it was made before or after the others.
    // Some name iterations for the models that ran them.
    pub is_unordered: bool,
    /// Names of its configurations, candidates before the baseline.
    pub configurations: Vec<String>,
    /// The cases that it ran, with their runs.
    pub cases: Vec<Case>,
    /// The recorded benchmarks of it, whose figures are compared with ours.
    pub benchmarks: Vec<RecordedBenchmark>,
    /// The files with reviews of its runs.
    pub feedback: Vec<Feedback>,
    /// Blind comparisons of its outputs.
    pub comparisons: Vec<BlindComparison>,
    /// Analyses of it, or of its comparisons.
    pub analyses: Vec<PostHocAnalysis>,
    /// What its files call the side that is shown as `old_skill`; `None` where they call it so.
    pub old_side: Option<String>,
}

impl Iteration {
    /// A side as sentences name it: `old_skill (config_a)` where the files have another name for it.
    pub fn shown_side(&self, configuration: &str) -> String {
        match &self.old_side {
            Some(recorded) if configuration == "old_skill" => format!("old_skill ({recorded})"),
            _ => configuration.to_owned(),
        }
    }

    /// Whether it has more than a recorded benchmark.
    pub fn is_round(&self) -> bool {
        !self.implicit || !self.cases.is_empty()
    }

    /// Whether its name marks it as a reference, such as `iteration-main`: it ran the skill of another
    /// branch, so it is not a newer state of this one.
    pub fn is_reference(&self) -> bool {
        let folded = folded_name(&self.name);
        folded.rsplit('_').next().is_some_and(|last| REFERENCES.contains(&last))
    }

    /// Whether a side of a case has more runs than others have, and as many graded ones as any: a run of it
    /// that stopped was repeated.
    // In migrate-to-rslib a pair of runs without a network was run again as `run-2`, and counts.
    pub fn has_repeated(&self, case: &Case, configuration: &str) -> bool {
        let (mut fewest, mut most) = (usize::MAX, 0);
        for other in &self.cases {
            for side in &self.configurations {
                let runs = other.runs_of(side).count();
                if runs > 0 {
                    fewest = fewest.min(runs);
                    most = most.max(other.graded_runs_of(side).count());
                }
            }
        }
        let graded = case.graded_runs_of(configuration).count();
        graded > 0 && graded >= most && case.runs_of(configuration).count() > fewest
    }

    /// All its runs, by case.
    pub fn runs(&self) -> impl Iterator<Item = &Run> {
        self.cases.iter().flat_map(|case| &case.runs)
    }

    /// The mean over cases of the mean of their gradings' mean scores; `None` without a score.
    pub fn average_score(&self) -> Option<f64> {
        let run_score =
            |run: &Run| mean(run.expectations().iter().filter_map(|expectation| expectation.score));
        mean(self.cases.iter().filter_map(|case| mean(case.runs.iter().filter_map(run_score))))
    }
}

/// [`statistics::mean`] of what is counted along the way.
pub fn mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    statistics::mean(&Vec::from_iter(values))
}

/// A file that is neither read nor shown, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The file or folder, relative to the workspace.
    pub path: String,
    /// A predicate, `belongs to no run`, or what it is, `a symbolic link`.
    pub reason: &'static str,
    /// How many files this covers; `None` for a folder that was not entered.
    pub files: Option<usize>,
}

impl Ignored {
    /// A single file that is ignored.
    pub fn file(path: impl Into<String>, reason: &'static str) -> Self {
        Self { path: path.into(), reason, files: Some(1) }
    }
}

/// The root of everything that was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workspace {
    /// What its folder is called.
    pub name: String,
    /// The path as given by the user; never absolute if that was relative.
    pub path: String,
    /// The skill's name, from evals, history, benchmarks or gradings; `None` if none states it.
    pub skill: Option<String>,
    /// Its iterations, the oldest first as far as names and times tell.
    pub iterations: Vec<Iteration>,
    /// Cases planned above all iterations, as in `evals.json`; they have no runs.
    pub planned: Vec<Case>,
    /// The version of the format of `evals.json`, if recorded.
    pub evals_version: Option<String>,
    /// Input files of cases: the path of each by the name the case uses.
    pub inputs: BTreeMap<String, String>,
    /// Recorded histories of versions; most workspaces have none or one.
    pub histories: Vec<History>,
    /// Recorded rounds of trigger evaluations, which belong to no iteration.
    pub trigger_rounds: Vec<TriggerRound>,
    /// Copies of the skill, the oldest first.
    pub snapshots: Vec<Snapshot>,
    /// The skill as it is today; `None` where it is not at hand.
    pub today: Option<SkillToday>,
    /// How many files it has, read or not; those in folders that were not entered are unknown.
    pub files: usize,
    /// What is neither read nor shown, in natural order of the paths.
    pub ignored: Vec<Ignored>,
    /// Problems of the input, sorted by path and place.
    pub problems: Vec<Problem>,
    /// What was replaced or held back in it.
    pub redaction: Redaction,
}

/// Folders of a skill whose files an agent opens when it needs them.
// The specification of skills names the first three.
pub const BUNDLED_FOLDERS: &str = "scripts references assets templates";

/// A copy of the skill.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Snapshot {
    /// Its name.
    pub name: String,
    /// Its folder relative to the workspace.
    pub path: String,
    /// Index of the iteration it belongs to, from 0; null if none.
    pub iteration: Option<usize>,
    /// Its files.
    pub files: Vec<Output>,
    /// Digest of the names and texts of its files that are part of the skill, by which two rounds of one skill are known; absent
    /// where these cannot all be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The digest of the skill in it, as runs have it; never published.
    #[serde(skip)]
    pub skill: Option<String>,
}

/// What was redacted and what is not published. Empty if nothing was scanned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Redaction {
    /// Whether secrets were looked for; false with `--no-redact`.
    pub is_on: bool,
    /// How often a secret of each kind was replaced, in files, names and texts.
    pub secrets: BTreeMap<String, usize>,
    /// How often a folder of a machine was made relative.
    pub folders: usize,
    /// Outputs that no scanner can look into: pictures, PDF, archives.
    pub unscanned: Vec<String>,
    /// Outputs that are not published at the user's request.
    pub withheld: BTreeSet<String>,
    /// Outputs that are not published because a secret in them cannot be replaced.
    pub unsafe_outputs: BTreeSet<String>,
}

impl Redaction {
    /// How often a secret of any kind was replaced; folders of a machine do not count.
    pub fn count(&self) -> usize {
        self.secrets.values().sum()
    }
}

/// How much a workspace or an iteration has of everything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Iterations; runs that were found outside any and only gathered count as none.
    pub iterations: usize,
    /// Cases; those of the same name in several iterations count once.
    pub cases: usize,
    /// Configurations; those of the same name in several iterations count once.
    pub configurations: usize,
    /// Runs, graded or not.
    pub runs: usize,
    /// Runs with at least one verdict in a grading of their own.
    pub graded_runs: usize,
    /// Verdicts of all gradings; a run graded by two graders counts twice here.
    pub tally: Tally,
    /// Runs whose verdicts only a recorded benchmark has.
    pub recorded_runs: usize,
    /// The verdicts of these runs.
    pub recorded: Tally,
    /// Files that runs produced.
    pub outputs: usize,
    /// The size of these files in bytes.
    pub output_bytes: u64,
    /// Blind comparisons.
    pub comparisons: usize,
    /// Analyses written after comparisons or of an iteration.
    pub analyses: usize,
    /// Reviews with text.
    pub comments: usize,
    /// Rounds of trigger evaluations, which belong to no iteration.
    pub trigger_rounds: usize,
}

impl Iteration {
    /// The size of this iteration alone; rounds of trigger evaluations are never part of it.
    pub fn totals(&self) -> Totals {
        let (cases, configurations) = (self.cases.len(), self.configurations.len());
        Totals::new(std::slice::from_ref(self), cases, configurations, true)
    }
}

impl Workspace {
    /// The name of the skill: as the workspace states it, else as the evals of the skill beside it do, which
    /// `init` leaves there; absent where neither names one.
    pub fn skill_name(&self) -> Option<&str> {
        let beside = self.today.as_ref().and_then(|today| today.name.as_deref());
        self.skill.as_deref().or(beside)
    }

    /// The index of the last iteration with more than a recorded benchmark.
    pub fn last_round(&self) -> Option<usize> {
        self.iterations.iter().rposition(Iteration::is_round)
    }

    /// The size of the workspace; cases and configurations with the same name in several iterations
    /// count once.
    pub fn totals(&self) -> Totals {
        let iterations = self.iterations.iter();
        let cases = iterations.clone().flat_map(|iteration| &iteration.cases);
        let cases: BTreeSet<&String> = cases.map(|case| &case.name).collect();
        let configurations: BTreeSet<&String> =
            iterations.flat_map(|iteration| &iteration.configurations).collect();
        let totals = Totals::new(&self.iterations, cases.len(), configurations.len(), false);
        Totals { trigger_rounds: self.trigger_rounds.len(), ..totals }
    }

    /// Files that are ignored; a folder that was not entered counts as none.
    pub fn ignored_files(&self) -> usize {
        self.ignored.iter().filter_map(|ignored| ignored.files).sum()
    }
}

impl Totals {
    /// The verdicts of all runs, graded or recorded.
    pub fn verdicts(&self) -> Tally {
        [self.tally, self.recorded].into_iter().sum()
    }

    /// Totals of `iterations`, with these numbers of cases and configurations. A run that counts again in a
    /// later round is one run of the workspace, and a run of each of its rounds.
    fn new(
        iterations: &[Iteration],
        cases: usize,
        configurations: usize,
        counts_reused: bool,
    ) -> Self {
        let mut totals = Self { cases, configurations, ..Self::default() };
        for iteration in iterations {
            totals.iterations += usize::from(!iteration.implicit);
            for run in iteration.runs().filter(|run| counts_reused || run.reuse.is_none()) {
                totals.runs += 1;
                if run.is_recorded() {
                    totals.recorded_runs += 1;
                    totals.recorded.add(run.tally());
                } else {
                    // A run that was lost is no part of a rate; its verdicts were read all the same.
                    let tally = run.grading().map(Grading::tally).unwrap_or_default();
                    totals.graded_runs += usize::from(tally.graded() > 0);
                    run.gradings.iter().for_each(|grading| totals.tally.add(grading.tally()));
                }
                totals.outputs += run.outputs.len();
                totals.output_bytes += run.outputs.iter().map(|output| output.bytes).sum::<u64>();
            }
            totals.comparisons += iteration.comparisons.iter().filter(|one| one.is_blind()).count();
            totals.analyses += iteration.analyses.len();
            let comments = iteration.feedback.iter().map(|feedback| feedback.comments().count());
            totals.comments += comments.sum::<usize>();
        }
        totals
    }
}
