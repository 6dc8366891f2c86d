//! One run: every verdict with its evidence in the open, what it cost, what it produced.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::analyze::key;
use crate::model::{Case, Expectation, Grading, Notes, Output, Run};
use crate::preview::markup::Safe;
use crate::preview::{self, Preview, Role, Room, Store};
use crate::render::context::{
    Frame, Link, Rate, Rows, Site, Task, link,
    view::{GradingView, figures, notes},
};
use crate::render::html::compared;
use crate::render::html::feedback::{RunComment, comments_on, href};

#[derive(Serialize)]
struct RunView {
    frame: Frame,
    heading: String,
    path: String,
    compared: Vec<Link>,
    rate: Rate,
    comments: Rows<RunComment>,
    feedback: String,
    prompt: String,
    gradings: Vec<GradingView>,
    figures: Vec<[String; 2]>,
    notes: Vec<[String; 2]>,
    /// What the executor wrote in Markdown, as it is read.
    user_notes: Vec<Safe>,
    /// Whether only the beginning of it is shown.
    are_notes_cut: bool,
    outputs: Vec<Preview>,
    /// What is said of the outputs beyond those.
    more_outputs: Option<String>,
    transcript: Option<Preview>,
    iteration: String,
    run_id: String,
}

/// Bytes of markup that notes in Markdown take on a page.
const MAX_NOTES: usize = 32 * 1024;

/// Outputs of one run that are stored and shown.
const MAX_OUTPUTS: usize = 300;

/// Adds the page of every run.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let cases = site.part.workspace.iterations.iter().flat_map(|iteration| &iteration.cases);
    let room = preview::bytes_per_page(cases.map(|case| case.runs.len()).sum());
    for (index, iteration) in site.part.workspace.iterations.iter().enumerate() {
        let mut steps = steps(site, index);
        for (at, case) in iteration.cases.iter().enumerate() {
            let line = site.addresses.line(index, at);
            for (number, run) in case.runs.iter().enumerate() {
                let steps = steps.remove(&(at, number)).unwrap_or_default();
                let place = RunPlace { iteration: index, line, at, case, number, room, steps };
                page(site, place, run, tasks);
            }
        }
    }
}

/// A run by the indices of its case in the iteration and of itself in the case.
type RunAt = (usize, usize);

/// The runs before and after each run of an iteration, as its pages show them.
fn steps(site: Site<'_>, iteration: usize) -> BTreeMap<RunAt, [Option<RunAt>; 2]> {
    let cases = site.part.workspace.iterations[iteration].cases.iter().enumerate();
    let in_case = |(at, case)| {
        let order = site.run_order(iteration, case);
        order.into_iter().map(move |run| (at, run))
    };
    let all: Vec<RunAt> = cases.flat_map(in_case).collect();
    let beside = |(at, run): (usize, &RunAt)| {
        let before = at.checked_sub(1).and_then(|at| all.get(at));
        (*run, [before, all.get(at + 1)].map(Option::<&RunAt>::copied))
    };
    all.iter().enumerate().map(beside).collect()
}

/// Where a run stands.
#[derive(Clone, Copy)]
struct RunPlace<'a> {
    iteration: usize,
    line: usize,
    /// Index of the case in the iteration.
    at: usize,
    case: &'a Case,
    /// Index of the run in the case.
    number: usize,
    /// Bytes that the previews of its page may take.
    room: usize,
    /// The runs before and after it.
    steps: [Option<RunAt>; 2],
}

/// What is shown of the files of a run.
struct Shown {
    outputs: Vec<Preview>,
    more: Option<usize>,
    transcript: Option<Preview>,
}

fn page<'a>(site: Site<'a>, place: RunPlace<'a>, run: &'a Run, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.run(place.iteration, place.line, run);
    let render = {
        let path = path.clone();
        move || {
            let mut view = view(site, place, run, &path);
            [view.frame.previous, view.frame.next] =
                place.steps.map(|to| step(site, place, to, &path));
            site.templates.fill("run.html", &path, &view)
        }
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, place: RunPlace<'_>, run: &Run, path: &str) -> RunView {
    let RunPlace { iteration: index, line, at, case, number, room, .. } = place;
    let iteration = &site.part.workspace.iterations[index];
    let crumbs = [
        (site.addresses.overview(), site.title()),
        (site.addresses.iteration(index), iteration.name.as_str()),
        (site.addresses.case(line), case.name.as_str()),
    ];
    let title = site.run_name(run);
    let heading = site.language.fill("run.heading", &[("case", &case.name), ("run", &title)]);
    let anchor = |found: &Expectation| site.addresses.expectation(line, &key(found));
    let grading =
        |(at, found): (usize, &Grading)| GradingView::of(found, at == 0, site.language, anchor);
    let gradings = run.gradings.iter().enumerate().map(grading).collect();
    let (user_notes, are_whole) = user_notes(site, run);
    let Shown { outputs, more, transcript } = previews(site, run, path, room);
    let has_document = outputs.iter().chain(&transcript).any(|output| output.is_document);
    let has_frame = outputs.iter().chain(&transcript).any(|output| output.has_frame);
    RunView {
        frame: Frame { has_document, has_frame, ..site.frame(path, &title, &crumbs) },
        heading,
        path: run.path.clone(),
        compared: compared::links_of_run(site, path, (line, index), &run.configuration),
        rate: Rate::of(run.tally(), site.language),
        comments: comments_on(site, index, (at, number)),
        feedback: href(site, path, index),
        prompt: case.prompt.clone().unwrap_or_default(),
        gradings: with_anchors_once(gradings),
        figures: figures(&run.metrics, site.part.settings, site.language),
        notes: notes(&Notes { other: Vec::new(), ..run.notes.clone() }, site.language),
        user_notes,
        are_notes_cut: !are_whole,
        iteration: iteration.name.clone(),
        run_id: site.reviews[index].name_of(at, number),
        outputs,
        more_outputs: more.map(|n| site.language.fill("output.more", &[("n", &n)])),
        transcript,
    }
}

/// What stands in files of notes beside the run; whether all of it is shown.
fn user_notes(site: Site<'_>, run: &Run) -> (Vec<Safe>, bool) {
    let room = MAX_NOTES / run.notes.other.len().max(1);
    let shown = |text: &String| preview::prose(text, site.language, site.part.source, room);
    let (texts, are_whole): (Vec<Safe>, Vec<bool>) = run.notes.other.iter().map(shown).unzip();
    (texts, !are_whole.contains(&false))
}

/// A link to the run beside; no address where there is none.
fn step(site: Site<'_>, place: RunPlace<'_>, to: Option<RunAt>, path: &str) -> Link {
    let Some((at, run)) = to else { return Link::default() };
    let case = &site.part.workspace.iterations[place.iteration].cases[at];
    let line = site.addresses.line(place.iteration, at);
    let link = site.run_link(path, place.iteration, line, &case.runs[run]);
    Link { text: format!("{}: {}", case.name, link.text), ..link }
}

/// An expectation met in several gradings has its anchor in the first.
fn with_anchors_once(mut gradings: Vec<GradingView>) -> Vec<GradingView> {
    let mut known = BTreeSet::new();
    for row in gradings.iter_mut().flat_map(|grading| grading.expectations.iter_mut()) {
        if !known.insert(row.anchor.clone()) {
            row.anchor.clear();
        }
    }
    gradings
}

/// What is shown of a run's outputs and transcript, within so many bytes.
fn previews(site: Site<'_>, run: &Run, page: &str, room: usize) -> Shown {
    let files = run.outputs.len().min(MAX_OUTPUTS) + usize::from(run.transcript.is_some());
    let address = |hash: &str, extension: &str| site.addresses.file(hash, extension);
    let relative = |to: &str| link(page, to);
    let (sink, language) = (site.sink, site.language);
    let store = Store { sink, address: &address, link: &relative, language, path: "" };
    let place = preview::Place {
        source: site.part.source,
        prefix: site.part.prefix,
        store,
        room: Room::new(room, files),
    };
    let output = |it: &Output| preview::of(it, Role::Output, &place);
    let mut outputs: Vec<Preview> = run.outputs.iter().take(MAX_OUTPUTS).map(output).collect();
    let transcript = run.transcript.as_ref();
    let mut transcript = transcript.map(|it| preview::of(it, Role::Transcript, &place));
    place.room.fit_sources(outputs.iter_mut().chain(&mut transcript));
    let more = run.outputs.len().checked_sub(MAX_OUTPUTS).filter(|more| *more > 0);
    Shown { outputs, more, transcript }
}
