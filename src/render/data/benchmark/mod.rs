//! `benchmark.json` and `benchmark.md` of one iteration, in the format read by the skill-creator's
//! viewer and the regression gates of the advanced dialect. A change is the candidate minus the
//! named baseline, never the first folder minus the second.

mod figures;
mod json_file;
mod markdown_file;
mod notes;

pub(crate) use figures::runs_per_case;
pub(crate) use json_file::{json, json_line};
pub(crate) use markdown_file::markdown;

use crate::analyze::{Against, Change, IterationAnalysis};
use crate::digest::Comparisons;
use crate::language::Language;
use crate::render::context::{Part, RenderContext, Task, bounds};
use crate::wording::Facts;
use input::model::{Iteration, Workspace};

/// Adds the files of each iteration; those of the newest graded one also at the top, to be found and
/// attached.
pub(crate) fn pages<'a>(context: RenderContext<'a>, tasks: &mut Vec<Task<'a>>) {
    let RenderContext { part, addresses, language, .. } = context;
    for index in 0..part.workspace.iterations.len() {
        let mut folders = vec![addresses.iteration_file(index, "benchmark")];
        if part.analysis.newest() == Some(index) {
            folders.push(addresses.report_file("benchmark"));
        }
        for path in folders {
            let json = move || write(part, index, json_line);
            tasks.push(Task::infallible(format!("{path}.json"), json));
            let markdown = move || bounds::markdown(write(part, index, markdown), language);
            tasks.push(Task::infallible(format!("{path}.md"), markdown));
        }
    }
}

fn write(part: &Part<'_>, index: usize, form: fn(Subject<'_>) -> String) -> String {
    let workspace = part.workspace;
    let heading = &Heading::recorded(workspace, &workspace.iterations[index]);
    form(Subject { comparisons: &part.comparisons, index, heading })
}

/// The iteration to write, by its index in the workspace.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) comparisons: &'a Comparisons<'a>,
    pub(crate) index: usize,
    pub(crate) heading: &'a Heading,
}

impl<'a> Subject<'a> {
    fn iteration(self) -> (&'a Iteration, &'a IterationAnalysis) {
        let Comparisons { workspace, analysis, .. } = self.comparisons;
        (&workspace.iterations[self.index], &analysis.iterations[self.index])
    }

    fn facts(self, language: &'a Language) -> Facts<'a> {
        let Comparisons { workspace, analysis, .. } = *self.comparisons;
        Facts { workspace, analysis, language }
    }

    /// The change of each candidate against the baseline, on shared cases.
    fn changes(self) -> impl Iterator<Item = &'a Change> {
        let changes = self.comparisons.analysis.changes_in(self.index);
        changes.filter(|change| change.against.contains(&Against::Baseline))
    }

    fn change(self, (candidate, baseline): figures::SummaryPair<'_>) -> Option<&'a Change> {
        let mut changes = self.changes();
        changes.find(|change| {
            let [before, after] = change.sides().map(|side| &side.configuration);
            [before, after] == [&baseline.name, &candidate.name]
        })
    }
}

/// Facts about the iteration beyond its runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    pub skill_name: Option<String>,
    /// Path of the skill, as the data or the user wrote it.
    pub skill_path: Option<String>,
    /// Time of the benchmark, from the data or `SOURCE_DATE_EPOCH`, never from the clock.
    pub timestamp: Option<String>,
}

impl Heading {
    /// The facts recorded with the iteration: the workspace's skill, and path and time from the
    /// newest benchmark that has them.
    pub fn recorded(workspace: &Workspace, iteration: &Iteration) -> Self {
        let mut benchmarks = iteration.benchmarks.iter().rev();
        Self {
            skill_name: workspace.skill.clone(),
            skill_path: benchmarks.clone().find_map(|benchmark| benchmark.skill_path.clone()),
            timestamp: benchmarks.find_map(|benchmark| benchmark.timestamp.clone()),
        }
    }
}

#[cfg(test)]
mod tests;
