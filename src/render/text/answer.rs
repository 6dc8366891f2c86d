//! The answer of a workspace: did it get better, by how much, how sure, at what cost. The first words
//! of the overview, of `check` and of `build`.

use std::fmt::Display;

use crate::analyze::{Analysis, Change, ConfigurationSummary, IterationAnalysis, Side};
use crate::discover::names;
use crate::model::{RecordedBenchmark, RecordedRun, Workspace};
use crate::render::context::{Language, Rate, view};
use crate::render::text::verdict;

/// So many other candidates are named.
const NAMED: usize = 3;

/// What the newest iteration with verdicts says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict with its size and interval; without anything to compare with, the pass rate.
    pub verdict: String,
    /// Both sides named with k/n, the checks that are compared where those are not all, and the
    /// cost; empty without anything to compare with.
    pub sides: String,
    /// What keeps the verdict from being more: cases, runs, how often chance does the same, what was
    /// left out and what could be seen.
    pub caution: String,
}

/// The answer of `workspace`; `None` when no candidate has a verdict.
pub fn answer(workspace: &Workspace, analysis: &Analysis, language: &Language) -> Option<Answer> {
    let found = answer_of(workspace, analysis, &analysis.newest_candidate()?, language)?;
    let sides = [Some(found.sides.clone()), newer(workspace, analysis, language)];
    let sides = sides.into_iter().flatten().filter(|sentence| !sentence.is_empty());
    Some(Answer { sides: language.sentences(sides), ..found })
}

/// The candidates of an iteration besides `name` that ran and have no verdict; `None` where there is
/// none.
pub(crate) fn without_verdict(
    of: &IterationAnalysis,
    name: &str,
    language: &Language,
) -> Option<String> {
    let others = of.candidates().filter(|it| it.name != name && it.tally.graded() == 0);
    let names: Vec<String> = others.map(|it| it.name.clone()).collect();
    let fill = |names| {
        language.fill(
            "overview.no_verdict",
            &[("names", &language.first_few(names, NAMED, "list.comma"))],
        )
    };
    (!names.is_empty()).then(|| fill(names))
}

/// That there are iterations after the newest one that is graded; `None` where there are not.
pub(crate) fn newer(
    workspace: &Workspace,
    analysis: &Analysis,
    language: &Language,
) -> Option<String> {
    let index = workspace.last_round()?;
    let last = &workspace.iterations[index];
    (analysis.newest()? < index)
        .then(|| language.fill("overview.newer", &[("iteration", &last.name)]))
}

/// What the iteration of the candidate `after` says.
pub(crate) fn answer_of(
    workspace: &Workspace,
    analysis: &Analysis,
    after: &Side,
    language: &Language,
) -> Option<Answer> {
    let candidate = analysis.iterations[after.iteration].candidate()?;
    let asked = Asked { workspace, analysis, language, candidate, lead: analysis.lead(after) };
    let (verdict, sides) = asked.sentences(after);
    Some(Answer { verdict, sides, caution: asked.caution() })
}

impl Answer {
    /// Verdict and sides in one line.
    pub fn line(&self, language: &Language) -> String {
        let parts = [&self.verdict, &self.sides].into_iter().filter(|part| !part.is_empty());
        language.sentences(parts.cloned())
    }
}

/// Whether a benchmark states time or tokens of any run or configuration.
fn has_costs(benchmark: &RecordedBenchmark) -> bool {
    let is_there = |value: Option<f64>| value.is_some_and(|value| value > 0.0);
    let mut runs = benchmark.listed.iter().map(RecordedRun::metrics);
    let mut all = benchmark.configurations.iter();
    runs.any(|it| is_there(it.duration_s) || is_there(it.tokens))
        || all.any(|it| is_there(it.time_s.mean) || is_there(it.tokens.mean))
}

struct Asked<'a> {
    workspace: &'a Workspace,
    analysis: &'a Analysis,
    language: &'a Language,
    candidate: &'a ConfigurationSummary,
    lead: Option<&'a Change>,
}

impl Asked<'_> {
    fn sentences(&self, after: &Side) -> (String, String) {
        let iteration = &self.workspace.iterations[after.iteration].name;
        let rate = Rate::of(self.candidate.tally, self.language);
        let counts = self.counts(Some(self.candidate), rate.counts);
        let mut places: Vec<(&str, &dyn Display)> = vec![
            ("iteration", iteration),
            ("candidate", &self.candidate.name),
            ("rate", &rate.percent),
            ("counts", &counts),
        ];
        let Some(change) = self.lead else {
            let roles = &self.analysis.iterations[after.iteration].roles;
            let why = match &roles.baseline {
                Some(name) => self.language.fill("roles.ungraded", &[("name", name)]),
                None => view::roles(roles, self.language),
            };
            places.push(("why", &why));
            let alone = self.language.fill("overview.sentence_alone", &places);
            let rest = [self.by_case_alone(), self.others(after)];
            return (alone, self.language.sentences(rest.into_iter().flatten()));
        };
        let other = Rate::of(verdict::verdicts_of(&change.before, self.analysis), self.language);
        let of = &self.analysis.iterations[change.before.iteration];
        let other_counts =
            self.counts(of.configuration(&change.before.configuration), other.counts);
        let name = match change.is_beside() {
            true => change.before.configuration.clone(),
            false => verdict::side(self.workspace, &change.before, self.language),
        };
        places.extend([
            ("baseline", &name as &dyn Display),
            ("baseline_rate", &other.percent),
            ("baseline_counts", &other_counts),
        ]);
        let verdict = verdict::words(change, self.language);
        let sides = Some(self.language.fill("overview.sentence", &places));
        let names = [&*self.candidate.name, &*name];
        let by_case = verdict::means(change, names, self.analysis, self.language);
        let in_common = verdict::in_common(change, names, self.analysis, self.language);
        let cost = verdict::costs(change, self.language);
        let elsewhere = self.costs_elsewhere(change);
        let differs = verdict::differs(change, self.language);
        let differs = Some(differs).filter(|sentence| !sentence.is_empty());
        let rest = [sides, by_case, in_common, differs, cost, elsewhere, self.others(after)];
        (verdict, self.language.sentences(rest.into_iter().flatten()))
    }

    /// The benchmark that records what the runs do not: what they cost. Its numbers are none of ours,
    /// as writers of such files take characters for tokens and 0 for what is missing.
    fn costs_elsewhere(&self, change: &Change) -> Option<String> {
        if !verdict::is_without_costs(change, self.language) {
            return None;
        }
        let iteration = &self.workspace.iterations[change.after.iteration];
        let found = iteration.benchmarks.iter().find(|it| has_costs(it))?;
        let file = names::file_name(&found.path);
        let places: [(&str, &dyn Display); 2] = [("file", &file), ("iteration", &iteration.name)];
        Some(self.language.fill("verdict.costs_elsewhere", &places))
    }

    /// The other candidates with their verdicts, then those that have none; `None` where there is
    /// no other.
    fn others(&self, after: &Side) -> Option<String> {
        let of = &self.analysis.iterations[after.iteration];
        let others = of.candidates().filter(|it| it.name != self.candidate.name);
        let counted = |it: &ConfigurationSummary| {
            let counts = view::counts(it, self.language);
            self.language.fill("badge.side", &[("name", &it.name), ("counts", &counts)])
        };
        let graded: Vec<String> = others.filter(|it| it.tally.graded() > 0).map(counted).collect();
        let told = (!graded.is_empty()).then(|| {
            let names = self.language.first_few(graded, NAMED, "list.comma");
            self.language.fill("overview.others", &[("names", &names)])
        });
        let parts: Vec<String> = [told, without_verdict(of, &after.configuration, self.language)]
            .into_iter()
            .flatten()
            .collect();
        (!parts.is_empty()).then(|| self.language.sentences(parts))
    }

    /// The pass rate as a mean of cases, where the counts say something else.
    fn by_case_alone(&self) -> Option<String> {
        let mean = view::by_case(self.candidate, self.language)?;
        Some(self.language.fill("overview.by_case_alone", &[("mean", &mean)]))
    }

    /// What the pass rate would be if the runs and checks without a verdict had failed.
    fn if_failed(&self) -> Option<String> {
        let (runs, checks) = (self.candidate.ungraded_runs(), self.candidate.unjudged);
        let worst = self.candidate.rate_if_failed().filter(|_| runs + checks > 0)?;
        let places: [(&str, &dyn Display); 3] = [
            ("candidate", &self.candidate.name),
            ("unknown", &self.language.counts([(runs, "run"), (checks, "check")])),
            ("worst", &self.language.percent(worst)),
        ];
        Some(self.language.fill("overview.if_failed", &places))
    }

    /// `7/7`, with the checks of graded runs that have no verdict.
    fn counts(&self, summary: Option<&ConfigurationSummary>, counts: String) -> String {
        match summary.map_or(0, |summary| summary.unjudged) {
            0 => counts,
            number => {
                let places: [(&str, &dyn Display); 2] = [("counts", &counts), ("n", &number)];
                self.language.fill("rate.unjudged", &places)
            }
        }
    }

    fn caution(&self) -> String {
        let language = self.language;
        let cases = language.count(self.candidate.cases, "case");
        let runs = language.count(self.candidate.runs_per_case, "run");
        let is_single = self.candidate.runs_per_case <= 1 && self.lead.is_none();
        let key = if is_single { "overview.caution_single" } else { "overview.caution" };
        let mut sentences = vec![language.fill(key, &[("cases", &cases), ("runs", &runs)])];
        sentences.extend(self.if_failed());
        if let Some(change) = self.lead {
            sentences.extend(verdict::chance(&change.gain, language));
            sentences.extend(verdict::omitted(change, &self.analysis.lines, language));
            sentences.extend(verdict::outlook(&change.gain, language));
        }
        language.sentences(sentences)
    }
}
