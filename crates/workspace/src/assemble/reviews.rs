//! Which iteration a review, comparison or benchmark belongs to, and whether the runs it names
//! exist.

use std::collections::BTreeMap;

use crate::read::alias::feedback as fields;
use input::discover::{FileLevels, IterationKey};
use input::model::{About, Case, Code, Feedback, Iteration, Problem, Review, Workspace};
use input::names;
use text::folded_name;

/// The two versions in a folder's name: `v1-vs-v0` is (`v1`, `v0`).
pub(super) fn versions_in(path: &str) -> Option<(String, String)> {
    let folder = names::file_name(names::folder(path));
    let (first, second) = folder.split_once("-vs-").or_else(|| folder.split_once("_vs_"))?;
    if first.is_empty() || second.is_empty() {
        return None;
    }
    Some((first.to_owned(), second.to_owned()))
}

/// The index of the iteration of a document: its folder's, or the version that a comparison is
/// about.
pub(super) fn stated_iteration(
    workspace: &Workspace,
    key: &IterationKey,
    versions: Option<&(String, String)>,
) -> Option<usize> {
    let mut iterations = workspace.iterations.iter();
    if let Some(index) = iterations.position(|iteration| key.is_of(iteration)) {
        return Some(index);
    }
    // A comparison belongs to the newer of its two versions.
    let (first, second) = versions?;
    let mut iterations = workspace.iterations.iter();
    iterations.rposition(|iteration| iteration.name == *first || iteration.name == *second)
}

/// The index of the iteration that the benchmark at `path` measures: the one it states, else the
/// last below its folder, else the runs gathered closest above it. `None` outside all iterations.
pub(super) fn measured_iteration(
    workspace: &Workspace,
    key: &IterationKey,
    path: &str,
) -> Option<usize> {
    let folder = names::folder(path);
    let iterations = &workspace.iterations;
    // The iteration made for another benchmark cannot be this one's.
    if let Some(stated) = stated_iteration(workspace, key, None)
        && iterations[stated].is_round()
    {
        return Some(stated);
    }
    let last_below = iterations.iter().rposition(|iteration| {
        let is_below = names::below(&iteration.path, folder).is_some();
        iteration.path == folder || iteration.is_round() && is_below
    });
    if last_below.is_some() {
        return last_below;
    }
    let above = iterations.iter().enumerate().filter(|(_, iteration)| {
        iteration.implicit && iteration.is_round() && names::is_in(folder, &iteration.path)
    });
    // The last of several equally long ones.
    Some(above.max_by_key(|(_, iteration)| iteration.path.len())?.0)
}

/// An iteration of its own for the benchmark at `path`, if no other is near.
pub(super) fn separate_iteration(workspace: &Workspace, path: &str) -> Iteration {
    let folder = names::folder(path);
    let name = names::file_name(folder);
    let is_taken = workspace.iterations.iter().any(|iteration| iteration.name == name);
    let name = match name {
        // A benchmark in the workspace's own folder is named after it.
        "" => workspace.name.clone(),
        _ if is_taken => folder.to_owned(),
        _ => name.to_owned(),
    };
    Iteration { name, path: folder.to_owned(), implicit: true, ..Iteration::default() }
}

/// Resolves the subject of each review in documents at these `places`; reviews that name nothing
/// are problems.
pub(super) fn attach(
    iteration: &mut Iteration,
    places: &BTreeMap<&str, &FileLevels>,
) -> Vec<Problem> {
    let mut feedback = std::mem::take(&mut iteration.feedback);
    let mut problems = Vec::new();
    if feedback.is_empty() {
        return problems;
    }
    let names = KnownNames::new(iteration);
    for Feedback { path, reviews, .. } in &mut feedback {
        let above = places.get(path.as_str()).map_or(Vec::new(), |place| levels_above(place));
        let home = above.first().and_then(|level| names.find(level).ok());
        for Review { run_id, about, place, .. } in reviews {
            let why = match names.find_below(&above, run_id) {
                Ok(subject) => {
                    *about = subject;
                    continue;
                }
                Err(why) => why,
            };
            *about = home.unwrap_or_default();
            // A review that names no run may still have a field of its own for one.
            let is_unnamed = run_id.is_empty() || fields::TEXT.spellings.contains(&run_id.as_str());
            if is_unnamed && home.is_some() {
                continue;
            }
            let assumed = if home.is_some() {
                "taken for what its folder is of"
            } else {
                "shown with the iteration"
            };
            problems.push(
                Problem::new(
                    Code::UnknownRun,
                    &*path,
                    format!("the review names the run `{run_id}`, which {why}"),
                )
                .at(*place)
                .assuming(assumed)
                .help("name the run by its path below the iteration, with `-` for `/`"),
            );
        }
    }
    iteration.feedback = feedback;
    problems
}

/// The names of the levels that a document lies in, the narrowest first.
fn levels_above(place: &FileLevels) -> Vec<String> {
    let Some(case) = &place.case else { return Vec::new() };
    let Some(configuration) = &place.configuration else { return vec![case.clone()] };
    let side = format!("{case}/{configuration}");
    let run = place.run.map(|run| format!("{side}/run-{run}"));
    run.into_iter().chain([side, case.clone()]).collect()
}

/// Why a review belongs to no run.
type WhyUnattached = &'static str;

/// The match for each name; `None` if ambiguous.
type UniqueNames = BTreeMap<String, Option<About>>;

/// The names of an iteration's cases and runs.
#[derive(Debug, Default)]
struct KnownNames {
    /// The most certain first: names of folders, names of cases, paths of runs. Names that differ
    /// only in spelling stay apart there. Then names in one spelling, then numbers.
    names: [UniqueNames; 5],
    /// The iteration's name, which may precede them.
    iteration: String,
}

impl KnownNames {
    fn new(iteration: &Iteration) -> Self {
        let mut result = Self { iteration: iteration.name.clone(), ..Self::default() };
        // The 13 public files name runs as `eval-1-with_skill-run-1`, or `crud-api-with_skill`.
        let [folders, cases, paths, by_fold, numbers] = &mut result.names;
        for (at, case) in iteration.cases.iter().enumerate() {
            for (exact, own_name) in [(&mut *folders, &case.folder), (&mut *cases, &case.name)] {
                for (name, about) in names_of_case(at, case, own_name) {
                    add(by_fold, folded(&name), about);
                    add(exact, with_one_joint(&name), about);
                }
            }
            let id = case.id.clone().or_else(|| Some(names::case_number(&case.folder)?.0));
            let number = id.map(|id| format!("eval_{id}"));
            for (name, about) in
                number.iter().chain(&case.id).flat_map(|id| names_of_case(at, case, id))
            {
                add(numbers, folded(&name), about);
            }
            for (run, run_data) in case.runs.iter().enumerate() {
                let below = names::below(&run_data.path, &iteration.path).unwrap_or_default();
                add(paths, with_one_joint(below), About::Run { case: at, run });
            }
        }
        result
    }

    /// The match for `run_id` below the narrowest of the levels `above`, else anywhere.
    fn find_below(&self, above: &[String], run_id: &str) -> Result<About, WhyUnattached> {
        // A file in the folder of a case may call its runs `with_skill` alone.
        for level in above.iter().filter(|_| !run_id.is_empty()) {
            if let Ok(about) = self.find(&format!("{level}/{run_id}")) {
                return Ok(about);
            }
        }
        self.find(run_id)
    }

    /// The match for `run_id`, with or without the iteration before it: an exact name, else the
    /// only possible one.
    fn find(&self, run_id: &str) -> Result<About, WhyUnattached> {
        let (exact, folded_id) = (with_one_joint(run_id), folded(run_id));
        let above = [with_one_joint(&self.iteration) + "-", folded(&self.iteration) + "_"];
        let ids = [&exact, &exact, &exact, &folded_id, &folded_id];
        let mut why = "is not there";
        for (names, id) in self.names.iter().zip(ids) {
            let mut found = names.get(id);
            if found.is_none()
                && let Some(rest) = above.iter().find_map(|above| id.strip_prefix(&**above))
            {
                found = names.get(rest);
            }
            match found {
                Some(Some(about)) => return Ok(*about),
                Some(None) => why = "several could be",
                None => {}
            }
        }
        Err(why)
    }
}

fn add(names: &mut UniqueNames, name: String, about: About) {
    if !name.is_empty() {
        let known = names.entry(name).or_insert(Some(about));
        *known = known.filter(|known| *known == about);
    }
}

/// A name unchanged except for the way its parts are joined.
fn with_one_joint(name: &str) -> String {
    name.replace('/', "-")
}

fn folded(name: &str) -> String {
    folded_name(name).replace('/', "_")
}

/// The names of a case called `own`, and of its runs.
fn names_of_case(at: usize, case: &Case, own_name: &str) -> Vec<(String, About)> {
    if own_name.is_empty() {
        return Vec::new();
    }
    let mut runs: BTreeMap<&String, usize> = BTreeMap::new();
    for run in &case.runs {
        *runs.entry(&run.configuration).or_default() += 1;
    }
    let whole_case = About::Case { case: at };
    let mut names = vec![(own_name.to_owned(), whole_case)];
    for (index, run) in case.runs.iter().enumerate() {
        let about = About::Run { case: at, run: index };
        let name = format!("{own_name}/{}", run.configuration);
        names.push((format!("{name}/run-{}", run.number), about));
        names.push((name, if runs[&run.configuration] == 1 { about } else { whole_case }));
    }
    names
}
