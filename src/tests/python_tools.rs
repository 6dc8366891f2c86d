//! Our benchmarks compared with those of the Python aggregators, over real workspaces.
//!
//! `python-tools.json` has the output of the aggregators of the skill-creator and of the advanced
//! dialect. They trust recorded summaries, take 0 for missing values and characters for tokens. So
//! a figure must either be theirs to four decimals, or theirs must follow from the documents by
//! their own rule where it differs from ours; then the reason is counted and printed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::analyze;
use crate::files::{Disk, Source};
use crate::model::{Iteration, Run, Workspace};
use crate::render::benchmark::{self, Heading, Subject};
use crate::settings::Settings;
use crate::statistics::Spread;
use crate::tests::{corpus, load, open};

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
    explained: BTreeMap<String, Vec<String>>,
    skipped: BTreeMap<&'static str, usize>,
    /// Iterations in which the two sides see different configurations.
    elsewhere: Vec<String>,
    wrong: Vec<String>,
}

impl Score {
    fn skip(&mut self, reason: &'static str) {
        *self.skipped.entry(reason).or_default() += 1;
    }

    fn print(&self, tool: Tool) {
        let explained: usize = self.explained.values().map(Vec::len).sum();
        println!(
            "{}: {} figures compared, {} equal, {explained} differ for a known reason, {} wrong; \
             skipped: {:?}",
            tool.key(),
            self.compared,
            self.equal,
            self.wrong.len(),
            self.skipped
        );
        println!("  other configurations in {} iterations:", self.elsewhere.len());
        self.elsewhere.iter().for_each(|place| println!("    {place}"));
        for (reason, places) in &self.explained {
            println!("  {reason}:");
            places.iter().for_each(|place| println!("    {place}"));
        }
    }
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
    scores.iter().for_each(|(tool, score)| score.print(*tool));
    for (tool, score) in &scores {
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
    if theirs.is_null() {
        return score.skip("they stop with an error");
    }
    if read == 0 {
        return score.skip("they read nothing");
    }
    let Some(index) =
        place.workspace.iterations.iter().position(|iteration| iteration.path == path)
    else {
        return score.wrong.push(format!("{key}: {read} runs of theirs, no iteration of ours"));
    };
    let iteration = &place.workspace.iterations[index];
    let graded = iteration.runs().filter(|run| run.grading().is_some()).count() as u64;
    if Some(read) != entry["grading_files"].as_u64() && read != graded {
        return score.skip("they read other runs");
    }
    let analysis = &analyze::analysis(&place.workspace, &Settings::default());
    let (workspace, heading) = (&place.workspace, &Heading::default());
    let ours = benchmark::json(Subject { workspace, analysis, index, heading });
    let ours: Value = serde_json::from_str(&ours).expect("what we write is JSON");
    let (ours, theirs) = (&ours["run_summary"], &theirs["run_summary"]);
    if names_in(ours) != names_in(theirs) {
        let differ = format!("{key}: ours {:?}, theirs {:?}", names_in(ours), names_in(theirs));
        return score.elsewhere.push(differ);
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
    if figure.name == "tokens" {
        if figure.theirs["mean"] == 0.0 {
            return score.skip("no tokens on their side");
        }
        if runs.iter().any(|(_, taken)| taken.is_some_and(|taken| !taken.are_tokens)) {
            return score.skip("characters for tokens on their side");
        }
    }
    score.compared += 1;
    if same(figure.ours, figure.theirs) {
        score.equal += 1;
        return;
    }
    match reason(figure, runs) {
        Some(reason) => score.explained.entry(reason).or_default().push(shown(figure)),
        None => score.wrong.push(format!("no reason for: {}", shown(figure))),
    }
}

fn same(ours: &Value, theirs: &Value) -> bool {
    ["mean", "stddev", "min", "max"].iter().all(|part| {
        let (ours, theirs) = (ours[part].as_f64(), theirs[part].as_f64());
        ours.zip(theirs).is_some_and(|(ours, theirs)| (ours - theirs).abs() < 5.01e-5)
    })
}

fn shown(figure: &Figure<'_>) -> String {
    let of = |side: &Value| format!("{} ± {}", side["mean"], side["stddev"]);
    format!(
        "{} {}: ours {}, theirs {}",
        figure.place,
        figure.name,
        of(figure.ours),
        of(figure.theirs)
    )
}

/// Why the two sides differ; `None` when their figure does not follow from the documents by their
/// own rule, or no single run differs.
fn reason(figure: &Figure<'_>, runs: &[(&Run, Option<ToolFigures>)]) -> Option<String> {
    let taken: Vec<f64> =
        runs.iter().filter_map(|(_, taken)| Some(theirs(figure.name, taken.as_ref()?))).collect();
    let Spread { mean, stddev, min, max, .. } = Spread::new(&taken)?;
    let stddev = stddev.unwrap_or(0.0);
    let by_rule = serde_json::json!({ "mean": mean, "stddev": stddev, "min": min, "max": max });
    if !same(&by_rule, figure.theirs) {
        return None;
    }
    let parts = runs.iter().filter_map(|(run, taken)| part(figure.name, run, taken.as_ref()));
    let parts: BTreeSet<&str> = parts.collect();
    let parts: Vec<&str> = parts.into_iter().collect();
    (!parts.is_empty()).then(|| format!("{}: {}", figure.name, parts.join("; ")))
}

fn theirs(figure: &str, taken: &ToolFigures) -> f64 {
    match figure {
        "pass_rate" => taken.pass_rate,
        "time_seconds" => taken.seconds,
        _ => taken.tokens,
    }
}

/// The difference in treating one run; `taken` is `None` when nobody graded it.
fn part(figure: &str, run: &Run, taken: Option<&ToolFigures>) -> Option<&'static str> {
    let ours = match figure {
        "pass_rate" => run.tally().pass_rate(),
        "time_seconds" => run.metrics.duration_s,
        _ => run.metrics.tokens,
    };
    let Some(taken) = taken else {
        return ours.map(|_| "only we count runs that nobody graded");
    };
    let taken = theirs(figure, taken);
    let grader = run.metrics.grader_s.unwrap_or(0.0);
    match ours {
        Some(ours) if (ours - taken).abs() < 1e-9 => None,
        None if taken == 0.0 => Some("they take 0 for what nobody recorded"),
        Some(_) if taken == 0.0 => Some("they take 0 where they do not look"),
        Some(ours) if figure == "pass_rate" && (ours - taken).abs() < 0.006 => {
            Some("a recorded rate is rounded")
        }
        _ if figure == "pass_rate" && run.tally().ungraded > 0 => {
            Some("a recorded rate counts what has no verdict as failed")
        }
        _ if figure == "pass_rate" => Some("a recorded rate contradicts its verdicts"),
        Some(ours) if figure == "time_seconds" && (ours + grader - taken).abs() < 1e-6 => {
            Some("grading.json adds the grader's time, timing.json does not")
        }
        _ => Some("grading.json and timing.json contradict each other"),
    }
}
