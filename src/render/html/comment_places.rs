//! Where comments can be written, and which file they belong to.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::Reviews;
use crate::model::{About, Iteration};
use crate::render::context::{Part, PartAddresses, addresses};
use crate::text::folded_name;

/// A place of the report where a comment is written, or a review ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reviewed {
    /// The page of a run, or the part of the page of comments that is about an iteration.
    pub place: String,
    /// The workspace, by its place among those of the report.
    pub part: usize,
    /// The file of feedback, below the workspace.
    pub file: String,
    /// The names of the run in that file, the one for a new review first; none of an iteration.
    pub names: Vec<String>,
    /// Whether they mean it in any spelling; not where another run's differ in nothing else.
    pub folds: bool,
}

/// Every place of the report of `parts` where something is reviewed.
pub fn reviewed(parts: &[Part<'_>]) -> Vec<Reviewed> {
    let addresses = addresses(parts);
    let mut found = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let addresses = &addresses[index];
        for (at, iteration) in part.workspace.iterations.iter().enumerate() {
            let page = addresses.report_file("feedback.html");
            let place = format!("{page}#{}", addresses.feedback_anchor(at));
            let file = file(iteration);
            found.push(Reviewed { place, part: index, file, names: Vec::new(), folds: false });
            let mut runs = runs(addresses, (index, at), iteration);
            tell_apart(&mut runs);
            found.append(&mut runs);
        }
    }
    found
}

/// The folder of the pages of each of `parts`, ending in `/`; empty where there is one.
pub fn folders(parts: &[Part<'_>]) -> Vec<String> {
    addresses(parts).iter().map(|addresses| addresses.report_file("")).collect()
}

fn runs(
    addresses: &PartAddresses,
    (part, at): (usize, usize),
    iteration: &Iteration,
) -> Vec<Reviewed> {
    let reviews = Reviews::new(iteration);
    // The last file that says something of each run.
    let mut files = BTreeMap::new();
    for file in &iteration.feedback {
        files.extend(file.reviews.iter().map(|review| (review.about, file.path.clone())));
    }
    let mut found = Vec::new();
    for (index, case) in iteration.cases.iter().enumerate() {
        let line = addresses.line(at, index);
        for (number, run) in case.runs.iter().enumerate() {
            let about = About::Run { case: index, run: number };
            let mut names = vec![reviews.run_name(index, number)];
            names.extend(reviews.on_run(index, number).map(|review| review.run_id.clone()));
            let place = addresses.run(at, line, run);
            let file = files.get(&about).cloned().unwrap_or_else(|| file(iteration));
            found.push(Reviewed { place, part, file, names, folds: true });
        }
    }
    found
}

/// Finds the runs of an iteration that have a name which is another's but for its spelling.
fn tell_apart(runs: &mut [Reviewed]) {
    let folded = |name: &String| folded_name(name).replace('/', "_");
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut shared = BTreeSet::new();
    for (at, run) in runs.iter().enumerate() {
        for name in run.names.iter().map(folded) {
            let owner = *first.entry(name).or_insert(at);
            if owner != at {
                shared.extend([owner, at]);
            }
        }
    }
    for at in shared {
        runs[at].folds = false;
    }
}

/// The first file of the iteration, else one of its own.
fn file(iteration: &Iteration) -> String {
    match (iteration.feedback.first(), iteration.path.as_str()) {
        (Some(feedback), _) => feedback.path.clone(),
        (None, "") => "feedback.json".to_owned(),
        (None, folder) => format!("{folder}/feedback.json"),
    }
}
