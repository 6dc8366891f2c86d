//! Reads what a run is measured on, and which run of an earlier round counts in its place.

use crate::read::alias::measured;
use crate::read::cursor::Cursor;
use input::model::{Measured, Reuse};

/// Reads `measured.json`.
pub(super) fn read(root: Cursor<'_>) -> Measured {
    let checks = root.get(&measured::CHECKS).map(|_| root.texts(&measured::CHECKS));
    Measured {
        skill: root.label(&measured::SKILL),
        prompt: root.label(&measured::PROMPT),
        files: root.label(&measured::FILES),
        checks,
        model: root.label(&measured::MODEL),
        harness: root.label(&measured::HARNESS),
        grader: root.label(&measured::GRADER),
    }
}

/// Reads `reused.json`; `None` if it names no run.
pub(super) fn read_reuse(root: Cursor<'_>) -> Option<Reuse> {
    Some(Reuse {
        path: root.path(),
        source: root.text(&measured::SOURCE)?,
        measured: root.object(&measured::MEASURED).map(read).unwrap_or_default(),
        grading: root.label(&measured::GRADING),
        ..Reuse::default()
    })
}
