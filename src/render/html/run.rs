//! One run: every verdict with its evidence in the open, what it cost, what it produced.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analyze::key;
use crate::model::{Case, Expectation, Grading, Notes, Output, Run};
use crate::render::Task;
use crate::render::html::bounds::{self, Cut};
use crate::render::html::compared;
use crate::render::html::feedback::{RunComment, comments_on, href, name_of};
use crate::render::language::Language;
use crate::render::pages::Site;
use crate::render::preview::markup::Safe;
use crate::render::preview::{self, Preview, Role, Room};
use crate::render::view::{Frame, GradingView, Link, Rate, figures, notes};

#[derive(Serialize)]
struct RunView {
    frame: Frame,
    heading: String,
    path: String,
    compared: Vec<Link>,
    rate: Rate,
    comments: Vec<RunComment>,
    feedback: String,
    prompt: String,
    gradings: Vec<GradingView>,
    /// What is said of rows and texts that were left out.
    cut: Option<String>,
    figures: Vec<[String; 2]>,
    notes: Vec<[String; 2]>,
    /// What the executor wrote in Markdown, as it is read.
    user_notes: Vec<Safe>,
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
        for (at, case) in iteration.cases.iter().enumerate() {
            let line = site.addresses.line(index, at);
            for (number, run) in case.runs.iter().enumerate() {
                let place = RunPlace { iteration: index, line, at, case, number, room };
                page(site, place, run, tasks);
            }
        }
    }
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
            [view.frame.previous, view.frame.next] = steps(site, place, run, &path);
            site.templates.fill("run.html", &path, &view)
        }
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, place: RunPlace<'_>, run: &Run, path: &str) -> RunView {
    let RunPlace { iteration: index, line, at, case, number, room } = place;
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
    let mut gradings = run.gradings.iter().enumerate().map(grading).collect();
    let mut prompt = case.prompt.clone().unwrap_or_default();
    let (user_notes, cut_notes) = user_notes(site, run);
    let cut_texts = usize::from(bounds::keep_text(&mut prompt)) + cut_notes;
    let cut = cut(bounds::keep(&mut gradings), cut_texts, site.language);
    let Shown { outputs, more, transcript } = previews(site, run, path, room);
    let has_document = outputs.iter().chain(&transcript).any(|output| output.is_document);
    let has_frame = outputs.iter().chain(&transcript).any(|output| output.has_frame);
    RunView {
        frame: Frame { has_document, has_frame, ..site.frame(path, &title, &crumbs) },
        heading,
        path: run.path.clone(),
        compared: compared::links_of_run(site, path, (line, index), &run.configuration),
        rate: Rate::of(run.tally(), site.language),
        comments: comments_on(iteration, at, number),
        feedback: href(site, path, index),
        prompt,
        gradings: with_anchors_once(gradings),
        cut,
        figures: figures(&run.metrics, site.part.settings, site.language),
        notes: notes(&Notes { other: Vec::new(), ..run.notes.clone() }, site.language),
        user_notes,
        iteration: iteration.name.clone(),
        run_id: name_of(iteration, at, number),
        outputs,
        more_outputs: more.map(|n| site.language.fill("output.more", &[("n", &n)])),
        transcript,
    }
}

/// What stands in a file of notes beside the run; how many such texts are cut.
fn user_notes(site: Site<'_>, run: &Run) -> (Vec<Safe>, usize) {
    let room = MAX_NOTES / run.notes.other.len().max(1);
    let shown = |text: &String| preview::prose(text, site.language, site.part.source, room);
    let (texts, whole): (Vec<Safe>, Vec<bool>) = run.notes.other.iter().map(shown).unzip();
    (texts, whole.iter().filter(|is_whole| !**is_whole).count())
}

/// What is said where the page does not show all of the gradings, the prompt or the notes.
fn cut(gradings: Cut, others: usize, language: &Language) -> Option<String> {
    let texts = gradings.texts + others;
    let is_whole = gradings.rows + texts == 0;
    (!is_whole).then(|| language.fill("run.cut", &[("rows", &gradings.rows), ("texts", &texts)]))
}

/// Links to the runs before and after this one in its iteration.
fn steps(site: Site<'_>, place: RunPlace<'_>, run: &Run, path: &str) -> [Link; 2] {
    let cases = &site.part.workspace.iterations[place.iteration].cases;
    let (at, runs) = (place.at, site.runs_in_order(place.iteration, place.case));
    let own = runs.iter().position(|other| std::ptr::eq(*other, run)).unwrap_or_default();
    let of = |at: usize, run: &Run| {
        let line = site.addresses.line(place.iteration, at);
        let link = site.run_link(path, place.iteration, line, run);
        Link { text: format!("{}: {}", cases[at].name, link.text), ..link }
    };
    let in_case = |at: usize| site.runs_in_order(place.iteration, &cases[at]);
    let before = own.checked_sub(1).map(|own| of(at, runs[own]));
    let after = runs.get(own + 1).map(|run| of(at, run));
    let earlier = || (0..at).rev().find_map(|at| Some(of(at, in_case(at).last()?)));
    let later = || (at + 1..cases.len()).find_map(|at| Some(of(at, in_case(at).first()?)));
    [before.or_else(earlier), after.or_else(later)].map(Option::unwrap_or_default)
}

/// An expectation met in several gradings has its anchor in the first.
fn with_anchors_once(mut gradings: Vec<GradingView>) -> Vec<GradingView> {
    let mut known = BTreeSet::new();
    for row in gradings.iter_mut().flat_map(|grading| &mut grading.expectations) {
        if !known.insert(row.anchor.clone()) {
            row.anchor.clear();
        }
    }
    gradings
}

/// What is shown of a run's outputs and transcript, within so many bytes.
fn previews(site: Site<'_>, run: &Run, page: &str, room: usize) -> Shown {
    let files = run.outputs.len().min(MAX_OUTPUTS) + usize::from(run.transcript.is_some());
    let place = preview::Place {
        source: site.part.source,
        prefix: site.part.prefix,
        sink: site.sink,
        addresses: site.addresses,
        language: site.language,
        page,
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
