//! Where comments can be written, and the files they are stored in.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::Reviews;
use crate::render::context::{Part, PartAddresses, addresses};
use input::model::{About, Iteration};
use input::names;
use text::folded_name;

/// A part of the report where a comment is written, or a review finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentTarget {
    /// The page of a run, or the section of the feedback page about an iteration.
    pub address: String,
    /// Index of the workspace in the report.
    pub part: usize,
    /// The feedback file, relative to the workspace.
    pub file: String,
    /// The file of judgements, relative to the workspace.
    pub comparison_file: String,
    /// The names of the run in that file, with the one for a new review first; empty for an
    /// iteration.
    pub names: Vec<String>,
    /// Whether any spelling of a name matches; not if another run's name differs only in spelling.
    pub folds: bool,
}

/// All comment targets in the report of `parts`.
pub fn comment_targets(parts: &[Part<'_>]) -> Vec<CommentTarget> {
    let addresses = addresses(parts);
    let mut targets = Vec::new();
    for (part, addresses) in addresses.iter().enumerate() {
        let page = addresses.report_file("feedback.html");
        for (at, iteration) in parts[part].workspace.iterations.iter().enumerate() {
            targets.push(CommentTarget {
                address: format!("{page}#{}", addresses.feedback_anchor(at)),
                part,
                file: file(iteration),
                comparison_file: comparison_file(iteration),
                names: Vec::new(),
                folds: false,
            });
            let mut runs = runs(addresses, part, at, iteration);
            require_exact_names(&mut runs);
            targets.append(&mut runs);
        }
    }
    targets
}

/// The page folder of each of `parts`, ending in `/`; empty for a single one.
pub fn folders(parts: &[Part<'_>]) -> Vec<String> {
    addresses(parts).iter().map(|addresses| addresses.report_file("")).collect()
}

fn runs(
    addresses: &PartAddresses,
    part: usize,
    at: usize,
    iteration: &Iteration,
) -> Vec<CommentTarget> {
    let reviews = Reviews::new(iteration);
    // The last file with a review of each run.
    let mut files = BTreeMap::new();
    for file in &iteration.feedback {
        files.extend(file.reviews.iter().map(|review| (review.about, file.path.clone())));
    }
    let mut targets = Vec::new();
    for (index, case) in iteration.cases.iter().enumerate() {
        let case_index = addresses.case_index(at, index);
        for (number, run) in case.runs.iter().enumerate() {
            let about = About::Run { case: index, run: number };
            let mut names = vec![reviews.run_name(index, number)];
            names.extend(reviews.on_run(index, number).map(|review| review.run_id.clone()));
            let address = addresses.run(at, case_index, run);
            let file = files.get(&about).cloned().unwrap_or_else(|| file(iteration));
            let comparison_file = comparison_file(iteration);
            targets.push(CommentTarget {
                address,
                part,
                file,
                comparison_file,
                names,
                folds: true,
            });
        }
    }
    targets
}

/// Marks runs of an iteration whose names differ only in spelling.
fn require_exact_names(runs: &mut [CommentTarget]) {
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut shared = BTreeSet::new();
    for (at, run) in runs.iter().enumerate() {
        for name in &run.names {
            // Viewers write the path of a run with `-`, `_` or `/` between its folders.
            let folded = folded_name(name).replace('/', "_");
            let owner = *first.entry(folded).or_insert(at);
            if owner != at {
                shared.extend([owner, at]);
            }
        }
    }
    for at in shared {
        runs[at].folds = false;
    }
}

/// The first feedback file of the iteration, else a new one.
fn file(iteration: &Iteration) -> String {
    if let Some(feedback) = iteration.feedback.first() {
        return feedback.path.clone();
    }
    names::join(&iteration.path, "feedback.json")
}

fn comparison_file(iteration: &Iteration) -> String {
    names::join(&iteration.path, "comparison-human.json")
}
