//! One run: every verdict with its evidence in the open, what it cost, what it produced.

use serde::Serialize;

use crate::discover::names;
use crate::model::{Case, Grading, Output, Run};
use crate::render::Task;
use crate::render::addresses::link;
use crate::render::html::Site;
use crate::render::preview::{self, Preview};
use crate::render::view::{Frame, GradingView, Rate, figures, notes};

#[derive(Serialize)]
struct RunView {
    frame: Frame,
    heading: String,
    path: String,
    rate: Rate,
    prompt: String,
    gradings: Vec<GradingView>,
    figures: Vec<[String; 2]>,
    notes: Vec<[String; 2]>,
    outputs: Vec<Preview>,
    transcript: Option<Preview>,
}

/// Adds the page of every run.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    for (index, iteration) in site.part.workspace.iterations.iter().enumerate() {
        for (at, case) in iteration.cases.iter().enumerate() {
            let place = RunPlace { iteration: index, line: site.addresses.line(index, at), case };
            for run in &case.runs {
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
    case: &'a Case,
}

fn page<'a>(site: Site<'a>, place: RunPlace<'a>, run: &'a Run, tasks: &mut Vec<Task<'a>>) {
    let path = site.addresses.run(place.iteration, place.line, run);
    let render = {
        let path = path.clone();
        move || site.templates.fill("run.html", &path, &view(site, place, run, &path))
    };
    tasks.push(Task { path, render: Box::new(render) });
}

fn view(site: Site<'_>, place: RunPlace<'_>, run: &Run, path: &str) -> RunView {
    let RunPlace { iteration: index, line, case } = place;
    let iteration = &site.part.workspace.iterations[index];
    let crumbs = [
        (site.addresses.overview(), site.title()),
        (site.addresses.iteration(index), iteration.name.as_str()),
        (site.addresses.case(line), case.name.as_str()),
    ];
    let title = site.run_name(run);
    let heading = site.language.fill("run.heading", &[("case", &case.name), ("run", &title)]);
    let grading = |(at, found): (usize, &Grading)| GradingView::of(found, at == 0, site.language);
    let (outputs, transcript) = previews(site, run, path);
    RunView {
        frame: site.frame(path, &title, &crumbs),
        heading,
        path: run.path.clone(),
        rate: Rate::of(run.tally(), site.language),
        prompt: case.prompt.clone().unwrap_or_default(),
        gradings: run.gradings.iter().enumerate().map(grading).collect(),
        figures: figures(&run.metrics, site.language),
        notes: notes(&run.notes, site.language),
        outputs,
        transcript,
    }
}

/// What is shown of a run's outputs and transcript.
fn previews(site: Site<'_>, run: &Run, path: &str) -> (Vec<Preview>, Option<Preview>) {
    let relative = |to: &str| link(path, to);
    let file = |output: &Output| names::join(site.part.prefix, &output.path);
    let (source, sink, addresses) = (site.part.source, site.sink, site.addresses);
    let output = |it: &Output| preview::of(it, &file(it), source, sink, addresses, &relative);
    let transcript =
        |it: &Output| preview::transcript(it, &file(it), source, sink, addresses, &relative);
    (run.outputs.iter().map(output).collect(), run.transcript.as_ref().map(transcript))
}
