//! The task of a case, and the display of workspace files on a page.

use crate::budget::{INPUT_BYTES, INPUT_FILES, INPUTS, NOTES};
use crate::preview::evidence::Quotations;
use crate::preview::{self, Preview, PreviewContext, PreviewRoom};
use crate::render::context::{Page, RenderContext, View, view};
use input::model::{Case, Output, Run};
use input::names;

/// Where a page reads and stores files, and how much of them it shows.
pub(super) fn preview_context<'p>(page: &'p Page<'_>, budget: PreviewRoom) -> PreviewContext<'p> {
    PreviewContext {
        source: page.part.source,
        prefix: page.part.prefix,
        sink: page.context.sink,
        root: &page.root,
        language: page.language,
        budget,
        quotations: Quotations::default(),
    }
}

/// A prompt with more characters or lines is folded.
const LONG: usize = 700;
const LONG_LINES: usize = 6;

/// One with more characters is folded on a phone, where it would take more than two lines.
const TWO_LINES: usize = 80;

/// The task of a case, from the newest of `cases` that records it: runners often write the prompt
/// down once. Input files have their content on the `page` of the case, elsewhere only their names.
pub(super) fn task_view(cases: &[&Case], page: Option<&Page<'_>>) -> View {
    let prompt = cases.iter().find_map(|case| case.prompt.as_deref()).unwrap_or_default();
    let mut inputs = Vec::new();
    for name in cases.first().map_or(&[][..], |case| &case.files) {
        inputs.push(Preview { name: name.clone(), ..Preview::default() });
    }
    if let Some(page) = page {
        show_inputs(page, &mut inputs);
    }
    view!({
        "is_long": prompt.chars().count() > LONG || prompt.lines().count() > LONG_LINES,
        "is_short": prompt.chars().count() <= TWO_LINES && prompt.lines().count() <= 2,
        "prompt": prompt,
        "expected": cases.iter().find_map(|case| case.expected_output.as_deref()),
        "inputs": inputs,
    })
}

/// Adds the content of the first inputs that are in the workspace.
fn show_inputs(page: &Page<'_>, inputs: &mut [Preview]) {
    let budget = PreviewRoom::new(INPUTS, inputs.len().min(INPUT_FILES));
    let context = preview_context(page, budget);
    for input in inputs.iter_mut().take(INPUT_FILES) {
        let Some(path) = page.part.workspace.inputs.get(&input.name) else { continue };
        let full = names::join(context.prefix, path);
        let Ok(content) = context.source.read(&full, INPUT_BYTES) else { continue };
        let (name, bytes) = (input.name.clone(), content.len() as u64);
        let output = Output { name, path: path.clone(), bytes };
        *input = preview::show_content(&output, &content, &context);
    }
    context.budget.fit_sources(inputs.iter_mut());
}

/// The agent's notes in Markdown, as far as they fit; and whether they are complete.
pub(super) fn user_notes(context: RenderContext<'_>, run: &Run) -> (Vec<View>, bool) {
    let room = NOTES / run.notes.other.len().max(1);
    let mut are_whole = true;
    let mut notes = Vec::new();
    for text in &run.notes.other {
        let (html, is_whole) = preview::prose(text, context.language, room);
        are_whole &= is_whole;
        notes.push(view!({ "html": html }));
    }
    (notes, are_whole)
}
