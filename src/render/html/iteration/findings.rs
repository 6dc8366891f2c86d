//! Findings in the runs of an iteration: whether they loaded the skill, what they make again and
//! again, and notes, each linked to its subject.

use serde_json::{Value, json};

use crate::analyze::{ConfigurationSummary, FileCopy};
use crate::budget::SHORT_LIST;
use crate::model::{Loading, LoadingState, Run};
use crate::render::context::{Link, Page, Rows};
use crate::wording::notes::{NotePlace, write_notes};
use crate::wording::{loading, repeats};

pub(super) fn loaded(page: &Page<'_>, index: usize) -> Rows<Value> {
    let configurations = &page.part.analysis.iterations[index].configurations;
    let with_known_loads = configurations.iter().filter(|summary| summary.loads.known() > 0);
    let configuration = |ConfigurationSummary { name, loads, .. }: &ConfigurationSummary| {
        let is_listed = |run: &Run| {
            let is_idle = run.loading.state == LoadingState::NotLoaded || run.loading.idle;
            is_idle && run.configuration == *name
        };
        let mut runs = Vec::new();
        for (at, case) in page.part.workspace.iterations[index].cases.iter().enumerate() {
            let listed = case.runs.iter().enumerate().filter(|(_, run)| is_listed(run));
            runs.extend(listed.map(|(number, run)| ((at, number), &run.loading)));
        }
        let link = |(place, loading): &((usize, usize), &Loading)| {
            (page.run_of_case(index, *place), loading::state(loading, page.language))
        };
        let is_candidate = page.part.analysis.iterations[index].roles.candidates.contains(name);
        let diluted = loading::diluted(loads, page.language).filter(|_| is_candidate);
        let remarks = loading::remarks(loads, page.language);
        json!({
            "name": name,
            "counts": loading::counts(loads, page.language),
            "remarks": diluted.into_iter().chain(remarks).collect::<Vec<_>>(),
            "more": runs.len().saturating_sub(SHORT_LIST),
            "runs": runs.iter().take(SHORT_LIST).map(link).collect::<Vec<_>>(),
        })
    };
    with_known_loads.map(configuration).collect()
}

pub(super) fn noted(page: &Page<'_>, index: usize) -> Vec<Value> {
    let iteration = &page.part.workspace.iterations[index];
    let notes = write_notes(iteration, &page.part.analysis.iterations[index], page.language);
    let line = |case: usize| page.addresses.line(index, case);
    let address = |place: &NotePlace<'_>| match place {
        NotePlace::Case(case) => page.case_link(line(*case)).href,
        NotePlace::Run(at) => page.run_of_case(index, (at.case, at.run)).href,
        NotePlace::Statement(statement) => {
            let anchor = page.addresses.expectation(line(statement.case), &statement.key);
            format!("{}#{anchor}", page.to_file("expectations.html"))
        }
    };
    let mut noted = Vec::new();
    for note in notes {
        let evidence = note.places.iter().zip(note.evidence);
        let evidence = evidence.map(|(place, text)| Link::new(address(place), text));
        noted.push(json!({
            "sentence": note.sentence,
            "evidence": evidence.collect::<Vec<_>>(),
            "more": note.more,
        }));
    }
    noted
}

/// The repeats in the iteration at `index`; empty for any but the newest.
pub(crate) fn repeats_view(page: &Page<'_>, index: usize) -> Value {
    let Some(repeats) = page.part.repeats().filter(|repeats| repeats.index == index) else {
        return json!({});
    };
    let copy = |copy: &FileCopy| {
        let link = page.run_of_case(index, (copy.case, copy.run));
        let Some(output) = &copy.output else { return link };
        let case = &page.part.workspace.iterations[index].cases[copy.case];
        Link { text: format!("{}: {}", case.name, output.name), ..link }
    };
    let made = repeats.made.iter().map(|made| {
        json!({
            "sentence": repeats::sentence(made, repeats, page.language),
            "copies": made.copies.iter().take(SHORT_LIST).map(copy).collect::<Vec<_>>(),
            "more": made.copies.len().saturating_sub(SHORT_LIST),
        })
    });
    let files = repeats.unopened.iter().take(SHORT_LIST).map(|file| &file.name);
    json!({
        "made": made.collect::<Vec<_>>(),
        "unopened": repeats::unopened(repeats, page.language),
        "files": files.collect::<Vec<_>>(),
        "more": repeats.unopened.len().saturating_sub(SHORT_LIST),
    })
}
