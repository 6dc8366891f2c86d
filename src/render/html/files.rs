//! What a case asks for, and files of a workspace as a page shows them.

use serde_json::{Value, json};

use crate::discover::names;
use crate::model::{Case, Output, Run};
use crate::preview::markup::Safe;
use crate::preview::{self, Preview, PreviewBudget, PreviewContext};
use crate::render::context::{Page, Site};

/// Bytes of markup that the input files of one case take.
const ROOM: usize = 64 * 1024;

const MAX_INPUTS: usize = 20;

const MAX_INPUT_BYTES: u64 = 8 * 1024 * 1024;

/// Where a page reads and stores files, with so much room to show them.
pub(super) fn place<'p>(page: &'p Page<'_>, budget: PreviewBudget) -> PreviewContext<'p> {
    let (source, prefix) = (page.part.source, page.part.prefix);
    PreviewContext {
        source,
        prefix,
        sink: page.sink,
        root: &page.root,
        language: page.language,
        budget,
    }
}

/// A prompt of more characters or lines is folded.
const LONG: usize = 700;
const LONG_LINES: usize = 6;

/// What the first of `cases` that says so asks for: a case as met in several iterations. The input
/// files have their content on the `page` of the case, elsewhere only their names.
pub(super) fn asked<'a>(
    cases: impl Iterator<Item = &'a Case> + Clone,
    page: Option<&Page<'_>>,
) -> Value {
    let prompt = cases.clone().find_map(|case| case.prompt.as_deref()).unwrap_or_default();
    let named = |name: &String| Preview { name: name.clone(), ..Preview::default() };
    let files = cases.clone().next().into_iter().flat_map(|case| &case.files);
    let mut inputs: Vec<Preview> = files.map(named).collect();
    if let Some(page) = page {
        let place = place(page, PreviewBudget::new(ROOM, inputs.len().min(MAX_INPUTS)));
        for input in inputs.iter_mut().take(MAX_INPUTS) {
            let Some(path) = page.part.workspace.inputs.get(&input.name) else { continue };
            let full = names::join(place.prefix, path);
            let Ok(content) = place.source.read(&full, MAX_INPUT_BYTES) else { continue };
            let (name, bytes) = (input.name.clone(), content.len() as u64);
            *input = preview::show_content(
                &Output { name, path: path.clone(), bytes },
                &content,
                &place,
            );
        }
        place.budget.fit_sources(inputs.iter_mut());
    }
    json!({
        "is_long": prompt.chars().count() > LONG || prompt.lines().count() > LONG_LINES,
        "prompt": prompt,
        "expected": cases.clone().find_map(|case| case.expected_output.as_deref()),
        "inputs": inputs,
    })
}

/// What the executor wrote in Markdown as it is read, within `room` bytes; whether that is all.
pub(super) fn user_notes(site: Site<'_>, run: &Run, room: usize) -> (Vec<Safe>, bool) {
    let room = room / run.notes.other.len().max(1);
    let shown = |text: &String| preview::prose(text, site.language, site.part.source, room);
    let (texts, are_whole): (Vec<Safe>, Vec<bool>) = run.notes.other.iter().map(shown).unzip();
    (texts, !are_whole.contains(&false))
}
