//! Lays runs of other tools out as the files of a workspace:
//! `iteration-1/<case>/<side>/run-1/grading.json`.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use crate::files::{Files, is_taken};
use crate::source::{Content, Presented};
use crate::trial::{Results, Round, Trial};
use input::model::{Code, Problem};
use input::names;
use text::{Slugs, count, natural_order};

/// The results in the file at `path`.
pub(super) struct ReadResults<'a> {
    pub(super) tool: &'static str,
    pub(super) path: &'a str,
    pub(super) results: Results,
}

/// One note per tool and folder: which results were recognized.
pub(super) fn recognized(read: &[ReadResults<'_>]) -> Vec<Problem> {
    let mut tools: BTreeMap<(&str, &str), Vec<&ReadResults<'_>>> = BTreeMap::new();
    for found in read {
        tools
            .entry((found.tool, found.results.version.as_deref().unwrap_or("")))
            .or_default()
            .push(found);
    }
    let mut problems = Vec::new();
    for ((tool, version), found) in tools {
        let runs = found.iter().map(|found| found.results.trials.len()).sum();
        let name = format!("{tool} {version}");
        let message = format!("recognized as results of {}: {}", name.trim(), count(runs, "run"));
        let problem = Problem::new(Code::RecognizedTool, found[0].path, message);
        problems.push(match found.len() {
            1 => problem,
            several => problem.assuming(format!("{} of it were read", count(several, "file"))),
        });
    }
    problems
}

/// The runs of one iteration.
struct Iteration<'a> {
    folder: String,
    round: Round,
    runs: Vec<LaidOut<'a>>,
}

struct LaidOut<'a> {
    path: &'a str,
    skill: Option<String>,
    trial: Trial,
}

/// The files to present, by path.
pub(super) fn present(
    read: Vec<ReadResults<'_>>,
    side: Option<&str>,
    files: &Files<'_>,
    taken: &BTreeSet<String>,
) -> BTreeMap<String, Presented> {
    let mut by_tool: BTreeMap<&str, Vec<ReadResults<'_>>> = BTreeMap::new();
    for found in read {
        by_tool.entry(found.tool).or_default().push(found);
    }
    let mut presented = triggers(&by_tool);
    for (tool, found) in by_tool {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        for mut iteration in iterations(found, side.is_some()) {
            name_sides(&mut iteration, side);
            let number = numbers.entry(iteration.folder.clone()).or_default();
            *number += 1;
            let folder = free_folder(tool, &iteration, *number, files, taken);
            add_iteration(&folder, iteration, &mut presented);
        }
    }
    presented
}

/// What tools say of triggering, as documents of their own.
fn triggers(by_tool: &BTreeMap<&str, Vec<ReadResults<'_>>>) -> BTreeMap<String, Presented> {
    let mut presented = BTreeMap::new();
    for ReadResults { path, results, .. } in by_tool.values().flatten() {
        let Some(triggers) = &results.triggers else { continue };
        let stem = names::split_extension(names::file_name(path)).0;
        let folder = results.round.folder.as_deref().unwrap_or(names::folder(path));
        let file = names::join(folder, &format!("trigger-results-{stem}.json"));
        presented.insert(file, document(triggers, path, None));
    }
    presented
}

/// The iterations of one tool, earliest first.
///
/// Where the side is given (`is_side`), all lie at the root, so that the other sides lie there too.
fn iterations(found: Vec<ReadResults<'_>>, is_side: bool) -> Vec<Iteration<'_>> {
    let above = if is_side { String::new() } else { common_folder(&found) };
    let mut iterations: Vec<Iteration<'_>> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for ReadResults { path, results, .. } in found {
        let own_folder = results.round.folder.clone().filter(|_| !is_side);
        let folder = own_folder.unwrap_or_else(|| above.clone());
        let skill = results.skill;
        let runs =
            results.trials.into_iter().map(|trial| LaidOut { path, skill: skill.clone(), trial });
        match known.entry((folder.clone(), results.round.name.clone())) {
            Entry::Occupied(index) => iterations[*index.get()].runs.extend(runs),
            Entry::Vacant(place) => {
                place.insert(iterations.len());
                iterations.push(Iteration { folder, round: results.round, runs: runs.collect() });
            }
        }
    }
    iterations.sort_by(|a, b| {
        let by_time = (&a.folder, &a.round.time).cmp(&(&b.folder, &b.round.time));
        by_time.then_with(|| natural_order(&a.round.name, &b.round.name))
    });
    joined_sides(iterations)
}

/// Joins neighbors of which each has sides that the other lacks: many tools run one side at a time.
fn joined_sides(iterations: Vec<Iteration<'_>>) -> Vec<Iteration<'_>> {
    // Harbor has a job for each side, Vercel an experiment, waza and Inspect a file.
    let mut joined: Vec<Iteration<'_>> = Vec::new();
    for iteration in iterations {
        if let Some(last) = joined.last_mut()
            && last.folder == iteration.folder
            && sides(last).is_disjoint(&sides(&iteration))
            && !names::is_iteration(&iteration.round.name)
            && !iteration.round.is_whole
        {
            last.runs.extend(iteration.runs);
        } else {
            joined.push(iteration);
        }
    }
    joined
}

fn sides<'i>(iteration: &'i Iteration<'_>) -> BTreeSet<(&'i str, Option<&'i str>)> {
    let runs = iteration.runs.iter();
    runs.map(|run| (run.trial.side.as_str(), run.trial.variant.as_deref())).collect()
}

/// The folder that all files lie in.
fn common_folder(found: &[ReadResults<'_>]) -> String {
    let mut common = found.first().map_or("", |first| names::folder(first.path));
    while !found.iter().all(|found| names::is_in(names::folder(found.path), common)) {
        common = names::folder(common);
    }
    common.to_owned()
}

/// Adds the agent or model to each side where there are several, unless `side` is given for all.
fn name_sides(iteration: &mut Iteration<'_>, side: Option<&str>) {
    let variants: BTreeSet<_> =
        iteration.runs.iter().map(|run| run.trial.variant.clone()).collect();
    for LaidOut { trial, .. } in &mut iteration.runs {
        if let Some(side) = side {
            trial.side = side.to_owned();
        } else if let Some(variant) = &trial.variant
            && variants.len() > 1
        {
            trial.side = format!("{variant} {}", trial.side);
        }
    }
}

/// The folder of an iteration; one of the tool's own if files of others lie there.
fn free_folder(
    tool: &str,
    iteration: &Iteration<'_>,
    number: usize,
    files: &Files<'_>,
    taken: &BTreeSet<String>,
) -> String {
    let own = &iteration.round.name;
    let name = if names::is_iteration(own) { own.clone() } else { format!("iteration-{number}") };
    let folder = names::join(&iteration.folder, &name);
    let is_used = files.below(&folder).iter().any(|path| !is_taken(taken, path));
    if !is_used || names::is_iteration(own) {
        return folder;
    }
    names::join(&iteration.folder, &format!("{}-results/{name}", tool.replace(' ', "-")))
}

fn add_iteration(
    folder: &str,
    iteration: Iteration<'_>,
    presented: &mut BTreeMap<String, Presented>,
) {
    // Two skills of one round may have scenarios of one name.
    let mut skills: BTreeMap<&str, BTreeSet<Option<&str>>> = BTreeMap::new();
    for run in &iteration.runs {
        skills.entry(&run.trial.case).or_default().insert(run.skill.as_deref());
    }
    let shared = skills.into_iter().filter(|(_, skills)| skills.len() > 1);
    let shared: BTreeSet<String> = shared.map(|(case, _)| case.to_owned()).collect();
    let mut cases: Vec<(String, Vec<LaidOut<'_>>)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for run in iteration.runs {
        let case = match &run.skill {
            Some(skill) if shared.contains(&run.trial.case) => {
                format!("{skill}: {}", run.trial.case)
            }
            _ => run.trial.case.clone(),
        };
        match known.get(&case) {
            Some(index) => cases[*index].1.push(run),
            None => {
                known.insert(case.clone(), cases.len());
                cases.push((case, vec![run]));
            }
        }
    }
    let mut slugs = Slugs::default();
    for (case, runs) in cases {
        let case_folder = names::join(folder, &format!("eval-{}", slugs.give(&case)));
        add_case(&case_folder, &case, runs, presented);
    }
}

fn add_case(
    folder: &str,
    case: &str,
    runs: Vec<LaidOut<'_>>,
    presented: &mut BTreeMap<String, Presented>,
) {
    let Some(first) = runs.first() else { return };
    let prompt = runs.iter().find_map(|run| run.trial.prompt.as_deref());
    let mut metadata = json!({"eval_name": case});
    if let Some(prompt) = prompt {
        metadata["prompt"] = json!(prompt);
    }
    if let Some(skill) = &first.skill {
        metadata["skill_name"] = json!(skill);
    }
    presented.insert(format!("{folder}/eval_metadata.json"), document(&metadata, first.path, None));
    if let Some((path, comparison)) =
        runs.iter().find_map(|run| Some((run.path, run.trial.comparison.as_ref()?)))
    {
        presented.insert(format!("{folder}/comparison.json"), document(comparison, path, None));
    }

    let mut slugs = Slugs::default();
    let mut side_folders: BTreeMap<String, String> = BTreeMap::new();
    let mut numbers: BTreeSet<(String, u32)> = BTreeSet::new();
    // Where the search for a free number went on last: a side may have many runs without a number.
    let mut free: BTreeMap<String, u32> = BTreeMap::new();
    for LaidOut { path, trial, .. } in runs {
        let side = side_folders.entry(trial.side.clone());
        let side = side.or_insert_with(|| side_folder(&trial.side, &mut slugs)).clone();
        let mut number = trial.number.unwrap_or(1).max(1);
        let free = free.entry(side.clone()).or_default();
        while !numbers.insert((side.clone(), number)) {
            *free = (*free).max(number).saturating_add(1);
            number = *free;
        }
        add_run(&format!("{folder}/{side}/run-{number}"), path, trial, presented);
    }
}

/// A side keeps its own name where that can be the name of a folder.
fn side_folder(side: &str, slugs: &mut Slugs) -> String {
    let is_name = side.len() <= 80 && side.chars().all(is_plain) && !side.starts_with('.');
    if is_name && !side.trim().is_empty() { side.to_owned() } else { slugs.give(side) }
}

fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+')
}

fn add_run(folder: &str, path: &str, trial: Trial, presented: &mut BTreeMap<String, Presented>) {
    let run = Some(run_in_words(folder, &trial));
    let timing = trial.timing();
    // A run without checks is not graded; only where nothing else shows that it was, is it said.
    if !trial.checks.is_empty() || timing.is_none() && trial.answer.is_none() {
        let grading = document(&trial.grading(), path, run.clone());
        presented.insert(format!("{folder}/grading.json"), grading);
    }
    if let Some(timing) = timing {
        presented.insert(format!("{folder}/timing.json"), document(&timing, path, run.clone()));
    }
    if let Some(answer) = trial.answer {
        let content = Content::Made(answer.into_bytes());
        let file = Presented { content, origin: path.to_owned(), run: run.clone() };
        presented.insert(format!("{folder}/outputs/answer.md"), file);
    }
    for (name, origin) in trial.shown {
        let file = Presented { content: Content::Real, origin, run: run.clone() };
        presented.entry(format!("{folder}/{name}")).or_insert(file);
    }
}

/// ``case `a`, with_skill, run-1 (row 4)``: finds a run in a file that has many.
fn run_in_words(folder: &str, trial: &Trial) -> Arc<str> {
    let Trial { case, side, place, .. } = trial;
    let mut words = format!("case `{case}`, {side}, {}", names::file_name(folder));
    if !place.is_empty() {
        words += &format!(" ({place})");
    }
    words.into()
}

/// A document that was made from the file at `origin`.
pub(super) fn document(document: &Value, origin: &str, run: Option<Arc<str>>) -> Presented {
    let content = Content::Made(format!("{document:#}\n").into_bytes());
    Presented { content, origin: origin.to_owned(), run }
}
