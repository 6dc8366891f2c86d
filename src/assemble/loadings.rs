//! Puts into each run what its records say about the skill.

use crate::assemble::sort_problems;
use crate::model::{Code, Loading, Place, Problem, Run, Workspace};
use crate::text::{folded_name, is_listed};

/// Adds `loadings`, one for each run of `workspace` in order or none at all. A run without the
/// skill that loaded it is a problem.
pub fn add_loadings(workspace: &mut Workspace, loadings: Vec<Loading>) {
    let copies = workspace.snapshots.len();
    let cases = workspace.iterations.iter_mut().flat_map(|iteration| &mut iteration.cases);
    let mut problems = Vec::new();
    for (run, loading) in cases.flat_map(|case| &mut case.runs).zip(loadings) {
        problems.extend(contamination(run, &loading, copies));
        run.loading = loading;
    }
    if !problems.is_empty() {
        workspace.problems.append(&mut problems);
        sort_problems(&mut workspace.problems);
    }
}

/// The problem of a run without the skill that loaded it.
fn contamination(run: &Run, loading: &Loading, copies: usize) -> Option<Problem> {
    const WITHOUT: &[&str] = &["without", "no_skill", "noskill", "skill_free"];
    // Where several copies of the skill are kept, a baseline may be an earlier version.
    const PERHAPS_WITHOUT: &str = "baseline vanilla control base";
    let name = folded_name(&run.configuration);
    let is_without = WITHOUT.iter().any(|word| name.contains(word))
        || (copies < 2 && is_listed(PERHAPS_WITHOUT, &name));
    let file = loading.file.as_ref()?;
    if !is_without || loading.had_skill() != Some(true) {
        return None;
    }
    let message = format!("a run of `{}` had the skill", run.configuration);
    let place = loading.line.map(|line| Place { line, column: 1 });
    let help = "run it again where the skill cannot be found";
    Some(Problem::new(Code::BaselineLoaded, file, message).at(place).help(help))
}
