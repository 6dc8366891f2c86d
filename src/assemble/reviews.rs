//! Which iteration a review, comparison or benchmark belongs to, and whether the runs it names
//! are there.

use std::collections::BTreeMap;

use crate::discover::{IterationKey, names};
use crate::model::{About, Case, Code, Iteration, Problem, Workspace};

/// The two versions in a folder's name: `v1-vs-v0` is (`v1`, `v0`).
pub(super) fn versions_in(path: &str) -> Option<(String, String)> {
    let folder = names::file_name(names::folder(path));
    let (first, second) = folder.split_once("-vs-").or_else(|| folder.split_once("_vs_"))?;
    (!first.is_empty() && !second.is_empty()).then(|| (first.to_owned(), second.to_owned()))
}

/// The index of the iteration: the folder's own, the version a comparison is about, or the last.
pub(super) fn iteration_of(
    workspace: &Workspace,
    key: &IterationKey,
    versions: Option<&(String, String)>,
) -> Option<usize> {
    let (path, implicit) = match key {
        IterationKey::Folder(path) => (path, false),
        IterationKey::Group(path) => (path, true),
    };
    let all = &workspace.iterations;
    let own = all.iter().position(|it| it.path == *path && it.implicit == implicit);
    let by_version = || {
        let (first, second) = versions?;
        let named = |name: &String| all.iter().position(|it| it.name == *name);
        named(first).max(named(second))
    };
    own.or_else(by_version).or_else(|| all.len().checked_sub(1))
}

/// The problem of a document beside runs in a workspace that has none.
pub(super) fn homeless(path: &str) -> Problem {
    let message = "there is no iteration that this document could belong to";
    Problem::new(Code::UnknownRun, path, message)
        .assuming("not shown")
        .help("put it into the iteration's folder")
}

/// Finds what each review of the iteration is about; those that name nothing of it are problems.
pub(super) fn attach(iteration: &mut Iteration) -> Vec<Problem> {
    let mut all = std::mem::take(&mut iteration.feedback);
    let mut problems = Vec::new();
    if all.is_empty() {
        return problems;
    }
    let known = Known::of(iteration);
    for feedback in &mut all {
        for review in &mut feedback.reviews {
            let found = known.find(&review.run_id);
            review.about = found.unwrap_or_default();
            if let Err(why) = found {
                problems.push(unattached(&feedback.path, &review.run_id, why));
            }
        }
    }
    iteration.feedback = all;
    problems
}

/// Why it is not known what a review is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Nothing,
    Several,
}

fn unattached(path: &str, run_id: &str, why: Why) -> Problem {
    let message = match why {
        Why::Nothing => format!("the review names the run `{run_id}`, which is not there"),
        Why::Several => format!("the review names the run `{run_id}`, which several could be"),
    };
    Problem::new(Code::UnknownRun, path, message)
        .assuming("shown with the iteration")
        .help("name the run by its path below the iteration, with `-` for `/`")
}

/// What goes by each of some names; `None` where it is more than one.
type Names = BTreeMap<String, Option<About>>;

/// The names of an iteration's cases and runs, the surest first: as folders and cases are called, so
/// that names which differ in nothing but spelling stay apart, then in one spelling.
#[derive(Debug, Default)]
struct Known {
    folders: Names,
    cases: Names,
    paths: Names,
    folded: Names,
    numbers: Names,
    /// The iteration's name, which may stand before them.
    iteration: String,
}

impl Known {
    fn of(iteration: &Iteration) -> Self {
        let mut known = Self { iteration: iteration.name.clone(), ..Self::default() };
        for (at, case) in iteration.cases.iter().enumerate() {
            let number = case.id.as_ref().map(|id| format!("eval_{id}"));
            for (name, about) in called(at, case, &case.folder) {
                add(&mut known.folded, folded(&name), about);
                add(&mut known.folders, joined(&name), about);
            }
            for (name, about) in called(at, case, &case.name) {
                add(&mut known.folded, folded(&name), about);
                add(&mut known.cases, joined(&name), about);
            }
            for (name, about) in called(at, case, &number.unwrap_or_default()) {
                add(&mut known.numbers, folded(&name), about);
            }
            for (run, found) in case.runs.iter().enumerate() {
                let below = names::below(&found.path, &iteration.path).unwrap_or_default();
                add(&mut known.paths, joined(below), About::Run { case: at, run });
            }
        }
        known
    }

    /// What `run_id` means: what is called exactly so, else what alone it could mean.
    fn find(&self, run_id: &str) -> Result<About, Why> {
        let (exact, folded) = (joined(run_id), folded(run_id));
        let named = [(&self.folders, &exact), (&self.cases, &exact), (&self.paths, &exact)];
        let mut why = Why::Nothing;
        for (names, id) in
            named.into_iter().chain([(&self.folded, &folded), (&self.numbers, &folded)])
        {
            match self.look_up(names, id) {
                Some(Some(about)) => return Ok(about),
                Some(None) => why = Why::Several,
                None => {}
            }
        }
        Err(why)
    }

    /// What goes by `id`, with or without the iteration before it.
    fn look_up(&self, names: &Names, id: &str) -> Option<Option<About>> {
        let below = || {
            let above = [joined(&self.iteration) + "-", folded(&self.iteration) + "_"];
            let found = above.iter().find_map(|above| id.strip_prefix(above.as_str()));
            names.get(found?)
        };
        names.get(id).or_else(below).copied()
    }
}

fn add(names: &mut Names, name: String, about: About) {
    if name.is_empty() {
        return;
    }
    let known = names.entry(name).or_insert(Some(about));
    if *known != Some(about) {
        *known = None;
    }
}

/// A name as it is, whichever way its parts are joined.
fn joined(name: &str) -> String {
    name.replace('/', "-")
}

/// A name in one spelling.
fn folded(name: &str) -> String {
    names::fold(name).replace('/', "_")
}

/// The names of a case that is called `own`, and of its runs; a configuration alone means its run
/// where it has only one.
fn called(at: usize, case: &Case, own: &str) -> Vec<(String, About)> {
    if own.is_empty() {
        return Vec::new();
    }
    let mut runs: BTreeMap<&String, usize> = BTreeMap::new();
    for run in &case.runs {
        *runs.entry(&run.configuration).or_default() += 1;
    }
    let mut found = vec![(own.to_owned(), About::Case { case: at })];
    for (index, run) in case.runs.iter().enumerate() {
        let about = About::Run { case: at, run: index };
        let name = format!("{own}/{}", run.configuration);
        found.push((format!("{name}/run-{}", run.number), about));
        let is_only = runs[&run.configuration] == 1;
        found.push((name, if is_only { about } else { About::Case { case: at } }));
    }
    found
}
