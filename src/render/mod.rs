//! Render: from workspace and analysis to pages.
//!
//! Entry point: [`report`], which gives every page of a report as a task. A task is rendered on
//! its own, in parallel, and lets go of everything it read. Numbers become text in `view`; the
//! templates only place it.

pub(crate) mod chart;
pub(crate) mod context;
pub mod data;
mod difference;
mod html;
mod preview;
pub mod site;
pub mod text;

// The short ways by which other modules name what lies deeper.
pub(crate) use crate::render::context::{
    Look, Part, Publication, RenderError, Task, addresses, language, theme, view,
};
pub(crate) use crate::render::data::{benchmark, export, summary};
pub(crate) use crate::render::text::{
    annotations, answer, brief, compare, diagnostic, gate, inventory, pull_request,
    recorded as left,
};

use std::io;

use rayon::prelude::*;

use crate::analyze::{self, Expectations};
use crate::digest::Reviews;
use crate::digest::Standings;
use crate::part::{self, Carry};
use crate::render::context::addresses::Addresses;
use crate::render::context::assets;
use crate::render::context::pages::Site;
use crate::render::context::templates::Templates;
use crate::render::data::badge::Badge;
use crate::render::data::publish::Recorder;
use crate::render::data::summary::{Summary, WorkspaceSummary};
use crate::render::data::{badge, feed, publish, report, search};
pub use crate::render::html::{Reviewed, folders, reviewed};
use crate::render::text::markdown;
use crate::write::Sink;

/// Renders the whole report of `parts` into `sink`, with what it is to `carry` for a merge, and
/// gives the number of its pages and files; `done` is called with that number after each of them.
///
/// # Errors
/// The first page, in the report's order, that could not be rendered or written.
pub fn report(
    parts: &[Part<'_>],
    look: &Look,
    carry: Option<&Carry<'_>>,
    sink: &dyn Sink,
    done: &(dyn Fn(usize) + Sync),
) -> Result<usize, RenderError> {
    let templates = Templates::of(look)?;
    let addresses = Addresses::of(parts);
    let standings: Vec<Vec<Standings>> =
        parts.iter().map(|part| Standings::of_all(part.workspace, part.analysis)).collect();
    let reviews: Vec<Vec<Reviews<'_>>> =
        parts.iter().map(|part| Reviews::of_all(part.workspace)).collect();
    let expectations: Vec<Expectations<'_>> =
        parts.iter().map(|part| analyze::expectations(part.workspace, part.analysis)).collect();
    let recorder = Recorder::new(sink);
    let summary = summary(parts, (&addresses, &standings), look);
    let known = Known {
        addresses: &addresses,
        standings: &standings,
        reviews: &reviews,
        expectations: &expectations,
        summary: &summary,
    };
    let mut tasks = tasks(parts, known, look, &templates, &recorder);
    for_publication(&addresses, &summary, look, &mut tasks);
    let streams = streams(parts, &addresses, &standings);
    let total = tasks.len() + streams.len() + 1;
    let pages = tasks.par_iter().map(|task| {
        let bytes = (task.render)()?;
        put(sink, &task.path, &bytes)?;
        done(total);
        Ok(())
    });
    let files = streams.par_iter().map(|stream| {
        stream.write(sink)?;
        done(total);
        Ok(())
    });
    let results: Vec<Result<(), RenderError>> = pages.chain(files).collect();
    results.into_iter().collect::<Result<(), _>>()?;
    if let Some(carry) = carry {
        let carried = carry.write(&recorder, &recorder.by_source());
        carried.map_err(|error| unwritten(part::INDEX, &error))?;
    }
    put(sink, publish::FILE, &recorder.manifest(parts))?;
    done(total);
    Ok(total)
}

fn put(sink: &dyn Sink, path: &str, bytes: &[u8]) -> Result<(), RenderError> {
    sink.put(path, bytes).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &str, error: &io::Error) -> RenderError {
    RenderError::Sink { page: path.to_owned(), reason: crate::files::reason(error) }
}

/// The files for other programs that the settings ask for.
fn streams<'a>(
    parts: &'a [Part<'a>],
    addresses: &'a Addresses,
    standings: &'a [Vec<Standings>],
) -> Vec<export::Stream<'a>> {
    let mut streams = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        export::streams(part, addresses.part(index), &standings[index], &mut streams);
    }
    streams
}

/// What many pages need, made once for all of them: one entry for each workspace.
#[derive(Clone, Copy)]
struct Known<'a> {
    addresses: &'a Addresses,
    standings: &'a [Vec<Standings>],
    reviews: &'a [Vec<Reviews<'a>>],
    expectations: &'a [Expectations<'a>],
    summary: &'a Summary,
}

/// Every page in the report's order: what is shown first comes first.
fn tasks<'a>(
    parts: &'a [Part<'a>],
    known: Known<'a>,
    look: &'a Look,
    templates: &'a Templates,
    sink: &'a dyn Sink,
) -> Vec<Task<'a>> {
    let Known { addresses, standings, reviews, expectations, summary } = known;
    let mut tasks: Vec<Task<'a>> = Vec::new();
    for (path, bytes) in assets::files(look) {
        tasks.push(Task { path, render: Box::new(move || Ok(bytes.clone())) });
    }
    let language = &look.language;
    let room = difference::budget::per_page(html::difference_pages(parts));
    html::landing(&summary.workspaces, language, templates, &mut tasks);
    for (index, part) in parts.iter().enumerate() {
        let addresses = addresses.part(index);
        let site = Site {
            part,
            addresses,
            standings: &standings[index],
            reviews: &reviews[index],
            expectations: &expectations[index],
            language,
            templates,
            sink,
            room,
        };
        html::pages(site, &mut tasks);
        markdown::pages(site, &mut tasks);
        brief::pages(site, &mut tasks);
        search::pages(site, &mut tasks);
    }
    tasks.push(Task {
        path: "report.json".to_owned(),
        render: Box::new(|| Ok(report::report(parts, addresses, expectations).into_bytes())),
    });
    tasks
}

/// The report in a few lines.
fn summary(
    parts: &[Part<'_>],
    (addresses, standings): (&Addresses, &[Vec<Standings>]),
    look: &Look,
) -> Summary {
    let each = parts.iter().zip(standings).enumerate();
    let workspaces = each.map(|(index, (part, standings))| {
        WorkspaceSummary::of(part, addresses.part(index), standings, &look.language)
    });
    Summary::new(workspaces.collect(), look)
}

/// Adds what is read by others than people: the summary, badges, feeds, and what hosts look for.
fn for_publication<'a>(
    addresses: &Addresses,
    summary: &'a Summary,
    look: &'a Look,
    tasks: &mut Vec<Task<'a>>,
) {
    let mut add = |path: String, render: Box<dyn Fn() -> Vec<u8> + Send + Sync + 'a>| {
        tasks.push(Task { path, render: Box::new(move || Ok(render())) });
    };
    for (path, bytes) in site::for_hosts(look.publication.is_unlisted) {
        add(path, Box::new(move || bytes.clone()));
    }
    add(summary::FILE.to_owned(), Box::new(|| summary.bytes()));
    let badge = |workspace| Badge::of(workspace, &look.language);
    for (index, workspace) in summary.workspaces.iter().enumerate() {
        let beside = |name: &str| addresses.part(index).beside(name);
        add(beside(badge::DRAWING), Box::new(move || badge(workspace).drawing()));
        add(beside(badge::ENDPOINT), Box::new(move || badge(workspace).endpoint()));
        let folder = beside("");
        add(beside(feed::FILE), Box::new(move || feed::of_workspace(&folder, workspace, look)));
    }
    if summary.workspaces.len() > 1 {
        add(feed::FILE.to_owned(), Box::new(|| feed::of_report(summary, look)));
    }
}
