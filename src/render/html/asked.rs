//! What a case asks for: its prompt, its files, the expected output.

use serde::Serialize;

use crate::model::Case;
use crate::preview::Preview;
use crate::render::context::Site;
use crate::render::html::files;

/// A prompt of more characters or lines is folded.
const LONG: usize = 700;
const LONG_LINES: usize = 6;

#[derive(Serialize)]
pub(super) struct Asked {
    prompt: String,
    /// Whether the prompt is folded.
    is_long: bool,
    expected: String,
    /// The input files; only their names where their content is not shown.
    inputs: Vec<Preview>,
}

impl Asked {
    /// What the first of `cases` that says so asks for: a case as met in several iterations.
    pub(super) fn of<'a>(cases: impl Iterator<Item = &'a Case> + Clone) -> Self {
        let first =
            |field: fn(&Case) -> Option<String>| cases.clone().find_map(field).unwrap_or_default();
        let prompt = first(|case| case.prompt.clone());
        Self {
            is_long: prompt.chars().count() > LONG || prompt.lines().count() > LONG_LINES,
            prompt,
            expected: first(|case| case.expected_output.clone()),
            inputs: cases.clone().next().map(names).unwrap_or_default(),
        }
    }

    /// The same with the content of the input files, for the page of the case.
    pub(super) fn with_inputs(self, site: Site<'_>, page: &str) -> Self {
        Self { inputs: files::inputs(site, self.inputs, page), ..self }
    }
}

fn names(case: &Case) -> Vec<Preview> {
    let named = |name: &String| Preview { name: name.clone(), ..Preview::default() };
    case.files.iter().map(named).collect()
}
