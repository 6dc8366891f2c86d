//! `evalbook check --format github`: problems and losses where they stand in the repository.

use std::path::{Path, PathBuf};

use crate::analyze::{Analysis, Change, Flip, FlipKind, between};
use crate::cli::check::Lines;
use crate::cli::workspaces::Opened;
use crate::gate;
use crate::model::{Expectation, Outcome, Place, Run};
use crate::render::annotations::{Annotations, Loss, Spot};
use crate::render::pull_request;

/// Annotations for `opened`: what regressed in the newest iteration, then every problem.
pub(super) fn text(opened: &[Opened]) -> String {
    let here = Path::new(".").canonicalize().unwrap_or_default();
    let mut annotations = Annotations::default();
    for workspace in opened {
        losses(workspace, &here, &mut annotations);
    }
    for workspace in opened {
        for problem in &workspace.workspace.problems {
            let spot = Spot { file: file(workspace, &problem.path, &here), place: problem.place };
            annotations.problem(problem, &spot);
        }
    }
    annotations.into_text()
}

/// Adds what regressed in the newest iteration against what it is held against.
fn losses(opened: &Opened, here: &Path, annotations: &mut Annotations) {
    let analysis = opened.analysis();
    let Some(change) = pull_request::earlier(&analysis) else { return };
    let workspace = &opened.workspace;
    let [before, after] = [&change.before, &change.after].map(|side| {
        format!("{} {}", workspace.iterations[side.iteration].name, side.configuration)
    });
    let mut lines = Lines::new(opened);
    let flips = between(workspace, &analysis.lines, &change.before, &change.after);
    for flip in flips.iter().filter(|flip| flip.kind == FlipKind::Regressed) {
        let line = &analysis.lines[flip.line];
        let found = failing(opened, &analysis, change, flip);
        let loss = Loss {
            flip,
            line,
            sides: [&before, &after],
            evidence: found.and_then(|(_, expectation)| expectation.evidence.as_deref()),
            known: gate::known_issue(&opened.settings, line, flip),
        };
        let spot = found.and_then(|(run, _)| run.grading()).map(|grading| Spot {
            file: file(opened, &grading.path, here),
            place: place(flip.text, &grading.path, &mut lines),
        });
        annotations.loss(loss, &spot.unwrap_or_default());
    }
}

/// The first run of the later side that failed the expectation, with its verdict.
fn failing<'o>(
    opened: &'o Opened,
    analysis: &Analysis,
    change: &Change,
    flip: &Flip,
) -> Option<(&'o Run, &'o Expectation)> {
    let after = &change.after;
    let appearance = analysis.lines[flip.line].appearance(after.iteration)?;
    let case = &opened.workspace.iterations[after.iteration].cases[appearance.case];
    let runs = case.runs.iter().filter(|run| run.configuration == after.configuration);
    let is_meant = |expectation: &&Expectation| {
        expectation.outcome == Outcome::Failed && expectation.text == flip.text
    };
    runs.filter_map(|run| Some((run, run.expectations().iter().find(is_meant)?))).next()
}

/// Where a document states `text`: the first line that holds it as JSON writes it.
fn place(text: &str, path: &str, lines: &mut Lines<'_>) -> Option<Place> {
    let quoted = serde_json::to_string(text).ok()?;
    lines.find(path, quoted.trim_matches('"'))
}

/// A file of the workspace as the repository knows it; `None` outside the current folder, and where
/// its name holds something that must not be shown.
fn file(opened: &Opened, path: &str, here: &Path) -> Option<String> {
    let below = opened.path(path);
    if opened.disk.guard().in_source(&below) != below {
        return None;
    }
    let place: PathBuf = opened.locate(path);
    let names = place.strip_prefix(here).ok()?.iter();
    let names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    (!names.is_empty()).then(|| names.join("/"))
}
