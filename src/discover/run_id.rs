//! How documents name a run: by its path below the iteration, with `-` for `/`.

use crate::discover::names;
use crate::model::{Case, Iteration, Run};

/// The name of `run` as a reviewer's file has it: `revenue-with_skill-run-1`.
pub fn run_id(iteration: &Iteration, case: &Case, run: &Run) -> String {
    let is_folder = run.grading().is_none_or(|grading| grading.path != run.path);
    let below =
        names::below(&run.path, &iteration.path).filter(|path| is_folder && !path.is_empty());
    match below {
        Some(path) => path.replace('/', "-"),
        None => format!("{}-{}-run-{}", case.name, run.configuration, run.number),
    }
}

/// Whether `id` names the case or one of its runs.
pub fn is_about(id: &str, iteration: &Iteration, case: &Case) -> bool {
    is_case(id, iteration, case) || case.runs.iter().any(|run| is_run(id, iteration, case, run))
}

/// Whether `id` names the case as a whole.
pub fn is_case(id: &str, iteration: &Iteration, case: &Case) -> bool {
    let id = folded(id, iteration);
    case_names(case).contains(&id)
}

/// Whether `id` names this run of the case.
pub fn is_run(id: &str, iteration: &Iteration, case: &Case, run: &Run) -> bool {
    let id = folded(id, iteration);
    let configuration = names::fold(&run.configuration);
    let is_below = |folder: &String| {
        let flat = format!("{folder}_{configuration}");
        let numbered = format!("{flat}_run_{}", run.number);
        id == flat || id == numbered
    };
    case_names(case).iter().any(is_below) || id == folded(&run_id(iteration, case, run), iteration)
}

/// The names a case goes by, in one spelling.
fn case_names(case: &Case) -> Vec<String> {
    let by_number = case.id.as_ref().map(|id| format!("eval_{}", names::fold(id)));
    let own = [names::fold(&case.folder), names::fold(&case.name)];
    own.into_iter().filter(|name| !name.is_empty()).chain(by_number).collect()
}

/// A name in one spelling, without the iteration.
fn folded(id: &str, iteration: &Iteration) -> String {
    let id = names::fold(id).replace('/', "_");
    let above = format!("{}_", names::fold(&iteration.name).replace('/', "_"));
    id.strip_prefix(&above).map_or(id.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{is_about, is_case, is_run, run_id};
    use crate::model::{Case, Iteration, Run};

    #[test]
    fn a_run_is_known_by_its_path_in_any_spelling() {
        let path = "iteration-1/eval-3/with_skill/run-2".to_owned();
        let run = Run { configuration: "with_skill".to_owned(), number: 2, path, ..Run::default() };
        let case = Case {
            id: Some("3".to_owned()),
            name: "memo".to_owned(),
            folder: "eval-3".to_owned(),
            runs: vec![run.clone()],
            ..Case::default()
        };
        let name = "iteration-1".to_owned();
        let iteration = Iteration { path: name.clone(), name, ..Iteration::default() };
        assert_eq!(run_id(&iteration, &case, &run), "eval-3-with_skill-run-2");
        for id in
            ["eval-3-with_skill-run-2", "iteration-1/eval-3/with-skill/run-2", "memo-with_skill"]
        {
            assert!(is_run(id, &iteration, &case, &run), "{id}");
        }
        assert!(is_case("Memo", &iteration, &case) && is_about("eval_3", &iteration, &case));
        assert!(!is_about("eval-3-with_skill-run-1", &iteration, &case));
    }
}
