//! Puts into each run what its records say about the skill.

use crate::read::loading::RunRecords;
use input::model::{Code, Place, Problem, Run, Workspace};
use text::{folded_name, is_listed};

/// Adds `records`, one for each run of `workspace` in order or none at all. A run without the skill
/// that loaded it is a problem; so is a run of any side that read the expectations it is graded by, or
/// the output of another run.
pub(crate) fn add_loadings(workspace: &mut Workspace, records: Vec<RunRecords>) {
    let copies = workspace.snapshots.len();
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    for (run, records) in cases.flat_map(|case| &mut case.runs).zip(records) {
        let RunRecords { loading, model, answer_key, other_run } = records;
        run.metrics.model = run.metrics.model.take().or(model);
        run.loading = loading;
        let of = format!("a run of `{}`", run.configuration);
        let mut found = Vec::new();
        if is_without_skill(run, copies)
            && let (Some(true), Some(file)) = (run.loading.had_skill(), run.loading.file.clone())
        {
            let message = format!("{of} had the skill");
            found.push((Code::BaselineLoaded, file, run.loading.line, message, "the skill"));
        }
        if let Some((file, line)) = answer_key {
            let message = format!("{of} had the expectations that it is graded by");
            found.push((Code::AnswerKeyRead, file, Some(line), message, "the cases"));
        }
        if let Some((file, line, other)) = other_run {
            let message = format!("{of} read what another run left, in `{other}`");
            found.push((
                Code::OtherRunRead,
                file,
                Some(line),
                message,
                "the outputs of other runs",
            ));
        }
        for (code, file, line, message, what) in found {
            let place = line.map(|line| Place { line, column: 1 });
            let help = format!("run it again where {what} cannot be found");
            workspace.problems.push(Problem::new(code, file, message).at(place).help(help));
        }
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
