//! A prompt for a grader: the runs that have no verdict, with their prompts and checks.

use std::fmt::Write;

use crate::language::say;
use crate::model::{Case, Iteration, RecordedCounts, Run};
use crate::render::context::RenderContext;
use crate::text::{cut, printable};

/// Characters of a task and of an expected output.
const TEXT: usize = 1_500;

/// The file that every grader is asked for.
const EXAMPLE: &str = r#"{"expectations": [
  {"text": "…", "passed": true, "evidence": "\"…\" (brief.md, 4)"}
]}"#;

/// The prompt for the runs of an iteration that nobody has judged, in at most `most` bytes; empty if
/// there are none. Runs that do not fit are counted.
pub(crate) fn grading_prompt(context: RenderContext<'_>, iteration: usize, most: usize) -> String {
    let language = context.language;
    let iteration = &context.part.workspace.iterations[iteration];
    let mut waiting = runs_to_grade(iteration);
    if waiting == 0 {
        return String::new();
    }
    let runs = language.count(waiting, "run");
    let mut prompt = format!(
        "{}\n\n```json\n{EXAMPLE}\n```\n\n{}\n",
        say!(language, "grade.lead", runs, iteration = printable(&iteration.name)),
        language.text("grade.rules"),
    );
    for case in &iteration.cases {
        let section = section(context, case);
        if section.is_empty() {
            continue;
        }
        if prompt.len() + section.len() > most {
            let runs = language.count(waiting, "run");
            let _ = writeln!(prompt, "\n{}", say!(language, "grade.more", runs));
            break;
        }
        waiting -= case.runs.iter().filter(|run| is_to_grade(run)).count();
        prompt.push_str(&section);
    }
    prompt
}

/// The number of runs that nobody has judged.
pub(crate) fn runs_to_grade(iteration: &Iteration) -> usize {
    iteration.runs().filter(|run| is_to_grade(run)).count()
}

/// Whether nobody has judged `run`, and nothing says that it broke.
fn is_to_grade(run: &Run) -> bool {
    // Counts without outputs are all that is left of a run that was graded long ago.
    let is_gone = run.outputs.is_empty()
        && run.grading().is_some_and(|grading| grading.recorded != RecordedCounts::default());
    !run.is_graded() && run.error.is_none() && !is_gone
}

/// A case with its runs to grade; empty without any.
fn section(context: RenderContext<'_>, case: &Case) -> String {
    let language = context.language;
    let runs: Vec<&Run> = case.runs.iter().filter(|run| is_to_grade(run)).collect();
    let mut text = String::new();
    if runs.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\n## {}\n", printable(&case.name));
    for (key, given) in [("grade.prompt", &case.prompt), ("grade.expected", &case.expected_output)]
    {
        if let Some(given) = given {
            let given = printable(&cut(given, TEXT)).replace('\n', "\n> ");
            let _ = writeln!(text, "{}\n\n> {given}\n", language.text(key));
        }
    }
    if case.planned.is_empty() {
        let _ = writeln!(text, "{}", language.text("grade.no_checks"));
    } else {
        let _ = writeln!(text, "{}\n", language.text("grade.checks"));
        for check in &case.planned {
            let _ = writeln!(text, "- {}", printable(&check.text));
        }
    }
    let _ = writeln!(text, "\n{}\n", language.text("grade.runs"));
    for run in runs {
        let files: Vec<String> = run.outputs.iter().map(|file| printable(&file.name)).collect();
        let files = language.first_few(files, 8, "list.comma");
        let _ = writeln!(text, "- `{}`: {files}", printable(&run.path));
    }
    text
}
