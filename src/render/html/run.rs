//! One run: every verdict with its evidence in the open, what it cost, what it produced.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::analyze::{CheckAt, key};
use crate::language::Language;
use crate::model::{Case, Expectation, Grading, Notes, Output, Run};
use crate::preview::markup::Safe;
use crate::preview::{self, Preview, Role, Room};
use crate::render::context::{
    Frame, Link, Rate, Rows, Site, Task,
    view::{GradingView, figures, notes},
};
use crate::render::html::asked::Asked;
use crate::render::html::compared;
use crate::render::html::feedback::{RunComment, comments_on, href};
use crate::render::html::files::with_files;
use crate::render::text::{loading, quotes};

#[derive(Serialize)]
struct RunView {
    frame: Frame,
    heading: String,
    path: String,
    compared: Vec<Link>,
    rate: Rate,
    comments: Rows<RunComment>,
    feedback: String,
    asked: Asked,
    gradings: Vec<GradingView>,
    figures: Vec<[String; 2]>,
    /// Time and tokens in one line.
    cost: String,
    /// Whether it loaded the skill, in words, and where that is to be seen.
    loading: Option<LoadingView>,
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

#[derive(Serialize)]
struct LoadingView {
    state: String,
    place: Link,
    /// What else its records say.
    remarks: Vec<String>,
}

/// Bytes of markup that notes in Markdown take on a page.
const MAX_NOTES: usize = 32 * 1024;

/// Outputs of one run that are stored and shown.
const MAX_OUTPUTS: usize = 300;

/// A run by the indices of its iteration, of its case there, and of itself in the case.
#[derive(Clone, Copy)]
struct Place {
    iteration: usize,
    case: usize,
    run: usize,
}

impl Place {
    fn case<'a>(&self, site: Site<'a>) -> &'a Case {
        &site.part.workspace.iterations[self.iteration].cases[self.case]
    }

    fn run<'a>(&self, site: Site<'a>) -> &'a Run {
        &self.case(site).runs[self.run]
    }

    fn line(&self, site: Site<'_>) -> usize {
        site.addresses.line(self.iteration, self.case)
    }
}

/// Adds the page of every run.
pub(super) fn pages<'a>(site: Site<'a>, tasks: &mut Vec<Task<'a>>) {
    let iterations = &site.part.workspace.iterations;
    let room =
        preview::bytes_per_page(iterations.iter().map(|iteration| iteration.runs().count()).sum());
    for (iteration, found) in iterations.iter().enumerate() {
        let in_case = |(case, found)| {
            let order = site.run_order(iteration, found).into_iter();
            order.map(move |run| Place { iteration, case, run })
        };
        let all: Vec<Place> = found.cases.iter().enumerate().flat_map(in_case).collect();
        for (at, place) in all.iter().copied().enumerate() {
            let before = at.checked_sub(1).and_then(|at| all.get(at)).copied();
            let steps = [before, all.get(at + 1).copied()];
            let path = site.addresses.run(iteration, place.line(site), place.run(site));
            tasks.push(site.page("run.html", path, move |path| {
                let mut view = view(site, place, path, room);
                [view.frame.previous, view.frame.next] = steps.map(|to| step(site, to, path));
                view
            }));
        }
    }
}

fn view(site: Site<'_>, place: Place, path: &str, room: usize) -> RunView {
    let (index, line) = (place.iteration, place.line(site));
    let (case, run) = (place.case(site), place.run(site));
    let iteration = &site.part.workspace.iterations[index];
    let crumbs = [
        (site.addresses.overview(), site.title()),
        (site.addresses.iteration(index), iteration.name.as_str()),
        (site.addresses.case(line), case.name.as_str()),
    ];
    let title = site.run_name(run);
    let heading = site.language.fill("run.heading", &[("case", &case.name), ("run", &title)]);
    let anchor = |found: &Expectation| site.addresses.expectation(line, &key(found));
    let grading = |(grading, found): (usize, &Grading)| {
        let Place { iteration, case, run } = place;
        let remarks = |check| {
            let at = CheckAt { iteration, case, run, grading, check };
            quotes::remarks(site.part.quotes().of(&at), site.language)
        };
        GradingView::new(found, grading == 0, site.language, anchor, remarks)
    };
    let gradings: Vec<GradingView> = run.gradings.iter().enumerate().map(grading).collect();
    let figures = figures(&run.metrics, site.part.settings, site.language);
    let own = notes(&Notes { other: Vec::new(), ..run.notes.clone() }, site.language);
    let mut notes: Vec<[String; 2]> = Vec::new();
    for note in gradings.iter().flat_map(|grading| grading.notes.clone()).chain(own) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    let (user_notes, are_whole) = user_notes(site, run);
    let (outputs, transcript) = previews(site, run, path, room);
    let more = run.outputs.len().checked_sub(MAX_OUTPUTS).filter(|more| *more > 0);
    let has_document = outputs.iter().chain(&transcript).any(|output| output.is_document);
    let has_frame = outputs.iter().chain(&transcript).any(|output| output.has_frame);
    RunView {
        frame: Frame {
            has_document,
            has_frame,
            ..site.frame_in(path, &title, &crumbs, Some(index))
        },
        heading,
        path: run.path.clone(),
        compared: compared::links_of_run(site, path, (line, index), &run.configuration),
        rate: Rate::new(run.tally(), site.language),
        comments: comments_on(site, index, (place.case, place.run)),
        feedback: href(site, path, index),
        asked: Asked::of([case].into_iter()),
        gradings: with_anchors_once(gradings),
        cost: time_and_tokens(&figures, site.language),
        figures,
        loading: loading_view(site, run),
        notes,
        user_notes,
        are_notes_cut: !are_whole,
        iteration: iteration.name.clone(),
        run_id: site.reviews[index].name_of(place.case, place.run),
        outputs,
        more_outputs: more.map(|n| site.language.fill("output.more", &[("n", &n)])),
        transcript,
    }
}

/// Whether the run loaded the skill; `None` where nothing is known.
fn loading_view(site: Site<'_>, run: &Run) -> Option<LoadingView> {
    let (found, language) = (&run.loading, site.language);
    let transcript = run.transcript.as_ref().map(|transcript| transcript.path.as_str());
    let is_shown = found.file.is_some() && found.file.as_deref() == transcript;
    let remarks = [("loading.run_idle", found.idle), ("loading.run_used", found.used)];
    let remarks = remarks.into_iter().filter(|(_, is_so)| *is_so);
    let others = found.other_skills.join(language.text("list.comma"));
    let others = language.fill("loading.others", &[("skills", &others)]);
    let others = Some(others).filter(|_| !found.other_skills.is_empty());
    let is_told = found.had_skill().is_some() || found.used || !found.other_skills.is_empty();
    is_told.then(|| LoadingView {
        state: loading::state(found, language),
        place: Link {
            href: if is_shown { "#transcript".to_owned() } else { String::new() },
            text: loading::place(found, language),
        },
        remarks: remarks.map(|(key, _)| language.text(key).to_owned()).chain(others).collect(),
    })
}

/// `time 3 min 02 s, tokens 45 833`, of the figures that are there.
fn time_and_tokens(figures: &[[String; 2]], language: &Language) -> String {
    let wanted = ["cost.time", "cost.tokens"].map(|key| language.text(key));
    let found = figures.iter().filter(|[name, _]| wanted.contains(&name.as_str()));
    found.map(|row| row.join(" ")).collect::<Vec<_>>().join(language.text("list.comma"))
}

/// What stands in files of notes beside the run; whether all of it is shown.
fn user_notes(site: Site<'_>, run: &Run) -> (Vec<Safe>, bool) {
    let room = MAX_NOTES / run.notes.other.len().max(1);
    let shown = |text: &String| preview::prose(text, site.language, site.part.source, room);
    let (texts, are_whole): (Vec<Safe>, Vec<bool>) = run.notes.other.iter().map(shown).unzip();
    (texts, !are_whole.contains(&false))
}

/// A link to the run beside; no address where there is none.
fn step(site: Site<'_>, to: Option<Place>, path: &str) -> Link {
    let Some(to) = to else { return Link::default() };
    let link = site.run_link(path, to.iteration, to.line(site), to.run(site));
    Link { text: format!("{}: {}", to.case(site).name, link.text), ..link }
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
fn previews(site: Site<'_>, run: &Run, page: &str, room: usize) -> (Vec<Preview>, Option<Preview>) {
    let files = run.outputs.len().min(MAX_OUTPUTS) + usize::from(run.transcript.is_some());
    with_files(site, page, Room::new(room, files), |place| {
        let output = |output: &Output| preview::store_and_show(output, Role::Output, place);
        let mut outputs: Vec<Preview> = run.outputs.iter().take(MAX_OUTPUTS).map(output).collect();
        let transcript = run.transcript.as_ref();
        let mut transcript = transcript
            .map(|transcript| preview::store_and_show(transcript, Role::Transcript, place));
        place.room.fit_sources(outputs.iter_mut().chain(&mut transcript));
        (outputs, transcript)
    })
}
