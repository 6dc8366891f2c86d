//! What was found in a workspace, one line each.

use std::fmt::Display;

use input::model::{About, Case, Iteration, Outcome, Problem, Run, Workspace};

/// `kind subject value` of everything that is known; nothing where it is not recorded.
pub(super) fn facts(workspace: &Workspace) -> Vec<String> {
    let mut facts = Facts::default();
    facts.add("skill", "", workspace.skill.as_ref());
    facts.add("last-round", "", workspace.last_round());
    let totals = workspace.totals();
    facts.add("cases", "", Some(totals.cases));
    facts.add("runs", "", Some(workspace.iterations.iter().flat_map(Iteration::runs).count()));
    facts.add("checks", "", Some(totals.tally.total()));
    facts.add("recorded", "", Some(totals.recorded.total()));
    for iteration in &workspace.iterations {
        facts.add_iteration(iteration);
    }
    let names: Vec<&str> = workspace.iterations.iter().map(|one| one.name.as_str()).collect();
    facts.add("iterations", "", Some(names.join(" ")));
    let mut rounds = Vec::new();
    for round in &workspace.trigger_rounds {
        let number = round.number.map(|number| format!("{number} ")).unwrap_or_default();
        let name = round.name.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
        rounds.push(format!("{name}{number}{}/{}", shown(round.passed), shown(round.total)));
        let rates = [round.passed, round.precision, round.recall].map(shown);
        facts.add("round-rates", "-", Some(rates.join(" ")));
        for query in &round.queries {
            let wanted = format!("{} {}", shown(query.should_trigger), shown(query.passed));
            facts.add("query", &query.query, Some(wanted));
        }
    }
    if !rounds.is_empty() {
        facts.add("rounds", "", Some(rounds.join("; ")));
    }
    let versions = workspace.histories.iter().flat_map(|history| &history.versions);
    versions.for_each(|version| facts.add("version", &version.name, Some("")));
    for copy in &workspace.snapshots {
        let iteration = copy.iteration.map(|at| names[at]);
        let files: Vec<&str> = copy.files.iter().map(|file| file.name.as_str()).collect();
        facts.add("copy", &copy.name, Some(format!("{} {}", shown(iteration), files.join(","))));
    }
    workspace.ignored.iter().for_each(|one| facts.add("ignored", &one.path, Some("")));
    workspace.problems.iter().for_each(|problem| facts.add_problem(problem));
    facts.0
}

fn shown(value: Option<impl Display>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

#[derive(Default)]
struct Facts(Vec<String>);

impl Facts {
    fn add(&mut self, kind: &str, subject: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            let line = format!("{kind} {subject} {value}").replace('\n', "⏎");
            self.0.push(
                line.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "),
            );
        }
    }

    fn add_iteration(&mut self, iteration: &Iteration) {
        let name = &iteration.name;
        self.add("unordered", name, iteration.is_unordered.then_some(""));
        let gathers = if iteration.implicit { "*" } else { "" };
        self.add("benchmarks", name, Some(iteration.benchmarks.len()));
        for benchmark in &iteration.benchmarks {
            self.add("benchmark", &format!("{name}{gathers}"), Some(&benchmark.path));
        }
        for comparison in &iteration.comparisons {
            let versions = comparison.versions.as_ref().map(|(a, b)| format!("{a} {b}"));
            self.add("comparison", name, Some(versions.unwrap_or_default()));
        }
        iteration.analyses.iter().for_each(|_| self.add("analysis", name, Some("")));
        for case in &iteration.cases {
            self.add_case(&format!("{name}/{}", case.folder), case);
        }
        let mut reviewed = Vec::new();
        for review in iteration.feedback.iter().flat_map(|feedback| &feedback.reviews) {
            let about = match review.about {
                About::Run { case, run } => {
                    let run = &iteration.cases[case].runs[run];
                    format!("{}/{}/{}", iteration.cases[case].folder, run.configuration, run.number)
                }
                About::Case { case } => iteration.cases[case].folder.clone(),
                About::Unknown => "?".to_owned(),
            };
            reviewed.push(about);
        }
        for about in &reviewed {
            self.add("review", name, Some(about));
        }
        self.add("reviews", name, Some(reviewed.join(" ")));
    }

    fn add_case(&mut self, place: &str, case: &Case) {
        self.add("id", place, case.id.as_ref());
        self.add("name", place, Some(&case.name));
        self.add("prompt", place, case.prompt.as_ref());
        self.add("planned", place, Some(case.planned.len()));
        self.add("same-prompt", place, case.same_prompt_as.as_ref());
        for run in &case.runs {
            self.add_run(&format!("{place}/{}/{}", run.configuration, run.number), run);
        }
    }

    fn add_run(&mut self, place: &str, run: &Run) {
        let metrics = &run.metrics;
        for (kind, number) in [
            ("tokens", metrics.tokens),
            ("seconds", metrics.duration_s),
            ("executor", metrics.executor_s),
            ("grader", metrics.grader_s),
            ("steps", metrics.steps),
            ("calls", metrics.tool_calls),
            ("chars", metrics.output_chars),
        ] {
            self.add(kind, place, number);
        }
        self.add("model", place, metrics.model.as_ref());
        self.add("error", place, run.error.as_ref());
        self.add("path", place, Some(&run.path));
        self.add("reused", place, run.reused_from.as_ref());
        self.add("unjudged", place, Some(run.unjudged()));
        self.add("loading", place, Some(format!("{:?}", run.loading.state)));
        self.add("lost", place, run.is_lost().then_some(""));
        self.add("ungraded", place, (!run.is_graded()).then_some(""));
        self.add("verdicts", place, Some(format!("{}:{}", run.tally().passed, run.tally().failed)));
        let outputs: Vec<&str> = run.outputs.iter().map(|output| output.name.as_str()).collect();
        self.add("outputs", place, Some(outputs.join(",")));
        for check in run.expectations() {
            let word = if check.outcome == Outcome::Ungraded { "ungraded" } else { "graded" };
            let details =
                format!("{} {}", shown(check.required), shown(check.description.as_ref()));
            self.add("check", place, Some(format!("{word} {details}: {}", check.text)));
        }
    }

    fn add_problem(&mut self, problem: &Problem) {
        let place = problem.place.map(|place| format!("{}:{}", place.line, place.column));
        self.add("at", problem.code.word(), place);
        self.add("help", problem.code.word(), problem.help.as_ref());
        let question = problem.help.as_ref().and_then(|help| help.match_indices('`').nth(1));
        let question =
            question.map(|(end, _)| &problem.help.as_deref().unwrap_or_default()[..=end]);
        self.add("help-start", problem.code.word(), question);
        self.add("message", problem.code.word(), Some(&problem.message));
    }
}
