//! Our benchmarks compared with those of the Python aggregators, over real workspaces.
//!
//! `python-tools.json` has the output of the aggregators of the skill-creator and of the advanced
//! dialect. They trust recorded summaries, take 0 for missing values and characters for tokens. So
//! a figure must either be theirs to four decimals, or theirs must follow from the documents by
//! their own rule where it differs from ours.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::analyze;
use crate::digest::Comparisons;
use crate::render::benchmark::{self, Heading, Subject};
use crate::tests::{corpus, load, open};
use input::files::{Disk, Source};
use input::model::{Iteration, Run, Workspace};
use input::settings::Settings;
use statistics::Spread;

const LIMIT: u64 = 1 << 24;

/// One of the two aggregators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tool {
    SkillCreator,
    Advanced,
}

impl Tool {
    const ALL: [Self; 2] = [Self::SkillCreator, Self::Advanced];

    fn key(self) -> &'static str {
        match self {
            Self::SkillCreator => "skill-creator",
            Self::Advanced => "advanced",
        }
    }
}

/// The figures that a tool takes from the documents of one run.
#[derive(Clone, Copy, Debug, Default)]
struct ToolFigures {
    pass_rate: f64,
    seconds: f64,
    tokens: f64,
    are_tokens: bool,
}

/// A folder of the corpus with the documents read from it.
struct CorpusFolder {
    disk: Disk,
    workspace: Workspace,
}

impl CorpusFolder {
    fn open(path: &Path) -> Self {
        let disk = open(path);
        let workspace = load(&disk).workspaces.into_iter().next().expect("a workspace").workspace;
        Self { disk, workspace }
    }

    fn document(&self, run: &Run, name: &str) -> Value {
        let bytes = self.disk.read(&format!("{}/{name}", run.path), LIMIT).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or(Value::Null)
    }

    /// The figures that `tool` takes for `run`, by its own rule.
    fn taken(&self, tool: Tool, run: &Run) -> ToolFigures {
        let grading = self.document(run, "grading.json");
        let timing = self.document(run, "timing.json");
        let grading_timing = grading["timing"].as_object().filter(|timing| !timing.is_empty());
        let duration = grading["timing"]["total_duration_seconds"].as_f64().unwrap_or(0.0);
        let source = match tool {
            Tool::SkillCreator if duration == 0.0 => &timing,
            Tool::SkillCreator => &Value::Null,
            Tool::Advanced if grading_timing.is_none() => &timing,
            Tool::Advanced => &grading["timing"],
        };
        let tokens = source["total_tokens"].as_f64().filter(|tokens| *tokens != 0.0);
        let seconds = source["total_duration_seconds"].as_f64();
        ToolFigures {
            pass_rate: grading["summary"]["pass_rate"].as_f64().unwrap_or(0.0),
            seconds: seconds.unwrap_or(duration),
            tokens: tokens.unwrap_or_else(|| self.characters(tool, run, &grading)),
            are_tokens: tokens.is_some(),
        }
    }

    fn characters(&self, tool: Tool, run: &Run, grading: &Value) -> f64 {
        let metrics = self.document(run, "outputs/metrics.json");
        let execution = &grading["execution_metrics"];
        let empty = execution.as_object().is_none_or(serde_json::Map::is_empty);
        let source = if tool == Tool::Advanced && empty { &metrics } else { execution };
        source["output_chars"].as_f64().unwrap_or(0.0)
    }
}

/// The result of the comparison.
#[derive(Default)]
struct Score {
    compared: usize,
    equal: usize,
    wrong: Vec<String>,
}

/// One figure of one configuration on both sides.
struct Figure<'a> {
    name: &'static str,
    place: String,
    ours: &'a Value,
    theirs: &'a Value,
}

#[test]
fn benchmarks_of_real_workspaces() {
    let Some(corpus) = corpus("python-tools.json") else { return };
    let listed = open(&corpus).read("python-tools.json", LIMIT).unwrap();
    let listed: BTreeMap<String, Value> = serde_json::from_slice(&listed).unwrap();
    let mut scores: BTreeMap<Tool, Score> = BTreeMap::new();
    let mut places: BTreeMap<String, CorpusFolder> = BTreeMap::new();
    for (key, entry) in &listed {
        let (folder, iteration) = split(key);
        let open = || CorpusFolder::open(&corpus.join(folder));
        let place = places.entry(folder.to_owned()).or_insert_with(open);
        for tool in Tool::ALL {
            compare(scores.entry(tool).or_default(), tool, place, (key, iteration), entry);
        }
    }
    for (tool, score) in &scores {
        println!("{}: {} of {} figures are equal", tool.key(), score.equal, score.compared);
        assert!(score.wrong.is_empty(), "{}", score.wrong.join("\n"));
        assert!(score.compared > 0, "nothing was compared with {}", tool.key());
    }
}

/// `owner+repository/workspace/iteration` as the workspace's folder and the iteration's path.
fn split(key: &str) -> (&str, &str) {
    let owner = key.find('/').expect("a workspace below the owner");
    let workspace =
        owner + 1 + key[owner + 1..].find('/').expect("an iteration below the workspace");
    (&key[..workspace], &key[workspace + 1..])
}

fn compare(
    score: &mut Score,
    tool: Tool,
    place: &CorpusFolder,
    names: (&str, &str),
    entry: &Value,
) {
    let (key, path) = names;
    let theirs = &entry[tool.key()];
    let read = theirs["runs_read"].as_u64().unwrap_or(0);
    // They stop with an error, or find nothing.
    if read == 0 {
        return;
    }
    let Some(index) =
        place.workspace.iterations.iter().position(|iteration| iteration.path == path)
    else {
        return score.wrong.push(format!("{key}: {read} runs of theirs, no iteration of ours"));
    };
    let iteration = &place.workspace.iterations[index];
    let graded = iteration.runs().filter(|run| run.grading().is_some()).count() as u64;
    // They read other runs.
    if Some(read) != entry["grading_files"].as_u64() && read != graded {
        return;
    }
    let analysis = &analyze::analysis(&place.workspace, &Settings::default());
    let comparisons = &Comparisons::empty(&place.workspace, analysis);
    let ours = benchmark::json(Subject { comparisons, index, heading: &Heading::default() });
    let ours: Value = serde_json::from_str(&ours).expect("what we write is JSON");
    let (ours, theirs) = (&ours["run_summary"], &theirs["run_summary"]);
    if names_in(ours) != names_in(theirs) {
        return;
    }
    for name in names_in(theirs) {
        let sides = (&ours[name], &theirs[name]);
        configuration(score, tool, place, iteration, (key, name), sides);
    }
}

/// The configurations of a `run_summary`.
fn names_in(summary: &Value) -> Vec<&str> {
    let names = summary.as_object().expect("an object").keys().map(String::as_str);
    names.filter(|name| *name != "delta").collect()
}

fn configuration(
    score: &mut Score,
    tool: Tool,
    place: &CorpusFolder,
    iteration: &Iteration,
    (key, name): (&str, &str),
    (ours, theirs): (&Value, &Value),
) {
    let runs = iteration.runs().filter(|run| run.configuration == name);
    let taken = |run: &Run| run.grading().is_some().then(|| place.taken(tool, run));
    let runs: Vec<(&Run, Option<ToolFigures>)> = runs.map(|run| (run, taken(run))).collect();
    for figure in ["pass_rate", "time_seconds", "tokens"] {
        let (ours, theirs) = (&ours[figure], &theirs[figure]);
        let figure = Figure { name: figure, place: format!("{key} {name}"), ours, theirs };
        check(score, &figure, &runs);
    }
}

fn check(score: &mut Score, figure: &Figure<'_>, runs: &[(&Run, Option<ToolFigures>)]) {
    let are_characters = runs.iter().any(|(_, taken)| taken.is_some_and(|taken| !taken.are_tokens));
    if figure.name == "tokens" && (figure.theirs["mean"] == 0.0 || are_characters) {
        return;
    }
    score.compared += 1;
    if same(figure.ours, figure.theirs) {
        score.equal += 1;
    } else if !is_explained(figure, runs) {
        let Figure { name, place, ours, theirs } = figure;
        score.wrong.push(format!("no reason for: {place} {name}: ours {ours}, theirs {theirs}"));
    }
}

fn same(ours: &Value, theirs: &Value) -> bool {
    ["mean", "stddev", "min", "max"].iter().all(|part| {
        let (ours, theirs) = (ours[part].as_f64(), theirs[part].as_f64());
        ours.zip(theirs).is_some_and(|(ours, theirs)| (ours - theirs).abs() < 5.01e-5)
    })
}

/// Whether their figure follows from the documents by their own rule, and a run differs.
fn is_explained(figure: &Figure<'_>, runs: &[(&Run, Option<ToolFigures>)]) -> bool {
    let taken: Vec<f64> =
        runs.iter().filter_map(|(_, taken)| Some(theirs(figure.name, taken.as_ref()?))).collect();
    let Some(Spread { mean, stddev, min, max, .. }) = Spread::new(&taken) else { return false };
    let stddev = stddev.unwrap_or(0.0);
    let by_rule = serde_json::json!({ "mean": mean, "stddev": stddev, "min": min, "max": max });
    same(&by_rule, figure.theirs)
        && runs.iter().any(|(run, taken)| differs(figure.name, run, taken.as_ref()))
}

fn theirs(figure: &str, taken: &ToolFigures) -> f64 {
    match figure {
        "pass_rate" => taken.pass_rate,
        "time_seconds" => taken.seconds,
        _ => taken.tokens,
    }
}

/// Whether the two sides take another figure from one run; `taken` is `None` when nobody graded it.
fn differs(figure: &str, run: &Run, taken: Option<&ToolFigures>) -> bool {
    let ours = match figure {
        "pass_rate" => run.tally().pass_rate(),
        "time_seconds" => run.metrics.duration_s,
        _ => run.metrics.tokens,
    };
    match (ours, taken.map(|taken| theirs(figure, taken))) {
        (Some(ours), Some(taken)) => (ours - taken).abs() >= 1e-9,
        (ours, None) => ours.is_some(),
        (None, Some(_)) => true,
    }
}
