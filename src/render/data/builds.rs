//! `builds.jsonl` of a site: one line for each build and skill, also of reports that `keep` has
//! removed. So a landing page knows what a skill was in earlier builds.
//!
//! The order of the lines is the order in which reports were added. Dates are shown and never
//! compared for it, as clocks of machines run backwards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::budget::{BUILD_LINES, BUILDS_OF_SKILL};
use crate::render::context::Publication;
use crate::render::data::conditions::ConditionSummary;
use crate::render::data::summary::{
    GainSummary, OutcomeSummary, SideSummary, Summary, WorkspaceSummary,
};

pub const FILE: &str = "builds.jsonl";

/// The file of earlier versions, which had pass rates only.
pub const EARLIER_FILE: &str = "series.json";

/// The builds of each skill, from the oldest to the newest.
#[derive(Clone, Debug, Default)]
pub struct Builds {
    pub(crate) skills: BTreeMap<SkillKey, Vec<Build>>,
}

/// A skill is known by its title and the name of its workspace: two teams may give one title.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SkillKey {
    pub(crate) title: String,
    /// With a number from the second of one name in a report on.
    pub(crate) workspace: String,
}

/// One skill in one build.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Build {
    skill: String,
    workspace: String,
    /// The name of the report.
    pub(crate) build: String,
    #[serde(default)]
    pub(crate) commit: Option<String>,
    /// The time of the commit, such as `2026-07-21T09:30:00+02:00`.
    #[serde(default)]
    pub(crate) date: Option<String>,
    /// In the words of `report.json`; empty where nothing was compared.
    #[serde(default)]
    pub(crate) verdict: String,
    #[serde(default)]
    pub(crate) outcome: Option<String>,
    /// The gain in shares of 1.
    #[serde(default)]
    pub(crate) gain: Option<f64>,
    #[serde(default)]
    low: Option<f64>,
    #[serde(default)]
    high: Option<f64>,
    /// `pass rate` or `score`; empty in older files.
    #[serde(default)]
    measure: String,
    /// Pass rates in 0..=1 with the skill and of the other side.
    #[serde(default)]
    passed: [Option<f64>; 2],
    /// Cases, and the runs of each on one side; 0 in older files.
    #[serde(default)]
    cases: usize,
    #[serde(default)]
    runs_per_case: usize,
    /// Gain and cost by condition.
    #[serde(default)]
    conditions: Vec<ConditionSummary>,
}

impl Builds {
    /// Reads `builds.jsonl`. Returns the numbers of the lines that cannot be read as well.
    pub fn read(bytes: &[u8]) -> (Self, Vec<usize>) {
        let (mut builds, mut unread) = (Self::default(), Vec::new());
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if line.is_empty() {
                continue;
            }
            match serde_json::from_slice::<Build>(line) {
                Ok(build) => builds.of_skill(&build).push(build),
                Err(_) => unread.push(index + 1),
            }
        }
        (builds, unread)
    }

    /// Reads the file of earlier versions; empty if it is not a valid one.
    pub fn read_earlier(bytes: &[u8]) -> Self {
        let mut builds = Self::default();
        let series: Value = serde_json::from_slice(bytes).unwrap_or_default();
        for (skill, points) in series["skills"].as_object().into_iter().flatten() {
            for point in points.as_array().into_iter().flatten() {
                let Some(report) = point["report"].as_str() else { continue };
                let build = Build {
                    skill: skill.clone(),
                    build: report.to_owned(),
                    passed: [point["candidate"].as_f64(), point["other"].as_f64()],
                    ..Build::default()
                };
                builds.of_skill(&build).push(build);
            }
        }
        builds
    }

    fn of_skill(&mut self, build: &Build) -> &mut Vec<Build> {
        let (title, workspace) = (build.skill.clone(), build.workspace.clone());
        self.skills.entry(SkillKey { title, workspace }).or_default()
    }

    /// Adds the lines of `reports`, from the oldest to the newest, in place of earlier lines of the
    /// same reports. Commit and date are those of the report that is built now; others keep theirs.
    pub(crate) fn add<'r>(
        &mut self,
        reports: impl Iterator<Item = (&'r str, &'r Summary)>,
        publication: &Publication,
    ) {
        for (report, summary) in reports {
            let (mut commit, mut date) = (None, None);
            // Also under an earlier title.
            for builds in self.skills.values_mut() {
                if let Some(earlier) = builds.iter().find(|build| build.build == report) {
                    (commit, date) = (earlier.commit.clone(), earlier.date.clone());
                }
                builds.retain(|build| build.build != report);
            }
            if publication.folder.as_deref() == Some(report) {
                (commit, date) = (publication.commit.clone(), publication.date.clone());
            }
            for (key, workspace) in keyed(&summary.workspaces) {
                let build = Build {
                    build: report.to_owned(),
                    commit: commit.clone(),
                    date: date.clone(),
                    ..Build::new(&key, workspace)
                };
                // Lines of the earlier file name no workspace.
                let unnamed = SkillKey { title: key.title.clone(), workspace: String::new() };
                let mut builds = self.skills.remove(&unnamed).unwrap_or_default();
                builds.append(self.skills.entry(key.clone()).or_default());
                builds.push(build);
                self.skills.insert(key, builds);
            }
        }
        self.skills.retain(|_, builds| !builds.is_empty());
        self.forget_oldest();
    }

    fn forget_oldest(&mut self) {
        let fair = BUILD_LINES / self.skills.len().max(1);
        for builds in self.skills.values_mut() {
            let kept = BUILDS_OF_SKILL.min(fair.max(1));
            builds.drain(..builds.len().saturating_sub(kept));
        }
    }

    pub(crate) fn of(&self, key: &SkillKey) -> &[Build] {
        self.skills.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for build in self.skills.values().flatten() {
            // Texts and finite numbers always serialize.
            text += &serde_json::to_string(build).unwrap_or_default();
            text.push('\n');
        }
        text
    }
}

impl Build {
    fn new(key: &SkillKey, workspace: &WorkspaceSummary) -> Self {
        let gain = workspace.gain.as_ref();
        let sides = [&workspace.candidate, &workspace.other];
        Self {
            skill: key.title.clone(),
            workspace: key.workspace.clone(),
            verdict: gain.map(|gain| gain.verdict.clone()).unwrap_or_default(),
            outcome: workspace.named_outcome().map(|outcome| outcome.word().to_owned()),
            gain: gain.and_then(|gain| gain.mean),
            low: gain.and_then(|gain| gain.low),
            high: gain.and_then(|gain| gain.high),
            measure: gain.map(|gain| gain.measure.clone()).unwrap_or_default(),
            cases: workspace.cases,
            runs_per_case: workspace.runs_per_case,
            passed: sides.map(|side| side.as_ref().and_then(SideSummary::mean_rate)),
            conditions: workspace.conditions.clone(),
            ..Self::default()
        }
    }

    /// What is known of the skill where its report is gone: it links no page.
    pub(crate) fn summary(&self) -> WorkspaceSummary {
        let mut gain = None;
        if !self.verdict.is_empty() {
            let (verdict, measure) = (self.verdict.clone(), self.measure.clone());
            let Self { gain: mean, low, high, .. } = *self;
            gain = Some(GainSummary { verdict, measure, mean, low, high, ..Default::default() });
        }
        let mut outcomes = Vec::new();
        if let Some(outcome) = self.outcome.clone() {
            outcomes.push(OutcomeSummary { condition: None, outcome, before: None });
        }
        let [candidate, other] = self.passed.map(|rate| {
            let by_case = Some(rate?);
            Some(SideSummary { by_case, ..SideSummary::default() })
        });
        WorkspaceSummary {
            title: self.skill.clone(),
            name: self.workspace.clone(),
            candidate,
            other,
            gain,
            outcomes,
            conditions: self.conditions.clone(),
            cases: self.cases,
            runs_per_case: self.runs_per_case,
            ..WorkspaceSummary::default()
        }
    }
}

/// The workspaces of a report with the keys of their skills.
pub(crate) fn keyed(workspaces: &[WorkspaceSummary]) -> Vec<(SkillKey, &WorkspaceSummary)> {
    let mut seen: BTreeMap<SkillKey, usize> = BTreeMap::new();
    let mut keyed = Vec::new();
    for workspace in workspaces {
        let (title, name) = (workspace.title.clone(), workspace.name.clone());
        let mut key = SkillKey { title, workspace: name };
        let number = seen.entry(key.clone()).or_default();
        *number += 1;
        if *number > 1 {
            key.workspace += &format!(" ({number})");
        }
        keyed.push((key, workspace));
    }
    keyed
}

#[cfg(test)]
mod tests {
    use super::{BUILDS_OF_SKILL, Builds};
    use crate::render::context::Publication;
    use crate::render::data::summary::Summary;

    fn summary(passed: usize) -> Summary {
        let side = |passed: usize| {
            serde_json::json!({
                "configuration": "c", "iteration": "i", "page": "p.html",
                "passed": passed, "failed": 4 - passed, "ungraded": 0,
            })
        };
        let workspace = serde_json::json!({
            "title": "skill", "name": "w", "page": "", "problems_page": "", "problems": 0,
            "iterations_total": 1, "iterations": [], "candidate": side(passed), "other": side(1),
            "gain": null, "flips": null,
        });
        let summary = serde_json::json!({
            "generator": "evalbook", "schema_version": 2, "noindex": false,
            "workspaces": [workspace],
        });
        serde_json::from_value(summary).expect("a summary")
    }

    fn built(folder: &str, commit: &str) -> Publication {
        Publication {
            folder: Some(folder.to_owned()),
            commit: Some(commit.to_owned()),
            ..Publication::default()
        }
    }

    #[test]
    fn a_report_that_is_gone_stays_and_one_that_is_made_again_is_replaced() {
        let mut builds = Builds::default();
        builds.add([("a", &summary(1)), ("b", &summary(2))].into_iter(), &built("b", "one"));
        let (mut builds, unread) = Builds::read(builds.text().as_bytes());
        assert_eq!(unread, [0; 0]);
        builds.add([("b", &summary(3)), ("c", &summary(4))].into_iter(), &built("c", "two"));
        let lines = builds.skills.values().flatten();
        let lines: Vec<_> = lines
            .map(|line| (line.build.as_str(), line.passed[0], line.commit.as_deref()))
            .collect();
        let expected = [
            ("a", Some(0.25), None),
            ("b", Some(0.75), Some("one")),
            ("c", Some(1.0), Some("two")),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_report_of_another_skill_leaves_no_line_behind() {
        let mut builds = Builds::default();
        let publication = Publication::default();
        builds.add([("a", &summary(1))].into_iter(), &publication);
        let mut other = summary(2);
        other.workspaces[0].title = "other".to_owned();
        builds.add([("a", &other)].into_iter(), &publication);
        let titles = builds.skills.keys().map(|key| key.title.as_str());
        assert_eq!(titles.collect::<Vec<_>>(), ["other"]);
    }

    #[test]
    fn two_skills_of_one_name_have_lines_of_their_own() {
        let mut both = summary(1);
        both.workspaces.push(summary(2).workspaces.remove(0));
        let mut builds = Builds::default();
        builds.add([("a", &both)].into_iter(), &Publication::default());
        let names = builds.skills.keys().map(|key| key.workspace.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["w", "w (2)"]);
    }

    #[test]
    fn the_oldest_of_many_go() {
        let mut builds = Builds::default();
        let names: Vec<String> = (0..300).map(|number| number.to_string()).collect();
        let summary = summary(1);
        let reports = names.iter().map(|name| (name.as_str(), &summary));
        builds.add(reports, &Publication::default());
        let lines: Vec<_> = builds.skills.values().flatten().collect();
        assert_eq!((lines.len(), lines[0].build.as_str()), (BUILDS_OF_SKILL, "100"));
    }

    #[test]
    fn a_broken_line_costs_no_other_and_the_earlier_file_is_read() {
        let mut builds = Builds::default();
        builds.add([("a", &summary(1))].into_iter(), &Publication::default());
        let text = format!("<<<<<<< ours\n{}\n", builds.text());
        let (read, unread) = Builds::read(text.as_bytes());
        assert_eq!((read.text(), unread), (builds.text(), vec![1]));
        let series = r#"{"skills":{"s":[{"report":"a","candidate":0.5,"other":null,"page":"p"}]}}"#;
        let earlier = Builds::read_earlier(series.as_bytes());
        let lines: Vec<_> = earlier.skills.values().flatten().collect();
        assert_eq!((lines[0].build.as_str(), lines[0].passed), ("a", [Some(0.5), None]));
    }
}
