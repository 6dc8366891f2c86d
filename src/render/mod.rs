//! Renders workspace and analysis to pages.
//!
//! Entry point: [`report()`], which renders every page of a report as a task of its own, in
//! parallel. A task drops everything it read. Numbers become text in `view`; templates only place
//! it.

pub(crate) mod context;
pub mod data;
mod html;
pub(crate) mod markdown_table;
pub mod one_file;
mod questions_table;
pub mod site;
pub mod text;

// Short paths for other modules.
pub(crate) use crate::render::context::{Part, RenderError, RenderOptions, Task};
pub(crate) use crate::render::data::{benchmark, export, summary};
pub(crate) use crate::render::text::{
    annotations, audit, brief, compare, diagnostic, inventory, pull_request,
};

use std::io;

use rayon::prelude::*;

use crate::diff_view;
use crate::render::context::{RenderContext, SharedData, Templates, addresses, assets};
use crate::render::data::badge::Badge;
use crate::render::data::manifest::Recorder;
use crate::render::data::summary::{Summary, WorkspaceSummary};
use crate::render::data::{badge, manifest, report, search};
pub use crate::render::html::{CommentTarget, comment_targets, folders};
use crate::render::text::report_md;
use crate::write::Sink;

/// Renders the whole report of `parts` into `sink`.
/// Returns the number of pages and files; `done` is called with that number after each of them.
///
/// The first page, in the report's order, that could not be rendered or written.
pub fn report<'p>(
    parts: &'p [Part<'p>],
    options: &RenderOptions,
    sink: &dyn Sink,
    done: &(dyn Fn(usize) + Sync),
) -> Result<usize, RenderError> {
    with_tasks(parts, options, sink, |recorder, tasks, streams| {
        let total = tasks.len() + streams.len() + 1;
        let pages = tasks.par_iter().map(|task| {
            let bytes = (task.render)()?;
            put(sink, &task.path, &bytes)?;
            done(total);
            Ok(())
        });
        let files = streams.par_iter().map(|stream| {
            stream.write(sink).map_err(|error| unwritten(&stream.path, &error))?;
            done(total);
            Ok(())
        });
        let results: Vec<Result<(), RenderError>> = pages.chain(files).collect();
        results.into_iter().collect::<Result<(), _>>()?;
        put(sink, manifest::FILE, &recorder.manifest(parts))?;
        done(total);
        Ok(total)
    })
}

/// Renders only the pages at `paths`, with the files they show, into `sink`.
///
/// # Errors
/// As [`report()`].
pub fn pages<'p>(
    parts: &'p [Part<'p>],
    options: &RenderOptions,
    paths: &[String],
    sink: &dyn Sink,
) -> Result<(), RenderError> {
    with_tasks(parts, options, sink, |_, tasks, _| {
        let wanted = tasks.par_iter().filter(|task| paths.contains(&task.path));
        wanted.try_for_each(|task| put(sink, &task.path, &(task.render)()?))
    })
}

/// Passes everything to render or stream to `work`.
fn with_tasks<'p, T>(
    parts: &'p [Part<'p>],
    options: &RenderOptions,
    sink: &dyn Sink,
    work: impl FnOnce(&Recorder<'_>, &[Task<'_>], &[export::Stream<'_>]) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let recorder = Recorder::new(sink);
    with_contexts(parts, options, &recorder, |contexts, templates| {
        let summary =
            Summary::new(contexts.iter().map(|context| WorkspaceSummary::new(*context)), options);
        let tasks = tasks(contexts, &summary, options, templates);
        let mut streams = Vec::new();
        contexts.iter().for_each(|context| export::streams(*context, &mut streams));
        work(&recorder, &tasks, &streams)
    })
}

/// Passes what all pages of each workspace share to `work`.
fn with_contexts<'p, T>(
    parts: &'p [Part<'p>],
    options: &RenderOptions,
    sink: &dyn Sink,
    work: impl FnOnce(&[RenderContext<'_>], &Templates) -> Result<T, RenderError>,
) -> Result<T, RenderError> {
    let templates = Templates::new(options)?;
    let addresses = addresses(parts);
    let shared: Vec<SharedData<'_>> = parts.iter().map(SharedData::new).collect();
    let rooms = diff_view::room::per_page(html::review_pages(parts));
    let context = |(index, part): (usize, &'p Part<'p>)| RenderContext {
        part,
        addresses: &addresses[index],
        shared: &shared[index],
        language: &options.language,
        templates: &templates,
        sink,
        rooms,
    };
    let contexts: Vec<RenderContext<'_>> = parts.iter().enumerate().map(context).collect();
    work(&contexts, &templates)
}

fn put(sink: &dyn Sink, path: &str, bytes: &[u8]) -> Result<(), RenderError> {
    sink.put(path, bytes).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &str, error: &io::Error) -> RenderError {
    RenderError::Sink { page: path.to_owned(), reason: input::files::reason(error) }
}

/// All pages in the report's order: what is shown first, then files for programs: the summary,
/// badges, and files for hosts.
fn tasks<'a>(
    contexts: &'a [RenderContext<'a>],
    summary: &'a Summary,
    options: &'a RenderOptions,
    templates: &'a Templates,
) -> Vec<Task<'a>> {
    let files = assets::files(options).into_iter();
    let mut tasks: Vec<Task<'a>> =
        files.map(|(path, bytes)| Task::infallible(path, move || bytes.clone())).collect();
    html::landing(summary, &options.language, templates, &mut tasks);
    for context in contexts {
        html::pages(*context, &mut tasks);
        report_md::pages(*context, &mut tasks);
        benchmark::pages(*context, &mut tasks);
        brief::pages(*context, &mut tasks);
        search::pages(*context, &mut tasks);
    }
    tasks.push(Task::infallible("report.json".to_owned(), || report::report(contexts)));
    for (path, bytes) in site::for_hosts(options.publication.is_unlisted) {
        tasks.push(Task::infallible(path, move || bytes.clone()));
    }
    tasks.push(Task::infallible(summary::FILE.to_owned(), || summary.bytes()));
    let badge = |workspace| Badge::new(workspace, &options.language);
    for (context, workspace) in contexts.iter().zip(&summary.workspaces) {
        let path = |name: &str| context.addresses.report_file(name);
        tasks.push(Task::infallible(path(badge::DRAWING), move || badge(workspace).drawing()));
        tasks.push(Task::infallible(path(badge::ENDPOINT), move || badge(workspace).endpoint()));
    }
    tasks
}
