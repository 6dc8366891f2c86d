//! What the benches measure and no command does by itself.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::analyze::{self, Against};
use crate::files::{Disk, Memory, Source};
use crate::gate::{self, Question, Rule};
use crate::guard::Guard;
use crate::model::{Case, Expectation, Grading, Iteration, Outcome, Run, Workspace};
use crate::pipeline::{self, Input};
use crate::render::{self, Part, RenderOptions};
use crate::settings::{FailOn, Settings};
use crate::write::Sink;

/// How long each stage of a build takes on the workspace in `folder`, in their order; pages are
/// rendered into nothing. `None` where there is no workspace, or where its settings make no sense.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn stages(folder: &Path) -> Option<[(&'static str, Duration); 4]> {
    let disk = Disk::open(folder).ok()?;
    let mut last = Instant::now();
    let mut lap = move || std::mem::replace(&mut last, Instant::now()).elapsed();
    let flags = Settings::default();
    let loaded = pipeline::load(Input::new(Arc::new(disk), "workspace", &flags)).ok()?;
    let read = loaded.workspaces.into_iter().next()?;
    let reading = lap();
    let texts = analyze::Texts { source: &read.source, prefix: &read.prefix };
    let analysis = analyze::analysis_with_texts(&read.workspace, &read.settings, texts);
    let analyzing = lap();
    let part = Part::new(&read.workspace, &analysis, (&read.source, &read.prefix), &read.settings);
    let comparing = lap();
    render::report(&[part], &RenderOptions::default(), &Nothing, &|_| ()).ok()?;
    let rendering = lap();
    Some([
        ("read and guard", reading),
        ("analyze", analyzing),
        ("compare checks", comparing),
        ("compare outputs and render", rendering),
    ])
}

/// Where pages go that nobody keeps.
struct Nothing;

impl Sink for Nothing {
    fn put(&self, _: &str, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

/// Keeps `text` as a file in memory; each call of what is returned searches it for secrets.
pub fn guard(text: String) -> impl Fn() {
    let memory = Memory::new([("a.txt", text)]);
    move || Guard::new(memory.list(&|_| false), &[]).scan(&memory, &|_| true)
}

type RuleFails = Vec<bool>;

/// Which of the rules *worse*, *regression* and *regression-strict* fail a candidate. `cases` hold
/// the runs of the candidate, then those of the side before it.
pub fn failed_rules(cases: &[[Vec<RuleFails>; 2]]) -> [bool; 3] {
    const RULES: [FailOn; 3] = [FailOn::Worse, FailOn::Regression, FailOn::RegressionStrict];
    let names = ["with_skill", "old_skill"];
    let case = |(at, sides): (usize, &[Vec<RuleFails>; 2])| Case {
        name: format!("case {at}"),
        folder: format!("case-{at}"),
        runs: names.iter().zip(sides).flat_map(|(name, runs)| made_up_runs(name, runs)).collect(),
        ..Case::default()
    };
    let iteration = Iteration {
        configurations: names.map(str::to_owned).to_vec(),
        cases: cases.iter().enumerate().map(case).collect(),
        ..Iteration::default()
    };
    let workspace = Workspace { iterations: vec![iteration], ..Workspace::default() };
    let mut settings = Settings::default();
    settings.gate.fail_on = RULES.to_vec();
    let analysis = analyze::analysis(&workspace, &settings);
    let after = analyze::Side { iteration: 0, configuration: names[0].to_owned() };
    let question = Question {
        workspace: &workspace,
        analysis: &analysis,
        after: &after,
        change: analysis.change(&after, Against::Baseline),
        settings: &settings,
        today: "2026-01-01",
    };
    let rulings = gate::judge(&question).rulings;
    RULES.map(|rule| {
        rulings.iter().any(|found| found.rule == Rule::FailOn(rule) && !found.is_passed())
    })
}

fn made_up_runs(configuration: &str, runs: &[RuleFails]) -> Vec<Run> {
    let check = |(at, passed): (usize, &bool)| Expectation {
        text: format!("check {at}"),
        outcome: if *passed { Outcome::Passed } else { Outcome::Failed },
        ..Expectation::default()
    };
    let run = |(number, verdicts): (u32, &RuleFails)| {
        let expectations = verdicts.iter().enumerate().map(check).collect();
        Run {
            configuration: configuration.to_owned(),
            number,
            gradings: vec![Grading { expectations, ..Grading::default() }],
            ..Run::default()
        }
    };
    (1..).zip(runs).map(run).collect()
}
