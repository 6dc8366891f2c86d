//! A prompt for a grader: how to grade, and the runs that have no verdict, with their prompts and
//! checks.

use std::fmt::Write;

use crate::analyze::CaseHistory;
use crate::language::{Language, say};
use crate::render::context::RenderContext;
use input::model::{Case, Iteration, RecordedCounts, Run};
use text::{cut, printable};

/// Characters of a task and of an expected output.
const TEXT: usize = 1_500;

/// What an agent needs to know to grade any run.
pub(crate) fn grading_rules(language: &Language) -> String {
    let timing = r#"{"duration_ms": 41200, "total_tokens": 12890}"#;
    let rules = say!(language, "grade.rules", timing);
    let text = language.text("grade.example_check");
    let evidence = language.text("grade.example_evidence");
    format!(
        r#"{rules}

```json
{{"expectations": [
  {{"text": "{text}", "passed": true, "evidence": "{evidence}"}}
]}}
```
"#
    )
}

/// The prompt for the runs of an iteration that nobody has judged, in at most `most` bytes; empty if
/// there are none. Runs that do not fit are counted.
pub(crate) fn grading_prompt(context: RenderContext<'_>, index: usize, most: usize) -> String {
    let language = context.language;
    let iteration = &context.part.workspace.iterations[index];
    let mut waiting = runs_to_grade(iteration);
    if waiting == 0 {
        return String::new();
    }
    let runs = language.count(waiting, "run");
    let name = printable(&iteration.name);
    let lead = say!(language, "grade.lead", runs, iteration = name);
    let mut prompt = format!("{}\n{lead}\n", grading_rules(language));
    for (at, case) in iteration.cases.iter().enumerate() {
        let history = &context.part.analysis.cases[context.addresses.case_index(index, at)];
        let section = section(case, &checks(context, history, index, case), language);
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

/// The checks to grade a case by: the planned ones, else those of a run that was graded by others,
/// since only the same checks can be compared.
fn checks<'a>(
    context: RenderContext<'a>,
    history: &CaseHistory,
    iteration: usize,
    case: &'a Case,
) -> Vec<&'a str> {
    if !case.planned.is_empty() {
        return case.planned.iter().map(|check| check.text.as_str()).collect();
    }
    let appearances = history.appearances.iter().rev();
    let earlier = appearances.filter(|appearance| appearance.iteration <= iteration);
    let mut runs = earlier.flat_map(|appearance| &appearance.case(context.part.workspace).runs);
    let graded = runs.find(|run| run.is_graded());
    let checks = graded.into_iter().flat_map(|run| run.counted_expectations());
    checks.map(|check| check.text.as_str()).collect()
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
fn section(case: &Case, checks: &[&str], language: &Language) -> String {
    let runs: Vec<&Run> = case.runs.iter().filter(|run| is_to_grade(run)).collect();
    let mut text = String::new();
    if runs.is_empty() {
        return text;
    }
    let _ = writeln!(text, "\n## {}\n", printable(&case.name));
    for (key, given) in [("grade.prompt", &case.prompt), ("grade.expected", &case.expected_output)]
    {
        if let Some(given) = given {
            let _ = writeln!(text, "{}\n", language.text(key));
            for case_index in cut(given, TEXT).lines() {
                let _ = writeln!(text, "> {}", printable(case_index));
            }
            text.push('\n');
        }
    }
    if checks.is_empty() {
        let _ = writeln!(text, "{}", language.text("grade.no_checks"));
    } else {
        let _ = writeln!(text, "{}\n", language.text("grade.checks"));
        for check in checks {
            let _ = writeln!(text, "- {}", printable(check));
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
