//! A side that is the skill before an edit, by the word of its author: whoever has a script for sides of
//! these names keeps them when the other side becomes a snapshot. It is called `old_skill` then, so that nobody reads that a skill is no longer needed.

use std::sync::LazyLock;

use input::model::{Code, Iteration, Problem, RecordedBenchmark, Workspace};
use regex::Regex;
use text::folded_name;

const NAMES: [&str; 2] = ["without_skill", "baseline"];
const OLD: &str = "old_skill";

/// A note that says so.
static IS_OLD: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?i)\b(without[_-]skill|baseline)\b[`'\x22]*\s*(\([^)]{0,40}\)\s*)?((here|side|arm|now|runs?|uses?)\s+)*(is|was|were|=|:|means|runs?|ran|uses?|used|holds?|has|had|contains?|ist|war|lief)\s+((now|made with|run with|runs of)\s+)*(the|a|an|our|die|der|eine)?\s*((frozen|pinned|unedited|same)\s+)?((snapshot|snapshotted|pre-edit|old|previous|prior|earlier|alte|vorige)\b[^.]{0,40}\bskills?|skill\s+(as\s+(it\s+was\s+)?)?(in|of|from|before|v\d)|(iteration|round|version)[\s_-]?\d)";
    Regex::new(pattern).expect("the pattern is a constant, and a test compiles it")
});

/// Renames such a side in the iterations whose notes say so, with a problem for each.
pub(super) fn rename(workspace: &mut Workspace) {
    for iteration in &mut workspace.iterations {
        if let Some((name, file)) = stated_in(iteration) {
            let message = format!("`{name}` is an earlier version of the skill, as `{file}` says");
            let problem = Problem::new(Code::BaselineLoaded, &file, message);
            workspace.problems.push(problem.assuming(format!("shown as `{OLD}`")));
            rename_in(iteration, &name);
        }
        // Of a side that only the benchmark records, as in `create-handoff` of a real workspace, too.
        for benchmark in &mut iteration.benchmarks {
            benchmark.is_baseline_old |= says_so(benchmark);
        }
    }
}

/// The side and the file that says so, where the iteration has such a side and no `old_skill` beside it.
fn stated_in(iteration: &Iteration) -> Option<(String, String)> {
    if has(iteration, OLD) {
        return None;
    }
    for benchmark in &iteration.benchmarks {
        if let Some(name) = NAMES.iter().find(|name| has(iteration, name))
            && says_so(benchmark)
        {
            return Some(((*name).to_owned(), benchmark.path.clone()));
        }
        if benchmark.is_baseline_old
            && let Some(side) = &benchmark.baseline
            && has(iteration, &folded_name(side))
        {
            return Some((folded_name(side).to_string(), benchmark.path.clone()));
        }
    }
    None
}

fn has(iteration: &Iteration, side: &str) -> bool {
    iteration.configurations.iter().any(|known| folded_name(known) == side)
}

/// Whether a note of the benchmark says that its baseline is an earlier version.
fn says_so(benchmark: &RecordedBenchmark) -> bool {
    let mut notes = benchmark.notes.iter().chain(&benchmark.warnings);
    notes.any(|note| IS_OLD.is_match(note))
}

fn rename_in(iteration: &mut Iteration, old: &str) {
    iteration.old_side = Some(old.to_owned());
    let mut sides: Vec<&mut String> = iteration.configurations.iter_mut().collect();
    let runs = iteration.cases.iter_mut().flat_map(|case| &mut case.runs);
    sides.extend(runs.map(|run| &mut run.configuration));
    for benchmark in &mut iteration.benchmarks {
        sides.extend(&mut benchmark.baseline);
        sides.extend(benchmark.configurations.iter_mut().map(|found| &mut found.name));
        sides.extend(benchmark.listed.iter_mut().filter_map(|run| run.configuration.as_mut()));
    }
    for side in sides.into_iter().filter(|side| folded_name(side) == old) {
        OLD.clone_into(side);
    }
}

#[cfg(test)]
mod tests {
    use super::{IS_OLD, rename};
    use input::model::{Case, Iteration, RecordedBenchmark, Run, Workspace};

    #[test]
    fn the_author_says_what_the_other_side_is() {
        for (note, expected) in [
            ("In this round without_skill is a snapshot of the skill before the edit.", true),
            ("The baseline is the pre-edit skill.", true),
            ("`without_skill` = the snapshotted skill of iteration-1", true),
            ("without_skill = Iteration 3 (merged prose)", true),
            ("without_skill here = previous version of the skill, not a run without one.", true),
            ("without_skill here is the skill as it was in iteration 1", true),
            ("Here without_skill runs the old skill (v1), not no skill", true),
            ("The runs under without_skill used the previous version of the skill", true),
            ("The runs in without_skill were made with the previous version of the skill", true),
            ("without_skill holds runs of the old skill this time", true),
            ("The baseline is now the old skill, not a run without it", true),
            ("without_skill runs used skill v1", true),
            ("without_skill had the old skill installed", true),
            ("without_skill is a run without any help", false),
            ("without_skill has the same rows as the old run", false),
            ("The baseline is 12 points lower than in iteration 3", false),
            ("The baseline is strong; the old skill was not run.", false),
        ] {
            assert_eq!(IS_OLD.is_match(note), expected, "{note}");
        }
    }

    #[test]
    fn the_side_is_renamed_with_its_runs() {
        let run = Run { configuration: "without_skill".to_owned(), ..Run::default() };
        let case = Case { runs: vec![run], ..Case::default() };
        let benchmark = RecordedBenchmark {
            path: "iteration-1/benchmark.json".to_owned(),
            notes: vec!["The baseline is the pre-edit skill.".to_owned()],
            ..RecordedBenchmark::default()
        };
        let iteration = Iteration {
            configurations: vec!["with_skill".to_owned(), "without_skill".to_owned()],
            cases: vec![case],
            benchmarks: vec![benchmark],
            ..Iteration::default()
        };
        let mut workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
        rename(&mut workspace);
        let iteration = &workspace.iterations[0];
        assert_eq!(iteration.configurations, ["with_skill", "old_skill"]);
        assert_eq!(iteration.cases[0].runs[0].configuration, "old_skill");
        assert_eq!(workspace.problems.len(), 1);
    }
}
