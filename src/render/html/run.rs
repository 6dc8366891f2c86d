//! One run: every verdict with its evidence in the open, what it cost, what it produced.

use serde_json::{Value, json};

use crate::analyze::{CheckAt, key};
use crate::language::Language;
use crate::model::{Expectation, Grading, Output, Run};
use crate::preview::{self, Preview, Role, Room};
use crate::render::context::{
    Anchors, Frame, Link, Page, Rate, Site, Task,
    view::{GradingView, figures, notes},
};
use crate::render::html::compared;
use crate::render::html::feedback::{comments_on, href};
use crate::render::html::files::{Asked, place, user_notes};
use crate::render::text::{loading, quotes};

/// Bytes of markup that notes in Markdown take on a page.
const MAX_NOTES: usize = 32 * 1024;

/// Outputs of one run that are stored and shown.
const MAX_OUTPUTS: usize = 300;

pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let iterations = &site.part.workspace.iterations;
    let room =
        preview::bytes_per_page(iterations.iter().map(|iteration| iteration.runs().count()).sum());
    for (index, iteration) in iterations.iter().enumerate() {
        let mut all = Vec::new();
        for (case, found) in iteration.cases.iter().enumerate() {
            let order = site.standings[index].run_order(found);
            all.extend(order.into_iter().map(|run| (case, run)));
        }
        for (at, place @ (case, run)) in all.iter().copied().enumerate() {
            let before = at.checked_sub(1).map(|at| all[at]);
            let steps = [before, all.get(at + 1).copied()];
            let run = &iteration.cases[case].runs[run];
            let path = site.addresses.run(index, site.addresses.line(index, case), run);
            let view = move |page: &Page<'_>| view(page, (index, place), steps, room);
            tasks.push(site.page("run.html", path, view));
        }
    }
}

/// A run by the indices of its case in the iteration and of itself in the case.
type RunAt = (usize, usize);

/// The page of a run of an iteration, with the runs before and after it.
fn view(
    page: &Page<'_>,
    (index, place): (usize, RunAt),
    steps: [Option<RunAt>; 2],
    room: usize,
) -> Value {
    let iteration = &page.part.workspace.iterations[index];
    let (case, line) = (&iteration.cases[place.0], page.addresses.line(index, place.0));
    let run = &case.runs[place.1];
    let title = page.run_name(run);
    let frame = page.frame(&title, Some(index));
    let case_link = Link::new(page.link(&page.addresses.case(line)), &case.name);
    let crumbs = vec![frame.brand.clone(), page.iteration_link(index), case_link];
    let heading = page.language.fill("run.heading", &[("case", &case.name), ("run", &title)]);
    let [previous, next] =
        steps.map(|to| to.map(|to| page.run_of_case(index, to)).unwrap_or_default());
    let mut anchors = Anchors::default();
    let grading = |(grading, found): (usize, &Grading)| {
        let remarks = |check| {
            let at = CheckAt { iteration: index, case: place.0, run: place.1, grading, check };
            quotes::remarks(page.part.quotes().of_check(&at), page.language)
        };
        let anchor =
            |found: &Expectation| anchors.take(page.addresses.expectation(line, &key(found)));
        GradingView::new(found, grading == 0, page.language, anchor, remarks)
    };
    let gradings: Vec<GradingView> = run.gradings.iter().enumerate().map(grading).collect();
    let figures = figures(&run.metrics, page.part.settings, page.language);
    let own = notes(&run.notes, page.language);
    let mut notes: Vec<[String; 2]> = Vec::new();
    for note in gradings.iter().flat_map(|grading| grading.notes.clone()).chain(own) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let (user_notes, are_whole) = user_notes(page.site, run, MAX_NOTES);
    let (outputs, transcript) = previews(page, run, room);

    let mut shown = outputs.iter().chain(&transcript);
    let has_document = shown.clone().any(|output| output.is_document);
    let has_frame = shown.any(|output| output.has_frame);
    json!({
        "frame": Frame { has_document, has_frame, crumbs, previous, next, ..frame },
        "heading": heading,
        "path": run.path,
        "compared": compared::links_of_run(page, (line, index), &run.configuration),
        "rate": Rate::new(run.tally(), page.language),
        "comments": comments_on(page.site, index, place),
        "feedback": href(page, index),
        "asked": Asked::new([case].into_iter()),
        "gradings": gradings,
        "cost": time_and_tokens(&figures, page.language),
        "figures": figures,
        "loading": loading_view(page.site, run),
        "notes": notes,
        "user_notes": user_notes,
        "are_notes_cut": !are_whole,
        "iteration": iteration.name,
        "run_id": page.reviews[index].name_of(place.0, place.1),
        "outputs": outputs,
        "more_outputs": page.language.beyond("output.more", run.outputs.len(), MAX_OUTPUTS),
        "transcript": transcript,
    })
}

/// Whether the run loaded the skill; `None` where nothing is known.
fn loading_view(site: Site<'_>, run: &Run) -> Option<Value> {
    let (found, language) = (&run.loading, site.language);
    let transcript = run.transcript.as_ref().map(|transcript| transcript.path.as_str());
    let is_shown = found.file.is_some() && found.file.as_deref() == transcript;
    let mut remarks = Vec::new();
    for (key, applies) in [("loading.run_idle", found.idle), ("loading.run_used", found.used)] {
        remarks.extend(applies.then(|| language.text(key).to_owned()));
    }
    if !found.other_skills.is_empty() {
        let others = found.other_skills.join(language.text("list.comma"));
        remarks.push(language.fill("loading.others", &[("skills", &others)]));
    }
    let is_known = found.had_skill().is_some() || found.used || !found.other_skills.is_empty();
    is_known.then(|| {
        json!({
            "state": loading::state(found, language),
            "place": Link::new(
                if is_shown { "#transcript" } else { "" },
                loading::place(found, language),
            ),
            "remarks": remarks,
        })
    })
}

/// `time 3 min 02 s, tokens 45 833`, of the figures that are there.
fn time_and_tokens(figures: &[[String; 2]], language: &Language) -> String {
    let wanted = ["cost.time", "cost.tokens"].map(|key| language.text(key));
    let found = figures.iter().filter(|[name, _]| wanted.contains(&name.as_str()));
    found.map(|row| row.join(" ")).collect::<Vec<_>>().join(language.text("list.comma"))
}

fn previews(page: &Page<'_>, run: &Run, room: usize) -> (Vec<Preview>, Option<Preview>) {
    let files = run.outputs.len().min(MAX_OUTPUTS) + usize::from(run.transcript.is_some());
    let place = place(page, Room::new(room, files));
    let show = |output: &Output, role: Role| preview::store_and_show(output, role, &place);
    let outputs = run.outputs.iter().take(MAX_OUTPUTS);
    let mut outputs: Vec<Preview> = outputs.map(|output| show(output, Role::Output)).collect();
    let mut transcript = run.transcript.as_ref().map(|file| show(file, Role::Transcript));
    place.room.fit_sources(outputs.iter_mut().chain(&mut transcript));
    (outputs, transcript)
}
