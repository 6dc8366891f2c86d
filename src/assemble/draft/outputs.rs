//! Outputs: which run each belongs to.

use crate::assemble::draft::{CaseDraft, Draft, NO_RUN};
use crate::assemble::site;
use crate::discover::{Document, FoundOutput, Section, names};
use crate::model::{Ignored, Output};
use crate::text::natural_order;

impl Draft<'_> {
    /// Takes the outputs of `section`, and the documents that turned out to be outputs.
    pub(in crate::assemble) fn take_outputs(&mut self, section: &Section, foreign: &[&Document]) {
        let mut outputs: Vec<FoundOutput> = section.outputs.clone();
        outputs.extend(foreign.iter().map(|document| FoundOutput {
            file: output_of(document),
            place: document.place.clone(),
        }));
        outputs.sort_by(|a, b| natural_order(&a.file.path, &b.file.path));
        let (own, shared): (Vec<_>, Vec<_>) =
            outputs.into_iter().partition(|output| output.place.run.is_some());
        own.into_iter().chain(shared).for_each(|output| self.put_output(output));
    }

    /// Gives an output to its run: the one its folder names, else the first of the configuration
    /// that has none of its own.
    fn put_output(&mut self, FoundOutput { file, place }: FoundOutput) {
        let case = place.case.clone().unwrap_or_default();
        let cases = self.iterations.entry(place.iteration.clone()).or_default();
        let draft = cases.entry(case).or_default();
        let configuration = place.configuration.clone().or_else(|| only_unnamed(draft));
        let creates = place.configuration.is_some() || place.run.is_some() || place.in_outputs;
        let unnamed = site::unnamed(&place.iteration);
        let configuration = configuration.or_else(|| creates.then(|| unnamed.to_owned()));
        let Some(configuration) = configuration else {
            self.ignored.push(Ignored::file(file.path, NO_RUN));
            return;
        };
        let number = place.run.unwrap_or_else(|| first_without_outputs(draft, &configuration));
        let run = draft.runs.entry((configuration, number)).or_default();
        run.own_outputs |= place.run.is_some();
        if run.path.is_empty() {
            run.path.clone_from(&place.folder);
        }
        run.outputs.push(file);
    }
}

pub(super) fn output_of(document: &Document) -> Output {
    let below = names::below(&document.path, &document.place.folder).unwrap_or(&document.path);
    let name = match below.split_once('/') {
        Some((first, rest)) if names::is_output_folder(first) => rest,
        _ => below,
    };
    Output { name: name.to_owned(), path: document.path.clone(), bytes: document.bytes }
}

fn only_unnamed(draft: &CaseDraft) -> Option<String> {
    let mut names = draft.runs.keys().map(|(name, _)| name);
    let first = names.next()?;
    (site::is_stand_in(first) && names.all(|name| name == first)).then(|| first.clone())
}

fn first_without_outputs(draft: &CaseDraft, configuration: &str) -> u32 {
    let mut runs = draft.runs.iter().filter(|((name, _), _)| name == configuration);
    let free = runs.clone().find(|(_, run)| !run.own_outputs);
    free.or_else(|| runs.next()).map_or(1, |((_, number), _)| *number)
}
