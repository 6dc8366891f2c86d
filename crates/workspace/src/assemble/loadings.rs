//! Puts into each run what its records say about the skill.

use crate::assemble::problem_order::sort_problems;
use crate::read::loading::RunRecords;
use input::model::{Code, Place, Problem, Run, Workspace};
use text::{folded_name, is_listed};

/// Adds `records`, one for each run of `workspace` in order or none at all. A run without the skill
/// that loaded it is a problem; so is a run of any side that read the expectations it is graded by, or
/// the output of another run.
pub fn add_loadings(workspace: &mut Workspace, records: Vec<RunRecords>) {
    let copies = workspace.snapshots.len();
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    let mut problems = Vec::new();
    for (run, records) in cases.flat_map(|case| &mut case.runs).zip(records) {
        let RunRecords { loading, model, answer_key, other_run } = records;
        run.metrics.model = run.metrics.model.take().or(model);
        run.loading = loading;
        if is_without_skill(run, copies)
            && let (Some(true), Some(file)) = (run.loading.had_skill(), &run.loading.file)
        {
            let message = format!("a run of `{}` had the skill", run.configuration);
            let place = run.loading.line.map(|line| Place { line, column: 1 });
            let help = "run it again where the skill cannot be found";
            problems.push(Problem::new(Code::BaselineLoaded, file, message).at(place).help(help));
        }
        if let Some((file, line)) = answer_key {
            let name = &run.configuration;
            let message = format!("a run of `{name}` had the expectations that it is graded by");
            problems.push(
                Problem::new(Code::AnswerKeyRead, file, message)
                    .at(Some(Place { line, column: 1 }))
                    .help("run it again where the cases cannot be found"),
            );
        }
        if let Some((file, line, other)) = other_run {
            let name = &run.configuration;
            let message = format!("a run of `{name}` read what another run left, in `{other}`");
            problems.push(
                Problem::new(Code::OtherRunRead, file, message)
                    .at(Some(Place { line, column: 1 }))
                    .help("run it again where the outputs of other runs cannot be found"),
            );
        }
    }
    if !problems.is_empty() {
        workspace.problems.append(&mut problems);
        sort_problems(&mut workspace.problems);
    }
}

/// Whether the name of the run's configuration says that it should do without the skill.
fn is_without_skill(run: &Run, copies: usize) -> bool {
    const WITHOUT: &[&str] = &["without", "no_skill", "noskill", "skill_free"];
    // Where several copies of the skill are kept, a baseline may be an earlier version.
    const PERHAPS_WITHOUT: &str = "baseline vanilla control base";
    let name = folded_name(&run.configuration);
    WITHOUT.iter().any(|word| name.contains(word))
        || (copies < 2 && is_listed(PERHAPS_WITHOUT, &name))
}
