//! What a case asks for, and files of a workspace as a page shows them.

use serde::Serialize;

use crate::discover::names;
use crate::model::{Case, Output, Run};
use crate::preview::markup::Safe;
use crate::preview::{self, Place, Preview, Room};
use crate::render::context::{Page, Site};

/// Bytes of markup that the input files of one case take.
const ROOM: usize = 64 * 1024;

const MAX_INPUTS: usize = 20;

const MAX_INPUT_BYTES: u64 = 8 * 1024 * 1024;

/// Where a page reads and stores files, with so much room to show them.
pub(super) fn place<'p>(page: &'p Page<'_>, room: Room) -> Place<'p> {
    let (source, prefix) = (page.part.source, page.part.prefix);
    Place { source, prefix, sink: page.sink, root: &page.root, language: page.language, room }
}

/// The first of `named` with their content, where the workspace holds them.
fn inputs(page: &Page<'_>, named: Vec<Preview>) -> Vec<Preview> {
    let known = &page.part.workspace.inputs;
    let place = place(page, Room::new(ROOM, named.len().min(MAX_INPUTS)));
    let content = |name: &str| {
        let path = known.get(name)?;
        let full = names::join(place.prefix, path);
        let content = place.source.read(&full, MAX_INPUT_BYTES).ok()?;
        let bytes = content.len() as u64;
        let output = Output { name: name.to_owned(), path: path.clone(), bytes };
        Some(preview::of_content(&output, &content, &place))
    };
    let mut inputs = named;
    for input in inputs.iter_mut().take(MAX_INPUTS) {
        if let Some(shown) = content(&input.name) {
            *input = shown;
        }
    }
    place.room.fit_sources(inputs.iter_mut());
    inputs
}

/// A prompt of more characters or lines is folded.
const LONG: usize = 700;
const LONG_LINES: usize = 6;

#[derive(Serialize)]
pub(super) struct Asked {
    prompt: String,
    is_long: bool,
    expected: String,
    /// The input files; only their names where their content is not shown.
    inputs: Vec<Preview>,
}

impl Asked {
    /// What the first of `cases` that says so asks for: a case as met in several iterations.
    pub(super) fn new<'a>(cases: impl Iterator<Item = &'a Case> + Clone) -> Self {
        let first =
            |field: fn(&Case) -> Option<String>| cases.clone().find_map(field).unwrap_or_default();
        let named = |name: &String| Preview { name: name.clone(), ..Preview::default() };
        let prompt = first(|case| case.prompt.clone());
        Self {
            is_long: prompt.chars().count() > LONG || prompt.lines().count() > LONG_LINES,
            prompt,
            expected: first(|case| case.expected_output.clone()),
            inputs: cases
                .clone()
                .next()
                .into_iter()
                .flat_map(|case| &case.files)
                .map(named)
                .collect(),
        }
    }

    /// The same with the content of the input files, for the page of the case.
    pub(super) fn with_inputs(self, page: &Page<'_>) -> Self {
        Self { inputs: inputs(page, self.inputs), ..self }
    }
}

/// What the executor wrote in Markdown as it is read, within `room` bytes; whether that is all.
pub(super) fn user_notes(site: Site<'_>, run: &Run, room: usize) -> (Vec<Safe>, bool) {
    let room = room / run.notes.other.len().max(1);
    let shown = |text: &String| preview::prose(text, site.language, site.part.source, room);
    let (texts, are_whole): (Vec<Safe>, Vec<bool>) = run.notes.other.iter().map(shown).unzip();
    (texts, !are_whole.contains(&false))
}
